//! The faces at each vertex as one list.
//!
//! A walk round a vertex goes from half-edge to half-edge, each in another part of memory and known
//! only from the one before. In worlds of thousands of different hulls that is a cache miss after
//! the other; the list takes one or two.

use super::{FaceId, HalfEdge, VertexId};

/// Faces by vertex, ascending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct VertexFans {
    /// Where the faces of each vertex begin, and their end.
    starts: Vec<u32>,
    faces: Vec<FaceId>,
}

impl VertexFans {
    /// Counts, without walking: links that were read may be faulty and not have been checked yet.
    pub(super) fn new(vertex_count: usize, half_edges: &[HalfEdge]) -> Self {
        let mut starts = vec![0; vertex_count + 1];
        for links in half_edges {
            starts[links.head.index() + 1] += 1;
        }
        for at in 0..vertex_count {
            starts[at + 1] += starts[at];
        }
        let mut faces = vec![FaceId(0); half_edges.len()];
        let mut ends = starts.clone();
        for links in half_edges {
            let end = &mut ends[links.head.index()];
            faces[*end as usize] = links.face;
            *end += 1;
        }
        for fan in starts.windows(2) {
            faces[fan[0] as usize..fan[1] as usize].sort_unstable();
        }
        Self { starts, faces }
    }

    #[inline]
    pub(super) fn of(&self, vertex: VertexId) -> &[FaceId] {
        let at = vertex.index();
        &self.faces[self.starts[at] as usize..self.starts[at + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use crate::Polytope;

    #[test]
    fn lists_are_walks() {
        for hull in [Polytope::<f32>::random_on_sphere(40, 1.0, 3), Polytope::prism(12, 1.0, 1.0)] {
            let hull = hull.expect("a hull");
            for vertex in hull.vertices() {
                let mut walked: Vec<_> = hull.faces_at(vertex).collect();
                walked.sort_unstable();
                assert_eq!(hull.faces_around(vertex), walked);
            }
        }
    }
}
