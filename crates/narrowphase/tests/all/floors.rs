//! Surfaces and bodies for contacts with meshes and height fields.

use std::sync::Arc;

use carom_geometry::height_field::HeightField;
use carom_geometry::mesh::{Mesh, MeshOptions, generate};
use carom_geometry::primitive::Segment;
use carom_geometry::shape::{Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Shape, Sphere};
use carom_geometry::{Polytope, Pose};
use carom_narrowphase::Manifold;
use carom_narrowphase::composite::{MeshContactOptions, MeshContactReport, SurfaceCache, surface_contacts};
use glam::Vec3;

use crate::cases::Numbers;

/// A surface of either kind.
#[expect(clippy::large_enum_variant, reason = "a handful in a test")]
#[derive(Clone, Debug)]
pub(crate) enum Surface {
    Mesh(Mesh),
    Field(HeightField),
}

impl Surface {
    pub(crate) fn contacts(
        &self,
        shape: &Shape,
        pose: &Pose,
        options: &MeshContactOptions,
        cache: &mut SurfaceCache,
        out: &mut Vec<Manifold>,
    ) -> MeshContactReport {
        match self {
            Self::Mesh(mesh) => surface_contacts(mesh, shape, pose, options, cache, out),
            Self::Field(field) => surface_contacts(field, shape, pose, options, cache, out),
        }
    }
}

pub(crate) fn mesh((vertices, triangles): generate::Soup) -> Mesh {
    Mesh::new(vertices, triangles, &MeshOptions::default()).unwrap()
}

/// A net over the x–z plane with the heights given, moved sideways at random by a share of the
/// step.
pub(crate) fn net(cells: u32, step: f32, jitter: f64, height: impl Fn(f32, f32) -> f32) -> Mesh {
    let (mut vertices, triangles) = generate::terrain(cells, cells, step, |_, _| 0.0);
    let mut numbers = Numbers(11);
    for v in &mut vertices {
        v.x += (numbers.between(-jitter, jitter) * f64::from(step)) as f32;
        v.z += (numbers.between(-jitter, jitter) * f64::from(step)) as f32;
        v.y = height(v.x, v.z);
    }
    mesh((vertices, triangles))
}

/// Long thin triangles: columns one metre and rows a hundredth of that.
fn slivers() -> Mesh {
    let (mut vertices, triangles) = generate::terrain(8, 400, 1.0, |_, _| 0.0);
    for v in &mut vertices {
        v.z *= 0.02;
    }
    mesh((vertices, triangles))
}

/// Flat floors at height 0 that reach at least 3 m to all sides.
pub(crate) fn flat_floors() -> Vec<(&'static str, Surface)> {
    let field = HeightField::new(61, 61, vec![0.0; 61 * 61], [0.13, 0.11]).unwrap();
    vec![
        ("regular", Surface::Mesh(net(32, 0.25, 0.0, |_, _| 0.0))),
        ("irregular", Surface::Mesh(net(80, 0.1, 0.3, |_, _| 0.0))),
        ("fine", Surface::Mesh(net(300, 0.025, 0.3, |_, _| 0.0))),
        ("slivers", Surface::Mesh(slivers())),
        ("two triangles", Surface::Mesh(net(1, 8.0, 0.0, |_, _| 0.0))),
        ("height field", Surface::Field(field)),
    ]
}

/// Bodies of about half a metre, with the height of their centre when they stand on a floor
/// unturned.
pub(crate) fn bodies() -> Vec<(Shape, f32)> {
    let capsule =
        Capsule { segment: Segment::new(Vec3::new(-0.2, 0.0, 0.0), Vec3::new(0.2, 0.0, 0.0)), radius: 0.1 };
    let prism = Polytope::<f32>::prism(6, 0.25, 0.3).unwrap();
    let low = |shape: &Shape| -carom_geometry::shape::Bounded::aabb(shape).min[1];
    let shapes: Vec<Shape> = vec![
        Sphere { radius: 0.25 }.into(),
        capsule.into(),
        Cuboid { half: Vec3::new(0.25, 0.2, 0.3) }.into(),
        Shape::Polytope(Arc::new(prism)),
        Shape::Polytope(Arc::new(Polytope::random_on_sphere(24, 0.25, 5).unwrap())),
        Cylinder { half_length: 0.25, radius: 0.2 }.into(),
        Cone { half_length: 0.25, radius: 0.2 }.into(),
        Ellipsoid { radii: Vec3::new(0.3, 0.2, 0.25) }.into(),
    ];
    shapes.into_iter().map(|shape| (shape.clone(), low(&shape))).collect()
}
