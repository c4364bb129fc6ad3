//! `auto`: whichever method is cheapest for the scene as it is.
//!
//! A few features of the scene (how many boxes, how many move and how far, how they lie and
//! overlap: [`features`]) go into a cost model whose prices were fitted to measurements ([`model`],
//! `docs/advise.md`). Nothing is timed at run time: the choice depends on the boxes alone, so
//! counters and remarks are the same everywhere. A change costs a set-up, so it has to be worth it:
//! the other method must have been predicted clearly cheaper several times in a row. Only the first
//! look at motion counts at once, since the choice before it was blind.
//!
//! A look costs up to twenty microseconds, as much as an update of a hundred boxes. So looks become
//! rarer as long as they change nothing, and come early when the number of boxes or movers has.

pub mod features;
pub mod fitted;
pub mod model;

use carom_core::threads::ThreadPool;
use carom_geometry::Aabb;

use crate::broad_phase::{BroadPhase, Contract, Counters, Found, Hierarchy, Outcome};
use crate::method::About;
use crate::{Method, Table};
use features::Features;

/// Updates to the first look that knows of motion, and between two looks at first.
const FIRST: u32 = 2;
const INTERVAL: u32 = 8;
/// Most updates between two looks, when none changes anything: a second of most simulations.
const MOST: u32 = 64;
/// A scene whose number of boxes or movers is another by this factor is looked at again.
const CHANGED: f32 = 1.5;
/// Looks that must agree before the method is changed.
const AGREEING: u32 = 2;
/// The other method must be predicted at most this share of the present one's cost.
const WORTH_IT: f32 = 0.8;
/// Boxes watched for motion.
const WATCHED: usize = 512;

pub(crate) fn about() -> About {
    About {
        name: "auto",
        what: "Predicts the cost of each method from the scene, uses the cheapest, and changes it when the scene changes.",
        contract: "exact",
        cost: "that of the method it picks; a look at the scene every few updates",
        best: "when you do not know, or the scene will change",
        options: &[],
    }
}

pub(crate) fn broad_phase<const D: usize>() -> Box<dyn BroadPhase<D>> {
    Box::new(Auto::default())
}

/// The method that picks.
struct Auto<const D: usize> {
    inner: Option<(Method, Box<dyn BroadPhase<D>>)>,
    /// What the last look saw.
    features: Features,
    /// Updates with changes since the last look, boxes that changed in them, and updates to the
    /// next look.
    updates: u32,
    changes: u64,
    interval: u32,
    /// Where some boxes were before the update of the next look.
    watched: Vec<(u32, Aabb<D>)>,
    has_seen_motion: bool,
    /// A method that was cheaper in the last looks, and how many.
    rival: Option<(Method, u32)>,
    switches: u32,
    /// Work of the methods used before.
    past: Counters,
}

impl<const D: usize> Default for Auto<D> {
    fn default() -> Self {
        Self {
            inner: None,
            features: Features::default(),
            updates: 0,
            changes: 0,
            interval: FIRST,
            watched: Vec::with_capacity(WATCHED),
            has_seen_motion: false,
            rival: None,
            switches: 0,
            past: Counters::default(),
        }
    }
}

impl<const D: usize> Auto<D> {
    /// The method to use from now on, if it is not the one in use.
    fn look(&mut self, table: &Table<D>) -> Option<Method> {
        let Some((present, _)) = self.inner else {
            // Nothing is known about motion yet: expect everything to move, and far.
            self.features = Features::of(table, table.len());
            return Some(model::cheapest(&self.features));
        };
        self.updates += 1;
        self.changes += table.changed().len() as u64;
        if table.is_empty() {
            return None;
        }
        if self.updates + 1 == self.interval {
            self.watch(table);
        }
        if self.updates < self.interval {
            if self.interval > INTERVAL && self.updates + INTERVAL < self.interval && self.is_another(table) {
                self.interval = self.updates + INTERVAL;
            }
            return None;
        }
        self.features = self.seen(table);
        (self.updates, self.changes) = (0, 0);
        let is_first = !std::mem::replace(&mut self.has_seen_motion, true);
        let best = model::cheapest(&self.features);
        let gain = model::cost(best, &self.features) <= WORTH_IT * model::cost(present, &self.features);
        if best == present || !gain {
            self.rival = None;
            self.interval = if is_first { INTERVAL } else { (2 * self.interval).min(MOST) };
            return None;
        }
        self.interval = INTERVAL;
        let agreed = match self.rival {
            Some((rival, agreed)) if rival == best => agreed + 1,
            _ => 1,
        };
        self.rival = Some((best, agreed));
        (is_first || agreed >= AGREEING).then_some(best)
    }

    /// Remembers where some boxes are.
    fn watch(&mut self, table: &Table<D>) {
        self.watched.clear();
        let step = table.slots().div_ceil(WATCHED).max(1);
        let ids = (0..table.slots() as u32).step_by(step).filter(|&id| table.is_alive(id));
        self.watched.extend(ids.map(|id| (id, *table.aabb(id))));
    }

    /// The features of now.
    fn seen(&self, table: &Table<D>) -> Features {
        let features = Features::of(table, (self.changes / u64::from(self.updates.max(1))) as usize);
        Features { motion: features::motion(table, &self.watched).unwrap_or(features.motion), ..features }
    }

    /// Are there other numbers of boxes or of movers than at the last look?
    fn is_another(&self, table: &Table<D>) -> bool {
        let differs = |now: f32, then: f32| now > CHANGED * then || then > CHANGED * now;
        differs(table.len() as f32, self.features.boxes)
            || differs(table.changed().len() as f32, self.features.moving)
    }
}

impl<const D: usize> BroadPhase<D> for Auto<D> {
    fn update(&mut self, table: &Table<D>, pool: &mut ThreadPool, found: &mut Found) -> Outcome {
        if let Some(method) = self.look(table) {
            let mut broad_phase = method.broad_phase();
            let all_new = table.as_new();
            let outcome = broad_phase.update(&all_new, pool, found).of_newcomer(found);
            if all_new.has_too_many_pairs() {
                table.limit.exceed();
            }
            if let Some((_, old)) = self.inner.replace((method, broad_phase)) {
                self.past = self.past.plus(&old.counters());
                self.switches += 1;
            }
            self.rival = None;
            return outcome;
        }
        match &mut self.inner {
            Some((_, broad_phase)) => broad_phase.update(table, pool, found),
            None => Outcome::All, // cannot be: the first look always picks
        }
    }

    fn counters(&self) -> Counters {
        self.inner.as_ref().map_or(self.past, |(_, broad_phase)| self.past.plus(&broad_phase.counters()))
    }

    fn bytes(&self) -> usize {
        let own = self.watched.capacity() * size_of::<(u32, Aabb<D>)>();
        own + self.inner.as_ref().map_or(0, |(_, broad_phase)| broad_phase.bytes())
    }

    fn contract(&self) -> Contract {
        self.inner.as_ref().map_or(Contract::Exact, |(_, broad_phase)| broad_phase.contract())
    }

    fn hierarchy(&self) -> Option<&dyn Hierarchy<D>> {
        self.inner.as_ref().and_then(|(_, broad_phase)| broad_phase.hierarchy())
    }

    fn remark(&self) -> Option<String> {
        let (method, _) = self.inner.as_ref()?;
        let changed = match self.switches {
            0 => String::new(),
            1 => ", changed once".to_owned(),
            times => format!(", changed {times} times"),
        };
        Some(format!("{method}{changed}: {}", model::reason(*method, &self.features)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Space;

    /// Cubes of edge 1 in a block, three apart.
    fn block(each: usize) -> Vec<Aabb<3>> {
        let place = |k: usize| [k % each, k / each % each, k / each / each].map(|c| 3.0 * c as f32);
        (0..each * each * each).map(|k| Aabb::new(place(k), place(k).map(|c| c + 1.0))).collect()
    }

    fn moved(aabb: &Aabb<3>, way: f32) -> Aabb<3> {
        Aabb::new(aabb.min.map(|c| c + way), aabb.max.map(|c| c + way))
    }

    /// Runs updates in which every `every`-th box goes to and fro.
    fn shaken(space: &mut Space<3>, boxes: &[Aabb<3>], every: usize, way: f32, updates: usize) -> String {
        for update in 0..updates {
            for (id, aabb) in boxes.iter().enumerate().step_by(every) {
                let to = if update % 2 == 0 { way } else { 0.0 };
                space.set_box(id as u32, &moved(aabb, to)).expect("a good box");
            }
            space.update();
        }
        space.remark().expect("auto says what it does")
    }

    fn filled(boxes: &[Aabb<3>]) -> Space<3> {
        let mut space = Space::new(Method::Auto);
        boxes.iter().for_each(|aabb| assert!(space.insert(*aabb).is_ok()));
        space.update();
        space
    }

    #[test]
    fn what_creeps_is_found_out_at_the_second_update() {
        let boxes = block(9);
        let mut space = filled(&boxes);
        let before = space.remark().expect("auto says what it does");
        assert!(!before.starts_with("sap"), "nothing is known of motion: {before}");
        let after = shaken(&mut space, &boxes, 1, 0.001, 2);
        assert!(after.starts_with("sap, changed once"), "{after}");
    }

    #[test]
    fn a_scene_that_stays_as_it_is_is_looked_at_less_and_less() {
        let mut auto = Auto::<3>::default();
        let boxes = block(5);
        let mut space = filled(&boxes);
        auto.look(space.table());
        auto.inner = Some((model::cheapest(&auto.features), Method::Aabb.broad_phase()));
        let mut intervals = Vec::new();
        for update in 0..400 {
            for (id, aabb) in boxes.iter().enumerate() {
                let to = if update % 2 == 0 { 2.0 } else { 0.0 };
                space.set_box(id as u32, &moved(aabb, to)).expect("a good box");
            }
            if let Some(method) = auto.look(space.table()) {
                auto.inner = Some((method, Method::Aabb.broad_phase()));
            }
            if auto.updates == 0 {
                intervals.push(auto.interval);
            }
            space.update();
        }
        assert_eq!(intervals.last(), Some(&MOST), "{intervals:?}");
        assert!(intervals.len() < 15, "{intervals:?}");
        // A tenth of the movers: the next look comes soon.
        auto.updates = 1;
        for id in 0..12 {
            space.set_box(id, &boxes[id as usize]).expect("a good box");
        }
        space.set_box(0, &moved(&boxes[0], 0.5)).expect("a good box");
        auto.look(space.table());
        assert!(auto.interval <= 2 + INTERVAL, "{}", auto.interval);
    }

    #[test]
    fn the_same_boxes_give_the_same_choices() {
        let boxes = block(8);
        let story = || {
            let mut space = filled(&boxes);
            [(1, 0.001, 40), (1, 2.0, 60), (50, 0.1, 80)]
                .map(|(every, way, updates)| shaken(&mut space, &boxes, every, way, updates))
        };
        let told = story();
        assert_eq!(told, story());
        assert!(told[0] != told[2], "{told:?}");
    }
}
