//! The pairs there should be. Nothing here is shared with the broad phases: plain scalar tests over
//! plain lists.

use carom_broadphase::Pair;
use carom_geometry::Aabb;

use super::frames::Frame;

/// Up to so many boxes every pair is looked at; above, boxes are sorted first.
pub const BRUTE_FORCE_MOST: usize = 2000;

/// All admissible pairs of overlapping boxes, ascending.
#[must_use]
pub fn pairs<const D: usize>(frame: &Frame<'_, D>) -> Vec<Pair> {
    if frame.boxes.len() <= BRUTE_FORCE_MOST { brute_force(frame) } else { sorted_sweep(frame) }
}

/// Do the closed boxes share a point?
#[must_use]
pub fn overlap<const D: usize>(a: &Aabb<D>, b: &Aabb<D>) -> bool {
    for k in 0..D {
        if a.max[k] < b.min[k] || b.max[k] < a.min[k] {
            return false;
        }
    }
    true
}

/// Every pair looked at.
#[must_use]
pub fn brute_force<const D: usize>(frame: &Frame<'_, D>) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (a, first) in frame.boxes.iter().enumerate() {
        for (b, second) in frame.boxes.iter().enumerate().skip(a + 1) {
            if overlap(first, second) && frame.admits(a as u32, b as u32) {
                pairs.push(Pair { a: a as u32, b: b as u32 });
            }
        }
    }
    pairs
}

/// Boxes sorted by their low end along x; each is compared with those that begin before it ends.
#[must_use]
pub fn sorted_sweep<const D: usize>(frame: &Frame<'_, D>) -> Vec<Pair> {
    let mut order: Vec<u32> = (0..frame.boxes.len() as u32).collect();
    order.sort_by(|&a, &b| frame.boxes[a as usize].min[0].total_cmp(&frame.boxes[b as usize].min[0]));
    let mut pairs = Vec::new();
    for (at, &a) in order.iter().enumerate() {
        let first = &frame.boxes[a as usize];
        for &b in &order[at + 1..] {
            let second = &frame.boxes[b as usize];
            if second.min[0] > first.max[0] {
                break;
            }
            if overlap(first, second) && frame.admits(a, b) {
                pairs.push(Pair::new(a, b));
            }
        }
    }
    pairs.sort_unstable();
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_broadphase::Filter;
    use carom_scene::swarm::Changes;
    use proptest::prelude::*;

    fn end() -> impl Strategy<Value = f32> {
        prop_oneof![
            8 => (-6i8..6).prop_map(f32::from),
            2 => -6.0f32..6.0,
            1 => prop::sample::select(vec![f32::NEG_INFINITY, f32::INFINITY, 0.0, -0.0, f32::MAX, -f32::MAX]),
        ]
    }

    fn any_box() -> impl Strategy<Value = Aabb<3>> {
        prop::array::uniform3((end(), end())).prop_map(|ends| Aabb {
            min: ends.map(|(a, b)| if a <= b { a } else { b }),
            max: ends.map(|(a, b)| if a <= b { b } else { a }),
        })
    }

    proptest! {
        #[test]
        fn the_sweep_finds_what_brute_force_finds(
            boxes in prop::collection::vec((any_box(), any::<bool>()), 0..60),
        ) {
            let (boxes, statics): (Vec<Aabb<3>>, Vec<bool>) = boxes.into_iter().unzip();
            let filters: Vec<Filter> =
                statics.iter().map(|s| if *s { Filter::STATIC } else { Filter::default() }).collect();
            let changes = Changes::default();
            for filters in [&[][..], &filters] {
                let frame = Frame { boxes: &boxes, changes: &changes, filters, bounds: &[] };
                let plain = brute_force(&frame);
                prop_assert_eq!(&sorted_sweep(&frame), &plain);
                // And neither differs from what the geometry says.
                for a in 0..boxes.len() as u32 {
                    for b in a + 1..boxes.len() as u32 {
                        let expected =
                            boxes[a as usize].overlaps(&boxes[b as usize]) && frame.admits(a, b);
                        prop_assert_eq!(plain.binary_search(&Pair { a, b }).is_ok(), expected);
                    }
                }
            }
        }
    }
}
