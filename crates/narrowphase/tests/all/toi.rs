//! Times of impact against samples of the distance, dense where it is small.

use std::f64::consts::PI;

use carom_geometry::{Pose, Real, Vector};
use carom_narrowphase::gjk::{self, Cache, Outcome};
use carom_narrowphase::oracle::Witness;
use carom_narrowphase::toi::{Motion, Toi, ToiOptions, time_of_impact};
use glam::DVec3;

use crate::cases::{self, Numbers};
use crate::zoo::{self, Precision, Specimen};

fn widened<S: Real>(motion: &Motion<S>) -> Motion<f64> {
    Motion {
        start: motion.start.to::<f64>(),
        pivot: motion.pivot.to::<f64>(),
        displacement: motion.displacement.to::<f64>(),
        axis: motion.axis.to::<f64>().unit().unwrap_or(DVec3::X),
        angle: motion.angle.to_f64(),
    }
}

/// Two moving shapes.
struct Pair<'p> {
    shapes: [&'p dyn Witness; 2],
    motions: [Motion<f64>; 2],
    /// Bound on the speed of any point relative to any of the other.
    speed: f64,
    cache: Cache<f64>,
}

impl<'p> Pair<'p> {
    fn new(a: &'p dyn Witness, size_a: f64, b: &'p dyn Witness, size_b: f64, motions: [Motion<f64>; 2]) -> Self {
        let apart = (motions[1].displacement - motions[0].displacement).length();
        let turning = |m: &Motion<f64>, size: f64| m.angle * (size * 1.5 + m.pivot.length());
        let speed = apart + turning(&motions[0], size_a) + turning(&motions[1], size_b);
        Self { shapes: [a, b], motions, speed, cache: Cache::new() }
    }

    fn distance(&mut self, t: f64) -> f64 {
        let place = self.motions[0].at(t).relative(&self.motions[1].at(t));
        let found =
            gjk::distance(self.shapes[0], self.shapes[1], &place, &mut self.cache, &gjk::Options::default());
        match found {
            Outcome::Near(found) => found.distance,
            _ => 0.0,
        }
    }

    /// The first sample closer than `limit` before `end`, if there is one. Samples are so dense that nothing happens between
    /// them, or `1 / finest` apart.
    fn first_closer_than(&mut self, limit: f64, end: f64, finest: f64) -> Option<(f64, f64)> {
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

fn random_motion<S: Real>(numbers: &mut Numbers, place: &Pose<f64>, towards: DVec3, size: f64) -> Motion<S> {
    let place = place.to::<S>();
    let aim = towards - place.translation.to::<f64>();
    let displacement = match numbers.below(6) {
        0 => DVec3::ZERO,
        1 => numbers.vector(3.0 * size),
        2 => aim * 30.0,
        _ => aim * numbers.between(0.3, 2.0),
    };
    let turn = match numbers.below(6) {
        0 => DVec3::ZERO,
        1 => numbers.vector(1e-3),
        2 => DVec3::AXES[numbers.below(3) as usize] * PI,
        _ => numbers.vector(1.0).unit().unwrap_or(DVec3::X) * numbers.between(0.0, PI),
    };
    let pivot = if numbers.below(3) == 0 { numbers.vector(size * 0.5) } else { DVec3::ZERO };
    Motion::turning(&place, pivot.to::<S>(), displacement.to::<S>(), turn.to::<S>())
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
                let place = numbers.place(2.5 * size);
                let aim = numbers.vector(0.4 * size);
                let start_a = Pose::new(DVec3::ZERO, numbers.rotation());
                let motion_a = if numbers.below(2) == 0 {
                    Motion::turning(&start_a.to::<S>(), S::Vec3::ZERO, S::Vec3::ZERO, S::Vec3::ZERO)
                } else {
                    random_motion::<S>(&mut numbers, &start_a, aim, a.size)
                };
                let motion_b = random_motion::<S>(&mut numbers, &place, aim, b.size);
                let outcome = time_of_impact(S::shape(a), &motion_a, S::shape(b), &motion_b, &options);
                let motions = [widened(&motion_a), widened(&motion_b)];
                let mut pair = Pair::new(&*a.wide, a.size, &*b.wide, b.size, motions);
                let rounding = S::TOLERANCE * (size + place.translation.length())
                    + 4.0 * S::EPSILON.to_f64() * pair.speed;
                let say = |what: String| format!("{} and {}: {what}\n{motion_a:?}\n{motion_b:?}", a.name, b.name);
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
                        let low = if t > 0.0 { target - rounding } else { 0.0 };
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
