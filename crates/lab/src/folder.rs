//! The folder of a run: `output/SCENE--TIME/` with a manifest, the scene, and what was asked for.
//!
//! | file | holds |
//! |---|---|
//! | `manifest.json` | what was run, by whom, on what, and how it ended ([`manifest`]) |
//! | `scene.carom` | the scene as it was run |
//! | `log.csv` | Fingsics' report, a row per step ([`carom_fingsics::frame_log`]) |
//! | `steps.csv` | all figures of every step ([`steps_log`]) |
//! | `recording.crec` | where everything was in every frame ([`track`]) |
//! | `scene.dat` | the same for Fingsics |
//! | `step-N.snapshot` | the whole state after N steps, to go on from ([`crate::session::saved`]) |
//!
//! All files are written while the run goes on. One that cannot be written ends the run with its
//! name; the others are whole up to the step before.

pub mod manifest;
pub mod steps_log;
pub mod track;

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use carom_fingsics::frame_log::{self, Row};
use carom_recording::{scene_dat, track as recording};
use carom_scene::model::{Action, Axis};
use carom_scene::native::write_binary;
use carom_sim::bodies::{BodyBuffer, Orientation};
use carom_sim::{MetricGroup, StepMetrics};

use crate::output;
use crate::session::{Session, saved};
use crate::task::Task;
use manifest::{Manifest, ManifestError};
use track::{Recorded, Track};

/// What a run shall write.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OutputOptions {
    /// `log.csv` and `steps.csv`.
    pub log: bool,
    /// Fingsics' `scene.dat`.
    pub scene_dat: bool,
    /// `recording.crec`.
    pub recording: Option<Recorded>,
    /// The whole state every so many steps.
    pub snapshot_every: Option<u64>,
}

impl OutputOptions {
    /// Nothing at all: no folder is made then.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

/// Why a file of a run could not be written.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// The disk says no.
    #[error("{path}: {error}")]
    Io {
        /// File or folder.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The manifest.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// Fingsics' recording.
    #[error(transparent)]
    SceneDat(#[from] scene_dat::WriteError),
    /// The recording.
    #[error(transparent)]
    Recording(#[from] recording::WriteError),
    /// More frames than Fingsics' recording can have.
    #[error("{0} frames do not fit scene.dat")]
    TooManyFrames(u64),
    /// Fingsics' recording of a scene in which bodies appear.
    #[error("{0} bodies of the scene appear later, and scene.dat has no place for them")]
    Latecomers(usize),
}

impl FolderError {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        let kind = match self {
            Self::Latecomers(_) | Self::SceneDat(scene_dat::WriteError::NoForm { .. }) => {
                return Some("--record keeps them in a recording.crec");
            }
            Self::TooManyFrames(_) | Self::SceneDat(scene_dat::WriteError::TooLarge { .. }) => {
                return Some("--record writes a recording.crec of any length");
            }
            Self::Io { error, .. }
            | Self::Manifest(ManifestError::Io { error, .. })
            | Self::SceneDat(scene_dat::WriteError::Io { source: error, .. }) => error.kind(),
            Self::Recording(recording::WriteError::Io { source, .. }) => source.kind(),
            _ => return None,
        };
        match kind {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                Some("what was written before can be read; make room, or choose another folder with --out")
            }
            io::ErrorKind::PermissionDenied
            | io::ErrorKind::ReadOnlyFilesystem
            | io::ErrorKind::NotADirectory
            | io::ErrorKind::NotFound => Some("--out DIR names a folder that can be written to"),
            _ => None,
        }
    }
}

/// A text file that is being written.
struct Log {
    path: PathBuf,
    out: BufWriter<fs::File>,
}

impl Log {
    fn create(
        path: PathBuf,
        header: impl FnOnce(&mut BufWriter<fs::File>) -> io::Result<()>,
    ) -> Result<Self, FolderError> {
        let made = fs::File::create(&path).map(BufWriter::new).and_then(|mut out| {
            header(&mut out)?;
            Ok(out)
        });
        match made {
            Ok(out) => Ok(Self { path, out }),
            Err(error) => Err(FolderError::Io { path, error }),
        }
    }

    fn write(
        &mut self,
        row: impl FnOnce(&mut BufWriter<fs::File>) -> io::Result<()>,
    ) -> Result<(), FolderError> {
        row(&mut self.out).map_err(|error| FolderError::Io { path: self.path.clone(), error })
    }
}

/// The folder of a run that goes on.
pub struct RunFolder {
    path: PathBuf,
    manifest: Manifest,
    log: Option<Log>,
    steps: Option<Log>,
    scene_dat: Option<scene_dat::Writer>,
    /// Poses for it: a body that goes stays where it was.
    poses: Vec<scene_dat::Pose>,
    /// Axes of capsules, which lie along z there.
    axes: Vec<Axis>,
    /// Scratch.
    bodies: BodyBuffer,
    track: Option<Track>,
    snapshot_every: Option<u64>,
}

impl RunFolder {
    /// Makes the folder below `base` and opens what the options ask for; the first frame, the scene
    /// as loaded, is written.
    ///
    /// # Errors
    /// If the disk says no, or a format cannot hold the scene.
    pub fn create(
        base: &Path,
        task: &Task,
        session: &Session,
        command: Vec<String>,
        options: OutputOptions,
    ) -> Result<Self, FolderError> {
        let events = session.scene().events.iter();
        let latecomers = events.filter(|event| matches!(event.action, Action::Spawn(_))).count();
        if options.scene_dat && latecomers > 0 {
            return Err(FolderError::Latecomers(latecomers));
        }
        // What a format cannot hold is told before anything is made.
        let objects = options.scene_dat.then(|| original_objects(session)).transpose()?;
        let path = output::run_folder(base, &session.scene().name, &output::timestamp());
        let at = |path: &Path| {
            let path = path.to_path_buf();
            move |error| FolderError::Io { path, error }
        };
        let path = output::make_own(&path).map_err(at(&path))?;
        let scene = path.join(manifest::SCENE_FILE);
        fs::write(&scene, write_binary(session.scene())).map_err(at(&scene))?;
        let mut manifest = Manifest::new(task, session, command);
        manifest.files.push(manifest::SCENE_FILE.to_owned());
        let mut folder = Self {
            path,
            manifest,
            log: None,
            steps: None,
            scene_dat: None,
            poses: Vec::new(),
            axes: Vec::new(),
            bodies: BodyBuffer::default(),
            track: None,
            snapshot_every: options.snapshot_every,
        };
        if options.log {
            let log = folder.file("log.csv");
            folder.log = Some(Log::create(log, |out| writeln!(out, "{}", frame_log::HEADER))?);
            let steps = folder.file("steps.csv");
            folder.steps = Some(Log::create(steps, |out| steps_log::write_header(out, session))?);
        }
        if let Some((objects, frames)) = objects {
            let file = folder.file("scene.dat");
            let writer = scene_dat::Writer::create(&file, &objects, frames, session.frames_per_second())?;
            folder.scene_dat = Some(writer);
            let scene = session.simulation().recorded_scene();
            folder.axes = scene.bodies.iter().map(scene_dat::axis_of).collect();
        }
        if let Some(recorded) = options.recording {
            let file = folder.file("recording.crec");
            let about = serde_json::to_string(&folder.manifest).unwrap_or_default();
            folder.track = Some(Track::create(&file, session, recorded, about)?);
        }
        folder.manifest.write(&folder.path)?;
        folder.frame(session, None)?;
        Ok(folder)
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A file of the run, noted in the manifest.
    fn file(&mut self, name: &str) -> PathBuf {
        self.manifest.files.push(name.to_owned());
        self.path.join(name)
    }

    /// Takes in the step that a session has just done.
    ///
    /// # Errors
    /// If the disk says no.
    pub fn step(&mut self, session: &Session, step: &StepMetrics) -> Result<(), FolderError> {
        if let Some(log) = &mut self.log {
            let schema = session.schema();
            let values = |group| schema.group(group).map(|(at, metric)| (&*metric.key, step.values[at]));
            let stages = values(MetricGroup::Stages).map(|(key, value)| (key, value.as_time()));
            let counts = values(MetricGroup::Counts).map(|(key, value)| (key, value.as_count()));
            let row = Row::of_step(stages, counts);
            log.write(|out| frame_log::write_row(out, &row))?;
        }
        if let Some(steps) = &mut self.steps {
            steps.write(|out| steps_log::write_row(out, session, step))?;
        }
        self.frame(session, Some(step))?;
        if self.snapshot_every.is_some_and(|every| session.steps().is_multiple_of(every)) {
            self.snapshot(session)?;
        }
        Ok(())
    }

    /// Writes the state; a snapshot that is there is whole.
    fn snapshot(&mut self, session: &Session) -> Result<(), FolderError> {
        let file = self.file(&snapshot_name(session.steps()));
        let bytes = saved::save(session, &self.manifest.task);
        replace(&file, &bytes).map_err(|error| FolderError::Io { path: file, error })
    }

    /// Puts the poses of the scene's bodies into their places. A body that has gone keeps the pose
    /// it had; bodies that appear later have no place in that format.
    fn scene_dat_poses(&mut self, session: &Session) {
        let unseen = scene_dat::Pose { position: [0.0; 3], rotation: Orientation::IDENTITY.rows() };
        self.poses.resize(self.axes.len(), unseen);
        session.simulation().bodies(&mut self.bodies);
        for body in self.bodies.iter() {
            let at = body.number as usize;
            if let (Some(pose), Some(axis)) = (self.poses.get_mut(at), self.axes.get(at)) {
                let position = body.position.as_vec3().to_array();
                let seen = scene_dat::Pose { position, rotation: body.orientation.rows() };
                *pose = seen.laid_along_z(*axis);
            }
        }
    }

    fn frame(&mut self, session: &Session, step: Option<&StepMetrics>) -> Result<(), FolderError> {
        if let Some(track) = &mut self.track {
            track.frame(session, step)?;
        }
        if self.scene_dat.is_some() {
            self.scene_dat_poses(session);
        }
        if let Some(writer) = &mut self.scene_dat {
            writer.push(self.poses.iter().copied())?;
        }
        Ok(())
    }

    /// Ends all files and the manifest; returns the folder.
    ///
    /// # Errors
    /// If the disk says no; the other files are ended all the same, and the first error is told.
    pub fn finish(mut self, session: &Session) -> Result<PathBuf, FolderError> {
        let mut outcome = Ok(());
        for log in [&mut self.log, &mut self.steps].into_iter().flatten() {
            outcome = outcome.and(log.write(Write::flush));
        }
        if let Some(writer) = self.scene_dat.take() {
            outcome = outcome.and(writer.finish().map(|_| ()).map_err(FolderError::from));
        }
        if let Some(track) = self.track.take() {
            outcome = outcome.and(track.finish().map(|_| ()).map_err(FolderError::from));
        }
        self.manifest.end(session);
        outcome.and(self.manifest.write(&self.path).map_err(FolderError::from))?;
        Ok(self.path)
    }
}

/// Objects and frames of Fingsics' recording.
fn original_objects(session: &Session) -> Result<(Vec<scene_dat::Object>, u32), FolderError> {
    let objects = scene_dat::Object::of_scene(session.scene())?;
    let frames = u32::try_from(session.frames() - session.steps());
    Ok((objects, frames.map_err(|_| FolderError::TooManyFrames(session.frames()))?))
}

/// Name of the snapshot after some steps.
fn snapshot_name(steps: u64) -> String {
    format!("step-{steps}.snapshot")
}

/// Steps after which a snapshot was taken, by its name; `None` for other files.
#[must_use]
pub fn snapshot_step(path: &Path) -> Option<u64> {
    path.file_name()?.to_str()?.strip_prefix("step-")?.strip_suffix(".snapshot")?.parse().ok()
}

/// Puts a whole file in the place of another; if that fails the other is still there, and nothing
/// else is left.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".new");
    let beside = PathBuf::from(beside);
    let written = fs::File::create(&beside).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    let replaced = written.and_then(|()| fs::rename(&beside, path));
    if replaced.is_err() {
        // What matters is the first error.
        let _ = fs::remove_file(&beside);
    }
    replaced
}
