//! Building the tree from the top down.
//!
//! A set is cut in two where the surface area heuristic finds the cheapest cut among [`BINS`] slices of its centres
//! (binned as by Wald, "On fast Construction of SAH-based Bounding Volume Hierarchies"), and the halves again, until there
//! are four: a node. Cuts that would make the tree too deep, and sets whose centres coincide, are cut in the middle
//! instead. Everything is decided by the boxes and their order in the list, so that equal input gives an equal tree.
//!
//! Always cutting the largest of the sets, rather than each half once, gave no faster queries.

use wide::f32x4;

use super::{Bvh, Child, LEAF, MAX_DEPTH, Node};
use crate::bounds::Aabb;

/// Slices a cut is chosen among.
const BINS: usize = 16;

/// A box with the number of its triangle; four lanes for speed.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Item {
    /// Lowest corner. The fourth lane holds the bits of the number: it is carried along, never computed with.
    low: f32x4,
    high: f32x4,
}

impl Item {
    pub(in super::super) fn new(index: u32, bounds: &Aabb<3>) -> Self {
        let ([a, b, c], [d, e, f]) = (bounds.min, bounds.max);
        Self { low: f32x4::new([a, b, c, f32::from_bits(index)]), high: f32x4::new([d, e, f, 0.0]) }
    }

    pub(in super::super) fn index(&self) -> u32 {
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
}

impl Bvh {
    /// Builds the tree and brings the items into the order of its leaves. There must be at least one and at most
    /// [`MAX_TRIANGLES`](super::super::MAX_TRIANGLES).
    pub(in super::super) fn build(items: &mut [Item]) -> Self {
        let all = Set::of(items, 0, items.len());
        let mut builder = Builder { items, nodes: Vec::new(), depth: 0 };
        builder.node(&all, MAX_DEPTH);
        Self { bounds: all.bounds.to_aabb(), nodes: builder.nodes, depth: builder.depth }
    }
}

struct Builder<'a> {
    items: &'a mut [Item],
    nodes: Vec<Node>,
    depth: usize,
}

/// Most triangles a subtree of `levels` nodes can hold.
fn capacity(levels: usize) -> usize {
    LEAF << (2 * levels)
}

impl Builder<'_> {
    /// Appends the node over a set and everything below; `levels` nodes may lie on the path, and the set fits them.
    fn node(&mut self, set: &Set, levels: usize) -> usize {
        self.depth = self.depth.max(MAX_DEPTH + 1 - levels);
        let index = self.nodes.len();
        self.nodes.push(Node::empty());
        let mut parts = self.quarter(set, false);
        if parts.iter().flatten().any(|part| part.len() > capacity(levels - 1)) {
            parts = self.quarter(set, true);
        }
        for (lane, part) in parts.iter().flatten().enumerate() {
            let child = if part.len() <= LEAF {
                Child::leaf(part.start, part.len())
            } else {
                Child::node(self.node(part, levels - 1))
            };
            self.nodes[index].set(lane, &part.bounds.to_aabb(), child);
        }
        index
    }

    /// Cuts a set into up to four, at the best places or in the middle.
    fn quarter(&mut self, set: &Set, middle: bool) -> [Option<Set>; 4] {
        if set.len() <= LEAF {
            return [Some(*set), None, None, None];
        }
        let (left, right) = self.cut(set, middle);
        let mut parts = [None; 4];
        for (k, half) in [left, right].into_iter().enumerate() {
            if half.len() <= LEAF {
                parts[2 * k] = Some(half);
            } else {
                let (a, b) = self.cut(&half, middle);
                (parts[2 * k], parts[2 * k + 1]) = (Some(a), Some(b));
            }
        }
        parts
    }

    /// Cuts a set of at least two in two, neither empty.
    fn cut(&mut self, set: &Set, middle: bool) -> (Set, Set) {
        let sizes = (set.centres.high - set.centres.low).to_array();
        let axis = if sizes[0] >= sizes[1] && sizes[0] >= sizes[2] {
            0
        } else if sizes[1] >= sizes[2] {
            1
        } else {
            2
        };
        if set.len() == 2 {
            return (
                Set::of(self.items, set.start, set.start + 1),
                Set::of(self.items, set.start + 1, set.end),
            );
        }
        let slices = Slices::new(set, axis, sizes[axis]);
        let best = if middle { None } else { slices.and_then(|s| s.best(&self.items[set.start..set.end])) };
        match (slices, best) {
            (Some(slices), Some(first_right)) => self.partition(set, &slices, first_right),
            _ => self.halve(set, axis),
        }
    }

    /// Moves the items of slices before `first_right` to the front.
    fn partition(&mut self, set: &Set, slices: &Slices, first_right: usize) -> (Set, Set) {
        let empty = Set { start: set.start, end: set.end, bounds: Bounds::EMPTY, centres: Bounds::EMPTY };
        let (mut left, mut right) = (empty, empty);
        let (mut front, mut back) = (set.start, set.end);
        while front < back {
            let item = self.items[front];
            let centre = item.centre();
            let side = if slices.slice(centre) < first_right {
                front += 1;
                &mut left
            } else {
                back -= 1;
                self.items.swap(front, back);
                &mut right
            };
            side.bounds.add(item.low, item.high);
            side.centres.add(centre, centre);
        }
        (left.end, right.start) = (front, front);
        (left, right)
    }

    /// Half of the items on either side of the middle along an axis.
    fn halve(&mut self, set: &Set, axis: usize) -> (Set, Set) {
        let middle = set.start + set.len() / 2;
        let key = |item: &Item| (item.centre().to_array()[axis], item.index());
        self.items[set.start..set.end].sort_unstable_by(|a, b| {
            let ((a, i), (b, j)) = (key(a), key(b));
            a.total_cmp(&b).then(i.cmp(&j))
        });
        (Set::of(self.items, set.start, middle), Set::of(self.items, middle, set.end))
    }
}

/// Equal slices of the centres of a set.
#[derive(Clone, Copy)]
struct Slices {
    axis: usize,
    low: f32,
    per_length: f32,
    count: usize,
}

impl Slices {
    /// `None` if the centres coincide, or differ by too little or too much for the arithmetic.
    fn new(set: &Set, axis: usize, size: f32) -> Option<Self> {
        let count = set.len().clamp(4, BINS);
        let per_length = count as f32 / size;
        (per_length > 0.0 && per_length.is_finite()).then(|| Self {
            axis,
            low: set.centres.low.to_array()[axis],
            per_length,
            count,
        })
    }

    #[inline]
    fn slice(&self, centre: f32x4) -> usize {
        let place = (centre.to_array()[self.axis] - self.low) * self.per_length;
        (place as usize).min(self.count - 1)
    }

    /// The cheapest cut as the first slice on its right side; `None` if no cut has items on both sides.
    fn best(&self, items: &[Item]) -> Option<usize> {
        let mut bins = [(Bounds::EMPTY, 0u32); BINS];
        for item in items {
            let bin = &mut bins[self.slice(item.centre())];
            bin.0.add(item.low, item.high);
            bin.1 += 1;
        }
        let mut right_costs = [0.0; BINS];
        let (mut bounds, mut count) = (Bounds::EMPTY, 0);
        for k in (1..self.count).rev() {
            bounds.add(bins[k].0.low, bins[k].0.high);
            count += bins[k].1;
            right_costs[k] = bounds.area() * count as f32;
        }
        let (mut best, mut best_cost) = (None, f32::INFINITY);
        (bounds, count) = (Bounds::EMPTY, 0);
        for k in 1..self.count {
            bounds.add(bins[k - 1].0.low, bins[k - 1].0.high);
            count += bins[k - 1].1;
            let cost = bounds.area() * count as f32 + right_costs[k];
            if count > 0 && (count as usize) < items.len() && cost < best_cost {
                (best, best_cost) = (Some(k), cost);
            }
        }
        best
    }
}
