//! Any two convex shapes by any method.
//!
//! The functions here look at the kinds of the two shapes once and hand over to the algorithm: [`Method::Auto`] to the fastest
//! one for the kinds, any other method to that algorithm, or to nobody if it has no answer for such shapes
//! ([`Unsupported`]). Meshes, height fields and compounds are in [`composite`](crate::composite).
//!
//! | pair | `auto` takes for distances | for contacts |
//! |---|---|---|
//! | sphere, capsule, tile, box, triangle with each other; half-space with anything; sphere with anything flat | closed forms | closed forms; separating axes where faces meet |
//! | polytope with polytope | V-Clip | separating axes; GJK and EPA for large ones |
//! | polytope with box, tile, triangle | GJK and EPA | separating axes |
//! | polytope with capsule | a walk over the polytope, GJK and EPA where its core comes near | the same, then the segment over a face |
//! | cylinder, cone with capsule | directions ([`rims`]), GJK and EPA where they leave it open | the same, then clipped facets |
//! | cylinder, cone with box, tile, triangle, small polytope; cylinder with cylinder | GJK, directions in place of EPA | directions, GJK and EPA where they leave it open, then clipped facets |
//! | cylinder, cone, ellipsoid with the rest | GJK and EPA | GJK and EPA, then clipped facets |

use carom_geometry::shape::{Cuboid, Tile};
use carom_geometry::{Pose, Real, Shape};
use glam::Vec3;

use crate::closed::polytope_capsule;
use crate::facet::{Facet, Solid, solid_of};
use crate::manifold::contact;
use crate::rims::{self, Answer};
use crate::sat::box_triangle::BoxTriangle;
use crate::sat::polyhedron::{BoxBody, TriangleBody};
use crate::sat::{self, Tolerances};
use crate::vclip::{self, VClip};
use crate::{FeatureId, Manifold, Method, Proximity, closed, epa, gjk, mpr};

/// A method that has no answer for two kinds of shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{method} has no answer for a {a} and a {b}: see `carom list narrow`, or take auto")]
pub struct Unsupported {
    /// The method.
    pub method: Method,
    /// Kind of the first shape.
    pub a: &'static str,
    /// Kind of the second shape.
    pub b: &'static str,
}

/// What is known of a pair from the query before, whichever algorithm it was; to be kept per pair.
#[derive(Clone, Copy, Debug, Default)]
pub struct Memory {
    /// Separating axes: the axis found last.
    pub axis: sat::Cache,
    /// GJK: the simplex found last.
    pub simplex: gjk::Cache<f32>,
    /// V-Clip: the features found last.
    pub witness: Option<vclip::Witness>,
    /// Cylinders and cones: the direction found last.
    pub direction: rims::Hint,
}

impl Memory {
    /// Forgets everything.
    #[inline]
    pub fn clear(&mut self) {
        self.axis = sat::Cache::default();
        self.simplex.clear();
        self.witness = None;
        self.direction = rims::Hint::default();
    }
}

/// Memory that queries need while they run; to be kept per thread.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    axes: sat::Scratch,
    facets: [Facet; 2],
}

fn is_polyhedron(shape: &Shape) -> bool {
    matches!(shape, Shape::Cuboid(_) | Shape::Tile(_) | Shape::Triangle(_) | Shape::Polytope(_))
}

/// Whether a method has an answer for two shapes.
#[must_use]
pub fn supports(method: Method, a: &Shape, b: &Shape) -> bool {
    let both_convex = solid_of(a).is_some() && solid_of(b).is_some();
    match method {
        Method::Auto => both_convex || closed::has(a, b),
        Method::Closed => closed::has(a, b),
        Method::Sat => is_polyhedron(a) && is_polyhedron(b),
        Method::GjkEpa | Method::Mpr => both_convex,
        Method::VClip => matches!((a, b), (Shape::Polytope(_), Shape::Polytope(_))),
    }
}

/// Above this product of vertices the search for axes takes longer than that for closest points: two hulls of 100 take 5 µs
/// cold, two of 300 take 15 µs against 5.
const MANY_PAIRS: usize = 150 * 150;

/// The method that [`Method::Auto`] stands for: for contacts, or for distances.
#[must_use]
pub fn chosen(a: &Shape, b: &Shape, for_contacts: bool) -> Method {
    let are_small = match (a, b) {
        (Shape::Polytope(a), Shape::Polytope(b)) => a.vertex_count() * b.vertex_count() <= MANY_PAIRS,
        _ => true,
    };
    let faces_meet = are_small && is_polyhedron(a) && is_polyhedron(b);
    let both_hulls = matches!((a, b), (Shape::Polytope(_), Shape::Polytope(_)));
    if for_contacts && faces_meet {
        Method::Sat
    } else if closed::has(a, b) {
        Method::Closed
    } else if both_hulls && !for_contacts {
        // From the vertices that face each other, half the time of GJK; for contacts GJK stops at the margin.
        Method::VClip
    } else {
        Method::GjkEpa
    }
}

/// Are two shapes farther apart than this along the way from middle to middle, as most are that are apart? For queries about
/// which nothing is known yet; nothing is proved by `false`.
fn is_apart_from_middle(a: &dyn Solid, b: &dyn Solid, place: &Pose, distance: f32) -> bool {
    // Of the frames, which is as good a direction: the middle of a polytope takes a look at all of its vertices.
    let way = place.translation;
    let reach = distance + a.radius() + b.radius();
    let square = way.length_squared();
    if !(square > reach * reach && distance < f32::INFINITY) {
        return false;
    }
    let near_b = place.apply(b.core_support(-place.rotation.rotate_back(way), &mut { u32::MAX }));
    let gap = way.dot(near_b - a.core_support(way, &mut { u32::MAX }));
    gap > reach * Real::sqrt(square)
}

/// Are a box or tile and a box, tile or triangle farther apart than this? False for other shapes. A box that has grown to all sides
/// reaches beyond all that is so near.
#[inline]
fn is_apart_from_box(a: &Shape, b: &Shape, place: &Pose, distance: f32) -> bool {
    let grown = |half: Vec3| Shape::Cuboid(Cuboid { half: half + Vec3::splat(distance) });
    let is_flat = |shape: &Shape| matches!(shape, Shape::Cuboid(_) | Shape::Tile(_) | Shape::Triangle(_));
    if !((0.0..f32::INFINITY).contains(&distance) && is_flat(a) && is_flat(b)) {
        return false;
    }
    let touches = match (a, b) {
        (Shape::Cuboid(a), b) => closed::touches(&grown(a.half), b, place),
        (Shape::Tile(a), b) => closed::touches(&grown(flat_box(a).half), b, place),
        (a, Shape::Cuboid(b)) => closed::touches(a, &grown(b.half), place),
        (a, Shape::Tile(b)) => closed::touches(a, &grown(flat_box(b).half), place),
        _ => None,
    };
    touches == Some(false)
}

/// A cylinder or cone with something flat, by directions; what is found is remembered.
#[inline]
fn by_directions(a: &Shape, b: &Shape, place: &Pose, margin: f32, memory: &mut Memory) -> Option<Answer> {
    let answer = rims::proximity(a, b, place, margin, &memory.direction);
    memory.direction = match answer {
        Some(Answer::Apart(axis) | Answer::Open { axis }) => rims::Hint { axis, overlaps: false },
        Some(Answer::Near { proximity, .. }) => {
            rims::Hint { axis: proximity.normal, overlaps: proximity.distance <= 0.0 }
        }
        None => rims::Hint::default(),
    };
    answer
}

/// The same where the distance is asked for, however large: closest points of shapes apart are found sooner by GJK, except those
/// of segments.
fn rim_proximity(
    a: &Shape,
    b: &Shape,
    place: &Pose,
    max_distance: f32,
    memory: &mut Memory,
) -> Option<Result<Proximity, Vec3>> {
    let is_round = matches!(a, Shape::Capsule(_)) || matches!(b, Shape::Capsule(_));
    let is_first = is_round || memory.direction.overlaps;
    if is_first {
        match by_directions(a, b, place, max_distance, memory) {
            Some(Answer::Apart(axis)) => return Some(Err(axis)),
            Some(Answer::Near { proximity, has_points: true }) => return Some(Ok(proximity)),
            _ => {}
        }
    }
    let (solid_a, solid_b) = (solid_of(a)?, solid_of(b)?);
    let options = gjk::Options::within(max_distance);
    let found = match gjk::distance(solid_a, solid_b, place, &mut memory.simplex, &options) {
        gjk::Outcome::Separated { axis, .. } => Err(axis),
        gjk::Outcome::Near(found) => Ok(found),
        gjk::Outcome::Overlapping => {
            if !is_first {
                memory.direction = rims::Hint { axis: Vec3::ZERO, overlaps: true };
                let answer = by_directions(a, b, place, max_distance, memory);
                if let Some(Answer::Near { proximity, has_points: true }) = answer {
                    return Some(Ok(proximity));
                }
            }
            Ok(epa::penetration(solid_a, solid_b, place, &mut memory.simplex, options.tolerance))
        }
    };
    memory.direction = match &found {
        Ok(near) => rims::Hint { axis: near.normal, overlaps: near.distance <= 0.0 },
        Err(axis) => rims::Hint { axis: *axis, overlaps: false },
    };
    Some(found)
}

/// A polytope and a capsule whose core is well outside.
#[inline]
fn walked(a: &Shape, b: &Shape, place: &Pose, max_distance: f32) -> Option<Result<Proximity, Vec3>> {
    match (a, b) {
        (Shape::Polytope(a), Shape::Capsule(b)) => polytope_capsule::proximity(a, b, place, max_distance),
        (Shape::Capsule(a), Shape::Polytope(b)) => {
            let back = place.inverse();
            let found = polytope_capsule::proximity(b, a, &back, max_distance)?;
            Some(match found {
                Ok(near) => Ok(near.swapped(&back)),
                Err(axis) => Err(-place.rotation.rotate(axis)),
            })
        }
        _ => None,
    }
}

fn refused(method: Method, a: &Shape, b: &Shape) -> Unsupported {
    Unsupported { method, a: a.name(), b: b.name() }
}

/// The signed distance of two shapes, `place` being the pose of the second in the frame of the first.
///
/// `None` if the shapes are proved to be farther apart than `max_distance`; for `mpr`, which knows no distances, if they do not
/// touch. The depth of `mpr` is an upper bound; the distance of `sat` is the widest gap along an axis, a lower bound for pairs apart,
/// and its points are contact points and not the closest ones.
///
/// ```
/// use carom_geometry::{Pose, Shape, shape::{Cylinder, Sphere}};
/// use carom_narrowphase::{Method, pair};
/// use glam::Vec3;
/// let (drum, ball) = (Shape::from(Cylinder::new(0.5, 1.0)?), Shape::from(Sphere::new(0.25)?));
/// let place = Pose::at(Vec3::new(2.0, 0.0, 0.0));
/// let near = pair::proximity(&drum, &ball, &place, f32::INFINITY, Method::Auto, &mut pair::Memory::default())?.unwrap();
/// assert_eq!((near.distance, near.normal), (0.75, Vec3::X));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the method has no answer for such shapes.
pub fn proximity(
    a: &Shape,
    b: &Shape,
    place: &Pose,
    max_distance: f32,
    method: Method,
    memory: &mut Memory,
) -> Result<Option<Proximity>, Unsupported> {
    let refused = || refused(method, a, b);
    let within = |found: Proximity| (found.distance <= max_distance).then_some(found);
    // Formulas first: for round shapes the way to them is a good part of the time.
    if method == Method::Auto && closed::has(a, b) {
        if is_apart_from_box(a, b, place, max_distance) {
            return Ok(None);
        }
        return closed::proximity_as(a, b, place, |found| Ok(found.and_then(within)));
    }
    let algorithm = if method == Method::Auto { chosen(a, b, false) } else { method };
    match algorithm {
        Method::Closed => Ok(within(closed::proximity(a, b, place).ok_or_else(refused)?)),
        Method::Auto | Method::GjkEpa => {
            if method == Method::Auto
                && memory.simplex.is_empty()
                && let (Some(a), Some(b)) = (solid_of(a), solid_of(b))
                && is_apart_from_middle(a, b, place, max_distance)
            {
                return Ok(None);
            }
            if method == Method::Auto
                && rims::covers(a, b)
                && let Some(found) = rim_proximity(a, b, place, max_distance, memory)
            {
                return Ok(found.ok().and_then(within));
            }
            if method == Method::Auto
                && let Some(found) = walked(a, b, place, max_distance)
            {
                return Ok(found.ok().and_then(within));
            }
            let options = gjk::Options::within(max_distance);
            let found = match (a, b) {
                (Shape::Polytope(a), Shape::Polytope(b)) => {
                    gjk::proximity_within(&**a, &**b, place, &mut memory.simplex, &options)
                }
                (Shape::Polytope(a), Shape::Capsule(b)) => {
                    gjk::proximity_within(&**a, b, place, &mut memory.simplex, &options)
                }
                (Shape::Cylinder(a), Shape::Cylinder(b)) => {
                    gjk::proximity_within(a, b, place, &mut memory.simplex, &options)
                }
                _ => {
                    let (a, b) = (solid_of(a).ok_or_else(refused)?, solid_of(b).ok_or_else(refused)?);
                    gjk::proximity_within(a, b, place, &mut memory.simplex, &options)
                }
            };
            Ok(found.ok())
        }
        Method::Mpr => {
            let (a, b) = (solid_of(a).ok_or_else(refused)?, solid_of(b).ok_or_else(refused)?);
            let found = mpr::penetration(a, b, place, mpr::DEFAULT_RAYS);
            Ok(found.map(|found| {
                let (distance, normal) = (-found.depth, found.normal);
                Proximity { distance, normal, on_a: found.on_a, on_b: found.on_b }
            }))
        }
        Method::VClip => match (a, b) {
            (Shape::Polytope(a), Shape::Polytope(b)) => {
                if method == Method::Auto
                    && memory.witness.is_none()
                    && is_apart_from_middle(&**a, &**b, place, max_distance)
                {
                    return Ok(None);
                }
                let witness = memory.witness.get_or_insert_with(|| vclip::facing(a, b, place));
                Ok(within(VClip::default().proximity(a, b, place, witness)))
            }
            _ => Err(refused()),
        },
        Method::Sat => {
            let tolerances = Tolerances { margin: max_distance, slop: 0.0 };
            let mut contact = Manifold::default();
            let mut workspace = Workspace::default();
            separating_axes(a, b, place, tolerances, memory, &mut workspace, &mut contact)
                .ok_or_else(refused)?;
            let deepest = contact.points().iter().min_by(|p, q| p.separation.total_cmp(&q.separation));
            // The gap along the axis; the points are those of the contact, moved to be so far apart.
            Ok(deepest.map(|point| {
                let (distance, normal) = (memory.axis.separation, contact.normal);
                let middle = (point.on_a + place.apply(point.on_b)) * 0.5;
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
    place: &Pose,
    method: Method,
    memory: &mut Memory,
) -> Result<bool, Unsupported> {
    let refused = || refused(method, a, b);
    if method == Method::Auto
        && let Some(touches) = closed::touches(a, b, place)
    {
        return Ok(touches);
    }
    if method == Method::Auto
        && memory.simplex.is_empty()
        && let (Some(a), Some(b)) = (solid_of(a), solid_of(b))
        && is_apart_from_middle(a, b, place, 0.0)
    {
        return Ok(false);
    }
    let algorithm = if method == Method::Auto { chosen(a, b, false) } else { method };
    match algorithm {
        Method::Closed => closed::touches(a, b, place).ok_or_else(refused),
        Method::Auto | Method::GjkEpa => match (a, b) {
            (Shape::Polytope(a), Shape::Polytope(b)) => {
                Ok(gjk::intersects(&**a, &**b, place, &mut memory.simplex))
            }
            _ => {
                let (a, b) = (solid_of(a).ok_or_else(refused)?, solid_of(b).ok_or_else(refused)?);
                Ok(gjk::intersects(a, b, place, &mut memory.simplex))
            }
        },
        Method::Mpr => {
            let (a, b) = (solid_of(a).ok_or_else(refused)?, solid_of(b).ok_or_else(refused)?);
            Ok(mpr::touches(a, b, place))
        }
        Method::VClip => match (a, b) {
            (Shape::Polytope(a), Shape::Polytope(b)) => {
                let seed = memory.witness.unwrap_or_else(|| vclip::facing(a, b, place));
                let answer = VClip::default().solve(a, b, place, seed);
                memory.witness = Some(answer.witness);
                Ok(answer.is_penetrating())
            }
            _ => Err(refused()),
        },
        Method::Sat => {
            Ok(proximity(a, b, place, 0.0, method, memory)?.is_some_and(|found| found.distance <= 0.0))
        }
    }
}

/// The contact points of two shapes within the margin, into `contact`, whose old points are preferred if there are more than four.
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
    place: &Pose,
    tolerances: Tolerances,
    method: Method,
    memory: &mut Memory,
    workspace: &mut Workspace,
    contact: &mut Manifold,
) -> Result<(), Unsupported> {
    let refused = || refused(method, a, b);
    // Round shapes first: for them the way to the formula is a good part of the time.
    if matches!(method, Method::Auto | Method::Closed)
        && closed::manifold(a, b, place, tolerances.margin, contact)
    {
        return Ok(());
    }
    if method == Method::Auto {
        // Where a walk finds the distance of the core, the rest is a formula.
        let is_done = match (a, b) {
            (Shape::Polytope(a), Shape::Capsule(b)) => {
                polytope_capsule::write_contact(a, b, place, tolerances.margin, contact)
            }
            (Shape::Capsule(a), Shape::Polytope(b)) => {
                let back = place.inverse();
                let is_done = polytope_capsule::write_contact(b, a, &back, tolerances.margin, contact);
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
    let algorithm = if method == Method::Auto { chosen(a, b, true) } else { method };
    if algorithm == Method::Sat {
        return separating_axes(a, b, place, tolerances, memory, workspace, contact).ok_or_else(refused);
    }
    let has_directions = method == Method::Auto && rims::covers(a, b);
    if has_directions {
        match by_directions(a, b, place, tolerances.margin, memory) {
            Some(Answer::Apart(_)) => {
                contact.clear();
                return Ok(());
            }
            Some(Answer::Near { proximity: near, has_points: true })
                if near.distance <= tolerances.margin && rims::is_one_point(a, b, place, near.normal) =>
            {
                *contact = Manifold::of_proximity(&near, place, FeatureId::CLOSEST);
                return Ok(());
            }
            Some(Answer::Near { proximity: near, has_points }) => {
                let (a, b) = (solid_of(a).ok_or_else(refused)?, solid_of(b).ok_or_else(refused)?);
                let found = clipped(a, b, place, &near, tolerances.margin, workspace, contact);
                if has_points || found.points().len() > 1 && !has_closest(&found) {
                    *contact = found;
                    return Ok(());
                }
            }
            _ => {}
        }
    }
    let is_round = |shape: &Shape| matches!(shape, Shape::Cylinder(_) | Shape::Cone(_));
    if method == Method::Auto && !has_directions && is_round(a) && is_round(b) {
        let apart = rims::round_apart(a, b, place, tolerances.margin, &memory.direction);
        memory.direction = rims::Hint { axis: apart.unwrap_or(Vec3::ZERO), overlaps: false };
        if apart.is_some() {
            contact.clear();
            return Ok(());
        }
    }
    let Some(near) = proximity(a, b, place, tolerances.margin, algorithm, memory)
        .map_err(|_| refused())?
        .filter(|near| near.distance <= tolerances.margin)
    else {
        contact.clear();
        return Ok(());
    };
    let (a, b) = (solid_of(a).ok_or_else(refused)?, solid_of(b).ok_or_else(refused)?);
    *contact = clipped(a, b, place, &near, tolerances.margin, workspace, contact);
    Ok(())
}

/// Is one of the points what the algorithm gave, and not clipped?
fn has_closest(contact: &Manifold) -> bool {
    contact.points().iter().any(|point| point.feature == FeatureId::CLOSEST)
}

/// Contact points from the facets that face each other along a normal.
fn clipped(
    a: &dyn Solid,
    b: &dyn Solid,
    place: &Pose,
    near: &Proximity,
    margin: f32,
    workspace: &mut Workspace,
    previous: &Manifold,
) -> Manifold {
    let [facet_a, facet_b] = &mut workspace.facets;
    a.facet(near.normal, facet_a);
    b.facet(place.rotation.rotate_back(-near.normal), facet_b);
    facet_b.pose(place);
    contact(facet_a.view(), facet_b.view(), near, place, margin, previous)
}

/// A tile as the box of height 0 that it is.
fn flat_box(tile: &Tile) -> Cuboid {
    Cuboid { half: Vec3::new(tile.half_x, 0.0, tile.half_z) }
}

/// Contacts of polyhedra; `None` if one of them is none.
fn separating_axes(
    a: &Shape,
    b: &Shape,
    place: &Pose,
    tolerances: Tolerances,
    memory: &mut Memory,
    workspace: &mut Workspace,
    contact: &mut Manifold,
) -> Option<()> {
    let as_box = |shape: &Shape| match shape {
        Shape::Cuboid(shape) => Some(*shape),
        Shape::Tile(tile) => Some(flat_box(tile)),
        _ => None,
    };
    let cache = &mut memory.axis;
    let scratch = &mut workspace.axes;
    macro_rules! search {
        ($a:expr, $b:expr) => {
            sat::contact_of_polyhedra($a, $b, place, tolerances, cache, contact, scratch)
        };
    }
    *contact = match (as_box(a), as_box(b)) {
        (Some(a), Some(b)) => {
            sat::box_contact::write_box_box(&a, &b, place, tolerances, cache, contact);
            return Some(());
        }
        (Some(a), None) => match b {
            Shape::Polytope(b) => search!(&BoxBody::new(&a), &**b),
            Shape::Triangle(triangle) => {
                let pair = BoxTriangle { shape: &a, triangle, place, is_box_second: false };
                pair.contact(tolerances, cache, scratch, contact);
                return Some(());
            }
            _ => return None,
        },
        (None, Some(b)) => match a {
            Shape::Polytope(a) => search!(&**a, &BoxBody::new(&b)),
            Shape::Triangle(triangle) => {
                let pair = BoxTriangle { shape: &b, triangle, place, is_box_second: true };
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
