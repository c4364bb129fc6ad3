//! Grids: cells as the methods chose them.

use std::collections::BTreeMap;

use carom_broadphase::Space;
use carom_geometry::Aabb;

use crate::canvas::{
    self, Anchor, BOX, FOCUS, HEIGHT, Panel, Pen, Point, QUIET, SECOND, STRUCTURE, TESTED, WIDTH,
};
use crate::scene::{Dice, Step, centre, crowd, draw, draw_shared, space, walk};

/// The sizes of cells that a grid tells in its remark, and how many boxes are too large for them.
fn sizes(space: &Space<2>) -> (Vec<f32>, usize) {
    let remark = space.remark().unwrap();
    let (cells, rest) = remark.strip_prefix("cells of ").unwrap().split_once(" m, ").unwrap();
    let large = rest.split(' ').next().unwrap().parse().unwrap();
    (cells.split(", ").map(|size| size.parse().unwrap()).collect(), large)
}

fn line_at(panel: &mut Panel, axis: usize, at: f32, pen: &Pen) {
    if axis == 0 {
        panel.line([at, 0.0], [at, HEIGHT], pen);
    } else {
        panel.line([0.0, at], [WIDTH, at], pen);
    }
}

/// Draws the lines of a bounded grid: its origin is the lowest corner of the boxes in it, what is
/// beyond belongs to the border.
fn lines(panel: &mut Panel, members: &[Aabb<2>], size: f32, pen: &Pen) -> Point {
    let origin = [0, 1].map(|k| members.iter().fold(f32::INFINITY, |low, b| low.min(b.min[k])));
    let last = [0, 1].map(|k| members.iter().fold(f32::NEG_INFINITY, |high, b| high.max(b.min[k])));
    for k in 0..2 {
        let mut at = origin[k] + size;
        while at <= last[k] {
            line_at(panel, k, at, pen);
            at += size;
        }
    }
    origin
}

/// The extent of a box.
fn extent(aabb: &Aabb<2>) -> f32 {
    (aabb.max[0] - aabb.min[0]).max(aabb.max[1] - aabb.min[1])
}

/// All but the largest few, as a grid keeps them.
fn without_largest(boxes: &[Aabb<2>], large: usize) -> Vec<Aabb<2>> {
    let mut members = boxes.to_vec();
    members.sort_by(|a, b| extent(a).total_cmp(&extent(b)));
    members.truncate(boxes.len() - large);
    members
}

/// The cells from which a box may meet others: from its low corner minus the widest box to its high
/// corner.
fn asked(members: &[Aabb<2>], aabb: &Aabb<2>, origin: Point, size: f32) -> Aabb<2> {
    let reach = [0, 1].map(|k| members.iter().fold(0.0f32, |most, b| most.max(b.max[k] - b.min[k])));
    let snap = |k: usize, at: f32, more: f32| origin[k] + (((at - origin[k]) / size).floor() + more) * size;
    Aabb {
        min: [0, 1].map(|k| snap(k, aabb.min[k] - reach[k], 0.0)),
        max: [0, 1].map(|k| snap(k, aabb.max[k], 1.0)),
    }
}

fn homes(panel: &mut Panel, members: &[Aabb<2>]) {
    for aabb in members {
        panel.dot(aabb.min, STRUCTURE);
    }
}

/// Checks that the volumes of the structure begin at the lines that are drawn, 1 % of a cell before
/// each; of several levels, at those of one.
fn check(space: &Space<2>, levels: &[(Point, f32)]) {
    for step in walk(space, |_| true) {
        let Step::Volume(volume) = step else { continue };
        let is_on = |&(origin, size): &(Point, f32)| {
            (0..2).filter(|&k| volume.min[k].is_finite()).all(|k| {
                let cells = (volume.min[k] + 0.01 * size - origin[k]) / size;
                (cells - cells.round()).abs() < 1e-3
            })
        };
        let is_large = space.table().boxes().contains(&volume);
        assert!(is_large || levels.iter().any(is_on), "a line of the grid is elsewhere");
    }
}

/// `grid`.
pub(crate) fn uniform() -> String {
    let boxes = crowd();
    let space = space("grid", &boxes);
    let (sizes, large) = sizes(&space);
    let members = without_largest(&boxes, large);
    let mut first = Panel::new(format!(
        "grid\n{}. A box stands in one cell, that of its lowest corner (dot).",
        space.remark().unwrap()
    ));
    let origin = lines(&mut first, &members, sizes[0], &Pen::line(STRUCTURE, 1.0));
    check(&space, &[(origin, sizes[0])]);
    draw(&mut first, &boxes, space.pairs());
    homes(&mut first, &members);
    let focus = 26;
    let region = asked(&members, &boxes[focus], origin, sizes[0]);
    let mut second = Panel::new(
        "One box asks\nOthers that meet it have their corner at most one widest box\nbelow it: in the yellow cells, row by row.\nDashed: too large for cells, compared with all.",
    );
    second.rectangle(&region, &Pen::line(TESTED, 1.6).filled(0.16));
    lines(&mut second, &members, sizes[0], &Pen::line(STRUCTURE, 0.8));
    for aabb in &boxes {
        let home = (0..2).all(|k| region.min[k] <= aabb.min[k] && aabb.min[k] < region.max[k]);
        let is_small = members.contains(aabb);
        let pen = match (is_small, home) {
            (false, _) => Pen::dashes(TESTED, 1.4),
            (_, true) => Pen::line(TESTED, 1.6).filled(0.3),
            _ => Pen::line(QUIET, 0.8).filled(0.1),
        };
        second.rectangle(aabb, &pen);
    }
    second.rectangle(&boxes[focus], &Pen::line(FOCUS, 2.0).filled(0.3));
    let own: Vec<_> =
        space.pairs().iter().copied().filter(|p| [p.a, p.b].contains(&(focus as u32))).collect();
    draw_shared(&mut second, &boxes, &own);
    homes(&mut second, &members);
    canvas::sheet("A uniform grid over the crowd", 2, &[first, second])
}

/// `hash-grid`.
pub(crate) fn hashed() -> String {
    let boxes: Vec<Aabb<2>> = crowd().into_iter().filter(|b| extent(b) < 1.6).collect();
    let space = space("hash-grid", &boxes);
    let size = sizes(&space).0[0];
    let mut panel = Panel::new(format!(
        "hash-grid\n{}. The grid has no end and no border; green: cells with boxes. Memory is a table of buckets, whatever the extent.",
        space.remark().unwrap()
    ));
    let mut cells: BTreeMap<[i32; 2], usize> = BTreeMap::new();
    for aabb in &boxes {
        *cells.entry([0, 1].map(|k| (aabb.min[k] / size).floor() as i32)).or_default() += 1;
    }
    for k in 0..2 {
        for line in 1..20 {
            line_at(&mut panel, k, line as f32 * size, &Pen::dashes(QUIET, 0.6));
        }
    }
    for cell in cells.keys() {
        let low = cell.map(|c| c as f32 * size);
        panel.rectangle(&Aabb::new(low, low.map(|c| c + size)), &Pen::line(STRUCTURE, 1.0).filled(0.12));
    }
    draw(&mut panel, &boxes, space.pairs());
    homes(&mut panel, &boxes);
    canvas::sheet("A grid without borders", 2, &[panel, table(&cells)])
}

/// The table of buckets, as a scheme.
fn table(cells: &BTreeMap<[i32; 2], usize>) -> Panel {
    let mut panel = Panel::new(
        "The table, as a scheme\nA cell (x, y) is bucket x + y · m modulo 2^i. Rows stay together;\n\
         two rows may share buckets: then true coordinates tell them apart.",
    );
    let (columns, rows, edge) = (32, 4, 0.68);
    let corner =
        |bucket: usize| [1.6 + (bucket % columns) as f32 * edge, 9.6 - (bucket / columns) as f32 * 2.3];
    for bucket in 0..columns * rows {
        let [x, y] = corner(bucket);
        let full = cells.keys().filter(|cell| bucket_of(cell) == bucket).count();
        let pen = match full {
            0 => Pen::line(QUIET, 0.8),
            1 => Pen::line(STRUCTURE, 1.2).filled(0.25),
            _ => Pen::line(SECOND, 1.4).filled(0.35),
        };
        panel.rectangle(&Aabb::new([x, y], [x + edge, y + 1.3]), &pen);
        if bucket % 8 == 0 {
            panel.text([x + edge / 2.0, y - 0.45], Anchor::Middle, "#777", &bucket.to_string());
        }
        if full > 0 {
            let boxes: usize =
                cells.iter().filter(|(cell, _)| bucket_of(cell) == bucket).map(|(_, n)| n).sum();
            panel.text([x + edge / 2.0, y + 0.65], Anchor::Middle, FOCUS, &boxes.to_string());
        }
    }
    panel.text(
        [1.6, 14.6],
        Anchor::Start,
        STRUCTURE,
        "green: a bucket with the boxes of one cell, and how many",
    );
    panel.text([1.6, 13.6], Anchor::Start, SECOND, "violet: two cells on the same bucket, if there are such");
    panel.text([1.6, 12.2], Anchor::Start, "#555", "at least two buckets per box, here 128");
    panel
}

fn bucket_of(cell: &[i32; 2]) -> usize {
    // An odd multiplier as in the method; which one is of no importance for the drawing.
    (cell[0].wrapping_add(cell[1].wrapping_mul(-1_640_531_535)) & 127) as usize
}

/// `hier-grid`.
pub(crate) fn hierarchical() -> String {
    let mut dice = Dice::new(11);
    let mut boxes: Vec<Aabb<2>> = Vec::new();
    for (count, half) in [(44, 0.49), (16, 0.95), (12, 1.8)] {
        for _ in 0..count {
            let half = [half * dice.between(0.75, 1.0), half * dice.between(0.75, 1.0)];
            let at = [
                dice.between(half[0] + 0.2, WIDTH - half[0] - 0.2),
                dice.between(half[1] + 0.2, HEIGHT - half[1] - 0.2),
            ];
            boxes.push(Aabb::new([at[0] - half[0], at[1] - half[1]], [at[0] + half[0], at[1] + half[1]]));
        }
    }
    let space = space("hier-grid", &boxes);
    let (sizes, _) = sizes(&space);
    let (mut panels, mut frames) = (Vec::new(), Vec::new());
    let mut smallest = 0.0;
    let focus =
        boxes.iter().find(|b| (centre(b)[0] - 12.0).abs() < 3.0 && (centre(b)[1] - 8.0).abs() < 3.0).unwrap();
    for (level, &size) in sizes.iter().enumerate() {
        // Cells are half as large again as the largest box they may hold.
        let largest = size / 1.5;
        let members: Vec<Aabb<2>> =
            boxes.iter().filter(|b| (smallest..largest).contains(&extent(b))).copied().collect();
        let mut panel = Panel::new(format!(
            "hier-grid, level {}: cells of {size:.1} m\nfor the {} boxes below {largest:.1} m{}",
            level + 1,
            members.len(),
            if level == 0 { "" } else { "; the black box asks here too" }
        ));
        let pen = [Pen::line(STRUCTURE, 0.9), Pen::line(SECOND, 1.2)][level % 2];
        let origin = [0, 1].map(|k| members.iter().fold(f32::INFINITY, |low, b| low.min(b.min[k])));
        panel.rectangle(&asked(&members, focus, origin, size), &Pen::line(TESTED, 1.4).filled(0.2));
        lines(&mut panel, &members, size, &pen);
        frames.push((origin, size));
        for aabb in &boxes {
            let pen =
                if members.contains(aabb) { Pen::line(BOX, 1.2).filled(0.2) } else { Pen::line(QUIET, 0.5) };
            panel.rectangle(aabb, &pen);
        }
        homes(&mut panel, &members);
        panel.rectangle(focus, &Pen::line(FOCUS, 2.0).filled(0.4));
        panels.push(panel);
        smallest = largest;
    }
    check(&space, &frames);
    canvas::sheet("A grid for each size of boxes", panels.len(), &panels)
}
