//! A binary tree of boxes that grows and shrinks one leaf at a time.
//!
//! A leaf goes where it makes the boxes around it grow least (surface area heuristic, greedy); on
//! the way back each node may exchange a child for a grandchild if that makes boxes smaller. This
//! is the tree of Box2D and Bullet (Catto 2019, "Dynamic Bounding Volume Hierarchies"; Presson's
//! `btDbvt`).
//!
//! What theirs does not promise, this one does: the heights of two siblings differ by at most
//! [`SLACK`], whatever the order of insertion (sorted, nested, all equal). Exchanges that would
//! break this are refused, and one that restores it is forced where an insertion or removal broke
//! it. One such operation changes the height of each node on its path by at most one, so one forced
//! exchange per node is enough. So the height is below [`DEEPEST`] for any number of leaves, and
//! walks need a fixed stack.
//!
//! Invariants, checked by `validate` in tests: the box and height of a node are those of its
//! children; each id is in one leaf; nodes are either in the tree or in the free list.

use carom_geometry::Aabb;

use super::block::area;
use crate::broad_phase::Hierarchy;

/// No node.
const NONE: u32 = u32::MAX;
/// Greatest difference of the heights of siblings.
const SLACK: u32 = 4;
/// A tree of height h has at least N(h) = N(h − 1) + N(h − 1 − SLACK) leaves: 2³¹ leaves are at
/// most 80 levels.
pub(crate) const DEEPEST: usize = 96;
/// Sides count up to here in areas.
const LONGEST: f32 = 1e12;

#[derive(Clone, Copy, Debug)]
struct Node<const D: usize> {
    aabb: Aabb<D>,
    /// Of a free node: the next free one.
    parent: u32,
    /// Of a leaf: nothing and its id.
    children: [u32; 2],
    /// 0 for leaves.
    height: u32,
}

impl<const D: usize> Node<D> {
    fn is_leaf(&self) -> bool {
        self.children[0] == NONE
    }
}

/// The tree.
#[derive(Clone, Debug)]
pub(crate) struct BinaryTree<const D: usize> {
    nodes: Vec<Node<D>>,
    root: u32,
    free: u32,
    /// Leaf by id, [`NONE`] if not in the tree.
    leaves: Vec<u32>,
    /// Ranges of the order, parents and places of nodes to be built.
    ranges: Vec<(usize, usize, u32, usize)>,
}

impl<const D: usize> Default for BinaryTree<D> {
    fn default() -> Self {
        Self { nodes: Vec::new(), root: NONE, free: NONE, leaves: Vec::new(), ranges: Vec::new() }
    }
}

fn measure<const D: usize>(aabb: &Aabb<D>) -> f32 {
    area(aabb, LONGEST)
}

/// Puts the half with the lower centres on the widest axis first.
fn halve<const D: usize>(ids: &mut [u32], boxes: &[Aabb<D>]) {
    let centre = |id: u32, k: usize| 0.5 * boxes[id as usize].min[k] + 0.5 * boxes[id as usize].max[k];
    let (mut low, mut high) = ([f32::MAX; D], [-f32::MAX; D]);
    for &id in &*ids {
        for k in 0..D {
            let c = centre(id, k);
            let finite = c.abs() <= f32::MAX;
            low[k] = if finite & (c < low[k]) { c } else { low[k] };
            high[k] = if finite & (c > high[k]) { c } else { high[k] };
        }
    }
    let width = |k: usize| 0.5 * high[k] - 0.5 * low[k];
    let axis = (1..D).fold(0, |best, k| if width(k) > width(best) { k } else { best });
    // Ties by id, so that the result does not depend on how the library selects.
    ids.select_nth_unstable_by(ids.len() / 2, |&a, &b| {
        centre(a, axis).total_cmp(&centre(b, axis)).then(a.cmp(&b))
    });
}

impl<const D: usize> BinaryTree<D> {
    /// Makes room for ids below `ids`.
    pub(crate) fn reserve(&mut self, ids: usize) {
        if self.leaves.len() < ids {
            self.leaves.resize(ids, NONE);
        }
    }

    /// Is the id in the tree?
    pub(crate) fn holds(&self, id: u32) -> bool {
        self.leaves[id as usize] != NONE
    }

    /// Inserts a box under an id that is not in the tree.
    pub(crate) fn insert(&mut self, id: u32, aabb: &Aabb<D>) {
        let leaf = self.node(aabb, [NONE, id]);
        self.leaves[id as usize] = leaf;
        if self.root == NONE {
            self.root = leaf;
            return;
        }
        let sibling = self.best_sibling(aabb);
        let above = self.nodes[sibling as usize].parent;
        let parent = self.node(aabb, [sibling, leaf]);
        // Boxes and heights are brought up to date on the way up; the new node counts as the
        // sibling it replaces.
        self.nodes[parent as usize].height = self.nodes[sibling as usize].height;
        self.nodes[parent as usize].parent = above;
        self.nodes[sibling as usize].parent = parent;
        self.nodes[leaf as usize].parent = parent;
        self.replace_child(above, sibling, parent);
        self.mend(parent);
    }

    /// Removes an id that is in the tree.
    pub(crate) fn remove(&mut self, id: u32) {
        let leaf = std::mem::replace(&mut self.leaves[id as usize], NONE);
        let parent = self.nodes[leaf as usize].parent;
        self.release(leaf);
        if parent == NONE {
            self.root = NONE;
            return;
        }
        let Node { children: [a, b], parent: above, .. } = self.nodes[parent as usize];
        let sibling = if a == leaf { b } else { a };
        self.nodes[sibling as usize].parent = above;
        self.replace_child(above, parent, sibling);
        self.release(parent);
        self.mend(above);
    }

    /// Rebuilds the tree over ids, which come in any order and leave in that of the leaves:
    /// halves by the centres on the axis where they are spread furthest. Neighbours become
    /// neighbours in memory.
    pub(crate) fn build(&mut self, ids: &mut [u32], boxes: &[Aabb<D>]) {
        self.nodes.clear();
        self.leaves.fill(NONE);
        (self.root, self.free) = (NONE, NONE);
        self.ranges.clear();
        if !ids.is_empty() {
            self.root = 0;
            self.ranges.push((0, ids.len(), NONE, 0));
        }
        while let Some((from, to, parent, place)) = self.ranges.pop() {
            let node = self.nodes.len() as u32;
            if parent != NONE {
                self.nodes[parent as usize].children[place] = node;
            }
            if to - from == 1 {
                let id = ids[from];
                self.leaves[id as usize] = node;
                let aabb = boxes[id as usize];
                self.nodes.push(Node { aabb, parent, children: [NONE, id], height: 0 });
            } else {
                let half = from + (to - from) / 2;
                halve(&mut ids[from..to], boxes);
                self.nodes.push(Node { aabb: Aabb::EMPTY, parent, children: [0, 0], height: 0 });
                self.ranges.push((half, to, node, 1));
                self.ranges.push((from, half, node, 0));
            }
        }
        // Children stand behind their parents. Halves have heights that differ by at most 1;
        // exchanges change the height of a node by at most 1, so siblings stay within 3.
        for exchanging in [false, true] {
            for node in (0..self.nodes.len() as u32).rev() {
                if !self.nodes[node as usize].is_leaf() {
                    if exchanging {
                        self.exchange(node);
                    }
                    self.fit(node);
                }
            }
        }
    }

    /// Visits the ids whose boxes overlap; returns the number of nodes and of leaves tested.
    #[inline]
    pub(crate) fn overlapping(&self, aabb: &Aabb<D>, visit: impl FnMut(u32)) -> (u64, u64) {
        let (mut nodes, mut leaves) = (0, 0);
        let enter = |node: &Node<D>| {
            nodes += 1;
            leaves += u64::from(node.is_leaf());
            node.aabb.overlaps(aabb)
        };
        self.walk(enter, visit);
        (nodes, leaves)
    }

    /// Goes down from the root to the nodes that are to be entered; visits the ids of leaves among
    /// them.
    #[inline]
    fn walk(&self, mut enter: impl FnMut(&Node<D>) -> bool, mut visit: impl FnMut(u32)) {
        let mut stack = [0; DEEPEST];
        let mut height = 0;
        if self.root != NONE {
            stack[0] = self.root;
            height = 1;
        }
        while height > 0 {
            height -= 1;
            let node = &self.nodes[stack[height] as usize];
            if !enter(node) {
                continue;
            }
            if node.is_leaf() {
                visit(node.children[1]);
            } else {
                stack[height] = node.children[1];
                stack[height + 1] = node.children[0];
                height += 2;
            }
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node<D>>()
            + self.leaves.capacity() * size_of::<u32>()
            + self.ranges.capacity() * size_of::<(usize, usize, u32, usize)>()
    }

    fn node(&mut self, aabb: &Aabb<D>, children: [u32; 2]) -> u32 {
        let node = Node { aabb: *aabb, parent: NONE, children, height: 0 };
        if self.free == NONE {
            self.nodes.push(node);
            return self.nodes.len() as u32 - 1;
        }
        let at = self.free;
        self.free = std::mem::replace(&mut self.nodes[at as usize], node).parent;
        at
    }

    fn release(&mut self, node: u32) {
        self.nodes[node as usize].parent = self.free;
        self.free = node;
    }

    fn replace_child(&mut self, parent: u32, old: u32, new: u32) {
        if parent == NONE {
            self.root = new;
        } else {
            let children = &mut self.nodes[parent as usize].children;
            children[usize::from(children[1] == old)] = new;
        }
    }

    /// The node next to which a box costs least: the growth of all above it and its common parent
    /// with the box.
    fn best_sibling(&self, aabb: &Aabb<D>) -> u32 {
        let mut at = self.root;
        loop {
            let node = &self.nodes[at as usize];
            if node.is_leaf() {
                return at;
            }
            let together = measure(&node.aabb.union(aabb));
            // What this node grows by has to be paid further down too.
            let inherited = together - measure(&node.aabb);
            let cost = node.children.map(|child| {
                let child = &self.nodes[child as usize];
                let joined = measure(&child.aabb.union(aabb));
                inherited + if child.is_leaf() { joined } else { joined - measure(&child.aabb) }
            });
            // Beside a tall node a leaf would be out of balance.
            if node.height <= SLACK && together < cost[0] && together < cost[1] {
                return at;
            }
            let [left, right] = node.children;
            at = if cost[0] < cost[1] {
                left
            } else if cost[1] < cost[0] || self.height(right) < self.height(left) {
                // Of equal costs the flatter side: many equal boxes make a balanced tree.
                right
            } else {
                left
            };
        }
    }

    fn height(&self, node: u32) -> u32 {
        self.nodes[node as usize].height
    }

    /// Makes boxes and heights right from a node up, and exchanges children where it helps or must
    /// be.
    fn mend(&mut self, mut at: u32) {
        while at != NONE {
            let Node { aabb, height, .. } = self.nodes[at as usize];
            let exchanged = self.exchange(at);
            self.fit(at);
            let node = &self.nodes[at as usize];
            // Nothing further up can see a difference.
            if !exchanged && node.aabb == aabb && node.height == height {
                return;
            }
            at = node.parent;
        }
    }

    fn fit(&mut self, node: u32) {
        let [a, b] = self.nodes[node as usize].children.map(|child| self.nodes[child as usize]);
        let node = &mut self.nodes[node as usize];
        node.aabb = a.aabb.union(&b.aabb);
        node.height = 1 + a.height.max(b.height);
    }

    /// Looks for a child and a grandchild (from the other child) that had better change places;
    /// were there any?
    fn exchange(&mut self, at: u32) -> bool {
        let Node { children, height: old, .. } = self.nodes[at as usize];
        let heights = children.map(|child| self.height(child));
        if heights[0].abs_diff(heights[1]) > SLACK {
            // The taller grandchild comes up.
            let tall = usize::from(heights[1] > heights[0]);
            let [a, b] = self.nodes[children[tall] as usize].children;
            self.swap(at, 1 - tall, usize::from(self.height(b) > self.height(a)));
            return true;
        }
        let mut best = (0.0, 2, 0);
        for side in 0..2 {
            // `side` goes down, a child of the other comes up.
            let (down, other) = (children[side], children[1 - side]);
            let Node { aabb, children: grandchildren, .. } = self.nodes[other as usize];
            if self.nodes[other as usize].is_leaf() {
                continue;
            }
            for up in 0..2 {
                let (rises, stays) = (self.height(grandchildren[up]), self.height(grandchildren[1 - up]));
                let joined = 1 + stays.max(heights[side]);
                let is_balanced = stays.abs_diff(heights[side]) <= SLACK
                    && rises.abs_diff(joined) <= SLACK
                    && (1 + rises.max(joined)).abs_diff(old) <= 1;
                if is_balanced {
                    let stays = &self.nodes[grandchildren[1 - up] as usize].aabb;
                    let joined = self.nodes[down as usize].aabb.union(stays);
                    let gain = measure(&aabb) - measure(&joined);
                    if gain > best.0 {
                        best = (gain, side, up);
                    }
                }
            }
        }
        if best.1 < 2 {
            self.swap(at, best.1, best.2);
        }
        best.1 < 2
    }

    /// Child `side` of a node and child `up` of the other child change places.
    fn swap(&mut self, at: u32, side: usize, up: usize) {
        let [down, other] = {
            let children = self.nodes[at as usize].children;
            [children[side], children[1 - side]]
        };
        let rises = std::mem::replace(&mut self.nodes[other as usize].children[up], down);
        self.nodes[at as usize].children[side] = rises;
        self.nodes[rises as usize].parent = at;
        self.nodes[down as usize].parent = other;
        self.fit(other);
    }
}

impl<const D: usize> Hierarchy<D> for BinaryTree<D> {
    fn descend(&self, enter: &mut dyn FnMut(&Aabb<D>) -> bool, visit: &mut dyn FnMut(u32)) {
        self.walk(|node| node.is_leaf() || enter(&node.aabb), visit);
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::any_box;
    use super::*;
    use proptest::prelude::*;

    fn validate(tree: &BinaryTree<2>, boxes: &[Option<Aabb<2>>]) {
        let mut seen = vec![false; tree.nodes.len()];
        let mut stack: Vec<u32> = (tree.root != NONE).then_some(tree.root).into_iter().collect();
        if let Some(root) = tree.nodes.get(tree.root as usize) {
            assert_eq!(root.parent, NONE);
        }
        let mut found = vec![None; boxes.len()];
        while let Some(at) = stack.pop() {
            assert!(!std::mem::replace(&mut seen[at as usize], true), "a node is reached twice");
            let node = &tree.nodes[at as usize];
            if node.is_leaf() {
                let id = node.children[1] as usize;
                assert_eq!(tree.leaves[id], at);
                assert!(found[id].replace(node.aabb).is_none(), "an id is in two leaves");
                assert_eq!(node.height, 0);
                continue;
            }
            let [a, b] = node.children.map(|child| {
                assert_eq!(tree.nodes[child as usize].parent, at);
                stack.push(child);
                &tree.nodes[child as usize]
            });
            assert!(a.height.abs_diff(b.height) <= SLACK, "{} and {}", a.height, b.height);
            assert_eq!(node.height, 1 + a.height.max(b.height));
            assert_eq!(node.aabb, a.aabb.union(&b.aabb));
        }
        assert_eq!(found, boxes);
        let mut free = tree.free;
        while free != NONE {
            assert!(!std::mem::replace(&mut seen[free as usize], true), "a free node is in use");
            free = tree.nodes[free as usize].parent;
        }
        assert!(seen.iter().all(|&s| s), "a node is lost");
    }

    proptest! {
        #[test]
        fn stays_sound_and_balanced(ops in prop::collection::vec((0u32..40, prop::option::weighted(0.7, any_box()), 0u8..40), 0..200)) {
            let mut tree = BinaryTree::default();
            tree.reserve(40);
            let mut boxes = vec![None; 40];
            for (id, aabb, rebuild) in ops {
                if tree.holds(id) {
                    tree.remove(id);
                }
                boxes[id as usize] = aabb;
                if let Some(aabb) = aabb {
                    tree.insert(id, &aabb);
                }
                if rebuild == 0 {
                    let mut ids: Vec<u32> = (0..40).filter(|&id| boxes[id as usize].is_some()).collect();
                    let all: Vec<Aabb<2>> = boxes.iter().map(|b| b.unwrap_or(Aabb::EMPTY)).collect();
                    tree.build(&mut ids, &all);
                }
                validate(&tree, &boxes);
            }
        }
    }

    #[test]
    fn sorted_nested_and_equal_boxes_make_flat_trees() {
        const COUNT: u32 = 3000;
        let sorted = |i: f32| Aabb::new([i, 0.0], [i + 0.5, 1.0]);
        let nested = |i: f32| Aabb::new([-i, -i], [i, i]);
        let growing = |i: f32| Aabb::new([0.0, 0.0], [i * i, 1.0 / (i + 1.0)]);
        let equal = |_: f32| Aabb::new([0.0, 0.0], [1.0, 1.0]);
        for shape in [&sorted as &dyn Fn(f32) -> Aabb<2>, &nested, &growing, &equal] {
            let mut tree = BinaryTree::default();
            tree.reserve(COUNT as usize);
            let mut boxes = vec![None; COUNT as usize];
            for id in 0..COUNT {
                let aabb = shape(id as f32);
                tree.insert(id, &aabb);
                boxes[id as usize] = Some(aabb);
            }
            validate(&tree, &boxes);
            assert!(tree.height(tree.root) < 30, "height {}", tree.height(tree.root));
        }
    }

    #[test]
    fn a_far_leaf_does_not_stand_beside_a_tall_tree() {
        let mut tree = BinaryTree::default();
        tree.reserve(129);
        let mut boxes: Vec<Option<Aabb<2>>> =
            (0..128u8).map(|i| Some(Aabb::new([f32::from(i), 0.0], [f32::from(i) + 0.5, 1.0]))).collect();
        boxes.push(Some(Aabb::new([1e6, 1e6], [1e6, 1e6])));
        for (id, aabb) in boxes.iter().enumerate() {
            tree.insert(id as u32, &aabb.unwrap());
        }
        validate(&tree, &boxes);
    }

    /// The smallest tree of each height, from the recurrence in the header.
    #[test]
    fn the_stack_is_deep_enough_for_all_ids() {
        let slack = SLACK as usize;
        let mut leaves = vec![1u64];
        while leaves[leaves.len() - 1] <= 1 << 31 {
            let h = leaves.len();
            leaves.push(leaves[h - 1] + leaves[(h - 1).saturating_sub(slack)]);
        }
        // One node per level waits on the stack, and one more while two children are pushed.
        assert!(leaves.len() < DEEPEST, "{} levels", leaves.len());
    }
}
