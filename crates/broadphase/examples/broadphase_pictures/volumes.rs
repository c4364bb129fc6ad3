//! Tighter volumes: `sphere` and `obb` as methods, and as a second test after any method.

use carom_broadphase::{Bound, Pair};
use carom_geometry::{Aabb, Obb, Pose, Rotation};
use glam::Vec3;

use crate::canvas::{self, Anchor, BOX, PAIR, Panel, Pen, Point, QUIET, STRUCTURE};
use crate::scene::{bars, box_of, centre, clipped, corners, space_of_bars};

/// Outline of a bar in the plane.
pub(crate) fn outline(bar: &Obb) -> [Point; 4] {
    [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|[x, y]| {
        let corner = bar.world(Vec3::new(x * bar.half.x, y * bar.half.y, 0.0));
        [corner.x, corner.y]
    })
}

fn bar(at: Point, half: Point, angle: f32) -> Obb {
    let pose = Pose::new(Vec3::new(at[0], at[1], 0.0), Rotation::about_axis(Vec3::Z, angle));
    Obb::of_pose(&pose, Vec3::new(half[0], half[1], 0.0))
}

/// A 26-DOP of a bar, seen in the plane: its box with the corners cut off.
fn cut_box(bar: &Obb) -> Vec<Point> {
    let mut polygon = corners(&box_of(bar));
    for normal in [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]] {
        let along = |p: &Point| normal[0] * p[0] + normal[1] * p[1];
        let most = outline(bar).iter().map(along).fold(f32::NEG_INFINITY, f32::max);
        polygon = clipped(&polygon, normal, most);
    }
    polygon
}

/// Two bars that are apart, and who sees it.
pub(crate) fn close_up() -> String {
    let two = [bar([9.0, 8.6], [5.2, 0.8], 0.62), bar([15.4, 6.6], [5.2, 0.8], 0.75)];
    let verdict = |choice: &str| {
        if space_of_bars(choice, &two).pairs().is_empty() { "apart" } else { "a pair" }
    };
    let mut panels = Vec::new();
    for (choice, what) in [
        ("aabb", "boxes along the axes"),
        ("sphere", "spheres"),
        ("aabb+kdop26", "26-DOPs"),
        ("obb", "oriented boxes"),
    ] {
        let verdict = verdict(choice);
        let mut panel = Panel::new(format!("{choice}: {verdict}\n{what}"));
        let colour = if verdict == "apart" { STRUCTURE } else { PAIR };
        let pen = Pen::line(colour, 1.6).filled(0.10);
        for bar in &two {
            match choice {
                "aabb" => panel.rectangle(&box_of(bar), &pen),
                "sphere" => panel.circle([bar.centre.x, bar.centre.y], Bound::of_obb(*bar).radius, &pen),
                "obb" => panel.path(&outline(bar), true, &pen),
                _ => panel.path(&cut_box(bar), true, &pen),
            }
            panel.path(&outline(bar), true, &Pen::line(BOX, 1.0).filled(0.35));
        }
        panels.push(panel);
    }
    canvas::sheet("Two bars and the volumes around them", 2, &panels)
}

fn draw_bars(panel: &mut Panel, bars: &[Obb], dropped: &[Pair], kept: &[Pair]) {
    let boxes: Vec<Aabb<2>> = bars.iter().map(box_of).collect();
    for (bar, aabb) in bars.iter().zip(&boxes) {
        panel.rectangle(aabb, &Pen::line(QUIET, 0.6));
        panel.path(&outline(bar), true, &Pen::line(BOX, 1.0).filled(0.30));
    }
    let mut join = |pair: &Pair, pen: &Pen| {
        let [a, b] = [pair.a, pair.b].map(|id| centre(&boxes[id as usize]));
        panel.line(a, b, pen);
    };
    dropped.iter().for_each(|pair| join(pair, &Pen::dashes(STRUCTURE, 1.2)));
    kept.iter().for_each(|pair| join(pair, &Pen::line(PAIR, 1.8)));
}

/// What second tests leave of the pairs of a method.
pub(crate) fn refinement() -> String {
    let bars = bars(34);
    let all = space_of_bars("sap", &bars);
    let mut panels = Vec::new();
    for choice in ["sap", "sap+sphere", "sap+kdop14", "sap+obb"] {
        let space = space_of_bars(choice, &bars);
        let kept = space.pairs();
        let dropped: Vec<Pair> = all.pairs().iter().copied().filter(|pair| !kept.contains(pair)).collect();
        let mut panel =
            Panel::new(format!("{choice}\n{} pairs, {} dropped (green)", kept.len(), dropped.len()));
        draw_bars(&mut panel, &bars, &dropped, kept);
        if choice == "sap" {
            panel.text([0.4, 15.4], Anchor::Start, "#555", "grey: the boxes that sap sees");
        }
        panels.push(panel);
    }
    canvas::sheet("A second test after a method", 2, &panels)
}
