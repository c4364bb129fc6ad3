//! Boxes: fifteen axes in lanes, their contacts, many pairs at once.

use carom_core::simd::{SimdFloat, f32x4, f32x8};
use carom_geometry::shape::Cuboid;
use carom_geometry::{Pose, Rotation};
use carom_narrowphase::Manifold;
use carom_narrowphase::alternatives::box_batch::{BoxHit, Boxes, NO_AXIS, collide};
use carom_narrowphase::oracle::OracleShape;
use carom_narrowphase::oracle::depth::depth;
use carom_narrowphase::sat::box_contact::box_box_along;
use carom_narrowphase::sat::boxes::BoxPair;
use carom_narrowphase::sat::{SatCache, Tolerances, box_box};
use glam::Vec3;

use crate::cases::{Numbers, count};

/// Sizes from needles to cubes, sometimes equal, sometimes zero.
fn half(numbers: &mut Numbers) -> Vec3 {
    let mut size = || match numbers.below(8) {
        0 => 1.0,
        1 => 0.0,
        2 => 0.01,
        _ => numbers.between(0.2, 1.5) as f32,
    };
    Vec3::new(size(), size(), size())
}

#[test]
fn depths_are_those_of_the_oracle() {
    let mut numbers = Numbers(21);
    for _ in 0..count() / 2 {
        let [a, b] = [half(&mut numbers), half(&mut numbers)].map(|half| Cuboid::<f32> { half });
        let size = f64::from(a.half.length() + b.half.length()).max(0.1);
        let relative_pose = numbers.pose(size).to::<f32>();
        let found = BoxPair::new(a.half, b.half, &relative_pose).search(f32::MAX, 0.0);
        let truth = depth(&a.to::<f64>(), &b.to::<f64>(), &relative_pose.to::<f64>()).depth;
        let (tolerance, greatest) = (1e-5 * size, f64::from(found.greatest));
        assert!(found.greatest - found.separation <= 1e-5 * size as f32);
        if truth >= tolerance {
            assert!((greatest + truth).abs() <= tolerance, "{found:?} {truth} {a:?} {b:?} {relative_pose:?}");
        } else {
            assert!(
                greatest >= -tolerance && greatest <= tolerance - truth,
                "{found:?} {truth} {relative_pose:?}"
            );
        }
    }
}

#[test]
fn contact_points_are_on_both_boxes() {
    let mut numbers = Numbers(22);
    let mut fours = 0;
    for _ in 0..count() {
        let [a, b] = [half(&mut numbers), half(&mut numbers)].map(|half| Cuboid::<f32> { half });
        let size = (a.half.length() + b.half.length()).max(0.1);
        let relative_pose = numbers.pose(f64::from(size)).to::<f32>();
        let tolerances = Tolerances { speculative_distance: 0.02 * size, slop: 0.002 * size };
        let mut cache = SatCache::default();
        let manifold = box_box(&a, &b, &relative_pose, tolerances, &mut cache, &Manifold::default());
        let greatest = BoxPair::new(a.half, b.half, &relative_pose).search(f32::MAX, 0.0).greatest;
        if greatest > tolerances.speculative_distance {
            assert!(manifold.is_empty());
            continue;
        }
        let tolerance = 2e-5 * f64::from(size);
        let exact = relative_pose.to::<f64>();
        if greatest < -1e-5 * size {
            assert!(!manifold.is_empty(), "{a:?} {b:?} {relative_pose:?}");
            let error = manifold.deepest() - greatest;
            assert!(
                error.abs() <= tolerances.slop + 2e-5 * size,
                "{manifold:?} {greatest} {relative_pose:?}"
            );
        }
        fours += u32::from(manifold.points().len() == 4);
        for (k, point) in manifold.points().iter().enumerate() {
            let (on_a, on_b) = (point.on_a.as_dvec3(), point.on_b.as_dvec3());
            assert!(a.to::<f64>().excess(on_a) <= tolerance, "{a:?} {b:?} {manifold:?} {relative_pose:?}");
            assert!(b.to::<f64>().excess(on_b) <= tolerance, "{a:?} {b:?} {manifold:?} {relative_pose:?}");
            let gap = manifold.normal.as_dvec3().dot(exact.apply(on_b) - on_a);
            assert!((gap - f64::from(point.separation)).abs() <= tolerance);
            assert!(manifold.points()[..k].iter().all(|o| o.feature != point.feature), "{manifold:?}");
        }
        // Exchanged boxes give the mirrored contact.
        let mirrored = box_box(
            &b,
            &a,
            &relative_pose.inverse(),
            tolerances,
            &mut SatCache::default(),
            &Manifold::default(),
        );
        if greatest < -1e-5 * size {
            let difference = mirrored.deepest() - manifold.deepest();
            assert!(difference.abs() <= tolerances.slop + 2e-5 * size, "{manifold:?} {mirrored:?}");
        }
        // The same again from the cache.
        let again = box_box(&a, &b, &relative_pose, tolerances, &mut cache, &manifold);
        assert_eq!(again.points().len(), manifold.points().len());
    }
    assert!(fours > count() / 50, "{fours}");
}

#[test]
fn a_box_on_a_box_stands_on_its_corners() {
    let (table, cube) =
        (Cuboid::<f32> { half: Vec3::new(2.0, 0.5, 2.0) }, Cuboid::<f32> { half: Vec3::splat(0.5) });
    let mut before: Option<Manifold> = None;
    for step in 0..50 {
        let rotation = Rotation::about_axis(Vec3::Y, 0.01 * step as f32);
        let tilt = Rotation::from_rotation_vector(Vec3::new(1e-4, 0.0, -1e-4) * (step % 3) as f32);
        let relative_pose = Pose::new(Vec3::new(0.01 * step as f32, 0.999, 0.0), tilt * rotation);
        let manifold = box_box(
            &table,
            &cube,
            &relative_pose,
            Tolerances::default(),
            &mut SatCache::default(),
            &Manifold::default(),
        );
        assert_eq!((manifold.normal, manifold.points().len()), (Vec3::Y, 4));
        for point in manifold.points() {
            assert!((point.on_b.abs() - 0.5).abs().max_element() < 1e-6, "{manifold:?}");
        }
        if let Some(before) = before {
            let matches = manifold.match_points(&before, 0.0);
            assert_eq!(matches, [Some(0), Some(1), Some(2), Some(3)]);
        }
        before = Some(manifold);
    }
}

struct World {
    positions: Vec<Vec3>,
    rotations: Vec<Rotation>,
    half_extents: Vec<Vec3>,
    pairs: Vec<[u32; 2]>,
}

fn world(pairs: usize) -> World {
    let mut numbers = Numbers(23);
    let bodies = 50;
    let poses: Vec<Pose> = (0..bodies).map(|_| numbers.pose(2.0).to::<f32>()).collect();
    World {
        positions: poses.iter().map(|p| p.translation).collect(),
        rotations: poses.iter().map(|p| p.rotation).collect(),
        half_extents: (0..bodies).map(|_| half(&mut numbers)).collect(),
        pairs: (0..pairs).map(|_| [numbers.below(bodies) as u32, numbers.below(bodies) as u32]).collect(),
    }
}

fn hits<L: SimdFloat>(world: &World, axes: &mut [u8]) -> Vec<BoxHit> {
    let boxes =
        Boxes { positions: &world.positions, rotations: &world.rotations, half_extents: &world.half_extents };
    let mut hits = Vec::new();
    collide::<L>(&boxes, &world.pairs, axes, Tolerances::default(), &mut hits);
    hits
}

#[test]
fn every_width_finds_what_one_pair_at_a_time_finds() {
    for count in [0, 1, 3, 4, 5, 8, 13, 1000] {
        let world = world(count);
        let fresh = || vec![NO_AXIS; count];
        let (mut axes, mut axes_4, mut axes_8) = (fresh(), fresh(), fresh());
        let one = hits::<f32>(&world, &mut axes);
        let bits = |hits: &[BoxHit]| format!("{hits:?}");
        assert_eq!(bits(&one), bits(&hits::<f32x4>(&world, &mut axes_4)));
        assert_eq!(bits(&one), bits(&hits::<f32x8>(&world, &mut axes_8)));
        // With the axes known.
        assert_eq!(bits(&one), bits(&hits::<f32>(&world, &mut axes)));
        assert_eq!(bits(&one), bits(&hits::<f32x4>(&world, &mut axes_4)));
        assert_eq!(bits(&one), bits(&hits::<f32x8>(&world, &mut axes_8)));
        // And the search for a single pair.
        let mut next = one.iter();
        for (k, &[a, b]) in world.pairs.iter().enumerate() {
            let pose = |k: u32| Pose::new(world.positions[k as usize], world.rotations[k as usize]);
            let relative_pose = pose(a).relative(&pose(b));
            let half = |k: u32| Cuboid::<f32> { half: world.half_extents[k as usize] };
            let tolerances = Tolerances::default();
            let found = BoxPair::new(half(a).half, half(b).half, &relative_pose)
                .search(tolerances.speculative_distance, tolerances.slop);
            if found.greatest > tolerances.speculative_distance {
                continue;
            }
            let hit = next.next().unwrap();
            assert_eq!((hit.pair, hit.pose), (k as u32, relative_pose));
            assert_eq!((hit.code, hit.separation), (found.code as u32, found.separation));
            let manifold = box_box(
                &half(a),
                &half(b),
                &relative_pose,
                tolerances,
                &mut SatCache::default(),
                &Manifold::default(),
            );
            let along = box_box_along(
                &half(a),
                &half(b),
                &relative_pose,
                hit.code,
                hit.separation,
                tolerances,
                &Manifold::default(),
            );
            assert_eq!(manifold, along);
        }
        assert!(next.next().is_none());
    }
}

#[test]
fn pairs_of_boxes_that_are_not_there_are_left_out() {
    let mut world = world(20);
    world.pairs[7] = [3, 5000];
    let mut axes = vec![NO_AXIS; 20];
    assert!(hits::<f32x8>(&world, &mut axes).iter().all(|hit| hit.pair != 7));
}

#[test]
fn names_of_points_survive_tiny_motions() {
    let mut numbers = Numbers(24);
    let (mut contacts, mut same) = (0, 0);
    while contacts < count() / 5 {
        let [a, b] = [half(&mut numbers), half(&mut numbers)].map(|half| Cuboid::<f32> { half: half + 0.1 });
        // Not aligned: there the tiniest motion decides between features that are equally good.
        let relative_pose = Pose::new(numbers.vector(1.5), numbers.rotation()).to::<f32>();
        let tolerances = Tolerances::default();
        let mut cache = SatCache::default();
        let before = box_box(&a, &b, &relative_pose, tolerances, &mut cache, &Manifold::default());
        if before.is_empty() {
            continue;
        }
        contacts += 1;
        let rotation = Rotation::from_rotation_vector(numbers.vector(1e-5)).to::<f32>();
        let moved = Pose::new(
            relative_pose.translation + numbers.vector(1e-5).as_vec3(),
            rotation * relative_pose.rotation,
        );
        let after = box_box(&a, &b, &moved, tolerances, &mut cache, &before);
        let names = |manifold: &Manifold| {
            let mut names: Vec<_> = manifold.points().iter().map(|p| p.feature).collect();
            names.sort();
            names
        };
        same += u32::from(names(&before) == names(&after));
    }
    assert!(same >= contacts * 99 / 100, "{same} of {contacts}");
}

#[test]
fn a_flat_box_that_overlaps_by_a_corner_has_a_contact() {
    // Found by the random poses: the edge that looks at the first box lies outside of its face.
    let (a, b) = (Vec3::new(1.0576966, 1.1243731, 1.0394728), Vec3::new(0.0, 0.844314, 0.5383991));
    let [a, b] = [a, b].map(|half| Cuboid::<f32> { half });
    let rotation = Rotation { xyz: Vec3::new(-0.23008439, -0.6686006, -0.29804513), w: 0.6412516 };
    let relative_pose = Pose::new(Vec3::new(2.0129554, 1.3565428, 0.55178297), rotation);
    let manifold = box_box(
        &a,
        &b,
        &relative_pose,
        Tolerances::default(),
        &mut SatCache::default(),
        &Manifold::default(),
    );
    assert!(manifold.deepest() < 0.0);
}

#[test]
fn boxes_that_overlap_by_less_than_the_slop_have_a_contact() {
    // Found by the random poses: a face is preferred to the edges that touch, but there is nothing
    // above it.
    let (a, b) = (Vec3::new(0.44592375, 1.0, 0.58593816), Vec3::new(0.64545953, 1.0, 0.6887405));
    let [a, b] = [a, b].map(|half| Cuboid::<f32> { half });
    let rotation = Rotation { xyz: Vec3::new(-0.39106286, -0.7388404, 0.32868528), w: 0.43948916 };
    let relative_pose = Pose::new(Vec3::new(1.5554849, -0.26403067, -1.3956765), rotation);
    let size = a.half.length() + b.half.length();
    let tolerances = Tolerances { speculative_distance: 0.02 * size, slop: 0.002 * size };
    let manifold =
        box_box(&a, &b, &relative_pose, tolerances, &mut SatCache::default(), &Manifold::default());
    assert!(manifold.deepest() < 0.0);
}
