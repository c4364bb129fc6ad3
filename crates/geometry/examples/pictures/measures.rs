//! Closest points, ray casts, clipping; edge kinds and the tree of a mesh.

use carom_geometry::clip::ClipPolygon;
use carom_geometry::closest::closest_points;
use carom_geometry::mesh::{self, EdgeKind, Mesh, MeshOptions};
use carom_geometry::primitive::{Ray, Segment, Triangle};
use carom_geometry::shape::{Capsule, Cone, Cuboid, Cylinder, Ellipsoid, RayCast, Support};
use carom_geometry::{Aabb, Obb, Pose, Rotation};
use glam::Vec3;

use crate::canvas::{BODY, BOUND, Colour, Picture, QUIET, SECOND, View, sheet as svg_sheet};
use crate::draw::{self, tilted};

const GREEN: Colour = [0.25, 0.62, 0.35];

pub(crate) fn sheet() -> String {
    svg_sheet("Measures", 4, vec![two_triangles(), segment_and_box(), rays(), clipped()])
}

fn two_triangles() -> Picture {
    let mut picture = Picture::new("closest points\nof two triangles");
    let a = Triangle::new(Vec3::new(-1.0, -0.4, 0.4), Vec3::new(0.6, -0.5, 0.7), Vec3::new(0.0, 0.0, -0.8));
    let b = Triangle::new(Vec3::new(-0.5, 1.0, 0.3), Vec3::new(0.9, 0.9, -0.4), Vec3::new(0.2, 0.35, 0.5));
    picture.face(&a.corners(), BODY, true, true);
    picture.face(&b.corners(), SECOND, true, true);
    let nearest = closest_points(&a, &b);
    picture.outline(nearest.a, nearest.b, BOUND, 2.0, true);
    picture.dot(nearest.a, BOUND, 3.0);
    picture.dot(nearest.b, BOUND, 3.0);
    picture
}

fn segment_and_box() -> Picture {
    let mut picture = Picture::new("closest points\nof a segment and a box");
    let (half, pose) = (Vec3::new(0.7, 0.4, 0.5), tilted());
    draw::solid(&mut picture, &Cuboid { half }, &pose, BODY);
    let segment = Segment::new(Vec3::new(-0.6, 1.3, 0.9), Vec3::new(1.4, 0.75, 0.4));
    picture.line(segment.a, segment.b, SECOND, 2.5);
    let nearest = closest_points(&segment, &Obb::of_pose(&pose, half));
    picture.outline(nearest.a, nearest.b, BOUND, 2.0, true);
    picture.dot(nearest.a, BOUND, 3.0);
    picture.dot(nearest.b, BOUND, 3.0);
    picture
}

fn rays() -> Picture {
    let mut picture = Picture::new("ray casts\nwith normals");
    let upright = Rotation::about_axis(Vec3::X, -std::f32::consts::FRAC_PI_2);
    let mut target = |shape: &dyn RayCast<f32>, pose: &Pose, aim: Vec3| {
        let origin = Vec3::new(-1.7, 0.9, 2.4);
        let ray = Ray::new(origin, pose.translation + aim - origin);
        if let Some(hit) = shape.cast_ray_at(pose, &ray, 10.0) {
            let at = ray.at(hit.t);
            picture.line(origin, at, QUIET, 1.0);
            picture.line(at, at + hit.normal * 0.35, BOUND, 2.0);
            picture.dot(at, BOUND, 2.5);
        }
    };
    let place = |x: f32, z: f32| Pose::new(Vec3::new(x, 0.0, z), upright);
    let (cylinder, cone) = (Cylinder::new(0.5f32, 0.35).unwrap(), Cone::new(0.5f32, 0.45).unwrap());
    let (capsule, ellipsoid) =
        (Capsule::along_z(0.3f32, 0.25).unwrap(), Ellipsoid::new(Vec3::new(0.5, 0.3, 0.4)).unwrap());
    target(&cylinder, &place(-1.1, 0.6), Vec3::new(0.0, 0.2, 0.0));
    target(&cone, &place(0.0, 0.2), Vec3::new(0.0, 0.0, 0.1));
    target(&capsule, &place(0.8, -0.6), Vec3::new(0.0, 0.2, 0.0));
    target(&ellipsoid, &place(1.5, 0.5), Vec3::new(0.0, 0.1, 0.1));
    let mut show = |shape: &dyn Support<f32>, pose: Pose| draw::solid(&mut picture, shape, &pose, BODY);
    show(&cylinder, place(-1.1, 0.6));
    show(&cone, place(0.0, 0.2));
    show(&capsule, place(0.8, -0.6));
    show(&ellipsoid, place(1.5, 0.5));
    picture
}

fn clipped() -> Picture {
    let mut picture = Picture::new("polygon clipped\nby a box");
    let bounds: Aabb<3> = Aabb::around(Vec3::ZERO, Vec3::new(0.7, 0.5, 0.6));
    draw::aabb(&mut picture, &bounds, QUIET, 1.0);
    let polygon = [
        Vec3::new(-1.3, -0.5, 0.2),
        Vec3::new(0.2, -0.7, 1.1),
        Vec3::new(1.3, 0.5, -0.1),
        Vec3::new(-0.1, 0.9, -1.0),
    ];
    for k in 0..4 {
        picture.line(polygon[k], polygon[(k + 1) % 4], SECOND, 1.4);
    }
    let mut inside: ClipPolygon = ClipPolygon::new(polygon).unwrap();
    inside.clip_to_aabb(&bounds).unwrap();
    picture.face(inside.points(), GREEN, true, true);
    picture
}

pub(crate) fn mesh_sheet() -> String {
    let (vertices, indices) = mesh::generate::cuboid(Vec3::new(0.9, 0.3, 0.6));
    let (base, step) = (vertices.len() as u32, Vec3::new(0.35, 0.6, 0.0));
    // A step of a stair: two boxes welded where they touch would need a union; here they only stand
    // on each other.
    let all: Vec<Vec3> = vertices.iter().copied().chain(vertices.iter().map(|v| *v * 0.6 + step)).collect();
    let faces: Vec<[u32; 3]> =
        indices.iter().copied().chain(indices.iter().map(|t| t.map(|v| v + base))).collect();
    let stair = Mesh::new(all, faces, &MeshOptions::default()).unwrap();
    let terrain = mesh::generate::terrain(9, 9, 0.25, |x, z| 0.25 * ridge(x) + 0.15 * ridge(z + 0.4));
    let terrain = Mesh::new(terrain.0, terrain.1, &MeshOptions::default()).unwrap();
    let mut pictures = Vec::new();
    for (mesh, caption) in [
        (&stair, "edge kinds of boxes\nred convex, grey flat"),
        (&terrain, "edge kinds of terrain\nred convex, green concave"),
    ] {
        let mut picture = Picture::new(caption);
        for t in 0..mesh.triangle_count() as u32 {
            let triangle = mesh.triangle(t);
            let open = !mesh.is_closed();
            picture.face(&triangle.corners(), BODY.map(|c| c * 0.6 + 0.35), false, open);
            if !open && triangle.area_vector().dot(View::new().eye) <= 0.0 {
                continue;
            }
            for (k, edge) in triangle.edges().into_iter().enumerate() {
                let (colour, width) = match mesh.edge_flags(t).get(k) {
                    EdgeKind::Convex => (BOUND, 1.8),
                    EdgeKind::Concave => (GREEN, 1.8),
                    EdgeKind::Flat => (QUIET, 0.7),
                    _ => (SECOND, 1.8),
                };
                picture.line_on(&triangle.corners(), edge.a, edge.b, colour, width);
            }
        }
        pictures.push(picture);
    }
    svg_sheet("Edge kinds", 2, pictures)
}

/// A triangle wave.
fn ridge(x: f32) -> f32 {
    let phase = (x * 0.9 + 100.0) % 1.0;
    if phase < 0.5 { 2.0 * phase } else { 2.0 - 2.0 * phase }
}
