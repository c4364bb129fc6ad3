//! A joint as rows, and how it gets into a lane.

use carom_geometry::Pose;
use glam::Vec3;

use super::joint::{Direction, JointLanes, NO_JOINT};
use super::joint_geometry::{RawJoint, RawRow};
use super::lanes::SolverLanes;
use super::rows::FIXED;
use super::softness::Softness;
use crate::state::impulses::{BOUNDS, HOLDS, JointClass, JointImpulses};
use crate::state::motion::{InverseMass, Motion};

/// What a row is about.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Along {
    /// Displacement along an axis.
    #[default]
    Linear,
    /// Rotation about an axis.
    Angular,
    /// Distance of the anchors.
    Distance,
    /// Distance of the anchors, seen from its upper end.
    DistanceLeft,
    /// Angle between the x axes of both frames, seen from its upper end.
    ConeLeft,
    /// Rotation about the x axis.
    Twist,
    /// Rotation about the x axis, seen from its upper end.
    TwistLeft,
}

impl Along {
    /// Is it about rotation?
    pub(crate) fn is_angular(self) -> bool {
        matches!(self, Self::Angular | Self::ConeLeft | Self::Twist | Self::TwistLeft)
    }
}

/// A row of a joint at the beginning of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct RowSpec {
    /// Unit axis in the world.
    pub(crate) axis: Vec3,
    pub(crate) along: Along,
    /// Error for turns; what is added to the displacement along the axis for others.
    pub(crate) error: f32,
}

impl RowSpec {
    /// How far it is off, metres or radians, given the gap from anchor to anchor.
    pub(crate) fn error_at(&self, gap: Vec3) -> f32 {
        match self.along {
            Along::Angular | Along::ConeLeft | Along::Twist | Along::TwistLeft => self.error,
            Along::Linear => self.error + self.axis.dot(gap),
            Along::Distance => self.error + gap.length(),
            Along::DistanceLeft => self.error - gap.length(),
        }
    }
}

/// A row with an impulse within bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BoundSpec {
    pub(crate) row: RowSpec,
    pub(crate) low: f32,
    pub(crate) high: f32,
    /// Velocity wanted.
    pub(crate) target: f32,
    pub(crate) softness: Softness,
    /// Velocity that an impulse leaves, per impulse: of Hooke's springs; 0 for others.
    pub(crate) yielding: f32,
    pub(crate) is_limit: bool,
    pub(crate) is_spring: bool,
}

/// All rows of a joint.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JointRows {
    holds: [RowSpec; HOLDS],
    hold_count: usize,
    bounds: [BoundSpec; BOUNDS],
    bound_count: usize,
    /// Which rows that bound are upper ends of a range, one bit each.
    upper: u32,
}

impl Default for JointRows {
    fn default() -> Self {
        let nothing = BoundSpec {
            row: RowSpec::default(),
            low: 0.0,
            high: 0.0,
            target: 0.0,
            softness: Softness::STIFF,
            yielding: 0.0,
            is_limit: false,
            is_spring: false,
        };
        Self {
            holds: [RowSpec::default(); HOLDS],
            hold_count: 0,
            bounds: [nothing; BOUNDS],
            bound_count: 0,
            upper: 0,
        }
    }
}

impl JointRows {
    pub(crate) fn clear(&mut self) {
        self.hold_count = 0;
        self.bound_count = 0;
        self.upper = 0;
    }

    pub(crate) fn hold(&mut self, axis: Vec3, along: Along, error: f32) {
        self.holds[self.hold_count] = RowSpec { axis, along, error };
        self.hold_count += 1;
    }

    pub(crate) fn bound(&mut self, bound: BoundSpec) {
        self.bounds[self.bound_count] = bound;
        self.bound_count += 1;
    }

    /// The row that was put last is an upper end of a range.
    pub(crate) fn mark_upper(&mut self) {
        self.upper |= 1 << (self.bound_count - 1);
    }

    /// Which rows that bound are upper ends, one bit each.
    pub(crate) fn upper(&self) -> u32 {
        self.upper
    }

    pub(crate) fn holds(&self) -> &[RowSpec] {
        &self.holds[..self.hold_count]
    }

    pub(crate) fn bounds(&self) -> &[BoundSpec] {
        &self.bounds[..self.bound_count]
    }
}

/// One body of a joint.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JointBody<'a> {
    pub(crate) row: u32,
    pub(crate) motion: &'a Motion,
    pub(crate) mass: &'a InverseMass,
    /// The joint's frame in that of the body.
    pub(crate) frame: &'a Pose,
    /// True for kinematic bodies.
    pub(crate) is_driven: bool,
    /// Is its row along its principal axes as they are in the substep?
    pub(crate) follows: bool,
}

impl JointBody<'_> {
    fn driven(&self) -> (Vec3, Vec3) {
        if !self.is_driven {
            return (Vec3::ZERO, Vec3::ZERO);
        }
        let arm = self.motion.rotation.rotate(self.frame.translation);
        (self.motion.velocity + self.motion.angular_velocity.cross(arm), self.motion.angular_velocity)
    }
}

/// A joint to be solved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JointSource<'a> {
    /// Its number.
    pub(crate) joint: u32,
    pub(crate) a: JointBody<'a>,
    pub(crate) b: JointBody<'a>,
    pub(crate) class: JointClass,
    pub(crate) rows: &'a JointRows,
    /// Impulses of the last step.
    pub(crate) impulses: &'a JointImpulses,
    /// Of the rows that hold.
    pub(crate) softness: Softness,
}

impl<L: SolverLanes> RawRow<L> {
    fn set(&mut self, lane: usize, spec: &RowSpec) {
        self.axis.set(lane, spec.axis);
        self.is_linear.set(lane, if spec.along.is_angular() { 0.0 } else { 1.0 });
        self.error.set(lane, spec.error);
        self.radial.set(
            lane,
            match spec.along {
                Along::Distance => 1.0,
                Along::DistanceLeft => -1.0,
                _ => 0.0,
            },
        );
        self.swing.set(lane, if spec.along == Along::ConeLeft { -1.0 } else { 0.0 });
        self.twist.set(
            lane,
            match spec.along {
                Along::Twist => 1.0,
                Along::TwistLeft => -1.0,
                _ => 0.0,
            },
        );
    }
}

impl<L: SolverLanes, const H: usize, const B: usize> RawJoint<L, H, B> {
    /// Writes a joint into a lane.
    pub(crate) fn put<const W: usize>(
        &mut self,
        lanes: &mut JointLanes<L, W, H, B>,
        lane: usize,
        source: &JointSource<'_>,
    ) {
        let JointSource { a, b, rows, impulses, softness, .. } = source;
        for (side, body) in [(&mut self.side_a, a), (&mut self.side_b, b)] {
            side.rotation.set(lane, body.motion.rotation.to_xyzw());
            side.root_inertia.set(lane, body.mass.root_inertia);
            side.anchor.set(lane, body.frame.translation);
            side.follows.set(lane, f32::from(body.follows));
        }
        lanes.follows = (lane > 0 && lanes.follows) || a.follows || b.follows;
        lanes.is_struck = false;
        self.between.set(lane, (b.motion.position - a.motion.position).as_vec3());
        self.put_swing(lane, source);
        let ((velocity_a, spin_a), (velocity_b, spin_b)) = (a.driven(), b.driven());
        self.driven.set(lane, velocity_b - velocity_a);
        self.driven_spin.set(lane, spin_b - spin_a);
        lanes.a[lane] = a.row;
        lanes.b[lane] = b.row;
        lanes.joint[lane] = source.joint;
        lanes.root_a.set(lane, a.mass.root_mass);
        lanes.root_b.set(lane, b.mass.root_mass);
        lanes.bias_rate.set(lane, softness.bias_rate);
        lanes.mass_scale.set(lane, softness.mass_scale);
        lanes.impulse_scale.set(lane, softness.impulse_scale);
        let (holds, bounds) = (rows.holds(), rows.bounds());
        lanes.holds = if lane == 0 { holds.len() } else { lanes.holds.max(holds.len()) };
        lanes.bounds = if lane == 0 { bounds.len() } else { lanes.bounds.max(bounds.len()) };
        for k in 0..H {
            if !Self::IS_POINT {
                self.hold[k].set(lane, holds.get(k).unwrap_or(&RowSpec::default()));
            }
            lanes.hold[k].impulse.set(lane, if k < holds.len() { impulses.hold[k] } else { 0.0 });
            lanes.hold[k].total.set(lane, 0.0);
        }
        for k in 0..B {
            self.put_bound(lanes, lane, k, bounds.get(k), impulses.bound[k]);
        }
    }

    fn put_swing(&mut self, lane: usize, source: &JointSource<'_>) {
        let JointSource { a, b, rows, .. } = source;
        let swings = |bound: &BoundSpec| bound.row.along.is_angular() && bound.row.along != Along::Angular;
        self.swings = (lane > 0 && self.swings) || rows.bounds().iter().any(swings);
        if !Self::IS_LINEAR {
            self.frames.frame_a.set(lane, a.frame.rotation.to_xyzw());
            self.frames.frame_b.set(lane, b.frame.rotation.to_xyzw());
            self.frames.between.set(lane, (a.motion.rotation.inverse() * b.motion.rotation).to_xyzw());
        }
    }

    fn put_bound<const W: usize>(
        &mut self,
        lanes: &mut JointLanes<L, W, H, B>,
        lane: usize,
        k: usize,
        bound: Option<&BoundSpec>,
        impulse: f32,
    ) {
        let row = &mut lanes.bound[k];
        row.total.set(lane, 0.0);
        let is_limit = bound.is_some_and(|bound| bound.is_limit);
        self.bound[k].is_limit = (lane > 0 && self.bound[k].is_limit) || is_limit;
        row.is_limit.set(lane, f32::from(is_limit));
        let Some(bound) = bound else {
            // Without an axis it moves nothing.
            self.bound[k].set(lane, &RowSpec::default());
            row.impulse.set(lane, 0.0);
            return;
        };
        self.bound[k].set(lane, &bound.row);
        let impulse = if impulse > bound.low { impulse } else { bound.low };
        row.impulse.set(lane, if impulse < bound.high { impulse } else { bound.high });
        row.low.set(lane, bound.low);
        row.high.set(lane, bound.high);
        row.target.set(lane, bound.target);
        row.bias_rate.set(lane, bound.softness.bias_rate);
        row.mass_scale.set(lane, bound.softness.mass_scale);
        row.impulse_scale.set(lane, bound.softness.impulse_scale);
        row.yielding.set(lane, bound.yielding);
        row.is_spring.set(lane, f32::from(bound.is_spring));
    }

    /// No joint in a lane: whatever is left there of earlier steps moves nothing.
    pub(crate) fn blank<const W: usize>(&mut self, lanes: &mut JointLanes<L, W, H, B>, lane: usize) {
        lanes.a[lane] = FIXED;
        lanes.b[lane] = FIXED;
        lanes.joint[lane] = NO_JOINT;
        lanes.root_a.set(lane, 0.0);
        lanes.root_b.set(lane, 0.0);
        self.side_a.root_inertia.set(lane, Vec3::ZERO);
        self.side_b.root_inertia.set(lane, Vec3::ZERO);
        for k in 0..H {
            self.hold[k].set(lane, &RowSpec::default());
            lanes.hold[k].impulse.set(lane, 0.0);
        }
        for k in 0..B {
            self.put_bound(lanes, lane, k, None, 0.0);
        }
    }
}

/// What the impulses of a joint in a step come to.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct JointTotal {
    /// Impulse on the second body, world axes.
    pub(crate) push: Vec3,
    /// Impulse along the angular Jacobians of both bodies, in their mass-scaled frames; zero for
    /// joints that hold a point only, whose torque about the anchor is none.
    pub(crate) turn_a: Vec3,
    pub(crate) turn_b: Vec3,
    /// How far it is open in the end, metres, and turned off, radians.
    pub(crate) gap: f32,
    pub(crate) angle: f32,
}

/// Reads the impulses of a lane and what they come to: those of all substeps along the directions
/// of the last one. Joints that an impact reached begin the next step as they began this one.
#[inline]
pub(crate) fn read_lane<L: SolverLanes, const W: usize, const H: usize, const B: usize>(
    lanes: &JointLanes<L, W, H, B>,
    lane: usize,
    impulses: &mut JointImpulses,
) -> JointTotal {
    let mut total =
        JointTotal { gap: lanes.gap.get(lane), angle: lanes.angle.get(lane), ..JointTotal::default() };
    let mut add = |impulse: f32, direction: &Direction<L>| {
        total.push += direction.linear.get(lane) * impulse;
        if B > 0 {
            total.turn_a += direction.arm_a.get(lane) * impulse;
            total.turn_b += direction.arm_b.get(lane) * impulse;
        }
    };
    for (row, kept) in lanes.hold[..lanes.holds].iter().zip(&mut impulses.hold) {
        *kept = if lanes.is_struck { *kept } else { row.impulse.get(lane) };
        if !JointLanes::<L, W, H, B>::IS_POINT {
            add(row.total.get(lane), &row.direction);
        }
    }
    for (row, kept) in lanes.bound[..lanes.bounds].iter().zip(&mut impulses.bound) {
        *kept = if lanes.is_struck { *kept } else { row.impulse.get(lane) };
        add(row.total.get(lane), &row.direction);
    }
    if let (true, [x, y, z, ..]) = (JointLanes::<L, W, H, B>::IS_POINT, &lanes.hold[..]) {
        total.push = Vec3::new(x.total.get(lane), y.total.get(lane), z.total.get(lane));
    }
    total
}
