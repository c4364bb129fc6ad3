//! Every third-party crate has a row in `docs/dependencies.md` that says why it is there, and every
//! row its crate.

use std::collections::{BTreeMap, BTreeSet};

use crate::finding::Finding;
use crate::manifest;
use crate::markdown;

const CHECK: &str = "dependency";

/// The table.
const TABLE: &str = "docs/dependencies.md";

/// Checks all manifests among `files` (path → text) against the table.
pub(crate) fn check(files: &BTreeMap<String, String>) -> Vec<Finding> {
    let is_manifest = |path: &str| path == "Cargo.toml" || path.ends_with("/Cargo.toml");
    let manifests: Vec<_> = files.iter().filter(|(path, _)| is_manifest(path)).collect();
    let own: BTreeSet<_> = manifests.iter().filter_map(|(_, text)| manifest::package_name(text)).collect();
    let table = files.get(TABLE).map_or("", String::as_str);
    let rows: Vec<_> = markdown::first_cells(table)
        .into_iter()
        .filter(|row| row.text != "crate" && !row.text.chars().all(|c| matches!(c, '-' | ':')))
        .collect();
    let mut findings = Vec::new();
    let mut used = BTreeSet::new();
    for (path, text) in manifests {
        for named in manifest::dependencies(text) {
            if named.has_path || own.contains(named.name.as_str()) {
                continue;
            }
            // Said once, at the first manifest: the others inherit it.
            if used.insert(named.name.clone()) && !rows.iter().any(|row| row.text == named.name) {
                let message = format!("`{}` has no row in {TABLE}", named.name);
                findings.push(Finding::new(CHECK, path, named.line, message));
            }
        }
    }
    for row in rows.iter().filter(|row| !used.contains(&row.text)) {
        let message = format!("no manifest names `{}`: remove the row", row.text);
        findings.push(Finding::new(CHECK, TABLE, row.line, message));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(table: &str) -> Vec<String> {
        let files = BTreeMap::from([
            (
                "Cargo.toml".to_owned(),
                "[workspace.dependencies]\nglam = \"1\"\ncarom-a = { path = \"a\" }\n".to_owned(),
            ),
            (
                "a/Cargo.toml".to_owned(),
                "[package]\nname = \"carom-a\"\n[dependencies]\nglam.workspace = true\n".to_owned(),
            ),
            ("fuzz/Cargo.toml".to_owned(), "[dependencies]\nlibfuzzer-sys = \"0.4\"\n".to_owned()),
            (TABLE.to_owned(), table.to_owned()),
        ]);
        check(&files).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn every_manifest_counts() {
        let found = found("");
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[1].starts_with("fuzz/Cargo.toml:2: [dependency] `libfuzzer-sys` has no row"));
    }

    #[test]
    fn rows_and_crates_match_one_to_one() {
        let table = "| crate | why |\n|:--|---|\n| `glam` | vectors |\n| `libfuzzer-sys` | fuzzing |\n";
        assert_eq!(found(table), Vec::<String>::new());
        let stale = format!("{table}| `rand` | once |\n");
        assert_eq!(
            found(&stale),
            ["docs/dependencies.md:5: [dependency] no manifest names `rand`: remove the row"]
        );
    }
}
