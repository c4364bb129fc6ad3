//! Points and rays against the planes of all faces, eight faces at a time: the face that a point is
//! highest above, and rays, which are cut by the half-space of every face (Cyrus and Beck).

use super::support::{WIDTH, folded};
use super::{FaceId, Polytope};
use crate::primitive::{Plane, Ray, RayHit};
use crate::real::{Real, Vector};
use crate::shape::RayCast;

/// The planes of faces by coordinate (x, y and z of the normal, offset), filled up with the last
/// one to whole blocks.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PlaneLanes<S: Real> {
    blocks: Vec<[[S; WIDTH]; 4]>,
}

impl<S: Real> PlaneLanes<S> {
    pub(super) fn new(planes: &[Plane<S>]) -> Self {
        let block = |chunk: &[Plane<S>]| {
            let at = |lane: usize| {
                let plane = chunk[lane.min(chunk.len() - 1)];
                let [x, y, z] = plane.normal.to_array();
                [x, y, z, plane.offset]
            };
            std::array::from_fn(|k| std::array::from_fn(|lane| at(lane)[k]))
        };
        Self { blocks: planes.chunks(WIDTH).map(block).collect() }
    }
}

impl<S: Real> Polytope<S> {
    /// The planes of all faces eight by eight: arrays of x, y and z of the normals and of the
    /// offsets. The last block is filled up with the last plane. For code that looks at all faces
    /// at once.
    #[inline]
    #[must_use]
    pub fn plane_blocks(&self) -> &[[[S; WIDTH]; 4]] {
        &self.plane_lanes.blocks
    }

    /// The face whose plane a point is highest above, the lowest number of equals, and the height:
    /// the depth with a minus for points inside, at most the distance for points outside.
    #[must_use]
    pub fn highest_face(&self, point: S::Vec3) -> (FaceId, S) {
        let [x, y, z] = point.to_array();
        let mut best = [S::NEG_INFINITY; WIDTH];
        // The block of the best. Exact up to 2²⁴ blocks.
        let mut at = [S::ZERO; WIDTH];
        let mut number = S::ZERO;
        for [xs, ys, zs, offsets] in &self.plane_lanes.blocks {
            for lane in 0..WIDTH {
                let height = xs[lane] * x + ys[lane] * y + zs[lane] * z - offsets[lane];
                let is_better = height > best[lane];
                best[lane] = if is_better { height } else { best[lane] };
                at[lane] = if is_better { number } else { at[lane] };
            }
            number += S::ONE;
        }
        let highest = folded(best, Real::max);
        let lanes = (0..WIDTH).filter(|&lane| best[lane] == highest);
        let face = lanes.map(|lane| at[lane].to_f64() as usize * WIDTH + lane).min().unwrap_or(0);
        // What fills the last block is a copy of the last face.
        (FaceId(face.min(self.planes.len() - 1) as u32), highest)
    }
}

impl<S: Real> RayCast<S> for Polytope<S> {
    /// The polytope is solid: a ray that starts inside or on the surface (behind or in the plane of
    /// every face) meets it at once. A ray that runs in the plane of a face meets it. Of several
    /// faces met at once, the first gives the normal.
    fn cast_ray(&self, ray: &Ray<S>, max: S) -> Option<RayHit<S>> {
        let ([ox, oy, oz], [dx, dy, dz]) = (ray.origin.to_array(), ray.direction.to_array());
        let mut enter = [S::NEG_INFINITY; WIDTH];
        let mut leave = [S::INFINITY; WIDTH];
        // The block of the face entered last. Exact up to 2²⁴ blocks.
        let mut at = [S::ZERO; WIDTH];
        // Least depth of the origin below a plane, and least among the planes that the ray does not
        // come nearer to.
        let mut depth_of_all = [S::INFINITY; WIDTH];
        let mut depth_of_passed = [S::INFINITY; WIDTH];
        let mut number = S::ZERO;
        for [xs, ys, zs, offsets] in &self.plane_lanes.blocks {
            for lane in 0..WIDTH {
                // Where the ray crosses the plane: n·o + t n·d = offset.
                let depth = offsets[lane] - (xs[lane] * ox + ys[lane] * oy + zs[lane] * oz);
                let slope = xs[lane] * dx + ys[lane] * dy + zs[lane] * dz;
                let t = depth / slope;
                let coming = if slope < S::ZERO { t } else { S::NEG_INFINITY };
                let going = if slope > S::ZERO { t } else { S::INFINITY };
                let passed = if slope < S::ZERO { S::INFINITY } else { depth };
                let is_later = coming > enter[lane];
                at[lane] = if is_later { number } else { at[lane] };
                enter[lane] = if is_later { coming } else { enter[lane] };
                leave[lane] = Real::min(going, leave[lane]);
                depth_of_all[lane] = Real::min(depth, depth_of_all[lane]);
                depth_of_passed[lane] = Real::min(passed, depth_of_passed[lane]);
            }
            number += S::ONE;
        }
        let least = |lanes: [S; WIDTH]| folded(lanes, Real::min);
        let is_usable = max >= S::ZERO && ray.origin.is_finite() && ray.direction.is_finite();
        if !is_usable || least(depth_of_passed) < S::ZERO {
            return None;
        }
        if least(depth_of_all) >= S::ZERO {
            return Some(RayHit::inside());
        }
        let last = folded(enter, Real::max);
        // Rounding may put the entry of a ray that starts just outside just behind it.
        let t = Real::max(last, S::ZERO);
        if t > Real::min(least(leave), max) {
            return None;
        }
        let faces = (0..WIDTH).filter(|&lane| enter[lane] == last);
        let face = faces.map(|lane| at[lane].to_f64() as usize * WIDTH + lane).min()?;
        Some(RayHit { t, normal: self.planes[face.min(self.planes.len() - 1)].normal })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_highest_face_is_the_first_of_all_that_are_highest(
            point in prop::array::uniform3(-3.0f64..3.0),
            sides in 3usize..40,
        ) {
            let (prism, point) = (Polytope::<f64>::prism(sides, 2.0, 1.0).unwrap(), glam::DVec3::from(point));
            let heights: Vec<f64> = prism.planes().iter().map(|p| p.signed_distance(point)).collect();
            let (face, height) = prism.highest_face(point);
            let highest = heights.iter().fold(f64::MIN, |m, &h| m.max(h));
            prop_assert_eq!(height, highest);
            prop_assert_eq!(heights.iter().position(|&h| h == highest), Some(face.index()));
        }
    }
}
