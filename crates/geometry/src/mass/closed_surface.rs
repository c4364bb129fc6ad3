//! Exact mass properties of bodies bounded by triangles.
//!
//! Every triangle spans a tetrahedron with a reference point; the integrals of 1, x and xxᵀ over it
//! are polynomials of its corners, positive or negative as the triangle faces away from or towards
//! the point. The parts outside the body cancel. The sums are taken in `f64` whatever the input,
//! relative to a point of the surface, so that a small body far from the origin loses nothing.
//!
//! A surface with a hole gives a number too, but not the body's: it depends on the reference point.
//! Hence surfaces are refused unless every edge is used equally often in both directions. That
//! allows bodies that touch along an edge and cavities (inner surfaces that face the cavity).

use glam::DVec3;

use super::MassProperties;
use crate::real::{Real, Vector};
use crate::rotation::Matrix3;

carom_core::error_type! {
    /// Why a surface does not bound a body with mass.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum ClosedSurfaceError {
        /// The density is zero, negative, NaN or infinite.
        #[error("the density is {density}, but must be positive and finite")]
        Density {
            /// The value.
            density: f64,
        },
        /// A triangle names a vertex that does not exist.
        #[error("triangle {triangle} uses vertex {vertex}, but there are only {count}")]
        Index {
            /// Which triangle, from 0.
            triangle: usize,
            /// The index it uses.
            vertex: u32,
            /// Number of vertices.
            count: usize,
        },
        /// A vertex in use is NaN or infinite.
        #[error("a corner of triangle {triangle} is not finite: ({x}, {y}, {z})")]
        Vertex {
            /// Which triangle, from 0.
            triangle: usize,
            /// First coordinate of the corner.
            x: f64,
            /// Second coordinate.
            y: f64,
            /// Third coordinate.
            z: f64,
        },
        /// Some edges belong to one triangle only.
        #[error(
            "the surface is open: {count} edge(s) without a partner, the first from vertex {from} to {to} in triangle \
             {triangle}; equal corners must share one vertex"
        )]
        Open {
            /// Start of the first such edge, in the order of the triangles.
            from: u32,
            /// Its end.
            to: u32,
            /// Its triangle, from 0.
            triangle: usize,
            /// Number of such edges.
            count: usize,
        },
        /// Neighbouring triangles disagree about which side is out.
        #[error(
            "the triangles are not oriented alike: {count} edge(s) run the same way in both triangles, the first from \
             vertex {from} to {to} in triangle {triangle}"
        )]
        Inconsistent {
            /// Start of the first such edge, in the order of the triangles.
            from: u32,
            /// Its end.
            to: u32,
            /// Its triangle, from 0.
            triangle: usize,
            /// Number of such edges.
            count: usize,
        },
        /// All triangles face inwards.
        #[error(
            "the surface is inside out: its volume is {volume}; exchange two corners of every triangle so that they are \
             counter-clockwise seen from outside"
        )]
        Inverted {
            /// The negative volume.
            volume: f64,
        },
        /// No triangles, or a surface that encloses nothing.
        #[error("the surface encloses no volume")]
        NoVolume,
        /// The numbers are too large: a sum exceeded the range of `f64`, or the result that of `S`.
        #[error("the body is too large: its moments exceed the range of the numbers")]
        Overflow,
    }
}

/// Mass properties of the body bounded by triangles, given as corners by their index into
/// `vertices`, counter-clockwise seen from outside. Triangles without area are harmless. Vertices
/// are compared by index: weld equal ones first.
///
/// ```
/// use carom_geometry::mass::of_closed_surface;
/// use glam::Vec3;
/// let corners = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
/// let tetrahedron = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
/// let body = of_closed_surface(&corners, tetrahedron, 6.0f32)?;
/// assert!((body.mass - 1.0).abs() < 1e-6);
/// assert!((body.centre - Vec3::splat(0.25)).length() < 1e-6);
/// assert!(of_closed_surface(&corners, tetrahedron[1..].iter().copied(), 6.0f32).is_err());
/// # Ok::<(), carom_geometry::mass::ClosedSurfaceError>(())
/// ```
///
/// # Errors
/// See [`ClosedSurfaceError`].
pub fn of_closed_surface<V: Vector>(
    vertices: &[V],
    triangles: impl IntoIterator<Item = [u32; 3], IntoIter: Clone>,
    density: V::Scalar,
) -> Result<MassProperties<V::Scalar>, ClosedSurfaceError> {
    let triangles = triangles.into_iter();
    if let Some((triangle, vertex)) = first_bad_index(vertices.len(), triangles.clone()) {
        return Err(ClosedSurfaceError::Index { triangle, vertex, count: vertices.len() });
    }
    if edge_fingerprint(triangles.clone()) != 0 {
        check_edges(vertices.len(), triangles.clone())?;
    }
    of_trusted_surface(triangles.map(|t| t.map(|index| vertices[index as usize])), density)
}

/// The same for triangles given by their corners that are known to bound a body: every check but
/// the one of the edges.
///
/// # Errors
/// See [`ClosedSurfaceError`].
pub fn of_trusted_surface<V: Vector>(
    triangles: impl IntoIterator<Item = [V; 3], IntoIter: Clone>,
    density: V::Scalar,
) -> Result<MassProperties<V::Scalar>, ClosedSurfaceError> {
    if !(density > V::Scalar::ZERO && density.is_finite()) {
        return Err(ClosedSurfaceError::Density { density: density.to_f64() });
    }
    let triangles = triangles.into_iter().map(|t| t.map(Vector::to::<f64>));
    // A corner of the surface.
    let Some([reference, ..]) = triangles.clone().next() else { return Err(ClosedSurfaceError::NoVolume) };
    let mut integrals = Integrals { reference, ..Integrals::default() };
    triangles.clone().for_each(|corners| integrals.add(corners));
    if !integrals.are_finite() {
        let bad = triangles.enumerate().find_map(|(triangle, corners)| {
            let DVec3 { x, y, z } = corners.into_iter().find(|c| !c.is_finite())?;
            Some(ClosedSurfaceError::Vertex { triangle, x, y, z })
        });
        return Err(bad.unwrap_or(ClosedSurfaceError::Overflow));
    }
    let body = integrals.finish(density.to_f64())?.to::<V::Scalar>();
    if body.is_finite() { Ok(body) } else { Err(ClosedSurfaceError::Overflow) }
}

/// Sums over the tetrahedra between the triangles and the reference point.
#[derive(Default)]
struct Integrals {
    reference: DVec3,
    /// Six times the volume.
    volume: f64,
    /// 24 times the integral of x.
    first: DVec3,
    /// 120 times the integrals of x², y², z².
    squares: DVec3,
    /// 120 times the integrals of xy, yz, zx.
    products: DVec3,
    /// Square of the greatest distance from the reference, or up to three times that.
    reach_sq: f64,
}

impl Integrals {
    #[inline]
    fn add(&mut self, corners: [DVec3; 3]) {
        let [a, b, c] = corners.map(|corner| corner - self.reference);
        let area = (b - a).cross(c - a);
        let volume = a.dot(area);
        let sum = a + b + c;
        self.volume += volume;
        self.first += sum * volume;
        let squares = a * a + b * b + c * c;
        self.squares += (squares + sum * sum) * volume;
        let turned = |v: DVec3| DVec3::new(v.y, v.z, v.x);
        self.products += (a * turned(a) + b * turned(b) + c * turned(c) + sum * turned(sum)) * volume;
        self.reach_sq = Real::max(squares.x + squares.y + squares.z, self.reach_sq);
    }

    fn are_finite(&self) -> bool {
        self.volume.is_finite() && self.squares.is_finite() && self.products.is_finite()
    }

    fn finish(&self, density: f64) -> Result<MassProperties<f64>, ClosedSurfaceError> {
        // What rounding leaves of a body without volume. Real bodies are below only if they are 10⁷
        // times as long as they are wide and high.
        let noise = 64.0 * f64::EPSILON * self.reach_sq * self.reach_sq.sqrt();
        if self.volume.abs() <= noise {
            return Err(ClosedSurfaceError::NoVolume);
        }
        let volume = self.volume / 6.0;
        if volume < 0.0 {
            return Err(ClosedSurfaceError::Inverted { volume });
        }
        let mass = density * volume;
        let from_reference = self.first / (4.0 * self.volume);
        let squares = (self.squares / 120.0 - from_reference * from_reference * volume) * density;
        let turned = DVec3::new(from_reference.y, from_reference.z, from_reference.x);
        let DVec3 { x: xy, y: yz, z: zx } =
            (self.products / 120.0 - from_reference * turned * volume) * density;
        let moments = Matrix3 {
            columns: [
                DVec3::new(squares.x, xy, zx),
                DVec3::new(xy, squares.y, yz),
                DVec3::new(zx, yz, squares.z),
            ],
        };
        Ok(MassProperties::from_second_moments(mass, self.reference + from_reference, &moments))
    }
}

/// The first triangle that uses a vertex beyond the last, with the vertex.
fn first_bad_index(count: usize, triangles: impl Iterator<Item = [u32; 3]>) -> Option<(usize, u32)> {
    triangles.enumerate().find_map(|(triangle, corners)| {
        corners.into_iter().find(|vertex| *vertex as usize >= count).map(|vertex| (triangle, vertex))
    })
}

/// Zero if every edge is used equally often in both directions, and otherwise a number that is zero
/// with odds of 2⁻⁶⁴: the sum of well-mixed numbers, one for each edge, with opposite signs for the
/// two directions.
///
/// This decides for good surfaces four times as fast as the lists of [`check_edges`], which then
/// need not be built.
fn edge_fingerprint(triangles: impl Iterator<Item = [u32; 3]>) -> u64 {
    triangles.fold(0, |sum: u64, [a, b, c]| {
        sum.wrapping_add(edge_number(a, b)).wrapping_add(edge_number(b, c)).wrapping_add(edge_number(c, a))
    })
}

/// The number of an edge; exchanging the ends changes the sign. The mixing is that of SplitMix64
/// (Steele, Lea, Flood).
#[inline]
fn edge_number(from: u32, to: u32) -> u64 {
    let (low, high) = if from < to { (from, to) } else { (to, from) };
    let mut mixed = (u64::from(low) << 32 | u64::from(high)).wrapping_add(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^= mixed >> 31;
    let sign = u64::from(from < to).wrapping_sub(u64::from(to < from));
    mixed.wrapping_mul(sign)
}

/// Is every edge used equally often in both directions? All indices must be below `vertex_count`.
fn check_edges(
    vertex_count: usize,
    triangles: impl Iterator<Item = [u32; 3]> + Clone,
) -> Result<(), ClosedSurfaceError> {
    // Counting sort by the lower vertex, then each of the short lists by the higher one: linear in
    // the size of the mesh.
    let mut starts = vec![0usize; vertex_count + 2];
    for corners in triangles.clone() {
        for [from, to] in edges(corners) {
            starts[from.min(to) as usize + 2] += 1;
        }
    }
    for index in 2..starts.len() {
        starts[index] += starts[index - 1];
    }
    // Higher vertex, then 0 or 1 for the direction.
    let mut uses = vec![0u64; starts[vertex_count + 1]];
    for corners in triangles.clone() {
        for [from, to] in edges(corners) {
            let next = &mut starts[from.min(to) as usize + 1];
            uses[*next] = u64::from(from.max(to)) << 1 | u64::from(from > to);
            *next += 1;
        }
    }
    let mut balanced = true;
    for lower in 0..vertex_count {
        let list = &mut uses[starts[lower]..starts[lower + 1]];
        list.sort_unstable();
        balanced &= list.chunk_by(|a, b| a >> 1 == b >> 1).all(|edge| excess(edge) == 0);
    }
    if balanced { Ok(()) } else { Err(unbalanced_edges(&starts, &uses, triangles)) }
}

/// How many more uses of an edge there are in one direction than in the other.
fn excess(uses: &[u64]) -> usize {
    let backward = uses.iter().filter(|u| **u & 1 == 1).count();
    backward.abs_diff(uses.len() - backward)
}

/// The sides of a triangle that join different vertices.
fn edges([a, b, c]: [u32; 3]) -> impl Iterator<Item = [u32; 2]> {
    [[a, b], [b, c], [c, a]].into_iter().filter(|[from, to]| from != to)
}

/// The error for the first bad edge: a missing partner before a disagreement about direction.
fn unbalanced_edges(
    starts: &[usize],
    uses: &[u64],
    triangles: impl Iterator<Item = [u32; 3]>,
) -> ClosedSurfaceError {
    // An odd number of uses cannot be balanced by turning triangles round.
    let (mut open, mut turned) = (Vec::new(), Vec::new());
    for lower in 0..starts.len() - 2 {
        for edge in uses[starts[lower]..starts[lower + 1]].chunk_by(|a, b| a >> 1 == b >> 1) {
            if excess(edge) > 0 {
                let list = if edge.len() % 2 == 1 { &mut open } else { &mut turned };
                list.push([lower as u32, (edge[0] >> 1) as u32]);
            }
        }
    }
    let bad = if open.is_empty() { &turned } else { &open };
    let first = triangles.enumerate().find_map(|(triangle, corners)| {
        let is_bad = |[from, to]: &[u32; 2]| bad.binary_search(&[*from.min(to), *from.max(to)]).is_ok();
        edges(corners).find(is_bad).map(|edge| (triangle, edge))
    });
    let (triangle, [from, to]) = first.unwrap_or_default();
    if open.is_empty() {
        ClosedSurfaceError::Inconsistent { from, to, triangle, count: turned.len() }
    } else {
        ClosedSurfaceError::Open { from, to, triangle, count: open.len() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Few vertices, so that many edges meet, and pairs of opposite triangles, so that many
        /// surfaces are closed.
        #[test]
        fn the_fingerprint_decides_like_the_lists(
            loose in prop::collection::vec(prop::array::uniform3(0u32..5), 0..3),
            paired in prop::collection::vec(prop::array::uniform3(0u32..5), 0..6),
            turned in any::<bool>(),
        ) {
            let mut triangles = loose;
            for [a, b, c] in paired {
                triangles.extend([[a, b, c], if turned { [b, a, c] } else { [c, a, b] }]);
            }
            let by_lists = check_edges(5, triangles.iter().copied());
            prop_assert_eq!(edge_fingerprint(triangles.iter().copied()) == 0, by_lists.is_ok());
            if let Err(ClosedSurfaceError::Open { from, to, triangle, .. }) = by_lists {
                prop_assert!(edges(triangles[triangle]).any(|edge| edge == [from, to]));
                let uses = triangles.iter().flat_map(|t| edges(*t)).filter(|e| *e == [from, to] || *e == [to, from]);
                prop_assert_eq!(uses.count() % 2, 1, "an edge with a partner");
            }
        }
    }
}
