//! The overlap of a triangle and the face of a box, seen along the contact normal, its sides at
//! once.
//!
//! In the frame of the box its face is a rectangle along two axes. The corners of the triangle are
//! brought onto the plane of that face along the normal, whichever of the two the normal belongs
//! to; then the three sides are cut to the two slabs of the rectangle in lanes, and the four
//! corners of the rectangle are looked for in the triangle. The distance that a point was brought
//! is its separation. That is the way of [`box_clip`](super::box_clip) for two boxes; the slow
//! twin, cutting one polygon side by side ([`face_contact`](crate::manifold::face_contact)), took
//! more than twice the time.

use carom_core::simd::{SimdFloat, f32x4};
use carom_geometry::Real;
use glam::Vec3;

use super::box_clip::slab;
use crate::manifold::{Candidates, FeatureId, Part};
use crate::support_feature::box_edge;

/// How far within the triangle corners of the box must be, in heights of the triangle: those on its
/// border are met by its sides.
const WITHIN: f32 = 1e-6;

/// How far outside of the rectangle sides are still met, in units of both faces: more than corners
/// are left out by, so that none falls between the two. Points are moved to the rim afterwards.
const BEYOND: f32 = 4e-6;

/// Cosine between the normal and that of the triangle below which the triangle is seen edge on:
/// what lies between its sides is no wider than rounding makes it.
const EDGE_ON: f32 = 1e-5;

/// A triangle in the frame of a box, and the direction along which they meet.
pub(super) struct Meeting {
    /// Half extents of the box.
    pub(super) half: Vec3,
    /// Corners of the triangle.
    pub(super) corners: [Vec3; 3],
    /// Unit normal of the triangle.
    pub(super) plane: Vec3,
    /// Unit vector from the box to the triangle.
    pub(super) towards: Vec3,
    /// The box is the second shape in names.
    pub(super) is_box_second: bool,
}

/// The points of the overlap.
pub(super) struct Overlap {
    /// Coordinates on the face along the two axes after `axis`, and separations.
    pub(super) found: Candidates<16>,
    axis: usize,
    up: f32,
}

impl Meeting {
    /// A name from parts of the box and of the triangle.
    #[inline]
    fn name(&self, of_box: Part, of_triangle: Part) -> FeatureId {
        if self.is_box_second {
            FeatureId::new(of_triangle, of_box)
        } else {
            FeatureId::new(of_box, of_triangle)
        }
    }

    /// All corners of the overlap of the triangle with the face of the box that looks along
    /// `towards` most, up to the speculative distance.
    pub(super) fn overlap(&self, speculative_distance: f32) -> Overlap {
        let Self { half, corners, towards, .. } = *self;
        let axis = carom_geometry::Vector::largest_axis(towards);
        let (i, j, k) = ((axis + 1) % 3, (axis + 2) % 3, axis);
        let is_positive = towards[k] > 0.0;
        let up = if is_positive { 1.0 } else { -1.0 };
        let steep = 1.0 / (towards[k] * up);
        // How far each corner is brought, and where it then is.
        let brought = corners.map(|corner| {
            let way = (corner[k] * up - half[k]) * steep;
            [corner[i] - towards[i] * way, corner[j] - towards[j] * way, way]
        });
        let [a, b, c] = brought;
        let lanes = |at: usize| f32x4::new([a[at], b[at], c[at], a[at]]);
        let ahead = |at: usize| f32x4::new([b[at], c[at], a[at], b[at]]);
        let (u, v, w) = (lanes(0), lanes(1), lanes(2));
        let (du, dv, dw) = (ahead(0) - u, ahead(1) - v, ahead(2) - w);
        let longest = [0, 1, 2].map(|lane| Real::abs(du.get(lane)) + Real::abs(dv.get(lane)));
        let size = half[i] + half[j] + Real::max(longest[0], Real::max(longest[1], longest[2]));
        let (in_u, out_u) = slab(u, du, half[i] + BEYOND * size);
        let (in_v, out_v) = slab(v, dv, half[j] + BEYOND * size);
        let (zero, one) = (f32x4::splat(0.0), f32x4::splat(1.0));
        let (start, end) = (in_u.max(in_v).max(zero), out_u.min(out_v).min(one));
        let is_there = start.at_most(end);
        let limit = f32x4::splat(speculative_distance);
        let (start_w, stop_w) = (w + dw * start, w + dw * end);
        let starts = f32x4::bits(is_there & start_w.at_most(limit)) & 0b111;
        let ends = f32x4::bits(is_there & end.below(one) & start.below(end) & stop_w.at_most(limit)) & 0b111;
        let mut found = Candidates::<16>::new();
        let face = Part::Face((axis * 2) as u16 + u16::from(!is_positive));
        // The edge of the box that a side of the triangle crosses.
        let crossed = |of_u: bool, is_plus: bool| {
            Part::Edge(if of_u {
                box_edge(j, is_positive, is_plus)
            } else {
                box_edge(i, is_plus, is_positive)
            })
        };
        let (at_start, at_end) = ([u + du * start, v + dv * start], [u + du * end, v + dv * end]);
        for lane in 0..3 {
            let side = Part::Edge(lane as u16);
            if starts >> lane & 1 == 1 {
                let name = if start.get(lane) == 0.0 {
                    self.name(face, Part::Vertex(lane as u16))
                } else {
                    // Entered through the slab that was reached last, on the side that it comes
                    // from.
                    let of_u = in_u.get(lane) >= in_v.get(lane);
                    let speed = if of_u { du.get(lane) } else { dv.get(lane) };
                    self.name(crossed(of_u, speed < 0.0), side)
                };
                found.push(at_start[0].get(lane), at_start[1].get(lane), start_w.get(lane), name);
            }
            if ends >> lane & 1 == 1 {
                let of_u = out_u.get(lane) <= out_v.get(lane);
                let speed = if of_u { du.get(lane) } else { dv.get(lane) };
                let name = self.name(crossed(of_u, speed > 0.0), side);
                found.push(at_end[0].get(lane), at_end[1].get(lane), stop_w.get(lane), name);
            }
        }
        let mut overlap = Overlap { found, axis, up };
        let cosine = self.plane.dot(towards);
        if Real::abs(cosine) > EDGE_ON {
            self.add_box_corners([u, v], [du, dv], cosine, limit, &mut overlap);
        }
        overlap
    }

    /// Corners of the box over the triangle, whose brought corners and sides are given.
    #[inline]
    fn add_box_corners(
        &self,
        [u, v]: [f32x4; 2],
        [du, dv]: [f32x4; 2],
        cosine: f32,
        limit: f32x4,
        overlap: &mut Overlap,
    ) {
        let (axis, up) = (overlap.axis, overlap.up);
        let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
        let (hi, hj) = (self.half[i], self.half[j]);
        let (x, y) = (f32x4::new([-hi, hi, -hi, hi]), f32x4::new([-hj, -hj, hj, hj]));
        let area = du.get(0) * dv.get(1) - dv.get(0) * du.get(1);
        let rotation = f32x4::splat(if area < 0.0 { -1.0 } else { 1.0 });
        let least = f32x4::splat(WITHIN * Real::abs(area));
        let left_of = |side: usize| {
            let (from_u, from_v) = (f32x4::splat(u.get(side)), f32x4::splat(v.get(side)));
            let (along_u, along_v) = (f32x4::splat(du.get(side)), f32x4::splat(dv.get(side)));
            least.below((along_u * (y - from_v) - along_v * (x - from_u)) * rotation)
        };
        let inside = f32x4::bits(left_of(0) & left_of(1) & left_of(2));
        if inside == 0 {
            return;
        }
        // The plane of the triangle above the corners, along the direction.
        let plane = self.plane;
        let level = plane.dot(self.corners[0]) - plane[axis] * self.half[axis] * up;
        let height = f32x4::splat(level) - x * f32x4::splat(plane[i]) - y * f32x4::splat(plane[j]);
        let height = height * f32x4::splat(1.0 / cosine);
        let inside = inside & f32x4::bits(height.at_most(limit));
        let front = Part::Face(u16::from(cosine > 0.0));
        let is_positive = up > 0.0;
        for lane in (0..4).filter(|lane| inside >> lane & 1 == 1) {
            let (is_u, is_v) = (lane & 1 == 1, lane & 2 == 2);
            let corner = u16::from(is_positive) << axis | u16::from(is_u) << i | u16::from(is_v) << j;
            let name = self.name(Part::Vertex(corner), front);
            overlap.found.push(x.get(lane), y.get(lane), height.get(lane), name);
        }
    }

    /// A point of the overlap: on the box and on the triangle, both in the frame of the box. Only
    /// that on the box is moved to the rim: the other one would be moved off the triangle by it.
    #[inline]
    pub(super) fn ends(&self, overlap: &Overlap, point: usize) -> [Vec3; 2] {
        let Overlap { found, axis, up } = overlap;
        let (i, j, k) = ((axis + 1) % 3, (axis + 2) % 3, *axis);
        let mut met = Vec3::ZERO;
        (met[i], met[j], met[k]) = (found.xs[point], found.ys[point], self.half[k] * up);
        let on_box = carom_geometry::Vector::clamp(met, -self.half, self.half);
        [on_box, met + self.towards * found.separations[point]]
    }
}
