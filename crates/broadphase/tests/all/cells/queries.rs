//! Queries through grids and trees against looking at every box.

use carom_broadphase::{Choice, Method, Space};
use carom_geometry::Aabb;
use carom_geometry::bounds::RaySlabs;
use carom_geometry::primitive::{Plane, Ray};
use glam::Vec3;

use super::scenes::{SCENES, boxes, insert_all};
use super::{METHODS, Random};

fn ask(space: &Space<3>, seed: u64) -> Vec<String> {
    let mut random = Random::new(seed);
    let mut answers = Vec::new();
    let (mut ids, mut hits) = (Vec::new(), Vec::new());
    for _ in 0..40 {
        let origin: [f32; 3] = std::array::from_fn(|_| 12.0 * random.unit() - 1.0);
        let direction: [f32; 3] = std::array::from_fn(|_| random.signed());
        let aabb = Aabb::new(origin, origin.map(|c| c + 2.0 * random.unit()));
        space.overlapping(&aabb, &mut ids);
        answers.push(format!("box {ids:?}"));
        space.along_ray(origin, direction, 8.0, &mut hits);
        answers.push(format!("ray {hits:?}"));
        space.along_sweep(&aabb, direction.map(|c| 3.0 * c), &mut hits);
        answers.push(format!("sweep {hits:?}"));
        let planes: Vec<Plane> = (0..4)
            .map(|_| {
                let normal = Vec3::new(random.signed(), random.signed(), random.signed() + 1e-3).normalize();
                Plane::new(normal, normal.dot(Vec3::from(origin)) + 1.5)
            })
            .collect();
        space.in_frustum(&planes, &mut ids);
        answers.push(format!("frustum {ids:?}"));
        answers.push(format!("nearest {:?}", space.nearest(origin)));
        answers.push(format!("first {:?}", first_along(space, origin, direction)));
    }
    answers
}

/// The first box along a ray, from near to far.
fn first_along(space: &Space<3>, origin: [f32; 3], direction: [f32; 3]) -> Option<(f32, u32)> {
    let slabs = RaySlabs::new(&Ray::new(origin.into(), direction.into()));
    let mut best: Option<(f32, u32)> = None;
    let enters = |volume: &Aabb<3>| slabs.interval(volume, 8.0).map(|within| within.enter);
    space.walk_near(&mut |volume| enters(volume).map(f64::from), &mut |id| {
        let found = enters(space.table().aabb(id)).map(|enter| (enter, id));
        if found.is_some() && (best.is_none() || found < best) {
            best = found;
        }
        best.map_or(f64::INFINITY, |(enter, _)| f64::from(enter))
    });
    best
}

#[test]
fn queries_find_what_a_look_at_every_box_finds() {
    for scene in SCENES {
        let mut plain = Space::<3>::new(Method::Aabb);
        let all = boxes::<3>(scene, 500, &mut Random::new(5));
        insert_all(&mut plain, &all);
        assert!(!plain.has_fast_queries());
        let right = ask(&plain, 9);
        for name in METHODS {
            let choice: Choice = name.parse().unwrap();
            let mut space = Space::<3>::with_broad_phase(choice.broad_phase());
            insert_all(&mut space, &all);
            space.update();
            if !matches!(choice.method, Method::HashGrid | Method::HierGrid) {
                assert!(space.has_fast_queries(), "{choice}");
            }
            for (mine, right) in ask(&space, 9).iter().zip(&right) {
                assert_eq!(mine, right, "{choice}, {scene:?}");
            }
        }
    }
}

#[test]
fn queries_are_right_before_the_next_update() {
    let all = boxes::<3>(SCENES[0], 300, &mut Random::new(6));
    let change = |space: &mut Space<3>| {
        insert_all(space, &all);
        space.update();
        let mut random = Random::new(8);
        for id in (0..300).step_by(3) {
            let low: [f32; 3] = std::array::from_fn(|_| 12.0 * random.unit());
            space.set_box(id, &Aabb::new(low, low.map(|c| c + 0.5))).unwrap();
        }
        (0..300).step_by(7).for_each(|id| space.remove(id).unwrap());
        for _ in 0..60 {
            let low: [f32; 3] = std::array::from_fn(|_| 12.0 * random.unit());
            space.insert(Aabb::new(low, low.map(|c| c + 0.3))).unwrap();
        }
    };
    let mut plain = Space::<3>::new(Method::Aabb);
    change(&mut plain);
    let right = ask(&plain, 11);
    for name in METHODS.iter().copied().chain(["bvh-refit", "bvh", "dbvt"]) {
        let choice: Choice = name.parse().unwrap();
        let mut space = Space::<3>::with_broad_phase(choice.broad_phase());
        change(&mut space);
        for (mine, right) in ask(&space, 11).iter().zip(&right) {
            assert_eq!(mine, right, "{choice}");
        }
    }
}
