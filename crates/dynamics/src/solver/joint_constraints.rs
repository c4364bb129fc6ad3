//! Joints as rows: what each kind holds and bounds at the beginning of a step.
//!
//! Axes are those of the first body's frame unless said otherwise. Displacements are those of the
//! second anchor from the first; they are followed exactly through the step. Angles are measured
//! here and followed by the turns about their axes.

use carom_core::trig;
use carom_geometry::Rotation;
use glam::Vec3;

use crate::solver::joint_rows::{Along, BoundSpec, JointRows, RowSpec};
use crate::solver::softness::Softness;
use crate::state::impulses::JointClass;
use crate::state::joint_def::{Axis, JointKind, Motor, Spring, SpringLaw};
use crate::state::joints::JointRow;
use crate::state::motion::Motion;

/// What the rows of all joints of a step have in common.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JointSetup {
    /// Length of the step.
    pub(crate) dt: f32,
    /// Length of a substep.
    pub(crate) h: f32,
    /// Of limits.
    pub(crate) softness: Softness,
}

const AXES: [Vec3; 3] = [Vec3::X, Vec3::Y, Vec3::Z];

/// The frames of a joint in the world.
struct Frames {
    /// Axes of the first frame.
    a: [Vec3; 3],
    /// Axes of the second frame.
    b: [Vec3; 3],
    /// From the first frame to the second.
    between: Rotation,
    /// From anchor to anchor.
    gap: Vec3,
}

impl Frames {
    fn new(joint: &JointRow, motions: [&Motion; 2]) -> Self {
        let [frame_a, frame_b] = joint.frames;
        let (a, b) = (motions[0].rotation * frame_a.rotation, motions[1].rotation * frame_b.rotation);
        let anchors = [0, 1].map(|k| motions[k].rotation.rotate(joint.frames[k].translation));
        Self {
            a: AXES.map(|axis| a.rotate(axis)),
            b: AXES.map(|axis| b.rotate(axis)),
            between: a.inverse() * b,
            gap: (motions[1].position - motions[0].position).as_vec3() + anchors[1] - anchors[0],
        }
    }

    /// The small turn that would bring the x axes together, along the axes of the first frame.
    fn misalignment(&self) -> [f32; 3] {
        let cross = self.a[0].cross(self.b[0]);
        let length = cross.length();
        // More than a right angle apart the sine grows smaller again; the error does not.
        let cross = if self.a[0].dot(self.b[0]) < 0.0 && length > 0.0 { cross / length } else { cross };
        self.a.map(|axis| cross.dot(axis))
    }
}

/// The turn about one axis of a quaternion, radians within ±π.
fn twist(along: f32, w: f32) -> f32 {
    // The quaternion and its negative are the same rotation.
    if w < 0.0 { 2.0 * trig::atan2(-along, -w) } else { 2.0 * trig::atan2(along, w) }
}

/// The angle nearest to a known one that differs from `angle` by full turns.
pub(crate) fn unwound(angle: f32, near: f32) -> f32 {
    let turns = ((near - angle) / std::f32::consts::TAU).round();
    angle + turns * std::f32::consts::TAU
}

/// The angle of a joint about its axis, within ±π; 0 if its kind has none.
pub(crate) fn angle_of(joint: &JointRow, kind: &JointKind, motions: [&Motion; 2]) -> f32 {
    if matches!(kind, JointKind::Distance { .. } | JointKind::Slider(_) | JointKind::Fixed { .. }) {
        return 0.0;
    }
    let [a, b] = [0, 1].map(|k| motions[k].rotation * joint.frames[k].rotation);
    let between = a.inverse() * b;
    twist(between.xyz.x, between.w)
}

/// The displacement of a joint along its axis: the distance of its anchors if they have a line
/// only.
pub(crate) fn displacement_of(joint: &JointRow, kind: &JointKind, motions: [&Motion; 2]) -> f32 {
    let frames = Frames::new(joint, motions);
    match kind {
        JointKind::Distance { .. } => frames.gap.length(),
        JointKind::Wheel { .. } => frames.gap.dot(frames.a[1]),
        _ => frames.gap.dot(frames.a[0]),
    }
}

impl JointSetup {
    /// The rows of a joint. Counts full turns of its angle.
    pub(crate) fn run(
        &self,
        joint: &mut JointRow,
        kind: &JointKind,
        motions: [&Motion; 2],
        rows: &mut JointRows,
    ) {
        rows.clear();
        if joint.class == JointClass::Point {
            hold_point(rows);
            return;
        }
        let frames = &Frames::new(joint, motions);
        match kind {
            JointKind::Distance { range, spring } => self.distance(*range, *spring, frames, rows),
            JointKind::Ball { cone, twist, friction, spring } => {
                hold_point(rows);
                self.ball(*cone, *twist, *friction, frames, rows);
                if let Some(spring) = spring {
                    for (axis, error) in frames.a.into_iter().zip(orientation_errors(frames)) {
                        self.spring(spring, axis, Along::Angular, error, rows);
                    }
                }
            }
            JointKind::Hinge(axis) => {
                hold_point(rows);
                hold_axis(frames, rows);
                joint.angle = unwound(twist(frames.between.xyz.x, frames.between.w), joint.angle);
                self.axis(axis, joint.angle, frames.a[0], Along::Twist, rows);
            }
            JointKind::Slider(axis) => {
                hold_line(frames, 0, rows);
                hold_orientation(frames, rows);
                self.axis(axis, frames.gap.dot(frames.a[0]), frames.a[0], Along::Linear, rows);
            }
            JointKind::Fixed { spring: None } => {
                hold_point(rows);
                hold_orientation(frames, rows);
            }
            JointKind::Fixed { spring: Some(spring) } => {
                let pulled = Axis::FREE.spring(spring.rest(0.0));
                let errors = orientation_errors(frames);
                for (k, error) in errors.into_iter().enumerate() {
                    self.axis(&pulled, frames.gap.dot(frames.a[k]), frames.a[k], Along::Linear, rows);
                    self.axis(&pulled, error, frames.a[k], Along::Angular, rows);
                }
            }
            JointKind::Universal(axes) => {
                hold_point(rows);
                // A turn of the second body about this axis brings the crossed axes together.
                let cosine = frames.a[0].dot(frames.b[1]);
                if let Some(normal) = frames.a[0].cross(frames.b[1]).try_normalize() {
                    rows.hold(normal, Along::Angular, -cosine);
                }
                let q = frames.between;
                joint.angle = unwound(twist(q.xyz.x, q.w), joint.angle);
                self.axis(&axes[0], joint.angle, frames.a[0], Along::Angular, rows);
                self.axis(&axes[1], twist(q.xyz.y, q.w), frames.b[1], Along::Angular, rows);
            }
            JointKind::Wheel { suspension, steering, spin } => {
                hold_line(frames, 1, rows);
                self.axis(suspension, frames.gap.dot(frames.a[1]), frames.a[1], Along::Linear, rows);
                if steering.is_locked {
                    hold_axis(frames, rows);
                } else {
                    let cosine = frames.b[0].dot(frames.a[1]);
                    if let Some(normal) = frames.a[1].cross(frames.b[0]).try_normalize() {
                        rows.hold(normal, Along::Angular, -cosine);
                    }
                    let angle = trig::atan2(-frames.b[0].dot(frames.a[2]), frames.b[0].dot(frames.a[0]));
                    self.axis(steering, angle, frames.a[1], Along::Angular, rows);
                }
                joint.angle = unwound(twist(frames.between.xyz.x, frames.between.w), joint.angle);
                let spin = Axis { range: None, ..*spin };
                self.axis(&spin, joint.angle, frames.b[0], Along::Angular, rows);
            }
            JointKind::SixAxis { linear, angular } => {
                for (k, axis) in linear.iter().enumerate() {
                    self.axis(axis, frames.gap.dot(frames.a[k]), frames.a[k], Along::Linear, rows);
                }
                let vector = frames.between.to_rotation_vector();
                for (k, axis) in angular.iter().enumerate() {
                    self.axis(axis, vector[k], frames.a[k], Along::Angular, rows);
                }
            }
        }
    }

    fn ball(
        &self,
        cone: Option<f32>,
        range: Option<[f32; 2]>,
        friction: f32,
        frames: &Frames,
        rows: &mut JointRows,
    ) {
        if let Some(cone) = cone {
            let cross = frames.a[0].cross(frames.b[0]);
            let sine = cross.length();
            let angle = trig::atan2(sine, frames.a[0].dot(frames.b[0]));
            // In the middle of the cone there is no way out of it yet.
            let out = if sine > 1e-6 { -cross / sine } else { Vec3::ZERO };
            self.limit(out, Along::ConeLeft, cone - angle, rows);
        }
        if let Some([low, high]) = range {
            let angle = twist(frames.between.xyz.x, frames.between.w);
            let axis = Axis::FREE.range(low, high);
            self.axis(&axis, angle, frames.a[0], Along::Twist, rows);
        }
        if friction > 0.0 {
            for axis in frames.a {
                self.motor(&Motor::friction(friction), axis, Along::Angular, 0.0, rows);
            }
        }
    }

    fn distance(&self, [low, high]: [f32; 2], spring: Option<Spring>, frames: &Frames, rows: &mut JointRows) {
        let length = frames.gap.length();
        let axis = frames.gap.try_normalize().unwrap_or(Vec3::Y);
        if low == high {
            rows.hold(axis, Along::Distance, -low);
            return;
        }
        if let Some(spring) = spring {
            self.spring(&spring, axis, Along::Distance, -spring.rest, rows);
        }
        if length - low < high - length {
            self.limit(axis, Along::Distance, -low, rows);
        } else if high.is_finite() {
            self.limit(-axis, Along::DistanceLeft, high, rows);
            rows.mark_upper();
        }
    }

    /// What an axis does: `at` is its coordinate now. For displacements the row measures it again;
    /// limits of twists are followed through the step.
    fn axis(&self, axis: &Axis, at: f32, along: Vec3, kind: Along, rows: &mut JointRows) {
        let is_turn = kind.is_angular();
        let ends = if kind == Along::Twist { [kind, Along::TwistLeft] } else { [kind; 2] };
        let kind = if is_turn { Along::Angular } else { kind };
        let from = |rest: f32| if is_turn { at - rest } else { -rest };
        let locked_at = axis.range.filter(|[low, high]| low == high).map(|[low, _]| low);
        if axis.is_locked || locked_at.is_some() {
            rows.hold(along, kind, from(locked_at.unwrap_or(0.0)));
            return;
        }
        if let Some(spring) = &axis.spring {
            self.spring(spring, along, kind, from(spring.rest), rows);
        }
        if let Some(mut motor) = axis.motor {
            if let Some([low, high]) = axis.range
                && motor.max == f32::INFINITY
            {
                // What nothing stops must stop by itself.
                let (back, on) = ((low - at) / self.dt, (high - at) / self.dt);
                motor.speed = if motor.speed < back { back } else { motor.speed };
                motor.speed = if motor.speed > on { on } else { motor.speed };
            }
            self.motor(&motor, along, kind, from(motor.position), rows);
        }
        if let Some([low, high]) = axis.range {
            if at - low < high - at {
                self.limit(along, ends[0], from(low), rows);
            } else if high.is_finite() {
                self.limit(-along, ends[1], if is_turn { high - at } else { high }, rows);
                rows.mark_upper();
            }
        }
    }

    fn spring(&self, spring: &Spring, axis: Vec3, along: Along, error: f32, rows: &mut JointRows) {
        let (softness, yielding) = match spring.law {
            SpringLaw::Tuned { hertz, damping_ratio } => (Softness::new(hertz, damping_ratio, self.h), 0.0),
            SpringLaw::Hooke { stiffness, damping } => Softness::hooke(stiffness, damping, self.h),
        };
        rows.bound(BoundSpec {
            row: RowSpec { axis, along, error },
            low: f32::NEG_INFINITY,
            high: f32::INFINITY,
            target: 0.0,
            softness,
            yielding,
            is_limit: false,
            is_spring: true,
        });
    }

    fn motor(&self, motor: &Motor, axis: Vec3, along: Along, error: f32, rows: &mut JointRows) {
        let pulls = motor.stiffness > 0.0 || motor.damping > 0.0;
        let (softness, yielding) = if pulls {
            Softness::hooke(motor.stiffness, motor.damping, self.h)
        } else {
            (Softness::STIFF, 0.0)
        };
        rows.bound(BoundSpec {
            row: RowSpec { axis, along, error },
            low: -motor.max * self.h,
            high: motor.max * self.h,
            target: motor.speed,
            softness,
            yielding,
            is_limit: false,
            is_spring: pulls,
        });
    }

    fn limit(&self, axis: Vec3, along: Along, error: f32, rows: &mut JointRows) {
        rows.bound(BoundSpec {
            row: RowSpec { axis, along, error },
            low: 0.0,
            high: f32::INFINITY,
            target: 0.0,
            // The speed of a push is limited. With relief its strength would be as well, and a
            // small limb would rest outside its limit, held there by the weight of the others.
            softness: Softness { impulse_scale: 0.0, ..self.softness },
            yielding: 0.0,
            is_limit: true,
            is_spring: false,
        });
    }
}

/// The anchors stay together.
fn hold_point(rows: &mut JointRows) {
    for axis in AXES {
        rows.hold(axis, Along::Linear, 0.0);
    }
}

/// The second anchor stays on a line through the first.
fn hold_line(frames: &Frames, free: usize, rows: &mut JointRows) {
    for (k, axis) in frames.a.into_iter().enumerate() {
        if k != free {
            rows.hold(axis, Along::Linear, 0.0);
        }
    }
}

/// The x axes stay together.
fn hold_axis(frames: &Frames, rows: &mut JointRows) {
    let [_, about_y, about_z] = frames.misalignment();
    rows.hold(frames.a[1], Along::Angular, about_y);
    rows.hold(frames.a[2], Along::Angular, about_z);
}

fn orientation_errors(frames: &Frames) -> [f32; 3] {
    frames.between.to_rotation_vector().to_array()
}

/// The frames stay turned alike.
fn hold_orientation(frames: &Frames, rows: &mut JointRows) {
    for (axis, error) in frames.a.into_iter().zip(orientation_errors(frames)) {
        rows.hold(axis, Along::Angular, error);
    }
}
