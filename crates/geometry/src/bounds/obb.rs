//! Oriented boxes.
//!
//! The set of a box is `centre + Σ sₖ · halfₖ · axesₖ` with |sₖ| ≤ 1, for the stored numbers as
//! they are. Invariant: the axes are orthonormal up to rounding (any scalar product is off by at
//! most 8ε), which holds for the matrix of a normalised [`Rotation`](crate::Rotation) and for the
//! product of two such matrices. Constructors that enclose points enlarge the box by 32ε of its
//! size, so that the points are inside in exact arithmetic and also by
//! [`contains_point`](Obb::contains_point).

pub mod array;
pub mod fit;
pub mod overlap;

use super::rounding::{above, below, sum};
use super::{Aabb, PlaneSide};
use crate::pose::Pose;
use crate::primitive::{Plane, Rectangle};
use crate::real::{Real, Vector};
use crate::rotation::Matrix3;

/// Growth of boxes around points relative to the sum of their half extents, in units of ε: the
/// error of a projection (2), of axes that are not quite orthonormal (√3 · 8), and of the
/// containment test itself.
const GROWTH: f64 = 32.0;

/// A box of any orientation.
///
/// ```
/// use carom_geometry::{Pose, Rotation, bounds::Obb};
/// use glam::Vec3;
/// let quarter = Rotation::about_axis(Vec3::Z, std::f32::consts::FRAC_PI_4);
/// let tilted = Obb::of_pose(&Pose::new(Vec3::ZERO, quarter), Vec3::ONE);
/// let other = Obb::of_pose(&Pose::at(Vec3::new(2.3, 0.0, 0.0)), Vec3::ONE);
/// assert!(tilted.overlaps(&other), "the tilted box reaches out to √2");
/// assert!(!tilted.overlaps(&other.posed(&Pose::at(Vec3::new(0.2, 0.0, 0.0)))));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Obb<S: Real = f32> {
    /// Centre.
    pub centre: S::Vec3,
    /// Half extents along the box's own axes, not negative.
    pub half: S::Vec3,
    /// The box's axes as columns.
    pub axes: Matrix3<S>,
}

impl<S: Real> Obb<S> {
    /// Box of half extents around the origin of `pose`, along its axes.
    #[inline]
    #[must_use]
    pub fn of_pose(pose: &Pose<S>, half: S::Vec3) -> Self {
        Self { centre: pose.translation, half, axes: pose.rotation.to_matrix() }
    }

    /// A rectangle as a box without height.
    #[inline]
    #[must_use]
    pub fn of_rectangle(rectangle: &Rectangle<S>) -> Self {
        let ([u, v], [x, y]) = (rectangle.axes, rectangle.half);
        let axes = Matrix3 { columns: [u, v, rectangle.normal()] };
        Self { centre: rectangle.centre, half: S::Vec3::new(x, y, S::ZERO), axes }
    }

    /// An axis-aligned box as an oriented one. Contains it, at most a unit in the last place of its
    /// coordinates larger.
    #[inline]
    #[must_use]
    pub fn of_aabb(aabb: &Aabb<3, S>) -> Self {
        let centre = aabb.centre();
        // Measured from the rounded centre, not from the exact one.
        let half = Vector::max(aabb.high() - centre, centre - aabb.low());
        Self { centre, half: half.map(above), axes: Matrix3::IDENTITY }
    }

    /// The smallest box along `axes` around points, or `None` without points or if one is not
    /// finite.
    #[must_use]
    pub fn around(axes: Matrix3<S>, points: &[S::Vec3]) -> Option<Self> {
        Self::around_relative(S::Vec3::ZERO, axes, points)
    }

    /// The same for points relative to `origin`: far from the origin of the world these are more
    /// precise.
    fn around_relative(origin: S::Vec3, axes: Matrix3<S>, points: &[S::Vec3]) -> Option<Self> {
        let reference = *points.first()?;
        let seen = Aabb::<3, S>::of_points(points.iter().map(|p| axes.transposed_times(*p - reference)));
        let centre = origin + (reference + axes.times(seen.centre()));
        // From the rounded centre, so that its error does not matter.
        let rounded = centre - origin;
        let reach = |half, p: &S::Vec3| Vector::max(Vector::abs(axes.transposed_times(*p - rounded)), half);
        let half = points.iter().fold(S::Vec3::ZERO, reach);
        let all_finite = sum(seen.half()).is_finite() && centre.is_finite();
        all_finite.then(|| Self { centre, half, axes }.enlarged())
    }

    /// Covers the rounding errors of a box that was fitted to points.
    fn enlarged(self) -> Self {
        self.grown(S::of(GROWTH) * S::EPSILON * sum(self.half))
    }

    /// The box with every face moved outwards by `margin`.
    #[inline]
    #[must_use]
    pub fn grown(&self, margin: S) -> Self {
        Self { half: self.half + S::Vec3::splat(margin), ..*self }
    }

    /// The box seen from the frame that `pose` places it in.
    #[inline]
    #[must_use]
    pub fn posed(&self, pose: &Pose<S>) -> Self {
        Self { centre: pose.apply(self.centre), half: self.half, axes: pose.rotation.to_matrix() * self.axes }
    }

    /// The smallest axis-aligned box around this one, rounded outwards.
    #[must_use]
    pub fn aabb(&self) -> Aabb<3, S> {
        let reach = self.axes.abs().times(self.half).map(|r| r + S::of(4.0) * S::EPSILON * r);
        let (low, high) = (self.centre - reach, self.centre + reach);
        Aabb { min: low.map(below).to_array(), max: high.map(above).to_array() }
    }

    /// The eight corners; the bits of the index choose the high end of each axis.
    #[must_use]
    pub fn corners(&self) -> [S::Vec3; 8] {
        let sides = std::array::from_fn::<_, 3, _>(|k| self.axes.columns[k] * self.half[k]);
        std::array::from_fn(|index| {
            (0..3).fold(self.centre, |c, k| if index >> k & 1 == 1 { c + sides[k] } else { c - sides[k] })
        })
    }

    /// Volume.
    #[must_use]
    pub fn volume(&self) -> S {
        S::of(8.0) * self.half.x() * self.half.y() * self.half.z()
    }

    /// Area of the six faces.
    #[must_use]
    pub fn surface_area(&self) -> S {
        let [x, y, z] = self.half.to_array();
        S::of(8.0) * (x * y + y * z + z * x)
    }

    /// A point in the coordinates of the box: relative to the centre, along the axes.
    #[inline]
    #[must_use]
    pub fn local(&self, point: S::Vec3) -> S::Vec3 {
        self.axes.transposed_times(point - self.centre)
    }

    /// The point of these coordinates along the axes from the centre.
    #[inline]
    #[must_use]
    pub fn world(&self, local: S::Vec3) -> S::Vec3 {
        self.centre + self.axes.times(local)
    }

    /// The corner farthest along a direction given in the coordinates of the box, itself in these
    /// coordinates.
    #[inline]
    #[must_use]
    pub fn local_support(&self, direction: S::Vec3) -> S::Vec3 {
        S::Vec3::new(
            direction.x().sign_of(self.half.x()),
            direction.y().sign_of(self.half.y()),
            direction.z().sign_of(self.half.z()),
        )
    }

    /// Is the point inside or on the border? Points within a few ε of a face may be judged either
    /// way.
    #[inline]
    #[must_use]
    pub fn contains_point(&self, point: S::Vec3) -> bool {
        let p = Vector::abs(self.local(point));
        p.x() <= self.half.x() && p.y() <= self.half.y() && p.z() <= self.half.z()
    }

    /// Is the other box inside this one? The same remark about faces as for points.
    #[must_use]
    pub fn contains(&self, other: &Self) -> bool {
        let relative = Matrix3::<S> { columns: other.axes.columns.map(|c| self.axes.transposed_times(c)) };
        let reach = Vector::abs(self.local(other.centre)) + relative.abs().times(other.half);
        (0..3).all(|k| reach[k] <= self.half[k])
    }

    /// The point of the box nearest to `point`, up to rounding: the point itself if it is inside.
    #[must_use]
    pub fn closest_point(&self, point: S::Vec3) -> S::Vec3 {
        let local = self.local(point);
        let clamped = Vector::clamp(local, -self.half, self.half);
        if clamped == local { point } else { self.centre + self.axes.times(clamped) }
    }

    /// Square of the distance from a point to the box, 0 inside.
    #[must_use]
    pub fn distance_squared(&self, point: S::Vec3) -> S {
        let local = self.local(point);
        (local - Vector::clamp(local, -self.half, self.half)).length_squared()
    }

    /// On which side of the plane is the box? A box that touches the plane straddles it.
    #[must_use]
    pub fn side_of(&self, plane: &Plane<S>) -> PlaneSide {
        let reach = Vector::abs(self.axes.transposed_times(plane.normal)).dot(self.half);
        PlaneSide::of(plane.signed_distance(self.centre), reach)
    }

    /// A small box around both: the best of the orientations of either box, of the axes of the
    /// world and of the principal axes of their corners. Not always the smallest of all.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        // A containing box is the union if it has room for what rounding may hide.
        let roomy = |outer: &Self, inner: &Self| {
            outer.contains(&inner.grown(S::of(GROWTH) * S::EPSILON * sum(outer.half)))
        };
        if roomy(self, other) {
            return *self;
        }
        if roomy(other, self) {
            return *other;
        }
        let at = |obb: &Self, centre| Self { centre, ..*obb }.corners();
        let mut corners = [S::Vec3::ZERO; 16];
        corners[..8].copy_from_slice(&at(self, S::Vec3::ZERO));
        corners[8..].copy_from_slice(&at(other, other.centre - self.centre));
        let mut best: Option<Self> = None;
        for axes in [self.axes, other.axes, Matrix3::IDENTITY, fit::principal_frame(&corners)] {
            let Some(candidate) = Self::around_relative(self.centre, axes, &corners) else { continue };
            if best.is_none_or(|b| candidate.volume() < b.volume()) {
                best = Some(candidate);
            }
        }
        best.unwrap_or(*self)
    }

    /// The same box in the other precision, rounded.
    #[must_use]
    pub fn to<T: Real>(&self) -> Obb<T> {
        Obb { centre: self.centre.to::<T>(), half: self.half.to::<T>(), axes: self.axes.to::<T>() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rotation::Rotation;
    use glam::Vec3;

    fn tilted() -> Obb {
        let rotation = Rotation::about_axis(Vec3::new(0.6, 0.0, 0.8), 0.7);
        Obb::of_pose(&Pose::new(Vec3::new(1.0, 2.0, 3.0), rotation), Vec3::new(1.0, 2.0, 0.5))
    }

    #[test]
    fn measures_of_a_box() {
        let b = tilted();
        assert_eq!(b.volume(), 8.0);
        assert_eq!(b.surface_area(), 2.0 * (2.0 * 4.0 + 4.0 * 1.0 + 1.0 * 2.0));
        assert!(b.corners().iter().all(|c| ((*c - b.centre).length() - 5.25f32.sqrt()).abs() < 1e-6));
    }

    #[test]
    fn closest_points_of_faces_edges_and_corners() {
        let b = tilted();
        let world = |local: [f32; 3]| b.centre + b.axes.times(local.into());
        for (point, nearest, square) in [
            ([0.5, -1.0, 0.2], [0.5, -1.0, 0.2], 0.0),
            ([3.0, -1.0, 0.2], [1.0, -1.0, 0.2], 4.0),
            ([3.0, -3.0, 0.2], [1.0, -2.0, 0.2], 5.0),
            ([3.0, -3.0, 2.5], [1.0, -2.0, 0.5], 9.0),
        ] {
            let p = world(point);
            assert!((b.closest_point(p) - world(nearest)).length() < 2e-6);
            assert!((b.distance_squared(p) - square).abs() < 2e-5);
            assert_eq!(b.contains_point(p), square == 0.0);
        }
    }

    #[test]
    fn planes_see_three_sides() {
        let b = tilted();
        let normal = b.axes.columns[1];
        let at = |distance: f32| Plane::through(b.centre - normal * distance, normal);
        assert_eq!(b.side_of(&at(2.001)), PlaneSide::Positive);
        assert_eq!(b.side_of(&at(1.999)), PlaneSide::Straddling);
        assert_eq!(b.side_of(&at(-2.001)), PlaneSide::Negative);
    }

    #[test]
    fn a_box_of_one_point_and_no_box_of_none() {
        let p = Vec3::new(5.0, 6.0, 7.0);
        let b = Obb::<f32>::around(Matrix3::IDENTITY, &[p, p]).unwrap();
        assert_eq!((b.centre, b.half), (p, Vec3::ZERO));
        assert_eq!(Obb::<f32>::around(Matrix3::IDENTITY, &[]), None);
        assert_eq!(Obb::<f32>::around(Matrix3::IDENTITY, &[p, Vec3::NAN]), None);
    }
}
