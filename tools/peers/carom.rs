//! Carom in the harness that times engines side by side (see the README beside this file).

use carom_dynamics::{BodyDef, BodyId, JointDef, ShapeDef, World, WorldDef};
use carom_geometry::Rotation;
use carom_geometry::shape::{Capsule, Cuboid, ShapeError, Sphere};
use glam::{DVec3, Vec3};

use crate::engine::{Engine, Entry, State};
use crate::scene::{Body, DT, Kind, Scene, Shape};

pub const ENTRY: Entry = Entry { name: "carom", version: "0.1.0", settings: "defaults", max_threads: 64, build };

struct Carom {
    world: World,
    ids: Vec<BodyId>,
}

fn build(scene: &Scene, threads: usize) -> Result<Box<dyn Engine>, String> {
    let def = WorldDef::default().gravity(Vec3::from(scene.gravity)).can_sleep(false).threads(threads).events(false);
    let def = if scene.kind == Kind::Box { def.restitution_threshold(0.0) } else { def };
    let mut world = World::new(def);
    let mut ids = Vec::new();
    for body in &scene.bodies {
        let [x, y, z] = body.position.map(f64::from);
        let kind = match (body.dynamic, body.kinematic) {
            (true, _) => BodyDef::dynamic(),
            (false, true) => BodyDef::kinematic(),
            (false, false) => BodyDef::fixed(),
        };
        let rotation = Rotation::from_xyzw(body.rotation).ok_or("a rotation is none")?;
        let def = kind.at(x, y, z).rotated(rotation).velocity(Vec3::from(body.velocity)).can_sleep(false);
        let def = BodyDef { angular_velocity: Vec3::from(body.spin), ..def };
        let shapes: Vec<ShapeDef> = body.shapes().map(|part| shape(scene, body, part)).collect::<Result<_, _>>()?;
        ids.push(world.add_body(def, shapes).map_err(|error| error.to_string())?);
    }
    for joint in &scene.joints {
        let at = DVec3::from_array(joint.anchor.map(f64::from));
        world.add_joint(JointDef::ball(ids[joint.a], ids[joint.b]).at(at)).map_err(|error| error.to_string())?;
    }
    Ok(Box::new(Carom { world, ids }))
}

fn shape(scene: &Scene, body: &Body, part: &Shape) -> Result<ShapeDef, String> {
    let named = |error: ShapeError| error.to_string();
    let shape = match part {
        Shape::Sphere { radius } => ShapeDef::new(Sphere::new(*radius).map_err(named)?),
        Shape::Capsule { half, radius } => {
            ShapeDef::new(Capsule::new(Vec3::Y * -*half, Vec3::Y * *half, *radius).map_err(named)?)
        }
        Shape::Box { half } => ShapeDef::new(Cuboid::new(Vec3::from(*half)).map_err(named)?),
        Shape::Hull(hull) => {
            let points: Vec<Vec3> = hull.points.iter().map(|point| Vec3::from(*point)).collect();
            let hull = carom_geometry::hull::convex_hull::<Vec3>(&points, &Default::default());
            ShapeDef::new(carom_geometry::Shape::Polytope(hull.map_err(|error| error.to_string())?.into()))
        }
    };
    Ok(shape.density(body.density).friction(scene.friction).restitution(scene.restitution))
}

impl Engine for Carom {
    fn step(&mut self) {
        let _ = self.world.step(DT);
    }

    fn states(&self) -> Vec<State> {
        let state = |id: &BodyId| {
            self.world.body(*id).ok().map(|body| State {
                position: body.centre_of_mass().as_vec3().to_array(),
                rotation: body.rotation().to_xyzw(),
                velocity: body.velocity().to_array(),
                spin: body.angular_velocity().to_array(),
            })
        };
        self.ids.iter().filter_map(state).collect()
    }

    fn contact_pairs(&mut self) -> Option<usize> {
        Some(self.world.touching_shapes().count())
    }
}
