//! Worlds with shapes of every kind, and their shapes as a list: what queries are compared with.

use carom_dynamics::{BodyDef, BodyId, ShapeDef, ShapeId, World, WorldDef};
use carom_geometry::height_field::HeightField;
use carom_geometry::mesh::{Mesh, MeshOptions, generate};
use carom_geometry::polytope::Polytope;
use carom_geometry::primitive::Triangle;
use carom_geometry::shape::{
    Capsule, Child, Compound, Cone, Cuboid, Cylinder, Ellipsoid, HalfSpace, Sphere, Tile,
};
use carom_geometry::{Pose, Rotation, Shape};
use glam::{DVec3, Vec3};

use crate::scenes::Numbers;

/// A rotation that looks random.
pub(crate) fn rotation(numbers: &mut Numbers) -> Rotation {
    Rotation::from_rotation_vector(numbers.vector() * 2.0)
}

/// How many kinds of shapes there are.
pub(crate) const KINDS: u32 = 13;
/// How many of them, from the first, can be dynamic bodies of their own mass.
pub(crate) const MASSIVE: u32 = 10;

/// One of all kinds.
pub(crate) fn shape(kind: u32, numbers: &mut Numbers) -> Shape {
    let mut size = || 0.3 + 0.2 * (1.0 + numbers.next());
    let (x, y, z) = (size(), size(), size());
    match kind % KINDS {
        0 => Sphere::new(x).unwrap().into(),
        1 => Capsule::new(Vec3::new(-x, y, 0.0), Vec3::new(x, 0.1, z), 0.3).unwrap().into(),
        2 => Cuboid::new(Vec3::new(x, y, z)).unwrap().into(),
        3 => Cylinder::new(x, y).unwrap().into(),
        4 => Cone::new(x, y).unwrap().into(),
        5 => Ellipsoid::new(Vec3::new(x, y, z)).unwrap().into(),
        6 => Polytope::random_on_sphere(24, x, 5).unwrap().into(),
        7 => {
            let at = |x: f32, y: f32| Pose::new(Vec3::new(x, y, 0.2), Rotation::about_axis(Vec3::Z, x));
            let children = vec![
                Child { pose: at(0.4, 0.0), shape: Cuboid::new(Vec3::new(x, 0.2, z)).unwrap().into() },
                Child { pose: at(-0.5, 0.3), shape: Sphere::new(y).unwrap().into() },
                Child { pose: at(0.0, -0.6), shape: Capsule::along_x(0.4, 0.2).unwrap().into() },
            ];
            Compound::new(children).unwrap().into()
        }
        8 => Tile::new(x, y).unwrap().into(),
        9 => Triangle::new(Vec3::new(x, y, 0.0), Vec3::new(-x, 0.0, z), Vec3::new(0.0, -y, -z)).into(),
        10 => {
            let (vertices, triangles) = generate::torus(x + 0.5, 0.3, 16, 8);
            Mesh::new(vertices, triangles, &MeshOptions::default()).unwrap().into()
        }
        11 => {
            let heights = (0..64).map(|_| 0.4 * numbers.next()).collect();
            HeightField::new(8, 8, heights, [0.4, 0.5]).unwrap().into()
        }
        _ => {
            let (vertices, triangles) = generate::icosphere(x, 1);
            let mesh = Mesh::new(vertices, triangles, &MeshOptions::default()).unwrap();
            let child = |x: f32| Child { pose: Pose::at(Vec3::X * x), shape: Shape::from(mesh.clone()) };
            Compound::new(vec![child(0.7), child(-0.7)]).unwrap().into()
        }
    }
}

/// Inserts a body of one or two shapes somewhere within `half` of a centre.
pub(crate) fn add(world: &mut World, kind: u32, centre: DVec3, half: f32, numbers: &mut Numbers) -> BodyId {
    let at = centre + (numbers.vector() * half).as_dvec3();
    let def = match kind % 3 {
        0 if kind % KINDS < MASSIVE && kind % 7 != 6 => BodyDef::dynamic(),
        1 => BodyDef::kinematic(),
        _ => BodyDef::fixed(),
    };
    let def = def.at(at.x, at.y, at.z).rotated(rotation(numbers)).velocity(numbers.vector() * 3.0);
    let first = ShapeDef::new(shape(kind, numbers)).layers(1 << (kind % 2), u32::MAX);
    let first = if kind % 7 == 6 { first.sensor() } else { first };
    let mut shapes = vec![first];
    if kind.is_multiple_of(4) || kind % 7 == 6 {
        let place = Pose::new(numbers.vector(), rotation(numbers));
        shapes.push(ShapeDef::new(shape(kind % MASSIVE + 2, numbers)).local_pose(place));
    }
    let shapes = if def.kind == carom_dynamics::BodyKind::Dynamic {
        shapes
            .into_iter()
            .filter(|def| !matches!(def.shape, Shape::Mesh(_) | Shape::HeightField(_)))
            .collect()
    } else {
        shapes
    };
    world.add_body(def.angular_velocity(numbers.vector()), shapes).unwrap()
}

/// A world around a centre that has been stepped a few times, in which since then bodies were
/// inserted, moved and removed.
pub(crate) fn zoo(centre: DVec3, seed: u64) -> World {
    let mut numbers = Numbers(seed);
    let mut world = World::new(WorldDef::default());
    let at = centre - DVec3::Y * 5.0;
    let lean = Rotation::about_axis(Vec3::new(0.6, 0.0, 0.8), 0.1);
    world.add_body(BodyDef::fixed().at(at.x, at.y, at.z).rotated(lean), [ShapeDef::new(HalfSpace)]).unwrap();
    let ids: Vec<BodyId> = (0..48).map(|kind| add(&mut world, kind, centre, 4.0, &mut numbers)).collect();
    for _ in 0..20 {
        world.step(1.0 / 60.0).unwrap();
    }
    for kind in 0..KINDS {
        add(&mut world, kind, centre, 4.0, &mut numbers);
    }
    for id in ids.iter().step_by(5) {
        let at = centre + (numbers.vector() * 4.0).as_dvec3();
        world.body_mut(*id).unwrap().set_pose(at, rotation(&mut numbers)).unwrap();
    }
    for id in ids.iter().skip(1).step_by(7) {
        world.remove_body(*id).unwrap();
    }
    world
}

/// A shape with its place in the world.
pub(crate) struct Member {
    pub(crate) id: ShapeId,
    pub(crate) body: BodyId,
    pub(crate) shape: Shape,
    pub(crate) position: DVec3,
    pub(crate) rotation: Rotation,
}

impl Member {
    /// The pose of something else, seen from the shape.
    pub(crate) fn seen(&self, position: DVec3, rotation: Rotation) -> Pose {
        let between = (position - self.position).as_vec3();
        Pose::new(self.rotation.rotate_back(between), self.rotation.inverse() * rotation)
    }
}

/// All shapes of a world, from what it says of itself.
pub(crate) fn members(world: &World) -> Vec<Member> {
    let mut members = Vec::new();
    for body in world.body_ids() {
        let owner = world.body(body).unwrap();
        for id in owner.shapes() {
            let shape = world.shape(id).unwrap();
            let place = shape.local_pose();
            members.push(Member {
                id,
                body,
                shape: shape.shape().clone(),
                position: owner.position() + owner.rotation().rotate(place.translation).as_dvec3(),
                rotation: owner.rotation() * place.rotation,
            });
        }
    }
    members.sort_by_key(|member| member.id.index());
    members
}
