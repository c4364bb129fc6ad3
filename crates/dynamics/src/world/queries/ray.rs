//! What a ray hits.

use std::cell::Cell;

use carom_geometry::bounds::RaySlabs;
use carom_geometry::primitive;
use carom_geometry::shape::RayCast;
use glam::{DVec3, Vec3};

use super::{Found, QueryFilter};
use crate::state::id::{BodyId, ShapeId};
use crate::state::shapes::ShapeRow;
use crate::world::World;

/// A ray of a certain length in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Where it starts.
    pub origin: DVec3,
    /// Where it goes; of any length but zero.
    pub direction: Vec3,
    /// How far it goes, metres.
    pub length: f64,
}

impl Ray {
    /// A ray.
    #[must_use]
    pub fn new(origin: DVec3, direction: Vec3, length: f64) -> Self {
        Self { origin, direction, length }
    }

    /// The ray from a point to another.
    #[must_use]
    pub fn between(from: DVec3, to: DVec3) -> Self {
        let way = to - from;
        Self { origin: from, direction: way.as_vec3(), length: way.length() }
    }

    /// The point at a distance along it.
    #[must_use]
    pub fn at(&self, distance: f64) -> DVec3 {
        let direction = self.direction.as_dvec3();
        self.origin + direction * (distance / direction.length())
    }
}

/// Where a ray hits a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// What it hits.
    pub shape: ShapeId,
    /// Whose that is.
    pub body: BodyId,
    /// Where.
    pub point: DVec3,
    /// Unit normal of the surface, towards the origin of the ray; null if the ray starts inside a
    /// solid.
    pub normal: Vec3,
    /// How far from the origin of the ray, metres; 0 if it starts inside a solid.
    pub distance: f64,
}

impl RayHit {
    /// Comes before another: nearer, or as near and of a lower slot.
    fn is_before(&self, other: &Self) -> bool {
        let key = |hit: &Self| hit.shape.index();
        self.distance < other.distance || self.distance == other.distance && key(self) < key(other)
    }
}

/// A ray that has numbers to work with.
struct Line {
    origin: DVec3,
    /// Unit.
    direction: DVec3,
    length: f64,
    slabs: RaySlabs<f64>,
}

/// A shape is asked from so far before its box: where it begins inside, it must not seem to begin
/// at the box.
const RUN_UP: f64 = 1e-3;

impl Line {
    fn new(ray: &Ray) -> Option<Self> {
        let direction = ray.direction.as_dvec3();
        let size = direction.length();
        let sensible = ray.origin.is_finite()
            && size > 0.0
            && size.is_finite()
            && ray.length >= 0.0
            && !ray.length.is_nan();
        let direction = direction / size;
        sensible.then(|| Self {
            origin: ray.origin,
            direction,
            length: ray.length,
            slabs: RaySlabs::new(&primitive::Ray::new(ray.origin, direction)),
        })
    }

    /// The hit of a shape whose box is entered at `enter`, if it is within `limit`.
    fn hit(&self, world: &World, row: &ShapeRow, found: Found, enter: f64, limit: f64) -> Option<RayHit> {
        let place = world.shape_pose(row);
        let direction = place.rotation.rotate_back(self.direction.as_vec3());
        let cast = |start: f64| {
            let from = (self.origin - place.position + self.direction * start).as_vec3();
            let ray = primitive::Ray::new(place.rotation.rotate_back(from), direction);
            // A direction turned in single precision is not quite a unit vector: `t` is in units of
            // it.
            let unit = f64::from(direction.length());
            let hit = row.shape.cast_ray(&ray, ((limit - start) / unit) as f32)?;
            Some((start + f64::from(hit.t) * unit, hit.normal))
        };
        // From near by, so that nothing is lost over a long way.
        let start = if enter > RUN_UP { enter - RUN_UP } else { 0.0 };
        let (distance, normal) = match cast(start)? {
            (_, normal) if start > 0.0 && normal == Vec3::ZERO => cast(0.0)?,
            hit => hit,
        };
        (distance <= limit).then(|| RayHit {
            shape: found.shape,
            body: found.body,
            point: self.origin + self.direction * distance,
            normal: place.rotation.rotate(normal),
            distance,
        })
    }
}

impl World {
    /// The first shape that a ray hits.
    ///
    /// ```
    /// use carom_dynamics::{BodyDef, QueryFilter, Ray, ShapeDef, World, WorldDef};
    /// use carom_geometry::shape::Sphere;
    /// use glam::{DVec3, Vec3};
    /// let mut world = World::new(WorldDef::default());
    /// let ball = world.add_body(BodyDef::fixed().at(5.0, 0.0, 0.0), [ShapeDef::new(Sphere::new(1.0)?)])?;
    /// let hit = world.cast_ray(&Ray::new(DVec3::ZERO, Vec3::X, 100.0), &QueryFilter::default()).unwrap();
    /// assert_eq!((hit.body, hit.normal), (ball, -Vec3::X));
    /// assert!((hit.distance - 4.0).abs() < 1e-6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn cast_ray(&self, ray: &Ray, filter: &QueryFilter<'_>) -> Option<RayHit> {
        let line = Line::new(ray)?;
        let best: Cell<Option<RayHit>> = Cell::new(None);
        let limit = || best.get().map_or(line.length, |hit| hit.distance);
        self.ask_nearest(
            filter,
            |aabb| line.slabs.interval(aabb, limit()).map(|within| within.enter),
            limit,
            |enter, row, found| {
                let hit = line.hit(self, row, found, enter, limit());
                if hit.is_some_and(|hit| best.get().is_none_or(|other| hit.is_before(&other))) {
                    best.set(hit);
                }
            },
        );
        best.get()
    }

    /// Everything that a ray hits, each shape once and the nearest first, into `out`.
    pub fn ray_hits(&self, ray: &Ray, filter: &QueryFilter<'_>, out: &mut Vec<RayHit>) {
        out.clear();
        let Some(line) = Line::new(ray) else { return };
        self.ask_all(
            filter,
            |aabb| line.slabs.meets(aabb, line.length),
            |aabb, row, found| {
                let Some(within) = line.slabs.interval(aabb, line.length) else { return };
                out.extend(line.hit(self, row, found, within.enter, line.length));
            },
        );
        out.sort_unstable_by(|a, b| {
            a.distance.total_cmp(&b.distance).then(a.shape.index().cmp(&b.shape.index()))
        });
        out.dedup_by_key(|hit| hit.shape);
    }

    /// The first hit of each of many rays, into `out` in their order.
    pub fn cast_rays(&self, rays: &[Ray], filter: &QueryFilter<'_>, out: &mut Vec<Option<RayHit>>) {
        out.clear();
        out.extend(rays.iter().map(|ray| self.cast_ray(ray, filter)));
    }
}
