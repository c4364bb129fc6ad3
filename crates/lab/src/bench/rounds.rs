//! The runs of a comparison: rounds in alternating order, each run in a process of its own or in
//! this one.
//!
//! Runs that are there already are not made again, so a comparison that was read back from a file
//! goes on where it ended. Rows that failed or were cut short are not run again either.

use std::ops::ControlFlow;
use std::path::PathBuf;

use super::{Comparison, Row};
use crate::measure::{Conditions, Failed, MeasureError, Measured, isolated, order, watched};
use crate::task::Task;

/// How the runs are made.
#[derive(Clone, Debug)]
pub struct Rounds {
    /// Runs of each row.
    pub runs: u32,
    /// How each is measured.
    pub conditions: Conditions,
    /// A program that knows the command `measure`; `None` to run in this process.
    pub program: Option<PathBuf>,
}

/// Whoever looks on: progress bars, Ctrl-C, files.
pub trait Watcher {
    /// What its files may say.
    type Error;

    /// A run begins.
    fn begins(&mut self, row: &Row, round: u32);

    /// A step of a run in this process is done.
    fn ticks(&self) {}

    /// A run is over, and will be kept if this is well.
    ///
    /// # Errors
    /// If it cannot be kept; that ends the rounds.
    fn measured(&mut self, measured: &Measured) -> Result<(), Self::Error>;

    /// A run is not made: it is there already, or there is no use in it.
    fn passed_over(&mut self);

    /// Shall the rounds end? A run that was going on then is not kept.
    fn is_interrupted(&self) -> bool;
}

/// How the rounds of a comparison ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All were made.
    Whole,
    /// Not all of this one.
    Interrupted {
        /// The round, from 1.
        round: u32,
    },
}

impl Rounds {
    /// Makes every run that is not there yet.
    ///
    /// # Errors
    /// If the watcher cannot keep one.
    pub fn run<W: Watcher>(&self, comparison: &mut Comparison, watcher: &mut W) -> Result<Ending, W::Error> {
        for round in 1..=self.runs {
            for (place, at) in order::round(comparison.rows.len(), round - 1).into_iter().enumerate() {
                let row = &mut comparison.rows[at];
                if row.is_out() || row.has_round(round) {
                    watcher.passed_over();
                    continue;
                }
                if watcher.is_interrupted() {
                    return Ok(Ending::Interrupted { round });
                }
                watcher.begins(row, round);
                let measured = self.measure(&row.task, watcher).at(round, place as u32 + 1);
                if watcher.is_interrupted() {
                    return Ok(Ending::Interrupted { round });
                }
                watcher.measured(&measured)?;
                row.measured.push(measured);
            }
        }
        Ok(Ending::Whole)
    }

    fn measure<W: Watcher>(&self, task: &Task, watcher: &W) -> Measured {
        if let Some(program) = &self.program {
            return isolated(program, task, &self.conditions, &|| watcher.is_interrupted());
        }
        let watch = |_| {
            watcher.ticks();
            if watcher.is_interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let failed = |error: MeasureError| {
            Measured::Failed(Box::new(Failed {
                task: task.clone(),
                reason: error.to_string(),
                ..Failed::default()
            }))
        };
        watched(task, &self.conditions, watch).map_or_else(failed, |sample| Measured::Done(Box::new(sample)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keeps what it sees, and interrupts after some runs.
    #[derive(Default)]
    struct Log {
        begun: Vec<(String, u32)>,
        kept: usize,
        passed_over: usize,
        enough: usize,
    }

    impl Watcher for Log {
        type Error = String;

        fn begins(&mut self, row: &Row, round: u32) {
            self.begun.push((row.label.clone(), round));
        }

        fn measured(&mut self, _: &Measured) -> Result<(), String> {
            self.kept += 1;
            if self.kept == 99 { Err("full".to_owned()) } else { Ok(()) }
        }

        fn passed_over(&mut self) {
            self.passed_over += 1;
        }

        fn is_interrupted(&self) -> bool {
            self.enough > 0 && self.kept >= self.enough
        }
    }

    fn two() -> Comparison {
        let task = |scene: &str| Task { scene: scene.into(), frames: Some(3), ..Task::default() };
        Comparison { rows: vec![Row::new("a", task("box:4")), Row::new("b", task("box:4?seed=2"))] }
    }

    fn rounds(runs: u32) -> Rounds {
        Rounds { runs, conditions: Conditions { warmup: 0, ..Conditions::default() }, program: None }
    }

    #[test]
    fn every_other_round_goes_backwards() {
        let (mut all, mut log) = (two(), Log::default());
        assert_eq!(rounds(2).run(&mut all, &mut log), Ok(Ending::Whole));
        let begun: Vec<(&str, u32)> =
            log.begun.iter().map(|(label, round)| (label.as_str(), *round)).collect();
        assert_eq!(begun, [("a", 1), ("b", 1), ("b", 2), ("a", 2)]);
        assert_eq!((all.complete_rounds(), log.kept, log.passed_over), (2, 4, 0));
    }

    #[test]
    fn what_was_interrupted_goes_on_with_the_runs_that_are_missing() {
        let (mut all, mut log) = (two(), Log { enough: 3, ..Log::default() });
        assert_eq!(rounds(3).run(&mut all, &mut log), Ok(Ending::Interrupted { round: 2 }));
        let mut log = Log::default();
        assert_eq!(rounds(3).run(&mut all, &mut log), Ok(Ending::Whole));
        assert_eq!((all.complete_rounds(), log.kept, log.passed_over), (3, 3, 3));
    }

    #[test]
    fn rows_that_failed_are_not_run_again_and_full_disks_end_the_rounds() {
        let (mut all, mut log) = (two(), Log { kept: 97, ..Log::default() });
        all.rows[1].task.scene = "no such scene".into();
        assert_eq!(rounds(3).run(&mut all, &mut log), Err("full".to_owned()));
        assert!(all.rows[0].complete().count() == 1 && all.rows[1].measured.is_empty());
        let mut log = Log::default();
        assert_eq!(rounds(3).run(&mut all, &mut log), Ok(Ending::Whole));
        assert_eq!((all.rows[0].complete().count(), all.rows[1].measured.len()), (3, 1));
        assert!(all.rows[1].failed().unwrap().reason.contains("no such scene"));
    }
}
