//! The distance of two convex shapes by the algorithm of Gilbert, Johnson and Keerthi.
//!
//! A simplex of points of the Minkowski difference creeps towards the origin: its point nearest to
//! the origin is the direction in which the next corner is sought, and when no corner lies nearer,
//! the distance is proved. Cores are measured and radii added after, so balls and capsules need one
//! or two steps.
//!
//! Invariants: the distance of the simplex falls, or the query ends after a few steps, so no cycle
//! is possible; the answer is a point of the hull of support points, hence never less than the true
//! distance, and a support plane proves that it is not more than [`GjkOptions::tolerance`] above.
//! Steps take no square root; the simplex is solved in `f64` whatever the scalar of the shapes.
//! Nothing is allocated.
//!
//! Cost: five to seven steps for polytopes from nothing, one to three from a [`SimplexCache`]. Each
//! step is one support point of either shape; those of large polytopes climb from the last one.
//!
//! References: E. Gilbert, D. Johnson, S. Keerthi, "A fast procedure for computing the distance
//! between complex objects in three-dimensional space" (1988); G. van den Bergen, "A fast and
//! robust GJK implementation" (1999), for the gap as criterion and the cache of the simplex; L.
//! Montaut and others, "Collision detection accelerated: an optimization perspective" (2022), for
//! the momentum.
//!
//! | module | holds |
//! |---|---|
//! | `difference` | support points of the difference |
//! | `simplex` | the point of a simplex nearest to the origin |
//! | [`cache`] | what one query leaves for the next, and what it cost |

pub mod cache;
pub(crate) mod difference;
pub(crate) mod simplex;

use carom_geometry::{Pose, Real, Vector};
use glam::DVec3;

use crate::{Convex, Proximity, epa};
pub use cache::{GjkEffort, GjkTermination, SimplexCache};
use difference::{Difference, Vertex};
use simplex::{Corners, Nearest, nearest_of, straightened, weights};

/// Steps after which a query gives up and says so. The most that the tests need are 60 (cones in
/// `f64`).
const MAX_ITERATIONS: u32 = 128;

/// Steps with momentum before it is given up.
const MAX_MOMENTUM: u32 = 32;

/// Steps in a row that need not shorten the distance. Its square hides gaps of less than the root
/// of a rounding error, which a better direction still closes.
pub(crate) const MAX_STALLED: u32 = 6;

/// What is wanted of a query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GjkOptions<S: Real> {
    /// Pairs that are proved to be farther apart are not measured.
    pub max_distance: S,
    /// By how much the distance may be wrong, relative to the largest difference of points of the
    /// two shapes.
    pub tolerance: S,
    /// Takes support points in a direction with momentum: fewer steps for round shapes, more for
    /// polytopes.
    pub momentum: bool,
}

impl<S: Real> Default for GjkOptions<S> {
    fn default() -> Self {
        Self { max_distance: S::INFINITY, tolerance: default_tolerance(), momentum: false }
    }
}

impl<S: Real> GjkOptions<S> {
    /// The usual ones for pairs up to a distance.
    #[must_use]
    pub fn within(max_distance: S) -> Self {
        Self { max_distance, ..Self::default() }
    }
}

/// A few rounding errors in `f32`; in `f64` less than anybody measures.
#[inline]
pub(crate) fn default_tolerance<S: Real>() -> S {
    Real::max(S::of(8.0) * S::EPSILON, S::of(1e-10))
}

/// What a query found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GjkOutcome<S: Real> {
    /// The shapes are farther apart than asked for.
    Separated {
        /// Unit vector from the first to the second along which they are.
        axis: S::Vec3,
        /// The gap along it: a lower bound of the distance.
        at_least: S,
    },
    /// The cores are apart; the shapes may overlap by less than their radii.
    Near(Proximity<S>),
    /// The cores overlap or touch; the cache holds a simplex of their difference with the origin in
    /// it, up to rounding.
    Overlapping,
}

/// How the search ended.
enum Found {
    Separated { direction: DVec3, along: f64 },
    Apart { point: DVec3 },
    Overlapping,
}

/// When a search may stop early.
struct Limits {
    /// Distance of cores beyond which they are separated.
    far: f64,
    /// Distance of cores below which they need not be measured: the answer is *overlapping*.
    near: f64,
    tolerance: f64,
    momentum: bool,
}

/// The simplex of a search.
pub(crate) struct Search<S: Real> {
    pairs: [[S::Vec3; 2]; 4],
    points: [DVec3; 4],
    corners: Corners,
    /// Largest square of a corner seen: the scale of rounding errors.
    largest: f64,
}

impl<S: Real> Search<S> {
    #[inline]
    fn new() -> Self {
        let pairs = [[S::Vec3::ZERO; 2]; 4];
        Self { pairs, points: [DVec3::ZERO; 4], corners: Corners::first(0), largest: 0.0 }
    }

    /// Puts a vertex where it would be the next corner.
    #[inline]
    fn put(&mut self, vertex: &Vertex<S>) -> Corners {
        let free = self.corners.free();
        self.pairs[free] = [vertex.a, vertex.b];
        self.points[free] = vertex.w;
        self.corners.grown()
    }

    /// The first simplex: that of the cache, or one point.
    #[inline]
    fn start<A: Convex<S> + ?Sized, B: Convex<S> + ?Sized>(
        &mut self,
        difference: &mut Difference<'_, S, A, B>,
        cache: &SimplexCache<S>,
    ) {
        for (k, &pair) in cache.pairs().iter().enumerate() {
            self.pairs[k] = pair;
            self.points[k] = difference.vertex(pair[0], pair[1]).w;
        }
        self.corners = Corners::first(cache.pairs().len());
        if self.corners.count() == 0 {
            self.corners = self.put(&difference.lowest(difference.first_direction()));
        }
        for k in self.corners.places() {
            self.largest = Real::max(self.largest, self.points[k].dot(self.points[k]));
        }
    }

    #[inline]
    fn run<A: Convex<S> + ?Sized, B: Convex<S> + ?Sized>(
        &mut self,
        difference: &mut Difference<'_, S, A, B>,
        limits: &Limits,
        effort: &mut GjkEffort,
    ) -> Found {
        let zero = limits.tolerance * limits.tolerance * (1.0 / 64.0);
        let near = limits.near * limits.near;
        let mut current = nearest_of::<false>(&self.points, self.corners);
        self.corners = current.carriers;
        let mut direction = current.point;
        let mut momentum = limits.momentum;
        let mut stalled = 0;
        let (mut least_square, mut least_gap) = (current.square, f64::INFINITY);
        let mut straight = false;
        effort.ending = GjkTermination::Capped;
        for step in 0..MAX_ITERATIONS {
            effort.iterations = step + 1;
            if self.corners.count() == 4 || current.square <= zero * self.largest || current.square < near {
                effort.ending = GjkTermination::Proved;
                return Found::Overlapping;
            }
            let vertex = difference.lowest(direction);
            let along = direction.dot(vertex.w);
            if along > 0.0 && along * along > limits.far * limits.far * direction.dot(direction) {
                effort.ending = GjkTermination::Proved;
                return Found::Separated { direction, along };
            }
            self.largest = Real::max(self.largest, vertex.w.dot(vertex.w));
            let gap = current.square - current.point.dot(vertex.w);
            let bound = limits.tolerance * limits.tolerance * current.square * self.largest;
            let ended = if gap <= 0.0 || gap * gap <= bound {
                Some(GjkTermination::Proved)
            } else if self.corners.places().any(|k| self.points[k] == vertex.w) {
                Some(GjkTermination::NoProgress)
            } else {
                let with_it = self.put(&vertex);
                let next = nearest_of::<true>(&self.points, with_it);
                let progress = next.square < least_square || gap < 0.5 * least_gap;
                stalled = if progress { 0 } else { stalled + 1 };
                least_gap = Real::min(gap, least_gap);
                least_square = Real::min(next.square, least_square);
                if stalled <= MAX_STALLED && self.is_no_farther(&next, least_square, limits.tolerance) {
                    current = next;
                    self.corners = current.carriers;
                    None
                } else {
                    Some(GjkTermination::NoProgress)
                }
            };
            match ended {
                // Nothing to gain in the direction of the momentum says nothing about the plain
                // one.
                Some(_) if momentum => {
                    momentum = false;
                    direction = current.point;
                }
                // Nor does a direction that is rounding.
                Some(GjkTermination::NoProgress) if !straight => {
                    straight = true;
                    current.point = straightened(&self.points, &current);
                    direction = current.point;
                }
                // So close that rounding has the last word about the direction: faces know better.
                Some(GjkTermination::NoProgress)
                    if current.square <= 16.0 * limits.tolerance * limits.tolerance * self.largest =>
                {
                    effort.ending = GjkTermination::NoProgress;
                    return Found::Overlapping;
                }
                Some(ending) => {
                    effort.ending = ending;
                    break;
                }
                // Shapes that touch at a round place: the average of directions lags behind for
                // ever.
                None if momentum && step >= MAX_MOMENTUM => {
                    momentum = false;
                    direction = current.point;
                }
                None if momentum => {
                    let share = f64::from(step + 1) / f64::from(step + 3);
                    let target = current.point * share + vertex.w * (1.0 - share);
                    direction = direction * share + target * (1.0 - share);
                }
                None => direction = current.point,
            }
        }
        Found::Apart { point: current.point }
    }

    /// Whether a point is as near as the nearest so far, up to rounding. That of a direction is
    /// more than that of a product where the corners are close to each other or to the origin.
    #[inline]
    fn is_no_farther(&self, next: &Nearest, least: f64, tolerance: f64) -> bool {
        next.square <= least || next.square.sqrt() <= least.sqrt() + 0.125 * tolerance * self.largest.sqrt()
    }

    /// The answer for the full shapes.
    #[inline]
    fn proximity(&self, point: DVec3, radii: [f64; 2]) -> Proximity<S> {
        let weights = weights(&self.points, self.corners);
        let mut on_a = DVec3::ZERO;
        for k in self.corners.places() {
            on_a += self.pairs[k][0].to::<f64>() * weights[k];
        }
        let length = point.length();
        let cores = Proximity::<f64> { distance: length, normal: point / length, on_a, on_b: on_a + point };
        narrowed(&cores.grown(radii[0], radii[1]))
    }
}

/// The answer in the scalar of the shapes.
#[inline]
pub(crate) fn narrowed<S: Real>(answer: &Proximity<f64>) -> Proximity<S> {
    Proximity {
        distance: S::of(answer.distance),
        normal: answer.normal.to::<S>(),
        on_a: answer.on_a.to::<S>(),
        on_b: answer.on_b.to::<S>(),
    }
}

/// The distance of two shapes, the second placed in the frame of the first.
///
/// ```
/// use carom_geometry::shape::{Cuboid, Sphere};
/// use carom_geometry::Pose;
/// use carom_narrowphase::gjk::{self, SimplexCache, GjkOptions, GjkOutcome};
/// use glam::Vec3;
/// let (ball, cube) = (Sphere { radius: 0.5 }, Cuboid { half: Vec3::ONE });
/// let pose = Pose::at(Vec3::new(3.0, 0.0, 0.0));
/// let mut cache = SimplexCache::new();
/// let outcome = gjk::distance(&ball, &cube, &pose, &mut cache, &GjkOptions::default());
/// let GjkOutcome::Near(found) = outcome else { panic!() };
/// assert_eq!((found.distance, found.normal), (1.5, Vec3::X));
/// let outcome = gjk::distance(&ball, &cube, &pose, &mut cache, &GjkOptions::within(1.0));
/// assert!(matches!(outcome, GjkOutcome::Separated { .. }));
/// ```
#[inline]
pub fn distance<S: Real, A: Convex<S> + ?Sized, B: Convex<S> + ?Sized>(
    a: &A,
    b: &B,
    pose: &Pose<S>,
    cache: &mut SimplexCache<S>,
    options: &GjkOptions<S>,
) -> GjkOutcome<S> {
    let mut difference = Difference::new(a, b, pose, cache.hints);
    let radii = difference.radii();
    let limits = Limits {
        far: options.max_distance.to_f64() + radii[0] + radii[1],
        near: 0.0,
        tolerance: options.tolerance.to_f64(),
        momentum: options.momentum,
    };
    let mut search = Search::new();
    search.start(&mut difference, cache);
    let found = search.run(&mut difference, &limits, &mut cache.effort);
    cache.effort.supports = difference.supports;
    cache.hints = difference.hints;
    cache.keep(search.corners.places().map(|k| search.pairs[k]));
    match found {
        Found::Separated { direction, along } => {
            let length = direction.length();
            let at_least = along / length - radii[0] - radii[1];
            GjkOutcome::Separated { axis: (direction / length).to::<S>(), at_least: S::of(at_least) }
        }
        Found::Apart { point } => GjkOutcome::Near(search.proximity(point, radii)),
        Found::Overlapping => GjkOutcome::Overlapping,
    }
}

/// The signed distance of two shapes: by this algorithm while their cores are apart, by an
/// [expanding polytope](crate::epa) where they overlap.
#[inline]
pub fn proximity<S: Real, A: Convex<S> + ?Sized, B: Convex<S> + ?Sized>(
    a: &A,
    b: &B,
    pose: &Pose<S>,
    cache: &mut SimplexCache<S>,
) -> Proximity<S> {
    match proximity_within(a, b, pose, cache, &GjkOptions::default()) {
        Ok(found) => found,
        // Nothing is beyond infinity but what overflows: as far as numbers go.
        Err(axis) => {
            Proximity { distance: S::MAX, normal: axis, on_a: S::Vec3::ZERO, on_b: pose.translation }
        }
    }
}

/// The signed distance of two shapes, or a unit vector along which they are farther apart than
/// asked for.
///
/// # Errors
/// Not an error, but the axis of shapes that are separated by more than
/// [`GjkOptions::max_distance`].
#[inline]
pub fn proximity_within<S: Real, A: Convex<S> + ?Sized, B: Convex<S> + ?Sized>(
    a: &A,
    b: &B,
    pose: &Pose<S>,
    cache: &mut SimplexCache<S>,
    options: &GjkOptions<S>,
) -> Result<Proximity<S>, S::Vec3> {
    match distance(a, b, pose, cache, options) {
        GjkOutcome::Separated { axis, .. } => Err(axis),
        GjkOutcome::Near(found) => Ok(found),
        GjkOutcome::Overlapping => Ok(epa::penetration(a, b, pose, cache, options.tolerance)),
    }
}

/// Do two shapes touch? Stops as soon as either is certain.
#[inline]
pub fn intersects<S: Real, A: Convex<S> + ?Sized, B: Convex<S> + ?Sized>(
    a: &A,
    b: &B,
    pose: &Pose<S>,
    cache: &mut SimplexCache<S>,
) -> bool {
    let mut difference = Difference::new(a, b, pose, cache.hints);
    let [radius_a, radius_b] = difference.radii();
    let radii = radius_a + radius_b;
    let tolerance = default_tolerance::<S>().to_f64();
    let mut limits = Limits { far: radii, near: radii, tolerance, momentum: false };
    let mut search = Search::new();
    search.start(&mut difference, cache);
    let mut found = search.run(&mut difference, &limits, &mut cache.effort);
    if let Found::Separated { direction, along } = found {
        // A gap of less than the tolerance is none: a wider one must be found.
        let slack = radii + tolerance * search.largest.sqrt();
        if along <= slack * direction.length() {
            limits.far = slack;
            found = search.run(&mut difference, &limits, &mut cache.effort);
        }
    }
    cache.effort.supports = difference.supports;
    cache.hints = difference.hints;
    cache.keep(search.corners.places().map(|k| search.pairs[k]));
    match found {
        Found::Separated { .. } => false,
        Found::Overlapping => true,
        // Within the tolerance of touching, on either side.
        Found::Apart { point } => {
            let slack = radii + tolerance * search.largest.sqrt();
            point.length() <= slack
        }
    }
}
