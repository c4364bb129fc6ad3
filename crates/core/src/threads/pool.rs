//! A pool of worker threads that runs one stage of work at a time.
//!
//! Stages have numbers, called epochs. One atomic word holds the epoch, whether workers may join,
//! and how many have joined. The calling thread publishes a stage by storing the next epoch with
//! joining allowed; workers that see a new epoch join, take tasks until none is left, and leave.
//! The call ends when joining is closed and nobody is inside any more.

// What workers run is borrowed from the caller's stack. That they are done before the caller goes
// on is known here, not to the compiler.
#![allow(unsafe_code)]

use std::any::Any;
use std::cell::UnsafeCell;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use super::disjoint::DisjointSlice;
use crate::clock::{Clock, Stopwatch};

/// Polls of the epoch before a worker blocks: some fifty microseconds.
pub(super) const SPIN_LIMIT: u32 = 20_000;

/// What there is to do: called with the index of the thread and that of the task.
type Work<'a> = &'a (dyn Fn(usize, usize) + Sync);

/// The stage at hand.
#[derive(Clone, Copy)]
struct Stage {
    work: Work<'static>,
    tasks: usize,
}

/// Set while workers may join: one bit between the number of those inside and the epoch.
const OPEN: u64 = 1 << 31;
/// Where the epoch begins.
const EPOCH_SHIFT: u32 = 32;

/// What the caller and the workers share.
struct Shared {
    /// Epoch, [`OPEN`], number of workers inside.
    state: AtomicU64,
    /// Written only while joining is closed and nobody is inside.
    stage: UnsafeCell<Option<Stage>>,
    next_task: AtomicUsize,
    /// Number of blocked workers.
    blocked: Mutex<usize>,
    wake: Condvar,
    is_shutting_down: AtomicBool,
    /// What a worker panicked with.
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

// SAFETY: `stage` is written by the one caller while joining is closed and nobody is inside, and
// read by those inside; joining and leaving order these accesses. What it refers to is `Sync`.
unsafe impl Sync for Shared {}
// SAFETY: nothing in it belongs to a thread.
unsafe impl Send for Shared {}

/// Threads that run the tasks of one stage after the other.
///
/// ```
/// use carom_core::threads::ThreadPool;
///
/// let mut pool = ThreadPool::new(4);
/// let mut squares = vec![0; 1000];
/// pool.for_chunks(&mut squares, 100, |start, chunk| {
///     for (k, square) in chunk.iter_mut().enumerate() {
///         *square = (start + k) * (start + k);
///     }
/// });
/// assert_eq!(squares[31], 961);
/// ```
pub struct ThreadPool {
    shared: Option<Arc<Shared>>,
    workers: Vec<JoinHandle<()>>,
    clock: Clock,
    /// Time of the stages that workers could take part in, since it was last asked for.
    parallel_time: Duration,
}

impl fmt::Debug for ThreadPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ThreadPool({})", self.threads())
    }
}

impl Default for ThreadPool {
    /// The calling thread alone.
    fn default() -> Self {
        Self::new(1)
    }
}

impl ThreadPool {
    /// So many threads, the calling one among them. Fewer if the system gives no more: on targets
    /// without threads the calling one does everything.
    #[must_use]
    pub fn new(threads: usize) -> Self {
        Self::with_clock(threads, Clock::default())
    }

    /// As [`ThreadPool::new`], with the clock that [`ThreadPool::take_parallel_time`] goes by.
    #[must_use]
    pub fn with_clock(threads: usize, clock: Clock) -> Self {
        let alone = Self { shared: None, workers: Vec::new(), clock, parallel_time: Duration::ZERO };
        if threads <= 1 {
            return alone;
        }
        let shared = Arc::new(Shared {
            state: AtomicU64::new(0),
            stage: UnsafeCell::new(None),
            next_task: AtomicUsize::new(0),
            blocked: Mutex::new(0),
            wake: Condvar::new(),
            is_shutting_down: AtomicBool::new(false),
            panic: Mutex::new(None),
        });
        let mut workers = Vec::new();
        for thread in 1..threads {
            let shared = Arc::clone(&shared);
            let builder = std::thread::Builder::new().name(format!("carom-worker-{thread}"));
            match builder.spawn(move || shared.worker_loop(thread)) {
                Ok(worker) => workers.push(worker),
                Err(_) => break,
            }
        }
        Self { shared: Some(shared), workers, ..alone }
    }

    /// Number of threads, the calling one among them.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.workers.len() + 1
    }

    /// Time of the stages that workers could take part in, since the last call.
    pub fn take_parallel_time(&mut self) -> Duration {
        std::mem::take(&mut self.parallel_time)
    }

    /// Calls `work` once for each task, with the index of the thread and that of the task, in any
    /// order, and returns when all are done. What the calls write must not depend on who makes
    /// them. A panic of a call reaches the caller.
    pub fn run(&mut self, tasks: usize, work: impl Fn(usize, usize) + Sync) {
        match &self.shared {
            Some(shared) if tasks > 1 && !self.workers.is_empty() => {
                let mut watch = Stopwatch::start(self.clock);
                shared.run_stage(tasks, &work);
                self.parallel_time += watch.lap();
            }
            _ => (0..tasks).for_each(|task| work(0, task)),
        }
    }

    /// Calls `work` with chunks of `length` consecutive elements (the last one may be shorter),
    /// each with the index of its first element.
    pub fn for_chunks<T: Send>(
        &mut self,
        items: &mut [T],
        length: usize,
        work: impl Fn(usize, &mut [T]) + Sync,
    ) {
        let items = DisjointSlice::new(items);
        self.run(items.len().div_ceil(length), |_, task| {
            let start = task * length;
            // SAFETY: each task is run once, so their ranges do not overlap.
            work(start, unsafe { items.range(start, (start + length).min(items.len())) });
        });
    }

    /// Calls `work` for each element with its index.
    pub fn for_each<T: Send>(&mut self, items: &mut [T], work: impl Fn(usize, &mut T) + Sync) {
        let items = DisjointSlice::new(items);
        // SAFETY: each task is run once, and each has an element of its own.
        self.run(items.len(), |_, task| work(task, unsafe { items.at(task) }));
    }
}

impl Drop for ThreadPool {
    fn drop(&mut self) {
        if let Some(shared) = &self.shared {
            shared.is_shutting_down.store(true, Ordering::Release);
            drop(shared.blocked.lock().unwrap_or_else(PoisonError::into_inner));
            shared.wake.notify_all();
        }
        for worker in self.workers.drain(..) {
            // It never panics: what its work panicked with went to the caller.
            let _ = worker.join();
        }
    }
}

impl Shared {
    /// One stage, from the first task to the last.
    fn run_stage(&self, tasks: usize, work: Work<'_>) {
        // SAFETY: only the lifetime changes. Nobody reads the stage after this function: joining is
        // closed and nobody is inside at its end.
        let work = unsafe { std::mem::transmute::<Work<'_>, Work<'static>>(work) };
        // SAFETY: joining is closed and nobody is inside, see the end of this function.
        unsafe { *self.stage.get() = Some(Stage { work, tasks }) };
        self.next_task.store(0, Ordering::Relaxed);
        let epoch = (self.state.load(Ordering::Relaxed) >> EPOCH_SHIFT).wrapping_add(1) & 0xffff_ffff;
        self.state.store(epoch << EPOCH_SHIFT | OPEN, Ordering::Release);
        if *self.blocked.lock().unwrap_or_else(PoisonError::into_inner) > 0 {
            self.wake.notify_all();
        }
        let own = catch_unwind(AssertUnwindSafe(|| self.take_tasks(0, work, tasks)));
        self.state.fetch_and(!OPEN, Ordering::AcqRel);
        let mut spins = SPIN_LIMIT;
        while self.state.load(Ordering::Acquire) & (OPEN - 1) > 0 {
            std::hint::spin_loop();
            // A worker may have lost the processor that this thread has.
            spins = spins.saturating_sub(1);
            if spins == 0 {
                std::thread::yield_now();
            }
        }
        if let Err(panic) = own {
            resume_unwind(panic);
        }
        let panic = self.panic.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(panic) = panic {
            resume_unwind(panic);
        }
    }

    fn take_tasks(&self, thread: usize, work: Work<'_>, tasks: usize) {
        loop {
            let task = self.next_task.fetch_add(1, Ordering::Relaxed);
            if task >= tasks {
                return;
            }
            work(thread, task);
        }
    }

    fn worker_loop(&self, thread: usize) {
        let mut last_epoch = 0;
        let mut spins = SPIN_LIMIT;
        while !self.is_shutting_down.load(Ordering::Acquire) {
            let state = self.state.load(Ordering::Acquire);
            let is_new = state & OPEN != 0 && state >> EPOCH_SHIFT != last_epoch;
            if is_new && self.join(state) {
                last_epoch = state >> EPOCH_SHIFT;
                // SAFETY: after joining, nobody writes.
                let stage = unsafe { *self.stage.get() };
                if let Some(Stage { work, tasks }) = stage {
                    let done = catch_unwind(AssertUnwindSafe(|| self.take_tasks(thread, work, tasks)));
                    if let Err(panic) = done {
                        *self.panic.lock().unwrap_or_else(PoisonError::into_inner) = Some(panic);
                    }
                }
                self.state.fetch_sub(1, Ordering::AcqRel);
                spins = SPIN_LIMIT;
            } else if spins > 0 {
                spins -= 1;
                std::hint::spin_loop();
            } else {
                self.block(last_epoch);
                spins = SPIN_LIMIT;
            }
        }
    }

    fn join(&self, state: u64) -> bool {
        self.state.compare_exchange(state, state + 1, Ordering::AcqRel, Ordering::Relaxed).is_ok()
    }

    /// Blocks the worker until there is a new epoch.
    fn block(&self, last_epoch: u64) {
        let mut blocked = self.blocked.lock().unwrap_or_else(PoisonError::into_inner);
        *blocked += 1;
        // Looked at after being counted: a stage that begins now sees the blocked worker.
        let is_idle = || {
            let state = self.state.load(Ordering::Acquire);
            !self.is_shutting_down.load(Ordering::Acquire)
                && (state & OPEN == 0 || state >> EPOCH_SHIFT == last_epoch)
        };
        while is_idle() {
            blocked = self.wake.wait(blocked).unwrap_or_else(PoisonError::into_inner);
        }
        *blocked -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_task_is_done_once() {
        for threads in [1, 2, 3, 8] {
            let mut pool = ThreadPool::new(threads);
            assert_eq!(pool.threads(), threads);
            let mut numbers = vec![0u64; 1000];
            for round in 1..200u64 {
                pool.for_chunks(&mut numbers, 7, |start, chunk| {
                    for (k, number) in chunk.iter_mut().enumerate() {
                        *number += (start + k) as u64;
                    }
                });
                // Now and then workers have blocked.
                if round % 50 == 0 {
                    std::thread::sleep(Duration::from_millis(3));
                }
            }
            assert!(numbers.iter().enumerate().all(|(k, number)| *number == 199 * k as u64));
        }
    }

    #[test]
    fn every_chunk_is_visited_once_whatever_the_threads() {
        for threads in 0..4 {
            let mut pool = ThreadPool::new(threads);
            for (count, length) in [(0, 1), (1, 1), (7, 1), (8, 3), (9, 3), (10, 20)] {
                let mut items = vec![(usize::MAX, 0); count];
                pool.for_chunks(&mut items, length, |start, chunk| {
                    assert!(chunk.len() <= length);
                    chunk.iter_mut().for_each(|item| *item = (start, item.1 + 1));
                });
                let expected: Vec<_> = (0..count).map(|i| (i / length * length, 1)).collect();
                assert_eq!(items, expected, "{threads} threads, {count} in chunks of {length}");
                pool.for_each(&mut items, |index, item| *item = (index, 0));
                assert!(items.iter().enumerate().all(|(index, item)| *item == (index, 0)));
            }
        }
    }

    #[test]
    fn a_panic_reaches_the_caller_and_the_pool_lives_on() {
        let mut pool = ThreadPool::new(4);
        let caught = catch_unwind(AssertUnwindSafe(|| {
            pool.run(100, |_, task| assert!(task != 50, "task fifty"));
        }));
        assert!(caught.is_err());
        let sum = AtomicUsize::new(0);
        pool.run(100, |_, task| {
            sum.fetch_add(task, Ordering::Relaxed);
        });
        assert_eq!(sum.into_inner(), 4950);
    }

    #[test]
    fn parallel_time_is_that_of_shared_stages() {
        let mut pool = ThreadPool::new(2);
        pool.run(1, |_, _| std::thread::sleep(Duration::from_millis(2)));
        assert_eq!(pool.take_parallel_time(), Duration::ZERO, "one task is not shared");
        pool.run(2, |_, _| std::thread::sleep(Duration::from_millis(2)));
        assert!(pool.take_parallel_time() >= Duration::from_millis(2));
        assert_eq!(pool.take_parallel_time(), Duration::ZERO);
    }
}
