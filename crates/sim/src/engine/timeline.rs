//! What a scene does to its world over time: bodies appear and vanish, get pushes and new
//! velocities, motors change, gravity turns.
//!
//! An event happens before the first step that starts at or after its time; events of one step
//! happen in the order of their times, and of the scene where those are equal. Events that name a
//! body or a joint that is gone have no effect.

use std::collections::BTreeMap;
use std::path::Path;

use carom_dynamics::{BodyId, JointId, World};
use carom_scene::Scene;
use carom_scene::model::{Action, Body, Event};
use glam::{DVec3, Vec3};

use super::build::{BodyBuilder, EngineError};
use super::joints::motor;

/// A step's time is a product that rounding may put just below an event's.
const ROUNDING: f64 = 1e-9;

/// The events of a scene on their way, with the bodies they name.
pub struct Timeline {
    /// In the order they happen.
    events: Vec<Event>,
    next: usize,
    /// Are the names of the scene known?
    is_named: bool,
    /// Bodies by their ids in the scene; empty where no event asks.
    names: BTreeMap<String, BodyId>,
    /// Joints by their ids in the scene; empty where no event asks.
    joints: BTreeMap<String, JointId>,
    scene: Scene,
    /// Bodies of the scene at the beginning; those that appear are numbered from there on.
    first_number: usize,
    /// Ids of the bodies that appeared, in that order.
    appeared: Vec<String>,
}

impl Timeline {
    /// The events of a scene whose bodies and joints have these ids.
    pub(crate) fn new(scene: &Scene, bodies: &[BodyId], joints: &[JointId]) -> Self {
        let mut events = scene.events.clone();
        events.sort_by(|a, b| a.time.total_cmp(&b.time));
        let mut timeline = Self {
            events,
            next: 0,
            is_named: false,
            names: BTreeMap::new(),
            joints: BTreeMap::new(),
            // Spawned bodies are made in the frame of the scene.
            scene: Scene { world: scene.world, ..Scene::default() },
            first_number: scene.bodies.len(),
            appeared: Vec::new(),
        };
        if !timeline.events.is_empty() {
            timeline.learn_names(scene, bodies, joints);
        }
        timeline
    }

    /// Learns the names of bodies and joints, if it has not yet.
    pub(crate) fn learn_names(&mut self, scene: &Scene, bodies: &[BodyId], joints: &[JointId]) {
        if self.is_named {
            return;
        }
        self.is_named = true;
        let named = scene.bodies.iter().zip(bodies);
        self.names = named.map(|(body, id)| (body.id.clone(), *id)).collect();
        let named = scene.joints.iter().zip(joints);
        self.joints = named.map(|(joint, id)| (joint.id.clone(), *id)).collect();
    }

    /// Events that have not happened yet.
    #[must_use]
    pub fn remaining(&self) -> usize {
        self.events.len() - self.next
    }

    /// Id of a body that appeared: 0 for the first one.
    #[must_use]
    pub fn appeared(&self, at: usize) -> Option<&str> {
        self.appeared.get(at).map(String::as_str)
    }

    /// Does what is due before the step that starts at `time`.
    ///
    /// # Errors
    /// If a body that should appear cannot be.
    pub fn advance(&mut self, time: f64, world: &mut World, folder: &Path) -> Result<(), EngineError> {
        let now = time + ROUNDING;
        while let Some(event) = self.events.get(self.next).filter(|event| f64::from(event.time) <= now) {
            self.next += 1;
            let action = event.action.clone();
            self.apply(&action, world, folder)?;
        }
        Ok(())
    }

    /// Takes the events of a world that has lived to `time` as done; `find` gives the body with a
    /// number, if it is still there.
    pub fn skip(&mut self, time: f64, find: impl Fn(usize) -> Option<BodyId>) {
        let now = time + ROUNDING;
        while let Some(event) = self.events.get(self.next).filter(|event| f64::from(event.time) <= now) {
            self.next += 1;
            match &event.action {
                Action::Spawn(body) => {
                    let number = self.first_number + self.appeared.len();
                    self.appeared.push(body.id.clone());
                    if let Some(id) = find(number) {
                        self.names.insert(body.id.clone(), id);
                    }
                }
                Action::Remove { body } => {
                    self.names.remove(body);
                }
                _ => {}
            }
        }
    }

    /// Does to the world what an event would do, now.
    ///
    /// # Errors
    /// If a body that should appear cannot be.
    pub fn apply(&mut self, action: &Action, world: &mut World, folder: &Path) -> Result<(), EngineError> {
        match action {
            Action::Spawn(body) => self.spawn(body, world, folder)?,
            Action::Remove { body } => {
                if let Some(id) = self.names.remove(body) {
                    world.remove_body(id)?;
                }
            }
            Action::SetVelocity { body, velocity } => {
                if let Some(id) = self.names.get(body) {
                    world.body_mut(*id)?.set_velocity(Vec3::from(*velocity))?;
                }
            }
            Action::Impulse { body, impulse, point } => {
                let Some(id) = self.names.get(body) else { return Ok(()) };
                let (impulse, mut body) = (Vec3::from(*impulse), world.body_mut(*id)?);
                match point {
                    Some(point) => {
                        let place = DVec3::from(self.scene.world.origin) + Vec3::from(*point).as_dvec3();
                        body.apply_impulse_at(impulse, place)?;
                    }
                    None => {
                        body.apply_impulse(impulse)?;
                    }
                }
            }
            Action::SetGravity { gravity } => {
                world.set_gravity(Vec3::from(*gravity))?;
            }
            Action::SetMotor { joint, motor: drive } => {
                // It may have broken, or gone with a body.
                if let Some(Ok(mut joint)) = self.joints.get(joint).map(|id| world.joint_mut(*id)) {
                    joint.set_motor(drive.map(motor))?;
                }
            }
        }
        Ok(())
    }

    fn spawn(&mut self, body: &Body, world: &mut World, folder: &Path) -> Result<(), EngineError> {
        let number = self.first_number + self.appeared.len();
        let id = BodyBuilder::new(&self.scene, folder).insert(world, body, number)?;
        self.appeared.push(body.id.clone());
        self.names.insert(body.id.clone(), id);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::build;
    use super::super::settings::EngineSettings;
    use super::*;
    use carom_scene::model::{Shape, ShapeKind};

    fn ball(id: &str, x: f32) -> Body {
        let shapes = vec![Shape::new(ShapeKind::Sphere { radius: 0.5 })];
        Body { id: id.into(), position: [x, 0.0, 0.0], shapes, ..Body::default() }
    }

    fn at(time: f32, action: Action) -> Event {
        Event { time, action }
    }

    /// Runs a scene of one ball and these events for two seconds and hands over what came of it.
    fn run(events: Vec<Event>) -> build::SceneWorld {
        let scene = Scene { bodies: vec![ball("a", 0.0)], events, ..Scene::default() };
        let mut built = build::world(&scene, &EngineSettings::default()).unwrap();
        for step in 0..120 {
            let time = f64::from(step) / 60.0;
            built.timeline.advance(time, &mut built.world, Path::new(".")).unwrap();
            built.world.step(1.0 / 60.0).unwrap();
        }
        assert_eq!(built.timeline.remaining(), 0);
        built
    }

    #[test]
    fn velocities_and_pushes_come_at_their_times() {
        let body = "a".to_owned();
        let built = run(vec![
            at(1.0, Action::SetVelocity { body: body.clone(), velocity: [3.0, 0.0, 0.0] }),
            at(0.5, Action::SetVelocity { body: body.clone(), velocity: [0.0, 2.0, 0.0] }),
        ]);
        let place = built.world.body(built.bodies[0]).unwrap().position();
        assert!((place - DVec3::new(3.0, 1.0, 0.0)).length() < 1e-4, "half a second up, one aside: {place}");

        let mass = 1000.0 * 4.0 / 3.0 * std::f32::consts::PI * 0.125;
        let point = Some([0.0, 0.0, 0.5]);
        let built = run(vec![at(1.0, Action::Impulse { body, impulse: [mass, 0.0, 0.0], point })]);
        let pushed = built.world.body(built.bodies[0]).unwrap();
        assert!((pushed.position().x - 1.0).abs() < 1e-3, "{}", pushed.position());
        // Half a metre off the centre: the moment of inertia is 0.4 m r².
        assert!(
            (pushed.angular_velocity().y - 0.5 / (0.4 * 0.25)).abs() < 1e-2,
            "{}",
            pushed.angular_velocity()
        );
    }

    #[test]
    fn bodies_come_and_go() {
        let built = run(vec![
            at(0.25, Action::Spawn(Box::new(ball("b", 3.0)))),
            at(0.5, Action::Spawn(Box::new(ball("c", 6.0)))),
            at(1.0, Action::Remove { body: "b".into() }),
            at(1.5, Action::Remove { body: "b".into() }),
        ]);
        assert_eq!(built.world.len(), 2);
    }

    #[test]
    fn gravity_turns() {
        let built = run(vec![at(1.0, Action::SetGravity { gravity: [0.0, -4.0, 0.0] })]);
        let fallen = built.world.body(built.bodies[0]).unwrap().position().y;
        assert!((fallen + 2.0).abs() < 1e-3, "g t² / 2 after one second: {fallen}");
    }
}
