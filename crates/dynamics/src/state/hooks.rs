//! Functions of the user that a step calls.
//!
//! They are called by the calling thread, one at a time, in the order of pairs, which depends on
//! who overlaps and on nothing else: results stay the same for any number of threads. A function
//! that decides by what it is shown, and by data that does not change within a step, keeps the
//! world deterministic. Hooks are no part of snapshots, as functions are not data.

use std::sync::Arc;

use carom_narrowphase::manifold::ManifoldPoint;
use glam::{DVec3, Vec3};

use super::bodies::Bodies;
use super::contact_modifier::ContactModifier;
use super::definition::{BodyKind, Layers};
use super::events::pair_of;
use super::id::{BodyId, ShapeId};
use super::shapes::Shapes;
use crate::state::motion::Motion;

/// Decides whether two shapes collide.
pub(crate) type PairFilter = Arc<dyn Fn(&ShapePair<'_>) -> bool + Send + Sync>;
/// Changes a contact before it is solved.
pub(crate) type ModifyContact = Arc<dyn Fn(&mut ContactModifier<'_>) + Send + Sync>;

/// The hooks of a world.
#[derive(Clone, Default)]
pub(crate) struct Hooks {
    pub(crate) pair_filter: Option<PairFilter>,
    pub(crate) modify_contact: Option<ModifyContact>,
}

/// Two shapes, shown to a hook.
#[derive(Clone, Copy)]
pub struct ShapePair<'a> {
    bodies: &'a Bodies,
    world_shapes: &'a Shapes,
    /// Where the bodies are: in the middle of a step not where the world has them.
    motions: [&'a Motion; 2],
    slots: [u32; 2],
    shape_ids: [ShapeId; 2],
    body_ids: [BodyId; 2],
}

impl<'a> ShapePair<'a> {
    /// Of shapes that are there.
    pub(crate) fn new(slots: [u32; 2], bodies: &'a Bodies, shapes: &'a Shapes) -> Option<Self> {
        let motions = slots.map(|slot| &bodies.motion[shapes.rows[slot as usize].body as usize]);
        Self::at(motions, slots, bodies, shapes)
    }

    /// Of shapes that are there, with their bodies somewhere else.
    pub(crate) fn at(
        motions: [&'a Motion; 2],
        slots: [u32; 2],
        bodies: &'a Bodies,
        shapes: &'a Shapes,
    ) -> Option<Self> {
        let ids = pair_of(slots, bodies, shapes)?;
        let (shape_ids, body_ids) = (ids.shapes, ids.bodies);
        Some(Self { bodies, world_shapes: shapes, motions, slots, shape_ids, body_ids })
    }

    fn body_slots(&self) -> [u32; 2] {
        self.slots.map(|slot| self.world_shapes.rows[slot as usize].body)
    }

    /// The shapes.
    #[must_use]
    pub fn shapes(&self) -> [ShapeId; 2] {
        self.shape_ids
    }

    /// Their bodies.
    #[must_use]
    pub fn bodies(&self) -> [BodyId; 2] {
        self.body_ids
    }

    /// How the bodies take part.
    #[must_use]
    pub fn body_kinds(&self) -> [BodyKind; 2] {
        self.body_slots().map(|slot| self.bodies.cold.get(slot).map(|cold| cold.kind).unwrap_or_default())
    }

    /// User data of the shapes.
    #[must_use]
    pub fn user_data(&self) -> [u64; 2] {
        self.slots.map(|slot| self.world_shapes.cold.get(slot).map_or(0, |cold| cold.user_data))
    }

    /// User data of the bodies.
    #[must_use]
    pub fn body_user_data(&self) -> [u64; 2] {
        self.body_slots().map(|slot| self.bodies.cold.get(slot).map_or(0, |cold| cold.user_data))
    }

    /// Layers of the shapes.
    #[must_use]
    pub fn layers(&self) -> [Layers; 2] {
        self.slots.map(|slot| self.world_shapes.cold.get(slot).map(|cold| cold.layers).unwrap_or_default())
    }

    /// Are the shapes sensors?
    #[must_use]
    pub fn are_sensors(&self) -> [bool; 2] {
        self.slots.map(|slot| self.world_shapes.rows[slot as usize].is_sensor)
    }

    /// Centres of mass of the bodies.
    #[must_use]
    pub fn centres_of_mass(&self) -> [DVec3; 2] {
        self.motions.map(|motion| motion.position)
    }

    /// Velocities of the centres of mass, m/s.
    #[must_use]
    pub fn velocities(&self) -> [Vec3; 2] {
        self.motions.map(|motion| motion.velocity)
    }

    /// Angular velocities, rad/s.
    #[must_use]
    pub fn angular_velocities(&self) -> [Vec3; 2] {
        self.motions.map(|motion| motion.angular_velocity)
    }

    /// Velocity of the second body against the first at a place, m/s.
    #[must_use]
    pub fn relative_velocity_at(&self, place: DVec3) -> Vec3 {
        let [a, b] = self.motions.map(|motion| {
            motion.velocity + motion.angular_velocity.cross((place - motion.position).as_vec3())
        });
        b - a
    }

    /// World coordinates of a point of a shape.
    pub(crate) fn lifted(&self, side: usize, point: Vec3) -> DVec3 {
        let row = &self.world_shapes.rows[self.slots[side] as usize];
        let motion = self.motions[side];
        motion.position + motion.rotation.rotate(row.local_pose.apply(point)).as_dvec3()
    }

    /// World coordinates half-way between the surfaces at a point of a manifold.
    pub(crate) fn midpoint(&self, point: &ManifoldPoint) -> DVec3 {
        (self.lifted(0, point.on_a) + self.lifted(1, point.on_b)) * 0.5
    }

    /// World axes of a direction of a shape.
    pub(crate) fn turned(&self, side: usize, direction: Vec3) -> Vec3 {
        let row = &self.world_shapes.rows[self.slots[side] as usize];
        self.motions[side].rotation.rotate(row.local_pose.rotation.rotate(direction))
    }
}
