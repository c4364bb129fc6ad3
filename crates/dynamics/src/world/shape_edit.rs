//! Shapes that come, go and change on bodies that are there.
//!
//! The mass of a body follows its shapes unless it was given by hand. When it changes, the frame of
//! the body stays where it is, and so does the velocity of each of its points.

use carom_geometry::mass::MassProperties;

use super::World;
use super::prepared::{check_material, check_shape, row_of};
use crate::state::bodies::flag;
use crate::state::definition::{BodyKind, Layers, Material, ShapeDef};
use crate::state::error::WorldError;
use crate::state::id::{BodyId, ShapeId};
use crate::state::shapes::ShapeRow;

/// A change of the shapes of a body, to be weighed before it happens.
#[derive(Clone, Copy, Default)]
struct Change<'a> {
    added: Option<&'a ShapeDef>,
    removed: Option<u32>,
    /// A shape that becomes a sensor, or ceases to be one.
    turned: Option<(u32, bool)>,
}

impl World {
    /// Adds a shape to a body, which wakes.
    ///
    /// # Errors
    /// If the id is stale, a number is not finite, or the shape has no volume and the body needs a
    /// mass. Nothing has changed then.
    pub fn add_shape(&mut self, body: BodyId, def: &ShapeDef) -> Result<ShapeId, WorldError> {
        let slot = self.state.bodies.cold.slot_of(body).ok_or_else(|| WorldError::stale(body))?;
        check_shape(def)?;
        let mass = self.mass_after(slot, Change { added: Some(def), ..Change::default() })?;
        let (row, cold) = row_of(def);
        let id = self.state.insert_shape(slot, row, cold, self.def.speculative_distance);
        self.reshape(slot, mass);
        Ok(id)
    }

    /// Removes a shape. Its touches end, and its body and those that it touched wake.
    ///
    /// # Errors
    /// If the id is stale, or a dynamic body would be left without mass. Nothing has changed then.
    pub fn remove_shape(&mut self, shape: ShapeId) -> Result<(), WorldError> {
        let slot = self.state.shapes.cold.slot_of(shape).ok_or_else(|| WorldError::stale(shape))?;
        let body = self.state.shapes.rows[slot as usize].body;
        let mass = self.mass_after(body, Change { removed: Some(slot), ..Change::default() })?;
        self.state.drop_shape(slot);
        self.reshape(body, mass);
        Ok(())
    }

    /// Changes a shape.
    ///
    /// # Errors
    /// If the id is stale.
    pub fn shape_mut(&mut self, id: ShapeId) -> Result<ShapeMut<'_>, WorldError> {
        let slot = self.state.shapes.cold.slot_of(id).ok_or_else(|| WorldError::stale(id))?;
        Ok(ShapeMut { world: self, id, slot })
    }

    /// The mass properties of a body after a change, `None` if they do not follow its shapes.
    fn mass_after(&self, body: u32, change: Change<'_>) -> Result<Option<MassProperties>, WorldError> {
        let Some(cold) = self.state.bodies.cold.get(body) else { return Ok(None) };
        if cold.has_own_mass || !self.state.bodies.state[body as usize].has(flag::DYNAMIC) {
            return Ok(None);
        }
        let mut chain: Vec<u32> =
            self.state.shapes.chain(self.state.bodies.first_shapes[body as usize]).collect();
        // In the order in which they came, as for a new body.
        chain.reverse();
        let mut sum = MassProperties::NOTHING;
        let mut add = |number: usize, shape: &carom_geometry::Shape, density: f32, place| {
            let own = shape.mass_properties(density);
            let own = own.map_err(|reason| WorldError::ShapeMass { shape: number, reason })?;
            sum = sum.plus(&own.posed(place));
            Ok(())
        };
        for (number, slot) in chain.iter().enumerate().filter(|(_, slot)| change.removed != Some(**slot)) {
            let (row, Some(cold)) =
                (&self.state.shapes.rows[*slot as usize], self.state.shapes.cold.get(*slot))
            else {
                continue;
            };
            let turned = change.turned.filter(|(which, _)| which == slot);
            if !turned.map_or(row.is_sensor, |(_, is_sensor)| is_sensor) {
                add(number, &row.shape, cold.density, &cold.user_pose)?;
            }
        }
        if let Some(def) = change.added.filter(|def| !def.is_sensor) {
            add(chain.len(), &def.shape, def.density, &def.local_pose)?;
        }
        if !(sum.mass > 0.0 && sum.is_finite()) {
            return Err(WorldError::NoMass { mass: sum.mass });
        }
        Ok(Some(sum))
    }

    /// Puts the shapes of a body where its new frame wants them, and wakes it.
    fn reshape(&mut self, body: u32, mass: Option<MassProperties>) {
        if let Some(properties) = mass {
            let before = self.state.bodies.motion[body as usize].position;
            self.state.bodies.set_mass(body, &properties);
            self.state.joints.reframe(body, &self.state.bodies);
            let motion = &mut self.state.bodies.motion[body as usize];
            motion.velocity += motion.angular_velocity.cross((motion.position - before).as_vec3());
        }
        let Some(cold) = self.state.bodies.cold.get(body) else { return };
        let (frame, is_static) = (cold.frame, cold.kind == BodyKind::Static);
        let first = self.state.bodies.first_shapes[body as usize];
        self.state.shapes.note_siblings(first);
        let (mut extent, mut half_thickness) = (0.0, f32::INFINITY);
        let chain: Vec<u32> = self.state.shapes.chain(first).collect();
        for slot in chain {
            if let Some(cold) = self.state.shapes.cold.get(slot) {
                let place = frame * cold.user_pose;
                self.state.shapes.replace(slot, place);
                self.state.renew_filter(slot, is_static);
                let row = &self.state.shapes.rows[slot as usize];
                let reach = row.bounded_reach();
                extent = if reach > extent { reach } else { extent };
                if row.half_thickness < half_thickness && !row.is_sensor {
                    half_thickness = row.half_thickness;
                }
            }
        }
        self.state.bodies.state[body as usize].extent = extent;
        self.state.bodies.state[body as usize].set_half_thickness(half_thickness);
        if self.state.bodies.state[body as usize].flags & (flag::DYNAMIC | flag::KINEMATIC) != 0 {
            self.state.bodies.set_awake(body, true);
        }
        self.state.rebuild_boxes(body, self.def.speculative_distance);
    }
}

/// A shape to be changed.
pub struct ShapeMut<'w> {
    world: &'w mut World,
    id: ShapeId,
    slot: u32,
}

impl ShapeMut<'_> {
    /// Gives it another surface, at once for all its contacts.
    ///
    /// # Errors
    /// If a number is not finite or below zero.
    pub fn set_material(&mut self, material: Material) -> Result<&mut Self, WorldError> {
        check_material(self.id, &material)?;
        self.world.state.shapes.rows[self.slot as usize].material = material;
        self.world.state.shapes.has_rolling |= material.rolling > 0.0;
        self.world.state.contacts.remix_materials(self.slot, &self.world.state.shapes);
        self.wake_touching();
        Ok(self)
    }

    /// Changes with whom it collides. Touches that are no longer allowed end with the next step.
    pub fn set_layers(&mut self, layers: Layers) -> &mut Self {
        self.wake_touching();
        let world = &mut *self.world;
        if let Some(cold) = world.state.shapes.cold.get_mut(self.slot) {
            cold.layers = layers;
        }
        let ShapeRow { body, proxy, .. } = world.state.shapes.rows[self.slot as usize];
        let moves = world.state.bodies.state[body as usize].flags & (flag::DYNAMIC | flag::KINEMATIC) != 0;
        // The box is there: it was inserted with the shape.
        let _ = world.state.space.set_filter(proxy, world.state.shapes.filter(self.slot, !moves));
        world.state.is_space_changed = true;
        self
    }

    /// Makes it a sensor, or solid again. Its touches end and begin again.
    ///
    /// # Errors
    /// If a dynamic body would be left without mass; nothing has changed then.
    pub fn set_sensor(&mut self, is_sensor: bool) -> Result<&mut Self, WorldError> {
        let world = &mut *self.world;
        let row = &world.state.shapes.rows[self.slot as usize];
        if row.is_sensor != is_sensor {
            let body = row.body;
            let change = Change { turned: Some((self.slot, is_sensor)), ..Change::default() };
            let mass = world.mass_after(body, change)?;
            world.state.end_contacts(self.slot);
            world.state.shapes.rows[self.slot as usize].is_sensor = is_sensor;
            world.reshape(body, mass);
        }
        Ok(self)
    }

    /// Whatever its user wants to find again.
    pub fn set_user_data(&mut self, user_data: u64) -> &mut Self {
        if let Some(cold) = self.world.state.shapes.cold.get_mut(self.slot) {
            cold.user_data = user_data;
        }
        self
    }

    /// Wakes its body and who touches it.
    fn wake_touching(&mut self) {
        let slot = self.slot;
        self.world.state.wake_if(|info, _| info.is_touching && info.shapes.contains(&slot));
        let body = self.world.state.shapes.rows[slot as usize].body;
        if self.world.state.bodies.state[body as usize].has(flag::DYNAMIC) {
            self.world.state.bodies.set_awake(body, true);
        }
    }
}
