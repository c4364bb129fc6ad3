//! The first tetrahedron, or the reason why there is none.

use glam::DVec3;

use super::HullError;
use super::grid::Grid;

/// Four points far apart, the first three counter-clockwise seen from outside (the fourth lies below their plane).
pub(super) fn first_simplex(grid: &Grid) -> Result<[u32; 4], HullError> {
    let [a, b] = farthest_extremes(grid);
    let (origin, along) = (grid.at(a), grid.at(b) - grid.at(a));
    let length = along.length();
    let (c, deviation) = farthest(grid, |p| along.cross(p - origin).length() / length);
    if deviation <= grid.merge {
        return Err(HullError::Collinear { deviation: grid.length(deviation), tolerance: grid.tolerance() });
    }
    let plane = grid.plane([a, b, c]);
    let (above, highest) = farthest(grid, |p| plane.height(p));
    let (below, lowest) = farthest(grid, |p| -plane.height(p));
    let thickness = highest + lowest;
    if thickness <= grid.merge {
        return Err(HullError::Flat { thickness: grid.length(thickness), tolerance: grid.tolerance() });
    }
    Ok(if highest > lowest { [a, c, b, above] } else { [a, b, c, below] })
}

/// The two of the lowest and highest points along the axes that are farthest apart.
fn farthest_extremes(grid: &Grid) -> [u32; 2] {
    let mut ends = [0u32; 6];
    for (i, &p) in grid.points.iter().enumerate() {
        for axis in 0..3 {
            if p[axis] < grid.at(ends[axis])[axis] {
                ends[axis] = i as u32;
            }
            if p[axis] > grid.at(ends[axis + 3])[axis] {
                ends[axis + 3] = i as u32;
            }
        }
    }
    let mut best = ([ends[0], ends[3]], 0.0);
    for (i, &a) in ends.iter().enumerate() {
        for &b in &ends[i + 1..] {
            let square = (grid.at(b) - grid.at(a)).length_squared();
            if square > best.1 {
                best = ([a, b], square);
            }
        }
    }
    best.0
}

/// The first point where `measure` is largest, and the measure.
fn farthest(grid: &Grid, measure: impl Fn(DVec3) -> f64) -> (u32, f64) {
    let mut best = (0, f64::NEG_INFINITY);
    for (i, &p) in grid.points.iter().enumerate() {
        let value = measure(p);
        if value > best.1 {
            best = (i as u32, value);
        }
    }
    best
}
