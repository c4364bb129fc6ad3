//! The contact of a pair: up to four points that share a normal.
//!
//! Points are kept in the frames of both shapes, so a manifold outlives small motions:
//! [`Manifold::refresh`] recomputes the separations for a new relative pose without looking at the
//! shapes.
//!
//! | module | holds |
//! |---|---|
//! | [`feature`] | names of points |
//! | [`contact`](mod@contact) | points from two supporting support features |
//! | [`reduce`](mod@reduce) | four of many points |
//! | [`matching`] | points of consecutive frames |
//! | [`recycle`] | when a manifold may be recycled instead of rebuilt |

mod clip;
pub mod contact;
pub mod feature;
pub mod matching;
pub mod recycle;
pub mod reduce;

use carom_geometry::Pose;
use glam::Vec3;

pub use contact::{contact, contact_of, face_contact};
pub use feature::{FeatureId, Part};
pub use recycle::PoseRecord;
pub(crate) use reduce::Candidates;
pub use reduce::{Chosen, reduce};

use crate::Proximity;

/// One point of a contact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ManifoldPoint {
    /// On the surface of the first shape, in its frame.
    pub on_a: Vec3,
    /// On the surface of the second shape, in the frame of the second.
    pub on_b: Vec3,
    /// Along the normal from `on_a` to `on_b`; below zero where the shapes overlap.
    pub separation: f32,
    /// What touches.
    pub feature: FeatureId,
}

/// Up to four contact points with one normal.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Manifold {
    /// Unit vector from the first shape to the second, in the frame of the first.
    pub normal: Vec3,
    points: [ManifoldPoint; Self::CAPACITY],
    count: u8,
}

impl Manifold {
    /// Most points a manifold can have.
    pub const CAPACITY: usize = 4;

    /// No points yet.
    #[inline]
    #[must_use]
    pub fn new(normal: Vec3) -> Self {
        Self { normal, ..Self::default() }
    }

    /// One point, from closest or deepest points; the second point of the answer is brought into
    /// the frame of the second shape.
    #[inline]
    #[must_use]
    pub fn of_proximity(proximity: &Proximity, pose: &Pose, feature: FeatureId) -> Self {
        let mut manifold = Self::new(proximity.normal);
        manifold.push(ManifoldPoint {
            on_a: proximity.on_a,
            on_b: pose.undo(proximity.on_b),
            separation: proximity.distance,
            feature,
        });
        manifold
    }

    /// The points.
    #[inline]
    #[must_use]
    pub fn points(&self) -> &[ManifoldPoint] {
        &self.points[..usize::from(self.count)]
    }

    /// The names of the points, written to an array of the caller.
    #[inline]
    pub(crate) fn features<'a>(&self, ids: &'a mut [FeatureId; Self::CAPACITY]) -> &'a [FeatureId] {
        for (id, point) in ids.iter_mut().zip(self.points()) {
            *id = point.feature;
        }
        &ids[..usize::from(self.count)]
    }

    /// True if there is no point.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Forgets the points.
    #[inline]
    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// Adds a point; false, and nothing happens, if there are four already.
    #[inline]
    pub fn push(&mut self, point: ManifoldPoint) -> bool {
        let Some(slot) = self.points.get_mut(usize::from(self.count)) else {
            return false;
        };
        *slot = point;
        self.count += 1;
        true
    }

    /// The same contact of two shapes that are parts of larger ones, in the frames of these.
    #[must_use]
    pub(crate) fn framed(&self, frame_a: &Pose, frame_b: &Pose) -> Self {
        let mut framed = *self;
        framed.normal = frame_a.rotation.rotate(self.normal);
        for point in &mut framed.points[..usize::from(self.count)] {
            point.on_a = frame_a.apply(point.on_a);
            point.on_b = frame_b.apply(point.on_b);
        }
        framed
    }

    /// Gives every point another name.
    pub(crate) fn rename(&mut self, name: impl Fn(FeatureId) -> FeatureId) {
        for point in &mut self.points[..usize::from(self.count)] {
            point.feature = name(point.feature);
        }
    }

    /// The least separation; +∞ without points.
    #[inline]
    #[must_use]
    pub fn deepest(&self) -> f32 {
        self.points()
            .iter()
            .fold(f32::INFINITY, |least, p| if p.separation < least { p.separation } else { least })
    }

    /// Separations along the old normal for a new pose of the second shape in the frame of the
    /// first.
    pub fn refresh(&mut self, pose: &Pose) {
        for point in &mut self.points[..usize::from(self.count)] {
            point.separation = (pose.apply(point.on_b) - point.on_a).dot(self.normal);
        }
    }

    /// Takes a distance off all separations, as if the second shape reached that much farther: the
    /// shapes are held apart by it. `pose` is that of the second shape in the frame of the first.
    pub fn hold_apart(&mut self, distance: f32, pose: &Pose) {
        let farther = pose.rotation.rotate_back(self.normal) * distance;
        for point in &mut self.points[..usize::from(self.count)] {
            point.on_b -= farther;
            point.separation -= distance;
        }
    }

    /// Starts over with a normal and no points; what is left of the old points is not touched.
    #[inline]
    pub fn start(&mut self, normal: Vec3) {
        self.normal = normal;
        self.count = 0;
    }

    /// The contact as seen from the other shape, in whose frame it is then; `pose` is its pose in
    /// the frame of the first.
    #[inline]
    pub fn swap(&mut self, pose: &Pose) {
        self.normal = -pose.rotation.rotate_back(self.normal);
        for point in &mut self.points[..usize::from(self.count)] {
            std::mem::swap(&mut point.on_a, &mut point.on_b);
            point.feature = point.feature.swapped();
        }
    }

    /// The same contact seen from the other shape, in whose frame the answer is; `pose` is its pose
    /// in the frame of the first.
    #[must_use]
    pub fn swapped(&self, pose: &Pose) -> Self {
        let mut other = *self;
        other.swap(pose);
        other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_follow_the_shapes() {
        let mut manifold = Manifold::new(Vec3::Y);
        let pose = Pose::at(Vec3::new(0.0, 2.0, 0.0));
        let point = ManifoldPoint { on_a: Vec3::Y, on_b: -Vec3::Y, ..ManifoldPoint::default() };
        for _ in 0..4 {
            assert!(manifold.push(point));
        }
        assert!(!manifold.push(point));
        manifold.refresh(&pose);
        assert_eq!(manifold.deepest(), 0.0);
        manifold.refresh(&Pose::at(Vec3::new(5.0, 1.75, 0.0)));
        assert_eq!(manifold.deepest(), -0.25);
        let swapped = manifold.swapped(&pose);
        assert_eq!((swapped.normal, swapped.points()[0].on_a), (-Vec3::Y, -Vec3::Y));
        manifold.clear();
        assert!(manifold.is_empty() && manifold.deepest() == f32::INFINITY);
    }
}
