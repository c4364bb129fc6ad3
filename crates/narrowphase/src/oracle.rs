//! The check of every distance query: slow, in `f64`, and right for reasons that fit on this page.
//!
//! An answer for two sets that are apart carries its own proof. Both of its points belong to their
//! sets, so the distance is no greater than claimed; and along its normal the sets leave a gap of
//! that width, so it is no smaller. [`certify`] checks both, trusting nothing but support functions
//! and membership. Rounded sets whose cores are apart are proved by their cores, however deep they
//! overlap. Where cores overlap the gap along the normal is below zero and shows that the claimed
//! way out is a way out; that there is no shorter one is compared with [`depth()`](depth::depth),
//! which tries all directions that can be the shortest (cores that are polyhedra) or a dense set of
//! them (the others). [`distance()`](distance::distance) is a third opinion: every triangle against
//! every triangle.
//!
//! | module | holds |
//! |---|---|
//! | [`witness`] | what the oracle asks of a shape: membership, and vertices, faces and edges of polyhedra |
//! | [`mod@depth`] | the shortest way out of each other |
//! | [`mod@distance`] | all pairs of triangles |

pub mod depth;
pub mod distance;
pub mod witness;

use carom_geometry::{Pose, Vector};
use glam::DVec3;

use crate::Proximity;
use depth::{depth, gap};
pub use witness::{OraclePolyhedron, OracleShape};

/// How far the length of a normal may be from 1: rounding of single precision, as answers of either
/// precision are checked.
const UNIT_TOLERANCE: f64 = 1e-6;

carom_core::error_type! {
    /// A claim of an answer that does not hold.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum Violation {
        /// A number is infinite or NaN.
        #[error("a number of the answer is not finite")]
        NotFinite,
        /// The normal is not a unit vector.
        #[error("the normal has the length {length}")]
        NotUnit {
            /// Its length.
            length: f64,
        },
        /// The way from point to point is not the distance times the normal.
        #[error("the points are off by {by:e} from being the distance times the normal apart")]
        PointsDisagree {
            /// By how much.
            by: f64,
        },
        /// The gap along the normal, or the overlap, is not the distance.
        #[error("along the normal the gap is {gap:e}, but the distance is said to be {distance:e}")]
        WrongGap {
            /// The gap; below zero for an overlap.
            gap: f64,
            /// The distance claimed.
            distance: f64,
        },
        /// The point of the first set is outside of it.
        #[error("the point of the first set is {by:e} outside of it")]
        OutsideFirst {
            /// How far.
            by: f64,
        },
        /// The point of the second set is outside of it.
        #[error("the point of the second set is {by:e} outside of it")]
        OutsideSecond {
            /// How far.
            by: f64,
        },
        /// There is a shorter way out.
        #[error("the depth is said to be {claimed:e}, but there is a way out of length {shorter:e}")]
        TooDeep {
            /// The depth claimed.
            claimed: f64,
            /// A depth that is enough.
            shorter: f64,
        },
    }
}

/// Checks every claim of an answer; lengths may be off by `tolerance`.
///
/// # Errors
/// The first claim that does not hold, and by how much.
pub fn certify<A: OracleShape + ?Sized, B: OracleShape + ?Sized>(
    a: &A,
    b: &B,
    pose: &Pose<f64>,
    answer: &Proximity<f64>,
    tolerance: f64,
) -> Result<(), Violation> {
    certify_claims(a, b, pose, answer, tolerance)?;
    if answer.distance >= 0.0 {
        return Ok(());
    }
    let [radius_a, radius_b] = [a.radius(), b.radius()];
    if answer.distance + radius_a + radius_b > 0.0 {
        // The cores are apart: the same proof holds for them, and the shapes are the deeper the
        // nearer their cores.
        let cores = answer.grown(-radius_a, -radius_b);
        claim(a.core_excess(cores.on_a), tolerance, |by| Violation::OutsideFirst { by })?;
        claim(b.core_excess(pose.undo(cores.on_b)), tolerance, |by| Violation::OutsideSecond { by })
    } else {
        let shortest = depth(a, b, pose);
        if -answer.distance > shortest.depth + tolerance {
            return Err(Violation::TooDeep { claimed: -answer.distance, shorter: shortest.depth });
        }
        Ok(())
    }
}

/// Complains about a length beyond the tolerance.
fn claim(by: f64, tolerance: f64, complaint: impl Fn(f64) -> Violation) -> Result<(), Violation> {
    if by > tolerance { Err(complaint(by)) } else { Ok(()) }
}

/// All of [`certify`] except that a depth is the least: what is left to check of answers that do
/// not claim that.
///
/// # Errors
/// The first claim that does not hold, and by how much.
pub fn certify_claims<A: OracleShape + ?Sized, B: OracleShape + ?Sized>(
    a: &A,
    b: &B,
    pose: &Pose<f64>,
    answer: &Proximity<f64>,
    tolerance: f64,
) -> Result<(), Violation> {
    if !answer.is_finite() {
        return Err(Violation::NotFinite);
    }
    let length = answer.normal.length();
    let Some(normal) = answer.normal.unit().filter(|_| (length - 1.0).abs() <= UNIT_TOLERANCE) else {
        return Err(Violation::NotUnit { length });
    };
    let by = (answer.on_b - answer.on_a - normal * answer.distance).length();
    claim(by, tolerance, |by| Violation::PointsDisagree { by })?;
    let gap = gap(a, b, pose, normal);
    if (gap - answer.distance).abs() > tolerance {
        return Err(Violation::WrongGap { gap, distance: answer.distance });
    }
    claim(a.excess(answer.on_a), tolerance, |by| Violation::OutsideFirst { by })?;
    claim(b.excess(pose.undo(answer.on_b)), tolerance, |by| Violation::OutsideSecond { by })
}

/// A direction in `f64` that some directions have no length in.
fn unit_or_x(direction: DVec3) -> DVec3 {
    direction.unit().unwrap_or(DVec3::X)
}
