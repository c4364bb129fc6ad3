//! From words to a scene that can be run, and its settings.

use std::path::{Path, PathBuf};

use carom_lab::solver::FINGSICS;
use carom_lab::task::{DEFAULT_FRAMES, Prepared, Task};
use carom_lab::{Choice, Method};
use carom_scene::Scene;
use carom_scene::file::{Loaded, Origin, read_bytes};
use carom_scene::fingsics::{FingsicsConfig, RunMode, read_config};
use carom_sim::SimulationSpec;
use carom_sim::load;

use crate::args::Simulation;
use crate::failure::{Failure, pointed};
use crate::show::remark;

/// Loads a scene (any kind) and shows the reader's warnings.
pub(crate) fn load_any(source: &str, seed: Option<u64>) -> Result<Loaded, Failure> {
    let loaded = load::load_any(source, seed)?;
    if let Origin::File(path) = &loaded.origin {
        let path = path.display().to_string();
        loaded.warnings.iter().for_each(|warning| remark(&format!("warning: {}", pointed(&path, warning))));
    }
    Ok(loaded)
}

/// Says which rules an XML scene is run by if nobody chose them, and how to get the others.
pub(crate) fn tell_rules(source: &str, scene: &Scene, options: &Simulation, config: Option<&Configuration>) {
    let is_xml = Path::new(source).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("xml"));
    if is_xml && options.solver.is_none() && scene.solver.solver.is_none() && config.is_none() {
        remark(&format!(
            "note: {source} runs on the engine; --solver fingsics runs it by the Fingsics rules"
        ));
    }
}

/// Loads a three-dimensional scene without problems.
pub(crate) fn load_scene(source: &str, seed: Option<u64>) -> Result<Scene, Failure> {
    Ok(load::spatial(load_any(source, seed)?, source)?.scene)
}

/// A configuration file: its settings, and the folder its paths are relative to.
#[derive(Debug)]
pub(crate) struct Configuration {
    pub(crate) settings: FingsicsConfig,
    pub(crate) folder: PathBuf,
}

impl Configuration {
    /// Reads a configuration and shows its warnings.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let shown = path.display().to_string();
        let bytes = read_bytes(&shown)?;
        let parsed = read_config(&bytes).map_err(|error| Failure::in_text(&shown, &error.errors))?;
        parsed.warnings.iter().for_each(|warning| remark(&format!("warning: {}", pointed(&shown, warning))));
        remark(
            "note: without a viewer, FULLSCREEN, WINDOWED_WIDTH, WINDOWED_HEIGHT, DRAW_AXES, SHOW_FPS, OBJECT_DEFINITION \
             and RECORD_VIDEO have no effect yet",
        );
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder.to_path_buf(),
            _ => PathBuf::from("."),
        };
        let settings = parsed.value;
        if settings.stop_at_frame == 0 || settings.stop_at_frame < -1 {
            let message = format!("{shown}: STOP_AT_FRAME={} is no number of frames", settings.stop_at_frame);
            return Err(Failure::new(message).with_hint("1 or more, or -1 for no end"));
        }
        if settings.run_mode == RunMode::Benchmark && settings.num_runs_for_benchmark < 1 {
            let runs = settings.num_runs_for_benchmark;
            return Err(Failure::new(format!("{shown}: NUM_RUNS_FOR_BENCHMARK={runs} measures nothing"))
                .with_hint("1 or more; 5 or more if methods are to be ranked"));
        }
        Ok(Self { settings, folder })
    }

    /// The scene file it names.
    pub(crate) fn scene_path(&self, name: &str) -> Result<String, Failure> {
        if name.is_empty() {
            return Err(Failure::new("the configuration names no scene")
                .with_hint("SCENE_FILE_NAME=bowling runs scenes/bowling.xml"));
        }
        let path = self.folder.join("scenes").join(format!("{name}.xml"));
        if path.is_file() {
            return Ok(path.display().to_string());
        }
        let folder = self.folder.join("scenes");
        Err(Failure::new(format!("there is no scene '{name}.xml' in the folder {}", folder.display()))
            .with_hint(
                "SCENE_FILE_NAME is the name without .xml; paths are relative to the configuration file",
            ))
    }

    /// Its broad phase.
    pub(crate) fn method(&self) -> Result<Method, Failure> {
        let name = self.settings.broad_phase.name();
        name.parse().map_err(|error: carom_lab::UnknownMethod| Failure::new(error.to_string()))
    }

    /// Its number of frames; `None` for "until quit".
    pub(crate) fn frames(&self) -> Option<u64> {
        u64::try_from(self.settings.stop_at_frame).ok()
    }
}

/// What the user and the configuration ask for, as a task.
pub(crate) fn task(
    source: &str,
    options: &Simulation,
    broad: Option<Choice>,
    threads: u16,
    config: Option<&Configuration>,
) -> Result<Task, Failure> {
    let configured = config.and_then(|config| {
        if config.frames().is_none() && options.frames.is_none() {
            remark(&format!(
                "note: STOP_AT_FRAME=-1 runs until quit; without a viewer {DEFAULT_FRAMES} frames are run"
            ));
            return Some(DEFAULT_FRAMES);
        }
        config.frames()
    });
    let method = config.map(Configuration::method).transpose()?;
    Ok(Task {
        scene: source.to_owned(),
        seed: options.seed,
        frames: options.frames.or(configured),
        fps: options.fps.or(config.map(|config| config.settings.fps_cap)),
        // A configuration file is a run of Fingsics.
        solver: options.solver.clone().or(config.map(|_| SimulationSpec::named(FINGSICS))),
        broad: broad.or(method.map(Choice::from)),
        threads,
        narrow: named(&options.narrow),
        integrator: named(&options.integrator),
        simd: options.simd,
        keep_quirks: options.keep_quirks.clone(),
        fix_quirks: options.fix_quirks.clone(),
    })
}

/// A choice by name; `auto` leaves it open.
fn named(name: &str) -> Option<String> {
    (name != "auto").then(|| name.to_owned())
}

/// A task with its scene, ready to go; what its solver ignores is told.
pub(crate) fn prepared(task: &Task, scene: Scene) -> Result<Prepared, Failure> {
    let prepared = task.prepare_with(scene)?;
    prepared.notes.iter().for_each(|note| remark(&format!("note: {note}")));
    Ok(prepared)
}
