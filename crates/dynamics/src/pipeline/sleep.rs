//! Sleep: islands of bodies that have been at rest for a while take no part in steps.
//!
//! An island is a set of bodies that hold each other, directly or through others. It falls asleep
//! as a whole, when its most restless body has been at rest for long enough, and only then are
//! islands looked for: in scenes in which nothing wants to sleep, this costs one comparison per
//! body.
//!
//! A body is at rest if its displacement over the last moments comes to less than the sleep speed:
//! one that trembles on the spot goes nowhere. One that is several times as fast is never at rest,
//! whatever its mean. Speeds are those of the farthest point, as far as the inertia tells: a rod
//! that turns about its own axis moves nothing far. A sleeping body that an awake one touches wakes
//! up, and wakes its neighbours in the next step in the same way.

use glam::Vec3;

use crate::state::bodies::{Bodies, BodyState, flag};
use crate::state::context::StepContext;
use crate::state::id::NONE;
use crate::state::islands::{Graph, Islands};
use crate::state::settings::WorldDef;
use crate::state::world_state::WorldState;

/// Bodies so many times faster than the sleep speed are not at rest, whatever their mean velocity.
const TREMBLING: f32 = 4.0;

/// Share of the sleep time that velocities are averaged over.
const AVERAGED: f32 = 0.5;

/// How rest is counted.
#[derive(Clone, Copy, Debug)]
struct Rest {
    dt: f32,
    speed: f32,
    /// Share of the mean that is as new as the step.
    newest: f32,
}

impl Rest {
    fn new(def: &WorldDef, dt: f32) -> Self {
        Self { dt, speed: def.sleep_speed, newest: dt / (dt + AVERAGED * def.sleep_time) }
    }

    /// Seconds at rest after a step.
    #[inline]
    fn count(&self, body: u32, bodies: &mut Bodies) -> f32 {
        let at = body as usize;
        let (motion, mass, state) = (&bodies.motion[at], &bodies.mass[at], &bodies.state[at]);
        let (cold, track) = (&bodies.cold, &mut bodies.rest_tracks[at]);
        let speed_of = |v: Vec3, w: Vec3| {
            let (linear, by_extent) = (v.length(), w.length() * state.extent);
            // Most bodies are decided by this, and need not be looked at any closer.
            if linear + by_extent < self.speed || linear >= TREMBLING * self.speed {
                return linear + by_extent;
            }
            // That of a box with such a mass and inertia. A limb that turns back to a limit about
            // its own axis is not at rest, though.
            let scaled = mass.scaled(motion.rotation.rotate_back(w));
            let by_inertia = (3.0 * scaled.length_squared()).sqrt() * mass.root_mass;
            let is_joined = cold.get(body).is_some_and(|cold| cold.first_joint != NONE);
            linear + if by_inertia < by_extent && !is_joined { by_inertia } else { by_extent }
        };
        let speed = speed_of(motion.velocity, motion.angular_velocity);
        if !(speed < TREMBLING * self.speed && state.has(flag::SLEEPY)) {
            return BodyState::FAST;
        }
        if state.still == BodyState::FAST {
            (track.velocity, track.angular_velocity) = (motion.velocity, motion.angular_velocity);
        } else {
            let rate = 1.0 / self.dt;
            let moved = (motion.position - track.position).as_vec3() * rate;
            let rotation = motion.rotation * track.rotation.inverse();
            let turned = rotation.xyz * (2.0 * rate * if rotation.w < 0.0 { -1.0 } else { 1.0 });
            track.velocity += (moved - track.velocity) * self.newest;
            track.angular_velocity += (turned - track.angular_velocity) * self.newest;
        }
        (track.position, track.rotation) = (motion.position, motion.rotation);
        let rests = speed_of(track.velocity, track.angular_velocity) < self.speed;
        let still = if state.still > 0.0 { state.still } else { 0.0 };
        if rests { still + self.dt } else { 0.0 }
    }
}

/// The stage with its memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sleep {
    /// Shortest rest in each island, by root.
    rests: Vec<f32>,
}

impl Sleep {
    /// Wakes what awake bodies touch. Between the narrow phase and the solver.
    pub(crate) fn wake(state: &mut WorldState) -> u32 {
        let WorldState { bodies, joints, active_manifolds, .. } = state;
        let mut woken = 0;
        for joint in joints.rows.iter().filter(|joint| joint.is_there) {
            woken += wake_pair(joint.bodies, bodies);
        }
        for touch in &*active_manifolds {
            if touch.wakes {
                woken += wake_pair(touch.bodies, bodies);
            }
        }
        if woken > 0 {
            bodies.refresh_awake();
        }
        woken
    }

    /// Counts rest and puts islands to sleep, when all bodies have moved.
    pub(crate) fn run(&mut self, context: &StepContext<'_>, state: &mut WorldState) -> u32 {
        let (def, dt) = (context.settings, context.dt);
        if !def.can_sleep {
            return 0;
        }
        let WorldState { bodies, joints, active_manifolds, islands, .. } = state;
        let graph = Graph { active_manifolds, joints };
        let (mut longest, rest) = (0.0, Rest::new(def, dt));
        for at in 0..bodies.awake.len() {
            let slot = bodies.awake[at];
            if !bodies.state[slot as usize].has(flag::DYNAMIC) {
                continue;
            }
            let still = rest.count(slot, bodies);
            bodies.state[slot as usize].still = still;
            if still > longest {
                longest = still;
            }
        }
        if longest < def.sleep_time {
            return 0;
        }
        self.compare(graph, islands, bodies);
        self.compare_surfaces(graph, islands, bodies);
        self.put_to_sleep(def, islands, bodies)
    }

    /// Finds the shortest rest of every island.
    fn compare(&mut self, graph: Graph<'_>, islands: &mut Islands, bodies: &Bodies) {
        self.rests.clear();
        self.rests.resize(bodies.state.len(), f32::INFINITY);
        for &slot in &bodies.awake {
            if bodies.state[slot as usize].has(flag::DYNAMIC) {
                let root = islands.root(slot);
                self.disturb(root, bodies.state[slot as usize].still);
            }
        }
        for pair in graph.pairs(bodies) {
            for [body, other] in [pair, [pair[1], pair[0]]] {
                // What moves by itself keeps awake what lies on it.
                let is_driven = bodies.state[other as usize].has(flag::KINEMATIC);
                if is_driven && bodies.motion[other as usize].is_moving() {
                    let root = islands.root(body);
                    self.disturb(root, 0.0);
                }
            }
        }
    }

    /// What lies on a moving surface stays awake.
    fn compare_surfaces(&mut self, graph: Graph<'_>, islands: &mut Islands, bodies: &Bodies) {
        for touch in graph.active_manifolds.iter().filter(|touch| touch.surface_velocity != Vec3::ZERO) {
            for body in touch.bodies {
                if bodies.state[body as usize].has(flag::DYNAMIC) {
                    let root = islands.root(body);
                    self.disturb(root, 0.0);
                }
            }
        }
    }

    fn disturb(&mut self, root: u32, still: f32) {
        let rest = &mut self.rests[root as usize];
        *rest = if still < *rest { still } else { *rest };
    }

    fn put_to_sleep(&mut self, def: &WorldDef, islands: &mut Islands, bodies: &mut Bodies) -> u32 {
        let mut asleep = 0;
        for at in 0..bodies.awake.len() {
            let slot = bodies.awake[at];
            if !bodies.state[slot as usize].has(flag::DYNAMIC) {
                continue;
            }
            let root = islands.root(slot);
            if self.rests[root as usize] >= def.sleep_time {
                bodies.set_awake(slot, false);
                let motion = &mut bodies.motion[slot as usize];
                (motion.velocity, motion.angular_velocity) = (Vec3::ZERO, Vec3::ZERO);
                asleep += 1;
            }
        }
        asleep
    }
}

/// Wakes a body that an awake one holds or touches.
fn wake_pair(pair: [u32; 2], bodies: &mut Bodies) -> u32 {
    let mut woken = 0;
    for [body, other] in [pair, [pair[1], pair[0]]] {
        let (state, by) = (&bodies.state[body as usize], &bodies.state[other as usize]);
        let sleeps = state.has(flag::DYNAMIC) && !state.has(flag::AWAKE);
        let moves =
            by.has(flag::AWAKE) && (by.has(flag::DYNAMIC) || bodies.motion[other as usize].is_moving());
        if sleeps && moves {
            bodies.set_awake(body, true);
            woken += 1;
        }
    }
    woken
}
