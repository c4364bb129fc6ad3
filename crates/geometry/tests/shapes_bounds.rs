//! Support points and boxes of the basic shapes.
#![allow(clippy::unwrap_used, clippy::panic)] // a helper that fails fails its test

mod shapes_zoo;

use carom_geometry::shape::{Bounded, HalfSpace};
use carom_geometry::{Aabb, Pose, Rotation};
use glam::{DVec3, Vec3};
use proptest::prelude::*;
use shapes_zoo::{Random, kind, pose, zoo};

#[test]
fn boxes_contain_ten_thousand_points_of_the_surface_in_random_poses() {
    for (seed, kind) in zoo().into_iter().enumerate() {
        let mut random = Random::new(seed as u64);
        let shape = kind.build::<f64>();
        for _ in 0..20 {
            let q = [(); 4].map(|()| random.between(-1.0, 1.0));
            let pose = Pose::new(random.vector() * 5.0, Rotation::from_xyzw(q).unwrap());
            let bounds = shape.aabb_at(&pose).grown(1e-12);
            for _ in 0..500 {
                let p = pose.apply(kind.surface_point(&mut random));
                assert!(bounds.contains_point(p), "{kind:?}: {p} is not in {bounds:?}");
            }
        }
    }
}

/// The two precisions round differently; the bound is some ulps of everything that takes part.
fn single_tolerance(size: f64, place: DVec3) -> f64 {
    8.0 * f64::from(f32::EPSILON) * (size + place.length() + 1e-30)
}

proptest! {
    #[test]
    fn every_face_of_a_box_is_reached(kind in kind(), pose in pose()) {
        let shape = kind.build::<f64>();
        let bounds = shape.aabb_at(&pose);
        for axis in 0..3 {
            for (sign, face) in [(1.0, bounds.max[axis]), (-1.0, bounds.min[axis])] {
                let direction = pose.rotation.rotate_back(DVec3::AXES[axis] * sign);
                let farthest = pose.apply(shape.support(direction))[axis];
                let tolerance = 1e-13 * (kind.size() + pose.translation.length());
                prop_assert!((farthest - face).abs() <= tolerance, "axis {axis}: {farthest} against {face}");
            }
        }
    }

    #[test]
    fn support_points_are_on_the_shape_and_no_point_is_farther(
        kind in kind(),
        direction in prop::array::uniform3(-1.0f64..1.0),
        exponent in -30i32..30,
        seed in any::<u64>(),
    ) {
        let direction = DVec3::from(direction);
        prop_assume!(direction.length() > 1e-3);
        let mut random = Random::new(seed);
        let shape = kind.build::<f64>();
        let best = shape.support(direction * 10f64.powi(exponent));
        prop_assert!(kind.level(best).abs() <= 1e-12 * kind.size(), "{best} is off by {}", kind.level(best));
        for _ in 0..20 {
            let other = kind.surface_point(&mut random);
            prop_assert!(
                other.dot(direction) <= best.dot(direction) + 1e-12 * kind.size(),
                "{other} is farther than {best}"
            );
        }
    }

    #[test]
    fn both_precisions_agree(kind in kind(), pose in pose(), direction in prop::array::uniform3(-1.0f64..1.0)) {
        let (single, double) = (kind.build::<f32>(), kind.build::<f64>());
        let tolerance = single_tolerance(kind.size(), pose.translation);
        let (a, b) = (single.aabb_at(&pose.to::<f32>()), double.aabb_at(&pose));
        for axis in 0..3 {
            prop_assert!((f64::from(a.min[axis]) - b.min[axis]).abs() <= tolerance, "{a:?} against {b:?}");
            prop_assert!((f64::from(a.max[axis]) - b.max[axis]).abs() <= tolerance, "{a:?} against {b:?}");
        }
        // The points may differ where the surface is flat; how far they reach may not.
        let direction = DVec3::from(direction);
        let (p, q) = (single.support(direction.as_vec3()), double.support(direction));
        prop_assert!((p.as_dvec3() - q).dot(direction).abs() <= tolerance, "{p} against {q}");
    }

    #[test]
    fn directions_without_direction_give_a_point(kind in kind()) {
        let shape = kind.build::<f32>();
        for direction in [
            Vec3::ZERO,
            Vec3::NAN,
            Vec3::new(1.0, f32::NAN, 0.0),
            Vec3::splat(f32::INFINITY),
            Vec3::new(0.0, 0.0, f32::NEG_INFINITY),
        ] {
            let p = shape.support(direction);
            prop_assert!(p.is_finite(), "{direction}: {p}");
            prop_assert!(kind.level(p.as_dvec3()) <= single_tolerance(kind.size(), DVec3::ZERO));
        }
        for direction in [Vec3::splat(1e-30), Vec3::splat(-1e30), Vec3::new(1e-30, 1e-38, 0.0)] {
            let (p, q) = (shape.support(direction), kind.build::<f64>().support(direction.as_dvec3()));
            let unit = direction.as_dvec3().normalize();
            prop_assert!((p.as_dvec3() - q).dot(unit).abs() <= single_tolerance(kind.size(), DVec3::ZERO));
        }
    }
}

#[test]
fn a_half_space_is_bounded_only_when_its_normal_is_exactly_along_an_axis() {
    let place = Vec3::new(1.0, 2.0, 3.0);
    let (low, high) = (f32::NEG_INFINITY, f32::INFINITY);
    let at = |q: [f32; 4]| {
        HalfSpace.aabb_at(&Pose::new(place, Rotation { xyz: Vec3::new(q[0], q[1], q[2]), w: q[3] }))
    };
    let below = Aabb::new([low; 3], [high, 2.0, high]);
    assert_eq!(at([0.0, 0.0, 0.0, 1.0]), below);
    // Turning about the normal changes nothing, whatever the angle; half a turn about x puts it upside down.
    assert_eq!(at([0.0, 0.6, 0.0, 0.8]), below);
    assert_eq!(at([1.0, 0.0, 0.0, 0.0]), Aabb::new([low, 2.0, low], [high; 3]));
    // An exact half turn about x = y: the normal becomes +x.
    let h = std::f32::consts::FRAC_1_SQRT_2;
    let turned = at([h, h, 0.0, 0.0]);
    let normal = Rotation::<f32> { xyz: Vec3::new(h, h, 0.0), w: 0.0 }.rotate(Vec3::Y);
    if normal.y == 0.0 && normal.z == 0.0 {
        assert_eq!(turned, Aabb::new([low; 3], [1.0, high, high]));
    } else {
        assert_eq!(turned, Aabb::EVERYTHING);
    }
    // The least lean reaches everywhere.
    assert_eq!(at([1e-30, 0.0, 0.0, 1.0]), Aabb::EVERYTHING);
}
