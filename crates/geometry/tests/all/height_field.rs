//! Every query of a height field against looking at all its triangles.

use carom_geometry::bounds::Aabb;
use carom_geometry::height_field::{HeightField, HeightFieldError};
use carom_geometry::mesh::{EdgeKind, Mesh, MeshOptions, generate};
use carom_geometry::primitive::Ray;
use carom_geometry::shape::{Bounded, RayCast};
use carom_geometry::{Pose, Rotation};
use glam::Vec3;
use proptest::prelude::*;

use crate::every_triangle::{check_limit, check_nearest, check_sweep, direction};

/// Mostly small; some large enough for the pyramid to matter.
fn sizes() -> impl Strategy<Value = u32> {
    prop_oneof![6 => 2u32..24, 1 => 24u32..70]
}

/// Fields of all proportions, some with holes; heights from flat to rough.
fn field() -> impl Strategy<Value = HeightField> {
    (sizes(), sizes(), prop_oneof![Just(0.0f32), 0.0f32..4.0], 0u64..1000, prop_oneof![Just(0u64), 2u64..9])
        .prop_map(|(columns, rows, rough, seed, holes)| {
            let noise = |c: u32, r: u32, salt: u64| {
                let mut h = (u64::from(c) << 32 | u64::from(r))
                    .wrapping_add(seed.wrapping_mul(77))
                    .wrapping_add(salt);
                h = (h ^ h >> 31).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                (h ^ h >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 40
            };
            let heights = (0..columns * rows)
                .map(|k| {
                    let (c, r) = (k % columns, k / columns);
                    let smooth = (c as f32 * 0.4).sin() + (r as f32 * 0.3).cos();
                    smooth + rough * (noise(c, r, 0) as f32 / (1u64 << 24) as f32 - 0.5)
                })
                .collect();
            let field = HeightField::new(columns, rows, heights, [0.7, 1.3]).unwrap();
            if holes == 0 {
                return field;
            }
            field
                .clone()
                .with_holes(|c, r| noise(c, r, 5) % 8 < holes.min(7) && (c, r) != (0, 0))
                .unwrap_or(field)
        })
}

/// Numbers of the triangles that are there.
fn solid(field: &HeightField) -> Vec<u32> {
    (0..field.triangle_count() as u32)
        .filter(|t| {
            let [c, r] = field.cell_of(*t);
            !field.is_hole(c, r)
        })
        .collect()
}

fn triangle_box(field: &HeightField, t: u32) -> Aabb<3> {
    Aabb::of_points(field.triangle(t).corners())
}

/// What a sweep that always answers `limit` tells.
fn swept(field: &HeightField, start: &Aabb<3>, d: Vec3, limit: f32) -> Vec<(u32, f32)> {
    let mut found = Vec::new();
    field.sweep_box(start, d, |t, time| {
        found.push((t, time));
        limit
    });
    found
}

/// A point in and around the field.
fn point() -> impl Strategy<Value = Vec3> {
    (-16.0f32..16.0, -4.0f32..4.0, -28.0f32..28.0).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

proptest! {
    #[test]
    fn boxes_find_exactly_the_triangles_they_meet(
        field in field(),
        centre in point(),
        half in (0.0f32..20.0, 0.0f32..3.0, 0.0f32..20.0),
        small in any::<bool>(),
        snap in any::<bool>(),
    ) {
        let half = Vec3::new(half.0, half.1, half.2) * if small { 0.1 } else { 1.0 };
        let mut region: Aabb<3> = Aabb::around(centre, half);
        if snap {
            // On the lines of the grid, where touching decides; thin regions may become inverted.
            let corner = field.triangle(0).corners()[0];
            region.min[0] = corner.x + ((region.min[0] - corner.x) / 0.7).round() * 0.7;
            region.max[2] = corner.z + ((region.max[2] - corner.z) / 1.3).round() * 1.3;
        }
        let mut found = Vec::new();
        field.for_each_in_box(&region, |t| found.push(t));
        found.sort_unstable();
        let right: Vec<u32> =
            solid(&field).into_iter().filter(|t| triangle_box(&field, *t).overlaps(&region)).collect();
        prop_assert_eq!(&found, &right);
        let mut same = true;
        field.for_each_triangle_in_box(&region, |t, triangle| same &= *triangle == field.triangle(t));
        prop_assert!(same, "the corners are those of the triangle");
        let mut calls = 0;
        let any = field.any_in_box(&region, |_| { calls += 1; calls == 3 });
        prop_assert_eq!((any, calls), (right.len() >= 3, right.len().min(3)));
    }

    #[test]
    fn rays_find_the_nearest_triangle(field in field(), origin in point(), d in direction(), far in 0.0f32..60.0) {
        let ray = Ray::new(origin, d);
        let max = far / d.length();
        let hit = field.cast(&ray, max);
        prop_assert_eq!(field.cast_ray(&ray, max).map(|h| (h.t, h.normal)), hit.map(|h| (h.t, h.normal)));
        let corners = solid(&field).into_iter().map(|t| field.triangle(t).corners());
        check_nearest(&ray, max, corners, hit.map(|h| h.t))?;
        if let Some(hit) = hit {
            prop_assert_eq!(hit.front, hit.normal.y > 0.0);
            let [c, r] = field.cell_of(hit.triangle);
            prop_assert!(!field.is_hole(c, r));
        }
    }

    #[test]
    fn no_ray_falls_through(field in field(), c in 0u32..60, r in 0u32..60, part in prop_oneof![Just(0.0f32), 0.0f32..1.0],
                            from in point(), edge in 0usize..3) {
        let field = field.with_holes(|_, _| false).unwrap();
        let cells = field.cells();
        // Inside only: at the border, rounding decides.
        if cells[0] < 3 || cells[1] < 3 {
            return Ok(());
        }
        let cell = [1 + c % (cells[0] - 2), 1 + r % (cells[1] - 2)];
        let corners = field.triangle(2 * (cell[1] * cells[0] + cell[0])).corners();
        let target = corners[edge] + (corners[(edge + 1) % 3] - corners[edge]) * part;
        for origin in [Vec3::new(target.x, 9.0, target.z), Vec3::new(from.x * 0.2 + target.x, 30.0, from.z * 0.2 + target.z)] {
            prop_assert!(field.cast(&Ray::new(origin, target - origin), f32::INFINITY).is_some(), "{origin} to {target}");
        }
    }

    #[test]
    fn moving_boxes_meet_every_triangle_on_their_way(
        field in field(),
        centre in point(),
        half in prop::array::uniform3(0.0f32..2.0),
        d in prop_oneof![9 => point(), 1 => Just(Vec3::ZERO), 1 => Just(Vec3::Y * -6.0), 1 => Just(Vec3::Z * 20.0)],
    ) {
        let start = Aabb::around(centre, half.into());
        let boxes = solid(&field).into_iter().map(|t| (t, triangle_box(&field, t)));
        check_sweep(&start, d, boxes, swept(&field, &start, d, 1.0), 1e-4)?;
    }

    #[test]
    fn a_limit_silences_what_comes_later(field in field(), centre in point(), d in point()) {
        let start = Aabb::around(centre, Vec3::splat(0.4));
        check_limit(|limit| swept(&field, &start, d, limit))?;
    }

    #[test]
    fn the_box_in_a_pose_is_that_of_all_corners(
        field in field(),
        place in prop_oneof![point(), point().prop_map(|p| p * 1000.0)],
        q in prop::array::uniform4(-1.0f32..1.0),
    ) {
        let Some(rotation) = Rotation::from_xyzw(q) else { return Ok(()) };
        let pose = Pose::new(place, rotation);
        let corners: Vec<Vec3> = solid(&field).into_iter().flat_map(|t| field.triangle(t).corners()).collect();
        prop_assert_eq!(field.aabb_at(&pose), Aabb::of_points(corners.iter().map(|v| pose.apply(*v))));
        prop_assert_eq!(field.aabb(), Aabb::of_points(corners));
    }

    #[test]
    fn heights_agree_with_a_ray_from_above(field in field(), at in point()) {
        let ray = Ray::new(Vec3::new(at.x, 20.0, at.z), -Vec3::Y);
        match (field.height_at(at.x, at.z), field.cast(&ray, 100.0)) {
            (Some(height), Some(hit)) => prop_assert!((height - (20.0 - hit.t)).abs() < 1e-4, "{height} {hit:?}"),
            (None, None) => {}
            // On the rim of a hole or of the field, rounding decides.
            (height, hit) => {
                let near = [-1e-4f32, 1e-4].iter().flat_map(|dx| [-1e-4f32, 1e-4].map(|dz| (at.x + dx, at.z + dz)));
                let kinds: Vec<bool> = near.map(|(x, z)| field.height_at(x, z).is_some()).collect();
                prop_assert!(kinds.contains(&true) && kinds.contains(&false), "{height:?} {hit:?}");
            }
        }
    }

    /// The same landscape as a mesh knows neighbours and edges by searching.
    #[test]
    fn neighbours_and_edges_are_those_of_the_mesh(field in field()) {
        let solid = solid(&field);
        let [columns, _] = field.samples();
        let index = |p: [u32; 2]| p[1] * columns + p[0];
        let corners = |t: u32| {
            let [c, r] = field.cell_of(t);
            if t.is_multiple_of(2) { [[c, r], [c, r + 1], [c + 1, r]] } else { [[c, r + 1], [c + 1, r + 1], [c + 1, r]] }
        };
        let mut vertices = vec![Vec3::ZERO; field.heights().len()];
        for t in &solid {
            for (k, corner) in corners(*t).into_iter().enumerate() {
                vertices[index(corner) as usize] = field.triangle(*t).corners()[k];
            }
        }
        let triangles = solid.iter().map(|t| corners(*t).map(index)).collect();
        let mesh = Mesh::new(vertices, triangles, &MeshOptions::default()).unwrap();
        for m in 0..mesh.triangle_count() as u32 {
            let t = solid[mesh.number_of(m) as usize];
            prop_assert_eq!(field.edge_flags(t), mesh.edge_flags(m));
            for edge in 0..3 {
                let right = mesh.neighbour(m, edge).map(|n| solid[mesh.number_of(n) as usize]);
                prop_assert_eq!(field.neighbour(t, edge), right);
            }
        }
    }
}

#[test]
fn large_fields_are_crossed_with_the_same_result_as_small_steps() {
    let (columns, rows) = (300, 170);
    let height = |c: u32, r: u32| (c as f32 * 0.05).sin() * 4.0 + (r as f32 * 0.09).cos() * 3.0;
    let heights = (0..columns * rows).map(|k| height(k % columns, k / columns)).collect();
    let field = HeightField::new(columns, rows, heights, [0.5, 0.5]).unwrap();
    let (vertices, triangles) = generate::terrain(columns - 1, rows - 1, 0.5, |x, z| {
        height((x / 0.5 + 149.5).round() as u32, (z / 0.5 + 84.5).round() as u32)
    });
    let mesh = Mesh::new(vertices, triangles, &MeshOptions::default()).unwrap();
    let mut state = 7u64;
    let mut random = |size: f32| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 40) as f32 / (1u64 << 23) as f32 - 1.0) * size
    };
    let mut hits = 0;
    for k in 0..20_000 {
        let origin = Vec3::new(random(90.0), random(9.0), random(50.0));
        let down = if k % 2 == 0 { 0.1 } else { 1.0 };
        let ray = Ray::new(origin, Vec3::new(random(1.0), random(down), random(1.0)));
        let (ours, theirs) = (field.cast(&ray, 200.0), mesh.cast(&ray, 200.0));
        assert_eq!(ours.map(|h| (h.t, h.normal)), theirs.map(|h| (h.t, h.normal)), "{ray:?}");
        hits += usize::from(ours.is_some());
    }
    assert!(hits > 5000, "{hits}");
}

#[test]
fn a_plane_is_flat_and_a_roof_is_convex() {
    let plane = HeightField::new(4, 3, vec![2.0; 12], [1.0, 1.0]).unwrap();
    assert_eq!(plane.edge_flags(2).kinds(), [EdgeKind::Flat, EdgeKind::Flat, EdgeKind::Border]);
    let roof = HeightField::new(3, 2, vec![0.0, 1.0, 0.0, 0.0, 1.0, 0.0], [1.0, 1.0]).unwrap();
    assert_eq!(roof.edge_flags(1).get(1), EdgeKind::Convex);
    assert_eq!(roof.edge_flags(2).get(0), EdgeKind::Convex);
    let gutter = HeightField::new(3, 2, vec![1.0, 0.0, 1.0, 1.0, 0.0, 1.0], [1.0, 1.0]).unwrap();
    assert_eq!(gutter.edge_flags(1).get(1), EdgeKind::Concave);
    let tolerant = gutter.with_flat_angle(std::f32::consts::PI).unwrap();
    assert_eq!(tolerant.edge_flags(1).get(1), EdgeKind::Flat);
}

#[test]
fn what_is_not_a_field_is_refused_with_its_place() {
    let refuse = |columns, rows, heights: Vec<f32>, spacing| {
        HeightField::new(columns, rows, heights, spacing).unwrap_err()
    };
    assert_eq!(refuse(1, 5, vec![0.0; 5], [1.0; 2]), HeightFieldError::TooFewSamples { columns: 1, rows: 5 });
    assert_eq!(
        refuse(2, 2, vec![0.0; 5], [1.0; 2]).to_string(),
        "2 by 2 samples need 4 heights, but there are 5"
    );
    assert_eq!(
        refuse(u32::MAX, u32::MAX, vec![], [1.0; 2]),
        HeightFieldError::TooManySamples { columns: u32::MAX, rows: u32::MAX }
    );
    let nan = refuse(2, 3, vec![0.0, 0.0, 0.0, f32::NAN, 0.0, 0.0], [1.0; 2]);
    assert_eq!(nan.to_string(), "the height at column 1, row 1 is NaN: heights must be finite numbers");
    for spacing in [[0.0, 1.0], [1.0, -1.0], [f32::NAN, 1.0], [f32::INFINITY, 1.0]] {
        assert!(
            matches!(refuse(2, 2, vec![0.0; 4], spacing), HeightFieldError::Spacing { .. }),
            "{spacing:?}"
        );
    }
    let field = HeightField::new(2, 2, vec![0.0; 4], [1.0; 2]).unwrap();
    assert!(field.clone().with_flat_angle(-1.0).is_err());
    assert_eq!(field.with_holes(|_, _| true).unwrap_err(), HeightFieldError::AllHoles);
}

#[test]
fn useless_rays_and_boxes_find_nothing() {
    let field = HeightField::new(3, 3, vec![0.0; 9], [1.0; 2]).unwrap();
    let good = Ray::new(Vec3::new(0.1, 5.0, 0.0), -Vec3::Y);
    assert_eq!(field.cast(&good, f32::INFINITY).unwrap().t, 5.0);
    assert!(field.cast(&good, f32::NAN).is_none() && field.cast(&good, -1.0).is_none());
    for bad in [Vec3::ZERO, Vec3::splat(f32::NAN), Vec3::X * f32::INFINITY] {
        assert!(field.cast(&Ray::new(good.origin, bad), 10.0).is_none());
    }
    field.for_each_in_box(&Aabb::EMPTY, |_| panic!("nothing is in an empty box"));
    field.for_each_in_box(&Aabb::new([f32::NAN; 3], [f32::NAN; 3]), |_| panic!("NaN meets nothing"));
    let mut count = 0;
    field.for_each_in_box(&Aabb::EVERYTHING, |_| count += 1);
    assert_eq!(count, 8);
    field.sweep_box(&Aabb::default(), Vec3::splat(f32::NAN), |_, _| panic!("NaN moves nowhere"));
    assert_eq!(field.height_at(f32::NAN, 0.0), None);
    assert_eq!(field.height_at(1.0, -1.0), Some(0.0));
    assert_eq!(field.height_at(1.01, 0.0), None);
}
