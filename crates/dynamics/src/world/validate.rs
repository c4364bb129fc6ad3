//! Invariants of a world, each checked the slow and obvious way.

use super::World;
use crate::state::bodies::flag;
use crate::state::id::{BodyId, JointId, NONE, ShapeId};
use crate::state::motion::is_near;
use crate::state::violation::Violation;

impl World {
    /// Lists broken invariants; empty for every world, between any two calls. Slow: for tests, and
    /// for whoever mistrusts.
    #[must_use]
    pub fn validate(&self) -> Vec<Violation> {
        let mut out = Vec::new();
        let mut is_named = vec![false; self.state.shapes.rows.len()];
        for (id, _) in self.state.bodies.cold.iter::<BodyId>() {
            self.check_body(id, &mut out);
            self.check_chain(id, &mut is_named, &mut out);
        }
        for (id, _) in self.state.shapes.cold.iter::<ShapeId>() {
            if is_named.get(id.index()) != Some(&true) {
                out.push(Violation::Orphan { shape: id });
            } else {
                self.check_shape(id, &mut out);
            }
        }
        let before = out.len();
        for (id, _) in self.state.bodies.cold.iter::<BodyId>() {
            self.check_joint_chain(id, &mut out);
        }
        // The joints are asked for through these lists.
        let has_chains = out.len() == before;
        for (id, _) in self.state.joints.cold.iter::<JointId>().filter(|_| has_chains) {
            if let Err(what) = self.state.joints.check(id, &self.state.bodies) {
                out.push(Violation::Joint { joint: id, what });
            }
        }
        self.check_awake(&mut out);
        self.check_targets(&mut out);
        let is_current = !self.state.is_space_changed;
        self.state.contacts.check(
            &self.state.space,
            &self.state.shapes,
            &self.state.bodies,
            is_current,
            &mut out,
        );
        self.check_traces(&mut out);
        out
    }

    fn check_body(&self, id: BodyId, out: &mut Vec<Violation>) {
        let at = id.index();
        let (motion, state, mass) =
            (&self.state.bodies.motion[at], &self.state.bodies.state[at], &self.state.bodies.mass[at]);
        let Some(cold) = self.state.bodies.cold.get(id.slot) else { return };
        let kind = cold.kind;
        let unit = motion.rotation.xyz.length_squared() + motion.rotation.w * motion.rotation.w;
        if unit.is_finite() && (unit - 1.0).abs() > 1e-4 {
            out.push(Violation::Rotation { body: id });
        } else if !motion.is_sane() {
            out.push(Violation::NotFinite { body: id, what: "its place or velocity" });
        }
        if !(state.extent.is_finite() && state.still.is_finite() && state.budget.is_finite()) {
            out.push(Violation::NotFinite { body: id, what: "what its steps note" });
        }
        let is_dynamic = kind.is_dynamic();
        let has_mass = mass.root_mass > 0.0 && mass.root_mass.is_finite() && cold.mass > 0.0;
        if has_mass != is_dynamic || !mass.root_inertia.is_finite() {
            out.push(Violation::Mass { body: id, kind });
        }
        let moves = flag::of_kind(kind, cold.is_enabled);
        let is_moved = state.flags & (flag::DYNAMIC | flag::KINEMATIC) == moves;
        if !(is_moved && (moves != 0 || !state.has(flag::AWAKE))) {
            out.push(Violation::Flags { body: id, kind });
        }
        if self.state.bodies.rows[id.index()] != NONE {
            out.push(Violation::Row { body: id });
        }
    }

    fn check_chain(&self, id: BodyId, is_named: &mut [bool], out: &mut Vec<Violation>) {
        let first = self.state.bodies.first_shapes[id.index()];
        for slot in
            std::iter::successors(Some(first), |slot| Some(self.state.shapes.cold.get(*slot)?.next_of_body))
        {
            if slot == NONE {
                return;
            }
            let next = self.state.shapes.cold.get(slot).map(|cold| cold.next_of_body);
            let is_alone = slot == first && next == Some(NONE);
            let is_its = next.is_some()
                && self.state.shapes.rows[slot as usize].body == id.slot
                && self.state.shapes.rows[slot as usize].has_siblings != is_alone
                && !std::mem::replace(&mut is_named[slot as usize], true);
            if !is_its {
                out.push(Violation::Chain { body: id, slot });
                return;
            }
        }
    }

    fn check_traces(&self, out: &mut Vec<Violation>) {
        for touch in &self.state.active_manifolds {
            if touch.contact as usize >= self.state.contacts.infos.len() {
                out.push(Violation::Trace { what: "contact", slot: touch.contact });
            }
        }
        for slot in self.state.contacts.ended.iter().flat_map(|ended| ended.shapes) {
            if slot as usize >= self.state.shapes.rows.len() {
                out.push(Violation::Trace { what: "shape", slot });
            }
        }
    }

    fn check_joint_chain(&self, id: BodyId, out: &mut Vec<Violation>) {
        let mut slot = self.state.bodies.cold.get(id.slot).map_or(NONE, |cold| cold.first_joint);
        let mut left = self.state.joints.rows.len();
        while slot != NONE {
            let end = self.state.joints.cold.get(slot).and_then(|cold| {
                let end =
                    self.state.joints.rows[slot as usize].bodies.iter().position(|body| *body == id.slot)?;
                Some(cold.next[end])
            });
            match end {
                // A list that does not end is longer than there are joints.
                Some(next) if left > 0 => (slot, left) = (next, left - 1),
                _ => {
                    out.push(Violation::JointChain { body: id, slot });
                    return;
                }
            }
        }
    }

    fn check_shape(&self, id: ShapeId, out: &mut Vec<Violation>) {
        let row = &self.state.shapes.rows[id.index()];
        let table = self.state.space.table();
        if !table.is_alive(row.proxy) || self.state.shapes.of_proxy(row.proxy) != id.slot {
            out.push(Violation::NoBox { shape: id });
            return;
        }
        let motion = &self.state.bodies.motion[row.body as usize];
        // A body that is not sane has been reported already.
        if motion.is_sane() && !table.aabb(row.proxy).contains(&row.tight_box(motion)) {
            out.push(Violation::OutOfBox { shape: id });
        }
        let is_enabled = |id: ShapeId| {
            Some(
                self.state.shapes.cold.get(id.slot)?.is_enabled
                    && self.state.bodies.cold.get(row.body)?.is_enabled,
            )
        };
        if Some(row.is_enabled) != is_enabled(id) {
            out.push(Violation::Enabled { shape: id });
        }
        let state = &self.state.bodies.state[row.body as usize];
        let is_static = state.flags & (flag::DYNAMIC | flag::KINEMATIC) == 0;
        if table.filter(row.proxy) != self.state.shapes.filter(id.slot, is_static) {
            out.push(Violation::Filter { shape: id });
        }
        if let Some(body) = self.state.bodies.cold.id_of(row.body)
            && row.bounded_reach() > state.extent * 1.0001
        {
            out.push(Violation::Extent { shape: id, body });
        }
    }

    fn check_targets(&self, out: &mut Vec<Violation>) {
        let bodies = &self.state.bodies;
        let mut before = None;
        for target in &bodies.targets {
            let is_kinematic = bodies.state.get(target.slot as usize).is_some_and(|s| s.has(flag::KINEMATIC));
            if !is_kinematic || before >= Some(target.slot) || !is_near(target.position) {
                out.push(Violation::Target { slot: target.slot });
            }
            before = Some(target.slot);
        }
    }

    fn check_awake(&self, out: &mut Vec<Violation>) {
        for (slot, state) in self.state.bodies.state.iter().enumerate() {
            let slot = slot as u32;
            let is_listed = self.state.bodies.awake.binary_search(&slot).is_ok();
            let is_wrong = self.state.bodies.is_awake_current() && is_listed != state.has(flag::AWAKE);
            if is_wrong || state.has(flag::AWAKE) && self.state.bodies.cold.get(slot).is_none() {
                out.push(Violation::AwakeList { slot });
            }
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::state::bodies::targets::KinematicTarget;
    use crate::state::events::Ended;
    use crate::state::motion::Motion;
    use crate::{BodyDef, JointDef, ShapeDef, WorldDef};
    use carom_geometry::shape::{Cuboid, HalfSpace, Sphere};
    use carom_geometry::{Pose, Shape};
    use glam::Vec3;

    /// Ground, and some bodies of two shapes that lie on it.
    pub(crate) fn scene() -> World {
        let mut world = World::new(WorldDef::default());
        let cube = Shape::from(Cuboid::new(Vec3::splat(0.5)).expect("sizes are good"));
        let ball = Shape::from(Sphere::new(0.4).expect("sizes are good"));
        world.add_body(BodyDef::fixed(), [ShapeDef::new(HalfSpace)]).expect("it is good");
        for k in 0..4 {
            let shapes =
                [ShapeDef::new(cube.clone()), ShapeDef::new(ball.clone()).local_pose(Pose::at(Vec3::Y))];
            world.add_body(BodyDef::dynamic().at(f64::from(k) * 1.1, 0.6, 0.0), shapes).expect("it is good");
        }
        let ids: Vec<BodyId> = world.body_ids().collect();
        world.add_joint(JointDef::ball(ids[1], ids[2])).expect("it is good");
        for _ in 0..20 {
            world.step(1.0 / 60.0).expect("dt is good");
            assert_eq!(world.validate(), []);
        }
        world
    }

    #[test]
    fn each_broken_invariant_is_found_and_named() {
        type Break = fn(&mut World);
        type Expected = fn(&Violation) -> bool;
        let breaks: [(Break, Expected); 26] = [
            (|w| w.state.joints.rows[0].bodies[1] = 77, |v| matches!(v, Violation::JointChain { .. })),
            (|w| w.state.joints.rows[0].is_there = false, |v| matches!(v, Violation::Joint { .. })),
            (|w| w.state.joints.impulses[0].hold[1] = f32::NAN, |v| matches!(v, Violation::Joint { .. })),
            (
                |w| w.state.bodies.cold.get_mut(2).expect("alive").first_joint = NONE,
                |v| matches!(v, Violation::Joint { .. }),
            ),
            (
                |w| w.state.joints.cold.get_mut(0).expect("alive").next = [0; 2],
                |v| matches!(v, Violation::JointChain { slot: 0, .. }),
            ),
            (
                |w| w.state.bodies.cold.get_mut(4).expect("alive").first_joint = 0,
                |v| matches!(v, Violation::JointChain { .. }),
            ),
            (
                |w| w.state.bodies.cold.get_mut(4).expect("alive").first_joint = 99,
                |v| matches!(v, Violation::JointChain { slot: 99, .. }),
            ),
            (|w| w.state.joints.rows[0].level = 9, |v| matches!(v, Violation::Joint { .. })),
            (
                |w| w.state.active_manifolds[0].contact = 99,
                |v| matches!(v, Violation::Trace { what: "contact", slot: 99 }),
            ),
            (
                |w| w.state.contacts.ended.push(Ended { shapes: [99, 0], is_sensor: false }),
                |v| matches!(v, Violation::Trace { what: "shape", slot: 99 }),
            ),
            (
                |w| w.state.bodies.motion[1].velocity.x = f32::NAN,
                |v| matches!(v, Violation::NotFinite { .. }),
            ),
            (|w| w.state.bodies.state[1].budget = f32::NAN, |v| matches!(v, Violation::NotFinite { .. })),
            (|w| w.state.bodies.motion[1].rotation.w = 2.0, |v| matches!(v, Violation::Rotation { .. })),
            (|w| w.state.bodies.mass[1].root_mass = 0.0, |v| matches!(v, Violation::Mass { .. })),
            (|w| w.state.bodies.state[0].flags |= flag::KINEMATIC, |v| matches!(v, Violation::Flags { .. })),
            (|w| w.state.bodies.rows[1] = 3, |v| matches!(v, Violation::Row { .. })),
            (|w| w.state.bodies.state[1].extent = 0.1, |v| matches!(v, Violation::Extent { .. })),
            (|w| w.state.shapes.rows[1].body = 2, |v| matches!(v, Violation::Chain { .. })),
            (|w| w.state.bodies.first_shapes[1] = NONE, |v| matches!(v, Violation::Orphan { .. })),
            (
                |w| w.state.shapes.rows[1].proxy = w.state.shapes.rows[2].proxy,
                |v| matches!(v, Violation::NoBox { .. }),
            ),
            (|w| w.state.bodies.motion[1].position.x += 9.0, |v| matches!(v, Violation::OutOfBox { .. })),
            (
                |w| w.state.shapes.cold.get_mut(1).expect("alive").layers.mask = 7,
                |v| matches!(v, Violation::Filter { .. }),
            ),
            (|w| w.state.shapes.rows[1].is_enabled = false, |v| matches!(v, Violation::Enabled { .. })),
            (
                |w| w.state.bodies.cold.get_mut(1).expect("alive").is_enabled = false,
                |v| matches!(v, Violation::Flags { .. }),
            ),
            (
                |w| {
                    let Motion { position, rotation, .. } = w.state.bodies.motion[1];
                    w.state.bodies.set_target(KinematicTarget {
                        slot: 1,
                        position,
                        rotation,
                        is_reached: false,
                    });
                },
                |v| matches!(v, Violation::Target { slot: 1 }),
            ),
            (|w| w.state.bodies.awake.truncate(2), |v| matches!(v, Violation::AwakeList { .. })),
        ];
        for (number, (break_it, expected)) in breaks.into_iter().enumerate() {
            let mut world = scene();
            break_it(&mut world);
            let found = world.validate();
            assert!(found.iter().any(expected), "case {number}: {found:?}");
        }
        // A list of shapes that never ends.
        let mut world = scene();
        let first = world.state.bodies.first_shapes[1];
        for slot in [1, 2] {
            world.state.shapes.cold.get_mut(slot).expect("alive").next_of_body = first;
        }
        assert!(world.validate().iter().any(|found| matches!(found, Violation::Chain { .. })));
    }
}
