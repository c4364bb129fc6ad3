//! Support points and boxes of the basic shapes.

use carom_geometry::shape::{
    Bounded, Capsule, Cone, Cuboid, Cylinder, Ellipsoid, HalfSpace, ShapeError, Sphere, Tile,
};
use carom_geometry::{Aabb, Pose, Rotation};
use glam::{DVec3, Vec3};
use proptest::prelude::*;

use crate::shapes_zoo::{Kind, Random, kind, pose, zoo};

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
        if direction.length() < 1e-3 {
            return Ok(());
        }
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
    // Turning about the normal changes nothing, whatever the angle; half a turn about x puts it
    // upside down.
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

#[test]
fn sizes_that_no_shape_has_are_refused_by_name() {
    let wrong = |value: f32| {
        let fine = Vec3::ONE;
        let bad = Vec3::new(1.0, 1.0, value);
        vec![
            Sphere::new(value).err(),
            Capsule::along_z(value, 1.0).err(),
            Capsule::along_x(1.0, value).err(),
            Capsule::<f32>::new(fine, fine, value).err(),
            Tile::new(value, 1.0).err(),
            Tile::new(1.0, value).err(),
            Cuboid::<f32>::new(bad).err(),
            Cuboid::<f32>::cube(value).err(),
            Cylinder::new(value, 1.0).err(),
            Cylinder::new(1.0, value).err(),
            Cone::new(value, 1.0).err(),
            Cone::new(1.0, value).err(),
            Ellipsoid::<f32>::new(bad).err(),
        ]
    };
    for error in wrong(-2.0) {
        assert!(matches!(error, Some(ShapeError::Negative { value: -2.0, .. })), "{error:?}");
    }
    for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        for error in wrong(value) {
            assert!(matches!(error, Some(ShapeError::NotFinite { .. })), "{error:?}");
        }
    }
    assert!(wrong(0.0).iter().all(Option::is_none), "size zero is allowed");
    let end = Capsule::<f32>::new(Vec3::new(0.0, f32::NEG_INFINITY, 0.0), Vec3::ONE, 1.0).unwrap_err();
    assert_eq!(
        end.to_string(),
        "the coordinate of an end of the capsule is -inf, which is not a finite number"
    );
    let half = Cuboid::<f32>::new(Vec3::new(1.0, -0.5, 1.0)).unwrap_err();
    assert_eq!(half.to_string(), "the half extent y of the cuboid is -0.5, but must not be negative");
}

proptest! {
    #[test]
    fn points_are_inside_where_the_distance_says(kind in kind(), at in prop::array::uniform3(-1.3f64..1.3)) {
        let p = DVec3::from(at) * kind.size();
        let level = kind.level(p);
        let s = f64::from;
        let w = |a: [f32; 3]| DVec3::from(a.map(f64::from));
        let (inside, distance) = match kind {
            Kind::Sphere(r) => {
                let shape = Sphere { radius: s(r) };
                (shape.contains_point(p), Some(shape.signed_distance(p)))
            }
            Kind::Capsule(a, b, r) => {
                let shape = Capsule::<f64>::new(w(a), w(b), s(r)).unwrap();
                (shape.contains_point(p), Some(shape.signed_distance(p)))
            }
            Kind::Cuboid(half) => {
                let shape = Cuboid::<f64> { half: w(half) };
                (shape.contains_point(p), Some(shape.signed_distance(p)))
            }
            Kind::Cylinder(h, r) => {
                let shape = Cylinder { half_length: s(h), radius: s(r) };
                (shape.contains_point(p), Some(shape.signed_distance(p)))
            }
            Kind::Cone(h, r) => (Cone { half_length: s(h), radius: s(r) }.contains_point(p), None),
            Kind::Ellipsoid(radii) => (Ellipsoid::<f64> { radii: w(radii) }.contains_point(p), None),
            Kind::Tile(x, z) => {
                let tile = Tile { half_x: s(x), half_z: s(z) };
                let on = DVec3::new(p.x, 0.0, p.z);
                prop_assert_eq!(tile.contains_point(on), kind.level(on) == 0.0);
                (tile.contains_point(p), None)
            }
            Kind::Triangle(_) => return Ok(()),
        };
        if level.abs() > 1e-12 * kind.size() {
            prop_assert_eq!(inside, level < 0.0, "level {}", level);
        }
        if let Some(distance) = distance {
            prop_assert!((distance - level).abs() <= 1e-12 * kind.size(), "{distance} against {level}");
        }
    }

    #[test]
    fn volumes_and_areas_fit_each_other(kind in kind()) {
        // The volume of a round shape grows with its radius by its area; the faces of the others
        // are known figures.
        let s = f64::from;
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-6 * b.abs();
        match kind {
            Kind::Sphere(r) => {
                let (a, b) = (Sphere { radius: s(r) * 1.000_001 }, Sphere { radius: s(r) * 0.999_999 });
                let area = Sphere { radius: s(r) }.surface_area();
                prop_assert!(near((a.volume() - b.volume()) / (2e-6 * s(r)), area));
            }
            Kind::Capsule(a, b, r) => {
                let of = |f: f64| Capsule::<f64>::new(
                    DVec3::from(a.map(f64::from)), DVec3::from(b.map(f64::from)), s(r) * f,
                ).unwrap();
                let slope = (of(1.000_001).volume() - of(0.999_999).volume()) / (2e-6 * s(r));
                prop_assert!(near(slope, of(1.0).surface_area()));
            }
            Kind::Cylinder(h, r) => {
                let c = Cylinder { half_length: s(h), radius: s(r) };
                // Unrolled wall and two discs; volume is disc times length.
                let disc = std::f64::consts::PI * s(r) * s(r);
                prop_assert!(near(c.volume(), disc * 2.0 * s(h)));
                prop_assert!(near(c.surface_area() - 2.0 * disc, std::f64::consts::TAU * s(r) * 2.0 * s(h)));
            }
            Kind::Cone(h, r) => {
                let c = Cone { half_length: s(h), radius: s(r) };
                let around = Cylinder { half_length: s(h), radius: s(r) }.volume();
                prop_assert!(near(c.volume() * 3.0, around));
                let disc = std::f64::consts::PI * s(r) * s(r);
                // The wall unrolls to a sector of the disc of the slant.
                let sector = std::f64::consts::PI * s(r) * (s(r) * s(r) + 4.0 * s(h) * s(h)).sqrt();
                prop_assert!(near(c.surface_area(), disc + sector));
            }
            Kind::Cuboid(half) => {
                let c = Cuboid::<f64> { half: DVec3::from(half.map(f64::from)) };
                prop_assert!(near(c.volume(), c.aabb().volume()) && near(c.surface_area(), c.aabb().surface_area()));
            }
            Kind::Ellipsoid(radii) => {
                // Thomsen's formula is right to 1.1 %.
                let e = Ellipsoid::<f64> { radii: DVec3::from(radii.map(f64::from)) };
                let [a, b, c] = radii.map(|r| f64::from(r).powf(1.6075));
                let thomsen = 2.0 * std::f64::consts::TAU * ((a * b + a * c + b * c) / 3.0).powf(1.0 / 1.6075);
                prop_assert!((e.surface_area() / thomsen - 1.0).abs() < 0.012, "{}", e.surface_area());
            }
            Kind::Tile(x, z) => {
                let area = Tile { half_x: s(x), half_z: s(z) }.area();
                prop_assert!(near(area, 4.0 * s(x) * s(z)));
            }
            Kind::Triangle(_) => {}
        }
    }
}
