//! Contact points in the plane.
//!
//! Two polygons: the edge with the widest gap is the reference; the edge of the other polygon that
//! faces it most is cut by the ends of the reference, and what is left of it behind the reference
//! are one or two points (the way of Box2D, E. Catto).

use carom_geometry::Real;

use super::separation::{Separation, max_separation};
use super::{ContactManifold, ContactPoint};
use crate::polygon::{Circle, ConvexPolygon, Rectangle};
use crate::pose::Pose2;
use crate::vector::{Point, add, distance, dot, normalized, scale, sub};

/// The contact of two convex polygons; `None` if they are apart.
#[must_use]
pub fn polygon_polygon(a: &ConvexPolygon, b: &ConvexPolygon, pose: &Pose2) -> Option<ContactManifold> {
    let found = max_separation(a, b, pose);
    if found.distance > 0.0 {
        return None;
    }
    let (mine, other) = if found.of_first { (a, b) } else { (b, a) };
    // Everything in the frame of the polygon with the reference edge.
    let there = if found.of_first { *pose } else { pose.inverse() };
    let mut contact = ContactManifold {
        normal: found.normal,
        separation: found.distance,
        points: Default::default(),
        count: 0,
    };
    for mut point in clipped(mine.vertices(), other.vertices(), &there, &found).into_iter().flatten() {
        if !found.of_first {
            point.position = pose.apply(point.position);
        }
        contact.push(point);
    }
    Some(contact)
}

/// Heights above the reference below this part of the largest coordinate count as none: a few
/// roundings. Where polygons just touch, the corner that rounding has deepest may be the end of an
/// edge on the same line that is beyond the reference.
const ROUNDING: f64 = 32.0 * f64::EPSILON;

/// What is behind the reference edge of the part of the facing edge between its ends; the deepest
/// corner if that is nothing.
fn clipped(mine: &[Point], other: &[Point], there: &Pose2, found: &Separation) -> [Option<ContactPoint>; 2] {
    let (start, end) = (mine[found.edge], mine[(found.edge + 1) % mine.len()]);
    let (along, length) = normalized(sub(end, start)).unwrap_or(([1.0, 0.0], 0.0));
    let normal = [along[1], -along[0]];
    let inwards = there.rotate_back(normal);
    // The facing edge: its normal is most against that of the reference.
    let (mut facing, mut least) = (0, f64::INFINITY);
    for k in 0..other.len() {
        let [x, y] = sub(other[(k + 1) % other.len()], other[k]);
        let lean = normalized([y, -x]).map_or(f64::INFINITY, |(n, _)| dot(n, inwards));
        if lean < least {
            (facing, least) = (k, lean);
        }
    }
    let corners = [facing, (facing + 1) % other.len()];
    let [p, q] = corners.map(|k| there.apply(other[k]));
    let place_of = |point: Point| dot(along, sub(point, start));
    let (from, to) = (place_of(p), place_of(q));
    let point = |at: Point, corner: usize| {
        let separation = dot(normal, sub(at, start));
        let position = sub(at, scale(normal, separation / 2.0));
        let feature = (found.edge as u32) << 16 | (corner as u32) << 1 | u32::from(found.of_first);
        ContactPoint { position, separation, feature }
    };
    // Cut at both ends of the reference; the facing edge runs the other way.
    let cut = |outside: Point, inside: Point, limit: f64| {
        let (x, y) = (place_of(outside), place_of(inside));
        let share = if x == y { 0.0 } else { Real::clamp((limit - x) / (y - x), 0.0, 1.0) };
        add(outside, scale(sub(inside, outside), share))
    };
    let ends = [(p, q, from), (q, p, to)];
    // What rounding may do to a height above the reference.
    let extent = [start, end, p, q].iter().flatten().fold(0.0, |m, c| Real::max(m, c.abs()));
    let slack = ROUNDING * extent;
    let mut points = [None; 2];
    for (k, (at, opposite, place)) in ends.into_iter().enumerate() {
        let at = if place > length {
            cut(at, opposite, length)
        } else if place < 0.0 {
            cut(at, opposite, 0.0)
        } else {
            at
        };
        let point = point(at, corners[k]);
        points[k] = (point.separation <= slack)
            .then_some(ContactPoint { separation: Real::min(point.separation, 0.0), ..point });
    }
    let deepest = points.iter().flatten().fold(0.0, |d, p: &ContactPoint| Real::min(d, p.separation));
    if deepest > found.distance / 2.0 + slack || points == [None; 2] {
        // The facing edge passes beside the reference: the corner that is deepest behind it.
        let depth = |k: &usize| dot(normal, sub(there.apply(other[*k]), start));
        let corner = (0..other.len()).fold(0, |best, k| if depth(&k) < depth(&best) { k } else { best });
        // Where they just touch, rounding may have it above.
        let deepest = point(there.apply(other[corner]), corner);
        return [Some(ContactPoint { separation: Real::min(deepest.separation, 0.0), ..deepest }), None];
    }
    if points[1].is_some() && points[0].is_some_and(|p| points[1].is_some_and(|q| p.position == q.position)) {
        points[1] = None;
    }
    points
}

/// The contact of two discs; `None` if they are apart. Concentric discs part upwards.
#[must_use]
pub fn circle_circle(a: &Circle, b: &Circle, pose: &Pose2) -> Option<ContactManifold> {
    let other = pose.apply(b.centre);
    let apart = sub(other, a.centre);
    let reach = a.radius + b.radius;
    if dot(apart, apart) > reach * reach {
        return None;
    }
    let (normal, length) = normalized(apart).unwrap_or(([0.0, 1.0], 0.0));
    let separation = length - reach;
    let position = add(a.centre, scale(normal, a.radius + separation / 2.0));
    Some(ContactManifold::one(normal, separation, position, 0))
}

/// The contact of a convex polygon and a disc; `None` if they are apart.
#[must_use]
pub fn polygon_circle(a: &ConvexPolygon, b: &Circle, pose: &Pose2) -> Option<ContactManifold> {
    let centre = pose.apply(b.centre);
    let corners = a.vertices();
    let (mut best, mut normal, mut edge) = (f64::NEG_INFINITY, [0.0, 1.0], 0);
    for (k, &from) in corners.iter().enumerate() {
        let [x, y] = sub(corners[(k + 1) % corners.len()], from);
        let Some((out, _)) = normalized([y, -x]) else { continue };
        let height = dot(out, sub(centre, from));
        if height > best {
            (best, normal, edge) = (height, out, k);
        }
    }
    if best > b.radius {
        return None;
    }
    let mut distance_of_centre = best;
    let mut feature = edge as u32;
    if best > 0.0 {
        // Outside: beyond an end of some edge the corner is nearest, not the line.
        let mut nearest = (f64::INFINITY, [0.0; 2]);
        for (k, &from) in corners.iter().enumerate() {
            let along = sub(corners[(k + 1) % corners.len()], from);
            let t = Real::clamp(dot(along, sub(centre, from)) / dot(along, along), 0.0, 1.0);
            let point = if t >= 1.0 { corners[(k + 1) % corners.len()] } else { add(from, scale(along, t)) };
            let gap = distance(point, centre);
            if gap < nearest.0 {
                nearest = (gap, point);
                feature = if t <= 0.0 {
                    1 << 16 | k as u32
                } else if t >= 1.0 {
                    1 << 16 | ((k + 1) % corners.len()) as u32
                } else {
                    k as u32
                };
            }
        }
        if nearest.0 > b.radius {
            return None;
        }
        distance_of_centre = nearest.0;
        if feature >> 16 == 1
            && let Some((out, _)) = normalized(sub(centre, nearest.1))
        {
            normal = out;
        }
    }
    let separation = distance_of_centre - b.radius;
    let position = sub(centre, scale(normal, b.radius + separation / 2.0));
    Some(ContactManifold::one(normal, separation, position, feature))
}

/// The contact of two axis-aligned rectangles of one frame; `None` if there is a gap on an axis.
#[must_use]
pub fn rectangle_rectangle(a: &Rectangle, b: &Rectangle) -> Option<ContactManifold> {
    if !a.overlaps(b) {
        return None;
    }
    let (mut separation, mut axis, mut side) = (f64::NEG_INFINITY, 0, 1.0);
    for k in 0..2 {
        for (gap, towards) in [(b.min[k] - a.max[k], 1.0), (a.min[k] - b.max[k], -1.0)] {
            if gap > separation {
                (separation, axis, side) = (gap, k, towards);
            }
        }
    }
    let mut normal = [0.0; 2];
    normal[axis] = side;
    let other = 1 - axis;
    let surface = if side > 0.0 { a.max[axis] + separation / 2.0 } else { a.min[axis] - separation / 2.0 };
    let ends = [Real::max(a.min[other], b.min[other]), Real::min(a.max[other], b.max[other])];
    let at = |end: f64| {
        let mut position = [surface; 2];
        position[other] = end;
        position
    };
    let mut contact = ContactManifold::one(normal, separation, at(ends[0]), 0);
    if ends[0] < ends[1] {
        contact.push(ContactPoint { position: at(ends[1]), separation, feature: 1 });
    }
    Some(contact)
}
