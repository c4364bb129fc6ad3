//! Trees and cells: queries, threads, memory, and inputs that are meant to hurt.

use carom_broadphase::{Choice, Method, Pair, Space};
use carom_geometry::Aabb;
use carom_geometry::primitive::Plane;
use glam::Vec3;
use proptest::prelude::*;

use crate::contract::any_box;

const METHODS: [Method; 4] = [Method::Bvh, Method::BvhRefit, Method::Dbvt, Method::KdSweep];

/// A repeatable stream of numbers from 0 to 1.
struct Numbers(u32);

impl Numbers {
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) as f32 / (1 << 24) as f32
    }

    fn cube(&mut self, world: f32, edge: f32) -> Aabb<3> {
        let low: [f32; 3] = std::array::from_fn(|_| self.next() * world);
        Aabb::new(low, low.map(|c| c + edge))
    }
}

/// Every answer of a space is that of a space that looks at every box.
fn assert_same_answers(space: &Space<3>, plain: &Space<3>, boxes: &[Aabb<3>], name: &str) {
    assert!(space.has_fast_queries() && !plain.has_fast_queries());
    let (mut a, mut b) = (Vec::new(), Vec::new());
    let (mut c, mut d) = (Vec::new(), Vec::new());
    for (i, query) in boxes.iter().enumerate() {
        space.overlapping(query, &mut a);
        plain.overlapping(query, &mut b);
        assert_eq!(a, b, "{name}: boxes that overlap {query:?}");
        let finite = |c: f32| c.clamp(-30.0, 30.0);
        let (from, to) = (query.min.map(finite), boxes[(i + 1) % boxes.len()].max.map(finite));
        let along: [f32; 3] = std::array::from_fn(|k| to[k] - from[k]);
        assert_eq!(space.nearest(from), plain.nearest(from), "{name}: nearest to {from:?}");
        space.along_ray(from, along, 1.0, &mut c);
        plain.along_ray(from, along, 1.0, &mut d);
        assert_eq!(c, d, "{name}: ray from {from:?} along {along:?}");
        let mover = Aabb::new(from, from.map(|c| c + 0.5));
        space.along_sweep(&mover, along, &mut c);
        plain.along_sweep(&mover, along, &mut d);
        assert_eq!(c, d, "{name}: sweep of {mover:?} along {along:?}");
        let normal = Vec3::from(along).try_normalize().unwrap_or(Vec3::X);
        let planes = [Plane::new(normal, 3.0), Plane::new(-normal, 1.0), Plane::new(Vec3::Y, 2.0)];
        space.in_frustum(&planes, &mut a);
        plain.in_frustum(&planes, &mut b);
        assert_eq!(a, b, "{name}: frustum {planes:?}");
    }
}

proptest! {
    #[test]
    fn queries_find_what_a_look_at_every_box_finds(
        boxes in prop::collection::vec(any_box::<3>(), 2..120),
        moves in prop::collection::vec((any::<prop::sample::Index>(), any_box::<3>()), 0..20),
        gone in prop::collection::vec(any::<prop::sample::Index>(), 0..5),
    ) {
        let choices = METHODS.map(Choice::from).into_iter().chain(["kd-sweep?leaf=4".parse().unwrap()]);
        for choice in choices {
            let mut space = Space::<3>::with_broad_phase(choice.broad_phase());
            let mut plain = Space::<3>::new(Method::Aabb);
            for space in [&mut space, &mut plain] {
                boxes.iter().for_each(|b| { space.insert(*b).unwrap(); });
                space.update();
                for (at, aabb) in &moves {
                    space.set_box(at.index(boxes.len()) as u32, aabb).unwrap();
                }
                for at in &gone {
                    // One may be named twice.
                    let _ = space.remove(at.index(boxes.len()) as u32);
                }
                space.update();
            }
            assert_same_answers(&space, &plain, &boxes, &choice.to_string());
        }
    }
}

#[test]
fn a_box_at_minus_infinity_is_not_lost_in_a_frustum_along_its_axis() {
    for method in METHODS {
        let mut space = Space::<3>::new(method);
        for i in 0..40u8 {
            let c = f32::from(i);
            space.insert(Aabb::new([c, 0.0, 0.0], [c, 1.0, 1.0])).unwrap();
        }
        let low = f32::NEG_INFINITY;
        let gone = space.insert(Aabb::new([low, 0.0, 9.0], [low, 1.0, 9.0])).unwrap();
        space.update();
        let mut found = Vec::new();
        space.in_frustum(&[Plane::new(Vec3::NEG_Z, -5.0)], &mut found);
        assert_eq!(found, [gone], "{method}");
        space.in_frustum(&[Plane::new(Vec3::Z, 5.0)], &mut found);
        assert_eq!(found, (0..40).collect::<Vec<_>>(), "{method}");
    }
}

#[test]
fn pairs_and_counters_do_not_depend_on_the_number_of_threads() {
    for method in METHODS {
        let run = |threads: usize| {
            let mut numbers = Numbers(7);
            let mut space = Space::<3>::new(method);
            space.set_threads(threads);
            let mut boxes: Vec<Aabb<3>> = (0..3000).map(|_| numbers.cube(40.0, 1.5)).collect();
            boxes.push(Aabb::new([-1.0, 0.0, -1.0], [50.0, 0.1, 50.0]));
            boxes.push(Aabb::EVERYTHING);
            boxes.iter().for_each(|b| {
                space.insert(*b).unwrap();
            });
            let mut seen: Vec<(Vec<Pair>, _)> = vec![(space.update().to_vec(), space.counters())];
            for share in [1.0, 0.5, 0.1, 0.01] {
                for id in 0..3000 {
                    if numbers.next() < share {
                        space.set_box(id, &numbers.cube(40.0, 1.5)).unwrap();
                    }
                }
                seen.push((space.update().to_vec(), space.counters()));
            }
            seen
        };
        let alone = run(1);
        assert!(alone.iter().all(|(pairs, _)| pairs.len() > 3000));
        assert_eq!(alone, run(2), "{method}");
        assert_eq!(alone, run(3), "{method}");
    }
}

#[test]
fn the_steady_state_allocates_nothing() {
    for method in METHODS {
        // Small circles for all, or large ones for some: every way of following is taken.
        for (every, radius) in [(1, 0.05), (1, 8.0), (20, 0.3), (20, 8.0)] {
            let mut numbers = Numbers(3);
            let homes: Vec<Aabb<3>> = (0..800).map(|_| numbers.cube(20.0, 1.0)).collect();
            let mut space = Space::<3>::new(method);
            homes.iter().for_each(|b| {
                space.insert(*b).unwrap();
            });
            let mut pairs = 0;
            let mut turn = |space: &mut Space<3>| {
                for step in 0..24u8 {
                    let angle = f32::from(step) / 24.0 * std::f32::consts::TAU;
                    for (id, home) in homes.iter().enumerate().step_by(every) {
                        let phase = angle + id as f32;
                        let shift = [radius * phase.cos(), radius * phase.sin(), 0.0];
                        let moved = |c: &[f32; 3]| std::array::from_fn(|k| c[k] + shift[k]);
                        space.set_box(id as u32, &Aabb::new(moved(&home.min), moved(&home.max))).unwrap();
                    }
                    pairs += space.update().len();
                }
            };
            (0..4).for_each(|_| turn(&mut space));
            let measured = allocation_counter::measure(|| turn(&mut space));
            // A list may still reach a new record length; anything per update would count dozens.
            assert!(
                measured.count_total <= 2,
                "{method}: {} allocations in 24 updates",
                measured.count_total
            );
            assert!(pairs > 1000);
        }
    }
}

/// Work of a method on boxes that all are new, then all moved a little: nodes visited and boxes
/// tested.
fn work(method: Method, boxes: &[Aabb<3>]) -> (u64, usize) {
    let mut space = Space::<3>::new(method);
    boxes.iter().for_each(|b| {
        space.insert(*b).unwrap();
    });
    space.update();
    let nudged = |b: &Aabb<3>| Aabb::new(b.min.map(|c| c + 0.25), b.max.map(|c| c + 0.25));
    space.set_boxes(&boxes.iter().map(nudged).collect::<Vec<_>>()).unwrap();
    let pairs = space.update().len();
    let counters = space.counters();
    (counters.node_visits + counters.box_tests, pairs)
}

#[test]
fn a_few_far_or_endless_boxes_do_not_spoil_the_rest() {
    let mut numbers = Numbers(11);
    let near: Vec<Aabb<3>> = (0..4000).map(|_| numbers.cube(60.0, 1.0)).collect();
    let far = |c: f32| Aabb::new([c; 3], [c; 3]);
    let ground = Aabb::new([-1e4, -1.0, -1e4], [1e4, 0.0, 1e4]);
    for method in METHODS {
        let (usual, _) = work(method, &near);
        for odd in [far(1e30), far(-1e9), far(f32::INFINITY), ground, Aabb::EVERYTHING] {
            let mut boxes = near.clone();
            boxes.extend([odd, odd, odd]);
            let (with, _) = work(method, &boxes);
            // Each of three may have to be tested against all, twice.
            assert!(with < 2 * usual + 16 * 3 * 4000, "{method}: {with} instead of {usual} with {odd:?}");
        }
    }
}

#[test]
fn work_grows_little_faster_than_the_boxes_and_pairs() {
    type Shape = fn(f32, &mut Numbers) -> Aabb<3>;
    let shapes: [(&str, Shape); 6] = [
        ("on a line", |i, _| Aabb::new([i, 0.0, 0.0], [i + 0.5, 1.0, 1.0])),
        ("on a diagonal", |i, _| Aabb::new([i; 3], [i + 0.5; 3])),
        ("points in one place", |_, n| n.cube(1e-6, 0.0)),
        ("of shrinking distance", |i, _| {
            let c = 1e6 / (1.0 + i * i);
            Aabb::new([c; 3], [c; 3])
        }),
        ("of all sizes", |i, n| n.cube(200.0, 20.0 / (1.0 + i * 0.05))),
        ("in a sheet", |_, n| {
            let b = n.cube(100.0, 0.5);
            Aabb::new([b.min[0], 5.0, b.min[2]], [b.max[0], 5.0, b.max[2]])
        }),
    ];
    for method in METHODS {
        for (name, shape) in &shapes {
            let mut numbers = Numbers(5);
            let boxes: Vec<Aabb<3>> = (0..6000u16).map(|i| shape(f32::from(i), &mut numbers)).collect();
            let (work, pairs) = work(method, &boxes);
            // Brute force makes 36 million tests.
            let bound = 6000 * 600 + 60 * pairs as u64;
            assert!(work < bound, "{method}: {work} for {pairs} pairs of boxes {name}");
        }
    }
}

#[test]
fn equal_and_nested_boxes_are_found_in_any_order() {
    for method in METHODS {
        for nested in [false, true] {
            let mut space = Space::<3>::new(method);
            for i in 0..300u16 {
                let r = if nested { f32::from(i) } else { 1.0 };
                space.insert(Aabb::new([-r; 3], [r; 3])).unwrap();
                if i % 50 == 0 {
                    space.update();
                }
            }
            assert_eq!(space.update().len(), 300 * 299 / 2, "{method}");
        }
    }
}

#[test]
fn rest_costs_nothing_and_small_movement_little() {
    let mut numbers = Numbers(23);
    let boxes: Vec<Aabb<3>> = (0..5000).map(|_| numbers.cube(60.0, 1.0)).collect();
    for method in [Method::BvhRefit, Method::Dbvt, Method::KdSweep] {
        let mut space = Space::<3>::new(method);
        boxes.iter().for_each(|b| {
            space.insert(*b).unwrap();
        });
        space.update();
        let done = |space: &Space<3>| space.counters().node_visits + space.counters().box_tests;
        let all = done(&space);
        space.update();
        space.set_boxes(&boxes).unwrap();
        space.update();
        assert_eq!(done(&space), all, "{method}: rest");
        for id in (0..5000).step_by(500) {
            space.set_box(id, &numbers.cube(60.0, 1.0)).unwrap();
        }
        space.update();
        assert!(done(&space) - all < all / 10, "{method}: {} after {all}", done(&space) - all);
    }
}

#[test]
fn a_margin_makes_small_movement_free_and_is_told() {
    use carom_broadphase::Contract;
    let mut space = Space::<2>::with_broad_phase("dbvt?margin=0.5".parse::<Choice>().unwrap().broad_phase());
    assert_eq!(space.contract(), Contract::Exact);
    let a = space.insert(Aabb::new([0.0, 0.0], [1.0, 1.0])).unwrap();
    let b = space.insert(Aabb::new([1.9, 0.0], [3.0, 1.0])).unwrap();
    assert_eq!(space.update(), [Pair::new(a, b)], "within the margins");
    assert_eq!(space.contract(), Contract::Fattened { margin: 1.0 });
    let before = space.counters();
    space.set_box(a, &Aabb::new([-0.4, 0.0], [0.6, 1.0])).unwrap();
    assert_eq!(space.update(), [Pair::new(a, b)]);
    assert_eq!(space.counters(), before, "it did not leave its fat box");
    space.set_box(a, &Aabb::new([-0.6, 0.0], [0.4, 1.0])).unwrap();
    assert_eq!(space.update(), []);
    // A box that shrinks inside its fat box must not be taken for the large one for ever.
    space.set_box(b, &Aabb::new([2.9, 0.9], [3.0, 1.0])).unwrap();
    space.set_box(a, &Aabb::new([0.0, 0.0], [1.0, 1.0])).unwrap();
    assert_eq!(space.update(), []);
    let exact = Space::<2>::with_broad_phase("dbvt?margin=0".parse::<Choice>().unwrap().broad_phase());
    assert_eq!(exact.contract(), Contract::Exact);
}
