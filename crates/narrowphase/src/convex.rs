//! What an algorithm may ask of a convex shape.
//!
//! A shape is a *core* with a ball of some radius rolled round it (a sphere is a point, a capsule a
//! segment). Algorithms that measure between cores and add the radii are exact where those that see
//! only the rounded surface iterate, and they need no penetration depth before the cores meet.

use carom_geometry::polytope::VertexId;
use carom_geometry::primitive::Triangle;
use carom_geometry::shape::{Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Planar, Sphere, Support, Tile};
use carom_geometry::{Polytope, Real, Vector};
use glam::Vec3;

/// A bounded convex set: a core and a radius round it.
pub trait Convex<S: Real> {
    /// A point of the core that lies farthest along `direction`, in local coordinates.
    ///
    /// `hint` is where the last answer was found: shapes with many vertices start looking there. It
    /// may be any number at first; `u32::MAX` says that nothing is known. The answer may depend on
    /// it only among points that lie equally far up to rounding.
    fn core_support(&self, direction: S::Vec3, hint: &mut u32) -> S::Vec3;

    /// Radius of the ball rolled round the core.
    #[inline]
    fn radius(&self) -> S {
        S::ZERO
    }

    /// A point of the core, as far inside as is easily known.
    fn centre(&self) -> S::Vec3;
}

impl<S: Real, C: Convex<S> + ?Sized> Convex<S> for &C {
    #[inline]
    fn core_support(&self, direction: S::Vec3, hint: &mut u32) -> S::Vec3 {
        (**self).core_support(direction, hint)
    }

    #[inline]
    fn radius(&self) -> S {
        (**self).radius()
    }

    #[inline]
    fn centre(&self) -> S::Vec3 {
        (**self).centre()
    }
}

impl<S: Real> Convex<S> for Sphere<S> {
    #[inline]
    fn core_support(&self, _: S::Vec3, _: &mut u32) -> S::Vec3 {
        S::Vec3::ZERO
    }

    #[inline]
    fn radius(&self) -> S {
        self.radius
    }

    #[inline]
    fn centre(&self) -> S::Vec3 {
        S::Vec3::ZERO
    }
}

impl<S: Real> Convex<S> for Capsule<S> {
    #[inline]
    fn core_support(&self, direction: S::Vec3, _: &mut u32) -> S::Vec3 {
        if direction.dot(self.segment.direction()) > S::ZERO { self.segment.b } else { self.segment.a }
    }

    #[inline]
    fn radius(&self) -> S {
        self.radius
    }

    #[inline]
    fn centre(&self) -> S::Vec3 {
        (self.segment.a + self.segment.b) * S::HALF
    }
}

/// Shapes that are their own core, with the origin inside.
macro_rules! centred {
    ($($shape:ident),*) => {$(
        impl<S: Real> Convex<S> for $shape<S> {
            #[inline]
            fn core_support(&self, direction: S::Vec3, _: &mut u32) -> S::Vec3 {
                self.support(direction)
            }

            #[inline]
            fn centre(&self) -> S::Vec3 {
                S::Vec3::ZERO
            }
        }
    )*};
}

centred!(Tile, Cuboid, Cylinder, Cone, Ellipsoid);

impl<S: Real> Convex<S> for Triangle<S> {
    #[inline]
    fn core_support(&self, direction: S::Vec3, _: &mut u32) -> S::Vec3 {
        self.support(direction)
    }

    #[inline]
    fn centre(&self) -> S::Vec3 {
        (self.a + self.b + self.c) * S::of(1.0 / 3.0)
    }
}

impl Convex<f32> for Planar {
    #[inline]
    fn core_support(&self, direction: Vec3, _: &mut u32) -> Vec3 {
        // A ball rolled round the core would make a thick body of the sheet: the core is the whole.
        self.support(direction)
    }

    #[inline]
    fn centre(&self) -> Vec3 {
        self.inner_disc().0.extend(0.0)
    }
}

impl<S: Real> Convex<S> for Polytope<S> {
    #[inline]
    fn core_support(&self, direction: S::Vec3, hint: &mut u32) -> S::Vec3 {
        let vertex = self.support_near(direction, VertexId(*hint));
        *hint = vertex.0;
        self.point(vertex)
    }

    #[inline]
    fn centre(&self) -> S::Vec3 {
        self.vertex_centroid()
    }
}
