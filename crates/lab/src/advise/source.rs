//! From the name of a scene to its trace.

use std::path::Path;

use carom_scene::file::{Loaded, Origin, SceneFile};
use carom_sim::SimulationSpec;
use carom_sim::load;

use super::aabb_trace::{AnyAabbTrace, TraceError, simulated};
use crate::pairs::frames;
use crate::pairs::{AnyFrames, SourceError};
use crate::task::{Task, TaskError};

/// How the bodies of a scene move.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Moved {
    /// Simulated, by this solver or the one that the scene would have.
    By(Option<SimulationSpec>),
    /// Each goes on with its first velocity, through everything.
    #[default]
    Freely,
}

/// Why there is no trace.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// No boxes.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// Not a scene, or one that cannot be simulated.
    #[error(transparent)]
    Task(#[from] TaskError),
    /// The simulation failed.
    #[error(transparent)]
    Trace(#[from] TraceError),
}

/// Traces a swarm.
///
/// # Errors
/// Names the swarm or parameter that is unknown, or the value that is no good.
pub fn of_swarm(request: &str, steps: u64) -> Result<AnyAabbTrace, OpenError> {
    Ok(AnyAabbTrace::record(frames::of_swarm(request)?, steps))
}

/// Traces a scene that has been loaded. Models in the plane have no solver: their bodies move
/// freely whatever is asked.
///
/// # Errors
/// If the scene is not sound, cannot be simulated, or a shape has no box.
pub fn of_scene(loaded: Loaded, source: &str, moved: Moved, steps: u64) -> Result<AnyAabbTrace, OpenError> {
    let Moved::By(solver) = moved else {
        return Ok(AnyAabbTrace::record(frames::of_scene(&loaded)?, steps));
    };
    if matches!(loaded.scene, SceneFile::Planar(_)) {
        return Ok(AnyAabbTrace::record(frames::of_scene(&loaded)?, steps));
    }
    let folder = match &loaded.origin {
        Origin::File(path) => path.parent().unwrap_or(Path::new("")).to_path_buf(),
        Origin::Library(_) => ".".into(),
    };
    let scene = load::spatial(loaded, source).map_err(TaskError::from)?.scene;
    let prepared = Task { scene: source.to_owned(), solver, ..Task::default() }.prepare_with(scene)?;
    Ok(AnyAabbTrace::Space(simulated(&prepared, &folder, steps)?))
}

/// Traces a swarm, a library scene or a scene file.
///
/// # Errors
/// Says what is wrong with the name, the file or its content.
pub fn open(source: &str, moved: Moved, steps: u64) -> Result<AnyAabbTrace, OpenError> {
    if carom_scene::swarm::knows(source) {
        return of_swarm(source, steps);
    }
    of_scene(load::load_any(source, None).map_err(TaskError::from)?, source, moved, steps)
}

/// Number of boxes of a source at its first frame, before anything is simulated.
///
/// # Errors
/// Says what is wrong with the name, the file or its content.
pub fn count(source: &str) -> Result<usize, OpenError> {
    Ok(match frames::open(source)? {
        AnyFrames::Plane(frames) => frames.frame().boxes.len(),
        AnyFrames::Space(frames) => frames.frame().boxes.len(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_source_has_a_trace() {
        for (source, boxes, dimensions) in
            [("brownian:20?d=2", 20, 2), ("random2d:30", 30, 2), ("brownian:7", 7, 3), ("dominoes", 22, 3)]
        {
            for moved in [Moved::Freely, Moved::By(None)] {
                let trace = open(source, moved, 3).unwrap();
                assert_eq!((trace.boxes(), trace.dimensions()), (boxes, dimensions), "{source}");
            }
            assert_eq!(count(source).unwrap(), boxes);
        }
    }

    #[test]
    fn simulated_bodies_go_where_free_ones_do_not() {
        let seen = |moved| open("pyramid:4", moved, 20).unwrap().look().unwrap();
        assert_eq!(seen(Moved::Freely).stirred, 0, "they stand");
        assert!(seen(Moved::By(None)).stirred > 0, "they settle");
    }

    #[test]
    fn what_is_not_there_is_named() {
        let error = open("brownian:0", Moved::Freely, 1).unwrap_err().to_string();
        assert!(error.contains("brownian") || error.contains("'n'"), "{error}");
        assert!(open("no-such-scene", Moved::Freely, 1).unwrap_err().to_string().contains("no-such-scene"));
    }
}
