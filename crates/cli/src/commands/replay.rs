//! `carom replay`: a recording in the terminal, or into a file for other programs.

use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use carom_recording::export::{ExportError, csv, gltf, scene_dat};
use carom_recording::track::{Options, ReadError, Recording, Rotation};
use serde_json::json;

use crate::args::ReplayOptions;
use crate::failure::{Failure, Outcome, Verdict};
use crate::interrupt;
use crate::picture::View;
use crate::show::{grouped, line, remark, table};

/// Size of the picture, characters.
const PICTURE: (usize, usize) = (100, 30);
/// Rows of the table of frames.
const SHOWN_FRAMES: u64 = 12;

/// `carom replay`.
pub(crate) fn run(options: &ReplayOptions) -> Outcome {
    let path = recording_of(&options.recording)?;
    let mut opened = Opened::open(&path)?;
    let recording = &mut opened.recording;
    if !recording.is_complete() {
        remark(&format!(
            "note: the recording was cut off or damaged; {} whole frames can be read",
            recording.frames()
        ));
    }
    let mut verdict = Verdict::Good;
    if options.verify {
        let faults = recording.verify();
        faults.iter().for_each(|fault| remark(&format!("damaged: {fault}")));
        if !faults.is_empty() || !recording.is_complete() {
            verdict = Verdict::CheckFailed;
        }
    }
    if let Some(target) = &options.export {
        export(recording, &path, target, options.stride)?;
        remark(&format!("written to {}", target.display()));
    }
    if options.watch {
        return watch(recording, options);
    }
    if options.json {
        line(facts(recording, &path).to_string());
        return Ok(verdict);
    }
    headline(recording, &path);
    match options.frame {
        Some(number) => one_frame(recording, number, &options.body)?,
        None if !options.body.is_empty() => courses(recording, options)?,
        None => overview(recording)?,
    }
    Ok(verdict)
}

/// Does RUN_MODE=REPLAY of a configuration: the recording in the terminal.
pub(crate) fn show(path: &Path) -> Outcome {
    let path = recording_of(path)?;
    let mut opened = Opened::open(&path)?;
    headline(&opened.recording, &path);
    overview(&mut opened.recording)?;
    Ok(Verdict::Good)
}

/// A recording, and the file that was made for it if it is the original's.
struct Opened {
    recording: Recording,
    _converted: Option<tempfile::TempDir>,
}

impl Opened {
    fn open(path: &Path) -> Result<Self, Failure> {
        if path.extension().is_none_or(|end| end != "dat") {
            return Ok(Self { recording: Recording::open(path)?, _converted: None });
        }
        let file = File::open(path).map_err(|error| Failure::at(path, error))?;
        let folder = tempfile::tempdir().map_err(|error| Failure::new(error.to_string()))?;
        let ours = folder.path().join("recording.crec");
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        scene_dat::read(file, &name, &ours, Options::default()).map_err(|error| Failure::at(path, error))?;
        Ok(Self { recording: Recording::open(&ours)?, _converted: Some(folder) })
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
    let failed = |error: ExportError| Failure::at(target, error);
    let create = || File::create(target).map(BufWriter::new).map_err(|error| Failure::at(target, error));
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
            let options = gltf::Options { stride: u64::from(stride), ..gltf::Options::default() };
            let summary = gltf::write(recording, options, create()?).map_err(failed)?;
            if summary.without_surface > 0 {
                remark(&format!("note: {} bodies have no surface in the model", summary.without_surface));
            }
            Ok(())
        }
        Some("dat") => scene_dat::write(recording, stride, target).map(drop).map_err(failed),
        Some("crec") if from.extension().is_some_and(|end| end == "dat") => {
            let file = File::open(from).map_err(|error| Failure::at(from, error))?;
            let name = from.file_stem().unwrap_or_default().to_string_lossy();
            scene_dat::read(file, &name, target, Options::default()).map(drop).map_err(failed)
        }
        _ => Err(Failure::new(format!("{}: nothing is known to write by this ending", target.display()))
            .with_hint(".csv, .parquet, .glb, .dat, or .crec from a scene.dat")),
    }
}

fn headline(recording: &Recording, path: &Path) {
    let header = recording.header();
    let (bodies, frames) = (header.names.len(), recording.frames());
    line(format!(
        "{}: {bodies} bodies, {frames} frames at {} Hz, {} bytes ({:.2} per body and frame)",
        path.display(),
        header.steps_per_second,
        grouped(recording.bytes()),
        recording.bytes() as f64 / (bodies.max(1) as f64 * frames.max(1) as f64)
    ));
}

fn facts(recording: &mut Recording, path: &Path) -> serde_json::Value {
    let header = recording.header();
    json!({
        "recording": path, "bodies": header.names.len(), "frames": recording.frames(),
        "fps": header.steps_per_second, "bytes": recording.bytes(), "complete": recording.is_complete(),
        "velocities": header.channels.velocities, "contacts": header.channels.contacts,
        "events": header.channels.events, "damage": recording.damage().len(),
    })
}

/// Where everything is, every so many frames.
fn overview(recording: &mut Recording) -> Result<(), Failure> {
    let frames = recording.frames();
    let mut table = table(["frame", "time s", "bodies", "centre x", "y", "z", "lowest y", "highest y"], 0);
    let rows = SHOWN_FRAMES.min(frames);
    for row in 0..rows {
        let number = if rows > 1 { row * (frames - 1) / (rows - 1) } else { 0 };
        let frame = recording.frame(number)?;
        let count = frame.bodies().len();
        let (mut sum, mut low, mut high) = ([0.0; 3], f64::INFINITY, f64::NEG_INFINITY);
        for place in 0..count {
            let position = frame.position(place).to_double();
            (0..3).for_each(|k| sum[k] += position[k] / count as f64);
            (low, high) = (low.min(position[1]), high.max(position[1]));
        }
        let mut cells = vec![number.to_string(), format!("{:.3}", frame.stamp().time), grouped(count as u64)];
        cells.extend(sum.into_iter().chain([low, high]).map(|value| format!("{value:.3}")));
        table.add_row(cells);
    }
    line(table.to_string());
    Ok(())
}

fn one_frame(recording: &mut Recording, number: u64, wanted: &[String]) -> Result<(), Failure> {
    let bodies = numbers(recording, wanted)?;
    let view = View::of(recording, PICTURE.0, PICTURE.1);
    let names = recording.names().to_vec();
    let frame = recording.frame(number)?;
    line(format!("frame {number}, step {}, {:.4} s", frame.stamp().number, frame.stamp().time));
    if bodies.is_empty() {
        line(view.draw(frame));
        return Ok(());
    }
    let mut table = table(["body", "x", "y", "z", "turned by"], 1);
    for body in bodies {
        let Some(place) = frame.place_of(body) else {
            table.add_row([names[body as usize].as_str(), "not there", "", "", ""]);
            continue;
        };
        let [x, y, z] = frame.position(place).to_double().map(|value| value.to_string());
        let turn = match frame.rotation(place) {
            Rotation::Quaternion(turn) => format!("{turn:?}"),
            Rotation::Rows(rows) => format!("{rows:?}"),
        };
        table.add_row([names[body as usize].clone(), x, y, z, turn]);
    }
    line(table.to_string());
    Ok(())
}

/// The ways of some bodies, a row per frame.
fn courses(recording: &mut Recording, options: &ReplayOptions) -> Result<(), Failure> {
    let bodies = numbers(recording, &options.body)?;
    let mut number = 0;
    while number < recording.frames() {
        let names: Vec<String> =
            bodies.iter().map(|body| recording.names()[*body as usize].clone()).collect();
        let frame = recording.frame(number)?;
        for (body, name) in bodies.iter().zip(&names) {
            if let Some(place) = frame.place_of(*body) {
                let [x, y, z] = frame.position(place).to_double();
                line(format!("{:.4} s  {name}  {x:.6} {y:.6} {z:.6}", frame.stamp().time));
            }
        }
        number += u64::from(options.stride);
    }
    Ok(())
}

/// Bodies by name or number.
fn numbers(recording: &Recording, wanted: &[String]) -> Result<Vec<u32>, Failure> {
    let names = recording.names();
    wanted
        .iter()
        .map(|word| {
            let by_name = names.iter().position(|name| name == word);
            let by_number = || word.parse().ok().filter(|number: &usize| *number < names.len());
            let found = by_name.or_else(by_number).ok_or_else(|| {
                Failure::new(format!("there is no body '{word}' in the recording")).with_hint(format!(
                    "bodies have names, and numbers from 0 to {}",
                    names.len().saturating_sub(1)
                ))
            })?;
            Ok(found as u32)
        })
        .collect()
}

/// Draws frame after frame in their own time; frames for which there is no time are left out.
fn watch(recording: &mut Recording, options: &ReplayOptions) -> Outcome {
    if !(options.speed.is_finite() && options.speed > 0.0) {
        return Err(Failure::new(format!("--speed {}: expected a number above 0", options.speed)));
    }
    interrupt::watch();
    let view = View::of(recording, PICTURE.0, PICTURE.1);
    let (frames, rate) = (recording.frames(), f64::from(recording.header().steps_per_second.max(1)));
    let start = Instant::now();
    let mut number = 0;
    while number < frames && !interrupt::is_interrupted() {
        let frame = recording.frame(number)?;
        // Clear, and go to the upper left corner.
        line(format!("\x1b[2J\x1b[H{}\n{:.2} s", view.draw(frame), frame.stamp().time));
        let due = |number: u64| Duration::from_secs_f64(number as f64 / rate / options.speed);
        let now = start.elapsed();
        number = (number + u64::from(options.stride)).max((now.as_secs_f64() * rate * options.speed) as u64);
        sleep(due(number).saturating_sub(now));
    }
    Ok(Verdict::Good)
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Self {
        Self::new(error.to_string())
    }
}
