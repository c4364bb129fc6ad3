//! `carom --config FILE`: what Fingsics does with its configuration file.

use std::fs;
use std::io::IsTerminal;
use std::path::Path;

use carom_core::input_file;
use carom_fingsics::frame_log::{self, Counts, Row};
use carom_fingsics::verify::compare;
use carom_fingsics::{FingsicsSettings, FingsicsVersion, FingsicsWorld};
use carom_lab::{Method, output};
use carom_scene::Scene;
use carom_scene::fingsics::RunMode;

use crate::args::{BenchOptions, ReplayOptions, RunOptions};
use crate::commands::bench::bench_configured;
use crate::commands::replay;
use crate::commands::run::run_configured;
use crate::failure::{Failure, Outcome, Verdict};
use crate::show::line;
use crate::source::{Configuration, load_scene};

/// The scenes of Fingsics' test mode.
const TEST_SCENES: [&str; 8] = [
    "many-balls",
    "missile",
    "missile2",
    "objects-resting",
    "bowling",
    "matrix",
    "ramp",
    "simultaneous-collisions",
];
/// Folders of runs named when the one asked for is missing.
const SHOWN_RUNS: usize = 5;
/// Steps of each: 300 frames.
const TEST_STEPS: u64 = 299;

/// Does what RUN_MODE says.
pub(crate) fn run(path: &Path) -> Outcome {
    let config = Configuration::read(path)?;
    match config.settings.run_mode {
        RunMode::Default => run_configured(&RunOptions::default(), Some(&config)),
        RunMode::Benchmark => bench_configured(&BenchOptions::default(), Some(&config)),
        RunMode::Replay => replay_configured(&config),
        RunMode::Test => test(&config),
    }
}

/// Fingsics' replay mode: plays `output/FOLDER/scene.dat`, or our recording there, in the
/// terminal.
fn replay_configured(config: &Configuration) -> Outcome {
    let (output, name) = (config.folder.join("output"), config.settings.scene_replay_folder_name.as_str());
    let folder = output.join(name);
    if name.is_empty() || !folder.is_dir() {
        let mut found: Vec<String> = fs::read_dir(&output)
            .map(|all| {
                all.filter_map(Result::ok).map(|e| e.file_name().to_string_lossy().into_owned()).collect()
            })
            .unwrap_or_default();
        found.sort();
        let found = found.into_iter().rev().take(SHOWN_RUNS).collect::<Vec<_>>().join(", ");
        let there = if found.is_empty() { "nothing yet".to_owned() } else { found };
        let message =
            format!("SCENE_REPLAY_FOLDER_NAME={name}: there is no such folder in {}", output.display());
        return Err(Failure::new(message).with_hint(format!(
            "the name of a folder there, as RECORD_SCENE=true makes it; there is {there}"
        )));
    }
    let options = ReplayOptions { watch: std::io::stdout().is_terminal(), ..ReplayOptions::of(folder) };
    replay::run(&options)
}

/// Fingsics' test mode: eight scenes, a report each; and, which it leaves to the reader, the
/// comparison.
fn test(config: &Configuration) -> Outcome {
    let method = config.method()?;
    let settings =
        FingsicsSettings { method, steps_per_second: config.settings.fps_cap, ..FingsicsSettings::default() };
    let mut verdict = Verdict::Good;
    for name in TEST_SCENES {
        let scene = load_scene(&config.scene_path(name)?, None)?;
        let mut world = FingsicsWorld::from_scene(&scene, settings)?;
        let rows: Vec<Row> = (0..TEST_STEPS).map(|_| Row::from(world.step())).collect();
        let path = output::test_file(&config.folder, name);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|error| Failure::at(folder, error))?;
        }
        let file = fs::File::create(&path).map_err(|error| Failure::at(&path, error))?;
        frame_log::write(std::io::BufWriter::new(file), &rows).map_err(|error| Failure::at(&path, error))?;

        let expected =
            config.folder.join("testing").join("expected-results").join(format!("{name}_test.csv"));
        let found = match input_file::open(&expected) {
            Err(_) => Ok("no expected report to compare with".to_owned()),
            Ok(file) => {
                let counts = frame_log::read_counts(file).map_err(|error| Failure::at(&expected, error))?;
                compared(&scene, &counts, &rows, method)?
            }
        };
        if found.is_err() {
            verdict = Verdict::CheckFailed;
        }
        let (Ok(found) | Err(found)) = found;
        line(format!("{}: {found}", path.display()));
    }
    Ok(verdict)
}

/// Compares what came out with what was expected, in words; an error if it differs. Reports of the
/// older rules are compared with a run by those.
fn compared(
    scene: &Scene,
    expected: &Counts,
    rows: &[Row],
    method: Method,
) -> Result<Result<String, String>, Failure> {
    if expected.version == FingsicsVersion::September2021 {
        let is_exact = compare(scene, expected, method, None)?.is_exact();
        let older = "the expected report, by the rules of September 2021 at 60 steps per second";
        return Ok(if is_exact {
            Ok(format!("equal to {older}"))
        } else {
            Err(format!("DIFFERS from {older}"))
        });
    }
    let ours = || rows.iter().map(|row| (row.tests, row.collisions));
    if ours().eq(expected.rows.iter().copied()) {
        return Ok(Ok("equal to the expected report".to_owned()));
    }
    let first = ours().zip(&expected.rows).position(|(ours, theirs)| ours != *theirs);
    Ok(Err(match first {
        None => format!("DIFFERS from the expected report, which has {} rows", expected.rows.len()),
        Some(at) => format!(
            "DIFFERS from the expected report in row {}: NPCDTests {}, expected {}; Collisions {}, expected {}",
            at + 1,
            rows[at].tests,
            expected.rows[at].0,
            rows[at].collisions,
            expected.rows[at].1
        ),
    }))
}
