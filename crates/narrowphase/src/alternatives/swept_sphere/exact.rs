//! The exact sweep: the centre of the ball as a point against the polygon grown by the radius.
//!
//! The grown polygon is the union of two slabs over the face, a cylinder round every edge and a
//! ball round every corner; the path of the centre enters it where it first enters one of them.
//! Roots come from the component across the edge or corner, so that far balls lose no digits, and
//! contacts that exist at the start are told apart first.

use carom_geometry::primitive::{Plane, Triangle};
use carom_geometry::{Real, Vector};

use super::{MovingSphere, PolygonPart, SphereImpact, SweptPolygon, direction_of};

/// Which sides of polygons are solid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PolygonSides {
    /// Only what comes from the front is stopped.
    #[default]
    Front,
    /// The back is solid too.
    Both,
}

/// The first contact of a moving ball with a polygon, if it is within its way (the end included).
///
/// `None` without a displacement; for a displacement that does not lead towards the solid side; for
/// a centre that starts behind a one-sided polygon. A ball that starts in contact and moves on
/// inwards has distance 0.
#[must_use]
pub fn sweep<S: Real>(
    moving: &MovingSphere<S>,
    polygon: &SweptPolygon<S>,
    sides: PolygonSides,
) -> Option<SphereImpact<S>> {
    sweep_corners(moving, polygon.corners(), polygon.plane(), sides)
}

/// The same for a triangle; `None` if it has no area.
#[must_use]
pub fn sweep_triangle<S: Real>(
    moving: &MovingSphere<S>,
    triangle: &Triangle<S>,
    sides: PolygonSides,
) -> Option<SphereImpact<S>> {
    let plane = Plane::through(triangle.a, triangle.normal()?);
    sweep_corners(moving, &triangle.corners(), &plane, sides)
}

fn sweep_corners<S: Real>(
    moving: &MovingSphere<S>,
    corners: &[S::Vec3],
    plane: &Plane<S>,
    sides: PolygonSides,
) -> Option<SphereImpact<S>> {
    let (direction, length) = direction_of::<S>(moving.displacement)?;
    let (centre, radius) = (moving.centre, moving.radius);
    let origin = corners[0];
    let (mut normal, mut height) = (plane.normal, plane.normal.dot(centre - origin));
    if sides == PolygonSides::Both && height < S::ZERO {
        (normal, height) = (-normal, -height);
    }
    let approach = -normal.dot(direction);
    // A two-sided polygon can be met edge-on too.
    let towards = approach > S::ZERO || sides == PolygonSides::Both && approach == S::ZERO;
    if !towards || height < S::ZERO {
        return None;
    }
    let outline = Outline { corners, normal: plane.normal };
    if height <= radius
        && let Some(impact) = outline.contact(centre, radius, normal)
    {
        // The distance from a convex set is convex along a line: what moves away from it does not
        // come back.
        return (impact.normal.dot(direction) < S::ZERO).then_some(impact);
    }
    let gap = height - radius;
    if gap > length * approach {
        return None;
    }
    if gap >= S::ZERO && approach > S::ZERO {
        let distance = gap / approach;
        let point = centre + direction * distance - normal * radius;
        if outline.contains(point) && distance <= length {
            return Some(SphereImpact { distance, point, normal, part: PolygonPart::Face });
        }
    }
    outline.border(centre, radius, direction, length)
}

/// The border of a polygon.
struct Outline<'a, S: Real> {
    corners: &'a [S::Vec3],
    /// Of the front, whichever side is met.
    normal: S::Vec3,
}

impl<S: Real> Outline<'_, S> {
    fn edge(&self, index: usize) -> [S::Vec3; 2] {
        [self.corners[index], self.corners[(index + 1) % self.corners.len()]]
    }

    /// Is a point of the plane inside or on the border?
    fn contains(&self, point: S::Vec3) -> bool {
        (0..self.corners.len()).all(|index| {
            let [a, b] = self.edge(index);
            (b - a).cross(point - a).dot(self.normal) >= S::ZERO
        })
    }

    /// The point of the polygon nearest to a point, and the part it belongs to.
    fn nearest(&self, point: S::Vec3) -> (S::Vec3, PolygonPart) {
        if self.contains(point) {
            return (point - self.normal * self.normal.dot(point - self.corners[0]), PolygonPart::Face);
        }
        let (mut nearest, mut least, mut part) = (self.corners[0], S::INFINITY, PolygonPart::Corner(0));
        for index in 0..self.corners.len() {
            let [a, b] = self.edge(index);
            let along = b - a;
            let t = along.dot(point - a) / along.length_squared();
            let (candidate, of) = if t <= S::ZERO {
                (a, PolygonPart::Corner(index as u32))
            } else if t >= S::ONE {
                (b, PolygonPart::Corner(((index + 1) % self.corners.len()) as u32))
            } else {
                (a + along * t, PolygonPart::Edge(index as u32))
            };
            let square = (point - candidate).length_squared();
            if square < least {
                (nearest, least, part) = (candidate, square, of);
            }
        }
        (nearest, part)
    }

    /// The contact of a ball that touches before it moves, on the side of this normal.
    fn contact(&self, centre: S::Vec3, radius: S, normal: S::Vec3) -> Option<SphereImpact<S>> {
        let (point, part) = self.nearest(centre);
        let way = centre - point;
        if way.length_squared() > radius * radius {
            return None;
        }
        let normal = if part == PolygonPart::Face { normal } else { way.unit().unwrap_or(normal) };
        Some(SphereImpact { distance: S::ZERO, point, normal, part })
    }

    /// The first contact with an edge or a corner.
    fn border(&self, centre: S::Vec3, radius: S, direction: S::Vec3, length: S) -> Option<SphereImpact<S>> {
        let mut first: Option<(S, S::Vec3, PolygonPart)> = None;
        let mut consider = |distance: S, point: S::Vec3, part: PolygonPart| {
            if distance <= length && first.is_none_or(|(earlier, ..)| distance < earlier) {
                first = Some((distance, point, part));
            }
        };
        for index in 0..self.corners.len() {
            let [a, b] = self.edge(index);
            if let Some(distance) = entry::<S>(centre - a, direction, radius) {
                consider(distance, a, PolygonPart::Corner(index as u32));
            }
            let (along, from) = ((b - a).unit().unwrap_or(S::Vec3::ZERO), centre - a);
            let across = |v: S::Vec3| v - along * v.dot(along);
            if let Some(distance) = entry::<S>(across(from), across(direction), radius) {
                let pose = (from + direction * distance).dot(along);
                if pose > S::ZERO && pose < (b - a).dot(along) {
                    consider(distance, a + along * pose, PolygonPart::Edge(index as u32));
                }
            }
        }
        let (distance, point, part) = first?;
        let out = centre + direction * distance - point;
        let normal = out.unit().unwrap_or(-direction);
        Some(SphereImpact { distance, point, normal, part })
    }
}

/// How far a point goes until it enters the ball (or, across an axis, the cylinder) of this radius
/// round the origin; 0 if it starts inside and goes on inwards. The speed need not be 1: distances
/// are per unit of it.
#[inline]
fn entry<S: Real>(from: S::Vec3, speed: S::Vec3, radius: S) -> Option<S> {
    let approach = -from.dot(speed);
    let square = speed.length_squared();
    if approach <= S::ZERO || square <= S::EPSILON * S::EPSILON {
        return None;
    }
    if from.length_squared() <= radius * radius {
        return Some(S::ZERO);
    }
    // The distance at which the origin is passed comes from a vector product: nothing cancels for a
    // ball from far away.
    let miss = from.cross(speed).length_squared();
    let rest = radius * radius * square - miss;
    (rest >= S::ZERO).then(|| Real::max((approach - rest.sqrt()) / square, S::ZERO))
}
