//! A world that everything is done to, at random, for a long time: it stays whole, finite, small,
//! and the same for the same numbers.

use carom_dynamics::{
    Axis, BodyDef, BodyId, JointDef, JointId, JointKind, Motor, ShapeDef, Spring, World, WorldDef,
};
use carom_geometry::shape::HalfSpace;
use glam::{DVec3, Vec3};

use crate::scenes::{DT, Numbers, cuboid};
use crate::zoo;

/// Bodies that there may be at a time.
const MOST: usize = 120;

/// Steps of a soak: fifty times as many with `CAROM_LONG`.
fn steps() -> u32 {
    if std::env::var_os("CAROM_LONG").is_some() { 100_000 } else { 2_000 }
}

struct Soak {
    world: World,
    numbers: Numbers,
    bodies: Vec<BodyId>,
    joints: Vec<JointId>,
    /// How often each thing was done.
    done: [u32; 12],
}

impl Soak {
    fn new(seed: u64) -> Self {
        let mut world = World::new(WorldDef::default());
        world.add_body(BodyDef::fixed(), [ShapeDef::new(HalfSpace)]).unwrap();
        for (x, z) in [(-12.0, 0.0), (12.0, 0.0), (0.0, -12.0), (0.0, 12.0)] {
            let size = if x == 0.0 { (12.0, 0.1) } else { (0.1, 12.0) };
            world.add_body(BodyDef::fixed().at(x, 5.0, z), [cuboid(size.0, 5.0, size.1)]).unwrap();
        }
        Self { world, numbers: Numbers(seed), bodies: Vec::new(), joints: Vec::new(), done: [0; 12] }
    }

    fn below(&mut self, count: usize) -> usize {
        (((0.5 + 0.5 * self.numbers.next()) * count as f32) as usize).min(count.saturating_sub(1))
    }

    fn anybody(&mut self) -> Option<BodyId> {
        let at = self.below(self.bodies.len());
        self.bodies.get(at).copied()
    }

    fn place(&mut self) -> DVec3 {
        let at = self.numbers.vector();
        (at * Vec3::new(9.0, 4.0, 9.0) + Vec3::Y * 5.0).as_dvec3()
    }

    fn insert(&mut self) {
        let (kind, at) = (self.below(zoo::KINDS as usize) as u32, self.place());
        let shape = zoo::shape(kind, &mut self.numbers);
        let rotation = zoo::rotation(&mut self.numbers);
        let is_solid = kind < zoo::MASSIVE;
        let def = match self.below(10) {
            _ if !is_solid => BodyDef::kinematic().angular_velocity(self.numbers.vector()),
            0 => BodyDef::kinematic().velocity(self.numbers.vector() * 2.0),
            1 => BodyDef::dynamic().bullet().velocity(self.numbers.vector() * 100.0),
            2 => BodyDef::particle().velocity(self.numbers.vector() * 5.0),
            _ => BodyDef::dynamic()
                .velocity(self.numbers.vector() * 5.0)
                .angular_velocity(self.numbers.vector() * 5.0),
        };
        let mut shape = ShapeDef::new(shape).friction(0.5 + 0.5 * self.numbers.next());
        if self.below(4) == 0 {
            shape = shape.restitution(0.5).rolling(0.01);
        }
        if self.below(12) == 0 && is_solid {
            shape = shape.density(30_000.0);
        }
        let def = def.at(at.x, at.y, at.z).rotated(rotation);
        self.bodies.push(self.world.add_body(def, [shape]).unwrap());
    }

    fn remove(&mut self) {
        if !self.bodies.is_empty() {
            let at = self.below(self.bodies.len());
            let body = self.bodies.swap_remove(at);
            self.world.remove_body(body).unwrap();
        }
    }

    fn join(&mut self) {
        let (Some(a), Some(b)) = (self.anybody(), self.anybody()) else { return };
        if a == b {
            return;
        }
        let [p, q] = [a, b].map(|id| self.world.body(id).unwrap().position());
        let middle = (p + q) * 0.5;
        let far = p.distance(q) as f32;
        let spring = Spring::new(2.0, 0.7);
        let free = Axis::FREE.range(-0.5, 0.5).motor(Motor::new(1.0, 50.0));
        let def = match self.below(10) {
            0 => JointDef::ball(a, b).at(middle),
            1 => JointDef::hinge(a, b, free).at(middle),
            2 => JointDef::slider(a, b, free).at(middle),
            3 => JointDef::fixed(a, b).at(middle),
            4 => JointDef::rod(a, b, [p, q]),
            5 => JointDef::rope(a, b, [p, q], far + 0.5),
            6 => JointDef::spring(a, b, [p, q], spring.rest(far)),
            7 => JointDef::new(a, b, JointKind::Universal([free, Axis::FREE])).at(middle),
            8 => {
                let suspension = Axis::FREE.spring(spring);
                let kind = JointKind::Wheel { suspension, steering: Axis::LOCKED, spin: free };
                JointDef::new(a, b, kind).at(q)
            }
            _ => {
                let kind =
                    JointKind::SixAxis { linear: [Axis::LOCKED, free, Axis::FREE], angular: [free; 3] };
                JointDef::new(a, b, kind).at(middle)
            }
        };
        let def = if self.below(3) == 0 { def.breaks_at(1e5, 1e5) } else { def };
        let def = def.collides(self.below(2) == 0);
        self.joints.push(self.world.add_joint(def).unwrap());
    }

    fn act(&mut self) {
        let what = self.below(14);
        match what {
            0 | 1 if self.bodies.len() < MOST => self.insert(),
            2 => self.remove(),
            3 => {
                let (at, rotation) = (self.place(), zoo::rotation(&mut self.numbers));
                if let Some(body) = self.anybody() {
                    self.world.body_mut(body).unwrap().set_pose(at, rotation).unwrap();
                }
            }
            4 if self.joints.len() < MOST / 3 => self.join(),
            5 => {
                if !self.joints.is_empty() {
                    let at = self.below(self.joints.len());
                    let joint = self.joints.swap_remove(at);
                    // It may have gone with a body.
                    let _ = self.world.remove_joint(joint);
                }
            }
            6 => {
                let velocity = self.numbers.vector() * 10.0;
                if let Some(body) = self.anybody() {
                    self.world.body_mut(body).unwrap().set_velocity(velocity).unwrap();
                }
            }
            7 => {
                let (shape, which) = (cuboid(0.3, 0.2, 0.4), self.below(3));
                if let Some(body) = self.anybody() {
                    let shapes: Vec<_> = self.world.body(body).unwrap().shapes().collect();
                    if which == 0 && shapes.len() > 1 {
                        let _ = self.world.remove_shape(shapes[0]);
                    } else if shapes.len() < 4 {
                        self.world.add_shape(body, &shape).unwrap();
                    }
                }
            }
            _ => return,
        }
        self.done[what] += 1;
    }

    fn run(&mut self, steps: u32) -> Vec<u64> {
        let mut hashes = Vec::new();
        let (mut slept, mut stopped, mut lost) = (0, 0, 0);
        for step in 0..steps {
            // Quiet from time to time, so that some fall asleep.
            if step % 500 < 350 {
                self.act();
            }
            let report = self.world.step(DT).unwrap();
            (slept, stopped) = (slept + report.fell_asleep, stopped + report.ccd_hits);
            lost += report.quarantined.len();
            let broken = self.world.validate();
            assert!(broken.is_empty(), "step {step}: {broken:?}");
            self.joints.retain(|joint| self.world.joint(*joint).is_ok());
            // What fell over the walls is of no interest any more.
            let is_gone = |id: &BodyId| self.world.body(*id).unwrap().position().length() > 100.0;
            let gone: Vec<BodyId> = self.bodies.iter().copied().filter(is_gone).collect();
            for body in gone {
                self.world.remove_body(body).unwrap();
                self.bodies.retain(|other| *other != body);
            }
            if step % 100 == 99 {
                hashes.push(self.world.state_hash());
            }
        }
        assert_eq!(lost, 0, "nobody was quarantined");
        assert!(slept > 0 && stopped > 0, "{slept} fell asleep, {stopped} were stopped");
        assert!(self.done.iter().take(8).all(|count| *count > steps / 100), "{:?}", self.done);
        assert_eq!(self.world.len(), self.bodies.len() + 5);
        hashes
    }
}

/// Which numbers: those of `CAROM_LONG`, if it is a number.
fn seed() -> u64 {
    std::env::var("CAROM_LONG").ok().and_then(|value| value.parse().ok()).unwrap_or(1)
}

#[test]
fn a_world_that_everything_is_done_to_stays_whole() {
    let hashes = Soak::new(seed()).run(steps());
    assert_eq!(Soak::new(seed()).run(steps().min(2_000)), hashes[..20], "the same for the same numbers");
}
