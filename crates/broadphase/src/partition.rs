//! Trees that cut space: quadtree, octree, both also loose, kd-trees and BSP trees; files of them
//! for static worlds.
//!
//! All are one flattened structure ([`CellTree`]), so walks, pairs, queries and files are written
//! once. As a method a tree is rebuilt when boxes changed; built once and
//! [saved](CellTree::to_bytes) it serves a world that does not change.
//!
//! Cutting ends where a node has few boxes, at the greatest depth, or where a cut would be of no
//! use. The kd-tree of 2^D children is cut on each axis where half of the boxes' centres are on
//! either side, found by [bisection](best_cut); the binary one at the median of one axis. The BSP
//! tree sorts boxes by their oriented boxes, not by their axis-aligned ones: two overlapping
//! axis-aligned boxes cannot be separated by any plane, their oriented boxes often can.
//!
//! Cost per update: O(n log n) for the tree, then O(n × leaf) tests.

mod broad_phase;
mod bsp;
mod build;
mod cut;
pub mod file;
mod loose;
mod pairs;
mod tree;

pub use cut::{Cut, best_cut};
pub use file::FileError;
pub use tree::{CellTree, Kind, Limits, Node, Statistics};

use crate::Method;
use crate::broad_phase::BroadPhase;
use crate::method::About;
use crate::options::BroadPhaseOptions;

const EXACT: &str = "Exactly the pairs of overlapping boxes.";
const CUTS: &[&str] = &["leaf", "depth"];

pub(crate) fn about(method: Method) -> About {
    let (name, what, cost, best, options): (_, _, _, _, &[&str]) = match method {
        Method::Quadtree => (
            "quadtree",
            "Space is quartered along two axes (x and z, in the plane x and y) until cells hold few boxes.",
            "O(n log n); boxes over cuts stand in several leaves.",
            "Flat worlds with clusters, built once.",
            CUTS,
        ),
        Method::LooseQuadtree => (
            "loose-quadtree",
            "Each box stands in the one doubled cell of its size, cells are quarters along two axes.",
            "O(n log n), whatever the sizes of the boxes.",
            "Flat worlds with boxes of different sizes.",
            &["depth"],
        ),
        Method::LooseOctree => (
            "loose-octree",
            "Each box stands in the one doubled cell of its size, cells are halves along every axis.",
            "O(n log n), whatever the sizes of the boxes.",
            "Boxes of different sizes in clusters.",
            &["depth"],
        ),
        Method::KdTree => (
            "kd-tree",
            "Space is cut on every axis at half of the density until cells hold few boxes.",
            "O(n log n) with a large factor: up to 16 tries for each cut.",
            "Unevenly filled static worlds, built once.",
            CUTS,
        ),
        Method::BinaryKdTree => (
            "kd-tree-binary",
            "Space is cut at the median of one axis until cells hold few boxes.",
            "O(n log n); boxes over cuts stand in several leaves.",
            "Unevenly filled worlds; queries.",
            CUTS,
        ),
        Method::Bsp => (
            "bsp",
            "Space is cut by planes of any direction that part the oriented boxes.",
            "O(n log n) with a large factor: several planes are tried for each cut.",
            "Static worlds with long boxes that lie askew.",
            CUTS,
        ),
        _ => (
            "octree",
            "Space is halved along every axis until cells hold few boxes.",
            "O(n log n); boxes over cuts stand in several leaves.",
            "Worlds with clusters, built once.",
            CUTS,
        ),
    };
    let contract = match method {
        Method::Bsp => {
            "The pairs of overlapping boxes; given oriented boxes, without some of which these are apart."
        }
        _ => EXACT,
    };
    About { name, what, contract, cost, best, options }
}

pub(crate) fn broad_phase<const D: usize>(
    method: Method,
    options: &BroadPhaseOptions,
) -> Box<dyn BroadPhase<D>> {
    let kind = match method {
        Method::Quadtree => Kind::Quadtree,
        Method::LooseQuadtree => Kind::LooseQuadtree,
        Method::LooseOctree => Kind::LooseOctree,
        Method::KdTree => Kind::KdTree,
        Method::BinaryKdTree => Kind::BinaryKdTree,
        Method::Bsp => Kind::Bsp,
        _ => Kind::Octree,
    };
    let usual = Limits::default();
    let depth = if kind.is_loose() { Limits::DEEPEST_LOOSE } else { usual.depth };
    let limits = Limits { leaf: options.leaf.unwrap_or(usual.leaf), depth: options.depth.unwrap_or(depth) };
    Box::new(broad_phase::Trees::new(kind, limits))
}
