//! Impulses of contacts and joints, kept from step to step for warm starting.

use glam::Vec3;

/// Impulses of a contact, kept from step to step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Impulses {
    /// Along the normal, per point.
    pub(crate) normal: [f32; 4],
    /// Of friction, in world axes: tangents are chosen again in every step.
    pub(crate) friction: Vec3,
    /// About the normal.
    pub(crate) twist: f32,
    /// Angular impulse of rolling resistance, in world axes.
    pub(crate) rolling: Vec3,
    /// Along the normal, of all points and all substeps of the last step together.
    pub(crate) total_normal: f32,
    /// Of friction in all substeps of the last step, in world axes.
    pub(crate) total_friction: Vec3,
}

impl Impulses {
    /// Along the normal in the last step, of each of so many points: their shares of the last
    /// substep, or equal ones if nothing pressed in it, as after a bounce.
    pub(crate) fn of_points(&self, count: usize) -> [f32; 4] {
        let sum: f32 = self.normal.iter().sum();
        if sum > 0.0 {
            let share = self.total_normal / sum;
            self.normal.map(|impulse| impulse * share)
        } else {
            [self.total_normal / count.max(1) as f32; 4]
        }
    }

    /// The same times a factor.
    pub(crate) fn scaled(&self, factor: f32) -> Self {
        if factor == 1.0 {
            return *self;
        }
        Self {
            normal: self.normal.map(|impulse| impulse * factor),
            friction: self.friction * factor,
            twist: self.twist * factor,
            rolling: self.rolling * factor,
            ..*self
        }
    }
}

/// Most rows of a joint that hold.
pub(crate) const HOLDS: usize = 6;
/// Most rows of a joint that bound: a spring, a motor and a limit for each axis.
pub(crate) const BOUNDS: usize = 18;

/// Impulses of all rows of a joint, kept from step to step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct JointImpulses {
    pub(crate) hold: [f32; HOLDS],
    pub(crate) bound: [f32; BOUNDS],
}

impl Default for JointImpulses {
    fn default() -> Self {
        Self { hold: [0.0; HOLDS], bound: [0.0; BOUNDS] }
    }
}

impl JointImpulses {
    /// Multiplies all by a factor.
    pub(crate) fn scale(&mut self, factor: f32) {
        if factor != 1.0 {
            for impulse in self.hold.iter_mut().chain(&mut self.bound) {
                *impulse *= factor;
            }
        }
    }
}

/// Which rows a joint may have: lanes are made for each class apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JointClass {
    /// Rows along the line between two anchors: one that holds, three that bound.
    Line,
    /// Three that hold, all along lines.
    Point,
    /// Any but those along a line.
    Any,
}
