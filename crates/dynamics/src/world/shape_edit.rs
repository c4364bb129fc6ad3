//! Shapes that come, go and change on bodies that are there.
//!
//! The mass of a body follows its shapes unless it was given by hand. When it changes, the frame of
//! the body stays where it is, and so does the velocity of each of its points.

use carom_geometry::mass::MassProperties;
use carom_geometry::{Pose, Shape};

use super::World;
use super::check::{check_material, check_not_negative, check_threshold};
use super::prepared::{check_local_pose, check_shape, row_of};
use crate::state::bodies::flag;
use crate::state::definition::{BodyKind, Layers, ShapeDef};
use crate::state::error::WorldError;
use crate::state::id::{BodyId, ShapeId};
use crate::state::material::Material;
use crate::state::shapes::ShapeRow;

/// A change of the shapes of a body, to be weighed before it happens.
#[derive(Clone, Copy, Default)]
pub(super) struct Change<'a> {
    added: Option<&'a ShapeDef>,
    removed: Option<u32>,
    /// A shape that becomes another.
    changed: Option<(u32, &'a ShapeDef)>,
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

    /// What a shape in use was defined by.
    fn shape_def(&self, slot: u32) -> ShapeDef {
        let row = &self.state.shapes.rows[slot as usize];
        let def = ShapeDef::new(row.shape.clone()).material(row.material);
        match self.state.shapes.cold.get(slot) {
            Some(cold) => ShapeDef {
                local_pose: cold.user_pose,
                density: cold.density,
                layers: cold.layers,
                is_sensor: row.is_sensor,
                is_enabled: cold.is_enabled,
                contact_force_threshold: cold.contact_force_threshold,
                user_data: cold.user_data,
                ..def
            },
            None => def,
        }
    }

    /// The mass properties of a body after a change, `None` if they do not follow its shapes.
    fn mass_after(&self, body: u32, change: Change<'_>) -> Result<Option<MassProperties>, WorldError> {
        let Some(cold) = self.state.bodies.cold.get(body) else { return Ok(None) };
        if cold.own_mass.is_some() || !cold.kind.is_dynamic() {
            return Ok(None);
        }
        self.mass_of_shapes(body, change).map(Some)
    }

    /// What the shapes of a body weigh together after a change.
    pub(super) fn mass_of_shapes(&self, body: u32, change: Change<'_>) -> Result<MassProperties, WorldError> {
        let mut chain: Vec<u32> =
            self.state.shapes.chain(self.state.bodies.first_shapes[body as usize]).collect();
        // In the order in which they came, as for a new body.
        chain.reverse();
        let mut sum = MassProperties::NOTHING;
        let mut add = |number: usize, shape: &Shape, density: f32, place| {
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
            match change.changed.filter(|(which, _)| which == slot) {
                Some((_, def)) if def.is_sensor => {}
                Some((_, def)) => add(number, &def.shape, def.density, &def.local_pose)?,
                None if row.is_sensor => {}
                None => add(number, &row.shape, cold.density, &cold.user_pose)?,
            }
        }
        if let Some(def) = change.added.filter(|def| !def.is_sensor) {
            add(chain.len(), &def.shape, def.density, &def.local_pose)?;
        }
        if !(sum.mass > 0.0 && sum.is_finite()) {
            return Err(WorldError::NoMass { mass: sum.mass });
        }
        Ok(sum)
    }

    /// Puts the shapes of a body where its new frame wants them, and wakes it.
    pub(super) fn reshape(&mut self, body: u32, mass: Option<MassProperties>) {
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
        let (mut extent, mut turn_radius, mut half_thickness) = (0.0, 0.0, f32::INFINITY);
        let chain: Vec<u32> = self.state.shapes.chain(first).collect();
        for slot in chain {
            if let Some(cold) = self.state.shapes.cold.get(slot) {
                let place = frame * cold.user_pose;
                self.state.shapes.replace(slot, place);
                self.state.renew_filter(slot, is_static);
                let row = &self.state.shapes.rows[slot as usize];
                let reach = row.bounded_reach();
                extent = if reach > extent { reach } else { extent };
                let turn = row.bounded_turn_radius();
                turn_radius = if turn > turn_radius { turn } else { turn_radius };
                if row.half_thickness < half_thickness && !row.is_sensor {
                    half_thickness = row.half_thickness;
                }
            }
        }
        let state = &mut self.state.bodies.state[body as usize];
        state.set_extent(extent, turn_radius);
        state.set_half_thickness(half_thickness);
        if self.state.bodies.moves(body) {
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
        self.world.state.shapes.set_material(self.slot, material);
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
        let moves = world.state.bodies.moves(body);
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
        if self.row().is_sensor != is_sensor {
            self.redefine(|def| def.is_sensor = is_sensor)?;
        }
        Ok(self)
    }

    /// Gives it another density, kg/m³; the mass of its body follows unless it was given by hand.
    ///
    /// # Errors
    /// If it is not finite or below zero, or a dynamic body would be left without mass; nothing has
    /// changed then.
    pub fn set_density(&mut self, density: f32) -> Result<&mut Self, WorldError> {
        check_not_negative(self.id, "density", density)?;
        let world = &mut *self.world;
        let body = world.state.shapes.rows[self.slot as usize].body;
        let def = ShapeDef { density, ..world.shape_def(self.slot) };
        let mass =
            world.mass_after(body, Change { changed: Some((self.slot, &def)), ..Change::default() })?;
        if let Some(cold) = world.state.shapes.cold.get_mut(self.slot) {
            cold.density = density;
        }
        world.reshape(body, mass);
        Ok(self)
    }

    /// Puts it elsewhere on its body. Its touches end and begin again; the mass of the body follows
    /// unless it was given by hand.
    ///
    /// # Errors
    /// If a number is not finite.
    pub fn set_local_pose(&mut self, pose: Pose) -> Result<&mut Self, WorldError> {
        check_local_pose(self.id, &pose)?;
        self.redefine(|def| def.local_pose = pose)?;
        Ok(self)
    }

    /// Replaces the shape itself. Its touches end and begin again; the mass of the body follows
    /// unless it was given by hand.
    ///
    /// # Errors
    /// If a dynamic body would be left without mass; nothing has changed then.
    ///
    /// ```
    /// use carom_dynamics::{BodyDef, ShapeDef, World, WorldDef};
    /// use carom_geometry::shape::Sphere;
    /// let mut world = World::new(WorldDef::default());
    /// let balloon = world.add_body(BodyDef::dynamic(), [ShapeDef::new(Sphere::new(0.5)?)])?;
    /// let shape = world.body(balloon)?.shapes().next().unwrap();
    /// let before = world.body(balloon)?.mass();
    /// world.shape_mut(shape)?.set_shape(Sphere::new(1.0)?)?;
    /// assert!((world.body(balloon)?.mass() / before - 8.0).abs() < 1e-3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_shape(&mut self, shape: impl Into<Shape>) -> Result<&mut Self, WorldError> {
        self.redefine(|def| def.shape = shape.into())?;
        Ok(self)
    }

    /// Takes it out of collisions and queries, or puts it back. Its touches end, which is reported
    /// with the next step. The mass of its body stays.
    ///
    /// ```
    /// use carom_dynamics::{BodyDef, QueryFilter, Ray, ShapeDef, World, WorldDef};
    /// use carom_geometry::shape::HalfSpace;
    /// use glam::{DVec3, Vec3};
    /// let mut world = World::new(WorldDef::default());
    /// let ground = world.add_body(BodyDef::fixed(), [ShapeDef::new(HalfSpace)])?;
    /// let shape = world.body(ground)?.shapes().next().unwrap();
    /// let down = Ray::new(DVec3::Y, Vec3::NEG_Y, 2.0);
    /// assert!(world.cast_ray(&down, &QueryFilter::default()).is_some());
    /// world.shape_mut(shape)?.set_enabled(false);
    /// assert!(world.cast_ray(&down, &QueryFilter::default()).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_enabled(&mut self, is_enabled: bool) -> &mut Self {
        let state = &mut self.world.state;
        let body = state.shapes.rows[self.slot as usize].body;
        if let Some(cold) = state.shapes.cold.get_mut(self.slot) {
            cold.is_enabled = is_enabled;
        }
        if state.bodies.moves(body) {
            state.bodies.set_awake(body, true);
        }
        state.renew_enabled(body);
        self
    }

    fn row(&self) -> &ShapeRow {
        &self.world.state.shapes.rows[self.slot as usize]
    }

    /// Changes what it was defined by, all or nothing. Its touches end and begin again.
    fn redefine(&mut self, change: impl FnOnce(&mut ShapeDef)) -> Result<(), WorldError> {
        let world = &mut *self.world;
        let mut def = world.shape_def(self.slot);
        change(&mut def);
        let body = world.state.shapes.rows[self.slot as usize].body;
        let mass =
            world.mass_after(body, Change { changed: Some((self.slot, &def)), ..Change::default() })?;
        world.state.end_contacts(self.slot);
        world.state.shapes.redefine(self.slot, &def);
        world.reshape(body, mass);
        Ok(())
    }

    /// Contact forces above this, N, are reported as events from the next step on; infinite for
    /// none.
    ///
    /// # Errors
    /// If it is no number of 0 and more.
    pub fn set_contact_force_threshold(&mut self, newtons: f32) -> Result<&mut Self, WorldError> {
        check_threshold(self.id, newtons)?;
        self.world.state.shapes.set_force_threshold(self.slot, newtons);
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
