//! Reading bodies and shapes.

use carom_geometry::mass::MassProperties;
use carom_geometry::{Pose, Rotation, Shape};
use glam::{DVec3, Vec3};

use super::World;
use crate::state::bodies::{BodyForces, Cold, flag};
use crate::state::definition::{BodyKind, Layers, LockedAxes};
use crate::state::id::{BodyId, JointId, NONE, ShapeId};
use crate::state::material::Material;

/// A body to look at.
///
/// ```
/// use carom_dynamics::{BodyDef, ShapeDef, World, WorldDef};
/// use carom_geometry::shape::Sphere;
/// let mut world = World::new(WorldDef::default());
/// let def = BodyDef::dynamic().at(0.0, 5.0, 0.0).gravity_scale(0.5).user_data(7);
/// let ball = world.add_body(def, [ShapeDef::new(Sphere::new(0.5)?)])?;
/// let body = world.body(ball)?;
/// assert_eq!((body.position().y, body.gravity_scale(), body.user_data()), (5.0, 0.5, 7));
/// assert!(body.is_awake() && body.can_sleep() && !body.is_bullet());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct BodyRef<'w> {
    pub(crate) world: &'w World,
    pub(crate) id: BodyId,
    pub(crate) slot: u32,
}

impl<'w> BodyRef<'w> {
    fn cold(&self) -> Option<&'w Cold> {
        self.world.state.bodies.cold.get(self.slot)
    }

    fn drive(&self) -> &'w BodyForces {
        &self.world.state.bodies.drive[self.slot as usize]
    }

    /// Its id.
    #[must_use]
    pub fn id(&self) -> BodyId {
        self.id
    }

    /// Where its frame is.
    #[must_use]
    pub fn position(&self) -> DVec3 {
        self.world.state.bodies.user_frame(self.slot).map_or(DVec3::ZERO, |(position, _)| position)
    }

    /// How its frame is turned.
    #[must_use]
    pub fn rotation(&self) -> Rotation {
        self.world.state.bodies.user_frame(self.slot).map_or(Rotation::IDENTITY, |(_, rotation)| rotation)
    }

    /// Where its centre of mass is.
    #[must_use]
    pub fn centre_of_mass(&self) -> DVec3 {
        self.world.state.bodies.motion[self.slot as usize].position
    }

    /// Velocity of its centre of mass.
    #[must_use]
    pub fn velocity(&self) -> Vec3 {
        self.world.state.bodies.motion[self.slot as usize].velocity
    }

    /// Angular velocity.
    #[must_use]
    pub fn angular_velocity(&self) -> Vec3 {
        self.world.state.bodies.motion[self.slot as usize].angular_velocity
    }

    /// Mass, 0 for bodies that forces do not move.
    #[must_use]
    pub fn mass(&self) -> f32 {
        self.cold().map_or(0.0, |cold| cold.mass)
    }

    /// Mass, centre of mass and inertia, in its frame; no mass for bodies that forces do not move.
    #[must_use]
    pub fn mass_properties(&self) -> MassProperties {
        self.world.state.bodies.mass_properties(self.slot)
    }

    /// How it takes part.
    #[must_use]
    pub fn kind(&self) -> BodyKind {
        self.cold().map_or(BodyKind::Static, |cold| cold.kind)
    }

    /// Does it take part at all?
    #[must_use]
    pub fn is_enabled(&self) -> bool {
        self.cold().is_some_and(|cold| cold.is_enabled)
    }

    /// Share of the world's gravity it feels.
    #[must_use]
    pub fn gravity_scale(&self) -> f32 {
        self.drive().gravity_scale
    }

    /// Acceleration of its own besides gravity, m/s².
    #[must_use]
    pub fn acceleration(&self) -> Vec3 {
        self.drive().acceleration
    }

    /// Velocity lost, 1/s.
    #[must_use]
    pub fn linear_damping(&self) -> f32 {
        self.drive().linear_damping
    }

    /// Angular velocity lost, 1/s.
    #[must_use]
    pub fn angular_damping(&self) -> f32 {
        self.drive().angular_damping
    }

    /// Highest speed, m/s.
    #[must_use]
    pub fn max_speed(&self) -> f32 {
        self.drive().max_speed
    }

    /// Highest angular speed, rad/s.
    #[must_use]
    pub fn max_angular_speed(&self) -> f32 {
        self.drive().max_angular_speed
    }

    /// Force that pushes at its centre of mass in the next step, N: the sum of all that were
    /// applied since the last. Gravity is not in it.
    #[must_use]
    pub fn force(&self) -> Vec3 {
        self.drive().force
    }

    /// Torque that turns it in the next step, N m: the sum of all that were applied since the last.
    #[must_use]
    pub fn torque(&self) -> Vec3 {
        self.drive().torque
    }

    /// Axes of the world that it may not use.
    #[must_use]
    pub fn locked(&self) -> LockedAxes {
        self.cold().map(|cold| cold.locked).unwrap_or_default()
    }

    /// May it fall asleep?
    #[must_use]
    pub fn can_sleep(&self) -> bool {
        self.world.state.bodies.state[self.slot as usize].has(flag::SLEEPY)
    }

    /// Is it swept against everything?
    #[must_use]
    pub fn is_bullet(&self) -> bool {
        self.cold().is_some_and(|cold| cold.is_bullet)
    }

    /// Where its frame is to be after the next step, if it was
    /// [sent](super::body_edit::BodyMut::set_kinematic_target) somewhere.
    #[must_use]
    pub fn kinematic_target(&self) -> Option<(DVec3, Rotation)> {
        let target = self.world.state.bodies.target(self.slot)?;
        let frame = self.cold()?.frame;
        let offset = target.rotation.rotate(frame.translation).as_dvec3();
        Some((target.position + offset, target.rotation * frame.rotation))
    }

    /// Its shapes, the last one first.
    pub fn shapes(&self) -> impl Iterator<Item = ShapeId> + use<'w> {
        let shapes = &self.world.state.shapes;
        let first = self.world.state.bodies.first_shapes[self.slot as usize];
        shapes.chain(first).filter_map(|slot| shapes.cold.id_of(slot))
    }

    /// Its joints, the last one first.
    pub fn joints(&self) -> impl Iterator<Item = JointId> + use<'w> {
        let joints = &self.world.state.joints;
        let first = self.cold().map_or(NONE, |cold| cold.first_joint);
        joints.chain(self.slot, first).filter_map(|slot| joints.cold.id_of(slot))
    }

    /// What its user wanted to find again.
    #[must_use]
    pub fn user_data(&self) -> u64 {
        self.cold().map_or(0, |cold| cold.user_data)
    }

    /// Does it take part in steps at present?
    #[must_use]
    pub fn is_awake(&self) -> bool {
        self.world.state.bodies.state[self.slot as usize].has(flag::AWAKE)
    }

    /// Energy of its motion, joules.
    #[must_use]
    pub fn kinetic_energy(&self) -> f64 {
        let motion = &self.world.state.bodies.motion[self.slot as usize];
        let Some(cold) = self.world.state.bodies.cold.get(self.slot) else { return 0.0 };
        let angular_velocity = motion.rotation.rotate_back(motion.angular_velocity);
        0.5 * (f64::from(cold.mass) * motion.velocity.as_dvec3().length_squared()
            + f64::from((angular_velocity * angular_velocity).dot(cold.inertia)))
    }

    /// Angular momentum about its centre of mass, in world axes.
    #[must_use]
    pub fn angular_momentum(&self) -> Vec3 {
        let motion = &self.world.state.bodies.motion[self.slot as usize];
        let inertia = self.world.state.bodies.cold.get(self.slot).map_or(Vec3::ZERO, |cold| cold.inertia);
        motion.rotation.rotate(motion.rotation.rotate_back(motion.angular_velocity) * inertia)
    }

    /// Velocity of a point of the body, given in world coordinates.
    #[must_use]
    pub fn velocity_at(&self, point: DVec3) -> Vec3 {
        let motion = &self.world.state.bodies.motion[self.slot as usize];
        motion.velocity + motion.angular_velocity.cross((point - motion.position).as_vec3())
    }
}

/// A shape to look at.
#[derive(Clone, Copy)]
pub struct ShapeRef<'w> {
    pub(crate) world: &'w World,
    pub(crate) id: ShapeId,
    pub(crate) slot: u32,
}

impl ShapeRef<'_> {
    /// Its id.
    #[must_use]
    pub fn id(&self) -> ShapeId {
        self.id
    }

    /// The body it belongs to.
    #[must_use]
    pub fn body(&self) -> Option<BodyId> {
        self.world.state.bodies.cold.id_of(self.world.state.shapes.rows[self.slot as usize].body)
    }

    /// The shape itself, in its own frame.
    #[must_use]
    pub fn shape(&self) -> &Shape {
        &self.world.state.shapes.rows[self.slot as usize].shape
    }

    /// Where it is in the frame of its body.
    #[must_use]
    pub fn local_pose(&self) -> Pose {
        self.world.state.shapes.cold.get(self.slot).map(|cold| cold.user_pose).unwrap_or_default()
    }

    /// How it rubs and bounces.
    #[must_use]
    pub fn material(&self) -> Material {
        self.world.state.shapes.rows[self.slot as usize].material
    }

    /// With whom it collides.
    #[must_use]
    pub fn layers(&self) -> Layers {
        self.world.state.shapes.cold.get(self.slot).map(|cold| cold.layers).unwrap_or_default()
    }

    /// kg/m³, or kg/m² for surfaces.
    #[must_use]
    pub fn density(&self) -> f32 {
        self.world.state.shapes.cold.get(self.slot).map_or(0.0, |cold| cold.density)
    }

    /// Contact forces above this, N, are reported as events; infinite for none.
    #[must_use]
    pub fn contact_force_threshold(&self) -> f32 {
        let cold = self.world.state.shapes.cold.get(self.slot);
        cold.map_or(f32::INFINITY, |cold| cold.contact_force_threshold)
    }

    /// Is it enabled? If its body is not, it takes part in nothing even so.
    #[must_use]
    pub fn is_enabled(&self) -> bool {
        self.world.state.shapes.cold.get(self.slot).is_some_and(|cold| cold.is_enabled)
    }

    /// Does it only notice?
    #[must_use]
    pub fn is_sensor(&self) -> bool {
        self.world.state.shapes.rows[self.slot as usize].is_sensor
    }

    /// What its user wanted to find again.
    #[must_use]
    pub fn user_data(&self) -> u64 {
        self.world.state.shapes.cold.get(self.slot).map_or(0, |cold| cold.user_data)
    }
}
