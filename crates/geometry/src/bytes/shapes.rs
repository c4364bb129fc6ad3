//! Shapes as bytes.
//!
//! Geometry that is shared is written where it is first met and named by its number afterwards, so
//! that it is shared again when it has been read. Simple shapes are made by their constructors, and
//! so only those can be read that could have been made; the same goes for [compounds](Compound).
//! [Polytopes](crate::Polytope), [meshes](crate::Mesh) and [height fields](crate::HeightField) keep
//! what they cannot find out again, and say how beside their fields.

use std::sync::Arc;

use glam::Vec2;

use super::{BytesReadError, Reader, Stored, Writer};
use crate::shape::{
    Capsule, Child, Compound, Cone, Cuboid, Cylinder, Ellipsoid, HalfSpace, Planar, Shape, Sphere, Tile,
    compound::MAX_DEPTH,
};

/// Stands for shared geometry that has not been met before; others are counted from 1.
const NEW: u32 = 0;
/// Number of kinds of shapes.
const KINDS: u8 = 14;
/// Number of forms of figures of the plane.
const FIGURES: u8 = 4;

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
            Self::Planar(figure) => (13u8, figure.clone()).put(out),
        }
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, BytesReadError> {
        let start = from.at();
        let refused = |reason: &dyn std::fmt::Display| {
            let hint = super::Fault::Refused { reason: reason.to_string() };
            BytesReadError { at: start, path: String::new(), fault: hint }
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
            13 => from.field("figure").map(Self::Planar),
            kind => take_shared(from, kind),
        }
    }
}

/// Polygons are small and not shared; they are made again of their corners.
impl Stored for Planar {
    const LEAST: usize = 5;

    fn put(&self, out: &mut Writer) {
        match self {
            Self::Disc { radius } => (0u8, *radius).put(out),
            Self::Capsule { ends, radius } => (1u8, (*ends, *radius)).put(out),
            Self::Rectangle { half, radius } => (2u8, (*half, *radius)).put(out),
            Self::Polygon(polygon) => {
                (3u8, polygon.radius()).put(out);
                out.list(polygon.vertices());
            }
        }
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, BytesReadError> {
        let form = from.kind(FIGURES)?;
        let start = from.at();
        let made = match form {
            0 => Self::disc(from.field("radius")?).map_err(|error| error.to_string()),
            1 => {
                let ([a, b], radius) = from.field::<([Vec2; 2], f32)>("capsule")?;
                Self::capsule(a, b, radius).map_err(|error| error.to_string())
            }
            2 => {
                let (half, radius) = from.field::<(Vec2, f32)>("rectangle")?;
                Self::rounded_rectangle(half.x, half.y, radius).map_err(|error| error.to_string())
            }
            _ => {
                let radius = from.field("radius")?;
                let vertices = from.field::<Vec<Vec2>>("vertices")?;
                Self::rounded_polygon(&vertices, radius).map_err(|error| error.to_string())
            }
        };
        let refused = |reason| BytesReadError {
            at: start,
            path: String::new(),
            fault: super::Fault::Refused { reason },
        };
        made.map_err(refused)
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

fn take_shared(from: &mut Reader<'_>, kind: u8) -> Result<Shape, BytesReadError> {
    let start = from.at();
    let number = u32::take(from)?;
    if number != NEW {
        let known = from.shared.get(number as usize - 1).cloned();
        return known.filter(|shape| kind_of(shape) == kind).ok_or_else(|| {
            BytesReadError::of(start, number, "no geometry of that kind with that number was there before")
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

/// The children; the tree over them is rebuilt, by their boxes and their order alone.
impl Stored for Compound {
    const LEAST: usize = 4;

    fn put(&self, out: &mut Writer) {
        out.list(self.children());
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, BytesReadError> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::Fault;
    use crate::mesh::{Defect, Mesh, MeshOptions, Weld, generate};
    use crate::primitive::Triangle;
    use crate::{HeightField, Polytope, Pose, Rotation};
    use glam::Vec3;

    fn bytes_of(shapes: &[Shape]) -> Vec<u8> {
        let mut out = Writer::default();
        out.list(shapes);
        out.into_bytes()
    }

    fn read(bytes: &[u8]) -> Result<Vec<Shape>, BytesReadError> {
        Reader::new(bytes).list()
    }

    fn simple() -> Vec<Shape> {
        let sizes = Vec3::new(0.1, 0.2, 0.3);
        vec![
            Sphere::new(0.3).expect("good").into(),
            Capsule::new(Vec3::X, Vec3::Y, 0.1).expect("good").into(),
            Tile::new(1.0, 2.0).expect("good").into(),
            Cuboid::new(sizes).expect("good").into(),
            Cylinder::new(0.5, 0.2).expect("good").into(),
            Cone::new(0.5, 0.2).expect("good").into(),
            Ellipsoid::new(sizes).expect("good").into(),
            HalfSpace.into(),
            Shape::Triangle(Triangle::new(Vec3::X, Vec3::Y, -Vec3::Z)),
            Planar::disc(0.3).expect("good").into(),
            Planar::capsule(Vec2::X, Vec2::Y, 0.1).expect("good").into(),
            Planar::rounded_rectangle(0.5, 0.25, 0.1).expect("good").into(),
            Planar::polygon(&[Vec2::ZERO, Vec2::X, Vec2::new(0.3, 0.9)]).expect("good").into(),
        ]
    }

    /// Meshes with everything that options can leave in them or take out.
    fn meshes() -> Vec<Mesh> {
        let (vertices, triangles) = generate::icosphere(1.0, 3);
        let ball = Mesh::new(vertices, triangles, &MeshOptions::default()).expect("good");
        let (mut vertices, mut triangles) = generate::terrain(9, 7, 0.4, |x, z| 0.3 * x * z - 0.1 * x);
        // Twice, with corners on a line, turned over, three at an edge; and vertices that are
        // equal, or that nobody names.
        triangles.extend([triangles[3], [0, 0, 1], [triangles[5][0], triangles[5][2], triangles[5][1]]]);
        triangles.push([triangles[8][0], triangles[8][1], 60]);
        vertices.insert(0, vertices[4]);
        let triangles: Vec<[u32; 3]> = triangles.iter().map(|t| t.map(|v| v + 1)).collect();
        let keep =
            MeshOptions { degenerate: Defect::Keep, duplicate: Defect::Keep, ..MeshOptions::default() };
        let weld = MeshOptions { weld: Weld::Exact, flat_angle: 0.3, ..MeshOptions::default() };
        let built = [keep, weld]
            .map(|options| Mesh::new(vertices.clone(), triangles.clone(), &options).expect("good"));
        built.into_iter().chain([ball]).collect()
    }

    fn all() -> Vec<Shape> {
        let mut shapes = simple();
        shapes.push(Polytope::cube(0.5).expect("good").into());
        shapes.push(Polytope::random_on_sphere(150, 2.0, 4).expect("good").into());
        shapes.extend(meshes().into_iter().map(Shape::from));
        let heights: Vec<f32> = (0..11 * 9).map(|k| (k * k % 17) as f32 * 0.1).collect();
        let field = HeightField::new(11, 9, heights, [0.5, 0.7]).expect("good");
        shapes.push(field.clone().into());
        let holed = field.with_holes(|column, row| column == 0 || row * column == 6).expect("good");
        shapes.push(holed.with_flat_angle(0.5).expect("good").into());
        let pose = |k: usize| Pose::new(Vec3::X * k as f32, Rotation::about_axis(Vec3::Z, k as f32));
        let bounded = shapes.iter().filter(|shape| !matches!(shape, Shape::HalfSpace(_)));
        let children = bounded.enumerate().map(|(k, shape)| Child { pose: pose(k), shape: shape.clone() });
        let inner = Shape::from(Compound::new(children.collect()).expect("good"));
        let outer =
            vec![Child { pose: pose(1), shape: inner.clone() }, Child { pose: pose(2), shape: inner }];
        shapes.push(Compound::new(outer).expect("good").into());
        shapes
    }

    #[test]
    fn shapes_come_back_with_everything_that_is_made_of_them() {
        let shapes = all();
        let bytes = bytes_of(&shapes);
        let again = read(&bytes).expect("what was written can be read");
        for (shape, again) in shapes.iter().zip(&again) {
            // All fields to the last bit, trees and neighbours among them: numbers print as they
            // are.
            assert!(format!("{shape:?}") == format!("{again:?}"), "{}", shape.name());
        }
        assert!(bytes_of(&again) == bytes, "shared as they were");
        for end in 0..bytes.len().min(3000) {
            assert!(read(&bytes[..end]).is_err());
        }
    }

    #[test]
    fn shapes_that_cannot_be_are_refused_by_their_constructors() {
        let mut bytes = bytes_of(&[Sphere::new(0.3).expect("good").into()]);
        bytes[5..9].copy_from_slice(&(-1.0f32).to_le_bytes());
        let told = read(&bytes).err().map(|error| error.to_string());
        let expected = "[0], at byte 4: the radius of the sphere is -1, but must not be negative";
        assert_eq!(told.as_deref(), Some(expected));
        let mut bytes = bytes_of(&[Polytope::cube(0.5).expect("good").into()]);
        // The number of geometry that was there before.
        bytes[5] = 7;
        assert!(matches!(read(&bytes).map_err(|error| error.fault), Err(Fault::Value { .. })));
    }

    #[test]
    fn nesting_without_end_is_refused_before_the_stack_ends() {
        // A compound of one child, identity, that is a compound of one child...
        let mut level = Writer::default();
        (12u8, NEW).put(&mut level);
        1u32.put(&mut level);
        Pose::IDENTITY.put(&mut level);
        let mut bytes = 1u32.to_le_bytes().to_vec();
        for _ in 0..100_000 {
            bytes.extend(level.as_bytes());
        }
        let told = read(&bytes).err().map(|error| error.fault.to_string());
        assert_eq!(told.as_deref(), Some("compounds are nested more than 8 deep"));
    }
}
