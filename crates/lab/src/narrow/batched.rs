//! Our batches of round shapes: pairs of one kind, several per instruction.
//!
//! Positions, rotations and sizes lie in dense arrays as an engine keeps them, and the hits come as
//! a list. Nothing is kept between queries, so that warm is the same as cold. Times are those of
//! the whole batch, divided by its pairs.

use carom_core::simd::f32x4;
use carom_geometry::shape::{Capsule, Shape};
use carom_geometry::{Pose, Rotation};
use carom_narrowphase::alternatives::batch::{self, BatchHit, Capsules, Cuboids, Spheres};
use glam::Vec3;

use super::contestant::NO_CONTACT;
use super::{Contestant, Question, Task};

/// What a body of a batch is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Spheres,
    Capsules,
    CapsulesSpheres,
    BoxesSpheres,
    /// One box for all.
    BoxSpheres,
}

/// One side of all pairs.
#[derive(Default)]
struct Side {
    positions: Vec<Vec3>,
    rotations: Vec<Rotation>,
    radii: Vec<f32>,
    capsules: Vec<Capsule>,
    half: Vec<Vec3>,
}

impl Side {
    fn set(&mut self, shape: &Shape, poses: impl Iterator<Item = Pose>) {
        *self = Self::default();
        for pose in poses {
            self.positions.push(pose.translation);
            self.rotations.push(pose.rotation);
        }
        let count = self.positions.len();
        match shape {
            Shape::Sphere(sphere) => self.radii = vec![sphere.radius; count],
            Shape::Capsule(capsule) => self.capsules = vec![*capsule; count],
            Shape::Cuboid(cuboid) => self.half = vec![cuboid.half; count],
            // A tile is a box of height 0.
            Shape::Tile(tile) => self.half = vec![Vec3::new(tile.half_x, 0.0, tile.half_z); count],
            _ => {}
        }
    }

    fn spheres(&self) -> Spheres<'_> {
        Spheres { positions: &self.positions, radii: &self.radii }
    }

    fn capsules(&self) -> Capsules<'_> {
        Capsules { positions: &self.positions, rotations: &self.rotations, capsules: &self.capsules }
    }

    fn cuboids(&self) -> Cuboids<'_> {
        Cuboids { positions: &self.positions, rotations: &self.rotations, half: &self.half }
    }
}

/// `batch`, or `batch-one` for the batches of one shape with many others.
pub(super) struct Batched {
    is_one: bool,
    kind: Kind,
    a: Side,
    b: Side,
    pairs: Vec<(u32, u32)>,
    list: Vec<u32>,
    hits: Vec<BatchHit>,
}

impl Batched {
    /// Pairs, or one shape with many others.
    pub(super) fn new(is_one: bool) -> Self {
        let (a, b) = (Side::default(), Side::default());
        Self { is_one, kind: Kind::Spheres, a, b, pairs: Vec::new(), list: Vec::new(), hits: Vec::new() }
    }
}

/// The kernel for two shapes, and whether it takes them in the other order.
fn kernel(a: &Shape, b: &Shape, is_one: bool) -> Option<(Kind, bool)> {
    if is_one {
        return match (a, b) {
            (Shape::Cuboid(_) | Shape::Tile(_), Shape::Sphere(_)) => Some((Kind::BoxSpheres, false)),
            _ => None,
        };
    }
    Some(match (a, b) {
        (Shape::Sphere(_), Shape::Sphere(_)) => (Kind::Spheres, false),
        (Shape::Capsule(_), Shape::Capsule(_)) => (Kind::Capsules, false),
        (Shape::Capsule(_), Shape::Sphere(_)) => (Kind::CapsulesSpheres, false),
        (Shape::Sphere(_), Shape::Capsule(_)) => (Kind::CapsulesSpheres, true),
        (Shape::Cuboid(_) | Shape::Tile(_), Shape::Sphere(_)) => (Kind::BoxesSpheres, false),
        (Shape::Sphere(_), Shape::Cuboid(_) | Shape::Tile(_)) => (Kind::BoxesSpheres, true),
        _ => return None,
    })
}

impl Contestant for Batched {
    fn name(&self) -> &'static str {
        if self.is_one { "batch-one" } else { "batch" }
    }

    fn take(&mut self, task: &Task) -> bool {
        let Some((kind, is_swapped)) = kernel(&task.a, &task.b, self.is_one) else { return false };
        if !matches!(task.question, Question::Depth | Question::Manifold) {
            return false;
        }
        self.kind = kind;
        // Two capsules that lie side by side touch in two points, and a batch gives one.
        let count = task.places.len();
        let still = std::iter::repeat_n(Pose::IDENTITY, count);
        let placed = task.places.iter().copied();
        if is_swapped {
            self.a.set(&task.b, placed);
            self.b.set(&task.a, still);
        } else {
            self.a.set(&task.a, still);
            self.b.set(&task.b, placed);
        }
        self.pairs = (0..count as u32).map(|k| (k, k)).collect();
        self.list = (0..count as u32).collect();
        self.hits = Vec::with_capacity(count);
        true
    }

    fn answer(&mut self, task: &Task, answers: &mut [f32]) {
        self.hits.clear();
        let (a, b, pairs, margin, hits) = (&self.a, &self.b, &self.pairs, task.margin, &mut self.hits);
        match self.kind {
            Kind::Spheres => {
                batch::sphere_sphere::<f32x4>(&a.spheres(), &b.spheres(), pairs, margin, hits);
            }
            Kind::Capsules => {
                batch::capsule_capsule::<f32x4>(&a.capsules(), &b.capsules(), pairs, margin, hits);
            }
            Kind::CapsulesSpheres => {
                batch::capsule_sphere::<f32x4>(&a.capsules(), &b.spheres(), pairs, margin, hits);
            }
            Kind::BoxSpheres => {
                let (half, list) = (a.half[0], &self.list);
                batch::cuboid_spheres::<f32x4>(half, &Pose::IDENTITY, &b.spheres(), list, margin, hits);
            }
            Kind::BoxesSpheres => {
                batch::cuboid_sphere::<f32x4>(&a.cuboids(), &b.spheres(), pairs, margin, hits);
            }
        }
        answers.fill(NO_CONTACT);
        for hit in &self.hits {
            answers[hit.pair as usize] = hit.separation;
        }
    }
}
