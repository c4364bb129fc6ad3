//! Benchmarks: a scene run several times, with the original's reports.
//!
//! The averages and the summary have the original's form without its mistakes: response and drawing times are averaged
//! too instead of staying zero.

use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use carom_dynamics::fingsics::Settings;
use carom_narrowphase::fingsics::PairKind;
use carom_scene::Scene;

use crate::build::{self, CannotBuild};
use crate::frame_log::{self, Row};
use crate::output::original_name;
use crate::run::{RunFigures, run};

/// One run of a benchmark.
#[derive(Clone, Debug, PartialEq)]
pub struct BenchRun {
    /// Figures.
    pub figures: RunFigures,
    /// Rows of its report.
    pub rows: Vec<Row>,
}

/// A benchmark of one scene with one method.
#[derive(Clone, Debug, PartialEq)]
pub struct Bench {
    /// Scene name.
    pub scene: String,
    /// Number of bodies.
    pub bodies: usize,
    /// Settings.
    pub settings: Settings,
    /// Frames per run; the first is the scene as loaded, so there is one step less.
    pub frames: u64,
    /// Runs.
    pub runs: Vec<BenchRun>,
}

/// Runs a scene once more for a benchmark, telling `progress` after each step.
///
/// # Errors
/// If the scene cannot be run by the rules.
pub fn one_run(
    scene: &Scene,
    settings: Settings,
    frames: u64,
    mut progress: impl FnMut() -> ControlFlow<()>,
) -> Result<BenchRun, CannotBuild> {
    let mut world = build::world(scene, settings)?;
    let mut rows = Vec::new();
    let figures = run(&mut world, frames.saturating_sub(1), |_, report| {
        rows.push(Row::from(report));
        progress()
    });
    Ok(BenchRun { figures, rows })
}

impl Bench {
    /// Did all runs end in the same state? Anything else is a fault of the program.
    #[must_use]
    pub fn runs_agree(&self) -> bool {
        self.runs.windows(2).all(|two| two[0].figures.state_hash == two[1].figures.state_hash)
    }

    /// Rows averaged over the runs.
    #[must_use]
    pub fn averages(&self) -> Vec<Row> {
        let rows = self.runs.iter().map(|r| r.rows.len()).min().unwrap_or(0);
        (0..rows)
            .map(|k| {
                let same: Vec<Row> = self.runs.iter().map(|r| r.rows[k]).collect();
                Row::mean(&same)
            })
            .collect()
    }

    /// The original's `summary.txt`.
    #[must_use]
    pub fn summary(&self) -> String {
        let mut lines = vec![
            format!("Scene: {}", self.scene),
            format!("FPS: {}", self.settings.steps_per_second),
            format!("BPCD Algorithm: {}", original_name(self.settings.method)),
            format!("Number of runs: {}", self.runs.len()),
            format!("Number of frames per run: {}", self.frames),
            String::new(),
            format!("Avg. BPCD time per run: {:.6} ms", self.mean_ms(|f| f.times.broad)),
            format!("Avg. NPCD time per run: {:.6} ms", self.mean_ms(|f| f.times.narrow)),
            format!("Avg. Total time per run: {:.6} ms", self.mean_ms(|f| f.times.total())),
            format!("NPCD tests per run: {}", self.mean_count(|f| f.tested)),
            format!("Collisions per run: {}", self.mean_count(|f| f.contacts)),
            String::new(),
        ];
        let kinds = || PairKind::ALL.into_iter().enumerate();
        lines.extend(kinds().map(|(at, kind)| {
            format!("Avg. {} time per run: {:.6} ms", kind.name(), self.mean_ms(|f| f.kinds[at].time))
        }));
        lines.push(String::new());
        lines.extend(kinds().map(|(at, kind)| {
            let (first, rest) = kind.name().split_at(1);
            let tests = self.mean_count(|f| f.kinds[at].tests);
            format!("{}{rest} tests per run: {tests}", first.to_uppercase())
        }));
        lines.push(String::new());
        lines.join("\n")
    }

    fn mean_ms(&self, pick: impl Fn(&RunFigures) -> Duration) -> f64 {
        let total: f64 = self.runs.iter().map(|run| pick(&run.figures).as_secs_f64() * 1000.0).sum();
        total / self.runs.len().max(1) as f64
    }

    fn mean_count(&self, pick: impl Fn(&RunFigures) -> u64) -> u64 {
        self.runs.iter().map(|run| pick(&run.figures)).sum::<u64>() / self.runs.len().max(1) as u64
    }

    /// Writes `run1.csv` … `runN.csv`, `averages_per_frame.csv` and `summary.txt`.
    ///
    /// # Errors
    /// If the disk says no.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder)?;
        let file = |name: &str| fs::File::create(folder.join(name)).map(io::BufWriter::new);
        for (at, run) in self.runs.iter().enumerate() {
            frame_log::write(file(&format!("run{}.csv", at + 1))?, &run.rows)?;
        }
        frame_log::write(file("averages_per_frame.csv")?, &self.averages())?;
        fs::write(folder.join("summary.txt"), self.summary())
    }
}
