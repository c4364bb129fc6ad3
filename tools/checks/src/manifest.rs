//! What `cargo metadata` and the manifests say about the crates of the workspace.
//!
//! The direction of dependencies comes from `cargo metadata`, which resolves inheritance; the names
//! with their line numbers come from a reader of the few TOML forms a manifest uses for
//! dependencies. A TOML crate would give the names but not the lines.

use serde_json::Value;

/// Kind of a dependency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Needed by the crate itself or by its build script.
    Normal,
    /// Needed by its tests, examples and benchmarks only.
    Dev,
}

/// A member of the workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Package {
    /// Package name.
    pub(crate) name: String,
    /// Path of its `Cargo.toml` from the root of the repository.
    pub(crate) manifest: String,
    /// Direct dependencies that are members of the workspace too.
    pub(crate) siblings: Vec<(String, Kind)>,
    /// Paths of the root files of its libraries and programs.
    pub(crate) roots: Vec<String>,
}

impl Package {
    /// Folder of the package, with a closing `/`.
    pub(crate) fn folder(&self) -> &str {
        self.manifest.strip_suffix("Cargo.toml").unwrap_or(&self.manifest)
    }
}

/// The name, version and licence of a package, ours or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Licensed {
    /// Package name.
    pub(crate) name: String,
    /// Version.
    pub(crate) version: String,
    /// SPDX expression, if the package names one.
    pub(crate) licence: Option<String>,
}

/// Every package in the answer of `cargo metadata`.
pub(crate) fn licensed(metadata: &Value) -> Result<Vec<Licensed>, String> {
    let of = |package: &Value| {
        Ok(Licensed {
            name: text(package, "name")?.to_owned(),
            version: text(package, "version")?.to_owned(),
            licence: package.get("license").and_then(Value::as_str).map(str::to_owned),
        })
    };
    list(metadata, "packages")?.iter().map(of).collect()
}

/// The members of the workspace, from the answer of `cargo metadata`.
pub(crate) fn packages(metadata: &Value) -> Result<Vec<Package>, String> {
    let root = text(metadata, "workspace_root")?;
    // Packages from elsewhere have a source.
    let is_member = |package: &&Value| package.get("source").is_none_or(Value::is_null);
    let relative = |path: &str| path.strip_prefix(root).unwrap_or(path).trim_start_matches('/').to_owned();
    list(metadata, "packages")?
        .iter()
        .filter(is_member)
        .map(|package| {
            let mut siblings = Vec::new();
            for dependency in list(package, "dependencies")? {
                // Only members of the workspace have a path in this workspace's manifests.
                if dependency.get("path").is_some_and(Value::is_string) {
                    let is_dev = dependency.get("kind").and_then(Value::as_str) == Some("dev");
                    let kind = if is_dev { Kind::Dev } else { Kind::Normal };
                    siblings.push((text(dependency, "name")?.to_owned(), kind));
                }
            }
            let mut roots = Vec::new();
            for target in list(package, "targets")? {
                let kinds = list(target, "kind")?;
                if kinds
                    .iter()
                    .any(|k| matches!(k.as_str(), Some("lib" | "bin" | "rlib" | "cdylib" | "proc-macro")))
                {
                    roots.push(relative(text(target, "src_path")?));
                }
            }
            Ok(Package {
                name: text(package, "name")?.to_owned(),
                manifest: relative(text(package, "manifest_path")?),
                siblings,
                roots,
            })
        })
        .collect()
}

fn text<'a>(value: &'a Value, key: &str) -> Result<&'a str, String> {
    value.get(key).and_then(Value::as_str).ok_or_else(|| format!("cargo metadata has no text `{key}`"))
}

fn list<'a>(value: &'a Value, key: &str) -> Result<&'a Vec<Value>, String> {
    value.get(key).and_then(Value::as_array).ok_or_else(|| format!("cargo metadata has no list `{key}`"))
}

/// A dependency named in a manifest.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Named {
    /// Package name on the registry, also if the manifest renames it.
    pub(crate) name: String,
    /// Line, from 1.
    pub(crate) line: usize,
    /// Whether the entry has a path: then it is ours.
    pub(crate) has_path: bool,
}

/// All dependencies named in the manifest `text`, in order.
pub(crate) fn dependencies(text: &str) -> Vec<Named> {
    let mut found: Vec<Named> = Vec::new();
    let mut in_list = false;
    let mut in_entry = false;
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if let Some(section) = line.strip_prefix('[') {
            let section = section.trim_start_matches('[').split(']').next().unwrap_or_default();
            in_list = section.ends_with("dependencies");
            let entry = section.rsplit_once('.').filter(|(list, _)| list.ends_with("dependencies"));
            in_entry = entry.is_some();
            if let Some((_, name)) = entry {
                found.push(Named { name: name.to_owned(), line: index + 1, has_path: false });
            }
        } else if line.starts_with('#') {
            continue;
        } else if let Some((key, value)) = line.split_once('=') {
            let key = key.trim();
            if in_list {
                let name = key.split('.').next().unwrap_or(key).trim_matches('"');
                let name = renamed(value).unwrap_or(name);
                found.push(Named {
                    name: name.to_owned(),
                    line: index + 1,
                    has_path: value.contains("path ="),
                });
            } else if in_entry && let Some(last) = found.last_mut() {
                last.has_path |= key == "path";
                if key == "package" {
                    value.trim().trim_matches('"').clone_into(&mut last.name);
                }
            }
        }
    }
    found
}

/// The value of `package = "…"` inside an inline table.
fn renamed(value: &str) -> Option<&str> {
    value.split_once("package = \"")?.1.split('"').next()
}

/// Line, from 1, on which the manifest `text` names `dependency`; 1 if it cannot be found.
pub(crate) fn line_of(text: &str, dependency: &str) -> usize {
    dependencies(text).iter().find(|named| named.name == dependency).map_or(1, |named| named.line)
}

/// The package name in the manifest `text`; `None` for a virtual manifest.
pub(crate) fn package_name(text: &str) -> Option<&str> {
    let (_, package) = text.split_once("[package]")?;
    let line = package.lines().find(|line| line.trim_start().starts_with("name"))?;
    line.split('"').nth(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_a_dependency_is_read() {
        let text = "[package]\nname = \"carom-a\"\n[dependencies]\nserde.workspace = true\nx = \"1\" # why\n\
                    own = { path = \"../own\" }\nalias = { package = \"real\", version = \"1\" }\n\
                    [target.'cfg(unix)'.dev-dependencies]\nlibc = \"0.2\"\n[dependencies.long]\nversion = \"2\"\n\
                    [features]\nfast = []\n";
        let names = dependencies(text).into_iter().map(|n| (n.name, n.line, n.has_path)).collect::<Vec<_>>();
        let expected = [
            ("serde", 4, false),
            ("x", 5, false),
            ("own", 6, true),
            ("real", 7, false),
            ("libc", 9, false),
            ("long", 10, false),
        ];
        assert_eq!(names, expected.map(|(n, l, p)| (n.to_owned(), l, p)));
        assert_eq!(package_name(text), Some("carom-a"));
        assert_eq!(line_of(text, "libc"), 9);
    }

    #[test]
    fn metadata_is_told_apart_into_siblings_and_strangers() {
        let metadata = serde_json::json!({
            "workspace_root": "/r",
            "packages": [{
                "name": "carom-a",
                "manifest_path": "/r/crates/a/Cargo.toml",
                "dependencies": [
                    { "name": "carom-b", "kind": null, "path": "/r/crates/b" },
                    { "name": "carom-c", "kind": "dev", "path": "/r/crates/c" },
                    { "name": "glam", "kind": null, "path": null }
                ],
                "targets": [
                    { "kind": ["lib"], "src_path": "/r/crates/a/src/lib.rs" },
                    { "kind": ["test"], "src_path": "/r/crates/a/tests/t.rs" }
                ]
            }]
        });
        let found = packages(&metadata).unwrap();
        assert_eq!(
            found[0].siblings,
            [("carom-b".to_owned(), Kind::Normal), ("carom-c".to_owned(), Kind::Dev)]
        );
        assert_eq!(found[0].roots, ["crates/a/src/lib.rs"]);
        assert_eq!(found[0].folder(), "crates/a/");
    }

    #[test]
    fn strange_metadata_is_an_error() {
        assert!(packages(&serde_json::json!({ "packages": [] })).is_err());
    }
}
