//! Shapes, boxes and circles on a picture.

use carom_core::trig;
use carom_geometry::hull::{HullOptions, convex_hull};
use carom_geometry::polytope::Polytope;
use carom_geometry::primitive::Triangle;
use carom_geometry::shape::Support;
use carom_geometry::{Aabb, Pose, Rotation};
use glam::Vec3;

use crate::canvas::{Colour, Picture, View};

/// A turn that shows three sides of things.
pub(crate) fn tilted() -> Pose {
    Pose::new(
        Vec3::ZERO,
        Rotation::about_axis(Vec3::Y, 0.5) * Rotation::about_axis(Vec3::new(0.6, 0.0, 0.8), 0.35),
    )
}

/// Points on a circle of radius 1 in the x–z plane.
pub(crate) fn circle(points: usize) -> Vec<Vec3> {
    (0..points)
        .map(|k| {
            let (sine, cosine) = trig::sin_cos(std::f32::consts::TAU * k as f32 / points as f32);
            Vec3::new(cosine, 0.0, sine)
        })
        .collect()
}

/// Directions spread evenly over the sphere (a golden spiral).
fn directions(count: usize) -> Vec<Vec3> {
    (0..count)
        .map(|k| {
            let z = 1.0 - (2 * k + 1) as f32 / count as f32;
            let (sine, cosine) = trig::sin_cos(2.399_963_2 * k as f32);
            Vec3::new(cosine, sine, 0.0) * (1.0 - z * z).sqrt() + Vec3::Z * z
        })
        .collect()
}

/// A convex shape through its support function alone: the hull of its farthest points in many
/// directions.
pub(crate) fn solid(picture: &mut Picture, shape: &dyn Support<f32>, pose: &Pose, colour: Colour) {
    solid_in_detail(picture, shape, pose, colour, 420);
}

/// The same with a chosen number of directions.
pub(crate) fn solid_in_detail(
    picture: &mut Picture,
    shape: &dyn Support<f32>,
    pose: &Pose,
    colour: Colour,
    detail: usize,
) {
    let points: Vec<Vec3> = directions(detail)
        .into_iter()
        .map(|d| pose.apply(shape.support(pose.rotation.rotate_back(d))))
        .collect();
    let options = HullOptions { tolerance: 1e-3, ..HullOptions::default() };
    let hull = convex_hull(&points, &options).unwrap();
    let many = hull.face_count() > 40;
    for face in hull.faces() {
        let corners: Vec<Vec3> = hull.face_points(face).collect();
        picture.face(&corners, colour, !many, false);
    }
}

pub(crate) fn polytope(picture: &mut Picture, hull: &Polytope, pose: &Pose, colour: Colour) {
    for face in hull.faces() {
        let corners: Vec<Vec3> = hull.face_points(face).map(|p| pose.apply(p)).collect();
        picture.face(&corners, colour, true, false);
    }
}

pub(crate) fn triangles(
    picture: &mut Picture,
    triangles: impl IntoIterator<Item = Triangle>,
    pose: &Pose,
    colour: Colour,
    both_sides: bool,
) {
    for triangle in triangles {
        picture.face(&triangle.posed(pose).corners(), colour, true, both_sides);
    }
}

/// The outline of the box with these corners.
pub(crate) fn box_edges(picture: &mut Picture, corners: &[Vec3; 8], colour: Colour, width: f32) {
    edges(picture, &convex_hull(corners, &HullOptions::default()).unwrap(), colour, width);
}

pub(crate) fn aabb(picture: &mut Picture, bounds: &Aabb<3>, colour: Colour, width: f32) {
    box_edges(picture, &std::array::from_fn(|k| bounds.corner(k)), colour, width);
}

/// A sphere as its outline and three great circles.
pub(crate) fn sphere(picture: &mut Picture, centre: Vec3, radius: f32, colour: Colour) {
    let eye = View::new().eye;
    let facing = Rotation::between(Vec3::Y, eye);
    let ring = circle(64);
    let turns: [&dyn Fn(Vec3) -> Vec3; 3] =
        [&|p| p, &|p| Vec3::new(p.x, p.z, p.y), &|p| Vec3::new(p.y, p.x, p.z)];
    let arc = |turn: &dyn Fn(Vec3) -> Vec3, k: usize| turn(ring[k % ring.len()]);
    for k in 0..ring.len() {
        for turn in turns {
            let (a, b) = (arc(turn, k), arc(turn, k + 1));
            let visible = (a + b).dot(eye) > 0.0;
            picture.outline(centre + a * radius, centre + b * radius, colour, 0.7, visible);
        }
        let rim = |p: Vec3| facing.rotate(p);
        picture.outline(
            centre + arc(&rim, k) * radius,
            centre + arc(&rim, k + 1) * radius,
            colour,
            1.4,
            true,
        );
    }
}

/// Outline of a convex polytope: an edge is visible if one of its faces is.
pub(crate) fn edges(picture: &mut Picture, hull: &Polytope, colour: Colour, width: f32) {
    let eye = View::new().eye;
    for edge in hull.edges() {
        let segment = hull.segment(edge);
        let visible = hull.sides(edge).into_iter().any(|face| hull.plane(face).normal.dot(eye) > 0.0);
        picture.outline(segment.a, segment.b, colour, width, visible);
    }
}
