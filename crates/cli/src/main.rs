//! `carom`: the command line of the laboratory.
//!
//! Results go to standard output, progress bars and remarks to standard error. Exit status: 0 done,
//! 1 a check failed, 2 bad usage or bad input.
#![forbid(unsafe_code)]

mod args;
mod commands;
mod failure;
mod interrupt;
mod picture;
mod progress;
mod show;
mod source;
mod summary;

use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};
use failure::Verdict;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let verdict = match cli.command {
        None => match &cli.config {
            Some(config) => commands::config::run(config),
            None => commands::demo::run(),
        },
        Some(Command::Run(options)) => commands::run::run(&options, cli.config.as_deref()),
        Some(Command::Rerun(options)) => commands::rerun::run(&options),
        Some(Command::Replay(options)) => commands::replay::run(&options),
        Some(Command::Resume(options)) => commands::resume::run(&options),
        Some(Command::Diverge(options)) => commands::diverge::run(&options),
        Some(Command::Bench(options)) => commands::bench::run(&options, cli.config.as_deref()),
        Some(Command::Study(options)) => commands::study::study(&options),
        Some(Command::Experiment(options)) => commands::study::experiment(&options),
        Some(Command::Report(options)) => commands::study_report::run(&options),
        Some(Command::Measure(options)) => commands::measure::run(&options),
        Some(Command::Pairs(options)) => commands::pairs::run(&options),
        Some(Command::Advise(options)) => commands::advise::run(&options),
        Some(Command::BenchNarrow(options)) => commands::bench_narrow::run(&options),
        Some(Command::Test(options)) => commands::test::run(&options),
        Some(Command::Info(options)) => commands::info::run(&options),
        Some(Command::Gen(options)) => commands::r#gen::run(&options),
        Some(Command::List { kind }) => commands::list::run(kind),
        Some(Command::Completions { shell }) => commands::completions(shell),
    };
    match verdict {
        Ok(Verdict::Good) => ExitCode::SUCCESS,
        Ok(Verdict::CheckFailed) => ExitCode::from(1),
        Err(failure) => {
            show::remark(&failure.to_string());
            ExitCode::from(2)
        }
    }
}
