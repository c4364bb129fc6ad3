//! Mass, centre of mass and inertia.
//!
//! | file | holds |
//! |---|---|
//! | this one | [`MassProperties`]: sums, holes, frames, principal axes |
//! | [`given`] | values that a user states, checked; point masses; inverses for the solver |
//! | [`solids`] | closed forms for the basic shapes |
//! | [`closed_surface`] | exact integrals over bodies bounded by triangles |
//!
//! Units are the caller's, as long as they fit: density in kg/m³ and lengths in m give kg and
//! kg·m².
//!
//! Adding and removing parts uses the reduced mass `m₁m₂/(m₁ + m₂)` and the distance of the centres
//! rather than inertias about a common origin: every term of a sum is positive, so nothing is lost
//! however far the body is from the origin.

pub mod closed_surface;
pub mod given;
pub mod solids;

use crate::pose::Pose;
use crate::real::{Real, Vector};
use crate::rotation::Matrix3;
use crate::symmetric::{Principal, principal_axes};

pub use closed_surface::{ClosedSurfaceError, of_closed_surface};
pub use given::{GivenMassError, InverseMass, PointMass};
pub use solids::{Massive, hollow_sphere, spherical_shell};

/// Mass, centre of mass and inertia of a body, in the frame of its shape.
///
/// ```
/// use carom_geometry::mass::{MassProperties, Massive};
/// use carom_geometry::shape::{Cuboid, Sphere};
/// use glam::Vec3;
/// let block = Cuboid::new(Vec3::new(1.0, 1.0, 2.0))?.mass_properties(3.0);
/// assert_eq!(block.mass, 48.0);
/// let knob = Sphere::new(0.5f32)?.mass_properties(3.0).translated(Vec3::new(0.0, 0.0, 2.5));
/// let both = MassProperties::combined([block, knob]);
/// assert!(both.centre.z > 0.0 && both.mass > 48.0);
/// # Ok::<(), carom_geometry::shape::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties<S: Real = f32> {
    /// Mass.
    pub mass: S,
    /// Centre of mass.
    pub centre: S::Vec3,
    /// Inertia tensor about the centre of mass, along the axes of the shape's frame. Symmetric.
    pub inertia: Matrix3<S>,
}

impl<S: Real> Default for MassProperties<S> {
    fn default() -> Self {
        Self::NOTHING
    }
}

impl<S: Real> MassProperties<S> {
    /// No mass at the origin: what a sum of no parts is.
    pub const NOTHING: Self = Self { mass: S::ZERO, centre: S::Vec3::ZERO, inertia: Matrix3::ZERO };

    /// Properties of a body whose principal axes are the axes of its frame.
    #[inline]
    #[must_use]
    pub fn diagonal(mass: S, centre: S::Vec3, inertia: S::Vec3) -> Self {
        Self { mass, centre, inertia: Matrix3::diagonal(inertia) }
    }

    /// Properties of a body from the integral of `(x − centre)(x − centre)ᵀ` over its mass. Only
    /// the diagonal and the upper triangle are read.
    #[must_use]
    pub fn from_second_moments(mass: S, centre: S::Vec3, moments: &Matrix3<S>) -> Self {
        let at = |row: usize, column: usize| moments.columns[column][row];
        let (xx, yy, zz) = (at(0, 0), at(1, 1), at(2, 2));
        let (xy, xz, yz) = (-at(0, 1), -at(0, 2), -at(1, 2));
        let inertia = Matrix3 {
            columns: [
                S::Vec3::new(yy + zz, xy, xz),
                S::Vec3::new(xy, xx + zz, yz),
                S::Vec3::new(xz, yz, xx + yy),
            ],
        };
        Self { mass, centre, inertia }
    }

    /// The body made of these parts. Overlapping parts count twice.
    #[must_use]
    pub fn combined(parts: impl IntoIterator<Item = Self>) -> Self {
        parts.into_iter().fold(Self::NOTHING, |sum, part| sum.plus(&part))
    }

    /// The body made of this one and another.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        let mass = self.mass + other.mass;
        let apart = other.centre - self.centre;
        let share = if mass > S::ZERO { other.mass / mass } else { S::ZERO };
        let inertia = self.inertia.plus(&other.inertia);
        Self {
            mass,
            // Exact for a body added to nothing.
            centre: if self.mass > S::ZERO { self.centre + apart * share } else { other.centre },
            inertia: inertia.plus(&of_point(self.mass * share, apart)),
        }
    }

    /// This body with a hole of the given properties, or `None` if the hole is not lighter than the
    /// body.
    ///
    /// That the hole lies inside is not checked; if it does not, the inertia may come out wrong or
    /// not positive.
    #[must_use]
    pub fn minus(&self, hole: &Self) -> Option<Self> {
        let mass = self.mass - hole.mass;
        if mass <= S::ZERO || !mass.is_finite() {
            return None;
        }
        let apart = hole.centre - self.centre;
        let share = hole.mass / mass;
        let inertia = self.inertia.plus(&hole.inertia.scaled(-S::ONE));
        Some(Self {
            mass,
            centre: self.centre - apart * share,
            inertia: inertia.plus(&of_point(-self.mass * share, apart)),
        })
    }

    /// The body placed by `pose`: its properties in the surrounding frame.
    #[must_use]
    pub fn posed(&self, pose: &Pose<S>) -> Self {
        let rotation = pose.rotation.to_matrix();
        let turned = rotation * self.inertia * rotation.transposed();
        Self { mass: self.mass, centre: pose.apply(self.centre), inertia: symmetrised(&turned) }
    }

    /// The body moved without turning it.
    #[must_use]
    pub fn translated(&self, by: S::Vec3) -> Self {
        Self { centre: self.centre + by, ..*self }
    }

    /// The same distribution with every mass multiplied by `factor`.
    #[must_use]
    pub fn scaled(&self, factor: S) -> Self {
        Self { mass: self.mass * factor, centre: self.centre, inertia: self.inertia.scaled(factor) }
    }

    /// The same distribution with this total mass, or `None` if this body has no mass to distribute
    /// or the wanted mass is negative or not finite.
    #[must_use]
    pub fn with_mass(&self, mass: S) -> Option<Self> {
        let sensible = self.mass > S::ZERO && mass >= S::ZERO && mass.is_finite();
        sensible.then(|| Self { mass, ..self.scaled(mass / self.mass) })
    }

    /// Inertia tensor about another point (parallel axes).
    #[must_use]
    pub fn inertia_about(&self, point: S::Vec3) -> Matrix3<S> {
        self.inertia.plus(&of_point(self.mass, point - self.centre))
    }

    /// Principal moments of inertia in ascending order, and their axes.
    #[must_use]
    pub fn principal(&self) -> Principal<S> {
        principal_axes(&self.inertia)
    }

    /// True if every number is finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.mass.is_finite() && self.centre.is_finite() && self.inertia.columns.iter().all(|c| c.is_finite())
    }

    /// The same properties in the other precision, rounded.
    #[must_use]
    pub fn to<T: Real>(&self) -> MassProperties<T> {
        MassProperties {
            mass: T::of(self.mass.to_f64()),
            centre: self.centre.to::<T>(),
            inertia: self.inertia.to::<T>(),
        }
    }
}

/// Inertia tensor about the origin of a mass at `at`.
fn of_point<S: Real>(mass: S, at: S::Vec3) -> Matrix3<S> {
    let (m, [x, y, z]) = (at * mass, at.to_array());
    let (xy, xz, yz) = (-m.x() * y, -m.x() * z, -m.y() * z);
    let (xx, yy, zz) = (m.x() * x, m.y() * y, m.z() * z);
    Matrix3 {
        columns: [
            S::Vec3::new(yy + zz, xy, xz),
            S::Vec3::new(xy, xx + zz, yz),
            S::Vec3::new(xz, yz, xx + yy),
        ],
    }
}

/// The mean of a matrix and its transpose, exactly symmetric.
fn symmetrised<S: Real>(m: &Matrix3<S>) -> Matrix3<S> {
    m.plus(&m.transposed()).scaled(S::HALF)
}
