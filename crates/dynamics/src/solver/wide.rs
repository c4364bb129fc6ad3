//! The width of the sweeps, chosen when the program runs.
//!
//! The sweeps are compiled once for each width: for registers of four numbers, which every machine has, and for those of eight of
//! machines with AVX2. Every lane computes what it would alone, so the width changes nothing but time.

// Calling a function that was compiled for more instructions than every machine has is `unsafe`: that the machine has them is
// checked right before.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
use super::avx::Eight;
use super::colour::Stage;
use super::contact::{Bounce, Sweep};
use super::joint_rows::{JointClass, JointImpulses, JointSource, JointTotal};
use super::joint_stages::{JointParts, JointPass, Joints};
use super::lanes::{Four, Lanes, One, Pair};
use super::prepare::{Impulses, Source};
use super::rows::{BodyRow, Rows, SharedRows};
use super::stages::{ContactParts, Contacts, Pass};
use super::substeps::{Lock, Pull, Substeps};
use crate::pool::Pool;
use crate::world::settings::LaneWidth;

/// Contacts and joints in lanes of a width.
#[derive(Clone, Debug)]
pub(crate) struct Constraints<L, const W: usize> {
    contacts: Contacts<L, W>,
    joints: Joints<L, W>,
}

impl<L: Lanes, const W: usize> Default for Constraints<L, W> {
    fn default() -> Self {
        Self { contacts: Contacts::default(), joints: Joints::default() }
    }
}

/// Constraints in lanes of some width. Wide lanes are only worth their instructions: machines that lack those take narrower ones.
#[derive(Clone, Debug)]
pub(crate) enum Wide {
    One(Box<Constraints<One, 1>>),
    Four(Box<Constraints<Four, 4>>),
    #[cfg(not(target_arch = "x86_64"))]
    Eight(Box<Constraints<Pair<Four>, 8>>),
    #[cfg(not(target_arch = "x86_64"))]
    Sixteen(Box<Constraints<Pair<Pair<Four>>, 16>>),
    #[cfg(target_arch = "x86_64")]
    AvxEight(Avx2, Box<Constraints<Eight, 8>>),
    #[cfg(target_arch = "x86_64")]
    AvxSixteen(Avx2, Box<Constraints<Pair<Eight>, 16>>),
}

macro_rules! each {
    ($self:expr, $it:ident => $work:expr) => {
        match $self {
            Wide::One($it) => $work,
            Wide::Four($it) => $work,
            #[cfg(not(target_arch = "x86_64"))]
            Wide::Eight($it) => $work,
            #[cfg(not(target_arch = "x86_64"))]
            Wide::Sixteen($it) => $work,
            #[cfg(target_arch = "x86_64")]
            Wide::AvxEight(_, $it) => $work,
            #[cfg(target_arch = "x86_64")]
            Wide::AvxSixteen(_, $it) => $work,
        }
    };
}

impl Wide {
    pub(crate) fn new(width: LaneWidth) -> Self {
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = Avx2::detect() {
            match width {
                LaneWidth::Eight | LaneWidth::Auto => return Self::AvxEight(avx2, Box::default()),
                LaneWidth::Sixteen => return Self::AvxSixteen(avx2, Box::default()),
                LaneWidth::One | LaneWidth::Four => {}
            }
        }
        match width {
            LaneWidth::One => Self::One(Box::default()),
            #[cfg(not(target_arch = "x86_64"))]
            LaneWidth::Eight => Self::Eight(Box::default()),
            #[cfg(not(target_arch = "x86_64"))]
            LaneWidth::Sixteen => Self::Sixteen(Box::default()),
            _ => Self::Four(Box::default()),
        }
    }

    pub(crate) fn width(&self) -> usize {
        fn of<L, const W: usize>(_: &Constraints<L, W>) -> usize {
            W
        }
        each!(self, it => of(it))
    }

    pub(crate) fn clear(&mut self) {
        each!(self, it => {
            it.contacts.clear();
            it.joints.clear();
        });
    }

    pub(crate) fn announce(&mut self, stage: Stage, points: usize) {
        each!(self, it => it.contacts.announce(stage, points));
    }

    pub(crate) fn lay_out(&mut self, bouncing: bool) {
        each!(self, it => {
            it.contacts.lay_out(bouncing);
            it.joints.lay_out();
        });
    }

    #[inline]
    pub(crate) fn put(&mut self, stage: Stage, points: usize, contact: u32) {
        each!(self, it => it.contacts.put(stage, points, contact));
    }

    /// Fills the lanes with all contacts that were put.
    pub(crate) fn fill<'s>(&mut self, pool: &mut Pool, source_of: &(impl Fn(u32) -> Source<'s> + Sync)) {
        match self {
            Self::One(it) => it.contacts.fill(&mut Crew { machine: Plain, pool }, source_of),
            Self::Four(it) => it.contacts.fill(&mut Crew { machine: Plain, pool }, source_of),
            #[cfg(not(target_arch = "x86_64"))]
            Self::Eight(it) => it.contacts.fill(&mut Crew { machine: Plain, pool }, source_of),
            #[cfg(not(target_arch = "x86_64"))]
            Self::Sixteen(it) => it.contacts.fill(&mut Crew { machine: Plain, pool }, source_of),
            #[cfg(target_arch = "x86_64")]
            Self::AvxEight(avx2, it) => it.contacts.fill(&mut Crew { machine: *avx2, pool }, source_of),
            #[cfg(target_arch = "x86_64")]
            Self::AvxSixteen(avx2, it) => it.contacts.fill(&mut Crew { machine: *avx2, pool }, source_of),
        }
    }

    pub(crate) fn announce_joint(&mut self, stage: Stage, class: JointClass) {
        each!(self, it => it.joints.announce(stage, class));
    }

    pub(crate) fn put_joint(&mut self, stage: Stage, source: &JointSource<'_>) {
        each!(self, it => it.joints.put(stage, source));
    }

    pub(crate) fn keep_joints(&self, impulses: &mut [JointImpulses], keep: impl FnMut(u32, JointTotal)) {
        each!(self, it => it.joints.keep(impulses, keep));
    }

    /// To be called when all joints have been put.
    pub(crate) fn seal(&mut self) {
        each!(self, it => it.joints.seal());
    }

    pub(crate) fn for_each_result(&self, substeps: u32, result: impl FnMut(u32, Impulses)) {
        each!(self, it => it.contacts.for_each_result(substeps as f32, result));
    }

    /// All substeps of a step.
    pub(crate) fn run(
        &mut self,
        substeps: &Substeps,
        rows: &mut [BodyRow],
        pulls: &[Pull],
        locks: &[Lock],
        pool: &mut Pool,
    ) {
        match self {
            Self::One(it) => substeps.run(&mut Crew { machine: Plain, pool }, it, rows, pulls, locks),
            Self::Four(it) => substeps.run(&mut Crew { machine: Plain, pool }, it, rows, pulls, locks),
            #[cfg(not(target_arch = "x86_64"))]
            Self::Eight(it) => substeps.run(&mut Crew { machine: Plain, pool }, it, rows, pulls, locks),
            #[cfg(not(target_arch = "x86_64"))]
            Self::Sixteen(it) => substeps.run(&mut Crew { machine: Plain, pool }, it, rows, pulls, locks),
            #[cfg(target_arch = "x86_64")]
            Self::AvxEight(avx2, it) => {
                substeps.run(&mut Crew { machine: *avx2, pool }, it, rows, pulls, locks);
            }
            #[cfg(target_arch = "x86_64")]
            Self::AvxSixteen(avx2, it) => {
                substeps.run(&mut Crew { machine: *avx2, pool }, it, rows, pulls, locks);
            }
        }
    }
}

/// A piece of work on lanes, to be compiled for the instructions of a machine.
pub(crate) trait Work {
    /// Does it. `inline(always)` in every implementation, or it is compiled for every machine after all.
    fn run(self);
}

/// Instructions that work can be compiled for. Each piece of work becomes one function: compilers need far longer for all of them
/// in one.
pub(crate) trait Machine: Copy + Sync {
    /// Does some work with them.
    fn run(self, work: impl Work);
}

/// Instructions that every machine has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plain;

impl Machine for Plain {
    #[inline(never)]
    fn run(self, work: impl Work) {
        work.run();
    }
}

/// Instructions of machines with AVX2. Having one means to be on such a machine.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(());

#[cfg(target_arch = "x86_64")]
impl Avx2 {
    /// Asks the processor.
    fn detect() -> Option<Self> {
        std::arch::is_x86_feature_detected!("avx2").then_some(Self(()))
    }
}

#[cfg(target_arch = "x86_64")]
impl Machine for Avx2 {
    fn run(self, work: impl Work) {
        #[target_feature(enable = "avx2")]
        fn compiled(work: impl Work) {
            work.run();
        }
        // SAFETY: the processor was asked before this value was made.
        unsafe { compiled(work) }
    }
}

macro_rules! work {
    ($name:ident($it:ident) { $($field:ident: $type:ty),* } => $($body:tt)*) => {
        struct $name<'a, L, const W: usize> {
            $it: &'a mut Constraints<L, W>,
            $($field: $type,)*
        }

        impl<L: Lanes, const W: usize> Work for $name<'_, L, W> {
            #[inline(always)]
            fn run(self) {
                let Self { $it, $($field,)* } = self;
                $($body)*
            }
        }
    };
}

work!(PrepareJoints(it) {} => it.joints.prepare());
work!(SweepJoints(it) { rows: Rows<'a>, pass: JointPass<'a> } => it.joints.sweep(rows, pass));
work!(SweepContacts(it) { rows: Rows<'a>, pass: Pass<'a> } => it.contacts.sweep(rows, pass));
work!(Rebound(it) { rows: Rows<'a>, bounce: &'a Bounce<'a>, any: &'a mut bool } => {
    *any = it.contacts.bounce(rows, bounce);
});

/// A part of the contacts of a stage.
struct ContactPart<'a, L, const W: usize> {
    contacts: &'a ContactParts<'a, L, W>,
    part: usize,
    parts: usize,
    rows: SharedRows<'a>,
    pass: Pass<'a>,
}

impl<L: Lanes, const W: usize> Work for ContactPart<'_, L, W> {
    #[inline(always)]
    fn run(self) {
        // SAFETY: every part is taken once, and contacts of one colour share no row that moves. In the colour where they do,
        // there is one part.
        unsafe { self.contacts.sweep(self.part, self.parts, self.rows.view(), self.pass) }
    }
}

/// A part of the joints of a stage.
struct JointPart<'a, L, const W: usize> {
    joints: &'a JointParts<'a, L, W>,
    part: usize,
    parts: usize,
    rows: SharedRows<'a>,
    pass: JointPass<'a>,
}

impl<L: Lanes, const W: usize> Work for JointPart<'_, L, W> {
    #[inline(always)]
    fn run(self) {
        // SAFETY: as for contacts.
        unsafe { self.joints.sweep(self.part, self.parts, self.rows.view(), self.pass) }
    }
}

/// Groups that are worth a thread: a group takes some hundred nanoseconds, a thread about one microsecond to come.
const GROUPS_OF_PART: usize = 12;

/// In how many parts the groups of a stage are dealt out.
fn parts_of(stage: usize, groups: usize) -> usize {
    if Stage(stage as u8).is_crowded() { 1 } else { (groups / GROUPS_OF_PART).clamp(1, 16) }
}

/// Who sweeps: the instructions to use, and the threads.
pub(crate) struct Crew<'a, M> {
    pub(crate) machine: M,
    pub(crate) pool: &'a mut Pool,
}

impl<L: Lanes, const W: usize> Constraints<L, W> {
    /// Axes of joints, once per step.
    pub(crate) fn prepare<M: Machine>(&mut self, crew: &mut Crew<'_, M>) {
        crew.machine.run(PrepareJoints { it: self });
    }

    /// The impulses so far; joints where they are now.
    pub(crate) fn begin<M: Machine>(&mut self, crew: &mut Crew<'_, M>, rows: &mut [BodyRow], sweep: &Sweep) {
        self.sweep_joints(crew, rows, JointPass::Begin(sweep));
        self.sweep_contacts(crew, rows, Pass::WarmStart);
    }

    /// One sweep that corrects errors. Contacts have the last word.
    pub(crate) fn push<M: Machine>(&mut self, crew: &mut Crew<'_, M>, rows: &mut [BodyRow], sweep: &Sweep) {
        self.sweep_joints(crew, rows, JointPass::Push);
        self.sweep_contacts(crew, rows, Pass::Push(sweep));
    }

    /// One sweep that does not.
    pub(crate) fn relax<M: Machine>(&mut self, crew: &mut Crew<'_, M>, rows: &mut [BodyRow]) {
        self.sweep_joints(crew, rows, JointPass::Relax);
        self.sweep_contacts(crew, rows, Pass::Relax);
    }

    fn sweep_contacts<M: Machine>(&mut self, crew: &mut Crew<'_, M>, rows: &mut [BodyRow], pass: Pass<'_>) {
        let most = self.contacts.stages().map(|(_, groups)| groups).max().unwrap_or(0);
        if crew.pool.threads() == 1 || most < 2 * GROUPS_OF_PART {
            crew.machine.run(SweepContacts { it: self, rows: Rows::new(rows), pass });
            return;
        }
        let machine = crew.machine;
        for at in 0..self.contacts.stages().count() {
            let Some((stage, groups)) = self.contacts.stages().nth(at) else { return };
            let (parts, contacts) = (parts_of(stage, groups), self.contacts.split(stage));
            let rows = Rows::new(rows).share();
            crew.pool.run(parts, |_, part| {
                machine.run(ContactPart { contacts: &contacts, part, parts, rows, pass });
            });
        }
    }

    fn sweep_joints<M: Machine>(
        &mut self,
        crew: &mut Crew<'_, M>,
        rows: &mut [BodyRow],
        pass: JointPass<'_>,
    ) {
        let most = self.joints.stages().map(|(_, groups)| groups).max().unwrap_or(0);
        if crew.pool.threads() == 1 || most < 2 * GROUPS_OF_PART {
            crew.machine.run(SweepJoints { it: self, rows: Rows::new(rows), pass });
            return;
        }
        let machine = crew.machine;
        for at in 0..self.joints.stages().count() {
            let Some((stage, groups)) = self.joints.stages().nth(at) else { return };
            let (parts, joints) = (parts_of(stage, groups), self.joints.split(stage));
            let rows = Rows::new(rows).share();
            crew.pool.run(parts, |_, part| {
                machine.run(JointPart { joints: &joints, part, parts, rows, pass });
            });
        }
    }

    /// Gives approaching speed back; joints take their share.
    pub(crate) fn bounce<M: Machine>(
        &mut self,
        crew: &mut Crew<'_, M>,
        rows: &mut [BodyRow],
        bounce: &Bounce<'_>,
    ) {
        let mut any = false;
        crew.machine.run(Rebound { it: self, rows: Rows::new(rows), bounce, any: &mut any });
        if any {
            self.sweep_joints(crew, rows, JointPass::Relax);
        }
    }
}
