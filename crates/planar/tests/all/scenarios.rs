//! Proofs that the test scenes have the outcomes the study states.

use carom_planar::scenarios::{direct_cases, equidistribution, incremental, random, three_objects};
use carom_planar::vector::distance;
use carom_planar::{PlanarScene, Polygon, Rectangle};

use crate::kinetic_oracle::{Ratio, events};

fn box_of(scene: &PlanarScene, object: usize, time: f64) -> Rectangle {
    scene.objects[object].aabb_at(time).unwrap()
}

#[test]
fn direct_cases_have_overlapping_boxes_and_the_stated_contact() {
    let contact = [true, false, true, false];
    let vertices = [[4, 6], [3, 4], [8, 12], [4, 4]];
    for (i, scene) in direct_cases().iter().enumerate() {
        assert_eq!(scene.name, format!("TestSPDirecto-{}", i + 1));
        let [a, b] = [0, 1].map(|object| scene.objects[object].polygon_at(0.0));
        assert_eq!([a.vertices.len(), b.vertices.len()], vertices[i], "{}", scene.name);
        assert!(box_of(scene, 0, 0.0).overlaps(&box_of(scene, 1, 0.0)), "{}", scene.name);
        assert_eq!(a.touches(&b), contact[i], "{}", scene.name);
        assert_eq!(box_of(scene, 0, 1.0), box_of(scene, 0, 0.0), "the pair rests");
    }
}

#[test]
fn the_arrowhead_is_not_convex_and_its_hull_meets_the_rectangle() {
    let [_, _, _, scene] = direct_cases();
    let [arrow, rectangle] = [0, 1].map(|object| scene.objects[object].polygon_at(0.0));
    assert!(!arrow.is_convex());
    let hull = Polygon::new(arrow.vertices.iter().copied().filter(|v| *v != [0.0, -0.5]).collect());
    assert!(hull.is_convex() && hull.touches(&rectangle));
}

#[test]
fn rhombi_share_their_centre_and_swap_their_order() {
    let scene = incremental(9).unwrap();
    assert_eq!((scene.time, scene.frames_per_second, scene.objects.len()), ([0.0, 1.0], 10, 9));
    for (i, object) in scene.objects.iter().enumerate() {
        let bounds = object.aabb_at(0.0).unwrap();
        assert_eq!(bounds.min[0], -bounds.max[0]);
        assert_eq!(object.velocity, [if i % 2 == 0 { 1.0 } else { -1.0 }, 0.0]);
    }
    let events = events(&scene);
    assert!(events.iter().all(|e| e.axis == 0), "nothing moves along y");
    assert!(events.len() >= 8, "neighbours overtake each other: {}", events.len());
}

#[test]
fn equidistributed_triangles_never_leave_their_cells() {
    for (side, seed) in [(1, 1), (2, 7), (10, 3), (30, 99)] {
        let scene = equidistribution(side, seed).unwrap();
        assert_eq!(scene.objects.len(), side * side);
        for (i, object) in scene.objects.iter().enumerate() {
            // Motion is straight and cells are convex: in at both ends means in all the time.
            for time in scene.time {
                let bounds = object.aabb_at(time).unwrap();
                for (axis, cell) in [i % side, i / side].into_iter().enumerate() {
                    assert!(cell as f64 + 0.04 < bounds.min[axis] && bounds.max[axis] < cell as f64 + 0.96);
                }
            }
            assert_eq!(object.vertices.len(), 3);
            let speed = distance(object.velocity, [0.0; 2]);
            assert!((speed - 0.2).abs() < 1e-15);
        }
    }
    assert_eq!(equidistribution(5, 1).unwrap(), equidistribution(5, 1).unwrap());
}

#[test]
fn three_objects_have_seventeen_events_one_of_them_multiple() {
    let scene = three_objects();
    let convex: Vec<bool> = scene.objects.iter().map(|o| o.polygon_at(0.0).is_convex()).collect();
    assert_eq!(convex, [true, false, true]);
    assert_eq!(scene.scene_area(), 400.0);
    for object in 0..3 {
        let bounds = box_of(&scene, object, 0.0);
        assert!(bounds.min.iter().all(|&x| x >= -10.0) && bounds.max.iter().all(|&x| x <= 10.0));
    }
    let events = events(&scene);
    assert_eq!(events.len(), 17);
    let multiple: Vec<_> = events.iter().filter(|e| e.is_multiple()).collect();
    assert_eq!(multiple.len(), 1);
    assert_eq!((multiple[0].time, multiple[0].axis), (Ratio::new(2, 1), 0));
    assert_eq!(multiple[0].objects(), [0, 1, 2]);
    let last = &events[16];
    assert_eq!((last.time, last.objects()), (Ratio::new(6, 1), vec![1, 2]));
}

/// The study shows events between 1 and 2, then between 8/3 and 11/2. No two of ours fall together,
/// so that every method must find them in one order.
#[test]
fn three_objects_have_their_events_at_distinct_times_of_the_stated_ranges() {
    let times: Vec<Ratio> = events(&three_objects()).iter().map(|e| e.time).collect();
    assert!(times.windows(2).all(|pair| pair[0] < pair[1]), "{times:?}");
    assert_eq!(times.iter().filter(|t| **t >= Ratio::new(1, 1) && **t < Ratio::new(2, 1)).count(), 4);
    assert!(times[5..16].iter().all(|t| Ratio::new(8, 3) < *t && *t < Ratio::new(11, 2)), "{times:?}");
}

#[test]
fn objects_one_and_two_overlap_exactly_between_the_multiple_and_the_last_event() {
    let scene = three_objects();
    let overlap = |t: f64| box_of(&scene, 1, t).overlaps(&box_of(&scene, 2, t));
    assert!(!overlap(1.99) && overlap(2.01) && overlap(5.99) && !overlap(6.01));
}

#[test]
fn the_benchmark_grid_can_be_generated() {
    for count in [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000] {
        for occupancy in [0.01, 0.02, 0.05, 0.10] {
            let scene = random(count, occupancy, count as u64).unwrap();
            assert_eq!((scene.objects.len(), scene.time, scene.frames_per_second), (count, [0.0, 1.0], 1000));
            assert!((scene.density() - occupancy).abs() <= 1e-9 * occupancy);
        }
    }
}

#[test]
fn sizes_beyond_every_scene_are_refused() {
    assert!(incremental(usize::MAX).is_err());
    assert!(equidistribution(usize::MAX, 1).is_err());
    assert!(equidistribution(10_000, 1).is_err());
}
