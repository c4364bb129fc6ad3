//! From two nearest points to an answer, also where the points nearly coincide.
//!
//! The difference of two points of size `s` has an error of about ε·s, so its direction is worthless where the points are
//! nearer than that and poor where they are not much farther. Below √ε·s the normal comes from somewhere else: whatever
//! unit vector is tried, the gap of the two sets along it is a lower bound of their signed distance, so of several
//! candidates the one with the widest gap is right, and a bad candidate does no harm ([`near`]).

use carom_geometry::bounds::Obb;
use carom_geometry::closest::{Closest, ClosestTo, Figure, closest_points};
use carom_geometry::primitive::{Segment, Triangle};
use carom_geometry::{Real, Vector};

use crate::proximity::Proximity;

/// The answer of two points whose difference is exact but for a relative error; `otherwise` is the normal of equal points.
#[inline]
pub(super) fn between<S: Real>(on_a: S::Vec3, on_b: S::Vec3, otherwise: S::Vec3) -> Proximity<S> {
    let across = on_b - on_a;
    let square = across.length_squared();
    if square > S::MIN_POSITIVE / S::EPSILON && square < S::MAX {
        let distance = square.sqrt();
        Proximity { distance, normal: across * (S::ONE / distance), on_a, on_b }
    } else {
        extremely_far_or_near(on_a, on_b, otherwise)
    }
}

#[cold]
#[inline(never)]
fn extremely_far_or_near<S: Real>(on_a: S::Vec3, on_b: S::Vec3, otherwise: S::Vec3) -> Proximity<S> {
    let across = on_b - on_a;
    let normal = across.unit().unwrap_or(otherwise);
    Proximity { distance: normal.dot(across), normal, on_a, on_b }
}

/// The normal where every direction would do: up.
#[inline]
pub(super) fn up<S: Real>() -> S::Vec3 {
    S::Vec3::AXES[1]
}

/// Square of the distance below which the difference of two points does not give a normal, for numbers of this size.
#[inline]
pub(super) fn trusted_square<S: Real>(size: S) -> S {
    S::EPSILON * size * size
}

/// A convex polyhedron of a few corners, flat ones and segments included, by the directions that can separate it.
pub(super) trait Core<S: Real>: Copy + Figure<Scalar = S> {
    /// Normals of the faces, of any length, null vectors where there are fewer. What has no face gives vectors across it.
    fn normals(&self) -> [S::Vec3; 3];
    /// Directions of the edges, of any length, null vectors where there are fewer.
    fn edges(&self) -> [S::Vec3; 3];
    /// The least and the greatest coordinate along a direction.
    fn shadow(&self, direction: S::Vec3) -> [S; 2];
    /// The same set elsewhere.
    fn moved(&self, by: S::Vec3) -> Self;
    /// A bound of the coordinates.
    fn extent(&self) -> S;
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
    fn extent(&self) -> S {
        let [_, largest] = range(
            Vector::abs(self.a).max_element(),
            Vector::abs(self.b).max_element(),
            Vector::abs(self.c).max_element(),
        );
        largest
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
    fn extent(&self) -> S {
        Real::max(Vector::abs(self.a).max_element(), Vector::abs(self.b).max_element())
    }
}

/// Signed distance of two cores: by the nearest points where these are far enough apart to give a direction, else by
/// separating axes.
#[inline]
pub(super) fn of_cores<S: Real, A: Core<S>, B: Core<S>>(a: &A, b: &B) -> Proximity<S>
where
    A::Form: ClosestTo<B::Form, Scalar = S>,
{
    let found = closest_points(a, b);
    if found.distance_squared > trusted_square(a.extent() + b.extent()) {
        between(found.a, found.b, up::<S>())
    } else {
        near(a, b, &found)
    }
}

/// The widest gap of the two sets over all directions that matter, the one of their nearest points included; where they
/// overlap, the points are those at which they would touch after the shortest way out.
#[cold]
#[inline(never)]
pub(super) fn near<S: Real, A: Core<S>, B: Core<S>>(a: &A, b: &B, found: &Closest<S>) -> Proximity<S>
where
    A::Form: ClosestTo<B::Form, Scalar = S>,
{
    let (mut distance, mut normal) = (S::NEG_INFINITY, up::<S>());
    let mut consider = |direction: S::Vec3| {
        let Some(direction) = direction.unit() else { return };
        let ([a_low, a_high], [b_low, b_high]) = (a.shadow(direction), b.shadow(direction));
        let (ahead, behind) = (b_low - a_high, a_low - b_high);
        if ahead > distance {
            (distance, normal) = (ahead, direction);
        }
        if behind > distance {
            (distance, normal) = (behind, -direction);
        }
    };
    consider(up::<S>());
    a.normals().into_iter().chain(b.normals()).for_each(&mut consider);
    for edge in a.edges() {
        for other in b.edges() {
            consider(edge.cross(other));
        }
    }
    consider(found.b - found.a);
    let on_a = if distance < S::ZERO { closest_points(a, &b.moved(normal * -distance)).a } else { found.a };
    Proximity { distance, normal, on_a, on_b: on_a + normal * distance }
}
