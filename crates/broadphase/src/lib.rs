//! *Which pairs may touch*: the broad phases.
//!
//! A [`Space`] holds boxes that come, move and go; an update turns them into a sorted list of the
//! pairs that overlap, and says which pairs began and ended. How they are found is a matter of the
//! method, chosen by name at run time ([`Method`], [`Choice`]); there is one virtual call per
//! update and none per pair.
//!
//! | module | holds |
//! |---|---|
//! | [`space`], [`queries`] | boxes, pairs and questions: what users meet |
//! | [`table`], [`bound`] | the boxes by id, filters, changes; tighter volumes inside the boxes |
//! | [`broad_phase`] | the contract of a method |
//! | [`method`], [`options`] | names and options |
//! | [`brute`] | `none`, `aabb`, `sphere`, `obb`: every pair looked at, the oracles of the rest |
//! | [`sap`] | sweep and prune: persistent, direct, incremental, in several cells |
//! | [`pruning`] | one axis sorted and swept: `box-pruning`, `bucket-pruning`, `kd-sweep` |
//! | [`grid`] | uniform, hashed and hierarchical grids |
//! | [`partition`] | trees that cut space: quadtree, octree, kd-tree, BSP; files of them |
//! | [`bvh`] | trees of boxes: dynamic, rebuilt, refitted |
//! | [`auto`] | picks a method from a cost model |
//! | [`refine`] | a second test with spheres, oriented boxes or k-DOPs after any method |
//! | [`pair`] | pairs and the persistent pair set |
#![forbid(unsafe_code)]

pub mod auto;
pub mod bound;
pub mod broad_phase;
pub mod brute;
pub mod bvh;
mod columns;
pub mod grid;
pub mod method;
pub mod options;
pub mod pair;
pub mod pair_limit;
mod pair_list;
pub mod partition;
pub mod pruning;
pub mod queries;
mod radix;
pub mod refine;
pub mod sap;
pub mod space;
pub mod table;
mod tasks;

pub use bound::Bound;
pub use broad_phase::{BroadPhase, Contract, Counters};
pub use method::{Choice, ChoiceError, Method, UnknownMethod};
pub use pair::Pair;
pub use pair_limit::TooManyPairs;
pub use space::{PairChanges, Space};
pub use table::{BoxError, Filter, Table};
