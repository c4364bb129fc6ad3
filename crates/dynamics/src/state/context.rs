//! What every stage of a step is given besides the state.

use carom_core::threads::ThreadPool;

use super::hooks::Hooks;
use super::settings::WorldDef;

/// One step: how it computes, how long it is, who computes, and who had to be stopped.
pub(crate) struct StepContext<'a> {
    /// How the world computes.
    pub(crate) settings: &'a WorldDef,
    /// Functions of the user.
    pub(crate) hooks: &'a Hooks,
    /// Length of the step, seconds.
    pub(crate) dt: f32,
    /// The threads of the world.
    pub(crate) pool: &'a mut ThreadPool,
    /// Slots of the bodies that were put back and stopped in this step: their state had become
    /// non-finite, or they were faster than anything real.
    pub(crate) quarantined: &'a mut Vec<u32>,
}
