//! Refinement with oriented boxes: a second, tighter test on candidate pairs.
//!
//! Boxes are asked for through a closure, so that only those of candidate bodies are ever built.

use carom_geometry::Obb;
use carom_geometry::obb::ParallelEdges;

use crate::brute_force::collect;
use crate::{Pair, Proxies};

/// Keeps the pairs whose oriented boxes overlap, in their order; returns the number of tests.
pub fn overlapping(
    out: &mut Vec<Pair>,
    pairs: &[Pair],
    parallel: ParallelEdges,
    obb: impl Fn(usize) -> Obb,
) -> u64 {
    out.clear();
    out.extend(pairs.iter().filter(|pair| obb(pair.a as usize).overlaps(&obb(pair.b as usize), parallel)));
    pairs.len() as u64
}

/// `obb`: all admissible pairs whose oriented boxes overlap; returns the number of tests.
pub fn all_pairs<const D: usize>(
    out: &mut Vec<Pair>,
    proxies: &Proxies<'_, D>,
    parallel: ParallelEdges,
    obb: impl Fn(usize) -> Obb,
) -> u64 {
    let boxes: Vec<Obb> = (0..proxies.len()).map(obb).collect();
    collect(out, proxies, |a, b| boxes[a].overlaps(&boxes[b], parallel))
}
