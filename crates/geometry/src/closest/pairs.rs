//! Closest points of every pair of forms.
//!
//! Two convex polyhedra that are apart have closest points on a vertex and a face, or on two edges.
//! So edges are measured against edges, and each face against the one vertex of the other figure
//! that is lowest over it: a vertex whose closest point is inside a face has the whole of its
//! figure behind it. Needles, whose normals are inaccurate, meet every vertex.

use super::boxes::box_box;
use super::face::Face;
use super::span_box::span_box;
use super::{Closest, ClosestTo, Nearest, Obb, Point, Span};
use crate::bounds::Aabb;
use crate::primitive::{Plane, Triangle};
use crate::real::{Real, Vector};

/// Excess of a distance over its lower bound at which it is taken, in ε × the coordinates.
const PROOF: f64 = 2.0;

/// Share of the way from one height to another, of opposite sign, at which the height is 0.
#[inline]
fn level<S: Real>(from: S, to: S) -> S {
    let rise = to - from;
    if rise == S::ZERO { S::ZERO } else { Real::clamp(-from / rise, S::ZERO, S::ONE) }
}

/// Closest points of a span and a plane.
fn span_plane<S: Real>(span: &Span<S>, plane: &Plane<S>) -> Closest<S> {
    let (height, climb) = (plane.signed_distance(span.origin), plane.normal.dot(span.direction));
    let crossing = -height / climb;
    let t = span.clamp(if crossing.is_finite() { crossing } else { S::ZERO });
    let a = span.at(t);
    if t == crossing { Closest::common(a) } else { Closest::between(a, plane.project(a)) }
}

/// Closest points of a plane and a convex set, given the lowest and the highest point of the set
/// over the plane.
fn extremes_plane<S: Real>(low: S::Vec3, high: S::Vec3, plane: &Plane<S>) -> Closest<S> {
    let (low_height, high_height) = (plane.signed_distance(low), plane.signed_distance(high));
    if low_height > S::ZERO {
        Closest::between(low, plane.project(low))
    } else if high_height < S::ZERO {
        Closest::between(high, plane.project(high))
    } else {
        Closest::common(low + (high - low) * level(low_height, high_height))
    }
}

fn triangle_plane<S: Real>(triangle: &Triangle<S>, plane: &Plane<S>) -> Closest<S> {
    let heights = triangle.corners().map(|c| plane.signed_distance(c));
    let (mut low, mut high) = (0, 0);
    for i in 1..3 {
        if heights[i] < heights[low] {
            low = i;
        }
        if heights[i] > heights[high] {
            high = i;
        }
    }
    extremes_plane(triangle.corners()[low], triangle.corners()[high], plane)
}

fn box_plane<S: Real>(solid: &Obb<S>, plane: &Plane<S>) -> Closest<S> {
    let top = solid.local_support(solid.axes.transposed_times(plane.normal));
    extremes_plane(solid.world(-top), solid.world(top), plane)
}

fn plane_plane<S: Real>(a: &Plane<S>, b: &Plane<S>) -> Closest<S> {
    match crate::intersect::plane_plane(a, b) {
        Some(line) => Closest::common(line.point),
        None => {
            let point = a.normal * a.offset;
            Closest::between(point, b.project(point))
        }
    }
}

#[inline]
fn span_span<S: Real>(a: &Span<S>, b: &Span<S>) -> Closest<S> {
    let [s, t] = a.closest_parameters(b);
    Closest::between(a.at(s), b.at(t))
}

fn span_triangle<S: Real>(span: &Span<S>, triangle: &Triangle<S>) -> Closest<S> {
    if span.direction == S::Vec3::ZERO {
        return Closest::between(span.origin, triangle.nearest(span.origin));
    }
    let Some(face) = Face::new(triangle) else { return span_outline(span, triangle) };
    let crossing = -face.height(span.origin) / face.normal.dot(span.direction);
    let mut pierced = None;
    if crossing >= span.low && crossing <= span.high && crossing.is_finite() {
        pierced = face.pierce(span.origin, span.direction, crossing);
    }
    if let Some(found) = pierced
        && found.distance_squared == S::ZERO
    {
        return found;
    }
    let feet = span.ends().filter_map(|end| face.meet(end, S::Vec3::ZERO));
    feet.chain(pierced).fold(span_outline(span, triangle), Closest::or)
}

/// Closest points of a span and the three sides of a triangle.
#[inline]
fn span_outline<S: Real>(span: &Span<S>, triangle: &Triangle<S>) -> Closest<S> {
    let [ab, bc, ca] = triangle.edges().map(|edge| span_span(span, &Span::from_segment(&edge)));
    ab.or(bc).or(ca)
}

/// What the inside of `face` adds: a side of `other` that pierces it, or the corner of `other` that
/// is lowest over it.
#[inline]
fn face_triangle<S: Real>(face: &Face<S>, other: &Triangle<S>) -> Option<Closest<S>> {
    let corners = other.corners();
    let heights = corners.map(|c| face.height(c));
    let above = heights.map(|h| h > S::ZERO);
    let apart = above[0] == above[1] && above[1] == above[2];
    if apart && !face.sharp {
        let size = heights.map(Real::abs);
        let lowest = (1..3).fold(0, |best, i| if size[i] < size[best] { i } else { best });
        return face.meet(corners[lowest], S::Vec3::ZERO);
    }
    let pierce = |i: usize, j: usize| {
        (above[i] != above[j])
            .then(|| face.pierce(corners[i], corners[j] - corners[i], level(heights[i], heights[j])))
            .flatten()
    };
    let found = [pierce(0, 1), pierce(1, 2), pierce(2, 0)].into_iter().flatten().reduce(Closest::or);
    if !face.sharp {
        return found;
    }
    let feet = corners.into_iter().filter_map(|c| face.meet(c, S::Vec3::ZERO));
    feet.chain(found).reduce(Closest::or)
}

fn triangle_triangle<S: Real>(a: &Triangle<S>, b: &Triangle<S>) -> Closest<S> {
    let (face_a, face_b) = (Face::new(a), Face::new(b));
    let on_b = face_b.as_ref().and_then(|face| face_triangle(face, a));
    let on_a = face_a.as_ref().and_then(|face| face_triangle(face, b)).map(|found| found.swapped());
    let mut best = match (on_a, on_b) {
        (Some(x), Some(y)) => x.or(y),
        (Some(x), None) | (None, Some(x)) => x,
        (None, None) => Closest::between(a.a, b.a),
    };
    if best.distance_squared == S::ZERO || are_closest(&best, a, b) {
        return best;
    }
    for edge in a.edges() {
        let span = Span::from_segment(&edge);
        for other in b.edges() {
            let found = span_span(&span, &Span::from_segment(&other));
            if found.distance_squared < best.distance_squared {
                best = found;
                if are_closest(&best, a, b) {
                    return best;
                }
            }
        }
    }
    best
}

/// No two points of the triangles are closer than these, but for rounding: no corner is farther
/// along their difference than they are themselves.
#[inline]
fn are_closest<S: Real>(found: &Closest<S>, a: &Triangle<S>, b: &Triangle<S>) -> bool {
    let across = found.b - found.a;
    let heights = |t: &Triangle<S>, from: S::Vec3| t.corners().map(|c| across.dot(c - from));
    let [ours, theirs] = [heights(a, found.a), heights(b, found.b)];
    let ahead = Real::max(ours[0], Real::max(ours[1], ours[2]));
    let behind = Real::min(theirs[0], Real::min(theirs[1], theirs[2]));
    let excess = ahead - behind;
    let extent = (Vector::abs(found.a) + Vector::abs(found.b)).max_element();
    let tolerance = S::of(PROOF) * S::EPSILON * extent;
    excess <= S::ZERO || excess <= tolerance * found.distance()
}

fn triangle_box<S: Real>(triangle: &Triangle<S>, solid: &Obb<S>) -> Closest<S> {
    let mut best = Closest::between(triangle.a, solid.nearest(triangle.a));
    for edge in triangle.edges() {
        best = best.or(span_box(&Span::from_segment(&edge), solid));
    }
    let Some(face) = Face::new(triangle) else { return best };
    if best.distance_squared == S::ZERO {
        return best;
    }
    let top = solid.local_support(solid.axes.transposed_times(face.normal));
    let (low, high) = (solid.world(-top), solid.world(top));
    let (low_height, high_height) = (face.height(low), face.height(high));
    let found = if low_height > S::ZERO {
        face.meet(low, solid.half)
    } else if high_height < S::ZERO {
        face.meet(high, solid.half)
    } else {
        // The outline misses the box, so the triangle contains either all or nothing of the box in
        // its plane.
        face.pierce(low, high - low, level(low_height, high_height))
    };
    best = found.map_or(best, |found| best.or(found.swapped()));
    if face.sharp {
        let corners = Aabb { min: (-solid.half).to_array(), max: solid.half.to_array() };
        for found in (0..8).filter_map(|index| face.meet(solid.world(corners.corner(index)), solid.half)) {
            best = best.or(found.swapped());
        }
    }
    best
}

macro_rules! pair {
    ($a:ty, $b:ty, $kernel:path) => {
        impl<S: Real> ClosestTo<$b> for $a {
            type Scalar = S;

            #[inline]
            fn closest_to(&self, other: &$b) -> Closest<S> {
                $kernel(self, other)
            }
        }
    };
    ($a:ty, $b:ty, $kernel:path, both) => {
        pair!($a, $b, $kernel);

        impl<S: Real> ClosestTo<$a> for $b {
            type Scalar = S;

            #[inline]
            fn closest_to(&self, other: &$a) -> Closest<S> {
                $kernel(other, self).swapped()
            }
        }
    };
}

#[inline]
fn point_set<S: Real>(point: &Point<S>, set: &impl Nearest<S>) -> Closest<S> {
    Closest::between(point.0, set.nearest(point.0))
}

pair!(Point<S>, Point<S>, point_set);
pair!(Point<S>, Span<S>, point_set, both);
pair!(Point<S>, Plane<S>, point_set, both);
pair!(Point<S>, Triangle<S>, point_set, both);
pair!(Point<S>, Obb<S>, point_set, both);
pair!(Span<S>, Span<S>, span_span);
pair!(Span<S>, Plane<S>, span_plane, both);
pair!(Span<S>, Triangle<S>, span_triangle, both);
pair!(Span<S>, Obb<S>, span_box, both);
pair!(Plane<S>, Plane<S>, plane_plane);
pair!(Triangle<S>, Plane<S>, triangle_plane, both);
pair!(Obb<S>, Plane<S>, box_plane, both);
pair!(Triangle<S>, Triangle<S>, triangle_triangle);
pair!(Triangle<S>, Obb<S>, triangle_box, both);
pair!(Obb<S>, Obb<S>, box_box);
