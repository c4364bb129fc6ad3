//! Settings of the engine, and what they come to with a scene.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use carom_broadphase::Choice;
use carom_dynamics::{SimdWidth, WorldDef};
use carom_narrowphase::NarrowMethod;
use carom_scene::Scene;
use glam::Vec3;

use crate::registry::SettingInfo;
use crate::spec::{SettingError, Settings};

/// Most substeps of a step.
const MAX_SUBSTEPS: u32 = 1000;
/// Most threads of a step.
const MAX_THREADS: u32 = 1024;

/// How a scene is run. What is left open is the scene's to say, and then the engine's.
#[derive(Clone, Debug)]
pub struct EngineSettings {
    /// Steps per simulated second.
    pub steps_per_second: u32,
    /// The broad phase, if not the engine's own choice.
    pub broad: Option<Choice>,
    /// The narrow phase.
    pub narrow: NarrowMethod,
    /// Substeps of a step, if not as the scene says.
    pub substeps: Option<u32>,
    /// Whether bodies fall asleep, if not as the scene says.
    pub sleep: Option<bool>,
    /// How many times as large as metres, tens of centimetres and the like the bodies are: see
    /// [`WorldDef::length_scale`].
    pub length_scale: LengthScale,
    /// SIMD width of the solver.
    pub simd: SimdSetting,
    /// Threads of a step.
    pub threads: u16,
    /// Where meshes of the scene lie.
    pub folder: PathBuf,
}

impl Default for EngineSettings {
    fn default() -> Self {
        Self {
            steps_per_second: 60,
            broad: None,
            narrow: NarrowMethod::Auto,
            substeps: None,
            sleep: None,
            length_scale: LengthScale::default(),
            simd: SimdSetting::default(),
            threads: 1,
            folder: PathBuf::from("."),
        }
    }
}

impl EngineSettings {
    /// Keys of the settings as text.
    pub const KEYS: &'static [SettingInfo] = &[
        SettingInfo { key: "dt", about: "length of a step, such as 1/240" },
        SettingInfo { key: "substeps", about: "substeps of a step" },
        SettingInfo { key: "sleep", about: "true or false: whether bodies at rest fall asleep" },
        SettingInfo { key: "length-scale", about: "factor of all tolerances, such as 0.01" },
        SettingInfo { key: "broad", about: "broad phase: see carom list broad" },
        SettingInfo { key: "narrow", about: "narrow phase: see carom list narrow" },
        SettingInfo { key: "integrator", about: "integrator: auto, soft-step" },
        SettingInfo { key: "simd", about: "SIMD width of the solver: auto, scalar, 4, 8, 16" },
        SettingInfo { key: "threads", about: "threads of a step" },
        SettingInfo { key: "folder", about: "folder that paths of meshes are relative to" },
    ];

    /// Settings from text.
    ///
    /// # Errors
    /// If a value is no good. Keys are not checked.
    pub fn parse(text: &Settings) -> Result<Self, SettingError> {
        let own = Self::default();
        let narrow: Vec<&str> = NarrowMethod::ALL.iter().map(|method| method.name()).collect();
        if text.text("narrow") != Some("closed") {
            text.only("narrow", super::NAME, &narrow)?;
        }
        text.only("integrator", super::NAME, &["auto", super::NAME])?;
        Ok(Self {
            steps_per_second: text.steps_per_second("dt")?.unwrap_or(own.steps_per_second),
            substeps: text.whole("substeps", [1, MAX_SUBSTEPS])?,
            sleep: text.flag("sleep")?,
            length_scale: text.parse("length-scale")?.unwrap_or_default(),
            broad: text.parse("broad")?,
            narrow: text.parse("narrow")?.unwrap_or_default(),
            simd: text.parse("simd")?.unwrap_or_default(),
            threads: text.whole("threads", [1, MAX_THREADS])?.unwrap_or(1) as u16,
            folder: text.text("folder").map_or(own.folder, PathBuf::from),
        })
    }

    /// Seconds of a step.
    #[must_use]
    pub fn dt(&self) -> f32 {
        1.0 / self.steps_per_second.max(1) as f32
    }

    /// What the engine is told for a scene: the one place where settings become a world's.
    #[must_use]
    pub fn world_def(&self, scene: &Scene) -> WorldDef {
        let own = WorldDef::default().length_scale(self.length_scale.0);
        WorldDef {
            gravity: Vec3::from(scene.world.gravity),
            substeps: self.substeps.or(scene.solver.substeps).unwrap_or(own.substeps),
            can_sleep: self.sleep.or(scene.solver.sleep).unwrap_or(own.can_sleep),
            restitution_threshold: if is_elastic(scene) { 0.0 } else { own.restitution_threshold },
            broad: self.broad.unwrap_or(own.broad),
            narrow: self.narrow,
            simd_width: self.simd.0,
            threads: usize::from(self.threads.max(1)),
            ..own
        }
    }
}

/// In a world without weight nothing comes to rest by bouncing, and every bounce counts, however
/// slow.
fn is_elastic(scene: &Scene) -> bool {
    scene.world.gravity == [0.0; 3] && scene.bodies.iter().all(|body| body.acceleration == [0.0; 3])
}

/// A factor of lengths and speeds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LengthScale(f32);

impl Default for LengthScale {
    fn default() -> Self {
        Self(1.0)
    }
}

/// A text that is no length scale.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a number from 0.0001 to 10000")]
pub struct NoLengthScale;

impl FromStr for LengthScale {
    type Err = NoLengthScale;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let scale = text.parse().ok().filter(|scale| (1e-4..=1e4).contains(scale));
        scale.map(Self).ok_or(NoLengthScale)
    }
}

/// A SIMD width by its name on the command line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SimdSetting(pub SimdWidth);

impl SimdSetting {
    /// All widths, in the order of help texts.
    pub const ALL: [Self; 5] = [
        Self(SimdWidth::Auto),
        Self(SimdWidth::One),
        Self(SimdWidth::Four),
        Self(SimdWidth::Eight),
        Self(SimdWidth::Sixteen),
    ];

    /// Name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self.0 {
            SimdWidth::Auto => "auto",
            SimdWidth::One => "scalar",
            SimdWidth::Four => "4",
            SimdWidth::Eight => "8",
            SimdWidth::Sixteen => "16",
        }
    }
}

impl fmt::Display for SimdSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that is no width.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown width '{0}': expected one of {names}", names = SimdSetting::ALL.map(SimdSetting::name).join(", "))]
pub struct UnknownSimdSetting(pub String);

impl FromStr for SimdSetting {
    type Err = UnknownSimdSetting;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|simd| simd.name().eq_ignore_ascii_case(name))
            .ok_or_else(|| UnknownSimdSetting(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_read_back() {
        for simd in SimdSetting::ALL {
            assert_eq!(simd.name().parse(), Ok(simd));
        }
        let error = "7".parse::<SimdSetting>().unwrap_err().to_string();
        assert_eq!(error, "unknown width '7': expected one of auto, scalar, 4, 8, 16");
    }

    #[test]
    fn the_scene_and_the_user_have_their_say() {
        let mut scene = Scene::default();
        scene.world.gravity = [0.0, -1.62, 0.0];
        scene.solver.substeps = Some(7);
        scene.solver.sleep = Some(false);
        let settings = EngineSettings { broad: Some("grid".parse().unwrap()), ..EngineSettings::default() };
        let def = settings.world_def(&scene);
        assert_eq!((def.gravity.y, def.substeps, def.can_sleep), (-1.62, 7, false));
        assert_eq!(def.broad.to_string(), "grid");
        assert!(def.restitution_threshold > 0.0);
        assert_eq!(EngineSettings::default().world_def(&Scene::default()).restitution_threshold, 0.0);
        let small = EngineSettings { length_scale: "0.01".parse().unwrap(), ..settings.clone() };
        assert_eq!(small.world_def(&scene).slop, 0.01 * def.slop);
        for bad in ["0", "-1", "inf", "NaN", "big"] {
            assert_eq!(bad.parse::<LengthScale>(), Err(NoLengthScale), "{bad}");
        }
        let many = EngineSettings { threads: 2, ..EngineSettings::default() };
        assert_eq!(many.world_def(&scene).threads, 2);
    }
}
