//! Names of contact points.

/// Which features of the two shapes make a contact point. Equal in consecutive frames as long as
/// the features are the same; impulses are carried over by it.
///
/// The upper half is the part of the first shape, the lower half that of the second. It does not
/// say which of the two was clipped, so it stays when the roles change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FeatureId(pub u32);

/// A part of one shape. Numbers are kept modulo 2¹⁴: names in larger shapes may coincide, and then
/// the place of the point decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A corner.
    Vertex(u16),
    /// An edge.
    Edge(u16),
    /// A face.
    Face(u16),
    /// Anything else.
    Other(u16),
}

impl Part {
    const INDEX: u16 = 0x3FFF;

    #[inline]
    const fn code(self) -> u32 {
        let (kind, index) = match self {
            Self::Vertex(index) => (0, index),
            Self::Edge(index) => (1, index),
            Self::Face(index) => (2, index),
            Self::Other(index) => (3, index),
        };
        (kind << 14 | index & Self::INDEX) as u32
    }
}

impl FeatureId {
    /// The closest or deepest points of two shapes, whatever features they are on.
    pub const CLOSEST: Self = Self::new(Part::Other(Part::INDEX), Part::Other(Part::INDEX));

    /// Parts of the first and the second shape.
    #[inline]
    #[must_use]
    pub const fn new(of_a: Part, of_b: Part) -> Self {
        Self(of_a.code() << 16 | of_b.code())
    }

    /// The name of the same features in one part of a composite shape, a triangle or child:
    /// different for different parts but for one chance in 2³². The nameless
    /// [`CLOSEST`](Self::CLOSEST) stays so.
    #[inline]
    #[must_use]
    pub const fn within(self, part: u32) -> Self {
        if self.0 == Self::CLOSEST.0 {
            return self;
        }
        // The finaliser of MurmurHash3 (A. Appleby) spreads neighbouring parts over all bits.
        let mut mixed = part.wrapping_add(0x9e37_79b9);
        mixed = (mixed ^ mixed >> 16).wrapping_mul(0x85eb_ca6b);
        mixed = (mixed ^ mixed >> 13).wrapping_mul(0xc2b2_ae35);
        Self(self.0 ^ mixed ^ mixed >> 16)
    }

    /// A second name for the same two edges.
    #[inline]
    #[must_use]
    pub(crate) const fn other(self) -> Self {
        Self(self.0 ^ 0x8000_8000)
    }

    /// The same with the shapes exchanged.
    #[inline]
    #[must_use]
    pub const fn swapped(self) -> Self {
        Self(self.0.rotate_left(16))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_names_of_their_own() {
        let parts = [Part::Vertex(1), Part::Edge(1), Part::Face(1), Part::Other(1), Part::Vertex(2)];
        for (i, &a) in parts.iter().enumerate() {
            for (j, &b) in parts.iter().enumerate() {
                assert_eq!(FeatureId::new(a, b).swapped(), FeatureId::new(b, a));
                assert_eq!(FeatureId::new(a, b) == FeatureId::new(b, a), i == j);
            }
        }
        assert_eq!(FeatureId::CLOSEST.swapped(), FeatureId::CLOSEST);
    }
}
