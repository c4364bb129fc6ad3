//! The world of two dimensions.

use carom_dynamics as engine;
use carom_dynamics::{
    BodyId, ContactModifier, Events, JointId, JointMut, JointRef, ShapeId, ShapeMut, ShapeRef, Snapshot,
    StepReport, WorldDef, WorldError,
};
use carom_geometry::{Pose, Rotation};
use glam::{DVec2, Vec2};

use crate::body::{Body, BodyMut};
use crate::definition::{BodyDef, ShapeDef};
use crate::joint::JointDef;
use crate::point;

/// Bodies in a plane, what they are made of, and how they meet.
///
/// ```
/// use carom_dynamics2d::{BodyDef, ShapeDef, World, WorldDef};
/// use glam::Vec2;
/// let mut world = World::new(WorldDef::default());
/// let hills = [[-20.0, 3.0], [-5.0, 0.0], [5.0, 0.0], [20.0, 4.0]].map(Vec2::from);
/// world.add_body(BodyDef::fixed(), ShapeDef::chain(&hills)?)?;
/// let ball = world.add_body(BodyDef::dynamic().at(0.0, 3.0), [ShapeDef::circle(0.5)?])?;
/// for _ in 0..240 {
///     world.step(1.0 / 60.0)?;
/// }
/// assert!((world.body(ball)?.position().y - 0.5).abs() < 0.01);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct World {
    world: engine::World,
}

impl World {
    /// An empty world.
    #[must_use]
    pub fn new(def: WorldDef) -> Self {
        Self { world: engine::World::new(def) }
    }

    /// A world from a snapshot, with its settings if it has them.
    #[must_use]
    pub fn from_snapshot(snapshot: &Snapshot) -> Self {
        Self { world: engine::World::from_snapshot(snapshot) }
    }

    /// Moves the world on by `dt` seconds.
    ///
    /// # Errors
    /// If `dt` is no number above 0 and at most 1, or too many pairs of boxes overlap.
    pub fn step(&mut self, dt: f32) -> Result<&StepReport, WorldError> {
        self.world.step(dt)
    }

    /// Inserts a body with its shapes.
    ///
    /// # Errors
    /// If a number is not finite, or a dynamic body would have no mass. Nothing is inserted then.
    #[allow(clippy::needless_pass_by_value)] // given away, as in three dimensions
    pub fn add_body(
        &mut self,
        def: BodyDef,
        shapes: impl IntoIterator<Item = ShapeDef>,
    ) -> Result<BodyId, WorldError> {
        self.world.add_body(def.engine(), shapes.into_iter().map(ShapeDef::into_engine))
    }

    /// Removes a body with its shapes and joints.
    ///
    /// # Errors
    /// If the id is stale.
    pub fn remove_body(&mut self, id: BodyId) -> Result<(), WorldError> {
        self.world.remove_body(id)
    }

    /// Adds a shape to a body.
    ///
    /// # Errors
    /// If the id is stale or the shape cannot be.
    pub fn add_shape(&mut self, body: BodyId, def: &ShapeDef) -> Result<ShapeId, WorldError> {
        self.world.add_shape(body, def.engine())
    }

    /// Removes a shape from its body.
    ///
    /// # Errors
    /// If the id is stale, or the body would have no mass.
    pub fn remove_shape(&mut self, shape: ShapeId) -> Result<(), WorldError> {
        self.world.remove_shape(shape)
    }

    /// Joins two bodies.
    ///
    /// # Errors
    /// If an id is stale or a number cannot be.
    #[allow(clippy::needless_pass_by_value)] // given away, as in three dimensions
    pub fn add_joint(&mut self, def: JointDef) -> Result<JointId, WorldError> {
        self.world.add_joint(def.engine())
    }

    /// Removes a joint.
    ///
    /// # Errors
    /// If the id is stale.
    pub fn remove_joint(&mut self, id: JointId) -> Result<(), WorldError> {
        self.world.remove_joint(id)
    }

    /// Moves the place that a mouse joint pulls to.
    ///
    /// # Errors
    /// If the id is stale or the place not finite.
    ///
    /// ```
    /// use carom_dynamics2d::{BodyDef, JointDef, ShapeDef, Spring, World, WorldDef};
    /// use glam::DVec2;
    /// let mut world = World::new(WorldDef::default());
    /// let ground = world.add_body(BodyDef::fixed(), [])?;
    /// let ball = world.add_body(BodyDef::dynamic(), [ShapeDef::circle(0.5)?])?;
    /// let mouse = world.add_joint(JointDef::mouse(ground, ball, DVec2::ZERO, Spring::new(5.0, 1.0)))?;
    /// world.set_mouse_target(mouse, DVec2::new(3.0, 1.0))?;
    /// for _ in 0..120 {
    ///     world.step(1.0 / 60.0)?;
    /// }
    /// assert!((world.body(ball)?.position() - DVec2::new(3.0, 1.0)).length() < 0.02);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_mouse_target(&mut self, joint: JointId, target: DVec2) -> Result<(), WorldError> {
        let view = self.world.joint(joint)?;
        let Some([ground, body]) = view.bodies() else { return Ok(()) };
        let [own, other] = view.local_frames();
        let ground = self.world.body(ground)?;
        let away = (point(target) - ground.position()).as_vec3();
        let own = Pose { translation: ground.rotation().rotate_back(away), ..own };
        self.world.joint_mut(joint)?.set_local_frames([own, other])?;
        self.world.body_mut(body)?.wake();
        Ok(())
    }

    /// Looks at a body.
    ///
    /// # Errors
    /// If the id is stale.
    pub fn body(&self, id: BodyId) -> Result<Body<'_>, WorldError> {
        self.world.body(id).map(Body)
    }

    /// Changes a body.
    ///
    /// # Errors
    /// If the id is stale.
    pub fn body_mut(&mut self, id: BodyId) -> Result<BodyMut<'_>, WorldError> {
        self.world.body_mut(id).map(BodyMut)
    }

    /// All bodies, in the order of their slots.
    pub fn bodies(&self) -> impl Iterator<Item = Body<'_>> {
        self.world.bodies().map(Body)
    }

    /// The bodies that moved in the last step, or by hand since.
    pub fn moved_bodies(&self) -> impl Iterator<Item = Body<'_>> {
        self.world.moved_bodies().map(Body)
    }

    /// Number of bodies.
    #[must_use]
    pub fn len(&self) -> usize {
        self.world.len()
    }

    /// True if there is no body.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.world.is_empty()
    }

    /// Looks at a shape.
    ///
    /// # Errors
    /// If the id is stale.
    pub fn shape(&self, id: ShapeId) -> Result<ShapeRef<'_>, WorldError> {
        self.world.shape(id)
    }

    /// Changes a shape.
    ///
    /// # Errors
    /// If the id is stale.
    pub fn shape_mut(&mut self, id: ShapeId) -> Result<ShapeMut<'_>, WorldError> {
        self.world.shape_mut(id)
    }

    /// Looks at a joint.
    ///
    /// # Errors
    /// If the id is stale.
    pub fn joint(&self, id: JointId) -> Result<JointRef<'_>, WorldError> {
        self.world.joint(id)
    }

    /// Changes a joint.
    ///
    /// # Errors
    /// If the id is stale.
    pub fn joint_mut(&mut self, id: JointId) -> Result<JointMut<'_>, WorldError> {
        self.world.joint_mut(id)
    }

    /// Changes the gravity, m/s². Everything wakes up.
    ///
    /// # Errors
    /// If a number is not finite.
    pub fn set_gravity(&mut self, gravity: Vec2) -> Result<(), WorldError> {
        self.world.set_gravity(gravity.extend(0.0))
    }

    /// What happened in the last step.
    #[must_use]
    pub fn events(&self) -> &Events {
        self.world.events()
    }

    /// Asks a function about every contact before it is solved: one-way platforms, conveyor belts.
    /// Vectors in it have z = 0, and must keep that.
    ///
    /// ```
    /// use carom_dynamics2d::{BodyDef, ShapeDef, World, WorldDef};
    /// use glam::{Vec2, Vec3};
    /// let mut world = World::new(WorldDef::default());
    /// let ledge = world.add_body(BodyDef::fixed().at(0.0, 2.0), [ShapeDef::rectangle(2.0, 0.1)?])?;
    /// let top = world.body(ledge)?.shapes().next().unwrap();
    /// world.set_contact_modifier(move |contact| contact.one_way(top, Vec3::Y));
    /// let jump = BodyDef::dynamic().velocity(Vec2::Y * 8.0);
    /// let ball = world.add_body(jump, [ShapeDef::circle(0.3)?])?;
    /// for _ in 0..150 {
    ///     world.step(1.0 / 60.0)?;
    /// }
    /// assert!((world.body(ball)?.position().y - 2.4).abs() < 0.01, "up through it, down onto it");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_contact_modifier(
        &mut self,
        modifier: impl Fn(&mut ContactModifier<'_>) + Send + Sync + 'static,
    ) {
        self.world.set_contact_modifier(modifier);
    }

    /// A copy of all state that later steps depend on.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        self.world.snapshot()
    }

    /// Goes back to a snapshot.
    pub fn restore(&mut self, snapshot: &Snapshot) {
        self.world.restore(snapshot);
    }

    /// A fingerprint of places and velocities: equal for equal histories.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        self.world.state_hash()
    }

    /// Lets so many threads work on the next steps. The results do not depend on it.
    pub fn set_threads(&mut self, threads: usize) {
        self.world.set_threads(threads);
    }

    /// The world below, of three dimensions.
    #[must_use]
    pub fn engine(&self) -> &engine::World {
        &self.world
    }

    /// The world below. Bodies that are added to it, or whose locked axes are changed in it, are
    /// not
    /// kept in the plane.
    pub fn engine_mut(&mut self) -> &mut engine::World {
        &mut self.world
    }

    /// Do all bodies lie in the plane, move in it and turn in it, to the bit?
    #[must_use]
    pub fn is_planar(&self) -> bool {
        let is_turn = |rotation: Rotation| rotation.xyz.x == 0.0 && rotation.xyz.y == 0.0;
        self.world.bodies().all(|body| {
            let spin = body.angular_velocity();
            body.position().z == 0.0
                && body.velocity().z == 0.0
                && spin.x == 0.0
                && spin.y == 0.0
                && is_turn(body.rotation())
        })
    }
}
