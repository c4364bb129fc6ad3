//! Walking through the tree: by a box, along a moving box, towards a direction.
//!
//! No recursion and no allocation: the stack has room for the deepest tree there can be. The tests
//! work on the boxes of four children at once. No lane is ever NaN where a result depends on it,
//! because the `fast_min` of other processors treats NaN differently; the sign of a zero does not
//! matter to comparisons.

use carom_core::simd::f32x4;
use glam::Vec3;

use super::{Bvh, Kind, Node, STACK};
use crate::bounds::Aabb;
use crate::pose::Pose;
use crate::real::{Real, Vector};

/// Share of the coordinates by which boxes are grown against rounding: 8 ulps. The tests below are
/// off by at most 4, the item test by 1.
const GROW: f32 = 8.0 * f32::EPSILON;

/// A box that moves along a straight line, prepared for tests against many boxes; a ray is a box
/// without size.
///
/// Times come out in units of a scaled direction, whose largest coordinate is ±1:
/// [`scale`](Self::scale) converts. Boxes are grown a little, so that no box is missed by rounding,
/// not even by a test that itself rounds: the time of entry is never late.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slabs {
    /// What is subtracted from the faces the mover meets first, per axis.
    near: [f32; 3],
    /// What is subtracted from the faces it leaves through.
    far: [f32; 3],
    /// 1 / direction, never infinite.
    inverse: [f32; 3],
    /// 1 where it moves downwards: there the high face comes first.
    down: [usize; 3],
    /// Scaled time = time · scale.
    scale: f32,
}

impl Slabs {
    /// A box with half extents `half` that starts with its centre at `origin`; `around` is the box
    /// of all that will be tested. `None` if a number is not finite. Without a direction, the mover
    /// stays in place.
    pub(crate) fn new(origin: Vec3, half: Vec3, direction: Vec3, around: &Aabb<3>) -> Option<Self> {
        if !(Vector::is_finite(origin) && Vector::is_finite(direction) && Vector::is_finite(half)) {
            return None;
        }
        /// Directions closer than this to a coordinate plane count as this far from it: what that
        /// moves at the far end of the tree is much less than the growth.
        const FLAT: f32 = 1e-20;
        let longest = Vector::abs(direction).max_element();
        let scale = if longest > 0.0 { longest } else { 1.0 };
        let size = |v: Vec3| Vector::abs(v).max_element();
        let grow = GROW * (Real::max(size(around.low()), size(around.high())) + size(origin) + size(half))
            + f32::MIN_POSITIVE;
        let mut slabs = Self { near: [0.0; 3], far: [0.0; 3], inverse: [0.0; 3], down: [0; 3], scale };
        for k in 0..3 {
            let d = direction[k] / scale;
            let down = d.is_sign_negative();
            let reach = if down { -(half[k] + grow) } else { half[k] + grow };
            slabs.near[k] = origin[k] + reach;
            slabs.far[k] = origin[k] - reach;
            slabs.inverse[k] = d.sign_of(1.0 / Real::max(d.abs(), FLAT));
            slabs.down[k] = usize::from(down);
        }
        Some(slabs)
    }

    /// Times of the caller in scaled units, not rounded down.
    #[inline]
    pub(crate) fn scaled(&self, time: f32) -> f32 {
        // A last place more, so that scaling back and forth cannot lose the last moment.
        time * self.scale * (1.0 + 2.0 * f32::EPSILON)
    }

    /// Scaled times in the units of the caller, not rounded up.
    #[inline]
    pub(crate) fn unscaled(&self, time: f32) -> f32 {
        time / self.scale * (1.0 - 2.0 * f32::EPSILON)
    }

    /// When each child is entered, at 0 or later, and which are entered by `limit`, as bits.
    #[inline]
    fn enter(&self, node: &Node, limit: f32) -> ([f32; 4], u32) {
        let mut near = f32x4::ZERO;
        let mut far = f32x4::splat(limit);
        for k in 0..3 {
            let inverse = f32x4::splat(self.inverse[k]);
            let first = node.bounds[2 * k + self.down[k]];
            let last = node.bounds[2 * k + 1 - self.down[k]];
            near = near.fast_max((first - f32x4::splat(self.near[k])) * inverse);
            far = far.fast_min((last - f32x4::splat(self.far[k])) * inverse);
        }
        (near.to_array(), near.simd_le(far).to_bitmask())
    }
}

/// Places to go to, the most promising on top.
struct Stack {
    entries: [(f32, u32); STACK],
    len: usize,
}

impl Stack {
    #[inline]
    fn new() -> Self {
        Self { entries: [(0.0, 0); STACK], len: 0 }
    }

    /// Adds the children whose bit is set, the one with the lowest `order` on top.
    #[inline]
    fn push(&mut self, node: &Node, order: &[f32; 4], mut lanes: u32) {
        let base = self.len;
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize;
            lanes &= lanes - 1;
            let entry = (order[lane], node.children[lane].0);
            let mut place = self.len;
            while place > base && self.entries[place - 1].0 < entry.0 {
                self.entries[place] = self.entries[place - 1];
                place -= 1;
            }
            self.entries[place] = entry;
            self.len += 1;
        }
    }

    #[inline]
    fn pop(&mut self) -> Option<(f32, Kind)> {
        self.len = self.len.checked_sub(1)?;
        let (order, child) = self.entries[self.len];
        Some((order, super::Child(child).kind()))
    }
}

impl Bvh {
    /// Calls `visit` with the items whose box meets the region until it returns false.
    #[inline]
    pub(crate) fn walk_box(&self, region: &Aabb<3>, mut visit: impl FnMut(u32) -> bool) {
        let low = region.min.map(f32x4::splat);
        let high = region.max.map(f32x4::splat);
        let mut stack = [0u32; STACK];
        let mut len = 0;
        let mut index = 0;
        loop {
            let node = &self.nodes[index];
            let mut meets = node.bounds[0].simd_le(high[0]) & low[0].simd_le(node.bounds[1]);
            for k in 1..3 {
                meets &= node.bounds[2 * k].simd_le(high[k]) & low[k].simd_le(node.bounds[2 * k + 1]);
            }
            let mut lanes = meets.to_bitmask();
            while lanes != 0 {
                let child = node.children[lanes.trailing_zeros() as usize];
                lanes &= lanes - 1;
                match child.kind() {
                    Kind::Leaf(t) => {
                        if !visit(t) {
                            return;
                        }
                    }
                    Kind::Node(index) => {
                        stack[len] = index as u32;
                        len += 1;
                    }
                    // The box without points meets the box of everything.
                    Kind::Empty => {}
                }
            }
            if len == 0 {
                return;
            }
            len -= 1;
            index = stack[len] as usize;
        }
    }

    /// Calls `visit` with the items whose box the mover enters and the scaled time of entry,
    /// nearest first as far as the boxes tell. `visit` returns the new limit: nothing that is
    /// entered later is of interest.
    #[inline]
    pub(crate) fn walk_slabs(&self, slabs: &Slabs, mut limit: f32, mut visit: impl FnMut(u32, f32) -> f32) {
        let mut stack = Stack::new();
        let mut node = &self.nodes[0];
        loop {
            let (times, lanes) = slabs.enter(node, limit);
            stack.push(node, &times, lanes);
            loop {
                let Some((time, child)) = stack.pop() else { return };
                if time > limit {
                    continue;
                }
                match child {
                    Kind::Leaf(t) => limit = visit(t, time),
                    Kind::Node(index) => {
                        node = &self.nodes[index];
                        break;
                    }
                    Kind::Empty => {}
                }
            }
        }
    }

    /// Calls `visit` with items that may have a point farther along `direction` than what `visit`
    /// returned last; at first, than `least`. `slack` is added to what the boxes promise.
    #[inline]
    pub(crate) fn walk_far(
        &self,
        direction: Vec3,
        slack: f32,
        mut least: f32,
        mut visit: impl FnMut(u32) -> f32,
    ) {
        let d = direction.to_array();
        let rows: [usize; 3] = std::array::from_fn(|k| 2 * k + usize::from(d[k] > 0.0));
        let d = d.map(f32x4::splat);
        let slack = f32x4::splat(slack);
        let mut stack = Stack::new();
        let mut node = &self.nodes[0];
        loop {
            let reach = node.bounds[rows[0]] * d[0]
                + node.bounds[rows[1]] * d[1]
                + node.bounds[rows[2]] * d[2]
                + slack;
            // The lanes of missing children are −∞ or NaN, and never at least `least`.
            let lanes = reach.simd_ge(f32x4::splat(least)).to_bitmask();
            stack.push(node, &(-reach).to_array(), lanes);
            loop {
                let Some((order, child)) = stack.pop() else { return };
                if -order < least {
                    continue;
                }
                match child {
                    Kind::Leaf(t) => least = visit(t),
                    Kind::Node(index) => {
                        node = &self.nodes[index];
                        break;
                    }
                    Kind::Empty => {}
                }
            }
        }
    }

    /// The smallest box around all items moved by `pose`, given that of a few of them.
    ///
    /// `add` is called with an item that may matter, a direction, and a number: points of the item,
    /// not moved, that reach less far along the direction change nothing. It adds the others,
    /// moved, to the box.
    #[inline]
    pub(crate) fn box_at(
        &self,
        pose: &Pose,
        mut bounds: Aabb<3>,
        mut add: impl FnMut(u32, Vec3, f32, &mut Aabb<3>),
    ) -> Aabb<3> {
        let rotation = pose.rotation.to_matrix();
        let place = pose.translation;
        for axis in 0..3 {
            // Points move as the quaternion says; the matrix, which is quicker, only sorts out
            // those that cannot matter. The slack covers the rounding of both.
            let slack = 64.0 * f32::EPSILON * (self.reach() + place[axis].abs());
            for side in [1.0, -1.0] {
                let direction = rotation.row(axis) * side;
                let reached = |bounds: &Aabb<3>| {
                    if side > 0.0 { bounds.max[axis] - place[axis] } else { place[axis] - bounds.min[axis] }
                };
                self.walk_far(direction, slack, reached(&bounds), |item| {
                    let least = reached(&bounds) - slack;
                    add(item, direction, least, &mut bounds);
                    reached(&bounds)
                });
            }
        }
        bounds
    }
}
