//! Casts of all kinds of shapes: surfaces against all their triangles, compounds against all their
//! children, and either shape as the one that moves.

use carom_geometry::mesh::{MeshOptions, generate};
use carom_geometry::primitive::Triangle;
use carom_geometry::shape::{
    Capsule, Child, Compound, Cone, Cuboid, Cylinder, Ellipsoid, HalfSpace, Shape, Sphere, Tile,
};
use carom_geometry::{HeightField, Mesh, Polytope, Pose, Rotation, Vector};
use carom_narrowphase::cast::{CastOptions, cast_on_surface, cast_shape};
use glam::Vec3;

use crate::cases::{self, Numbers};

pub(crate) fn convex_shapes() -> Vec<Shape> {
    let corner = Vec3::new;
    vec![
        Sphere::new(0.4).unwrap().into(),
        Capsule::along_y(0.5, 0.2).unwrap().into(),
        Tile::new(0.6, 0.4).unwrap().into(),
        Cuboid::new(corner(0.3, 0.5, 0.4)).unwrap().into(),
        Cylinder::new(0.5, 0.3).unwrap().into(),
        Cone::new(0.5, 0.4).unwrap().into(),
        Ellipsoid::new(corner(0.3, 0.6, 0.2)).unwrap().into(),
        Triangle::new(corner(0.3, 0.1, -0.5), corner(0.6, 0.4, 0.2), corner(-0.5, 0.5, 0.6)).into(),
        Polytope::random_on_sphere(20, 0.6, 3).unwrap().into(),
    ]
}

pub(crate) fn torus() -> Mesh {
    let (vertices, triangles) = generate::torus(1.5, 0.5, 24, 10);
    Mesh::new(vertices, triangles, &MeshOptions::default()).unwrap()
}

pub(crate) fn hills() -> HeightField {
    let height = |k: u32| ((k % 9) as f32 * 0.7).sin() * 0.4 + ((k / 9) as f32 * 1.3).cos() * 0.3;
    HeightField::new(9, 9, (0..81).map(height).collect(), [0.5, 0.5]).unwrap()
}

pub(crate) fn children() -> Vec<Child> {
    let mut numbers = Numbers(8);
    let relative_pose = |shape: Shape, numbers: &mut Numbers| Child {
        pose: Pose::new(numbers.vector(1.2), numbers.rotation()).to::<f32>(),
        shape,
    };
    convex_shapes().into_iter().map(|shape| relative_pose(shape, &mut numbers)).collect()
}

/// Somewhere around, moving about towards the middle.
fn throw(numbers: &mut Numbers, reach: f64) -> (Pose, Vec3) {
    let relative_pose = Pose::new(numbers.vector(reach), numbers.rotation());
    let displacement = (numbers.vector(0.4 * reach) - relative_pose.translation) * numbers.between(0.5, 2.0);
    (relative_pose.to::<f32>(), displacement.to::<f32>())
}

/// The least fraction of casts at the parts one by one.
fn first(hits: impl Iterator<Item = Option<f32>>) -> Option<f32> {
    hits.flatten().fold(None, |best: Option<f32>, t| Some(best.map_or(t, |b| if t < b { t } else { b })))
}

fn agree(one: Option<f32>, other: Option<f32>, tolerance: f32) -> bool {
    match (one, other) {
        (None, None) => true,
        (Some(a), Some(b)) => (a - b).abs() <= tolerance,
        // At the very end, rounding decides.
        (Some(t), None) | (None, Some(t)) => t > 1.0 - tolerance,
    }
}

/// A surface and all its triangles.
struct Ground {
    surface: Shape,
    all: Vec<Triangle>,
}

fn grounds() -> [Ground; 2] {
    let (torus, hills) = (torus(), hills());
    let all = [
        (0..torus.triangle_count() as u32).map(|k| torus.triangle(k)).collect::<Vec<_>>(),
        (0..hills.triangle_count() as u32).map(|k| hills.triangle(k)).collect(),
    ];
    let [of_torus, of_hills] = all;
    [Ground { surface: torus.into(), all: of_torus }, Ground { surface: hills.into(), all: of_hills }]
}

/// Casts at a surface and at all its triangles one by one; whether it is hit.
fn check_surface(
    ground: &Ground,
    mover: &Shape,
    relative_pose: &Pose,
    displacement: Vec3,
    options: &CastOptions,
) -> bool {
    let found = cast_shape(&ground.surface, mover, relative_pose, displacement, options);
    let each = ground.all.iter().map(|triangle| {
        let normal = (triangle.b - triangle.a).cross(triangle.c - triangle.a);
        let counts = options.backfaces || normal.dot(displacement) <= 0.0;
        let at = Shape::from(*triangle);
        counts
            .then(|| cast_shape(&at, mover, relative_pose, displacement, options))
            .flatten()
            .map(|f| f.hit.fraction)
    });
    let right = first(each);
    assert_eq!(
        found.map(|f| f.hit.fraction),
        right,
        "{} {relative_pose:?} {displacement} {options:?}",
        mover.name()
    );
    if let Some(found) = found {
        let triangle = Shape::from(ground.all[found.target_part.unwrap() as usize]);
        let alone = cast_shape(&triangle, mover, relative_pose, displacement, options).unwrap();
        assert_eq!(alone.hit.fraction, found.hit.fraction);
    }
    found.is_some()
}

#[test]
fn surfaces_are_met_at_the_first_of_all_their_triangles() {
    let grounds = grounds();
    let mut numbers = Numbers(51);
    let mut hits = 0;
    let shapes = convex_shapes();
    for round in 0..cases::count() / 20 {
        let mover = &shapes[round as usize % shapes.len()];
        let k = numbers.below(2) as usize;
        let (relative_pose, displacement) = throw(&mut numbers, 3.0);
        let options = CastOptions {
            backfaces: numbers.below(2) == 0,
            stop_distance: if numbers.below(3) == 0 { 0.1 } else { 0.0 },
            max_fraction: if numbers.below(3) == 0 { 0.6 } else { 1.0 },
            ..CastOptions::default()
        };
        hits += u32::from(check_surface(&grounds[k], mover, &relative_pose, displacement, &options));
    }
    assert!(hits > 100, "{hits}");
}

/// A long run found this: a search for the touch of a triangle ended with a miss just because
/// another triangle was touched within rounding of it.
#[test]
fn an_ellipsoid_that_meets_two_triangles_at_once_is_told_the_first() {
    let ellipsoid = Shape::from(Ellipsoid::new(Vec3::new(0.3, 0.6, 0.2)).unwrap());
    let rotation = Rotation { xyz: Vec3::new(-0.821_449_04, -0.465_924_83, 0.284_153_85), w: 0.165_505_78 };
    let relative_pose =
        Pose { translation: Vec3::new(0.350_089_43, -2.985_562_8, 1.542_012_6), rotation: rotation };
    let displacement = Vec3::new(-0.175_989_39, 2.795_539_9, -1.487_159_3);
    for ground in &grounds() {
        for (backfaces, stop_distance) in [(false, 0.0), (true, 0.0), (false, 0.1), (true, 0.1)] {
            let options = CastOptions { backfaces, stop_distance, ..CastOptions::default() };
            check_surface(ground, &ellipsoid, &relative_pose, displacement, &options);
        }
    }
}

#[test]
fn a_mover_known_by_type_is_cast_at_surfaces_alike() {
    let torus = torus();
    let (surface, cube) = (Shape::from(torus.clone()), Cuboid::new(Vec3::new(0.3, 0.5, 0.4)).unwrap());
    let mut numbers = Numbers(52);
    for _ in 0..200 {
        let (relative_pose, displacement) = throw(&mut numbers, 3.0);
        let by_type = cast_on_surface(&torus, &cube, &relative_pose, displacement, &CastOptions::default());
        let by_shape =
            cast_shape(&surface, &cube.into(), &relative_pose, displacement, &CastOptions::default());
        assert_eq!(by_type.map(|f| (f.hit, Some(f.triangle))), by_shape.map(|f| (f.hit, f.target_part)));
    }
}

#[test]
fn compounds_are_met_at_the_first_of_all_their_children() {
    let children = children();
    let compound = Shape::from(Compound::new(children.clone()).unwrap());
    let mut numbers = Numbers(53);
    let shapes = convex_shapes();
    for round in 0..cases::count() / 20 {
        let other = &shapes[round as usize % shapes.len()];
        let (relative_pose, displacement) = throw(&mut numbers, 3.5);
        let options = CastOptions::default();
        let as_target = cast_shape(&compound, other, &relative_pose, displacement, &options);
        let right = first(children.iter().map(|child| {
            let displacement = child.pose.rotation.rotate_back(displacement);
            cast_shape(&child.shape, other, &child.pose.relative(&relative_pose), displacement, &options)
                .map(|f| f.hit.fraction)
        }));
        assert_eq!(as_target.map(|f| f.hit.fraction), right);
        let as_mover = cast_shape(other, &compound, &relative_pose, displacement, &options);
        let right = first(children.iter().map(|child| {
            cast_shape(other, &child.shape, &(relative_pose * child.pose), displacement, &options)
                .map(|f| f.hit.fraction)
        }));
        assert_eq!(as_mover.map(|f| f.hit.fraction), right);
        assert!(as_mover.is_none_or(|f| f.mover_part.is_some() && f.target_part.is_none()));
    }
}

/// Whichever of the two moves, they meet at the same time, at the same point, with opposite
/// normals.
#[test]
fn either_may_move() {
    let mut shapes = convex_shapes();
    shapes.extend([torus().into(), hills().into(), HalfSpace.into()]);
    shapes.push(Compound::new(children()).unwrap().into());
    let mut numbers = Numbers(54);
    let mut hits = 0;
    for a in &shapes {
        for b in &shapes {
            if a.name() == "half-space" && b.name() == "half-space" {
                continue;
            }
            for _ in 0..cases::count() / 2000 {
                let (relative_pose, displacement) = throw(&mut numbers, 4.0);
                let options = CastOptions::default();
                let one = cast_shape(a, b, &relative_pose, displacement, &options);
                let back = relative_pose.rotation.rotate_back(-displacement);
                let other = cast_shape(b, a, &relative_pose.inverse(), back, &options);
                let fractions = [one, other].map(|f| f.map(|f| f.hit.fraction));
                // Grazing hits turn small errors of place into large ones of time.
                let speed = displacement.length();
                let grazing = one.or(other).is_some_and(|f| f.hit.at_start)
                    || one.is_some_and(|f| f.hit.normal.dot(displacement).abs() < 0.05 * speed);
                let tolerance = 1e-4;
                assert!(
                    grazing || agree(fractions[0], fractions[1], tolerance),
                    "{} {}: {one:?} {other:?}",
                    a.name(),
                    b.name()
                );
                let (Some(one), Some(_)) = (one, other) else { continue };
                hits += 1;
                let hit = one.hit;
                assert!(hit.converged && (hit.normal.length() - 1.0).abs() < 1e-5 && hit.point.is_finite());
                assert!(hit.at_start || hit.normal.dot(displacement) <= 1e-4 * speed, "{one:?}");
            }
        }
    }
    assert!(hits > 200, "{hits}");
}

#[test]
fn half_spaces_are_met_by_the_deepest_point() {
    let options = CastOptions::default();
    let relative_pose = Pose::at(Vec3::new(3.0, 5.0, 1.0));
    let fall = Vec3::new(1.0, -10.0, 0.0);
    let ground = Shape::from(HalfSpace);
    for (shape, lowest) in [
        (Shape::from(Sphere::new(1.0).unwrap()), 1.0f32),
        (Capsule::along_y(1.0, 0.5).unwrap().into(), 1.5),
        (Cuboid::new(Vec3::new(1.0, 2.0, 3.0)).unwrap().into(), 2.0),
    ] {
        let hit = cast_shape(&ground, &shape, &relative_pose, fall, &options).unwrap().hit;
        assert!((hit.fraction - (5.0 - lowest) / 10.0).abs() < 1e-6 && hit.normal == Vec3::Y, "{hit:?}");
        assert!(hit.point.y.abs() < 1e-5);
        let up = cast_shape(&ground, &shape, &relative_pose, -fall, &options);
        assert_eq!(up, None);
        let moving_ground =
            cast_shape(&shape, &ground, &relative_pose.inverse(), -fall, &options).unwrap().hit;
        assert!((moving_ground.fraction - hit.fraction).abs() < 1e-6 && moving_ground.normal == -Vec3::Y);
    }
    // Two half-spaces that face each other.
    let ceiling = Pose::new(Vec3::Y * 2.0, Rotation::about_axis(Vec3::X, std::f32::consts::PI));
    let hit = cast_shape(&ground, &ground, &ceiling, -Vec3::Y * 4.0, &options).unwrap().hit;
    assert!((hit.fraction - 0.5).abs() < 1e-6 && !hit.at_start);
    assert!(cast_shape(&ground, &ground, &relative_pose, fall, &options).unwrap().hit.at_start);
}

#[test]
fn casts_allocate_nothing() {
    let mut shapes = convex_shapes();
    shapes.extend([torus().into(), hills().into(), HalfSpace.into()]);
    shapes.push(Compound::new(children()).unwrap().into());
    let mut numbers = Numbers(55);
    let options = CastOptions { depth_at_start: true, ..CastOptions::default() };
    let measured = allocation_counter::measure(|| {
        let mut hits = 0;
        for a in &shapes {
            for b in &shapes {
                let (relative_pose, displacement) = throw(&mut numbers, 3.0);
                hits += u32::from(cast_shape(a, b, &relative_pose, displacement, &options).is_some());
            }
        }
        assert!(hits > 20);
    });
    assert_eq!(measured.count_total, 0);
}
