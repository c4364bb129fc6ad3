//! One convex body against many triangles, several at a time: the inner loop of meshes.
//!
//! Most triangles that a bounding box lets through are still apart. For a box all thirteen axes run in lanes and the axis of
//! contact comes out. For a polytope the planes of its faces run in lanes against the corners of the triangles, then the
//! planes of the triangles; only what neither separates is searched one by one, edges included.
//!
//! Every width gives the same bits.

use carom_geometry::primitive::Triangle;
use carom_geometry::shape::{Cuboid, Support};
use carom_geometry::{Matrix3, Polytope, Pose, Real};
use glam::Vec3;

use super::polyhedron::TriangleBody;
use super::search::{Axis, Scratch, deepest_axis};
use super::{Cache, Feature, Tolerances};
use crate::facet::box_edge;
use crate::lanes::{Lanes, Vec3Lanes};

/// Square of the sine below which edges count as parallel, and triangles as having no area.
const PARALLEL_SINE_SQUARED: f32 = 0.001 * 0.001;

/// Edges must be better than faces by this share of the lengths involved.
const ROUNDING: f32 = 2e-6;

/// Code of the plane of the triangle; 0–2 are faces of the box, and 4 + 3·i + j edges i and j.
const PLANE: u32 = 3;

/// A triangle within the margin of the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TriangleHit {
    /// Its number in the list.
    pub triangle: u32,
    /// The axis for [`contact_along`](super::pair::contact_along) of the body (a
    /// [`BoxBody`](super::polyhedron::BoxBody) or a polytope) and the [`TriangleBody`].
    pub axis: Axis,
}

/// Triangles in the frame of the body, in lanes.
struct Block<L> {
    corners: [Vec3Lanes<L>; 3],
}

impl<L: Lanes> Block<L> {
    /// Behind the end the last triangle is repeated.
    #[inline]
    fn gather(triangles: &[Triangle], turn: &Matrix3<f32>, shift: Vec3) -> Self {
        let at = |lane: usize| &triangles[lane.min(triangles.len() - 1)];
        let columns = turn.columns.map(Vec3Lanes::splat);
        let shift = Vec3Lanes::splat(shift);
        let posed = |v: Vec3Lanes<L>| {
            columns[0].scaled(v.x) + columns[1].scaled(v.y) + columns[2].scaled(v.z) + shift
        };
        Self {
            corners: [
                posed(Vec3Lanes::gather(|lane| at(lane).a)),
                posed(Vec3Lanes::gather(|lane| at(lane).b)),
                posed(Vec3Lanes::gather(|lane| at(lane).c)),
            ],
        }
    }
}

/// Best gap and where it is, in lanes.
#[derive(Clone, Copy)]
struct Best<L> {
    gap: L,
    code: L,
}

impl<L: Lanes> Best<L> {
    #[inline]
    fn offer(&mut self, gap: L, code: u32) {
        let is_better = self.gap.below(gap);
        self.gap = L::select(is_better, gap, self.gap);
        self.code = L::select(is_better, L::splat(code as f32), self.code);
    }
}

/// Appends the triangles within the margin of a box to `hits`; `place` is the pose of the triangles in its frame.
pub fn box_triangles<L: Lanes>(
    shape: &Cuboid,
    triangles: &[Triangle],
    place: &Pose,
    tolerances: Tolerances,
    hits: &mut Vec<TriangleHit>,
) {
    let turn = place.rotation.to_matrix();
    for (number, chunk) in triangles.chunks(L::WIDTH).enumerate() {
        let block = Block::<L>::gather(chunk, &turn, place.translation);
        let best = box_block(shape.half, &block, tolerances);
        for lane in 0..chunk.len() {
            let gap = best.gap.lane(lane);
            // Written so that not-a-number is no hit.
            if gap <= tolerances.margin {
                let corners = block.corners.map(|corner| corner.lane(lane));
                let axis = box_axis(corners, best.code.lane(lane) as u32, gap);
                hits.push(TriangleHit { triangle: (number * L::WIDTH + lane) as u32, axis });
            }
        }
    }
}

/// The axis of contact of a box and one triangle, or one along which they are farther apart than the margin; `place` is the pose
/// of the triangle in the frame of the box.
#[must_use]
pub fn box_triangle(shape: &Cuboid, triangle: &Triangle, place: &Pose, tolerances: Tolerances) -> Axis {
    let turn = place.rotation.to_matrix();
    let block = Block::<f32>::gather(std::slice::from_ref(triangle), &turn, place.translation);
    let best = box_block(shape.half, &block, tolerances);
    box_axis(block.corners.map(|corner| corner.lane(0)), best.code as u32, best.gap)
}

/// The best of thirteen axes; if every lane is apart along a face, the best of those.
#[inline]
fn box_block<L: Lanes>(half: Vec3, block: &Block<L>, tolerances: Tolerances) -> Best<L> {
    let [a, b, c] = block.corners;
    let coordinates = |v: Vec3Lanes<L>| [v.x, v.y, v.z];
    let p = [coordinates(a), coordinates(b), coordinates(c)];
    let mut best = Best { gap: L::splat(f32::NEG_INFINITY), code: L::splat(0.0) };
    for axis in 0..3 {
        let low = p[0][axis].min(p[1][axis]).min(p[2][axis]);
        let high = p[0][axis].max(p[1][axis]).max(p[2][axis]);
        best.offer(low.max(-high) - L::splat(half[axis]), axis as u32);
    }
    let sides = [b - a, c - b, a - c];
    let normal = sides[0].cross(sides[1]);
    let square = normal.dot(normal);
    let reach = normal.x.abs() * L::splat(half.x)
        + normal.y.abs() * L::splat(half.y)
        + normal.z.abs() * L::splat(half.z);
    let gap = (normal.dot(a).abs() - reach) / square.sqrt();
    let squares = sides.map(|side| side.dot(side));
    let has_area = (L::splat(PARALLEL_SINE_SQUARED) * (squares[0] * squares[1])).below(square);
    best.offer(L::select(has_area, gap, L::splat(f32::NEG_INFINITY)), PLANE);
    let margin = L::splat(tolerances.margin);
    if L::bits(margin.below(best.gap)) == (1u32 << L::WIDTH) - 1 {
        return best;
    }
    let least = L::splat(-f32::MAX);
    let mut edges = Best { gap: least, code: L::splat((PLANE + 1) as f32) };
    for j in 0..3 {
        let f = coordinates(sides[j]);
        let (first, third) = (p[j], p[(j + 2) % 3]);
        for i in 0..3 {
            let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
            // The product of axis i with the side has −f[i2] and f[i1] at i1 and i2.
            let along = |v: [L; 3]| v[i2] * f[i1] - v[i1] * f[i2];
            let (one, other) = (along(first), along(third));
            let reach = L::splat(half[i1]) * f[i2].abs() + L::splat(half[i2]) * f[i1].abs();
            // Only where the side is what the triangle turns to the box: along other perpendiculars the third corner is
            // nearer, and no edges meet.
            let slack = L::splat(ROUNDING) * (one.abs() + other.abs());
            let above = L::select((other + slack).below(one), least, one);
            let below = L::select((one + slack).below(other), least, -one);
            let gap = above.max(below) - reach;
            let length_squared = f[i1] * f[i1] + f[i2] * f[i2];
            let is_axis = (L::splat(PARALLEL_SINE_SQUARED) * squares[j]).below(length_squared);
            let signed_square = gap * gap.abs() / length_squared;
            edges.offer(L::select(is_axis, signed_square, least), PLANE + 1 + (3 * i + j) as u32);
        }
    }
    let root = edges.gap.abs().sqrt();
    let gap = L::select(edges.gap.below(L::splat(0.0)), -root, root);
    let scale = a.x.abs() + a.y.abs() + a.z.abs() + best.gap.abs();
    let lead = L::splat(tolerances.slop) + L::splat(ROUNDING) * scale;
    // A pair of edges that separates counts whatever the preference.
    let is_better = (best.gap + lead).below(gap) | margin.below(gap);
    Best { gap: L::select(is_better, gap, best.gap), code: L::select(is_better, edges.code, best.code) }
}

/// The axis of a code for one triangle.
fn box_axis([a, b, c]: [Vec3; 3], code: u32, gap: f32) -> Axis {
    let axis = |feature, normal: Vec3| Axis { cache: Cache { feature, separation: gap }, normal };
    let sides = [b - a, c - b, a - c];
    match code {
        0..PLANE => {
            let i = code as usize;
            let low = Real::min(Real::min(a[i], b[i]), c[i]);
            let high = Real::max(Real::max(a[i], b[i]), c[i]);
            let is_negative = low < -high;
            let normal = if is_negative { -Vec3::AXES[i] } else { Vec3::AXES[i] };
            axis(Feature::FaceA(2 * code + u32::from(is_negative)), normal)
        }
        PLANE => {
            let across = sides[0].cross(sides[1]);
            let normal = across / Real::sqrt(across.length_squared());
            // The side of the triangle that looks at the box.
            if normal.dot(a) < 0.0 {
                axis(Feature::FaceB(0), -normal)
            } else {
                axis(Feature::FaceB(1), normal)
            }
        }
        _ => {
            let pair = (code - PLANE - 1).min(8) as usize;
            let (i, j) = (pair / 3, pair % 3);
            let across = Vec3::AXES[i].cross(sides[j]);
            let corners = [a, b, c];
            let (one, other) = (across.dot(corners[j]), across.dot(corners[(j + 2) % 3]));
            let length = Real::sqrt(across.length_squared());
            // As in the block: the third corner lies behind the side, or both are equally near.
            let slack = ROUNDING * (Real::abs(one) + Real::abs(other));
            let is_negative = one > other + slack || (one < 0.0 && other <= one + slack);
            let normal = across / if is_negative { -length } else { length };
            let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
            let edge = box_edge(i, normal[i1] >= 0.0, normal[i2] >= 0.0);
            axis(Feature::Edges(u32::from(edge), j as u32), normal)
        }
    }
}

/// Appends the triangles within the margin of a polytope to `hits`; `place` is the pose of the triangles in its frame.
pub fn polytope_triangles<L: Lanes>(
    shape: &Polytope,
    triangles: &[Triangle],
    place: &Pose,
    tolerances: Tolerances,
    scratch: &mut Scratch,
    hits: &mut Vec<TriangleHit>,
) {
    let turn = place.rotation.to_matrix();
    let all = (1u32 << L::WIDTH) - 1;
    let margin = L::splat(tolerances.margin);
    for (number, chunk) in triangles.chunks(L::WIDTH).enumerate() {
        let block = Block::<L>::gather(chunk, &turn, place.translation);
        let [a, b, c] = block.corners;
        let mut apart = 0;
        for plane in shape.planes() {
            let normal = Vec3Lanes::splat(plane.normal);
            let lowest = normal.dot(a).min(normal.dot(b)).min(normal.dot(c));
            apart |= L::bits(margin.below(lowest - L::splat(plane.offset)));
            if apart == all {
                break;
            }
        }
        for (lane, triangle) in chunk.iter().enumerate() {
            if apart >> lane & 1 == 1
                || plane_separates(shape, block.corners.map(|v| v.lane(lane)), tolerances.margin)
            {
                continue;
            }
            let body = TriangleBody::new(triangle);
            let axis = deepest_axis(shape, &body, place, tolerances.margin, tolerances.slop, scratch);
            if axis.cache.separation <= tolerances.margin {
                hits.push(TriangleHit { triangle: (number * L::WIDTH + lane) as u32, axis });
            }
        }
    }
}

/// Is the polytope farther than the margin from the plane of a triangle?
#[inline]
fn plane_separates(shape: &Polytope, [a, b, c]: [Vec3; 3], margin: f32) -> bool {
    let normal = (b - a).cross(c - a);
    let height = normal.dot(a);
    let towards = if height < 0.0 { -normal } else { normal };
    // Only the side on which the origin of the polytope lies: an axis less costs an exact search, not an answer.
    let gap = Real::abs(height) - towards.dot(shape.support(towards));
    gap > 0.0 && gap * gap > margin * margin * normal.length_squared()
}
