//! Bodies checked and measured before a world sees them: on another thread, or all of a batch
//! before the first is inserted.

use std::borrow::Borrow;

use carom_geometry::Pose;
use carom_geometry::mass::MassProperties;

use super::World;
use super::check::{
    check_finite, check_limit, check_mass, check_material, check_not_negative, check_position,
    check_rotation, check_threshold, check_vector,
};
use crate::state::definition::{BodyDef, ShapeDef};
use crate::state::error::WorldError;
use crate::state::id::BodyId;
use crate::state::motion::is_near;
use crate::state::shapes::{ShapeCold, ShapeRow};

/// A body that is fit to be inserted: checked, with its mass and the boxes of its shapes. Making it
/// needs no world.
///
/// ```
/// use carom_dynamics::{BodyDef, PreparedBody, ShapeDef, World, WorldDef};
/// use carom_geometry::shape::Sphere;
/// let ball = ShapeDef::new(Sphere::new(0.5)?);
/// let prepared = std::thread::spawn(|| PreparedBody::new(BodyDef::dynamic(), [ball])).join().unwrap()?;
/// let mut world = World::new(WorldDef::default());
/// let id = world.add_prepared(&prepared);
/// assert!((world.body(id)?.mass() - 523.6).abs() < 0.1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PreparedBody {
    pub(crate) def: BodyDef,
    pub(crate) properties: MassProperties,
    pub(crate) shapes: Vec<(ShapeRow, ShapeCold)>,
}

impl PreparedBody {
    /// Checks a body with its shapes and computes what can be computed ahead.
    ///
    /// # Errors
    /// If a number is not finite, or a dynamic body would have no mass.
    pub fn new(
        def: impl Borrow<BodyDef>,
        shapes: impl IntoIterator<Item = ShapeDef>,
    ) -> Result<Self, WorldError> {
        let def = def.borrow().clone();
        check_body(&def)?;
        let shapes: Vec<ShapeDef> = shapes.into_iter().collect();
        for shape in &shapes {
            check_shape(shape)?;
        }
        let properties = mass_of(&def, &shapes)?;
        Ok(Self { def, properties, shapes: shapes.iter().map(row_of).collect() })
    }
}

/// What a world keeps of a shape.
pub(crate) fn row_of(def: &ShapeDef) -> (ShapeRow, ShapeCold) {
    (ShapeRow::new(def), ShapeCold::new(def))
}

impl World {
    /// Inserts a prepared body.
    pub fn add_prepared(&mut self, prepared: &PreparedBody) -> BodyId {
        let id = self.state.bodies.insert(&prepared.def);
        self.state.bodies.set_mass(id.slot, &prepared.properties);
        for (row, cold) in &prepared.shapes {
            self.state.insert_shape(id.slot, row.clone(), *cold, self.def.speculative_distance);
        }
        let first = self.state.bodies.first_shapes[id.index()];
        self.state.shapes.note_siblings(first);
        self.state.rebuild_boxes(id.slot, self.def.speculative_distance);
        id
    }

    /// Inserts many bodies, or none if one of them is bad.
    ///
    /// # Errors
    /// The first that is refused, with its number.
    pub fn add_bodies<S: IntoIterator<Item = ShapeDef>>(
        &mut self,
        bodies: impl IntoIterator<Item = (BodyDef, S)>,
    ) -> Result<Vec<BodyId>, WorldError> {
        let prepared = bodies.into_iter().enumerate().map(|(index, (def, shapes))| {
            PreparedBody::new(def, shapes)
                .map_err(|reason| WorldError::InBatch { index, reason: Box::new(reason) })
        });
        let prepared: Vec<PreparedBody> = prepared.collect::<Result<_, _>>()?;
        Ok(prepared.iter().map(|body| self.add_prepared(body)).collect())
    }
}

fn check_body(def: &BodyDef) -> Result<(), WorldError> {
    let whose = "a new body";
    check_position(whose, def.position)?;
    check_rotation(whose, def.rotation)?;
    check_vector(whose, "velocity", def.velocity)?;
    check_vector(whose, "angular velocity", def.angular_velocity)?;
    check_vector(whose, "acceleration", def.acceleration)?;
    check_finite(whose, "gravity_scale", def.gravity_scale)?;
    check_not_negative(whose, "linear_damping", def.linear_damping)?;
    check_not_negative(whose, "angular_damping", def.angular_damping)?;
    check_limit(whose, "max_speed", def.max_speed)?;
    check_limit(whose, "max_angular_speed", def.max_angular_speed)?;
    def.mass.map_or(Ok(()), |mass| check_mass(whose, &mass))
}

pub(crate) fn check_shape(def: &ShapeDef) -> Result<(), WorldError> {
    let whose = "a new shape";
    check_local_pose(whose, &def.local_pose)?;
    check_not_negative(whose, "density", def.density)?;
    check_threshold(whose, def.contact_force_threshold)?;
    check_material(whose, &def.material)
}

/// Refuses places on a body that are none; `whose` goes into the message.
pub(crate) fn check_local_pose(whose: impl std::fmt::Display, pose: &Pose) -> Result<(), WorldError> {
    if pose.is_finite() && is_near(pose.translation.as_dvec3()) {
        return Ok(());
    }
    Err(WorldError::value(whose, "local pose", pose, "every number must be finite, and within 1e9 m"))
}

fn mass_of(def: &BodyDef, shapes: &[ShapeDef]) -> Result<MassProperties, WorldError> {
    if !def.kind.is_dynamic() {
        return Ok(def.mass.unwrap_or_default());
    }
    let mut properties = MassProperties::NOTHING;
    match def.mass {
        Some(given) => properties = given,
        None => {
            for (at, shape) in shapes.iter().enumerate().filter(|(_, shape)| !shape.is_sensor) {
                let own = shape.shape.mass_properties(shape.density);
                let own = own.map_err(|reason| WorldError::ShapeMass { shape: at, reason })?;
                properties = properties.plus(&own.posed(&shape.local_pose));
            }
        }
    }
    if !(properties.mass > 0.0 && properties.is_finite()) {
        return Err(WorldError::NoMass { mass: properties.mass });
    }
    Ok(properties)
}
