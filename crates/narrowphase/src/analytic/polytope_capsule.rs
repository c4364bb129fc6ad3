//! A polytope and a capsule whose core is outside of it: distance by a walk, contact points over a
//! face.
//!
//! How far a point is from a convex set is a convex function along a line. Within the Voronoi
//! region of a feature its slope is known exactly, so Newton's method along the segment takes one
//! step per region that the search passes; each step walks over the polytope from the feature
//! before ([`walk`](super::walk)). A pass over the planes of all faces, eight at a time, finds
//! where to begin, and often that there is nothing to look for.
//!
//! An answer is given only if the support functions show the same gap along its normal, which
//! together with the two points proves it. Where the core comes close to the polytope, meets it, or
//! rounding leads the walk astray, there is none: [`gjk`](crate::gjk), which takes three times as
//! long, knows, and is the twin that the tests compare with.

use carom_core::simd::{SimdFloat, f32x8};
use carom_geometry::polytope::{FaceId, Feature, HalfEdgeId, VertexId};
use carom_geometry::primitive::Segment;
use carom_geometry::shape::Capsule;
use carom_geometry::{Polytope, Pose, Real, Vector};
use glam::Vec3;

use super::walk::walk_to_nearest;
use crate::manifold::contact::{LEAST_COSINE, rounding};
use crate::manifold::{FeatureId, Manifold, ManifoldPoint, Part};
use crate::proximity::Proximity;

/// Steps before the search gives up; two or three are usual.
const MOST_STEPS: u32 = 12;

/// Cores nearer than this share of the coordinates have no answer: an error of the points turns the
/// normal by its ratio to the distance, and the other end of the segment feels that.
const NEAR: f32 = 0.05;

/// What rounding does to lengths, as a share of the coordinates.
const ROUNDING: f32 = 8.0 * f32::EPSILON;

/// Parts of the segment over a face that are shorter than this share of it do not count.
const SAME_POINT: f32 = 1e-4;

/// What is known of a polytope and a segment.
enum Found {
    /// Farther apart than asked for, along this unit vector.
    Apart(Vec3),
    /// Their distance, and the vertex of the polytope that is farthest along the normal.
    Near(Proximity, VertexId),
}

/// The signed distance, or a direction along which they are farther apart than `max_distance`;
/// `None` if it must be asked for elsewhere.
pub(crate) fn proximity(
    a: &Polytope,
    b: &Capsule,
    pose: &Pose,
    max_distance: f32,
) -> Option<Result<Proximity, Vec3>> {
    let segment = b.segment.posed(pose);
    Some(match distance(a, &segment, max_distance + b.radius)? {
        Found::Apart(axis) => Err(axis),
        Found::Near(cores, _) => Ok(cores.grown(0.0, b.radius)),
    })
}

/// Writes the contact points within the speculative distance; false, and the contact is as it was,
/// if they must be asked for elsewhere.
pub(crate) fn write_contact(
    a: &Polytope,
    b: &Capsule,
    pose: &Pose,
    speculative_distance: f32,
    contact: &mut Manifold,
) -> bool {
    let rotation = pose.rotation.to_matrix();
    let posed = |end| rotation.times(end) + pose.translation;
    let segment = Segment::new(posed(b.segment.a), posed(b.segment.b));
    if segment.a == segment.b {
        return false;
    }
    match distance(a, &segment, speculative_distance + b.radius) {
        None => return false,
        Some(Found::Apart(normal)) => contact.start(normal),
        Some(Found::Near(cores, farthest)) => {
            let found = cores.grown(0.0, b.radius);
            contact.start(found.normal);
            let undo = |point: Vec3| rotation.transposed_times(point - pose.translation);
            let over = Over { a, segment: &segment, radius: b.radius, speculative_distance };
            over.write(&found, farthest, undo, contact);
        }
    }
    true
}

/// The plane that the segment is highest above with all its points, and the height; below zero if
/// there is none.
#[inline]
fn highest_plane(a: &Polytope, segment: &Segment) -> (FaceId, f32) {
    let (p, q) = (segment.a, segment.b);
    let of = |v: Vec3| [f32x8::splat(v.x), f32x8::splat(v.y), f32x8::splat(v.z)];
    let ([px, py, pz], [qx, qy, qz]) = (of(p), of(q));
    let mut best = f32x8::splat(f32::NEG_INFINITY);
    let (mut at, mut number) = (f32x8::splat(0.0), 0.0);
    for [x, y, z, offset] in a.plane_blocks() {
        let (x, y, z, offset) = (f32x8::new(*x), f32x8::new(*y), f32x8::new(*z), f32x8::new(*offset));
        let (one, two) = (x * px + y * py + z * pz, x * qx + y * qy + z * qz);
        let low = one.min(two) - offset;
        let is_better = best.below(low);
        best = f32x8::select(is_better, low, best);
        at = f32x8::select(is_better, f32x8::splat(number), at);
        number += 1.0;
    }
    let (best, at) = (best.to_array(), at.to_array());
    let lane = (1..8).fold(0, |top, lane| if best[lane] > best[top] { lane } else { top });
    // What fills the last block is a copy of the last face.
    let face = (at[lane] as usize * 8 + lane).min(a.face_count() - 1);
    (FaceId(face as u32), best[lane])
}

/// The distance of a polytope and a segment outside of it; `None` where that is not certain.
#[inline]
fn distance(a: &Polytope, segment: &Segment, far: f32) -> Option<Found> {
    let (highest, above) = highest_plane(a, segment);
    if above > far {
        return Some(Found::Apart(a.plane(highest).normal));
    }
    let along = segment.direction();
    let along_square = along.length_squared();
    let plane = a.plane(highest).normal;
    let size = Real::max(Vector::abs(segment.a).max_element(), Vector::abs(segment.b).max_element());
    let exact = ROUNDING * size * Real::sqrt(along_square);
    let mut feature = Feature::Face(highest);
    // From the lower end; the range is what is left, and whether its ends have been looked at.
    let mut at = if plane.dot(along) < 0.0 { 1.0 } else { 0.0 };
    let (mut low, mut high) = ((0.0, false), (1.0, false));
    for _ in 0..MOST_STEPS {
        let point = segment.a + along * at;
        let (nearest, way) = walk_to_nearest(a, feature, point)?;
        feature = nearest;
        let slope = way.dot(along);
        let is_end = at == 0.0 && slope >= 0.0 || at == 1.0 && slope <= 0.0;
        if is_end || Real::abs(slope) <= exact {
            return proved(a, segment, point, way, far, size);
        }
        if slope > 0.0 {
            high = (at, true);
        } else {
            low = (at, true);
        }
        let curvature = match nearest {
            Feature::Vertex(_) => along_square,
            Feature::Edge(side) => {
                let edge = a.segment(side).direction();
                let both = edge.dot(along);
                along_square - both * both / edge.length_squared()
            }
            Feature::Face(face) => {
                let rise = a.plane(face).normal.dot(along);
                rise * rise
            }
        };
        let next = at - slope / curvature;
        // Beyond the range, or where nothing curves: its end, or its middle if the end is known.
        at = if next > low.0 && next < high.0 {
            next
        } else {
            let (end, is_known) = if slope > 0.0 { low } else { high };
            if is_known { 0.5 * (low.0 + high.0) } else { end }
        };
    }
    None
}

/// The answer for the way from the polytope to a point of the segment, if the support functions
/// agree with it.
#[inline]
fn proved(a: &Polytope, segment: &Segment, point: Vec3, way: Vec3, far: f32, size: f32) -> Option<Found> {
    let distance = Real::sqrt(way.length_squared());
    let normal = way / distance;
    let farthest = a.support_vertex(normal);
    let corner = a.point(farthest);
    let size = Real::max(size, Vector::abs(corner).max_element());
    let gap = Real::min(normal.dot(segment.a - corner), normal.dot(segment.b - corner));
    // Written so that not-a-number is no answer.
    if !(distance > NEAR * size && gap >= distance - 2.0 * ROUNDING * size) {
        return None;
    }
    if distance > far {
        return Some(Found::Apart(normal));
    }
    Some(Found::Near(Proximity { distance, normal, on_a: point - way, on_b: point }, farthest))
}

/// A capsule over a polytope.
struct Over<'a> {
    a: &'a Polytope,
    segment: &'a Segment,
    radius: f32,
    speculative_distance: f32,
}

/// An end of the part of a segment over a face: its parameter, and the side of the face that cuts
/// it off.
type Cut = (f32, Option<HalfEdgeId>);

impl Over<'_> {
    /// The ends of the part over the face that looks along the normal most, as
    /// [`contact`](crate::manifold::contact()) has them, and the closest points if they are deeper.
    #[inline]
    fn write(
        &self,
        found: &Proximity,
        farthest: VertexId,
        undo: impl Fn(Vec3) -> Vec3,
        contact: &mut Manifold,
    ) {
        let Self { a, segment, radius, speculative_distance } = *self;
        let normal = found.normal;
        let (mut face, mut cosine) = (FaceId(0), f32::NEG_INFINITY);
        for &other in a.faces_around(farthest) {
            let height = a.plane(other).normal.dot(normal);
            if height > cosine {
                (face, cosine) = (other, height);
            }
        }
        let mut deepest = f32::INFINITY;
        if cosine >= LEAST_COSINE
            && let Some(cuts) = self.cut(face, normal)
        {
            let plane = a.plane(face);
            let of_face = Part::Face(face.0 as u16);
            for (end, (at, side)) in cuts.into_iter().enumerate() {
                let core = if at == 1.0 { segment.b } else { segment.a + segment.direction() * at };
                let separation = plane.signed_distance(core) / cosine - radius;
                if separation > speculative_distance {
                    continue;
                }
                deepest = Real::min(separation, deepest);
                let feature = match side {
                    None => FeatureId::new(of_face, Part::Vertex(end as u16)),
                    Some(side) => FeatureId::new(Part::Edge(a.edge_of(side).0 as u16), Part::Edge(0)),
                };
                let on_capsule = core - normal * radius;
                let on_a = on_capsule - normal * separation;
                contact.push(ManifoldPoint { on_a, on_b: undo(on_capsule), separation, feature });
            }
        }
        if deepest > found.distance + rounding(found) {
            contact.push(ManifoldPoint {
                on_a: found.on_a,
                on_b: undo(found.on_b),
                separation: found.distance,
                feature: FeatureId::CLOSEST,
            });
        }
    }

    /// The part of the segment over a face, seen along the normal; `None` if there is none.
    #[inline]
    fn cut(&self, face: FaceId, normal: Vec3) -> Option<[Cut; 2]> {
        let (a, segment) = (self.a, self.segment);
        let (mut start, mut end): (Cut, Cut) = ((0.0, None), (1.0, None));
        let first = a.first(face);
        let mut side = first;
        let mut tail = a.point(a.tail(first));
        loop {
            let links = a.half_edge(side);
            let head = a.point(links.head);
            let outwards = (head - tail).cross(normal);
            let (from, to) = (outwards.dot(segment.a - tail), outwards.dot(segment.b - tail));
            if from > 0.0 && to > 0.0 {
                return None;
            }
            if from > 0.0 || to > 0.0 {
                let at = from / (from - to);
                if from > 0.0 && at > start.0 {
                    start = (at, Some(side));
                }
                if to > 0.0 && at < end.0 {
                    end = (at, Some(side));
                }
            }
            (side, tail) = (links.next, head);
            if side == first {
                break;
            }
        }
        // Where the nearest point is a corner of the polytope, rounding decides what little of the
        // segment is over the face.
        (end.0 - start.0 > SAME_POINT).then_some([start, end])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gjk;
    use crate::manifold::contact_of;
    use carom_geometry::Rotation;

    /// The walk has the distance and the contact points of the iterations, in all places where the
    /// cores are apart by more than little, and is hardly ever without an answer there.
    #[test]
    fn walks_agree_with_iterations() -> Result<(), Box<dyn std::error::Error>> {
        let mut seed = 23u64;
        let mut number = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 40) as f32 / (1u64 << 23) as f32 - 1.0
        };
        let mut hulls = vec![Polytope::cube(0.5)?];
        for count in [4, 10, 30, 100] {
            hulls.push(Polytope::random_on_sphere(count, 0.5, 7)?);
        }
        let (mut answered, mut unknown, mut met, mut on_edge, mut named) = (0, 0, 0, 0, [0, 0]);
        for case in 0..20_000 {
            let hull = &hulls[case % hulls.len()];
            let mut vector = || Vec3::new(number(), number(), number());
            let capsule = Capsule::new(vector() * 0.5, vector() * 0.5, 0.3)?;
            let rotation = Rotation::from_rotation_vector(vector() * 3.0);
            let rotation = if case % 3 == 0 { Rotation::IDENTITY } else { rotation };
            let mut shift = vector() * 1.5;
            if case % 7 == 0 {
                shift = (shift * 4.0).round() * 0.25;
            }
            let pose = Pose::new(shift, rotation);
            let slow = gjk::proximity(hull, &capsule, &pose, &mut gjk::SimplexCache::default());
            let Some(fast) = proximity(hull, &capsule, &pose, f32::INFINITY) else {
                unknown += usize::from(slow.distance + capsule.radius > 0.15);
                continue;
            };
            answered += 1;
            let fast = fast.expect("nothing is farther than infinity");
            assert!((fast.distance - slow.distance).abs() < 5e-6, "{case}: {fast:?} {slow:?}");
            assert!((fast.normal - slow.normal).length() < 1e-3, "{case}: {fast:?} {slow:?}");
            let speculative_distance = 0.02;
            let mut contact = Manifold::default();
            assert!(write_contact(hull, &capsule, &pose, speculative_distance, &mut contact));
            assert_eq!(contact.is_empty(), fast.distance > speculative_distance, "{case}");
            let twin = contact_of(hull, &capsule, &pose, &fast, speculative_distance, &Manifold::default());
            met += usize::from(!contact.is_empty());
            if !contact.is_empty() && (contact.deepest() - twin.deepest()).abs() > 1e-5 {
                // The closest points are added where clipped ones are less deep by a twentieth of
                // the speculative distance: on that edge rounding decides.
                assert!((contact.deepest() - twin.deepest()).abs() < 0.06 * speculative_distance, "{case}");
                on_edge += 1;
                continue;
            }
            // A corner of the shadow may be one point or two.
            for (one, other) in [(&contact, &twin), (&twin, &contact)] {
                for p in one.points() {
                    let is_near = |q: &&ManifoldPoint| {
                        (p.on_a - q.on_a).length() < 1e-3 && (p.separation - q.separation).abs() < 1e-3
                    };
                    let near = other.points().iter().find(is_near);
                    assert!(near.is_some(), "{case}: {contact:?} {twin:?}");
                    let is_closest = |q: &ManifoldPoint| q.feature == FeatureId::CLOSEST;
                    if !is_closest(p) && !other.points().iter().any(is_closest) {
                        let same = other.points().iter().any(|q| q.feature == p.feature);
                        named[usize::from(same)] += 1;
                        // Over a corner two sides cut, over an end of the core a side cuts or not:
                        // rounding decides.
                        let is_corner = hull.points().iter().any(|v| (*v - p.on_a).length() < 1e-3);
                        let is_end = [capsule.segment.a, capsule.segment.b]
                            .into_iter()
                            .any(|end| ((p.on_b - end).length() - capsule.radius).abs() < 1e-3);
                        assert!(same || is_corner || is_end, "{case}: {contact:?} {twin:?}");
                    }
                }
            }
        }
        assert!(answered > 8000 && met > 1500 && unknown * 500 < answered, "{answered} {met} {unknown}");
        assert!(on_edge * 200 < met, "{on_edge}");
        assert!(named[0] * 10 < named[1], "{named:?}");
        Ok(())
    }
}
