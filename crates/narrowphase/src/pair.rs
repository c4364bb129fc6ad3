//! Any two convex shapes by any method.
//!
//! The functions here look at the kinds of the two shapes once and hand over to the algorithm:
//! [`NarrowMethod::Auto`] to the fastest one for the kinds, any other method to that algorithm, or
//! to nobody if it has no answer for such shapes ([`Unsupported`]). Meshes, height fields and
//! compounds are in [`composite`](crate::composite).
//!
//! | pair | `auto` takes for distances | for contacts |
//! |---|---|---|
//! | sphere, capsule, tile, box, triangle with each other; half-space with anything; sphere with anything flat | closed forms | closed forms; separating axes where faces meet |
//! | polytope with polytope | V-Clip | separating axes; GJK and EPA for large ones |
//! | polytope with box, tile, triangle | GJK and EPA | separating axes |
//! | polytope with capsule | a walk over the polytope, GJK and EPA where its core comes near | the same, then the segment over a face |
//! | cylinder, cone with capsule | directions ([`revolved`]), GJK and EPA where they leave it open | the same, then clipped support features |
//! | cylinder, cone with box, tile, triangle, small polytope; cylinder with cylinder | GJK, directions in place of EPA | directions, GJK and EPA where they leave it open, then clipped support features |
//! | cylinder, cone, ellipsoid with the rest | GJK and EPA | GJK and EPA, then clipped support features |

use carom_geometry::shape::{Cuboid, Tile};
use carom_geometry::{Pose, Real, Shape};
use glam::Vec3;

use crate::alternatives::mpr;
use crate::analytic::polytope_capsule;
use crate::manifold::contact;
use crate::revolved::{self, RevolvedOutcome};
use crate::sat::box_triangle::BoxTriangle;
use crate::sat::polyhedron::{BoxBody, TriangleBody};
use crate::sat::{self, Tolerances};
use crate::support_feature::{Solid, SupportFeature, solid_of};
use crate::vclip::{self, VClip};
use crate::{FeatureId, Manifold, NarrowMethod, Proximity, analytic, epa, gjk};

/// A method that has no answer for two kinds of shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{method} has no answer for a {a} and a {b}: see `carom list narrow`, or take auto")]
pub struct Unsupported {
    /// The method.
    pub method: NarrowMethod,
    /// Kind of the first shape.
    pub a: &'static str,
    /// Kind of the second shape.
    pub b: &'static str,
}

/// What is known of a pair from the query before, whichever algorithm it was; to be kept per pair.
#[derive(Clone, Copy, Debug, Default)]
pub struct PairCache {
    /// Separating axes: the axis found last.
    pub axis: sat::SatCache,
    /// GJK: the simplex found last.
    pub simplex: gjk::SimplexCache<f32>,
    /// V-Clip: the features found last.
    pub witness: Option<vclip::Witness>,
    /// Cylinders and cones: the direction found last.
    pub direction: revolved::AxisHint,
}

impl PairCache {
    /// Forgets everything.
    #[inline]
    pub fn clear(&mut self) {
        self.axis = sat::SatCache::default();
        self.simplex.clear();
        self.witness = None;
        self.direction = revolved::AxisHint::default();
    }
}

/// Memory that queries need while they run; to be kept per thread.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    axes: sat::SatScratch,
    support_features: [SupportFeature; 2],
}

fn is_polyhedron(shape: &Shape) -> bool {
    matches!(shape, Shape::Cuboid(_) | Shape::Tile(_) | Shape::Triangle(_) | Shape::Polytope(_))
}

/// Whether a method has an answer for two shapes.
#[must_use]
pub fn supports(method: NarrowMethod, a: &Shape, b: &Shape) -> bool {
    let both_convex = solid_of(a).is_some() && solid_of(b).is_some();
    match method {
        NarrowMethod::Auto => both_convex || analytic::has(a, b),
        NarrowMethod::Analytic => analytic::has(a, b),
        NarrowMethod::Sat => is_polyhedron(a) && is_polyhedron(b),
        NarrowMethod::GjkEpa | NarrowMethod::Mpr => both_convex,
        NarrowMethod::VClip => matches!((a, b), (Shape::Polytope(_), Shape::Polytope(_))),
    }
}

/// Above this product of vertices the search for axes takes longer than that for closest points:
/// two hulls of 100 take 5 µs cold, two of 300 take 15 µs against 5.
const MANY_PAIRS: usize = 150 * 150;

/// The method that [`NarrowMethod::Auto`] stands for: for contacts, or for distances.
#[must_use]
pub fn chosen(a: &Shape, b: &Shape, for_contacts: bool) -> NarrowMethod {
    let are_small = match (a, b) {
        (Shape::Polytope(a), Shape::Polytope(b)) => a.vertex_count() * b.vertex_count() <= MANY_PAIRS,
        _ => true,
    };
    let faces_meet = are_small && is_polyhedron(a) && is_polyhedron(b);
    let both_hulls = matches!((a, b), (Shape::Polytope(_), Shape::Polytope(_)));
    if for_contacts && faces_meet {
        NarrowMethod::Sat
    } else if analytic::has(a, b) {
        NarrowMethod::Analytic
    } else if both_hulls && !for_contacts {
        // From the vertices that face each other, half the time of GJK; for contacts GJK stops at
        // the speculative distance.
        NarrowMethod::VClip
    } else {
        NarrowMethod::GjkEpa
    }
}

/// Are two shapes farther apart than this along the way from middle to middle, as most are that are
/// apart? For queries about which nothing is known yet; nothing is proved by `false`.
fn is_apart_from_middle(a: &dyn Solid, b: &dyn Solid, pose: &Pose, distance: f32) -> bool {
    // Of the frames, which is as good a direction: the middle of a polytope takes a look at all of
    // its vertices.
    let way = pose.translation;
    let reach = distance + a.radius() + b.radius();
    let square = way.length_squared();
    if !(square > reach * reach && distance < f32::INFINITY) {
        return false;
    }
    let near_b = pose.apply(b.core_support(-pose.rotation.rotate_back(way), &mut { u32::MAX }));
    let gap = way.dot(near_b - a.core_support(way, &mut { u32::MAX }));
    gap > reach * Real::sqrt(square)
}

/// Are a box or tile and a box, tile or triangle farther apart than this? False for other shapes. A
/// box that has grown to all sides reaches beyond all that is so near.
#[inline]
fn is_apart_from_box(a: &Shape, b: &Shape, pose: &Pose, distance: f32) -> bool {
    let grown = |half: Vec3| Shape::Cuboid(Cuboid { half: half + Vec3::splat(distance) });
    let is_flat = |shape: &Shape| matches!(shape, Shape::Cuboid(_) | Shape::Tile(_) | Shape::Triangle(_));
    if !((0.0..f32::INFINITY).contains(&distance) && is_flat(a) && is_flat(b)) {
        return false;
    }
    let touches = match (a, b) {
        (Shape::Cuboid(a), b) => analytic::touches(&grown(a.half), b, pose),
        (Shape::Tile(a), b) => analytic::touches(&grown(flat_box(a).half), b, pose),
        (a, Shape::Cuboid(b)) => analytic::touches(a, &grown(b.half), pose),
        (a, Shape::Tile(b)) => analytic::touches(a, &grown(flat_box(b).half), pose),
        _ => None,
    };
    touches == Some(false)
}

/// A cylinder or cone with something flat, by directions; what is found is remembered.
#[inline]
fn by_directions(
    a: &Shape,
    b: &Shape,
    pose: &Pose,
    speculative_distance: f32,
    cache: &mut PairCache,
) -> Option<RevolvedOutcome> {
    let answer = revolved::proximity(a, b, pose, speculative_distance, &cache.direction);
    cache.direction = match answer {
        Some(RevolvedOutcome::Apart(axis) | RevolvedOutcome::Open { axis }) => {
            revolved::AxisHint { axis, overlaps: false }
        }
        Some(RevolvedOutcome::Near { proximity, .. }) => {
            revolved::AxisHint { axis: proximity.normal, overlaps: proximity.distance <= 0.0 }
        }
        None => revolved::AxisHint::default(),
    };
    answer
}

/// The same where the distance is asked for, however large: closest points of shapes apart are
/// found sooner by GJK, except those of segments.
fn rim_proximity(
    a: &Shape,
    b: &Shape,
    pose: &Pose,
    max_distance: f32,
    cache: &mut PairCache,
) -> Option<Result<Proximity, Vec3>> {
    let is_round = matches!(a, Shape::Capsule(_)) || matches!(b, Shape::Capsule(_));
    let is_first = is_round || cache.direction.overlaps;
    if is_first {
        match by_directions(a, b, pose, max_distance, cache) {
            Some(RevolvedOutcome::Apart(axis)) => return Some(Err(axis)),
            Some(RevolvedOutcome::Near { proximity, has_points: true }) => return Some(Ok(proximity)),
            _ => {}
        }
    }
    let (solid_a, solid_b) = (solid_of(a)?, solid_of(b)?);
    let options = gjk::GjkOptions::within(max_distance);
    let found = match gjk::distance(solid_a, solid_b, pose, &mut cache.simplex, &options) {
        gjk::GjkOutcome::Separated { axis, .. } => Err(axis),
        gjk::GjkOutcome::Near(found) => Ok(found),
        gjk::GjkOutcome::Overlapping => {
            if !is_first {
                cache.direction = revolved::AxisHint { axis: Vec3::ZERO, overlaps: true };
                let answer = by_directions(a, b, pose, max_distance, cache);
                if let Some(RevolvedOutcome::Near { proximity, has_points: true }) = answer {
                    return Some(Ok(proximity));
                }
            }
            Ok(epa::penetration(solid_a, solid_b, pose, &mut cache.simplex, options.tolerance))
        }
    };
    cache.direction = match &found {
        Ok(near) => revolved::AxisHint { axis: near.normal, overlaps: near.distance <= 0.0 },
        Err(axis) => revolved::AxisHint { axis: *axis, overlaps: false },
    };
    Some(found)
}

/// A polytope and a capsule whose core is well outside.
#[inline]
fn walked(a: &Shape, b: &Shape, pose: &Pose, max_distance: f32) -> Option<Result<Proximity, Vec3>> {
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

fn refused(method: NarrowMethod, a: &Shape, b: &Shape) -> Unsupported {
    Unsupported { method, a: a.name(), b: b.name() }
}

/// The signed distance of two shapes, `pose` being the pose of the second in the frame of the
/// first.
///
/// `None` if the shapes are proved to be farther apart than `max_distance`; for `mpr`, which knows
/// no distances, if they do not touch. The depth of `mpr` is an upper bound; the distance of `sat`
/// is the widest gap along an axis, a lower bound for pairs apart, and its points are contact
/// points and not the closest ones.
///
/// ```
/// use carom_geometry::{Pose, Shape, shape::{Cylinder, Sphere}};
/// use carom_narrowphase::{NarrowMethod, pair};
/// use glam::Vec3;
/// let (drum, ball) = (Shape::from(Cylinder::new(0.5, 1.0)?), Shape::from(Sphere::new(0.25)?));
/// let pose = Pose::at(Vec3::new(2.0, 0.0, 0.0));
/// let near = pair::proximity(&drum, &ball, &pose, f32::INFINITY, NarrowMethod::Auto, &mut pair::PairCache::default())?.unwrap();
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
    let refused = || refused(method, a, b);
    let within = |found: Proximity| (found.distance <= max_distance).then_some(found);
    // Formulas first: for round shapes the way to them is a good part of the time.
    if method == NarrowMethod::Auto && analytic::has(a, b) {
        if is_apart_from_box(a, b, pose, max_distance) {
            return Ok(None);
        }
        return analytic::proximity_as(a, b, pose, |found| Ok(found.and_then(within)));
    }
    let algorithm = if method == NarrowMethod::Auto { chosen(a, b, false) } else { method };
    match algorithm {
        NarrowMethod::Analytic => Ok(within(analytic::proximity(a, b, pose).ok_or_else(refused)?)),
        NarrowMethod::Auto | NarrowMethod::GjkEpa => {
            if method == NarrowMethod::Auto
                && cache.simplex.is_empty()
                && let (Some(a), Some(b)) = (solid_of(a), solid_of(b))
                && is_apart_from_middle(a, b, pose, max_distance)
            {
                return Ok(None);
            }
            if method == NarrowMethod::Auto
                && revolved::covers(a, b)
                && let Some(found) = rim_proximity(a, b, pose, max_distance, cache)
            {
                return Ok(found.ok().and_then(within));
            }
            if method == NarrowMethod::Auto
                && let Some(found) = walked(a, b, pose, max_distance)
            {
                return Ok(found.ok().and_then(within));
            }
            let options = gjk::GjkOptions::within(max_distance);
            let found = match (a, b) {
                (Shape::Polytope(a), Shape::Polytope(b)) => {
                    gjk::proximity_within(&**a, &**b, pose, &mut cache.simplex, &options)
                }
                (Shape::Polytope(a), Shape::Capsule(b)) => {
                    gjk::proximity_within(&**a, b, pose, &mut cache.simplex, &options)
                }
                (Shape::Cylinder(a), Shape::Cylinder(b)) => {
                    gjk::proximity_within(a, b, pose, &mut cache.simplex, &options)
                }
                _ => {
                    let (a, b) = (solid_of(a).ok_or_else(refused)?, solid_of(b).ok_or_else(refused)?);
                    gjk::proximity_within(a, b, pose, &mut cache.simplex, &options)
                }
            };
            Ok(found.ok())
        }
        NarrowMethod::Mpr => {
            let (a, b) = (solid_of(a).ok_or_else(refused)?, solid_of(b).ok_or_else(refused)?);
            let found = mpr::penetration(a, b, pose, mpr::DEFAULT_RAYS);
            Ok(found.map(|found| {
                let (distance, normal) = (-found.depth, found.normal);
                Proximity { distance, normal, on_a: found.on_a, on_b: found.on_b }
            }))
        }
        NarrowMethod::VClip => match (a, b) {
            (Shape::Polytope(a), Shape::Polytope(b)) => {
                if method == NarrowMethod::Auto
                    && cache.witness.is_none()
                    && is_apart_from_middle(&**a, &**b, pose, max_distance)
                {
                    return Ok(None);
                }
                let witness = cache.witness.get_or_insert_with(|| vclip::facing(a, b, pose));
                Ok(within(VClip::default().proximity(a, b, pose, witness)))
            }
            _ => Err(refused()),
        },
        NarrowMethod::Sat => {
            let tolerances = Tolerances { speculative_distance: max_distance, slop: 0.0 };
            let mut contact = Manifold::default();
            let mut scratch = Scratch::default();
            separating_axes(a, b, pose, tolerances, cache, &mut scratch, &mut contact).ok_or_else(refused)?;
            let deepest = contact.points().iter().min_by(|p, q| p.separation.total_cmp(&q.separation));
            // The gap along the axis; the points are those of the contact, moved to be so far
            // apart.
            Ok(deepest.map(|point| {
                let (distance, normal) = (cache.axis.separation, contact.normal);
                let middle = (point.on_a + pose.apply(point.on_b)) * 0.5;
                let half = normal * (0.5 * distance);
                Proximity { distance, normal, on_a: middle - half, on_b: middle + half }
            }))
        }
    }
}

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
    let refused = || refused(method, a, b);
    if method == NarrowMethod::Auto
        && let Some(touches) = analytic::touches(a, b, pose)
    {
        return Ok(touches);
    }
    if method == NarrowMethod::Auto
        && cache.simplex.is_empty()
        && let (Some(a), Some(b)) = (solid_of(a), solid_of(b))
        && is_apart_from_middle(a, b, pose, 0.0)
    {
        return Ok(false);
    }
    let algorithm = if method == NarrowMethod::Auto { chosen(a, b, false) } else { method };
    match algorithm {
        NarrowMethod::Analytic => analytic::touches(a, b, pose).ok_or_else(refused),
        NarrowMethod::Auto | NarrowMethod::GjkEpa => match (a, b) {
            (Shape::Polytope(a), Shape::Polytope(b)) => {
                Ok(gjk::intersects(&**a, &**b, pose, &mut cache.simplex))
            }
            _ => {
                let (a, b) = (solid_of(a).ok_or_else(refused)?, solid_of(b).ok_or_else(refused)?);
                Ok(gjk::intersects(a, b, pose, &mut cache.simplex))
            }
        },
        NarrowMethod::Mpr => {
            let (a, b) = (solid_of(a).ok_or_else(refused)?, solid_of(b).ok_or_else(refused)?);
            Ok(mpr::touches(a, b, pose))
        }
        NarrowMethod::VClip => match (a, b) {
            (Shape::Polytope(a), Shape::Polytope(b)) => {
                let seed = cache.witness.unwrap_or_else(|| vclip::facing(a, b, pose));
                let answer = VClip::default().solve(a, b, pose, seed);
                cache.witness = Some(answer.witness);
                Ok(answer.is_penetrating())
            }
            _ => Err(refused()),
        },
        NarrowMethod::Sat => {
            Ok(proximity(a, b, pose, 0.0, method, cache)?.is_some_and(|found| found.distance <= 0.0))
        }
    }
}

/// The contact points of two shapes within the speculative distance, into `contact`, whose old
/// points are preferred if there are more than four.
///
/// # Errors
/// If the method has no answer for such shapes; the contact is left as it was.
#[expect(
    clippy::too_many_arguments,
    reason = "two shapes, what is asked, and what is kept; a struct would name them twice"
)]
pub fn manifold(
    a: &Shape,
    b: &Shape,
    pose: &Pose,
    tolerances: Tolerances,
    method: NarrowMethod,
    cache: &mut PairCache,
    scratch: &mut Scratch,
    contact: &mut Manifold,
) -> Result<(), Unsupported> {
    let refused = || refused(method, a, b);
    // Round shapes first: for them the way to the formula is a good part of the time.
    if matches!(method, NarrowMethod::Auto | NarrowMethod::Analytic)
        && analytic::manifold(a, b, pose, tolerances.speculative_distance, contact)
    {
        return Ok(());
    }
    if method == NarrowMethod::Auto {
        // Where a walk finds the distance of the core, the rest is a formula.
        let is_done = match (a, b) {
            (Shape::Polytope(a), Shape::Capsule(b)) => {
                polytope_capsule::write_contact(a, b, pose, tolerances.speculative_distance, contact)
            }
            (Shape::Capsule(a), Shape::Polytope(b)) => {
                let back = pose.inverse();
                let is_done =
                    polytope_capsule::write_contact(b, a, &back, tolerances.speculative_distance, contact);
                if is_done {
                    contact.swap(&back);
                }
                is_done
            }
            _ => false,
        };
        if is_done {
            return Ok(());
        }
    }
    let algorithm = if method == NarrowMethod::Auto { chosen(a, b, true) } else { method };
    if algorithm == NarrowMethod::Sat {
        return separating_axes(a, b, pose, tolerances, cache, scratch, contact).ok_or_else(refused);
    }
    let has_directions = method == NarrowMethod::Auto && revolved::covers(a, b);
    if has_directions {
        match by_directions(a, b, pose, tolerances.speculative_distance, cache) {
            Some(RevolvedOutcome::Apart(_)) => {
                contact.clear();
                return Ok(());
            }
            Some(RevolvedOutcome::Near { proximity: near, has_points: true })
                if near.distance <= tolerances.speculative_distance
                    && revolved::is_one_point(a, b, pose, near.normal) =>
            {
                *contact = Manifold::of_proximity(&near, pose, FeatureId::CLOSEST);
                return Ok(());
            }
            Some(RevolvedOutcome::Near { proximity: near, has_points }) => {
                let (a, b) = (solid_of(a).ok_or_else(refused)?, solid_of(b).ok_or_else(refused)?);
                let found = clipped(a, b, pose, &near, tolerances.speculative_distance, scratch, contact);
                if has_points || found.points().len() > 1 && !has_closest(&found) {
                    *contact = found;
                    return Ok(());
                }
            }
            _ => {}
        }
    }
    let is_round = |shape: &Shape| matches!(shape, Shape::Cylinder(_) | Shape::Cone(_));
    if method == NarrowMethod::Auto && !has_directions && is_round(a) && is_round(b) {
        let apart = revolved::round_apart(a, b, pose, tolerances.speculative_distance, &cache.direction);
        cache.direction = revolved::AxisHint { axis: apart.unwrap_or(Vec3::ZERO), overlaps: false };
        if apart.is_some() {
            contact.clear();
            return Ok(());
        }
    }
    let Some(near) = proximity(a, b, pose, tolerances.speculative_distance, algorithm, cache)
        .map_err(|_| refused())?
        .filter(|near| near.distance <= tolerances.speculative_distance)
    else {
        contact.clear();
        return Ok(());
    };
    let (a, b) = (solid_of(a).ok_or_else(refused)?, solid_of(b).ok_or_else(refused)?);
    *contact = clipped(a, b, pose, &near, tolerances.speculative_distance, scratch, contact);
    Ok(())
}

/// Is one of the points what the algorithm gave, and not clipped?
fn has_closest(contact: &Manifold) -> bool {
    contact.points().iter().any(|point| point.feature == FeatureId::CLOSEST)
}

/// Contact points from the support features that face each other along a normal.
fn clipped(
    a: &dyn Solid,
    b: &dyn Solid,
    pose: &Pose,
    near: &Proximity,
    speculative_distance: f32,
    scratch: &mut Scratch,
    previous: &Manifold,
) -> Manifold {
    let [feature_a, feature_b] = &mut scratch.support_features;
    a.support_feature(near.normal, feature_a);
    b.support_feature(pose.rotation.rotate_back(-near.normal), feature_b);
    feature_b.pose(pose);
    contact(feature_a.view(), feature_b.view(), near, pose, speculative_distance, previous)
}

/// A tile as the box of height 0 that it is.
fn flat_box(tile: &Tile) -> Cuboid {
    Cuboid { half: Vec3::new(tile.half_x, 0.0, tile.half_z) }
}

/// Contacts of polyhedra; `None` if one of them is none.
fn separating_axes(
    a: &Shape,
    b: &Shape,
    pose: &Pose,
    tolerances: Tolerances,
    cache: &mut PairCache,
    scratch: &mut Scratch,
    contact: &mut Manifold,
) -> Option<()> {
    let as_box = |shape: &Shape| match shape {
        Shape::Cuboid(shape) => Some(*shape),
        Shape::Tile(tile) => Some(flat_box(tile)),
        _ => None,
    };
    let cache = &mut cache.axis;
    let scratch = &mut scratch.axes;
    macro_rules! search {
        ($a:expr, $b:expr) => {
            sat::contact_of_polyhedra($a, $b, pose, tolerances, cache, contact, scratch)
        };
    }
    *contact = match (as_box(a), as_box(b)) {
        (Some(a), Some(b)) => {
            sat::box_contact::write_box_box(&a, &b, pose, tolerances, cache, contact);
            return Some(());
        }
        (Some(a), None) => match b {
            Shape::Polytope(b) => search!(&BoxBody::new(&a), &**b),
            Shape::Triangle(triangle) => {
                let pair = BoxTriangle { shape: &a, triangle, pose, is_box_second: false };
                pair.contact(tolerances, cache, scratch, contact);
                return Some(());
            }
            _ => return None,
        },
        (None, Some(b)) => match a {
            Shape::Polytope(a) => search!(&**a, &BoxBody::new(&b)),
            Shape::Triangle(triangle) => {
                let pair = BoxTriangle { shape: &b, triangle, pose, is_box_second: true };
                pair.contact(tolerances, cache, scratch, contact);
                return Some(());
            }
            _ => return None,
        },
        (None, None) => match (a, b) {
            (Shape::Polytope(a), Shape::Polytope(b)) => search!(&**a, &**b),
            (Shape::Polytope(a), Shape::Triangle(b)) => search!(&**a, &TriangleBody::new(b)),
            (Shape::Triangle(a), Shape::Polytope(b)) => search!(&TriangleBody::new(a), &**b),
            (Shape::Triangle(a), Shape::Triangle(b)) => {
                search!(&TriangleBody::new(a), &TriangleBody::new(b))
            }
            _ => return None,
        },
    };
    Some(())
}
