//! Threads that help with a stage of a step, and wait for the next one close by.
//!
//! A stage is cut into parts whose number does not depend on the number of threads; whoever is free takes the next part. Helpers
//! that have nothing to do watch for the next stage for a while and then sleep. The calling thread works too, and waits for
//! nobody who has not begun: if no helper comes in time, it has done everything alone.
//!
//! General pools take some ten microseconds to begin; a step has dozens of stages that take not much longer than that.

// What helpers run is borrowed from the caller's stack. That they are done before the caller goes on is known here, not to the
// compiler.
#![allow(unsafe_code)]

use std::any::Any;
use std::cell::UnsafeCell;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::prefetch::prefetch;

/// Looks at the gate before a helper goes to sleep: some fifty microseconds.
const PATIENCE: u32 = 20_000;

/// What there is to do: called with the number of the thread and that of the part.
type Work<'a> = &'a (dyn Fn(usize, usize) + Sync);

/// The stage at hand.
#[derive(Clone, Copy)]
struct Stage {
    work: Work<'static>,
    parts: usize,
}

/// May helpers come in? One bit of the gate, between the number of those inside and the number of the stage.
const OPEN: u64 = 1 << 31;
/// Where the number of the stage begins.
const STAGE: u32 = 32;

struct Shared {
    gate: AtomicU64,
    /// Written only while the gate is closed and nobody is inside.
    stage: UnsafeCell<Option<Stage>>,
    /// The next part.
    next: AtomicUsize,
    sleepers: Mutex<usize>,
    alarm: Condvar,
    is_over: AtomicBool,
    /// What a helper panicked with.
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

// SAFETY: `stage` is written by the one caller while the gate is closed and nobody is inside, and read by those inside; going in and
// out of the gate orders these accesses. What it refers to is `Sync`.
unsafe impl Sync for Shared {}
// SAFETY: nothing in it belongs to a thread.
unsafe impl Send for Shared {}

/// Threads for the stages of a step.
pub(crate) struct Pool {
    shared: Option<Arc<Shared>>,
    helpers: Vec<JoinHandle<()>>,
    /// Time of the stages that helpers could take part in, since it was last asked for.
    shared_time: Duration,
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pool({})", self.threads())
    }
}

impl Pool {
    /// So many threads, the calling one among them. Fewer if the system gives no more.
    pub(crate) fn new(threads: usize) -> Self {
        if threads <= 1 {
            return Self { shared: None, helpers: Vec::new(), shared_time: Duration::ZERO };
        }
        let shared = Arc::new(Shared {
            gate: AtomicU64::new(0),
            stage: UnsafeCell::new(None),
            next: AtomicUsize::new(0),
            sleepers: Mutex::new(0),
            alarm: Condvar::new(),
            is_over: AtomicBool::new(false),
            panic: Mutex::new(None),
        });
        let mut helpers = Vec::new();
        for number in 1..threads {
            let shared = Arc::clone(&shared);
            let builder = std::thread::Builder::new().name(format!("carom-step-{number}"));
            match builder.spawn(move || shared.help(number)) {
                Ok(helper) => helpers.push(helper),
                Err(_) => break,
            }
        }
        Self { shared: Some(shared), helpers, shared_time: Duration::ZERO }
    }

    /// Number of threads.
    pub(crate) fn threads(&self) -> usize {
        self.helpers.len() + 1
    }

    /// Time of the stages that helpers could take part in, since the last call.
    pub(crate) fn take_shared_time(&mut self) -> Duration {
        std::mem::take(&mut self.shared_time)
    }

    /// Calls `work` once for each part, with the number of the thread and that of the part, in any order, and returns when all are
    /// done. What the calls write must not depend on who makes them.
    pub(crate) fn run(&mut self, parts: usize, work: impl Fn(usize, usize) + Sync) {
        match &self.shared {
            Some(shared) if parts > 1 && !self.helpers.is_empty() => {
                let start = Instant::now();
                shared.lead(parts, &work);
                self.shared_time += start.elapsed();
            }
            _ => (0..parts).for_each(|part| work(0, part)),
        }
    }

    /// Calls `work` once for each part of each stage, with the numbers of both. A stage begins when all parts of the one before are done.
    ///
    /// Threads come once for all stages, and then go by two counters: stages of a microsecond are worth sharing here.
    pub(crate) fn march(
        &mut self,
        stages: usize,
        parts_of: impl Fn(usize) -> usize + Sync,
        work: impl Fn(usize, usize) + Sync,
    ) {
        let total: usize = (0..stages).map(&parts_of).sum();
        let (next, done) = (Counter::default(), Counter::default());
        self.run(self.threads(), |_, _| {
            let (mut stage, mut start) = (0, 0);
            loop {
                let number = next.0.fetch_add(1, Ordering::Relaxed);
                if number >= total {
                    return;
                }
                while number >= start + parts_of(stage) {
                    start += parts_of(stage);
                    stage += 1;
                }
                let mut patience = PATIENCE;
                while done.0.load(Ordering::Acquire) < start {
                    std::hint::spin_loop();
                    // Somebody may have lost the processor that this thread has.
                    patience = patience.saturating_sub(1);
                    if patience == 0 {
                        std::thread::yield_now();
                    }
                }
                let _done = Done(&done);
                work(stage, number - start);
            }
        });
    }

    /// Calls `work` with pieces of a slice of a given length (the last one may be shorter), each with the place where it begins.
    pub(crate) fn for_pieces<T: Send>(
        &mut self,
        items: &mut [T],
        length: usize,
        work: impl Fn(usize, &mut [T]) + Sync,
    ) {
        let pieces = Pieces::new(items);
        self.run(pieces.length.div_ceil(length), |_, part| {
            let start = part * length;
            // SAFETY: parts are numbered once each, so their ranges do not overlap.
            work(start, unsafe { pieces.range(start, (start + length).min(pieces.length)) });
        });
    }
}

/// A counter with a cache line of its own.
#[derive(Default)]
#[repr(align(64))]
struct Counter(AtomicUsize);

/// Counts a part when it goes out of scope, also if that is by a panic: others would wait for ever.
struct Done<'a>(&'a Counter);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.0.0.fetch_add(1, Ordering::Release);
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        if let Some(shared) = &self.shared {
            shared.is_over.store(true, Ordering::Release);
            drop(shared.sleepers.lock().unwrap_or_else(PoisonError::into_inner));
            shared.alarm.notify_all();
        }
        for helper in self.helpers.drain(..) {
            // It never panics: what its work panicked with went to the caller.
            let _ = helper.join();
        }
    }
}

impl Shared {
    /// One stage, from the first part to the last.
    fn lead(&self, parts: usize, work: Work<'_>) {
        // SAFETY: only the lifetime changes. Nobody reads the stage after this function: the gate is closed and empty at its end.
        let work = unsafe { std::mem::transmute::<Work<'_>, Work<'static>>(work) };
        // SAFETY: the gate is closed and nobody is inside, see the end of this function.
        unsafe { *self.stage.get() = Some(Stage { work, parts }) };
        self.next.store(0, Ordering::Relaxed);
        let number = (self.gate.load(Ordering::Relaxed) >> STAGE).wrapping_add(1) & 0xffff_ffff;
        self.gate.store(number << STAGE | OPEN, Ordering::Release);
        if *self.sleepers.lock().unwrap_or_else(PoisonError::into_inner) > 0 {
            self.alarm.notify_all();
        }
        let own = catch_unwind(AssertUnwindSafe(|| self.take_parts(0, work, parts)));
        self.gate.fetch_and(!OPEN, Ordering::AcqRel);
        while self.gate.load(Ordering::Acquire) & (OPEN - 1) > 0 {
            std::hint::spin_loop();
        }
        if let Err(panic) = own {
            resume_unwind(panic);
        }
        let panic = self.panic.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(panic) = panic {
            resume_unwind(panic);
        }
    }

    fn take_parts(&self, thread: usize, work: Work<'_>, parts: usize) {
        loop {
            let part = self.next.fetch_add(1, Ordering::Relaxed);
            if part >= parts {
                return;
            }
            work(thread, part);
        }
    }

    /// The life of a helper.
    fn help(&self, thread: usize) {
        let mut last = 0;
        let mut patience = PATIENCE;
        while !self.is_over.load(Ordering::Acquire) {
            let gate = self.gate.load(Ordering::Acquire);
            let is_new = gate & OPEN != 0 && gate >> STAGE != last;
            if is_new && self.enter(gate) {
                last = gate >> STAGE;
                // SAFETY: inside the gate, nobody writes.
                let stage = unsafe { *self.stage.get() };
                if let Some(Stage { work, parts }) = stage {
                    let done = catch_unwind(AssertUnwindSafe(|| self.take_parts(thread, work, parts)));
                    if let Err(panic) = done {
                        *self.panic.lock().unwrap_or_else(PoisonError::into_inner) = Some(panic);
                    }
                }
                self.gate.fetch_sub(1, Ordering::AcqRel);
                patience = PATIENCE;
            } else if patience > 0 {
                patience -= 1;
                std::hint::spin_loop();
            } else {
                self.sleep(last);
                patience = PATIENCE;
            }
        }
    }

    fn enter(&self, gate: u64) -> bool {
        self.gate.compare_exchange(gate, gate + 1, Ordering::AcqRel, Ordering::Relaxed).is_ok()
    }

    fn sleep(&self, last: u64) {
        let mut sleepers = self.sleepers.lock().unwrap_or_else(PoisonError::into_inner);
        *sleepers += 1;
        // Looked at after being counted: a stage that begins now sees the sleeper.
        let is_quiet = || {
            let gate = self.gate.load(Ordering::Acquire);
            !self.is_over.load(Ordering::Acquire) && (gate & OPEN == 0 || gate >> STAGE == last)
        };
        while is_quiet() {
            sleepers = self.alarm.wait(sleepers).unwrap_or_else(PoisonError::into_inner);
        }
        *sleepers -= 1;
    }
}

/// A slice that several threads may write different elements of.
pub(crate) struct Pieces<'a, T> {
    start: *mut T,
    length: usize,
    slice: std::marker::PhantomData<&'a mut [T]>,
}

// SAFETY: who gets elements out promises not to get one twice at a time; then it is as if each thread had got its own elements.
unsafe impl<T: Send> Sync for Pieces<'_, T> {}

impl<'a, T> Pieces<'a, T> {
    pub(crate) fn new(items: &'a mut [T]) -> Self {
        Self { start: items.as_mut_ptr(), length: items.len(), slice: std::marker::PhantomData }
    }

    /// One element.
    ///
    /// # Safety
    /// Nobody may hold the same element at the same time.
    #[inline]
    #[expect(clippy::mut_from_ref, reason = "that is what it is for")]
    // SAFETY: as said above, by the caller.
    pub(crate) unsafe fn at(&self, index: usize) -> &mut T {
        assert!(index < self.length, "no element {index}");
        // SAFETY: within the slice, and nobody else holds it.
        unsafe { &mut *self.start.add(index) }
    }

    /// One element, if it is there.
    ///
    /// # Safety
    /// Nobody may hold the same element at the same time.
    #[inline]
    #[expect(clippy::mut_from_ref, reason = "that is what it is for")]
    // SAFETY: as said above, by the caller.
    pub(crate) unsafe fn get(&self, index: usize) -> Option<&mut T> {
        // SAFETY: the caller promises what is needed.
        if index < self.length { Some(unsafe { self.at(index) }) } else { None }
    }

    /// Asks for the memory of an element, which will be needed soon.
    #[inline(always)]
    pub(crate) fn prefetch(&self, index: u32) {
        prefetch(self.start.wrapping_add(index as usize));
    }

    /// A range of elements; none if there are no elements at all.
    ///
    /// # Safety
    /// Nobody may hold one of these elements at the same time.
    #[inline]
    #[expect(clippy::mut_from_ref, reason = "that is what it is for")]
    // SAFETY: as said above, by the caller.
    pub(crate) unsafe fn range_or_none(&self, start: usize, end: usize) -> &mut [T] {
        // SAFETY: the caller promises what is needed.
        unsafe { if self.length == 0 { self.range(0, 0) } else { self.range(start, end) } }
    }

    /// A range of elements.
    ///
    /// # Safety
    /// Nobody may hold one of these elements at the same time.
    #[inline]
    #[expect(clippy::mut_from_ref, reason = "that is what it is for")]
    // SAFETY: as said above, by the caller.
    pub(crate) unsafe fn range(&self, start: usize, end: usize) -> &mut [T] {
        assert!(start <= end && end <= self.length, "no elements {start}..{end}");
        // SAFETY: within the slice, and nobody else holds them.
        unsafe { std::slice::from_raw_parts_mut(self.start.add(start), end - start) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_is_done_once() {
        for threads in [1, 2, 3, 8] {
            let mut pool = Pool::new(threads);
            assert_eq!(pool.threads(), threads);
            let mut numbers = vec![0u64; 1000];
            for round in 1..200u64 {
                pool.for_pieces(&mut numbers, 7, |start, piece| {
                    for (k, number) in piece.iter_mut().enumerate() {
                        *number += (start + k) as u64;
                    }
                });
                // Now and then helpers have fallen asleep.
                if round % 50 == 0 {
                    std::thread::sleep(Duration::from_millis(3));
                }
            }
            assert!(numbers.iter().enumerate().all(|(k, number)| *number == 199 * k as u64));
        }
    }

    #[test]
    fn stages_wait_for_each_other() {
        for threads in [1, 2, 5] {
            let mut pool = Pool::new(threads);
            for round in 0..50 {
                // Each part of a stage needs the sum that the stage before made.
                let sums: Vec<AtomicUsize> = (0..20).map(|_| AtomicUsize::new(0)).collect();
                pool.march(
                    20,
                    |stage| 1 + (stage + round) % 4,
                    |stage, part| {
                        let before = stage.checked_sub(1).map_or(0, |k| sums[k].load(Ordering::Relaxed));
                        sums[stage]
                            .fetch_add(if part == 0 { before + 1 } else { before / 2 }, Ordering::Relaxed);
                    },
                );
                let mut expected = 0;
                for (stage, sum) in sums.iter().enumerate() {
                    expected += 1 + (stage + round) % 4 * (expected / 2);
                    assert_eq!(sum.load(Ordering::Relaxed), expected, "stage {stage} on {threads} threads");
                }
            }
        }
        let mut pool = Pool::new(3);
        let caught = catch_unwind(AssertUnwindSafe(|| {
            pool.march(10, |_| 4, |stage, part| assert!((stage, part) != (5, 2), "part two of stage five"));
        }));
        assert!(caught.is_err(), "a panic does not hold up the others");
    }

    #[test]
    fn a_panic_reaches_the_caller_and_the_pool_lives_on() {
        let mut pool = Pool::new(4);
        let caught = catch_unwind(AssertUnwindSafe(|| {
            pool.run(100, |_, part| assert!(part != 50, "part fifty"));
        }));
        assert!(caught.is_err());
        let sum = AtomicUsize::new(0);
        pool.run(100, |_, part| {
            sum.fetch_add(part, Ordering::Relaxed);
        });
        assert_eq!(sum.into_inner(), 4950);
    }
}
