//! Masses that are stated rather than computed, and the inverses that a solver needs.

use super::MassProperties;
use crate::real::{Real, Vector};
use crate::rotation::Matrix3;

/// A mass without extent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointMass<S: Real = f32> {
    /// Mass.
    pub mass: S,
    /// Where it is.
    pub position: S::Vec3,
}

impl<S: Real> From<PointMass<S>> for MassProperties<S> {
    fn from(point: PointMass<S>) -> Self {
        Self { mass: point.mass, centre: point.position, inertia: Matrix3::ZERO }
    }
}

carom_core::error_type! {
    /// Why stated mass properties cannot be those of a body.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum GivenMassError {
        /// Mass zero, negative, NaN or infinite.
        #[error("the mass is {mass}, but must be positive and finite")]
        Mass {
            /// The value.
            mass: f64,
        },
        /// A coordinate of the centre is NaN or infinite.
        #[error("coordinate {axis} of the centre of mass is {value}, which is not a finite number")]
        Centre {
            /// 0, 1, 2 for x, y, z.
            axis: usize,
            /// The value.
            value: f64,
        },
        /// An entry of the inertia is NaN or infinite.
        #[error("entry ({row}, {column}) of the inertia tensor is {value}, which is not a finite number")]
        NotFinite {
            /// Row from 0.
            row: usize,
            /// Column from 0.
            column: usize,
            /// The value.
            value: f64,
        },
        /// Two entries that must be equal are not.
        #[error(
            "the inertia tensor is not symmetric: entry ({row}, {column}) is {above}, its mirror image {below}"
        )]
        NotSymmetric {
            /// Row of the upper entry, from 0.
            row: usize,
            /// Its column.
            column: usize,
            /// Entry above the diagonal.
            above: f64,
            /// Entry below the diagonal.
            below: f64,
        },
        /// A principal moment is zero or negative.
        #[error("the principal moments of inertia are {moments:?}, but must all be positive")]
        NotPositive {
            /// In ascending order.
            moments: [f64; 3],
        },
        /// One principal moment is greater than the sum of the others, which no mass distribution
        /// has.
        #[error(
            "the principal moments of inertia are {moments:?}: no body has one greater than the sum of the others"
        )]
        NoBody {
            /// In ascending order.
            moments: [f64; 3],
        },
    }
}

/// Entries may differ from their mirror image, and moments from the inequality, by this much
/// relative to the largest entry: values typed in decimals pass, mistakes do not.
const TOLERANCE: f64 = 1e-4;

impl<S: Real> MassProperties<S> {
    /// Stated properties, checked: a positive mass, a symmetric and positive inertia about the
    /// centre, and principal moments none of which is greater than the sum of the others.
    /// Deviations of 10⁻⁴ of the largest entry are let pass; the result is exactly symmetric.
    ///
    /// # Errors
    /// The first of these conditions that is broken, with the values.
    pub fn given(mass: S, centre: S::Vec3, inertia: &Matrix3<S>) -> Result<Self, GivenMassError> {
        if !(mass > S::ZERO && mass.is_finite()) {
            return Err(GivenMassError::Mass { mass: mass.to_f64() });
        }
        for axis in 0..3 {
            if !centre[axis].is_finite() {
                return Err(GivenMassError::Centre { axis, value: centre[axis].to_f64() });
            }
        }
        let entry = |row: usize, column: usize| inertia.columns[column][row].to_f64();
        let mut largest = 0.0;
        for (row, column) in (0..9).map(|k| (k / 3, k % 3)) {
            let value = entry(row, column);
            if !value.is_finite() {
                return Err(GivenMassError::NotFinite { row, column, value });
            }
            largest = Real::max(value.abs(), largest);
        }
        for (row, column) in [(0, 1), (0, 2), (1, 2)] {
            let (above, below) = (entry(row, column), entry(column, row));
            if (above - below).abs() > TOLERANCE * largest {
                return Err(GivenMassError::NotSymmetric { row, column, above, below });
            }
        }
        let properties = Self { mass, centre, inertia: super::symmetrised(inertia) };
        let moments = properties.to::<f64>().principal().values.to_array();
        if moments[0] <= 0.0 {
            return Err(GivenMassError::NotPositive { moments });
        }
        if moments[2] > moments[0] + moments[1] + TOLERANCE * moments[2] {
            return Err(GivenMassError::NoBody { moments });
        }
        Ok(properties)
    }

    /// What a force and a torque at the centre of mass do. Zero for bodies without mass, with an
    /// infinite one, or with numbers that are not finite: nothing moves them. Principal moments of
    /// zero (a point, a thin rod about its axis) have inverse zero: such a body does not take up
    /// spin about that axis.
    #[must_use]
    pub fn inverse(&self) -> InverseMass<S> {
        let largest =
            self.inertia.columns.iter().map(|c| Vector::abs(*c).max_element()).fold(S::ZERO, Real::max);
        if !(self.mass > S::ZERO && self.is_finite()) {
            return InverseMass::FIXED;
        }
        let inverse_mass = S::ONE / self.mass;
        let [x, y, z] = self.inertia.columns;
        let diagonal = x.y() == S::ZERO && x.z() == S::ZERO && y.z() == S::ZERO;
        let threshold = S::of(8.0) * S::EPSILON * largest;
        let reciprocal = |moment: S| if moment > threshold { S::ONE / moment } else { S::ZERO };
        let inverse_inertia = if diagonal {
            Matrix3::diagonal(S::Vec3::new(reciprocal(x.x()), reciprocal(y.y()), reciprocal(z.z())))
        } else {
            let principal = self.principal();
            let inverse = Matrix3::diagonal(principal.values.map(reciprocal));
            super::symmetrised(&(principal.axes * inverse * principal.axes.transposed()))
        };
        InverseMass { inverse_mass, inverse_inertia }
    }
}

/// Reciprocal mass and inertia about the centre of mass; both zero for a body that nothing moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InverseMass<S: Real = f32> {
    /// 1 / mass.
    pub inverse_mass: S,
    /// Inverse of the inertia tensor about the centre of mass. Symmetric.
    pub inverse_inertia: Matrix3<S>,
}

impl<S: Real> InverseMass<S> {
    /// A body that nothing moves.
    pub const FIXED: Self = Self { inverse_mass: S::ZERO, inverse_inertia: Matrix3::ZERO };

    /// True for a body that nothing moves.
    #[must_use]
    pub fn is_fixed(&self) -> bool {
        *self == Self::FIXED
    }
}
