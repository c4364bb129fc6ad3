//! Convex hulls of points in space.
//!
//! [`convex_hull`] takes points of either precision and gives a [`Polytope`] whose vertices are
//! some of them, in the order of the input. It works in two steps:
//!
//! 1. **Quickhull** (Barber, Dobkin and Huhdanpaa, 1996) with lists of the points above each facet.
//!    The points are first rounded to whole numbers of at most 41 bits relative to their box
//!    (`grid`), so that the only question whose answer shapes the result, on which side of three
//!    points a fourth one lies, is answered exactly in 128-bit integers. Thus the triangulated hull
//!    is always a sound polyhedron, however slim its facets; there is no repair step and no
//!    failure.
//! 2. **Merging** (the aim of face merging is that of D. Gregorius, "Implementing QuickHull", GDC
//!    2014): a facet takes in its neighbours as long as their corners lie within the tolerance of
//!    its plane. Each merge keeps the polyhedron sound or is not done. The plane of a face is that
//!    of an exact facet, so nothing sticks out of it however far away.
//!
//! # Tolerance
//!
//! Input is rounded: the corners of a turned box in `f32` are not coplanar. Two distances t/2 and t
//! say what counts as the same: a point at most t/2 above a plane is not outside, and corners at
//! most t below a plane are in it. By default t = 6 ε (|x| + |y| + |z|), with the largest magnitude
//! of each coordinate and ε of the scalar type, but at least 2⁻³⁶ of the extent;
//! [`HullOptions::tolerance`] widens it. Points closer together than t/2 give one vertex. What is
//! no thicker than t is refused as [flat](HullError::Flat).
//!
//! Rejected: merging during construction, as Gregorius and qhull do. It makes every later decision
//! depend on inexact planes and needs repairs for the cases that go wrong; merging once at the end
//! costs a few percent and cannot go wrong.

mod facets;
mod grid;
mod merge;
mod simplex;
mod straighten;

use crate::polytope::Polytope;
use crate::real::{Real, Vector};

use facets::Facets;
use grid::Grid;

/// What a hull may look like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HullOptions {
    /// Least tolerance t, in units of the points; the default tolerance counts if it is larger.
    /// Zero or positive.
    pub tolerance: f64,
    /// Stop at this many vertices, at least 4. The farthest points are taken first, so the hull
    /// then is an approximation from inside and **does not contain all points**.
    pub max_vertices: Option<usize>,
}

impl Default for HullOptions {
    fn default() -> Self {
        Self { tolerance: 0.0, max_vertices: None }
    }
}

carom_core::error_type! {
    /// Why there is no hull.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum HullError {
        /// Fewer than four points.
        #[error("a hull needs at least 4 points, not {count}")]
        TooFew {
            /// How many there are.
            count: usize,
        },
        /// More points than can be numbered.
        #[error("a hull takes at most {limit} points, not {count}")]
        TooMany {
            /// How many there are.
            count: usize,
            /// How many there may be.
            limit: usize,
        },
        /// A coordinate is infinite or not a number.
        #[error("point {index} has the coordinate {} = {value}, which is not finite", ["x", "y", "z"][*axis])]
        NotFinite {
            /// Which point.
            index: usize,
            /// Which coordinate: 0, 1 or 2.
            axis: usize,
            /// Its value.
            value: f64,
        },
        /// A coordinate is so large that distances of planes from the origin could overflow.
        #[error(
            "point {index} has the coordinate {} = {value:e}, but magnitudes up to {limit:e} are allowed",
            ["x", "y", "z"][*axis]
        )]
        TooLarge {
            /// Which point.
            index: usize,
            /// Which coordinate: 0, 1 or 2.
            axis: usize,
            /// Its value.
            value: f64,
            /// An eighth of the largest number of the scalar type.
            limit: f64,
        },
        /// All points are the same one, within the tolerance.
        #[error("all points coincide: they extend {extent:e}, the tolerance is {tolerance:e}")]
        Coincident {
            /// Largest side of the box round the points.
            extent: f64,
            /// The tolerance in use.
            tolerance: f64,
        },
        /// All points are on a line, within the tolerance.
        #[error("all points are on a line: they leave it by {deviation:e}, the tolerance is {tolerance:e}")]
        Collinear {
            /// Largest distance from the line.
            deviation: f64,
            /// The tolerance in use.
            tolerance: f64,
        },
        /// All points are in a plane, within the tolerance.
        #[error("all points are in a plane: they are {thickness:e} thick, the tolerance is {tolerance:e}")]
        Flat {
            /// Extent perpendicular to the plane.
            thickness: f64,
            /// The tolerance in use.
            tolerance: f64,
        },
        /// The tolerance of the options is negative or not finite.
        #[error("the tolerance {value} is not a distance")]
        BadTolerance {
            /// Its value.
            value: f64,
        },
        /// The limit of vertices of the options is below 4.
        #[error("no polytope has {limit} vertices, the least is 4")]
        BadLimit {
            /// Its value.
            limit: usize,
        },
    }
}

/// The convex hull of points, with coplanar facets merged to polygons.
///
/// Every point lies at most a tolerance t (see the [module](self)) above the plane of every face,
/// every corner of a face at most t below its plane, and every face has at least three corners,
/// every vertex at least three edges. The vertices keep the order of the input, and the same points
/// give the same bits everywhere.
///
/// # Errors
///
/// Too few points, coordinates that are not finite, points without volume, and bad options; see
/// [`HullError`].
///
/// ```
/// use carom_geometry::hull::{HullOptions, convex_hull};
/// use glam::Vec3;
/// // A 3 × 3 × 3 grid: the hull is a cube.
/// let points: Vec<Vec3> = (0..27).map(|i| Vec3::new((i % 3) as f32, (i / 3 % 3) as f32, (i / 9) as
/// f32)).collect(); let cube = convex_hull(&points, &HullOptions::default())?;
/// assert_eq!((cube.vertex_count(), cube.edge_count(), cube.face_count()), (8, 12, 6));
/// # Ok::<(), carom_geometry::hull::HullError>(())
/// ```
pub fn convex_hull<V: Vector>(points: &[V], options: &HullOptions) -> Result<Polytope<V::Scalar>, HullError> {
    if !(options.tolerance >= 0.0 && options.tolerance.is_finite()) {
        return Err(HullError::BadTolerance { value: options.tolerance });
    }
    let limit = options.max_vertices.unwrap_or(usize::MAX);
    if limit < 4 {
        return Err(HullError::BadLimit { limit });
    }
    let grid = Grid::new(points, options.tolerance)?;
    let corners = simplex::first_simplex(&grid)?;
    let mut facets = Facets::new(&grid, corners, limit);
    facets.grow(limit);
    let outline = merge::merged_outline(&grid, &facets.into_triangles());
    if outline.planes.len() < 4 {
        // Not seen, and not proven impossible for points barely thicker than the tolerance.
        return Err(HullError::Flat { thickness: grid.tolerance(), tolerance: grid.tolerance() });
    }
    Ok(Polytope::from_outline(&outline, points, V::Scalar::of(grid.tolerance())))
}

/// The combinatorial result: which points are vertices, and which run round which face.
#[derive(Debug)]
pub(crate) struct Outline {
    /// Indices of the points that are vertices, ascending.
    pub(crate) vertices: Vec<u32>,
    /// First half-edge of every face; those of a face follow each other, counter-clockwise seen
    /// from outside.
    pub(crate) starts: Vec<u32>,
    /// Vertex where each half-edge starts: an index into `vertices`.
    pub(crate) tails: Vec<u32>,
    /// The other half-edge of the same edge.
    pub(crate) pairs: Vec<u32>,
    /// Outward unit normal of every face.
    pub(crate) planes: Vec<glam::DVec3>,
}
