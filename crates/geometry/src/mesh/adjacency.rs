//! Which triangle lies across each edge.
//!
//! Sides are gathered by their lower vertex and sorted by the other one; sides that meet lie
//! together then. Linear for ordinary meshes, n log n for a fan of n triangles around one vertex,
//! and no hashing.

use glam::Vec3;

use super::clean::Buckets;
use super::edge::{self, EdgeFlags, EdgeKind};
use super::options::{Finding, MeshReport};

/// Stands for "no neighbour".
pub(super) const NONE: u32 = u32::MAX;

/// Neighbours and edge kinds of every triangle, in the order of the list.
pub(super) struct Adjacency {
    pub(super) neighbours: Vec<[u32; 3]>,
    pub(super) flags: Vec<EdgeFlags>,
}

/// Finds them; border, non-manifold and flipped sides go to the report under the caller's
/// `numbers`.
pub(super) fn connect(
    vertices: &[Vec3],
    triangles: &[[u32; 3]],
    numbers: &[u32],
    flat_cosine: f64,
    report: &mut MeshReport,
) -> Adjacency {
    let mut neighbours = vec![[NONE; 3]; triangles.len()];
    let mut flags = vec![EdgeFlags::default(); triangles.len()];
    let (mut border, mut non_manifold, mut flipped) = (Vec::new(), Vec::new(), Vec::new());
    let number = |side: u32| numbers[side as usize / 3];
    // An entry is the upper vertex and the side, numbered 3 · triangle + edge: below 3 · 2³⁰.
    let sides = triangles.iter().enumerate().flat_map(|(index, t)| {
        (0..3).map(move |k| {
            let (a, b) = (t[k], t[(k + 1) % 3]);
            (a.min(b), u64::from(a.max(b)) << 32 | (index * 3 + k) as u64)
        })
    });
    for bucket in Buckets::new(vertices.len(), sides).sorted() {
        for meeting in bucket.chunk_by(|a, b| a >> 32 == b >> 32) {
            match *meeting {
                [one] => border.push(number(one as u32)),
                [one, other] => {
                    let (one, other) = (one as u32, other as u32);
                    // A triangle kept without area can meet itself: nothing lies across.
                    if one / 3 == other / 3 {
                        border.extend([number(one), number(other)]);
                        continue;
                    }
                    let flip = start(triangles, one) == start(triangles, other);
                    let seen = kind(vertices, triangles, one, other, flat_cosine);
                    // Turned alike, both see the same bend; turned against each other, the opposite
                    // one.
                    let back = if flip { kind(vertices, triangles, other, one, flat_cosine) } else { seen };
                    for (side, across, kind) in [(one, other, seen), (other, one, back)] {
                        let (t, k) = (side as usize / 3, side as usize % 3);
                        neighbours[t][k] = across / 3;
                        flags[t] = flags[t].with(k, kind);
                    }
                    if flip {
                        flipped.extend([number(one), number(other)]);
                    }
                }
                _ => {
                    for side in meeting.iter().map(|side| *side as u32) {
                        let (t, k) = (side as usize / 3, side as usize % 3);
                        flags[t] = flags[t].with(k, EdgeKind::NonManifold);
                        non_manifold.push(number(side));
                    }
                }
            }
        }
    }
    report.border = Finding::of(border);
    report.non_manifold = Finding::of(non_manifold);
    report.flipped = Finding::of(flipped);
    Adjacency { neighbours, flags }
}

/// The vertex a side starts at; neighbours that are turned alike run along their common edge in
/// opposite directions.
fn start(triangles: &[[u32; 3]], side: u32) -> u32 {
    triangles[side as usize / 3][side as usize % 3]
}

fn kind(vertices: &[Vec3], triangles: &[[u32; 3]], side: u32, across: u32, flat_cosine: f64) -> EdgeKind {
    let corner = |side: u32, step: usize| {
        vertices[triangles[side as usize / 3][(side as usize % 3 + step) % 3] as usize]
    };
    edge::bend(corner(side, 0), corner(side, 1), corner(side, 2), corner(across, 2), flat_cosine)
}
