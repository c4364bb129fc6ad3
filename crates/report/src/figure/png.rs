//! A canvas as PNG: the same marks in pixels, letters as outlines of the faces that are compiled
//! in.

use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Stroke, StrokeDash, Transform,
};
use ttf_parser::OutlineBuilder;

use super::canvas::{Anchor, Canvas, Look, Mark, Role, Words};
use super::{canvas, font, palette};

/// Pixels per unit: sharp on dense screens, and 250 per inch when a figure is 15 cm wide.
pub(crate) const SCALE: f32 = 2.0;
/// The face is light: a thin line around letters gives them the weight of ordinary text, in units
/// of their size.
const REGULAR_EDGE: f64 = 0.022;
/// The same for heavier letters.
const BOLD_EDGE: f64 = 0.06;

/// How many pixels the file has.
pub(crate) fn size(canvas: &Canvas) -> (u32, u32) {
    let pixels = |length: f64| (length * f64::from(SCALE)).ceil().clamp(1.0, 1e6) as u32;
    (pixels(canvas.width), pixels(canvas.height))
}

/// The file, or nothing if it would be too large.
pub(crate) fn file(canvas: &Canvas) -> Option<Vec<u8>> {
    let (width, height) = size(canvas);
    let mut pixmap = Pixmap::new(width, height)?;
    let [r, g, b] = palette::light(Role::Paper);
    pixmap.fill(Color::from_rgba8(r, g, b, 255));
    for mark in &canvas.marks {
        match mark {
            Mark::Outline { places, is_closed, look } => {
                let mut builder = PathBuilder::new();
                for (at, (x, y)) in places.iter().enumerate() {
                    if at == 0 {
                        builder.move_to(*x as f32, *y as f32);
                    } else {
                        builder.line_to(*x as f32, *y as f32);
                    }
                }
                if *is_closed {
                    builder.close();
                }
                draw(&mut pixmap, builder.finish(), look);
            }
            Mark::Lines { ends, pen } => {
                let mut builder = PathBuilder::new();
                for (from, to) in ends {
                    builder.move_to(from.0 as f32, from.1 as f32);
                    builder.line_to(to.0 as f32, to.1 as f32);
                }
                draw(&mut pixmap, builder.finish(), &Look::pen(*pen));
            }
            Mark::Circle { middle: (x, y), radius, look } => {
                draw(&mut pixmap, PathBuilder::from_circle(*x as f32, *y as f32, *radius as f32), look);
            }
            Mark::Words(words) => draw_words(&mut pixmap, words),
        }
    }
    pixmap.encode_png().ok()
}

fn scale() -> Transform {
    Transform::from_scale(SCALE, SCALE)
}

fn ink(paint: canvas::Paint) -> Paint<'static> {
    let [r, g, b] = palette::light(paint.role);
    let mut ink = Paint { anti_alias: true, ..Paint::default() };
    ink.set_color_rgba8(r, g, b, (paint.opacity.clamp(0.0, 1.0) * 255.0).round() as u8);
    ink
}

/// Draws a path; one that has no extent at all is none, and shows nothing.
fn draw(pixmap: &mut Pixmap, path: Option<Path>, look: &Look) {
    let Some(path) = path else { return };
    if let Some(paint) = look.fill {
        pixmap.fill_path(&path, &ink(paint), FillRule::Winding, scale(), None);
    }
    if let Some(pen) = look.pen {
        let dash = StrokeDash::new(pen.dashes.iter().map(|d| *d as f32).collect(), 0.0);
        let stroke =
            Stroke { width: pen.width as f32, dash, line_join: LineJoin::Round, ..Stroke::default() };
        pixmap.stroke_path(&path, &ink(pen.paint), &stroke, scale(), None);
    }
}

fn draw_words(pixmap: &mut Pixmap, words: &Words) {
    let width = font::width(&words.text, words.size, false);
    let mut x = match words.anchor {
        Anchor::Start => words.place.0,
        Anchor::Middle => words.place.0 - width / 2.0,
        Anchor::End => words.place.0 - width,
    };
    let mut letters = Letters::default();
    for letter in words.text.chars() {
        letters.place(letter, x, words.place.1, words.size);
        x += font::advance(letter) * words.size;
    }
    let Some(path) = letters.builder.finish() else { return };
    let paint = ink(canvas::Paint { role: words.role, opacity: 1.0 });
    pixmap.fill_path(&path, &paint, FillRule::Winding, scale(), None);
    let edge = if words.is_bold { BOLD_EDGE } else { REGULAR_EDGE };
    let width = (edge * words.size) as f32;
    let stroke = Stroke { width, line_join: LineJoin::Round, line_cap: LineCap::Round, ..Stroke::default() };
    pixmap.stroke_path(&path, &paint, &stroke, scale(), None);
}

/// Collects outlines of letters, turned from units of the face with y upwards into those of the
/// canvas.
#[derive(Default)]
struct Letters {
    builder: PathBuilder,
    x: f32,
    y: f32,
    unit: f32,
}

impl Letters {
    fn place(&mut self, letter: char, x: f64, y: f64, size: f64) {
        (self.x, self.y, self.unit) = (x as f32, y as f32, (size / font::units(letter)) as f32);
        font::outline(letter, self);
    }

    fn at(&self, x: f32, y: f32) -> (f32, f32) {
        (self.x + x * self.unit, self.y - y * self.unit)
    }
}

impl OutlineBuilder for Letters {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.builder.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.builder.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.at(x1, y1), self.at(x, y));
        self.builder.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.at(x1, y1), self.at(x2, y2), self.at(x, y));
        self.builder.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.builder.close();
    }
}
