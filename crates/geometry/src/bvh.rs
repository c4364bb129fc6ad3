//! A tree of boxes over items: the triangles of a mesh, the children of a compound.
//!
//! Nodes have up to four children; a child is another node or one item. The boxes of the four
//! children lie side by side, so that one test answers for all four. The tree refers to items by
//! their place in the list, which the builder puts into the order of the leaves.
//!
//! Invariants ([`Bvh::check`]): the box of a child is exactly the box of the items below it; the
//! leaves are the list from front to back; no leaf lies deeper than [`MAX_DEPTH`] nodes, which
//! bounds the stack of the walks.

//!
//! Boxes as bytes relative to the node, rounded outwards, would take 64 bytes per node instead
//! of 112. Measured on a sphere and a landscape of 80 000 triangles each, that made rays a quarter
//! slower and box queries half as fast, since boxes that are not exact leave a look at the corners
//! to every hit. Runs of two or four triangles as one child took half of the memory; rays took as
//! long, but box queries took a third longer.

mod build;
mod walk;

use carom_core::simd::f32x4;

use crate::bounds::Aabb;
use crate::real::Vector;

pub(crate) use build::Item;
pub(crate) use walk::Slabs;

/// Nodes on the longest path from the root to a leaf, at most.
const MAX_DEPTH: usize = 20;
/// Entries a walk can hold: every level leaves three siblings behind, and one is being looked at.
const STACK: usize = 3 * MAX_DEPTH + 1;

/// A node or an item, in 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Child(u32);

/// What a [`Child`] stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Nothing; its box is inverted, so that no test passes.
    Empty,
    /// The node with this number.
    Node(usize),
    /// The item with this number.
    Leaf(u32),
}

impl Child {
    const EMPTY: Self = Self(u32::MAX >> 1);
    const LEAF: u32 = 1 << 31;

    fn node(index: usize) -> Self {
        Self(index as u32)
    }

    fn leaf(index: usize) -> Self {
        Self(Self::LEAF | index as u32)
    }

    #[inline]
    fn kind(self) -> Kind {
        if self.0 & Self::LEAF != 0 {
            Kind::Leaf(self.0 & !Self::LEAF)
        } else if self == Self::EMPTY {
            Kind::Empty
        } else {
            Kind::Node(self.0 as usize)
        }
    }
}

/// Four children with their boxes.
#[derive(Clone, Debug)]
struct Node {
    /// Lowest and highest coordinates of the children: entry `2 · axis` is low, `2 · axis + 1`
    /// high.
    bounds: [f32x4; 6],
    children: [Child; 4],
}

impl Node {
    fn empty() -> Self {
        let (low, high) = (f32x4::splat(f32::INFINITY), f32x4::splat(f32::NEG_INFINITY));
        Self { bounds: [low, high, low, high, low, high], children: [Child::EMPTY; 4] }
    }

    fn set(&mut self, lane: usize, bounds: &Aabb<3>, child: Child) {
        for axis in 0..3 {
            self.bounds[2 * axis].as_mut_array()[lane] = bounds.min[axis];
            self.bounds[2 * axis + 1].as_mut_array()[lane] = bounds.max[axis];
        }
        self.children[lane] = child;
    }

    fn child_bounds(&self, lane: usize) -> Aabb<3> {
        let get = |row: usize| self.bounds[row].to_array()[lane];
        Aabb::new([get(0), get(2), get(4)], [get(1), get(3), get(5)])
    }
}

/// The tree.
#[derive(Clone, Debug)]
pub(crate) struct Bvh {
    /// The root comes first, a node before its children.
    nodes: Vec<Node>,
    bounds: Aabb<3>,
    depth: usize,
}

impl Bvh {
    /// Box around everything.
    pub(crate) fn bounds(&self) -> &Aabb<3> {
        &self.bounds
    }

    /// Sum of the largest coordinates along the three axes.
    pub(crate) fn reach(&self) -> f32 {
        let far = Vector::max(Vector::abs(self.bounds.low()), Vector::abs(self.bounds.high()));
        far.x + far.y + far.z
    }

    pub(crate) fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// Nodes on the longest path.
    pub(crate) fn depth(&self) -> usize {
        self.depth
    }

    pub(crate) fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<Node>()
    }

    /// Compares the tree with the boxes of the items it was built over; the error says what is
    /// wrong.
    pub(crate) fn check(&self, boxes: &[Aabb<3>]) -> Result<(), String> {
        let mut seen = 0;
        let bounds = self.check_below(0, 1, boxes, &mut seen)?;
        if seen as usize != boxes.len() {
            return Err(format!("the leaves hold {seen} of {} items", boxes.len()));
        }
        if bounds != self.bounds {
            return Err(format!("the root is {bounds:?}, not {:?}", self.bounds));
        }
        Ok(())
    }

    /// Checks a subtree whose leaves must start at item `seen`, and moves that on; returns its box.
    /// Recursion is no danger: the depth is checked first.
    fn check_below(
        &self,
        index: usize,
        depth: usize,
        boxes: &[Aabb<3>],
        seen: &mut u32,
    ) -> Result<Aabb<3>, String> {
        if depth > self.depth || depth > MAX_DEPTH {
            return Err(format!("node {index} lies at depth {depth} of {}", self.depth));
        }
        let node = self.nodes.get(index).ok_or_else(|| format!("there is no node {index}"))?;
        let mut all = Aabb::EMPTY;
        for lane in 0..4 {
            let bounds = match node.children[lane].kind() {
                Kind::Empty => Aabb::EMPTY,
                Kind::Node(child) if child <= index => return Err(format!("node {child} after {index}")),
                Kind::Node(child) => self.check_below(child, depth + 1, boxes, seen)?,
                Kind::Leaf(t) if t != *seen || t as usize >= boxes.len() => {
                    return Err(format!("item {t} below node {index} instead of {seen}"));
                }
                Kind::Leaf(t) => {
                    *seen += 1;
                    boxes[t as usize]
                }
            };
            if bounds != node.child_bounds(lane) {
                return Err(format!("child {lane} of node {index} is not {bounds:?}"));
            }
            all = all.union(&bounds);
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_survive_packing() {
        assert_eq!(Child::node(0).kind(), Kind::Node(0));
        assert_eq!(Child::EMPTY.kind(), Kind::Empty);
        for t in [0, 1, crate::mesh::MAX_TRIANGLES - 1] {
            assert_eq!(Child::leaf(t).kind(), Kind::Leaf(t as u32));
        }
    }
}
