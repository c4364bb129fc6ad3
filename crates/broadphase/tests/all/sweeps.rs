//! Sweep and prune in scenes that live long enough to change its way of working, and the claims of
//! Moraga's thesis about the direct and the incremental sweep.

use std::collections::BTreeSet;

use carom_broadphase::brute::AllBoxes;
use carom_broadphase::{Choice, Filter, Pair, Space};
use carom_geometry::Aabb;

use crate::oracle::{Model, compare};

/// xorshift64*: the same scenes everywhere.
struct Random(u64);

impl Random {
    /// Between −1 and 1.
    fn signed(&mut self) -> f32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    }

    fn cube<const D: usize>(&mut self, reach: f32) -> Aabb<D> {
        let low: [f32; D] = std::array::from_fn(|_| self.signed() * reach);
        Aabb { min: low, max: low.map(|c| c + 1.2 + self.signed() * 0.5) }
    }

    fn step<const D: usize>(&mut self, aabb: &mut Aabb<D>, length: f32) {
        for k in 0..D {
            let step = self.signed() * length;
            aabb.min[k] += step;
            aabb.max[k] += step;
        }
    }
}

fn choice(name: &str) -> Choice {
    name.parse().unwrap()
}

/// A space and its model side by side.
struct Pairing<const D: usize> {
    choice: Choice,
    space: Space<D>,
    model: Model<D>,
    before: Vec<Pair>,
}

impl<const D: usize> Pairing<D> {
    fn new(name: &str) -> Self {
        let choice = choice(name);
        let space = Space::with_broad_phase(choice.broad_phase());
        Self { choice, space, model: Model::default(), before: Vec::new() }
    }

    fn insert(&mut self, aabb: Aabb<D>) {
        let id = self.space.insert(aabb).unwrap() as usize;
        self.model.boxes.resize((id + 1).max(self.model.boxes.len()), None);
        self.model.boxes[id] = Some((aabb, Filter::default()));
    }

    fn remove(&mut self, id: usize) {
        self.space.remove(id as u32).unwrap();
        self.model.boxes[id] = None;
    }

    fn move_some(&mut self, random: &mut Random, every: usize, length: f32) {
        for (id, entry) in self.model.boxes.iter_mut().enumerate().step_by(every) {
            let Some((aabb, _)) = entry else { continue };
            random.step(aabb, length);
            self.space.set_box(id as u32, aabb).unwrap();
        }
    }

    fn check(&mut self) {
        compare(&self.choice, &mut self.space, &self.model, &self.model.pairs(0.0), &mut self.before)
            .unwrap();
    }
}

/// Creeping, jumping, resting, coming in crowds, going: every way of working and every change
/// between them.
fn live<const D: usize>(name: &str) -> Space<D> {
    let mut random = Random(77);
    let mut pairing = Pairing::<D>::new(name);
    let reach = if D == 2 { 18.0 } else { 7.0 };
    for _ in 0..300 {
        pairing.insert(random.cube(reach));
    }
    pairing.check();
    for (updates, every, length) in
        [(5, 1, 0.02), (2, 1, 3.0), (5, 1, 0.02), (4, 7, 0.1), (2, 1, 0.0), (3, 50, 20.0), (4, 3, 0.05)]
    {
        for _ in 0..updates {
            pairing.move_some(&mut random, every, length);
            pairing.check();
        }
    }
    for round in 0..6 {
        for id in (round..250).step_by(11) {
            pairing.remove(id);
        }
        for _ in 0..15 {
            pairing.insert(random.cube(reach));
        }
        pairing.move_some(&mut random, 5, 0.05);
        pairing.check();
        for _ in 0..8 {
            pairing.insert(random.cube(reach));
        }
    }
    // A crowd, among them boxes without end and boxes that cover everything.
    for i in 0..400 {
        pairing.insert(match i {
            0..3 => Aabb::EVERYTHING,
            3..6 => Aabb::new([-1e30; D], [1e30; D]),
            _ => random.cube(reach),
        });
    }
    for _ in 0..4 {
        pairing.check();
        pairing.move_some(&mut random, 1, 0.02);
    }
    pairing.space
}

#[test]
fn sweeps_are_right_in_every_way_of_working() {
    for name in [
        "sap",
        "sapobb",
        "incremental-sap?update=delta",
        "incremental-sap",
        "direct-sap?sort=insertion",
        "multi-sap",
        "multi-sap?cell=0.1",
        "multi-sap?cell=1e9",
        "aabb",
        "obb",
    ] {
        live::<2>(name);
        live::<3>(name);
    }
}

#[test]
fn adaptive_sweep_uses_both_of_its_ways() {
    let space = live::<3>("sap");
    let remark = space.remark().unwrap();
    let numbers: Vec<u64> = remark.split(' ').filter_map(|word| word.parse().ok()).collect();
    let [anew, updates] = numbers[..] else { panic!("{remark}") };
    assert!(anew >= 4, "jumps and crowds start anew: {remark}");
    assert!(updates - anew >= 12, "what creeps is followed: {remark}");
    assert!(space.counters().swaps > 0 && space.counters().pair_changes > 0);
}

#[test]
fn many_boxes_apart_are_swept_against_all() {
    let mut random = Random(5);
    let mut pairing = Pairing::<3>::new("multi-sap?cell=1");
    for i in 0..400 {
        let mut aabb = random.cube::<3>(12.0);
        if i % 4 == 0 {
            // Beams across many columns.
            (aabb.min[1], aabb.max[1]) = (-11.0, 11.0);
        }
        if i % 4 < 2 {
            // Beams and cubes that begin at the same place, whatever axis is swept.
            (aabb.min[0], aabb.min[2]) = (aabb.min[0].round(), aabb.min[2].round());
        }
        pairing.insert(aabb);
    }
    pairing.check();
    let remark = pairing.space.remark().unwrap();
    assert!(remark.ends_with("boxes kept apart") && !remark.contains("; 0 boxes"), "{remark}");
}

#[test]
fn a_crowd_of_thousands_is_not_inserted_one_by_one() {
    let count = 4000;
    for name in ["sap", "incremental-sap?update=delta"] {
        let mut random = Random(3);
        let mut space = Space::<3>::with_broad_phase(choice(name).broad_phase());
        (0..count).for_each(|_| {
            space.insert(random.cube(40.0)).unwrap();
        });
        space.update();
        assert_eq!(space.counters().swaps, 0, "{name}: newcomers are merged, not exchanged");
    }
    // All change places: an insertion sort would exchange some 6 n² endpoints.
    let mut random = Random(4);
    let mut space = Space::<3>::with_broad_phase(choice("sap").broad_phase());
    let mut boxes: Vec<Aabb<3>> = (0..count).map(|_| random.cube(40.0)).collect();
    boxes.iter().for_each(|aabb| {
        space.insert(*aabb).unwrap();
    });
    for length in [0.0, 1e-4, 1e-4, 1e-4] {
        boxes.iter_mut().for_each(|aabb| random.step(aabb, length));
        space.set_boxes(&boxes).unwrap();
        space.update();
    }
    assert!(space.remark().unwrap().starts_with("2 of"), "axes are kept: {:?}", space.remark());
    boxes.reverse();
    space.set_boxes(&boxes).unwrap();
    space.update();
    let limit = 50 * count as u64;
    assert!(space.counters().swaps < limit, "{:?}", space.counters());
}

#[test]
fn threads_change_neither_pairs_nor_counters() {
    for name in ["multi-sap", "sap"] {
        let run = |threads: usize| {
            let mut random = Random(9);
            let mut space = Space::<3>::with_broad_phase(choice(name).broad_phase());
            space.set_threads(threads);
            for _ in 0..3000 {
                space.insert(random.cube(25.0)).unwrap();
            }
            (space.update().to_vec(), space.counters())
        };
        assert_eq!(run(1), run(3), "{name}");
    }
}

/// R-002-15, 16, 20: pairs are unordered, unique, of two; the direct sweep equals brute force
/// however it sorts and extracts.
#[test]
fn direct_sweeps_equal_brute_force_in_each_frame() {
    let sorts = ["full", "scratch", "insertion"];
    let ways = ["positions", "hash", "sorted"];
    for count in [1, 2, 20, 200] {
        let mut random = Random(count);
        let boxes: Vec<Aabb<2>> = (0..count).map(|_| random.cube(10.0)).collect();
        let mut plain = Space::<2>::with_broad_phase(Box::new(AllBoxes::default()));
        let mut sweeps: Vec<(String, Space<2>)> = sorts
            .iter()
            .flat_map(|sort| ways.map(|pairs| format!("direct-sap?sort={sort}&pairs={pairs}")))
            .map(|name| (name.clone(), Space::with_broad_phase(choice(&name).broad_phase())))
            .collect();
        for space in std::iter::once(&mut plain).chain(sweeps.iter_mut().map(|(_, space)| space)) {
            boxes.iter().for_each(|aabb| {
                space.insert(*aabb).unwrap();
            });
        }
        let mut boxes = boxes;
        for _ in 0..10 {
            boxes.iter_mut().for_each(|aabb| random.step(aabb, 0.3));
            plain.set_boxes(&boxes).unwrap();
            let expected = plain.update();
            assert!(expected.iter().all(|pair| pair.a < pair.b) && expected.is_sorted_by(|p, q| p < q));
            assert!(count < 20 || !expected.is_empty());
            for (name, space) in &mut sweeps {
                space.set_boxes(&boxes).unwrap();
                assert_eq!(space.update(), expected, "{name}");
            }
        }
    }
}

/// R-002-17: the incremental sweep equals the direct one and skips frames in which no order
/// changed; R-002-18: the differences of the true incremental one add up to the same set.
#[test]
fn incremental_sweeps_skip_what_did_not_change_and_differences_add_up() {
    let names = [
        "direct-sap",
        "incremental-sap",
        "incremental-sap?sort=full&pairs=hash",
        "incremental-sap?update=delta",
    ];
    let mut random = Random(21);
    let mut boxes: Vec<Aabb<2>> = (0..60).map(|_| random.cube(8.0)).collect();
    let mut spaces = names.map(|name| Space::<2>::with_broad_phase(choice(name).broad_phase()));
    for space in &mut spaces {
        boxes.iter().for_each(|aabb| {
            space.insert(*aabb).unwrap();
        });
    }
    let mut sum = BTreeSet::new();
    for frame in 0..40 {
        // Every fourth frame all boxes move by the same step: values change, the order does not.
        let together = frame % 4 == 3;
        for aabb in &mut boxes {
            if together {
                (0..2).for_each(|k| (aabb.min[k], aabb.max[k]) = (aabb.min[k] + 0.25, aabb.max[k] + 0.25));
            } else {
                random.step(aabb, 0.2);
            }
        }
        let [direct, rest @ ..] = &mut spaces;
        direct.set_boxes(&boxes).unwrap();
        let expected = direct.update();
        for space in rest.iter_mut() {
            space.set_boxes(&boxes).unwrap();
            assert_eq!(space.update(), expected);
        }
        let changes = rest[2].changes();
        assert!(changes.ended.iter().all(|pair| sum.remove(pair)));
        assert!(changes.begun.iter().all(|pair| sum.insert(*pair)));
        assert!(sum.iter().eq(expected));
    }
    for space in &spaces[1..3] {
        assert_eq!(space.remark().unwrap(), "30 of 40 updates computed the pairs anew");
    }
    assert_eq!(spaces[0].remark(), None);
}

/// More boxes than fit into a tile, a batch, or a sort by comparisons.
#[test]
fn large_scenes_equal_the_plain_twin() {
    let mut random = Random(33);
    let boxes: Vec<Aabb<3>> = (0..2600).map(|_| random.cube(8.0)).collect();
    let pairs = |space: &mut Space<3>| {
        boxes.iter().for_each(|aabb| {
            space.insert(*aabb).unwrap();
        });
        space.update().to_vec()
    };
    let expected = pairs(&mut Space::with_broad_phase(Box::new(AllBoxes::default())));
    assert!(expected.len() > 4096);
    let cells = ["multi-sap?cell=1000", "multi-sap?cell=2"];
    let exact = ["aabb", "sap", "incremental-sap?update=delta", "direct-sap", "multi-sap"];
    for name in exact.into_iter().chain(cells) {
        assert_eq!(pairs(&mut Space::with_broad_phase(choice(name).broad_phase())), expected, "{name}");
    }
    // The volumes of boxes are as large as the boxes, or larger.
    let count = |name: &str| {
        let found: BTreeSet<Pair> =
            pairs(&mut Space::with_broad_phase(choice(name).broad_phase())).into_iter().collect();
        assert!(expected.iter().all(|pair| found.contains(pair)), "{name}");
        found.len()
    };
    assert_eq!(["sapobb", "sap+sphere", "sap+kdop26"].map(count), [expected.len(); 3]);
    assert!(count("obb") < expected.len() + 10, "gaps of 0.00002 may be overlooked");
    assert!(count("sphere") > expected.len());
    assert_eq!(count("none"), 2600 * 2599 / 2);
}

/// One or two boxes in hundreds: endpoints are searched and moved alone. On a coarse grid, so that
/// ties abound.
fn few_move<const D: usize>(name: &str) -> Space<D> {
    let mut random = Random(41);
    let mut pairing = Pairing::<D>::new(name);
    let coarse = |aabb: Aabb<D>| {
        let round = |c: [f32; D]| c.map(|c| (c * 2.0).round() * 0.5);
        Aabb { min: round(aabb.min), max: round(aabb.max) }
    };
    let reach = if D == 2 { 12.0 } else { 5.0 };
    for i in 0..300 {
        let aabb = if i == 7 { Aabb::EVERYTHING } else { coarse(random.cube(reach)) };
        pairing.insert(aabb);
    }
    for round in 0..80 {
        pairing.check();
        for at in 0..1 + round % 3 {
            let id = (round * 37 + at * 11) % 300;
            let Some((aabb, _)) = &mut pairing.model.boxes[id] else { continue };
            let from_nowhere = *aabb == Aabb::EVERYTHING;
            match round % 5 {
                0 => *aabb = Aabb::EVERYTHING,
                1 => *aabb = coarse(random.cube(reach)),
                _ if from_nowhere => *aabb = coarse(random.cube(reach)),
                _ => {
                    random.step(aabb, 1.0);
                    *aabb = coarse(*aabb);
                }
            }
            pairing.space.set_box(id as u32, aabb).unwrap();
        }
    }
    pairing.check();
    pairing.space
}

#[test]
fn single_boxes_are_followed() {
    for name in ["sap", "incremental-sap?update=delta"] {
        assert!(few_move::<2>(name).counters().pair_changes > 100, "{name}");
        let space = few_move::<3>(name);
        assert!(space.counters().pair_changes > 100, "{name}");
        if let Some(remark) = space.remark() {
            let anew: u64 = remark.split(' ').next().unwrap().parse().unwrap();
            assert!(anew < 40, "boxes that come from afar may start anew, others not: {remark}");
        }
    }
}
