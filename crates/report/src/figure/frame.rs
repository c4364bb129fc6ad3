//! The frame of a plot: grid, ticks and labels around a rectangle of data.

use super::canvas::{Anchor, Canvas, Pen, Place, Role, Words};
use super::font;
use super::ruler::Ruler;

/// The size of labels of ticks.
pub(crate) const TICK_SIZE: f64 = 12.0;
/// The size of labels of axes.
pub(crate) const LABEL_SIZE: f64 = 12.5;
/// The height of a line of an axis label.
pub(crate) const LABEL_LINE: f64 = 16.0;
/// Faces of readers may be wider than the one that is measured.
const SLACK: f64 = 1.1;

/// A rectangle of data with its two rulers.
#[derive(Debug)]
pub(crate) struct Frame {
    /// The left side.
    pub(crate) left: f64,
    /// The right side.
    pub(crate) right: f64,
    /// The upper side.
    pub(crate) top: f64,
    /// The lower side.
    pub(crate) bottom: f64,
    /// The ruler across.
    pub(crate) x: Ruler,
    /// The ruler upwards.
    pub(crate) y: Ruler,
}

/// How much room the labels of a ruler that stands upright need.
pub(crate) fn label_room(ruler: &Ruler) -> f64 {
    ruler.ticks.iter().map(|tick| font::width(&tick.label, TICK_SIZE, false)).fold(0.0, f64::max) * SLACK
        + 10.0
}

/// Half the width of the last label of a ruler that lies.
pub(crate) fn overhang(ruler: &Ruler) -> f64 {
    ruler.ticks.last().map_or(0.0, |tick| font::width(&tick.label, TICK_SIZE, false) * SLACK / 2.0)
}

impl Frame {
    /// Where a value across lies.
    pub(crate) fn across(&self, value: f64) -> f64 {
        self.left + self.x.share(value) * (self.right - self.left)
    }

    /// Where a value upwards lies.
    pub(crate) fn up(&self, value: f64) -> f64 {
        self.bottom - self.y.share(value) * (self.bottom - self.top)
    }

    /// Draws grid, ticks and labels of ticks.
    pub(crate) fn draw(&self, canvas: &mut Canvas) {
        for tick in &self.y.ticks {
            let y = self.up(tick.value);
            if tick.label.is_empty() {
                canvas.line((self.left - 3.0, y), (self.left, y), Pen::new(Role::Muted, 0.7));
                continue;
            }
            canvas.line((self.left, y), (self.right, y), Pen::new(Role::Grid, 1.0));
            let place = (self.left - 7.0, y + TICK_SIZE * 0.35);
            canvas
                .words(Words::new(place, &*tick.label, TICK_SIZE).anchored(Anchor::End).in_role(Role::Muted));
        }
        for tick in &self.x.ticks {
            let x = self.across(tick.value);
            let (length, width) = if tick.label.is_empty() { (3.0, 0.7) } else { (6.0, 1.0) };
            if !tick.label.is_empty() {
                canvas.line((x, self.top), (x, self.bottom), Pen::new(Role::Grid, 1.0));
            }
            canvas.line((x, self.bottom), (x, self.bottom + length), Pen::new(Role::Muted, width));
        }
        canvas.line((self.left, self.bottom), (self.right, self.bottom), Pen::new(Role::Muted, 1.2));
        self.label_across(canvas);
    }

    /// The labels across, as many as fit: powers of ten before other numbers.
    fn label_across(&self, canvas: &mut Canvas) {
        let mut taken: Vec<(f64, f64)> = Vec::new();
        for is_first in [true, false] {
            for tick in self.x.ticks.iter().filter(|t| !t.label.is_empty() && t.is_first == is_first) {
                let half = font::width(&tick.label, TICK_SIZE, false) * SLACK / 2.0 + 4.0;
                let x = self.across(tick.value);
                if taken.iter().any(|(low, high)| x - half < *high && x + half > *low) {
                    continue;
                }
                taken.push((x - half, x + half));
                let place: Place = (x, self.bottom + 20.0);
                let words = Words::new(place, &*tick.label, TICK_SIZE);
                canvas.words(words.anchored(Anchor::Middle).in_role(Role::Muted));
            }
        }
    }
}

/// Writes broken lines of a label of an axis, the first one at `place`.
pub(crate) fn label(canvas: &mut Canvas, lines: &[String], (x, mut y): Place, anchor: Anchor) {
    for line in lines {
        canvas.words(Words::new((x, y), line, LABEL_SIZE).anchored(anchor));
        y += LABEL_LINE;
    }
}
