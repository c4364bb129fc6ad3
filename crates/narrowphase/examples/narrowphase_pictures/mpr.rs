//! MPR: portals pushed out to the surface, by the rule of the algorithm in the plane, where a
//! portal is an edge.

use carom_geometry::{Pose, Rotation};
use carom_narrowphase::Convex;
use carom_narrowphase::alternatives::mpr::{DEFAULT_RAYS, penetration};
use carom_narrowphase::gjk::{self, SimplexCache};
use glam::{DVec2, DVec3};

use crate::canvas::{self, FOCUS, PAIR, Panel, Pen, QUIET, SECOND, STRUCTURE, TESTED};
use crate::scene::{Difference, Prism, View};

/// Two points of the difference that a ray passes between, the first on its right.
#[derive(Clone, Copy)]
struct Portal {
    right: DVec2,
    left: DVec2,
}

impl Portal {
    /// Outer unit normal.
    fn normal(&self) -> DVec2 {
        -(self.left - self.right).perp().normalize()
    }
}

/// All portals of a ray from inside the difference, from the first to that on the surface.
fn portals(difference: &Difference, apex: DVec2, ray: DVec2) -> Vec<Portal> {
    let side = |p: DVec2| ray.perp_dot(p - apex);
    // A second corner is sought on the far side of the ray as seen from the first.
    let mut first = difference.farthest(ray);
    let mut second = first;
    while side(second) * side(first) >= 0.0 {
        first = second;
        let across = (first - apex).perp();
        second = difference.farthest(across * across.dot(ray).signum());
    }
    let (right, left) = if side(first) < 0.0 { (first, second) } else { (second, first) };
    let portal = Portal { right, left };
    let mut list = vec![portal];
    loop {
        let portal = list[list.len() - 1];
        let normal = portal.normal();
        let new = difference.farthest(normal);
        if normal.dot(new - portal.left) < 1e-9 {
            return list;
        }
        list.push(if side(new) < 0.0 {
            Portal { right: new, ..portal }
        } else {
            Portal { left: new, ..portal }
        });
    }
}

fn drawn(panel: &mut Panel, view: &View, apex: DVec2, ray: DVec2, list: &[Portal]) {
    for portal in list {
        view.line(panel, portal.right, portal.left, &Pen::line(STRUCTURE, 1.6));
    }
    let last = list[list.len() - 1];
    view.line(panel, last.right, last.left, &Pen::line(SECOND, 3.2));
    // A little beyond the portal.
    let t = last.normal().dot(last.left - apex) / last.normal().dot(ray);
    view.arrow(panel, apex, apex + ray * (t + 0.9 / ray.length()), FOCUS);
    for p in list.iter().flat_map(|portal| [portal.right, portal.left]) {
        view.dot(panel, p, STRUCTURE);
    }
}

/// The way out along the normal of a portal on the surface.
fn way_out(
    panel: &mut Panel,
    view: &View,
    difference: &Difference,
    normal: DVec2,
    colour: &'static str,
) -> f64 {
    let reach = normal.dot(difference.farthest(normal));
    view.arrow(panel, DVec2::ZERO, normal * reach, colour);
    view.across(panel, normal * reach, normal, 2.2, &Pen::dashes(colour, 1.2));
    reach
}

pub(crate) fn sheet() -> String {
    let a = Prism::new(&[[-3.0, -1.0], [-1.2, -2.6], [1.6, -2.2], [2.6, 0.4], [0.6, 2.4], [-2.2, 1.8]]);
    let b = Prism::new(&[[-3.6, -1.0], [3.2, -1.3], [3.0, 1.0], [0.2, 1.7], [-3.2, 1.1]]);
    let pose = Pose::new(DVec3::new(-2.0, -1.7, 0.0), Rotation::about_axis(DVec3::Z, 0.01));
    let difference = Difference::new(&a, &b, &pose);
    let view = View::of(&difference.corners());
    let exact = -gjk::proximity(&a, &b, &pose, &mut SimplexCache::new()).distance;
    let plain = penetration(&a, &b, &pose, 0).unwrap();
    let settled = penetration(&a, &b, &pose, DEFAULT_RAYS).unwrap();

    let apex = (pose.apply(b.centre()) - a.centre()).truncate();
    let list = portals(&difference, apex, -apex);
    let mut panels = Vec::new();
    for (number, shown) in [&list[..1], &list[..]].into_iter().enumerate() {
        let mut panel = Panel::new(if number == 0 {
            "The first portal\nA ray from the middle of B−A through the origin passes between two support points.".to_owned()
        } else {
            format!(
                "Pushed out to the surface\nThe origin is inside. The normal of the portal is a way out of {:.3} m.",
                plain.depth
            )
        });
        difference.draw(&mut panel, &view);
        drawn(&mut panel, &view, apex, -apex, shown);
        view.dot(&mut panel, apex, FOCUS);
        if number == 0 {
            let new = difference.farthest(list[0].normal());
            view.dot(&mut panel, new, TESTED);
            view.word(&mut panel, new, [0.0, -0.9], FOCUS, "next");
            view.word(&mut panel, apex, [0.0, -0.9], FOCUS, "middle");
            view.word(&mut panel, DVec2::ZERO, [1.8, -0.3], FOCUS, "origin");
            view.word(&mut panel, list[0].right * 0.4 + list[0].left * 0.6, [0.0, -0.9], SECOND, "portal");
            let below =
                difference.corners().into_iter().reduce(|p, q| if q.y < p.y { q } else { p }).unwrap();
            view.word(&mut panel, below, [-4.0, 1.4], "#6d747c", "B−A");
        } else {
            let depth = way_out(&mut panel, &view, &difference, list[list.len() - 1].normal(), PAIR);
            assert!((depth - plain.depth).abs() < 1e-9, "{depth} {}", plain.depth);
        }
        panels.push(panel);
    }
    let mut normal = list[list.len() - 1].normal();
    let mut depth = plain.depth;
    loop {
        let shot = portals(&difference, DVec2::ZERO, normal);
        let next = shot[shot.len() - 1].normal();
        let better = next.dot(difference.farthest(next));
        let ended = better > depth - 1e-9;
        let mut panel = Panel::new(if ended {
            format!("And again\nNothing improves. Here {better:.3} m is the least of all.")
        } else {
            format!("Shot again from the origin along that normal\nThe way out is {better:.3} m now.")
        });
        difference.draw(&mut panel, &view);
        view.arrow(&mut panel, DVec2::ZERO, normal * depth, QUIET);
        drawn(&mut panel, &view, DVec2::ZERO, normal, &shot[shot.len() - 1..]);
        way_out(&mut panel, &view, &difference, next, PAIR);
        panels.push(panel);
        (normal, depth) = (next, better);
        if ended {
            break;
        }
    }
    assert!((depth - settled.depth).abs() < 1e-9 && settled.settled && (depth - exact).abs() < 1e-9);
    canvas::sheet("MPR: a portal pushed out along a ray", 2, &panels)
}
