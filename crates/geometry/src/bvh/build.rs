//! Building the tree from the top down.
//!
//! A set is cut in two where the surface area heuristic finds the cheapest cut among [`BINS`]
//! slices of its centres (binned as by Wald, "On fast Construction of SAH-based Bounding Volume
//! Hierarchies"), the larger part again, until there are four: a node. Sets of up to [`SMALL`] are
//! sorted and cut where full nodes remain, which saves a third of the nodes. Cuts that would make
//! the tree too deep, and sets whose centres coincide, are cut in the middle instead. Everything is
//! decided by the boxes and their order in the list, so that equal input gives an equal tree.

use std::cmp::Ordering;

use carom_core::simd::f32x4;

use super::{Bvh, Child, MAX_DEPTH, Node};
use crate::bounds::Aabb;

/// Slices a cut is chosen among.
const BINS: usize = 16;
/// Sets up to this size are cut exactly.
const SMALL: usize = 16;
/// Children of a node.
const WIDTH: usize = 4;

/// A box with the number of its item; four lanes for speed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item {
    /// Lowest corner. The fourth lane holds the bits of the number: it is carried along, never
    /// computed with.
    low: f32x4,
    high: f32x4,
}

impl Item {
    pub(crate) fn new(index: u32, bounds: &Aabb<3>) -> Self {
        let ([a, b, c], [d, e, f]) = (bounds.min, bounds.max);
        Self { low: f32x4::new([a, b, c, f32::from_bits(index)]), high: f32x4::new([d, e, f, 0.0]) }
    }

    pub(crate) fn index(&self) -> u32 {
        self.low.to_array()[3].to_bits()
    }

    /// Twice the centre, or rather half of it twice: no overflow.
    #[inline]
    fn centre(&self) -> f32x4 {
        self.low * f32x4::HALF + self.high * f32x4::HALF
    }
}

/// A growing box; the fourth lane is noise.
#[derive(Clone, Copy)]
struct Bounds {
    low: f32x4,
    high: f32x4,
}

impl Bounds {
    const EMPTY: Self =
        Self { low: f32x4::new([f32::INFINITY; 4]), high: f32x4::new([f32::NEG_INFINITY; 4]) };

    #[inline]
    fn add(&mut self, low: f32x4, high: f32x4) {
        self.low = self.low.fast_min(low);
        self.high = self.high.fast_max(high);
    }

    /// Half of the surface; 0 if nothing was added.
    #[inline]
    fn area(&self) -> f32 {
        let [x, y, z, _] = (self.high - self.low).to_array();
        if x < 0.0 { 0.0 } else { x * y + y * z + z * x }
    }

    fn to_aabb(self) -> Aabb<3> {
        let ([a, b, c, _], [d, e, f, _]) = (self.low.to_array(), self.high.to_array());
        Aabb::new([a, b, c], [d, e, f])
    }
}

/// A run of items with the boxes around them and around their centres.
#[derive(Clone, Copy)]
struct Set {
    start: usize,
    end: usize,
    bounds: Bounds,
    centres: Bounds,
}

impl Set {
    fn of(items: &[Item], start: usize, end: usize) -> Self {
        let mut set = Self { start, end, bounds: Bounds::EMPTY, centres: Bounds::EMPTY };
        for item in &items[start..end] {
            set.bounds.add(item.low, item.high);
            set.centres.add(item.centre(), item.centre());
        }
        set
    }

    fn len(&self) -> usize {
        self.end - self.start
    }

    /// Is this the part to cut next? The one with the larger box, which is met more often; with
    /// `middle` or between equal boxes the one with more items.
    fn precedes(&self, other: &Self, middle: bool) -> Ordering {
        let (mine, theirs) = if middle { (0.0, 0.0) } else { (self.bounds.area(), other.bounds.area()) };
        mine.total_cmp(&theirs).then(self.len().cmp(&other.len()))
    }
}

impl Bvh {
    /// Builds the tree and brings the items into the order of its leaves. There must be at least
    /// one and at most [`MAX_TRIANGLES`](crate::mesh::MAX_TRIANGLES).
    pub(crate) fn build(items: &mut [Item]) -> Self {
        let all = Set::of(items, 0, items.len());
        let mut builder = Builder {
            spare: items.to_vec(),
            nodes: Vec::with_capacity(items.len() * 2 / 5 + 1),
            items,
            depth: 0,
        };
        builder.node(&all, MAX_DEPTH);
        Self { bounds: all.bounds.to_aabb(), nodes: builder.nodes, depth: builder.depth }
    }
}

struct Builder<'a> {
    items: &'a mut [Item],
    /// Room for as many again.
    spare: Vec<Item>,
    nodes: Vec<Node>,
    depth: usize,
}

/// Most items a subtree of `levels` nodes can hold.
fn capacity(levels: usize) -> usize {
    1 << (2 * levels)
}

/// Up to four sets, in the order of the list.
type Parts = ([Set; WIDTH], usize);

impl Builder<'_> {
    /// Appends the node over a set and everything below; `levels` nodes may lie on the path, and
    /// the set fits them.
    fn node(&mut self, set: &Set, levels: usize) -> usize {
        self.depth = self.depth.max(MAX_DEPTH + 1 - levels);
        let index = self.nodes.len();
        self.nodes.push(Node::empty());
        let mut parts = self.quarter(set, false);
        if parts.0[..parts.1].iter().any(|part| part.len() > capacity(levels - 1)) {
            parts = self.quarter(set, true);
        }
        for (lane, part) in parts.0[..parts.1].iter().enumerate() {
            let child = if part.len() == 1 {
                Child::leaf(part.start)
            } else {
                Child::node(self.node(part, levels - 1))
            };
            self.nodes[index].set(lane, &part.bounds.to_aabb(), child);
        }
        index
    }

    /// Cuts a set into up to four, at the best places or in the middle.
    fn quarter(&mut self, set: &Set, middle: bool) -> Parts {
        let mut parts = ([*set; WIDTH], 1);
        while parts.1 < WIDTH {
            let (list, count) = parts;
            let free = WIDTH - count;
            let large = (0..count)
                .filter(|k| list[*k].len() > WIDTH)
                .max_by(|a, b| list[*a].precedes(&list[*b], middle));
            // What is left over becomes single items if there is room for all of it.
            let small = || {
                (0..count).filter(|k| (2..=free + 1).contains(&list[*k].len())).min_by_key(|k| list[*k].len())
            };
            let Some(at) = large.or_else(small) else { break };
            let (left, right) = self.cut(&list[at], middle);
            parts.0.copy_within(at..count, at + 1);
            (parts.0[at], parts.0[at + 1], parts.1) = (left, right, count + 1);
        }
        parts
    }

    /// Cuts a set of at least two in two, neither empty.
    fn cut(&mut self, set: &Set, middle: bool) -> (Set, Set) {
        if set.len() <= WIDTH {
            return self.split(set, set.start + 1);
        }
        let sizes = (set.centres.high - set.centres.low).to_array();
        let axis = if sizes[0] >= sizes[1] && sizes[0] >= sizes[2] {
            0
        } else if sizes[1] >= sizes[2] {
            1
        } else {
            2
        };
        if middle {
            return self.halve(set, axis);
        }
        if set.len() <= SMALL {
            return self.cut_small(set, axis);
        }
        let slices = Slices::new(set, axis, sizes[axis]);
        match slices.and_then(|s| Some((s, s.best(&self.items[set.start..set.end])?))) {
            Some((slices, (first_right, sides))) => self.partition(set, &slices, first_right, &sides),
            None => self.halve(set, axis),
        }
    }

    fn split(&self, set: &Set, at: usize) -> (Set, Set) {
        (Set::of(self.items, set.start, at), Set::of(self.items, at, set.end))
    }

    /// Cuts a small set at the cheapest place that leaves a multiple of four on one side.
    fn cut_small(&mut self, set: &Set, axis: usize) -> (Set, Set) {
        self.sort(set, axis);
        let count = set.len();
        let items = &self.items[set.start..set.end];
        let mut right_areas = [0.0; SMALL];
        let mut bounds = Bounds::EMPTY;
        for k in (1..count).rev() {
            bounds.add(items[k].low, items[k].high);
            right_areas[k] = bounds.area();
        }
        let (mut best, mut best_cost) = (WIDTH, f32::INFINITY);
        bounds = Bounds::EMPTY;
        for k in 1..count {
            bounds.add(items[k - 1].low, items[k - 1].high);
            let cost = bounds.area() * k as f32 + right_areas[k] * (count - k) as f32;
            if (k.is_multiple_of(WIDTH) || (count - k).is_multiple_of(WIDTH)) && cost < best_cost {
                (best, best_cost) = (k, cost);
            }
        }
        self.split(set, set.start + best)
    }

    /// Moves the items of slices before `first_right` to the front, keeping the order on both
    /// sides.
    fn partition(&mut self, set: &Set, slices: &Slices, first_right: usize, sides: &[Bin; 2]) -> (Set, Set) {
        let items = &mut self.items[set.start..set.end];
        let others = &mut self.spare[..items.len()];
        let (mut left, mut right) = (0, 0);
        // Each item is written to both sides and only one moves on: which one is hard to foretell,
        // and a wrong guess of the processor would cost more than the store.
        for k in 0..items.len() {
            let item = items[k];
            let to_left = slices.slice(item.centre()) < first_right;
            items[left] = item;
            others[right] = item;
            left += usize::from(to_left);
            right += usize::from(!to_left);
        }
        items[left..].copy_from_slice(&others[..right]);
        let middle = set.start + left;
        let side =
            |k: usize, start, end| Set { start, end, bounds: sides[k].bounds, centres: sides[k].centres };
        (side(0, set.start, middle), side(1, middle, set.end))
    }

    /// Half of the items on either side of the middle along an axis.
    fn halve(&mut self, set: &Set, axis: usize) -> (Set, Set) {
        self.sort(set, axis);
        self.split(set, set.start + set.len() / 2)
    }

    /// Sorts by the centres along an axis, equal ones by number.
    fn sort(&mut self, set: &Set, axis: usize) {
        let key = |item: &Item| (item.centre().to_array()[axis], item.index());
        self.items[set.start..set.end].sort_unstable_by(|a, b| {
            let ((a, i), (b, j)) = (key(a), key(b));
            a.total_cmp(&b).then(i.cmp(&j))
        });
    }
}

/// Equal slices of the centres of a set.
#[derive(Clone, Copy)]
struct Slices {
    axis: usize,
    low: f32x4,
    /// Slices per length along the axis, 0 along the others.
    density: f32x4,
}

/// What falls into a slice.
#[derive(Clone, Copy)]
struct Bin {
    bounds: Bounds,
    centres: Bounds,
    count: u32,
}

impl Bin {
    const EMPTY: Self = Self { bounds: Bounds::EMPTY, centres: Bounds::EMPTY, count: 0 };

    fn join(&mut self, other: &Self) {
        self.bounds.add(other.bounds.low, other.bounds.high);
        self.centres.add(other.centres.low, other.centres.high);
        self.count += other.count;
    }
}

impl Slices {
    /// `None` if the centres coincide, or differ by too little or too much for the arithmetic.
    fn new(set: &Set, axis: usize, size: f32) -> Option<Self> {
        let density = BINS as f32 / size;
        let mut lanes = [0.0; 4];
        lanes[axis] = density;
        (density > 0.0 && density.is_finite()).then(|| Self {
            axis,
            low: set.centres.low,
            density: f32x4::new(lanes),
        })
    }

    #[inline]
    fn slice(&self, centre: f32x4) -> usize {
        // From 0 to the number of slices, which the highest centre reaches.
        let place = ((centre - self.low) * self.density).fast_trunc_int().to_array()[self.axis];
        (place as usize).min(BINS - 1)
    }

    /// The cheapest cut: the first slice on its right side, and the two sides; `None` if no cut has
    /// items on both.
    fn best(&self, items: &[Item]) -> Option<(usize, [Bin; 2])> {
        let mut bins = [Bin::EMPTY; BINS];
        for item in items {
            let centre = item.centre();
            let bin = &mut bins[self.slice(centre)];
            bin.bounds.add(item.low, item.high);
            bin.centres.add(centre, centre);
            bin.count += 1;
        }
        let mut rights = [Bin::EMPTY; BINS];
        let mut side = Bin::EMPTY;
        for k in (1..BINS).rev() {
            side.join(&bins[k]);
            rights[k] = side;
        }
        let (mut best, mut best_cost) = (None, f32::INFINITY);
        side = Bin::EMPTY;
        for k in 1..BINS {
            side.join(&bins[k - 1]);
            let cost =
                side.bounds.area() * side.count as f32 + rights[k].bounds.area() * rights[k].count as f32;
            if side.count > 0 && rights[k].count > 0 && cost < best_cost {
                (best, best_cost) = (Some((k, [side, rights[k]])), cost);
            }
        }
        best
    }
}
