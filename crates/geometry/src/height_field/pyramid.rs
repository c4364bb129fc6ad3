//! Lowest and highest heights over blocks of cells, from blocks of 4 by 4 up to the whole field.
//!
//! Level `l` has blocks of 2ˡ by 2ˡ cells. The levels of single cells and of 2 by 2 are not stored:
//! four samples tell the range of a cell as quickly, and the pyramid then takes less memory than a
//! sixth of the heights.

use crate::real::Real;

/// Lowest stored level.
pub(super) const BASE: u32 = 2;
/// Range of a block without surface.
pub(super) const NOTHING: [f32; 2] = [f32::INFINITY, f32::NEG_INFINITY];

/// Range of some heights.
#[inline]
pub(super) fn range(heights: [f32; 4]) -> [f32; 2] {
    let [a, b, c, d] = heights;
    [Real::min(Real::min(a, b), Real::min(c, d)), Real::max(Real::max(a, b), Real::max(c, d))]
}

/// The stored levels.
#[derive(Clone, Debug, Default)]
pub(super) struct Pyramid {
    levels: Vec<Level>,
}

#[derive(Clone, Debug)]
struct Level {
    /// Blocks along x.
    across: u32,
    ranges: Vec<[f32; 2]>,
}

impl Pyramid {
    /// A pyramid over cells whose ranges `cell` tells.
    pub(super) fn new([across, down]: [u32; 2], cell: impl Fn(u32, u32) -> [f32; 2]) -> Self {
        let join = |a: [f32; 2], b: [f32; 2]| [Real::min(a[0], b[0]), Real::max(a[1], b[1])];
        let gather = |[x, z]: [u32; 2], step: u32, [xs, zs]: [u32; 2], of: &dyn Fn(u32, u32) -> [f32; 2]| {
            let mut whole = NOTHING;
            for row in z * step..((z + 1) * step).min(zs) {
                for column in x * step..((x + 1) * step).min(xs) {
                    whole = join(whole, of(column, row));
                }
            }
            whole
        };
        let mut levels: Vec<Level> = Vec::new();
        let (mut size, mut step) = ([across, down], 1 << BASE);
        loop {
            let next = size.map(|n| n.div_ceil(step));
            let ranges = {
                let of: &dyn Fn(u32, u32) -> [f32; 2] = match levels.last() {
                    None => &cell,
                    Some(below) => &|x, z| below.ranges[(z * below.across + x) as usize],
                };
                (0..next[1])
                    .flat_map(|z| (0..next[0]).map(move |x| [x, z]))
                    .map(|block| gather(block, step, size, of))
                    .collect()
            };
            levels.push(Level { across: next[0], ranges });
            if next == [1, 1] {
                return Self { levels };
            }
            (size, step) = (next, 2);
        }
    }

    /// The level whose only block is everything.
    #[inline]
    pub(super) fn top(&self) -> u32 {
        BASE + self.levels.len() as u32 - 1
    }

    /// Range of everything.
    pub(super) fn whole(&self) -> [f32; 2] {
        self.block(self.top(), 0, 0)
    }

    /// Range of a block of a stored level.
    #[inline]
    pub(super) fn block(&self, level: u32, x: u32, z: u32) -> [f32; 2] {
        let level = &self.levels[(level - BASE) as usize];
        level.ranges[(z * level.across + x) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_block_has_the_range_of_its_cells() {
        for (across, down) in [(1, 1), (4, 4), (5, 3), (17, 40), (64, 64), (3, 130)] {
            let cell = |x: u32, z: u32| {
                if (x + z) % 7 == 3 {
                    return NOTHING;
                }
                let h = f32::from((x * 37 + z * 91) as u16 % 101);
                [h, h + 0.5]
            };
            let pyramid = Pyramid::new([across, down], cell);
            for level in BASE..=pyramid.top() {
                let side = 1u32 << level;
                for z in 0..down.div_ceil(side) {
                    for x in 0..across.div_ceil(side) {
                        let mut right = NOTHING;
                        for r in z * side..((z + 1) * side).min(down) {
                            for c in x * side..((x + 1) * side).min(across) {
                                right = [right[0].min(cell(c, r)[0]), right[1].max(cell(c, r)[1])];
                            }
                        }
                        assert_eq!(pyramid.block(level, x, z), right, "{across} by {down}, level {level}");
                    }
                }
            }
            assert!(1u64 << pyramid.top() >= u64::from(across.max(down)));
        }
    }
}
