//! Stacked bars: one row per bar, its label before it and its sum behind it.

use super::canvas::{Anchor, Canvas, Pen, Role, Words};
use super::frame;
use super::legend::{Entry, Legend, Sample};
use super::ruler::Ruler;
use super::{Drawing, MARGIN, ROOMY, are, font, palette, say_empty};
use crate::model::{Bar, Scale, StackedBars};
use crate::number;

/// The size of labels.
const SIZE: f64 = 12.5;
/// The height of a line of a label.
const LINE: f64 = 15.0;
/// The height of a bar.
const BAR: f64 = 22.0;
/// How much of a wide figure labels may take.
const LABEL_SHARE: f64 = 0.3;
/// The gap between rows.
const GAP: f64 = 12.0;

/// Parts up to this size have sums that still have a place on a ruler, as many as there may be.
const LARGEST: f64 = 1e85;

/// The value of a part, or nothing if it cannot be stacked.
fn shown(part: f64) -> Option<f64> {
    (0.0..=LARGEST).contains(&part).then_some(part)
}

fn sum(bar: &Bar) -> f64 {
    bar.parts.iter().filter_map(|part| shown(*part)).sum()
}

/// Draws bars `width` wide.
pub(crate) fn draw(bars: &StackedBars, width: f64, has_hints: bool) -> Drawing {
    let mut canvas = Canvas::new(width);
    let is_wide = width >= ROOMY;
    let entries: Vec<Entry> =
        bars.parts.iter().enumerate().map(|(at, name)| Entry::new(Sample::Area(at), &**name)).collect();
    let legend = Legend::below(&entries, width - 2.0 * MARGIN);
    legend.draw(&mut canvas, (MARGIN, MARGIN));

    let largest = bars.bars.iter().map(sum).fold(0.0, f64::max);
    // Sums that are nothing beside the least a ruler can show are drawn as nothing.
    let ends = [0.0, if largest > 1.0 / LARGEST { largest } else { 1.0 }];
    let ruler = Ruler::over(Scale::Linear, ends, if is_wide { 6.0 } else { 4.0 });
    let sums: Vec<String> = bars.bars.iter().map(|bar| number::significant(sum(bar), 3)).collect();
    let sum_room = sums.iter().map(|text| font::room(text, SIZE, true)).fold(0.0, f64::max) + 10.0;
    let widest = bars.bars.iter().map(|bar| font::room(&bar.label, SIZE, false)).fold(0.0, f64::max);
    let left = if is_wide { MARGIN + widest.min(width * LABEL_SHARE) + 10.0 } else { MARGIN };
    let right = width - MARGIN - sum_room.max(frame::overhangs(&ruler).1);
    let across = |value: f64| left + ruler.share(value) * (right - left);

    let top = MARGIN + legend.height + 6.0;
    // Labels first: the height of all rows is needed for the grid, which lies behind the bars.
    let room = if is_wide { left - MARGIN - 10.0 } else { width - 2.0 * MARGIN };
    let labels: Vec<_> = bars.bars.iter().map(|bar| font::broken(&bar.label, SIZE, room, 2)).collect();
    let heights: Vec<f64> = labels
        .iter()
        .map(|lines| {
            let text = lines.len() as f64 * LINE;
            if is_wide { BAR.max(text) + GAP } else { BAR + text + 4.0 + GAP }
        })
        .collect();
    let bottom = top + heights.iter().sum::<f64>().max(60.0);
    let tops = bar_tops(&labels, &heights, top, is_wide);
    // Where labels stand above their bars the grid leaves them out.
    let beside: Vec<(f64, f64)> = tops.iter().map(|bar| (bar - 2.0, bar + BAR + 2.0)).collect();
    let spans = if is_wide || tops.is_empty() { vec![(top, bottom)] } else { beside };
    for tick in ruler.ticks.iter().filter(|tick| !tick.label.is_empty()) {
        let x = across(tick.value);
        for (from, to) in &spans {
            canvas.line((x, *from), (x, *to), Pen::new(Role::Grid, 1.0));
        }
        let words = Words::new((x, bottom + 17.0), &*tick.label, frame::TICK_SIZE);
        canvas.words(words.anchored(Anchor::Middle).in_role(Role::Muted));
    }
    for (((bar, label), bar_top), sum) in bars.bars.iter().zip(&labels).zip(&tops).zip(&sums) {
        let above = label.len() as f64 * LINE;
        let mut base = if is_wide { bar_top + (BAR - above) / 2.0 + 11.5 } else { bar_top - above + 7.5 };
        for line in label {
            let place = if is_wide { left - 10.0 } else { MARGIN };
            let anchor = if is_wide { Anchor::End } else { Anchor::Start };
            canvas.words(Words::new((place, base), line, SIZE).anchored(anchor));
            base += LINE;
        }
        draw_bar(&mut canvas, bars, bar, *bar_top, &across, has_hints);
        let end = across(self::sum(bar));
        canvas.words(Words::new((end + 6.0, bar_top + BAR / 2.0 + 4.5), sum, SIZE).bold());
    }
    for (from, to) in spans {
        canvas.line((left, from), (left, to), Pen::new(Role::Muted, 1.2));
    }
    if bars.bars.is_empty() {
        say_empty(&mut canvas, ((left + right) / 2.0, (top + bottom) / 2.0 + 5.0));
    }
    let unit = font::broken(&bars.unit, frame::LABEL_SIZE, right - left, 2);
    frame::label(&mut canvas, &unit, ((left + right) / 2.0, bottom + 36.0), Anchor::Middle);
    canvas.height = bottom + 24.0 + unit.len() as f64 * frame::LABEL_LINE + MARGIN;
    Drawing { canvas, notes: notes(bars), description: description(bars) }
}

/// The upper side of each bar: in the middle of its row, or below its label.
fn bar_tops(labels: &[Vec<String>], heights: &[f64], top: f64, is_wide: bool) -> Vec<f64> {
    let mut y = top + GAP / 2.0;
    let mut tops = Vec::new();
    for (label, height) in labels.iter().zip(heights) {
        let above = label.len() as f64 * LINE + 4.0;
        tops.push(if is_wide { y + (height - GAP - BAR) / 2.0 } else { y + above });
        y += height;
    }
    tops
}

fn draw_bar(
    canvas: &mut Canvas,
    bars: &StackedBars,
    bar: &Bar,
    top: f64,
    across: &dyn Fn(f64) -> f64,
    has_hints: bool,
) {
    let mut stacked = 0.0;
    for (at, (part, name)) in bar.parts.iter().zip(&bars.parts).enumerate() {
        let Some(value) = shown(*part) else { continue };
        let (from, to) = (across(stacked), across(stacked + value));
        stacked += value;
        // A hair of paper between parts; one that is thinner than that is drawn whole.
        let thickness = if to - from > 2.0 { to - from - 0.8 } else { to - from };
        if thickness <= 0.0 {
            continue;
        }
        let hint = has_hints
            .then(|| format!("{}, {name}: {} {}", bar.label, number::significant(value, 3), bars.unit));
        palette::hatched(canvas, at, (from, top), (thickness, BAR), 1.0, hint);
    }
}

fn notes(bars: &StackedBars) -> Vec<String> {
    let hidden = bars.bars.iter().flat_map(|bar| &bar.parts).filter(|part| shown(**part).is_none()).count();
    if hidden == 0 {
        return Vec::new();
    }
    vec![format!("{} left out for being negative or not finite; sums lack them.", are(hidden, "part"))]
}

fn description(bars: &StackedBars) -> String {
    let sums: Vec<String> =
        bars.bars.iter().map(|bar| format!("{} {}", bar.label, number::significant(sum(bar), 3))).collect();
    format!("Stacked bars in {} of {}: {}.", bars.unit, bars.parts.join(", "), sums.join(", "))
}
