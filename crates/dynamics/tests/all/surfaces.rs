//! Floors of triangles and bodies of parts.

use carom_dynamics::{BodyDef, ShapeDef, WorldDef};
use carom_geometry::mesh::{Mesh, MeshOptions};
use carom_geometry::{Pose, Shape};
use glam::Vec3;

use crate::scenes::{DT, ball, cuboid, run};

/// A flat floor of triangles, `n` × `n` squares of half a metre.
fn floor(n: u32) -> Shape {
    let mut vertices = Vec::new();
    for i in 0..=n {
        for j in 0..=n {
            vertices.push(Vec3::new(i as f32 - 0.5 * n as f32, 0.0, j as f32 - 0.5 * n as f32) * 0.5);
        }
    }
    let mut triangles = Vec::new();
    for i in 0..n {
        for j in 0..n {
            let at = i * (n + 1) + j;
            triangles.push([at, at + 1, at + n + 2]);
            triangles.push([at, at + n + 2, at + n + 1]);
        }
    }
    Shape::from(Mesh::new(vertices, triangles, &MeshOptions::default()).unwrap())
}

#[test]
fn a_ball_and_a_box_slide_over_triangles_without_bumps() {
    for shape in [ball(0.3), cuboid(0.3, 0.3, 0.3)] {
        let mut world = carom_dynamics::World::new(WorldDef::default().can_sleep(false));
        world.add_body(BodyDef::fixed(), [ShapeDef::new(floor(60)).friction(0.0)]).unwrap();
        let def = BodyDef::dynamic().at(-12.0, 0.3, 0.17).velocity(Vec3::new(6.0, 0.0, 0.4));
        let id = world.add_body(def, [shape.friction(0.0)]).unwrap();
        run(&mut world, 0.2);
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for _ in 0..200 {
            world.step(DT).unwrap();
            let body = world.body(id).unwrap();
            low = low.min(body.position().y);
            high = high.max(body.position().y);
        }
        let body = world.body(id).unwrap();
        assert!(high - low < 1e-3 && (low - 0.3).abs() < 5e-3, "between {low} and {high}");
        assert!((body.velocity() - Vec3::new(6.0, 0.0, 0.4)).length() < 0.02, "{}", body.velocity());
    }
}

#[test]
fn a_dumbbell_of_two_shapes_lies_on_both() {
    let mut world = crate::scenes::ground(WorldDef::default());
    let parts = [-1.0, 1.0].map(|x| ball(0.25).local_pose(Pose::at(Vec3::new(x, 0.0, 0.0))));
    let id = world.add_body(BodyDef::dynamic().at(0.0, 1.0, 0.0), parts).unwrap();
    run(&mut world, 3.0);
    let body = world.body(id).unwrap();
    assert!((body.position().y - 0.25).abs() < 5e-3, "{}", body.position());
    assert_eq!(body.shapes().count(), 2);
    assert_eq!(world.touching_shapes().count(), 2);
}
