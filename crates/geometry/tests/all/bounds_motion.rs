//! Motion bounds against sampled poses, computed in `f64`.

use carom_geometry::bounds::motion::{self, Motion};
use carom_geometry::bounds::{Aabb, BoundingSphere, Obb};
use carom_geometry::{Pose, Rotation};
use glam::{DVec3, Vec3};
use proptest::prelude::*;

const SAMPLES: u32 = 24;

fn vector(size: f32) -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-size..size).prop_map(Vec3::from)
}

fn pose() -> impl Strategy<Value = Pose> {
    let place = prop_oneof![3 => vector(5.0), 1 => vector(1e4)];
    (place, prop::array::uniform4(-1.0f32..1.0))
        .prop_filter_map("null quaternion", |(t, q)| Some(Pose::new(t, Rotation::from_xyzw(q)?)))
}

/// Any motion: without turning, a little, several turns, about an axis of the world or any.
fn motion() -> impl Strategy<Value = Motion> {
    let axis = prop_oneof![Just(Vec3::X), Just(-Vec3::Y), Just(Vec3::Z), vector(1.0)];
    let angle = prop_oneof![1 => Just(0.0f32), 2 => 0.0f32..0.2, 3 => 0.0f32..6.5, 1 => 0.0f32..40.0];
    let displacement =
        prop_oneof![1 => Just(Vec3::ZERO), 3 => vector(6.0), 1 => Just(Vec3::new(0.0, -3.0, 0.0))];
    (pose(), prop_oneof![Just(Vec3::ZERO), vector(2.0)], displacement, axis, angle).prop_map(
        |(start, pivot, displacement, axis, angle)| {
            Motion::rotating(&start, pivot, displacement, axis.normalize_or(Vec3::X) * angle)
        },
    )
}

fn body() -> impl Strategy<Value = Vec<Vec3>> {
    let corners = vector(2.0)
        .prop_map(|h| (0..8).map(|k| Aabb::<3, f32>::around(Vec3::ZERO, h.abs()).corner(k)).collect());
    prop_oneof![corners, prop::collection::vec(vector(2.0), 1..12)]
}

/// The motion in f64, written down independently: a point on its helix.
fn exact(motion: &Motion, t: f64, p: Vec3) -> DVec3 {
    let start = motion.start.to::<f64>();
    let arm = start.rotation.rotate(p.as_dvec3() - motion.pivot.as_dvec3());
    let axis = motion.axis.as_dvec3().normalize();
    let (s, c) = (f64::from(motion.angle) * t).sin_cos();
    let turned = arm * c + axis.cross(arm) * s + axis * (axis.dot(arm) * (1.0 - c));
    start.apply(motion.pivot.as_dvec3()) + motion.displacement.as_dvec3() * t + turned
}

fn aabb_holds(aabb: &Aabb<3>, p: DVec3) -> bool {
    (0..3).all(|k| f64::from(aabb.min[k]) <= p[k] && p[k] <= f64::from(aabb.max[k]))
}

fn obb_holds(obb: &Obb, p: DVec3) -> bool {
    let obb = obb.to::<f64>();
    let local = obb.axes.inverse().unwrap().times(p - obb.centre);
    (0..3).all(|k| local[k].abs() <= obb.half[k])
}

fn sphere_holds(sphere: &BoundingSphere, p: DVec3) -> bool {
    p.distance(sphere.centre.as_dvec3()) <= f64::from(sphere.radius) * (1.0 + 1e-6) + 1e-6 * p.length()
}

proptest! {
    #[test]
    fn every_pose_on_the_way_is_inside(motion in motion(), body in body(), pieces in 1u32..9, inner in 0.0f64..1.0) {
        let around = BoundingSphere::<f32>::smallest(&body).unwrap();
        let (whole, cut) = (motion.aabb(&body, 1), motion.aabb(&body, pieces));
        let (obb, sphere) = (motion.obb(&body).unwrap(), motion.sphere(&around));
        for i in 0..=SAMPLES {
            let t = f64::from(i) / f64::from(SAMPLES);
            for pair in body.windows(2).chain([&[body[0], body[0]][..]]) {
                // Corners and points of the segments between them.
                let (a, b) = (exact(&motion, t, pair[0]), exact(&motion, t, pair[1]));
                for p in [a, b, a.lerp(b, inner)] {
                    prop_assert!(aabb_holds(&whole, p), "{p} outside {whole:?} at {t} of {motion:?}");
                    prop_assert!(aabb_holds(&cut, p), "{p} outside {cut:?} at {t} of {motion:?} in {pieces}");
                    prop_assert!(obb_holds(&obb, p), "{p} outside {obb:?} at {t} of {motion:?}");
                    prop_assert!(sphere_holds(&sphere, p), "{p} outside {sphere:?} at {t} of {motion:?}");
                }
            }
        }
        prop_assert!(whole.grown(1e-4 + 1e-6 * whole.centre().abs().max_element()).contains(&cut), "pieces only help");
    }

    #[test]
    fn poses_of_a_motion_follow_its_path(motion in motion(), p in vector(2.0), t in 0.0f32..=1.0) {
        let found = motion.at(t).apply(p).as_dvec3();
        let right = exact(&motion, f64::from(t), p);
        prop_assert!((found - right).length() <= 1e-6 * (right.length() + 5.0 * (5.0 + f64::from(motion.angle))));
    }

    #[test]
    fn the_shorter_way_joins_two_poses(a in pose(), b in pose(), pivot in vector(2.0), p in vector(2.0)) {
        let motion = Motion::between(&a, &b, pivot);
        prop_assert!(motion.angle <= std::f32::consts::PI * 1.000_01);
        let scale = a.translation.length() + b.translation.length() + 10.0;
        prop_assert!((motion.at(0.0).apply(p) - a.apply(p)).length() <= 3e-6 * scale);
        prop_assert!((motion.at(1.0).apply(p) - b.apply(p)).length() <= 3e-6 * scale);
    }

    #[test]
    fn spheres_stay_inside_while_they_move(c in vector(9.0), r in 0.0f32..3.0, v in prop_oneof![Just(Vec3::ZERO), vector(9.0)], to in vector(1.0), t in 0.0f32..=1.0) {
        let ball = BoundingSphere { centre: c, radius: r };
        let p = c + v * t + to.normalize_or_zero() * r;
        let slack = 1e-5;
        prop_assert!(motion::aabb(&ball, v).grown(slack).contains_point(p));
        prop_assert!(motion::obb(&ball, v).grown(slack).contains_point(p));
        let sphere = motion::sphere(&ball, v);
        prop_assert!(sphere.centre.distance(p) <= sphere.radius + slack);
    }
}

/// How much the exact extremes gain over the box of the sphere: a rod, a plate and a cube that turn
/// by some angle on a way of some lengths of theirs.
#[test]
fn boxes_of_arcs_are_much_smaller_than_boxes_of_spheres() {
    let mut worst = 0.0f32;
    for (name, half) in
        [("rod", Vec3::new(1.0, 0.1, 0.1)), ("plate", Vec3::new(1.0, 1.0, 0.1)), ("cube", Vec3::splat(0.5))]
    {
        let corners: Vec<Vec3> = (0..8).map(|k| Aabb::<3, f32>::around(Vec3::ZERO, half).corner(k)).collect();
        let around = BoundingSphere::<f32>::smallest(&corners).unwrap();
        for angle in [0.0, 0.1, 0.5, 1.5, 3.0, 7.0] {
            let (mut arcs, mut pieces, mut ball) = (0.0, 0.0, 0.0);
            for k in 0..60 {
                let q = [k as f32 * 0.37, (k * k) as f32 * 0.11, k as f32 * 0.73, 1.3].map(f32::sin);
                let start = Pose::new(Vec3::ZERO, Rotation::from_xyzw(q).unwrap());
                let axis = Vec3::new(q[1], q[2], q[0] + 0.1).normalize();
                let way = Vec3::new(q[2], q[0], q[1] + 0.3).normalize();
                let motion = Motion::rotating(&start, Vec3::ZERO, way, axis * angle);
                arcs += motion.aabb(&corners, 1).volume();
                pieces += motion.aabb(&corners, 8).volume();
                ball += motion::aabb(&motion.ball(&around), motion.displacement).volume();
            }
            println!(
                "{name:5} turning by {angle}: {:.2} of the sphere's box, in 8 pieces {:.2}",
                arcs / ball,
                pieces / ball
            );
            assert!(pieces <= arcs * 1.0001);
            worst = worst.max(arcs / ball);
        }
    }
    assert!(worst > 0.0 && worst <= 1.0, "never larger: {worst}");
}
