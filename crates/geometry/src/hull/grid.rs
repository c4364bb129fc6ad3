//! The points as whole numbers, and the exact answer to "on which side?".
//!
//! The box round the points is moved to the origin and scaled by a power of two so that its longest
//! half side is between 2³⁹ and 2⁴⁰; then coordinates are rounded to integers. A determinant of
//! three differences fits 128 bits: differences have 41 bits, products 82, minors 83, the
//! determinant 126. The rounding is at most 2⁻⁴⁰ of the longest half side, far below the tolerance
//! in `f32`; in `f64` it is what bounds the tolerance from below.
//!
//! Coordinates are kept as `f64`, which holds such integers exactly. With them, the distance of a
//! point from a plane is off by less than [`NOISE`], so only distances closer to zero than that
//! need integers.

use glam::DVec3;

use super::HullError;
use crate::real::{Real, Vector};

/// Bound of the rounding error of [`Plane::height`], in steps of the grid. The normal of a triangle
/// that is not slim is off by 2⁻⁴⁹, over a distance of up to 2⁴² steps; everything else adds a
/// fifth of that.
pub(super) const NOISE: f64 = 0.03;

/// Coordinates reach at most 2⁴⁰ steps.
const REACH_EXPONENT: i32 = 40;

/// Least tolerance, in steps of the grid.
const LEAST_TOLERANCE: f64 = 16.0;

/// Factor of the default tolerance on ε (|x| + |y| + |z|).
///
/// A coordinate is off by ε/2 of itself, a point by up to 0.9 ε. The plane of three corners of a
/// rectangle misses the fourth by four times that, and polygons with many corners by somewhat more.
const TOLERANCE_FACTOR: f64 = 6.0;

/// Points on the integer grid.
pub(super) struct Grid {
    /// Whole numbers of magnitude at most 2⁴⁰.
    pub(super) points: Vec<DVec3>,
    /// Corners deeper than this below a plane are not in it, in steps.
    pub(super) merge: f64,
    /// Points higher than this above a plane are outside, in steps.
    pub(super) outside: f64,
    /// Two powers of two whose product turns lengths into steps: one alone could overflow.
    scale: [f64; 2],
}

impl Grid {
    pub(super) fn new<V: Vector>(points: &[V], least_tolerance: f64) -> Result<Self, HullError> {
        let limit = (u32::MAX / 8) as usize;
        if points.len() > limit {
            return Err(HullError::TooMany { count: points.len(), limit });
        }
        let (mut low, mut high) = (DVec3::splat(f64::INFINITY), DVec3::splat(f64::NEG_INFINITY));
        let mut sum = DVec3::ZERO;
        for p in points {
            let p = p.to::<f64>();
            (low, high) = (Vector::min(low, p), Vector::max(high, p));
            sum += p * 0.0;
        }
        // Zero times anything that is not finite is NaN: one look at the end instead of three at
        // every point.
        if sum != DVec3::ZERO {
            return Err(first_not_finite(points));
        }
        let largest = V::Scalar::MAX.to_f64() / 8.0;
        if Vector::max(-low, high).max_element() > largest {
            return Err(first_too_large(points, largest));
        }
        if points.len() < 4 {
            return Err(HullError::TooFew { count: points.len() });
        }
        let half_size = (high * 0.5 - low * 0.5).max_element();
        if half_size == 0.0 {
            return Err(HullError::Coincident { extent: 0.0, tolerance: least_tolerance });
        }
        let exponent = REACH_EXPONENT - 1 - exponent_of(half_size);
        let scale = [power_of_two(exponent / 2), power_of_two(exponent - exponent / 2)];
        // Below the normal numbers, rounding is no longer relative.
        let least = DVec3::splat(V::Scalar::MIN_POSITIVE.to_f64());
        let magnitude = Vector::max(Vector::max(low.abs(), high.abs()), least) * scale[0] * scale[1];
        let rounding = V::Scalar::EPSILON.to_f64() * (magnitude.x + magnitude.y + magnitude.z);
        let merge = Real::max(
            Real::max(TOLERANCE_FACTOR * rounding, least_tolerance * scale[0] * scale[1]),
            LEAST_TOLERANCE,
        );
        let mut grid = Self { points: Vec::new(), merge, outside: merge * 0.5, scale };
        let extent = 2.0 * half_size * scale[0] * scale[1];
        if extent <= merge {
            return Err(HullError::Coincident { extent: grid.length(extent), tolerance: grid.tolerance() });
        }
        let centre = low * 0.5 + high * 0.5;
        grid.points = points
            .iter()
            .map(|p| {
                let steps = (p.to::<f64>() - centre) * scale[0] * scale[1];
                DVec3::new(rounded(steps.x), rounded(steps.y), rounded(steps.z))
            })
            .collect();
        Ok(grid)
    }

    /// A number of steps in units of the input.
    pub(super) fn length(&self, steps: f64) -> f64 {
        steps / self.scale[0] / self.scale[1]
    }

    /// The tolerance t in units of the input.
    pub(super) fn tolerance(&self) -> f64 {
        self.length(self.merge)
    }

    /// The point of an index.
    #[inline]
    pub(super) fn at(&self, index: u32) -> DVec3 {
        self.points[index as usize]
    }

    /// Is the point `d` strictly on the side from which `a`, `b`, `c` run counter-clockwise? Exact.
    pub(super) fn is_above(&self, [a, b, c]: [u32; 3], d: u32) -> bool {
        let origin = self.at(a);
        let normal = exact_cross(self.at(b) - origin, self.at(c) - origin);
        let to = whole(self.at(d) - origin);
        let determinant: i128 = (0..3).map(|k| normal[k] * i128::from(to[k])).sum();
        determinant > 0
    }

    /// The plane of three points that are not on a line, its normal on the side from which they run
    /// counter-clockwise.
    pub(super) fn plane(&self, [a, b, c]: [u32; 3]) -> Plane {
        let origin = self.at(a);
        let (u, v) = (self.at(b) - origin, self.at(c) - origin);
        let mut normal = u.cross(v);
        // Rounding is relative to the product of the lengths: in slim triangles it would turn the
        // normal.
        if normal.length_squared() < SLIM * u.length_squared() * v.length_squared() {
            normal = DVec3::from_array(exact_cross(u, v).map(|c| c as f64));
        }
        // At most 2¹⁶⁷: no overflow. Integers that are not all zero: no underflow.
        let normal = normal / normal.length();
        Plane { normal, offset: normal.dot(origin) }
    }
}

/// Square of the sine of the angle below which normals are computed with integers.
const SLIM: f64 = 1.0 / 16.0;

/// A plane in steps of the grid.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plane {
    /// Outward unit normal.
    pub(super) normal: DVec3,
    /// Its height above the origin.
    pub(super) offset: f64,
}

impl Plane {
    /// Height of a point above the plane.
    #[inline]
    pub(super) fn height(&self, p: DVec3) -> f64 {
        self.normal.x * p.x + self.normal.y * p.y + self.normal.z * p.z - self.offset
    }
}

fn whole(v: DVec3) -> [i64; 3] {
    [v.x as i64, v.y as i64, v.z as i64]
}

fn exact_cross(u: DVec3, v: DVec3) -> [i128; 3] {
    let (u, v) = (whole(u).map(i128::from), whole(v).map(i128::from));
    [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
}

/// The nearest whole number, for magnitudes up to 2⁵⁰: adding 1.5 · 2⁵² leaves no bits for the
/// fraction.
fn rounded(x: f64) -> f64 {
    const SHIFT: f64 = 6_755_399_441_055_744.0;
    (x + SHIFT) - SHIFT
}

/// The e with 2^e ≤ x < 2^(e + 1), for positive finite x.
fn exponent_of(x: f64) -> i32 {
    let stored = |x: f64| (x.to_bits() >> 52) as i32 & 0x7FF;
    if stored(x) > 0 {
        stored(x) - 1023
    } else {
        // Below the normal numbers; 2⁶⁰ lifts all of them.
        stored(x * power_of_two(60)) - 1023 - 60
    }
}

/// 2^e for −1022 ≤ e ≤ 1023.
fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

fn first_not_finite<V: Vector>(points: &[V]) -> HullError {
    let (index, axis, value) = first_coordinate(points, |value| !value.is_finite());
    HullError::NotFinite { index, axis, value }
}

fn first_too_large<V: Vector>(points: &[V], limit: f64) -> HullError {
    let (index, axis, value) = first_coordinate(points, |value| value.abs() > limit);
    HullError::TooLarge { index, axis, value, limit }
}

/// Point, axis and value of the first coordinate that is wanted; there is one.
fn first_coordinate<V: Vector>(points: &[V], is_wanted: impl Fn(f64) -> bool) -> (usize, usize, f64) {
    let all = points.iter().enumerate().flat_map(|(i, p)| (0..3).map(move |k| (i, k, p[k].to_f64())));
    all.into_iter().find(|&(_, _, value)| is_wanted(value)).unwrap_or((0, 0, 0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_two_and_exponents_are_inverse() {
        for e in -1022..=1023 {
            let x = power_of_two(e);
            assert_eq!(exponent_of(x), e);
            assert_eq!(exponent_of(x * 1.5), e);
        }
        assert_eq!(exponent_of(f64::from_bits(1)), -1074);
        assert_eq!(exponent_of(f64::MAX), 1023);
    }

    #[test]
    fn the_longest_half_side_has_forty_bits() {
        for size in [1e-300, 1e-30, 0.7, 1.0, 3e9, 1e307] {
            let points = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z].map(|p| (p * 2.0 - 1.0) * size);
            let grid = Grid::new(&points, 0.0).unwrap();
            let largest = grid.points.iter().map(|p| p.abs().max_element()).fold(0.0, f64::max);
            assert!((2f64.powi(39)..=2f64.powi(40)).contains(&largest), "{size}: {largest}");
            assert!((grid.length(largest) / size - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn sides_are_exact_where_floating_point_is_not() {
        // Four points nearly in a plane, far from the origin: the last differs by one step.
        let far = 2f64.powi(40);
        let points = [
            DVec3::new(-far, -far, -far),
            DVec3::new(far, far - 1.0, far),
            DVec3::new(far - 3.0, far, far - 1.0),
            DVec3::new(0.0, 0.0, 0.0),
        ];
        let grid = Grid { points: points.to_vec(), merge: 16.0, outside: 8.0, scale: [1.0, 1.0] };
        // By hand, the determinant is det[(2f, 2f − 1, 2f), (2f − 3, 2f, 2f − 1), (f, f, f)] with f
        // = 2⁴⁰.
        let f = 1i128 << 40;
        let rows = [[2 * f, 2 * f - 1, 2 * f], [2 * f - 3, 2 * f, 2 * f - 1], [f, f, f]];
        let minor =
            |r: usize, s: usize, i: usize, j: usize| rows[r][i] * rows[s][j] - rows[r][j] * rows[s][i];
        let determinant =
            rows[0][0] * minor(1, 2, 1, 2) - rows[0][1] * minor(1, 2, 0, 2) + rows[0][2] * minor(1, 2, 0, 1);
        assert_eq!(grid.is_above([0, 1, 2], 3), determinant > 0);
        assert_eq!(grid.is_above([0, 2, 1], 3), determinant < 0);
        assert!(!grid.is_above([0, 1, 2], 1));
    }
}
