//! A manifold that takes part in a step.

use carom_narrowphase::Manifold;
use glam::Vec3;

use crate::state::bodies::{BodyState, flag};
use crate::state::shapes::ShapeRow;

use super::ContactInfo;

/// A flag that is set and read within one step, and not stored.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StepFlag(pub(crate) bool);

/// Parts along a surface below this share of a velocity are rounding.
const ROUNDING: f32 = 1e-5;

/// A manifold to be solved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ActiveManifold {
    /// Slot of the contact.
    pub(crate) contact: u32,
    /// Which of its manifolds, for composites.
    pub(crate) part: u16,
    /// Number of points.
    pub(crate) points: u16,
    /// Slots of the bodies.
    pub(crate) bodies: [u32; 2],
    /// Coulomb's coefficient.
    pub(crate) friction: f32,
    /// Share of the approaching speed given back.
    pub(crate) restitution: f32,
    /// Lever arms against rolling and spinning, metres.
    pub(crate) rolling: [f32; 2],
    /// Velocity of the second surface against the first along the contact, m/s, besides that of
    /// the bodies.
    pub(crate) surface_velocity: Vec3,
    /// A bit for each point that is not solved.
    pub(crate) disabled_points: u8,
    /// Level of the substeps that its impulses are of.
    pub(crate) level: u8,
    /// Do they touch, or will they within the step at their velocities? Then the awake wakes the
    /// sleeping.
    pub(crate) wakes: bool,
    /// Do they touch, and were users told so? Then events have nothing to look at.
    pub(crate) is_known: StepFlag,
    /// Is one of the bodies kinematic, or has the contact a surface velocity?
    pub(crate) is_driven: bool,
    /// Is the contact one of several parts?
    pub(crate) has_parts: bool,
    /// Are the frames of the shapes those of their bodies?
    pub(crate) is_centred: [bool; 2],
    /// Have their bodies other shapes?
    pub(crate) has_siblings: [bool; 2],
}

impl ActiveManifold {
    /// Bits of all points.
    pub(crate) const ALL_POINTS: u8 = (1 << Manifold::CAPACITY) - 1;

    /// Is a point solved?
    #[inline]
    pub(crate) fn is_enabled(&self, point: usize) -> bool {
        self.disabled_points >> point & 1 == 0
    }

    /// Is no point solved?
    pub(crate) fn is_disabled(&self) -> bool {
        (0..usize::from(self.points)).all(|point| !self.is_enabled(point))
    }

    /// Drives the contact by the velocity of the second surface against the first.
    pub(crate) fn drive(&mut self, velocity: Vec3, normal: Vec3) {
        let along = velocity - normal * normal.dot(velocity);
        if along.length_squared() > ROUNDING * ROUNDING * velocity.length_squared() {
            self.surface_velocity = along;
            self.is_driven = true;
        } else {
            self.surface_velocity = Vec3::ZERO;
        }
    }

    /// Of a contact, without points.
    #[inline]
    pub(crate) fn of(slot: u32, info: &ContactInfo, states: [&BodyState; 2], rows: [&ShapeRow; 2]) -> Self {
        Self {
            contact: slot,
            part: 0,
            points: 0,
            bodies: info.bodies,
            friction: info.friction,
            restitution: info.restitution,
            rolling: [0.0; 2],
            surface_velocity: Vec3::ZERO,
            disabled_points: 0,
            level: info.level,
            wakes: false,
            is_known: StepFlag(false),
            is_driven: states.iter().any(|state| state.has(flag::KINEMATIC)),
            has_parts: info.is_composite,
            is_centred: rows.map(|row| row.is_centred),
            has_siblings: rows.map(|row| row.has_siblings),
        }
    }
}
