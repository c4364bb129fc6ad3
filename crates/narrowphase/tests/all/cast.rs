//! Casts against distances along the way.
//!
//! The distance of two convex sets, one of which moves evenly, is a convex function of time. So a
//! hit is right if the distance there is the one asked for, which the judge certifies, and greater
//! before; and a miss is right if the least distance is greater, which halving finds.

use carom_geometry::primitive::{Ray, Triangle};
use carom_geometry::shape::{Capsule, Cuboid, Cylinder, RayCast, Sphere, Tile};
use carom_geometry::{Polytope, Pose, Rotation, Vector};
use carom_narrowphase::Proximity;
use carom_narrowphase::cast::{CastHit, CastOptions, cast, cast_capsules, cast_sphere};
use carom_narrowphase::gjk::{self, GjkOutcome, SimplexCache};
use carom_narrowphase::oracle::{OracleShape, certify, certify_claims};
use glam::{DVec3, Vec3};

use crate::cases::{self, Numbers};
use crate::zoo::{self, Precision, Specimen};

/// Zero or more: what is below zero of overlapping shapes does not matter here.
fn distance(a: &dyn OracleShape, b: &dyn OracleShape, pose: &Pose<f64>) -> f64 {
    match gjk::distance(a, b, pose, &mut SimplexCache::new(), &gjk::GjkOptions::default()) {
        GjkOutcome::Near(found) => found.distance.max(0.0),
        GjkOutcome::Overlapping => 0.0,
        GjkOutcome::Separated { .. } => unreachable!("no limit was set"),
    }
}

/// A cast with everything in double precision.
struct Case<'c> {
    target: &'c dyn OracleShape,
    mover: &'c dyn OracleShape,
    pose: Pose<f64>,
    displacement: DVec3,
    options: CastOptions<f64>,
    tolerance: f64,
}

impl Case<'_> {
    fn place_at(&self, t: f64) -> Pose<f64> {
        Pose::new(self.pose.translation + self.displacement * t, self.pose.rotation)
    }

    fn distance(&self, t: f64) -> f64 {
        distance(self.target, self.mover, &self.place_at(t))
    }

    /// The least distance in an interval, by thirds.
    fn least(&self, mut low: f64, mut high: f64) -> f64 {
        let mut best = self.distance(low).min(self.distance(high));
        for _ in 0..60 {
            let (u, v) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
            let (at_u, at_v) = (self.distance(u), self.distance(v));
            best = best.min(at_u).min(at_v);
            if at_u < at_v {
                high = v;
            } else {
                low = u;
            }
        }
        best
    }

    /// What is wrong with an answer.
    fn complaint(&self, hit: Option<&CastHit<f64>>) -> Option<String> {
        let (stop, tolerance) = (self.options.stop_distance, self.tolerance);
        let Some(hit) = hit else {
            if self.distance(0.0) <= stop - tolerance {
                return Some(format!("missed, but starts {:e} away", self.distance(0.0)));
            }
            let least = self.least(0.0, self.options.max_fraction);
            return (least < stop - tolerance).then(|| format!("missed, but comes as close as {least:e}"));
        };
        if !hit.converged {
            return Some("not converged".to_owned());
        }
        if !(hit.fraction >= 0.0 && hit.fraction <= self.options.max_fraction) {
            return Some(format!("fraction {}", hit.fraction));
        }
        if (hit.normal.length() - 1.0).abs() > 1e-6 || !hit.point.is_finite() {
            return Some("normal or point".to_owned());
        }
        let apart = self.distance(hit.fraction);
        if hit.at_start {
            if hit.fraction != 0.0 || apart > stop + tolerance {
                return Some(format!("not at the start: {apart:e}"));
            }
            if !self.options.depth_at_start && hit.distance <= 0.0 {
                return (apart > tolerance).then(|| "no overlap".to_owned());
            }
        } else {
            for k in 1..16 {
                let before = self.distance(hit.fraction * f64::from(k) / 16.0);
                if before < stop - tolerance {
                    return Some(format!("closer before: {before:e}"));
                }
            }
            if hit.normal.dot(self.displacement) > tolerance {
                return Some("moves along the normal".to_owned());
            }
        }
        let (normal, on_a) = (hit.normal, hit.point);
        let proximity =
            Proximity { distance: hit.distance, normal, on_a, on_b: on_a + normal * hit.distance };
        let pose = self.place_at(hit.fraction);
        certify_claims(self.target, self.mover, &pose, &proximity, tolerance).err().map(|c| c.to_string())
    }
}

fn wide<S: Precision>(hit: &CastHit<S>) -> CastHit<f64> {
    CastHit {
        fraction: hit.fraction.to_f64(),
        normal: hit.normal.to::<f64>(),
        point: hit.point.to::<f64>(),
        distance: hit.distance.to_f64(),
        at_start: hit.at_start,
        converged: hit.converged,
    }
}

fn wide_options<S: Precision>(options: &CastOptions<S>) -> CastOptions<f64> {
    CastOptions {
        max_fraction: options.max_fraction.to_f64(),
        stop_distance: options.stop_distance.to_f64(),
        depth_at_start: options.depth_at_start,
        ignore_leaving: options.ignore_leaving,
        backfaces: options.backfaces,
    }
}

/// Places up to three sizes away and displacements of all sorts, most of them roughly at the
/// target.
fn each_cast<S: Precision>(
    first: &[Specimen],
    second: &[Specimen],
    cases: u32,
    run: impl Fn(&Specimen, &Specimen, &Pose<S>, S::Vec3, &CastOptions<S>) -> Option<CastHit<S>>,
) {
    let mut numbers = Numbers(11);
    let (mut hits, mut moved, mut total) = (0u32, 0u32, 0u32);
    zoo::each_pair::<S>(first, second, cases, |a, b, near, _| {
        let size = a.size + b.size + 0.1;
        let away = numbers.vector(3.0 * size);
        let translation =
            near.translation.to::<f64>() + if numbers.below(6) == 0 { DVec3::ZERO } else { away };
        let pose = Pose::<S>::new(translation.to::<S>(), near.rotation);
        let aim = numbers.vector(0.5 * size);
        let displacement = match numbers.below(8) {
            0 => DVec3::ZERO,
            1 => numbers.vector(5.0 * size),
            2 => (aim - translation) * 1e5,
            3 => DVec3::AXES[numbers.below(3) as usize] * numbers.between(-6.0, 6.0) * size,
            _ => (aim - translation) * numbers.between(0.5, 3.0),
        };
        let displacement = displacement.to::<S>();
        let mut options = CastOptions::<S>::default();
        if numbers.below(3) == 0 {
            options.stop_distance = S::of(numbers.between(0.0, 0.3) * size);
        }
        if numbers.below(4) == 0 {
            options.max_fraction = S::of(numbers.between(0.0, 1.0));
        }
        let hit = run(a, b, &pose, displacement, &options).map(|hit| wide(&hit));
        // The fraction is rounded, which shifts the mover.
        let rounding = 4.0 * S::EPSILON.to_f64() * displacement.to::<f64>().length();
        let case = Case {
            target: &*a.wide,
            mover: &*b.wide,
            pose: zoo::wide_place(&pose),
            displacement: displacement.to::<f64>(),
            options: wide_options(&options),
            tolerance: S::TOLERANCE * (size + translation.length()) + rounding,
        };
        let complaint = case.complaint(hit.as_ref());
        assert!(
            complaint.is_none(),
            "{} at {}: {}\n{pose:?}\n{displacement:?}\n{options:?}\n{hit:?}",
            b.name,
            a.name,
            complaint.unwrap_or_default()
        );
        total += 1;
        hits += u32::from(hit.is_some());
        moved += u32::from(hit.is_some_and(|h| !h.at_start));
    });
    assert!(hits * 3 > total && moved * 4 > total && hits * 20 < total * 19, "{hits} {moved} of {total}");
}

fn general<S: Precision>(
    a: &Specimen,
    b: &Specimen,
    pose: &Pose<S>,
    displacement: S::Vec3,
    options: &CastOptions<S>,
) -> Option<CastHit<S>> {
    cast(S::shape(a), S::shape(b), pose, displacement, options)
}

#[test]
fn casts_of_all_pairs_in_single_precision() {
    let zoo = zoo::ordinary();
    each_cast::<f32>(&zoo, &zoo, cases::count(), general::<f32>);
}

#[test]
fn casts_of_all_pairs_in_double_precision() {
    let zoo = zoo::ordinary();
    each_cast::<f64>(&zoo, &zoo, cases::count(), general::<f64>);
}

#[test]
fn casts_of_degenerate_shapes() {
    each_cast::<f64>(&zoo::degenerate(), &zoo::ordinary(), cases::count() / 4, general::<f64>);
    each_cast::<f32>(&zoo::ordinary(), &zoo::degenerate(), cases::count() / 4, general::<f32>);
}

fn cast_ball_at<S: Precision>(
    target: &str,
    ball: &Specimen,
    pose: &Pose<S>,
    displacement: S::Vec3,
    options: &CastOptions<S>,
) -> Option<CastHit<S>> {
    let ball = Sphere { radius: S::shape(ball).radius() };
    let of = |x: f32| S::of(f64::from(x));
    let corner = |x: f32, y: f32, z: f32| S::Vec3::new(of(x), of(y), of(z));
    match target {
        "sphere" => cast_sphere(&Sphere::new(of(0.5)).unwrap(), &ball, pose, displacement, options),
        "capsule" => {
            cast_sphere(&Capsule::along_z(of(0.6), of(0.3)).unwrap(), &ball, pose, displacement, options)
        }
        "tile" => cast_sphere(&Tile::new(of(0.8), of(0.5)).unwrap(), &ball, pose, displacement, options),
        "cuboid" => {
            let target = Cuboid { half: corner(0.5, 0.75, 0.6) };
            cast_sphere(&target, &ball, pose, displacement, options)
        }
        "triangle" => {
            let target =
                Triangle { a: corner(0.3, 0.1, -0.5), b: corner(1.0, 0.4, 0.2), c: corner(-0.5, 0.8, 0.6) };
            cast_sphere(&target, &ball, pose, displacement, options)
        }
        other => panic!("no ball is cast at a {other}"),
    }
}

/// The targets of balls, as the zoo has them.
fn ball_targets() -> Vec<Specimen> {
    let names = ["sphere", "capsule", "tile", "cuboid", "triangle"];
    zoo::ordinary().into_iter().filter(|s| names.contains(&s.name)).collect()
}

#[test]
fn balls_are_cast_exactly() {
    fn check<S: Precision>() {
        let balls: Vec<_> = zoo::ordinary().into_iter().take(1).collect();
        each_cast::<S>(&ball_targets(), &balls, cases::count() / 2, |a, b, pose, displacement, options| {
            cast_ball_at(a.name, b, pose, displacement, options)
        });
    }
    check::<f32>();
    check::<f64>();
}

#[test]
fn capsules_are_cast_exactly() {
    let rods: Vec<_> = zoo::ordinary().into_iter().filter(|s| s.name == "capsule").collect();
    each_cast::<f64>(&rods, &rods, cases::count() / 2, |_, _, pose, displacement, options| {
        let rod = Capsule::along_z(f64::from(0.6f32), f64::from(0.3f32)).unwrap();
        cast_capsules(&rod, &rod, pose, displacement, options)
    });
    each_cast::<f32>(&rods, &rods, cases::count() / 2, |_, _, pose, displacement, options| {
        let rod = Capsule::along_z(0.6, 0.3).unwrap();
        cast_capsules(&rod, &rod, pose, displacement, options)
    });
}

/// The ball's cast is the ray of its centre at the shape that is larger by its radius.
#[test]
fn the_cast_of_a_ball_is_the_ray_at_the_grown_shape() {
    let mut numbers = Numbers(31);
    let (ball, rod) = (Sphere::new(0.4).unwrap(), Capsule::along_x(0.7, 0.25).unwrap());
    let options = CastOptions::<f64>::default();
    for _ in 0..cases::count() / 4 {
        let (from, to) = (numbers.vector(4.0), numbers.vector(1.0));
        let ray = Ray::new(from, (to - from) * numbers.between(0.5, 2.0));
        let by_ray = [
            Sphere::new(0.4 + 0.3).unwrap().cast_ray(&ray, 1.0),
            Capsule::along_x(0.7, 0.25 + 0.3).unwrap().cast_ray(&ray, 1.0),
        ];
        let mover = Sphere::new(0.3).unwrap();
        let pose = Pose::new(from, numbers.rotation());
        let by_cast = [
            cast_sphere(&ball, &mover, &pose, ray.direction, &options),
            cast_sphere(&rod, &mover, &pose, ray.direction, &options),
        ];
        for (ray, hit) in by_ray.iter().zip(&by_cast) {
            assert_eq!(ray.is_some(), hit.is_some());
            let (Some(ray), Some(hit)) = (ray, hit) else { continue };
            assert!((ray.t - hit.fraction).abs() < 1e-12, "{} {}", ray.t, hit.fraction);
            assert!(hit.at_start || (ray.normal - hit.normal).length() < 1e-9);
        }
    }
}

#[test]
fn overlaps_at_the_start_have_their_depth() {
    let zoo = zoo::ordinary();
    let options = CastOptions { depth_at_start: true, ..CastOptions::<f64>::default() };
    let mut deep = 0;
    zoo::each_pair::<f64>(&zoo, &zoo, cases::count() / 100, |a, b, pose, tolerance| {
        let pose = Pose::new(pose.translation * 0.4, pose.rotation);
        let Some(hit) = cast(&*a.wide, &*b.wide, &pose, DVec3::X, &options) else { return };
        if !hit.overlaps_at_start() {
            return;
        }
        deep += 1;
        let (normal, on_a) = (hit.normal, hit.point);
        let proximity =
            Proximity { distance: hit.distance, normal, on_a, on_b: on_a + normal * hit.distance };
        // What a depth of round shapes is compared with is a search by small turns.
        let judged = certify(&*a.wide, &*b.wide, &pose, &proximity, tolerance.max(1e-5));
        assert!(judged.is_ok(), "{} in {}: {judged:?} {hit:?}", b.name, a.name);
    });
    assert!(deep > 30, "{deep}");
}

#[test]
fn leaving_is_ignored_if_asked() {
    let (cube, drop) = (Cuboid::cube(1.0).unwrap(), Sphere::new(0.5).unwrap());
    let pose = Pose::at(DVec3::new(1.25, 0.1, 0.2));
    for (direction, expected) in [(DVec3::X, false), (-DVec3::X, true), (DVec3::Y, false)] {
        let ignoring = CastOptions { ignore_leaving: true, ..CastOptions::default() };
        let found = [
            cast(&cube, &drop, &pose, direction, &ignoring),
            cast_sphere(&cube, &drop, &pose, direction, &ignoring),
            cast(&cube, &cube, &pose, direction, &ignoring),
        ];
        let all = [
            cast(&cube, &drop, &pose, direction, &CastOptions::default()),
            cast_sphere(&cube, &drop, &pose, direction, &CastOptions::default()),
        ];
        assert!(found.iter().all(|hit| hit.is_some() == expected), "{direction}: {found:?}");
        assert!(all.iter().all(|hit| hit.is_some_and(|h| h.overlaps_at_start())));
    }
}

#[test]
fn parallel_faces_touch_at_the_right_time() {
    let options = CastOptions::default();
    let cubes = (Cuboid::new(Vec3::new(1.0, 1.0, 1.0)).unwrap(), Polytope::<f32>::cube(1.0).unwrap());
    for offset in [0.0f32, 0.3, 1.0, 1.99, 2.0] {
        let pose = Pose::at(Vec3::new(offset, 10.0, -offset));
        let hits = [
            cast(&cubes.0, &cubes.0, &pose, Vec3::new(0.0, -16.0, 0.0), &options),
            cast(&cubes.1, &cubes.1, &pose, Vec3::new(0.0, -16.0, 0.0), &options),
        ];
        for hit in hits {
            let hit = hit.unwrap();
            assert!((hit.fraction - 0.5).abs() < 1e-6 && (hit.normal - Vec3::Y).length() < 1e-5, "{hit:?}");
        }
        // Beside each other by a hair more than they are wide.
        let beside = Pose::at(Vec3::new(2.001, 10.0, offset));
        assert_eq!(cast(&cubes.0, &cubes.0, &beside, Vec3::new(0.0, -16.0, 0.0), &options), None);
    }
    // Sliding on each other is touching.
    let on_top = Pose::at(Vec3::new(-5.0, 2.0, 0.0));
    let sliding = cast(&cubes.0, &cubes.0, &on_top, Vec3::X * 10.0, &options).unwrap();
    assert!((sliding.fraction - 0.3).abs() < 1e-5, "{sliding:?}");
}

#[test]
fn bullets_hit_walls_from_far_away() {
    let wall = Cuboid::new(Vec3::new(0.005, 10.0, 10.0)).unwrap();
    let options = CastOptions::default();
    for distance in [1.0f32, 1e3, 1e6] {
        let pose = Pose::new(Vec3::new(distance, 0.5, 0.25), Rotation::about_axis(Vec3::Z, 0.3));
        for bullet in [Capsule::along_x(0.01, 0.004).unwrap(), Capsule::along_x(0.0, 0.001).unwrap()] {
            let hit = cast(&wall, &bullet, &pose, Vec3::new(-2.0 * distance, 0.0, 0.0), &options).unwrap();
            assert!((hit.fraction - 0.5).abs() < 0.02 / distance + 1e-6 && hit.normal == Vec3::X, "{hit:?}");
        }
        let ball = Sphere::new(0.004).unwrap();
        let hit = cast_sphere(&wall, &ball, &pose, Vec3::new(-2.0 * distance, 0.0, 0.0), &options).unwrap();
        assert!((hit.fraction - 0.5).abs() < 0.02 / distance + 1e-6 && hit.normal == Vec3::X, "{hit:?}");
    }
}

#[test]
fn grazing_balls_touch_or_pass() {
    let (ball, options) = (Sphere::new(0.5).unwrap(), CastOptions::<f64>::default());
    let edge = Capsule::along_z(1.0, 0.0).unwrap();
    for excess in [-1e-3, -1e-6, -1e-9, 1e-9, 1e-6, 1e-3] {
        let pose = Pose::at(DVec3::new(-3.0, 0.5 + excess, 0.25));
        let hits = [
            cast_sphere(&edge, &ball, &pose, DVec3::X * 6.0, &options),
            cast(&edge, &ball, &pose, DVec3::X * 6.0, &options),
        ];
        for hit in hits {
            // Within rounding of touching, either is right.
            if excess.abs() > 1e-8 {
                assert_eq!(hit.is_some(), excess < 0.0, "{excess:e}: {hit:?}");
            }
            assert!(hit.is_none_or(|h| h.converged && h.fraction <= 0.5 + 1e-3));
        }
    }
}

#[test]
fn tiny_shapes_are_hit_too() {
    let zoo = zoo::scaled(1e-5);
    let options = CastOptions::<f64>::default();
    let mut numbers = Numbers(41);
    for a in &zoo {
        for b in &zoo {
            let from = numbers.vector(1.0).unit().unwrap() * 3e-5;
            let pose = Pose::new(from, numbers.rotation());
            let hit = cast(&*a.wide, &*b.wide, &pose, -from * 2.0, &options).map(|h| wide(&h));
            let case = Case {
                target: &*a.wide,
                mover: &*b.wide,
                pose,
                displacement: -from * 2.0,
                options,
                tolerance: 1e-13,
            };
            let complaint = case.complaint(hit.as_ref());
            assert!(complaint.is_none(), "{} at {}: {complaint:?} {hit:?}", b.name, a.name);
        }
    }
}

#[test]
fn what_is_not_finite_touches_nothing() {
    let (cube, options) = (Cuboid::cube(1.0f32).unwrap(), CastOptions::default());
    for bad in [f32::NAN, f32::INFINITY] {
        let (away, nowhere) = (Pose::at(Vec3::X * 5.0), Pose::at(Vec3::new(bad, 0.0, 0.0)));
        assert_eq!(cast(&cube, &cube, &away, Vec3::new(bad, 0.0, 0.0), &options), None);
        assert_eq!(cast(&cube, &cube, &nowhere, Vec3::X, &options), None);
        assert_eq!(cast_sphere(&cube, &Sphere { radius: 0.5 }, &nowhere, Vec3::X, &options), None);
    }
    // Numbers as large as they come.
    let far = Pose::at(Vec3::splat(f32::MAX));
    let hit = cast(&cube, &cube, &far, Vec3::splat(-f32::MAX), &options);
    assert!(hit.is_none_or(|h| h.fraction.is_finite() && Vector::is_finite(h.point)), "{hit:?}");
}

#[test]
fn a_gap_too_narrow_for_a_normal_is_still_measured() {
    // Drums on one axis, the upper one tilted by so little that its rim all but touches.
    let (lower, upper) = (Cylinder::<f64>::new(0.55, 1.1).unwrap(), Cylinder::<f64>::new(0.2, 1.0).unwrap());
    for (tilt, gap) in [(5e-7, 4.1e-9), (4.7e-8, 1.2e-8), (5e-7, 2e-10), (0.0, 5e-9)] {
        let rotation = Rotation::about_axis(DVec3::new(0.6, 0.8, 0.0), tilt);
        let height = lower.half_length + upper.half_length + upper.radius * tilt + gap;
        let pose = Pose::new(DVec3::new(0.0, 0.0, height), rotation);
        let options = CastOptions { stop_distance: 0.5, ..CastOptions::default() };
        let hit = cast(&lower, &upper, &pose, DVec3::ZERO, &options).unwrap();
        assert!(hit.at_start && (hit.distance - gap).abs() < 1e-9, "{tilt:e} {gap:e}: {hit:?}");
    }
}

/// Long runs found these: the simplex at the touch is as good as flat, and its weights were
/// rounding.
#[test]
fn touches_of_flat_simplices_are_points_of_both() {
    use zoo::{named, ordinary, place_of};
    let cases = [
        (
            ["tile", "cylinder"],
            place_of(
                [0.370_860_591_723_893_4, -4.445_965_190_126_143, -4.793_708_147_361_498],
                [
                    0.550_439_754_929_165,
                    0.594_165_576_535_603_1,
                    0.524_178_073_520_293_4,
                    0.263_098_253_688_977,
                ],
            ),
            DVec3::new(-3.807_336_830_575_659_6, 12.741_076_907_636_023, 12.917_818_511_833_18),
        ),
        (
            ["tile", "cone"],
            place_of(
                [-1.584_943_497_733_812, -4.146_089_465_613_273, -0.492_698_633_781_822_44],
                [
                    0.616_531_620_295_242_1,
                    0.567_656_478_050_458_6,
                    0.442_291_688_778_060_6,
                    -0.319_425_963_474_048_4,
                ],
            ),
            DVec3::new(175_052.904_618_594_88, 508_043.881_035_756_3, -10_948.329_808_764_589),
        ),
        (
            ["cylinder", "tile"],
            place_of(
                [1.0, 1.5, -2.0],
                [
                    4.745_045_041_915_529e-7,
                    -1.985_646_192_727_916_5e-7,
                    -1.580_798_106_075_639_7e-7,
                    0.999_999_999_999_855_2,
                ],
            ),
            DVec3::new(-1.558_047_884_226_526_6, -1.582_793_864_113_823_5, 2.280_217_173_529_405),
        ),
    ];
    for ([target, mover], pose, displacement) in cases {
        let (target, mover) = (named(ordinary(), target), named(ordinary(), mover));
        let options = CastOptions::<f64>::default();
        let hit = general::<f64>(&target, &mover, &pose, displacement, &options);
        let (target, mover) = (&*target.wide, &*mover.wide);
        let size = zoo::tolerance::<f64>(&named(ordinary(), "cone"), &named(ordinary(), "cone"), &pose);
        let tolerance = size + 4.0 * f64::EPSILON * displacement.length();
        let case = Case { target, mover, pose, displacement, options, tolerance };
        assert_eq!(case.complaint(hit.as_ref()), None, "{hit:?}");
    }
}

/// A long run found this: the distance at the start is wrong by more than it should be, as its
/// square hides the rest.
#[test]
fn starts_within_the_stop_distance_are_measured_to_the_last_digits() {
    let (target, mover) = (zoo::named(zoo::ordinary(), "ellipsoid"), zoo::named(zoo::ordinary(), "prism"));
    let pose = zoo::place_of(
        [1.050_000_011_920_929, 0.525_000_005_960_464_5, 0.0],
        [
            0.653_281_482_438_188_4,
            0.270_598_050_073_098_56,
            -0.270_598_050_073_098_5,
            -0.653_281_482_438_188_3,
        ],
    );
    let displacement = DVec3::new(-2.117_537_645_601_947, 0.303_555_994_715_445_03, 0.151_364_536_476_222_56);
    let options = CastOptions { stop_distance: 0.216_742_711_447_774_88, ..CastOptions::<f64>::default() };
    let hit = general::<f64>(&target, &mover, &pose, displacement, &options);
    let tolerance = zoo::tolerance(&target, &mover, &pose);
    let (target, mover) = (&*target.wide, &*mover.wide);
    let case = Case { target, mover, pose, displacement, options, tolerance };
    assert_eq!(case.complaint(hit.as_ref()), None, "{hit:?}");
}
