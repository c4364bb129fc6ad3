//! When do two shapes that move and turn first come near each other?
//!
//! Each shape has a [`Motion`] from time 0 to time 1: its pivot moves in a straight line at
//! constant speed and the shape turns about it at constant angular velocity (for two end poses the
//! shorter way round: [`Motion::between`]; for any angle [`Motion::rotating`]). The answer is the
//! first time at which the shapes are within [`ToiOptions::target_distance`] of each other, so that
//! a body moved there is close but does not touch.
//!
//! The search goes from separating axis to separating axis. At the time reached the distance is
//! measured; its normal, held fixed in space or turning with a body, separates the shapes for a
//! while longer, and how long is certain from support points alone. When the axis is used up the
//! distance is measured again, until it is the target or time runs out. Shapes that do not turn (or
//! are balls round their pivots) are [cast](crate::cast) instead.
//!
//! Invariants: at no time before the one returned are the shapes closer than the target distance,
//! up to the rounding of a support point; at a [`Hit`](Toi::Hit) they are within the tolerance of
//! it, unless they started closer. This holds for turns by any angle: what is certain over an
//! interval does not rest on samples. (Box2D's search of this kind, E. Catto, 2013, whose
//! separating axes these are, looks at the ends of intervals only; bounding the motion along an
//! axis is conservative advancement, B. Mirtich 1996, X. Zhang, S. Redon, M. Lee and Y. Kim 2006.)
//! Nothing is allocated.
//!
//! | module | holds |
//! |---|---|
//! | `axis` | how long an axis separates two moving shapes |
//! | [`core`] | what is left of a shape whose border may touch |
//! | `half_space` | impacts on a half-space: one axis is enough |
//! | `path` | where a body can come to, seen from another one |
//! | `parts` | the first impact over the parts of a surface or compound |
//! | [`surface`] | impacts of a convex shape on meshes and height fields at rest |
//! | [`shapes`] | impacts of any two shapes |

pub(crate) mod axis;
pub mod core;
mod half_space;
mod parts;
mod path;
pub mod shapes;
pub mod surface;

pub use carom_geometry::bounds::motion::Motion;
use carom_geometry::{Pose, Real, Vector};

pub use self::core::{Core, InnerBall};
pub use shapes::{ShapeToi, TwoSurfaces, time_of_impact_of_core, time_of_impact_of_shapes};
pub use surface::{SurfaceToi, time_of_impact_on_surface};

use crate::cast::{CastHit, CastOptions, cast};
use crate::gjk::{self, GjkOutcome, SimplexCache};
use crate::{Convex, Proximity};
use axis::{Axis, Body, Reached};

/// What is asked of a time of impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ToiOptions<S: Real = f32> {
    /// How close the shapes may come, in metres.
    pub target_distance: S,
    /// How much farther apart than that they may be at the time returned.
    pub tolerance: S,
    /// Times beyond are of no interest; at most 1.
    pub max_time: S,
    /// Measured distances after which the search gives up and says so.
    pub max_iterations: u32,
    /// Whether parts of surfaces and compounds that touch or overlap at time 0 are passed over, so
    /// that what is met later counts: for a body that slides on a floor which is also its wall.
    /// Without, one such part makes the answer [`Overlapping`](Toi::Overlapping).
    pub ignore_overlapping_parts: bool,
}

impl<S: Real> Default for ToiOptions<S> {
    /// Half a centimetre, a quarter of that, the whole motion, 64 distances, overlaps told.
    fn default() -> Self {
        Self {
            target_distance: S::of(0.005),
            tolerance: S::of(0.001_25),
            max_time: S::ONE,
            max_iterations: 64,
            ignore_overlapping_parts: false,
        }
    }
}

/// What became of two moving shapes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Toi<S: Real = f32> {
    /// They are never closer than the target distance.
    Separated,
    /// They come within the tolerance of the target distance; at time 0 if they start closer than
    /// that but apart.
    Hit {
        /// When.
        t: S,
        /// How they lie at that time, in the frame of the motions.
        proximity: Proximity<S>,
    },
    /// They touch or overlap at time 0.
    Overlapping,
    /// The search was cut off.
    NotConverged {
        /// Until this time they are not closer than the target distance.
        t: S,
    },
}

/// The first time at which two convex shapes are within the target distance.
///
/// ```
/// use carom_geometry::shape::{Capsule, Cuboid};
/// use carom_geometry::Pose;
/// use carom_narrowphase::toi::{Motion, Toi, ToiOptions, time_of_impact};
/// use glam::Vec3;
/// let (wall, rod) = (Cuboid::new(Vec3::new(1.0, 1.0, 0.01))?, Capsule::along_x(0.9, 0.1)?);
/// let still = Motion::rotating(&Pose::IDENTITY, Vec3::ZERO, Vec3::ZERO, Vec3::ZERO);
/// // The rod is half a metre above the wall and makes half a turn; one of its ends comes down on it
/// // before 30°.
/// let start = Pose::at(Vec3::new(1.5, 0.0, 0.5));
/// let turning = Motion::rotating(&start, Vec3::ZERO, Vec3::ZERO, -Vec3::Y * std::f32::consts::PI);
/// let outcome = time_of_impact(&wall, &still, &rod, &turning, &ToiOptions::default());
/// let Toi::Hit { t, proximity } = outcome else { panic!() };
/// assert!(t < 1.0 / 6.0 && (proximity.distance - 0.005).abs() < 0.0025);
/// # Ok::<(), carom_geometry::shape::ShapeError>(())
/// ```
pub fn time_of_impact<S: Real, A: Convex<S> + ?Sized, B: Convex<S> + ?Sized>(
    a: &A,
    motion_a: &Motion<S>,
    b: &B,
    motion_b: &Motion<S>,
    options: &ToiOptions<S>,
) -> Toi<S> {
    impact(a, &motion_a.to::<f64>(), b, &motion_b.to::<f64>(), options)
}

/// The same with motions in `f64`: those of parts of a body are not rounded.
fn impact<S: Real, A: Convex<S> + ?Sized, B: Convex<S> + ?Sized>(
    a: &A,
    motion_a: &Motion<f64>,
    b: &B,
    motion_b: &Motion<f64>,
    options: &ToiOptions<S>,
) -> Toi<S> {
    let bodies = (Body::new(a, motion_a), Body::new(b, motion_b));
    let (Some(body_a), Some(body_b)) = bodies else { return Toi::NotConverged { t: S::ZERO } };
    if body_a.keeps_still() && body_b.keeps_still() {
        return without_turning(&body_a, &body_b, options);
    }
    let limits = Limits::new(options);
    let mut cache = SimplexCache::new();
    let mut t = 0.0;
    for _ in 0..options.max_iterations {
        let (pose_a, pose_b) = (body_a.pose(t), body_b.pose(t));
        let pose = pose_a.relative(&pose_b).to::<S>();
        let found = match gjk::distance(a, b, &pose, &mut cache, &gjk::GjkOptions::default()) {
            GjkOutcome::Near(found) => found,
            // Cores without a target distance between them touch.
            GjkOutcome::Separated { .. } | GjkOutcome::Overlapping => return ended_inside(t),
        };
        let normal = pose_a.rotation.rotate(found.normal.to::<f64>());
        let mut axis = Axis::new(&body_a, &body_b, normal, t);
        let gap = axis.gap(t);
        if gap <= limits.enough {
            if found.distance <= S::ZERO {
                return ended_inside(t);
            }
            return Toi::Hit { t: S::of(t), proximity: found.posed(&pose_a.to::<S>()) };
        }
        match axis.clear_until(gap, &limits) {
            Reached::End => return Toi::Separated,
            Reached::Time(later) if later > t => t = later,
            Reached::Time(_) => break,
        }
    }
    Toi::NotConverged { t: S::of(t) }
}

impl<S: Real> Toi<S> {
    /// When something happens; an overlap is earlier than a hit at the start.
    fn time(&self) -> Option<S> {
        match self {
            Self::Separated => None,
            Self::Hit { t, .. } | Self::NotConverged { t } => Some(*t),
            Self::Overlapping => Some(-S::ONE),
        }
    }

    /// The same with the shapes exchanged.
    fn swapped(self) -> Self {
        match self {
            Self::Hit { t, proximity: Proximity { distance, normal, on_a, on_b } } => {
                Self::Hit { t, proximity: Proximity { distance, normal: -normal, on_a: on_b, on_b: on_a } }
            }
            other => other,
        }
    }
}

fn ended_inside<S: Real>(t: f64) -> Toi<S> {
    if t > 0.0 { Toi::NotConverged { t: S::of(t) } } else { Toi::Overlapping }
}

/// The options in `f64`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The gap that is kept.
    pub(crate) target: f64,
    /// The gap that is close enough to it.
    pub(crate) enough: f64,
    /// The end of the interval.
    pub(crate) end: f64,
}

impl Limits {
    fn new<S: Real>(options: &ToiOptions<S>) -> Self {
        let target = Real::max(options.target_distance.to_f64(), 0.0);
        let tolerance = Real::max(options.tolerance.to_f64(), f64::MIN_POSITIVE);
        let end = Real::clamp(options.max_time.to_f64(), 0.0, 1.0);
        Self { target, enough: target + tolerance, end }
    }
}

/// Shapes whose turning changes nothing.
fn without_turning<S: Real, A: Convex<S> + ?Sized, B: Convex<S> + ?Sized>(
    a: &Body<'_, S, A>,
    b: &Body<'_, S, B>,
    options: &ToiOptions<S>,
) -> Toi<S> {
    let frame = a.pose(0.0);
    let pose = frame.relative(&b.pose(0.0)).to::<S>();
    let displacement = frame.rotation.rotate_back(b.displacement() - a.displacement()).to::<S>();
    let cast_options = CastOptions {
        max_fraction: options.max_time,
        stop_distance: options.target_distance,
        ..CastOptions::default()
    };
    let Some(hit) = cast(a.shape, b.shape, &pose, displacement, &cast_options) else {
        return Toi::Separated;
    };
    let CastHit { fraction: t, normal, point, distance, .. } = hit;
    if hit.overlaps_at_start() {
        return Toi::Overlapping;
    }
    if !hit.converged {
        return Toi::NotConverged { t };
    }
    let found = Proximity { distance, normal, on_a: point, on_b: point + normal * distance };
    let moved = Pose::new(frame.translation + a.displacement() * t.to_f64(), frame.rotation);
    Toi::Hit { t, proximity: found.posed(&moved.to::<S>()) }
}
