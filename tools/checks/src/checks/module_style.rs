//! One module style: `foo.rs` with its children in `foo/`, never `foo/mod.rs`, so that no two open
//! files have the same name.

use std::collections::BTreeMap;

use crate::finding::Finding;

const CHECK: &str = "module";

/// Checks the paths among `files` (path → text).
pub(crate) fn check(files: &BTreeMap<String, String>) -> Vec<Finding> {
    files
        .keys()
        .filter_map(|path| path.strip_suffix("/mod.rs").map(|folder| (path, folder)))
        .map(|(path, folder)| Finding::new(CHECK, path, 1, format!("rename it to `{folder}.rs`")))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_called_mod_are_found() {
        let paths = ["crates/a/src/b/mod.rs", "crates/a/src/b.rs", "crates/a/src/b/model.rs"];
        let files = paths.map(|path| (path.to_owned(), String::new())).into();
        let found: Vec<_> = check(&files).iter().map(ToString::to_string).collect();
        assert_eq!(found, ["crates/a/src/b/mod.rs:1: [module] rename it to `crates/a/src/b.rs`"]);
    }
}
