//! Where kinematic bodies are to be after the next step.
//!
//! A body with a target moves there at the velocities that take it there in the length of the step,
//! and what it carries moves along. Then it is put exactly there: velocities times time would miss
//! by a rounding, and the next target by two. The velocities stay to be read until the next step
//! begins, which stops the body unless it has another target.
//!
//! Invariant: [`Bodies::targets`] is sorted by slot, and all its bodies are kinematic.

use carom_geometry::Rotation;
use glam::{DVec3, Vec3};

use super::Bodies;

/// Where a kinematic body is to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct KinematicTarget {
    pub(crate) slot: u32,
    /// Of the centre of mass.
    pub(crate) position: DVec3,
    /// Of the principal axes.
    pub(crate) rotation: Rotation,
    /// Has it been there since the last step?
    pub(crate) is_reached: bool,
}

impl Bodies {
    /// Sends a body somewhere in the next step.
    pub(crate) fn set_target(&mut self, target: KinematicTarget) {
        match self.targets.binary_search_by_key(&target.slot, |other| other.slot) {
            Ok(at) => self.targets[at] = target,
            Err(at) => self.targets.insert(at, target),
        }
    }

    /// Where a body is to be after the next step.
    pub(crate) fn target(&self, slot: u32) -> Option<&KinematicTarget> {
        let at = self.targets.binary_search_by_key(&slot, |other| other.slot).ok()?;
        Some(&self.targets[at]).filter(|target| !target.is_reached)
    }

    /// A body moves by its velocities again.
    pub(crate) fn forget_target(&mut self, slot: u32) {
        if let Ok(at) = self.targets.binary_search_by_key(&slot, |other| other.slot) {
            self.targets.remove(at);
        }
    }

    /// Begins a step of a length: bodies with targets get the velocities that take them there,
    /// bodies that reached theirs stop.
    pub(crate) fn aim_at_targets(&mut self, dt: f32) {
        let Self { targets, motion, .. } = self;
        targets.retain(|target| {
            let motion = &mut motion[target.slot as usize];
            if target.is_reached {
                (motion.velocity, motion.angular_velocity) = (Vec3::ZERO, Vec3::ZERO);
                return false;
            }
            let rotation = target.rotation * motion.rotation.inverse();
            motion.velocity = ((target.position - motion.position) / f64::from(dt)).as_vec3();
            motion.angular_velocity = rotation.to_rotation_vector() / dt;
            true
        });
    }

    /// Puts bodies that moved towards their targets exactly there.
    pub(crate) fn reach_targets(&mut self) {
        let Self { targets, motion, state, motion_bounds, .. } = self;
        for target in targets {
            let at = target.slot as usize;
            let missed = (target.position - motion[at].position).as_vec3().length();
            let turn = (target.rotation * motion[at].rotation.inverse()).angle();
            let way = missed + turn * state[at].turn_radius();
            (motion[at].position, motion[at].rotation) = (target.position, target.rotation);
            // A body that was too fast for a step and stopped missed by more than a rounding.
            state[at].budget -= way;
            motion_bounds[at].travel += f64::from(way);
            target.is_reached = true;
        }
    }
}
