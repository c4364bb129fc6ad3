//! What takes part in a contest.

use carom_broadphase::{BoxError, Counters, Pair, Space};

use super::check::Promise;
use super::frames::Frame;

/// A broad phase at work. Ids are those of the frames.
pub trait Contender<const D: usize> {
    /// Takes in the first boxes. Timed as set-up, together with the first update.
    ///
    /// # Errors
    /// If a box is no good.
    fn start(&mut self, frame: &Frame<'_, D>) -> Result<(), BoxError>;

    /// Takes over what changed. Timed.
    ///
    /// # Errors
    /// If a box is no good.
    fn follow(&mut self, frame: &Frame<'_, D>) -> Result<(), BoxError>;

    /// Finds the pairs. Timed.
    fn update(&mut self);

    /// Number of pairs of the last update.
    fn pair_count(&self) -> usize;

    /// The pairs of the last update, ascending; only those the filters of the frame admit. Not
    /// timed.
    fn pairs(&mut self, frame: &Frame<'_, D>) -> Vec<Pair>;

    /// What the pairs are.
    fn promise(&self) -> Promise;

    /// Work done so far, where it is counted.
    fn work(&self) -> Option<Counters>;

    /// Bytes held, where they are counted.
    fn bytes(&self) -> Option<usize>;

    /// What it says about itself.
    fn remark(&self) -> Option<String>;
}

/// A method of ours.
#[derive(Debug)]
pub struct Own<const D: usize> {
    space: Space<D>,
}

impl<const D: usize> Own<D> {
    /// A space with its method, still empty.
    #[must_use]
    pub fn new(space: Space<D>) -> Self {
        Self { space }
    }

    fn insert(&mut self, frame: &Frame<'_, D>, id: u32) -> Result<(), BoxError> {
        let given = self.space.insert_filtered(frame.boxes[id as usize], frame.filter(id))?;
        // A space gives out the id that was freed last; the lists of changes rely on it.
        if given != id {
            return Err(BoxError::Unknown { id });
        }
        self.set_bound(frame, id)
    }

    fn set_bound(&mut self, frame: &Frame<'_, D>, id: u32) -> Result<(), BoxError> {
        match frame.bounds.get(id as usize).copied().flatten() {
            Some(bound) => self.space.set_bound(id, bound),
            None => Ok(()),
        }
    }
}

impl<const D: usize> Contender<D> for Own<D> {
    fn start(&mut self, frame: &Frame<'_, D>) -> Result<(), BoxError> {
        (0..frame.boxes.len() as u32).try_for_each(|id| self.insert(frame, id))
    }

    fn follow(&mut self, frame: &Frame<'_, D>) -> Result<(), BoxError> {
        let changes = frame.changes;
        changes.removed.iter().try_for_each(|&id| self.space.remove(id))?;
        changes.inserted.iter().try_for_each(|&id| self.insert(frame, id))?;
        if changes.moved.len() == frame.boxes.len() {
            self.space.set_boxes(frame.boxes)?;
        } else {
            changes.moved.iter().try_for_each(|&id| self.space.set_box(id, &frame.boxes[id as usize]))?;
        }
        if !frame.bounds.is_empty() {
            changes.moved.iter().try_for_each(|&id| self.set_bound(frame, id))?;
        }
        Ok(())
    }

    fn update(&mut self) {
        self.space.update();
    }

    fn pair_count(&self) -> usize {
        self.space.pairs().len()
    }

    fn pairs(&mut self, _: &Frame<'_, D>) -> Vec<Pair> {
        self.space.pairs().to_vec()
    }

    fn promise(&self) -> Promise {
        self.space.contract().into()
    }

    fn work(&self) -> Option<Counters> {
        Some(self.space.counters())
    }

    fn bytes(&self) -> Option<usize> {
        Some(self.space.bytes())
    }

    fn remark(&self) -> Option<String> {
        self.space.remark()
    }
}
