//! `carom run`: one simulation, with report and recording if asked.

use std::fs;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use carom_lab::frame_log::{self, Row};
use carom_lab::run::{RunFigures, run as run_world};
use carom_lab::solver::Solver;
use carom_lab::{Settings, World, build, output};
use carom_recording::scene_dat::{Object, Pose, Writer};
use carom_scene::Scene;

use crate::args::RunOptions;
use crate::commands::run_engine;
use crate::failure::{Failure, Outcome, Verdict};
use crate::figures::Described;
use crate::progress;
use crate::show::{line, remark};
use crate::source::{Configuration, compatible_settings, load_scene, solver};

/// `carom run`.
pub(crate) fn run(options: &RunOptions, config: Option<&Path>) -> Outcome {
    let config = config.map(Configuration::read).transpose()?;
    run_configured(options, config.as_ref())
}

/// The same with a configuration that has been read.
pub(crate) fn run_configured(options: &RunOptions, config: Option<&Configuration>) -> Outcome {
    let source = match (&options.scene, config) {
        (Some(scene), _) => scene.clone(),
        (None, Some(config)) => config.scene_path(&config.settings.scene_file_name)?,
        (None, None) => {
            return Err(Failure::new("no scene given").with_hint("carom run box:1000, or carom list scenes"));
        }
    };
    let simulation = &options.simulation;
    let scene = load_scene(&source, simulation.seed)?;
    let solver = solver(&scene, simulation)?;
    let rules = match solver {
        Solver::SoftStep => return run_engine::run(options, config, &source, &scene),
        Solver::Compatible(rules) => rules,
    };
    let (settings, frames) = compatible_settings(&scene, rules, simulation, options.broad, config)?;
    let log = options.log || config.is_some_and(|c| c.settings.log);
    let record = options.record || config.is_some_and(|c| c.settings.record_scene);
    let base =
        simulation.out.clone().or_else(|| config.map(|c| c.folder.clone())).unwrap_or_else(|| ".".into());
    let mut files = Files::open(&base, &scene, &settings, frames, log, record)?;

    let (world, figures) = simulate(&scene, settings, frames, simulation.json, &mut files)?;
    let folder = files.finish()?;

    let described = Described {
        scene: &scene.name,
        bodies: world.len(),
        frames,
        solver: solver.name(),
        settings: &settings,
        figures: &figures,
    };
    report_quarantine(&world, &figures);
    if simulation.json {
        line(described.json().to_string());
        return Ok(Verdict::Good);
    }
    line(format!(
        "{}: {} bodies, {frames} frames ({} steps) at {} Hz, broad phase {}, solver {solver}",
        scene.name,
        world.len(),
        figures.steps,
        settings.steps_per_second,
        settings.method
    ));
    line(described.stage_table());
    line(described.count_table());
    line(described.times_line());
    line(format!("state hash {:016x}", figures.state_hash));
    if let Some(folder) = folder {
        line(format!("written to {}", folder.display()));
    }
    Ok(Verdict::Good)
}

/// Steps a scene with a progress bar, feeding the open files.
pub(crate) fn simulate(
    scene: &Scene,
    settings: Settings,
    frames: u64,
    quiet: bool,
    files: &mut Files,
) -> Result<(World, RunFigures), Failure> {
    let mut world = build::world(scene, settings)?;
    let steps = frames - 1;
    let bar = progress::bar(steps, &scene.name, quiet);
    let mut failure = files.frame(&world).err();
    let mut figures = RunFigures::default();
    if failure.is_none() {
        figures = run_world(&mut world, steps, |world, report| {
            bar.inc(1);
            let written = files.row(&Row::from(report)).and_then(|()| files.frame(world));
            match written {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    failure = Some(error);
                    ControlFlow::Break(())
                }
            }
        });
    }
    bar.finish_and_clear();
    match failure {
        None => Ok((world, figures)),
        Some(failure) => Err(failure),
    }
}

/// Bodies that blew up are never silent.
pub(crate) fn report_quarantine(world: &World, figures: &RunFigures) {
    for &(step, body) in figures.quarantined.iter().take(10) {
        let id = world.id(body);
        remark(&format!(
            "warning: body '{id}' left the finite numbers in step {step}; it was put back and stopped"
        ));
    }
    if figures.quarantined.len() > 10 {
        remark(&format!("warning: … and {} more", figures.quarantined.len() - 10));
    }
}

/// The files of a run, written while it goes on.
pub(crate) struct Files {
    folder: Option<PathBuf>,
    log: Option<(PathBuf, io::BufWriter<fs::File>)>,
    recording: Option<Writer>,
}

impl Files {
    /// No files.
    pub(crate) fn none() -> Self {
        Self { folder: None, log: None, recording: None }
    }

    fn open(
        base: &Path,
        scene: &Scene,
        settings: &Settings,
        frames: u64,
        log: bool,
        record: bool,
    ) -> Result<Self, Failure> {
        if !log && !record {
            return Ok(Self::none());
        }
        let folder = output::run_folder(base, &scene.name, &output::timestamp());
        fs::create_dir_all(&folder).map_err(|error| Failure::at(&folder, error))?;
        let log = if log { Some(open_log(folder.join("log.csv"))?) } else { None };
        let recording = if record {
            let objects = Object::of_scene(scene).map_err(|error| Failure::new(error.to_string()))?;
            let frames = u32::try_from(frames)
                .map_err(|_| Failure::new(format!("{frames} frames do not fit scene.dat")))?;
            let path = folder.join("scene.dat");
            let writer = Writer::create(&path, &objects, frames, settings.steps_per_second);
            Some(writer.map_err(|error| Failure::new(error.to_string()))?)
        } else {
            None
        };
        Ok(Self { folder: Some(folder), log, recording })
    }

    fn row(&mut self, row: &Row) -> Result<(), Failure> {
        let Some((path, log)) = &mut self.log else { return Ok(()) };
        frame_log::write_row(log, row).map_err(|error| Failure::at(path, error))
    }

    fn frame(&mut self, world: &World) -> Result<(), Failure> {
        let Some(recording) = &mut self.recording else { return Ok(()) };
        let poses = world.positions().iter().zip(world.rotations()).map(|(position, rotation)| {
            let [a, b, c] = rotation.0.map(|row| row.to_array());
            let rotation = [a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2]];
            Pose { position: position.to_array(), rotation }
        });
        recording.push(poses).map_err(|error| Failure::new(error.to_string()))
    }

    /// Ends the files; returns their folder.
    fn finish(self) -> Result<Option<PathBuf>, Failure> {
        if let Some((path, mut log)) = self.log {
            log.flush().map_err(|error| Failure::at(&path, error))?;
        }
        if let Some(recording) = self.recording {
            recording.finish().map_err(|error| Failure::new(error.to_string()))?;
        }
        Ok(self.folder)
    }
}

fn open_log(path: PathBuf) -> Result<(PathBuf, io::BufWriter<fs::File>), Failure> {
    let mut log =
        fs::File::create(&path).map(io::BufWriter::new).map_err(|error| Failure::at(&path, error))?;
    writeln!(log, "{}", frame_log::HEADER).map_err(|error| Failure::at(&path, error))?;
    Ok((path, log))
}
