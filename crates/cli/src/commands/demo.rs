//! `carom` without words: a headless run of a library scene that shows what the program does.

use carom_lab::folder::OutputOptions;
use carom_lab::task::Task;

use crate::commands::run::{RunOutputs, simulate};
use crate::failure::{Outcome, Verdict};
use crate::show::line;
use crate::summary::Summary;

/// A gas of balls and capsules, large enough to show the stages, small enough to be over in
/// seconds.
const SCENE: &str = "box:3162";
const FRAMES: u64 = 600;

/// The demo.
pub(crate) fn run() -> Outcome {
    let task = Task { scene: SCENE.to_owned(), frames: Some(FRAMES), ..Task::default() };
    line(format!(
        "Carom: {SCENE}, a gas of balls and capsules in a box of tiles; {FRAMES} frames, headless."
    ));
    let outputs = RunOutputs { base: ".".into(), options: OutputOptions::default() };
    let done = simulate(&task, &task.prepare()?, &outputs, false)?;
    let summary = Summary { session: &done.session, metrics: &done.metrics };
    summary.report_quarantine();
    line(summary.stage_table());
    line(summary.count_table());
    if let Some(kinds) = summary.kind_table() {
        line(kinds);
    }
    line(summary.times_line());
    line(format!("state hash {:016x}: the same on every machine", done.metrics.state_hash));
    line(
        "Next: carom list scenes · carom run bowling-alley · carom bench box:1000 --broad all · carom --help",
    );
    Ok(Verdict::Good)
}
