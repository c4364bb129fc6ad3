//! Going through everything in a world, in the order of slots: the same for equal histories.

use super::World;
use super::access::{BodyRef, ShapeRef};
use super::joint_access::JointRef;
use crate::state::bodies::flag;
use crate::state::id::{BodyId, ShapeId};

impl World {
    /// All bodies.
    ///
    /// ```
    /// use carom_dynamics::{BodyDef, ShapeDef, World, WorldDef};
    /// use carom_geometry::shape::{HalfSpace, Sphere};
    /// let mut world = World::new(WorldDef::default());
    /// world.add_body(BodyDef::fixed(), [ShapeDef::new(HalfSpace)])?;
    /// let ball = world.add_body(BodyDef::dynamic().at(0.0, 9.0, 0.0), [ShapeDef::new(Sphere::new(0.5)?)])?;
    /// world.step(1.0 / 60.0)?;
    /// assert_eq!(world.bodies().count(), 2);
    /// assert!(world.awake_bodies().map(|body| body.id()).eq([ball]));
    /// assert!(world.moved_bodies().map(|body| body.id()).eq([ball]));
    /// assert_eq!(world.shapes().filter(|shape| shape.body() == Some(ball)).count(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bodies(&self) -> impl Iterator<Item = BodyRef<'_>> {
        self.body_ids().map(|id| BodyRef { world: self, id, slot: id.slot })
    }

    /// All bodies that take part in steps at present: kinematic ones, and dynamic ones that are not
    /// asleep.
    pub fn awake_bodies(&self) -> impl Iterator<Item = BodyRef<'_>> {
        self.bodies().filter(BodyRef::is_awake)
    }

    /// All bodies that moved in the last step, those that fell asleep in it among them, or were put
    /// elsewhere by hand since. What is drawn of the others need not be touched. Bodies that were
    /// inserted since need not be among them, and after [`World::restore`] any body may have moved.
    pub fn moved_bodies(&self) -> impl Iterator<Item = BodyRef<'_>> {
        let bodies = &self.state.bodies;
        let mut by_hand = bodies.moved.clone();
        by_hand.sort_unstable();
        // What has no velocity has not moved, if velocities are all that moves it.
        let stands = |slot: u32| {
            let is_kinematic = bodies.state[slot as usize].has(flag::KINEMATIC);
            is_kinematic && !bodies.motion[slot as usize].is_moving()
        };
        let awake = bodies.awake.iter().copied().filter(move |slot| !stands(*slot));
        let slots = merged(awake, by_hand.into_iter());
        slots.filter_map(|slot| Some(BodyRef { world: self, id: bodies.cold.id_of::<BodyId>(slot)?, slot }))
    }

    /// Ids of all shapes.
    pub fn shape_ids(&self) -> impl Iterator<Item = ShapeId> + '_ {
        self.state.shapes.cold.iter().map(|(id, _)| id)
    }

    /// All shapes.
    pub fn shapes(&self) -> impl Iterator<Item = ShapeRef<'_>> {
        self.shape_ids().map(|id| ShapeRef { world: self, id, slot: id.slot })
    }

    /// All joints.
    pub fn joints(&self) -> impl Iterator<Item = JointRef<'_>> {
        self.joint_ids().map(|id| JointRef { world: self, id, slot: id.slot })
    }
}

/// The numbers of two ascending lists, ascending and each once.
fn merged(a: impl Iterator<Item = u32>, b: impl Iterator<Item = u32>) -> impl Iterator<Item = u32> {
    let (mut a, mut b) = (a.peekable(), b.peekable());
    std::iter::from_fn(move || {
        let next = match (a.peek().copied(), b.peek().copied()) {
            (Some(one), Some(other)) => one.min(other),
            (one, other) => one.or(other)?,
        };
        a.next_if_eq(&next);
        b.next_if_eq(&next);
        Some(next)
    })
}
