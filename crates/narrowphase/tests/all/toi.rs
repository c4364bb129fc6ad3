//! Times of impact against samples of the distance, dense where it is small.

use std::f64::consts::PI;

use carom_geometry::mesh::{MeshOptions, generate};
use carom_geometry::primitive::Triangle;
use carom_geometry::shape::{Bounded, Capsule, Cuboid, Cylinder, Sphere};
use carom_geometry::{HeightField, Mesh, Pose, Real, Rotation, Vector};
use carom_narrowphase::Convex;
use carom_narrowphase::cast::Surface;
use carom_narrowphase::gjk::{self, GjkOutcome, SimplexCache};
use carom_narrowphase::oracle::OracleShape;
use carom_narrowphase::toi::{Motion, Toi, ToiOptions, time_of_impact, time_of_impact_on_surface};
use glam::{DVec3, Vec3};

use crate::cases::{self, Numbers};
use crate::zoo::{self, Precision, Specimen};

/// A motion in double precision that turns without stretching: rotations and axes of single
/// precision are of unit length but for 10⁻⁷, which is much where something large turns.
pub(crate) fn rigid<S: Real>(motion: &Motion<S>) -> Motion<f64> {
    let mut wide = motion.to::<f64>();
    wide.start.rotation = wide.start.rotation.normalised();
    wide.axis = wide.axis.unit().unwrap_or(DVec3::X);
    wide
}

/// Two moving shapes.
pub(crate) struct Pair<'p> {
    shapes: [&'p dyn OracleShape; 2],
    motions: [Motion<f64>; 2],
    /// Bound on the speed of any point relative to any of the other.
    pub(crate) speed: f64,
    cache: SimplexCache<f64>,
}

impl<'p> Pair<'p> {
    pub(crate) fn new(
        a: &'p dyn OracleShape,
        size_a: f64,
        b: &'p dyn OracleShape,
        size_b: f64,
        motions: [Motion<f64>; 2],
    ) -> Self {
        let apart = (motions[1].displacement - motions[0].displacement).length();
        let turning = |m: &Motion<f64>, size: f64| m.angle * (size * 1.5 + m.pivot.length());
        let speed = apart + turning(&motions[0], size_a) + turning(&motions[1], size_b);
        Self { shapes: [a, b], motions, speed, cache: SimplexCache::new() }
    }

    pub(crate) fn distance(&mut self, t: f64) -> f64 {
        let pose = self.motions[0].at(t).relative(&self.motions[1].at(t));
        let found = gjk::distance(
            self.shapes[0],
            self.shapes[1],
            &pose,
            &mut self.cache,
            &gjk::GjkOptions::default(),
        );
        match found {
            GjkOutcome::Near(found) => found.distance,
            _ => 0.0,
        }
    }

    /// The first sample closer than `limit` before `end`, if there is one. Samples are so dense
    /// that nothing happens between them, or `1 / finest` apart.
    pub(crate) fn first_closer_than(&mut self, limit: f64, end: f64, finest: f64) -> Option<(f64, f64)> {
        let mut t = 0.0;
        while t < end {
            let distance = self.distance(t);
            if distance < limit {
                return Some((t, distance));
            }
            t += ((distance - limit) / (self.speed + 1e-30)).max(1.0 / finest);
        }
        None
    }
}

fn random_motion<S: Real>(numbers: &mut Numbers, pose: &Pose<f64>, towards: DVec3, size: f64) -> Motion<S> {
    let pose = pose.to::<S>();
    let aim = towards - pose.translation.to::<f64>();
    let displacement = match numbers.below(6) {
        0 => DVec3::ZERO,
        1 => numbers.vector(3.0 * size),
        2 => aim * 30.0,
        _ => aim * numbers.between(0.3, 2.0),
    };
    let rotation = match numbers.below(6) {
        0 => DVec3::ZERO,
        1 => numbers.vector(1e-3),
        2 => DVec3::AXES[numbers.below(3) as usize] * PI,
        _ => numbers.vector(1.0).unit().unwrap_or(DVec3::X) * numbers.between(0.0, PI),
    };
    let pivot = if numbers.below(3) == 0 { numbers.vector(size * 0.5) } else { DVec3::ZERO };
    Motion::rotating(&pose, pivot.to::<S>(), displacement.to::<S>(), rotation.to::<S>())
}

fn check_all_pairs<S: Precision>(zoo: &[Specimen], cases: u32) {
    let mut numbers = Numbers(21);
    let (mut hits, mut separated) = (0u32, 0u32);
    let options = ToiOptions::<S>::default();
    let (target, tolerance) = (options.target_distance.to_f64(), options.tolerance.to_f64());
    let per_pair = (cases as usize).div_ceil(zoo.len() * zoo.len());
    for a in zoo {
        for b in zoo {
            for _ in 0..per_pair {
                let size = a.size + b.size + 0.1;
                let pose = numbers.pose(2.5 * size);
                let aim = numbers.vector(0.4 * size);
                let start_a = Pose::new(DVec3::ZERO, numbers.rotation());
                let motion_a = if numbers.below(2) == 0 {
                    Motion::rotating(&start_a.to::<S>(), S::Vec3::ZERO, S::Vec3::ZERO, S::Vec3::ZERO)
                } else {
                    random_motion::<S>(&mut numbers, &start_a, aim, a.size)
                };
                let motion_b = random_motion::<S>(&mut numbers, &pose, aim, b.size);
                let outcome = time_of_impact(S::shape(a), &motion_a, S::shape(b), &motion_b, &options);
                let motions = [rigid(&motion_a), rigid(&motion_b)];
                let mut pair = Pair::new(&*a.wide, a.size, &*b.wide, b.size, motions);
                let rounding = S::TOLERANCE * (size + pose.translation.length())
                    + 4.0 * S::EPSILON.to_f64() * pair.speed;
                let say =
                    |what: String| format!("{} and {}: {what}\n{motion_a:?}\n{motion_b:?}", a.name, b.name);
                let end = match outcome {
                    Toi::Separated => {
                        separated += 1;
                        1.0
                    }
                    Toi::Hit { t, proximity } => {
                        hits += 1;
                        let t = t.to_f64();
                        let distance = pair.distance(t);
                        let told = proximity.distance.to_f64();
                        assert!(proximity.is_finite() && (0.0..=1.0).contains(&t));
                        assert!((told - distance).abs() <= rounding, "{}", say(format!("{told} {distance}")));
                        let low = if t > 0.0 { target } else { 0.0 } - rounding;
                        let high = target + tolerance + rounding;
                        assert!((low..=high).contains(&distance), "{}", say(format!("{distance} at {t}")));
                        t
                    }
                    Toi::Overlapping => {
                        assert!(pair.distance(0.0) <= rounding, "{}", say("no overlap".to_owned()));
                        0.0
                    }
                    Toi::NotConverged { t } => panic!("{}", say(format!("gave up at {t}"))),
                };
                let sooner = pair.first_closer_than(target - rounding, end, 256.0);
                assert!(sooner.is_none(), "{}", say(format!("{outcome:?}, but {sooner:?}")));
            }
        }
    }
    let total = (per_pair * zoo.len() * zoo.len()) as u32;
    assert!(hits * 5 > total && separated * 5 > total, "{hits} {separated} of {total}");
}

#[test]
fn nothing_is_passed_through_in_single_precision() {
    check_all_pairs::<f32>(&zoo::ordinary(), cases::count());
}

#[test]
fn nothing_is_passed_through_in_double_precision() {
    check_all_pairs::<f64>(&zoo::ordinary(), cases::count());
}

#[test]
fn degenerate_shapes_are_not_passed_through() {
    let mut zoo = zoo::degenerate();
    zoo.extend(zoo::ordinary().into_iter().take(4));
    check_all_pairs::<f64>(&zoo, cases::count() / 4);
    check_all_pairs::<f32>(&zoo, cases::count() / 4);
}

fn still() -> Motion<f32> {
    Motion::rotating(&Pose::IDENTITY, Vec3::ZERO, Vec3::ZERO, Vec3::ZERO)
}

fn hit_time(outcome: Toi<f32>) -> f32 {
    match outcome {
        Toi::Hit { t, .. } => t,
        other => panic!("{other:?}"),
    }
}

/// A rod of a metre that spins about its middle beside a wall meets it when its end comes round: at
/// an angle that can be worked out, whatever the number of turns in the step.
#[test]
fn spinning_rods_are_caught() {
    let (wall, options) = (Cuboid::new(Vec3::new(0.1, 5.0, 5.0)).unwrap(), ToiOptions::default());
    let rod = Capsule::along_y(1.0, 0.05).unwrap();
    for rotations in [0.25f32, 0.5, 1.0, 5.0, 50.0] {
        for gap in [0.2f32, 0.5, 0.9] {
            let start = Pose::at(Vec3::new(0.1 + 0.05 + gap, 0.0, 0.0));
            let spin = Vec3::Z * rotations * std::f32::consts::TAU;
            let motion = Motion::rotating(&start, Vec3::ZERO, Vec3::ZERO, spin);
            let t = hit_time(time_of_impact(&wall, &still(), &rod, &motion, &options));
            // The end of the segment has come nearer by its sine.
            let angle = f64::from(t * rotations) * 2.0 * PI;
            let distance = f64::from(gap) - angle.sin();
            assert!(
                angle < PI / 2.0 && (0.0049..=0.0064).contains(&distance),
                "{rotations} {gap}: {t} {distance}"
            );
        }
        // Out of reach.
        let start = Pose::at(Vec3::new(0.1 + 0.05 + 1.01, 0.0, 0.0));
        let motion =
            Motion::rotating(&start, Vec3::ZERO, Vec3::ZERO, Vec3::Z * rotations * std::f32::consts::TAU);
        assert_eq!(time_of_impact(&wall, &still(), &rod, &motion, &options), Toi::Separated, "{rotations}");
    }
}

/// A kilometre per second through a wall of a centimetre, at 60 steps per second, tumbling.
#[test]
fn bullets_do_not_pass_walls() {
    let wall = Cuboid::new(Vec3::new(0.005, 5.0, 5.0)).unwrap();
    let options = ToiOptions { target_distance: 0.001, tolerance: 0.000_25, ..ToiOptions::default() };
    let mut numbers = Numbers(61);
    for round in 0..cases::count() / 10 {
        let from = Vec3::new(numbers.between(-16.0, -0.1) as f32, numbers.between(-1.0, 1.0) as f32, 0.3);
        let start = Pose::new(from, numbers.rotation().to::<f32>());
        let flight = Vec3::new(1000.0 / 60.0, 0.0, 0.0);
        let spin = if round % 2 == 0 { numbers.vector(20.0).to::<f32>() } else { Vec3::ZERO };
        let motion = Motion::rotating(&start, Vec3::ZERO, flight, spin);
        let (rod, ball) = (Capsule::along_z(0.015, 0.004).unwrap(), Sphere::new(0.004).unwrap());
        for (t, reach) in [
            (hit_time(time_of_impact(&wall, &still(), &rod, &motion, &options)), 0.015 + 0.004),
            (hit_time(time_of_impact(&wall, &still(), &ball, &motion, &options)), 0.004),
        ] {
            let x = from.x + flight.x * t;
            assert!(x < -0.005 - 0.004 && x > -0.005 - reach - 0.001_26, "{from} {spin}: {t} {x}");
        }
    }
}

/// The end of a cylinder turns along a capsule, just outside of the tolerance: axes fixed in space
/// are used up after half a thousandth of the motion.
#[test]
fn a_face_that_turns_along_a_shape_does_not_stall_the_search() {
    let (rod, drum) = (Capsule::along_z(0.6, 0.3).unwrap(), Cylinder::new(0.7, 0.5).unwrap());
    let rotated = |xyz: Vec3, w: f32| Rotation { xyz, w };
    let rest =
        Pose::new(Vec3::ZERO, rotated(Vec3::new(0.908_432_8, 0.248_204_62, -0.195_054_68), 0.274_040_37));
    let resting = Motion::rotating(&rest, Vec3::ZERO, Vec3::ZERO, Vec3::ZERO);
    let start = Pose::new(
        Vec3::new(-1.714_495_7, -3.454_575_8, -2.617_984_3),
        rotated(Vec3::new(0.270_598_05, -0.270_598_05, -0.653_281_5), -0.653_281_5),
    );
    let passing = Motion {
        start,
        pivot: Vec3::ZERO,
        displacement: Vec3::new(3.499_620_4, 4.928_591, 5.410_81),
        axis: Vec3::new(-0.343_686_1, -0.085_759_096, 0.935_160_5),
        angle: 2.795_144_8,
    };
    let outcome = time_of_impact(&rod, &resting, &drum, &passing, &ToiOptions::default());
    assert!(matches!(outcome, Toi::Hit { .. } | Toi::Separated), "{outcome:?}");
}

#[test]
fn resting_bodies_are_left_in_peace() {
    let (ground, cube) = (Cuboid::new(Vec3::new(10.0, 1.0, 10.0)).unwrap(), Cuboid::cube(0.5).unwrap());
    let options = ToiOptions::default();
    // At the target distance, sinking by gravity in a step: stopped at once, and not called an
    // overlap.
    for gap in [0.002f32, 0.005, 0.006] {
        let start = Pose::at(Vec3::new(2.0, 1.5 + gap, 0.0));
        let motion = Motion::rotating(&start, Vec3::ZERO, -Vec3::Y * 0.003, Vec3::ZERO);
        let turning = Motion::rotating(&start, Vec3::ZERO, -Vec3::Y * 0.003, Vec3::Y * 0.1);
        for motion in [motion, turning] {
            let t = hit_time(time_of_impact(&ground, &still(), &cube, &motion, &options));
            assert!(t * 0.003 <= 0.0011, "{gap}: {t}");
        }
    }
    // A little higher, spinning about the vertical and sliding: nothing happens, however long.
    let start = Pose::at(Vec3::new(-5.0, 1.51, 0.0));
    let sliding = Motion::rotating(&start, Vec3::ZERO, Vec3::X * 10.0, Vec3::Y * 20.0);
    assert_eq!(time_of_impact(&ground, &still(), &cube, &sliding, &options), Toi::Separated);
    let sunk = Motion::rotating(&Pose::at(Vec3::Y * 1.4), Vec3::ZERO, Vec3::X, Vec3::Y);
    assert_eq!(time_of_impact(&ground, &still(), &cube, &sunk, &options), Toi::Overlapping);
}

#[test]
fn a_search_that_is_cut_off_says_how_far_it_came() {
    let (wall, rod) = (Cuboid::new(Vec3::new(0.1, 5.0, 5.0)).unwrap(), Capsule::along_y(1.0, 0.05).unwrap());
    let start = Pose::at(Vec3::new(0.9, 0.0, 0.0));
    let motion = Motion::rotating(&start, Vec3::ZERO, Vec3::ZERO, Vec3::new(0.3, 0.2, 3.0));
    let right = hit_time(time_of_impact(&wall, &still(), &rod, &motion, &ToiOptions::default()));
    for max_iterations in 0..3 {
        let options = ToiOptions { max_iterations, ..ToiOptions::default() };
        match time_of_impact(&wall, &still(), &rod, &motion, &options) {
            Toi::NotConverged { t } => assert!(t <= right),
            Toi::Hit { t, .. } => assert_eq!(t, right),
            other => panic!("{other:?}"),
        }
    }
    let nothing = ToiOptions { max_iterations: 0, ..ToiOptions::default() };
    assert_eq!(time_of_impact(&wall, &still(), &rod, &motion, &nothing), Toi::NotConverged { t: 0.0 });
    let nowhere = Motion { displacement: Vec3::splat(f32::NAN), ..motion };
    let lost = time_of_impact(&wall, &still(), &rod, &nowhere, &ToiOptions::default());
    assert_eq!(lost, Toi::NotConverged { t: 0.0 });
}

/// Nothing comes closer before the time found, and the triangle found is close then.
fn check_surface<T: Surface, B: Convex<f32> + Bounded<f32>, W: OracleShape>(
    surface: &T,
    count: u32,
    shapes: (&B, &W),
    seed: u64,
) -> u32 {
    let (mut numbers, mut hits) = (Numbers(seed), 0);
    let options = ToiOptions::default();
    let corners = |k: u32| surface.triangle(k).corners().map(Vector::to::<f64>);
    let triangles: Vec<_> = (0..count).map(corners).map(|[a, b, c]| Triangle::new(a, b, c)).collect();
    for _ in 0..cases::count() / 200 {
        let pose = Pose::new(numbers.vector(3.0), numbers.rotation());
        let aim = numbers.vector(0.8);
        let motion = random_motion::<f32>(&mut numbers, &pose, aim, 1.0);
        let found = time_of_impact_on_surface(surface, shapes.0, &motion, &options);
        let beside = |k: usize| {
            Pair::new(&triangles[k], 0.0, shapes.1, 1.0, [still().to::<f64>(), motion.to::<f64>()])
        };
        let end = match found.outcome {
            Toi::Separated => 1.0,
            Toi::Hit { t, .. } => {
                hits += 1;
                let distance = beside(found.triangle.unwrap() as usize).distance(f64::from(t));
                assert!(distance < 0.0063 && (t == 0.0 || distance > 0.0049), "{distance}");
                f64::from(t)
            }
            Toi::Overlapping => {
                assert!(beside(found.triangle.unwrap() as usize).distance(0.0) < 1e-5);
                continue;
            }
            Toi::NotConverged { t } => panic!("gave up at {t}: {motion:?}"),
        };
        for k in 0..triangles.len() {
            let sooner = beside(k).first_closer_than(0.0049, end, 256.0);
            assert!(sooner.is_none(), "{found:?} but {sooner:?}: {motion:?}");
        }
    }
    hits
}

#[test]
fn surfaces_are_met_at_the_first_of_their_triangles() {
    let (vertices, triangles) = generate::torus(1.5, 0.5, 16, 8);
    let torus = Mesh::new(vertices, triangles, &MeshOptions::default()).unwrap();
    let count = torus.triangle_count() as u32;
    let plate = Cuboid::new(Vec3::new(0.3, 0.5, 0.1)).unwrap();
    let (ball, rod) = (Sphere::new(0.3).unwrap(), Capsule::along_x(0.6, 0.1).unwrap());
    let mut hits = check_surface(&torus, count, (&plate, &plate.to::<f64>()), 71);
    hits += check_surface(&torus, count, (&ball, &ball.to::<f64>()), 72);
    let height = |k: u32| ((k % 9) as f32 * 0.7).sin() * 0.4;
    let hills = HeightField::new(9, 9, (0..81).map(height).collect(), [0.5, 0.5]).unwrap();
    let count = hills.triangle_count() as u32;
    hits += check_surface(&hills, count, (&rod, &rod.to::<f64>()), 73);
    assert!(hits > 40, "{hits}");
}

#[test]
fn times_of_impact_allocate_nothing() {
    let zoo = zoo::ordinary();
    let (vertices, triangles) = generate::torus(1.5, 0.5, 16, 8);
    let torus = Mesh::new(vertices, triangles, &MeshOptions::default()).unwrap();
    let rod = Capsule::along_x(0.6, 0.1).unwrap();
    let start = Pose::at(Vec3::new(1.5, 3.0, 0.0));
    let motion = Motion::rotating(&start, Vec3::ZERO, -Vec3::Y * 4.0, Vec3::new(1.0, 2.0, 0.5));
    let measured = allocation_counter::measure(|| {
        for shape in &zoo {
            let outcome = time_of_impact(&rod, &still(), &*shape.narrow, &motion, &ToiOptions::default());
            assert!(!matches!(outcome, Toi::NotConverged { .. }));
        }
        let outcome = time_of_impact_on_surface(&torus, &rod, &motion, &ToiOptions::default()).outcome;
        assert!(matches!(outcome, Toi::Hit { .. }));
    });
    assert_eq!(measured.count_total, 0);
}
