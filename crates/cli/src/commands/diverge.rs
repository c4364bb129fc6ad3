//! `carom diverge`: where two runs part.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use carom_lab::diverge::{CompareError, Compared, Course, Stage, compare};
use carom_lab::folder::manifest::Manifest;
use carom_lab::solver;
use carom_lab::task::Task;
use carom_recording::track::Precision;
use serde_json::json;

use crate::args::DivergeOptions;
use crate::commands::replay::Opened;
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
        [Side::open(&options.first, options.frames)?, Side::open(&options.second, options.frames)?];
    let most = options.frames.unwrap_or(u64::MAX);
    let frames = first.course.frames_left().min(second.course.frames_left()).min(most);
    let bar = progress::bar(frames.saturating_sub(1), "comparing", options.json);
    let mut seen = 0;
    let compared = compare(&mut first.course, &mut second.course, || {
        seen += 1;
        bar.inc(1);
        let is_over = interrupt::is_interrupted() || seen >= most;
        if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    bar.finish_and_clear();
    let compared = compared.map_err(|error| failed(&error, options))?;
    if interrupt::is_interrupted() {
        remark(&format!("interrupted after {} of {frames} frames", compared.frames));
    }
    [&first, &second].into_iter().for_each(Side::tell);
    show(&compared, options);
    let is_equal = compared.divergence.is_none() && !compared.hidden;
    Ok(if is_equal { Verdict::Good } else { Verdict::CheckFailed })
}

fn failed(error: &CompareError, options: &DivergeOptions) -> Failure {
    match error {
        CompareError::NothingInCommon => {
            Failure::new(format!("{} and {}: {error}", options.first, options.second))
                .with_hint("a run that was resumed is recorded from its snapshot on")
        }
        other => Failure::new(other.to_string()),
    }
}

fn show(compared: &Compared, options: &DivergeOptions) {
    let shown = |value: Option<f64>| value.map_or("not there".to_owned(), |value| format!("{value:?}"));
    if options.json {
        let found = compared.divergence.as_ref().map(|d| {
            json!({"frame": d.frame, "stage": d.stage.to_string(), "body": d.body, "name": d.name,
                "field": d.field, "values": d.values, "bodies": d.bodies})
        });
        let value = json!({"first": options.first, "second": options.second, "frames": compared.frames,
            "divergence": found, "pairs_differ": compared.pairs_differ, "hidden": compared.hidden});
        line(value.to_string());
        return;
    }
    if let Some(frame) = compared.pairs_differ {
        line(format!("pairs given to the narrow phase differ from frame {frame} on"));
    }
    match &compared.divergence {
        None if compared.hidden => line(format!(
            "{} frames: bodies are equal to the bit, but the fingerprints of the whole state differ",
            compared.frames
        )),
        None => line(format!("{} frames: equal to the bit", compared.frames)),
        Some(d) => {
            line(format!("first difference: frame {}, {}", d.frame, d.stage));
            line(format!("  body {} '{}', {}", d.body, d.name, d.field));
            let [a, b] = d.values.map(shown);
            line(format!("  {a} in {}", options.first));
            line(format!("  {b} in {}", options.second));
            let differ = if d.bodies == 1 { "body differs" } else { "bodies differ" };
            line(format!("  {} {differ} in this frame", d.bodies));
            if d.stage == Stage::Untold {
                remark(
                    "note: recordings of places alone do not tell the stage: carom run … --record --with all",
                );
            }
        }
    }
}

/// One of the two runs.
struct Side {
    name: String,
    course: Course,
    /// Of a run that is repeated here.
    manifest: Option<Manifest>,
    /// Keeps the file that was made of a scene.dat.
    _converted: Option<tempfile::TempDir>,
}

impl Side {
    /// A run by its folder or its recording, or a scene with settings.
    fn open(run: &str, frames: Option<u64>) -> Result<Self, Failure> {
        let path = Path::new(run);
        let is_ending = |end: &str| path.extension().is_some_and(|found| found == end);
        if let Some(recording) = recording_of(path) {
            let Opened { recording, converted } = Opened::open(&recording)?;
            if let Precision::Quantised { .. } = recording.header().precision {
                remark(&format!(
                    "note: {run} was rounded when it was recorded, so it differs from what happened"
                ));
            }
            let course = Course::recorded(recording).map_err(|error| Failure::at(path, error))?;
            return Ok(Self { name: run.to_owned(), course, manifest: None, _converted: converted });
        }
        let mut kept = None;
        let ready = if path.is_dir() || is_ending("json") {
            let (manifest, scene) = rerun::read(path)?;
            let own = if manifest.steps > 0 { manifest.steps + 1 } else { manifest.frames };
            let task = Task {
                frames: Some(frames.map_or(own, |frames| frames.min(own))),
                fps: Some(manifest.steps_per_second),
                ..manifest.task.clone()
            };
            kept = Some(manifest);
            task.prepare_with(scene)?
        } else {
            let mut task = in_short(run)?;
            task.frames = frames.or(task.frames);
            task.prepare_with(load_scene(&task.scene, task.seed)?)?
        };
        let course = Course::live(ready.session()?);
        Ok(Self { name: run.to_owned(), course, manifest: kept, _converted: None })
    }

    /// A run that was repeated here may have come to another end than it did then.
    fn tell(&self) {
        let (Some(manifest), Some(session)) = (&self.manifest, self.course.session()) else { return };
        let found = format!("{:016x}", session.simulation().state_hash());
        let then = manifest.state_hash.as_ref().filter(|_| manifest.steps == session.steps());
        if let Some(then) = then.filter(|then| **then != found) {
            remark(&format!(
                "note: {} ended in the state {then}; repeated by this program it ends in {found}, which is what was compared",
                self.name
            ));
        }
    }
}

/// The recording that a path names: itself, or the one in the folder of a run.
fn recording_of(path: &Path) -> Option<PathBuf> {
    let is_recording = path.extension().is_some_and(|end| end == "crec" || end == "dat");
    let inside = path.join("recording.crec");
    if is_recording { Some(path.to_path_buf()) } else { inside.is_file().then_some(inside) }
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
            "solver" => task.solver = Some(solver::parse(value).map_err(|e| wrong(&e))?),
            "broad" => task.broad = Some(value.parse().map_err(|e| wrong(&e))?),
            "threads" => task.threads = value.parse().map_err(|e| wrong(&e))?,
            "simd" => task.simd = value.parse().map_err(|e| wrong(&e))?,
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
        assert_eq!((task.scene.as_str(), task.threads, task.simd.name()), ("box:10?seed=3", 2, "4"));
        assert_eq!(in_short("mail@home.xml").unwrap().scene, "mail@home.xml");
        let error = in_short("box:1@treads=2").unwrap_err().to_string();
        assert!(error.contains("'treads=2'") && error.contains("threads"), "{error}");
        assert!(in_short("box:1@threads=x").is_err());
    }
}
