//! Endpoints of boxes on an axis, and the order of equal ones.

use carom_geometry::Aabb;

/// One end of a box on one axis: eight bytes, so that sorting moves little memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Endpoint {
    pub(super) value: f32,
    /// Body index times two, plus one for the maximum. Ascending tags are the order in which the original re-inserts.
    pub(super) tag: u32,
}

impl Endpoint {
    pub(super) fn min(value: f32, body: usize) -> Self {
        Self { value, tag: (body as u32) << 1 }
    }

    pub(super) fn max(value: f32, body: usize) -> Self {
        Self { value, tag: (body as u32) << 1 | 1 }
    }

    #[inline]
    pub(super) fn body(self) -> u32 {
        self.tag >> 1
    }

    #[inline]
    pub(super) fn is_max(self) -> bool {
        self.tag & 1 == 1
    }

    /// The value this endpoint has in another set of boxes.
    #[inline]
    pub(super) fn value_in(self, boxes: &[Aabb<3>], axis: usize) -> f32 {
        let b = &boxes[self.body() as usize];
        if self.is_max() { b.max[axis] } else { b.min[axis] }
    }
}

/// Two endpoints have come to the same value; `right` stood right of `left` before. Does it now stand left of it?
///
/// In the original the endpoint that is re-inserted later finds the other at the common value: coming from below it
/// stops left of it, coming from above right of it. If the later one did not move, the same was decided when the earlier
/// one arrived. If neither moved, their order stays.
pub(super) fn stands_before_on_tie(right: Endpoint, left: Endpoint, previous: &[Aabb<3>], axis: usize) -> bool {
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
