//! Principal axes of symmetric 3×3 matrices: inertia tensors and covariances.

use crate::real::{Real, Vector};
use crate::rotation::{Matrix3, Rotation};

/// A symmetric matrix as a rotation of a diagonal one: `axes · diag(values) · axesᵀ`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Principal<S: Real = f32> {
    /// Eigenvalues in ascending order.
    pub values: S::Vec3,
    /// Unit eigenvectors as columns, a right-handed frame.
    pub axes: Matrix3<S>,
}

impl<S: Real> Principal<S> {
    /// The rotation that takes the coordinate axes to the principal axes.
    #[must_use]
    pub fn rotation(&self) -> Rotation<S> {
        Rotation::from_matrix(&self.axes)
    }
}

/// More sweeps than any matrix has been seen to need; Jacobi's method converges quadratically.
const MAX_SWEEPS: usize = 32;

/// Eigenvalues and eigenvectors of a symmetric matrix by Jacobi's rotations. Only the upper
/// triangle is read.
///
/// A matrix that is diagonal already keeps its axes exactly (up to order and sign). The result is
/// finite if the matrix is.
#[must_use]
pub fn principal_axes<S: Real>(matrix: &Matrix3<S>) -> Principal<S> {
    let mut a = [[S::ZERO; 3]; 3];
    for row in 0..3 {
        for column in row..3 {
            a[row][column] = matrix.columns[column][row];
            a[column][row] = a[row][column];
        }
    }
    let mut axes = S::Vec3::AXES;
    for _ in 0..MAX_SWEEPS {
        let mut turned = false;
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            turned |= eliminate(&mut a, &mut axes, p, q);
        }
        if !turned {
            break;
        }
    }
    let mut order = [0, 1, 2];
    // Three elements: a stable exchange sort keeps equal values in the order of their axes.
    for (i, j) in [(0, 1), (1, 2), (0, 1)] {
        if a[order[j]][order[j]] < a[order[i]][order[i]] {
            order.swap(i, j);
        }
    }
    let mut columns = order.map(|k| axes[k]);
    if columns[0].cross(columns[1]).dot(columns[2]) < S::ZERO {
        columns[2] = -columns[2];
    }
    Principal { values: S::Vec3::from_array(order.map(|k| a[k][k])), axes: Matrix3 { columns } }
}

/// Makes the entry (p, q) zero by a rotation in that plane; false if it was negligible.
fn eliminate<S: Real>(a: &mut [[S; 3]; 3], axes: &mut [S::Vec3; 3], p: usize, q: usize) -> bool {
    let off = a[p][q];
    // Too small to change either diagonal entry.
    if off.abs() <= S::EPSILON * S::HALF * Real::min(a[p][p].abs(), a[q][q].abs()) || off == S::ZERO {
        return false;
    }
    let theta = (a[q][q] - a[p][p]) / (S::TWO * off);
    // The smaller root of t² + 2θt − 1 = 0; for a huge θ its square overflows and t becomes 0, as
    // it should.
    let t = theta.sign_of(S::ONE) / (theta.abs() + (theta * theta + S::ONE).sqrt());
    let cosine = S::ONE / (t * t + S::ONE).sqrt();
    let sine = t * cosine;
    a[p][p] -= t * off;
    a[q][q] += t * off;
    a[p][q] = S::ZERO;
    a[q][p] = S::ZERO;
    let r = 3 - p - q;
    let (rp, rq) = (a[r][p], a[r][q]);
    a[r][p] = cosine * rp - sine * rq;
    a[p][r] = a[r][p];
    a[r][q] = sine * rp + cosine * rq;
    a[q][r] = a[r][q];
    let (u, v) = (axes[p], axes[q]);
    axes[p] = u * cosine - v * sine;
    axes[q] = u * sine + v * cosine;
    t != S::ZERO
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DVec3, Vec3};
    use proptest::prelude::*;

    fn rebuilt<S: Real>(p: &Principal<S>) -> Matrix3<S> {
        p.axes * Matrix3::diagonal(p.values) * p.axes.transposed()
    }

    proptest! {
        #[test]
        fn axes_and_values_give_the_matrix_back(e in prop::array::uniform6(-5.0f64..5.0), exponent in -100i32..100) {
            let s = 10f64.powi(exponent);
            let [xx, yy, zz, xy, xz, yz] = e.map(|c| c * s);
            let m = Matrix3::<f64> {
                columns: [DVec3::new(xx, xy, xz), DVec3::new(xy, yy, yz), DVec3::new(xz, yz, zz)],
            };
            let p = principal_axes(&m);
            for k in 0..3 {
                prop_assert!((rebuilt(&p).columns[k] - m.columns[k]).length() <= 1e-13 * 20.0 * s, "{p:?}");
            }
            prop_assert!((p.axes.determinant() - 1.0).abs() < 1e-12);
            prop_assert!(p.values.x <= p.values.y && p.values.y <= p.values.z);
        }
    }

    #[test]
    fn diagonal_matrices_keep_their_axes_exactly() {
        let p = principal_axes(&Matrix3::<f32>::diagonal(Vec3::new(3.0, 1.0, 2.0)));
        assert_eq!(p.values, Vec3::new(1.0, 2.0, 3.0));
        assert_eq!(p.axes.columns, [Vec3::Y, Vec3::Z, Vec3::X]);
        assert_eq!(principal_axes(&Matrix3::<f32>::ZERO).axes, Matrix3::IDENTITY);
    }
}
