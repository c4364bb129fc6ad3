//! Contacts with meshes and height fields against all triangles one by one.

use carom_geometry::closest::TrianglePoint;
use carom_geometry::height_field::HeightField;
use carom_geometry::mesh::{Mesh, MeshOptions, generate};
use carom_geometry::primitive::Triangle;
use carom_geometry::shape::{Shape, Sphere};
use carom_geometry::{Pose, Vector};
use carom_narrowphase::composite::{MeshContactOptions, SurfaceCache, SurfaceSides};
use carom_narrowphase::gjk::{self, SimplexCache};
use carom_narrowphase::{Convex, Manifold, analytic};
use glam::Vec3;

use crate::cases::{Numbers, count};
use crate::floors::{Surface, bodies, mesh, net};

fn hills(x: f32, z: f32) -> f32 {
    0.3 * (2.1 * x).sin() + 0.2 * (1.7 * z + x).cos()
}

/// Surfaces with hills and valleys, closed and open, with fine and coarse triangles.
fn rough() -> Vec<(&'static str, Surface, Vec<Triangle>)> {
    let of_mesh = |mesh: Mesh| {
        let all = (0..mesh.triangle_count() as u32).map(|t| mesh.triangle(t)).collect();
        (Surface::Mesh(mesh), all)
    };
    let field = |n: u32, step: f32| {
        let at = |k: u32| (k as f32 - (n - 1) as f32 * 0.5) * step;
        let heights = (0..n * n).map(|k| hills(at(k % n), at(k / n))).collect();
        let field = HeightField::new(n, n, heights, [step, step]).unwrap();
        let all = (0..field.triangle_count() as u32).map(|t| field.triangle(t)).collect();
        (Surface::Field(field), all)
    };
    let mut list = Vec::new();
    for (name, (surface, all)) in [
        ("hills", of_mesh(net(12, 0.3, 0.3, hills))),
        ("box", of_mesh(mesh(generate::cuboid(Vec3::new(0.8, 0.5, 0.6))))),
        ("ball", of_mesh(mesh(generate::icosphere(0.8, 4)))),
        ("torus", of_mesh(mesh(generate::torus(0.9, 0.3, 14, 8)))),
        ("height field", field(12, 0.3)),
    ] {
        list.push((name, surface, all));
    }
    list
}

/// The signed distance of a triangle and a shape, by an algorithm that knows nothing of meshes.
fn measured(triangle: &Triangle, shape: &Shape, pose: &Pose) -> f32 {
    fn by<C: Convex<f32>>(triangle: &Triangle, shape: &C, pose: &Pose) -> f32 {
        gjk::proximity(triangle, shape, pose, &mut SimplexCache::new()).distance
    }
    match shape {
        Shape::Sphere(s) => by(triangle, s, pose),
        Shape::Capsule(s) => by(triangle, s, pose),
        Shape::Cuboid(s) => by(triangle, s, pose),
        Shape::Cylinder(s) => by(triangle, s, pose),
        Shape::Cone(s) => by(triangle, s, pose),
        Shape::Ellipsoid(s) => by(triangle, s, pose),
        Shape::Polytope(s) => by(triangle, &**s, pose),
        _ => panic!("no such body"),
    }
}

fn place_of(numbers: &mut Numbers) -> Pose {
    let mut pose = numbers.pose(1.3);
    pose.translation.y *= 0.6;
    pose.to::<f32>()
}

fn deepest(out: &[Manifold]) -> f32 {
    out.iter().map(Manifold::deepest).fold(f32::INFINITY, f32::min)
}

/// The nearest point of all triangles.
fn nearest(all: &[Triangle], point: Vec3) -> f32 {
    all.iter()
        .map(|t| (TrianglePoint::nearest(t, point).point - point).length())
        .fold(f32::INFINITY, f32::min)
}

#[test]
fn a_ball_touches_where_the_nearest_of_all_triangles_is() {
    let options = MeshContactOptions::default();
    for (name, surface, all) in rough() {
        let (mut numbers, mut cache, mut out) = (Numbers(3), SurfaceCache::default(), Vec::new());
        for case in 0..count() / 10 {
            let ball = Sphere { radius: numbers.between(0.01, 0.4) as f32 };
            let pose = place_of(&mut numbers);
            surface.contacts(&ball.into(), &pose, &options, &mut cache, &mut out);
            let distance = nearest(&all, pose.translation) - ball.radius;
            if distance > options.speculative_distance + 1e-5 {
                assert!(out.is_empty(), "{name} {case}");
            } else if distance < options.speculative_distance - 1e-5 {
                assert!(
                    (deepest(&out) - distance).abs() < 1e-5,
                    "{name} {case}: {ball:?} at {pose:?}: {distance} {out:#?}"
                );
            }
        }
    }
}

/// What penetrates has a contact, what is too far away has none, and points lie on both surfaces.
fn check_contacts(
    name: &str,
    all: &[Triangle],
    shape: &Shape,
    pose: &Pose,
    options: &MeshContactOptions,
    out: &[Manifold],
) {
    let point = Shape::Sphere(Sphere { radius: 0.0 });
    // The ends of a slanting capsule are met where balls round the ends of its segment would be.
    let inwards = if matches!(shape, Shape::Capsule(_)) { 0.1 } else { 1e-4 };
    let least = all.iter().map(|t| measured(t, shape, pose)).fold(f32::INFINITY, f32::min);
    let at = || format!("{} on {name} at {pose:?}, {least}: {out:#?}", shape.name());
    if least < -1e-4 {
        assert!(deepest(out) < 0.0, "{}", at());
    }
    if least > options.speculative_distance + 1e-4 {
        assert!(out.is_empty(), "{}", at());
    }
    for manifold in out {
        assert!((manifold.normal.length() - 1.0).abs() < 1e-5, "{}", at());
        assert!(!manifold.is_empty(), "{}", at());
        for p in manifold.points() {
            assert!(p.separation.is_finite() && Vector::is_finite(p.on_b), "{}", at());
            assert!(nearest(all, p.on_a) < 1e-4, "{}", at());
            let inside = analytic::proximity(shape, &point, &Pose::at(p.on_b));
            assert!(
                inside.is_none_or(|found| found.distance < 1e-4 && found.distance > -inwards),
                "{p:?} {}",
                at()
            );
        }
    }
}

#[test]
fn nothing_that_penetrates_is_lost_and_points_lie_on_both_surfaces() {
    let options = MeshContactOptions::default();
    for (name, surface, all) in rough() {
        for (shape, _) in bodies() {
            let (mut numbers, mut cache, mut out) = (Numbers(5), SurfaceCache::default(), Vec::new());
            for _ in 0..count() / 100 {
                let pose = place_of(&mut numbers);
                surface.contacts(&shape, &pose, &options, &mut cache, &mut out);
                check_contacts(name, &all, &shape, &pose, &options, &out);
            }
        }
    }
}

#[test]
fn a_kept_list_of_triangles_changes_nothing() {
    for (name, surface, _) in rough() {
        for (shape, _) in bodies() {
            let (mut numbers, mut cache, mut out) = (Numbers(7), SurfaceCache::default(), Vec::new());
            let mut fresh = Vec::new();
            let mut pose = place_of(&mut numbers);
            let mut kept = 0;
            for step in 0..count() / 100 {
                pose.translation += numbers.vector(0.01).to::<f32>();
                if step % 50 == 0 {
                    pose = place_of(&mut numbers);
                }
                let report =
                    surface.contacts(&shape, &pose, &MeshContactOptions::default(), &mut cache, &mut out);
                kept += u32::from(!report.refilled);
                let options = MeshContactOptions::default();
                surface.contacts(&shape, &pose, &options, &mut SurfaceCache::default(), &mut fresh);
                // How many points stand for a direction depends on those in use so far.
                let normals = |list: &[Manifold]| {
                    let mut normals: Vec<_> = list.iter().map(|m| m.normal).collect();
                    normals.dedup();
                    normals
                };
                let same = normals(&out) == normals(&fresh) && (deepest(&out) - deepest(&fresh)).abs() < 1e-3;
                // Simplices from a cache round differently.
                let is_iterated = matches!(shape, Shape::Cylinder(_) | Shape::Cone(_) | Shape::Ellipsoid(_));
                let near = is_iterated && out.is_empty() == fresh.is_empty();
                let same = same || near || deepest(&out) > 0.015 && deepest(&fresh) > 0.015;
                assert!(same, "{} on {name}, step {step}: {out:#?} {fresh:#?}", shape.name());
            }
            assert!(kept > 0, "the list is kept at times");
        }
    }
}

#[test]
fn odd_places_and_sizes_do_no_harm() {
    for (_, surface, _) in rough() {
        let (mut cache, mut out) = (SurfaceCache::default(), Vec::new());
        for sides in [SurfaceSides::Both, SurfaceSides::Front { through: 0.5 }] {
            let options = MeshContactOptions { sides, ..MeshContactOptions::default() };
            for (shape, _) in bodies() {
                for at in [Vec3::ZERO, Vec3::splat(1e6), Vec3::splat(f32::NAN), Vec3::new(0.0, 0.5, 0.0)] {
                    surface.contacts(&shape, &Pose::at(at), &options, &mut cache, &mut out);
                    assert!(out.iter().all(|m| Vector::is_finite(m.normal)));
                    assert!(out.iter().flat_map(Manifold::points).all(|p| p.separation.is_finite()));
                }
            }
            for radius in [0.0, 1e-6, 1e6] {
                let ball = Shape::from(Sphere { radius });
                surface.contacts(&ball, &Pose::at(Vec3::new(0.1, 0.4, 0.1)), &options, &mut cache, &mut out);
                assert!(out.iter().all(|m| Vector::is_finite(m.normal)));
            }
        }
    }
}

#[test]
fn nothing_is_allocated_once_the_cache_has_grown() {
    for (name, surface, _) in rough() {
        for (shape, _) in bodies() {
            let (mut cache, mut out) = (SurfaceCache::default(), Vec::new());
            let mut run = || {
                for step in 0..60 {
                    let pose = Pose::at(Vec3::new(step as f32 * 0.01 - 0.3, 0.6 - step as f32 * 0.005, 0.1));
                    surface.contacts(&shape, &pose, &MeshContactOptions::default(), &mut cache, &mut out);
                }
            };
            run();
            let counted = allocation_counter::measure(run);
            assert_eq!(counted.count_total, 0, "{} on {name}", shape.name());
        }
    }
}

/// Long runs found this: a ball over an edge that bends so little that it counts as flat is over
/// neither of the faces.
#[test]
fn a_ball_touches_an_edge_that_bends_a_little() {
    for bend in [0.0f32, 0.003, 0.007, 0.008] {
        let ridge = [Vec3::NEG_Z, Vec3::Z, Vec3::new(1.0, -bend, 0.0), Vec3::new(-1.0, -bend, 0.0)];
        let roof = Mesh::new(ridge.to_vec(), vec![[0, 1, 2], [1, 0, 3]], &MeshOptions::default()).unwrap();
        let all: Vec<_> = (0..2).map(|k| roof.triangle(k)).collect();
        let (surface, ball) = (Surface::Mesh(roof), Sphere { radius: 0.2 });
        for step in -20..=20 {
            let pose = Pose::at(Vec3::new(step as f32 * 1e-4, 0.19, 0.1));
            let mut out = Vec::new();
            let cache = &mut SurfaceCache::default();
            surface.contacts(&ball.into(), &pose, &MeshContactOptions::default(), cache, &mut out);
            let distance = nearest(&all, pose.translation) - ball.radius;
            assert_eq!(out.len(), 1, "{bend} {step}");
            assert!((deepest(&out) - distance).abs() < 1e-6, "{bend} {step}: {distance} {out:#?}");
        }
    }
}

/// A long run found this: of the rim of a cylinder that goes 0.3 mm through a face, only corners of
/// the polygon that stands for it were taken, and they are above the face.
#[test]
fn a_rim_that_goes_through_a_face_is_met() {
    let surface = Surface::Mesh(mesh(generate::cuboid(Vec3::new(0.8, 0.5, 0.6))));
    let pose = Pose {
        translation: Vec3::new(-0.498_592_9, 0.230_438_2, -0.124_740_94),
        rotation: carom_geometry::Rotation {
            xyz: Vec3::new(0.246_111_1, -0.718_105_55, 0.382_356_58),
            w: -0.526_837,
        },
    };
    let cylinder = carom_geometry::shape::Cylinder { half_length: 0.25, radius: 0.2 };
    let mut out = Vec::new();
    surface.contacts(
        &cylinder.into(),
        &pose,
        &MeshContactOptions::default(),
        &mut SurfaceCache::default(),
        &mut out,
    );
    assert!((deepest(&out) + 0.000_305).abs() < 1e-5, "{out:#?}");
}

/// Long runs found these: a cylinder through a corner of a triangle without edges to be struck, all
/// support features of it beside the triangle or above it. The one contact that was left had a
/// point outside the cylinder, or none that was deep.
#[test]
fn a_cylinder_beside_the_face_that_it_goes_through_has_a_point_of_its_own() {
    let cylinder = carom_geometry::shape::Cylinder { half_length: 0.25, radius: 0.2 };
    let pose = |[x, y, z]: [f32; 3], [i, j, k, w]: [f32; 4]| Pose {
        translation: Vec3::new(x, y, z),
        rotation: carom_geometry::Rotation { xyz: Vec3::new(i, j, k), w },
    };
    let places = [
        pose([-0.65, -0.585, -0.65], [-0.266_231_03, 0.009_254_555, 0.642_296_4, 0.718_673]),
        pose(
            [-0.615_340_4, -0.714_772_9, -0.996_799_23],
            [-0.356_732_93, -0.641_422_3, -0.678_341_3, -0.034_236_882],
        ),
    ];
    let (options, mut out) = (MeshContactOptions::default(), Vec::new());
    for (name, surface, all) in rough() {
        for pose in &places {
            surface.contacts(&cylinder.into(), pose, &options, &mut SurfaceCache::default(), &mut out);
            check_contacts(name, &all, &cylinder.into(), pose, &options, &out);
        }
    }
}
