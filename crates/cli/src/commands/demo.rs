//! `carom` without words: a headless run of a library scene that shows what the program does.

use carom_lab::Settings;

use crate::commands::run::{Files, report_quarantine, simulate};
use crate::failure::{Outcome, Verdict};
use crate::figures::Described;
use crate::show::line;
use crate::source::load_scene;

/// A gas of balls and capsules, large enough to show the stages, small enough to be over in seconds.
const SCENE: &str = "box:3162";
const FRAMES: u64 = 600;

/// The demo.
pub(crate) fn run() -> Outcome {
    let scene = load_scene(SCENE, None)?;
    let settings = Settings::default();
    line(format!(
        "Carom: {SCENE}, a gas of balls and capsules in a box of tiles; {FRAMES} frames, headless."
    ));
    let (world, figures) = simulate(&scene, settings, FRAMES, false, &mut Files::none())?;
    report_quarantine(&world, &figures);
    let described = Described {
        scene: SCENE,
        bodies: world.len(),
        frames: FRAMES,
        solver: "fingsics",
        settings: &settings,
        figures: &figures,
    };
    line(described.stage_table());
    line(described.count_table());
    line(described.kind_table());
    line(described.times_line());
    line(format!("state hash {:016x}: the same on every machine", figures.state_hash));
    line(
        "Next: carom list scenes · carom run bowling-alley · carom bench box:1000 --broad all · carom --help",
    );
    Ok(Verdict::Good)
}
