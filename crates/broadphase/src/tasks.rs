//! Into how many tasks the work of a broad phase is cut for the thread pool.

/// Searching for fewer boxes takes some ten microseconds, about as long as waking threads.
const MIN_SHARED: usize = 512;

/// Tasks of work that is worth cutting: enough for many threads to share evenly.
pub(crate) const MAX_TASKS: usize = 32;

/// Into how many tasks, each with lists of its own, work on `len` boxes is cut: at most
/// [`MAX_TASKS`], and one where threads would cost more than they gain. Depends on nothing but
/// `len`, so that results do not depend on the threads.
pub(crate) fn task_count(len: usize) -> usize {
    if len < MIN_SHARED { 1 } else { MAX_TASKS }
}
