//! Contact points of two figures: one or two.

use carom_geometry::shape::Planar;
use carom_geometry::shape::planar::{self, Outline, OutlineRoom};
use carom_geometry::{Pose, Shape};
use glam::Vec2;

use super::{Cores, Facing, PlanePose, cores, cross, facing, nearest_points, plane_pose, with_moved};
use crate::manifold::{FeatureId, Manifold, ManifoldPoint, Part};

/// By how much the sides of the second figure must be better to decide, in speculative distances:
/// without it, the deciding side would change back and forth between two that are parallel.
const PREFERENCE: f32 = 0.05;

/// The contact points of two figures in one plane within the speculative distance; false if they
/// are no such figures.
#[inline]
pub(crate) fn manifold(
    a: &Shape,
    b: &Shape,
    pose: &Pose,
    speculative_distance: f32,
    contact: &mut Manifold,
) -> bool {
    let (Shape::Planar(a), Shape::Planar(b)) = (a, b) else { return false };
    let Some(pose) = plane_pose(pose) else { return false };
    let pair = Pair { pose, speculative_distance };
    let (mut room_a, mut room_b) = (OutlineRoom::default(), OutlineRoom::default());
    match (a, b) {
        (Planar::Disc { radius: of_a }, Planar::Disc { radius: of_b }) => {
            pair.discs([*of_a, *of_b], contact);
        }
        (_, Planar::Disc { radius }) => pair.beside_disc(&a.outline(&mut room_a), *radius, contact),
        (Planar::Disc { radius }, _) => {
            let back = pose.inverse();
            let seen = Pair { pose: back, speculative_distance };
            seen.beside_disc(&b.outline(&mut room_b), *radius, contact);
            swap(contact, &back);
        }
        _ => {
            let a = a.outline(&mut room_a);
            with_moved(&b.outline(&mut room_b), &pose, |b| pair.outlines(&a, b, contact));
        }
    }
    true
}

/// The contact as seen from the other figure, with all z exactly 0.
fn swap(contact: &mut Manifold, pose: &PlanePose) {
    let mut other = Manifold::new(-pose.rotate_back(contact.normal.truncate()).extend(0.0));
    for point in contact.points() {
        other.push(ManifoldPoint {
            on_a: point.on_b,
            on_b: point.on_a,
            separation: point.separation,
            feature: point.feature.swapped(),
        });
    }
    *contact = other;
}

struct Pair {
    /// Of the second figure in the frame of the first.
    pose: PlanePose,
    speculative_distance: f32,
}

impl Pair {
    /// Adds a point given in the frame of the first figure.
    #[inline]
    fn push(&self, contact: &mut Manifold, on_a: Vec2, on_b: Vec2, separation: f32, feature: FeatureId) {
        if separation <= self.speculative_distance {
            let on_b = self.pose.undo(on_b).extend(0.0);
            contact.push(ManifoldPoint { on_a: on_a.extend(0.0), on_b, separation, feature });
        }
    }

    fn discs(&self, [of_a, of_b]: [f32; 2], contact: &mut Manifold) {
        let centre = self.pose.translation;
        let distance = centre.length();
        let normal = if distance > 0.0 { centre / distance } else { Vec2::X };
        contact.start(normal.extend(0.0));
        let (on_a, on_b) = (normal * of_a, centre - normal * of_b);
        self.push(contact, on_a, on_b, distance - of_a - of_b, FeatureId(0));
    }

    fn beside_disc(&self, a: &Outline<'_>, radius: f32, contact: &mut Manifold) {
        let centre = self.pose.translation;
        let near = a.nearest(centre);
        contact.start(near.normal.extend(0.0));
        let part = match near.part {
            planar::Part::Vertex(at) => Part::Vertex(at),
            planar::Part::Edge(at) => Part::Edge(at),
        };
        let (on_a, on_b) = (near.point + near.normal * a.radius, centre - near.normal * radius);
        let separation = near.distance - a.radius - radius;
        self.push(contact, on_a, on_b, separation, FeatureId::new(part, Part::Vertex(0)));
    }

    /// `b` is in the frame of `a`.
    fn outlines(&self, a: &Outline<'_>, b: &Outline<'_>, contact: &mut Manifold) {
        let radii = [a.radius, b.radius];
        let far = radii[0] + radii[1] + self.speculative_distance;
        let sides = [facing(a, b), facing(b, a)];
        let [most_a, most_b] =
            sides.map(|side: Option<Facing>| side.map_or(f32::NEG_INFINITY, |s| s.separation));
        let separation = if most_a > most_b { most_a } else { most_b };
        if separation > far {
            contact.clear();
            return;
        }
        let preference = PREFERENCE * self.speculative_distance;
        let is_first = most_a + preference >= most_b;
        let Some(side) = (if is_first { sides[0] } else { sides[1] }) else {
            return self.closest(&cores(a, b), radii, contact);
        };
        let is_segment = |outline: &Outline<'_>| outline.vertices.len() == 2;
        let are_thin = a.vertices.len() < 3 && b.vertices.len() < 3;
        let is_crossed = || is_segment(a) && is_segment(b) && cross(a, b);
        let (mine, other) = if is_first { (a, b) } else { (b, a) };
        // Cores that are apart may be nearest at corners; so may segments that no side parts.
        let exact = if separation > preference || are_thin && !is_crossed() {
            let distance = nearest_points(a, b).square.sqrt();
            if distance > far {
                contact.clear();
                return;
            }
            Some(distance - radii[0] - radii[1])
        } else {
            None
        };
        self.clip(mine, other, side.edge, is_first, contact);
        // Beside the ends of the side the nearest points are others.
        let is_off = |exact: f32| (contact.deepest() - exact).abs() > CORNER * self.speculative_distance;
        if contact.is_empty() || exact.is_some_and(is_off) {
            self.closest(&cores(a, b), radii, contact);
        }
    }

    /// The nearest or deepest points.
    fn closest(&self, found: &Cores, [of_a, of_b]: [f32; 2], contact: &mut Manifold) {
        contact.start(found.normal.extend(0.0));
        let (on_a, on_b) = (found.on_a + found.normal * of_a, found.on_b - found.normal * of_b);
        self.push(contact, on_a, on_b, found.distance - of_a - of_b, FeatureId::CLOSEST);
    }

    /// Cuts the side of `other` that faces a side of `mine` to the length of that.
    fn clip(
        &self,
        mine: &Outline<'_>,
        other: &Outline<'_>,
        edge: usize,
        is_first: bool,
        contact: &mut Manifold,
    ) {
        let (normal, next) = (mine.normals[edge], mine.after(edge));
        let (start, end) = (mine.vertices[edge], mine.vertices[next]);
        let along = Vec2::new(-normal.y, normal.x);
        contact.start(if is_first { normal } else { -normal }.extend(0.0));
        let length = along.dot(end - start);
        let place = |point: Vec2, own: Part, others: Part, contact: &mut Manifold| {
            let above = normal.dot(point - start);
            let (on_mine, on_other) = (point - normal * (above - mine.radius), point - normal * other.radius);
            let separation = above - mine.radius - other.radius;
            if is_first {
                self.push(contact, on_mine, on_other, separation, FeatureId::new(own, others));
            } else {
                self.push(contact, on_other, on_mine, separation, FeatureId::new(others, own));
            }
        };
        let own = Part::Edge(edge as u16);
        let Some(incident) = facing_side(other, normal) else {
            return place(other.vertices[0], own, Part::Vertex(0), contact);
        };
        // Against the side: counter-clockwise round the other figure.
        let after = other.after(incident);
        let (p, q) = (other.vertices[incident], other.vertices[after]);
        let (at_p, at_q) = (along.dot(p - start), along.dot(q - start));
        let side = Part::Edge(incident as u16);
        let between = |at: f32| if at_p == at_q { p } else { p + (q - p) * ((at - at_p) / (at_q - at_p)) };
        let (low, high) = if at_p < at_q { (at_p, at_q) } else { (at_q, at_p) };
        if high < 0.0 || low > length {
            return;
        }
        let ends = [(p, at_p, incident), (q, at_q, after)];
        for (point, at, vertex) in ends {
            if at > length {
                place(between(length), Part::Vertex(next as u16), side, contact);
            } else if at < 0.0 {
                place(between(0.0), Part::Vertex(edge as u16), side, contact);
            } else {
                place(point, own, Part::Vertex(vertex as u16), contact);
            }
        }
    }
}

/// By how much the points of sides may be less deep than the figures, in speculative distances.
const CORNER: f32 = 0.05;

/// The side whose normal looks most against a direction.
fn facing_side(outline: &Outline<'_>, direction: Vec2) -> Option<usize> {
    let mut best: Option<(usize, f32)> = None;
    for (at, normal) in outline.normals.iter().enumerate() {
        let along = normal.dot(direction);
        if best.is_none_or(|(_, least)| along < least) {
            best = Some((at, along));
        }
    }
    best.map(|(at, _)| at)
}
