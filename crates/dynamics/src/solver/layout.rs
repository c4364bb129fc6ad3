//! Where the groups of lanes of each stage lie.
//!
//! Constraints are announced first, so that the groups of all stages can lie in one array in the
//! order of the sweeps; then each one takes the next lane of its stage. In an overflow stage, where
//! constraints may share bodies, every group holds one.

use std::ops::Range;

use super::coloring::Stage;

/// A stage that has groups, and how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StageSize {
    pub(crate) stage: u8,
    pub(crate) groups: u32,
}

impl StageSize {
    /// The stages that any of some layouts has groups in, ascending. After [`Layout::lay_out`].
    pub(crate) fn collect<const W: usize>(layouts: [&Layout<W>; 3], into: &mut Vec<Self>) {
        into.clear();
        for stage in 0..Stage::COUNT {
            let groups: usize = layouts.iter().map(|layout| layout.range(stage).len()).sum();
            if groups > 0 {
                into.push(Self { stage: stage as u8, groups: groups as u32 });
            }
        }
    }
}

/// Groups of `W` lanes, ordered by stage.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layout<const W: usize> {
    /// Where the groups of each stage begin, and the end of the last.
    starts: Vec<u32>,
    /// Constraints of each stage while they are counted, then the place of the next one.
    places: Vec<u32>,
}

impl<const W: usize> Layout<W> {
    /// Begins a step.
    pub(crate) fn clear(&mut self) {
        self.places.clear();
        self.places.resize(Stage::COUNT, 0);
    }

    /// Counts a constraint that will come.
    #[inline]
    pub(crate) fn announce(&mut self, stage: Stage) {
        self.places[stage.index()] += 1;
    }

    /// Makes room for what was counted. Returns the number of groups.
    pub(crate) fn lay_out(&mut self) -> usize {
        self.starts.clear();
        let mut groups = 0u32;
        for (stage, place) in self.places.iter_mut().enumerate() {
            self.starts.push(groups);
            let per_group = if Stage(stage as u8).is_overflow() { 1 } else { W as u32 };
            let count = place.div_ceil(per_group);
            *place = groups * W as u32;
            groups += count;
        }
        self.starts.push(groups);
        groups as usize
    }

    /// Group and lane of the next constraint of a stage.
    #[inline]
    pub(crate) fn take(&mut self, stage: Stage) -> (usize, usize) {
        let place = &mut self.places[stage.index()];
        let taken = (*place as usize / W, *place as usize % W);
        *place += if stage.is_overflow() { W as u32 } else { 1 };
        taken
    }

    /// The groups of a stage.
    #[inline(always)]
    pub(crate) fn range(&self, stage: usize) -> Range<usize> {
        self.starts[stage] as usize..self.starts[stage + 1] as usize
    }

    /// The groups of one of so many parts of a stage.
    #[inline(always)]
    pub(crate) fn part(&self, stage: usize, part: usize, parts: usize) -> Range<usize> {
        let Range { start, end } = self.range(stage);
        let length = end - start;
        start + length * part / parts..start + length * (part + 1) / parts
    }

    /// Calls `blank` with group and lane of everything that was not taken.
    pub(crate) fn for_each_rest(&self, mut blank: impl FnMut(usize, usize)) {
        for (stage, &place) in self.places.iter().enumerate() {
            let (end, overflow_constraints) =
                (self.starts[stage + 1] as usize * W, Stage(stage as u8).is_overflow());
            let start = if overflow_constraints { self.starts[stage] as usize * W } else { place as usize };
            for at in start..end {
                if !(overflow_constraints && at.is_multiple_of(W)) {
                    blank(at / W, at % W);
                }
            }
        }
    }
}
