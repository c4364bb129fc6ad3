//! Several numbers of every body that belong together (a position, a quaternion): a column each,
//! exact or on a grid.
//!
//! A group with a grid writes whole multiples of its step. A frame in which one of the numbers has
//! no place on the grid (it is infinite, not a number, or too far out) is written exactly instead;
//! so nothing is ever lost by more than half a step.

use carom_geometry::bytes::{BytesReadError, Reader};

use super::column::Column;
use super::word::Number;

/// `N` numbers of every body.
#[derive(Debug)]
pub(super) struct Group<S: Number, const N: usize> {
    exact: [Column<S::Word>; N],
    /// Places on the grid.
    coarse: [Column<u32>; N],
    /// Step of the grid, if there is one.
    step: Option<f64>,
    /// Which of the two the last frame used: the past of the other is out of date.
    was_coarse: bool,
    /// Bodies.
    entries: usize,
}

impl<S: Number, const N: usize> Group<S, N> {
    /// A group that writes exactly, or on a grid.
    pub(super) fn new(step: Option<f64>) -> Self {
        Self {
            exact: std::array::from_fn(|_| Column::default()),
            coarse: std::array::from_fn(|_| Column::default()),
            step,
            was_coarse: false,
            entries: 0,
        }
    }

    /// Forgets the past; so many bodies from now on.
    pub(super) fn reset(&mut self, entries: usize) {
        self.entries = entries;
        match self.was_coarse {
            true => self.coarse.iter_mut().for_each(|column| column.reset(entries)),
            false => self.exact.iter_mut().for_each(|column| column.reset(entries)),
        }
    }

    /// Other bodies from now on; see [`Column::realign`].
    pub(super) fn realign(&mut self, places: &[u32]) {
        self.entries = places.len();
        match self.was_coarse {
            true => self.coarse.iter_mut().for_each(|column| column.realign(places)),
            false => self.exact.iter_mut().for_each(|column| column.realign(places)),
        }
    }

    /// As many entries from now on, the first ones those of before.
    pub(super) fn resize(&mut self, entries: usize) {
        self.entries = entries;
        match self.was_coarse {
            true => self.coarse.iter_mut().for_each(|column| column.resize(entries)),
            false => self.exact.iter_mut().for_each(|column| column.resize(entries)),
        }
    }

    /// Writes a frame whose numbers are those that `get` gives, and takes it for the last one.
    pub(super) fn encode(&mut self, get: impl Fn(usize) -> [S; N], newcomers: &[u32], out: &mut Vec<u8>) {
        let entries = self.entries;
        let step = self
            .step
            .filter(|step| (0..entries).all(|i| get(i).iter().all(|number| number.to_grid(*step).is_some())));
        self.switch(step.is_some());
        out.push(u8::from(step.is_some()));
        if let Some(step) = step {
            for (c, column) in self.coarse.iter_mut().enumerate() {
                // Every number has a place: that was asked above.
                column.fill((0..entries).map(|i| get(i)[c].to_grid(step).unwrap_or(0).cast_unsigned()));
                column.encode(out);
                column.advance(newcomers);
            }
        } else {
            for (c, column) in self.exact.iter_mut().enumerate() {
                column.fill((0..entries).map(|i| get(i)[c].to_word()));
                column.encode(out);
                column.advance(newcomers);
            }
        }
    }

    /// Reads a frame, appends it to `numbers`, and takes it for the last one.
    ///
    /// # Errors
    /// Bytes that are missing or mean nothing.
    pub(super) fn decode(
        &mut self,
        from: &mut Reader<'_>,
        newcomers: &[u32],
        mut give: impl FnMut([S; N]),
    ) -> Result<(), BytesReadError> {
        let start = from.at();
        let is_coarse = from.field::<bool>("on_grid")?;
        let step = match (is_coarse, self.step) {
            (true, None) => return Err(BytesReadError::of(start, is_coarse, "the header names no grid")),
            (true, step) => step.unwrap_or(0.0),
            (false, _) => 0.0,
        };
        self.switch(is_coarse);
        if is_coarse {
            for column in &mut self.coarse {
                column.decode(from)?;
            }
            for i in 0..self.entries {
                give(std::array::from_fn(|c| S::from_grid(self.coarse[c].now()[i].cast_signed(), step)));
            }
            self.coarse.iter_mut().for_each(|column| column.advance(newcomers));
        } else {
            for column in &mut self.exact {
                column.decode(from)?;
            }
            for i in 0..self.entries {
                give(std::array::from_fn(|c| S::from_word(self.exact[c].now()[i])));
            }
            self.exact.iter_mut().for_each(|column| column.advance(newcomers));
        }
        Ok(())
    }

    /// Before a frame that uses the other kind of columns than the last one: those begin anew.
    fn switch(&mut self, is_coarse: bool) {
        if self.was_coarse != is_coarse {
            self.was_coarse = is_coarse;
            self.reset(self.entries);
        }
    }
}
