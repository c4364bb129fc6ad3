//! On which side of a line a point lies, without rounding errors.
//!
//! The determinant is computed in floating point with a bound of its error; only if the sign is in
//! doubt, it is summed up exactly as a list of numbers that do not overlap (J. Shewchuk, "Adaptive
//! Precision Floating-Point Arithmetic", 1997). The answer is right as long as no product of two
//! coordinates over- or underflows: magnitudes within 10⁻¹⁴⁰ and 10¹⁴⁰, or 0.

use std::cmp::Ordering;

use crate::vector::Point;

/// How the path a → b → c turns: `Greater` to the left (counter-clockwise), `Less` to the right,
/// `Equal` straight on or back. Exact; NaN counts as straight.
///
/// ```
/// use carom_planar::polygon::orient2d;
/// use std::cmp::Ordering;
/// assert_eq!(orient2d([0.1, 0.1], [0.2, 0.2], [0.7, 0.7]), Ordering::Equal);
/// assert_eq!(orient2d([0.5, 0.5], [12.0, 12.0], [24.0, 24.000_000_000_000_004]), Ordering::Greater);
/// ```
#[must_use]
pub fn orient2d(a: Point, b: Point, c: Point) -> Ordering {
    let left = (a[0] - c[0]) * (b[1] - c[1]);
    let right = (a[1] - c[1]) * (b[0] - c[0]);
    let determinant = left - right;
    // Shewchuk's bound for this formula: (3 + 16 u) u with u = 2⁻⁵³.
    let bound = 3.330_669_073_875_471_6e-16 * (left.abs() + right.abs());
    if determinant > bound || -determinant > bound {
        return sign(determinant);
    }
    if left == 0.0 && right == 0.0 && is_plain(a, b, c) {
        return Ordering::Equal;
    }
    exact(a, b, c)
}

/// Differences that are zero are exact, so two products with a zero difference each are zero.
fn is_plain(a: Point, b: Point, c: Point) -> bool {
    (a[0] == c[0] || b[1] == c[1]) && (a[1] == c[1] || b[0] == c[0])
}

fn sign(x: f64) -> Ordering {
    x.partial_cmp(&0.0).unwrap_or(Ordering::Equal)
}

/// The sign of ax by − ay bx + bx cy − by cx + cx ay − cy ax.
fn exact(a: Point, b: Point, c: Point) -> Ordering {
    let mut sum = Expansion { parts: [0.0; 12], count: 0 };
    for [p, q] in [[a, b], [b, c], [c, a]] {
        for (x, y) in [(p[0], q[1]), (-p[1], q[0])] {
            let (high, low) = product(x, y);
            sum.add(low);
            sum.add(high);
        }
    }
    // The last part that is not zero is larger than all before it together.
    let largest = sum.parts[..sum.count].iter().rev().find(|x| **x != 0.0);
    largest.map_or(Ordering::Equal, |x| sign(*x))
}

/// Numbers that do not overlap, from small to large.
struct Expansion {
    parts: [f64; 12],
    count: usize,
}

impl Expansion {
    fn add(&mut self, x: f64) {
        let mut carry = x;
        for part in &mut self.parts[..self.count] {
            (carry, *part) = two_sum(carry, *part);
        }
        self.parts[self.count] = carry;
        self.count += 1;
    }
}

/// The rounded sum and its error (Knuth).
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let from_b = sum - a;
    (sum, (a - (sum - from_b)) + (b - from_b))
}

/// The rounded product and its error (Dekker and Veltkamp).
fn product(a: f64, b: f64) -> (f64, f64) {
    let halves = |x: f64| {
        let c = 134_217_729.0 * x; // 2²⁷ + 1
        let high = c - (c - x);
        (high, x - high)
    };
    let p = a * b;
    let ((a1, a2), (b1, b2)) = (halves(a), halves(b));
    (p, a2 * b2 - (((p - a1 * b1) - a2 * b1) - a1 * b2))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// With coordinates that are integers below 2⁵³, times a power of two.
    fn in_integers(p: [[i64; 2]; 3]) -> Ordering {
        let [a, b, c] = p.map(|p| p.map(i128::from));
        ((a[0] - c[0]) * (b[1] - c[1])).cmp(&((a[1] - c[1]) * (b[0] - c[0])))
    }

    proptest! {
        #[test]
        fn nearly_straight_paths_turn_as_integers_say(
            a in prop::array::uniform2(-(1i64 << 50)..1 << 50),
            along in prop::array::uniform2(-1000i64..1000),
            steps in prop::array::uniform2(-(1i64 << 40)..1 << 40),
            off in prop::array::uniform2(-1i64..=1),
            exponent in -300i32..300,
        ) {
            let at = |n: i64| [a[0] + along[0] * n, a[1] + along[1] * n];
            let (b, c) = (at(steps[0]), at(steps[1]));
            let points = [a, b, [c[0] + off[0], c[1] + off[1]]];
            let [a, b, c] = points.map(|p| p.map(|x| x as f64 * 2f64.powi(exponent)));
            prop_assert_eq!(orient2d(a, b, c), in_integers(points));
            prop_assert_eq!(orient2d(b, c, a), in_integers(points));
            prop_assert_eq!(orient2d(b, a, c), in_integers(points).reverse());
        }
    }
}
