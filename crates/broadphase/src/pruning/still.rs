//! Boxes that rest, in buckets that are kept.
//!
//! The same division as in [`super::divide`], written down: a tree of lattices with entries in its
//! leaves. Boxes that move are dealt through the same lattices and meet only the leaves they reach,
//! so an update costs what the moving boxes cost. A box that begins to move leaves its entries
//! behind; they are recognised when they are found, by its no longer being at rest.

use super::divide::{Deal, Work};
use super::entry::{Entry, Lattice, Spread, most_cells};
use super::sweep::{Sink, Sweep};
use crate::{Pair, Table};

/// Divisions within divisions.
const DEPTH: usize = 10;
/// Up to so many boxes are divided into final cells at once; more are first divided into
/// [`BRANCHES`].
const AT_ONCE: usize = 6144;
/// Up to so many boxes stay together.
const MOST: usize = 64;
/// Boxes per final cell aimed at.
const FILL: usize = 12;
/// Cells of a first division.
const BRANCHES: usize = 512;

/// How many cells a number of boxes is divided into.
fn branches(len: usize) -> usize {
    if len <= AT_ONCE { len / FILL } else { (len / 1024).clamp(8, BRANCHES) }
}

/// A part of space and its entries: its own (a leaf, or those that touch too many cells of its
/// lattice), and the nodes of the cells.
#[derive(Clone, Copy, Debug)]
struct Node {
    first: u32,
    len: u32,
    /// Index of the lattice, if it is divided; its cells are consecutive nodes from `children`.
    lattice: u32,
    children: u32,
}

const LEAF: u32 = u32::MAX;

/// The tree.
#[derive(Clone, Debug)]
pub(super) struct Still<const D: usize> {
    nodes: Vec<Node>,
    lattices: Vec<Lattice<D>>,
    entries: Vec<Entry<D>>,
}

impl<const D: usize> Default for Still<D> {
    fn default() -> Self {
        Self { nodes: Vec::new(), lattices: Vec::new(), entries: Vec::new() }
    }
}

/// Memory for walks through the tree.
#[derive(Clone, Debug)]
pub(super) struct Walk<const D: usize> {
    levels: Vec<Deal<D>>,
    sweep: Sweep<D>,
    pub(super) pairs: Vec<Pair>,
    pub(super) work: Work,
}

impl<const D: usize> Default for Walk<D> {
    fn default() -> Self {
        Self {
            levels: vec![Deal::default(); DEPTH],
            sweep: Sweep::default(),
            pairs: Vec::new(),
            work: Work::default(),
        }
    }
}

impl<const D: usize> Walk<D> {
    pub(super) fn bytes(&self) -> usize {
        self.levels.iter().map(Deal::bytes).sum::<usize>()
            + self.sweep.bytes()
            + self.pairs.capacity() * size_of::<Pair>()
    }
}

impl<const D: usize> Still<D> {
    /// Does nothing rest?
    pub(super) fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Forgets all entries and their memory: how many come next is another matter.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    pub(super) fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.lattices.capacity() * size_of::<Lattice<D>>()
            + self.entries.capacity() * size_of::<Entry<D>>()
    }

    /// Builds the tree of some entries. Memory for dealing is not kept: this is done now and then.
    pub(super) fn build(&mut self, entries: &[Entry<D>]) {
        self.clear();
        self.nodes.push(Node { first: 0, len: 0, lattice: LEAF, children: 0 });
        self.divide(&mut vec![Deal::default(); DEPTH], 0, entries);
        self.entries.shrink_to_fit();
        self.nodes.shrink_to_fit();
    }

    fn divide(&mut self, levels: &mut [Deal<D>], node: usize, entries: &[Entry<D>]) {
        let lattice = match levels {
            [_, ..] if entries.len() > MOST => {
                let spread = Spread::of(entries.len(), |i| entries[i]);
                Lattice::cubic(&spread, branches(entries.len()))
            }
            _ => None,
        };
        let (Some(lattice), Some((deal, deeper))) = (lattice, levels.split_first_mut()) else {
            self.set_own(node, entries);
            return;
        };
        deal.fill(&lattice, entries.len(), most_cells(D), |i| entries[i]);
        if !deal.is_worth_it() {
            self.set_own(node, entries);
            return;
        }
        self.set_own(node, deal.aside());
        let children = self.nodes.len();
        self.nodes[node].lattice = self.lattices.len() as u32;
        self.nodes[node].children = children as u32;
        self.lattices.push(lattice);
        let empty = Node { first: 0, len: 0, lattice: LEAF, children: 0 };
        self.nodes.resize(children + deal.cells(), empty);
        for cell in 0..deal.cells() {
            if !deal.cell(cell).is_empty() {
                self.divide(deeper, children + cell, deal.cell(cell));
            }
        }
    }

    fn set_own(&mut self, node: usize, entries: &[Entry<D>]) {
        self.nodes[node].first = self.entries.len() as u32;
        self.nodes[node].len = entries.len() as u32;
        self.entries.extend_from_slice(entries);
    }

    /// Finds all pairs of a moving entry and one of the tree.
    pub(super) fn meet(
        &self,
        moving: &[Entry<D>],
        table: &Table<D>,
        is_still: impl Fn(u32) -> bool,
        walk: &mut Walk<D>,
    ) {
        walk.pairs.clear();
        if self.is_empty() {
            return;
        }
        let mut visit = Visit {
            tree: self,
            sweep: &mut walk.sweep,
            work: &mut walk.work,
            sink: Sink { table, pairs: &mut walk.pairs },
        };
        visit.descend(&mut walk.levels, 0, moving);
        // One of the two moves. If the other does not rest any more, this was an entry left behind.
        walk.pairs.retain(|pair| is_still(pair.a) || is_still(pair.b));
    }
}

struct Visit<'a, const D: usize> {
    tree: &'a Still<D>,
    sweep: &'a mut Sweep<D>,
    work: &'a mut Work,
    sink: Sink<'a, D>,
}

impl<const D: usize> Visit<'_, D> {
    fn descend(&mut self, levels: &mut [Deal<D>], node: usize, moving: &[Entry<D>]) {
        let tree = self.tree;
        let node = tree.nodes[node];
        let own = &tree.entries[node.first as usize..][..node.len as usize];
        if !own.is_empty() {
            self.work.tests += self.sweep.cross(own.iter().copied(), moving, &mut self.sink);
        }
        let Some(lattice) = tree.lattices.get(node.lattice as usize) else { return };
        let Some((deal, deeper)) = levels.split_first_mut() else { return };
        // Nothing is set aside: a moving box that touches many cells meets what is in each of them.
        deal.fill(lattice, moving.len(), u32::MAX, |i| moving[i]);
        self.work.cells += deal.dealt() as u64;
        for cell in 0..deal.cells() {
            let part = deal.cell(cell);
            if !part.is_empty() {
                self.descend(deeper, node.children as usize + cell, part);
            }
        }
    }
}
