//! Bodies in arrays by slot: what every step reads apart from what hardly any step reads.

pub(crate) mod mass;
mod stored;
pub(crate) mod targets;

use carom_core::clone_fields;
use carom_geometry::mass::MassProperties;
use carom_geometry::{Pose, Rotation};
use glam::{DVec3, Vec3};

use super::definition::{BodyDef, BodyKind, LockedAxes};
use super::id::{BodyId, NONE, Slots};
use crate::state::motion::{InverseMass, Motion};
use targets::KinematicTarget;

/// What drives a body besides contacts: 64 bytes, read once per step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BodyForces {
    /// Acceleration of its own.
    pub(crate) acceleration: Vec3,
    /// Share of gravity.
    pub(crate) gravity_scale: f32,
    /// Velocity lost, 1/s.
    pub(crate) linear_damping: f32,
    /// Angular velocity lost, 1/s.
    pub(crate) angular_damping: f32,
    /// Highest speed.
    pub(crate) max_speed: f32,
    /// Highest angular speed.
    pub(crate) max_angular_speed: f32,
    /// Force of the next step.
    pub(crate) force: Vec3,
    /// Torque of the next step.
    pub(crate) torque: Vec3,
}

impl BodyForces {
    /// What accelerates the body whatever its mass: gravity, and an acceleration of its own.
    #[inline]
    pub(crate) fn acceleration_in(&self, gravity: Vec3) -> Vec3 {
        gravity * self.gravity_scale + self.acceleration
    }
}

/// Bits of [`BodyState::flags`].
pub(crate) mod flag {
    use super::BodyKind;

    /// Takes part in steps: dynamic or kinematic, and not asleep.
    pub(crate) const AWAKE: u8 = 1;
    /// Forces and contacts move it.
    pub(crate) const DYNAMIC: u8 = 2;
    /// Its velocities move it.
    pub(crate) const KINEMATIC: u8 = 4;
    /// May fall asleep.
    pub(crate) const SLEEPY: u8 = 8;
    /// Some axis is locked.
    pub(crate) const LOCKED: u8 = 16;
    /// Has damping, limits, forces: anything but gravity.
    pub(crate) const DRIVEN: u8 = 32;
    /// Was put elsewhere by hand since the last step.
    pub(crate) const MOVED: u8 = 64;
    /// Moved so far in this step that its contacts may have missed something.
    pub(crate) const FAST: u8 = 128;

    /// How a body is moved: [`DYNAMIC`], [`KINEMATIC`], or 0 if by nothing.
    pub(crate) fn of_kind(kind: BodyKind, is_enabled: bool) -> u8 {
        match kind {
            _ if !is_enabled => 0,
            BodyKind::Dynamic | BodyKind::Particle => DYNAMIC,
            BodyKind::Kinematic => KINEMATIC,
            BodyKind::Static => 0,
        }
    }
}

/// Marks boxes that are not made for a path.
pub(crate) const NO_PATH: u8 = u8::MAX;

/// What the step notes about a body: 32 bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BodyState {
    /// Velocity that its fat boxes were made for.
    pub(crate) predicted: Vec3,
    /// How far it may still stray from that prediction before a fat box might not contain it.
    pub(crate) budget: f32,
    /// Farthest point of its shapes from its centre of mass.
    pub(crate) extent: f32,
    /// Seconds at rest; [`BodyState::FAST`] if it is too fast for its mean velocity to be known.
    pub(crate) still: f32,
    /// See [`flag`].
    pub(crate) flags: u8,
    /// Steps for which the prediction was made that are left.
    pub(crate) steps_left: u8,
    /// Half the thickness of its thinnest shape: the upper half of the bits of an `f32`.
    half_thickness: u16,
    /// [`BodyState::turn_radius`] as a share of the extent, in units of [`BodyState::SHARE`].
    turn_share: u16,
    /// Steps that its fat boxes look ahead, at least one.
    pub(crate) path: u8,
    /// Pairs of its boxes, at most 255.
    pub(crate) neighbours: u8,
}

impl BodyState {
    /// Rest of a body that is far from it.
    pub(crate) const FAST: f32 = -1.0;
    /// Most steps that fat boxes look ahead.
    pub(crate) const LONGEST_PATH: u8 = 6;
    /// Units of the turn radius in the extent, and their size: a power of two, so that the whole is
    /// exact.
    const WHOLE: u16 = 1 << 15;
    const SHARE: f32 = 1.0 / Self::WHOLE as f32;
    /// So many neighbours are a crowd.
    const CROWDED: u8 = 3;

    #[inline]
    pub(crate) fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// Half the thickness of the thinnest shape, rounded down to eight bits.
    #[inline]
    pub(crate) fn half_thickness(&self) -> f32 {
        f32::from_bits(u32::from(self.half_thickness) << 16)
    }

    /// Notes half the thickness of the thinnest shape; infinite without shapes.
    pub(crate) fn set_half_thickness(&mut self, half_thickness: f32) {
        self.half_thickness = (half_thickness.to_bits() >> 16) as u16;
    }

    /// How far any point of space may come nearer to the shapes by a rotation of the body, per
    /// radian: the farthest point of the shapes without their rounding, rounded up. A ball round
    /// the centre of mass has none, a capsule half its length, a box its extent.
    #[inline]
    pub(crate) fn turn_radius(&self) -> f32 {
        self.extent * (f32::from(self.turn_share) * Self::SHARE)
    }

    /// Notes the farthest point of the shapes, and their turn radius.
    pub(crate) fn set_extent(&mut self, extent: f32, turn_radius: f32) {
        self.extent = extent;
        let share = if turn_radius < extent { turn_radius / extent } else { 1.0 };
        // Rounded up, and some for the division.
        let units = (share / Self::SHARE) as u16 + 1;
        self.turn_share = if turn_radius > 0.0 { units.min(Self::WHOLE) } else { 0 };
    }

    /// Uses up the slack of the fat boxes after a motion: what the body strayed from its predicted
    /// path.
    #[inline]
    pub(crate) fn consume_slack(
        &mut self,
        motion_bound: &mut MotionBound,
        displacement: Vec3,
        turn: f32,
        dt: f32,
    ) {
        self.budget -= (displacement - self.predicted * dt).length() + turn * self.turn_radius();
        motion_bound.travel += f64::from(displacement.length() + turn * self.turn_radius());
        if !self.is_covered(displacement.length_squared(), turn) {
            self.flags |= flag::FAST;
        }
        if self.steps_left != NO_PATH {
            self.steps_left = self.steps_left.saturating_sub(1);
        }
    }

    /// Is a motion by the root of `square` and a turn so small that contacts sought at its
    /// beginning miss nothing?
    #[inline]
    pub(crate) fn is_covered(&self, square: f32, turn: f32) -> bool {
        // A ball round its centre sweeps nothing by turning.
        let half_thickness = self.half_thickness();
        let left = half_thickness - turn * (self.extent - half_thickness);
        left > 0.0 && square <= left * left
    }

    /// Looks farther or less far ahead with the next fat boxes. Boxes along long paths are rebuilt
    /// seldom, and overlap many boxes that their bodies never meet. In dense gases of balls and
    /// capsules each step is best looked at alone (0.32 ms for 1000 bodies, 0.35 with what one
    /// step ahead and the cost of its pairs seemed to balance); where bodies have no neighbours,
    /// long paths are (0.87 ms for 10 000, 1.10 with single steps).
    #[inline]
    pub(crate) fn adapt_path(&mut self) {
        if self.neighbours >= Self::CROWDED && self.path > 1 {
            self.path -= 1;
        } else if self.neighbours == 0 && self.path < Self::LONGEST_PATH {
            self.path += 1;
        }
    }

    /// Do contacts and joints move it in this step?
    #[inline]
    pub(crate) fn is_moved(&self) -> bool {
        let wanted = flag::DYNAMIC | flag::AWAKE;
        self.flags & wanted == wanted
    }
}

/// How a slow body has moved over the last moments: a body that trembles on the spot comes to no
/// mean velocity.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct RestTrack {
    /// Displacement per time, averaged.
    pub(crate) velocity: Vec3,
    /// Rotation per time, averaged.
    pub(crate) angular_velocity: Vec3,
    /// Where it was after the last step.
    pub(crate) position: DVec3,
    /// How it was turned.
    pub(crate) rotation: Rotation,
}

/// How far a body has come, and may come: enough to know that it cannot have met anybody.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct MotionBound {
    /// At least as far as its shapes came nearer to any point of space, metres, ever.
    pub(crate) travel: f64,
    /// At least as far as they do in this step at its velocities; 0 if it sleeps.
    pub(crate) reach: f32,
    pub(crate) is_awake: bool,
}

/// Longer than anything that contacts look ahead: added to the travel of a body that was moved by
/// hand.
pub(crate) const LEAP: f64 = 1e5;

/// What hardly any step reads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cold {
    pub(crate) kind: BodyKind,
    /// The frame of the user in the frame of principal axes.
    pub(crate) frame: Pose,
    /// Mass and principal inertias, 0 if it is not dynamic.
    pub(crate) mass: f32,
    pub(crate) inertia: Vec3,
    /// What was given by hand and does not follow the shapes.
    pub(crate) own_mass: Option<MassProperties>,
    /// Is swept against everything, not only against what does not give way.
    pub(crate) is_bullet: bool,
    pub(crate) locked: LockedAxes,
    /// Takes part at all. The flags of a body that does not are those of one that never moves.
    pub(crate) is_enabled: bool,
    pub(crate) first_joint: u32,
    pub(crate) user_data: u64,
}

/// A body that fell asleep or woke.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AwakeChange {
    pub(crate) body: BodyId,
    /// Place in the order of changes.
    pub(crate) number: u32,
    pub(crate) was_awake: bool,
}

/// All bodies.
#[derive(Debug, Default)]
pub(crate) struct Bodies {
    pub(crate) cold: Slots<Cold>,
    pub(crate) motion: Vec<Motion>,
    pub(crate) mass: Vec<InverseMass>,
    pub(crate) drive: Vec<BodyForces>,
    pub(crate) state: Vec<BodyState>,
    /// Slot of the first shape of each, [`NONE`] if it has none.
    pub(crate) first_shapes: Vec<u32>,
    pub(crate) motion_bounds: Vec<MotionBound>,
    /// Known of bodies whose rest is not [`BodyState::FAST`].
    pub(crate) rest_tracks: Vec<RestTrack>,
    /// Energy that the solver took from each body lately and may give back, J.
    pub(crate) energy_reserves: Vec<f32>,
    /// Rows in the sweeps of this step, [`NONE`] between steps.
    pub(crate) rows: Vec<u32>,
    /// Slots of all that take part in steps, ascending; see [`Bodies::refresh_awake`].
    pub(crate) awake: Vec<u32>,
    awake_changed: bool,
    /// Who fell asleep or woke since the last step.
    pub(crate) changes: Vec<AwakeChange>,
    /// Slots that were put elsewhere by hand since the last step.
    pub(crate) moved: Vec<u32>,
    /// Where kinematic bodies are to be after the next step, or were to be after the last.
    pub(crate) targets: Vec<KinematicTarget>,
}

clone_fields!(Bodies {
    cold,
    motion,
    mass,
    drive,
    state,
    first_shapes,
    motion_bounds,
    rest_tracks,
    energy_reserves,
    rows,
    awake,
    awake_changed,
    changes,
    moved,
    targets,
});

impl Bodies {
    /// Inserts a body without shapes.
    pub(crate) fn insert(&mut self, def: &BodyDef) -> BodyId {
        let id: BodyId = self.cold.insert(Cold {
            kind: def.kind,
            frame: Pose::IDENTITY,
            mass: 0.0,
            inertia: Vec3::ZERO,
            own_mass: def.mass,
            is_bullet: def.is_bullet,
            locked: def.locked,
            is_enabled: def.is_enabled,
            first_joint: NONE,
            user_data: def.user_data,
        });
        let slot = id.index();
        if slot == self.motion.len() {
            self.motion.push(Motion::REST);
            self.mass.push(InverseMass::FIXED);
            self.drive.push(BodyForces::of(def));
            self.state.push(BodyState::of(def));
            self.first_shapes.push(NONE);
            self.motion_bounds.push(MotionBound::default());
            self.rest_tracks.push(RestTrack::default());
            self.energy_reserves.push(0.0);
            self.rows.push(NONE);
        }
        let moves = def.kind != BodyKind::Static;
        self.motion[slot] = Motion {
            position: def.position,
            rotation: def.rotation.normalised(),
            velocity: if moves { def.velocity } else { Vec3::ZERO },
            angular_velocity: if moves && def.kind != BodyKind::Particle {
                def.angular_velocity
            } else {
                Vec3::ZERO
            },
        };
        self.mass[slot] = InverseMass::FIXED;
        self.drive[slot] = BodyForces::of(def);
        self.state[slot] = BodyState::of(def);
        self.first_shapes[slot] = NONE;
        self.motion_bounds[slot] =
            MotionBound { is_awake: self.state[slot].has(flag::AWAKE), ..MotionBound::default() };
        self.rest_tracks[slot] = RestTrack::default();
        self.energy_reserves[slot] = 0.0;
        self.awake_changed = true;
        id
    }

    /// Removes a body; its shapes and joints are gone already.
    pub(crate) fn remove(&mut self, id: BodyId) {
        if self.cold.remove(id).is_some() {
            self.forget_target(id.slot);
            self.state[id.index()].flags = 0;
            self.awake_changed = true;
        }
    }

    /// Says that a body fell asleep or woke.
    pub(crate) fn set_awake(&mut self, slot: u32, awake: bool) {
        let state = &mut self.state[slot as usize];
        let flags = if awake { state.flags | flag::AWAKE } else { state.flags & !flag::AWAKE };
        if flags != state.flags {
            state.flags = flags;
            state.still = BodyState::FAST;
            let motion_bound = &mut self.motion_bounds[slot as usize];
            (motion_bound.is_awake, motion_bound.reach) = (awake, 0.0);
            self.awake_changed = true;
            if let Some(body) = self.cold.id_of(slot) {
                let number = self.changes.len() as u32;
                self.changes.push(AwakeChange { body, number, was_awake: !awake });
            }
        }
    }

    /// Moves a body as its kind says, or not at all if it is disabled. Bodies that nothing moves
    /// are not awake.
    pub(crate) fn renew_kind_flags(&mut self, slot: u32) {
        let Some(cold) = self.cold.get(slot) else { return };
        let moves = flag::of_kind(cold.kind, cold.is_enabled);
        if moves == 0 {
            self.set_awake(slot, false);
        }
        let state = &mut self.state[slot as usize];
        state.flags = state.flags & !(flag::DYNAMIC | flag::KINEMATIC) | moves;
        self.rest_tracks[slot as usize] = RestTrack::default();
        self.energy_reserves[slot as usize] = 0.0;
    }

    /// Does anything move a body: is it enabled, and not static?
    #[inline]
    pub(crate) fn moves(&self, slot: u32) -> bool {
        self.state[slot as usize].flags & (flag::DYNAMIC | flag::KINEMATIC) != 0
    }

    /// Notes whether anything but gravity drives a body.
    pub(crate) fn note_driven(&mut self, slot: u32) {
        if !self.drive[slot as usize].is_plain() {
            self.state[slot as usize].flags |= flag::DRIVEN;
        }
    }

    /// Rebuilds the list of the awake if it changed.
    pub(crate) fn refresh_awake(&mut self) {
        if self.awake_changed {
            self.awake_changed = false;
            self.awake.clear();
            let awake = self.state.iter().enumerate().filter(|(_, state)| state.has(flag::AWAKE));
            self.awake.extend(awake.map(|(slot, _)| slot as u32));
        }
    }

    /// A body was put elsewhere by hand.
    pub(crate) fn note_moved(&mut self, slot: u32) {
        let state = &mut self.state[slot as usize];
        if !state.has(flag::MOVED) {
            state.flags |= flag::MOVED;
            self.moved.push(slot);
        }
    }

    /// What followed from that has been done.
    pub(crate) fn forget_moved(&mut self) {
        for slot in self.moved.drain(..) {
            self.state[slot as usize].flags &= !flag::MOVED;
        }
    }

    /// Is the list of the awake up to date?
    pub(crate) fn is_awake_current(&self) -> bool {
        !self.awake_changed
    }

    /// Boxes along paths were made for steps of a certain length: in longer steps the path would be
    /// left behind.
    pub(crate) fn forget_paths(&mut self) {
        for state in &mut self.state {
            (state.steps_left, state.predicted) = (0, Vec3::ZERO);
        }
    }

    /// The frame of the user in the world.
    pub(crate) fn user_frame(&self, slot: u32) -> Option<(DVec3, Rotation)> {
        let frame = self.cold.get(slot)?.frame;
        let motion = &self.motion[slot as usize];
        let offset = motion.rotation.rotate(frame.translation);
        Some((motion.position + offset.as_dvec3(), motion.rotation * frame.rotation))
    }
}

impl BodyForces {
    fn of(def: &BodyDef) -> Self {
        Self {
            acceleration: def.acceleration,
            gravity_scale: def.gravity_scale,
            linear_damping: def.linear_damping,
            angular_damping: def.angular_damping,
            max_speed: def.max_speed,
            max_angular_speed: def.max_angular_speed,
            force: Vec3::ZERO,
            torque: Vec3::ZERO,
        }
    }

    /// Is there anything but gravity at its full strength?
    pub(crate) fn is_plain(&self) -> bool {
        self.acceleration == Vec3::ZERO
            && self.gravity_scale == 1.0
            && self.linear_damping == 0.0
            && self.angular_damping == 0.0
            && self.force == Vec3::ZERO
            && self.torque == Vec3::ZERO
    }
}

impl BodyState {
    fn of(def: &BodyDef) -> Self {
        let mut flags = flag::of_kind(def.kind, def.is_enabled);
        if flags != 0 && !def.is_asleep {
            flags |= flag::AWAKE;
        }
        if def.can_sleep {
            flags |= flag::SLEEPY;
        }
        if def.locked != LockedAxes::default() {
            flags |= flag::LOCKED;
        }
        let mut state = Self {
            predicted: Vec3::ZERO,
            budget: 0.0,
            extent: 0.0,
            still: Self::FAST,
            flags,
            steps_left: 0,
            half_thickness: 0,
            turn_share: 0,
            path: Self::LONGEST_PATH,
            neighbours: 0,
        };
        state.set_half_thickness(f32::INFINITY);
        state
    }
}
