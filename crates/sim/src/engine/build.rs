//! A world of the engine from a scene.
//!
//! A scene that needs what the engine cannot do is refused with the whole list of [`limitations`].
//! Bodies are inserted in the order of the scene, so that equal scenes give equal ids and equal
//! runs.

use std::path::Path;

use carom_dynamics::{
    BodyDef, BodyId, BodyKind, JointId, Layers, LockedAxes, Material, ShapeDef, World, WorldError,
};
use carom_geometry::mass::{GivenMassError, MassProperties};
use carom_geometry::shape::ShapeMassError;
use carom_geometry::{Matrix3, Pose, Rotation};
use carom_scene::Scene;
use carom_scene::model;
use glam::{DVec3, Vec3};

use super::EngineSettings;
use super::figures::{figure, plane_half_height};
use super::joints::{self, JointBuildError, SceneJoints};
use super::timeline::Timeline;
use crate::registry::{BuildError, Limitation};
use crate::shapes::{ShapeBuildError, ShapeBuilder, angular_velocity, rotation};

/// Why a scene cannot be run by the engine.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// A body that cannot be.
    #[error("body '{body}': {reason}")]
    Body {
        /// Its id in the scene.
        body: String,
        /// Why.
        reason: BodyError,
    },
    /// A joint that cannot be.
    #[error("joint '{joint}': {reason}")]
    Joint {
        /// Its id in the scene.
        joint: String,
        /// Why.
        reason: JointBuildError,
    },
    /// A step that the world refuses.
    #[error(transparent)]
    Step(#[from] WorldError),
}

/// Why a body cannot be.
#[derive(Debug, thiserror::Error)]
pub enum BodyError {
    /// A shape that cannot be made.
    #[error("shape {shape}: {error}")]
    Shape {
        /// Which one.
        shape: usize,
        /// Why.
        error: ShapeBuildError,
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

/// A world with what its scene still has in store for it.
pub struct SceneWorld {
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
pub fn world(scene: &Scene, settings: &EngineSettings) -> Result<SceneWorld, BuildError> {
    BuildError::check("the soft-step solver", limitations(scene))?;
    insert_all(scene, settings).map_err(BuildError::engine)
}

fn insert_all(scene: &Scene, settings: &EngineSettings) -> Result<SceneWorld, EngineError> {
    let mut world = World::new(settings.world_def(scene));
    let mut builder = BodyBuilder::new(scene, &settings.folder);
    let mut bodies = Vec::with_capacity(scene.bodies.len());
    for (number, body) in scene.bodies.iter().enumerate() {
        bodies.push(builder.insert(&mut world, body, number)?);
    }
    let SceneJoints { joints, ground } = joints::join(&mut world, scene, &bodies)?;
    let timeline = Timeline::new(scene, &bodies, &joints);
    Ok(SceneWorld { world, bodies, joints, ground, timeline })
}

/// Everything in the scene that the engine cannot do.
#[must_use]
pub fn limitations(scene: &Scene) -> Vec<Limitation> {
    let mut all = Vec::new();
    if !scene.fields.is_empty() {
        let count = scene.fields.len();
        let reason = format!("it has force fields ({count}), which the solver does not know yet");
        all.push(Limitation::refused("force fields", reason));
    }
    for joint in &scene.joints {
        if matches!(joint.kind, model::JointKind::Boundary { .. }) {
            let reason = format!("joint '{}' is a boundary, which the solver does not know", joint.id);
            all.push(Limitation::refused("boundary joints", reason));
        }
    }
    if scene.solver.iterations.is_some() {
        all.push(Limitation::ignored(
            "iterations",
            "the soft-step solver knows no iterations (it has substeps)",
        ));
    }
    all
}

/// Adds bodies to a world from bodies of a scene.
pub(crate) struct BodyBuilder<'a> {
    shapes: ShapeBuilder<'a>,
    origin: DVec3,
    /// Half the height of the prisms of a scene that lies in the plane.
    plane_half_height: Option<f32>,
}

impl<'a> BodyBuilder<'a> {
    pub(crate) fn new(scene: &Scene, folder: &'a Path) -> Self {
        Self {
            shapes: ShapeBuilder::new(folder),
            origin: DVec3::from(scene.world.origin),
            plane_half_height: plane_half_height(scene),
        }
    }

    /// Inserts a body with its shapes; its number is found again in its user data.
    pub(crate) fn insert(
        &mut self,
        world: &mut World,
        body: &model::Body,
        number: usize,
    ) -> Result<BodyId, EngineError> {
        let failed = |reason| EngineError::Body { body: body.id.clone(), reason };
        let shapes = self.shapes(body).map_err(failed)?;
        let def = BodyDef { user_data: number as u64, ..self.definition(body, &shapes).map_err(failed)? };
        world.add_body(def, shapes).map_err(|error| failed(error.into()))
    }

    fn shapes(&mut self, body: &model::Body) -> Result<Vec<ShapeDef>, BodyError> {
        let make = |(at, shape): (usize, &model::Shape)| {
            let flat = self.plane_half_height.and_then(|half| Some((figure(&shape.kind)?, 2.0 * half)));
            let (form, turn, height) = match flat {
                Some((figure, height)) => (figure.into(), Rotation::IDENTITY, height),
                None => {
                    let made = self.shapes.shape(&shape.kind);
                    let (form, turn) = made.map_err(|error| BodyError::Shape { shape: at, error })?;
                    (form, turn, 1.0)
                }
            };
            Ok(ShapeDef {
                local_pose: Pose::new(Vec3::from(shape.position), rotation(shape.orientation) * turn),
                // Of figures it is per area.
                density: shape.material.density * height,
                material: Material {
                    friction: shape.material.friction,
                    restitution: shape.material.restitution,
                    rolling: shape.material.rolling_friction,
                    ..Material::default()
                },
                layers: Layers {
                    category: shape.filter.layers,
                    mask: shape.filter.mask,
                    group: shape.filter.group,
                },
                is_sensor: shape.sensor,
                user_data: at as u64,
                ..ShapeDef::new(form)
            })
        };
        body.shapes.iter().enumerate().map(make).collect()
    }

    fn definition(&self, body: &model::Body, shapes: &[ShapeDef]) -> Result<BodyDef, BodyError> {
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
            angular_velocity: angular_velocity(body.angular_velocity),
            acceleration: body.acceleration.into(),
            gravity_scale: body.gravity_scale,
            linear_damping: body.linear_damping,
            angular_damping: body.angular_damping,
            max_speed: body.max_speed.unwrap_or(own.max_speed),
            max_angular_speed: body.max_angular_speed.unwrap_or(own.max_angular_speed),
            locked: LockedAxes { translation: body.locked.translation, rotation: body.locked.rotation },
            can_sleep: body.can_sleep,
            is_bullet: body.bullet,
            mass: if body.kind.is_immovable() { None } else { mass(body, shapes)? },
            ..own
        })
    }
}

/// The mass properties that the scene gives; `None` leaves them to the shapes.
fn mass(body: &model::Body, shapes: &[ShapeDef]) -> Result<Option<MassProperties>, BodyError> {
    match body.mass {
        model::Mass::FromDensity => Ok(None),
        model::Mass::Total(mass) => {
            let mut sum = MassProperties::NOTHING;
            for (at, def) in shapes.iter().enumerate().filter(|(_, def)| !def.is_sensor) {
                let own = def.shape.mass_properties(def.density);
                let own = own.map_err(|error| BodyError::Mass { shape: at, error })?;
                sum = sum.plus(&own.posed(&def.local_pose));
            }
            sum.with_mass(mass).map(Some).ok_or(BodyError::Spread { mass })
        }
        model::Mass::Full { mass, centre, inertia: [xx, yy, zz, xy, xz, yz] } => {
            let columns = [Vec3::new(xx, xy, xz), Vec3::new(xy, yy, yz), Vec3::new(xz, yz, zz)];
            Ok(Some(MassProperties::given(mass, centre.into(), &Matrix3 { columns })?))
        }
    }
}
