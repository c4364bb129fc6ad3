//! Any two convex shapes by a method that the caller names, for comparisons. The engine asks for
//! [`NarrowMethod::Auto`], which never comes here.

use carom_geometry::{Pose, Shape};
use glam::Vec3;

use super::mpr;
use crate::pair::{ManifoldQuery, PairCache, Scratch, Unsupported, gjk_epa, solids};
use crate::sat::Tolerances;
use crate::vclip::{self, VClip};
use crate::{Manifold, NarrowMethod, Proximity, analytic, gjk};

/// [`pair::proximity`](crate::pair::proximity) by a method of one's choice.
#[inline(never)]
pub(crate) fn proximity(
    a: &Shape,
    b: &Shape,
    pose: &Pose,
    max_distance: f32,
    method: NarrowMethod,
    cache: &mut PairCache,
) -> Result<Option<Proximity>, Unsupported> {
    let unsupported = || Unsupported::new(method, a, b);
    let within = |found: Proximity| (found.distance <= max_distance).then_some(found);
    match method {
        NarrowMethod::Auto => crate::pair::proximity(a, b, pose, max_distance, method, cache),
        NarrowMethod::Analytic => Ok(within(analytic::proximity(a, b, pose).ok_or_else(unsupported)?)),
        NarrowMethod::GjkEpa => gjk_epa(a, b, pose, max_distance, method, cache),
        NarrowMethod::Mpr => {
            let (a, b) = solids(method, a, b)?;
            let found = mpr::penetration(a, b, pose, mpr::DEFAULT_RAYS);
            Ok(found.map(|found| spread(-found.depth, found.normal, [found.on_a, found.on_b])))
        }
        NarrowMethod::VClip => match (a, b) {
            (Shape::Polytope(a), Shape::Polytope(b)) => {
                let witness = cache.witness.get_or_insert_with(|| vclip::facing(a, b, pose));
                Ok(within(VClip::default().proximity(a, b, pose, witness)))
            }
            _ => Err(unsupported()),
        },
        NarrowMethod::Sat => {
            let tolerances = Tolerances { speculative_distance: max_distance, slop: 0.0 };
            let (mut contact, mut scratch) = (Manifold::default(), Scratch::default());
            let query = ManifoldQuery { a, b, pose, tolerances };
            if !query.by_separating_axes(cache, &mut scratch, &mut contact) {
                return Err(unsupported());
            }
            let deepest = contact.points().iter().min_by(|p, q| p.separation.total_cmp(&q.separation));
            Ok(deepest
                .map(|point| spread(point.separation, contact.normal, [point.on_a, pose.apply(point.on_b)])))
        }
    }
}

/// An answer from two points that are to be so far apart along the normal, and may be beside each
/// other: both are moved by the same.
fn spread(distance: f32, normal: Vec3, [on_a, on_b]: [Vec3; 2]) -> Proximity {
    let (middle, half) = ((on_a + on_b) * 0.5, normal * (0.5 * distance));
    Proximity { distance, normal, on_a: middle - half, on_b: middle + half }
}

/// [`pair::touches`](crate::pair::touches) by a method of one's choice.
#[inline(never)]
pub(crate) fn touches(
    a: &Shape,
    b: &Shape,
    pose: &Pose,
    method: NarrowMethod,
    cache: &mut PairCache,
) -> Result<bool, Unsupported> {
    let unsupported = || Unsupported::new(method, a, b);
    match method {
        NarrowMethod::Auto => crate::pair::touches(a, b, pose, method, cache),
        NarrowMethod::Analytic => analytic::touches(a, b, pose).ok_or_else(unsupported),
        NarrowMethod::GjkEpa => match (a, b) {
            (Shape::Polytope(a), Shape::Polytope(b)) => {
                Ok(gjk::intersects(&**a, &**b, pose, &mut cache.simplex))
            }
            _ => {
                let (a, b) = solids(method, a, b)?;
                Ok(gjk::intersects(a, b, pose, &mut cache.simplex))
            }
        },
        NarrowMethod::Mpr => {
            let (a, b) = solids(method, a, b)?;
            Ok(mpr::touches(a, b, pose))
        }
        NarrowMethod::VClip => match (a, b) {
            (Shape::Polytope(a), Shape::Polytope(b)) => {
                let seed = cache.witness.unwrap_or_else(|| vclip::facing(a, b, pose));
                let answer = VClip::default().solve(a, b, pose, seed);
                cache.witness = Some(answer.witness);
                Ok(answer.is_penetrating())
            }
            _ => Err(unsupported()),
        },
        NarrowMethod::Sat => {
            Ok(proximity(a, b, pose, 0.0, method, cache)?.is_some_and(|found| found.distance <= 0.0))
        }
    }
}

/// [`pair::manifold`](crate::pair::manifold) by a method of one's choice.
#[inline(never)]
pub(crate) fn manifold(
    query: &ManifoldQuery<'_>,
    method: NarrowMethod,
    cache: &mut PairCache,
    scratch: &mut Scratch,
    contact: &mut Manifold,
) -> Result<(), Unsupported> {
    let ManifoldQuery { a, b, pose, tolerances } = *query;
    let speculative_distance = tolerances.speculative_distance;
    if method == NarrowMethod::Analytic && analytic::manifold(a, b, pose, speculative_distance, contact) {
        return Ok(());
    }
    if method == NarrowMethod::Sat {
        let is_done = query.by_separating_axes(cache, scratch, contact);
        return if is_done { Ok(()) } else { Err(Unsupported::new(method, a, b)) };
    }
    let near = proximity(a, b, pose, speculative_distance, method, cache)?;
    query.clip_near(method, near, scratch, contact)
}
