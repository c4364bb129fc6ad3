//! Which module of a crate may use which: layers inside a crate, as `direction` has them between crates.
//!
//! A layer is a module at the root of its crate, with everything below it. It may use itself and the layers before it in
//! the table. Paths are read as they are written: `crate::module::…`, groups (`crate::{a, b}`) and `super::…`; a name that
//! the root re-exports has to be named by its module, or its layer could not be told. Tests may look anywhere.

use crate::finding::Finding;
use crate::rust_source::{RustSource, find_word};

const CHECK: &str = "layers";

/// Crates with layers: folder of the sources, and the layers from the lowest to the highest.
const LAYERS: &[(&str, &[&str])] = &[("crates/dynamics/src/", &["state", "solver", "pipeline", "world"])];

/// Checks all `sources` of the crates in the table.
pub(crate) fn check(sources: &[RustSource]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (folder, layers) in LAYERS {
        for source in sources {
            let Some(inner) = source.path.strip_prefix(folder).filter(|inner| *inner != "lib.rs") else {
                continue;
            };
            let module = module_of(inner);
            let Some(own) = layers.iter().position(|layer| *layer == module[0]) else {
                let message = format!("`{}` belongs to no layer: they are {}", module[0], layers.join(" ← "));
                findings.push(Finding::new(CHECK, &*source.path, 1, message));
                continue;
            };
            for (line, name) in used_modules(source, &module) {
                if layers[..=own].contains(&name.as_str()) {
                    continue;
                }
                let message = if layers.contains(&name.as_str()) {
                    format!("`{}` must not use `{name}`: the layers are {}", layers[own], layers.join(" ← "))
                } else {
                    format!("`crate::{name}`: name the module that it is from, so that its layer is seen")
                };
                findings.push(Finding::new(CHECK, &*source.path, line, message));
            }
        }
    }
    findings
}

/// The path of the module in a file: `a/b.rs` is `a::b`.
fn module_of(inner: &str) -> Vec<&str> {
    let stem = inner.strip_suffix(".rs").unwrap_or(inner);
    stem.split('/').filter(|part| *part != "mod").collect()
}

/// Modules at the root of the crate that a file uses, with their lines.
fn used_modules(source: &RustSource, module: &[&str]) -> Vec<(usize, String)> {
    let mut used = Vec::new();
    // Groups may go over several lines, so the code is read as a whole.
    let mut code = String::new();
    let mut starts = Vec::new();
    for (line, text) in source.shipped_lines() {
        starts.push((code.len(), line));
        code.push_str(text);
        code.push('\n');
    }
    let line_of = |at: usize| starts[starts.partition_point(|(start, _)| *start <= at) - 1].1;
    for at in find_word(&code, "crate") {
        // `pub(crate)`, and paths of macros.
        let Some(rest) = code[at + "crate".len()..].strip_prefix("::") else { continue };
        used.extend(heads(rest).into_iter().map(|name| (line_of(at), name)));
    }
    for at in find_word(&code, "super") {
        if code[..at].ends_with("super::") {
            continue;
        }
        let mut rest = &code[at..];
        let mut climbed = 0;
        while let Some(after) = rest.strip_prefix("super::") {
            (rest, climbed) = (after, climbed + 1);
        }
        if climbed == module.len() {
            used.extend(heads(rest).into_iter().map(|name| (line_of(at), name)));
        }
    }
    used
}

/// The first names of a path, or of all paths of a group.
fn heads(rest: &str) -> Vec<String> {
    let name = |text: &str| -> String {
        text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
    };
    let Some(group) = rest.strip_prefix('{') else { return vec![name(rest)] };
    let (mut depth, mut start, mut names) = (0usize, 0, Vec::new());
    for (at, character) in group.char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth == 0 => {
                names.push(name(&group[start..at]));
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                names.push(name(&group[start..at]));
                start = at + 1;
            }
            _ => {}
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(path: &str, text: &str) -> Vec<usize> {
        check(&[RustSource::new(path, text)]).iter().map(|finding| finding.line).collect()
    }

    #[test]
    fn a_layer_uses_itself_and_those_before_it() {
        for text in ["use crate::state::id::NONE;", "use crate::solver::rows;", "use super::rows::Rows;"] {
            assert_eq!(lines("crates/dynamics/src/solver/a.rs", text), [0; 0], "{text}");
        }
        for text in
            ["use crate::pipeline::sleep;", "let x = crate::world::World::new();", "use crate::World;"]
        {
            assert_eq!(lines("crates/dynamics/src/solver/a.rs", text), [1], "{text}");
        }
        assert_eq!(lines("crates/dynamics/src/world.rs", "use crate::pipeline::Pipeline;"), [0; 0]);
        assert_eq!(lines("crates/dynamics/src/state.rs", "use crate::solver::Pull;"), [1]);
    }

    #[test]
    fn groups_and_relative_paths_are_read() {
        let group = "fn a() {}\nuse crate::{\n    state::{id, bodies},\n    world::World,\n};";
        assert_eq!(lines("crates/dynamics/src/pipeline/a.rs", group), [2]);
        assert_eq!(lines("crates/dynamics/src/state/a.rs", "use super::super::world::World;"), [1]);
        assert_eq!(lines("crates/dynamics/src/state/a/b.rs", "use super::super::world::World;"), [0; 0]);
    }

    #[test]
    fn tests_comments_and_other_crates_are_free() {
        let test = "fn a() {}\n#[cfg(test)]\nmod tests {\n    use crate::world::World;\n}";
        assert_eq!(lines("crates/dynamics/src/state/a.rs", test), [0; 0]);
        assert_eq!(
            lines("crates/dynamics/src/state/a.rs", "//! See [`crate::world`].\npub(crate) fn a() {}"),
            [0; 0]
        );
        assert_eq!(lines("crates/lab/src/a.rs", "use crate::world::World;"), [0; 0]);
    }

    #[test]
    fn a_module_without_a_layer_is_found() {
        assert_eq!(lines("crates/dynamics/src/helpers.rs", ""), [1]);
        assert_eq!(lines("crates/dynamics/src/lib.rs", "pub use crate::world::World;"), [0; 0]);
    }
}
