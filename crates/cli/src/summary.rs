//! A run as tables and as one line of JSON, whatever its solver.

use std::time::Duration;

use carom_sim::{Activity, MetricGroup, RunMetrics, Session, Spread};
use serde_json::{Map, Value, json};

use crate::show::{grouped, remark, table};

/// Most bodies that blew up named one by one.
const SHOWN: usize = 10;

/// What a run was, and its figures.
pub(crate) struct Summary<'a> {
    pub(crate) session: &'a Session,
    pub(crate) metrics: &'a RunMetrics,
}

/// Milliseconds.
pub(crate) fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

impl Summary<'_> {
    /// One line that says what was run.
    pub(crate) fn headline(&self) -> String {
        let (f, info) = (self.metrics, self.session.info());
        let mut text = format!("{}: {} bodies", self.session.scene().name, f.bodies);
        if self.has_joints() {
            text += &format!(", {} joints", f.joints);
        }
        text += &format!(
            ", {} frames ({} steps) at {} Hz, broad phase {}, solver {}",
            self.session.frames(),
            f.steps,
            self.session.frames_per_second(),
            info.broad_phase,
            info.name
        );
        if info.simd != "scalar" || info.simd_width > 1 || info.threads > 1 {
            text += &format!(", {} lanes", info.simd_width);
        }
        if info.threads > 1 {
            text += &format!(", {} threads", info.threads);
        }
        text
    }

    /// The stages and their times.
    pub(crate) fn stage_table(&self) -> String {
        let total = self.metrics.total();
        let mut table = table(["stage", "ms per step", "share"], 1);
        let stages = self.metrics.stages().map(|(name, time)| (&*name.label, time));
        for (name, time) in stages.chain([("total", total)]) {
            let share = if ms(total) > 0.0 { 100.0 * ms(time) / ms(total) } else { 0.0 };
            let each = format!("{:.4}", self.metrics.per_step(ms(time)));
            table.add_row([name.to_owned(), each, format!("{share:.1} %")]);
        }
        table.to_string()
    }

    /// What passed through the stages; counts that stayed at nothing are left out.
    pub(crate) fn count_table(&self) -> String {
        let mut table = table(["count", "in all", "per step"], 1);
        for (name, count) in self.metrics.counts().filter(|(_, count)| *count > 0) {
            let each = format!("{:.1}", self.metrics.per_step(count as f64));
            table.add_row([name.label.to_string(), grouped(count), each]);
        }
        table.to_string()
    }

    /// The tests by kind of pair, where the solver tells.
    pub(crate) fn kind_table(&self) -> Option<String> {
        let mut table = table(["kind of pair", "tests", "ns per test"], 1);
        let mut is_told = false;
        for (kind, tests, time) in self.metrics.pair_kinds() {
            is_told = true;
            let each = time.as_secs_f64() * 1e9 / tests.max(1) as f64;
            let each = if tests == 0 { "–".to_owned() } else { format!("{each:.0}") };
            table.add_row([kind.to_owned(), grouped(tests), each]);
        }
        is_told.then(|| table.to_string())
    }

    fn has_joints(&self) -> bool {
        self.metrics.joints > 0 || self.metrics.count("broken_joints") > 0
    }

    /// One line about the joints, if there are or were any.
    pub(crate) fn joints_line(&self) -> Option<String> {
        let error = self.metrics.joint_error.unwrap_or_default();
        let broken = grouped(self.metrics.count("broken_joints"));
        self.has_joints().then(|| {
            format!(
                "joints: {broken} broken, largest errors {:.3} mm and {:.4}°",
                1000.0 * error.distance,
                error.angle.to_degrees()
            )
        })
    }

    /// One line about sleep.
    pub(crate) fn activity_line(&self) -> String {
        let Activity { awake, asleep } = self.metrics.activity;
        format!("dynamic bodies at the end: {} awake, {} asleep", grouped(awake), grouped(asleep))
    }

    /// One line with the times.
    pub(crate) fn times_line(&self) -> String {
        let spread = self.metrics.ms_per_step();
        let rate = if spread.mean > 0.0 { 1000.0 / spread.mean } else { 0.0 };
        format!(
            "{:.3} ms per step (median {:.3}, 95 % {:.3}, max {:.3}), {rate:.0} steps per second",
            spread.mean, spread.median, spread.p95, spread.max
        )
    }

    /// Bodies that blew up are never silent.
    pub(crate) fn report_quarantine(&self) {
        let quarantined = &self.metrics.quarantined;
        for (step, body) in quarantined.iter().take(SHOWN) {
            remark(&format!("warning: {body} blew up in step {step}; it was put back and stopped"));
        }
        if quarantined.len() > SHOWN {
            remark(&format!("warning: … and {} more", quarantined.len() - SHOWN));
        }
    }

    /// Everything, for programs.
    pub(crate) fn json(&self) -> Value {
        let (f, info) = (self.metrics, self.session.info());
        let stages: Map<String, Value> =
            f.stages().map(|(name, time)| (name.key.to_string(), json!(f.per_step(ms(time))))).collect();
        let mut counts: Map<String, Value> =
            f.counts().map(|(name, count)| (name.key.to_string(), json!(count))).collect();
        counts.insert("quarantined".into(), json!(f.quarantined.len()));
        let mut value = json!({
            "scene": self.session.scene().name,
            "bodies": f.bodies,
            "joints": f.joints,
            "frames": self.session.frames(),
            "steps": f.steps,
            "interrupted": f.interrupted,
            "fps": self.session.frames_per_second(),
            "engine": "carom",
            "broad": info.broad_phase,
            "narrow": info.narrow_phase,
            "solver": info.name,
            "integrator": info.integrator,
            "threads": info.threads,
            "simd": info.simd,
            "lanes": info.simd_width,
            "ms_per_frame": spread_json(&f.ms_per_step()),
            "stages_ms": stages,
            "state_hash": format!("{:016x}", f.state_hash),
            "peak_rss_mb": peak_rss_mb(),
        });
        for (key, count) in [("awake_at_end", f.activity.awake), ("asleep_at_end", f.activity.asleep)] {
            value[key] = json!(count);
            counts.insert(key.into(), json!(count));
        }
        counts.insert("contacts_at_end".into(), json!(f.last_count("contacts").unwrap_or(0)));
        if let Some(error) = f.joint_error {
            value["joint_error"] = joint_error_json(error.distance, error.angle);
        }
        let work: Map<String, Value> = f
            .group(MetricGroup::BroadPhase)
            .map(|(metric, sum)| (metric.key.to_string(), json!(sum.as_count())))
            .collect();
        if !work.is_empty() {
            value["broad_work"] = work.into();
        }
        let kinds: Map<String, Value> = f
            .pair_kinds()
            .map(|(kind, tests, time)| (kind.to_owned(), json!({"tests": tests, "ms": ms(time)})))
            .collect();
        if !kinds.is_empty() {
            value["pair_kinds"] = kinds.into();
        }
        value["counts"] = counts.into();
        value
    }
}

/// Largest errors of joints, for programs.
pub(crate) fn joint_error_json(metres: f32, radians: f32) -> Value {
    json!({"metres": metres, "mm": 1000.0 * metres, "radians": radians})
}

/// A spread, for programs.
pub(crate) fn spread_json(spread: &Spread) -> Value {
    json!({"mean": spread.mean, "median": spread.median, "p95": spread.p95, "max": spread.max})
}

/// Highest memory of this process, where the system tells.
pub(crate) fn peak_rss_mb() -> Option<f64> {
    carom_lab::measure::process::peak_memory().map(|bytes| bytes as f64 / 1_048_576.0)
}
