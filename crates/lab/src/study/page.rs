//! The page of a study: how times and counts grow, the figures of every row, who is faster where,
//! and what it was all measured on.

use carom_report::{Axis, Cell, Report, Section, Table};

use super::Study;
use super::chart::{Chart, figure};
use super::group::Group;
use super::journal::StudyFile;
use crate::bench::Row;
use crate::bench::files::state;
use crate::bench::page::{cell, machine_facts, number};
use crate::measure::Sample;

/// Most rows that are named as missing.
const SHOWN_MISSING: usize = 12;

/// Everything of a plan that has no page of its own.
#[must_use]
pub fn page(study: &Study, file: &StudyFile) -> Report {
    let report = head(study, file, &study.plan.name);
    let report =
        families(study).into_iter().fold(report, |report, family| report.section(section(study, &family)));
    tail(report, study)
}

/// Title, what is missing or wrong, machines, and how to run it again.
#[must_use]
pub fn head(study: &Study, file: &StudyFile, title: &str) -> Report {
    let mut report = Report::new(title);
    if !study.plan.about.is_empty() {
        report = report.paragraph(study.plan.about.clone());
    }
    let missing: Vec<String> =
        study.unfinished().map(|(group, row)| format!("{} of {}", row.label, group.name())).collect();
    if !missing.is_empty() {
        let shown = missing.iter().take(SHOWN_MISSING).cloned().collect::<Vec<_>>().join("; ");
        let more = missing.len().saturating_sub(SHOWN_MISSING);
        let more = if more > 0 { format!("; and {more} more") } else { String::new() };
        report = report.paragraph(format!("Not finished: runs are missing of {shown}{more}."));
    }
    let plan = &study.plan;
    report = report.fact("runs", format!("{} of each, {} steps of warm-up", plan.runs, plan.warmup));
    if let Some(budget) = plan.budget {
        report = report
            .fact("budget", format!("{budget} s of a run; what took longer is shown as far as it went"));
    }
    report = report.fact("process", "one for each run");
    for (at, machine) in machines(file).into_iter().enumerate() {
        let number = if at == 0 { String::new() } else { format!(" ({})", at + 1) };
        for (name, value) in machine_facts(machine) {
            report = report.fact(format!("{name}{number}"), value);
        }
    }
    if let (Some(first), Some(last)) = (file.sessions.first(), file.sessions.last()) {
        report = report.fact("started", first.started.clone());
        report = report.fact("finished", last.finished.clone().unwrap_or_else(|| "not yet".to_owned()));
        report = report.command(first.command.join(" "));
    }
    report
}

/// What every report ends with: differences, failures, and who is faster in every group.
#[must_use]
pub fn tail(report: Report, study: &Study) -> Report {
    let mut section = Section::new("Same results, and who is faster");
    let mut table = Table::new(
        "rankings",
        "Every group with its verdict: times are ranked only if all rows computed the same and intervals lie apart.",
    )
    .column("group", "")
    .column("verdict", "");
    for group in &study.groups {
        for difference in group.comparison.differences() {
            section = section.text(format!("Not comparable: {}: {difference}.", group.name()));
        }
        for row in &group.comparison.rows {
            if let Some(failed) = row.failed() {
                section =
                    section.text(format!("Failed: {} of {}: {}", row.label, group.name(), failed.reason));
            }
        }
        if let Some(line) = group.comparison.ranking().line() {
            table = table.row([Cell::Text(group.name()), Cell::Text(line)]);
        }
    }
    report.section(section.block(table))
}

/// Different machines of a study, in the order of their first use.
fn machines(file: &StudyFile) -> Vec<&crate::machine::Machine> {
    let mut found: Vec<&crate::machine::Machine> = Vec::new();
    for machine in file.sessions.iter().map(|sitting| &sitting.machine) {
        if !found.iter().any(|known| known.differences(machine).is_empty() && known.build == machine.build) {
            found.push(machine);
        }
    }
    found
}

/// Groups that belong together: those of one scene.
fn families(study: &Study) -> Vec<Vec<&Group>> {
    let mut found: Vec<Vec<&Group>> = Vec::new();
    for group in &study.groups {
        match found.iter_mut().find(|family| family[0].family == group.family) {
            Some(family) => family.push(group),
            None => found.push(vec![group]),
        }
    }
    found
}

fn section(study: &Study, groups: &[&Group]) -> Section {
    let mut section = Section::new(groups[0].family.clone());
    let variables: Vec<&str> = groups[0].values.iter().map(|(name, _)| name.as_str()).collect();
    for variable in variables {
        let mut values: Vec<f64> = groups.iter().filter_map(|group| group.value(variable)).collect();
        values.sort_by(f64::total_cmp);
        values.dedup();
        if values.len() < 2 {
            continue;
        }
        let x = if values[0] > 0.0 && values[values.len() - 1] / values[0] >= 8.0 {
            Axis::log(variable)
        } else {
            Axis::linear(variable)
        };
        let plot = |name: &str, caption: &str, y: Axis, pick: fn(&Sample) -> f64| {
            let name = format!("{name}-{}-{variable}", groups[0].family);
            Chart { name: &name, caption, variable, x: x.clone(), y }.plot(groups, pick)
        };
        section = section.block(plot(
            "time",
            "Time per step, medians with intervals; exponents are fitted from 100 on.",
            Axis::log("time per step (ms)"),
            Sample::ms_per_step,
        ));
        section = section.block(plot(
            "tests",
            "Pairs handed to the narrow phase, mean per step.",
            Axis::log("pairs tested per step"),
            |sample| sample.per_step(sample.count("tested_pairs") as f64),
        ));
    }
    section.block(figures(study, groups))
}

/// The figures of every row of some groups.
#[must_use]
pub fn figures(study: &Study, groups: &[&Group]) -> Table {
    let family = groups.first().map_or("", |group| group.family.as_str());
    let caption = "Medians of the runs with 95 % intervals (the range below six runs).";
    let mut table = Table::new(format!("figures-{family}"), caption)
        .column("group", "")
        .column("run", "")
        .column("state", "")
        .column("runs", "")
        .column("bodies", "")
        .column("step", "ms")
        .column("of the first", "")
        .column("slowest step", "ms")
        .column("processor", "ms")
        .column("peak memory", "MiB")
        .column("pairs tested", "")
        .column("contacts", "");
    for group in groups {
        for (row, ratio) in group.comparison.rows.iter().zip(group.comparison.ratios()) {
            let count =
                |key: &str| row.example().map_or(Cell::Empty, |sample| Cell::Count(sample.count(key)));
            table = table.row([
                Cell::Text(group.name()),
                Cell::Text(row.label.clone()),
                Cell::Text(row_state(study, group, row)),
                Cell::Count(row.complete().count() as u64),
                row.example().map_or(Cell::Empty, |sample| Cell::Count(sample.bodies as u64)),
                cell(figure(row, Sample::ms_per_step).map(|figure| figure.value)),
                cell(ratio),
                number(row.complete().next().map(|_| row.slowest_step_ms())),
                number(row.processor_ms()),
                number(row.peak_mib()),
                count("tested_pairs"),
                count("contacts"),
            ]);
        }
    }
    table
}

/// How a row ended, also if it was never begun.
fn row_state(study: &Study, group: &Group, row: &Row) -> String {
    if !row.measured.is_empty() {
        return state(row).to_owned();
    }
    match group.given_up_at(row, &study.groups, study.plan.longest_step) {
        Some(smaller) => format!("too slow at {}", smaller.name()),
        None => "not run".to_owned(),
    }
}
