//! A slow measure of distance in `f64` that shares nothing with the code under test, and figures to
//! try it on.
//!
//! A figure is a set of flat pieces: its inside, its faces, its edges, its corners. For every pair
//! of pieces the nearest points of their unbounded extensions come from linear equations; if they
//! lie in the pieces, their distance counts. The smallest is the distance of the figures.

use carom_geometry::Aabb;
use carom_geometry::Obb;
use carom_geometry::Pose;
use carom_geometry::Rotation;
use carom_geometry::primitive::{Line, Plane, Ray, Rectangle, Segment, Triangle};
use carom_geometry::real::{Real, Vector};
use glam::DVec3;
use proptest::prelude::*;

/// The points `origin + Σ tᵢ·directionᵢ` with `lowᵢ ≤ tᵢ ≤ highᵢ`; of a simplex also `Σ tᵢ ≤ 1`.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    origin: DVec3,
    directions: Vec<DVec3>,
    limits: Vec<[f64; 2]>,
    simplex: bool,
}

impl Piece {
    fn point(origin: DVec3) -> Self {
        Self { origin, directions: vec![], limits: vec![], simplex: false }
    }

    /// All pieces of a figure whose parameters are limited one by one.
    pub(crate) fn all(origin: DVec3, directions: &[DVec3], limits: &[[f64; 2]]) -> Vec<Self> {
        let mut pieces = vec![Self::point(origin)];
        for (&direction, &limit) in directions.iter().zip(limits) {
            pieces = pieces
                .into_iter()
                .flat_map(|piece| {
                    let ends = limit.into_iter().filter(|t| t.is_finite()).map({
                        let piece = piece.clone();
                        move |t| Self { origin: piece.origin + direction * t, ..piece.clone() }
                    });
                    let mut free = piece.clone();
                    free.directions.push(direction);
                    free.limits.push(limit);
                    ends.chain([free]).collect::<Vec<_>>()
                })
                .collect();
        }
        pieces
    }

    pub(crate) fn of_triangle([a, b, c]: [DVec3; 3]) -> Vec<Self> {
        let unit = [0.0, 1.0];
        let face = Self { origin: a, directions: vec![b - a, c - a], limits: vec![unit; 2], simplex: true };
        let mut pieces = vec![face];
        for (p, q) in [(a, b), (b, c), (c, a)] {
            pieces.extend(Self::all(p, &[q - p], &[unit]));
        }
        pieces
    }

    fn holds(&self, t: &[f64]) -> bool {
        let slack = 1e-7;
        let in_limits = t.iter().zip(&self.limits).zip(&self.directions).all(|((t, limit), d)| {
            let slack = if d.length() > 0.0 { slack } else { f64::INFINITY };
            *t >= limit[0] - slack && *t <= limit[1] + slack
        });
        in_limits && (!self.simplex || t.iter().sum::<f64>() <= 1.0 + slack)
    }

    /// The point of parameters that are moved into the limits.
    fn at(&self, t: &[f64]) -> DVec3 {
        let mut t: Vec<f64> =
            t.iter().zip(&self.limits).map(|(t, limit)| t.max(limit[0]).min(limit[1])).collect();
        let sum: f64 = t.iter().sum();
        if self.simplex && sum > 1.0 {
            t.iter_mut().for_each(|t| *t /= sum);
        }
        self.directions.iter().zip(t).fold(self.origin, |p, (d, t)| p + *d * t)
    }
}

/// Closest points of two figures.
pub(crate) fn closest(a: &[Piece], b: &[Piece]) -> (DVec3, DVec3) {
    let mut best = (DVec3::ZERO, DVec3::ZERO);
    let mut smallest = f64::INFINITY;
    for x in a {
        for y in b {
            let directions: Vec<DVec3> =
                x.directions.iter().copied().chain(y.directions.iter().map(|d| -*d)).collect();
            let t = least_squares(&directions, y.origin - x.origin);
            let (s, t) = t.split_at(x.directions.len());
            if x.holds(s) && y.holds(t) {
                let (p, q) = (x.at(s), y.at(t));
                if (p - q).length() < smallest {
                    (best, smallest) = ((p, q), (p - q).length());
                }
            }
        }
    }
    best
}

/// Distance of two figures.
pub(crate) fn distance(a: &[Piece], b: &[Piece]) -> f64 {
    let (p, q) = closest(a, b);
    (p - q).length()
}

/// Factors of the directions whose sum is nearest to `target`; 0 for directions that depend on
/// others.
fn least_squares(directions: &[DVec3], target: DVec3) -> Vec<f64> {
    // Gram–Schmidt with the columns made orthogonal twice, then back substitution.
    let n = directions.len();
    let mut basis: Vec<Option<DVec3>> = Vec::new();
    let mut upper = vec![[0.0f64; 8]; n];
    for (j, d) in directions.iter().enumerate() {
        let mut rest = *d;
        for _ in 0..2 {
            for (i, b) in basis.iter().enumerate() {
                if let Some(b) = b {
                    let along = b.dot(rest);
                    upper[i][j] += along;
                    rest -= *b * along;
                }
            }
        }
        let length = rest.length();
        if length > 1e-9 * d.length() {
            upper[j][j] = length;
            basis.push(Some(rest / length));
        } else {
            basis.push(None);
        }
    }
    let mut rest = target;
    let mut factors = vec![0.0; n];
    let mut right = vec![0.0; n];
    for _ in 0..2 {
        for (i, b) in basis.iter().enumerate() {
            if let Some(b) = b {
                let along = b.dot(rest);
                right[i] += along;
                rest -= *b * along;
            }
        }
    }
    for i in (0..n).rev() {
        if basis[i].is_some() {
            let known: f64 = (i + 1..n).map(|j| upper[i][j] * factors[j]).sum();
            factors[i] = (right[i] - known) / upper[i][i];
        }
    }
    factors
}

/// One of each kind.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Any<S: Real> {
    Point(S::Vec3),
    Segment(Segment<S>),
    Ray(Ray<S>),
    Line(Line<S>),
    Plane(Plane<S>),
    Triangle(Triangle<S>),
    Rectangle(Rectangle<S>),
    Box(Obb<S>),
    Aabb(Aabb<3, S>),
}

pub(crate) const KINDS: usize = 9;

/// Runs a body with the figure inside, whatever its type.
macro_rules! with_figure {
    ($any:expr, $x:ident => $body:expr) => {
        match $any {
            Any::Point($x) => $body,
            Any::Segment($x) => $body,
            Any::Ray($x) => $body,
            Any::Line($x) => $body,
            Any::Plane($x) => $body,
            Any::Triangle($x) => $body,
            Any::Rectangle($x) => $body,
            Any::Box($x) => $body,
            Any::Aabb($x) => $body,
        }
    };
}

pub(crate) use with_figure;

impl<S: Real> Any<S> {
    /// A figure of four points; `turn` gives its orientation where it has one.
    pub(crate) fn new(kind: usize, v: [S::Vec3; 4], turn: Rotation<S>) -> Self {
        let half = Vector::abs(v[1] - v[0]);
        match kind {
            0 => Self::Point(v[0]),
            1 => Self::Segment(Segment::new(v[0], v[1])),
            2 => Self::Ray(Ray::new(v[0], v[1] - v[0])),
            3 => Self::Line(Line::new(v[0], v[1] - v[0])),
            4 => Self::Plane(Plane::through(v[0], (v[1] - v[0]).unit().unwrap_or(S::Vec3::AXES[1]))),
            5 => Self::Triangle(Triangle::new(v[0], v[1], v[2])),
            6 => {
                let m = turn.to_matrix().columns;
                Self::Rectangle(Rectangle { centre: v[2], axes: [m[0], m[1]], half: [half.x(), half.y()] })
            }
            7 => Self::Box(Obb::of_pose(&Pose::new(v[2], turn), half)),
            _ => Self::Aabb(Aabb::of_points([v[0], v[1]])),
        }
    }

    pub(crate) fn pieces(&self) -> Vec<Piece> {
        let infinite = f64::INFINITY;
        let wide = |v: S::Vec3| v.to::<f64>();
        match self {
            Self::Point(p) => Piece::all(wide(*p), &[], &[]),
            Self::Segment(s) => Piece::all(wide(s.a), &[wide(s.b) - wide(s.a)], &[[0.0, 1.0]]),
            Self::Ray(r) => Piece::all(wide(r.origin), &[wide(r.direction)], &[[0.0, infinite]]),
            Self::Line(l) => Piece::all(wide(l.point), &[wide(l.direction)], &[[-infinite, infinite]]),
            Self::Plane(p) => {
                let n = wide(p.normal);
                let unit = n.normalize();
                let (u, v) = unit.any_orthonormal_pair();
                let origin = unit * (p.offset.to_f64() / n.length());
                Piece::all(origin, &[u, v], &[[-infinite, infinite]; 2])
            }
            Self::Triangle(t) => Piece::of_triangle(t.corners().map(wide)),
            Self::Rectangle(r) => {
                let limits = r.half.map(|h| [-h.to_f64(), h.to_f64()]);
                Piece::all(wide(r.centre), &r.axes.map(wide), &limits)
            }
            Self::Box(b) => {
                let limits = b.half.to_array().map(|h| [-h.to_f64(), h.to_f64()]);
                Piece::all(wide(b.centre), &b.axes.columns.map(wide), &limits)
            }
            Self::Aabb(b) => {
                let limits = [0, 1, 2].map(|k| [b.min[k].to_f64(), b.max[k].to_f64()]);
                Piece::all(DVec3::ZERO, &DVec3::AXES, &limits)
            }
        }
    }

    /// Largest coordinate that belongs to the figure's data.
    pub(crate) fn size(&self) -> f64 {
        let largest = |v: S::Vec3| Vector::abs(v).max_element().to_f64();
        match self {
            Self::Point(p) => largest(*p),
            Self::Segment(s) => largest(s.a).max(largest(s.b)),
            Self::Ray(r) => largest(r.origin),
            Self::Line(l) => largest(l.point),
            Self::Plane(p) => p.offset.to_f64().abs(),
            Self::Triangle(t) => t.corners().map(largest).into_iter().fold(0.0, f64::max),
            Self::Rectangle(r) => r.corners().map(largest).into_iter().fold(0.0, f64::max),
            Self::Box(b) => largest(b.centre) + largest(b.half),
            Self::Aabb(b) => largest(b.low()).max(largest(b.high())),
        }
    }
}

/// Coordinates with a liking for small integers.
fn coordinate() -> impl Strategy<Value = f32> {
    prop_oneof![2 => -2.0f32..2.0, 1 => (-2i8..=2).prop_map(f32::from)]
}

/// Eight points, four for each of two figures, often related: equal, in line, parallel, or nearly
/// so.
pub(crate) fn points() -> impl Strategy<Value = [glam::Vec3; 8]> {
    let vector = prop_oneof![
        prop::array::uniform3(coordinate()),
        prop::array::uniform3(-2.0f32..2.0),
        prop::array::uniform3((-2i8..=2).prop_map(f32::from)),
    ];
    let relation = (0..8usize, 0..8usize, 0..8usize, 0..8usize, 0..8u8);
    (prop::array::uniform8(vector), prop::collection::vec(relation, 0..4)).prop_map(|(v, relations)| {
        let mut v = v.map(glam::Vec3::from);
        for (i, j, k, l, relation) in relations {
            v[i] = match relation {
                0 => v[j],
                1 => v[j] + (v[k] - v[j]) * 0.5,
                2 => v[j] + (v[k] - v[l]),
                3 => v[j] + (v[k] - v[l]) * -1.5,
                4 => v[j] + v[i] * 1e-5,
                5 => v[j] + (v[k] - v[l]) + v[i] * 1e-3,
                6 => v[j] + (v[k] - v[l]) + v[i] * 1e-5,
                _ => v[j] + (v[k] - v[j]) * 0.3 + (v[l] - v[j]) * 0.4,
            };
        }
        v
    })
}

/// Orientations, among them those along the axes.
pub(crate) fn turn() -> impl Strategy<Value = Rotation> {
    let q = prop_oneof![
        prop::array::uniform4(-1.0f32..1.0),
        prop::array::uniform4((-1i8..=1).prop_map(f32::from))
    ];
    q.prop_map(|q| Rotation::from_xyzw(q).unwrap_or(Rotation::IDENTITY))
}
