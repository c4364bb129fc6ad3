//! Why something cannot be written in one of Fingsics' formats: every reason at once, each
//! with its subject.

use std::fmt;

/// One thing the format cannot hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteProblem {
    /// Id of the body concerned; none if it is the scene or the settings as a whole.
    pub body: Option<String>,
    /// What is in the way.
    pub reason: String,
}

impl fmt::Display for WriteProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.body {
            Some(id) => write!(f, "body `{id}`: {}", self.reason),
            None => f.write_str(&self.reason),
        }
    }
}

/// The value cannot be written in this format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the Fingsics format cannot hold this:{}", list(problems))]
pub struct WriteError {
    /// Every reason, scene first, then body by body; never empty.
    pub problems: Vec<WriteProblem>,
}

/// Most problems shown in one message; the field has them all.
const SHOWN: usize = 20;

fn list(problems: &[WriteProblem]) -> String {
    let mut text: String = problems.iter().take(SHOWN).map(|p| format!("\n  {p}")).collect();
    if problems.len() > SHOWN {
        text += &format!("\n  … and {} more", problems.len() - SHOWN);
    }
    text
}
