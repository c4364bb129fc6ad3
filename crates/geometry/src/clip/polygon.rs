//! A convex polygon in a buffer of fixed size, cut by planes (Sutherland and Hodgman's method).
//!
//! Every corner knows the two sides that meet in it, and every side where it comes from: a side of
//! the polygon that was put in, or a plane that cut. The pair names the corner in a way that does
//! not change while the same features meet, which is what contact points need to be recognised from
//! step to step.
//!
//! Invariants: no corner is invented outside the input; a crossing is computed from the inner end
//! of a side towards the outer one, so two polygons that share a side get the same point; equal
//! neighbouring corners are merged when a cut makes them. What only touches a plane from outside
//! leaves one or two corners: touching is not empty.

use std::fmt;

use crate::bounds::Aabb;
use crate::bounds::Obb;
use crate::primitive::{Plane, Rectangle, Triangle};
use crate::real::{Real, Vector};

/// Where a side of a clipped polygon comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ClipSide {
    /// The side of the original polygon from this corner to the next.
    Input(u8),
    /// The plane of this number; boxes count −x, +x, −y, +y, −z, +z.
    Plane(u8),
}

impl ClipSide {
    /// A number of its own for every side, below 512.
    #[inline]
    const fn code(self) -> u32 {
        match self {
            Self::Input(index) => index as u32,
            Self::Plane(index) => 256 | index as u32,
        }
    }

    #[inline]
    const fn of_code(code: u32) -> Self {
        if code < 256 { Self::Input(code as u8) } else { Self::Plane(code as u8) }
    }
}

/// A corner of a clipped polygon by the two sides that meet there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClipId(u32);

impl ClipId {
    /// The corner between a side that ends there and one that starts there.
    #[inline]
    #[must_use]
    pub const fn new(arriving: ClipSide, leaving: ClipSide) -> Self {
        Self(arriving.code() << 16 | leaving.code())
    }

    /// The side that ends in the corner.
    #[inline]
    #[must_use]
    pub const fn arriving(self) -> ClipSide {
        ClipSide::of_code(self.0 >> 16)
    }

    /// The side that starts in the corner.
    #[inline]
    #[must_use]
    pub const fn leaving(self) -> ClipSide {
        ClipSide::of_code(self.0 & 0xFFFF)
    }

    /// The corner where the side that arrives here is left because of a plane.
    #[inline]
    const fn left_by(self, plane: ClipSide) -> Self {
        Self(self.0 & 0xFFFF_0000 | plane.code())
    }

    /// The corner where the side that arrives here is entered from a plane.
    #[inline]
    const fn entered_by(self, plane: ClipSide) -> Self {
        Self(plane.code() << 16 | self.0 >> 16)
    }

    /// A number of its own for every corner.
    #[inline]
    #[must_use]
    pub const fn code(self) -> u32 {
        self.0
    }
}

/// The polygon would have more corners than its buffer holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClipOverflow {
    /// Corners that fit.
    pub capacity: usize,
}

impl fmt::Display for ClipOverflow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a clipped polygon needs more than the {} corners of its buffer", self.capacity)
    }
}

impl std::error::Error for ClipOverflow {}

/// A convex polygon of at most `N` corners (`N` ≤ 256), without heap memory. Each plane can add one
/// corner.
#[derive(Clone, Debug)]
pub struct ClipPolygon<S: Real = f32, const N: usize = 32> {
    /// The polygon and room for the next one. Places and names are apart: both are copied in the
    /// pieces in which they were written, which the processor can forward without waiting.
    halves: [Half<S, N>; 2],
    /// The half that holds the polygon.
    current: usize,
    len: usize,
}

#[derive(Clone, Debug)]
struct Half<S: Real, const N: usize> {
    points: [S::Vec3; N],
    ids: [ClipId; N],
}

impl<S: Real, const N: usize> Half<S, N> {
    const EMPTY: Self = Self { points: [S::Vec3::ZERO; N], ids: [ClipId(0); N] };

    /// Writes a corner behind the first `len`.
    #[inline]
    fn push(&mut self, len: &mut usize, point: S::Vec3, id: ClipId) -> Result<(), ClipOverflow> {
        if *len >= N {
            return Err(ClipOverflow { capacity: N });
        }
        self.points[*len] = point;
        self.ids[*len] = id;
        *len += 1;
        Ok(())
    }

    /// The same, but if the last corner is at that point, it only gets the leaving side.
    #[inline]
    fn push_or_merge(&mut self, len: &mut usize, point: S::Vec3, id: ClipId) -> Result<(), ClipOverflow> {
        match len.checked_sub(1) {
            Some(last) if last < N && self.points[last] == point => {
                self.ids[last] = ClipId(self.ids[last].0 & 0xFFFF_0000 | id.0 & 0xFFFF);
                Ok(())
            }
            _ => self.push(len, point, id),
        }
    }
}

impl<S: Real, const N: usize> Default for ClipPolygon<S, N> {
    fn default() -> Self {
        Self { halves: [Half::EMPTY; 2], current: 0, len: 0 }
    }
}

impl<S: Real, const N: usize> ClipPolygon<S, N> {
    /// The polygon of these corners, in order; side k runs from corner k to the next.
    ///
    /// ```
    /// use carom_geometry::clip::{ClipPolygon, ClipSide};
    /// use carom_geometry::primitive::Plane;
    /// use glam::Vec3;
    /// let square = [Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::Y];
    /// let mut polygon = ClipPolygon::<f32>::new(square).unwrap();
    /// polygon.clip(&Plane::new(Vec3::X, 0.5), 7).unwrap();
    /// assert_eq!(polygon.area(), 0.5);
    /// assert_eq!(polygon.points()[1], Vec3::new(0.5, 0.0, 0.0));
    /// assert_eq!(polygon.ids()[1].leaving(), ClipSide::Plane(7));
    /// ```
    ///
    /// # Errors
    /// If there are more than `N` corners, or more than 256.
    #[inline]
    pub fn new(corners: impl IntoIterator<Item = S::Vec3>) -> Result<Self, ClipOverflow> {
        let mut polygon = Self::default();
        polygon.set(corners)?;
        Ok(polygon)
    }

    /// Replaces the polygon, which saves clearing the buffer.
    ///
    /// # Errors
    /// As [`Self::new`]; the polygon is empty then.
    #[inline]
    pub fn set(&mut self, corners: impl IntoIterator<Item = S::Vec3>) -> Result<(), ClipOverflow> {
        (self.len, self.current) = (0, 0);
        let (half, mut corners) = (&mut self.halves[0], corners.into_iter());
        let mut arriving = ClipSide::Input(0);
        let mut len = 0;
        for ((place, name), index) in half.points.iter_mut().zip(&mut half.ids).zip(0..=u8::MAX) {
            let Some(point) = corners.next() else { break };
            let leaving = ClipSide::Input(index);
            (*place, *name) = (point, ClipId::new(arriving, leaving));
            arriving = leaving;
            len += 1;
        }
        if corners.next().is_some() {
            return Err(ClipOverflow { capacity: N.min(256) });
        }
        if let Some(first) = half.ids.first_mut() {
            *first = ClipId::new(arriving, ClipSide::Input(0));
        }
        self.len = len;
        Ok(())
    }

    /// A triangle as a polygon.
    ///
    /// # Errors
    /// If `N` is less than 3.
    pub fn from_triangle(triangle: &Triangle<S>) -> Result<Self, ClipOverflow> {
        Self::new(triangle.corners())
    }

    /// A rectangle as a polygon.
    ///
    /// # Errors
    /// If `N` is less than 4.
    pub fn from_rectangle(rectangle: &Rectangle<S>) -> Result<Self, ClipOverflow> {
        Self::new(rectangle.corners())
    }

    /// Places of the corners in order.
    #[inline]
    #[must_use]
    pub fn points(&self) -> &[S::Vec3] {
        &self.halves[self.current].points[..self.len]
    }

    /// Names of the corners in order.
    #[inline]
    #[must_use]
    pub fn ids(&self) -> &[ClipId] {
        &self.halves[self.current].ids[..self.len]
    }

    /// Number of corners.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// True if nothing is left.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Area times the unit normal (counter-clockwise seen from its tip): null for fewer than three
    /// corners.
    #[must_use]
    pub fn area_vector(&self) -> S::Vec3 {
        let Some((&first, rest)) = self.points().split_first() else { return S::Vec3::ZERO };
        rest.windows(2)
            .map(|pair| (pair[0] - first).cross(pair[1] - first))
            .fold(S::Vec3::ZERO, |sum, v| sum + v)
            * S::HALF
    }

    /// Area.
    #[must_use]
    pub fn area(&self) -> S {
        self.area_vector().length()
    }

    /// Unit normal, or `None` if there is no area.
    #[must_use]
    pub fn normal(&self) -> Option<S::Vec3> {
        self.area_vector().unit()
    }

    /// Keeps what lies behind a plane or on it; sides made by the cut are called
    /// [`ClipSide::Plane`]`(id)`.
    ///
    /// # Errors
    /// If the buffer is too small; the polygon is empty then. A convex polygon gains one corner at
    /// most.
    #[inline]
    pub fn clip(&mut self, plane: &Plane<S>, id: u8) -> Result<(), ClipOverflow> {
        self.cut(ClipSide::Plane(id), |point| plane.signed_distance(point))
    }

    /// Keeps what lies behind every plane; they are numbered from 0, and at most 256 are used.
    ///
    /// # Errors
    /// As [`Self::clip`].
    pub fn clip_by_planes(&mut self, planes: &[Plane<S>]) -> Result<(), ClipOverflow> {
        planes.iter().zip(0..=u8::MAX).try_for_each(|(plane, id)| self.clip(plane, id))
    }

    /// Keeps what lies in an axis-aligned box. No coordinate of the result is outside the box, not
    /// even by rounding.
    ///
    /// # Errors
    /// As [`Self::clip`].
    #[inline]
    pub fn clip_to_aabb(&mut self, aabb: &Aabb<3, S>) -> Result<(), ClipOverflow> {
        let around = Aabb::of_points(self.points().iter().copied());
        if !around.overlaps(aabb) {
            self.len = 0;
            return Ok(());
        }
        for (axis, id) in [(0, 0), (1, 2), (2, 4)] {
            if around.min[axis] < aabb.min[axis] {
                self.cut(ClipSide::Plane(id), |point| aabb.min[axis] - point[axis])?;
            }
            if around.max[axis] > aabb.max[axis] {
                self.cut(ClipSide::Plane(id + 1), |point| point[axis] - aabb.max[axis])?;
            }
        }
        let (low, high) = (aabb.low(), aabb.high());
        for point in &mut self.halves[self.current].points[..self.len] {
            *point = Vector::clamp(*point, low, high);
        }
        Ok(())
    }

    /// Keeps what lies in a box.
    ///
    /// # Errors
    /// As [`Self::clip`].
    pub fn clip_to_box(&mut self, solid: &Obb<S>) -> Result<(), ClipOverflow> {
        for (axis, id) in [(0, 0), (1, 2), (2, 4)] {
            let (direction, reach) = (solid.axes.columns[axis], solid.half[axis]);
            let along = |point: S::Vec3| direction.dot(point - solid.centre);
            self.cut(ClipSide::Plane(id), |point| -reach - along(point))?;
            self.cut(ClipSide::Plane(id + 1), |point| along(point) - reach)?;
        }
        Ok(())
    }

    /// Keeps the points whose height is not positive.
    #[inline]
    fn cut(&mut self, plane: ClipSide, height: impl Fn(S::Vec3) -> S) -> Result<(), ClipOverflow> {
        let [a, b] = &mut self.halves;
        let (old, new) = if self.current == 0 { (&*a, b) } else { (&*b, a) };
        let Some(&last) = old.points[..self.len].last() else { return Ok(()) };
        let (mut previous, mut previous_height) = (last, height(last));
        let mut len = 0;
        let mut anything_outside = false;
        for (&point, &id) in old.points.iter().zip(&old.ids).take(std::mem::take(&mut self.len)) {
            let current_height = height(point);
            if current_height > S::ZERO {
                anything_outside = true;
                if previous_height <= S::ZERO {
                    let at = crossing::<S>((previous, previous_height), (point, current_height));
                    new.push_or_merge(&mut len, at, id.left_by(plane))?;
                }
            } else {
                if previous_height > S::ZERO {
                    let at = crossing::<S>((point, current_height), (previous, previous_height));
                    new.push_or_merge(&mut len, at, id.entered_by(plane))?;
                    new.push_or_merge(&mut len, point, id)?;
                } else {
                    new.push(&mut len, point, id)?;
                }
            }
            (previous, previous_height) = (point, current_height);
        }
        if anything_outside {
            // The cut may have made the last corner equal to the first.
            if len > 1 && new.points[len - 1] == new.points[0] {
                len -= 1;
                new.ids[0] = ClipId(new.ids[len].0 & 0xFFFF_0000 | new.ids[0].0 & 0xFFFF);
            }
            self.current ^= 1;
        }
        self.len = len;
        Ok(())
    }
}

/// The point of height 0 between one inside or on the plane and one outside.
#[inline]
fn crossing<S: Real>((inner, depth): (S::Vec3, S), (outer, height): (S::Vec3, S)) -> S::Vec3 {
    let share = depth / (depth - height);
    inner + (outer - inner) * share
}
