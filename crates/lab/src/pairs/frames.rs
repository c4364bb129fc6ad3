//! Frames of boxes, whatever they come from.

use std::path::Path;

use carom_broadphase::{Bound, Filter};
use carom_geometry::Aabb;
use carom_scene::file::{LoadError, Loaded, Origin, SceneFile};
use carom_scene::library::LibraryError;
use carom_scene::swarm::{AnySwarm, Changes, Swarm};

use super::bodies::{Bodies, BodyError};
use super::polygons::Polygons;

/// What a method is told about a frame.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a, const D: usize> {
    /// All boxes by id.
    pub boxes: &'a [Aabb<D>],
    /// What changed since the last frame.
    pub changes: &'a Changes,
    /// Filters by id; empty if every box pairs with every other.
    pub filters: &'a [Filter],
    /// Tighter volumes by id; empty if there are none.
    pub bounds: &'a [Option<Bound>],
}

impl<const D: usize> Frame<'_, D> {
    /// The filter of a box.
    #[must_use]
    pub fn filter(&self, id: u32) -> Filter {
        self.filters.get(id as usize).copied().unwrap_or_default()
    }

    /// The tighter volumes of a box: those given, else those of the box; none for an infinite box.
    #[must_use]
    pub fn bound(&self, id: u32) -> Option<Bound> {
        let given = self.bounds.get(id as usize).copied().flatten();
        given.or_else(|| Bound::of_box(&self.boxes[id as usize]))
    }

    /// May the two boxes pair?
    #[must_use]
    pub fn admits(&self, a: u32, b: u32) -> bool {
        self.filters.is_empty() || self.filter(a).admits(&self.filter(b))
    }
}

/// Boxes that go from frame to frame.
pub trait Frames<const D: usize> {
    /// This frame.
    fn frame(&self) -> Frame<'_, D>;

    /// Goes on to the next.
    fn step(&mut self);
}

impl<const D: usize> Frames<D> for Swarm<D> {
    fn frame(&self) -> Frame<'_, D> {
        Frame { boxes: self.boxes(), changes: self.changes(), filters: &[], bounds: &[] }
    }

    fn step(&mut self) {
        Self::step(self);
    }
}

/// Frames in either number of dimensions.
pub enum AnyFrames {
    /// In the plane.
    Plane(Box<dyn Frames<2>>),
    /// In space.
    Space(Box<dyn Frames<3>>),
}

impl std::fmt::Debug for AnyFrames {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (dimensions, boxes) = match self {
            Self::Plane(frames) => (2, frames.frame().boxes.len()),
            Self::Space(frames) => (3, frames.frame().boxes.len()),
        };
        write!(f, "AnyFrames {{ dimensions: {dimensions}, boxes: {boxes} }}")
    }
}

/// Why there are no frames.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// No such swarm, or a bad parameter of it.
    #[error(transparent)]
    Swarm(#[from] LibraryError),
    /// No such scene.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The scene has problems.
    #[error("the boxes of this scene cannot be found:\n{}", .0.iter().map(|p| format!("  {p}")).collect::<Vec<_>>().join("\n"))]
    Unsound(Vec<String>),
    /// A body without a box.
    #[error(transparent)]
    Body(#[from] BodyError),
}

/// The frames of a swarm.
///
/// # Errors
/// Names the swarm or parameter that is unknown, or the value that is no good.
pub fn of_swarm(request: &str) -> Result<AnyFrames, SourceError> {
    Ok(match carom_scene::swarm::build(request)? {
        AnySwarm::Plane(swarm) => AnyFrames::Plane(Box::new(swarm)),
        AnySwarm::Space(swarm) => AnyFrames::Space(Box::new(swarm)),
    })
}

/// The frames of a scene whose bodies go on as they begin.
///
/// # Errors
/// If the scene is not sound, or a shape has no box.
pub fn of_scene(loaded: &Loaded) -> Result<AnyFrames, SourceError> {
    let problems = loaded.problems();
    if !problems.is_empty() {
        return Err(SourceError::Unsound(problems));
    }
    let folder = match &loaded.origin {
        Origin::File(path) => path.parent(),
        Origin::Library(_) => None,
    };
    Ok(match &loaded.scene {
        SceneFile::Spatial(scene) => {
            AnyFrames::Space(Box::new(Bodies::new(scene, folder.unwrap_or(Path::new(".")))?))
        }
        SceneFile::Planar(scene) => AnyFrames::Plane(Box::new(Polygons::new(scene))),
    })
}

/// The frames of a swarm, a scene file or a library scene.
///
/// # Errors
/// Says what is wrong with the name, the file or its content.
pub fn open(source: &str) -> Result<AnyFrames, SourceError> {
    if carom_scene::swarm::knows(source) {
        return of_swarm(source);
    }
    of_scene(&carom_scene::file::load(source)?)
}
