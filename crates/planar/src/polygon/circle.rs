//! Discs in the plane.

use std::f64::consts::PI;

use super::rectangle::Rectangle;
use crate::vector::{Point, distance};
use carom_core::trig::sin_cos_f64;

/// The points within `radius` of a centre. A radius of 0 is a point; negative ones make no sense.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Circle {
    /// Centre.
    pub centre: Point,
    /// Radius.
    pub radius: f64,
}

impl Circle {
    /// Area of the disc.
    #[must_use]
    pub fn area(&self) -> f64 {
        PI * self.radius * self.radius
    }

    /// Second moment of area about the centre, ∫ r² dA = π r⁴ / 2: times the density, the moment of
    /// inertia.
    #[must_use]
    pub fn second_moment(&self) -> f64 {
        self.area() * self.radius * self.radius / 2.0
    }

    /// Is the point inside or on the circle?
    #[must_use]
    pub fn contains(&self, point: Point) -> bool {
        distance(self.centre, point) <= self.radius
    }

    /// The point of the disc farthest along a direction; the centre for a direction without length.
    #[must_use]
    pub fn support(&self, direction: Point) -> Point {
        // Scaled first, so that no square over- or underflows.
        let largest = carom_geometry::Real::max(direction[0].abs(), direction[1].abs());
        if !(largest > 0.0 && largest.is_finite()) {
            return self.centre;
        }
        let [x, y] = direction.map(|c| c / largest);
        let reach = self.radius / (x * x + y * y).sqrt();
        [self.centre[0] + x * reach, self.centre[1] + y * reach]
    }

    /// The axis-aligned rectangle round the disc.
    #[must_use]
    pub fn aabb(&self) -> Rectangle {
        Rectangle { min: self.centre.map(|c| c - self.radius), max: self.centre.map(|c| c + self.radius) }
    }

    /// The rectangle round the disc turned about the origin by an angle in radians,
    /// counter-clockwise, and then moved.
    #[must_use]
    pub fn aabb_at(&self, angle: f64, translation: Point) -> Rectangle {
        let (sine, cosine) = sin_cos_f64(angle);
        let [x, y] = self.centre;
        let centre = [cosine * x - sine * y + translation[0], sine * x + cosine * y + translation[1]];
        Self { centre, radius: self.radius }.aabb()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disc_reaches_its_radius_in_every_direction() {
        let disc = Circle { centre: [1.0, 2.0], radius: 5.0 };
        for direction in [[3.0, 4.0], [3e200, 4e200], [3e-200, 4e-200]] {
            let [x, y] = disc.support(direction);
            assert!((x - 4.0).abs() < 1e-14 && (y - 6.0).abs() < 1e-14);
        }
        assert_eq!(disc.support([0.0, 0.0]), disc.centre);
        assert!(disc.contains([4.0, 6.0]) && !disc.contains([4.0, 6.01]));
        assert_eq!(disc.aabb(), Rectangle { min: [-4.0, -3.0], max: [6.0, 7.0] });
    }

    #[test]
    fn a_turned_disc_has_its_centre_elsewhere() {
        let disc = Circle { centre: [2.0, 0.0], radius: 1.0 };
        let rectangle = disc.aabb_at(std::f64::consts::FRAC_PI_2, [10.0, 0.0]);
        assert!((rectangle.min[0] - 9.0).abs() < 1e-15 && (rectangle.max[1] - 3.0).abs() < 1e-15);
    }

    #[test]
    fn area_and_second_moment_are_those_of_many_rings() {
        let disc = Circle { centre: [0.0, 0.0], radius: 2.0 };
        let rings = 100_000;
        let (mut area, mut moment) = (0.0, 0.0);
        for k in 0..rings {
            let r = (f64::from(k) + 0.5) * 2.0 / f64::from(rings);
            let ring = 2.0 * PI * r * 2.0 / f64::from(rings);
            area += ring;
            moment += ring * r * r;
        }
        assert!((disc.area() - area).abs() < 1e-6 && (disc.second_moment() - moment).abs() < 1e-6);
    }
}
