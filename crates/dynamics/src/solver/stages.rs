//! All contacts of a step in lanes, stage by stage, and the substeps over them.
//!
//! Contacts are dealt out by stage (colour) and by their number of points (one, two, up to four), so that lanes are full and
//! small contacts are small. The order within a stage is that of the contacts; widths of lanes do not change who is
//! solved before whom, as contacts of a stage share no body. In the crowded stage every group holds one contact.

// That threads take different groups is promised by who takes them.
#![allow(unsafe_code)]

use super::colour::Stage;
use super::contact::{Bounce, ContactLanes, NO_CONTACT, Sweep};
use super::lanes::Lanes;
use super::layout::Layout;
use super::prepare::{Impulses, RawLanes, Source, impulses_of};
use super::rows::Rows;
use super::wide::{Crew, Machine, Work};
use crate::pool::Pieces;

/// Groups that one thread fills at a time.
const PART: usize = 16;

/// Groups of contacts with up to `P` points, ordered by stage.
#[derive(Clone, Debug)]
struct Class<L, const W: usize, const P: usize> {
    groups: Vec<ContactLanes<L, W, P>>,
    /// Number of the contact in every lane of every group.
    order: Vec<u32>,
    layout: Layout<W>,
}

impl<L: Lanes, const W: usize, const P: usize> Default for Class<L, W, P> {
    fn default() -> Self {
        Self { groups: Vec::new(), order: Vec::new(), layout: Layout::default() }
    }
}

/// Jacobians and masses of a group.
struct Prepare<'a, L, const W: usize, const P: usize> {
    raw: &'a RawLanes<L, P>,
    group: &'a mut ContactLanes<L, W, P>,
}

impl<L: Lanes, const W: usize, const P: usize> Work for Prepare<'_, L, W, P> {
    #[inline(always)]
    fn run(self) {
        self.raw.prepare(self.group);
    }
}

impl<L: Lanes, const W: usize, const P: usize> Class<L, W, P> {
    /// Makes room for what was counted.
    fn lay_out(&mut self) {
        let groups = self.layout.lay_out();
        // Every lane is written, by a contact or as blank: what is there from the last step need not be cleared.
        self.groups.resize(groups, ContactLanes::default());
        self.order.clear();
        self.order.resize(groups * W, NO_CONTACT);
    }

    #[inline]
    fn put(&mut self, stage: Stage, contact: u32) {
        let (group, lane) = self.layout.take(stage);
        self.order[group * W + lane] = contact;
    }

    /// Fills all groups with their contacts, one group after the other, so that each is in the cache until it is ready.
    fn fill<'s, M: Machine>(
        &mut self,
        crew: &mut Crew<'_, M>,
        source_of: &(impl Fn(u32) -> Source<'s> + Sync),
    ) {
        let (order, machine) = (&self.order, crew.machine);
        crew.pool.for_pieces(&mut self.groups, PART, |start, groups| {
            let mut raw = RawLanes::default();
            for (group, contacts) in groups.iter_mut().zip(order[start * W..].chunks_exact(W)) {
                for (lane, &contact) in contacts.iter().enumerate() {
                    if contact == NO_CONTACT {
                        raw.blank(group, lane);
                    } else {
                        raw.put(group, lane, &source_of(contact));
                    }
                }
                machine.run(Prepare { raw: &raw, group });
            }
        });
    }

    /// The groups of a stage.
    #[inline(always)]
    fn stage(&mut self, stage: usize) -> &mut [ContactLanes<L, W, P>] {
        &mut self.groups[self.layout.range(stage)]
    }

    fn for_each_result(&self, substeps: f32, bounced: bool, mut result: impl FnMut(u32, Impulses)) {
        for group in &self.groups {
            for (lane, &contact) in group.contact.iter().enumerate() {
                if contact != NO_CONTACT {
                    result(contact, impulses_of(group, lane, substeps, bounced));
                }
            }
        }
    }
}

/// Does something to every group, stage by stage. A macro, because a closure would not be compiled for the instructions of the
/// function around it.
macro_rules! sweep {
    ($self:ident, $group:ident => $work:expr) => {
        for at in 0..$self.used.len() {
            let stage = usize::from($self.used[at]);
            for $group in $self.one.stage(stage) {
                $work;
            }
            for $group in $self.two.stage(stage) {
                $work;
            }
            for $group in $self.four.stage(stage) {
                $work;
            }
        }
    };
}

/// What a sweep does.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Pass<'a> {
    /// Applies the impulses so far.
    WarmStart,
    /// Stops approach, and pushes apart what overlaps.
    Push(&'a Sweep),
    /// Stops approach without pushing, and rubs.
    Relax,
}

/// One sweep over some groups.
#[inline(always)]
fn sweep_groups<L: Lanes, const W: usize, const P: usize>(
    groups: &mut [ContactLanes<L, W, P>],
    rows: Rows<'_>,
    pass: Pass<'_>,
) {
    match pass {
        Pass::WarmStart => {
            for group in groups {
                group.warm_start(rows);
            }
        }
        Pass::Push(sweep) => {
            for group in groups {
                group.push(rows, sweep);
            }
        }
        Pass::Relax => {
            for group in groups {
                group.relax(rows);
            }
        }
    }
}

/// The groups of a stage, shared among threads.
pub(crate) struct ContactParts<'a, L, const W: usize> {
    one: Pieces<'a, ContactLanes<L, W, 1>>,
    two: Pieces<'a, ContactLanes<L, W, 2>>,
    four: Pieces<'a, ContactLanes<L, W, 4>>,
}

impl<L: Lanes, const W: usize> ContactParts<'_, L, W> {
    /// One sweep over one of so many parts.
    ///
    /// # Safety
    /// Nobody may work on the same part, or write the same rows, at the same time.
    #[inline(always)]
    // SAFETY: as said above, by the caller.
    pub(crate) unsafe fn sweep(&self, part: usize, parts: usize, rows: Rows<'_>, pass: Pass<'_>) {
        // SAFETY: parts do not overlap.
        unsafe {
            sweep_groups(self.one.part(part, parts), rows, pass);
            sweep_groups(self.two.part(part, parts), rows, pass);
            sweep_groups(self.four.part(part, parts), rows, pass);
        }
    }
}

/// Contacts in lanes of a width.
#[derive(Clone, Debug)]
pub(crate) struct Contacts<L, const W: usize> {
    one: Class<L, W, 1>,
    two: Class<L, W, 2>,
    four: Class<L, W, 4>,
    /// Stages that have contacts, ascending.
    used: Vec<u8>,
    /// Has a contact restitution?
    is_bouncing: bool,
}

/// Sweeps over impacts: in each one an impact passes on to the neighbours.
const SWEEPS_OF_BOUNCE: usize = 16;

impl<L: Lanes, const W: usize> Default for Contacts<L, W> {
    fn default() -> Self {
        Self {
            one: Class::default(),
            two: Class::default(),
            four: Class::default(),
            used: Vec::new(),
            is_bouncing: false,
        }
    }
}

impl<L: Lanes, const W: usize> Contacts<L, W> {
    /// Begins a step.
    pub(crate) fn clear(&mut self) {
        self.one.layout.clear();
        self.two.layout.clear();
        self.four.layout.clear();
        self.used.clear();
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
    pub(crate) fn lay_out(&mut self, is_bouncing: bool) {
        self.is_bouncing = is_bouncing;
        for stage in 0..Stage::COUNT {
            let layouts = [&self.one.layout, &self.two.layout, &self.four.layout];
            if layouts.iter().any(|layout| layout.is_used(stage)) {
                self.used.push(stage as u8);
            }
        }
        self.one.lay_out();
        self.two.lay_out();
        self.four.lay_out();
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

    /// Fills the lanes with all contacts that were put.
    pub(crate) fn fill<'s, M: Machine>(
        &mut self,
        crew: &mut Crew<'_, M>,
        source_of: &(impl Fn(u32) -> Source<'s> + Sync),
    ) {
        self.one.fill(crew, source_of);
        self.two.fill(crew, source_of);
        self.four.fill(crew, source_of);
    }

    /// One sweep over all contacts.
    #[inline(always)]
    pub(crate) fn sweep(&mut self, rows: Rows<'_>, pass: Pass<'_>) {
        for at in 0..self.used.len() {
            let stage = usize::from(self.used[at]);
            sweep_groups(self.one.stage(stage), rows, pass);
            sweep_groups(self.two.stage(stage), rows, pass);
            sweep_groups(self.four.stage(stage), rows, pass);
        }
    }

    /// Stages that have contacts, in the order of the sweeps, each with the number of its groups.
    pub(crate) fn stages(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.used.iter().map(|&stage| {
            let stage = usize::from(stage);
            let layouts = [&self.one.layout, &self.two.layout, &self.four.layout];
            (stage, layouts.iter().map(|layout| layout.range(stage).len()).sum())
        })
    }

    /// The groups of a stage, to be shared among threads.
    pub(crate) fn split(&mut self, stage: usize) -> ContactParts<'_, L, W> {
        ContactParts {
            one: Pieces::new(self.one.stage(stage)),
            two: Pieces::new(self.two.stage(stage)),
            four: Pieces::new(self.four.stage(stage)),
        }
    }

    /// Gives approaching speed back: takes impacts back and lets them happen one after the other. False if nothing can bounce.
    #[inline(always)]
    pub(crate) fn bounce(&mut self, rows: Rows<'_>, bounce: &Bounce<'_>) -> bool {
        if !self.is_bouncing {
            return false;
        }
        sweep!(self, group => group.take_back(rows, bounce));
        for _ in 0..SWEEPS_OF_BOUNCE {
            let mut any = false;
            sweep!(self, group => any |= group.bounce(rows, bounce.threshold));
            if !any {
                break;
            }
        }
        true
    }

    /// The impulses of all contacts, in no particular order.
    pub(crate) fn for_each_result(&self, substeps: f32, mut result: impl FnMut(u32, Impulses)) {
        self.one.for_each_result(substeps, self.is_bouncing, &mut result);
        self.two.for_each_result(substeps, self.is_bouncing, &mut result);
        self.four.for_each_result(substeps, self.is_bouncing, &mut result);
    }
}
