//! Boxes that only move cost no memory.

use carom_broadphase::{Choice, Space};
use carom_geometry::Aabb;

use super::scenes::{Scene, boxes, insert_all};
use super::{METHODS, Random};

#[test]
fn updates_allocate_nothing_once_the_buffers_have_grown() {
    for name in METHODS {
        let choice: Choice = name.parse().unwrap();
        let mut random = Random::new(2);
        let start = boxes::<3>(Scene::Even, 600, &mut random);
        let mut space = Space::<3>::with_broad_phase(choice.broad_phase());
        insert_all(&mut space, &start);
        // Positions come round, so that what was enough once is enough again.
        let mut frames = Vec::new();
        for _ in 0..6 {
            let step: [f32; 3] = std::array::from_fn(|_| random.signed());
            let moved = |(i, aabb): (usize, &Aabb<3>)| {
                let reach = if i % 3 == 0 { 1.0 } else { -0.7 };
                Aabb::new(
                    std::array::from_fn(|k| aabb.min[k] + reach * step[k]),
                    std::array::from_fn(|k| aabb.max[k] + reach * step[k]),
                )
            };
            frames.push(start.iter().enumerate().map(moved).collect::<Vec<_>>());
        }
        let mut pairs = 0;
        let mut round = |space: &mut Space<3>| {
            for frame in &frames {
                space.set_boxes(frame).unwrap();
                pairs += space.update().len();
                // And with few moving.
                space.set_box(5, &frame[6]).unwrap();
                pairs += space.update().len();
            }
        };
        (0..5).for_each(|_| round(&mut space));
        let measured = allocation_counter::measure(|| round(&mut space));
        assert_eq!(measured.count_total, 0, "{choice}");
        assert!(pairs > 1000, "{choice}: {pairs} pairs");
    }
}
