//! The fast path against its slow twin and against brute force.

use super::one_by_one::OneByOne;
use super::*;
use crate::broad_phase::brute_force::AllBoxes;
use proptest::prelude::*;

fn sorted(pairs: &[Pair]) -> Vec<Pair> {
    let mut pairs = pairs.to_vec();
    pairs.sort_unstable();
    pairs
}

/// Coordinates on a coarse grid, so that ties, touching boxes and flat boxes abound.
fn coarse_box() -> impl Strategy<Value = Aabb<3>> {
    prop::array::uniform3((0i8..8, 0i8..4)).prop_map(|spans| Aabb {
        min: spans.map(|(low, _)| f32::from(low)),
        max: spans.map(|(low, width)| f32::from(low) + f32::from(width)),
    })
}

#[derive(Clone, Debug)]
struct Motion {
    boxes: Vec<Aabb<3>>,
    immovable: Vec<bool>,
    /// Per step and body a displacement in grid units.
    steps: Vec<Vec<[i8; 3]>>,
}

fn motion(reach: i8) -> impl Strategy<Value = Motion> {
    (1usize..14).prop_flat_map(move |n| {
        let shift = prop::array::uniform3(-reach..=reach);
        (
            prop::collection::vec(coarse_box(), n),
            prop::collection::vec(prop::bool::weighted(0.2), n),
            prop::collection::vec(prop::collection::vec(shift, n), 1..12),
        )
            .prop_map(|(boxes, immovable, steps)| Motion { boxes, immovable, steps })
    })
}

fn moved(boxes: &mut [Aabb<3>], step: &[[i8; 3]]) {
    for (b, shift) in boxes.iter_mut().zip(step) {
        for axis in 0..3 {
            b.min[axis] += f32::from(shift[axis]);
            b.max[axis] += f32::from(shift[axis]);
        }
    }
}

fn agrees_with_twin(mut m: Motion) -> Result<(), TestCaseError> {
    let (mut fast, mut slow) = (Sap::default(), OneByOne::default());
    for step in std::iter::once(&vec![[0; 3]; m.boxes.len()]).chain(&m.steps) {
        moved(&mut m.boxes, step);
        let proxies = Proxies { boxes: &m.boxes, immovable: &m.immovable };
        prop_assert_eq!(sorted(fast.pairs(&proxies)), sorted(slow.pairs(&proxies)));
    }
    Ok(())
}

proptest! {

    /// Small moves with many ties: mostly the fast path.
    #[test]
    fn fast_path_equals_slow_twin(m in motion(1)) {
        agrees_with_twin(m)?;
    }

    /// Jumps over whole boxes: ghosts appear and vanish as in Fingsics.
    #[test]
    fn jumps_equal_slow_twin(m in motion(6)) {
        agrees_with_twin(m)?;
    }

    /// In general position the pairs are those of brute force.
    #[test]
    fn equals_brute_force_without_ties(
        starts in prop::collection::vec(prop::array::uniform3((0.0f32..10.0, 0.5f32..3.0)), 1..25),
        speeds in prop::collection::vec(prop::array::uniform3(-0.4f32..0.4), 25),
    ) {
        let n = starts.len();
        let (mut sap, mut brute) = (Sap::default(), AllBoxes::default());
        let mut boxes: Vec<Aabb<3>> = starts
            .iter()
            .map(|s| Aabb { min: s.map(|(low, _)| low), max: s.map(|(low, width)| low + width) })
            .collect();
        let immovable = vec![false; n];
        for _ in 0..20 {
            let proxies = Proxies { boxes: &boxes, immovable: &immovable };
            prop_assert_eq!(sorted(sap.pairs(&proxies)), brute.pairs(&proxies).to_vec());
            for (b, speed) in boxes.iter_mut().zip(&speeds) {
                for axis in 0..3 {
                    b.min[axis] += speed[axis];
                    b.max[axis] += speed[axis];
                }
            }
        }
    }
}

#[test]
fn a_body_that_jumps_upwards_over_another_leaves_a_ghost_as_in_fingsics() {
    let unit = |x: f32| Aabb::new([x, 0.0, 0.0], [x + 1.0, 1.0, 1.0]);
    let mut sap = Sap::default();
    let immovable = [false, false];
    let mut pairs =
        |a: f32, b: f32| sap.pairs(&Proxies { boxes: &[unit(a), unit(b)], immovable: &immovable }).len();
    assert_eq!(pairs(0.0, 2.0), 0);
    assert_eq!(pairs(4.0, 2.0), 1, "flew over: Fingsics reports a pair that does not overlap");
    assert_eq!(pairs(4.1, 2.0), 1, "it lives until the two separate again on some axis");
    assert_eq!(pairs(0.0, 2.0), 0, "flying back removes it");
}

#[test]
fn touching_boxes_count_by_history() {
    let unit = |x: f32| Aabb::new([x, 0.0, 0.0], [x + 1.0, 1.0, 1.0]);
    let immovable = [false, false];
    let run = |places: &[(f32, f32)]| {
        let mut sap = Sap::default();
        let count = |&(a, b): &(f32, f32)| {
            sap.pairs(&Proxies { boxes: &[unit(a), unit(b)], immovable: &immovable }).len()
        };
        places.iter().map(count).collect::<Vec<_>>()
    };
    assert_eq!(run(&[(0.0, 1.0)]), [0], "fresh: the maximum of the earlier body sorts before the minimum");
    assert_eq!(run(&[(0.0, 0.5), (0.0, 1.0)]), [1, 1], "coming from overlap they still count");
    assert_eq!(run(&[(0.0, 1.5), (0.0, 1.0)]), [0, 0], "coming from apart they do not yet");
}

#[test]
fn a_new_number_of_bodies_starts_anew() {
    let boxes = [Aabb::new([0.0; 3], [1.0; 3]), Aabb::new([0.5; 3], [1.5; 3]), Aabb::new([0.7; 3], [2.0; 3])];
    let mut sap = Sap::default();
    let immovable = [false; 3];
    assert_eq!(sap.pairs(&Proxies { boxes: &boxes[..2], immovable: &immovable[..2] }).len(), 1);
    assert_eq!(sap.pairs(&Proxies { boxes: &boxes, immovable: &immovable }).len(), 3);
}
