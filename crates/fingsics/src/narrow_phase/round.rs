//! Balls and capsules against each other.

use crate::arithmetic::{
    closest_line_parameters, cross, dot, is_near_zero, is_parallel, length, length_squared, squared_bound,
};
use glam::Vec3;

use super::{Capsule, FingsicsContact, Quirks, normalised_or_across};

/// Two balls. The point uses the radius ratio the wrong way round, as Fingsics does.
#[inline]
pub(super) fn ball_ball(centre1: Vec3, radius1: f32, centre2: Vec3, radius2: f32) -> Option<FingsicsContact> {
    let offset = centre2 - centre1;
    let distance = length(offset);
    let reach = radius1 + radius2;
    if distance < reach {
        let point = centre1 + offset * (radius2 / reach);
        // Coincident centres have no direction; up is as good as any.
        let normal = if distance == 0.0 { Vec3::Y } else { offset / distance };
        Some(FingsicsContact { point, normal, depth: reach - distance })
    } else {
        None
    }
}

/// A ball against the cylindrical part of a capsule; the point lies on the cylinder's far side, as
/// in Fingsics.
#[inline]
fn ball_cylinder(centre: Vec3, radius: f32, cylinder: &Capsule) -> Option<FingsicsContact> {
    let axis = cylinder.axis;
    let along = axis * (dot(centre - cylinder.centre, axis) / dot(axis, axis));
    if f64::from(length_squared(along)) >= squared_bound(cylinder.length / 2.0) {
        return None;
    }
    let foot = cylinder.centre + along;
    let outwards = centre - foot;
    let distance = length(outwards);
    let reach = radius + cylinder.radius;
    if distance < reach {
        let normal = normalised_or_across(outwards * -1.0, axis);
        Some(FingsicsContact { point: foot + normal * cylinder.radius, normal, depth: reach - distance })
    } else {
        None
    }
}

/// A ball against a capsule: its cylinder, else its positive end, else its negative end. Normal
/// ball → capsule.
pub(super) fn ball_capsule(centre: Vec3, radius: f32, capsule: &Capsule) -> Option<FingsicsContact> {
    ball_cylinder(centre, radius, capsule)
        .or_else(|| ball_ball(centre, radius, capsule.positive_end(), capsule.radius))
        .or_else(|| ball_ball(centre, radius, capsule.negative_end(), capsule.radius))
}

/// Two capsules.
pub(super) fn capsule_capsule(a: &Capsule, b: &Capsule, quirks: Quirks) -> Option<FingsicsContact> {
    if is_parallel(a.axis, b.axis) {
        return parallel_capsules(a, b, quirks);
    }
    let perpendicular = normalised_or_across(cross(b.axis, a.axis), a.axis);
    let [s, t, u] = closest_line_parameters(a.axis, b.axis, perpendicular, b.centre - a.centre);
    let distance = u.abs();
    let reach = a.radius + b.radius;
    // A singular system gives NaN, which is a miss.
    if distance >= reach || distance.is_nan() {
        return None;
    }
    if s.abs() < a.length / 2.0 && t.abs() < b.length / 2.0 {
        let on_a = a.axis * s + a.centre;
        let on_b = b.axis * t + b.centre;
        let mut between = on_b - on_a;
        if is_near_zero(between) {
            between = perpendicular;
        }
        let point = on_a + between * (b.radius / reach);
        return Some(FingsicsContact {
            point,
            normal: normalised_or_across(between, a.axis),
            depth: reach - distance,
        });
    }
    let (end_a, end_b) = (a.end_towards(s), b.end_towards(t));
    ball_cylinder(end_b, b.radius, a)
        .map(FingsicsContact::flipped)
        .or_else(|| ball_cylinder(end_a, a.radius, b))
        .or_else(|| ball_ball(end_a, a.radius, end_b, b.radius))
}

/// Parallel capsules: the first couple of end balls that both touch the other capsule, in Fingsics'
/// order; contact in the middle between them.
fn parallel_capsules(a: &Capsule, b: &Capsule, quirks: Quirks) -> Option<FingsicsContact> {
    let middle = |first: FingsicsContact, second: FingsicsContact| FingsicsContact {
        point: (first.point + second.point) / 2.0,
        ..first
    };
    let a_plus = ball_capsule(a.positive_end(), a.radius, b);
    let a_minus = ball_capsule(a.negative_end(), a.radius, b);
    if let (Some(first), Some(second)) = (a_plus, a_minus) {
        return Some(middle(first, second));
    }
    let b_plus = ball_capsule(b.positive_end(), b.radius, a);
    if let (Some(first), Some(second)) = (a_plus.or(a_minus), b_plus) {
        return Some(middle(first, second));
    }
    let b_minus = ball_capsule(b.negative_end(), b.radius, a)?;
    if let Some(first) = b_plus {
        // The normals of b's ends point from b to a.
        let contact = middle(first, b_minus);
        return Some(if quirks.parallel_normal { contact } else { contact.flipped() });
    }
    a_plus.or(a_minus).map(|first| middle(first, b_minus))
}
