//! The engine's world as a simulation, and its factory.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use carom_dynamics::{BodyId, BodyKind, ContactRef, Snapshot as WorldSnapshot, StepReport, World};
use carom_scene::Scene;
use carom_scene::model::Action;
use glam::Vec3;

use super::build::{self, EngineError, SceneWorld};
use super::settings::EngineSettings;
use crate::NO_BODY;
use crate::bodies::{BodyBuffer, BodyState, Orientation, OrientationKind, PoseFormat, PositionPrecision};
use crate::contact::{Contact, ContactEvaluation};
use crate::event::{Event, EventKind};
use crate::fixed_step::FixedStep;
use crate::joint::{JointError, JointState};
use crate::mechanics::Mechanics;
use crate::metrics::{Metric, MetricGroup, MetricSchema, MetricValue, add_all};
use crate::registry::{BuildError, Factory, Limitation, SettingInfo};
use crate::simulation::{Activity, Advance, Simulation, SimulationError, SimulationInfo, Snapshot};
use crate::spec::{SettingError, Settings};

/// Name in registries.
pub const NAME: &str = "soft-step";

/// Builds [`EngineSimulation`]s.
#[derive(Clone, Copy, Debug, Default)]
pub struct EngineFactory;

impl Factory for EngineFactory {
    fn name(&self) -> &'static str {
        NAME
    }

    fn description(&self) -> &'static str {
        "The engine: any convex shape, mesh or compound, friction, restitution, stacking and sleep, solved in \
         substeps with soft contacts. The default."
    }

    fn settings(&self) -> &'static [SettingInfo] {
        EngineSettings::KEYS
    }

    fn check(&self, settings: &Settings) -> Result<(), SettingError> {
        (self as &dyn Factory).check_keys(settings)?;
        EngineSettings::parse(settings).map(drop)
    }

    fn limitations(&self, scene: &Scene) -> Vec<Limitation> {
        build::limitations(scene)
    }

    fn build(&self, scene: &Arc<Scene>, settings: &Settings) -> Result<Box<dyn Simulation>, BuildError> {
        (self as &dyn Factory).check_keys(settings)?;
        let settings = EngineSettings::parse(settings)?;
        Ok(Box::new(EngineSimulation::new(scene, &settings)?))
    }
}

/// Metrics of a step, in the order of `values`.
fn schema() -> MetricSchema {
    let stage = |key, label| Metric::time(MetricGroup::Stages, key, label);
    let count = |key, label| Metric::count(MetricGroup::Counts, key, label);
    MetricSchema {
        metrics: vec![
            stage("fit", "update AABBs"),
            stage("broad", "broad phase"),
            stage("narrow", "narrow phase"),
            stage("solve", "solver"),
            stage("flight", "integrate"),
            stage("sleep", "sleep"),
            count("candidate_pairs", "pairs of boxes"),
            count("tested_pairs", "contacts looked at"),
            count("contacts", "contacts solved"),
            count("recycled_contacts", "contacts kept from before"),
            count("awake_bodies", "bodies awake"),
            count("boxes_moved", "AABBs updated"),
            count("constrained_bodies", "bodies solved"),
            count("crowded_contacts", "overflow constraints"),
            count("stiff_bodies", "bodies with extra substeps"),
            count("broken_joints", "joints broken"),
            count("woken", "bodies woken"),
            count("fell_asleep", "bodies fallen asleep"),
        ],
    }
}

/// Values of a step in which so many joints broke, in the order of `schema`.
fn values(report: &StepReport, broken: usize) -> [MetricValue; 18] {
    let times = &report.times;
    [
        times.update_aabbs.into(),
        times.broad_phase.into(),
        times.narrow_phase.into(),
        times.solve.into(),
        times.integrate.into(),
        times.sleep.into(),
        report.pairs.into(),
        report.contacts.into(),
        report.touching.into(),
        report.recycled.into(),
        report.awake.into(),
        report.boxes_moved.into(),
        report.constrained.into(),
        report.overflow_constraints.into(),
        report.extra_substep_bodies.into(),
        (broken as u64).into(),
        report.woken.into(),
        report.fell_asleep.into(),
    ]
}

/// A scene on the engine.
pub struct EngineSimulation {
    info: SimulationInfo,
    scene: Arc<Scene>,
    built: SceneWorld,
    /// Where meshes of bodies that appear lie.
    folder: PathBuf,
    clock: FixedStep,
    /// Of the last advance.
    metrics: Vec<MetricValue>,
    quarantined: Vec<u32>,
}

impl EngineSimulation {
    /// Builds the world of a sound scene.
    ///
    /// # Errors
    /// If the scene needs what the engine cannot do, or a body has a value it cannot have.
    pub fn new(scene: &Arc<Scene>, settings: &EngineSettings) -> Result<Self, BuildError> {
        let built = build::world(scene, settings)?;
        let clock = FixedStep::new(settings.steps_per_second);
        let metrics = Arc::new(schema());
        let info = SimulationInfo {
            name: NAME.to_owned(),
            broad_phase: built.world.settings().broad.to_string(),
            narrow_phase: settings.narrow.to_string(),
            integrator: NAME.to_owned(),
            threads: usize::from(settings.threads.max(1)),
            simd: settings.simd.to_string(),
            simd_width: built.world.simd_width(),
            stepping: clock.stepping(),
            pose_format: PoseFormat {
                position: PositionPrecision::Double,
                orientation: OrientationKind::Quaternion,
            },
            contact_evaluation: ContactEvaluation::EndOfStep,
            has_contact_events: true,
            metrics: Arc::clone(&metrics),
        };
        Ok(Self {
            info,
            scene: Arc::clone(scene),
            built,
            folder: settings.folder.clone(),
            clock,
            metrics: metrics.zeros(),
            quarantined: Vec::new(),
        })
    }

    /// The world with its maps to the scene.
    #[must_use]
    pub fn built(&self) -> &SceneWorld {
        &self.built
    }

    /// Number of a body; [`NO_BODY`] for the one that stands for the world.
    fn number_of(&self, id: BodyId) -> u32 {
        if Some(id) == self.built.ground {
            return NO_BODY;
        }
        self.built.world.body(id).map_or(NO_BODY, |body| body.user_data() as u32)
    }

    fn numbers_of(&self, ids: [Option<BodyId>; 2]) -> [u32; 2] {
        ids.map(|id| id.map_or(NO_BODY, |id| self.number_of(id)))
    }

    /// One step after what the scene does before it; adds to `advance`.
    fn step(&mut self, advance: &mut Advance) -> Result<(), EngineError> {
        let SceneWorld { world, timeline, .. } = &mut self.built;
        timeline.advance(self.clock.time(), world, &self.folder)?;
        let start = Instant::now();
        world.step(self.clock.dt())?;
        advance.elapsed += start.elapsed();
        self.clock.steps += 1;
        let world = &self.built.world;
        let report = world.report();
        add_all(&mut self.metrics, &values(report, world.broken_joints().len()));
        for id in &report.quarantined {
            self.quarantined.push(world.body(*id).map_or(NO_BODY, |body| body.user_data() as u32));
        }
        Ok(())
    }
}

impl Simulation for EngineSimulation {
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
            self.step(&mut advance).map_err(SimulationError::engine)?;
        }
        Ok(Advance { elapsed: advance.elapsed, ..self.clock.advance(time, from) })
    }

    fn body_count(&self) -> usize {
        self.built.world.len() - usize::from(self.built.ground.is_some())
    }

    fn activity(&self) -> Activity {
        let world = &self.built.world;
        let bodies = world.body_ids().filter_map(|id| world.body(id).ok());
        let dynamic = bodies.filter(|body| body.kind() == BodyKind::Dynamic);
        dynamic.fold(Activity::default(), |mut sums, body| {
            *if body.is_awake() { &mut sums.awake } else { &mut sums.asleep } += 1;
            sums
        })
    }

    fn body_name(&self, number: u32) -> Option<&str> {
        let own = self.scene.bodies.get(number as usize).map(|body| body.id.as_str());
        own.or_else(|| self.built.timeline.appeared((number as usize).checked_sub(self.scene.bodies.len())?))
    }

    fn bodies(&self, out: &mut BodyBuffer) {
        out.clear(OrientationKind::Quaternion);
        let world = &self.built.world;
        let ids = world.body_ids().filter(|id| Some(*id) != self.built.ground);
        for body in ids.filter_map(|id| world.body(id).ok()) {
            out.push(BodyState {
                number: body.user_data() as u32,
                position: body.position(),
                orientation: Orientation::Quaternion(body.rotation().to_xyzw()),
                velocity: body.velocity(),
                angular_velocity: body.angular_velocity(),
            });
        }
        // A body that appeared may lie in the slot of one that has gone.
        out.sort();
    }

    fn contacts(&self, out: &mut Vec<Contact>) {
        out.clear();
        for contact in self.built.world.contacts() {
            let mut points = contact.points().peekable();
            // Most pairs of boxes that overlap have none.
            if points.peek().is_none() {
                continue;
            }
            let (bodies, normal) = (self.numbers_of(contact.bodies()), contact.normal());
            let is_touching = contact.is_touching();
            out.extend(points.map(|point| Contact {
                bodies,
                point: point.position,
                normal,
                depth: -point.separation,
                impulse: point.normal_impulse,
                is_touching,
            }));
        }
    }

    fn tested_pairs(&self, out: &mut Vec<[u32; 2]>) {
        out.clear();
        out.extend(self.built.world.contacts().map(|contact| {
            let [a, b] = self.numbers_of(contact.bodies());
            [a.min(b), a.max(b)]
        }));
    }

    fn joint_count(&self) -> usize {
        self.built.world.joint_ids().count()
    }

    fn joints(&self, out: &mut Vec<JointState>) {
        out.clear();
        for (number, id) in self.built.joints.iter().enumerate() {
            // Joints break, and go with their bodies.
            let Ok(joint) = self.built.world.joint(*id) else { continue };
            out.push(JointState {
                number: number as u32,
                bodies: joint.bodies().map_or([NO_BODY; 2], |ids| ids.map(|id| self.number_of(id))),
                anchors: joint.anchors(),
                force: joint.force(),
                torque: joint.torque(),
                error: joint.error(),
            });
        }
    }

    fn joint_error(&self) -> Option<JointError> {
        Some(self.built.world.joint_error())
    }

    fn events(&self, out: &mut Vec<Event>) {
        out.clear();
        let number = |id: &BodyId| self.number_of(*id);
        let pair = |ids: &[BodyId; 2]| [number(&ids[0]), number(&ids[1])];
        let mut tell = |kind, bodies, strength| out.push(Event { kind, bodies, strength });
        let world = &self.built.world;
        let events = world.events();
        events.touch_begin().iter().for_each(|e| tell(EventKind::ContactBegin, pair(&e.bodies), 0.0));
        events.touch_end().iter().for_each(|e| tell(EventKind::ContactEnd, pair(&e.bodies), 0.0));
        events.hits().iter().for_each(|e| tell(EventKind::Hit, pair(&e.bodies), e.approach));
        events.woken().iter().for_each(|id| tell(EventKind::Woke, [number(id), NO_BODY], 0.0));
        events.slept().iter().for_each(|id| tell(EventKind::FellAsleep, [number(id), NO_BODY], 0.0));
        for broken in world.broken_joints() {
            tell(EventKind::JointBroken, pair(&broken.bodies), broken.force.length());
        }
        for id in &world.report().quarantined {
            tell(EventKind::Quarantined, [number(id), NO_BODY], 0.0);
        }
    }

    fn quarantined(&self, out: &mut Vec<u32>) {
        out.clone_from(&self.quarantined);
    }

    fn metrics(&self, out: &mut Vec<MetricValue>) {
        out.clone_from(&self.metrics);
    }

    fn mechanics(&self) -> Mechanics {
        let mut sums = Mechanics::default();
        let world = &self.built.world;
        let gravity = world.settings().gravity;
        let own = |number: usize| {
            let body = self.scene.bodies.get(number);
            body.map_or((Vec3::ZERO, 1.0), |body| (Vec3::from(body.acceleration), body.gravity_scale))
        };
        for body in world.body_ids().filter_map(|id| world.body(id).ok()) {
            let mass = body.mass();
            if mass <= 0.0 {
                continue;
            }
            let (acceleration, scale) = own(body.user_data() as usize);
            let pull = acceleration + gravity * scale;
            sums.add_body(f64::from(mass), body.centre_of_mass(), body.velocity(), pull);
            sums.angular_momentum += body.angular_momentum().as_dvec3();
            sums.kinetic += body.kinetic_energy();
        }
        let mut depths = Vec::new();
        for contact in world.contacts().filter(ContactRef::is_touching) {
            depths.extend(contact.points().map(|point| -point.separation));
        }
        sums.set_overlaps(depths.into_iter());
        sums
    }

    fn state_hash(&self) -> u64 {
        self.built.world.state_hash()
    }

    fn snapshot(&self) -> Snapshot {
        Snapshot { time: self.clock.time(), state: self.built.world.snapshot().to_bytes() }
    }

    fn restore(&mut self, snapshot: &Snapshot, _: &mut dyn FnMut()) -> Result<(), SimulationError> {
        let state = WorldSnapshot::from_bytes(&snapshot.state).map_err(SimulationError::engine)?;
        self.built.world.restore(&state);
        self.clock.steps = self.clock.steps_at(snapshot.time);
        // What has happened is what was due before the last step.
        if let Some(last) = self.clock.steps.checked_sub(1) {
            let time = FixedStep { steps: last, ..self.clock }.time();
            let world = &self.built.world;
            self.built.timeline.skip(time, |number| find(world, number));
        }
        Ok(())
    }

    fn apply(&mut self, action: &Action) -> Result<(), SimulationError> {
        let SceneWorld { world, timeline, bodies, joints, .. } = &mut self.built;
        timeline.learn_names(&self.scene, bodies, joints);
        timeline.apply(action, world, &self.folder).map_err(SimulationError::engine)
    }
}

/// The body with a number, if it is still there.
fn find(world: &World, number: usize) -> Option<BodyId> {
    let mut ids = world.body_ids();
    ids.find(|id| world.body(*id).is_ok_and(|body| body.user_data() == number as u64))
}

#[cfg(test)]
mod tests;
