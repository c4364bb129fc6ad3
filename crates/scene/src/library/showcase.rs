//! The hand-made scenes: TOML files beside this one, embedded in the program.

use super::request::LibraryError;
use crate::model::Scene;
use crate::native;

macro_rules! scenes {
    ($($name:literal),* $(,)?) => {
        /// Names and texts, in the order they are listed.
        pub(super) static SCENES: &[(&str, &str)] =
            &[$(($name, include_str!(concat!("showcase/", $name, ".toml")))),*];
    };
}

scenes![
    "cradle",
    "bowling-alley",
    "dominoes",
    "funnel",
    "marble-run",
    "piston",
    "rain",
    "rockets",
    "two-spheres-one-capsule",
    "shapes",
    "pendulums",
    "windmill",
    "magnets",
    "fountain",
];

/// Reads an embedded scene.
pub(super) fn read(name: &'static str, text: &str) -> Result<Scene, LibraryError> {
    match native::read_text(text.as_bytes()) {
        Ok(parsed) => Ok(parsed.value),
        Err(error) => Err(LibraryError::Broken { name, reason: error.to_string() }),
    }
}
