//! Writes the seeds of the fuzz target `snapshot_bytes`: states of small worlds without header and
//! checksum. To be run when the version of the state changes:
//!
//!     cargo run -p carom-dynamics --example snapshot_seeds -- fuzz/seeds/snapshot_bytes
//!
//! Without a folder it only prints their sizes.

use std::error::Error;
use std::path::Path;

use carom_dynamics::{Axis, BodyDef, JointDef, Motor, ShapeDef, World, WorldDef};
use carom_geometry::hull::{HullOptions, convex_hull};
use carom_geometry::mesh::{MeshOptions, generate};
use carom_geometry::shape::{Capsule, Child, Compound, Cuboid, HalfSpace, Sphere};
use carom_geometry::{HeightField, Mesh, Pose, Rotation, Shape};
use glam::{DVec3, Vec3};

/// Bytes before the state, and after it.
const AROUND: [usize; 2] = [12, 8];

type Made = Result<World, Box<dyn Error>>;
type Maker = fn() -> Made;

fn on_ground() -> Made {
    let mut world = World::new(WorldDef::default());
    world.add_body(BodyDef::fixed(), [ShapeDef::new(HalfSpace)])?;
    Ok(world)
}

fn ball() -> Made {
    let mut world = on_ground()?;
    let ball = ShapeDef::new(Sphere::new(0.3)?).rolling(0.01);
    world.add_body(BodyDef::dynamic().at(0.0, 0.31, 0.0).velocity(Vec3::X), [ball])?;
    Ok(world)
}

fn compounds() -> Made {
    let mut world = on_ground()?;
    let child = |x: f32, shape: Shape| Child { pose: Pose::at(Vec3::X * x), shape };
    let parts = vec![child(0.2, Cuboid::cube(0.1)?.into()), child(-0.2, Sphere::new(0.1)?.into())];
    let dumbbell = Shape::from(Compound::new(parts)?);
    for k in 0..2 {
        let body = BodyDef::dynamic().at(0.0, 0.1 + 0.2 * f64::from(k), 0.0);
        world.add_body(body, [ShapeDef::new(dumbbell.clone())])?;
    }
    Ok(world)
}

fn disabled_and_target() -> Made {
    let mut world = on_ground()?;
    let cube = ShapeDef::new(Cuboid::cube(0.2)?);
    let disabled = world.add_body(BodyDef::dynamic().at(3.0, 0.2, 0.0), [cube.clone()])?;
    world.body_mut(disabled)?.set_enabled(false);
    let lift = world.add_body(BodyDef::kinematic().at(0.0, 0.2, 0.0), [cube.clone()])?;
    world.add_body(BodyDef::dynamic().at(0.0, 0.6, 0.0), [cube])?;
    world.body_mut(lift)?.set_kinematic_target(DVec3::new(0.1, 0.2, 0.0), Rotation::IDENTITY)?;
    Ok(world)
}

fn height_field() -> Made {
    let mut world = World::new(WorldDef::default());
    let field = HeightField::new(3, 3, vec![0.0, 0.1, 0.0, 0.1, -0.1, 0.1, 0.0, 0.1, 0.0], [1.0, 1.0])?;
    world.add_body(BodyDef::fixed(), [ShapeDef::new(field)])?;
    world.add_body(BodyDef::dynamic().at(0.0, 0.2, 0.0), [ShapeDef::new(Cuboid::cube(0.2)?)])?;
    Ok(world)
}

fn hulls_on_mesh() -> Made {
    let mut world = World::new(WorldDef::default());
    let (vertices, triangles) = generate::terrain(2, 2, 1.0, |x, z| 0.1 * x * z);
    let mesh = Mesh::new(vertices, triangles, &MeshOptions::default())?;
    world.add_body(BodyDef::fixed(), [ShapeDef::new(Shape::from(mesh))])?;
    let corners = [Vec3::X, Vec3::Y, Vec3::Z, -Vec3::X, -Vec3::Y, -Vec3::Z].map(|corner| corner * 0.2);
    let hull = ShapeDef::new(Shape::from(convex_hull(&corners, &HullOptions::default())?));
    for x in [-0.15, 0.15] {
        world.add_body(BodyDef::dynamic().at(x, 0.2, 0.0), [hull.clone()])?;
    }
    Ok(world)
}

fn joints() -> Made {
    let mut world = World::new(WorldDef::default());
    let mut before = world.add_body(BodyDef::fixed(), [])?;
    for k in 0..3 {
        let link = ShapeDef::new(Capsule::along_x(0.3, 0.1)?);
        let link = world.add_body(BodyDef::dynamic().at(f64::from(k) + 0.5, 0.0, 0.0), [link])?;
        let joint = match k {
            0 => JointDef::ball(before, link),
            1 => JointDef::hinge(before, link, Axis::FREE.motor(Motor::new(1.0, 5.0))),
            _ => JointDef::fixed(before, link),
        };
        world.add_joint(joint.at(DVec3::X * f64::from(k)))?;
        before = link;
    }
    Ok(world)
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1);
    let worlds: [(&str, Maker); 7] = [
        ("ball", ball),
        ("compounds", compounds),
        ("disabled-and-target", disabled_and_target),
        ("empty", || Ok(World::new(WorldDef::default()))),
        ("height-field", height_field),
        ("hulls-on-mesh", hulls_on_mesh),
        ("joints", joints),
    ];
    for (name, make) in worlds {
        let mut world = make()?;
        for _ in 0..3 {
            world.step(1.0 / 60.0)?;
        }
        let bytes = world.snapshot().to_bytes();
        let state = &bytes[AROUND[0]..bytes.len() - AROUND[1]];
        println!("{name}: {} bytes", state.len());
        if let Some(folder) = &folder {
            std::fs::write(Path::new(folder).join(name), state)?;
        }
    }
    Ok(())
}
