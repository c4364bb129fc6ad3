//! Trees of bounding volumes over triangles, to find the few pairs of two meshes that may touch.
//!
//! A tree is built from the top: triangles are parted at the mean of their centres along the axis
//! on which the centres spread most; where that goes too deep, at the median. Each node holds the
//! volume around its triangles, which is computed from the triangles and not from the children, so
//! tight volumes stay tight. The volume is a parameter ([`TreeVolume`]); all types are walked by
//! the same code, and the [`Counters`] of a walk let them be compared: a tighter volume takes fewer
//! but more expensive tests (Gottschalk, Lin and Manocha for [`ObbTree`]; Klosowski and others for
//! [`KdopTree`]).
//!
//! Invariant: no pair of triangles that share a point is ever left out, in any relative pose,
//! rounding included.

pub mod volume;

use super::{Aabb, BoundingSphere, Kdop, Obb};
use crate::pose::Pose;
use crate::primitive::Triangle;
use crate::real::{Real, Vector};

pub use volume::TreeVolume;

/// Tree of spheres.
pub type SphereTree<S = f32> = VolumeTree<BoundingSphere<S>, S>;
/// Tree of axis-aligned boxes.
pub type AabbTree<S = f32> = VolumeTree<Aabb<3, S>, S>;
/// Tree of oriented boxes.
pub type ObbTree<S = f32> = VolumeTree<Obb<S>, S>;
/// Tree of k-DOPs with `K2` directions.
pub type KdopTree<const K2: usize, S = f32> = VolumeTree<Kdop<K2, S>, S>;

carom_core::error_type! {
    /// What a tree cannot be built from.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum TreeError {
        /// A coordinate is infinite, NaN, or so large that sizes overflow.
        #[error("triangle {triangle} has a coordinate that is not finite or too large")]
        NotFinite {
            /// Its index.
            triangle: usize,
        },
        /// Indices do not fit.
        #[error("{count} triangles are more than a tree can hold ({})", VolumeTree::<Aabb<3>>::MAX_TRIANGLES)]
        TooMany {
            /// How many there are.
            count: usize,
        },
    }
}

/// The work of a walk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Tests of two volumes.
    pub volume_tests: u64,
    /// Leaves, or pairs of leaves, whose volumes overlap.
    pub leaves: u64,
    /// Triangles, or pairs of triangles, in them.
    pub triangles: u64,
}

/// Triangles of a leaf.
#[derive(Clone, Copy, Debug)]
pub struct Leaf<'a, S: Real = f32> {
    /// The triangles.
    pub triangles: &'a [Triangle<S>],
    /// Their indices in the slice that the tree was built from.
    pub indices: &'a [u32],
}

#[derive(Clone, Copy, Debug)]
struct Node<B> {
    volume: B,
    /// The triangles below this node are `start..end` of the sorted ones.
    start: u32,
    end: u32,
    /// Index of the second child; the first one follows its parent. 0 for a leaf.
    second: u32,
}

/// A binary tree of volumes over triangles.
///
/// ```
/// use carom_geometry::bounds::tree::ObbTree;
/// use carom_geometry::{Pose, primitive::Triangle};
/// use glam::Vec3;
/// let strip: Vec<Triangle> = (0..100)
///     .map(|i| Vec3::new(i as f32, 0.0, 0.0))
///     .map(|at| Triangle::new(at, at + Vec3::X, at + Vec3::Y))
///     .collect();
/// let tree = ObbTree::build(&strip, 2).unwrap();
/// let mut pairs = 0;
/// let counters = tree.for_each_pair(&tree, &Pose::at(Vec3::new(97.5, 0.0, 0.0)), &mut Vec::new(),
/// |a, b| {     pairs += a.indices.len() * b.indices.len();
/// });
/// assert!(pairs > 0 && pairs < 50 && counters.volume_tests < 200);
/// ```
#[derive(Clone, Debug)]
pub struct VolumeTree<B, S: Real = f32> {
    nodes: Vec<Node<B>>,
    triangles: Vec<Triangle<S>>,
    indices: Vec<u32>,
    depth: usize,
}

/// A triangle on its way to its leaf.
#[derive(Clone, Copy)]
struct Item<S: Real> {
    triangle: Triangle<S>,
    centre: S::Vec3,
    index: u32,
}

impl<B, S: Real> VolumeTree<B, S> {
    /// More triangles than any mesh has; a tree has at most twice as many nodes, whose indices are
    /// 32 bits wide.
    pub const MAX_TRIANGLES: usize = 1 << 30;

    /// Number of triangles.
    #[must_use]
    pub fn len(&self) -> usize {
        self.triangles.len()
    }

    /// True if there is no triangle.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.triangles.is_empty()
    }

    /// Number of levels: 1 for a single leaf.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// The volumes of all nodes with the triangles below them, the root first.
    pub fn nodes(&self) -> impl Iterator<Item = (&B, Leaf<'_, S>)> {
        self.nodes.iter().map(|node| (&node.volume, self.leaf(node)))
    }

    fn leaf(&self, node: &Node<B>) -> Leaf<'_, S> {
        let range = node.start as usize..node.end as usize;
        Leaf { triangles: &self.triangles[range.clone()], indices: &self.indices[range] }
    }
}

impl<S: Real, B: TreeVolume<S>> VolumeTree<B, S> {
    /// Builds a tree whose leaves have at most `leaf_size` triangles (at least one).
    ///
    /// # Errors
    /// If a triangle is not finite, or there are too many. No triangles make a tree without nodes.
    pub fn build(triangles: &[Triangle<S>], leaf_size: usize) -> Result<Self, TreeError> {
        if triangles.len() > Self::MAX_TRIANGLES {
            return Err(TreeError::TooMany { count: triangles.len() });
        }
        let third = S::of(1.0 / 3.0);
        let mut items = Vec::with_capacity(triangles.len());
        for (index, triangle) in (0u32..).zip(triangles) {
            let centre = triangle.a * third + triangle.b * third + triangle.c * third;
            // The products of sizes must not overflow either.
            if !triangle.corners().iter().all(|c| c.length_squared().is_finite()) {
                return Err(TreeError::NotFinite { triangle: index as usize });
            }
            items.push(Item { triangle: *triangle, centre, index });
        }
        let mut tree = Self { nodes: Vec::new(), triangles: Vec::new(), indices: Vec::new(), depth: 0 };
        tree.split(&mut items, leaf_size.max(1))?;
        tree.triangles = items.iter().map(|i| i.triangle).collect();
        tree.indices = items.iter().map(|i| i.index).collect();
        Ok(tree)
    }

    /// Orders the items and makes the nodes.
    fn split(&mut self, items: &mut [Item<S>], leaf_size: usize) -> Result<(), TreeError> {
        // Means are allowed this deep; medians need one level per bit after that.
        let deepest = 2 * items.len().max(1).ilog2() as usize + 4;
        let mut scratch = Vec::new();
        // Range, level, and the parent whose second child this is.
        let mut waiting = vec![(0, items.len(), 1, None)];
        while let Some((start, end, level, parent)) = waiting.pop() {
            if start == end {
                continue;
            }
            let range = &mut items[start..end];
            scratch.clear();
            scratch.extend(range.iter().map(|i| i.triangle));
            let volume =
                B::around(&scratch).ok_or(TreeError::NotFinite { triangle: range[0].index as usize })?;
            let node = self.nodes.len();
            if let Some(parent) = parent {
                let parent: &mut Node<B> = &mut self.nodes[parent];
                parent.second = node as u32;
            }
            self.nodes.push(Node { volume, start: start as u32, end: end as u32, second: 0 });
            self.depth = self.depth.max(level);
            if range.len() > leaf_size {
                let middle = start + part(range, level > deepest);
                // The last one pushed is made first, right after its parent.
                waiting.push((middle, end, level + 1, Some(node)));
                waiting.push((start, middle, level + 1, None));
            }
        }
        Ok(())
    }

    /// Calls `report` for each pair of leaves whose volumes overlap, with the `other` tree placed
    /// by `relative`: its pose as seen from the frame of this tree. `stack` is scratch memory.
    pub fn for_each_pair(
        &self,
        other: &Self,
        relative: &Pose<S>,
        stack: &mut Vec<(u32, u32)>,
        mut report: impl FnMut(Leaf<'_, S>, Leaf<'_, S>),
    ) -> Counters {
        let relative_pose = B::prepare(relative);
        let mut counters = Counters::default();
        stack.clear();
        if !self.is_empty() && !other.is_empty() {
            stack.push((0, 0));
        }
        while let Some((i, j)) = stack.pop() {
            let (a, b) = (&self.nodes[i as usize], &other.nodes[j as usize]);
            counters.volume_tests += 1;
            if !a.volume.overlaps_transformed(&b.volume, &relative_pose) {
                continue;
            }
            if a.second == 0 && b.second == 0 {
                counters.leaves += 1;
                counters.triangles += u64::from(a.end - a.start) * u64::from(b.end - b.start);
                report(self.leaf(a), other.leaf(b));
            } else if b.second == 0 || (a.second != 0 && a.volume.size() >= b.volume.size()) {
                stack.push((a.second, j));
                stack.push((i + 1, j));
            } else {
                stack.push((i, b.second));
                stack.push((i, j + 1));
            }
        }
        counters
    }

    /// Calls `report` for each leaf whose volume overlaps a volume given in the frame of the tree.
    pub fn for_each_overlapping(
        &self,
        volume: &B,
        stack: &mut Vec<u32>,
        mut report: impl FnMut(Leaf<'_, S>),
    ) -> Counters {
        let mut counters = Counters::default();
        stack.clear();
        if !self.is_empty() {
            stack.push(0);
        }
        while let Some(i) = stack.pop() {
            let node = &self.nodes[i as usize];
            counters.volume_tests += 1;
            if !node.volume.overlaps_volume(volume) {
                continue;
            }
            if node.second == 0 {
                counters.leaves += 1;
                counters.triangles += u64::from(node.end - node.start);
                report(self.leaf(node));
            } else {
                stack.push(node.second);
                stack.push(i + 1);
            }
        }
        counters
    }
}

/// Orders items so that those before the returned place, neither first nor last, come into the
/// first child.
fn part<S: Real>(items: &mut [Item<S>], in_halves: bool) -> usize {
    let spread = Aabb::<3, S>::of_points(items.iter().map(|i| i.centre));
    let axis = (spread.high() - spread.low()).largest_axis();
    if !in_halves {
        let scale = S::ONE / S::of(items.len() as f64);
        let mean = items.iter().fold(S::ZERO, |sum, i| sum + i.centre[axis] * scale);
        // A stable partition, so that the order of the input is the only thing that matters.
        let (low, high): (Vec<_>, Vec<_>) = items.iter().copied().partition(|i| i.centre[axis] < mean);
        if !low.is_empty() && !high.is_empty() {
            items[..low.len()].copy_from_slice(&low);
            items[low.len()..].copy_from_slice(&high);
            return low.len();
        }
    }
    let order = |a: &Item<S>, b: &Item<S>| {
        a.centre[axis]
            .partial_cmp(&b.centre[axis])
            .unwrap_or(std::cmp::Ordering::Equal)
            .then(a.index.cmp(&b.index))
    };
    let middle = items.len() / 2;
    items.select_nth_unstable_by(middle, order);
    middle
}
