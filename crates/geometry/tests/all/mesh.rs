//! Building meshes: order, neighbours, edges, orientation, volume; against quadratic twins and
//! known shapes.

use carom_geometry::mesh::{Defect, EdgeKind, Mesh, MeshOptions, Weld, generate};
use glam::{DVec3, Vec3};
use proptest::prelude::*;

fn built((vertices, triangles): generate::Soup) -> Mesh {
    let mesh = Mesh::new(vertices, triangles, &MeshOptions::default()).unwrap();
    mesh.check().unwrap();
    mesh
}

fn kinds(mesh: &Mesh) -> Vec<EdgeKind> {
    (0..mesh.triangle_count() as u32).flat_map(|t| mesh.edge_flags(t).kinds()).collect()
}

fn inside_out((vertices, triangles): generate::Soup) -> generate::Soup {
    (vertices, triangles.into_iter().map(|[a, b, c]| [a, c, b]).collect())
}

#[test]
fn a_box_is_closed_convex_and_flat_across_its_faces() {
    let mesh = built(generate::cuboid(Vec3::new(1.0, 2.0, 3.0)));
    assert!(mesh.is_closed() && mesh.is_oriented());
    assert_eq!(mesh.volume(), 48.0);
    let kinds = kinds(&mesh);
    assert_eq!(kinds.iter().filter(|k| **k == EdgeKind::Flat).count(), 12, "two sides of six diagonals");
    assert_eq!(kinds.iter().filter(|k| **k == EdgeKind::Convex).count(), 24, "two sides of twelve edges");
}

#[test]
fn a_room_is_concave_and_its_volume_negative() {
    let mesh = built(inside_out(generate::cuboid(Vec3::new(1.0, 2.0, 3.0))));
    assert!(mesh.is_closed() && mesh.is_oriented());
    assert_eq!(mesh.volume(), -48.0);
    assert_eq!(kinds(&mesh).iter().filter(|k| **k == EdgeKind::Concave).count(), 24);
}

#[test]
fn a_divided_plane_is_flat_inside_and_ends_at_its_border() {
    let mesh = built(generate::terrain(7, 5, 0.3, |x, z| 0.25 * x - 0.1 * z));
    assert!(!mesh.is_closed() && mesh.is_oriented());
    let kinds = kinds(&mesh);
    assert_eq!(kinds.iter().filter(|k| **k == EdgeKind::Border).count(), 24);
    assert!(kinds.iter().all(|k| matches!(k, EdgeKind::Border | EdgeKind::Flat)));
    assert_eq!(mesh.report().border.count, 24);
}

#[test]
fn spheres_and_tori_are_closed_and_have_their_volume() {
    for cuts in [1, 2, 3, 10, 63] {
        let mesh = built(generate::icosphere(2.0, cuts));
        assert_eq!(mesh.triangle_count() as u32, 20 * cuts * cuts);
        assert!(mesh.is_closed() && mesh.is_oriented(), "{cuts} cuts: {:?}", mesh.report());
        assert_eq!(mesh.vertices().len() as u32, 10 * cuts * cuts + 2, "Euler's formula");
    }
    let sphere = built(generate::icosphere(2.0, 63)).volume();
    assert!((sphere / (32.0 / 3.0 * std::f64::consts::PI) - 1.0).abs() < 1e-3);
    let torus = built(generate::torus(2.0, 0.5, 64, 32));
    assert!(torus.is_closed() && torus.is_oriented());
    assert_eq!(torus.vertices().len(), torus.triangle_count() / 2, "Euler's formula for one hole");
    assert!((torus.volume() / (std::f64::consts::PI.powi(2)) - 1.0).abs() < 0.01, "{}", torus.volume());
}

#[test]
fn a_flipped_triangle_is_reported_by_its_number() {
    let (vertices, mut triangles) = generate::icosphere(1.0, 2);
    triangles[17].swap(0, 1);
    let mesh = built((vertices, triangles));
    assert!(mesh.is_closed() && !mesh.is_oriented());
    assert_eq!(mesh.report().flipped.count, 6);
    assert!(mesh.report().flipped.first.contains(&17));
}

#[test]
fn three_triangles_at_an_edge_are_not_manifold() {
    let vertices = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z, Vec3::new(0.0, -1.0, 0.0)];
    let mesh = built((vertices, vec![[0, 1, 2], [0, 1, 3], [1, 0, 4]]));
    assert_eq!(mesh.report().non_manifold.count, 3);
    assert_eq!(mesh.report().non_manifold.first, [0, 1, 2]);
    assert_eq!(kinds(&mesh).iter().filter(|k| **k == EdgeKind::NonManifold).count(), 3);
}

#[test]
fn welding_closes_a_soup_and_counts_what_it_merged() {
    let (vertices, triangles) = generate::icosphere(1.0, 5);
    let soup: Vec<Vec3> = triangles.iter().flatten().map(|v| vertices[*v as usize]).collect();
    let loose: Vec<[u32; 3]> = (0..triangles.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    let open = built((soup.clone(), loose.clone()));
    assert_eq!(open.report().border.count, 3 * triangles.len());
    let exact = MeshOptions { weld: Weld::Exact, ..MeshOptions::default() };
    let mesh = Mesh::new(soup.clone(), loose.clone(), &exact).unwrap();
    assert!(mesh.is_closed());
    assert_eq!(mesh.report().welded_vertices, soup.len() - vertices.len());
    assert_eq!(mesh.report().unused_vertices, 0);

    let shaken: Vec<Vec3> =
        soup.iter().enumerate().map(|(k, v)| *v + Vec3::X * (k % 7) as f32 * 1e-5).collect();
    assert!(!Mesh::new(shaken.clone(), loose.clone(), &exact).unwrap().is_closed());
    let within = MeshOptions { weld: Weld::Within(1e-3), ..MeshOptions::default() };
    assert!(Mesh::new(shaken, loose, &within).unwrap().is_closed());
}

#[test]
fn unused_vertices_are_left_out_and_counted() {
    let (mut vertices, triangles) = generate::cuboid(Vec3::ONE);
    vertices.insert(3, Vec3::splat(100.0));
    let triangles = triangles.into_iter().map(|t| t.map(|v| if v >= 3 { v + 1 } else { v })).collect();
    let mesh = built((vertices.clone(), triangles));
    assert_eq!(mesh.report().unused_vertices, 1);
    assert_eq!(mesh.vertices().len(), 8);
    for v in 0..8 {
        assert_eq!(mesh.vertices()[v as usize], vertices[mesh.vertex_number_of(v) as usize]);
    }
}

#[test]
fn kept_triangles_without_area_do_no_harm() {
    let keep = MeshOptions { degenerate: Defect::Keep, duplicate: Defect::Keep, ..MeshOptions::default() };
    let vertices = vec![Vec3::ZERO, Vec3::X, Vec3::Y];
    let triangles = vec![[0, 0, 0], [0, 1, 1], [0, 1, 2], [1, 2, 0], [1, 0, 1]];
    let mesh = Mesh::new(vertices, triangles, &keep).unwrap();
    mesh.check().unwrap();
    assert_eq!(mesh.triangle_count(), 5);
    assert_eq!((mesh.report().degenerate.count, mesh.report().duplicate.count), (3, 2));
    assert_eq!((0..5).filter(|t| mesh.normal(*t).is_none()).count(), 3);
}

#[test]
fn coinciding_and_exponentially_spread_triangles_stay_within_the_depth() {
    let keep = MeshOptions { duplicate: Defect::Keep, ..MeshOptions::default() };
    let vertices = vec![Vec3::ZERO, Vec3::X, Vec3::Y];
    let same = Mesh::new(vertices, vec![[0, 1, 2]; 5000], &keep).unwrap();
    same.check().unwrap();
    assert!(same.counters().depth <= 8, "{:?}", same.counters());
    // Each triangle is half as large and half as far as the one before: cuts by area peel off one
    // at a time.
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for k in 0..240u32 {
        let size = 2.0f32.powi(100 - k as i32);
        vertices.extend([Vec3::X * size, Vec3::new(size, size, 0.0), Vec3::new(size, 0.0, size)]);
        triangles.push([3 * k, 3 * k + 1, 3 * k + 2]);
    }
    built((vertices, triangles));
}

#[test]
fn the_largest_coordinates_are_welcome() {
    let big = f32::MAX;
    let mesh = built((
        vec![Vec3::new(-big, 0.0, -big), Vec3::new(big, 0.0, -big), Vec3::new(0.0, 0.0, big), Vec3::Y * big],
        vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
    ));
    assert!(mesh.is_closed());
    let hit = mesh
        .cast(&carom_geometry::primitive::Ray::new(Vec3::new(0.0, -big, 0.0), Vec3::Y * big), 10.0)
        .unwrap();
    assert_eq!((hit.t, hit.normal), (1.0, -Vec3::Y));
}

fn soup(size: std::ops::Range<usize>) -> impl Strategy<Value = generate::Soup> {
    (4usize..40, size).prop_flat_map(|(count, triangles)| {
        let coordinate = prop_oneof![3 => -1.0f32..1.0, 1 => Just(0.0), 1 => Just(1.0)];
        (
            prop::collection::vec(prop::array::uniform3(coordinate), count),
            prop::collection::vec(prop::array::uniform3(0..count as u32), triangles),
        )
            .prop_map(|(v, t)| (v.into_iter().map(Vec3::from).collect(), t))
    })
}

/// Twice the area of a triangle of the caller, in `f64`.
fn has_area(vertices: &[Vec3], t: [u32; 3]) -> bool {
    let [a, b, c] = t.map(|v| vertices[v as usize].as_dvec3());
    (b - a).cross(c - a) != DVec3::ZERO
}

fn rotations([a, b, c]: [u32; 3]) -> [[u32; 3]; 3] {
    [[a, b, c], [b, c, a], [c, a, b]]
}

proptest! {
    #[test]
    fn what_remains_is_the_first_of_every_sound_triangle((vertices, triangles) in soup(1..60)) {
        let expected: Vec<u32> = (0..triangles.len()).filter(|k| {
            has_area(&vertices, triangles[*k])
                && !triangles[..*k].iter().any(|earlier| rotations(*earlier).contains(&triangles[*k]))
        }).map(|k| k as u32).collect();
        let Ok(mesh) = Mesh::new(vertices.clone(), triangles.clone(), &MeshOptions::default()) else {
            prop_assert!(expected.is_empty());
            return Ok(());
        };
        mesh.check().map_err(TestCaseError::fail)?;
        let mut kept: Vec<u32> = (0..mesh.triangle_count() as u32).map(|t| mesh.number_of(t)).collect();
        kept.sort_unstable();
        prop_assert_eq!(kept, expected);
        for t in 0..mesh.triangle_count() as u32 {
            let given = triangles[mesh.number_of(t) as usize].map(|v| vertices[v as usize]);
            prop_assert_eq!(mesh.triangle(t).corners(), given);
        }
        let used = (0..vertices.len() as u32)
            .filter(|v| (0..mesh.triangle_count() as u32).any(|t| triangles[mesh.number_of(t) as usize].contains(v)))
            .count();
        prop_assert_eq!(mesh.vertices().len(), used);
        prop_assert_eq!(mesh.report().unused_vertices, vertices.len() - used);
    }

    #[test]
    fn neighbours_and_kinds_agree_with_comparing_all_edges((vertices, triangles) in soup(1..40)) {
        let Ok(mesh) = Mesh::new(vertices, triangles, &MeshOptions::default()) else { return Ok(()) };
        let sides: Vec<(u32, usize)> =
            (0..mesh.triangle_count() as u32).flat_map(|t| (0..3).map(move |k| (t, k))).collect();
        let ends = |(t, k): (u32, usize)| {
            let corners = mesh.indices()[t as usize];
            (corners[k], corners[(k + 1) % 3])
        };
        let same = |a: (u32, u32), b: (u32, u32)| a == b || a == (b.1, b.0);
        let (mut border, mut non_manifold, mut flipped) = (0, 0, 0);
        for side in &sides {
            let others: Vec<_> = sides.iter().filter(|o| *o != side && same(ends(*side), ends(**o))).collect();
            let kind = mesh.edge_flags(side.0).get(side.1);
            match others.as_slice() {
                [] => {
                    border += 1;
                    prop_assert_eq!((kind, mesh.neighbour(side.0, side.1)), (EdgeKind::Border, None));
                }
                [other] => {
                    prop_assert_eq!(mesh.neighbour(side.0, side.1), Some(other.0));
                    flipped += usize::from(ends(*side) == ends(**other));
                    prop_assert_eq!(kind, slow_kind(&mesh, *side, **other));
                }
                _ => {
                    non_manifold += 1;
                    prop_assert_eq!((kind, mesh.neighbour(side.0, side.1)), (EdgeKind::NonManifold, None));
                }
            }
        }
        let report = mesh.report();
        prop_assert_eq!((report.border.count, report.non_manifold.count, report.flipped.count),
            (border, non_manifold, flipped));
    }
}

/// The bend by its angle, from the heights of both triangles over their common edge.
fn slow_kind(mesh: &Mesh, (t, k): (u32, usize), (o, j): (u32, usize)) -> EdgeKind {
    let corner = |t: u32, k: usize| mesh.triangle(t).corners()[k % 3].as_dvec3();
    let (a, b) = (corner(t, k), corner(t, k + 1));
    let edge = (b - a).normalize();
    let height = |p: DVec3| ((p - a) - edge * (p - a).dot(edge)).normalize();
    let (own, other) = (height(corner(t, k + 2)), height(corner(o, j + 2)));
    let normal = edge.cross(own);
    let bend = other.dot(normal).atan2(-other.dot(own));
    if bend.abs() <= 1f64.to_radians() {
        EdgeKind::Flat
    } else if bend > 0.0 && bend < std::f64::consts::PI - 1e-9 {
        EdgeKind::Concave
    } else {
        EdgeKind::Convex
    }
}
