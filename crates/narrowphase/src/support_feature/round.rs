//! Support features of spheres, capsules, ellipsoids, cylinders and cones.

use carom_geometry::shape::{Capsule, Cone, Cylinder, Ellipsoid, Sphere, Support};
use carom_geometry::{Real, Vector};
use glam::Vec3;

use super::{SupportFeature, SupportFeatureMap};

impl SupportFeatureMap for Sphere {
    #[inline]
    fn support_feature(&self, direction: Vec3, support_feature: &mut SupportFeature) {
        support_feature.start(0, unit_or_up(direction));
        support_feature.radius = self.radius;
        support_feature.push(Vec3::ZERO, 0, 0);
    }
}

impl SupportFeatureMap for Ellipsoid {
    #[inline]
    fn support_feature(&self, direction: Vec3, support_feature: &mut SupportFeature) {
        support_feature.start(0, unit_or_up(direction));
        support_feature.push(self.support(direction), 0, 0);
    }
}

impl SupportFeatureMap for Capsule {
    #[inline]
    fn support_feature(&self, direction: Vec3, support_feature: &mut SupportFeature) {
        support_feature.start(0, unit_or_up(direction));
        support_feature.radius = self.radius;
        segment(support_feature, [self.segment.a, self.segment.b], 0);
    }
}

/// Corners of an octagon in a circle of radius 1: multiples of 45°.
const OCTAGON: [(f32, f32); 8] = {
    const D: f32 = std::f32::consts::FRAC_1_SQRT_2;
    [(1.0, 0.0), (D, D), (0.0, 1.0), (-D, D), (-1.0, 0.0), (-D, -D), (0.0, -1.0), (D, -D)]
};

/// Square of the cosine above which a direction looks at a round end rather than at the wall: 45°.
pub(crate) const END_COSINE_SQUARED: f32 = 0.5;

/// A round end at this height, as an octagon; a point if the radius is zero.
fn round_end(support_feature: &mut SupportFeature, radius: f32, height: f32, is_top: bool) {
    support_feature.start(u16::from(is_top), if is_top { Vec3::Z } else { -Vec3::Z });
    if radius == 0.0 {
        support_feature.push(Vec3::new(0.0, 0.0, height), 0, 0);
        return;
    }
    let first = u16::from(is_top) * 8;
    for k in 0..8u16 {
        let (corner, side) = if is_top { (k, k) } else { ((8 - k) % 8, 7 - k) };
        let (x, y) = OCTAGON[usize::from(corner)];
        support_feature.push(Vec3::new(x * radius, y * radius, height), first + corner, first + side);
    }
}

/// A segment that may be a point.
#[inline]
fn segment(support_feature: &mut SupportFeature, [a, b]: [Vec3; 2], name: u16) {
    support_feature.push(a, name, name);
    if a != b {
        support_feature.push(b, name + 1, name);
    }
}

impl SupportFeatureMap for Cylinder {
    fn support_feature(&self, direction: Vec3, support_feature: &mut SupportFeature) {
        let across_squared = direction.x * direction.x + direction.y * direction.y;
        let along_squared = direction.z * direction.z;
        // Not-a-number and null directions look at an end as well.
        let is_wall = along_squared < END_COSINE_SQUARED * (along_squared + across_squared);
        if !is_wall {
            let is_top = direction.z >= 0.0;
            round_end(
                support_feature,
                self.radius,
                if is_top { self.half_length } else { -self.half_length },
                is_top,
            );
            return;
        }
        support_feature.start(2, unit_or_up(direction));
        let rim = self.support(direction);
        let ends = [-self.half_length, self.half_length].map(|z| Vec3::new(rim.x, rim.y, z));
        segment(support_feature, ends, 16);
        support_feature.wall = [self.radius; 2];
    }
}

impl SupportFeatureMap for Cone {
    fn support_feature(&self, direction: Vec3, support_feature: &mut SupportFeature) {
        let across_squared = direction.x * direction.x + direction.y * direction.y;
        let along_squared = direction.z * direction.z;
        let is_base =
            direction.z < 0.0 && along_squared >= END_COSINE_SQUARED * (along_squared + across_squared);
        if is_base {
            round_end(support_feature, self.radius, -self.half_length, false);
            return;
        }
        support_feature.start(2, unit_or_up(direction));
        let tip = Vec3::new(0.0, 0.0, self.half_length);
        // The line of the wall below the direction, from the rim to the tip.
        match Vec3::new(direction.x, direction.y, 0.0).unit() {
            Some(out) => {
                segment(
                    support_feature,
                    [Vec3::new(out.x * self.radius, out.y * self.radius, -self.half_length), tip],
                    16,
                );
                // The wall curves across its line about a point of the axis.
                let (radius, length) = (self.radius, 2.0 * self.half_length);
                let steepness = Real::sqrt(radius * radius + length * length) / length;
                support_feature.wall = [if length > 0.0 { radius * steepness } else { 0.0 }, 0.0];
            }
            None => support_feature.push(tip, 17, 16),
        }
    }
}

#[inline]
fn unit_or_up(direction: Vec3) -> Vec3 {
    direction.unit().unwrap_or(Vec3::Y)
}
