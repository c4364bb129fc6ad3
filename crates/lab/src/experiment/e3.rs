//! E3: where the time of a frame goes.
//!
//! Ten thousand bodies with SAP+OBB. Fingsics took 115 ms per frame: 90 of detection, most of
//! it broad phase, 15 of drawing, next to nothing of response; replayed, the same scene held 60
//! frames per second. Drawing does not exist here yet and is in no bar.

use carom_broadphase::{Choice, Method};
use carom_report::{Axis, Cell, Plot, Point, Section, Series, StackedBars, Table};
use carom_sim::SimulationSpec;

use super::e1::{ENGINE, by_the_rules};
use super::replay::Replayed;
use super::{Asked, FRAME_MS, FRAMES, Findings};
use crate::solver::{self, FINGSICS};
use crate::stats::median;
use crate::study::Study;
use crate::study::group::Group;
use crate::study::plan::{Matrix, Plan};
use crate::task::Task;

/// Bodies and frames.
fn size(quick: bool) -> (u32, u64) {
    if quick { (3162, 150) } else { (10_000, FRAMES) }
}

pub(super) fn fill(plan: &mut Plan, asked: &Asked) {
    let (n, frames) = size(asked.quick);
    let gas = Matrix { scenes: vec![format!("box:{n}")], frames: Some(frames), ..Matrix::default() };
    plan.matrices = vec![
        Matrix {
            solvers: vec![SimulationSpec::named(FINGSICS)],
            broad: [Method::SapObb, Method::Sap, Method::Auto].map(Choice::from).to_vec(),
            ..gas.clone()
        },
        Matrix { label: ENGINE.to_owned(), solvers: vec![SimulationSpec::named(solver::ENGINE)], ..gas },
    ];
}

pub(super) fn replays(quick: bool) -> Vec<Task> {
    let (n, frames) = size(quick);
    vec![Task {
        scene: format!("box:{n}"),
        frames: Some(frames),
        solver: Some(SimulationSpec::named(FINGSICS)),
        broad: Some(Method::SapObb.into()),
        ..Task::default()
    }]
}

pub(super) fn find(study: &Study, replayed: &[Replayed], findings: &mut Findings) {
    let rules = by_the_rules(study);
    let mut section = Section::new("Stages");
    for (name, groups) in [("stages", rules.clone()), ("stages-engine", others(study, &rules))] {
        let Some(sample) =
            groups.iter().flat_map(|group| &group.comparison.rows).find_map(|row| row.example())
        else {
            continue;
        };
        let caption = format!(
            "Where the time of a step of {} bodies goes, solver {}; medians of the runs.",
            sample.bodies, sample.solver
        );
        let mut bars =
            StackedBars::new(name, caption, "ms", sample.stages.iter().map(|stage| stage.label.clone()));
        for row in groups.iter().flat_map(|group| &group.comparison.rows) {
            bars = bars.bar(
                row.label.clone(),
                sample.stages.iter().map(|stage| row.stage_ms(&stage.key).unwrap_or(0.0)),
            );
        }
        section = section.block(bars);
    }
    findings.section(section);
    let sapobb =
        rules.iter().flat_map(|group| &group.comparison.rows).find(|row| row.label == Method::SapObb.name());
    if let Some(row) = sapobb.filter(|row| row.complete().next().is_some()) {
        let stage = |key: &str| row.stage_ms(key).unwrap_or(0.0);
        let time = row.ms_per_step();
        findings.line(format!(
            "sapobb: {:.2} ms [{:.2}, {:.2}] per frame, {:.2} of it detection, {:.2} response and motion (Fingsics with 10 000: 115, 90, next to nothing; 15 of drawing)",
            time.value, time.low, time.high, stage("broad") + stage("narrow"), stage("response") + stage("motion")
        ));
    }
    show_replays(replayed, findings);
}

fn others<'a>(study: &'a Study, rules: &[&'a Group]) -> Vec<&'a Group> {
    study.groups.iter().filter(|group| !rules.contains(group)).collect()
}

/// Table and curves of what was replayed.
pub(super) fn show_replays(replayed: &[Replayed], findings: &mut Findings) {
    if replayed.is_empty() {
        findings.section(Section::new("Replay").text("Nothing was replayed yet."));
        return;
    }
    let mut table = Table::new("replays", "Reading recorded frames in order and at random, without drawing.")
        .column("scene", "")
        .column("bodies", "")
        .column("frames", "")
        .column("bytes per body and frame", "")
        .column("open", "ms")
        .column("frame, median", "ms")
        .column("slowest frame", "ms")
        .column("at random, median", "ms")
        .column("at random, slowest", "ms");
    let mut plot = Plot::new(
        "replay-frames",
        "Time of reading each recorded frame; a chunk is unpacked frame by frame.",
        Axis::linear("frame"),
        Axis::linear("time (ms)"),
    );
    for one in replayed {
        table = table.row([
            Cell::Text(one.task.scene.clone()),
            Cell::Count(one.bodies as u64),
            Cell::Count(one.frame_ms.len() as u64),
            Cell::number(one.bytes_per_body_and_frame()),
            Cell::number(one.open_ms),
            Cell::number(median(&one.frame_ms)),
            Cell::number(one.slowest()),
            Cell::number(median(&one.seek_ms)),
            Cell::number(one.seek_ms.iter().copied().fold(0.0, f64::max)),
        ]);
        let points = one.frame_ms.iter().enumerate().map(|(at, ms)| Point::new(at as f64, *ms));
        plot = plot.series(Series::new(one.task.scene.clone(), points));
    }
    for one in replayed {
        let holds = if one.slowest() <= FRAME_MS { "holds" } else { "does not hold" };
        findings.line(format!(
            "replay of {}: {:.2} ms per frame, {:.2} at most: {holds} 60 frames per second, drawing left out",
            one.task.scene,
            median(&one.frame_ms),
            one.slowest()
        ));
    }
    findings.section(Section::new("Replay").block(table).block(plot));
}
