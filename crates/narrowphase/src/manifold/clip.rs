//! A polygon cut to the prism above another one (Sutherland and Hodgman), for contact points.
//!
//! Unlike [`carom_geometry::clip`] this works in the plane across the contact normal, with the
//! height along it carried on: two products per test instead of three, corners of 16 bytes, and
//! buffers as small as the two polygons allow.

/// Sides of the polygon that cuts are numbered from here, those of the polygon that is cut from 0.
pub(super) const CUTTER: u32 = 64;

/// A corner of a clipped polygon.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Corner {
    /// Coordinates in the plane.
    pub u: f32,
    /// The second one.
    pub v: f32,
    /// Height above the plane.
    pub h: f32,
    /// The side that arrives (upper half) and the side that leaves (lower half).
    pub sides: u32,
}

impl Corner {
    /// The corner between two sides.
    #[inline]
    pub(super) fn new([u, v, h]: [f32; 3], arriving: u32, leaving: u32) -> Self {
        Self { u, v, h, sides: arriving << 16 | leaving }
    }

    /// The side that ends here.
    #[inline]
    pub(super) fn arriving(self) -> u32 {
        self.sides >> 16
    }

    /// The side that starts here.
    #[inline]
    pub(super) fn leaving(self) -> u32 {
        self.sides & 0xFFFF
    }

    /// Part `t` of the way to another corner, with other sides.
    #[inline]
    fn towards(self, other: Self, t: f32, sides: u32) -> Self {
        Self {
            u: self.u + (other.u - self.u) * t,
            v: self.v + (other.v - self.v) * t,
            h: self.h + (other.h - self.h) * t,
            sides,
        }
    }

    #[inline]
    fn is_at(self, other: Self) -> bool {
        self.u == other.u && self.v == other.v && self.h == other.h
    }
}

/// A polygon of at most `N` corners and room for the next one.
pub(super) struct Polygon<const N: usize> {
    halves: [[Corner; N]; 2],
    current: usize,
    len: usize,
}

impl<const N: usize> Polygon<N> {
    #[inline]
    pub(super) fn new(corners: impl ExactSizeIterator<Item = Corner>) -> Self {
        let mut polygon = Self { halves: [[Corner::default(); N]; 2], current: 0, len: 0 };
        polygon.len = corners.len().min(N);
        for (pose, corner) in polygon.halves[0].iter_mut().zip(corners) {
            *pose = corner;
        }
        polygon
    }

    #[inline]
    pub(super) fn corners(&self) -> &[Corner] {
        &self.halves[self.current][..self.len]
    }

    /// Keeps what lies to the left of the line from `from` to `to` or on it. A corner more than `N`
    /// is dropped, which does not happen if `N` is at least the sum of the corners of both
    /// polygons.
    #[inline]
    pub(super) fn cut(&mut self, side: u32, from: [f32; 2], to: [f32; 2]) {
        let (eu, ev) = (to[0] - from[0], to[1] - from[1]);
        let outside = |c: &Corner| ev * (c.u - from[0]) - eu * (c.v - from[1]);
        let [a, b] = &mut self.halves;
        let (old, new) = if self.current == 0 { (&*a, b) } else { (&*b, a) };
        let old = &old[..self.len];
        let Some(&last) = old.last() else { return };
        // Most cuts of a small polygon by a larger one change nothing.
        if !old.iter().any(|c| outside(c) > 0.0) {
            return;
        }
        let mut len = 0;
        let mut push = |corner: Corner| {
            if len > 0 && new[len - 1].is_at(corner) {
                new[len - 1].sides = new[len - 1].sides & 0xFFFF_0000 | corner.sides & 0xFFFF;
            } else if len < N {
                new[len] = corner;
                len += 1;
            }
        };
        let side = CUTTER + side;
        let (mut previous, mut previous_height) = (last, outside(&last));
        for &corner in old {
            let height = outside(&corner);
            if height > 0.0 {
                if previous_height <= 0.0 {
                    let t = previous_height / (previous_height - height);
                    push(previous.towards(corner, t, corner.arriving() << 16 | side));
                }
            } else {
                if previous_height > 0.0 {
                    let t = height / (height - previous_height);
                    push(corner.towards(previous, t, side << 16 | corner.arriving()));
                }
                push(corner);
            }
            (previous, previous_height) = (corner, height);
        }
        if len > 1 && new[len - 1].is_at(new[0]) {
            len -= 1;
            new[0].sides = new[len].sides & 0xFFFF_0000 | new[0].sides & 0xFFFF;
        }
        (self.len, self.current) = (len, self.current ^ 1);
    }
}

/// The part of a segment above a polygon: both ends, or one if they are equal, or none. Ends that
/// are not cut keep their number as both sides.
pub(super) fn cut_segment(ends: [Corner; 2], polygon: &[[f32; 2]]) -> ([Corner; 2], usize) {
    let [a, b] = ends;
    let (mut start, mut end) = ((0.0f32, a.sides), (1.0f32, b.sides));
    let mut from = polygon[polygon.len() - 1];
    for (k, &to) in polygon.iter().enumerate() {
        let side = CUTTER + if k == 0 { polygon.len() as u32 - 1 } else { k as u32 - 1 };
        let (eu, ev) = (to[0] - from[0], to[1] - from[1]);
        let outside = |c: Corner| ev * (c.u - from[0]) - eu * (c.v - from[1]);
        let (height_a, height_b) = (outside(a), outside(b));
        from = to;
        if height_a > 0.0 && height_b > 0.0 {
            return (ends, 0);
        }
        if height_a <= 0.0 && height_b <= 0.0 {
            continue;
        }
        let at = height_a / (height_a - height_b);
        if height_a > 0.0 && at > start.0 {
            start = (at, side);
        }
        if height_b > 0.0 && at < end.0 {
            end = (at, side);
        }
    }
    if start.0 > end.0 {
        return (ends, 0);
    }
    let first = if start.0 == 0.0 { a } else { a.towards(b, start.0, start.1) };
    let second = if end.0 == 1.0 { b } else { a.towards(b, end.0, end.1) };
    ([first, second], if first.is_at(second) { 1 } else { 2 })
}
