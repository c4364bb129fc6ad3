//! The legend of a figure. It stands beside or below the data, never on it.

use super::canvas::{Anchor, Canvas, Look, Pen, Place, Role, Words};
use super::{font, palette};

/// The size of its letters.
const SIZE: f64 = 12.5;
/// The size of its remarks.
const SMALL: f64 = 11.0;
/// Room for a sample, with the gap behind it.
const SAMPLE: f64 = 36.0;
/// How high a line is.
const LINE: f64 = 16.0;
/// The gap below an entry.
const GAP: f64 = 5.0;
/// How many lines a name may take.
const MAX_LINES: usize = 3;

/// What an entry shows.
#[derive(Clone, Debug)]
pub(crate) enum Sample {
    /// A curve with its marker and its pen.
    Curve(usize, Pen),
    /// A horizontal line.
    Guide(usize),
    /// A hatched area.
    Area(usize),
    /// A tinted cell with its letters.
    Cell(usize, String),
    /// Markers that are hollow.
    Hollow,
    /// Cells that are not decided.
    Open,
}

/// One entry.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// What it shows.
    pub(crate) sample: Sample,
    /// What that is.
    pub(crate) name: String,
    /// A remark below, or nothing.
    pub(crate) remark: String,
}

impl Entry {
    /// An entry without a remark.
    pub(crate) fn new(sample: Sample, name: impl Into<String>) -> Self {
        Self { sample, name: name.into(), remark: String::new() }
    }

    fn width(&self) -> f64 {
        let name = font::room(&crate::escape::one_line(&self.name), SIZE, false);
        // Half a unit more than is taken off again, or rounding could break a line that fits.
        SAMPLE + 4.5 + name.max(font::room(&self.remark, SMALL, false))
    }
}

/// A legend that knows its size.
#[derive(Debug)]
pub(crate) struct Legend<'a> {
    entries: Vec<(&'a Entry, Vec<String>, Vec<String>)>,
    column: f64,
    columns: usize,
    /// Its width.
    pub(crate) width: f64,
    /// Its height.
    pub(crate) height: f64,
}

impl<'a> Legend<'a> {
    /// One column, no wider than `room`.
    pub(crate) fn beside(entries: &'a [Entry], room: f64) -> Self {
        let widest = entries.iter().map(Entry::width).fold(0.0, f64::max);
        Self::laid_out(entries, widest.min(room), 1)
    }

    /// As many columns as fit into `room`.
    pub(crate) fn below(entries: &'a [Entry], room: f64) -> Self {
        let widest = entries.iter().map(Entry::width).fold(1.0, f64::max) + 14.0;
        let fitting = (room / widest).floor().max(1.0) as usize;
        // Two columns of broken lines read better than one that is very long.
        let columns = if fitting == 1 && entries.len() > 3 && room > 300.0 { 2 } else { fitting };
        let columns = columns.min(entries.len().max(1));
        Self::laid_out(entries, (room / columns as f64).min(widest.max(room / 4.0)), columns)
    }

    fn laid_out(entries: &'a [Entry], column: f64, columns: usize) -> Self {
        let room = column - SAMPLE - 4.0;
        let broken = |entry: &'a Entry| {
            let remark = font::broken(&entry.remark, SMALL, room, 2);
            (entry, font::broken(&entry.name, SIZE, room, MAX_LINES), remark)
        };
        let mut legend = Self {
            entries: entries.iter().map(broken).collect(),
            column,
            columns,
            width: column * columns as f64,
            height: 0.0,
        };
        legend.height = legend.rows().iter().sum();
        legend
    }

    /// The height of each row.
    fn rows(&self) -> Vec<f64> {
        let high = |(_, name, remark): &(_, Vec<String>, Vec<String>)| {
            (name.len() + remark.len()).max(1) as f64 * LINE + GAP
        };
        self.entries.chunks(self.columns).map(|row| row.iter().map(high).fold(0.0, f64::max)).collect()
    }

    /// Draws it with its upper left corner at a place.
    pub(crate) fn draw(&self, canvas: &mut Canvas, (x, y): Place) {
        let mut top = y;
        for (row, height) in self.entries.chunks(self.columns).zip(self.rows()) {
            for (at, (entry, name, remark)) in row.iter().enumerate() {
                let left = x + at as f64 * self.column;
                sample(canvas, &entry.sample, (left, top + LINE / 2.0));
                let mut base = top + LINE * 0.78;
                for line in name {
                    canvas.words(Words::new((left + SAMPLE, base), line, SIZE));
                    base += LINE;
                }
                for line in remark {
                    canvas.words(Words::new((left + SAMPLE, base), line, SMALL).in_role(Role::Muted));
                    base += LINE;
                }
            }
            top += height;
        }
    }
}

fn sample(canvas: &mut Canvas, sample: &Sample, (x, y): Place) {
    let (left, right) = (x, x + SAMPLE - 8.0);
    let middle = (left + right) / 2.0;
    match sample {
        Sample::Curve(at, pen) => {
            canvas.line((left, y), (right, y), *pen);
            palette::marker(canvas, *at, (middle, y), 4.0, false, None);
        }
        Sample::Guide(at) => {
            canvas.line((left, y), (right, y), guide_pen(*at));
        }
        Sample::Area(at) => palette::hatched(canvas, *at, (left, y - 6.0), (right - left, 12.0), 1.0, None),
        Sample::Cell(at, letters) => {
            canvas.rectangle((left, y - 7.0), (right - left, 14.0), Look::fill(Role::Hue(*at), 0.45));
            canvas.words(Words::new((middle, y + 4.0), letters, SMALL).anchored(Anchor::Middle).bold());
        }
        Sample::Hollow => {
            let look = Look::fill(Role::Paper, 1.0).with_pen(Pen::new(Role::Muted, 1.4));
            canvas.circle((middle, y), 4.0, look);
        }
        Sample::Open => {
            canvas.rectangle((left, y - 7.0), (right - left, 14.0), Look::fill(Role::Muted, 0.35));
            palette::slanted(canvas, (left, y - 7.0), (right - left, 14.0), 6.0, false);
        }
    }
}

/// The pen of the guide line with this number.
pub(crate) fn guide_pen(at: usize) -> Pen {
    Pen::new(Role::Ink, 1.1).dashed(palette::dashes(at + 1)).faint(0.75)
}
