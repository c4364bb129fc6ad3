//! Figures against plain arithmetic: distances by sampling borders, points by what they claim.

use carom_core::random::Random;
use carom_geometry::shape::Planar;
use carom_geometry::shape::planar::OutlineRoom;
use carom_geometry::{Pose, Rotation, Shape};
use glam::{Vec2, Vec3};

use super::*;
use crate::cast::{CastOptions, cast_shape};
use crate::manifold::Manifold;
use crate::pair::{self, PairCache, Scratch};
use crate::sat::Tolerances;
use crate::toi::{Motion, Toi, ToiOptions, time_of_impact_of_shapes};
use crate::{NarrowMethod, analytic};

fn zoo() -> Vec<Planar> {
    let corners = [[0.0, 0.0], [1.0, -0.3], [1.4, 0.5], [0.5, 1.0], [-0.2, 0.6]].map(Vec2::from);
    let many: Vec<Vec2> = (0..20)
        .map(|k| carom_core::trig::sin_cos(k as f32 * 0.314_159_27))
        .map(|(y, x)| Vec2::new(0.8 * x, 0.5 * y))
        .collect();
    vec![
        Planar::disc(0.5).unwrap(),
        Planar::capsule(Vec2::new(-0.5, 0.1), Vec2::new(0.6, -0.2), 0.2).unwrap(),
        Planar::edge(Vec2::new(-0.7, 0.0), Vec2::new(0.9, 0.3)).unwrap(),
        Planar::rectangle(0.7, 0.3).unwrap(),
        Planar::rounded_rectangle(0.4, 0.2, 0.25).unwrap(),
        Planar::polygon(&corners).unwrap(),
        Planar::rounded_polygon(&corners, 0.1).unwrap(),
        Planar::polygon(&many).unwrap(),
    ]
}

fn random_pose(random: &mut Random, reach: f32) -> Pose {
    let place = Vec3::new(random.range(-reach, reach), random.range(-reach, reach), 0.0);
    Pose::new(place, Rotation::about_axis(Vec3::Z, random.range(-3.1, 3.1)))
}

/// Least distance of the borders of two cores, sampled, less the radii; `None` where cores overlap.
fn sampled(a: &Planar, b: &Planar, pose: &Pose) -> Option<f32> {
    let border = |figure: &Planar| {
        let mut room = OutlineRoom::default();
        let outline = figure.outline(&mut room);
        let mut points = Vec::new();
        for at in 0..outline.vertices.len() {
            let (p, q) = (outline.vertices[at], outline.vertices[outline.after(at)]);
            points.extend((0..200).map(|k| p + (q - p) * (k as f32 / 200.0)));
        }
        points
    };
    let plane = plane_pose(pose).unwrap();
    let (mut room_a, mut room_b) = (OutlineRoom::default(), OutlineRoom::default());
    let (of_a, of_b) = (a.outline(&mut room_a), b.outline(&mut room_b));
    let mut least = f32::INFINITY;
    for q in border(b) {
        let near = of_a.nearest(plane.apply(q));
        if near.distance < 0.0 {
            return None;
        }
        least = least.min(near.distance);
    }
    for p in border(a) {
        let near = of_b.nearest(plane.undo(p));
        if near.distance < 0.0 {
            return None;
        }
        least = least.min(near.distance);
    }
    Some(least - a.radius() - b.radius())
}

#[test]
fn distances_are_those_of_the_borders() {
    let mut random = Random::new(21);
    let all = zoo();
    for round in 0..6000u32 {
        let (a, b) = (&all[round as usize % 8], &all[round as usize / 8 % 8]);
        let pose = random_pose(&mut random, 2.0);
        let found = proximity(a, b, &pose).unwrap();
        let Some(wanted) = sampled(a, b, &pose).filter(|d| *d + a.radius() + b.radius() > 0.01) else {
            continue;
        };
        assert!((found.distance - wanted).abs() < 4e-3, "{a:?} {b:?} {pose:?} {found:?} {wanted}");
        let off = found.on_a + found.normal * found.distance - found.on_b;
        assert!(off.length() < 1e-5 && found.normal.z == 0.0, "{found:?}");
    }
}

#[test]
fn moving_by_the_depth_parts_figures_that_overlap() {
    let mut random = Random::new(22);
    let all = zoo();
    let mut overlaps = 0;
    for round in 0..6000u32 {
        let (a, b) = (&all[round as usize % 8], &all[round as usize / 8 % 8]);
        let pose = random_pose(&mut random, 0.8);
        let found = proximity(a, b, &pose).unwrap();
        if found.distance >= -1e-3 {
            continue;
        }
        overlaps += 1;
        let parted = |share: f32| {
            let moved =
                Pose { translation: pose.translation - found.normal * found.distance * share, ..pose };
            proximity(a, b, &moved).unwrap().distance
        };
        assert!(parted(1.0) > -1e-4 && parted(1.0) < 1e-4, "{a:?} {b:?} {pose:?} {found:?} {}", parted(1.0));
        assert!(parted(0.9) < 1e-4, "{a:?} {b:?} {pose:?} {found:?}");
    }
    assert!(overlaps > 1000);
}

#[test]
fn contact_points_are_true_and_in_the_plane() {
    let mut random = Random::new(23);
    let all = zoo();
    let tolerances = Tolerances { speculative_distance: 0.05, slop: 0.005 };
    let (mut cache, mut scratch) = (PairCache::default(), Scratch::default());
    let mut two = 0;
    for round in 0..12_000u32 {
        let (a, b) = (&all[round as usize % 8], &all[round as usize / 8 % 8]);
        let pose = random_pose(&mut random, 1.2);
        let found = proximity(a, b, &pose).unwrap();
        let mut contact = Manifold::default();
        let (shape_a, shape_b) = (Shape::from(a.clone()), Shape::from(b.clone()));
        let method = NarrowMethod::Auto;
        pair::manifold(&shape_a, &shape_b, &pose, tolerances, method, &mut cache, &mut scratch, &mut contact)
            .unwrap();
        let what = || format!("{a:?} {b:?} {pose:?} {found:?} {contact:?}");
        assert_eq!(contact.is_empty(), found.distance > 0.05, "{}", what());
        if contact.is_empty() {
            continue;
        }
        assert!(contact.points().len() <= 2 && contact.normal.z == 0.0, "{}", what());
        assert!((contact.normal.length() - 1.0).abs() < 1e-5, "{}", what());
        // The preferred side may be worse by the preference, and the gap of corners that of a side.
        assert!((contact.deepest() - found.distance).abs() < 0.006, "{}", what());
        two += u32::from(contact.points().len() == 2);
        for point in contact.points() {
            assert!(point.on_a.z == 0.0 && point.on_b.z == 0.0, "{}", what());
            let off = point.on_a + contact.normal * point.separation - pose.apply(point.on_b);
            assert!(off.length() < 1e-5, "{}", what());
            let dot = |figure: &Planar, at: Vec3| beside_ball(figure, 0.0, &Pose::at(at)).distance;
            assert!(dot(a, point.on_a) < 2e-3 + point.separation.abs(), "{}", what());
        }
    }
    assert!(two > 1000, "{two}");
}

#[test]
fn a_box_on_a_box_has_two_points_that_keep_their_names() {
    let (ground, brick) = (
        Shape::from(Planar::rectangle(5.0, 0.5).unwrap()),
        Shape::from(Planar::rectangle(0.5, 0.5).unwrap()),
    );
    let tolerances = Tolerances { speculative_distance: 0.02, slop: 0.005 };
    let mut names = Vec::new();
    for k in 0..20 {
        let tilt = 0.001 * (k % 5) as f32 - 0.002;
        let pose = Pose::new(Vec3::new(0.1, 0.999, 0.0), Rotation::about_axis(Vec3::Z, tilt));
        let mut contact = Manifold::default();
        assert!(manifold(&ground, &brick, &pose, tolerances.speculative_distance, &mut contact));
        assert_eq!(contact.points().len(), 2);
        assert!((contact.normal - Vec3::Y).length() < 0.01);
        names.push([contact.points()[0].feature, contact.points()[1].feature]);
    }
    names.dedup();
    assert_eq!(names.len(), 1, "{names:?}");
}

#[test]
fn balls_with_their_centre_in_the_plane_are_discs() {
    let mut random = Random::new(24);
    for figure in zoo() {
        for _ in 0..200 {
            let pose = random_pose(&mut random, 1.5);
            let disc = proximity(&figure, &Planar::Disc { radius: 0.2 }, &pose).unwrap();
            let ball = Shape::from(carom_geometry::shape::Sphere::new(0.2).unwrap());
            let found = analytic::proximity(&figure.clone().into(), &ball, &pose).unwrap();
            assert!((found.distance - disc.distance).abs() < 1e-5, "{figure:?} {pose:?}");
        }
    }
}

#[test]
fn casts_and_impacts_stop_where_the_distance_ends() {
    let mut random = Random::new(25);
    let all = zoo();
    let mut hits = [0u32; 2];
    for round in 0..3000u32 {
        let (a, b) = (&all[round as usize % 8], &all[round as usize / 8 % 8]);
        let pose = random_pose(&mut random, 4.0);
        let way = Vec3::new(-pose.translation.x, -pose.translation.y, 0.0) * 1.5;
        let (shape_a, shape_b) = (Shape::from(a.clone()), Shape::from(b.clone()));
        let at = |t: f32| {
            let moved = Pose { translation: pose.translation + way * t, ..pose };
            proximity(a, b, &moved).unwrap().distance
        };
        let Some(hit) = cast_shape(&shape_a, &shape_b, &pose, way, &CastOptions::default()) else {
            assert!((0..=400).all(|k| at(k as f32 / 400.0) > -1e-4), "{a:?} {b:?} {pose:?}");
            continue;
        };
        assert_eq!(hit.hit.normal.z, 0.0, "{a:?} {b:?} {pose:?} {hit:?}");
        assert_eq!(hit.hit.at_start, at(0.0) <= 0.0, "{a:?} {b:?} {pose:?} {hit:?}");
        if !hit.hit.at_start {
            hits[0] += 1;
            assert!(at(hit.hit.fraction).abs() < 1e-3, "{a:?} {b:?} {pose:?} {}", at(hit.hit.fraction));
        }
        let still = Motion::rotating(&Pose::IDENTITY, Vec3::ZERO, Vec3::ZERO, Vec3::ZERO);
        let flight = Motion::rotating(&pose, Vec3::ZERO, way, Vec3::ZERO);
        let options = ToiOptions { target_distance: 0.001, tolerance: 0.000_25, ..ToiOptions::default() };
        let found = time_of_impact_of_shapes(&shape_a, &still, &shape_b, &flight, &options).unwrap();
        if let Toi::Hit { t, .. } = found.outcome {
            hits[1] += 1;
            assert!((at(t) - 0.001).abs() < 2e-3, "{a:?} {b:?} {pose:?} {}", at(t));
        } else {
            assert!(hit.hit.at_start || at(0.0) < 0.01, "{a:?} {b:?} {pose:?} {found:?}");
        }
    }
    assert!(hits.iter().all(|count| *count > 1500), "{hits:?}");
}
