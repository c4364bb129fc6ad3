//! Shapes as bytes. What follows from a shape, its box and its extent, is computed again; boxes of
//! the broad phase are those of the space.

use carom_geometry::bytes::{BytesReadError, Reader, Stored, Writer};
use carom_geometry::{Aabb, Pose, Shape, stored};

use carom_broadphase::Table;

use super::super::definition::{Layers, ShapeDef};
use super::super::id::{NONE, Slots};
use super::super::material::{CombineRule, Material};
use super::{ShapeCold, ShapeCore, ShapeRow, Shapes, SharedPolytopes};
use carom_geometry::shape::HalfSpace;
use glam::Vec3;

stored!(Layers { category: u32, mask: u32, group: i32 });

impl Stored for ShapeCold {
    const LEAST: usize = Pose::LEAST + Layers::LEAST + 4 + 1 + 4 + 4 + 8;

    fn put(&self, out: &mut Writer) {
        let Self { user_pose, layers, density, is_enabled, contact_force_threshold, next_of_body, user_data } =
            self;
        user_pose.put(out);
        layers.put(out);
        density.put(out);
        is_enabled.put(out);
        out.unbounded(*contact_force_threshold);
        next_of_body.put(out);
        user_data.put(out);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, BytesReadError> {
        Ok(Self {
            user_pose: from.field("user_pose")?,
            layers: from.field("layers")?,
            density: from.field("density")?,
            is_enabled: from.field("is_enabled")?,
            contact_force_threshold: from.number("contact_force_threshold", 0.0, f32::INFINITY)?,
            next_of_body: from.field("next_of_body")?,
            user_data: from.field("user_data")?,
        })
    }
}

/// By its place in the order of precedence.
impl Stored for CombineRule {
    const LEAST: usize = 1;

    fn put(&self, out: &mut Writer) {
        (*self as u8).put(out);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, BytesReadError> {
        let start = from.at();
        let number = u8::take(from)?;
        let rule = Self::ALL.get(usize::from(number)).copied();
        rule.ok_or_else(|| BytesReadError::of(start, number, "there is no such rule"))
    }
}

impl Stored for Material {
    const LEAST: usize = 12 + 2 * CombineRule::LEAST + Vec3::LEAST;

    fn put(&self, out: &mut Writer) {
        [self.friction, self.restitution, self.rolling].put(out);
        [self.friction_rule, self.restitution_rule].put(out);
        self.surface_velocity.put(out);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, BytesReadError> {
        Ok(Self {
            friction: from.number("friction", 0.0, f32::MAX)?,
            restitution: from.number("restitution", 0.0, f32::MAX)?,
            rolling: from.number("rolling", 0.0, f32::MAX)?,
            friction_rule: from.field("friction_rule")?,
            restitution_rule: from.field("restitution_rule")?,
            surface_velocity: from.field("surface_velocity")?,
        })
    }
}

impl Stored for ShapeRow {
    const LEAST: usize = Shape::LEAST + Pose::LEAST + 8 + Material::LEAST + 3;

    fn put(&self, out: &mut Writer) {
        self.shape.put(out);
        self.local_pose.put(out);
        [self.body, self.proxy].put(out);
        self.material.put(out);
        [self.is_sensor, self.is_enabled, self.has_siblings].put(out);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, BytesReadError> {
        let def = ShapeDef::new(from.field::<Shape>("shape")?).local_pose(from.field("place")?);
        let [body, proxy] = from.field("body and box")?;
        let def = ShapeDef {
            material: from.field("material")?,
            is_sensor: from.field("is_sensor")?,
            is_enabled: from.field("is_enabled")?,
            ..def
        };
        Ok(Self { body, proxy, has_siblings: from.field("has_siblings")?, ..Self::new(&def) })
    }
}

impl Shapes {
    /// Writes the shapes and their boxes.
    pub(crate) fn put(&self, boxes: &Table<3>, out: &mut Writer) {
        self.cold.put(out);
        self.cold.put_used(&self.rows, out);
        [self.has_rolling, self.has_surface_velocity, self.has_force_threshold].put(out);
        for (row, _) in self.used() {
            // Every shape has a box of its own; one without would be refused by name in reading.
            let aabb = boxes.boxes().get(row.proxy as usize).copied().unwrap_or(Aabb::EMPTY);
            aabb.put(out);
        }
        boxes.free().to_vec().put(out);
    }

    /// Reads shapes and their boxes; `is_static` tells of the slot of a body whether it is.
    pub(crate) fn take(
        from: &mut Reader<'_>,
        is_static: impl Fn(u32) -> bool,
    ) -> Result<(Self, Table<3>), BytesReadError> {
        let cold: Slots<ShapeCold> = from.field("cold")?;
        let nothing = ShapeRow::new(&ShapeDef::new(HalfSpace));
        let rows = cold.take_used("rows", || nothing.clone(), from)?;
        let mut shapes = Self {
            cold,
            rows,
            of_proxy: Vec::new(),
            cores: Vec::new(),
            polytopes: SharedPolytopes::default(),
            has_rolling: from.field("has_rolling")?,
            has_surface_velocity: from.field("has_surface_velocity")?,
            has_force_threshold: from.field("has_force_threshold")?,
        };
        shapes.rows.iter_mut().for_each(|row| shapes.polytopes.share(&mut row.shape));
        let start = from.at();
        let used: Vec<u32> = shapes.used().map(|(_, slot)| slot).collect();
        let mut boxes: Vec<Aabb<3>> = Vec::with_capacity(used.len());
        for &slot in &used {
            boxes.push(Aabb::take(from).map_err(|error| error.entry(slot as usize).inside("boxes"))?);
        }
        let free: Vec<u32> = from.field("free boxes")?;
        let mut places = vec![None; used.len() + free.len()];
        shapes.of_proxy = vec![NONE; places.len()];
        shapes.cores = vec![ShapeCore::NONE; places.len()];
        for (slot, aabb) in used.into_iter().zip(boxes) {
            let row = &shapes.rows[slot as usize];
            let filter = shapes.filter(slot, is_static(row.body));
            match places.get_mut(row.proxy as usize) {
                Some(place @ None) => *place = Some((aabb, filter)),
                _ => return Err(BytesReadError::of(start, row.proxy, "no box of its own has this number")),
            }
            shapes.of_proxy[row.proxy as usize] = slot;
            shapes.cores[row.proxy as usize] = ShapeCore::of(row);
        }
        let table = Table::from_boxes(places, &free).map_err(|error| from.refused(error))?;
        Ok((shapes, table))
    }

    /// What is there, with its slot.
    fn used(&self) -> impl Iterator<Item = (&ShapeRow, u32)> {
        let slots = (0..self.rows.len() as u32).filter(|slot| self.cold.get(*slot).is_some());
        slots.map(|slot| (&self.rows[slot as usize], slot))
    }
}
