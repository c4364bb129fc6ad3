//! Tests of a few thousand boxes at most: outright, one set against another, or sorted along an
//! axis and swept (box pruning proper). Eight boxes per instruction pair ([`Columns`]).

use super::entry::{Entry, Tag};
use crate::columns::Columns;
use crate::radix::{ordered, sort_by_upper_half};
use crate::{Pair, Table};

/// Where found pairs go.
pub(super) struct Sink<'a, const D: usize> {
    pub(super) table: &'a Table<D>,
    pub(super) pairs: &'a mut Vec<Pair>,
}

impl<const D: usize> Sink<'_, D> {
    /// Takes a pair of overlapping boxes by their tags, if this is the bucket that reports it and
    /// its filters admit it.
    #[inline]
    fn take(&mut self, a: u32, b: u32) {
        let (a, b) = (Tag::of_bits(a), Tag::of_bits(b));
        if !a.meets_first(b, D) {
            return;
        }
        let (a, b) = (a.id(), b.id());
        // A box can meet an entry that it left behind when it began to move.
        if a != b && (self.table.admits_all() || self.table.admits(a, b)) {
            self.table.push_pair(self.pairs, Pair::new(a, b));
        }
    }
}

/// Memory for tests. Each returns the number of tests.
#[derive(Clone, Debug)]
pub(super) struct Sweep<const D: usize> {
    /// Minimum above, place below.
    keys: Vec<u64>,
    scratch: Vec<u64>,
    columns: Columns<D>,
}

impl<const D: usize> Default for Sweep<D> {
    fn default() -> Self {
        Self { keys: Vec::new(), scratch: Vec::new(), columns: Columns::default() }
    }
}

impl<const D: usize> Sweep<D> {
    /// All pairs of a few entries, outright.
    pub(super) fn outright(&mut self, entries: &[Entry<D>], sink: &mut Sink<'_, D>) -> u64 {
        self.take_over(entries);
        self.columns.meet_each_other(|| false, |a, b| sink.take(a, b))
    }

    /// All pairs of two sets of entries.
    pub(super) fn cross(
        &mut self,
        many: impl Iterator<Item = Entry<D>>,
        few: &[Entry<D>],
        sink: &mut Sink<'_, D>,
    ) -> u64 {
        self.take_over(few);
        let axes = std::array::from_fn(|k| k);
        let table = sink.table;
        many.take_while(|_| !table.has_too_many_pairs())
            .map(|e| self.columns.meet_all(&e.aabb, axes, |other| sink.take(e.tag.bits(), other)))
            .sum()
    }

    /// All pairs of entries, by a sweep along an axis.
    pub(super) fn along(&mut self, entries: &[Entry<D>], axis: usize, sink: &mut Sink<'_, D>) -> u64 {
        let (len, axes) = (entries.len(), std::array::from_fn(|k| (axis + k) % D));
        self.keys.clear();
        let key = |(at, e): (u64, &Entry<D>)| u64::from(ordered(e.aabb.min[axis])) << 32 | at;
        self.keys.extend((0..).zip(entries).map(key));
        sort_by_upper_half(&mut self.keys, &mut self.scratch);
        let columns = &mut self.columns;
        columns.reserve(len);
        for (to, &key) in self.keys.iter().enumerate() {
            let Entry { aabb, tag } = &entries[key as u32 as usize];
            columns.put(to, tag.bits(), aabb, axes);
        }
        let (columns, table) = (&self.columns, sink.table);
        let one = |i| columns.sweep(i, columns, i + 1, len, |i, j| sink.take(columns.id(i), columns.id(j)));
        (0..len).take_while(|_| !table.has_too_many_pairs()).map(one).sum()
    }

    fn take_over(&mut self, entries: &[Entry<D>]) {
        self.columns.clear();
        for Entry { aabb, tag } in entries {
            self.columns.push(tag.bits(), aabb, std::array::from_fn(|k| k));
        }
        self.columns.close();
    }

    pub(super) fn bytes(&self) -> usize {
        (self.keys.capacity() + self.scratch.capacity()) * size_of::<u64>() + self.columns.bytes()
    }
}
