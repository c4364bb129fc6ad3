//! What runs leave behind, for `carom info`: folders and manifests, recordings, snapshots.

use std::path::Path;

use carom_core::input_file;
use carom_lab::folder::manifest::{Ending, Manifest};
use carom_lab::session::saved::Saved;
use carom_recording::track::{Precision, Recording, VERSION};

use super::info::{Facts, fact};
use crate::failure::Failure;

/// A run, by its folder or its manifest.
pub(super) fn run(path: &Path) -> Result<Facts, Failure> {
    let manifest = Manifest::read(path).map_err(|error| {
        Failure::new(error.to_string()).with_hint("the folder of a run holds a manifest.json")
    })?;
    let mut facts = Facts::new();
    fact(&mut facts, "source", path.display().to_string());
    fact(&mut facts, "format", "run");
    fact(&mut facts, "scene", format!("{} ({} bodies)", manifest.scene, manifest.bodies));
    fact(&mut facts, "scene hash", manifest.scene_hash);
    fact(&mut facts, "command", manifest.command.join(" "));
    fact(&mut facts, "solver", format!("{}, broad phase {}", manifest.solver, manifest.broad));
    let ending = match manifest.ending {
        Ending::Running => "goes on, or was killed",
        Ending::Complete => "complete",
        Ending::Interrupted => "ended early",
    };
    let asked = manifest.frames.saturating_sub(1);
    fact(&mut facts, "ending", format!("{ending}, {} of {asked} steps", manifest.steps));
    fact(&mut facts, "started", manifest.started);
    if let Some(finished) = manifest.finished {
        fact(&mut facts, "finished", finished);
    }
    if let Some(hash) = manifest.state_hash {
        fact(&mut facts, "state hash", hash);
    }
    fact(&mut facts, "machine", manifest.machine.summary());
    fact(&mut facts, "files", manifest.files.join(", "));
    Ok(facts)
}

/// A recording of ours.
pub(super) fn recording(path: &Path) -> Result<Facts, Failure> {
    let recording = Recording::open(path)?;
    let header = recording.header();
    let mut facts = Facts::new();
    fact(&mut facts, "source", path.display().to_string());
    fact(&mut facts, "format", format!("Carom recording, version {VERSION}"));
    fact(&mut facts, "bodies", header.names.len());
    fact(&mut facts, "frames", recording.frames());
    fact(&mut facts, "chunks", recording.chunks());
    fact(&mut facts, "fps", header.steps_per_second);
    let channels = [
        ("velocities", header.channels.velocities),
        ("contacts", header.channels.contacts),
        ("events", header.channels.events),
    ];
    let kept = channels.into_iter().filter(|(_, is_kept)| *is_kept).map(|(name, _)| name);
    fact(&mut facts, "holds", std::iter::once("places").chain(kept).collect::<Vec<_>>().join(", "));
    fact(
        &mut facts,
        "precision",
        match header.precision {
            Precision::Exact => "exact".to_owned(),
            Precision::Quantised { position, rotation, velocity } => format!(
                "places within {} m, turns within {rotation} rad, velocities within {} m/s",
                0.5 * position,
                0.5 * velocity
            ),
        },
    );
    fact(&mut facts, "bytes", recording.bytes());
    fact(&mut facts, "complete", recording.is_complete());
    for damage in recording.damage() {
        let text = format!("{} bytes at byte {}: {}", damage.bytes, damage.offset, damage.fault);
        fact(&mut facts, "damage", text);
    }
    Ok(facts)
}

/// A snapshot.
pub(super) fn snapshot(path: &Path) -> Result<Facts, Failure> {
    let bytes = input_file::read(path).map_err(|error| Failure::at(path, error))?;
    let saved = Saved::read(&bytes).map_err(|error| Failure::at(path, error))?;
    let mut facts = Facts::new();
    fact(&mut facts, "source", path.display().to_string());
    fact(&mut facts, "format", "Carom snapshot");
    fact(&mut facts, "scene", format!("{} ({} bodies)", saved.scene.name, saved.scene.bodies.len()));
    fact(&mut facts, "steps", saved.steps);
    fact(&mut facts, "state hash", format!("{:016x}", saved.state_hash));
    fact(&mut facts, "bytes", bytes.len());
    Ok(facts)
}
