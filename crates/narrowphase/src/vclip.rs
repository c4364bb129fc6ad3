//! Closest features of convex polytopes by Voronoi clipping (V-Clip).
//!
//! The boundary of a polytope is made of vertices, edges and faces, and the space outside is
//! divided among them: the Voronoi region of a feature is what is nearer to it than to any other.
//! If the closest points of two features lie in each other's regions, they are the closest points
//! of the polytopes. V-Clip walks from a pair of features to a neighbouring one, always towards
//! smaller distances, until that holds. It needs only sides of planes; and when the polytopes have
//! moved a little, it begins where it ended last and is done almost at once, however many vertices
//! they have.
//!
//! | part | what it does |
//! |---|---|
//! | [`VClip`] | a query with its settings |
//! | [`Witness`] | the features, to begin the next query with |
//!
//! A cache of witnesses, contacts and a way to watch the states are in
//! [`alternatives::vclip`](crate::alternatives::vclip).
//!
//! The states are [`VClipState`]; the walk stops
//! * *separated*, in any state but edge–face;
//! * *penetrating*, if an edge goes through a face (edge–face), a vertex is behind all faces
//!   (vertex–face), or features touch.
//!
//! Penetration comes with features, not with a depth: that is left to the expanding polytope
//! ([`VClip::proximity`]).
//!
//! Invariants: a step to a feature of lower dimension leaves the distance of the features as it is,
//! one to higher dimension lowers it; so there is no circle but by rounding. That is noticed
//! (Brent's method); the states of the circle are equally good, and one of them proves itself by
//! the farthest points of the polytopes along its normal, or two of its edges show the way out, or
//! the answer says [`VClipTermination::Circle`]. Violations smaller than rounding can make do not
//! count, which leaves room between leaving a region and coming back. Nothing is allocated.
//!
//! The algorithm is B. Mirtich's (*V-Clip: fast and robust polyhedral collision detection*, 1998),
//! with the two corrections and the second search along borders of faces of J. de la Puente
//! Alonso's thesis (UNED, 2021). What is different here: the points that would be the answer are
//! looked at before anything is clipped.

pub(crate) mod bodies;
mod clip;
mod depth;
mod edge_states;
mod found;
mod perimeter;
pub(crate) mod step;
mod vertex_states;
mod witness;

use carom_geometry::polytope::Feature;
use carom_geometry::{Polytope, Pose, Real, Vector};

pub use found::{VClipAnswer, VClipState, VClipStatus, VClipTermination};
pub use perimeter::Perimeter;
pub use witness::Witness;

use bodies::Bodies;
use found::Found;
use step::Exit;

/// How often a query goes on outside of a circle. One that comes back again and again has no way
/// out.
const MOST_EXITS: u32 = 4;

/// A query with its settings.
///
/// ```
/// use carom_geometry::{Polytope, Pose};
/// use carom_narrowphase::vclip::{VClipState, VClip, Witness};
/// use glam::Vec3;
/// let (cube, tip) = (Polytope::<f32>::cube(1.0)?, Polytope::<f32>::pyramid(4, 1.0, 1.0)?);
/// let mut witness = Witness::default();
/// let pose = Pose::at(Vec3::new(0.0, 2.5, 0.0));
/// let near = VClip::default().proximity(&tip, &cube, &pose, &mut witness);
/// assert_eq!((near.distance, near.normal), (0.5, Vec3::Y));
/// // A little later the witness is the answer.
/// let pose = Pose::at(Vec3::new(0.125, 2.25, 0.0));
/// let answer = VClip::default().solve(&tip, &cube, &pose, witness);
/// assert_eq!((answer.features.distance, answer.steps), (0.25, 1));
/// assert_eq!(answer.state, VClipState::VertexFace);
/// # Ok::<(), carom_geometry::polytope::GenerateError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VClip {
    /// Most states that are visited.
    pub limit: u32,
    /// How borders of faces are searched.
    pub perimeter: Perimeter,
}

impl Default for VClip {
    /// The limit of the thesis: no query of the tests comes near it.
    fn default() -> Self {
        Self { limit: 5000, perimeter: Perimeter::default() }
    }
}

impl VClip {
    /// Features of two polytopes at the smallest distance, or a proof that they meet; the second is
    /// at `pose` in the frame of the first. Which of several witnesses of a penetration is found
    /// depends on the seed.
    #[inline]
    #[must_use]
    pub fn solve<S: Real>(
        &self,
        a: &Polytope<S>,
        b: &Polytope<S>,
        pose: &Pose<S>,
        seed: Witness,
    ) -> VClipAnswer<S> {
        let bodies = Bodies::new(a, b, pose);
        let mut pair = bodies.valid(seed);
        let (mut old, mut renewal, mut exits) = (pair, 8, 0);
        for steps in 1..=self.limit.max(1) {
            if let Some(found) = step::visit(&bodies, &mut pair, self.perimeter) {
                return step::answer(&found, pair, steps, VClipTermination::Settled);
            }
            if pair == old {
                match step::leave_circle(&bodies, pair, steps, self.perimeter) {
                    Exit::Features(outside) if exits < MOST_EXITS => (pair, exits) = (outside, exits + 1),
                    Exit::Features(_) => {
                        return step::unproven(&bodies, pair, steps, VClipTermination::Circle);
                    }
                    Exit::VClipAnswer(answer) => return answer,
                }
            }
            if steps == renewal {
                (old, renewal) = (pair, renewal * 2);
            }
        }
        step::unproven(&bodies, pair, self.limit.max(1), VClipTermination::Limit)
    }
}

/// The vertices of two polytopes that look at each other along the line of their origins: a better
/// start than vertex 0 where there is no witness, for the price of two support queries.
#[must_use]
pub fn facing<S: Real>(a: &Polytope<S>, b: &Polytope<S>, pose: &Pose<S>) -> Witness {
    let direction = pose.translation;
    if direction == S::Vec3::ZERO || !direction.is_finite() {
        return Witness::default();
    }
    let back = -pose.rotation.rotate_back(direction);
    Witness::new(Feature::Vertex(a.support_vertex(direction)), Feature::Vertex(b.support_vertex(back)))
}
