//! Hooks: functions of the user that decide which shapes collide and how contacts behave.
//!
//! They are called within [`World::step`] by the calling thread, one at a time, in an order that
//! does not depend on threads. A function that decides by what it is shown, and by data that does
//! not change within a step, keeps the world deterministic. Without hooks a step pays one
//! comparison for each kind.
//!
//! Hooks are no part of snapshots, neither in memory nor as bytes: [`World::restore`] leaves them
//! as they are, [`World::from_snapshot`] makes a world without. A clone of a world shares them.
//!
//! The contact modifier is the view of contacts before they are solved: pairs, points, normals,
//! velocities, impulses carried over. The view after is [`World::contacts`], an iterator to be read
//! when the step has returned: no function is called in the midst of a step to tell of impulses,
//! so it can change the world at will. Pairs pressed harder than a threshold are listed by
//! [`Events::contact_forces`](crate::Events::contact_forces).

use std::sync::Arc;

use super::World;
use crate::state::contact_modifier::ContactModifier;
use crate::state::hooks::ShapePair;

impl World {
    /// Sets a function that decides whether two shapes collide at all, beyond layers and groups;
    /// sensors included.
    ///
    /// It is asked when the AABBs of two shapes begin to overlap, and its answer counts until they
    /// part; for all pairs again when a filter is set, or with [`World::refilter_pairs`]. Answers
    /// that were given are in snapshots. Continuous collision asks it about what a fast body may
    /// have met beyond its AABBs. Queries do not ask it.
    ///
    /// ```
    /// use carom_dynamics::{BodyDef, ShapeDef, World, WorldDef};
    /// use carom_geometry::shape::{HalfSpace, Sphere};
    /// let mut world = World::new(WorldDef::default());
    /// // Only what has the same parity collides.
    /// world.set_pair_filter(|pair| pair.user_data()[0] % 2 == pair.user_data()[1] % 2);
    /// world.add_body(BodyDef::fixed(), [ShapeDef::new(HalfSpace).user_data(1)])?;
    /// let ball = ShapeDef::new(Sphere::new(0.5)?);
    /// let mut add = |data| world.add_body(BodyDef::dynamic().at(data as f64, 0.6, 0.0), [ball.clone().user_data(data)]);
    /// let (odd, even) = (add(3)?, add(4)?);
    /// for _ in 0..60 {
    ///     world.step(1.0 / 60.0)?;
    /// }
    /// assert!(world.body(odd)?.position().y > 0.4 && world.body(even)?.position().y < -3.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_pair_filter(&mut self, filter: impl Fn(&ShapePair<'_>) -> bool + Send + Sync + 'static) {
        self.hooks.pair_filter = Some(Arc::new(filter));
        self.refilter_pairs();
    }

    /// Removes the pair filter: layers and groups decide alone.
    pub fn clear_pair_filter(&mut self) {
        self.hooks.pair_filter = None;
        self.refilter_pairs();
    }

    /// Asks the pair filter again about all pairs, when what it decides by has changed. Contacts
    /// that it no longer allows end, and their bodies wake.
    pub fn refilter_pairs(&mut self) {
        self.state.refilter(self.hooks.pair_filter.as_ref());
    }

    /// Sets a function that sees every manifold between narrow phase and solver, and may change it
    /// for the step: friction, restitution, surface velocity; or leave out points, or all of it.
    /// Contacts of sleeping bodies are not shown, nor are sensors.
    ///
    /// Continuous collision, which stops bodies that move by more than half their thickness in a
    /// step, shows it the impact that it would stop a body at: one point, with both bodies where
    /// they meet. If that is disabled, the body goes on. Of two shapes only the first meeting in a
    /// step is shown.
    ///
    /// ```
    /// use carom_dynamics::{BodyDef, ShapeDef, World, WorldDef};
    /// use carom_geometry::shape::{Cuboid, Sphere};
    /// use glam::Vec3;
    /// let mut world = World::new(WorldDef::default());
    /// let ledge = ShapeDef::new(Cuboid::new(Vec3::new(2.0, 0.1, 2.0))?);
    /// let ledge = world.add_body(BodyDef::fixed().at(0.0, 2.0, 0.0), [ledge])?;
    /// let platform = world.body(ledge)?.shapes().next().unwrap();
    /// world.set_contact_modifier(move |contact| contact.one_way(platform, Vec3::Y));
    /// let jumper = BodyDef::dynamic().at(0.0, 0.5, 0.0).velocity(Vec3::Y * 8.0);
    /// let jumper = world.add_body(jumper, [ShapeDef::new(Sphere::new(0.3)?)])?;
    /// for _ in 0..180 {
    ///     world.step(1.0 / 60.0)?;
    /// }
    /// assert!((world.body(jumper)?.position().y - 2.4).abs() < 0.01, "it stands on the ledge");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_contact_modifier(
        &mut self,
        modify: impl Fn(&mut ContactModifier<'_>) + Send + Sync + 'static,
    ) {
        self.hooks.modify_contact = Some(Arc::new(modify));
    }

    /// Removes the contact modifier.
    pub fn clear_contact_modifier(&mut self) {
        self.hooks.modify_contact = None;
    }
}
