//! `carom bench`: scenes timed with several broad phases and thread counts, compared only if they
//! compute the same.

use std::path::{Path, PathBuf};

use carom_fingsics::FingsicsVersion;
use carom_lab::bench::baseline::{Baseline, BaselineError};
use carom_lab::bench::files::{self, BenchManifest, SAMPLES, TABLE};
use carom_lab::bench::rounds::Rounds;
use carom_lab::bench::{Comparison, Row, fingsics_files, page};
use carom_lab::machine::Machine;
use carom_lab::registry;
use carom_lab::task::Task;
use carom_lab::{Choice, output};

use crate::args::BenchOptions;
use crate::commands::{bench_json, bench_rounds, bench_table};
use crate::failure::{Failure, Outcome, Verdict};
use crate::interrupt;
use crate::show::{line, remark};
use crate::source::{Configuration, load_scene, prepared, task};

/// Runs of each task when nobody says: the fewest that can be ranked.
const DEFAULT_RUNS: u32 = carom_lab::bench::rank::ENOUGH as u32;

/// `carom bench`.
pub(crate) fn run(options: &BenchOptions, config: Option<&Path>) -> Outcome {
    let config = config.map(Configuration::read).transpose()?;
    bench_configured(options, config.as_ref())
}

/// The same with a configuration that has been read.
pub(crate) fn bench_configured(options: &BenchOptions, config: Option<&Configuration>) -> Outcome {
    interrupt::watch();
    let base = options.simulation.out.clone().or_else(|| config.map(|c| c.folder.clone()));
    let base = base.unwrap_or_else(|| ".".into());
    // What would fail at the end should fail before hours of measuring.
    let then = options.against.as_deref().map(|name| Baseline::read(&base, name)).transpose()?;
    if let Some(name) = &options.save {
        Baseline::path(&base, name)?;
    }
    let rounds = rounds(options, config)?;
    let mut done = Benchmark {
        machine: Machine::here(),
        started: output::timestamp(),
        comparisons: Vec::new(),
        folder: None,
        then,
        tolerance: options.tolerance.0 / 100.0,
    };
    let all: Vec<Comparison> = scenes(options, config)?
        .iter()
        .map(|scene| rows(options, config, scene))
        .collect::<Result<_, _>>()?;
    for mut comparison in all {
        bench_rounds::run(&rounds, &mut comparison, options.simulation.json)?;
        warn(&comparison, &rounds);
        done.comparisons.push(comparison);
        if interrupt::is_interrupted() {
            let whole = done.comparisons.last().map_or(0, Comparison::complete_rounds);
            remark(&format!("interrupted: figures are those of {whole} whole rounds of {}", rounds.runs));
            break;
        }
    }
    if !options.no_files {
        done.write_files(&base, &rounds)?;
    }
    if let Some(name) = &options.save {
        let path = Baseline::new(name, done.machine.clone(), &done.comparisons).save(&base)?;
        remark(&format!("kept as {}", path.display()));
    }
    if options.simulation.json {
        line(bench_json::report(&done).to_string());
    } else {
        bench_table::show(&done);
    }
    Ok(done.verdict())
}

/// A benchmark that is over.
pub(crate) struct Benchmark {
    pub(crate) machine: Machine,
    started: String,
    pub(crate) comparisons: Vec<Comparison>,
    /// Where its files are.
    pub(crate) folder: Option<PathBuf>,
    /// What it is compared with.
    pub(crate) then: Option<Baseline>,
    /// Share that a row may be slower.
    pub(crate) tolerance: f64,
}

impl Benchmark {
    pub(crate) fn rows(&self) -> impl Iterator<Item = &Row> {
        self.comparisons.iter().flat_map(|comparison| &comparison.rows)
    }

    fn verdict(&self) -> Verdict {
        let differ = self.comparisons.iter().any(|comparison| !comparison.differences().is_empty());
        let failed = self.rows().any(|row| row.failed().is_some());
        let worse = |then: &Baseline| self.rows().any(|row| then.change(row).fails(self.tolerance));
        let worse = self.then.as_ref().is_some_and(worse);
        if differ || failed || worse { Verdict::CheckFailed } else { Verdict::Good }
    }

    fn write_files(&mut self, base: &Path, rounds: &Rounds) -> Result<(), Failure> {
        for row in self.rows() {
            let Some(sample) = row.complete().next() else { continue };
            // Only its own rules have the reports of Fingsics.
            if sample.solver.parse::<FingsicsVersion>().is_err() {
                continue;
            }
            let folder =
                output::bench_folder(base, &sample.scene, &fingsics_files::broad_name(sample), &self.started);
            fingsics_files::write(row, &folder).map_err(|error| Failure::at(&folder, error))?;
            remark(&format!("written to {}", folder.display()));
        }
        let named = self.rows().find_map(|row| row.example().map(|sample| sample.scene.as_str()));
        let folder = output::measurement_folder(base, named.unwrap_or("failed"), &self.started);
        let folder = output::make_own(&folder).map_err(|error| Failure::at(&folder, error))?;
        let differences = self.comparisons.iter().flat_map(Comparison::differences);
        let manifest = BenchManifest {
            command: std::env::args().collect(),
            tasks: self.rows().map(|row| row.task.clone()).collect(),
            machine: self.machine.clone(),
            runs: rounds.runs,
            warmup: rounds.conditions.warmup,
            budget_s: rounds.conditions.budget.map(|budget| budget.as_secs_f64()),
            pin: rounds.conditions.pin.map(|pin| pin.to_string()),
            isolated: rounds.program.is_some(),
            started: self.started.clone(),
            finished: output::timestamp(),
            interrupted: interrupt::is_interrupted(),
            differences: differences.map(|difference| difference.to_string()).collect(),
            files: [SAMPLES, TABLE, "report.html", "report.md"].map(str::to_owned).to_vec(),
        };
        files::write(&folder, &manifest, &self.comparisons).map_err(|error| Failure::at(&folder, error))?;
        let page = page::page(&manifest, &self.comparisons);
        page.write(&folder).map_err(|error| Failure::new(error.to_string()))?;
        remark(&format!("written to {}", folder.display()));
        self.folder = Some(folder);
        Ok(())
    }
}

fn rounds(options: &BenchOptions, config: Option<&Configuration>) -> Result<Rounds, Failure> {
    let configured = config.and_then(|c| u32::try_from(c.settings.num_runs_for_benchmark).ok());
    Ok(Rounds {
        runs: options.runs.or(configured).unwrap_or(DEFAULT_RUNS).max(1),
        conditions: options.conditions.conditions(),
        program: bench_rounds::program(options.in_process)?,
    })
}

fn scenes(options: &BenchOptions, config: Option<&Configuration>) -> Result<Vec<String>, Failure> {
    match config {
        _ if !options.scenes.is_empty() => Ok(options.scenes.clone()),
        Some(config) => Ok(vec![config.scene_path(&config.settings.scene_file_name)?]),
        None => Err(Failure::new("no scene given").with_hint("carom bench box:1000 --broad sap,sapobb")),
    }
}

/// The rows of a scene: every broad phase with every number of threads. Whatever cannot be run is
/// refused here.
fn rows(options: &BenchOptions, config: Option<&Configuration>, source: &str) -> Result<Comparison, Failure> {
    let scene = load_scene(source, options.simulation.seed)?;
    let broad: Vec<Option<Choice>> = options
        .broad
        .as_ref()
        .map_or_else(|| vec![None], |choices| choices.0.iter().copied().map(Some).collect());
    let threads = if options.threads.is_empty() { &[1][..] } else { options.threads.as_slice() };
    let mut tasks: Vec<Task> = Vec::new();
    for &choice in &broad {
        for &threads in threads {
            tasks.push(task(source, &options.simulation, choice, threads, config)?);
        }
    }
    let Some(first) = tasks.first() else { return Ok(Comparison::default()) };
    // The first says what its solver ignores; the others would only repeat it.
    let ready = prepared(first, scene.clone())?;
    let factory = registry().factory(&ready.solver.spec.name);
    let has_threads = factory.is_ok_and(|factory| factory.has_setting("threads"));
    let session = ready.session()?;
    if !has_threads {
        // More threads would be the same row again.
        tasks.retain(|task| task.threads == threads[0]);
    }
    tasks.iter().try_for_each(|task| task.prepare_with(scene.clone()).map(drop))?;
    let label = |task: &Task| {
        let broad =
            task.broad.map_or_else(|| session.info().broad_phase.clone(), |choice| choice.to_string());
        if threads.len() > 1 && has_threads { format!("{broad} ×{}", task.threads) } else { broad }
    };
    Ok(Comparison { rows: tasks.iter().map(|task| Row::new(label(task), task.clone())).collect() })
}

/// What the reader of the figures must know.
fn warn(comparison: &Comparison, rounds: &Rounds) {
    for difference in comparison.differences() {
        remark(&format!("warning: {difference}"));
    }
    for row in &comparison.rows {
        if let Some(failed) = row.failed() {
            remark(&format!("warning: {} failed: {}", row.label, failed.reason));
        }
        for body in row.example().into_iter().flat_map(|sample| &sample.quarantined).take(10) {
            remark(&format!("warning: {}: {body} blew up; it was put back and stopped", row.label));
        }
    }
    let is_pinned = comparison.rows.iter().flat_map(Row::samples).all(|sample| !sample.pinned.is_empty());
    if let Some(pin) = rounds.conditions.pin.filter(|_| !is_pinned) {
        remark(&format!("warning: --pin {pin} is not possible here; runs went where the system put them"));
    }
}

impl From<BaselineError> for Failure {
    fn from(error: BaselineError) -> Self {
        let failure = Self::new(error.to_string());
        match error.hint() {
            Some(hint) => failure.with_hint(hint),
            None => failure,
        }
    }
}
