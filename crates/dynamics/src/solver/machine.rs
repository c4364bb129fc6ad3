//! Instructions that sweeps are compiled for, and who sweeps.

// Calling a function that was compiled for more instructions than every machine has is `unsafe`: that the machine has them is
// checked right before.
#![allow(unsafe_code)]

use carom_core::threads::ThreadPool;

/// A piece of work on lanes, to be compiled for the instructions of a machine.
pub(crate) trait Work {
    /// Does it. `inline(always)` in every implementation, or it is compiled for every machine after all.
    fn run(self);
}

/// Instructions that work can be compiled for. Each piece of work becomes one function: compilers need far longer for all of them
/// in one.
pub(crate) trait Machine: Copy + Sync {
    /// Does some work with them.
    fn run(self, work: impl Work);
}

/// Instructions that every machine has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plain;

impl Machine for Plain {
    #[inline(never)]
    fn run(self, work: impl Work) {
        work.run();
    }
}

/// Instructions of machines with AVX2. Having one means to be on such a machine.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(());

#[cfg(target_arch = "x86_64")]
impl Avx2 {
    /// Asks the processor.
    pub(crate) fn detect() -> Option<Self> {
        std::arch::is_x86_feature_detected!("avx2").then_some(Self(()))
    }
}

#[cfg(target_arch = "x86_64")]
impl Machine for Avx2 {
    fn run(self, work: impl Work) {
        #[target_feature(enable = "avx2")]
        fn compiled(work: impl Work) {
            work.run();
        }
        // SAFETY: the processor was asked before this value was made.
        unsafe { compiled(work) }
    }
}

/// Who sweeps: the instructions to use, and the threads.
pub(crate) struct Crew<'a, M> {
    pub(crate) machine: M,
    pub(crate) pool: &'a mut ThreadPool,
}
