//! The farthest vertex in a direction, and boxes.
//!
//! Small polytopes look at all vertices, eight at a time from separate arrays of x, y and z, which
//! compilers turn into SIMD code without being asked twice. Large ones climb from vertex to vertex:
//! on a convex polytope a vertex with no better neighbour is a farthest one. The climb starts from
//! a table of farthest vertices for directions spread over a cube.

use super::{Polytope, VertexId};
use crate::bounds::Aabb;
use crate::pose::Pose;
use crate::real::{Real, Vector};
use crate::shape::{Bounded, Support};

/// Vertices or faces looked at side by side.
pub(super) const WIDTH: usize = 8;

/// Above this number of vertices, climbing is faster than looking at all: 128 random points on a
/// sphere take 53 ns to look at, 512 take 36 ns to climb.
const CLIMB_ABOVE: usize = 80;

/// The same for a box, which takes six climbs but one look: 87 ns for 128, 360 ns for 512 either
/// way.
const CLIMB_FOR_BOX_ABOVE: usize = 512;

/// Cells of the start table along one side of the cube.
const CELLS: usize = 6;

/// Coordinates by axis, filled up with the first vertex to whole blocks, and what climbing needs.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct VertexLanes<S: Real> {
    blocks: Vec<[[S; WIDTH]; 3]>,
    /// Where the neighbours of each vertex begin in `neighbours`, and their end. Empty for small
    /// polytopes.
    ring_starts: Vec<u32>,
    neighbours: Vec<u32>,
    /// A farthest vertex for the middle direction of each cell of the cube. Empty for small
    /// polytopes.
    starts: Vec<u32>,
}

impl<S: Real> VertexLanes<S> {
    pub(super) fn new(points: &[S::Vec3]) -> Self {
        let blocks = points
            .chunks(WIDTH)
            .map(|chunk| {
                let at = |lane: usize| chunk.get(lane).copied().unwrap_or(points[0]);
                std::array::from_fn(|axis| std::array::from_fn(|lane| at(lane)[axis]))
            })
            .collect();
        Self { blocks, ring_starts: Vec::new(), neighbours: Vec::new(), starts: Vec::new() }
    }

    /// The vertex farthest along a direction, the lowest of equals.
    #[inline]
    fn farthest(&self, direction: S::Vec3) -> u32 {
        match &self.blocks[..] {
            [block] => Self::farthest_of_block(block, direction),
            [a, b] => Self::farthest_of_few([a, b], direction),
            [a, b, c] => Self::farthest_of_few([a, b, c], direction),
            [a, b, c, d] => Self::farthest_of_few([a, b, c, d], direction),
            _ => self.farthest_of_blocks(direction),
        }
    }

    /// For boxes and the like: 6.3 instead of 9.2 ns when going through the lanes one by one.
    #[inline]
    fn farthest_of_block([xs, ys, zs]: &[[S; WIDTH]; 3], direction: S::Vec3) -> u32 {
        let [x, y, z] = direction.to_array();
        let heights: [S; WIDTH] = std::array::from_fn(|lane| xs[lane] * x + ys[lane] * y + zs[lane] * z);
        let highest = folded(heights, Real::max);
        // None, and then the first vertex, if the direction is not a number.
        let reaching = S::lanes_equal(&heights, highest);
        reaching.trailing_zeros() % WIDTH as u32
    }

    /// All heights first, then one bit per vertex that reaches the highest: what waits for what is
    /// half as long as with the best of each lane.
    #[inline]
    fn farthest_of_few<const N: usize>(blocks: [&[[S; WIDTH]; 3]; N], direction: S::Vec3) -> u32 {
        let [x, y, z] = direction.to_array();
        let mut heights = [[S::ZERO; WIDTH]; N];
        let mut best = [S::NEG_INFINITY; WIDTH];
        for (block, [xs, ys, zs]) in heights.iter_mut().zip(blocks) {
            for lane in 0..WIDTH {
                block[lane] = xs[lane] * x + ys[lane] * y + zs[lane] * z;
                best[lane] = Real::max(block[lane], best[lane]);
            }
        }
        let highest = folded(best, Real::max);
        let mut reaching = 0;
        for (k, block) in heights.iter().enumerate() {
            reaching |= S::lanes_equal(block, highest) << (k * WIDTH);
        }
        // None, and then the first vertex, if the direction is not a number.
        reaching.trailing_zeros() % u32::BITS
    }

    fn farthest_of_blocks(&self, direction: S::Vec3) -> u32 {
        let [x, y, z] = direction.to_array();
        let mut best = [S::NEG_INFINITY; WIDTH];
        // The block of the best, as a number of the same size as the coordinates so that both fit
        // one SIMD mask: exact, as small polytopes only are searched this way.
        let mut at = [S::ZERO; WIDTH];
        let mut number = S::ZERO;
        for [xs, ys, zs] in &self.blocks {
            for lane in 0..WIDTH {
                let along = xs[lane] * x + ys[lane] * y + zs[lane] * z;
                let is_better = along > best[lane];
                best[lane] = if is_better { along } else { best[lane] };
                at[lane] = if is_better { number } else { at[lane] };
            }
            number += S::ONE;
        }
        let highest = folded(best, Real::max);
        // The lowest number among the lanes that reach it, as a number of the same size for the
        // same reason.
        let mut numbers = [S::INFINITY; WIDTH];
        for lane in 0..WIDTH {
            let vertex = at[lane] * S::of(WIDTH as f64) + S::of(lane as f64);
            numbers[lane] = if best[lane] == highest { vertex } else { S::INFINITY };
        }
        let lowest = folded(numbers, Real::min);
        lowest.to_f64() as u32
    }

    /// Least and greatest value of three directions at once.
    fn ranges(&self, directions: [S::Vec3; 3]) -> [[S; 3]; 2] {
        let mut low = [[S::INFINITY; WIDTH]; 3];
        let mut high = [[S::NEG_INFINITY; WIDTH]; 3];
        for [xs, ys, zs] in &self.blocks {
            for axis in 0..3 {
                let [x, y, z] = directions[axis].to_array();
                for lane in 0..WIDTH {
                    let along = xs[lane] * x + ys[lane] * y + zs[lane] * z;
                    low[axis][lane] = Real::min(along, low[axis][lane]);
                    high[axis][lane] = Real::max(along, high[axis][lane]);
                }
            }
        }
        [low.map(|lanes| folded(lanes, Real::min)), high.map(|lanes| folded(lanes, Real::max))]
    }
}

/// Combines the lanes, halves first: three steps that each wait for the one before, not seven.
#[inline]
pub(super) fn folded<S: Real>(mut lanes: [S; WIDTH], combine: impl Fn(S, S) -> S) -> S {
    let mut width = WIDTH / 2;
    while width > 0 {
        for lane in 0..width {
            lanes[lane] = combine(lanes[lane], lanes[lane + width]);
        }
        width /= 2;
    }
    lanes[0]
}

/// The cell of the cube that a direction points into: two cells per axis sign, `CELLS`² each.
fn cell_of<S: Real>(direction: S::Vec3) -> usize {
    let axis = direction.largest_axis();
    let along = direction[axis];
    let inverse = S::ONE / along.abs();
    let part = |k: usize| {
        let share = (direction[(axis + k) % 3] * inverse + S::ONE) * S::of(CELLS as f64 / 2.0);
        // Conversion to an integer saturates, so that a null or NaN direction is a cell as well.
        (share.to_f64() as usize).min(CELLS - 1)
    };
    let side = axis * 2 + usize::from(along < S::ZERO);
    (side * CELLS + part(1)) * CELLS + part(2)
}

/// The middle of a cell.
fn direction_of<S: Real>(cell: usize) -> S::Vec3 {
    let part = |index: usize| S::of((index as f64 + 0.5) * 2.0 / CELLS as f64 - 1.0);
    let side = cell / (CELLS * CELLS);
    let mut direction = S::Vec3::ZERO;
    let axis = side / 2;
    direction[axis] = if side.is_multiple_of(2) { S::ONE } else { -S::ONE };
    direction[(axis + 1) % 3] = part(cell / CELLS % CELLS);
    direction[(axis + 2) % 3] = part(cell % CELLS);
    direction
}

impl<S: Real> Polytope<S> {
    /// Prepares climbing if the polytope is large.
    pub(super) fn fill_starts(&mut self) {
        if self.points.len() <= CLIMB_ABOVE {
            return;
        }
        let mut lanes = std::mem::replace(&mut self.lanes, VertexLanes::new(&[]));
        let mut ring_starts = vec![0u32; self.points.len() + 1];
        for h in &self.half_edges {
            ring_starts[h.head.index() + 1] += 1;
        }
        for v in 0..self.points.len() {
            ring_starts[v + 1] += ring_starts[v];
        }
        let mut places = ring_starts.clone();
        let mut neighbours = vec![0u32; self.half_edges.len()];
        for h in &self.half_edges {
            let place = &mut places[h.head.index()];
            neighbours[*place as usize] = self.half_edges[h.pair.index()].head.0;
            *place += 1;
        }
        (lanes.ring_starts, lanes.neighbours) = (ring_starts, neighbours);
        self.lanes = lanes;
        self.lanes.starts = Vec::new();
        // Each climb starts where the last one ended, in the cell beside.
        let mut vertex = VertexId(0);
        let starts = (0..6 * CELLS * CELLS)
            .map(|cell| {
                vertex = self.climb(direction_of::<S>(cell), vertex);
                vertex.0
            })
            .collect();
        self.lanes.starts = starts;
    }

    /// The vertex farthest along a direction of any length but zero.
    ///
    /// In polytopes of up to 80 vertices the lowest of equals; in larger ones some vertex within
    /// rounding (and, where faces are perpendicular to the direction, within the tolerance) of the
    /// farthest, the same for the same input.
    #[inline]
    #[must_use]
    pub fn support_vertex(&self, direction: S::Vec3) -> VertexId {
        if self.lanes.starts.is_empty() {
            VertexId(self.lanes.farthest(direction))
        } else {
            self.climb(direction, VertexId(self.lanes.starts[cell_of::<S>(direction)]))
        }
    }

    /// One bit per vertex whose product with the direction is at least so much; `None` if there are
    /// more than 32 vertices.
    ///
    /// ```
    /// use carom_geometry::Polytope;
    /// use glam::Vec3;
    /// let cube = Polytope::<f32>::cuboid(Vec3::ONE)?;
    /// let upper = cube.vertices_beyond(Vec3::Y, 0.5).unwrap();
    /// assert_eq!(upper.count_ones(), 4);
    /// assert_eq!(cube.points()[upper.trailing_zeros() as usize].y, 1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn vertices_beyond(&self, direction: S::Vec3, least: S) -> Option<u32> {
        if self.points.len() > u32::BITS as usize {
            return None;
        }
        let [x, y, z] = direction.to_array();
        let mut beyond = 0;
        for (k, [xs, ys, zs]) in self.lanes.blocks.iter().enumerate() {
            let heights: [S; WIDTH] = std::array::from_fn(|lane| xs[lane] * x + ys[lane] * y + zs[lane] * z);
            beyond |= S::lanes_at_least(&heights, least) << (k * WIDTH);
        }
        // Blocks are filled up with the first vertex.
        Some(beyond & u32::MAX >> (u32::BITS - self.points.len() as u32))
    }

    /// The same by climbing from a vertex, which pays if `start` is near: the last answer for a
    /// slowly turning direction. Of equally far vertices, which one is found depends on the start.
    #[must_use]
    pub fn support_from(&self, direction: S::Vec3, start: VertexId) -> VertexId {
        if self.lanes.neighbours.is_empty() {
            self.walk(direction, start)
        } else {
            self.climb(direction, start)
        }
    }

    /// The same by climbing from `hint` or from where the direction alone would start, whichever is
    /// farther along: for searches that jump at first and creep in the end. Any number is a hint.
    #[inline]
    #[must_use]
    pub fn support_near(&self, direction: S::Vec3, hint: VertexId) -> VertexId {
        let (Some(point), false) = (self.points.get(hint.index()), self.lanes.starts.is_empty()) else {
            return self.support_vertex(direction);
        };
        let start = self.lanes.starts[cell_of::<S>(direction)];
        let hint_is_better = point.dot(direction) > self.points[start as usize].dot(direction);
        self.climb(direction, if hint_is_better { hint } else { VertexId(start) })
    }

    /// Climbs over the table of neighbours.
    fn climb(&self, direction: S::Vec3, start: VertexId) -> VertexId {
        let mut best = start.index();
        let mut height = self.points[best].dot(direction);
        loop {
            let from = best;
            let ring = self.lanes.ring_starts[from] as usize..self.lanes.ring_starts[from + 1] as usize;
            for &v in &self.lanes.neighbours[ring] {
                let along = self.points[v as usize].dot(direction);
                if along > height {
                    (best, height) = (v as usize, along);
                }
            }
            if best == from {
                return VertexId(best as u32);
            }
        }
    }

    /// Climbs over the half-edges.
    fn walk(&self, direction: S::Vec3, start: VertexId) -> VertexId {
        let mut best = start;
        let mut height = self.point(best).dot(direction);
        loop {
            let from = best;
            for v in self.adjacent_vertices(from) {
                let along = self.point(v).dot(direction);
                if along > height {
                    (best, height) = (v, along);
                }
            }
            if best == from {
                return best;
            }
        }
    }
}

impl<S: Real> Support<S> for Polytope<S> {
    #[inline]
    fn support(&self, direction: S::Vec3) -> S::Vec3 {
        self.point(self.support_vertex(direction))
    }
}

impl<S: Real> Bounded<S> for Polytope<S> {
    fn aabb_at(&self, pose: &Pose<S>) -> Aabb<3, S> {
        let matrix = pose.rotation.to_matrix();
        let rows = [matrix.row(0), matrix.row(1), matrix.row(2)];
        let [low, high] = if self.points.len() <= CLIMB_FOR_BOX_ABOVE {
            self.lanes.ranges(rows)
        } else {
            [rows.map(|row| self.support(-row).dot(row)), rows.map(|row| self.support(row).dot(row))]
        };
        let [low, high] = [low, high].map(|c| S::Vec3::from_array(c) + pose.translation);
        Aabb::new(low.to_array(), high.to_array())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_hold_their_own_direction() {
        for cell in 0..6 * CELLS * CELLS {
            assert_eq!(cell_of::<f32>(direction_of::<f32>(cell)), cell);
            assert_eq!(cell_of::<f64>(direction_of::<f64>(cell) * 1e-200), cell);
        }
        assert!(cell_of::<f32>(glam::Vec3::ZERO) < 6 * CELLS * CELLS);
        assert!(cell_of::<f32>(glam::Vec3::splat(f32::NAN)) < 6 * CELLS * CELLS);
    }

    #[test]
    fn the_lowest_of_equal_vertices_is_found() {
        // 20 corners, several blocks: the caps of a prism are ties.
        let prism = Polytope::<f32>::prism(10, 2.0, 1.0).unwrap();
        for direction in [glam::Vec3::Y, -glam::Vec3::Y] {
            let found = prism.support_vertex(direction);
            let highest = prism.point(found).dot(direction);
            let lowest = prism.vertices().find(|&v| prism.point(v).dot(direction) == highest);
            assert_eq!(lowest, Some(found));
        }
    }
    #[test]
    fn any_hint_leads_to_the_farthest_vertex() {
        for count in [12, 300] {
            let hull = Polytope::<f64>::random_on_sphere(count, 1.0, 3).unwrap();
            for k in 0..200u32 {
                let (x, y, z) = (f64::from(k % 7) - 3.1, f64::from(k % 11) - 5.2, f64::from(k % 13) - 6.3);
                let direction = glam::DVec3::new(x, y, z);
                let highest = hull.points().iter().map(|p| p.dot(direction)).fold(f64::MIN, f64::max);
                for hint in [0, k, count as u32 - 1, u32::MAX] {
                    let found = hull.point(hull.support_near(direction, VertexId(hint)));
                    assert!(highest - found.dot(direction) <= 1e-12);
                }
            }
        }
    }
}
