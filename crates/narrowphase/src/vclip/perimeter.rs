//! The feature round a face that is nearest to an edge which passes the face by.
//!
//! No point of such an edge is above or below the face, so the nearest point of the face is on its
//! border, and the distance from a point that runs along the edge to the border is the one to a
//! convex set: it has one valley. Two ways lead there:
//! * [`Perimeter::Walk`] follows the border from a side that cuts the edge off, always towards the
//!   falling distance (Mirtich 1998, §3.3.3);
//! * [`Perimeter::Scan`] goes once round counter-clockwise and takes the first feature whose region
//!   holds the valley (the variant of the thesis, which suits half-edges).
//!
//! Both test the answer; if rounding has led them astray, the distances of all sides decide.

use carom_geometry::closest::Span;
use carom_geometry::polytope::{FaceId, Feature, HalfEdgeId};
use carom_geometry::primitive::Segment;
use carom_geometry::{Polytope, Real, Vector};

use super::clip::{Beyond, Clip, Cut, slope_to_point};

/// How the border of a face is searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Perimeter {
    /// Downhill along the border.
    #[default]
    Walk,
    /// Once round.
    Scan,
}

/// The feature of the border of `face` nearest to `rod`, which is in the frame of `shape` and
/// nowhere over the face. `start` is a side of the face that cuts the rod.
pub(super) fn nearest<S: Real>(
    shape: &Polytope<S>,
    face: FaceId,
    rod: &Segment<S>,
    start: HalfEdgeId,
    search: Perimeter,
    tolerance: S,
) -> Feature {
    let border = Border { shape, rod, direction: rod.direction(), tolerance };
    let found = match search {
        Perimeter::Walk => border.walk(face, start),
        Perimeter::Scan => border.scan(face),
    };
    found.unwrap_or_else(|| border.measured(face))
}

/// A border and what passes it.
struct Border<'p, S: Real> {
    shape: &'p Polytope<S>,
    rod: &'p Segment<S>,
    direction: S::Vec3,
    tolerance: S,
}

/// A feature of a border by the half-edge that it is or ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Side(HalfEdgeId),
    Corner(HalfEdgeId),
}

impl<S: Real> Border<'_, S> {
    /// The neighbour on the border behind which the rod is nearer; `None` as answer of a walk if it
    /// is here.
    fn beyond(&self, place: Place) -> Beyond<Place> {
        let shape = self.shape;
        let mut clip = Clip::new();
        // Each plane with its sign, what lies behind, and the corner that both share.
        let planes = match place {
            Place::Side(h) => {
                let before = self.previous(h);
                let pair = shape.half_edge(h).pair;
                [(h, S::ONE, Place::Corner(h), h), (pair, S::ONE, Place::Corner(before), before)]
            }
            Place::Corner(h) => {
                let next = shape.half_edge(h).next;
                let back = shape.half_edge(next).pair;
                [(h, -S::ONE, Place::Side(h), h), (back, -S::ONE, Place::Side(next), h)]
            }
        };
        for (which, (plane, sign, behind, _)) in planes.into_iter().enumerate() {
            let plane = shape.vp_head(plane);
            let inside = |p: S::Vec3| plane.signed_distance(p) * sign + self.tolerance;
            match clip.cut(inside(self.rod.a), inside(self.rod.b), which) {
                Cut::Alone => return Beyond::Neighbour(behind),
                Cut::Together => break,
                Cut::Left => {}
            }
        }
        let beyond = clip.beyond(|which, at| {
            let corner = shape.point(shape.half_edge(planes[which].3).head);
            slope_to_point(self.direction, self.rod.at(at) - corner, self.tolerance)
        });
        match beyond {
            Beyond::Nothing if clip.low > clip.high => Beyond::Touching,
            Beyond::Nothing => Beyond::Nothing,
            Beyond::Neighbour(which) => Beyond::Neighbour(planes[which].2),
            Beyond::Touching => Beyond::Touching,
        }
    }

    /// The half-edge before another in its face. Goes round the vertex, as half-edges know only
    /// what follows.
    fn previous(&self, h: HalfEdgeId) -> HalfEdgeId {
        let shape = self.shape;
        let face = shape.half_edge(h).face;
        let mut edge = shape.half_edge(h).pair;
        // The half-edges that end at the tail of `h`.
        while shape.half_edge(edge).face != face {
            edge = shape.half_edge(shape.half_edge(edge).next).pair;
        }
        edge
    }

    fn walk(&self, face: FaceId, start: HalfEdgeId) -> Option<Feature> {
        let mut place = Place::Side(start);
        // Once round is enough: the walk never turns back except by rounding.
        for _ in 0..=2 * self.shape.around_face(face).count() {
            match self.beyond(place) {
                Beyond::Neighbour(next) => place = next,
                Beyond::Touching => return None,
                Beyond::Nothing => return self.accepted(place),
            }
        }
        None
    }

    fn scan(&self, face: FaceId) -> Option<Feature> {
        let places = self.shape.around_face(face).flat_map(|h| [Place::Side(h), Place::Corner(h)]);
        places.filter(|&place| self.beyond(place) == Beyond::Nothing).find_map(|place| self.accepted(place))
    }

    /// A side counts only if the valley is on its outer side: a rod beyond the opposite side is in
    /// its region as well.
    fn accepted(&self, place: Place) -> Option<Feature> {
        match place {
            Place::Corner(h) => Some(Feature::Vertex(self.shape.half_edge(h).head)),
            Place::Side(h) => {
                let side = Span::from_segment(&self.shape.segment(h));
                let rod = Span::from_segment(self.rod);
                let nearest = rod.at(rod.closest_parameters(&side)[0]);
                let outside = self.shape.vp_face(h).signed_distance(nearest);
                (outside >= -self.tolerance).then_some(Feature::Edge(h))
            }
        }
    }

    /// The side with the least distance, or one of its ends if that is where the distance is.
    fn measured(&self, face: FaceId) -> Feature {
        let rod = Span::from_segment(self.rod);
        let mut best = (S::INFINITY, self.shape.first(face), S::ZERO);
        for h in self.shape.around_face(face) {
            let side = Span::from_segment(&self.shape.segment(h));
            let [s, t] = rod.closest_parameters(&side);
            let square = (rod.at(s) - side.at(t)).length_squared();
            if square < best.0 {
                best = (square, h, t);
            }
        }
        let (_, h, t) = best;
        if t <= S::ZERO {
            Feature::Vertex(self.shape.tail(h))
        } else if t >= S::ONE {
            Feature::Vertex(self.shape.half_edge(h).head)
        } else {
            Feature::Edge(h)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_geometry::closest::closest_points;
    use glam::DVec3;
    use proptest::prelude::*;

    fn distance(shape: &Polytope<f64>, feature: Feature, rod: &Segment<f64>) -> f64 {
        match feature {
            Feature::Vertex(v) => closest_points(rod, &shape.point(v)).distance(),
            Feature::Edge(h) => closest_points(rod, &shape.segment(h)).distance(),
            Feature::Face(_) => f64::NAN,
        }
    }

    proptest! {
        #[test]
        fn both_searches_find_the_least_distance(
            sides in 3usize..45,
            ends in prop::array::uniform6(-3.0f64..3.0),
            on_grid in any::<bool>(),
        ) {
            let prism = Polytope::<f64>::prism(sides, 1.0, 1.0).unwrap();
            let ends = if on_grid { ends.map(|c| (c * 2.0).round() / 2.0) } else { ends };
            let rod = Segment::new(DVec3::from_slice(&ends[..3]), DVec3::from_slice(&ends[3..]));
            for face in prism.faces() {
                let mut clip = Clip::new();
                let excluding = prism.around_face(face).find(|&h| {
                    let inside = |p| -prism.vp_face(h).signed_distance(p);
                    clip.cut(inside(rod.a), inside(rod.b), h) != Cut::Left
                });
                let Some(start) = excluding else { continue };
                let least = prism.around_face(face).map(|h| distance(&prism, Feature::Edge(h), &rod));
                let least = least.fold(f64::MAX, f64::min);
                for search in [Perimeter::Walk, Perimeter::Scan] {
                    let found = nearest(&prism, face, &rod, start, search, prism.tolerance());
                    let off = distance(&prism, found, &rod) - least;
                    prop_assert!(off < 1e-12, "{search:?} is off by {off}: {found:?} of {face:?}, {rod:?}");
                }
            }
        }
    }
}
