//! Mechanics of a simulation at an instant: energies, momenta, overlaps. Sums in `f64`, in the
//! order in which bodies and contacts are added.

use glam::{DVec3, Vec3};

/// Energies, momenta and overlaps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mechanics {
    /// Kinetic energy, joules.
    pub kinetic: f64,
    /// Potential energy in the world's gravity and in the accelerations that the scene gives its
    /// bodies, joules.
    pub potential: f64,
    /// Momentum, kg m/s.
    pub momentum: DVec3,
    /// Angular momentum about the origin, kg m²/s.
    pub angular_momentum: DVec3,
    /// Contact points.
    pub points: u64,
    /// Deepest overlap of the last step, metres.
    pub deepest: f64,
    /// Mean overlap of the points that overlap, metres.
    pub mean_depth: f64,
}

impl Mechanics {
    /// Adds potential energy, momentum and orbital angular momentum of a body that feels the
    /// acceleration `pull`. Its rotation and kinetic energy are the simulation's to add.
    pub fn add_body(&mut self, mass: f64, centre: DVec3, velocity: Vec3, pull: Vec3) {
        self.potential -= mass * pull.as_dvec3().dot(centre);
        let momentum = velocity.as_dvec3() * mass;
        self.momentum += momentum;
        self.angular_momentum += centre.cross(momentum);
    }

    /// Takes over the overlaps of all contact points, given their depths.
    pub fn set_overlaps(&mut self, depths: impl Iterator<Item = f32>) {
        let (mut overlapping, mut sum) = (0u64, 0.0);
        (self.points, self.deepest) = (0, 0.0);
        for depth in depths {
            self.points += 1;
            if depth > 0.0 {
                overlapping += 1;
                sum += f64::from(depth);
                self.deepest = self.deepest.max(f64::from(depth));
            }
        }
        self.mean_depth = sum / overlapping.max(1) as f64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_overlaps_count_for_the_mean() {
        let mut mechanics = Mechanics::default();
        mechanics.set_overlaps([0.5, -1.0, 0.25].into_iter());
        assert_eq!((mechanics.points, mechanics.deepest, mechanics.mean_depth), (3, 0.5, 0.375));
        mechanics.set_overlaps(std::iter::empty());
        assert_eq!((mechanics.points, mechanics.deepest, mechanics.mean_depth), (0, 0.0, 0.0));
    }
}
