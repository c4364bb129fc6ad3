//! Studies: many tasks from a plan, measured group by group, on one machine or many, interrupted
//! and taken up again at will.
//!
//! | module | holds |
//! |---|---|
//! | [`plan`] | what to measure, as a file that people write |
//! | [`group`] | the same simulation with different settings; shards |
//! | [`journal`] | the folder: every run is on the disk before the next begins |
//! | [`chart`] | curves over sizes, with fitted exponents |
//! | [`page`] | the report |

pub mod chart;
pub mod group;
pub mod journal;
pub mod page;
pub mod plan;

use std::collections::BTreeMap;
use std::time::Duration;

use crate::bench::rounds::{Ending, Rounds, Watcher};
use crate::bench::{Comparison, Row};
use crate::measure::{Conditions, Measured};
use group::{Group, Shard};
use journal::{Journal, JournalError};
use plan::{Plan, PlanError};

/// A plan and what was measured of it.
#[derive(Clone, Debug)]
pub struct Study {
    /// The plan.
    pub plan: Plan,
    /// Its groups, with the runs that are there.
    pub groups: Vec<Group>,
}

/// What became of runs that were read back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TakenIn {
    /// Runs of the plan.
    pub known: usize,
    /// Runs that were there already: two shards did the same.
    pub twice: usize,
    /// Runs of no task of the plan.
    pub strange: usize,
}

impl Study {
    /// A plan of which nothing was measured.
    ///
    /// # Errors
    /// If it makes no sense.
    pub fn new(plan: Plan) -> Result<Self, PlanError> {
        let groups = plan.groups()?;
        Ok(Self { plan, groups })
    }

    /// Puts runs into their rows. Of two runs of a task in one round the first is kept.
    pub fn take_in(&mut self, measured: Vec<Measured>) -> TakenIn {
        let mut rows: BTreeMap<String, &mut Row> = BTreeMap::new();
        for row in self.groups.iter_mut().flat_map(|group| &mut group.comparison.rows) {
            rows.insert(row.task.key(), row);
        }
        let mut taken = TakenIn::default();
        for run in measured {
            match rows.get_mut(&run.task().key()) {
                None => taken.strange += 1,
                Some(row) if row.has_round(run.round()) => taken.twice += 1,
                Some(row) => {
                    taken.known += 1;
                    row.measured.push(run);
                }
            }
        }
        for row in rows.into_values() {
            row.measured.sort_by_key(Measured::round);
        }
        taken
    }

    /// How the plan wants its runs made; `program` knows the command `measure`.
    #[must_use]
    pub fn rounds(&self, program: Option<std::path::PathBuf>) -> Rounds {
        let budget = self.plan.budget.map(Duration::from_secs_f64);
        let conditions = Conditions { warmup: self.plan.warmup, budget, pin: self.plan.pin };
        Rounds { runs: self.plan.runs, conditions, program }
    }

    /// Makes every run of a shard that is not there yet. Rows that were too slow at a smaller size
    /// are left out.
    ///
    /// # Errors
    /// If a run cannot be kept.
    pub fn run<W: Watcher>(
        &mut self,
        shard: Shard,
        rounds: &Rounds,
        journal: &mut Journal,
        watcher: &mut W,
    ) -> Result<Ending, JournalError> {
        for at in (0..self.groups.len()).filter(|&at| shard.holds(at)) {
            let mut to_run = Comparison::default();
            let mut places = Vec::new();
            for (place, row) in self.groups[at].comparison.rows.iter().enumerate() {
                if self.groups[at].given_up_at(row, &self.groups, self.plan.longest_step).is_some() {
                    (0..rounds.runs).for_each(|_| watcher.passed_over());
                } else {
                    places.push(place);
                    to_run.rows.push(row.clone());
                }
            }
            let ending = rounds.run(&mut to_run, &mut Keeper { journal, watcher });
            for (place, row) in places.into_iter().zip(to_run.rows) {
                self.groups[at].comparison.rows[place] = row;
            }
            if let ending @ Ending::Interrupted { .. } = ending? {
                return Ok(ending);
            }
        }
        Ok(Ending::Whole)
    }

    /// Runs that a shard has in all.
    #[must_use]
    pub fn runs_of(&self, shard: Shard) -> u64 {
        let groups = self.groups.iter().enumerate().filter(|(at, _)| shard.holds(*at));
        let rows: usize = groups.map(|(_, group)| group.comparison.rows.len()).sum();
        rows as u64 * u64::from(self.plan.runs)
    }

    /// Rows that still lack runs, leaving out those that are given up.
    pub fn unfinished(&self) -> impl Iterator<Item = (&Group, &Row)> {
        let rows =
            self.groups.iter().flat_map(|group| group.comparison.rows.iter().map(move |row| (group, row)));
        rows.filter(|(group, row)| {
            !row.is_out()
                && row.complete().count() < self.plan.runs as usize
                && group.given_up_at(row, &self.groups, self.plan.longest_step).is_none()
        })
    }
}

/// Writes every run down before anybody else sees it.
struct Keeper<'a, W> {
    journal: &'a mut Journal,
    watcher: &'a mut W,
}

impl<W: Watcher> Watcher for Keeper<'_, W> {
    type Error = JournalError;

    fn begins(&mut self, row: &Row, round: u32) {
        self.watcher.begins(row, round);
    }

    fn ticks(&self) {
        self.watcher.ticks();
    }

    fn measured(&mut self, measured: &Measured) -> Result<(), JournalError> {
        self.journal.add(measured)?;
        // Whoever looks on has nothing to add to what the disk says.
        let _ = self.watcher.measured(measured);
        Ok(())
    }

    fn passed_over(&mut self) {
        self.watcher.passed_over();
    }

    fn is_interrupted(&self) -> bool {
        self.watcher.is_interrupted()
    }
}
