//! What each term of a method's work costs, in nanoseconds: fitted to measurements, not written by hand.
//!
//! Made by `carom advise --measure`; a test of the laboratory fits the committed samples again and compares.

use super::model::{Fitted, TERMS};
use crate::Method;

/// The models, one per candidate, with the prices in the order of [`TERMS`].
pub const FITTED: [Fitted; 10] = [
    row(
        Method::Aabb,
        [106.0, 18.08, 0.0, 0.0, 0.0, 0.0, 0.3567, 4.429, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    ),
    row(
        Method::Sap,
        [0.0, 0.0, 18.0, 0.0, 0.0, 0.0, 0.0, 3.104, 19.78, 0.0, 0.0, 66.73, 14.88, 494.1, 0.0, 0.0, 0.0],
    ),
    row(
        Method::MultiSap,
        [599.6, 53.91, 11.81, 0.0, 0.0, 0.0, 0.0, 18.6, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 299.0, 2.326],
    ),
    row(
        Method::BoxPruning,
        [974.7, 0.0, 13.0, 2.412, 0.0, 0.7372, 0.0, 15.61, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 24.05, 0.0, 0.0],
    ),
    row(
        Method::BucketPruning,
        [217.0, 1.637, 0.0, 0.0, 1.081, 0.009068, 0.0, 0.0, 0.0, 34.79, 25.41, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    ),
    row(
        Method::KdSweep,
        [
            37.4, 7.678, 0.0, 0.0, 2.799, 0.0, 0.0, 0.0, 44.72, 49.05, 0.0, 0.0, 0.0, 0.0, 15.73, 0.0,
            0.0001077,
        ],
    ),
    row(
        Method::Grid,
        [957.4, 35.12, 33.24, 0.0, 0.0, 0.0, 0.0, 8.346, 21.71, 29.57, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.2766],
    ),
    row(
        Method::HierGrid,
        [401.1, 30.8, 6.858, 0.0, 0.0, 0.0, 0.0, 6.224, 23.28, 101.7, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 22.17],
    ),
    row(
        Method::Bvh,
        [556.2, 16.23, 8.309, 4.223, 0.0, 0.0, 0.0, 19.88, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.1457],
    ),
    row(
        Method::BvhRefit,
        [49.94, 2.315, 0.0, 0.0, 1.541, 0.0, 0.0, 0.0, 0.0, 30.19, 30.55, 12.15, 0.0, 0.0, 12.6, 0.0, 0.0],
    ),
];

const fn row(method: Method, prices: [f32; TERMS.len()]) -> Fitted {
    Fitted { method, prices }
}
