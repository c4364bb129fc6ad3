//! Distances of cores, proved by the oracle, cold and warm, in both precisions.

use carom_geometry::closest::TrianglePoint;
use carom_geometry::primitive::Triangle;
use carom_geometry::shape::{Cuboid, Cylinder};
use carom_geometry::{Pose, Rotation, Vector};
use carom_narrowphase::gjk::{self, GjkOptions, GjkOutcome, SimplexCache};
use carom_narrowphase::oracle::certify;
use glam::{DVec3, Vec3};

use crate::cases::{self, Numbers};
use crate::zoo::{self, Precision, Specimen, nudged, wide_place, widened};

/// Judges one query and returns the distance that was found, or none where the cores overlap.
fn judged<S: Precision>(
    a: &Specimen,
    b: &Specimen,
    pose: &Pose<S>,
    cache: &mut SimplexCache<S>,
    options: &GjkOptions<S>,
    tolerance: f64,
) -> Option<f64> {
    let outcome = gjk::distance(S::shape(a), S::shape(b), pose, cache, options);
    let wide = wide_place(pose);
    let effort = cache.effort;
    assert_ne!(effort.ending, gjk::GjkTermination::Capped, "{} {} {pose:?} {effort:?}", a.name, b.name);
    match outcome {
        GjkOutcome::Near(found) => {
            if let Err(complaint) = certify(&*a.wide, &*b.wide, &wide, &widened(&found), tolerance) {
                panic!("{} {}: {complaint} ({tolerance:e}) {found:?} {pose:?} {effort:?}", a.name, b.name);
            }
            Some(found.distance.to_f64())
        }
        GjkOutcome::Overlapping => {
            let apart = distance_of_simplex(cache, &wide);
            assert!(apart <= tolerance, "{} {}: {apart:e} from overlap {pose:?}", a.name, b.name);
            None
        }
        GjkOutcome::Separated { .. } => panic!("nothing is beyond infinity"),
    }
}

/// How far the origin is from the hull of the differences of the points in a cache.
fn distance_of_simplex<S: Precision>(cache: &SimplexCache<S>, pose: &Pose<f64>) -> f64 {
    let corners: Vec<DVec3> =
        cache.pairs().iter().map(|[a, b]| pose.apply(b.to::<f64>()) - a.to::<f64>()).collect();
    let corner = |k: usize| corners[k.min(corners.len() - 1)];
    let faces = [[0, 1, 2, 3], [0, 1, 3, 2], [0, 2, 3, 1], [1, 2, 3, 0]].map(|f| f.map(corner));
    let inside = faces.iter().all(|[a, b, c, d]| {
        let normal = (*b - *a).cross(*c - *a);
        normal.dot(*d - *a) * normal.dot(-*a) > 0.0
    });
    let to_face = |[a, b, c, _]: [DVec3; 4]| {
        TrianglePoint::nearest(&Triangle::new(a, b, c), DVec3::ZERO).point.length()
    };
    if inside { 0.0 } else { faces.into_iter().map(to_face).fold(f64::INFINITY, f64::min) }
}

fn check_all<S: Precision>(first: &[Specimen], second: &[Specimen], cases: u32) {
    let mut numbers = Numbers(5);
    zoo::each_pair::<S>(first, second, cases, |a, b, pose, _| check(a, b, pose, &mut numbers));
}

fn check<S: Precision>(a: &Specimen, b: &Specimen, pose: &Pose<S>, numbers: &mut Numbers) {
    let tolerance = zoo::tolerance(a, b, pose);
    let mut cache = SimplexCache::new();
    let options = GjkOptions::default();
    let cold = judged(a, b, pose, &mut cache, &options, tolerance);
    let agree = |x: Option<f64>, what: &str| {
        let radii = a.wide.radius() + b.wide.radius();
        let (x, y) = (x.unwrap_or(-radii), cold.unwrap_or(-radii));
        assert!((x - y).abs() <= tolerance, "{what}: {x} {y} {} {} {pose:?}", a.name, b.name);
    };
    // Twice the same: the simplex of the answer proves the answer.
    agree(judged(a, b, pose, &mut cache, &options, tolerance), "warm");
    let momentum = GjkOptions { momentum: true, ..options };
    agree(judged(a, b, pose, &mut SimplexCache::new(), &momentum, tolerance), "momentum");
    agree(judged(b, a, &pose.inverse(), &mut SimplexCache::new(), &options, tolerance), "swapped");
    let moved = nudged(&wide_place(pose), numbers, 0.02 * (a.size + b.size)).to::<S>();
    judged(a, b, &moved, &mut cache, &options, tolerance);
    // Any cache of the pair is a good one, also from the other side.
    let opposite = Pose::new(-pose.translation, pose.rotation);
    judged(a, b, &opposite, &mut cache, &options, tolerance);
    if let Some(apart) = cold {
        let touching = gjk::intersects(S::shape(a), S::shape(b), pose, &mut SimplexCache::new());
        assert!(touching == (apart <= 0.0) || apart.abs() <= tolerance, "{} {} {apart}", a.name, b.name);
        for (limit, beyond) in [(apart - 2.0 * tolerance, true), (apart + 2.0 * tolerance, false)] {
            let within = GjkOptions::within(S::of(limit));
            let outcome = gjk::distance(S::shape(a), S::shape(b), pose, &mut SimplexCache::new(), &within);
            match outcome {
                GjkOutcome::Separated { axis, at_least } => {
                    assert!(beyond, "{} {} {limit} {at_least} {apart}", a.name, b.name);
                    assert!(at_least.to_f64() <= apart + tolerance && at_least.to_f64() >= limit - tolerance);
                    assert!((axis.to::<f64>().length() - 1.0).abs() < 1e-6);
                }
                _ => assert!(!beyond || limit < 0.0, "{} {} {limit} {apart}", a.name, b.name),
            }
        }
    } else {
        assert!(gjk::intersects(S::shape(a), S::shape(b), pose, &mut SimplexCache::new()));
    }
}

#[test]
fn distances_are_proved_in_double_precision() {
    check_all::<f64>(&zoo::ordinary(), &zoo::ordinary(), cases::count());
}

#[test]
fn distances_are_proved_in_single_precision() {
    check_all::<f32>(&zoo::ordinary(), &zoo::ordinary(), cases::count());
}

#[test]
fn degenerate_shapes_are_measured_like_any_other() {
    let count = cases::count() / 4;
    check_all::<f64>(&zoo::degenerate(), &zoo::degenerate(), count);
    check_all::<f32>(&zoo::degenerate(), &zoo::ordinary(), count);
    check_all::<f32>(&zoo::ordinary(), &zoo::degenerate(), count);
    check_all::<f64>(&zoo::degenerate(), &zoo::ordinary(), count);
}

#[test]
fn a_million_to_one() {
    let count = cases::count() / 8;
    for (small, large) in [(1.0, 1e6), (1e-3, 1e3), (1e-6, 1.0)] {
        check_all::<f64>(&zoo::scaled(small), &zoo::scaled(large), count);
        check_all::<f32>(&zoo::scaled(small), &zoo::scaled(large), count);
    }
}

/// A long run found a drum that touches the face of a box, which the search with momentum did not
/// settle.
#[test]
fn a_touching_drum_is_settled_with_momentum() {
    let (cube, drum) = (Cuboid::new(Vec3::new(0.5, 0.75, 0.6)).unwrap(), Cylinder::new(0.7, 0.5).unwrap());
    let rotation = Rotation { xyz: Vec3::new(-0.5, 0.5, 0.5), w: -0.5 };
    let pose = Pose::new(Vec3::new(0.0, 0.0, 1.1), rotation);
    for momentum in [false, true] {
        let mut cache = SimplexCache::new();
        let options = GjkOptions { momentum, ..GjkOptions::default() };
        let found = gjk::proximity_within(&cube, &drum, &pose, &mut cache, &options).unwrap();
        assert_ne!(cache.effort.ending, gjk::GjkTermination::Capped, "{momentum}");
        assert!(found.distance.abs() < 1e-6, "{momentum} {found:?}");
    }
}

/// Long runs found these: touching, with the direction of the shortest way nothing but rounding,
/// and progress that the square of the distance does not show.
#[test]
fn places_where_rounding_hid_the_progress() {
    use zoo::{degenerate, named, ordinary, place_of, scaled};
    let half = [-0.499_999_999_999_999_9, 0.500_000_000_000_000_1, 0.5, -0.500_000_000_000_000_1];
    let cases = [
        (
            named(degenerate(), "disc"),
            named(degenerate(), "tile without width"),
            place_of(
                [0.0, 0.5, 0.0],
                [
                    -0.653_281_482_438_188_3,
                    0.270_598_050_073_098_3,
                    -0.653_281_482_438_188_3,
                    0.270_598_050_073_098_45,
                ],
            ),
        ),
        (named(ordinary(), "tile"), named(ordinary(), "cylinder"), place_of([1.5, 0.5, -0.5], half)),
        (
            named(degenerate(), "needle triangle"),
            named(ordinary(), "tile"),
            place_of(
                [0.5, 0.0, -0.5],
                [
                    -1.983_142_452_963_249e-8,
                    -4.695_796_248_842_301e-8,
                    2.604_849_501_093_923e-7,
                    0.999_999_999_999_964_8,
                ],
            ),
        ),
        (
            named(degenerate(), "disc"),
            named(degenerate(), "cylinder without radius"),
            place_of(
                [0.353_553_390_593_274_06, 0.853_553_390_593_274_1, -0.146_446_609_406_726_05],
                [
                    -0.500_000_000_000_000_1,
                    5.551_115_123_125_784e-17,
                    std::f64::consts::FRAC_1_SQRT_2,
                    -0.500_000_000_000_000_1,
                ],
            ),
        ),
        (
            named(degenerate(), "capsule without length"),
            named(degenerate(), "flat cone"),
            place_of(
                [0.375, 0.1875, 0.0],
                [
                    -3.037_464_704_592_792_7e-7,
                    -2.657_767_890_895_883e-7,
                    3.120_788_378_848_908_6e-7,
                    0.999_999_999_999_869_9,
                ],
            ),
        ),
        (
            named(scaled(1e-3), "sphere"),
            named(scaled(1e3), "cylinder"),
            place_of(
                [979.188_597_042_607_2, -236.296_674_357_069_83, 38.096_788_764_881_58],
                [
                    0.159_073_449_173_048_41,
                    0.505_399_839_437_014_4,
                    -0.511_646_214_115_136_1,
                    0.676_376_220_491_878_3,
                ],
            ),
        ),
    ];
    let mut numbers = Numbers(9);
    for (a, b, pose) in &cases {
        (0..20).for_each(|_| check(a, b, pose, &mut numbers));
    }
}
