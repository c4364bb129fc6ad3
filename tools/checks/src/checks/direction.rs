//! Which crate may know which. Data flows one way, so dependencies point one way; a crate that is
//! not in the table is refused.
//!
//! Development dependencies may be wider (a test of the solver may load a scene), but the whole
//! graph stays free of cycles: a crate whose tests need its own users is cut at the wrong place.

use crate::finding::Finding;
use crate::manifest::{self, Kind, Package};

const CHECK: &str = "direction";

/// Shared machinery.
const CORE: &[&str] = &["carom-core"];
/// What finds contacts.
const COLLISION: &[&str] = &["carom-geometry", "carom-broadphase", "carom-narrowphase"];
/// Two-dimensional geometry, contacts and scenes; no part of the engine.
const PLANAR: &[&str] = &["carom-planar"];
const DYNAMICS: &[&str] = &["carom-dynamics"];
/// Worlds of two dimensions on the engine.
const DYNAMICS_2D: &[&str] = &["carom-dynamics2d"];
/// The public face of the engine.
const FACE: &[&str] = &["carom"];
/// What goes in and what comes out, as plain data.
const DATA: &[&str] = &["carom-scene", "carom-recording"];
const ENGINES: &[&str] = &["carom-engines"];
/// Files for people from plain data.
const REPORT: &[&str] = &["carom-report"];
/// Scenes on any engine, behind one interface.
const SIM: &[&str] = &["carom-sim"];
/// The simulation of the Fingsics program.
const FINGSICS: &[&str] = &["carom-fingsics"];
const LAB: &[&str] = &["carom-lab"];
const RENDER: &[&str] = &["carom-render"];
const VIEWER: &[&str] = &["carom-viewer"];

/// Every crate and, in groups, the siblings it may depend on directly.
const MAY_KNOW: &[(&str, &[&[&str]])] = &[
    ("carom-core", &[]),
    ("carom-geometry", &[CORE]),
    ("carom-broadphase", &[CORE, &["carom-geometry"]]),
    ("carom-narrowphase", &[CORE, &["carom-geometry"]]),
    ("carom-dynamics", &[CORE, COLLISION]),
    ("carom-dynamics2d", &[CORE, &["carom-geometry"], DYNAMICS]),
    ("carom", &[CORE, COLLISION, DYNAMICS, DYNAMICS_2D]),
    ("carom-planar", &[CORE, &["carom-geometry"]]),
    ("carom-scene", &[CORE, &["carom-geometry", "carom-planar"]]),
    ("carom-fingsics", &[SIM, CORE, COLLISION, &["carom-scene"]]),
    ("carom-recording", &[CORE, &["carom-geometry", "carom-scene"]]),
    ("carom-engines", &[&["carom-scene"], FACE]),
    ("carom-report", &[]),
    ("carom-sim", &[CORE, COLLISION, DYNAMICS, FACE, &["carom-scene"]]),
    ("carom-lab", &[SIM, CORE, COLLISION, PLANAR, DYNAMICS, FACE, DATA, ENGINES, REPORT, FINGSICS]),
    ("carom-render", &[DATA]),
    ("carom-viewer", &[SIM, CORE, COLLISION, DYNAMICS, FACE, DATA, RENDER]),
    (
        "carom-cli",
        &[SIM, CORE, COLLISION, PLANAR, DYNAMICS, FACE, DATA, ENGINES, REPORT, FINGSICS, LAB, RENDER, VIEWER],
    ),
    ("carom-checks", &[]),
];

/// Compares `packages` with the table; `manifest_text` gives the text of a manifest, for the line
/// numbers.
pub(crate) fn check(packages: &[Package], manifest_text: &dyn Fn(&str) -> String) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in packages {
        let Some((_, known)) = MAY_KNOW.iter().find(|(name, _)| *name == package.name) else {
            let message =
                format!("`{}` is not in the table of tools/checks/src/checks/direction.rs", package.name);
            findings.push(Finding::new(CHECK, &*package.manifest, 1, message));
            continue;
        };
        for (sibling, kind) in &package.siblings {
            if *kind == Kind::Normal && !known.concat().contains(&sibling.as_str()) {
                let line = manifest::line_of(&manifest_text(&package.manifest), sibling);
                let message = format!("`{}` must not depend on `{sibling}`", package.name);
                findings.push(Finding::new(CHECK, &*package.manifest, line, message));
            }
        }
    }
    if let Some(cycle) = find_cycle(packages) {
        let start = packages.iter().find(|p| p.name == cycle[0]);
        let file = start.map_or("Cargo.toml", |p| p.manifest.as_str());
        let line = cycle.get(1).map_or(1, |next| manifest::line_of(&manifest_text(file), next));
        let message = format!("dependencies (tests included) go in a circle: {}", cycle.join(" → "));
        findings.push(Finding::new(CHECK, file, line, message));
    }
    findings
}

/// One cycle of the graph of all dependencies, its first name repeated at the end.
fn find_cycle(packages: &[Package]) -> Option<Vec<String>> {
    let mut done = Vec::new();
    packages.iter().find_map(|package| visit(packages, &package.name, &mut Vec::new(), &mut done))
}

fn visit(
    packages: &[Package],
    name: &str,
    path: &mut Vec<String>,
    done: &mut Vec<String>,
) -> Option<Vec<String>> {
    if let Some(start) = path.iter().position(|n| n == name) {
        let mut cycle = path[start..].to_vec();
        cycle.push(name.to_owned());
        return Some(cycle);
    }
    if done.iter().any(|n| n == name) {
        return None;
    }
    path.push(name.to_owned());
    let package = packages.iter().find(|p| p.name == name);
    for (sibling, _) in package.iter().flat_map(|p| &p.siblings) {
        if let Some(cycle) = visit(packages, sibling, path, done) {
            return Some(cycle);
        }
    }
    path.pop();
    done.push(name.to_owned());
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(name: &str, siblings: &[(&str, Kind)]) -> Package {
        Package {
            name: name.to_owned(),
            manifest: format!("crates/{name}/Cargo.toml"),
            siblings: siblings.iter().map(|(n, k)| ((*n).to_owned(), *k)).collect(),
            roots: Vec::new(),
        }
    }

    fn messages(packages: &[Package]) -> Vec<String> {
        check(packages, &|_| "[dependencies]\ncarom-scene.workspace = true\n".to_owned())
            .iter()
            .map(ToString::to_string)
            .collect()
    }

    #[test]
    fn the_table_itself_has_no_cycle_and_knows_all_its_names() {
        let packages: Vec<_> = MAY_KNOW
            .iter()
            .map(|(name, known)| {
                package(name, &known.concat().iter().map(|k| (*k, Kind::Normal)).collect::<Vec<_>>())
            })
            .collect();
        assert_eq!(messages(&packages), Vec::<String>::new());
        for (name, known) in MAY_KNOW {
            for k in known.concat() {
                assert!(MAY_KNOW.iter().any(|(n, _)| *n == k), "{name} knows the unknown {k}");
            }
        }
    }

    #[test]
    fn the_engine_must_not_know_scenes() {
        let found = messages(&[package("carom-dynamics", &[("carom-scene", Kind::Normal)])]);
        assert_eq!(
            found,
            [
                "crates/carom-dynamics/Cargo.toml:2: [direction] `carom-dynamics` must not depend on `carom-scene`"
            ]
        );
    }

    #[test]
    fn tests_may_know_more_but_not_in_a_circle() {
        let dynamics = package("carom-dynamics", &[("carom-scene", Kind::Dev)]);
        assert_eq!(messages(&[dynamics, package("carom-scene", &[])]), Vec::<String>::new());
        let scene = package("carom-scene", &[("carom-recording", Kind::Dev)]);
        let found = messages(&[scene, package("carom-recording", &[("carom-scene", Kind::Normal)])]);
        assert_eq!(found.len(), 1);
        assert!(found[0].contains("carom-scene → carom-recording → carom-scene"), "{}", found[0]);
    }

    #[test]
    fn a_crate_without_a_place_is_found() {
        assert!(messages(&[package("carom-attic", &[])])[0].contains("`carom-attic` is not in the table"));
    }
}
