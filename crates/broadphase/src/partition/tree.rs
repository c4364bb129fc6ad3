//! A tree that cuts space, flattened.
//!
//! Nodes stand in the order of a walk that visits a node before its children; each knows where its
//! part of the tree ends. So a walk needs no stack: into the children is one further, past them is
//! `end`. Leaves list their boxes by index; a box that reaches over a cut stands in several leaves
//! (in a loose tree in one node only, also of the inner ones).
//!
//! Invariants: a box stands in every leaf whose cell it meets, where cells are half-open (their
//! lower faces belong to them, the outermost have no end); the volume of a node contains the boxes
//! in it wholly; lists are ascending. Boxes that would stand in very many leaves, and infinite
//! ones, stand in none but in a list of their own.

use carom_geometry::Aabb;

use crate::broad_phase::Hierarchy;

/// Kinds of trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// 4 children, halves of the first and last axis (x and z in space, x and y in the plane).
    Quadtree = 0,
    /// 2^D children, halves of every axis.
    Octree = 1,
    /// As [`Kind::Quadtree`], but a box stands in the one cell of its size that its centre is in.
    LooseQuadtree = 2,
    /// As [`Kind::Octree`], but a box stands in the one cell of its size that its centre is in.
    LooseOctree = 3,
    /// 2^D children, cut at half of the density of every axis.
    KdTree = 4,
    /// 2 children, cut at the median of the axis of largest spread.
    BinaryKdTree = 5,
    /// 2 children, cut by a plane of any direction.
    Bsp = 6,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Quadtree,
        Self::Octree,
        Self::LooseQuadtree,
        Self::LooseOctree,
        Self::KdTree,
        Self::BinaryKdTree,
        Self::Bsp,
    ];

    /// Does a box stand in exactly one node?
    #[must_use]
    pub fn is_loose(self) -> bool {
        matches!(self, Self::LooseQuadtree | Self::LooseOctree)
    }

    /// Are nodes cut by one plane, given by its normal?
    #[must_use]
    pub fn has_planes(self) -> bool {
        matches!(self, Self::BinaryKdTree | Self::Bsp)
    }

    /// The axes that are cut, in the order of the bits of a child.
    pub(super) fn axes<const D: usize>(self) -> &'static [usize] {
        match (self, D) {
            (_, 1) => &[0],
            (_, 2) => &[0, 1],
            (Self::Quadtree | Self::LooseQuadtree, _) => &[0, 2],
            _ => &[0, 1, 2],
        }
    }
}

/// When to stop cutting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// A node with at most so many boxes is not cut.
    pub leaf: u32,
    /// A node at this depth is not cut; the root is at depth 0. Loose trees use at most
    /// [`Limits::DEEPEST_LOOSE`].
    pub depth: u32,
}

impl Limits {
    /// Levels of a loose tree at most: their cells are numbered in 64 bits.
    pub const DEEPEST_LOOSE: u32 = 18;
    /// Levels of any tree at most.
    pub const DEEPEST: u32 = 64;
}

impl Default for Limits {
    fn default() -> Self {
        Self { leaf: 24, depth: 16 }
    }
}

/// A node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node<const D: usize> {
    /// The part of space it stands for: half-open, without end at the border of the world. In a
    /// loose tree the doubled cell, in a BSP tree everything.
    pub cell: Aabb<D>,
    /// A box around all boxes in it.
    pub volume: Aabb<D>,
    /// In an inner node: the places of the cuts by axis, or the normal of the plane, see
    /// [`Kind::has_planes`].
    pub cut: [f32; D],
    /// In an inner node with a plane: `normal · p` of its points.
    pub offset: f32,
    /// Depth; 0 is the root.
    pub depth: u32,
    /// One past the last node below it.
    pub end: u32,
    /// Where its list begins; 0 if it is empty.
    pub(super) first: u32,
    pub(super) count: u32,
}

impl<const D: usize> Node<D> {
    pub(super) fn new(cell: Aabb<D>, depth: u32) -> Self {
        Self { cell, volume: Aabb::EMPTY, cut: [0.0; D], offset: 0.0, depth, end: 0, first: 0, count: 0 }
    }

    pub(super) fn items(&self) -> std::ops::Range<usize> {
        self.first as usize..self.first as usize + self.count as usize
    }
}

/// A tree over boxes, see the module.
///
/// ```
/// use carom_broadphase::partition::{CellTree, Kind, Limits};
/// use carom_geometry::Aabb;
/// let boxes: Vec<Aabb<2>> = (0..100).map(|i| Aabb::new([i as f32, 0.0], [i as f32 + 1.5, 1.0])).collect();
/// let tree = CellTree::build(Kind::Octree, &boxes, Limits::default())?;
/// assert_eq!(tree.pairs().len(), 99);
/// let (query, mut found) = (Aabb::new([7.2, 0.5], [9.0, 3.0]), Vec::new());
/// tree.collect(|volume| volume.overlaps(&query), &mut found);
/// assert_eq!(found, [6, 7, 8, 9]);
/// # Ok::<(), carom_broadphase::BoxError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct CellTree<const D: usize> {
    pub(super) kind: Kind,
    pub(super) limits: Limits,
    pub(super) nodes: Vec<Node<D>>,
    /// Boxes of the leaves, by index.
    pub(super) items: Vec<u32>,
    /// Boxes by index.
    pub(super) boxes: Vec<Aabb<D>>,
    /// Ids by index, each once; ascending in all trees that users meet.
    pub(super) ids: Vec<u32>,
    /// Indices of boxes in no leaf, ascending.
    pub(super) large: Vec<u32>,
}

impl<const D: usize> CellTree<D> {
    /// A tree over nothing.
    pub(super) fn empty(kind: Kind, limits: Limits) -> Self {
        let depth = if kind.is_loose() { Limits::DEEPEST_LOOSE } else { Limits::DEEPEST };
        let limits = Limits { leaf: limits.leaf.max(1), depth: limits.depth.min(depth) };
        let nothing = (Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (nodes, items, boxes, ids, large) = nothing;
        Self { kind, limits, nodes, items, boxes, ids, large }
    }

    /// What kind of tree it is.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The limits it was built with.
    #[must_use]
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Nodes, each before its children.
    #[must_use]
    pub fn nodes(&self) -> &[Node<D>] {
        &self.nodes
    }

    /// Number of boxes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.boxes.len()
    }

    /// Is there no box?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.boxes.is_empty()
    }

    /// The children of a node.
    pub fn children(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        let end = self.nodes[node].end as usize;
        let next = move |&child: &usize| Some(self.nodes[child].end as usize).filter(|&next| next < end);
        std::iter::successors(Some(node + 1).filter(|&child| child < end), next)
    }

    /// The boxes listed in a node: (id, box).
    pub fn listed(&self, node: usize) -> impl Iterator<Item = (u32, &Aabb<D>)> + '_ {
        self.items[self.nodes[node].items()]
            .iter()
            .map(|&at| (self.ids[at as usize], &self.boxes[at as usize]))
    }

    /// The boxes that are in no node because they would be in too many: (id, box).
    pub fn large(&self) -> impl Iterator<Item = (u32, &Aabb<D>)> + '_ {
        self.large.iter().map(|&at| (self.ids[at as usize], &self.boxes[at as usize]))
    }

    /// The ids of all boxes that pass a test, ascending. Parts of the tree whose volume does not
    /// pass are left out, so the test must pass for every volume that contains a box that passes: a
    /// box, ray or frustum that is met.
    pub fn collect(&self, mut test: impl FnMut(&Aabb<D>) -> bool, out: &mut Vec<u32>) {
        out.clear();
        let mut at = 0;
        while let Some(node) = self.nodes.get(at) {
            if test(&node.volume) {
                let passing = self.listed(at).filter(|(_, aabb)| test(aabb)).map(|(id, _)| id);
                out.extend(passing);
                at += 1;
            } else {
                at = node.end as usize;
            }
        }
        out.extend(self.large().filter(|(_, aabb)| test(aabb)).map(|(id, _)| id));
        out.sort_unstable();
        out.dedup();
    }

    /// Figures about the tree.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        let leaves = || (0..self.nodes.len()).filter(|&i| self.nodes[i].end as usize == i + 1);
        let counts = || leaves().map(|i| self.nodes[i].count as usize);
        let count = leaves().count();
        let (mut shares, mut inner) = (0.0, 0u32);
        for node in (0..self.nodes.len()).filter(|&i| self.nodes[i].end as usize > i + 1) {
            let below = |child: usize| -> usize {
                let nodes = child..self.nodes[child].end as usize;
                self.nodes[nodes].iter().map(|node| node.count as usize).sum()
            };
            let (mut sum, mut most) = (0, 0);
            for child in self.children(node) {
                let items = below(child);
                sum += items;
                most = most.max(items);
            }
            if sum > 0 {
                shares += most as f64 / sum as f64;
                inner += 1;
            }
        }
        Statistics {
            boxes: self.boxes.len(),
            nodes: self.nodes.len(),
            leaves: count,
            empty_leaves: counts().filter(|&items| items == 0).count(),
            depth: self.nodes.iter().map(|node| node.depth).max().unwrap_or(0),
            largest_leaf: counts().max().unwrap_or(0),
            mean_leaf: if count == 0 { 0.0 } else { counts().sum::<usize>() as f64 / count as f64 },
            duplicates: (self.items.len() + self.large.len()).saturating_sub(self.boxes.len()),
            large: self.large.len(),
            largest_share: if inner == 0 { 1.0 } else { shares / f64::from(inner) },
        }
    }

    /// Bytes held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node<D>>()
            + (self.items.capacity() + self.ids.capacity() + self.large.capacity()) * size_of::<u32>()
            + self.boxes.capacity() * size_of::<Aabb<D>>()
    }

    /// Sets ends and volumes from the depths and lists.
    pub(super) fn finish(&mut self) {
        let count = self.nodes.len();
        for at in (0..count).rev() {
            let mut end = at + 1;
            let mut volume = Aabb::EMPTY;
            for &item in &self.items[self.nodes[at].items()] {
                volume = volume.union(&self.boxes[item as usize]);
            }
            while end < count && self.nodes[end].depth > self.nodes[at].depth {
                volume = volume.union(&self.nodes[end].volume);
                end = self.nodes[end].end as usize;
            }
            self.nodes[at].end = end as u32;
            self.nodes[at].volume = volume;
        }
    }
}

/// Figures about a tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Statistics {
    /// Boxes.
    pub boxes: usize,
    /// Nodes.
    pub nodes: usize,
    /// Nodes without children.
    pub leaves: usize,
    /// Leaves without boxes.
    pub empty_leaves: usize,
    /// Depth of the deepest node.
    pub depth: u32,
    /// Boxes in the fullest leaf.
    pub largest_leaf: usize,
    /// Boxes per leaf.
    pub mean_leaf: f64,
    /// Entries beyond the first of each box.
    pub duplicates: usize,
    /// Boxes outside the leaves.
    pub large: usize,
    /// Balance: the part of the entries of a node that is in its fullest child, mean over inner
    /// nodes. 0.5 is perfect with two children, 1 is no progress.
    pub largest_share: f64,
}

impl<const D: usize> Hierarchy<D> for CellTree<D> {
    fn descend(&self, enter: &mut dyn FnMut(&Aabb<D>) -> bool, visit: &mut dyn FnMut(u32)) {
        for (id, aabb) in self.large() {
            if enter(aabb) {
                visit(id);
            }
        }
        let mut at = 0;
        while let Some(node) = self.nodes.get(at) {
            if node.volume.is_valid() && enter(&node.volume) {
                self.listed(at).for_each(|(id, _)| visit(id));
                at += 1;
            } else {
                at = node.end as usize;
            }
        }
    }
}
