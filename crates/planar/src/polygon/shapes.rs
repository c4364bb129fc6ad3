//! Named polygons inside the unit circle, to be turned, scaled and moved.
//!
//! Regular polygons and the tips of stars have their vertices on the circle. Stars have their inner
//! corners on a smaller circle half-way between two tips; the radius is free, and [`INNER_RADIUS`]
//! makes all three stars clearly non-convex without thin spikes. A shape of one's own is
//! [`Polygon::new`].

use std::f64::consts::{FRAC_PI_2, TAU};

use super::Polygon;
use carom_core::trig::sin_cos_f64;

/// Radius of the inner corners of a star.
pub const INNER_RADIUS: f64 = 0.4;

/// The shapes of the factory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShapeName {
    /// Regular triangle, one tip up.
    Triangle,
    /// Square with sides along the axes.
    Square,
    /// Regular pentagon, one tip up.
    Pentagon,
    /// Regular hexagon, one tip up.
    Hexagon,
    /// Star with four tips.
    Star4,
    /// Star with five tips.
    Star5,
    /// Star with six tips.
    Star6,
    /// Arrowhead with a notch: not convex.
    Boomerang,
}

impl ShapeName {
    /// All shapes, in a fixed order that generators index with random numbers.
    pub const ALL: [Self; 8] = [
        Self::Triangle,
        Self::Square,
        Self::Pentagon,
        Self::Hexagon,
        Self::Star4,
        Self::Star5,
        Self::Star6,
        Self::Boomerang,
    ];

    /// The name in messages and files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Triangle => "triangle",
            Self::Square => "square",
            Self::Pentagon => "pentagon",
            Self::Hexagon => "hexagon",
            Self::Star4 => "star-4",
            Self::Star5 => "star-5",
            Self::Star6 => "star-6",
            Self::Boomerang => "boomerang",
        }
    }
}

/// The shape with its vertices inside the unit circle, counter-clockwise.
#[must_use]
pub fn unit_shape(name: ShapeName) -> Polygon {
    match name {
        ShapeName::Triangle => regular(3, FRAC_PI_2),
        ShapeName::Square => regular(4, FRAC_PI_2 / 2.0),
        ShapeName::Pentagon => regular(5, FRAC_PI_2),
        ShapeName::Hexagon => regular(6, FRAC_PI_2),
        ShapeName::Star4 => star(4),
        ShapeName::Star5 => star(5),
        ShapeName::Star6 => star(6),
        ShapeName::Boomerang => {
            Polygon::new(vec![[0.0, 1.0], [-0.75, -0.625], [0.0, -0.125], [0.75, -0.625]])
        }
    }
}

/// Corners at equal angles on the unit circle, the first at `start`.
fn regular(corners: u32, start: f64) -> Polygon {
    Polygon::new((0..corners).map(|i| on_circle(1.0, start, f64::from(i) / f64::from(corners))).collect())
}

/// Tips on the unit circle, the first one up, with inner corners between them.
fn star(tips: u32) -> Polygon {
    let corners = 2 * tips;
    let corner = |i: u32| {
        let radius = if i.is_multiple_of(2) { 1.0 } else { INNER_RADIUS };
        on_circle(radius, FRAC_PI_2, f64::from(i) / f64::from(corners))
    };
    Polygon::new((0..corners).map(corner).collect())
}

/// The point a given part of a full turn beyond the angle `start`.
fn on_circle(radius: f64, start: f64, turn: f64) -> [f64; 2] {
    let (sine, cosine) = sin_cos_f64(start + TAU * turn);
    [radius * cosine, radius * sine]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::distance;

    fn unit_area(name: ShapeName) -> f64 {
        unit_shape(name).signed_area()
    }

    #[test]
    fn all_shapes_lie_in_the_unit_circle_and_run_counter_clockwise() {
        for name in ShapeName::ALL {
            let shape = unit_shape(name);
            let count = shape.vertices.len();
            assert!((3..=20).contains(&count), "{name:?}");
            assert!(shape.vertices.iter().all(|&v| distance(v, [0.0; 2]) <= 1.0 + 1e-15), "{name:?}");
            assert!(shape.signed_area() > 0.0, "{name:?}");
        }
    }

    #[test]
    fn areas_are_those_of_the_textbook() {
        let close = |a: f64, b: f64| (a - b).abs() < 1e-14;
        assert!(close(unit_area(ShapeName::Triangle), 3.0 * 3.0_f64.sqrt() / 4.0));
        assert!(close(unit_area(ShapeName::Square), 2.0));
        assert!(close(unit_area(ShapeName::Pentagon), 2.5 * sin_cos_f64(TAU / 5.0).0));
        assert!(close(unit_area(ShapeName::Hexagon), 3.0 * 3.0_f64.sqrt() / 2.0));
        // A star is 2·tips triangles with sides 1 and the inner radius, and the angle of half a tip
        // between them.
        for (name, tips) in [(ShapeName::Star4, 4.0), (ShapeName::Star5, 5.0), (ShapeName::Star6, 6.0)] {
            let sine = sin_cos_f64(TAU / (2.0 * tips)).0;
            assert!(close(unit_area(name), tips * INNER_RADIUS * sine), "{name:?}");
        }
    }

    #[test]
    fn scaling_reaches_every_area() {
        for name in ShapeName::ALL {
            for wanted in [1e-6, 0.5, 1.0, 7.25, 1e9] {
                let area = unit_shape(name).scaled_to_area(wanted).unwrap().area();
                assert!((area - wanted).abs() <= 1e-9 * wanted, "{name:?} {wanted}");
            }
        }
    }

    #[test]
    fn only_stars_and_boomerang_are_not_convex() {
        for name in ShapeName::ALL {
            let is_round = matches!(
                name,
                ShapeName::Triangle | ShapeName::Square | ShapeName::Pentagon | ShapeName::Hexagon
            );
            assert_eq!(unit_shape(name).is_convex(), is_round, "{name:?}");
        }
    }

    #[test]
    fn vertex_counts_are_those_of_the_names() {
        let counts = ShapeName::ALL.map(|name| unit_shape(name).vertices.len());
        assert_eq!(counts, [3, 4, 5, 6, 8, 10, 12, 4]);
        let mut names = ShapeName::ALL.map(ShapeName::name).to_vec();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ShapeName::ALL.len());
    }
}
