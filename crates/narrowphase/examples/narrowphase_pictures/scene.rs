//! What all pictures share: prisms seen along their axis, their differences, and windows onto the
//! plane.

use std::cell::RefCell;
use std::f64::consts::PI;

use carom_core::trig::sin_cos_f64;
use carom_geometry::Pose;
use carom_narrowphase::Convex;
use carom_planar::polygon::{ConvexPolygon, convex_hull};
use glam::{DVec2, DVec3};

use crate::canvas::{Anchor, BOX, FOCUS, HEIGHT, Panel, Pen, Point, WIDTH};

/// The second shape; the first one is blue.
pub(crate) const OTHER: &str = "#d08a3a";

/// Half the height of a prism: far more than its breadth, so that the ways in the plane are always
/// the shortest.
const HALF_HEIGHT: f64 = 50.0;

/// A high prism over a convex polygon of the plane z = 0. It keeps what it was asked for, so that
/// the steps of an algorithm can be drawn afterwards.
pub(crate) struct Prism {
    base: ConvexPolygon,
    asked: RefCell<Vec<[DVec3; 2]>>,
}

impl Prism {
    /// Over the hull of these points.
    pub(crate) fn new(corners: &[[f64; 2]]) -> Self {
        Self { base: convex_hull(corners).unwrap(), asked: RefCell::default() }
    }

    pub(crate) fn base(&self) -> &ConvexPolygon {
        &self.base
    }

    /// The base, placed.
    pub(crate) fn corners(&self, pose: &Pose<f64>) -> Vec<DVec2> {
        self.base.vertices().iter().map(|&[x, y]| pose.apply(DVec3::new(x, y, 0.0)).truncate()).collect()
    }

    /// Directions asked for so far and the points given, which are forgotten.
    pub(crate) fn take_asked(&self) -> Vec<[DVec3; 2]> {
        self.asked.take()
    }
}

impl Convex<f64> for Prism {
    fn core_support(&self, direction: DVec3, _: &mut u32) -> DVec3 {
        let [x, y] = self.base.support([direction.x, direction.y]);
        // Across the axis all heights are as good; this one is in the plane of the picture.
        let z = if direction.z == 0.0 { 0.0 } else { HALF_HEIGHT * direction.z.signum() };
        self.asked.borrow_mut().push([direction, DVec3::new(x, y, z)]);
        DVec3::new(x, y, z)
    }

    fn centre(&self) -> DVec3 {
        let [x, y] = self.base.centroid();
        DVec3::new(x, y, 0.0)
    }
}

/// The Minkowski difference of two prisms in the plane: all points of the second minus all of the
/// first.
pub(crate) struct Difference {
    pub(crate) outline: ConvexPolygon,
}

impl Difference {
    pub(crate) fn new(a: &Prism, b: &Prism, pose: &Pose<f64>) -> Self {
        let (a, b) = (a.corners(&Pose::IDENTITY), b.corners(pose));
        let all: Vec<[f64; 2]> = b.iter().flat_map(|q| a.iter().map(|p| (*q - *p).to_array())).collect();
        Self { outline: convex_hull(&all).unwrap() }
    }

    pub(crate) fn corners(&self) -> Vec<DVec2> {
        self.outline.vertices().iter().map(|p| DVec2::from_array(*p)).collect()
    }

    /// The corner farthest along a direction.
    pub(crate) fn farthest(&self, direction: DVec2) -> DVec2 {
        DVec2::from_array(self.outline.support(direction.to_array()))
    }

    /// The outline and the origin, with a word for each.
    pub(crate) fn draw(&self, panel: &mut Panel, view: &View) {
        view.polygon(panel, &self.corners(), &Pen::line("#7d858f", 1.2).filled(0.12));
        origin(panel, view);
    }
}

pub(crate) fn origin(panel: &mut Panel, view: &View) {
    let [x, y] = view.at(DVec2::ZERO);
    for [dx, dy] in [[0.5, 0.0], [0.0, 0.5]] {
        panel.line([x - dx, y - dy], [x + dx, y + dy], &Pen::line(FOCUS, 1.6));
    }
}

/// A window onto the plane.
pub(crate) struct View {
    middle: DVec2,
    scale: f64,
}

impl View {
    /// Shows all these points, with a border.
    pub(crate) fn of(points: &[DVec2]) -> Self {
        let low = points.iter().copied().reduce(DVec2::min).unwrap();
        let high = points.iter().copied().reduce(DVec2::max).unwrap();
        let size = high - low;
        let scale = ((f64::from(WIDTH) - 3.2) / size.x).min((f64::from(HEIGHT) - 3.2) / size.y);
        Self { middle: (low + high) * 0.5, scale }
    }

    pub(crate) fn at(&self, p: DVec2) -> Point {
        let q = (p - self.middle) * self.scale;
        [q.x as f32 + 0.5 * WIDTH, q.y as f32 + 0.5 * HEIGHT]
    }

    pub(crate) fn polygon(&self, panel: &mut Panel, corners: &[DVec2], pen: &Pen) {
        let corners: Vec<Point> = corners.iter().map(|p| self.at(*p)).collect();
        panel.path(&corners, true, pen);
    }

    /// A shape of the pair, with its name in the middle.
    pub(crate) fn shape(&self, panel: &mut Panel, corners: &[DVec2], colour: &'static str, name: &str) {
        self.polygon(panel, corners, &Pen::line(colour, 1.4).filled(0.22));
        let middle = corners.iter().sum::<DVec2>() / corners.len() as f64;
        self.word(panel, middle, [0.0, 0.0], FOCUS, name);
    }

    pub(crate) fn line(&self, panel: &mut Panel, a: DVec2, b: DVec2, pen: &Pen) {
        panel.line(self.at(a), self.at(b), pen);
    }

    pub(crate) fn arrow(&self, panel: &mut Panel, a: DVec2, b: DVec2, colour: &'static str) {
        panel.arrow(self.at(a), self.at(b), colour);
    }

    pub(crate) fn dot(&self, panel: &mut Panel, p: DVec2, colour: &'static str) {
        panel.circle(self.at(p), 0.24, &Pen::line(colour, 0.0).filled(1.0));
    }

    pub(crate) fn circle(&self, panel: &mut Panel, centre: DVec2, radius: f64, pen: &Pen) {
        panel.circle(self.at(centre), (radius * self.scale) as f32, pen);
    }

    /// A word in the middle over a point, shifted by so much of the canvas.
    pub(crate) fn word(&self, panel: &mut Panel, p: DVec2, shift: Point, colour: &str, text: &str) {
        let [x, y] = self.at(p);
        panel.text([x + shift[0], y + shift[1]], Anchor::Middle, colour, text);
    }

    /// A line through a point across a direction, up to `half` to both sides, but not beyond the
    /// window.
    pub(crate) fn across(&self, panel: &mut Panel, p: DVec2, direction: DVec2, half: f64, pen: &Pen) {
        let ends = [1.0, -1.0].map(|side| {
            let along = direction.perp().normalize() * side;
            let is_inside = |t: &f64| {
                let [x, y] = self.at(p + along * *t);
                (0.2..WIDTH - 0.2).contains(&x) && (0.2..HEIGHT - 0.2).contains(&y)
            };
            p + along * (0..=20).map(|k| half * f64::from(20 - k) / 20.0).find(is_inside).unwrap_or(0.0)
        });
        self.line(panel, ends[0], ends[1], pen);
    }
}

/// The outline of a capsule.
pub(crate) fn capsule([a, b]: [DVec2; 2], radius: f64) -> Vec<DVec2> {
    const ARC: u32 = 16;
    let along = (b - a).normalize() * radius;
    let arc = |centre: DVec2, along: DVec2| {
        (0..=ARC).map(move |k| {
            let (sine, cosine) = sin_cos_f64(PI * (f64::from(k) / f64::from(ARC) - 0.5));
            centre + along * cosine + along.perp() * sine
        })
    };
    arc(b, along).chain(arc(a, -along)).collect()
}

/// The two shapes of a pair with the points found.
pub(crate) fn pair(
    panel: &mut Panel,
    view: &View,
    [a, b]: [&Prism; 2],
    pose: &Pose<f64>,
    [on_a, on_b]: [DVec3; 2],
    colour: &'static str,
) {
    view.shape(panel, &a.corners(&Pose::IDENTITY), BOX, "A");
    view.shape(panel, &b.corners(pose), OTHER, "B");
    let (p, q) = (on_a.truncate(), on_b.truncate());
    view.line(panel, p, q, &Pen::line(colour, 2.0));
    view.dot(panel, p, colour);
    view.dot(panel, q, colour);
}
