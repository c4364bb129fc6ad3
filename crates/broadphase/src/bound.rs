//! A tighter volume inside a box, for methods and refinements that use spheres and oriented boxes.

use carom_geometry::bounds::{Aabb, BoundingSphere, Obb};

/// An oriented box and a sphere around the same thing, about the same centre.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    /// Oriented box.
    pub obb: Obb,
    /// Radius of the sphere around the centre of the oriented box.
    pub radius: f32,
}

impl Bound {
    /// The bounds of a box itself, in a plane with thickness 0; `None` for a box that has no centre
    /// because it is infinite.
    #[must_use]
    pub fn of_box<const D: usize>(aabb: &Aabb<D>) -> Option<Self> {
        let corner = |c: &[f32; D]| std::array::from_fn(|k| c.get(k).copied().unwrap_or(0.0));
        let finite = aabb.min.iter().chain(&aabb.max).all(|c| c.is_finite());
        finite.then(|| Self::of_obb(Obb::of_aabb(&Aabb::new(corner(&aabb.min), corner(&aabb.max)))))
    }

    /// An oriented box and the sphere around it.
    #[must_use]
    pub fn of_obb(obb: Obb) -> Self {
        Self { obb, radius: obb.half.length() }
    }

    /// The sphere.
    #[inline]
    #[must_use]
    pub fn sphere(&self) -> BoundingSphere {
        BoundingSphere::new(self.obb.centre, self.radius)
    }
}
