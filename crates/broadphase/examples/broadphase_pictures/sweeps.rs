//! Sweeps: boxes seen as intervals on axes.

use carom_geometry::Aabb;

use crate::canvas::{
    self, Anchor, BOX, FOCUS, HEIGHT, PAIR, Panel, Pen, Point, QUIET, SECOND, STRUCTURE, TESTED, WIDTH,
};
use crate::scene::{crowd, draw, draw_shared, space};

const NAMES: [&str; 6] = ["A", "B", "C", "D", "E", "F"];

fn six() -> [Aabb<2>; 6] {
    [
        Aabb::new([4.6, 9.2], [8.4, 12.4]),
        Aabb::new([7.4, 11.0], [11.0, 15.2]),
        Aabb::new([9.8, 5.6], [13.4, 9.8]),
        Aabb::new([12.4, 11.6], [15.6, 14.4]),
        Aabb::new([17.6, 7.6], [20.6, 12.2]),
        Aabb::new([19.2, 13.2], [22.8, 15.4]),
    ]
}

/// Ends of boxes on an axis in order: (place, box, is upper).
fn ends(boxes: &[Aabb<2>], axis: usize) -> Vec<(f32, usize, bool)> {
    let mut ends: Vec<(f32, usize, bool)> = Vec::new();
    for (id, aabb) in boxes.iter().enumerate() {
        ends.push((aabb.min[axis], id, false));
        ends.push((aabb.max[axis], id, true));
    }
    ends.sort_by(|a, b| a.0.total_cmp(&b.0));
    ends
}

fn end_name(end: &(f32, usize, bool)) -> String {
    if end.2 { format!("{}]", NAMES[end.1]) } else { format!("[{}", NAMES[end.1]) }
}

/// Boxes, with their intervals on both axes.
fn projected(boxes: &[Aabb<2>], moved: usize, to: &Aabb<2>) -> Panel {
    let mut panel = Panel::new(
        "Boxes overlap where their intervals do on every axis\nA, B: on both. B, C: on x only. A, E: on y only. E is about to move.",
    );
    let pairs = space("sap", boxes);
    draw(&mut panel, boxes, pairs.pairs());
    panel.rectangle(to, &Pen::dashes(FOCUS, 1.2));
    let (from, target) = (boxes[moved], to);
    panel.arrow([from.min[0], 9.9], [target.max[0] - 1.2, 9.9], FOCUS);
    for (id, aabb) in boxes.iter().enumerate() {
        let row = 4.6 - 0.66 * id as f32;
        panel.line([aabb.min[0], row], [aabb.max[0], row], &Pen::line(STRUCTURE, 3.0));
        panel.text([aabb.max[0] + 0.3, row], Anchor::Start, STRUCTURE, NAMES[id]);
        let column = 3.7 - 0.6 * id as f32;
        panel.line([column, aabb.min[1]], [column, aabb.max[1]], &Pen::line(SECOND, 3.0));
        panel.text([column, aabb.min[1] - 0.5], Anchor::Middle, SECOND, NAMES[id]);
        panel.text(
            [0.5 * (aabb.min[0] + aabb.max[0]), 0.5 * (aabb.min[1] + aabb.max[1])],
            Anchor::Middle,
            FOCUS,
            NAMES[id],
        );
    }
    panel.text([3.9, 0.6], Anchor::Start, STRUCTURE, "intervals on x");
    panel.text([0.3, 3.6], Anchor::Start, SECOND, "on y");
    panel
}

/// The order of the ends on x before and after a move.
fn exchanges(boxes: &[Aabb<2>], moved: usize, to: &Aabb<2>) -> Panel {
    let mut after = boxes.to_vec();
    after[moved] = *to;
    let mut space = space("incremental-sap?update=delta", boxes);
    let swaps = space.counters().swaps;
    space.set_box(moved as u32, to).unwrap();
    space.update();
    let begun = space.changes().begun.len();
    let swaps = space.counters().swaps - swaps;
    let mut panel = Panel::new(format!(
        "The ends on x, before and after the move\n{swaps} exchanges of neighbours on both axes, {begun} pairs begin.\n\
         Red: a lower end passed an upper end. Only there a pair can begin."
    ));
    let (old, new) = (ends(boxes, 0), ends(&after, 0));
    let place = |rank: usize| 1.4 + 1.93 * rank as f32;
    let (top, bottom) = (12.6, 3.4);
    let rank_in = |list: &[(f32, usize, bool)], end: &(f32, usize, bool)| {
        list.iter().position(|other| (other.1, other.2) == (end.1, end.2)).unwrap()
    };
    for (rank, end) in old.iter().enumerate() {
        let now = rank_in(&new, end);
        let pen = if end.1 == moved { Pen::line(FOCUS, 1.8) } else { Pen::line(QUIET, 1.2) };
        panel.line([place(rank), top - 0.6], [place(now), bottom + 0.6], &pen);
        panel.text([place(rank), top], Anchor::Middle, STRUCTURE, &end_name(end));
        panel.text([place(now), bottom], Anchor::Middle, STRUCTURE, &end_name(end));
    }
    for low in old.iter().filter(|end| !end.2) {
        for high in old.iter().filter(|end| end.2 && end.1 != low.1) {
            let [a, b] =
                [(low, 0), (high, 1)].map(|(end, _)| [rank_in(&old, end) as f32, rank_in(&new, end) as f32]);
            if b[0] < a[0] && a[1] < b[1] {
                // Where the two lines cross.
                let share = (a[0] - b[0]) / ((a[0] - b[0]) + (b[1] - a[1]));
                let x = place(0) + 1.93 * (a[0] + share * (a[1] - a[0]));
                let at = [x, top - 0.6 - share * (top - bottom - 1.2)];
                panel.circle(at, 0.32, &Pen::line(PAIR, 1.4).filled(0.8));
                panel.text(
                    [at[0] + 0.6, at[1]],
                    Anchor::Start,
                    PAIR,
                    &format!("test {}, {}", NAMES[low.1], NAMES[high.1]),
                );
            }
        }
    }
    panel.text([0.4, top + 1.2], Anchor::Start, "#555", "before");
    panel.text([0.4, bottom - 1.2], Anchor::Start, "#555", "after: one insertion sort");
    panel
}

/// `sap`.
pub(crate) fn persistent() -> String {
    let boxes = six();
    let (moved, to) = (4, Aabb::new([12.0, 7.6], [15.0, 12.2]));
    let panels = [projected(&boxes, moved, &to), exchanges(&boxes, moved, &to)];
    canvas::sheet("Sweep and prune: axes kept in order", 2, &panels)
}

/// A triangle with a square for each pair that passes.
fn triangle(panel: &mut Panel, count: usize, colour: &'static str, passes: impl Fn(usize, usize) -> bool) {
    let edge = 0.42;
    let corner = |i: usize, j: usize| [4.4 + edge * j as f32, 15.4 - edge * i as f32];
    for i in 0..count {
        for j in 0..i {
            let [x, y] = corner(i, j);
            let square = Aabb::new([x, y - edge], [x + edge, y]);
            let pen =
                if passes(i, j) { Pen::line(colour, 0.3).filled(0.9) } else { Pen::line("#dddddd", 0.3) };
            panel.rectangle(&square, &pen);
        }
    }
}

/// `direct-sap` and `incremental-sap`.
pub(crate) fn direct() -> String {
    let boxes = crowd();
    let on = |axis: usize| {
        let boxes = boxes.clone();
        move |i: usize, j: usize| {
            let (a, b): (&Aabb<2>, &Aabb<2>) = (&boxes[i], &boxes[j]);
            a.min[axis] <= b.max[axis] && b.min[axis] <= a.max[axis]
        }
    };
    let count = |axis: usize| {
        let passes = on(axis);
        (0..boxes.len()).flat_map(|i| (0..i).map(move |j| (i, j))).filter(|&(i, j)| passes(i, j)).count()
    };
    let space = space("direct-sap", &boxes);
    let mut panels = vec![
        Panel::new(format!("Pairs that overlap on x: {}\na row and a column per box", count(0))),
        Panel::new(format!("Pairs that overlap on y: {}\nsorted lists, or hash sets", count(1))),
        Panel::new(format!("In both lists: {}\nthe answer", space.pairs().len())),
    ];
    triangle(&mut panels[0], boxes.len(), STRUCTURE, on(0));
    triangle(&mut panels[1], boxes.len(), SECOND, on(1));
    let both = |i: usize, j: usize| {
        space.pairs().iter().any(|pair| (pair.a as usize, pair.b as usize) == (j.min(i), j.max(i)))
    };
    triangle(&mut panels[2], boxes.len(), PAIR, both);
    canvas::sheet("Direct sweep and prune: each axis alone, then what they share", 3, &panels)
}

/// The borders of the columns of a multi-sweep, by the rule of the method: its remark tells their
/// number, the axis and their width, and the first begins a twentieth of the spread below the
/// second lowest centre.
fn columns(boxes: &[Aabb<2>], remark: &str) -> (usize, Vec<f32>) {
    let words: Vec<&str> = remark.split([' ', ',']).filter(|word| !word.is_empty()).collect();
    let count: usize = words[0].parse().unwrap();
    let across = if words[3] == "x" { 1 } else { 0 };
    let width: f32 = words[4].parse().unwrap();
    let mut centres: Vec<f32> = boxes.iter().map(|b| b.min[across] * 0.5 + b.max[across] * 0.5).collect();
    centres.sort_by(f32::total_cmp);
    let (low, high) = (centres[1], centres[centres.len() - 2]);
    let origin = low - 0.05 * (high - low);
    (across, (1..count).map(|k| origin + k as f32 * width).collect())
}

/// `multi-sap`.
pub(crate) fn multi() -> String {
    let boxes = crowd();
    let space = space("multi-sap?cell=4", &boxes);
    let remark = space.remark().unwrap();
    let (across, borders) = columns(&boxes, &remark);
    let cell = |at: f32| borders.iter().filter(|border| at >= **border).count();
    let spans: Vec<(usize, usize)> =
        boxes.iter().map(|b| (cell(b.min[across]), cell(b.max[across]))).collect();
    let entries: usize = spans.iter().map(|(first, last)| last - first + 1).sum();
    assert_eq!(entries as u64, space.counters().cells, "the columns are not those of the method");
    let frame = |column: usize| {
        let low = if column == 0 { f32::NEG_INFINITY } else { borders[column - 1] };
        let high = borders.get(column).copied().unwrap_or(f32::INFINITY);
        let (mut min, mut max) = ([f32::NEG_INFINITY; 2], [f32::INFINITY; 2]);
        (min[across], max[across]) = (low, high);
        Aabb { min, max }
    };
    let mut first = Panel::new(format!(
        "multi-sap?cell=4\n{remark}. A box stands in every column it touches: {entries} entries of {} boxes.",
        boxes.len()
    ));
    for column in 0..=borders.len() {
        first.rectangle(
            &frame(column),
            &Pen::line(STRUCTURE, 1.2).filled(if column % 2 == 0 { 0.05 } else { 0.0 }),
        );
    }
    draw(&mut first, &boxes, space.pairs());
    for (aabb, _) in boxes.iter().zip(&spans).filter(|(_, (first, last))| last > first) {
        first.rectangle(aabb, &Pen::line(TESTED, 1.8));
    }
    first.text([0.3, 0.5], Anchor::Start, "#555", "yellow: in several columns");
    // One column alone: its boxes in the order of the sweep.
    let chosen = 1;
    let mut order: Vec<usize> =
        (0..boxes.len()).filter(|&id| spans[id].0 <= chosen && chosen <= spans[id].1).collect();
    let along = 1 - across;
    order.sort_by(|&a, &b| boxes[a].min[along].total_cmp(&boxes[b].min[along]));
    let mut second = Panel::new(
        "One column, swept alone\nnumbers: order of the lower ends. A pair that shares several columns\n\
         is reported in the one where the higher of its two lower ends lies.",
    );
    second.rectangle(&frame(chosen), &Pen::line(STRUCTURE, 1.4).filled(0.10));
    let own: Vec<Aabb<2>> = order.iter().map(|&id| boxes[id]).collect();
    for aabb in &boxes {
        second.rectangle(aabb, &Pen::line(QUIET, 0.6));
    }
    for (rank, aabb) in own.iter().enumerate() {
        second.rectangle(aabb, &Pen::line(BOX, 1.2).filled(0.2));
        second.text([aabb.min[0] + 0.1, aabb.max[1] - 0.4], Anchor::Start, FOCUS, &(rank + 1).to_string());
    }
    let here: Vec<_> = space
        .pairs()
        .iter()
        .copied()
        .filter(|pair| spans[pair.a as usize].0.max(spans[pair.b as usize].0) == chosen)
        .collect();
    draw_shared(&mut second, &boxes, &here);
    canvas::sheet("A sweep in each column", 2, &[first, second])
}

/// `box-pruning`.
pub(crate) fn box_pruning() -> String {
    let mut boxes = crowd();
    boxes.sort_by(|a, b| a.min[0].total_cmp(&b.min[0]));
    let space = space("box-pruning", &boxes);
    let focus = 17;
    let (low, high) = (boxes[focus].min[0], boxes[focus].max[0]);
    let is_tested = |id: usize| id > focus && boxes[id].min[0] <= high;
    let tested = (0..boxes.len()).filter(|&id| is_tested(id)).count();
    let pen = |id: usize| match id {
        _ if id == focus => Pen::line(FOCUS, 2.0).filled(0.25),
        _ if is_tested(id) => Pen::line(TESTED, 1.8).filled(0.35),
        _ => Pen::line(BOX, 1.0).filled(0.10),
    };
    let mut first = Panel::new(format!(
        "box-pruning: the sweep of one box\nThe black box is tested against the {tested} boxes that begin before it ends,\n\
         eight per instruction, whatever their height."
    ));
    let window = Aabb::new([low, f32::NEG_INFINITY], [high, f32::INFINITY]);
    first.rectangle(&window, &Pen::dashes(STRUCTURE, 1.4).filled(0.10));
    for (id, aabb) in boxes.iter().enumerate() {
        first.rectangle(aabb, &pen(id));
    }
    let own: Vec<_> =
        space.pairs().iter().copied().filter(|p| p.a as usize == focus && is_tested(p.b as usize)).collect();
    draw_shared(&mut first, &boxes, &own);
    first.rectangle(&boxes[focus], &Pen::line(FOCUS, 2.4));
    let mut second =
        Panel::new("The same boxes as intervals on x\nsorted by where they begin, first at the top");
    second.rectangle(&window, &Pen::dashes(STRUCTURE, 1.4).filled(0.10));
    for (id, aabb) in boxes.iter().enumerate() {
        let row = HEIGHT - 0.6 - (HEIGHT - 1.2) * id as f32 / (boxes.len() - 1) as f32;
        let at = |x: f32| -> Point { [x.min(WIDTH), row] };
        let colour = if id == focus {
            FOCUS
        } else if is_tested(id) {
            TESTED
        } else {
            BOX
        };
        second.line(at(aabb.min[0]), at(aabb.max[0]), &Pen::line(colour, 3.0));
    }
    canvas::sheet("One axis sorted and swept", 2, &[first, second])
}
