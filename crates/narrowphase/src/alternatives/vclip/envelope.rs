//! Several contact points of two polytopes, after the geometric method of Erleben and others
//! (*Physics-Based Animation*, 2005, §14.2) as the thesis tried it.
//!
//! The plane of the simple contact is laid between the polytopes. From the features of the witness,
//! everything that is connected and within an *envelope* of the plane takes part: its vertices over
//! faces of the other polytope, and crossings of edges, all seen along the normal. Unlike the
//! thesis, which gives such points the depth 0, each gets the separation that it has.
//!
//! The convex parts near the plane are small; room for them is fixed, nothing is allocated, and
//! what does not fit is reported.

use carom_geometry::polytope::{FaceId, Feature, HalfEdgeId, VertexId};
use carom_geometry::{Polytope, Pose, Real, Vector};

use super::VClipContact;
use crate::proximity::Proximity;
use crate::vclip::bodies::Bodies;
use crate::vclip::{VClip, Witness};

/// Most contacts of an envelope.
pub const MAX_CONTACTS: usize = 16;

/// Most vertices of a polytope that take part.
const MAX_NEAR: usize = 32;

/// Contacts closer together than this share of the envelope are one.
const SAME: f64 = 1e-2;

/// Contacts with a common normal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Envelope<S: Real = f32> {
    contacts: [VClipContact<S>; MAX_CONTACTS],
    count: usize,
    /// True if something was left out for want of room.
    pub is_cut: bool,
}

impl<S: Real> Envelope<S> {
    /// The contacts, at least one.
    #[must_use]
    pub fn contacts(&self) -> &[VClipContact<S>] {
        &self.contacts[..self.count]
    }

    /// Adds a contact unless there is one at the same place.
    fn add(&mut self, contact: VClipContact<S>, same: S) {
        let is_there =
            |other: &VClipContact<S>| (other.point - contact.point).length_squared() <= same * same;
        if self.contacts().iter().any(is_there) {
            return;
        }
        if let Some(pose) = self.contacts.get_mut(self.count) {
            *pose = contact;
            self.count += 1;
        } else {
            self.is_cut = true;
        }
    }
}

/// The part of a polytope within the envelope.
struct Near<'p, S: Real> {
    shape: &'p Polytope<S>,
    vertices: [VertexId; MAX_NEAR],
    count: usize,
    is_cut: bool,
}

impl<'p, S: Real> Near<'p, S> {
    /// Spreads from a feature over edges to all vertices that `is_near`.
    fn spread(shape: &'p Polytope<S>, feature: Feature, is_near: impl Fn(S::Vec3) -> bool) -> Self {
        let mut near = Self { shape, vertices: [VertexId(0); MAX_NEAR], count: 0, is_cut: false };
        let reach = |near: &mut Self, v: VertexId| {
            if !near.has(v) && is_near(shape.point(v)) {
                if near.count < MAX_NEAR {
                    near.vertices[near.count] = v;
                    near.count += 1;
                } else {
                    near.is_cut = true;
                }
            }
        };
        match feature {
            Feature::Vertex(v) => reach(&mut near, v),
            Feature::Edge(h) => shape.ends(h).into_iter().for_each(|v| reach(&mut near, v)),
            Feature::Face(f) => shape.face_vertices(f).for_each(|v| reach(&mut near, v)),
        }
        let mut at = 0;
        while at < near.count {
            for v in shape.adjacent_vertices(near.vertices[at]) {
                reach(&mut near, v);
            }
            at += 1;
        }
        near
    }

    fn vertices(&self) -> &[VertexId] {
        &self.vertices[..self.count]
    }

    fn has(&self, vertex: VertexId) -> bool {
        self.vertices().contains(&vertex)
    }

    /// Edges with both ends near, each once.
    fn edges(&self) -> impl Iterator<Item = HalfEdgeId> + '_ {
        let of = |&v: &VertexId| self.shape.around_vertex(v);
        let own = |&h: &HalfEdgeId| self.shape.edge_of(h) == h && self.has(self.shape.half_edge(h).head);
        self.vertices().iter().flat_map(of).filter(own)
    }

    /// Faces with all corners near, each once: by the corner that comes first in its walk.
    fn faces(&self) -> impl Iterator<Item = FaceId> + '_ {
        let shape = self.shape;
        let is_first = move |v: VertexId, f: FaceId| shape.face_vertices(f).min() == Some(v);
        self.vertices()
            .iter()
            .flat_map(move |&v| shape.faces_at(v).filter(move |&f| is_first(v, f)))
            .filter(move |&f| shape.face_vertices(f).all(|v| self.has(v)))
    }
}

impl VClip {
    /// All contacts of two polytopes within an envelope of the plane between them, if they are not
    /// farther apart than the margin. The witness is where to begin, and then where the query
    /// ended.
    #[must_use]
    pub fn envelope<S: Real>(
        &self,
        a: &Polytope<S>,
        b: &Polytope<S>,
        pose: &Pose<S>,
        [margin, envelope]: [S; 2],
        witness: &mut Witness,
    ) -> Option<Envelope<S>> {
        let near = self.proximity(a, b, pose, witness);
        let first = VClipContact::of(&near, margin)?;
        let bodies = Bodies::new(a, b, pose);
        // The nearest points are a contact of features. The deepest points of an overlap may lie
        // anywhere on a face, so they count only if there is nothing else.
        let is_apart = near.distance > bodies.tolerance;
        let mut all =
            Envelope { contacts: [first; MAX_CONTACTS], count: usize::from(is_apart), is_cut: false };
        let plane = Between { bodies: &bodies, near: &near, margin, same: envelope * S::of(SAME) };
        let height = |p: S::Vec3| near.normal.dot(p - first.point).abs();
        let [seed_a, seed_b] = witness.features();
        let near_a = Near::spread(a, seed_a, |p| height(p) <= envelope);
        let near_b = Near::spread(b, seed_b, |p| height(bodies.seen_by::<0>(p)) <= envelope);
        all.is_cut = near_a.is_cut || near_b.is_cut;
        plane.vertices_over_faces::<0>(&near_a, &near_b, &mut all);
        plane.vertices_over_faces::<1>(&near_b, &near_a, &mut all);
        plane.crossings(&near_a, &near_b, &mut all);
        all.count = all.count.max(1);
        Some(all)
    }
}

/// The plane between two polytopes.
struct Between<'q, 'p, S: Real> {
    bodies: &'q Bodies<'p, S>,
    near: &'q Proximity<S>,
    margin: S,
    same: S,
}

impl<S: Real> Between<'_, '_, S> {
    /// Vertices of side `SIDE` over faces of the other side.
    fn vertices_over_faces<const SIDE: usize>(
        &self,
        vertices: &Near<'_, S>,
        faces: &Near<'_, S>,
        all: &mut Envelope<S>,
    ) {
        let (ours, theirs) = (vertices.shape, faces.shape);
        // Out of our polytope, in the frame of the faces.
        let out = if SIDE == 0 { self.bodies.turn_into::<1>(self.near.normal) } else { -self.near.normal };
        for face in faces.faces() {
            let plane = theirs.plane(face);
            let steepness = plane.normal.dot(out);
            // Faces that do not look at us.
            if steepness >= -S::HALF {
                continue;
            }
            for &v in vertices.vertices() {
                let seen = self.bodies.out_of::<SIDE>(ours.point(v));
                let separation = -plane.signed_distance(seen) / steepness;
                let foot = seen + out * separation;
                let is_over = |h| theirs.vp_face(h).signed_distance(foot) <= self.bodies.tolerance;
                if theirs.around_face(face).all(is_over) {
                    let middle = seen + out * (separation * S::HALF);
                    let point = if SIDE == 0 { self.bodies.seen_by::<0>(middle) } else { middle };
                    all.add(self.contact(point, separation), self.same);
                }
            }
        }
    }

    /// Edges of both sides that cross each other, seen along the normal.
    fn crossings(&self, near_a: &Near<'_, S>, near_b: &Near<'_, S>, all: &mut Envelope<S>) {
        let normal = self.near.normal;
        for edge in near_a.edges() {
            let own = near_a.shape.segment(edge);
            let d = own.direction();
            for other in near_b.edges() {
                let [tail, head] =
                    near_b.shape.ends(other).map(|v| self.bodies.seen_by::<0>(near_b.shape.point(v)));
                let (e, r) = (head - tail, tail - own.a);
                let rotation = normal.dot(d.cross(e));
                let (s, t) = (normal.dot(r.cross(e)), normal.dot(r.cross(d)));
                let is_parallel =
                    rotation * rotation <= d.length_squared() * e.length_squared() * S::of(1e-6);
                if is_parallel || !(inside(s / rotation) && inside(t / rotation)) {
                    continue;
                }
                let (on_a, on_b) = (own.at(s / rotation), tail + e * (t / rotation));
                let contact = self.contact((on_a + on_b) * S::HALF, normal.dot(on_b - on_a));
                all.add(contact, self.same);
            }
        }
    }

    fn contact(&self, point: S::Vec3, separation: S) -> VClipContact<S> {
        let depth = Real::max(self.margin - separation, S::ZERO);
        VClipContact { point, normal: self.near.normal, depth }
    }
}

#[inline]
fn inside<S: Real>(share: S) -> bool {
    share >= S::ZERO && share <= S::ONE
}
