//! The documents tell the truth about what is where: every path they name exists, every anchor they
//! link to as well.
//!
//! Looked at are the targets of Markdown links, and inline code that looks like a path of this
//! repository. A path with a placeholder (`TARGET`, `*`, `<name>`) or below an ignored folder (made
//! by a run) says nothing that could be checked.

use std::collections::BTreeMap;

use crate::finding::Finding;
use crate::markdown;

const CHECK: &str = "docs";

/// Inline code that starts like this is a path.
const FOLDERS: &[&str] =
    &["crates/", "docs/", "tools/", "fuzz/", "examples/", "tests/", "./", ".ci/", ".config/", ".github/"];

/// Words that stand for something else inside a path.
const PLACEHOLDERS: &[&str] = &["TARGET", "NAME", "FILE", "SCENE", "CRATE", "NNN", "NNNN", "DIR"];

/// Checks the Markdown files among `files` (path → text); `exists` tells whether a path from the
/// root is there.
pub(crate) fn check(files: &BTreeMap<String, String>, exists: &dyn Fn(&str) -> bool) -> Vec<Finding> {
    let ignored = ignored_folders(files.get(".gitignore").map_or("", String::as_str));
    let is_there = |path: &str| exists(path) || ignored.iter().any(|folder| path.starts_with(folder));
    let mut findings = Vec::new();
    for (file, text) in files.iter().filter(|(path, _)| path.ends_with(".md")) {
        for link in markdown::links(text) {
            if let Some(fault) = fault_of_link(file, &link.text, files, &is_there) {
                findings.push(Finding::new(CHECK, file, link.line, fault));
            }
        }
        for code in markdown::inline_code(text) {
            let Some(path) = path_in(&code.text) else { continue };
            // A crate's own document may name its files from its own folder.
            if !is_there(&normal(path)) && !is_there(&beside(file, path)) {
                findings.push(Finding::new(CHECK, file, code.line, format!("`{path}` does not exist")));
            }
        }
    }
    findings
}

fn fault_of_link(
    file: &str,
    target: &str,
    files: &BTreeMap<String, String>,
    is_there: &dyn Fn(&str) -> bool,
) -> Option<String> {
    if target.contains("://") || target.starts_with("mailto:") || is_placeholder(target) {
        return None;
    }
    let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
    let path = match path {
        "" => file.to_owned(),
        path if path.starts_with('/') => normal(path),
        path => beside(file, path),
    };
    if !is_there(&path) {
        return Some(format!("the link to `{target}` leads nowhere"));
    }
    let text = files.get(&path).filter(|_| path.ends_with(".md"))?;
    let is_known = anchor.is_empty() || markdown::anchors(text).iter().any(|known| known == anchor);
    (!is_known).then(|| format!("`{path}` has no heading for `#{anchor}`"))
}

/// The path that the inline code `code` is about, if it is about one: its first word, without
/// `:line` or `#anchor`.
fn path_in(code: &str) -> Option<&str> {
    let word = code.split_whitespace().next()?;
    let word = word.split([':', '#']).next()?;
    let is_root_file = !word.contains('/')
        && (word.ends_with(".md") || word == "Cargo.toml" || word.starts_with("LICENSE-"))
        && word.starts_with(char::is_uppercase);
    let is_path = FOLDERS.iter().any(|folder| word.starts_with(folder)) || is_root_file;
    (is_path && !is_placeholder(word)).then_some(word)
}

fn is_placeholder(path: &str) -> bool {
    path.contains(['*', '<', '{', '$', '…'])
        || path.split(|c: char| !c.is_alphanumeric()).any(|word| PLACEHOLDERS.contains(&word))
}

/// `path` as seen from the folder of `file`.
fn beside(file: &str, path: &str) -> String {
    let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
    normal(&format!("{folder}/{path}"))
}

/// `path` without `.`, `..` and superfluous slashes; what climbs above the root keeps its `..`.
fn normal(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// The folders that `.gitignore` names from the root.
fn ignored_folders(gitignore: &str) -> Vec<&str> {
    gitignore
        .lines()
        .filter_map(|line| line.trim().strip_prefix('/'))
        .filter(|line| !line.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let files = BTreeMap::from([
            (".gitignore".to_owned(), "/target\n/fuzz/corpus\n".to_owned()),
            ("docs/a.md".to_owned(), text.to_owned()),
            ("docs/b.md".to_owned(), "# Known heading\n".to_owned()),
        ]);
        let there = ["docs/a.md", "docs/b.md", "crates/x/src/lib.rs", "test", "README.md"];
        check(&files, &|path| there.contains(&path)).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn links_are_followed() {
        assert_eq!(
            found("[b](b.md) [c](../crates/x/src/lib.rs) [w](https://example.org/x.md)"),
            Vec::<String>::new()
        );
        assert_eq!(found("\n[b](gone.md)"), ["docs/a.md:2: [docs] the link to `gone.md` leads nowhere"]);
    }

    #[test]
    fn anchors_are_followed_here_and_there() {
        assert_eq!(found("# Here\n[h](#here) [k](b.md#known-heading)"), Vec::<String>::new());
        assert_eq!(found("[h](#here)"), ["docs/a.md:1: [docs] `docs/a.md` has no heading for `#here`"]);
        assert_eq!(found("[k](b.md#other)"), ["docs/a.md:1: [docs] `docs/b.md` has no heading for `#other`"]);
    }

    #[test]
    fn inline_code_that_names_a_path_is_checked() {
        assert_eq!(found("`crates/x/src/lib.rs:12`, `./test --long`, `README.md`"), Vec::<String>::new());
        assert_eq!(
            found("`crates/y/src/lib.rs`"),
            ["docs/a.md:1: [docs] `crates/y/src/lib.rs` does not exist"]
        );
        assert_eq!(found("`ARCHITECTURE.md`").len(), 1);
    }

    #[test]
    fn other_code_placeholders_and_results_of_runs_are_not() {
        assert_eq!(
            found("`a/b`, `x.md`, `fuzz/seeds/TARGET/a`, `docs/*.md`, `fuzz/corpus/x`, `cargo test`"),
            Vec::<String>::new()
        );
    }

    #[test]
    fn paths_are_normalised() {
        assert_eq!(normal("./a//b/../c"), "a/c");
        assert_eq!(normal("../x"), "../x");
        assert_eq!(beside("docs/a.md", "../b"), "b");
    }
}
