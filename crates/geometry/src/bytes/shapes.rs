//! Shapes as bytes.
//!
//! Geometry that is shared is written where it is first met and named by its number afterwards, so that it is shared again when it has been
//! read. Simple shapes are made by their constructors, and so only those can be read that could have been made; the same
//! goes for [compounds](Compound). [Polytopes](crate::Polytope), [meshes](crate::Mesh) and
//! [height fields](crate::HeightField) keep what they cannot find out again, and say how beside their fields.

use std::sync::Arc;

use super::{ReadError, Reader, Stored, Writer};
use crate::shape::{
    Capsule, Child, Compound, Cone, Cuboid, Cylinder, Ellipsoid, HalfSpace, Shape, Sphere, Tile,
    compound::MAX_DEPTH,
};

/// Stands for shared geometry that has not been met before; others are counted from 1.
const NEW: u32 = 0;
/// Number of kinds of shapes.
const KINDS: u8 = 13;

crate::stored!(Child { pose: crate::Pose, shape: Shape });

impl Stored for Shape {
    const LEAST: usize = 1;

    fn put(&self, out: &mut Writer) {
        match self {
            Self::Sphere(ball) => (0u8, ball.radius).put(out),
            Self::Capsule(capsule) => (1u8, (capsule.segment, capsule.radius)).put(out),
            Self::Tile(tile) => (2u8, [tile.half_x, tile.half_z]).put(out),
            Self::Cuboid(cuboid) => (3u8, cuboid.half).put(out),
            Self::Cylinder(cylinder) => (4u8, [cylinder.half_length, cylinder.radius]).put(out),
            Self::Cone(cone) => (5u8, [cone.half_length, cone.radius]).put(out),
            Self::Ellipsoid(ellipsoid) => (6u8, ellipsoid.radii).put(out),
            Self::HalfSpace(_) => 7u8.put(out),
            Self::Triangle(triangle) => (8u8, *triangle).put(out),
            Self::Polytope(polytope) => put_shared(9, polytope, out),
            Self::Mesh(mesh) => put_shared(10, mesh, out),
            Self::HeightField(field) => put_shared(11, field, out),
            Self::Compound(compound) => put_shared(12, compound, out),
        }
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, ReadError> {
        let start = from.at();
        let refused = |reason: &dyn std::fmt::Display| {
            let hint = super::Fault::Refused { reason: reason.to_string() };
            ReadError { at: start, path: String::new(), fault: hint }
        };
        let made = |shape: Result<Self, crate::shape::ShapeError>| shape.map_err(|error| refused(&error));
        match from.kind(KINDS)? {
            0 => made(Sphere::new(from.field("radius")?).map(Self::from)),
            1 => {
                let (segment, radius) = from.field::<(crate::primitive::Segment, f32)>("capsule")?;
                made(Capsule::new(segment.a, segment.b, radius).map(Self::from))
            }
            2 => {
                let [x, z] = from.field("tile")?;
                made(Tile::new(x, z).map(Self::from))
            }
            3 => made(Cuboid::new(from.field::<glam::Vec3>("half")?).map(Self::from)),
            4 => {
                let [half_length, radius] = from.field("cylinder")?;
                made(Cylinder::new(half_length, radius).map(Self::from))
            }
            5 => {
                let [half_length, radius] = from.field("cone")?;
                made(Cone::new(half_length, radius).map(Self::from))
            }
            6 => made(Ellipsoid::new(from.field::<glam::Vec3>("radii")?).map(Self::from)),
            7 => Ok(HalfSpace.into()),
            8 => from.field("triangle").map(Self::Triangle),
            kind => take_shared(from, kind),
        }
    }
}

fn put_shared<T: Stored>(kind: u8, geometry: &Arc<T>, out: &mut Writer) {
    kind.put(out);
    let address = Arc::as_ptr(geometry).addr();
    if let Some(number) = out.shared.get(&address) {
        (number + 1).put(out);
        return;
    }
    NEW.put(out);
    geometry.put(out);
    // After its own parts: they are numbered first, here and in reading.
    let number = out.shared.len() as u32;
    out.shared.insert(address, number);
}

fn take_shared(from: &mut Reader<'_>, kind: u8) -> Result<Shape, ReadError> {
    let start = from.at();
    let number = u32::take(from)?;
    if number != NEW {
        let known = from.shared.get(number as usize - 1).cloned();
        return known.filter(|shape| kind_of(shape) == kind).ok_or_else(|| {
            ReadError::of(start, number, "no geometry of that kind with that number was there before")
        });
    }
    let shape = match kind {
        9 => Shape::Polytope(Arc::new(from.field("polytope")?)),
        10 => Shape::Mesh(Arc::new(from.field("mesh")?)),
        11 => Shape::HeightField(Arc::new(from.field("height field")?)),
        _ => Shape::Compound(Arc::new(from.field("compound")?)),
    };
    from.shared.push(shape.clone());
    Ok(shape)
}

/// The number of the kinds that are shared.
fn kind_of(shape: &Shape) -> u8 {
    match shape {
        Shape::Polytope(_) => 9,
        Shape::Mesh(_) => 10,
        Shape::HeightField(_) => 11,
        _ => 12,
    }
}

/// The children; the tree over them is made anew, by their boxes and their order alone.
impl Stored for Compound {
    const LEAST: usize = 4;

    fn put(&self, out: &mut Writer) {
        out.list(self.children());
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, ReadError> {
        // Before the children: hostile nesting must not use up the stack.
        if from.depth >= MAX_DEPTH {
            return Err(from.refused(format_args!("compounds are nested more than {MAX_DEPTH} deep")));
        }
        from.depth += 1;
        let children = from.field::<Vec<Child>>("children")?;
        from.depth -= 1;
        Self::new(children).map_err(|error| from.refused(error))
    }
}
