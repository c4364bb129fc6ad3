//! A space: boxes that come, move and go, one method, and the pairs.

use carom_core::threads::ThreadPool;
use carom_geometry::Aabb;

use crate::broad_phase::{BroadPhase, Contract, Counters, Found, Outcome};
use crate::pair_list::PairList;
use crate::{Bound, BoxError, Filter, Method, Pair, Table, TooManyPairs};

/// Boxes in `D` dimensions (2 or 3) and the pairs of them that may touch.
///
/// ```
/// use carom_broadphase::{Method, Pair, Space};
/// use carom_geometry::Aabb;
///
/// let mut space = Space::<2>::new(Method::default());
/// let a = space.insert(Aabb::new([0.0, 0.0], [2.0, 1.0]))?;
/// let b = space.insert(Aabb::new([1.0, 0.5], [3.0, 2.0]))?;
/// let c = space.insert(Aabb::new([9.0, 9.0], [10.0, 10.0]))?;
/// assert_eq!(space.update(), [Pair::new(a, b)]);
///
/// space.set_box(c, &Aabb::new([2.5, 1.0], [3.5, 2.0]))?;
/// space.remove(a)?;
/// assert_eq!(space.update(), [Pair::new(b, c)]);
/// let changes = space.changes();
/// assert_eq!((changes.begun, changes.ended), (&[Pair::new(b, c)][..], &[Pair::new(a, b)][..]));
/// # Ok::<(), carom_broadphase::BoxError>(())
/// ```
pub struct Space<const D: usize> {
    pub(crate) table: Table<D>,
    pub(crate) broad_phase: Box<dyn BroadPhase<D>>,
    /// Has the method seen nothing yet?
    is_newcomer: bool,
    /// Why the last update was refused, if it was: what the method holds is worthless then.
    refusal: Option<TooManyPairs>,
    pool: ThreadPool,
    found: Found,
    list: PairList,
}

impl<const D: usize> std::fmt::Debug for Space<D> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Space<{D}> {{ boxes: {}, pairs: {} }}", self.table.len(), self.list.pairs().len())
    }
}

/// The pairs that an update changed, in ascending order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairChanges<'a> {
    /// Pairs that were not there before.
    pub begun: &'a [Pair],
    /// Pairs that are no longer there, those of removed boxes included.
    pub ended: &'a [Pair],
}

impl<const D: usize> Space<D> {
    /// An empty space that uses a method.
    #[must_use]
    pub fn new(method: Method) -> Self {
        Self::with_broad_phase(method.broad_phase())
    }

    /// An empty space with a method of one's own.
    #[must_use]
    pub fn with_broad_phase(broad_phase: Box<dyn BroadPhase<D>>) -> Self {
        Self {
            table: Table::default(),
            broad_phase,
            is_newcomer: true,
            refusal: None,
            pool: ThreadPool::default(),
            found: Found::default(),
            list: PairList::default(),
        }
    }

    /// Goes on with another method; boxes and pairs stay.
    pub fn set_broad_phase(&mut self, broad_phase: Box<dyn BroadPhase<D>>) {
        self.broad_phase = broad_phase;
        self.is_newcomer = true;
        self.refusal = None;
        self.table.renew();
    }

    /// Takes over the boxes of another space, with their ids and filters and the order in which ids
    /// will be used again, and a method that has seen none of them. The next update finds their
    /// pairs; until then [`Space::pairs`] are those from before.
    pub fn restore(&mut self, boxes: &Table<D>, broad_phase: Box<dyn BroadPhase<D>>) {
        let limit = self.table.limit.clone();
        self.table.clone_from(boxes);
        self.table.limit = limit;
        self.set_broad_phase(broad_phase);
    }

    /// Bounds the memory of updates: those with more pairs are refused. There is no limit at first.
    pub fn set_max_pairs(&mut self, limit: usize) {
        self.table.limit.set(limit);
    }

    /// Lets [`Space::update`] use so many threads, where the method can; the pairs do not depend on
    /// it. If the system gives fewer, it uses those.
    pub fn set_threads(&mut self, threads: usize) {
        self.pool = ThreadPool::new(threads);
    }

    /// Threads that [`Space::update`] uses.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.pool.threads()
    }

    /// Inserts a box that pairs with everything.
    ///
    /// # Errors
    /// If it is NaN or inverted on some axis.
    pub fn insert(&mut self, aabb: Aabb<D>) -> Result<u32, BoxError> {
        self.insert_filtered(aabb, Filter::default())
    }

    /// Inserts a box.
    ///
    /// # Errors
    /// If it is NaN or inverted on some axis.
    pub fn insert_filtered(&mut self, aabb: Aabb<D>, filter: Filter) -> Result<u32, BoxError> {
        self.table.insert(aabb, filter)
    }

    /// Removes a box; its id will be used again.
    ///
    /// # Errors
    /// If there is no such box.
    pub fn remove(&mut self, id: u32) -> Result<(), BoxError> {
        self.table.remove(id)
    }

    /// Removes all boxes. The next update ends their pairs.
    pub fn clear(&mut self) {
        for id in 0..self.table.slots() as u32 {
            // Free ids are no error here.
            let _ = self.table.remove(id);
        }
    }

    /// Moves a box. A box that stays where it is costs nothing.
    ///
    /// # Errors
    /// If there is no such box, or it is NaN or inverted on some axis.
    pub fn set_box(&mut self, id: u32, aabb: &Aabb<D>) -> Result<(), BoxError> {
        self.table.set_box(id, aabb)
    }

    /// Moves all boxes, in order of their ids; for spaces from which nothing was removed.
    ///
    /// # Errors
    /// If there are more or fewer boxes in the space, or one is NaN or inverted; then none has
    /// moved.
    pub fn set_boxes(&mut self, boxes: &[Aabb<D>]) -> Result<(), BoxError> {
        self.table.set_boxes(boxes)
    }

    /// Changes with whom a box may pair.
    ///
    /// # Errors
    /// If there is no such box.
    pub fn set_filter(&mut self, id: u32, filter: Filter) -> Result<(), BoxError> {
        self.table.set_filter(id, filter)
    }

    /// Gives a box tighter volumes inside it, for `sphere`, `obb`, `bsp` and refinements. They stay
    /// until replaced: whoever moves the box moves them.
    ///
    /// # Errors
    /// If there is no such box.
    pub fn set_bound(&mut self, id: u32, bound: Bound) -> Result<(), BoxError> {
        self.table.set_bound(id, bound)
    }

    /// Follows all changes since the last update; returns the pairs in ascending order. In a space
    /// with a limit use [`Space::try_update_with`]: here a refused update leaves the pairs as they
    /// were.
    pub fn update(&mut self) -> &[Pair] {
        let mut pool = std::mem::take(&mut self.pool);
        let _ = self.refresh(&mut pool);
        self.pool = pool;
        self.list.pairs()
    }

    /// As [`Space::update`], with threads that are shared with others.
    pub fn update_with(&mut self, pool: &mut ThreadPool) -> &[Pair] {
        let _ = self.refresh(pool);
        self.list.pairs()
    }

    /// As [`Space::update_with`], and says when there are too many pairs. The pairs are those of
    /// the last update then. The boxes are as they were left, and may be moved and removed; the
    /// next update needs a new method ([`Space::set_broad_phase`]), and is refused until then.
    ///
    /// # Errors
    /// If there are more pairs than [`Space::set_max_pairs`] allows.
    pub fn try_update_with(&mut self, pool: &mut ThreadPool) -> Result<&[Pair], TooManyPairs> {
        self.refresh(pool)?;
        Ok(self.list.pairs())
    }

    fn refresh(&mut self, pool: &mut ThreadPool) -> Result<(), TooManyPairs> {
        if let Some(refusal) = self.refusal {
            return Err(refusal);
        }
        let result = self.follow_changes(pool);
        self.refusal = result.err();
        result
    }

    fn follow_changes(&mut self, pool: &mut ThreadPool) -> Result<(), TooManyPairs> {
        self.table.settle_changes();
        self.found.pairs.clear();
        self.found.begun.clear();
        self.found.ended.clear();
        if self.table.is_unchanged() {
            if self.table.is_empty() {
                // A method that came after all boxes had gone knows of no removal, and so of no
                // pairs that end.
                self.list.replace_sorted(&mut self.found.pairs);
            } else {
                self.list.keep();
            }
            return Ok(());
        }
        self.table.limit.begin();
        let mut outcome = self.broad_phase.update(&self.table, pool, &mut self.found);
        if std::mem::take(&mut self.is_newcomer) {
            outcome = outcome.of_newcomer(&mut self.found);
        }
        self.table.forget_changes();
        let (found, listed) = (&self.found, self.list.pairs().len());
        self.table.limit.check(match outcome {
            Outcome::Unchanged => listed,
            Outcome::All | Outcome::Sorted => found.pairs.len(),
            Outcome::Difference => (listed + found.begun.len()).saturating_sub(found.ended.len()),
        })?;
        let bound = self.table.slots();
        match outcome {
            Outcome::Unchanged => self.list.keep(),
            Outcome::All => self.list.replace(&mut self.found.pairs, bound),
            Outcome::Sorted => self.list.replace_sorted(&mut self.found.pairs),
            Outcome::Difference => self.list.apply(&mut self.found, bound),
        }
        Ok(())
    }

    /// The pairs of the last update, in ascending order.
    #[must_use]
    pub fn pairs(&self) -> &[Pair] {
        self.list.pairs()
    }

    /// What the last update changed. Computed when asked for.
    pub fn changes(&mut self) -> PairChanges<'_> {
        self.list.changes()
    }

    /// The boxes.
    #[must_use]
    pub fn table(&self) -> &Table<D> {
        &self.table
    }

    /// What the pairs are.
    #[must_use]
    pub fn contract(&self) -> Contract {
        self.broad_phase.contract()
    }

    /// What the method says about itself at present, if anything.
    #[must_use]
    pub fn remark(&self) -> Option<String> {
        self.broad_phase.remark()
    }

    /// Work of the method so far.
    #[must_use]
    pub fn counters(&self) -> Counters {
        self.broad_phase.counters()
    }

    /// Bytes held: boxes, structure of the method, pairs.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let found = self.found.pairs.capacity() + self.found.begun.capacity() + self.found.ended.capacity();
        self.table.bytes() + self.broad_phase.bytes() + self.list.bytes() + found * size_of::<Pair>()
    }
}
