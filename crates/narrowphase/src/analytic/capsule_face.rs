//! Boxes, tiles and triangles with a capsule.
//!
//! Outside, the segment has a nearest point to the box. Where it runs through the box, the least
//! way out is that of one of nine directions: three faces, and three directions across segment and
//! edge, each both ways. Nothing else bounds the Minkowski difference of a box and a segment, so
//! this is exact; a capsule whose middle pierces a tile is such a case.

use carom_geometry::closest::span_box::meeting_parameter;
use carom_geometry::closest::{Closest, Span};
use carom_geometry::primitive::{Segment, Triangle};
use carom_geometry::shape::{Capsule, Cuboid, Tile};
use carom_geometry::{Pose, Real, Vector};

use super::cores::{
    Core, NEEDLE, between, by_value, is_ordinary, of_cores, proved, straightened, trusted_square, up,
};
use crate::proximity::Proximity;

/// A box and a capsule.
#[inline]
#[must_use]
pub fn cuboid_capsule<S: Real>(a: &Cuboid<S>, b: &Capsule<S>, pose: &Pose<S>) -> Proximity<S> {
    box_segment(a.half, &b.segment.posed(pose)).grown(S::ZERO, b.radius)
}

/// A tile and a capsule.
#[inline]
#[must_use]
pub fn tile_capsule<S: Real>(a: &Tile<S>, b: &Capsule<S>, pose: &Pose<S>) -> Proximity<S> {
    let half = S::Vec3::new(a.half_x, S::ZERO, a.half_z);
    box_segment(half, &b.segment.posed(pose)).grown(S::ZERO, b.radius)
}

/// A triangle and a capsule.
#[inline]
#[must_use]
pub fn triangle_capsule<S: Real>(a: &Triangle<S>, b: &Capsule<S>, pose: &Pose<S>) -> Proximity<S> {
    let segment = b.segment.posed(pose);
    let found = triangle_segment_within(a, &segment, S::INFINITY);
    found.unwrap_or_else(|| of_cores(a, &segment)).grown(S::ZERO, b.radius)
}

/// A triangle and a segment; `None` if they are proved to be farther apart than `reach`.
///
/// With both ends on one side of the plane and the nearer one over the face, that is the nearest
/// point: the rest of the segment is farther from the plane. Else, unless the segment pierces the
/// face, an edge is nearest that has some of the segment beyond it: wherever the segment is over
/// the face, it comes nearer towards the end that is not.
#[inline(always)]
pub(super) fn triangle_segment_within<S: Real>(
    a: &Triangle<S>,
    segment: &Segment<S>,
    reach: S,
) -> Option<Proximity<S>> {
    let edges = Core::<S>::edges(a);
    let squares = edges.map(S::Vec3::length_squared);
    let longest = Real::max(squares[0], Real::max(squares[1], squares[2]));
    let up = edges[0].cross(edges[1]);
    let square = up.length_squared();
    if !(is_ordinary(square) && square >= longest * longest * S::of(NEEDLE)) {
        return Some(by_value(&of_cores(a, segment)));
    }
    let normal = up * (S::ONE / square.sqrt());
    let heights = [normal.dot(segment.a - a.a), normal.dot(segment.b - a.a)];
    let sizes = heights.map(Real::abs);
    let (is_one_side, is_first) = (heights[0] * heights[1] > S::ZERO, sizes[0] <= sizes[1]);
    let nearer = usize::from(!is_first);
    if is_one_side && sizes[nearer] > reach {
        return None;
    }
    // How far the ends are on the inner side of each edge, times the length of the edge.
    let corners = [a.a, a.b, a.c];
    let mut inside = [[S::ZERO; 2]; 3];
    for i in 0..3 {
        let inward = normal.cross(edges[i]);
        inside[i] = [inward.dot(segment.a - corners[i]), inward.dot(segment.b - corners[i])];
        let inner = Real::max(inside[i][0], inside[i][1]);
        if inner < S::ZERO && inner * inner > reach * reach * squares[i] {
            return None;
        }
    }
    if is_one_side {
        if inside.iter().all(|ends| ends[nearer] >= S::ZERO) {
            let on_b = if is_first { segment.a } else { segment.b };
            let (height, distance) = (heights[nearer], sizes[nearer]);
            let on_a = on_b - normal * height;
            return Some(Proximity { distance, normal: normal * height.sign_of(S::ONE), on_a, on_b });
        }
    } else if inside.iter().all(|[start, end]| *start * sizes[1] + *end * sizes[0] >= S::ZERO) {
        return Some(by_value(&of_cores(a, segment)));
    }
    let span = Span::from_segment(segment);
    let mut best = Closest { a: a.a, b: segment.a, distance_squared: S::INFINITY };
    for i in 0..3 {
        if Real::min(inside[i][0], inside[i][1]) <= S::ZERO {
            let edge = Span { origin: corners[i], direction: edges[i], low: S::ZERO, high: S::ONE };
            let [s, t] = edge.closest_parameters(&span);
            let found = Closest::between(edge.at(s), span.at(t));
            if found.distance_squared < best.distance_squared {
                best = found;
            }
        }
    }
    Some(proved(a, segment, &best))
}

/// The box of these half extents and a segment.
#[inline]
fn box_segment<S: Real>(half: S::Vec3, segment: &Segment<S>) -> Proximity<S> {
    let span = Span::from_segment(segment);
    let mut nearest = None;
    if let Err(t) = meeting_parameter(&span, half) {
        let on_b = span.at(t);
        let on_a = Vector::clamp(on_b, -half, half);
        let size = half.max_element() + segment.extent();
        if (on_b - on_a).length_squared() > trusted_square(size) {
            return between(on_a, on_b, up::<S>());
        }
        nearest = Some([on_a, on_b]);
    }
    least_way_out(half, segment, nearest)
}

/// What the direction with the widest gap belongs to.
#[derive(Clone, Copy)]
enum Way {
    /// A face of the box across this axis.
    Face(usize),
    /// An edge along this axis.
    Edge(usize),
    /// The nearest points: a corner of the box, or an end of the segment.
    Nearest,
}

/// The signed distance of the box and a segment that meet, or nearly so; then `nearest` are points
/// of both.
fn least_way_out<S: Real>(
    half: S::Vec3,
    segment: &Segment<S>,
    nearest: Option<[S::Vec3; 2]>,
) -> Proximity<S> {
    let (low, high) = (Vector::min(segment.a, segment.b), Vector::max(segment.a, segment.b));
    let (mut gap, mut normal, mut way) = (S::NEG_INFINITY, up::<S>(), Way::Face(1));
    // Up first: among equals, a tile lets go of what pierces it along its normal.
    for axis in [1, 0, 2] {
        for (distance, side) in [(low[axis] - half[axis], S::ONE), (-half[axis] - high[axis], -S::ONE)] {
            if distance > gap {
                (gap, normal, way) = (distance, S::Vec3::AXES[axis] * side, Way::Face(axis));
            }
        }
    }
    let (direction, middle) = (segment.direction(), (segment.a + segment.b) * S::HALF);
    // A segment parallel to a face is parallel to a direction across an edge too, but does not meet
    // the edge.
    let rounding = S::of(8.0) * S::EPSILON * (half.max_element() + segment.extent());
    let mut least = gap + rounding;
    for axis in 0..3 {
        let Some(across) = direction.cross(S::Vec3::AXES[axis]).unit() else { continue };
        let along = across.dot(middle);
        let distance = along.abs() - Vector::abs(across).dot(half);
        if distance > least {
            (gap, normal, way) = (distance, across * along.sign_of(S::ONE), Way::Edge(axis));
            least = distance;
        }
    }
    if let Some([on_a, on_b]) = nearest {
        let across = on_b - on_a;
        // Gaps hide a turn of the normal by the root of a rounding error; that of the nearest
        // points goes with them.
        let mut least = gap - rounding;
        for across in [across, straightened::<S>(across, direction)] {
            let Some(across) = across.unit() else { continue };
            let distance = segment.shadow(across)[0] - Vector::abs(across).dot(half);
            if distance > least {
                (gap, normal, way) = (distance, across, Way::Nearest);
                least = distance;
            }
        }
    }
    let on_b = match way {
        Way::Nearest => nearest.map_or(middle, |[_, on_b]| on_b),
        Way::Face(axis) => face_point(half, segment, axis, normal[axis]),
        Way::Edge(axis) => {
            let mut corner = S::Vec3::from_array(std::array::from_fn(|k| normal[k].sign_of(half[k])));
            corner[axis] = -half[axis];
            let edge = Span {
                origin: corner,
                direction: S::Vec3::AXES[axis] * (S::TWO * half[axis]),
                low: S::ZERO,
                high: S::ONE,
            };
            let span = Span::from_segment(segment);
            span.at(span.closest_parameters(&edge)[0])
        }
    };
    Proximity { distance: gap, normal, on_a: on_b - normal * gap, on_b }
}

/// The point of the segment that is deepest under a face, as far as it is under the face itself: of
/// a segment parallel to the face only a part may be.
fn face_point<S: Real>(half: S::Vec3, segment: &Segment<S>, axis: usize, side: S) -> S::Vec3 {
    let direction = segment.direction();
    let deepest = if direction[axis] * side < S::ZERO { S::ONE } else { S::ZERO };
    // Beside a box without width by rounding is over it.
    let rounding = S::of(8.0) * S::EPSILON * (half.max_element() + segment.extent());
    let [low, high] = clipped(half + S::Vec3::splat(rounding), segment, axis);
    segment.at(if low <= high { Real::clamp(deepest, low, high) } else { deepest })
}

/// The range of parameters in which a segment is over or under the face across `axis`; empty (first
/// > second) if it is nowhere.
#[inline]
pub(super) fn clipped<S: Real>(half: S::Vec3, segment: &Segment<S>, axis: usize) -> [S; 2] {
    let (origin, direction) = (segment.a, segment.direction());
    let [mut low, mut high] = [S::ZERO, S::ONE];
    for other in [(axis + 1) % 3, (axis + 2) % 3] {
        if direction[other].abs() < S::MIN_POSITIVE {
            if origin[other].abs() > half[other] {
                return [S::ONE, S::ZERO];
            }
            continue;
        }
        let inverse = S::ONE / direction[other];
        let (a, b) = ((-half[other] - origin[other]) * inverse, (half[other] - origin[other]) * inverse);
        low = Real::max(low, Real::min(a, b));
        high = Real::min(high, Real::max(a, b));
    }
    [low, high]
}
