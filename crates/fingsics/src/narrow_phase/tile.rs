//! Balls and capsules against tiles. Normals point from the tile to the body.

use crate::arithmetic::{
    closest_line_parameters, cross, dot, is_parallel, length, length_squared, normalised, squared_bound,
};
use glam::Vec3;

use super::{Capsule, FingsicsContact, Quirks, Side, Tile, normalised_or_across};

/// A contact of a ball with a tile, and whether it is with the face.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    pub(super) contact: FingsicsContact,
    on_face: bool,
}

/// A ball against a tile: face, one of four edges, or one of four corners, by where its projection
/// falls.
pub(super) fn ball(centre: Vec3, radius: f32, tile: &Tile) -> Option<Hit> {
    let height = dot(tile.normal, centre - tile.centre);
    let distance = height.abs();
    if distance >= radius {
        return None;
    }
    let normal = if height > 0.0 { tile.normal } else { tile.normal * -1.0 };
    // Half-way between the ball's lowest point and the plane, mirrored: off the plane, as in
    // Fingsics.
    let point = centre - normal * (distance * 3.0 / 2.0 - radius / 2.0);
    let inside_width = length(cross(tile.centre - point, tile.along)) < tile.width / 2.0;
    let inside_length = length(cross(tile.centre - point, tile.across)) < tile.length / 2.0;
    let offset = centre - tile.centre;
    let contact = match (inside_length, inside_width) {
        (true, true) => {
            let contact = FingsicsContact { point, normal, depth: radius - distance };
            return Some(Hit { contact, on_face: true });
        }
        (true, false) => {
            let half = tile.across * tile.width / 2.0;
            let edge = if dot(offset, tile.across) < 0.0 { tile.centre - half } else { tile.centre + half };
            ball_edge(centre, radius, edge, tile.along, tile.length, normal)
        }
        (false, true) => {
            let half = tile.along * tile.length / 2.0;
            let edge = if dot(offset, tile.along) < 0.0 { tile.centre - half } else { tile.centre + half };
            ball_edge(centre, radius, edge, tile.across, tile.width, normal)
        }
        (false, false) => {
            let side = |direction: Vec3| if dot(offset, direction) > 0.0 { Side::Plus } else { Side::Minus };
            ball_corner(centre, radius, tile.corner(side(tile.along), side(tile.across)), normal)
        }
    };
    contact.map(|contact| Hit { contact, on_face: false })
}

fn ball_edge(
    centre: Vec3,
    radius: f32,
    edge_centre: Vec3,
    direction: Vec3,
    edge_length: f32,
    face_normal: Vec3,
) -> Option<FingsicsContact> {
    let distance = length(cross(edge_centre - centre, direction));
    if distance >= radius {
        return None;
    }
    let foot = edge_centre + direction * dot(centre - edge_centre, direction);
    if f64::from(length_squared(foot - edge_centre)) < squared_bound(edge_length / 2.0) {
        let normal = normalised(centre - foot).unwrap_or(face_normal);
        Some(FingsicsContact { point: foot, normal, depth: radius - distance })
    } else {
        None
    }
}

fn ball_corner(centre: Vec3, radius: f32, corner: Vec3, face_normal: Vec3) -> Option<FingsicsContact> {
    let outwards = centre - corner;
    let distance = length(outwards);
    if distance < radius {
        let normal = if distance == 0.0 { face_normal } else { outwards / distance };
        Some(FingsicsContact { point: corner, normal, depth: radius - distance })
    } else {
        None
    }
}

/// A capsule against a tile: both ends, else its axis against the four edges, else one end.
pub(super) fn capsule(capsule: &Capsule, tile: &Tile, quirks: Quirks) -> Option<FingsicsContact> {
    let plus = ball(capsule.positive_end(), capsule.radius, tile);
    let minus = ball(capsule.negative_end(), capsule.radius, tile);
    if let (Some(plus), Some(minus)) = (plus, minus) {
        return Some(both_ends(plus.contact, minus.contact, quirks));
    }
    let one_end = plus.or(minus);
    if !quirks.edge_before_face
        && let Some(hit) = one_end
        && hit.on_face
    {
        return Some(hit.contact);
    }
    edges(capsule, tile, quirks).or(one_end.map(|hit| hit.contact))
}

fn both_ends(plus: FingsicsContact, minus: FingsicsContact, quirks: Quirks) -> FingsicsContact {
    let second = if quirks.first_end_normal { plus.normal } else { minus.normal };
    FingsicsContact {
        point: (plus.point + minus.point) / 2.0,
        // Opposite normals (the ends on different sides of the tile) have no mean.
        normal: normalised(plus.normal + second).unwrap_or(plus.normal),
        depth: (plus.depth + minus.depth) / 2.0,
    }
}

/// The point of an edge and the point of the capsule's axis that touch.
type Touch = (Vec3, Vec3);

/// The capsule's cylinder against the four edges, the touching points averaged.
fn edges(capsule: &Capsule, tile: &Tile, quirks: Quirks) -> Option<FingsicsContact> {
    let half_along = tile.along * tile.length / 2.0;
    let half_across = tile.across * tile.width / 2.0;
    let corner = |along, across| tile.corner(along, across);
    use Side::{Minus, Plus};
    // Edges across the tile, at both ends of its length, then edges along it.
    let [first, second] = edge_couple(
        capsule,
        [tile.centre + half_along, tile.centre - half_along],
        tile.across,
        tile.width,
        [[corner(Plus, Plus), corner(Plus, Minus)], [corner(Minus, Plus), corner(Minus, Minus)]],
        quirks,
    );
    let [third, fourth] = edge_couple(
        capsule,
        [tile.centre + half_across, tile.centre - half_across],
        tile.along,
        tile.length,
        [[corner(Plus, Plus), corner(Minus, Plus)], [corner(Plus, Minus), corner(Minus, Minus)]],
        quirks,
    );
    let touches = [first, second, third, fourth];
    let count = touches.iter().flatten().count();
    if count == 0 {
        return None;
    }
    let mean = |pick: fn(&Touch) -> Vec3| {
        touches.iter().flatten().map(pick).fold(Vec3::ZERO, |sum, point| sum + point) / count as f32
    };
    let (on_tile, on_axis) = (mean(|touch| touch.0), mean(|touch| touch.1));
    let outwards = on_axis - on_tile;
    Some(FingsicsContact {
        point: on_tile,
        normal: normalised(outwards).unwrap_or_else(|| normalised_or_across(tile.normal, capsule.axis)),
        depth: capsule.radius - length(outwards),
    })
}

/// Two opposite edges with their corners.
fn edge_couple(
    capsule: &Capsule,
    centres: [Vec3; 2],
    direction: Vec3,
    edge_length: f32,
    corners: [[Vec3; 2]; 2],
    quirks: Quirks,
) -> [Option<Touch>; 2] {
    if is_parallel(capsule.axis, direction) {
        let near = centres.iter().position(|&centre| {
            let distance_squared = length_squared(cross(direction, capsule.centre - centre));
            f64::from(distance_squared) < squared_bound(capsule.radius)
        });
        return near
            .map_or([None; 2], |edge| corners[edge].map(|corner| corner_on_axis(capsule, corner, quirks)));
    }
    let perpendicular = normalised_or_across(cross(direction, capsule.axis), capsule.axis);
    centres.map(|centre| {
        let [s, t, _] =
            closest_line_parameters(capsule.axis, direction, perpendicular, centre - capsule.centre);
        let on_axis = capsule.centre + capsule.axis * clamped(s, capsule.length);
        let on_edge = centre + direction * clamped(t, edge_length);
        (length(on_axis - on_edge) < capsule.radius).then_some((on_edge, on_axis))
    })
}

/// A corner of an edge that is parallel to the capsule, if it lies beside the cylinder.
fn corner_on_axis(capsule: &Capsule, corner: Vec3, quirks: Quirks) -> Option<Touch> {
    let axis = capsule.axis;
    let from = if quirks.corner_projection { corner } else { corner - capsule.centre };
    let foot = capsule.centre + axis * dot(from, axis) / dot(axis, axis);
    let beside = f64::from(length_squared(foot - capsule.centre)) < squared_bound(capsule.length / 2.0);
    beside.then_some((corner, foot))
}

/// A parameter along a segment of the given length, clamped to its ends. NaN becomes the middle.
fn clamped(parameter: f32, segment: f32) -> f32 {
    if parameter.abs() < segment / 2.0 {
        parameter
    } else {
        let sign = f32::from(i8::from(parameter > 0.0) - i8::from(parameter < 0.0));
        segment * sign / 2.0
    }
}
