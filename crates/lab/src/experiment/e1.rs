//! E1: how the broad phases grow with the number of bodies.
//!
//! A gas of spheres and capsules in a box, 10 to 100 000 of them in steps of √10, 600 frames, three
//! runs, until a run takes an hour. Fingsics found NONE > OBB > AABB > SAP ≈ SAP+OBB. Our
//! methods run by the same rules, so they must find the same collisions; the engine has its own
//! rules and is a curve of its own.

use carom_broadphase::{Choice, Method};
use carom_report::{Axis, Section};
use carom_sim::SimulationSpec;

use super::{Asked, FRAMES, Findings};
use crate::bench::Row;
use crate::measure::Sample;
use crate::solver::{self, FINGSICS};
use crate::study::Study;
use crate::study::chart::Chart;
use crate::study::group::Group;
use crate::study::plan::{Matrix, Plan};

/// Fingsics' methods, slowest first by its own figures.
const ORIGINAL: [Method; 5] = [Method::None, Method::Obb, Method::Aabb, Method::Sap, Method::SapObb];
/// Ours beside them.
const OURS: [Method; 4] = [Method::Auto, Method::MultiSap, Method::BucketPruning, Method::Bvh];
/// The engine's row.
pub(super) const ENGINE: &str = "engine";
/// Steps of √10, rounded down as in the names of Fingsics' scenes.
const SIZES: [f64; 9] = [10.0, 31.0, 100.0, 316.0, 1000.0, 3162.0, 10_000.0, 31_622.0, 100_000.0];

pub(super) fn fill(plan: &mut Plan, asked: &Asked) {
    let sizes = if asked.quick { &SIZES[..6] } else { &SIZES[..] };
    let frames = if asked.quick { 150 } else { FRAMES };
    let ours = if asked.quick { &OURS[..2] } else { &OURS[..] };
    plan.budget = Some(if asked.quick { 6.0 } else { 3600.0 });
    plan.runs = if asked.quick { 5 } else { plan.runs };
    let gas = Matrix {
        scenes: vec!["box:{n}".to_owned()],
        vary: [("n".to_owned(), sizes.to_vec())].into(),
        frames: Some(frames),
        ..Matrix::default()
    };
    plan.matrices = vec![
        Matrix {
            solvers: vec![SimulationSpec::named(FINGSICS)],
            broad: ORIGINAL.iter().chain(ours).copied().map(Choice::from).collect(),
            ..gas.clone()
        },
        Matrix { label: ENGINE.to_owned(), solvers: vec![SimulationSpec::named(solver::ENGINE)], ..gas },
    ];
}

/// The groups that follow Fingsics' rules.
pub(super) fn by_the_rules(study: &Study) -> Vec<&Group> {
    study
        .groups
        .iter()
        .filter(|group| group.solver.as_ref().is_none_or(|solver| solver.name != solver::ENGINE))
        .collect()
}

pub(super) fn find(study: &Study, findings: &mut Findings) {
    let (rules, all) = (by_the_rules(study), study.groups.iter().collect::<Vec<_>>());
    check_pairs(&rules, findings);
    summary(&rules, &all, findings);
    let bodies = || Axis::log("bodies");
    let chart = |name, caption, y: &str| Chart { name, caption, variable: "n", x: bodies(), y: Axis::log(y) };
    let mut checks = chart(
        "pairs",
        "Pairs that each broad phase hands to the narrow phase, and true collisions, per step. SAP and AABB lie on each other.",
        "pairs per step",
    )
    .plot(&rules, |sample| sample.per_step(sample.count("tested_pairs") as f64));
    let collisions =
        chart("collisions", "", "").plot(&rules, |sample| sample.per_step(sample.count("contacts") as f64));
    let reference = collisions.series.into_iter().find(|series| series.name == Method::Sap.name());
    if let Some(mut series) = reference {
        series.name = "collisions".to_owned();
        checks.series.push(series);
    }
    findings.section(Section::new("Pairs tested").block(checks));
    let stage = |key: &'static str| {
        move |sample: &Sample| {
            sample.per_step(sample.stage(key).map_or(0.0, |stage| stage.sum_ns as f64 / 1e6))
        }
    };
    findings.section(
        Section::new("Time of the stages")
            .block(
                chart("broad", "Broad phase.", "broad phase, time per step (ms)")
                    .plot(&rules, stage("broad")),
            )
            .block(
                chart("narrow", "Narrow phase.", "narrow phase, time per step (ms)")
                    .plot(&rules, stage("narrow")),
            ),
    );
    let total = chart(
        "total",
        "Whole steps; hollow points were cut short by the budget. The engine has its own rules (friction, resting contact, \
         all collisions at once), so its curve is another simulation of the same scene.",
        "time per step (ms)",
    );
    findings.section(
        Section::new("Whole steps")
            .block(total.plot(&all, Sample::ms_per_step).line("60 frames per second", super::FRAME_MS)),
    );
}

/// Fingsics' order, as far as the largest size says that all five finished; and what ours
/// does.
fn summary(rules: &[&Group], all: &[&Group], findings: &mut Findings) {
    let time = |group: &Group, label: &str| {
        let row = group.comparison.rows.iter().find(|row| row.label == label)?;
        row.complete().next().map(|_| row.ms_per_step().value)
    };
    let complete = |group: &&&Group| ORIGINAL.iter().all(|method| time(group, method.name()).is_some());
    if let Some(group) = rules.iter().rfind(complete) {
        let mut order: Vec<(&str, f64)> =
            ORIGINAL.iter().filter_map(|method| Some((method.name(), time(group, method.name())?))).collect();
        order.sort_by(|a, b| b.1.total_cmp(&a.1));
        let shown: Vec<String> = order.iter().map(|(name, ms)| format!("{name} {ms:.3}")).collect();
        findings.line(format!(
            "{}: milliseconds per step, slowest first: {} (Fingsics: none > obb > aabb > sap ≈ sapobb)",
            group.name(),
            shown.join(", ")
        ));
    }
    if let Some(group) = rules.last() {
        let (sap, auto) = (time(group, Method::Sap.name()), time(group, Method::Auto.name()));
        let engine = all
            .iter()
            .filter(|other| other.value("n") == group.value("n"))
            .find_map(|other| time(other, ENGINE));
        if let (Some(sap), Some(auto), Some(engine)) = (sap, auto, engine) {
            findings.line(format!(
                "{}: sap {sap:.3} ms, auto {auto:.3} ms by the same rules, the engine {engine:.3} ms by its own",
                group.name()
            ));
        }
    }
}

/// SAP ≡ AABB; SAPOBB within both SAP and OBB: in every step that both have done.
fn check_pairs(rules: &[&Group], findings: &mut Findings) {
    let mut steps = 0;
    let mut wrong = Vec::new();
    for group in rules {
        let tested = |method: Method| {
            let is_it = |row: &&Row| row.label == method.name();
            let row = group.comparison.rows.iter().find(is_it)?;
            row.samples().map(|sample| &sample.series.tested).max_by_key(|series| series.len())
        };
        let mut compare = |one: Method, other: Method, relation: &str, holds: fn(u64, u64) -> bool| {
            let (Some(a), Some(b)) = (tested(one), tested(other)) else { return };
            steps += a.len().min(b.len());
            let off = a.iter().zip(b).position(|(a, b)| !holds(*a, *b));
            wrong.extend(off.map(|at| {
                format!(
                    "{}, step {}: {one} {} is not {relation} {other} {}",
                    group.name(),
                    at + 1,
                    a[at],
                    b[at]
                )
            }));
        };
        compare(Method::Sap, Method::Aabb, "=", |a, b| a == b);
        compare(Method::SapObb, Method::Sap, "≤", |a, b| a <= b);
        compare(Method::SapObb, Method::Obb, "≤", |a, b| a <= b);
        compare(Method::Auto, Method::Aabb, "=", |a, b| a == b);
    }
    let found = wrong.first().cloned().unwrap_or_else(|| format!("{steps} comparisons of steps"));
    findings.check(
        "sap and auto pass as many pairs as aabb, sapobb at most as many as sap and as obb, in every step",
        wrong.is_empty() && steps > 0,
        found,
    );
}
