//! Lists of files that may break a rule: one `path | reason` per line, `#` starts a comment.
//!
//! An exemption without a reason is refused, and so is one that is no longer needed (each check
//! sees to the latter), so the lists cannot grow stale.

use crate::finding::Finding;

/// One exemption.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Path from the root of the repository.
    pub(crate) path: String,
    /// Line of the list, from 1.
    pub(crate) line: usize,
}

/// The exemptions of the list `text`, which is the file `file`; malformed lines become findings of
/// `check`.
pub(crate) fn parse(check: &'static str, file: &str, text: &str) -> (Vec<Entry>, Vec<Finding>) {
    let mut entries = Vec::new();
    let mut findings = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let content = line.trim();
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        let (path, reason) = content.split_once('|').unwrap_or((content, ""));
        if reason.trim().is_empty() {
            findings.push(Finding::new(check, file, index + 1, "an exemption reads `path | reason`"));
        }
        entries.push(Entry { path: path.trim().to_owned(), line: index + 1 });
    }
    (entries, findings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_blank_lines_are_no_exemptions() {
        let (entries, findings) = parse("size", "list.txt", "# why\n\ncrates/a.rs | one table\n");
        assert_eq!(entries, [Entry { path: "crates/a.rs".to_owned(), line: 3 }]);
        assert_eq!(findings, []);
    }

    #[test]
    fn an_exemption_needs_a_reason() {
        let (entries, findings) = parse("size", "list.txt", "crates/a.rs\ncrates/b.rs |  \n");
        assert_eq!(entries.len(), 2);
        assert_eq!(findings.iter().map(|f| f.line).collect::<Vec<_>>(), [1, 2]);
    }
}
