//! A situation: what a scene is like for a broad phase, as five numbers, and boxes that are made
//! for them.
//!
//! The swarms of the library are left for the check: a model is not to be judged by what it was
//! fitted on. So the boxes made here know nothing of them. Cubes, nearly, with edges drawn so that
//! every size between 1 and the ratio is as frequent as any other, lie evenly in a cube just large
//! enough for the density that is asked for. A share of them moves straight on, each by the same
//! length per frame, and is thrown back by the walls; the others rest.
//!
//! Invariants: the same situation gives the same boxes everywhere; at least one box moves, if there
//! is any; no box leaves the world.

use carom_core::random::Random;
use carom_core::trig::{cbrt, powf};
use carom_geometry::Aabb;
use carom_scene::swarm::Changes;
use serde::{Deserialize, Serialize};

use crate::pairs::{Frame, Frames};

/// Edges of a box differ by this share either way.
const UNEVENNESS: f32 = 0.2;
/// Least side of the world, in edges of the largest box.
const LEAST_ROOM: f32 = 2.0;
/// Seed of everything.
const SEED: u64 = 0x00ad_715e;

/// Five numbers that decide who wins.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Situation {
    /// Number of boxes.
    pub n: usize,
    /// Volume of all boxes over that of the world.
    pub density: f32,
    /// Way of a box that moves, per frame, in mean edges.
    pub motion: f32,
    /// Largest over smallest edge.
    pub ratio: f32,
    /// Share of the boxes that moves.
    pub share: f32,
}

impl Situation {
    /// What is kept where a map changes other numbers: all of a thousand like cubes move by a tenth
    /// of their edges, and a world is filled to a hundredth.
    pub const USUAL: Self = Self { n: 1000, density: 0.01, motion: 0.1, ratio: 1.0, share: 1.0 };

    /// Its boxes.
    #[must_use]
    pub fn cloud(&self) -> Cloud {
        Cloud::new(self)
    }
}

impl std::fmt::Display for Situation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { n, density, motion, ratio, share } = self;
        write!(f, "{n} boxes, density {density}, motion {motion}, ratio {ratio}, moving {share}")
    }
}

/// Boxes of a situation.
#[derive(Clone, Debug)]
pub struct Cloud {
    /// Half the side of the world.
    wall: f32,
    centres: Vec<[f32; 3]>,
    halves: Vec<[f32; 3]>,
    /// Those that move, ascending, with their way per frame.
    movers: Vec<(u32, [f32; 3])>,
    boxes: Vec<Aabb<3>>,
    changes: Changes,
}

impl Cloud {
    fn new(situation: &Situation) -> Self {
        let mut random = Random::new(SEED);
        let ratio = situation.ratio.max(1.0);
        let halves: Vec<[f32; 3]> = (0..situation.n)
            .map(|_| {
                let edge = powf(ratio, random.unit());
                std::array::from_fn(|_| 0.5 * edge * random.range(1.0 - UNEVENNESS, 1.0 + UNEVENNESS))
            })
            .collect();
        let volume: f32 = halves.iter().map(|h| 8.0 * h[0] * h[1] * h[2]).sum();
        let largest = halves.iter().flatten().fold(0.0f32, |most, h| most.max(2.0 * h));
        let side = cbrt(volume / situation.density).max(LEAST_ROOM * largest);
        let mean_edge = halves.iter().flatten().sum::<f32>() * 2.0 / (3.0 * situation.n.max(1) as f32);
        let wall = 0.5 * side;
        let centres = halves.iter().map(|h| h.map(|h| random.range(-1.0, 1.0) * (wall - h))).collect();
        let mut order: Vec<u32> = (0..situation.n as u32).collect();
        random.shuffle(&mut order);
        order.truncate(((situation.n as f32 * situation.share).round() as usize).max(1));
        order.sort_unstable();
        let step = situation.motion * mean_edge;
        let movers = order.into_iter().map(|id| (id, random.direction().map(|c| c * step))).collect();
        let boxes = vec![Aabb::EMPTY; situation.n];
        let mut cloud = Self { wall, centres, halves, movers, boxes, changes: Changes::default() };
        (0..situation.n).for_each(|at| cloud.place(at));
        cloud
    }

    fn place(&mut self, at: usize) {
        let (centre, half) = (self.centres[at], self.halves[at]);
        self.boxes[at] = Aabb {
            min: std::array::from_fn(|k| centre[k] - half[k]),
            max: std::array::from_fn(|k| centre[k] + half[k]),
        };
    }
}

impl Frames<3> for Cloud {
    fn frame(&self) -> Frame<'_, 3> {
        Frame { boxes: &self.boxes, changes: &self.changes, filters: &[], bounds: &[] }
    }

    fn step(&mut self) {
        let mut movers = std::mem::take(&mut self.movers);
        self.changes.moved.clear();
        for (id, way) in &mut movers {
            let at = *id as usize;
            for k in 0..3 {
                let room = self.wall - self.halves[at][k];
                let there = self.centres[at][k] + way[k];
                // Thrown back; a step beyond both walls ends at one of them.
                self.centres[at][k] = if there.abs() > room {
                    way[k] = -way[k];
                    (2.0 * room.copysign(there) - there).clamp(-room, room)
                } else {
                    there
                };
            }
            self.place(at);
            self.changes.moved.push(*id);
        }
        self.movers = movers;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn volume(aabb: &Aabb<3>) -> f32 {
        (0..3).map(|k| aabb.max[k] - aabb.min[k]).product()
    }

    #[test]
    fn boxes_have_what_was_asked_for() {
        let asked = Situation { n: 4000, density: 0.05, motion: 0.5, ratio: 10.0, share: 0.25 };
        let mut cloud = asked.cloud();
        let before = cloud.frame().boxes.to_vec();
        let filled: f32 = before.iter().map(volume).sum::<f32>() / (2.0 * cloud.wall).powi(3);
        assert!((filled / asked.density - 1.0).abs() < 0.01, "{filled}");
        let edges: Vec<f32> = before.iter().map(|b| volume(b).cbrt()).collect();
        let (least, most) =
            edges.iter().fold((f32::MAX, 0.0f32), |(low, high), e| (low.min(*e), high.max(*e)));
        assert!((7.0..=14.0).contains(&(most / least)), "{most} / {least}");
        cloud.step();
        assert_eq!(cloud.frame().changes.moved.len(), 1000);
        let mean = edges.iter().sum::<f32>() / 4000.0;
        let ways: Vec<f32> = (cloud.frame().changes.moved.iter())
            .map(|id| {
                let (was, is) = (&before[*id as usize], &cloud.frame().boxes[*id as usize]);
                (0..3).map(|k| (is.min[k] - was.min[k]).powi(2)).sum::<f32>().sqrt() / mean
            })
            .collect();
        let way = crate::stats::median(&ways.iter().map(|w| f64::from(*w)).collect::<Vec<_>>());
        assert!((way - 0.5).abs() < 0.05, "{way}");
    }

    #[test]
    fn no_box_leaves_the_world_and_seeds_decide_everything() {
        let wild = Situation { n: 300, density: 1.0, motion: 30.0, ratio: 100.0, share: 1.0 };
        let (mut one, mut other) = (wild.cloud(), wild.cloud());
        for _ in 0..50 {
            one.step();
            other.step();
            assert_eq!(one.frame().boxes, other.frame().boxes);
            let wall = one.wall * 1.0001;
            assert!(one.boxes.iter().all(|b| b.min.iter().chain(&b.max).all(|c| c.abs() <= wall)));
        }
    }

    #[test]
    fn something_moves_always() {
        let mut one = Situation { n: 1, share: 0.0, ..Situation::USUAL }.cloud();
        one.step();
        assert_eq!(one.frame().changes.moved, [0]);
    }
}
