//! `auto`: whichever method is cheapest for the scene as it is.
//!
//! A few features of the scene (how many boxes, how many move, how much they overlap on their best axis) go into a cost model
//! whose constants were measured ([`model`]). Nothing is timed at run time: the choice depends on the boxes alone, so counters
//! and remarks are the same everywhere. A change costs a set-up, so it has to be worth it: the other method must have been
//! predicted clearly cheaper several times in a row.

pub mod features;
pub mod model;

use crate::finder::{Contract, Counters, Finder, Found, Hierarchy, Outcome};
use crate::method::About;
use crate::{Method, Table, Workers};
use features::Features;

/// Updates between two looks at the scene.
const INTERVAL: u32 = 8;
/// Looks that must agree before the method is changed.
const AGREEING: u32 = 2;
/// The other method must be predicted at most this share of the present one's cost.
const WORTH_IT: f32 = 0.8;

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

pub(crate) fn finder<const D: usize>() -> Box<dyn Finder<D>> {
    Box::new(Auto::default())
}

/// The method that picks.
struct Auto<const D: usize> {
    inner: Option<(Method, Box<dyn Finder<D>>)>,
    /// What it costs and would cost, as of the last look.
    features: Features,
    /// Updates with changes since the last look, and boxes that changed in them.
    updates: u32,
    changes: u64,
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
            // Nothing is known about motion yet: expect everything to move.
            self.features = Features::of(table, table.len());
            return Some(model::cheapest(&self.features));
        };
        self.updates += 1;
        self.changes += table.changed().len() as u64;
        if self.updates < INTERVAL || table.is_empty() {
            return None;
        }
        self.features = Features::of(table, (self.changes / u64::from(self.updates)) as usize);
        (self.updates, self.changes) = (0, 0);
        let best = model::cheapest(&self.features);
        let gain = model::cost(best, &self.features) <= WORTH_IT * model::cost(present, &self.features);
        if best == present || !gain {
            self.rival = None;
            return None;
        }
        let agreed = match self.rival {
            Some((rival, agreed)) if rival == best => agreed + 1,
            _ => 1,
        };
        self.rival = Some((best, agreed));
        (agreed >= AGREEING).then_some(best)
    }
}

impl<const D: usize> Finder<D> for Auto<D> {
    fn update(&mut self, table: &Table<D>, workers: &Workers, found: &mut Found) -> Outcome {
        if let Some(method) = self.look(table) {
            let mut finder = method.finder();
            let outcome = finder.update(&table.as_new(), workers, found).of_newcomer(found);
            if let Some((_, old)) = self.inner.replace((method, finder)) {
                self.past = self.past.plus(&old.counters());
                self.switches += 1;
            }
            self.rival = None;
            return outcome;
        }
        match &mut self.inner {
            Some((_, finder)) => finder.update(table, workers, found),
            None => Outcome::All, // cannot be: the first look always picks
        }
    }

    fn counters(&self) -> Counters {
        self.inner.as_ref().map_or(self.past, |(_, finder)| self.past.plus(&finder.counters()))
    }

    fn bytes(&self) -> usize {
        self.inner.as_ref().map_or(0, |(_, finder)| finder.bytes())
    }

    fn contract(&self) -> Contract {
        self.inner.as_ref().map_or(Contract::Exact, |(_, finder)| finder.contract())
    }

    fn hierarchy(&self) -> Option<&dyn Hierarchy<D>> {
        self.inner.as_ref().and_then(|(_, finder)| finder.hierarchy())
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
