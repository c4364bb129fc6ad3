//! Times of impact of any two shapes: what continuous collision asks of a pair in which something
//! is fast.
//!
//! Compounds are walked down to their children, surfaces to their triangles, each with its own
//! motion in `f64`: a child far from the pivot loses nothing. Both bodies may move and turn, meshes
//! and height fields too. Two of half-space, mesh and height field have no time of impact, as they
//! have no contacts.

use carom_geometry::bounds::Aabb;
use carom_geometry::bounds::motion::Motion;
use carom_geometry::shape::{Bounded, Compound, Shape};

use super::core::Core;
use super::half_space::impact_on_half_space;
use super::parts::earliest;
use super::path::Path;
use super::{Toi, ToiOptions, impact};
use crate::Convex;
use crate::cast::Surface;
use crate::dispatch::{Algorithm, Question, algorithm_for};
use crate::support_feature::solid_of;

/// What became of two moving shapes, and which of their parts it is about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapeToi {
    /// The first that happens with any two parts; normals are from the first shape to the second.
    pub outcome: Toi,
    /// Triangle of the first shape, or child if it is a compound (the outermost).
    pub part_a: Option<u32>,
    /// The same of the second.
    pub part_b: Option<u32>,
    /// Pairs of children that came near each other and have no time of impact, being two surfaces.
    pub not_handled: u32,
}

carom_core::error_type! {
    /// Half-spaces, meshes and height fields have no times of impact with each other.
    #[error("a {a} and a {b} have no time of impact: one of them must be solid")]
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct TwoSurfaces {
        /// Kind of the first shape.
        pub a: &'static str,
        /// Kind of the second.
        pub b: &'static str,
    }
}

/// The first time at which two shapes of any kind are within the target distance of each other.
///
/// Nothing is allocated. Of parts that are met at the same time one is named, the same in every
/// run.
///
/// # Errors
///
/// Two of half-space, mesh and height field. Pairs of children of which this is true are passed
/// over and [counted](ShapeToi::not_handled).
///
/// ```
/// use carom_geometry::shape::{Capsule, Child, Compound, Cuboid, Shape};
/// use carom_geometry::Pose;
/// use carom_narrowphase::toi::{Motion, Toi, ToiOptions, time_of_impact_of_shapes};
/// use glam::Vec3;
/// // A gate of two posts, and a bullet at a kilometre per second that flies into the second.
/// let post = Shape::from(Cuboid::new(Vec3::new(0.01, 1.0, 0.1))?);
/// let at = |z| Child { pose: Pose::at(Vec3::new(0.0, 0.0, z)), shape: post.clone() };
/// let gate = Shape::from(Compound::new(vec![at(-1.0), at(1.0)])?);
/// let bullet = Shape::from(Capsule::along_x(0.02, 0.005)?);
/// let still = Motion::rotating(&Pose::IDENTITY, Vec3::ZERO, Vec3::ZERO, Vec3::ZERO);
/// let start = Pose::at(Vec3::new(-8.0, 0.0, 1.0));
/// let flight = Motion::rotating(&start, Vec3::ZERO, Vec3::X * 1000.0 / 60.0, Vec3::X * 50.0);
/// let found = time_of_impact_of_shapes(&gate, &still, &bullet, &flight, &ToiOptions::default())?;
/// let Toi::Hit { t, proximity } = found.outcome else { panic!() };
/// assert!((t - (8.0 - 0.01 - 0.025) * 60.0 / 1000.0).abs() < 1e-3);
/// assert!(found.part_a == Some(1) && (proximity.normal + Vec3::X).length() < 1e-3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn time_of_impact_of_shapes(
    a: &Shape,
    motion_a: &Motion,
    b: &Shape,
    motion_b: &Motion,
    options: &ToiOptions,
) -> Result<ShapeToi, TwoSurfaces> {
    if algorithm_for(Question::TimeOfImpact, a, b) == Algorithm::Unsupported {
        return Err(TwoSurfaces { a: a.name(), b: b.name() });
    }
    if !(motion_a.is_finite() && motion_b.is_finite()) {
        return Ok(whole(Toi::NotConverged { t: 0.0 }));
    }
    let (a, b) = (Mover { shape: a, motion: motion_a.to() }, Mover { shape: b, motion: motion_b.to() });
    Ok(between(&a, &b, options))
}

/// A shape with its motion.
struct Mover<'q> {
    shape: &'q Shape,
    motion: Motion<f64>,
}

impl Mover<'_> {
    /// Everything for a half-space.
    fn bounds(&self) -> Aabb<3> {
        if matches!(self.shape, Shape::HalfSpace(_)) { Aabb::EVERYTHING } else { self.shape.aabb() }
    }
}

/// Recursion is bounded by the depth of compounds.
fn between(a: &Mover<'_>, b: &Mover<'_>, options: &ToiOptions) -> ShapeToi {
    if let Some(solid) = Solid::of(b) {
        return with_solid(a, &solid, options);
    }
    if let Some(solid) = Solid::of(a) {
        return swapped(with_solid(b, &solid, options));
    }
    match (a.shape, b.shape) {
        (Shape::Compound(compound), _) => {
            let path = path(a, &b.bounds(), &b.motion, options);
            with_children(a, compound, &path, options, |child, options| between(child, b, options))
        }
        (_, Shape::Compound(compound)) => {
            let path = path(b, &a.bounds(), &a.motion, options);
            swapped(with_children(b, compound, &path, options, |child, options| {
                swapped(between(a, child, options))
            }))
        }
        _ => NOT_HANDLED,
    }
}

/// The first time at which a shape of any kind and a [core](Core) are within the target distance of
/// each other, and the normal from the shape to the core; motions in `f64`, so that parts far from
/// their pivots lose nothing.
#[must_use]
pub fn time_of_impact_of_core(
    shape: &Shape,
    motion: &Motion<f64>,
    core: &Core<'_>,
    core_motion: &Motion<f64>,
    options: &ToiOptions,
) -> Toi {
    if !(motion.is_finite() && core_motion.is_finite()) {
        return Toi::NotConverged { t: 0.0 };
    }
    let solid = Solid { convex: core, bounds: *core.bounds(), motion: *core_motion };
    with_solid(&Mover { shape, motion: *motion }, &solid, options).outcome
}

/// A convex and bounded shape with its motion.
struct Solid<'q> {
    convex: &'q dyn Convex<f32>,
    bounds: Aabb<3>,
    motion: Motion<f64>,
}

impl<'q> Solid<'q> {
    fn of(mover: &Mover<'q>) -> Option<Self> {
        Some(Self { convex: solid_of(mover.shape)?, bounds: mover.bounds(), motion: mover.motion })
    }
}

/// Recursion is bounded by the depth of compounds.
fn with_solid(a: &Mover<'_>, b: &Solid<'_>, options: &ToiOptions) -> ShapeToi {
    let path = || path(a, &b.bounds, &b.motion, options);
    match a.shape {
        Shape::Compound(compound) => {
            with_children(a, compound, &path(), options, |child, options| with_solid(child, b, options))
        }
        Shape::Mesh(mesh) => on_surface(a, &**mesh, b, &path(), options),
        Shape::HeightField(field) => on_surface(a, &**field, b, &path(), options),
        Shape::HalfSpace(_) => whole(impact_on_half_space(&a.motion, b.convex, &b.motion, options)),
        _ => match solid_of(a.shape) {
            Some(solid) => whole(impact(solid, &a.motion, b.convex, &b.motion, options)),
            None => NOT_HANDLED,
        },
    }
}

const NOT_HANDLED: ShapeToi =
    ShapeToi { outcome: Toi::Separated, part_a: None, part_b: None, not_handled: 1 };

fn whole(outcome: Toi) -> ShapeToi {
    ShapeToi { outcome, part_a: None, part_b: None, not_handled: 0 }
}

fn swapped(found: ShapeToi) -> ShapeToi {
    let ShapeToi { outcome, part_a, part_b, not_handled } = found;
    ShapeToi { outcome: outcome.swapped(), part_a: part_b, part_b: part_a, not_handled }
}

/// The way of a body with these bounds, seen from a shape.
fn path(seer: &Mover<'_>, bounds: &Aabb<3>, motion: &Motion<f64>, options: &ToiOptions) -> Path {
    Path::new(&seer.motion, bounds, motion, options.target_distance + options.tolerance)
}

fn with_children(
    a: &Mover<'_>,
    compound: &Compound,
    path: &Path,
    options: &ToiOptions,
    ask: impl Fn(&Mover<'_>, &ToiOptions) -> ShapeToi,
) -> ShapeToi {
    let mut not_handled = 0;
    let found = earliest(compound, path, options, |number, options| {
        let child = &compound.children()[number as usize];
        let motion = a.motion.carrying(&child.pose.to::<f64>());
        let inner = ask(&Mover { shape: &child.shape, motion }, options);
        not_handled += inner.not_handled;
        (inner.outcome, inner.part_b)
    });
    ShapeToi { outcome: found.outcome, part_a: found.part, part_b: found.detail.flatten(), not_handled }
}

fn on_surface<T: Surface>(
    a: &Mover<'_>,
    surface: &T,
    b: &Solid<'_>,
    path: &Path,
    options: &ToiOptions,
) -> ShapeToi {
    let found = earliest(surface, path, options, |number, options| {
        (impact(&surface.triangle(number), &a.motion, b.convex, &b.motion, options), ())
    });
    ShapeToi { part_a: found.part, ..whole(found.outcome) }
}
