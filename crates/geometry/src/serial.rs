//! Shapes, poses and masses for `serde` (feature `serde`).
//!
//! What is read passes the checks of the constructors. Hulls, meshes, height fields and compounds
//! are the bytes of [`crate::bytes`]: nobody writes them by hand, and their bits stay.

use glam::Vec3;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::bytes::{BytesReadError, Reader, Stored, Writer};
use crate::mass::MassProperties;
use crate::primitive::Triangle;
use crate::shape::{Capsule, Cone, Cuboid, Cylinder, Ellipsoid, HalfSpace, Shape, ShapeError, Sphere, Tile};
use crate::{Matrix3, Pose, Rotation};

/// Squares of lengths that are off by less are those of unit quaternions, which keep their bits.
const ROUNDING: f32 = 1e-5;

/// As x, y, z, w.
impl Serialize for Rotation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_xyzw().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Rotation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let [x, y, z, w] = <[f32; 4]>::deserialize(deserializer)?;
        let read = Self { xyz: Vec3::new(x, y, z), w };
        if (read.xyz.length_squared() + w * w - 1.0).abs() < ROUNDING {
            return Ok(read);
        }
        Self::from_xyzw([x, y, z, w]).ok_or_else(|| D::Error::custom("a rotation is no quaternion"))
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "Pose", default)]
struct PoseData {
    translation: Vec3,
    rotation: Rotation,
}

impl Default for PoseData {
    fn default() -> Self {
        Self { translation: Vec3::ZERO, rotation: Rotation::IDENTITY }
    }
}

impl Serialize for Pose {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        PoseData { translation: self.translation, rotation: self.rotation }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Pose {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let PoseData { translation, rotation } = PoseData::deserialize(deserializer)?;
        Ok(Self { translation, rotation })
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "MassProperties")]
struct MassData {
    mass: f32,
    centre: Vec3,
    /// Columns of the tensor.
    inertia: [Vec3; 3],
}

impl Serialize for MassProperties {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        MassData { mass: self.mass, centre: self.centre, inertia: self.inertia.columns }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for MassProperties {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let MassData { mass, centre, inertia } = MassData::deserialize(deserializer)?;
        Ok(Self { mass, centre, inertia: Matrix3 { columns: inertia } })
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "Shape", rename_all = "snake_case")]
enum ShapeData {
    Sphere { radius: f32 },
    Capsule { a: Vec3, b: Vec3, radius: f32 },
    Tile { half_x: f32, half_z: f32 },
    Cuboid { half: Vec3 },
    Cylinder { half_length: f32, radius: f32 },
    Cone { half_length: f32, radius: f32 },
    Ellipsoid { radii: Vec3 },
    HalfSpace,
    Triangle { a: Vec3, b: Vec3, c: Vec3 },
    Bytes(Vec<u8>),
}

impl From<&Shape> for ShapeData {
    fn from(shape: &Shape) -> Self {
        match shape {
            Shape::Sphere(ball) => Self::Sphere { radius: ball.radius },
            Shape::Capsule(capsule) => {
                Self::Capsule { a: capsule.segment.a, b: capsule.segment.b, radius: capsule.radius }
            }
            Shape::Tile(tile) => Self::Tile { half_x: tile.half_x, half_z: tile.half_z },
            Shape::Cuboid(cuboid) => Self::Cuboid { half: cuboid.half },
            Shape::Cylinder(c) => Self::Cylinder { half_length: c.half_length, radius: c.radius },
            Shape::Cone(c) => Self::Cone { half_length: c.half_length, radius: c.radius },
            Shape::Ellipsoid(ellipsoid) => Self::Ellipsoid { radii: ellipsoid.radii },
            Shape::HalfSpace(_) => Self::HalfSpace,
            Shape::Triangle(t) => Self::Triangle { a: t.a, b: t.b, c: t.c },
            Shape::Polytope(_)
            | Shape::Mesh(_)
            | Shape::HeightField(_)
            | Shape::Compound(_)
            | Shape::Planar(_) => {
                let mut out = Writer::default();
                shape.put(&mut out);
                Self::Bytes(out.into_bytes())
            }
        }
    }
}

carom_core::error_type! {
    /// Why a shape was refused.
    #[derive(Debug)]
    enum Refusal {
        #[error(transparent)]
        Size(#[from] ShapeError),
        #[error(transparent)]
        Bytes(#[from] BytesReadError),
        #[error("a corner of a triangle is not finite")]
        Corner,
        #[error("{left} bytes are left after a shape")]
        Trailing { left: usize },
    }
}

impl TryFrom<ShapeData> for Shape {
    type Error = Refusal;

    fn try_from(data: ShapeData) -> Result<Self, Refusal> {
        Ok(match data {
            ShapeData::Sphere { radius } => Sphere::new(radius)?.into(),
            ShapeData::Capsule { a, b, radius } => Capsule::new(a, b, radius)?.into(),
            ShapeData::Tile { half_x, half_z } => Tile::new(half_x, half_z)?.into(),
            ShapeData::Cuboid { half } => Cuboid::new(half)?.into(),
            ShapeData::Cylinder { half_length, radius } => Cylinder::new(half_length, radius)?.into(),
            ShapeData::Cone { half_length, radius } => Cone::new(half_length, radius)?.into(),
            ShapeData::Ellipsoid { radii } => Ellipsoid::new(radii)?.into(),
            ShapeData::HalfSpace => HalfSpace.into(),
            ShapeData::Triangle { a, b, c } if a.is_finite() && b.is_finite() && c.is_finite() => {
                Self::Triangle(Triangle::new(a, b, c))
            }
            ShapeData::Triangle { .. } => return Err(Refusal::Corner),
            ShapeData::Bytes(bytes) => {
                let mut reader = Reader::new(&bytes);
                let shape = Self::take(&mut reader)?;
                if reader.left() > 0 {
                    return Err(Refusal::Trailing { left: reader.left() });
                }
                shape
            }
        })
    }
}

impl Serialize for Shape {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        ShapeData::from(self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Shape {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::try_from(ShapeData::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}
