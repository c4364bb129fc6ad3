//! Surfaces of shapes as triangles, for drawing: flat shapes here, round ones next door.

use carom_geometry::hull::{HullOptions, convex_hull};
use carom_scene::model::ShapeKind;
use glam::Vec3;

use super::tessellate_round::{capsule, cone, cylinder, ellipsoid};

/// Half the side of the square that stands for a half-space.
const HALF_SPACE: f32 = 100.0;

/// Corners and triangles, counter-clockwise seen from outside.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surface {
    /// In the frame of the shape.
    pub corners: Vec<[f32; 3]>,
    /// Three corners each.
    pub triangles: Vec<[u32; 3]>,
}

/// The surface of a shape; none for a mesh in a file that the recording does not hold, or points
/// without a hull.
#[must_use]
pub fn surface(kind: &ShapeKind) -> Option<Surface> {
    match kind {
        ShapeKind::Sphere { radius } => Some(ellipsoid([*radius; 3])),
        ShapeKind::Ellipsoid { radii } => Some(ellipsoid(*radii)),
        ShapeKind::Capsule { radius, length, axis } => Some(capsule(*radius, *length, *axis)),
        ShapeKind::Cylinder { radius, length, axis } => Some(cylinder(*radius, *length, *axis)),
        ShapeKind::Cone { radius, length, axis } => Some(cone(*radius, *length, *axis)),
        ShapeKind::Tile { length, width } => Some(rectangle(0.5 * length, 0.5 * width)),
        ShapeKind::HalfSpace => Some(rectangle(HALF_SPACE, HALF_SPACE)),
        ShapeKind::Box { size } => Some(cuboid(size.map(|extent| 0.5 * extent))),
        ShapeKind::Triangle { corners } => {
            Some(Surface { corners: corners.to_vec(), triangles: vec![[0, 1, 2]] })
        }
        ShapeKind::Convex { points } => hull(points),
        ShapeKind::TriangleMesh { vertices, triangles } => {
            let is_there = |corner: &u32| (*corner as usize) < vertices.len();
            let triangles = triangles.iter().filter(|triangle| triangle.iter().all(is_there)).copied();
            Some(Surface { corners: vertices.clone(), triangles: triangles.collect() })
        }
        ShapeKind::HeightField { columns, heights, spacing } => Some(landscape(*columns, heights, *spacing)),
        ShapeKind::Mesh { .. } => None,
    }
}

fn rectangle(x: f32, z: f32) -> Surface {
    let corners = vec![[-x, 0.0, -z], [-x, 0.0, z], [x, 0.0, z], [x, 0.0, -z]];
    Surface { corners, triangles: vec![[0, 1, 2], [0, 2, 3]] }
}

fn cuboid(half: [f32; 3]) -> Surface {
    let corner = |number: usize| {
        std::array::from_fn(|axis| if number >> axis & 1 == 1 { half[axis] } else { -half[axis] })
    };
    // Faces −x, +x, −y, +y, −z, +z; bit k of a corner's number is its side along axis k.
    let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    Surface {
        corners: (0..8).map(corner).collect(),
        triangles: faces.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect(),
    }
}

fn hull(points: &[[f32; 3]]) -> Option<Surface> {
    let points: Vec<Vec3> = points.iter().copied().map(Vec3::from).collect();
    let hull = convex_hull(&points, &HullOptions::default()).ok()?;
    let corners = hull.points().iter().map(Vec3::to_array).collect();
    let mut triangles = Vec::new();
    for face in hull.faces() {
        let around: Vec<u32> = hull.face_vertices(face).map(|vertex| vertex.index() as u32).collect();
        triangles.extend(around.windows(2).skip(1).map(|pair| [around[0], pair[0], pair[1]]));
    }
    Some(Surface { corners, triangles })
}

fn landscape(columns: u32, heights: &[f32], [dx, dz]: [f32; 2]) -> Surface {
    let rows = heights.len().checked_div(columns as usize).unwrap_or(0) as u32;
    let middle = [0.5 * columns.saturating_sub(1) as f32, 0.5 * rows.saturating_sub(1) as f32];
    let place = |(number, height): (usize, &f32)| {
        let (column, row) = (number as u32 % columns.max(1), number as u32 / columns.max(1));
        [(column as f32 - middle[0]) * dx, *height, (row as f32 - middle[1]) * dz]
    };
    let mut triangles = Vec::new();
    for row in 0..rows.saturating_sub(1) {
        for column in 0..columns.saturating_sub(1) {
            let corner = row * columns + column;
            let [a, b, c, d] = [corner, corner + columns, corner + columns + 1, corner + 1];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    Surface { corners: heights.iter().enumerate().map(place).collect(), triangles }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_scene::model::Axis;

    /// Six times the volume inside a closed surface, and how far its triangles are from closing it.
    fn volume(surface: &Surface) -> (f32, f32) {
        let corner = |k: u32| Vec3::from(surface.corners[k as usize]);
        let (mut volume, mut leak) = (0.0, Vec3::ZERO);
        for [a, b, c] in &surface.triangles {
            let (a, b, c) = (corner(*a), corner(*b), corner(*c));
            volume += a.dot(b.cross(c)) / 6.0;
            leak += (b - a).cross(c - a);
        }
        (volume, leak.length())
    }

    #[test]
    fn solids_are_closed_and_have_about_their_volume_outside_out() {
        use std::f32::consts::PI;
        let points = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let cases = [
            (ShapeKind::Sphere { radius: 2.0 }, 4.0 / 3.0 * PI * 8.0),
            (ShapeKind::Ellipsoid { radii: [1.0, 2.0, 3.0] }, 4.0 / 3.0 * PI * 6.0),
            (ShapeKind::Box { size: [1.0, 2.0, 3.0] }, 6.0),
            (ShapeKind::Convex { points }, 1.0 / 6.0),
            (ShapeKind::Capsule { radius: 1.0, length: 3.0, axis: Axis::X }, (4.0 / 3.0 + 3.0) * PI),
            (ShapeKind::Cylinder { radius: 1.0, length: 3.0, axis: Axis::Y }, 3.0 * PI),
            (ShapeKind::Cone { radius: 1.0, length: 3.0, axis: Axis::Z }, PI),
        ];
        for (kind, expected) in cases {
            let (found, leak) = volume(&surface(&kind).unwrap());
            assert!(
                found > 0.9 * expected && found < 1.0001 * expected,
                "{}: {found} of {expected}",
                kind.name()
            );
            assert!(leak < 1e-4 * expected, "{}: {leak}", kind.name());
        }
    }

    #[test]
    fn long_shapes_lie_along_their_axis() {
        for (axis, k) in [(Axis::X, 0), (Axis::Y, 1), (Axis::Z, 2)] {
            let capsule = surface(&ShapeKind::Capsule { radius: 1.0, length: 4.0, axis }).unwrap();
            let extent = |k: usize| capsule.corners.iter().map(|corner| corner[k]).fold(0.0, f32::max);
            assert!((extent(k) - 3.0).abs() < 1e-5 && extent((k + 1) % 3) < 1.0001, "{axis:?}");
            let cone = surface(&ShapeKind::Cone { radius: 1.0, length: 4.0, axis }).unwrap();
            let tip = cone.corners.iter().find(|corner| (corner[k] - 2.0).abs() < 1e-5).unwrap();
            assert!(tip[(k + 1) % 3].abs() < 1e-5 && tip[(k + 2) % 3].abs() < 1e-5, "{axis:?}");
        }
    }

    #[test]
    fn tiles_and_landscapes_face_upwards() {
        let heights = vec![0.0, 0.0, 0.0, 0.0, 1.0, 0.0];
        let field = ShapeKind::HeightField { columns: 3, heights, spacing: [1.0, 2.0] };
        let tile = ShapeKind::Tile { length: 4.0, width: 2.0 };
        for (kind, area) in [(tile, 8.0f32), (field, 4.0), (ShapeKind::HalfSpace, 40_000.0)] {
            let surface = surface(&kind).unwrap();
            let corner = |k: u32| Vec3::from(surface.corners[k as usize]);
            let facing: Vec3 = surface
                .triangles
                .iter()
                .map(|[a, b, c]| 0.5 * (corner(*b) - corner(*a)).cross(corner(*c) - corner(*a)))
                .sum();
            assert!((facing.y - area).abs() < 1e-3 * area, "{}: {facing}", kind.name());
        }
    }

    #[test]
    fn what_has_no_surface_is_left_out() {
        assert_eq!(surface(&ShapeKind::Mesh { path: "a.obj".to_owned(), scale: 1.0 }), None);
        assert_eq!(surface(&ShapeKind::Convex { points: vec![[0.0; 3]] }), None);
        let broken = ShapeKind::TriangleMesh { vertices: vec![[0.0; 3]], triangles: vec![[0, 1, 2]] };
        assert_eq!(surface(&broken).map(|surface| surface.triangles.len()), Some(0));
    }
}
