//! E4: how many bodies fit into a sixtieth of a second.
//!
//! The largest number of bodies of E1's scene with every frame under 16.6 ms: Fingsics held 1
//! 000 live and 10 000 replayed. The time of a frame is its median over the runs (the same frame
//! does the same work in each), so that one hiccup of the machine in one run does not decide. Sizes
//! grow by a fixed factor; a row that missed is not tried with more. Neither drawing nor film exist
//! here yet.

use carom_broadphase::{Choice, Method};
use carom_report::{Axis, Cell, Section, Table};
use carom_sim::SimulationSpec;

use super::e1::ENGINE;
use super::e3::show_replays;
use super::replay::Replayed;
use super::{Asked, FRAME_MS, FRAMES, Findings};
use crate::solver::{self, FINGSICS};
use crate::study::Study;
use crate::study::chart::{Chart, labels};
use crate::study::group::Group;
use crate::study::plan::{Matrix, Plan};
use crate::task::Task;

/// Bodies that Fingsics held live, and replayed.
const ORIGINAL: [f64; 2] = [1000.0, 10_000.0];
/// Eighths of a power of ten from a thousand on, to a third of a million.
const SIZES: [f64; 21] = [
    1000.0, 1334.0, 1778.0, 2371.0, 3162.0, 4217.0, 5623.0, 7499.0, 10_000.0, 13_335.0, 17_783.0, 23_714.0,
    31_623.0, 42_170.0, 56_234.0, 74_989.0, 100_000.0, 133_352.0, 177_828.0, 237_137.0, 316_228.0,
];

pub(super) fn fill(plan: &mut Plan, asked: &Asked) {
    let sizes: Vec<f64> =
        if asked.quick { SIZES.iter().step_by(4).copied().collect() } else { SIZES.to_vec() };
    let frames = if asked.quick { 60 } else { FRAMES };
    plan.longest_step = Some(FRAME_MS);
    plan.budget = Some(if asked.quick { 6.0 } else { 120.0 });
    let gas = Matrix {
        scenes: vec!["box:{n}".to_owned()],
        vary: [("n".to_owned(), sizes)].into(),
        frames: Some(frames),
        ..Matrix::default()
    };
    plan.matrices = vec![
        Matrix {
            solvers: vec![SimulationSpec::named(FINGSICS)],
            broad: [Method::Sap, Method::SapObb, Method::Auto].map(Choice::from).to_vec(),
            ..gas.clone()
        },
        Matrix { label: ENGINE.to_owned(), solvers: vec![SimulationSpec::named(solver::ENGINE)], ..gas },
    ];
}

pub(super) fn replays(quick: bool) -> Vec<Task> {
    let sizes: &[u32] = if quick { &[10_000, 31_623] } else { &[10_000, 31_623, 100_000, 316_228] };
    let replay = |n: &u32| Task {
        scene: format!("box:{n}"),
        frames: Some(if quick { 60 } else { 120 }),
        solver: Some(SimulationSpec::named(solver::ENGINE)),
        ..Task::default()
    };
    sizes.iter().map(replay).collect()
}

pub(super) fn find(study: &Study, replayed: &[Replayed], findings: &mut Findings) {
    let groups: Vec<&Group> = study.groups.iter().collect();
    let mut table =
        Table::new("bodies", "Most bodies with every frame under 16.7 ms, one thread; Fingsics held 1 000.")
            .column("run", "")
            .column("bodies", "")
            .column("slowest frame there", "ms")
            .column("next size tried", "")
            .column("slowest frame there", "ms")
            .column("times Fingsics", "×");
    let mut best: Option<(String, f64)> = None;
    for label in labels(&groups) {
        let tried = tried(&groups, &label);
        let Some(&(n, slowest)) = tried.iter().rfind(|(_, ms)| *ms <= FRAME_MS) else { continue };
        let next = tried.iter().find(|(size, _)| *size > n);
        table = table.row([
            Cell::Text(label.clone()),
            Cell::Count(n as u64),
            Cell::number(slowest),
            next.map_or(Cell::Empty, |(size, _)| Cell::Count(*size as u64)),
            next.map_or(Cell::Empty, |(_, ms)| {
                if ms.is_finite() { Cell::number(*ms) } else { Cell::from("cut short") }
            }),
            Cell::number(n / ORIGINAL[0]),
        ]);
        findings.line(format!(
            "{label}: {n} bodies with every frame under 16.7 ms ({slowest:.2} at most), {:.1} times Fingsics",
            n / ORIGINAL[0]
        ));
        if best.as_ref().is_none_or(|(_, most)| n > *most) {
            best = Some((label, n));
        }
    }
    // The least that this project promises: ten times Fingsics' live scene on one thread.
    let most = best.as_ref().map_or(0.0, |(_, most)| *most);
    let found = best.map_or_else(|| "nothing held it".to_owned(), |(label, n)| format!("{label}: {n}"));
    findings.check(
        "at least 10 000 bodies, ten times Fingsics', on one thread",
        most >= 10.0 * ORIGINAL[0],
        found,
    );
    let chart = Chart {
        name: "slowest",
        caption: "Mean time per step; the limit is for the slowest one.",
        variable: "n",
        x: Axis::log("bodies"),
        y: Axis::log("time per step (ms)"),
    };
    let plot =
        chart.plot(&groups, crate::measure::Sample::ms_per_step).line("60 frames per second", FRAME_MS);
    findings.section(Section::new("Live").block(table).block(plot));
    show_replays(replayed, findings);
    let held = replayed.iter().filter(|one| one.slowest() <= FRAME_MS).map(|one| one.bodies).max();
    if let Some(bodies) = held {
        findings.line(format!("replay: {bodies} bodies with every frame read in under 16.7 ms (Fingsics showed {}); film: not yet", ORIGINAL[1]));
    }
}

/// Sizes that a row was run at, with the slowest step; for those cut short it has no end.
fn tried(groups: &[&Group], label: &str) -> Vec<(f64, f64)> {
    let mut found: Vec<(f64, f64)> = groups
        .iter()
        .filter_map(|group| {
            let row = group.comparison.rows.iter().find(|row| row.label == label)?;
            let slowest = match row.complete().next() {
                Some(_) => row.slowest_step_ms(),
                None => row.over_budget().map(|_| f64::INFINITY)?,
            };
            Some((group.value("n")?, slowest))
        })
        .collect();
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    found
}
