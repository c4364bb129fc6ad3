//! Traces of moving boxes: recorded once, played as often as needed.
//!
//! What is advised on is looked at, checked and timed, and all three must see the same frames, of
//! scenes whose simulation takes longer than any broad phase. A frame is kept as what changed in
//! it. Tighter volumes inside the boxes are left out: none of the methods advised on uses them.

use std::path::Path;

use carom_broadphase::Filter;
use carom_geometry::{Aabb, Pose};
use carom_scene::swarm::Changes;
use carom_sim::BodyBuffer;

use crate::pairs::bodies::{Bodies, BodyError};
use crate::pairs::{AnyFrames, Frame, Frames};
use crate::session::{SessionError, SimulationError};
use crate::task::Prepared;

/// What a step changed: the lists, and the boxes of those that moved and came.
#[derive(Clone, Debug, Default)]
struct Shot<const D: usize> {
    changes: Changes,
    moved: Vec<Aabb<D>>,
    inserted: Vec<Aabb<D>>,
}

/// Frames of boxes.
#[derive(Clone, Debug)]
pub struct AabbTrace<const D: usize> {
    first: Vec<Aabb<D>>,
    filters: Vec<Filter>,
    shots: Vec<Shot<D>>,
}

impl<const D: usize> AabbTrace<D> {
    fn begin(frame: &Frame<'_, D>) -> Self {
        Self { first: frame.boxes.to_vec(), filters: frame.filters.to_vec(), shots: Vec::new() }
    }

    fn shoot(&mut self, frame: &Frame<'_, D>) {
        let at = |ids: &[u32]| ids.iter().map(|id| frame.boxes[*id as usize]).collect();
        let changes = frame.changes.clone();
        let (moved, inserted) = (at(&changes.moved), at(&changes.inserted));
        self.shots.push(Shot { changes, moved, inserted });
    }

    /// The first frame and so many steps.
    #[must_use]
    pub fn record(frames: &mut dyn Frames<D>, steps: u64) -> Self {
        let mut trace = Self::begin(&frames.frame());
        for _ in 0..steps {
            frames.step();
            trace.shoot(&frames.frame());
        }
        trace
    }

    /// Number of boxes.
    #[must_use]
    pub fn boxes(&self) -> usize {
        self.first.len()
    }

    /// Steps after the first frame.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.shots.len()
    }

    /// From the beginning.
    #[must_use]
    pub fn play(&self) -> Player<'_, D> {
        Player { trace: self, boxes: self.first.clone(), next: 0, nothing: Changes::default() }
    }
}

/// A trace that runs. Behind its end nothing moves any more.
#[derive(Clone, Debug)]
pub struct Player<'a, const D: usize> {
    trace: &'a AabbTrace<D>,
    boxes: Vec<Aabb<D>>,
    /// Steps done, at most one more than there are shots.
    next: usize,
    nothing: Changes,
}

impl<const D: usize> Frames<D> for Player<'_, D> {
    fn frame(&self) -> Frame<'_, D> {
        let shot = self.next.checked_sub(1).and_then(|at| self.trace.shots.get(at));
        let changes = shot.map_or(&self.nothing, |shot| &shot.changes);
        Frame { boxes: &self.boxes, changes, filters: &self.trace.filters, bounds: &[] }
    }

    fn step(&mut self) {
        if let Some(shot) = self.trace.shots.get(self.next) {
            for (id, aabb) in shot.changes.moved.iter().zip(&shot.moved) {
                self.boxes[*id as usize] = *aabb;
            }
            for (id, aabb) in shot.changes.inserted.iter().zip(&shot.inserted) {
                self.boxes[*id as usize] = *aabb;
            }
            self.next += 1;
        } else {
            self.next = self.trace.shots.len() + 1;
        }
    }
}

/// A trace in either number of dimensions.
#[derive(Clone, Debug)]
pub enum AnyAabbTrace {
    /// In the plane.
    Plane(AabbTrace<2>),
    /// In space.
    Space(AabbTrace<3>),
}

impl AnyAabbTrace {
    /// The first frame and so many steps.
    #[must_use]
    pub fn record(frames: AnyFrames, steps: u64) -> Self {
        match frames {
            AnyFrames::Plane(mut frames) => Self::Plane(AabbTrace::record(&mut *frames, steps)),
            AnyFrames::Space(mut frames) => Self::Space(AabbTrace::record(&mut *frames, steps)),
        }
    }

    /// Number of boxes.
    #[must_use]
    pub fn boxes(&self) -> usize {
        match self {
            Self::Plane(trace) => trace.boxes(),
            Self::Space(trace) => trace.boxes(),
        }
    }

    /// Two or three.
    #[must_use]
    pub fn dimensions(&self) -> u32 {
        match self {
            Self::Plane(_) => 2,
            Self::Space(_) => 3,
        }
    }
}

/// Why a scene could not be traced.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// It cannot be simulated.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// The simulation cannot go on.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    /// A shape has no box.
    #[error(transparent)]
    Body(#[from] BodyError),
}

/// A scene while it is simulated: the tight boxes of its bodies after each of so many steps. Bodies
/// that appear on the way have none, bodies that go leave theirs where it was.
///
/// # Errors
/// If the scene cannot be simulated, or a shape has no box.
pub fn simulated(prepared: &Prepared, folder: &Path, steps: u64) -> Result<AabbTrace<3>, TraceError> {
    let mut bodies = Bodies::new(&prepared.scene, folder)?;
    let mut trace = AabbTrace::begin(&bodies.frame());
    let mut poses: Vec<Option<Pose>> = vec![None; prepared.scene.bodies.len()];
    let mut session = prepared.session()?;
    let mut states = BodyBuffer::default();
    for _ in 0..steps {
        session.step()?;
        session.simulation().bodies(&mut states);
        for body in states.iter() {
            if let Some(pose) = poses.get_mut(body.number as usize) {
                *pose = Some(body.pose());
            }
        }
        bodies.put(&poses);
        trace.shoot(&bodies.frame());
    }
    Ok(trace)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairs::frames::of_swarm;
    use crate::task::Task;

    #[test]
    fn a_trace_shows_what_happened_and_then_nothing() {
        for name in ["churn:40", "tenth-moving:30", "teleports:25"] {
            let AnyFrames::Space(mut live) = of_swarm(name).unwrap() else { panic!("{name}") };
            let AnyAabbTrace::Space(trace) = AnyAabbTrace::record(of_swarm(name).unwrap(), 12) else {
                panic!("{name}")
            };
            let mut player = trace.play();
            for number in 0..=12 {
                assert_eq!(player.frame().boxes, live.frame().boxes, "{name}, frame {number}");
                assert_eq!(player.frame().changes, live.frame().changes, "{name}, frame {number}");
                player.step();
                live.step();
            }
            let last = player.frame().boxes.to_vec();
            assert_eq!(player.frame().changes, &Changes::default());
            player.step();
            assert_eq!(player.frame().boxes, last);
        }
    }

    #[test]
    fn simulated_bodies_fall_under_both_solvers() {
        for (scene, solver) in [("funnel", "fingsics"), ("funnel", "soft-step"), ("pile:8", "soft-step")] {
            let task = Task { scene: scene.into(), solver: Some(solver.parse().unwrap()), ..Task::default() };
            let trace = simulated(&task.prepare().unwrap(), Path::new("."), 20).unwrap();
            let mut player = trace.play();
            let height = |boxes: &[Aabb<3>]| -> f32 {
                boxes.iter().filter(|b| b.min[1].is_finite()).map(|b| b.min[1]).sum()
            };
            let before = height(player.frame().boxes);
            (0..20).for_each(|_| player.step());
            assert!(height(player.frame().boxes) < before, "{scene} {solver}");
            assert!(!player.frame().changes.moved.is_empty(), "{scene} {solver}");
        }
    }
}
