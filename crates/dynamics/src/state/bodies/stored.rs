//! Bodies as bytes: everything of those that are there, nothing of those that were.

use carom_geometry::Pose;
use carom_geometry::Rotation;
use carom_geometry::bytes::{BytesReadError, Reader, Stored, Writer};
use carom_geometry::mass::MassProperties;
use carom_geometry::stored;
use glam::{DVec3, Vec3};

use super::super::definition::{BodyDef, BodyKind, LockedAxes};
use super::super::id::{BodyId, Slots};
use super::targets::KinematicTarget;
use super::{AwakeChange, Bodies, BodyForces, BodyState, Cold, MotionBound, RestTrack};
use crate::state::id::NONE;
use crate::state::motion::{InverseMass, Motion};

stored!(LockedAxes { translation: [bool; 3], rotation: [bool; 3] });
stored!(AwakeChange { body: BodyId, number: u32, was_awake: bool });
stored!(Motion { position: DVec3, rotation: Rotation, velocity: Vec3, angular_velocity: Vec3 });
stored!(InverseMass { root_inertia: Vec3, root_mass: f32 });
stored!(RestTrack { velocity: Vec3, angular_velocity: Vec3, position: DVec3, rotation: Rotation });
stored!(MotionBound { travel: f64, reach: f32, is_awake: bool });
stored!(KinematicTarget { slot: u32, position: DVec3, rotation: Rotation, is_reached: bool });
stored!(Cold {
    kind: BodyKind,
    frame: Pose,
    mass: f32,
    inertia: Vec3,
    own_mass: Option<MassProperties>,
    is_bullet: bool,
    locked: LockedAxes,
    is_enabled: bool,
    first_joint: u32,
    user_data: u64,
});

impl Stored for BodyKind {
    const LEAST: usize = 1;

    fn put(&self, out: &mut Writer) {
        let number: u8 = match self {
            Self::Dynamic => 0,
            Self::Kinematic => 1,
            Self::Static => 2,
            Self::Particle => 3,
        };
        number.put(out);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, BytesReadError> {
        Ok(match from.kind(4)? {
            0 => Self::Dynamic,
            1 => Self::Kinematic,
            2 => Self::Static,
            _ => Self::Particle,
        })
    }
}

impl Stored for BodyForces {
    const LEAST: usize = 56;

    fn put(&self, out: &mut Writer) {
        [self.acceleration, self.force, self.torque].put(out);
        [self.gravity_scale, self.linear_damping, self.angular_damping].put(out);
        out.unbounded(self.max_speed);
        out.unbounded(self.max_angular_speed);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, BytesReadError> {
        let [acceleration, force, torque] = from.field("forces")?;
        Ok(Self {
            acceleration,
            gravity_scale: from.field("gravity_scale")?,
            linear_damping: from.number("linear_damping", 0.0, f32::MAX)?,
            angular_damping: from.number("angular_damping", 0.0, f32::MAX)?,
            max_speed: from.number("max_speed", 0.0, f32::INFINITY)?,
            max_angular_speed: from.number("max_angular_speed", 0.0, f32::INFINITY)?,
            force,
            torque,
        })
    }
}

impl Stored for BodyState {
    const LEAST: usize = 32;

    fn put(&self, out: &mut Writer) {
        self.predicted.put(out);
        [self.budget, self.extent, self.still].put(out);
        [self.flags, self.steps_left, self.path, self.neighbours].put(out);
        [self.half_thickness, self.turn_share].put(out);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, BytesReadError> {
        let predicted = from.field("predicted")?;
        let [budget, extent, still] = from.field("lengths")?;
        let [flags, steps_left, path, neighbours]: [u8; 4] = from.field("flags")?;
        let path = path.clamp(1, Self::LONGEST_PATH);
        let start = from.at();
        let [half_thickness, turn_share]: [u16; 2] = from.field("half_thickness")?;
        let turn_share = turn_share.min(Self::WHOLE);
        let state = Self {
            predicted,
            budget,
            extent,
            still,
            flags,
            steps_left,
            half_thickness,
            turn_share,
            path,
            neighbours,
        };
        if state.half_thickness() >= 0.0 {
            Ok(state)
        } else {
            Err(BytesReadError::of(start, state.half_thickness(), "it must be a number not below 0")
                .inside("half_thickness"))
        }
    }
}

impl Stored for Bodies {
    const LEAST: usize = Slots::<Cold>::LEAST + 12;

    fn put(&self, out: &mut Writer) {
        self.cold.put(out);
        self.cold.put_used(&self.motion, out);
        self.cold.put_used(&self.mass, out);
        self.cold.put_used(&self.drive, out);
        self.cold.put_used(&self.state, out);
        self.cold.put_used(&self.first_shapes, out);
        self.cold.put_used(&self.motion_bounds, out);
        self.cold.put_used(&self.rest_tracks, out);
        self.cold.put_used(&self.energy_reserves, out);
        self.changes.put(out);
        self.moved.put(out);
        self.targets.put(out);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, BytesReadError> {
        let cold: Slots<Cold> = from.field("cold")?;
        let nobody = BodyDef::fixed();
        let mut bodies = Self {
            motion: cold.take_used("motion", || Motion::REST, from)?,
            mass: cold.take_used("mass", || InverseMass::FIXED, from)?,
            drive: cold.take_used("drive", || BodyForces::of(&nobody), from)?,
            state: cold.take_used("state", || BodyState { flags: 0, ..BodyState::of(&nobody) }, from)?,
            first_shapes: cold.take_used("first_shapes", || NONE, from)?,
            motion_bounds: cold.take_used("motion_bounds", MotionBound::default, from)?,
            rest_tracks: cold.take_used("rest_tracks", RestTrack::default, from)?,
            energy_reserves: cold.take_used("energy_reserves", f32::default, from)?,
            // Rows are of the solver, and only while it runs.
            rows: Vec::new(),
            awake: Vec::new(),
            // The list follows from the flags.
            awake_changed: true,
            changes: from.field("changes")?,
            moved: Vec::new(),
            targets: Vec::new(),
            cold,
        };
        bodies.rows.resize(bodies.state.len(), NONE);
        bodies.refresh_awake();
        let start = from.at();
        bodies.moved = from.field("moved")?;
        bodies.targets = from.field("targets")?;
        let is_missing = |slot: &u32| *slot as usize >= bodies.state.len();
        let refuse =
            |slot: u32, list| Err(BytesReadError::of(start, slot, "there is no such slot").inside(list));
        if let Some(slot) = bodies.moved.iter().copied().find(is_missing) {
            return refuse(slot, "moved");
        }
        match bodies.targets.iter().map(|target| target.slot).find(is_missing) {
            Some(slot) => refuse(slot, "targets"),
            None => Ok(bodies),
        }
    }
}
