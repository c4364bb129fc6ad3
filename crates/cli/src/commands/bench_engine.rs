//! `carom bench` on the engine: a scene timed with several broad phases, whose runs must be equal to the bit.

use std::ops::ControlFlow;
use std::time::Duration;

use carom_lab::engine::EngineSettings;
use carom_lab::engine::build;
use carom_lab::engine::run::{EngineFigures, run as run_world};
use carom_lab::run::Spread;
use carom_lab::task::How;
use carom_scene::Scene;
use serde_json::{Value, json};

use crate::args::BenchOptions;
use crate::commands::bench::choices;
use crate::failure::Failure;
use crate::figures::ms;
use crate::figures_engine::DescribedEngine;
use crate::progress;
use crate::show::{grouped, line, remark, table};
use crate::source::{Configuration, prepared, task};

/// One broad phase: its settings and its runs.
struct EngineBench {
    settings: EngineSettings,
    broad: String,
    runs: Vec<EngineFigures>,
}

/// All broad phases on one scene.
pub(crate) struct EngineBenches {
    scene: String,
    frames: u64,
    benches: Vec<EngineBench>,
}

impl EngineBenches {
    /// Runs them in turn, so that a slow moment of the machine hits them alike.
    pub(crate) fn run(
        options: &BenchOptions,
        config: Option<&Configuration>,
        source: &str,
        scene: &Scene,
        runs: u32,
    ) -> Result<Self, Failure> {
        let mut all = Self { scene: scene.name.clone(), frames: 1, benches: Vec::new() };
        for choice in choices(options) {
            let task = task(source, &options.simulation, choice, config)?;
            let ready = prepared(&task, scene.clone(), &options.simulation)?;
            let How::Engine(settings) = ready.how else { continue };
            all.frames = ready.frames;
            all.benches.push(EngineBench { settings, broad: String::new(), runs: Vec::new() });
        }
        for round in 1..=runs {
            for bench in &mut all.benches {
                let what = format!("{} {round}/{runs}", scene.name);
                let quiet = options.simulation.json;
                let mut built = build::world(scene, &bench.settings)?;
                let broad = built.world.settings().broad.to_string();
                let bar = progress::bar(all.frames - 1, &what, quiet);
                let figures = run_world(&mut built, &bench.settings, all.frames - 1, |_| {
                    bar.inc(1);
                    ControlFlow::Continue(())
                })?;
                bar.finish_and_clear();
                bench.broad = broad;
                bench.runs.push(figures);
            }
        }
        Ok(all)
    }

    /// Runs of one broad phase must end in the same state. Another broad phase may lead to another one if it hands over more
    /// pairs than boxes that overlap; that is worth a warning.
    pub(crate) fn all_agree(&self) -> bool {
        let Some(first) = self.benches.first().and_then(|bench| bench.runs.first()) else { return true };
        let mut agree = true;
        for bench in &self.benches {
            let (scene, broad) = (&self.scene, &bench.broad);
            if !bench.runs_agree() {
                remark(&format!("warning: runs of {broad} on {scene} ended in different states"));
                agree = false;
            } else if bench.runs.first().is_some_and(|run| run.state_hash != first.state_hash) {
                let other = &self.benches[0].broad;
                remark(&format!("warning: {broad} and {other} ended in different states on {scene}"));
            }
        }
        agree
    }

    /// The table.
    pub(crate) fn show(&self) {
        let Some(first) = self.benches.first().and_then(|bench| bench.runs.first()) else { return };
        let runs = self.benches.first().map_or(0, |bench| bench.runs.len());
        line(format!(
            "{}: {} bodies, {} frames, {runs} runs, solver soft-step, {} lanes",
            self.scene, first.bodies, self.frames, first.lanes
        ));
        let mut table = table(
            ["broad phase", "ms per step", "median", "95 %", "max", "broad", "narrow", "solver", "contacts"],
            1,
        );
        for bench in &self.benches {
            let spread = bench.spread();
            table.add_row([
                bench.broad.clone(),
                format!("{:.4}", spread.mean),
                format!("{:.4}", spread.median),
                format!("{:.4}", spread.p95),
                format!("{:.4}", spread.max),
                bench.mean(|run| run.times.fit + run.times.broad),
                bench.mean(|run| run.times.narrow),
                bench.mean(|run| run.times.solve + run.times.flight),
                grouped(bench.runs.first().map_or(0, |run| run.sums.touching)),
            ]);
        }
        line(table.to_string());
    }

    /// A report for each.
    pub(crate) fn json(&self) -> impl Iterator<Item = Value> + '_ {
        self.benches.iter().filter_map(|bench| {
            let described = DescribedEngine {
                scene: &self.scene,
                frames: self.frames,
                settings: &bench.settings,
                broad: &bench.broad,
                figures: bench.runs.first()?,
            };
            let mut value = described.json();
            let spread = bench.spread();
            value["runs"] = json!(bench.runs.len());
            value["ms_per_frame"] =
                json!({"mean": spread.mean, "median": spread.median, "p95": spread.p95, "max": spread.max});
            value["runs_agree"] = json!(bench.runs_agree());
            Some(value)
        })
    }
}

impl EngineBench {
    fn spread(&self) -> Spread {
        let times: Vec<Duration> = self.runs.iter().flat_map(|run| run.step_times.iter().copied()).collect();
        Spread::of(&times)
    }

    fn runs_agree(&self) -> bool {
        self.runs.windows(2).all(|two| two[0].state_hash == two[1].state_hash)
    }

    /// Mean of a stage, milliseconds per step.
    fn mean(&self, pick: impl Fn(&EngineFigures) -> Duration) -> String {
        let steps: u64 = self.runs.iter().map(|run| run.steps).sum();
        let sum: f64 = self.runs.iter().map(|run| ms(pick(run))).sum();
        format!("{:.4}", sum / steps.max(1) as f64)
    }
}
