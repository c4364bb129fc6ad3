//! The ray cast on the Minkowski difference of two cores.
//!
//! The mover touches the target when the way moved so far, taken back, is as far from the
//! difference as the two radii reach. A supporting plane between that point and the difference
//! shows how far the mover can go without touching: along its normal both move at a known rate. So
//! the search for the nearest point goes on as for a distance, and whenever its plane leaves room,
//! time advances by it. The simplex stays: its corners are points of the difference wherever the
//! mover is.
//!
//! Invariants: before the time reached the shapes are farther apart than the reach, up to the
//! rounding of a support point. Time never goes back. Between two advances the distance of the
//! simplex falls, so no cycle is possible.
//!
//! The idea is G. van den Bergen's, "Ray casting against general convex objects with application to
//! continuous collision detection" (2004). Here cores are cast and the radii stay outside, so that
//! at the touch the nearest point is a way off and gives the normal; shapes without radius take it
//! from the plane that let them advance last.

use carom_geometry::{Real, Vector};
use glam::DVec3;

use crate::Convex;
use crate::gjk::difference::{Difference, Vertex};
use crate::gjk::simplex::{Corners, Nearest, nearest_of, weights};
use crate::gjk::{MAX_STALLED, default_tolerance};

/// Steps after which a search gives up and says so. No case of the tests needs as many; boxes and
/// hulls take five to ten.
const MAX_STEPS: u32 = 192;

/// The moment at which a mover comes within reach.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touch {
    /// Part of the displacement.
    pub(crate) t: f64,
    /// Distance of the cores; below zero where a depth is known.
    pub(crate) cores: f64,
    /// From target to mover.
    pub(crate) normal: DVec3,
    /// Point of the core of the target.
    pub(crate) on_target: DVec3,
    /// Within reach before it moved.
    pub(crate) at_start: bool,
    /// False if the search was cut off: nothing touches before `t`.
    pub(crate) converged: bool,
}

/// How a search ended.
#[derive(Clone, Copy, Debug)]
pub(crate) enum End {
    /// The mover never comes within reach.
    Missed,
    /// It does.
    Touched(Touch),
    /// The cores touch at the start, so closely that the way between them says nothing about a
    /// normal, or overlap.
    Inside {
        /// A point of the core of the target, and of the mover if they overlap.
        on_target: DVec3,
        /// True if they are apart, but too little for the search to know the normal.
        apart: bool,
    },
}

/// Part of the distance known so far that a plane must clear for time to advance by it. A bad plane
/// far away is better turned first: near the touch, where the way is short, turning it takes more
/// steps.
const WORTHWHILE: f64 = 0.5;

/// How far from a plane a mover must stay, in tolerances, to miss what is behind it. A search ends
/// a tolerance or two early, so a plane that it does not advance to may tell of a later touch than
/// the end will. To miss by that would make the end depend on the time asked for: of several
/// triangles the first would be another than if each were cast at alone.
const FAR: f64 = 16.0;

struct Search<S: Real> {
    vertices: [Vertex<S>; 4],
    /// Where they are at the time reached.
    points: [DVec3; 4],
    corners: Corners,
    current: Nearest,
}

impl<S: Real> Search<S> {
    #[inline]
    fn starting_at(vertex: Vertex<S>) -> Self {
        let mut points = [DVec3::ZERO; 4];
        points[0] = vertex.w;
        let mut vertices = [Vertex::ZERO; 4];
        vertices[0] = vertex;
        Self {
            vertices,
            points,
            corners: Corners::first(1),
            current: nearest_of::<false>(&points, Corners::first(1)),
        }
    }

    /// The point nearest to the origin, and the corners that carry it.
    #[inline]
    fn settle(&mut self, found: Nearest) {
        self.corners = found.carriers;
        self.current = found;
    }

    #[inline]
    fn contains(&self, point: DVec3) -> bool {
        self.corners.places().any(|k| self.points[k] == point)
    }

    /// Puts a vertex where it would be the next corner.
    #[inline]
    fn put(&mut self, vertex: Vertex<S>, point: DVec3) -> Corners {
        let free = self.corners.free();
        self.vertices[free] = vertex;
        self.points[free] = point;
        self.corners.grown()
    }

    /// Moves all corners to where they are at a time.
    #[inline]
    fn move_to(&mut self, shift: DVec3) {
        for k in self.corners.places() {
            self.points[k] = self.vertices[k].w + shift;
        }
    }

    #[inline]
    fn on_target(&self) -> DVec3 {
        let weights = weights(&self.points, self.corners);
        self.corners.places().fold(DVec3::ZERO, |sum, k| sum + self.vertices[k].a.to::<f64>() * weights[k])
    }
}

/// What a search has come to since time last advanced, once the square of its distance does not
/// fall any more: that hides a plane too near by less than the root of a rounding error, which a
/// better direction still moves away.
struct Progress {
    /// The least by which a plane was nearer than the nearest point, times the distance of that.
    least_above: f64,
    least_square: f64,
    /// Steps without any.
    stalled: u32,
}

impl Progress {
    const NONE: Self = Self { least_above: f64::INFINITY, least_square: f64::INFINITY, stalled: 0 };

    /// Whether a step that leads no nearer to the origin is worth taking.
    #[cold]
    fn goes_on(&mut self, above: f64, square: f64, next: f64, slack: f64) -> bool {
        self.stalled = if above < 0.5 * self.least_above { 0 } else { self.stalled + 1 };
        self.least_above = Real::min(above, self.least_above);
        self.least_square = Real::min(square, self.least_square);
        self.stalled <= MAX_STALLED && next.sqrt() <= self.least_square.sqrt() + 0.125 * slack
    }
}

/// Moves the second core until it is `reach` away from the first, by at most `max` of the
/// displacement.
#[inline]
pub(crate) fn run<S: Real, A: Convex<S> + ?Sized, B: Convex<S> + ?Sized>(
    difference: &mut Difference<'_, S, A, B>,
    displacement: DVec3,
    max: f64,
    reach: f64,
) -> End {
    let tolerance = default_tolerance::<S>().to_f64();
    let direction = difference.first_direction();
    let first = difference.lowest(direction);
    // What a support point is rounded by grows with the shapes; what a corner is rounded by, with
    // its place.
    let extent = Real::max(largest::<S>(first.a), largest::<S>(first.b));
    let mut search = Search::starting_at(first);
    let mut t = 0.0;
    // The normal of the plane that allowed the last advance.
    let mut cleared: Option<DVec3> = None;
    let mut converged = false;
    let mut progress = Progress::NONE;
    for _ in 0..MAX_STEPS {
        let Nearest { point, square, .. } = search.current;
        if search.corners.count() == 4 || square <= f64::MIN_POSITIVE {
            converged = true;
            break;
        }
        let vertex = difference.lowest(point);
        let corner = vertex.w + displacement * t;
        let slack = tolerance * Real::max(extent, Vector::max_element(Vector::abs(corner)));
        let length = square.sqrt();
        let inverse = 1.0 / length;
        let along = point.dot(corner);
        let gap = along * inverse - reach;
        if gap > slack {
            // A plane that the mover does not come nearer to, or stays off by so much that no
            // search would end before: it separates the two for good.
            let closing = -point.dot(displacement) * inverse;
            if !(closing > 0.0 && gap - closing * (max - t) <= FAR * slack) {
                return End::Missed;
            }
            let duplicate = search.contains(corner);
            if gap >= WORTHWHILE * (length - reach) || duplicate {
                t += gap / closing;
                if t > max {
                    return End::Missed;
                }
                cleared = Some(point * inverse);
                search.move_to(displacement * t);
                if !duplicate {
                    search.corners = search.put(vertex, vertex.w + displacement * t);
                }
                let found = nearest_of::<false>(&search.points, search.corners);
                search.settle(found);
                progress = Progress::NONE;
                continue;
            }
        }
        // No room: either this is the touch, or the plane is a bad one.
        let above = square - along;
        if above <= slack * length || search.contains(corner) {
            converged = true;
            break;
        }
        let with_it = search.put(vertex, corner);
        let found = nearest_of::<true>(&search.points, with_it);
        if found.square >= square && !progress.goes_on(above, square, found.square, slack) {
            converged = true;
            break;
        }
        search.settle(found);
    }
    let cores = search.current.square.sqrt();
    // Where the way between the cores is nothing but rounding, the plane knows better.
    let squares = search.corners.places().map(|k| search.points[k].dot(search.points[k]));
    let size = squares.fold(0.0, Real::max).sqrt();
    let trusted = cores > 64.0 * tolerance * size && cores > 0.0;
    let own = trusted.then(|| search.current.point / cores);
    let Some(normal) = own.or(cleared) else {
        return End::Inside { on_target: search.on_target(), apart: cores > tolerance * size };
    };
    let at_start = cleared.is_none();
    End::Touched(Touch { t, cores, normal, on_target: search.on_target(), at_start, converged })
}

#[inline]
fn largest<S: Real>(v: S::Vec3) -> f64 {
    Vector::abs(v).max_element().to_f64()
}
