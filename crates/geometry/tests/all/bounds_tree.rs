//! Trees of volumes: no pair of triangles that touch is left out, whatever the volume.

use carom_geometry::bounds::kdop::Kdop;
use carom_geometry::bounds::tree::{
    AabbTree, Counters, KdopTree, ObbTree, SphereTree, TreeError, TreeVolume, VolumeTree,
};
use carom_geometry::bounds::{Aabb, BoundingSphere, Obb};
use carom_geometry::primitive::Triangle;
use carom_geometry::{Pose, Rotation};
use glam::{DVec3, Vec3};
use proptest::prelude::*;

fn triangles(count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Triangle>> {
    let corner = prop::array::uniform3(-1.0f32..1.0).prop_map(Vec3::from);
    // Free ones, flat ones in a common plane, slivers without area.
    let one =
        (corner.clone(), corner.clone(), corner.clone(), corner, 0u8..6).prop_map(|(at, a, b, c, kind)| {
            let at = at * 3.0;
            match kind {
                0 => Triangle::new(at, at, at + b),
                1 => {
                    let flat = |v: Vec3| Vec3::new(v.x, v.y, 0.0);
                    Triangle::new(flat(at + a), flat(at + b), flat(at + c))
                }
                _ => Triangle::new(at + a, at + b, at + c),
            }
        });
    prop::collection::vec(one, count)
}

fn pose() -> impl Strategy<Value = Pose> {
    let turn = prop_oneof![1 => Just([0.0, 0.0, 0.0, 1.0f32]), 4 => prop::array::uniform4(-1.0f32..1.0)];
    (prop::array::uniform3(-3.0f32..3.0), turn)
        .prop_filter_map("null quaternion", |(t, q)| Some(Pose::new(t.into(), Rotation::from_xyzw(q)?)))
}

/// Do triangles share a point? All separating axes, also those of triangles in a common plane.
fn touch(a: &[DVec3; 3], b: &[DVec3; 3]) -> bool {
    let edges = |t: &[DVec3; 3]| [t[1] - t[0], t[2] - t[1], t[0] - t[2]];
    let (p, q) = (edges(a), edges(b));
    let (m, n) = (p[0].cross(p[1]), q[0].cross(q[1]));
    let mut axes = vec![m, n];
    for e in p {
        axes.push(m.cross(e));
        for f in q {
            axes.push(e.cross(f));
        }
    }
    axes.extend(q.map(|f| n.cross(f)));
    // Slivers: the axes above may all be null; these do no harm.
    axes.extend(p.iter().chain(&q).copied());
    axes.extend([DVec3::X, DVec3::Y, DVec3::Z]);
    axes.iter().filter(|x| x.length() > 1e-12).all(|x| {
        let range = |t: &[DVec3; 3]| {
            let along = t.map(|c| c.dot(*x));
            (along.iter().copied().fold(f64::MAX, f64::min), along.iter().copied().fold(f64::MIN, f64::max))
        };
        let ((a0, a1), (b0, b1)) = (range(a), range(b));
        a0 <= b1 && b0 <= a1
    })
}

fn brute_force(a: &[Triangle], b: &[Triangle], relative: &Pose) -> Vec<(u32, u32)> {
    let exact = relative.to::<f64>();
    let second: Vec<[DVec3; 3]> = b.iter().map(|t| t.corners().map(|c| exact.apply(c.as_dvec3()))).collect();
    let mut pairs = Vec::new();
    for (i, t) in (0u32..).zip(a) {
        let first = t.corners().map(Vec3::as_dvec3);
        pairs.extend((0u32..).zip(&second).filter(|(_, s)| touch(&first, s)).map(|(j, _)| (i, j)));
    }
    pairs
}

fn finds_all<B: TreeVolume<f32> + std::fmt::Debug>(
    a: &[Triangle],
    b: &[Triangle],
    relative: &Pose,
    right: &[(u32, u32)],
    leaf_size: usize,
) -> Result<Counters, TestCaseError> {
    let (first, second) =
        (VolumeTree::<B>::build(a, leaf_size).unwrap(), VolumeTree::<B>::build(b, leaf_size).unwrap());
    prop_assert!(first.depth() <= 2 * a.len().ilog2() as usize + 6 + a.len().ilog2() as usize);
    let mut found = Vec::new();
    let counters = first.for_each_pair(&second, relative, &mut Vec::new(), |p, q| {
        assert!(p.indices.len() <= leaf_size && q.indices.len() <= leaf_size);
        for (i, t) in p.indices.iter().zip(p.triangles) {
            assert_eq!(*t, a[*i as usize]);
            found.extend(q.indices.iter().map(|j| (*i, *j)));
        }
    });
    prop_assert_eq!(counters.triangles, found.len() as u64);
    found.sort_unstable();
    prop_assert!(found.windows(2).all(|w| w[0] != w[1]), "no pair twice");
    for pair in right {
        prop_assert!(
            found.binary_search(pair).is_ok(),
            "{:?} missed by {}",
            pair,
            std::any::type_name::<B>()
        );
    }
    // One volume against the tree: the triangles of each root against the same tree.
    for (volume, below) in second.nodes() {
        let mut seen = Vec::new();
        second.for_each_overlapping(volume, &mut Vec::new(), |leaf| seen.extend(leaf.indices));
        prop_assert!(below.indices.iter().all(|i| seen.contains(i)));
    }
    Ok(counters)
}

proptest! {
    #[test]
    fn no_touching_pair_is_left_out(a in triangles(1..30), b in triangles(1..30), relative in pose(), leaf_size in 1usize..4) {
        let right = brute_force(&a, &b, &relative);
        finds_all::<BoundingSphere>(&a, &b, &relative, &right, leaf_size)?;
        finds_all::<Aabb<3>>(&a, &b, &relative, &right, leaf_size)?;
        finds_all::<Obb>(&a, &b, &relative, &right, leaf_size)?;
        finds_all::<Kdop<7>>(&a, &b, &relative, &right, leaf_size)?;
        finds_all::<Kdop<9>>(&a, &b, &relative, &right, leaf_size)?;
        finds_all::<Kdop<13>>(&a, &b, &relative, &right, leaf_size)?;
    }

    #[test]
    fn meshes_far_from_the_origin_that_share_one_corner(a in triangles(5..20), place in prop::array::uniform3(-1e4f32..1e4), pick in 0usize..5) {
        // The second mesh is the first one mirrored at a corner, in the same place: touching
        // exactly there.
        let place = Vec3::from(place);
        let a: Vec<Triangle> = a.iter().map(|t| Triangle::new(t.a + place, t.b + place, t.c + place)).collect();
        let corner = a[pick].a;
        let b: Vec<Triangle> = a.iter().map(|t| Triangle::new(corner + (corner - t.a), corner + (corner - t.b), corner + (corner - t.c))).collect();
        let right = [(pick as u32, pick as u32)];
        finds_all::<BoundingSphere>(&a, &b, &Pose::IDENTITY, &right, 1)?;
        finds_all::<Aabb<3>>(&a, &b, &Pose::IDENTITY, &right, 1)?;
        finds_all::<Obb>(&a, &b, &Pose::IDENTITY, &right, 1)?;
        finds_all::<Kdop<13>>(&a, &b, &Pose::IDENTITY, &right, 1)?;
    }

    #[test]
    fn turned_volumes_contain_turned_ones(points in prop::collection::vec(prop::array::uniform3(-2.0f32..2.0), 1..9), pose in pose()) {
        use carom_geometry::bounds::kdop::transform::KdopTransform;
        fn check<const K2: usize>(points: &[[f32; 3]], pose: &Pose) -> Result<(), TestCaseError> {
            let dop = Kdop::<K2>::of_points(points.iter().map(|p| Vec3::from(*p)));
            let turned = dop.transformed(&KdopTransform::new(pose));
            let exact = dop.posed(pose);
            prop_assert!(turned.grown(1e-4).contains(&exact));
            // Never larger than the box of the turned box: a corner reaches no farther than its
            // three axes together.
            let size = turned.aabb().half().element_sum();
            let of_box = pose.rotation.to_matrix().abs().times(dop.aabb().half()).element_sum();
            prop_assert!(size <= of_box + 1e-4, "{size} {of_box}");
            for p in points {
                prop_assert!(turned.contains_point(pose.apply(Vec3::from(*p))));
            }
            Ok(())
        }
        check::<7>(&points, &pose)?;
        check::<9>(&points, &pose)?;
        check::<13>(&points, &pose)?;
    }
}

/// A sphere of triangles.
fn ball(rings: u32, radius: f32) -> Vec<Triangle> {
    let at = |i: u32, j: u32| {
        let (v, u) = (
            i as f32 / rings as f32 * std::f32::consts::PI,
            j as f32 / (2 * rings) as f32 * std::f32::consts::TAU,
        );
        Vec3::new(v.sin() * u.cos(), v.cos(), v.sin() * u.sin()) * radius
    };
    let mut all = Vec::new();
    for i in 0..rings {
        for j in 0..2 * rings {
            all.push(Triangle::new(at(i, j), at(i + 1, j), at(i + 1, j + 1)));
            all.push(Triangle::new(at(i, j), at(i + 1, j + 1), at(i, j + 1)));
        }
    }
    all
}

#[test]
fn tighter_volumes_need_fewer_tests_for_surfaces_in_close_proximity() {
    let (a, b) = (ball(13, 1.0), ball(13, 1.05));
    let relative =
        Pose::new(Vec3::new(0.004, -0.003, 0.002), Rotation::about_axis(Vec3::new(0.6, 0.0, 0.8), 0.7));
    let right = brute_force(&a, &b, &relative);
    let counters = [
        ("sphere", finds_all::<BoundingSphere>(&a, &b, &relative, &right, 1).unwrap()),
        ("AABB", finds_all::<Aabb<3>>(&a, &b, &relative, &right, 1).unwrap()),
        ("14-DOP", finds_all::<Kdop<7>>(&a, &b, &relative, &right, 1).unwrap()),
        ("18-DOP", finds_all::<Kdop<9>>(&a, &b, &relative, &right, 1).unwrap()),
        ("26-DOP", finds_all::<Kdop<13>>(&a, &b, &relative, &right, 1).unwrap()),
        ("OBB", finds_all::<Obb>(&a, &b, &relative, &right, 1).unwrap()),
    ];
    for (name, c) in &counters {
        println!("{name:7} {:7} tests, {:7} pairs of triangles", c.volume_tests, c.triangles);
    }
    assert!(
        counters[5].1.volume_tests * 2 < counters[0].1.volume_tests,
        "boxes follow a surface closer than spheres"
    );
}

#[test]
fn degenerate_meshes() {
    let point = Triangle::new(Vec3::ONE, Vec3::ONE, Vec3::ONE);
    let tree = AabbTree::build(&vec![point; 1000], 1).unwrap();
    assert!(tree.depth() <= 11, "equal centres are halved: {}", tree.depth());
    let mut seen = 0;
    SphereTree::build(&[point; 9], 4).unwrap().for_each_pair(
        &SphereTree::build(&[point], 4).unwrap(),
        &Pose::IDENTITY,
        &mut Vec::new(),
        |a, b| seen += a.indices.len() * b.indices.len(),
    );
    assert_eq!(seen, 9);
    let empty = ObbTree::<f32>::build(&[], 1).unwrap();
    assert!(empty.is_empty() && empty.depth() == 0);
    let counters =
        empty.for_each_pair(&empty, &Pose::IDENTITY, &mut Vec::new(), |_, _| panic!("nothing to report"));
    assert_eq!(counters, Counters::default());
    let bad = Triangle::new(Vec3::ONE, Vec3::NAN, Vec3::ONE);
    let error = KdopTree::<13>::build(&[point, bad], 1).map(|_| ()).unwrap_err();
    assert_eq!(error, TreeError::NotFinite { triangle: 1 });
    assert_eq!(error.to_string(), "triangle 1 has a coordinate that is not finite or too large");
}
