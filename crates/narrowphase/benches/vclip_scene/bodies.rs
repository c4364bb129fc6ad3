//! The three bodies of the scene, round their middle.

use carom_core::trig;
use carom_geometry::Polytope;
use carom_geometry::hull::{HullOptions, convex_hull};
use glam::DVec3;

/// Like the hull of the rabbit that comes with ODE: about a hundred vertices, longer than wide,
/// with lumps.
fn lumpy() -> Polytope<f64> {
    let count = 105;
    let points: Vec<DVec3> = (0..count)
        .map(|k| {
            // A golden spiral.
            let z = 1.0 - f64::from(2 * k + 1) / f64::from(count);
            let (sine, cosine) = trig::sin_cos_f64(2.399_963_229_728_653 * f64::from(k));
            let ring = (1.0 - z * z).sqrt();
            let direction = DVec3::new(cosine * ring, sine * ring, z);
            let lump = 0.10 * direction.x * direction.y + 0.12 * direction.z * direction.z * direction.z;
            direction * DVec3::new(1.0, 1.25, 1.6) * (0.9 + lump)
        })
        .collect();
    convex_hull(&points, &HullOptions::default()).unwrap()
}

/// Hulls of a lumpy thing, of 1000 points on a sphere, and of a pentagonal prism.
pub(crate) fn all() -> [Polytope<f64>; 3] {
    let prism = Polytope::<f64>::prism(5, 2.0, 2.0).unwrap();
    let centred: Vec<DVec3> = prism.points().iter().map(|p| *p - DVec3::Y).collect();
    [
        lumpy(),
        Polytope::random_on_sphere(1000, 1.5, 2021).unwrap(),
        convex_hull(&centred, &HullOptions::default()).unwrap(),
    ]
}

/// What they are called.
pub(crate) const NAMES: [&str; 3] = ["lumpy hull", "1000 points on a sphere", "pentagonal prism"];
