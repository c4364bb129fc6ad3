//! Scenes of some hundred boxes, at rest, with few and with many moving, against brute force.

use carom_broadphase::{Choice, Filter, Space};
use carom_geometry::Aabb;

use super::{METHODS, Random};
use crate::oracle::{Model, compare};

#[derive(Clone, Copy, Debug)]
pub(crate) enum Scene {
    /// Boxes of similar size, evenly spread.
    Even,
    /// Two dense clusters far from each other.
    Clusters,
    /// Sizes over ten octaves.
    Sizes,
    /// On a lattice, so that faces touch.
    Lattice,
    /// Flat on one axis, a floor below all, some without end.
    Floor,
}

pub(crate) const SCENES: [Scene; 5] =
    [Scene::Even, Scene::Clusters, Scene::Sizes, Scene::Lattice, Scene::Floor];

pub(crate) fn boxes<const D: usize>(scene: Scene, count: usize, random: &mut Random) -> Vec<Aabb<D>> {
    // About one neighbour per box.
    let mut edge = 1.0f32;
    while edge.powi(D as i32) < 4.0 * count as f32 {
        edge *= 1.1;
    }
    let mut boxes: Vec<Aabb<D>> = (0..count)
        .map(|i| {
            let mut min: [f32; D] = std::array::from_fn(|_| edge * random.unit());
            let mut size: [f32; D] = std::array::from_fn(|_| 1.0 + 0.7 * random.unit());
            match scene {
                Scene::Even => {}
                Scene::Clusters => min = min.map(|c| c * 0.3 + if i % 2 == 0 { 3e4 } else { -7e4 }),
                Scene::Sizes => size = size.map(|s| s * 0.02 * (1u32 << (i % 10)) as f32),
                Scene::Lattice => {
                    min = min.map(f32::floor);
                    size = size.map(|s| (2.0 * s).floor() - 1.0);
                }
                Scene::Floor => min[1] = 0.3 * random.unit(),
            }
            Aabb { min, max: std::array::from_fn(|k| min[k] + size[k]) }
        })
        .collect();
    if let Scene::Floor = scene {
        let mut floor = Aabb { min: [0.0; D], max: [edge; D] };
        (floor.min[1], floor.max[1]) = (-1.0, 0.1);
        let mut wall = Aabb { min: [f32::NEG_INFINITY; D], max: [f32::INFINITY; D] };
        wall.max[0] = 0.5;
        boxes.extend([floor, wall, Aabb::EVERYTHING]);
    }
    boxes
}

pub(crate) fn insert_all<const D: usize>(space: &mut Space<D>, boxes: &[Aabb<D>]) {
    for aabb in boxes {
        space.insert(*aabb).unwrap();
    }
}

fn shifted<const D: usize>(aabb: &Aabb<D>, reach: f32, random: &mut Random) -> Aabb<D> {
    // In quarters, so that boxes on a lattice stay there.
    let step: [f32; D] = std::array::from_fn(|_| (4.0 * reach * random.signed()).round() * 0.25);
    Aabb {
        min: std::array::from_fn(|k| aabb.min[k] + step[k]),
        max: std::array::from_fn(|k| aabb.max[k] + step[k]),
    }
}

fn run<const D: usize>(scene: Scene, choice: &Choice, threads: usize) -> carom_broadphase::Counters {
    let mut random = Random::new(7);
    let mut space = Space::<D>::with_broad_phase(choice.broad_phase());
    space.set_threads(threads);
    let mut model = Model::default();
    for (i, aabb) in boxes(scene, 400, &mut random).into_iter().enumerate() {
        let filter = if i % 5 == 0 { Filter::STATIC } else { Filter::default() };
        assert_eq!(space.insert_filtered(aabb, filter), Ok(i as u32));
        model.boxes.push(Some((aabb, filter)));
    }
    let mut before = Vec::new();
    // All new; all move; one in ten moves; one moves; nobody.
    for one_in in [0, 1, 10, 10, 1, 400, usize::MAX, 3] {
        for id in 0..model.boxes.len() {
            if one_in > 0 && id % one_in == one_in / 2 {
                let (aabb, _) = model.boxes[id].as_mut().unwrap();
                *aabb = shifted(aabb, 1.5, &mut random);
                space.set_box(id as u32, aabb).unwrap();
            }
        }
        compare(choice, &mut space, &model, &model.pairs(0.0), &mut before).unwrap();
    }
    assert!(before.len() > 50, "{choice}: {scene:?} has only {} pairs", before.len());
    space.counters()
}

#[test]
fn scenes_have_the_pairs_of_brute_force_on_any_number_of_threads() {
    for name in METHODS {
        let choice: Choice = name.parse().unwrap();
        for scene in SCENES {
            let counters = run::<3>(scene, &choice, 1);
            assert_eq!(counters, run::<3>(scene, &choice, 3), "{choice}, {scene:?}");
            run::<2>(scene, &choice, 2);
        }
    }
}

#[test]
fn work_grows_with_the_boxes_and_not_with_their_square() {
    for name in METHODS.into_iter().filter(|name| !name.contains('?')) {
        let choice: Choice = name.parse().unwrap();
        // Two clusters are two cells of a uniform grid between them, and where sizes differ a
        // hundredfold its cells are those of the large; volumes of a BSP tree are as large as the
        // largest box in them. Other methods are for that.
        let scenes: &[Scene] = match name {
            "grid" => &[Scene::Even],
            "hash-grid" | "bsp" => &[Scene::Even, Scene::Clusters],
            _ => &[Scene::Even, Scene::Clusters, Scene::Sizes],
        };
        for &scene in scenes {
            let tests = |count: usize| {
                let mut space = Space::<3>::with_broad_phase(choice.broad_phase());
                for aabb in boxes(scene, count, &mut Random::new(3)) {
                    space.insert(aabb).unwrap();
                }
                let pairs = space.update().len() as f64;
                let counters = space.counters();
                ((counters.box_tests + counters.node_visits) as f64 / count as f64, pairs / count as f64)
            };
            let ((few, _), (many, pairs)) = (tests(1000), tests(16_000));
            let allowed = 4.0 * few + 10.0 * pairs + 20.0;
            assert!(many < allowed, "{choice}, {scene:?}: {few} and {many} tests per box, {pairs} pairs");
        }
    }
}
