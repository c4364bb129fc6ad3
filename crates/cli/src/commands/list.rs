//! `carom list`: what there is to choose from.

use carom_fingsics::{FingsicsVersion, Quirk};
use carom_lab::Method;
use carom_lab::NarrowMethod;
use carom_lab::Refinement;
use carom_lab::experiment::Experiment;
use carom_lab::pairs::peers::Peer;
use carom_lab::registry;
use carom_planar::PlanarScene;
use carom_scene::Scene;
use carom_scene::library::{self, Parameter, SceneSource};
use carom_scene::planar_bodies::spatial_scene;
use carom_scene::swarm::SWARMS;

use crate::args::ListKind;
use crate::failure::{Outcome, Verdict};
use crate::show::{line, table};

/// `carom list`.
pub(crate) fn run(kind: ListKind) -> Outcome {
    match kind {
        ListKind::Scenes => scenes(),
        ListKind::Broad => broad(),
        ListKind::Solvers => solvers(),
        ListKind::Narrow => narrow(),
        ListKind::Integrators => named([
            (
                "soft-step",
                "Semi-implicit Euler in substeps for what touches; exact parabolas and rotations that keep momentum for \
                 what flies. What `--solver soft-step` uses.",
            ),
            (
                "fingsics",
                "Explicit Euler; rotation by a matrix of Euler angles that is never made orthonormal again. What \
                 `--solver fingsics` uses.",
            ),
        ]),
        ListKind::Engines => named([("carom", "This one; other engines will stand beside it.")]),
        ListKind::Experiments => named(Experiment::ALL.map(|e| (e.name(), e.about()))),
        ListKind::Quirks => quirks(),
    }
    Ok(Verdict::Good)
}

fn named<const N: usize>(entries: [(&str, &str); N]) {
    let mut table = table(["name", "what it does"], 2);
    table.set_content_arrangement(comfy_table::ContentArrangement::Dynamic).set_width(110);
    for (name, description) in entries {
        table.add_row([name, description]);
    }
    line(table.to_string());
}

/// Solvers with their settings.
fn solvers() {
    let mut table = table(["name", "what it does"], 2);
    table.set_content_arrangement(comfy_table::ContentArrangement::Dynamic).set_width(110);
    for factory in registry().factories() {
        table.add_row([factory.name(), factory.description()]);
    }
    line(table.to_string());
    line("Settings, as in --solver soft-step@substeps=8,threads=2:");
    for factory in registry().factories() {
        line(factory.name());
        for setting in factory.settings() {
            line(format!("  {:<12} {}", setting.key, setting.about));
        }
    }
}

fn narrow() {
    for method in NarrowMethod::ALL {
        let about = method.about();
        line(format!("{}\n  {}", about.name, about.what));
        for (heading, text) in [
            ("shapes", about.shapes),
            ("accuracy", about.accuracy),
            ("cost", about.cost),
            ("best for", about.best),
        ] {
            line(format!("  {heading:<9} {text}"));
        }
    }
    line(
        "fingsics\n  The case list of Fingsics: balls, capsules and static tiles, one contact point per pair; what \
         `--solver fingsics` uses.",
    );
    line(
        "auto\n  What `--solver soft-step` uses: the best of them for each pair of kinds, with contact points that are kept.",
    );
}

fn scenes() {
    let mut table = table(["name", "", "parameters", "refused by", "what it is"], 5);
    table.set_content_arrangement(comfy_table::ContentArrangement::Dynamic).set_width(110);
    let mut reasons = Vec::new();
    for (scene, sample) in library::list().into_iter().zip(library::samples()) {
        let (dimensions, refusals) = match library::build(&sample) {
            Ok(SceneSource::Spatial(sample)) => ("3-D", refusals(&sample)),
            Ok(SceneSource::Planar(sample)) => ("2-D", planar_refusals(&sample)),
            Err(error) => ("", vec![("every solver", error.to_string())]),
        };
        let is_everyone = refusals.len() == registry().factories().count();
        let names: Vec<&str> = refusals.iter().map(|(solver, _)| *solver).collect();
        let names = if is_everyone { "every solver".to_owned() } else { names.join("\n") };
        let parameters = shown(scene.parameters);
        table.add_row([scene.name, dimensions, &parameters, &names, &scene.description]);
        let default = refusals.into_iter().find(|(solver, _)| *solver == carom_sim::engine::NAME);
        reasons.extend(default.map(|(solver, why)| format!("{solver} refuses {}: {why}.", scene.name)));
    }
    line(table.to_string());
    line("The first parameter may follow a colon: box:3162, box:1000?seed=7&speed=10.");
    reasons.into_iter().for_each(line);
    swarms();
}

/// Solvers that refuse a scene, with their reasons.
fn refusals(scene: &Scene) -> Vec<(&'static str, String)> {
    let mut all = Vec::new();
    for factory in registry().factories() {
        let reasons: Vec<String> = factory.refused(scene).into_iter().map(|one| one.reason).collect();
        if !reasons.is_empty() {
            all.push((factory.name(), reasons.join("; ")));
        }
    }
    all
}

/// The same of a scene of two dimensions, which runs as bodies in the plane.
fn planar_refusals(scene: &PlanarScene) -> Vec<(&'static str, String)> {
    match spatial_scene(scene) {
        Ok(scene) => refusals(&scene),
        Err(problems) => vec![("every solver", problems.join("; "))],
    }
}

fn swarms() {
    line("\nSwarms: boxes that move without physics, for `carom pairs` (2-D with d=2)");
    let mut table = table(["name", "parameters", "what it is"], 3);
    table.set_content_arrangement(comfy_table::ContentArrangement::Dynamic).set_width(110);
    let mut known: Vec<Parameter> = Vec::new();
    for entry in SWARMS {
        table.add_row([entry.name, &shown(entry.parameters).replace('\n', " "), entry.description]);
        for parameter in entry.parameters {
            if known.iter().all(|k| (k.name, k.meaning) != (parameter.name, parameter.meaning)) {
                known.push(*parameter);
            }
        }
    }
    line(table.to_string());
    known.sort_by_key(|parameter| parameter.name);
    for parameter in known {
        line(format!("  {:8} {}", parameter.name, parameter.meaning));
    }
}

fn shown(parameters: &[Parameter]) -> String {
    let parameters: Vec<String> = parameters.iter().map(|p| format!("{}={}", p.name, p.default)).collect();
    parameters.join("\n")
}

/// The broad phases with all that is known about them. What a method does not say is left out.
fn broad() {
    let mut table = table(["name", "what it does, what its pairs are, what it costs, when to use it"], 2);
    table.set_content_arrangement(comfy_table::ContentArrangement::Dynamic).set_width(110);
    for method in Method::ALL {
        let about = method.about();
        let options = about.options.join(", ");
        let facts = [
            ("", about.what),
            ("pairs: ", about.contract),
            ("cost: ", about.cost),
            ("best: ", about.best),
            ("options: ", options.as_str()),
        ];
        let facts: Vec<String> = facts
            .iter()
            .filter(|(_, text)| !text.is_empty())
            .map(|(label, text)| format!("{label}{text}"))
            .collect();
        table.add_row([about.name, facts.join("\n").as_str()]);
    }
    line(table.to_string());
    line("Options follow a question mark, a second and tighter test a plus sign: grid?cell=2+obb.");
    let refinements = Refinement::ALL.map(Refinement::name).join(", ");
    line(format!("Second tests: {refinements}."));
    line("\nBroad phases of other engines, for `carom pairs`");
    named(Peer::ALL.map(|peer| (peer.name(), peer.what())));
    if let Some(Err(missing)) = Peer::ALL.first().map(|peer| peer.is_built()) {
        line(format!("{missing}"));
    }
}

fn quirks() {
    let mut table = table(["name", "fingsics", "fingsics-2021-09", "what Fingsics does"], 4);
    table.set_content_arrangement(comfy_table::ContentArrangement::Dynamic).set_width(110);
    let state = |quirk: Quirk, version: FingsicsVersion| {
        if quirk.is_kept(&version.rules()) { "kept" } else { "fixed" }
    };
    for quirk in Quirk::ALL {
        table.add_row([
            quirk.name(),
            state(quirk, FingsicsVersion::Newest),
            state(quirk, FingsicsVersion::September2021),
            quirk.description(),
        ]);
    }
    line(table.to_string());
}
