//! Support features of boxes, tiles and triangles.

use carom_geometry::Vector;
use carom_geometry::primitive::Triangle;
use carom_geometry::shape::{Cuboid, Tile};
use glam::Vec3;

use super::{SupportFeature, SupportFeatureMap};

/// A face of a box: its four corners in order, with the names of corners and sides. Face `2 · axis`
/// looks along the axis, the next one against it. Bit k of the name of a corner is set where
/// coordinate k is positive.
#[inline]
fn box_face(half: Vec3, face: u16) -> ([Vec3; 4], [u16; 4], [u16; 4]) {
    let axis = usize::from(face / 2);
    let (i, j) = NEXT[axis];
    let top = if face.is_multiple_of(2) { half[axis] } else { -half[axis] };
    let mut corners = [Vec3::ZERO; 4];
    for (corner, (u, v)) in corners.iter_mut().zip(ROUND[usize::from(face % 2)]) {
        corner[axis] = top;
        corner[i] = u * half[i];
        corner[j] = v * half[j];
    }
    let names = FACE_NAMES[usize::from(face)];
    (corners, names.0, names.1)
}

/// Names of the corners and sides of a face of a box, as in [`box_face`].
#[inline]
pub(crate) fn box_face_names(face: u16) -> &'static ([u16; 4], [u16; 4]) {
    &FACE_NAMES[usize::from(face % 6)]
}

/// The two axes after each.
const NEXT: [(usize, usize); 3] = [(1, 2), (2, 0), (0, 1)];

/// Signs along the next two axes, counter-clockwise for the face along an axis and for the one
/// against it.
const ROUND: [[(f32, f32); 4]; 2] = [
    [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)],
    [(-1.0, -1.0), (-1.0, 1.0), (1.0, 1.0), (1.0, -1.0)],
];

/// Names of the edge of a box along `axis`, given by the signs of the other two coordinates.
#[inline]
pub(crate) const fn box_edge(axis: usize, is_next_positive: bool, is_last_positive: bool) -> u16 {
    (axis * 4) as u16 + is_next_positive as u16 + 2 * is_last_positive as u16
}

/// Names of corners and sides of each face.
const FACE_NAMES: [([u16; 4], [u16; 4]); 6] = {
    let mut all = [([0; 4], [0; 4]); 6];
    let mut face = 0;
    while face < 6 {
        let axis = face / 2;
        let (i, j) = NEXT[axis];
        let is_along = face % 2 == 0;
        let signs = ROUND[face % 2];
        let mut k = 0;
        while k < 4 {
            let (here, there) = (signs[k], signs[(k + 1) % 4]);
            all[face].0[k] =
                ((is_along as u16) << axis) | ((here.0 > 0.0) as u16) << i | ((here.1 > 0.0) as u16) << j;
            // A side along i has the coordinates j and `axis`; they follow i in this order.
            all[face].1[k] = if here.1 == there.1 {
                box_edge(i, here.1 > 0.0, is_along)
            } else {
                box_edge(j, is_along, here.0 > 0.0)
            };
            k += 1;
        }
        face += 1;
    }
    all
};

impl SupportFeatureMap for Cuboid {
    #[inline]
    fn support_feature(&self, direction: Vec3, support_feature: &mut SupportFeature) {
        // A flat box is one of its faces, whichever way one looks at it.
        let flat = (0..3).find(|&axis| self.half[axis] == 0.0);
        let axis = flat.unwrap_or(Vector::largest_axis(direction));
        let face = (axis * 2) as u16 + u16::from(direction[axis] < 0.0);
        let mut normal = Vec3::ZERO;
        normal[axis] = if direction[axis] < 0.0 { -1.0 } else { 1.0 };
        let (corners, names, sides) = box_face(self.half, face);
        rectangle(support_feature, face, normal, direction, (&corners, &names, &sides));
    }
}

impl SupportFeatureMap for Tile {
    #[inline]
    fn support_feature(&self, direction: Vec3, support_feature: &mut SupportFeature) {
        let face = 2 + u16::from(direction.y < 0.0);
        let normal = if direction.y < 0.0 { -Vec3::Y } else { Vec3::Y };
        let (corners, names, sides) = box_face(Vec3::new(self.half_x, 0.0, self.half_z), face);
        // Both sides of a tile have the same corners and edges.
        let (names, sides) = (names.map(|n| n & !2), sides.map(|s| if s < 4 { s & !1 } else { s & !2 }));
        rectangle(support_feature, face, normal, direction, (&corners, &names, &sides));
    }
}

/// A rectangle, or the segment or point that it is if sides have no length.
#[inline]
fn rectangle(
    support_feature: &mut SupportFeature,
    face: u16,
    normal: Vec3,
    direction: Vec3,
    (corners, names, sides): (&[Vec3; 4], &[u16; 4], &[u16; 4]),
) {
    let has_sides = [corners[0] != corners[1], corners[1] != corners[2]];
    if has_sides == [true, true] {
        support_feature.start(face, normal);
        for k in 0..4 {
            support_feature.push(corners[k], names[k], sides[k]);
        }
        return;
    }
    support_feature.start(face, direction.unit().unwrap_or(normal));
    match has_sides {
        [true, _] => {
            support_feature.push(corners[0], names[0], sides[0]);
            support_feature.push(corners[1], names[1], sides[0]);
        }
        [_, true] => {
            support_feature.push(corners[1], names[1], sides[1]);
            support_feature.push(corners[2], names[2], sides[1]);
        }
        _ => support_feature.push(corners[0], names[0], sides[0]),
    }
}

impl SupportFeatureMap for Triangle {
    fn support_feature(&self, direction: Vec3, support_feature: &mut SupportFeature) {
        let corners = self.corners();
        let across = self.area_vector();
        let lengths = [self.b - self.a, self.c - self.b, self.a - self.c].map(Vec3::length_squared);
        let longest = (0..3).fold(0, |l, k| if lengths[k] > lengths[l] { k } else { l });
        // Thinner than rounding: 10⁻⁶ of the longest side.
        let is_flat = across.length_squared() <= 1e-12 * lengths[longest] * lengths[longest];
        match across.unit() {
            Some(normal) if !is_flat => {
                let is_back = direction.dot(normal) < 0.0;
                support_feature.start(u16::from(is_back), if is_back { -normal } else { normal });
                for k in 0..3u16 {
                    // Backwards, the side that leaves corner 0 is the one that arrives there
                    // forwards.
                    let (corner, side) = if is_back { ((3 - k) % 3, 2 - k) } else { (k, k) };
                    support_feature.push(corners[usize::from(corner)], corner, side);
                }
            }
            _ => {
                support_feature.start(0, direction.unit().unwrap_or(Vec3::Y));
                let (first, second) = (longest, (longest + 1) % 3);
                support_feature.push(corners[first], first as u16, first as u16);
                if corners[first] != corners[second] {
                    support_feature.push(corners[second], second as u16, first as u16);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_geometry::Real;

    #[test]
    fn faces_of_a_box_go_round_outside() {
        let half = Vec3::new(1.0, 2.0, 3.0);
        let mut seen = [0u32; 12];
        for face in 0..6u16 {
            let (corners, names, sides) = box_face(half, face);
            let across = (corners[1] - corners[0]).cross(corners[2] - corners[1]);
            let axis = usize::from(face / 2);
            assert!(across[axis] * if face % 2 == 0 { 1.0 } else { -1.0 } > 0.0);
            for k in 0..4 {
                let bits = (0..3).fold(0, |b, c| b | u16::from(corners[k][c] > 0.0) << c);
                assert_eq!(bits, names[k]);
                seen[usize::from(sides[k])] += 1;
                // The side runs along the axis that its name says.
                let along = corners[(k + 1) % 4] - corners[k];
                assert!(Real::abs(along[usize::from(sides[k] / 4)]) > 0.0);
            }
        }
        assert_eq!(seen, [2; 12], "every edge belongs to two faces");
    }
}
