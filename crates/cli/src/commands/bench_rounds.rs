//! The runs of `carom bench`: rounds in alternating order, each run in a process of its own or in this one.

use std::ops::ControlFlow;
use std::path::PathBuf;

use carom_lab::bench::Comparison;
use carom_lab::measure::{Conditions, Failed, MeasureError, Measured, isolated, order, watched};
use carom_lab::task::Task;
use indicatif::ProgressBar;

use crate::failure::Failure;
use crate::interrupt;
use crate::progress;

/// How the runs are made.
pub(crate) struct Rounds {
    pub(crate) runs: u32,
    pub(crate) conditions: Conditions,
    /// Our own program; `None` to run in this process.
    pub(crate) program: Option<PathBuf>,
    pub(crate) quiet: bool,
}

impl Rounds {
    /// Runs every row in every round. Rows that failed or were cut short are not run again. Ctrl-C ends with the rounds that are
    /// whole.
    pub(crate) fn run(&self, comparison: &mut Comparison) -> Result<(), Failure> {
        let contestants = comparison.rows.len();
        let bar = progress::runs(u64::from(self.runs) * contestants as u64, self.quiet);
        for round in 1..=self.runs {
            for (place, at) in order::round(contestants, round - 1).into_iter().enumerate() {
                let row = &mut comparison.rows[at];
                if row.is_out() {
                    bar.inc(1);
                    continue;
                }
                bar.set_message(format!("{} {round}/{}", row.label, self.runs));
                let measured = self.measure(&row.task, &bar);
                if interrupt::is_interrupted() {
                    bar.finish_and_clear();
                    comparison.drop_round(round);
                    return if round > 1 {
                        Ok(())
                    } else {
                        Err(Failure::new(
                            "interrupted before the first round was whole; nothing was measured",
                        ))
                    };
                }
                row.measured.push(measured.at(round, place as u32 + 1));
                bar.inc(1);
            }
        }
        bar.finish_and_clear();
        Ok(())
    }

    fn measure(&self, task: &Task, bar: &ProgressBar) -> Measured {
        if let Some(program) = &self.program {
            return isolated(program, task, &self.conditions);
        }
        let watch = |_| {
            bar.tick();
            if interrupt::is_interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let failed = |error: MeasureError| {
            Measured::Failed(Failed { task: task.clone(), reason: error.to_string(), ..Failed::default() })
        };
        watched(task, &self.conditions, watch).map_or_else(failed, |sample| Measured::Done(Box::new(sample)))
    }
}
