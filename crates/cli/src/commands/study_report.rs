//! `carom report`, and the end of `carom study` and `carom experiment`: all runs of a study become
//! a page and a verdict.

use std::path::Path;

use carom_lab::experiment::{Check, Experiment, Findings, UnknownExperiment, replay};
use carom_lab::study::journal::{merge, read};
use carom_lab::study::{Study, page};
use serde_json::json;

use crate::args::ReportOptions;
use crate::failure::{Failure, Outcome, Verdict};
use crate::show::{line, remark, table};

/// `carom report`.
pub(crate) fn run(options: &ReportOptions) -> Outcome {
    match (&options.out, options.folders.as_slice()) {
        (None, [folder]) => write(folder, options.json),
        (None, _) => {
            Err(Failure::new("several folders, and no place for what comes of them").with_hint("--out DIR"))
        }
        (Some(out), folders) => {
            merge(folders, out)?;
            for folder in folders {
                replay::add(out, replay::read(folder)?)?;
            }
            write(out, options.json)
        }
    }
}

/// Writes the report of the study in a folder, and says what was found.
pub(crate) fn write(folder: &Path, json: bool) -> Outcome {
    let stored = read(folder)?;
    let mut study = Study::new(stored.file.plan.clone()).map_err(|error| Failure::new(error.to_string()))?;
    let taken = study.take_in(stored.measured);
    if taken.strange > 0 {
        remark(&format!("warning: {} runs belong to no task of the plan", taken.strange));
    }
    let experiment: Option<Experiment> = stored
        .file
        .experiment
        .as_deref()
        .map(str::parse)
        .transpose()
        .map_err(|error: UnknownExperiment| Failure::new(error.to_string()))?;
    let findings = match experiment {
        Some(experiment) => experiment.findings(&study, &stored.file, &replay::read(folder)?),
        None => Findings::of_study(&study, page::page(&study, &stored.file)),
    };
    let written = findings.report.write(folder).map_err(|error| Failure::new(error.to_string()))?;
    let missing = study.unfinished().count();
    if json {
        let checks = findings.checks.iter();
        line(
            json!({
                "study": study.plan.name,
                "folder": folder,
                "groups": study.groups.len(),
                "runs": taken.known,
                "unfinished_rows": missing,
                "lines": findings.lines,
                "checks": checks.map(|check| json!({"check": check.what, "passed": check.passed, "found": check.found})).collect::<Vec<_>>(),
                "report": written.html,
            })
            .to_string(),
        );
    } else {
        show(&study, &findings, missing);
        line(format!("report: {}", written.html.display()));
    }
    let good = findings.checks.iter().all(|check| check.passed);
    Ok(if good { Verdict::Good } else { Verdict::CheckFailed })
}

fn show(study: &Study, findings: &Findings, missing: usize) {
    for group in &study.groups {
        if let Some(ranking) = group.comparison.ranking().line() {
            line(format!("{}: {ranking}", group.name()));
        }
    }
    findings.lines.iter().for_each(line);
    let mut table = table(["check", "holds", "found"], 3);
    for Check { what, passed, found } in &findings.checks {
        table.add_row([what.as_str(), if *passed { "yes" } else { "NO" }, found]);
    }
    line(table.to_string());
    if missing > 0 {
        remark(&format!("{missing} rows lack runs: the same command goes on with them"));
    }
}
