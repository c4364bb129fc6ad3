//! What a shape hits on its way.

use std::cell::Cell;

use carom_geometry::shape::Bounded;
use carom_geometry::{Aabb, Pose, Rotation, Shape};
use carom_narrowphase::cast::{CastOptions, ShapeCastHit, cast_shape};
use glam::{DVec3, Vec3};

use super::{Found, QueryFilter, exact};
use crate::state::id::{BodyId, ShapeId};
use crate::state::motion::is_near;
use crate::state::shapes::ShapeRow;
use crate::world::World;

/// A shape that is moved through the world without turning.
#[derive(Clone, Copy, Debug)]
pub struct ShapeCast<'a> {
    /// The shape.
    pub shape: &'a Shape,
    /// Where its frame starts.
    pub position: DVec3,
    /// How it is turned.
    pub rotation: Rotation,
    /// How far it moves, metres.
    pub displacement: Vec3,
    /// How much of the way is looked at, whether to stop before things, and what counts.
    pub options: CastOptions,
}

impl<'a> ShapeCast<'a> {
    /// A shape that is not turned, and all of its way. What it overlaps at the start is hit at
    /// once, with normal and depth.
    #[must_use]
    pub fn new(shape: &'a Shape, position: DVec3, displacement: Vec3) -> Self {
        let options = CastOptions { depth_at_start: true, ..CastOptions::default() };
        Self { shape, position, rotation: Rotation::IDENTITY, displacement, options }
    }

    /// Turned like this.
    #[must_use]
    pub fn rotated(mut self, rotation: Rotation) -> Self {
        self.rotation = rotation;
        self
    }

    /// Things that it overlaps at the start and moves out of do not count.
    #[must_use]
    pub fn ignore_leaving(mut self) -> Self {
        self.options.ignore_leaving = true;
        self
    }

    /// The box of the shape at the start, rounded outwards; `None` if the input is not finite.
    pub(super) fn bounds(&self) -> Option<Aabb<3, f64>> {
        let rotation = Rotation::from_xyzw(self.rotation.to_xyzw())?;
        if !(is_near(self.position) && self.displacement.is_finite()) {
            return None;
        }
        let local = exact(&self.shape.aabb_at(&Pose::new(Vec3::ZERO, rotation)));
        let stop = f64::from(self.options.stop_distance);
        let grown =
            1e-6 * (local.high() - local.low()).abs().max_element() + if stop > 0.0 { stop } else { 0.0 };
        let room = DVec3::splat(if grown.is_finite() { grown } else { 0.0 });
        let (low, high) = (local.low() + self.position - room, local.high() + self.position + room);
        Some(Aabb { min: low.to_array(), max: high.to_array() })
    }

    /// The hit of a shape by the mover when it has done `start` of its way already; the fraction is
    /// of the whole way.
    fn hit_from(&self, world: &World, row: &ShapeRow, start: f64, max: f32) -> Option<ShapeCastHit> {
        let place = world.shape_pose(row);
        let rest = 1.0 - start;
        let at = self.position + self.displacement.as_dvec3() * start;
        let seen = place.seen(at, self.rotation);
        let displacement = place.rotation.rotate_back((self.displacement.as_dvec3() * rest).as_vec3());
        let limit = if rest > 0.0 { (f64::from(max) - start) / rest } else { 0.0 };
        let options =
            CastOptions { max_fraction: if limit > 0.0 { limit as f32 } else { 0.0 }, ..self.options };
        let mut found = cast_shape(&row.shape, self.shape, &seen, displacement, &options)?;
        found.hit.fraction = (start + rest * f64::from(found.hit.fraction)) as f32;
        Some(found)
    }
}

/// Where a shape hits another on its way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapeHit {
    /// What it hits.
    pub shape: ShapeId,
    /// Whose that is.
    pub body: BodyId,
    /// Part of the displacement after which it does.
    pub fraction: f32,
    /// The point of the shape that is hit.
    pub point: DVec3,
    /// Unit normal, from the shape that is hit to the one that moves.
    pub normal: Vec3,
    /// Distance at that moment: 0 or the stop distance; below zero if they overlapped before
    /// anything moved.
    pub distance: f32,
    /// Were they within the stop distance before anything moved?
    pub at_start: bool,
    /// Triangle of the shape that is hit, or child if it is a compound.
    pub part: Option<u32>,
}

impl ShapeHit {
    /// Comes before another: earlier, or as early and of a lower slot.
    fn is_before(&self, other: &Self) -> bool {
        let key = |hit: &Self| hit.shape.index();
        self.fraction < other.fraction || self.fraction == other.fraction && key(self) < key(other)
    }
}

impl World {
    /// The first shape that a shape hits on its way.
    ///
    /// ```
    /// use carom_dynamics::{BodyDef, QueryFilter, ShapeCast, ShapeDef, World, WorldDef};
    /// use carom_geometry::shape::{HalfSpace, Shape, Sphere};
    /// use glam::{DVec3, Vec3};
    /// let mut world = World::new(WorldDef::default());
    /// world.add_body(BodyDef::fixed(), [ShapeDef::new(HalfSpace)])?;
    /// let ball = Shape::from(Sphere::new(0.5)?);
    /// let fall = ShapeCast::new(&ball, DVec3::new(0.0, 2.5, 0.0), Vec3::new(0.0, -4.0, 0.0));
    /// let hit = world.cast_shape(&fall, &QueryFilter::default()).unwrap();
    /// assert_eq!((hit.fraction, hit.normal), (0.5, Vec3::Y));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn cast_shape(&self, cast: &ShapeCast<'_>, filter: &QueryFilter<'_>) -> Option<ShapeHit> {
        let bounds = cast.bounds()?;
        let way = cast.displacement.as_dvec3();
        let best: Cell<Option<ShapeHit>> = Cell::new(None);
        let limit = || best.get().map_or(cast.options.max_fraction, |hit| hit.fraction);
        self.ask_nearest(
            filter,
            |aabb| bounds.sweep(way, aabb).map(|within| within.enter),
            || f64::from(limit()),
            |enter, row, found| {
                let hit = self.shape_hit(cast, row, found, enter, limit());
                if hit.is_some_and(|hit| best.get().is_none_or(|other| hit.is_before(&other))) {
                    best.set(hit);
                }
            },
        );
        best.get()
    }

    /// The first hit of each of many shapes, into `out` in their order.
    pub fn cast_shapes(
        &self,
        casts: &[ShapeCast<'_>],
        filter: &QueryFilter<'_>,
        out: &mut Vec<Option<ShapeHit>>,
    ) {
        out.clear();
        out.extend(casts.iter().map(|cast| self.cast_shape(cast, filter)));
    }

    fn shape_hit(
        &self,
        cast: &ShapeCast<'_>,
        row: &ShapeRow,
        found: Found,
        enter: f64,
        limit: f32,
    ) -> Option<ShapeHit> {
        // From where the boxes meet, so that nothing is lost over a long way; a little before, so
        // that a touch is not taken for an overlap at the start.
        let length = cast.displacement.as_dvec3().length();
        let run_up = if length > 0.0 { 1e-3 / length } else { 1.0 };
        let start = if enter > run_up { enter - run_up } else { 0.0 };
        let mut hit = cast.hit_from(self, row, start, limit)?;
        if start > 0.0 && hit.hit.at_start {
            hit = cast.hit_from(self, row, 0.0, limit)?;
        }
        let place = self.shape_pose(row);
        (hit.hit.fraction <= limit).then(|| ShapeHit {
            shape: found.shape,
            body: found.body,
            fraction: hit.hit.fraction,
            point: place.apply(hit.hit.point),
            normal: place.rotation.rotate(hit.hit.normal),
            distance: hit.hit.distance,
            at_start: hit.hit.at_start,
            part: hit.target_part,
        })
    }
}
