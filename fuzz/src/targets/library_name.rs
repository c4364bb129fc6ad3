//! Any text as the name of a library scene: no panic, and every scene that is built is a valid one.

use carom_scene::library::{self, SceneSource};
use carom_scene::validate::validate;

/// Longest number in a request, digits. Scenes of hundreds of bodies a side are right but slow, and
/// show nothing new.
const MAX_DIGITS: usize = 2;

/// One input.
pub(crate) fn fuzz(bytes: &[u8]) {
    let request = super::text(bytes);
    if request.split(|c: char| !c.is_ascii_digit()).any(|number| number.len() > MAX_DIGITS) {
        return;
    }
    let known = library::knows(request);
    if let Ok(SceneSource::Spatial(scene)) = library::build(request) {
        assert!(known, "built, but not known");
        let problems = validate(&scene);
        assert!(problems.is_empty(), "{problems:?}");
    }
}
