//! Points in triangles and convex polygons, and polygons with boxes.

use crate::bounds::Aabb;
use crate::clip::{ClipOverflow, ClipPolygon};
use crate::primitive::Triangle;
use crate::real::{Real, Vector};

/// Is a point in the plane of a convex polygon inside it, or outside by no more than `tolerance`
/// from each side's line?
///
/// `corners` run counter-clockwise seen from the tip of the unit vector `normal`. Of a point off
/// the plane, the foot is judged. A polygon without corners contains nothing. Rounded.
#[must_use]
pub fn point_in_polygon<S: Real>(point: S::Vec3, corners: &[S::Vec3], normal: S::Vec3, tolerance: S) -> bool {
    let next = corners.iter().cycle().skip(1);
    !corners.is_empty()
        && corners.iter().zip(next).all(|(&a, &b)| {
            let side = b - a;
            let inwards = side.cross(point - a).dot(normal);
            inwards >= S::ZERO || inwards * inwards <= tolerance * tolerance * side.length_squared()
        })
}

/// The same for a triangle; a triangle without area contains nothing.
#[must_use]
pub fn point_in_triangle<S: Real>(point: S::Vec3, triangle: &Triangle<S>, tolerance: S) -> bool {
    triangle
        .normal()
        .is_some_and(|normal| point_in_polygon::<S>(point, &triangle.corners(), normal, tolerance))
}

/// Does a convex polygon meet a solid axis-aligned box? By clipping: it does if anything is left.
/// Rounded.
///
/// # Errors
/// If the polygon has more than 57 corners, so that the clipped one might not fit in a
/// [`ClipPolygon`].
pub fn polygon_aabb<S: Real>(corners: &[S::Vec3], aabb: &Aabb<3, S>) -> Result<bool, ClipOverflow> {
    let around = Aabb::of_points(corners.iter().copied());
    if !around.overlaps(aabb) {
        return Ok(false);
    }
    let mut polygon = ClipPolygon::<S, 64>::new(corners.iter().copied())?;
    polygon.clip_to_aabb(aabb)?;
    Ok(!polygon.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn borders_belong_to_a_polygon_and_the_tolerance_widens_them() {
        let square = [Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::Y];
        for (point, tolerance, inside) in [
            (Vec3::new(0.5, 0.5, 0.0), 0.0, true),
            (Vec3::new(1.0, 0.5, 3.0), 0.0, true),
            (Vec3::new(1.0, 1.0, 0.0), 0.0, true),
            (Vec3::new(1.01, 0.5, 0.0), 0.0, false),
            (Vec3::new(1.01, 0.5, 0.0), 0.02, true),
            (Vec3::new(-0.03, 0.5, 0.0), 0.02, false),
        ] {
            assert_eq!(
                point_in_polygon::<f32>(point, &square, Vec3::Z, tolerance),
                inside,
                "{point} {tolerance}"
            );
        }
        assert!(!point_in_polygon::<f32>(Vec3::ZERO, &[], Vec3::Z, 1.0));
    }

    #[test]
    fn a_triangle_without_area_contains_nothing() {
        let triangle = Triangle::<f32>::new(Vec3::ZERO, Vec3::X * 2.0, Vec3::new(0.0, 3.0, 0.0));
        assert!(point_in_triangle(Vec3::new(0.5, 0.5, 0.0), &triangle, 0.0));
        assert!(!point_in_triangle(Vec3::new(1.5, 1.5, 0.0), &triangle, 0.0));
        assert!(!point_in_triangle(Vec3::X, &Triangle::<f32>::new(Vec3::ZERO, Vec3::X, Vec3::X * 2.0), 1.0));
    }

    #[test]
    fn a_polygon_that_cuts_a_corner_without_a_corner_inside_meets_the_box() {
        let cube = Aabb::new([0.0; 3], [1.0; 3]);
        let cut = |s: f32| [Vec3::X * s, Vec3::Y * s, Vec3::Z * s];
        assert_eq!(polygon_aabb::<f32>(&cut(2.9), &cube), Ok(true));
        assert_eq!(polygon_aabb::<f32>(&cut(3.0), &cube), Ok(true), "touches the corner");
        assert_eq!(polygon_aabb::<f32>(&cut(3.1), &cube), Ok(false));
        let many = vec![Vec3::ZERO; 100];
        assert!(polygon_aabb::<f32>(&many, &cube).is_err());
    }
}
