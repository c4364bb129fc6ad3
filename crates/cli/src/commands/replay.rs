//! `carom replay`: a recording in the terminal, or into a file for other programs.

use std::fs::File;
use std::io::{BufWriter, IsTerminal};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use carom_core::input_file;
use carom_recording::export::{ExportError, csv, gltf, scene_dat};
use carom_recording::track::{Recording, RecordingOptions, RecordingReadError};

use crate::args::ReplayOptions;
use crate::commands::replay_frames as frames;
use crate::failure::{Failure, Outcome, Verdict};
use crate::interrupt;
use crate::picture::{Ink, View};
use crate::show::{line, remark};

/// Size of pictures, characters: with a line below them they fit the smallest usual terminal.
const PICTURE: (usize, usize) = (80, 22);

/// `carom replay`.
pub(crate) fn run(options: &ReplayOptions) -> Outcome {
    let path = recording_of(&options.recording)?;
    let mut opened = Opened::open(&path)?;
    let recording = &mut opened.recording;
    if !recording.is_complete() {
        let frames = recording.frames();
        remark(&format!(
            "note: the recording was cut off or damaged; what is whole of its {frames} frames is shown"
        ));
    }
    let verdict = if options.verify { verified(recording) } else { Verdict::Good };
    if let Some(target) = &options.export {
        export(recording, &path, target, options.stride)?;
        remark(&format!("written to {}", target.display()));
    }
    if options.watch {
        watch(recording, options)?;
        return Ok(verdict);
    }
    if options.json {
        line(frames::facts(recording, &path, options)?.to_string());
        return Ok(verdict);
    }
    frames::headline(recording, &path);
    match options.frame {
        Some(number) if options.body.is_empty() => picture(recording, number)?,
        Some(number) => frames::bodies_of_frame(recording, number, &options.body)?,
        None if !options.body.is_empty() => frames::courses(recording, options)?,
        None => frames::overview(recording),
    }
    Ok(verdict)
}

/// Reads everything and says what is damaged.
fn verified(recording: &mut Recording) -> Verdict {
    let (faults, torn) = (recording.verify(), recording.damage());
    for damage in torn {
        remark(&format!("damaged: {} bytes at byte {}: {}", damage.bytes, damage.offset, damage.fault));
    }
    faults.iter().for_each(|fault| remark(&format!("damaged: {fault}")));
    if faults.is_empty() && recording.is_complete() {
        remark(&format!("verified: all {} chunks are whole", recording.chunks()));
        return Verdict::Good;
    }
    Verdict::CheckFailed
}

fn picture(recording: &mut Recording, number: u64) -> Result<(), Failure> {
    let view = View::of(recording, PICTURE.0, PICTURE.1);
    let frame = recording.frame(number)?;
    line(view.draw(frame, ink()));
    frames::moment(frame, number);
    Ok(())
}

/// A recording, and the folder of the file that was made for it if it is Fingsics'.
pub(crate) struct Opened {
    pub(crate) recording: Recording,
    pub(crate) converted: Option<tempfile::TempDir>,
}

impl Opened {
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        if path.extension().is_none_or(|end| end != "dat") {
            return Ok(Self { recording: Recording::open(path)?, converted: None });
        }
        let file = input_file::open(path)
            .map_err(|source| RecordingReadError::Io { path: path.to_path_buf(), source })?;
        let folder = tempfile::tempdir().map_err(|error| Failure::new(error.to_string()))?;
        let ours = folder.path().join("recording.crec");
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        scene_dat::read(file, &name, &ours, RecordingOptions::default())
            .map_err(|error| Failure::at(path, error))?;
        Ok(Self { recording: Recording::open(&ours)?, converted: Some(folder) })
    }
}

/// The file itself, or the recording in the folder of a run.
fn recording_of(place: &Path) -> Result<PathBuf, Failure> {
    if !place.is_dir() {
        return Ok(place.to_path_buf());
    }
    let found =
        ["recording.crec", "scene.dat"].map(|name| place.join(name)).into_iter().find(|p| p.is_file());
    found.ok_or_else(|| {
        Failure::new(format!("{}: there is no recording in this folder", place.display()))
            .with_hint("carom run SCENE --record makes one")
    })
}

fn export(recording: &mut Recording, from: &Path, target: &Path, stride: u32) -> Result<(), Failure> {
    let failed = |error: ExportError| {
        // Half an export would be taken for a whole one.
        let _ = std::fs::remove_file(target);
        Failure::at(target, error)
    };
    let create = || {
        let made = File::create(target).map(BufWriter::new);
        made.map_err(|error| {
            Failure::at(target, error).with_hint("--export FILE names a file that can be written")
        })
    };
    match target.extension().and_then(|end| end.to_str()) {
        Some("csv") => csv::write(recording, u64::from(stride), create()?).map(drop).map_err(failed),
        #[cfg(feature = "parquet")]
        Some("parquet") => {
            let rows = carom_recording::export::parquet::write(recording, u64::from(stride), create()?);
            rows.map(drop).map_err(failed)
        }
        #[cfg(not(feature = "parquet"))]
        Some("parquet") => Err(Failure::new("this program was built without Parquet")
            .with_hint("cargo build --release --features parquet; or --export FILE.csv")),
        Some("glb") => {
            let options = gltf::GltfOptions { stride: u64::from(stride), ..gltf::GltfOptions::default() };
            let summary = gltf::write(recording, options, create()?).map_err(failed)?;
            if summary.without_surface > 0 {
                remark(&format!("note: {} bodies have no surface in the model", summary.without_surface));
            }
            Ok(())
        }
        Some("dat") => scene_dat::write(recording, stride, target).map(drop).map_err(failed),
        Some("crec") if from.extension().is_some_and(|end| end == "dat") => {
            let file = input_file::open(from).map_err(|error| Failure::at(from, error))?;
            let name = from.file_stem().unwrap_or_default().to_string_lossy();
            scene_dat::read(file, &name, target, RecordingOptions::default()).map(drop).map_err(failed)
        }
        _ => Err(Failure::new(format!("{}: nothing is known to write by this ending", target.display()))
            .with_hint(".csv, .parquet, .glb, .dat, or .crec from a scene.dat")),
    }
}

/// Colours where the terminal has them and nobody objects.
fn ink() -> Ink {
    let is_coloured = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    if is_coloured { Ink::Colour } else { Ink::Plain }
}

/// Draws frame after frame in their own time; frames for which there is no time are left out. Into
/// a file or a pipe go all frames, one below the other, without waiting.
fn watch(recording: &mut Recording, options: &ReplayOptions) -> Result<(), Failure> {
    if !(options.speed.is_finite() && options.speed > 0.0) {
        return Err(Failure::new(format!("--speed {}: expected a number above 0", options.speed)));
    }
    interrupt::watch();
    let view = View::of(recording, PICTURE.0, PICTURE.1);
    let (frames, rate) = (recording.frames(), f64::from(recording.header().steps_per_second.max(1)));
    let (ink, is_live, start) = (ink(), std::io::stdout().is_terminal(), Instant::now());
    if is_live {
        // Clear the screen and hide the cursor.
        line("\x1b[2J\x1b[?25l");
    }
    let mut number = 0;
    while number < frames && !interrupt::is_interrupted() {
        let frame = recording.frame(number)?;
        let below = format!("frame {number} of {frames}, {:.2} s", frame.stamp().time);
        let picture = format!("{}\n{below}", view.draw(frame, ink));
        number += u64::from(options.stride);
        if is_live {
            // Over the last one from the upper left corner, each line to its end: nothing flickers.
            line(format!("\x1b[H{}\x1b[K", picture.replace('\n', "\x1b[K\n")));
            let now = start.elapsed().as_secs_f64();
            number = number.max((now * rate * options.speed) as u64);
            let due = number.min(frames) as f64 / rate / options.speed;
            sleep(Duration::from_secs_f64((due - now).max(0.0)));
        } else {
            line(picture);
        }
    }
    if is_live {
        line("\x1b[?25h");
    }
    Ok(())
}

impl From<RecordingReadError> for Failure {
    fn from(error: RecordingReadError) -> Self {
        let failure = Self::new(error.to_string());
        match &error {
            RecordingReadError::NoFrame { frames: 0, .. } => failure.with_hint("nothing of this recording is whole"),
            RecordingReadError::NoFrame { frames, .. } => {
                failure.with_hint(format!("frames are numbered from 0 to {}", frames - 1))
            }
            RecordingReadError::NotARecording { .. } => failure
                .with_hint("recordings are .crec files and Fingsics' scene.dat; carom run SCENE --record makes one"),
            RecordingReadError::Io { source, .. } if source.kind() == std::io::ErrorKind::NotFound => {
                failure.with_hint("give a recording, or the folder of a run; runs are in output/ unless --out said otherwise")
            }
            RecordingReadError::Chunk(_) | RecordingReadError::Lost { .. } => {
                failure.with_hint("carom replay FILE --verify lists all damage; other frames can be shown")
            }
            _ => failure,
        }
    }
}
