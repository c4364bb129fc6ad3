//! Contacts of compounds with anything, and of any two shapes of which one is a composite.
//!
//! A compound is walked down to its children near the other shape; each pair of leaves makes its
//! contacts as if alone, and the contacts are merged by [normal](super::cluster) in the frames of
//! the two whole shapes. Contacts with the [seams](super::seam) between children are dropped. (Of
//! compounds in compounds the outermost children are compared.)
//!
//! What is cached for a pair of leaves is found by a hash of the path to it. Two paths with one
//! hash would share a cache entry that serves neither well, which costs time and nothing else.

use carom_geometry::bytes::{BytesReadError, Reader, Stored, Writer};
use carom_geometry::shape::{Bounded, Child, Compound, Shape};
use carom_geometry::{Pose, Real};
use glam::Vec3;

use super::cluster::{self, Clusters, Piece, Uneven};
use super::seam::{self, Held, Holder, SeamLimits};
use super::surface::{SurfaceCache, surface_contacts};
use super::{MeshContactOptions, MeshContactReport};
use crate::manifold::Manifold;
use crate::sat::Tolerances;
use crate::toi::core::has_no_thickness;
use crate::{NarrowMethod, pair};

/// Calls after which the entry of a pair of leaves that no longer come near each other is dropped.
const KEPT_CALLS: u32 = 64;

/// What the contacts of two shapes leave for the next call, and buffers for it. Belongs to one pair
/// of shapes.
#[derive(Debug, Default)]
pub struct CompositeCache {
    /// Sorted by number.
    leaves: Vec<Leaf>,
    call: u32,
    pieces: Vec<Piece>,
    /// The outermost children that the pieces belong to.
    owners: Vec<[u32; 2]>,
    clusters: Clusters,
    previous: Vec<Manifold>,
    /// Children to be looked at, of all levels of the walk.
    children: Vec<u32>,
    manifolds: Vec<Manifold>,
    scratch: pair::Scratch,
}

carom_core::clone_fields!(CompositeCache { leaves, call, previous }
    scratch { pieces, owners, clusters, children, manifolds, scratch });

impl CompositeCache {
    /// Forgets everything but keeps its allocations.
    pub fn clear(&mut self) {
        self.leaves.clear();
        self.previous.clear();
    }
}

#[derive(Debug)]
struct Leaf {
    number: u64,
    last_call: u32,
    cache: pair::PairCache,
    contact: Manifold,
    surface: Option<Box<SurfaceCache>>,
}

carom_core::clone_fields!(Leaf { number, last_call, cache, contact, surface });
carom_geometry::stored!(Leaf {
    number: u64,
    last_call: u32,
    cache: pair::PairCache,
    contact: Manifold,
    surface: Option<Box<SurfaceCache>>,
});

/// What the next call depends on.
impl Stored for CompositeCache {
    const LEAST: usize = 12;

    fn put(&self, out: &mut Writer) {
        self.leaves.put(out);
        self.call.put(out);
        self.previous.put(out);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, BytesReadError> {
        let leaves: Vec<Leaf> = from.field("leaves")?;
        if !leaves.is_sorted_by(|a, b| a.number < b.number) {
            return Err(from.refused("the leaves of a composite are not in the order of their numbers"));
        }
        let (call, previous) = (from.field("call")?, from.field("previous")?);
        Ok(Self { leaves, call, previous, ..Self::default() })
    }
}

/// A shape on the way down: where it is in the outermost shape, and its path.
#[derive(Clone, Copy)]
struct Part<'s> {
    shape: &'s Shape,
    frame: Pose,
    path: u32,
    /// The outermost child; `u32::MAX` before there is one.
    child: u32,
}

impl<'s> Part<'s> {
    fn whole(shape: &'s Shape) -> Self {
        Self { shape, frame: Pose::IDENTITY, path: 0, child: u32::MAX }
    }

    fn child(&self, compound: &'s Compound, index: u32) -> Self {
        let child = &compound.children()[index as usize];
        // FNV-1a (G. Fowler, L. Noll, P. Vo) with words for bytes.
        let path = (self.path ^ index.wrapping_add(1)).wrapping_mul(0x0100_0193);
        let outermost = if self.child == u32::MAX { index } else { self.child };
        Self { shape: &child.shape, frame: self.frame * child.pose, path, child: outermost }
    }
}

/// The contacts of two shapes, in the frame of the first; they replace what is in `out`. Takes
/// every pair that a convex shape, mesh, height field or compound forms with another one; pairs of
/// leaves without contacts by this method (mesh and mesh, mesh and half-space) are counted in the
/// report.
pub fn contacts(
    a: &Shape,
    b: &Shape,
    pose: &Pose,
    options: &MeshContactOptions,
    cache: &mut CompositeCache,
    out: &mut Vec<Manifold>,
) -> MeshContactReport {
    out.clear();
    cache.call = cache.call.wrapping_add(1);
    cache.pieces.clear();
    cache.owners.clear();
    cache.clusters.clear();
    let mut report = MeshContactReport::default();
    if pose.is_finite() {
        let mut walk = Walk { cache, options, pose, report: &mut report };
        walk.descend(&Part::whole(a), &Part::whole(b));
    } else {
        report.not_handled = 1;
    }
    report.ghosts += drop_seams(cache, [a, b], pose, options);
    cache.clusters.assign(&mut cache.pieces);
    let uneven = Uneven { slop: options.slop, of: cluster::Part::Any };
    cache.clusters.write(&cache.pieces, &cache.previous, uneven, out);
    cache.previous.clear();
    cache.previous.extend_from_slice(out);
    let call = cache.call;
    cache.leaves.retain(|leaf| call.wrapping_sub(leaf.last_call) <= KEPT_CALLS);
    report
}

struct Walk<'a> {
    cache: &'a mut CompositeCache,
    options: &'a MeshContactOptions,
    pose: &'a Pose,
    report: &'a mut MeshContactReport,
}

impl Walk<'_> {
    /// Recursion is bounded by the depth of compounds.
    fn descend(&mut self, a: &Part<'_>, b: &Part<'_>) {
        match (a.shape, b.shape) {
            (Shape::Compound(compound), _) => self.children(a, compound, b, false),
            (_, Shape::Compound(compound)) => self.children(b, compound, a, true),
            _ => self.leaf(a, b),
        }
    }

    /// The children of a compound near the other shape, in the order of their numbers.
    fn children(&mut self, part: &Part<'_>, compound: &Compound, other: &Part<'_>, is_second: bool) {
        let region = if matches!(other.shape, Shape::HalfSpace(_)) {
            compound.aabb()
        } else {
            // The other shape in the frame of the compound.
            let (mine, theirs) = (part.frame, other.frame);
            let relative = if is_second {
                (*self.pose * mine).relative(&theirs)
            } else {
                mine.relative(&(*self.pose * theirs))
            };
            other.shape.aabb_at(&relative).grown(self.options.speculative_distance)
        };
        let start = self.cache.children.len();
        let list = &mut self.cache.children;
        compound.for_each_in_box(&region, |child| list.push(child));
        list[start..].sort_unstable();
        for at in start..self.cache.children.len() {
            let child = part.child(compound, self.cache.children[at]);
            if is_second { self.descend(other, &child) } else { self.descend(&child, other) }
        }
        self.cache.children.truncate(start);
    }

    fn leaf(&mut self, a: &Part<'_>, b: &Part<'_>) {
        let at = self.leaf_index(u64::from(a.path) << 32 | u64::from(b.path));
        let CompositeCache { leaves, manifolds, scratch, .. } = &mut *self.cache;
        let leaf = &mut leaves[at];
        let pose = a.frame.relative(&(*self.pose * b.frame));
        let mut surface = |surface: &Shape, shape: &Shape, pose: &Pose, out: &mut Vec<Manifold>| {
            let cache = leaf.surface.get_or_insert_default();
            match surface {
                Shape::Mesh(mesh) => surface_contacts(&**mesh, shape, pose, self.options, cache, out),
                Shape::HeightField(field) => {
                    surface_contacts(&**field, shape, pose, self.options, cache, out)
                }
                _ => MeshContactReport { not_handled: 1, ..MeshContactReport::default() },
            }
        };
        manifolds.clear();
        let report = match (a.shape, b.shape) {
            (Shape::Mesh(_) | Shape::HeightField(_), other) => surface(a.shape, other, &pose, manifolds),
            (other, Shape::Mesh(_) | Shape::HeightField(_)) => {
                let back = pose.inverse();
                let report = surface(b.shape, other, &back, manifolds);
                for manifold in manifolds.iter_mut() {
                    *manifold = manifold.swapped(&back);
                }
                report
            }
            (one, other) => {
                let tolerances = Tolerances {
                    speculative_distance: self.options.speculative_distance,
                    slop: self.options.slop,
                };
                let (known, contact) = (&mut leaf.cache, &mut leaf.contact);
                match pair::manifold(
                    one,
                    other,
                    &pose,
                    tolerances,
                    NarrowMethod::Auto,
                    known,
                    scratch,
                    contact,
                ) {
                    Ok(()) => {
                        manifolds.push(*contact);
                        MeshContactReport::default()
                    }
                    Err(_) => MeshContactReport { not_handled: 1, ..MeshContactReport::default() },
                }
            }
        };
        self.report.add(&report);
        let part = a.path.rotate_left(16) ^ b.path;
        let is_flat = self.options.flat_skin > 0.0 && has_no_thickness(a.shape) && has_no_thickness(b.shape);
        for manifold in &self.cache.manifolds {
            if !manifold.is_empty() {
                let mut manifold = manifold.framed(&a.frame, &b.frame);
                if is_flat {
                    manifold.hold_apart(self.options.flat_skin, self.pose);
                }
                let weight = -manifold.deepest();
                // The place in the list of owners, until clusters are told.
                let cluster = self.cache.owners.len() as u32;
                self.cache.pieces.push(Piece { manifold, part, weight, cluster });
                self.cache.owners.push([a.child, b.child]);
            }
        }
    }

    /// Where the entry of a pair of leaves is.
    fn leaf_index(&mut self, number: u64) -> usize {
        let leaves = &mut self.cache.leaves;
        let at = leaves.binary_search_by_key(&number, |leaf| leaf.number).unwrap_or_else(|at| {
            leaves.insert(
                at,
                Leaf {
                    number,
                    last_call: 0,
                    cache: pair::PairCache::default(),
                    contact: Manifold::default(),
                    surface: None,
                },
            );
            at
        });
        leaves[at].last_call = self.cache.call;
        at
    }
}

/// Drops contacts with children that other children hide; returns how many.
fn drop_seams(
    cache: &mut CompositeCache,
    shapes: [&Shape; 2],
    pose: &Pose,
    options: &MeshContactOptions,
) -> usize {
    let CompositeCache { pieces, owners, .. } = cache;
    let before = pieces.len();
    if before < 2 {
        return 0;
    }
    // The shallowest first: of two that cover each other the deeper one stays.
    pieces.sort_unstable_by(|a, b| a.weight.total_cmp(&b.weight).then(a.cluster.cmp(&b.cluster)));
    let [radius_a, radius_b] = shapes.map(|shape| shape.aabb().half().length());
    let (speculative_distance, slop) = (options.speculative_distance, options.slop);
    let limits = SeamLimits { radius: Real::min(radius_a, radius_b), speculative_distance, slop };
    for (side, shape) in shapes.into_iter().enumerate() {
        let Shape::Compound(compound) = shape else { continue };
        let of = |piece: &Piece| Held::new(&piece.manifold, 1 - side);
        // Out of the compound, in its frame.
        let outwards = |piece: &Piece| match side {
            0 => piece.manifold.normal,
            _ => -pose.rotation.rotate_back(piece.manifold.normal),
        };
        let mut at = 0;
        while at < pieces.len() {
            let (piece, owner) = (&pieces[at], owners[pieces[at].cluster as usize]);
            let is_seam = pieces.iter().any(|other| {
                let by = owners[other.cluster as usize];
                by[side] != owner[side]
                    && by[1 - side] == owner[1 - side]
                    && limits.is_seam(&of(piece), &of(other))
                    && {
                        let children = [owner, by].map(|pair| &compound.children()[pair[side] as usize]);
                        let normals = [outwards(piece), outwards(other)];
                        let depth = -other.manifold.deepest();
                        let opening = |point: Vec3| {
                            pieces.iter().any(|any| {
                                let child = owners[any.cluster as usize][side];
                                let child = &compound.children()[child as usize];
                                seam::fills(&child.shape, child.pose.undo(point), slop)
                            })
                        };
                        is_hidden(children, &own_points(piece, side), normals, depth, slop, opening)
                    }
            });
            if is_seam {
                pieces.remove(at);
            } else {
                at += 1;
            }
        }
    }
    before - pieces.len()
}

/// Points of a contact on the first (0) or second (1) shape, in its frame.
fn own_points(piece: &Piece, side: usize) -> Held {
    Held::new(&piece.manifold, side)
}

/// Are all points of a contact with one child of a compound hidden by another child? `outwards` are
/// the normals of the contacts of both, out of the compound and in its frame, `depth` is that of
/// the contact with the other child, and `is_filled` tells whether any child fills an opening.
fn is_hidden(
    children: [&Child; 2],
    contact: &Held,
    outwards: [Vec3; 2],
    depth: f32,
    gap: f32,
    is_filled: impl Fn(Vec3) -> bool,
) -> bool {
    let [own, beside] = children.map(|child| {
        let [seam, beside] = outwards.map(|normal| child.pose.rotation.rotate_back(normal));
        Holder { shape: &child.shape, seam, beside }
    });
    contact.points().iter().all(|&point| {
        let [in_own, in_beside] = children.map(|child| child.pose.undo(point));
        beside.hides(in_beside, gap)
            && own
                .opening(in_own, beside.depth_of(in_beside, depth), gap)
                .is_none_or(|opening| is_filled(children[0].pose.apply(opening)))
    })
}
