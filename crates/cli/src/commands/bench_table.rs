//! What `carom bench` shows to people.

use carom_lab::bench::baseline::Baseline;
use carom_lab::bench::{Comparison, Row};
use carom_lab::stats::Interval;
use carom_lab::stats::bootstrap::FEW;

use crate::commands::bench::Benchmark;
use crate::show::{grouped, line, remark, table, table_of};

/// Tables, rankings and models of every scene, then what became of a baseline.
pub(crate) fn show(done: &Benchmark) {
    for comparison in &done.comparisons {
        headline(comparison);
        times(comparison);
        if let Some(ranking) = comparison.ranking().line() {
            line(ranking);
        }
        models(comparison);
    }
    if let Some(then) = &done.then {
        changes(done, then);
    }
    remark(&format!("measured on {}", done.machine.summary()));
}

fn headline(comparison: &Comparison) {
    let Some(sample) = comparison.rows.iter().find_map(Row::example) else { return };
    let runs = comparison.complete_rounds();
    let interval =
        if runs < FEW { format!("range of {runs} runs") } else { format!("95 % interval of {runs} runs") };
    line(format!(
        "{}: {} bodies, {} frames at {} Hz, solver {}; milliseconds per step, median and {interval}",
        sample.scene, sample.bodies, sample.frames, sample.fps, sample.solver
    ));
}

fn times(comparison: &Comparison) {
    let Some(sample) = comparison.rows.iter().find_map(Row::example) else { return };
    let counted = |key: &str| {
        sample.counts.iter().find(|count| count.key == key).map_or("", |count| count.label.as_str())
    };
    let mut header = vec!["run", "ms per step", "interval", "of the first", "processor", "peak MiB"];
    header.extend(sample.stages.iter().map(|stage| stage.label.as_str()));
    header.extend([counted("tested_pairs"), counted("contacts")]);
    let mut table = table_of(&header, 1);
    for (row, ratio) in comparison.rows.iter().zip(comparison.ratios()) {
        let optional = |value: Option<f64>, digits: usize| {
            value.map_or_else(|| "–".to_owned(), |v| format!("{v:.digits$}"))
        };
        let (time, interval) = time_cells(row);
        let mut cells = vec![row.label.clone(), time, interval];
        cells.push(
            ratio.map_or_else(|| "–".to_owned(), |ratio| format!("{:.3} {}", ratio.value, span(&ratio, 3))),
        );
        cells.push(optional(row.processor_ms(), 4));
        cells.push(optional(row.peak_mib(), 1));
        cells.extend(sample.stages.iter().map(|stage| optional(row.stage_ms(&stage.key), 4)));
        let count =
            |key: &str| row.example().map_or_else(|| "–".to_owned(), |sample| grouped(sample.count(key)));
        cells.extend([count("tested_pairs"), count("contacts")]);
        table.add_row(cells);
    }
    line(table.to_string());
}

/// The time of a row and its interval, or why there is none.
fn time_cells(row: &Row) -> (String, String) {
    if row.failed().is_some() {
        return ("failed".to_owned(), "–".to_owned());
    }
    if let Some(sample) = row.over_budget() {
        let wall = sample.wall_ns as f64 / 1e9;
        let steps = format!("{} of {} steps", sample.steps, sample.frames.saturating_sub(1));
        return (format!("> {wall:.1} s, partial"), steps);
    }
    let time = row.ms_per_step();
    (format!("{:.4}", time.value), span(&time, 4))
}

fn span(interval: &Interval, digits: usize) -> String {
    format!("[{:.digits$}, {:.digits$}]", interval.low, interval.high)
}

/// The cost model of every row that has one.
fn models(comparison: &Comparison) {
    let models = comparison.cost_models();
    let rows: Vec<_> =
        comparison.rows.iter().zip(&models).filter_map(|(row, model)| Some((row, (*model)?))).collect();
    if rows.is_empty() {
        return;
    }
    line(
        "cost of detection per step, T = C + b·B + o·O, fitted over every other step and checked on the rest:",
    );
    let mut table = table(["run", "C ms", "b", "B ns", "o", "O ns", "predicted/measured"], 1);
    for (row, model) in rows {
        let optional = |value: Option<f64>, digits: usize| {
            value.map_or_else(|| "–".to_owned(), |v| format!("{v:.digits$}"))
        };
        table.add_row([
            row.label.clone(),
            optional(model.upkeep_ns.map(|ns| ns / 1e6), 4),
            optional(model.volume_tests, 1),
            optional(model.volume_ns, 1),
            optional(Some(model.object_tests), 1),
            optional(Some(model.object_ns), 1),
            optional(Some(model.predicted_over_measured), 3),
        ]);
    }
    line(table.to_string());
    if let Some(pay_off) = comparison.pay_off() {
        let (has, needed) = (pay_off.object_over_volume, pay_off.needed);
        let verdict = if pay_off.pays() { "pays off" } else { "does not pay off" };
        let sign = if pay_off.pays() { '>' } else { '≤' };
        line(format!(
            "by the model sapobb {verdict} against sap: O/B = {has:.2} {sign} o₁/(o₁ − o₂) = {needed:.2}"
        ));
    }
}

/// What became of every row since the baseline.
fn changes(done: &Benchmark, then: &Baseline) {
    for difference in done.machine.differences(&then.machine) {
        remark(&format!("warning: '{}' was measured on another machine: {difference}", then.name));
    }
    line(format!("against '{}' of {}:", then.name, then.saved));
    let mut table = table(["run", "ratio", "interval", "verdict"], 1);
    for row in done.rows() {
        let change = then.change(row);
        let ratio = change.ratio();
        let mut verdict = change.name().to_owned();
        if change.fails(done.tolerance) && ratio.is_some() {
            verdict += &format!(" by more than {} %", 100.0 * done.tolerance);
        }
        table.add_row([
            row.label.clone(),
            ratio.map_or_else(|| "–".to_owned(), |ratio| format!("{:.3}", ratio.value)),
            ratio.map_or_else(|| "–".to_owned(), |ratio| span(&ratio, 3)),
            verdict,
        ]);
    }
    line(table.to_string());
}
