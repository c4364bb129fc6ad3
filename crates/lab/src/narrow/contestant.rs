//! Who answers the questions.

use super::Task;

/// A narrow phase, or one of its functions.
pub trait Contestant {
    /// Name in the table.
    fn name(&self) -> &'static str;

    /// Prepares for a task; false if it has no answer to this question or no such shapes. Not
    /// timed.
    fn take(&mut self, task: &Task) -> bool;

    /// Answers for every place of the task, in order: the signed distance; for manifolds the least
    /// separation or [`NO_CONTACT`]; for touching −1 or +1.
    fn answer(&mut self, task: &Task, answers: &mut [f32]);
}

/// Stands for "nothing within the margin".
pub const NO_CONTACT: f32 = f32::INFINITY;
