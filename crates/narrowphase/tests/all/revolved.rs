//! Cylinders and cones with flat shapes, by directions: checked by the oracle and compared with GJK
//! and EPA in double precision.

use carom_geometry::primitive::Triangle;
use carom_geometry::shape::{Capsule, Cone, Cuboid, Cylinder, Tile};
use carom_geometry::{Polytope, Pose, Rotation, Shape};
use carom_narrowphase::oracle::{OracleShape, certify, certify_claims};
use carom_narrowphase::revolved::{self, AxisHint, RevolvedOutcome};
use carom_narrowphase::{Proximity, gjk};
use glam::Vec3;

use crate::cases::{self, Numbers};
use crate::zoo::{nudged, wide_place, widened};

/// A shape for the search and for the oracle.
struct Specimen {
    shape: Shape,
    wide: Box<dyn OracleShape>,
    size: f64,
}

macro_rules! specimen {
    ($size:expr, $shape:expr) => {{
        let shape = $shape;
        Specimen { size: $size, wide: Box::new(shape.to::<f64>()), shape: shape.into() }
    }};
}

fn frusta() -> Vec<Specimen> {
    vec![
        specimen!(0.7, Cylinder::new(0.5f32, 0.4).unwrap()),
        specimen!(0.7, Cylinder::new(0.05f32, 0.7).unwrap()),
        specimen!(1.0, Cylinder::new(1.0f32, 0.03).unwrap()),
        specimen!(0.7, Cone::new(0.5f32, 0.5).unwrap()),
        specimen!(0.8, Cone::new(0.1f32, 0.8).unwrap()),
        specimen!(0.9, Cone::new(0.9f32, 0.1).unwrap()),
    ]
}

fn bodies() -> Vec<Specimen> {
    let corner = |x: f32, y: f32, z: f32| Vec3::new(x, y, z);
    let triangle = Triangle::new(corner(-0.8, 0.0, -0.5), corner(0.0, 0.1, 0.9), corner(0.8, 0.0, -0.4));
    vec![
        specimen!(0.9, Cuboid::new(corner(0.5, 0.4, 0.6)).unwrap()),
        specimen!(1.0, Cuboid::new(corner(1.0, 0.05, 0.3)).unwrap()),
        specimen!(0.9, Tile::new(0.7f32, 0.5).unwrap()),
        specimen!(1.0, triangle),
        specimen!(0.7, Capsule::along_z(0.4f32, 0.3).unwrap()),
        specimen!(0.7, Capsule::along_x(0.7f32, 0.0).unwrap()),
        specimen!(0.5, Polytope::<f32>::random_on_sphere(10, 0.5, 3).unwrap()),
        specimen!(0.5, Polytope::<f32>::tetrahedron(0.5).unwrap()),
        specimen!(0.9, Polytope::<f32>::prism(5, 1.0, 0.5).unwrap()),
    ]
}

#[derive(Debug, Default)]
struct Tally {
    asked: u32,
    apart: u32,
    certain: u32,
    without_points: u32,
    open: u32,
    none: u32,
}

/// Judges one answer, and returns it.
fn checked(
    a: &Specimen,
    b: &Specimen,
    pose: &Pose,
    hint: &AxisHint,
    judge_depth: bool,
    tally: &mut Tally,
) -> AxisHint {
    const FAR: f32 = 0.25;
    let wide = wide_place(pose);
    let true_ = gjk::proximity(&*a.wide, &*b.wide, &wide, &mut gjk::SimplexCache::new());
    let tolerance = 1e-5 * (a.size + b.size + wide.translation.length());
    let what = || format!("{} and {} at {pose:?}, {true_:?}", a.shape.name(), b.shape.name());
    tally.asked += 1;
    let Some(answer) = revolved::proximity(&a.shape, &b.shape, pose, FAR, hint) else {
        tally.none += 1;
        return AxisHint::default();
    };
    let apart_along = |axis: Vec3| {
        let axis = axis.as_dvec3().normalize();
        carom_narrowphase::oracle::depth::gap(&*a.wide, &*b.wide, &wide, axis)
    };
    match answer {
        RevolvedOutcome::Apart(axis) => {
            tally.apart += 1;
            assert!(apart_along(axis) > f64::from(FAR) - tolerance, "{} {answer:?}", what());
            AxisHint { axis, overlaps: false }
        }
        RevolvedOutcome::Open { axis } => {
            tally.open += 1;
            let radii = a.wide.radius() + b.wide.radius();
            assert!(apart_along(axis) > -radii - tolerance, "{} {answer:?}", what());
            AxisHint { axis, overlaps: false }
        }
        RevolvedOutcome::Near { proximity, has_points } => {
            let found: Proximity<f64> = widened(&proximity);
            assert!((found.distance - true_.distance).abs() <= tolerance, "{} {answer:?}", what());
            assert!(
                (apart_along(proximity.normal) - found.distance).abs() <= tolerance,
                "{} {answer:?}",
                what()
            );
            if has_points {
                tally.certain += 1;
                let verdict = if judge_depth {
                    certify(&*a.wide, &*b.wide, &wide, &found, tolerance)
                } else {
                    certify_claims(&*a.wide, &*b.wide, &wide, &found, tolerance)
                };
                if let Err(complaint) = verdict {
                    panic!("{complaint}: {} {answer:?}", what());
                }
            } else {
                tally.without_points += 1;
            }
            AxisHint { axis: proximity.normal, overlaps: found.distance <= 0.0 }
        }
    }
}

/// All pairs of two lists in random places, in either order, and once more a little farther on with
/// what is known then.
fn checked_everywhere(firsts: &[Specimen], seconds: &[Specimen], seed: u64) -> Tally {
    let per_pair = cases::count().div_ceil((3 * firsts.len() * seconds.len()) as u32);
    let mut numbers = Numbers(seed);
    let mut tally = Tally::default();
    for a in firsts {
        for b in seconds {
            for case in 0..per_pair {
                let pose = numbers.pose(0.8 * (a.size + b.size)).to::<f32>();
                let hint = checked(a, b, &pose, &AxisHint::default(), case % 32 == 0, &mut tally);
                checked(b, a, &pose.inverse(), &AxisHint::default(), false, &mut tally);
                let moved = nudged(&wide_place(&pose), &mut numbers, 0.01).to::<f32>();
                checked(a, b, &moved, &hint, false, &mut tally);
            }
        }
    }
    tally
}

#[test]
fn directions_agree_with_iterations_and_the_judge() {
    let tally = checked_everywhere(&frusta(), &bodies(), 71);
    // Few are left open: otherwise there would be nothing to gain.
    assert!(tally.none * 200 < tally.asked, "{tally:?}");
    assert!(tally.open * 20 < tally.asked && tally.without_points * 10 < tally.asked, "{tally:?}");
    assert!(tally.certain * 4 > tally.asked, "{tally:?}");
}

#[test]
fn cylinders_agree_with_iterations_and_the_judge() {
    let cylinders = || {
        vec![
            specimen!(0.7, Cylinder::new(0.5f32, 0.5).unwrap()),
            specimen!(0.7, Cylinder::new(0.05f32, 0.7).unwrap()),
            specimen!(1.0, Cylinder::new(1.0f32, 0.03).unwrap()),
            specimen!(0.4, Cylinder::new(0.3f32, 0.2).unwrap()),
        ]
    };
    let tally = checked_everywhere(&cylinders(), &cylinders(), 72);
    // Deep ones are left to EPA, and these shapes are often deep in each other.
    assert!(tally.none * 3 < tally.asked, "{tally:?}");
    assert!((tally.open + tally.without_points) * 1000 < tally.asked, "{tally:?}");
    assert!(tally.certain * 4 > tally.asked, "{tally:?}");
}

#[test]
fn cylinders_that_overlap_a_little_are_nearly_always_answered() {
    let cylinder = || specimen!(0.7, Cylinder::new(0.5f32, 0.4).unwrap());
    let (a, b) = (cylinder(), cylinder());
    let mut numbers = Numbers(73);
    let mut tally = Tally::default();
    for _ in 0..cases::count() / 8 {
        let mut pose = numbers.pose(1.2);
        // Moved along the shortest way until they overlap by a millimetre.
        let found = gjk::proximity(&*a.wide, &*b.wide, &pose, &mut gjk::SimplexCache::new());
        pose.translation -= found.normal * (found.distance + 1e-3);
        checked(&a, &b, &pose.to::<f32>(), &AxisHint::default(), false, &mut tally);
    }
    // Left open are some of those in line with the axes.
    assert!(tally.none * 20 < tally.asked && tally.without_points == 0, "{tally:?}");
}

/// A long run found this: the end of a capsule nearly on the axis of a thin cylinder, where the way
/// from the axis to it is so short that rounding turned the normal by 2·10⁻⁵ along the axis, which
/// makes as much of the length of the cylinder.
#[test]
fn the_end_of_a_capsule_near_the_axis_of_a_cylinder_is_straight_below_the_wall() {
    let (a, b) = (&frusta()[2], &bodies()[4]);
    let pose = Pose {
        translation: Vec3::new(0.005_059_336_3, 0.005_634_137, -0.005_286_060_3),
        rotation: Rotation {
            xyz: Vec3::new(0.999_985_16, 0.000_727_603_2, 0.002_823_408_7),
            w: -0.004_606_933,
        },
    };
    let mut tally = Tally::default();
    checked(a, b, &pose, &AxisHint::default(), true, &mut tally);
    checked(b, a, &pose.inverse(), &AxisHint::default(), true, &mut tally);
    assert_eq!(tally.none + tally.open, 0, "{tally:?}");
}
