//! Collision shapes as data: dimensions, place on the body, material and filter.
//!
//! Long shapes (capsule, cylinder, cone) lie along local z unless they say otherwise; that is what
//! the Fingsics files mean, and a default that needs no rotation keeps their numbers exact.

use super::body::Orientation;

/// A local coordinate axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Axis {
    /// Local x.
    X,
    /// Local y.
    Y,
    /// Local z.
    #[default]
    Z,
}

/// The form of a shape, in its own frame, centred on the origin unless stated.
#[derive(Clone, Debug, PartialEq)]
pub enum ShapeKind {
    /// Ball.
    Sphere {
        /// Metres.
        radius: f32,
    },
    /// Cylinder with half-spheres at both ends.
    Capsule {
        /// Metres.
        radius: f32,
        /// Length of the cylindrical part only; tip to tip it is `length + 2 · radius`.
        length: f32,
        /// Direction of the axis.
        axis: Axis,
    },
    /// Rectangle without thickness, two-sided, normal local +y.
    Tile {
        /// Full extent along local x.
        length: f32,
        /// Full extent along local z.
        width: f32,
    },
    /// Box by its full sizes.
    Box {
        /// Full extents along x, y, z.
        size: [f32; 3],
    },
    /// Cylinder with flat ends.
    Cylinder {
        /// Metres.
        radius: f32,
        /// Full length.
        length: f32,
        /// Direction of the axis.
        axis: Axis,
    },
    /// Cone; the origin is half-way between base and tip, the tip lies on the positive axis.
    Cone {
        /// Radius of the base.
        radius: f32,
        /// Base to tip.
        length: f32,
        /// Direction of the axis.
        axis: Axis,
    },
    /// Ellipsoid by its three half-axes.
    Ellipsoid {
        /// Half-axes along x, y, z.
        radii: [f32; 3],
    },
    /// Everything below the plane `y = 0` of the local frame.
    HalfSpace,
    /// One triangle, two-sided.
    Triangle {
        /// Corners.
        corners: [[f32; 3]; 3],
    },
    /// Convex hull of points.
    Convex {
        /// Points; the hull is theirs.
        points: Vec<[f32; 3]>,
    },
    /// Triangle mesh in a file of its own.
    Mesh {
        /// Path relative to the scene file.
        path: String,
        /// Factor on all coordinates.
        scale: f32,
    },
    /// Triangle mesh in the scene itself.
    TriangleMesh {
        /// Corners of the triangles.
        vertices: Vec<[f32; 3]>,
        /// Three vertices each, counter-clockwise seen from the front.
        triangles: Vec<[u32; 3]>,
    },
    /// Grid of heights over the local x–z plane, centred.
    HeightField {
        /// Samples along x.
        columns: u32,
        /// Heights, row by row along x, rows along z; the number of rows is
        /// `heights.len() / columns`.
        heights: Vec<f32>,
        /// Distance between neighbouring samples along x and z.
        spacing: [f32; 2],
    },
}

impl ShapeKind {
    /// The name used in files and messages.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Sphere { .. } => "sphere",
            Self::Capsule { .. } => "capsule",
            Self::Tile { .. } => "tile",
            Self::Box { .. } => "box",
            Self::Cylinder { .. } => "cylinder",
            Self::Cone { .. } => "cone",
            Self::Ellipsoid { .. } => "ellipsoid",
            Self::HalfSpace => "half-space",
            Self::Triangle { .. } => "triangle",
            Self::Convex { .. } => "convex",
            Self::Mesh { .. } => "mesh",
            Self::TriangleMesh { .. } => "triangle-mesh",
            Self::HeightField { .. } => "height-field",
        }
    }
}

/// Surface and density.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Coulomb friction coefficient.
    pub friction: f32,
    /// Bounciness: 0 none, 1 elastic.
    pub restitution: f32,
    /// kg/m³.
    pub density: f32,
    /// Resistance against rolling, metres.
    pub rolling_friction: f32,
}

impl Default for Material {
    fn default() -> Self {
        Self { friction: 0.5, restitution: 0.0, density: 1000.0, rolling_friction: 0.0 }
    }
}

/// Which shapes may touch: two shapes collide if each one's mask holds the other's layers, unless
/// they share a non-zero group, in which case a positive group always and a negative group never
/// collides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filter {
    /// Layers the shape is in, one bit each.
    pub layers: u32,
    /// Layers it collides with.
    pub mask: u32,
    /// Override for related shapes.
    pub group: i32,
}

impl Default for Filter {
    fn default() -> Self {
        Self { layers: 1, mask: u32::MAX, group: 0 }
    }
}

/// A shape on a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// Form and size.
    pub kind: ShapeKind,
    /// Place in the body frame.
    pub position: [f32; 3],
    /// Orientation in the body frame.
    pub orientation: Orientation,
    /// Surface and density.
    pub material: Material,
    /// Layers.
    pub filter: Filter,
    /// Reports overlaps but pushes nothing.
    pub sensor: bool,
}

impl Shape {
    /// The shape at the body's origin with default material.
    #[must_use]
    pub fn new(kind: ShapeKind) -> Self {
        Self {
            kind,
            position: [0.0; 3],
            orientation: Orientation::IDENTITY,
            material: Material::default(),
            filter: Filter::default(),
            sensor: false,
        }
    }

    /// The same shape with another material.
    #[must_use]
    pub fn with_material(mut self, material: Material) -> Self {
        self.material = material;
        self
    }
}
