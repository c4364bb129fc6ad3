//! Times of impact of all kinds of shapes against a twin that takes everything apart and samples
//! the distance of all parts in double precision.

use carom_geometry::mesh::{MeshOptions, generate};
use carom_geometry::primitive::Triangle;
use carom_geometry::shape::{Capsule, Child, Compound, Cuboid, HalfSpace, Shape, Sphere};
use carom_geometry::{HeightField, Mesh, Pose, Rotation, Vector};
use carom_narrowphase::oracle::OracleShape;
use carom_narrowphase::toi::{Motion, Toi, ToiOptions, TwoSurfaces, time_of_impact_of_shapes};
use glam::{DVec3, Vec3};

use crate::cases::{self, Numbers};
use crate::cast_shapes::{children, convex_shapes, hills, torus};
use crate::toi::{Pair, rigid};

/// A convex part of a shape.
struct Part {
    shape: Box<dyn OracleShape>,
    relative_pose: Pose<f64>,
    size: f64,
}

/// Half the thickness of the box that stands for a half-space.
const DEEP: f64 = 64.0;

fn parts_of(shape: &Shape, relative_pose: Pose<f64>, parts: &mut Vec<Part>) {
    let mut add = |shape: Box<dyn OracleShape>, relative_pose: Pose<f64>, size: f64| {
        parts.push(Part { shape, relative_pose, size });
    };
    let mut surface = |triangles: &mut dyn Iterator<Item = Triangle>| {
        for t in triangles {
            let corners = t.corners().map(Vector::to::<f64>);
            let size = corners.iter().fold(0.0, |m: f64, c| m.max(c.length()));
            let [a, b, c] = corners;
            add(Box::new(Triangle::new(a, b, c)), relative_pose, size);
        }
    };
    match shape {
        Shape::Mesh(mesh) => surface(&mut (0..mesh.triangle_count() as u32).map(|k| mesh.triangle(k))),
        Shape::HeightField(f) => surface(&mut (0..f.triangle_count() as u32).map(|k| f.triangle(k))),
        Shape::Compound(compound) => {
            for child in compound.children() {
                parts_of(&child.shape, relative_pose * child.pose.to::<f64>(), parts);
            }
        }
        Shape::HalfSpace(_) => {
            let block = Cuboid::<f64>::new(DVec3::splat(DEEP)).unwrap();
            add(Box::new(block), relative_pose * Pose::at(DVec3::Y * -DEEP), 2.0 * DEEP);
        }
        Shape::Sphere(s) => add(Box::new(s.to::<f64>()), relative_pose, 1.0),
        Shape::Capsule(s) => add(Box::new(s.to::<f64>()), relative_pose, 1.0),
        Shape::Tile(s) => add(Box::new(s.to::<f64>()), relative_pose, 1.0),
        Shape::Cuboid(s) => add(Box::new(s.to::<f64>()), relative_pose, s.half.to::<f64>().length()),
        Shape::Cylinder(s) => add(Box::new(s.to::<f64>()), relative_pose, 1.0),
        Shape::Cone(s) => add(Box::new(s.to::<f64>()), relative_pose, 1.0),
        Shape::Ellipsoid(s) => add(Box::new(s.to::<f64>()), relative_pose, 1.0),
        Shape::Triangle(s) => add(Box::new(s.to::<f64>()), relative_pose, 1.0),
        Shape::Polytope(s) => add(Box::new(s.to::<f64>()), relative_pose, 1.0),
        Shape::Planar(_) => panic!("figures have no twin in f64"),
    }
}

/// A shape with all its parts.
struct Body {
    shape: Shape,
    parts: Vec<Part>,
}

impl Body {
    fn new(shape: impl Into<Shape>) -> Self {
        let (shape, mut parts) = (shape.into(), Vec::new());
        parts_of(&shape, Pose::IDENTITY, &mut parts);
        Self { shape, parts }
    }
}

/// All pairs of parts that can come closer than `limit` at all.
fn pairs<'b>(a: &'b Body, motion_a: &Motion, b: &'b Body, motion_b: &Motion) -> Vec<Pair<'b>> {
    let (wide_a, wide_b) = (rigid(motion_a), rigid(motion_b));
    let mut pairs = Vec::new();
    for p in &a.parts {
        for q in &b.parts {
            let motions = [wide_a.carrying(&p.relative_pose), wide_b.carrying(&q.relative_pose)];
            pairs.push(Pair::new(&*p.shape, p.size, &*q.shape, q.size, motions));
        }
    }
    pairs
}

/// Checks an answer: close at the time told, nowhere closer before. Returns the time of a hit.
fn check(a: &Body, motion_a: &Motion, b: &Body, motion_b: &Motion, options: &ToiOptions) -> Option<f32> {
    let found = time_of_impact_of_shapes(&a.shape, motion_a, &b.shape, motion_b, options).unwrap();
    let say = |what: &str, by: f64| {
        let names = [a.shape.name(), b.shape.name()];
        format!("{names:?}: {what} {by:e} {found:?}\n{motion_a:?}\n{motion_b:?}")
    };
    let (target, tolerance) = (f64::from(options.target_distance), f64::from(options.tolerance));
    let mut pairs = pairs(a, motion_a, b, motion_b);
    let speed = (motion_b.displacement - motion_a.displacement).length()
        + (motion_a.angle + motion_b.angle) * if a.shape.name() == "half-space" { 20.0 } else { 4.0 };
    // A time in single precision, and shapes whose support points are.
    let rounding = 2e-5 + f64::from(2.0 * f32::EPSILON * speed);
    let distance_at = |pairs: &mut [Pair<'_>], t: f64| {
        pairs.iter_mut().map(|p| p.distance(t)).fold(f64::INFINITY, f64::min)
    };
    let (end, hit) = match found.outcome {
        Toi::Separated => (f64::from(options.max_time), None),
        Toi::Hit { t, proximity } => {
            assert!(proximity.is_finite() && (0.0..=options.max_time).contains(&t));
            let distance = distance_at(&mut pairs, f64::from(t));
            let low = if t > 0.0 { target } else { 0.0 } - rounding;
            assert!(
                (low..=target + tolerance + rounding).contains(&distance),
                "{}",
                say("at a hit", distance)
            );
            // Another part may be a little closer, within the tolerance.
            let told = f64::from(proximity.distance);
            let range = distance - rounding..=target + tolerance + rounding;
            assert!(range.contains(&told), "{}", say("not as told", distance));
            let between = proximity.on_b - proximity.on_a - proximity.normal * proximity.distance;
            let relative_pose = proximity.on_a.abs().max_element() + 1.0;
            assert!(between.length() < 1e-5 * relative_pose, "{}", say("points", between.length().into()));
            (f64::from(t), Some(t))
        }
        Toi::Overlapping => {
            let distance = distance_at(&mut pairs, 0.0);
            assert!(distance <= rounding, "{}", say("no overlap", distance));
            return None;
        }
        Toi::NotConverged { t } => panic!("{}", say("gave up", t.into())),
    };
    for pair in &mut pairs {
        if let Some((t, distance)) = pair.first_closer_than(target - rounding, end, 512.0) {
            panic!("{} at {t}", say("sooner", distance));
        }
    }
    hit
}

fn still() -> Motion {
    Motion::rotating(&Pose::IDENTITY, Vec3::ZERO, Vec3::ZERO, Vec3::ZERO)
}

/// Walls of two centimetres or less round the origin, square to x.
fn walls() -> Vec<Body> {
    let (vertices, triangles) = generate::cuboid(Vec3::new(0.01, 2.0, 2.0));
    let mesh = Mesh::new(vertices, triangles, &MeshOptions::default()).unwrap();
    let brick = Shape::from(Cuboid::new(Vec3::new(0.01, 0.5, 0.5)).unwrap());
    let bricks = (0..16).map(|k| Child {
        pose: Pose::at(Vec3::new(0.0, (k % 4) as f32 - 1.5, (k / 4) as f32 - 1.5)),
        shape: brick.clone(),
    });
    let upright = Rotation::about_axis(Vec3::Z, std::f32::consts::FRAC_PI_2);
    let field = Shape::from(HeightField::new(5, 5, vec![0.01; 25], [1.0, 1.0]).unwrap());
    let inner = Compound::new(vec![Child { pose: Pose::new(Vec3::ZERO, upright), shape: field }]).unwrap();
    vec![
        Body::new(Cuboid::new(Vec3::new(0.01, 2.0, 2.0)).unwrap()),
        Body::new(mesh),
        Body::new(Compound::new(bricks.collect()).unwrap()),
        Body::new(Compound::new(vec![Child { pose: Pose::IDENTITY, shape: inner.into() }]).unwrap()),
    ]
}

/// One of every kind of bullet, two centimetres long or so, and a compound of two.
fn bullets() -> Vec<Body> {
    let scale = 0.03;
    let mut bullets: Vec<_> = convex_shapes().iter().map(|shape| shrunk(shape, scale)).collect();
    let at = |x: f32, shape: &Shape| Child { pose: Pose::at(Vec3::X * x), shape: shape.clone() };
    bullets.push(Compound::new(vec![at(-0.01, &bullets[0]), at(0.01, &bullets[3])]).unwrap().into());
    bullets.into_iter().map(Body::new).collect()
}

fn shrunk(shape: &Shape, s: f32) -> Shape {
    use carom_geometry::Polytope;
    use carom_geometry::shape::{Cone, Cylinder, Ellipsoid, Tile};
    match shape {
        Shape::Sphere(_) => Sphere::new(0.4 * s).unwrap().into(),
        Shape::Capsule(_) => Capsule::along_y(0.5 * s, 0.2 * s).unwrap().into(),
        Shape::Tile(_) => Tile::new(0.6 * s, 0.4 * s).unwrap().into(),
        Shape::Cuboid(c) => Cuboid::new(c.half * s).unwrap().into(),
        Shape::Cylinder(_) => Cylinder::new(0.5 * s, 0.3 * s).unwrap().into(),
        Shape::Cone(_) => Cone::new(0.5 * s, 0.4 * s).unwrap().into(),
        Shape::Ellipsoid(_) => Ellipsoid::new(Vec3::new(0.3, 0.6, 0.2) * s).unwrap().into(),
        Shape::Triangle(t) => Triangle::new(t.a * s, t.b * s, t.c * s).into(),
        Shape::Polytope(_) => Polytope::random_on_sphere(20, 0.6 * s, 3).unwrap().into(),
        other => panic!("{}", other.name()),
    }
}

/// A kilometre per second at sixty steps per second through two centimetres, tumbling or not, the
/// wall standing, drifting or turning: every bullet is stopped.
#[test]
fn bullets_of_all_kinds_stop_at_walls_of_all_kinds() {
    let (walls, bullets) = (walls(), bullets());
    let options = ToiOptions { target_distance: 0.001, tolerance: 0.000_25, ..ToiOptions::default() };
    let mut numbers = Numbers(81);
    for _ in 0..(cases::count() as usize / 20).div_ceil(walls.len() * bullets.len()) {
        for wall in &walls {
            for bullet in &bullets {
                let far = if numbers.below(4) == 0 { 1000.0 } else { 0.0 };
                let offset = Vec3::splat(far);
                let from = DVec3::new(numbers.between(-16.0, -0.2), numbers.between(-1.0, 1.0), 0.3);
                let start = Pose::new(from.to::<f32>() + offset, numbers.rotation().to::<f32>());
                let flight = Vec3::new(1000.0 / 60.0, 0.0, 0.0);
                let spin = if numbers.below(2) == 0 { numbers.vector(20.0).to::<f32>() } else { Vec3::ZERO };
                let bullet_motion = Motion::rotating(&start, Vec3::ZERO, flight, spin);
                let drift = if numbers.below(2) == 0 { numbers.vector(0.1).to::<f32>() } else { Vec3::ZERO };
                let rotation = if numbers.below(2) == 0 { Vec3::X * 0.3 } else { Vec3::ZERO };
                let wall_motion = Motion::rotating(&Pose::at(offset), Vec3::ZERO, drift, rotation);
                let hit = check(wall, &wall_motion, bullet, &bullet_motion, &options);
                let t = hit.unwrap_or_else(|| panic!("{} passed {wall_motion:?}", bullet.shape.name()));
                let x = (bullet_motion.at(t).translation - wall_motion.at(t).translation).x;
                assert!((-0.06..0.0).contains(&x), "{} at {x}", bullet.shape.name());
                let back = check(bullet, &bullet_motion, wall, &wall_motion, &options).unwrap();
                assert!((back - t).abs() * 17.0 < 0.002, "{t} {back}");
            }
        }
    }
}

/// A rod that spins beside a wall is caught when its end comes round, whatever the wall is made of
/// and however many turns the step has; just out of reach it is let go. The wall turning round the
/// rod is the same thing.
#[test]
fn spinning_rods_meet_walls_of_all_kinds() {
    let rod = Body::new(Capsule::along_y(1.0, 0.05).unwrap());
    let options = ToiOptions::default();
    for wall in &walls() {
        for rotations in [0.25f32, 1.0, 7.0] {
            let spin = Vec3::Z * rotations * std::f32::consts::TAU;
            for gap in [0.2f32, 0.9, 1.01] {
                let start = Pose::at(Vec3::new(-(0.01 + 0.05 + gap), 0.0, 0.0));
                let spinning = Motion::rotating(&start, Vec3::ZERO, Vec3::ZERO, spin);
                let hit = check(wall, &still(), &rod, &spinning, &options);
                assert_eq!(hit.is_some(), gap < 1.0, "{rotations} {gap}");
                if let Some(t) = hit {
                    let distance = gap - (t * rotations * std::f32::consts::TAU).sin();
                    assert!((0.0049..0.0064).contains(&distance), "{rotations} {gap}: {t}");
                }
                // The wall goes round the rod, the other way.
                let resting = Motion::rotating(&start, Vec3::ZERO, Vec3::ZERO, Vec3::ZERO);
                let round = Motion::rotating(&Pose::IDENTITY, start.translation, Vec3::ZERO, -spin);
                let again = check(wall, &round, &rod, &resting, &options);
                assert_eq!(again.is_some(), hit.is_some());
                assert!(again.zip(hit).is_none_or(|(a, b)| (a - b).abs() * rotations * 6.3 < 0.004));
            }
        }
    }
}

/// Passing a millimetre outside of what counts, and a millimetre inside.
#[test]
fn grazing_passes_are_told_from_hits() {
    let options = ToiOptions::default();
    let beyond = options.target_distance + options.tolerance;
    let ball = Body::new(Sphere::new(0.1).unwrap());
    let cube = Body::new(Cuboid::cube(0.1).unwrap());
    let mut everything = walls();
    everything.push(Body::new(HalfSpace));
    for wall in &everything {
        // Along the edge of the wall at z = 2, or above the half-space.
        let is_ground = wall.shape.name() == "half-space";
        for (off, met) in [(beyond + 0.001, false), (options.target_distance - 0.001, true)] {
            for spin in [0.0, 3.0] {
                for (body, spin) in [(&ball, Vec3::ONE * spin), (&cube, Vec3::Z * spin)] {
                    let (from, flight, spin) = if is_ground {
                        let spin = Vec3::new(spin.x, spin.z, spin.y);
                        (Vec3::new(-8.0, 0.1 + off, 0.0), Vec3::X * 16.0, spin)
                    } else {
                        (Vec3::new(-8.0, 0.3, 2.0 + 0.1 + off), Vec3::X * 16.0, spin)
                    };
                    let motion = Motion::rotating(&Pose::at(from), Vec3::ZERO, flight, spin);
                    let hit = check(wall, &still(), body, &motion, &options);
                    assert_eq!(hit.is_some(), met, "{} {off} {spin}", wall.shape.name());
                }
            }
        }
    }
}

fn random_motion(numbers: &mut Numbers, reach: f64) -> Motion {
    let start = Pose::new(numbers.vector(reach), numbers.rotation());
    let aim = numbers.vector(0.4 * reach) - start.translation;
    let displacement = match numbers.below(5) {
        0 => DVec3::ZERO,
        1 => aim * 5.0,
        _ => aim * numbers.between(0.3, 2.0),
    };
    let rotation = match numbers.below(4) {
        0 => DVec3::ZERO,
        1 => numbers.vector(0.1),
        _ => numbers.vector(3.0),
    };
    let pivot = if numbers.below(3) == 0 { numbers.vector(0.5) } else { DVec3::ZERO };
    Motion::rotating(&start.to::<f32>(), pivot.to::<f32>(), displacement.to::<f32>(), rotation.to::<f32>())
}

/// Every kind with every kind, both moving and turning, against the twin.
#[test]
fn any_two_shapes_meet_when_their_parts_do() {
    let (vertices, triangles) = generate::torus(1.5, 0.5, 8, 5);
    let small_torus = Mesh::new(vertices, triangles, &MeshOptions::default()).unwrap();
    let mut bodies: Vec<_> = convex_shapes().into_iter().map(Body::new).collect();
    let heights = (0..16).map(|k: u32| ((k % 4) as f32 * 0.9).sin() * 0.4).collect();
    let field = HeightField::new(4, 4, heights, [0.8, 0.8]).unwrap();
    let mut mixed = children();
    mixed.truncate(4);
    mixed.push(Child { pose: Pose::at(Vec3::Y), shape: small_torus.clone().into() });
    bodies.push(Body::new(HalfSpace));
    bodies.push(Body::new(small_torus));
    bodies.push(Body::new(field));
    bodies.push(Body::new(Compound::new(children()).unwrap()));
    bodies.push(Body::new(Compound::new(mixed).unwrap()));
    let solid = convex_shapes().len();
    let mut numbers = Numbers(82);
    let (mut asked, mut hits) = (0, 0);
    for (i, a) in bodies.iter().enumerate() {
        for (j, b) in bodies.iter().enumerate() {
            // Two surfaces, or compounds with one and another.
            if i >= solid && j >= solid && (i + 2 != bodies.len() && j + 2 != bodies.len()) {
                continue;
            }
            for _ in 0..cases::count() / 2000 {
                let mut motions = [random_motion(&mut numbers, 3.0), random_motion(&mut numbers, 3.0)];
                if numbers.below(3) == 0 {
                    motions[numbers.below(2) as usize] = still();
                }
                asked += 1;
                hits += u32::from(check(a, &motions[0], b, &motions[1], &ToiOptions::default()).is_some());
            }
        }
    }
    assert!(hits * 4 > asked, "{hits} of {asked}");
}

#[test]
fn two_surfaces_have_no_time_of_impact() {
    let surfaces: [Shape; 3] = [HalfSpace.into(), torus().into(), hills().into()];
    for a in &surfaces {
        for b in &surfaces {
            let refused = time_of_impact_of_shapes(a, &still(), b, &still(), &ToiOptions::default());
            assert_eq!(refused, Err(TwoSurfaces { a: a.name(), b: b.name() }));
        }
        let children = vec![
            Child { pose: Pose::IDENTITY, shape: torus().into() },
            Child { pose: Pose::at(Vec3::Y * 4.0), shape: Sphere::new(0.5).unwrap().into() },
        ];
        let mixed = Shape::from(Compound::new(children).unwrap());
        let found = time_of_impact_of_shapes(a, &still(), &mixed, &still(), &ToiOptions::default()).unwrap();
        assert_eq!((found.outcome, found.not_handled), (Toi::Separated, 1));
    }
    let lost = Motion { angle: f32::NAN, ..still() };
    let ball = Shape::from(Sphere::new(0.5).unwrap());
    for surface in &surfaces {
        let found = time_of_impact_of_shapes(surface, &lost, &ball, &still(), &ToiOptions::default());
        assert_eq!(found.unwrap().outcome, Toi::NotConverged { t: 0.0 });
    }
}

/// A box slides along a floor, a little in it, and comes to a wall of the same mesh.
#[test]
fn overlapping_parts_can_be_passed_over() {
    let floor = Cuboid::new(Vec3::new(5.0, 0.5, 5.0)).unwrap();
    let wall = Cuboid::new(Vec3::new(0.01, 2.0, 5.0)).unwrap();
    let at =
        |x: f32, y: f32, shape: Cuboid| Child { pose: Pose::at(Vec3::new(x, y, 0.0)), shape: shape.into() };
    let room = Shape::from(Compound::new(vec![at(0.0, -0.5, floor), at(2.0, 1.0, wall)]).unwrap());
    let cube = Shape::from(Cuboid::cube(0.5).unwrap());
    let start = Pose::at(Vec3::new(-2.0, 0.499, 0.0));
    let slide = Motion::rotating(&start, Vec3::ZERO, Vec3::X * 16.0, Vec3::ZERO);
    let ask =
        |options: &ToiOptions| time_of_impact_of_shapes(&room, &still(), &cube, &slide, options).unwrap();
    let found = ask(&ToiOptions::default());
    assert_eq!((found.outcome, found.part_a), (Toi::Overlapping, Some(0)));
    let found = ask(&ToiOptions { ignore_overlapping_parts: true, ..ToiOptions::default() });
    let Toi::Hit { t, proximity } = found.outcome else { panic!("{found:?}") };
    assert!(found.part_a == Some(1) && (t * 16.0 - (4.0 - 0.01 - 0.5 - 0.005)).abs() < 0.002, "{found:?}");
    assert!((proximity.normal + Vec3::X).length() < 1e-5);
}

#[test]
fn times_of_impact_of_shapes_allocate_nothing() {
    let mut shapes = convex_shapes();
    shapes.extend([torus().into(), hills().into(), Compound::new(children()).unwrap().into()]);
    let mut numbers = Numbers(83);
    let measured = allocation_counter::measure(|| {
        let mut hits = 0;
        for a in &shapes {
            for b in &shapes {
                let motions = [random_motion(&mut numbers, 3.0), random_motion(&mut numbers, 3.0)];
                let found = time_of_impact_of_shapes(a, &motions[0], b, &motions[1], &ToiOptions::default());
                hits += u32::from(found.is_ok_and(|f| matches!(f.outcome, Toi::Hit { .. })));
            }
        }
        assert!(hits > 20);
    });
    assert_eq!(measured.count_total, 0);
}

/// A long run found this; the block that stands for the half-space was stretched by a rotation of
/// single precision.
#[test]
fn a_half_space_and_a_cone_that_both_turn_are_as_far_apart_as_told() {
    let rotation = |x, y, z, w| Rotation { xyz: Vec3::new(x, y, z), w };
    let ground = Motion {
        start: Pose::new(
            Vec3::new(2.129_755_7, -1.321_25, 1.827_12),
            rotation(-0.413_521_53, 0.311_843_57, 0.506_645_26, 0.689_249),
        ),
        pivot: Vec3::ZERO,
        displacement: Vec3::new(-2.310_883_3, 0.653_329_2, -1.149_402_6),
        axis: Vec3::new(-0.621_933_4, -0.509_729_2, -0.594_453_7),
        angle: 4.259_586_3,
    };
    let falling = Motion {
        start: Pose::new(
            Vec3::new(0.741_396_96, 0.539_510_85, -2.314_168_7),
            rotation(0.275_419_06, -0.404_628_63, -0.103_609_54, -0.865_843_53),
        ),
        pivot: Vec3::new(-0.147_311_21, -0.497_690_92, 0.488_096_12),
        displacement: Vec3::new(-0.639_207_3, -0.543_404_8, 0.883_435),
        axis: Vec3::new(-0.275_502_3, -0.430_450_08, 0.859_541_3),
        angle: 0.103_927_17,
    };
    let cone = convex_shapes().into_iter().find(|shape| shape.name() == "cone").unwrap();
    let hit =
        check(&Body::new(HalfSpace), &ground, &Body::new(cone), &falling, &ToiOptions::default()).unwrap();
    assert!((hit - 0.773_914_4).abs() < 1e-6, "{hit}");
}
