//! Questions to a world: what does a ray or a figure hit, what is at a point, what is nearest?

use carom_dynamics as engine;
use carom_dynamics::{BodyId, QueryFilter, ShapeCast, ShapeId};
use carom_geometry::Shape;
use carom_geometry::shape::Planar;
use glam::{DVec2, Vec2};

use crate::{World, point, turn};

/// Where a ray hits a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// What it hits.
    pub shape: ShapeId,
    /// Whose that is.
    pub body: BodyId,
    /// Where.
    pub point: DVec2,
    /// Unit normal of the shape there; null if the ray starts inside.
    pub normal: Vec2,
    /// How far from the start, metres.
    pub distance: f64,
}

/// The nearest point of the nearest shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosestPoint {
    /// The shape.
    pub shape: ShapeId,
    /// Whose it is.
    pub body: BodyId,
    /// Its point nearest to the one that was asked for.
    pub point: DVec2,
    /// Unit normal there.
    pub normal: Vec2,
    /// How far away; below zero inside.
    pub distance: f32,
}

/// What a figure hits on its way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapeHit {
    /// What is hit.
    pub shape: ShapeId,
    /// Whose it is.
    pub body: BodyId,
    /// Part of the displacement after which it is.
    pub fraction: f32,
    /// The point of the shape that is hit.
    pub point: DVec2,
    /// Unit normal, from the shape that is hit to the figure that moves.
    pub normal: Vec2,
    /// Distance at that moment; below zero if they overlapped before anything moved.
    pub distance: f32,
}

impl World {
    /// The first shape on the way from a point to another.
    ///
    /// ```
    /// use carom_dynamics2d::{BodyDef, QueryFilter, ShapeDef, World, WorldDef};
    /// use glam::{DVec2, Vec2};
    /// let mut world = World::new(WorldDef::default());
    /// world.add_body(BodyDef::fixed().at(5.0, 0.0), [ShapeDef::circle(1.0)?])?;
    /// let to = DVec2::new(10.0, 0.0);
    /// let hit = world.cast_ray(DVec2::ZERO, to, &QueryFilter::default()).unwrap();
    /// assert!((hit.distance - 4.0).abs() < 1e-6 && hit.normal == -Vec2::X);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn cast_ray(&self, from: DVec2, to: DVec2, filter: &QueryFilter<'_>) -> Option<RayHit> {
        self.engine().cast_ray(&engine::Ray::between(point(from), point(to)), filter).map(ray_hit)
    }

    /// All shapes on the way from a point to another, in the order of their distances.
    #[must_use]
    pub fn ray_hits(&self, from: DVec2, to: DVec2, filter: &QueryFilter<'_>) -> Vec<RayHit> {
        let mut hits = Vec::new();
        self.engine().ray_hits(&engine::Ray::between(point(from), point(to)), filter, &mut hits);
        hits.into_iter().map(ray_hit).collect()
    }

    /// The shape nearest to a point, if one is within `radius`; inside several, the one it is
    /// deepest in.
    #[must_use]
    pub fn closest(&self, place: DVec2, radius: f32, filter: &QueryFilter<'_>) -> Option<ClosestPoint> {
        let found = self.engine().closest(point(place), radius, filter)?;
        let engine::ClosestPoint { shape, body, point, normal, distance } = found;
        Some(ClosestPoint { shape, body, point: point.truncate(), normal: normal.truncate(), distance })
    }

    /// All shapes that a point is in or on, ascending by slot.
    ///
    /// ```
    /// use carom_dynamics2d::{BodyDef, QueryFilter, ShapeDef, World, WorldDef};
    /// use glam::DVec2;
    /// let mut world = World::new(WorldDef::default());
    /// world.add_body(BodyDef::fixed(), [ShapeDef::rectangle(2.0, 1.0)?])?;
    /// assert_eq!(world.shapes_at(DVec2::new(1.5, 0.5), &QueryFilter::default()).len(), 1);
    /// assert!(world.shapes_at(DVec2::new(1.5, 1.5), &QueryFilter::default()).is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn shapes_at(&self, place: DVec2, filter: &QueryFilter<'_>) -> Vec<ShapeId> {
        self.overlapping_shapes(&Planar::Disc { radius: 0.0 }, place, 0.0, filter)
    }

    /// All shapes that meet a figure at a place, ascending by slot.
    #[must_use]
    pub fn overlapping_shapes(
        &self,
        figure: &Planar,
        position: DVec2,
        angle: f32,
        filter: &QueryFilter<'_>,
    ) -> Vec<ShapeId> {
        let (shape, mut found) = (Shape::from(figure.clone()), Vec::new());
        self.engine().overlapping_shapes(&shape, point(position), turn(angle), filter, &mut found);
        found
    }

    /// The first shape that a figure hits on its way. Things that it overlaps at the start and
    /// moves
    /// out of do not count.
    #[must_use]
    pub fn cast_shape(
        &self,
        figure: &Planar,
        position: DVec2,
        angle: f32,
        displacement: Vec2,
        filter: &QueryFilter<'_>,
    ) -> Option<ShapeHit> {
        let shape = Shape::from(figure.clone());
        let cast = ShapeCast::new(&shape, point(position), displacement.extend(0.0)).rotated(turn(angle));
        let hit = self.engine().cast_shape(&cast.ignore_leaving(), filter)?;
        Some(ShapeHit {
            shape: hit.shape,
            body: hit.body,
            fraction: hit.fraction,
            point: hit.point.truncate(),
            normal: hit.normal.truncate(),
            distance: hit.distance,
        })
    }
}

fn ray_hit(hit: engine::RayHit) -> RayHit {
    RayHit {
        shape: hit.shape,
        body: hit.body,
        point: hit.point.truncate(),
        normal: hit.normal.truncate(),
        distance: hit.distance,
    }
}
