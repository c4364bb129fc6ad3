//! Minkowski portal refinement: do two shapes touch, and about how deep?
//!
//! From a point inside the [Minkowski difference](crate::gjk) a ray goes through the origin. A
//! triangle of support points that the ray passes through, the *portal*, is pushed out to the
//! surface: if the origin comes to lie inside, the shapes touch. There the normal of the portal is
//! a direction in which the shapes can be parted, and how far the difference reaches along it is
//! how deep they overlap **in that direction**: an upper bound of the depth, not the depth.
//! Shooting again from the origin along the normal found gives a bound that is never worse, and
//! when nothing improves any more the depth is a local minimum: the shortest way out among all
//! directions close to it ([`penetration`]).
//!
//! Unlike the other algorithms this one sees the rounded surface and not the cores, so each support
//! point of a shape with a radius costs a square root. A difference without volume (two tiles in
//! one plane) has no inside to start from; such pairs are handed to [`gjk`](crate::gjk::proximity).
//!
//! Reference: G. Snethen, "XenoCollide: complex collision made simple", Game Programming Gems 7
//! (2008).

use carom_geometry::{Pose, Real, Vector};
use glam::DVec3;

use crate::epa::portal::{self, Portal};
use crate::gjk::cache::Hints;
use crate::gjk::difference::{Difference, Vertex};
use crate::gjk::{self, SimplexCache, default_tolerance};
use crate::{Convex, Proximity};

/// Steps of finding a first portal before the pair is called degenerate. The tests need up to 12.
const MAX_DISCOVERY: u32 = 64;

/// Sines below this are rounding: the difference is flat there.
const FLAT: f64 = 1e-12;

/// How many tolerances beyond a portal the origin may be to count as in it.
const BEYOND: f64 = 16.0;

/// Rays that [`penetration`] shoots by default.
pub const DEFAULT_RAYS: u32 = 8;

/// How deep two shapes overlap, about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MprPenetration<S: Real> {
    /// Moving the second shape this far along the normal parts them: an upper bound of the depth.
    pub depth: S,
    /// Unit vector from the first shape to the second.
    pub normal: S::Vec3,
    /// A point of the first shape.
    pub on_a: S::Vec3,
    /// A point of the second shape; seen along the normal it is `depth` behind the one of the
    /// first.
    pub on_b: S::Vec3,
    /// The last ray found no shorter way: the depth is a local minimum, and
    /// `on_b − on_a = −depth · normal` up to rounding. If not, the rays ran out (round shapes near
    /// a tie need dozens) or the last one went through an edge of the difference so exactly that no
    /// portal was found round it (one deep case in a thousand of polytopes). The depth is a bound
    /// all the same.
    pub settled: bool,
}

impl<S: Real> MprPenetration<S> {
    fn of(found: &Proximity<S>) -> Self {
        let Proximity { distance, normal, on_a, on_b } = *found;
        Self { depth: -distance, normal, on_a, on_b, settled: true }
    }
}

/// What a ray found.
#[derive(Clone, Copy)]
enum Shot<S: Real> {
    /// The origin is outside.
    Miss,
    /// The difference has no volume.
    Flat,
    /// The ray passes through this portal.
    Through(Portal<S>),
    /// The support point along the ray is on the ray: that is where it leaves, and the ray is a
    /// normal there.
    Straight(Portal<S>),
}

/// Two shapes with their radii, and how a query ends.
struct Query<'q, S: Real, A: ?Sized, B: ?Sized> {
    difference: Difference<'q, S, A, B>,
    radii: [f64; 2],
    slack: f64,
}

impl<'q, S: Real, A: Convex<S> + ?Sized, B: Convex<S> + ?Sized> Query<'q, S, A, B> {
    fn new(a: &'q A, b: &'q B, pose: &Pose<S>) -> Self {
        let difference = Difference::new(a, b, pose, Hints::NONE);
        let radii = difference.radii();
        Self { difference, radii, slack: 0.0 }
    }

    /// The vertex of the rounded difference farthest along a direction.
    #[inline]
    fn outermost(&mut self, direction: DVec3) -> Vertex<S> {
        let mut vertex = self.difference.lowest(-direction);
        let round = self.radii[0] + self.radii[1];
        if round > 0.0 {
            vertex.w += direction.unit().unwrap_or(DVec3::X) * round;
        }
        // Errors are relative to the largest vertex seen.
        self.slack = Real::max(self.slack, default_tolerance::<S>().to_f64() * vertex.w.length());
        vertex
    }

    /// Finds a portal for the ray; if it must pass the origin, a support plane on this side of the
    /// origin is a miss.
    fn shoot(&mut self, apex: DVec3, ray: DVec3, through_origin: bool) -> Shot<S> {
        let misses = |vertex: &Vertex<S>, normal: DVec3| through_origin && vertex.w.dot(normal) < 0.0;
        let mut first = self.outermost(ray);
        if misses(&first, ray) {
            return Shot::Miss;
        }
        let across = (first.w - apex).cross(ray);
        if across.length_squared() <= FLAT * FLAT * (first.w - apex).length_squared() * ray.length_squared() {
            return Shot::Straight(Portal { corners: [first; 3], apex, ray });
        }
        let mut second = self.outermost(across);
        if misses(&second, across) {
            return Shot::Miss;
        }
        let mut normal = (first.w - apex).cross(second.w - apex);
        if normal.dot(ray) < 0.0 {
            (first, second, normal) = (second, first, -normal);
        }
        for _ in 0..MAX_DISCOVERY {
            let (u, v) = (first.w - apex, second.w - apex);
            if normal.length_squared() <= FLAT * FLAT * u.length_squared() * v.length_squared() {
                return Shot::Flat;
            }
            let third = self.outermost(normal);
            if misses(&third, normal) {
                return Shot::Miss;
            }
            let w = third.w - apex;
            if w.dot(normal) <= FLAT * normal.length() * w.length() {
                return Shot::Flat;
            }
            if u.cross(w).dot(ray) > 0.0 {
                (second, normal) = (third, u.cross(w));
            } else if w.cross(v).dot(ray) > 0.0 {
                (first, normal) = (third, w.cross(v));
            } else {
                return Shot::Through(Portal { corners: [first, second, third], apex, ray });
            }
        }
        Shot::Flat
    }

    /// The first shot: from the middle through the origin.
    fn shoot_from_middle(&mut self) -> Shot<S> {
        let apex = self.difference.centre().w;
        if apex.length_squared() <= f64::MIN_POSITIVE {
            return self.shoot(DVec3::ZERO, DVec3::X, false);
        }
        self.shoot(apex, -apex, true)
    }

    /// The answer of a portal on the surface.
    fn estimate(&self, portal: &Portal<S>, normal: DVec3, depth: f64, settled: bool) -> MprPenetration<S> {
        let weights = portal.weights();
        let mut on_a = DVec3::ZERO;
        let (mut point, mut core) = (DVec3::ZERO, DVec3::ZERO);
        for (vertex, weight) in portal.corners.iter().zip(weights) {
            on_a += vertex.a.to::<f64>() * weight;
            point += vertex.w * weight;
            core += self.difference.vertex(vertex.a, vertex.b).w * weight;
        }
        let round = self.radii[0] + self.radii[1];
        if round > 0.0 {
            on_a -= (point - core) * (self.radii[0] / round);
        }
        MprPenetration {
            depth: S::of(Real::max(depth, 0.0)),
            normal: (-normal).to::<S>(),
            on_a: on_a.to::<S>(),
            on_b: (on_a + point).to::<S>(),
            settled,
        }
    }

    /// Pushes a portal out to the surface; fails if the origin turns out to be outside. Stops as
    /// soon as it is inside if nothing else is asked.
    fn refine(&mut self, portal: &mut Portal<S>, only_whether: bool) -> Result<portal::Surface, Failure> {
        let slack = self.slack;
        let mut above = 0.0;
        let outermost = |normal| self.outermost(normal);
        let surface = portal.refine(slack, outermost, |height, reach| {
            above = -height;
            reach < 0.0 || (height >= 0.0 && only_whether)
        });
        let surface = surface.ok_or(Failure::Miss)?;
        if above <= 0.0 {
            return Ok(surface);
        }
        if surface.reach < 0.0 {
            return Err(Failure::Miss);
        }
        // Just above the portal, but maybe far beyond the place where a ray that hardly rises
        // passes through it.
        let rise = surface.normal.dot(portal.ray) / portal.ray.length();
        if above <= BEYOND * slack * rise { Ok(surface) } else { Err(Failure::Flat) }
    }

    /// Where a shot leaves the difference.
    fn surface_of(&mut self, shot: Shot<S>) -> Result<(Portal<S>, portal::Surface), Failure> {
        match shot {
            Shot::Miss => Err(Failure::Miss),
            Shot::Flat => Err(Failure::Flat),
            Shot::Straight(portal) => {
                let Some(normal) = portal.ray.unit() else { return Err(Failure::Flat) };
                let reach = normal.dot(portal.corners[0].w);
                Ok((portal, portal::Surface { normal, reach }))
            }
            Shot::Through(mut portal) => {
                let surface = self.refine(&mut portal, false)?;
                Ok((portal, surface))
            }
        }
    }
}

/// Why there is no place where a ray leaves.
enum Failure {
    Miss,
    Flat,
}

/// Do two shapes touch?
pub fn touches<S: Real, A: Convex<S> + ?Sized, B: Convex<S> + ?Sized>(a: &A, b: &B, pose: &Pose<S>) -> bool {
    let mut query = Query::new(a, b, pose);
    match query.shoot_from_middle() {
        Shot::Miss => false,
        Shot::Flat => gjk::intersects(a, b, pose, &mut SimplexCache::new()),
        Shot::Straight(_) => true,
        Shot::Through(mut portal) => match query.refine(&mut portal, true) {
            Ok(_) => true,
            Err(Failure::Miss) => false,
            Err(Failure::Flat) => gjk::intersects(a, b, pose, &mut SimplexCache::new()),
        },
    }
}

/// About how deep two shapes overlap, or `None` if they do not touch.
///
/// `rays` are shot after the first, each from the origin along the normal that the last one found,
/// as long as the depth shrinks: none for the bound of the plain algorithm, [`DEFAULT_RAYS`] for a
/// local minimum in nine of ten cases and more, `u32::MAX` for as many as it takes: each that does
/// not settle gains more than rounding, so there is an end.
pub fn penetration<S: Real, A: Convex<S> + ?Sized, B: Convex<S> + ?Sized>(
    a: &A,
    b: &B,
    pose: &Pose<S>,
    rays: u32,
) -> Option<MprPenetration<S>> {
    let exact = || {
        let found = gjk::proximity(a, b, pose, &mut SimplexCache::new());
        (found.distance <= S::ZERO).then(|| MprPenetration::of(&found))
    };
    let mut query = Query::new(a, b, pose);
    let shot = query.shoot_from_middle();
    let (mut portal, surface) = match query.surface_of(shot) {
        Err(Failure::Miss) => return None,
        Err(Failure::Flat) => return exact(),
        Ok(found) => found,
    };
    let (mut normal, mut depth, mut settled) = (surface.normal, surface.reach, false);
    for _ in 0..rays {
        if depth <= query.slack {
            break;
        }
        let shot = query.shoot(DVec3::ZERO, normal, false);
        let Ok((next, surface)) = query.surface_of(shot) else { break };
        if surface.reach > depth + query.slack {
            break;
        }
        portal = next;
        settled = surface.reach >= depth - query.slack;
        if settled {
            // The portal is where the ray along the old normal leaves: a point there is as far
            // along it as the difference reaches. The new normal, as good but for rounding, may
            // be off by the root of that where shapes are round.
            break;
        }
        (normal, depth) = (surface.normal, surface.reach);
    }
    Some(query.estimate(&portal, normal, depth, settled))
}
