//! Bounding volumes: axis-aligned and oriented boxes, spheres, arrays of boxes beside the bare
//! reading of memory.

use carom_geometry::bounds::{Aabb, AabbArray, BoundingSphere, Obb, ObbArray, RaySlabs};
use carom_geometry::primitive::Ray;
use glam::Vec3;
use parry3d::bounding_volume::details::{local_point_cloud_aabb, point_cloud_bounding_sphere};
use parry3d::bounding_volume::{Aabb as TheirAabb, BoundingSphere as TheirSphere, BoundingVolume};
use parry3d::query::RayCast;

use crate::table::{Random, Table, pose, theirs};

pub(crate) fn rows(table: &mut Table) {
    table.heading("bounding volumes");
    aabb_pairs(table);
    sphere_pairs(table);
    clouds(table);
    rays(table);
    obb_pairs(table);
    arrays(table);
}

fn random_box(random: &mut Random, reach: f32) -> Aabb<3> {
    let half = Vec3::new(random.between(0.2, 1.0), random.between(0.2, 1.0), random.between(0.2, 1.0));
    Aabb::around(random.vector(reach), half)
}

fn their_box(aabb: &Aabb<3>) -> TheirAabb {
    TheirAabb::new(theirs(aabb.low()), theirs(aabb.high()))
}

fn aabb_pairs(table: &mut Table) {
    let mut random = Random::new(11);
    let boxes: Vec<_> = (0..1024).map(|_| random_box(&mut random, 2.0)).collect();
    let their_boxes: Vec<_> = boxes.iter().map(their_box).collect();
    let pairs: Vec<_> = (0..4096).map(|_| random_pair(&mut random, 1024)).collect();
    let ours = || pairs.iter().filter(|(a, b)| boxes[*a as usize].overlaps(&boxes[*b as usize])).count();
    let parrys = || {
        pairs.iter().filter(|(a, b)| their_boxes[*a as usize].intersects(&their_boxes[*b as usize])).count()
    };
    assert_eq!(ours(), parrys());
    table.row("AABB pairs: overlap", pairs.len(), ours, parrys);
}

fn sphere_pairs(table: &mut Table) {
    let mut random = Random::new(15);
    let spheres: Vec<BoundingSphere> =
        (0..1024).map(|_| BoundingSphere::new(random.vector(2.0), random.between(0.2, 1.5))).collect();
    let parrys: Vec<_> = spheres.iter().map(|s| TheirSphere::new(theirs(s.centre), s.radius)).collect();
    let pairs: Vec<_> = (0..4096).map(|_| random_pair(&mut random, 1024)).collect();
    let ours = || pairs.iter().filter(|(a, b)| spheres[*a as usize].overlaps(&spheres[*b as usize])).count();
    let theirs =
        || pairs.iter().filter(|(a, b)| parrys[*a as usize].intersects(&parrys[*b as usize])).count();
    assert_eq!(ours(), theirs());
    table.row("sphere pairs: overlap", pairs.len(), ours, theirs);
    let ours = || spheres.windows(2).map(|s| s[0].union(&s[1]).radius).sum::<f32>();
    let theirs = || parrys.windows(2).map(|s| s[0].merged(&s[1]).radius).sum::<f32>();
    table.row("sphere pairs: union", spheres.len() - 1, ours, theirs);
}

fn clouds(table: &mut Table) {
    let mut random = Random::new(16);
    let points: Vec<_> = (0..10_000).map(|_| random.vector(3.0)).collect();
    let parrys: Vec<_> = points.iter().map(|p| theirs(*p)).collect();
    let count = points.len();
    table.row(
        "AABB of 10 000 points",
        count,
        || Aabb::<3, f32>::of_points(points.iter().copied()),
        || local_point_cloud_aabb(parrys.iter().copied()),
    );
    // Theirs is around the mean of the points: one pass and another one. The limits of the tighter
    // ones are ours.
    let of_mean = || point_cloud_bounding_sphere(&parrys);
    table.row(
        "sphere of 10 000 points: box centre",
        count,
        || BoundingSphere::<f32>::around_box_centre(&points),
        of_mean,
    );
    table.row_with_limit(
        "sphere of 10 000 points: Ritter",
        count,
        4.0,
        || BoundingSphere::<f32>::ritter(&points),
        of_mean,
    );
    table.row_with_limit(
        "sphere of 10 000 points: the smallest",
        count,
        10.0,
        || BoundingSphere::<f32>::smallest(&points),
        of_mean,
    );
}

pub(crate) fn random_pair(random: &mut Random, count: u32) -> (u32, u32) {
    let mut pick = || (random.unit() * count as f32) as u32 % count;
    (pick(), pick())
}

fn rays(table: &mut Table) {
    let mut random = Random::new(12);
    let boxes: Vec<_> = (0..1024).map(|_| random_box(&mut random, 5.0)).collect();
    let their_boxes: Vec<_> = boxes.iter().map(their_box).collect();
    let rays: Vec<_> = (0..16).map(|_| Ray::new(random.vector(8.0), random.vector(1.0))).collect();
    let their_rays: Vec<_> =
        rays.iter().map(|r| parry3d::query::Ray::new(theirs(r.origin), theirs(r.direction))).collect();
    let ours = || {
        let mut sum = 0.0;
        for ray in &rays {
            let slabs = RaySlabs::new(ray);
            sum += boxes.iter().filter_map(|b| slabs.interval(b, 100.0)).map(|i| i.enter).sum::<f32>();
        }
        sum
    };
    let parrys = || {
        let mut sum = 0.0;
        for ray in &their_rays {
            sum += their_boxes.iter().filter_map(|b| b.cast_local_ray(ray, 100.0, true)).sum::<f32>();
        }
        sum
    };
    assert!((ours() - parrys()).abs() < 1e-2 * ours());
    table.row("AABB ray: one ray, many boxes", 1024 * 16, ours, parrys);
}

/// Pairs of turned boxes as a broad phase hands them over, in two mixes, and any pairs of a scene,
/// as brute force tests them (what the Fingsics thesis measured: 25 ns against 12); the measure is
/// a scalar test of two AABBs.
fn obb_pairs(table: &mut Table) {
    let mixes = [
        ("half overlapping", 2.3, true),
        ("a tenth overlapping", 3.6, false),
        ("any of a scene", 20.0, false),
    ];
    for (name, reach, aabbs_overlap) in mixes {
        let mut random = Random::new(14);
        let mut boxes = Vec::new();
        let (mut shapes, mut poses) = (Vec::new(), Vec::new());
        for _ in 0..2000 {
            let half =
                Vec3::new(random.between(0.2, 1.5), random.between(0.2, 1.0), random.between(0.2, 1.0));
            let (ours, parrys) = pose(&mut random, reach);
            boxes.push(Obb::of_pose(&ours, half));
            shapes.push(parry3d::shape::Cuboid::new(theirs(half)));
            poses.push(parrys);
        }
        let aabbs: Vec<_> = boxes.iter().map(Obb::aabb).collect();
        let mut pairs = Vec::new();
        while pairs.len() < 4096 {
            let (a, b) = random_pair(&mut random, 2000);
            if a != b && (!aabbs_overlap || aabbs[a as usize].overlaps(&aabbs[b as usize])) {
                pairs.push((a, b));
            }
        }
        let array: ObbArray = boxes.iter().collect();
        let of_aabb =
            || pairs.iter().filter(|(a, b)| aabbs[*a as usize].overlaps(&aabbs[*b as usize])).count();
        let scalar =
            || pairs.iter().filter(|(a, b)| boxes[*a as usize].overlaps(&boxes[*b as usize])).count();
        let mut mask = Vec::new();
        let mut batched = || {
            array.overlap_pairs(&array, &pairs, &mut mask);
            mask.iter().map(|word| word.count_ones() as usize).sum::<usize>()
        };
        let parrys = || {
            let overlap = |(a, b): &&(u32, u32)| {
                let (a, b) = (*a as usize, *b as usize);
                parry3d::query::intersection_test(&poses[a], &shapes[a], &poses[b], &shapes[b])
                    == Ok(true.into())
            };
            pairs.iter().filter(overlap).count()
        };
        assert_eq!(scalar(), batched());
        let different = scalar().abs_diff(parrys());
        println!(
            "    {name}: {:.1} % overlap, {different} pairs judged differently by parry3d",
            scalar() as f64 / 40.96
        );
        let count = pairs.len();
        table.row(&format!("OBB pairs, {name}: against parry3d"), count, scalar, parrys);
        table.row(&format!("OBB pairs, {name}: four at once"), count, &mut batched, parrys);
        table.row_with_limit(&format!("OBB pairs, {name}: to AABB pairs"), count, 2.0, scalar, of_aabb);
        table.row_with_limit(
            &format!("OBB pairs, {name}: four at once to AABB"),
            count,
            2.0,
            batched,
            of_aabb,
        );
    }
}

/// One box against arrays that fit the first cache, the second cache and neither.
fn arrays(table: &mut Table) {
    for count in [1_000, 30_000, 4_000_000] {
        let mut random = Random::new(13);
        let boxes: Vec<_> = (0..count).map(|_| random_box(&mut random, 20.0)).collect();
        let their_boxes: Vec<_> = boxes.iter().map(their_box).collect();
        let array: AabbArray<3> = boxes.iter().copied().collect();
        // As many numbers as the array holds: what reading them takes at least.
        let numbers: Vec<[f32; 16]> = vec![[1.0; 16]; count * 6 / 16];
        let query = Aabb::new([-1.0; 3], [2.0, 1.0, 1.5]);
        let their_query = their_box(&query);
        let mut found = Vec::new();
        let mut mask = Vec::new();
        let right = their_boxes.iter().filter(|b| their_query.intersects(b)).count();
        assert_eq!(array.count_overlapping(&query), right);
        let parrys = || their_boxes.iter().filter(|b| their_query.intersects(b)).count();
        table.row(
            &format!("AABB array: {count} boxes, against one by one"),
            count,
            || {
                array.overlapping(&query, &mut found);
                found.len()
            },
            parrys,
        );
        table.row_with_limit(
            &format!("AABB array: {count} boxes, against summing them"),
            count,
            1.5,
            || {
                array.overlap_mask(&query, &mut mask);
                mask.last().copied()
            },
            || sum(&numbers),
        );
        report_bandwidth(
            count,
            || {
                array.overlap_mask(&query, &mut mask);
            },
            || {
                std::hint::black_box(sum(&numbers));
            },
        );
    }
}

/// Sixteen sums at once, so that the additions do not wait for each other.
fn sum(numbers: &[[f32; 16]]) -> f32 {
    let mut sums = [0.0f32; 16];
    for line in numbers {
        for (s, n) in sums.iter_mut().zip(line) {
            *s += n;
        }
    }
    sums.iter().sum()
}

/// The same as rates, best of several: what the row above means in bytes.
fn report_bandwidth(count: usize, mut test: impl FnMut(), mut read: impl FnMut()) {
    let mut words = std::env::args().skip(1).filter(|a| !a.starts_with("--")).peekable();
    if words.peek().is_some() && !words.any(|word| "AABB array".contains(&word)) {
        return;
    }
    let calls = (8_000_000 / count).max(1);
    let bytes = (count * 24 * calls) as f64;
    let mut best = [f64::MAX; 2];
    for _ in 0..15 {
        let start = std::time::Instant::now();
        (0..calls).for_each(|_| test());
        best[0] = best[0].min(start.elapsed().as_secs_f64());
        let start = std::time::Instant::now();
        (0..calls).for_each(|_| read());
        best[1] = best[1].min(start.elapsed().as_secs_f64());
    }
    let [test, read] = best.map(|seconds| bytes / seconds / 1e9);
    println!("    {count} boxes: {test:.1} GB/s tested, {read:.1} GB/s summed");
}
