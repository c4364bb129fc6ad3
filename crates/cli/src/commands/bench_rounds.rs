//! Progress and Ctrl-C of the runs of `carom bench` and `carom study`.

use std::convert::Infallible;
use std::path::PathBuf;

use carom_lab::bench::rounds::{Ending, Rounds, Watcher};
use carom_lab::bench::{Comparison, Row};
use carom_lab::measure::Measured;
use indicatif::ProgressBar;

use crate::failure::Failure;
use crate::interrupt;
use crate::progress;

/// The program that measures, unless everything is to run in this process: it is our own.
pub(crate) fn program(in_process: bool) -> Result<Option<PathBuf>, Failure> {
    if in_process {
        return Ok(None);
    }
    std::env::current_exe().map(Some).map_err(|error| {
        Failure::new(format!("this program cannot find itself to start it again: {error}"))
            .with_hint("--in-process runs everything in one process")
    })
}

/// Makes the runs of a comparison. Ctrl-C ends with the rounds that are whole.
pub(crate) fn run(rounds: &Rounds, comparison: &mut Comparison, quiet: bool) -> Result<(), Failure> {
    let runs = u64::from(rounds.runs) * comparison.rows.len() as u64;
    let mut watcher = Bar::new(runs, rounds.runs, quiet);
    let Ok(ending) = rounds.run(comparison, &mut watcher);
    watcher.end();
    match ending {
        Ending::Whole => Ok(()),
        Ending::Interrupted { round: 1 } => {
            Err(Failure::interrupted("interrupted before the first round was whole; nothing was measured"))
        }
        Ending::Interrupted { round } => {
            comparison.drop_round(round);
            Ok(())
        }
    }
}

/// A bar over all runs, `runs` of each task.
pub(crate) struct Bar {
    bar: ProgressBar,
    runs: u32,
}

impl Bar {
    pub(crate) fn new(all: u64, runs: u32, quiet: bool) -> Self {
        Self { bar: progress::runs(all, quiet), runs }
    }

    pub(crate) fn end(&self) {
        self.bar.finish_and_clear();
    }
}

impl Watcher for Bar {
    type Error = Infallible;

    fn begins(&mut self, row: &Row, round: u32) {
        self.bar.set_message(format!("{} {} {round}/{}", row.task.scene, row.label, self.runs));
    }

    fn ticks(&self) {
        self.bar.tick();
    }

    fn measured(&mut self, _: &Measured) -> Result<(), Infallible> {
        self.bar.inc(1);
        Ok(())
    }

    fn passed_over(&mut self) {
        self.bar.inc(1);
    }

    fn is_interrupted(&self) -> bool {
        interrupt::is_interrupted()
    }
}
