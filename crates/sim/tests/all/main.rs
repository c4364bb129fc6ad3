//! Scenes on the engine, through the simulation interface.
#![allow(clippy::unwrap_used, clippy::panic)] // a helper that fails fails its test

mod joints;
mod scenes;

use std::sync::Arc;

use carom_scene::Scene;
use carom_scene::library::{self, SceneSource};
use carom_sim::engine::{EngineSettings, EngineSimulation};
use carom_sim::metrics::add_all;
use carom_sim::{BuildError, JointError, MetricGroup, MetricValue, Simulation};

/// What a run on the engine came to.
struct Run {
    simulation: EngineSimulation,
    sums: Vec<MetricValue>,
    last: Vec<MetricValue>,
    /// Largest errors of every tenth step and the last one.
    joint_error: JointError,
    quarantined: Vec<u32>,
}

impl Run {
    fn new(scene: &Scene, settings: &EngineSettings, steps: u64) -> Result<Self, BuildError> {
        let mut simulation = EngineSimulation::new(&Arc::new(scene.clone()), settings)?;
        let mut sums = simulation.info().metrics.zeros();
        let (mut last, mut blown, mut quarantined) = (Vec::new(), Vec::new(), Vec::new());
        let mut joint_error = JointError::default();
        for step in 1..=steps {
            let time = step as f64 / f64::from(settings.steps_per_second);
            assert_eq!(simulation.advance_to(time).unwrap().steps, 1);
            simulation.metrics(&mut last);
            add_all(&mut sums, &last);
            simulation.quarantined(&mut blown);
            quarantined.append(&mut blown);
            if step.is_multiple_of(10) || step == steps {
                joint_error = joint_error.max(simulation.joint_error().unwrap());
            }
        }
        Ok(Self { simulation, sums, last, joint_error, quarantined })
    }

    fn of(&self, values: &[MetricValue], key: &str) -> u64 {
        values[self.simulation.info().metrics.position(MetricGroup::Counts, key).unwrap()].as_count()
    }

    fn count(&self, key: &str) -> u64 {
        self.of(&self.sums, key)
    }

    fn last_count(&self, key: &str) -> u64 {
        self.of(&self.last, key)
    }

    /// All counts, summed.
    fn counts(&self) -> Vec<u64> {
        let schema = &self.simulation.info().metrics;
        schema.group(MetricGroup::Counts).map(|(at, _)| self.sums[at].as_count()).collect()
    }
}

fn spatial(request: &str) -> Option<Scene> {
    match library::build(request).unwrap() {
        SceneSource::Spatial(scene) => Some(scene),
        SceneSource::Planar(_) => None,
    }
}
