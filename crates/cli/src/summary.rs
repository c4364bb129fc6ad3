//! A run as tables and as one line of JSON, whatever its solver.

use std::time::Duration;

use carom_fingsics::PairKind;
use carom_lab::engine::SimdSetting;
use carom_lab::run::Spread;
use carom_lab::session::Session;
use carom_lab::session::figures::Figures;
use carom_lab::solver::Solver;
use serde_json::{Map, Value, json};

use crate::show::{grouped, remark, table};

/// Most bodies that blew up named one by one.
const SHOWN: usize = 10;

/// What a run was, and its figures.
pub(crate) struct Summary<'a> {
    pub(crate) session: &'a Session,
    pub(crate) figures: &'a Figures,
    pub(crate) threads: u16,
    pub(crate) lanes: SimdSetting,
}

/// Milliseconds.
pub(crate) fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

impl Summary<'_> {
    fn is_engine(&self) -> bool {
        self.session.solver() == Solver::SoftStep
    }

    /// One line that says what was run.
    pub(crate) fn headline(&self) -> String {
        let f = self.figures;
        let mut text = format!("{}: {} bodies", self.session.scene().name, f.bodies);
        if self.has_joints() {
            text += &format!(", {} joints", f.joints);
        }
        text += &format!(
            ", {} frames ({} steps) at {} Hz, broad phase {}, solver {}",
            self.session.frames(),
            f.steps,
            self.session.steps_per_second(),
            f.broad,
            self.session.solver()
        );
        if self.is_engine() {
            text += &format!(", {} lanes", f.lanes);
            if self.threads > 1 {
                text += &format!(", {} threads", self.threads);
            }
        }
        text
    }

    /// The stages and their times.
    pub(crate) fn stage_table(&self) -> String {
        let total = self.figures.total();
        let mut table = table(["stage", "ms per step", "share"], 1);
        let stages = self.figures.stages().map(|(name, time)| (name.label, time));
        for (name, time) in stages.chain([("total", total)]) {
            let share = if ms(total) > 0.0 { 100.0 * ms(time) / ms(total) } else { 0.0 };
            let each = format!("{:.4}", self.figures.per_step(ms(time)));
            table.add_row([name.to_owned(), each, format!("{share:.1} %")]);
        }
        table.to_string()
    }

    /// What passed through the stages; counts that stayed at nothing are left out.
    pub(crate) fn count_table(&self) -> String {
        let mut table = table(["count", "in all", "per step"], 1);
        for (name, count) in self.figures.counts().filter(|(_, count)| *count > 0) {
            let each = format!("{:.1}", self.figures.per_step(count as f64));
            table.add_row([name.label.to_owned(), grouped(count), each]);
        }
        table.to_string()
    }

    /// The tests by kind of pair, where the solver tells.
    pub(crate) fn kind_table(&self) -> Option<String> {
        let mut table = table(["kind of pair", "tests", "ns per test"], 1);
        for (kind, figures) in PairKind::ALL.into_iter().zip(self.figures.kinds.as_ref()?) {
            let each = figures.time.as_secs_f64() * 1e9 / figures.tests.max(1) as f64;
            let each = if figures.tests == 0 { "–".to_owned() } else { format!("{each:.0}") };
            table.add_row([kind.name().to_owned(), grouped(figures.tests), each]);
        }
        Some(table.to_string())
    }

    fn has_joints(&self) -> bool {
        self.figures.joints > 0 || self.figures.count("broken_joints") > 0
    }

    /// One line about the joints, if there are or were any.
    pub(crate) fn joints_line(&self) -> Option<String> {
        let error = &self.figures.joint_error;
        let broken = grouped(self.figures.count("broken_joints"));
        self.has_joints().then(|| {
            format!(
                "joints: {broken} broken, largest errors {:.3} mm and {:.4}°",
                1000.0 * error.distance,
                error.angle.to_degrees()
            )
        })
    }

    /// One line with the times.
    pub(crate) fn times_line(&self) -> String {
        let spread = self.figures.ms_per_step();
        let rate = if spread.mean > 0.0 { 1000.0 / spread.mean } else { 0.0 };
        format!(
            "{:.3} ms per step (median {:.3}, 95 % {:.3}, max {:.3}), {rate:.0} steps per second",
            spread.mean, spread.median, spread.p95, spread.max
        )
    }

    /// Bodies that blew up are never silent.
    pub(crate) fn report_quarantine(&self) {
        let quarantined = &self.figures.quarantined;
        for (step, body) in quarantined.iter().take(SHOWN) {
            remark(&format!("warning: {body} blew up in step {step}; it was put back and stopped"));
        }
        if quarantined.len() > SHOWN {
            remark(&format!("warning: … and {} more", quarantined.len() - SHOWN));
        }
    }

    /// Everything, for programs.
    pub(crate) fn json(&self) -> Value {
        let f = self.figures;
        let stages: Map<String, Value> =
            f.stages().map(|(name, time)| (name.key.to_owned(), json!(f.per_step(ms(time))))).collect();
        let mut counts: Map<String, Value> =
            f.counts().map(|(name, count)| (name.key.to_owned(), json!(count))).collect();
        counts.insert("quarantined".into(), json!(f.quarantined.len()));
        let own = if self.is_engine() { "soft-step" } else { "fingsics" };
        let mut value = json!({
            "scene": self.session.scene().name,
            "bodies": f.bodies,
            "joints": f.joints,
            "frames": self.session.frames(),
            "steps": f.steps,
            "interrupted": f.interrupted,
            "fps": self.session.steps_per_second(),
            "engine": "carom",
            "broad": f.broad,
            "narrow": if self.is_engine() { "auto" } else { "fingsics" },
            "solver": self.session.solver().name(),
            "integrator": own,
            "threads": if self.is_engine() { self.threads } else { 1 },
            "simd": if self.is_engine() { self.lanes.name() } else { "scalar" },
            "lanes": f.lanes,
            "ms_per_frame": spread_json(&f.ms_per_step()),
            "stages_ms": stages,
            "state_hash": format!("{:016x}", f.state_hash),
            "peak_rss_mb": peak_rss_mb(),
        });
        if self.is_engine() {
            counts.insert("awake_at_end".into(), json!(f.last_count("awake_bodies")));
            counts.insert("contacts_at_end".into(), json!(f.last_count("contacts")));
            value["joint_error"] = json!({"metres": f.joint_error.distance, "radians": f.joint_error.angle});
        } else {
            value["broad_work"] = json!({
                "box_tests": f.broad_work.box_tests,
                "swaps": f.broad_work.swaps,
                "pair_changes": f.broad_work.pair_changes,
            });
        }
        if let Some(kinds) = &f.kinds {
            let kinds: Map<String, Value> = PairKind::ALL
                .into_iter()
                .zip(kinds)
                .map(|(kind, k)| (kind.name().to_owned(), json!({"tests": k.tests, "ms": ms(k.time)})))
                .collect();
            value["pair_kinds"] = kinds.into();
        }
        value["counts"] = counts.into();
        value
    }
}

/// A spread, for programs.
pub(crate) fn spread_json(spread: &Spread) -> Value {
    json!({"mean": spread.mean, "median": spread.median, "p95": spread.p95, "max": spread.max})
}

/// Highest memory of this process, where the system tells.
pub(crate) fn peak_rss_mb() -> Option<f64> {
    carom_lab::measure::process::peak_memory().map(|bytes| bytes as f64 / 1_048_576.0)
}
