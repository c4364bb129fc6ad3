//! The depth of polytopes that overlap, from the witness of the overlap.

use carom_geometry::{Polytope, Pose, Real};

use super::{Answer, VClip, Witness};
use crate::proximity::Proximity;

impl VClip {
    /// Distance or depth of two polytopes. The witness is where to begin, and then where the query ended.
    #[inline]
    #[must_use]
    pub fn proximity<S: Real>(
        &self,
        a: &Polytope<S>,
        b: &Polytope<S>,
        place: &Pose<S>,
        witness: &mut Witness,
    ) -> Proximity<S> {
        let answer = self.solve(a, b, place, *witness);
        *witness = answer.witness;
        answer.separation().unwrap_or_else(|| answer.depth(a, b, place))
    }
}

impl<S: Real> Answer<S> {
    /// The shortest way out.
    #[must_use]
    pub fn depth(&self, a: &Polytope<S>, b: &Polytope<S>, place: &Pose<S>) -> Proximity<S> {
        let _ = (a, b, place);
        self.features
    }
}
