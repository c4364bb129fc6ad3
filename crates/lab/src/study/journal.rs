//! The folder of a study: every run is on the disk before the next begins.
//!
//! | file | holds |
//! |---|---|
//! | `study.json` | the plan, and each time that somebody worked on it: command, machine, from when to when |
//! | `samples.jsonl` | one run per line, as it was measured, failures too |
//!
//! A shard writes files of its own (`study-3-of-8.json`, `samples-3-of-8.jsonl`), so several may
//! share a folder, or be put into one later. Reading takes them all. A process that is killed
//! leaves at most half a line at the end, which is cut off when somebody goes on; any other line
//! that is no run is an error with its place.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::group::Shard;
use super::plan::Plan;
use crate::machine::Machine;
use crate::measure::Measured;

/// Begins the names of files with the plan.
const PLAN: &str = "study";
/// Begins the names of files with runs.
const SAMPLES: &str = "samples";

/// What a study is, and who worked on it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StudyFile {
    /// What to measure.
    pub plan: Plan,
    /// The experiment that it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub experiment: Option<String>,
    /// Each time that somebody worked on it.
    pub sessions: Vec<Sitting>,
}

/// One time that somebody worked on a study.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sitting {
    /// The words that started it.
    pub command: Vec<String>,
    /// Its share.
    pub shard: Shard,
    /// Where.
    pub machine: Machine,
    /// Local time of the start.
    pub started: String,
    /// Local time of the end; nothing if it was killed or goes on.
    pub finished: Option<String>,
    /// Was it ended early?
    pub interrupted: bool,
}

/// What a folder holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Stored {
    /// The plan, and who worked on it.
    pub file: StudyFile,
    /// All runs, in the order of the files.
    pub measured: Vec<Measured>,
    /// Lines that were cut off by a sudden end.
    pub torn: usize,
}

/// Why a folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The disk says no.
    #[error("{path}: {error}")]
    Io {
        /// File or folder.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A file that holds something else.
    #[error("{path}:{line}: {error}")]
    Text {
        /// File.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Where in it, and why.
        error: serde_json::Error,
    },
    /// There is no study.
    #[error("{0}: there is no study in this folder")]
    NoStudy(PathBuf),
    /// A folder with another plan.
    #[error("{0}: this folder holds runs of another plan")]
    OtherPlan(PathBuf),
    /// Somebody else writes the same file.
    #[error("{0}: another process is working on this shard")]
    Busy(PathBuf),
}

impl JournalError {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::NoStudy(_) => Some("carom study PLAN.toml and carom experiment make such folders"),
            Self::OtherPlan(_) => Some("--fresh takes a new folder, --out another place"),
            Self::Busy(_) => Some("--shard K/N lets several processes share a study"),
            Self::Io { .. } | Self::Text { .. } => None,
        }
    }

    fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_path_buf();
        move |error| Self::Io { path, error }
    }
}

/// The files of a folder that begin and end with these, sorted by name.
fn files(folder: &Path, begin: &str, end: &str) -> Result<Vec<PathBuf>, JournalError> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(JournalError::io(folder))? {
        let path = entry.map_err(JournalError::io(folder))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let rest = name.strip_prefix(begin).and_then(|rest| rest.strip_suffix(end));
        if rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-')) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Reads all files of a study in a folder.
///
/// # Errors
/// If there is none, or its files do not belong together.
pub fn read(folder: &Path) -> Result<Stored, JournalError> {
    if !folder.is_dir() {
        return Err(JournalError::NoStudy(folder.to_path_buf()));
    }
    let mut all: Option<StudyFile> = None;
    for path in files(folder, PLAN, ".json")? {
        let text = fs::read(&path).map_err(JournalError::io(&path))?;
        let one: StudyFile = serde_json::from_slice(&text).map_err(|error| JournalError::Text {
            path: path.clone(),
            line: error.line(),
            error,
        })?;
        match &mut all {
            None => all = Some(one),
            Some(all) if all.plan == one.plan && all.experiment == one.experiment => {
                all.sessions.extend(one.sessions);
            }
            Some(_) => return Err(JournalError::OtherPlan(path)),
        }
    }
    let Some(file) = all else { return Err(JournalError::NoStudy(folder.to_path_buf())) };
    let (mut measured, mut torn) = (Vec::new(), 0);
    for path in files(folder, SAMPLES, ".jsonl")? {
        let text = fs::read_to_string(&path).map_err(JournalError::io(&path))?;
        for (at, line) in text.split_inclusive('\n').enumerate() {
            if !line.ends_with('\n') {
                torn += 1;
                continue;
            }
            let run = serde_json::from_str(line).map_err(|error| JournalError::Text {
                path: path.clone(),
                line: at + 1,
                error,
            })?;
            measured.push(run);
        }
    }
    Ok(Stored { file, measured, torn })
}

/// Puts the runs of several folders into one, which may be one of them; runs that are there twice
/// are taken once.
///
/// # Errors
/// If they do not belong together, or the disk says no.
pub fn merge(folders: &[PathBuf], out: &Path) -> Result<(), JournalError> {
    fs::create_dir_all(out).map_err(JournalError::io(out))?;
    let mut all: Option<StudyFile> = None;
    let (mut seen, mut lines) = (BTreeSet::new(), Vec::new());
    for folder in folders {
        let stored = read(folder)?;
        let file = all.get_or_insert_with(|| StudyFile { sessions: Vec::new(), ..stored.file.clone() });
        if file.plan != stored.file.plan || file.experiment != stored.file.experiment {
            return Err(JournalError::OtherPlan(folder.clone()));
        }
        for sitting in stored.file.sessions {
            if !file.sessions.contains(&sitting) {
                file.sessions.push(sitting);
            }
        }
        for run in stored.measured.iter().filter(|run| seen.insert((run.task().key(), run.round()))) {
            serde_json::to_writer(&mut lines, run).map_err(|error| JournalError::io(out)(error.into()))?;
            lines.push(b'\n');
        }
    }
    let Some(file) = all else { return Err(JournalError::NoStudy(out.to_path_buf())) };
    let samples = out.join(format!("{SAMPLES}.jsonl"));
    crate::folder::replace(&samples, &lines).map_err(JournalError::io(&samples))?;
    let study = out.join(format!("{PLAN}.json"));
    write_study(&study, &file)
}

fn write_study(path: &Path, file: &StudyFile) -> Result<(), JournalError> {
    let text = serde_json::to_vec_pretty(file).map_err(|error| JournalError::io(path)(error.into()))?;
    crate::folder::replace(path, &text).map_err(JournalError::io(path))
}

/// The files that a process writes.
#[derive(Debug)]
pub struct Journal {
    study: PathBuf,
    path: PathBuf,
    file: File,
    own: StudyFile,
}

impl Journal {
    /// Opens the files of a shard in a folder, which is made if it is not there, and notes that
    /// somebody works on it.
    ///
    /// # Errors
    /// If the folder holds another plan, or somebody else works on this shard.
    pub fn open(
        folder: &Path,
        plan: &Plan,
        experiment: Option<&str>,
        sitting: Sitting,
    ) -> Result<Self, JournalError> {
        fs::create_dir_all(folder).map_err(JournalError::io(folder))?;
        let suffix = sitting.shard.suffix();
        let study = folder.join(format!("{PLAN}{suffix}.json"));
        match read(folder) {
            Ok(stored) if stored.file.plan == *plan && stored.file.experiment.as_deref() == experiment => {}
            Ok(_) => return Err(JournalError::OtherPlan(folder.to_path_buf())),
            Err(JournalError::NoStudy(_)) => {}
            Err(error) => return Err(error),
        }
        let path = folder.join(format!("{SAMPLES}{suffix}.jsonl"));
        let file = OpenOptions::new().read(true).append(true).create(true).open(&path);
        let file = file.map_err(JournalError::io(&path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(JournalError::Busy(path)),
            // Some network file systems know no locks; then it is up to the user.
            Err(TryLockError::Error(_)) => {}
        }
        cut_torn_line(&path, &file).map_err(JournalError::io(&path))?;
        let mut own = match fs::read(&study) {
            Ok(text) => serde_json::from_slice(&text).map_err(|error| JournalError::Text {
                path: study.clone(),
                line: error.line(),
                error,
            })?,
            Err(_) => StudyFile {
                plan: plan.clone(),
                experiment: experiment.map(str::to_owned),
                sessions: Vec::new(),
            },
        };
        own.sessions.push(sitting);
        let journal = Self { study, path, file, own };
        write_study(&journal.study, &journal.own)?;
        Ok(journal)
    }

    /// Adds a run; it is on the disk when this returns.
    ///
    /// # Errors
    /// If the disk says no; what was written before is whole.
    pub fn add(&mut self, measured: &Measured) -> Result<(), JournalError> {
        let mut line =
            serde_json::to_vec(measured).map_err(|error| JournalError::io(&self.path)(error.into()))?;
        line.push(b'\n');
        // One call, so that a sudden end leaves half a line at worst, and no line of another
        // process within it.
        let written = self.file.write_all(&line).and_then(|()| self.file.sync_data());
        written.map_err(JournalError::io(&self.path))
    }

    /// Notes that the work has ended.
    ///
    /// # Errors
    /// If the disk says no.
    pub fn end(mut self, finished: String, interrupted: bool) -> Result<(), JournalError> {
        if let Some(last) = self.own.sessions.last_mut() {
            (last.finished, last.interrupted) = (Some(finished), interrupted);
        }
        write_study(&self.study, &self.own)
    }
}

/// Takes away the half line that a sudden end has left.
fn cut_torn_line(path: &Path, file: &File) -> io::Result<()> {
    let bytes = fs::read(path)?;
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    if whole < bytes.len() { file.set_len(whole as u64) } else { Ok(()) }
}
