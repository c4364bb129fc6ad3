//! Construction of polytopes: from explicit faces, checked, and from parts known to fit.

use glam::DVec3;

use super::check::PolytopeFault;
use super::fans::VertexFans;
use super::ray::PlaneLanes;
use super::support::VertexLanes;
use super::{FaceId, HalfEdge, HalfEdgeId, Polytope, VertexId, VoronoiPlanes};
use crate::hull::Outline;
use crate::primitive::Plane;
use crate::real::{Real, Vector};

carom_core::error_type! {
    /// Why faces do not make a polytope.
    #[derive(Clone, Debug, PartialEq)]
    pub enum BuildError {
        /// A coordinate is infinite or not a number.
        #[error("vertex {index} has a coordinate that is not finite: {value:?}")]
        NotFinite {
            /// Which vertex.
            index: usize,
            /// Its coordinates.
            value: [f64; 3],
        },
        /// A face names a vertex that is not there.
        #[error("face {face} has the corner {corner}, but there are {vertices} vertices")]
        NoSuchVertex {
            /// Which face.
            face: usize,
            /// What it names.
            corner: u32,
            /// Number of vertices.
            vertices: usize,
        },
        /// A face has fewer than three corners.
        #[error("face {face} has {corners} corners")]
        TooFewCorners {
            /// Which face.
            face: usize,
            /// How many it has.
            corners: usize,
        },
        /// Two faces run along the same edge in the same direction.
        #[error("the edge from vertex {tail} to vertex {head} is in faces {faces:?}: one of them is turned over")]
        RepeatedEdge {
            /// Where the edge starts.
            tail: u32,
            /// Where it ends.
            head: u32,
            /// The faces.
            faces: [u32; 2],
        },
        /// An edge has a face on one side only.
        #[error("the edge from vertex {tail} to vertex {head} of face {face} has no face on its other side")]
        OpenEdge {
            /// Where the edge starts.
            tail: u32,
            /// Where it ends.
            head: u32,
            /// The face.
            face: u32,
        },
        /// A face has no area, so it has no plane.
        #[error("face {face} has no area")]
        NoArea {
            /// Which face.
            face: usize,
        },
        /// More half-edges than can be numbered.
        #[error("{count} half-edges are too many")]
        TooLarge {
            /// How many there would be.
            count: usize,
        },
        /// The faces fit together, but not to a convex polytope.
        #[error(transparent)]
        Fault(#[from] PolytopeFault),
    }
}

/// The tolerance that rounding of coordinates asks for: 6 ε (|x| + |y| + |z|).
pub(super) fn default_tolerance<S: Real>(points: &[S::Vec3]) -> S {
    // Below the normal numbers, rounding is no longer relative.
    let least = DVec3::splat(S::MIN_POSITIVE.to_f64());
    let largest = points.iter().fold(least, |m, p| Vector::max(m, Vector::abs(p.to::<f64>()))).to_array();
    // Summed after the product, so that the largest numbers do not overflow.
    S::of(largest.iter().map(|c| c * (6.0 * S::EPSILON.to_f64())).sum())
}

impl<S: Real> Polytope<S> {
    /// The polytope of vertices and faces; each face lists its corners counter-clockwise seen from
    /// outside.
    ///
    /// The result fulfils [`Polytope::check`]. The tolerance is 6 ε (|x| + |y| + |z|) of the
    /// largest coordinates.
    ///
    /// # Errors
    ///
    /// Anything that is not a convex polytope with volume; see [`BuildError`].
    ///
    /// ```
    /// use carom_geometry::polytope::Polytope;
    /// use glam::Vec3;
    /// let corners = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
    /// let faces: [&[u32]; 4] = [&[0, 2, 1], &[0, 1, 3], &[0, 3, 2], &[1, 2, 3]];
    /// let corner = Polytope::<f32>::from_faces(corners, &faces)?;
    /// assert_eq!(corner.edge_count(), 6);
    /// # Ok::<(), carom_geometry::polytope::BuildError>(())
    /// ```
    pub fn from_faces<F: AsRef<[u32]>>(points: Vec<S::Vec3>, faces: &[F]) -> Result<Self, BuildError> {
        if let Some(index) = points.iter().position(|p| !p.is_finite()) {
            return Err(BuildError::NotFinite { index, value: points[index].to::<f64>().to_array() });
        }
        let (half_edges, planes) = link(&points, faces)?;
        let tolerance = default_tolerance::<S>(&points);
        let mut used = vec![false; points.len()];
        for h in &half_edges {
            used[h.head.index()] = true;
        }
        if let Some(vertex) = used.iter().position(|is_used| !is_used) {
            return Err(PolytopeFault::LooseVertex { vertex: VertexId(vertex as u32) }.into());
        }
        let polytope = Self::assemble(points, half_edges, planes, tolerance);
        polytope.check()?;
        Ok(polytope)
    }

    /// The polytope of a hull. The outline is sound.
    pub(crate) fn from_outline(outline: &Outline, all: &[S::Vec3], tolerance: S) -> Self {
        let points: Vec<S::Vec3> = outline.vertices.iter().map(|&v| all[v as usize]).collect();
        let mut half_edges = Vec::with_capacity(outline.tails.len());
        let mut planes = Vec::with_capacity(outline.planes.len());
        for (f, &start) in outline.starts.iter().enumerate() {
            let end = outline.starts.get(f + 1).map_or(outline.tails.len(), |&e| e as usize) as u32;
            for h in start..end {
                let next = if h + 1 == end { start } else { h + 1 };
                half_edges.push(HalfEdge {
                    head: VertexId(outline.tails[next as usize]),
                    pair: HalfEdgeId(outline.pairs[h as usize]),
                    next: HalfEdgeId(next),
                    face: FaceId(f as u32),
                });
            }
            let corners = outline.tails[start as usize..end as usize].iter().map(|&v| points[v as usize]);
            planes.push(outermost_plane::<S>(outline.planes[f], corners));
        }
        Self::assemble(points, half_edges, planes, tolerance)
    }

    /// Puts parts together that are known to be in range: every vertex is the head of a half-edge.
    pub(super) fn assemble(
        points: Vec<S::Vec3>,
        half_edges: Vec<HalfEdge>,
        planes: Vec<Plane<S>>,
        tolerance: S,
    ) -> Self {
        let mut outgoing = vec![HalfEdgeId(0); points.len()];
        let mut first = vec![HalfEdgeId(0); planes.len()];
        // Backwards, so that the lowest half-edge stays.
        for (h, links) in half_edges.iter().enumerate().rev() {
            outgoing[links.head.index()] = links.pair;
            first[links.face.index()] = HalfEdgeId(h as u32);
        }
        Self::assemble_with(points, half_edges, planes, tolerance, outgoing, first)
    }

    /// The same with chosen half-edges of vertices and faces.
    pub(super) fn assemble_with(
        points: Vec<S::Vec3>,
        half_edges: Vec<HalfEdge>,
        planes: Vec<Plane<S>>,
        tolerance: S,
        outgoing: Vec<HalfEdgeId>,
        first: Vec<HalfEdgeId>,
    ) -> Self {
        let (lanes, plane_lanes) = (VertexLanes::new(&points), PlaneLanes::new(&planes));
        let fans = VertexFans::new(points.len(), &half_edges);
        let mut polytope = Self {
            points,
            outgoing,
            half_edges,
            voronoi: Vec::new(),
            first,
            planes,
            tolerance,
            fans,
            lanes,
            plane_lanes,
        };
        polytope.fill_voronoi_planes();
        polytope.fill_starts();
        polytope
    }

    fn fill_voronoi_planes(&mut self) {
        let none = Plane::new(S::Vec3::ZERO, S::ZERO);
        self.voronoi = vec![VoronoiPlanes { head: none, face: none }; self.half_edges.len()];
        for h in 0..self.half_edges.len() {
            let links = self.half_edges[h];
            if h >= links.pair.index() {
                continue;
            }
            let (head, tail) = (self.point(links.head), self.point(self.half_edge(links.pair).head));
            // Vertices differ, or the polytope is faulty and its planes do not matter.
            let back = (tail - head).unit().unwrap_or(S::Vec3::ZERO);
            for (half_edge, head, back) in [(h, head, back), (links.pair.index(), tail, -back)] {
                let face = self.half_edges[half_edge].face;
                let outwards = self.plane(face).normal.cross(back).unit().unwrap_or(S::Vec3::ZERO);
                self.voronoi[half_edge] =
                    VoronoiPlanes { head: Plane::through(head, back), face: Plane::through(head, outwards) };
            }
        }
    }
}

/// The plane with a normal that lies as far out as the outermost corner.
pub(super) fn outermost_plane<S: Real>(normal: DVec3, corners: impl Iterator<Item = S::Vec3>) -> Plane<S> {
    let normal = normal.to::<S>();
    let offset = corners.map(|p| normal.to::<f64>().dot(p.to::<f64>())).fold(f64::NEG_INFINITY, Real::max);
    Plane::new(normal, S::of(offset))
}

type Links<S> = (Vec<HalfEdge>, Vec<Plane<S>>);

/// Half-edges and planes of faces given by their corners.
fn link<S: Real, F: AsRef<[u32]>>(points: &[S::Vec3], faces: &[F]) -> Result<Links<S>, BuildError> {
    let count = faces.iter().map(|f| f.as_ref().len()).sum::<usize>();
    if count > u32::MAX as usize / 2 || points.len() > u32::MAX as usize / 2 {
        return Err(BuildError::TooLarge { count });
    }
    let mut half_edges = Vec::with_capacity(count);
    let mut planes = Vec::with_capacity(faces.len());
    // Tail, head and number of every half-edge, to be sorted.
    let mut by_ends: Vec<([u32; 2], u32)> = Vec::with_capacity(count);
    for (face, corners) in faces.iter().enumerate() {
        let corners = corners.as_ref();
        if corners.len() < 3 {
            return Err(BuildError::TooFewCorners { face, corners: corners.len() });
        }
        if let Some(&corner) = corners.iter().find(|&&c| c as usize >= points.len()) {
            return Err(BuildError::NoSuchVertex { face, corner, vertices: points.len() });
        }
        let start = half_edges.len() as u32;
        for (k, &tail) in corners.iter().enumerate() {
            let next = (k + 1) % corners.len();
            by_ends.push(([tail, corners[next]], start + k as u32));
            half_edges.push(HalfEdge {
                head: VertexId(corners[next]),
                pair: HalfEdgeId(0),
                next: HalfEdgeId(start + next as u32),
                face: FaceId(face as u32),
            });
        }
        let ring: Vec<DVec3> = corners.iter().map(|&c| points[c as usize].to::<f64>()).collect();
        let normal = ring_normal(&ring).ok_or(BuildError::NoArea { face })?;
        planes.push(outermost_plane::<S>(normal, corners.iter().map(|&c| points[c as usize])));
    }
    by_ends.sort_unstable();
    for pair in by_ends.windows(2) {
        if pair[0].0 == pair[1].0 {
            let [tail, head] = pair[0].0;
            let faces = [pair[0].1, pair[1].1].map(|h| half_edges[h as usize].face.0);
            return Err(BuildError::RepeatedEdge { tail, head, faces });
        }
    }
    for &([tail, head], h) in &by_ends {
        let Ok(place) = by_ends.binary_search_by(|(ends, _)| ends.cmp(&[head, tail])) else {
            return Err(BuildError::OpenEdge { tail, head, face: half_edges[h as usize].face.0 });
        };
        half_edges[h as usize].pair = HalfEdgeId(by_ends[place].1);
    }
    Ok((half_edges, planes))
}

/// Unit normal of a closed ring of points by Newell's sum, relative to its first point and scaled
/// against overflow.
pub(super) fn ring_normal(ring: &[DVec3]) -> Option<DVec3> {
    let origin = *ring.first()?;
    let largest =
        ring.iter().map(|&p| Vector::abs(p * 0.5 - origin * 0.5).max_element()).fold(0.0, Real::max);
    if !(largest > 0.0 && largest.is_finite()) {
        return None;
    }
    let at = |k: usize| (ring[k % ring.len()] * 0.5 - origin * 0.5) / largest;
    (1..ring.len()).map(|k| at(k).cross(at(k + 1))).sum::<DVec3>().unit()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corner() -> Vec<DVec3> {
        vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z]
    }

    const FACES: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];

    #[test]
    fn faces_that_do_not_fit_are_refused_by_name() {
        let build = |faces: &[Vec<u32>]| Polytope::<f64>::from_faces(corner(), faces).unwrap_err();
        let good: Vec<Vec<u32>> = FACES.iter().map(|f| f.to_vec()).collect();
        let with = |k: usize, face: &[u32]| {
            let mut faces = good.clone();
            faces[k] = face.to_vec();
            faces
        };
        assert_eq!(build(&with(2, &[0, 3])), BuildError::TooFewCorners { face: 2, corners: 2 });
        assert_eq!(build(&with(1, &[0, 1, 9])), BuildError::NoSuchVertex { face: 1, corner: 9, vertices: 4 });
        assert!(matches!(build(&with(3, &[1, 3, 2])), BuildError::RepeatedEdge { .. }));
        assert!(matches!(build(&good[..3]), BuildError::OpenEdge { .. }));
        assert_eq!(build(&with(0, &[0, 2, 0])), BuildError::NoArea { face: 0 });
        assert!(matches!(build(&[]), BuildError::Fault(_)));
    }

    #[test]
    fn inside_out_and_unused_vertices_are_faults() {
        let flipped: Vec<Vec<u32>> = FACES.iter().map(|f| f.iter().rev().copied().collect()).collect();
        let error = Polytope::<f64>::from_faces(corner(), &flipped).unwrap_err();
        assert!(matches!(error, BuildError::Fault(PolytopeFault::NotConvex { .. })), "{error}");
        let mut points = corner();
        points.push(DVec3::splat(0.1));
        let error = Polytope::<f64>::from_faces(points, &FACES).unwrap_err();
        assert!(matches!(error, BuildError::Fault(PolytopeFault::LooseVertex { vertex: VertexId(4) })));
        let mut points = corner();
        points[2].y = f64::NAN;
        let error = Polytope::<f64>::from_faces(points, &FACES).unwrap_err();
        assert!(matches!(error, BuildError::NotFinite { index: 2, .. }));
    }
}
