//! Joints as bytes. Whether a kind makes sense is asked of whoever takes it from users.

use carom_geometry::bytes::{BytesReadError, Reader, Stored, Writer};
use carom_geometry::{Pose, stored};
use glam::Vec3;

use super::super::id::{BodyId, JointId, NONE, Slots};
use super::super::joint_def::check::check_kind;
use super::super::joint_def::{Axis, JointKind, Motor, Spring, SpringLaw};
use super::{JointBreak, JointCold, JointRow, Joints, Load};
use crate::state::impulses::{BOUNDS, HOLDS, JointClass, JointImpulses};
use crate::state::joint_def::check::class_of;

stored!(Load { force: Vec3, torque: Vec3 });
stored!(JointImpulses { hold: [f32; HOLDS], bound: [f32; BOUNDS] });
stored!(Spring { law: SpringLaw, rest: f32 });
stored!(JointBreak { joint: JointId, bodies: [BodyId; 2], force: Vec3, torque: Vec3, user_data: u64 });

impl Stored for JointCold {
    const LEAST: usize = 2 * Pose::LEAST + 26;

    fn put(&self, out: &mut Writer) {
        self.frames.put(out);
        self.collides.put(out);
        out.unbounded(self.break_force);
        out.unbounded(self.break_torque);
        self.is_enabled.put(out);
        self.user_data.put(out);
        self.next.put(out);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, BytesReadError> {
        Ok(Self {
            frames: from.field("frames")?,
            collides: from.field("collides")?,
            break_force: from.number("break_force", 0.0, f32::INFINITY)?,
            break_torque: from.number("break_torque", 0.0, f32::INFINITY)?,
            is_enabled: from.field("is_enabled")?,
            user_data: from.field("user_data")?,
            next: from.field("next")?,
        })
    }
}

/// All but the class, which goes by the kind.
impl Stored for JointRow {
    const LEAST: usize = 2 * Pose::LEAST + 19;

    fn put(&self, out: &mut Writer) {
        self.bodies.put(out);
        self.frames.put(out);
        self.is_there.put(out);
        self.angle.put(out);
        self.upper.put(out);
        self.level.put(out);
        self.is_breakable.put(out);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, BytesReadError> {
        Ok(Self {
            bodies: from.field("bodies")?,
            frames: from.field("frames")?,
            class: JointClass::Any,
            is_there: from.field("is_there")?,
            angle: from.field("angle")?,
            upper: take_upper(from)?,
            level: from.field("level")?,
            is_breakable: from.field("is_breakable")?,
        })
    }
}

/// One bit for each row that bounds.
fn take_upper(from: &mut Reader<'_>) -> Result<u32, BytesReadError> {
    let start = from.at();
    let upper: u32 = from.field("upper")?;
    if upper >> BOUNDS == 0 {
        return Ok(upper);
    }
    Err(BytesReadError::of(start, upper, "it names rows that no joint has").inside("upper"))
}

impl Stored for SpringLaw {
    const LEAST: usize = 9;

    fn put(&self, out: &mut Writer) {
        match *self {
            Self::Tuned { hertz, damping_ratio } => (0u8, [hertz, damping_ratio]).put(out),
            Self::Hooke { stiffness, damping } => (1u8, [stiffness, damping]).put(out),
        }
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, BytesReadError> {
        let kind = from.kind(2)?;
        let [strength, damping] = from.field("spring")?;
        Ok(if kind == 0 {
            Self::Tuned { hertz: strength, damping_ratio: damping }
        } else {
            Self::Hooke { stiffness: strength, damping }
        })
    }
}

impl Stored for Motor {
    const LEAST: usize = 20;

    fn put(&self, out: &mut Writer) {
        [self.speed, self.position, self.stiffness, self.damping].put(out);
        out.unbounded(self.max);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, BytesReadError> {
        let [speed, position, stiffness, damping] = from.field("motor")?;
        Ok(Self { speed, max: from.number("max", 0.0, f32::INFINITY)?, position, stiffness, damping })
    }
}

/// A range, of which both ends may be infinite.
fn put_range(range: [f32; 2], out: &mut Writer) {
    range.into_iter().for_each(|end| out.unbounded(end));
}

fn take_range(from: &mut Reader<'_>) -> Result<[f32; 2], BytesReadError> {
    let mut end = || from.number("range", f32::NEG_INFINITY, f32::INFINITY);
    Ok([end()?, end()?])
}

fn put_some_range(range: Option<[f32; 2]>, out: &mut Writer) {
    range.is_some().put(out);
    range.into_iter().for_each(|range| put_range(range, out));
}

fn take_some_range(from: &mut Reader<'_>) -> Result<Option<[f32; 2]>, BytesReadError> {
    if from.field("range")? { take_range(from).map(Some) } else { Ok(None) }
}

impl Stored for Axis {
    const LEAST: usize = 4;

    fn put(&self, out: &mut Writer) {
        self.is_locked.put(out);
        put_some_range(self.range, out);
        self.motor.put(out);
        self.spring.put(out);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, BytesReadError> {
        Ok(Self {
            is_locked: from.field("is_locked")?,
            range: take_some_range(from)?,
            motor: from.field("motor")?,
            spring: from.field("spring")?,
        })
    }
}

impl Stored for JointKind {
    const LEAST: usize = 2;

    fn put(&self, out: &mut Writer) {
        match *self {
            Self::Distance { range, spring } => {
                0u8.put(out);
                put_range(range, out);
                spring.put(out);
            }
            Self::Ball { cone, twist, friction, spring } => {
                (1u8, cone).put(out);
                put_some_range(twist, out);
                (friction, spring).put(out);
            }
            Self::Hinge(axis) => (2u8, axis).put(out),
            Self::Slider(axis) => (3u8, axis).put(out),
            Self::Fixed { spring } => (4u8, spring).put(out),
            Self::Universal(axes) => (5u8, axes).put(out),
            Self::Wheel { suspension, steering, spin } => (6u8, [suspension, steering, spin]).put(out),
            Self::SixAxis { linear, angular } => (7u8, (linear, angular)).put(out),
        }
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, BytesReadError> {
        let kind = match from.kind(8)? {
            0 => Self::Distance { range: take_range(from)?, spring: from.field("spring")? },
            1 => Self::Ball {
                cone: from.field("cone")?,
                twist: take_some_range(from)?,
                friction: from.field("friction")?,
                spring: from.field("spring")?,
            },
            2 => Self::Hinge(from.field("hinge")?),
            3 => Self::Slider(from.field("slider")?),
            4 => Self::Fixed { spring: from.field("spring")? },
            5 => Self::Universal(from.field("universal")?),
            6 => {
                let [suspension, steering, spin] = from.field("wheel")?;
                Self::Wheel { suspension, steering, spin }
            }
            _ => Self::SixAxis { linear: from.field("linear")?, angular: from.field("angular")? },
        };
        check_kind(&kind, &"a joint").map_err(|error| from.refused(error))?;
        Ok(kind)
    }
}

impl Stored for Joints {
    const LEAST: usize = Slots::<JointCold>::LEAST + 4;

    fn put(&self, out: &mut Writer) {
        self.cold.put(out);
        self.cold.put_used(&self.rows, out);
        self.cold.put_used(&self.kinds, out);
        self.cold.put_used(&self.impulses, out);
        self.cold.put_used(&self.loads, out);
        self.breaks.put(out);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, BytesReadError> {
        let cold: Slots<JointCold> = from.field("cold")?;
        let gone = || JointRow {
            bodies: [NONE; 2],
            frames: [Pose::IDENTITY; 2],
            class: JointClass::Any,
            is_there: false,
            angle: 0.0,
            upper: 0,
            level: 0,
            is_breakable: false,
        };
        let mut joints = Self {
            rows: cold.take_used("rows", gone, from)?,
            kinds: cold.take_used("kinds", || JointKind::Fixed { spring: None }, from)?,
            impulses: cold.take_used("impulses", JointImpulses::default, from)?,
            loads: cold.take_used("loads", Load::default, from)?,
            breaks: from.field("breaks")?,
            // Of a step that is over.
            overloaded: Vec::new(),
            open: Vec::new(),
            cold,
        };
        for (row, kind) in joints.rows.iter_mut().zip(&joints.kinds) {
            row.class = class_of(kind);
        }
        Ok(joints)
    }
}
