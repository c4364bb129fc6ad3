//! Separating axes: the gap along the normal of every side, and the shadows on the best axis.

use carom_geometry::hull::{HullOptions, convex_hull};
use carom_geometry::{Polytope, Pose, Rotation};
use carom_narrowphase::sat::{SatScratch, deepest_axis};
use glam::{DVec2, Vec3};

use crate::canvas::{self, BOX, FOCUS, PAIR, Panel, Pen, QUIET, STRUCTURE, TESTED};
use crate::scene::{OTHER, Prism, View};

/// The prism as a polytope.
fn polytope(prism: &Prism) -> Polytope {
    let corners = prism.base().vertices();
    let points: Vec<Vec3> =
        corners.iter().flat_map(|&[x, y]| [-20.0, 20.0].map(|z| Vec3::new(x as f32, y as f32, z))).collect();
    convex_hull(&points, &HullOptions::default()).unwrap()
}

/// Lowest and highest point along a direction.
fn shadow(corners: &[DVec2], n: DVec2) -> [f64; 2] {
    let along = corners.iter().map(|p| n.dot(*p));
    [along.clone().fold(f64::MAX, f64::min), along.fold(f64::MIN, f64::max)]
}

fn panel(a: &Prism, b: &Prism, pose: &Pose<f64>) -> Panel {
    let found = deepest_axis(
        &polytope(a),
        &polytope(b),
        &pose.to::<f32>(),
        f32::INFINITY,
        0.0,
        &mut SatScratch::default(),
    );
    let best = DVec2::new(f64::from(found.normal.x), f64::from(found.normal.y)).normalize();
    let (a, b) = (a.corners(&Pose::IDENTITY), b.corners(pose));
    // The gap along the outer normals of all sides; those of the second look at the first.
    let sides = |own: &[DVec2], other: &[DVec2]| -> Vec<(DVec2, DVec2, f64)> {
        (0..own.len())
            .map(|k| {
                let (p, q) = (own[k], own[(k + 1) % own.len()]);
                let n = -(q - p).perp().normalize();
                ((p + q) * 0.5, n, shadow(other, n)[0] - n.dot(p))
            })
            .collect()
    };
    let mut all = sides(&a, &b);
    all.extend(sides(&b, &a));
    let greatest = all.iter().map(|(_, _, gap)| *gap).fold(f64::MIN, f64::max);
    assert!((greatest - f64::from(found.cache.separation)).abs() < 1e-5, "{greatest} {found:?}");

    let mut panel = Panel::new(if greatest > 0.0 {
        format!(
            "Apart: one side separates\nNumbers: the gap along the normal of each side. The greatest is {greatest:.2} m: a plane fits between."
        )
    } else {
        format!(
            "Overlapping: no side separates\nAll gaps are overlaps. The least of them, {:.2} m, is depth and normal.",
            -greatest
        )
    });
    // The axis lies beside the shapes, on the side where there is more room.
    let across = best.perp();
    let [low, high] = shadow(&[&a[..], &b[..]].concat(), across);
    let beside = if best.x.abs() > best.y.abs() { low - 1.5 } else { high + 1.5 };
    let [begin, end] = shadow(&[&a[..], &b[..]].concat(), best);
    let on_axis = |t: f64| best * t + across * beside;
    let tips: Vec<DVec2> = all.iter().map(|(at, n, _)| *at + *n * 1.1).collect();
    let view = View::of(&[&tips[..], &[on_axis(begin - 0.5), on_axis(end + 0.5)]].concat());
    view.line(&mut panel, on_axis(begin - 0.5), on_axis(end + 0.5), &Pen::line(QUIET, 1.0));
    let shadows = [shadow(&a, best), shadow(&b, best)];
    for (corners, [from, to], colour, by) in [(&a, shadows[0], BOX, 0.0), (&b, shadows[1], OTHER, 0.22)] {
        let shift = across * by * (beside - low).signum();
        view.line(&mut panel, on_axis(from) + shift, on_axis(to) + shift, &Pen::line(colour, 4.0));
        for t in [from, to] {
            let corner = corners.iter().copied().find(|p| (best.dot(*p) - t).abs() < 1e-9).unwrap();
            view.line(&mut panel, corner, on_axis(t), &Pen::dashes(QUIET, 0.8));
        }
    }
    view.shape(&mut panel, &a, BOX, "");
    view.shape(&mut panel, &b, OTHER, "");
    for (corners, name, side) in [(&a, "A", -1.4), (&b, "B", 1.0)] {
        let middle = corners.iter().sum::<DVec2>() / corners.len() as f64;
        view.word(&mut panel, middle, [side, 0.0], FOCUS, name);
    }
    let (from, to) = (on_axis(shadows[0][1]), on_axis(shadows[1][0]));
    view.line(&mut panel, from, to, &Pen::line(PAIR, 4.0));
    if greatest > 0.0 {
        let middle = best * 0.5 * (shadows[0][1] + shadows[1][0]);
        let reach = |t: f64| middle + across * t;
        view.line(&mut panel, reach(low), reach(high), &Pen::dashes(STRUCTURE, 2.0));
    }
    for (at, n, gap) in all {
        let is_best = gap == greatest;
        view.arrow(&mut panel, at, at + n * 0.7, if is_best { PAIR } else { TESTED });
        let shift = [1.15 * n.x as f32, 0.6 * n.y as f32];
        let text = format!("{gap:.1}").replace('-', "−");
        view.word(&mut panel, at + n * 0.7, shift, if is_best { PAIR } else { FOCUS }, &text);
    }
    panel
}

pub(crate) fn sheet() -> String {
    let a = Prism::new(&[[-3.4, -1.6], [0.2, -2.4], [2.4, -0.2], [0.8, 2.4], [-2.8, 1.6]]);
    let b = Prism::new(&[[-1.8, -1.9], [2.2, -1.4], [1.9, 1.8], [-2.0, 1.5]]);
    let apart = Pose::new(glam::DVec3::new(6.2, 1.3, 0.0), Rotation::about_axis(glam::DVec3::Z, 0.2));
    let near = Pose::new(glam::DVec3::new(3.2, 0.9, 0.0), Rotation::about_axis(glam::DVec3::Z, 0.2));
    canvas::sheet("Separating axes", 2, &[panel(&a, &b, &apart), panel(&a, &b, &near)])
}
