//! Whether shapes touch.

use carom_geometry::{Pose, Shape};

use super::separation::is_apart_along_origins;
use super::{PairCache, Unsupported, solids};
use crate::alternatives::by_method;
use crate::dispatch::{Algorithm, Question, algorithm_for};
use crate::support_feature::solid_of;
use crate::vclip::{self, VClip};
use crate::{NarrowMethod, analytic, gjk, planar};

/// Do two shapes touch?
///
/// # Errors
/// If the method has no answer for such shapes.
pub fn touches(
    a: &Shape,
    b: &Shape,
    pose: &Pose,
    method: NarrowMethod,
    cache: &mut PairCache,
) -> Result<bool, Unsupported> {
    if method != NarrowMethod::Auto {
        return by_method::touches(a, b, pose, method, cache);
    }
    let algorithm = algorithm_for(Question::Overlap, a, b);
    if algorithm == Algorithm::Analytic {
        return analytic::touches(a, b, pose).ok_or_else(|| Unsupported::new(method, a, b));
    }
    if let (Algorithm::PlaneGeometry, Shape::Planar(a), Shape::Planar(b)) = (algorithm, a, b)
        && let Some(found) = planar::proximity(a, b, pose)
    {
        return Ok(found.distance <= 0.0);
    }
    if cache.simplex.is_empty()
        && let (Some(a), Some(b)) = (solid_of(a), solid_of(b))
        && is_apart_along_origins(a, b, pose, 0.0)
    {
        return Ok(false);
    }
    if let (Algorithm::VClip, Shape::Polytope(a), Shape::Polytope(b)) = (algorithm, a, b) {
        let seed = cache.witness.unwrap_or_else(|| vclip::facing(a, b, pose));
        let answer = VClip::default().solve(a, b, pose, seed);
        cache.witness = Some(answer.witness);
        return Ok(answer.is_penetrating());
    }
    let (a, b) = solids(method, a, b)?;
    Ok(gjk::intersects(a, b, pose, &mut cache.simplex))
}
