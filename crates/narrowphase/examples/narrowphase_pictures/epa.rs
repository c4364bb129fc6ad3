//! EPA: from the simplex that GJK left to the surface, by the rule of the algorithm in the plane.

use carom_geometry::{Pose, Rotation};
use carom_narrowphase::epa::penetration;
use carom_narrowphase::gjk::{GjkOptions, GjkOutcome, SimplexCache, distance};
use glam::{DVec2, DVec3};

use crate::canvas::{self, FOCUS, PAIR, Panel, Pen, SECOND, STRUCTURE, TESTED};
use crate::scene::{Difference, Prism, View, pair};

/// An edge of the growing polygon: its number, outer normal and height over the origin.
struct Edge {
    number: usize,
    normal: DVec2,
    height: f64,
}

/// The edge nearest to the origin of a polygon that runs counter-clockwise round it.
fn nearest(polygon: &[DVec2]) -> Edge {
    let edges = (0..polygon.len()).map(|number| {
        let (p, q) = (polygon[number], polygon[(number + 1) % polygon.len()]);
        let normal = -(q - p).perp().normalize();
        Edge { number, normal, height: normal.dot(p) }
    });
    edges.reduce(|best, edge| if edge.height < best.height { edge } else { best }).unwrap()
}

pub(crate) fn sheet() -> String {
    let a = Prism::new(&[[-3.0, -1.0], [-1.2, -2.6], [1.6, -2.2], [2.6, 0.4], [0.6, 2.4], [-2.2, 1.8]]);
    let b = Prism::new(&[[-3.6, -1.0], [3.2, -1.3], [3.0, 1.0], [0.2, 1.7], [-3.2, 1.1]]);
    let pose = Pose::new(DVec3::new(1.2, 2.9, 0.0), Rotation::about_axis(DVec3::Z, 0.61));
    let mut cache = SimplexCache::new();
    let outcome = distance(&a, &b, &pose, &mut cache, &GjkOptions::default());
    assert!(matches!(outcome, GjkOutcome::Overlapping), "the prisms overlap");
    let mut polygon: Vec<DVec2> =
        cache.pairs().iter().map(|[p, q]| (pose.apply(*q) - *p).truncate()).collect();
    if (polygon[1] - polygon[0]).perp_dot(polygon[2] - polygon[0]) < 0.0 {
        polygon.reverse();
    }
    let found = penetration(&a, &b, &pose, &mut cache, 1e-10);

    let mut shapes = Panel::new(format!(
        "Two shapes that overlap by {:.3} m\nRed: the shortest way out. Moved by it, B is where the dashes are.",
        -found.distance
    ));
    let mut all = a.corners(&Pose::IDENTITY);
    let out = (found.normal * -found.distance).truncate();
    let moved: Vec<DVec2> = b.corners(&pose).iter().map(|p| *p + out).collect();
    all.extend(&moved);
    all.extend(b.corners(&pose));
    let view = View::of(&all);
    view.polygon(&mut shapes, &moved, &Pen::dashes(FOCUS, 1.0));
    pair(&mut shapes, &view, [&a, &b], &pose, [found.on_a, found.on_b], PAIR);
    let mut panels = vec![shapes];

    let difference = Difference::new(&a, &b, &pose);
    let view = View::of(&difference.corners());
    loop {
        let edge = nearest(&polygon);
        let new = difference.farthest(edge.normal);
        let reach = edge.normal.dot(new);
        let ended = reach - edge.height < 1e-9;
        let says = match (panels.len(), ended) {
            (_, true) => format!("Nothing lies beyond its nearest edge: depth {reach:.3} m."),
            (1, _) => {
                "What GJK left, with the origin in it. Its nearest edge is pushed out to the farthest corner."
                    .into()
            }
            _ => format!("The depth lies between {:.3} m and {reach:.3} m.", edge.height),
        };
        let mut panel = Panel::new(format!("A polygon of {} corners\n{says}", polygon.len()));
        difference.draw(&mut panel, &view);
        view.polygon(&mut panel, &polygon, &Pen::line(STRUCTURE, 1.6).filled(0.16));
        for p in &polygon {
            view.dot(&mut panel, *p, STRUCTURE);
        }
        let (p, q) = (polygon[edge.number], polygon[(edge.number + 1) % polygon.len()]);
        let colour = if ended { PAIR } else { SECOND };
        view.line(&mut panel, p, q, &Pen::line(colour, 3.0));
        view.arrow(&mut panel, DVec2::ZERO, edge.normal * edge.height, colour);
        if !ended {
            view.across(&mut panel, new, edge.normal, 2.6, &Pen::dashes(SECOND, 1.2));
            view.dot(&mut panel, new, TESTED);
        }
        view.word(&mut panel, DVec2::ZERO, [1.7, 0.7], FOCUS, "origin");
        panels.push(panel);
        if ended {
            assert!((reach + found.distance).abs() < 1e-9, "{reach} against {}", found.distance);
            assert!((edge.normal + found.normal.truncate()).length() < 1e-9);
            break;
        }
        polygon.insert(edge.number + 1, new);
    }
    canvas::sheet("EPA: a polygon grows to the surface", 2, &panels)
}
