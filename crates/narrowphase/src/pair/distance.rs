//! Signed distances.

use carom_geometry::{Pose, Shape};
use glam::Vec3;

use super::separation::{is_apart_along_origins, is_apart_from_box};
use super::{PairCache, Unsupported, revolution, solids};
use crate::alternatives::by_method;
use crate::analytic::polytope_capsule;
use crate::dispatch::{Algorithm, Question, algorithm_for};
use crate::support_feature::solid_of;
use crate::vclip::{self, VClip};
use crate::{NarrowMethod, Proximity, analytic, gjk, planar, revolved};

/// The signed distance of two shapes, `pose` being the pose of the second in the frame of the
/// first.
///
/// `None` if the shapes are proved to be farther apart than `max_distance`; for `mpr`, which knows
/// no distances, if they do not touch. The depth of `mpr` is an upper bound, and unless its rays
/// have settled its points may be beside the shapes. The points of `sat` are contact points: those
/// of edges that are nearly parallel may be beside each other by a hundredth of the length.
///
/// ```
/// use carom_geometry::{Pose, Shape, shape::{Cylinder, Sphere}};
/// use carom_narrowphase::{NarrowMethod, pair};
/// use glam::Vec3;
/// let (cylinder, ball) = (Shape::from(Cylinder::new(0.5, 1.0)?), Shape::from(Sphere::new(0.25)?));
/// let pose = Pose::at(Vec3::new(2.0, 0.0, 0.0));
/// let mut cache = pair::PairCache::default();
/// let (limit, method) = (f32::INFINITY, NarrowMethod::Auto);
/// let near = pair::proximity(&cylinder, &ball, &pose, limit, method, &mut cache)?.unwrap();
/// assert_eq!((near.distance, near.normal), (0.75, Vec3::X));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the method has no answer for such shapes.
pub fn proximity(
    a: &Shape,
    b: &Shape,
    pose: &Pose,
    max_distance: f32,
    method: NarrowMethod,
    cache: &mut PairCache,
) -> Result<Option<Proximity>, Unsupported> {
    if method != NarrowMethod::Auto {
        return by_method::proximity(a, b, pose, max_distance, method, cache);
    }
    let algorithm = algorithm_for(Question::Distance, a, b);
    // Formulas first: for round shapes the way to them is a good part of the time.
    if matches!(algorithm, Algorithm::Analytic | Algorithm::SatThenAnalytic) {
        if algorithm == Algorithm::SatThenAnalytic && is_apart_from_box(a, b, pose, max_distance) {
            return Ok(None);
        }
        return analytic::proximity_as(a, b, pose, |found| {
            Ok(found.and_then(|found| within(found, max_distance)))
        });
    }
    by_iteration(algorithm, [a, b], pose, max_distance, cache)
}

#[inline]
fn within(found: Proximity, max_distance: f32) -> Option<Proximity> {
    (found.distance <= max_distance).then_some(found)
}

/// What the table names besides formulas.
fn by_iteration(
    algorithm: Algorithm,
    [a, b]: [&Shape; 2],
    pose: &Pose,
    max_distance: f32,
    cache: &mut PairCache,
) -> Result<Option<Proximity>, Unsupported> {
    if let (Algorithm::VClip, Shape::Polytope(a), Shape::Polytope(b)) = (algorithm, a, b) {
        if cache.witness.is_none() && is_apart_along_origins(&**a, &**b, pose, max_distance) {
            return Ok(None);
        }
        let witness = cache.witness.get_or_insert_with(|| vclip::facing(a, b, pose));
        return Ok(within(VClip::default().proximity(a, b, pose, witness), max_distance));
    }
    if let (Algorithm::PlaneGeometry, Shape::Planar(a), Shape::Planar(b)) = (algorithm, a, b)
        && let Some(found) = planar::proximity(a, b, pose)
    {
        return Ok(within(found, max_distance));
    }
    if cache.simplex.is_empty()
        && let (Some(a), Some(b)) = (solid_of(a), solid_of(b))
        && is_apart_along_origins(a, b, pose, max_distance)
    {
        return Ok(None);
    }
    let found = match algorithm {
        Algorithm::Revolved if revolved::has_few_edges(a) && revolved::has_few_edges(b) => {
            revolution::proximity(a, b, pose, max_distance, cache)
        }
        Algorithm::PolytopeCapsule => beside_capsule(a, b, pose, max_distance),
        _ => None,
    };
    match found {
        Some(found) => Ok(found.ok().and_then(|found| within(found, max_distance))),
        None => gjk_epa(a, b, pose, max_distance, NarrowMethod::Auto, cache),
    }
}

/// A polytope and a capsule whose core is well outside.
#[inline]
fn beside_capsule(a: &Shape, b: &Shape, pose: &Pose, max_distance: f32) -> Option<Result<Proximity, Vec3>> {
    match (a, b) {
        (Shape::Polytope(a), Shape::Capsule(b)) => polytope_capsule::proximity(a, b, pose, max_distance),
        (Shape::Capsule(a), Shape::Polytope(b)) => {
            let back = pose.inverse();
            let found = polytope_capsule::proximity(b, a, &back, max_distance)?;
            Some(match found {
                Ok(near) => Ok(near.swapped(&back)),
                Err(axis) => Err(-pose.rotation.rotate(axis)),
            })
        }
        _ => None,
    }
}

/// GJK, and EPA where cores overlap. Pairs whose support functions dominate are compiled apart.
pub(crate) fn gjk_epa(
    a: &Shape,
    b: &Shape,
    pose: &Pose,
    max_distance: f32,
    method: NarrowMethod,
    cache: &mut PairCache,
) -> Result<Option<Proximity>, Unsupported> {
    let options = gjk::GjkOptions::within(max_distance);
    let simplex = &mut cache.simplex;
    let found = match (a, b) {
        (Shape::Polytope(a), Shape::Polytope(b)) => {
            gjk::proximity_within(&**a, &**b, pose, simplex, &options)
        }
        (Shape::Polytope(a), Shape::Capsule(b)) => gjk::proximity_within(&**a, b, pose, simplex, &options),
        (Shape::Cylinder(a), Shape::Cylinder(b)) => gjk::proximity_within(a, b, pose, simplex, &options),
        _ => {
            let (a, b) = solids(method, a, b)?;
            gjk::proximity_within(a, b, pose, simplex, &options)
        }
    };
    Ok(found.ok())
}
