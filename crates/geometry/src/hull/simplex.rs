//! The first tetrahedron, or the reason why there is none; points that are extreme in some
//! direction.

use glam::DVec3;

use super::HullError;
use super::grid::Grid;

/// Four points far apart, the first three counter-clockwise seen from outside (the fourth lies
/// below their plane).
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

/// The points farthest along the diagonals of the cube and of its faces, ascending and without
/// repetition.
pub(super) fn extremes(grid: &Grid) -> Vec<u32> {
    const DIRECTIONS: usize = 10;
    let mut low = [(f64::INFINITY, 0); DIRECTIONS];
    let mut high = [(f64::NEG_INFINITY, 0); DIRECTIONS];
    for (i, &DVec3 { x, y, z }) in grid.points.iter().enumerate() {
        let along = [x + y + z, x + y - z, x - y + z, x - y - z, x + y, x - y, y + z, y - z, z + x, z - x];
        for k in 0..DIRECTIONS {
            if along[k] < low[k].0 {
                low[k] = (along[k], i as u32);
            }
            if along[k] > high[k].0 {
                high[k] = (along[k], i as u32);
            }
        }
    }
    let mut points: Vec<u32> = low.into_iter().chain(high).map(|(_, point)| point).collect();
    points.sort_unstable();
    points.dedup();
    points
}
