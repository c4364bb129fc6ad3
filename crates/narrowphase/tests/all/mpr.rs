//! Portals: yes and no as the exact algorithms say, depths that are bounds, and local minima where
//! they say so.

use carom_geometry::Pose;
use carom_narrowphase::alternatives::mpr::{self, DEFAULT_RAYS, MprPenetration};
use carom_narrowphase::gjk::{self, SimplexCache};
use carom_narrowphase::oracle::certify_claims;
use carom_narrowphase::oracle::depth::gap;
use carom_narrowphase::{Convex, Proximity};

use crate::cases;
use crate::zoo::{self, Precision, Specimen, wide_place, widened};

/// How many deep cases settled after the usual rays, and after as many as it takes.
#[derive(Default)]
struct Tally {
    deep: u32,
    settled: u32,
    settled_in_the_end: u32,
}

/// What an estimate claims, whether it settled or not: points of the shapes, and a plane that the
/// shapes are parted by after a motion by the depth, which is therefore no less than the least. If
/// it settled, a local minimum too.
fn check_claims<S: Precision>(
    a: &Specimen,
    b: &Specimen,
    pose: &Pose<S>,
    found: &MprPenetration<S>,
    tolerance: f64,
    context: &dyn Fn() -> String,
) {
    let depth = found.depth.to_f64();
    let answer =
        Proximity { distance: -found.depth, normal: found.normal, on_a: found.on_a, on_b: found.on_b };
    let (answer, wide) = (widened(&answer), wide_place(pose));
    let overlap = -gap(&*a.wide, &*b.wide, &wide, answer.normal);
    assert!((overlap - depth).abs() <= tolerance, "not a way out: {overlap:e} {depth:e} {}", context());
    assert!(a.wide.excess(answer.on_a) <= tolerance, "outside the first: {found:?} {}", context());
    assert!(
        b.wide.excess(wide.undo(answer.on_b)) <= tolerance,
        "outside the second: {found:?} {}",
        context()
    );
    let between = (answer.on_a - answer.on_b).dot(answer.normal);
    assert!((between - depth).abs() <= tolerance, "{between:e} {depth:e} {}", context());
    if found.settled {
        // Steps that gain less than the tolerance turn the normal by its root.
        let loose = tolerance.sqrt() * (a.size + b.size).max(1.0).sqrt();
        if let Err(complaint) = certify_claims(&*a.wide, &*b.wide, &wide, &answer, loose) {
            panic!("{complaint} {found:?} {}", context());
        }
    }
}

fn check_one<S: Precision>(a: &Specimen, b: &Specimen, pose: &Pose<S>, tolerance: f64, tally: &mut Tally) {
    let (first, second): (&dyn Convex<S>, &dyn Convex<S>) = (S::shape(a), S::shape(b));
    let exact = gjk::proximity(first, second, pose, &mut SimplexCache::new()).distance.to_f64();
    let context = || format!("{} {} {exact:e} {pose:?}", a.name, b.name);
    let touching = mpr::touches(first, second, pose);
    assert!(touching == (exact <= 0.0) || exact.abs() <= tolerance, "{touching} {}", context());
    let plain = mpr::penetration(first, second, pose, 0);
    let Some(found) = mpr::penetration(first, second, pose, DEFAULT_RAYS) else {
        assert!(exact >= -tolerance && plain.is_none(), "{}", context());
        return;
    };
    assert!(exact <= tolerance, "{}", context());
    let plain = plain.map(|p| p.depth.to_f64()).unwrap();
    let depth = found.depth.to_f64();
    assert!(depth >= -exact - tolerance, "less than the least: {depth:e} {}", context());
    assert!(plain >= depth - tolerance, "rays made it worse: {plain:e} {depth:e} {}", context());
    check_claims(a, b, pose, &found, tolerance, &context);
    if exact >= -tolerance {
        return;
    }
    tally.deep += 1;
    tally.settled += u32::from(found.settled);
    // Every ray that does not settle gains more than rounding: there is an end, and it is no
    // deeper.
    let end = mpr::penetration(first, second, pose, u32::MAX).unwrap();
    check_claims(a, b, pose, &end, tolerance, &context);
    tally.settled_in_the_end += u32::from(end.settled);
    let last = end.depth.to_f64();
    assert!((-exact - tolerance..=depth + tolerance).contains(&last), "{last:e} {depth:e} {}", context());
    assert!(!found.settled || end == found, "settled, but more rays go on: {}", context());
}

fn check_all<S: Precision>(first: &[Specimen], second: &[Specimen], cases: u32) -> Tally {
    let mut tally = Tally::default();
    zoo::each_pair::<S>(first, second, cases, |a, b, pose, tolerance| {
        check_one::<S>(a, b, pose, tolerance, &mut tally);
    });
    tally
}

#[test]
fn portals_agree_with_the_exact_algorithms() {
    for tally in [
        check_all::<f64>(&zoo::ordinary(), &zoo::ordinary(), cases::count() / 2),
        check_all::<f32>(&zoo::ordinary(), &zoo::ordinary(), cases::count() / 2),
    ] {
        let Tally { deep, settled, settled_in_the_end } = tally;
        println!("{settled} of {deep} settled with the usual rays, {settled_in_the_end} in the end");
        assert!(deep > 500 && settled > 0 && settled <= settled_in_the_end);
    }
}

#[test]
fn portals_of_degenerate_shapes() {
    let count = cases::count() / 4;
    check_all::<f64>(&zoo::degenerate(), &zoo::degenerate(), count);
    check_all::<f32>(&zoo::degenerate(), &zoo::ordinary(), count);
    check_all::<f64>(&zoo::ordinary(), &zoo::degenerate(), count);
}

#[test]
fn portals_of_a_million_to_one() {
    let count = cases::count() / 8;
    for (small, large) in [(1.0, 1e6), (1e-3, 1e3)] {
        check_all::<f64>(&zoo::scaled(small), &zoo::scaled(large), count);
        check_all::<f32>(&zoo::scaled(small), &zoo::scaled(large), count);
    }
}

/// A long run found this: a cone in the middle of one a million times as large, whose wall is
/// equally far away all round but for a millionth.
#[test]
fn a_cone_within_a_huge_one_is_no_deeper_than_a_portal_says() {
    let (a, b) = (zoo::named(zoo::scaled(1.0), "cone"), zoo::named(zoo::scaled(1e6), "cone"));
    let rotation = [
        0.032_454_034_758_413_214,
        -0.134_642_839_093_787_71,
        -0.787_255_859_236_864_1,
        -0.600_871_245_447_717_3,
    ];
    let pose = zoo::place_of([0.0; 3], rotation);
    let tolerance = zoo::tolerance(&a, &b, &pose);
    check_one::<f64>(&a, &b, &pose, tolerance, &mut Tally::default());
}

/// A long run found this: a prism in the middle of a cylinder a million times as large, whose wall
/// is equally far away all round but for the size of the prism. The hollow of one of its corners
/// was found and not the lowest.
#[test]
fn a_prism_within_a_huge_cylinder_is_no_deeper_than_a_portal_says() {
    let (a, b) = (zoo::named(zoo::scaled(1.0), "prism"), zoo::named(zoo::scaled(1e6), "cylinder"));
    let rotation = [
        0.654_388_874_398_811_2,
        0.703_026_543_051_781_8,
        0.258_395_890_737_825_3,
        -0.103_732_562_281_686_63,
    ];
    let pose = zoo::place_of([0.0; 3], rotation);
    let tolerance = zoo::tolerance(&a, &b, &pose);
    check_one::<f64>(&a, &b, &pose, tolerance, &mut Tally::default());
}
