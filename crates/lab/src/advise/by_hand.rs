//! The model that `auto` had before: four candidates and constants chosen by hand, to be compared
//! with the fitted one.
//!
//! Kept so that the comparison can be repeated on any machine; nothing chooses by it.

use carom_broadphase::Method;
use carom_broadphase::auto::features::Features;

/// A space is filled evenly if on every axis a box takes at most this part.
const EVEN: f32 = 0.25;
/// Where a box takes more than this part even of its best axis, dividing space brings nothing.
const CROWDED: f32 = 0.05;

/// The methods it chose from.
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
            // Those that move are dealt anew; with many at rest each mover has to be looked up
            // among them as well.
            (boxes * divided).min(moving * 270.0 + 2_000.0)
        }
        _ => f32::INFINITY,
    }
}

/// The method it chose.
#[must_use]
pub fn cheapest(features: &Features) -> Method {
    let cheaper = |a: Method, b: Method| if cost(b, features) < cost(a, features) { b } else { a };
    CANDIDATES.into_iter().reduce(cheaper).unwrap_or(Method::BucketPruning)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_chooses_as_it_did() {
        let even = |boxes: f32, moving: f32, part: f32| Features {
            boxes,
            moving,
            best_part: part,
            worst_part: part,
            ..Features::default()
        };
        assert_eq!(cheapest(&even(20.0, 20.0, 0.2)), Method::Aabb);
        assert_eq!(cheapest(&even(800.0, 800.0, 0.04)), Method::BoxPruning);
        assert_eq!(cheapest(&even(60_000.0, 60_000.0, 0.01)), Method::MultiSap);
        assert_eq!(cheapest(&even(60_000.0, 600.0, 0.01)), Method::BucketPruning);
    }
}
