//! One of every kind of convex shape, ordinary and degenerate, in both precisions.

use carom_geometry::primitive::Triangle;
use carom_geometry::shape::{Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Sphere, Tile};
use carom_geometry::{Polytope, Pose, Real, Rotation, Vector};
use carom_narrowphase::oracle::OracleShape;
use carom_narrowphase::{Convex, Proximity};
use glam::{DVec3, Vec3};

use crate::cases::Numbers;

/// A shape twice.
pub(crate) struct Specimen {
    pub(crate) name: &'static str,
    pub(crate) wide: Box<dyn OracleShape>,
    pub(crate) narrow: Box<dyn Convex<f32>>,
    /// Radius of a ball round the origin that holds it, about.
    pub(crate) size: f64,
}

macro_rules! specimen {
    ($name:literal, $size:expr, $shape:expr) => {{
        let narrow = $shape;
        Specimen {
            name: $name,
            size: f64::from($size),
            wide: Box::new(narrow.to::<f64>()),
            narrow: Box::new(narrow),
        }
    }};
}

/// Shapes of about size 1.
pub(crate) fn ordinary() -> Vec<Specimen> {
    scaled(1.0)
}

/// The same shapes, `scale` times as large.
pub(crate) fn scaled(scale: f32) -> Vec<Specimen> {
    let s = scale;
    let corner = |x: f32, y: f32, z: f32| Vec3::new(x, y, z) * s;
    let triangle = Triangle::new(corner(0.3, 0.1, -0.5), corner(1.0, 0.4, 0.2), corner(-0.5, 0.8, 0.6));
    vec![
        specimen!("sphere", 0.5 * s, Sphere::<f32>::new(0.5 * s).unwrap()),
        specimen!("capsule", 0.9 * s, Capsule::<f32>::along_z(0.6 * s, 0.3 * s).unwrap()),
        specimen!("tile", s, Tile::<f32>::new(0.8 * s, 0.5 * s).unwrap()),
        specimen!("cuboid", 1.2 * s, Cuboid::<f32>::new(corner(0.5, 0.75, 0.6)).unwrap()),
        specimen!("cylinder", s, Cylinder::<f32>::new(0.7 * s, 0.5 * s).unwrap()),
        specimen!("cone", s, Cone::<f32>::new(0.7 * s, 0.6 * s).unwrap()),
        specimen!("ellipsoid", 0.9 * s, Ellipsoid::<f32>::new(corner(0.5, 0.9, 0.3)).unwrap()),
        specimen!("triangle", 1.2 * s, triangle),
        specimen!("cube", 1.1 * s, Polytope::<f32>::cube(0.625 * s).unwrap()),
        specimen!("tetrahedron", s, Polytope::<f32>::tetrahedron(s).unwrap()),
        specimen!("prism", 1.2 * s, Polytope::<f32>::prism(7, s, 0.6 * s).unwrap()),
        specimen!("hull of 20", s, Polytope::<f32>::random_on_sphere(20, s, 3).unwrap()),
        specimen!("hull of 120", s, Polytope::<f32>::random_on_sphere(120, s, 4).unwrap()),
    ]
}

/// Shapes that are less than they could be.
pub(crate) fn degenerate() -> Vec<Specimen> {
    let point = Vec3::new(0.25, -0.5, 0.125);
    vec![
        specimen!("point", 0.0, Sphere::<f32>::new(0.0).unwrap()),
        specimen!("segment", 0.6, Capsule::<f32>::along_x(0.6, 0.0).unwrap()),
        specimen!("capsule without length", 0.25, Capsule::<f32>::along_x(0.0, 0.25).unwrap()),
        specimen!("tile without width", 0.5, Tile::<f32>::new(0.0, 0.5).unwrap()),
        specimen!("flat box", 1.0, Cuboid::<f32>::new(Vec3::new(0.5, 0.0, 0.75)).unwrap()),
        specimen!("needle box", 1.0, Cuboid::<f32>::new(Vec3::new(0.001, 1.0, 0.001)).unwrap()),
        specimen!("no box", 0.0, Cuboid::<f32>::new(Vec3::ZERO).unwrap()),
        specimen!("disc", 0.5, Cylinder::<f32>::new(0.0, 0.5).unwrap()),
        specimen!("cylinder without radius", 0.5, Cylinder::<f32>::new(0.5, 0.0).unwrap()),
        specimen!("flat cone", 0.5, Cone::<f32>::new(0.0, 0.5).unwrap()),
        specimen!("lens", 0.75, Ellipsoid::<f32>::new(Vec3::new(0.75, 0.0, 0.5)).unwrap()),
        specimen!(
            "needle triangle",
            1.0,
            Triangle::<f32>::new(Vec3::ZERO, Vec3::X, Vec3::new(0.5, 1e-6, 0.0))
        ),
        specimen!("triangle of one point", 0.7, Triangle::<f32>::new(point, point, point)),
    ]
}

/// A scalar with its shapes in the zoo.
pub(crate) trait Precision: Real {
    /// What distances may be wrong by, relative to the sizes.
    const TOLERANCE: f64;
    fn shape(specimen: &Specimen) -> &dyn Convex<Self>;
}

impl Precision for f32 {
    const TOLERANCE: f64 = 1e-5;
    fn shape(specimen: &Specimen) -> &dyn Convex<f32> {
        &*specimen.narrow
    }
}

impl Precision for f64 {
    const TOLERANCE: f64 = 1e-9;
    fn shape(specimen: &Specimen) -> &dyn Convex<f64> {
        &*specimen.wide
    }
}

/// An answer in double precision.
pub(crate) fn widened<S: Real>(answer: &Proximity<S>) -> Proximity<f64> {
    Proximity {
        distance: answer.distance.to_f64(),
        normal: answer.normal.to::<f64>(),
        on_a: answer.on_a.to::<f64>(),
        on_b: answer.on_b.to::<f64>(),
    }
}

/// Runs `check` for every pair of shapes at `cases` places in all, the same places in every run.
/// The place given is exact in the scalar `S`.
pub(crate) fn each_pair<S: Precision>(
    first: &[Specimen],
    second: &[Specimen],
    cases: u32,
    mut check: impl FnMut(&Specimen, &Specimen, &Pose<S>, f64),
) {
    let mut numbers = Numbers(7);
    let per_pair = (cases as usize).div_ceil(first.len() * second.len());
    for a in first {
        for b in second {
            for _ in 0..per_pair {
                let size = a.size + b.size;
                let pose = numbers.pose(if size > 0.0 { size } else { 1.0 }).to::<S>();
                check(a, b, &pose, tolerance(a, b, &pose));
            }
        }
    }
}

/// What distances may be wrong by: what is lost by rounding a place grows with it.
pub(crate) fn tolerance<S: Precision>(a: &Specimen, b: &Specimen, pose: &Pose<S>) -> f64 {
    S::TOLERANCE * (a.size + b.size + pose.translation.length().to_f64())
}

/// One of the shapes of a zoo.
pub(crate) fn named(zoo: Vec<Specimen>, name: &str) -> Specimen {
    zoo.into_iter().find(|specimen| specimen.name == name).unwrap()
}

/// A place that a long run found: translation, and the parts of the rotation as they are.
pub(crate) fn place_of(translation: [f64; 3], [x, y, z, w]: [f64; 4]) -> Pose<f64> {
    Pose::new(DVec3::from_array(translation), Rotation { xyz: DVec3::new(x, y, z), w })
}

/// A place a little off another.
pub(crate) fn nudged(pose: &Pose<f64>, numbers: &mut Numbers, by: f64) -> Pose<f64> {
    let rotation = Rotation::<f64>::from_rotation_vector(numbers.vector(by));
    Pose::new(pose.translation + numbers.vector(by), rotation * pose.rotation)
}

/// The place in double precision, as judges want it.
pub(crate) fn wide_place<S: Real>(pose: &Pose<S>) -> Pose<f64> {
    Pose::new(DVec3::from_array(pose.translation.to_array().map(Real::to_f64)), pose.rotation.to::<f64>())
}
