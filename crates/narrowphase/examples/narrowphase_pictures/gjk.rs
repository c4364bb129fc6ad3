//! GJK: the support points it asked for, step by step.

use carom_geometry::{Pose, Rotation};
use carom_narrowphase::gjk::{GjkOptions, GjkOutcome, SimplexCache, distance};
use glam::{DVec2, DVec3};

use crate::canvas::{self, FOCUS, PAIR, Panel, Pen, SECOND, STRUCTURE, TESTED};
use crate::scene::{Difference, Prism, View, pair};

/// Of the points so far, those that hold `nearest`: one, or two with it between them.
fn simplex(points: &[DVec2], nearest: DVec2) -> Vec<DVec2> {
    let close = |p: DVec2| (p - nearest).length() < 1e-9;
    if let Some(p) = points.iter().copied().find(|p| close(*p)) {
        return vec![p];
    }
    let between = |p: DVec2, q: DVec2| {
        ((p - nearest).length() + (q - nearest).length() - (p - q).length()).abs() < 1e-9
    };
    let pairs = points.iter().flat_map(|p| points.iter().map(move |q| (*p, *q)));
    let (p, q) = pairs.into_iter().find(|(p, q)| between(*p, *q)).unwrap();
    vec![p, q]
}

pub(crate) fn sheet() -> String {
    let a = Prism::new(&[[-3.0, -1.0], [-1.2, -2.6], [1.6, -2.2], [2.6, 0.4], [0.6, 2.4], [-2.2, 1.8]]);
    let b = Prism::new(&[[-3.6, -1.0], [3.2, -1.3], [3.0, 1.0], [0.2, 1.7], [-3.2, 1.1]]);
    let pose = Pose::new(DVec3::new(3.5, 5.2, 0.0), Rotation::about_axis(DVec3::Z, -0.39));
    let found = distance(&a, &b, &pose, &mut SimplexCache::new(), &GjkOptions::default());
    let GjkOutcome::Near(found) = found else { panic!("the prisms are apart") };
    let (asked_a, asked_b) = (a.take_asked(), b.take_asked());
    // The first question gives the first point; the direction of each later one is the nearest
    // point so far.
    let points: Vec<DVec2> =
        asked_a.iter().zip(&asked_b).map(|([_, p], [_, q])| (pose.apply(*q) - *p).truncate()).collect();
    let nearest: Vec<DVec2> = asked_a[1..].iter().map(|[direction, _]| direction.truncate()).collect();
    let last = nearest[nearest.len() - 1];
    assert!((last.length() - found.distance).abs() < 1e-9, "the last direction is the answer");

    let mut shapes = Panel::new(format!(
        "Two shapes, {:.3} m apart\nThe difference of the two red points is the point of B−A nearest to the origin.",
        found.distance
    ));
    let mut all = a.corners(&Pose::IDENTITY);
    all.extend(b.corners(&pose));
    pair(&mut shapes, &View::of(&all), [&a, &b], &pose, [found.on_a, found.on_b], PAIR);
    let mut panels = vec![shapes];

    let difference = Difference::new(&a, &b, &pose);
    let mut seen = difference.corners();
    seen.push(DVec2::ZERO);
    let view = View::of(&seen);
    for (k, v) in nearest.iter().enumerate() {
        let (known, new) = (&points[..=k], points[k + 1]);
        let ended = k + 1 == nearest.len();
        let says = if ended {
            format!("Red: no corner lies farther back along it. {:.3} m is proved.", v.length())
        } else {
            format!(
                "Green: the nearest point so far, {:.3} m. Yellow: the corner farthest back along it, which is new.",
                v.length()
            )
        };
        let mut panel = Panel::new(format!("Step {}\n{says}", k + 1));
        difference.draw(&mut panel, &view);
        view.word(&mut panel, DVec2::ZERO, [0.0, -0.9], FOCUS, "origin");
        let middle = difference.corners().iter().sum::<DVec2>() / difference.corners().len() as f64;
        view.word(&mut panel, middle, [0.0, 0.0], "#6d747c", "B−A");
        view.across(&mut panel, new, *v, 3.4, &Pen::dashes(SECOND, 1.2));
        let corners = simplex(known, *v);
        if let [p, q] = corners[..] {
            view.line(&mut panel, p, q, &Pen::line(STRUCTURE, 2.4));
        }
        for p in corners {
            view.dot(&mut panel, p, STRUCTURE);
        }
        let colour = if ended { PAIR } else { STRUCTURE };
        view.line(&mut panel, DVec2::ZERO, *v, &Pen::dashes(colour, 1.6));
        view.dot(&mut panel, *v, colour);
        if !ended {
            view.dot(&mut panel, new, TESTED);
            view.word(&mut panel, new, [1.3, -0.6], FOCUS, "new");
        }
        panels.push(panel);
    }
    canvas::sheet("GJK: a simplex creeps towards the origin", 2, &panels)
}
