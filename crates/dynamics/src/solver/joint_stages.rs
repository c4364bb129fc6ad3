//! All joints of a step in lanes, stage by stage.
//!
//! Joints are dealt out by stage (colour) and by their rows: those along the line between two anchors, those that hold a point, and
//! all others.

use super::colour::Stage;
use super::contact::Sweep;
use super::joint::{JointLanes, NO_JOINT, RawJoint};
use super::joint_rows::{BOUNDS, HOLDS, JointClass, JointImpulses, JointSource, JointTotal, read_lane};
use super::lanes::Lanes;
use super::layout::Layout;
use super::rows::BodyRow;

/// Groups of joints with up to so many rows, ordered by stage.
#[derive(Clone, Debug)]
struct Class<L, const W: usize, const H: usize, const B: usize> {
    groups: Vec<JointLanes<L, W, H, B>>,
    raw: Vec<RawJoint<L, H, B>>,
    layout: Layout<W>,
}

impl<L: Lanes, const W: usize, const H: usize, const B: usize> Default for Class<L, W, H, B> {
    fn default() -> Self {
        Self { groups: Vec::new(), raw: Vec::new(), layout: Layout::default() }
    }
}

impl<L: Lanes, const W: usize, const H: usize, const B: usize> Class<L, W, H, B> {
    fn lay_out(&mut self) {
        let groups = self.layout.lay_out();
        self.groups.resize(groups, JointLanes::default());
        self.raw.resize(groups, RawJoint::default());
    }

    fn put(&mut self, stage: Stage, source: &JointSource<'_>) {
        let (group, lane) = self.layout.take(stage);
        self.raw[group].put(&mut self.groups[group], lane, source);
    }

    fn blank_rest(&mut self) {
        let (raw, groups) = (&mut self.raw, &mut self.groups);
        self.layout.for_each_rest(|group, lane| raw[group].blank(&mut groups[group], lane));
    }

    #[inline(always)]
    fn stage(&mut self, stage: usize) -> &mut [JointLanes<L, W, H, B>] {
        &mut self.groups[self.layout.range(stage)]
    }

    #[inline(always)]
    fn prepare(&mut self) {
        for (raw, group) in self.raw.iter_mut().zip(&self.groups) {
            raw.prepare(group);
        }
    }

    /// Makes the rows of a stage as they are now, and applies the impulses so far.
    #[inline(always)]
    fn begin(&mut self, stage: usize, rows: &mut [BodyRow], sweep: &Sweep) {
        for at in self.layout.range(stage) {
            self.raw[at].refresh(&mut self.groups[at], rows, sweep);
            self.groups[at].warm_start(rows);
        }
    }

    fn keep(&self, impulses: &mut [JointImpulses], keep: &mut impl FnMut(u32, JointTotal)) {
        for group in &self.groups {
            for (lane, &joint) in group.joint.iter().enumerate() {
                if joint != NO_JOINT {
                    keep(joint, read_lane(group, lane, &mut impulses[joint as usize]));
                }
            }
        }
    }
}

/// Does something to every group, stage by stage; see the sweeps of contacts.
macro_rules! sweep {
    ($self:ident, $group:ident => $work:expr) => {
        for at in 0..$self.used.len() {
            let stage = usize::from($self.used[at]);
            for $group in $self.line.stage(stage) {
                $work;
            }
            for $group in $self.point.stage(stage) {
                $work;
            }
            for $group in $self.any.stage(stage) {
                $work;
            }
        }
    };
}

/// Joints in lanes of a width.
#[derive(Clone, Debug)]
pub(crate) struct Joints<L, const W: usize> {
    line: Class<L, W, 1, 3>,
    point: Class<L, W, 3, 0>,
    any: Class<L, W, HOLDS, BOUNDS>,
    /// Stages that have joints, ascending.
    used: Vec<u8>,
}

impl<L: Lanes, const W: usize> Default for Joints<L, W> {
    fn default() -> Self {
        Self { line: Class::default(), point: Class::default(), any: Class::default(), used: Vec::new() }
    }
}

impl<L: Lanes, const W: usize> Joints<L, W> {
    /// Begins a step.
    pub(crate) fn clear(&mut self) {
        self.line.layout.clear();
        self.point.layout.clear();
        self.any.layout.clear();
        self.used.clear();
    }

    /// Counts a joint that will come.
    pub(crate) fn announce(&mut self, stage: Stage, class: JointClass) {
        match class {
            JointClass::Line => self.line.layout.announce(stage),
            JointClass::Point => self.point.layout.announce(stage),
            JointClass::Any => self.any.layout.announce(stage),
        }
    }

    /// Makes room for all that were announced.
    pub(crate) fn lay_out(&mut self) {
        for stage in 0..Stage::COUNT {
            let layouts = [&self.line.layout, &self.point.layout, &self.any.layout];
            if layouts.iter().any(|layout| layout.is_used(stage)) {
                self.used.push(stage as u8);
            }
        }
        self.line.lay_out();
        self.point.lay_out();
        self.any.lay_out();
    }

    /// Puts a joint that was announced.
    pub(crate) fn put(&mut self, stage: Stage, source: &JointSource<'_>) {
        match source.class {
            JointClass::Line => self.line.put(stage, source),
            JointClass::Point => self.point.put(stage, source),
            JointClass::Any => self.any.put(stage, source),
        }
    }

    /// To be called when all joints have been put.
    pub(crate) fn seal(&mut self) {
        self.line.blank_rest();
        self.point.blank_rest();
        self.any.blank_rest();
    }

    /// Once per step, before all others.
    #[inline(always)]
    pub(crate) fn prepare(&mut self) {
        self.line.prepare();
        self.point.prepare();
        self.any.prepare();
    }

    /// Rows as they are in a substep, with the impulses so far.
    #[inline(always)]
    pub(crate) fn begin(&mut self, rows: &mut [BodyRow], sweep: &Sweep) {
        for at in 0..self.used.len() {
            let stage = usize::from(self.used[at]);
            self.line.begin(stage, rows, sweep);
            self.point.begin(stage, rows, sweep);
            self.any.begin(stage, rows, sweep);
        }
    }

    /// One sweep that corrects errors.
    #[inline(always)]
    pub(crate) fn push(&mut self, rows: &mut [BodyRow]) {
        sweep!(self, group => group.push(rows));
    }

    /// One sweep that does not.
    #[inline(always)]
    pub(crate) fn relax(&mut self, rows: &mut [BodyRow]) {
        sweep!(self, group => group.relax(rows));
    }

    /// Keeps the impulses of all joints, and says what they come to, in no particular order.
    pub(crate) fn keep(&self, impulses: &mut [JointImpulses], mut keep: impl FnMut(u32, JointTotal)) {
        self.line.keep(impulses, &mut keep);
        self.point.keep(impulses, &mut keep);
        self.any.keep(impulses, &mut keep);
    }
}
