//! The signed distance of two shapes in double precision: where places come from and what answers
//! are compared with.

use carom_geometry::{Pose, Shape};
use carom_narrowphase::{Convex, Proximity, gjk};
use glam::DVec3;

/// A convex shape in `f64`.
type Solid = Box<dyn Convex<f64>>;

/// Two shapes in `f64`; the first may be a half-space.
pub struct Reference {
    a: Option<Solid>,
    b: Option<Solid>,
}

fn solid(shape: &Shape) -> Option<Solid> {
    Some(match shape {
        Shape::Sphere(shape) => Box::new(shape.to::<f64>()),
        Shape::Capsule(shape) => Box::new(shape.to::<f64>()),
        Shape::Tile(shape) => Box::new(shape.to::<f64>()),
        Shape::Cuboid(shape) => Box::new(shape.to::<f64>()),
        Shape::Cylinder(shape) => Box::new(shape.to::<f64>()),
        Shape::Cone(shape) => Box::new(shape.to::<f64>()),
        Shape::Ellipsoid(shape) => Box::new(shape.to::<f64>()),
        Shape::Triangle(shape) => Box::new(shape.to::<f64>()),
        Shape::Polytope(shape) => Box::new(shape.to::<f64>()),
        // Figures of the plane have no twin in `f64`.
        Shape::HalfSpace(_)
        | Shape::Mesh(_)
        | Shape::HeightField(_)
        | Shape::Compound(_)
        | Shape::Planar(_) => return None,
    })
}

impl Reference {
    /// Of two shapes.
    #[must_use]
    pub fn new(a: &Shape, b: &Shape) -> Self {
        Self { a: solid(a), b: solid(b) }
    }

    /// The signed distance at a place; `None` if the second shape is not convex.
    #[must_use]
    pub fn proximity(&self, place: &Pose<f64>) -> Option<Proximity<f64>> {
        let b = self.b.as_deref()?;
        match self.a.as_deref() {
            Some(a) => Some(gjk::proximity(a, b, place, &mut gjk::SimplexCache::new())),
            None => {
                let down = place.rotation.rotate_back(DVec3::NEG_Y);
                let lowest = place.apply(b.core_support(down, &mut 0)) - DVec3::Y * b.radius();
                let on_a = DVec3::new(lowest.x, 0.0, lowest.z);
                Some(Proximity { distance: lowest.y, normal: DVec3::Y, on_a, on_b: lowest })
            }
        }
    }
}
