//! A session: a scene in the hands of a solver, stepped from outside, the same way for every solver.
//!
//! What runs, records, replays, compares and measures holds a [`Session`] and does not ask which solver moves it.
//!
//! | module | holds |
//! |---|---|
//! | [`figures`] | figures of steps and runs by name |
//! | [`bodies`] | bodies by their numbers in the scene |
//! | [`mechanics`] | energies, momenta, overlaps |
//! | [`saved`] | a session on disk, to go on from |

pub mod bodies;
pub mod figures;
pub mod mechanics;
pub mod saved;

use std::ops::ControlFlow;
use std::time::Instant;

use carom_fingsics::{FingsicsSceneError, FingsicsWorld, PairKindReport};
use carom_scene::Scene;

use carom_sim::BuildError;

use crate::engine::build as engine_build;
use crate::engine::{EngineError, EngineSettings, SceneWorld};
use crate::solver::Solver;
use crate::task::{How, Prepared};
use figures::{ENGINE, FINGSICS, Figured, Figures, StepFigures};

/// Errors of joints are looked at after every so many steps, and after the last one: it takes time in proportion to their number.
const LOOKS: u64 = 10;

/// Why a session cannot go on, or not begin.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The original's rules cannot run the scene.
    #[error(transparent)]
    Fingsics(#[from] FingsicsSceneError),
    /// The engine cannot.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The engine cannot go on.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

impl SessionError {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Fingsics(FingsicsSceneError::Unsupported(_)) => Some("--solver soft-step knows more"),
            _ => None,
        }
    }
}

/// A world in the hands of its solver.
enum Stepper {
    Fingsics(Box<FingsicsWorld>),
    Engine(Box<SceneWorld>, EngineSettings),
}

/// A scene in the hands of a solver.
pub struct Session {
    /// The scene as loaded.
    scene: Scene,
    frames: u64,
    solver: Solver,
    steps_per_second: u32,
    steps: u64,
    stepper: Stepper,
}

impl Session {
    /// Builds the world of a task.
    ///
    /// # Errors
    /// If its solver cannot run the scene.
    pub fn new(prepared: Prepared) -> Result<Self, SessionError> {
        let Prepared { scene, how, frames, .. } = prepared;
        let (solver, steps_per_second) = (how.solver(), how.steps_per_second());
        let stepper = match how {
            How::Fingsics(_, settings) => {
                Stepper::Fingsics(Box::new(FingsicsWorld::from_scene(&scene, settings)?))
            }
            How::Engine(settings) => {
                Stepper::Engine(Box::new(engine_build::world(&scene, &settings)?), settings)
            }
        };
        Ok(Self { scene, frames, solver, steps_per_second, steps: 0, stepper })
    }

    /// The scene as loaded.
    #[must_use]
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Frames of the task; the first is the scene as loaded.
    #[must_use]
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// The solver.
    #[must_use]
    pub fn solver(&self) -> Solver {
        self.solver
    }

    /// Steps per simulated second.
    #[must_use]
    pub fn steps_per_second(&self) -> u32 {
        self.steps_per_second
    }

    /// Steps done.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Simulated time, seconds.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.steps as f64 / f64::from(self.steps_per_second.max(1))
    }

    /// The world of the engine, if that is what moves the scene.
    #[must_use]
    pub fn engine(&self) -> Option<&SceneWorld> {
        match &self.stepper {
            Stepper::Engine(built, _) => Some(built),
            Stepper::Fingsics(_) => None,
        }
    }

    /// The world of the original's rules, if they move the scene.
    #[must_use]
    pub fn fingsics(&self) -> Option<&FingsicsWorld> {
        match &self.stepper {
            Stepper::Fingsics(world) => Some(world),
            Stepper::Engine(..) => None,
        }
    }

    /// The figures that its solver gives.
    #[must_use]
    pub fn figured(&self) -> &'static Figured {
        match self.stepper {
            Stepper::Fingsics(_) => &FINGSICS,
            Stepper::Engine(..) => &ENGINE,
        }
    }

    /// Name of the broad phase that is used.
    #[must_use]
    pub fn broad(&self) -> String {
        match &self.stepper {
            Stepper::Fingsics(world) => world.settings().method.to_string(),
            Stepper::Engine(built, _) => built.world.settings().broad.to_string(),
        }
    }

    /// Fingerprint of the state: equal for equal histories.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        match &self.stepper {
            Stepper::Fingsics(world) => world.state_hash(),
            Stepper::Engine(built, _) => built.world.state_hash(),
        }
    }

    /// One step, after what the scene does before it.
    ///
    /// # Errors
    /// If a body that should appear on the way cannot be.
    pub fn step(&mut self) -> Result<StepFigures, SessionError> {
        let time = self.time();
        let figures = match &mut self.stepper {
            Stepper::Fingsics(world) => {
                world.step();
                StepFigures::of_fingsics(world.last_report(), |body| world.id(body).to_owned())
            }
            Stepper::Engine(built, settings) => {
                let SceneWorld { world, timeline, .. } = &mut **built;
                timeline.advance(time, world, &settings.folder)?;
                let start = Instant::now();
                world.step(settings.dt()).map_err(EngineError::from)?;
                let taken = start.elapsed();
                StepFigures::of_engine(world.report(), taken, world.broken_joints().len())
            }
        };
        self.steps += 1;
        Ok(figures)
    }

    /// Steps to the end of the task, showing the session to `observe` after each step; the observer may end the run.
    ///
    /// # Errors
    /// If a body that should appear on the way cannot be.
    pub fn run(
        &mut self,
        mut observe: impl FnMut(&Self, &StepFigures) -> ControlFlow<()>,
    ) -> Result<Figures, SessionError> {
        let mut figures = Figures::new(self.figured());
        let last = self.frames.saturating_sub(1);
        let mut kinds = self.fingsics().map(|_| Default::default());
        while self.steps < last {
            let step = self.step()?;
            figures.take_in(&step);
            if let (Some(sums), Some(world)) = (&mut kinds, self.fingsics()) {
                add_kinds(sums, &world.last_report().kinds);
            }
            if let Some(built) = self.engine()
                && (self.steps.is_multiple_of(LOOKS) || self.steps == last)
            {
                figures.joint_error = figures.joint_error.max(built.world.joint_error());
            }
            if observe(self, &step).is_break() {
                figures.interrupted = self.steps < last;
                break;
            }
        }
        figures.kinds = kinds;
        self.settle(&mut figures);
        Ok(figures)
    }

    /// What is known at the end only.
    fn settle(&self, figures: &mut Figures) {
        figures.broad = self.broad();
        figures.state_hash = self.state_hash();
        match &self.stepper {
            Stepper::Fingsics(world) => {
                figures.bodies = world.len();
                figures.broad_work = world.broad_counters();
            }
            Stepper::Engine(built, _) => {
                figures.bodies = built.world.len() - usize::from(built.ground.is_some());
                figures.joints = built.world.joint_ids().count();
                figures.lanes = built.world.lanes();
            }
        }
    }
}

fn add_kinds(sums: &mut [PairKindReport; 5], step: &[PairKindReport; 5]) {
    for (sum, kind) in sums.iter_mut().zip(step) {
        sum.tests += kind.tests;
        sum.time += kind.time;
    }
}
