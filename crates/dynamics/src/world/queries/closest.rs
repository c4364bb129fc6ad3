//! Which shape is nearest to a point.

use std::cell::Cell;

use carom_geometry::shape::{Bounded, Compound, Sphere};
use carom_geometry::{Aabb, Pose, Shape};
use carom_narrowphase::composite::Triangles;
use carom_narrowphase::pair::{self, PairCache};
use carom_narrowphase::{NarrowMethod, Proximity};
use glam::{DVec3, Vec3};

use super::QueryFilter;
use crate::state::id::{BodyId, ShapeId};
use crate::state::motion::is_near;
use crate::world::World;

/// The nearest point of the nearest shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosestPoint {
    /// The shape.
    pub shape: ShapeId,
    /// Whose it is.
    pub body: BodyId,
    /// Its point nearest to the one that was asked for; on its surface.
    pub point: DVec3,
    /// Unit normal there, from the shape to the point that was asked for, or out of the shape if
    /// that is inside.
    pub normal: Vec3,
    /// How far away; below zero inside a solid.
    pub distance: f32,
}

impl World {
    /// The shape nearest to a point, if one is within `radius`; inside several, the one it is
    /// deepest in.
    ///
    /// ```
    /// use carom_dynamics::{BodyDef, QueryFilter, ShapeDef, World, WorldDef};
    /// use carom_geometry::shape::{HalfSpace, Sphere};
    /// use glam::{DVec3, Vec3};
    /// let mut world = World::new(WorldDef::default());
    /// world.add_body(BodyDef::fixed(), [ShapeDef::new(HalfSpace)])?;
    /// let near = world.closest(DVec3::new(2.0, 3.0, 4.0), 10.0, &QueryFilter::default()).unwrap();
    /// assert_eq!((near.distance, near.normal, near.point), (3.0, Vec3::Y, DVec3::new(2.0, 0.0, 4.0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn closest(&self, point: DVec3, radius: f32, filter: &QueryFilter<'_>) -> Option<ClosestPoint> {
        if !(is_near(point) && radius >= 0.0) {
            return None;
        }
        let best: Cell<Option<ClosestPoint>> = Cell::new(None);
        let limit = || best.get().map_or(radius, |near| near.distance);
        // Inside something, boxes that the point is in may still hold something that it is deeper
        // in.
        let farthest = || f64::from(if limit() > 0.0 { limit() } else { 0.0 });
        let near = |aabb: &Aabb<3, f64>| Some(aabb.distance_squared(point));
        self.ask_nearest(
            filter,
            near,
            || farthest() * farthest(),
            |_, row, found| {
                let place = self.shape_pose(row);
                let local = place.rotation.rotate_back((point - place.position).as_vec3());
                let Some(near) = nearest_of(&row.shape, local, limit()) else { return };
                let is_better = best.get().is_none_or(|other| {
                    near.distance < other.distance
                        || near.distance == other.distance && found.shape.index() < other.shape.index()
                });
                if is_better {
                    best.set(Some(ClosestPoint {
                        shape: found.shape,
                        body: found.body,
                        point: place.apply(near.on_a),
                        normal: place.rotation.rotate(near.normal),
                        distance: near.distance,
                    }));
                }
            },
        );
        best.get()
    }

    /// The nearest shape to each of many points, into `out` in their order.
    pub fn closest_to_each(
        &self,
        points: &[DVec3],
        radius: f32,
        filter: &QueryFilter<'_>,
        out: &mut Vec<Option<ClosestPoint>>,
    ) {
        out.clear();
        out.extend(points.iter().map(|point| self.closest(*point, radius, filter)));
    }
}

/// The nearest point of a shape to a point in its frame, if it is within `limit`. Recursion is
/// bounded by the depth of compounds.
fn nearest_of(shape: &Shape, point: Vec3, limit: f32) -> Option<Proximity> {
    match shape {
        Shape::Compound(compound) => nearest_child(compound, point, limit),
        Shape::Mesh(mesh) => nearest_triangle(&**mesh, &mesh.aabb(), point, limit),
        Shape::HeightField(field) => nearest_triangle(&**field, &field.aabb(), point, limit),
        _ => nearest_of_solid(shape, point, limit),
    }
}

fn nearest_of_solid(shape: &Shape, point: Vec3, limit: f32) -> Option<Proximity> {
    let dot = Shape::Sphere(Sphere { radius: 0.0 });
    let place = Pose::at(point);
    // Every solid has an answer for a ball.
    let near =
        pair::proximity(shape, &dot, &place, limit, NarrowMethod::Auto, &mut PairCache::default()).ok()??;
    (near.distance <= limit && near.is_finite()).then_some(near)
}

/// A box around a ball.
fn around(point: Vec3, radius: f32) -> Aabb<3> {
    let reach = Vec3::splat(if radius > 0.0 { radius } else { 0.0 }) + point.abs() * (4.0 * f32::EPSILON);
    Aabb { min: (point - reach).to_array(), max: (point + reach).to_array() }
}

fn nearest_child(compound: &Compound, point: Vec3, limit: f32) -> Option<Proximity> {
    let mut best: Option<(u32, Proximity)> = None;
    compound.for_each_in_box(&around(point, limit), |number| {
        let child = &compound.children()[number as usize];
        let limit = best.map_or(limit, |(_, near)| near.distance);
        let Some(near) = nearest_of(&child.shape, child.pose.undo(point), limit) else { return };
        let is_better = best.is_none_or(|(other, old)| {
            near.distance < old.distance || near.distance == old.distance && number < other
        });
        if is_better {
            best = Some((number, near.posed(&child.pose)));
        }
    });
    best.map(|(_, near)| near)
}

/// Looks in boxes that grow until they hold something: most of a large surface is never near.
fn nearest_triangle<T: Triangles>(
    surface: &T,
    bounds: &Aabb<3>,
    point: Vec3,
    limit: f32,
) -> Option<Proximity> {
    let gap = bounds.distance_squared(point).sqrt();
    let size = bounds.half().length();
    let far = gap + 2.0 * size;
    let limit = if limit < far { limit } else { far * (1.0 + 8.0 * f32::EPSILON) };
    // Above 0 and no NaN, so that doubling comes to an end.
    let mut radius = gap * (1.0 + 4.0 * f32::EPSILON) + size / 64.0 + limit / 1024.0;
    if !radius.is_finite() {
        return None;
    }
    loop {
        let within = if radius < limit { radius } else { limit };
        let mut best: Option<(u32, Proximity)> = None;
        surface.for_each_in_box(&around(point, within), |number, triangle| {
            let near = nearest_of_solid(&Shape::Triangle(*triangle), point, within);
            let is_better = |near: &Proximity| {
                best.is_none_or(|(other, old)| {
                    near.distance < old.distance || near.distance == old.distance && number < other
                })
            };
            if let Some(near) = near.filter(is_better) {
                best = Some((number, near));
            }
        });
        if best.is_some() || radius >= limit {
            return best.map(|(_, near)| near);
        }
        radius *= 2.0;
    }
}
