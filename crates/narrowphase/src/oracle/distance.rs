//! The distance of two polyhedra: every triangle of the one against every triangle of the other.

use carom_geometry::Pose;
use carom_geometry::closest::{Closest, closest_points};
use glam::DVec3;

use super::{OraclePolyhedron, OracleShape};

/// The distance of two shapes with polyhedra as cores; zero if they meet. `None` for other shapes.
pub fn distance<A: OracleShape + ?Sized, B: OracleShape + ?Sized>(
    a: &A,
    b: &B,
    pose: &Pose<f64>,
) -> Option<f64> {
    let cores = between(&a.polyhedron()?, &b.polyhedron()?, pose).distance();
    let inside = a.excess(pose.apply(b.centre())) <= 0.0 || b.excess(pose.undo(a.centre())) <= 0.0;
    Some(if inside { 0.0 } else { (cores - a.radius() - b.radius()).max(0.0) })
}

/// The closest points of two surfaces.
pub(super) fn between(a: &OraclePolyhedron, b: &OraclePolyhedron, pose: &Pose<f64>) -> Closest<f64> {
    let placed: Vec<_> = b.triangles.iter().map(|t| t.posed(pose)).collect();
    let far = Closest { a: DVec3::ZERO, b: DVec3::ZERO, distance_squared: f64::INFINITY };
    a.triangles.iter().fold(far, |best, t| placed.iter().fold(best, |best, u| best.or(closest_points(t, u))))
}
