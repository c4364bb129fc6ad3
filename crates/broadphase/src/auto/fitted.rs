//! What each term of a method's work costs, in nanoseconds: fitted to measurements, not written by
//! hand.
//!
//! From 285 situations measured on AMD EPYC with rustc 1.95.0 (59807616e 2026-04-14). Made by
//! `carom advise --measure`; a test of the laboratory fits the committed samples again and
//! compares.

use super::model::{Fitted, TERMS};
use crate::Method;

/// The models, one per candidate, with the prices in the order of [`TERMS`].
pub const FITTED: [Fitted; 10] = [
    row(
        Method::Aabb,
        [60.88, 19.7, 0.0, 0.0, 0.0, 0.0, 0.358, 4.093, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    ),
    row(
        Method::Sap,
        [0.0, 0.0, 16.42, 0.0, 0.0, 0.0, 0.0, 2.845, 19.72, 0.0, 0.0, 67.51, 16.06, 541.2, 0.0, 0.0, 0.0],
    ),
    row(
        Method::MultiSap,
        [463.0, 58.05, 8.435, 0.0, 0.0, 0.0, 0.0, 17.1, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 321.2, 1.824],
    ),
    row(
        Method::BoxPruning,
        [
            1015.0, 0.002573, 10.86, 2.373, 0.0, 0.8025, 0.0, 12.45, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 31.33,
            0.0, 0.0,
        ],
    ),
    row(
        Method::BucketPruning,
        [221.2, 1.931, 0.0, 0.0, 1.06, 0.007243, 0.0, 0.0, 0.0, 34.43, 23.83, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    ),
    row(
        Method::Bvh,
        [492.7, 17.92, 5.573, 4.36, 0.0, 0.0, 0.0, 18.51, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    ),
    row(
        Method::BvhRefit,
        [
            72.98, 2.525, 0.0, 0.0, 1.592, 0.0, 0.0, 0.0, 0.002615, 29.81, 28.59, 11.08, 0.0, 0.0, 14.83,
            0.0, 0.0,
        ],
    ),
    row(
        Method::KdSweep,
        [62.01, 8.242, 0.0, 0.0, 2.77, 0.0, 0.0, 0.0, 43.19, 48.51, 0.0, 0.0, 0.0, 0.0, 21.97, 0.0, 9.629e-5],
    ),
    row(
        Method::Grid,
        [873.7, 37.91, 29.13, 0.0, 0.0, 0.0, 0.0, 6.085, 24.7, 30.47, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    ),
    row(
        Method::HierGrid,
        [359.9, 34.22, 0.9008, 0.0, 0.0, 0.0, 0.0, 4.41, 25.92, 103.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 21.15],
    ),
];

const fn row(method: Method, prices: [f32; TERMS.len()]) -> Fitted {
    Fitted { method, prices }
}
