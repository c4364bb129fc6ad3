//! All joints of a step in lanes, stage by stage.
//!
//! Joints are dealt out by stage (color) and by their rows: those along the line between two
//! anchors, those that hold a point, and all others.

// That threads take different groups is promised by who takes them.
#![allow(unsafe_code)]

use carom_core::threads::DisjointSlice;
use carom_geometry::Real;

use super::coloring::Stage;
use super::contact::Sweep;
use super::joint::{JointLanes, NO_JOINT};
use super::joint_geometry::RawJoint;
use super::joint_rows::{JointSource, JointTotal, read_lane};
use super::lanes::SolverLanes;
use super::layout::{Layout, StageSize};
use super::rows::{FIXED, Rows};
use super::staged::Staged;
use super::velocities::Velocities;
use crate::state::impulses::{BOUNDS, HOLDS, JointClass, JointImpulses};

/// Groups of joints with up to so many rows, ordered by stage.
#[derive(Clone, Debug)]
struct Class<L, const W: usize, const H: usize, const B: usize> {
    groups: Vec<JointLanes<L, W, H, B>>,
    raw: Vec<RawJoint<L, H, B>>,
    layout: Layout<W>,
}

impl<L: SolverLanes, const W: usize, const H: usize, const B: usize> Default for Class<L, W, H, B> {
    fn default() -> Self {
        Self { groups: Vec::new(), raw: Vec::new(), layout: Layout::default() }
    }
}

impl<L: SolverLanes, const W: usize, const H: usize, const B: usize> Class<L, W, H, B> {
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
    fn stage(&mut self, stage: usize) -> (&mut [JointLanes<L, W, H, B>], &[RawJoint<L, H, B>]) {
        let range = self.layout.range(stage);
        (&mut self.groups[range.clone()], &self.raw[range])
    }

    fn view(&mut self) -> ClassView<'_, L, W, H, B> {
        ClassView { groups: DisjointSlice::new(&mut self.groups), raw: &self.raw, layout: &self.layout }
    }

    #[inline(always)]
    fn prepare(&mut self) {
        for (raw, group) in self.raw.iter_mut().zip(&self.groups) {
            raw.prepare(group);
        }
    }

    /// Spreads what is struck from body to body; true if anybody new is.
    fn spread(&mut self, struck: &mut [bool]) -> bool {
        let mut grows = false;
        for group in &mut self.groups {
            group.is_struck = false;
            for (&a, &b) in group.a.iter().zip(&group.b) {
                let is_struck = struck[a as usize] || struck[b as usize];
                group.is_struck |= is_struck;
                for row in [a, b] {
                    let other = &mut struck[row as usize];
                    grows |= is_struck && !*other && row != FIXED;
                    *other |= is_struck && row != FIXED;
                }
            }
        }
        grows
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

/// What a sweep does.
#[derive(Clone, Copy, Debug)]
pub(crate) enum JointPass {
    /// Makes the rows as they are now, and applies the impulses so far.
    WarmStart(Sweep),
    /// Holds, and corrects errors.
    Solve(Sweep),
    /// Makes the rows as they are after the motion, and holds without correcting errors. The last
    /// sweep of a substep.
    Relax(Sweep),
}

/// What a sweep does while impacts happen, when all substeps are over.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ImpactPass {
    /// Begins a round.
    Begin,
    /// Holds what impacts pull at.
    Stop,
    /// Ends the round, with a share of its impulses given back.
    PushOff(f32),
}

/// One sweep over the joints of some groups that impacts reach; the largest change.
#[inline(always)]
fn sweep_struck<L: SolverLanes, const W: usize, const H: usize, const B: usize>(
    groups: &mut [JointLanes<L, W, H, B>],
    rows: Rows<'_>,
    pass: ImpactPass,
) -> f32 {
    let mut largest = L::splat(0.0);
    for group in groups.iter_mut().filter(|group| group.is_struck) {
        if let ImpactPass::Begin = pass {
            group.begin_round();
            continue;
        }
        let mut v = Velocities::load(rows, &group.a, &group.b);
        match pass {
            ImpactPass::PushOff(share) => group.push_off(&mut v, share),
            _ => largest = largest.max(group.stop(&mut v)),
        }
        v.store(rows, &group.a, &group.b);
    }
    (0..W).fold(0.0, |most, lane| Real::max(most, largest.get(lane)))
}

/// One sweep over some groups.
#[inline(always)]
fn sweep_groups<L: SolverLanes, const W: usize, const H: usize, const B: usize>(
    groups: &mut [JointLanes<L, W, H, B>],
    raw: &[RawJoint<L, H, B>],
    rows: Rows<'_>,
    pass: JointPass,
) {
    match pass {
        JointPass::WarmStart(sweep) => {
            for (group, raw) in groups.iter_mut().zip(raw) {
                raw.refresh(group, rows, &sweep);
                let mut v = Velocities::load(rows, &group.a, &group.b);
                group.carry(&mut v);
                v.store(rows, &group.a, &group.b);
            }
        }
        JointPass::Solve(sweep) => {
            for group in groups {
                let mut v = Velocities::load(rows, &group.a, &group.b);
                // The first substep has had its warm start.
                if !sweep.is_first() {
                    group.carry(&mut v);
                }
                group.solve(&mut v);
                v.store(rows, &group.a, &group.b);
            }
        }
        JointPass::Relax(sweep) => {
            for (group, raw) in groups.iter_mut().zip(raw) {
                let mut v = Velocities::load(rows, &group.a, &group.b);
                group.relax_springs(&mut v);
                raw.refresh(group, rows, &sweep);
                group.relax(&mut v);
                group.sum_up();
                v.store(rows, &group.a, &group.b);
            }
        }
    }
}

/// All groups of a class, shared among threads.
struct ClassView<'a, L, const W: usize, const H: usize, const B: usize> {
    groups: DisjointSlice<'a, JointLanes<L, W, H, B>>,
    raw: &'a [RawJoint<L, H, B>],
    layout: &'a Layout<W>,
}

impl<L: SolverLanes, const W: usize, const H: usize, const B: usize> ClassView<'_, L, W, H, B> {
    /// As for [`Staged::sweep_part`].
    #[inline(always)]
    // SAFETY: as said there, by the caller.
    unsafe fn sweep(&self, stage: usize, part: usize, parts: usize, rows: Rows<'_>, pass: JointPass) {
        let range = self.layout.part(stage, part, parts);
        // SAFETY: parts do not overlap.
        let groups = unsafe { self.groups.range(range.start, range.end) };
        sweep_groups(groups, &self.raw[range], rows, pass);
    }
}

/// All groups, shared among threads.
pub(crate) struct JointsView<'a, L, const W: usize> {
    line: ClassView<'a, L, W, 1, 3>,
    point: ClassView<'a, L, W, 3, 0>,
    any: ClassView<'a, L, W, HOLDS, BOUNDS>,
}

/// Joints in lanes of a width.
#[derive(Clone, Debug)]
pub(crate) struct Joints<L, const W: usize> {
    line: Class<L, W, 1, 3>,
    point: Class<L, W, 3, 0>,
    any: Class<L, W, HOLDS, BOUNDS>,
    used: Vec<StageSize>,
    /// Rows that impacts of this step reach.
    struck: Vec<bool>,
}

impl<L: SolverLanes, const W: usize> Default for Joints<L, W> {
    fn default() -> Self {
        Self {
            line: Class::default(),
            point: Class::default(),
            any: Class::default(),
            used: Vec::new(),
            struck: Vec::new(),
        }
    }
}

impl<L: SolverLanes, const W: usize> Joints<L, W> {
    /// Begins a step.
    pub(crate) fn clear(&mut self) {
        self.line.layout.clear();
        self.point.layout.clear();
        self.any.layout.clear();
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
        self.line.lay_out();
        self.point.lay_out();
        self.any.lay_out();
        StageSize::collect([&self.line.layout, &self.point.layout, &self.any.layout], &mut self.used);
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

    /// Adds the elastic energy of joints that hold a point to one of the rows of each: see
    /// [`JointLanes::elastic_energy`].
    #[inline(always)]
    pub(crate) fn add_elastic_energy(&self, frequency_squared: f32, of_rows: &mut [f32]) {
        for group in &self.point.groups {
            let energy = group.elastic_energy(frequency_squared);
            for (lane, joint) in group.joint.iter().enumerate() {
                if *joint != NO_JOINT {
                    let row = if group.b[lane] == FIXED { group.a[lane] } else { group.b[lane] };
                    of_rows[row as usize] += energy.get(lane);
                }
            }
        }
    }

    /// Are there any joints?
    pub(crate) fn is_empty(&self) -> bool {
        self.used.is_empty()
    }

    /// Finds the joints that impacts on some rows reach, directly or through others. `strike` sets
    /// those rows.
    pub(crate) fn strike(&mut self, rows: Rows<'_>, strike: impl FnOnce(&mut [bool])) {
        self.struck.clear();
        self.struck.resize(rows.len(), false);
        strike(&mut self.struck);
        self.struck[FIXED as usize] = false;
        let mut grows = true;
        while grows {
            grows = self.line.spread(&mut self.struck);
            grows |= self.point.spread(&mut self.struck);
            grows |= self.any.spread(&mut self.struck);
        }
    }

    /// One sweep over the joints that impacts reach; the largest change, in mass-scaled
    /// coordinates.
    #[inline(always)]
    pub(crate) fn sweep_struck(&mut self, rows: Rows<'_>, pass: ImpactPass) -> f32 {
        let mut largest = 0.0;
        for at in 0..self.used.len() {
            let stage = usize::from(self.used[at].stage);
            largest = Real::max(largest, sweep_struck(self.line.stage(stage).0, rows, pass));
            largest = Real::max(largest, sweep_struck(self.point.stage(stage).0, rows, pass));
            largest = Real::max(largest, sweep_struck(self.any.stage(stage).0, rows, pass));
        }
        largest
    }

    /// Keeps the impulses of all joints, and says what they come to, in no particular order.
    pub(crate) fn keep(&self, impulses: &mut [JointImpulses], mut keep: impl FnMut(u32, JointTotal)) {
        self.line.keep(impulses, &mut keep);
        self.point.keep(impulses, &mut keep);
        self.any.keep(impulses, &mut keep);
    }
}

impl<L: SolverLanes, const W: usize> Staged for Joints<L, W> {
    type Pass = JointPass;
    type View<'a> = JointsView<'a, L, W>;

    fn stages(&self) -> &[StageSize] {
        &self.used
    }

    #[inline(always)]
    fn sweep(&mut self, rows: Rows<'_>, pass: JointPass) {
        for at in 0..self.used.len() {
            let stage = usize::from(self.used[at].stage);
            let (groups, raw) = self.line.stage(stage);
            sweep_groups(groups, raw, rows, pass);
            let (groups, raw) = self.point.stage(stage);
            sweep_groups(groups, raw, rows, pass);
            let (groups, raw) = self.any.stage(stage);
            sweep_groups(groups, raw, rows, pass);
        }
    }

    fn view(&mut self) -> (&[StageSize], JointsView<'_, L, W>) {
        (&self.used, JointsView { line: self.line.view(), point: self.point.view(), any: self.any.view() })
    }

    #[inline(always)]
    // SAFETY: as said at the trait, by the caller.
    unsafe fn sweep_part(
        groups: &JointsView<'_, L, W>,
        stage: usize,
        part: usize,
        parts: usize,
        rows: Rows<'_>,
        pass: JointPass,
    ) {
        // SAFETY: parts do not overlap.
        unsafe {
            groups.line.sweep(stage, part, parts, rows, pass);
            groups.point.sweep(stage, part, parts, rows, pass);
            groups.any.sweep(stage, part, parts, rows, pass);
        }
    }
}
