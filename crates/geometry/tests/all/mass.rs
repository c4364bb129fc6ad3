//! Mass properties against Monte Carlo, triangulations and known bodies.

use carom_geometry::mass::{
    ClosedSurfaceError, GivenMassError, InverseMass, MassProperties, Massive, PointMass, hollow_sphere,
    of_closed_surface, spherical_shell,
};
use carom_geometry::primitive::Triangle;
use carom_geometry::shape::{Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Sphere, Tile};
use carom_geometry::{Matrix3, Real, Vector};
use glam::{DVec3, Vec3};
use proptest::prelude::*;

use crate::shapes_zoo::{Kind, Random, kind, pose, zoo};

fn massive<S: Real>(kind: &Kind, density: f64) -> MassProperties<S> {
    let s = |v: f32| S::of(f64::from(v));
    let v = |a: [f32; 3]| S::Vec3::from_array(a.map(s));
    let density = S::of(density);
    match *kind {
        Kind::Sphere(r) => Sphere::new(s(r)).unwrap().mass_properties(density),
        Kind::Capsule(a, b, r) => Capsule::<S>::new(v(a), v(b), s(r)).unwrap().mass_properties(density),
        Kind::Tile(x, z) => Tile::new(s(x), s(z)).unwrap().mass_properties(density),
        Kind::Cuboid(half) => Cuboid::<S>::new(v(half)).unwrap().mass_properties(density),
        Kind::Cylinder(h, r) => Cylinder::new(s(h), s(r)).unwrap().mass_properties(density),
        Kind::Cone(h, r) => Cone::new(s(h), s(r)).unwrap().mass_properties(density),
        Kind::Ellipsoid(radii) => Ellipsoid::<S>::new(v(radii)).unwrap().mass_properties(density),
        Kind::Triangle([a, b, c]) => Triangle::<S>::new(v(a), v(b), v(c)).mass_properties(density),
    }
}

fn entries<S: Real>(m: &Matrix3<S>) -> [f64; 9] {
    std::array::from_fn(|k| m.columns[k / 3][k % 3].to_f64())
}

/// Largest difference of two inertia tensors, relative to the largest entry.
fn apart<S: Real, T: Real>(a: &Matrix3<S>, b: &Matrix3<T>) -> f64 {
    let (a, b) = (entries(a), entries(b));
    let scale = a.iter().fold(1e-300, |m: f64, e| m.max(e.abs()));
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / scale
}

fn assert_same(a: &MassProperties<f64>, b: &MassProperties<f64>, tolerance: f64, what: &str) {
    let size = (a.inertia.columns[0].x / a.mass.max(1e-300)).sqrt();
    assert!((a.mass - b.mass).abs() <= tolerance * a.mass, "{what}: mass {} against {}", a.mass, b.mass);
    assert!(
        a.centre.distance(b.centre) <= tolerance * size,
        "{what}: centre {} against {}",
        a.centre,
        b.centre
    );
    assert!(apart(&a.inertia, &b.inertia) <= tolerance, "{what}: {:?} against {:?}", a.inertia, b.inertia);
}

/// Mean of samples and the standard error of the mean.
fn estimate(samples: &[f64]) -> (f64, f64) {
    let n = samples.len() as f64;
    let mean = samples.iter().sum::<f64>() / n;
    let variance = samples.iter().map(|s| (s - mean) * (s - mean)).sum::<f64>() / (n - 1.0);
    (mean, (variance / n).sqrt())
}

#[test]
fn solids_weigh_what_random_points_say() {
    for (seed, kind) in zoo().into_iter().filter(|k| !k.is_surface()).enumerate() {
        let body = massive::<f64>(&kind, 2.5);
        let mut random = Random::new(seed as u64 + 100);
        let half = kind.size();
        // Points in a box around the shape; those outside count as zero.
        let box_mass = 2.5 * (2.0 * half).powi(3);
        let points: Vec<DVec3> = (0..200_000).map(|_| random.vector() * half).collect();
        let inside: Vec<bool> = points.iter().map(|p| kind.level(*p) <= 0.0).collect();
        let mean = |f: &dyn Fn(DVec3) -> f64| {
            let samples: Vec<f64> =
                points.iter().zip(&inside).map(|(p, i)| if *i { box_mass * f(*p) } else { 0.0 }).collect();
            estimate(&samples)
        };
        let check = |what: &str, (value, error): (f64, f64), exact: f64| {
            assert!(
                (value - exact).abs() <= 5.0 * error,
                "{kind:?} {what}: {value} ± {error} against {exact}"
            );
        };
        check("mass", mean(&|_| 1.0), body.mass);
        for axis in 0..3 {
            check("first moment", mean(&|p| p[axis]), body.mass * body.centre[axis]);
        }
        for row in 0..3 {
            for column in 0..3 {
                let moment = |p: DVec3| {
                    let q = p - body.centre;
                    (if row == column { q.length_squared() } else { 0.0 }) - q[row] * q[column]
                };
                check("inertia", mean(&moment), body.inertia.columns[column][row]);
            }
        }
    }
}

/// A surface of revolution about z through (radius, z) points from bottom to top, starting and
/// ending on the axis.
fn turned(profile: &[(f64, f64)], sides: u32) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let rings = profile.len() as u32 - 2;
    let mut vertices = vec![DVec3::new(0.0, 0.0, profile[0].1)];
    for (radius, z) in &profile[1..profile.len() - 1] {
        for k in 0..sides {
            let angle = std::f64::consts::TAU * f64::from(k) / f64::from(sides);
            vertices.push(DVec3::new(radius * angle.cos(), radius * angle.sin(), *z));
        }
    }
    vertices.push(DVec3::new(0.0, 0.0, profile[profile.len() - 1].1));
    let top = vertices.len() as u32 - 1;
    let at = |ring: u32, k: u32| 1 + ring * sides + k % sides;
    let mut triangles = Vec::new();
    for k in 0..sides {
        triangles.push([0, at(0, k + 1), at(0, k)]);
        triangles.push([top, at(rings - 1, k), at(rings - 1, k + 1)]);
        for ring in 0..rings - 1 {
            let (a, b, c, d) = (at(ring, k), at(ring, k + 1), at(ring + 1, k + 1), at(ring + 1, k));
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    (vertices, triangles)
}

fn arc(radius: f64, from: f64, to: f64, lift: f64) -> impl Iterator<Item = (f64, f64)> {
    (0..=200).map(move |k| {
        let angle = from + (to - from) * f64::from(k) / 200.0;
        (radius * angle.cos(), radius * angle.sin() + lift)
    })
}

#[test]
fn triangulations_of_a_shape_weigh_the_same() {
    use std::f64::consts::FRAC_PI_2;
    let full: Vec<_> = arc(1.0, -FRAC_PI_2, FRAC_PI_2, 0.0).collect();
    let (ball, ball_triangles) = turned(&full, 400);
    let radii = DVec3::new(0.5, 1.0, 2.0);
    let ellipsoid: Vec<_> = ball.iter().map(|p| *p * radii).collect();
    let (cylinder, cylinder_triangles) = turned(&[(0.0, -1.2), (0.5, -1.2), (0.5, 1.2), (0.0, 1.2)], 800);
    let (cone, cone_triangles) = turned(&[(0.0, -1.0), (0.8, -1.0), (0.0, 1.0)], 800);
    let pill: Vec<_> = arc(0.6, -FRAC_PI_2, 0.0, -1.0).chain(arc(0.6, 0.0, FRAC_PI_2, 1.0)).collect();
    let (capsule, capsule_triangles) = turned(&pill, 400);
    for (kind, vertices, triangles) in [
        (Kind::Sphere(1.0), &ball, &ball_triangles),
        (Kind::Ellipsoid([0.5, 1.0, 2.0]), &ellipsoid, &ball_triangles),
        (Kind::Cylinder(1.2, 0.5), &cylinder, &cylinder_triangles),
        (Kind::Cone(1.0, 0.8), &cone, &cone_triangles),
        (Kind::Capsule([0.0, 0.0, -1.0], [0.0, 0.0, 1.0], 0.6), &capsule, &capsule_triangles),
    ] {
        let body = of_closed_surface(vertices, triangles.iter().copied(), 3.0).unwrap();
        // The chords of 400 sides take off 4·10⁻⁵ of the area.
        assert_same(&massive::<f64>(&kind, 3.0), &body, 4e-4, &format!("{kind:?}"));
        // Single precision input far away keeps what its coordinates resolve.
        let far = Vec3::new(1000.0, -2000.0, 500.0);
        let moved: Vec<Vec3> = vertices.iter().map(|v| v.as_vec3() + far).collect();
        let there = of_closed_surface(&moved, triangles.iter().copied(), 3.0f32).unwrap().to::<f64>();
        let back = there.translated(-far.as_dvec3());
        assert!((back.mass / body.mass - 1.0).abs() < 1e-3 && apart(&body.inertia, &back.inertia) < 1e-3);
    }
}

const CUBE: [[u32; 3]; 12] = [
    [0, 2, 1],
    [1, 2, 3],
    [4, 5, 6],
    [5, 7, 6],
    [0, 1, 4],
    [1, 5, 4],
    [2, 6, 3],
    [3, 6, 7],
    [0, 4, 2],
    [2, 4, 6],
    [1, 3, 5],
    [3, 7, 5],
];

fn cube_corners(half: Vec3, centre: Vec3) -> Vec<Vec3> {
    let sign = |bit: usize, k: usize| if k >> bit & 1 == 1 { 1.0 } else { -1.0 };
    (0..8).map(|k| centre + half * Vec3::new(sign(0, k), sign(1, k), sign(2, k))).collect()
}

#[test]
fn a_box_of_triangles_is_a_box() {
    let half = Vec3::new(0.5, 1.0, 2.0);
    let body = of_closed_surface(&cube_corners(half, Vec3::new(3.0, 4.0, 5.0)), CUBE, 2.0f32).unwrap();
    let exact = Cuboid::<f32>::new(half).unwrap().mass_properties(2.0).translated(Vec3::new(3.0, 4.0, 5.0));
    assert_same(&exact.to(), &body.to(), 1e-6, "cuboid");
}

#[test]
fn eight_cubes_make_a_cube() {
    let part = Cuboid::<f64>::cube(0.5).unwrap().mass_properties(3.0);
    let parts = (0..8)
        .map(|k| part.translated(DVec3::new(f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2))));
    let whole = Cuboid::<f64>::cube(1.0).unwrap().mass_properties(3.0).translated(DVec3::splat(0.5));
    assert_same(&whole, &MassProperties::combined(parts.clone()), 1e-14, "combined");
    // Taking one out and putting it back.
    let without = whole.minus(&part).unwrap();
    assert_same(&MassProperties::combined(parts.skip(1)), &without, 1e-14, "minus");
    assert_same(&whole, &without.plus(&part), 1e-14, "plus");
    assert_eq!(part.minus(&whole), None);
    assert_eq!(part.minus(&part), None);
    assert_eq!(MassProperties::<f64>::combined([]), MassProperties::NOTHING);
    assert_eq!(MassProperties::NOTHING.plus(&part), part);
}

#[test]
fn known_bodies() {
    // 2/5 m r² and 2/3 m r²; a thick shell is between.
    let near = |a: f64, b: f64| assert!((a - b).abs() <= 1e-12 * b.abs(), "{a} against {b}");
    let solid = Sphere::new(2.0f64).unwrap().mass_properties(1.0).with_mass(1.0).unwrap();
    near(solid.inertia.columns[0].x, 1.6);
    let shell = spherical_shell(2.0f64, 5.0).with_mass(1.0).unwrap();
    near(shell.inertia.columns[1].y, 8.0 / 3.0);
    let (outer, inner) = (2.0f64, 1.5f64);
    let thick = hollow_sphere(outer, inner, 7.0);
    near(thick.mass, 7.0 * 4.0 / 3.0 * std::f64::consts::PI * (outer.powi(3) - inner.powi(3)));
    let moment = 0.4 * thick.mass * (outer.powi(5) - inner.powi(5)) / (outer.powi(3) - inner.powi(3));
    near(thick.inertia.columns[2].z, moment);
    let ball = |r: f64| Sphere::new(r).unwrap().mass_properties(7.0);
    assert_same(&ball(outer).minus(&ball(inner)).unwrap(), &thick, 1e-13, "hollow");
    // Thin in single precision, where R⁵ − r⁵ would have two digits left.
    let thin = hollow_sphere(1.0f32, 0.999_99, 1.0).with_mass(1.0).unwrap();
    near((f64::from(thin.inertia.columns[0].x) * 1e5).round() / 1e5, 0.666_66);
    assert_eq!(hollow_sphere(1.0f32, 1.0, 1.0).mass, 0.0);
    assert_eq!(hollow_sphere(0.0f32, 0.0, 1.0), MassProperties::NOTHING);
    // Box of full sides 4, 2, 6.
    let block =
        Cuboid::<f64>::new(DVec3::new(2.0, 1.0, 3.0)).unwrap().mass_properties(1.0).with_mass(12.0).unwrap();
    assert_eq!(entries(&block.inertia), [40.0, 0.0, 0.0, 0.0, 52.0, 0.0, 0.0, 0.0, 20.0]);
    // A cone's centre is a quarter of its height above the base.
    let cone = Cone::new(2.0f64, 1.0).unwrap().mass_properties(1.0);
    assert_eq!(cone.centre, DVec3::new(0.0, 0.0, -1.0));
    // A triangle is three points of a twelfth and one of three quarters of its mass.
    let triangle = Triangle::<f64>::new(
        DVec3::new(1.0, 2.0, 3.0),
        DVec3::new(-1.0, 0.5, 2.0),
        DVec3::new(0.3, 0.2, -4.0),
    );
    let body = triangle.mass_properties(2.0);
    let points = triangle.corners().map(|c| PointMass { mass: body.mass / 12.0, position: c }.into());
    let middle = PointMass { mass: body.mass * 0.75, position: body.centre }.into();
    assert_same(&body, &MassProperties::combined(points.into_iter().chain([middle])), 1e-14, "triangle");
    // A tile is two triangles.
    let tile = Tile::new(1.5f64, 0.5).unwrap();
    let corner = |x: f64, z: f64| DVec3::new(1.5 * x, 0.0, 0.5 * z);
    let halves = [
        Triangle::<f64>::new(corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0)),
        Triangle::<f64>::new(corner(-1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)),
    ];
    let sum = MassProperties::combined(halves.map(|t| t.mass_properties(2.0)));
    assert_same(&tile.mass_properties(2.0), &sum, 1e-14, "tile");
}

proptest! {
    #[test]
    fn single_precision_agrees(kind in kind()) {
        let (a, b) = (massive::<f32>(&kind, 2.0).to::<f64>(), massive::<f64>(&kind, 2.0));
        prop_assert!((a.mass - b.mass).abs() <= 1e-5 * b.mass, "{} against {}", a.mass, b.mass);
        prop_assert!(a.centre.distance(b.centre) <= 1e-6 * kind.size());
        prop_assert!(apart(&b.inertia, &a.inertia) <= 1e-5);
    }

    #[test]
    fn turning_keeps_the_principal_moments_and_moving_follows_parallel_axes(kind in kind(), pose in pose()) {
        let body = massive::<f64>(&kind, 2.0);
        let there = body.posed(&pose);
        prop_assert_eq!(there.mass, body.mass);
        prop_assert!(there.centre.distance(pose.apply(body.centre)) < 1e-12);
        let (a, b) = (body.principal().values, there.principal().values);
        prop_assert!((a - b).length() <= 1e-12 * a.length(), "{a} against {b}");
        prop_assert_eq!(there.inertia.transposed(), there.inertia);
        // A body of points about the origin: the tensor of the whole is that about the centre plus
        // that of a point there.
        let about_origin = there.inertia_about(DVec3::ZERO);
        let axis = DVec3::new(0.6, 0.0, 0.8);
        let distance = there.centre.reject_from_normalized(axis).length();
        let expected = axis.dot(there.inertia.times(axis)) + there.mass * distance * distance;
        prop_assert!((axis.dot(about_origin.times(axis)) - expected).abs() <= 1e-12 * expected);
        // Undoing the pose gives the body back.
        let back = there.posed(&pose.inverse());
        prop_assert!(apart(&body.inertia, &back.inertia) < 1e-12);
    }

    #[test]
    fn inverses_undo(kind in kind(), pose in pose()) {
        let body = massive::<f64>(&kind, 2.0).posed(&pose);
        let inverse = body.inverse();
        prop_assert!((inverse.inverse_mass * body.mass - 1.0).abs() < 1e-14);
        let product = inverse.inverse_inertia * body.inertia;
        prop_assert!(apart(&Matrix3::<f64>::IDENTITY, &product) < 1e-7, "{product:?}");
        // What a body computes is accepted back when stated.
        prop_assert!(MassProperties::given(body.mass, body.centre, &body.inertia).is_ok());
    }
}

#[test]
fn surfaces_that_bound_nothing_are_refused() {
    let corners = cube_corners(Vec3::ONE, Vec3::ZERO);
    let weigh = |triangles: &[[u32; 3]]| of_closed_surface(&corners, triangles.iter().copied(), 1.0f32);
    assert_eq!(weigh(&CUBE).unwrap().mass, 8.0);
    // The three edges of the missing triangle [3, 7, 5]; their first use is in triangle 3, which is
    // [5, 7, 6].
    let open = weigh(&CUBE[..11]);
    assert_eq!(open, Err(ClosedSurfaceError::Open { from: 5, to: 7, triangle: 3, count: 3 }));
    let mut flipped = CUBE;
    flipped[0].swap(0, 1);
    let twice = weigh(&flipped);
    assert_eq!(twice, Err(ClosedSurfaceError::Inconsistent { from: 2, to: 0, triangle: 0, count: 3 }));
    let inverted = CUBE.map(|[a, b, c]| [a, c, b]);
    assert_eq!(weigh(&inverted), Err(ClosedSurfaceError::Inverted { volume: -8.0 }));
    assert!(weigh(&inverted).unwrap_err().to_string().contains("exchange two corners"));
    assert_eq!(weigh(&[]), Err(ClosedSurfaceError::NoVolume));
    assert_eq!(weigh(&[[0, 1, 2], [0, 2, 1]]), Err(ClosedSurfaceError::NoVolume));
    assert_eq!(weigh(&[[0, 1, 8]]), Err(ClosedSurfaceError::Index { triangle: 0, vertex: 8, count: 8 }));
    assert_eq!(
        of_closed_surface(&corners, CUBE, -1.0f32),
        Err(ClosedSurfaceError::Density { density: -1.0 })
    );
    assert!(of_closed_surface(&corners, CUBE, f32::NAN).is_err());
    let mut bad = corners.clone();
    bad[7].y = f32::NAN;
    assert!(matches!(
        of_closed_surface(&bad, CUBE, 1.0f32),
        Err(ClosedSurfaceError::Vertex { triangle: 3, .. })
    ));
    let huge: Vec<Vec3> = corners.iter().map(|c| *c * 1e20).collect();
    assert_eq!(of_closed_surface(&huge, CUBE, 1.0f32), Err(ClosedSurfaceError::Overflow));
    // Triangles without area and vertices without triangle do no harm; a doubled cube weighs twice.
    let harmless: Vec<_> = CUBE.into_iter().chain([[0, 0, 5], [3, 3, 3]]).collect();
    assert_eq!(weigh(&harmless), weigh(&CUBE));
    let doubled: Vec<_> = CUBE.into_iter().chain(CUBE).collect();
    assert_eq!(weigh(&doubled).unwrap().mass, 16.0);
}

#[test]
fn stated_masses_are_checked() {
    let given = |mass: f32, inertia: Matrix3| MassProperties::given(mass, Vec3::ZERO, &inertia);
    let of = |x: f32, y: f32, z: f32| Matrix3::diagonal(Vec3::new(x, y, z));
    assert!(given(1.0, of(1.0, 1.0, 1.0)).is_ok());
    assert!(given(1.0, of(1.0, 2.0, 3.0)).is_ok(), "a flat body");
    for mass in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        assert!(matches!(given(mass, of(1.0, 1.0, 1.0)), Err(GivenMassError::Mass { .. })));
    }
    assert_eq!(given(1.0, of(1.0, 1.0, 3.0)), Err(GivenMassError::NoBody { moments: [1.0, 1.0, 3.0] }));
    assert_eq!(
        given(1.0, of(2.0, -1.0, 2.0)),
        Err(GivenMassError::NotPositive { moments: [-1.0, 2.0, 2.0] })
    );
    assert_eq!(given(1.0, of(1.0, 0.0, 1.0)), Err(GivenMassError::NotPositive { moments: [0.0, 1.0, 1.0] }));
    let mut skew = of(1.0, 1.0, 1.0);
    skew.columns[1].x = 0.1;
    assert!(matches!(given(1.0, skew), Err(GivenMassError::NotSymmetric { row: 0, column: 1, .. })));
    skew.columns[1].x = f32::NAN;
    assert!(matches!(given(1.0, skew), Err(GivenMassError::NotFinite { row: 0, column: 1, .. })));
    let centre = MassProperties::given(1.0f32, Vec3::new(0.0, f32::INFINITY, 0.0), &of(1.0, 1.0, 1.0));
    assert!(matches!(centre, Err(GivenMassError::Centre { axis: 1, .. })));
}

#[test]
fn what_nothing_moves_has_inverse_zero() {
    assert!(MassProperties::<f32>::NOTHING.inverse().is_fixed());
    let infinite = MassProperties::diagonal(f32::INFINITY, Vec3::ZERO, Vec3::splat(f32::INFINITY));
    assert_eq!(infinite.inverse(), InverseMass::FIXED);
    let point: MassProperties = PointMass { mass: 4.0, position: Vec3::X }.into();
    assert_eq!(point.inverse(), InverseMass { inverse_mass: 0.25, inverse_inertia: Matrix3::ZERO });
    // A thin rod does not spin about itself.
    let ends = [-1.0f32, 1.0].map(|s| PointMass { mass: 1.0, position: Vec3::new(s, s, 0.0) }.into());
    let rod: MassProperties = MassProperties::combined(ends);
    let along = rod.inverse().inverse_inertia.times(Vec3::new(1.0, 1.0, 0.0));
    let across = rod.inverse().inverse_inertia.times(Vec3::Z);
    assert!(along.length() < 1e-6 && (across - Vec3::Z * 0.25).length() < 1e-6, "{along} {across}");
    assert_eq!(rod.with_mass(-1.0), None);
    assert_eq!(MassProperties::<f32>::NOTHING.with_mass(1.0), None);
}
