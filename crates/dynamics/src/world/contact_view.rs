//! Reading contacts: who holds whom, where, and how hard.
//!
//! This is what there is to see of contacts after they were solved: read it when
//! [`World::step`] has returned. Impulses are those of the whole step, impacts that bounced
//! included. How the impulse of a manifold is spread over its points is that of the last substep.

use glam::{DVec3, Vec3};

use super::World;
use crate::state::bodies::flag;
use crate::state::error::WorldError;
use crate::state::hooks::ShapePair;
use crate::state::id::{BodyId, ShapeId};
use crate::state::impulses::Impulses;

/// Contact points of two shapes that share a normal. Shapes with parts may have several of these.
#[derive(Clone, Copy)]
pub struct ContactRef<'w> {
    world: &'w World,
    slot: u32,
    part: u16,
}

/// One point of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactPoint {
    /// Half-way between the surfaces, where the bodies are now.
    pub position: DVec3,
    /// Distance of the surfaces when the last step began; below zero where they overlapped.
    pub separation: f32,
    /// Impulse along the normal in the last step, N s.
    pub normal_impulse: f32,
}

impl ContactRef<'_> {
    /// The shapes.
    #[must_use]
    pub fn shapes(&self) -> [Option<ShapeId>; 2] {
        self.world.state.contacts.infos[self.slot as usize]
            .shapes
            .map(|slot| self.world.state.shapes.cold.id_of(slot))
    }

    /// Their bodies.
    #[must_use]
    pub fn bodies(&self) -> [Option<BodyId>; 2] {
        self.world.state.contacts.infos[self.slot as usize]
            .bodies
            .map(|slot| self.world.state.bodies.cold.id_of(slot))
    }

    /// Shapes and bodies with their user data, kinds, layers and velocities, as hooks see them.
    #[must_use]
    pub fn pair(&self) -> Option<ShapePair<'_>> {
        let state = &self.world.state;
        let slots = state.contacts.infos[self.slot as usize].shapes;
        ShapePair::new(slots, &state.bodies, &state.shapes)
    }

    /// Coefficient of friction that the materials make together. A contact modifier may have had
    /// it otherwise for the step.
    #[must_use]
    pub fn friction(&self) -> f32 {
        self.world.state.contacts.infos[self.slot as usize].friction
    }

    /// Restitution that the materials make together. A contact modifier may have had it otherwise
    /// for the step.
    #[must_use]
    pub fn restitution(&self) -> f32 {
        self.world.state.contacts.infos[self.slot as usize].restitution
    }

    /// Do the shapes touch, as far as the last step knew? If not, they were near enough to make
    /// contact points.
    #[must_use]
    pub fn is_touching(&self) -> bool {
        self.world.state.contacts.infos[self.slot as usize].is_touching
    }

    /// Unit vector from the first shape to the second.
    #[must_use]
    pub fn normal(&self) -> Vec3 {
        let info = &self.world.state.contacts.infos[self.slot as usize];
        let row = &self.world.state.shapes.rows[info.shapes[0] as usize];
        let local =
            row.local_pose.rotation.rotate(self.world.state.contacts.manifold(self.slot, self.part).normal);
        self.world.state.bodies.motion[info.bodies[0] as usize].rotation.rotate(local)
    }

    /// The points.
    pub fn points(&self) -> impl Iterator<Item = ContactPoint> + '_ {
        let impulses = self.impulses();
        let manifold = self.world.state.contacts.manifold(self.slot, self.part);
        let of_points = impulses.of_points(manifold.points().len());
        manifold.points().iter().zip(of_points).map(move |(point, normal_impulse)| {
            let (on_a, on_b) = (self.lifted(0, point.on_a), self.lifted(1, point.on_b));
            ContactPoint { position: (on_a + on_b) * 0.5, separation: point.separation, normal_impulse }
        })
    }

    /// Impulse along the normal of all points together in the last step, N s.
    #[must_use]
    pub fn normal_impulse(&self) -> f32 {
        self.impulses().total_normal
    }

    /// Impulse of friction on the second body in the last step, N s.
    #[must_use]
    pub fn friction_impulse(&self) -> Vec3 {
        self.impulses().total_friction
    }

    /// Impulse of the contact on the second body in the last step, N s: along the normal and by
    /// friction.
    #[must_use]
    pub fn impulse(&self) -> Vec3 {
        self.normal() * self.normal_impulse() + self.friction_impulse()
    }

    /// Force of the contact on the second body in the last step, N; its opposite acts on the first.
    #[must_use]
    pub fn force(&self) -> Vec3 {
        let dt = self.world.state.last_dt;
        if dt > 0.0 { self.impulse() / dt } else { Vec3::ZERO }
    }

    fn impulses(&self) -> Impulses {
        *self.world.state.contacts.impulses_of(self.slot, self.part)
    }

    /// World coordinates of a point of a shape.
    fn lifted(&self, side: usize, point: Vec3) -> DVec3 {
        let info = &self.world.state.contacts.infos[self.slot as usize];
        let motion = &self.world.state.bodies.motion[info.bodies[side] as usize];
        let place = &self.world.state.shapes.rows[info.shapes[side] as usize].local_pose;
        motion.position + motion.rotation.rotate(place.apply(point)).as_dvec3()
    }
}

impl World {
    /// Contacts that the last step solved, and those of sleeping bodies that touch, in a fixed
    /// order.
    ///
    /// ```
    /// use carom_dynamics::{BodyDef, ShapeDef, World, WorldDef};
    /// use carom_geometry::shape::{Cuboid, HalfSpace};
    /// use glam::Vec3;
    /// let mut world = World::new(WorldDef::default());
    /// world.add_body(BodyDef::fixed(), [ShapeDef::new(HalfSpace)])?;
    /// let cube = world.add_body(BodyDef::dynamic().at(0.0, 0.5, 0.0), [ShapeDef::new(Cuboid::new(Vec3::splat(0.5))?)])?;
    /// for _ in 0..60 {
    ///     world.step(1.0 / 60.0)?;
    /// }
    /// let contact = world.contacts_of(cube)?.next().unwrap();
    /// assert_eq!(contact.points().count(), 4);
    /// assert!((contact.force().y / (1000.0 * 9.81) - 1.0).abs() < 0.01, "it carries the weight");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn contacts(&self) -> impl Iterator<Item = ContactRef<'_>> + '_ {
        // The list of what was solved is in the order of contacts.
        let mut solved = self.state.active_manifolds.iter().peekable();
        let listed = self.state.contacts.slots().filter_map(move |slot| {
            let mut parts = 0;
            while solved.next_if(|touch| touch.contact == slot).is_some() {
                parts += 1;
            }
            if parts == 0 && self.sleeps_touching(slot) {
                let composite = self.state.contacts.parts_of(slot);
                parts = composite.map_or(1, |composite| composite.manifolds.len() as u16);
            }
            (parts > 0).then_some((slot, parts))
        });
        listed
            .flat_map(move |(slot, parts)| (0..parts).map(move |part| ContactRef { world: self, slot, part }))
    }

    /// The same for one body; looks through all.
    ///
    /// # Errors
    /// If the id is stale.
    pub fn contacts_of(&self, body: BodyId) -> Result<impl Iterator<Item = ContactRef<'_>> + '_, WorldError> {
        let body = self.state.bodies.cold.slot_of(body).ok_or_else(|| WorldError::stale(body))?;
        let is_its = move |contact: &ContactRef<'_>| {
            self.state.contacts.infos[contact.slot as usize].bodies.contains(&body)
        };
        Ok(self.contacts().filter(is_its))
    }

    fn sleeps_touching(&self, slot: u32) -> bool {
        let info = &self.state.contacts.infos[slot as usize];
        let is_awake = |body: &u32| self.state.bodies.state[*body as usize].has(flag::AWAKE);
        info.is_touching && !info.is_sensor && !info.bodies.iter().any(is_awake)
    }
}
