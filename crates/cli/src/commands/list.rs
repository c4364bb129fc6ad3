//! `carom list`: what there is to choose from.

use carom_lab::Method;
use carom_lab::slip::Slip;
use carom_lab::solver::Solver;
use carom_scene::library::{self, Dimensions};

use crate::args::ListKind;
use crate::failure::{Outcome, Verdict};
use crate::show::{line, table};

/// `carom list`.
pub(crate) fn run(kind: ListKind) -> Outcome {
    match kind {
        ListKind::Scenes => scenes(),
        ListKind::Broad => named(Method::ALL.map(|m| (m.name(), m.about().what))),
        ListKind::Solvers => named(Solver::ALL.map(|s| (s.name(), s.description()))),
        ListKind::Narrow => named([(
            "fingsics",
            "The original's case list: balls, capsules and static tiles, one contact point per pair.",
        )]),
        ListKind::Integrators => named([(
            "fingsics",
            "Explicit Euler; rotation by a matrix of Euler angles that is never made orthonormal again.",
        )]),
        ListKind::Engines => named([("carom", "This one; other engines will stand beside it.")]),
        ListKind::Slips => slips(),
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

fn scenes() {
    let mut table = table(["name", "", "parameters", "what it is"], 4);
    table.set_content_arrangement(comfy_table::ContentArrangement::Dynamic).set_width(110);
    for scene in library::list() {
        let parameters: Vec<String> =
            scene.parameters.iter().map(|p| format!("{}={}", p.name, p.default)).collect();
        let dimensions = match scene.dimensions {
            Dimensions::Two => "2-D",
            Dimensions::Three => "3-D",
        };
        table.add_row([scene.name, dimensions, parameters.join("\n").as_str(), scene.description.as_str()]);
    }
    line(table.to_string());
    line("The first parameter may follow a colon: box:3162, box:1000?seed=7&speed=10.");
}

fn slips() {
    let mut table = table(["name", "fingsics", "fingsics-2021-09", "what the original does"], 4);
    table.set_content_arrangement(comfy_table::ContentArrangement::Dynamic).set_width(110);
    let state = |slip: Slip, solver: Solver| if slip.is_kept(&solver.rules()) { "kept" } else { "mended" };
    for slip in Slip::ALL {
        table.add_row([
            slip.name(),
            state(slip, Solver::Fingsics),
            state(slip, Solver::Fingsics202109),
            slip.description(),
        ]);
    }
    line(table.to_string());
}
