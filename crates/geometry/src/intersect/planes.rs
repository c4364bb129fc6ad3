//! Planes with lines, segments, boxes and each other.

use crate::primitive::{Line, Plane, Segment};
use crate::real::{Real, Vector};

/// Unit normals whose vector product or determinant is below this many ε count as parallel or
/// dependent.
const PARALLEL: f64 = 8.0;

/// Parameter of the point where a line meets a plane; `None` if it is parallel to the plane (or in
/// it), or if the point is too far away for a finite number.
#[inline]
#[must_use]
pub fn line_plane<S: Real>(line: &Line<S>, plane: &Plane<S>) -> Option<S> {
    let t = -plane.signed_distance(line.point) / plane.normal.dot(line.direction);
    t.is_finite().then_some(t)
}

/// Parameter of a point where a segment meets a plane, 0 for a segment in the plane. Rounded.
#[inline]
#[must_use]
pub fn segment_plane<S: Real>(segment: &Segment<S>, plane: &Plane<S>) -> Option<S> {
    let (a, b) = (plane.signed_distance(segment.a), plane.signed_distance(segment.b));
    if (a > S::ZERO && b > S::ZERO) || (a < S::ZERO && b < S::ZERO) {
        return None;
    }
    Some(if a == b { S::ZERO } else { Real::clamp(a / (a - b), S::ZERO, S::ONE) })
}

/// The line that two planes share, by its point nearest to the origin and a unit direction; `None`
/// for parallel planes, also for equal ones.
///
/// ```
/// use carom_geometry::intersect::plane_plane;
/// use carom_geometry::primitive::Plane;
/// use glam::Vec3;
/// let line = plane_plane(&Plane::<f32>::new(Vec3::X, 2.0), &Plane::<f32>::new(Vec3::Y, 3.0)).unwrap();
/// assert_eq!((line.point, line.direction), (Vec3::new(2.0, 3.0, 0.0), Vec3::Z));
/// ```
#[must_use]
pub fn plane_plane<S: Real>(a: &Plane<S>, b: &Plane<S>) -> Option<Line<S>> {
    // Of nearly parallel normals the difference is exact, and its products are as accurate as those
    // of any vectors.
    let sign = a.normal.dot(b.normal).sign_of(S::ONE);
    let difference = b.normal - a.normal * sign;
    let direction = a.normal.cross(difference);
    let square = direction.length_squared();
    let smallest = S::of(PARALLEL) * S::EPSILON;
    if square <= smallest * smallest {
        return None;
    }
    // The smallest vector with these heights over both planes; a second one makes up for the
    // rounding of the first.
    let lift = |x: S, y: S| (difference * x + a.normal * (sign * x - y)).cross(direction) / square;
    let point = lift(a.offset, b.offset);
    let point = point - lift(a.signed_distance(point), b.signed_distance(point));
    Some(Line::new(point, direction / square.sqrt()))
}

/// The point that three planes share; `None` if their normals lie in a plane.
#[must_use]
pub fn three_planes<S: Real>(a: &Plane<S>, b: &Plane<S>, c: &Plane<S>) -> Option<S::Vec3> {
    let bc = b.normal.cross(c.normal);
    let determinant = a.normal.dot(bc);
    if determinant.abs() <= S::of(PARALLEL) * S::EPSILON {
        return None;
    }
    let sum = bc * a.offset + c.normal.cross(a.normal) * b.offset + a.normal.cross(b.normal) * c.offset;
    Some(sum / determinant)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounds::{Aabb, PlaneSide};
    use glam::{DVec3, Vec3};
    use proptest::prelude::*;

    fn plane() -> impl Strategy<Value = Plane<f64>> {
        (prop::array::uniform3(-1.0f64..1.0), -5.0f64..5.0)
            .prop_filter_map("no direction", |(n, o)| Some(Plane::new(Vector::unit(DVec3::from(n))?, o)))
    }

    #[test]
    fn parallel_planes_share_no_line_and_three_through_a_line_no_point() {
        let floor = Plane::<f32>::new(Vec3::Y, 1.0);
        assert_eq!(plane_plane(&floor, &floor), None);
        assert_eq!(plane_plane(&floor, &Plane::<f32>::new(-Vec3::Y, 4.0)), None);
        let slanted = Plane::<f32>::new(Vec3::new(0.6, 0.8, 0.0), 0.0);
        assert_eq!(three_planes(&floor, &slanted, &Plane::<f32>::new(Vec3::X, 0.0)), None);
        let corner = three_planes(
            &Plane::<f32>::new(Vec3::X, 1.0),
            &Plane::<f32>::new(Vec3::Z, 3.0),
            &Plane::<f32>::new(Vec3::Y, 2.0),
        );
        assert_eq!(corner, Some(Vec3::new(1.0, 2.0, 3.0)));
    }

    #[test]
    fn lines_in_or_beside_a_plane_have_no_crossing_and_segments_in_it_have() {
        let floor = Plane::<f32>::new(Vec3::Y, 1.0);
        assert_eq!(line_plane(&Line::<f32>::new(Vec3::Y, Vec3::X), &floor), None);
        assert_eq!(line_plane(&Line::<f32>::new(Vec3::ZERO, Vec3::X), &floor), None);
        assert_eq!(line_plane(&Line::<f32>::new(Vec3::ZERO, Vec3::Y * 4.0), &floor), Some(0.25));
        assert_eq!(segment_plane(&Segment::<f32>::new(Vec3::Y, Vec3::Y + Vec3::X), &floor), Some(0.0));
        assert_eq!(segment_plane(&Segment::<f32>::new(Vec3::ZERO, Vec3::Y), &floor), Some(1.0));
        assert_eq!(segment_plane(&Segment::<f32>::new(Vec3::ZERO, Vec3::Y * 0.9), &floor), None);
        assert_eq!(segment_plane(&Segment::<f32>::new(Vec3::Y * 4.0, Vec3::ZERO), &floor), Some(0.75));
    }

    #[test]
    fn a_box_that_touches_a_plane_straddles_it() {
        let cube = Aabb::new([-1.0; 3], [1.0; 3]);
        assert_eq!(cube.side_of(&Plane::<f32>::new(Vec3::Y, 1.0)), PlaneSide::Straddling);
        assert_eq!(cube.side_of(&Plane::<f32>::new(Vec3::Y, 1.25)), PlaneSide::Negative);
        assert_eq!(cube.side_of(&Plane::<f32>::new(-Vec3::Y, 1.25)), PlaneSide::Negative);
        assert_eq!(cube.side_of(&Plane::<f32>::new(Vec3::Y, -1.25)), PlaneSide::Positive);
    }

    proptest! {
        #[test]
        fn shared_lines_and_points_lie_on_their_planes(a in plane(), b in plane(), c in plane(), t in -3.0f64..3.0) {
            if let Some(line) = plane_plane(&a, &b) {
                let conditioning = 1e-12 / a.normal.cross(b.normal).length();
                prop_assert!(a.signed_distance(line.at(t)).abs() < conditioning);
                prop_assert!(b.signed_distance(line.at(t)).abs() < conditioning);
                prop_assert!(line.point.dot(line.direction).abs() < conditioning);
            }
            if let Some(p) = three_planes(&a, &b, &c) {
                let conditioning = 1e-12 / a.normal.cross(b.normal).dot(c.normal).abs();
                for plane in [a, b, c] {
                    prop_assert!(plane.signed_distance(p).abs() < conditioning);
                }
            }
        }

        #[test]
        fn the_side_of_a_box_is_that_of_its_corners(
            plane in plane(),
            low in prop::array::uniform3(-4.0f64..4.0),
            size in prop::array::uniform3(0.0f64..3.0),
        ) {
            let aabb = Aabb::new(low, [low[0] + size[0], low[1] + size[1], low[2] + size[2]]);
            let heights: Vec<f64> = (0..8).map(|k| plane.signed_distance(aabb.corner(k))).collect();
            prop_assume!(heights.iter().all(|h| h.abs() > 1e-9));
            let expected = match heights.iter().filter(|h| **h > 0.0).count() {
                8 => PlaneSide::Positive,
                0 => PlaneSide::Negative,
                _ => PlaneSide::Straddling,
            };
            prop_assert_eq!(aabb.side_of(&plane), expected);
        }
    }
}
