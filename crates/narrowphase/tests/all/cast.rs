//! Casts against distances along the way.
//!
//! The distance of two convex sets, one of which moves evenly, is a convex function of time. So a hit is right if the distance
//! there is the one asked for, which the judge certifies, and greater before; and a miss is right if the least distance is
//! greater, which halving finds.

use carom_geometry::mesh::MeshOptions;
use carom_geometry::primitive::{Ray, Triangle};
use carom_geometry::shape::{
    Capsule, Child, Compound, Cuboid, HalfSpace, RayCast, Shape, Sphere, Tile,
};
use carom_geometry::{HeightField, Mesh, Polytope, Pose, Rotation, Vector};
use carom_narrowphase::cast::{
    CastHit, CastOptions, Grown, cast, cast_capsules, cast_on_half_space, cast_on_surface, cast_shape, cast_sphere,
};
use carom_narrowphase::gjk::{self, Cache, Outcome};
use carom_narrowphase::oracle::{Witness, certify_claims};
use carom_narrowphase::Proximity;
use glam::{DVec3, Vec3};

use crate::cases::{self, Numbers};
use crate::zoo::{self, Precision, Specimen};

/// Zero or more: what is below zero of overlapping shapes does not matter here.
fn distance(a: &dyn Witness, b: &dyn Witness, place: &Pose<f64>) -> f64 {
    match gjk::distance(a, b, place, &mut Cache::new(), &gjk::Options::default()) {
        Outcome::Near(found) => found.distance.max(0.0),
        Outcome::Overlapping => 0.0,
        Outcome::Separated { .. } => unreachable!("no limit was set"),
    }
}

/// A cast with everything in double precision.
struct Case<'c> {
    target: &'c dyn Witness,
    mover: &'c dyn Witness,
    place: Pose<f64>,
    displacement: DVec3,
    options: CastOptions<f64>,
    tolerance: f64,
}

impl Case<'_> {
    fn place_at(&self, t: f64) -> Pose<f64> {
        Pose::new(self.place.translation + self.displacement * t, self.place.rotation)
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
        let proximity = Proximity { distance: hit.distance, normal, on_a, on_b: on_a + normal * hit.distance };
        let place = self.place_at(hit.fraction);
        certify_claims(self.target, self.mover, &place, &proximity, tolerance).err().map(|c| c.to_string())
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

/// Places up to three sizes away and displacements of all sorts, most of them roughly at the target.
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
        let translation = near.translation.to::<f64>() + if numbers.below(6) == 0 { DVec3::ZERO } else { away };
        let place = Pose::<S>::new(translation.to::<S>(), near.rotation);
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
        let hit = run(a, b, &place, displacement, &options).map(|hit| wide(&hit));
        // The fraction is rounded, which shifts the mover.
        let rounding = 4.0 * S::EPSILON.to_f64() * displacement.to::<f64>().length();
        let case = Case {
            target: &*a.wide,
            mover: &*b.wide,
            place: zoo::wide_place(&place),
            displacement: displacement.to::<f64>(),
            options: wide_options(&options),
            tolerance: S::TOLERANCE * (size + translation.length()) + rounding,
        };
        let complaint = case.complaint(hit.as_ref());
        assert!(
            complaint.is_none(),
            "{} at {}: {}\n{place:?}\n{displacement:?}\n{options:?}\n{hit:?}",
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
    place: &Pose<S>,
    displacement: S::Vec3,
    options: &CastOptions<S>,
) -> Option<CastHit<S>> {
    cast(S::shape(a), S::shape(b), place, displacement, options)
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
