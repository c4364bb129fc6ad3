//! The settings of Fingsics' `config.txt`, and their writer.
//!
//! Keys, defaults and meanings are Fingsics', so that one of its configurations runs here
//! unchanged. The text form is one `KEY=value` per line; `config_reader` knows its odd rules.

use super::write_error::{WriteError, WriteProblem};

/// Frame rates at which Fingsics records video.
pub(super) const VIDEO_RATES: [u32; 4] = [25, 30, 60, 120];

/// What the program does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RunMode {
    /// Shows the simulation.
    #[default]
    Default,
    /// Shows a recording.
    Replay,
    /// Measures without showing.
    Benchmark,
    /// Runs the fixed test scenes.
    Test,
}

impl RunMode {
    /// All modes, in the order in which Fingsics looks for their names inside a value.
    pub const ALL: [Self; 4] = [Self::Test, Self::Benchmark, Self::Replay, Self::Default];

    /// The name in the file.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Default => "DEFAULT",
            Self::Replay => "REPLAY",
            Self::Benchmark => "BENCHMARK",
            Self::Test => "TEST",
        }
    }
}

/// The broad phases of Fingsics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BroadPhaseName {
    /// Every pair.
    #[default]
    None,
    /// Axis-aligned boxes, each with each.
    Aabb,
    /// Oriented boxes, each with each.
    Obb,
    /// Sweep and prune.
    Sap,
    /// Sweep and prune, then oriented boxes.
    SapObb,
}

impl BroadPhaseName {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::None, Self::Aabb, Self::Obb, Self::Sap, Self::SapObb];

    /// The name in the file.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "NONE",
            Self::Aabb => "AABB",
            Self::Obb => "OBB",
            Self::Sap => "SAP",
            Self::SapObb => "SAPOBB",
        }
    }
}

/// All settings of `config.txt`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FingsicsConfig {
    /// `SCENE_FILE_NAME`: name of the scene without `.xml`.
    pub scene_file_name: String,
    /// `FPS_CAP`: steps per simulated second, and most frames per second shown; at least 1.
    pub fps_cap: u32,
    /// `FULLSCREEN`: a window as large as the screen.
    pub fullscreen: bool,
    /// `WINDOWED_WIDTH` in pixels.
    pub windowed_width: i32,
    /// `WINDOWED_HEIGHT` in pixels.
    pub windowed_height: i32,
    /// `LOG`: write the log table.
    pub log: bool,
    /// `RECORD_SCENE`: write the recording.
    pub record_scene: bool,
    /// `RECORD_VIDEO`: write the video.
    pub record_video: bool,
    /// `DRAW_AXES`.
    pub draw_axes: bool,
    /// `SHOW_FPS`: show the frame counter.
    pub show_fps: bool,
    /// `OBJECT_DEFINITION`: latitudes and longitudes of drawn spheres.
    pub object_definition: i32,
    /// `BROAD_PHASE`.
    pub broad_phase: BroadPhaseName,
    /// `RUN_MODE`.
    pub run_mode: RunMode,
    /// `NUM_RUNS_FOR_BENCHMARK`.
    pub num_runs_for_benchmark: i32,
    /// `SCENE_REPLAY_FOLDER_NAME`: folder of the recording to show, below `output`.
    pub scene_replay_folder_name: String,
    /// `STOP_AT_FRAME`: −1 runs until the user quits.
    pub stop_at_frame: i32,
}

impl Default for FingsicsConfig {
    fn default() -> Self {
        Self {
            scene_file_name: String::new(),
            fps_cap: 60,
            fullscreen: true,
            windowed_width: 1280,
            windowed_height: 720,
            log: false,
            record_scene: false,
            record_video: false,
            draw_axes: true,
            show_fps: true,
            object_definition: 8,
            broad_phase: BroadPhaseName::None,
            run_mode: RunMode::Default,
            num_runs_for_benchmark: 10,
            scene_replay_folder_name: String::new(),
            stop_at_frame: 300,
        }
    }
}

impl FingsicsConfig {
    /// Combinations Fingsics refuses: the key at fault and the reason.
    #[must_use]
    pub fn conflicts(&self) -> Vec<(&'static str, String)> {
        let mut conflicts = Vec::new();
        if self.fps_cap < 1 {
            conflicts.push(("FPS_CAP", format!("FPS_CAP={} must be at least 1", self.fps_cap)));
        }
        if self.record_video && !VIDEO_RATES.contains(&self.fps_cap) {
            let reason = format!("RECORD_VIDEO needs FPS_CAP 25, 30, 60 or 120, not {}", self.fps_cap);
            conflicts.push(("RECORD_VIDEO", reason));
        }
        let endless = self.stop_at_frame == -1;
        if endless && self.record_scene {
            conflicts
                .push(("RECORD_SCENE", "RECORD_SCENE needs an end; STOP_AT_FRAME=-1 has none".to_owned()));
        }
        if endless && self.run_mode == RunMode::Benchmark {
            let reason = "RUN_MODE=BENCHMARK needs an end; STOP_AT_FRAME=-1 has none".to_owned();
            conflicts.push(("RUN_MODE", reason));
        }
        conflicts
    }
}

/// Writes the settings as `config.txt`, every key on a line of its own.
///
/// # Errors
/// If a name holds a character the format cannot (`#`, a line break, a blank at either end), or if
/// the settings contradict each other so that they could not be read again.
pub fn write_config(config: &FingsicsConfig) -> Result<String, WriteError> {
    let mut problems: Vec<String> = config.conflicts().into_iter().map(|(_, reason)| reason).collect();
    for (key, name) in [
        ("SCENE_FILE_NAME", &config.scene_file_name),
        ("SCENE_REPLAY_FOLDER_NAME", &config.scene_replay_folder_name),
    ] {
        if name.contains(['#', '\n', '\r', '\0']) || name.trim() != name {
            problems.push(format!("{key}={name:?} holds `#`, a line break or a blank at its end"));
        }
    }
    if i32::try_from(config.fps_cap).is_err() {
        problems.push(format!("FPS_CAP={} is too large", config.fps_cap));
    }
    if !problems.is_empty() {
        let problems = problems.into_iter().map(|reason| WriteProblem { body: None, reason }).collect();
        return Err(WriteError { problems });
    }
    let lines = [
        ("SCENE_FILE_NAME", config.scene_file_name.clone()),
        ("FPS_CAP", config.fps_cap.to_string()),
        ("FULLSCREEN", config.fullscreen.to_string()),
        ("WINDOWED_WIDTH", config.windowed_width.to_string()),
        ("WINDOWED_HEIGHT", config.windowed_height.to_string()),
        ("LOG", config.log.to_string()),
        ("RECORD_SCENE", config.record_scene.to_string()),
        ("RECORD_VIDEO", config.record_video.to_string()),
        ("DRAW_AXES", config.draw_axes.to_string()),
        ("SHOW_FPS", config.show_fps.to_string()),
        ("OBJECT_DEFINITION", config.object_definition.to_string()),
        ("BROAD_PHASE", config.broad_phase.name().to_owned()),
        ("RUN_MODE", config.run_mode.name().to_owned()),
        ("NUM_RUNS_FOR_BENCHMARK", config.num_runs_for_benchmark.to_string()),
        ("SCENE_REPLAY_FOLDER_NAME", config.scene_replay_folder_name.clone()),
        ("STOP_AT_FRAME", config.stop_at_frame.to_string()),
    ];
    Ok(lines.map(|(key, value)| format!("{key}={value}\n")).concat())
}
