//! Closed forms for the basic shapes.

use super::MassProperties;
use crate::primitive::Triangle;
use crate::real::{Real, Vector};
use crate::rotation::Matrix3;
use crate::shape::{Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Sphere, Tile};

/// A shape that has a mass once it has a density.
///
/// The density is per volume for solids and **per area** (one side) for [`Tile`] and [`Triangle`],
/// which have no volume. It is used as it is: a check belongs where data enters the program. Shapes
/// of size zero have no mass, and then the inertia is zero too. A half-space has no finite mass and
/// does not have this trait.
pub trait Massive<S: Real> {
    /// Mass, centre and inertia in the local frame.
    fn mass_properties(&self, density: S) -> MassProperties<S>;
}

impl<S: Real> Massive<S> for Sphere<S> {
    fn mass_properties(&self, density: S) -> MassProperties<S> {
        let mass = density * self.volume();
        let moment = S::of(0.4) * mass * self.radius * self.radius;
        MassProperties::diagonal(mass, S::Vec3::ZERO, S::Vec3::splat(moment))
    }
}

impl<S: Real> Massive<S> for Cuboid<S> {
    fn mass_properties(&self, density: S) -> MassProperties<S> {
        let mass = density * self.volume();
        let square = self.half * self.half * (mass * S::of(1.0 / 3.0));
        MassProperties::diagonal(mass, S::Vec3::ZERO, across_axes::<S>(square))
    }
}

impl<S: Real> Massive<S> for Ellipsoid<S> {
    fn mass_properties(&self, density: S) -> MassProperties<S> {
        let mass = density * self.volume();
        let square = self.radii * self.radii * (mass * S::of(0.2));
        MassProperties::diagonal(mass, S::Vec3::ZERO, across_axes::<S>(square))
    }
}

impl<S: Real> Massive<S> for Cylinder<S> {
    fn mass_properties(&self, density: S) -> MassProperties<S> {
        let mass = density * self.volume();
        let (radius_sq, half_sq) = (self.radius * self.radius, self.half_length * self.half_length);
        let along = mass * radius_sq * S::HALF;
        let across = mass * (S::of(0.25) * radius_sq + S::of(1.0 / 3.0) * half_sq);
        MassProperties::diagonal(mass, S::Vec3::ZERO, S::Vec3::new(across, across, along))
    }
}

/// The centre is a quarter of the height above the base: half-way between the base and the origin.
impl<S: Real> Massive<S> for Cone<S> {
    fn mass_properties(&self, density: S) -> MassProperties<S> {
        let mass = density * self.volume();
        let (radius_sq, half_sq) = (self.radius * self.radius, self.half_length * self.half_length);
        let along = S::of(0.3) * mass * radius_sq;
        let across = S::of(0.15) * mass * (radius_sq + half_sq);
        let centre = S::Vec3::new(S::ZERO, S::ZERO, -self.half_length * S::HALF);
        MassProperties::diagonal(mass, centre, S::Vec3::new(across, across, along))
    }
}

impl<S: Real> Massive<S> for Capsule<S> {
    fn mass_properties(&self, density: S) -> MassProperties<S> {
        let (r, h) = (self.radius, self.half_length());
        let shaft = density * Cylinder { radius: r, half_length: h }.volume();
        let caps = density * Sphere { radius: r }.volume();
        let along = r * r * (S::HALF * shaft + S::of(0.4) * caps);
        // The centre of a half ball is 3/8 of the radius from its flat side.
        let across = shaft * (S::of(0.25) * r * r + S::of(1.0 / 3.0) * h * h)
            + caps * (S::of(0.4) * r * r + h * h + S::of(0.75) * h * r);
        MassProperties {
            mass: shaft + caps,
            centre: self.segment.a + self.segment.direction() * S::HALF,
            inertia: about_axis::<S>(self.segment.direction(), along, across),
        }
    }
}

/// Density per area.
impl<S: Real> Massive<S> for Tile<S> {
    fn mass_properties(&self, density: S) -> MassProperties<S> {
        let mass = density * self.area();
        let half = S::Vec3::new(self.half_x, S::ZERO, self.half_z);
        let square = half * half * (mass * S::of(1.0 / 3.0));
        MassProperties::diagonal(mass, S::Vec3::ZERO, across_axes::<S>(square))
    }
}

/// Density per area.
impl<S: Real> Massive<S> for Triangle<S> {
    fn mass_properties(&self, density: S) -> MassProperties<S> {
        let mass = density * self.area_vector().length() * S::HALF;
        let (ab, ac) = (self.b - self.a, self.c - self.a);
        let from_a = (ab + ac) * S::of(1.0 / 3.0);
        // The corners seen from the centroid, at each of which a twelfth of the mass has the same
        // second moments.
        let moments = [-from_a, ab - from_a, ac - from_a]
            .into_iter()
            .fold(Matrix3::ZERO, |sum, p| sum.plus(&Matrix3 { columns: [p * p.x(), p * p.y(), p * p.z()] }));
        let moments = moments.scaled(mass * S::of(1.0 / 12.0));
        MassProperties::from_second_moments(mass, self.a + from_a, &moments)
    }
}

/// A ball of radius `outer` with a concentric cavity of radius `inner`; no mass if the cavity is as
/// large as the ball.
///
/// The inertia is `2/5 m (R⁵ − r⁵)/(R³ − r³)`, divided out so that thin shells keep their accuracy.
/// Negative radii count as zero, and a cavity larger than the ball is exchanged with it.
#[must_use]
pub fn hollow_sphere<S: Real>(outer: S, inner: S, density: S) -> MassProperties<S> {
    let (a, b) = (Real::max(outer, S::ZERO), Real::max(inner, S::ZERO));
    let (outer, inner) = (Real::max(a, b), Real::min(a, b));
    let cubes = outer * outer + outer * inner + inner * inner;
    let mass = density * S::of(4.0 / 3.0 * std::f64::consts::PI) * (outer - inner) * cubes;
    let (outer_sq, inner_sq) = (outer * outer, inner * inner);
    let fifths = outer_sq * outer_sq
        + outer * inner * (cubes - outer * inner)
        + outer_sq * inner_sq
        + inner_sq * inner_sq;
    let square = if cubes > S::ZERO { fifths / cubes } else { S::ZERO };
    MassProperties::diagonal(mass, S::Vec3::ZERO, S::Vec3::splat(S::of(0.4) * mass * square))
}

/// A spherical shell without thickness, of a density per area.
#[must_use]
pub fn spherical_shell<S: Real>(radius: S, surface_density: S) -> MassProperties<S> {
    let mass = surface_density * Sphere { radius }.surface_area();
    let moment = S::of(2.0 / 3.0) * mass * radius * radius;
    MassProperties::diagonal(mass, S::Vec3::ZERO, S::Vec3::splat(moment))
}

/// Moments about the axes from the second moments along them.
fn across_axes<S: Real>(square: S::Vec3) -> S::Vec3 {
    S::Vec3::new(square.y() + square.z(), square.x() + square.z(), square.x() + square.y())
}

/// Inertia of a body of revolution about `axis` (any length): `along` it and `across` it.
fn about_axis<S: Real>(axis: S::Vec3, along: S, across: S) -> Matrix3<S> {
    // Without an axis both moments are the same.
    let axis = axis.unit().unwrap_or(S::Vec3::AXES[2]);
    let [x, y, z] = axis.to_array();
    // across · (1 − aaᵀ) + along · aaᵀ, with the diagonal of the first from the other two
    // coordinates.
    let (xx, yy, zz) = (x * x, y * y, z * z);
    let off = along - across;
    let (xy, xz, yz) = (off * x * y, off * x * z, off * y * z);
    Matrix3 {
        columns: [
            S::Vec3::new(across * (yy + zz) + along * xx, xy, xz),
            S::Vec3::new(xy, across * (xx + zz) + along * yy, yz),
            S::Vec3::new(xz, yz, across * (xx + yy) + along * zz),
        ],
    }
}
