//! Bounding volumes around one object, and around its motion.

use carom_geometry::bounds::obb::fit;
use carom_geometry::bounds::{Aabb, BoundingSphere, Kdop, Obb, motion};
use carom_geometry::hull::{HullOptions, convex_hull};
use carom_geometry::polytope::Polytope;
use carom_geometry::shape::{Cuboid, Sphere};
use carom_geometry::{Pose, Rotation, mass};
use glam::Vec3;

use crate::canvas::{BODY, BOUND, Picture, QUIET, sheet};
use crate::draw;

/// An object for which volumes differ: a slanted block with a spike.
fn object() -> Vec<Vec3> {
    let turn = Rotation::about_axis(Vec3::new(0.36, 0.48, 0.8), 0.7);
    let half = Vec3::new(1.0, 0.35, 0.25);
    let corners = (0..8).map(|k| {
        let sign = |bit: usize| if k >> bit & 1 == 1 { 1.0 } else { -1.0 };
        turn.rotate(half * Vec3::new(sign(0), sign(1), sign(2)))
    });
    corners.chain([turn.rotate(Vec3::new(1.45, 0.25, 0.0))]).collect()
}

fn hull_of(points: &[Vec3]) -> Polytope {
    convex_hull(points, &HullOptions::default()).unwrap()
}

fn volume(hull: &Polytope) -> f32 {
    let triangles = hull.triangles().map(|t| t.corners());
    mass::closed_surface::of_trusted_surface(triangles, 1.0).unwrap().mass
}

pub(crate) fn bounds_sheet() -> String {
    let points = object();
    let hull = hull_of(&points);
    let own = volume(&hull);
    let mut pictures = Vec::new();
    let mut add = |name: &str, volume: f32, draw: &dyn Fn(&mut Picture)| {
        let mut picture = Picture::new(&format!("{name}\n{:.2} × the object's volume", volume / own));
        draw::polytope(&mut picture, &hull, &Pose::IDENTITY, BODY);
        draw(&mut picture);
        pictures.push(picture);
    };
    add("convex hull", own, &|p| draw::edges(p, &hull, BOUND, 1.6));
    for (name, sphere) in [
        ("sphere, method A", BoundingSphere::around_box(&points)),
        ("sphere, method B", BoundingSphere::around_box_centre(&points)),
        ("sphere, Ritter", BoundingSphere::ritter(&points)),
        ("sphere, smallest", BoundingSphere::smallest(&points)),
    ] {
        let sphere: BoundingSphere = sphere.unwrap();
        add(name, sphere.volume(), &|p| draw::sphere(p, sphere.centre, sphere.radius, BOUND));
    }
    let aabb: Aabb<3> = Aabb::of_points(points.iter().copied());
    add("AABB", aabb.volume(), &|p| draw::aabb(p, &aabb, BOUND, 1.4));
    let principal: Obb = fit::around_points(&points).unwrap();
    add("OBB, principal axes", principal.volume(), &|p| draw::box_edges(p, &principal.corners(), BOUND, 1.4));
    let edges: Vec<Vec3> = hull.edges().map(|e| hull.segment(e).direction()).collect();
    let near: Obb = fit::near_minimal(hull.points(), &edges).unwrap();
    add("OBB, along hull edges", near.volume(), &|p| draw::box_edges(p, &near.corners(), BOUND, 1.4));
    fn dop<const K2: usize>(points: &[Vec3]) -> (f32, Polytope) {
        let volume: Kdop<K2> = Kdop::of_points(points.iter().copied());
        (volume.volume(), hull_of(&volume.vertices()))
    }
    for (name, (volume, outline)) in
        [("14-DOP", dop::<7>(&points)), ("18-DOP", dop::<9>(&points)), ("26-DOP", dop::<13>(&points))]
    {
        add(name, volume, &|p| draw::edges(p, &outline, BOUND, 1.2));
    }
    sheet("Bounding volumes", 4, pictures)
}

pub(crate) fn motion_sheet() -> String {
    let mut pictures = Vec::new();
    let ball = BoundingSphere::new(Vec3::ZERO, 0.4f32);
    let path = Vec3::new(1.8, 0.7, -0.6);
    let mut add = |caption: &str, draw: &dyn Fn(&mut Picture)| {
        let mut picture = Picture::new(caption);
        for k in 0..=4 {
            let centre = path * (k as f32 / 4.0);
            let colour = if k % 4 == 0 { BODY } else { QUIET.map(|c| c + 0.3) };
            let ball = Sphere { radius: ball.radius };
            draw::solid_in_detail(&mut picture, &ball, &Pose::at(centre), colour, 130);
        }
        draw(&mut picture);
        pictures.push(picture);
    };
    add("motion sphere\nof a moving ball", &|p| {
        let bound: BoundingSphere = motion::sphere(&ball, path);
        draw::sphere(p, bound.centre, bound.radius, BOUND);
    });
    add("motion AABB\nof a moving ball", &|p| draw::aabb(p, &motion::aabb(&ball, path), BOUND, 1.4));
    add("motion OBB\nof a moving ball", &|p| {
        let bound: Obb = motion::obb(&ball, path);
        draw::box_edges(p, &bound.corners(), BOUND, 1.4);
    });
    let half = Vec3::new(0.9, 0.15, 0.25);
    let turning = motion::Motion::rotating(&Pose::IDENTITY, Vec3::ZERO, path, Vec3::new(0.0, 0.4, 1.6));
    let corners: Vec<Vec3> = (0..8).map(|k| Aabb::<3>::around(Vec3::ZERO, half).corner(k)).collect();
    let mut picture = Picture::new("moving and turning box\ncontains every pose between");
    for k in 0..=6 {
        let colour = if k % 6 == 0 { BODY } else { QUIET.map(|c| c + 0.3) };
        draw::solid(&mut picture, &Cuboid { half }, &turning.at(k as f32 / 6.0), colour);
    }
    draw::aabb(&mut picture, &turning.aabb(&corners, 4), BOUND, 1.4);
    pictures.push(picture);
    sheet("Bounds of motion", 4, pictures)
}
