//! Space divided first: `bucket-pruning` and `kd-sweep`.

use carom_broadphase::Space;
use carom_geometry::Aabb;

use crate::canvas::{
    self, Anchor, BOX, FOCUS, HEIGHT, PAIR, Panel, Pen, Point, QUIET, SECOND, STRUCTURE, TESTED, WIDTH,
};
use crate::scene::{Dice, crowd, draw, draw_shared, leaves, space, throng, walk};

/// Boxes that are tested outright, tests per box aimed at, and how many times more a sweep may take
/// before it is divided: the constants of the method.
const OUTRIGHT: usize = 24;
const TESTS: f32 = 4.0;
const SLACK: f32 = 4.0;
/// Boxes that judge a set.
const SAMPLE: usize = 128;
/// A column is at least so many times as wide as the mean box.
const LEAST_EDGE: f32 = 2.5;

/// The axis across which some boxes are divided and into how many columns, by the rule of the
/// method; their range there.
fn columns(boxes: &[Aabb<2>]) -> Option<(usize, usize, [f32; 2])> {
    let samples = boxes.len().min((boxes.len() / 8).clamp(24, SAMPLE));
    let sample = || (0..samples).map(|i| boxes[i * boxes.len() / samples]);
    let around = sample().fold(Aabb::EMPTY, |all, b| all.union(&b));
    let mean = [0, 1].map(|k| sample().map(|b| 0.5 * (b.max[k] - b.min[k])).sum::<f32>() / samples as f32);
    let range = [0, 1].map(|k| 0.5 * (around.max[k] - around.min[k]));
    let part = |k: usize| if mean[k] < range[k] { mean[k] / range[k] } else { 1.0 };
    let along = usize::from(part(1) < part(0));
    let (across, tests) = (1 - along, boxes.len() as f32 * part(along));
    let count = (tests / TESTS).min(range[across] / (mean[across] * LEAST_EDGE)) as usize;
    let is_divided = boxes.len() > OUTRIGHT && tests > SLACK * TESTS && count > 1;
    is_divided.then_some((across, count, [around.min[across], around.max[across]]))
}

/// Draws the division of some boxes; returns how many entries the columns have.
fn divide(panel: &mut Panel, boxes: &[Aabb<2>], part: &Aabb<2>, level: usize) -> usize {
    let Some((across, count, [low, high])) = columns(boxes) else { return 0 };
    let pen = [Pen::line(STRUCTURE, 1.6), Pen::line(SECOND, 1.2), Pen::line(TESTED, 1.0)][level.min(2)];
    let border = |column: usize| match column {
        0 => part.min[across],
        _ if column == count => part.max[across],
        _ => low + (high - low) * column as f32 / count as f32,
    };
    let mut entries = 0;
    for column in 0..count {
        let mut cell = *part;
        (cell.min[across], cell.max[across]) = (border(column), border(column + 1));
        panel.rectangle(&cell, &pen);
        let reaches = |b: &&Aabb<2>| {
            (column + 1 == count || b.min[across] < cell.max[across])
                && (column == 0 || b.max[across] >= cell.min[across])
        };
        let own: Vec<Aabb<2>> = boxes.iter().filter(reaches).copied().collect();
        entries += own.len() + divide(panel, &own, &cell, level + 1);
    }
    entries
}

fn divided() -> Panel {
    let boxes = throng(420, 180, [0.25, 0.5]);
    let space = space("bucket-pruning", &boxes);
    let mut panel = Panel::new("");
    let window = Aabb::new([0.0; 2], [WIDTH, HEIGHT]);
    let entries = divide(&mut panel, &boxes, &window, 0);
    assert_eq!(entries as u64, space.counters().cells, "the columns are not those of the method");
    panel.caption(format!(
        "bucket-pruning: columns, each sorted and swept\n{} boxes, {entries} entries in columns. A column whose sweep would\n\
         test too much is divided again (violet), across or along.",
        boxes.len()
    ));
    draw(&mut panel, &boxes, space.pairs());
    panel
}

/// Two boxes in four cells, and the rule that reports their pair once.
fn reported_once() -> Panel {
    let mut panel = Panel::new(
        "Which cell reports the pair\nEach copy knows the axes on which its box begins in the cell.\n\
         The pair is reported where on every axis one of the two begins.",
    );
    let [x, y] = [12.0, 8.0];
    let two = [Aabb::new([5.0, 4.4], [19.0, 11.4]), Aabb::new([14.2, 3.2], [22.4, 13.6])];
    for (k, pen) in [Pen::line(BOX, 1.6).filled(0.18), Pen::line(SECOND, 1.6).filled(0.18)].iter().enumerate()
    {
        panel.rectangle(&two[k], pen);
    }
    panel.line([x, 0.0], [x, HEIGHT], &Pen::line(STRUCTURE, 1.8));
    panel.line([0.0, y], [WIDTH, y], &Pen::line(STRUCTURE, 1.8));
    for (low, cell) in [
        ([true, true], [0.4, 0.7]),
        ([false, true], [12.4, 0.7]),
        ([true, false], [0.4, 15.3]),
        ([false, false], [12.4, 15.3]),
    ] {
        let begins = |aabb: &Aabb<2>| {
            let here = [(aabb.min[0] < x) == low[0], (aabb.min[1] < y) == low[1]];
            match here {
                [true, true] => "x y",
                [true, false] => "x",
                [false, true] => "y",
                [false, false] => "nowhere",
            }
        };
        let reaches = |aabb: &Aabb<2>| {
            (if low[0] { aabb.min[0] < x } else { aabb.max[0] >= x })
                && (if low[1] { aabb.min[1] < y } else { aabb.max[1] >= y })
        };
        let said: Vec<String> = ["blue", "violet"]
            .into_iter()
            .zip(&two)
            .filter(|(_, aabb)| reaches(aabb))
            .map(|(name, aabb)| format!("{name}: {}", begins(aabb)))
            .collect();
        let all =
            two.iter().all(reaches) && (0..2).all(|k| two.iter().any(|b| (b.min[k] < [x, y][k]) == low[k]));
        if all {
            let ends = |low: bool, cut: f32, most: f32| if low { [0.0, cut] } else { [cut, most] };
            let ([left, right], [bottom, top]) = (ends(low[0], x, WIDTH), ends(low[1], y, HEIGHT));
            let cell = Aabb::new([left, bottom], [right, top]);
            panel.rectangle(&cell, &Pen::line(PAIR, 2.0).filled(0.06));
        }
        let verdict = if all { " → reported" } else { "" };
        panel.text(
            cell,
            Anchor::Start,
            if all { PAIR } else { "#444" },
            &format!("{}{verdict}", said.join(", ")),
        );
    }
    panel
}

/// What moves, and what was put away.
fn tiers() -> Panel {
    let mut boxes = throng(150, 150, [0.08, 0.2]);
    let mut space = space("bucket-pruning", &boxes);
    let moving: Vec<usize> = (0..boxes.len()).step_by(16).collect();
    let from: Vec<Point> = moving.iter().map(|&id| boxes[id].min).collect();
    let mut dice = Dice::new(5);
    let steps: Vec<Point> =
        moving.iter().map(|_| [dice.between(-0.35, 0.35), dice.between(-0.35, 0.35)]).collect();
    for _ in 0..4 {
        for (&id, step) in moving.iter().zip(&steps) {
            let Aabb { min, max } = boxes[id];
            boxes[id] = Aabb::new([min[0] + step[0], min[1] + step[1]], [max[0] + step[0], max[1] + step[1]]);
            space.set_box(id as u32, &boxes[id]).unwrap();
        }
        space.update();
    }
    let mut panel = Panel::new(format!(
        "After four updates: {}\nStill boxes stay in buckets of their own, their pairs in a list.\n\
         Only the active ones (black) are dealt out and tested again.",
        space.remark().unwrap()
    ));
    for (id, aabb) in boxes.iter().enumerate() {
        let pen = if moving.contains(&id) {
            Pen::line(FOCUS, 1.4).filled(0.4)
        } else {
            Pen::line(QUIET, 0.8).filled(0.2)
        };
        panel.rectangle(aabb, &pen);
    }
    for (&id, from) in moving.iter().zip(from) {
        panel.line(from, boxes[id].min, &Pen::line(FOCUS, 0.8));
    }
    draw_shared(&mut panel, &boxes, space.pairs());
    panel
}

/// `bucket-pruning`.
pub(crate) fn bucket_pruning() -> String {
    canvas::sheet(
        "Buckets that follow the density, sorted and swept",
        3,
        &[divided(), reported_once(), tiers()],
    )
}

fn cells_of(space: &Space<2>) -> Vec<(Aabb<2>, Vec<u32>)> {
    leaves(&walk(space, |_| true))
}

/// `kd-sweep`.
pub(crate) fn kd_sweep() -> String {
    let boxes = crowd();
    let space = space("kd-sweep?leaf=8", &boxes);
    let cells = cells_of(&space);
    let entries: usize = cells.iter().map(|(_, ids)| ids.len()).sum();
    let mut first = Panel::new(format!(
        "kd-sweep?leaf=8: what is in its {} cells\nfull cells were halved; {entries} entries of {} boxes\n\
         (a box that reaches into several cells is in each).",
        cells.len(),
        boxes.len()
    ));
    for (volume, _) in &cells {
        first.rectangle(volume, &Pen::line(STRUCTURE, 1.4).filled(0.07));
    }
    draw(&mut first, &boxes, space.pairs());
    let mut second = Panel::new(
        "A box moves (black)\nOnly the cells it is in are marked and swept;\nall pairs without it are kept.",
    );
    let moved = 29;
    for (volume, ids) in &cells {
        let marked = ids.contains(&moved);
        second.rectangle(
            volume,
            &if marked { Pen::line(TESTED, 2.0).filled(0.12) } else { Pen::line(QUIET, 0.8) },
        );
        for &id in ids {
            let pen =
                if marked { Pen::line(TESTED, 1.4).filled(0.3) } else { Pen::line(BOX, 0.8).filled(0.08) };
            second.rectangle(&boxes[id as usize], &pen);
        }
    }
    let own: Vec<_> = space.pairs().iter().copied().filter(|p| p.a == moved || p.b == moved).collect();
    second.rectangle(&boxes[moved as usize], &Pen::line(FOCUS, 2.0).filled(0.3));
    draw_shared(&mut second, &boxes, &own);
    canvas::sheet("A kd-tree that is kept, its cells swept", 2, &[first, second])
}
