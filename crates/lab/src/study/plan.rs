//! A plan: what to measure, as a file that people write.
//!
//! ```toml
//! name = "scaling"
//! runs = 5                 # of each task, in alternating rounds
//! budget = 60              # seconds after which a run is cut short
//!
//! [[matrix]]
//! scenes = ["box:{n}"]
//! vary = { n = [100, 1000, 10000] }
//! seeds = [1, 2, 3]
//! broad = ["sap", "sapobb", "bvh"]
//! ```
//!
//! A matrix is the product of its lists. Scenes, values and seeds with one solver make a **group**:
//! the same simulation, so its rows (broad phases × threads × lanes) must compute the same and are
//! compared with each other. A name in braces stands for a value; `n` is the size: a row that is
//! too slow at one size is not run at larger ones.

use std::collections::{BTreeMap, BTreeSet};

use carom_sim::SimulationSpec;
use carom_sim::engine::SimdSetting;
use serde::{Deserialize, Serialize};

use super::group::Group;
use crate::bench::rank::ENOUGH;
use crate::bench::{Comparison, Row};
use crate::by_name;
use crate::measure::{DEFAULT_WARMUP, Pin};
use crate::task::Task;
use carom_broadphase::Choice;
use carom_fingsics::QuirkList;

/// The variable that is the size of a scene.
pub const SIZE: &str = "n";
/// Most runs of a plan: more is a slip of the pen.
const MOST_RUNS: u64 = 1_000_000;

/// What to measure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Its name, and that of its folder.
    pub name: String,
    /// A sentence for the report.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub about: String,
    /// Runs of each task.
    #[serde(default = "default_runs")]
    pub runs: u32,
    /// Steps thrown away before each run.
    #[serde(default = "default_warmup")]
    pub warmup: u64,
    /// Seconds after which a run is cut short.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<f64>,
    /// Milliseconds: a row with a step that took longer is not run at larger sizes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub longest_step: Option<f64>,
    /// Processors to stay on.
    #[serde(default, with = "by_name::option", skip_serializing_if = "Option::is_none")]
    pub pin: Option<Pin>,
    /// What to run.
    #[serde(rename = "matrix", default)]
    pub matrices: Vec<Matrix>,
}

/// A product of lists.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Matrix {
    /// Put before the names of its rows, or their name if there is one only.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub label: String,
    /// Scene files or library names, with names of variables in braces.
    pub scenes: Vec<String>,
    /// Values of the variables.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub vary: BTreeMap<String, Vec<f64>>,
    /// Seeds of library scenes that are random.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub seeds: Vec<u64>,
    /// Solvers; each computes something else, so each is a group of its own.
    #[serde(with = "by_name::list", skip_serializing_if = "Vec::is_empty")]
    pub solvers: Vec<SimulationSpec>,
    /// Broad phases.
    #[serde(with = "by_name::list", skip_serializing_if = "Vec::is_empty")]
    pub broad: Vec<Choice>,
    /// Numbers of threads.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub threads: Vec<u16>,
    /// SimdSetting of the solver.
    #[serde(with = "by_name::list", skip_serializing_if = "Vec::is_empty")]
    pub simd: Vec<SimdSetting>,
    /// Frames.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frames: Option<u64>,
    /// Steps per simulated second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fps: Option<u32>,
    /// Quirks of Fingsics to keep; `keep` in files.
    #[serde(
        rename = "keep",
        alias = "keep-quirks",
        with = "by_name::option",
        skip_serializing_if = "Option::is_none"
    )]
    pub keep_quirks: Option<QuirkList>,
    /// Quirks of Fingsics to fix; `mend` in files.
    #[serde(
        rename = "mend",
        alias = "fix-quirks",
        with = "by_name::option",
        skip_serializing_if = "Option::is_none"
    )]
    pub fix_quirks: Option<QuirkList>,
}

/// What is wrong with a plan.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PlanError {
    /// It cannot be read; the message names line and column.
    #[error("{0}")]
    Text(String),
    /// Its name cannot be that of a folder.
    #[error(
        "name = '{0}' is no name for a folder: letters, digits, '-', '_' and '.' only, and no '.' in front"
    )]
    Name(String),
    /// A number that makes no sense.
    #[error("{key} = {value} makes no sense: expected {expected}")]
    Number {
        /// Its key.
        key: &'static str,
        /// Its value.
        value: f64,
        /// What would.
        expected: &'static str,
    },
    /// A list without anything in it.
    #[error("{0} is empty: there is nothing to run")]
    Empty(&'static str),
    /// A scene names a variable without values.
    #[error("scene '{scene}' names {{{variable}}}, which has no values: add vary = {{ {variable} = [...] }}")]
    NoValues {
        /// The scene.
        scene: String,
        /// The variable.
        variable: String,
    },
    /// A variable that a scene does not name would only repeat it.
    #[error("scene '{scene}' does not name {{{variable}}}: every value would run the same")]
    NotNamed {
        /// The scene.
        scene: String,
        /// The variable.
        variable: String,
    },
    /// The same task twice.
    #[error("'{0}' is in the plan twice with the same settings")]
    Twice(String),
    /// More runs than anybody wants.
    #[error("{0} runs are too many: {MOST_RUNS} at most")]
    TooMany(u64),
}

fn default_runs() -> u32 {
    ENOUGH as u32
}

fn default_warmup() -> u64 {
    DEFAULT_WARMUP
}

impl Plan {
    /// A plan of one's own name with nothing in it.
    #[must_use]
    pub fn new(name: &str, about: &str) -> Self {
        Self {
            name: name.to_owned(),
            about: about.to_owned(),
            runs: default_runs(),
            warmup: default_warmup(),
            budget: None,
            longest_step: None,
            pin: None,
            matrices: Vec::new(),
        }
    }

    /// Reads a plan.
    ///
    /// # Errors
    /// If it is none, with the place.
    pub fn parse(text: &str) -> Result<Self, PlanError> {
        toml::from_str(text).map_err(|error| PlanError::Text(error.to_string().trim_end().to_owned()))
    }

    /// Its groups, in the order in which they are run: by matrix, scene, solver, values and seed.
    ///
    /// # Errors
    /// If it makes no sense.
    pub fn groups(&self) -> Result<Vec<Group>, PlanError> {
        self.check()?;
        let groups: Vec<Group> = self.matrices.iter().flat_map(Matrix::groups).collect();
        let mut seen = BTreeSet::new();
        for row in groups.iter().flat_map(|group| &group.comparison.rows) {
            if !seen.insert(row.task.key()) {
                return Err(PlanError::Twice(row.task.scene.clone()));
            }
        }
        Ok(groups)
    }

    fn check(&self) -> Result<(), PlanError> {
        let good = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if self.name.is_empty() || self.name.starts_with('.') || !self.name.chars().all(good) {
            return Err(PlanError::Name(self.name.clone()));
        }
        let number = |key, value: f64, fine: bool, expected| {
            if fine { Ok(()) } else { Err(PlanError::Number { key, value, expected }) }
        };
        number("runs", f64::from(self.runs), (1..=10_000).contains(&self.runs), "1 to 10000")?;
        for (key, value) in [("budget", self.budget), ("longest_step", self.longest_step)] {
            if let Some(value) = value {
                number(key, value, value > 0.0 && value <= 1e6, "more than 0 and at most 1000000")?;
            }
        }
        if self.matrices.is_empty() {
            return Err(PlanError::Empty("matrix"));
        }
        self.matrices.iter().try_for_each(Matrix::check)?;
        let runs = self.matrices.iter().map(|matrix| matrix.count().saturating_mul(u64::from(self.runs)));
        let runs = runs.fold(0, u64::saturating_add);
        if runs > MOST_RUNS { Err(PlanError::TooMany(runs)) } else { Ok(()) }
    }
}

impl Matrix {
    fn check(&self) -> Result<(), PlanError> {
        if self.scenes.is_empty() {
            return Err(PlanError::Empty("scenes"));
        }
        for values in self.vary.values() {
            if values.is_empty() {
                return Err(PlanError::Empty("a list of vary"));
            }
            if let Some(&value) = values.iter().find(|value| !value.is_finite()) {
                return Err(PlanError::Number { key: "vary", value, expected: "finite numbers" });
            }
        }
        let bad_threads = self.threads.iter().find(|threads| !(1..=1024).contains(*threads));
        if let Some(&threads) = bad_threads {
            let value = f64::from(threads);
            return Err(PlanError::Number { key: "threads", value, expected: "1 to 1024" });
        }
        for (key, value) in [("frames", self.frames), ("fps", self.fps.map(u64::from))] {
            if value == Some(0) {
                return Err(PlanError::Number { key, value: 0.0, expected: "at least 1" });
            }
        }
        self.scenes.iter().try_for_each(|scene| self.check_names(scene))
    }

    fn check_names(&self, scene: &str) -> Result<(), PlanError> {
        let named: Vec<&str> =
            scene.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name).collect();
        let missing = named.iter().find(|name| !self.vary.contains_key(**name));
        if let Some(variable) = missing {
            return Err(PlanError::NoValues { scene: scene.to_owned(), variable: (*variable).to_owned() });
        }
        match self.vary.keys().find(|variable| !named.contains(&variable.as_str())) {
            Some(variable) => {
                Err(PlanError::NotNamed { scene: scene.to_owned(), variable: variable.clone() })
            }
            None => Ok(()),
        }
    }

    /// Tasks that it has.
    fn count(&self) -> u64 {
        let lists =
            [self.seeds.len(), self.solvers.len(), self.broad.len(), self.threads.len(), self.simd.len()];
        let lists = lists.into_iter().map(|length| length.max(1)).chain(self.vary.values().map(Vec::len));
        lists.fold(self.scenes.len() as u64, |product, length| product.saturating_mul(length as u64))
    }

    fn groups(&self) -> Vec<Group> {
        let mut groups = Vec::new();
        for family in &self.scenes {
            for solver in or_open(&self.solvers) {
                for values in combinations(&self.vary) {
                    for seed in or_open(&self.seeds) {
                        groups.push(self.group(family, solver.clone(), values.clone(), seed));
                    }
                }
            }
        }
        groups
    }

    fn group(
        &self,
        family: &str,
        solver: Option<SimulationSpec>,
        values: Vec<(String, f64)>,
        seed: Option<u64>,
    ) -> Group {
        let scene = values.iter().fold(family.to_owned(), |scene, (name, value)| {
            scene.replace(&format!("{{{name}}}"), &value.to_string())
        });
        let mut rows = Vec::new();
        for broad in or_open(&self.broad) {
            for threads in or_open(&self.threads) {
                for simd in or_open(&self.simd) {
                    let task = Task {
                        scene: scene.clone(),
                        seed,
                        frames: self.frames,
                        fps: self.fps,
                        solver: solver.clone(),
                        broad,
                        threads: threads.unwrap_or(1),
                        simd: simd.unwrap_or_default(),
                        keep_quirks: self.keep_quirks.clone(),
                        fix_quirks: self.fix_quirks.clone(),
                        ..Task::default()
                    };
                    rows.push(Row::new(self.label_of(broad, threads, simd), task));
                }
            }
        }
        Group { family: family.to_owned(), values, seed, solver, comparison: Comparison { rows } }
    }

    /// What sets a row apart: what its list has more than one of.
    fn label_of(&self, broad: Option<Choice>, threads: Option<u16>, simd: Option<SimdSetting>) -> String {
        let mut words: Vec<String> = Vec::new();
        words.extend(Some(self.label.clone()).filter(|label| !label.is_empty()));
        words.extend(
            broad.filter(|_| words.is_empty() || self.broad.len() > 1).map(|broad| broad.to_string()),
        );
        words.extend(threads.filter(|_| self.threads.len() > 1).map(|threads| format!("×{threads}")));
        words.extend(simd.filter(|_| self.simd.len() > 1).map(|simd| format!("{simd} lanes")));
        if words.is_empty() { "default".to_owned() } else { words.join(" ") }
    }
}

/// Every value of a list, or one that is open.
fn or_open<T: Clone>(list: &[T]) -> Vec<Option<T>> {
    if list.is_empty() { vec![None] } else { list.iter().cloned().map(Some).collect() }
}

/// Every combination of values, the last variable changing fastest.
fn combinations(vary: &BTreeMap<String, Vec<f64>>) -> Vec<Vec<(String, f64)>> {
    vary.iter().fold(vec![Vec::new()], |so_far, (name, values)| {
        let longer = |before: &Vec<(String, f64)>| {
            let with = |value: &f64| [before.as_slice(), &[(name.clone(), *value)]].concat();
            values.iter().map(with).collect::<Vec<_>>()
        };
        so_far.iter().flat_map(longer).collect()
    })
}
