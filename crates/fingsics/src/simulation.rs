//! The Fingsics world as a simulation, and its factories: one for each published version.

use std::sync::Arc;

use carom_broadphase::{Choice, Counters, Method};
use carom_geometry::{Matrix3, Rotation};
use carom_scene::Scene;
use carom_scene::model::{Axis, Orientation as SceneOrientation, ShapeKind};
use carom_sim::NO_BODY;
use carom_sim::bodies::{BodyBuffer, OrientationKind, Orientations, PoseFormat, PositionPrecision};
use carom_sim::contact::{Contact, ContactEvaluation};
use carom_sim::event::{Event, EventKind};
use carom_sim::fixed_step::FixedStep;
use carom_sim::mechanics::Mechanics;
use carom_sim::metrics::{Metric, MetricGroup, MetricSchema, MetricValue, add_all};
use carom_sim::registry::{BuildError, Factory, Limitation, Registry, SettingInfo};
use carom_sim::simulation::{Advance, Simulation, SimulationError, SimulationInfo, Snapshot};
use carom_sim::spec::{SettingError, Settings};
use glam::Vec3;

use crate::{
    FingsicsReport, FingsicsSettings, FingsicsVersion, FingsicsWorld, PairKind, QuirkList, RowMatrix,
    from_scene,
};

/// Registers the factories of all versions.
pub fn register(registry: &mut Registry) {
    for version in FingsicsVersion::ALL {
        registry.register(Box::new(FingsicsFactory { version }));
    }
}

/// Builds [`FingsicsSimulation`]s.
#[derive(Clone, Copy, Debug, Default)]
pub struct FingsicsFactory {
    /// Whose rules.
    pub version: FingsicsVersion,
}

impl FingsicsFactory {
    /// Settings from text.
    fn parse(self, text: &Settings) -> Result<FingsicsSettings, SettingError> {
        (&self as &dyn Factory).check_keys(text)?;
        let choice = text.parse::<Choice>("broad")?.unwrap_or(Method::Sap.into());
        if choice != Choice::from(choice.method) {
            return Err(SettingError::Value {
                key: "broad".to_owned(),
                value: choice.to_string(),
                problem: "the fingsics rules take broad phases without options".to_owned(),
            });
        }
        for key in ["narrow", "integrator"] {
            text.only(key, self.version.name(), &["auto", "fingsics"])?;
        }
        let mut rules = self.version.rules();
        for (key, keep) in [("fix-quirks", false), ("keep-quirks", true)] {
            let quirks = text.parse::<QuirkList>(key)?;
            quirks.iter().flat_map(|quirks| &quirks.0).for_each(|quirk| quirk.set(&mut rules, keep));
        }
        let own = FingsicsSettings::default();
        Ok(FingsicsSettings {
            method: choice.method,
            rules,
            steps_per_second: text.steps_per_second("dt")?.unwrap_or(own.steps_per_second),
        })
    }
}

impl Factory for FingsicsFactory {
    fn name(&self) -> &'static str {
        self.version.name()
    }

    fn description(&self) -> &'static str {
        self.version.description()
    }

    fn settings(&self) -> &'static [SettingInfo] {
        &[
            SettingInfo { key: "dt", about: "length of a step, such as 1/240" },
            SettingInfo { key: "broad", about: "broad phase, without options: see carom list broad" },
            SettingInfo { key: "narrow", about: "narrow phase: auto, fingsics" },
            SettingInfo { key: "integrator", about: "integrator: auto, fingsics" },
            SettingInfo { key: "keep-quirks", about: "quirks to keep: see carom list quirks" },
            SettingInfo { key: "fix-quirks", about: "quirks to fix: see carom list quirks" },
        ]
    }

    fn check(&self, settings: &Settings) -> Result<(), SettingError> {
        self.parse(settings).map(drop)
    }

    fn limitations(&self, scene: &Scene) -> Vec<Limitation> {
        let refused = from_scene::bodies(scene).err().unwrap_or_default();
        let refused = refused.into_iter().map(|reason| Limitation::refused("rules", reason));
        let ignored = from_scene::ignored(scene).into_iter();
        let ignored =
            ignored.map(|what| Limitation::ignored(what, format!("the fingsics rules know no {what}")));
        refused.chain(ignored).collect()
    }

    fn build(&self, scene: &Arc<Scene>, settings: &Settings) -> Result<Box<dyn Simulation>, BuildError> {
        let settings = self.parse(settings)?;
        Ok(Box::new(FingsicsSimulation::new(scene, self.version, settings)?))
    }
}

/// Metrics of a step, in the order of `values`.
fn schema() -> MetricSchema {
    let stage = |key, label| Metric::time(MetricGroup::Stages, key, label);
    let count = |key, label| Metric::count(MetricGroup::Counts, key, label);
    let work = |key| Metric::count(MetricGroup::BroadPhase, key, key);
    let mut metrics = vec![
        stage("broad", "broad phase"),
        stage("narrow", "narrow phase"),
        stage("response", "response"),
        stage("motion", "motion"),
        count("candidate_pairs", "candidate pairs"),
        count("tested_pairs", "pairs tested"),
        count("contacts", "collisions"),
        count("acting_contacts", "answered with an impulse"),
        work("box_tests"),
        work("node_visits"),
        work("cells"),
        work("swaps"),
        work("pair_changes"),
    ];
    for kind in PairKind::ALL {
        metrics.push(Metric::count(MetricGroup::PairKinds, kind.name(), kind.name()));
        metrics.push(Metric::time(MetricGroup::PairKinds, kind.name(), kind.name()));
    }
    MetricSchema { metrics }
}

/// Values of a step that took the work of the broad phase from one state to another.
fn values(report: &FingsicsReport, before: &Counters, now: &Counters) -> [MetricValue; 23] {
    let times = &report.times;
    let [a, b, c, d, e] = report.kinds;
    [
        times.broad.into(),
        times.narrow.into(),
        times.response.into(),
        times.motion.into(),
        report.candidates.into(),
        report.tested.into(),
        report.contacts.into(),
        report.acting.into(),
        now.box_tests.saturating_sub(before.box_tests).into(),
        now.node_visits.saturating_sub(before.node_visits).into(),
        now.cells.saturating_sub(before.cells).into(),
        now.swaps.saturating_sub(before.swaps).into(),
        now.pair_changes.saturating_sub(before.pair_changes).into(),
        a.tests.into(),
        a.time.into(),
        b.tests.into(),
        b.time.into(),
        c.tests.into(),
        c.time.into(),
        d.tests.into(),
        d.time.into(),
        e.tests.into(),
        e.time.into(),
    ]
}

/// A scene under the rules of Fingsics.
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
    ) -> Result<Self, BuildError> {
        let bodies = from_scene::bodies(scene).map_err(|reasons| BuildError::Unsupported {
            simulation: "the fingsics rules".to_owned(),
            limitations: reasons.into_iter().map(|why| Limitation::refused("rules", why)).collect(),
        })?;
        let world = FingsicsWorld::new(&bodies, settings).map_err(BuildError::engine)?;
        let clock = FixedStep::new(settings.steps_per_second);
        let metrics = Arc::new(schema());
        let info = SimulationInfo {
            name: version.name().to_owned(),
            broad_phase: settings.method.to_string(),
            narrow_phase: "fingsics".to_owned(),
            integrator: "fingsics".to_owned(),
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
}

/// The elements of a matrix by rows.
fn elements(rows: &RowMatrix) -> [f32; 9] {
    let [a, b, c] = rows.0.map(|row| row.to_array());
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
        let mut elapsed = std::time::Duration::ZERO;
        while self.clock.steps < last {
            let before = self.world.broad_counters();
            self.world.step();
            self.clock.steps += 1;
            let report = self.world.last_report();
            elapsed += report.times.total();
            add_all(&mut self.metrics, &values(report, &before, &self.world.broad_counters()));
            self.quarantined.extend(&report.quarantined);
        }
        Ok(Advance { elapsed, ..self.clock.advance(time, from) })
    }

    fn body_count(&self) -> usize {
        self.world.len()
    }

    fn body_name(&self, number: u32) -> Option<&str> {
        self.scene.bodies.get(number as usize).map(|body| body.id.as_str())
    }

    fn bodies(&self, out: &mut BodyBuffer) {
        out.clear(OrientationKind::Matrix);
        let numbers = 0..self.world.len() as u32;
        out.numbers.extend(numbers.clone());
        out.positions.extend(self.world.positions().iter().map(|position| position.as_dvec3()));
        if let Orientations::Matrices(all) = &mut out.orientations {
            all.extend(self.world.rotations().iter().map(elements));
        }
        out.velocities.extend(numbers.clone().map(|body| self.world.velocity(body)));
        out.angular_velocities.extend(numbers.map(|body| self.world.spin(body)));
    }

    fn contacts(&self, out: &mut Vec<Contact>) {
        out.clear();
        out.extend(self.world.contacts().map(|(a, b, contact)| Contact {
            bodies: [a, b],
            point: contact.point.as_dvec3(),
            normal: contact.normal,
            depth: contact.depth,
            // The rules average impulses per body and axis: no contact has one of its own.
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
        out.extend(self.quarantined.iter().map(|&body| Event {
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
        let mut sums = Mechanics::default();
        let gravity = Vec3::from(self.scene.world.gravity);
        let poses = self.world.positions().iter().zip(self.world.rotations());
        for (number, (position, rows)) in poses.enumerate() {
            let body = number as u32;
            let Some((mass, inertia)) = self.world.mass(body) else { continue };
            let acceleration =
                self.scene.bodies.get(number).map_or(Vec3::ZERO, |body| Vec3::from(body.acceleration));
            let velocity = self.world.velocity(body);
            // Angular velocity and angular momentum in the frame of the body.
            let local = rows.transposed().times_vector(self.world.spin(body));
            let turning = local * inertia;
            sums.add_body(f64::from(mass), position.as_dvec3(), velocity, acceleration + gravity);
            sums.angular_momentum += rows.times_vector(turning).as_dvec3();
            let speed = velocity.as_dvec3().length_squared();
            sums.kinetic += 0.5 * (f64::from(mass) * speed + f64::from(local.dot(turning)));
        }
        sums.set_overlaps(self.world.contacts().map(|(_, _, contact)| contact.depth));
        sums
    }

    fn state_hash(&self) -> u64 {
        self.world.state_hash()
    }

    /// The order of equal endpoints in the sweep depends on the whole history: it is repeated.
    fn snapshot(&self) -> Snapshot {
        Snapshot { time: self.clock.time(), state: Vec::new() }
    }

    fn restore(&mut self, snapshot: &Snapshot, progress: &mut dyn FnMut()) -> Result<(), SimulationError> {
        let last = self.clock.steps_at(snapshot.time);
        while self.clock.steps < last {
            self.world.step();
            self.clock.steps += 1;
            progress();
        }
        Ok(())
    }

    /// The rules lay every capsule along z when they begin; a recording has these orientations, and
    /// its scene the capsules that go with them.
    fn recorded_scene(&self) -> Scene {
        let mut scene = Scene::clone(&self.scene);
        for (number, body) in scene.bodies.iter_mut().enumerate() {
            if let Some(ShapeKind::Capsule { axis, .. }) =
                body.shapes.first_mut().map(|shape| &mut shape.kind)
                && *axis != Axis::Z
            {
                *axis = Axis::Z;
                let [a, b, c] = self.world.rotations()[number].transposed().0;
                let nearest: Rotation = Rotation::from_matrix(&Matrix3 { columns: [a, b, c] });
                let rotation: Rotation = Rotation::from_xyzw(nearest.to_xyzw()).unwrap_or_default();
                body.orientation = SceneOrientation::Quaternion(rotation.to_xyzw());
            }
        }
        scene
    }
}
