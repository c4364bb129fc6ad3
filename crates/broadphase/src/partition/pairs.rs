//! Pairs from a tree.
//!
//! Where cells are boxes, a pair that shares several leaves is reported in one: the leaf that
//! contains the lowest corner of what the two have in common (Dittrich and Seeger, *Data redundancy
//! and duplicate detection in spatial join processing*, 2000). That corner is in the cell iff on
//! every axis one of the two begins in the cell, since neither begins above it: a bit per axis and
//! box says so, and no coordinate need be looked at (the bits are the classes of Tsitsigkos et al.,
//! *A two-layer partitioning for non-point spatial data*, 2021). Under planes of any direction
//! there are no such corners; there the caller removes what comes twice.

use std::ops::Range;

use carom_geometry::Aabb;
use carom_geometry::bounds::AabbArray;

use super::tree::{CellTree, Kind};
use crate::{Counters, Pair};

/// In a leaf with more boxes these are sorted along an axis and swept.
const MANY: usize = 24;

/// A box of the leaf at hand.
#[derive(Clone, Copy, Debug)]
struct Member<const D: usize> {
    aabb: Aabb<D>,
    at: u32,
    /// Bit `k` is set if the box begins below the leaf on axis `k`.
    continued: u32,
}

/// Memory for finding pairs.
#[derive(Clone, Debug, Default)]
pub(super) struct Search<const D: usize> {
    members: Vec<Member<D>>,
    array: AabbArray<D>,
    found: Vec<u32>,
}

impl<const D: usize> Search<D> {
    pub(super) fn bytes(&self) -> usize {
        self.members.capacity() * size_of::<Member<D>>()
            + self.array.len() * size_of::<Aabb<D>>()
            + self.found.capacity() * size_of::<u32>()
    }

    /// Reports the overlapping pairs (by index) of the lists of some nodes. Over all nodes each
    /// comes once; in a BSP tree perhaps more often. Where `report` says no, the rest is left out.
    pub(super) fn in_nodes(
        &mut self,
        tree: &CellTree<D>,
        nodes: Range<usize>,
        counters: &mut Counters,
        report: &mut impl FnMut(u32, u32) -> bool,
    ) {
        for node in nodes {
            if tree.nodes[node].count == 0 {
                continue;
            }
            counters.node_visits += 1;
            if tree.kind.is_loose() {
                in_loose_node(tree, node, counters, report);
            } else {
                self.in_leaf(tree, node, counters, report);
            }
        }
    }

    fn in_leaf(
        &mut self,
        tree: &CellTree<D>,
        node: usize,
        counters: &mut Counters,
        report: &mut impl FnMut(u32, u32) -> bool,
    ) {
        let cell = &tree.nodes[node].cell;
        self.members.clear();
        self.members.extend(tree.items[tree.nodes[node].items()].iter().map(|&at| {
            let aabb = tree.boxes[at as usize];
            Member { aabb, at, continued: continued(cell, &aabb) }
        }));
        if self.members.len() > MANY {
            // Along the axis that a quadtree does not cut, else along any.
            let axis = if D > 1 { 1 } else { 0 };
            self.members
                .sort_unstable_by(|a, b| a.aabb.min[axis].total_cmp(&b.aabb.min[axis]).then(a.at.cmp(&b.at)));
            for (index, a) in self.members.iter().enumerate() {
                let others = &self.members[index + 1..];
                let reached = others.iter().take_while(|b| b.aabb.min[axis] <= a.aabb.max[axis]);
                counters.box_tests += compare(a, reached, report);
            }
        } else {
            for (index, a) in self.members.iter().enumerate() {
                counters.box_tests += compare(a, self.members[index + 1..].iter(), report);
            }
        }
    }

    /// Reports the overlapping pairs (by index) of some of the boxes that stand in no leaf: with
    /// those of them that come later, and with all boxes in leaves.
    pub(super) fn of_large(
        &mut self,
        tree: &CellTree<D>,
        range: Range<usize>,
        counters: &mut Counters,
        report: &mut impl FnMut(u32, u32) -> bool,
    ) {
        if range.is_empty() {
            return;
        }
        self.array.clear();
        self.array.extend(tree.large.iter().map(|&at| tree.boxes[at as usize]));
        for index in range {
            let at = tree.large[index];
            let aabb = &tree.boxes[at as usize];
            self.array.overlapping(aabb, &mut self.found);
            counters.box_tests += tree.large.len() as u64;
            for &other in &self.found {
                // A box without any end meets even the empty boxes that fill up the last block of
                // the array.
                let is_later = other as usize > index && (other as usize) < tree.large.len();
                if is_later && !report(at, tree.large[other as usize]) {
                    break;
                }
            }
            of_large_with_leaves(tree, at, counters, report);
        }
    }
}

/// Does the box meet the half-open cell?
fn meets<const D: usize>(cell: &Aabb<D>, aabb: &Aabb<D>) -> bool {
    (0..D).all(|k| aabb.min[k] < cell.max[k] && cell.min[k] <= aabb.max[k])
}

/// On which axes, one bit each, does the box begin below the cell?
fn continued<const D: usize>(cell: &Aabb<D>, aabb: &Aabb<D>) -> u32 {
    (0..D).fold(0, |bits, k| bits | u32::from(aabb.min[k] < cell.min[k]) << k)
}

/// A box that stands in no leaf with the boxes of all leaves it meets.
fn of_large_with_leaves<const D: usize>(
    tree: &CellTree<D>,
    at: u32,
    counters: &mut Counters,
    report: &mut impl FnMut(u32, u32) -> bool,
) {
    let aabb = &tree.boxes[at as usize];
    let is_loose = tree.kind.is_loose();
    let mut next = 0;
    while let Some(node) = tree.nodes.get(next) {
        counters.node_visits += 1;
        if !node.volume.overlaps(aabb) || !(is_loose || meets(&node.cell, aabb)) {
            next = node.end as usize;
            continue;
        }
        next += 1;
        let own = continued(&node.cell, aabb);
        let items = &tree.items[node.items()];
        counters.box_tests += items.len() as u64;
        for &other in items {
            let second = &tree.boxes[other as usize];
            let is_first = is_loose || own & continued(&node.cell, second) == 0;
            if second.overlaps(aabb) && is_first && !report(at, other) {
                return;
            }
        }
    }
}

/// Reports the pairs of a box with others of the same leaf; returns the number of tests.
#[inline]
fn compare<'a, const D: usize>(
    a: &Member<D>,
    others: impl Iterator<Item = &'a Member<D>>,
    report: &mut impl FnMut(u32, u32) -> bool,
) -> u64 {
    let mut tests = 0;
    for b in others {
        tests += 1;
        if a.aabb.overlaps(&b.aabb) & (a.continued & b.continued == 0) && !report(a.at, b.at) {
            break;
        }
    }
    tests
}

/// The boxes of a node with each other and with those of all later nodes; what does not meet a box
/// is left out whole.
fn in_loose_node<const D: usize>(
    tree: &CellTree<D>,
    node: usize,
    counters: &mut Counters,
    report: &mut impl FnMut(u32, u32) -> bool,
) {
    let items = tree.nodes[node].items();
    for index in items.clone() {
        let at = tree.items[index];
        let aabb = &tree.boxes[at as usize];
        let mut test = |others: &[u32], counters: &mut Counters| {
            counters.box_tests += others.len() as u64;
            others.iter().all(|&other| !aabb.overlaps(&tree.boxes[other as usize]) || report(at, other))
        };
        let mut goes_on = test(&tree.items[index + 1..items.end], counters);
        let mut next = node + 1;
        while let (true, Some(later)) = (goes_on, tree.nodes.get(next)) {
            counters.node_visits += 1;
            if later.volume.overlaps(aabb) {
                goes_on = test(&tree.items[later.items()], counters);
                next += 1;
            } else {
                next = later.end as usize;
            }
        }
    }
}

impl<const D: usize> CellTree<D> {
    /// All pairs of boxes that overlap, by id, ascending. In a BSP tree over tighter volumes, pairs
    /// whose volumes a plane separates are left out.
    #[must_use]
    pub fn pairs(&self) -> Vec<Pair> {
        let mut pairs = Vec::new();
        let (mut search, mut counters) = (Search::default(), Counters::default());
        let mut report = |a: u32, b: u32| {
            pairs.push(Pair::new(self.ids[a as usize], self.ids[b as usize]));
            true
        };
        search.in_nodes(self, 0..self.nodes.len(), &mut counters, &mut report);
        search.of_large(self, 0..self.large.len(), &mut counters, &mut report);
        pairs.sort_unstable();
        // A tree from a file may list what it likes.
        pairs.dedup();
        pairs
    }

    /// May a pair be reported in several leaves?
    pub(super) fn repeats_pairs(&self) -> bool {
        self.kind == Kind::Bsp
    }
}
