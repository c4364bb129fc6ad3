//! Shapes on the wire.
//!
//! A shape is one flat table: one key names the form and holds its dimensions, the others are
//! place, surface and layers. [`ShapeEntry`] converts while it is read, so that a mistake is
//! reported at the table that holds it.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::scalar::{Num, Triple, at_most_one, exactly_one, plain, unless, unless_equal, unless_one, wire};
use crate::model::{Axis, Filter, Material, Orientation, Shape, ShapeKind};

/// A local axis by its letter.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum WireAxis {
    X,
    Y,
    Z,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Sphere {
    radius: Num,
}

/// Capsule, cylinder and cone.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Long {
    radius: Num,
    length: Num,
    axis: Option<WireAxis>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Tile {
    length: Num,
    width: Num,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Cuboid {
    size: Triple,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Ellipsoid {
    radii: Triple,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct HalfSpace {}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Triangle {
    corners: [Triple; 3],
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Convex {
    points: Vec<Triple>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Mesh {
    path: String,
    scale: Option<Num>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct TriangleMesh {
    vertices: Vec<Triple>,
    triangles: Vec<[u32; 3]>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct HeightField {
    columns: u32,
    heights: Vec<Num>,
    spacing: Option<[Num; 2]>,
}

/// Every key a shape can have.
#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct WireShape {
    sphere: Option<Sphere>,
    capsule: Option<Long>,
    tile: Option<Tile>,
    #[serde(rename = "box")]
    cuboid: Option<Cuboid>,
    cylinder: Option<Long>,
    cone: Option<Long>,
    ellipsoid: Option<Ellipsoid>,
    half_space: Option<HalfSpace>,
    triangle: Option<Triangle>,
    convex: Option<Convex>,
    mesh: Option<Mesh>,
    triangle_mesh: Option<TriangleMesh>,
    height_field: Option<HeightField>,
    position: Option<Triple>,
    quaternion: Option<[Num; 4]>,
    euler_degrees: Option<Triple>,
    friction: Option<Num>,
    restitution: Option<Num>,
    density: Option<Num>,
    rolling_friction: Option<Num>,
    layers: Option<u32>,
    mask: Option<u32>,
    group: Option<i32>,
    sensor: Option<bool>,
}

/// Distance between the samples of a height field that gives none, metres.
const DEFAULT_SPACING: [f32; 2] = [1.0, 1.0];
/// Scale of a mesh that gives none.
const DEFAULT_SCALE: f32 = 1.0;

/// A shape as it stands in a file.
#[derive(Clone, Debug)]
pub(super) struct ShapeEntry(pub(super) Shape);

impl<'de> Deserialize<'de> for ShapeEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        WireShape::deserialize(deserializer)?.into_model().map(Self).map_err(D::Error::custom)
    }
}

impl Serialize for ShapeEntry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        WireShape::from_model(&self.0).serialize(serializer)
    }
}

/// The two keys of an orientation.
pub(super) fn orientation_keys(orientation: Orientation) -> (Option<[Num; 4]>, Option<Triple>) {
    match orientation {
        Orientation::Quaternion(q) => (unless(q, IDENTITY), None),
        Orientation::EulerDegrees(degrees) => (None, Some(wire(degrees))),
    }
}

/// The orientation of two keys.
pub(super) fn orientation_of(
    quaternion: Option<[Num; 4]>,
    euler_degrees: Option<Triple>,
) -> Result<Orientation, String> {
    let keys = at_most_one("orientation", ("quaternion", quaternion), ("euler-degrees", euler_degrees))?;
    Ok(match keys {
        (Some(q), _) => Orientation::Quaternion(plain(q)),
        (None, Some(degrees)) => Orientation::EulerDegrees(plain(degrees)),
        (None, None) => Orientation::IDENTITY,
    })
}

const IDENTITY: [f32; 4] = [0.0, 0.0, 0.0, 1.0];

impl Long {
    fn new(radius: f32, length: f32, axis: Axis) -> Option<Self> {
        let axis = match axis {
            Axis::X => Some(WireAxis::X),
            Axis::Y => Some(WireAxis::Y),
            Axis::Z => None,
        };
        Some(Self { radius: Num(radius), length: Num(length), axis })
    }

    fn into_parts(self) -> (f32, f32, Axis) {
        let axis = match self.axis {
            Some(WireAxis::X) => Axis::X,
            Some(WireAxis::Y) => Axis::Y,
            Some(WireAxis::Z) | None => Axis::Z,
        };
        (self.radius.0, self.length.0, axis)
    }
}

impl WireShape {
    fn from_model(shape: &Shape) -> Self {
        let (quaternion, euler_degrees) = orientation_keys(shape.orientation);
        let (material, filter) = (Material::default(), Filter::default());
        let mut keys = Self {
            position: unless(shape.position, [0.0; 3]),
            quaternion,
            euler_degrees,
            friction: unless_one(shape.material.friction, material.friction),
            restitution: unless_one(shape.material.restitution, material.restitution),
            density: unless_one(shape.material.density, material.density),
            rolling_friction: unless_one(shape.material.rolling_friction, material.rolling_friction),
            layers: unless_equal(shape.filter.layers, &filter.layers),
            mask: unless_equal(shape.filter.mask, &filter.mask),
            group: unless_equal(shape.filter.group, &filter.group),
            sensor: unless_equal(shape.sensor, &false),
            ..Self::default()
        };
        keys.set_form(&shape.kind);
        keys
    }

    fn set_form(&mut self, kind: &ShapeKind) {
        match kind {
            ShapeKind::Sphere { radius } => self.sphere = Some(Sphere { radius: Num(*radius) }),
            ShapeKind::Capsule { radius, length, axis } => self.capsule = Long::new(*radius, *length, *axis),
            ShapeKind::Tile { length, width } => {
                self.tile = Some(Tile { length: Num(*length), width: Num(*width) });
            }
            ShapeKind::Box { size } => self.cuboid = Some(Cuboid { size: wire(*size) }),
            ShapeKind::Cylinder { radius, length, axis } => {
                self.cylinder = Long::new(*radius, *length, *axis);
            }
            ShapeKind::Cone { radius, length, axis } => self.cone = Long::new(*radius, *length, *axis),
            ShapeKind::Ellipsoid { radii } => self.ellipsoid = Some(Ellipsoid { radii: wire(*radii) }),
            ShapeKind::HalfSpace => self.half_space = Some(HalfSpace {}),
            ShapeKind::Triangle { corners } => self.triangle = Some(Triangle { corners: corners.map(wire) }),
            ShapeKind::Convex { points } => {
                self.convex = Some(Convex { points: points.iter().copied().map(wire).collect() });
            }
            ShapeKind::Mesh { path, scale } => {
                self.mesh = Some(Mesh { path: path.clone(), scale: unless_one(*scale, DEFAULT_SCALE) });
            }
            ShapeKind::TriangleMesh { vertices, triangles } => {
                self.triangle_mesh = Some(TriangleMesh {
                    vertices: vertices.iter().copied().map(wire).collect(),
                    triangles: triangles.clone(),
                });
            }
            ShapeKind::HeightField { columns, heights, spacing } => {
                self.height_field = Some(HeightField {
                    columns: *columns,
                    heights: heights.iter().copied().map(Num).collect(),
                    spacing: unless(*spacing, DEFAULT_SPACING),
                });
            }
        }
    }

    fn into_model(self) -> Result<Shape, String> {
        let Self { position, quaternion, euler_degrees, friction, restitution, .. } = self;
        let Self { density, rolling_friction, layers, mask, group, sensor, .. } = self;
        let (material, filter) = (Material::default(), Filter::default());
        Ok(Shape {
            position: position.map_or([0.0; 3], plain),
            orientation: orientation_of(quaternion, euler_degrees)?,
            material: Material {
                friction: friction.map_or(material.friction, |n| n.0),
                restitution: restitution.map_or(material.restitution, |n| n.0),
                density: density.map_or(material.density, |n| n.0),
                rolling_friction: rolling_friction.map_or(material.rolling_friction, |n| n.0),
            },
            filter: Filter {
                layers: layers.unwrap_or(filter.layers),
                mask: mask.unwrap_or(filter.mask),
                group: group.unwrap_or(filter.group),
            },
            sensor: sensor.unwrap_or(false),
            kind: self.into_form()?,
        })
    }

    fn into_form(self) -> Result<ShapeKind, String> {
        let long = |keys: Option<Long>, make: fn(f32, f32, Axis) -> ShapeKind| {
            keys.map(Long::into_parts).map(|(radius, length, axis)| make(radius, length, axis))
        };
        let forms = [
            ("sphere", self.sphere.map(|s| ShapeKind::Sphere { radius: s.radius.0 })),
            (
                "capsule",
                long(self.capsule, |radius, length, axis| ShapeKind::Capsule { radius, length, axis }),
            ),
            ("tile", self.tile.map(|t| ShapeKind::Tile { length: t.length.0, width: t.width.0 })),
            ("box", self.cuboid.map(|b| ShapeKind::Box { size: plain(b.size) })),
            (
                "cylinder",
                long(self.cylinder, |radius, length, axis| ShapeKind::Cylinder { radius, length, axis }),
            ),
            ("cone", long(self.cone, |radius, length, axis| ShapeKind::Cone { radius, length, axis })),
            ("ellipsoid", self.ellipsoid.map(|e| ShapeKind::Ellipsoid { radii: plain(e.radii) })),
            ("half-space", self.half_space.map(|_| ShapeKind::HalfSpace)),
            ("triangle", self.triangle.map(|t| ShapeKind::Triangle { corners: t.corners.map(plain) })),
            (
                "convex",
                self.convex.map(|c| ShapeKind::Convex { points: c.points.into_iter().map(plain).collect() }),
            ),
            (
                "mesh",
                self.mesh
                    .map(|m| ShapeKind::Mesh { path: m.path, scale: m.scale.map_or(DEFAULT_SCALE, |n| n.0) }),
            ),
            (
                "triangle-mesh",
                self.triangle_mesh.map(|m| ShapeKind::TriangleMesh {
                    vertices: m.vertices.into_iter().map(plain).collect(),
                    triangles: m.triangles,
                }),
            ),
            (
                "height-field",
                self.height_field.map(|h| ShapeKind::HeightField {
                    columns: h.columns,
                    heights: h.heights.into_iter().map(|n| n.0).collect(),
                    spacing: h.spacing.map_or(DEFAULT_SPACING, plain),
                }),
            ),
        ];
        exactly_one("the shape", forms)
    }
}
