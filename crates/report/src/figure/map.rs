//! The map of winners: a cell is tinted with the hue of its winner, the stronger the greater the
//! margin, and carries the winner's letter, so that it reads without colours. Undecided cells are
//! hatched.

use super::canvas::{Anchor, Canvas, Look, Place, Role, Words};
use super::frame;
use super::legend::{Entry, Legend, Sample};
use super::{Drawing, MARGIN, ROOMY, font, palette, say_empty};
use crate::model::{MapCell, WinnerMap};
use crate::number;

/// The least and greatest height of a cell.
const CELL_HEIGHTS: (f64, f64) = (18.0, 46.0);
/// The greatest width of a cell.
const MAX_CELL: f64 = 96.0;
/// A cell must be so high for two lines of words.
const TWO_LINES: f64 = 38.0;
/// The height that all cells share.
const HEIGHT: f64 = 330.0;
/// A margin of this factor has the strongest tint.
const FULL_MARGIN: f64 = 8.0;

/// The letters of the contender with this number: A to Z, then AA and on.
fn letters(at: usize) -> String {
    let letter = char::from(b'A' + (at % 26) as u8);
    if at < 26 { letter.to_string() } else { format!("{}{letter}", letters(at / 26 - 1)) }
}

/// Draws a map `width` wide.
pub(crate) fn draw(map: &WinnerMap, width: f64, has_hints: bool) -> Drawing {
    let mut canvas = Canvas::new(width);
    let is_wide = width >= ROOMY;
    let entries = entries(map);
    let beside = Legend::beside(&entries, width * 0.31);
    let legend_room = if is_wide && !entries.is_empty() { beside.width + 22.0 } else { 0.0 };

    let ys: Vec<String> = map.ys.iter().map(|y| number::short(*y, 3)).collect();
    let label_room = ys.iter().map(|y| font::room(y, frame::TICK_SIZE, false)).fold(0.0, f64::max) + 9.0;
    let left = MARGIN + label_room;
    let columns = map.xs.len().max(1) as f64;
    let rows = map.ys.len().max(1) as f64;
    let cell = (
        ((width - MARGIN - legend_room - left) / columns).min(MAX_CELL),
        (HEIGHT / rows).clamp(CELL_HEIGHTS.0, CELL_HEIGHTS.1),
    );
    let y_label = font::broken(&map.y.label, frame::LABEL_SIZE, width - 2.0 * MARGIN, 2);
    let top = MARGIN + y_label.len() as f64 * frame::LABEL_LINE + 8.0;
    let (right, bottom) = (left + columns * cell.0, top + rows * cell.1);

    frame::label(&mut canvas, &y_label, (MARGIN, MARGIN + 12.0), Anchor::Start);
    for (row, y) in ys.iter().enumerate() {
        let cell_top = bottom - (row + 1) as f64 * cell.1;
        let place = (left - 7.0, cell_top + cell.1 / 2.0 + 4.0);
        canvas.words(Words::new(place, y, frame::TICK_SIZE).anchored(Anchor::End).in_role(Role::Muted));
        for (column, x) in map.xs.iter().enumerate() {
            let Some(content) = map.cells.get(row * map.xs.len() + column) else { continue };
            let place = (left + column as f64 * cell.0, cell_top);
            let hint = has_hints.then(|| hint(map, content, *x, y));
            draw_cell(&mut canvas, content, place, cell, hint);
        }
    }
    label_columns(&mut canvas, map, left, cell.0, bottom + 17.0);
    if map.xs.is_empty() || map.ys.is_empty() {
        say_empty(&mut canvas, ((left + right) / 2.0, (top + bottom) / 2.0));
    }
    let room = width - MARGIN - legend_room - left;
    let x_label = font::broken(&map.x.label, frame::LABEL_SIZE, room, 2);
    let middle = f64::midpoint(left, right).max(left + half_width(&x_label)).min(width - MARGIN);
    frame::label(&mut canvas, &x_label, (middle, bottom + 37.0), Anchor::Middle);
    canvas.height = bottom + 37.0 + x_label.len() as f64 * frame::LABEL_LINE;
    if is_wide {
        beside.draw(&mut canvas, (right + 22.0, top));
        canvas.height = canvas.height.max(top + beside.height + MARGIN);
    } else {
        let legend = Legend::below(&entries, width - 2.0 * MARGIN);
        let legend_top = canvas.height + 6.0;
        legend.draw(&mut canvas, (MARGIN, legend_top));
        canvas.height = legend_top + legend.height + MARGIN / 2.0;
    }
    Drawing { canvas, notes: notes(map), description: description(map) }
}

fn half_width(lines: &[String]) -> f64 {
    lines.iter().map(|line| font::room(line, frame::LABEL_SIZE, false)).fold(0.0, f64::max) / 2.0
}

/// As many labels as fit.
fn label_columns(canvas: &mut Canvas, map: &WinnerMap, left: f64, cell: f64, base: f64) {
    let texts: Vec<String> = map.xs.iter().map(|x| number::short(*x, 3)).collect();
    let widest = texts.iter().map(|x| font::room(x, frame::TICK_SIZE, false)).fold(0.0, f64::max) + 6.0;
    let stride = (widest / cell).ceil().max(1.0) as usize;
    for (column, text) in texts.iter().enumerate().step_by(stride) {
        // The label of a narrow first column would stick out to the left, one of the last to the
        // right.
        let half = font::room(text, frame::TICK_SIZE, false) / 2.0;
        let x = (left + (column as f64 + 0.5) * cell).max(half).min(canvas.width - half);
        let words = Words::new((x, base), &**text, frame::TICK_SIZE);
        canvas.words(words.anchored(Anchor::Middle).in_role(Role::Muted));
    }
}

fn draw_cell(canvas: &mut Canvas, content: &MapCell, (x, y): Place, cell: (f64, f64), hint: Option<String>) {
    let inner = ((cell.0 - 1.5).max(cell.0 * 0.6), cell.1 - 1.5);
    let middle = x + inner.0 / 2.0;
    let base = y + cell.1 / 2.0 + 4.0;
    let Some(winner) = content.winner else {
        canvas.rectangle((x, y), inner, Look::fill(Role::Grid, 0.45).with_hint(hint));
        if cell.0 > 10.0 {
            canvas.words(Words::new((middle, base), "–", 12.0).anchored(Anchor::Middle).in_role(Role::Muted));
        }
        return;
    };
    canvas.rectangle((x, y), inner, Look::fill(Role::Hue(winner), tint(content.margin)).with_hint(hint));
    if !content.is_decided {
        palette::slanted(canvas, (x, y), inner, 6.0, false);
    }
    let name = letters(winner);
    let size = if cell.0 < 22.0 { 10.0 } else { 13.0 };
    if font::room(&name, size, true) > inner.0 {
        return;
    }
    let margin = margin_text(content);
    let has_margin = cell.1 >= TWO_LINES && font::room(&margin, 11.0, false) + 6.0 < inner.0;
    let name_base = if has_margin { base - 7.0 } else { base };
    canvas.words(Words::new((middle, name_base), name, size).anchored(Anchor::Middle).bold());
    if has_margin {
        canvas.words(Words::new((middle, base + 8.0), margin, 11.0).anchored(Anchor::Middle));
    }
}

/// From a quarter for a tie to three quarters from `FULL_MARGIN` on, in equal steps for equal
/// ratios.
fn tint(margin: f64) -> f64 {
    let share = if margin > 1.0 { (margin.ln() / FULL_MARGIN.ln()).min(1.0) } else { 0.0 };
    0.22 + 0.5 * share
}

fn margin_text(content: &MapCell) -> String {
    let sign = if content.is_decided { "" } else { "≈" };
    let margin = content.margin;
    if !margin.is_finite() {
        return "alone".to_owned();
    }
    let digits = if margin >= 100.0 { 3 } else { 2 };
    // Ratios just above one need their second decimal.
    let text = if margin < 2.0 { format!("{margin:.2}") } else { number::significant(margin, digits) };
    format!("{sign}{text}×")
}

fn hint(map: &WinnerMap, content: &MapCell, x: f64, y: &str) -> String {
    let place = format!("{} {}, {} {y}", map.x.label, number::short(x, 3), map.y.label);
    match content.winner.and_then(|winner| map.contenders.get(winner)) {
        Some(name) if content.is_decided => format!("{name} by {} at {place}", margin_text(content)),
        Some(name) => format!("{name} by {}, undecided, at {place}", margin_text(content)),
        None => format!("not measured at {place}"),
    }
}

/// Who has won at least one cell, most first, with how many.
fn entries(map: &WinnerMap) -> Vec<Entry> {
    let won = |at: usize| map.cells.iter().filter(|cell| cell.winner == Some(at)).count();
    let mut winners: Vec<(usize, usize)> =
        (0..map.contenders.len()).map(|at| (at, won(at))).filter(|(_, won)| *won > 0).collect();
    winners.sort_by_key(|(at, won)| (std::cmp::Reverse(*won), *at));
    let cells = |count| if count == 1 { "1 cell".to_owned() } else { format!("{count} cells") };
    let mut entries: Vec<Entry> = winners
        .into_iter()
        .map(|(at, won)| {
            let sample = Sample::Cell(at, letters(at));
            Entry { remark: cells(won), ..Entry::new(sample, &*map.contenders[at]) }
        })
        .collect();
    let open = map.cells.iter().filter(|cell| cell.winner.is_some() && !cell.is_decided).count();
    if open > 0 {
        entries.push(Entry { remark: cells(open), ..Entry::new(Sample::Open, "intervals overlap") });
    }
    entries
}

fn notes(map: &WinnerMap) -> Vec<String> {
    let mut notes = Vec::new();
    let is_none = |at: usize| !map.cells.iter().any(|cell| cell.winner == Some(at));
    let losers: Vec<&str> =
        map.contenders.iter().enumerate().filter(|(at, _)| is_none(*at)).map(|(_, name)| &**name).collect();
    if !losers.is_empty() && map.cells.iter().any(|cell| cell.winner.is_some()) {
        notes.push(format!("Took part and won nowhere: {}.", losers.join(", ")));
    }
    if map.cells.iter().any(|cell| cell.winner.is_none()) {
        notes.push("A dash marks what was not measured.".to_owned());
    }
    notes
}

fn description(map: &WinnerMap) -> String {
    let wins: Vec<String> =
        entries(map).iter().map(|entry| format!("{}: {}", entry.name, entry.remark)).collect();
    format!("Who wins where, {} against {}. {}.", map.y.label, map.x.label, wins.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_go_on_after_z() {
        assert_eq!([0, 25, 26, 51, 52, 701, 702].map(letters), ["A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"]);
    }

    #[test]
    fn any_margin_has_a_tint_and_a_text() {
        for margin in [f64::NAN, f64::INFINITY, -1.0, 0.0, 1.0, 1e300] {
            assert!((0.2..=0.8).contains(&tint(margin)), "{margin}");
        }
        assert_eq!(margin_text(&MapCell::won(0, 1.034)), "1.03×");
        assert_eq!(margin_text(&MapCell::undecided(0, 12.34)), "≈12×");
        assert_eq!(margin_text(&MapCell::won(0, f64::INFINITY)), "alone");
    }
}
