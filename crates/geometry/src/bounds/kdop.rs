//! Discrete orientation polytopes: slabs along a fixed set of directions.
//!
//! | type | k | directions |
//! |---|---|---|
//! | [`Dop14`] | 14 | the axes and the diagonals of a cube: a box with its corners cut off |
//! | [`Dop18`] | 18 | the axes and the diagonals of its faces: a box with its edges cut off |
//! | [`Dop26`] | 26 | all of them |
//!
//! Since all volumes share the directions, two of them overlap only if their intervals do on each
//! one, a comparison of k/2 pairs of numbers (Klosowski and others). That is a test of k/2 axes,
//! not of all: volumes that overlap on each direction may still be apart.
//!
//! Directions are vectors of 0 and ±1, not of length 1: sums of coordinates instead of scalar
//! products. Such a sum of three is rounded twice; the intervals are enlarged by that much, so that
//! points that two shapes share are shared by their volumes.

mod faces;
pub mod transform;

use super::Aabb;
use crate::pose::Pose;
use crate::real::{Real, Vector};
use crate::shape::Support;

/// 14 faces.
pub type Dop14<S = f32> = Kdop<7, S>;
/// 18 faces.
pub type Dop18<S = f32> = Kdop<9, S>;
/// 26 faces.
pub type Dop26<S = f32> = Kdop<13, S>;

const AXES: [[i8; 3]; 3] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
const CORNERS: [[i8; 3]; 4] = [[1, 1, 1], [1, 1, -1], [1, -1, 1], [1, -1, -1]];
const EDGES: [[i8; 3]; 6] = [[1, 1, 0], [1, -1, 0], [1, 0, 1], [1, 0, -1], [0, 1, 1], [0, 1, -1]];

/// Relative enlargement of sums of coordinates, in units of ε: two roundings of the sum, twice for
/// good measure.
const GROWTH: f64 = 2.0;

/// A convex volume bounded by `K2` slabs: all points with `min ≤ direction · point ≤ max` on each
/// direction.
///
/// ```
/// use carom_geometry::bounds::kdop::{Dop14, Kdop};
/// use glam::Vec3;
/// // An octahedron is a 14-DOP; its box is six times as large.
/// let corners = [Vec3::X, Vec3::Y, Vec3::Z, -Vec3::X, -Vec3::Y, -Vec3::Z];
/// let dop: Dop14 = Kdop::of_points(corners);
/// assert!((dop.volume() - 4.0 / 3.0).abs() < 1e-5);
/// assert!((dop.aabb().volume() - 8.0).abs() < 1e-5);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kdop<const K2: usize, S: Real = f32> {
    /// Lower ends of the intervals, the three axes first.
    pub min: [S; K2],
    /// Upper ends.
    pub max: [S; K2],
}

const fn directions<const K2: usize>() -> [[i8; 3]; K2] {
    assert!(K2 == 7 || K2 == 9 || K2 == 13, "k-DOPs have 7, 9 or 13 directions");
    let mut all = [[0; 3]; K2];
    let mut k = 0;
    while k < K2 {
        all[k] = if k < 3 {
            AXES[k]
        } else if K2 == 9 {
            EDGES[k - 3]
        } else if k < 7 {
            CORNERS[k - 3]
        } else {
            EDGES[k - 7]
        };
        k += 1;
    }
    all
}

/// A coordinate times −1, 0 or 1.
#[inline]
fn signed<S: Real>(sign: i8, x: S) -> S {
    match sign {
        0 => S::ZERO,
        1 => x,
        _ => -x,
    }
}

impl<const K2: usize, S: Real> Kdop<K2, S> {
    /// The directions, with entries 0 and ±1.
    pub const DIRECTIONS: [[i8; 3]; K2] = directions();
    /// The volume that contains nothing: the union with it is the other volume. Not
    /// [valid](Self::is_valid).
    pub const EMPTY: Self = Self { min: [S::INFINITY; K2], max: [S::NEG_INFINITY; K2] };

    /// Direction `index` as a vector.
    #[inline]
    fn direction(index: usize) -> S::Vec3 {
        S::Vec3::from_array(Self::DIRECTIONS[index].map(|c| S::of(f64::from(c))))
    }

    /// Position of a point along direction `index`.
    #[inline]
    fn along(index: usize, p: S::Vec3) -> S {
        let [x, y, z] = Self::DIRECTIONS[index];
        (signed(x, p.x()) + signed(y, p.y())) + signed(z, p.z())
    }

    /// The smallest volume around points, up to rounding; [`Self::EMPTY`] around none.
    #[must_use]
    pub fn of_points(points: impl IntoIterator<Item = S::Vec3>) -> Self {
        points.into_iter().fold(Self::EMPTY, Self::with_point)
    }

    /// The smallest volume around this one and a point, up to rounding.
    #[inline]
    #[must_use]
    pub fn with_point(mut self, p: S::Vec3) -> Self {
        let size = Vector::abs(p);
        let rounding = S::of(GROWTH) * S::EPSILON * (size.x() + size.y() + size.z());
        for k in 0..K2 {
            let (at, margin) = (Self::along(k, p), if k < 3 { S::ZERO } else { rounding });
            self.min[k] = Real::min(at - margin, self.min[k]);
            self.max[k] = Real::max(at + margin, self.max[k]);
        }
        self
    }

    /// The smallest volume around a convex shape placed by `pose`, up to rounding.
    #[must_use]
    pub fn of_support(shape: &impl Support<S>, pose: &Pose<S>) -> Self {
        let mut dop = Self::EMPTY;
        for k in 0..K2 {
            let direction = pose.rotation.rotate_back(Self::direction(k));
            for end in [direction, -direction] {
                let local = shape.support(end);
                let p = pose.apply(local);
                // A support point is as exact as its coordinates, and those of the pose.
                let size = Vector::abs(local).max_element() + Vector::abs(p).max_element();
                let margin = S::of(16.0) * S::EPSILON * size;
                dop.min[k] = Real::min(Self::along(k, p) - margin, dop.min[k]);
                dop.max[k] = Real::max(Self::along(k, p) + margin, dop.max[k]);
            }
        }
        dop
    }

    /// True if no number is NaN and no interval is inverted.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        (0..K2).all(|k| self.min[k] <= self.max[k])
    }

    /// The smallest volume around both.
    #[inline]
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self {
            min: std::array::from_fn(|k| Real::min(self.min[k], other.min[k])),
            max: std::array::from_fn(|k| Real::max(self.max[k], other.max[k])),
        }
    }

    /// Do all intervals overlap? Touching counts. True whenever the volumes share a point,
    /// sometimes when they do not.
    #[inline]
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        // The axes separate most pairs: one branch for them, one for the rest.
        let overlap = |range: std::ops::Range<usize>| {
            range.fold(true, |all, k| all & (self.min[k] <= other.max[k]) & (other.min[k] <= self.max[k]))
        };
        overlap(0..3) && overlap(3..K2)
    }

    /// Is the point inside or on the border?
    #[inline]
    #[must_use]
    pub fn contains_point(&self, p: S::Vec3) -> bool {
        (0..K2).all(|k| {
            let at = Self::along(k, p);
            self.min[k] <= at && at <= self.max[k]
        })
    }

    /// Is every interval of the other volume inside that of this one?
    #[inline]
    #[must_use]
    pub fn contains(&self, other: &Self) -> bool {
        (0..K2).all(|k| self.min[k] <= other.min[k] && other.max[k] <= self.max[k])
    }

    /// The volume with every interval enlarged at both ends by `margin` times the length of its
    /// direction: every face moves by `margin`.
    #[must_use]
    pub fn grown(&self, margin: S) -> Self {
        let mut grown = *self;
        for k in 0..K2 {
            let by = margin * Self::direction(k).length();
            grown.min[k] -= by;
            grown.max[k] += by;
        }
        grown
    }

    /// The axis-aligned box of the first three intervals.
    #[inline]
    #[must_use]
    pub fn aabb(&self) -> Aabb<3, S> {
        Aabb { min: [self.min[0], self.min[1], self.min[2]], max: [self.max[0], self.max[1], self.max[2]] }
    }

    /// Corners of the polyhedron, each one several times. None for a volume without points.
    #[must_use]
    pub fn vertices(&self) -> Vec<S::Vec3> {
        let shape = faces::Faces::new(self);
        shape.polygons.iter().flat_map(|f| &f.corners).map(|c| (*c + shape.centre).to::<S>()).collect()
    }

    /// Area of the faces of the polyhedron.
    #[must_use]
    pub fn surface_area(&self) -> S {
        S::of(faces::Faces::new(self).polygons.iter().map(faces::Face::area).sum::<f64>())
    }

    /// Volume of the polyhedron.
    #[must_use]
    pub fn volume(&self) -> S {
        let shape = faces::Faces::new(self);
        S::of(shape.polygons.iter().map(|f| f.area() * f.distance / 3.0).sum::<f64>())
    }

    /// A volume around this one turned and moved by `pose`: the smallest one around the
    /// *polyhedron*, hence looser than one of the points in it. Build it anew from the points or
    /// the support function where these are at hand.
    #[must_use]
    pub fn posed(&self, pose: &Pose<S>) -> Self {
        let vertices = self.vertices();
        let turned = Self::of_points(vertices.iter().map(|v| pose.apply(*v)));
        let size = vertices.iter().fold(S::ZERO, |m, v| Real::max(Vector::abs(*v).max_element(), m));
        turned.grown(S::of(16.0) * S::EPSILON * (size + Vector::abs(pose.translation).max_element()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DVec3, Vec3};

    #[test]
    fn directions_are_distinct_and_counted() {
        for (found, corners, edges) in [
            (Dop14::<f32>::DIRECTIONS.to_vec(), 4, 0),
            (Dop18::<f32>::DIRECTIONS.to_vec(), 0, 6),
            (Dop26::<f32>::DIRECTIONS.to_vec(), 4, 6),
        ] {
            let entries = |n: i32| {
                found.iter().filter(|d| d.iter().map(|c| i32::from(c.abs())).sum::<i32>() == n).count()
            };
            assert_eq!((entries(1), entries(2), entries(3)), (3, edges, corners));
            for (i, a) in found.iter().enumerate() {
                assert!(found[..i].iter().all(|b| a != b && *a != b.map(|c| -c)));
            }
        }
    }

    #[test]
    fn a_cube_keeps_its_measures_and_an_octahedron_is_a_14_dop() {
        let cube = Aabb::<3, f64>::new([1.0; 3], [3.0; 3]);
        let dop: Dop26<f64> = Kdop::of_points((0..8).map(|k| cube.corner(k)));
        assert!((dop.volume() - 8.0).abs() < 1e-12 && (dop.surface_area() - 24.0).abs() < 1e-12);
        let octahedron = [DVec3::X, DVec3::Y, DVec3::Z, -DVec3::X, -DVec3::Y, -DVec3::Z];
        let dop: Dop14<f64> = Kdop::of_points(octahedron);
        assert!((dop.volume() - 4.0 / 3.0).abs() < 1e-12);
        assert!((dop.surface_area() - 4.0 * 3f64.sqrt()).abs() < 1e-12);
        // The rhombic dodecahedron: twelve faces along the diagonals of the cube's faces.
        let mut corners: Vec<DVec3> =
            (0..8).map(|k| Aabb::<3, f64>::new([-1.0; 3], [1.0; 3]).corner(k)).collect();
        corners.extend(octahedron.map(|v| v * 2.0));
        let dop: Dop18<f64> = Kdop::of_points(corners);
        assert!(
            (dop.volume() - 16.0).abs() < 1e-12 && (dop.surface_area() - 24.0 * 2f64.sqrt()).abs() < 1e-12
        );
    }

    #[test]
    fn flat_volumes_have_two_sides_and_points_have_none() {
        let square = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::new(1.0, 1.0, 0.0)];
        let dop: Dop26 = Kdop::of_points(square);
        assert!((dop.surface_area() - 2.0).abs() < 1e-4 && dop.volume().abs() < 1e-5);
        let point: Dop26 = Kdop::of_points([Vec3::new(3.0, 4.0, 5.0)]);
        assert!(
            point.is_valid() && point.surface_area() < 1e-6 && point.contains_point(Vec3::new(3.0, 4.0, 5.0))
        );
        assert!(!Dop26::<f32>::EMPTY.is_valid() && Dop26::<f32>::EMPTY.volume() == 0.0);
    }
}
