//! Figures: plots, bars and maps become canvases, canvases become SVG and PNG.
//!
//! Each figure is drawn for a width: a wide one for files, print and large screens with the legend
//! beside, a narrow one for phones with the legend below. Letters keep their size, so both can be
//! read. Whatever the data, every mark has finite places inside the canvas.

mod bars;
pub(crate) mod canvas;
mod curves;
mod font;
mod frame;
mod legend;
mod map;
pub(crate) mod palette;
mod plot;
pub(crate) mod png;
mod ruler;
pub(crate) mod svg;
#[cfg(test)]
mod tests;

use canvas::{Canvas, Role, Words};

pub(crate) use bars::draw as draw_bars;
pub(crate) use map::draw as draw_map;
pub(crate) use plot::draw as draw_plot;

/// The width for files, print and large screens.
pub(crate) const WIDE: f64 = 760.0;
/// The width for phones.
pub(crate) const NARROW: f64 = 400.0;
/// From this width on a legend may stand beside the data.
const ROOMY: f64 = 600.0;
/// The border around everything.
const MARGIN: f64 = 12.0;

/// A figure and what has to be said about it.
#[derive(Debug)]
pub(crate) struct Drawing {
    /// What is drawn.
    pub(crate) canvas: Canvas,
    /// What was left out, and what signs mean: sentences for the caption.
    pub(crate) notes: Vec<String>,
    /// What is to be seen, for readers who do not see it.
    pub(crate) description: String,
}

/// Says in the figure itself that there is nothing to be seen.
fn say_empty(canvas: &mut Canvas, place: canvas::Place) {
    let words = Words::new(place, "no data", 14.0).anchored(canvas::Anchor::Middle);
    canvas.words(words.in_role(Role::Muted));
}

/// `1 point is`, `3 points are`.
fn are(count: usize, what: &str) -> String {
    if count == 1 {
        format!("1 {what} is")
    } else {
        format!("{} {what}s are", crate::number::count(count as u64))
    }
}
