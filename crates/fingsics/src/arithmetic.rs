//! The arithmetic of Fingsics, operation for operation.
//!
//! Its published results come back row for row only if every rounding is the same, so the stages of
//! its simulation do their sums with these functions and nothing else: `f32` in the written order,
//! no fused multiply-add, no re-association, lengths through squares that are formed and summed in
//! `f64`, correctly rounded sine and cosine. `glam` vectors hold the numbers; its component-wise `+
//! − × ÷` round exactly like the scalar operations.
//!
//! Only this crate uses these functions: the engine has arithmetic of its own.

use carom_core::trig::sin_cos;
use glam::Vec3;

/// Components smaller than this count as zero.
pub(crate) const EPS: f32 = 1e-4;
/// Squared distances and pivots smaller than this count as zero.
pub(crate) const SMALL_EPS: f32 = 1e-5;
/// The mass of a body that nothing can move.
pub(crate) const INFINITE_MASS: f32 = 999_999_999_999.0;

/// `x·x' + y·y' + z·z'`, left to right.
#[inline]
#[must_use]
pub(crate) fn dot(a: Vec3, b: Vec3) -> f32 {
    a.x * b.x + a.y * b.y + a.z * b.z
}

/// Vector product, each component one difference of two products.
#[inline]
#[must_use]
pub(crate) fn cross(a: Vec3, b: Vec3) -> Vec3 {
    Vec3::new(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
}

#[inline]
fn sum_of_squares(v: Vec3) -> f64 {
    let (x, y, z) = (f64::from(v.x), f64::from(v.y), f64::from(v.z));
    x * x + y * y + z * z
}

/// Length: squares, sum and root in `f64`, rounded once.
#[inline]
#[must_use]
pub(crate) fn length(v: Vec3) -> f32 {
    sum_of_squares(v).sqrt() as f32
}

/// Squared length: squares and sum in `f64`, rounded once.
#[inline]
#[must_use]
pub(crate) fn length_squared(v: Vec3) -> f32 {
    sum_of_squares(v) as f32
}

/// The square of a bound as comparisons use it: of the `f32` value, in `f64`.
#[inline]
#[must_use]
pub(crate) fn squared_bound(bound: f32) -> f64 {
    let bound = f64::from(bound);
    bound * bound
}

/// The vector divided by its length, or `None` where Fingsics stops with an error (length zero).
#[inline]
#[must_use]
pub(crate) fn normalised(v: Vec3) -> Option<Vec3> {
    let length = length(v);
    (length != 0.0).then(|| v / length)
}

/// Are all components below [`EPS`] in size?
#[inline]
#[must_use]
pub(crate) fn is_near_zero(v: Vec3) -> bool {
    v.x.abs() < EPS && v.y.abs() < EPS && v.z.abs() < EPS
}

/// Do two unit vectors lie along the same line, to about 0.18 degrees?
#[inline]
#[must_use]
pub(crate) fn is_parallel(a: Vec3, b: Vec3) -> bool {
    length_squared(a - b) < SMALL_EPS || length_squared(a + b) < SMALL_EPS
}

/// Degrees to radians as Fingsics converts them: times π, then divided by 180.
#[inline]
#[must_use]
pub(crate) fn radians(degrees: Vec3) -> Vec3 {
    degrees * std::f32::consts::PI / 180.0
}

/// A 3×3 matrix by rows. Not re-orthonormalised by anything here: drift is part of Fingsics'
/// results.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowMatrix(pub [Vec3; 3]);

impl RowMatrix {
    /// No rotation.
    pub const IDENTITY: Self = Self([Vec3::X, Vec3::Y, Vec3::Z]);

    /// Matrix of its diagonal.
    #[must_use]
    pub fn diagonal(d: Vec3) -> Self {
        Self([Vec3::new(d.x, 0.0, 0.0), Vec3::new(0.0, d.y, 0.0), Vec3::new(0.0, 0.0, d.z)])
    }

    /// `Rz · Ry · Rx` for angles in radians. The zeros and ones of the three factors are left out
    /// of the sums, which changes no bit.
    #[must_use]
    pub fn from_euler(angles: Vec3) -> Self {
        let ((sx, cx), (sy, cy), (sz, cz)) = (sin_cos(angles.x), sin_cos(angles.y), sin_cos(angles.z));
        let (cz_sy, sz_sy) = (cz * sy, sz * sy);
        Self([
            Vec3::new(cz * cy, -sz * cx + cz_sy * sx, sz * sx + cz_sy * cx),
            Vec3::new(sz * cy, cz * cx + sz_sy * sx, cz * -sx + sz_sy * cx),
            Vec3::new(-sy, cy * sx, cy * cx),
        ])
    }

    /// Column `k`.
    #[inline]
    #[must_use]
    pub fn column(&self, k: usize) -> Vec3 {
        Vec3::new(self.0[0][k], self.0[1][k], self.0[2][k])
    }

    /// Rows and columns exchanged.
    #[inline]
    #[must_use]
    pub fn transposed(&self) -> Self {
        Self([self.column(0), self.column(1), self.column(2)])
    }

    /// Matrix times vector: the dot of each row.
    #[inline]
    #[must_use]
    pub fn times_vector(&self, v: Vec3) -> Vec3 {
        Vec3::new(dot(v, self.0[0]), dot(v, self.0[1]), dot(v, self.0[2]))
    }

    /// Matrix times matrix: dots of rows and columns.
    #[inline]
    #[must_use]
    pub fn times(&self, other: &Self) -> Self {
        self.times_transposed(&other.transposed())
    }

    /// Matrix times the transpose of another: dots of rows and rows.
    #[inline]
    #[must_use]
    pub fn times_transposed(&self, other: &Self) -> Self {
        let row = |r: Vec3| Vec3::new(dot(r, other.0[0]), dot(r, other.0[1]), dot(r, other.0[2]));
        Self([row(self.0[0]), row(self.0[1]), row(self.0[2])])
    }

    /// Matrix times a diagonal matrix.
    #[inline]
    #[must_use]
    pub fn times_diagonal(&self, d: Vec3) -> Self {
        Self([self.0[0] * d, self.0[1] * d, self.0[2] * d])
    }

    /// Entry by entry without sign.
    #[inline]
    #[must_use]
    pub fn abs(&self) -> Self {
        Self([self.0[0].abs(), self.0[1].abs(), self.0[2].abs()])
    }

    /// A number added to every entry.
    #[inline]
    #[must_use]
    pub fn plus(&self, number: f32) -> Self {
        Self([self.0[0] + number, self.0[1] + number, self.0[2] + number])
    }

    /// Adjugate times `1 / det`; a singular matrix gives infinities or NaN.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let [[a, b, c], [d, e, f], [g, h, i]] =
            [self.0[0].to_array(), self.0[1].to_array(), self.0[2].to_array()];
        let det = a * (e * i - h * f) - b * (d * i - f * g) + c * (d * h - e * g);
        let inverse_det = 1.0 / det;
        Self([
            Vec3::new(e * i - h * f, c * h - b * i, b * f - c * e) * inverse_det,
            Vec3::new(f * g - d * i, a * i - c * g, d * c - a * f) * inverse_det,
            Vec3::new(d * h - g * e, g * b - a * h, a * e - d * b) * inverse_det,
        ])
    }
}

/// Solves `s·a − t·b + u·c = rhs` by Gaussian elimination with row pivoting: the parameters of the
/// closest points of two lines with directions `a`, `b` and common perpendicular `c`.
///
/// Exactly singular systems give infinities or NaN, which fail every comparison of the callers.
#[must_use]
pub(crate) fn closest_line_parameters(a: Vec3, b: Vec3, c: Vec3, rhs: Vec3) -> [f32; 3] {
    let b = b * -1.0;
    let mut m = [[a.x, b.x, c.x, rhs.x], [a.y, b.y, c.y, rhs.y], [a.z, b.z, c.z, rhs.z]];
    let (mut row, mut column) = (0, 0);
    while row < 3 && column < 4 {
        let mut pivot = row;
        for candidate in row + 1..3 {
            if m[candidate][column].abs() > m[pivot][column].abs() {
                pivot = candidate;
            }
        }
        if m[pivot][column].abs() < SMALL_EPS {
            column += 1;
            continue;
        }
        m.swap(row, pivot);
        let pivot_row = m[row];
        for below in &mut m[row + 1..] {
            let factor = below[column] / pivot_row[column];
            below[column] = 0.0;
            for (entry, above) in below.iter_mut().zip(pivot_row).skip(column + 1) {
                *entry -= above * factor;
            }
        }
        row += 1;
        column += 1;
    }
    let u = m[2][3] / m[2][2];
    let t = (m[1][3] - m[1][2] * u) / m[1][1];
    let s = (m[0][3] - m[0][2] * u - m[0][1] * t) / m[0][0];
    [s, t, u]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_summed_in_f64() {
        // In f32 the squares of the small components vanish beside the large one.
        let v = Vec3::new(4096.0, 0.7, 0.7);
        assert_eq!(length_squared(v), (4096.0f64 * 4096.0 + 2.0 * f64::from(0.7f32).powi(2)) as f32);
        assert_eq!(length(Vec3::new(3.0, 4.0, 12.0)), 13.0);
        assert_eq!(normalised(Vec3::ZERO), None);
    }

    #[test]
    fn euler_matrix_is_the_product_of_its_three_factors() {
        let angles = Vec3::new(0.3, -1.1, 2.5);
        let ((sx, cx), (sy, cy), (sz, cz)) = (sin_cos(angles.x), sin_cos(angles.y), sin_cos(angles.z));
        let rows = |m: [[f32; 3]; 3]| RowMatrix(m.map(Vec3::from));
        let x = rows([[1.0, 0.0, 0.0], [0.0, cx, -sx], [0.0, sx, cx]]);
        let y = rows([[cy, 0.0, sy], [0.0, 1.0, 0.0], [-sy, 0.0, cy]]);
        let z = rows([[cz, -sz, 0.0], [sz, cz, 0.0], [0.0, 0.0, 1.0]]);
        assert_eq!(RowMatrix::from_euler(angles), z.times(&y).times(&x), "to the bit");
    }

    #[test]
    fn inverse_undoes_a_matrix() {
        let m = RowMatrix([Vec3::new(2.0, 1.0, 0.5), Vec3::new(-1.0, 3.0, 0.25), Vec3::new(0.5, -0.5, 4.0)]);
        let one = m.times(&m.inverse());
        for (row, unit) in one.0.iter().zip(RowMatrix::IDENTITY.0) {
            assert!((*row - unit).abs().max_element() < 1e-6);
        }
    }

    #[test]
    fn closest_points_of_crossing_lines() {
        // The x axis and a line along y through (2, 5, 3): closest at s = 2, t = −5, 3 apart.
        let (a, b) = (Vec3::X, Vec3::Y);
        let c = normalised(cross(b, a)).unwrap();
        let [s, t, u] = closest_line_parameters(a, b, c, Vec3::new(2.0, 5.0, 3.0));
        assert_eq!((s, t, u.abs()), (2.0, -5.0, 3.0));
    }

    #[test]
    fn parallel_means_both_directions() {
        assert!(is_parallel(Vec3::X, Vec3::NEG_X));
        assert!(is_parallel(Vec3::X, Vec3::new(1.0, 0.003, 0.0)));
        assert!(!is_parallel(Vec3::X, Vec3::new(1.0, 0.004, 0.0)));
    }
}
