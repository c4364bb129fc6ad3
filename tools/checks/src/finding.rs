//! One thing that is wrong, at one place.

use std::fmt;

/// A broken rule. Orders by place, so a report reads file by file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Finding {
    /// Path from the root of the repository, with `/`.
    pub(crate) file: String,
    /// Line, from 1.
    pub(crate) line: usize,
    /// Name of the check.
    pub(crate) check: &'static str,
    /// What is wrong and, where it is not plain, what to do.
    pub(crate) message: String,
}

impl Finding {
    /// A finding of `check` at `file:line`.
    pub(crate) fn new(
        check: &'static str,
        file: impl Into<String>,
        line: usize,
        message: impl Into<String>,
    ) -> Self {
        Self { file: file.into(), line, check, message: message.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: [{}] {}", self.file, self.line, self.check, self.message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_reads_like_a_compiler_message() {
        let finding = Finding::new("size", "crates/a/src/lib.rs", 601, "too long");
        assert_eq!(finding.to_string(), "crates/a/src/lib.rs:601: [size] too long");
    }
}
