//! Separating axes and the contacts made from them, against the oracle.

use carom_geometry::primitive::Triangle;
use carom_geometry::shape::{Cuboid, Tile};
use carom_geometry::{Polytope, Pose, Rotation, Shape};
use carom_narrowphase::Manifold;
use carom_narrowphase::oracle::OracleShape;
use carom_narrowphase::oracle::depth::{depth, gap};
use carom_narrowphase::oracle::distance::distance;
use carom_narrowphase::sat::polyhedron::{BoxBody, Polyhedron, TriangleBody};
use carom_narrowphase::sat::{
    Feature, SatCache, SatScratch, Tolerances, box_box, contact_of_polyhedra, deepest_axis,
};
use carom_narrowphase::{NarrowMethod, pair};
use glam::{DVec3, Vec3};

use crate::cases::{Numbers, count};

/// A polyhedron in the precision of the search and in that of the oracle.
struct Body<P, W> {
    body: P,
    witness: W,
    size: f64,
}

fn cuboid(half: Vec3) -> Body<BoxBody, Cuboid<f64>> {
    let shape = Cuboid { half };
    Body { body: BoxBody::new(&shape), witness: shape.to::<f64>(), size: f64::from(half.length()) }
}

fn tile(half_x: f32, half_z: f32) -> Body<BoxBody, Tile<f64>> {
    let tile = Tile { half_x, half_z };
    Body { body: BoxBody::of_tile(&tile), witness: tile.to::<f64>(), size: f64::from(half_x + half_z) }
}

fn triangle(a: Vec3, b: Vec3, c: Vec3) -> Body<TriangleBody, Triangle<f64>> {
    let triangle = Triangle::<f32>::new(a, b, c);
    let size = [a, b, c].iter().fold(0.0, |s, v| v.length().max(s));
    Body { body: TriangleBody::new(&triangle), witness: triangle.to::<f64>(), size: f64::from(size) }
}

/// A polytope made the same way in both precisions.
macro_rules! polytope {
    ($make:ident($($argument:expr),*)) => {{
        let body = Polytope::<f32>::$make($($argument),*).unwrap();
        let size = body.points().iter().fold(0.0, |s: f32, v| v.length().max(s));
        Body { body, witness: Polytope::<f64>::$make($($argument),*).unwrap(), size: f64::from(size) }
    }};
}

/// Everything that is claimed of one pose.
fn check<A: Polyhedron, B: Polyhedron, WA: OracleShape, WB: OracleShape>(
    a: &Body<A, WA>,
    b: &Body<B, WB>,
    relative_pose: &Pose,
    scratch: &mut SatScratch,
) {
    let exact = relative_pose.to::<f64>();
    let tolerance = 1e-5 * (a.size + b.size);
    let axis = deepest_axis(&a.body, &b.body, relative_pose, f32::MAX, 0.0, scratch);
    let separation = f64::from(axis.cache.separation);
    assert!((axis.normal.length() - 1.0).abs() < 1e-5, "{axis:?}");
    let way_out = depth(&a.witness, &b.witness, &exact);
    if way_out.depth >= tolerance {
        assert!((separation + way_out.depth).abs() <= tolerance, "{axis:?} {way_out:?} {relative_pose:?}");
    } else {
        assert!(separation <= tolerance - way_out.depth.min(0.0), "{axis:?} {way_out:?} {relative_pose:?}");
        assert!(separation >= -tolerance - way_out.depth.max(0.0), "{axis:?} {way_out:?} {relative_pose:?}");
    }
    let along = gap(&a.witness, &b.witness, &exact, axis.normal.as_dvec3());
    assert!((along - separation).abs() <= 2.0 * tolerance, "{along} {axis:?} {relative_pose:?}");
    let tolerances = Tolerances { speculative_distance: 0.05 * (a.size + b.size) as f32, slop: 0.0 };
    let mut cache = SatCache::default();
    let none = Manifold::default();
    let manifold =
        contact_of_polyhedra(&a.body, &b.body, relative_pose, tolerances, &mut cache, &none, scratch);
    check_manifold(&manifold, a, b, relative_pose, tolerances, separation);
    // With a preference for faces, points beyond the speculative distance are no contact either.
    let lenient = Tolerances { slop: 0.02 * (a.size + b.size) as f32, ..tolerances };
    let preferred = contact_of_polyhedra(
        &a.body,
        &b.body,
        relative_pose,
        lenient,
        &mut SatCache::default(),
        &none,
        scratch,
    );
    assert!(
        preferred.points().iter().all(|point| point.separation <= lenient.speculative_distance + 1e-5),
        "{preferred:?}"
    );
    assert!(way_out.depth <= tolerance || !preferred.is_empty(), "{relative_pose:?}");
    let back = relative_pose.inverse();
    let mirrored =
        contact_of_polyhedra(&b.body, &a.body, &back, tolerances, &mut SatCache::default(), &none, scratch);
    if way_out.depth > tolerance {
        assert!(
            (mirrored.deepest() - manifold.deepest()).abs() <= 2.0 * tolerance as f32,
            "{relative_pose:?}"
        );
        assert!(!manifold.is_empty() && !mirrored.is_empty());
    }
    // The cached axis gives the same contact.
    let again =
        contact_of_polyhedra(&a.body, &b.body, relative_pose, tolerances, &mut cache, &manifold, scratch);
    assert!(again.is_empty() == manifold.is_empty(), "{manifold:?} {again:?} {relative_pose:?}");
    // Closest points that belong to no axis at first may be found along one the second time.
    assert!(again.points().len() == manifold.points().len() || separation > -tolerance);
    if !manifold.is_empty() {
        assert!((again.deepest() - manifold.deepest()).abs() <= tolerance as f32);
    }
}

fn check_manifold<A, B, WA: OracleShape, WB: OracleShape>(
    manifold: &Manifold,
    a: &Body<A, WA>,
    b: &Body<B, WB>,
    relative_pose: &Pose,
    tolerances: Tolerances,
    separation: f64,
) {
    let exact = relative_pose.to::<f64>();
    let tolerance = 1e-5 * (a.size + b.size);
    let normal = manifold.normal.as_dvec3();
    for (k, point) in manifold.points().iter().enumerate() {
        let (on_a, on_b) = (point.on_a.as_dvec3(), point.on_b.as_dvec3());
        assert!(
            on_a.is_finite()
                && on_b.is_finite()
                && point.separation <= tolerances.speculative_distance + 1e-6
        );
        assert!(
            a.witness.excess(on_a) <= tolerance,
            "{} {manifold:?} {relative_pose:?}",
            a.witness.excess(on_a)
        );
        assert!(
            b.witness.excess(on_b) <= tolerance,
            "{} {manifold:?} {relative_pose:?}",
            b.witness.excess(on_b)
        );
        let way: DVec3 = exact.apply(on_b) - on_a;
        assert!((normal.dot(way) - f64::from(point.separation)).abs() <= tolerance, "{manifold:?}");
        if point.separation < 0.0 {
            assert!(
                (way - normal * f64::from(point.separation)).length() <= 10.0 * tolerance,
                "{manifold:?} {relative_pose:?}"
            );
        }
        // Not deeper than the shapes are along the normal.
        assert!(
            f64::from(point.separation) >= separation - 2.0 * tolerance,
            "{manifold:?} {separation} {relative_pose:?}"
        );
        assert!(manifold.points()[..k].iter().all(|other| other.feature != point.feature), "{manifold:?}");
    }
    if separation < -tolerance {
        assert!(
            (f64::from(manifold.deepest()) - separation).abs() <= 2.0 * tolerance,
            "{manifold:?} {separation} {relative_pose:?}"
        );
    }
}

fn judge_many<A: Polyhedron, B: Polyhedron, WA: OracleShape, WB: OracleShape>(
    a: &Body<A, WA>,
    b: &Body<B, WB>,
    share: u32,
    seed: u64,
) {
    let (mut numbers, mut scratch) = (Numbers(seed), SatScratch::default());
    for _ in 0..count() / share {
        let relative_pose = numbers.pose(a.size + b.size).to::<f32>();
        check(a, b, &relative_pose, &mut scratch);
    }
}

#[test]
fn boxes_as_polyhedra() {
    judge_many(&cuboid(Vec3::new(1.0, 0.5, 0.75)), &cuboid(Vec3::new(0.5, 1.0, 0.25)), 10, 1);
    judge_many(&cuboid(Vec3::ONE), &cuboid(Vec3::ONE), 10, 2);
    judge_many(&cuboid(Vec3::new(10.0, 0.01, 5.0)), &cuboid(Vec3::splat(0.3)), 10, 3);
}

#[test]
fn polytopes() {
    let random = |count, seed| polytope!(random_on_sphere(count, 1.0, seed));
    judge_many(&random(12, 1), &random(20, 2), 40, 4);
    judge_many(&random(40, 3), &random(8, 4), 40, 5);
    let prism = polytope!(prism(7, 1.0, 0.5));
    judge_many(&prism, &prism, 40, 6);
    judge_many(&prism, &polytope!(tetrahedron(1.0)), 20, 7);
}

#[test]
fn boxes_and_polytopes() {
    let random = polytope!(random_on_sphere(16, 1.0, 5));
    judge_many(&cuboid(Vec3::new(1.0, 0.5, 0.75)), &random, 20, 8);
    judge_many(&random, &cuboid(Vec3::new(1.0, 0.5, 0.75)), 20, 9);
}

#[test]
fn triangles_and_tiles() {
    let one = triangle(Vec3::new(-1.0, 0.0, -0.5), Vec3::new(1.0, 0.25, -0.5), Vec3::new(0.0, 0.0, 1.0));
    let other = triangle(Vec3::new(-1.0, 0.0, -0.5), Vec3::new(1.0, 0.0, -0.5), Vec3::new(0.0, 1.0, 0.0));
    let cube = cuboid(Vec3::new(0.5, 0.75, 1.0));
    let hull = polytope!(random_on_sphere(16, 1.0, 6));
    judge_many(&one, &other, 10, 10);
    judge_many(&one, &cube, 10, 11);
    judge_many(&cube, &one, 10, 12);
    judge_many(&hull, &one, 20, 13);
    judge_many(&tile(1.0, 0.5), &cube, 10, 14);
    judge_many(&tile(1.0, 0.5), &hull, 20, 15);
    judge_many(&tile(1.0, 0.5), &tile(1.0, 0.5), 10, 16);
    judge_many(&tile(1.0, 0.5), &one, 10, 17);
}

/// A long run found this: a side of the triangle passes the box by less than rounding, and the
/// point on it was moved to the rim of the box.
#[test]
fn a_point_beside_the_rim_of_a_box_stays_on_the_triangle() {
    let triangle = Triangle::<f32>::new(
        Vec3::new(0.900_891_4, -0.194_403_47, -0.514_750_5),
        Vec3::new(-0.807_997_35, -0.923_821_57, -0.285_293_55),
        Vec3::new(0.412_681_85, 0.867_146_3, -0.055_878_166),
    );
    let rotation = Rotation { xyz: Vec3::new(0.661_773_8, 0.511_707, -0.476_058_63), w: 0.271_255_46 };
    let relative_pose = Pose::new(Vec3::new(1.083_844_1, 1.020_033_5, 0.587_148_85), rotation);
    let mut manifold = Manifold::default();
    pair::manifold(
        &Shape::from(Cuboid { half: Vec3::new(0.5, 0.75, 1.0) }),
        &Shape::from(triangle),
        &relative_pose,
        Tolerances { speculative_distance: 1.0, slop: 0.0 },
        NarrowMethod::Sat,
        &mut pair::PairCache::default(),
        &mut pair::Scratch::default(),
        &mut manifold,
    )
    .unwrap();
    let off = triangle.to::<f64>().excess(manifold.points()[0].on_b.as_dvec3());
    assert!(off < 5e-6, "{off} {manifold:?}");
}

/// Depth and points of the thirteen axes of a box and a triangle, without any preference for faces.
#[test]
fn axes_of_a_box_and_a_triangle_name_what_touches() {
    let mut numbers = Numbers(20);
    let (mut edges, mut apart, mut missed) = (0, 0, 0);
    let (half, size) = (Vec3::new(0.5, 0.75, 1.0), 1.5);
    let a = cuboid(half);
    for round in 0..count() {
        let [p, q, r] = std::array::from_fn(|_| numbers.vector(if round % 4 == 0 { 3.0 } else { 1.0 }));
        let b = triangle(p.as_vec3(), q.as_vec3(), r.as_vec3());
        let shape = Triangle::<f32>::new(p.as_vec3(), q.as_vec3(), r.as_vec3());
        let relative_pose = numbers.pose(size).to::<f32>();
        let tolerances = Tolerances { speculative_distance: [0.05, 1.0][round as usize % 2], slop: 0.0 };
        let (mut cache, mut manifold) = (pair::PairCache::default(), Manifold::default());
        let shapes = [Shape::from(Cuboid { half }), Shape::from(shape)];
        let mut scratch = pair::Scratch::default();
        pair::manifold(
            &shapes[0],
            &shapes[1],
            &relative_pose,
            tolerances,
            NarrowMethod::Sat,
            &mut cache,
            &mut scratch,
            &mut manifold,
        )
        .unwrap();
        let axis = cache.axis;
        let way_out = depth(&a.witness, &b.witness, &relative_pose.to::<f64>());
        let separation = f64::from(axis.separation);
        let tolerance = 1e-5 * (a.size + b.size);
        if way_out.depth >= tolerance {
            assert!(
                (separation + way_out.depth).abs() <= tolerance,
                "{axis:?} {way_out:?} {relative_pose:?}"
            );
        } else {
            assert!(
                separation >= -tolerance - way_out.depth.max(0.0),
                "{axis:?} {way_out:?} {relative_pose:?}"
            );
        }
        if axis.separation > tolerances.speculative_distance {
            continue;
        }
        let along = gap(&a.witness, &b.witness, &relative_pose.to::<f64>(), manifold.normal.as_dvec3());
        check_manifold(&manifold, &a, &b, &relative_pose, tolerances, separation);
        if (along - separation).abs() > 2.0 * tolerance {
            // The closest points are those of no axis.
            let distance = distance(&a.witness, &b.witness, &relative_pose.to::<f64>()).unwrap();
            assert!(separation > 0.0 && along > separation, "{along} {axis:?} {relative_pose:?}");
            assert!(manifold.is_empty() || (along - distance).abs() <= 2.0 * tolerance, "{along} {distance}");
            assert!(manifold.is_empty() == (distance > f64::from(tolerances.speculative_distance)));
            missed += 1;
            continue;
        }
        apart += u32::from(separation > 0.0);
        if matches!(axis.feature, Feature::Edges(..)) {
            edges += 1;
            // Both edges lie in the planes that bound the gap.
            let found = f64::from(manifold.deepest());
            assert!(
                (found - separation).abs() <= 2.0 * tolerance,
                "{found} {axis:?} {shape:?} {relative_pose:?}"
            );
        }
    }
    assert!(
        edges > count() / 20 && apart > count() / 200 && missed > count() / 200,
        "{edges} {apart} {missed}"
    );
}

#[test]
fn extremes_give_finite_answers() {
    let sizes = [0.0, 1e-6, 1.0, 1e6];
    let mut numbers = Numbers(19);
    let mut scratch = SatScratch::default();
    let random = Polytope::<f32>::random_on_sphere(12, 1.0, 1).unwrap();
    for a in sizes {
        for b in sizes {
            for round in 0..200 {
                let half =
                    |size: f32, flat: u64| Vec3::new(size, if flat == 0 { 0.0 } else { size }, size * 0.5);
                let (half_a, half_b) = (half(a, numbers.below(2)), half(b, numbers.below(2)));
                let reach = [0.0, f64::from(a + b), f64::from(a.max(b)), 1e6][round % 4];
                let relative_pose = numbers.pose(reach).to::<f32>();
                let tolerances = Tolerances { speculative_distance: 0.02 * (a + b), slop: 0.005 * (a + b) };
                let none = Manifold::default();
                let (cube, other) = (Cuboid::<f32> { half: half_a }, Cuboid::<f32> { half: half_b });
                let corners = [
                    numbers.vector(f64::from(b)),
                    numbers.vector(f64::from(b)),
                    numbers.vector(f64::from(b)),
                ];
                let [p, q, r] = corners.map(DVec3::as_vec3);
                let triangle = TriangleBody::new(&Triangle::new(p, q, if round % 3 == 0 { p } else { r }));
                let (body, other_body) = (BoxBody::new(&cube), BoxBody::new(&other));
                let mut cache = SatCache::default();
                for _ in 0..2 {
                    let found = [
                        box_box(&cube, &other, &relative_pose, tolerances, &mut cache, &none),
                        contact_of_polyhedra(
                            &body,
                            &other_body,
                            &relative_pose,
                            tolerances,
                            &mut SatCache::default(),
                            &none,
                            &mut scratch,
                        ),
                        contact_of_polyhedra(
                            &body,
                            &triangle,
                            &relative_pose,
                            tolerances,
                            &mut SatCache::default(),
                            &none,
                            &mut scratch,
                        ),
                        contact_of_polyhedra(
                            &triangle,
                            &triangle,
                            &relative_pose,
                            tolerances,
                            &mut SatCache::default(),
                            &none,
                            &mut scratch,
                        ),
                        contact_of_polyhedra(
                            &random,
                            &body,
                            &relative_pose,
                            tolerances,
                            &mut SatCache::default(),
                            &none,
                            &mut scratch,
                        ),
                    ];
                    for manifold in found {
                        assert!(manifold.normal.is_finite());
                        assert!(
                            manifold.is_empty() || (manifold.normal.length() - 1.0).abs() < 1e-5,
                            "{manifold:?}"
                        );
                        for point in manifold.points() {
                            assert!(
                                point.on_a.is_finite()
                                    && point.on_b.is_finite()
                                    && point.separation.is_finite()
                            );
                        }
                    }
                }
            }
        }
    }
}
