//! The cost model: nanoseconds per update from features of the scene.
//!
//! The constants are measured (one thread, `carom pairs` on the library's swarms, see `docs/broadphase.md`); only their
//! proportions matter. A model predicts what an update costs once the method is running.

use crate::{Method, Table};

/// Boxes looked at to judge how they lie.
const SAMPLE: usize = 64;
/// A space is filled evenly if on every axis a box takes at most this part.
const EVEN: f32 = 0.25;
/// Where a box takes more than this part even of its best axis, dividing space brings nothing.
const CROWDED: f32 = 0.05;

/// What the costs depend on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Features {
    /// Number of boxes.
    pub boxes: f32,
    /// Boxes that change per update, where any do.
    pub moving: f32,
    /// Part of the boxes that overlap a given one on the axis where that is least.
    pub best_part: f32,
    /// The same on the axis where that is most.
    pub worst_part: f32,
}

impl Features {
    /// Features of a space in which so many boxes move.
    #[must_use]
    pub fn of<const D: usize>(table: &Table<D>, moving: usize) -> Self {
        let slots = table.slots() as u32;
        let step = (table.slots() / SAMPLE).max(1);
        let mut sample = [0u32; SAMPLE + 1];
        let mut count = 0;
        for id in (0..slots).step_by(step).filter(|&id| table.is_alive(id)).take(sample.len()) {
            sample[count] = id;
            count += 1;
        }
        let (mut best_part, mut worst_part) = (1.0f32, 0.0f32);
        for k in 0..D {
            let part = part_on_axis(table, &sample[..count], k);
            best_part = best_part.min(part);
            worst_part = worst_part.max(part);
        }
        Self { boxes: table.len() as f32, moving: moving as f32, best_part, worst_part }
    }

    /// How many later boxes a sweep along the best axis tests a box against.
    #[must_use]
    pub fn sweep_load(&self) -> f32 {
        self.boxes * self.best_part
    }
}

/// Mean extent over range: half the part that overlaps if boxes lie evenly. Where they do not, the share of pairs of the sample
/// that overlap says more.
fn part_on_axis<const D: usize>(table: &Table<D>, sample: &[u32], axis: usize) -> f32 {
    let (mut low, mut high, mut extent, mut seen) = (f32::INFINITY, f32::NEG_INFINITY, 0.0f32, 0.0f32);
    let (mut overlaps, mut tests) = (0u32, 0u32);
    for (i, &a) in sample.iter().enumerate() {
        let (min, max) = (table.aabb(a).min[axis], table.aabb(a).max[axis]);
        if min.is_finite() && max.is_finite() {
            (low, high) = (low.min(min), high.max(max));
            extent += max * 0.5 - min * 0.5;
            seen += 1.0;
        }
        for &b in &sample[i + 1..] {
            let other = table.aabb(b);
            overlaps += u32::from(min <= other.max[axis] && other.min[axis] <= max);
            tests += 1;
        }
    }
    let range = high * 0.5 - low * 0.5;
    let even = if seen > 0.0 && extent < range * seen { extent / (range * seen) } else { 1.0 };
    // A few overlaps may be chance.
    let shared = overlaps.saturating_sub(4) as f32 * 0.5 / tests.max(1) as f32;
    even.max(shared)
}

/// The methods it chooses from.
pub const CANDIDATES: [Method; 4] =
    [Method::Aabb, Method::BoxPruning, Method::MultiSap, Method::BucketPruning];

/// Nanoseconds of an update in which something moves.
#[must_use]
pub fn cost(method: Method, features: &Features) -> f32 {
    let Features { boxes, moving, best_part, worst_part } = *features;
    let swept = 42.0 + 0.7 * features.sweep_load();
    // Columns; or, where they do not help, a look at them and a sweep.
    let divided = if best_part > CROWDED { 1.3 * swept } else { 80.0 };
    match method {
        Method::Aabb => boxes * (12.0 + 0.35 * boxes),
        Method::BoxPruning => boxes * swept,
        Method::MultiSap if worst_part <= EVEN => boxes * 0.9 * divided,
        Method::MultiSap => boxes * 1.3 * divided,
        Method::BucketPruning => {
            // Those that move are dealt anew; with many at rest each mover has to be looked up among them as well.
            (boxes * divided).min(moving * 270.0 + 2_000.0)
        }
        _ => f32::INFINITY,
    }
}

/// The cheapest candidate.
#[must_use]
pub fn cheapest(features: &Features) -> Method {
    let cheaper = |a: Method, b: Method| if cost(b, features) < cost(a, features) { b } else { a };
    CANDIDATES.into_iter().reduce(cheaper).unwrap_or(Method::BucketPruning)
}

/// Why this method, in a few words.
#[must_use]
pub fn reason(method: Method, features: &Features) -> String {
    let costs: Vec<String> = CANDIDATES
        .into_iter()
        .map(|candidate| format!("{candidate} {}", microseconds(cost(candidate, features))))
        .collect();
    let Features { boxes, moving, .. } = features;
    let why = if method == cheapest(features) { "cheapest" } else { "no other is clearly cheaper" };
    format!("{why} for {boxes} boxes of which {moving} move ({})", costs.join(", "))
}

fn microseconds(nanoseconds: f32) -> String {
    if nanoseconds < 1e6 {
        format!("{:.1} µs", nanoseconds * 1e-3)
    } else {
        format!("{:.1} ms", nanoseconds * 1e-6)
    }
}
