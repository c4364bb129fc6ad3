//! A linear complementarity problem of contacts, dense and in `f64`: no impulse pulls, no contact
//! approaches, and only contacts that do not part press.

use glam::DVec3;

/// A body whose axes are those of the world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Body {
    pub(crate) position: DVec3,
    pub(crate) velocity: DVec3,
    pub(crate) spin: DVec3,
    pub(crate) inverse_mass: f64,
    pub(crate) inverse_inertia: DVec3,
}

/// Where two bodies touch; `None` is the ground.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contact {
    pub(crate) bodies: [Option<usize>; 2],
    pub(crate) point: DVec3,
    /// From the first body to the second.
    pub(crate) normal: DVec3,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Island {
    pub(crate) bodies: Vec<Body>,
    pub(crate) contacts: Vec<Contact>,
}

impl Body {
    fn push(&mut self, impulse: DVec3, point: DVec3) {
        self.velocity += impulse * self.inverse_mass;
        self.spin += (point - self.position).cross(impulse) * self.inverse_inertia;
    }
}

impl Island {
    /// Speed at which every contact opens, if the bodies moved like this.
    fn opening(&self, bodies: &[Body]) -> Vec<f64> {
        let speed = |body: Option<usize>, point: DVec3| {
            body.map_or(DVec3::ZERO, |k| {
                bodies[k].velocity + bodies[k].spin.cross(point - bodies[k].position)
            })
        };
        let of = |contact: &Contact| {
            let [a, b] = contact.bodies;
            contact.normal.dot(speed(b, contact.point) - speed(a, contact.point))
        };
        self.contacts.iter().map(of).collect()
    }

    fn pushed(&self, start: &[Body], impulses: &[f64]) -> Vec<Body> {
        let mut bodies = start.to_vec();
        for (contact, impulse) in self.contacts.iter().zip(impulses) {
            for (body, sign) in contact.bodies.into_iter().zip([-1.0, 1.0]) {
                if let Some(body) = body {
                    bodies[body].push(contact.normal * (sign * impulse), contact.point);
                }
            }
        }
        bodies
    }

    /// The bodies after all contacts have pressed at once. The matrix is built column by column:
    /// what a unit impulse does to each contact; then projected sweeps over it until nothing
    /// changes.
    pub(crate) fn solve(&self) -> Vec<Body> {
        let count = self.contacts.len();
        let still: Vec<Body> =
            self.bodies.iter().map(|body| Body { velocity: DVec3::ZERO, ..*body }).collect();
        let columns: Vec<Vec<f64>> = (0..count)
            .map(|k| {
                let mut unit = vec![0.0; count];
                unit[k] = 1.0;
                self.opening(&self.pushed(&still, &unit))
            })
            .collect();
        let before = self.opening(&self.bodies);
        let mut impulses = vec![0.0f64; count];
        for _ in 0..200_000 {
            let mut change = 0.0f64;
            for k in 0..count {
                let row: f64 = (0..count).map(|j| columns[j][k] * impulses[j]).sum();
                let impulse = (impulses[k] - (before[k] + row) / columns[k][k]).max(0.0);
                change = change.max((impulse - impulses[k]).abs() * columns[k][k]);
                impulses[k] = impulse;
            }
            if change < 1e-12 {
                break;
            }
        }
        let after = self.pushed(&self.bodies, &impulses);
        for (opens, impulse) in self.opening(&after).into_iter().zip(&impulses) {
            assert!(opens > -1e-9 && opens * impulse < 1e-6, "the oracle has not come to an end");
        }
        after
    }
}
