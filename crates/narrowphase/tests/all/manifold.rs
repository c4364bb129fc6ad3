//! Contact points from support features, their reduction, matching and recycling.

use carom_geometry::shape::{Capsule, Cone, Cuboid, Cylinder, Sphere, Tile};
use carom_geometry::{Polytope, Pose, Rotation};
use carom_narrowphase::manifold::{Part, PoseRecord, contact, contact_of, reduce};
use carom_narrowphase::oracle::OracleShape;
use carom_narrowphase::sat::{self, SatCache, Tolerances, box_box};
use carom_narrowphase::{
    Convex, FeatureId, Manifold, ManifoldPoint, Proximity, SupportFeature, SupportFeatureMap, gjk,
};
use glam::{DVec2, DVec3, Vec3};

use crate::cases::{Numbers, count};

/// The contact of two shapes that look at each other along y, with closest points that are given.
fn contact_along_y<A: SupportFeatureMap, B: SupportFeatureMap>(
    a: &A,
    b: &B,
    relative_pose: &Pose,
    distance: f32,
    on_a: Vec3,
    speculative_distance: f32,
) -> Manifold {
    let (mut feature_a, mut feature_b) = (SupportFeature::default(), SupportFeature::default());
    a.support_feature(Vec3::Y, &mut feature_a);
    b.support_feature(relative_pose.rotation.rotate_back(-Vec3::Y), &mut feature_b);
    feature_b.pose(relative_pose);
    let proximity = Proximity { distance, normal: Vec3::Y, on_a, on_b: on_a + Vec3::Y * distance };
    contact(
        feature_a.view(),
        feature_b.view(),
        &proximity,
        relative_pose,
        speculative_distance,
        &Manifold::default(),
    )
}

#[test]
fn shapes_of_all_kinds_lie_on_a_table() {
    let table = Cuboid::<f32> { half: Vec3::new(2.0, 0.5, 2.0) };
    let speculative_distance = 0.02;
    let upright = Rotation::about_axis(Vec3::X, -std::f32::consts::FRAC_PI_2);
    let at = |height: f32, rotation| Pose::new(Vec3::new(0.25, 0.5 + height, 0.0), rotation);
    let lying = Rotation::IDENTITY;
    let below = Vec3::new(0.25, 0.5, 0.0);
    let number = |manifold: &Manifold| {
        assert!((manifold.deepest() - 0.001).abs() < 1e-5, "{manifold:?}");
        manifold.points().len()
    };
    let gap = 0.001;
    let sphere = Sphere::<f32> { radius: 0.5 };
    assert_eq!(
        number(&contact_along_y(&table, &sphere, &at(0.5 + gap, lying), gap, below, speculative_distance)),
        1
    );
    let capsule = Capsule::along_z(0.5f32, 0.25).unwrap();
    let manifold =
        contact_along_y(&table, &capsule, &at(0.25 + gap, lying), gap, below, speculative_distance);
    assert_eq!(number(&manifold), 2);
    assert!(manifold.points().iter().all(|p| (p.on_b.y + 0.25).abs() < 1e-6 && p.on_b.z.abs() == 0.5));
    let cylinder = Cylinder::<f32> { half_length: 1.0, radius: 0.5 };
    assert_eq!(
        number(&contact_along_y(&table, &cylinder, &at(0.5 + gap, lying), gap, below, speculative_distance)),
        2
    );
    let standing =
        contact_along_y(&table, &cylinder, &at(1.0 + gap, upright), gap, below, speculative_distance);
    assert_eq!(number(&standing), 4);
    let cone = Cone::<f32> { half_length: 1.0, radius: 0.5 };
    assert_eq!(
        number(&contact_along_y(&table, &cone, &at(1.0 + gap, upright), gap, below, speculative_distance)),
        4
    );
    let tile = Tile::<f32> { half_x: 0.5, half_z: 0.25 };
    assert_eq!(number(&contact_along_y(&table, &tile, &at(gap, lying), gap, below, speculative_distance)), 4);
    let prism = Polytope::<f32>::prism(64, 1.0, 0.5).unwrap();
    let height = -prism.points().iter().fold(0.0f32, |low, p| low.min(p.y));
    assert_eq!(
        number(&contact_along_y(&table, &prism, &at(height + gap, lying), gap, below, speculative_distance)),
        4
    );
    // Farther than the speculative distance.
    assert!(contact_along_y(&table, &sphere, &at(0.6, lying), 0.1, below, speculative_distance).is_empty());
    // Two capsules side by side touch in two points, crossed in one.
    let across = Rotation::about_axis(Vec3::Y, 1.0);
    for (rotation, points) in [(lying, 2), (across, 1)] {
        let relative_pose = Pose::new(Vec3::new(0.0, 0.5 + gap, 0.0), rotation);
        let manifold =
            contact_along_y(&capsule, &capsule, &relative_pose, gap, Vec3::Y * 0.25, speculative_distance);
        assert_eq!(number(&manifold), points);
    }
}

#[test]
fn a_tilted_cylinder_keeps_its_lowest_point() {
    // The octagon of its end misses the rim between two corners.
    let table = Cuboid::<f32> { half: Vec3::new(2.0, 0.5, 2.0) };
    let cylinder = Cylinder::<f32> { half_length: 1.0, radius: 0.5 };
    let spin = Rotation::about_axis(Vec3::Z, std::f32::consts::PI / 8.0);
    let lean = Rotation::about_axis(Vec3::X, -std::f32::consts::FRAC_PI_2 + 0.2) * spin;
    let lowest = lean.rotate(carom_geometry::shape::Support::support(&cylinder, lean.rotate_back(-Vec3::Y)));
    let relative_pose = Pose::new(Vec3::new(0.0, 0.5 - lowest.y - 0.003, 0.0), lean);
    let on_b = relative_pose.translation + lowest;
    let manifold = contact_along_y(&table, &cylinder, &relative_pose, -0.003, on_b + Vec3::Y * 0.003, 0.02);
    assert_eq!(manifold.deepest(), -0.003);
    assert!(manifold.points().iter().any(|p| p.feature == FeatureId::CLOSEST));
    for point in manifold.points() {
        assert!(cylinder.to::<f64>().excess(point.on_b.as_dvec3()) < 1e-5);
    }
}

fn points_of(numbers: &mut Numbers, count: u64) -> Vec<ManifoldPoint> {
    // On an ellipse: every point is a corner of the hull, as after clipping; a slope makes one the
    // deepest.
    let (wide, slope) = (numbers.between(0.1, 3.0), numbers.vector(0.01));
    (0..count)
        .map(|k| {
            let angle = std::f64::consts::TAU * (k as f64 + numbers.between(0.0, 0.9)) / count as f64;
            let (x, z) = (angle.cos() * wide, angle.sin());
            ManifoldPoint {
                on_a: Vec3::new(x as f32, 0.0, z as f32),
                separation: (x * slope.x + z * slope.z) as f32,
                feature: FeatureId::new(Part::Vertex(k as u16), Part::Face(0)),
                ..ManifoldPoint::default()
            }
        })
        .collect()
}

/// Area of the hull of four corners of a convex polygon, in order of their numbers.
fn area(points: &[ManifoldPoint], indices: &[usize]) -> f64 {
    let at = |k: usize| DVec2::new(f64::from(points[k].on_a.x), f64::from(points[k].on_a.z));
    let origin = at(indices[0]);
    let twice: f64 = indices.windows(2).map(|w| (at(w[0]) - origin).perp_dot(at(w[1]) - origin)).sum();
    twice.abs() / 2.0
}

/// The largest area of four points of which one is given.
fn best_area_with(points: &[ManifoldPoint], with: usize) -> f64 {
    let n = points.len();
    let mut best = 0.0f64;
    for a in 0..n {
        for b in a + 1..n {
            for c in b + 1..n {
                for d in c + 1..n {
                    if [a, b, c, d].contains(&with) {
                        best = best.max(area(points, &[a, b, c, d]));
                    }
                }
            }
        }
    }
    best
}

#[test]
fn reduction_keeps_the_deepest_point_and_the_largest_area() {
    let mut numbers = Numbers(31);
    for round in 0..count() / 20 {
        let points = points_of(&mut numbers, 5 + u64::from(round % 12));
        let chosen = reduce(&points, Vec3::Y, &[]);
        let indices: Vec<usize> = chosen.indices().iter().map(|&k| usize::from(k)).collect();
        assert_eq!(indices.len(), 4);
        let least = points.iter().map(|p| p.separation).fold(f32::INFINITY, f32::min);
        let kept = area(&points, &indices);
        // One that is as deep as the deepest but for rounding, with the largest area of all four
        // with it.
        let is_best = |d: &usize| {
            points[*d].separation <= least + 1e-4 && kept >= best_area_with(&points, *d) * (1.0 - 1e-5)
        };
        assert!(indices.iter().any(is_best));
    }
}

#[test]
fn chosen_points_stay_while_they_are_good() {
    let mut numbers = Numbers(32);
    let mut stayed = 0;
    for _ in 0..count() / 20 {
        let points = points_of(&mut numbers, 12);
        let before = reduce(&points, Vec3::Y, &[]);
        let ids: Vec<FeatureId> = before.indices().iter().map(|&k| points[usize::from(k)].feature).collect();
        // Noise that would make other points slightly better or deeper.
        let mut moved = points.clone();
        for point in &mut moved {
            point.on_a += numbers.vector(0.01).as_vec3();
            point.separation += numbers.between(-1e-4, 1e-4) as f32;
        }
        let after = reduce(&moved, Vec3::Y, &ids);
        stayed += u32::from(after == before);
        let indices: Vec<usize> = after.indices().iter().map(|&k| usize::from(k)).collect();
        let deepest = moved.iter().fold(f32::INFINITY, |s, p| s.min(p.separation));
        let kept = indices.iter().fold(f32::INFINITY, |s, &k| s.min(moved[k].separation));
        assert!(kept <= deepest + 0.01);
    }
    assert!(stayed > count() / 20 * 9 / 10, "{stayed}");
}

#[test]
fn points_without_area_are_reduced_to_the_ends() {
    let on_a = |x: f32| ManifoldPoint { on_a: Vec3::X * x, separation: x.abs(), ..ManifoldPoint::default() };
    let line: Vec<ManifoldPoint> = [-2.0, -1.0, 0.0, 1.0, 3.0].map(on_a).to_vec();
    assert_eq!(reduce(&line, Vec3::Y, &[]).indices(), [0, 2, 4]);
    let same = vec![on_a(1.0); 9];
    assert_eq!(reduce(&same, Vec3::Y, &[]).indices(), [0]);
    assert!(reduce(&[], Vec3::Y, &[]).indices().is_empty());
}

#[test]
fn points_are_matched_by_name_then_by_place() {
    let point = |name: u16, x: f32| ManifoldPoint {
        on_a: Vec3::X * x,
        feature: FeatureId::new(Part::Vertex(name), Part::Face(0)),
        ..ManifoldPoint::default()
    };
    let of = |points: &[ManifoldPoint]| {
        let mut manifold = Manifold::new(Vec3::Y);
        points.iter().for_each(|&p| assert!(manifold.push(p)));
        manifold
    };
    let far = |mut p: ManifoldPoint| {
        p.on_b = p.on_a * 10.0;
        p
    };
    let old = of(&[far(point(1, 0.0)), far(point(2, 1.0)), far(point(3, 2.0))]);
    let new = of(&[far(point(3, 0.0)), far(point(9, 1.01)), far(point(8, 1.02)), far(point(1, 5.0))]);
    // Names first, even far away; then the nearest that is left, once only.
    assert_eq!(new.match_points(&old, 0.1), [Some(2), Some(1), None, Some(0)]);
    assert_eq!(new.match_points(&old, 0.001), [Some(2), None, None, Some(0)]);
    let closest = |x: f32| ManifoldPoint { feature: FeatureId::CLOSEST, ..far(point(0, x)) };
    assert_eq!(of(&[closest(3.0)]).match_points(&of(&[closest(0.0)]), 0.5), [None; 4]);
}

#[test]
fn recycled_separations_are_those_of_new_contacts() {
    let mut numbers = Numbers(33);
    let (table, cube) = (Cuboid { half: Vec3::new(2.0, 0.5, 2.0) }, Cuboid::<f32> { half: Vec3::splat(0.5) });
    let extent = cube.half.length();
    let tolerances = Tolerances::default();
    let mut kept = 0;
    for _ in 0..count() / 2 {
        let yaw = Rotation::about_axis(Vec3::Y, numbers.between(0.0, 6.0) as f32);
        let resting = Pose::new(Vec3::new(numbers.between(-1.0, 1.0) as f32, 0.998, 0.3), yaw);
        let full =
            box_box(&table, &cube, &resting, tolerances, &mut SatCache::default(), &Manifold::default());
        let record = PoseRecord::new(&resting);
        let scale = 10f64.powf(numbers.between(-5.0, -1.0));
        let rotation = Rotation::from_rotation_vector(numbers.vector(scale)).to::<f32>();
        let relative_pose =
            Pose::new(resting.translation + numbers.vector(scale).as_vec3(), rotation * resting.rotation);
        // The bound holds for every corner.
        let motion = record.motion(&relative_pose, extent);
        for corner in 0..8 {
            let sign = |bit: u32| if corner >> bit & 1 == 1 { 0.5 } else { -0.5 };
            let corner = Vec3::new(sign(0), sign(1), sign(2));
            assert!((relative_pose.apply(corner) - resting.apply(corner)).length() <= motion * 1.0001 + 1e-6);
        }
        let tolerance = 0.01;
        if motion > tolerance {
            continue;
        }
        kept += 1;
        let mut recycled = full;
        recycled.refresh(&relative_pose);
        let fresh = box_box(&table, &cube, &relative_pose, tolerances, &mut SatCache::default(), &full);
        assert!(
            (recycled.deepest() - fresh.deepest()).abs() <= 0.02 * motion + 1e-6,
            "{recycled:?} {fresh:?}"
        );
    }
    assert!(kept > count() / 10);
}

/// Round walls that cross at a small angle hold each other along a stretch, not at one point that
/// jumps from end to end.
#[test]
fn walls_that_are_nearly_parallel_share_a_stretch() {
    let (one, other) = (Cylinder::new(0.5f32, 0.25).unwrap(), Cylinder::new(0.4f32, 0.2).unwrap());
    for degrees in [1.0f32, 3.0, 6.0, 10.0] {
        let rotation = Rotation::about_axis(Vec3::Y, degrees.to_radians());
        let pose = Pose::new(Vec3::new(0.0, 0.449, 0.0), rotation);
        let found = gjk::proximity(&one, &other, &pose, &mut gjk::SimplexCache::default());
        let manifold = contact_of(&one, &other, &pose, &found, 0.02, &Manifold::default());
        let along: Vec<f32> = manifold.points().iter().map(|p| p.on_a.z).collect();
        let length =
            along.iter().fold(0.0, |l: f32, z| l.max(*z)) - along.iter().fold(0.0, |l: f32, z| l.min(*z));
        let sine = degrees.to_radians().sin();
        // As far as the lines are beside each other by a twentieth of both radii, or to the ends.
        let expected = (2.0 * 0.05 * 0.45 / sine).min(0.8 * degrees.to_radians().cos());
        assert!((length / expected - 1.0).abs() < 0.05, "{degrees}°: {length} of {expected}: {manifold:?}");
        assert!((manifold.deepest() + 0.001).abs() < 1e-4, "{degrees}°: {manifold:?}");
    }
    let crossing = Pose::new(Vec3::new(0.0, 0.449, 0.0), Rotation::about_axis(Vec3::Y, 0.5));
    let found = gjk::proximity(&one, &other, &crossing, &mut gjk::SimplexCache::default());
    assert_eq!(contact_of(&one, &other, &crossing, &found, 0.02, &Manifold::default()).points().len(), 1);
}

/// Contacts of all claims of an answer: points on both shapes, separations true along the normal,
/// the deepest among them.
fn check_pair<A, B, WA, WB>((a, wa): (&A, &WA), (b, wb): (&B, &WB), seed: u64)
where
    A: SupportFeatureMap + Convex<f32>,
    B: SupportFeatureMap + Convex<f32>,
    WA: OracleShape,
    WB: OracleShape,
{
    let mut numbers = Numbers(seed);
    let speculative_distance = 0.05;
    for _ in 0..count() / 10 {
        let relative_pose = numbers.pose(1.5).to::<f32>();
        let exact = relative_pose.to::<f64>();
        let found = gjk::proximity(a, b, &relative_pose, &mut gjk::SimplexCache::default());
        let manifold = contact_of(a, b, &relative_pose, &found, speculative_distance, &Manifold::default());
        assert_eq!(manifold.is_empty(), found.distance > speculative_distance);
        let normal = found.normal.as_dvec3();
        for (k, point) in manifold.points().iter().enumerate() {
            let (on_a, on_b) = (point.on_a.as_dvec3(), point.on_b.as_dvec3());
            // Inexact normals of depths move points: what is judged here is the clipping.
            assert!(wa.excess(on_a) < 1e-4, "{} {manifold:?} {relative_pose:?}", wa.excess(on_a));
            assert!(wb.excess(on_b) < 1e-4, "{} {manifold:?} {relative_pose:?}", wb.excess(on_b));
            let along = normal.dot(exact.apply(on_b) - on_a);
            assert!(
                (along - f64::from(point.separation)).abs() < 1e-4,
                "{along} {manifold:?} {relative_pose:?}"
            );
            assert!(
                point.separation <= speculative_distance && point.separation >= found.distance - 2e-3,
                "{found:?} {manifold:?}"
            );
            assert!(manifold.points()[..k].iter().all(|o| o.feature != point.feature), "{manifold:?}");
        }
        assert!(
            manifold.is_empty() || manifold.deepest() <= found.distance + 0.06 * speculative_distance,
            "{found:?} {manifold:?}"
        );
    }
}

macro_rules! pairs {
    ($($name:ident: $make:expr;)*) => {
        $(#[test]
        fn $name() {
            let one = $make;
            let a = (&one.0, &one.1);
            check_pair(a, (&Cuboid::<f32> { half: Vec3::new(0.5, 0.25, 0.75) }, &Cuboid::<f64> { half: DVec3::new(0.5, 0.25, 0.75) }), 51);
            check_pair(a, (&Sphere::<f32> { radius: 0.5 }, &Sphere::<f64> { radius: 0.5 }), 52);
            check_pair(a, (&Capsule::along_z(0.5f32, 0.25).unwrap(), &Capsule::along_z(0.5f64, 0.25).unwrap()), 53);
            check_pair(a, (&Cylinder::<f32> { half_length: 0.5, radius: 0.5 }, &Cylinder::<f64> { half_length: 0.5, radius: 0.5 }), 54);
            check_pair(a, (&Cone::<f32> { half_length: 0.5, radius: 0.5 }, &Cone::<f64> { half_length: 0.5, radius: 0.5 }), 55);
            check_pair(a, (&Tile::<f32> { half_x: 0.5, half_z: 0.75 }, &Tile::<f64> { half_x: 0.5, half_z: 0.75 }), 56);
            check_pair(a, (&Polytope::<f32>::random_on_sphere(12, 0.75, 3).unwrap(), &Polytope::<f64>::random_on_sphere(12, 0.75, 3).unwrap()), 57);
        })*
    };
}

pairs! {
    contacts_of_boxes_with_all: (Cuboid::<f32> { half: Vec3::new(0.5, 0.5, 0.25) }, Cuboid::<f64> { half: DVec3::new(0.5, 0.5, 0.25) });
    contacts_of_capsules_with_all: (Capsule::along_z(0.5f32, 0.25).unwrap(), Capsule::along_z(0.5f64, 0.25).unwrap());
    contacts_of_cylinders_with_all: (Cylinder::<f32> { half_length: 0.25, radius: 0.5 }, Cylinder::<f64> { half_length: 0.25, radius: 0.5 });
    contacts_of_cones_with_all: (Cone::<f32> { half_length: 0.5, radius: 0.5 }, Cone::<f64> { half_length: 0.5, radius: 0.5 });
    contacts_of_tiles_with_all: (Tile::<f32> { half_x: 0.5, half_z: 0.5 }, Tile::<f64> { half_x: 0.5, half_z: 0.5 });
    contacts_of_polytopes_with_all: (Polytope::<f32>::random_on_sphere(16, 0.75, 4).unwrap(), Polytope::<f64>::random_on_sphere(16, 0.75, 4).unwrap());
}

/// An edge that lies across a face crosses two of its sides. Whichever crossing is deeper, both are
/// in the contact: with one of them alone, a body rocks to and fro between them.
#[test]
fn an_edge_across_a_face_touches_both_sides() {
    let post = Cuboid::new(Vec3::new(0.1, 0.5, 0.1)).unwrap();
    let bar = Cuboid::new(Vec3::new(0.5, 0.1, 0.1)).unwrap();
    for tilt in [-0.06f32, -0.03, 0.03, 0.06] {
        let edge_down = Rotation::from_rotation_vector(Vec3::X * std::f32::consts::FRAC_PI_4);
        let rotation = Rotation::from_rotation_vector(Vec3::Z * tilt) * edge_down;
        // The lower edge of the bar is 0.1 √2 below its axis.
        let height = 0.5 + (0.02f32).sqrt() / tilt.cos() + 0.1 * tilt.tan().abs() - 0.001;
        let pose = Pose::new(Vec3::new(0.0, height, 0.0), rotation);
        let mut cache = SatCache::default();
        let contact = box_box(&post, &bar, &pose, Tolerances::default(), &mut cache, &Manifold::default());
        let mut along: Vec<(f32, f32)> =
            contact.points().iter().map(|p| (p.on_a.x * tilt.signum(), p.separation)).collect();
        along.sort_by(|p, q| p.0.total_cmp(&q.0));
        let [(low, deep), (high, apart)] = along[..] else { panic!("{tilt}: {contact:?}") };
        assert!((low + 0.1).abs() < 2e-3 && (high - 0.1).abs() < 2e-3, "{tilt}: {contact:?}");
        let rise = 0.2 * tilt.tan().abs();
        assert!(apart.abs().max(deep.abs()) < rise, "{tilt}: {contact:?}");
        // The same as hulls.
        let [a, b] = [post, bar].map(|shape| Polytope::cuboid(shape.half).unwrap());
        let mut scratch = sat::SatScratch::default();
        let (tolerances, mut cache) = (Tolerances::default(), SatCache::default());
        let none = Manifold::default();
        let hulls = sat::contact_of_polyhedra(&a, &b, &pose, tolerances, &mut cache, &none, &mut scratch);
        assert_eq!(hulls.points().len(), 2, "{tilt}: {hulls:?}");
    }
}
