//! Support features of polytopes.

use carom_geometry::Polytope;
use carom_geometry::polytope::FaceId;
use glam::Vec3;

use super::{MAX_CORNERS, SupportFeature, SupportFeatureMap};

impl SupportFeature {
    /// A face of a polytope. The lower half-edge names an edge; numbers wrap at 2¹⁶.
    pub fn set_polytope_face(&mut self, polytope: &Polytope, face: FaceId) {
        self.start(face.0 as u16, polytope.plane(face).normal);
        let mut at = polytope.first(face);
        let start = at;
        // A half-edge starts where the one before ends: looking for its pair would be a cache miss.
        let mut vertex = polytope.tail(at);
        // Most faces fit: only when one does not is it counted and thinned.
        loop {
            if usize::from(self.count) == MAX_CORNERS {
                self.thin(polytope, face);
                return;
            }
            let links = polytope.half_edge(at);
            self.push(polytope.point(vertex), vertex.0 as u16, at.min(links.pair).0 as u16);
            (at, vertex) = (links.next, links.head);
            if at == start {
                return;
            }
        }
    }

    /// As many corners of a large face as fit, spread evenly.
    #[cold]
    fn thin(&mut self, polytope: &Polytope, face: FaceId) {
        let count = polytope.around_face(face).count();
        self.start(face.0 as u16, polytope.plane(face).normal);
        for (k, h) in polytope.around_face(face).enumerate() {
            if (k * MAX_CORNERS) / count != ((k + 1) * MAX_CORNERS) / count {
                let vertex = polytope.tail(h);
                self.push(polytope.point(vertex), vertex.0 as u16, polytope.edge_of(h).0 as u16);
            }
        }
    }
}

impl SupportFeatureMap for Polytope {
    fn support_feature(&self, direction: Vec3, support_feature: &mut SupportFeature) {
        let vertex = self.support_vertex(direction);
        let (mut best, mut along) = (FaceId(0), f32::NEG_INFINITY);
        for &face in self.faces_around(vertex) {
            let height = self.plane(face).normal.dot(direction);
            // The lower number among equals.
            if height > along {
                (best, along) = (face, height);
            }
        }
        support_feature.set_polytope_face(self, best);
    }
}
