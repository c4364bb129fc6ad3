//! The whole state of a world, and the changes that concern several of its parts.
//!
//! Everything that the next steps depend on is in here; stages of the pipeline and solvers get it
//! together with a [`StepContext`](super::context::StepContext). What stages keep only to save
//! allocations is theirs.

use carom_broadphase::Space;

use super::bodies::{Bodies, LEAP, flag};
use super::contacts::{ActiveManifold, ContactInfo, Contacts};
use super::definition::BodyKind;
use super::events::Events;
use super::hooks::PairFilter;
use super::id::{JointId, NONE, ShapeId};
use super::islands::{Graph, Islands, LEVELS};
use super::joints::Joints;
use super::shapes::{ShapeCold, ShapeRow, Shapes};

/// Bodies, shapes, contacts, joints, their boxes, and what the last step left.
pub(crate) struct WorldState {
    pub(crate) bodies: Bodies,
    pub(crate) shapes: Shapes,
    pub(crate) contacts: Contacts,
    pub(crate) joints: Joints,
    /// The boxes of the shapes: what the broad phase works on.
    pub(crate) space: Space<3>,
    /// Boxes were inserted, moved or removed since the broad phase ran.
    pub(crate) is_space_changed: bool,
    /// The manifolds of the last step that had points.
    pub(crate) active_manifolds: Vec<ActiveManifold>,
    pub(crate) islands: Islands,
    pub(crate) events: Events,
    /// Length of the last step, 0 before the first.
    pub(crate) last_dt: f32,
    /// Length of the substeps of each level in the last step: impulses are in proportion to it.
    pub(crate) substep_lengths: [f32; LEVELS.len()],
}

impl WorldState {
    /// Nothing in a space.
    pub(crate) fn new(space: Space<3>) -> Self {
        Self {
            bodies: Bodies::default(),
            shapes: Shapes::default(),
            contacts: Contacts::default(),
            joints: Joints::default(),
            space,
            is_space_changed: false,
            active_manifolds: Vec::new(),
            islands: Islands::default(),
            events: Events::default(),
            last_dt: 0.0,
            substep_lengths: [0.0; LEVELS.len()],
        }
    }

    /// Begins a step of a length: the awake are listed, the events of the step before are gone.
    pub(crate) fn begin_step(&mut self, dt: f32) {
        self.wake_neighbours_of_moved();
        self.bodies.aim_at_targets(dt);
        self.bodies.refresh_awake();
        self.events.start();
        if dt > self.last_dt {
            self.bodies.forget_paths();
        }
        self.last_dt = dt;
    }

    /// Finds who holds whom and how stiffly, if it changed, and who swings, in a step of length
    /// `dt` with substeps of length `h`.
    pub(crate) fn find_islands(&mut self, gravity: f32, [dt, h]: [f32; 2]) {
        let graph = Graph { active_manifolds: &self.active_manifolds, joints: &self.joints };
        self.islands.update(graph, &self.bodies, gravity, [dt, h]);
    }

    /// Puts a shape on a body, with a box grown by half of `margin`.
    pub(crate) fn insert_shape(
        &mut self,
        body: u32,
        row: ShapeRow,
        shape: ShapeCold,
        margin: f32,
    ) -> ShapeId {
        let Some(cold) = self.bodies.cold.get(body) else {
            return ShapeId { slot: NONE, generation: 0 };
        };
        let place = cold.frame * shape.user_pose;
        let (is_static, is_enabled) = (cold.kind == BodyKind::Static, cold.is_enabled);
        let before = self.bodies.first_shapes[body as usize];
        let id = self.shapes.insert(body, row, shape, before);
        self.bodies.first_shapes[body as usize] = id.slot;
        if before != NONE {
            self.note_company(before, is_static);
        }
        let row = &mut self.shapes.rows[id.index()];
        row.has_siblings = before != NONE;
        row.is_enabled &= is_enabled;
        row.set_local_pose(place);
        let (reach, turn_radius) = (row.bounded_reach(), row.bounded_turn_radius());
        let aabb = row.tight_box(&self.bodies.motion[body as usize]).grown(0.5 * margin);
        let filter = self.shapes.filter(id.slot, is_static);
        if let Ok(proxy) = self.space.insert_filtered(aabb, filter) {
            self.shapes.set_proxy(id.slot, proxy);
        }
        let state = &mut self.bodies.state[body as usize];
        let larger = |a: f32, b: f32| if a > b { a } else { b };
        state.set_extent(larger(state.extent, reach), larger(state.turn_radius(), turn_radius));
        let row = &self.shapes.rows[id.index()];
        if row.half_thickness < state.half_thickness() && !row.is_sensor {
            state.set_half_thickness(row.half_thickness);
        }
        self.is_space_changed = true;
        id
    }

    /// A shape that was alone on its body is no longer: the two must not pair.
    fn note_company(&mut self, slot: u32, is_static: bool) {
        let row = &mut self.shapes.rows[slot as usize];
        if !std::mem::replace(&mut row.has_siblings, true) {
            self.renew_filter(slot, is_static);
        }
    }

    /// Tells the broad phase with whom a shape pairs now.
    pub(crate) fn renew_filter(&mut self, slot: u32, is_static: bool) {
        let proxy = self.shapes.rows[slot as usize].proxy;
        let filter = self.shapes.filter(slot, is_static);
        if self.space.table().filter(proxy) != filter {
            // The box is there: it was inserted with the shape.
            let _ = self.space.set_filter(proxy, filter);
        }
    }

    /// Takes a shape out of everything but the mass of its body.
    pub(crate) fn drop_shape(&mut self, slot: u32) {
        self.end_contacts(slot);
        let ShapeRow { body, proxy, .. } = self.shapes.rows[slot as usize];
        // The box is there: it was inserted with the shape.
        let _ = self.space.remove(proxy);
        let next = self.shapes.cold.get(slot).map_or(NONE, |cold| cold.next_of_body);
        let first = &mut self.bodies.first_shapes[body as usize];
        if *first == slot {
            *first = next;
        } else {
            let before = self
                .shapes
                .chain(*first)
                .find(|shape| self.shapes.cold.get(*shape).is_some_and(|other| other.next_of_body == slot));
            if let Some(other) = before.and_then(|before| self.shapes.cold.get_mut(before)) {
                other.next_of_body = next;
            }
        }
        if let Some(id) = self.shapes.cold.id_of::<ShapeId>(slot) {
            self.shapes.cold.remove(id);
        }
        self.is_space_changed = true;
    }

    /// Ends the contacts of a shape; they begin again with the next step if the shape is still
    /// there. Wakes who touched it.
    pub(crate) fn end_contacts(&mut self, slot: u32) {
        let (bodies, owner) = (&mut self.bodies, self.shapes.rows[slot as usize].body);
        self.contacts.forget_shape(slot, owner, |body| {
            if bodies.state[body as usize].has(flag::DYNAMIC) {
                bodies.set_awake(body, true);
            }
        });
        self.forget_ended();
    }

    /// Ends the contacts of all shapes of a body.
    pub(crate) fn end_contacts_of(&mut self, body: u32) {
        let shapes: Vec<u32> = self.shapes.chain(self.bodies.first_shapes[body as usize]).collect();
        for shape in shapes {
            self.end_contacts(shape);
        }
    }

    /// Wakes whoever is joined to a body.
    pub(crate) fn wake_joined_to(&mut self, body: u32) {
        let first = self.bodies.cold.get(body).map_or(NONE, |cold| cold.first_joint);
        let joints: Vec<u32> = self.joints.chain(body, first).collect();
        for joint in joints {
            self.wake_joined(joint);
        }
    }

    /// Follows the enabling of a body or one of its shapes: shapes that are disabled end their
    /// touches, and joints of a disabled body hold no longer. Wakes whom that concerns.
    pub(crate) fn renew_enabled(&mut self, body: u32) {
        let Some(cold) = self.bodies.cold.get(body) else { return };
        let (is_static, is_enabled, first_joint) =
            (cold.kind == BodyKind::Static, cold.is_enabled, cold.first_joint);
        let shapes: Vec<u32> = self.shapes.chain(self.bodies.first_shapes[body as usize]).collect();
        for slot in shapes {
            let wanted = is_enabled && self.shapes.cold.get(slot).is_some_and(|shape| shape.is_enabled);
            if self.shapes.rows[slot as usize].is_enabled != wanted {
                self.end_contacts(slot);
                self.shapes.rows[slot as usize].is_enabled = wanted;
                self.renew_filter(slot, is_static);
            }
        }
        let joints: Vec<u32> = self.joints.chain(body, first_joint).collect();
        for slot in joints {
            self.joints.renew_holding(slot, &self.bodies);
            self.wake_joined(slot);
        }
    }

    /// Wakes the bodies of a joint.
    pub(crate) fn wake_joined(&mut self, joint: u32) {
        for body in self.joints.rows[joint as usize].bodies {
            if self.bodies.state[body as usize].has(flag::DYNAMIC) {
                self.bodies.set_awake(body, true);
            }
        }
    }

    /// Rebuilds the boxes of a body that was inserted or moved by hand: those of a path that it is
    /// no longer on are of no use.
    pub(crate) fn rebuild_boxes(&mut self, slot: u32, margin: f32) {
        let state = &mut self.bodies.state[slot as usize];
        state.steps_left = 0;
        self.bodies.motion_bounds[slot as usize].travel += LEAP;
        self.bodies.note_driven(slot);
        let first = self.bodies.first_shapes[slot as usize];
        let motion = &self.bodies.motion[slot as usize];
        for shape in self.shapes.chain(first) {
            let row = &self.shapes.rows[shape as usize];
            let _ = self.space.set_box(row.proxy, &row.tight_box(motion).grown(0.5 * margin));
        }
        self.is_space_changed = true;
    }

    /// The filter of the user decides differently now.
    pub(crate) fn refilter(&mut self, filter: Option<&PairFilter>) {
        let mut woken = Vec::new();
        self.contacts.refilter(filter, &self.shapes, &self.bodies, |pair| woken.extend(pair));
        for body in woken {
            if self.bodies.state[body as usize].has(flag::DYNAMIC) {
                self.bodies.set_awake(body, true);
            }
        }
        self.forget_ended();
    }

    /// Tells of contacts that ended between steps, and takes them out of the list of the last step.
    fn forget_ended(&mut self) {
        self.events.take_ended(&mut self.contacts, &self.bodies, &self.shapes, false);
        let contacts = &self.contacts;
        self.active_manifolds.retain(|touch| contacts.is_live(touch.contact));
        self.is_space_changed = true;
    }

    /// Two bodies do not collide any more.
    pub(crate) fn part_bodies(&mut self, bodies: [u32; 2]) {
        self.contacts.forget_bodies(bodies);
        self.is_space_changed = true;
    }

    /// Removes a joint. Its bodies may collide now: all pairs without a contact are looked at
    /// again.
    pub(crate) fn drop_joint(&mut self, id: JointId) {
        self.joints.remove(id, &mut self.bodies);
        self.contacts.reconsider();
        self.is_space_changed = true;
    }

    /// Wakes what touched bodies that were moved by hand; once per step, as whole crowds may be
    /// moved that way.
    fn wake_neighbours_of_moved(&mut self) {
        if self.bodies.moved.is_empty() {
            return;
        }
        self.wake_if(|info, bodies| {
            info.is_touching && info.bodies.iter().any(|body| bodies.state[*body as usize].has(flag::MOVED))
        });
        self.bodies.forget_moved();
    }

    /// Wakes the bodies of all contacts of which something is true.
    pub(crate) fn wake_if(&mut self, is_meant: impl Fn(&ContactInfo, &Bodies) -> bool) {
        for slot in self.contacts.slots() {
            let info = &self.contacts.infos[slot as usize];
            if is_meant(info, &self.bodies) {
                for body in info.bodies {
                    if self.bodies.state[body as usize].has(flag::DYNAMIC) {
                        self.bodies.set_awake(body, true);
                    }
                }
            }
        }
    }
}
