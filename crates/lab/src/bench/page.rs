//! The page of a benchmark: the figures that were shown, times over the run, where the time goes,
//! and what it was all measured on.

use carom_report::{Axis, Cell, Plot, Point, Report, Section, Series, StackedBars, Table};

use super::files::{BenchManifest, state};
use super::{Comparison, Row};
use crate::machine::Machine;
use crate::measure::Sample;
use crate::stats::{Interval, median};

/// Most points of a curve; longer runs are drawn in stretches.
const POINTS: usize = 200;
/// Significant digits of times.
const DIGITS: u8 = 4;

/// The page.
#[must_use]
pub fn page(manifest: &BenchManifest, comparisons: &[Comparison]) -> Report {
    let names: Vec<&str> = comparisons
        .iter()
        .filter_map(|all| Some(all.rows.iter().find_map(Row::example)?.scene.as_str()))
        .collect();
    let mut report = Report::new(format!("Benchmark of {}", names.join(", ")));
    for (comparison, name) in comparisons.iter().zip(&names) {
        if let Some(line) = comparison.ranking().line() {
            report = report.paragraph(format!("{name}: {line}."));
        }
    }
    if manifest.interrupted {
        report = report.paragraph("It was ended early: only whole rounds count.");
    }
    for (name, value) in facts(manifest) {
        report = report.fact(name, value);
    }
    report = report.command(manifest.command.join(" "));
    comparisons.iter().fold(report, |report, comparison| report.section(section(comparison)))
}

fn facts(manifest: &BenchManifest) -> Vec<(&'static str, String)> {
    let mut facts = machine_facts(&manifest.machine);
    facts.extend([
        ("runs", format!("{} of each, {} steps of warm-up", manifest.runs, manifest.warmup)),
        ("process", if manifest.isolated { "one for each run" } else { "one for all runs" }.to_owned()),
        ("pinned", manifest.pin.clone().unwrap_or_else(|| "no".to_owned())),
        ("started", manifest.started.clone()),
        ("finished", manifest.finished.clone()),
    ]);
    facts.extend(manifest.budget_s.map(|seconds| ("budget", format!("{seconds} s"))));
    facts
}

/// What a reader must know of the machine and the build.
pub(crate) fn machine_facts(machine: &Machine) -> Vec<(&'static str, String)> {
    let build = &machine.build;
    let changed = match build.dirty {
        Some(true) => " with changes",
        Some(false) => "",
        None => ", changes unknown",
    };
    vec![
        ("processor", format!("{}, {} cores, {} threads", machine.processor, machine.cores, machine.threads)),
        ("caches", machine.caches.join(", ")),
        ("memory", format!("{} MiB", machine.memory_mib)),
        ("governor", machine.governor.clone()),
        ("system", machine.system.clone()),
        ("load before", machine.load.map_or_else(|| "unknown".to_owned(), |load| load.to_string())),
        ("version", format!("{}, commit {}{changed}", build.version, build.commit)),
        ("compiler", format!("{}, {}", build.compiler, build.target)),
        ("features", if build.features.is_empty() { "none".to_owned() } else { build.features.join(", ") }),
    ]
}

fn section(comparison: &Comparison) -> Section {
    let example = comparison.rows.iter().find_map(Row::example);
    let Some(sample) = example else {
        let failures = comparison.rows.iter().filter_map(|row| Some((row, row.failed()?)));
        let text = |(row, failed): (&Row, &crate::measure::Failed)| {
            format!("{} failed: {}", row.label, failed.reason)
        };
        return failures.map(text).fold(Section::new("No figures"), Section::text);
    };
    let mut section = Section::new(format!("{}, solver {}", sample.scene, sample.solver));
    for difference in comparison.differences() {
        section = section.text(format!("Not comparable: {difference}."));
    }
    section = section
        .block(times(comparison, sample))
        .block(curves(comparison, sample))
        .block(stages(comparison, sample));
    if let Some(models) = models(comparison, sample) {
        section = section.block(models);
    }
    section
}

/// A cell with an interval, or nothing.
pub(crate) fn cell(interval: Option<Interval>) -> Cell {
    interval.map_or(Cell::Empty, |i| Cell::Interval {
        value: i.value,
        low: i.low,
        high: i.high,
        digits: DIGITS,
    })
}

/// A cell with a number, or nothing.
pub(crate) fn number(value: Option<f64>) -> Cell {
    value.map_or(Cell::Empty, |value| Cell::Number { value, digits: DIGITS })
}

fn times(comparison: &Comparison, sample: &Sample) -> Table {
    let caption = format!(
        "{} bodies, {} frames at {} Hz: medians of the runs with 95 % intervals (the range below six runs).",
        sample.bodies, sample.frames, sample.fps
    );
    let mut table = Table::new(format!("figures-{}", sample.scene), caption)
        .column("run", "")
        .column("state", "")
        .column("runs", "")
        .column("step", "ms")
        .column("of the first", "")
        .column("processor", "ms")
        .column("set-up", "ms")
        .column("peak memory", "MiB")
        .column("pairs tested", "")
        .column("contacts", "");
    for (row, ratio) in comparison.rows.iter().zip(comparison.ratios()) {
        let count = |key: &str| row.example().map_or(Cell::Empty, |sample| Cell::Count(sample.count(key)));
        table = table.row([
            Cell::Text(row.label.clone()),
            Cell::Text(state(row).to_owned()),
            Cell::Count(row.complete().count() as u64),
            cell(row.complete().next().map(|_| row.ms_per_step())),
            cell(ratio),
            number(row.processor_ms()),
            number(row.middle(|sample| Some(sample.setup_ns as f64 / 1e6))),
            number(row.peak_mib()),
            count("tested_pairs"),
            count("contacts"),
        ]);
    }
    table
}

/// Time over the run: each step the median over the runs, with their range; stretches of steps
/// where there are many.
fn curves(comparison: &Comparison, sample: &Sample) -> Plot {
    let caption = "Time of a step over the run, median and range of the runs.";
    let mut plot = Plot::new(
        format!("times-{}", sample.scene),
        caption,
        Axis::linear("step"),
        Axis::linear("time per step (ms)"),
    );
    for row in &comparison.rows {
        let Some(longest) = row.samples().map(|sample| sample.step_ns.len()).max() else { continue };
        let stretch = longest.div_ceil(POINTS).max(1);
        let is_partial = row.over_budget().is_some();
        let points = (0..longest).step_by(stretch).filter_map(|from| {
            let of_run = |sample: &Sample| {
                let steps = sample.step_ns.get(from..(from + stretch).min(sample.step_ns.len()))?;
                let mean = steps.iter().sum::<u64>() as f64 / steps.len().max(1) as f64;
                (!steps.is_empty()).then_some(mean / 1e6)
            };
            let values: Vec<f64> = row.samples().filter_map(of_run).collect();
            let low = values.iter().copied().min_by(f64::total_cmp)?;
            let high = values.iter().copied().max_by(f64::total_cmp)?;
            let middle = from as f64 + 0.5 * (stretch as f64 + 1.0);
            let point = Point::new(middle, median(&values)).between(low, high);
            Some(if is_partial { point.over_budget() } else { point })
        });
        plot = plot.series(Series::new(row.label.clone(), points));
    }
    plot
}

fn stages(comparison: &Comparison, sample: &Sample) -> StackedBars {
    let mut bars = StackedBars::new(
        format!("stages-{}", sample.scene),
        "Where the time of a step goes, medians of the runs.",
        "ms",
        sample.stages.iter().map(|stage| stage.label.clone()),
    );
    for row in comparison.rows.iter().filter(|row| row.complete().next().is_some()) {
        bars = bars.bar(
            row.label.clone(),
            sample.stages.iter().map(|stage| row.stage_ms(&stage.key).unwrap_or(0.0)),
        );
    }
    bars
}

fn models(comparison: &Comparison, sample: &Sample) -> Option<Table> {
    let caption =
        "Cost of detection per step, T = C + b·B + o·O: fitted over every other step, checked on the rest.";
    let mut table = Table::new(format!("model-{}", sample.scene), caption)
        .column("run", "")
        .column("C", "ms")
        .column("b", "")
        .column("B", "ns")
        .column("o", "")
        .column("O", "ns")
        .column("predicted over measured", "");
    for (row, model) in comparison.rows.iter().zip(comparison.cost_models()) {
        let Some(model) = model else { continue };
        table = table.row([
            Cell::Text(row.label.clone()),
            number(model.upkeep_ns.map(|ns| ns / 1e6)),
            number(model.volume_tests),
            number(model.volume_ns),
            number(Some(model.object_tests)),
            number(Some(model.object_ns)),
            number(Some(model.predicted_over_measured)),
        ]);
    }
    (!table.rows.is_empty()).then_some(table)
}

#[cfg(test)]
mod tests {
    use super::super::made_up::{change, row};
    use super::*;
    use crate::measure::{Failed, Measured};

    fn manifest() -> BenchManifest {
        BenchManifest {
            command: vec!["carom".into(), "bench".into()],
            tasks: Vec::new(),
            machine: Machine { processor: "Fast 9".into(), ..Default::default() },
            runs: 5,
            warmup: 1,
            budget_s: None,
            pin: None,
            isolated: true,
            started: "then".into(),
            finished: "now".into(),
            interrupted: false,
            differences: Vec::new(),
            files: Vec::new(),
        }
    }

    #[test]
    fn the_page_has_the_table_the_curves_and_the_stages() {
        let folder = tempfile::tempdir().unwrap();
        let all = [Comparison { rows: vec![row("sap", &[1.0; 5]), row("bvh", &[2.0; 5])] }];
        let written = page(&manifest(), &all).write(folder.path()).unwrap();
        let html = std::fs::read_to_string(written.html).unwrap();
        for words in
            ["Benchmark of made up", "fastest first: sap &lt; bvh", "Fast 9", "carom bench", "pairs tested"]
        {
            assert!(html.contains(words), "{words}");
        }
        for file in ["figures-made-up.csv", "times-made-up.svg", "stages-made-up.svg"] {
            assert!(folder.path().join(file).is_file(), "{file}: {:?}", written.files);
        }
    }

    #[test]
    fn what_failed_or_was_cut_short_or_differs_is_on_it() {
        let mut slow = row("slow", &[1.0]);
        change(&mut slow, |sample| (sample.over_budget, sample.series.contacts) = (true, vec![77]));
        let mut all = [Comparison { rows: vec![row("sap", &[1.0; 5]), slow] }];
        let text = format!("{:?}", page(&manifest(), &all));
        assert!(text.contains("over budget") && text.contains("is_over_budget: true"), "{text}");
        assert!(text.contains("Not comparable: step 1 has 3 contacts with sap, 77 with slow"), "{text}");
        let failed = Measured::Failed(Box::new(Failed { reason: "it burnt".into(), ..Failed::default() }));
        all[0].rows = vec![Row { measured: vec![failed], ..row("sap", &[]) }];
        let text = format!("{:?}", page(&manifest(), &all));
        assert!(text.contains("sap failed: it burnt"), "{text}");
    }

    #[test]
    fn long_runs_are_drawn_in_stretches() {
        let mut long = row("sap", &[1.0]);
        change(&mut long, |sample| sample.step_ns = (0..1000).map(|k| k * 1_000_000).collect());
        let all = Comparison { rows: vec![long] };
        let plot = curves(&all, all.rows[0].example().unwrap());
        let points = &plot.series[0].points;
        // Five steps each; the first has steps 1 to 5 of 0, 1, 2, 3 and 4 ms.
        assert_eq!((points.len(), points[0].x, points[0].y), (200, 3.0, 2.0));
    }
}
