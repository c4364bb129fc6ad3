//! Scenes on the engine, [`carom_dynamics::World`].
//!
//! | module | holds |
//! |---|---|
//! | [`mod@build`] | a world from a scene |
//! | [`joints`] | its joints |
//! | [`timeline`] | what a scene does to its world over time |
//! | [`run`](mod@run) | stepping with an observer, and the figures of a run |

pub mod build;
pub mod joints;
pub mod run;
pub mod timeline;

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use carom_broadphase::Choice;
use carom_dynamics::{SimdWidth, WorldDef};
use carom_scene::Scene;
use glam::Vec3;

/// How a scene is run. What is left open is the scene's to say, and then the engine's.
#[derive(Clone, Debug)]
pub struct EngineSettings {
    /// Steps per simulated second.
    pub steps_per_second: u32,
    /// The broad phase, if not the engine's own choice.
    pub broad: Option<Choice>,
    /// Numbers that the solver computes side by side.
    pub lanes: Lanes,
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
            lanes: Lanes::default(),
            threads: 1,
            folder: PathBuf::from("."),
        }
    }
}

impl EngineSettings {
    /// Seconds of a step.
    #[must_use]
    pub fn dt(&self) -> f32 {
        1.0 / self.steps_per_second.max(1) as f32
    }

    /// What the engine is told for a scene: the one place where settings become a world's.
    #[must_use]
    pub fn world_def(&self, scene: &Scene) -> WorldDef {
        let own = WorldDef::default();
        WorldDef {
            gravity: Vec3::from(scene.world.gravity),
            substeps: scene.solver.substeps.unwrap_or(own.substeps),
            can_sleep: scene.solver.sleep.unwrap_or(own.can_sleep),
            restitution_threshold: if is_elastic(scene) { 0.0 } else { own.restitution_threshold },
            broad: self.broad.unwrap_or(own.broad),
            simd_width: self.lanes.0,
            threads: usize::from(self.threads.max(1)),
            ..own
        }
    }
}

/// In a world without weight nothing comes to rest by bouncing, and every bounce counts, however slow.
fn is_elastic(scene: &Scene) -> bool {
    scene.world.gravity == [0.0; 3] && scene.bodies.iter().all(|body| body.acceleration == [0.0; 3])
}

/// A width of lanes by its name on the command line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lanes(pub SimdWidth);

impl Lanes {
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

impl fmt::Display for Lanes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that is no width.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown width '{0}': expected one of {names}", names = Lanes::ALL.map(Lanes::name).join(", "))]
pub struct UnknownLanes(pub String);

impl FromStr for Lanes {
    type Err = UnknownLanes;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|lanes| lanes.name().eq_ignore_ascii_case(name))
            .ok_or_else(|| UnknownLanes(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_read_back() {
        for lanes in Lanes::ALL {
            assert_eq!(lanes.name().parse(), Ok(lanes));
        }
        let error = "7".parse::<Lanes>().unwrap_err().to_string();
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
        let many = EngineSettings { threads: 2, ..EngineSettings::default() };
        assert_eq!(many.world_def(&scene).threads, 2);
    }
}
