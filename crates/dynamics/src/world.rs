//! The world: bodies, shapes, contacts, and the step that moves them.
//!
//! ```
//! use carom_dynamics::{BodyDef, ShapeDef, World, WorldDef};
//! use carom_geometry::shape::{Cuboid, HalfSpace};
//! use glam::Vec3;
//!
//! let mut world = World::new(WorldDef::default());
//! world.add_body(BodyDef::fixed(), [ShapeDef::new(HalfSpace)])?;
//! let cube = ShapeDef::new(Cuboid::new(Vec3::splat(0.5))?);
//! let stack: Vec<_> = (0..5)
//!     .map(|k| world.add_body(BodyDef::dynamic().at(0.0, 0.5 + f64::from(k), 0.0), [cube.clone()]))
//!     .collect::<Result<_, _>>()?;
//! for _ in 0..120 {
//!     world.step(1.0 / 60.0)?;
//! }
//! assert!((world.body(stack[4])?.position().y - 4.5).abs() < 0.01, "it stands");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | holds |
//! |---|---|
//! | [`joint_access`] | making, reading and changing joints |
//! | [`joint_error`] | how far joints are from where they should be |
//! | [`access`] | reading and changing bodies, looking at shapes |
//! | [`prepared`] | bodies checked before a world sees them |
//! | [`shape_edit`] | shapes that come, go and change |
//! | [`contact_view`] | reading contacts and their forces |
//! | [`snapshot`] | the state of a world, to go back to |
//! | [`validate`] | invariants, checked |
//! | [`queries`] | rays, casts, overlaps, nearest shapes |
//! | `quarantine` | what is left of bodies that had to be stopped |

pub mod access;
pub mod contact_view;
pub mod joint_access;
pub mod joint_error;
pub mod prepared;
mod quarantine;
pub mod queries;
pub mod shape_edit;
pub mod snapshot;
pub mod validate;

use std::borrow::Borrow;

use carom_broadphase::Space;
use carom_core::clock::Stopwatch;
use carom_core::state_hash::StateHasher;
use carom_core::threads::ThreadPool;
use glam::Vec3;

use crate::pipeline::continuous::{Course, Impact};
use crate::pipeline::integrate::Flight;
use crate::pipeline::narrow_phase::{Collide, Part as CollidePart};
use crate::pipeline::report::{StepReport, StepTimes};
use crate::pipeline::rolling_resistance::Roll;
use crate::pipeline::sleep::Sleep;
use crate::pipeline::update_aabbs::Fit;
use crate::solver::soft_step::Solve;
use crate::state::bodies::{Bodies, LEAP, flag};
use crate::state::contacts::Contacts;
use crate::state::contacts::Touch;
use crate::state::definition::{BodyDef, BodyKind, ShapeDef};
use crate::state::error::WorldError;
use crate::state::events::Events;
use crate::state::id::{BodyId, JointId, NONE, ShapeId};
use crate::state::islands::{Graph, Islands};
use crate::state::joints::Joints;
use crate::state::settings::WorldDef;
use crate::state::shapes::{ShapeCold, ShapeRow, Shapes};
use access::{BodyMut, BodyRef, ShapeRef};
use prepared::PreparedBody;

/// Bodies, what they are made of, and how they meet.
pub struct World {
    pub(crate) def: WorldDef,
    pub(crate) bodies: Bodies,
    pub(crate) shapes: Shapes,
    pub(crate) contacts: Contacts,
    pub(crate) joints: Joints,
    space: Space<3>,
    pub(crate) solve: Solve,
    islands: Islands,
    sleep: Sleep,
    impact: Impact,
    collide_parts: Vec<CollidePart>,
    pool: ThreadPool,
    pub(crate) touches: Vec<Touch>,
    quarantined: Vec<u32>,
    report: StepReport,
    events: Events,
    /// Boxes were inserted, moved or removed between steps.
    pub(crate) is_space_changed: bool,
    /// Length of the last step, 0 before the first.
    last_dt: f32,
}

impl World {
    /// An empty world.
    #[must_use]
    pub fn new(def: WorldDef) -> Self {
        let space = Space::with_finder(def.broad.finder());
        let pool = ThreadPool::with_clock(def.threads, def.clock);
        Self {
            space,
            solve: Solve::new(&def),
            islands: Islands::default(),
            sleep: Sleep::default(),
            impact: Impact::default(),
            def,
            bodies: Bodies::default(),
            shapes: Shapes::default(),
            contacts: Contacts::default(),
            joints: Joints::default(),
            collide_parts: Vec::new(),
            pool,
            touches: Vec::new(),
            quarantined: Vec::new(),
            report: StepReport::default(),
            events: Events::default(),
            is_space_changed: false,
            last_dt: 0.0,
        }
    }

    /// How the world computes.
    #[must_use]
    pub fn settings(&self) -> &WorldDef {
        &self.def
    }

    /// Lanes that the solver computes side by side on this machine.
    #[must_use]
    pub fn lanes(&self) -> usize {
        self.solve.width()
    }

    /// Threads that work on a step: fewer than asked for if the system gives no more.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.pool.threads()
    }

    /// Lets so many threads work on the next steps. The results do not depend on it.
    pub fn set_threads(&mut self, threads: usize) {
        self.def.threads = threads.max(1);
        self.pool = ThreadPool::with_clock(threads, self.def.clock);
    }

    /// Changes the gravity, m/s². Everything wakes up.
    ///
    /// # Errors
    /// If a number is not finite.
    pub fn set_gravity(&mut self, gravity: Vec3) -> Result<(), WorldError> {
        if !gravity.is_finite() {
            return Err(WorldError::value("the world", "gravity", gravity, "every number must be finite"));
        }
        self.def.gravity = gravity;
        for slot in 0..self.bodies.state.len() as u32 {
            if self.bodies.state[slot as usize].has(flag::DYNAMIC) {
                self.bodies.set_awake(slot, true);
            }
        }
        Ok(())
    }

    /// Number of bodies.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bodies.cold.len()
    }

    /// True if there is no body.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Ids of all bodies, in the order of their slots.
    pub fn body_ids(&self) -> impl Iterator<Item = BodyId> + '_ {
        self.bodies.cold.iter().map(|(id, _)| id)
    }

    /// Inserts a body with its shapes.
    ///
    /// # Errors
    /// If a number is not finite, or a dynamic body would have no mass. Nothing is inserted then.
    pub fn add_body(
        &mut self,
        def: impl Borrow<BodyDef>,
        shapes: impl IntoIterator<Item = ShapeDef>,
    ) -> Result<BodyId, WorldError> {
        Ok(self.add_prepared(&PreparedBody::new(def, shapes)?))
    }

    /// Removes a body with its shapes and joints. Bodies that touched it or were joined to it wake up.
    ///
    /// # Errors
    /// If the id is stale.
    pub fn remove_body(&mut self, id: BodyId) -> Result<(), WorldError> {
        let slot = self.bodies.cold.slot_of(id).ok_or_else(|| WorldError::stale(id))?;
        while let Some(joint) = self.first_joint(slot) {
            self.remove_joint(joint)?;
        }
        let first = self.bodies.cold.get(slot).map_or(NONE, |cold| cold.first_shape);
        let chain: Vec<u32> = self.shapes.chain(first).collect();
        for shape in chain {
            self.drop_shape(shape);
        }
        self.bodies.remove(id);
        self.is_space_changed = true;
        Ok(())
    }

    fn first_joint(&self, body: u32) -> Option<JointId> {
        self.joints.cold.id_of(self.bodies.cold.get(body)?.first_joint)
    }

    /// Looks at a body.
    ///
    /// # Errors
    /// If the id is stale.
    pub fn body(&self, id: BodyId) -> Result<BodyRef<'_>, WorldError> {
        let slot = self.bodies.cold.slot_of(id).ok_or_else(|| WorldError::stale(id))?;
        Ok(BodyRef { world: self, slot })
    }

    /// Changes a body.
    ///
    /// # Errors
    /// If the id is stale.
    pub fn body_mut(&mut self, id: BodyId) -> Result<BodyMut<'_>, WorldError> {
        let slot = self.bodies.cold.slot_of(id).ok_or_else(|| WorldError::stale(id))?;
        Ok(BodyMut { world: self, id, slot })
    }

    /// Looks at a shape.
    ///
    /// # Errors
    /// If the id is stale.
    pub fn shape(&self, id: ShapeId) -> Result<ShapeRef<'_>, WorldError> {
        let slot = self.shapes.cold.slot_of(id).ok_or_else(|| WorldError::stale(id))?;
        Ok(ShapeRef { world: self, slot })
    }

    /// What the last step did.
    #[must_use]
    pub fn report(&self) -> &StepReport {
        &self.report
    }

    /// What happened in the last step; empty if [`WorldDef::events`] is off.
    #[must_use]
    pub fn events(&self) -> &Events {
        &self.events
    }

    /// A fingerprint of places and velocities: equal for equal histories, on every machine, for every width of lanes.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        let mut hasher = StateHasher::default();
        for (id, _) in self.bodies.cold.iter::<BodyId>() {
            let motion = &self.bodies.motion[id.index()];
            for coordinate in motion.position.to_array() {
                let bits = coordinate.to_bits();
                hasher.write_u32(bits as u32);
                hasher.write_u32((bits >> 32) as u32);
            }
            hasher.write(motion.rotation.to_xyzw());
            hasher.write(motion.velocity.to_array());
            hasher.write(motion.spin.to_array());
        }
        hasher.finish()
    }

    /// Pairs of shapes that touched in the last step, in a fixed order.
    pub fn touching_shapes(&self) -> impl Iterator<Item = [ShapeId; 2]> + '_ {
        let touching = self.contacts.slots().filter(|slot| self.contacts.heads[*slot as usize].is_touching);
        touching.filter_map(|slot| {
            let [a, b] = self.contacts.heads[slot as usize].shapes;
            Some([self.shapes.cold.id_of(a)?, self.shapes.cold.id_of(b)?])
        })
    }

    /// Moves the world on by `dt` seconds.
    ///
    /// # Errors
    /// If `dt` is no number above 0 and at most 1; nothing happens then.
    pub fn step(&mut self, dt: f32) -> Result<&StepReport, WorldError> {
        if !(dt > 0.0 && dt <= 1.0) {
            return Err(WorldError::TimeStep { dt });
        }
        let mut laps = Stopwatch::start(self.def.clock);
        let mut times = StepTimes::default();
        self.wake_neighbours_of_moved();
        self.bodies.refresh_awake();
        self.quarantined.clear();
        self.events.start();
        if dt > self.last_dt {
            self.bodies.forget_paths();
        }
        self.last_dt = dt;
        let gain = self.def.gravity.length() * dt;
        let fit = Fit { dt, margin: self.def.margin, gain };
        // Positions are finite and near, so their boxes are valid.
        let moved =
            fit.run(&mut self.bodies, &self.shapes, &mut self.space, &mut self.quarantined).unwrap_or(0);
        times.fit = laps.lap();
        if moved > 0 || self.is_space_changed {
            self.space.update_with(&mut self.pool);
            self.contacts.follow(&self.space, &self.shapes, &self.bodies, &self.joints);
            self.is_space_changed = false;
            self.events.take_ended(&mut self.contacts, &self.bodies, &self.shapes, true);
        }
        times.broad = laps.lap();
        let collide = Collide { dt, margin: self.def.margin, slop: self.def.slop, method: self.def.narrow };
        let collided = collide.run(
            &self.bodies,
            &self.shapes,
            &mut self.contacts,
            &mut self.collide_parts,
            &mut self.touches,
            &mut self.pool,
        );
        let graph = Graph { touches: &self.touches, joints: &self.joints };
        let woken = Sleep::wake(graph, &mut self.bodies);
        if self.def.events {
            self.events.notice(&self.touches, &mut self.contacts, &self.bodies, &self.shapes);
        }
        times.narrow = laps.lap();
        let graph = Graph { touches: &self.touches, joints: &self.joints };
        self.islands.update(graph, &self.bodies);
        self.impact.remember(&self.bodies);
        let roll = Roll { dt, last: self.solve.last() };
        roll.run(&self.touches, &self.contacts, &self.shapes, &mut self.bodies);
        let solved = self.solve.run(
            &self.def,
            dt,
            &self.touches,
            &self.islands,
            &mut self.bodies,
            &self.shapes,
            &mut self.contacts,
            &mut self.joints,
            &mut self.quarantined,
            &mut self.pool,
        );
        self.break_joints();
        times.solve = laps.lap();
        Flight { dt, gravity: self.def.gravity }.run(&mut self.bodies, &mut self.quarantined, &mut self.pool);
        self.solve.release(&mut self.bodies);
        times.flight = laps.lap();
        let stopped = self.stop_fast(&fit);
        self.settle_quarantined();
        let mut fell_asleep = 0;
        if self.def.can_sleep {
            let graph = Graph { touches: &self.touches, joints: &self.joints };
            fell_asleep = self.sleep.run(&self.def, dt, graph, &mut self.islands, &mut self.bodies);
        }
        times.sleep = laps.lap();
        if self.def.events {
            let (hit_speed, slop) = (self.def.hit_speed, self.def.slop);
            self.events.settle(dt, hit_speed, slop, &mut self.contacts, &self.bodies, &self.shapes);
            self.events.finish(&mut self.bodies);
        }
        self.bodies.changes.clear();
        times.shared = self.pool.take_parallel_time();
        let report = &mut self.report;
        report.awake = self.bodies.awake.len() as u32;
        report.boxes_moved = moved as u32;
        report.pairs = self.space.pairs().len() as u32;
        report.contacts = collided.tested;
        report.recycled = collided.recycled;
        report.touching = self.touches.len() as u32;
        report.constrained = solved.rows;
        report.colours = solved.colours;
        report.crowded = solved.crowded;
        report.stiff = solved.stiff;
        report.woken = woken;
        report.fell_asleep = fell_asleep;
        report.swept = self.impact.swept();
        report.stopped = stopped;
        report.times = times;
        report.quarantined.clear();
        report
            .quarantined
            .extend(self.quarantined.iter().filter_map(|slot| self.bodies.cold.id_of::<BodyId>(*slot)));
        Ok(&self.report)
    }

    /// Puts fast bodies back that went through something; returns how many. Queries between steps rely on boxes that contain their shapes,
    /// and so do bullets: boxes that were left are made anew.
    fn stop_fast(&mut self, fit: &Fit) -> u32 {
        let Self { bodies, shapes, joints, space, impact, .. } = self;
        let slop = self.def.slop;
        let mut stopped = impact.stop(bodies, Course { shapes, joints, space, slop });
        let mut moved = fit.catch_up(bodies, shapes, space).unwrap_or(0);
        if impact.swept() > 0 {
            let met = impact.stop_bullets(bodies, Course { shapes, joints, space, slop });
            if met > 0 {
                moved += fit.catch_up(bodies, shapes, space).unwrap_or(0);
            }
            stopped += met;
        }
        self.is_space_changed |= moved > 0;
        stopped
    }

    pub(crate) fn insert_shape(&mut self, body: u32, row: ShapeRow, shape: ShapeCold) -> ShapeId {
        let Some(cold) = self.bodies.cold.get_mut(body) else {
            return ShapeId { slot: NONE, generation: 0 };
        };
        let place = cold.frame * shape.user_place;
        let id = self.shapes.insert(body, row, shape, cold.first_shape);
        cold.first_shape = id.slot;
        let is_static = cold.kind == BodyKind::Static;
        let row = &mut self.shapes.rows[id.index()];
        row.set_place(place);
        let reach = row.bounded_reach();
        let aabb = row.tight_box(&self.bodies.motion[body as usize]).grown(0.5 * self.def.margin);
        let filter = self.shapes.filter(id.slot, is_static);
        if let Ok(proxy) = self.space.insert_filtered(aabb, filter) {
            self.shapes.set_proxy(id.slot, proxy);
        }
        let state = &mut self.bodies.state[body as usize];
        if reach > state.extent {
            state.extent = reach;
        }
        let row = &self.shapes.rows[id.index()];
        if row.thinness() < state.thinness() && !row.is_sensor {
            state.set_thinness(row.thinness());
        }
        self.is_space_changed = true;
        id
    }

    /// The boxes of a body that was inserted or moved by hand are made anew: those of a path it is no longer on are of no use.
    pub(crate) fn settle_body(&mut self, slot: u32) {
        let state = &mut self.bodies.state[slot as usize];
        state.steps_left = 0;
        self.bodies.journeys[slot as usize].travel += LEAP;
        if !self.bodies.drive[slot as usize].is_plain() {
            state.flags |= flag::DRIVEN;
        }
        let first = self.bodies.cold.get(slot).map_or(NONE, |cold| cold.first_shape);
        let motion = &self.bodies.motion[slot as usize];
        for shape in self.shapes.chain(first) {
            let row = &self.shapes.rows[shape as usize];
            let _ = self.space.set_box(row.proxy, &row.tight_box(motion).grown(0.5 * self.def.margin));
        }
        self.is_space_changed = true;
    }
}
