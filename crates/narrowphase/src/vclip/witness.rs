//! A pair of features in eight bytes.

use carom_geometry::polytope::{FaceId, Feature, HalfEdgeId, VertexId};

/// A feature of each polytope: where a query ends, and where the next one should begin.
///
/// Eight bytes, so that an engine can keep one in its record of a pair. A witness of other
/// polytopes is a bad start, never an error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Witness {
    packed: [u32; 2],
}

carom_geometry::stored!(Witness { packed: [u32; 2] });

/// The upper two bits say what it is.
const KIND: u32 = 30;
const EDGE: u32 = 1 << KIND;
const FACE: u32 = 2 << KIND;
const NUMBER: u32 = EDGE - 1;

/// Numbers above 2³⁰ do not fit and become vertex 0: a polytope of that many features takes 50 GB.
fn pack(feature: Feature) -> u32 {
    let (kind, number) = match feature {
        Feature::Vertex(VertexId(number)) => (0, number),
        Feature::Edge(HalfEdgeId(number)) => (EDGE, number),
        Feature::Face(FaceId(number)) => (FACE, number),
    };
    if number > NUMBER { 0 } else { kind | number }
}

fn unpack(packed: u32) -> Feature {
    let number = packed & NUMBER;
    match packed & !NUMBER {
        0 => Feature::Vertex(VertexId(number)),
        EDGE => Feature::Edge(HalfEdgeId(number)),
        _ => Feature::Face(FaceId(number)),
    }
}

impl Witness {
    /// Vertex 0 of both: the start without knowledge.
    pub const VERTICES: Self = Self { packed: [0; 2] };

    /// Of the first and of the second polytope.
    #[inline]
    #[must_use]
    pub fn new(a: Feature, b: Feature) -> Self {
        Self { packed: [pack(a), pack(b)] }
    }

    /// The feature of the first and that of the second polytope.
    #[inline]
    #[must_use]
    pub fn features(self) -> [Feature; 2] {
        self.packed.map(unpack)
    }

    /// The same with the polytopes exchanged.
    #[inline]
    #[must_use]
    pub fn swapped(self) -> Self {
        Self { packed: [self.packed[1], self.packed[0]] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn witnesses_take_eight_bytes_and_come_back() {
        assert_eq!(size_of::<Witness>(), 8);
        for number in [0, 1, 77, NUMBER] {
            let (v, e, f) = (
                Feature::Vertex(VertexId(number)),
                Feature::Edge(HalfEdgeId(number)),
                Feature::Face(FaceId(number)),
            );
            for (a, b) in [(v, e), (e, f), (f, v)] {
                assert_eq!(Witness::new(a, b).features(), [a, b]);
                assert_eq!(Witness::new(a, b).swapped(), Witness::new(b, a));
            }
        }
        let start = Feature::Vertex(VertexId(0));
        assert_eq!(Witness::default().features(), [start, start]);
        assert_eq!(Witness::new(Feature::Face(FaceId(u32::MAX)), start).features(), [start, start]);
    }
}
