//! Cylinders and cones as one shape: two rims round an axis, placed anywhere.

use carom_geometry::shape::{Cone, Cylinder};
use carom_geometry::{Matrix3, Pose, Real, Vector};

/// The hull of two circles round an axis: a cylinder has two equal ones, the upper one of a cone is
/// its tip.
pub(super) struct Frustum<S: Real> {
    pub(super) centre: S::Vec3,
    /// Unit vector from the lower rim to the upper one.
    pub(super) axis: S::Vec3,
    /// Radii of the lower and of the upper rim; the upper one is not larger.
    pub(super) radii: [S; 2],
    /// Half of the distance between the rims.
    pub(super) half: S,
    /// The outer normal of the wall, away from the axis and along it.
    pub(super) wall: [S; 2],
}

/// The point of a frustum that lies least far along a direction.
#[derive(Clone, Copy)]
pub(super) struct Low<S: Real> {
    pub(super) point: S::Vec3,
    /// On the lower rim (0) or on the upper one (1).
    pub(super) rim: usize,
}

impl<S: Real> Frustum<S> {
    /// A cylinder; none if it is flat or thin, which is not worth a formula.
    #[inline]
    pub(super) fn of_cylinder(shape: &Cylinder<S>, pose: &Pose<S>) -> Option<Self> {
        let wall = [S::ONE, S::ZERO];
        (shape.radius > S::ZERO && shape.half_length > S::ZERO)
            .then(|| Self::new([shape.radius; 2], shape.half_length, wall, pose))
    }

    /// A cone; none if it is flat or thin.
    #[inline]
    pub(super) fn of_cone(shape: &Cone<S>, pose: &Pose<S>) -> Option<Self> {
        if shape.radius <= S::ZERO || shape.half_length <= S::ZERO {
            return None;
        }
        let slant = shape.slant();
        let wall = [S::TWO * shape.half_length / slant, shape.radius / slant];
        Some(Self::new([shape.radius, S::ZERO], shape.half_length, wall, pose))
    }

    #[inline]
    fn new(radii: [S; 2], half: S, wall: [S; 2], pose: &Pose<S>) -> Self {
        let Matrix3 { columns: [_, _, axis] } = pose.rotation.to_matrix();
        Self { centre: pose.translation, axis, radii, half, wall }
    }

    /// Not a cone.
    #[inline]
    pub(super) fn is_cylinder(&self) -> bool {
        self.wall[1] == S::ZERO
    }

    /// How far its points are from the origin at most.
    #[inline]
    pub(super) fn reach(&self) -> S {
        Vector::abs(self.centre).max_element() + self.radii[0] + self.half
    }

    #[inline]
    fn height(&self, rim: usize) -> S {
        if rim == 0 { -self.half } else { self.half }
    }

    /// The parts of the opposite of a unit vector along the axis and across it, and the length of
    /// the latter.
    #[inline]
    fn split(&self, normal: S::Vec3) -> (S, S::Vec3, S) {
        let rise = -normal.dot(self.axis);
        let across = -normal - self.axis * rise;
        // Near the axis what is left is rounding along it, and the radius would blow it up.
        let across = across - self.axis * across.dot(self.axis);
        (rise, across, across.length())
    }

    /// The point least far along a unit vector.
    #[inline]
    pub(super) fn low(&self, normal: S::Vec3) -> Low<S> {
        let (rise, across, length) = self.split(normal);
        let is_top = rise * self.wall[0] > length * self.wall[1];
        let (radius, height) = if is_top { (self.radii[1], self.half) } else { (self.radii[0], -self.half) };
        // Along the axis any point of the end will do: its middle.
        let factor = if length > S::TWO * S::EPSILON { radius / length } else { S::ZERO };
        Low { point: self.centre + self.axis * height + across * factor, rim: usize::from(is_top) }
    }

    /// How far along a unit vector that point lies, without the point: enough to see that something
    /// is far away.
    #[inline]
    pub(super) fn lowest(&self, normal: S::Vec3) -> S {
        let rise = normal.dot(self.axis) * self.half;
        let across = self.axis.cross(normal).length();
        let reaches = [self.radii[0] * across + rise, self.radii[1] * across - rise];
        normal.dot(self.centre) - Real::max(reaches[0], reaches[1])
    }

    /// The same on a given rim, and the radius of curvature of its shadow along the unit vector
    /// `along` across the normal.
    #[inline]
    pub(super) fn low_on(&self, rim: usize, normal: S::Vec3, along: S::Vec3) -> (S::Vec3, S) {
        let (_, across, length) = self.split(normal);
        if length <= S::TWO * S::EPSILON {
            return (self.centre + self.axis * self.height(rim), S::ZERO);
        }
        let factor = self.radii[rim] / length;
        let lean = along.cross(normal).dot(self.axis) / length;
        let curvature = factor * (S::ONE - lean * lean);
        (self.centre + self.axis * self.height(rim) + across * factor, curvature)
    }

    /// The two directions across `along` that look straight at the wall, as the part they share and
    /// the part with either sign.
    #[inline]
    pub(super) fn wall_directions(&self, along: S::Vec3) -> Option<(S::Vec3, S::Vec3)> {
        let shadow = self.axis - along * along.dot(self.axis);
        let square = shadow.length_squared();
        let lean = self.wall[1];
        if square <= S::EPSILON || square < lean * lean {
            return None;
        }
        let side = along.cross(shadow);
        let root = Real::max((square - lean * lean) / square, S::ZERO).sqrt();
        Some((shadow * (-lean / square), side * (root / square.sqrt())))
    }

    /// Height along the axis, distance from it, and the unit vector away from it.
    #[inline]
    fn coordinates(&self, point: S::Vec3) -> (S, S, S::Vec3) {
        let from_centre = point - self.centre;
        let height = from_centre.dot(self.axis);
        let across = from_centre - self.axis * height;
        let distance = across.length();
        let out = if distance > S::ZERO { across / distance } else { self.axis.frame().0 };
        (height, distance, out)
    }

    /// The nearest point of the solid.
    #[inline]
    pub(super) fn nearest(&self, point: S::Vec3) -> S::Vec3 {
        let (height, distance, out) = self.coordinates(point);
        let [lower, upper] = self.radii;
        let at = |height: S, distance: S| self.centre + self.axis * height + out * distance;
        if height <= -self.half {
            return at(-self.half, Real::min(distance, lower));
        }
        if height >= self.half && distance <= upper {
            return at(self.half, distance);
        }
        let [steep, lean] = self.wall;
        let beyond = (distance - lower) * steep + (height + self.half) * lean;
        if beyond <= S::ZERO && height <= self.half {
            return point;
        }
        // Up the wall from the lower rim.
        let up = (height + self.half) * steep - (distance - lower) * lean;
        let whole = S::TWO * self.half * steep + (lower - upper) * lean;
        let up = Real::clamp(up, S::ZERO, whole);
        at(up * steep - self.half, lower - up * lean)
    }

    /// How far a point is beyond the infinite wall, below zero inside.
    #[inline]
    pub(super) fn beyond_wall(&self, point: S::Vec3) -> S {
        let from_centre = point - self.centre;
        let height = from_centre.dot(self.axis);
        let distance = (from_centre - self.axis * height).length();
        (distance - self.radii[0]) * self.wall[0] + (height + self.half) * self.wall[1]
    }

    /// The inner normal of the wall below a point.
    #[inline]
    pub(super) fn inwards(&self, point: S::Vec3) -> S::Vec3 {
        let (_, _, out) = self.coordinates(point);
        // Near the axis rounding turns it along the axis, and the far end of the wall feels that.
        // On the axis it is nothing but rounding, of which any part may be along the axis.
        let across = out - self.axis * out.dot(self.axis);
        let is_across = across.length_squared() > S::HALF;
        let out = across.unit().filter(|_| is_across).unwrap_or_else(|| self.axis.frame().0);
        -(out * self.wall[0] + self.axis * self.wall[1])
    }

    /// Is the point in the solid, or at most so far from it?
    #[inline]
    pub(super) fn has(&self, point: S::Vec3, slack: S) -> bool {
        (self.nearest(point) - point).length_squared() <= slack * slack
    }
}
