//! Surfaces of several shapes are one surface: what slides across feels no seam.

use carom_dynamics::{BodyDef, ShapeDef, World, WorldDef};
use carom_geometry::hull::{HullOptions, convex_hull};
use carom_geometry::mesh::{Mesh, MeshOptions};
use carom_geometry::shape::{Capsule, Cuboid, Cylinder, Sphere};
use carom_geometry::{HeightField, Pose, Rotation, Shape};
use glam::Vec3;

const FLOORS: [&str; 6] = ["boxes", "grid", "one body", "meshes", "height fields", "hulls"];

/// Thirty metres of floor along x.
fn lay_floor(world: &mut World, kind: &str, friction: f32) {
    let mut add = |x: f64, z: f64, shape: Shape| {
        world.add_body(BodyDef::fixed().at(x, 0.0, z), [ShapeDef::new(shape).friction(friction)]).unwrap();
    };
    let slab = |half: Vec3| Shape::from(Cuboid::new(half).unwrap());
    let lowered = |half: Vec3| {
        let corners: Vec<Vec3> = (0..8)
            .map(|k| {
                let sign = |bit: u32| if k >> bit & 1 == 0 { -1.0 } else { 1.0 };
                Vec3::new(sign(0) * half.x, (sign(1) - 1.0) * half.y, sign(2) * half.z)
            })
            .collect();
        Shape::from(convex_hull(&corners, &HullOptions::default()).unwrap())
    };
    match kind {
        "boxes" | "grid" => {
            let (half, rows) = if kind == "grid" { (0.4, -2..3) } else { (2.0, 0..1) };
            for k in 0..40 {
                for row in rows.clone() {
                    let place = BodyDef::fixed().at(0.8 * f64::from(k), -0.2, 0.8 * f64::from(row));
                    let shape = ShapeDef::new(slab(Vec3::new(0.4, 0.2, half))).friction(friction);
                    world.add_body(place, [shape]).unwrap();
                }
            }
        }
        "one body" => {
            let shape = |k: i32| {
                let pose = Pose::at(Vec3::new(0.8 * k as f32, -0.2, 0.0));
                ShapeDef::new(slab(Vec3::new(0.4, 0.2, 2.0))).friction(friction).local_pose(pose)
            };
            world.add_body(BodyDef::fixed(), (0..40).map(shape)).unwrap();
        }
        "meshes" => {
            for k in 0..40 {
                let corners = [(-0.4, -2.0), (0.4, -2.0), (-0.4, 2.0), (0.4, 2.0)];
                let points = corners.map(|(x, z)| Vec3::new(x, 0.0, z)).to_vec();
                let mesh = Mesh::new(points, vec![[0, 2, 1], [1, 2, 3]], &MeshOptions::default()).unwrap();
                add(0.8 * f64::from(k), 0.0, mesh.into());
            }
        }
        "height fields" => {
            for k in 0..9 {
                let field = HeightField::new(5, 5, vec![0.0; 25], [1.0, 1.0]).unwrap();
                add(4.0 * f64::from(k), 0.0, field.into());
            }
        }
        _ => {
            for k in 0..40 {
                add(0.8 * f64::from(k), 0.0, lowered(Vec3::new(0.4, 0.2, 2.0)));
            }
        }
    }
}

#[test]
fn nothing_feels_the_seams_of_a_floor() {
    let sliders: [(&str, Shape, f64, Vec3); 5] = [
        ("box", Cuboid::cube(0.25).unwrap().into(), 0.25, Vec3::ZERO),
        ("turned box", Cuboid::cube(0.25).unwrap().into(), 0.25, Vec3::Y * 0.4),
        ("ball", Sphere::new(0.25).unwrap().into(), 0.25, Vec3::ZERO),
        ("capsule", Capsule::along_x(0.3, 0.2).unwrap().into(), 0.2, Vec3::ZERO),
        ("cylinder", Cylinder::new(0.25, 0.2).unwrap().into(), 0.2, Vec3::X * std::f32::consts::FRAC_PI_2),
    ];
    for floor in FLOORS {
        for (name, shape, height, turn) in &sliders {
            for speed in [1.0, 2.0, 5.0, 10.0f32] {
                let friction = if *name == "ball" { 0.6 } else { 0.0 };
                let mut world = World::new(WorldDef::default().can_sleep(false));
                lay_floor(&mut world, floor, friction);
                let spin = if *name == "ball" { -speed / 0.25 } else { 0.0 };
                let body = BodyDef::dynamic()
                    .at(1.0, *height, 0.1)
                    .rotated(Rotation::from_rotation_vector(*turn))
                    .velocity(Vec3::X * speed)
                    .angular_velocity(Vec3::Z * spin);
                let id = world.add_body(body, [ShapeDef::new(shape.clone()).friction(friction)]).unwrap();
                // It settles first: a cylinder stands a little deeper than it is put.
                for _ in 0..10 {
                    world.step(1.0 / 60.0).unwrap();
                }
                let start = world.body(id).unwrap();
                let (start_speed, start_height) = (start.velocity().x, start.position().y);
                for _ in 0..(60.0 * 20.0 / speed).min(240.0) as u32 {
                    world.step(1.0 / 60.0).unwrap();
                    let now = world.body(id).unwrap();
                    let (loss, jump) =
                        (1.0 - now.velocity().x / start_speed, now.position().y - start_height);
                    assert!(
                        loss.abs() < 0.01 && jump.abs() < 1e-3,
                        "{name} on {floor} at {speed} m/s: loses {loss}, jumps {jump} m"
                    );
                }
            }
        }
    }
}

#[test]
fn a_wall_on_a_floor_still_stops() {
    for shape in [Shape::from(Sphere::new(0.25).unwrap()), Shape::from(Cuboid::cube(0.25).unwrap())] {
        let mut world = World::new(WorldDef::default());
        lay_floor(&mut world, "grid", 0.0);
        let wall = ShapeDef::new(Cuboid::new(Vec3::new(0.2, 1.0, 2.0)).unwrap());
        world.add_body(BodyDef::fixed().at(5.0, 1.0, 0.0), [wall]).unwrap();
        let body = BodyDef::dynamic().at(1.0, 0.25, 0.1).velocity(Vec3::X * 4.0);
        let id = world.add_body(body, [ShapeDef::new(shape).friction(0.0)]).unwrap();
        for _ in 0..180 {
            world.step(1.0 / 60.0).unwrap();
        }
        let x = world.body(id).unwrap().position().x;
        assert!((x - 4.55).abs() < 0.02, "it is at {x}");
    }
}
