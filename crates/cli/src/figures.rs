//! Figures of a run as tables and as one line of JSON.

use std::time::Duration;

use carom_lab::run::{RunFigures, Spread};
use carom_lab::{PairKind, Settings};
use serde_json::{Value, json};

use crate::show::{grouped, table};

/// What a run was.
pub(crate) struct Described<'a> {
    pub(crate) scene: &'a str,
    pub(crate) bodies: usize,
    pub(crate) frames: u64,
    pub(crate) solver: &'a str,
    pub(crate) settings: &'a Settings,
    pub(crate) figures: &'a RunFigures,
}

/// Milliseconds.
pub(crate) fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// One line with the times of a run.
pub(crate) fn times_line(spread: &Spread) -> String {
    let rate = if spread.mean > 0.0 { 1000.0 / spread.mean } else { 0.0 };
    format!(
        "{:.3} ms per step (median {:.3}, 95 % {:.3}, max {:.3}), {rate:.0} steps per second",
        spread.mean, spread.median, spread.p95, spread.max
    )
}

impl Described<'_> {
    fn per_step(&self, sum: f64) -> f64 {
        sum / self.figures.steps.max(1) as f64
    }

    /// The stages and their times.
    pub(crate) fn stage_table(&self) -> String {
        let times = &self.figures.times;
        let total = ms(times.total());
        let mut table = table(["stage", "ms per step", "share"], 1);
        let stages = [
            ("broad phase", times.broad),
            ("narrow phase", times.narrow),
            ("response", times.response),
            ("motion", times.motion),
            ("total", times.total()),
        ];
        for (name, time) in stages {
            let share = if total > 0.0 { 100.0 * ms(time) / total } else { 0.0 };
            table.add_row([
                name.to_owned(),
                format!("{:.4}", self.per_step(ms(time))),
                format!("{share:.1} %"),
            ]);
        }
        table.to_string()
    }

    /// What passed through the stages.
    pub(crate) fn count_table(&self) -> String {
        let f = self.figures;
        let mut table = table(["pairs", "in all", "per step"], 1);
        for (name, count) in [
            ("candidates", f.candidates),
            ("tested", f.tested),
            ("collisions", f.contacts),
            ("answered with an impulse", f.acting),
        ] {
            table.add_row([name.to_owned(), grouped(count), format!("{:.1}", self.per_step(count as f64))]);
        }
        table.to_string()
    }

    /// The tests by kind of pair.
    pub(crate) fn kind_table(&self) -> String {
        let mut table = table(["kind of pair", "tests", "ns per test"], 1);
        for (kind, figures) in PairKind::ALL.into_iter().zip(&self.figures.kinds) {
            let each = figures.time.as_secs_f64() * 1e9 / figures.tests.max(1) as f64;
            let each = if figures.tests == 0 { "–".to_owned() } else { format!("{each:.0}") };
            table.add_row([kind.name().to_owned(), grouped(figures.tests), each]);
        }
        table.to_string()
    }

    /// One line with the times.
    pub(crate) fn times_line(&self) -> String {
        times_line(&self.figures.ms_per_step())
    }

    /// Everything, for programs.
    pub(crate) fn json(&self) -> Value {
        let f = self.figures;
        let spread = f.ms_per_step();
        let stage = |time: Duration| self.per_step(ms(time));
        let kinds: serde_json::Map<String, Value> = PairKind::ALL
            .into_iter()
            .zip(&f.kinds)
            .map(|(kind, k)| (kind.name().to_owned(), json!({"tests": k.tests, "ms": ms(k.time)})))
            .collect();
        json!({
            "scene": self.scene,
            "bodies": self.bodies,
            "frames": self.frames,
            "steps": f.steps,
            "fps": self.settings.steps_per_second,
            "engine": "carom",
            "broad": self.settings.method.name(),
            "narrow": "fingsics",
            "solver": self.solver,
            "integrator": "fingsics",
            "threads": 1,
            "simd": "scalar",
            "ms_per_frame": {"mean": spread.mean, "median": spread.median, "p95": spread.p95, "max": spread.max},
            "stages_ms": {
                "broad": stage(f.times.broad),
                "narrow": stage(f.times.narrow),
                "response": stage(f.times.response),
                "motion": stage(f.times.motion),
            },
            "counts": {
                "candidate_pairs": f.candidates,
                "tested_pairs": f.tested,
                "contacts": f.contacts,
                "acting_contacts": f.acting,
                "quarantined": f.quarantined.len(),
            },
            "broad_work": {
                "box_tests": f.broad_work.box_tests,
                "swaps": f.broad_work.swaps,
                "pair_changes": f.broad_work.pair_changes,
            },
            "pair_kinds": kinds,
            "state_hash": format!("{:016x}", f.state_hash),
            "peak_rss_mb": peak_rss_mb(),
        })
    }
}

/// Highest memory of this process, where the system tells.
pub(crate) fn peak_rss_mb() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let kib: f64 =
        status.lines().find_map(|l| l.strip_prefix("VmHWM:"))?.split_whitespace().next()?.parse().ok()?;
    Some(kib / 1024.0)
}
