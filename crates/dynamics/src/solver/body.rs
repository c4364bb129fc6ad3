//! What the solver needs to know of a body, and its motion over a step.
//!
//! The frame of a body in here is that of its principal axes at its centre of mass: the inertia is diagonal there, and nothing
//! has to be turned but vectors. [`Motion`] is one cache line. Positions are in `f64`, so that a stack a hundred kilometres
//! from the origin stands as it does at home; everything else is relative and in `f32`.

use carom_geometry::{Pose, Rotation};
use glam::{DVec3, Vec3};

/// No coordinate of a body may be farther from the origin than this, metres: beyond it the boxes of the broad phase, which are in
/// `f32`, would be hundreds of metres off, and far beyond it no numbers any more.
pub(crate) const FARTHEST: f64 = 1e9;

/// Place and velocity of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct Motion {
    /// Centre of mass.
    pub(crate) position: DVec3,
    /// Orientation of the principal axes.
    pub(crate) rotation: Rotation,
    /// Velocity of the centre of mass.
    pub(crate) velocity: Vec3,
    /// Angular velocity, world axes.
    pub(crate) spin: Vec3,
}

impl Motion {
    /// At the origin, at rest.
    pub(crate) const REST: Self =
        Self { position: DVec3::ZERO, rotation: Rotation::IDENTITY, velocity: Vec3::ZERO, spin: Vec3::ZERO };

    /// The pose of another body as seen from this one.
    #[inline]
    pub(crate) fn relative(&self, other: &Self) -> Pose {
        let between = (other.position - self.position).as_vec3();
        Pose::new(self.rotation.rotate_back(between), self.rotation.inverse() * other.rotation)
    }

    /// True if every number is finite, the rotation one, and the place within [`FARTHEST`].
    pub(crate) fn is_sane(&self) -> bool {
        // Turns that overflow leave nothing of a quaternion.
        let square = self.rotation.xyz.length_squared() + self.rotation.w * self.rotation.w;
        let rotation = square > 0.9 && square < 1.1;
        rotation && is_near(self.position) && self.velocity.is_finite() && self.spin.is_finite()
    }
}

/// Is every coordinate a number within [`FARTHEST`]?
pub(crate) fn is_near(position: DVec3) -> bool {
    position.abs().cmple(DVec3::splat(FARTHEST)).all()
}

/// Inverse roots of mass and of principal inertias; all zero for bodies that contacts cannot move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct MassRow {
    /// 1/√I along the principal axes.
    pub(crate) root_inertia: Vec3,
    /// 1/√m.
    pub(crate) root_mass: f32,
}

impl MassRow {
    /// Nothing moves it.
    pub(crate) const FIXED: Self = Self { root_inertia: Vec3::ZERO, root_mass: 0.0 };

    /// Of a mass and principal inertias; infinite or zero ones do not move.
    pub(crate) fn new(mass: f32, inertia: Vec3) -> Self {
        let root = |value: f32| if value > 0.0 && value.is_finite() { 1.0 / value.sqrt() } else { 0.0 };
        Self {
            root_inertia: Vec3::new(root(inertia.x), root(inertia.y), root(inertia.z)),
            root_mass: root(mass),
        }
    }

    /// Do all axes have the same inertia?
    #[inline]
    pub(crate) fn is_isotropic(&self) -> bool {
        let Vec3 { x, y, z } = self.root_inertia;
        x == y && y == z
    }

    /// √I · v for a vector along the principal axes; 0 along axes that do not turn.
    #[inline]
    pub(crate) fn scaled(&self, v: Vec3) -> Vec3 {
        let divide = |v: f32, root: f32| if root > 0.0 { v / root } else { 0.0 };
        Vec3::new(
            divide(v.x, self.root_inertia.x),
            divide(v.y, self.root_inertia.y),
            divide(v.z, self.root_inertia.z),
        )
    }
}

/// Turns a body that nothing acts on for a time: `spin` is the angular velocity in world axes at the beginning. Returns the new
/// orientation and the angular velocity at its end.
///
/// The angular momentum stays what it is. A body with two equal inertias turns about its momentum and about its axis, both
/// at a constant rate, and keeps its energy to rounding. Others are put together from turns about the three principal
/// axes, each of which is exact (R. McLachlan, *Explicit Lie–Poisson integration*, 1993; A. Dullweber, B. Leimkuhler,
/// R. McLachlan, 1997): of second order, and the energy oscillates by (ω·time)² and does not drift. The tangent of half an angle is
/// taken for the angle, so that no elementary function is needed.
#[inline]
pub(crate) fn turn_freely(rotation: Rotation, mass: &MassRow, spin: Vec3, time: f32) -> (Rotation, Vec3) {
    let root = mass.root_inertia;
    if mass.is_isotropic() {
        return (turned(rotation, spin, time), spin);
    }
    let inverse = root * root;
    let momentum = mass.scaled(mass.scaled(rotation.rotate_back(spin)));
    for (axis, j, k) in [(0, 1, 2), (1, 2, 0), (2, 0, 1)] {
        if root[j] == root[k] {
            return turn_symmetric(rotation, inverse, momentum, axis, time);
        }
    }
    turn_any(rotation, inverse, momentum, time)
}

/// The same for equal inertias across an axis.
#[inline]
fn turn_symmetric(
    rotation: Rotation,
    inverse: Vec3,
    momentum: Vec3,
    axis: usize,
    time: f32,
) -> (Rotation, Vec3) {
    let across = inverse[(axis + 1) % 3];
    // About its own axis first, in which only the momentum across it moves.
    let t = tangent_of_half((inverse[axis] - across) * momentum[axis] * time);
    let norm = 1.0 / (1.0 + t * t);
    let (sine, cosine) = (2.0 * t * norm, (1.0 - t * t) * norm);
    let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut after = momentum;
    after[j] = cosine * momentum[j] + sine * momentum[k];
    after[k] = cosine * momentum[k] - sine * momentum[j];
    let mut half = Vec3::ZERO;
    half[axis] = t;
    // Then about the momentum, which does not notice.
    let rolled = rotation * Rotation { xyz: half, w: 1.0 };
    let rate = rotation.rotate(momentum) * across;
    let orientation = turned(rolled, rate, time);
    (orientation, orientation.rotate(inverse * after))
}

/// The same for three different inertias.
#[inline]
fn turn_any(rotation: Rotation, inverse: Vec3, mut momentum: Vec3, time: f32) -> (Rotation, Vec3) {
    let mut orientation = rotation;
    for (axis, share) in [(0, 0.5), (1, 0.5), (2, 1.0), (1, 0.5), (0, 0.5)] {
        let t = tangent_of_half(share * time * inverse[axis] * momentum[axis]);
        let norm = 1.0 / (1.0 + t * t);
        let (sine, cosine) = (2.0 * t * norm, (1.0 - t * t) * norm);
        let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
        // In the turning frame, momentum turns backwards.
        let (along_j, along_k) = (momentum[j], momentum[k]);
        momentum[j] = cosine * along_j + sine * along_k;
        momentum[k] = cosine * along_k - sine * along_j;
        let mut half = Vec3::ZERO;
        half[axis] = t;
        orientation = orientation * Rotation { xyz: half, w: 1.0 };
    }
    let orientation = scaled_to_unit(orientation);
    (orientation, orientation.rotate(inverse * momentum))
}

/// The tangent of half an angle, to its fifth power.
#[inline]
fn tangent_of_half(angle: f32) -> f32 {
    let half = 0.5 * angle;
    half * (1.0 + half * half * (1.0 / 3.0))
}

/// Rotation by a constant angular velocity.
#[inline]
fn turned(rotation: Rotation, spin: Vec3, time: f32) -> Rotation {
    turned_by(rotation, spin * time)
}

/// Rotation by a vector: its length is the angle.
#[inline]
pub(crate) fn turned_by(rotation: Rotation, vector: Vec3) -> Rotation {
    // Tangent of half the angle, to third order: 2·atan(tan) differs from the angle by its fifth power.
    let half = vector * 0.5;
    let stretched = half * (1.0 + half.length_squared() * (1.0 / 3.0));
    scaled_to_unit(Rotation { xyz: stretched, w: 1.0 } * rotation)
}

/// A quaternion of any length as a rotation.
#[inline]
fn scaled_to_unit(q: Rotation) -> Rotation {
    let inverse = 1.0 / (q.xyz.length_squared() + q.w * q.w).sqrt();
    Rotation { xyz: q.xyz * inverse, w: q.w * inverse }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn energy(mass: &MassRow, rotation: Rotation, spin: Vec3) -> f64 {
        mass.scaled(rotation.rotate_back(spin)).as_dvec3().length_squared() / 2.0
    }

    fn momentum(mass: &MassRow, rotation: Rotation, spin: Vec3) -> Vec3 {
        rotation.rotate(mass.scaled(mass.scaled(rotation.rotate_back(spin))))
    }

    #[test]
    fn a_box_spinning_about_its_middle_axis_flips_and_keeps_energy_and_momentum() {
        // A box of 4 × 2 × 6 and mass 1: inertia 10/3, 13/3, 5/3; the axis of 10/3 is the unstable one.
        let mass = MassRow::new(1.0, Vec3::new(10.0 / 3.0, 13.0 / 3.0, 5.0 / 3.0));
        let (mut rotation, mut spin) = (Rotation::IDENTITY, Vec3::new(2.0, 0.1, 0.0));
        let (energy_0, momentum_0) = (energy(&mass, rotation, spin), momentum(&mass, rotation, spin));
        let mut flips = Vec::new();
        let mut before = rotation.rotate_back(spin).x;
        for step in 1..=60 * 60 {
            (rotation, spin) = turn_freely(rotation, &mass, spin, 1.0 / 60.0);
            let now = rotation.rotate_back(spin).x;
            if now * before < 0.0 {
                flips.push(f64::from(step) / 60.0);
            }
            before = now;
            let error = (energy(&mass, rotation, spin) / energy_0 - 1.0).abs();
            assert!(error < 1e-3, "energy off by {error} at step {step}");
        }
        assert!((momentum(&mass, rotation, spin) - momentum_0).length() < 2e-3 * momentum_0.length());
        // Flips at 4.176 s and every 8.352 s from there on: seven in a minute.
        assert_eq!(flips.len(), 7);
        assert!((flips[0] - 4.176).abs() < 0.05 && (flips[1] - 12.528).abs() < 0.15, "{flips:?}");
    }

    #[test]
    fn a_ball_turns_by_its_angular_velocity() {
        let mass = MassRow::new(1.0, Vec3::ONE);
        let (mut rotation, spin) = (Rotation::IDENTITY, Vec3::new(0.0, 0.0, 3.0));
        for _ in 0..60 {
            (rotation, _) = turn_freely(rotation, &mass, spin, 1.0 / 60.0);
        }
        let expected = Rotation::about_axis(Vec3::Z, 3.0f32);
        assert!((rotation.rotate(Vec3::X) - expected.rotate(Vec3::X)).length() < 1e-5);
    }
}
