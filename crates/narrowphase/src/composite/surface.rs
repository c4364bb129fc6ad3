//! A convex shape on a surface of triangles.
//!
//! Three passes. The first measures every triangle near the shape and takes contacts with faces,
//! and with edges and corners where the surface [allows](super::ghost) them. The second looks at
//! the others again: such a triangle still bears the shape if contact points over its face fit
//! those of its neighbours, as under the rim of a sliding box. The third merges contacts by
//! [normal](super::cluster).
//!
//! Nothing is lost: for a ball outside of the surface the nearest point of all is always allowed,
//! since a triangle that climbs along the normal has a nearer one; for all shapes, if a triangle is
//! met and no contact was taken that is, the shallowest one is reported as it was measured.

use carom_core::simd::{SimdFloat, SimdVec3, f32x8};
use carom_geometry::bytes::{BytesReadError, Reader, Stored, Writer};
use carom_geometry::mesh::{EdgeFlags, EdgeKind};
use carom_geometry::shape::Shape;
use carom_geometry::{Pose, Real};
use glam::Vec3;

use super::cluster::{Clusters, Part, Piece, Uneven};
use super::ghost::{FACE_COSINE, Feature, Wish, feature_along, is_allowed};
use super::list::{Entry, List};
use super::mover::{How, Kind, Measured, Mover, Side, TriangleCache, nearest_to_ball};
use super::triangles::Triangles;
use super::{MeshContactOptions, MeshContactReport, SurfaceSides};
use crate::Proximity;
use crate::manifold::{FeatureId, Manifold, ManifoldPoint};
use crate::sat::triangles::{Pack, Preferences};

/// What one contact of a convex shape with a surface leaves for the next, and buffers for it.
///
/// Belongs to one pair of shapes: [`clear`](Self::clear) it before another use. Its contents change
/// what a call costs, and which four of equally good points are chosen, but nothing else.
#[derive(Debug, Default)]
pub struct SurfaceCache {
    list: List,
    triangles: TriangleCache,
    pieces: Vec<Piece>,
    refused: Vec<Refused>,
    /// Triangles in contact in the last call, ascending.
    touched: Vec<u32>,
    clusters: Clusters,
    previous: Vec<Manifold>,
}

carom_core::clone_fields!(SurfaceCache { list, triangles, touched, previous }
    scratch { pieces, refused, clusters });

impl SurfaceCache {
    /// Forgets everything but keeps its allocations.
    pub fn clear(&mut self) {
        self.list.clear();
        self.touched.clear();
        self.previous.clear();
    }
}

/// What the next call depends on.
impl Stored for SurfaceCache {
    const LEAST: usize = 40;

    fn put(&self, out: &mut Writer) {
        self.list.put(out);
        self.triangles.put(out);
        self.touched.put(out);
        self.previous.put(out);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, BytesReadError> {
        Ok(Self {
            list: from.field("list")?,
            triangles: from.field("triangles")?,
            touched: from.field("touched")?,
            previous: from.field("previous")?,
            ..Self::default()
        })
    }
}

/// A contact with an edge or corner that the surface does not allow.
#[derive(Clone, Copy, Debug)]
struct Refused {
    entry: u32,
    measured: Measured,
}

/// How much deeper a contact over a face may be than the measured one if no other contact speaks
/// for it.
const TRUSTED_DEPTH: f32 = 10.0;

/// Share of the size of a body by which it meets what it meets by more than rounding.
const MET: f32 = 1e-4;

/// The contacts of a surface with a convex shape placed in its frame; they replace what is in
/// `out`. Shapes that are not convex and bounded are reported as not handled.
pub fn surface_contacts<T: Triangles>(
    surface: &T,
    shape: &Shape,
    pose: &Pose,
    options: &MeshContactOptions,
    cache: &mut SurfaceCache,
    out: &mut Vec<Manifold>,
) -> MeshContactReport {
    out.clear();
    let mut report = MeshContactReport::default();
    let Some(mover) = Mover::new(shape, pose) else {
        report.not_handled = 1;
        return report;
    };
    let SurfaceCache { list, triangles, pieces, refused, touched, clusters, previous } = cache;
    pieces.clear();
    refused.clear();
    clusters.clear();
    report.refilled = list.cover(surface, &mover.bounds.grown(options.speculative_distance));
    report.triangles = list.entries().len();
    triangles.begin(mover.kind, report.triangles, report.refilled);
    report.without_area = list.without_area();
    let mut search =
        Search { surface, mover: &mover, options, touched, triangles, pieces, refused, report: &mut report };
    match mover.kind {
        Kind::Ball { radius } => search.ball(list, radius),
        Kind::Box | Kind::Hull | Kind::Other => search.others(list),
    }
    clusters.assign(pieces);
    if !refused.is_empty() {
        second_look(surface, &mover, options, list, (triangles, refused), pieces, clusters, &mut report);
    }
    touched.clear();
    touched.extend(pieces.iter().map(|piece| piece.part));
    touched.sort_unstable();
    if matches!(mover.kind, Kind::Ball { .. }) {
        clusters.write_deepest(pieces, out);
    } else {
        clusters.write(pieces, previous, Uneven { slop: options.slop, of: Part::First }, out);
    }
    previous.clear();
    previous.extend_from_slice(out);
    report
}

/// The first pass.
struct Search<'a, T> {
    surface: &'a T,
    mover: &'a Mover<'a>,
    options: &'a MeshContactOptions,
    touched: &'a [u32],
    triangles: &'a mut TriangleCache,
    pieces: &'a mut Vec<Piece>,
    refused: &'a mut Vec<Refused>,
    report: &'a mut MeshContactReport,
}

impl<T: Triangles> Search<'_, T> {
    /// Calls with each triangle whose bit the test of its pack has set.
    #[inline]
    fn ball(&mut self, list: &List, radius: f32) {
        let reach = radius + self.options.speculative_distance;
        for (pack, entries) in list.packs().iter().zip(list.entries().chunks(f32x8::WIDTH)) {
            let (mut near, over) = near_ball(pack, self.mover.centre, reach);
            near &= (1 << entries.len()) - 1;
            while near != 0 {
                let lane = near.trailing_zeros() as usize;
                near &= near - 1;
                self.report.measured += 1;
                self.ball_on(&entries[lane], radius, over >> lane & 1 == 1);
            }
        }
    }

    fn ball_on(&mut self, entry: &Entry, radius: f32, is_over: bool) {
        let (centre, normal) = (self.mover.centre, entry.normal);
        let height = normal.dot(centre - entry.triangle.a);
        if self.is_behind(entry, height, radius) {
            return;
        }
        let (point, feature) = if is_over {
            (centre - normal * height, Feature::Face)
        } else {
            nearest_to_ball(&entry.triangle, centre)
        };
        let out = self.out(entry, height);
        let way = centre - point;
        let square = way.length_squared();
        let towards = way * (1.0 / Real::sqrt(Real::max(square, f32::MIN_POSITIVE)));
        let is_face = feature == Feature::Face
            || Real::abs(towards.dot(normal)) >= FACE_COSINE
            || square <= 1e-12 * radius * radius;
        let (direction, distance) = if is_face { (out, out.dot(way)) } else { (towards, Real::sqrt(square)) };
        let separation = distance - radius;
        if separation > self.options.speculative_distance {
            return;
        }
        let on_b = self.mover.bracket.axes.transposed_times(direction * -radius);
        let allowed = is_face
            || is_allowed(
                self.surface,
                entry.number,
                (&entry.triangle, normal),
                feature,
                direction,
                Wish { front_only: self.options.is_front_only(), is_smooth: false },
            );
        if !allowed {
            // The neighbour that climbs has a nearer point.
            self.report.ghosts += 1;
            return;
        }
        let mut manifold = Manifold::new(direction);
        manifold.push(ManifoldPoint { on_a: point, on_b, separation, feature: FeatureId::CLOSEST });
        self.accept(entry, manifold);
    }

    fn others(&mut self, list: &List) {
        let (speculative_distance, slop) = (self.options.speculative_distance, self.options.slop);
        let front_only = self.options.is_front_only();
        let wish = Preferences { front_only, slop, speculative_distance };
        for (block, (pack, entries)) in
            list.packs().iter().zip(list.entries().chunks(f32x8::WIDTH)).enumerate()
        {
            let gaps = self.mover.bracket.gaps(pack, &wish);
            let mut near = f32x8::bits(gaps.widest.at_most(f32x8::splat(speculative_distance)));
            near &= (1 << entries.len()) - 1;
            if near == 0 {
                continue;
            }
            let (widest, codes, gap) = (gaps.widest.to_array(), gaps.code.to_array(), gaps.gap.to_array());
            while near != 0 {
                let lane = near.trailing_zeros() as usize;
                near &= near - 1;
                let entry = &entries[lane];
                let height = entry.normal.dot(self.mover.centre - entry.triangle.a);
                if self.is_behind(entry, height, self.mover.reach(entry.normal)) {
                    continue;
                }
                self.report.measured += 1;
                let number = block * f32x8::WIDTH + lane;
                if self.mover.kind == Kind::Box {
                    let code = codes[lane] as u32;
                    let normal = self.mover.bracket.axis_of(code, &entry.triangle, entry.normal, front_only);
                    let found = Proximity { distance: gap[lane], normal, on_a: Vec3::ZERO, on_b: Vec3::ZERO };
                    let measured = Measured { found, how: How::Code(code) };
                    self.take(number, entry, measured, widest[lane] <= 0.0);
                } else {
                    let is_smooth = || has_no_edge(self.surface.edge_flags(entry.number));
                    let measured = self.mover.measure(self.triangles, number, entry, self.options, is_smooth);
                    let Some(mut measured) = measured else { continue };
                    let out = self.out(entry, height);
                    if out.dot(measured.found.normal) >= FACE_COSINE {
                        measured.found.normal = out;
                    }
                    self.take(number, entry, measured, measured.found.distance <= 0.0);
                }
            }
        }
    }

    /// Takes a contact if the surface allows it, or puts it aside for the second pass.
    fn take(&mut self, number: usize, entry: &Entry, measured: Measured, is_met: bool) {
        if matches!(measured.how, How::Face) {
            self.refused.push(Refused { entry: number as u32, measured });
            return;
        }
        let normal = measured.found.normal;
        let feature = feature_along(&entry.triangle, entry.normal, normal);
        let triangle = (&entry.triangle, entry.normal);
        let wish = Wish { front_only: self.options.is_front_only(), is_smooth: true };
        let allowed = is_allowed(self.surface, entry.number, triangle, feature, normal, wish);
        if allowed {
            let speculative_distance = self.options.speculative_distance;
            let manifold = match measured.how {
                How::Code(_) | How::Feature(_) if feature == Feature::Face => {
                    let side = Side::along(entry.normal, normal);
                    self.mover.over_face(self.triangles, &entry.triangle, side, speculative_distance)
                }
                _ => self.mover.points(self.triangles, entry, &measured, speculative_distance),
            };
            if !manifold.is_empty() {
                self.accept(entry, manifold);
                return;
            }
        }
        if !allowed || is_met {
            self.refused.push(Refused { entry: number as u32, measured });
        }
    }

    /// The normal of the triangle on the side of the body.
    #[inline]
    fn out(&self, entry: &Entry, height: f32) -> Vec3 {
        if height < 0.0 && !self.options.is_front_only() { -entry.normal } else { entry.normal }
    }

    /// Is the body behind a surface with a front only? A triangle that it was in contact with lets
    /// go of it later.
    #[inline]
    fn is_behind(&self, entry: &Entry, height: f32, reach: f32) -> bool {
        let SurfaceSides::Front { through } = self.options.sides else { return false };
        if height >= -through * reach {
            return false;
        }
        height < -2.0 * through * reach || self.touched.binary_search(&entry.number).is_err()
    }

    fn accept(&mut self, entry: &Entry, manifold: Manifold) {
        self.pieces.push(Piece { manifold, part: entry.number, weight: entry.area, cluster: 0 });
    }
}

/// Is there no edge that a body could strike?
fn has_no_edge(flags: EdgeFlags) -> bool {
    flags.kinds().iter().all(|kind| matches!(kind, EdgeKind::Flat | EdgeKind::Concave))
}

/// Triangles of a pack within `reach` of a point, as far as planes through their edges tell, and
/// those whose face the point is over or under, as bits.
#[inline]
fn near_ball<L: SimdFloat>(pack: &Pack<L>, centre: Vec3, reach: f32) -> (u32, u32) {
    let (zero, square, slack) = (L::splat(0.0), L::splat(reach * reach), L::splat(1e-6 * reach * reach));
    let centre = SimdVec3::<L>::splat(centre);
    let height = pack.normal.dot(centre - pack.corners[0]);
    let mut near = (height * height).at_most(square);
    // Radius of the circle that the ball cuts out of the plane.
    let square = square - height * height;
    let mut over = near;
    for edge in 0..3 {
        let from = pack.corners[edge];
        let along = pack.corners[(edge + 1) % 3] - from;
        let beyond = along.cross(pack.normal).dot(centre - from);
        over = over & beyond.below(zero);
        // A little more than needed: both sides are rounded.
        let limit = (square + slack) * along.dot(along) * L::splat(1.0001);
        near = near & (beyond.at_most(zero) | (beyond * beyond).at_most(limit));
    }
    (L::bits(near), L::bits(over))
}

/// The contact with the edge that a body strikes, where a face that is hardly deeper was preferred.
///
/// The axis of a face is preferred to that of two edges that are less deep by the slop at most, and
/// a face of the body may be deepest beyond its rim, over a corner of the triangle that the surface
/// does not allow. Without this, a ridge under the rim of a box would hold it in one step and not
/// in the next.
#[cold]
fn struck_edge<T: Triangles>(
    surface: &T,
    mover: &Mover<'_>,
    options: &MeshContactOptions,
    list: &List,
    (triangles, case): (&mut TriangleCache, &Refused),
) -> Option<Manifold> {
    let (number, front_only) = (case.entry as usize, options.is_front_only());
    let entry = &list.entries()[number];
    let measured = mover.measure_exactly(triangles, number, list, options)?;
    let normal = measured.found.normal;
    let feature = feature_along(&entry.triangle, entry.normal, normal);
    let wish = Wish { front_only, is_smooth: true };
    let is_edge = matches!(feature, Feature::Edge(_));
    if !(is_edge && is_allowed(surface, entry.number, (&entry.triangle, entry.normal), feature, normal, wish))
    {
        return None;
    }
    let manifold = mover.points(triangles, entry, &measured, options.speculative_distance);
    (!manifold.is_empty()).then_some(manifold)
}

/// The second pass, see above.
#[expect(clippy::too_many_arguments, reason = "what the first pass has at hand, and called once")]
fn second_look<T: Triangles>(
    surface: &T,
    mover: &Mover<'_>,
    options: &MeshContactOptions,
    list: &List,
    (triangles, refused): (&mut TriangleCache, &[Refused]),
    pieces: &mut Vec<Piece>,
    clusters: &mut Clusters,
    report: &mut MeshContactReport,
) {
    let (taken, entries) = (pieces.len(), list.entries());
    for case in refused {
        let entry = &entries[case.entry as usize];
        let height = entry.normal.dot(mover.centre - entry.triangle.a);
        let is_back = height < 0.0 && !options.is_front_only();
        let out = if is_back { -entry.normal } else { entry.normal };
        let manifold = mover.over_face_with_deepest(
            triangles,
            &entry.triangle,
            Side { normal: out, is_back },
            options.speculative_distance,
        );
        let deepest = manifold.deepest();
        let fits = !manifold.is_empty()
            && match clusters.like(out) {
                Some(cluster) => deepest >= cluster.deepest - options.slop,
                None => {
                    let is_covered = || {
                        (0..3)
                            .filter_map(|edge| surface.neighbour(entry.number, edge))
                            .any(|across| pieces[..taken].iter().any(|piece| piece.part == across))
                    };
                    deepest >= TRUSTED_DEPTH * Real::min(case.measured.found.distance, 0.0) - options.slop
                        && !is_covered()
                }
            };
        let is_alone = || clusters.like(out).is_none();
        if fits {
            report.rotated += 1;
            pieces.push(Piece { manifold, part: entry.number, weight: entry.area, cluster: 0 });
        } else if is_alone()
            && let Some(manifold) = struck_edge(surface, mover, options, list, (triangles, case))
        {
            pieces.push(Piece { manifold, part: entry.number, weight: entry.area, cluster: 0 });
        } else {
            report.ghosts += 1;
        }
    }
    if pieces.len() > taken {
        clusters.assign(pieces);
    }
    if pieces.iter().all(|piece| piece.manifold.deepest() > 0.0) {
        // The shallowest, and of equals the first, that is really met: beside contacts within the
        // speculative distance by more than rounding.
        let rounding = if pieces.is_empty() { 0.0 } else { MET * mover.bracket.half.max_element() };
        let met = refused.iter().filter(|case| case.measured.found.distance <= -rounding);
        let number = |case: &Refused| entries[case.entry as usize].number;
        let shallowest = met.max_by(|a, b| {
            a.measured.found.distance.total_cmp(&b.measured.found.distance).then(number(b).cmp(&number(a)))
        });
        if let Some(case) = shallowest {
            let entry = &entries[case.entry as usize];
            let manifold = mover.some_points(triangles, entry, &case.measured, options.speculative_distance);
            // It counts as a ghost unless it was turned; clusters have sorted the pieces, the
            // turned ones among them.
            if !pieces.iter().any(|piece| piece.part == entry.number) {
                report.ghosts -= 1;
            }
            let mut piece = Piece { manifold, part: entry.number, weight: entry.area, cluster: 0 };
            clusters.add(&mut piece);
            pieces.push(piece);
        }
    }
}
