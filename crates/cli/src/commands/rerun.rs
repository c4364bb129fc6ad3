//! `carom rerun`: a run repeated from its manifest.

use std::path::Path;

use carom_lab::folder::OutputOptions;
use carom_lab::folder::manifest::{Manifest, SCENE_FILE, scene_hash};
use carom_lab::task::Task;
use carom_scene::Scene;
use serde_json::json;

use crate::args::RerunOptions;
use crate::commands::run::{RunOutputs, simulate};
use crate::failure::{Failure, Outcome, Verdict};
use crate::show::{line, remark};
use crate::source::load_scene;

/// `carom rerun`.
pub(crate) fn run(options: &RerunOptions) -> Outcome {
    let (manifest, scene) = read(&options.run)?;
    let Some(expected) = &manifest.state_hash else {
        return Err(Failure::new(format!(
            "{}: the run did not come to its end, so there is nothing to compare with",
            options.run.display()
        ))
        .with_hint("carom run repeats it; its command is in the manifest"));
    };
    let task = Task {
        threads: options.threads.unwrap_or(manifest.task.threads),
        frames: Some(manifest.steps + 1),
        fps: Some(manifest.steps_per_second),
        ..manifest.task.clone()
    };
    let ready = task.prepare_with(scene)?;
    let outputs = RunOutputs { base: ".".into(), options: OutputOptions::default() };
    let done = simulate(&task, &ready, &outputs, options.json)?;
    if done.metrics.interrupted {
        return Err(Failure::interrupted("interrupted: nothing was compared"));
    }
    let found = format!("{:016x}", done.metrics.state_hash);
    let is_equal = found == *expected;
    if options.json {
        let (steps, seconds) = (done.metrics.steps, done.metrics.total().as_secs_f64());
        let value = json!({"run": options.run, "scene": manifest.scene, "steps": steps, "seconds": seconds,
            "expected": expected, "state_hash": found, "equal": is_equal});
        line(value.to_string());
    } else {
        line(format!("{}: {} steps, expected {expected}, found {found}", manifest.scene, done.metrics.steps));
        line(if is_equal { "equal to the bit" } else { "NOT EQUAL" });
    }
    if !is_equal {
        let here = env!("CARGO_PKG_VERSION");
        if manifest.carom != here {
            remark(&format!("note: the run was made by version {}, this is {here}", manifest.carom));
        }
        return Ok(Verdict::CheckFailed);
    }
    Ok(Verdict::Good)
}

/// The manifest of a run and the scene that was kept beside it.
pub(crate) fn read(run: &Path) -> Result<(Manifest, Scene), Failure> {
    let manifest = Manifest::read(run).map_err(|error| {
        Failure::new(error.to_string())
            .with_hint("a run leaves a manifest if it writes anything: carom run … --log")
    })?;
    let folder = if run.is_dir() { run } else { run.parent().unwrap_or(Path::new(".")) };
    let scene = load_scene(&folder.join(SCENE_FILE).display().to_string(), None)?;
    let found = scene_hash(&scene);
    if found != manifest.scene_hash {
        return Err(Failure::new(format!(
            "{}: the scene beside the manifest is not the one that was run ({found}, not {})",
            folder.display(),
            manifest.scene_hash
        )));
    }
    Ok((manifest, scene))
}
