//! One type for every shape, for worlds that hold all kinds.
//!
//! Small shapes are held by value, large ones are shared: a clone costs a counter. Dispatch is one
//! `match`, so that loops over one kind can leave it outside.

use std::sync::Arc;

use super::{
    Bounded, Capsule, Compound, Cone, Cuboid, Cylinder, Ellipsoid, HalfSpace, Planar, RayCast, Sphere,
    Support, Tile,
};
use crate::bounds::Aabb;
use crate::height_field::HeightField;
use crate::mass::closed_surface::of_trusted_surface;
use crate::mass::{ClosedSurfaceError, MassProperties, Massive, of_closed_surface};
use crate::mesh::Mesh;
use crate::polytope::Polytope;
use crate::pose::Pose;
use crate::primitive::{Ray, RayHit, Triangle};

/// Any shape of the engine, in `f32`.
///
/// ```
/// use carom_geometry::shape::{Bounded, Cuboid, RayCast, Shape};
/// use carom_geometry::{Pose, primitive::Ray};
/// use glam::Vec3;
/// let shape = Shape::from(Cuboid::new(Vec3::new(1.0, 2.0, 3.0))?);
/// let place = Pose::at(Vec3::new(0.0, 5.0, 0.0));
/// assert_eq!(shape.aabb_at(&place).max, [1.0, 7.0, 3.0]);
/// let hit = shape.cast_ray_at(&place, &Ray::new(Vec3::ZERO, Vec3::Y), 100.0).unwrap();
/// assert_eq!((hit.t, hit.normal), (3.0, -Vec3::Y));
/// assert_eq!(shape.mass_properties(1000.0)?.mass, 48_000.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub enum Shape {
    /// Ball.
    Sphere(Sphere),
    /// All points near a segment.
    Capsule(Capsule),
    /// Rectangle without thickness.
    Tile(Tile),
    /// Box.
    Cuboid(Cuboid),
    /// Cylinder with flat ends.
    Cylinder(Cylinder),
    /// Cone.
    Cone(Cone),
    /// Ellipsoid.
    Ellipsoid(Ellipsoid),
    /// Everything below a plane.
    HalfSpace(HalfSpace),
    /// Triangle without thickness.
    Triangle(Triangle),
    /// Convex polyhedron.
    Polytope(Arc<Polytope>),
    /// Triangle mesh.
    Mesh(Arc<Mesh>),
    /// Grid of heights.
    HeightField(Arc<HeightField>),
    /// Posed children.
    Compound(Arc<Compound>),
    /// Figure of the plane z = 0.
    Planar(Planar),
}

/// Runs `$body` with `$shape` bound to whatever shape is inside.
macro_rules! each {
    ($self:expr, $shape:ident => $body:expr) => {
        match $self {
            Shape::Sphere($shape) => $body,
            Shape::Capsule($shape) => $body,
            Shape::Tile($shape) => $body,
            Shape::Cuboid($shape) => $body,
            Shape::Cylinder($shape) => $body,
            Shape::Cone($shape) => $body,
            Shape::Ellipsoid($shape) => $body,
            Shape::HalfSpace($shape) => $body,
            Shape::Triangle($shape) => $body,
            Shape::Polytope($shape) => $body,
            Shape::Mesh($shape) => $body,
            Shape::HeightField($shape) => $body,
            Shape::Compound($shape) => $body,
            Shape::Planar($shape) => $body,
        }
    };
}

impl Shape {
    /// Name of the kind, as scene files spell it.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Sphere(_) => "sphere",
            Self::Capsule(_) => "capsule",
            Self::Tile(_) => "tile",
            Self::Cuboid(_) => "box",
            Self::Cylinder(_) => "cylinder",
            Self::Cone(_) => "cone",
            Self::Ellipsoid(_) => "ellipsoid",
            Self::HalfSpace(_) => "half-space",
            Self::Triangle(_) => "triangle",
            Self::Polytope(_) => "convex",
            Self::Mesh(_) => "mesh",
            Self::HeightField(_) => "height-field",
            Self::Compound(_) => "compound",
            Self::Planar(_) => "planar",
        }
    }

    /// The support function of a bounded convex shape; `None` for half-space, mesh, height field
    /// and compound.
    #[must_use]
    pub fn as_convex(&self) -> Option<&dyn Support<f32>> {
        Some(match self {
            Self::Sphere(shape) => shape,
            Self::Capsule(shape) => shape,
            Self::Tile(shape) => shape,
            Self::Cuboid(shape) => shape,
            Self::Cylinder(shape) => shape,
            Self::Cone(shape) => shape,
            Self::Ellipsoid(shape) => shape,
            Self::Triangle(shape) => shape,
            Self::Polytope(shape) => &**shape,
            Self::Planar(shape) => shape,
            Self::HalfSpace(_) | Self::Mesh(_) | Self::HeightField(_) | Self::Compound(_) => return None,
        })
    }

    /// Mass, centre and inertia for a density in kg/m³; for tiles, triangles and figures of
    /// the plane in kg/m².
    ///
    /// # Errors
    ///
    /// Half-spaces and height fields have no volume, and a mesh must be closed and turned outwards.
    pub fn mass_properties(&self, density: f32) -> Result<MassProperties, ShapeMassError> {
        Ok(match self {
            Self::Sphere(shape) => shape.mass_properties(density),
            Self::Capsule(shape) => shape.mass_properties(density),
            Self::Tile(shape) => shape.mass_properties(density),
            Self::Cuboid(shape) => shape.mass_properties(density),
            Self::Cylinder(shape) => shape.mass_properties(density),
            Self::Cone(shape) => shape.mass_properties(density),
            Self::Ellipsoid(shape) => shape.mass_properties(density),
            Self::Triangle(shape) => shape.mass_properties(density),
            Self::Polytope(shape) => of_trusted_surface(shape.triangles().map(|t| t.corners()), density)?,
            Self::Mesh(mesh) => of_closed_surface(mesh.vertices(), mesh.indices().iter().copied(), density)?,
            Self::Compound(compound) => compound.mass_properties(density)?,
            Self::Planar(figure) => figure.mass_properties(density),
            Self::HalfSpace(_) | Self::HeightField(_) => {
                return Err(ShapeMassError::Unbounded { shape: self.name() });
            }
        })
    }
}

carom_core::error_type! {
    /// Why a shape has no mass properties.
    #[derive(Clone, Debug, PartialEq)]
    pub enum ShapeMassError {
        /// The shape encloses no finite volume.
        #[error("a {shape} encloses no finite volume: state the mass, or make the body static")]
        Unbounded {
            /// Kind of shape.
            shape: &'static str,
        },
        /// The surface does not bound a solid.
        #[error("the surface bounds no solid: {0}")]
        Surface(#[from] ClosedSurfaceError),
        /// A child of a compound has none.
        #[error("child {child}: {reason}")]
        Child {
            /// Which child.
            child: usize,
            /// Why.
            reason: Box<Self>,
        },
    }
}

impl Bounded<f32> for Shape {
    fn aabb(&self) -> Aabb<3> {
        each!(self, shape => shape.aabb())
    }

    fn aabb_at(&self, pose: &Pose) -> Aabb<3> {
        each!(self, shape => shape.aabb_at(pose))
    }
}

impl RayCast<f32> for Shape {
    fn cast_ray(&self, ray: &Ray, max: f32) -> Option<RayHit> {
        each!(self, shape => shape.cast_ray(ray, max))
    }
}

macro_rules! from {
    ($($shape:ident),*) => {$(
        impl From<$shape> for Shape {
            fn from(shape: $shape) -> Self {
                Self::$shape(shape)
            }
        }
    )*};
    (shared $($shape:ident),*) => {$(
        impl From<$shape> for Shape {
            fn from(shape: $shape) -> Self {
                Self::$shape(Arc::new(shape))
            }
        }
    )*};
}

from!(Sphere, Capsule, Tile, Cuboid, Cylinder, Cone, Ellipsoid, HalfSpace, Triangle);
from!(shared Polytope, Mesh, HeightField, Compound);
