//! The three examples that the thesis steps V-Clip through.

use std::f64::consts::PI;

use carom_geometry::{Polytope, Pose, Rotation};
use glam::DVec3;

/// Two polytopes and the place of the second in the frame of the first.
pub(crate) type Case = (Polytope<f64>, Polytope<f64>, Pose<f64>);

pub(crate) fn cube() -> Polytope<f64> {
    Polytope::cube(1.0).unwrap()
}

/// Turned about x. The rings of the thesis begin on the z axis, ours on the x axis: hence the turn
/// about y.
fn tilted(at: [f64; 3], angle: f64) -> Pose<f64> {
    let ring = Rotation::about_axis(DVec3::Y, -PI / 2.0);
    Pose::new(DVec3::from(at), Rotation::about_axis(DVec3::X, angle) * ring)
}

/// A prism well below a cube: 2.79418 apart.
pub(crate) fn separated() -> Case {
    let rotation = Rotation::about_axis(DVec3::Y, PI / 2.0) * Rotation::about_axis(DVec3::Z, PI);
    let cube_at = Pose::new(DVec3::new(0.0, 3.0, 0.0), rotation);
    (Polytope::prism(6, 2.0, 1.0).unwrap(), cube(), tilted([0.0, -3.0, 0.0], 0.2 * PI).relative(&cube_at))
}

/// The tip of a pyramid in a cube: 0.40211 deep.
pub(crate) fn penetrating() -> Case {
    let cube_at = Pose::at(DVec3::new(0.0, 2.5, 0.0));
    (Polytope::pyramid(4, 2.0, 1.0).unwrap(), cube(), tilted([0.0; 3], 0.1 * PI).relative(&cube_at))
}

/// A pyramid inside a cube: 1.39680 deep.
pub(crate) fn inside() -> Case {
    let cube_at = Pose::at(DVec3::new(0.0, 3.0, 0.0));
    (Polytope::pyramid(5, 0.8, 0.8).unwrap(), cube(), tilted([0.0, 3.0, 0.0], 0.2 * PI).relative(&cube_at))
}
