//! Threads for methods that can use several.

use std::fmt;
use std::ops::Range;

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
        match &self.pool {
            Some(pool) if items.len() > 1 => pool.install(|| split(items, 0, &work)),
            _ => items.iter_mut().enumerate().for_each(|(index, item)| work(index, item)),
        }
    }

    /// The `index`-th of `count` nearly equal parts of `0..len`.
    #[must_use]
    pub fn part(len: usize, index: usize, count: usize) -> Range<usize> {
        len * index / count..len * (index + 1) / count
    }
}

/// Halves until one element is left; `join` needs no memory of its own.
fn split<T: Send>(items: &mut [T], first: usize, work: &(impl Fn(usize, &mut T) + Sync)) {
    if let [item] = items {
        work(first, item);
    } else {
        let half = items.len() / 2;
        let (low, high) = items.split_at_mut(half);
        rayon::join(|| split(low, first, work), || split(high, first + half, work));
    }
}
