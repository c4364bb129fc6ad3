//! Who is where: the boxes of a space, who may pair with whom, and what changed since the last
//! update.
//!
//! Boxes have small dense ids (`u32` slots, reused). Everything lies in arrays by id; filters take
//! memory only in spaces that use them. A method reads the table and the list of changes and never
//! sees an invalid box: they are refused at the door.

use carom_core::clone_fields;
use carom_geometry::Aabb;

use crate::pair_limit::PairLimit;
use crate::{Bound, Pair};

/// With whom a box may pair.
///
/// Two boxes pair if not both are static, they do not belong to the same body, and each one's
/// category is in the other's mask; if they share a group other than 0, its sign decides instead of
/// the masks. The default pairs with everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filter {
    /// True for boxes of the fixed world: two of them never pair. A static box may still be moved.
    pub is_static: bool,
    /// The layers this box is in, one bit each.
    pub category: u32,
    /// The layers it pairs with.
    pub mask: u32,
    /// Two boxes of one group pair whatever their layers if it is positive, and never if it is
    /// negative; 0 is no group.
    pub group: i32,
    /// The body it belongs to, if it has several boxes; they do not pair with each other.
    pub body: Option<u32>,
}

impl Default for Filter {
    fn default() -> Self {
        Self { is_static: false, category: 1, mask: u32::MAX, group: 0, body: None }
    }
}

impl Filter {
    /// A box of the fixed world.
    pub const STATIC: Self = Self { is_static: true, category: 1, mask: u32::MAX, group: 0, body: None };

    /// May the two pair?
    #[inline]
    #[must_use]
    pub fn admits(&self, other: &Self) -> bool {
        let wanted = if self.group != 0 && self.group == other.group {
            self.group > 0
        } else {
            self.category & other.mask != 0 && other.category & self.mask != 0
        };
        wanted && !(self.is_static && other.is_static) && (self.body.is_none() || self.body != other.body)
    }
}

carom_core::error_type! {
    /// Why a box was refused.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum BoxError {
        /// NaN, or the minimum above the maximum.
        #[error("box {id}: on axis {} the minimum is {min} and the maximum {max}; {}", axis_name(*axis), hint(*min, *max))]
        Invalid {
            /// The box: the id it has or would get.
            id: u32,
            /// Axis, 0 for x.
            axis: usize,
            /// Its minimum there.
            min: f32,
            /// Its maximum there.
            max: f32,
        },
        /// No box has this id.
        #[error("there is no box {id}: it was removed or never inserted")]
        Unknown {
            /// The id asked for.
            id: u32,
        },
        /// A batch of another length than the space.
        #[error("{given} boxes were given for a space of {expected}")]
        WrongCount {
            /// Boxes given.
            given: usize,
            /// Ids in the space.
            expected: usize,
        },
        /// Ids are used up.
        #[error("a space holds at most 2²⁹ boxes")]
        Full,
        /// The list of free ids does not name every id without a box once.
        #[error("id {id} is named as free and has a box, or is named twice, or has no box and is not named")]
        NotFree {
            /// The id.
            id: u32,
        },
    }
}

fn axis_name(axis: usize) -> &'static str {
    ["x", "y", "z"].get(axis).copied().unwrap_or("beyond z")
}

fn hint(min: f32, max: f32) -> &'static str {
    if min.is_nan() || max.is_nan() {
        "NaN is no place"
    } else {
        "swap them if the box is meant to lie between"
    }
}

/// Highest id: methods pack three bits beside it.
pub(crate) const MAX_ID: u32 = (1 << 29) - 1;

const ALIVE: u8 = 1;
const STATIC: u8 = 2;
/// Stands in `changed`.
const CHANGED: u8 = 4;
/// Not yet seen by the method.
const NEW: u8 = 8;

/// The boxes of a space by id.
#[derive(Debug)]
pub struct Table<const D: usize> {
    boxes: Vec<Aabb<D>>,
    state: Vec<u8>,
    /// Empty as long as all filters are the default or [`Filter::STATIC`].
    filters: Vec<Filter>,
    /// Empty as long as none was given.
    bounds: Vec<Option<Bound>>,
    /// Number of static boxes alive.
    statics: usize,
    alive: usize,
    /// Number of boxes the method has not seen.
    unseen: usize,
    free: Vec<u32>,
    changed: Vec<u32>,
    removed: Vec<u32>,
    pub(crate) limit: PairLimit,
}

clone_fields!(Table<const D: usize> {
    boxes, state, filters, bounds, statics, alive, unseen, free, changed, removed, limit,
});

impl<const D: usize> Default for Table<D> {
    fn default() -> Self {
        Self {
            boxes: Vec::new(),
            state: Vec::new(),
            filters: Vec::new(),
            bounds: Vec::new(),
            statics: 0,
            alive: 0,
            unseen: 0,
            free: Vec::new(),
            changed: Vec::new(),
            removed: Vec::new(),
            limit: PairLimit::default(),
        }
    }
}

impl<const D: usize> Table<D> {
    /// A table of these boxes by id, `None` for ids that are free, and the free ids in the order in
    /// which they were given back: the last is used first. All boxes are new.
    ///
    /// # Errors
    /// Boxes that are NaN or inverted, too many of them, or a list of free ids that does not fit.
    pub fn from_boxes(
        boxes: impl IntoIterator<Item = Option<(Aabb<D>, Filter)>>,
        free: &[u32],
    ) -> Result<Self, BoxError> {
        let mut table = Self::default();
        let mut is_vacant = Vec::new();
        for entry in boxes {
            is_vacant.push(entry.is_none());
            let place_holder = Aabb { min: [0.0; D], max: [0.0; D] };
            let (aabb, filter) = entry.unwrap_or((place_holder, Filter::default()));
            table.insert(aabb, filter)?;
        }
        for &id in free {
            match is_vacant.get_mut(id as usize) {
                Some(is_vacant) if *is_vacant => *is_vacant = false,
                _ => return Err(BoxError::NotFree { id }),
            }
            table.remove(id)?;
        }
        if let Some(id) = is_vacant.iter().position(|is_vacant| *is_vacant) {
            return Err(BoxError::NotFree { id: id as u32 });
        }
        table.renew();
        Ok(table)
    }

    /// Ids that were given back, in that order: the last is used first.
    #[must_use]
    pub fn free(&self) -> &[u32] {
        &self.free
    }

    /// One past the highest id ever used: the length of arrays by id.
    #[inline]
    #[must_use]
    pub fn slots(&self) -> usize {
        self.boxes.len()
    }

    /// Number of boxes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.alive
    }

    /// Are there no boxes?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.alive == 0
    }

    /// Boxes by id; those of free ids are [`Aabb::EMPTY`], which overlaps no finite box. An
    /// infinite one meets it: whoever goes through all boxes asks [`Table::is_alive`], or goes
    /// through [`Table::ids`].
    #[inline]
    #[must_use]
    pub fn boxes(&self) -> &[Aabb<D>] {
        &self.boxes
    }

    /// The box of an id in use.
    #[inline]
    #[must_use]
    pub fn aabb(&self, id: u32) -> &Aabb<D> {
        &self.boxes[id as usize]
    }

    /// Is the id in use?
    #[inline]
    #[must_use]
    pub fn is_alive(&self, id: u32) -> bool {
        self.state.get(id as usize).is_some_and(|state| state & ALIVE != 0)
    }

    /// Is the box static?
    #[inline]
    #[must_use]
    pub fn is_static(&self, id: u32) -> bool {
        self.state[id as usize] & STATIC != 0
    }

    /// Was the box inserted since the last update?
    #[inline]
    #[must_use]
    pub fn is_new(&self, id: u32) -> bool {
        self.state[id as usize] & NEW != 0
    }

    /// Was any box inserted since the last update?
    #[inline]
    #[must_use]
    pub fn has_new(&self) -> bool {
        self.unseen > 0
    }

    /// Ids in use, ascending.
    pub fn ids(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.boxes.len() as u32).filter(|&id| self.state[id as usize] & ALIVE != 0)
    }

    /// True if any two boxes may pair: [`Table::admits`] need not be asked.
    #[inline]
    #[must_use]
    pub fn admits_all(&self) -> bool {
        self.statics == 0 && self.filters.is_empty()
    }

    /// May the two boxes (different, in use) pair?
    #[inline]
    #[must_use]
    pub fn admits(&self, a: u32, b: u32) -> bool {
        let (a, b) = (a as usize, b as usize);
        if self.state[a] & self.state[b] & STATIC != 0 {
            return false;
        }
        self.filters.is_empty() || self.filters[a].admits(&self.filters[b])
    }

    /// The filter of a box in use.
    #[must_use]
    pub fn filter(&self, id: u32) -> Filter {
        let plain = if self.is_static(id) { Filter::STATIC } else { Filter::default() };
        self.filters.get(id as usize).copied().unwrap_or(plain)
    }

    /// The tighter volumes of a box in use: those given for it, else those of the box itself;
    /// `None` if it is infinite.
    #[must_use]
    pub fn bound(&self, id: u32) -> Option<Bound> {
        let given = self.bounds.get(id as usize).copied().flatten();
        given.or_else(|| Bound::of_box(&self.boxes[id as usize]))
    }

    /// Was a tighter volume given for any box?
    #[must_use]
    pub fn has_bounds(&self) -> bool {
        !self.bounds.is_empty()
    }

    /// Boxes in use that were inserted or moved since the last update, each once. Among them those
    /// for which [`Table::is_new`] holds.
    #[inline]
    #[must_use]
    pub fn changed(&self) -> &[u32] {
        &self.changed
    }

    /// Ids the method knew and whose boxes were removed since the last update, each once. An id
    /// that was given away again stands in [`Table::changed`] too, as new: removals come first.
    #[inline]
    #[must_use]
    pub fn removed(&self) -> &[u32] {
        &self.removed
    }

    /// Appends a pair to a list, unless there are more than a space may have. What was found is
    /// worthless then.
    #[inline]
    pub fn push_pair(&self, list: &mut Vec<Pair>, pair: Pair) {
        self.limit.push(list, pair);
    }

    /// Is it known that there are more pairs than a space may have? Then a method may leave its
    /// update at once; it will not be asked again.
    #[inline]
    #[must_use]
    pub fn has_too_many_pairs(&self) -> bool {
        self.limit.is_exceeded()
    }

    /// Has nothing changed since the last update?
    pub(crate) fn is_unchanged(&self) -> bool {
        self.changed.is_empty() && self.removed.is_empty()
    }

    /// Bytes held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.boxes.capacity() * size_of::<Aabb<D>>()
            + self.state.capacity()
            + self.filters.capacity() * size_of::<Filter>()
            + self.bounds.capacity() * size_of::<Option<Bound>>()
            + (self.free.capacity() + self.changed.capacity() + self.removed.capacity()) * size_of::<u32>()
    }

    pub(crate) fn insert(&mut self, aabb: Aabb<D>, filter: Filter) -> Result<u32, BoxError> {
        let id = self.free.last().copied().unwrap_or(self.boxes.len() as u32);
        if id > MAX_ID {
            return Err(BoxError::Full);
        }
        check(id, &aabb)?;
        if self.free.pop().is_none() {
            self.boxes.push(aabb);
            self.state.push(0);
            if !self.filters.is_empty() {
                self.filters.push(filter);
            }
            if !self.bounds.is_empty() {
                self.bounds.push(None);
            }
        }
        let at = id as usize;
        self.boxes[at] = aabb;
        self.alive += 1;
        self.set_filter_of(id, filter);
        // A slot that was emptied and filled again before an update may still stand in the list of
        // changes.
        self.mark_changed(at);
        self.state[at] |= ALIVE | NEW;
        self.unseen += 1;
        Ok(id)
    }

    pub(crate) fn remove(&mut self, id: u32) -> Result<(), BoxError> {
        self.known(id)?;
        let at = id as usize;
        if self.state[at] & NEW == 0 {
            self.removed.push(id);
        } else {
            self.unseen -= 1;
        }
        self.statics -= usize::from(self.state[at] & STATIC != 0);
        self.alive -= 1;
        // CHANGED stays: the id is dropped from the list when the update begins.
        self.state[at] &= CHANGED;
        self.boxes[at] = Aabb::EMPTY;
        if let Some(bound) = self.bounds.get_mut(at) {
            *bound = None;
        }
        self.free.push(id);
        Ok(())
    }

    pub(crate) fn set_box(&mut self, id: u32, aabb: &Aabb<D>) -> Result<(), BoxError> {
        self.known(id)?;
        check(id, aabb)?;
        self.place(id as usize, aabb);
        Ok(())
    }

    /// Boxes of all ids, in order of the ids; all must be in use.
    pub(crate) fn set_boxes(&mut self, boxes: &[Aabb<D>]) -> Result<(), BoxError> {
        if boxes.len() != self.boxes.len() || self.alive != boxes.len() {
            return Err(BoxError::WrongCount { given: boxes.len(), expected: self.alive });
        }
        // All are looked at before any is taken: a bad batch changes nothing.
        if let Some(bad) = boxes.iter().position(|b| !b.is_valid()) {
            return check(bad as u32, &boxes[bad]);
        }
        for (id, aabb) in boxes.iter().enumerate() {
            self.place(id, aabb);
        }
        Ok(())
    }

    pub(crate) fn set_filter(&mut self, id: u32, filter: Filter) -> Result<(), BoxError> {
        self.known(id)?;
        if self.filter(id) == filter {
            return Ok(());
        }
        // To the method it is another box in the same place.
        let at = id as usize;
        if self.state[at] & NEW == 0 {
            self.removed.push(id);
            self.unseen += 1;
        }
        self.mark_changed(at);
        self.statics -= usize::from(self.state[at] & STATIC != 0);
        self.state[at] |= NEW;
        self.set_filter_of(id, filter);
        Ok(())
    }

    /// Gives a box tighter volumes; they count as moved.
    pub(crate) fn set_bound(&mut self, id: u32, bound: Bound) -> Result<(), BoxError> {
        self.known(id)?;
        let at = id as usize;
        if self.bounds.len() < self.boxes.len() {
            self.bounds.resize(self.boxes.len(), None);
        }
        if self.bounds[at] != Some(bound) {
            self.bounds[at] = Some(bound);
            self.mark_changed(at);
        }
        Ok(())
    }

    /// Drops from the list of changes what was removed again. To be called before a method sees the
    /// table.
    pub(crate) fn settle_changes(&mut self) {
        let state = &mut self.state;
        self.changed.retain(|&id| {
            let alive = state[id as usize] & ALIVE != 0;
            if !alive {
                state[id as usize] = 0;
            }
            alive
        });
    }

    /// Forgets the changes: the method has seen them.
    pub(crate) fn forget_changes(&mut self) {
        for &id in &self.changed {
            self.state[id as usize] &= !(CHANGED | NEW);
        }
        self.changed.clear();
        self.removed.clear();
        self.unseen = 0;
    }

    /// A copy in which all boxes are new, for a method that has seen none.
    pub(crate) fn as_new(&self) -> Self {
        let mut table = self.clone();
        table.renew();
        table
    }

    /// Marks all boxes as new, for a method that has seen none.
    pub(crate) fn renew(&mut self) {
        self.forget_changes();
        for (id, state) in self.state.iter_mut().enumerate() {
            if *state & ALIVE != 0 {
                *state |= CHANGED | NEW;
                self.changed.push(id as u32);
            }
        }
        self.unseen = self.alive;
    }

    pub(crate) fn known(&self, id: u32) -> Result<(), BoxError> {
        if self.is_alive(id) { Ok(()) } else { Err(BoxError::Unknown { id }) }
    }

    #[inline]
    fn place(&mut self, at: usize, aabb: &Aabb<D>) {
        if self.boxes[at] == *aabb {
            return;
        }
        self.boxes[at] = *aabb;
        self.mark_changed(at);
    }

    #[inline]
    fn mark_changed(&mut self, at: usize) {
        if self.state[at] & CHANGED == 0 {
            self.state[at] |= CHANGED;
            self.changed.push(at as u32);
        }
    }

    fn set_filter_of(&mut self, id: u32, filter: Filter) {
        let at = id as usize;
        self.state[at] &= !STATIC;
        if filter.is_static {
            self.state[at] |= STATIC;
            self.statics += 1;
        }
        if self.filters.is_empty() && filter != Filter::default() && filter != Filter::STATIC {
            let plain = |&state: &u8| if state & STATIC == 0 { Filter::default() } else { Filter::STATIC };
            self.filters = self.state.iter().map(plain).collect();
        }
        if let Some(kept) = self.filters.get_mut(at) {
            *kept = filter;
        }
    }
}

/// Refuses NaN and inverted boxes.
pub(crate) fn check<const D: usize>(id: u32, aabb: &Aabb<D>) -> Result<(), BoxError> {
    let bad =
        |axis: &usize| aabb.min[*axis].partial_cmp(&aabb.max[*axis]).is_none_or(std::cmp::Ordering::is_gt);
    match (0..D).find(bad) {
        None => Ok(()),
        Some(axis) => Err(BoxError::Invalid { id, axis, min: aabb.min[axis], max: aabb.max[axis] }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(at: f32) -> Aabb<2> {
        Aabb { min: [at, 0.0], max: [at + 1.0, 1.0] }
    }

    #[test]
    fn a_table_from_its_parts_gives_the_same_ids() {
        let mut table = Table::<2>::default();
        for k in 0..6u8 {
            let filter = Filter { body: Some(u32::from(k)), is_static: k == 2, ..Filter::default() };
            assert_eq!(table.insert(unit(f32::from(k)), filter), Ok(u32::from(k)));
        }
        for id in [4, 1, 5] {
            assert_eq!(table.remove(id), Ok(()));
        }
        let entries = |table: &Table<2>| -> Vec<Option<(Aabb<2>, Filter)>> {
            let entry = |id: u32| table.is_alive(id).then(|| (*table.aabb(id), table.filter(id)));
            (0..table.slots() as u32).map(entry).collect()
        };
        let mut other = Table::from_boxes(entries(&table), table.free()).expect("they fit");
        assert_eq!((other.len(), other.free()), (table.len(), table.free()));
        assert_eq!(entries(&other), entries(&table));
        assert_eq!(other.changed(), [0, 2, 3], "all are new");
        for id in [5, 1, 4, 6] {
            assert_eq!(other.insert(unit(9.0), Filter::default()), Ok(id));
        }
    }

    #[test]
    fn free_ids_that_do_not_fit_are_refused_by_name() {
        let some = Some((unit(0.0), Filter::default()));
        let refused = |free: &[u32]| Table::from_boxes([some, None, None], free).err();
        assert_eq!(refused(&[1, 2]), None);
        assert_eq!(refused(&[1]), Some(BoxError::NotFree { id: 2 }));
        assert_eq!(refused(&[1, 2, 1]), Some(BoxError::NotFree { id: 1 }));
        assert_eq!(refused(&[1, 2, 0]), Some(BoxError::NotFree { id: 0 }));
        assert_eq!(refused(&[1, 2, 3]), Some(BoxError::NotFree { id: 3 }));
        let inverted = Some((Aabb { min: [1.0; 2], max: [0.0; 2] }, Filter::default()));
        assert!(matches!(Table::from_boxes([inverted], &[]), Err(BoxError::Invalid { id: 0, .. })));
    }
}
