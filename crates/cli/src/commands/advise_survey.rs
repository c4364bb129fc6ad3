//! `carom advise --measure`: times methods all over the space of situations, and says who wins
//! where.
//!
//! Every sample is on the disk before the next begins, so Ctrl-C, `--stop-after` and a power cut
//! cost one sample at most.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use carom_lab::advise::aabb_trace::{AabbTrace, AnyAabbTrace};
use carom_lab::advise::fit::{self, fit};
use carom_lab::advise::measure::{Effort, taking_part};
use carom_lab::advise::page::{Findings, page};
use carom_lab::advise::regret::{Chooser, Summary};
use carom_lab::advise::sample::{self, Sample};
use carom_lab::advise::situation::Situation;
use carom_lab::advise::source::{self, Moved};
use carom_lab::advise::survey::Survey;
use carom_lab::machine::Machine;
use serde_json::json;

use crate::args::AdviseOptions;
use crate::failure::{Failure, Outcome, Verdict};
use crate::show::{line, remark, table};
use crate::{interrupt, progress};

/// Samples of the situations.
pub(crate) const SAMPLES: &str = "samples.jsonl";
/// Samples of the scenes held out.
pub(crate) const CHECKS: &str = "held-out.jsonl";
/// The models, as source for `auto`.
const TABLE: &str = "fitted.rs";
/// The machine that the last part was measured on.
const MACHINE: &str = "machine.json";

/// Measures what is missing in the folder.
pub(crate) fn run(options: &AdviseOptions, folder: &Path) -> Outcome {
    interrupt::watch();
    fs::create_dir_all(folder).map_err(|error| Failure::at(folder, error))?;
    let survey = if options.quick { Survey::quick() } else { Survey::full() };
    let end = options.stop_after.map(|seconds| Instant::now() + Duration::from_secs_f64(seconds.0));
    let (samples, checks) = (folder.join(SAMPLES), folder.join(CHECKS));
    let done = kept(&samples)?;
    let is_done = |situation: &Situation| done.iter().any(|sample| sample.situation == Some(*situation));
    let situations: Vec<Situation> = survey.situations().into_iter().filter(|s| !is_done(s)).collect();
    let checked = kept(&checks)?;
    let is_checked = |name: &str| checked.iter().any(|sample| sample.scene == name);
    let held_out: Vec<&str> = survey.held_out.iter().copied().filter(|name| !is_checked(name)).collect();
    let bar = progress::runs((situations.len() + held_out.len()) as u64, options.json);
    let is_over = || interrupt::is_interrupted() || end.is_some_and(|end| Instant::now() > end);
    for situation in situations {
        if is_over() {
            break;
        }
        bar.set_message(format!("{} boxes", situation.n));
        sample::append(&samples, &of_situation(situation)?).map_err(|error| Failure::at(&samples, error))?;
        bar.inc(1);
    }
    for name in held_out {
        if is_over() {
            break;
        }
        bar.set_message(name.to_owned());
        sample::append(&checks, &of_scene(name)?).map_err(|error| Failure::at(&checks, error))?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    let is_new = bar.position() > 0;
    report(options, folder, &survey, is_new)
}

/// Fits, and writes everything that can be read.
fn report(options: &AdviseOptions, folder: &Path, survey: &Survey, is_new: bool) -> Outcome {
    let samples = kept(&folder.join(SAMPLES))?;
    let held_out = kept(&folder.join(CHECKS))?;
    let models = fit(&samples);
    let machine = machine(&folder.join(MACHINE), is_new);
    let quick = if options.quick { " --quick" } else { "" };
    let command = format!("carom advise --measure DIR{quick}");
    let findings = Findings {
        survey,
        samples: &samples,
        held_out: &held_out,
        models: &models,
        machine: &machine,
        command: &command,
    };
    let written = page(&findings).write(folder).map_err(|error| Failure::new(error.to_string()))?;
    let from = format!(
        "From {} situations measured on {} with {}.",
        samples.len(),
        machine.processor,
        machine.build.compiler
    );
    write(&folder.join(TABLE), fit::source(&models, &from).as_bytes())?;
    let manifest = serde_json::to_vec_pretty(&machine).map_err(|error| Failure::at(folder, error))?;
    write(&folder.join(MACHINE), &manifest)?;
    let planned = survey.situations().len() + survey.held_out.len();
    let measured = samples.len() + held_out.len();
    if measured < planned {
        remark(&format!("{measured} of {planned} measured: run it again to go on"));
    }
    let fitted = Summary::of(&Chooser::Fitted(models.clone()).regrets(&held_out));
    let by_hand = Summary::of(&Chooser::ByHand.regrets(&held_out));
    if options.json {
        let regret = |s: &Summary| json!({ "mean": s.mean, "ninth": s.ninth, "worst": s.worst, "within_a_tenth": s.good });
        line(json!({
            "situations": samples.len(), "held_out": held_out.len(), "planned": planned, "models": models.len(),
            "regret": { "fitted": regret(&fitted), "by_hand": regret(&by_hand) },
            "report": written.html,
        })
        .to_string());
        return Ok(Verdict::Good);
    }
    let mut rows =
        table(["who chooses", "scenes", "mean regret", "nine of ten below", "worst", "within a tenth"], 1);
    for (name, summary) in [("fitted model", fitted), ("model by hand", by_hand)] {
        rows.add_row([
            name.to_owned(),
            summary.count.to_string(),
            format!("{:.3}", summary.mean),
            format!("{:.2}", summary.ninth),
            format!("{:.2}", summary.worst),
            format!("{:.0} %", 100.0 * summary.good),
        ]);
    }
    line(format!(
        "{} situations measured, {} models fitted; on the scenes held out:",
        samples.len(),
        models.len()
    ));
    line(rows.to_string());
    line(format!("maps, tables and models: {}", written.html.display()));
    Ok(Verdict::Good)
}

/// The machine that the samples come from: this one, or, if none is new, the one that is noted
/// beside them.
fn machine(path: &Path, is_new: bool) -> Machine {
    let noted = || serde_json::from_str(&fs::read_to_string(path).ok()?).ok();
    if is_new { Machine::here() } else { noted().unwrap_or_else(Machine::here) }
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    fs::write(path, bytes).map_err(|error| Failure::at(path, error))
}

fn kept(path: &Path) -> Result<Vec<Sample>, Failure> {
    let kept = sample::read(path).map_err(|error| Failure::at(path, error))?;
    if kept.spoilt > 0 {
        remark(&format!("warning: {} lines of {} are no samples", kept.spoilt, path.display()));
    }
    Ok(kept.samples)
}

fn of_situation(situation: Situation) -> Result<Sample, Failure> {
    let effort = Effort::for_boxes(situation.n);
    let trace = AnyAabbTrace::Space(AabbTrace::record(&mut situation.cloud(), effort.steps()));
    let methods = taking_part(situation.n);
    let sample = trace.measure(&situation.to_string(), &methods, false, &effort)?;
    Ok(Sample { situation: Some(situation), ..sample })
}

fn of_scene(name: &str) -> Result<Sample, Failure> {
    let boxes = source::count(name)?;
    let effort = Effort::for_boxes(boxes);
    let trace = source::open(name, Moved::By(None), effort.steps())?;
    Ok(trace.measure(name, &taking_part(boxes), true, &effort)?)
}
