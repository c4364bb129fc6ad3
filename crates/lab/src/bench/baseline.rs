//! Figures kept for later: `benchmarks/baselines/NAME.json` holds samples and machine; a later
//! benchmark is compared with it row by row.
//!
//! The two were measured apart, so their medians are resampled apart, and a change is claimed only
//! if the interval of the ratio lies on one side of 1. Other results, another machine or too few
//! runs are said, never averaged away.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use carom_core::input_file;
use serde::{Deserialize, Serialize};

use super::agree::{What, between};
use super::rank::ENOUGH;
use super::{Comparison, Row, SEED};
use crate::folder::manifest;
use crate::machine::Machine;
use crate::measure::{Measured, Sample};
use crate::stats::{Interval, ratio_of_medians};
use crate::task::Task;

/// Figures kept for later.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Baseline {
    /// Its name.
    pub name: String,
    /// Local time of saving.
    pub saved: String,
    /// Where it was measured, and with what.
    pub machine: Machine,
    /// All runs.
    pub samples: Vec<Measured>,
}

/// Why there is no baseline.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    /// A name that is no file name.
    #[error("'{0}' is no name for a baseline: letters, digits, '-', '_' and '.' only, and no '.' in front")]
    Name(String),
    /// The disk says no.
    #[error("{path}: {error}")]
    Io {
        /// File.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// Not a baseline.
    #[error("{path}: not a baseline: {error}")]
    Text {
        /// File.
        path: PathBuf,
        /// Where and why.
        error: serde_json::Error,
    },
}

impl BaselineError {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Io { error, .. } if error.kind() == io::ErrorKind::NotFound => {
                Some("--save NAME keeps one; --out DIR says below which folder it lies")
            }
            _ => None,
        }
    }
}

/// What became of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// The interval of the ratio lies below 1.
    Faster(Interval),
    /// It lies above 1.
    Slower(Interval),
    /// It holds 1.
    NoneShown(Interval),
    /// Too few runs, now or then.
    TooFew,
    /// It computed something else.
    OtherOutput(What),
    /// It was not measured then, or not to its end.
    NotThere,
}

impl Change {
    /// In words.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Faster(_) => "faster",
            Self::Slower(_) => "slower",
            Self::NoneShown(_) => "no difference shown",
            Self::TooFew => "too few runs",
            Self::OtherOutput(_) => "other output",
            Self::NotThere => "not there",
        }
    }

    /// Time now in parts of the time then.
    #[must_use]
    pub fn ratio(&self) -> Option<Interval> {
        match self {
            Self::Faster(ratio) | Self::Slower(ratio) | Self::NoneShown(ratio) => Some(*ratio),
            _ => None,
        }
    }

    /// Is it one that must not pass: other output, or slower by more than a share, with the whole
    /// interval?
    #[must_use]
    pub fn fails(&self, tolerance: f64) -> bool {
        match self {
            Self::Slower(ratio) => ratio.low > 1.0 + tolerance,
            Self::OtherOutput(_) => true,
            _ => false,
        }
    }
}

impl Baseline {
    /// Of what was just measured here.
    #[must_use]
    pub fn new<'a>(
        name: &str,
        machine: Machine,
        comparisons: impl IntoIterator<Item = &'a Comparison>,
    ) -> Self {
        let rows = comparisons.into_iter().flat_map(|comparison| &comparison.rows);
        let samples = rows.flat_map(|row| row.measured.iter().cloned()).collect();
        Self { name: name.to_owned(), saved: manifest::now(), machine, samples }
    }

    /// The file of a name below a folder.
    ///
    /// # Errors
    /// If the name is none.
    pub fn path(base: &Path, name: &str) -> Result<PathBuf, BaselineError> {
        let good = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if name.is_empty() || name.starts_with('.') || !name.chars().all(good) {
            return Err(BaselineError::Name(name.to_owned()));
        }
        Ok(base.join("benchmarks").join("baselines").join(format!("{name}.json")))
    }

    /// Writes it below a folder, in the place of an older one of the same name.
    ///
    /// # Errors
    /// If the name is none or the disk says no.
    pub fn save(&self, base: &Path) -> Result<PathBuf, BaselineError> {
        let path = Self::path(base, &self.name)?;
        let io_error = |error| BaselineError::Io { path: path.clone(), error };
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(io_error)?;
        }
        let text = serde_json::to_vec(self).map_err(|error| io_error(error.into()))?;
        crate::folder::replace(&path, &text).map_err(io_error)?;
        Ok(path)
    }

    /// Reads one from below a folder.
    ///
    /// # Errors
    /// If there is none.
    pub fn read(base: &Path, name: &str) -> Result<Self, BaselineError> {
        let path = Self::path(base, name)?;
        let text =
            input_file::read(&path).map_err(|error| BaselineError::Io { path: path.clone(), error })?;
        serde_json::from_slice(&text).map_err(|error| BaselineError::Text { path, error })
    }

    /// Runs of a task that went to their end.
    fn complete(&self, task: &Task) -> Vec<&Sample> {
        let samples = self.samples.iter().filter_map(Measured::sample);
        samples.filter(|sample| sample.task == *task && !sample.over_budget).collect()
    }

    /// What became of a row since.
    #[must_use]
    pub fn change(&self, row: &Row) -> Change {
        let then = self.complete(&row.task);
        let now: Vec<&Sample> = row.complete().collect();
        let (Some(first), Some(ours)) = (then.first(), now.first()) else { return Change::NotThere };
        if let Some(what) = between(first, ours, false) {
            return Change::OtherOutput(what);
        }
        if then.len() < ENOUGH || now.len() < ENOUGH {
            return Change::TooFew;
        }
        let times = |samples: &[&Sample]| samples.iter().map(|s| s.ms_per_step()).collect::<Vec<f64>>();
        let ratio = ratio_of_medians(&times(&now), &times(&then), SEED);
        if ratio.high < 1.0 {
            Change::Faster(ratio)
        } else if ratio.low > 1.0 {
            Change::Slower(ratio)
        } else {
            Change::NoneShown(ratio)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::made_up::{change, row};
    use super::*;

    fn baseline(row: Row) -> Baseline {
        Baseline::new("old", Machine::default(), [&Comparison { rows: vec![row] }])
    }

    fn around(ms: f64) -> Vec<f64> {
        [0.99, 1.0, 1.01, 0.995, 1.005, 1.002, 0.998].map(|x| ms * x).to_vec()
    }

    #[test]
    fn changes_are_claimed_only_if_the_interval_says_so() {
        let old = baseline(row("a", &around(2.0)));
        let change = |ms: f64| old.change(&row("a", &around(ms)));
        assert_eq!(change(2.0).name(), "no difference shown");
        assert_eq!(change(1.5).name(), "faster");
        let slower = change(3.0);
        let ratio = slower.ratio().unwrap();
        assert!(slower.name() == "slower" && ratio.holds(1.5), "{ratio:?}");
        assert!(slower.fails(0.05) && slower.fails(0.45) && !slower.fails(0.6), "{ratio:?}");
        let little = change(2.06);
        assert!(little.name() == "slower" && !little.fails(0.05), "3 % are within the tolerance");
        assert!(!change(1.5).fails(0.0) && !change(2.0).fails(0.0));
    }

    #[test]
    fn noise_that_spans_the_tolerance_does_not_fail() {
        let noisy = [1.0, 4.0, 2.0, 3.0, 1.5, 2.5, 2.2];
        let old = baseline(row("a", &noisy));
        let now = old.change(&row("a", &noisy.map(|x| 1.2 * x)));
        assert!(now.name() == "no difference shown" && !now.fails(0.05), "{now:?}");
    }

    #[test]
    fn other_output_few_runs_and_strangers_are_said() {
        let old = baseline(row("a", &around(2.0)));
        let mut other = row("a", &around(2.0));
        change(&mut other, |sample| sample.series.contacts[1] = 0);
        let found = old.change(&other);
        assert_eq!(found, Change::OtherOutput(What::Contacts { step: 2, one: 4, other: 0 }));
        assert!(found.fails(0.05));
        assert_eq!(old.change(&row("a", &[2.0; 4])), Change::TooFew);
        assert_eq!(old.change(&row("longer", &around(2.0))), Change::NotThere, "another task");
        let mut cut = row("a", &[2.0]);
        change(&mut cut, |sample| sample.over_budget = true);
        assert_eq!(old.change(&cut), Change::NotThere);
    }

    #[test]
    fn baselines_survive_a_file_and_names_stay_in_their_folder() {
        let folder = tempfile::tempdir().unwrap();
        let old = baseline(row("a", &around(2.0)));
        let path = old.save(folder.path()).unwrap();
        assert!(path.ends_with("benchmarks/baselines/old.json"));
        assert_eq!(Baseline::read(folder.path(), "old").unwrap(), old);
        for bad in ["", "../x", "a/b", ".hidden", "a b", "c:\\x"] {
            let error = Baseline::read(folder.path(), bad).unwrap_err();
            assert!(matches!(error, BaselineError::Name(_)), "{bad}");
        }
        let missing = Baseline::read(folder.path(), "new").unwrap_err();
        assert!(missing.hint().unwrap().contains("--save"));
        fs::write(&path, "{").unwrap();
        assert!(Baseline::read(folder.path(), "old").unwrap_err().to_string().contains("not a baseline"));
    }
}
