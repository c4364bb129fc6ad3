//! A polytope as bytes: points, links and planes as they are; what follows from them is rebuilt.
//! [`Polytope::check`] has the last word.

use glam::Vec3;

use super::{FaceId, HalfEdge, HalfEdgeId, Polytope, VertexId};
use crate::bytes::{BytesReadError, Reader, Stored, Writer};
use crate::primitive::Plane;

impl Stored for Polytope {
    const LEAST: usize = 24;

    fn put(&self, out: &mut Writer) {
        self.tolerance.put(out);
        self.points.put(out);
        self.planes.put(out);
        (self.half_edges.len() as u32).put(out);
        for links in &self.half_edges {
            [links.head.0, links.pair.0, links.next.0, links.face.0].put(out);
        }
        for start in self.outgoing.iter().chain(&self.first) {
            start.0.put(out);
        }
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, BytesReadError> {
        let tolerance = from.number("tolerance", 0.0, f32::MAX)?;
        let points: Vec<Vec3> = from.field("points")?;
        let planes: Vec<Plane> = from.field("planes")?;
        let links: Vec<[u32; 4]> = from.field("half_edges")?;
        let half_edge = |from: &mut Reader<'_>| {
            let start = from.at();
            let number = u32::take(from)?;
            let is_there = (number as usize) < links.len();
            if is_there {
                Ok(HalfEdgeId(number))
            } else {
                Err(BytesReadError::of(start, number, NO_HALF_EDGE))
            }
        };
        let outgoing = points.iter().map(|_| half_edge(from)).collect::<Result<_, _>>()?;
        let first = planes.iter().map(|_| half_edge(from)).collect::<Result<_, _>>()?;
        let limits = [points.len(), links.len(), links.len(), planes.len()];
        let fits = |all: &[u32; 4]| all.iter().zip(limits).all(|(number, limit)| (*number as usize) < limit);
        if let Some(bad) = links.iter().position(|all| !fits(all)) {
            return Err(from.refused(format_args!(
                "half-edge {bad} names something that is not there: {:?}",
                links[bad]
            )));
        }
        let linked = links.iter().map(|&[head, pair, next, face]| HalfEdge {
            head: VertexId(head),
            pair: HalfEdgeId(pair),
            next: HalfEdgeId(next),
            face: FaceId(face),
        });
        let polytope = Self::assemble_with(points, linked.collect(), planes, tolerance, outgoing, first);
        polytope.check().map_err(|fault| from.refused(fault))?;
        Ok(polytope)
    }
}

const NO_HALF_EDGE: &str = "there is no half-edge of that number";
