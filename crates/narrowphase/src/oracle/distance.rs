//! The distance of two polyhedra: every triangle of the one against every triangle of the other.

use carom_geometry::Pose;
use carom_geometry::closest::{Closest, closest_points};
use glam::DVec3;

use super::{Polyhedron, Witness};

/// The distance of two shapes with polyhedra as cores; zero if they meet. `None` for other shapes.
pub fn distance<A: Witness + ?Sized, B: Witness + ?Sized>(a: &A, b: &B, place: &Pose<f64>) -> Option<f64> {
    let cores = between(&a.polyhedron()?, &b.polyhedron()?, place).distance();
    let inside = a.excess(place.apply(b.centre())) <= 0.0 || b.excess(place.undo(a.centre())) <= 0.0;
    Some(if inside { 0.0 } else { (cores - a.radius() - b.radius()).max(0.0) })
}

/// The closest points of two surfaces.
pub(super) fn between(a: &Polyhedron, b: &Polyhedron, place: &Pose<f64>) -> Closest<f64> {
    let placed: Vec<_> = b.triangles.iter().map(|t| t.posed(place)).collect();
    let far = Closest { a: DVec3::ZERO, b: DVec3::ZERO, distance_squared: f64::INFINITY };
    a.triangles.iter().fold(far, |best, t| placed.iter().fold(best, |best, u| best.or(closest_points(t, u))))
}
