//! `carom diverge`: where two runs part.

use std::ops::ControlFlow;
use std::path::Path;

use carom_lab::diverge::{Compared, compare};
use carom_lab::session::Session;
use carom_lab::task::Task;
use serde_json::json;

use crate::args::DivergeOptions;
use crate::commands::rerun;
use crate::failure::{Failure, Outcome, Verdict};
use crate::interrupt;
use crate::progress;
use crate::show::{line, remark};
use crate::source::load_scene;

/// `carom diverge`.
pub(crate) fn run(options: &DivergeOptions) -> Outcome {
    interrupt::watch();
    let [mut first, mut second] =
        [session(&options.first, options.frames)?, session(&options.second, options.frames)?];
    let frames = first.frames().min(second.frames());
    let bar = progress::bar(frames - 1, "comparing", options.json);
    let compared = compare(&mut first, &mut second, || {
        bar.inc(1);
        if interrupt::is_interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    bar.finish_and_clear();
    if interrupt::is_interrupted() {
        remark(&format!("interrupted after {} of {frames} frames", compared.frames));
    }
    show(&compared, options);
    Ok(if compared.divergence.is_some() { Verdict::CheckFailed } else { Verdict::Good })
}

fn show(compared: &Compared, options: &DivergeOptions) {
    let shown = |value: Option<f64>| value.map_or("not there".to_owned(), |value| format!("{value:?}"));
    if options.json {
        let found = compared.divergence.as_ref().map(|d| {
            json!({"frame": d.frame, "stage": d.stage.to_string(), "body": d.body, "name": d.name,
                "field": d.field, "values": d.values, "bodies": d.bodies})
        });
        let value = json!({"first": options.first, "second": options.second, "frames": compared.frames,
            "divergence": found, "pairs_differ": compared.pairs_differ});
        line(value.to_string());
        return;
    }
    if let Some(frame) = compared.pairs_differ {
        line(format!("pairs given to the narrow phase differ from frame {frame} on"));
    }
    match &compared.divergence {
        None => line(format!("{} frames: equal to the bit", compared.frames)),
        Some(d) => {
            line(format!("first difference: frame {}, {}", d.frame, d.stage));
            line(format!("  body {} '{}', {}", d.body, d.name, d.field));
            let [a, b] = d.values.map(shown);
            line(format!("  {a} in {}", options.first));
            line(format!("  {b} in {}", options.second));
            line(format!("  {} bodies differ in this frame", d.bodies));
        }
    }
}

/// A run by its folder, or a scene with settings.
fn session(run: &str, frames: Option<u64>) -> Result<Session, Failure> {
    let path = Path::new(run);
    let is_manifest = path.is_dir() || path.extension().is_some_and(|end| end == "json");
    let ready = if is_manifest {
        let (manifest, scene) = rerun::read(path)?;
        let own = if manifest.steps > 0 { manifest.steps + 1 } else { manifest.frames };
        let task = Task {
            frames: Some(frames.map_or(own, |frames| frames.min(own))),
            fps: Some(manifest.steps_per_second),
            ..manifest.task
        };
        task.prepare_with(scene)?
    } else {
        let mut task = in_short(run)?;
        task.frames = frames.or(task.frames);
        task.prepare_with(load_scene(&task.scene, task.seed)?)?
    };
    Ok(Session::new(ready)?)
}

/// A task as `SCENE@key=value,…`.
fn in_short(text: &str) -> Result<Task, Failure> {
    let (scene, settings) = match text.rsplit_once('@') {
        Some((scene, settings)) if settings.contains('=') => (scene, settings),
        _ => (text, ""),
    };
    let mut task = Task { scene: scene.to_owned(), ..Task::default() };
    for setting in settings.split(',').filter(|setting| !setting.is_empty()) {
        let (key, value) = setting.split_once('=').unwrap_or((setting, ""));
        let wrong = |why: &dyn std::fmt::Display| Failure::new(format!("'{setting}' in '{text}': {why}"));
        match key {
            "solver" => task.solver = Some(value.parse().map_err(|e| wrong(&e))?),
            "broad" => task.broad = Some(value.parse().map_err(|e| wrong(&e))?),
            "threads" => task.threads = value.parse().map_err(|e| wrong(&e))?,
            "simd" => task.lanes = value.parse().map_err(|e| wrong(&e))?,
            "seed" => task.seed = Some(value.parse().map_err(|e| wrong(&e))?),
            "fps" => task.fps = Some(value.parse().map_err(|e| wrong(&e))?),
            _ => {
                return Err(wrong(&"no such setting").with_hint("solver, broad, threads, simd, seed, fps"));
            }
        }
    }
    Ok(task)
}

#[cfg(test)]
mod tests {
    use super::in_short;

    #[test]
    fn tasks_in_short() {
        let task = in_short("box:10?seed=3@threads=2,broad=grid,simd=4").unwrap();
        assert_eq!((task.scene.as_str(), task.threads, task.lanes.name()), ("box:10?seed=3", 2, "4"));
        assert_eq!(in_short("mail@home.xml").unwrap().scene, "mail@home.xml");
        let error = in_short("box:1@treads=2").unwrap_err().to_string();
        assert!(error.contains("'treads=2'") && error.contains("threads"), "{error}");
        assert!(in_short("box:1@threads=x").is_err());
    }
}
