//! Turning a k-DOP in constant time, for trees that are tested in relative poses.
//!
//! The extent of a convex set along e = Σ wᵢ dᵢ with wᵢ ≥ 0 is at most Σ wᵢ times its extents along
//! the dᵢ. Every direction lies between three directions of the set: with its coordinates sorted by
//! size, m₁ ≥ m₂ ≥ m₃, it is m₃ times a corner plus m₂ − m₃ times an edge plus m₁ − m₂ times an
//! axis, each with fitting signs; without edges or without corners there is a similar sum. So each
//! bound of the transformed volume is a sum of three old ones, chosen once per rotation. It is
//! exact where the three faces meet in a corner of the volume.

use super::Kdop;
use crate::pose::Pose;
use crate::real::{Real, Vector};

/// One term of a bound: weight times the extent along a direction, or along its opposite.
#[derive(Clone, Copy, Debug)]
struct Term<S: Real> {
    weight: S,
    index: usize,
    is_opposite: bool,
}

/// A pose prepared for turning many volumes.
#[derive(Clone, Copy, Debug)]
pub struct KdopTransform<const K2: usize, S: Real = f32> {
    terms: [[Term<S>; 3]; K2],
    shift: [S; K2],
    place: S,
}

/// The direction of the set that equals `wanted`, or its opposite.
fn find<const K2: usize, S: Real>(wanted: [i8; 3]) -> (usize, bool) {
    for (index, direction) in Kdop::<K2, S>::DIRECTIONS.iter().enumerate() {
        if *direction == wanted {
            return (index, false);
        }
        if direction.map(|c| -c) == wanted {
            return (index, true);
        }
    }
    // Not reached: only directions of the set are asked for.
    (0, false)
}

/// Weights and directions whose sum is `e`.
fn decompose<const K2: usize, S: Real>(e: S::Vec3) -> [Term<S>; 3] {
    let mut order = [0, 1, 2];
    let size = Vector::abs(e);
    for (i, j) in [(0, 1), (1, 2), (0, 1)] {
        if size[order[j]] > size[order[i]] {
            order.swap(i, j);
        }
    }
    let m = order.map(|k| size[k]);
    let signs = order.map(|k| if e[k] < S::ZERO { -1 } else { 1 });
    // A direction by which of the sorted coordinates it has.
    let term = |weight: S, has: [bool; 3]| {
        let mut wanted = [0; 3];
        for k in 0..3 {
            if has[k] {
                wanted[order[k]] = signs[k];
            }
        }
        let (index, is_opposite) = find::<K2, S>(wanted);
        Term { weight, index, is_opposite }
    };
    let (first, second, both) = ([true, false, false], [false, true, false], [true, true, false]);
    match K2 {
        7 => [term(m[2], [true; 3]), term(m[1] - m[2], second), term(m[0] - m[2], first)],
        9 if m[0] >= m[1] + m[2] => {
            [term(m[1], both), term(m[2], [true, false, true]), term(m[0] - m[1] - m[2], first)]
        }
        9 => [
            term((m[0] + m[1] - m[2]) * S::HALF, both),
            term((m[0] + m[2] - m[1]) * S::HALF, [true, false, true]),
            term((m[1] + m[2] - m[0]) * S::HALF, [false, true, true]),
        ],
        _ => [term(m[2], [true; 3]), term(m[1] - m[2], both), term(m[0] - m[1], first)],
    }
}

impl<const K2: usize, S: Real> KdopTransform<K2, S> {
    /// Prepares a pose.
    #[must_use]
    pub fn new(pose: &Pose<S>) -> Self {
        Self {
            terms: std::array::from_fn(|k| {
                decompose::<K2, S>(pose.rotation.rotate_back(Kdop::<K2, S>::direction(k)))
            }),
            shift: std::array::from_fn(|k| Kdop::<K2, S>::along(k, pose.translation)),
            place: Vector::abs(pose.translation).max_element(),
        }
    }
}

impl<const K2: usize, S: Real> Kdop<K2, S> {
    /// A volume around this one transformed and moved: at least as large as [`posed`](Self::posed),
    /// without allocation and faster.
    #[must_use]
    pub fn transformed(&self, transform: &KdopTransform<K2, S>) -> Self {
        let mut transformed = *self;
        for k in 0..K2 {
            let (mut high, mut low, mut size) = (S::ZERO, S::ZERO, transform.place);
            for term in &transform.terms[k] {
                let (a, b) = (self.min[term.index], self.max[term.index]);
                let (a, b) = if term.is_opposite { (-b, -a) } else { (a, b) };
                low += term.weight * a;
                high += term.weight * b;
                size += Real::max(a.abs(), b.abs());
            }
            let margin = S::of(16.0) * S::EPSILON * size;
            transformed.min[k] = low + transform.shift[k] - margin;
            transformed.max[k] = high + transform.shift[k] + margin;
        }
        transformed
    }
}
