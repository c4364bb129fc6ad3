//! The axes of two polyhedra, most of them ruled out unseen.
//!
//! *Faces.* The gap above a face is the height of the lowest vertex of the other polyhedron. Any
//! point of the other bounds it from above. So every vertex that has been found lowers the bounds
//! of all faces at once, eight per instruction, and the face to look at next is the one with the
//! highest bound; when that is one that has been looked at, it is the best. A handful of faces is
//! looked at instead of all.
//!
//! *Edges.* An axis that belongs to an edge lies between the normals of the two faces beside it. If
//! a known point of the other polyhedron is below both planes by at least the depth found so far,
//! no axis of that edge can be better. What is left of both polyhedra is compared pair by pair: two
//! edges make an axis only if each passes between the normals of the other's faces, four scalar
//! products (D. Gregorius' Gauss map).
//!
//! Both exclusions are exact: they lose no axis. The order is fixed by numbers of faces and edges,
//! hence the answer is the same everywhere.

use carom_core::simd::{SimdFloat, f32x8};
use carom_geometry::{Matrix3, Pose, Real, Vector};
use glam::Vec3;

use super::polyhedron::{Edge, PlaneBlock, Polyhedron};
use super::{Feature, SatCache, Tolerances};
use crate::support_feature::SupportFeature;

/// Square of the sine below which edges count as parallel: the axes of the faces beside them are as
/// good.
const PARALLEL_SINE_SQUARED: f32 = 0.001 * 0.001;

/// Share of the slop by which a face of the second polyhedron must be better to be preferred to one
/// of the first.
const SECOND_LEAD: f32 = 0.1;

/// Edges must be better than faces by this share of the lengths involved.
const ROUNDING: f32 = 2e-6;

/// Vertices of the other polyhedron that edges are compared with: those found last, a bit of a byte
/// each.
const KNOWN: usize = 8;

/// How many of them are tried at first.
const FEW_KNOWN: usize = 4;

/// Pairs of edges that are as quickly compared as ruled out.
const MANY_PAIRS: usize = 200;

/// Memory for searches, to be kept by the caller: it grows to the size of the largest polytope and
/// stays.
#[derive(Clone, Debug, Default)]
pub struct SatScratch {
    bounds: Vec<f32x8>,
    masks: Vec<[u8; 8]>,
    edges_a: Vec<LiveEdge>,
    edges_b: Vec<LiveEdge>,
    /// Of both polyhedra, for contacts on faces: clearing new ones takes as long as clipping them.
    pub(super) support_features: [SupportFeature; 2],
}

/// An edge that may make an axis, in the frame of the first polyhedron.
#[derive(Clone, Copy, Debug)]
struct LiveEdge {
    tail: Vec3,
    along: Vec3,
    left: Vec3,
    right: Vec3,
    number: u32,
}

/// The best axis of two polyhedra.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    /// Where it comes from and the gap along it, to be tried first the next time.
    pub cache: SatCache,
    /// Unit vector from the first polyhedron to the second, in the frame of the first.
    pub normal: Vec3,
}

/// The vertices of the other polyhedron that have been found.
struct Known {
    points: [Vec3; KNOWN],
    count: usize,
}

/// The way from middle to middle if the polyhedra are farther apart along it than the speculative
/// distance, as most pairs are that are apart. It is the axis of no feature, and is found as fast
/// the next time.
///
/// A function of its own: within [`deepest_axis`] the same lines made that slower by a tenth (hulls
/// of 30 vertices).
#[inline(never)]
pub(super) fn apart_from_middle<A: Polyhedron, B: Polyhedron>(
    a: &A,
    b: &B,
    pose: &Pose,
    speculative_distance: f32,
) -> Option<Axis> {
    let way = pose.translation;
    let near_b = pose.apply(b.farthest(-pose.rotation.rotate_back(way)));
    let along = way.dot(near_b - a.farthest(way));
    let square = way.length_squared();
    if along <= 0.0 || along * along <= speculative_distance * speculative_distance * square {
        return None;
    }
    let length = Real::sqrt(square);
    let (separation, normal) = (along / length, way / length);
    Some(Axis { cache: SatCache { feature: Feature::None, separation }, normal })
}

/// The axis with the greatest gap; faces are preferred to edges that are better by no more than
/// `slop`. With a slop of 0 the depth of overlapping polyhedra is exact. The search ends at the
/// first axis with a gap above `speculative_distance`.
#[must_use]
pub fn deepest_axis<A: Polyhedron, B: Polyhedron>(
    a: &A,
    b: &B,
    pose: &Pose,
    speculative_distance: f32,
    slop: f32,
    scratch: &mut SatScratch,
) -> Axis {
    deepest_axis_from(a, b, pose, pose.translation, Tolerances { speculative_distance, slop }, scratch)
}

/// The same from a direction of the first polyhedron to the second that may be about the right one:
/// support points along it bound most faces by less than the best.
pub(super) fn deepest_axis_from<A: Polyhedron, B: Polyhedron>(
    a: &A,
    b: &B,
    pose: &Pose,
    towards: Vec3,
    Tolerances { speculative_distance, slop }: Tolerances,
    scratch: &mut SatScratch,
) -> Axis {
    let rotation = pose.rotation.to_matrix();
    let mut known_b = Known { points: [Vec3::ZERO; KNOWN], count: 0 };
    let mut known_a = Known { points: [Vec3::ZERO; KNOWN], count: 0 };
    let lowest_b =
        |normal: Vec3| rotation.times(b.farthest(-rotation.transposed_times(normal))) + pose.translation;
    let start = lowest_b(towards);
    let (face_a, gap_a) = best_face(
        a.plane_blocks(),
        a.face_count(),
        start,
        lowest_b,
        speculative_distance,
        &mut scratch.bounds,
        &mut known_b,
    );
    let normal_a = a.normal(face_a);
    let mut axis =
        Axis { cache: SatCache { feature: Feature::FaceA(face_a), separation: gap_a }, normal: normal_a };
    if gap_a > speculative_distance {
        return axis;
    }
    // In the frame of the second.
    let unturned = |v: Vec3| rotation.transposed_times(v - pose.translation);
    let lowest_a = |normal: Vec3| unturned(a.farthest(-rotation.times(normal)));
    let start = lowest_a(-rotation.transposed_times(towards));
    let (face_b, gap_b) = best_face(
        b.plane_blocks(),
        b.face_count(),
        start,
        lowest_a,
        speculative_distance,
        &mut scratch.bounds,
        &mut known_a,
    );
    if gap_b > gap_a + slop * SECOND_LEAD || gap_b > speculative_distance {
        let normal = -rotation.times(b.normal(face_b));
        axis = Axis { cache: SatCache { feature: Feature::FaceB(face_b), separation: gap_b }, normal };
        if gap_b > speculative_distance {
            return axis;
        }
    }
    // Edges that end in a face have the axis of that face, and rounding must not prefer them to it.
    let scale = Vector::abs(pose.translation).max_element() + Real::abs(gap_a) + Real::abs(gap_b);
    let best = Real::max(gap_a, gap_b) + slop + ROUNDING * scale;
    let threshold = Real::min(best, 0.0);
    let posed = Some((&rotation, pose.translation));
    let SatScratch { masks, edges_a, edges_b, .. } = scratch;
    // Few points rule out most edges where the overlap is shallow. Where they do not, it is deep,
    // and more points pay.
    for (points, enough) in [(FEW_KNOWN, MANY_PAIRS), (KNOWN, usize::MAX)] {
        live_edges(a, known_b.latest(points), threshold, None, masks, edges_a);
        if edges_a.is_empty() {
            return axis;
        }
        live_edges(b, known_a.latest(points), threshold, posed, masks, edges_b);
        if edges_a.len() * edges_b.len() <= enough {
            break;
        }
    }
    best_edges(edges_a, edges_b, best, speculative_distance).unwrap_or(axis)
}

/// The face with the greatest gap above it, and the gap. `lowest` gives the vertex of the other
/// polyhedron that lies lowest along a normal.
#[inline]
fn best_face(
    blocks: &[PlaneBlock],
    count: usize,
    start: Vec3,
    lowest: impl Fn(Vec3) -> Vec3,
    speculative_distance: f32,
    bounds: &mut Vec<f32x8>,
    known: &mut Known,
) -> (u32, f32) {
    bounds.clear();
    bounds.resize(blocks.len(), f32x8::splat(f32::INFINITY));
    let mut highest = lower(blocks, start, bounds);
    known.push(start);
    let mut best = (0, f32::NEG_INFINITY);
    // Each round looks at another face or ends.
    for _ in 0..count {
        if highest <= best.1 {
            break;
        }
        let face = first_at(bounds, highest);
        let (block, lane) = (face as usize / 8, face as usize % 8);
        let [x, y, z, _] = &blocks[block];
        let vertex = lowest(Vec3::new(x[lane], y[lane], z[lane]));
        highest = lower(blocks, vertex, bounds);
        known.push(vertex);
        let gap = bounds[block].get(lane);
        if gap > best.1 {
            best = (face.min(count as u32 - 1), gap);
        }
        if gap > speculative_distance {
            break;
        }
    }
    best
}

impl Known {
    #[inline]
    fn push(&mut self, point: Vec3) {
        // The latest is the first.
        self.points.copy_within(..KNOWN - 1, 1);
        self.points[0] = point;
        self.count = (self.count + 1).min(KNOWN);
    }

    #[inline]
    fn latest(&self, count: usize) -> &[Vec3] {
        &self.points[..self.count.min(count)]
    }
}

/// Lowers each bound to the height of a point above the plane, and returns the highest.
#[inline]
fn lower(blocks: &[PlaneBlock], point: Vec3, bounds: &mut [f32x8]) -> f32 {
    let mut most = f32x8::splat(f32::NEG_INFINITY);
    for (bound, block) in bounds.iter_mut().zip(blocks) {
        // Not the methods of `wide`, which look for NaN.
        *bound = SimdFloat::min(heights(block, point), *bound);
        most = SimdFloat::max(*bound, most);
    }
    most.to_array().into_iter().fold(f32::NEG_INFINITY, Real::max)
}

#[inline]
fn heights([x, y, z, offset]: &PlaneBlock, p: Vec3) -> f32x8 {
    f32x8::new(*x) * f32x8::splat(p.x)
        + f32x8::new(*y) * f32x8::splat(p.y)
        + f32x8::new(*z) * f32x8::splat(p.z)
        - f32x8::new(*offset)
}

/// Where a bound is, the first of equals; 0 if it is nowhere, as with not-a-numbers.
#[inline]
fn first_at(bounds: &[f32x8], value: f32) -> u32 {
    let value = f32x8::splat(value);
    for (block, bound) in bounds.iter().enumerate() {
        let equal = f32x8::bits(bound.at_most(value) & value.at_most(*bound));
        if equal != 0 {
            return (block * 8) as u32 + equal.trailing_zeros();
        }
    }
    0
}

/// The edges that may make an axis with a gap above `threshold`, which is at most 0.
///
/// Between two normals at less than half a turn, a height that is negative at both ends is greatest
/// at an end; so an edge is out if one point is deeper than the threshold below both its planes.
#[inline]
fn live_edges<P: Polyhedron>(
    polyhedron: &P,
    points: &[Vec3],
    threshold: f32,
    rotated: Option<(&Matrix3<f32>, Vec3)>,
    masks: &mut Vec<[u8; 8]>,
    edges: &mut Vec<LiveEdge>,
) {
    let blocks = polyhedron.plane_blocks();
    let threshold = f32x8::splat(threshold);
    masks.clear();
    for block in blocks {
        let mut mask = 0u64;
        for (k, &point) in points.iter().enumerate() {
            mask |= spread(f32x8::bits(heights(block, point).below(threshold))) << k;
        }
        masks.push(mask.to_le_bytes());
    }
    edges.clear();
    let all = ((1u32 << points.len()) - 1) as u8;
    polyhedron.each_live_edge(masks, all, |number| {
        let Some(Edge { tail, along, faces }) = polyhedron.edge(number) else { return };
        let [left, right] = faces.map(|face| polyhedron.normal(face));
        edges.push(match rotated {
            None => LiveEdge { tail, along, left, right, number },
            Some((rotation, shift)) => LiveEdge {
                tail: rotation.times(tail) + shift,
                along: rotation.times(along),
                left: rotation.times(left),
                right: rotation.times(right),
                number,
            },
        });
    });
}

/// Bit k of a byte becomes the lowest bit of byte k.
#[inline]
fn spread(bits: u32) -> u64 {
    // Copies of the byte seven bits apart do not overlap where it counts; bit k of copy k lies at 8
    // k.
    let low = u64::from(bits & 0xF).wrapping_mul(0x0020_4081) & 0x0101_0101;
    let high = u64::from(bits >> 4 & 0xF).wrapping_mul(0x0020_4081) & 0x0101_0101;
    high << 32 | low
}

/// The axis of two edges that is better than `best`, if there is one.
fn best_edges(
    edges_a: &[LiveEdge],
    edges_b: &[LiveEdge],
    mut best: f32,
    speculative_distance: f32,
) -> Option<Axis> {
    let mut found = None;
    for b in edges_b {
        for a in edges_a {
            let Some((normal, gap)) = edge_axis(a, b, best) else { continue };
            best = gap;
            let feature = Feature::Edges(a.number, b.number);
            found = Some(Axis { cache: SatCache { feature, separation: gap }, normal });
            if gap > speculative_distance {
                return found;
            }
        }
    }
    found
}

/// The axis of two edges and the gap along it, if they make one with a gap above `best`.
#[inline]
fn edge_axis(a: &LiveEdge, b: &LiveEdge, best: f32) -> Option<(Vec3, f32)> {
    let (s1, s2) = (b.along.dot(a.left), -b.along.dot(a.right));
    let (s3, s4) = (a.along.dot(b.left), -a.along.dot(b.right));
    // The product along a × along b looks out of both edges if all four are positive, its opposite
    // if all are negative.
    let least = Real::min(Real::min(s1, s2), Real::min(s3, s4));
    let most = Real::max(Real::max(s1, s2), Real::max(s3, s4));
    if least < 0.0 && most > 0.0 {
        return None;
    }
    let across = a.along.cross(b.along);
    let square = across.length_squared();
    if square <= PARALLEL_SINE_SQUARED * a.along.length_squared() * b.along.length_squared() {
        return None;
    }
    let length = if least >= 0.0 { Real::sqrt(square) } else { -Real::sqrt(square) };
    let gap = across.dot(b.tail - a.tail) / length;
    (gap > best).then(|| (across / length, gap))
}

/// The gap along the axis of a feature and the normal, if the polyhedra still have that axis.
#[must_use]
pub fn gap_along<A: Polyhedron, B: Polyhedron>(
    a: &A,
    b: &B,
    pose: &Pose,
    feature: Feature,
) -> Option<(Vec3, f32)> {
    match feature {
        Feature::None | Feature::Closest => None,
        Feature::FaceA(face) if (face as usize) < a.face_count() => {
            let normal = a.normal(face);
            let lowest = pose.apply(b.farthest(pose.rotation.rotate_back(-normal)));
            Some((normal, height(a, face, lowest)))
        }
        Feature::FaceB(face) if (face as usize) < b.face_count() => {
            let normal = -pose.rotation.rotate(b.normal(face));
            let lowest = pose.undo(a.farthest(normal));
            Some((normal, height(b, face, lowest)))
        }
        Feature::Edges(edge_a, edge_b) => {
            let (edge_a, edge_b) = (live(a, edge_a)?, live(b, edge_b)?);
            let rotation = pose.rotation.to_matrix();
            let posed = LiveEdge {
                tail: rotation.times(edge_b.tail) + pose.translation,
                along: rotation.times(edge_b.along),
                left: rotation.times(edge_b.left),
                right: rotation.times(edge_b.right),
                number: edge_b.number,
            };
            edge_axis(&edge_a, &posed, f32::NEG_INFINITY)
        }
        Feature::FaceA(_) | Feature::FaceB(_) => None,
    }
}

fn live<P: Polyhedron>(polyhedron: &P, number: u32) -> Option<LiveEdge> {
    let Edge { tail, along, faces } = polyhedron.edge(number)?;
    let [left, right] = faces.map(|face| polyhedron.normal(face));
    Some(LiveEdge { tail, along, left, right, number })
}

/// Is a point above none of the planes?
#[inline]
pub(super) fn is_inside<P: Polyhedron>(polyhedron: &P, point: Vec3) -> bool {
    let zero = f32x8::splat(0.0);
    polyhedron.plane_blocks().iter().all(|block| f32x8::bits(zero.below(heights(block, point))) == 0)
}

/// Height of a point above a face.
#[inline]
fn height<P: Polyhedron>(polyhedron: &P, face: u32, point: Vec3) -> f32 {
    heights(&polyhedron.plane_blocks()[face as usize / 8], point).get(face as usize % 8)
}

#[cfg(test)]
mod tests {
    #[test]
    fn bits_are_spread_to_bytes() {
        for byte in 0..=255u8 {
            let expected: [u8; 8] = std::array::from_fn(|k| byte >> k & 1);
            assert_eq!(super::spread(u32::from(byte)).to_le_bytes(), expected);
        }
    }
}
