//! The commands, one file each.

pub(crate) mod advise;
mod advise_survey;
pub(crate) mod bench;
mod bench_json;
pub(crate) mod bench_narrow;
mod bench_rounds;
mod bench_table;
pub(crate) mod config;
pub(crate) mod demo;
pub(crate) mod diverge;
pub(crate) mod r#gen;
pub(crate) mod info;
mod info_mesh;
mod info_run;
pub(crate) mod list;
pub(crate) mod measure;
pub(crate) mod pairs;
pub(crate) mod replay;
mod replay_frames;
pub(crate) mod rerun;
pub(crate) mod resume;
pub(crate) mod run;
pub(crate) mod study;
pub(crate) mod study_report;
pub(crate) mod test;

use clap::CommandFactory;

use crate::args::Cli;
use crate::failure::{Outcome, Verdict};
use crate::show;

/// Prints a completion script.
pub(crate) fn completions(shell: clap_complete::Shell) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "carom", &mut script);
    show::line(String::from_utf8_lossy(&script).trim_end());
    Ok(Verdict::Good)
}
