//! What ends a command: a verdict, or a failure that names the place and says what to do.

use std::fmt;
use std::path::Path;

use carom_fingsics::FingsicsSceneError;
use carom_lab::folder::FolderError;
use carom_lab::session::{SessionError, SimulationError};
use carom_lab::task::TaskError;
use carom_scene::diagnostic::Diagnostic;
use carom_scene::file::{LoadError, SaveError};
use carom_sim::load::SceneError;

/// How a command ended that did its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// All well.
    Good,
    /// A check failed: exit status 1.
    CheckFailed,
}

/// Why a command could not do its work: exit status 2.
#[derive(Debug)]
pub(crate) struct Failure {
    message: String,
    hint: Option<String>,
    is_interruption: bool,
}

pub(crate) type Outcome = Result<Verdict, Failure>;

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), hint: None, is_interruption: false }
    }

    /// What was asked for is not there because a signal came before it.
    pub(crate) fn interrupted(message: impl Into<String>) -> Self {
        Self { is_interruption: true, ..Self::new(message) }
    }

    /// Did a signal end the command?
    pub(crate) fn is_interruption(&self) -> bool {
        self.is_interruption
    }

    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// A failure of the disk at a path.
    pub(crate) fn at(path: &Path, error: impl fmt::Display) -> Self {
        Self::new(format!("{}: {error}", path.display()))
    }

    /// Mistakes in a text file, each with its line.
    pub(crate) fn in_text(path: &str, errors: &[Diagnostic]) -> Self {
        let shown: Vec<String> = errors.iter().map(|error| pointed(path, error)).collect();
        Self::new(shown.join("\n"))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", self.message)?;
        if let Some(hint) = &self.hint {
            write!(f, "\n  hint: {hint}")?;
        }
        Ok(())
    }
}

/// A remark with its line and a mark under the column.
pub(crate) fn pointed(path: &str, remark: &Diagnostic) -> String {
    let mut text = remark.message.clone();
    if let Some(position) = remark.position {
        text += &format!("\n  --> {path}:{position}");
        if let Some(line) = &remark.excerpt {
            let number = position.line.to_string();
            let margin = " ".repeat(number.len());
            // Tabs become one blank, so that the mark stands under its character.
            let line = line.replace('\t', " ");
            text += &format!("\n {margin} |\n {number} | {line}");
            let column = position.column as usize;
            if column <= line.chars().count() + 1 {
                text += &format!("\n {margin} | {}^", " ".repeat(column - 1));
            }
        }
    } else {
        text += &format!("\n  --> {path}");
    }
    if let Some(hint) = &remark.hint {
        text += &format!("\n  hint: {hint}");
    }
    text
}

impl From<LoadError> for Failure {
    fn from(error: LoadError) -> Self {
        if let LoadError::Text { path, error, .. } = &error {
            return Self::in_text(path, &error.errors);
        }
        let failure = Self::new(error.to_string());
        match error.hint() {
            Some(hint) => failure.with_hint(hint),
            None => failure,
        }
    }
}

impl From<SaveError> for Failure {
    fn from(error: SaveError) -> Self {
        Self::new(error.to_string())
    }
}

impl From<FingsicsSceneError> for Failure {
    fn from(error: FingsicsSceneError) -> Self {
        let failure = Self::new(error.to_string());
        match error {
            FingsicsSceneError::Unsupported(_) => failure.with_hint("--solver soft-step knows more"),
            FingsicsSceneError::World(_) => failure,
        }
    }
}

impl From<SimulationError> for Failure {
    fn from(error: SimulationError) -> Self {
        Self::new(error.to_string())
    }
}

impl From<SessionError> for Failure {
    fn from(error: SessionError) -> Self {
        let failure = Self::new(error.to_string());
        match error.hint() {
            Some(hint) => failure.with_hint(hint),
            None => failure,
        }
    }
}

impl From<SceneError> for Failure {
    fn from(error: SceneError) -> Self {
        let hint = error.hint();
        match error {
            SceneError::Load(error) => error.into(),
            other => Self { hint, ..Self::new(other.to_string()) },
        }
    }
}

impl From<TaskError> for Failure {
    fn from(error: TaskError) -> Self {
        let hint = error.hint();
        match error {
            TaskError::Scene(error) => error.into(),
            other => Self { hint, ..Self::new(other.to_string()) },
        }
    }
}

impl From<FolderError> for Failure {
    fn from(error: FolderError) -> Self {
        let failure = Self::new(error.to_string());
        match error.hint() {
            Some(hint) => failure.with_hint(hint),
            None => failure,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_point_at_the_line() {
        let text = "one\n\ttwo three\n";
        let error = Diagnostic::at(text, 9, "no such thing").with_hint("try four");
        assert_eq!(
            Failure::in_text("a.xml", &[error]).to_string(),
            "error: no such thing\n  --> a.xml:2:6\n   |\n 2 |  two three\n   |      ^\n  hint: try four"
        );
    }
}
