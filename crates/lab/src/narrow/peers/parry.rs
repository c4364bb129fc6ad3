//! parry3d.

use carom_geometry::{Pose, Shape};
use parry3d::math::{Pose as ParryPose, Rotation, Vector};
use parry3d::query::{
    ContactManifold, ContactManifoldsWorkspace, DefaultQueryDispatcher, PersistentQueryDispatcher,
    QueryDispatcher,
};
use parry3d::shape::{
    Ball, Capsule, Cone, ConvexPolyhedron, Cuboid, Cylinder, HalfSpace, SharedShape, Triangle,
};

use crate::narrow::contestant::NO_CONTACT;
use crate::narrow::{Contestant, Question, Start, Task};

/// What is kept from step to step.
#[derive(Default)]
struct Memory {
    manifolds: Vec<ContactManifold<(), ()>>,
    workspace: Option<ContactManifoldsWorkspace>,
}

/// `parry`.
#[derive(Default)]
pub(super) struct Parry {
    shapes: Option<[SharedShape; 2]>,
    places: Vec<ParryPose>,
    memory: Memory,
}

fn vector(v: glam::Vec3) -> Vector {
    Vector::new(v.x, v.y, v.z)
}

fn pose(pose: &Pose) -> ParryPose {
    let [x, y, z, w] = pose.rotation.to_xyzw();
    ParryPose::from_parts(vector(pose.translation), Rotation::from_xyzw(x, y, z, w))
}

/// The same shape, and how it lies in our frame: their cylinders and cones stand along y, ours lie
/// along z.
fn shape(shape: &Shape) -> Option<(SharedShape, ParryPose)> {
    let straight = ParryPose::identity();
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let lying = ParryPose::from_parts(Vector::ZERO, Rotation::from_xyzw(half, 0.0, 0.0, half));
    Some(match shape {
        Shape::Sphere(s) => (SharedShape::new(Ball::new(s.radius)), straight),
        Shape::Capsule(s) => {
            let capsule = Capsule::new(vector(s.segment.a), vector(s.segment.b), s.radius);
            (SharedShape::new(capsule), straight)
        }
        Shape::Cuboid(s) => (SharedShape::new(Cuboid::new(vector(s.half))), straight),
        Shape::Cylinder(s) => (SharedShape::new(Cylinder::new(s.half_length, s.radius)), lying),
        Shape::Cone(s) => (SharedShape::new(Cone::new(s.half_length, s.radius)), lying),
        Shape::HalfSpace(_) => (SharedShape::new(HalfSpace::new(Vector::Y)), straight),
        Shape::Triangle(s) => {
            let triangle = Triangle::new(vector(s.a), vector(s.b), vector(s.c));
            (SharedShape::new(triangle), straight)
        }
        Shape::Polytope(s) => {
            let points: Vec<Vector> = s.points().iter().map(|p| vector(*p)).collect();
            (SharedShape::new(ConvexPolyhedron::from_convex_hull(&points)?), straight)
        }
        _ => return None,
    })
}

impl Contestant for Parry {
    fn name(&self) -> &'static str {
        "parry"
    }

    fn take(&mut self, task: &Task) -> bool {
        let (Some((a, at_a)), Some((b, at_b))) = (shape(&task.a), shape(&task.b)) else {
            return false;
        };
        self.places = task.places.iter().map(|place| at_a.inverse() * pose(place) * at_b).collect();
        self.shapes = Some([a, b]);
        true
    }

    fn answer(&mut self, task: &Task, answers: &mut [f32]) {
        let Some([a, b]) = &self.shapes else { return };
        for (k, (place, answer)) in self.places.iter().zip(answers).enumerate() {
            *answer = match task.question {
                Question::Distance => DefaultQueryDispatcher
                    .distance(place, &**a, &**b)
                    .map_or(f32::NAN, |found| found.distance),
                Question::Touch => {
                    let touches = DefaultQueryDispatcher.intersection_test(place, &**a, &**b);
                    let touches = touches.is_ok_and(|found| found.intersecting);
                    if touches { -1.0 } else { 1.0 }
                }
                Question::Depth => {
                    let contact =
                        DefaultQueryDispatcher.contact(place, &**a, &**b, task.margin).ok().flatten();
                    contact.map_or(NO_CONTACT, |contact| contact.dist)
                }
                Question::Manifold => {
                    let Memory { manifolds, workspace } = &mut self.memory;
                    if task.start == Start::Cold || task.begins_train(k) {
                        manifolds.clear();
                        *workspace = None;
                    }
                    let done = DefaultQueryDispatcher.contact_manifolds(
                        place,
                        &**a,
                        &**b,
                        task.margin,
                        manifolds,
                        workspace,
                    );
                    let points = manifolds.iter().flat_map(|manifold| &manifold.points);
                    let least =
                        points.fold(NO_CONTACT, |least, p| if p.dist < least { p.dist } else { least });
                    if done.is_err() { f32::NAN } else { least }
                }
            };
        }
    }
}
