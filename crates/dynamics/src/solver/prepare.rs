//! From a manifold to a lane of constraints.

use carom_geometry::{Pose, Rotation};
use carom_narrowphase::Manifold;
use glam::Vec3;

use super::body::{MassRow, Motion};
use super::lanes::Lanes;
use super::contact::ContactLanes;
use super::softness::Softness;

/// Impulses of a contact, kept from step to step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Impulses {
    /// Along the normal, per point.
    pub(crate) normal: [f32; 4],
    /// Of friction, in world axes: tangents are chosen anew in every step.
    pub(crate) friction: Vec3,
    /// About the normal.
    pub(crate) twist: f32,
}

/// One body of a contact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Side<'a> {
    /// Its row.
    pub(crate) row: u32,
    /// Place and velocity.
    pub(crate) motion: &'a Motion,
    /// Inverse roots of its masses.
    pub(crate) mass: &'a MassRow,
    /// The shape in the frame of the body.
    pub(crate) place: &'a Pose,
    /// True for kinematic bodies: their velocity counts although nothing moves them.
    pub(crate) is_driven: bool,
}

/// A contact to be solved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source<'a> {
    /// Its number.
    pub(crate) contact: u32,
    /// First body.
    pub(crate) a: Side<'a>,
    /// Second body.
    pub(crate) b: Side<'a>,
    /// Points and normal.
    pub(crate) manifold: &'a Manifold,
    /// Impulses of the last step, matched with the points.
    pub(crate) impulses: &'a Impulses,
    /// Coulomb's coefficient of the pair.
    pub(crate) friction: f32,
    /// Share of the approaching speed given back.
    pub(crate) restitution: f32,
    /// Substeps of a step.
    pub(crate) substeps: f32,
    /// How softly overlaps are pushed apart.
    pub(crate) softness: Softness,
}

/// Two unit vectors across a unit vector, the same for equal input: the coordinate axis farthest from it decides.
#[inline]
pub(crate) fn tangent_of(normal: Vec3) -> Vec3 {
    let magnitudes = normal.abs();
    let axis = if magnitudes.x < 0.6 { Vec3::X } else { Vec3::Y };
    let across = axis.cross(normal);
    across / across.length()
}

/// Vectors of a contact in the frame of one body.
struct Seen {
    normal: Vec3,
    tangents: [Vec3; 2],
}

impl Seen {
    fn from(rotation: Rotation, normal: Vec3, tangents: [Vec3; 2]) -> Self {
        Self { normal: rotation.rotate_back(normal), tangents: tangents.map(|t| rotation.rotate_back(t)) }
    }
}

/// Velocity of a point of a kinematic body along a direction, both in the frame of the body; 0 for all others.
#[inline]
fn driven(side: &Side<'_>, point: Vec3, along: Vec3) -> f32 {
    if !side.is_driven {
        return 0.0;
    }
    let back = |v: Vec3| side.motion.rotation.rotate_back(v);
    (back(side.motion.velocity) + back(side.motion.spin).cross(point)).dot(along)
}

/// Writes a contact into a lane.
#[inline]
pub(crate) fn fill<L: Lanes, const W: usize, const P: usize>(
    lanes: &mut ContactLanes<L, W, P>,
    lane: usize,
    source: &Source<'_>,
) {
    let Source { a, b, manifold, impulses, softness, .. } = source;
    let normal = a.motion.rotation.rotate(a.place.rotation.rotate(manifold.normal));
    let tangent = tangent_of(normal);
    let tangents = [tangent, normal.cross(tangent)];
    let seen_a = Seen::from(a.motion.rotation, normal, tangents);
    let seen_b = Seen::from(b.motion.rotation, normal, tangents);
    let roots = a.mass.root_mass * a.mass.root_mass + b.mass.root_mass * b.mass.root_mass;
    lanes.a[lane] = a.row;
    lanes.b[lane] = b.row;
    lanes.contact[lane] = source.contact;
    lanes.normal.set(lane, normal);
    lanes.root_a.set(lane, a.mass.root_mass);
    lanes.root_b.set(lane, b.mass.root_mass);
    lanes.bias_rate.set(lane, softness.bias_rate);
    lanes.mass_scale.set(lane, softness.mass_scale);
    lanes.impulse_scale.set(lane, softness.impulse_scale);
    lanes.restitution.set(lane, source.restitution);
    let count = manifold.points().len().min(P);
    let mut arms = [[Vec3::ZERO; 2]; 4];
    let mut centre = [Vec3::ZERO; 2];
    for (k, point) in manifold.points().iter().take(P).enumerate() {
        // Half-way between the surfaces, so that it does not matter which of them is the reference.
        let half = 0.5 * point.separation;
        arms[k] = [
            a.place.apply(point.on_a) + seen_a.normal * half,
            b.place.apply(point.on_b) - seen_b.normal * half,
        ];
        centre[0] += arms[k][0];
        centre[1] += arms[k][1];
    }
    let share = 1.0 / count.max(1) as f32;
    let centre = centre.map(|sum| sum * share);
    for (k, point) in manifold.points().iter().take(P).enumerate() {
        let [arm_a, arm_b] = arms[k];
        let turn_a = arm_a.cross(seen_a.normal) * a.mass.root_inertia;
        let turn_b = arm_b.cross(seen_b.normal) * b.mass.root_inertia;
        let out = &mut lanes.points[k];
        out.arm_a.set(lane, turn_a);
        out.arm_b.set(lane, turn_b);
        out.separation.set(lane, point.separation);
        out.mass.set(lane, inverse(roots + turn_a.length_squared() + turn_b.length_squared()));
        out.driven.set(lane, driven(b, arm_b, seen_b.normal) - driven(a, arm_a, seen_a.normal));
        out.impulse.set(lane, impulses.normal[k]);
        out.carried.set(lane, impulses.normal[k] * source.substeps);
        out.total.set(lane, 0.0);
        out.lever.set(lane, (arm_a - centre[0]).length());
    }
    for k in count..P {
        lanes.points[k].mass.set(lane, 0.0);
    }
    fill_friction(lanes, lane, source, tangents, [&seen_a, &seen_b], centre, roots);
}

fn inverse(value: f32) -> f32 {
    if value > 0.0 { 1.0 / value } else { 0.0 }
}

fn fill_friction<L: Lanes, const W: usize, const P: usize>(
    lanes: &mut ContactLanes<L, W, P>,
    lane: usize,
    source: &Source<'_>,
    tangents: [Vec3; 2],
    [seen_a, seen_b]: [&Seen; 2],
    [centre_a, centre_b]: [Vec3; 2],
    roots: f32,
) {
    let Source { a, b, impulses, .. } = source;
    let out = &mut lanes.friction;
    out.tangent.set(lane, tangents[0]);
    let mut turns = [[Vec3::ZERO; 2]; 2];
    for k in 0..2 {
        turns[k] = [
            centre_a.cross(seen_a.tangents[k]) * a.mass.root_inertia,
            centre_b.cross(seen_b.tangents[k]) * b.mass.root_inertia,
        ];
        out.arms_a[k].set(lane, turns[k][0]);
        out.arms_b[k].set(lane, turns[k][1]);
        out.driven[k].set(lane, driven(b, centre_b, seen_b.tangents[k]) - driven(a, centre_a, seen_a.tangents[k]));
        out.impulse[k].set(lane, impulses.friction.dot(tangents[k]));
    }
    let product = |i: usize, j: usize| turns[i][0].dot(turns[j][0]) + turns[i][1].dot(turns[j][1]);
    let (xx, xy, yy) = (roots + product(0, 0), product(0, 1), roots + product(1, 1));
    let inverse_determinant = inverse(xx * yy - xy * xy);
    out.mass[0].set(lane, yy * inverse_determinant);
    out.mass[1].set(lane, -xy * inverse_determinant);
    out.mass[2].set(lane, xx * inverse_determinant);
    let twist_a = seen_a.normal * a.mass.root_inertia;
    let twist_b = seen_b.normal * b.mass.root_inertia;
    out.twist_a.set(lane, twist_a);
    out.twist_b.set(lane, twist_b);
    let spin = |side: &Side<'_>, normal: Vec3| {
        if side.is_driven { side.motion.rotation.rotate_back(side.motion.spin).dot(normal) } else { 0.0 }
    };
    out.twist_driven.set(lane, spin(b, seen_b.normal) - spin(a, seen_a.normal));
    out.twist_mass.set(lane, inverse(twist_a.length_squared() + twist_b.length_squared()));
    out.twist_impulse.set(lane, impulses.twist);
    out.coefficient.set(lane, source.friction);
}

/// Reads the impulses of a lane, to start the next step with. Of points that bounced only what they carried before is left.
pub(crate) fn impulses_of<L: Lanes, const W: usize, const P: usize>(
    lanes: &ContactLanes<L, W, P>,
    lane: usize,
    substeps: f32,
    bounced: bool,
) -> Impulses {
    let mut impulses = Impulses::default();
    for (k, point) in lanes.points.iter().enumerate() {
        let is_gone = bounced && point.allowed.get(lane) > 0.0;
        impulses.normal[k] = if is_gone { point.carried.get(lane) / substeps } else { point.impulse.get(lane) };
    }
    let (normal, tangent) = (lanes.normal.get(lane), lanes.friction.tangent.get(lane));
    let [first, second] = lanes.friction.impulse.map(|lanes| lanes.get(lane));
    impulses.friction = tangent * first + normal.cross(tangent) * second;
    impulses.twist = lanes.friction.twist_impulse.get(lane);
    impulses
}
