//! One number of every body, frame after frame: predicted from the frames before, and the
//! differences packed.
//!
//! Four predictions are known, all of them whole-number sums over the *bits* of the numbers: zero,
//! the last one, the last two in a straight line, the last three on a parabola. While the exponent
//! of a float stands still its bits are its value in units of the last place, so these are the
//! usual extrapolations, and the sums wrap around exactly both ways where they are not. A body in
//! free flight moves on a parabola, which leaves rounding errors only.
//!
//! The writer tries all four on a sample and says in one byte which one a frame has.

use carom_geometry::bytes::{BytesReadError, Reader};

use super::pack::{BLOCK, Habit, pack_block_again, unpack_block};
use super::word::Word;

/// A place in [`Column::realign`] of a body that was not there.
pub(super) const NEWCOMER: u32 = u32::MAX;
/// Predictions there are.
const ORDERS: u8 = 4;
/// Numbers that are looked at to choose among them.
const SAMPLE: usize = 512;

/// The numbers of the frame at hand and of the three before it.
#[derive(Clone, Debug)]
pub(super) struct Column<W> {
    rows: [Vec<W>; 4],
    /// Widths of the blocks of the last frame, for the next; a reader needs none.
    habits: Vec<Habit>,
    /// Prediction of the last frame.
    order: u8,
}

impl<W> Default for Column<W> {
    fn default() -> Self {
        Self { rows: [const { Vec::new() }; 4], habits: Vec::new(), order: 0 }
    }
}

impl<W: Word> Column<W> {
    /// Forgets the past: so many bodies, all of them zero before.
    pub(super) fn reset(&mut self, bodies: usize) {
        self.habits.clear();
        for row in &mut self.rows {
            row.clear();
            row.resize(bodies, W::ZERO);
        }
    }

    /// Other bodies from now on: for each its place among the bodies before, or [`NEWCOMER`].
    pub(super) fn realign(&mut self, places: &[u32]) {
        self.habits.clear();
        let (spare, past) = self.rows.split_at_mut(1);
        for row in past {
            spare[0].clear();
            spare[0].extend(places.iter().map(|place| row.get(*place as usize).copied().unwrap_or(W::ZERO)));
            std::mem::swap(&mut spare[0], row);
        }
        spare[0].resize(places.len(), W::ZERO);
    }

    /// As many entries from now on, the first ones those of before.
    pub(super) fn resize(&mut self, entries: usize) {
        self.rows.iter_mut().for_each(|row| row.resize(entries, W::ZERO));
    }

    /// The numbers of the frame at hand.
    pub(super) fn now(&self) -> &[W] {
        &self.rows[0]
    }

    /// Takes in the numbers of a frame, one per body.
    pub(super) fn fill(&mut self, numbers: impl Iterator<Item = W>) {
        self.rows[0].iter_mut().zip(numbers).for_each(|(place, number)| *place = number);
    }

    /// Writes the frame at hand.
    pub(super) fn encode(&mut self, out: &mut Vec<u8>) {
        let order = self.best_order();
        out.push(order);
        if self.order != order {
            // Another prediction leaves other residuals.
            self.order = order;
            self.habits.clear();
        }
        self.habits.resize(self.rows[0].len().div_ceil(BLOCK), Habit::default());
        let mut residuals = [W::ZERO; BLOCK];
        let [now, last, second, third] = &self.rows;
        for ((block, numbers), habit) in now.chunks(BLOCK).enumerate().zip(&mut self.habits) {
            let place = block * BLOCK..block * BLOCK + numbers.len();
            let residuals = &mut residuals[..numbers.len()];
            let (last, second, third) = (&last[place.clone()], &second[place.clone()], &third[place]);
            // The choice stands outside the loop, so that each of the four is a loop over lanes.
            match order {
                0 => subtract(residuals, numbers, |_| W::ZERO),
                1 => subtract(residuals, numbers, |i| last[i]),
                2 => subtract(residuals, numbers, |i| line(last[i], second[i])),
                _ => subtract(residuals, numbers, |i| parabola(last[i], second[i], third[i])),
            }
            pack_block_again(residuals, habit, out);
        }
    }

    /// Reads a frame, which is then the one at hand.
    ///
    /// # Errors
    /// Bytes that are missing or mean nothing.
    pub(super) fn decode(&mut self, from: &mut Reader<'_>) -> Result<(), BytesReadError> {
        let order = from.kind(ORDERS)?;
        let [now, last, second, third] = &mut self.rows;
        for (block, numbers) in now.chunks_mut(BLOCK).enumerate() {
            unpack_block(from, numbers)?;
            let place = block * BLOCK..block * BLOCK + numbers.len();
            let (last, second, third) = (&last[place.clone()], &second[place.clone()], &third[place]);
            match order {
                0 => add(numbers, |_| W::ZERO),
                1 => add(numbers, |i| last[i]),
                2 => add(numbers, |i| line(last[i], second[i])),
                _ => add(numbers, |i| parabola(last[i], second[i], third[i])),
            }
        }
        Ok(())
    }

    /// The frame at hand becomes the last one. Newcomers have stood where they are for ever.
    pub(super) fn advance(&mut self, newcomers: &[u32]) {
        let (now, past) = self.rows.split_at_mut(1);
        for row in past {
            newcomers.iter().for_each(|body| row[*body as usize] = now[0][*body as usize]);
        }
        self.rows.rotate_right(1);
    }

    fn best_order(&self) -> u8 {
        let [now, last, second, third] = &self.rows;
        let mut bits = [0u32; ORDERS as usize];
        for i in (0..now.len()).step_by(now.len().div_ceil(SAMPLE).max(1)) {
            let guesses =
                [W::ZERO, last[i], line(last[i], second[i]), parabola(last[i], second[i], third[i])];
            for (sum, guess) in bits.iter_mut().zip(guesses) {
                *sum += now[i].minus(guess).fold_sign().length();
            }
        }
        (0..ORDERS).min_by_key(|order| bits[usize::from(*order)]).unwrap_or(0)
    }
}

fn line<W: Word>(last: W, second: W) -> W {
    last.plus(last.minus(second))
}

fn parabola<W: Word>(last: W, second: W, third: W) -> W {
    let step = last.minus(second);
    step.plus(step).plus(step).plus(third)
}

fn subtract<W: Word>(residuals: &mut [W], numbers: &[W], guess: impl Fn(usize) -> W) {
    for (i, residual) in residuals.iter_mut().enumerate() {
        *residual = numbers[i].minus(guess(i)).fold_sign();
    }
}

fn add<W: Word>(numbers: &mut [W], guess: impl Fn(usize) -> W) {
    for (i, number) in numbers.iter_mut().enumerate() {
        *number = number.unfold_sign().plus(guess(i));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A body on a parabola, in whole numbers.
    fn flight(t: u32) -> u32 {
        1000 + 7 * t + 3 * t * t
    }

    #[test]
    fn a_parabola_costs_a_byte_per_block_once_it_is_known() {
        let (mut writer, mut reader) = (Column::<u32>::default(), Column::default());
        writer.reset(300);
        reader.reset(300);
        let everybody: Vec<u32> = (0..300).collect();
        for t in 0..8 {
            writer.fill((0..300).map(|body| flight(t + body)));
            let mut bytes = Vec::new();
            writer.encode(&mut bytes);
            let mut from = Reader::new(&bytes);
            reader.decode(&mut from).unwrap();
            assert_eq!((reader.now(), from.left()), (writer.now(), 0), "frame {t}");
            let newcomers = if t == 0 { everybody.as_slice() } else { &[] };
            writer.advance(newcomers);
            reader.advance(newcomers);
            if t >= 3 {
                assert_eq!(bytes, [3, 0, 0, 0], "the order, and three blocks of zeros");
            }
        }
    }

    #[test]
    fn bodies_keep_their_past_when_others_come_and_go() {
        let mut column = Column::<u64>::default();
        column.reset(3);
        for frame in 0..3u64 {
            column.fill([10, 20, 30].into_iter().map(|x| x + frame));
            column.advance(if frame == 0 { &[0, 1, 2] } else { &[] });
        }
        column.realign(&[2, NEWCOMER, 0]);
        assert_eq!(column.rows[1..], [vec![32, 0, 12], vec![31, 0, 11], vec![30, 0, 10]]);
        column.fill([33, 500, 13].into_iter());
        column.advance(&[1]);
        assert_eq!(column.rows[1..], [vec![33, 500, 13], vec![32, 500, 12], vec![31, 500, 11]]);
    }
}
