//! Endpoints of boxes on an axis, and the order of equal ones.

use carom_geometry::Aabb;

/// One end of a box on one axis: sixteen bytes, one register to move.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(16))]
pub(super) struct Endpoint {
    pub(super) value: f32,
    /// Body index times two, plus one for the maximum. Ascending tags are the order in which
    /// Fingsics re-inserts.
    pub(super) tag: u32,
    /// The slabs its box touches on the other two axes, as of the last fast step.
    pub(super) slabs: [u32; 2],
}

impl Endpoint {
    pub(super) fn min(value: f32, body: usize) -> Self {
        Self { value, tag: (body as u32) << 1, slabs: [0; 2] }
    }

    pub(super) fn max(value: f32, body: usize) -> Self {
        Self { value, tag: (body as u32) << 1 | 1, slabs: [0; 2] }
    }

    #[inline]
    pub(super) fn body(self) -> u32 {
        self.tag >> 1
    }

    #[inline]
    pub(super) fn is_max(self) -> bool {
        self.tag & 1 == 1
    }

    /// May the two boxes overlap on the other two axes?
    #[inline]
    pub(super) fn shares_slabs(self, other: Self) -> bool {
        self.slabs[0] & other.slabs[0] != 0 && self.slabs[1] & other.slabs[1] != 0
    }

    /// The value this endpoint has in another set of boxes.
    #[inline]
    pub(super) fn value_in(self, boxes: &[Aabb<3>], axis: usize) -> f32 {
        let b = &boxes[self.body() as usize];
        if self.is_max() { b.max[axis] } else { b.min[axis] }
    }
}

/// Two endpoints have come to the same value; `right` stood right of `left` before. Does it now
/// stand left of it?
///
/// In Fingsics the endpoint that is re-inserted later finds the other at the common value: coming
/// from below it stops left of it, coming from above right of it. If the later one did not move,
/// the same was decided when the earlier one arrived. If neither moved, their order stays.
pub(super) fn stands_before_on_tie(
    right: Endpoint,
    left: Endpoint,
    previous: &[Aabb<3>],
    axis: usize,
) -> bool {
    let value = right.value;
    let (later, earlier) = if right.tag > left.tag { (right, left) } else { (left, right) };
    for arriving in [later, earlier] {
        let origin = arriving.value_in(previous, axis);
        if origin < value {
            return arriving.tag == right.tag; // it stops left of the other
        }
        if origin > value {
            return arriving.tag == left.tag; // it stops right of the other
        }
    }
    false
}
