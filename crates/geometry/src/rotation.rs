//! Rotations: unit quaternions and 3×3 matrices, in either precision.
//!
//! The types are our own rather than glam's `Quat` and `Mat3`: glam groups the sums of a quaternion
//! as the platform's SIMD unit likes them, which gives other bits elsewhere, and its feature that
//! turns this off would do so for the whole program of a user. `From` converts both ways.

use std::ops::Mul;

use crate::real::{Real, Vector};

/// A rotation as a unit quaternion `xyz·i + w`.
///
/// ```
/// use carom_geometry::Rotation;
/// use glam::Vec3;
/// let quarter = Rotation::about_axis(Vec3::Z, std::f32::consts::FRAC_PI_2);
/// assert!((quarter.rotate(Vec3::X) - Vec3::Y).length() < 1e-6);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rotation<S: Real = f32> {
    /// Axis times the sine of half the angle.
    pub xyz: S::Vec3,
    /// Cosine of half the angle.
    pub w: S,
}

impl<S: Real> Default for Rotation<S> {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl<S: Real> Rotation<S> {
    /// No rotation.
    pub const IDENTITY: Self = Self { xyz: S::Vec3::ZERO, w: S::ONE };

    /// Rotation of these quaternion components, normalised. `None` if they are all zero or not
    /// finite.
    #[must_use]
    pub fn from_xyzw(q: [S; 4]) -> Option<Self> {
        let largest = q.iter().fold(S::ZERO, |m, c| Real::max(c.abs(), m));
        if !(largest > S::ZERO && q.iter().all(|c| c.is_finite())) {
            return None;
        }
        let q = q.map(|c| c / largest);
        Some(Self { xyz: S::Vec3::new(q[0], q[1], q[2]), w: q[3] }.normalised())
    }

    /// Components x, y, z, w.
    #[must_use]
    pub fn to_xyzw(self) -> [S; 4] {
        let [x, y, z] = self.xyz.to_array();
        [x, y, z, self.w]
    }

    /// Rotation by `angle` radians about the unit vector `axis`, counter-clockwise seen from its
    /// tip.
    #[must_use]
    pub fn about_axis<V>(axis: V, angle: S) -> Self
    where
        V: Vector<Scalar = S>,
        S: Real<Vec3 = V>,
    {
        let (sine, cosine) = Real::sin_cos(angle * S::HALF);
        Self { xyz: axis * sine, w: cosine }
    }

    /// The rotation whose axis is `v` and whose angle is its length: what a constant angular
    /// velocity does in unit time.
    #[must_use]
    pub fn from_rotation_vector<V>(v: V) -> Self
    where
        V: Vector<Scalar = S>,
        S: Real<Vec3 = V>,
    {
        match v.unit() {
            Some(axis) => Self::about_axis(axis, v.length()).normalised(),
            None => Self::IDENTITY,
        }
    }

    /// The shortest rotation that takes the unit vector `from` to the unit vector `to`.
    #[must_use]
    pub fn between<V>(from: V, to: V) -> Self
    where
        V: Vector<Scalar = S>,
        S: Real<Vec3 = V>,
    {
        // from × (from + to) = from × to, but the sum is exact for nearly opposite vectors, so
        // nothing cancels.
        let sum = from + to;
        let square = sum.dot(sum);
        if square > S::of(16.0) * S::EPSILON * S::EPSILON {
            Self { xyz: from.cross(sum), w: square * S::HALF }.normalised()
        } else {
            // Opposite: half a turn about any perpendicular axis.
            Self { xyz: from.frame().0, w: S::ZERO }
        }
    }

    /// The same rotation with its length brought back to 1 after rounding errors have piled up.
    #[must_use]
    pub fn normalised(self) -> Self {
        let length = (self.xyz.dot(self.xyz) + self.w * self.w).sqrt();
        if length > S::ZERO { Self { xyz: self.xyz / length, w: self.w / length } } else { Self::IDENTITY }
    }

    /// The opposite rotation.
    #[inline]
    #[must_use]
    pub fn inverse(self) -> Self {
        Self { xyz: -self.xyz, w: self.w }
    }

    /// Rotates a vector.
    #[inline]
    #[must_use]
    pub fn rotate(self, v: S::Vec3) -> S::Vec3 {
        let t = self.xyz.cross(v) * S::TWO;
        v + t * self.w + self.xyz.cross(t)
    }

    /// Rotates a vector the opposite way.
    #[inline]
    #[must_use]
    pub fn rotate_back(self, v: S::Vec3) -> S::Vec3 {
        let t = self.xyz.cross(v) * S::TWO;
        v - t * self.w + self.xyz.cross(t)
    }

    /// The same rotation as a matrix: cheaper when it turns more than two vectors.
    #[inline]
    #[must_use]
    pub fn to_matrix(self) -> Matrix3<S> {
        let (w, v) = (self.w, self.xyz);
        let d = v * S::TWO;
        let (xx, yy, zz) = (v.x() * d.x(), v.y() * d.y(), v.z() * d.z());
        let (xy, xz, yz) = (v.x() * d.y(), v.x() * d.z(), v.y() * d.z());
        let (wx, wy, wz) = (w * d.x(), w * d.y(), w * d.z());
        let one = S::ONE;
        Matrix3 {
            columns: [
                S::Vec3::new(one - (yy + zz), xy + wz, xz - wy),
                S::Vec3::new(xy - wz, one - (xx + zz), yz + wx),
                S::Vec3::new(xz + wy, yz - wx, one - (xx + yy)),
            ],
        }
    }

    /// The rotation of a rotation matrix (Shepperd's method: the largest component first).
    #[must_use]
    pub fn from_matrix(m: &Matrix3<S>) -> Self {
        let at = |row: usize, column: usize| m.columns[column][row];
        let trace = at(0, 0) + at(1, 1) + at(2, 2);
        let diagonal = [at(0, 0), at(1, 1), at(2, 2)];
        let best = (0..3).fold(0, |b, i| if diagonal[i] > diagonal[b] { i } else { b });
        if trace > diagonal[best] {
            let xyz = S::Vec3::new(at(2, 1) - at(1, 2), at(0, 2) - at(2, 0), at(1, 0) - at(0, 1));
            return Self { xyz, w: S::ONE + trace }.normalised();
        }
        let (i, j, k) = (best, (best + 1) % 3, (best + 2) % 3);
        let mut xyz = S::Vec3::ZERO;
        xyz[i] = S::ONE + at(i, i) - at(j, j) - at(k, k);
        xyz[j] = at(i, j) + at(j, i);
        xyz[k] = at(i, k) + at(k, i);
        Self { xyz, w: at(k, j) - at(j, k) }.normalised()
    }

    /// Angle of the rotation by the shorter way round, in [0, π].
    #[must_use]
    pub fn angle(self) -> S {
        S::TWO * Real::atan2(self.xyz.length(), self.w.abs())
    }

    /// Axis times angle by the shorter way round: the constant angular velocity that turns this far
    /// in unit time. Its length is at most π; of the two vectors of a half turn it is the one along
    /// `xyz`.
    ///
    /// ```
    /// use carom_geometry::Rotation;
    /// use glam::Vec3;
    /// let v = Vec3::new(0.3, -0.2, 0.1);
    /// let back = Rotation::<f32>::from_rotation_vector(v).to_rotation_vector();
    /// assert!((back - v).length() < 1e-6);
    /// ```
    #[must_use]
    pub fn to_rotation_vector(self) -> S::Vec3 {
        let (xyz, w) = if self.w < S::ZERO { (-self.xyz, -self.w) } else { (self.xyz, self.w) };
        let square = xyz.dot(xyz);
        // Here the arc tangent equals its argument, and for smaller vectors the square would
        // underflow.
        let tiny = S::MIN_POSITIVE / (S::EPSILON * S::EPSILON);
        if square < tiny {
            return xyz * (S::TWO / w);
        }
        let sine = square.sqrt();
        xyz * (S::TWO * Real::atan2(sine, w) / sine)
    }

    /// `to` or its negative, which is the same rotation: the one at an acute angle to this
    /// quaternion.
    #[inline]
    fn on_the_near_side(self, to: Self) -> Self {
        let cosine = self.xyz.dot(to.xyz) + self.w * to.w;
        if cosine < S::ZERO { Self { xyz: -to.xyz, w: -to.w } } else { to }
    }

    /// Part `t` of the way to another rotation by the shorter way round, at constant angular
    /// velocity: 0 gives this rotation, 1 the other, and numbers outside [0, 1] continue the
    /// motion.
    ///
    /// ```
    /// use carom_geometry::Rotation;
    /// use glam::Vec3;
    /// let quarter = Rotation::about_axis(Vec3::Z, std::f32::consts::FRAC_PI_2);
    /// let third = Rotation::slerp(Rotation::IDENTITY, quarter, 1.0 / 3.0);
    /// assert!((third.angle() - std::f32::consts::FRAC_PI_6).abs() < 1e-6);
    /// ```
    #[must_use]
    pub fn slerp(self, to: Self, t: S) -> Self {
        let to = self.on_the_near_side(to);
        // From chord and its perpendicular: accurate at both ends, unlike the arc cosine of the
        // product.
        let length = |x: S::Vec3, w: S| (x.dot(x) + w * w).sqrt();
        let chord = length(to.xyz - self.xyz, to.w - self.w);
        let angle = S::TWO * Real::atan2(chord, length(to.xyz + self.xyz, to.w + self.w));
        if angle * angle < S::EPSILON {
            // Arc and chord agree to rounding; between equal rotations the sines below would both
            // be zero.
            return self.blend(to, S::ONE - t, t);
        }
        let (from_part, _) = Real::sin_cos((S::ONE - t) * angle);
        let (to_part, _) = Real::sin_cos(t * angle);
        self.blend(to, from_part, to_part)
    }

    /// Part `t` of the way to another rotation by the shorter way round, along the chord: cheaper
    /// than [`slerp`](Self::slerp) on the same path, but faster in its middle than at its ends.
    #[must_use]
    pub fn nlerp(self, to: Self, t: S) -> Self {
        self.blend(self.on_the_near_side(to), S::ONE - t, t)
    }

    fn blend(self, to: Self, from_part: S, to_part: S) -> Self {
        Self { xyz: self.xyz * from_part + to.xyz * to_part, w: self.w * from_part + to.w * to_part }
            .normalised()
    }

    /// The same rotation in the other precision, normalised again.
    #[must_use]
    pub fn to<T: Real>(self) -> Rotation<T> {
        Rotation { xyz: self.xyz.to::<T>(), w: T::of(self.w.to_f64()) }.normalised()
    }
}

/// First the right rotation, then the left one.
impl<S: Real> Mul for Rotation<S> {
    type Output = Self;

    #[inline]
    fn mul(self, o: Self) -> Self {
        Self {
            xyz: o.xyz * self.w + self.xyz * o.w + self.xyz.cross(o.xyz),
            w: self.w * o.w - self.xyz.dot(o.xyz),
        }
    }
}

// check: allow(float) components are copied, nothing is computed with glam's quaternion
impl From<glam::Quat> for Rotation {
    // check: allow(float) as above
    fn from(q: glam::Quat) -> Self {
        Self { xyz: glam::Vec3::new(q.x, q.y, q.z), w: q.w }
    }
}

// check: allow(float) components are copied, nothing is computed with glam's quaternion
impl From<Rotation> for glam::Quat {
    fn from(r: Rotation) -> Self {
        Self::from_xyzw(r.xyz.x, r.xyz.y, r.xyz.z, r.w)
    }
}

/// A 3×3 matrix by columns. As a rotation, the columns are the turned coordinate axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Matrix3<S: Real = f32> {
    /// Images of the unit vectors.
    pub columns: [S::Vec3; 3],
}

impl<S: Real> Matrix3<S> {
    /// The matrix that changes nothing.
    pub const IDENTITY: Self = Self { columns: S::Vec3::AXES };
    /// The matrix that maps everything to the origin.
    pub const ZERO: Self = Self { columns: [S::Vec3::ZERO; 3] };

    /// Matrix with these values on its diagonal.
    #[must_use]
    pub fn diagonal(d: S::Vec3) -> Self {
        let [x, y, z] = S::Vec3::AXES;
        Self { columns: [x * d.x(), y * d.y(), z * d.z()] }
    }

    /// Matrix times vector.
    #[inline]
    #[must_use]
    pub fn times(&self, v: S::Vec3) -> S::Vec3 {
        self.columns[0] * v.x() + self.columns[1] * v.y() + self.columns[2] * v.z()
    }

    /// Transposed matrix times vector; for a rotation, the inverse rotation.
    #[inline]
    #[must_use]
    pub fn transposed_times(&self, v: S::Vec3) -> S::Vec3 {
        S::Vec3::new(self.columns[0].dot(v), self.columns[1].dot(v), self.columns[2].dot(v))
    }

    /// Rows become columns.
    #[inline]
    #[must_use]
    pub fn transposed(&self) -> Self {
        Self { columns: [self.row(0), self.row(1), self.row(2)] }
    }

    /// Row `index`.
    #[inline]
    #[must_use]
    pub fn row(&self, index: usize) -> S::Vec3 {
        S::Vec3::new(self.columns[0][index], self.columns[1][index], self.columns[2][index])
    }

    /// Absolute entries: maps half extents of a box to the half extents of the axis-aligned box
    /// around the turned one.
    #[inline]
    #[must_use]
    pub fn abs(&self) -> Self {
        Self { columns: self.columns.map(Vector::abs) }
    }

    /// Every entry times `factor`.
    #[inline]
    #[must_use]
    pub fn scaled(&self, factor: S) -> Self {
        Self { columns: self.columns.map(|c| c * factor) }
    }

    /// Sum of two matrices.
    #[inline]
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        Self { columns: std::array::from_fn(|k| self.columns[k] + other.columns[k]) }
    }

    /// Determinant.
    #[must_use]
    pub fn determinant(&self) -> S {
        self.columns[0].dot(self.columns[1].cross(self.columns[2]))
    }

    /// Inverse, or `None` if the determinant is zero or not finite.
    #[must_use]
    pub fn inverse(&self) -> Option<Self> {
        let [a, b, c] = self.columns;
        let determinant = self.determinant();
        if determinant == S::ZERO || !determinant.is_finite() {
            return None;
        }
        let rows = [b.cross(c) / determinant, c.cross(a) / determinant, a.cross(b) / determinant];
        let inverse = Self { columns: rows }.transposed();
        inverse.columns.iter().all(|c| c.is_finite()).then_some(inverse)
    }

    /// The same matrix in the other precision, rounded.
    #[must_use]
    pub fn to<T: Real>(&self) -> Matrix3<T> {
        Matrix3 { columns: self.columns.map(Vector::to::<T>) }
    }
}

impl<S: Real> Mul for Matrix3<S> {
    type Output = Self;

    #[inline]
    fn mul(self, other: Self) -> Self {
        Self { columns: other.columns.map(|c| self.times(c)) }
    }
}

/// [`Real::rotated_half_extents`] for any scalar.
#[inline]
pub(crate) fn rotated_half_extents<S: Real>([x, y, z, w]: [S; 4], half: [S; 3]) -> [S; 3] {
    let rotation = Rotation { xyz: S::Vec3::new(x, y, z), w };
    rotation.to_matrix().abs().times(S::Vec3::from_array(half)).to_array()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    use glam::DVec3;
    use proptest::prelude::*;

    fn rotation() -> impl Strategy<Value = Rotation<f64>> {
        prop::array::uniform4(-1.0f64..1.0).prop_filter_map("null quaternion", Rotation::from_xyzw)
    }

    fn vector() -> impl Strategy<Value = DVec3> {
        prop::array::uniform3(-10.0f64..10.0).prop_map(DVec3::from)
    }

    proptest! {
        #[test]
        fn quaternion_and_matrix_turn_alike(r in rotation(), v in vector()) {
            prop_assert!((r.rotate(v) - r.to_matrix().times(v)).length() < 1e-12);
            prop_assert!((r.rotate_back(r.rotate(v)) - v).length() < 1e-12);
            prop_assert!((r.to_matrix().transposed_times(r.rotate(v)) - v).length() < 1e-12);
            prop_assert!((r.rotate(v).length() - v.length()).abs() < 1e-12);
        }

        #[test]
        fn matrices_give_their_rotation_back(r in rotation(), v in vector()) {
            prop_assert!((Rotation::from_matrix(&r.to_matrix()).rotate(v) - r.rotate(v)).length() < 1e-11);
        }

        #[test]
        fn products_apply_the_right_factor_first(a in rotation(), b in rotation(), v in vector()) {
            prop_assert!(((a * b).rotate(v) - a.rotate(b.rotate(v))).length() < 1e-11);
            let m = a.to_matrix() * b.to_matrix();
            prop_assert!((m.times(v) - a.rotate(b.rotate(v))).length() < 1e-11);
        }

        #[test]
        fn between_takes_one_direction_to_the_other(a in vector(), b in vector()) {
            let (Some(a), Some(b)) = (a.unit(), b.unit()) else { return Ok(()) };
            prop_assert!((Rotation::<f64>::between(a, b).rotate(a) - b).length() < 1e-7);
            prop_assert!((Rotation::<f64>::between(a, -a).rotate(a) + a).length() < 1e-7);
        }

        #[test]
        fn rotation_vectors_come_back(axis in vector(), angle in 0.1f64..PI, small in -45i32..1) {
            let Some(axis) = axis.unit() else { return Ok(()) };
            for angle in [angle, angle * 2f64.powi(small), PI - angle * 2f64.powi(small)] {
                let v = axis * angle;
                let r = Rotation::<f64>::from_rotation_vector(v);
                prop_assert!((r.to_rotation_vector() - v).length() <= 2e-15 * angle);
                prop_assert!((r.angle() - angle).abs() <= 2e-15 * angle);
                // The negative quaternion is the same rotation.
                let other = Rotation { xyz: -r.xyz, w: -r.w };
                prop_assert!((other.to_rotation_vector() - r.to_rotation_vector()).length() <= 1e-14);
                prop_assert_eq!(other.angle(), r.angle());
            }
        }

        #[test]
        fn slerp_turns_evenly_by_the_shorter_way(a in rotation(), b in rotation(), t in 0.0f64..1.0) {
            let whole = (a.inverse() * b).to_rotation_vector();
            let there = Rotation::slerp(a, b, t);
            // The slow twin: a, then part of the rotation vector that leads from a to b, in the
            // frame of a.
            let twin = a * Rotation::from_rotation_vector(whole * t);
            for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
                prop_assert!((there.rotate(axis) - twin.rotate(axis)).length() < 1e-13);
            }
            // The chord stays in the same plane and is never ahead by more than half a step.
            let chord = (a.inverse() * Rotation::nlerp(a, b, t)).to_rotation_vector();
            prop_assert!(chord.cross(whole).length() < 1e-13);
            prop_assert!((chord.dot(whole) / whole.length_squared() - t).abs() < 0.1);
        }

        #[test]
        fn nearly_equal_rotations_are_interpolated_too(r in rotation(), v in vector(), small in 10i32..60) {
            let v = v * 0.1 * 2f64.powi(-small);
            let other = r * Rotation::from_rotation_vector(v);
            let half = (r.inverse() * Rotation::slerp(r, other, 0.5)).to_rotation_vector();
            prop_assert!((half - v * 0.5).length() <= 1e-15, "{} {}", half, v);
            let (r, other) = (r.to::<f32>(), other.to::<f32>());
            let half = Rotation::slerp(r, other, 0.5);
            prop_assert!((half.xyz - r.xyz).length() <= 1e-6 + 0.1 * 2f32.powi(3 - small));
        }

        #[test]
        fn inverse_matrices_undo(c in prop::array::uniform3(vector()), v in vector()) {
            let m = Matrix3::<f64> { columns: c };
            let Some(inverse) = m.inverse() else { return Ok(()) };
            let scale = c.iter().map(|c| c.length()).fold(1.0, f64::max);
            let bound = 1e-13 * scale.powi(6) / m.determinant().abs();
            prop_assert!((inverse.times(m.times(v)) - v).length() <= bound * 10.0);
        }
    }

    #[test]
    fn interpolation_ends_where_it_should() {
        let a = Rotation::<f32>::about_axis(glam::Vec3::X, 0.4);
        let b = Rotation::<f32>::about_axis(glam::Vec3::new(0.0, 0.6, 0.8), 2.9);
        for step in [Rotation::slerp, Rotation::nlerp] {
            assert!(
                (step(a, b, 0.0).xyz - a.xyz).length() < 1e-6
                    && (step(a, b, 1.0).xyz - b.xyz).length() < 1e-6
            );
            assert!((step(a, a, 0.7).xyz - a.xyz).length() < 1e-6 && (step(b, b, 0.2).w - b.w).abs() < 1e-6);
        }
        // A half turn apart: some shortest way, and no NaN.
        let half = Rotation::<f32>::about_axis(glam::Vec3::Z, std::f32::consts::PI);
        assert!(
            (Rotation::slerp(Rotation::IDENTITY, half, 0.5).angle() - std::f32::consts::FRAC_PI_2).abs()
                < 1e-6
        );
        assert_eq!(Rotation::<f32>::IDENTITY.to_rotation_vector(), glam::Vec3::ZERO);
        let tiny = glam::Vec3::new(1e-30, -2e-35, 1e-44);
        assert_eq!(Rotation::<f32> { xyz: tiny, w: 1.0 }.to_rotation_vector(), tiny * 2.0);
    }

    #[test]
    fn bad_quaternions_are_refused_and_odd_ones_normalised() {
        assert_eq!(Rotation::<f32>::from_xyzw([0.0; 4]), None);
        assert_eq!(Rotation::<f32>::from_xyzw([f32::NAN, 0.0, 0.0, 1.0]), None);
        let huge = Rotation::<f32>::from_xyzw([0.0, 0.0, 0.0, 1e30]).unwrap();
        assert_eq!(huge, Rotation::IDENTITY);
    }

    #[test]
    fn glam_turns_the_same_way() {
        let r = Rotation::<f32>::about_axis(glam::Vec3::new(0.6, 0.0, 0.8), 1.1);
        let v = glam::Vec3::new(1.0, -2.0, 0.5);
        assert!((glam::Quat::from(r) * v - r.rotate(v)).length() < 1e-6);
        assert_eq!(Rotation::from(glam::Quat::from(r)), r);
    }
}
