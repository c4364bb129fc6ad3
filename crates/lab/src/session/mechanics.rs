//! Mechanics of a session at an instant: energies, momenta, overlaps. Sums in `f64`, in the order of the bodies.

use carom_fingsics::RowMatrix;
use glam::{DVec3, Vec3};

use super::{Session, Stepper};

/// Energies, momenta and overlaps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mechanics {
    /// Energy of motion, joules.
    pub kinetic: f64,
    /// Energy of height in the world's gravity and in the accelerations that the scene gives its bodies, joules.
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
    fn add(&mut self, mass: f64, place: DVec3, velocity: Vec3, pull: Vec3) {
        self.potential -= mass * pull.as_dvec3().dot(place);
        let momentum = velocity.as_dvec3() * mass;
        self.momentum += momentum;
        self.angular_momentum += place.cross(momentum);
    }
}

/// Overlaps on their way to a mean.
#[derive(Default)]
struct Overlaps {
    points: u64,
    overlapping: u64,
    sum: f64,
    deepest: f64,
}

impl Overlaps {
    fn add(&mut self, depth: f32) {
        self.points += 1;
        if depth > 0.0 {
            self.overlapping += 1;
            self.sum += f64::from(depth);
            self.deepest = self.deepest.max(f64::from(depth));
        }
    }

    fn into(self, mechanics: &mut Mechanics) {
        mechanics.points = self.points;
        mechanics.deepest = self.deepest;
        mechanics.mean_depth = self.sum / self.overlapping.max(1) as f64;
    }
}

impl Session {
    /// Mechanics as things are now. Takes time in proportion to the bodies and contacts.
    #[must_use]
    pub fn mechanics(&self) -> Mechanics {
        let (mut sums, mut overlaps) = (Mechanics::default(), Overlaps::default());
        let gravity = Vec3::from(self.scene.world.gravity);
        let own = |number: usize| {
            self.scene
                .bodies
                .get(number)
                .map_or((Vec3::ZERO, 1.0), |body| (Vec3::from(body.acceleration), body.gravity_scale))
        };
        match &self.stepper {
            Stepper::Fingsics(world) => {
                for (number, (place, rows)) in world.positions().iter().zip(world.rotations()).enumerate() {
                    let body = number as u32;
                    let Some((mass, inertia)) = world.mass(body) else { continue };
                    let (velocity, spin) = (world.velocity(body), local(rows, world.angular_velocity(body)));
                    let turning = spin * inertia;
                    sums.add(f64::from(mass), place.as_dvec3(), velocity, own(number).0 + gravity);
                    sums.angular_momentum += rows.times_vector(turning).as_dvec3();
                    let speed = velocity.as_dvec3().length_squared();
                    sums.kinetic += 0.5 * (f64::from(mass) * speed + f64::from(spin.dot(turning)));
                }
                world.contacts().for_each(|(_, _, contact)| overlaps.add(contact.depth));
            }
            Stepper::Engine(built, _) => {
                let world = &built.world;
                let gravity = world.settings().gravity;
                for body in world.body_ids().filter_map(|id| world.body(id).ok()) {
                    let mass = body.mass();
                    if mass <= 0.0 {
                        continue;
                    }
                    let (acceleration, scale) = own(body.user_data() as usize);
                    let pull = acceleration + gravity * scale;
                    sums.add(f64::from(mass), body.centre_of_mass(), body.velocity(), pull);
                    sums.angular_momentum += body.angular_momentum().as_dvec3();
                    sums.kinetic += body.kinetic_energy();
                }
                let touching = world.contacts().filter(carom_dynamics::ContactRef::is_touching);
                touching.for_each(|contact| contact.points().for_each(|p| overlaps.add(-p.separation)));
            }
        }
        overlaps.into(&mut sums);
        sums
    }
}

/// A vector of the world in the frame of a body.
fn local(rows: &RowMatrix, vector: Vec3) -> Vec3 {
    rows.transposed().times_vector(vector)
}
