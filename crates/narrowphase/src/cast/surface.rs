//! Casts against triangle meshes and height fields.
//!
//! The tree of the surface names the triangles that the moving box of the mover may touch, earlier
//! ones first, roughly. Each is cast at with the time of the best hit as limit, and that time ends
//! the walk. Surfaces have no inside: a mover that starts in the middle of a closed mesh touches
//! nothing until it comes to a triangle.

use carom_geometry::bounds::Aabb;
use carom_geometry::height_field::HeightField;
use carom_geometry::primitive::Triangle;
use carom_geometry::shape::Bounded;
use carom_geometry::{Mesh, Pose, Vector};
use glam::Vec3;

use super::{CastHit, CastOptions, cast};
use crate::Convex;

/// A surface of triangles with a tree.
pub trait Surface {
    /// A triangle by its number.
    fn triangle(&self, triangle: u32) -> Triangle;

    /// Visits the triangles whose box a moving box may touch: see [`Mesh::sweep_box`].
    fn sweep_box(&self, start: &Aabb<3>, displacement: Vec3, visit: impl FnMut(u32, f32) -> f32);

    /// Visits the triangles whose box meets a region.
    fn for_each_in_box(&self, region: &Aabb<3>, visit: impl FnMut(u32));

    /// The box round everything.
    fn bounds(&self) -> Aabb<3>;
}

macro_rules! surface {
    ($($kind:ident),*) => {$(
        impl Surface for $kind {
            #[inline]
            fn triangle(&self, triangle: u32) -> Triangle {
                Self::triangle(self, triangle)
            }

            #[inline]
            fn sweep_box(&self, start: &Aabb<3>, displacement: Vec3, visit: impl FnMut(u32, f32) -> f32) {
                Self::sweep_box(self, start, displacement, visit);
            }

            #[inline]
            fn for_each_in_box(&self, region: &Aabb<3>, visit: impl FnMut(u32)) {
                Self::for_each_in_box(self, region, visit);
            }

            #[inline]
            fn bounds(&self) -> Aabb<3> {
                Bounded::aabb(self)
            }
        }
    )*};
}

surface!(Mesh, HeightField);

/// The first touch of a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceCastHit {
    /// When, where and how.
    pub hit: CastHit,
    /// The triangle.
    pub triangle: u32,
}

/// Casts a convex shape at a surface of triangles.
///
/// Of several triangles touched at the same time it is the one with the lowest number.
#[inline]
pub fn cast_on_surface<T: Surface + ?Sized, B: Convex<f32> + Bounded<f32> + ?Sized>(
    surface: &T,
    mover: &B,
    pose: &Pose,
    displacement: Vec3,
    options: &CastOptions,
) -> Option<SurfaceCastHit> {
    first_of_surface(surface, &mover.aabb_at(pose), displacement, options, |triangle, options| {
        cast(triangle, mover, pose, displacement, options)
    })
}

/// The first of the hits that `cast_at` finds on triangles; `bounds` are those of the mover at the
/// start.
#[inline]
pub(super) fn first_of_surface<T: Surface + ?Sized>(
    surface: &T,
    bounds: &Aabb<3>,
    displacement: Vec3,
    options: &CastOptions,
    mut cast_at: impl FnMut(&Triangle, &CastOptions) -> Option<CastHit>,
) -> Option<SurfaceCastHit> {
    let mut best: Option<SurfaceCastHit> = None;
    let mut rest = *options;
    surface.sweep_box(&bounds.grown(options.stop_distance), displacement, |number, enters| {
        if enters > rest.max_fraction {
            return rest.max_fraction;
        }
        let triangle = surface.triangle(number);
        if options.backfaces || !is_met_from_behind(&triangle, displacement) {
            let found = cast_at(&triangle, &rest).map(|hit| SurfaceCastHit { hit, triangle: number });
            if found.is_some_and(|f| best.is_none_or(|b| comes_before(&f, &b))) {
                best = found;
            }
        }
        rest.max_fraction = best.map_or(rest.max_fraction, |b| b.hit.fraction);
        rest.max_fraction
    });
    best
}

/// Earlier; at the same time deeper, then of a lower number.
#[inline]
fn comes_before(one: &SurfaceCastHit, other: &SurfaceCastHit) -> bool {
    let (a, b) = (&one.hit, &other.hit);
    if a.fraction != b.fraction {
        return a.fraction < b.fraction;
    }
    if a.distance != b.distance {
        return a.distance < b.distance;
    }
    one.triangle < other.triangle
}

/// Does the mover come through the back?
#[inline]
fn is_met_from_behind(triangle: &Triangle, displacement: Vec3) -> bool {
    let normal = (triangle.b - triangle.a).cross(triangle.c - triangle.a);
    Vector::dot(normal, displacement) > 0.0
}
