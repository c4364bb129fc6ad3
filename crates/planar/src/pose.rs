//! Poses in the plane.

use carom_core::trig::sin_cos_f64;

use crate::vector::{Point, add, sub};

/// A rigid transform: a rotation about the origin, then a translation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose2 {
    /// Position of the origin of the shape.
    pub translation: Point,
    /// Sine of the angle, counter-clockwise.
    pub sine: f64,
    /// Cosine of the angle.
    pub cosine: f64,
}

impl Pose2 {
    /// Rotated by an angle in radians, counter-clockwise, then translated.
    #[must_use]
    pub fn new(translation: Point, angle: f64) -> Self {
        let (sine, cosine) = sin_cos_f64(angle);
        Self { translation, sine, cosine }
    }

    /// A translation without rotation.
    #[must_use]
    pub fn at(translation: Point) -> Self {
        Self { translation, sine: 0.0, cosine: 1.0 }
    }

    /// A vector of the shape in the surrounding frame.
    #[inline]
    #[must_use]
    pub fn rotate(&self, [x, y]: Point) -> Point {
        [self.cosine * x - self.sine * y, self.sine * x + self.cosine * y]
    }

    /// A vector of the surrounding frame in that of the shape.
    #[inline]
    #[must_use]
    pub fn rotate_back(&self, [x, y]: Point) -> Point {
        [self.cosine * x + self.sine * y, self.cosine * y - self.sine * x]
    }

    /// A point of the shape in the surrounding frame.
    #[inline]
    #[must_use]
    pub fn apply(&self, point: Point) -> Point {
        add(self.rotate(point), self.translation)
    }

    /// A point of the surrounding frame in that of the shape.
    #[inline]
    #[must_use]
    pub fn undo(&self, point: Point) -> Point {
        self.rotate_back(sub(point, self.translation))
    }

    /// The inverse transform.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let [x, y] = self.rotate_back(self.translation);
        Self { translation: [-x, -y], sine: -self.sine, cosine: self.cosine }
    }
}
