//! Oriented boxes and their separating-axis test in Fingsics' arithmetic.
//!
//! Two boxes are apart iff one of 15 axes separates them: the three face normals of each and the
//! nine cross products of their edges (Gottschalk, Lin and Manocha). A cross product of nearly
//! parallel edges is nearly zero and its test is all rounding error; [`ParallelEdges`] says what to
//! do then.

use glam::Vec3;

use crate::arithmetic::{RowMatrix, dot};

/// A box of half extents `half` along the columns of `rotation`, centred on `centre`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FingsicsObb {
    /// Centre.
    pub(crate) centre: Vec3,
    /// Half extents along the box's own axes.
    pub(crate) half: Vec3,
    /// The box's axes as rows.
    pub(crate) axes: RowMatrix,
}

/// Treatment of the nine cross-product axes where edges are nearly parallel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ParallelEdges {
    /// Widen both boxes by a small share of their extents, so that rounding cannot separate boxes
    /// that touch.
    Widen,
    /// Trust the rounded values, as Fingsics does: now and then boxes that overlap are called
    /// separate.
    Trust,
}

/// Added to the absolute rotation entries in the cross-product tests: well above the rounding of a
/// product of two matrices that have drifted for thousands of steps, well below what widens a box
/// visibly.
const WIDENING: f32 = 1e-4;

impl FingsicsObb {
    /// Do the boxes overlap? Touching counts.
    ///
    /// With [`ParallelEdges::Widen`] an overlap is never missed; boxes closer than some 10⁻⁴ of
    /// their extents may be reported too.
    #[inline]
    #[must_use]
    pub(crate) fn overlaps(&self, other: &Self, parallel: ParallelEdges) -> bool {
        let (a, b) = (self.half, other.half);
        let offset = other.centre - self.centre;
        let t = self.axes.times_vector(offset);
        let r = self.axes.times_transposed(&other.axes);
        let abs = r.abs();

        // Faces of the first box, then of the second.
        for i in 0..3 {
            if t[i].abs() > a[i] + dot(b, abs.0[i]) {
                return false;
            }
        }
        for k in 0..3 {
            if dot(t, r.column(k)).abs() > dot(a, abs.column(k)) + b[k] {
                return false;
            }
        }
        let widening = match parallel {
            ParallelEdges::Widen => WIDENING,
            ParallelEdges::Trust => 0.0,
        };
        let wide = abs.plus(widening);
        for i in 0..3 {
            let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
            // The two other axes in ascending order: the sums below are rounded, so their order is
            // part of the result.
            let (il, ih) = (i1.min(i2), i1.max(i2));
            for k in 0..3 {
                let (k1, k2) = ((k + 1) % 3, (k + 2) % 3);
                let (kl, kh) = (k1.min(k2), k1.max(k2));
                let reach_a = a[il] * wide.0[ih][k] + a[ih] * wide.0[il][k];
                let reach_b = b[kl] * wide.0[i][kh] + b[kh] * wide.0[i][kl];
                let distance = (t[i2] * r.0[i1][k] - t[i1] * r.0[i2][k]).abs();
                if distance > reach_a + reach_b {
                    return false;
                }
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn turned(centre: [f32; 3], half: [f32; 3], angles: [f32; 3]) -> FingsicsObb {
        FingsicsObb {
            centre: centre.into(),
            half: half.into(),
            axes: RowMatrix::from_euler(angles.into()).transposed(),
        }
    }

    #[test]
    fn unit_cubes_side_by_side() {
        let a = turned([0.0; 3], [0.5; 3], [0.0; 3]);
        assert!(a.overlaps(&turned([0.99, 0.0, 0.0], [0.5; 3], [0.0; 3]), ParallelEdges::Widen));
        assert!(!a.overlaps(&turned([1.01, 0.0, 0.0], [0.5; 3], [0.0; 3]), ParallelEdges::Widen));
    }

    #[test]
    fn only_an_edge_pair_separates() {
        // Two long boxes across each other, turned so that no face normal separates them.
        let a = turned([0.0; 3], [2.0, 0.2, 0.2], [0.785, 0.0, 0.0]);
        let b = turned([0.0, 0.0, 0.55], [0.2, 2.0, 0.2], [0.0, 0.785, 0.0]);
        let c = turned([0.0, 0.0, 0.60], [0.2, 2.0, 0.2], [0.0, 0.785, 0.0]);
        assert!(a.overlaps(&b, ParallelEdges::Widen));
        assert!(!a.overlaps(&c, ParallelEdges::Widen));
    }

    /// A point of `a` that also lies in `b`, if sampling finds one.
    fn shared_point(a: &FingsicsObb, b: &FingsicsObb) -> bool {
        let steps = 9;
        let at = |k: usize, h: f32| h * (2.0 * k as f32 / (steps - 1) as f32 - 1.0);
        let frame = a.axes.transposed();
        (0..steps * steps * steps).any(|n| {
            let local = Vec3::new(
                at(n % steps, a.half.x),
                at(n / steps % steps, a.half.y),
                at(n / (steps * steps), a.half.z),
            );
            let p = a.centre + frame.times_vector(local);
            let q = b.axes.times_vector(p - b.centre);
            q.abs().cmple(b.half * 0.999).all()
        })
    }

    fn any_box() -> impl Strategy<Value = FingsicsObb> {
        let v = |r: std::ops::Range<f32>| prop::array::uniform3(r);
        // Quarter turns make parallel edges, the hard case.
        let angle = prop_oneof![(-3.2f32..3.2), Just(0.0), Just(std::f32::consts::FRAC_PI_2)];
        (v(-1.5..1.5), v(0.05..1.0), prop::array::uniform3(angle)).prop_map(|(c, h, e)| turned(c, h, e))
    }

    proptest! {
        #[test]
        fn no_overlap_is_missed(a in any_box(), b in any_box()) {
            if shared_point(&a, &b) {
                prop_assert!(a.overlaps(&b, ParallelEdges::Widen));
            }
        }

        #[test]
        fn the_order_of_the_boxes_does_not_matter(a in any_box(), b in any_box()) {
            // Rounding may differ within the widening; away from it the answers agree.
            let grown = |o: &FingsicsObb, f: f32| FingsicsObb { half: o.half * f, ..*o };
            if a.overlaps(&grown(&b, 0.99), ParallelEdges::Widen) {
                prop_assert!(b.overlaps(&a, ParallelEdges::Widen));
            }
        }
    }
}
