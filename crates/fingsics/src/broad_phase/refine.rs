//! Refinement with oriented boxes: a second, tighter test on candidate pairs.
//!
//! The rounding of an oriented-box test depends on which box comes first, so the caller passes the
//! test and with it the order. Boxes are built by the caller, and only those of candidate bodies.

use crate::obb::{FingsicsObb, ParallelEdges};

use crate::broad_phase::Proxies;
use crate::broad_phase::brute_force::collect;
use carom_broadphase::Pair;

/// Keeps the pairs that pass a test, in their order.
pub(crate) fn keep(out: &mut Vec<Pair>, pairs: &[Pair], mut test: impl FnMut(Pair) -> bool) {
    out.clear();
    out.extend(pairs.iter().copied().filter(|&pair| test(pair)));
}

/// `obb`: all admissible pairs whose oriented boxes overlap, the smaller index first; returns the
/// number of tests. `boxes` is scratch that keeps its memory.
pub(crate) fn all_pairs<const D: usize>(
    out: &mut Vec<Pair>,
    boxes: &mut Vec<FingsicsObb>,
    proxies: &Proxies<'_, D>,
    parallel: ParallelEdges,
    obb: impl Fn(u32) -> FingsicsObb,
) -> u64 {
    boxes.clear();
    boxes.extend((0..proxies.len() as u32).map(obb));
    collect(out, proxies, |a, b| boxes[a].overlaps(&boxes[b], parallel))
}
