//! A grid of small pixels with depths, and the text that stands for it.
//!
//! Every character is 2 × 4 pixels, which are averaged, so edges are smooth. The unit of
//! coordinates is the width of a character, x to the right, y up, z towards the eye, with the
//! middle of the picture as origin.

use glam::Vec3;

/// Pixels per character, sideways and up.
const FINE: [usize; 2] = [2, 4];
/// From nothing to full light.
const SHADES: [char; 11] = [' ', '.', ':', '-', '=', '+', '*', 'o', '%', '#', '@'];
/// Light comes over the left shoulder of whoever looks.
const LIGHT: Vec3 = Vec3::new(-0.45, 0.65, 0.61);
/// What a surface that faces away from the light still gets.
const AMBIENT: f32 = 0.3;
/// Floors and walls are darker than what moves before them; in characters they are dots.
const BACKDROP: f32 = 0.3;
const DOT: f32 = 0.005;

/// What pictures are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ink {
    /// Characters from thin to dense.
    Plain,
    /// Half blocks in 24-bit colours.
    Colour,
}

/// A picture being drawn.
pub(super) struct Canvas {
    ink: Ink,
    columns: usize,
    rows: usize,
    depths: Vec<f32>,
    colours: Vec<[f32; 3]>,
}

impl Canvas {
    pub(super) fn new(columns: usize, rows: usize, ink: Ink) -> Self {
        let pixels = columns * FINE[0] * rows * FINE[1];
        Self { ink, columns, rows, depths: vec![f32::NEG_INFINITY; pixels], colours: vec![[0.0; 3]; pixels] }
    }

    fn width(&self) -> usize {
        self.columns * FINE[0]
    }

    fn height(&self) -> usize {
        self.rows * FINE[1]
    }

    /// From coordinates to pixels, y down. Pixels are square: a character is twice as high as wide.
    fn pixel(&self, place: Vec3) -> Vec3 {
        let fine = FINE[0] as f32;
        let [w, h] = [self.width(), self.height()].map(|n| 0.5 * n as f32);
        Vec3::new(w + place.x * fine, h - place.y * fine, place.z)
    }

    fn put(&mut self, column: usize, row: usize, depth: f32, colour: [f32; 3]) {
        let at = row * self.width() + column;
        if self.depths[at] < depth {
            self.depths[at] = depth;
            self.colours[at] = colour;
        }
    }

    /// A body that is too small to have a shape.
    pub(super) fn point(&mut self, place: Vec3, colour: [u8; 3]) {
        let at = self.pixel(place);
        let is_inside = at.x >= 0.0 && at.y >= 0.0 && at.is_finite();
        let (column, row) = (at.x as usize, at.y as usize);
        if is_inside && column < self.width() && row < self.height() {
            self.put(column, row, at.z, colour.map(|c| f32::from(c) / 255.0));
        }
    }

    /// A triangle, seen from either side.
    pub(super) fn triangle(&mut self, corners: [Vec3; 3], colour: [u8; 3], is_backdrop: bool) {
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize_or_zero();
        let facing = if normal.z < 0.0 { -normal } else { normal };
        let light = AMBIENT + (1.0 - AMBIENT) * facing.dot(LIGHT).max(0.0);
        let colour = match (is_backdrop, self.ink) {
            (false, _) => colour.map(|c| light * f32::from(c) / 255.0),
            (true, Ink::Colour) => colour.map(|c| BACKDROP * light * f32::from(c) / 255.0),
            (true, Ink::Plain) => [DOT; 3],
        };
        let [a, b, c] = corners.map(|corner| self.pixel(corner));
        let area = (b - a).truncate().perp_dot((c - a).truncate());
        if !area.is_finite() || area == 0.0 {
            return;
        }
        let span = |low: f32, high: f32, size: usize| {
            let first = low.floor().max(0.0) as usize;
            first..(high.ceil().max(0.0) as usize).min(size)
        };
        let columns = span(a.x.min(b.x).min(c.x), a.x.max(b.x).max(c.x), self.width());
        for row in span(a.y.min(b.y).min(c.y), a.y.max(b.y).max(c.y), self.height()) {
            for column in columns.clone() {
                let p = Vec3::new(column as f32 + 0.5, row as f32 + 0.5, 0.0);
                let share =
                    |from: Vec3, to: Vec3| (to - from).truncate().perp_dot((p - from).truncate()) / area;
                let (u, v) = (share(b, c), share(c, a));
                let w = 1.0 - u - v;
                if u >= 0.0 && v >= 0.0 && w >= 0.0 {
                    self.put(column, row, u * a.z + v * b.z + w * c.z, colour);
                }
            }
        }
    }

    /// The mean colour of a part of a character: `high` pixels from row `row` on.
    fn mean(&self, column: usize, row: usize, high: usize) -> [f32; 3] {
        let mut sum = [0.0; 3];
        for y in row..row + high {
            for x in column * FINE[0]..(column + 1) * FINE[0] {
                let colour = self.colours[y * self.width() + x];
                (0..3).for_each(|k| sum[k] += colour[k]);
            }
        }
        sum.map(|s| s / (high * FINE[0]) as f32)
    }

    /// A line per row, without blanks at the end.
    pub(super) fn text(&self) -> String {
        let lines = (0..self.rows).map(|row| match self.ink {
            Ink::Plain => self.plain_line(row),
            Ink::Colour => self.colour_line(row),
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    fn plain_line(&self, row: usize) -> String {
        let shade = |column| {
            let [r, g, b] = self.mean(column, row * FINE[1], FINE[1]);
            // The eye sees green best. The root is the usual gamma: half the light is not half as
            // bright.
            let bright = (0.3 * r + 0.59 * g + 0.11 * b).clamp(0.0, 1.0).sqrt();
            SHADES[(bright * (SHADES.len() - 1) as f32).ceil() as usize]
        };
        (0..self.columns).map(shade).collect::<String>().trim_end().to_owned()
    }

    fn colour_line(&self, row: usize) -> String {
        let half = FINE[1] / 2;
        let mut line = String::new();
        let mut last = String::new();
        for column in 0..self.columns {
            let byte = |x: f32| (x.clamp(0.0, 1.0).sqrt() * 255.0) as u8;
            let top = self.mean(column, row * FINE[1], half).map(byte);
            let bottom = self.mean(column, row * FINE[1] + half, half).map(byte);
            let [[r, g, b], [s, h, c]] = [top, bottom];
            let pen = format!("\x1b[38;2;{r};{g};{b};48;2;{s};{h};{c}m");
            if pen != last {
                line.push_str(&pen);
                last = pen;
            }
            line.push('▀');
        }
        line + "\x1b[0m"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHITE: [u8; 3] = [255; 3];

    fn square(size: f32, z: f32) -> [[Vec3; 3]; 2] {
        let corner = |x: f32, y: f32| Vec3::new(x * size, y * size, z);
        let [a, b, c, d] = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
        [[a, b, c], [a, c, d]]
    }

    #[test]
    fn the_nearer_surface_is_seen_whatever_comes_first() {
        for order in [[0, 1], [1, 0]] {
            let mut canvas = Canvas::new(12, 6, Ink::Plain);
            for k in order {
                // A small bright square before a large one that is black.
                let (size, z, colour) = [(2.0, 1.0, WHITE), (5.0, 0.0, [0; 3])][k];
                square(size, z).into_iter().for_each(|triangle| canvas.triangle(triangle, colour, false));
            }
            let text = canvas.text();
            let lines: Vec<&str> = text.lines().collect();
            let seen = lines.iter().filter(|line| !line.is_empty()).count();
            assert_eq!(seen, 2, "the black square cannot be seen: {text}");
            assert_eq!(lines[2], "    ####", "{text}");
            assert_eq!(lines[2], lines[3], "{text}");
        }
    }

    #[test]
    fn nothing_outside_the_picture_or_beyond_numbers_is_drawn() {
        let mut canvas = Canvas::new(4, 2, Ink::Plain);
        let corners = |z: f32| [Vec3::splat(z), Vec3::new(-z, z, 0.0), Vec3::new(z, -z, 0.0)];
        for z in [f32::NAN, f32::INFINITY, 1e38] {
            canvas.triangle(corners(z), WHITE, false);
            canvas.point(Vec3::splat(z), WHITE);
            canvas.point(Vec3::splat(-z), WHITE);
        }
        let far = corners(1.0).map(|corner| corner + Vec3::X * 50.0);
        canvas.triangle(far, WHITE, false);
        assert_eq!(canvas.text().trim(), "");
    }

    #[test]
    fn colours_are_half_blocks() {
        let mut canvas = Canvas::new(2, 1, Ink::Colour);
        canvas.point(Vec3::new(-0.9, 0.9, 0.0), [255, 0, 0]);
        let text = canvas.text();
        assert_eq!(text.matches('▀').count(), 2);
        assert!(text.starts_with("\x1b[38;2;127;0;0;48;2;0;0;0m"), "{text:?}");
    }
}
