//! The thread pool of a world, and slices that several threads write disjoint parts of.
//!
//! Work is cut into tasks whose number does not depend on the number of threads. Whoever is free
//! takes the next one, so no result may depend on who runs a task. The calling thread works too,
//! and waits only for workers that have begun: if none comes in time, it has done everything alone.
//!
//! General pools take some ten microseconds to begin; a step has dozens of stages that take not
//! much longer than that. So a worker without work spins for a while before it blocks.
//!
//! | module | holds |
//! |---|---|
//! | [`pool`] | [`ThreadPool`]: starting, waking and stopping workers, one call at a time |
//! | `stages` | many short stages with barriers between them in one call |
//! | [`disjoint`] | [`DisjointSlice`]: a slice whose elements different threads write |

pub mod disjoint;
pub mod pool;
mod stages;

use std::ops::Range;

pub use disjoint::DisjointSlice;
pub use pool::ThreadPool;

/// The `index`-th of `count` nearly equal parts of `0..len`.
#[must_use]
pub fn task_range(len: usize, index: usize, count: usize) -> Range<usize> {
    len * index / count..len * (index + 1) / count
}
