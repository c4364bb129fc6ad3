//! A flat picture maker: panels side by side, each a window onto a plane of 24 m × 16 m, as SVG.
//!
//! Coordinates are written with one decimal, so that the files are the same on every platform. What
//! reaches beyond the window is cut at its border, so infinite cells can be drawn like any others.

use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;

use carom_geometry::Aabb;

/// Size of the window, metres.
pub(crate) const WIDTH: f32 = 24.0;
pub(crate) const HEIGHT: f32 = 16.0;
/// Pixels per metre.
const SCALE: f32 = 15.0;
/// Pixels around a window, and per line of text below it.
const BORDER: f32 = 8.0;
const LEADING: f32 = 15.0;
/// Characters of a line of a caption.
const LINE: usize = 56;

/// A box that is just there.
pub(crate) const BOX: &str = "#4f7fb5";
/// What overlaps.
pub(crate) const PAIR: &str = "#d2402e";
/// What the method builds: cells, nodes, axes.
pub(crate) const STRUCTURE: &str = "#2f8f5b";
/// A second level of it.
pub(crate) const SECOND: &str = "#8253a8";
/// The box that is looked at.
pub(crate) const FOCUS: &str = "#111111";
/// What it is tested against.
pub(crate) const TESTED: &str = "#e2a400";
/// Everything that does not matter here.
pub(crate) const QUIET: &str = "#a9adb3";

pub(crate) type Point = [f32; 2];

/// How something is drawn: an outline, and perhaps a fill.
#[derive(Clone, Copy)]
pub(crate) struct Pen {
    colour: &'static str,
    width: f32,
    fill: Option<f32>,
    dashed: bool,
}

impl Pen {
    pub(crate) fn line(colour: &'static str, width: f32) -> Self {
        Self { colour, width, fill: None, dashed: false }
    }

    pub(crate) fn dashes(colour: &'static str, width: f32) -> Self {
        Self { dashed: true, ..Self::line(colour, width) }
    }

    /// Filled with its own colour, of so much opacity.
    pub(crate) fn filled(self, opacity: f32) -> Self {
        Self { fill: Some(opacity), ..self }
    }

    fn attributes(&self) -> String {
        let Self { colour, width, fill, dashed } = self;
        let stroke = match width {
            0.0 => String::new(),
            _ => format!(" stroke=\"{colour}\" stroke-width=\"{width:.1}\""),
        };
        let fill = match fill {
            Some(opacity) => format!(" fill=\"{colour}\" fill-opacity=\"{opacity:.2}\""),
            None => " fill=\"none\"".to_owned(),
        };
        format!("{stroke}{fill}{}", if *dashed { " stroke-dasharray=\"4 3\"" } else { "" })
    }
}

/// Where a text stands relative to its point.
#[derive(Clone, Copy)]
pub(crate) enum Anchor {
    Start,
    Middle,
}

/// A window with a caption: the first line is the title.
pub(crate) struct Panel {
    caption: String,
    body: String,
}

fn place(p: Point) -> Point {
    let [x, y] = [p[0].clamp(0.0, WIDTH), p[1].clamp(0.0, HEIGHT)];
    [BORDER + x * SCALE, BORDER + (HEIGHT - y) * SCALE]
}

/// Text that may stand in an SVG.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

impl Panel {
    pub(crate) fn new(caption: impl Into<String>) -> Self {
        Self { caption: caption.into(), body: String::new() }
    }

    /// Another caption.
    pub(crate) fn caption(&mut self, caption: impl Into<String>) {
        self.caption = caption.into();
    }

    pub(crate) fn rectangle(&mut self, aabb: &Aabb<2>, pen: &Pen) {
        let ([x, bottom], [right, y]) = (place(aabb.min), place(aabb.max));
        let _ = writeln!(
            self.body,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\"{}/>",
            right - x,
            bottom - y,
            pen.attributes()
        );
    }

    pub(crate) fn line(&mut self, a: Point, b: Point, pen: &Pen) {
        let ([x1, y1], [x2, y2]) = (place(a), place(b));
        let _ = writeln!(
            self.body,
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"{}/>",
            pen.attributes()
        );
    }

    /// A line from point to point; closed if it is a polygon.
    pub(crate) fn path(&mut self, points: &[Point], closed: bool, pen: &Pen) {
        let name = if closed { "polygon" } else { "polyline" };
        let points: Vec<String> =
            points.iter().map(|p| place(*p)).map(|[x, y]| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(self.body, "<{name} points=\"{}\"{}/>", points.join(" "), pen.attributes());
    }

    pub(crate) fn circle(&mut self, centre: Point, radius: f32, pen: &Pen) {
        let [x, y] = place(centre);
        let _ = writeln!(
            self.body,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{:.1}\"{}/>",
            radius * SCALE,
            pen.attributes()
        );
    }

    pub(crate) fn dot(&mut self, at: Point, colour: &'static str) {
        self.circle(at, 0.15, &Pen::line(colour, 0.0).filled(1.0));
    }

    pub(crate) fn text(&mut self, at: Point, anchor: Anchor, colour: &str, text: &str) {
        let [x, y] = place(at);
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
        };
        let _ = writeln!(
            self.body,
            "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\" font-size=\"11\" fill=\"{colour}\">{}</text>",
            y + 4.0,
            escaped(text)
        );
    }

    /// An arrow with its tip at `b`.
    pub(crate) fn arrow(&mut self, a: Point, b: Point, colour: &'static str) {
        self.line(a, b, &Pen::line(colour, 1.4));
        let along = [b[0] - a[0], b[1] - a[1]];
        let length = (along[0] * along[0] + along[1] * along[1]).sqrt().max(1e-3);
        let [x, y] = along.map(|c| c / length * 0.45);
        let barb = |side: f32| [b[0] - x + side * y, b[1] - y - side * x];
        self.path(&[barb(0.5), b, barb(-0.5)], false, &Pen::line(colour, 1.4));
    }
}

/// The title, and the rest in lines of equal length.
fn wrapped(caption: &str) -> Vec<String> {
    let (title, rest) = caption.split_once('\n').unwrap_or((caption, ""));
    let mut lines = vec![title.to_owned()];
    let mut line = String::new();
    for word in rest.split_whitespace() {
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > LINE {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(line);
    lines
}

/// Panels side by side, as one SVG.
pub(crate) fn sheet(title: &str, columns: usize, panels: &[Panel]) -> String {
    let lines = panels.iter().map(|panel| wrapped(&panel.caption).len()).max().unwrap_or(0);
    let cell = [WIDTH * SCALE + 2.0 * BORDER, HEIGHT * SCALE + 2.5 * BORDER + LEADING * lines as f32];
    let rows = panels.len().div_ceil(columns);
    let (width, height) = (cell[0] * columns as f32, cell[1] * rows as f32);
    let mut svg = String::new();
    let _ = writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"system-ui, sans-serif\" font-size=\"12\">"
    );
    let _ = writeln!(svg, "<title>{}</title>", escaped(title));
    let _ = writeln!(svg, "<rect width=\"100%\" height=\"100%\" fill=\"#fdfdfb\"/>");
    for (index, panel) in panels.iter().enumerate() {
        let corner = [(index % columns) as f32 * cell[0], (index / columns) as f32 * cell[1]];
        let _ = writeln!(svg, "<g transform=\"translate({:.0} {:.0})\">", corner[0], corner[1]);
        let _ = writeln!(
            svg,
            "<rect x=\"{BORDER:.1}\" y=\"{BORDER:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"#ffffff\" stroke=\"#d8d8d4\"/>",
            WIDTH * SCALE,
            HEIGHT * SCALE
        );
        svg.push_str(&panel.body);
        for (line, text) in wrapped(&panel.caption).iter().enumerate() {
            let (weight, colour, size) = if line == 0 { ("600", "#222", 12) } else { ("400", "#555", 11) };
            let _ = writeln!(
                svg,
                "<text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"middle\" font-size=\"{size}\" font-weight=\"{weight}\" fill=\"{colour}\">{}</text>",
                cell[0] / 2.0,
                BORDER + HEIGHT * SCALE + 18.0 + LEADING * line as f32,
                escaped(text)
            );
        }
        svg.push_str("</g>\n");
    }
    svg.push_str("</svg>\n");
    svg
}

/// Writes the sheets to their folder of `docs/images` if the program was called with `--write`;
/// otherwise tells whether the files there are what is drawn.
pub(crate) fn settle(folder: &str, sheets: &[(&str, String)]) -> ExitCode {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/images").join(folder);
    if std::env::args().any(|argument| argument == "--write") {
        for (name, svg) in sheets {
            std::fs::write(folder.join(name), svg).unwrap();
        }
    }
    let as_drawn =
        |name: &str, svg: &str| std::fs::read_to_string(folder.join(name)).is_ok_and(|old| old == svg);
    let wrong: Vec<&str> =
        sheets.iter().filter(|(name, svg)| !as_drawn(name, svg)).map(|(name, _)| *name).collect();
    if wrong.is_empty() {
        println!("{} pictures are as the code draws them", sheets.len());
        return ExitCode::SUCCESS;
    }
    println!("these differ: {}; run with --write, look at them, and commit them", wrong.join(", "));
    ExitCode::FAILURE
}
