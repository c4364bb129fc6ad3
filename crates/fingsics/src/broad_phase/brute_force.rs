//! Brute force: every pair is looked at. Slow, obviously right, the oracle of all other methods.

use crate::broad_phase::{PairFinder, Proxies};
use carom_broadphase::{Counters, Pair};

/// `none`: every pair that is not of two immovable bodies.
#[derive(Clone, Debug, Default)]
pub(crate) struct AllPairs {
    pairs: Vec<Pair>,
}

impl<const D: usize> PairFinder<D> for AllPairs {
    fn pairs(&mut self, proxies: &Proxies<'_, D>) -> &[Pair] {
        collect(&mut self.pairs, proxies, |_, _| true);
        &self.pairs
    }

    fn counters(&self) -> Counters {
        Counters::default()
    }
}

/// `aabb`: every pair whose closed boxes overlap.
#[derive(Clone, Debug, Default)]
pub(crate) struct AllBoxes {
    pairs: Vec<Pair>,
    box_tests: u64,
}

impl<const D: usize> PairFinder<D> for AllBoxes {
    fn pairs(&mut self, proxies: &Proxies<'_, D>) -> &[Pair] {
        let boxes = proxies.boxes;
        self.box_tests += collect(&mut self.pairs, proxies, |a, b| boxes[a].overlaps(&boxes[b]));
        &self.pairs
    }

    fn counters(&self) -> Counters {
        Counters { box_tests: self.box_tests, ..Counters::default() }
    }
}

/// Collects, in ascending order, all admissible pairs that pass `test`; returns how many were
/// tested.
pub(super) fn collect<const D: usize>(
    out: &mut Vec<Pair>,
    proxies: &Proxies<'_, D>,
    mut test: impl FnMut(usize, usize) -> bool,
) -> u64 {
    out.clear();
    let mut tests = 0;
    for a in 0..proxies.len() {
        for b in a + 1..proxies.len() {
            if proxies.may_pair(a, b) {
                tests += 1;
                if test(a, b) {
                    out.push(Pair { a: a as u32, b: b as u32 });
                }
            }
        }
    }
    tests
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_geometry::Aabb;

    #[test]
    fn two_immovable_bodies_are_no_pair() {
        let boxes = [Aabb::new([0.0], [1.0]), Aabb::new([0.5], [2.0]), Aabb::new([5.0], [6.0])];
        let proxies = Proxies { boxes: &boxes, immovable: &[true, true, false] };
        assert_eq!(AllPairs::default().pairs(&proxies), [Pair { a: 0, b: 2 }, Pair { a: 1, b: 2 }]);
        assert!(AllBoxes::default().pairs(&proxies).is_empty());
        let proxies = Proxies { immovable: &[true, false, false], ..proxies };
        assert_eq!(AllBoxes::default().pairs(&proxies), [Pair { a: 0, b: 1 }]);
    }
}
