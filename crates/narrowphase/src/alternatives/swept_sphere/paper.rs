//! The article's sweep, to the letter.
//!
//! 1. The point of the ball that would touch the plane of the polygon first is followed to the
//!    plane.
//! 2. If it lands outside, the nearest point of the polygon to where it lands is followed back to
//!    the ball.
//!
//! Known faults, kept: contacts with the border are late or missed when the ball moves along the
//! edge; a plane that cuts the ball at the start gives a distance in the wrong direction; a polygon
//! that is behind the ball is hit.

use carom_geometry::{Real, Vector};

use super::{MovingSphere, PolygonPart, SphereImpact, SweptPolygon, direction_of};

/// Cross products this far on the wrong side of an edge count as inside, relative to the square of
/// its length.
const BORDER: f64 = 1e-6;

/// The contact by the article's method.
#[must_use]
pub fn sweep<S: Real>(moving: &MovingSphere<S>, polygon: &SweptPolygon<S>) -> Option<SphereImpact<S>> {
    let (direction, length) = direction_of::<S>(moving.displacement)?;
    let plane = polygon.plane();
    let approach = plane.normal.dot(direction);
    if approach >= S::ZERO {
        return None;
    }
    let mut on_ball = moving.centre - plane.normal * moving.radius;
    let mut on_plane = on_ball + direction * (-plane.signed_distance(on_ball) / approach);
    let mut part = PolygonPart::Face;
    if !is_inside(polygon, on_plane) {
        (on_plane, part) = nearest_on_border(polygon, on_plane);
        on_ball = first_on_ball(moving, on_plane, -direction)?;
    }
    let distance = (on_plane - on_ball).length();
    if distance > length {
        return None;
    }
    let out = moving.centre + direction * distance - on_plane;
    let normal = if part == PolygonPart::Face { plane.normal } else { out.unit().unwrap_or(plane.normal) };
    Some(SphereImpact { distance, point: on_plane, normal, part })
}

fn is_inside<S: Real>(polygon: &SweptPolygon<S>, point: S::Vec3) -> bool {
    let corners = polygon.corners();
    (0..corners.len()).all(|index| {
        let (a, b) = (corners[index], corners[(index + 1) % corners.len()]);
        let tolerance = S::of(BORDER) * (b - a).length_squared();
        (b - a).cross(point - a).dot(polygon.plane().normal) >= -tolerance
    })
}

fn nearest_on_border<S: Real>(polygon: &SweptPolygon<S>, point: S::Vec3) -> (S::Vec3, PolygonPart) {
    let corners = polygon.corners();
    let (mut nearest, mut least, mut part) = (corners[0], S::INFINITY, PolygonPart::Corner(0));
    for index in 0..corners.len() {
        let (a, b) = (corners[index], corners[(index + 1) % corners.len()]);
        let along = b - a;
        let t = Real::clamp(along.dot(point - a) / along.length_squared(), S::ZERO, S::ONE);
        let candidate = a + along * t;
        let square = (candidate - point).length_squared();
        if square < least {
            (nearest, least, part) = (candidate, square, PolygonPart::Edge(index as u32));
        }
    }
    (nearest, part)
}

/// Where a ray first meets the surface of the ball.
fn first_on_ball<S: Real>(moving: &MovingSphere<S>, origin: S::Vec3, direction: S::Vec3) -> Option<S::Vec3> {
    let from = origin - moving.centre;
    let along = from.dot(direction);
    let outside = from.length_squared() - moving.radius * moving.radius;
    let discriminant = along * along - outside;
    if discriminant < S::ZERO {
        return None;
    }
    let s = -along - discriminant.sqrt();
    (s >= S::ZERO || outside <= S::ZERO).then(|| origin + direction * s)
}
