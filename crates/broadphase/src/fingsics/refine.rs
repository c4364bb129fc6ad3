//! Refinement with oriented boxes: a second, tighter test on candidate pairs.
//!
//! The rounding of an oriented-box test depends on which box comes first, so the caller passes the test and with it the
//! order. Boxes are built by the caller, and only those of candidate bodies.

use carom_geometry::fingsics::obb::{Obb, ParallelEdges};

use crate::Pair;
use crate::fingsics::Proxies;
use crate::fingsics::brute_force::collect;

/// Keeps the pairs that pass a test, in their order.
pub fn keep(out: &mut Vec<Pair>, pairs: &[Pair], mut test: impl FnMut(Pair) -> bool) {
    out.clear();
    out.extend(pairs.iter().copied().filter(|&pair| test(pair)));
}

/// `obb`: all admissible pairs whose oriented boxes overlap, the smaller index first; returns the number of tests.
/// `boxes` is scratch that keeps its memory.
pub fn all_pairs<const D: usize>(
    out: &mut Vec<Pair>,
    boxes: &mut Vec<Obb>,
    proxies: &Proxies<'_, D>,
    parallel: ParallelEdges,
    obb: impl Fn(u32) -> Obb,
) -> u64 {
    boxes.clear();
    boxes.extend((0..proxies.len() as u32).map(obb));
    collect(out, proxies, |a, b| boxes[a].overlaps(&boxes[b], parallel))
}
