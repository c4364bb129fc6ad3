//! Closed forms against the judge: every pair, both precisions, random and awkward places and
//! sizes.

use std::fmt::Debug;

use carom_geometry::primitive::Triangle;
use carom_geometry::shape::{Capsule, Cone, Cuboid, Cylinder, Ellipsoid, HalfSpace, Shape, Sphere, Tile};
use carom_geometry::{Polytope, Pose, Rotation};
use carom_narrowphase::analytic::{
    self, capsule_capsule, capsule_sphere, cone_sphere, cuboid_capsule, cuboid_cuboid, cuboid_sphere,
    cuboid_tile, cylinder_sphere, polytope_sphere, sphere_sphere, tile_capsule, tile_sphere, tile_tile,
    triangle_capsule, triangle_cuboid, triangle_sphere, triangle_tile, triangle_triangle,
};
use carom_narrowphase::oracle::{OracleShape, certify, certify_claims};
use carom_narrowphase::{Manifold, Proximity};
use glam::{DVec3, Vec3};

use crate::cases::{self, Numbers};

/// A size that single precision can hold: mostly ordinary, sometimes on a grid, zero, tiny or
/// large.
fn size(numbers: &mut Numbers) -> f64 {
    let size = match numbers.below(12) {
        0 => 0.0,
        1 => 1e-4,
        2 => 20.0,
        3..5 => 0.5 * (1 + numbers.below(3)) as f64,
        _ => numbers.between(0.1, 2.0),
    };
    f64::from(size as f32)
}

/// A vector that single precision can hold.
fn vector(numbers: &mut Numbers) -> DVec3 {
    let vector =
        if numbers.below(4) == 0 { numbers.vector(2.0).map(f64::round) } else { numbers.vector(1.5) };
    vector.as_vec3().as_dvec3()
}

fn sphere(numbers: &mut Numbers) -> Sphere<f64> {
    Sphere::new(size(numbers)).unwrap()
}

fn capsule(numbers: &mut Numbers) -> Capsule<f64> {
    let (a, mut b) = (vector(numbers), vector(numbers));
    match numbers.below(8) {
        0 => b = a,
        1 => return Capsule::along_z(size(numbers), size(numbers)).unwrap(),
        2 => b = a + (b - a).as_vec3().as_dvec3() * 16.0,
        _ => (),
    }
    Capsule::new(a, b, size(numbers)).unwrap()
}

fn tile(numbers: &mut Numbers) -> Tile<f64> {
    Tile::new(size(numbers), size(numbers)).unwrap()
}

fn cuboid(numbers: &mut Numbers) -> Cuboid<f64> {
    Cuboid::new(DVec3::new(size(numbers), size(numbers), size(numbers))).unwrap()
}

fn cylinder(numbers: &mut Numbers) -> Cylinder<f64> {
    Cylinder::new(size(numbers), size(numbers)).unwrap()
}

fn cone(numbers: &mut Numbers) -> Cone<f64> {
    Cone::new(size(numbers), size(numbers)).unwrap()
}

fn ellipsoid(numbers: &mut Numbers) -> Ellipsoid<f64> {
    Ellipsoid::new(DVec3::new(size(numbers), size(numbers), size(numbers))).unwrap()
}

fn triangle(numbers: &mut Numbers) -> Triangle<f64> {
    let (a, b, mut c) = (vector(numbers), vector(numbers), vector(numbers));
    match numbers.below(12) {
        0 => c = a,
        1 => c = ((a + b) * 0.5).as_vec3().as_dvec3(),
        2 => c = (b + (b - a) * 1e-3 + c * 1e-5).as_vec3().as_dvec3(),
        _ => (),
    }
    Triangle::new(a, b, c)
}

/// What bounds the coordinates of a shape.
pub(crate) fn extent(shape: &impl OracleShape) -> f64 {
    let reach = DVec3::AXES.into_iter().flat_map(|axis| [axis, -axis]);
    let core = reach.map(|d| shape.core_support(d, &mut 0).length()).fold(0.0, f64::max);
    core + shape.radius()
}

pub(crate) fn widened(answer: &Proximity) -> Proximity<f64> {
    Proximity {
        distance: f64::from(answer.distance),
        normal: answer.normal.as_dvec3(),
        on_a: answer.on_a.as_dvec3(),
        on_b: answer.on_b.as_dvec3(),
    }
}

/// Judges answers of both precisions at random places beside the first shape.
fn judge<A: OracleShape + Debug, B: OracleShape + Debug>(
    mut make: impl FnMut(&mut Numbers) -> (A, B),
    double: impl Fn(&A, &B, &Pose<f64>) -> Proximity<f64>,
    single: impl Fn(&A, &B, &Pose) -> Proximity,
    part: u32,
) {
    let mut numbers = Numbers(7);
    for case in 0..cases::count() / part {
        let (a, b) = make(&mut numbers);
        let size = extent(&a) + extent(&b);
        let reach = if numbers.below(20) == 0 { 1e6 } else { size * numbers.between(0.1, 1.2) };
        let pose = numbers.pose(reach).to::<f32>();
        let wide = pose.to::<f64>();
        let tolerance = size + wide.translation.length();
        let answer = double(&a, &b, &wide);
        // The rotation is a rounded one, so that lengths are off by that.
        if let Err(complaint) = certify(&a, &b, &wide, &answer, 1e-9 * tolerance.max(1e-3)) {
            // A quaternion of single precision is not a unit one: normalise for the judgement in
            // double precision.
            let exact = Pose::new(wide.translation, wide.rotation.normalised());
            let answer = double(&a, &b, &exact);
            let again = certify(&a, &b, &exact, &answer, 1e-9 * tolerance.max(1e-3));
            assert!(
                again.is_ok(),
                "case {case} in f64: {a:?} {b:?}: {complaint} / {again:?} at {exact:?}: {answer:?}"
            );
        }
        let answer = single(&a, &b, &pose);
        let verdict = certify(&a, &b, &wide, &widened(&answer), 1e-5 * tolerance.max(1e-3));
        if let Err(complaint) = verdict {
            panic!("case {case} in f32: {a:?} {b:?}: {complaint} at {pose:?}: {answer:?}");
        }
    }
}

macro_rules! judged {
    ($($name:ident: $a:path, $b:path, $function:path, $part:literal;)*) => {$(
        #[test]
        fn $name() {
            judge(
                |numbers| ($a(numbers), $b(numbers)),
                |a, b, pose| $function(a, b, pose),
                |a, b, pose| $function(&a.to::<f32>(), &b.to::<f32>(), pose),
                $part,
            );
        }
    )*};
}

judged! {
    sphere_and_sphere: sphere, sphere, sphere_sphere, 1;
    capsule_and_sphere: capsule, sphere, capsule_sphere, 1;
    capsule_and_capsule: capsule, capsule, capsule_capsule, 1;
    tile_and_sphere: tile, sphere, tile_sphere, 1;
    box_and_sphere: cuboid, sphere, cuboid_sphere, 1;
    cone_and_sphere: cone, sphere, cone_sphere, 100;
    triangle_and_sphere: triangle, sphere, triangle_sphere, 1;
    tile_and_capsule: tile, capsule, tile_capsule, 1;
    box_and_capsule: cuboid, capsule, cuboid_capsule, 1;
    triangle_and_capsule: triangle, capsule, triangle_capsule, 1;
    tile_and_tile: tile, tile, tile_tile, 1;
    box_and_tile: cuboid, tile, cuboid_tile, 1;
    box_and_box: cuboid, cuboid, cuboid_cuboid, 1;
    triangle_and_tile: triangle, tile, triangle_tile, 1;
    triangle_and_box: triangle, cuboid, triangle_cuboid, 1;
    triangle_and_triangle: triangle, triangle, triangle_triangle, 1;
}

/// The cylinder knows its depth itself, so the judge has to look at the other claims only.
#[test]
fn cylinder_and_sphere() {
    let mut numbers = Numbers(11);
    for _ in 0..cases::count() {
        let (a, b) = (cylinder(&mut numbers), sphere(&mut numbers));
        let pose = numbers.pose(1.5 * (a.radius + a.half_length + b.radius));
        let expected = a.signed_distance(pose.translation) - b.radius;
        let size = a.radius + a.half_length + b.radius + pose.translation.length();
        let found = cylinder_sphere(&a, &b, &pose);
        assert!((found.distance - expected).abs() <= 1e-12 * size);
        assert_eq!(certify_claims(&a, &b, &pose, &found, 1e-9 * size), Ok(()));
        let single = cylinder_sphere(&a.to::<f32>(), &b.to::<f32>(), &pose.to::<f32>());
        assert_eq!(certify_claims(&a, &b, &pose, &widened(&single), 1e-5 * size), Ok(()));
        assert!((f64::from(single.distance) - expected).abs() <= 1e-6 * size);
    }
}

fn polytopes() -> Vec<Polytope<f64>> {
    vec![
        Polytope::cuboid(DVec3::new(1.0, 0.5, 2.0)).unwrap(),
        Polytope::tetrahedron(1.0).unwrap(),
        Polytope::prism(7, 1.0, 1.0).unwrap(),
        Polytope::pyramid(5, 2.0, 1.0).unwrap(),
        Polytope::random_on_sphere(60, 1.5, 3).unwrap(),
    ]
}

#[test]
fn polytope_and_sphere() {
    for polytope in polytopes() {
        let narrow = polytope.to::<f32>();
        judge(
            |numbers| (polytope.clone(), sphere(numbers)),
            polytope_sphere,
            |_, b, pose| polytope_sphere(&narrow, &b.to::<f32>(), pose),
            10,
        );
    }
}

/// Every kind of shape that a formula could be for, and some it is not for.
fn shapes(numbers: &mut Numbers) -> Vec<Shape> {
    vec![
        sphere(numbers).to::<f32>().into(),
        capsule(numbers).to::<f32>().into(),
        tile(numbers).to::<f32>().into(),
        cuboid(numbers).to::<f32>().into(),
        cylinder(numbers).to::<f32>().into(),
        cone(numbers).to::<f32>().into(),
        ellipsoid(numbers).to::<f32>().into(),
        HalfSpace.into(),
        triangle(numbers).to::<f32>().into(),
        polytopes()[2].to::<f32>().into(),
    ]
}

/// Sum of the sizes, without the half-space.
fn sizes(a: &Shape, b: &Shape) -> f32 {
    let size = |shape: &Shape| {
        let support = |d: Vec3| shape.as_convex().map_or(0.0, |s| s.support(d).length());
        Vec3::AXES.into_iter().flat_map(|d| [support(d), support(-d)]).fold(0.0, f32::max)
    };
    size(a) + size(b)
}

#[test]
fn the_table_answers_in_either_order() {
    let mut numbers = Numbers(5);
    for _ in 0..cases::count() / 25 {
        let (left, right) = (shapes(&mut numbers), shapes(&mut numbers));
        let pose = numbers.pose(4.0).to::<f32>();
        let back = pose.inverse();
        for (a, b) in left.iter().flat_map(|a| right.iter().map(move |b| (a, b))) {
            let found = analytic::proximity(a, b, &pose);
            assert_eq!(found.is_some(), analytic::has(a, b), "{} {}", a.name(), b.name());
            assert_eq!(analytic::has(a, b), analytic::has(b, a));
            let Some(found) = found else { continue };
            let size = sizes(a, b) + pose.translation.length();
            let again = analytic::proximity(b, a, &back).unwrap().swapped(&back);
            let context = format!("{a:?} {b:?} at {pose:?}: {found:?} {again:?}");
            assert!((found.distance - again.distance).abs() <= 2e-6 * size, "{context}");
            assert!((found.normal.length() - 1.0).abs() < 1e-6 && found.is_finite(), "{context}");
            let disagreement = found.on_b - found.on_a - found.normal * found.distance;
            assert!(disagreement.length() <= 4e-6 * size, "{context}");
            if found.distance.abs() > 2e-6 * size {
                assert_eq!(analytic::touches(a, b, &pose), Some(found.distance < 0.0), "{context}");
            }
        }
    }
}

/// Nothing of the second shape is lower over the half-space than said, and the lowest point belongs
/// to it.
#[test]
fn half_space_and_everything() {
    let mut numbers = Numbers(6);
    for _ in 0..cases::count() / 10 {
        let pose = numbers.pose(4.0).to::<f32>();
        for shape in shapes(&mut numbers) {
            let Some(found) = analytic::proximity(&Shape::from(HalfSpace), &shape, &pose) else { continue };
            let convex = shape.as_convex().unwrap();
            let size = sizes(&shape, &shape) + pose.translation.length();
            let lowest = pose.apply(convex.support(pose.rotation.rotate_back(-Vec3::Y))).y;
            assert!((found.distance - lowest).abs() <= 1e-6 * size);
            assert_eq!((found.normal, found.on_a.y), (Vec3::Y, 0.0));
            for _ in 0..8 {
                let point = pose.apply(convex.support(numbers.vector(1.0).as_vec3()));
                assert!(point.y >= found.distance - 1e-5 * size);
            }
        }
    }
}

#[test]
fn a_capsule_that_pierces_a_tile_with_its_middle_is_seen() {
    let tile = Tile::new(2.0f32, 2.0).unwrap();
    let needle = Capsule::along_y(5.0f32, 0.25).unwrap();
    let pose = Pose::at(Vec3::new(1.5, 0.5, 0.0));
    let found = tile_capsule(&tile, &needle, &pose);
    // The edge at x = 2 is nearer than the ends of the needle.
    assert!((found.distance + 0.75).abs() < 1e-6 && (found.normal - Vec3::X).length() < 1e-6);
    let short = Capsule::along_y(1.0f32, 0.25).unwrap();
    let found = tile_capsule(&tile, &short, &Pose::at(Vec3::new(0.0, 0.5, 0.0)));
    assert_eq!((found.distance, found.normal), (-0.75, Vec3::Y));
}

#[test]
fn tiles_that_cross_have_the_depth_of_the_shortest_way_apart() {
    let tile = Tile::new(1.0f64, 1.0).unwrap();
    let upright = Rotation::about_axis(DVec3::X, std::f64::consts::FRAC_PI_2);
    let found = tile_tile(&tile, &tile, &Pose::new(DVec3::new(0.0, 0.75, 0.0), upright));
    assert!((found.distance + 0.25).abs() < 1e-12 && (found.normal - DVec3::Y).length() < 1e-12);
    // In one plane they have no thickness to get out of.
    let flat = tile_tile(&tile, &tile, &Pose::at(DVec3::new(0.5, 0.0, 0.5)));
    assert_eq!((flat.distance, flat.normal.y.abs()), (0.0, 1.0));
}

#[test]
fn equal_places_and_shapes_without_size_have_a_normal() {
    let mut numbers = Numbers(8);
    let point = Shape::from(Sphere::new(0.0f32).unwrap());
    let dot = Shape::from(Capsule::new(Vec3::ZERO, Vec3::ZERO, 0.0f32).unwrap());
    let speck = Shape::from(Cuboid::new(Vec3::ZERO).unwrap());
    let tiny = Shape::from(Tile::new(0.0f32, 0.0).unwrap());
    let corner = Shape::from(Triangle::new(Vec3::ZERO, Vec3::ZERO, Vec3::ZERO));
    let needle = Shape::from(Cone::new(0.0f32, 0.0).unwrap());
    let mut all = vec![point, dot, speck, tiny, corner, needle];
    all.extend(shapes(&mut numbers));
    for (a, b) in all.iter().flat_map(|a| all.iter().map(move |b| (a, b))) {
        for pose in [Pose::IDENTITY, Pose::at(Vec3::splat(1e-30)), Pose::at(Vec3::splat(1e6))] {
            let Some(found) = analytic::proximity(a, b, &pose) else { continue };
            assert!(found.is_finite(), "{} {}", a.name(), b.name());
            assert!((found.normal.length() - 1.0).abs() < 1e-6, "{} {}: {found:?}", a.name(), b.name());
        }
    }
}

/// What must hold of every manifold: points on both surfaces, right separations, the deepest among
/// them, names apart.
fn check_manifold(
    a: &Shape,
    b: &Shape,
    pose: &Pose,
    speculative_distance: f32,
    flat: f32,
) -> Option<Manifold> {
    let manifold = contact_points(a, b, pose, speculative_distance)?;
    let found = analytic::proximity(a, b, pose).unwrap();
    let size = sizes(a, b) + pose.translation.length();
    let context = || format!("{} {} at {pose:?}: {manifold:?} {found:?}", a.name(), b.name());
    if found.distance > speculative_distance + 1e-5 * size {
        assert!(manifold.is_empty(), "{}", context());
    }
    if found.distance < speculative_distance - 1e-5 * size {
        assert!((manifold.deepest() - found.distance).abs() <= flat * size, "{}", context());
    }
    for (index, point) in manifold.points().iter().enumerate() {
        let gap = (pose.apply(point.on_b) - point.on_a).dot(manifold.normal);
        assert!((gap - point.separation).abs() <= 1e-5 * size, "{}", context());
        assert!(point.separation <= speculative_distance, "{}", context());
        assert!(manifold.points()[..index].iter().all(|p| p.feature != point.feature), "{}", context());
    }
    Some(manifold)
}

#[test]
fn manifolds_hold_the_deepest_point_and_true_separations() {
    let mut numbers = Numbers(9);
    let mut seen = [0; 5];
    for _ in 0..cases::count() / 25 {
        let (left, right) = (shapes(&mut numbers), shapes(&mut numbers));
        let pose = numbers.pose(3.0).to::<f32>();
        for (a, b) in left.iter().flat_map(|a| right.iter().map(move |b| (a, b))) {
            // A lean that counts as flat moves the depth by no more than a hundredth of the radius
            // of a capsule.
            if let Some(manifold) = check_manifold(a, b, &pose, 0.05, 0.011) {
                seen[manifold.points().len()] += 1;
            }
        }
    }
    assert!(seen.iter().all(|&n| n > 0), "{seen:?}");
}

#[test]
fn what_lies_flat_has_all_its_points() {
    let ground = Shape::from(HalfSpace);
    let at = |y: f32| Pose::at(Vec3::new(3.0, y, 1.0));
    let count = |a: &Shape, b: &Shape, pose: &Pose| {
        let manifold = check_manifold(a, b, pose, 0.01, 1e-5).unwrap();
        assert!(manifold.points().iter().all(|p| (p.separation + 0.005).abs() < 1e-5), "{manifold:?}");
        manifold.points().len()
    };
    let cube = Shape::from(Cuboid::cube(1.0f32).unwrap());
    assert_eq!(count(&ground, &cube, &at(0.995)), 4);
    assert_eq!(count(&ground, &Tile::new(1.0f32, 2.0).unwrap().into(), &at(-0.005)), 4);
    let log = Shape::from(Capsule::along_x(1.0f32, 0.5).unwrap());
    assert_eq!(count(&ground, &log, &at(0.495)), 2);
    let drum = Shape::from(Cylinder::new(1.0f32, 0.5).unwrap());
    assert_eq!(count(&ground, &drum, &at(0.495)), 2);
    let upright = Rotation::between(Vec3::Z, Vec3::Y);
    assert_eq!(count(&ground, &drum, &Pose::new(Vec3::new(0.0, 0.995, 0.0), upright)), 4);
    let prism = Shape::from(polytopes()[2].to::<f32>());
    let bottom = prism.as_convex().unwrap().support(-Vec3::Y).y;
    assert_eq!(count(&ground, &prism, &at(-0.005 - bottom)), 4);
    assert_eq!(count(&log, &log, &Pose::at(Vec3::new(0.5, 0.995, 0.0))), 2);
    assert_eq!(count(&cube, &log, &Pose::at(Vec3::new(0.5, 1.495, 0.0))), 2);
    assert_eq!(count(&log, &cube, &Pose::at(Vec3::new(0.5, 1.495, 0.0))), 2);
    let floor = Shape::from(Triangle::new(
        Vec3::new(-4.0, 0.0, -4.0),
        Vec3::new(0.0, 0.0, 4.0),
        Vec3::new(4.0, 0.0, -4.0),
    ));
    assert_eq!(count(&floor, &log, &Pose::at(Vec3::new(0.0, 0.495, 0.0))), 2);
    let crossed = Pose::new(Vec3::new(0.0, 0.995, 0.0), Rotation::about_axis(Vec3::Y, 1.0));
    assert_eq!(count(&log, &log, &crossed), 1);
}

#[test]
fn names_stay_while_a_body_slides() {
    let (ground, cube) = (Shape::from(HalfSpace), Shape::from(Cuboid::cube(1.0f32).unwrap()));
    let names = |pose: &Pose| {
        let manifold = contact_points(&ground, &cube, pose, 0.02).unwrap();
        manifold.points().iter().map(|p| p.feature).collect::<Vec<_>>()
    };
    let start = names(&Pose::at(Vec3::new(0.0, 0.999, 0.0)));
    for step in 1u8..20 {
        let rotation = Rotation::about_axis(Vec3::new(0.6, 0.0, 0.8), 1e-3 * f32::from(step % 5));
        assert_eq!(names(&Pose::new(Vec3::new(0.1 * f32::from(step), 0.999, 0.0), rotation)), start);
    }
}

/// Corners on one line, whose area is nothing but rounding: the normal has no meaning, and what
/// lies beyond the end of the line is not in the triangle.
#[test]
fn a_triangle_without_area_is_a_segment() {
    let (a, b) = (
        Vec3::new(0.602_859_1, 0.527_814_6, 0.277_042_63),
        Vec3::new(-0.049_630_217, -1.397_245_4, 0.889_120_76),
    );
    let triangle = Triangle::new(a, b, (a + b) * 0.5);
    let ball = Capsule::new(Vec3::ZERO, Vec3::ZERO, 1.9f32).unwrap();
    for pose in [Vec3::new(0.3, -0.6, 1.2), a + (a - b), b + (b - a) * 0.2] {
        let found = triangle_capsule(&triangle, &ball, &Pose::at(pose));
        let expected =
            capsule_sphere(&Capsule::new(a, b, 0.0).unwrap(), &Sphere::new(1.9).unwrap(), &Pose::at(pose));
        assert!((found.distance - expected.distance).abs() < 1e-6, "{found:?} {expected:?}");
        assert!((found.normal - expected.normal).length() < 1e-5, "{found:?} {expected:?}");
    }
}

/// Another library as a second witness, for pairs that it has formulas for too, where they are
/// apart.
#[test]
fn parry_measures_the_same_distances() {
    use parry3d::math::{Pose as Place, Vector};
    use parry3d::shape as theirs;
    let mut numbers = Numbers(12);
    let ball = (Sphere::new(0.5f32).unwrap(), theirs::Ball::new(0.5));
    let pill = (Capsule::along_y(0.5f32, 0.3).unwrap(), theirs::Capsule::new_y(0.5, 0.3));
    let half = Vec3::new(0.5, 0.7, 0.4);
    let brick = (Cuboid::new(half).unwrap(), theirs::Cuboid::new(Vector::new(half.x, half.y, half.z)));
    for _ in 0..cases::count() / 10 {
        let pose = numbers.pose(3.0).to::<f32>();
        let ([x, y, z], [qx, qy, qz, qw]) = (pose.translation.to_array(), pose.rotation.to_xyzw());
        let rotation = parry3d::math::Rotation::from_xyzw(qx, qy, qz, qw);
        let there = Place::from_parts(Vector::new(x, y, z), rotation);
        let witness = |a: &dyn theirs::Shape, b: &dyn theirs::Shape| {
            parry3d::query::distance(&Place::IDENTITY, a, &there, b).unwrap().distance
        };
        let agrees = |ours: f32, theirs: f32| (ours.max(0.0) - theirs).abs() < 1e-4;
        assert!(agrees(cuboid_sphere(&brick.0, &ball.0, &pose).distance, witness(&brick.1, &ball.1)));
        assert!(agrees(capsule_sphere(&pill.0, &ball.0, &pose).distance, witness(&pill.1, &ball.1)));
    }
}

/// The contact points of two shapes, if there is a formula for them.
fn contact_points(a: &Shape, b: &Shape, pose: &Pose, speculative_distance: f32) -> Option<Manifold> {
    let mut contact = Manifold::default();
    analytic::manifold(a, b, pose, speculative_distance, &mut contact).then_some(contact)
}

#[test]
fn a_ball_beside_a_cone_without_height_is_beside_its_rim() {
    let (disc, ball) = (Cone { radius: 1.0, half_length: 0.0 }, Sphere { radius: 0.5 });
    let found = cone_sphere(&disc, &ball, &Pose::at(Vec3::new(3.0, 0.0, 0.0)));
    assert_eq!((found.distance, found.normal, found.on_a), (1.5, Vec3::X, Vec3::X));
}
