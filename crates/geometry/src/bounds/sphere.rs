//! Bounding spheres.
//!
//! | constructor | radius | cost |
//! |---|---|---|
//! | [`around_box`](BoundingSphere::around_box) | half the diagonal of the AABB | one pass |
//! | [`around_box_centre`](BoundingSphere::around_box_centre) | farthest point from the centre of the AABB | two passes |
//! | [`ritter`](BoundingSphere::ritter) | some 5 % above the smallest | three passes |
//! | [`smallest`](BoundingSphere::smallest) | the smallest | ten or twenty passes |
//!
//! Every result contains its points, in exact arithmetic and by
//! [`contains_point`](BoundingSphere::contains_point): the radius is enlarged by a few ε. Touching
//! counts as overlap, here as for boxes; a strict rule, as some texts have it for spheres, differs
//! only where rounding decides anyway.

pub mod smallest;

use super::rounding::{above, below};
use super::{Aabb, PlaneSide};
use crate::pose::Pose;
use crate::primitive::Plane;
use crate::real::{Real, Vector};

/// A ball.
///
/// ```
/// use carom_geometry::bounds::BoundingSphere;
/// use glam::Vec3;
/// // A triangle: the two farthest points are not a diameter of the sphere around all three.
/// let corners = [Vec3::ZERO, Vec3::new(2.0, 0.0, 0.0), Vec3::new(1.0, 3f32.sqrt(), 0.0)];
/// let sphere = BoundingSphere::<f32>::smallest(&corners).unwrap();
/// assert!((sphere.radius - 2.0 / 3f32.sqrt()).abs() < 1e-6);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundingSphere<S: Real = f32> {
    /// Centre.
    pub centre: S::Vec3,
    /// Radius, not negative.
    pub radius: S,
}

impl<S: Real> BoundingSphere<S> {
    /// Sphere of a centre and a radius.
    #[inline]
    #[must_use]
    pub fn new<V>(centre: V, radius: S) -> Self
    where
        V: Vector<Scalar = S>,
        S: Real<Vec3 = V>,
    {
        Self { centre, radius }
    }

    /// The sphere through the corners of the AABB of points; `None` without points or if one is not
    /// finite.
    #[must_use]
    pub fn around_box<V>(points: &[V]) -> Option<Self>
    where
        V: Vector<Scalar = S>,
        S: Real<Vec3 = V>,
    {
        let aabb = Aabb::<3, S>::of_points(points.iter().copied());
        // All corners: the rounded centre is not as far from each.
        let corners: [S::Vec3; 8] = std::array::from_fn(|k| aabb.corner(k));
        let all_finite = points.iter().all(|p| p.is_finite());
        all_finite.then(|| Self::reaching(aabb.centre(), &corners))?
    }

    /// The sphere around the centre of the AABB of points that just contains them; `None` as above.
    #[must_use]
    pub fn around_box_centre<V>(points: &[V]) -> Option<Self>
    where
        V: Vector<Scalar = S>,
        S: Real<Vec3 = V>,
    {
        Self::reaching(Aabb::<3, S>::of_points(points.iter().copied()).centre(), points)
    }

    /// Ritter's sphere: from two far points, enlarged for each point that is outside; `None` as
    /// above.
    #[must_use]
    pub fn ritter<V>(points: &[V]) -> Option<Self>
    where
        V: Vector<Scalar = S>,
        S: Real<Vec3 = V>,
    {
        let first = *points.first()?;
        let farthest_from = |from: S::Vec3| {
            let farther = |best: (S::Vec3, S), p: &S::Vec3| {
                let square = (*p - from).length_squared();
                if square > best.1 { (*p, square) } else { best }
            };
            points.iter().fold((from, S::ZERO), farther).0
        };
        let a = farthest_from(first);
        let b = farthest_from(a);
        let (mut centre, mut radius) = ((a + b) * S::HALF, (b - a).length() * S::HALF);
        for p in points {
            let square = (*p - centre).length_squared();
            if square > radius * radius {
                let distance = square.sqrt();
                radius = (radius + distance) * S::HALF;
                centre += (*p - centre) * ((distance - radius) / distance);
            }
        }
        Self::reaching(centre, points)
    }

    /// The smallest sphere; `None` without points or if one is not finite. See [`smallest`].
    #[must_use]
    pub fn smallest<V>(points: &[V]) -> Option<Self>
    where
        V: Vector<Scalar = S>,
        S: Real<Vec3 = V>,
    {
        Self::reaching(smallest::centre::<S>(points)?, points)
    }

    /// The sphere around `centre` that contains points; `None` without points or if a distance is
    /// not finite.
    fn reaching(centre: S::Vec3, points: &[S::Vec3]) -> Option<Self> {
        let distance = |p: &S::Vec3| (*p - centre).length_squared();
        // Four at a time: no comparison waits for the one before it. NaN is lost in a maximum but
        // not in a sum.
        let (fours, rest) = points.as_chunks::<4>();
        let (mut farthest, mut sum) = ([S::ZERO; 4], [S::ZERO; 4]);
        for four in fours {
            for k in 0..4 {
                let square = distance(&four[k]);
                farthest[k] = Real::max(square, farthest[k]);
                sum[k] += square;
            }
        }
        for p in rest {
            farthest[0] = Real::max(distance(p), farthest[0]);
            sum[0] += distance(p);
        }
        let square = farthest.into_iter().fold(S::ZERO, Real::max);
        let sum_is_finite = (sum[0] + sum[1] + sum[2] + sum[3]).is_finite();
        let all_finite =
            !points.is_empty() && (sum_is_finite || points.iter().all(|p| distance(p).is_finite()));
        let radius = if square > S::MIN_POSITIVE / S::EPSILON {
            square.sqrt()
        } else {
            // The squares underflow: twice the largest coordinate is more than the length.
            points.iter().fold(S::ZERO, |m, p| Real::max(Vector::abs(*p - centre).max_element(), m)) * S::TWO
        };
        all_finite.then(|| Self { centre, radius: radius + S::of(4.0) * S::EPSILON * radius })
    }

    /// The smallest sphere around both.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        let offset = other.centre - self.centre;
        let distance = offset.length();
        if distance + other.radius <= self.radius {
            return *self;
        }
        if distance + self.radius <= other.radius {
            return *other;
        }
        let radius = (distance + self.radius + other.radius) * S::HALF;
        let centre = self.centre + offset * ((radius - self.radius) / distance);
        // From the rounded centre, so that its error does not matter.
        let reach = |s: &Self| (s.centre - centre).length() + s.radius;
        let radius = Real::max(reach(self), reach(other));
        Self { centre, radius: radius + S::of(4.0) * S::EPSILON * radius }
    }

    /// Is the point inside or on the surface?
    #[inline]
    #[must_use]
    pub fn contains_point(&self, point: S::Vec3) -> bool {
        (point - self.centre).length_squared() <= self.radius * self.radius
    }

    /// Is the other sphere inside this one? Touching from inside counts.
    #[inline]
    #[must_use]
    pub fn contains(&self, other: &Self) -> bool {
        let room = self.radius - other.radius;
        room >= S::ZERO && (other.centre - self.centre).length_squared() <= room * room
    }

    /// Do the spheres share a point? Touching counts. Without a square root.
    #[inline]
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        let reach = self.radius + other.radius;
        (other.centre - self.centre).length_squared() <= reach * reach
    }

    /// Does the sphere share a point with a box? Touching counts; a gap of a few ε may be
    /// overlooked, an overlap may not.
    #[inline]
    #[must_use]
    pub fn overlaps_aabb(&self, aabb: &Aabb<3, S>) -> bool {
        let square = self.radius * self.radius;
        aabb.distance_squared(self.centre) <= square + S::of(8.0) * S::EPSILON * square
    }

    /// On which side of the plane is the sphere? A sphere that touches the plane straddles it.
    #[inline]
    #[must_use]
    pub fn side_of(&self, plane: &Plane<S>) -> PlaneSide {
        PlaneSide::of(plane.signed_distance(self.centre), self.radius)
    }

    /// The smallest AABB around the sphere, rounded outwards.
    #[must_use]
    pub fn aabb(&self) -> Aabb<3, S> {
        let reach = S::Vec3::splat(self.radius);
        let (low, high) = (self.centre - reach, self.centre + reach);
        Aabb { min: low.map(below).to_array(), max: high.map(above).to_array() }
    }

    /// The sphere seen from the frame that `pose` places it in: only the centre moves.
    #[inline]
    #[must_use]
    pub fn posed(&self, pose: &Pose<S>) -> Self {
        Self { centre: pose.apply(self.centre), radius: self.radius }
    }

    /// Area of the surface.
    #[must_use]
    pub fn surface_area(&self) -> S {
        S::of(4.0 * std::f64::consts::PI) * self.radius * self.radius
    }

    /// Volume.
    #[must_use]
    pub fn volume(&self) -> S {
        S::of(4.0 / 3.0 * std::f64::consts::PI) * self.radius * self.radius * self.radius
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DVec3, Vec3};

    #[test]
    fn the_octahedron_tells_the_two_box_methods_apart() {
        let corners = [Vec3::X, Vec3::Y, Vec3::Z, -Vec3::X, -Vec3::Y, -Vec3::Z];
        assert!((BoundingSphere::<f32>::around_box(&corners).unwrap().radius - 3f32.sqrt()).abs() < 2e-6);
        assert!((BoundingSphere::<f32>::around_box_centre(&corners).unwrap().radius - 1.0).abs() < 1e-6);
    }

    #[test]
    fn the_box_centre_is_not_minimal_for_a_triangle() {
        let corners = [DVec3::ZERO, DVec3::new(2.0, 0.0, 0.0), DVec3::new(1.0, 3f64.sqrt(), 0.0)];
        let of_box = BoundingSphere::<f64>::around_box_centre(&corners).unwrap();
        assert!((of_box.radius - 1.322_875_655_532_295).abs() < 1e-12);
        let smallest = BoundingSphere::<f64>::smallest(&corners).unwrap();
        assert!((smallest.radius - 1.154_700_538_379_252).abs() < 1e-12);
    }

    #[test]
    fn touching_counts_in_every_test() {
        let a = BoundingSphere::<f32>::new(Vec3::ZERO, 1.0);
        assert!(a.overlaps(&BoundingSphere::<f32>::new(Vec3::new(3.0, 0.0, 0.0), 2.0)));
        assert!(!a.overlaps(&BoundingSphere::<f32>::new(Vec3::new(3.001, 0.0, 0.0), 2.0)));
        assert!(a.contains(&BoundingSphere::<f32>::new(Vec3::new(0.5, 0.0, 0.0), 0.5)));
        assert!(!a.contains(&BoundingSphere::<f32>::new(Vec3::new(0.501, 0.0, 0.0), 0.5)));
        assert!(!a.contains(&BoundingSphere::<f32>::new(Vec3::ZERO, 1.5)));
        assert!(a.overlaps_aabb(&Aabb::new([1.0, -1.0, -1.0], [2.0, 1.0, 1.0])));
        assert!(!a.overlaps_aabb(&Aabb::new([0.8, 0.8, -1.0], [2.0, 2.0, 1.0])));
        assert_eq!(a.side_of(&Plane::new(Vec3::Y, 1.0)), PlaneSide::Straddling);
        assert_eq!(a.side_of(&Plane::new(Vec3::Y, 1.5)), PlaneSide::Negative);
    }

    #[test]
    fn measures_of_a_sphere() {
        let s = BoundingSphere::<f64>::new(DVec3::ONE, 2.0);
        assert!((s.volume() - 33.510_321_638_291_124).abs() < 1e-12);
        assert!((s.surface_area() - 50.265_482_457_436_69).abs() < 1e-12);
    }

    #[test]
    fn no_points_or_infinite_ones_have_no_sphere() {
        type Make = fn(&[Vec3]) -> Option<BoundingSphere>;
        let makers: [Make; 4] = [
            BoundingSphere::<f32>::around_box,
            BoundingSphere::<f32>::around_box_centre,
            BoundingSphere::<f32>::ritter,
            BoundingSphere::<f32>::smallest,
        ];
        for make in makers {
            assert_eq!(make(&[]), None);
            assert_eq!(make(&[Vec3::ZERO, Vec3::new(f32::INFINITY, 0.0, 0.0)]), None);
            assert_eq!(make(&[Vec3::ZERO, Vec3::NAN]), None);
            assert_eq!(make(&[Vec3::ONE; 3]), Some(BoundingSphere::<f32>::new(Vec3::ONE, 0.0)));
        }
    }
}
