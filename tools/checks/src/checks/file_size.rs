//! A file is one idea, and an idea fits in a few hundred lines.

use std::collections::BTreeMap;

use crate::allow_list;
use crate::finding::Finding;
use crate::rust_source::in_test_folder;

const CHECK: &str = "size";

/// Path of the list of exemptions.
pub(crate) const LIST: &str = "tools/checks/long-files.txt";

/// Longest file of code, lines.
const MAX_LINES: usize = 600;
/// Longest file in a folder of tests, lines: tables of cases are long and simple.
const MAX_TEST_LINES: usize = 800;

/// Checks the Rust files among `files` (path → text).
pub(crate) fn check(files: &BTreeMap<String, String>, list: &str) -> Vec<Finding> {
    let (entries, mut findings) = allow_list::parse(CHECK, LIST, list);
    for (path, text) in files.iter().filter(|(path, _)| path.ends_with(".rs")) {
        let (lines, limit) = (text.lines().count(), limit_of(path));
        if lines > limit && !entries.iter().any(|entry| entry.path == *path) {
            let message = format!("{lines} lines, at most {limit}: split it by ideas, or list it in {LIST}");
            findings.push(Finding::new(CHECK, path, limit + 1, message));
        }
    }
    for entry in &entries {
        if files.get(&entry.path).is_none_or(|text| text.lines().count() <= limit_of(&entry.path)) {
            let message = format!("`{}` is not too long (any more): take it off the list", entry.path);
            findings.push(Finding::new(CHECK, LIST, entry.line, message));
        }
    }
    findings
}

fn limit_of(path: &str) -> usize {
    if in_test_folder(path) { MAX_TEST_LINES } else { MAX_LINES }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, lines: usize, list: &str) -> Vec<String> {
        let files = BTreeMap::from([(path.to_owned(), "x\n".repeat(lines))]);
        check(&files, list).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn the_limit_is_higher_in_folders_of_tests() {
        assert_eq!(found("crates/a/src/b.rs", 600, ""), Vec::<String>::new());
        assert!(
            found("crates/a/src/b.rs", 601, "")[0].starts_with("crates/a/src/b.rs:601: [size] 601 lines")
        );
        assert_eq!(found("crates/a/tests/b.rs", 800, ""), Vec::<String>::new());
        assert_eq!(found("crates/a/tests/b.rs", 801, "").len(), 1);
        assert_eq!(found("docs/table.md", 5000, ""), Vec::<String>::new());
    }

    #[test]
    fn exemptions_hold_as_long_as_they_are_needed() {
        let list = "crates/a/src/b.rs | one table of constants\n";
        assert_eq!(found("crates/a/src/b.rs", 700, list), Vec::<String>::new());
        assert!(
            found("crates/a/src/b.rs", 300, list)[0].starts_with("tools/checks/long-files.txt:1: [size]")
        );
    }
}
