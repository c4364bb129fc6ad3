//! Rays against triangles without gaps between neighbours.
//!
//! The corners are seen along the ray and flattened, so that the ray becomes the origin of a plane;
//! a triangle is hit if the origin lies on the same side of its three edges (Woop, Benthin and
//! Wald, "Watertight Ray/Triangle Intersection"). Here the flattening runs in `f64` and its result
//! is rounded to 24 bits, after which the sides are decided exactly: products of two such numbers
//! fit `f64`, and a difference of two numbers has the right sign. Since a corner flattens the same
//! way in every triangle, the flattened triangles meet as the real ones do. No ray slips through a
//! shared edge or corner, whatever its direction. The rounding moves corners by at most 2⁻²⁴ of
//! their distance from the ray.

use glam::{DVec3, Vec3};

use crate::primitive::{Ray, RayHit};
use crate::real::Vector;

/// Where a ray meets a surface of triangles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TriangleHit {
    /// The point is `ray.at(t)`.
    pub t: f32,
    /// Unit normal of the triangle, towards the origin of the ray.
    pub normal: Vec3,
    /// Its number in the mesh or height field.
    pub triangle: u32,
    /// True if the ray met the front, from whose side the corners run counter-clockwise.
    pub front: bool,
}

impl From<TriangleHit> for RayHit {
    fn from(hit: TriangleHit) -> Self {
        Self { t: hit.t, normal: hit.normal }
    }
}

/// A ray prepared for tests against many triangles.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WatertightRay {
    origin: DVec3,
    direction: DVec3,
    /// The axis the ray runs along most, and the two others.
    along: usize,
    sideways: [usize; 2],
    /// How far the ray moves sideways per unit along.
    shear: [f64; 2],
}

/// A corner in the plane across a ray, rounded to 24 bits, and how far along it lies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flat(f64, f64, f64);

impl WatertightRay {
    /// `None` if a number is not finite or the direction is null.
    #[inline]
    pub(crate) fn new(ray: &Ray) -> Option<Self> {
        if !(Vector::is_finite(ray.origin) && Vector::is_finite(ray.direction)) || ray.direction == Vec3::ZERO
        {
            return None;
        }
        let direction: DVec3 = ray.direction.to::<f64>();
        let along = direction.largest_axis();
        let sideways = [(along + 1) % 3, (along + 2) % 3];
        Some(Self {
            origin: ray.origin.to::<f64>(),
            direction,
            along,
            sideways,
            shear: sideways.map(|k| direction[k] / direction[along]),
        })
    }

    /// A corner as the ray sees it.
    #[inline]
    pub(crate) fn flatten(&self, corner: Vec3) -> Flat {
        let p = corner.to::<f64>() - self.origin;
        let z = p[self.along];
        Flat(
            round24(p[self.sideways[0]] - self.shear[0] * z),
            round24(p[self.sideways[1]] - self.shear[1] * z),
            z,
        )
    }

    /// The time at which the ray meets the triangle, if `0 ≤ t ≤ max`. A triangle seen edge-on is
    /// not met.
    #[inline]
    pub(crate) fn meet(&self, corners: [Vec3; 3], max: f32) -> Option<f32> {
        self.meet_flat(corners.map(|corner| self.flatten(corner)), max)
    }

    /// The same for corners that are flat already.
    #[inline]
    pub(crate) fn meet_flat(&self, [a, b, c]: [Flat; 3], max: f32) -> Option<f32> {
        let u = c.0 * b.1 - c.1 * b.0;
        let v = a.0 * c.1 - a.1 * c.0;
        let w = b.0 * a.1 - b.1 * a.0;
        if (u < 0.0 || v < 0.0 || w < 0.0) && (u > 0.0 || v > 0.0 || w > 0.0) {
            return None;
        }
        let total = u + v + w;
        let t = (u * a.2 + v * b.2 + w * c.2) / (total * self.direction[self.along]);
        // NaN, from a triangle seen edge-on, fails both comparisons.
        let t32 = t as f32;
        (t >= 0.0 && t32 <= max).then_some(t32)
    }

    /// The full description of a hit at `t`.
    pub(crate) fn describe(&self, corners: [Vec3; 3], t: f32, triangle: u32) -> TriangleHit {
        // A triangle that is hit has an area.
        let normal = unit_normal(corners).unwrap_or(DVec3::ZERO);
        let front = normal.dot(self.direction) <= 0.0;
        TriangleHit { t, normal: if front { normal } else { -normal }.to::<f32>(), triangle, front }
    }
}

/// Unit normal of a triangle in `f64`, where that of no `f32` triangle over- or underflows; `None`
/// without area.
#[inline]
pub(crate) fn unit_normal(corners: [Vec3; 3]) -> Option<DVec3> {
    let [a, b, c] = corners.map(Vector::to::<f64>);
    let normal = (b - a).cross(c - a);
    let length = normal.length();
    // One division instead of three: what that loses is far below the resolution of `f32`.
    (length > 0.0).then(|| normal * (1.0 / length))
}

/// The nearest number with 24 significant bits (Veltkamp's splitting).
#[inline]
fn round24(x: f64) -> f64 {
    const FACTOR: f64 = ((1u64 << 29) + 1) as f64;
    let c = x * FACTOR;
    c - (c - x)
}

/// The nearest hit among several; of equal ones the lowest number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nearest {
    pub(crate) t: f32,
    pub(crate) triangle: u32,
}

impl Nearest {
    /// Nothing yet; hits up to `max` count.
    #[inline]
    pub(crate) fn none(max: f32) -> Self {
        Self { t: max, triangle: u32::MAX }
    }

    /// Takes a hit into account; true if it is the nearest so far.
    #[inline]
    pub(crate) fn offer(&mut self, t: f32, triangle: u32) -> bool {
        let nearer = t < self.t || t == self.t && triangle < self.triangle;
        if nearer {
            *self = Self { t, triangle };
        }
        nearer
    }

    pub(crate) fn found(&self) -> bool {
        self.triangle != u32::MAX
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ray(origin: [f32; 3], direction: [f32; 3]) -> WatertightRay {
        WatertightRay::new(&Ray::new(origin.into(), direction.into())).unwrap()
    }

    const ABC: [Vec3; 3] = [Vec3::ZERO, Vec3::X, Vec3::Y];

    #[test]
    fn both_sides_are_hit_and_the_normal_faces_the_ray() {
        for (z, front) in [(2.0, true), (-2.0, false)] {
            let ray = ray([0.25, 0.25, z], [0.0, 0.0, -z]);
            let t = ray.meet(ABC, 10.0).unwrap();
            assert_eq!(t, 1.0);
            let hit = ray.describe(ABC, t, 7);
            assert_eq!((hit.normal, hit.front, hit.triangle), (Vec3::Z * f32::signum(z), front, 7));
        }
    }

    #[test]
    fn corners_and_edges_belong_to_the_triangle_and_nothing_beyond() {
        for (x, y, inside) in [(0.0, 0.0, true), (0.5, 0.5, true), (1.0, 0.0, true), (-1e-7, 0.5, false)] {
            assert_eq!(ray([x, y, 1.0], [0.0, 0.0, -1.0]).meet(ABC, 10.0).is_some(), inside, "{x} {y}");
        }
        let ahead = ray([0.2, 0.2, 1.0], [0.0, 0.0, -1.0]);
        assert_eq!(ahead.meet(ABC, 0.99), None, "too far");
        assert_eq!(ray([0.2, 0.2, 1.0], [0.0, 0.0, 1.0]).meet(ABC, 10.0), None, "behind");
        assert_eq!(ray([-1.0, 0.2, 0.0], [1.0, 0.0, 0.0]).meet(ABC, 10.0), None, "edge-on");
        assert_eq!(ahead.meet([Vec3::X; 3], 10.0), None, "a point is not met");
    }

    #[test]
    fn useless_rays_are_refused() {
        for (o, d) in [(0.0, 0.0), (f32::NAN, 1.0), (0.0, f32::INFINITY)] {
            assert!(WatertightRay::new(&Ray::new(Vec3::splat(o), Vec3::splat(d))).is_none());
        }
    }

    proptest! {
        #[test]
        fn rounding_keeps_24_bits(x in any::<f32>(), y in -1.0f64..1.0) {
            prop_assume!(x.is_finite());
            prop_assert_eq!(round24(f64::from(x)), f64::from(x), "an f32 is kept");
            prop_assert_eq!(round24(y), f64::from(y as f32), "rounds as f32 does");
        }

        /// Around a corner of a closed fan, every ray hits.
        #[test]
        fn a_closed_fan_has_no_gap(
            corners in prop::collection::vec(prop::array::uniform2(0.1f32..1.0), 3..9),
            hub in prop::array::uniform3(-1.0f32..1.0),
            sideways in prop::array::uniform2(-2.0f32..2.0),
            above in 4.0f32..10.0,
            below in any::<bool>(),
            place in 0usize..64,
            part in 0.0f32..1.0,
        ) {
            let n = corners.len();
            let hub = Vec3::from(hub);
            let rim: Vec<Vec3> = corners.iter().enumerate().map(|(k, c)| {
                let (s, co) = (k as f32 / n as f32 * std::f32::consts::TAU).sin_cos();
                hub + Vec3::new(co * (1.0 + c[0]), (c[1] - 0.5) * 0.3, s * (1.0 + c[0]))
            }).collect();
            let origin = hub + Vec3::new(sideways[0], if below { -above } else { above }, sideways[1]);
            // Through the hub, or through a point of a spoke.
            let target = if place < 8 { hub } else { hub + (rim[place % n] - hub) * (part * 0.9) };
            let ray = WatertightRay::new(&Ray::new(origin, target - origin)).unwrap();
            let hits = (0..n).filter(|k| ray.meet([hub, rim[*k], rim[(k + 1) % n]], 10.0).is_some()).count();
            prop_assert!(hits > 0);
        }
    }
}
