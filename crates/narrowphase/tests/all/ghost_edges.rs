//! Bodies that slide over seams must not feel them, and real edges must be felt.

use carom_geometry::shape::{Bounded, Cuboid, Shape, Sphere};
use carom_geometry::{Pose, Rotation};
use carom_narrowphase::Manifold;
use carom_narrowphase::composite::{MeshContactOptions, SurfaceCache, SurfaceSides};
use glam::Vec3;

use crate::floors::{Surface, bodies, flat_floors, net};

/// Slides a body over a flat floor and checks every normal and the depth.
fn slide(
    floor: &Surface,
    name: &str,
    shape: &Shape,
    rotation: impl Fn(u32) -> Rotation,
    options: &MeshContactOptions,
) {
    let (mut cache, mut out) = (SurfaceCache::default(), Vec::new());
    let steps = if name == "fine" { 150 } else { 1500 };
    for step in 0..steps {
        let depth = 0.001 + 0.004 * (step % 97) as f32 / 97.0;
        let rotation = rotation(step);
        let low = -shape.aabb_at(&Pose::new(Vec3::ZERO, rotation)).min[1];
        let along = step as f32 * 0.003;
        let pose = Pose::new(Vec3::new(along - 2.25, low - depth, 0.37 * along - 0.8), rotation);
        floor.contacts(shape, &pose, options, &mut cache, &mut out);
        let at = || format!("{} on {name} at step {step}, depth {depth}: {out:#?}", shape.name());
        assert_eq!(out.len(), 1, "{}", at());
        assert!((out[0].normal - Vec3::Y).length() < 1e-4, "{}", at());
        let deepest = out.iter().map(Manifold::deepest).fold(f32::INFINITY, f32::min);
        // Points that were chosen before may stay although another is deeper by 2 mm per metre.
        let stay = if matches!(shape, Shape::Sphere(_)) { 2e-5 } else { 1e-3 };
        assert!(deepest + depth > -2e-5 && deepest + depth < stay, "{}", at());
    }
}

#[test]
fn floors_are_smooth_to_bodies_that_slide_upright() {
    for (name, floor) in flat_floors() {
        for (shape, _) in bodies() {
            let options = MeshContactOptions {
                sides: SurfaceSides::Front { through: 0.5 },
                ..MeshContactOptions::default()
            };
            slide(&floor, name, &shape, |_| Rotation::IDENTITY, &options);
        }
    }
}

#[test]
fn floors_are_smooth_to_bodies_that_turn_as_they_slide() {
    for (name, floor) in flat_floors() {
        for (shape, _) in bodies() {
            let yaw = |step: u32| Rotation::about_axis(Vec3::Y, step as f32 * 0.01);
            slide(&floor, name, &shape, yaw, &MeshContactOptions::default());
        }
    }
}

#[test]
fn floors_are_smooth_to_bodies_that_tumble() {
    for (name, floor) in flat_floors() {
        for (shape, _) in bodies() {
            let tumble = |step: u32| {
                Rotation::about_axis(Vec3::new(0.6, 0.0, 0.8), step as f32 * 0.013)
                    * Rotation::about_axis(Vec3::Y, step as f32 * 0.007)
            };
            slide(&floor, name, &shape, tumble, &MeshContactOptions::default());
        }
    }
}

#[test]
fn a_box_keeps_the_support_of_its_whole_face() {
    let cube = Shape::from(Cuboid { half: Vec3::new(0.25, 0.2, 0.3) });
    for (name, floor) in flat_floors() {
        let (mut cache, mut out) = (SurfaceCache::default(), Vec::new());
        for step in 0..1000u32 {
            let yaw = Rotation::about_axis(Vec3::Y, step as f32 * 0.01);
            let pose = Pose::new(Vec3::new(step as f32 * 0.004 - 2.0, 0.198, 0.1), yaw);
            floor.contacts(&cube, &pose, &MeshContactOptions::default(), &mut cache, &mut out);
            let points = out[0].points();
            assert_eq!(points.len(), 4, "{name} {step}");
            // Half the product of the diagonals, whichever they are. Points that span 95 % of the
            // area may stay, and the contact of each triangle has been cut down to four points
            // before (five where it cuts a corner off the box).
            let across = |a: usize, b: usize, c: usize, d: usize| {
                let (one, other) = (points[b].on_b - points[a].on_b, points[d].on_b - points[c].on_b);
                0.5 * one.cross(other).length()
            };
            let area = across(0, 1, 2, 3).max(across(0, 2, 1, 3)).max(across(0, 3, 1, 2));
            assert!(area > 0.9 * 0.5 * 0.6, "{name} {step}: {area} {out:#?}");
        }
    }
}

#[test]
fn a_ball_rolls_over_a_ridge_with_the_normal_of_the_nearest_point() {
    // Slopes of 45° to both sides of the z axis.
    let ridge = net(16, 0.25, 0.0, |x, _| -x.abs());
    let ridge = Surface::Mesh(ridge);
    let ball = Shape::from(Sphere { radius: 0.3 });
    let (mut cache, mut out) = (SurfaceCache::default(), Vec::new());
    for step in 0..=900u32 {
        let angle = (step as f32 / 900.0 - 0.5) * 1.5; // up to 43° to either side
        let direction = Vec3::new(angle.sin(), angle.cos(), 0.0);
        let pose = Pose::at(direction * 0.298 + Vec3::new(0.0, 0.0, step as f32 * 0.001 - 0.4));
        ridge.contacts(&ball, &pose, &MeshContactOptions::default(), &mut cache, &mut out);
        assert_eq!(out.len(), 1, "{step} {out:#?}");
        assert!((out[0].normal - direction).length() < 1e-4, "{step} {out:#?}");
        assert!((out[0].deepest() + 0.002).abs() < 1e-5);
    }
}

#[test]
fn a_box_lies_on_a_ridge_and_in_a_valley() {
    let cube = Shape::from(Cuboid { half: Vec3::new(0.3, 0.2, 0.25) });
    let ridge = Surface::Mesh(net(16, 0.25, 0.0, |x, _| -x.abs()));
    let (mut cache, mut out) = (SurfaceCache::default(), Vec::new());
    for step in 0..500u32 {
        let pose = Pose::at(Vec3::new(0.1, 0.199, step as f32 * 0.002 - 0.5));
        ridge.contacts(&cube, &pose, &MeshContactOptions::default(), &mut cache, &mut out);
        assert_eq!(out.len(), 1, "{step} {out:#?}");
        assert!((out[0].normal - Vec3::Y).length() < 1e-4, "{step} {out:#?}");
        assert!((out[0].deepest() + 0.001).abs() < 1e-5, "{step} {out:#?}");
        let zs = || out[0].points().iter().map(|p| p.on_b.z);
        let length = zs().fold(-1.0, f32::max) - zs().fold(1.0, f32::min);
        assert!(length > 0.49, "{step}: the ridge bears the whole length, not {length}");
    }
    let valley = Surface::Mesh(net(16, 0.25, 0.0, |x, _| x.abs()));
    let mut cache = SurfaceCache::default();
    for step in 0..500u32 {
        // The lower edges are 0.3 out and 0.3 up, less a millimetre.
        let pose = Pose::at(Vec3::new(0.0, 0.499, step as f32 * 0.002 - 0.5));
        valley.contacts(&cube, &pose, &MeshContactOptions::default(), &mut cache, &mut out);
        assert_eq!(out.len(), 2, "{step} {out:#?}");
        for manifold in &out {
            let slope =
                Vec3::new(-manifold.normal.x.signum(), 1.0, 0.0).normalize() * Vec3::new(-1.0, 1.0, 1.0);
            assert!((manifold.normal - slope).length() < 1e-4, "{step} {out:#?}");
            let zs = || manifold.points().iter().map(|p| p.on_b.z);
            let length = zs().fold(-1.0, f32::max) - zs().fold(1.0, f32::min);
            assert!(length > 0.49, "{step} {out:#?}");
        }
    }
}

#[test]
fn a_body_slightly_behind_a_front_comes_back() {
    let floor = Surface::Mesh(net(32, 0.25, 0.0, |_, _| 0.0));
    let options =
        MeshContactOptions { sides: SurfaceSides::Front { through: 0.5 }, ..MeshContactOptions::default() };
    for (shape, low) in bodies() {
        if low == 0.0 {
            continue; // stands on its origin
        }
        let (mut cache, mut out) = (SurfaceCache::default(), Vec::new());
        for (height, is_held) in [(-0.02, true), (-0.3, false), (-0.02, true)] {
            let pose = Pose::at(Vec3::new(0.03, height, 0.04));
            floor.contacts(&shape, &pose, &options, &mut cache, &mut out);
            assert_eq!(!out.is_empty(), is_held, "{} {height}", shape.name());
            assert!(out.iter().all(|m| (m.normal - Vec3::Y).length() < 1e-4), "{} {out:#?}", shape.name());
        }
        if matches!(shape, Shape::Polytope(_)) {
            continue; // nearer to its top than to its bottom
        }
        // Both sides: pushed on downwards.
        floor.contacts(
            &shape,
            &Pose::at(Vec3::new(0.0, -0.02, 0.0)),
            &MeshContactOptions::default(),
            &mut cache,
            &mut out,
        );
        assert!(out.iter().all(|m| (m.normal + Vec3::Y).length() < 1e-4), "{} {out:#?}", shape.name());
    }
}
