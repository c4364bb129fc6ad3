//! Queries through grids and trees against looking at every box.

use carom_broadphase::{Choice, Method, Space};
use carom_geometry::Aabb;
use carom_geometry::primitive::Plane;
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
    }
    answers
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
            let mut space = Space::<3>::with_finder(choice.finder());
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
