//! What a choice of method depends on: a few numbers of the scene, from a sample of its boxes.
//!
//! The same boxes give the same numbers everywhere: the sample is every k-th id, no clock is read,
//! and nothing but sums, products and comparisons is used. `auto` and `carom advise` both ask here,
//! so what the laboratory measures and fits is what the method will see. A look costs some
//! microseconds, whatever the number of boxes.
//!
//! Rejected: exact features. They would cost more than the update that they are to make cheaper.

use carom_geometry::Aabb;

use crate::Table;

/// Boxes looked at to judge how they lie.
pub const SAMPLE: usize = 64;
/// So many overlaps in a sample may be chance.
const CHANCE: u32 = 4;

/// What the costs depend on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Features {
    /// Number of boxes.
    pub boxes: f32,
    /// Boxes that change per update, where any do.
    pub moving: f32,
    /// Part of the boxes that overlap a given one on the axis where that is least.
    pub best_part: f32,
    /// The same on the axis where that is most.
    pub worst_part: f32,
    /// Boxes that a box overlaps on all axes, as far as the sample tells.
    pub crowding: f32,
    /// The longest edge of the sample over the mean of the longest edges: 1 if all boxes are alike.
    pub size_ratio: f32,
    /// How far a box that moves goes in an update, in mean edges.
    pub motion: f32,
}

/// Motion as long as none was seen: what goes that far in an update keeps no order.
pub const UNKNOWN_MOTION: f32 = 1.0;

impl Features {
    /// Features of a space in which so many boxes move. A table does not know how far:
    /// [`Features::motion`] is [`UNKNOWN_MOTION`].
    #[must_use]
    pub fn of<const D: usize>(table: &Table<D>, moving: usize) -> Self {
        let slots = table.slots() as u32;
        let step = (table.slots() / SAMPLE).max(1);
        let mut sample = [Aabb::EMPTY; SAMPLE + 1];
        let mut count = 0;
        // Not from the first: that is often the ground or the walls, which are like no other box.
        for id in (step as u32 / 2..slots).step_by(step).filter(|&id| table.is_alive(id)).take(sample.len()) {
            sample[count] = *table.aabb(id);
            count += 1;
        }
        let sample = &sample[..count];
        let axes: [Axis; D] = std::array::from_fn(|k| Axis::of(sample, k));
        let part = |axis: &Axis| axis.part();
        Self {
            boxes: table.len() as f32,
            moving: moving as f32,
            best_part: axes.iter().map(part).fold(1.0, f32::min),
            worst_part: axes.iter().map(part).fold(0.0, f32::max),
            crowding: table.len() as f32 * overlapping_part(sample, &axes),
            size_ratio: size_ratio(sample),
            motion: UNKNOWN_MOTION,
        }
    }

    /// How many later boxes a sweep along the best axis tests a box against.
    #[must_use]
    pub fn sweep_load(&self) -> f32 {
        self.boxes * self.best_part
    }
}

/// A sample along one axis.
#[derive(Clone, Copy)]
struct Axis {
    /// Half the length that the finite boxes take; halves, since the whole may be beyond the
    /// numbers.
    half_range: f32,
    /// Mean of half their edges.
    half_mean: f32,
    /// Share of the pairs that overlap here, less what may be chance.
    shared: f32,
}

impl Axis {
    fn of<const D: usize>(sample: &[Aabb<D>], axis: usize) -> Self {
        let (mut low, mut high, mut extent, mut seen) = (f32::INFINITY, f32::NEG_INFINITY, 0.0f32, 0.0f32);
        let (mut overlaps, mut tests) = (0u32, 0u32);
        for (i, a) in sample.iter().enumerate() {
            let (min, max) = (a.min[axis], a.max[axis]);
            if min.is_finite() && max.is_finite() {
                (low, high) = (low.min(min), high.max(max));
                extent += max * 0.5 - min * 0.5;
                seen += 1.0;
            }
            for b in &sample[i + 1..] {
                overlaps += u32::from(min <= b.max[axis] && b.min[axis] <= max);
                tests += 1;
            }
        }
        let half_mean = if seen > 0.0 { extent / seen } else { f32::INFINITY };
        let shared = overlaps.saturating_sub(CHANCE) as f32 * 0.5 / tests.max(1) as f32;
        Self { half_range: high * 0.5 - low * 0.5, half_mean, shared }
    }

    /// Mean extent over range: half the part that overlaps if boxes lie evenly. Where they do not,
    /// the share of pairs of the sample that overlap says more.
    fn part(&self) -> f32 {
        let even = if self.half_mean < self.half_range { self.half_mean / self.half_range } else { 1.0 };
        even.max(self.shared)
    }
}

/// Share of the pairs that overlap on all axes: what their edges let expect if they lie evenly, or
/// what the sample shows if that is more.
fn overlapping_part<const D: usize>(sample: &[Aabb<D>], axes: &[Axis; D]) -> f32 {
    // Edges in parts of the range; 1 for infinite edges and for a range of nothing, too.
    let mut parts = [[1.0f32; D]; SAMPLE + 1];
    for (part, aabb) in parts.iter_mut().zip(sample) {
        for (k, axis) in axes.iter().enumerate() {
            let edge = aabb.max[k] * 0.5 - aabb.min[k] * 0.5;
            part[k] = if edge < axis.half_range { edge / axis.half_range } else { 1.0 };
        }
    }
    let (mut expected, mut overlaps, mut tests) = (0.0f32, 0u32, 0u32);
    for (i, a) in sample.iter().enumerate() {
        for (j, b) in sample.iter().enumerate().skip(i + 1) {
            let mut chance = 1.0f32;
            let mut overlap = true;
            for k in 0..D {
                chance *= (parts[i][k] + parts[j][k]).min(1.0);
                overlap &= a.min[k] <= b.max[k] && b.min[k] <= a.max[k];
            }
            expected += chance;
            overlaps += u32::from(overlap);
            tests += 1;
        }
    }
    let tests = tests.max(1) as f32;
    (expected / tests).max(overlaps.saturating_sub(CHANCE) as f32 / tests)
}

/// Half the longest edge of a box; `None` if it is infinite.
fn half_edge<const D: usize>(aabb: &Aabb<D>) -> Option<f32> {
    let edge = (0..D).map(|k| aabb.max[k] * 0.5 - aabb.min[k] * 0.5).fold(0.0, f32::max);
    edge.is_finite().then_some(edge)
}

fn size_ratio<const D: usize>(sample: &[Aabb<D>]) -> f32 {
    let (mut longest, mut sum, mut seen) = (0.0f32, 0.0f32, 0.0f32);
    for edge in sample.iter().filter_map(half_edge) {
        longest = longest.max(edge);
        sum += edge;
        seen += 1.0;
    }
    let mean = sum / seen;
    if mean > 0.0 && mean.is_finite() { (longest / mean).max(1.0) } else { 1.0 }
}

/// How far boxes went since they were seen, in mean edges of those that did: the mean over the axes
/// on which they went farthest. `None` if none of them moved, or what moved has no edges to measure
/// by.
#[must_use]
pub fn motion<const D: usize>(table: &Table<D>, earlier: &[(u32, Aabb<D>)]) -> Option<f32> {
    let (mut way, mut edges) = (0.0f32, 0.0f32);
    for (id, was) in earlier.iter().filter(|(id, _)| table.is_alive(*id)) {
        let is = table.aabb(*id);
        let Some(edge) = half_edge(is) else { continue };
        let gone = (0..D).map(|k| (is.min[k] * 0.5 - was.min[k] * 0.5).abs()).fold(0.0, f32::max);
        if gone > 0.0 && gone.is_finite() {
            way += gone;
            edges += edge;
        }
    }
    (edges > 0.0 && edges.is_finite() && way.is_finite()).then(|| way / edges)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Filter;

    fn table(boxes: &[Aabb<3>]) -> Table<3> {
        let entries = boxes.iter().map(|aabb| Some((*aabb, Filter::default())));
        Table::from_boxes(entries, &[]).expect("they are good")
    }

    fn cube(at: [f32; 3], edge: f32) -> Aabb<3> {
        Aabb::new(at, at.map(|c| c + edge))
    }

    /// Cubes of edge 1, ten apart, in a block.
    fn block(each: [usize; 3]) -> Vec<Aabb<3>> {
        let place = |k: usize| [k % each[0], k / each[0] % each[1], k / each[0] / each[1]];
        (0..each.iter().product::<usize>()).map(|k| cube(place(k).map(|c| 10.0 * c as f32), 1.0)).collect()
    }

    #[test]
    fn a_row_of_cubes_has_one_good_axis() {
        let features = Features::of(&table(&block([60, 1, 1])), 7);
        assert_eq!((features.boxes, features.moving, features.motion), (60.0, 7.0, UNKNOWN_MOTION));
        // 60 places ten apart and an edge: a cube takes 1 of 591.
        assert!((features.best_part - 1.0 / 591.0).abs() < 1e-6, "{features:?}");
        assert_eq!((features.worst_part, features.size_ratio), (1.0, 1.0));
        // Two edges of 591, for 60 boxes.
        assert!((features.crowding - 60.0 * 2.0 / 591.0).abs() < 1e-4, "{features:?}");
    }

    #[test]
    fn crowds_are_seen_however_they_lie() {
        let even = Features::of(&table(&block([4, 4, 4])), 64);
        let heap = Features::of(&table(&vec![cube([0.0; 3], 1.0); 64]), 64);
        assert!(even.crowding < 64.0 * 0.01, "{even:?}");
        assert!(heap.crowding > 60.0 && heap.best_part >= 0.45, "{heap:?}");
    }

    #[test]
    fn sizes_are_compared_with_their_mean() {
        let mut boxes = block([5, 4, 1]);
        boxes[7] = cube([0.0; 3], 21.0); // 20 boxes: all of them are in the sample
        let features = Features::of(&table(&boxes), 1);
        assert!((features.size_ratio - 21.0 / 2.0).abs() < 1e-5, "19 edges of 1 and one of 21: {features:?}");
    }

    #[test]
    fn the_first_of_many_is_not_taken_for_typical() {
        let mut boxes = block([10, 10, 10]);
        let without = Features::of(&table(&boxes), 1);
        boxes[0] = cube([0.0; 3], 50.0);
        assert_eq!(Features::of(&table(&boxes), 1), without);
    }

    #[test]
    fn motion_is_measured_in_edges() {
        let now = table(&[cube([0.5, 0.0, 0.0], 2.0), cube([0.0, 9.0, 1.0], 2.0), cube([5.0; 3], 2.0)]);
        let rested = (2, cube([5.0; 3], 2.0));
        let earlier =
            [(0, cube([0.0; 3], 2.0)), (1, cube([0.0, 9.0, 0.5], 2.0)), rested, (9, cube([0.0; 3], 1.0))];
        let way = motion(&now, &earlier).expect("two moved");
        assert!((way - 0.25).abs() < 1e-6, "box 2 rested, id 9 is no longer there: {way}");
        assert_eq!((motion(&now, &[]), motion(&now, &[rested])), (None, None));
    }

    #[test]
    fn infinite_flat_and_no_boxes_give_numbers() {
        let plane = Aabb { min: [f32::NEG_INFINITY; 3], max: [f32::INFINITY, 0.0, f32::INFINITY] };
        let all = Aabb { min: [f32::NEG_INFINITY; 3], max: [f32::INFINITY; 3] };
        let point = cube([1.0; 3], 0.0);
        let huge = Aabb { min: [-3e38; 3], max: [3e38; 3] };
        for boxes in [vec![], vec![plane], vec![all, all], vec![point; 70], vec![huge, point, plane, all]] {
            let table = table(&boxes);
            let features = Features::of(&table, boxes.len());
            let Features { boxes, moving, best_part, worst_part, crowding, size_ratio, .. } = features;
            let numbers = [boxes, moving, best_part, worst_part, crowding, size_ratio];
            assert!(numbers.iter().all(|number| number.is_finite()), "{features:?}");
            assert!(motion(&table, &[(0, all), (1, huge), (2, point)]).is_none_or(f32::is_finite));
        }
    }
}
