//! The folder of a benchmark: everything that was measured, with all that is needed to measure it
//! again.
//!
//! `samples.jsonl` has one run per line, as it was measured, failures too; `manifest.json` says
//! what was run, where, when and with what; `table.csv` has the figures that were shown, one row
//! per task, times in milliseconds per step.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{Comparison, Row};
use crate::folder::manifest;
use crate::machine::Machine;
use crate::stats::Interval;
use crate::task::Task;

/// One run per line.
pub const SAMPLES: &str = "samples.jsonl";
/// The figures that were shown.
pub const TABLE: &str = "table.csv";

/// What a benchmark was.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BenchManifest {
    /// The words that started it.
    pub command: Vec<String>,
    /// Tasks, in the order of the rows.
    pub tasks: Vec<Task>,
    /// Where it was measured, and with what build.
    pub machine: Machine,
    /// Runs asked for.
    pub runs: u32,
    /// Steps of the warm-up of each run.
    pub warmup: u64,
    /// Seconds after which a run is cut short.
    pub budget_s: Option<f64>,
    /// Processors asked for.
    pub pin: Option<String>,
    /// Was every run a process of its own?
    pub isolated: bool,
    /// Local time of the start.
    pub started: String,
    /// Local time of the end.
    pub finished: String,
    /// Was it ended early, so that there are fewer rounds than asked for?
    pub interrupted: bool,
    /// What stands against comparing the times.
    pub differences: Vec<String>,
    /// Files beside this one.
    pub files: Vec<String>,
}

/// Writes the folder of a benchmark.
///
/// # Errors
/// If the disk says no.
pub fn write(folder: &Path, manifest: &BenchManifest, comparisons: &[Comparison]) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut samples = BufWriter::new(fs::File::create(folder.join(SAMPLES))?);
    let rows = || comparisons.iter().flat_map(|comparison| &comparison.rows);
    for measured in rows().flat_map(|row| &row.measured) {
        serde_json::to_writer(&mut samples, measured)?;
        samples.write_all(b"\n")?;
    }
    samples.flush()?;
    table(fs::File::create(folder.join(TABLE))?, comparisons)?;
    let text = serde_json::to_vec_pretty(manifest)?;
    crate::folder::replace(&folder.join(manifest::FILE), &text)
}

/// The figures that were shown; solvers have different stages, so each stage that any row has is a
/// column.
fn table(out: impl Write, comparisons: &[Comparison]) -> io::Result<()> {
    let rows: Vec<(&Row, Option<Interval>)> =
        comparisons.iter().flat_map(|comparison| comparison.rows.iter().zip(comparison.ratios())).collect();
    let mut stages: Vec<&str> = Vec::new();
    for stage in rows.iter().filter_map(|(row, _)| row.example()).flat_map(|sample| &sample.stages) {
        if !stages.contains(&stage.key.as_str()) {
            stages.push(&stage.key);
        }
    }
    let mut writer = csv::Writer::from_writer(out);
    let mut header: Vec<String> =
        "scene,row,solver,broad,threads,bodies,steps,runs,ms_per_step,low,high,ratio,ratio_low,ratio_high,\
        p95_ms,max_ms,processor_ms,setup_ms,peak_mib,tested_pairs,contacts,state_hash,state"
            .split(',')
            .map(str::to_owned)
            .collect();
    header.extend(stages.iter().map(|key| format!("{key}_ms")));
    writer.write_record(&header)?;
    for (row, ratio) in rows {
        writer.write_record(record(row, ratio, &stages))?;
    }
    writer.flush()
}

fn record(row: &Row, ratio: Option<Interval>, stages: &[&str]) -> Vec<String> {
    let number = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    let count = |value: Option<u64>| value.map_or_else(String::new, |value| value.to_string());
    let (example, spread) = (row.example(), row.spread());
    let whole = row.complete().next();
    let time = whole.map(|_| row.ms_per_step());
    let text = |pick: fn(&crate::measure::Sample) -> &str| example.map_or("", pick).to_owned();
    let mut cells = vec![
        example.map_or(row.task.scene.as_str(), |sample| &sample.scene).to_owned(),
        row.label.clone(),
        text(|sample| &sample.solver),
        text(|sample| &sample.broad),
        row.task.threads.to_string(),
        count(example.map(|sample| sample.bodies as u64)),
        count(example.map(|sample| sample.steps)),
        row.complete().count().to_string(),
        number(time.map(|time| time.value)),
        number(time.map(|time| time.low)),
        number(time.map(|time| time.high)),
        number(ratio.map(|ratio| ratio.value)),
        number(ratio.map(|ratio| ratio.low)),
        number(ratio.map(|ratio| ratio.high)),
        number(whole.map(|_| spread.p95)),
        number(whole.map(|_| spread.max)),
        number(row.processor_ms()),
        number(row.middle(|sample| Some(sample.setup_ns as f64 / 1e6))),
        number(row.peak_mib()),
        count(example.map(|sample| sample.count("tested_pairs"))),
        count(example.map(|sample| sample.count("contacts"))),
        example.map_or_else(String::new, |sample| format!("{:016x}", sample.state_hash)),
        state(row).to_owned(),
    ];
    cells.extend(stages.iter().map(|key| number(row.stage_ms(key))));
    cells
}

/// How a row ended, in a word.
#[must_use]
pub fn state(row: &Row) -> &'static str {
    if row.failed().is_some() {
        "failed"
    } else if row.over_budget().is_some() {
        "over budget"
    } else {
        "complete"
    }
}

#[cfg(test)]
mod tests {
    use super::super::made_up::{change, row};
    use super::*;
    use crate::measure::{Failed, Measured};

    #[test]
    fn the_folder_has_every_run_and_one_row_per_task() {
        let folder = tempfile::tempdir().unwrap();
        let mut crashed = row("c", &[]);
        crashed
            .measured
            .push(Measured::Failed(Box::new(Failed { reason: "a, \"b\"".into(), ..Failed::default() })));
        let mut slow = row("b", &[9.0]);
        change(&mut slow, |sample| sample.over_budget = true);
        let all = [Comparison { rows: vec![row("a", &[1.0, 2.0]), slow, crashed] }];
        let manifest = BenchManifest {
            command: vec!["carom".into()],
            tasks: all[0].rows.iter().map(|row| row.task.clone()).collect(),
            machine: Machine::default(),
            runs: 2,
            warmup: 0,
            budget_s: Some(1.5),
            pin: None,
            isolated: true,
            started: "then".into(),
            finished: "now".into(),
            interrupted: false,
            differences: Vec::new(),
            files: vec![SAMPLES.into(), TABLE.into()],
        };
        write(&folder.path().join("deep"), &manifest, &all).unwrap();
        let text = |name: &str| fs::read_to_string(folder.path().join("deep").join(name)).unwrap();
        let samples: Vec<Measured> =
            text(SAMPLES).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let expected: Vec<Measured> = all[0].rows.iter().flat_map(|row| row.measured.clone()).collect();
        assert_eq!(samples, expected);
        assert_eq!(serde_json::from_str::<BenchManifest>(&text("manifest.json")).unwrap(), manifest);
        let table = text(TABLE);
        let lines: Vec<&str> = table.lines().collect();
        assert!(lines[0].ends_with("state,broad_ms") && lines.len() == 4, "{table}");
        assert!(lines[1].contains(",1.5,1,2,1,1,1,") && lines[1].contains("complete"), "{table}");
        assert!(lines[2].contains("over budget") && lines[3].contains("failed"), "{table}");
        let columns = |line: &str| line.matches(',').count();
        assert!(lines.iter().all(|line| columns(line) == columns(lines[0])), "{table}");
    }
}
