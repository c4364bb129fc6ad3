//! Inputs made to break grids and trees. What may not happen: a wrong pair, no end, or more memory
//! than a multiple of the boxes.

use carom_broadphase::{Choice, Filter, Space};
use carom_geometry::Aabb;

use super::{METHODS, Random};

fn scenes() -> Vec<(&'static str, Vec<Aabb<3>>)> {
    let mut random = Random::new(11);
    let mut point = |reach: f32| -> [f32; 3] { std::array::from_fn(|_| reach * random.signed()) };
    let tiny = |p: [f32; 3]| Aabb::new(p, p.map(|c| c + 1e-3));
    let count = 1000;
    let mut scenes = vec![
        ("equal boxes", vec![Aabb::new([1.0; 3], [2.0; 3]); count]),
        ("equal points", vec![Aabb::new([1.0; 3], [1.0; 3]); count]),
        ("nested boxes", (0..count).map(|i| Aabb::new([-(i as f32); 3], [i as f32; 3])).collect()),
        (
            "powers of two",
            (0..count)
                .map(|i| Aabb::new([0.0; 3], [f32::from_bits(((i as u32 % 254) + 1) << 23); 3]))
                .collect(),
        ),
        (
            "a line of points",
            (0..count).map(|i| Aabb::new([i as f32, 0.0, 0.0], [i as f32, 0.0, 0.0])).collect(),
        ),
        (
            "far away",
            (0..count)
                .map(|i| {
                    let c = 1e30 * (1.0 + i as f32 / count as f32);
                    Aabb::new([c; 3], [c * 1.0001; 3])
                })
                .collect(),
        ),
        (
            "widest coordinates",
            (0..count)
                .map(|i| {
                    let c = f32::MAX * (i as f32 / count as f32 * 2.0 - 1.0);
                    Aabb::new([c; 3], [c; 3])
                })
                .collect(),
        ),
        (
            "denormal",
            (0..count)
                .map(|i| {
                    let c = i as f32 * 1e-42;
                    Aabb::new([c; 3], [c + 1e-42; 3])
                })
                .collect(),
        ),
    ];
    let mut huge: Vec<Aabb<3>> = (0..count).map(|_| tiny(point(1.0))).collect();
    huge[77] = Aabb::new([-1e30; 3], [1e30; 3]);
    scenes.push(("one huge among tiny", huge));
    let mut stray: Vec<Aabb<3>> = (0..count).map(|_| tiny(point(1.0))).collect();
    stray[3] = tiny([1e30; 3]);
    stray[4] = tiny([-1e37, 0.0, 0.0]);
    stray[5] = Aabb::new([f32::INFINITY; 3], [f32::INFINITY; 3]);
    scenes.push(("strays", stray));
    let half = |i: usize| if i.is_multiple_of(2) { Aabb::EVERYTHING } else { tiny([i as f32; 3]) };
    scenes.push(("half of them infinite", (0..count / 4).map(half).collect()));
    let plank = |i: usize| {
        let mut aabb = Aabb::new([i as f32; 3], [i as f32 + 0.5; 3]);
        (aabb.min[i % 3], aabb.max[i % 3]) = (-5e3, 5e3);
        aabb
    };
    scenes.push(("long planks along all axes", (0..count).map(plank).collect()));
    scenes
}

#[test]
fn the_worst_inputs_end_with_the_right_pairs_and_little_memory() {
    for (scene, boxes) in scenes() {
        // Most are static, so that pairs do not fill the memory.
        let filter = |i: usize| match i % 20 {
            0 => Filter::default(),
            _ => Filter::STATIC,
        };
        let mut expected = Vec::new();
        for (b, second) in boxes.iter().enumerate() {
            for (a, first) in boxes[..b].iter().enumerate() {
                if filter(a).admits(&filter(b)) && first.overlaps(second) {
                    expected.push(carom_broadphase::Pair::new(a as u32, b as u32));
                }
            }
        }
        expected.sort_unstable();
        for name in METHODS {
            let choice: Choice = name.parse().unwrap();
            let mut space = Space::<3>::with_broad_phase(choice.broad_phase());
            for (i, aabb) in boxes.iter().enumerate() {
                space.insert_filtered(*aabb, filter(i)).unwrap();
            }
            assert!(space.update() == expected, "{choice}: {scene}");
            let tests = space.counters().box_tests + space.counters().node_visits;
            let all = (boxes.len() * boxes.len()) as u64;
            assert!(tests <= 4 * all, "{choice}: {scene}: {tests} tests");
            let bytes = space.bytes() - expected.capacity() * 8;
            assert!(
                bytes < 2000 * boxes.len() + 40 * expected.len() + 100_000,
                "{choice}: {scene}: {bytes} bytes"
            );
        }
    }
}

#[test]
fn ten_thousand_boxes_in_one_place_end() {
    for name in METHODS {
        let choice: Choice = name.parse().unwrap();
        let mut space = Space::<3>::with_broad_phase(choice.broad_phase());
        for i in 0..10_000 {
            let filter = if i == 0 { Filter::default() } else { Filter::STATIC };
            space.insert_filtered(Aabb::new([3.0; 3], [3.0; 3]), filter).unwrap();
        }
        assert_eq!(space.update().len(), 9_999, "{choice}");
    }
}
