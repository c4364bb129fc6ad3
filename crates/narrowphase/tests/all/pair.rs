//! Every method by name on every pair of shapes: they agree with each other and refuse what they
//! cannot do.

use std::sync::Arc;

use carom_geometry::primitive::Triangle;
use carom_geometry::shape::{Capsule, Cone, Cuboid, Cylinder, Ellipsoid, HalfSpace, Sphere, Tile};
use carom_geometry::{Polytope, Pose, Rotation, Shape};
use carom_narrowphase::sat::Tolerances;
use carom_narrowphase::{Manifold, NarrowMethod, pair};
use glam::Vec3;

use crate::cases::{self, Numbers};

fn shapes() -> Vec<Shape> {
    let corner = |x, y, z| Vec3::new(x, y, z);
    vec![
        Sphere::new(0.5).unwrap().into(),
        Capsule::along_z(0.4, 0.3).unwrap().into(),
        Tile::new(0.7, 0.5).unwrap().into(),
        Cuboid::new(corner(0.5, 0.4, 0.6)).unwrap().into(),
        Cylinder::new(0.5, 0.4).unwrap().into(),
        Cone::new(0.5, 0.5).unwrap().into(),
        Ellipsoid::new(corner(0.3, 0.5, 0.7)).unwrap().into(),
        Triangle::new(corner(-0.8, 0.0, -0.5), corner(0.0, 0.1, 0.9), corner(0.8, 0.0, -0.4)).into(),
        Polytope::random_on_sphere(20, 0.5, 3).unwrap().into(),
        Polytope::prism(5, 1.0, 0.5).unwrap().into(),
        Shape::Polytope(Arc::new(Polytope::random_on_sphere(200, 0.5, 4).unwrap())),
        HalfSpace.into(),
    ]
}

/// Distances of two methods may differ by this: the tolerances of both.
const CLOSE: f32 = 1e-4;

#[test]
fn methods_agree_about_distance_depth_and_touching() {
    let shapes = shapes();
    let mut numbers = Numbers(41);
    for case in 0..cases::count() / 4 {
        let a = &shapes[numbers.below(shapes.len() as u64) as usize];
        let b = &shapes[numbers.below(shapes.len() as u64) as usize];
        if !pair::supports(NarrowMethod::Auto, a, b) {
            continue;
        }
        let pose = numbers.pose(1.3).to::<f32>();
        let ask =
            |method| pair::proximity(a, b, &pose, f32::INFINITY, method, &mut pair::PairCache::default());
        let near = ask(NarrowMethod::Auto).unwrap().unwrap();
        for method in NarrowMethod::ALL {
            let what = format!("case {case}, {method}: {} and {} at {pose:?}, {near:?}", a.name(), b.name());
            if !pair::supports(method, a, b) {
                assert!(ask(method).is_err(), "{what}");
                continue;
            }
            let touches = pair::touches(a, b, &pose, method, &mut pair::PairCache::default()).unwrap();
            assert!(touches == (near.distance <= 0.0) || near.distance.abs() < CLOSE, "{what}");
            match (method, ask(method).unwrap()) {
                (NarrowMethod::Mpr, None) => assert!(near.distance > -CLOSE, "{what}"),
                (NarrowMethod::Mpr, Some(found)) => assert!(found.distance < near.distance + CLOSE, "{what}"),
                (NarrowMethod::Sat, Some(found)) if near.distance > 0.0 => {
                    assert!(found.distance < near.distance + CLOSE, "{what} {found:?}");
                }
                (_, Some(found)) => {
                    assert!((found.distance - near.distance).abs() < CLOSE, "{what} {found:?}");
                    assert!((found.normal.length() - 1.0).abs() < 1e-5, "{what} {found:?}");
                }
                (_, None) => assert!(method == NarrowMethod::Sat && near.distance > 0.0, "{what}"),
            }
        }
    }
}

/// Pairs that are farther apart are ruled out in other ways than near ones are measured.
#[test]
fn a_limit_leaves_out_what_is_farther_and_nothing_else() {
    let shapes = shapes();
    let mut numbers = Numbers(42);
    let (mut near, mut far) = (0, 0);
    for case in 0..cases::count() {
        let a = &shapes[numbers.below(shapes.len() as u64) as usize];
        let b = &shapes[numbers.below(shapes.len() as u64) as usize];
        if !pair::supports(NarrowMethod::Auto, a, b) {
            continue;
        }
        let pose = numbers.pose(1.6).to::<f32>();
        let limit = [0.0, 0.02, 0.3][numbers.below(3) as usize];
        let ask = |limit| {
            pair::proximity(a, b, &pose, limit, NarrowMethod::Auto, &mut pair::PairCache::default()).unwrap()
        };
        let (whole, within) = (ask(f32::INFINITY).unwrap(), ask(limit));
        let what = format!("case {case}: {} and {} at {pose:?}, {whole:?}", a.name(), b.name());
        match within {
            Some(found) => assert!((found.distance - whole.distance).abs() < CLOSE, "{what} {found:?}"),
            None => assert!(whole.distance > limit - CLOSE, "{what}"),
        }
        near += u32::from(within.is_some());
        far += u32::from(within.is_none());
        assert!(within.is_none() || whole.distance < limit + CLOSE, "{what}");
    }
    assert!(near > cases::count() / 10 && far > cases::count() / 10, "{near} {far}");
}

#[test]
fn contacts_are_there_within_the_speculative_distance_and_as_deep_as_the_shapes() {
    let shapes = shapes();
    let mut numbers = Numbers(43);
    let tolerances = Tolerances::default();
    let mut scratch = pair::Scratch::default();
    let mut contacts = 0;
    for case in 0..cases::count() {
        let a = &shapes[numbers.below(shapes.len() as u64) as usize];
        let b = &shapes[numbers.below(shapes.len() as u64) as usize];
        if !pair::supports(NarrowMethod::Auto, a, b) {
            continue;
        }
        let pose = numbers.pose(1.2).to::<f32>();
        let mut cache = pair::PairCache::default();
        let near =
            pair::proximity(a, b, &pose, f32::INFINITY, NarrowMethod::Auto, &mut cache).unwrap().unwrap();
        // Once cold and once with what the first left behind.
        let mut contact = Manifold::default();
        cache.clear();
        for query in 0..2 {
            pair::manifold(
                a,
                b,
                &pose,
                tolerances,
                NarrowMethod::Auto,
                &mut cache,
                &mut scratch,
                &mut contact,
            )
            .unwrap();
            let what = format!("case {case}.{query}: {} and {} at {pose:?}, {near:?}", a.name(), b.name());
            let Tolerances { speculative_distance, slop } = tolerances;
            if near.distance > speculative_distance + CLOSE {
                assert!(contact.is_empty(), "{what} {contact:?}");
            } else if near.distance < -CLOSE {
                assert!(!contact.is_empty(), "{what}");
                // A face may be preferred to edges that are better by the slop.
                let off = contact.deepest() - near.distance;
                assert!((-slop - 1e-3..=slop + 1e-3).contains(&off), "{what} off by {off}: {contact:?}");
                contacts += 1;
            }
            for point in contact.points() {
                let separation = (pose.apply(point.on_b) - point.on_a).dot(contact.normal);
                assert!((separation - point.separation).abs() < 1e-4, "{what} {contact:?}");
            }
        }
    }
    assert!(contacts > cases::count() / 4, "only {contacts} contacts");
}

/// A long run found this: the planes across two edges leave less than the speculative distance
/// between the triangles, but the edges are not above each other.
#[test]
fn edges_that_are_far_apart_have_no_contact() {
    let triangle = shapes().into_iter().find(|shape| shape.name() == "triangle").unwrap();
    let rotation =
        Rotation { xyz: Vec3::new(8.000_391_6e-17, -0.382_683_46, 8.000_391_6e-17), w: -0.923_879_56 };
    let pose = Pose::new(Vec3::new(-0.805_626_3, 0.058_217_518, 1.129_670_3), rotation);
    let (mut cache, mut contact) = (pair::PairCache::default(), Manifold::default());
    for _ in 0..2 {
        pair::manifold(
            &triangle,
            &triangle,
            &pose,
            Tolerances::default(),
            NarrowMethod::Auto,
            &mut cache,
            &mut pair::Scratch::default(),
            &mut contact,
        )
        .unwrap();
        assert!(contact.is_empty(), "{contact:?}");
    }
}

/// A long run found this: tiles in one plane but for a millionth, one beside the other.
#[test]
fn portals_of_tiles_side_by_side_do_not_touch() {
    let tile = shapes().into_iter().find(|shape| shape.name() == "tile").unwrap();
    let rotation = Rotation { xyz: Vec3::new(1.514_958_7e-7, -1.858_162_6e-7, 4.415_125e-7), w: 1.0 };
    let pose = Pose::new(Vec3::new(-0.975, 0.0, -1.3), rotation);
    let cache = &mut pair::PairCache::default();
    assert!(!pair::touches(&tile, &tile, &pose, NarrowMethod::Mpr, cache).unwrap());
    assert_eq!(pair::proximity(&tile, &tile, &pose, f32::INFINITY, NarrowMethod::Mpr, cache).unwrap(), None);
}

#[test]
fn exchanged_shapes_have_the_mirrored_contact() {
    let shapes = shapes();
    let mut numbers = Numbers(47);
    let mut scratch = pair::Scratch::default();
    for _ in 0..cases::count() / 4 {
        let a = &shapes[numbers.below(shapes.len() as u64) as usize];
        let b = &shapes[numbers.below(shapes.len() as u64) as usize];
        if !pair::supports(NarrowMethod::Auto, a, b) {
            continue;
        }
        let pose = numbers.pose(1.0).to::<f32>();
        let mut deepest = |a: &Shape, b: &Shape, pose: &Pose| {
            let (mut cache, mut contact) = (pair::PairCache::default(), Manifold::default());
            let tolerances = Tolerances { slop: 0.0, ..Tolerances::default() };
            pair::manifold(
                a,
                b,
                pose,
                tolerances,
                NarrowMethod::Auto,
                &mut cache,
                &mut scratch,
                &mut contact,
            )
            .unwrap();
            contact.deepest()
        };
        let (there, back) = (deepest(a, b, &pose), deepest(b, a, &pose.inverse()));
        let same = there == back || (there - back).abs() < 1e-3 || there.max(back) > 0.018;
        assert!(same, "{} and {} at {pose:?}: {there} and {back}", a.name(), b.name());
    }
}

#[test]
fn a_method_says_what_it_cannot_do() {
    let ball = Shape::from(Sphere::new(1.0).unwrap());
    let mut cache = pair::PairCache::default();
    let error = pair::touches(&ball, &ball, &Pose::IDENTITY, NarrowMethod::VClip, &mut cache).unwrap_err();
    assert_eq!(
        error.to_string(),
        "v-clip has no answer for a sphere and a sphere: see `carom list narrow`, or take auto"
    );
    let ground = Shape::from(HalfSpace);
    assert!(!pair::supports(NarrowMethod::Auto, &ground, &ground));
    assert!(
        pair::supports(NarrowMethod::Auto, &ground, &ball)
            && !pair::supports(NarrowMethod::GjkEpa, &ground, &ball)
    );
}
