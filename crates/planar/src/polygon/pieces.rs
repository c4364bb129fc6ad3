//! Cutting a polygon into convex pieces: ears are cut off one by one (G. H. Meisters, 1975), then
//! neighbours are joined again as long as the union stays convex (S. Hertel and K. Mehlhorn, 1983).
//!
//! Turns are decided exactly, so a simple outline always has an ear; the time is cubic in the
//! number
//! of corners at worst, which are few.

use std::cmp::Ordering;

use super::{Polygon, orient2d};
use crate::vector::Point;

impl Polygon {
    /// Convex polygons, counter-clockwise, that cover the polygon without overlap. `None` if its
    /// outline crosses or touches itself.
    ///
    /// ```
    /// use carom_planar::Polygon;
    /// let l = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
    /// let pieces = Polygon::new(l.to_vec()).convex_pieces().unwrap();
    /// assert_eq!(pieces.len(), 2);
    /// assert_eq!(pieces.iter().map(Polygon::area).sum::<f64>(), 3.0);
    /// ```
    #[must_use]
    pub fn convex_pieces(&self) -> Option<Vec<Self>> {
        self.check_simple().ok()?;
        let mut vertices = self.vertices.clone();
        if self.signed_area() < 0.0 {
            vertices.reverse();
        }
        let upright = Self::new(vertices);
        if upright.is_convex() {
            return Some(vec![upright]);
        }
        let corners = &upright.vertices;
        let mut left: Vec<usize> = (0..corners.len()).collect();
        let mut pieces: Vec<Vec<usize>> = Vec::new();
        while left.len() > 3 {
            let ear = (0..left.len()).find(|at| is_ear(corners, &left, *at))?;
            pieces.push(neighbours(&left, ear).to_vec());
            left.remove(ear);
        }
        pieces.push(left);
        // What is left of straight corners has no area.
        pieces.retain(|piece| turn(corners, [piece[0], piece[1], piece[2]]) == Ordering::Greater);
        join(corners, &mut pieces);
        let polygon = |piece: &Vec<usize>| Self::new(piece.iter().map(|at| corners[*at]).collect());
        Some(pieces.iter().map(polygon).collect())
    }
}

fn turn(corners: &[Point], [a, b, c]: [usize; 3]) -> Ordering {
    orient2d(corners[a], corners[b], corners[c])
}

/// A corner between the two beside it.
fn neighbours(left: &[usize], at: usize) -> [usize; 3] {
    let count = left.len();
    [left[(at + count - 1) % count], left[at], left[(at + 1) % count]]
}

/// Can the triangle at a corner be cut off? No other corner may lie in it.
fn is_ear(corners: &[Point], left: &[usize], at: usize) -> bool {
    let [a, b, c] = neighbours(left, at);
    match turn(corners, [a, b, c]) {
        Ordering::Less => false,
        // A straight corner cuts nothing off.
        Ordering::Equal => true,
        Ordering::Greater => left.iter().all(|p| {
            [a, b, c].contains(p)
                || [[a, b], [b, c], [c, a]].iter().any(|[s, e]| turn(corners, [*s, *e, *p]) == Ordering::Less)
        }),
    }
}

/// Joins pieces along common sides while the union is convex.
fn join(corners: &[Point], pieces: &mut Vec<Vec<usize>>) {
    let mut first = 0;
    while first < pieces.len() {
        let found = (first + 1..pieces.len())
            .find_map(|other| Some((other, united(corners, &pieces[first], &pieces[other])?)));
        match found {
            Some((other, union)) => {
                pieces[first] = union;
                pieces.remove(other);
            }
            None => first += 1,
        }
    }
}

/// The union of two pieces with a common side, if it is convex.
fn united(corners: &[Point], a: &[usize], b: &[usize]) -> Option<Vec<usize>> {
    let (n, m) = (a.len(), b.len());
    let (i, j) = (0..n).find_map(|i| {
        let j = (0..m).find(|j| b[(j + 1) % m] == a[i] && b[*j] == a[(i + 1) % n])?;
        Some((i, j))
    })?;
    // Round the first from the end of the side to its start, then round the second.
    let mut union: Vec<usize> = (0..n).map(|k| a[(i + 1 + k) % n]).collect();
    union.extend((2..m).map(|k| b[(j + k) % m]));
    let count = union.len();
    let is_left = |k: usize| {
        turn(corners, [union[k], union[(k + 1) % count], union[(k + 2) % count]]) == Ordering::Greater
    };
    (0..count).all(is_left).then_some(union)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::polygon::{ShapeName, unit_shape};

    #[test]
    fn pieces_are_convex_and_add_up() {
        let shapes = [ShapeName::Star4, ShapeName::Star6, ShapeName::Boomerang, ShapeName::Hexagon];
        for name in shapes {
            let whole = unit_shape(name).rotated(0.3);
            let mut back = whole.clone();
            back.vertices.reverse();
            for polygon in [whole, back] {
                let pieces = polygon.convex_pieces().unwrap();
                assert!(pieces.iter().all(Polygon::is_convex));
                let sum: f64 = pieces.iter().map(Polygon::signed_area).sum();
                assert!((sum - polygon.area()).abs() < 1e-12, "{sum} {}", polygon.area());
            }
        }
        let crossed = [[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]];
        assert!(Polygon::new(crossed.to_vec()).convex_pieces().is_none());
    }
}
