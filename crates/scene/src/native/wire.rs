//! The scene on the wire: the top-level keys and the two conversions.
//!
//! One set of types serves text and binary. Every key that has a default is an `Option`: the text
//! leaves it out, the binary spends one byte on its absence. Nothing here may use serde's
//! `flatten`, `untagged` or `skip_serializing_if`, which a format without keys cannot express.

use serde::{Deserialize, Serialize};

use super::scalar::{List, Num, Triple, Wide, entries, plain, unless, unless_equal, unless_one};
use super::wire_body::BodyEntry;
use super::wire_event::{EventEntry, EventIds};
use super::wire_field::FieldEntry;
use super::wire_joint::JointEntry;
use crate::model::{Camera, Scene, SolverSettings, WorldSettings};

/// Every key of a scene file.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct WireScene {
    /// Version of the format. Required, but optional here so that its absence gets a message of its
    /// own.
    pub(super) carom: Option<u32>,
    name: Option<String>,
    description: Option<String>,
    gravity: Option<Triple>,
    origin: Option<[Wide; 3]>,
    solver: Option<WireSolver>,
    camera: Option<WireCamera>,
    body: Option<List<BodyEntry>>,
    joint: Option<List<JointEntry>>,
    field: Option<List<FieldEntry>>,
    event: Option<List<EventEntry>>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct WireSolver {
    steps_per_second: Option<u32>,
    frames: Option<u32>,
    substeps: Option<u32>,
    iterations: Option<u32>,
    solver: Option<String>,
    broad: Option<String>,
    narrow: Option<String>,
    integrator: Option<String>,
    sleep: Option<bool>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum WireCamera {
    Orbit { distance: Option<Num>, pitch: Option<Num>, yaw: Option<Num>, target: Option<Triple> },
    Free { position: Triple, pitch: Option<Num>, yaw: Option<Num> },
}

/// The camera's numbers when a file gives none: those of the model's default.
const DISTANCE: f32 = 40.0;
const PITCH: f32 = -25.0;
const YAW: f32 = 0.0;

impl WireScene {
    /// The keys of a scene, in the order they are written.
    pub(super) fn from_model(scene: &Scene, version: u32) -> Self {
        let mut ids = EventIds::new(scene.bodies.len());
        Self {
            carom: Some(version),
            name: unless_equal(scene.name.clone(), &String::new()),
            description: unless_equal(scene.description.clone(), &String::new()),
            gravity: unless(scene.world.gravity, [0.0; 3]),
            origin: origin_on_wire(scene.world.origin),
            solver: (scene.solver != SolverSettings::default())
                .then(|| WireSolver::from_model(&scene.solver)),
            camera: WireCamera::from_model(scene.camera),
            body: List::unless_empty(
                scene.bodies.iter().cloned().enumerate().map(|(i, body)| BodyEntry::new(body, i)).collect(),
            ),
            joint: List::unless_empty(
                scene
                    .joints
                    .iter()
                    .cloned()
                    .enumerate()
                    .map(|(i, joint)| JointEntry::new(joint, i))
                    .collect(),
            ),
            field: List::unless_empty(scene.fields.iter().copied().map(FieldEntry).collect()),
            event: List::unless_empty(
                scene.events.iter().cloned().map(|event| EventEntry::new(event, &mut ids)).collect(),
            ),
        }
    }

    /// The scene, with every default filled in.
    pub(super) fn into_model(self) -> Scene {
        let bodies: Vec<_> =
            entries(self.body).into_iter().enumerate().map(|(i, entry)| entry.into_model(i)).collect();
        let mut ids = EventIds::new(bodies.len());
        Scene {
            name: self.name.unwrap_or_default(),
            description: self.description.unwrap_or_default(),
            world: WorldSettings {
                gravity: self.gravity.map_or([0.0; 3], plain),
                origin: self.origin.map_or([0.0; 3], |origin| origin.map(|n| n.0)),
            },
            solver: self.solver.map(WireSolver::into_model).unwrap_or_default(),
            camera: self.camera.map(WireCamera::into_model).unwrap_or_default(),
            bodies,
            joints: entries(self.joint)
                .into_iter()
                .enumerate()
                .map(|(i, entry)| entry.into_model(i))
                .collect(),
            fields: entries(self.field).into_iter().map(|entry| entry.0).collect(),
            events: entries(self.event).into_iter().map(|entry| entry.into_model(&mut ids)).collect(),
        }
    }
}

/// The origin, unless it is zero to the bit.
fn origin_on_wire(origin: [f64; 3]) -> Option<[Wide; 3]> {
    origin.iter().any(|x| x.to_bits() != 0).then(|| origin.map(Wide))
}

impl WireSolver {
    fn from_model(settings: &SolverSettings) -> Self {
        let SolverSettings { steps_per_second, frames, substeps, iterations, .. } = *settings;
        let SolverSettings { solver, broad, narrow, integrator, sleep, .. } = settings.clone();
        Self { steps_per_second, frames, substeps, iterations, solver, broad, narrow, integrator, sleep }
    }

    fn into_model(self) -> SolverSettings {
        let Self { steps_per_second, frames, substeps, iterations, .. } = self;
        let Self { solver, broad, narrow, integrator, sleep, .. } = self;
        SolverSettings {
            steps_per_second,
            frames,
            substeps,
            iterations,
            solver,
            broad,
            narrow,
            integrator,
            sleep,
        }
    }
}

impl WireCamera {
    fn from_model(camera: Camera) -> Option<Self> {
        match camera {
            Camera::Orbit { distance, pitch, yaw, target } => {
                let distance = unless_one(distance, DISTANCE);
                let (pitch, yaw) = (unless_one(pitch, PITCH), unless_one(yaw, YAW));
                let target = unless(target, [0.0; 3]);
                let any = distance.is_some() || pitch.is_some() || yaw.is_some() || target.is_some();
                any.then_some(Self::Orbit { distance, pitch, yaw, target })
            }
            Camera::Free { position, pitch, yaw } => Some(Self::Free {
                position: position.map(Num),
                pitch: unless_one(pitch, PITCH),
                yaw: unless_one(yaw, YAW),
            }),
        }
    }

    fn into_model(self) -> Camera {
        match self {
            Self::Orbit { distance, pitch, yaw, target } => Camera::Orbit {
                distance: distance.map_or(DISTANCE, |n| n.0),
                pitch: pitch.map_or(PITCH, |n| n.0),
                yaw: yaw.map_or(YAW, |n| n.0),
                target: target.map_or([0.0; 3], plain),
            },
            Self::Free { position, pitch, yaw } => Camera::Free {
                position: plain(position),
                pitch: pitch.map_or(PITCH, |n| n.0),
                yaw: yaw.map_or(YAW, |n| n.0),
            },
        }
    }
}
