//! The cost model: nanoseconds per update from features of the scene.
//!
//! The constants are measured (one thread, `carom pairs` on the library's swarms, see `docs/broadphase.md`); only their
//! proportions matter. A model predicts what an update costs once the method is running.

pub use super::features::Features;
use crate::Method;

/// A space is filled evenly if on every axis a box takes at most this part.
const EVEN: f32 = 0.25;
/// Where a box takes more than this part even of its best axis, dividing space brings nothing.
const CROWDED: f32 = 0.05;

/// The methods it chooses from.
pub const CANDIDATES: [Method; 4] =
    [Method::Aabb, Method::BoxPruning, Method::MultiSap, Method::BucketPruning];

/// Nanoseconds of an update in which something moves.
#[must_use]
pub fn cost(method: Method, features: &Features) -> f32 {
    let Features { boxes, moving, best_part, worst_part, .. } = *features;
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
