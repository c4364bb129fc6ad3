//! Sweeps over constraints that are ordered by color, on one thread or on several.

// Parts of a color write rows of one array; that they are different rows is promised by the color.
#![allow(unsafe_code)]

use super::coloring::Stage;
use super::layout::StageSize;
use super::machine::{Crew, Machine, Work};
use super::rows::{Rows, SharedRows, SolverBody};

/// Constraints in groups of lanes, ordered by stage (color): no two of a stage share a row that
/// moves, but in the overflow one.
pub(crate) trait Staged: 'static {
    /// What a sweep does.
    type Pass: Copy + Sync;
    /// All groups, to be shared among threads.
    type View<'a>: Sync;

    /// Stages that have groups, in the order of the sweeps.
    fn stages(&self) -> &[StageSize];

    /// One sweep over everything. `inline(always)` in every implementation, as all that lanes do.
    fn sweep(&mut self, rows: Rows<'_>, pass: Self::Pass);

    /// The stages that have groups, and the groups.
    fn view(&mut self) -> (&[StageSize], Self::View<'_>);

    /// One sweep over one of so many parts of a stage.
    ///
    /// # Safety
    /// Nobody may work on the same part, or write the same rows, at the same time.
    // SAFETY: as said above, by the caller.
    unsafe fn sweep_part(
        groups: &Self::View<'_>,
        stage: usize,
        part: usize,
        parts: usize,
        rows: Rows<'_>,
        pass: Self::Pass,
    );
}

/// A sweep on one thread.
struct Whole<'a, S: Staged> {
    it: &'a mut S,
    rows: Rows<'a>,
    pass: S::Pass,
}

impl<S: Staged> Work for Whole<'_, S> {
    #[inline(always)]
    fn run(self) {
        self.it.sweep(self.rows, self.pass);
    }
}

/// A sweep over a part of a stage.
struct Part<'a, 'g, S: Staged> {
    groups: &'a S::View<'g>,
    stage: usize,
    part: usize,
    parts: usize,
    rows: SharedRows<'a>,
    pass: S::Pass,
}

impl<S: Staged> Work for Part<'_, '_, S> {
    #[inline(always)]
    fn run(self) {
        // SAFETY: every part is taken once, and constraints of one color share no row that moves.
        // In the color where they do, there is one part.
        unsafe { S::sweep_part(self.groups, self.stage, self.part, self.parts, self.rows.view(), self.pass) }
    }
}

/// Groups that are worth a thread: each takes about a hundred nanoseconds, going from part to part
/// twice that.
const GROUPS_OF_PART: usize = 8;

/// In how many parts the groups of a stage are dealt out.
fn parts_of(stage: &StageSize) -> usize {
    let is_overflow = Stage(stage.stage).is_overflow();
    if is_overflow { 1 } else { (stage.groups as usize / GROUPS_OF_PART).clamp(1, 16) }
}

/// One sweep over all constraints of a kind.
pub(crate) fn sweep_all<S: Staged, M: Machine>(
    it: &mut S,
    crew: &mut Crew<'_, M>,
    rows: &mut [SolverBody],
    pass: S::Pass,
) {
    if crew.pool.threads() == 1 || it.stages().iter().all(|stage| parts_of(stage) == 1) {
        crew.machine.run(Whole { it, rows: Rows::new(rows), pass });
        return;
    }
    let (machine, rows) = (crew.machine, Rows::new(rows).share());
    let (stages, groups) = it.view();
    crew.pool.run_stages(
        stages.len(),
        |at| parts_of(&stages[at]),
        |at, part| {
            let (stage, parts) = (usize::from(stages[at].stage), parts_of(&stages[at]));
            machine.run(Part::<S> { groups: &groups, stage, part, parts, rows, pass });
        },
    );
}
