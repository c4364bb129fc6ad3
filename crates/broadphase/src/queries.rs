//! Questions to a space: which boxes meet a box, a ray, a moving box or a frustum, and which is
//! nearest.
//!
//! One walk serves them all: volumes that cannot contribute are left out if the method has a
//! structure ([`crate::broad_phase::Hierarchy`]); without one, every box is looked at. Each box
//! that is found is found once, and has been tested itself. Queries are right at any time: what was
//! inserted or moved since the last update, which the structure does not know, is looked at one by
//! one.

use carom_geometry::Aabb;
use carom_geometry::bounds::RaySlabs;
use carom_geometry::primitive::{Plane, Ray};
use glam::Vec3;

use crate::Space;
use crate::broad_phase::Hierarchy;

/// The part of a frustum's outside that a box must lie in to be left out: planes point outwards.
fn outside(planes: &[Plane], aabb: &Aabb<3>) -> bool {
    planes.iter().any(|plane| {
        // The corner that lies deepest behind the plane. An axis along the plane has no say, not
        // even at infinity: else a volume might be left out that holds a box which is not.
        let corner = Vec3::from_array(std::array::from_fn(|k| match plane.normal[k] {
            n if n > 0.0 => aabb.min[k],
            n if n < 0.0 => aabb.max[k],
            _ => 0.0,
        }));
        plane.signed_distance(corner) > 0.0
    })
}

/// A box or point of `D` dimensions in three; missing coordinates are 0.
fn lifted<const D: usize>(aabb: &Aabb<D>) -> Aabb<3> {
    Aabb::new(point(&aabb.min), point(&aabb.max))
}

fn point<const D: usize>(coordinates: &[f32; D]) -> [f32; 3] {
    std::array::from_fn(|k| coordinates.get(k).copied().unwrap_or(0.0))
}

/// Square of the distance from a point to a box.
fn square_distance<const D: usize>(aabb: &Aabb<D>, point: &[f32; D]) -> f32 {
    (0..D).fold(0.0, |sum, k| {
        let gap = if point[k] < aabb.min[k] {
            aabb.min[k] - point[k]
        } else if point[k] > aabb.max[k] {
            point[k] - aabb.max[k]
        } else {
            0.0
        };
        sum + gap * gap
    })
}

impl<const D: usize> Space<D> {
    /// Does the method have a structure that makes queries faster than looking at every box?
    #[must_use]
    pub fn has_fast_queries(&self) -> bool {
        self.hierarchy().is_some()
    }

    /// The structure of the method as of the last update, if it has one: for drawings, debugging
    /// and questions that are not here. It may visit ids that have been removed since.
    #[must_use]
    pub fn hierarchy(&self) -> Option<&dyn Hierarchy<D>> {
        self.broad_phase.hierarchy()
    }

    /// The ids of all boxes that overlap a box, ascending. Touching counts.
    pub fn overlapping(&self, aabb: &Aabb<D>, out: &mut Vec<u32>) {
        self.collect(out, |volume| volume.overlaps(aabb));
    }

    /// All boxes that a ray meets between its origin and `max` times its direction: (entry
    /// parameter, id), ascending.
    pub fn along_ray(&self, origin: [f32; D], direction: [f32; D], max: f32, out: &mut Vec<(f32, u32)>) {
        let slabs = RaySlabs::new(&Ray::new(Vec3::from(point(&origin)), Vec3::from(point(&direction))));
        self.collect_first(out, |volume| slabs.interval(&lifted(volume), max).map(|hit| hit.enter));
    }

    /// All boxes that a box meets while it is displaced: (time between 0 and 1, id), ascending.
    pub fn along_sweep(&self, aabb: &Aabb<D>, displacement: [f32; D], out: &mut Vec<(f32, u32)>) {
        let (moving, displacement) = (lifted(aabb), Vec3::from(point(&displacement)));
        self.collect_first(out, |volume| moving.sweep(displacement, &lifted(volume)).map(|hit| hit.enter));
    }

    /// The ids of all boxes that are not wholly in front of one of the planes, ascending: the
    /// planes of a frustum point outwards. Boxes near a corner of the frustum may be found although
    /// they miss it; none that meets it is left out.
    pub fn in_frustum(&self, planes: &[Plane], out: &mut Vec<u32>) {
        self.collect(out, |volume| !outside(planes, &lifted(volume)));
    }

    /// The box nearest to a point and its distance (0 inside); of several the one with the smallest
    /// id.
    #[must_use]
    pub fn nearest(&self, point: [f32; D]) -> Option<(u32, f32)> {
        let best = std::cell::Cell::new((f32::INFINITY, u32::MAX));
        self.walk(&mut |volume| square_distance(volume, &point) <= best.get().0, &mut |id| {
            let candidate = (square_distance(self.table.aabb(id), &point), id);
            if candidate < best.get() {
                best.set(candidate);
            }
        });
        let (square, id) = best.get();
        (id != u32::MAX).then(|| (id, square.sqrt()))
    }

    fn collect(&self, out: &mut Vec<u32>, test: impl Fn(&Aabb<D>) -> bool) {
        out.clear();
        self.walk(&mut |volume| test(volume), &mut |id| {
            if test(self.table.aabb(id)) {
                out.push(id);
            }
        });
        out.sort_unstable();
        out.dedup();
    }

    fn collect_first(&self, out: &mut Vec<(f32, u32)>, test: impl Fn(&Aabb<D>) -> Option<f32>) {
        out.clear();
        self.walk(&mut |volume| test(volume).is_some(), &mut |id| {
            out.extend(test(self.table.aabb(id)).map(|enter| (enter, id)));
        });
        out.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        out.dedup();
    }

    /// Visits boxes from near to far, roughly, until `visit` says that the rest is too far off: for
    /// questions about what comes first. See [`Hierarchy::descend_near`]; otherwise as
    /// [`Space::walk`].
    pub fn walk_near(
        &self,
        near: &mut dyn FnMut(&Aabb<D>) -> Option<f64>,
        visit: &mut dyn FnMut(u32) -> f64,
    ) {
        let Some(hierarchy) = self.hierarchy() else {
            // Nothing is known of places: every box is as near as the others.
            self.table.ids().for_each(|id| {
                let _ = visit(id);
            });
            return;
        };
        let mut limit = f64::INFINITY;
        for id in self.table.changed().iter().copied().filter(|id| self.table.is_alive(*id)) {
            limit = visit(id);
        }
        hierarchy.descend_near(near, &mut |id| {
            if self.table.is_alive(id) {
                limit = visit(id);
            }
            limit
        });
    }

    /// Visits every box of which `enter` is true, and maybe others: only boxes in use, some more
    /// than once, none of them tested (which is the caller's business, like the order of what is
    /// found). `enter` is asked about volumes around several boxes and must be true of them if it
    /// is of a box inside; it may become stricter on the way.
    pub fn walk(&self, enter: &mut dyn FnMut(&Aabb<D>) -> bool, visit: &mut dyn FnMut(u32)) {
        let Some(hierarchy) = self.hierarchy() else { return self.table.ids().for_each(visit) };
        // First what the structure does not know as it is now: of these a stale place may be
        // visited as well.
        self.table.changed().iter().copied().filter(|id| self.table.is_alive(*id)).for_each(&mut *visit);
        hierarchy.descend(enter, &mut |id| {
            if self.table.is_alive(id) {
                visit(id);
            }
        });
    }
}
