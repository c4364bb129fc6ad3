//! The axes of a box and one triangle: thirteen, as in [`triangles`](super::triangles), with a lane
//! for every side of the triangle where that module has a lane for every triangle.
//!
//! Everything is in the frame of the box, in which its axes are coordinates. The box comes first in
//! features.

use carom_core::simd::{SimdFloat, f32x4};
use carom_geometry::{Real, Vector};
use glam::Vec3;

use super::search::Axis;
use super::triangles::{FACE, FIRST_CROSS, PARALLEL_SINE_SQUARED, ROUNDING};
use super::{Feature, SatCache, Tolerances};
use crate::support_feature::box_edge;

/// What the axes say of a box and one triangle.
pub(super) enum Nearest {
    /// Farther apart than the speculative distance, or not numbers; the axis is one to try first
    /// the next time.
    Apart(SatCache),
    /// The triangle has hardly any area, and so no normal to speak of.
    NoArea,
    /// The axis that is preferred, in the frame of the box, and the unit normal of the triangle.
    Along(Axis, Vec3),
}

/// Unit normal of a triangle; none if it has hardly any area.
#[inline]
fn plane_of([a, b, c]: &[Vec3; 3]) -> Option<Vec3> {
    let (first, second) = (*b - *a, *c - *b);
    let across = first.cross(second);
    let square = across.length_squared();
    let least = PARALLEL_SINE_SQUARED * (first.length_squared() * second.length_squared());
    if square <= least {
        return None;
    }
    Some(across / Real::sqrt(square))
}

/// The axis of a feature of the box (first) and the triangle with the gap along it, and the normal
/// of the triangle; none if they no longer have that axis.
#[inline]
pub(super) fn known_axis(half: Vec3, corners: &[Vec3; 3], feature: Feature) -> Option<(Axis, Vec3)> {
    let plane = plane_of(corners)?;
    let (normal, separation) = match feature {
        Feature::FaceA(face) if face < 6 => {
            let (axis, is_negative) = (face as usize / 2, face % 2 == 1);
            let normal = if is_negative { -Vec3::AXES[axis] } else { Vec3::AXES[axis] };
            let heights = corners.map(|corner| if is_negative { -corner[axis] } else { corner[axis] });
            (normal, Real::min(heights[0], Real::min(heights[1], heights[2])) - half[axis])
        }
        Feature::FaceB(face) => {
            let normal = if face == 0 { -plane } else { plane };
            (normal, normal.dot(corners[0]) - Vector::abs(normal).dot(half))
        }
        Feature::Edges(edge, side) if edge < 12 && side < 3 => {
            let (axis, side) = (edge as usize / 4, side as usize);
            let (one, two) = ((axis + 1) % 3, (axis + 2) % 3);
            let (from, third) = (corners[side], corners[(side + 2) % 3]);
            let along = corners[(side + 1) % 3] - from;
            let across = Vec3::AXES[axis].cross(along);
            let square = across.length_squared();
            if square <= PARALLEL_SINE_SQUARED * along.length_squared() {
                return None;
            }
            let is_plus = |sign: f32| sign >= 0.0;
            let line = across / Real::sqrt(square);
            let line = if is_plus(line[one]) == (edge & 1 != 0) { line } else { -line };
            // The edge must be what the box turns that way, and the side what the triangle turns to
            // the box.
            let (near, far) = (line.dot(from), line.dot(third));
            let slack = ROUNDING * (Real::abs(near) + Real::abs(far));
            if is_plus(line[two]) != (edge & 2 != 0) || far + slack < near {
                return None;
            }
            (line, near - Vector::abs(line).dot(half))
        }
        _ => return None,
    };
    Some((Axis { cache: SatCache { feature, separation }, normal }, plane))
}

/// The best axis of a box and a triangle in its frame.
pub(super) fn axis_of_one(half: Vec3, corners: &[Vec3; 3], wish: Tolerances) -> Nearest {
    let [a, b, c] = *corners;
    // Most pairs that are apart are so along a face of the box or of the triangle: neither takes a
    // root.
    let mut gaps = [0.0f32; 3];
    for axis in 0..3 {
        let low = Real::min(Real::min(a[axis], b[axis]), c[axis]);
        let high = Real::max(Real::max(a[axis], b[axis]), c[axis]);
        gaps[axis] = Real::max(low, -high) - half[axis];
        if gaps[axis] > wish.speculative_distance {
            let feature = Feature::FaceA(2 * axis as u32 + u32::from(low < -high));
            return Nearest::Apart(SatCache { feature, separation: gaps[axis] });
        }
    }
    let Some(plane) = plane_of(corners) else { return Nearest::NoArea };
    let height = plane.dot(a);
    let mut gap = Real::abs(height) - Vector::abs(plane).dot(half);
    let over = Feature::FaceB(u32::from(height > 0.0));
    if gap > wish.speculative_distance {
        return Nearest::Apart(SatCache { feature: over, separation: gap });
    }
    // Edges must be better than faces by more than rounding too.
    let rounding = ROUNDING * (a.x.abs() + a.y.abs() + a.z.abs() + half.max_element());
    let slop = wish.slop + rounding;
    let (mut code, mut widest) = (FACE, gap);
    for axis in 0..3 {
        widest = Real::max(gaps[axis], widest);
        if gap + slop < gaps[axis] {
            (code, gap) = (axis as u32 + 1, gaps[axis]);
        }
    }
    let (cross_gap, cross_code) = best_cross(half, corners);
    widest = Real::max(cross_gap, widest);
    if gap + slop < cross_gap {
        (code, gap) = (cross_code, cross_gap);
    }
    let (feature, towards) = feature_of(code, corners, plane, over);
    let cache = SatCache { feature, separation: gap };
    // Written so that not-a-number is no hit.
    if widest <= wish.speculative_distance {
        Nearest::Along(Axis { cache, normal: towards }, plane)
    } else {
        Nearest::Apart(cache)
    }
}

/// The widest gap across an edge of each, and its code: a lane for every side of the triangle.
#[inline]
fn best_cross(half: Vec3, [a, b, c]: &[Vec3; 3]) -> (f32, u32) {
    let lanes = |p: &Vec3, q: &Vec3, r: &Vec3| [0, 1, 2].map(|k| f32x4::new([p[k], q[k], r[k], p[k]]));
    let (from, next, third) = (lanes(a, b, c), lanes(b, c, a), lanes(c, a, b));
    let f: [f32x4; 3] = [next[0] - from[0], next[1] - from[1], next[2] - from[2]];
    let half = half.to_array().map(f32x4::splat);
    let parallel = f32x4::splat(PARALLEL_SINE_SQUARED) * (f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
    let least = f32x4::splat(-f32::MAX);
    let (mut best, mut code) = (least, f32x4::splat(FIRST_CROSS as f32));
    for axis in 0..3 {
        let (one, two) = ((axis + 1) % 3, (axis + 2) % 3);
        // The product of the axis with the edge has −f[two] and f[one] at `one` and `two`.
        let along = |v: &[f32x4; 3]| v[two] * f[one] - v[one] * f[two];
        let (q, r) = (along(&from), along(&third));
        let reach = half[one] * f[two].abs() + half[two] * f[one].abs();
        // Only where the side is what the triangle turns to the box: along other perpendiculars the
        // third corner is nearer, and no edges meet.
        let slack = f32x4::splat(ROUNDING) * (q.abs() + r.abs());
        let above = f32x4::select((r + slack).below(q), least, q);
        let below = f32x4::select((q + slack).below(r), least, -q);
        let gap = above.max(below) - reach;
        let length_squared = f[one] * f[one] + f[two] * f[two];
        let is_axis = parallel.below(length_squared);
        let signed_square = f32x4::select(is_axis, gap * gap.abs() / length_squared, least);
        let better = best.below(signed_square);
        best = f32x4::select(better, signed_square, best);
        code = f32x4::select(better, f32x4::splat((FIRST_CROSS + 3 * axis as u32) as f32), code);
    }
    let (best, code) = (best.to_array(), code.to_array());
    let side = if best[1] > best[0] { 1 } else { 0 };
    let side = if best[2] > best[side] { 2 } else { side };
    let root = Real::sqrt(Real::abs(best[side]));
    (if best[side] < 0.0 { -root } else { root }, code[side] as u32 + side as u32)
}

/// The feature of a code and the unit vector from the box to the triangle; `over` is that of the
/// face of the triangle.
#[inline]
fn feature_of(code: u32, corners: &[Vec3; 3], plane: Vec3, over: Feature) -> (Feature, Vec3) {
    if code == FACE {
        return (over, if over == Feature::FaceB(1) { plane } else { -plane });
    }
    if code < FIRST_CROSS {
        let axis = code as usize - 1;
        let heights = corners.map(|corner| corner[axis]);
        let low = Real::min(heights[0], Real::min(heights[1], heights[2]));
        let high = Real::max(heights[0], Real::max(heights[1], heights[2]));
        // The triangle lies behind the box along the axis if it ends before the box ends.
        let is_negative = low + high <= 0.0;
        let towards = if is_negative { -Vec3::AXES[axis] } else { Vec3::AXES[axis] };
        return (Feature::FaceA(2 * axis as u32 + u32::from(is_negative)), towards);
    }
    let (axis, side) = ((code - FIRST_CROSS) as usize / 3, (code - FIRST_CROSS) as usize % 3);
    let across = Vec3::AXES[axis].cross(corners[(side + 1) % 3] - corners[side]);
    let line = across.unit().unwrap_or(plane);
    let [near, far] = [side, (side + 2) % 3].map(|k| line.dot(corners[k]));
    // As in the lanes: the third corner lies behind the side, or both are equally near.
    let slack = ROUNDING * (Real::abs(near) + Real::abs(far));
    let is_negative = near > far + slack || (near < 0.0 && far <= near + slack);
    let towards = if is_negative { -line } else { line };
    let (one, two) = ((axis + 1) % 3, (axis + 2) % 3);
    let edge = box_edge(axis, towards[one] >= 0.0, towards[two] >= 0.0);
    (Feature::Edges(u32::from(edge), side as u32), towards)
}

#[cfg(test)]
mod tests {
    use carom_geometry::primitive::Triangle;
    use carom_geometry::shape::Cuboid;
    use carom_geometry::{Pose, Rotation};

    use super::super::polyhedron::{BoxBody, TriangleBody};
    use super::super::search::{SatScratch, deepest_axis, gap_along};
    use super::*;

    /// Numbers that look random.
    fn numbers(seed: &mut u64) -> f32 {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    }

    /// The axis of one triangle is that of the search over all axes, and is where its feature says.
    #[test]
    fn the_axis_of_one_triangle_is_that_of_a_search() {
        let (mut seed, mut scratch) = (7, SatScratch::default());
        let (mut met, mut apart) = (0, 0);
        let wish = Tolerances::default();
        for case in 0..20_000 {
            let mut vector = || Vec3::new(numbers(&mut seed), numbers(&mut seed), numbers(&mut seed));
            let shape = Cuboid { half: Vector::abs(vector()) };
            let mut corners = [vector(), vector(), vector()];
            if case % 7 == 0 {
                // On a grid: parallel edges and faces, sometimes no area.
                corners = corners.map(|c| (c * 2.0).round() * 0.5);
            }
            let rotation = Rotation::from_rotation_vector(vector() * 3.0);
            let rotation = if case % 3 == 0 { Rotation::IDENTITY } else { rotation };
            let pose = Pose::new(vector(), rotation);
            let triangle = Triangle::new(corners[0], corners[1], corners[2]);
            let (body, other) = (BoxBody::new(&shape), TriangleBody::new(&triangle));
            let slow = deepest_axis(&body, &other, &pose, f32::MAX, 0.0, &mut scratch).cache.separation;
            let posed = triangle.corners().map(|corner| pose.apply(corner));
            match axis_of_one(shape.half, &posed, wish) {
                Nearest::NoArea => assert!(triangle.area_vector().length() < 1e-2),
                Nearest::Apart(_) => {
                    apart += 1;
                    assert!(slow > wish.speculative_distance - 4e-5, "{case}: {slow}");
                }
                Nearest::Along(axis, plane) => {
                    met += 1;
                    let gap = axis.cache.separation;
                    assert!(gap <= slow + 4e-5 && gap >= slow - wish.slop - 4e-5, "{case}: {gap} {slow}");
                    let again = gap_along(&body, &other, &pose, axis.cache.feature);
                    let (normal, again) = again.expect("the axis of a hit exists");
                    assert!((normal - axis.normal).length() < 1e-3, "{case}: {axis:?} {normal}");
                    assert!((again - gap).abs() < 4e-5, "{case}: {axis:?} {again}");
                    let (known, same) =
                        known_axis(shape.half, &posed, axis.cache.feature).expect("it was found just now");
                    assert!((known.cache.separation - gap).abs() < 4e-5 && same == plane, "{case}");
                    assert!((known.normal - axis.normal).length() < 1e-3, "{case}: {known:?} {axis:?}");
                }
            }
        }
        assert!(met > 5000 && apart > 2000, "{met} {apart}");
    }
}
