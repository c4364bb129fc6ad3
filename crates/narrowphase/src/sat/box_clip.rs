//! The face of one box clipped to the face of another, four edges at a time.
//!
//! In the frame of the reference box its face is a rectangle along the axes, and what lies above it
//! is found without branches: the four edges of the incident face are cut to two slabs side by side
//! in four lanes, then the four corners of the reference are looked up in the coordinates of the
//! incident face. Compared with cutting a polygon side by side this takes a third of the time, and
//! gives the same points in another order.

use carom_core::simd::{SimdFloat, f32x4};
use carom_geometry::{Matrix3, Pose, Real};
use glam::Vec3;

use crate::manifold::{Candidates, FeatureId, Manifold, ManifoldPoint, Part};
use crate::support_feature::{box_edge, box_face_names};

/// Coordinates in the incident face up to which corners of the reference count: those on its rim
/// are met by its edges.
const WITHIN: f32 = 1.0 - 2e-6;

/// How far outside of the reference edges are still met, in units of both faces: more than corners
/// are left out by, so that none falls between the two. Points are moved to the rim afterwards.
const BEYOND: f32 = 4e-6;

/// A face of a box: its axis and side.
#[derive(Clone, Copy)]
struct Face {
    axis: usize,
    is_positive: bool,
}

impl Face {
    fn number(self) -> u16 {
        (self.axis * 2) as u16 + u16::from(!self.is_positive)
    }
}

/// The contact above the face of `reference` along `axis` that looks at the box `incident`, whose
/// axes and centre in the frame of the reference are `rotation` and `shift`. The reference is the
/// second shape if `is_second`; `pose` is the pose of the second shape in the frame of the first.
pub(super) fn face_contact_of_boxes(
    (reference, incident): (Vec3, Vec3),
    (rotation, shift): (&Matrix3<f32>, Vec3),
    (axis, is_positive): (usize, bool),
    is_second: bool,
    pose: (&Pose, &Matrix3<f32>),
    speculative_distance: f32,
    previous: &Manifold,
) -> Manifold {
    let up = if is_positive { 1.0 } else { -1.0 };
    let face = Face { axis, is_positive };
    let (i, j, k) = ((axis + 1) % 3, (axis + 2) % 3, axis);
    // The incident face looks down most.
    let down = rotation.columns.map(|column| column[k] * up);
    let steep = down.map(Real::abs);
    let m =
        if steep[0] >= steep[1] && steep[0] >= steep[2] { 0 } else { 1 + usize::from(steep[2] > steep[1]) };
    let other = Face { axis: m, is_positive: down[m] < 0.0 };
    let (m1, m2) = ((m + 1) % 3, (m + 2) % 3);
    let half_m = if other.is_positive { incident[m] } else { -incident[m] };
    let centre = shift + rotation.columns[m] * half_m;
    let (e1, e2) = (rotation.columns[m1] * incident[m1], rotation.columns[m2] * incident[m2]);
    let names = box_face_names(other.number());
    let corners: [Vec3; 4] = {
        let (sum, difference) = (e1 + e2, e1 - e2);
        if other.is_positive {
            [centre - sum, centre + difference, centre + sum, centre - difference]
        } else {
            [centre - sum, centre - difference, centre + sum, centre + difference]
        }
    };
    let lanes = |axis: usize| f32x4::from_fn(|lane| corners[lane][axis]);
    let next = |axis: usize| f32x4::from_fn(|lane| corners[(lane + 1) % 4][axis]);
    let (u, v, w) = (lanes(i), lanes(j), lanes(k) * f32x4::splat(up) - f32x4::splat(reference[k]));
    let end_w = next(k) * f32x4::splat(up) - f32x4::splat(reference[k]);
    let (du, dv, dw) = (next(i) - u, next(j) - v, end_w - w);
    let beyond = BEYOND * (reference[i] + reference[j] + incident[m1] + incident[m2]);
    let (in_u, out_u) = slab(u, du, reference[i] + beyond);
    let (in_v, out_v) = slab(v, dv, reference[j] + beyond);
    let zero = f32x4::splat(0.0);
    let one = f32x4::splat(1.0);
    let (start, end) = (in_u.max(in_v).max(zero), out_u.min(out_v).min(one));
    let is_there = start.at_most(end);
    let speculative_distance_lanes = f32x4::splat(speculative_distance);
    let (start_w, stop_w) = (w + dw * start, w + dw * end);
    let starts = f32x4::bits(is_there & start_w.at_most(speculative_distance_lanes));
    let ends = f32x4::bits(
        is_there & end.below(one) & start.below(end) & stop_w.at_most(speculative_distance_lanes),
    );
    let mut found = Candidates::<16>::new();
    let side = |of_u: bool, is_plus: bool| {
        if of_u { box_edge(j, is_positive, is_plus) } else { box_edge(i, is_plus, is_positive) }
    };
    let id = |of_reference: Part, of_incident: Part| {
        if is_second {
            FeatureId::new(of_incident, of_reference)
        } else {
            FeatureId::new(of_reference, of_incident)
        }
    };
    for lane in 0..4 {
        let edge = Part::Edge(names.1[lane]);
        if starts >> lane & 1 == 1 {
            let t = start.get(lane);
            let feature = if t == 0.0 {
                id(Part::Face(face.number()), Part::Vertex(names.0[lane]))
            } else {
                // Entered through the slab that was reached last, on the side that it comes from.
                let of_u = in_u.get(lane) >= in_v.get(lane);
                let speed = if of_u { du.get(lane) } else { dv.get(lane) };
                id(Part::Edge(side(of_u, speed < 0.0)), edge)
            };
            let at = (u.get(lane) + du.get(lane) * t, v.get(lane) + dv.get(lane) * t);
            found.push(at.0, at.1, start_w.get(lane), feature);
        }
        if ends >> lane & 1 == 1 {
            let t = end.get(lane);
            let of_u = out_u.get(lane) <= out_v.get(lane);
            let speed = if of_u { du.get(lane) } else { dv.get(lane) };
            let at = (u.get(lane) + du.get(lane) * t, v.get(lane) + dv.get(lane) * t);
            found.push(at.0, at.1, stop_w.get(lane), id(Part::Edge(side(of_u, speed > 0.0)), edge));
        }
    }
    // Corners of the reference over the incident face: in units of e1 and e2, by Cramer's rule.
    let area = e1[i] * e2[j] - e1[j] * e2[i];
    if Real::abs(area) > 0.0 {
        let x =
            f32x4::new([-reference[i], reference[i], -reference[i], reference[i]]) - f32x4::splat(centre[i]);
        let y =
            f32x4::new([-reference[j], -reference[j], reference[j], reference[j]]) - f32x4::splat(centre[j]);
        let inverse = f32x4::splat(1.0 / area);
        let p = (x * f32x4::splat(e2[j]) - y * f32x4::splat(e2[i])) * inverse;
        let q = (y * f32x4::splat(e1[i]) - x * f32x4::splat(e1[j])) * inverse;
        let height = f32x4::splat(centre[k] * up - reference[k])
            + p * f32x4::splat(e1[k] * up)
            + q * f32x4::splat(e2[k] * up);
        let within = f32x4::splat(WITHIN);
        let corners =
            p.abs().below(within) & q.abs().below(within) & height.at_most(speculative_distance_lanes);
        let corners = f32x4::bits(corners);
        for lane in (0..4).filter(|lane| corners >> lane & 1 == 1) {
            let (is_u, is_v) = (lane & 1 == 1, lane & 2 == 2);
            let name = u16::from(is_positive) << k | u16::from(is_u) << i | u16::from(is_v) << j;
            let feature = id(Part::Vertex(name), Part::Face(other.number()));
            let at = |is_plus: bool, half: f32| if is_plus { half } else { -half };
            found.push(at(is_u, reference[i]), at(is_v, reference[j]), height.get(lane), feature);
        }
    }
    let mut ids = [FeatureId(0); Manifold::CAPACITY];
    let chosen = found.reduced(previous.features(&mut ids));
    let (pose, matrix) = pose;
    let mut along = Vec3::ZERO;
    along[k] = up;
    let mut manifold = Manifold::new(if is_second { -matrix.times(along) } else { along });
    for &c in chosen.indices() {
        let c = usize::from(c);
        let separation = found.separations[c];
        let mut below = Vec3::ZERO;
        below[i] = Real::clamp(found.xs[c], -reference[i], reference[i]);
        below[j] = Real::clamp(found.ys[c], -reference[j], reference[j]);
        below[k] = reference[k] * up;
        let mut above = below;
        above[k] = (reference[k] + separation) * up;
        let (on_a, on_b) = if is_second {
            (matrix.times(above) + pose.translation, below)
        } else {
            (below, matrix.transposed_times(above - pose.translation))
        };
        manifold.push(ManifoldPoint { on_a, on_b, separation, feature: found.ids[c] });
    }
    manifold
}

/// The range of parameters in which `from + t · by` is at most `half` from 0. Empty or everything
/// where nothing moves.
#[inline]
pub(super) fn slab(from: f32x4, by: f32x4, half: f32) -> (f32x4, f32x4) {
    let half = f32x4::splat(half);
    let infinite = f32x4::splat(f32::MAX);
    let moves = f32x4::splat(f32::MIN_POSITIVE).below(by.abs());
    let inverse = f32x4::splat(1.0) / f32x4::select(moves, by, f32x4::splat(1.0));
    let (a, b) = ((-half - from) * inverse, (half - from) * inverse);
    let inside = from.abs().at_most(half);
    let still = f32x4::select(inside, -infinite, infinite);
    (f32x4::select(moves, a.min(b), still), f32x4::select(moves, a.max(b), -still))
}
