//! What `carom bench` tells to programs.

use carom_lab::bench::cost::CostModel;
use carom_lab::bench::files::state;
use carom_lab::bench::rank::Ranking;
use carom_lab::bench::{Comparison, Row};
use carom_lab::measure::Sample;
use carom_lab::stats::Interval;
use serde_json::{Map, Value, json};

use crate::commands::bench::Benchmark;
use crate::interrupt;
use crate::summary::{joint_error_json, spread_json};

/// Everything, as one object.
pub(crate) fn report(done: &Benchmark) -> Value {
    let rows: Vec<Value> = done.comparisons.iter().flat_map(rows).collect();
    let differences: Vec<String> = done
        .comparisons
        .iter()
        .flat_map(Comparison::differences)
        .map(|difference| difference.to_string())
        .collect();
    let rankings: Vec<Value> =
        done.comparisons.iter().map(|comparison| ranking(&comparison.ranking())).collect();
    let pay_offs: Vec<Value> =
        done.comparisons.iter().map(|comparison| json!(comparison.pay_off())).collect();
    let mut value = json!({
        "bench": rows,
        "same_output": differences.is_empty(),
        "differences": differences,
        "rankings": rankings,
        "pay_off": pay_offs,
        "interrupted": interrupt::is_interrupted(),
        "machine": done.machine,
        "folder": done.folder.as_ref().map(|folder| folder.display().to_string()),
    });
    if let Some(then) = &done.then {
        let changes: Vec<Value> = done
            .rows()
            .map(|row| {
                let change = then.change(row);
                json!({
                    "run": row.label,
                    "verdict": change.name(),
                    "ratio": change.ratio(),
                    "fails": change.fails(done.tolerance),
                })
            })
            .collect();
        value["against"] = json!({
            "name": then.name,
            "saved": then.saved,
            "tolerance": done.tolerance,
            "other_machine": done.machine.differences(&then.machine),
            "rows": changes,
        });
    }
    value
}

fn ranking(ranking: &Ranking) -> Value {
    let groups = match ranking {
        Ranking::Groups(groups) => json!(groups),
        _ => Value::Null,
    };
    json!({"groups": groups, "line": ranking.line()})
}

fn rows(comparison: &Comparison) -> Vec<Value> {
    let (ratios, models) = (comparison.ratios(), comparison.cost_models());
    let all = comparison.rows.iter().zip(ratios).zip(models);
    all.map(|((row, ratio), model)| of_row(row, ratio, model)).collect()
}

fn of_row(row: &Row, ratio: Option<Interval>, model: Option<CostModel>) -> Value {
    let mut value = row.example().map_or_else(|| json!({}), of_sample);
    let is_whole = row.complete().next().is_some();
    value["run"] = json!(row.label);
    value["state"] = json!(state(row));
    value["failed"] = json!(row.failed().map(|failed| &failed.reason));
    value["runs"] = json!(row.complete().count());
    value["runs_agree"] = json!(Comparison { rows: vec![row.clone()] }.differences().is_empty());
    value["ms_per_frame"] = spread_json(&row.spread());
    value["ms_per_step"] = json!(is_whole.then(|| row.ms_per_step()));
    value["ratio"] = json!(ratio);
    value["processor_ms"] = json!(row.processor_ms());
    value["setup_ms"] = json!(row.middle(|sample| Some(sample.setup_ns as f64 / 1e6)));
    value["peak_rss_mb"] = json!(row.peak_mib());
    value["cost_model"] = json!(model);
    let stages = row.example().into_iter().flat_map(|sample| &sample.stages);
    let stages: Map<String, Value> =
        stages.map(|stage| (stage.key.clone(), json!(row.stage_ms(&stage.key)))).collect();
    value["stages_ms"] = stages.into();
    value
}

/// What every run of a row has in common.
fn of_sample(sample: &Sample) -> Value {
    let mut counts: Map<String, Value> =
        sample.counts.iter().map(|count| (count.key.clone(), json!(count.sum))).collect();
    counts.insert("quarantined".into(), json!(sample.quarantined.len()));
    let mut value = json!({
        "scene": sample.scene,
        "scene_hash": sample.scene_hash,
        "bodies": sample.bodies,
        "joints": sample.joints,
        "frames": sample.frames,
        "steps": sample.steps,
        "fps": sample.fps,
        "engine": "carom",
        "broad": sample.broad,
        "narrow": sample.narrow,
        "solver": sample.solver,
        "integrator": sample.integrator,
        "threads": sample.threads,
        "simd": sample.simd,
        "lanes": sample.lanes,
        "pinned": sample.pinned,
        "state_hash": format!("{:016x}", sample.state_hash),
        "output_hash": format!("{:016x}", sample.output_hash),
    });
    let last = |key: &str| sample.counts.iter().find(|count| count.key == key).map(|count| count.last);
    counts.insert("awake_at_end".into(), json!(sample.awake));
    counts.insert("asleep_at_end".into(), json!(sample.asleep));
    counts.insert("contacts_at_end".into(), json!(last("contacts").unwrap_or(0)));
    if last("broken_joints").is_some() {
        let [metres, radians] = sample.joint_error;
        value["joint_error"] = joint_error_json(metres, radians);
    }
    if !sample.kinds.is_empty() {
        value["broad_work"] = json!(sample.broad_work);
        let kinds: Map<String, Value> = sample
            .kinds
            .iter()
            .map(|kind| (kind.name.clone(), json!({"tests": kind.tests, "ms": kind.ns as f64 / 1e6})))
            .collect();
        value["pair_kinds"] = kinds.into();
    }
    value["counts"] = counts.into();
    value
}
