//! `unsafe` stands only in the files of a short list, and each use says why it is sound.
//!
//! A crate without a listed file forbids it in its root, so the compiler is the first guard; this
//! check sees that the guard is posted, that the list is no longer than needed, and that every
//! `unsafe` has its `SAFETY:` note.

use crate::allow_list;
use crate::finding::Finding;
use crate::manifest::Package;
use crate::rust_source::{RustSource, find_word};

const CHECK: &str = "unsafe";

/// Path of the list.
pub(crate) const LIST: &str = "tools/checks/unsafe-files.txt";

/// How many lines above an `unsafe` its note may stand.
const NOTE_REACH: usize = 3;

/// Checks all `sources`, the crate roots of `packages` and the list itself.
pub(crate) fn check(sources: &[RustSource], packages: &[Package], list: &str) -> Vec<Finding> {
    let (entries, mut findings) = allow_list::parse(CHECK, LIST, list);
    let is_listed = |path: &str| entries.iter().any(|entry| entry.path == path);
    for source in sources {
        for line in uses(source) {
            if !is_listed(&source.path) {
                findings.push(Finding::new(
                    CHECK,
                    &*source.path,
                    line,
                    format!("`unsafe` outside the files of {LIST}"),
                ));
            } else if !has_note(source, line) {
                let message = format!("`unsafe` without a `SAFETY:` note in the {NOTE_REACH} lines above it");
                findings.push(Finding::new(CHECK, &*source.path, line, message));
            }
        }
    }
    for entry in &entries {
        let source = sources.iter().find(|source| source.path == entry.path);
        if source.is_none_or(|source| uses(source).next().is_none()) {
            let message = format!("`{}` has no `unsafe` (any more): take it off the list", entry.path);
            findings.push(Finding::new(CHECK, LIST, entry.line, message));
        }
    }
    for package in packages.iter().filter(|p| !entries.iter().any(|e| e.path.starts_with(p.folder()))) {
        for root in sources.iter().filter(|source| package.roots.contains(&source.path)) {
            if !root.code.iter().any(|line| line.replace(' ', "").contains("#![forbid(unsafe_code)]")) {
                findings.push(Finding::new(
                    CHECK,
                    &*root.path,
                    1,
                    "the crate root lacks `#![forbid(unsafe_code)]`",
                ));
            }
        }
    }
    findings
}

/// Lines, from 1, that use the keyword.
fn uses(source: &RustSource) -> impl Iterator<Item = usize> {
    let lines = source.code.iter().enumerate();
    lines.filter(|(_, line)| find_word(line, "unsafe").next().is_some()).map(|(index, _)| index + 1)
}

fn has_note(source: &RustSource, line: usize) -> bool {
    let first = line.saturating_sub(1 + NOTE_REACH);
    source.comments[first..line].iter().any(|comment| comment.contains("SAFETY:"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTED: &str = "// SAFETY: the slices are disjoint.\nunsafe { f() }\n";

    fn package(root: &str) -> Package {
        Package {
            name: "carom-a".to_owned(),
            manifest: "crates/a/Cargo.toml".to_owned(),
            siblings: Vec::new(),
            roots: vec![root.to_owned()],
        }
    }

    fn found(path: &str, text: &str, list: &str) -> Vec<String> {
        check(&[RustSource::new(path, text)], &[], list).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn unsafe_outside_the_list_is_found() {
        assert!(found("crates/a/src/b.rs", NOTED, "")[0].starts_with("crates/a/src/b.rs:2: [unsafe]"));
        assert_eq!(found("crates/a/src/b.rs", NOTED, "crates/a/src/b.rs | lanes\n"), Vec::<String>::new());
    }

    #[test]
    fn a_listed_file_still_needs_a_note_close_by() {
        let list = "crates/a/src/b.rs | lanes\n";
        assert_eq!(found("crates/a/src/b.rs", "unsafe impl Send for A {}\n", list).len(), 1);
        let far = "// SAFETY: far away.\n\n\n\nunsafe fn f() {}\n";
        assert_eq!(found("crates/a/src/b.rs", far, list).len(), 1);
    }

    #[test]
    fn a_listed_file_without_unsafe_or_without_being_is_found() {
        let listed = "crates/a/src/b.rs | lanes\ncrates/a/src/gone.rs | once\n";
        let lines: Vec<_> = check(&[RustSource::new("crates/a/src/b.rs", "fn f() {}")], &[], listed)
            .iter()
            .map(|f| f.line)
            .collect();
        assert_eq!(lines, [1, 2]);
    }

    #[test]
    fn words_in_comments_and_strings_do_not_count() {
        assert_eq!(
            found("crates/a/src/b.rs", "// unsafe\nlet a = \"unsafe\"; unsafe_code();\n", ""),
            Vec::<String>::new()
        );
    }

    #[test]
    fn a_crate_root_must_forbid_unless_its_crate_is_listed() {
        let root = "crates/a/src/lib.rs";
        let open = [RustSource::new(root, "//! A.\n"), RustSource::new("crates/a/src/b.rs", NOTED)];
        let listed = check(&open, &[package(root)], "crates/a/src/b.rs | lanes\n");
        assert_eq!(listed, []);
        let closed = [RustSource::new(root, "//! A.\n#![forbid(unsafe_code)]\n")];
        assert_eq!(check(&closed, &[package(root)], ""), []);
        assert_eq!(check(&[RustSource::new(root, "//! A.\n")], &[package(root)], "").len(), 1);
    }
}
