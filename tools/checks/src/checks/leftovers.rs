//! Nothing left behind: no paths of somebody's machine in any text, no unfinished marks in the
//! code.

use std::collections::BTreeMap;

use crate::finding::Finding;
use crate::rust_source::{RustSource, find_word};

const CHECK: &str = "leftover";

/// Folders that exist on a developer's machine only. Written in two pieces, or this file would find
/// itself.
const MACHINE_FOLDERS: &[&str] = &[concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!("/ho", "me/")];

const MACROS: &[&str] = &["todo", "unimplemented", "dbg"];
const MARKS: &[&str] = &[concat!("FIX", "ME"), concat!("XX", "X")];

/// Checks every text of `files` (path → text) and every Rust file.
pub(crate) fn check(files: &BTreeMap<String, String>, sources: &[RustSource]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in files {
        for (index, line) in text.lines().enumerate() {
            for folder in MACHINE_FOLDERS.iter().filter(|folder| has_folder(line, folder)) {
                let message = format!("`{folder}` is a path of one machine");
                findings.push(Finding::new(CHECK, path, index + 1, message));
            }
        }
    }
    for source in sources {
        for (index, (code, comment)) in source.code.iter().zip(&source.comments).enumerate() {
            let is_macro =
                |name: &str| find_word(code, name).any(|at| code[at + name.len()..].starts_with('!'));
            for name in MACROS.iter().filter(|name| is_macro(name)) {
                findings.push(Finding::new(
                    CHECK,
                    &*source.path,
                    index + 1,
                    format!("`{name}!` is unfinished work"),
                ));
            }
            let is_mark =
                |m: &str| find_word(code, m).next().is_some() || find_word(comment, m).next().is_some();
            for mark in MARKS.iter().filter(|mark| is_mark(mark)) {
                findings.push(Finding::new(
                    CHECK,
                    &*source.path,
                    index + 1,
                    format!("`{mark}` is unfinished work"),
                ));
            }
        }
    }
    findings
}

/// Whether `folder` stands in `line` as the beginning of an absolute path.
fn has_folder(line: &str, folder: &str) -> bool {
    let continues = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '}' | '~');
    line.match_indices(folder).any(|(at, _)| !line[..at].chars().next_back().is_some_and(continues))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> Vec<usize> {
        let files = BTreeMap::from([(path.to_owned(), text.to_owned())]);
        check(&files, &[RustSource::new(path, text)]).iter().map(|f| f.line).collect()
    }

    #[test]
    fn machine_paths_are_found_in_any_text() {
        for folder in MACHINE_FOLDERS {
            assert_eq!(found("docs/a.md", &format!("first\nsee {folder}somebody/x\n")), [2], "{folder}");
        }
        assert_eq!(found("docs/a.md", "see the network/x and https://example.org/home/x\n"), [0; 0]);
    }

    #[test]
    fn unfinished_work_is_found() {
        assert_eq!(
            found("a.rs", "fn f() { todo!() }\nfn g() { dbg!(1); }\nfn h() { unimplemented!() }"),
            [1, 2, 3]
        );
        assert_eq!(found("a.rs", &format!("// {}: later\n", MARKS[0])), [1]);
    }

    #[test]
    fn words_that_only_look_like_it_are_free() {
        assert_eq!(found("a.rs", "let todo = list; f(\"todo!\"); is_todo!(x);"), [0; 0]);
    }
}
