//! Rays against polygons and boxes with a ball rolled round them.
//!
//! * A flat polygon grows to two faces and the capsules round its sides. The faces are tried first;
//!   a ray that comes by beside them can only meet a side.
//! * The square of the distance from a box is quadratic between the six planes of its faces. The
//!   ray goes from piece to piece, at most seven, until the square is that of the radius. (The
//!   usual way, one capsule per region where the ray enters the grown box, misses rays that go from
//!   the region of an edge to that of another.)

use carom_geometry::closest::Span;
use carom_geometry::primitive::{Ray, RayHit, Segment};
use carom_geometry::shape::{Capsule, RayCast};
use carom_geometry::{Real, Vector};
use glam::DVec3;

/// The first point within `radius` of a flat convex polygon; the ray starts outside. Degenerate
/// polygons are their sides.
#[inline]
pub(super) fn cast_at_rounded_polygon(
    corners: &[DVec3],
    ray: &Ray<f64>,
    max: f64,
    radius: f64,
) -> Option<RayHit<f64>> {
    let first = corners[0];
    if let Some(face) = (corners[1] - first).cross(corners[2] - first).unit() {
        let height = face.dot(ray.origin - first);
        let normal = if height < 0.0 { -face } else { face };
        let room = height.abs() - radius;
        if room > 0.0 {
            let closing = -normal.dot(ray.direction);
            // The whole shape is between the planes of its faces.
            if !(closing > 0.0 && room <= max * closing) {
                return None;
            }
            let t = room / closing;
            let point = ray.at(t);
            let count = corners.len();
            let is_inside = (0..count).all(|k| {
                let side = corners[(k + 1) % count] - corners[k];
                side.cross(point - corners[k]).dot(face) >= 0.0
            });
            if is_inside {
                return Some(RayHit { t, normal });
            }
        }
    }
    let mut best: Option<RayHit<f64>> = None;
    for k in 0..corners.len() {
        let segment = Segment::new(corners[k], corners[(k + 1) % corners.len()]);
        let limit = best.map_or(max, |hit| hit.t);
        // A ray that starts outside and still is told that it starts inside touches, up to
        // rounding.
        let found = Capsule { segment, radius }.cast_ray(ray, limit).map(|hit| {
            let span = Span::from_segment(&segment);
            let out = || ray.origin - span.at(span.parameter_near(ray.origin));
            if hit.normal == DVec3::ZERO {
                RayHit { t: 0.0, normal: out().unit().unwrap_or(DVec3::Y) }
            } else {
                hit
            }
        });
        if found.is_some_and(|hit| best.is_none_or(|b| hit.t < b.t)) {
            best = found;
        }
    }
    best
}

/// The first point within `radius` of a box; the ray starts outside.
#[inline]
pub(super) fn cast_at_rounded_box(half: DVec3, ray: &Ray<f64>, max: f64, radius: f64) -> Option<RayHit<f64>> {
    // To the grown box first: from there on all numbers are as small as the shapes.
    let mut entry = (0.0, 0);
    let mut leave = max;
    for axis in 0..3 {
        let (at, speed, reach) = (ray.origin[axis], ray.direction[axis], half[axis] + radius);
        if speed == 0.0 {
            if at.abs() > reach {
                return None;
            }
            continue;
        }
        let near = (if speed > 0.0 { -reach } else { reach } - at) / speed;
        let far = (if speed > 0.0 { reach } else { -reach } - at) / speed;
        if near > entry.0 {
            entry = (near, axis);
        }
        leave = Real::min(leave, far);
    }
    // False for NaN too.
    let passes_through = entry.0 <= leave;
    if !passes_through {
        return None;
    }
    let start = ray.at(entry.0);
    let end = leave - entry.0;
    // Per axis below (−1), beside (0) or above (1) the box.
    let mut region = [0.0f64; 3];
    for axis in 0..3 {
        region[axis] = match start[axis] {
            x if x > half[axis] => 1.0,
            x if x < -half[axis] => -1.0,
            _ => 0.0,
        };
    }
    let mut from = 0.0;
    for _ in 0..7 {
        let mut to = (end, 3);
        let (mut e, mut d) = (DVec3::ZERO, DVec3::ZERO);
        for axis in 0..3 {
            let (side, speed) = (region[axis], ray.direction[axis]);
            if side != 0.0 {
                e[axis] = start[axis] - side * half[axis];
                d[axis] = speed;
            }
            // The plane through which this axis changes: back to the box, or out on the other side.
            let next = if side * speed < 0.0 {
                (side * half[axis] - start[axis]) / speed
            } else if side == 0.0 && speed != 0.0 {
                (speed.signum() * half[axis] - start[axis]) / speed
            } else {
                f64::INFINITY
            };
            if next < to.0 {
                to = (Real::max(next, from), axis);
            }
        }
        if let Some(t) = first_within(e, d, radius, from, to.0) {
            let normal = (e + d * t).unit().unwrap_or_else(|| {
                let sign = if ray.direction[entry.1] > 0.0 { -1.0 } else { 1.0 };
                DVec3::AXES[entry.1] * sign
            });
            return Some(RayHit { t: entry.0 + t, normal });
        }
        let (time, axis) = to;
        if axis == 3 {
            return None;
        }
        from = time;
        region[axis] = if region[axis] == 0.0 { ray.direction[axis].signum() } else { 0.0 };
    }
    None
}

/// The first t in `[from, to]` at which `e + t d` is no longer than `radius`.
#[inline]
fn first_within(e: DVec3, d: DVec3, radius: f64, from: f64, to: f64) -> Option<f64> {
    let square = d.dot(d);
    if square == 0.0 {
        return (e.dot(e) <= radius * radius).then_some(from);
    }
    let across = e.cross(d);
    let rest = square * radius * radius - across.dot(across);
    if rest < 0.0 {
        return None;
    }
    let (root, approach) = (rest.sqrt(), -e.dot(d));
    let (enter, exit) = ((approach - root) / square, (approach + root) / square);
    (enter <= to && exit >= from).then(|| Real::max(enter, from))
}
