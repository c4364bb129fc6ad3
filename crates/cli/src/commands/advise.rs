//! `carom advise`: which broad phase for a scene, and why.

use std::time::Instant;

use carom_lab::advise::aabb_trace::{AnyAabbTrace, TraceError};
use carom_lab::advise::advice::{Advice, CLEARLY, Prediction, advise};
use carom_lab::advise::measure::{Effort, MeasureError, taking_part};
use carom_lab::advise::sample::{Sample, Timing};
use carom_lab::advise::source::{self, Moved, OpenError};
use carom_lab::{Features, Method};
use carom_scene::swarm;
use carom_sim::load::with_seed;
use serde_json::{Value, json};

use crate::args::AdviseOptions;
use crate::commands::{advise_survey, pairs};
use crate::failure::{Failure, Outcome, Verdict};
use crate::show::{grouped, line, remark, table};
use crate::source::load_any;

/// Methods shown without `--verify`, and measured with it.
const SHOWN: usize = 5;

/// `carom advise`.
pub(crate) fn run(options: &AdviseOptions) -> Outcome {
    if let Some(folder) = &options.measure {
        return advise_survey::run(options, folder);
    }
    // clap asks for one of the two.
    let scene = options.scene.as_deref().unwrap_or_default();
    let start = Instant::now();
    let trace = trace(options, scene)?;
    if trace.boxes() == 0 {
        return Err(Failure::new(format!("'{scene}' has no boxes: there is nothing to advise on")));
    }
    let advice = advise(&trace.look().map_err(|error| Failure::new(error.to_string()))?);
    let took = start.elapsed().as_secs_f64();
    let check = if options.verify { Some(verify(&trace, scene, &advice)?) } else { None };
    if options.json {
        line(to_json(scene, &trace, &advice, check.as_ref(), took).to_string());
    } else {
        show(scene, &trace, &advice);
        check.iter().for_each(|check| show_check(&advice, check));
    }
    Ok(match check {
        Some(check) if !held(&advice, &check) => Verdict::CheckFailed,
        _ => Verdict::Good,
    })
}

fn trace(options: &AdviseOptions, scene: &str) -> Result<AnyAabbTrace, Failure> {
    if swarm::knows(scene) {
        return Ok(source::of_swarm(&with_seed(scene, options.seed)?, options.frames)?);
    }
    let moved = if options.free { Moved::Freely } else { Moved::By(options.solver.clone()) };
    let loaded =
        load_any(scene, options.seed).map_err(|failure| pairs::suggesting_a_swarm(failure, scene))?;
    Ok(source::of_scene(loaded, scene, moved, options.frames)?)
}

/// Measures the most promising methods on the scene itself, and `auto` beside them.
fn verify(trace: &AnyAabbTrace, scene: &str, advice: &Advice) -> Result<Sample, Failure> {
    let possible = taking_part(trace.boxes());
    let ranked = advice.predictions.iter().map(|prediction| prediction.method);
    let methods: Vec<Method> = ranked.filter(|method| possible.contains(method)).take(SHOWN).collect();
    let effort = Effort::for_boxes(trace.boxes());
    remark(&format!("measuring {SHOWN} methods and auto on {scene} …"));
    Ok(trace.measure(scene, &methods, true, &effort)?)
}

/// Was no other method clearly faster?
fn held(advice: &Advice, check: &Sample) -> bool {
    let Some(method) = advice.method() else { return true };
    let (Some(own), Some(best)) = (check.timing(method), check.ranked().first().copied()) else {
        return false;
    };
    check.regret(method) <= CLEARLY || own.us.overlaps(&best.us)
}

/// Microseconds or milliseconds, three digits.
fn time(us: f64) -> String {
    match us {
        _ if us < 10.0 => format!("{us:.2} µs"),
        _ if us < 1000.0 => format!("{us:.0} µs"),
        _ if us < 10_000.0 => format!("{:.2} ms", us / 1000.0),
        _ => format!("{:.0} ms", us / 1000.0),
    }
}

fn show(scene: &str, trace: &AnyAabbTrace, advice: &Advice) {
    let Features { boxes, moving, best_part, crowding, size_ratio, motion, .. } = advice.seen.features;
    let share = 100.0 * moving / boxes.max(1.0);
    line(format!(
        "{scene}: {} boxes in {} dimensions, {} frames, {} of them with motion",
        grouped(trace.boxes() as u64),
        trace.dimensions(),
        advice.seen.steps,
        advice.seen.stirred
    ));
    let way = if motion < 0.001 { "less than 0.001".to_owned() } else { format!("{motion:.3}") };
    line(format!("  moving      {share:.1} % of the boxes, by {way} edges per frame"));
    line(format!(
        "  crowding    a box overlaps about {crowding:.2} others, and {:.0} along its best axis",
        2.0 * best_part * boxes
    ));
    line(format!("  sizes       the largest edge is {size_ratio:.1} times the mean"));
    if let Some(method) = advice.method() {
        let mut rows = table(["broad phase", "predicted per frame", "nine of ten lie within"], 1);
        for Prediction { method, us, low, high } in advice.predictions.iter().take(SHOWN) {
            rows.add_row([method.to_string(), time(*us), format!("{} … {}", time(*low), time(*high))]);
        }
        line(rows.to_string());
        line(format!("take {method}. {}", advice.reason));
        let others: Vec<String> =
            advice.alike().iter().filter(|other| **other != method).map(ToString::to_string).collect();
        if !others.is_empty() {
            line(format!(
                "Within their errors the predictions cannot tell it from {}; --verify measures.",
                others.join(", ")
            ));
        }
        let record = advice.record;
        line(format!(
            "On {} scenes held out, such advice took {:.2} times as long as the best method, at most {:.2} times in nine of ten.",
            record.count, record.mean, record.ninth
        ));
    } else {
        line(&advice.reason);
    }
    advice.doubts.iter().for_each(|doubt| remark(&format!("doubt: {doubt}")));
}

fn show_check(advice: &Advice, check: &Sample) {
    let mut rows = table(["broad phase", "measured per frame", "interval", "of the best", "of predicted"], 1);
    let best = check.ranked().first().map_or(0.0, |timing| timing.us.value);
    for Timing { method, us, over_budget, .. } in &check.timings {
        let predicted = advice.predictions.iter().find(|p| p.method == *method).map(|p| us.value / p.us);
        rows.add_row([
            method.to_string(),
            if *over_budget { format!("over budget, {}", time(us.value)) } else { time(us.value) },
            format!("{} … {}", time(us.low), time(us.high)),
            format!("{:.2}", us.value / best),
            predicted.map_or_else(String::new, |ratio| format!("{ratio:.2}")),
        ]);
    }
    if let Some(us) = &check.auto_us {
        let interval = format!("{} … {}", time(us.low), time(us.high));
        rows.add_row([
            "auto".to_owned(),
            time(us.value),
            interval,
            format!("{:.2}", us.value / best),
            String::new(),
        ]);
    }
    line(rows.to_string());
    let Some(method) = advice.method() else { return };
    let regret = check.regret(method);
    line(match check.ranked().first() {
        Some(best) if best.method == method => "The advice held: nothing measured was faster.".to_owned(),
        Some(best) if held(advice, check) => {
            format!("The advice held: {} took {regret:.2} times the time of {}.", method, best.method)
        }
        Some(best) => {
            format!("The advice was wrong: {method} took {regret:.2} times the time of {}.", best.method)
        }
        None => "No method was done in time.".to_owned(),
    });
}

fn to_json(scene: &str, trace: &AnyAabbTrace, advice: &Advice, check: Option<&Sample>, took: f64) -> Value {
    let Features { boxes, moving, best_part, worst_part, crowding, size_ratio, motion } =
        advice.seen.features;
    let prediction =
        |p: &Prediction| json!({ "broad": p.method.name(), "us": p.us, "low": p.low, "high": p.high });
    json!({
        "scene": scene,
        "dimensions": trace.dimensions(),
        "boxes": trace.boxes(),
        "frames": advice.seen.steps,
        "frames_with_motion": advice.seen.stirred,
        "features": {
            "boxes": boxes, "moving": moving, "best_part": best_part, "worst_part": worst_part,
            "crowding": crowding, "size_ratio": size_ratio, "motion": motion,
        },
        "broad": advice.method().map(Method::name),
        "reason": advice.reason,
        "alike": advice.alike().iter().map(|method| method.name()).collect::<Vec<_>>(),
        "doubts": advice.doubts,
        "predicted_us": advice.predictions.iter().map(prediction).collect::<Vec<_>>(),
        "held_out": {
            "scenes": advice.record.count, "mean_regret": advice.record.mean,
            "ninth_regret": advice.record.ninth, "worst_regret": advice.record.worst,
        },
        "seconds": took,
        "verified": check.map(|check| json!({
            "held": held(advice, check),
            "regret": advice.method().map(|method| check.regret(method)).filter(|regret| regret.is_finite()),
            "best": check.ranked().first().map(|timing| timing.method.name()),
            "pairs": check.pairs,
            "measured_us": check.timings,
            "auto_us": check.auto_us,
        })),
    })
}

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::Source(error) => error.into(),
            OpenError::Task(error) => error.into(),
            OpenError::Trace(TraceError::Session(error)) => error.into(),
            OpenError::Trace(TraceError::Simulation(error)) => error.into(),
            OpenError::Trace(error @ TraceError::Body(_)) => Self::new(error.to_string()),
        }
    }
}

impl From<MeasureError> for Failure {
    fn from(error: MeasureError) -> Self {
        Self::new(error.to_string())
    }
}
