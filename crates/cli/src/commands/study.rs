//! `carom study`, `carom experiment` and `carom report`: plans measured, taken up again, shared and
//! reported.

use std::path::{Path, PathBuf};

use carom_core::input_file;
use carom_lab::bench::rounds::Ending;
use carom_lab::experiment::replay::{self, ReplayError};
use carom_lab::experiment::{Asked, Experiment};
use carom_lab::machine::Machine;
use carom_lab::output;
use carom_lab::study::Study;
use carom_lab::study::group::Shard;
use carom_lab::study::journal::{Journal, JournalError, Sitting, read};
use carom_lab::study::plan::{Plan, PlanError};
use carom_scene::Scene;

use crate::args::{ExperimentOptions, StudyOptions, Work};
use crate::commands::{bench_rounds, study_report};
use crate::failure::{Failure, Outcome, Verdict};
use crate::interrupt;
use crate::progress;
use crate::show::{grouped, line, remark, table};

/// `carom study`.
pub(crate) fn study(options: &StudyOptions) -> Outcome {
    let text =
        input_file::read_to_string(&options.plan).map_err(|error| Failure::at(&options.plan, error))?;
    let named =
        |error: PlanError| Failure::at(&options.plan, error).with_hint("docs/studies.md explains every key");
    let plan = Plan::parse(&text).map_err(named)?;
    let study = Study::new(plan).map_err(named)?;
    work(study, None, &options.work)
}

/// `carom experiment`.
pub(crate) fn experiment(options: &ExperimentOptions) -> Outcome {
    if let Some(folder) = options.data.as_deref().filter(|folder| !folder.is_dir()) {
        return Err(Failure::new(format!("--data {}: there is no such folder", folder.display())));
    }
    let asked = Asked { quick: options.quick, data: options.data.clone(), runs: options.runs };
    let study = Study::new(options.name.plan(&asked)).map_err(|error| Failure::new(error.to_string()))?;
    work(study, Some((options.name, options.quick)), &options.work)
}

/// The folder of a study below a base.
fn folder_of(study: &Study, is_experiment: bool, work: &Work) -> Result<PathBuf, Failure> {
    let base = work.out.clone().unwrap_or_else(|| ".".into());
    let folder = base.join(if is_experiment { "experiments" } else { "studies" }).join(&study.plan.name);
    if work.fresh {
        output::make_own(&folder).map_err(|error| Failure::at(&folder, error))
    } else {
        Ok(folder)
    }
}

fn work(mut study: Study, experiment: Option<(Experiment, bool)>, work: &Work) -> Outcome {
    interrupt::watch();
    if work.dry_run {
        show_plan(&study, work.shard);
        return Ok(Verdict::Good);
    }
    check_scenes(&study, work.shard)?;
    let folder = folder_of(&study, experiment.is_some(), work)?;
    let sitting = Sitting {
        command: std::env::args().collect(),
        shard: work.shard,
        machine: Machine::here(),
        started: output::timestamp(),
        finished: None,
        interrupted: false,
    };
    let name = experiment.map(|(experiment, _)| experiment.name());
    let mut journal = Journal::open(&folder, &study.plan, name, sitting)?;
    let stored = read(&folder)?;
    let there = study.take_in(stored.measured).known;
    if there > 0 {
        remark(&format!("{there} runs are in {} already (--fresh begins anew)", folder.display()));
    }
    if stored.torn > 0 {
        remark(&format!("note: {} runs were cut off by a sudden end and are made again", stored.torn));
    }
    let rounds = study.rounds(bench_rounds::program(work.in_process)?);
    let mut bar = bench_rounds::Bar::new(study.runs_of(work.shard), study.plan.runs, work.json);
    let ending = study.run(work.shard, &rounds, &mut journal, &mut bar);
    bar.end();
    let mut interrupted = ending? != Ending::Whole;
    if let Some((experiment, quick)) = experiment.filter(|_| !interrupted && work.shard.index == 1) {
        interrupted = !replays(experiment, quick, &folder, work.json)?;
    }
    journal.end(output::timestamp(), interrupted)?;
    if interrupted {
        remark(&format!(
            "interrupted: every run so far is in {}; the same command goes on",
            folder.display()
        ));
    }
    if work.shard.count > 1 && study.unfinished().next().is_some() {
        let done = format!("shard {} is done; carom report {} when all are", work.shard, folder.display());
        remark(if interrupted { "the report waits" } else { &done });
        return Ok(Verdict::Good);
    }
    study_report::write(&folder, work.json)
}

/// What cannot be run should be told before hours of measuring.
fn check_scenes(study: &Study, shard: Shard) -> Result<(), Failure> {
    for (at, group) in study.groups.iter().enumerate().filter(|(at, _)| shard.holds(*at)) {
        let Some(first) = group.comparison.rows.first() else { continue };
        let scene = first.task.prepare()?.scene;
        for row in &group.comparison.rows {
            let prepared = row.task.prepare_with(Scene::clone(&scene))?;
            if at == 0 && row.label == first.label {
                prepared.notes.iter().for_each(|note| remark(&format!("note: {note}")));
            }
        }
    }
    Ok(())
}

fn show_plan(study: &Study, shard: Shard) {
    let mut table = table(["", "group", "rows", "runs"], 3);
    for (at, group) in study.groups.iter().enumerate().filter(|(at, _)| shard.holds(*at)) {
        let labels: Vec<&str> = group.comparison.rows.iter().map(|row| row.label.as_str()).collect();
        let runs = labels.len() as u64 * u64::from(study.plan.runs);
        table.add_row([(at + 1).to_string(), group.name(), labels.join(", "), grouped(runs)]);
    }
    line(table.to_string());
    line(format!("{} runs in all", grouped(study.runs_of(shard))));
}

/// Records and replays what is not there yet; false if it was interrupted.
fn replays(experiment: Experiment, quick: bool, folder: &Path, quiet: bool) -> Result<bool, Failure> {
    let done = replay::read(folder)?;
    let tasks = experiment.replays(quick);
    let bar = progress::runs(tasks.len() as u64, quiet);
    for task in tasks {
        bar.set_message(format!("replay of {}", task.scene));
        if !done.iter().any(|one| one.task == task) {
            match replay::replay(&task, folder, || !interrupt::is_interrupted()) {
                Ok(replayed) => replay::add(folder, vec![replayed])?,
                Err(ReplayError::Interrupted) => return Ok(false),
                Err(error) => return Err(error.into()),
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(true)
}

impl From<JournalError> for Failure {
    fn from(error: JournalError) -> Self {
        let failure = Self::new(error.to_string());
        match error.hint() {
            Some(hint) => failure.with_hint(hint),
            None => failure,
        }
    }
}

impl From<ReplayError> for Failure {
    fn from(error: ReplayError) -> Self {
        match error {
            ReplayError::Task(error) => error.into(),
            ReplayError::Session(error) => error.into(),
            ReplayError::Simulation(error) => error.into(),
            other => Self::new(other.to_string()),
        }
    }
}
