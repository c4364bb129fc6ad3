//! Ellipsoids.

use super::sphere::Sphere;
use super::{Bounded, RayCast, ShapeError, Support, sizes, stretched};
use crate::bounds::Aabb;
use crate::pose::Pose;
use crate::primitive::{Ray, RayHit};
use crate::real::{Real, Vector};

/// Ellipsoid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ellipsoid<S: Real = f32> {
    /// Half-axes along x, y, z.
    pub radii: S::Vec3,
}

impl<S: Real> Ellipsoid<S> {
    /// Ellipsoid of half-axes.
    ///
    /// # Errors
    /// If one is negative or not finite.
    pub fn new<V>(radii: V) -> Result<Self, ShapeError>
    where
        V: Vector<Scalar = S>,
        S: Real<Vec3 = V>,
    {
        Ok(Self { radii: sizes::<S>("ellipsoid", ["half-axis x", "half-axis y", "half-axis z"], radii)? })
    }

    /// Is the local point inside or on the surface?
    #[inline]
    #[must_use]
    pub fn contains_point(&self, point: S::Vec3) -> bool {
        let (p, r) = (point, self.radii);
        if r.min_element() > S::ZERO {
            S::Vec3::new(p.x() / r.x(), p.y() / r.y(), p.z() / r.z()).length_squared() <= S::ONE
        } else {
            self.flat_contains_point(point)
        }
    }

    /// The same with half-axes of length zero, on which the point must not leave the middle.
    #[cold]
    fn flat_contains_point(&self, point: S::Vec3) -> bool {
        let mut square = S::ZERO;
        for axis in 0..3 {
            if self.radii[axis] > S::ZERO {
                let c = point[axis] / self.radii[axis];
                square += c * c;
            } else if point[axis] != S::ZERO {
                return false;
            }
        }
        square <= S::ONE
    }

    /// Volume.
    #[must_use]
    pub fn volume(&self) -> S {
        let r = self.radii;
        S::of(4.0 / 3.0 * std::f64::consts::PI) * r.x() * r.y() * r.z()
    }

    /// Area of the surface; both sides of a flat ellipsoid.
    ///
    /// `4π R_G(a²b², a²c², b²c²)` with Carlson's symmetric integral (DLMF 19.33.1), in `f64`.
    #[must_use]
    pub fn surface_area(&self) -> S {
        let largest = self.radii.max_element().to_f64();
        if largest <= 0.0 {
            return S::ZERO;
        }
        let [a, b, c] = self.radii.to_array().map(|r| r.to_f64() / largest);
        let mean = symmetric_second_kind([a * b, a * c, b * c].map(|product| product * product));
        S::of(4.0 * std::f64::consts::PI * mean * largest * largest)
    }

    /// The same shape in the other precision.
    #[must_use]
    pub fn to<T: Real>(&self) -> Ellipsoid<T> {
        Ellipsoid { radii: self.radii.to::<T>() }
    }
}

/// Carlson's R_G from R_F and R_D (DLMF 19.21.10), both by duplication (DLMF 19.26.18 and
/// 19.26.20).
fn symmetric_second_kind(mut arguments: [f64; 3]) -> f64 {
    arguments.sort_by(f64::total_cmp);
    // With the middle one in the asymmetric place all terms are positive.
    let [x, z, y] = arguments;
    if z <= 0.0 {
        // Two zeros: R_G(0, 0, y) = √y / 2.
        return 0.5 * y.sqrt();
    }
    let (first, second) = symmetric_first_kind_and_derivative(x, y, z);
    0.5 * (z * first + (z - x) * (y - z) / 3.0 * second + (x * y / z).sqrt())
}

/// Carlson's R_F(x, y, z) and R_D(x, y, z): after enough duplications the arguments are equal and
/// the integrals plain powers of them. Differences shrink by 4 each time, and 30 rounds are past
/// the last bit.
fn symmetric_first_kind_and_derivative(mut x: f64, mut y: f64, mut z: f64) -> (f64, f64) {
    let (mut sum, mut weight) = (0.0, 1.0);
    for _ in 0..30 {
        let (a, b, c) = (x.sqrt(), y.sqrt(), z.sqrt());
        let lambda = a * b + a * c + b * c;
        sum += 3.0 * weight / (c * (z + lambda));
        weight *= 0.25;
        (x, y, z) = ((x + lambda) * 0.25, (y + lambda) * 0.25, (z + lambda) * 0.25);
    }
    let root = z.sqrt();
    (1.0 / root, sum + weight / (z * root))
}

impl<S: Real> Support<S> for Ellipsoid<S> {
    #[inline]
    fn support(&self, direction: S::Vec3) -> S::Vec3 {
        stretched(direction * self.radii, S::ONE) * self.radii
    }
}

impl<S: Real> Bounded<S> for Ellipsoid<S> {
    #[inline]
    fn aabb_at(&self, pose: &Pose<S>) -> Aabb<3, S> {
        let [x, y, z] = pose.rotation.to_matrix().columns;
        let (x, y, z) = (x * self.radii.x(), y * self.radii.y(), z * self.radii.z());
        Aabb::around(pose.translation, (x * x + y * y + z * z).map(Real::sqrt))
    }
}

/// A ray at the unit sphere in stretched space. A half-axis of zero is taken as a 10⁻⁷ of the
/// longest (10⁻¹⁵ in `f64`), which is thinner than what the ray's rounding resolves.
impl<S: Real> RayCast<S> for Ellipsoid<S> {
    #[inline]
    fn cast_ray(&self, ray: &Ray<S>, max: S) -> Option<RayHit<S>> {
        let largest = self.radii.max_element();
        if largest <= S::ZERO {
            return Sphere { radius: S::ZERO }.cast_ray(ray, max);
        }
        let radii = Vector::max(self.radii, S::Vec3::splat(largest * S::EPSILON));
        let inverse = radii.map(|r| S::ONE / r);
        let stretched_ray = Ray::new(ray.origin * inverse, ray.direction * inverse);
        let hit = Sphere { radius: S::ONE }.cast_ray(&stretched_ray, max)?;
        Some(RayHit { t: hit.t, normal: (hit.normal * inverse).unit().unwrap_or(S::Vec3::ZERO) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    #[test]
    fn areas_of_spheroids_are_the_textbook_ones() {
        use std::f64::consts::PI;
        let area = |x, y, z| Ellipsoid::<f64> { radii: DVec3::new(x, y, z) }.surface_area();
        assert!((area(2.0, 2.0, 2.0) - 16.0 * PI).abs() < 1e-13 * 50.0);
        // Long: 2πa²(1 + c/(a e) asin e), flat: 2πa²(1 + (1 − e²)/e artanh e).
        let (a, c) = (1.0f64, 3.0f64);
        let e = (1.0 - a * a / (c * c)).sqrt();
        assert!((area(c, a, a) - 2.0 * PI * a * a * (1.0 + c / (a * e) * e.asin())).abs() < 1e-12);
        let (a, c) = (3.0f64, 1.0f64);
        let e = (1.0 - c * c / (a * a)).sqrt();
        assert!((area(a, c, a) - 2.0 * PI * a * a * (1.0 + (1.0 - e * e) / e * e.atanh())).abs() < 1e-12);
        // A flat disc has two sides, a needle none.
        assert!((area(2.0, 0.0, 3.0) - 12.0 * PI).abs() < 1e-12);
        assert_eq!(area(2.0, 0.0, 0.0), 0.0);
        assert_eq!(area(0.0, 0.0, 0.0), 0.0);
    }
}
