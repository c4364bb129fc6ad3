//! Mass, centre and moments of figures, for a density per area.
//!
//! A rounded figure is its core, a strip along each side, and a sector of a disc at each corner.
//! Sums are in `f64`.

use carom_core::trig::atan2_f64;
use glam::{DVec2, Vec2, Vec3};

use super::{OutlineRoom, Planar};
use crate::mass::{MassProperties, Massive};
use crate::real::Real;
use crate::rotation::Matrix3;

/// Area, first and second moments about the origin.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Moments {
    pub(super) area: f64,
    first: DVec2,
    /// Integrals of x², y² and xy.
    second: [f64; 3],
}

impl Moments {
    /// Adds a figure of this area with its centroid and its second moments about that.
    fn add(&mut self, area: f64, centroid: DVec2, [xx, yy, xy]: [f64; 3]) {
        self.area += area;
        self.first += centroid * area;
        self.second[0] += xx + area * centroid.x * centroid.x;
        self.second[1] += yy + area * centroid.y * centroid.y;
        self.second[2] += xy + area * centroid.x * centroid.y;
    }

    fn add_triangle(&mut self, corners: [DVec2; 3]) {
        let [a, b, c] = corners;
        let area = 0.5 * (b - a).perp_dot(c - a);
        let centroid = (a + b + c) / 3.0;
        let sum = |f: fn(DVec2) -> f64| area / 12.0 * corners.iter().map(|p| f(*p - centroid)).sum::<f64>();
        self.add(area, centroid, [sum(|p| p.x * p.x), sum(|p| p.y * p.y), sum(|p| p.x * p.y)]);
    }

    /// Adds a rectangle between a side and the same side moved out by `out`.
    fn add_strip(&mut self, a: DVec2, b: DVec2, out: DVec2) {
        self.add_triangle([a, a + out, b + out]);
        self.add_triangle([a, b + out, b]);
    }

    /// Adds a sector of a disc about `apex` between two unit directions, counter-clockwise.
    fn add_sector(&mut self, apex: DVec2, from: DVec2, to: DVec2, radius: f64) {
        let (sine, cosine) = (from.perp_dot(to), from.dot(to));
        let half = 0.5 * atan2_f64(sine, cosine).abs();
        if half == 0.0 {
            return;
        }
        let middle = from + to;
        let length = middle.length();
        // Of half a turn the middle is across.
        let u = if length > 1e-9 { middle / length } else { DVec2::new(-from.y, from.x) };
        let v = DVec2::new(-u.y, u.x);
        let (half_sine, both) = ((0.5 - 0.5 * cosine).max(0.0).sqrt(), 0.5 * sine);
        let area = half * radius * radius;
        let reach = 2.0 * radius * half_sine / (3.0 * half);
        let quarter = 0.25 * radius * radius * radius * radius;
        // About the apex, along and across; then about the centroid.
        let along = quarter * (half + both) - area * reach * reach;
        let across = quarter * (half - both);
        let of = |i: f64, j: f64, k: f64, l: f64| along * i * j + across * k * l;
        self.add(
            area,
            apex + u * reach,
            [of(u.x, u.x, v.x, v.x), of(u.y, u.y, v.y, v.y), of(u.x, u.y, v.x, v.y)],
        );
    }
}

/// Area and moments of a figure.
pub(super) fn moments(figure: &Planar) -> Moments {
    let mut sum = Moments::default();
    let mut room = OutlineRoom::default();
    let outline = figure.outline(&mut room);
    let radius = f64::from(outline.radius);
    let point = |at: usize| outline.vertices[at].as_dvec2();
    for at in 1..outline.vertices.len().max(2) - 1 {
        sum.add_triangle([point(0), point(at), point(at + 1)]);
    }
    if outline.radius == 0.0 {
        return sum;
    }
    if outline.normals.is_empty() {
        let area = std::f64::consts::PI * radius * radius;
        sum.add(area, point(0), [0.25 * area * radius * radius, 0.25 * area * radius * radius, 0.0]);
        return sum;
    }
    let unit = |normal: Vec2| normal.as_dvec2().normalize_or_zero();
    for (at, normal) in outline.normals.iter().enumerate() {
        let (next, normal) = (outline.after(at), unit(*normal));
        sum.add_strip(point(at), point(next), normal * radius);
        sum.add_sector(point(next), normal, unit(outline.normals[next]), radius);
    }
    sum
}

/// Per area (one side); edges have no mass. The moment about z is that of plane motion.
impl Massive<f32> for Planar {
    fn mass_properties(&self, density: f32) -> MassProperties {
        let Moments { area, first, second } = moments(self);
        if area <= 0.0 || !area.is_finite() {
            return MassProperties::NOTHING;
        }
        let density = f64::from(density);
        let centre = first / area;
        let xx = Real::max(density * (second[0] - area * centre.x * centre.x), 0.0) as f32;
        let yy = Real::max(density * (second[1] - area * centre.y * centre.y), 0.0) as f32;
        let xy = (density * (second[2] - area * centre.x * centre.y)) as f32;
        let columns = [Vec3::new(yy, -xy, 0.0), Vec3::new(-xy, xx, 0.0), Vec3::new(0.0, 0.0, xx + yy)];
        MassProperties {
            mass: (density * area) as f32,
            centre: Vec3::new(centre.x as f32, centre.y as f32, 0.0),
            inertia: Matrix3 { columns },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_core::random::Random;

    #[test]
    fn known_figures_have_their_known_moments() {
        let disc = Planar::disc(2.0).unwrap().mass_properties(3.0);
        let mass = 3.0 * 4.0 * std::f32::consts::PI;
        assert!((disc.mass - mass).abs() < 1e-4 && (disc.inertia.columns[2].z - 2.0 * mass).abs() < 1e-3);
        let plank = Planar::rectangle(3.0, 0.5).unwrap().mass_properties(2.0);
        assert!((plank.mass - 12.0).abs() < 1e-5);
        assert!((plank.inertia.columns[2].z - 12.0 * (36.0 + 1.0) / 12.0).abs() < 1e-4);
        assert_eq!(Planar::edge(Vec2::ZERO, Vec2::X).unwrap().mass_properties(5.0).mass, 0.0);
    }

    #[test]
    fn moments_are_those_of_random_points_inside() {
        let mut random = Random::new(11);
        let points = [[0.0, 0.0], [2.0, 0.3], [1.5, 1.2], [0.2, 1.0]].map(Vec2::from);
        let figures = [
            Planar::rounded_polygon(&points, 0.4).unwrap(),
            Planar::capsule(Vec2::new(0.5, 0.0), Vec2::new(1.5, 1.0), 0.5).unwrap(),
            Planar::rounded_rectangle(1.0, 0.25, 0.3).unwrap(),
        ];
        for figure in figures {
            let (count, low, high) = (400_000u32, -2.0f32, 3.0f32);
            let (mut inside, mut first, mut about) = (0.0f64, DVec2::ZERO, 0.0f64);
            for _ in 0..count {
                let point = Vec2::new(random.range(low, high), random.range(low, high));
                if figure.contains(point) {
                    inside += 1.0;
                    first += point.as_dvec2();
                    about += point.as_dvec2().length_squared();
                }
            }
            let cell = f64::from(high - low) * f64::from(high - low) / f64::from(count);
            let found = figure.mass_properties(1.0);
            let centre = first / inside;
            let moment = (about - inside * centre.length_squared()) * cell;
            assert!((f64::from(found.mass) / (inside * cell) - 1.0).abs() < 0.01, "{figure:?}");
            assert!((found.centre.truncate().as_dvec2() - centre).length() < 0.01, "{figure:?}");
            assert!((f64::from(found.inertia.columns[2].z) / moment - 1.0).abs() < 0.02, "{figure:?}");
        }
    }
}
