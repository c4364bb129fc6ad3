//! One contact point of two polytopes.

use carom_geometry::{Polytope, Pose, Real};

use crate::proximity::Proximity;
use crate::vclip::{VClip, Witness};

/// A contact point: polytopes closer than a margin count as touching, as if each had a skin of half
/// of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VClipContact<S: Real = f32> {
    /// Half-way between the surfaces, in the frame of the first polytope.
    pub point: S::Vec3,
    /// Unit vector from the first polytope to the second.
    pub normal: S::Vec3,
    /// Margin minus distance, not negative.
    pub depth: S,
}

impl<S: Real> VClipContact<S> {
    /// The contact of the nearest points, if they are not farther apart than the margin.
    ///
    /// From [`VClipAnswer::features`](crate::vclip::VClipAnswer::features) this is the simple
    /// contact of the thesis: its normal is that of the face for vertex–face and edge–face, else
    /// the difference of the closest points, and the features' own where these coincide.
    #[inline]
    #[must_use]
    pub fn of(near: &Proximity<S>, margin: S) -> Option<Self> {
        (near.distance <= margin).then(|| Self {
            point: near.midpoint(),
            normal: near.normal,
            depth: margin - near.distance,
        })
    }
}

impl VClip {
    /// The contact of two polytopes, if they are not farther apart than the margin, with the true
    /// depth if they overlap. The witness is where to begin, and then where the query ended.
    ///
    /// A broad phase that is to find all such pairs grows each box by half the margin.
    #[must_use]
    pub fn contact<S: Real>(
        &self,
        a: &Polytope<S>,
        b: &Polytope<S>,
        pose: &Pose<S>,
        margin: S,
        witness: &mut Witness,
    ) -> Option<VClipContact<S>> {
        VClipContact::of(&self.proximity(a, b, pose, witness), margin)
    }
}
