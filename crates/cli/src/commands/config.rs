//! `carom --config FILE`: what the original does with its configuration file.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use carom_lab::frame_log::{self, Row};
use carom_lab::run::run as run_world;
use carom_lab::verify::compare;
use carom_lab::{Settings, build, output};
use carom_scene::fingsics::RunMode;

use crate::args::{BenchOptions, RunOptions};
use crate::commands::bench::bench_configured;
use crate::commands::replay;
use crate::commands::run::run_configured;
use crate::failure::{Failure, Outcome, Verdict};
use crate::show::line;
use crate::source::{Configuration, load_scene};

/// The scenes of the original's test mode.
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
/// Steps of each: 300 frames.
const TEST_STEPS: u64 = 299;

/// Does what RUN_MODE says.
pub(crate) fn run(path: &Path) -> Outcome {
    let config = Configuration::read(path)?;
    match config.settings.run_mode {
        RunMode::Default => run_configured(&RunOptions::default(), Some(&config)),
        RunMode::Benchmark => bench_configured(&BenchOptions::default(), Some(&config)),
        RunMode::Replay => {
            replay::show(&config.folder.join("output").join(&config.settings.scene_replay_folder_name))
        }
        RunMode::Test => test(&config),
    }
}

/// The original's test mode: eight scenes, a report each; and, which it leaves to the reader, the comparison.
fn test(config: &Configuration) -> Outcome {
    let method = config.method()?;
    let settings = Settings { method, steps_per_second: config.settings.fps_cap, ..Settings::default() };
    let mut verdict = Verdict::Good;
    for name in TEST_SCENES {
        let scene = load_scene(&config.scene_path(name)?, None)?;
        let mut world = build::world(&scene, settings)?;
        let mut rows = Vec::new();
        run_world(&mut world, TEST_STEPS, |_, report| {
            rows.push(Row::from(report));
            ControlFlow::Continue(())
        });
        let path = output::test_file(&config.folder, name);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|error| Failure::at(folder, error))?;
        }
        let file = fs::File::create(&path).map_err(|error| Failure::at(&path, error))?;
        frame_log::write(std::io::BufWriter::new(file), &rows).map_err(|error| Failure::at(&path, error))?;

        let expected =
            config.folder.join("testing").join("expected-results").join(format!("{name}_test.csv"));
        let remark = match fs::File::open(&expected) {
            Err(_) => "no expected report to compare with".to_owned(),
            Ok(file) => {
                let counts = frame_log::read_counts(file).map_err(|error| Failure::at(&expected, error))?;
                let outcome = compare(&scene, &counts, method, None)?;
                if outcome.is_exact() {
                    "equal to the expected report".to_owned()
                } else {
                    verdict = Verdict::CheckFailed;
                    "DIFFERS from the expected report (carom test shows where)".to_owned()
                }
            }
        };
        line(format!("{}: {remark}", path.display()));
    }
    Ok(verdict)
}
