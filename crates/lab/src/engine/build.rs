//! A world of the engine from a scene.
//!
//! A scene that needs what the engine does not have is refused with the whole list; what merely has no effect is told by
//! [`ignored`]. Bodies are inserted in the order of the scene, so that equal scenes give equal ids and equal runs.

use std::path::Path;

use carom_dynamics::{
    BodyDef, BodyId, BodyKind, JointId, Layers, LockedAxes, Material, ShapeDef, World, WorldError,
};
use carom_geometry::mass::{GivenMassError, MassProperties};
use carom_geometry::shape::ShapeMassError;
use carom_geometry::{Matrix3, Pose};
use carom_scene::Scene;
use carom_scene::model;
use glam::{DVec3, Vec3};

use super::EngineSettings;
use super::joints::{self, Joined, JointReason};
use super::timeline::Timeline;
use crate::form::{FormError, Forms, rotation, spin};

/// Most reasons listed in a message.
const SHOWN_REASONS: usize = 8;

/// Why a scene cannot be run by the engine.
#[derive(Debug, thiserror::Error)]
pub enum CannotRun {
    /// The scene uses what the engine does not have.
    #[error("the soft-step solver cannot run this scene:\n{}", listed(.0))]
    Unsupported(Vec<String>),
    /// A body that cannot be.
    #[error("body '{body}': {reason}")]
    Body {
        /// Its id in the scene.
        body: String,
        /// Why.
        reason: BodyReason,
    },
    /// A joint that cannot be.
    #[error("joint '{joint}': {reason}")]
    Joint {
        /// Its id in the scene.
        joint: String,
        /// Why.
        reason: JointReason,
    },
    /// A step that the world refuses.
    #[error(transparent)]
    Step(#[from] WorldError),
}

/// Why a body cannot be.
#[derive(Debug, thiserror::Error)]
pub enum BodyReason {
    /// A shape that cannot be made.
    #[error("shape {shape}: {error}")]
    Form {
        /// Which one.
        shape: usize,
        /// Why.
        error: FormError,
    },
    /// No mass can be computed from a shape.
    #[error("shape {shape}: {error}")]
    Mass {
        /// Which one.
        shape: usize,
        /// Why.
        error: ShapeMassError,
    },
    /// A mass given by hand that no body has.
    #[error(transparent)]
    Given(#[from] GivenMassError),
    /// A total mass for shapes without any of their own.
    #[error("a mass of {mass} kg cannot be spread over shapes without density")]
    Spread {
        /// As given.
        mass: f32,
    },
    /// The world refuses it.
    #[error(transparent)]
    World(#[from] WorldError),
}

fn listed(reasons: &[String]) -> String {
    let mut lines: Vec<String> = reasons.iter().take(SHOWN_REASONS).map(|r| format!("  {r}")).collect();
    if reasons.len() > SHOWN_REASONS {
        lines.push(format!("  … and {} more", reasons.len() - SHOWN_REASONS));
    }
    lines.join("\n")
}

/// A world with what its scene still has in store for it.
pub struct Built {
    /// The world.
    pub world: World,
    /// Ids of the scene's bodies, in the scene's order.
    pub bodies: Vec<BodyId>,
    /// Ids of the scene's joints, in the scene's order.
    pub joints: Vec<JointId>,
    /// A body without shapes that stands for the world, if joints are fastened to it.
    pub ground: Option<BodyId>,
    /// What happens later.
    pub timeline: Timeline,
}

/// Builds the world of a sound scene.
///
/// # Errors
/// If the scene uses what the engine does not have, or a body has a value it cannot have.
pub fn world(scene: &Scene, settings: &EngineSettings) -> Result<Built, CannotRun> {
    let reasons = unsupported(scene);
    if !reasons.is_empty() {
        return Err(CannotRun::Unsupported(reasons));
    }
    let mut world = World::new(settings.world_def(scene));
    let mut maker = BodyMaker::new(scene, &settings.folder);
    let mut bodies = Vec::with_capacity(scene.bodies.len());
    for (number, body) in scene.bodies.iter().enumerate() {
        bodies.push(maker.insert(&mut world, body, number)?);
    }
    let Joined { joints, ground } = joints::join(&mut world, scene, &bodies)?;
    let timeline = Timeline::new(scene, &bodies, &joints);
    Ok(Built { world, bodies, joints, ground, timeline })
}

/// Everything in the scene that the engine does not have, in words.
fn unsupported(scene: &Scene) -> Vec<String> {
    let mut reasons = Vec::new();
    if !scene.fields.is_empty() {
        let count = scene.fields.len();
        reasons.push(format!("it has force fields ({count}), which the solver does not know yet"));
    }
    for joint in &scene.joints {
        if matches!(joint.kind, model::JointKind::Boundary { .. }) {
            reasons.push(format!("joint '{}' is a boundary, which the solver does not know", joint.id));
        }
    }
    reasons
}

/// What the scene asks for that the engine ignores, in words; worth a remark, no reason to refuse.
#[must_use]
pub fn ignored(scene: &Scene) -> Vec<&'static str> {
    let asked = [(scene.solver.iterations.is_some(), "iterations (it has substeps)")];
    asked.into_iter().filter_map(|(asked, what)| asked.then_some(what)).collect()
}

/// Makes bodies of a world from bodies of a scene.
pub(crate) struct BodyMaker<'a> {
    forms: Forms<'a>,
    origin: DVec3,
}

impl<'a> BodyMaker<'a> {
    pub(crate) fn new(scene: &Scene, folder: &'a Path) -> Self {
        Self { forms: Forms::new(folder), origin: DVec3::from(scene.world.origin) }
    }

    /// Inserts a body with its shapes; its number is found again in its user data.
    pub(crate) fn insert(
        &mut self,
        world: &mut World,
        body: &model::Body,
        number: usize,
    ) -> Result<BodyId, CannotRun> {
        let failed = |reason| CannotRun::Body { body: body.id.clone(), reason };
        let shapes = self.shapes(body).map_err(failed)?;
        let def = BodyDef { user_data: number as u64, ..self.definition(body, &shapes).map_err(failed)? };
        world.add_body(def, shapes).map_err(|error| failed(error.into()))
    }

    fn shapes(&mut self, body: &model::Body) -> Result<Vec<ShapeDef>, BodyReason> {
        let make = |(at, shape): (usize, &model::Shape)| {
            let (form, turn) =
                self.forms.shape(&shape.kind).map_err(|error| BodyReason::Form { shape: at, error })?;
            Ok(ShapeDef {
                shape: form,
                local_pose: Pose::new(Vec3::from(shape.position), rotation(shape.orientation) * turn),
                density: shape.material.density,
                material: Material {
                    friction: shape.material.friction,
                    restitution: shape.material.restitution,
                    rolling: shape.material.rolling_friction,
                },
                layers: Layers {
                    category: shape.filter.layers,
                    mask: shape.filter.mask,
                    group: shape.filter.group,
                },
                is_sensor: shape.sensor,
                user_data: at as u64,
            })
        };
        body.shapes.iter().enumerate().map(make).collect()
    }

    fn definition(&self, body: &model::Body, shapes: &[ShapeDef]) -> Result<BodyDef, BodyReason> {
        let own = BodyDef::default();
        Ok(BodyDef {
            kind: match body.kind {
                model::BodyKind::Static => BodyKind::Static,
                model::BodyKind::Kinematic => BodyKind::Kinematic,
                model::BodyKind::Dynamic => BodyKind::Dynamic,
                model::BodyKind::Particle => BodyKind::Particle,
            },
            position: self.origin + Vec3::from(body.position).as_dvec3(),
            rotation: rotation(body.orientation),
            velocity: body.velocity.into(),
            angular_velocity: spin(body.spin),
            acceleration: body.acceleration.into(),
            gravity_scale: body.gravity_scale,
            linear_damping: body.linear_damping,
            angular_damping: body.angular_damping,
            max_speed: body.max_speed.unwrap_or(own.max_speed),
            max_angular_speed: body.max_spin.unwrap_or(own.max_angular_speed),
            locked: LockedAxes { translation: body.locked.translation, rotation: body.locked.rotation },
            can_sleep: body.can_sleep,
            is_bullet: body.bullet,
            mass: if body.kind.is_immovable() { None } else { mass(body, shapes)? },
            ..own
        })
    }
}

/// The mass properties that the scene gives; `None` leaves them to the shapes.
fn mass(body: &model::Body, shapes: &[ShapeDef]) -> Result<Option<MassProperties>, BodyReason> {
    match body.mass {
        model::Mass::FromDensity => Ok(None),
        model::Mass::Total(mass) => {
            let mut sum = MassProperties::NOTHING;
            for (at, def) in shapes.iter().enumerate().filter(|(_, def)| !def.is_sensor) {
                let own = def.shape.mass_properties(def.density);
                let own = own.map_err(|error| BodyReason::Mass { shape: at, error })?;
                sum = sum.plus(&own.posed(&def.local_pose));
            }
            sum.with_mass(mass).map(Some).ok_or(BodyReason::Spread { mass })
        }
        model::Mass::Full { mass, centre, inertia: [xx, yy, zz, xy, xz, yz] } => {
            let columns = [Vec3::new(xx, xy, xz), Vec3::new(xy, yy, yz), Vec3::new(xz, yz, zz)];
            Ok(Some(MassProperties::given(mass, centre.into(), &Matrix3 { columns })?))
        }
    }
}
