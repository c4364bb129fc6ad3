//! `auto`: what its model predicts.

use carom_broadphase::auto::model::{CANDIDATES, Features, cheapest, cost};
use carom_broadphase::{Method, Space};
use carom_core::trig;
use carom_geometry::Aabb;

use crate::canvas::{self, Anchor, BOX, FOCUS, Panel, Pen, Point, QUIET, SECOND, STRUCTURE, TESTED};
use crate::scene::Dice;

const COLOURS: [&str; CANDIDATES.len()] = [TESTED, "#c2410c", SECOND, STRUCTURE, BOX, "#0f766e", "#7f1d1d"];

/// A cloud of boxes of edge 1 to 1.7 in a cube of `edge` metres.
fn features(count: usize, edge: f32) -> Features {
    let mut dice = Dice::new(1);
    let mut space = Space::<3>::new(Method::None);
    for _ in 0..count {
        let low = [0, 1, 2].map(|_| dice.between(0.05 * edge, 0.95 * edge));
        space.insert(Aabb::new(low, low.map(|c| c + dice.between(1.0, 1.7)))).unwrap();
    }
    Features::of(space.table(), count)
}

fn log(value: f32) -> f32 {
    trig::log2(value) / trig::log2(10.0)
}

/// Axes with decades; returns where a value is drawn.
fn frame(
    panel: &mut Panel,
    across: [i32; 2],
    up: [i32; 2],
    names: [&dyn Fn(i32) -> String; 2],
) -> impl Fn(f32, f32) -> Point + use<> {
    let at = move |x: f32, y: f32| {
        let share = |value: f32, ends: [i32; 2]| (value - ends[0] as f32) / (ends[1] - ends[0]) as f32;
        [3.6 + 19.4 * share(x, across), 1.7 + 13.4 * share(y, up)]
    };
    for x in across[0]..=across[1] {
        panel.line(at(x as f32, up[0] as f32), at(x as f32, up[1] as f32), &Pen::line(QUIET, 0.4));
        let [px, py] = at(x as f32, up[0] as f32);
        panel.text([px, py - 0.7], Anchor::Middle, "#555", &names[0](x));
    }
    for y in up[0]..=up[1] {
        panel.line(at(across[0] as f32, y as f32), at(across[1] as f32, y as f32), &Pen::line(QUIET, 0.4));
        let [_, py] = at(across[0] as f32, y as f32);
        panel.text([0.2, py], Anchor::Start, "#555", &names[1](y));
    }
    at
}

fn time(decade: i32) -> String {
    ["100 ns", "1 µs", "10 µs", "100 µs", "1 ms", "10 ms", "100 ms", "1 s"][(decade - 2) as usize].to_owned()
}

/// A line per candidate, with a mark where it is the cheapest.
fn draw(panel: &mut Panel, at: &impl Fn(f32, f32) -> Point, samples: &[(f32, Features)]) {
    for (method, colour) in CANDIDATES.into_iter().zip(COLOURS) {
        let points: Vec<Point> = samples.iter().map(|(x, f)| at(*x, log(cost(method, f)))).collect();
        panel.path(&points, false, &Pen::line(colour, 1.8));
        for ((_, features), point) in samples.iter().zip(&points) {
            if cheapest(features) == method {
                panel.circle(*point, 0.28, &Pen::line(FOCUS, 1.2));
            }
        }
    }
    for (rank, (method, colour)) in CANDIDATES.into_iter().zip(COLOURS).enumerate() {
        panel.text([16.0, 7.0 - 0.8 * rank as f32], Anchor::Start, colour, &method.to_string());
    }
}

pub(crate) fn sheet() -> String {
    let mut by_count = Panel::new(
        "auto: predicted cost of an update, all boxes moving far\nover the number of boxes, in clouds of the density of the swarm brownian.\n\
         Ringed: the cheapest, which is used.",
    );
    let at = frame(&mut by_count, [1, 5], [2, 9], [&|decade| format!("10^{decade}"), &time]);
    // Eight times the boxes, twice the edge: the density stays.
    let clouds: Vec<(f32, Features)> = (0..5)
        .map(|k| (10 << (3 * k), 10.0 * (1 << k) as f32))
        .map(|(count, edge)| (log(count as f32), features(count, edge)))
        .collect();
    draw(&mut by_count, &at, &clouds);
    let mut by_motion = Panel::new(
        "Of 5120 boxes a part moves\nover the number that move. The prediction is compared now and\n\
         then; a change must be clearly worth it twice in a row.",
    );
    let at = frame(&mut by_motion, [0, 4], [2, 9], [&|decade| format!("10^{decade}"), &time]);
    let still = clouds[3].1;
    let part: Vec<(f32, Features)> = [1.0, 10.0, 100.0, 300.0, 1000.0, 1500.0, 2500.0, 5120.0]
        .map(|moving| (log(moving), Features { moving, ..still }))
        .to_vec();
    draw(&mut by_motion, &at, &part);
    canvas::sheet("The cost model of auto", 2, &[by_count, by_motion])
}
