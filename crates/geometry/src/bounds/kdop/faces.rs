//! The faces of a k-DOP as polygons: each plane, cut by all other slabs.
//!
//! Quadratic in the number of faces, and without any topology that rounding could break: a plane
//! that only touches the rest leaves a polygon without area. In `f64`, relative to the centre of
//! the box.

use glam::DVec3;

use super::Kdop;
use crate::real::{Real, Vector};

pub(super) struct Faces {
    /// What the corners are relative to; inside the volume or near it.
    pub(super) centre: DVec3,
    pub(super) polygons: Vec<Face>,
}

pub(super) struct Face {
    /// Corners in order; none if the plane does not touch the volume.
    pub(super) corners: Vec<DVec3>,
    /// Unit normal, outwards.
    normal: DVec3,
    /// Distance of the plane from the centre.
    pub(super) distance: f64,
}

impl Face {
    pub(super) fn area(&self) -> f64 {
        let Some(&first) = self.corners.first() else { return 0.0 };
        let fan = self.corners.windows(2).map(|w| (w[0] - first).cross(w[1] - first));
        (fan.sum::<DVec3>().dot(self.normal) * 0.5).abs()
    }
}

impl Faces {
    pub(super) fn new<const K2: usize, S: Real>(dop: &Kdop<K2, S>) -> Self {
        if !dop.is_valid() || !dop.aabb().centre().is_finite() {
            return Self { centre: DVec3::ZERO, polygons: Vec::new() };
        }
        let aabb = dop.aabb();
        let centre: DVec3 = (aabb.low().to::<f64>() + aabb.high().to::<f64>()) * 0.5;
        let reach = (aabb.high().to::<f64>() - aabb.low().to::<f64>()).length();
        // Both half-spaces of each slab, relative to the centre.
        let planes: Vec<(DVec3, f64)> = (0..K2)
            .flat_map(|k| {
                let d = DVec3::from_array(Kdop::<K2, S>::DIRECTIONS[k].map(f64::from));
                let at = d.dot(centre);
                [(d, dop.max[k].to_f64() - at), (-d, at - dop.min[k].to_f64())]
            })
            .collect();
        let polygons = (0..planes.len()).map(|i| face(&planes, i, reach)).collect();
        Self { centre, polygons }
    }
}

/// The part of plane `i` that lies in all slabs but its own.
fn face(planes: &[(DVec3, f64)], i: usize, reach: f64) -> Face {
    let (direction, offset) = planes[i];
    let length = direction.length();
    let (normal, distance) = (direction / length, offset / length);
    let (u, v) = Vector::frame(normal);
    let (middle, size) = (normal * distance, 2.0 * reach);
    let mut corners = vec![
        middle - u * size - v * size,
        middle + u * size - v * size,
        middle + u * size + v * size,
        middle - u * size + v * size,
    ];
    let mut kept = Vec::new();
    for (j, (d, limit)) in planes.iter().enumerate() {
        if j / 2 != i / 2 {
            clip(&corners, *d, *limit, &mut kept);
            std::mem::swap(&mut corners, &mut kept);
        }
    }
    Face { corners, normal, distance }
}

/// The part of a polygon with `d · p ≤ limit` (Sutherland and Hodgman).
fn clip(corners: &[DVec3], d: DVec3, limit: f64, kept: &mut Vec<DVec3>) {
    kept.clear();
    for (k, &p) in corners.iter().enumerate() {
        let q = corners[(k + 1) % corners.len()];
        let (a, b) = (d.dot(p) - limit, d.dot(q) - limit);
        if a <= 0.0 {
            kept.push(p);
        }
        if (a < 0.0 && b > 0.0) || (a > 0.0 && b < 0.0) {
            kept.push(p + (q - p) * (a / (a - b)));
        }
    }
}
