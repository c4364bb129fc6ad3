//! Triangle meshes and height fields: building, rays, boxes.
//!
//! Both sides return what they found as a sum over exact quantities where possible: rays compare
//! the number of hits, boxes the number of triangles.

use carom_geometry::bounds::Aabb;
use carom_geometry::height_field::HeightField;
use carom_geometry::mesh::{Mesh, MeshOptions, generate};
use carom_geometry::primitive::Ray;
use parry3d::query::RayCast as _;

use crate::table::{Random, Table, theirs};

const RAYS: usize = 1024;

struct Sides {
    ours: Mesh,
    parrys: parry3d::shape::TriMesh,
}

fn parry_mesh((vertices, triangles): &generate::Soup) -> parry3d::shape::TriMesh {
    let vertices = vertices.iter().map(|v| theirs(*v)).collect();
    parry3d::shape::TriMesh::new(vertices, triangles.clone()).unwrap()
}

fn sides((vertices, triangles): &generate::Soup) -> Sides {
    let ours = Mesh::new(vertices.clone(), triangles.clone(), &MeshOptions::default()).unwrap();
    Sides { ours, parrys: parry_mesh(&(vertices.clone(), triangles.clone())) }
}

fn hills(x: f32, z: f32) -> f32 {
    3.0 * (0.13 * x).sin() * (0.11 * z).cos() + 0.5 * (0.9 * x).cos() * (0.7 * z).sin()
}

pub(crate) fn rows(table: &mut Table) {
    table.heading("triangle meshes of 80 000 triangles");
    let sphere = generate::icosphere(10.0, 63);
    let terrain = generate::terrain(200, 200, 0.5, hills);
    for (name, soup) in [("icosphere", &sphere), ("terrain", &terrain)] {
        build(table, name, soup);
        let sides = sides(soup);
        if std::env::var_os("CAROM_SHOW_MESH").is_some() {
            println!(
                "{name}: {:?}, parry3d {} bytes",
                sides.ours.counters(),
                sides.parrys.total_memory_size()
            );
        }
        let reach = if name == "terrain" { 60.0 } else { 12.0 };
        rays(table, name, &sides, reach);
        boxes(table, name, &sides, reach);
    }
    height_fields(table);
}

fn build(table: &mut Table, name: &str, soup: &generate::Soup) {
    let (vertices, triangles) = soup;
    let their_vertices: Vec<_> = vertices.iter().map(|v| theirs(*v)).collect();
    // Not the same work: ours always finds neighbours, kinds of edges and duplicates. The limit is
    // ours.
    table.row_with_limit(
        &format!("mesh: build {name}, theirs without neighbours"),
        triangles.len(),
        2.0,
        || Mesh::new(vertices.clone(), triangles.clone(), &MeshOptions::default()).unwrap(),
        || parry3d::shape::TriMesh::new(their_vertices.clone(), triangles.clone()).unwrap(),
    );
    let flags = parry3d::shape::TriMeshFlags::HALF_EDGE_TOPOLOGY
        | parry3d::shape::TriMeshFlags::DELETE_DEGENERATE_TRIANGLES
        | parry3d::shape::TriMeshFlags::DELETE_DUPLICATE_TRIANGLES;
    table.row(
        &format!("mesh: build {name} with neighbours"),
        triangles.len(),
        || Mesh::new(vertices.clone(), triangles.clone(), &MeshOptions::default()).unwrap(),
        || parry3d::shape::TriMesh::with_flags(their_vertices.clone(), triangles.clone(), flags).unwrap(),
    );
}

/// Rays between random points around the mesh: some hit, some pass.
fn some_rays(reach: f32) -> Vec<Ray> {
    let mut random = Random::new(5);
    (0..RAYS)
        .map(|_| {
            let origin = random.vector(reach) * glam::Vec3::new(1.0, 0.3, 1.0) + glam::Vec3::Y * reach * 0.4;
            Ray::new(origin, random.vector(reach) - origin)
        })
        .collect()
}

fn rays(table: &mut Table, name: &str, sides: &Sides, reach: f32) {
    let rays = some_rays(reach);
    let their_rays: Vec<_> =
        rays.iter().map(|r| parry3d::query::Ray::new(theirs(r.origin), theirs(r.direction))).collect();
    let ours = || rays.iter().filter_map(|r| sides.ours.cast(r, 1.0)).map(|h| h.t).sum::<f32>();
    let parrys = || {
        their_rays
            .iter()
            .filter_map(|r| sides.parrys.cast_local_ray_and_get_normal(r, 1.0, false))
            .map(|h| h.time_of_impact)
            .sum::<f32>()
    };
    let (a, b) = (ours(), parrys());
    assert!((a - b).abs() < 1e-3 * a.abs(), "{name}: hits at {a} and {b}");
    table.row(&format!("mesh: ray against {name}"), RAYS, ours, parrys);
    table.row(
        &format!("mesh: does a ray hit {name}"),
        RAYS,
        || rays.iter().filter(|r| sides.ours.is_hit(r, 1.0)).count(),
        || their_rays.iter().filter(|r| sides.parrys.cast_local_ray(r, 1.0, false).is_some()).count(),
    );
}

/// Boxes near the surface, where the bodies are.
fn some_boxes(name: &str, reach: f32, size: f32) -> (Vec<Aabb<3>>, Vec<parry3d::bounding_volume::Aabb>) {
    let mut random = Random::new(9);
    (0..RAYS)
        .map(|_| {
            let direction = random.vector(1.0);
            let centre = if name == "terrain" {
                let (x, z) = (direction.x * reach * 0.8, direction.z * reach * 0.8);
                glam::Vec3::new(x, hills(x, z) + direction.y * size, z)
            } else {
                direction.normalize() * (10.0 + random.between(-size, size))
            };
            let ours: Aabb<3> = Aabb::around(centre, glam::Vec3::splat(size));
            (ours, parry3d::bounding_volume::Aabb::new(theirs(ours.low()), theirs(ours.high())))
        })
        .unzip()
}

fn boxes(table: &mut Table, name: &str, sides: &Sides, reach: f32) {
    for (size, label) in [(0.3, "small"), (2.0, "large")] {
        let (boxes, their_boxes) = some_boxes(name, reach, size);
        let ours = || {
            let mut count = 0usize;
            for region in &boxes {
                sides.ours.for_each_in_box(region, |t| count += t as usize | 1);
            }
            count
        };
        let parrys = || {
            let mut count = 0usize;
            for region in &their_boxes {
                for t in sides.parrys.bvh().intersect_aabb(region) {
                    count += t as usize | 1;
                }
            }
            count
        };
        table.row(&format!("mesh: triangles of {name} in a {label} box"), RAYS, ours, parrys);
    }
}

/// The same landscape of 200 by 200 cells as height fields. Slanting rays stay over it for long,
/// steep ones do not.
fn height_fields(table: &mut Table) {
    const SIDE: u32 = 201;
    let place = |k: u32| (k as f32 - 100.0) * 0.5;
    let height = |column: u32, row: u32| hills(place(column), place(row));
    let heights: Vec<f32> = (0..SIDE * SIDE).map(|k| height(k % SIDE, k / SIDE)).collect();
    let field = HeightField::new(SIDE, SIDE, heights, [0.5, 0.5]).unwrap();
    // parry3d's arrays run down the columns first, that is along z.
    let by_column = (0..SIDE * SIDE).map(|k| height(k / SIDE, k % SIDE)).collect();
    let parrys = parry3d::shape::HeightField::new(
        parry3d::utils::Array2::new(SIDE as usize, SIDE as usize, by_column),
        parry3d::math::Vector::new(100.0, 1.0, 100.0),
    );
    let steep = |ray: &Ray| {
        let target = ray.origin + ray.direction * 0.05;
        Ray::new(ray.origin, (target - ray.origin) * glam::Vec3::new(1.0, 0.0, 1.0) - glam::Vec3::Y * 60.0)
    };
    let slanting = some_rays(60.0);
    for (label, rays) in [("slanting", slanting.clone()), ("steep", slanting.iter().map(steep).collect())] {
        let their_rays: Vec<_> =
            rays.iter().map(|r| parry3d::query::Ray::new(theirs(r.origin), theirs(r.direction))).collect();
        let ours = || rays.iter().filter_map(|r| field.cast(r, 1.0)).map(|h| h.t).sum::<f32>();
        let parrys = || {
            their_rays
                .iter()
                .filter_map(|r| parrys.cast_local_ray_and_get_normal(r, 1.0, false))
                .map(|h| h.time_of_impact)
                .sum::<f32>()
        };
        let (a, b) = (ours(), parrys());
        assert!((a - b).abs() < 2e-2 * a.abs(), "{label}: hits at {a} and {b}");
        table.row(&format!("height field: {label} ray"), RAYS, ours, parrys);
    }
    for (size, label) in [(0.3, "small"), (2.0, "large")] {
        let (boxes, their_boxes) = some_boxes("terrain", 60.0, size);
        table.row(
            &format!("height field: triangles in a {label} box"),
            RAYS,
            || {
                let mut sum = 0.0;
                for region in &boxes {
                    field.for_each_triangle_in_box(region, |_, t| sum += t.a.dot(t.b) + t.c.x);
                }
                sum
            },
            || {
                let mut sum = 0.0;
                for region in &their_boxes {
                    parrys.map_elements_in_local_aabb(region, &mut |_, t| sum += t.a.dot(t.b) + t.c.x);
                }
                sum
            },
        );
    }
}
