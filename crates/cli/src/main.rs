//! `carom`: the command line of the laboratory.
//!
//! Results go to standard output, progress and remarks to standard error. Exit status: 0 done, 1 a
//! check failed, 2 bad usage, bad input or output that cannot be written, 130 ended by Ctrl-C and
//! 143 by SIGTERM, after the files are whole.
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

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};
use failure::Verdict;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let printed = error.print().and_then(|()| std::io::stdout().flush());
            if !error.use_stderr() {
                show::written(printed);
            }
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    if let Some(command) = name_of_long(&cli) {
        progress::begin(command);
    }
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
    match (verdict, interrupt::status()) {
        (Ok(_), Some(status)) => ExitCode::from(status),
        (Ok(Verdict::Good), None) => ExitCode::SUCCESS,
        (Ok(Verdict::CheckFailed), None) => ExitCode::from(1),
        (Err(failure), status) => {
            show::remark(&failure.to_string());
            ExitCode::from(status.filter(|_| failure.is_interruption()).unwrap_or(2))
        }
    }
}

/// The word of a command that may take long, for its signs of life. What is drawn in the terminal
/// and what another `carom` listens to shows none.
fn name_of_long(cli: &Cli) -> Option<&'static str> {
    Some(match &cli.command {
        None => "demo",
        Some(Command::Run(_)) => "run",
        Some(Command::Rerun(_)) => "rerun",
        Some(Command::Replay(options)) if !options.watch => "replay",
        Some(Command::Resume(_)) => "resume",
        Some(Command::Diverge(_)) => "diverge",
        Some(Command::Bench(_)) => "bench",
        Some(Command::Study(_)) => "study",
        Some(Command::Experiment(_)) => "experiment",
        Some(Command::Report(_)) => "report",
        Some(Command::Pairs(_)) => "pairs",
        Some(Command::Advise(_)) => "advise",
        Some(Command::BenchNarrow(_)) => "bench-narrow",
        Some(Command::Test(_)) => "test",
        Some(Command::Info(_)) => "info",
        Some(Command::Gen(_)) => "gen",
        Some(
            Command::Replay(_) | Command::Measure(_) | Command::List { .. } | Command::Completions { .. },
        ) => return None,
    })
}
