//! Building trees.
//!
//! Lists of boxes wait in one array used as a stack: those of the children of a node lie on top of
//! its own, the first child's uppermost, and are dropped when it is done. The memory is that of the
//! pending lists and is kept for the next tree. Nothing recurses.
//!
//! Three guards end the cutting besides [`Limits`]: a cut must make progress, that is the boxes of
//! the children must be clearly cheaper to compare than those of the node ([`worth`]); all lists
//! together must not exceed a multiple of the boxes; and boxes that would stand in too many leaves
//! are taken out before ([`Builder::set_apart`]).

use carom_geometry::Aabb;

use super::bsp::Planes;
use super::cut::best_cut;
use super::loose;
use super::tree::{CellTree, Kind, Limits, Node};
use crate::grid::{Crowd, SpatialOrder};
use crate::table::BoxError;
use crate::{Bound, Table};

/// Entries per box at most, over all leaves and pending lists.
const ENTRIES_PER_BOX: usize = 16;
/// A box that would stand in more leaves stands apart.
const MOST_LEAVES: f32 = 64.0;
/// Tries of the bisection per axis.
const MOST_TRIES: u32 = 16;
/// Children whose bit for an axis is not set.
const LOW: [u8; 3] = [0b0101_0101, 0b0011_0011, 0b0000_1111];

/// A node yet to be made: its list is a piece of the arena.
#[derive(Clone, Copy, Debug)]
struct Task<const D: usize> {
    cell: Aabb<D>,
    /// The finite part of the cell in which cuts are looked for.
    region: Aabb<D>,
    start: usize,
    end: usize,
    depth: u32,
}

/// Memory for building trees.
#[derive(Clone, Debug, Default)]
pub(super) struct Builder<const D: usize> {
    arena: Vec<u32>,
    stack: Vec<Task<D>>,
    /// For each box of the list at hand, the children it goes to.
    sides: Vec<u8>,
    values: Vec<f32>,
    crowd: Crowd,
    order: SpatialOrder<D>,
    all: Vec<u32>,
    planes: Planes<D>,
    sorter: loose::Sorter,
}

impl<const D: usize> CellTree<D> {
    /// Builds a tree over boxes; their ids are their indices.
    ///
    /// # Errors
    /// If a box is NaN or inverted on some axis.
    pub fn build(kind: Kind, boxes: &[Aabb<D>], limits: Limits) -> Result<Self, BoxError> {
        boxes.iter().enumerate().try_for_each(|(id, aabb)| crate::table::check(id as u32, aabb))?;
        let mut tree = Self::empty(kind, limits);
        tree.boxes.extend_from_slice(boxes);
        tree.ids.extend(0..boxes.len() as u32);
        Builder::default().cut(&mut tree, |at| Bound::of_box(&boxes[at as usize]));
        Ok(tree)
    }

    /// Builds a tree over the boxes of a space, with their ids and tighter volumes.
    #[must_use]
    pub fn of_table(kind: Kind, table: &Table<D>, limits: Limits) -> Self {
        let mut tree = Self::empty(kind, limits);
        tree.ids.extend(table.ids());
        tree.boxes.extend(table.ids().map(|id| *table.aabb(id)));
        let ids = tree.ids.clone();
        Builder::default().cut(&mut tree, |at| table.bound(ids[at as usize]));
        tree
    }
}

impl<const D: usize> Builder<D> {
    /// Rebuilds the tree for the boxes of a table. Its ids are not ascending: it is not for
    /// files.
    pub(super) fn follow(&mut self, tree: &mut CellTree<D>, table: &Table<D>) {
        tree.ids.clear();
        tree.boxes.clear();
        self.order.sort(table.boxes(), table.ids(), &mut tree.boxes, &mut tree.ids);
        let mut ids = std::mem::take(&mut tree.ids);
        self.cut(tree, |at| table.bound(ids[at as usize]));
        std::mem::swap(&mut tree.ids, &mut ids);
    }

    pub(super) fn bytes(&self) -> usize {
        (self.arena.capacity() + self.all.capacity() + self.values.capacity()) * size_of::<u32>()
            + self.stack.capacity() * size_of::<Task<D>>()
            + self.sides.capacity()
            + self.crowd.bytes()
            + self.order.bytes()
            + self.planes.bytes()
            + self.sorter.bytes()
    }

    /// Builds the nodes over `tree.boxes`. `bound` gives the oriented boxes, for planes.
    fn cut(&mut self, tree: &mut CellTree<D>, bound: impl Fn(u32) -> Option<Bound>) {
        tree.nodes.clear();
        tree.items.clear();
        tree.large.clear();
        self.set_apart(tree);
        let region = self.region(tree);
        if tree.kind.is_loose() {
            self.sorter.build(tree, &region, &self.all);
        } else {
            if tree.kind == Kind::Bsp {
                self.planes.take(tree.boxes.len(), &self.all, bound);
            }
            self.cut_cells(tree, region);
        }
        tree.finish();
    }

    /// Where most boxes are; a cube for trees that halve.
    fn region(&mut self, tree: &CellTree<D>) -> Aabb<D> {
        let mut region = self.crowd.locate(&tree.boxes, &self.all);
        if matches!(tree.kind, Kind::KdTree | Kind::BinaryKdTree | Kind::Bsp) {
            return region;
        }
        let edge = (0..D).fold(0.0f32, |edge, k| edge.max(region.max[k] - region.min[k]));
        for k in 0..D {
            region.max[k] = region.min[k] + edge;
        }
        region
    }

    /// Moves boxes that would stand in very many leaves to `large`, the others to `self.all`.
    fn set_apart(&mut self, tree: &mut CellTree<D>) {
        self.all.clear();
        let finite = |aabb: &Aabb<D>| aabb.min.iter().chain(&aabb.max).all(|c| c.is_finite());
        for (at, aabb) in tree.boxes.iter().enumerate() {
            if finite(aabb) { &mut self.all } else { &mut tree.large }.push(at as u32);
        }
        if tree.kind.is_loose() || self.all.is_empty() {
            return;
        }
        let crowd = self.crowd.locate(&tree.boxes, &self.all);
        let axes = tree.kind.axes::<D>();
        let leaves = 2 * self.all.len() / tree.limits.leaf as usize;
        let mut per_axis = 1usize;
        while per_axis.saturating_pow(axes.len() as u32) < leaves {
            per_axis += 1;
        }
        let leaves_of = |aabb: &Aabb<D>| {
            axes.iter().fold(1.0, |leaves, &k| {
                let (low, high) = (aabb.min[k].max(crowd.min[k]), aabb.max[k].min(crowd.max[k]));
                let share = (high - low) / (crowd.max[k] - crowd.min[k]);
                // Outside the crowd, or in a crowd without width: one.
                leaves * if share > 0.0 { 1.0 + share * per_axis as f32 } else { 1.0 }
            })
        };
        let large = &mut tree.large;
        self.all.retain(|&at| {
            let stays = leaves_of(&tree.boxes[at as usize]) <= MOST_LEAVES;
            if !stays {
                large.push(at);
            }
            stays
        });
        large.sort_unstable();
    }

    fn cut_cells(&mut self, tree: &mut CellTree<D>, region: Aabb<D>) {
        self.arena.clear();
        self.arena.extend_from_slice(&self.all);
        let end = self.arena.len();
        self.stack.clear();
        self.stack.push(Task { cell: Aabb::EVERYTHING, region, start: 0, end, depth: 0 });
        let most_entries = ENTRIES_PER_BOX * self.all.len() + 1024;
        while let Some(task) = self.stack.pop() {
            self.arena.truncate(task.end);
            let node = tree.nodes.len();
            tree.nodes.push(Node::new(task.cell, task.depth));
            let count = task.end - task.start;
            let may_cut = count > tree.limits.leaf as usize && task.depth < tree.limits.depth;
            let room = most_entries.saturating_sub(tree.items.len() + task.end);
            if !(may_cut && self.split(tree, node, &task, room)) {
                if count > 0 {
                    tree.nodes[node].first = tree.items.len() as u32;
                }
                tree.nodes[node].count = count as u32;
                tree.items.extend_from_slice(&self.arena[task.start..task.end]);
            }
        }
    }

    /// Cuts a node, if that is of use and the lists of its children have no more than `room`
    /// entries.
    fn split(&mut self, tree: &mut CellTree<D>, node: usize, task: &Task<D>, room: usize) -> bool {
        let list = &self.arena[task.start..task.end];
        let boxes = &tree.boxes;
        let halving = matches!(tree.kind, Kind::Quadtree | Kind::Octree);
        let (mut cut, mut offset) = ([0.0; D], 0.0);
        let mut axes = tree.kind.axes::<D>();
        self.sides.clear();
        if tree.kind == Kind::Bsp {
            let Some(plane) = self.planes.choose(list) else { return false };
            (cut, offset) = (plane.normal, plane.offset);
            self.sides.extend(list.iter().map(|&at| self.planes.sides(at, &plane)));
            axes = &[0];
        } else {
            if tree.kind == Kind::BinaryKdTree {
                let (axis, at) = median(list, boxes, &mut self.values);
                axes = &[[0], [1], [2]][axis];
                cut[axis] = at;
            } else {
                for &k in axes {
                    cut[k] = if halving {
                        halfway(&task.region, k)
                    } else {
                        density_cut(list, boxes, &task.region, k)
                    };
                }
            }
            self.sides.extend(list.iter().map(|&at| sides_of(&boxes[at as usize], axes, &cut)));
        }
        let children = 1 << axes.len();
        let mut counts = [0usize; 8];
        for &sides in &self.sides {
            (0..children).for_each(|child| counts[child] += usize::from(sides >> child & 1));
        }
        let total: usize = counts.iter().sum();
        if total > room || !worth(list.len(), &counts, halving) {
            return false;
        }
        let mut next = [0; 8];
        let mut begin = task.end;
        // The last child's list lowest, so that the first child's is on top.
        for child in (0..children).rev() {
            next[child] = begin;
            let (mut cell, mut region) = (task.cell, task.region);
            if tree.kind != Kind::Bsp {
                for (bit, &k) in axes.iter().enumerate() {
                    if child >> bit & 1 == 0 {
                        (cell.max[k], region.max[k]) = (cut[k], cut[k]);
                    } else {
                        (cell.min[k], region.min[k]) = (cut[k], cut[k]);
                    }
                }
            }
            let (start, end) = (begin, begin + counts[child]);
            self.stack.push(Task { cell, region, start, end, depth: task.depth + 1 });
            begin = end;
        }
        self.arena.resize(begin, 0);
        for (index, &sides) in self.sides.iter().enumerate() {
            let item = self.arena[task.start + index];
            for child in (0..children).filter(|child| sides >> child & 1 == 1) {
                self.arena[next[child]] = item;
                next[child] += 1;
            }
        }
        if tree.kind == Kind::BinaryKdTree {
            offset = cut[axes[0]];
            cut = [0.0; D];
            cut[axes[0]] = 1.0;
        }
        (tree.nodes[node].cut, tree.nodes[node].offset) = (cut, offset);
        true
    }
}

/// Is the cut of a list into lists of these lengths of use? The tests of all against all must
/// become clearly fewer. A tree that halves space may also go on where nearly all boxes are on one
/// side, as long as few are on both: they may be far from the cut, and the depth is limited.
fn worth(count: usize, counts: &[usize; 8], halving: bool) -> bool {
    let square = |n: usize| (n as f64) * (n as f64);
    let tests: f64 = counts.iter().map(|&n| square(n)).sum();
    let doubles = counts.iter().sum::<usize>() - count;
    tests < 0.9 * square(count) || (halving && doubles <= count / 8)
}

/// The children that a box goes to.
fn sides_of<const D: usize>(aabb: &Aabb<D>, axes: &[usize], cut: &[f32; D]) -> u8 {
    axes.iter().zip(LOW).fold(u8::MAX, |sides, (&k, low)| {
        let below = if aabb.min[k] < cut[k] { low } else { 0 };
        let above = if aabb.max[k] >= cut[k] { !low } else { 0 };
        sides & (below | above)
    })
}

fn halfway<const D: usize>(region: &Aabb<D>, k: usize) -> f32 {
    0.5 * region.min[k] + 0.5 * region.max[k]
}

fn centre<const D: usize>(aabb: &Aabb<D>, k: usize) -> f32 {
    0.5 * aabb.min[k] + 0.5 * aabb.max[k]
}

/// The cut with half of the centres on each side.
fn density_cut<const D: usize>(list: &[u32], boxes: &[Aabb<D>], region: &Aabb<D>, k: usize) -> f32 {
    let below = |at: f64| {
        let at = at as f32;
        list.iter().filter(|&&item| centre(&boxes[item as usize], k) < at).count()
    };
    best_cut(f64::from(region.min[k]), f64::from(region.max[k]), list.len(), below, MOST_TRIES).at as f32
}

/// The axis on which the centres spread most, and their median there.
fn median<const D: usize>(list: &[u32], boxes: &[Aabb<D>], values: &mut Vec<f32>) -> (usize, f32) {
    let mut widest = (0, -1.0);
    for k in 0..D {
        let (mut low, mut high) = (f32::INFINITY, f32::NEG_INFINITY);
        for &item in list {
            let at = 0.25 * centre(&boxes[item as usize], k);
            low = low.min(at);
            high = high.max(at);
        }
        if high - low > widest.1 {
            widest = (k, high - low);
        }
    }
    values.clear();
    values.extend(list.iter().map(|&item| centre(&boxes[item as usize], widest.0)));
    let half = values.len() / 2;
    let (_, median, _) = values.select_nth_unstable_by(half, f32::total_cmp);
    (widest.0, *median)
}
