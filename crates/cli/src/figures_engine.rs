//! Figures of a run on the engine as tables and as one line of JSON.

use std::time::Duration;

use carom_lab::engine::EngineSettings;
use carom_lab::engine::run::EngineFigures;
use serde_json::{Value, json};

use crate::figures::{ms, peak_rss_mb, times_line};
use crate::show::{grouped, table};

/// What a run was.
pub(crate) struct DescribedEngine<'a> {
    pub(crate) scene: &'a str,
    pub(crate) frames: u64,
    pub(crate) settings: &'a EngineSettings,
    /// The broad phase that was used.
    pub(crate) broad: &'a str,
    pub(crate) figures: &'a EngineFigures,
}

impl DescribedEngine<'_> {
    fn per_step(&self, sum: f64) -> f64 {
        sum / self.figures.steps.max(1) as f64
    }

    fn stages(&self) -> [(&'static str, &'static str, Duration); 6] {
        let times = &self.figures.times;
        [
            ("fat boxes", "fit", times.fit),
            ("broad phase", "broad", times.broad),
            ("narrow phase", "narrow", times.narrow),
            ("solver", "solve", times.solve),
            ("free flight", "flight", times.flight),
            ("sleep", "sleep", times.sleep),
        ]
    }

    /// One line that says what was run.
    pub(crate) fn headline(&self) -> String {
        format!(
            "{}: {} bodies, {} frames ({} steps) at {} Hz, broad phase {}, solver soft-step, {} lanes",
            self.scene,
            self.figures.bodies,
            self.frames,
            self.figures.steps,
            self.settings.steps_per_second,
            self.broad,
            self.figures.lanes
        )
    }

    /// The stages and their times.
    pub(crate) fn stage_table(&self) -> String {
        let total = self.figures.times.total();
        let mut table = table(["stage", "ms per step", "share"], 1);
        let all = self.stages().map(|(name, _, time)| (name, time));
        for (name, time) in all.into_iter().chain([("total", total)]) {
            let share = if ms(total) > 0.0 { 100.0 * ms(time) / ms(total) } else { 0.0 };
            let each = format!("{:.4}", self.per_step(ms(time)));
            table.add_row([name.to_owned(), each, format!("{share:.1} %")]);
        }
        table.to_string()
    }

    /// What passed through the stages.
    pub(crate) fn count_table(&self) -> String {
        let sums = &self.figures.sums;
        let mut table = table(["count", "in all", "per step"], 1);
        for (name, count) in [
            ("bodies awake", sums.awake),
            ("boxes made anew", sums.boxes_moved),
            ("pairs of boxes", sums.pairs),
            ("contacts looked at", sums.tested),
            ("of these kept from before", sums.recycled),
            ("contacts solved", sums.touching),
        ] {
            table.add_row([name.to_owned(), grouped(count), format!("{:.1}", self.per_step(count as f64))]);
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
        let (sums, spread) = (&f.sums, f.ms_per_step());
        let stages: serde_json::Map<String, Value> = self
            .stages()
            .into_iter()
            .map(|(_, key, time)| (key.to_owned(), json!(self.per_step(ms(time)))))
            .collect();
        json!({
            "scene": self.scene,
            "bodies": f.bodies,
            "frames": self.frames,
            "steps": f.steps,
            "fps": self.settings.steps_per_second,
            "engine": "carom",
            "broad": self.broad,
            "narrow": "auto",
            "solver": "soft-step",
            "integrator": "soft-step",
            "threads": self.settings.threads,
            "simd": self.settings.lanes.name(),
            "lanes": f.lanes,
            "ms_per_frame": {"mean": spread.mean, "median": spread.median, "p95": spread.p95, "max": spread.max},
            "stages_ms": stages,
            "counts": {
                "candidate_pairs": sums.pairs,
                "tested_pairs": sums.tested,
                "contacts": sums.touching,
                "recycled_contacts": sums.recycled,
                "awake_bodies": sums.awake,
                "boxes_moved": sums.boxes_moved,
                "constrained_bodies": sums.constrained,
                "crowded_contacts": sums.crowded,
                "woken": sums.woken,
                "fell_asleep": sums.fell_asleep,
                "quarantined": f.quarantined.len(),
                "awake_at_end": f.awake_at_end,
                "contacts_at_end": f.touching_at_end,
            },
            "state_hash": format!("{:016x}", f.state_hash),
            "peak_rss_mb": peak_rss_mb(),
        })
    }
}
