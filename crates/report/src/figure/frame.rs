//! The frame of a plot: grid, ticks and labels around a rectangle of data.

use super::canvas::{Anchor, Canvas, Pen, Place, Role, Words};
use super::font;
use super::ruler::{Ruler, Tick};

/// The size of labels of ticks.
pub(crate) const TICK_SIZE: f64 = 12.0;
/// The size of labels of axes.
pub(crate) const LABEL_SIZE: f64 = 12.5;
/// The height of a line of an axis label.
pub(crate) const LABEL_LINE: f64 = 16.0;

/// So many labels are enough to read an axis.
const ENOUGH_LABELS: usize = 3;

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
    ruler.ticks.iter().map(|tick| font::room(&tick.label, TICK_SIZE, false)).fold(0.0, f64::max) + 10.0
}

/// How far the first and the last label of a ruler that lies stick out.
pub(crate) fn overhangs(ruler: &Ruler) -> (f64, f64) {
    let half = |tick: Option<&Tick>| tick.map_or(0.0, |tick| font::room(&tick.label, TICK_SIZE, false) / 2.0);
    (half(ruler.ticks.first()), half(ruler.ticks.last()))
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
        let labelled = self.labelled_across();
        for (tick, is_labelled) in self.x.ticks.iter().zip(&labelled) {
            let x = self.across(tick.value);
            let (length, width) = if tick.label.is_empty() { (3.0, 0.7) } else { (6.0, 1.0) };
            canvas.line((x, self.bottom), (x, self.bottom + length), Pen::new(Role::Muted, width));
            if *is_labelled {
                canvas.line((x, self.top), (x, self.bottom), Pen::new(Role::Grid, 1.0));
                let words = Words::new((x, self.bottom + 20.0), &*tick.label, TICK_SIZE);
                canvas.words(words.anchored(Anchor::Middle).in_role(Role::Muted));
            }
        }
        canvas.line((self.left, self.bottom), (self.right, self.bottom), Pen::new(Role::Muted, 1.2));
    }

    /// Which ticks across are labelled: the first ones as far as there is room, and the others if
    /// there is room for all of them, or if the first alone would be too few to read the axis.
    fn labelled_across(&self) -> Vec<bool> {
        let span = |tick: &Tick| {
            let half = font::room(&tick.label, TICK_SIZE, false) / 2.0 + 4.0;
            let x = self.across(tick.value);
            (x - half, x + half)
        };
        let mut taken: Vec<(f64, f64)> = Vec::new();
        let mut labelled = vec![false; self.x.ticks.len()];
        for is_first in [true, false] {
            let before = (taken.len(), labelled.clone());
            let mut fit = true;
            for (at, tick) in self.x.ticks.iter().enumerate() {
                if tick.label.is_empty() || tick.is_first != is_first {
                    continue;
                }
                let (low, high) = span(tick);
                if taken.iter().any(|other| low < other.1 && high > other.0) {
                    fit = false;
                    continue;
                }
                taken.push((low, high));
                labelled[at] = true;
            }
            if !is_first && !fit && before.0 >= ENOUGH_LABELS {
                return before.1;
            }
        }
        labelled
    }
}

/// Writes broken lines of a label of an axis, the first one at `place`.
pub(crate) fn label(canvas: &mut Canvas, lines: &[String], (x, mut y): Place, anchor: Anchor) {
    for line in lines {
        canvas.words(Words::new((x, y), line, LABEL_SIZE).anchored(anchor));
        y += LABEL_LINE;
    }
}
