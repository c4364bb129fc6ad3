//! Where the boxes of a swarm are at first, and how fast.

use carom_core::random::Random;
use carom_core::trig::cbrt;
use carom_geometry::Aabb;

use super::motion::Motion;
use super::things::Things;
use super::{Changes, Swarm};

/// Radius of the ball in which the boxes start, in sides of the world.
const START_RADIUS: f32 = 0.45;
/// Least side of the world, in edges of its largest box.
const LEAST_ROOM: f32 = 2.0;
/// Share of space that a heap of boxes fills.
const HEAP_DENSITY: f32 = 0.5;
/// How much nearer together boxes are in a cluster than at the density that was asked for.
const CLUSTER_CROWDING: f32 = 10.0;
/// Edge of the huge box, in sides of the world.
const HUGE: f32 = 0.5;

/// The set of places for centres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Region {
    /// The ball in the middle of the world.
    Ball,
    /// The axis of this index.
    Line(usize),
    /// The plane across this axis; in two dimensions the whole world.
    Plane(usize),
}

/// What a swarm does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Behaviour {
    /// Nothing moves.
    Rest,
    /// All of a share of the boxes drift, a hundredth of them redirected each frame.
    Drift { share: f32 },
    /// The same, and each frame a share of all boxes is replaced by others.
    Churn { share: f32 },
    /// Nothing moves, but a share of the boxes jumps.
    Jump { share: f32 },
    /// They fall and come to rest.
    Fall,
    /// They fall in a direction that turns.
    Turn,
    /// Groups of so many keep together.
    Clusters { each: usize },
}

/// A request, checked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Plan {
    pub(super) n: usize,
    /// Boxes per unit of volume, area or length, as the region has it.
    pub(super) density: f32,
    pub(super) things: Things,
    /// Sides of the world per second.
    pub(super) speed: f32,
    pub(super) seed: u64,
    pub(super) region: Region,
    pub(super) behaviour: Behaviour,
    /// Is the first box huge?
    pub(super) one_huge: bool,
}

/// A vector in the ball of this radius, each as likely as any other.
pub(super) fn in_ball<const D: usize>(radius: f32, random: &mut Random) -> [f32; D] {
    loop {
        let v: [f32; D] = std::array::from_fn(|_| random.range(-1.0, 1.0));
        if v.iter().map(|c| c * c).sum::<f32>() <= 1.0 {
            return v.map(|c| c * radius);
        }
    }
}

/// Side of a cube or square of this content; the content itself in one dimension.
fn side(content: f32, dimensions: usize) -> f32 {
    match dimensions {
        1 => content,
        2 => content.sqrt(),
        _ => cbrt(content),
    }
}

impl Plan {
    /// Dimensions in which the region extends.
    fn extent<const D: usize>(&self) -> usize {
        match self.region {
            Region::Ball => D,
            Region::Line(_) => 1,
            Region::Plane(_) => 2,
        }
    }

    /// May centres differ along this axis?
    fn is_free<const D: usize>(&self, axis: usize) -> bool {
        match self.region {
            Region::Ball => true,
            Region::Line(along) => axis == along,
            Region::Plane(normal) => D == 2 || axis != normal,
        }
    }

    fn centre<const D: usize>(&self, side: f32, random: &mut Random) -> [f32; D] {
        match self.region {
            Region::Ball => in_ball(START_RADIUS * side, random),
            _ => std::array::from_fn(
                |k| {
                    if self.is_free::<D>(k) { random.range(-0.5, 0.5) * side } else { 0.0 }
                },
            ),
        }
    }

    /// The swarm at its first frame.
    pub(super) fn swarm<const D: usize>(&self) -> Swarm<D> {
        let mut random = Random::new(self.seed);
        let mut halves: Vec<[f32; D]> = (0..self.n).map(|i| self.things.half(i, &mut random)).collect();
        let largest = halves.iter().flatten().fold(0.0f32, |most, h| most.max(*h));
        let least = LEAST_ROOM * 2.0 * largest;
        let mut side = side(self.n as f32 / self.density, self.extent::<D>()).max(least);
        let cluster_room = self.cluster_room::<D>(largest);
        if let Some(room) = cluster_room {
            side = side.max(LEAST_ROOM * 2.0 * room);
        }
        if self.one_huge
            && let Some(first) = halves.first_mut()
        {
            *first = [0.5 * HUGE * side; D];
        }
        let walls: [f32; D] = std::array::from_fn(|k| if self.is_free::<D>(k) { 0.5 * side } else { least });
        let speed = self.speed * side;
        let mut centres: Vec<[f32; D]> = (0..self.n).map(|_| self.centre(side, &mut random)).collect();
        let mut velocities: Vec<[f32; D]> = (0..self.n).map(|_| self.velocity(speed, &mut random)).collect();
        let motion = match self.behaviour {
            Behaviour::Rest => Motion::Rest,
            Behaviour::Drift { share } => Motion::drift(self.n, share),
            Behaviour::Churn { share } => Motion::churn(self.n, share, &mut random),
            Behaviour::Jump { share } => Motion::jump(self.n, share, &mut random),
            Behaviour::Fall => {
                let content = (1..D).fold(1.0, |area, _| area * side);
                let heap = self.n as f32 / (HEAP_DENSITY * content);
                Motion::fall(self.n, side, heap.min(0.9 * side), &mut random)
            }
            Behaviour::Turn => Motion::turn(side),
            Behaviour::Clusters { each } => {
                let room = cluster_room.unwrap_or(side);
                for (centre, velocity) in centres.iter_mut().zip(&mut velocities) {
                    *centre = std::array::from_fn(|_| random.range(-room, room));
                    *velocity = in_ball(self.speed * 2.0 * room, &mut random);
                }
                Motion::clusters(centres.clone(), each, room, walls, speed, &mut random)
            }
        };
        let boxes = vec![Aabb::default(); self.n];
        let changes = Changes::default();
        let mut swarm =
            Swarm { walls, speed, centres, velocities, halves, motion, random, boxes, changes, plan: *self };
        swarm.enter();
        swarm
    }

    /// A velocity of a free box.
    pub(super) fn velocity<const D: usize>(&self, speed: f32, random: &mut Random) -> [f32; D] {
        let velocity: [f32; D] = in_ball(speed, random);
        std::array::from_fn(|k| if self.is_free::<D>(k) { velocity[k] } else { 0.0 })
    }

    /// A new place for a box that comes or jumps.
    pub(super) fn place<const D: usize>(&self, walls: &[f32; D], random: &mut Random) -> [f32; D] {
        let free = (0..D).find(|&k| self.is_free::<D>(k)).unwrap_or(0);
        self.centre(2.0 * walls[free], random)
    }

    /// Half the side of the room of a cluster.
    fn cluster_room<const D: usize>(&self, largest: f32) -> Option<f32> {
        let Behaviour::Clusters { each } = self.behaviour else { return None };
        let content = each.min(self.n) as f32 / (CLUSTER_CROWDING * self.density);
        Some((0.5 * side(content, D)).max(2.0 * largest))
    }
}
