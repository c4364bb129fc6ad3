//! Slabs: 32 slices of the world along each axis, and which of them each box touches.
//!
//! A rejection filter that fits one word per axis. The slab of a coordinate is a monotone function
//! of it, so boxes that overlap on an axis always share a slab there; the bounds are those of the
//! present boxes, so no world size is needed.

use carom_geometry::Aabb;

const SLABS: u32 = 32;

/// Slabs of all bodies.
#[derive(Clone, Debug, Default)]
pub(super) struct Slabs {
    /// Per body and axis one bit for each slab its box touches.
    pub(super) of_body: Vec<[u32; 3]>,
}

impl Slabs {
    /// Computes the slabs of all boxes.
    pub(super) fn measure(&mut self, boxes: &[Aabb<3>]) {
        let (low, scale) = bounds(boxes);
        let index = |value: f32, axis: usize| {
            // The cast saturates and drops the fraction: monotone, NaN (0 · ∞) becomes 0.
            (((value - low[axis]) * scale[axis]) as u32).min(SLABS - 1)
        };
        self.of_body.clear();
        self.of_body.extend(boxes.iter().map(|b| {
            std::array::from_fn(|axis| {
                let (first, last) = (index(b.min[axis], axis), index(b.max[axis], axis));
                (u32::MAX << first) & (u32::MAX >> (SLABS - 1 - last))
            })
        }));
    }
}

/// Lowest corner of all boxes, and slabs per unit length.
fn bounds(boxes: &[Aabb<3>]) -> ([f32; 3], [f32; 3]) {
    let (mut low, mut high) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    for b in boxes {
        for axis in 0..3 {
            low[axis] = low[axis].min(b.min[axis]);
            high[axis] = high[axis].max(b.max[axis]);
        }
    }
    let scale = std::array::from_fn(|axis| {
        let scale = SLABS as f32 / (high[axis] - low[axis]);
        if scale.is_finite() { scale } else { 0.0 }
    });
    (low, scale)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn number() -> impl Strategy<Value = f32> {
        prop_oneof![-10.0f32..10.0, -1e38f32..1e38, Just(0.0)]
    }

    proptest! {
        #[test]
        fn overlapping_boxes_share_a_slab(spans in prop::collection::vec(prop::array::uniform3((number(), number())), 2..20)) {
            let boxes: Vec<Aabb<3>> = spans
                .iter()
                .map(|s| Aabb { min: s.map(|(a, b)| a.min(b)), max: s.map(|(a, b)| a.max(b)) })
                .collect();
            let mut slabs = Slabs::default();
            slabs.measure(&boxes);
            for (i, a) in boxes.iter().enumerate() {
                for (j, b) in boxes.iter().enumerate() {
                    for axis in 0..3 {
                        if a.min[axis] <= b.max[axis] && b.min[axis] <= a.max[axis] {
                            prop_assert!(slabs.of_body[i][axis] & slabs.of_body[j][axis] != 0);
                        }
                    }
                }
            }
        }
    }
}
