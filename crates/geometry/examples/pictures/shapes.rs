//! One picture per shape.

use carom_core::trig;
use carom_geometry::hull::{HullOptions, convex_hull};
use carom_geometry::primitive::Triangle;
use carom_geometry::shape::{Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Sphere, Tile};
use carom_geometry::{HeightField, Mesh, Pose, Rotation, mesh};
use glam::Vec3;

use crate::canvas::{BODY, Picture, QUIET, SECOND, sheet as svg_sheet};
use crate::draw::{circle, polytope, solid, tilted, triangles};

pub(crate) fn sheet() -> String {
    let pose = tilted();
    let upright = Pose::new(Vec3::ZERO, Rotation::about_axis(Vec3::X, -std::f32::consts::FRAC_PI_2));
    let mut pictures = Vec::new();
    let mut add = |caption: &str, draw: &dyn Fn(&mut Picture)| {
        let mut picture = Picture::new(caption);
        draw(&mut picture);
        pictures.push(picture);
    };
    add("sphere\nradius", &|p| solid(p, &Sphere::new(1.0f32).unwrap(), &pose, BODY));
    add("capsule\nsegment and radius", &|p| {
        solid(p, &Capsule::along_z(0.8f32, 0.4).unwrap(), &upright, BODY);
    });
    add("tile\nhalf x, half z; two-sided", &|p| {
        let tile = Tile::new(1.0f32, 0.7).unwrap();
        let corner = |x: f32, z: f32| Vec3::new(x * tile.half_x, 0.0, z * tile.half_z);
        p.face(
            &[corner(-1.0, -1.0), corner(-1.0, 1.0), corner(1.0, 1.0), corner(1.0, -1.0)],
            BODY,
            true,
            true,
        );
    });
    add("box (Cuboid)\nhalf extents", &|p| {
        solid(p, &Cuboid::new(Vec3::new(1.0, 0.6, 0.8)).unwrap(), &pose, BODY);
    });
    add("cylinder\nhalf length, radius; along z", &|p| {
        solid(p, &Cylinder::new(0.8f32, 0.6).unwrap(), &upright, BODY);
    });
    add("cone\ntip at +z, origin half-way", &|p| solid(p, &Cone::new(0.8f32, 0.8).unwrap(), &upright, BODY));
    add("ellipsoid\nthree half-axes", &|p| {
        solid(p, &Ellipsoid::new(Vec3::new(1.0, 0.5, 0.7)).unwrap(), &pose, BODY);
    });
    add("half-space\neverything below y = 0", &|p| {
        let rim: Vec<Vec3> = circle(48).into_iter().rev().collect();
        p.face(&rim, BODY, true, true);
        for k in 0..16 {
            let at = rim[3 * k] * 0.999;
            p.dashes(at, at - Vec3::Y * 0.35, QUIET);
        }
        p.line(Vec3::ZERO, Vec3::Y * 0.6, SECOND, 1.6);
    });
    add("triangle\ntwo-sided", &|p| {
        let triangle =
            Triangle::new(Vec3::new(-1.0, 0.0, 0.3), Vec3::new(1.0, 0.0, 0.5), Vec3::new(0.1, 0.9, -0.5));
        p.face(&triangle.corners(), BODY, true, true);
    });
    add("convex polytope\nhull of points, half-edges", &|p| {
        let points: Vec<Vec3> = (0..40)
            .map(|k| {
                let (sine, cosine) = trig::sin_cos(2.4 * k as f32);
                let z = 1.0 - (2 * k + 1) as f32 / 40.0;
                Vec3::new(cosine, z, sine * 0.8) * (0.75 + 0.25 * trig::sin_cos(5.3 * k as f32).0)
            })
            .collect();
        let hull = convex_hull(&points, &HullOptions::default()).unwrap();
        polytope(p, &hull, &pose, BODY);
    });
    add("triangle mesh\nneighbours, edge kinds, tree", &|p| {
        let (vertices, indices) = mesh::generate::torus(0.8, 0.35, 28, 14);
        let mesh = Mesh::new(vertices, indices, &mesh::MeshOptions::default()).unwrap();
        let pose = tilted();
        triangles(p, (0..mesh.triangle_count() as u32).map(|t| mesh.triangle(t)), &pose, BODY, false);
    });
    add("height field\ngrid of heights over x–z", &|p| {
        let field = hills();
        for t in 0..field.triangle_count() as u32 {
            p.face(&field.triangle(t).corners(), BODY, true, true);
        }
    });
    add("compound\nchildren with poses", &|p| {
        solid(p, &Capsule::along_x(0.7f32, 0.13).unwrap(), &pose, SECOND);
        for end in [-0.85, 0.85] {
            let child = pose * Pose::at(Vec3::new(end, 0.0, 0.0));
            solid(p, &Cuboid::new(Vec3::new(0.2, 0.45, 0.45)).unwrap(), &child, BODY);
        }
    });
    svg_sheet("Shapes", 5, pictures)
}

fn hills() -> HeightField {
    let (columns, rows) = (15u32, 13u32);
    let heights = (0..columns * rows)
        .map(|k| {
            let (x, z) = ((k % columns) as f32 * 0.55, (k / columns) as f32 * 0.6);
            0.28 * (trig::sin_cos(x).0 + trig::sin_cos(z + 0.5 * x).1)
        })
        .collect();
    HeightField::new(columns, rows, heights, [0.15, 0.15]).unwrap()
}
