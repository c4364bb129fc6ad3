//! Loose trees: each box in the one cell of its size that its centre is in.
//!
//! Cells are doubled, so that a box of at most the size of a cell is inside the doubled cell
//! wherever in the cell its centre is (Ulrich, *Loose octrees*, Game Programming Gems, 2000). Boxes
//! are sorted by the path to their cell, its bits interleaved from the root down; nodes then are
//! runs of the sorted list, made from the top. A node is made only where boxes are or where paths
//! part, so a lone small box costs one node, not a chain of them.

use carom_geometry::Aabb;

use super::tree::{CellTree, Limits, Node};

/// Bits of a key for the depth of a cell.
const DEPTH_BITS: u32 = 5;

#[derive(Clone, Copy, Debug)]
struct Task {
    start: usize,
    end: usize,
    depth: u32,
}

/// Memory for sorting.
#[derive(Clone, Debug, Default)]
pub(super) struct Sorter {
    /// (path from the root in the highest bits, depth of the cell), index of the box.
    keys: Vec<(u64, u32)>,
    stack: Vec<Task>,
}

impl Sorter {
    /// Builds the nodes over the boxes of `list`; `region` is a cube.
    pub(super) fn build<const D: usize>(&mut self, tree: &mut CellTree<D>, region: &Aabb<D>, list: &[u32]) {
        let axes = tree.kind.axes::<D>();
        let deepest = tree.limits.depth.min(Limits::DEEPEST_LOOSE);
        let edge = axes.iter().fold(0.0f32, |edge, &k| edge.max(region.max[k] - region.min[k]));
        self.keys.clear();
        for &at in list {
            let aabb = &tree.boxes[at as usize];
            let depth = depth_of(aabb, axes, edge, deepest);
            let path = axes.iter().enumerate().fold(0, |path, (bit, &k)| {
                let cell = cell_of(0.5 * aabb.min[k] + 0.5 * aabb.max[k], region.min[k], edge, depth);
                path | spread(cell << (Limits::DEEPEST_LOOSE - depth), axes.len() as u32) << bit
            });
            self.keys.push((path << DEPTH_BITS | u64::from(depth), at));
        }
        self.keys.sort_unstable();
        self.stack.clear();
        if !list.is_empty() {
            self.stack.push(Task { start: 0, end: self.keys.len(), depth: 0 });
        }
        let ways = axes.len() as u32;
        while let Some(task) = self.stack.pop() {
            let run = &self.keys[task.start..task.end];
            let (first, last) = (run[0].0, run[run.len() - 1].0);
            // Sorted by path and then depth: if any box stands in this very cell, the first does.
            let level = common_depth(first, last, ways).min((first & ((1 << DEPTH_BITS) - 1)) as u32);
            let cell = doubled_cell(tree.kind.axes::<D>(), first >> DEPTH_BITS, level, region, edge);
            let mut node = Node::new(cell, task.depth);
            let own = |key: u64| depth_in(key) == level && common_depth(key, first, ways) >= level;
            let count = run.iter().take_while(|(key, _)| own(*key)).count();
            if count > 0 {
                node.first = tree.items.len() as u32;
            }
            node.count = count as u32;
            tree.items.extend(run[..count].iter().map(|&(_, at)| at));
            tree.nodes.push(node);
            // Children from the last, so that the first is taken up first.
            let (mut end, depth) = (task.end, task.depth + 1);
            let begin = task.start + count;
            while end > begin {
                let sample = self.keys[end - 1].0;
                let inside = |&(key, _): &(u64, u32)| common_depth(key, sample, ways) <= level;
                let start = begin + self.keys[begin..end].partition_point(inside);
                self.stack.push(Task { start, end, depth });
                end = start;
            }
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.keys.capacity() * size_of::<(u64, u32)>() + self.stack.capacity() * size_of::<Task>()
    }
}

fn depth_in(key: u64) -> u32 {
    (key & ((1 << DEPTH_BITS) - 1)) as u32
}

/// The deepest level whose cells are not smaller than the box.
fn depth_of<const D: usize>(aabb: &Aabb<D>, axes: &[usize], edge: f32, deepest: u32) -> u32 {
    let widest = axes.iter().fold(0.0f32, |most, &k| most.max(aabb.max[k] - aabb.min[k]));
    let mut size = edge;
    let mut depth = 0;
    while depth < deepest && 0.5 * size >= widest {
        size *= 0.5;
        depth += 1;
    }
    depth
}

/// Number of the cell of a coordinate on one axis; what is outside belongs to the border.
fn cell_of(coordinate: f32, low: f32, edge: f32, depth: u32) -> u64 {
    let cells = 1u64 << depth;
    let share = (0.5 * coordinate - 0.5 * low) / (0.5 * edge);
    // No width: NaN or infinite, and the cast gives a border.
    ((share * cells as f32) as u64).min(cells - 1)
}

/// Puts `ways` − 1 zeros between the bits.
fn spread(cell: u64, ways: u32) -> u64 {
    (0..Limits::DEEPEST_LOOSE).fold(0, |path, bit| path | (cell >> bit & 1) << (bit * ways))
}

/// The depth down to which two paths agree.
fn common_depth(a: u64, b: u64, ways: u32) -> u32 {
    let (a, b) = (a >> DEPTH_BITS, b >> DEPTH_BITS);
    let different = u64::BITS - (a ^ b).leading_zeros();
    Limits::DEEPEST_LOOSE - different.div_ceil(ways)
}

fn doubled_cell<const D: usize>(
    axes: &[usize],
    path: u64,
    level: u32,
    region: &Aabb<D>,
    edge: f32,
) -> Aabb<D> {
    let mut cell = Aabb::EVERYTHING;
    let size = edge / (1u32 << level) as f32;
    for (bit, &k) in axes.iter().enumerate() {
        let number = (0..level).fold(0u64, |number, depth| {
            let place = (Limits::DEEPEST_LOOSE - 1 - depth) as usize * axes.len() + bit;
            number << 1 | (path >> place & 1)
        });
        let low = region.min[k] + number as f32 * size;
        (cell.min[k], cell.max[k]) = (low - 0.5 * size, low + 1.5 * size);
    }
    cell
}
