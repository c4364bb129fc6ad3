//! Fingsics' reports of a benchmark: `run1.csv` …, `averages_per_frame.csv`, `summary.txt`.
//!
//! The averages and the summary have Fingsics' form without its mistakes: response and drawing
//! times are averaged too instead of staying zero.

use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use carom_fingsics::{PairKind, frame_log};

use super::Row;
use crate::Method;
use crate::measure::Sample;
use crate::output::original_name;

/// Rows of the report of a run.
#[must_use]
pub fn rows(sample: &Sample) -> Vec<frame_log::Row> {
    let time = |key: &str, at: usize| {
        let ns = sample.stage(key).and_then(|stage| stage.step_ns.get(at)).copied();
        Duration::from_nanos(ns.unwrap_or(0))
    };
    let count = |series: &[u64], at: usize| series.get(at).copied().unwrap_or(0);
    (0..sample.step_ns.len())
        .map(|at| frame_log::Row {
            broad: time("broad", at),
            tests: count(&sample.series.tested, at),
            narrow: time("narrow", at),
            collisions: count(&sample.series.contacts, at),
            response: time("response", at) + time("motion", at),
            draw: Duration::ZERO,
        })
        .collect()
}

/// Rows averaged over the runs that went to their end.
#[must_use]
pub fn averages(row: &Row) -> Vec<frame_log::Row> {
    let runs: Vec<Vec<frame_log::Row>> = row.complete().map(rows).collect();
    let steps = runs.iter().map(Vec::len).min().unwrap_or(0);
    (0..steps)
        .map(|k| {
            let same: Vec<frame_log::Row> = runs.iter().map(|run| run[k]).collect();
            frame_log::Row::mean(&same)
        })
        .collect()
}

/// Fingsics' `summary.txt`; empty if no run went to its end.
#[must_use]
pub fn summary(row: &Row) -> String {
    let runs: Vec<&Sample> = row.complete().collect();
    let Some(first) = runs.first() else { return String::new() };
    let mean_ms = |pick: &dyn Fn(&Sample) -> u64| {
        runs.iter().map(|run| pick(run) as f64 / 1e6).sum::<f64>() / runs.len() as f64
    };
    let stage = |sample: &Sample, key: &str| sample.stage(key).map_or(0, |stage| stage.sum_ns);
    let mean_count =
        |pick: &dyn Fn(&Sample) -> u64| runs.iter().map(|run| pick(run)).sum::<u64>() / runs.len() as u64;
    let kind = |sample: &Sample, kind: PairKind| {
        sample.kinds.iter().find(|k| k.name == kind.name()).cloned().unwrap_or_default()
    };
    let total = |sample: &Sample| sample.stages.iter().map(|stage| stage.sum_ns).sum();
    let mut lines = vec![
        format!("Scene: {}", first.scene),
        format!("FPS: {}", first.fps),
        format!("BPCD Algorithm: {}", broad_name(first)),
        format!("Number of runs: {}", runs.len()),
        format!("Number of frames per run: {}", first.frames),
        String::new(),
        format!("Avg. BPCD time per run: {:.6} ms", mean_ms(&|sample| stage(sample, "broad"))),
        format!("Avg. NPCD time per run: {:.6} ms", mean_ms(&|sample| stage(sample, "narrow"))),
        format!("Avg. Total time per run: {:.6} ms", mean_ms(&total)),
        format!("NPCD tests per run: {}", mean_count(&|sample| sample.count("tested_pairs"))),
        format!("Collisions per run: {}", mean_count(&|sample| sample.count("contacts"))),
        String::new(),
    ];
    lines.extend(PairKind::ALL.into_iter().map(|pair| {
        format!("Avg. {} time per run: {:.6} ms", pair.name(), mean_ms(&|sample| kind(sample, pair).ns))
    }));
    lines.push(String::new());
    lines.extend(PairKind::ALL.into_iter().map(|pair| {
        let (first, rest) = pair.name().split_at(1);
        format!(
            "{}{rest} tests per run: {}",
            first.to_uppercase(),
            mean_count(&|sample| kind(sample, pair).tests)
        )
    }));
    lines.push(String::new());
    lines.join("\n")
}

/// The broad phase by Fingsics' name for it, in its summaries and folders.
#[must_use]
pub fn broad_name(sample: &Sample) -> String {
    let method: Option<Method> = sample.broad.parse().ok();
    method.map_or_else(|| sample.broad.clone(), |method| original_name(method).to_owned())
}

/// Writes `run1.csv` … `runN.csv`, `averages_per_frame.csv` and `summary.txt`.
///
/// # Errors
/// If the disk says no.
pub fn write(row: &Row, folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let file = |name: &str| fs::File::create(folder.join(name)).map(io::BufWriter::new);
    for (at, run) in row.complete().enumerate() {
        frame_log::write(file(&format!("run{}.csv", at + 1))?, &rows(run))?;
    }
    frame_log::write(file("averages_per_frame.csv")?, &averages(row))?;
    fs::write(folder.join("summary.txt"), summary(row))
}
