//! Questions to a mesh: triangles in a box, along a ray, along a moving box; farthest corner; box
//! in a pose.

use glam::Vec3;

use super::Mesh;
use super::ray::{Nearest, TriangleHit, WatertightRay};
use crate::bounds::Aabb;
use crate::bvh::Slabs;
use crate::pose::Pose;
use crate::primitive::{Ray, RayHit};
use crate::real::Vector;
use crate::shape::{Bounded, RayCast};

impl Mesh {
    /// Calls `visit` with every triangle whose box meets the region, each once; touching counts.
    pub fn for_each_in_box(&self, region: &Aabb<3>, mut visit: impl FnMut(u32)) {
        self.any_in_box(region, |triangle| {
            visit(triangle);
            false
        });
    }

    /// Calls `accept` with triangles whose box meets the region until it returns true; returns
    /// whether it did.
    #[inline]
    pub fn any_in_box(&self, region: &Aabb<3>, mut accept: impl FnMut(u32) -> bool) -> bool {
        let mut accepted = false;
        self.tree.walk_box(region, |t| {
            accepted = accept(t);
            !accepted
        });
        accepted
    }

    /// The first triangle a ray in local coordinates meets with `0 ≤ t ≤ max`, from either side; of
    /// several at the same time the one with the lowest number. A ray that is not finite or has no
    /// direction meets nothing.
    ///
    /// A ray through an edge or corner between triangles meets one of them.
    #[must_use]
    pub fn cast(&self, ray: &Ray, max: f32) -> Option<TriangleHit> {
        let prepared = WatertightRay::new(ray)?;
        let slabs = Slabs::new(ray.origin, Vec3::ZERO, ray.direction, self.tree.bounds())?;
        let mut nearest = Nearest::none(max);
        let mut limit = slabs.scaled(max);
        self.tree.walk_slabs(&slabs, limit, |t, _| {
            if let Some(time) = prepared.meet(self.corners(t), nearest.t) {
                nearest.offer(time, t);
                limit = slabs.scaled(nearest.t);
            }
            limit
        });
        nearest
            .found()
            .then(|| prepared.describe(self.corners(nearest.triangle), nearest.t, nearest.triangle))
    }

    /// Does a ray in local coordinates meet any triangle with `0 ≤ t ≤ max`? Faster than
    /// [`cast`](Self::cast).
    #[must_use]
    pub fn is_hit(&self, ray: &Ray, max: f32) -> bool {
        let (Some(prepared), Some(slabs)) =
            (WatertightRay::new(ray), Slabs::new(ray.origin, Vec3::ZERO, ray.direction, self.tree.bounds()))
        else {
            return false;
        };
        let limit = slabs.scaled(max);
        let mut hit = false;
        self.tree.walk_slabs(&slabs, limit, |t, _| {
            hit = hit || prepared.meet(self.corners(t), max).is_some();
            if hit { f32::NEG_INFINITY } else { limit }
        });
        hit
    }

    /// The triangles that `start`, moved by `displacement` over the times 0 to 1, may touch.
    ///
    /// `visit` is called with a triangle and a time at which, or before which, the moving box first
    /// touches the box of the triangle; earlier ones come first, roughly. No triangle is missed;
    /// one that is passed at a distance of some rounding errors may be named too. `visit` returns
    /// the last time that is still of interest, 1 for all: return the time of a hit to hear of
    /// nothing that comes later.
    ///
    /// Nothing is visited if a number is not finite.
    pub fn sweep_box(&self, start: &Aabb<3>, displacement: Vec3, mut visit: impl FnMut(u32, f32) -> f32) {
        let Some(slabs) = Slabs::new(start.centre(), start.half(), displacement, self.tree.bounds()) else {
            return;
        };
        self.tree
            .walk_slabs(&slabs, slabs.scaled(1.0), |t, time| slabs.scaled(visit(t, slabs.unscaled(time))));
    }

    /// A vertex that lies farthest along `direction`, of any length.
    #[must_use]
    pub fn farthest_vertex(&self, direction: Vec3) -> u32 {
        // The boxes promise what their corner reaches, rounded; the slack makes up for both
        // roundings.
        let slack = 8.0 * f32::EPSILON * self.tree.reach() * Vector::abs(direction).max_element();
        let (mut best, mut farthest) = (f32::NEG_INFINITY, self.triangles[0][0]);
        self.tree.walk_far(direction, slack, best, |t| {
            for (vertex, point) in self.owned_vertices(t) {
                let along = direction.dot(point);
                if along > best {
                    (best, farthest) = (along, vertex);
                }
            }
            best
        });
        farthest
    }
}

impl Bounded<f32> for Mesh {
    fn aabb(&self) -> Aabb<3> {
        *self.tree.bounds()
    }

    /// The same box, to the bit, as around all vertices moved one by one; found in time that grows
    /// with the logarithm of their number for compact shapes.
    fn aabb_at(&self, pose: &Pose) -> Aabb<3> {
        let first = Aabb::EMPTY.with_point(pose.apply(self.vertices[0]));
        self.tree.box_at(pose, first, |t, direction, least, bounds| {
            for (_, vertex) in self.owned_vertices(t) {
                if direction.dot(vertex) >= least {
                    *bounds = bounds.with_point(pose.apply(vertex));
                }
            }
        })
    }
}

/// The surface is two-sided; a ray that starts inside a closed mesh meets it from behind.
impl RayCast<f32> for Mesh {
    fn cast_ray(&self, ray: &Ray, max: f32) -> Option<RayHit> {
        self.cast(ray, max).map(RayHit::from)
    }
}
