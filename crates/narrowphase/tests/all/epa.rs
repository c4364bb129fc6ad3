//! Signed distances of full shapes, certified by the oracle.

use carom_geometry::Pose;
use carom_narrowphase::gjk::{self, GjkTermination, SimplexCache};
use carom_narrowphase::oracle::{certify, certify_claims};

use crate::cases::{self, Numbers};
use crate::zoo::{self, Precision, Specimen, nudged, wide_place, widened};

/// Checks one query; that a depth is the least only where asked for, as it takes the oracle long.
fn checked<S: Precision>(
    a: &Specimen,
    b: &Specimen,
    pose: &Pose<S>,
    cache: &mut SimplexCache<S>,
    tolerance: f64,
    depth_too: bool,
) -> f64 {
    let found = gjk::proximity(S::shape(a), S::shape(b), pose, cache);
    let (wide, answer, effort) = (wide_place(pose), widened(&found), cache.effort);
    // Only what is round may take all the room there is.
    let round = [a, b].iter().any(|s| s.wide.polyhedron().is_none());
    assert!(effort.ending != GjkTermination::Capped || round, "{} {} {pose:?} {effort:?}", a.name, b.name);
    let verdict = if depth_too {
        certify(&*a.wide, &*b.wide, &wide, &answer, tolerance)
    } else {
        certify_claims(&*a.wide, &*b.wide, &wide, &answer, tolerance)
    };
    if let Err(complaint) = verdict {
        panic!("{} {}: {complaint} ({tolerance:e}) {found:?} {pose:?} {effort:?}", a.name, b.name);
    }
    found.distance.to_f64()
}

fn check_all<S: Precision>(first: &[Specimen], second: &[Specimen], cases: u32) {
    let mut numbers = Numbers(5);
    let mut query = 0u32;
    zoo::each_pair::<S>(first, second, cases, |a, b, pose, tolerance| {
        query += 1;
        let mut cache = SimplexCache::new();
        // The oracle tries every pair of edges.
        let edges = |s: &Specimen| s.wide.polyhedron().map_or(40, |p| p.edges.len() + 1);
        let often = if edges(a) * edges(b) > 4000 { 64 } else { 8 };
        let cold = checked(a, b, pose, &mut cache, tolerance, query.is_multiple_of(often));
        let warm = checked(a, b, pose, &mut cache, tolerance, false);
        let swapped = checked(b, a, &pose.inverse(), &mut SimplexCache::new(), tolerance, false);
        for (other, what) in [(warm, "warm"), (swapped, "swapped")] {
            assert!(
                (cold - other).abs() <= tolerance,
                "{what}: {cold} {other} {tolerance:e} {} {} {pose:?}",
                a.name,
                b.name
            );
        }
        let moved = nudged(&wide_place(pose), &mut numbers, 0.02 * (a.size + b.size)).to::<S>();
        checked(a, b, &moved, &mut cache, tolerance, false);
        let opposite = Pose::new(-pose.translation * S::HALF, pose.rotation);
        checked(a, b, &opposite, &mut cache, tolerance, false);
    });
}

#[test]
fn depths_are_certified_in_double_precision() {
    check_all::<f64>(&zoo::ordinary(), &zoo::ordinary(), cases::count());
}

#[test]
fn depths_are_certified_in_single_precision() {
    check_all::<f32>(&zoo::ordinary(), &zoo::ordinary(), cases::count());
}

#[test]
fn depths_of_degenerate_shapes() {
    let count = cases::count() / 12;
    check_all::<f64>(&zoo::degenerate(), &zoo::degenerate(), count);
    check_all::<f32>(&zoo::degenerate(), &zoo::ordinary(), count);
    check_all::<f32>(&zoo::ordinary(), &zoo::degenerate(), count);
    check_all::<f64>(&zoo::degenerate(), &zoo::ordinary(), count);
}

#[test]
fn depths_of_a_million_to_one() {
    let count = cases::count() / 8;
    for (small, large) in [(1.0, 1e6), (1e-3, 1e3), (1e-6, 1.0)] {
        check_all::<f64>(&zoo::scaled(small), &zoo::scaled(large), count);
        check_all::<f32>(&zoo::scaled(small), &zoo::scaled(large), count);
    }
}

/// A long run found this: a capsule nearly on the axis of a cylinder, whose rims leave more
/// directions than there is room for, all of them equally deep but for 10⁻⁷.
#[test]
fn a_capsule_on_the_axis_of_a_cylinder_leaves_by_the_shortest_way() {
    let (a, b) = (zoo::named(zoo::ordinary(), "capsule"), zoo::named(zoo::ordinary(), "cylinder"));
    let rotation = [
        -3.508_551_510_565_305e-7,
        -2.246_921_948_784_906e-7,
        -3.181_998_548_811_927_6e-7,
        0.999_999_999_999_862_6,
    ];
    let pose = zoo::place_of([0.0, 0.0, 0.474_999_994_039_535_5], rotation);
    let tolerance = zoo::tolerance(&a, &b, &pose);
    let mut cache = SimplexCache::new();
    for _ in 0..3 {
        let depth = -checked(&a, &b, &pose, &mut cache, tolerance, true);
        // Across the axis: the sum of the radii.
        assert!((depth - f64::from(0.3f32) - 0.5).abs() <= tolerance, "{depth}");
    }
}

/// The same on the axis of a cone: all directions across its wall are equally deep but for 10⁻⁷,
/// and they are no great circle.
#[test]
fn a_capsule_on_the_axis_of_a_cone_leaves_by_the_shortest_way() {
    let (a, b) = (zoo::named(zoo::ordinary(), "capsule"), zoo::named(zoo::ordinary(), "cone"));
    let rotation = [
        -3.560_497_191_790_054_3e-7,
        4.873_031_259_459_354e-7,
        -3.388_385_480_693_432_6e-7,
        0.999_999_999_999_760_5,
    ];
    let pose = zoo::place_of([0.0, 0.0, -0.474_999_994_039_535_5], rotation);
    let tolerance = zoo::tolerance(&a, &b, &pose);
    let mut cache = SimplexCache::new();
    let cold = checked(&a, &b, &pose, &mut cache, tolerance, true);
    let warm = checked(&a, &b, &pose, &mut cache, tolerance, true);
    let swapped = checked(&b, &a, &pose.inverse(), &mut SimplexCache::new(), tolerance, true);
    for other in [warm, swapped] {
        assert!((cold - other).abs() <= tolerance, "{cold} {other} {tolerance:e}");
    }
}

/// A long run found this: a cube and a prism with parallel faces, where rounding folds flat sides
/// of the polytope and it took all its room for the same corners.
#[test]
fn parallel_faces_of_polytopes_do_not_take_all_the_room() {
    let (a, b) = (zoo::named(zoo::ordinary(), "cube"), zoo::named(zoo::ordinary(), "prism"));
    let rotation = [
        8.659_560_562_354_933e-17,
        -std::f64::consts::FRAC_1_SQRT_2,
        8.659_560_562_354_933e-17,
        -std::f64::consts::FRAC_1_SQRT_2.next_down(),
    ];
    let at = [0.206_756_362_985_558_22, -0.290_481_621_887_677_57, -0.035_158_950_211_364_06];
    let pose = zoo::place_of(at, rotation);
    // The polytope grew too large here, or at the opposite place, from where this one led.
    for pose in [pose, Pose::new(pose.translation * -2.0, pose.rotation)] {
        let tolerance = zoo::tolerance(&a, &b, &pose);
        let mut cache = SimplexCache::new();
        let cold = checked(&a, &b, &pose, &mut cache, tolerance, true);
        let warm = checked(&a, &b, &pose, &mut cache, tolerance, true);
        let swapped = checked(&b, &a, &pose.inverse(), &mut SimplexCache::new(), tolerance, true);
        for other in [warm, swapped] {
            assert!((cold - other).abs() <= tolerance, "{cold} {other} {tolerance:e}");
        }
        let opposite = Pose::new(-pose.translation * 0.5, pose.rotation);
        checked(&a, &b, &opposite, &mut cache, tolerance, true);
    }
}
