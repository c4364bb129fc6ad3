//! How the surface goes on across the edges of a triangle.
//!
//! A body that slides over a mesh must not catch on the seams between triangles. What it may catch
//! on is decided per edge: seams in a plane and edges the surface bends upwards at cannot be struck
//! from the front side, sharp ridges and borders can. The kinds are computed once and kept in two
//! bytes per triangle; height fields compute them on demand.

use glam::{DVec3, Vec3};

use crate::real::Vector;

/// What happens at an edge, seen from the front side of the triangle it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum EdgeKind {
    /// No other triangle: the surface ends here.
    Border = 0,
    /// The neighbour goes on in the same plane, within the tolerance the mesh was built with.
    Flat = 1,
    /// The neighbour bends away: a ridge, which can be struck.
    Convex = 2,
    /// The neighbour bends up: a valley.
    Concave = 3,
    /// Three or more triangles meet; there is no single neighbour.
    NonManifold = 4,
}

/// The kinds of the three edges of a triangle, from corner k to corner k + 1, in nine bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct EdgeFlags(u16);

impl EdgeFlags {
    /// Flags of three edges.
    #[inline]
    #[must_use]
    pub fn new(kinds: [EdgeKind; 3]) -> Self {
        Self(kinds[0] as u16 | (kinds[1] as u16) << 3 | (kinds[2] as u16) << 6)
    }

    /// The kind of the edge from corner `edge` to the next one.
    ///
    /// # Panics
    /// If `edge` is not 0, 1 or 2.
    #[inline]
    #[must_use]
    pub fn get(self, edge: usize) -> EdgeKind {
        assert!(edge < 3, "a triangle has no edge {edge}");
        match self.0 >> (3 * edge) & 7 {
            0 => EdgeKind::Border,
            1 => EdgeKind::Flat,
            2 => EdgeKind::Convex,
            3 => EdgeKind::Concave,
            _ => EdgeKind::NonManifold,
        }
    }

    /// The kinds of all three edges.
    #[inline]
    #[must_use]
    pub fn kinds(self) -> [EdgeKind; 3] {
        [self.get(0), self.get(1), self.get(2)]
    }

    /// The same flags with another kind for one edge.
    #[must_use]
    pub(crate) fn with(self, edge: usize, kind: EdgeKind) -> Self {
        Self(self.0 & !(7 << (3 * edge)) | (kind as u16) << (3 * edge))
    }
}

/// The kind of the edge `a`–`b` between a triangle with the third corner `own` (counter-clockwise
/// a, b, own seen from the front) and its neighbour with the third corner `other`. `flat_cosine` is
/// the cosine of the largest bend that counts as flat. The orientation of the neighbour does not
/// matter.
///
/// A triangle without area has no plane to bend from: flat.
pub(crate) fn bend(a: Vec3, b: Vec3, own: Vec3, other: Vec3, flat_cosine: f64) -> EdgeKind {
    /// Sine below which a surface folded back onto itself counts as a ridge: rounding alone makes
    /// less.
    const FOLDED: f64 = 1e-12;
    let a: DVec3 = a.to::<f64>();
    let edge = b.to::<f64>() - a;
    let own = own.to::<f64>() - a;
    let other = other.to::<f64>() - a;
    let normal = edge.cross(own);
    // Both normals as if the surface were oriented like the first triangle.
    let onward = other.cross(edge);
    let lengths = normal.length() * onward.length();
    if lengths == 0.0 || normal.dot(onward) >= flat_cosine * lengths {
        EdgeKind::Flat
    } else if normal.dot(other) > FOLDED * normal.length() * other.length() {
        EdgeKind::Concave
    } else {
        EdgeKind::Convex
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_keep_three_kinds() {
        use EdgeKind::{Border, Concave, Convex, Flat, NonManifold};
        let all = [Border, Flat, Convex, Concave, NonManifold];
        for a in all {
            for b in all {
                for c in all {
                    assert_eq!(EdgeFlags::new([a, b, c]).kinds(), [a, b, c]);
                    assert_eq!(EdgeFlags::new([a, b, c]).with(1, a).kinds(), [a, a, c]);
                }
            }
        }
        assert_eq!(EdgeFlags::default().kinds(), [Border; 3]);
    }

    #[test]
    fn the_sign_of_the_bend_decides() {
        let (a, b, own) = (Vec3::ZERO, Vec3::X, Vec3::Y); // front is +z
        let cosine = 0.999_847_695; // 1°
        let kind = |z: f32| bend(a, b, own, Vec3::new(0.5, -1.0, z), cosine);
        assert_eq!(kind(0.0), EdgeKind::Flat);
        assert_eq!((kind(0.01), kind(-0.01)), (EdgeKind::Flat, EdgeKind::Flat), "half a degree");
        assert_eq!((kind(0.03), kind(-0.03)), (EdgeKind::Concave, EdgeKind::Convex), "nearly two degrees");
        assert_eq!(bend(a, b, own, own, cosine), EdgeKind::Convex, "folded back onto itself");
        assert_eq!(bend(a, b, Vec3::X * 2.0, -Vec3::Y, cosine), EdgeKind::Flat, "no plane to bend from");
    }
}
