//! From two nearest points to an answer, also where the points nearly coincide.
//!
//! The difference of two points of size `s` has an error of about ε·s, so its direction is
//! worthless where the points are nearer than that and poor where they are not much farther: with
//! an error of δ in the normal of a long thing, the gap along the normal is off by δ times the
//! length. Below ⁴√ε·s (2 % in `f32`) the normal therefore comes from somewhere else: whatever unit
//! vector is tried, the gap of the two sets along it is a lower bound of their signed distance, so
//! of several candidates the one with the widest gap is right, and a bad candidate does no harm
//! ([`near`]).

use carom_geometry::bounds::Obb;
use carom_geometry::closest::{Closest, ClosestTo, Figure, Nearest, closest_points};
use carom_geometry::primitive::{Segment, Triangle};
use carom_geometry::shape::Support;
use carom_geometry::{Real, Vector};

use crate::proximity::Proximity;

/// The answer of two points whose difference is exact but for a relative error; `otherwise` is the
/// normal of equal points.
#[inline]
pub(super) fn between<S: Real>(on_a: S::Vec3, on_b: S::Vec3, otherwise: S::Vec3) -> Proximity<S> {
    let across = on_b - on_a;
    let square = across.length_squared();
    // The rare case hands back a vector and not the answer: an answer that a call writes to memory
    // is read back from there by those who never called, which takes longer than the formula.
    let (distance, normal) = if is_ordinary(square) {
        let distance = square.sqrt();
        (distance, across * (S::ONE / distance))
    } else {
        let normal = unit_of_any_length(across, otherwise);
        (normal.dot(across), normal)
    };
    Proximity { distance, normal, on_a, on_b }
}

/// Is the square of a length far enough from over- and underflow for its root to be the length?
#[inline]
pub(super) fn is_ordinary<S: Real>(square: S) -> bool {
    square > S::MIN_POSITIVE / S::EPSILON && square < S::MAX
}

#[cold]
#[inline(never)]
fn unit_of_any_length<V: Vector>(across: V, otherwise: V) -> V {
    across.unit().unwrap_or(otherwise)
}

/// The normal where every direction would do: up.
#[inline]
pub(super) fn up<S: Real>() -> S::Vec3 {
    S::Vec3::AXES[1]
}

/// Square of the distance below which the difference of two points does not give a normal, for
/// numbers of this size.
#[inline]
pub(super) fn trusted_square<S: Real>(size: S) -> S {
    S::EPSILON.sqrt() * size * size
}

/// A vector without its part along an edge of any length. The rest is at right angles to the edge
/// up to a rounding of the rest, not of the vector.
#[inline]
pub(super) fn straightened<S: Real>(across: S::Vec3, edge: S::Vec3) -> S::Vec3 {
    let Some(along) = edge.unit() else { return across };
    let once = across - along * across.dot(along);
    once - along * once.dot(along)
}

/// A convex polyhedron of a few corners, flat ones and segments included, by the directions that
/// can separate it.
pub(super) trait Core<S: Real>: Copy + Figure<Scalar = S> + Nearest<S> {
    /// Normals of the faces, of any length, null vectors where there are fewer. What has no face
    /// gives vectors across it.
    fn normals(&self) -> [S::Vec3; 3];
    /// Directions of the edges, of any length, null vectors where there are fewer.
    fn edges(&self) -> [S::Vec3; 3];
    /// The least and the greatest coordinate along a direction.
    fn shadow(&self, direction: S::Vec3) -> [S; 2];
    /// The same set elsewhere.
    fn moved(&self, by: S::Vec3) -> Self;
    /// A point farthest along a direction.
    fn farthest(&self, direction: S::Vec3) -> S::Vec3;
    /// A bound of the coordinates.
    fn extent(&self) -> S;
    /// Is it a triangle whose normal is inaccurate, so that gaps prove something, but overlaps do
    /// not?
    #[inline]
    fn is_needle(&self) -> bool {
        false
    }
}

impl<S: Real> Core<S> for Obb<S> {
    #[inline]
    fn normals(&self) -> [S::Vec3; 3] {
        self.axes.columns
    }

    #[inline]
    fn edges(&self) -> [S::Vec3; 3] {
        self.axes.columns
    }

    #[inline]
    fn shadow(&self, direction: S::Vec3) -> [S; 2] {
        let middle = self.centre.dot(direction);
        let reach = Vector::abs(self.axes.transposed_times(direction)).dot(self.half);
        [middle - reach, middle + reach]
    }

    #[inline]
    fn moved(&self, by: S::Vec3) -> Self {
        Self { centre: self.centre + by, ..*self }
    }

    #[inline]
    fn farthest(&self, direction: S::Vec3) -> S::Vec3 {
        self.world(self.local_support(self.axes.transposed_times(direction)))
    }

    #[inline]
    fn extent(&self) -> S {
        Vector::abs(self.centre).max_element() + self.half.max_element()
    }
}

/// The least and the greatest of three numbers.
#[inline]
fn range<S: Real>(a: S, b: S, c: S) -> [S; 2] {
    [Real::min(a, Real::min(b, c)), Real::max(a, Real::max(b, c))]
}

impl<S: Real> Core<S> for Triangle<S> {
    fn normals(&self) -> [S::Vec3; 3] {
        let normal = self.area_vector();
        if normal.length_squared() > S::ZERO {
            return [normal, S::Vec3::ZERO, S::Vec3::ZERO];
        }
        let [ab, bc, ca] = self.edges();
        let longer = |a: Segment<S>, b: Segment<S>| {
            if b.direction().length_squared() > a.direction().length_squared() { b } else { a }
        };
        longer(longer(ab, bc), ca).normals()
    }

    #[inline]
    fn edges(&self) -> [S::Vec3; 3] {
        [self.b - self.a, self.c - self.b, self.a - self.c]
    }

    #[inline]
    fn shadow(&self, direction: S::Vec3) -> [S; 2] {
        range(self.a.dot(direction), self.b.dot(direction), self.c.dot(direction))
    }

    #[inline]
    fn moved(&self, by: S::Vec3) -> Self {
        Self { a: self.a + by, b: self.b + by, c: self.c + by }
    }

    #[inline]
    fn farthest(&self, direction: S::Vec3) -> S::Vec3 {
        self.support(direction)
    }

    #[inline]
    fn extent(&self) -> S {
        let [_, largest] = range(
            Vector::abs(self.a).max_element(),
            Vector::abs(self.b).max_element(),
            Vector::abs(self.c).max_element(),
        );
        largest
    }

    #[inline]
    fn is_needle(&self) -> bool {
        let [ab, bc, ca] = Core::<S>::edges(self).map(S::Vec3::length_squared);
        let [_, longest] = range(ab, bc, ca);
        self.area_vector().length_squared() < longest * longest * S::of(NEEDLE)
    }
}

impl<S: Real> Core<S> for Segment<S> {
    fn normals(&self) -> [S::Vec3; 3] {
        match self.direction().unit() {
            Some(direction) => {
                let (u, v) = direction.frame();
                [u, v, S::Vec3::ZERO]
            }
            None => [up::<S>(), S::Vec3::ZERO, S::Vec3::ZERO],
        }
    }

    #[inline]
    fn edges(&self) -> [S::Vec3; 3] {
        [self.direction(), S::Vec3::ZERO, S::Vec3::ZERO]
    }

    #[inline]
    fn shadow(&self, direction: S::Vec3) -> [S; 2] {
        let (a, b) = (self.a.dot(direction), self.b.dot(direction));
        [Real::min(a, b), Real::max(a, b)]
    }

    #[inline]
    fn moved(&self, by: S::Vec3) -> Self {
        Self { a: self.a + by, b: self.b + by }
    }

    #[inline]
    fn farthest(&self, direction: S::Vec3) -> S::Vec3 {
        if self.direction().dot(direction) > S::ZERO { self.b } else { self.a }
    }

    #[inline]
    fn extent(&self) -> S {
        Real::max(Vector::abs(self.a).max_element(), Vector::abs(self.b).max_element())
    }
}

/// Square of the height of a triangle over its longest side below which it is a needle: one in a
/// hundred.
pub(super) const NEEDLE: f64 = 1e-4;
/// Excess of a distance over the gap along its normal at which the normal is taken, in ε × the
/// extent of the cores.
const PROOF: f64 = 8.0;
/// Projections to and fro that bring two points opposite each other.
const PROJECTIONS: usize = 8;
/// The same between nearly parallel edges.
const MANY_PROJECTIONS: usize = 64;
/// Distance at which two points count as opposite each other, in ε × the extent of the cores.
const ENOUGH: f64 = 4.0;

/// Signed distance of two cores. If no face separates them and no pair of edges, they overlap, and
/// the axes have found the shortest way out; else by the nearest points.
#[inline]
pub(super) fn of_cores<S: Real, A: Core<S>, B: Core<S>>(a: &A, b: &B) -> Proximity<S>
where
    A::Form: ClosestTo<B::Form, Scalar = S>,
{
    // Flat cores in one plane have no depth beyond rounding, and can be apart in the plane.
    let flat = S::of(-64.0) * S::EPSILON * (a.extent() + b.extent());
    let mut widest = Widest::of_faces(a, b);
    if widest.distance < flat && !a.is_needle() && !b.is_needle() {
        widest.add_edges(a, b);
        if widest.distance < flat {
            return widest.answer(a, b, None);
        }
    }
    proved(a, b, &closest_points(a, b))
}

/// The answer of two nearest points, if it proves itself by the gap along its normal; else that of
/// separating axes.
///
/// A place that is off by δ along an edge lengthens the distance d by δ²/2d only, but turns the
/// normal by δ/d.
#[inline(always)]
pub(super) fn proved<S: Real, A: Core<S>, B: Core<S>>(a: &A, b: &B, found: &Closest<S>) -> Proximity<S>
where
    A::Form: ClosestTo<B::Form, Scalar = S>,
{
    let size = a.extent() + b.extent();
    if found.distance_squared > trusted_square(size) {
        let answer = between(found.a, found.b, up::<S>());
        let gap = b.shadow(answer.normal)[0] - a.shadow(answer.normal)[1];
        if answer.distance - gap <= S::of(PROOF) * S::EPSILON * size {
            return answer;
        }
    }
    by_value(&near(a, b, found))
}

/// The same answer, but not the memory that a rare call has written it to: else all others pass
/// through that memory too.
#[inline(always)]
pub(super) fn by_value<S: Real>(found: &Proximity<S>) -> Proximity<S> {
    Proximity { distance: found.distance, normal: found.normal, on_a: found.on_a, on_b: found.on_b }
}

/// The widest gap of the two sets over all directions that matter, the one of their nearest points
/// included.
#[cold]
#[inline(never)]
pub(super) fn near<S: Real, A: Core<S>, B: Core<S>>(a: &A, b: &B, found: &Closest<S>) -> Proximity<S>
where
    A::Form: ClosestTo<B::Form, Scalar = S>,
{
    let mut widest = Widest::of_faces(a, b);
    widest.add_edges(a, b);
    widest.consider(a, b, up::<S>());
    let across = found.b - found.a;
    if across != S::Vec3::ZERO {
        let mut between = Widest::NONE;
        between.consider(a, b, across);
        for edge in a.edges().into_iter().chain(b.edges()) {
            between.consider(a, b, straightened::<S>(across, edge));
        }
        // Gaps hide a turn of the normal by the root of a rounding error; that of the nearest
        // points goes with them.
        if between.distance + S::of(ENOUGH) * S::EPSILON * (a.extent() + b.extent()) >= widest.distance {
            widest = between;
        }
    }
    widest.answer(a, b, Some(found))
}

/// The direction with the widest gap so far.
struct Widest<S: Real> {
    distance: S,
    normal: S::Vec3,
}

impl<S: Real> Widest<S> {
    const NONE: Self = Self { distance: S::NEG_INFINITY, normal: S::Vec3::ZERO };

    /// Over the normals of the faces of both.
    fn of_faces<A: Core<S>, B: Core<S>>(a: &A, b: &B) -> Self {
        let mut widest = Self { distance: S::NEG_INFINITY, normal: up::<S>() };
        a.normals().into_iter().chain(b.normals()).for_each(|n| widest.consider(a, b, n));
        widest
    }

    /// Over the directions across an edge of each.
    fn add_edges<A: Core<S>, B: Core<S>>(&mut self, a: &A, b: &B) {
        for edge in a.edges() {
            for other in b.edges() {
                self.consider(a, b, edge.cross(other));
            }
        }
    }

    /// A direction of any length, and its opposite.
    #[inline]
    fn consider<A: Core<S>, B: Core<S>>(&mut self, a: &A, b: &B, direction: S::Vec3) {
        let square = direction.length_squared();
        if square <= S::MIN_POSITIVE / S::EPSILON {
            return;
        }
        let direction = direction * (S::ONE / square.sqrt());
        let ([a_low, a_high], [b_low, b_high]) = (a.shadow(direction), b.shadow(direction));
        let (ahead, behind) = (b_low - a_high, a_low - b_high);
        if ahead > self.distance {
            (self.distance, self.normal) = (ahead, direction);
        }
        if behind > self.distance {
            (self.distance, self.normal) = (behind, -direction);
        }
    }

    /// The points are those at which the sets touch after the way along the normal: sought from the
    /// nearest points, or from the point of the second set that is deepest in the first.
    fn answer<A: Core<S>, B: Core<S>>(&self, a: &A, b: &B, found: Option<&Closest<S>>) -> Proximity<S>
    where
        A::Form: ClosestTo<B::Form, Scalar = S>,
    {
        let way = self.normal * self.distance;
        let start = match found {
            Some(found) if self.distance >= S::ZERO => found.b,
            _ => b.farthest(-self.normal),
        };
        let enough = S::of(ENOUGH) * S::EPSILON * (a.extent() + b.extent());
        let (mut on_a, rest) = opposite(a, b, way, start, enough, PROJECTIONS);
        if rest > enough {
            let again = closest_points(a, &b.moved(-way)).b + way;
            let (other, other_rest) = opposite(a, b, way, again, enough, MANY_PROJECTIONS);
            if other_rest < rest {
                on_a = other;
            }
        }
        Proximity { distance: self.distance, normal: self.normal, on_a, on_b: on_a + way }
    }
}

/// A point of the first set that is a point of the second after the way, sought by projections to
/// and fro from a point of the second set; and how far it is from being that.
fn opposite<S: Real, A: Core<S>, B: Core<S>>(
    a: &A,
    b: &B,
    way: S::Vec3,
    start: S::Vec3,
    enough: S,
    projections: usize,
) -> (S::Vec3, S) {
    let (mut on_b, mut last) = (start, S::ZERO);
    for _ in 0..projections {
        let step = b.nearest(a.nearest(on_b - way) + way) - on_b;
        let length = step.length();
        // Steps along two edges shrink by a constant factor: where they lead is known after two of
        // them.
        let share = if length < last { last / (last - length) } else { S::ONE };
        on_b = b.nearest(on_b + step * share);
        last = if share > S::ONE { S::ZERO } else { length };
        if length <= enough {
            break;
        }
    }
    let (mine, other) = (a.nearest(on_b - way), on_b - way);
    ((mine + other) * S::HALF, (mine - other).length())
}
