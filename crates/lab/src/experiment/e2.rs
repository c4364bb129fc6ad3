//! E2: when a second test by oriented boxes pays off.
//!
//! Capsules only, from 1:1 (a ball) to 16:1, as many of each, with room to turn. Boxes along the
//! axes fit long bodies badly, so SAP hands on many pairs that do not touch. Fingsics' SAP+OBB
//! took 63 % of SAP's time at 16:1 with 17 times fewer object checks, and as long at 1:1. With a
//! folder of Fingsics' scenes, its printed numbers of checks must come out exactly.

use std::fs;
use std::path::{Path, PathBuf};

use carom_broadphase::{Choice, Method};
use carom_report::{Axis, Cell, Plot, Point, Section, Series, Table};
use carom_sim::SimulationSpec;

use super::{Asked, FRAMES, Findings};
use crate::bench::Row;
use crate::solver::FINGSICS;
use crate::study::Study;
use crate::study::chart::Chart;
use crate::study::group::Group;
use crate::study::plan::{Matrix, Plan};
use carom_fingsics::{Quirk, QuirkList};

const RATIOS: [f64; 5] = [1.0, 4.0, 8.0, 12.0, 16.0];
/// Printed numbers of checks over 600 frames: scene, method, checks.
const PRINTED: [(&str, Method, u64); 3] = [
    ("capsule-box-1-1", Method::Sap, 66_828),
    ("capsule-box-4-1", Method::Sap, 419_274),
    ("capsule-box-4-1", Method::SapObb, 135_933),
];
/// Begins the names of rows of Fingsics' scenes.
const PUBLISHED: &str = "published";
/// How deep scenes are looked for below the folder.
const DEPTH: usize = 4;

pub(super) fn fill(plan: &mut Plan, asked: &Asked) {
    let (n, frames) = if asked.quick { (1000, 150) } else { (5000, FRAMES) };
    plan.runs = if asked.quick { 5 } else { plan.runs };
    let rules = vec![SimulationSpec::named(FINGSICS)];
    plan.matrices = vec![Matrix {
        scenes: vec![format!("capsules:{{ratio}}?n={n}")],
        vary: [("ratio".to_owned(), RATIOS.to_vec())].into(),
        solvers: rules.clone(),
        broad: [Method::Sap, Method::SapObb].map(Choice::from).to_vec(),
        frames: Some(frames),
        ..Matrix::default()
    }];
    for (name, method, _) in PRINTED {
        let Some(scene) = asked.data.as_deref().and_then(|folder| scene_below(folder, name, DEPTH)) else {
            continue;
        };
        plan.matrices.push(Matrix {
            // A group each: Fingsics' oriented boxes miss a contact now and then, so the two
            // do not compute the same.
            label: format!("{PUBLISHED} {name} {method}"),
            scenes: vec![scene.display().to_string()],
            solvers: rules.clone(),
            broad: vec![method.into()],
            frames: Some(FRAMES),
            keep_quirks: Some(QuirkList(vec![Quirk::Obb])),
            ..Matrix::default()
        });
    }
}

/// A scene of Fingsics by its name, somewhere below a folder.
fn scene_below(folder: &Path, name: &str, depth: usize) -> Option<PathBuf> {
    let file = folder.join(format!("{name}.xml"));
    if file.is_file() {
        return Some(file);
    }
    if depth == 0 {
        return None;
    }
    let mut inside: Vec<PathBuf> = fs::read_dir(folder)
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.is_dir())
        .collect();
    inside.sort();
    inside.iter().find_map(|path| scene_below(path, name, depth - 1))
}

pub(super) fn find(study: &Study, findings: &mut Findings) {
    let groups: Vec<&Group> = study.groups.iter().filter(|group| group.value("ratio").is_some()).collect();
    let ratio = || Axis::linear("length over diameter");
    let mut times = Plot::new(
        "times",
        "Time of SAP+OBB in parts of SAP's, round by round, with intervals.",
        ratio(),
        Axis::linear("time of sapobb / time of sap"),
    )
    .line("as fast as sap", 1.0);
    let mut points = Vec::new();
    let mut table = Table::new(
        "elongation",
        "SAP and SAP+OBB by elongation; Fingsics' figures are 1.0 at 1:1 and 0.63 at 16:1.",
    )
    .column("length over diameter", "")
    .column("sap checks", "")
    .column("sapobb checks", "")
    .column("fewer", "×")
    .column("sapobb / sap, time", "")
    .column("O/B by the model", "")
    .column("needed", "");
    for group in &groups {
        let (Some(sap), Some(obb)) = (row(group, Method::Sap), row(group, Method::SapObb)) else { continue };
        let (Some(a), Some(b)) = (sap.example(), obb.example()) else { continue };
        let (a, b) = (a.count("tested_pairs"), b.count("tested_pairs"));
        let value = group.value("ratio").unwrap_or_default();
        let relative = obb.ratio_to(sap);
        points.extend(relative.map(|r| Point::new(value, r.value).between(r.low, r.high)));
        let pay_off = group.comparison.pay_off();
        let finite = |value: f64| if value.is_finite() { Cell::number(value) } else { Cell::from("∞") };
        table = table.row([
            Cell::number(value),
            Cell::Count(a),
            Cell::Count(b),
            if b > 0 { Cell::number(a as f64 / b as f64) } else { Cell::Empty },
            crate::bench::page::cell(relative),
            pay_off.map_or(Cell::Empty, |p| finite(p.object_over_volume)),
            pay_off.map_or(Cell::Empty, |p| finite(p.needed)),
        ]);
        if value == 16.0 && b > 0 {
            let time = relative.map_or_else(String::new, |r| {
                format!(
                    "{:.0} % [{:.0}, {:.0}] of the time and ",
                    100.0 * r.value,
                    100.0 * r.low,
                    100.0 * r.high
                )
            });
            findings.line(format!("at 16:1 sapobb takes {time}{:.1} times fewer object checks than sap (Fingsics: 63 %, 17 times)", a as f64 / b as f64));
        }
    }
    times = times.series(Series::new("sapobb", points));
    let checks = Chart {
        name: "pairs",
        caption: "Object checks per step.",
        variable: "ratio",
        x: ratio(),
        y: Axis::log("pairs tested per step"),
    };
    let checks = checks.plot(&groups, |sample| sample.per_step(sample.count("tested_pairs") as f64));
    findings.section(Section::new("Elongation").block(times).block(checks).block(table));
    printed(study, findings);
    never_more(&groups, findings);
}

fn row(group: &Group, method: Method) -> Option<&Row> {
    group.comparison.rows.iter().find(|row| row.label == method.name())
}

/// Fingsics' scenes against its printed numbers.
fn printed(study: &Study, findings: &mut Findings) {
    let mut table = Table::new(
        "printed",
        "Fingsics' scenes by its rules, quirks included, against the numbers it printed (600 frames).",
    )
    .column("scene", "")
    .column("method", "")
    .column("printed", "")
    .column("here", "");
    let mut found = 0;
    for (name, method, checks) in PRINTED {
        let label = format!("{PUBLISHED} {name} {method}");
        let rows = study.groups.iter().flat_map(|group| &group.comparison.rows);
        let Some(sample) = rows.filter(|row| row.label == label).find_map(Row::example) else { continue };
        found += 1;
        let here = sample.count("tested_pairs");
        table =
            table.row([Cell::from(name), Cell::from(method.name()), Cell::Count(checks), Cell::Count(here)]);
        findings.check(
            format!("{name} with {method} takes {checks} object checks"),
            here == checks,
            here.to_string(),
        );
    }
    let mut section = Section::new("Fingsics' own scenes");
    if found < PRINTED.len() {
        section = section.text(format!(
            "{found} of {} printed numbers could be checked: --data names a folder with Fingsics' scenes.",
            PRINTED.len()
        ));
    }
    findings.section(if found > 0 { section.block(table) } else { section });
}

fn never_more(groups: &[&Group], findings: &mut Findings) {
    let more = groups.iter().find_map(|group| {
        let (sap, obb) = (row(group, Method::Sap)?.example()?, row(group, Method::SapObb)?.example()?);
        let at = sap.series.tested.iter().zip(&obb.series.tested).position(|(sap, obb)| obb > sap)?;
        Some(format!("{}, step {}", group.name(), at + 1))
    });
    findings.check(
        "sapobb never tests more pairs than sap",
        more.is_none(),
        more.unwrap_or_else(|| "in every step".to_owned()),
    );
}
