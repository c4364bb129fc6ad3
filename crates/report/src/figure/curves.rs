//! The curves of a plot: lines, intervals, fitted laws and markers, back to front.

use super::canvas::{Canvas, Look, Pen, Place, Role};
use super::frame::Frame;
use super::palette;
use super::plot::is_shown;
use super::ruler::has_place;
use crate::model::{Fit, Plot, Point, Scale, Series};
use crate::number;

/// A curve with more points shows its intervals as a band, and only some of its markers.
const MANY_POINTS: usize = 60;
/// How many markers such a curve has, about.
const FEW_MARKERS: usize = 16;
/// A fitted law is drawn through so many places.
const FIT_PLACES: u32 = 48;
/// The radius of markers.
const RADIUS: f64 = 3.5;

/// How a curve is drawn.
pub(crate) fn pen(at: usize, series: &Series) -> Pen {
    if series.points.len() > MANY_POINTS {
        // Dashes of a curve that goes up and down at every point cannot be told from its teeth.
        return Pen::new(Role::Hue(at), 1.2);
    }
    Pen::new(Role::Hue(at), 1.9).dashed(palette::dashes(at))
}

/// Draws all curves of `plot` into `frame`.
pub(crate) fn draw(canvas: &mut Canvas, plot: &Plot, frame: &Frame, has_hints: bool) {
    for (at, series) in plot.series.iter().enumerate() {
        if let Some(fit) = series.fit {
            draw_fit(canvas, plot, frame, at, series, fit);
        }
    }
    for (at, series) in plot.series.iter().enumerate() {
        let is_dense = series.points.len() > MANY_POINTS;
        for run in runs(plot, series) {
            if is_dense {
                draw_band(canvas, plot, frame, at, run);
            }
            let places: Vec<Place> = run.iter().map(|p| (frame.across(p.x), frame.up(p.y))).collect();
            if places.len() > 1 {
                canvas.open(places, Look::pen(pen(at, series)));
            }
        }
    }
    for (at, series) in plot.series.iter().enumerate() {
        let is_dense = series.points.len() > MANY_POINTS;
        let stride = if is_dense { series.points.len() / FEW_MARKERS } else { 1 };
        for (number, point) in series.points.iter().enumerate().filter(|(_, p)| is_shown(plot, p)) {
            if !is_dense {
                draw_interval(canvas, plot, frame, at, point);
            }
            if number % stride == stride / 2 || point.is_over_budget {
                let hint = has_hints.then(|| hint(series, point));
                let place = (frame.across(point.x), frame.up(point.y));
                palette::marker(canvas, at, place, RADIUS, point.is_over_budget, hint);
            }
        }
    }
}

/// Points that follow each other without one that cannot be shown between them.
fn runs<'a>(plot: &'a Plot, series: &'a Series) -> impl Iterator<Item = &'a [Point]> {
    series.points.split(|point| !is_shown(plot, point)).filter(|run| !run.is_empty())
}

/// Where an end of an interval lies, and whether it ends there: one without a place on a log axis
/// goes on below.
fn end(plot: &Plot, frame: &Frame, value: f64) -> Option<(f64, bool)> {
    if has_place(plot.y.scale, value) {
        Some((frame.up(value), true))
    } else if value <= 0.0 && value.is_finite() {
        Some((frame.bottom, false))
    } else {
        None
    }
}

fn draw_interval(canvas: &mut Canvas, plot: &Plot, frame: &Frame, at: usize, point: &Point) {
    let (x, y) = (frame.across(point.x), frame.up(point.y));
    let pen = Pen::new(Role::Hue(at), 1.2);
    for value in [point.low, point.high] {
        let Some((height, is_end)) = end(plot, frame, value) else { continue };
        if (height - y).abs() < 0.05 {
            continue;
        }
        canvas.line((x, y), (x, height), pen);
        if is_end {
            canvas.line((x - 3.5, height), (x + 3.5, height), pen);
        }
    }
}

fn draw_band(canvas: &mut Canvas, plot: &Plot, frame: &Frame, at: usize, run: &[Point]) {
    let side = |point: &Point, value: f64| {
        let height = end(plot, frame, value).map_or_else(|| frame.up(point.y), |(height, _)| height);
        (frame.across(point.x), height)
    };
    let mut corners: Vec<Place> = run.iter().map(|p| side(p, p.high)).collect();
    corners.extend(run.iter().rev().map(|p| side(p, p.low)));
    canvas.closed(corners, Look::fill(Role::Hue(at), 0.16));
}

/// The law over the points within budget, cut at the frame.
fn draw_fit(canvas: &mut Canvas, plot: &Plot, frame: &Frame, at: usize, series: &Series, fit: Fit) {
    let fitted = series.points.iter().filter(|p| is_shown(plot, p) && !p.is_over_budget && p.x > 0.0);
    let (low, high) = fitted.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), p| (l.min(p.x), h.max(p.x)));
    if low >= high {
        return;
    }
    let (from, to) = (frame.x.share(low), frame.x.share(high));
    let height = |share: f64| {
        let y = fit.factor * frame.x.value(share).powf(fit.exponent);
        has_place(plot.y.scale, y).then(|| frame.y.share(y)).filter(|share| share.is_finite())
    };
    let pen = Pen::new(Role::Hue(at), 1.0).faint(0.8);
    let steps = if plot.x.scale == Scale::Log && plot.y.scale == Scale::Log { 1 } else { FIT_PLACES };
    let share = |step: u32| from + (to - from) * f64::from(step) / f64::from(steps);
    for step in 0..steps {
        let (a, b) = (share(step), share(step + 1));
        let (Some(start), Some(stop)) = (height(a), height(b)) else { continue };
        if let Some(((a, start), (b, stop))) = clipped((a, start), (b, stop)) {
            let place = |x: f64, y: f64| {
                (frame.left + x * (frame.right - frame.left), frame.bottom - y * (frame.bottom - frame.top))
            };
            canvas.line(place(a, start), place(b, stop), pen);
        }
    }
}

/// The part of a line that lies between heights 0 and 1.
fn clipped(a: Place, b: Place) -> Option<(Place, Place)> {
    let (mut from, mut to) = (0.0, 1.0);
    let rise = b.1 - a.1;
    if rise == 0.0 {
        return (0.0..=1.0).contains(&a.1).then_some((a, b));
    }
    let (enter, leave) = ((0.0 - a.1) / rise, (1.0 - a.1) / rise);
    from = f64::max(from, enter.min(leave));
    to = f64::min(to, enter.max(leave));
    let at = |t: f64| (a.0 + t * (b.0 - a.0), (a.1 + t * rise).clamp(0.0, 1.0));
    (from < to).then(|| (at(from), at(to)))
}

fn hint(series: &Series, point: &Point) -> String {
    let value = if point.low == point.y && point.high == point.y {
        number::significant(point.y, 3)
    } else {
        number::interval(point.y, point.low, point.high, 3)
    };
    let end = if point.is_over_budget { ", over budget" } else { "" };
    format!("{}: {} at {}{end}", series.name, value, number::short(point.x, 4))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_at_both_borders() {
        assert_eq!(clipped((0.0, -1.0), (1.0, 3.0)), Some(((0.25, 0.0), (0.5, 1.0))));
        assert_eq!(clipped((0.0, 3.0), (1.0, -1.0)), Some(((0.5, 1.0), (0.75, 0.0))));
        assert_eq!(clipped((0.0, 0.5), (1.0, 0.5)), Some(((0.0, 0.5), (1.0, 0.5))));
        assert_eq!(clipped((0.0, 1.5), (1.0, 1.5)), None);
        assert_eq!(clipped((0.0, 1.5), (1.0, 2.5)), None);
    }
}
