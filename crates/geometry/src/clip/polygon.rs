//! A convex polygon in a buffer of fixed size, cut by planes (Sutherland and Hodgman's method).
//!
//! Every corner knows the two sides that meet in it, and every side where it comes from: a side of the polygon that
//! was put in, or a plane that cut. The pair names the corner in a way that does not change while the same features
//! meet, which is what contact points need to be recognised from step to step.
//!
//! Invariants: no corner is invented outside the input; a crossing is computed from the inner end of a side towards the
//! outer one, so two polygons that share a side get the same point; equal neighbouring corners are merged when a cut
//! makes them. What only touches a plane from outside leaves one or two corners: touching is not empty.

use std::fmt;

use crate::bounds::Aabb;
use crate::closest::PlacedBox;
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
    #[must_use]
    pub fn code(self) -> u16 {
        match self {
            Self::Input(index) => u16::from(index),
            Self::Plane(index) => 256 + u16::from(index),
        }
    }
}

/// A corner of a clipped polygon by the two sides that meet there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClipId {
    /// The side that ends in the corner.
    pub arriving: ClipSide,
    /// The side that starts there.
    pub leaving: ClipSide,
}

impl ClipId {
    /// A number of its own for every corner.
    #[inline]
    #[must_use]
    pub fn code(self) -> u32 {
        u32::from(self.arriving.code()) << 16 | u32::from(self.leaving.code())
    }
}

/// A corner of a clipped polygon.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClipVertex<S: Real = f32> {
    /// Where it is.
    pub point: S::Vec3,
    /// What it is.
    pub id: ClipId,
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

/// A convex polygon of at most `N` corners (`N` ≤ 256), without heap memory. Each plane can add one corner.
#[derive(Clone, Debug)]
pub struct ClipPolygon<S: Real = f32, const N: usize = 64> {
    vertices: [ClipVertex<S>; N],
    len: usize,
}

impl<S: Real, const N: usize> Default for ClipPolygon<S, N> {
    fn default() -> Self {
        let id = ClipId { arriving: ClipSide::Input(0), leaving: ClipSide::Input(0) };
        Self { vertices: [ClipVertex { point: S::Vec3::ZERO, id }; N], len: 0 }
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
    /// polygon.clip(&Plane::<f32>::new(Vec3::X, 0.5), 7).unwrap();
    /// assert_eq!(polygon.area(), 0.5);
    /// assert_eq!(polygon.vertices()[1].point, Vec3::new(0.5, 0.0, 0.0));
    /// assert_eq!(polygon.vertices()[1].id.leaving, ClipSide::Plane(7));
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
        self.len = 0;
        let mut len = 0;
        for point in corners {
            let (Some(slot), Ok(index)) = (self.vertices.get_mut(len), u8::try_from(len)) else {
                return Err(ClipOverflow { capacity: N.min(256) });
            };
            let id =
                ClipId { arriving: ClipSide::Input(index.wrapping_sub(1)), leaving: ClipSide::Input(index) };
            *slot = ClipVertex { point, id };
            len += 1;
        }
        if len > 0 {
            self.vertices[0].id.arriving = self.vertices[len - 1].id.leaving;
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

    /// The corners in order.
    #[inline]
    #[must_use]
    pub fn vertices(&self) -> &[ClipVertex<S>] {
        &self.vertices[..self.len]
    }

    /// Places of the corners in order.
    #[inline]
    pub fn points(&self) -> impl ExactSizeIterator<Item = S::Vec3> + '_ {
        self.vertices().iter().map(|v| v.point)
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

    /// Area times the unit normal (counter-clockwise seen from its tip): null for fewer than three corners.
    #[must_use]
    pub fn area_vector(&self) -> S::Vec3 {
        let Some((first, rest)) = self.vertices().split_first() else { return S::Vec3::ZERO };
        rest.windows(2)
            .map(|pair| (pair[0].point - first.point).cross(pair[1].point - first.point))
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

    /// Keeps what lies behind a plane or on it; sides made by the cut are called [`ClipSide::Plane`]`(id)`.
    ///
    /// # Errors
    /// If the buffer is full; the polygon is empty then. One free place is enough for a convex polygon.
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

    /// Keeps what lies in an axis-aligned box. No coordinate of the result is outside the box, not even by rounding.
    ///
    /// # Errors
    /// As [`Self::clip`].
    #[inline]
    pub fn clip_to_aabb(&mut self, aabb: &Aabb<3, S>) -> Result<(), ClipOverflow> {
        let around = Aabb::of_points(self.points());
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
        for vertex in &mut self.vertices[..self.len] {
            vertex.point = Vector::clamp(vertex.point, low, high);
        }
        Ok(())
    }

    /// Keeps what lies in a box.
    ///
    /// # Errors
    /// As [`Self::clip`].
    pub fn clip_to_box(&mut self, solid: &PlacedBox<S>) -> Result<(), ClipOverflow> {
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
        let outside = self.vertices().iter().filter(|v| height(v.point) > S::ZERO).count();
        if outside == 0 {
            return Ok(());
        }
        let len = std::mem::take(&mut self.len);
        if outside == len {
            return Ok(());
        }
        // The old corners move to the end of the buffer; the new ones grow behind the place that is read.
        self.vertices.copy_within(..len, N - len);
        let mut writer = Writer { vertices: &mut self.vertices, len: 0 };
        let mut previous = writer.vertices[N - 1];
        let mut previous_height = height(previous.point);
        for read in N - len..N {
            let current = writer.vertices[read];
            let current_height = height(current.point);
            let side = current.id.arriving;
            match (previous_height > S::ZERO, current_height > S::ZERO) {
                (false, true) => {
                    let point =
                        crossing::<S>((previous.point, previous_height), (current.point, current_height));
                    writer.push(point, ClipId { arriving: side, leaving: plane }, read)?;
                }
                (true, false) => {
                    let point =
                        crossing::<S>((current.point, current_height), (previous.point, previous_height));
                    writer.push(point, ClipId { arriving: plane, leaving: side }, read)?;
                    writer.push(current.point, current.id, read)?;
                }
                (false, false) => writer.push(current.point, current.id, read)?,
                (true, true) => {}
            }
            (previous, previous_height) = (current, current_height);
        }
        self.len = writer.finish();
        Ok(())
    }
}

/// The point of height 0 between one inside or on the plane and one outside.
#[inline]
fn crossing<S: Real>((inner, depth): (S::Vec3, S), (outer, height): (S::Vec3, S)) -> S::Vec3 {
    let share = depth / (depth - height);
    inner + (outer - inner) * share
}

/// Writes corners into the part of the buffer that has been read.
struct Writer<'a, S: Real, const N: usize> {
    vertices: &'a mut [ClipVertex<S>; N],
    len: usize,
}

impl<S: Real, const N: usize> Writer<'_, S, N> {
    /// Adds a corner, or gives the last one a new leaving side if it is at the same point. Places up to `read` are free.
    #[inline]
    fn push(&mut self, point: S::Vec3, id: ClipId, read: usize) -> Result<(), ClipOverflow> {
        if self.len > 0 && self.vertices[self.len - 1].point == point {
            self.vertices[self.len - 1].id.leaving = id.leaving;
            return Ok(());
        }
        if self.len > read {
            return Err(ClipOverflow { capacity: N });
        }
        self.vertices[self.len] = ClipVertex { point, id };
        self.len += 1;
        Ok(())
    }

    /// Merges the last corner with the first if they are equal; the number of corners.
    #[inline]
    fn finish(mut self) -> usize {
        while self.len > 1 && self.vertices[self.len - 1].point == self.vertices[0].point {
            self.len -= 1;
            self.vertices[0].id.arriving = self.vertices[self.len].id.arriving;
        }
        self.len
    }
}
