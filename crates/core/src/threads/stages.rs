//! Many short stages in one call of the pool.
//!
//! Threads come once for all stages and then go by two atomic counters, the next task and the tasks
//! done: stages of a microsecond are worth sharing here. A stage begins when all tasks of the one
//! before are done, as behind a barrier.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::pool::{SPIN_LIMIT, ThreadPool};

/// A counter with a cache line of its own.
#[derive(Default)]
#[repr(align(64))]
struct Counter(AtomicUsize);

/// Counts a task when it goes out of scope, also if that is by a panic: others would wait for ever.
struct TaskGuard<'a>(&'a Counter);

impl Drop for TaskGuard<'_> {
    fn drop(&mut self) {
        self.0.0.fetch_add(1, Ordering::Release);
    }
}

impl ThreadPool {
    /// Calls `work` once for each task of each stage, with the numbers of both. A stage begins when
    /// all tasks of the one before are done.
    pub fn run_stages(
        &mut self,
        stages: usize,
        tasks_of: impl Fn(usize) -> usize + Sync,
        work: impl Fn(usize, usize) + Sync,
    ) {
        let total: usize = (0..stages).map(&tasks_of).sum();
        let (next, done) = (Counter::default(), Counter::default());
        self.run(self.threads(), |_, _| {
            let (mut stage, mut start) = (0, 0);
            loop {
                let task = next.0.fetch_add(1, Ordering::Relaxed);
                if task >= total {
                    return;
                }
                while task >= start + tasks_of(stage) {
                    start += tasks_of(stage);
                    stage += 1;
                }
                let mut spins = SPIN_LIMIT;
                while done.0.load(Ordering::Acquire) < start {
                    std::hint::spin_loop();
                    // Somebody may have lost the processor that this thread has.
                    spins = spins.saturating_sub(1);
                    if spins == 0 {
                        std::thread::yield_now();
                    }
                }
                let _guard = TaskGuard(&done);
                work(stage, task - start);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn stages_wait_for_each_other() {
        for threads in [1, 2, 5] {
            let mut pool = ThreadPool::new(threads);
            for round in 0..50 {
                // Each task of a stage needs the sum that the stage before made.
                let sums: Vec<AtomicUsize> = (0..20).map(|_| AtomicUsize::new(0)).collect();
                pool.run_stages(
                    20,
                    |stage| 1 + (stage + round) % 4,
                    |stage, task| {
                        let before = stage.checked_sub(1).map_or(0, |k| sums[k].load(Ordering::Relaxed));
                        let more = if task == 0 { before + 1 } else { before / 2 };
                        sums[stage].fetch_add(more, Ordering::Relaxed);
                    },
                );
                let mut expected = 0;
                for (stage, sum) in sums.iter().enumerate() {
                    expected += 1 + (stage + round) % 4 * (expected / 2);
                    assert_eq!(sum.load(Ordering::Relaxed), expected, "stage {stage} on {threads} threads");
                }
            }
        }
    }

    #[test]
    fn a_panic_does_not_hold_up_the_others() {
        let mut pool = ThreadPool::new(3);
        let caught = catch_unwind(AssertUnwindSafe(|| {
            pool.run_stages(10, |_| 4, |stage, task| assert!((stage, task) != (5, 2), "the bad task"));
        }));
        assert!(caught.is_err());
    }
}
