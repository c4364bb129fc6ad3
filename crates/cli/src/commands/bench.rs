//! `carom bench`: scenes timed with several broad phases.

use std::ops::ControlFlow;
use std::path::Path;

use carom_lab::bench::{Bench, one_run};
use carom_lab::run::Spread;
use carom_lab::solver::Solver;
use carom_lab::task::How;
use carom_lab::{Choice, output};
use carom_scene::Scene;
use serde_json::json;

use crate::args::BenchOptions;
use crate::commands::bench_engine::EngineBenches;
use crate::failure::{Failure, Outcome, Verdict};
use crate::figures::peak_rss_mb;
use crate::progress;
use crate::show::{grouped, line, remark, table};
use crate::source::{Configuration, load_scene, prepared, task};

/// Runs of each method when nobody says.
const DEFAULT_RUNS: u32 = 3;

/// `carom bench`.
pub(crate) fn run(options: &BenchOptions, config: Option<&Path>) -> Outcome {
    let config = config.map(Configuration::read).transpose()?;
    bench_configured(options, config.as_ref())
}

/// The same with a configuration that has been read.
pub(crate) fn bench_configured(options: &BenchOptions, config: Option<&Configuration>) -> Outcome {
    let mut scenes = options.scenes.clone();
    if scenes.is_empty() {
        let Some(config) = config else {
            return Err(Failure::new("no scene given").with_hint("carom bench box:1000 --broad sap,sapobb"));
        };
        scenes.push(config.scene_path(&config.settings.scene_file_name)?);
    }
    let configured_runs = config.and_then(|c| u32::try_from(c.settings.num_runs_for_benchmark).ok());
    let runs = options.runs.or(configured_runs).unwrap_or(DEFAULT_RUNS).max(1);
    let time = output::timestamp();
    let mut verdict = Verdict::Good;
    let mut reports = Vec::new();
    for source in &scenes {
        let scene = load_scene(source, options.simulation.seed)?;
        let solver = Solver::choose(&scene, options.simulation.solver)
            .map_err(|error| Failure::new(error.to_string()))?;
        match solver {
            Solver::SoftStep => {
                let benches = EngineBenches::run(options, config, source, &scene, runs)?;
                if !benches.all_agree() {
                    verdict = Verdict::CheckFailed;
                }
                if options.simulation.json {
                    reports.extend(benches.json());
                } else {
                    benches.show();
                }
                continue;
            }
            Solver::Compatible(_) => {}
        }
        let benches = bench_scene(options, config, source, &scene, runs)?;
        if !all_agree(&benches) {
            verdict = Verdict::CheckFailed;
        }
        if !options.no_files {
            let base = options.simulation.out.clone().or_else(|| config.map(|c| c.folder.clone()));
            let base = base.unwrap_or_else(|| ".".into());
            for bench in &benches {
                let folder = output::bench_folder(&base, &bench.scene, bench.settings.method, &time);
                bench.write(&folder).map_err(|error| Failure::at(&folder, error))?;
                remark(&format!("written to {}", folder.display()));
            }
        }
        if options.simulation.json {
            reports.extend(benches.iter().map(|bench| to_json(bench, solver.name())));
        } else {
            show(&benches);
        }
    }
    if options.simulation.json {
        line(json!({ "bench": reports }).to_string());
    }
    Ok(verdict)
}

/// The broad phases asked for; `None` leaves the choice to others.
pub(crate) fn choices(options: &BenchOptions) -> Vec<Option<Choice>> {
    match &options.broad {
        Some(choices) => choices.0.iter().copied().map(Some).collect(),
        None => vec![None],
    }
}

/// All methods on one scene, run by run in turn, so that a slow moment of the machine hits them alike.
fn bench_scene(
    options: &BenchOptions,
    config: Option<&Configuration>,
    source: &str,
    scene: &Scene,
    runs: u32,
) -> Result<Vec<Bench>, Failure> {
    let mut benches = Vec::new();
    for choice in choices(options) {
        let task = task(source, &options.simulation, choice, config)?;
        let ready = prepared(&task, scene.clone(), &options.simulation)?;
        let How::Compatible(_, settings) = ready.how else { continue };
        let frames = ready.frames;
        let bodies = scene.bodies.len();
        benches.push(Bench { scene: scene.name.clone(), bodies, settings, frames, runs: Vec::new() });
    }
    for round in 1..=runs {
        for bench in &mut benches {
            let what = format!("{} {round}/{runs}", bench.settings.method);
            let bar = progress::bar(bench.frames - 1, &what, options.simulation.json);
            let done = one_run(scene, bench.settings, bench.frames, || {
                bar.inc(1);
                ControlFlow::Continue(())
            })?;
            bar.finish_and_clear();
            bench.runs.push(done);
        }
    }
    Ok(benches)
}

/// Runs of one method must end in the same state, and methods must find the same collisions.
fn all_agree(benches: &[Bench]) -> bool {
    let mut agree = true;
    for bench in benches.iter().filter(|bench| !bench.runs_agree()) {
        remark(&format!(
            "warning: runs of {} on {} ended in different states",
            bench.settings.method, bench.scene
        ));
        agree = false;
    }
    let contacts = |bench: &Bench| bench.runs.first().map(|run| run.figures.contacts);
    for pair in benches.windows(2) {
        if contacts(&pair[0]) != contacts(&pair[1]) {
            let (a, b) = (pair[0].settings.method, pair[1].settings.method);
            remark(&format!("warning: {a} and {b} found different collisions on {}", pair[0].scene));
            agree = false;
        }
    }
    agree
}

fn spread(bench: &Bench) -> Spread {
    let times: Vec<_> = bench.runs.iter().flat_map(|run| run.figures.step_times.iter().copied()).collect();
    Spread::of(&times)
}

fn show(benches: &[Bench]) {
    let Some(first) = benches.first() else { return };
    line(format!(
        "{}: {} bodies, {} frames, {} runs",
        first.scene,
        first.bodies,
        first.frames,
        first.runs.len()
    ));
    let mut table = table(
        ["broad phase", "ms per step", "median", "95 %", "max", "broad", "narrow", "tests", "collisions"],
        1,
    );
    for bench in benches {
        let spread = spread(bench);
        let steps: u64 = bench.runs.iter().map(|run| run.figures.steps).sum();
        let mean = |pick: fn(&carom_lab::StageTimes) -> std::time::Duration| {
            let sum: f64 = bench.runs.iter().map(|run| pick(&run.figures.times).as_secs_f64()).sum();
            format!("{:.4}", sum * 1000.0 / steps.max(1) as f64)
        };
        let count = |pick: fn(&carom_lab::run::RunFigures) -> u64| {
            grouped(bench.runs.first().map_or(0, |run| pick(&run.figures)))
        };
        table.add_row([
            bench.settings.method.to_string(),
            format!("{:.4}", spread.mean),
            format!("{:.4}", spread.median),
            format!("{:.4}", spread.p95),
            format!("{:.4}", spread.max),
            mean(|times| times.broad),
            mean(|times| times.narrow),
            count(|figures| figures.tested),
            count(|figures| figures.contacts),
        ]);
    }
    line(table.to_string());
}

fn to_json(bench: &Bench, solver: &str) -> serde_json::Value {
    let figures = bench.runs.first().map(|run| &run.figures);
    let described = figures.map(|figures| crate::figures::Described {
        scene: &bench.scene,
        bodies: bench.bodies,
        frames: bench.frames,
        solver,
        settings: &bench.settings,
        figures,
    });
    let mut value = described.map(|d| d.json()).unwrap_or_default();
    let spread = spread(bench);
    value["runs"] = json!(bench.runs.len());
    value["ms_per_frame"] =
        json!({"mean": spread.mean, "median": spread.median, "p95": spread.p95, "max": spread.max});
    value["runs_agree"] = json!(bench.runs_agree());
    value["peak_rss_mb"] = json!(peak_rss_mb());
    value
}
