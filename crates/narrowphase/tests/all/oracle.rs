//! The judge is judged by cases that anybody can work out, and by its three ways agreeing with each
//! other.

use carom_geometry::primitive::Triangle;
use carom_geometry::shape::{Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Sphere, Support, Tile};
use carom_geometry::{Polytope, Pose, Rotation, Vector};
use carom_narrowphase::Proximity;
use carom_narrowphase::oracle::depth::depth;
use carom_narrowphase::oracle::distance::distance;
use carom_narrowphase::oracle::{OracleShape, Violation, certify, certify_claims};
use glam::DVec3;

use crate::cases::{self, Numbers};

fn apart() -> (Sphere<f64>, Cuboid<f64>, Pose<f64>, Proximity<f64>) {
    let pose = Pose::at(DVec3::new(5.0, 0.5, 0.0));
    let answer =
        Proximity { distance: 3.0, normal: DVec3::X, on_a: DVec3::X, on_b: DVec3::new(4.0, 0.0, 0.0) };
    (Sphere::new(1.0).unwrap(), Cuboid::cube(1.0).unwrap(), pose, answer)
}

fn shifted(answer: &Proximity<f64>, by: DVec3) -> Proximity<f64> {
    Proximity { on_a: answer.on_a + by, on_b: answer.on_b + by, ..*answer }
}

#[test]
fn every_false_claim_is_complained_about() {
    let (ball, cube, pose, right) = apart();
    let judge = |answer: Proximity<f64>| certify(&ball, &cube, &pose, &answer, 1e-12);
    assert_eq!(judge(right), Ok(()));
    assert_eq!(judge(Proximity { distance: f64::NAN, ..right }), Err(Violation::NotFinite));
    let long = Proximity { normal: DVec3::X * 1.5, ..right };
    assert_eq!(judge(long), Err(Violation::NotUnit { length: 1.5 }));
    assert!(matches!(judge(Proximity { distance: 2.9, ..right }), Err(Violation::PointsDisagree { .. })));
    // Points of both sets that are not the closest.
    let (on_a, on_b) = (DVec3::ZERO, DVec3::new(4.0, 0.0, 0.0));
    let far = Proximity { distance: 4.0, on_a, on_b, ..right };
    assert!(matches!(judge(far), Err(Violation::WrongGap { .. })));
    let moved = shifted(&right, DVec3::Y * 0.1);
    assert!(matches!(judge(moved), Err(Violation::OutsideFirst { .. })));
    let (ball, cube) = (cube, ball);
    let swapped = right.swapped(&pose);
    let back = pose.inverse();
    assert_eq!(certify(&ball, &cube, &back, &swapped, 1e-12), Ok(()));
    let moved = shifted(&swapped, DVec3::Y * 0.1);
    assert!(matches!(certify(&ball, &cube, &back, &moved, 1e-12), Err(Violation::OutsideSecond { .. })));
}

#[test]
fn a_longer_way_out_is_complained_about() {
    let cube = Cuboid::cube(1.0).unwrap();
    let pose = Pose::at(DVec3::new(1.5, 1.8, 0.0));
    let along = |normal: DVec3, depth: f64, on_a: DVec3| Proximity {
        distance: -depth,
        normal,
        on_a,
        on_b: on_a - normal * depth,
    };
    let right = along(DVec3::Y, 0.2, DVec3::new(0.7, 1.0, 0.0));
    assert_eq!(certify(&cube, &cube, &pose, &right, 1e-12), Ok(()));
    let long = along(DVec3::X, 0.5, DVec3::new(1.0, 0.9, 0.0));
    let too_deep = certify(&cube, &cube, &pose, &long, 1e-12);
    assert!(matches!(too_deep, Err(Violation::TooDeep { claimed: 0.5, .. })), "{too_deep:?}");
    assert_eq!(certify_claims(&cube, &cube, &pose, &long, 1e-12), Ok(()));
}

#[test]
fn depths_that_can_be_worked_out() {
    let (ball, cube) = (Sphere::new(0.5).unwrap(), Cuboid::cube(1.0).unwrap());
    let at = |x: f64| Pose::at(DVec3::new(x, 0.25, 0.125));
    assert!((depth(&ball, &cube, &at(1.25)).depth - 0.25).abs() < 1e-12);
    assert!((depth(&ball, &cube, &at(0.5)).depth - 1.0).abs() < 1e-12);
    assert!((depth(&ball, &cube, &at(2.0)).depth + 0.5).abs() < 1e-12);
    // Balls by the formula and by trying directions.
    let round = Ellipsoid::new(DVec3::splat(0.5)).unwrap();
    assert!((depth(&ball, &round, &at(0.5)).depth - (1.0 - at(0.5).translation.length())).abs() < 1e-12);
    let crossing = Pose::new(DVec3::ZERO, Rotation::about_axis(DVec3::Z, 0.7));
    let tile = Tile::new(1.0, 2.0).unwrap();
    assert!(depth(&tile, &tile, &Pose::IDENTITY).depth.abs() < 1e-12);
    // Tiles crossed at their middles come apart across their common line, where each reaches 2
    // either way, or along a normal.
    let out = depth(&tile, &tile, &crossing);
    assert!((out.depth - 0.7f64.sin()).abs() < 1e-12, "{out:?}");
    let rod = Capsule::along_x(1.0, 0.1).unwrap();
    assert!((depth(&rod, &rod, &Pose::at(DVec3::X)).depth - 0.2).abs() < 1e-12);
    let point = Sphere::new(0.0).unwrap();
    assert!(depth(&point, &point, &Pose::IDENTITY).depth.abs() < 1e-12);
}

/// A shape as the judge sees it, and by its support function.
type Judged = (Box<dyn OracleShape>, Box<dyn Support<f64>>);

/// A point is a shape's if it lies below every supporting plane; the excess is the largest height
/// above one.
#[test]
fn excess_is_what_supporting_planes_say() {
    let hull = Polytope::random_on_sphere(30, 1.0, 5).unwrap();
    let corners = [DVec3::new(0.3, 0.1, -0.5), DVec3::new(1.0, 0.4, 0.2), DVec3::new(-0.5, 0.8, 0.6)];
    let triangle = Triangle::new(corners[0], corners[1], corners[2]);
    let shapes: Vec<Judged> = vec![
        (Box::new(Sphere::new(0.7).unwrap()), Box::new(Sphere::new(0.7).unwrap())),
        (Box::new(Capsule::along_z(0.6, 0.3).unwrap()), Box::new(Capsule::along_z(0.6, 0.3).unwrap())),
        (Box::new(Tile::new(0.6, 0.3).unwrap()), Box::new(Tile::new(0.6, 0.3).unwrap())),
        (Box::new(Cuboid::cube(0.6).unwrap()), Box::new(Cuboid::cube(0.6).unwrap())),
        (Box::new(Cylinder::new(0.6, 0.4).unwrap()), Box::new(Cylinder::new(0.6, 0.4).unwrap())),
        (Box::new(Cone::new(0.6, 0.4).unwrap()), Box::new(Cone::new(0.6, 0.4).unwrap())),
        (
            Box::new(Ellipsoid::new(DVec3::new(0.6, 0.2, 0.9)).unwrap()),
            Box::new(Ellipsoid::new(DVec3::new(0.6, 0.2, 0.9)).unwrap()),
        ),
        (
            Box::new(Ellipsoid::new(DVec3::new(0.6, 0.0, 0.9)).unwrap()),
            Box::new(Ellipsoid::new(DVec3::new(0.6, 0.0, 0.9)).unwrap()),
        ),
        (Box::new(triangle), Box::new(triangle)),
        (Box::new(hull.clone()), Box::new(hull)),
    ];
    let mut numbers = Numbers(3);
    for (k, (shape, support)) in shapes.iter().enumerate() {
        for _ in 0..20 {
            let point = numbers.vector(1.5);
            let excess = shape.excess(point);
            // Negative heights lead to positive ones: those of a point just outside are few.
            let mut planes = f64::NEG_INFINITY;
            let mut best = DVec3::X;
            let mut try_all = |directions: &mut dyn Iterator<Item = DVec3>| {
                for n in directions.filter_map(Vector::unit) {
                    let height = n.dot(point - support.support(n));
                    if height > planes {
                        (planes, best) = (height, n);
                    }
                }
                best
            };
            let mut best = try_all(&mut (0..500).map(|_| numbers.vector(1.0)));
            let mut reach = 0.3;
            while reach > 1e-7 {
                best = try_all(&mut (0..60).map(|_| best + numbers.vector(reach)));
                reach *= 0.7;
            }
            let planes = planes.max(0.0);
            // No plane reports more; the random search ends near the best one.
            assert!(
                planes <= excess + 1e-12 && planes >= excess - 2e-3,
                "shape {k} at {point}: {planes} by planes, {excess}"
            );
        }
    }
}

#[test]
fn triangles_and_axes_agree_where_polyhedra_meet() {
    let hull = Polytope::random_on_sphere(12, 1.0, 9).unwrap();
    let cube = Polytope::cube(0.7).unwrap();
    let rod = Capsule::along_y(0.8, 0.2).unwrap();
    let mut numbers = Numbers(4);
    for _ in 0..cases::count() / 50 {
        let pose = numbers.pose(1.6);
        for (a, b) in [(&hull as &dyn OracleShape, &cube as &dyn OracleShape), (&cube, &rod), (&rod, &hull)] {
            let (way_out, apart) = (depth(a, b, &pose).depth, distance(a, b, &pose).unwrap());
            assert!(
                (way_out.min(0.0) + apart).abs() < 1e-9 || (way_out.abs() < 1e-9 && apart < 1e-9),
                "{way_out} {apart}"
            );
        }
    }
}
