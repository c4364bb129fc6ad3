//! The contract of a method.

use carom_core::threads::ThreadPool;
use carom_geometry::Aabb;

use crate::refine::Refinement;
use crate::{Pair, Table};

/// Work done so far, the same on every machine and for every number of threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Box-against-box tests.
    pub box_tests: u64,
    /// Nodes of a tree looked at.
    pub node_visits: u64,
    /// Cells of a grid entered, counting every box in every cell.
    pub cells: u64,
    /// Exchanges of neighbouring endpoints.
    pub swaps: u64,
    /// Pairs that appeared or disappeared, counted by methods that follow changes; 0 for those that
    /// find all pairs anew.
    pub pair_changes: u64,
}

impl Counters {
    /// Both together.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        Self {
            box_tests: self.box_tests + other.box_tests,
            node_visits: self.node_visits + other.node_visits,
            cells: self.cells + other.cells,
            swaps: self.swaps + other.swaps,
            pair_changes: self.pair_changes + other.pair_changes,
        }
    }
}

/// How the pairs of a method relate to the pairs of overlapping boxes. Touching counts as
/// overlapping; nothing is ever missed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Contract {
    /// Exactly the pairs whose boxes overlap.
    Exact,
    /// All pairs whose boxes overlap, and some whose boxes come as near as twice this margin (each
    /// box is taken that much larger).
    Fattened {
        /// Largest growth of a box on each side, metres.
        margin: f32,
    },
    /// All pairs whose boxes and oriented boxes overlap, and some of which only the boxes do. The
    /// tighter volumes are those of [`Table::bound`].
    OrientedSubset,
    /// All pairs, overlapping or not.
    Everything,
    /// The pairs whose spheres ([`Table::bound`]) overlap, up to rounding; an infinite box overlaps
    /// everything. Spheres of the boxes themselves overlap wherever the boxes do.
    Spheres,
    /// The pairs whose oriented boxes ([`Table::bound`]) overlap, up to rounding; an infinite box
    /// overlaps everything. Oriented boxes of the boxes themselves overlap wherever the boxes do.
    OrientedBoxes,
    /// All pairs whose boxes and whose tighter volumes overlap, and some whose boxes, grown by a
    /// margin, and whose tighter volumes do. Volumes overlap up to rounding; those of infinite
    /// boxes always do.
    Refined {
        /// The tighter volume.
        by: Refinement,
        /// The volume that the method itself tests: pairs in which it does not overlap may be left
        /// out.
        also: Option<Refinement>,
        /// Largest growth of a box on each side, metres; infinite if the boxes do not matter.
        margin: f32,
    },
}

/// What an update left in [`Found`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The pairs are those of the last update.
    Unchanged,
    /// All pairs stand in [`Found::pairs`], each once, in any order.
    All,
    /// As [`Outcome::All`], in ascending order.
    Sorted,
    /// The difference to the last update stands in [`Found::begun`] and [`Found::ended`], each pair
    /// once, in any order, none in both.
    Difference,
}

impl Outcome {
    /// The first outcome of a method that takes over from another: what it says began are all
    /// pairs, and to the space they need not be new.
    pub(crate) fn of_newcomer(self, found: &mut Found) -> Self {
        match self {
            Self::Sorted => Self::Sorted,
            Self::All => Self::All,
            Self::Unchanged | Self::Difference => {
                found.pairs.append(&mut found.begun);
                Self::All
            }
        }
    }
}

/// Where a method writes pairs; all three lists are empty when an update begins.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// All pairs.
    pub pairs: Vec<Pair>,
    /// Pairs that were not there before.
    pub begun: Vec<Pair>,
    /// Pairs that are no longer there.
    pub ended: Vec<Pair>,
}

/// A method that finds pairs of overlapping boxes.
///
/// Every method keeps its [`Contract`] for every table: flat, touching, equal, huge and infinite
/// boxes, empty spaces, ids that are removed and used again. In the steady state (boxes move, none
/// come or go) an update allocates nothing.
pub trait BroadPhase<const D: usize>: Send + Sync {
    /// Follows the changes of the table ([`Table::removed`] first, then [`Table::changed`]) and
    /// reports pairs that [`Table::admits`]. Called only if there are changes.
    fn update(&mut self, table: &Table<D>, pool: &mut ThreadPool, found: &mut Found) -> Outcome;

    /// Work done so far.
    fn counters(&self) -> Counters;

    /// Bytes held, the table not counted.
    fn bytes(&self) -> usize;

    /// What the pairs are.
    fn contract(&self) -> Contract {
        Contract::Exact
    }

    /// The structure for queries, if the method has one that follows the boxes.
    fn hierarchy(&self) -> Option<&dyn Hierarchy<D>> {
        None
    }

    /// What the method says about itself at present: the choice of `auto` and its reason, sizes
    /// that were found.
    fn remark(&self) -> Option<String> {
        None
    }
}

/// A structure that can leave out parts of space; all queries are built on it.
pub trait Hierarchy<const D: usize> {
    /// Goes through the volumes from large to small. Where `enter` says no to a volume, everything
    /// in it is left out; ids of what remains go to `visit`. An id may be visited more than once,
    /// and the box of a visited id may be anywhere: the caller tests it. No id is left out whose
    /// box (as of the last update) meets a point of a volume chain that was entered.
    fn descend(&self, enter: &mut dyn FnMut(&Aabb<D>) -> bool, visit: &mut dyn FnMut(u32));

    /// The same from near to far, for questions about what comes first. `near` says how near a
    /// volume is, `None` to leave it out, and a volume is at least as near as what is in it.
    /// `visit` returns how far off something may still be: what is farther may be left out. The
    /// order is a help and no promise; this one has none.
    fn descend_near(&self, near: &mut dyn FnMut(&Aabb<D>) -> Option<f64>, visit: &mut dyn FnMut(u32) -> f64) {
        let limit = std::cell::Cell::new(f64::INFINITY);
        self.descend(&mut |volume| near(volume).is_some_and(|far| far <= limit.get()), &mut |id| {
            limit.set(visit(id));
        });
    }
}
