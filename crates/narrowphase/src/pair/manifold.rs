//! Contact points.

use carom_geometry::{Pose, Shape};
use glam::Vec3;

use super::revolution::by_directions;
use super::{PairCache, Scratch, Unsupported, gjk_epa, solids};
use crate::alternatives::by_method;
use crate::analytic::polytope_capsule;
use crate::dispatch::{Algorithm, Question, algorithm_for};
use crate::manifold::contact as clip;
use crate::revolved::{self, AxisHint, RevolvedOutcome};
use crate::sat::Tolerances;
use crate::support_feature::Solid;
use crate::{FeatureId, Manifold, NarrowMethod, Proximity, analytic, planar};

/// Above this product of vertices the search for axes takes longer than that for closest points:
/// two hulls of 100 take 5 µs cold, two of 300 take 15 µs against 5.
const MANY_VERTEX_PAIRS: usize = 150 * 150;

/// The contact points of two shapes within the speculative distance, into `contact`, whose old
/// points are preferred if there are more than four.
///
/// # Errors
/// If the method has no answer for such shapes; the contact is left as it was.
#[expect(
    clippy::too_many_arguments,
    reason = "two shapes, what is asked, and what is kept; a struct would name them twice"
)]
pub fn manifold(
    a: &Shape,
    b: &Shape,
    pose: &Pose,
    tolerances: Tolerances,
    method: NarrowMethod,
    cache: &mut PairCache,
    scratch: &mut Scratch,
    contact: &mut Manifold,
) -> Result<(), Unsupported> {
    let query = ManifoldQuery { a, b, pose, tolerances };
    if method != NarrowMethod::Auto {
        return by_method::manifold(&query, method, cache, scratch, contact);
    }
    let algorithm = algorithm_for(Question::Manifold, a, b);
    // One comparison and no other work before formulas: for round shapes the way to them is a good
    // part of the time.
    if algorithm == Algorithm::Analytic {
        analytic::manifold(a, b, pose, tolerances.speculative_distance, contact);
        return Ok(());
    }
    query.by_search(algorithm, cache, scratch, contact)
}

/// Two shapes, and what is asked about them.
pub(crate) struct ManifoldQuery<'q> {
    pub(crate) a: &'q Shape,
    pub(crate) b: &'q Shape,
    pub(crate) pose: &'q Pose,
    pub(crate) tolerances: Tolerances,
}

impl ManifoldQuery<'_> {
    /// What the table names besides formulas.
    #[inline(never)]
    fn by_search(
        &self,
        algorithm: Algorithm,
        cache: &mut PairCache,
        scratch: &mut Scratch,
        contact: &mut Manifold,
    ) -> Result<(), Unsupported> {
        let is_done = match algorithm {
            Algorithm::Sat => self.by_separating_axes(cache, scratch, contact),
            Algorithm::SatOrGjkEpa => {
                self.has_few_vertices() && self.by_separating_axes(cache, scratch, contact)
            }
            Algorithm::PolytopeCapsule => self.beside_capsule(contact),
            Algorithm::Revolved if revolved::has_few_edges(self.a) && revolved::has_few_edges(self.b) => {
                self.by_directions(cache, scratch, contact)?
            }
            Algorithm::PlaneGeometry => {
                let speculative_distance = self.tolerances.speculative_distance;
                planar::manifold(self.a, self.b, self.pose, speculative_distance, contact)
            }
            Algorithm::RevolvedThenGjkEpa => self.is_apart_along_revolved_axis(cache, contact),
            _ => false,
        };
        if is_done {
            return Ok(());
        }
        let Self { a, b, pose, tolerances } = *self;
        let near = gjk_epa(a, b, pose, tolerances.speculative_distance, NarrowMethod::Auto, cache)?;
        self.clip_near(NarrowMethod::Auto, near, scratch, contact)
    }

    fn has_few_vertices(&self) -> bool {
        match (self.a, self.b) {
            (Shape::Polytope(a), Shape::Polytope(b)) => {
                a.vertex_count() * b.vertex_count() <= MANY_VERTEX_PAIRS
            }
            _ => true,
        }
    }

    /// A polytope and a capsule: where the distance of the segment is certain, the rest is a
    /// formula.
    fn beside_capsule(&self, contact: &mut Manifold) -> bool {
        let speculative_distance = self.tolerances.speculative_distance;
        match (self.a, self.b) {
            (Shape::Polytope(a), Shape::Capsule(b)) => {
                polytope_capsule::write_contact(a, b, self.pose, speculative_distance, contact)
            }
            (Shape::Capsule(a), Shape::Polytope(b)) => {
                let back = self.pose.inverse();
                let is_done = polytope_capsule::write_contact(b, a, &back, speculative_distance, contact);
                if is_done {
                    contact.swap(&back);
                }
                is_done
            }
            _ => false,
        }
    }

    /// A cylinder or cone by candidate directions; false if they do not decide.
    fn by_directions(
        &self,
        cache: &mut PairCache,
        scratch: &mut Scratch,
        contact: &mut Manifold,
    ) -> Result<bool, Unsupported> {
        let Self { a, b, pose, tolerances } = *self;
        let speculative_distance = tolerances.speculative_distance;
        match by_directions(a, b, pose, speculative_distance, cache) {
            Some(RevolvedOutcome::Apart(_)) => {
                contact.clear();
                Ok(true)
            }
            Some(RevolvedOutcome::Near { proximity: near, has_points: true })
                if near.distance <= speculative_distance
                    && revolved::is_one_point(a, b, pose, near.normal) =>
            {
                *contact = Manifold::of_proximity(&near, pose, FeatureId::CLOSEST);
                Ok(true)
            }
            Some(RevolvedOutcome::Near { proximity: near, has_points }) => {
                let found = self.clipped(solids(NarrowMethod::Auto, a, b)?, &near, scratch, contact);
                let is_done = has_points || found.points().len() > 1 && !has_closest(&found);
                if is_done {
                    *contact = found;
                }
                Ok(is_done)
            }
            _ => Ok(false),
        }
    }

    /// Two bodies of revolution farther apart than asked for, along an axis that is easily found.
    fn is_apart_along_revolved_axis(&self, cache: &mut PairCache, contact: &mut Manifold) -> bool {
        let Self { a, b, pose, tolerances } = *self;
        let apart = revolved::round_apart(a, b, pose, tolerances.speculative_distance, &cache.direction);
        cache.direction = AxisHint { axis: apart.unwrap_or(Vec3::ZERO), overlaps: false };
        if apart.is_some() {
            contact.clear();
        }
        apart.is_some()
    }

    /// Contact points from closest points, if these are near enough.
    pub(crate) fn clip_near(
        &self,
        method: NarrowMethod,
        near: Option<Proximity>,
        scratch: &mut Scratch,
        contact: &mut Manifold,
    ) -> Result<(), Unsupported> {
        let Some(near) = near.filter(|near| near.distance <= self.tolerances.speculative_distance) else {
            contact.clear();
            return Ok(());
        };
        *contact = self.clipped(solids(method, self.a, self.b)?, &near, scratch, contact);
        Ok(())
    }

    /// Contact points from the support features that face each other along a normal.
    fn clipped(
        &self,
        (a, b): (&dyn Solid, &dyn Solid),
        near: &Proximity,
        scratch: &mut Scratch,
        previous: &Manifold,
    ) -> Manifold {
        let pose = self.pose;
        let [feature_a, feature_b] = &mut scratch.support_features;
        a.support_feature(near.normal, feature_a);
        b.support_feature(pose.rotation.rotate_back(-near.normal), feature_b);
        feature_b.pose(pose);
        let speculative_distance = self.tolerances.speculative_distance;
        clip(feature_a.view(), feature_b.view(), near, pose, speculative_distance, previous)
    }
}

/// Is one of the points what the algorithm gave, and not clipped?
fn has_closest(contact: &Manifold) -> bool {
    contact.points().iter().any(|point| point.feature == FeatureId::CLOSEST)
}
