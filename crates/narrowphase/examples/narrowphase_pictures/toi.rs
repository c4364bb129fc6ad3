//! Time of impact: a turning rod, and the axes by which its time is found.

use carom_geometry::shape::Capsule;
use carom_geometry::{Pose, Rotation};
use carom_narrowphase::Convex;
use carom_narrowphase::gjk::{self, SimplexCache};
use carom_narrowphase::toi::{Motion, Toi, ToiOptions, time_of_impact};
use glam::{DVec2, DVec3};

use crate::canvas::{self, Anchor, BOX, FOCUS, PAIR, Panel, Pen, QUIET, SECOND, STRUCTURE};
use crate::scene::{OTHER, Prism, View, capsule};

/// Samples of a curve.
const SAMPLES: usize = 240;

/// The gap of the shapes along an axis from the first to the second.
fn gap(a: &Prism, b: &Capsule<f64>, pose: &Pose<f64>, n: DVec3) -> f64 {
    let reach = n.dot(a.core_support(n, &mut 0));
    let back = pose.rotation.rotate_back(-n);
    n.dot(pose.apply(b.core_support(back, &mut 0))) - b.radius - reach
}

/// The last time from `t` on until which the gap along an axis is above the target, and whether
/// that is the end.
fn clear_until(gap: impl Fn(f64) -> f64, t: f64, target: f64) -> f64 {
    let step = 1.0 / 2048.0;
    let mut low = t;
    while low + step <= 1.0 && gap(low + step) > target {
        low += step;
    }
    let mut high = low + step;
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        if gap(middle) > target { low = middle } else { high = middle }
    }
    low
}

pub(crate) fn sheet() -> String {
    let block = Prism::new(&[[-1.6, -1.4], [0.4, -1.9], [1.9, -0.6], [1.6, 1.2], [-0.2, 1.9], [-1.9, 0.7]]);
    let rod = Capsule::along_x(1.5, 0.16).unwrap();
    let still = Motion::rotating(&Pose::IDENTITY, DVec3::ZERO, DVec3::ZERO, DVec3::ZERO);
    let start = Pose::new(DVec3::new(-5.0, 3.3, 0.0), Rotation::about_axis(DVec3::Z, 1.2));
    let motion = Motion::rotating(&start, DVec3::ZERO, DVec3::new(8.4, -1.1, 0.0), DVec3::Z * -7.2);
    let options = ToiOptions::default();
    let found = time_of_impact(&block, &still, &rod, &motion, &options);
    let Toi::Hit { t: hit, proximity } = found else { panic!("{found:?}") };

    let ends = |t: f64| [rod.segment.a, rod.segment.b].map(|p| motion.at(t).apply(p).truncate());
    let corners = block.corners(&Pose::IDENTITY);
    let view = View::of(&[&corners[..], &ends(0.0), &ends(1.0), &[DVec2::new(-5.6, 1.2)]].concat());
    let mut first = Panel::new(format!(
        "A rod flies and turns towards a block\nBlack: the time of impact {hit:.3}. Grey: where it would be at time 1."
    ));
    view.shape(&mut first, &corners, BOX, "A");
    view.polygon(&mut first, &capsule(ends(1.0), rod.radius), &Pen::dashes(QUIET, 1.0));
    let shown = 5;
    for k in 0..shown {
        let t = hit * f64::from(k) / f64::from(shown);
        view.polygon(&mut first, &capsule(ends(t), rod.radius), &Pen::line(OTHER, 0.9).filled(0.16));
    }
    view.polygon(&mut first, &capsule(ends(hit), rod.radius), &Pen::line(FOCUS, 1.6).filled(0.12));
    // The path of the end that hits.
    let touched = proximity.on_b.truncate();
    let [p, q] = ends(hit).map(|end| (end - touched).length());
    let tip = usize::from(q < p);
    let path: Vec<_> = (0..=48).map(|k| view.at(ends(hit * f64::from(k) / 48.0)[tip])).collect();
    first.path(&path, false, &Pen::dashes(SECOND, 1.0));
    view.dot(&mut first, proximity.on_a.truncate(), PAIR);
    view.word(&mut first, ends(0.0)[0], [-0.1, -0.9], FOCUS, "time 0");

    // The rule of the algorithm with axes fixed in space.
    let relative_pose = |t: f64| motion.at(t);
    let distance = |t: f64| gjk::proximity(&block, &rod, &relative_pose(t), &mut SimplexCache::new());
    let (mut t, mut axes) = (0.0, Vec::new());
    while distance(t).distance > options.target_distance + options.tolerance {
        let n = distance(t).normal;
        let until = clear_until(|s| gap(&block, &rod, &relative_pose(s), n), t, options.target_distance);
        axes.push((t, until, n));
        t = until;
    }
    assert!((t - hit).abs() < 0.002, "{t} {hit}");

    let most = distance(0.0).distance;
    let at = |t: f64, d: f64| -> [f32; 2] { [2.2 + 19.0 * (t / hit) as f32, 1.9 + 11.8 * (d / most) as f32] };
    let mut second = Panel::new(format!(
        "The distance over time, and the gaps along {} axes\nAn axis is the normal when it is measured; while its gap is open nothing touches. Where it closes the next one is measured.",
        axes.len()
    ));
    second.arrow(at(0.0, 0.0), [23.2, 1.9], QUIET);
    second.arrow(at(0.0, 0.0), [2.2, 15.4], QUIET);
    second.text([3.2, 15.2], Anchor::Start, "#555", "distance, m");
    second.text([22.6, 2.6], Anchor::Middle, "#555", "time");
    for tick in 0..=3 {
        let d = f64::from(tick);
        if d > most {
            break;
        }
        second.text([at(0.0, d)[0] - 0.7, at(0.0, d)[1]], Anchor::Middle, "#555", &format!("{d}"));
    }
    let curve = |from: f64, to: f64, f: &dyn Fn(f64) -> f64| -> Vec<[f32; 2]> {
        (0..=SAMPLES).map(|k| from + (to - from) * k as f64 / SAMPLES as f64).map(|t| at(t, f(t))).collect()
    };
    let end = hit;
    second.path(&curve(0.0, end, &|t| distance(t).distance), false, &Pen::line(FOCUS, 2.0));
    for (number, (from, until, n)) in axes.iter().enumerate() {
        let colour = if number % 2 == 0 { STRUCTURE } else { SECOND };
        second.path(
            &curve(*from, *until, &|t| gap(&block, &rod, &relative_pose(t), *n)),
            false,
            &Pen::line(colour, 1.6),
        );
        let [x, y] = at(*from, distance(*from).distance);
        second.line([x, y], at(*from, 0.0), &Pen::dashes(QUIET, 0.8));
        second.circle([x, y], 0.22, &Pen::line(colour, 0.0).filled(1.0));
        if number < 3 {
            second.text([x + 0.7, y + 0.5], Anchor::Middle, colour, &format!("{}", number + 1));
        }
    }
    second.circle(at(hit, 0.0), 0.24, &Pen::line(PAIR, 0.0).filled(1.0));
    let [x, y] = at(hit, 0.0);
    second.text([x, y - 0.9], Anchor::Middle, PAIR, &format!("{hit:.3}"));
    canvas::sheet("Time of impact", 2, &[first, second])
}
