//! What the sweeps of the solver run with.

use carom_core::threads::ThreadPool;

/// The instruction set that sweeps are compiled for, and the threads that share them.
pub(crate) struct WorkerContext<'a, I> {
    pub(crate) instruction_set: I,
    pub(crate) pool: &'a mut ThreadPool,
}
