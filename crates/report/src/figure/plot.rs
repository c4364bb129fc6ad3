//! The layout of a plot: rulers over what can be shown, the frame, and the legend beside or below.

use super::canvas::{Anchor, Canvas};
use super::curves;
use super::frame::{self, Frame};
use super::legend::{self, Entry, Legend, Sample};
use super::ruler::{Ruler, has_place};
use super::{Drawing, MARGIN, ROOMY, are, font, say_empty};
use crate::model::{Plot, Point, Scale, Series};

/// The height of the data in a wide figure.
const WIDE_HEIGHT: f64 = 350.0;
/// The greatest height of the data when a long legend stands beside it.
const MAX_HEIGHT: f64 = 520.0;
/// The height of the data in a narrow figure.
const NARROW_HEIGHT: f64 = 270.0;
/// How much of a wide figure a legend beside the data may take.
const LEGEND_SHARE: f64 = 0.31;

/// How many lengths of an axis beyond its ends a guide line may lie.
const NEAR: f64 = 0.7;

/// Whether a point can be shown.
pub(crate) fn is_shown(plot: &Plot, point: &Point) -> bool {
    has_place(plot.x.scale, point.x) && has_place(plot.y.scale, point.y)
}

/// Draws a plot `width` wide.
pub(crate) fn draw(plot: &Plot, width: f64, has_hints: bool) -> Drawing {
    let mut canvas = Canvas::new(width);
    let is_wide = width >= ROOMY;
    let shown = || plot.series.iter().flat_map(|s| &s.points).filter(|p| is_shown(plot, p));
    let across = if is_wide { 7.0 } else { 4.0 };
    let x = Ruler::over(plot.x.scale, shown().map(|p| p.x), across);
    let data = || shown().flat_map(|p| [p.y, p.low, p.high]).filter(|v| has_place(plot.y.scale, *v));
    let alone = Ruler::over(plot.y.scale, data(), 6.0);
    let guides: Vec<bool> = plot.lines.iter().map(|line| is_near(plot.y.scale, &alone, line.y)).collect();
    let near = plot.lines.iter().zip(&guides).filter(|(_, is_near)| **is_near).map(|(line, _)| line.y);
    let y = Ruler::over(plot.y.scale, data().chain(near), 6.0);

    let entries = entries(plot, &guides);
    let beside = Legend::beside(&entries, width * LEGEND_SHARE);
    let is_beside = is_wide && beside.height <= MAX_HEIGHT;
    let (before, behind) = frame::overhangs(&x);
    let left = MARGIN + frame::label_room(&y).max(before);
    let right = if is_beside && !entries.is_empty() {
        width - MARGIN - beside.width - 22.0
    } else {
        width - MARGIN - behind
    };
    let y_label = font::broken(&plot.y.label, frame::LABEL_SIZE, width - 2.0 * MARGIN, 2);
    let x_label = font::broken(&plot.x.label, frame::LABEL_SIZE, right - left, 2);
    let top = MARGIN + y_label.len() as f64 * frame::LABEL_LINE + 8.0;
    let height = match (is_wide, is_beside) {
        (true, true) => beside.height.max(WIDE_HEIGHT),
        (true, false) => WIDE_HEIGHT,
        (false, _) => NARROW_HEIGHT,
    };
    let frame = Frame { left, right, top, bottom: top + height, x, y };

    frame::label(&mut canvas, &y_label, (MARGIN, MARGIN + 12.0), Anchor::Start);
    frame.draw(&mut canvas);
    let below = frame.bottom + 40.0;
    frame::label(&mut canvas, &x_label, ((left + right) / 2.0, below), Anchor::Middle);
    canvas.height = below + x_label.len().max(1) as f64 * frame::LABEL_LINE + MARGIN - 12.0;
    for (at, line) in plot.lines.iter().enumerate().filter(|(at, _)| guides[*at]) {
        let height = frame.up(line.y);
        canvas.line((left, height), (right, height), legend::guide_pen(at));
    }
    curves::draw(&mut canvas, plot, &frame, has_hints);
    if shown().next().is_none() {
        say_empty(&mut canvas, ((left + right) / 2.0, top + height / 2.0));
    }
    if is_beside {
        beside.draw(&mut canvas, (right + 22.0, top));
    } else {
        let legend = Legend::below(&entries, width - 2.0 * MARGIN);
        let legend_top = canvas.height + 6.0;
        legend.draw(&mut canvas, (MARGIN, legend_top));
        canvas.height = legend_top + legend.height + MARGIN / 2.0;
    }
    Drawing { canvas, notes: notes(plot, &guides), description: description(plot) }
}

/// Whether a guide line is worth longer axes: it lies within `NEAR` lengths of the axis that the
/// data alone would have.
fn is_near(scale: Scale, alone: &Ruler, line: f64) -> bool {
    has_place(scale, line) && (-NEAR..=1.0 + NEAR).contains(&alone.share(line))
}

/// The legend: curves in the order of their right ends, so that it reads like the plot; then lines
/// and signs.
fn entries(plot: &Plot, guides: &[bool]) -> Vec<Entry> {
    let end = |series: &Series| {
        let last = series.points.iter().rev().find(|point| is_shown(plot, point));
        last.map(|point| (point.x, point.y))
    };
    let mut order: Vec<usize> = (0..plot.series.len()).collect();
    // A curve that ends early was mostly stopped for being slow: it stands first. One without
    // points stands last.
    let key = |at: usize| end(&plot.series[at]).map_or((f64::INFINITY, 0.0), |(x, y)| (x, -y));
    order.sort_by(|&a, &b| {
        let (a, b) = (key(a), key(b));
        a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
    });
    let entry = |at: usize| {
        let series = &plot.series[at];
        let remark = series.fit.map_or_else(String::new, |fit| {
            format!("n^{:.2} [{:.2}, {:.2}]", fit.exponent, fit.low, fit.high).replace('-', "−")
        });
        Entry { remark, ..Entry::new(Sample::Curve(at, curves::pen(at, series)), &*series.name) }
    };
    let mut entries: Vec<Entry> = order.into_iter().map(entry).collect();
    for (at, line) in plot.lines.iter().enumerate().filter(|(at, _)| guides[*at]) {
        entries.push(Entry::new(Sample::Guide(at), &*line.label));
    }
    if plot.series.iter().flat_map(|s| &s.points).any(|p| p.is_over_budget && is_shown(plot, p)) {
        entries.push(Entry::new(Sample::Hollow, "over budget"));
    }
    entries
}

fn notes(plot: &Plot, guides: &[bool]) -> Vec<String> {
    let mut notes = Vec::new();
    let points = || plot.series.iter().flat_map(|s| &s.points);
    let hidden = points().filter(|p| !is_shown(plot, p)).count();
    let not_finite = points().filter(|p| !p.x.is_finite() || !p.y.is_finite()).count();
    if not_finite > 0 {
        notes.push(format!("{} left out for not being finite.", are(not_finite, "point")));
    }
    if hidden > not_finite {
        let places = are(hidden - not_finite, "point");
        notes.push(format!("{places} left out: the axes have no place for such values (a log axis has none for zero or less)."));
    }
    let is_cut = |p: &&Point| is_shown(plot, p) && p.low.is_finite() && !has_place(plot.y.scale, p.low);
    if points().any(|p| is_cut(&p)) {
        notes.push("Intervals that reach zero end at the lower edge.".to_owned());
    }
    if points().any(|p| p.is_over_budget) {
        notes.push(
            "Hollow points were stopped for taking too long; fewer samples stand behind them.".to_owned(),
        );
    }
    for (line, _) in plot.lines.iter().zip(guides).filter(|(_, is_near)| !**is_near) {
        notes.push(format!(
            "The line “{}” ({}) lies outside the axes.",
            line.label,
            crate::number::short(line.y, 3)
        ));
    }
    notes
}

fn description(plot: &Plot) -> String {
    let names: Vec<&str> = plot.series.iter().map(|s| &*s.name).collect();
    format!(
        "{} over {}: {}. The numbers are in the data of the figure.",
        plot.y.label,
        plot.x.label,
        names.join(", ")
    )
}
