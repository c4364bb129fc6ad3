//! `carom pairs`: broad phases alone, side by side on the same moving boxes.

use std::time::Duration;

use carom_lab::pairs::contest::{ContenderMetrics, Ending, Report, Terms, contest};
use carom_lab::pairs::{AnyFrames, ContestError, Entrants, SourceError, frames};
use carom_scene::file::LoadError;
use carom_scene::library::LibraryError;
use carom_scene::nearest::nearest;
use carom_scene::swarm::{self, SWARMS};
use serde_json::{Value, json};

use crate::args::PairsOptions;
use crate::failure::{Failure, Outcome, Verdict};
use crate::progress;
use crate::show::{grouped, line, remark, table};
use carom_sim::load::with_seed;

use crate::source::load_any;
use crate::summary::peak_rss_mb;

/// `carom pairs`.
pub(crate) fn run(options: &PairsOptions) -> Outcome {
    let frames = open(&options.scene, options.seed)?;
    let Entrants(entrants) = options.broad.clone().unwrap_or_else(Entrants::all);
    let terms = Terms {
        frames: options.frames,
        warmup: options.warmup,
        threads: usize::from(options.threads),
        verify: options.verify,
        budget: Duration::from_secs_f64(options.budget.0),
    };
    let bar = progress::bar(1 + terms.warmup + terms.frames, &options.scene, options.json);
    let (dimensions, report) = match frames {
        AnyFrames::Plane(mut frames) => (2, contest(&mut *frames, &entrants, &terms, || bar.inc(1))?),
        AnyFrames::Space(mut frames) => (3, contest(&mut *frames, &entrants, &terms, || bar.inc(1))?),
    };
    bar.finish_and_clear();
    if options.json {
        line(to_json(options, dimensions, &report).to_string());
    } else {
        line(format!(
            "{}: {} boxes in {} dimensions, {} frames after {} of warm-up, {} thread{}",
            options.scene,
            grouped(report.boxes as u64),
            dimensions,
            terms.frames,
            terms.warmup,
            terms.threads,
            if terms.threads == 1 { "" } else { "s" },
        ));
        show(&report);
    }
    Ok(verdict(options, &report))
}

/// Says how the comparison went.
fn verdict(options: &PairsOptions, report: &Report) -> Verdict {
    match &report.difference {
        Some(difference) => {
            remark(&format!("wrong: {difference}"));
            Verdict::CheckFailed
        }
        None => {
            if options.verify && !options.json {
                let all = report.figures.iter().all(|figures| figures.ending == Ending::Done);
                let whom = if all { "every method agreed" } else { "every method agreed as far as it went" };
                line(format!("{whom} with the oracle in each of {} frames", report.frames));
            }
            Verdict::Good
        }
    }
}

fn open(source: &str, seed: Option<u64>) -> Result<AnyFrames, Failure> {
    if swarm::knows(source) {
        let request = with_seed(source, seed)?;
        return frames::of_swarm(&request).map_err(Failure::from);
    }
    let loaded = load_any(source, seed).map_err(|failure| suggesting_a_swarm(failure, source))?;
    Ok(frames::of_scene(&loaded)?)
}

/// Somebody who mistypes a swarm should not be told about scenes only.
pub(crate) fn suggesting_a_swarm(failure: Failure, source: &str) -> Failure {
    let name = source.split([':', '?']).next().unwrap_or(source);
    match nearest(name, SWARMS.iter().map(|entry| entry.name)) {
        Some(near) => failure.with_hint(format!("did you mean the swarm `{near}`?")),
        None => failure,
    }
}

impl From<SourceError> for Failure {
    fn from(error: SourceError) -> Self {
        let hint = match &error {
            SourceError::Swarm(error) => LibraryError::hint(error),
            SourceError::Load(error) => LoadError::hint(error),
            _ => None,
        };
        let failure = Self::new(error.to_string());
        match hint {
            Some(hint) => failure.with_hint(hint),
            None => failure,
        }
    }
}

impl From<ContestError> for Failure {
    fn from(error: ContestError) -> Self {
        Self::new(error.to_string())
    }
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// Four significant digits are more than the machine holds.
fn shown_ms(ms: f64) -> String {
    match ms {
        _ if ms >= 100.0 => format!("{ms:.0}"),
        _ if ms >= 1.0 => format!("{ms:.2}"),
        _ => format!("{ms:.4}"),
    }
}

/// Work per frame, or a dash where nothing is counted.
fn per_frame(figures: &ContenderMetrics, pick: fn(&carom_lab::Counters) -> u64) -> String {
    let frames = figures.times.len().max(1) as u64;
    figures.work.as_ref().map_or("–".to_owned(), |work| grouped(pick(work) / frames))
}

fn show(report: &Report) {
    let mut table = table(
        [
            "broad phase",
            "median ms",
            "min",
            "95 %",
            "set-up ms",
            "pairs",
            "box tests",
            "nodes",
            "cells",
            "swaps",
            "B/box",
        ],
        1,
    );
    for figures in &report.figures {
        let spread = figures.ms();
        let timed = |ms: f64| if figures.times.is_empty() { "–".to_owned() } else { shown_ms(ms) };
        let begun = figures.set_up.is_some();
        let bytes = figures.bytes.map(|bytes| grouped((bytes / report.boxes.max(1)) as u64));
        table.add_row([
            figures.name.clone(),
            timed(spread.median),
            timed(figures.least_ms()),
            timed(spread.p95),
            figures.set_up.map_or("–".to_owned(), |time| shown_ms(ms(time))),
            if begun { grouped(figures.pairs as u64) } else { "–".to_owned() },
            per_frame(figures, |work| work.box_tests),
            per_frame(figures, |work| work.node_visits),
            per_frame(figures, |work| work.cells),
            per_frame(figures, |work| work.swaps),
            bytes.unwrap_or("–".to_owned()),
        ]);
    }
    line(table.to_string());
    for figures in &report.figures {
        if let Some(ending) = ending_in_words(figures) {
            line(format!("{}: {ending}", figures.name));
        }
        if let Some(said) = &figures.remark {
            line(format!("{}: {said}", figures.name));
        }
    }
}

fn ending_in_words(figures: &ContenderMetrics) -> Option<String> {
    match figures.ending {
        Ending::Done => None,
        Ending::OverBudget { frames } => Some(format!("over budget after {frames} frames")),
        Ending::Hopeless { expected } => Some(format!(
            "over budget after 0 frames: by trials on fewer boxes, the first would take about {:.0} s",
            expected.as_secs_f64()
        )),
    }
}

fn to_json(options: &PairsOptions, dimensions: u32, report: &Report) -> Value {
    let methods: Vec<Value> =
        report.figures.iter().map(|figures| figures_json(figures, report.boxes)).collect();
    json!({
        "scene": options.scene,
        "dimensions": dimensions,
        "boxes": report.boxes,
        "frames": options.frames,
        "warmup": options.warmup,
        "threads": options.threads,
        "seed": options.seed,
        "budget_s": options.budget.0,
        "frames_done": report.frames,
        "verified": options.verify,
        "agreed": options.verify.then_some(report.difference.is_none()),
        "difference": report.difference.as_ref().map(|difference| json!({
            "method": difference.method,
            "frame": difference.frame,
            "pair": [difference.pair.a, difference.pair.b],
            "text": difference.to_string(),
        })),
        "methods": methods,
        "peak_rss_mb": peak_rss_mb(),
    })
}

fn figures_json(figures: &ContenderMetrics, boxes: usize) -> Value {
    let spread = figures.ms();
    let frames = figures.times.len();
    let has_times = frames > 0;
    let each = |sum: u64| sum as f64 / frames.max(1) as f64;
    json!({
        "broad": figures.name,
        "frames": frames,
        "over_budget": figures.ending != Ending::Done,
        "ms_per_frame": has_times.then(|| json!({
            "mean": spread.mean, "median": spread.median, "min": figures.least_ms(), "p95": spread.p95, "max": spread.max,
        })),
        "set_up_ms": figures.set_up.map(ms),
        "expected_ms": match figures.ending {
            Ending::Hopeless { expected } => Some(ms(expected)),
            _ => None,
        },
        "pairs": figures.set_up.is_some().then_some(figures.pairs),
        "per_frame": figures.work.as_ref().map(|work| json!({
            "box_tests": each(work.box_tests),
            "node_visits": each(work.node_visits),
            "cells": each(work.cells),
            "swaps": each(work.swaps),
            "pair_changes": each(work.pair_changes),
        })),
        "bytes": figures.bytes,
        "bytes_per_box": figures.bytes.map(|bytes| bytes as f64 / boxes.max(1) as f64),
        "remark": figures.remark,
    })
}
