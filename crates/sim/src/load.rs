//! Loading a scene, one way for every front end: a file or a name of the library becomes a scene
//! and the reader's warnings as data. Nothing is printed here.

use carom_scene::diagnostic::Diagnostic;
use carom_scene::file::{LoadError, Loaded, Origin, SceneFile, load};
use carom_scene::planar_bodies::spatial_scene;
use carom_scene::{Scene, library, swarm};

/// Most problems of a scene shown.
const SHOWN_PROBLEMS: usize = 20;

/// A scene that can be simulated.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadedScene {
    /// The scene.
    pub scene: Scene,
    /// Where it came from.
    pub origin: Origin,
    /// What its reader remarked on.
    pub warnings: Vec<Diagnostic>,
}

/// Why a source is no scene that can be simulated.
#[derive(Debug, thiserror::Error)]
pub enum SceneError {
    /// There is no such scene, or it has mistakes.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// A request for moving boxes, which have no bodies.
    #[error("'{0}' is a swarm: boxes that move, without bodies")]
    Swarm(String),
    /// A scene that cannot be.
    #[error("'{scene}' cannot be simulated:\n{}", listed(.problems))]
    Problems {
        /// As asked for.
        scene: String,
        /// Everything that stands against it.
        problems: Vec<String>,
    },
    /// A seed for a file.
    #[error("--seed has no meaning for the file '{0}'")]
    SeedOfFile(String),
}

fn listed(problems: &[String]) -> String {
    let mut shown: Vec<String> = problems.iter().take(SHOWN_PROBLEMS).map(|p| format!("  {p}")).collect();
    if problems.len() > SHOWN_PROBLEMS {
        shown.push(format!("  … and {} more", problems.len() - SHOWN_PROBLEMS));
    }
    shown.join("\n")
}

impl SceneError {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Load(error) => error.hint().map(|hint| hint.to_string()),
            Self::Swarm(source) => Some(format!("carom pairs {source}")),
            Self::SeedOfFile(_) => Some("only library scenes and swarms are made from a seed".into()),
            Self::Problems { .. } => None,
        }
    }
}

/// Loads a scene of any kind; the reader's warnings are in the result.
///
/// # Errors
/// If there is none, or it has mistakes.
pub fn load_any(source: &str, seed: Option<u64>) -> Result<Loaded, SceneError> {
    if swarm::knows(source) {
        return Err(SceneError::Swarm(source.to_owned()));
    }
    Ok(load(&with_seed(source, seed)?)?)
}

/// Loads a scene without problems; one of two dimensions as bodies that stay in the plane.
///
/// # Errors
/// If it is none, with everything that stands against it.
pub fn load_scene(source: &str, seed: Option<u64>) -> Result<LoadedScene, SceneError> {
    spatial(load_any(source, seed)?, source)
}

/// Puts a seed into a library request; files have none.
///
/// # Errors
/// If the source is a file.
pub fn with_seed(source: &str, seed: Option<u64>) -> Result<String, SceneError> {
    let Some(seed) = seed else { return Ok(source.to_owned()) };
    if !library::knows(source) && !swarm::knows(source) {
        return Err(SceneError::SeedOfFile(source.to_owned()));
    }
    let joint = if source.contains('?') { '&' } else { '?' };
    Ok(format!("{source}{joint}seed={seed}"))
}

/// The scene without problems that was loaded from a source, of two dimensions as
/// [bodies](carom_scene::planar_bodies) that stay in the plane.
///
/// # Errors
/// If it is none, with everything that stands against it.
pub fn spatial(loaded: Loaded, source: &str) -> Result<LoadedScene, SceneError> {
    let problems = loaded.problems();
    if !problems.is_empty() {
        return Err(SceneError::Problems { scene: source.to_owned(), problems });
    }
    let Loaded { scene, origin, warnings, .. } = loaded;
    match scene {
        SceneFile::Spatial(scene) => Ok(LoadedScene { scene, origin, warnings }),
        SceneFile::Planar(planar) => match spatial_scene(&planar) {
            Ok(scene) => Ok(LoadedScene { scene, origin, warnings }),
            Err(problems) => Err(SceneError::Problems { scene: source.to_owned(), problems }),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_become_scenes_or_say_why_not() {
        let loaded = load_scene("box:9", Some(3)).unwrap();
        assert!(!loaded.scene.bodies.is_empty() && loaded.warnings.is_empty());
        assert_eq!(loaded.origin, Origin::Library("box:9?seed=3".into()));
        assert!(matches!(load_scene("brownian:9", None), Err(SceneError::Swarm(_))));
        assert!(matches!(load_scene("missing.toml", Some(1)), Err(SceneError::SeedOfFile(_))));
        assert_eq!(load_scene("random2d:9", None).unwrap().scene.bodies.len(), 9);
    }
}
