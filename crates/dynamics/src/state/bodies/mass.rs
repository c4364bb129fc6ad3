//! Mass, inertia and centre of mass of a body, and what follows from them.

use carom_geometry::mass::MassProperties;
use carom_geometry::{Pose, Rotation};
use glam::Vec3;

use super::super::definition::BodyKind;
use super::Bodies;
use crate::state::motion::InverseMass;

impl Bodies {
    /// Gives a body mass properties in the frame of the user; the frame stays where it is in the
    /// world.
    pub(crate) fn set_mass(&mut self, slot: u32, properties: &MassProperties) {
        let Some((position, rotation)) = self.user_frame(slot) else { return };
        let Some(cold) = self.cold.get_mut(slot) else { return };
        let principal = if turns_in_plane(cold.locked.rotation, rotation) {
            // Only the moment about z counts; other axes would take the body out of the plane by
            // rounding.
            let [x, y, z] = properties.inertia.columns;
            (Vec3::new(x.x, y.y, z.z), Rotation::IDENTITY)
        } else {
            principal_frame(properties)
        };
        let (moments, axes) = principal;
        cold.frame = Pose::new(properties.centre, axes).inverse();
        cold.mass = if cold.kind.is_dynamic() { properties.mass } else { 0.0 };
        cold.inertia = if cold.kind == BodyKind::Dynamic { moments } else { Vec3::ZERO };
        let motion = &mut self.motion[slot as usize];
        motion.position = position + rotation.rotate(properties.centre).as_dvec3();
        motion.rotation = (rotation * axes).normalised();
        self.renew_inverse_mass(slot);
    }

    /// Makes a body one that no force moves; its centre of mass stays where it is.
    pub(crate) fn clear_mass(&mut self, slot: u32) {
        let Some(cold) = self.cold.get_mut(slot) else { return };
        (cold.mass, cold.inertia) = (0.0, Vec3::ZERO);
        self.renew_inverse_mass(slot);
    }

    /// Computes what contacts and joints see of the mass of a body: after a change of its mass, its
    /// kind, or its locked axes.
    pub(crate) fn renew_inverse_mass(&mut self, slot: u32) {
        let Some(cold) = self.cold.get(slot) else { return };
        let mut mass = if cold.kind.is_dynamic() {
            InverseMass::new(cold.mass, cold.inertia)
        } else {
            InverseMass::FIXED
        };
        // An axis of the body that lies along a locked axis of the world, and stays there, has no
        // turn to give.
        let motion = &self.motion[slot as usize];
        for (locked, along) in cold.locked.rotation.into_iter().zip([Vec3::X, Vec3::Y, Vec3::Z]) {
            let seen = motion.rotation.rotate_back(along).abs();
            for axis in 0..3 {
                if locked && seen[axis] > 0.999 {
                    mass.root_inertia[axis] = 0.0;
                }
            }
        }
        self.mass[slot as usize] = mass;
    }

    /// Mass, centre and inertia of a body in the frame of the user; no mass if no force moves it.
    pub(crate) fn mass_properties(&self, slot: u32) -> MassProperties {
        let Some(cold) = self.cold.get(slot) else { return MassProperties::NOTHING };
        MassProperties::diagonal(cold.mass, Vec3::ZERO, cold.inertia).posed(&cold.frame.inverse())
    }
}

/// Does a body turn about nothing but the z axis of the world, and is turned about nothing else?
pub(crate) fn turns_in_plane(locked: [bool; 3], rotation: Rotation) -> bool {
    locked[0] && locked[1] && rotation.xyz.x == 0.0 && rotation.xyz.y == 0.0
}

/// Principal moments and axes; the frame itself if it is principal already.
fn principal_frame(properties: &MassProperties) -> (Vec3, Rotation) {
    let [x, y, z] = properties.inertia.columns;
    let diagonal = Vec3::new(x.x, y.y, z.z);
    let off = x.y.abs() + x.z.abs() + y.z.abs();
    if off <= 1e-6 * diagonal.abs().max_element() {
        return (diagonal, Rotation::IDENTITY);
    }
    let principal = properties.principal();
    (principal.values, principal.rotation())
}
