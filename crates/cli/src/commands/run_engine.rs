//! `carom run` on the engine.

use std::ops::ControlFlow;

use carom_lab::engine::EngineSettings;
use carom_lab::engine::build;
use carom_lab::engine::run::{EngineFigures, run as run_world};
use carom_scene::Scene;

use crate::args::RunOptions;
use crate::failure::{Failure, Outcome, Verdict};
use crate::figures_engine::DescribedEngine;
use crate::progress;
use crate::show::{line, remark};
use crate::source::{Configuration, engine_settings};

/// Most bodies that blew up named one by one.
const SHOWN: usize = 10;

/// One simulation.
pub(crate) fn run(
    options: &RunOptions,
    config: Option<&Configuration>,
    source: &str,
    scene: &Scene,
) -> Outcome {
    if options.log || options.record {
        return Err(Failure::new("the soft-step solver writes no log.csv and no scene.dat yet")
            .with_hint("--json gives the figures; --solver fingsics writes both"));
    }
    let simulation = &options.simulation;
    let (settings, frames) = engine_settings(scene, source, simulation, options.broad, config)?;
    let (broad, figures) = simulate(scene, &settings, frames, &scene.name, simulation.json)?;
    report_quarantine(&figures);
    let described =
        DescribedEngine { scene: &scene.name, frames, settings: &settings, broad: &broad, figures: &figures };
    if simulation.json {
        line(described.json().to_string());
        return Ok(Verdict::Good);
    }
    line(described.headline());
    line(described.stage_table());
    line(described.count_table());
    line(described.times_line());
    line(format!("state hash {:016x}", figures.state_hash));
    Ok(Verdict::Good)
}

/// Steps a scene with a progress bar; gives the broad phase that was used and the figures.
pub(crate) fn simulate(
    scene: &Scene,
    settings: &EngineSettings,
    frames: u64,
    what: &str,
    quiet: bool,
) -> Result<(String, EngineFigures), Failure> {
    let mut built = build::world(scene, settings)?;
    let broad = built.world.settings().broad.to_string();
    let steps = frames - 1;
    let bar = progress::bar(steps, what, quiet);
    let figures = run_world(&mut built, settings, steps, |_| {
        bar.inc(1);
        ControlFlow::Continue(())
    });
    bar.finish_and_clear();
    Ok((broad, figures?))
}

/// Bodies that blew up are never silent.
pub(crate) fn report_quarantine(figures: &EngineFigures) {
    for (step, body) in figures.quarantined.iter().take(SHOWN) {
        remark(&format!("warning: {body} blew up in step {step}; it was put back and stopped"));
    }
    if figures.quarantined.len() > SHOWN {
        remark(&format!("warning: … and {} more", figures.quarantined.len() - SHOWN));
    }
}
