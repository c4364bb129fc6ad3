//! Scenes with known results: pairs scene files with Fingsics' reports, runs them and compares row
//! by row.
//!
//! The reports say which rules made them (see [`FingsicsVersion`]) and how many rows to run; they
//! were made with sweep and prune at 60 steps per second. Only the two columns that mean something
//! are compared: `NPCDTests` and `Collisions`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::FingsicsSettings;
use carom_broadphase::Method;
use carom_core::input_file;
use carom_scene::Scene;
use carom_scene::diagnostic::ParseError;
use carom_scene::fingsics::read_scene;

use crate::frame_log::{self, Counts, FrameLogError};
use crate::{FingsicsSceneError, FingsicsVersion, FingsicsWorld};

/// Ending of Fingsics' report files.
const REPORT_ENDING: &str = "_test.csv";
/// Depth of folders searched for reports.
const MAX_DEPTH: usize = 6;

/// A report and the scene it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Name of the scene.
    pub name: String,
    /// The published report.
    pub report: PathBuf,
    /// The scene; `None` if no folder beside the report has it.
    pub scene: Option<PathBuf>,
}

/// Finds all reports below a folder and their scenes.
///
/// A scene is looked for in the sibling folder whose name has `scenes` for `expected`
/// (`expected-src` → `scenes-src`), in a folder `scenes` beside or above (Fingsics'
/// `testing/expected-results`), and beside the report itself.
///
/// # Errors
/// If the folder cannot be read.
pub fn find_cases(folder: &Path) -> io::Result<Vec<Case>> {
    let mut reports = Vec::new();
    collect_reports(folder, MAX_DEPTH, &mut reports)?;
    reports.sort();
    Ok(reports
        .into_iter()
        .map(|report| {
            let name = stem(&report);
            Case { scene: scene_of(&report, &name), name, report }
        })
        .collect())
}

fn collect_reports(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() && depth > 0 {
            collect_reports(&path, depth - 1, found)?;
        } else if path.to_string_lossy().ends_with(REPORT_ENDING) {
            found.push(path);
        }
    }
    Ok(())
}

fn stem(report: &Path) -> String {
    let name = report.file_name().unwrap_or_default().to_string_lossy();
    name.strip_suffix(REPORT_ENDING).unwrap_or(&name).to_owned()
}

fn scene_of(report: &Path, name: &str) -> Option<PathBuf> {
    let folder = report.parent()?;
    let sibling =
        folder.file_name().map(|f| folder.with_file_name(f.to_string_lossy().replace("expected", "scenes")));
    let above = folder.ancestors().skip(1).take(2).map(|ancestor| ancestor.join("scenes"));
    let file = format!("{name}.xml");
    sibling
        .into_iter()
        .chain(above)
        .chain([folder.to_path_buf()])
        .map(|folder| folder.join(&file))
        .find(|path| path.is_file())
}

/// First difference in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Row, from 1.
    pub row: usize,
    /// What the report says.
    pub expected: u64,
    /// What came out.
    pub got: u64,
}

/// Result of one case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Rules used.
    pub solver: FingsicsVersion,
    /// Bodies of the scene.
    pub bodies: usize,
    /// Rows compared.
    pub rows: usize,
    /// First difference in `NPCDTests`.
    pub tests: Option<Difference>,
    /// First difference in `Collisions`.
    pub collisions: Option<Difference>,
}

impl Outcome {
    /// Is every row equal?
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.tests.is_none() && self.collisions.is_none()
    }
}

/// Why a case could not be run.
#[derive(Debug, thiserror::Error)]
pub enum CaseError {
    /// No scene for the report.
    #[error("no scene '{0}.xml' in the folders beside the report")]
    NoScene(String),
    /// A file could not be read.
    #[error("{path}: {source}")]
    Io {
        /// File.
        path: PathBuf,
        /// Reason.
        source: io::Error,
    },
    /// Not a report.
    #[error("{path}: {source}")]
    Report {
        /// File.
        path: PathBuf,
        /// Reason.
        source: FrameLogError,
    },
    /// The report has no rows: nothing would be compared.
    #[error("{0}: the report has no rows")]
    Empty(PathBuf),
    /// Not a scene.
    #[error("{path}: {source}")]
    Scene {
        /// File.
        path: PathBuf,
        /// Reason.
        source: ParseError,
    },
    /// The scene cannot be run.
    #[error(transparent)]
    Build(#[from] FingsicsSceneError),
}

/// Runs one case. `solver` overrides the rules the report asks for.
///
/// # Errors
/// If a file cannot be read or the scene cannot be run.
pub fn check(case: &Case, method: Method, solver: Option<FingsicsVersion>) -> Result<Outcome, CaseError> {
    let path = case.scene.clone().ok_or_else(|| CaseError::NoScene(case.name.clone()))?;
    let io_error = |path: &Path| {
        let path = path.to_path_buf();
        move |source| CaseError::Io { path, source }
    };
    let report = input_file::open(&case.report).map_err(io_error(&case.report))?;
    let counts = frame_log::read_counts(io::BufReader::new(report))
        .map_err(|source| CaseError::Report { path: case.report.clone(), source })?;
    if counts.rows.is_empty() {
        return Err(CaseError::Empty(case.report.clone()));
    }
    let bytes = fs::read(&path).map_err(io_error(&path))?;
    let scene = read_scene(&bytes, &case.name)
        .map_err(|source| CaseError::Scene { path: path.clone(), source })?
        .value;
    Ok(compare(&scene, &counts, method, solver)?)
}

/// Runs a scene against the counts of a report.
///
/// # Errors
/// If the scene cannot be run by the rules.
pub fn compare(
    scene: &Scene,
    expected: &Counts,
    method: Method,
    solver: Option<FingsicsVersion>,
) -> Result<Outcome, FingsicsSceneError> {
    let solver = solver.unwrap_or(expected.version);
    let mut world = FingsicsWorld::from_scene(
        scene,
        FingsicsSettings { method, rules: solver.rules(), steps_per_second: 60 },
    )?;
    let mut outcome =
        Outcome { solver, bodies: world.len(), rows: expected.rows.len(), tests: None, collisions: None };
    for (row, &(tests, collisions)) in expected.rows.iter().enumerate() {
        let report = world.step();
        let differs =
            |expected: u64, got: u64| (expected != got).then_some(Difference { row: row + 1, expected, got });
        outcome.tests = outcome.tests.or_else(|| differs(tests, report.tested));
        outcome.collisions = outcome.collisions.or_else(|| differs(collisions, report.contacts));
    }
    Ok(outcome)
}
