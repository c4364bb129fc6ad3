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
//! | [`joint_access`] | making, reading and removing joints |
//! | [`joint_edit`] | changing joints |
//! | [`joint_error`] | how far joints are from where they should be |
//! | [`access`] | reading bodies and shapes |
//! | [`body_edit`] | moving bodies by hand: places, velocities, forces, impulses, sleep |
//! | [`body_settings`] | changing what a body was defined by |
//! | [`iterate`] | going through everything |
//! | [`bulk`] | poses and velocities of many bodies as arrays |
//! | [`fixed_step`] | steps of one length for frames of any length |
//! | [`prepared`] | bodies checked before a world sees them |
//! | [`shape_edit`] | shapes that come, go and change |
//! | [`contact_view`] | reading contacts and their forces |
//! | [`debug_draw`] | drawings for whoever looks for mistakes |
//! | [`hooks`] | functions of the user that decide about collisions and contacts |
//! | [`snapshot`] | the state of a world, to go back to |
//! | [`validate`] | invariants, checked |
//! | [`queries`] | rays, casts, overlaps, nearest shapes |
//! | `step` | the step, stage by stage |

pub mod access;
pub mod body_edit;
pub mod body_settings;
pub mod bulk;
mod check;
pub mod contact_view;
pub mod debug_draw;
pub mod fixed_step;
pub mod hooks;
pub mod iterate;
pub mod joint_access;
pub mod joint_edit;
pub mod joint_error;
pub mod prepared;
pub mod queries;
pub mod shape_edit;
pub mod snapshot;
mod step;
pub mod validate;

use std::borrow::Borrow;

use carom_broadphase::Space;
use carom_core::state_hash::StateHasher;
use carom_core::threads::ThreadPool;
use glam::Vec3;

use crate::pipeline::Pipeline;
use crate::pipeline::report::StepReport;
use crate::state::bodies::flag;
use crate::state::definition::{BodyDef, ShapeDef};
use crate::state::error::WorldError;
use crate::state::events::Events;
use crate::state::hooks::Hooks;
use crate::state::id::{BodyId, JointId, ShapeId};
use crate::state::settings::WorldDef;
use crate::state::world_state::WorldState;
use access::{BodyRef, ShapeRef};
use body_edit::BodyMut;
use prepared::PreparedBody;

/// Bodies, what they are made of, and how they meet.
pub struct World {
    def: WorldDef,
    pub(crate) state: WorldState,
    pipeline: Pipeline,
    pool: ThreadPool,
    report: StepReport,
    hooks: Hooks,
}

impl World {
    /// An empty world.
    #[must_use]
    pub fn new(def: WorldDef) -> Self {
        let mut space = Space::with_broad_phase(def.broad.broad_phase());
        space.set_max_pairs(def.max_pairs);
        let pool = ThreadPool::with_clock(def.threads, def.clock);
        Self {
            state: WorldState::new(space),
            pipeline: Pipeline::new(&def),
            def,
            pool,
            report: StepReport::default(),
            hooks: Hooks::default(),
        }
    }

    /// How the world computes.
    #[must_use]
    pub fn settings(&self) -> &WorldDef {
        &self.def
    }

    /// SIMD width of the solver on this machine.
    #[must_use]
    pub fn simd_width(&self) -> usize {
        self.pipeline.solver.simd_width()
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
        for slot in 0..self.state.bodies.state.len() as u32 {
            if self.state.bodies.state[slot as usize].has(flag::DYNAMIC) {
                self.state.bodies.set_awake(slot, true);
            }
        }
        Ok(())
    }

    /// Number of bodies.
    #[must_use]
    pub fn len(&self) -> usize {
        self.state.bodies.cold.len()
    }

    /// True if there is no body.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Ids of all bodies, in the order of their slots.
    pub fn body_ids(&self) -> impl Iterator<Item = BodyId> + '_ {
        self.state.bodies.cold.iter().map(|(id, _)| id)
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

    /// Removes a body with its shapes and joints. Bodies that touched it or were joined to it wake
    /// up.
    ///
    /// # Errors
    /// If the id is stale.
    pub fn remove_body(&mut self, id: BodyId) -> Result<(), WorldError> {
        let slot = self.state.bodies.cold.slot_of(id).ok_or_else(|| WorldError::stale(id))?;
        while let Some(joint) = self.first_joint(slot) {
            self.remove_joint(joint)?;
        }
        let first = self.state.bodies.first_shapes[slot as usize];
        let chain: Vec<u32> = self.state.shapes.chain(first).collect();
        for shape in chain {
            self.state.drop_shape(shape);
        }
        self.state.bodies.remove(id);
        self.state.is_space_changed = true;
        Ok(())
    }

    fn first_joint(&self, body: u32) -> Option<JointId> {
        self.state.joints.cold.id_of(self.state.bodies.cold.get(body)?.first_joint)
    }

    /// Looks at a body.
    ///
    /// # Errors
    /// If the id is stale.
    pub fn body(&self, id: BodyId) -> Result<BodyRef<'_>, WorldError> {
        let slot = self.state.bodies.cold.slot_of(id).ok_or_else(|| WorldError::stale(id))?;
        Ok(BodyRef { world: self, id, slot })
    }

    /// Changes a body.
    ///
    /// # Errors
    /// If the id is stale.
    pub fn body_mut(&mut self, id: BodyId) -> Result<BodyMut<'_>, WorldError> {
        let slot = self.state.bodies.cold.slot_of(id).ok_or_else(|| WorldError::stale(id))?;
        Ok(BodyMut { world: self, id, slot })
    }

    /// Looks at a shape.
    ///
    /// # Errors
    /// If the id is stale.
    pub fn shape(&self, id: ShapeId) -> Result<ShapeRef<'_>, WorldError> {
        let slot = self.state.shapes.cold.slot_of(id).ok_or_else(|| WorldError::stale(id))?;
        Ok(ShapeRef { world: self, id, slot })
    }

    /// What the last step did.
    #[must_use]
    pub fn report(&self) -> &StepReport {
        &self.report
    }

    /// What happened in the last step; empty if [`WorldDef::events`] is off.
    #[must_use]
    pub fn events(&self) -> &Events {
        &self.state.events
    }

    /// A fingerprint of places and velocities: equal for equal histories, on every machine, for
    /// every width of lanes.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        let mut hasher = StateHasher::default();
        for (id, _) in self.state.bodies.cold.iter::<BodyId>() {
            let motion = &self.state.bodies.motion[id.index()];
            for coordinate in motion.position.to_array() {
                let bits = coordinate.to_bits();
                hasher.write_u32(bits as u32);
                hasher.write_u32((bits >> 32) as u32);
            }
            hasher.write(motion.rotation.to_xyzw());
            hasher.write(motion.velocity.to_array());
            hasher.write(motion.angular_velocity.to_array());
        }
        hasher.finish()
    }

    /// Pairs of shapes that touched in the last step, in a fixed order.
    pub fn touching_shapes(&self) -> impl Iterator<Item = [ShapeId; 2]> + '_ {
        let touching =
            self.state.contacts.slots().filter(|slot| self.state.contacts.infos[*slot as usize].is_touching);
        touching.filter_map(|slot| {
            let [a, b] = self.state.contacts.infos[slot as usize].shapes;
            Some([self.state.shapes.cold.id_of(a)?, self.state.shapes.cold.id_of(b)?])
        })
    }
}
