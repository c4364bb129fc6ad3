//! Closed forms: closest points of cores with radii taken off, and the few ways out where the cores
//! overlap.

use carom_geometry::shape::{Capsule, Cuboid};
use carom_geometry::{Pose, Rotation};
use carom_narrowphase::analytic::{capsule_capsule, cuboid_capsule};
use glam::{DVec2, DVec3};

use crate::canvas::{self, BOX, FOCUS, PAIR, Panel, Pen, STRUCTURE, TESTED};
use crate::scene::{OTHER, View, capsule};

fn flat(p: DVec3) -> DVec2 {
    p.truncate()
}

/// The ends of a placed capsule and its outline.
fn placed(shape: &Capsule<f64>, pose: &Pose<f64>) -> ([DVec2; 2], Vec<DVec2>) {
    let ends = [shape.segment.a, shape.segment.b].map(|p| flat(pose.apply(p)));
    (ends, capsule(ends, shape.radius))
}

fn capsules() -> Panel {
    let a = Capsule::new(DVec3::new(-3.4, -0.4, 0.0), DVec3::new(2.6, -1.4, 0.0), 1.0).unwrap();
    let b = Capsule::along_x(2.6, 0.7).unwrap();
    let pose = Pose::new(DVec3::new(2.9, 3.1, 0.0), Rotation::about_axis(DVec3::Z, 0.75));
    let found = capsule_capsule(&a, &b, &pose);
    let mut panel = Panel::new(format!(
        "Two capsules, {:.3} m apart\nThe cores are segments: closest points by formula, {:.3} m. Then the radii {} and {} are taken off.",
        found.distance,
        found.distance + a.radius + b.radius,
        a.radius,
        b.radius
    ));
    let (ends_a, outline_a) = placed(&a, &Pose::IDENTITY);
    let (ends_b, outline_b) = placed(&b, &pose);
    let view = View::of(&[&outline_a[..], &outline_b[..]].concat());
    view.polygon(&mut panel, &outline_a, &Pen::line(BOX, 1.4).filled(0.22));
    view.polygon(&mut panel, &outline_b, &Pen::line(OTHER, 1.4).filled(0.22));
    for [p, q] in [ends_a, ends_b] {
        view.line(&mut panel, p, q, &Pen::line(STRUCTURE, 2.0));
        view.dot(&mut panel, p, STRUCTURE);
        view.dot(&mut panel, q, STRUCTURE);
    }
    let (on_a, on_b, normal) = (flat(found.on_a), flat(found.on_b), flat(found.normal));
    let cores = [on_a - normal * a.radius, on_b + normal * b.radius];
    view.line(&mut panel, cores[0], cores[1], &Pen::dashes(STRUCTURE, 1.4));
    view.line(&mut panel, on_a, on_b, &Pen::line(PAIR, 2.4));
    for (core, surface) in cores.into_iter().zip([on_a, on_b]) {
        view.dot(&mut panel, core, STRUCTURE);
        view.dot(&mut panel, surface, PAIR);
    }
    view.word(&mut panel, ends_a[0], [0.9, -0.8], FOCUS, "A");
    view.word(&mut panel, ends_b[1], [0.3, -0.9], FOCUS, "B");
    view.word(&mut panel, (ends_a[0] + ends_a[1]) * 0.5, [-1.0, 1.0], STRUCTURE, "core");
    view.word(&mut panel, (on_a + on_b) * 0.5, [2.1, 0.1], PAIR, "distance");
    panel
}

fn ways_out() -> Panel {
    let a = Cuboid::new(DVec3::new(3.2, 2.0, 50.0)).unwrap();
    let b = Capsule::along_x(2.4, 0.6).unwrap();
    let pose = Pose::new(DVec3::new(2.2, 0.9, 0.0), Rotation::about_axis(DVec3::Z, 0.42));
    let found = cuboid_capsule(&a, &b, &pose);
    let (ends, outline) = placed(&b, &pose);
    let corners =
        [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]].map(|[x, y]| DVec2::new(3.2 * x, 2.0 * y));
    // How far B must go along a direction to be out of A.
    let way = |n: DVec2| {
        let reach = corners.iter().map(|p| n.dot(*p)).fold(f64::MIN, f64::max);
        reach - ends.iter().map(|p| n.dot(*p)).fold(f64::MAX, f64::min) + b.radius
    };
    let side = (ends[1] - ends[0]).perp().normalize();
    let directions = [DVec2::X, -DVec2::X, DVec2::Y, -DVec2::Y, side, -side];
    let least = directions.into_iter().reduce(|best, n| if way(n) < way(best) { n } else { best }).unwrap();
    assert!((way(least) + found.distance).abs() < 1e-9 && (least - flat(found.normal)).length() < 1e-9);
    let mut panel = Panel::new(format!(
        "A capsule whose core is in a box, {:.3} m deep\nOnly directions across a side or a core count: the shortest of these ways out is the least of all.",
        -found.distance
    ));
    let centre = flat(pose.translation);
    let moved: Vec<DVec2> = outline.iter().map(|p| *p + least * way(least)).collect();
    let tips = directions.map(|n| centre + n * way(n));
    let view = View::of(&[&corners[..], &outline[..], &moved[..], &tips[..]].concat());
    view.shape(&mut panel, &corners, BOX, "");
    view.word(&mut panel, corners[2], [0.8, 0.8], FOCUS, "A");
    view.polygon(&mut panel, &moved, &Pen::dashes(FOCUS, 1.0));
    view.polygon(&mut panel, &outline, &Pen::line(OTHER, 1.4).filled(0.22));
    view.line(&mut panel, ends[0], ends[1], &Pen::line(STRUCTURE, 2.0));
    view.word(&mut panel, ends[1], [0.2, -0.1], FOCUS, "B");
    for (n, tip) in directions.into_iter().zip(tips) {
        let colour = if n == least { PAIR } else { TESTED };
        view.arrow(&mut panel, centre, tip, colour);
        let shift = match n {
            _ if n == least => [1.2, -0.9],
            _ if n.y == 0.0 => [1.3 * n.x.signum() as f32, 0.0],
            _ => [1.2 * n.x as f32, 0.7 * n.y.signum() as f32],
        };
        view.word(&mut panel, tip, shift, if n == least { PAIR } else { FOCUS }, &format!("{:.2}", way(n)));
    }
    panel
}

pub(crate) fn sheet() -> String {
    canvas::sheet("Closed forms: cores and radii", 2, &[capsules(), ways_out()])
}
