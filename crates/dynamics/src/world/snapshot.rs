//! The state of a world, to go back to.
//!
//! A snapshot holds everything that the next steps depend on, to the bit: places, velocities,
//! impulses and memories of contacts, sleep, ids and free slots, boxes with their budgets and
//! numbers, events, gravity. Going on from it gives the bits that going on from there gave before.
//! What it does not hold is the structure of the broad phase, which is rebuilt from the boxes;
//! methods with the contract [`Contract::Exact`](carom_broadphase::broad_phase::Contract), the
//! default among them, find the same pairs then. (`dbvt` keeps margins of its own, and may pair
//! boxes that are near in one history and not in the other.)
//!
//! Shapes are shared, not copied: a snapshot of a world with a large mesh is small. [As
//! bytes](bytes) it can be kept or sent.

pub mod bytes;

use carom_broadphase::Table;
use carom_core::clone_fields;
use glam::Vec3;

use super::World;
use crate::pipeline::report::StepReport;
use crate::state::bodies::Bodies;
use crate::state::contacts::ActiveManifold;
use crate::state::contacts::Contacts;
use crate::state::events::Events;
use crate::state::islands::LEVELS;
use crate::state::joints::Joints;
use crate::state::settings::WorldDef;
use crate::state::shapes::Shapes;

/// A world at one time. See the [module](self).
#[derive(Debug, Default)]
pub struct Snapshot {
    bodies: Bodies,
    shapes: Shapes,
    contacts: Contacts,
    joints: Joints,
    boxes: Table<3>,
    gravity: Vec3,
    /// Lengths of the substeps, to which impulses are in proportion.
    last: [f32; LEVELS.len()],
    active_manifolds: Vec<ActiveManifold>,
    report: StepReport,
    events: Events,
    last_dt: f32,
    /// How the world computes, if that was wanted.
    settings: Option<WorldDef>,
}

clone_fields!(Snapshot {
    bodies,
    shapes,
    contacts,
    joints,
    boxes,
    gravity,
    last,
    active_manifolds,
    report,
    events,
    last_dt,
    settings,
});

impl Snapshot {
    /// With the settings of a world, which then are in its bytes too: all but threads, SIMD width
    /// and clock, which results do not depend on.
    ///
    /// ```
    /// use carom_dynamics::{Snapshot, World, WorldDef};
    /// let world = World::new(WorldDef::default().substeps(8));
    /// let bytes = world.snapshot().with_settings(world.settings()).to_bytes();
    /// let other = World::from_snapshot(&Snapshot::from_bytes(&bytes)?);
    /// assert_eq!(other.settings().substeps, 8);
    /// # Ok::<(), carom_dynamics::SnapshotError>(())
    /// ```
    #[must_use]
    pub fn with_settings(mut self, settings: &WorldDef) -> Self {
        self.settings = Some(settings.clone());
        self
    }

    /// The settings that it was given, if it was.
    #[must_use]
    pub fn settings(&self) -> Option<&WorldDef> {
        self.settings.as_ref()
    }
}

impl World {
    /// The state of the world as it is now.
    ///
    /// ```
    /// use carom_dynamics::{BodyDef, ShapeDef, World, WorldDef};
    /// use carom_geometry::shape::{HalfSpace, Sphere};
    /// let mut world = World::new(WorldDef::default());
    /// world.add_body(BodyDef::fixed(), [ShapeDef::new(HalfSpace)])?;
    /// world.add_body(BodyDef::dynamic().at(0.0, 2.0, 0.0), [ShapeDef::new(Sphere::new(0.5)?)])?;
    /// let then = world.snapshot();
    /// let mut run = |world: &mut World| {
    ///     (0..60).for_each(|_| drop(world.step(1.0 / 60.0)));
    ///     world.state_hash()
    /// };
    /// let first = run(&mut world);
    /// world.restore(&then);
    /// assert_eq!(run(&mut world), first);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        let mut snapshot = Snapshot::default();
        self.snapshot_into(&mut snapshot);
        snapshot
    }

    /// The same into a snapshot that was used before: nothing is allocated once it has grown. For
    /// rollback, keep a ring of them.
    ///
    /// ```
    /// use carom_dynamics::{BodyDef, ShapeDef, Snapshot, World, WorldDef};
    /// use carom_geometry::shape::Sphere;
    /// let mut world = World::new(WorldDef::default());
    /// let ball = ShapeDef::new(Sphere::new(0.5)?);
    /// let ball = world.add_body(BodyDef::dynamic().at(0.0, 9.0, 0.0), [ball])?;
    /// let mut ring = vec![Snapshot::default(); 8];
    /// for frame in 0..20 {
    ///     world.snapshot_into(&mut ring[frame % 8]);
    ///     world.step(1.0 / 60.0)?;
    /// }
    /// let late = world.body(ball)?.position();
    /// world.restore(&ring[16 % 8]);
    /// (16..20).try_for_each(|_| world.step(1.0 / 60.0).map(drop))?;
    /// assert_eq!(world.body(ball)?.position(), late);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn snapshot_into(&self, snapshot: &mut Snapshot) {
        snapshot.bodies.clone_from(&self.state.bodies);
        snapshot.shapes.clone_from(&self.state.shapes);
        snapshot.contacts.clone_from(&self.state.contacts);
        snapshot.joints.clone_from(&self.state.joints);
        snapshot.boxes.clone_from(self.state.space.table());
        snapshot.gravity = self.def.gravity;
        snapshot.last = self.state.substep_lengths;
        snapshot.active_manifolds.clone_from(&self.state.active_manifolds);
        snapshot.report.clone_from(&self.report);
        snapshot.events.clone_from(&self.state.events);
        snapshot.last_dt = self.state.last_dt;
        snapshot.settings = None;
    }

    /// A new world at a snapshot, with the settings of the snapshot, or default ones if it has
    /// none.
    #[must_use]
    pub fn from_snapshot(snapshot: &Snapshot) -> Self {
        let mut world = Self::new(snapshot.settings.clone().unwrap_or_default());
        world.restore(snapshot);
        world
    }

    /// Goes back to a snapshot, of this world or of another with the same settings. Ids are those
    /// of that time again.
    pub fn restore(&mut self, snapshot: &Snapshot) {
        self.state.bodies.clone_from(&snapshot.bodies);
        self.state.shapes.clone_from(&snapshot.shapes);
        self.state.contacts.clone_from(&snapshot.contacts);
        self.state.joints.clone_from(&snapshot.joints);
        self.state.space.restore(&snapshot.boxes, self.def.broad.broad_phase());
        self.def.gravity = snapshot.gravity;
        self.state.substep_lengths = snapshot.last;
        self.state.active_manifolds.clone_from(&snapshot.active_manifolds);
        self.report.clone_from(&snapshot.report);
        self.state.events.clone_from(&snapshot.events);
        self.state.last_dt = snapshot.last_dt;
        self.pipeline.quarantined.clear();
        // The pairs have to be found again; they will be the same.
        self.state.is_space_changed = true;
    }
}

/// A clone goes on to the same bits. It has threads of its own, as many as the original, and
/// shares its hooks.
///
/// ```
/// use carom_dynamics::{BodyDef, ShapeDef, World, WorldDef};
/// use carom_geometry::shape::{HalfSpace, Sphere};
/// let mut world = World::new(WorldDef::default());
/// world.add_body(BodyDef::fixed(), [ShapeDef::new(HalfSpace)])?;
/// world.add_body(BodyDef::dynamic().at(0.0, 2.0, 0.0), [ShapeDef::new(Sphere::new(0.5)?)])?;
/// let mut other = world.clone();
/// for _ in 0..60 {
///     world.step(1.0 / 60.0)?;
///     other.step(1.0 / 60.0)?;
///     assert_eq!(world.state_hash(), other.state_hash());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl Clone for World {
    fn clone(&self) -> Self {
        let mut world = Self::new(self.def.clone());
        world.restore(&self.snapshot());
        world.hooks = self.hooks.clone();
        world
    }
}
