//! From words to a scene that can be run, and its settings.

use std::path::{Path, PathBuf};

use carom_lab::engine::EngineSettings;
use carom_lab::solver::{Compatible, Solver};
use carom_lab::{Choice, ChoiceError, Method, Settings};
use carom_scene::Scene;
use carom_scene::file::{Loaded, Origin, SceneFile, load, read_bytes};
use carom_scene::fingsics::{FingsicsConfig, read_config};
use carom_scene::{library, swarm};

use crate::args::Simulation;
use crate::failure::{Failure, pointed};
use crate::show::remark;

/// Frames of a run when neither the user nor the scene says.
const DEFAULT_FRAMES: u64 = 600;
/// Most problems of a scene shown.
const SHOWN_PROBLEMS: usize = 20;

/// Loads a scene (any kind) and shows the reader's warnings.
pub(crate) fn load_any(source: &str, seed: Option<u64>) -> Result<Loaded, Failure> {
    if swarm::knows(source) {
        return Err(Failure::new(format!("'{source}' is a swarm: boxes that move, without bodies"))
            .with_hint(format!("carom pairs {source}")));
    }
    let source = with_seed(source, seed)?;
    let loaded = load(&source)?;
    if let Origin::File(path) = &loaded.origin {
        let path = path.display().to_string();
        loaded.warnings.iter().for_each(|warning| remark(&format!("warning: {}", pointed(&path, warning))));
    }
    Ok(loaded)
}

/// Loads a three-dimensional scene without problems.
pub(crate) fn load_scene(source: &str, seed: Option<u64>) -> Result<Scene, Failure> {
    let loaded = load_any(source, seed)?;
    let problems = loaded.problems();
    if !problems.is_empty() {
        let mut shown: Vec<String> = problems.iter().take(SHOWN_PROBLEMS).map(|p| format!("  {p}")).collect();
        if problems.len() > SHOWN_PROBLEMS {
            shown.push(format!("  … and {} more", problems.len() - SHOWN_PROBLEMS));
        }
        return Err(Failure::new(format!("'{source}' cannot be simulated:\n{}", shown.join("\n"))));
    }
    match loaded.scene {
        SceneFile::Spatial(scene) => Ok(scene),
        SceneFile::Planar(_) => Err(Failure::new(format!("'{source}' is a two-dimensional scene"))
            .with_hint("the solvers of this version are three-dimensional; carom info shows it")),
    }
}

/// Puts a seed into a library request; files have none.
pub(crate) fn with_seed(source: &str, seed: Option<u64>) -> Result<String, Failure> {
    let Some(seed) = seed else { return Ok(source.to_owned()) };
    if !library::knows(source) && !swarm::knows(source) {
        return Err(Failure::new(format!("--seed has no meaning for the file '{source}'"))
            .with_hint("only library scenes and swarms are made from a seed"));
    }
    let joint = if source.contains('?') { '&' } else { '?' };
    Ok(format!("{source}{joint}seed={seed}"))
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
        Ok(Self { settings: parsed.value, folder })
    }

    /// The scene file it names.
    pub(crate) fn scene_path(&self, name: &str) -> Result<String, Failure> {
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

/// How long a run is and how fine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Length {
    /// Steps per simulated second.
    pub(crate) steps_per_second: u32,
    /// Frames; the first is the scene as loaded, so there is one step less.
    pub(crate) frames: u64,
}

/// Length of a run: what the user says, else the configuration, else the scene, else the default.
pub(crate) fn length(scene: &Scene, options: &Simulation, config: Option<&Configuration>) -> Length {
    let steps_per_second = options
        .fps
        .or(config.map(|config| config.settings.fps_cap))
        .or(scene.solver.steps_per_second)
        .unwrap_or(60);
    let configured = config.and_then(|config| {
        if config.frames().is_none() {
            remark(&format!(
                "note: STOP_AT_FRAME=-1 runs until quit; without a viewer {DEFAULT_FRAMES} frames are run"
            ));
        }
        config.frames()
    });
    let frames =
        options.frames.or(configured).or(scene.solver.frames.map(u64::from)).unwrap_or(DEFAULT_FRAMES).max(1);
    Length { steps_per_second, frames }
}

/// The broad phase that somebody chose: the user, else the configuration, else the scene.
fn chosen_broad(
    scene: &Scene,
    broad: Option<Choice>,
    config: Option<&Configuration>,
) -> Result<Option<Choice>, Failure> {
    if broad.is_some() {
        return Ok(broad);
    }
    if let Some(config) = config {
        return Ok(Some(config.method()?.into()));
    }
    let named = scene.solver.broad.as_deref().filter(|name| !name.is_empty());
    let parsed = named.map(|name| name.parse().map_err(|error: ChoiceError| Failure::new(error.to_string())));
    parsed.transpose()
}

/// The solver of a run.
pub(crate) fn solver(scene: &Scene, options: &Simulation) -> Result<Solver, Failure> {
    let solver = Solver::choose(scene, options.solver).map_err(|error| Failure::new(error.to_string()))?;
    for (option, value) in [("--narrow", &options.narrow), ("--integrator", &options.integrator)] {
        let fits = match solver {
            Solver::SoftStep => value != "fingsics",
            Solver::Compatible(_) => value != "soft-step",
        };
        if !fits {
            return Err(Failure::new(format!("{option} {value} does not go with the solver {solver}"))
                .with_hint(format!("leave {option} out, or choose another --solver")));
        }
    }
    Ok(solver)
}

/// Settings of a run by the original's rules.
pub(crate) fn compatible_settings(
    scene: &Scene,
    rules: Compatible,
    options: &Simulation,
    broad: Option<Choice>,
    config: Option<&Configuration>,
) -> Result<(Settings, u64), Failure> {
    let choice = chosen_broad(scene, broad, config)?.unwrap_or(Method::Sap.into());
    if choice != Choice::from(choice.method) {
        return Err(Failure::new(format!(
            "the fingsics rules take broad phases without options, not {choice}"
        ))
        .with_hint(format!("--broad {}, or --solver soft-step", choice.method)));
    }
    let mut rules = rules.rules();
    for (slips, keep) in [(&options.mend, false), (&options.keep, true)] {
        slips.iter().flat_map(|slips| &slips.0).for_each(|slip| slip.set(&mut rules, keep));
    }
    if options.threads > 1 {
        remark("note: the fingsics rules run on one thread");
    }
    let ignored = carom_lab::build::ignored(scene);
    if !ignored.is_empty() {
        remark(&format!("note: the fingsics rules know no {}", ignored.join(", no ")));
    }
    let Length { steps_per_second, frames } = length(scene, options, config);
    Ok((Settings { method: choice.method, rules, steps_per_second }, frames))
}

/// Settings of a run on the engine; meshes lie beside the file that `source` names.
pub(crate) fn engine_settings(
    scene: &Scene,
    source: &str,
    options: &Simulation,
    broad: Option<Choice>,
    config: Option<&Configuration>,
) -> Result<(EngineSettings, u64), Failure> {
    if options.keep.is_some() || options.mend.is_some() {
        return Err(Failure::new("--keep and --mend are about slips of the fingsics rules")
            .with_hint("leave them out, or choose --solver fingsics"));
    }
    let ignored = carom_lab::engine::build::ignored(scene);
    if !ignored.is_empty() {
        remark(&format!("note: the soft-step solver knows no {}", ignored.join(", no ")));
    }
    let Length { steps_per_second, frames } = length(scene, options, config);
    let settings = EngineSettings {
        steps_per_second,
        broad: chosen_broad(scene, broad, config)?,
        lanes: options.simd,
        threads: options.threads,
        folder: Path::new(source).parent().map_or_else(PathBuf::new, Path::to_path_buf),
    };
    Ok((settings, frames))
}
