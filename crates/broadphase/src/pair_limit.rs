//! A limit on the pairs of an update, so that memory is bounded whatever the boxes do.
//!
//! Lists of pairs ask for memory here when they grow. Boxes that all lie in one place have
//! n(n − 1)/2 pairs; once the limit is exceeded lists keep their memory and drop what they hold,
//! and methods that ask leave their loops early. What a method has found and kept is worthless
//! then, and [`crate::Space`] throws it away.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::Pair;

/// Pairs for which a list asks at first.
const FIRST: usize = 64;

carom_core::error_type! {
    /// More pairs than a space may have.
    #[error("more than {limit} pairs of boxes overlap")]
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct TooManyPairs {
        /// How many there may be.
        pub limit: usize,
    }
}

/// How many pairs an update may find. Counts are taken when lists grow and are never above what
/// was found, so an update within the limit is never refused.
#[derive(Debug)]
pub(crate) struct PairLimit {
    limit: usize,
    counted: AtomicUsize,
    is_exceeded: AtomicBool,
}

impl Default for PairLimit {
    fn default() -> Self {
        Self { limit: usize::MAX, counted: AtomicUsize::new(0), is_exceeded: AtomicBool::new(false) }
    }
}

impl Clone for PairLimit {
    fn clone(&self) -> Self {
        Self { limit: self.limit, ..Self::default() }
    }
}

impl PairLimit {
    pub(crate) fn set(&mut self, limit: usize) {
        self.limit = limit;
    }

    /// An update begins.
    pub(crate) fn begin(&mut self) {
        *self.counted.get_mut() = 0;
        *self.is_exceeded.get_mut() = false;
    }

    /// Is it known that there are too many pairs?
    #[inline]
    pub(crate) fn is_exceeded(&self) -> bool {
        self.is_exceeded.load(Ordering::Relaxed)
    }

    /// Another update on behalf of this one has found too many.
    pub(crate) fn exceed(&self) {
        self.is_exceeded.store(true, Ordering::Relaxed);
    }

    /// A list that grows without asking holds so many.
    pub(crate) fn note_length(&self, length: usize) {
        if length > self.limit {
            self.exceed();
        }
    }

    /// Refuses `pairs` pairs if they are too many, or if there were too many on the way to them.
    pub(crate) fn check(&self, pairs: usize) -> Result<(), TooManyPairs> {
        let is_within = pairs <= self.limit && !self.is_exceeded();
        if is_within { Ok(()) } else { Err(TooManyPairs { limit: self.limit }) }
    }

    /// Appends a pair.
    #[inline]
    pub(crate) fn push(&self, list: &mut Vec<Pair>, pair: Pair) {
        if list.len() < list.capacity() || self.grow(list) {
            list.push(pair);
        }
    }

    /// Makes room in a full list; false if there is none to have.
    #[cold]
    #[inline(never)]
    fn grow(&self, list: &mut Vec<Pair>) -> bool {
        let len = list.len();
        // A list doubles, so half of it was not counted yet.
        let counted = self.counted.fetch_add(len / 2, Ordering::Relaxed) + len / 2;
        if counted > self.limit || len > self.limit || self.is_exceeded() {
            self.exceed();
            list.clear();
            return list.capacity() > 0;
        }
        list.reserve_exact(len.max(FIRST));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_stop_growing_at_the_limit() {
        let mut limit = PairLimit::default();
        limit.set(1000);
        for lists in [1, 7] {
            let mut lists = vec![Vec::new(); lists];
            limit.begin();
            for k in 0..100_000 {
                let at = k as usize % lists.len();
                limit.push(&mut lists[at], Pair { a: k, b: k + 1 });
                let is_within = k < 1000;
                assert!(!is_within || limit.check(k as usize + 1).is_ok());
            }
            assert_eq!(limit.check(0), Err(TooManyPairs { limit: 1000 }));
            assert!(lists.iter().map(Vec::capacity).sum::<usize>() < 8000);
        }
        limit.begin();
        assert_eq!(limit.check(1000), Ok(()));
        assert_eq!(limit.check(1001), Err(TooManyPairs { limit: 1000 }));
    }
}
