//! A Fingsics world from a scene.
//!
//! The rules of Fingsics know balls, capsules and tiles, one per body, and nothing of joints,
//! friction or fields. A scene that needs more is refused with the whole list of what it needs;
//! what merely has no effect (friction, damping of zero and the like) passes. Gravity becomes an
//! acceleration of each body, as scenes of Fingsics write it.

use crate::arithmetic::{RowMatrix, radians};
use crate::{FingsicsBody, FingsicsSettings, FingsicsShape, FingsicsWorld, FingsicsWorldError};
use carom_scene::Scene;
use carom_scene::model::{
    AngularVelocity, Axis, Body, BodyKind, Filter, LockedAxes, Mass, Orientation, Shape, ShapeKind,
};
use glam::Vec3;

/// Most reasons listed in a message.
const SHOWN_REASONS: usize = 8;

/// Why a scene cannot be run by the Fingsics rules.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FingsicsSceneError {
    /// The scene uses what the rules do not know.
    #[error("the fingsics rules cannot run this scene:\n{}", listed(.0))]
    Unsupported(Vec<String>),
    /// A value no body can have.
    #[error(transparent)]
    World(#[from] FingsicsWorldError),
}

fn listed(reasons: &[String]) -> String {
    let mut lines: Vec<String> = reasons.iter().take(SHOWN_REASONS).map(|r| format!("  {r}")).collect();
    if reasons.len() > SHOWN_REASONS {
        lines.push(format!("  … and {} more", reasons.len() - SHOWN_REASONS));
    }
    lines.join("\n")
}

impl FingsicsWorld {
    /// Builds the world of a scene.
    ///
    /// # Errors
    /// If the scene uses what the rules do not know, or a body has a value it cannot have.
    pub fn from_scene(scene: &Scene, settings: FingsicsSettings) -> Result<Self, FingsicsSceneError> {
        let bodies = bodies(scene).map_err(FingsicsSceneError::Unsupported)?;
        Ok(Self::new(&bodies, settings)?)
    }
}

/// The bodies of a scene.
///
/// # Errors
/// Everything in the scene that the rules do not know, a sentence each.
pub fn bodies(scene: &Scene) -> Result<Vec<FingsicsBody>, Vec<String>> {
    let mut reasons = Vec::new();
    for (count, what) in [
        (scene.joints.len(), "joints"),
        (scene.fields.len(), "force fields"),
        (scene.events.len(), "events over time"),
    ] {
        if count > 0 {
            reasons.push(format!("it has {what} ({count}), which the rules do not know"));
        }
    }
    let gravity = Vec3::from(scene.world.gravity);
    let mut bodies = Vec::new();
    for body in &scene.bodies {
        match definition(body, gravity) {
            Ok(definition) => bodies.push(definition),
            Err(reason) => reasons.push(format!("body '{}': {reason}", body.id)),
        }
    }
    if reasons.is_empty() { Ok(bodies) } else { Err(reasons) }
}

/// What the scene asks for that these rules ignore, in words; worth a remark, no reason to refuse.
#[must_use]
pub fn ignored(scene: &Scene) -> Vec<&'static str> {
    let shapes =
        || scene.bodies.iter().filter(|body| !body.kind.is_immovable()).flat_map(|body| &body.shapes);
    [
        (shapes().any(|shape| shape.material.friction != 0.0), "friction"),
        (shapes().any(|shape| shape.material.rolling_friction != 0.0), "rolling friction"),
        (scene.bodies.iter().any(|body| body.bullet), "continuous collision of bullets"),
    ]
    .into_iter()
    .filter_map(|(asked, what)| asked.then_some(what))
    .collect()
}

fn definition(body: &Body, gravity: Vec3) -> Result<FingsicsBody, String> {
    if let Some(reason) = unsupported(body) {
        return Err(reason.to_owned());
    }
    let [shape] = body.shapes.as_slice() else {
        return Err(format!("has {} shapes, the rules know bodies of one", body.shapes.len()));
    };
    let rotation = rotation(body.orientation);
    let (shape_def, rotation) = shape_def(&shape.kind, rotation)?;
    let felt = if body.kind == BodyKind::Dynamic { gravity * body.gravity_scale } else { Vec3::ZERO };
    let own = Vec3::from(body.acceleration);
    Ok(FingsicsBody {
        id: body.id.clone(),
        shape: shape_def,
        immovable: body.kind.is_immovable(),
        position: body.position.into(),
        rotation,
        velocity: body.velocity.into(),
        angular_velocity: match body.angular_velocity {
            AngularVelocity::Radians(velocity) => velocity.into(),
            AngularVelocity::Degrees(velocity) => radians(velocity.into()),
        },
        acceleration: if felt == Vec3::ZERO { own } else { own + felt },
        mass: mass(body, shape, &shape_def)?,
        elasticity: shape.material.restitution,
    })
}

fn unsupported(body: &Body) -> Option<&'static str> {
    let shape = body.shapes.first();
    [
        (body.kind == BodyKind::Particle, "is a particle"),
        (body.locked != LockedAxes::default(), "has locked axes"),
        (body.linear_damping != 0.0 || body.angular_damping != 0.0, "is damped"),
        (body.max_speed.is_some() || body.max_angular_speed.is_some(), "has a speed limit of its own"),
        (matches!(body.mass, Mass::Full { .. }), "has an inertia given by hand"),
        (shape.is_some_and(|s| s.sensor), "has a sensor"),
        (shape.is_some_and(|s| s.filter != Filter::default()), "has a collision filter"),
        (
            shape.is_some_and(|s| s.position != [0.0; 3] || s.orientation != Orientation::IDENTITY),
            "has a shape away from its centre",
        ),
    ]
    .into_iter()
    .find_map(|(found, reason)| found.then_some(reason))
}

/// The shape, and the body's rotation turned so that a capsule lies along local z. The extra turns
/// have only zeros and ones in their matrices, so they cost no rounding.
fn shape_def(kind: &ShapeKind, rotation: RowMatrix) -> Result<(FingsicsShape, RowMatrix), String> {
    match *kind {
        ShapeKind::Sphere { radius } => Ok((FingsicsShape::Ball { radius }, rotation)),
        ShapeKind::Tile { length, width } => Ok((FingsicsShape::Tile { length, width }, rotation)),
        ShapeKind::Capsule { radius, length, axis } => {
            let z_to = match axis {
                Axis::Z => return Ok((FingsicsShape::Capsule { radius, length }, rotation)),
                Axis::Y => RowMatrix([Vec3::X, Vec3::Z, Vec3::NEG_Y]),
                Axis::X => RowMatrix([Vec3::Z, Vec3::Y, Vec3::NEG_X]),
            };
            Ok((FingsicsShape::Capsule { radius, length }, rotation.times(&z_to)))
        }
        ref other => Err(format!("is a {}, the rules know spheres, capsules and tiles", other.name())),
    }
}

fn rotation(orientation: Orientation) -> RowMatrix {
    match orientation {
        Orientation::EulerDegrees(degrees) => RowMatrix::from_euler(radians(degrees.into())),
        Orientation::Quaternion([x, y, z, w]) => {
            let norm = (x * x + y * y + z * z + w * w).sqrt();
            let [x, y, z, w] = [x, y, z, w].map(|c| c / norm);
            RowMatrix([
                Vec3::new(1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)),
                Vec3::new(2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)),
                Vec3::new(2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)),
            ])
        }
    }
}

fn mass(body: &Body, shape: &Shape, def: &FingsicsShape) -> Result<f32, String> {
    use std::f32::consts::PI;
    let volume = match (body.mass, *def) {
        (Mass::Total(mass) | Mass::Full { mass, .. }, _) => return Ok(mass),
        (Mass::FromDensity, FingsicsShape::Ball { radius }) => 4.0 / 3.0 * PI * radius * radius * radius,
        (Mass::FromDensity, FingsicsShape::Capsule { radius, length }) => {
            PI * radius * radius * (length + 4.0 / 3.0 * radius)
        }
        (Mass::FromDensity, FingsicsShape::Tile { .. }) if body.kind.is_immovable() => return Ok(1.0),
        (Mass::FromDensity, FingsicsShape::Tile { .. }) => {
            return Err("is a movable tile without a mass; a tile has no volume to take it from".to_owned());
        }
    };
    Ok(shape.material.density * volume)
}
