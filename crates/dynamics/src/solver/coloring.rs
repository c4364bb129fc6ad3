//! Colors: contacts of one color share no body that can move, so they can be solved at the same
//! time.
//!
//! Every contact takes the lowest color that neither of its bodies has used, in the order given;
//! the result depends on that order only, not on lanes or threads. Contacts between two bodies that
//! move come first, contacts with what cannot move after them with colors of their own: the last
//! word in a sweep belongs to the ground, which pushes through least. What finds no color among 64
//! goes to the last one, where contacts are solved one at a time.

use super::rows::FIXED;

/// Colors of contacts between moving bodies, and as many again of contacts with fixed ones.
pub(crate) const COLORS: usize = 64;

/// The color whose contacts may share bodies.
pub(crate) const OVERFLOW: usize = COLORS - 1;

/// Colors in use by each row.
#[derive(Clone, Debug, Default)]
pub(crate) struct ConstraintColoring {
    between: Vec<u64>,
    on_fixed: Vec<u64>,
}

/// A stage of a sweep: which of the two kinds, and the color. Stages are solved in ascending order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Stage(pub(crate) u8);

impl Stage {
    /// Number of stages.
    pub(crate) const COUNT: usize = 2 * COLORS;

    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }

    /// May contacts of this stage share bodies?
    pub(crate) fn is_overflow(self) -> bool {
        self.index() % COLORS == OVERFLOW
    }
}

impl ConstraintColoring {
    /// Forgets all colors; `rows` is the number of rows.
    pub(crate) fn clear(&mut self, rows: usize) {
        for masks in [&mut self.between, &mut self.on_fixed] {
            masks.clear();
            masks.resize(rows, 0);
        }
    }

    /// The stage of the next contact, between these rows.
    #[inline]
    pub(crate) fn stage(&mut self, a: u32, b: u32) -> Stage {
        let (a_moves, b_moves) = (a != FIXED, b != FIXED);
        let (masks, first) =
            if a_moves && b_moves { (&mut self.between, 0) } else { (&mut self.on_fixed, COLORS) };
        let mut used = 0;
        if a_moves {
            used |= masks[a as usize];
        }
        if b_moves {
            used |= masks[b as usize];
        }
        let color = (!used).trailing_zeros().min(OVERFLOW as u32);
        if a_moves {
            masks[a as usize] |= 1 << color;
        }
        if b_moves {
            masks[b as usize] |= 1 << color;
        }
        Stage(first as u8 + color as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_body_is_twice_in_a_colour_but_the_crowded_one() {
        let mut coloring = ConstraintColoring::default();
        coloring.clear(10);
        let mut seen: Vec<(Stage, u32, u32)> = Vec::new();
        let mut number = 1u32;
        for _ in 0..400 {
            number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let (a, b) = (number >> 8 & 7, number >> 16 & 7);
            if a == b {
                continue;
            }
            let stage = coloring.stage(a, b);
            for &(other, c, d) in &seen {
                let shares = [a, b].iter().any(|row| *row != FIXED && (*row == c || *row == d));
                assert!(!(shares && other == stage) || stage.is_overflow());
            }
            assert_eq!(stage.index() >= COLORS, a == FIXED || b == FIXED);
            seen.push((stage, a, b));
        }
        assert!(seen.iter().any(|(stage, ..)| stage.is_overflow()), "the test crowds");
    }
}
