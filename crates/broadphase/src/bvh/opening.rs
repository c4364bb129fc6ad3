//! Opens pairs of blocks into the pairs of their places that overlap, list by list.
//!
//! What overlaps is unpredictable, so nothing branches on it: what is found is written behind a
//! list, and the list grows if there was something. The hits of eight boxes are a byte; a table
//! tells which places its bits stand for, all eight are written, and the list grows by as many as
//! there are bits. Packing by a table is an old idea of databases.
//!
//! Invariant: the pairs of a list are those that tests of one box against another would give, in
//! the order of the blocks.

use carom_core::simd::SimdFloat;

use super::block::WIDTH;
use super::tree::Level;

/// Two places of a level, or two blocks: places of a level are the blocks of the one below.
pub(super) type PlacePair = [u32; 2];

/// By byte: the places of its bits, ascending.
const PLACES: [[u8; WIDTH]; 256] = {
    let mut table = [[0; WIDTH]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut place, mut count) = (0, 0);
        while place < WIDTH {
            if byte >> place & 1 == 1 {
                table[byte][count] = place as u8;
                count += 1;
            }
            place += 1;
        }
        byte += 1;
    }
    table
};

/// By byte: how many bits it has.
const COUNTS: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 1;
    while byte < 256 {
        table[byte] = table[byte >> 1] + (byte & 1) as u8;
        byte += 1;
    }
    table
};

/// Pairs, with room behind them.
#[derive(Clone, Debug, Default)]
pub(super) struct PairList {
    items: Vec<PlacePair>,
    len: usize,
}

impl PairList {
    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    pub(super) fn as_slice(&self) -> &[PlacePair] {
        &self.items[..self.len]
    }

    /// Holds these and no others.
    pub(super) fn refill(&mut self, pairs: &[PlacePair]) {
        self.len = pairs.len();
        self.items.resize(self.items.len().max(self.len), [0; 2]);
        self.items[..self.len].copy_from_slice(pairs);
    }

    /// Appends `pair` of each place whose bit is set.
    #[inline(always)]
    fn append(&mut self, bits: u32, pair: impl Fn(u32) -> PlacePair) {
        if self.items.len() < self.len + WIDTH {
            self.grow();
        }
        let places = &PLACES[bits as usize & 0xff];
        let room = &mut self.items[self.len..self.len + WIDTH];
        for (item, place) in room.iter_mut().zip(places) {
            *item = pair(u32::from(*place));
        }
        self.len += usize::from(COUNTS[bits as usize & 0xff]);
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        self.items.resize(2 * self.items.len() + 16 * WIDTH, [0; 2]);
    }

    pub(super) fn bytes(&self) -> usize {
        self.items.capacity() * size_of::<PlacePair>()
    }
}

/// A place, a block, and the places of that block that it overlaps: one bit each.
#[derive(Clone, Copy, Debug, Default)]
struct Hit {
    place: u32,
    block: u32,
    others: u32,
}

/// Memory of [`open`].
#[derive(Clone, Debug, Default)]
pub(super) struct Tests {
    /// Places and the blocks that they are tested against.
    tests: PairList,
    /// Tests that found something.
    hits: Vec<Hit>,
}

impl Tests {
    pub(super) fn bytes(&self) -> usize {
        self.tests.bytes() + self.hits.capacity() * size_of::<Hit>()
    }
}

/// What [`open`] looks at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opened {
    /// Level of the blocks.
    pub(super) level: usize,
    /// Does a place pair with itself? Blocks do, boxes do not.
    pub(super) own: bool,
}

/// Opens pairs of blocks of a level: appends the pairs of places that overlap to `out`, and returns
/// the number of tests of one box against a block. If not `ALL`, one of the two must be marked.
#[inline(always)]
pub(super) fn open<const D: usize, const ALL: bool, L: SimdFloat>(
    levels: &[Level<D>],
    Opened { level, own }: Opened,
    pairs: &[PlacePair],
    Tests { tests, hits }: &mut Tests,
    out: &mut PairList,
) -> u64 {
    let Level { blocks, marks } = &levels[level];
    let mut count = 0;
    tests.clear();
    for &[a, b] in pairs {
        // Most places of one block are away from the other; its bounds stand in its parent.
        let overlapping = levels.get(level + 1).map_or(0xff, |parents| {
            let bounds = parents.blocks[b as usize / WIDTH].get(b as usize % WIDTH);
            blocks[a as usize].overlapping_in::<L>(&bounds)
        });
        let mut lanes = if a == b { 0xff } else { overlapping };
        count += u64::from(a != b);
        if !ALL {
            let of_a = u32::from(marks[a as usize]);
            lanes &= if marks[b as usize] == 0 { of_a } else { 0xff };
        }
        tests.append(lanes, |place| [a * WIDTH as u32 + place, b]);
    }
    let tests = tests.as_slice();
    if hits.len() <= tests.len() {
        hits.resize(tests.len() + 1, Hit::default());
    }
    let mut found = 0;
    for &[x, b] in tests {
        let (a, place) = (x / WIDTH as u32, x % WIDTH as u32);
        let mut others = blocks[b as usize].overlapping_in::<L>(&blocks[a as usize].get(place as usize));
        let behind = if own { 0xff << place } else { 0xfe << place };
        others &= if a == b { behind } else { 0xff };
        if !ALL {
            let is_marked = marks[a as usize] >> place & 1 == 1;
            others &= if is_marked { 0xff } else { u32::from(marks[b as usize]) };
        }
        // Written in any case, and kept if it is a hit.
        hits[found] = Hit { place: x, block: b, others };
        found += usize::from(others != 0);
    }
    for &Hit { place, block, others } in &hits[..found] {
        out.append(others, |other| [place, block * WIDTH as u32 + other]);
    }
    count + tests.len() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_stands_for_its_places() {
        let mut list = PairList::default();
        let mut expected = Vec::new();
        for bits in 0..256_u32 {
            list.append(bits, |place| [bits, place]);
            expected.extend((0..8).filter(|place| bits >> place & 1 == 1).map(|place| [bits, place]));
        }
        assert_eq!(list.as_slice(), expected);
        list.refill(&[[3, 4]]);
        assert_eq!(list.as_slice(), [[3, 4]]);
    }
}
