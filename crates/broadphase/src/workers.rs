//! Threads for methods that can use several.

use std::fmt;
use std::ops::Range;

/// Searching for fewer boxes takes some ten microseconds, about as long as waking threads.
const FEW: usize = 512;

/// A number of threads. One means the calling thread, and no pool is made.
#[derive(Default)]
pub struct Workers {
    pool: Option<rayon::ThreadPool>,
}

impl fmt::Debug for Workers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Workers({})", self.threads())
    }
}

/// The system gave no threads.
#[derive(Debug, thiserror::Error)]
#[error("cannot start {threads} threads: {source}")]
pub struct NoThreads {
    threads: usize,
    source: rayon::ThreadPoolBuildError,
}

impl Workers {
    /// Parts of work that is worth cutting: enough for many threads to share evenly.
    pub(crate) const PARTS: usize = 32;

    /// So many threads; 0 and 1 both mean the calling thread alone.
    ///
    /// # Errors
    /// If the system cannot start them.
    pub fn new(threads: usize) -> Result<Self, NoThreads> {
        if threads <= 1 {
            return Ok(Self::default());
        }
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|i| format!("carom-broad-{i}"))
            .build()
            .map_err(|source| NoThreads { threads, source })?;
        Ok(Self { pool: Some(pool) })
    }

    /// Number of threads.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.pool.as_ref().map_or(1, rayon::ThreadPool::current_num_threads)
    }

    /// Calls `work` for each element with its index, in any order, and returns when all are done. What the calls write must
    /// not depend on the order.
    pub fn for_each<T: Send>(&self, items: &mut [T], work: impl Fn(usize, &mut T) + Sync) {
        self.for_chunks(items, 1, |index, chunk| chunk.iter_mut().for_each(|item| work(index, item)));
    }

    /// As [`Workers::for_each`], for chunks of `len` consecutive elements; the last may be shorter.
    pub fn for_chunks<T: Send>(&self, items: &mut [T], len: usize, work: impl Fn(usize, &mut [T]) + Sync) {
        match &self.pool {
            Some(pool) if items.len() > len => pool.install(|| split(items, len.max(1), 0, &work)),
            _ => items.chunks_mut(len.max(1)).enumerate().for_each(|(index, chunk)| work(index, chunk)),
        }
    }

    /// Into how many parts, each with lists of its own, work on `len` boxes is cut: at most [`Workers::PARTS`], and one where
    /// threads would cost more than they gain. Depends on nothing but `len`, so that results do not depend on the threads.
    pub(crate) fn parts(len: usize) -> usize {
        if len < FEW { 1 } else { Self::PARTS }
    }

    /// The `index`-th of `count` nearly equal parts of `0..len`.
    #[must_use]
    pub fn part(len: usize, index: usize, count: usize) -> Range<usize> {
        len * index / count..len * (index + 1) / count
    }
}

/// Halves until one chunk is left; `join` needs no memory of its own.
fn split<T: Send>(items: &mut [T], len: usize, first: usize, work: &(impl Fn(usize, &mut [T]) + Sync)) {
    let chunks = items.len().div_ceil(len);
    if chunks <= 1 {
        work(first, items);
    } else {
        let half = chunks / 2;
        let (low, high) = items.split_at_mut(half * len);
        rayon::join(|| split(low, len, first, work), || split(high, len, first + half, work));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_chunk_is_visited_once_whatever_the_threads() {
        for threads in 0..4 {
            let workers = Workers::new(threads).unwrap();
            for (count, len) in [(0, 1), (1, 1), (7, 1), (8, 3), (9, 3), (10, 20)] {
                let mut items = vec![(usize::MAX, 0); count];
                workers.for_chunks(&mut items, len, |index, chunk| {
                    assert!(chunk.len() <= len);
                    chunk.iter_mut().for_each(|item| *item = (index, item.1 + 1));
                });
                let expected: Vec<_> = (0..count).map(|i| (i / len, 1)).collect();
                assert_eq!(items, expected, "{threads} threads, {count} in chunks of {len}");
            }
        }
    }
}
