//! The cost model: nanoseconds per update from features of the scene.
//!
//! The constants are measured (one thread, `carom pairs` on the library's swarms, see `docs/broadphase.md`); only their
//! proportions matter. A model predicts what an update costs once the method is running.

use crate::{Method, Table};

/// Boxes looked at to judge how much they overlap on each axis.
const SAMPLE: usize = 48;

/// What the costs depend on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Features {
    /// Number of boxes.
    pub boxes: f32,
    /// Boxes that change per update, where any do.
    pub moving: f32,
    /// How many later boxes a box overlaps on the axis where that is least: what a sweep has to test.
    pub sweep_load: f32,
}

impl Features {
    /// Features of a space in which so many boxes move.
    #[must_use]
    pub fn of<const D: usize>(table: &Table<D>, moving: usize) -> Self {
        let boxes = table.len() as f32;
        let slots = table.slots() as u32;
        let step = (table.slots() / SAMPLE).max(1);
        let mut sample = [0u32; SAMPLE + 1];
        let mut count = 0;
        for id in (0..slots).step_by(step).filter(|&id| table.is_alive(id)).take(sample.len()) {
            sample[count] = id;
            count += 1;
        }
        let mut share = 1.0f32;
        for k in 0..D {
            let (mut overlaps, mut tests) = (0u32, 0u32);
            for (i, &a) in sample[..count].iter().enumerate() {
                for &b in &sample[i + 1..count] {
                    let (a, b) = (table.aabb(a), table.aabb(b));
                    overlaps += u32::from(a.min[k] <= b.max[k] && b.min[k] <= a.max[k]);
                    tests += 1;
                }
            }
            // One in advance: a sample that shows no overlap proves only that it is rare.
            share = share.min((overlaps + 1) as f32 / (tests + 1) as f32);
        }
        Self { boxes, moving: moving as f32, sweep_load: share * boxes * 0.5 }
    }
}

/// The methods it chooses from.
pub const CANDIDATES: [Method; 3] = [Method::Aabb, Method::BoxPruning, Method::BucketPruning];

/// Nanoseconds of an update in which something moves.
#[must_use]
pub fn cost(method: Method, features: &Features) -> f32 {
    let Features { boxes, moving, sweep_load } = *features;
    match method {
        Method::Aabb => boxes * (8.0 + 0.22 * boxes),
        Method::BoxPruning => boxes * (32.0 + 0.65 * sweep_load),
        Method::BucketPruning => {
            // Those that move are dealt anew; with many at rest each mover has to be looked up among them as well.
            let all_anew = boxes * 60.0;
            let some_kept = moving * 220.0 + 2_000.0;
            all_anew.min(some_kept)
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
