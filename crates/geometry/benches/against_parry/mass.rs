//! Mass properties of primitives and meshes.

use carom_geometry::mass::closed_surface::{of_closed_surface, of_trusted_surface};
use carom_geometry::mass::{MassProperties, Massive};
use carom_geometry::shape::{Capsule, Cone, Cuboid, Cylinder, Sphere};
use glam::Vec3;
use parry3d::mass_properties::MassProperties as Parrys;

use crate::table::{Table, theirs};

pub(crate) fn rows(table: &mut Table) {
    table.heading("mass properties");
    let sum = |m: MassProperties| m.mass + m.inertia.columns[0].x + m.inertia.columns[2].z;
    let their_sum = |m: Parrys| m.inv_mass + m.inv_principal_inertia.x + m.inv_principal_inertia.z;
    let sizes: Vec<f32> = (0..256).map(|k| 0.5 + k as f32 * 0.01).collect();
    let capsules: Vec<Capsule> = sizes.iter().map(|r| Capsule::along_y(1.0, *r).unwrap()).collect();
    table.row(
        "mass of ball, capsule, cuboid, cylinder, cone",
        5 * sizes.len(),
        || {
            let of = |(r, capsule): (&f32, &Capsule)| {
                let (r, h) = (*r, 1.0);
                sum(Sphere { radius: r }.mass_properties(2.0))
                    + sum(capsule.mass_properties(2.0))
                    + sum(Cuboid { half: Vec3::new(r, h, h) }.mass_properties(2.0))
                    + sum(Cylinder { radius: r, half_length: h }.mass_properties(2.0))
                    + sum(Cone { radius: r, half_length: h }.mass_properties(2.0))
            };
            sizes.iter().zip(&capsules).map(of).sum::<f32>()
        },
        || {
            let of = |(r, capsule): (&f32, &Capsule)| {
                let (r, h) = (*r, 1.0);
                let (a, b) = (theirs(capsule.segment.a), theirs(capsule.segment.b));
                their_sum(Parrys::from_ball(2.0, r))
                    + their_sum(Parrys::from_capsule(2.0, a, b, r))
                    + their_sum(Parrys::from_cuboid(2.0, theirs(Vec3::new(r, h, h))))
                    + their_sum(Parrys::from_cylinder(2.0, h, r))
                    + their_sum(Parrys::from_cone(2.0, h, r))
            };
            sizes.iter().zip(&capsules).map(of).sum::<f32>()
        },
    );
    let (their_vertices, triangles) = parry3d::shape::Ball::new(1.5).to_trimesh(50, 50);
    let vertices: Vec<Vec3> = their_vertices.iter().map(|v| Vec3::new(v.x, v.y * 1.3, v.z * 0.7)).collect();
    let their_vertices: Vec<_> = vertices.iter().map(|v| theirs(*v)).collect();
    let (a, b) = (
        of_closed_surface(&vertices, triangles.iter().copied(), 2.0f32).unwrap(),
        Parrys::from_trimesh(2.0, &their_vertices, &triangles),
    );
    assert!((a.mass * b.inv_mass - 1.0).abs() < 1e-4, "{} against {}", a.mass, b.mass());
    table.row(
        "mass of a mesh of 5000 triangles, edges checked",
        triangles.len(),
        || sum(of_closed_surface(&vertices, triangles.iter().copied(), 2.0f32).unwrap()),
        || their_sum(Parrys::from_trimesh(2.0, &their_vertices, &triangles)),
    );
    table.row(
        "mass of a mesh of 5000 triangles, trusted",
        triangles.len(),
        || {
            let corners = triangles.iter().map(|t| t.map(|index| vertices[index as usize]));
            sum(of_trusted_surface(corners, 2.0f32).unwrap())
        },
        || their_sum(Parrys::from_convex_polyhedron(2.0, &their_vertices, &triangles)),
    );
}
