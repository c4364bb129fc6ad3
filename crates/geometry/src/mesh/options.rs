//! What a mesh is asked to be, what was found on the way, and why it can be refused.

/// Largest number of triangles of one mesh: their 3 · 2³⁰ sides still have 32-bit numbers.
pub const MAX_TRIANGLES: usize = 1 << 30;

/// Which vertices become one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Weld {
    /// None: triangles are neighbours only if they name the same vertex.
    #[default]
    Never,
    /// Those with equal coordinates.
    Exact,
    /// Those within this distance of an earlier vertex that was kept, which then stands for both.
    /// The first vertices of the list stay where they are; nothing moves by more than the distance.
    Within(f32),
}

/// What is done with a triangle that should not be there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Defect {
    /// Leave it out and count it in the report.
    #[default]
    Drop,
    /// Keep it and count it.
    Keep,
    /// Refuse the mesh.
    Refuse,
}

/// How a [`Mesh`](super::Mesh) is built.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshOptions {
    /// Welding of vertices, done first.
    pub weld: Weld,
    /// Triangles without area: a corner named twice, or three corners on a line.
    pub degenerate: Defect,
    /// Triangles with the same three corners in the same turning direction as an earlier one. The
    /// same corners the other way round are another triangle: the back of a sheet.
    pub duplicate: Defect,
    /// Largest bend at an edge that counts as [flat](super::EdgeKind::Flat), radians; 0 to π.
    pub flat_angle: f32,
}

/// One degree: less than the bend of a sphere of 40 000 triangles, far more than the noise of `f32`
/// coordinates.
pub const DEFAULT_FLAT_ANGLE: f32 = std::f32::consts::PI / 180.0;

impl Default for MeshOptions {
    fn default() -> Self {
        Self {
            weld: Weld::Never,
            degenerate: Defect::Drop,
            duplicate: Defect::Drop,
            flat_angle: DEFAULT_FLAT_ANGLE,
        }
    }
}

/// How often something was found, and where first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Finding {
    /// How often.
    pub count: usize,
    /// Numbers in the caller's list of triangles of the first few, ascending.
    pub first: Vec<u32>,
}

impl Finding {
    /// Longest list of places.
    const LISTED: usize = 8;

    pub(crate) fn add(&mut self, triangle: u32) {
        self.count += 1;
        if self.first.len() < Self::LISTED {
            self.first.push(triangle);
        }
    }

    /// A finding of all these triangles, in any order.
    pub(crate) fn of(mut triangles: Vec<u32>) -> Self {
        triangles.sort_unstable();
        let count = triangles.len();
        triangles.truncate(Self::LISTED);
        Self { count, first: triangles }
    }
}

/// What was found while a mesh was built. Nothing is dropped or merged without being counted here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MeshReport {
    /// Triangles without area.
    pub degenerate: Finding,
    /// Triangles that repeat an earlier one.
    pub duplicate: Finding,
    /// Vertices that another one stands for since welding.
    pub welded_vertices: usize,
    /// Vertices that no remaining triangle names; they are left out.
    pub unused_vertices: usize,
    /// Sides of triangles at which the surface ends; the places are triangles.
    pub border: Finding,
    /// Sides of triangles at which three or more triangles meet.
    pub non_manifold: Finding,
    /// Sides of triangles whose neighbour is turned the other way round.
    pub flipped: Finding,
}

carom_core::error_type! {
    /// Why there is no mesh.
    #[derive(Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub enum MeshError {
        /// No triangle, or none left.
        #[error("a mesh needs a triangle with area, and none of the {given} given is one")]
        Empty {
            /// Triangles in the caller's list.
            given: usize,
        },
        /// More than [`MAX_TRIANGLES`].
        #[error("{count} triangles are more than the {MAX_TRIANGLES} a mesh can hold")]
        TooManyTriangles {
            /// Triangles in the caller's list.
            count: usize,
        },
        /// More vertices than an index can name.
        #[error("{count} vertices are more than a 32-bit index can name")]
        TooManyVertices {
            /// Vertices in the caller's list.
            count: usize,
        },
        /// A coordinate is NaN or infinite.
        #[error("vertex {vertex} is {value:?}: coordinates must be finite numbers")]
        NotFinite {
            /// Its number.
            vertex: usize,
            /// Its coordinates.
            value: [f32; 3],
        },
        /// A triangle names a vertex that is not there.
        #[error("triangle {triangle} names vertex {index}, but there are only {vertices}")]
        IndexOutOfRange {
            /// Its number.
            triangle: usize,
            /// What it names.
            index: u32,
            /// How many vertices there are.
            vertices: usize,
        },
        /// A triangle without area, and the options refuse that.
        #[error("triangle {triangle} with corners {corners:?} has no area")]
        Degenerate {
            /// Its number.
            triangle: u32,
            /// Its vertices.
            corners: [u32; 3],
        },
        /// A triangle twice, and the options refuse that.
        #[error("triangle {triangle} with corners {corners:?} is there twice")]
        Duplicate {
            /// Number of the later one.
            triangle: u32,
            /// Its vertices.
            corners: [u32; 3],
        },
        /// A welding distance that is negative, not finite or beyond sense.
        #[error(
            "cannot weld within {tolerance} in a mesh of size {size}: the distance must be positive and not vanish"
        )]
        WeldTolerance {
            /// The distance asked for.
            tolerance: f32,
            /// Longest side of the box around the mesh.
            size: f64,
        },
        /// A flat angle outside 0 to π.
        #[error("the flat angle {angle} is not between 0 and π")]
        FlatAngle {
            /// The angle asked for, radians.
            angle: f32,
        },
    }
}
