//! How the boxes of a swarm move.
//!
//! Invariants: no box leaves the walls, which throw everything back without loss, and no two boxes
//! notice each other. Only sums, products, quotients and roots are used.

use std::mem;

use carom_core::random::Random;
use carom_core::trig::sin_cos;

use super::start::in_ball;
use super::{STEP, Swarm};

/// Frames in which all drifting boxes get a new direction once.
const REDIRECTION: usize = 100;
/// Gravity, in sides of the world per second squared.
const GRAVITY: f32 = 0.0981;
/// How much stronger the turning gravity is.
const TURNING: f32 = 4.0;
/// Seconds for a full turn of gravity.
const TURN: f32 = 6.2;
/// Share of the normal and of the tangential speed that is left after the floor was touched.
const BOUNCE: f32 = 0.25;
const SLIDE: f32 = 0.5;
/// Whatever leaves the floor slower than so many sides per second falls asleep.
const ASLEEP: f32 = 0.01;
/// Nothing is faster than so many sides per second.
const FASTEST: f32 = 2.0;
/// Speed of clusters relative to that of single boxes.
const CLUSTER_SPEED: f32 = 0.1;
/// The axis that points up.
const UP: usize = 1;

/// A share of all boxes each frame: all take turns, in random order.
#[derive(Clone, Debug)]
pub(super) struct Turns {
    order: Vec<u32>,
    next: usize,
    each: usize,
}

impl Turns {
    fn new(n: usize, share: f32, random: &mut Random) -> Self {
        let mut order: Vec<u32> = (0..n as u32).collect();
        random.shuffle(&mut order);
        // At least one, whatever the share: a swarm of this name that does nothing would be a lie.
        Self { order, next: 0, each: ((n as f32 * share).ceil() as usize).clamp(1, n.max(1)) }
    }

    /// Those whose turn it is, each once.
    fn take(&mut self) -> Vec<u32> {
        let n = self.order.len();
        let taken = (0..self.each.min(n)).map(|i| self.order[(self.next + i) % n]).collect();
        self.next = (self.next + self.each) % n.max(1);
        taken
    }
}

/// A rule of motion with its state.
#[derive(Clone, Debug)]
pub(super) enum Motion<const D: usize> {
    Rest,
    Drift {
        /// Those that move.
        movers: Vec<u32>,
        /// The next of them to be redirected.
        next: usize,
        /// Those that are replaced.
        replaced: Option<Turns>,
    },
    Jump(Turns),
    Fall {
        gravity: f32,
        /// Speed below which sleep begins.
        slow: f32,
        /// The floor of each box. A real heap would hold it up at some height; here it is drawn.
        floors: Vec<f32>,
        asleep: Vec<bool>,
    },
    Turn {
        gravity: f32,
        fastest: f32,
        /// The axis gravity turns about, and its direction.
        axis: [f32; 3],
        direction: [f32; 3],
    },
    Clusters {
        each: usize,
        /// Half the side of a cluster's room.
        room: f32,
        offsets: Vec<[f32; D]>,
        /// Centre and velocity of each cluster.
        clusters: Vec<([f32; D], [f32; D])>,
    },
}

impl<const D: usize> Motion<D> {
    pub(super) fn drift(n: usize, share: f32) -> Self {
        let count = |id: usize| (id as f64 * f64::from(share)) as u64;
        let movers = (0..n).filter(|&id| count(id + 1) > count(id)).map(|id| id as u32).collect();
        Self::Drift { movers, next: 0, replaced: None }
    }

    pub(super) fn churn(n: usize, share: f32, random: &mut Random) -> Self {
        Self::Drift { movers: (0..n as u32).collect(), next: 0, replaced: Some(Turns::new(n, share, random)) }
    }

    pub(super) fn jump(n: usize, share: f32, random: &mut Random) -> Self {
        Self::Jump(Turns::new(n, share, random))
    }

    /// Boxes in a world of this side, whose heap will be so high.
    pub(super) fn fall(n: usize, side: f32, heap: f32, random: &mut Random) -> Self {
        let floors = (0..n).map(|_| random.unit() * heap - 0.5 * side).collect();
        Self::Fall { gravity: GRAVITY * side, slow: ASLEEP * side, floors, asleep: vec![false; n] }
    }

    pub(super) fn turn(side: f32) -> Self {
        let (axis, direction) =
            if D == 2 { ([0.0, 0.0, 1.0], [1.0, 0.0, 0.0]) } else { ([0.0, 1.0, 0.0], [1.0, 0.0, 0.0]) };
        Self::Turn { gravity: TURNING * GRAVITY * side, fastest: FASTEST * side, axis, direction }
    }

    pub(super) fn clusters(
        offsets: Vec<[f32; D]>,
        each: usize,
        room: f32,
        walls: [f32; D],
        speed: f32,
        random: &mut Random,
    ) -> Self {
        let count = offsets.len().div_ceil(each);
        let clusters = (0..count)
            .map(|_| {
                let centre = std::array::from_fn(|k| random.range(-1.0, 1.0) * (walls[k] - room));
                (centre, in_ball(CLUSTER_SPEED * speed, random))
            })
            .collect();
        Self::Clusters { each, room, offsets, clusters }
    }
}

/// Moves along one axis and comes back from the walls, which leave the centre so much room on both
/// sides.
fn glide(centre: &mut f32, velocity: &mut f32, room: f32) {
    *centre += *velocity * STEP;
    if centre.abs() > room {
        // Thrown back; whoever would cross the whole room stops at the other wall.
        let beyond = centre.abs() - room;
        let back = (room - beyond).max(-room);
        *centre = if *centre > 0.0 { back } else { -back };
        *velocity = -*velocity;
    }
}

fn glide_all<const D: usize>(
    centre: &mut [f32; D],
    velocity: &mut [f32; D],
    half: &[f32; D],
    walls: &[f32; D],
) {
    for k in 0..D {
        glide(&mut centre[k], &mut velocity[k], (walls[k] - half[k]).max(0.0));
    }
}

impl<const D: usize> Swarm<D> {
    /// Brings all boxes into the walls, before the first frame.
    pub(super) fn enter(&mut self) {
        let motion = mem::replace(&mut self.motion, Motion::Rest);
        for at in 0..self.centres.len() {
            if let Motion::Clusters { each, offsets, clusters, .. } = &motion {
                let middle = clusters[at / each].0;
                self.centres[at] = std::array::from_fn(|k| middle[k] + offsets[at][k]);
            }
            for k in 0..D {
                let room = (self.walls[k] - self.halves[at][k]).max(0.0);
                self.centres[at][k] = self.centres[at][k].clamp(-room, room);
            }
            if let Motion::Fall { floors, .. } = &motion {
                let lowest = floors[at] + self.halves[at][UP];
                let room = (self.walls[UP] - self.halves[at][UP]).max(0.0);
                self.centres[at][UP] = self.centres[at][UP].max(lowest).min(room);
            }
            self.place(at);
        }
        self.motion = motion;
    }

    pub(super) fn advance(&mut self) {
        // Out of the way for the time of the step, so that the rule can change the boxes.
        let mut motion = mem::replace(&mut self.motion, Motion::Rest);
        match &mut motion {
            Motion::Rest => {}
            Motion::Drift { movers, next, replaced } => self.drift(movers, next, replaced.as_mut()),
            Motion::Jump(turns) => self.jump(turns),
            Motion::Fall { gravity, slow, floors, asleep } => self.fall(*gravity, *slow, floors, asleep),
            Motion::Turn { gravity, fastest, axis, direction } => {
                turn::<D>(axis, direction);
                self.slosh(*gravity, *fastest, direction);
            }
            Motion::Clusters { each, room, offsets, clusters } => {
                self.flock(*each, *room, offsets, clusters);
            }
        }
        self.motion = motion;
    }

    /// Puts the box of an id to its centre and notes it if it moved.
    fn follow(&mut self, at: usize) {
        if self.place(at) {
            self.changes.moved.push(at as u32);
        }
    }

    fn drift(&mut self, movers: &[u32], next: &mut usize, replaced: Option<&mut Turns>) {
        let mut fresh = Vec::new();
        if let Some(turns) = replaced {
            fresh = turns.take();
            for &id in &fresh {
                let at = id as usize;
                self.centres[at] = self.inside(at);
                self.velocities[at] = self.plan.velocity(self.speed, &mut self.random);
                self.place(at);
            }
            self.changes.removed.extend(&fresh);
            self.changes.inserted.extend(fresh.iter().rev());
            fresh.sort_unstable();
        }
        let mut fresh = fresh.into_iter().peekable();
        for &id in movers {
            if fresh.next_if_eq(&id).is_some() {
                continue; // it has only just come
            }
            let at = id as usize;
            glide_all(&mut self.centres[at], &mut self.velocities[at], &self.halves[at], &self.walls);
            self.follow(at);
        }
        for _ in 0..movers.len().div_ceil(REDIRECTION) {
            self.velocities[movers[*next] as usize] = self.plan.velocity(self.speed, &mut self.random);
            *next = (*next + 1) % movers.len();
        }
    }

    /// A new place for a box, inside the walls.
    fn inside(&mut self, at: usize) -> [f32; D] {
        let place: [f32; D] = self.plan.place(&self.walls, &mut self.random);
        std::array::from_fn(|k| {
            let room = (self.walls[k] - self.halves[at][k]).max(0.0);
            place[k].clamp(-room, room)
        })
    }

    fn jump(&mut self, turns: &mut Turns) {
        let mut jumpers = turns.take();
        jumpers.sort_unstable();
        for id in jumpers {
            self.centres[id as usize] = self.inside(id as usize);
            self.follow(id as usize);
        }
    }

    fn fall(&mut self, gravity: f32, slow: f32, floors: &[f32], asleep: &mut [bool]) {
        for at in 0..self.centres.len() {
            if asleep[at] {
                continue;
            }
            let (centre, velocity, half) =
                (&mut self.centres[at], &mut self.velocities[at], &self.halves[at]);
            velocity[UP] -= gravity * STEP;
            let lowest = (floors[at] + half[UP]).min((self.walls[UP] - half[UP]).max(0.0));
            for k in 0..D {
                let room = (self.walls[k] - half[k]).max(0.0);
                // The lower wall must not throw back what the floor will stop.
                let is_below = k == UP && centre[k] + velocity[k] * STEP < lowest;
                if is_below {
                    centre[k] += velocity[k] * STEP;
                } else {
                    glide(&mut centre[k], &mut velocity[k], room);
                }
            }
            if centre[UP] < lowest {
                centre[UP] = lowest;
                for (k, v) in velocity.iter_mut().enumerate() {
                    *v = if k == UP { v.abs() * BOUNCE } else { *v * SLIDE };
                }
                if velocity.iter().map(|v| v * v).sum::<f32>() < slow * slow {
                    *velocity = [0.0; D];
                    asleep[at] = true;
                }
            }
            self.follow(at);
        }
    }

    fn slosh(&mut self, gravity: f32, fastest: f32, direction: &[f32; 3]) {
        for at in 0..self.centres.len() {
            let velocity = &mut self.velocities[at];
            for k in 0..D {
                velocity[k] = (velocity[k] + gravity * direction[k] * STEP).clamp(-fastest, fastest);
            }
            glide_all(&mut self.centres[at], velocity, &self.halves[at], &self.walls);
            self.follow(at);
        }
    }

    fn flock(
        &mut self,
        each: usize,
        room: f32,
        offsets: &mut [[f32; D]],
        clusters: &mut [([f32; D], [f32; D])],
    ) {
        for (centre, velocity) in clusters.iter_mut() {
            glide_all(centre, velocity, &[room; D], &self.walls);
        }
        for (at, offset) in offsets.iter_mut().enumerate() {
            glide_all(offset, &mut self.velocities[at], &self.halves[at], &[room; D]);
            let middle = &clusters[at / each].0;
            self.centres[at] = std::array::from_fn(|k| middle[k] + offset[k]);
            self.follow(at);
        }
    }
}

/// Turns gravity on: in space its axis turns too, about z.
fn turn<const D: usize>(axis: &mut [f32; 3], direction: &mut [f32; 3]) {
    let angle = STEP / TURN * std::f32::consts::TAU;
    if D > 2 {
        *axis = rotated(axis, &[0.0, 0.0, 1.0], angle);
    }
    *direction = rotated(direction, axis, angle);
}

/// A unit vector turned about another.
fn rotated(v: &[f32; 3], axis: &[f32; 3], angle: f32) -> [f32; 3] {
    let (sin, cos) = sin_cos(angle);
    let dot = v[0] * axis[0] + v[1] * axis[1] + v[2] * axis[2];
    let turned: [f32; 3] = std::array::from_fn(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        let cross = axis[i] * v[j] - axis[j] * v[i];
        v[k] * cos + cross * sin + axis[k] * dot * (1.0 - cos)
    });
    let length = turned.iter().map(|c| c * c).sum::<f32>().sqrt();
    turned.map(|c| c / length)
}
