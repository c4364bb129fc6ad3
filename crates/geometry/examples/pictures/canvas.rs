//! A small picture maker: shaded faces and lines in space, seen from a fixed direction, as SVG.
//!
//! Painter's algorithm: what is farther is drawn first, except for outlines of bounding volumes,
//! whose hidden edges go behind everything and whose visible ones before it. Coordinates are
//! written with one decimal, so that the files are the same on every platform.

use std::fmt::Write as _;

use glam::{Vec2, Vec3};

/// Colours as `#rrggbb` parts.
pub(crate) type Colour = [f32; 3];

pub(crate) const BODY: Colour = [0.36, 0.55, 0.78];
pub(crate) const SECOND: Colour = [0.86, 0.62, 0.34];
pub(crate) const BOUND: Colour = [0.80, 0.25, 0.22];
pub(crate) const QUIET: Colour = [0.45, 0.45, 0.48];

enum Item {
    Face { corners: Vec<Vec3>, fill: Colour, outlined: bool },
    Line { ends: [Vec3; 2], colour: Colour, width: f32, dashed: bool },
    Dot { at: Vec3, colour: Colour, radius: f32 },
}

/// One picture: things in space with a caption below.
pub(crate) struct Picture {
    caption: String,
    items: Vec<(f32, Item)>,
}

/// Direction from the scene to the eye, and the picture's axes.
pub(crate) struct View {
    right: Vec3,
    up: Vec3,
    pub(crate) eye: Vec3,
}

impl View {
    pub(crate) fn new() -> Self {
        let eye = Vec3::new(0.50, 0.42, 0.76).normalize();
        let right = Vec3::Y.cross(eye).normalize();
        Self { right, up: eye.cross(right), eye }
    }

    fn flat(&self, p: Vec3) -> Vec2 {
        Vec2::new(self.right.dot(p), -self.up.dot(p))
    }
}

impl Picture {
    pub(crate) fn new(caption: &str) -> Self {
        Self { caption: caption.to_owned(), items: Vec::new() }
    }

    /// A convex polygon, counter-clockwise seen from outside; faces that look away are drawn if
    /// `both_sides`.
    pub(crate) fn face(&mut self, corners: &[Vec3], colour: Colour, outlined: bool, both_sides: bool) {
        let view = View::new();
        let normal: Vec3 = (0..corners.len())
            .map(|k| (corners[k] - corners[0]).cross(corners[(k + 1) % corners.len()] - corners[0]))
            .sum();
        let facing = normal.dot(view.eye);
        if facing <= 0.0 && !both_sides {
            return;
        }
        let normal = if facing < 0.0 { -normal } else { normal };
        let light = Vec3::new(0.25, 0.90, 0.36).normalize();
        let shade = 0.42 + 0.58 * normal.normalize_or_zero().dot(light).max(0.0);
        let fill = colour.map(|c| (c * shade + 0.10 * shade).min(1.0));
        let depth = corners.iter().map(|c| view.eye.dot(*c)).sum::<f32>() / corners.len() as f32;
        self.items.push((depth, Item::Face { corners: corners.to_vec(), fill, outlined }));
    }

    /// A line in space; long ones in short parts, so that depth sorts them well between faces.
    pub(crate) fn line(&mut self, a: Vec3, b: Vec3, colour: Colour, width: f32) {
        let parts = ((a - b).length() / 0.12).ceil().clamp(1.0, 40.0) as usize;
        for k in 0..parts {
            let at = |k: usize| a + (b - a) * (k as f32 / parts as f32);
            let ends = [at(k), at(k + 1)];
            let depth = View::new().eye.dot((ends[0] + ends[1]) * 0.5) + 0.02;
            self.items.push((depth, Item::Line { ends, colour, width, dashed: false }));
        }
    }

    /// A line of an outline: before everything if it is visible, else dashed and behind everything.
    pub(crate) fn outline(&mut self, a: Vec3, b: Vec3, colour: Colour, width: f32, visible: bool) {
        let depth = if visible { 1e3 } else { -1e3 };
        let faded = colour.map(|c| c * 0.45 + 0.55);
        let colour = if visible { colour } else { faded };
        self.items.push((depth, Item::Line { ends: [a, b], colour, width, dashed: false }));
    }

    /// A line drawn on a face, together with it.
    pub(crate) fn line_on(&mut self, face: &[Vec3], a: Vec3, b: Vec3, colour: Colour, width: f32) {
        let depth = View::new().eye.dot(face.iter().sum::<Vec3>() / face.len() as f32) + 1e-4;
        self.items.push((depth, Item::Line { ends: [a, b], colour, width, dashed: false }));
    }

    /// A dashed line, behind everything.
    pub(crate) fn dashes(&mut self, a: Vec3, b: Vec3, colour: Colour) {
        self.items.push((-1e3, Item::Line { ends: [a, b], colour, width: 0.8, dashed: true }));
    }

    pub(crate) fn dot(&mut self, at: Vec3, colour: Colour, radius: f32) {
        self.items.push((1e4, Item::Dot { at, colour, radius }));
    }

    /// Flat extent of everything drawn.
    fn extent(&self, view: &View) -> (Vec2, Vec2) {
        let mut low = Vec2::splat(f32::MAX);
        let mut high = Vec2::splat(f32::MIN);
        for (_, item) in &self.items {
            let points: &[Vec3] = match item {
                Item::Face { corners, .. } => corners,
                Item::Line { ends, .. } => ends,
                Item::Dot { at, .. } => std::slice::from_ref(at),
            };
            for p in points {
                low = low.min(view.flat(*p));
                high = high.max(view.flat(*p));
            }
        }
        (low, high)
    }
}

/// Pictures side by side, as one SVG.
pub(crate) fn sheet(title: &str, columns: usize, mut pictures: Vec<Picture>) -> String {
    const CELL: f32 = 190.0;
    const CAPTION: f32 = 40.0;
    let view = View::new();
    let rows = pictures.len().div_ceil(columns);
    let (width, height) = (CELL * columns as f32, (CELL + CAPTION) * rows as f32);
    let mut svg = String::new();
    let _ = writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         font-family=\"system-ui, sans-serif\" font-size=\"12\">"
    );
    let _ = writeln!(svg, "<title>{title}</title>");
    let _ = writeln!(svg, "<rect width=\"100%\" height=\"100%\" fill=\"#fdfdfb\"/>");
    for (index, picture) in pictures.iter_mut().enumerate() {
        let (low, high) = picture.extent(&view);
        let scale = (CELL - 24.0) / (high - low).max_element().max(1e-3);
        let corner = Vec2::new((index % columns) as f32 * CELL, (index / columns) as f32 * (CELL + CAPTION));
        let middle = corner + Vec2::splat(CELL / 2.0);
        let centre = (low + high) * 0.5;
        let place = |p: Vec3| middle + (view.flat(p) - centre) * scale;
        picture.items.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (_, item) in &picture.items {
            write_item(&mut svg, item, &place);
        }
        for (line, text) in picture.caption.lines().enumerate() {
            let (weight, colour) = if line == 0 { ("600", "#222") } else { ("400", "#666") };
            let y = corner.y + CELL + 10.0 + 15.0 * line as f32;
            let _ = writeln!(
                svg,
                "<text x=\"{:.0}\" y=\"{y:.0}\" text-anchor=\"middle\" font-weight=\"{weight}\" fill=\"{colour}\">{text}</text>",
                corner.x + CELL / 2.0
            );
        }
    }
    svg.push_str("</svg>\n");
    svg
}

fn write_item(svg: &mut String, item: &Item, place: &impl Fn(Vec3) -> Vec2) {
    let point = |p: Vec3| {
        let q = place(p);
        format!("{:.1},{:.1}", q.x, q.y)
    };
    let _ = match item {
        Item::Face { corners, fill, outlined } => {
            let path: Vec<String> = corners.iter().map(|c| point(*c)).collect();
            // A thin edge of its own colour hides the seams between faces.
            let edge = if *outlined { fill.map(|c| c * 0.55) } else { *fill };
            writeln!(
                svg,
                "<polygon points=\"{}\" fill=\"{}\" stroke=\"{}\" stroke-width=\"{}\" \
                 stroke-linejoin=\"round\"/>",
                path.join(" "),
                hex(*fill),
                hex(edge),
                if *outlined { 0.8 } else { 0.4 }
            )
        }
        Item::Line { ends, colour, width, dashed } => {
            let (a, b) = (place(ends[0]), place(ends[1]));
            writeln!(
                svg,
                "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{}\" stroke-width=\"{width}\"{} \
                 stroke-linecap=\"round\"/>",
                a.x,
                a.y,
                b.x,
                b.y,
                hex(*colour),
                if *dashed { " stroke-dasharray=\"3 3\"" } else { "" }
            )
        }
        Item::Dot { at, colour, radius } => {
            let p = place(*at);
            writeln!(
                svg,
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"{radius}\" fill=\"{}\"/>",
                p.x,
                p.y,
                hex(*colour)
            )
        }
    };
}

fn hex(c: Colour) -> String {
    let [r, g, b] = c.map(|c| (c.clamp(0.0, 1.0) * 255.0).round() as u8);
    format!("#{r:02x}{g:02x}{b:02x}")
}
