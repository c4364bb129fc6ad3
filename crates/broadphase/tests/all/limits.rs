//! A limit on pairs: no method goes beyond it, refuses what is within, or cannot go on afterwards.

use carom_broadphase::{Contract, Filter, Method, Pair, Space};
use carom_core::threads::ThreadPool;
use carom_geometry::Aabb;

use crate::oracle::{Model, choices};

/// Boxes of half a metre on a spiral that fills a few cubic metres.
fn heap(boxes: usize) -> Vec<Aabb<3>> {
    let place = |k: usize| [k * 7 % 31, k * 11 % 29, k * 13 % 37].map(|c| c as f32 * 0.1);
    (0..boxes).map(|k| Aabb::new(place(k), place(k).map(|c| c + 0.5))).collect()
}

fn filled(mut space: Space<3>, boxes: &[Aabb<3>]) -> Space<3> {
    for aabb in boxes {
        space.insert(*aabb).unwrap();
    }
    space
}

#[test]
fn every_method_refuses_what_is_above_the_limit_and_nothing_else() {
    let boxes = heap(900);
    let model =
        Model { boxes: boxes.iter().map(|b| Some((*b, Filter::default()))).collect(), bounds: vec![] };
    let exact = model.pairs(0.0);
    let few = 300;
    let left: Vec<Pair> = exact.iter().copied().filter(|p| p.b < few).collect();
    for choice in choices() {
        for threads in [1, 3] {
            let mut pool = ThreadPool::new(threads);
            let mut space = filled(Space::with_broad_phase(choice.broad_phase()), &boxes);
            // Some methods report more than what overlaps.
            let count = space.update_with(&mut pool).len();
            let mut space = filled(Space::with_broad_phase(choice.broad_phase()), &boxes);
            space.set_max_pairs(count - 1);
            for _ in 0..2 {
                let refusal = space.try_update_with(&mut pool).unwrap_err();
                assert_eq!(refusal.limit, count - 1, "{choice}");
                assert_eq!(space.pairs(), [], "{choice}: pairs stay as they were");
            }
            // Boxes go, and a new method goes on with those that are left.
            for id in few..boxes.len() as u32 {
                space.remove(id).unwrap();
            }
            space.set_broad_phase(choice.broad_phase());
            // A refined method is bounded in what it refines.
            space.set_max_pairs(count.max(few as usize * few as usize));
            let found = space.try_update_with(&mut pool).unwrap().to_vec();
            if space.contract() == Contract::Exact {
                assert_eq!(found, left, "{choice}");
            }
            assert_eq!(space.changes().begun, found, "{choice}");
            // What follows changes is bounded as what begins.
            for id in 0..few {
                space.set_box(id, &boxes[0]).unwrap();
            }
            space.set_max_pairs((few as usize * (few as usize - 1)) / 2 - 1);
            assert!(space.try_update_with(&mut pool).is_err(), "{choice}");
            assert_eq!(space.pairs(), found, "{choice}");
        }
    }
}

#[test]
fn exactly_the_limit_is_allowed() {
    let boxes = heap(900);
    for choice in choices() {
        let mut pool = ThreadPool::new(2);
        let mut space = filled(Space::with_broad_phase(choice.broad_phase()), &boxes);
        let pairs = space.update().to_vec();
        let mut space = filled(Space::with_broad_phase(choice.broad_phase()), &boxes);
        // A refined method is bounded in what it refines, and `bsp` may find a pair repeatedly.
        let is_refined = matches!(space.contract(), Contract::Refined { .. });
        let is_plain = !is_refined && choice.method != Method::Bsp;
        space.set_max_pairs(if is_plain { pairs.len() } else { 900 * 899 / 2 });
        assert_eq!(space.try_update_with(&mut pool), Ok(&pairs[..]), "{choice}");
    }
}

#[test]
fn boxes_in_one_place_cost_bounded_memory() {
    let boxes = vec![Aabb::new([0.0; 3], [1.0; 3]); 20_000];
    let limit = 100_000;
    for choice in choices() {
        let mut pool = ThreadPool::new(2);
        let mut space = filled(Space::with_broad_phase(choice.broad_phase()), &boxes);
        space.set_max_pairs(limit);
        assert!(space.try_update_with(&mut pool).is_err(), "{choice}");
        // Without a limit these would be 1.6 GB for the pairs alone.
        assert!(space.bytes() < 100 << 20, "{choice}: {} bytes", space.bytes());
    }
}
