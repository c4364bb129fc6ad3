//! Brute force: every pair is looked at. Slow, obviously right, the oracle of all other methods,
//! and the fastest for a few dozen boxes.
//!
//! | module | holds |
//! |---|---|
//! | `every` | `none`: every pair goes on |
//! | `aabb` | `aabb`, and its plain twin [`AllBoxes`] (`aabb?lanes=1`) |
//! | `ball` | `sphere` and `obb` |

mod aabb;
mod ball;
mod every;

pub use aabb::AllBoxes;

use crate::Method;
use crate::broad_phase::BroadPhase;
use crate::method::About;
use crate::options::{BroadPhaseOptions, Lanes};

pub(crate) fn about(method: Method) -> About {
    let (name, what, contract, cost, best) = match method {
        Method::None => (
            "none",
            "Every pair goes on, untested.",
            "All pairs: n(n − 1)/2 of them are written.",
            "O(n²) time and memory: 16 000 boxes make 128 million pairs, a gigabyte.",
            "To see what a broad phase saves; a handful of boxes.",
        ),
        Method::Sphere => (
            "sphere",
            "Every pair of bounding spheres is tested, eight per instruction pair.",
            "The pairs whose spheres overlap, whether their boxes do or not.",
            "O(n²) tests of 4 numbers; no structure to keep.",
            "A few hundred round things.",
        ),
        Method::Obb => (
            "obb",
            "Every pair is tested by spheres, and what is left as oriented boxes.",
            "The pairs whose oriented boxes overlap, whether their boxes do or not.",
            "O(n²) tests of spheres, and some 15 ns for each pair whose spheres overlap.",
            "A few hundred long things with expensive contacts.",
        ),
        _ => (
            "aabb",
            "Every pair of boxes is tested, eight per instruction pair; one by one with lanes=1.",
            "Exactly the pairs whose boxes overlap.",
            "O(n²) tests; no structure to keep, the same for every scene.",
            "Up to a few hundred boxes, and as a reference.",
        ),
    };
    let options: &[_] = if method == Method::Aabb { &["lanes"] } else { &[] };
    About { name, what, contract, cost, best, options }
}

pub(crate) fn broad_phase<const D: usize>(
    method: Method,
    options: &BroadPhaseOptions,
) -> Box<dyn BroadPhase<D>> {
    match method {
        Method::None => Box::new(every::Every::default()),
        Method::Sphere => Box::new(ball::AllSpheres::default()),
        Method::Obb => Box::new(ball::AllOriented::default()),
        _ if options.lanes == Some(Lanes::One) => Box::new(AllBoxes::default()),
        _ => Box::new(aabb::BoxLanes::default()),
    }
}
