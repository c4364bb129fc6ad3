//! Trees that cut space, drawn from their nodes.

use carom_broadphase::partition::{CellTree, Kind, Limits};
use carom_geometry::Aabb;

use crate::canvas::{self, BOX, FOCUS, HEIGHT, Panel, Pen, Point, QUIET, SECOND, STRUCTURE, TESTED, WIDTH};
use crate::scene::{Dice, bars, clipped, corners, crowd, draw, space, space_of_bars};
use crate::volumes::outline;

const WINDOW: Aabb<2> = Aabb { min: [0.0; 2], max: [WIDTH, HEIGHT] };

fn pen_of(depth: u32) -> Pen {
    let width = [2.6, 1.8, 1.3, 1.0, 0.8, 0.6][(depth as usize).min(5)];
    Pen::line(if depth.is_multiple_of(2) { STRUCTURE } else { SECOND }, width)
}

fn tree(kind: Kind, boxes: &[Aabb<2>], leaf: u32) -> CellTree<2> {
    CellTree::build(kind, boxes, Limits { leaf, depth: 16 }).unwrap()
}

fn figures(tree: &CellTree<2>) -> String {
    let statistics = tree.statistics();
    format!(
        "{} leaves, depth {}, {} entries for {} boxes",
        statistics.leaves,
        statistics.depth,
        statistics.boxes + statistics.duplicates,
        statistics.boxes
    )
}

/// The cells of the leaves; wide lines are the first cuts.
fn cells(panel: &mut Panel, tree: &CellTree<2>) {
    for depth in (0..=tree.statistics().depth).rev() {
        for node in tree.nodes().iter().filter(|node| node.depth == depth && depth > 0) {
            panel.rectangle(&node.cell, &pen_of(depth - 1));
        }
    }
}

fn with_cells(kind: Kind, name: &str, leaf: u32) -> Panel {
    let boxes = crowd();
    let tree = tree(kind, &boxes, leaf);
    let mut panel = Panel::new(format!("{name}?leaf={leaf}\n{}", figures(&tree)));
    let space = space(&format!("{name}?leaf={leaf}"), &boxes);
    cells(&mut panel, &tree);
    draw(&mut panel, &boxes, space.pairs());
    panel
}

/// A point in space, seen askew.
fn seen([x, y, z]: [f32; 3]) -> Point {
    [4.6 + x + 0.42 * z, 1.0 + y + 0.3 * z]
}

/// The edges of a box in space.
fn edges(panel: &mut Panel, aabb: &Aabb<3>, pen: &Pen) {
    for corner in 0..8usize {
        for k in (0..3).filter(|k| corner >> k & 1 == 0) {
            let at = |corner: usize| {
                seen([0, 1, 2].map(|k| if corner >> k & 1 == 0 { aabb.min[k] } else { aabb.max[k] }))
            };
            panel.line(at(corner), at(corner | 1 << k), pen);
        }
    }
}

/// An octree in space.
fn octree() -> Panel {
    let mut dice = Dice::new(2);
    let boxes: Vec<Aabb<3>> = (0..40)
        .map(|i| {
            let (low, high) = if i < 14 { (0.2, 10.4) } else { (6.4, 9.4) };
            let at = [0, 1, 2].map(|_| dice.between(low, high));
            Aabb::new(at, at.map(|c| c + 0.5))
        })
        .collect();
    let tree = CellTree::build(Kind::Octree, &boxes, Limits { leaf: 6, depth: 16 }).unwrap();
    let mut panel = Panel::new(format!(
        "octree?leaf=6, in space\n{} leaves, depth {}; cells with boxes are drawn",
        tree.statistics().leaves,
        tree.statistics().depth
    ));
    let region = boxes.iter().fold(Aabb::EMPTY, |all, b| all.union(b));
    let cut = |cell: &Aabb<3>| cell.intersection(&region);
    edges(&mut panel, &region, &Pen::line(QUIET, 1.0));
    for (at, node) in tree.nodes().iter().enumerate().filter(|(_, node)| node.depth > 0) {
        if let (Some(cell), true) = (cut(&node.cell), tree.listed(at).next().is_some()) {
            edges(&mut panel, &cell, &pen_of(node.depth));
        }
    }
    for aabb in &boxes {
        let middle = [0, 1, 2].map(|k| 0.5 * (aabb.min[k] + aabb.max[k]));
        panel.circle(seen(middle), 0.2, &Pen::line(BOX, 0.8).filled(0.5));
    }
    panel
}

/// `quadtree` and `octree`.
pub(crate) fn halves() -> String {
    canvas::sheet(
        "Space halved until cells hold few boxes",
        2,
        &[with_cells(Kind::Quadtree, "quadtree", 4), octree()],
    )
}

/// `kd-tree` and `kd-tree-binary`.
pub(crate) fn kd_trees() -> String {
    let panels =
        [with_cells(Kind::KdTree, "kd-tree", 4), with_cells(Kind::BinaryKdTree, "kd-tree-binary", 4)];
    canvas::sheet("Cuts where half of the boxes are", 2, &panels)
}

/// `loose-quadtree` and `loose-octree`.
pub(crate) fn loose() -> String {
    let boxes = crowd();
    let tree = tree(Kind::LooseQuadtree, &boxes, 4);
    let mut first = Panel::new(format!(
        "loose-quadtree: every box in one node\n{} nodes for {} boxes. Dots by the level of the node, from green over violet to yellow:\n\
         large boxes stand high, small ones deep, wherever they are.",
        tree.nodes().len(),
        boxes.len()
    ));
    draw(&mut first, &boxes, space("loose-quadtree", &boxes).pairs());
    for at in 0..tree.nodes().len() {
        let cell = tree.nodes()[at].cell;
        // Levels by the size of cells: depth in the tree counts only nodes that were made.
        let level =
            (0..12).find(|level| (cell.max[0] - cell.min[0]) * (1 << level) as f32 > 45.0).unwrap_or(0);
        let colour = [STRUCTURE, FOCUS, TESTED, STRUCTURE, SECOND, TESTED][level.min(5)];
        for (_, aabb) in tree.listed(at) {
            let middle = [0, 1].map(|k| 0.5 * (aabb.min[k] + aabb.max[k]));
            first.circle(middle, 0.24, &Pen::line(colour, 0.0).filled(1.0));
        }
    }
    let chosen = [5u32, 28, 33];
    let mut second = Panel::new(
        "Three boxes and their doubled cells\nDashed: the cell that the centre is in, not smaller than the box.\n\
         Solid: the doubled cell, which contains the box.",
    );
    for aabb in &boxes {
        second.rectangle(aabb, &Pen::line(QUIET, 0.6));
    }
    for (at, node) in tree.nodes().iter().enumerate() {
        for (id, aabb) in tree.listed(at).filter(|(id, _)| chosen.contains(id)) {
            let colour = [STRUCTURE, SECOND, TESTED][chosen.iter().position(|c| *c == id).unwrap()];
            let quarter = 0.25 * (node.cell.max[0] - node.cell.min[0]);
            second.rectangle(&node.cell, &Pen::line(colour, 1.8).filled(0.07));
            second.rectangle(&node.cell.grown(-quarter), &Pen::dashes(colour, 1.2));
            second.rectangle(aabb, &Pen::line(colour, 1.6).filled(0.5));
        }
    }
    canvas::sheet("Loose trees: one cell per box", 2, &[first, second])
}

/// Draws the planes below a node, each within its part of the window; returns one past the last
/// node.
fn planes(panel: &mut Panel, tree: &CellTree<2>, at: usize, part: &[Point]) {
    let node = &tree.nodes()[at];
    if node.end as usize == at + 1 {
        return;
    }
    let ([x, y], offset) = (node.cut, node.offset);
    let (below, above) = (clipped(part, [x, y], offset), clipped(part, [-x, -y], -offset));
    let on = |p: &&Point| (x * p[0] + y * p[1] - offset).abs() < 1e-3;
    let ends: Vec<&Point> = below.iter().filter(on).collect();
    if let [a, b] = ends[..] {
        panel.line(*a, *b, &pen_of(node.depth));
    }
    for (child, part) in tree.children(at).zip([below, above]) {
        planes(panel, tree, child, &part);
    }
}

/// `bsp`.
pub(crate) fn bsp() -> String {
    let bars = bars(34);
    let limits = Limits { leaf: 5, depth: 16 };
    let space = space_of_bars("bsp?leaf=5", &bars);
    let tree = CellTree::of_table(Kind::Bsp, space.table(), limits);
    let boxes = space_of_bars("aabb", &bars);
    let mut first = Panel::new(format!(
        "bsp?leaf=5: planes along the bars\n{}. {} of the {} pairs of overlapping boxes are reported: bars that share \
         no leaf are apart",
        figures(&tree),
        space.pairs().len(),
        boxes.pairs().len()
    ));
    for bar in &bars {
        first.path(&outline(bar), true, &Pen::line(BOX, 1.0).filled(0.3));
    }
    planes(&mut first, &tree, 0, &corners(&WINDOW));
    let mut second = Panel::new(format!(
        "The same bars as boxes along the axes\nkd-tree-binary?leaf=5: {}; boxes full of air reach over cuts",
        figures(&CellTree::of_table(Kind::BinaryKdTree, space.table(), limits))
    ));
    let binary = CellTree::of_table(Kind::BinaryKdTree, space.table(), limits);
    for aabb in space.table().boxes() {
        second.rectangle(aabb, &Pen::line(BOX, 0.8).filled(0.10));
    }
    cells(&mut second, &binary);
    canvas::sheet("Planes of any direction", 2, &[first, second])
}
