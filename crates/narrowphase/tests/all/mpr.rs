//! Portals: yes and no as the exact algorithms say, depths that are bounds, and local minima where they say so.

use carom_geometry::Pose;
use carom_narrowphase::gjk::{self, Cache};
use carom_narrowphase::mpr::{self, DEFAULT_RAYS};
use carom_narrowphase::oracle::certify_claims;
use carom_narrowphase::oracle::depth::gap;
use carom_narrowphase::{Convex, Proximity};

use crate::cases;
use crate::zoo::{self, Precision, Specimen, wide_place, widened};

/// How often a settled depth was the least one, of how many.
#[derive(Default)]
struct Tally {
    deep: u32,
    settled: u32,
    least: u32,
}

fn check_one<S: Precision>(a: &Specimen, b: &Specimen, place: &Pose<S>, tolerance: f64, tally: &mut Tally) {
    let (first, second): (&dyn Convex<S>, &dyn Convex<S>) = (S::shape(a), S::shape(b));
    let exact = gjk::proximity(first, second, place, &mut Cache::new()).distance.to_f64();
    let context = || format!("{} {} {exact:e} {place:?}", a.name, b.name);
    let touching = mpr::touches(first, second, place);
    assert!(touching == (exact <= 0.0) || exact.abs() <= tolerance, "{touching} {}", context());
    let plain = mpr::penetration(first, second, place, 0);
    let Some(found) = mpr::penetration(first, second, place, DEFAULT_RAYS) else {
        assert!(exact >= -tolerance && plain.is_none(), "{}", context());
        return;
    };
    assert!(exact <= tolerance, "{}", context());
    let plain = plain.map(|p| p.depth.to_f64()).unwrap();
    let depth = found.depth.to_f64();
    assert!(depth >= -exact - tolerance, "less than the least: {depth:e} {}", context());
    assert!(plain >= depth - tolerance, "rays made it worse: {plain:e} {depth:e} {}", context());
    let answer =
        Proximity { distance: -found.depth, normal: found.normal, on_a: found.on_a, on_b: found.on_b };
    let (answer, wide) = (widened(&answer), wide_place(place));
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
    tally.deep += u32::from(exact < -tolerance);
    if found.settled {
        tally.settled += u32::from(exact < -tolerance);
        tally.least += u32::from(exact < -tolerance && depth <= -exact + tolerance);
        // Steps that gain less than the tolerance turn the normal by its root.
        let loose = tolerance.sqrt() * (a.size + b.size).max(1.0).sqrt();
        if let Err(complaint) = certify_claims(&*a.wide, &*b.wide, &wide, &answer, loose) {
            panic!("{complaint} {found:?} {}", context());
        }
    }
}

fn check_all<S: Precision>(first: &[Specimen], second: &[Specimen], cases: u32) -> Tally {
    let mut tally = Tally::default();
    zoo::each_pair::<S>(first, second, cases, |a, b, place, tolerance| {
        check_one::<S>(a, b, place, tolerance, &mut tally);
    });
    tally
}

#[test]
fn portals_agree_with_the_exact_algorithms() {
    for tally in [
        check_all::<f64>(&zoo::ordinary(), &zoo::ordinary(), cases::count() / 2),
        check_all::<f32>(&zoo::ordinary(), &zoo::ordinary(), cases::count() / 2),
    ] {
        let Tally { deep, settled, least } = tally;
        assert!(deep > 500 && settled * 100 > deep * 80, "{settled} of {deep} settled");
        println!("{least} {settled} {deep}");
        assert!(least * 100 > settled * 60, "{least} of {settled} are the least depth");
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
