//! Many bodies at once: their poses and velocities as arrays, to be drawn, recorded or learned
//! from.

use carom_geometry::Rotation;
use glam::{DVec3, Vec3};

use super::World;
use super::access::BodyRef;
use super::check::{check_position, check_rotation, check_vector};
use crate::state::error::WorldError;
use crate::state::id::BodyId;
use crate::state::motion::Motion;

/// Poses and velocities of bodies, one array for each quantity, in the order of slots. A buffer
/// that is used again allocates nothing once it has grown.
///
/// ```
/// use carom_dynamics::{BodyArrays, BodyDef, ShapeDef, World, WorldDef};
/// use carom_geometry::shape::Sphere;
/// let mut world = World::new(WorldDef::default());
/// for k in 0..3 {
///     world.add_body(BodyDef::dynamic().at(f64::from(k), 9.0, 0.0), [ShapeDef::new(Sphere::new(0.4)?)])?;
/// }
/// let mut arrays = BodyArrays::default();
/// world.read_bodies(&mut arrays);
/// arrays.velocities.iter_mut().for_each(|velocity| velocity.x = 1.0);
/// world.write_bodies(&arrays)?;
/// world.step(1.0 / 60.0)?;
/// world.read_moved_bodies(&mut arrays);
/// assert!(arrays.len() == 3 && arrays.positions[2].x > 2.01);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BodyArrays {
    /// Whose they are.
    pub ids: Vec<BodyId>,
    /// Where their frames are.
    pub positions: Vec<DVec3>,
    /// How their frames are turned.
    pub rotations: Vec<Rotation>,
    /// Velocities of their centres of mass.
    pub velocities: Vec<Vec3>,
    /// Angular velocities.
    pub angular_velocities: Vec<Vec3>,
}

impl BodyArrays {
    /// Number of bodies.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// True if there is no body.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    fn fill<'w>(&mut self, bodies: impl Iterator<Item = BodyRef<'w>>) {
        let Self { ids, positions, rotations, velocities, angular_velocities } = self;
        ids.clear();
        positions.clear();
        rotations.clear();
        velocities.clear();
        angular_velocities.clear();
        for body in bodies {
            ids.push(body.id());
            positions.push(body.position());
            rotations.push(body.rotation());
            velocities.push(body.velocity());
            angular_velocities.push(body.angular_velocity());
        }
    }

    /// Refuses arrays of different lengths, and numbers that no body can have.
    fn check(&self) -> Result<(), WorldError> {
        let lengths = [
            self.positions.len(),
            self.rotations.len(),
            self.velocities.len(),
            self.angular_velocities.len(),
        ];
        if lengths.iter().any(|length| *length != self.len()) {
            let hint = "every array must have as many entries as there are ids";
            return Err(WorldError::value("the arrays", "length", lengths, hint));
        }
        for (at, id) in self.ids.iter().enumerate() {
            check_position(id, self.positions[at])?;
            check_rotation(id, self.rotations[at])?;
            check_vector(id, "velocity", self.velocities[at])?;
            check_vector(id, "angular velocity", self.angular_velocities[at])?;
        }
        Ok(())
    }
}

impl World {
    /// Copies poses and velocities of all bodies into arrays.
    pub fn read_bodies(&self, out: &mut BodyArrays) {
        out.fill(self.bodies());
    }

    /// The same of [bodies that moved](World::moved_bodies) alone.
    pub fn read_moved_bodies(&self, out: &mut BodyArrays) {
        out.fill(self.moved_bodies());
    }

    /// Gives bodies the poses and velocities of arrays, and wakes them; static bodies get no
    /// velocities.
    ///
    /// # Errors
    /// If an id is stale, a number is not finite, or the arrays have different lengths. Nothing has
    /// changed then.
    pub fn write_bodies(&mut self, arrays: &BodyArrays) -> Result<(), WorldError> {
        arrays.check()?;
        for &id in &arrays.ids {
            self.body(id)?;
        }
        for (at, &id) in arrays.ids.iter().enumerate() {
            let mut body = self.body_mut(id)?;
            body.set_pose(arrays.positions[at], arrays.rotations[at])?;
            body.set_velocity(arrays.velocities[at])?;
            body.set_angular_velocity(arrays.angular_velocities[at])?;
        }
        Ok(())
    }

    /// Motions by [`BodyId::index`], as the engine holds them: nothing is copied. They are those of
    /// centres of mass and principal axes, not of the frames of the bodies; entries of slots that
    /// are not in use mean nothing.
    ///
    /// ```
    /// use carom_dynamics::{BodyDef, ShapeDef, World, WorldDef};
    /// use carom_geometry::shape::Sphere;
    /// let mut world = World::new(WorldDef::default());
    /// let ball = ShapeDef::new(Sphere::new(0.5)?);
    /// let ball = world.add_body(BodyDef::dynamic().at(0.0, 9.0, 0.0), [ball])?;
    /// world.step(1.0 / 60.0)?;
    /// let motion = world.motions()[ball.index()];
    /// assert_eq!(motion.position, world.body(ball)?.centre_of_mass());
    /// assert!(motion.velocity.y < 0.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn motions(&self) -> &[Motion] {
        &self.state.bodies.motion
    }
}
