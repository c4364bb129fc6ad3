//! Who goes into which level: sizes of cells from the sizes of boxes.
//!
//! A grid serves boxes that are not larger than its cells. One pass counts boxes by the octave of
//! their largest extent; from these counts follow the levels. The few largest boxes, and all
//! infinite ones, stand in no level: they are compared with everything they may meet.

use carom_geometry::Aabb;

use super::frame::extent;

/// Classes of extents: half octaves of all `f32`.
const CLASSES: usize = 512;
const CLASS_BITS: u32 = 22;
/// Extents above are not put into cells.
const TOO_LARGE: f32 = 1e36;
/// A box may reach over so many cells of a size that the user has chosen.
const CELLS_OF_A_BOX: f32 = 4.0;

/// Level of boxes that are in none.
pub(super) const NO_LEVEL: u8 = u8::MAX;

/// A level: the boxes with extents of at most `extent` that are in no level before it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Slot {
    pub(super) extent: f32,
    /// Least size of its cells.
    pub(super) cell: f32,
}

/// Counts of boxes by extent.
#[derive(Clone, Debug)]
pub(super) struct Census {
    counts: Vec<u32>,
    boxes: usize,
}

fn class(extent: f32) -> usize {
    (extent.to_bits() >> CLASS_BITS) as usize
}

/// Least upper bound of the extents of a class.
fn top(class: usize) -> f32 {
    f32::from_bits((class as u32 + 1) << CLASS_BITS)
}

impl Default for Census {
    fn default() -> Self {
        Self { counts: vec![0; CLASSES], boxes: 0 }
    }
}

impl Census {
    /// Counts boxes. Remembers the class of each in `classes`.
    pub(super) fn take<const D: usize>(&mut self, boxes: &[Aabb<D>], ids: &[u32], classes: &mut Vec<u16>) {
        self.counts.fill(0);
        self.boxes = ids.len();
        classes.clear();
        for &id in ids {
            let class = class(extent(&boxes[id as usize]));
            self.counts[class] += 1;
            classes.push(class as u16);
        }
    }

    fn above(&self, extent: f32) -> usize {
        self.counts[class(extent) + 1..].iter().map(|&count| count as usize).sum()
    }

    /// One level: of the size given, or such that few boxes are larger. `ratio` is the size of a
    /// cell relative to a box.
    pub(super) fn one_level(&self, cell: Option<f32>, ratio: f32) -> Slot {
        if let Some(mut cell) = cell {
            // Where the size given is too small for many boxes, it grows.
            while cell < TOO_LARGE && self.above(CELLS_OF_A_BOX * cell) > self.boxes / 16 + 8 {
                cell *= 2.0;
            }
            return Slot { extent: top(class((CELLS_OF_A_BOX * cell).min(TOO_LARGE))), cell };
        }
        let mut left = self.boxes / 64 + 4;
        let mut highest = class(TOO_LARGE);
        left = left.saturating_sub(self.counts[highest + 1..].iter().map(|&count| count as usize).sum());
        while highest > 0 && self.counts[highest] as usize <= left {
            left -= self.counts[highest] as usize;
            highest -= 1;
        }
        Slot { extent: top(highest), cell: ratio * top(highest) }
    }

    /// A level per octave of size, except that sizes of less than a sixteenth of the boxes join the
    /// next larger.
    pub(super) fn levels(&self, cell: Option<f32>, ratio: f32, slots: &mut Vec<Slot>) {
        slots.clear();
        let (mut members, mut last) = (0, 0);
        for octave in 0..=class(TOO_LARGE) / 2 {
            let count = self.counts[2 * octave] as usize + self.counts[2 * octave + 1] as usize;
            let extent = top(2 * octave + 1);
            if count > 0 {
                last = octave;
            }
            members += count;
            let small = cell.is_some_and(|cell| extent < cell);
            if members > self.boxes / 16 + 8 && !small {
                slots.push(Slot { extent, cell: ratio * extent });
                members = 0;
            }
        }
        // A handful of the largest is compared with everything; more get a level of their own.
        if members > 8 {
            let extent = top(2 * last + 1);
            slots.push(Slot { extent, cell: ratio * extent.max(cell.unwrap_or(0.0)) });
        }
    }

    /// Writes the level of every class of extents, or [`NO_LEVEL`].
    pub(super) fn assign(slots: &[Slot], level_of: &mut Vec<u8>) {
        level_of.clear();
        level_of.extend((0..CLASSES).map(|class| {
            // Of NaN, which the classes above infinity stand for, nothing is asked.
            let level = slots.iter().position(|slot| top(class) <= slot.extent);
            level.map_or(NO_LEVEL, |level| level as u8)
        }));
    }

    pub(super) fn bytes(&self) -> usize {
        self.counts.capacity() * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn census(extents: &[f32]) -> (Census, Vec<u16>) {
        let boxes: Vec<Aabb<2>> = extents.iter().map(|&e| Aabb::new([0.0; 2], [e, 0.0])).collect();
        let ids: Vec<u32> = (0..boxes.len() as u32).collect();
        let (mut census, mut classes) = (Census::default(), Vec::new());
        census.take(&boxes, &ids, &mut classes);
        (census, classes)
    }

    fn level(class: u16, slots: &[Slot]) -> Option<u8> {
        let mut levels = Vec::new();
        Census::assign(slots, &mut levels);
        Some(levels[usize::from(class)]).filter(|&level| level != NO_LEVEL)
    }

    #[test]
    fn few_large_boxes_do_not_make_the_cells_large() {
        let mut extents = vec![1.2; 1000];
        extents.extend([500.0, 1e30, f32::INFINITY]);
        let (census, classes) = census(&extents);
        let slot = census.one_level(None, 1.0);
        assert_eq!(slot, Slot { extent: 1.5, cell: 1.5 });
        assert_eq!(level(classes[0], &[slot]), Some(0));
        assert!((1000..1003).all(|i| level(classes[i], &[slot]).is_none()));
    }

    #[test]
    fn cells_too_small_for_the_boxes_grow() {
        let (census, _) = census(&[1.2; 1000]);
        assert_eq!(census.one_level(Some(2.0), 1.0).cell, 2.0);
        let grown = census.one_level(Some(0.01), 1.0);
        assert!(grown.cell >= 0.25 && grown.extent >= 1.2, "{grown:?}");
    }

    #[test]
    fn every_size_has_a_level_and_rare_sizes_share_one() {
        let mut extents = Vec::new();
        for octave in 0..4 {
            extents.extend(vec![1.2 * (1 << octave) as f32; 100]);
        }
        extents.extend([0.01, 100.0]);
        let (census, classes) = census(&extents);
        let mut slots = Vec::new();
        census.levels(None, 1.0, &mut slots);
        assert_eq!(slots.iter().map(|slot| slot.extent).collect::<Vec<_>>(), [2.0, 4.0, 8.0, 16.0]);
        assert_eq!(level(classes[400], &slots), Some(0), "the small one");
        assert_eq!(level(classes[401], &slots), None, "the large one");
        census.levels(Some(5.0), 1.0, &mut slots);
        assert_eq!(slots.iter().map(|slot| slot.extent).collect::<Vec<_>>(), [8.0, 16.0]);
    }

    #[test]
    fn extents_are_below_the_top_of_their_class() {
        for extent in [0.0, 1e-40, 1.0, 1.5, 1.9, 2.0, 1e36] {
            assert!(extent < top(class(extent)));
        }
        assert!(class(f32::INFINITY) < CLASSES);
    }
}
