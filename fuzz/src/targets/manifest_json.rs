//! Any bytes as the manifest of a run: no panic, what was read can be written and read again, and
//! its task is one that can be prepared or says why not.

use carom_lab::folder::manifest::Manifest;
use carom_scene::Scene;

/// One input.
pub(crate) fn fuzz(bytes: &[u8]) {
    let Ok(manifest) = Manifest::from_json(bytes) else { return };
    let text = manifest.to_json().expect("a manifest can be written");
    let again = Manifest::from_json(&text).expect("what was written can be read");
    assert_eq!(manifest.task, again.task);
    assert_eq!((&manifest.state_hash, manifest.ending), (&again.state_hash, again.ending));
    let _ = manifest.task.prepare_with(Scene::default());
}
