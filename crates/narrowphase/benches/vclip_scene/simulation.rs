//! A small simulation that gives plausible places: bodies are dropped into an upside-down pyramid
//! and settle.
//!
//! Semi-implicit Euler steps and sequential impulses with one contact per pair. Nothing of the
//! engine's dynamics is used, so that the scene does not change with it.

use carom_geometry::shape::Bounded;
use carom_geometry::{Aabb, Polytope, Pose, Rotation};
use carom_narrowphase::alternatives::vclip::WitnessCache;
use carom_narrowphase::vclip::{VClip, Witness, facing};
use glam::DVec3;

/// Seconds per step.
const STEP: f64 = 1.0 / 60.0;
/// Bodies closer than this are in contact.
pub(crate) const MARGIN: f64 = 0.1;
/// Distance that contacts keep: half of the margin.
const KEPT: f64 = 0.05;
const GRAVITY: DVec3 = DVec3::new(0.0, -10.0, 0.0);
const FRICTION: f64 = 0.3;
const RESTITUTION: f64 = 0.3;
const INVERSE_MASS: f64 = 1.0 / 6.0;
/// Of a ball of about the size of the bodies.
const INVERSE_INERTIA: f64 = 1.0 / 5.0;
/// Bodies dropped at once, each second.
const ROW: usize = 10;

struct Body {
    kind: usize,
    pose: Pose<f64>,
    velocity: DVec3,
    spin: DVec3,
}

/// One question that the scene asks a narrow phase.
#[derive(Clone, Copy)]
pub(crate) struct Call {
    pub(crate) ids: [u32; 2],
    pub(crate) kinds: [u8; 2],
    /// The second body in the frame of the first.
    pub(crate) relative_pose: Pose<f64>,
}

struct VClipContact {
    first: usize,
    /// None is a wall.
    second: Option<usize>,
    point: DVec3,
    /// From the first to the second.
    normal: DVec3,
    /// Least speed at which the two may part.
    target: f64,
    pushed: f64,
    rubbed: DVec3,
}

pub(crate) struct Scene<'s> {
    shapes: &'s [Polytope<f64>; 3],
    bodies: Vec<Body>,
    boxes: Vec<Aabb<3, f64>>,
    order: Vec<usize>,
    cache: WitnessCache,
    random: u64,
}

impl<'s> Scene<'s> {
    pub(crate) fn new(shapes: &'s [Polytope<f64>; 3]) -> Self {
        Self {
            shapes,
            bodies: Vec::new(),
            boxes: Vec::new(),
            order: Vec::new(),
            cache: WitnessCache::default(),
            random: 2021,
        }
    }

    pub(crate) fn count(&self) -> usize {
        self.bodies.len()
    }

    /// Height of the highest body.
    pub(crate) fn top(&self) -> f64 {
        self.bodies.iter().map(|b| b.pose.translation.y).fold(f64::MIN, f64::max)
    }

    /// Kinetic energy per body.
    pub(crate) fn energy(&self) -> f64 {
        let of = |b: &Body| {
            0.5 * b.velocity.length_squared() / INVERSE_MASS + 0.5 * b.spin.length_squared() / INVERSE_INERTIA
        };
        self.bodies.iter().map(of).sum::<f64>() / self.bodies.len() as f64
    }

    /// A row of ten bodies above the pyramid.
    pub(crate) fn drop_row(&mut self) {
        for k in 0..ROW {
            self.random =
                self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let kind = (self.random >> 33) as usize % 3;
            let at = DVec3::new(-50.0 + 10.0 * k as f64, 30.0, 0.0);
            self.order.push(self.bodies.len());
            let (velocity, spin) = (DVec3::new(2.0, -10.0, 0.0), DVec3::new(2.0, 0.1, 0.0));
            self.bodies.push(Body { kind, pose: Pose::at(at), velocity, spin });
        }
    }

    /// Pairs whose boxes, grown by half the margin, meet.
    pub(crate) fn calls(&mut self) -> Vec<Call> {
        let shapes = self.shapes;
        self.boxes.clear();
        self.boxes.extend(self.bodies.iter().map(|b| shapes[b.kind].aabb_at(&b.pose).grown(MARGIN / 2.0)));
        let boxes = &self.boxes;
        self.order.sort_by(|&i, &j| boxes[i].min[0].total_cmp(&boxes[j].min[0]).then(i.cmp(&j)));
        let mut calls = Vec::new();
        for (at, &i) in self.order.iter().enumerate() {
            for &j in self.order[at + 1..].iter().take_while(|&&j| boxes[j].min[0] <= boxes[i].max[0]) {
                if boxes[i].overlaps(&boxes[j]) {
                    let (a, b) = (i.min(j), i.max(j));
                    calls.push(Call {
                        ids: [a as u32, b as u32],
                        kinds: [a, b].map(|k| self.bodies[k].kind as u8),
                        relative_pose: self.bodies[a].pose.relative(&self.bodies[b].pose),
                    });
                }
            }
        }
        calls.sort_by_key(|call| call.ids);
        calls
    }

    /// Moves everything on by a step.
    pub(crate) fn step(&mut self, calls: &[Call]) {
        for body in &mut self.bodies {
            body.velocity += GRAVITY * STEP;
        }
        let mut contacts = Vec::new();
        self.wall_contacts(&mut contacts);
        self.pair_contacts(calls, &mut contacts);
        for _ in 0..10 {
            for contact in &mut contacts {
                self.push(contact);
            }
        }
        for body in &mut self.bodies {
            let rotation = Rotation::from_rotation_vector(body.spin * STEP);
            body.pose.translation += body.velocity * STEP;
            body.pose.rotation = (rotation * body.pose.rotation).normalised();
            body.spin *= 0.995;
        }
        self.cache.advance();
    }

    /// Four planes at 45° that meet at (0, −60, 0).
    fn wall_contacts(&self, contacts: &mut Vec<VClipContact>) {
        let half = 0.5f64.sqrt();
        let apex = DVec3::new(0.0, -60.0, 0.0);
        for inwards in [
            DVec3::new(0.0, half, -half),
            DVec3::new(0.0, half, half),
            DVec3::new(half, half, 0.0),
            DVec3::new(-half, half, 0.0),
        ] {
            for (first, body) in self.bodies.iter().enumerate() {
                let shape = &self.shapes[body.kind];
                let height = |p: DVec3| inwards.dot(body.pose.apply(p) - apex);
                let local = body.pose.rotation.rotate_back(-inwards);
                let lowest = shape.support_vertex(local);
                let least = height(shape.point(lowest));
                if least > 1.0 {
                    continue;
                }
                let beside =
                    shape.adjacent_vertices(lowest).filter(|&v| height(shape.point(v)) < least + 0.05);
                for v in std::iter::once(lowest).chain(beside.take(3)) {
                    let point = body.pose.apply(shape.point(v));
                    self.contact(first, None, point, -inwards, height(shape.point(v)), contacts);
                }
            }
        }
    }

    fn pair_contacts(&mut self, calls: &[Call], contacts: &mut Vec<VClipContact>) {
        let query = VClip::default();
        for call in calls {
            let [a, b] = call.kinds.map(|kind| &self.shapes[usize::from(kind)]);
            let [first, second] = call.ids;
            let seed = self.cache.get(first, second);
            let mut witness: Witness = seed.unwrap_or_else(|| facing(a, b, &call.relative_pose));
            let near = query.proximity(a, b, &call.relative_pose, &mut witness);
            self.cache.set(first, second, witness);
            if near.distance <= 0.5 {
                let (first, second) = (first as usize, second as usize);
                let near = near.posed(&self.bodies[first].pose);
                self.contact(first, Some(second), near.midpoint(), near.normal, near.distance, contacts);
            }
        }
    }

    /// Speed at a point of the second body seen from the first.
    fn speed(&self, first: usize, second: Option<usize>, point: DVec3) -> DVec3 {
        let at = |k: usize| {
            let body = &self.bodies[k];
            body.velocity + body.spin.cross(point - body.pose.translation)
        };
        second.map_or(DVec3::ZERO, at) - at(first)
    }

    fn contact(
        &self,
        first: usize,
        second: Option<usize>,
        point: DVec3,
        normal: DVec3,
        distance: f64,
        contacts: &mut Vec<VClipContact>,
    ) {
        let parting = self.speed(first, second, point).dot(normal);
        let room = distance - KEPT;
        let hold = if room > 0.0 { -room / STEP } else { (-room * 0.2 / STEP).min(3.0) };
        let bounce = if parting < -1.0 && room < 0.0 { -RESTITUTION * parting } else { hold };
        let target = hold.max(bounce);
        contacts.push(VClipContact {
            first,
            second,
            point,
            normal,
            target,
            pushed: 0.0,
            rubbed: DVec3::ZERO,
        });
    }

    /// One pass of impulses at a contact: first along the normal, then against the sliding.
    fn push(&mut self, contact: &mut VClipContact) {
        let VClipContact { first, second, point, normal, .. } = *contact;
        let parting = self.speed(first, second, point).dot(normal);
        let pushed = (contact.pushed + (contact.target - parting) / self.yielding(contact, normal)).max(0.0);
        self.apply(contact, normal * (pushed - contact.pushed));
        contact.pushed = pushed;
        let speed = self.speed(first, second, point);
        let sliding = speed - normal * speed.dot(normal);
        let length = sliding.length();
        if length > 1e-9 {
            let along = sliding / length;
            let wanted = contact.rubbed - along * (length / self.yielding(contact, along));
            let most = FRICTION * pushed;
            let rubbed = if wanted.length() > most { wanted * (most / wanted.length()) } else { wanted };
            self.apply(contact, rubbed - contact.rubbed);
            contact.rubbed = rubbed;
        }
    }

    /// Speed that a unit impulse along a direction makes.
    fn yielding(&self, contact: &VClipContact, direction: DVec3) -> f64 {
        let of = |k: usize| {
            let arm = contact.point - self.bodies[k].pose.translation;
            INVERSE_MASS + arm.cross(direction).length_squared() * INVERSE_INERTIA
        };
        of(contact.first) + contact.second.map_or(0.0, of)
    }

    /// An impulse on the second body, and its opposite on the first.
    fn apply(&mut self, contact: &VClipContact, impulse: DVec3) {
        let mut on = |k: usize, impulse: DVec3| {
            let body = &mut self.bodies[k];
            body.velocity += impulse * INVERSE_MASS;
            body.spin += (contact.point - body.pose.translation).cross(impulse) * INVERSE_INERTIA;
        };
        on(contact.first, -impulse);
        if let Some(second) = contact.second {
            on(second, impulse);
        }
    }
}
