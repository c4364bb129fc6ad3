//! Which shapes meet a shape, a box or a point. Touching counts.

use carom_geometry::shape::{Cuboid, Sphere};
use carom_geometry::{Aabb, Rotation, Shape};
use carom_narrowphase::cast::{CastOptions, cast_shape};
use glam::{DVec3, Vec3};

use super::cast::ShapeCast;
use super::{QueryFilter, exact};
use crate::state::error::WorldError;
use crate::state::id::ShapeId;
use crate::world::World;

impl World {
    /// All shapes that meet a shape at a place, into `out`, ascending by slot.
    ///
    /// ```
    /// use carom_dynamics::{BodyDef, QueryFilter, ShapeDef, World, WorldDef};
    /// use carom_geometry::Rotation;
    /// use carom_geometry::shape::{Shape, Sphere};
    /// use glam::DVec3;
    /// let mut world = World::new(WorldDef::default());
    /// let ball = Shape::from(Sphere::new(1.0)?);
    /// world.add_body(BodyDef::fixed().at(5.0, 0.0, 0.0), [ShapeDef::new(ball.clone())])?;
    /// let mut met = Vec::new();
    /// let at = DVec3::new(3.5, 0.0, 0.0);
    /// world.overlapping_shapes(&ball, at, Rotation::IDENTITY, &QueryFilter::default(), &mut met);
    /// assert_eq!(met.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn overlapping_shapes(
        &self,
        shape: &Shape,
        position: DVec3,
        rotation: Rotation,
        filter: &QueryFilter<'_>,
        out: &mut Vec<ShapeId>,
    ) {
        out.clear();
        let Some(bounds) = ShapeCast::new(shape, position, Vec3::ZERO).rotated(rotation).bounds() else {
            return;
        };
        self.ask_all(
            filter,
            |aabb| bounds.overlaps(aabb),
            |_, row, found| {
                let place = self.shape_pose(row).seen(position, rotation);
                // A way of length zero: whoever is met is met at its start.
                let hit = cast_shape(&row.shape, shape, &place, Vec3::ZERO, &CastOptions::default());
                if hit.is_some() {
                    out.push(found.shape);
                }
            },
        );
        out.sort_unstable_by_key(|shape| shape.index());
        out.dedup();
    }

    /// All shapes that a point is in or on, into `out`, ascending by slot.
    pub fn shapes_at(&self, point: DVec3, filter: &QueryFilter<'_>, out: &mut Vec<ShapeId>) {
        let point_shape = Shape::Sphere(Sphere { radius: 0.0 });
        self.overlapping_shapes(&point_shape, point, Rotation::IDENTITY, filter, out);
    }

    /// All shapes that meet a box along the axes of the world, into `out`, ascending by slot.
    pub fn shapes_in_box(&self, low: DVec3, high: DVec3, filter: &QueryFilter<'_>, out: &mut Vec<ShapeId>) {
        out.clear();
        let half = ((high - low) * 0.5).as_vec3();
        if let Ok(cuboid) = Cuboid::new(half) {
            self.overlapping_shapes(&cuboid.into(), (low + high) * 0.5, Rotation::IDENTITY, filter, out);
        }
    }

    /// All shapes whose boxes in the broad phase meet a box: a superset of
    /// [`World::shapes_in_box`], found sooner. Boxes are larger than their shapes by some
    /// centimetres and reach ahead of shapes that move.
    pub fn shapes_near_box(&self, low: DVec3, high: DVec3, filter: &QueryFilter<'_>, out: &mut Vec<ShapeId>) {
        out.clear();
        let bounds = Aabb { min: low.to_array(), max: high.to_array() };
        self.ask_all(filter, |aabb| bounds.overlaps(aabb), |_, _, found| out.push(found.shape));
        out.sort_unstable_by_key(|shape| shape.index());
        out.dedup();
    }

    /// The box of a shape in the broad phase: contains the shape, with room.
    ///
    /// # Errors
    /// If the id is stale.
    pub fn fat_box(&self, shape: ShapeId) -> Result<Aabb<3, f64>, WorldError> {
        let slot = self.state.shapes.cold.slot_of(shape).ok_or_else(|| WorldError::stale(shape))?;
        Ok(exact(self.state.space.table().aabb(self.state.shapes.rows[slot as usize].proxy)))
    }
}
