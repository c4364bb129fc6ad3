//! The Fingsics world as a [`Simulation`], and its factories.
//!
//! Every step is that of [`FingsicsWorld`]; the adapter adds nothing to a result. A state depends
//! on the whole history of the broad phase (see `broad_phase::sap`), so a snapshot holds only its
//! time and restoring repeats the steps.

use std::sync::Arc;

use carom_broadphase::{Choice, Counters, Method};
use carom_geometry::Rotation;
use carom_scene::Scene;
use carom_scene::model::{Axis, Orientation as SceneOrientation, ShapeKind};
use carom_sim::bodies::{BodyBuffer, BodyState, Orientation, OrientationKind, PoseFormat, PositionPrecision};
use carom_sim::contact::{Contact, ContactEvaluation};
use carom_sim::fixed_step::FixedStep;
use carom_sim::metrics::{Metric, MetricGroup, MetricSchema, MetricValue, add_all};
use carom_sim::registry::{BuildError, Factory, Limitation, SettingInfo};
use carom_sim::simulation::{Activity, Advance, Simulation, SimulationError, SimulationInfo, Snapshot};
use carom_sim::spec::{SettingError, Settings};
use carom_sim::{Event, EventKind, Mechanics, NO_BODY};
use glam::Vec3;

use crate::{
    FingsicsReport, FingsicsSceneError, FingsicsSettings, FingsicsVersion, FingsicsWorld, PairKind,
    QuirkList, RowMatrix, from_scene,
};

/// The rules in messages.
const THE_RULES: &str = "the fingsics rules";

/// Builds [`FingsicsSimulation`]s with the rules of a version.
#[derive(Clone, Copy, Debug, Default)]
pub struct FingsicsFactory(pub FingsicsVersion);

impl FingsicsFactory {
    const KEYS: &'static [SettingInfo] = &[
        SettingInfo { key: "dt", about: "length of a step, such as 1/60" },
        SettingInfo { key: "broad", about: "broad phase without options: see carom list broad" },
        SettingInfo { key: "narrow", about: "narrow phase: auto, fingsics" },
        SettingInfo { key: "integrator", about: "integrator: auto, fingsics" },
        SettingInfo { key: "keep-quirks", about: "quirks to keep, joined by +: see carom list quirks" },
        SettingInfo { key: "fix-quirks", about: "quirks to fix, joined by +: see carom list quirks" },
    ];

    /// What a world is told.
    fn settings_of(self, text: &Settings) -> Result<FingsicsSettings, SettingError> {
        let own = FingsicsSettings::default();
        let choice: Choice = text.parse("broad")?.unwrap_or(Method::Sap.into());
        if choice != Choice::from(choice.method) {
            return Err(SettingError::Value {
                key: "broad".to_owned(),
                value: choice.to_string(),
                problem: format!("{THE_RULES} take broad phases without options"),
            });
        }
        for key in ["narrow", "integrator"] {
            text.only(key, self.0.name(), &["auto", "fingsics"])?;
        }
        let mut rules = self.0.rules();
        for (key, keep) in [("fix-quirks", false), ("keep-quirks", true)] {
            let quirks: Option<QuirkList> = text.parse(key)?;
            quirks.iter().flat_map(|list| &list.0).for_each(|quirk| quirk.set(&mut rules, keep));
        }
        let steps_per_second = text.steps_per_second("dt")?.unwrap_or(own.steps_per_second);
        Ok(FingsicsSettings { method: choice.method, rules, steps_per_second })
    }
}

impl Factory for FingsicsFactory {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn description(&self) -> &'static str {
        self.0.description()
    }

    fn settings(&self) -> &'static [SettingInfo] {
        Self::KEYS
    }

    fn check(&self, settings: &Settings) -> Result<(), SettingError> {
        (self as &dyn Factory).check_keys(settings)?;
        self.settings_of(settings).map(drop)
    }

    fn limitations(&self, scene: &Scene) -> Vec<Limitation> {
        let refused = from_scene::bodies(scene).err().unwrap_or_default();
        let mut all: Vec<Limitation> =
            refused.into_iter().map(|reason| Limitation::refused("scene", reason)).collect();
        all.extend(
            from_scene::ignored(scene)
                .into_iter()
                .map(|feature| Limitation::ignored(feature, format!("{THE_RULES} know no {feature}"))),
        );
        all
    }

    fn build(&self, scene: &Arc<Scene>, settings: &Settings) -> Result<Box<dyn Simulation>, BuildError> {
        (self as &dyn Factory).check_keys(settings)?;
        let settings = self.settings_of(settings)?;
        Ok(Box::new(FingsicsSimulation::new(scene, self.0, settings)?))
    }
}

impl From<FingsicsSceneError> for BuildError {
    fn from(error: FingsicsSceneError) -> Self {
        match error {
            FingsicsSceneError::Unsupported(reasons) => Self::Unsupported {
                simulation: THE_RULES.to_owned(),
                limitations: reasons.into_iter().map(|reason| Limitation::refused("scene", reason)).collect(),
            },
            FingsicsSceneError::World(error) => Self::engine(error),
        }
    }
}

/// Metrics of a step, in the order of `values`.
fn schema() -> MetricSchema {
    let stage = |key, label| Metric::time(MetricGroup::Stages, key, label);
    let count = |key, label| Metric::count(MetricGroup::Counts, key, label);
    let work = |key, label| Metric::count(MetricGroup::BroadPhase, key, label);
    let mut metrics = vec![
        stage("broad", "broad phase"),
        stage("narrow", "narrow phase"),
        stage("response", "response"),
        stage("motion", "motion"),
        count("candidate_pairs", "candidate pairs"),
        count("tested_pairs", "pairs tested"),
        count("contacts", "collisions"),
        count("acting_contacts", "answered with an impulse"),
        work("box_tests", "box tests"),
        work("node_visits", "node visits"),
        work("cells", "cells"),
        work("swaps", "swaps"),
        work("pair_changes", "pair changes"),
    ];
    for kind in PairKind::ALL {
        metrics.push(Metric::count(MetricGroup::PairKinds, kind.name(), kind.name()));
        metrics.push(Metric::time(MetricGroup::PairKinds, kind.name(), kind.name()));
    }
    MetricSchema { metrics }
}

/// Adds the values of a step to `sums`, in the order of `schema`; `work` is what the broad phase
/// did in it.
fn add_values(sums: &mut [MetricValue], report: &FingsicsReport, work: &Counters) {
    let times = &report.times;
    let values: [MetricValue; 13] = [
        times.broad.into(),
        times.narrow.into(),
        times.response.into(),
        times.motion.into(),
        report.candidates.into(),
        report.tested.into(),
        report.contacts.into(),
        report.acting.into(),
        work.box_tests.into(),
        work.node_visits.into(),
        work.cells.into(),
        work.swaps.into(),
        work.pair_changes.into(),
    ];
    let (first, kinds) = sums.split_at_mut(values.len());
    add_all(first, &values);
    for (sums, kind) in kinds.chunks_mut(2).zip(&report.kinds) {
        add_all(sums, &[kind.tests.into(), kind.time.into()]);
    }
}

/// A scene under the Fingsics rules.
pub struct FingsicsSimulation {
    info: SimulationInfo,
    scene: Arc<Scene>,
    world: FingsicsWorld,
    clock: FixedStep,
    /// Of the last advance.
    metrics: Vec<MetricValue>,
    quarantined: Vec<u32>,
}

impl FingsicsSimulation {
    /// Builds the world of a sound scene.
    ///
    /// # Errors
    /// If the scene uses what the rules do not know, or a body has a value it cannot have.
    pub fn new(
        scene: &Arc<Scene>,
        version: FingsicsVersion,
        settings: FingsicsSettings,
    ) -> Result<Self, FingsicsSceneError> {
        let world = FingsicsWorld::from_scene(scene, settings)?;
        let clock = FixedStep::new(settings.steps_per_second);
        let metrics = Arc::new(schema());
        let info = SimulationInfo {
            name: version.name().to_owned(),
            broad_phase: settings.method.to_string(),
            narrow_phase: FingsicsVersion::Newest.name().to_owned(),
            integrator: FingsicsVersion::Newest.name().to_owned(),
            threads: 1,
            simd: "scalar".to_owned(),
            simd_width: 1,
            stepping: clock.stepping(),
            pose_format: PoseFormat {
                position: PositionPrecision::Single,
                orientation: OrientationKind::Matrix,
            },
            contact_evaluation: ContactEvaluation::NarrowPhase,
            has_contact_events: false,
            metrics: Arc::clone(&metrics),
        };
        let metrics = metrics.zeros();
        Ok(Self { info, scene: Arc::clone(scene), world, clock, metrics, quarantined: Vec::new() })
    }

    /// The world.
    #[must_use]
    pub fn world(&self) -> &FingsicsWorld {
        &self.world
    }

    fn step(&mut self, advance: &mut Advance) {
        let before = self.world.broad_counters();
        let report = self.world.step();
        advance.elapsed += report.times.total();
        self.quarantined.extend_from_slice(&report.quarantined);
        self.clock.steps += 1;
        let now = self.world.broad_counters();
        let work = Counters {
            box_tests: now.box_tests.saturating_sub(before.box_tests),
            node_visits: now.node_visits.saturating_sub(before.node_visits),
            cells: now.cells.saturating_sub(before.cells),
            swaps: now.swaps.saturating_sub(before.swaps),
            pair_changes: now.pair_changes.saturating_sub(before.pair_changes),
        };
        add_values(&mut self.metrics, self.world.last_report(), &work);
    }
}

fn entries(matrix: &RowMatrix) -> [f32; 9] {
    let [a, b, c] = matrix.0.map(|row| row.to_array());
    [a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2]]
}

impl Simulation for FingsicsSimulation {
    fn info(&self) -> &SimulationInfo {
        &self.info
    }

    fn scene(&self) -> &Arc<Scene> {
        &self.scene
    }

    fn time(&self) -> f64 {
        self.clock.time()
    }

    fn steps(&self) -> u64 {
        self.clock.steps
    }

    fn advance_to(&mut self, time: f64) -> Result<Advance, SimulationError> {
        let (from, last) = (self.clock.steps, self.clock.steps_at(time));
        self.quarantined.clear();
        self.info.metrics.zeros_into(&mut self.metrics);
        let mut advance = Advance::default();
        while self.clock.steps < last {
            self.step(&mut advance);
        }
        Ok(Advance { elapsed: advance.elapsed, ..self.clock.advance(time, from) })
    }

    fn body_count(&self) -> usize {
        self.world.len()
    }

    /// The rules let nothing sleep.
    fn activity(&self) -> Activity {
        let dynamic = (0..self.world.len() as u32).filter(|number| self.world.mass(*number).is_some());
        Activity { awake: dynamic.count() as u64, asleep: 0 }
    }

    fn body_name(&self, number: u32) -> Option<&str> {
        self.scene.bodies.get(number as usize).map(|body| body.id.as_str())
    }

    fn bodies(&self, out: &mut BodyBuffer) {
        out.clear(OrientationKind::Matrix);
        let poses = self.world.positions().iter().zip(self.world.rotations());
        for (number, (position, rotation)) in (0u32..).zip(poses) {
            out.push(BodyState {
                number,
                position: position.as_dvec3(),
                orientation: Orientation::Matrix(entries(rotation)),
                velocity: self.world.velocity(number),
                angular_velocity: self.world.angular_velocity(number),
            });
        }
    }

    fn contacts(&self, out: &mut Vec<Contact>) {
        out.clear();
        out.extend(self.world.contacts().map(|(a, b, contact)| Contact {
            bodies: [a, b],
            point: contact.point.as_dvec3(),
            normal: contact.normal,
            depth: contact.depth,
            // Impulses are averaged per body and axis: no contact has one of its own.
            impulse: 0.0,
            is_touching: true,
        }));
    }

    fn tested_pairs(&self, out: &mut Vec<[u32; 2]>) {
        out.clear();
        out.extend(self.world.tested_pairs().map(|(a, b)| [a.min(b), a.max(b)]));
    }

    fn events(&self, out: &mut Vec<Event>) {
        out.clear();
        out.extend(self.world.last_report().quarantined.iter().map(|&body| Event {
            kind: EventKind::Quarantined,
            bodies: [body, NO_BODY],
            strength: 0.0,
        }));
    }

    fn quarantined(&self, out: &mut Vec<u32>) {
        out.clone_from(&self.quarantined);
    }

    fn metrics(&self, out: &mut Vec<MetricValue>) {
        out.clone_from(&self.metrics);
    }

    fn mechanics(&self) -> Mechanics {
        let (mut sums, world) = (Mechanics::default(), &self.world);
        let gravity = Vec3::from(self.scene.world.gravity);
        let poses = world.positions().iter().zip(world.rotations());
        for (number, (position, rotation)) in (0u32..).zip(poses) {
            let Some((mass, inertia)) = world.mass(number) else { continue };
            let own = self.scene.bodies.get(number as usize);
            let own = own.map_or(Vec3::ZERO, |body| Vec3::from(body.acceleration));
            let velocity = world.velocity(number);
            let local = rotation.transposed().times_vector(world.angular_velocity(number));
            let angular = local * inertia;
            sums.add_body(f64::from(mass), position.as_dvec3(), velocity, own + gravity);
            sums.angular_momentum += rotation.times_vector(angular).as_dvec3();
            let speed_squared = velocity.as_dvec3().length_squared();
            sums.kinetic += 0.5 * (f64::from(mass) * speed_squared + f64::from(local.dot(angular)));
        }
        sums.set_overlaps(world.contacts().map(|(_, _, contact)| contact.depth));
        sums
    }

    fn state_hash(&self) -> u64 {
        self.world.state_hash()
    }

    fn snapshot(&self) -> Snapshot {
        Snapshot { time: self.clock.time(), state: Vec::new() }
    }

    fn restore(&mut self, snapshot: &Snapshot, progress: &mut dyn FnMut()) -> Result<(), SimulationError> {
        let last = self.clock.steps_at(snapshot.time);
        while self.clock.steps < last {
            self.step(&mut Advance::default());
            progress();
        }
        Ok(())
    }

    /// The rules rotate a body so that its capsule lies along z: so do the capsules of this scene.
    fn recorded_scene(&self) -> Scene {
        let mut scene = Scene::clone(&self.scene);
        for (body, rotation) in scene.bodies.iter_mut().zip(self.world.rotations()) {
            if let Some(ShapeKind::Capsule { axis, .. }) =
                body.shapes.first_mut().map(|shape| &mut shape.kind)
                && *axis != Axis::Z
            {
                *axis = Axis::Z;
                let rotation = Orientation::Matrix(entries(rotation)).rotation();
                // Normalised once more, as recordings always were.
                let unit = Rotation::from_xyzw(rotation.to_xyzw()).unwrap_or_default();
                body.orientation = SceneOrientation::Quaternion(unit.to_xyzw());
            }
        }
        scene
    }
}

#[cfg(test)]
mod tests;
