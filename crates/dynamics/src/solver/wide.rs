//! The width of the sweeps, chosen when the program runs.
//!
//! The sweeps are compiled once for each width: for registers of four numbers, which every machine
//! has, and for those of eight of machines with AVX2. Every lane computes what it would alone, so
//! the width changes nothing but time.

use carom_core::simd::Pair;
use carom_core::simd::dispatch::{Baseline, InstructionSet, Kernel};
use carom_core::simd::f32x4;
#[cfg(target_arch = "x86_64")]
use carom_core::simd::{Avx8, dispatch::Avx2};
use carom_core::threads::ThreadPool;

use super::bounce::{Bounce, ImpactIslands};
use super::coloring::Stage;
use super::contact::Sweep;
use super::impacts::Impacts;
use super::joint_rows::{JointSource, JointTotal};
use super::joint_stages::{JointPass, Joints};
use super::lanes::SolverLanes;
use super::prepare::Source;
use super::rows::{Rows, SolverBody};
use super::solver_bodies::SolverBodies;
use super::staged::sweep_all;
use super::stages::{Contacts, Kinds, Pass};
use super::substeps::Substeps;
use super::worker_context::WorkerContext;
use crate::state::impulses::{Impulses, JointClass, JointImpulses};
use crate::state::settings::SimdWidth;

/// Contacts and joints in lanes of a width.
#[derive(Clone, Debug)]
pub(crate) struct Constraints<L, const W: usize> {
    contacts: Contacts<L, W>,
    joints: Joints<L, W>,
}

impl<L: SolverLanes, const W: usize> Default for Constraints<L, W> {
    fn default() -> Self {
        Self { contacts: Contacts::default(), joints: Joints::default() }
    }
}

/// Constraints in lanes of some width. Wide lanes are only worth their instructions: machines that
/// lack those take narrower ones.
#[derive(Clone, Debug)]
pub(crate) enum Wide {
    One(Box<Constraints<f32, 1>>),
    Four(Box<Constraints<f32x4, 4>>),
    #[cfg(not(target_arch = "x86_64"))]
    Eight(Box<Constraints<Pair<f32x4>, 8>>),
    #[cfg(not(target_arch = "x86_64"))]
    Sixteen(Box<Constraints<Pair<Pair<f32x4>>, 16>>),
    #[cfg(target_arch = "x86_64")]
    AvxEight(Avx2, Box<Constraints<Avx8, 8>>),
    #[cfg(target_arch = "x86_64")]
    AvxSixteen(Avx2, Box<Constraints<Pair<Avx8>, 16>>),
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

/// The same, with those who sweep at that width.
macro_rules! each_with_context {
    ($self:expr, $pool:expr, ($it:ident, $context:ident) => $work:expr) => {
        match $self {
            Wide::One($it) => {
                let $context = &mut WorkerContext { instruction_set: Baseline, pool: $pool };
                $work
            }
            Wide::Four($it) => {
                let $context = &mut WorkerContext { instruction_set: Baseline, pool: $pool };
                $work
            }
            #[cfg(not(target_arch = "x86_64"))]
            Wide::Eight($it) => {
                let $context = &mut WorkerContext { instruction_set: Baseline, pool: $pool };
                $work
            }
            #[cfg(not(target_arch = "x86_64"))]
            Wide::Sixteen($it) => {
                let $context = &mut WorkerContext { instruction_set: Baseline, pool: $pool };
                $work
            }
            #[cfg(target_arch = "x86_64")]
            Wide::AvxEight(avx2, $it) => {
                let $context = &mut WorkerContext { instruction_set: *avx2, pool: $pool };
                $work
            }
            #[cfg(target_arch = "x86_64")]
            Wide::AvxSixteen(avx2, $it) => {
                let $context = &mut WorkerContext { instruction_set: *avx2, pool: $pool };
                $work
            }
        }
    };
}

impl Wide {
    pub(crate) fn new(width: SimdWidth) -> Self {
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = Avx2::detect() {
            match width {
                SimdWidth::Eight | SimdWidth::Auto => return Self::AvxEight(avx2, Box::default()),
                SimdWidth::Sixteen => return Self::AvxSixteen(avx2, Box::default()),
                SimdWidth::One | SimdWidth::Four => {}
            }
        }
        match width {
            SimdWidth::One => Self::One(Box::default()),
            #[cfg(not(target_arch = "x86_64"))]
            SimdWidth::Eight => Self::Eight(Box::default()),
            #[cfg(not(target_arch = "x86_64"))]
            SimdWidth::Sixteen => Self::Sixteen(Box::default()),
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

    pub(crate) fn lay_out(&mut self, kinds: Kinds) {
        each!(self, it => {
            it.contacts.lay_out(kinds);
            it.joints.lay_out();
        });
    }

    #[inline]
    pub(crate) fn put(&mut self, stage: Stage, points: usize, contact: u32) {
        each!(self, it => it.contacts.put(stage, points, contact));
    }

    /// Fills the lanes with all contacts that were put; `ask_for` is told which will be needed
    /// soon.
    pub(crate) fn fill<'s>(
        &mut self,
        pool: &mut ThreadPool,
        source_of: &(impl Fn(u32) -> Source<'s> + Sync),
        ask_for: &(impl Fn(u32) + Sync),
    ) {
        each_with_context!(self, pool, (it, context) => it.contacts.fill(context, source_of, ask_for));
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

    /// Adds the elastic energy of joints to their rows, after the substeps.
    pub(crate) fn add_elastic_energy(
        &self,
        frequency_squared: f32,
        of_rows: &mut [f32],
        pool: &mut ThreadPool,
    ) {
        each_with_context!(self, pool, (it, context) => {
            let joints = &it.joints;
            context.instruction_set.run(ElasticEnergy { joints, frequency_squared, of_rows });
        });
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
        solver_bodies: &mut SolverBodies,
        impact_islands: Option<&mut ImpactIslands<'_>>,
        pool: &mut ThreadPool,
    ) {
        each_with_context!(
            self, pool, (it, context) => substeps.run(context, it, solver_bodies, impact_islands)
        );
    }
}

/// Axes of joints.
struct PrepareJoints<'a, L, const W: usize>(&'a mut Joints<L, W>);

impl<L: SolverLanes, const W: usize> Kernel for PrepareJoints<'_, L, W> {
    #[inline(always)]
    fn run(self) {
        self.0.prepare();
    }
}

/// Energy that joints store.
struct ElasticEnergy<'a, L, const W: usize> {
    joints: &'a Joints<L, W>,
    frequency_squared: f32,
    of_rows: &'a mut [f32],
}

impl<L: SolverLanes, const W: usize> Kernel for ElasticEnergy<'_, L, W> {
    #[inline(always)]
    fn run(self) {
        self.joints.add_elastic_energy(self.frequency_squared, self.of_rows);
    }
}

/// Islands with impacts.
struct FindImpacts<'a, 'i, L, const W: usize> {
    contacts: &'a mut Contacts<L, W>,
    rows: Rows<'a>,
    bounce: &'a Bounce<'a>,
    islands: &'a mut ImpactIslands<'i>,
}

impl<L: SolverLanes, const W: usize> Kernel for FindImpacts<'_, '_, L, W> {
    #[inline(always)]
    fn run(self) {
        self.contacts.find_impacts(self.rows, self.bounce, self.islands);
    }
}

impl<L: SolverLanes, const W: usize> Constraints<L, W> {
    /// Axes of joints, once per step.
    pub(crate) fn prepare<I: InstructionSet>(&mut self, context: &mut WorkerContext<'_, I>) {
        context.instruction_set.run(PrepareJoints(&mut self.joints));
    }

    /// Finds what may bounce, before anything moves.
    pub(crate) fn find_impacts<I: InstructionSet>(
        &mut self,
        context: &mut WorkerContext<'_, I>,
        rows: &mut [SolverBody],
        bounce: &Bounce<'_>,
        islands: &mut ImpactIslands<'_>,
    ) {
        let (contacts, rows) = (&mut self.contacts, Rows::new(rows));
        context.instruction_set.run(FindImpacts { contacts, rows, bounce, islands });
    }

    /// The impulses of the last step.
    pub(crate) fn warm_start<I: InstructionSet>(
        &mut self,
        context: &mut WorkerContext<'_, I>,
        rows: &mut [SolverBody],
        sweep: Sweep,
    ) {
        sweep_all(&mut self.joints, context, rows, JointPass::WarmStart(sweep));
        sweep_all(&mut self.contacts, context, rows, Pass::WarmStart);
    }

    /// One sweep that corrects errors. Contacts have the last word.
    pub(crate) fn solve<I: InstructionSet>(
        &mut self,
        context: &mut WorkerContext<'_, I>,
        rows: &mut [SolverBody],
        sweep: Sweep,
    ) {
        sweep_all(&mut self.joints, context, rows, JointPass::Solve(sweep));
        sweep_all(&mut self.contacts, context, rows, Pass::Solve(sweep));
    }

    /// One sweep that does not, `sweep` being what the next substep would begin with.
    pub(crate) fn relax<I: InstructionSet>(
        &mut self,
        context: &mut WorkerContext<'_, I>,
        rows: &mut [SolverBody],
        sweep: Sweep,
    ) {
        sweep_all(&mut self.joints, context, rows, JointPass::Relax(sweep));
        sweep_all(&mut self.contacts, context, rows, Pass::Relax);
    }

    /// Gives approaching speed back; joints take their share.
    pub(crate) fn bounce<I: InstructionSet>(
        &mut self,
        context: &mut WorkerContext<'_, I>,
        rows: &mut [SolverBody],
        bounce: &Bounce<'_>,
    ) {
        let Self { contacts, joints } = self;
        if contacts.has_impacts() {
            context.instruction_set.run(Impacts { contacts, joints, rows: Rows::new(rows), bounce });
        }
    }
}
