//! Pose, velocity and inverse masses of a body.
//!
//! The frame of a body in here is that of its principal axes at its centre of mass: the inertia is
//! diagonal there, and nothing has to be rotated but vectors. [`Motion`] is one cache line.
//! Positions are in `f64`, so that a stack a hundred kilometres from the origin stands as it does
//! at home; everything else is relative and in `f32`.

use carom_geometry::{Pose, Rotation};
use glam::{DVec3, Vec3};

/// No coordinate of a body may be farther from the origin than this, metres: beyond it the boxes of
/// the broad phase, which are in `f32`, would be hundreds of metres off, and far beyond it no
/// numbers any more.
pub(crate) const FARTHEST: f64 = 1e9;

/// Place and velocity of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub struct Motion {
    /// Centre of mass.
    pub position: DVec3,
    /// Orientation of the principal axes.
    pub rotation: Rotation,
    /// Velocity of the centre of mass.
    pub velocity: Vec3,
    /// Angular velocity, world axes.
    pub angular_velocity: Vec3,
}

impl Motion {
    /// At the origin, at rest.
    pub(crate) const REST: Self = Self {
        position: DVec3::ZERO,
        rotation: Rotation::IDENTITY,
        velocity: Vec3::ZERO,
        angular_velocity: Vec3::ZERO,
    };

    /// Does it move or turn?
    #[inline]
    pub(crate) fn is_moving(&self) -> bool {
        self.velocity != Vec3::ZERO || self.angular_velocity != Vec3::ZERO
    }

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
        rotation && is_near(self.position) && self.velocity.is_finite() && self.angular_velocity.is_finite()
    }
}

/// Is every coordinate a number within [`FARTHEST`]?
pub(crate) fn is_near(position: DVec3) -> bool {
    position.abs().cmple(DVec3::splat(FARTHEST)).all()
}

/// Inverse roots of mass and of principal inertias; all zero for bodies that contacts cannot move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct InverseMass {
    /// 1/√I along the principal axes.
    pub(crate) root_inertia: Vec3,
    /// 1/√m.
    pub(crate) root_mass: f32,
}

impl InverseMass {
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

    /// √m, 0 for bodies that contacts cannot move.
    #[inline]
    pub(crate) fn root_of_mass(&self) -> f32 {
        if self.root_mass > 0.0 { 1.0 / self.root_mass } else { 0.0 }
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
