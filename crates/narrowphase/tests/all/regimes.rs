//! Every method by name where random shapes in random places never are: sizes of zero, coincident
//! centres, equal orientations, coaxial pairs, and distances from far below rounding up to the
//! speculative distance on either side of touching.

use std::sync::Arc;

use carom_geometry::primitive::Triangle;
use carom_geometry::shape::{Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Sphere, Tile};
use carom_geometry::{Polytope, Pose, Rotation, Shape};
use carom_narrowphase::oracle::depth::gap;
use carom_narrowphase::oracle::{OracleShape, Violation, certify_claims};
use carom_narrowphase::sat::Tolerances;
use carom_narrowphase::{Manifold, NarrowMethod, Proximity, gjk, pair};
use glam::{DVec3, Vec3};

use crate::cases::{Numbers, count};
use crate::zoo::widened;

/// A shape as the methods and as the oracle have it.
struct Body {
    shape: Shape,
    wide: Box<dyn OracleShape>,
    size: f64,
}

impl Body {
    fn new(shape: Shape, wide: impl OracleShape + 'static, size: f32) -> Self {
        Self { shape, wide: Box::new(wide), size: f64::from(size) }
    }
}

/// Shapes of every kind, of any size, some sizes zero.
fn random_body(numbers: &mut Numbers, hulls: &[Body]) -> Body {
    let mut length = || {
        let zero = numbers.below(5) == 0;
        if zero { 0.0 } else { numbers.between(0.05, 1.0) as f32 }
    };
    let [x, y, z] = [length(), length(), length()];
    macro_rules! body {
        ($shape:expr, $size:expr) => {{
            let shape = $shape;
            Body::new(Shape::from(shape), shape.to::<f64>(), $size)
        }};
    }
    match numbers.below(9) {
        0 => body!(Sphere::<f32>::new(x).unwrap(), x),
        1 => body!(Capsule::<f32>::along_z(x, y).unwrap(), x + y),
        2 => body!(Tile::<f32>::new(x, y).unwrap(), x + y),
        3 => body!(Cuboid::<f32>::new(Vec3::new(x, y, z)).unwrap(), x + y + z),
        4 => body!(Cylinder::<f32>::new(x, y).unwrap(), x + y),
        5 => body!(Cone::<f32>::new(x, y).unwrap(), x + y),
        6 => body!(Ellipsoid::<f32>::new(Vec3::new(x, y, z)).unwrap(), x + y + z),
        7 => {
            let mut corner = || numbers.vector(1.0).as_vec3();
            let [a, b, c] = [corner(), corner(), corner()];
            body!(Triangle::<f32>::new(a, b, c), 1.5)
        }
        _ => {
            let Body { shape, size, .. } = &hulls[numbers.below(hulls.len() as u64) as usize];
            let Shape::Polytope(hull) = shape else { panic!("hulls are polytopes") };
            Body { shape: shape.clone(), wide: Box::new(hull.to::<f64>()), size: *size }
        }
    }
}

fn hulls() -> Vec<Body> {
    let hulls = [
        Polytope::<f32>::random_on_sphere(8, 0.7, 1),
        Polytope::random_on_sphere(20, 0.5, 2),
        Polytope::random_on_sphere(32, 1.0, 3),
        Polytope::prism(6, 0.5, 0.5),
        Polytope::cube(0.5),
        Polytope::tetrahedron(0.8),
    ];
    hulls
        .into_iter()
        .map(|hull| {
            let hull = hull.unwrap();
            let size = hull.points().iter().fold(0.0, |s: f32, p| p.length().max(s));
            let wide = hull.to::<f64>();
            Body::new(Shape::Polytope(Arc::new(hull)), wide, size)
        })
        .collect()
}

/// A shape in few words.
fn named(shape: &Shape) -> String {
    match shape {
        Shape::Polytope(hull) => format!("hull of {}: {:?}", hull.vertex_count(), hull.points()),
        other => format!("{other:?}"),
    }
}

/// Places that the methods find awkward, exact in single precision.
fn awkward_pose(numbers: &mut Numbers, a: &Body, b: &Body) -> Pose {
    let reach = (a.size + b.size).max(0.01);
    let coaxial = |numbers: &mut Numbers| {
        let spin = Rotation::about_axis(DVec3::Z, numbers.between(0.0, 6.0));
        let flip = Rotation::about_axis(DVec3::X, std::f64::consts::PI);
        let quarter = Rotation::about_axis(DVec3::X, std::f64::consts::FRAC_PI_2);
        match numbers.below(4) {
            0 => Rotation::IDENTITY,
            1 => spin,
            2 => spin * flip,
            _ => quarter,
        }
    };
    let pose = match numbers.below(7) {
        // A vertex of the first where the core of the second is.
        6 => {
            let direction = numbers.vector(1.0);
            Pose::new(a.wide.core_support(direction, &mut { u32::MAX }), numbers.rotation())
        }
        0 => Pose::new(DVec3::ZERO, numbers.rotation()),
        1 => Pose::new(DVec3::ZERO, coaxial(numbers)),
        2 => Pose::new(DVec3::Z * numbers.between(-reach, reach), coaxial(numbers)),
        3 => Pose::new(numbers.vector(reach), Rotation::IDENTITY),
        _ => numbers.pose(reach),
    };
    let pose = pose.to::<f32>();
    if numbers.below(2) == 0 {
        return pose;
    }
    // Moved to a given distance, or as near to it as single precision allows.
    let found = gjk::proximity(&*a.wide, &*b.wide, &pose.to::<f64>(), &mut gjk::SimplexCache::default());
    let wanted = [0.0, 1e-8, 1e-7, -1e-7, 1e-6, -1e-6, 1e-5, -1e-4, 1e-3, -1e-3, 0.01, -0.01, 0.03];
    let wanted = wanted[numbers.below(wanted.len() as u64) as usize];
    // Of the shapes, or of their cores: centres of balls on faces, edges and vertices.
    let radii = if numbers.below(3) == 0 { a.wide.radius() + b.wide.radius() } else { 0.0 };
    let by = found.normal * (wanted - radii - found.distance);
    Pose::new((pose.translation.as_dvec3() + by).as_vec3(), pose.rotation)
}

/// Two shapes in an awkward place, and how far they are apart.
struct Case {
    number: u32,
    a: Body,
    b: Body,
    pose: Pose,
    exact: Pose<f64>,
    truth: Proximity<f64>,
}

impl Case {
    /// What errors of rounding grow with.
    fn length(&self) -> f64 {
        self.a.size + self.b.size + self.exact.translation.length()
    }
}

impl std::fmt::Display for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { number, a, b, pose, truth, .. } = self;
        write!(f, "case {number}: {}\n  {}\n  {pose:?}\n  {truth:?}", named(&a.shape), named(&b.shape))
    }
}

/// Calls a check with many random cases, and with the numbers that they are made of.
fn for_each_case(seed: u64, mut check: impl FnMut(&Case, &mut Numbers)) {
    let (hulls, mut numbers) = (hulls(), Numbers(seed));
    for number in 0..count() * 2 {
        let (a, b) = (random_body(&mut numbers, &hulls), random_body(&mut numbers, &hulls));
        let pose = awkward_pose(&mut numbers, &a, &b);
        let exact = pose.to::<f64>();
        let truth = gjk::proximity(&*a.wide, &*b.wide, &exact, &mut gjk::SimplexCache::default());
        check(&Case { number, a, b, pose, exact, truth }, &mut numbers);
    }
}

fn asked(method: NarrowMethod, a: &Body, b: &Body, pose: &Pose) -> Option<Proximity> {
    let mut cache = pair::PairCache::default();
    pair::proximity(&a.shape, &b.shape, pose, f32::INFINITY, method, &mut cache).unwrap()
}

/// Every kind of violation, one by one.
#[test]
fn all_methods_keep_their_promises_in_awkward_regimes() {
    let mut failures = Vec::new();
    for_each_case(0x5eed, |case, _| {
        let Case { a, b, pose, exact, truth, .. } = case;
        let tolerance = 1e-5 * case.length();
        for method in NarrowMethod::ALL {
            if !pair::supports(method, &a.shape, &b.shape) {
                continue;
            }
            let what = || format!("{method}: {case}");
            let Some(found) = asked(method, a, b, pose) else {
                if method != NarrowMethod::Mpr || truth.distance < -tolerance {
                    failures.push(format!("no answer {}", what()));
                }
                continue;
            };
            let claims = certify_claims(&*a.wide, &*b.wide, exact, &widened(&found), 2.0 * tolerance);
            let off = f64::from(found.distance) - truth.distance;
            let is_bound = method == NarrowMethod::Mpr && off < tolerance;
            match claims {
                // Rays may run out before the points are those of the least depth.
                Err(Violation::OutsideFirst { .. } | Violation::OutsideSecond { .. })
                    if method == NarrowMethod::Mpr => {}
                // Edges that are nearly parallel count as that.
                Err(Violation::OutsideFirst { by } | Violation::OutsideSecond { by })
                    if method == NarrowMethod::Sat && by < 0.01 * (a.size + b.size) => {}
                Err(violation) => failures.push(format!("{violation} {found:?} {}", what())),
                Ok(()) if off.abs() > 4.0 * tolerance && !is_bound => {
                    failures.push(format!("off by {off} {found:?} {}", what()));
                }
                Ok(()) => {}
            }
        }
    });
    report(&failures);
}

fn report(failures: &[String]) {
    for failure in failures.iter().take(12) {
        eprintln!("{failure}\n");
    }
    assert!(failures.is_empty(), "{} failures", failures.len());
}

/// Contacts have the closest points within the speculative distance, and the deepest.
#[test]
fn contacts_hold_the_closest_points_in_awkward_regimes() {
    let mut scratch = pair::Scratch::default();
    let mut failures = Vec::new();
    for_each_case(0xc0de, |case, numbers| {
        let Case { a, b, pose, exact, truth, .. } = case;
        let tolerance = 2e-5 * case.length();
        let slop = [0.0, 0.005][numbers.below(2) as usize];
        let tolerances = Tolerances { speculative_distance: 0.05, slop };
        // Capsules that hardly lean lie flat: a hundredth of their radius.
        let is_capsule = |body: &Body| matches!(body.shape, Shape::Capsule(_));
        let has_capsule = is_capsule(a) || is_capsule(b);
        let lean = if has_capsule { 0.01 * a.size.max(b.size) } else { 0.0 };
        // Faces are preferred to edges that are better by less than the slop.
        let (above, below) = (
            tolerance + lean + f64::from(if truth.distance < 0.0 { 2.0 * slop } else { 0.2 * slop }),
            tolerance + lean + 2.0 * f64::from(slop),
        );
        for method in NarrowMethod::ALL {
            if !pair::supports(method, &a.shape, &b.shape) || method == NarrowMethod::Mpr {
                continue;
            }
            let what = || format!("{method}: slop {slop} {case}");
            let (mut cache, mut contact) = (pair::PairCache::default(), Manifold::default());
            pair::manifold(
                &a.shape,
                &b.shape,
                pose,
                tolerances,
                method,
                &mut cache,
                &mut scratch,
                &mut contact,
            )
            .unwrap();
            if truth.distance > 0.05 + tolerance {
                if !contact.is_empty() {
                    failures.push(format!("contact of shapes apart {contact:?} {}", what()));
                }
                continue;
            }
            if truth.distance > 0.05 - tolerance {
                continue;
            }
            let off = f64::from(contact.deepest()) - truth.distance;
            if !(-below..=above).contains(&off) {
                failures.push(format!("deepest off by {off} {contact:?} {}", what()));
                continue;
            }
            if (contact.normal.length() - 1.0).abs() > 1e-5 {
                failures.push(format!("normal {contact:?} {}", what()));
            }
            for point in contact.points() {
                let along = (pose.apply(point.on_b) - point.on_a).dot(contact.normal);
                if (f64::from(along - point.separation)).abs() > 2.0 * tolerance {
                    failures.push(format!("separation {contact:?} {}", what()));
                }
            }
            let along = gap(&*a.wide, &*b.wide, exact, contact.normal.as_dvec3());
            if !has_capsule && along < truth.distance - 2.0 * below {
                failures.push(format!("normal is no way out {along} {contact:?} {}", what()));
            }
        }
    });
    report(&failures);
}

/// The contact of two shapes by `auto`, from nothing.
fn contact(a: &Shape, b: &Shape, pose: &Pose, speculative_distance: f32) -> Manifold {
    let mut contact = Manifold::default();
    let tolerances = Tolerances { speculative_distance, ..Tolerances::default() };
    let (mut cache, mut scratch) = (pair::PairCache::default(), pair::Scratch::default());
    pair::manifold(a, b, pose, tolerances, NarrowMethod::Auto, &mut cache, &mut scratch, &mut contact)
        .unwrap();
    contact
}

#[test]
fn cubes_corner_to_corner_and_edge_to_edge_have_contacts() {
    let cube = Shape::from(Cuboid::cube(0.5).unwrap());
    let hull = Shape::from(Polytope::cube(0.5).unwrap());
    for (a, b) in [(&cube, &cube), (&cube, &hull), (&hull, &cube), (&hull, &hull)] {
        let corner = contact(a, b, &Pose::at(Vec3::splat(1.001)), 0.05);
        assert_eq!(corner.points().len(), 1, "{corner:?}");
        assert!((corner.deepest() - 0.001_732).abs() < 1e-5, "{corner:?}");
        assert!((corner.normal - Vec3::splat(1.0).normalize()).length() < 1e-3, "{corner:?}");
        let edge = contact(a, b, &Pose::at(Vec3::new(1.001, 1.001, 0.0)), 0.05);
        assert_eq!(edge.points().len(), 2, "{edge:?}");
        assert!(edge.points().iter().all(|p| (p.separation - 0.001_414).abs() < 1e-5), "{edge:?}");
        assert!(edge.points().iter().all(|p| (p.on_a.z.abs() - 0.5).abs() < 1e-5), "{edge:?}");
        // Farther than asked for.
        assert!(contact(a, b, &Pose::at(Vec3::splat(1.03)), 0.05).is_empty());
    }
}

#[test]
fn a_tile_beside_the_corner_of_a_box_has_a_contact() {
    let cuboid = Shape::from(Cuboid::new(Vec3::new(0.552_457_03, 0.249_166_37, 0.834_127_25)).unwrap());
    let tile = Shape::from(Tile::new(0.112_399_615, 0.080_399_44).unwrap());
    let rotation = Rotation { xyz: Vec3::new(0.919_688_94, 0.081_153_68, 0.297_584), w: -0.242_961_3 };
    let pose = Pose::new(Vec3::new(0.684_306_44, 0.289_504_9, 0.843_416_1), rotation);
    let found = contact(&cuboid, &tile, &pose, 0.056);
    assert!(!found.is_empty() && found.deepest().abs() < 1e-5, "{found:?}");
}

#[test]
fn depths_from_simplices_without_extent_come_to_an_end() {
    let ball = Shape::from(Sphere::new(0.833_219_05).unwrap());
    let needle = Shape::from(Ellipsoid::new(Vec3::new(0.0, 0.408_634_78, 0.0)).unwrap());
    let rotation = Rotation { xyz: Vec3::new(0.856_690_76, 0.345_021_16, 0.031_039_733), w: 0.382_201_3 };
    let pose = Pose::new(Vec3::ZERO, rotation);
    for (a, b) in [(&ball, &needle), (&needle, &ball)] {
        let mut cache = pair::PairCache::default();
        let found = pair::proximity(a, b, &pose, 1.0, NarrowMethod::GjkEpa, &mut cache).unwrap().unwrap();
        assert!((found.distance + 0.833_219_05).abs() < 1e-4, "{found:?}");
        assert!((found.normal.length() - 1.0).abs() < 1e-5, "{found:?}");
    }
}

#[test]
fn a_capsule_on_the_axis_of_a_cone_is_parted_along_a_unit_vector() {
    let cone = Shape::from(Cone::new(0.304_806 / 2.0, 0.341_429_32).unwrap());
    let capsule = Shape::from(Capsule::along_z(0.091_471_27, 0.247_593_18).unwrap());
    let half = std::f32::consts::FRAC_1_SQRT_2;
    for cone in [cone, Shape::from(Cone::new(0.304_806, 0.341_429_32).unwrap())] {
        for rotation in [Rotation { xyz: Vec3::new(-half, half, 0.0), w: 0.0 }, Rotation::IDENTITY] {
            let pose = Pose::new(Vec3::ZERO, rotation);
            let ask = |method| {
                let mut cache = pair::PairCache::default();
                pair::proximity(&cone, &capsule, &pose, 1.0, method, &mut cache).unwrap().unwrap()
            };
            let (found, exact) = (ask(NarrowMethod::Auto), ask(NarrowMethod::GjkEpa));
            assert!((found.normal.length() - 1.0).abs() < 1e-5, "{found:?}");
            assert!((found.distance - exact.distance).abs() < 1e-4, "{found:?} {exact:?}");
        }
    }
}

/// The deepest point of a round end is between the corners that stand for it: it is there on either
/// side of touching, and in either order of the shapes.
#[test]
fn ends_of_cylinders_and_cones_do_not_jump_at_touching() {
    let table = Shape::from(Cuboid::new(Vec3::new(2.0, 0.5, 2.0)).unwrap());
    let rotation = Rotation { xyz: Vec3::new(-0.707_106_77, 0.0, 0.122_787_8), w: 0.696_364_2 };
    let mut numbers = Numbers(0xe4d);
    let cylinder = Shape::from(Cylinder::new(0.5, 0.5).unwrap());
    let mut cases = vec![(cylinder.clone(), rotation)];
    for _ in 0..200 {
        let lean = Rotation::from_rotation_vector(numbers.vector(0.4)).to::<f32>();
        let upright = Rotation::about_axis(Vec3::X, std::f32::consts::FRAC_PI_2);
        let (half, radius) = (numbers.between(0.2, 0.8) as f32, numbers.between(0.2, 0.8) as f32);
        let shape = if numbers.below(2) == 0 {
            Shape::from(Cylinder::new(half, radius).unwrap())
        } else {
            Shape::from(Cone::new(half, radius).unwrap())
        };
        cases.push((shape, lean * upright));
    }
    for (shape, rotation) in cases {
        let lowest = |rotation: Rotation| {
            let down = rotation.rotate_back(-Vec3::Y);
            shape.as_convex().map(|s| rotation.rotate(s.support(down)).y).unwrap()
        };
        for depth in [0.0f32, 1e-6, 1e-5, 1e-4, 1e-3, 3e-3, 0.01, 0.03, -1e-5, -1e-3, -0.01, -0.03] {
            let pose = Pose::new(Vec3::new(0.0, 0.5 - lowest(rotation) - depth, 0.0), rotation);
            let found = contact(&table, &shape, &pose, 0.05);
            let mirrored = contact(&shape, &table, &pose.inverse(), 0.05);
            for deepest in [found.deepest(), mirrored.deepest()] {
                assert!(
                    (deepest + depth).abs() < 2e-5,
                    "{shape:?} {rotation:?} {depth}: {deepest} {found:?}"
                );
            }
        }
    }
}

#[test]
fn the_normal_of_a_ball_on_an_edge_or_vertex_of_a_hull_is_one_of_the_hull() {
    let mut numbers = Numbers(0xba11);
    for seed in 1..20 {
        let hull = Polytope::<f32>::random_on_sphere(24, 0.7, seed).unwrap();
        let wide = hull.to::<f64>();
        let shape = Shape::Polytope(Arc::new(hull.clone()));
        for _ in 0..count() / 100 {
            let edge = hull.segment(carom_geometry::polytope::HalfEdgeId(
                numbers.below(hull.half_edge_count() as u64) as u32,
            ));
            let t = [0.0, 1.0, numbers.between(0.0, 1.0) as f32][numbers.below(3) as usize];
            let scale = [0.0, 1e-7, 1e-6, 1e-5, 1e-4][numbers.below(5) as usize];
            let at = edge.a * (1.0 - t) + edge.b * t + numbers.vector(scale).as_vec3();
            let ball = Sphere::<f32>::new([0.0, 0.3][numbers.below(2) as usize]).unwrap();
            let mut cache = pair::PairCache::default();
            let (method, pose) = (NarrowMethod::Auto, Pose::at(at));
            let found = pair::proximity(&shape, &Shape::from(ball), &pose, 1.0, method, &mut cache);
            let found = widened(&found.unwrap().unwrap());
            let along = gap(&wide, &ball.to::<f64>(), &pose.to::<f64>(), found.normal);
            assert!((along - found.distance).abs() < 1e-4, "{along} {found:?} {at:?}");
        }
    }
}

#[test]
fn hulls_on_top_of_each_other_are_parted_by_every_method() {
    let mut numbers = Numbers(0xc0);
    for seed in 1..30 {
        let hull = Polytope::<f32>::random_on_sphere(8 + seed % 30, 0.7, u64::from(seed as u32)).unwrap();
        let (wide, shape) = (hull.to::<f64>(), Shape::Polytope(Arc::new(hull)));
        for by in [0.0, 1e-7, 1e-3] {
            let pose = Pose::at(numbers.vector(by).as_vec3());
            let truth = carom_narrowphase::oracle::depth::depth(&wide, &wide, &pose.to::<f64>()).depth;
            for method in [NarrowMethod::Auto, NarrowMethod::Sat, NarrowMethod::GjkEpa, NarrowMethod::VClip] {
                let mut cache = pair::PairCache::default();
                let found = pair::proximity(&shape, &shape, &pose, f32::INFINITY, method, &mut cache);
                let found = found.unwrap().expect("they overlap");
                assert!((f64::from(found.distance) + truth).abs() < 1e-4, "{method} {found:?} {truth}");
            }
            let found = contact(&shape, &shape, &pose, 0.02);
            assert!(
                !found.is_empty() && (f64::from(found.deepest()) + truth).abs() < 0.011,
                "{found:?} {truth}"
            );
        }
    }
}
