//! When does a shape that moves without turning first touch another?
//!
//! The target rests at the origin of the frame, the mover starts at a place in it and moves by a
//! displacement. The answer is the part of the displacement after which they touch (or are as close
//! as asked), with the normal from target to mover and the point of the target.
//!
//! | function | casts | how |
//! |---|---|---|
//! | [`cast()`] | any two convex shapes | ray on the Minkowski difference (`search`) |
//! | [`cast_sphere`] | a ball on sphere, capsule, box, tile, triangle, half-space | ray on the shape grown by the radius ([`round`]) |
//! | [`cast_capsules`] | a capsule on a capsule | ray on a rounded parallelogram ([`round`]) |
//! | [`cast_on_half_space`] | a convex shape on a half-space | its deepest point |
//! | [`cast_on_surface`] | a convex shape on a mesh or height field | triangles in the order of the moving box ([`surface`]) |
//! | [`cast_shape`] | anything on anything | the best of these, and parts of compounds ([`shapes`]) |
//!
//! Whatever the scalar of the shapes, times are found in `f64`: single precision shapes are exact
//! numbers, and a bullet that comes from a kilometre away is known to a micrometre. Nothing is
//! allocated. Rays alone are [`RayCast`](carom_geometry::shape::RayCast)'s business.
//!
//! Invariants: the mover is nowhere closer than the stop distance before [`CastHit::fraction`], up
//! to rounding; the fraction is in `[0, max_fraction]`; the normal is a unit vector; nothing is
//! NaN. Input that is not finite touches nothing.

pub mod round;
mod rounded;
pub(crate) mod search;
pub mod shapes;
pub mod surface;

use carom_geometry::{Pose, Real, Vector};
use glam::DVec3;

pub use round::{Grown, cast_capsules, cast_on_half_space, cast_sphere};
pub use shapes::{ShapeCastHit, cast_shape};
pub use surface::{Surface, SurfaceCastHit, cast_on_surface};

use crate::Convex;
use crate::gjk::cache::Hints;
use crate::gjk::difference::Difference;
use crate::gjk::{self, SimplexCache};
use search::{End, Touch};

/// What is asked of a cast.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CastOptions<S: Real = f32> {
    /// How much of the displacement to look at, in [0, 1].
    pub max_fraction: S,
    /// Stop at this distance instead of touching.
    pub stop_distance: S,
    /// Whether normal and depth of shapes that overlap at the start are wanted where they cost
    /// extra: where the cores overlap. Without, the normal is against the displacement there and
    /// the depth a lower bound.
    pub depth_at_start: bool,
    /// Whether a mover that starts within the stop distance and moves away (normal and displacement
    /// do not oppose each other) counts as a miss. Asks for the depth at the start.
    pub ignore_leaving: bool,
    /// Whether triangles of surfaces count that are met from behind: with a displacement along
    /// their normal.
    pub backfaces: bool,
}

impl<S: Real> Default for CastOptions<S> {
    fn default() -> Self {
        Self {
            max_fraction: S::ONE,
            stop_distance: S::ZERO,
            depth_at_start: false,
            ignore_leaving: false,
            backfaces: true,
        }
    }
}

/// The first touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CastHit<S: Real = f32> {
    /// Part of the displacement after which it happens.
    pub fraction: S,
    /// Unit vector from target to mover.
    pub normal: S::Vec3,
    /// Point of the target; the point of the mover is `distance · normal` away.
    pub point: S::Vec3,
    /// Distance at that moment: the stop distance, or less if the mover started there; below zero
    /// for an overlap.
    pub distance: S,
    /// True if the mover was within the stop distance before it moved.
    pub at_start: bool,
    /// False if the search was cut off: then nothing touches before `fraction`, and whether they
    /// touch soon after is unknown.
    pub converged: bool,
}

impl<S: Real> CastHit<S> {
    /// Did the shapes touch or overlap before they moved?
    #[must_use]
    pub fn overlaps_at_start(&self) -> bool {
        self.at_start && self.distance <= S::ZERO
    }

    /// The hit of a mover that rested while its target moved the other way, in the frame of the
    /// target: `pose` is the pose of the mover in it and `displacement` its displacement.
    #[must_use]
    pub(crate) fn swapped(&self, pose: &Pose<S>, displacement: S::Vec3) -> Self {
        let normal = -pose.rotation.rotate(self.normal);
        let on_mover = pose.apply(self.point) + displacement * self.fraction;
        Self { normal, point: on_mover - normal * self.distance, ..*self }
    }
}

/// A cast that has numbers to work with, in `f64`.
#[derive(Clone, Copy, Debug)]
struct Request {
    displacement: DVec3,
    max: f64,
    stop: f64,
}

impl Request {
    /// `None` if something is not finite.
    #[inline]
    fn new<S: Real>(pose: &Pose<S>, displacement: S::Vec3, options: &CastOptions<S>) -> Option<Self> {
        let max = options.max_fraction.to_f64();
        let stop = Real::max(options.stop_distance.to_f64(), 0.0);
        let sensible = pose.is_finite() && displacement.is_finite() && max >= 0.0 && stop.is_finite();
        sensible.then(|| Self { displacement: displacement.to::<f64>(), max: Real::min(max, 1.0), stop })
    }

    /// The hit of cores with radii.
    #[inline]
    fn hit<S: Real>(&self, touch: &Touch, radii: [f64; 2], options: &CastOptions<S>) -> Option<CastHit<S>> {
        if touch.at_start && options.ignore_leaving && touch.normal.dot(self.displacement) >= 0.0 {
            return None;
        }
        let distance = if touch.at_start { touch.cores - radii[0] - radii[1] } else { self.stop };
        let point = touch.on_target + touch.normal * radii[0];
        let hit = CastHit {
            fraction: Real::min(S::of(touch.t), S::of(self.max)),
            normal: touch.normal.to::<S>(),
            point: point.to::<S>(),
            distance: S::of(distance),
            at_start: touch.at_start,
            converged: touch.converged,
        };
        (hit.fraction.is_finite() && hit.point.is_finite() && hit.normal.is_finite()).then_some(hit)
    }

    /// Against the motion; any direction if there is none.
    #[inline]
    fn back(&self) -> DVec3 {
        -self.displacement.unit().unwrap_or(-DVec3::Y)
    }
}

/// Casts a convex shape at another: the mover starts at `pose` in the frame of the target and moves
/// by `displacement`.
///
/// Fastest with shapes of few vertices; the other functions of the [module](self) are faster still
/// for what they are made for.
///
/// ```
/// use carom_geometry::Pose;
/// use carom_geometry::shape::{Cuboid, Cylinder};
/// use carom_narrowphase::cast::{CastOptions, cast};
/// use glam::Vec3;
/// let (wall, cylinder) = (Cuboid::new(Vec3::new(0.1, 5.0, 5.0))?, Cylinder::new(1.0, 0.4)?);
/// let pose = Pose::at(Vec3::new(-10.0, 0.0, 0.0));
/// let hit = cast(&wall, &cylinder, &pose, Vec3::X * 100.0, &CastOptions::default()).unwrap();
/// assert!((hit.fraction - 0.095).abs() < 1e-6);
/// assert!((hit.normal + Vec3::X).length() < 1e-6);
/// # Ok::<(), carom_geometry::shape::ShapeError>(())
/// ```
#[inline]
pub fn cast<S: Real, A: Convex<S> + ?Sized, B: Convex<S> + ?Sized>(
    target: &A,
    mover: &B,
    pose: &Pose<S>,
    displacement: S::Vec3,
    options: &CastOptions<S>,
) -> Option<CastHit<S>> {
    let request = Request::new(pose, displacement, options)?;
    let mut difference = Difference::new(target, mover, pose, Hints::NONE);
    let radii = difference.radii();
    let reach = radii[0] + radii[1] + request.stop;
    match search::run(&mut difference, request.displacement, request.max, reach) {
        End::Missed => None,
        End::Touched(touch) => request.hit(&touch, radii, options),
        End::Inside { on_target, apart } => {
            let mut touch = Touch {
                t: 0.0,
                cores: 0.0,
                normal: request.back(),
                on_target,
                at_start: true,
                converged: true,
            };
            if apart || options.depth_at_start || options.ignore_leaving {
                measure_start(target, mover, pose, &mut touch);
            }
            request.hit(&touch, radii, options)
        }
    }
}

/// The normal and the distance of cores that overlap or touch at the start.
#[cold]
#[inline(never)]
fn measure_start<S: Real, A: Convex<S> + ?Sized, B: Convex<S> + ?Sized>(
    target: &A,
    mover: &B,
    pose: &Pose<S>,
    touch: &mut Touch,
) {
    let way_out = gjk::proximity(target, mover, pose, &mut SimplexCache::new());
    let radii = [target.radius().to_f64(), mover.radius().to_f64()];
    touch.normal = way_out.normal.to::<f64>();
    touch.cores = way_out.distance.to_f64() + radii[0] + radii[1];
    touch.on_target = way_out.on_a.to::<f64>() - touch.normal * radii[0];
}
