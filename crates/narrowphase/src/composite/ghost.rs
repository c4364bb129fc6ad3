//! Which normals a surface allows at an edge or a corner of a triangle.
//!
//! A triangle that is measured alone does not know that the surface goes on across its edges, and
//! reports contacts with them that are not there: a ball that rolls over a floor would bump against
//! every seam. A contact with an edge or corner is real if its normal lies in the *normal cone* of
//! the surface there: no triangle at that edge or corner climbs along it. If one does, a point of
//! that triangle is nearer, so the contact of the triangle alone can be left to its neighbours.
//!
//! The cone is asked only when an edge or a corner is met, by walking the neighbours; nothing is
//! stored per triangle but the kinds of edges. That edges should be judged by their Voronoi regions
//! is known from Bullet's internal edges (E. Coumans); the walk round corners is ours.

use carom_geometry::Real;
use carom_geometry::mesh::EdgeKind;
use carom_geometry::primitive::Triangle;
use glam::Vec3;

use super::triangles::Triangles;

/// Part of a triangle that looks along a direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Feature {
    /// The whole front or back.
    Face,
    /// The edge from this corner to the next.
    Edge(usize),
    /// A corner.
    Corner(usize),
}

/// Cosine between a normal and that of a face above which they are the same: 0.1°.
pub(super) const FACE_COSINE: f32 = 0.999_998;

/// Sine of the angle by which an edge may fall from the top and still counts as level: 0.1°.
const LEVEL_SINE: f32 = 0.002;

/// Sine of the angle by which an edge may climb along a normal: what rounding makes of edges a
/// thousand times shorter than their coordinates.
const CLIMB_SINE: f32 = 1e-4;

/// Triangles round a corner that are asked, each way: more meet only in broken meshes, and those
/// not asked allow everything.
const LARGEST_FAN: usize = 4096;

/// The part of a triangle that is farthest along a unit vector; `face` is its normal on either
/// side.
pub(super) fn feature_along(triangle: &Triangle, face: Vec3, normal: Vec3) -> Feature {
    if Real::abs(face.dot(normal)) >= FACE_COSINE {
        return Feature::Face;
    }
    let corners = triangle.corners();
    let heights = corners.map(|corner| normal.dot(corner - corners[0]));
    let top = (1..3).fold(0, |t, k| if heights[k] > heights[t] { k } else { t });
    let (next, last) = ((top + 1) % 3, (top + 2) % 3);
    // How steeply the surface falls from the top along either edge.
    let fall = |k: usize| {
        let length = (corners[k] - corners[top]).length();
        if length > 0.0 { (heights[top] - heights[k]) / length } else { 0.0 }
    };
    let (to_next, to_last) = (fall(next), fall(last));
    match to_next <= to_last {
        true if to_next <= LEVEL_SINE => Feature::Edge(top),
        false if to_last <= LEVEL_SINE => Feature::Edge(last),
        _ => Feature::Corner(top),
    }
}

/// What is asked of a normal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wish {
    /// The surface has a front only: a face there must look along the normal.
    pub(super) front_only: bool,
    /// Nothing strikes edges that count as flat. A ball does where they bend a little: over them it
    /// is over neither face.
    pub(super) is_smooth: bool,
}

/// May a contact with this part of triangle `number` have this normal, from the surface to the
/// body?
pub(super) fn is_allowed<T: Triangles>(
    surface: &T,
    number: u32,
    (triangle, face): (&Triangle, Vec3),
    feature: Feature,
    normal: Vec3,
    Wish { front_only, is_smooth }: Wish,
) -> bool {
    match feature {
        Feature::Face => !front_only || face.dot(normal) > 0.0,
        Feature::Edge(edge) => {
            let kind = surface.edge_flags(number).get(edge);
            let mut seen = face.dot(normal) >= -LEVEL_SINE;
            match kind {
                EdgeKind::Flat if is_smooth => return false,
                EdgeKind::Border | EdgeKind::NonManifold => {}
                EdgeKind::Flat | EdgeKind::Convex | EdgeKind::Concave => {
                    let Some(across) = surface.neighbour(number, edge) else { return !front_only || seen };
                    let other = surface.triangle(across);
                    let (a, b) = (triangle.corners()[edge], triangle.corners()[(edge + 1) % 3]);
                    for corner in other.corners() {
                        if corner != a && corner != b && climbs(a, corner, normal) {
                            return false;
                        }
                    }
                    seen |= is_front(&other, normal);
                }
            }
            !front_only || seen
        }
        Feature::Corner(corner) => {
            let seen = face.dot(normal) >= -LEVEL_SINE;
            corner_allows(surface, number, triangle, corner, normal)
                .is_some_and(|ahead| !front_only || seen || ahead)
        }
    }
}

/// `None` if a triangle at the corner climbs along the normal; otherwise whether one of those
/// walked over looks that way.
fn corner_allows<T: Triangles>(
    surface: &T,
    number: u32,
    triangle: &Triangle,
    corner: usize,
    normal: Vec3,
) -> Option<bool> {
    let corners = triangle.corners();
    let (at, next, last) = (corners[corner], corners[(corner + 1) % 3], corners[(corner + 2) % 3]);
    let mut seen = false;
    // Across the edge that leaves the corner, round to the start; if the surface ends on the way,
    // also the other way round.
    for (mut edge, mut crossed) in [(corner, next), ((corner + 2) % 3, last)] {
        let mut current = number;
        for _ in 0..LARGEST_FAN {
            let Some(across) = surface.neighbour(current, edge) else { break };
            if across == number {
                return Some(seen);
            }
            let fan = surface.triangle(across);
            let corners = fan.corners();
            let Some(here) = corners.iter().position(|c| *c == at) else { break };
            let (next, last) = ((here + 1) % 3, (here + 2) % 3);
            if climbs(at, corners[next], normal) || climbs(at, corners[last], normal) {
                return None;
            }
            seen |= is_front(&fan, normal);
            // On through the edge at the corner that was not crossed.
            (edge, crossed) =
                if corners[next] == crossed { (last, corners[last]) } else { (here, corners[next]) };
            current = across;
        }
    }
    Some(seen)
}

/// Does the way between two points climb along a direction?
#[inline]
fn climbs(from: Vec3, to: Vec3, along: Vec3) -> bool {
    let way = to - from;
    let height = along.dot(way);
    height > 0.0 && height * height > CLIMB_SINE * CLIMB_SINE * way.length_squared()
}

#[inline]
fn is_front(triangle: &Triangle, normal: Vec3) -> bool {
    triangle.area_vector().dot(normal) >= 0.0
}
