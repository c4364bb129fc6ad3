//! Instruction sets, chosen when the program runs.
//!
//! A kernel is compiled once for each instruction set. Every lane computes what it would compute
//! alone, so the choice changes nothing but time.

// Calling a function that was compiled for more instructions than every processor has is `unsafe`:
// that the processor has them is checked right before.
#![allow(unsafe_code)]

/// A piece of work on lanes, to be compiled for an instruction set.
pub trait Kernel {
    /// Does it. `inline(always)` in every implementation, or it is compiled for the baseline after
    /// all. Nothing in it may stay a call: `array::map` and `array::from_fn` do, and then every
    /// operation in their closures is a call too (7 % of the instructions of `pile:2000` once).
    fn run(self);
}

/// Instructions that a kernel can be compiled for. Each kernel becomes one function: compilers need
/// far longer for all of them in one.
pub trait InstructionSet: Copy + Sync {
    /// Runs a kernel with them.
    fn run(self, kernel: impl Kernel);
}

/// Instructions that every processor of the target has.
#[derive(Clone, Copy, Debug)]
pub struct Baseline;

impl InstructionSet for Baseline {
    #[inline(never)]
    fn run(self, kernel: impl Kernel) {
        kernel.run();
    }
}

/// AVX2. Having a value means to be on a processor that has it.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

#[cfg(target_arch = "x86_64")]
impl Avx2 {
    /// Asks the processor.
    #[must_use]
    pub fn detect() -> Option<Self> {
        std::arch::is_x86_feature_detected!("avx2").then_some(Self(()))
    }
}

#[cfg(target_arch = "x86_64")]
impl InstructionSet for Avx2 {
    fn run(self, kernel: impl Kernel) {
        #[target_feature(enable = "avx2")]
        fn compiled(kernel: impl Kernel) {
            kernel.run();
        }
        // SAFETY: the processor was asked before this value was made.
        unsafe { compiled(kernel) }
    }
}
