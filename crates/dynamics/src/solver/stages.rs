//! All contacts of a step in lanes, stage by stage, and the substeps over them.
//!
//! Contacts are dealt out by stage (color) and by their number of points (one, two, up to four), so
//! that lanes are full and small contacts are small. The order within a stage is that of the
//! contacts; widths of lanes do not change who is solved before whom, as contacts of a stage share
//! no body. In the overflow stage every group holds one contact.

// That threads take different groups is promised by who takes them.
#![allow(unsafe_code)]

use carom_core::simd::dispatch::{InstructionSet, Kernel};
use carom_core::threads::DisjointSlice;
use carom_geometry::Real;

use super::bounce::{Bounce, BounceLanes, ImpactIslands};
use super::coloring::Stage;
use super::contact::{ContactLanes, DrivenLanes, Extras, NO_CONTACT, Sweep};
use super::lanes::SolverLanes;
use super::layout::{Layout, StageSize};
use super::prepare::{MutExtras, RawLanes, Source, impulses_of};
use super::rolling::RollingLanes;
use super::rows::Rows;
use super::staged::Staged;
use super::worker_context::WorkerContext;
use crate::state::impulses::Impulses;

/// Groups that one thread fills at a time.
const PART: usize = 16;
/// Contacts that memory is asked for ahead of the one at hand.
const AHEAD: usize = 8;

/// Groups of contacts with up to `P` points, ordered by stage.
#[derive(Clone, Debug)]
struct Class<L, const W: usize, const P: usize> {
    groups: Vec<ContactLanes<L, W, P>>,
    /// Parallel to the groups, or empty if no contact is with a kinematic body.
    driven: Vec<DrivenLanes<L, P>>,
    /// Parallel to the groups, or empty if no contact bounces.
    bounces: Vec<BounceLanes<L, P>>,
    /// Parallel to the groups, or empty if no contact resists rolling.
    rolling: Vec<RollingLanes<L>>,
    /// Number of the contact in every lane of every group.
    order: Vec<u32>,
    layout: Layout<W>,
}

impl<L: SolverLanes, const W: usize, const P: usize> Default for Class<L, W, P> {
    fn default() -> Self {
        Self {
            groups: Vec::new(),
            driven: Vec::new(),
            bounces: Vec::new(),
            rolling: Vec::new(),
            order: Vec::new(),
            layout: Layout::default(),
        }
    }
}

/// Jacobians and masses of a group.
struct Prepare<'a, L, const W: usize, const P: usize> {
    raw: &'a RawLanes<L, P>,
    group: &'a mut ContactLanes<L, W, P>,
    rolling: Option<&'a mut RollingLanes<L>>,
}

impl<L: SolverLanes, const W: usize, const P: usize> Kernel for Prepare<'_, L, W, P> {
    #[inline(always)]
    fn run(self) {
        self.raw.prepare(self.group, self.rolling);
    }
}

impl<L: SolverLanes, const W: usize, const P: usize> Class<L, W, P> {
    /// Makes room for what was counted.
    fn lay_out(&mut self, kinds: Kinds) {
        let groups = self.layout.lay_out();
        self.driven.resize(if kinds.is_driven { groups } else { 0 }, DrivenLanes::default());
        self.bounces.resize(if kinds.is_bouncing { groups } else { 0 }, BounceLanes::default());
        self.rolling.resize(if kinds.is_rolling { groups } else { 0 }, RollingLanes::default());
        // Every lane is written, by a contact or as blank: what is there from the last step need
        // not be cleared.
        self.groups.resize(groups, ContactLanes::default());
        self.order.clear();
        self.order.resize(groups * W, NO_CONTACT);
    }

    #[inline]
    fn put(&mut self, stage: Stage, contact: u32) {
        let (group, lane) = self.layout.take(stage);
        self.order[group * W + lane] = contact;
    }

    /// Fills all groups with their contacts, one group after the other, so that each is in the
    /// cache until it is ready.
    fn fill<'s, I: InstructionSet>(
        &mut self,
        context: &mut WorkerContext<'_, I>,
        source_of: &(impl Fn(u32) -> Source<'s> + Sync),
        ask_for: &(impl Fn(u32) + Sync),
    ) {
        let (order, instruction_set) = (&self.order, context.instruction_set);
        let (driven, bounces) = (DisjointSlice::new(&mut self.driven), DisjointSlice::new(&mut self.bounces));
        let rolling = DisjointSlice::new(&mut self.rolling);
        context.pool.for_chunks(&mut self.groups, PART, |start, groups| {
            let mut raw = RawLanes::default();
            for (group, number) in groups.iter_mut().zip(start..) {
                let at = number * W;
                // SAFETY: every group is in one piece, and these are parallel to the groups.
                let (mut driven, mut bounce, mut rolling) =
                    unsafe { (driven.get(number), bounces.get(number), rolling.get(number)) };
                for (lane, &contact) in order[at..at + W].iter().enumerate() {
                    if let Some(&next) = order.get(at + lane + AHEAD)
                        && next != NO_CONTACT
                    {
                        ask_for(next);
                    }
                    let extras = MutExtras {
                        driven: driven.as_deref_mut(),
                        bounce: bounce.as_deref_mut(),
                        rolling: rolling.as_deref_mut(),
                    };
                    if contact == NO_CONTACT {
                        raw.blank(group, lane, extras);
                    } else {
                        raw.put(group, lane, &source_of(contact), extras);
                    }
                }
                instruction_set.run(Prepare { raw: &raw, group, rolling });
            }
        });
    }

    /// The groups of a stage.
    #[inline(always)]
    fn stage(&mut self, stage: usize) -> Groups<'_, L, W, P> {
        let range = self.layout.range(stage);
        let some = |length: usize| if length == 0 { 0..0 } else { range.clone() };
        Groups {
            driven: &self.driven[some(self.driven.len())],
            bounces: {
                let range = some(self.bounces.len());
                &mut self.bounces[range]
            },
            rolling: {
                let range = some(self.rolling.len());
                &mut self.rolling[range]
            },
            groups: &mut self.groups[range],
        }
    }

    fn view(&mut self) -> ClassView<'_, L, W, P> {
        ClassView {
            groups: DisjointSlice::new(&mut self.groups),
            driven: &self.driven,
            bounces: DisjointSlice::new(&mut self.bounces),
            rolling: DisjointSlice::new(&mut self.rolling),
            layout: &self.layout,
        }
    }

    #[inline(always)]
    fn find_impacts(&self, rows: Rows<'_>, bounce: &Bounce<'_>, islands: &mut ImpactIslands<'_>) {
        for (at, group) in self.groups.iter().enumerate() {
            group.find_impacts(rows, bounce, self.driven.get(at), islands);
        }
    }

    #[inline(always)]
    fn keep_impacts(&mut self, islands: &ImpactIslands<'_>) -> bool {
        let groups = self.groups.iter().zip(&mut self.bounces);
        groups.fold(false, |any, (group, bounce)| group.keep_impacts(islands, bounce) | any)
    }

    fn for_each_result(&self, has_impacts: bool, substeps: f32, mut result: impl FnMut(u32, Impulses)) {
        for (at, group) in self.groups.iter().enumerate() {
            let bounce = if has_impacts { self.bounces.get(at) } else { None };
            for (lane, &contact) in group.contact.iter().enumerate() {
                if contact != NO_CONTACT {
                    result(contact, impulses_of(group, bounce, self.rolling.get(at), lane, substeps));
                }
            }
        }
    }
}

/// Groups of a class in a stage, with what comes with them.
struct Groups<'a, L, const W: usize, const P: usize> {
    groups: &'a mut [ContactLanes<L, W, P>],
    driven: &'a [DrivenLanes<L, P>],
    bounces: &'a mut [BounceLanes<L, P>],
    rolling: &'a mut [RollingLanes<L>],
}

/// All groups of a class, shared among threads.
struct ClassView<'a, L, const W: usize, const P: usize> {
    groups: DisjointSlice<'a, ContactLanes<L, W, P>>,
    driven: &'a [DrivenLanes<L, P>],
    bounces: DisjointSlice<'a, BounceLanes<L, P>>,
    rolling: DisjointSlice<'a, RollingLanes<L>>,
    layout: &'a Layout<W>,
}

impl<L: SolverLanes, const W: usize, const P: usize> ClassView<'_, L, W, P> {
    /// As for [`Staged::sweep_part`].
    #[inline(always)]
    // SAFETY: as said there, by the caller.
    unsafe fn sweep(&self, stage: usize, part: usize, parts: usize, rows: Rows<'_>, pass: Pass) {
        let range = self.layout.part(stage, part, parts);
        // SAFETY: parts do not overlap.
        unsafe {
            sweep_groups(
                Groups {
                    groups: self.groups.range(range.start, range.end),
                    bounces: self.bounces.range_or_none(range.start, range.end),
                    rolling: self.rolling.range_or_none(range.start, range.end),
                    driven: self.driven.get(range).unwrap_or_default(),
                },
                rows,
                pass,
            );
        }
    }
}

/// Kinds of contacts that there are in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Kinds {
    /// With kinematic bodies.
    pub(crate) is_driven: bool,
    /// With restitution.
    pub(crate) is_bouncing: bool,
    /// With rolling resistance.
    pub(crate) is_rolling: bool,
}

/// What a sweep does.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Pass {
    /// Applies the impulses so far.
    WarmStart,
    /// Stops approach, and pushes apart what overlaps.
    Solve(Sweep),
    /// Stops approach without pushing, and rubs.
    Relax,
}

/// One sweep over some groups.
#[inline(always)]
fn sweep_groups<L: SolverLanes, const W: usize, const P: usize>(
    Groups { groups, driven, bounces, rolling }: Groups<'_, L, W, P>,
    rows: Rows<'_>,
    pass: Pass,
) {
    match pass {
        Pass::WarmStart => {
            for (at, group) in groups.iter().enumerate() {
                group.warm_start(rows, rolling.get(at));
            }
        }
        Pass::Solve(sweep) => {
            for (at, group) in groups.iter_mut().enumerate() {
                group.solve_normal(rows, &sweep, driven.get(at));
            }
        }
        Pass::Relax => {
            for (at, group) in groups.iter_mut().enumerate() {
                let extras = Extras {
                    driven: driven.get(at),
                    bounce: bounces.get_mut(at),
                    rolling: rolling.get_mut(at),
                };
                group.relax(rows, extras);
            }
        }
    }
}

/// What a sweep over impacts does.
#[derive(Clone, Copy)]
pub(crate) enum BouncePass<'a> {
    /// Takes the impacts of the step back; 1 if there are any.
    TakeBack(&'a Bounce<'a>),
    /// Begins a round, with speeds above a threshold given back; the fastest approach.
    Begin(f32),
    /// Stops what approaches; the largest change.
    Stop,
    /// Ends the round; the largest share that is given back.
    PushOff,
}

/// One sweep over the impacts of some groups, and the largest of what the pass is about.
#[inline(always)]
fn sweep_impacts<L: SolverLanes, const W: usize, const P: usize>(
    Groups { groups, driven, bounces, .. }: Groups<'_, L, W, P>,
    rows: Rows<'_>,
    pass: BouncePass<'_>,
) -> f32 {
    let mut most = 0.0;
    for (at, group) in groups.iter_mut().enumerate() {
        let extras = Extras { driven: driven.get(at), bounce: bounces.get_mut(at), rolling: None };
        let speed = match pass {
            BouncePass::TakeBack(bounce) => group.take_back(rows, bounce, extras),
            BouncePass::Begin(threshold) => group.begin_round(rows, threshold, extras),
            BouncePass::Stop => group.stop(rows, extras),
            BouncePass::PushOff => group.push_off(rows, extras),
        };
        most = Real::max(most, speed);
    }
    most
}

/// All groups, shared among threads.
pub(crate) struct ContactsView<'a, L, const W: usize> {
    one: ClassView<'a, L, W, 1>,
    two: ClassView<'a, L, W, 2>,
    four: ClassView<'a, L, W, 4>,
}

/// Contacts in lanes of a width.
#[derive(Clone, Debug)]
pub(crate) struct Contacts<L, const W: usize> {
    one: Class<L, W, 1>,
    two: Class<L, W, 2>,
    four: Class<L, W, 4>,
    used: Vec<StageSize>,
    /// May anything bounce in this step?
    has_impacts: bool,
}

impl<L: SolverLanes, const W: usize> Default for Contacts<L, W> {
    fn default() -> Self {
        Self {
            one: Class::default(),
            two: Class::default(),
            four: Class::default(),
            used: Vec::new(),
            has_impacts: false,
        }
    }
}

impl<L: SolverLanes, const W: usize> Contacts<L, W> {
    /// Begins a step.
    pub(crate) fn clear(&mut self) {
        self.one.layout.clear();
        self.two.layout.clear();
        self.four.layout.clear();
    }

    /// Counts a contact that will come.
    pub(crate) fn announce(&mut self, stage: Stage, points: usize) {
        match points {
            1 => self.one.layout.announce(stage),
            2 => self.two.layout.announce(stage),
            _ => self.four.layout.announce(stage),
        }
    }

    /// Makes room for all that were announced.
    pub(crate) fn lay_out(&mut self, kinds: Kinds) {
        self.has_impacts = false;
        self.one.lay_out(kinds);
        self.two.lay_out(kinds);
        self.four.lay_out(kinds);
        StageSize::collect([&self.one.layout, &self.two.layout, &self.four.layout], &mut self.used);
    }

    /// Puts a contact that was announced.
    #[inline]
    pub(crate) fn put(&mut self, stage: Stage, points: usize, contact: u32) {
        match points {
            1 => self.one.put(stage, contact),
            2 => self.two.put(stage, contact),
            _ => self.four.put(stage, contact),
        }
    }

    /// Fills the lanes with all contacts that were put; `ask_for` is told which will be needed
    /// soon.
    pub(crate) fn fill<'s, I: InstructionSet>(
        &mut self,
        context: &mut WorkerContext<'_, I>,
        source_of: &(impl Fn(u32) -> Source<'s> + Sync),
        ask_for: &(impl Fn(u32) + Sync),
    ) {
        self.one.fill(context, source_of, ask_for);
        self.two.fill(context, source_of, ask_for);
        self.four.fill(context, source_of, ask_for);
    }

    /// Before the substeps: finds the islands with impacts. If there are none, nothing bounces.
    #[inline(always)]
    pub(crate) fn find_impacts(
        &mut self,
        rows: Rows<'_>,
        bounce: &Bounce<'_>,
        islands: &mut ImpactIslands<'_>,
    ) {
        self.one.find_impacts(rows, bounce, islands);
        self.two.find_impacts(rows, bounce, islands);
        self.four.find_impacts(rows, bounce, islands);
        self.has_impacts = false;
        self.has_impacts |= self.one.keep_impacts(islands);
        self.has_impacts |= self.two.keep_impacts(islands);
        self.has_impacts |= self.four.keep_impacts(islands);
    }

    /// May any contact give speed back in this step?
    pub(crate) fn has_impacts(&self) -> bool {
        self.has_impacts
    }

    /// Sets the rows of bodies that have an impact; after [`BouncePass::TakeBack`].
    pub(crate) fn strike(&self, struck: &mut [bool]) {
        self.one.groups.iter().for_each(|group| group.strike(struck));
        self.two.groups.iter().for_each(|group| group.strike(struck));
        self.four.groups.iter().for_each(|group| group.strike(struck));
    }

    /// One sweep over all impacts, and the largest of what the pass is about.
    #[inline(always)]
    pub(crate) fn sweep_impacts(&mut self, rows: Rows<'_>, pass: BouncePass<'_>) -> f32 {
        let mut most = 0.0;
        for at in 0..self.used.len() {
            let stage = usize::from(self.used[at].stage);
            most = Real::max(most, sweep_impacts(self.one.stage(stage), rows, pass));
            most = Real::max(most, sweep_impacts(self.two.stage(stage), rows, pass));
            most = Real::max(most, sweep_impacts(self.four.stage(stage), rows, pass));
        }
        most
    }

    /// The impulses of all contacts, in no particular order.
    pub(crate) fn for_each_result(&self, substeps: f32, mut result: impl FnMut(u32, Impulses)) {
        self.one.for_each_result(self.has_impacts, substeps, &mut result);
        self.two.for_each_result(self.has_impacts, substeps, &mut result);
        self.four.for_each_result(self.has_impacts, substeps, &mut result);
    }
}

impl<L: SolverLanes, const W: usize> Staged for Contacts<L, W> {
    type Pass = Pass;
    type View<'a> = ContactsView<'a, L, W>;

    fn stages(&self) -> &[StageSize] {
        &self.used
    }

    #[inline(always)]
    fn sweep(&mut self, rows: Rows<'_>, pass: Pass) {
        for at in 0..self.used.len() {
            let stage = usize::from(self.used[at].stage);
            sweep_groups(self.one.stage(stage), rows, pass);
            sweep_groups(self.two.stage(stage), rows, pass);
            sweep_groups(self.four.stage(stage), rows, pass);
        }
    }

    fn view(&mut self) -> (&[StageSize], ContactsView<'_, L, W>) {
        (&self.used, ContactsView { one: self.one.view(), two: self.two.view(), four: self.four.view() })
    }

    #[inline(always)]
    // SAFETY: as said at the trait, by the caller.
    unsafe fn sweep_part(
        groups: &ContactsView<'_, L, W>,
        stage: usize,
        part: usize,
        parts: usize,
        rows: Rows<'_>,
        pass: Pass,
    ) {
        // SAFETY: parts do not overlap.
        unsafe {
            groups.one.sweep(stage, part, parts, rows, pass);
            groups.two.sweep(stage, part, parts, rows, pass);
            groups.four.sweep(stage, part, parts, rows, pass);
        }
    }
}
