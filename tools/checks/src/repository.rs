//! The repository on disk: its files as `git` lists them, and the packages as `cargo` sees them.
//!
//! Everything is read here, once; the checks work on what is in memory. Files that are new and not
//! yet added count too, so a finding shows before a commit and not after it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use crate::manifest::{self, Licensed, Package};
use crate::rust_source::RustSource;

/// The repository, read.
pub(crate) struct Repository {
    /// Its root folder.
    pub(crate) root: PathBuf,
    /// Every text file by its path from the root (with `/`); binary files have an empty text.
    pub(crate) files: BTreeMap<String, String>,
    /// The Rust files among them, without those of the fuzz targets.
    pub(crate) rust: Vec<RustSource>,
    /// The members of the workspace.
    pub(crate) packages: Vec<Package>,
    /// Every package that is built, ours and others.
    pub(crate) licensed: Vec<Licensed>,
}

impl Repository {
    /// Reads the repository around the current folder.
    pub(crate) fn open() -> Result<Self, String> {
        let here = env::current_dir().map_err(|e| format!("no current folder: {e}"))?;
        let root = output("git", &["rev-parse", "--show-toplevel"], &here)?;
        let root = PathBuf::from(root.trim_end());
        let listed = output("git", &["ls-files", "--cached", "--others", "--exclude-standard", "-z"], &root)?;
        let mut files = BTreeMap::new();
        for path in listed.split('\0').filter(|path| !path.is_empty()) {
            // A file that is listed but deleted in the working tree is on its way out.
            if let Ok(bytes) = fs::read(root.join(path)) {
                files.insert(path.to_owned(), text_of(&bytes));
            }
        }
        let cargo = env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
        let metadata = output(&cargo, &["metadata", "--format-version", "1"], &root)?;
        let metadata =
            serde_json::from_str(&metadata).map_err(|e| format!("cargo metadata is not JSON: {e}"))?;
        let (packages, licensed) = (manifest::packages(&metadata)?, manifest::licensed(&metadata)?);
        let rust = rust_sources(&files);
        Ok(Self { root, files, rust, packages, licensed })
    }

    /// The text of a file; empty if there is none.
    pub(crate) fn text(&self, path: &str) -> &str {
        self.files.get(path).map_or("", String::as_str)
    }
}

fn rust_sources(files: &BTreeMap<String, String>) -> Vec<RustSource> {
    let is_ours = |path: &str| path.ends_with(".rs") && !path.starts_with("fuzz/");
    let mut sources: Vec<_> = files
        .iter()
        .filter(|(path, _)| is_ours(path))
        .map(|(path, text)| RustSource::new(path, text))
        .collect();
    let prefixes: Vec<_> = sources.iter().flat_map(RustSource::test_module_prefixes).collect();
    for source in &mut sources {
        let is_test_module = prefixes.iter().any(|prefix| {
            source
                .path
                .strip_prefix(prefix.as_str())
                .is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
        });
        if is_test_module {
            source.is_test.fill(true);
        }
    }
    sources
}

fn text_of(bytes: &[u8]) -> String {
    if bytes.contains(&0) { String::new() } else { String::from_utf8_lossy(bytes).into_owned() }
}

fn output(program: &str, arguments: &[&str], folder: &Path) -> Result<String, String> {
    let command = || format!("`{program} {}`", arguments.join(" "));
    let output = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .output()
        .map_err(|e| format!("cannot run {}: {e}", command()))?;
    if !output.status.success() {
        return Err(format!("{} failed: {}", command(), String::from_utf8_lossy(&output.stderr).trim()));
    }
    String::from_utf8(output.stdout).map_err(|_| format!("{} did not answer in UTF-8", command()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_under_cfg_test_in_other_files_are_test_code() {
        let files = BTreeMap::from([
            ("crates/a/src/lib.rs".to_owned(), "#[cfg(test)]\nmod oracle;\n".to_owned()),
            ("crates/a/src/oracle.rs".to_owned(), "fn f() {}\n".to_owned()),
            ("crates/a/src/oracle/deep.rs".to_owned(), "fn g() {}\n".to_owned()),
            ("crates/a/src/oracles.rs".to_owned(), "fn h() {}\n".to_owned()),
            ("fuzz/src/x.rs".to_owned(), "fn i() {}\n".to_owned()),
        ]);
        let shipped: Vec<_> = rust_sources(&files)
            .iter()
            .filter(|s| s.shipped_lines().count() > 0)
            .map(|s| s.path.clone())
            .collect();
        assert_eq!(shipped, ["crates/a/src/oracles.rs"]);
    }

    #[test]
    fn bytes_with_a_zero_are_not_text() {
        assert_eq!(text_of(&[b'a', 0, b'b']), "");
        assert_eq!(text_of(b"a\n"), "a\n");
    }

    #[test]
    fn a_failing_command_is_named() {
        let error = output("git", &["no-such-command"], Path::new(".")).unwrap_err();
        assert!(error.contains("git no-such-command"), "{error}");
    }
}
