//! From manifolds to lanes of constraints.
//!
//! A contact is first put into a lane as it comes ([`RawLanes::put`]), one at a time; Jacobians and
//! masses are then computed for all lanes of a group at once ([`RawLanes::prepare`]).

use carom_core::simd::{SimdQuat, SimdVec3};
use carom_geometry::Pose;
use carom_narrowphase::Manifold;
use glam::Vec3;

use super::bounce::BounceLanes;
use super::contact::{ContactLanes, DrivenLanes, NO_CONTACT};
use super::lanes::SolverLanes;
use super::limit_surface::{self, LEVER_OF_AREA, LEVER_OF_LINE};
use super::rolling::{Rolling, RollingLanes};
use super::rows::FIXED;
use super::softness::Softness;
use crate::state::impulses::Impulses;
use crate::state::motion::{InverseMass, Motion};

/// One body of a contact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Side<'a> {
    /// Its row.
    pub(crate) row: u32,
    /// Place and velocity.
    pub(crate) motion: &'a Motion,
    /// Inverse roots of its masses.
    pub(crate) mass: &'a InverseMass,
    /// The shape in the frame of the body, unless they are the same.
    pub(crate) local_pose: Option<&'a Pose>,
    /// True for kinematic bodies: their velocity counts although nothing moves them.
    pub(crate) is_driven: bool,
}

impl Side<'_> {
    /// A point of the shape, in the frame of the body.
    #[inline(always)]
    fn point(&self, point: Vec3) -> Vec3 {
        self.local_pose.map_or(point, |place| place.apply(point))
    }

    /// A direction.
    #[inline(always)]
    fn direction(&self, direction: Vec3) -> Vec3 {
        self.local_pose.map_or(direction, |place| place.rotation.rotate(direction))
    }
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
    pub(crate) impulses: Impulses,
    /// Coulomb's coefficient of the pair.
    pub(crate) friction: f32,
    /// Share of the approaching speed given back.
    pub(crate) restitution: f32,
    /// Substeps of a step.
    pub(crate) substeps: f32,
    /// How softly overlaps are pushed apart.
    pub(crate) softness: Softness,
    /// Lever arms against rolling and spinning.
    pub(crate) rolling: [f32; 2],
    /// Velocity of the second surface against the first, besides that of the bodies.
    pub(crate) surface_velocity: Vec3,
    /// A bit for each point that is not solved.
    pub(crate) disabled_points: u8,
}

impl Source<'_> {
    /// Is a point solved?
    #[inline(always)]
    fn has(&self, point: usize) -> bool {
        self.disabled_points >> point & 1 == 0
    }

    /// How many of so many points are solved, at least one.
    #[inline(always)]
    fn count(&self, points: usize) -> f32 {
        let disabled = self.disabled_points & ((1 << points) - 1) as u8;
        (points - disabled.count_ones() as usize).max(1) as f32
    }

    /// Its rolling resistance.
    fn rolling(&self) -> Rolling {
        let of = |side: &Side<'_>| if side.is_driven { side.motion.angular_velocity } else { Vec3::ZERO };
        Rolling { arms: self.rolling, impulse: self.impulses.rolling, kinematic: of(&self.b) - of(&self.a) }
    }
}

/// What is filled with some contacts only.
pub(crate) struct MutExtras<'a, L, const P: usize> {
    pub(crate) driven: Option<&'a mut DrivenLanes<L, P>>,
    pub(crate) bounce: Option<&'a mut BounceLanes<L, P>>,
    pub(crate) rolling: Option<&'a mut RollingLanes<L>>,
}

/// A contact as it comes, in lanes: what [`RawLanes::prepare`] makes Jacobians and masses of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RawLanes<L, const P: usize> {
    /// Orientation of the first body.
    rotation_a: SimdQuat<L>,
    /// Orientation of the second body.
    rotation_b: SimdQuat<L>,
    /// 1/√I of the first body.
    root_a: SimdVec3<L>,
    /// 1/√I of the second body.
    root_b: SimdVec3<L>,
    /// Normal in the frame of the first body.
    normal: SimdVec3<L>,
    /// Points on the first shape, in the frame of its body.
    on_a: [SimdVec3<L>; P],
    /// Points on the second shape, in the frame of its body.
    on_b: [SimdVec3<L>; P],
    /// 1 where there is a point, 0 elsewhere.
    is_there: [L; P],
    /// 1 / number of points.
    share: L,
    /// Impulse of friction of the last step, in world axes.
    friction: SimdVec3<L>,
}

impl<L: SolverLanes, const P: usize> Default for RawLanes<L, P> {
    fn default() -> Self {
        Self {
            rotation_a: SimdQuat::default(),
            rotation_b: SimdQuat::default(),
            root_a: SimdVec3::default(),
            root_b: SimdVec3::default(),
            normal: SimdVec3::default(),
            on_a: [SimdVec3::default(); P],
            on_b: [SimdVec3::default(); P],
            is_there: [L::default(); P],
            share: L::default(),
            friction: SimdVec3::default(),
        }
    }
}

impl<L: SolverLanes, const P: usize> RawLanes<L, P> {
    /// Writes a contact into a lane, here and into what goes to `lanes` as it is.
    #[inline]
    pub(crate) fn put<const W: usize>(
        &mut self,
        lanes: &mut ContactLanes<L, W, P>,
        lane: usize,
        source: &Source<'_>,
        extras: MutExtras<'_, L, P>,
    ) {
        let Source { a, b, manifold, impulses, softness, .. } = source;
        self.rotation_a.set(lane, a.motion.rotation.to_xyzw());
        self.rotation_b.set(lane, b.motion.rotation.to_xyzw());
        self.root_a.set(lane, a.mass.root_inertia);
        self.root_b.set(lane, b.mass.root_inertia);
        self.normal.set(lane, a.direction(manifold.normal));
        self.friction.set(lane, impulses.friction);
        let points = &manifold.points()[..manifold.points().len().min(P)];
        self.share.set(lane, 1.0 / source.count(points.len()));
        lanes.a[lane] = a.row;
        lanes.b[lane] = b.row;
        lanes.contact[lane] = source.contact;
        lanes.root_a.set(lane, a.mass.root_mass);
        lanes.root_b.set(lane, b.mass.root_mass);
        lanes.bias_rate.set(lane, softness.bias_rate);
        lanes.mass_scale.set(lane, softness.mass_scale);
        lanes.impulse_scale.set(lane, softness.impulse_scale);
        lanes.friction.coefficient.set(lane, source.friction);
        lanes.friction.twist_impulse.set(lane, impulses.twist);
        for (k, point) in points.iter().enumerate() {
            self.on_a[k].set(lane, a.point(point.on_a));
            self.on_b[k].set(lane, b.point(point.on_b));
            self.is_there[k].set(lane, 1.0);
            let out = &mut lanes.points[k];
            out.separation.set(lane, point.separation);
            out.impulse.set(lane, impulses.normal[k]);
        }
        for k in points.len()..P {
            self.blank_point(lanes, lane, k);
        }
        if source.disabled_points != 0 {
            for k in (0..points.len()).filter(|k| !source.has(*k)) {
                self.blank_point(lanes, lane, k);
            }
        }
        if let Some(bounce) = extras.bounce {
            bounce.restitution.set(lane, source.restitution);
            for k in 0..P {
                let carried = if k < points.len() { impulses.normal[k] * source.substeps } else { 0.0 };
                bounce.carried[k].set(lane, carried);
                bounce.total[k].set(lane, 0.0);
            }
        }
        if let Some(driven) = extras.driven {
            drive(driven, lane, source);
        }
        if let Some(rolling) = extras.rolling {
            rolling.put(lane, &source.rolling());
        }
    }

    /// No contact in a lane: whatever is left there of earlier steps moves nothing.
    pub(crate) fn blank<const W: usize>(
        &mut self,
        lanes: &mut ContactLanes<L, W, P>,
        lane: usize,
        extras: MutExtras<'_, L, P>,
    ) {
        lanes.a[lane] = FIXED;
        lanes.b[lane] = FIXED;
        lanes.contact[lane] = NO_CONTACT;
        lanes.friction.coefficient.set(lane, 0.0);
        lanes.friction.twist_impulse.set(lane, 0.0);
        self.friction.set(lane, Vec3::ZERO);
        self.root_a.set(lane, Vec3::ZERO);
        self.root_b.set(lane, Vec3::ZERO);
        for k in 0..P {
            self.blank_point(lanes, lane, k);
        }
        if let Some(bounce) = extras.bounce {
            bounce.restitution.set(lane, 0.0);
        }
        if let Some(rolling) = extras.rolling {
            rolling.put(lane, &Rolling::default());
        }
    }

    fn blank_point<const W: usize>(&mut self, lanes: &mut ContactLanes<L, W, P>, lane: usize, k: usize) {
        self.on_a[k].set(lane, Vec3::ZERO);
        self.on_b[k].set(lane, Vec3::ZERO);
        self.is_there[k].set(lane, 0.0);
        lanes.points[k].separation.set(lane, 0.0);
        lanes.points[k].impulse.set(lane, 0.0);
    }

    /// Jacobians and masses of all lanes.
    #[inline(always)]
    pub(crate) fn prepare<const W: usize>(
        &self,
        lanes: &mut ContactLanes<L, W, P>,
        rolling: Option<&mut RollingLanes<L>>,
    ) {
        let normal = self.rotation_a.rotate(self.normal);
        let tangent = across(&normal);
        let second = normal.cross(tangent);
        let (normal_a, normal_b) = (&self.normal, &self.rotation_b.rotate_back(normal));
        let (tangent_a, tangent_b) =
            (self.rotation_a.rotate_back(tangent), self.rotation_b.rotate_back(tangent));
        let tangents_a = [tangent_a, normal_a.cross(tangent_a)];
        let tangents_b = [tangent_b, normal_b.cross(tangent_b)];
        let roots = lanes.root_a * lanes.root_a + lanes.root_b * lanes.root_b;
        let half = L::splat(0.5);
        let mut arms_a = self.on_a;
        let mut arms_b = self.on_b;
        let (mut centre_a, mut centre_b) = (SimdVec3::default(), SimdVec3::default());
        let mut pressure = L::splat(0.0);
        for point in &lanes.points {
            pressure = pressure + point.impulse;
        }
        for k in 0..P {
            // Half-way between the surfaces, so that it does not matter which of them is the
            // reference.
            let middle = half * lanes.points[k].separation;
            arms_a[k].add_scaled(middle, *normal_a);
            arms_b[k].add_scaled(-middle, *normal_b);
            // Friction acts where the contact is pressed, by the last step.
            let weight =
                pressure.if_positive(lanes.points[k].impulse / pressure, self.share * self.is_there[k]);
            centre_a.add_scaled(weight, arms_a[k]);
            centre_b.add_scaled(weight, arms_b[k]);
        }
        let mut lever = L::splat(0.0);
        for k in 0..P {
            let out = &mut lanes.points[k];
            out.arm_a = arms_a[k].cross(*normal_a).component_mul(self.root_a);
            out.arm_b = arms_b[k].cross(*normal_b).component_mul(self.root_b);
            let inverse = roots + out.arm_a.dot(out.arm_a) + out.arm_b.dot(out.arm_b);
            out.mass = inverse.if_positive(self.is_there[k] / inverse, L::splat(0.0));
            let from_centre = arms_a[k] - centre_a;
            lever = lever + self.is_there[k] * from_centre.dot(from_centre).sqrt();
        }
        let out = &mut lanes.friction;
        let of_corners = if P > 2 { LEVER_OF_AREA } else { LEVER_OF_LINE };
        out.lever = if P > 1 { lever * self.share * L::splat(of_corners) } else { L::splat(0.0) };
        out.tangent = tangent;
        for k in 0..2 {
            out.arms_a[k] = centre_a.cross(tangents_a[k]).component_mul(self.root_a);
            out.arms_b[k] = centre_b.cross(tangents_b[k]).component_mul(self.root_b);
        }
        let xx = roots + out.arms_a[0].dot(out.arms_a[0]) + out.arms_b[0].dot(out.arms_b[0]);
        let xy = out.arms_a[0].dot(out.arms_a[1]) + out.arms_b[0].dot(out.arms_b[1]);
        let yy = roots + out.arms_a[1].dot(out.arms_a[1]) + out.arms_b[1].dot(out.arms_b[1]);
        let determinant = xx * yy - xy * xy;
        let inverse = determinant.if_positive(L::splat(1.0) / determinant, L::splat(0.0));
        out.mass = [yy * inverse, -(xy * inverse), xx * inverse];
        // What bounded the impulses of the last step may be gone, and what is applied once is not
        // looked at before the relaxing sweep: they begin within their bounds.
        let limit = out.coefficient * pressure;
        let [x, y] = [tangent.dot(self.friction), second.dot(self.friction)];
        let twist = out.lever.if_positive(out.twist_impulse / out.lever, L::splat(0.0));
        let [x, y, twist] = limit_surface::bounded([x, y, twist], limit);
        out.impulse = [x, y];
        out.total = [L::splat(0.0); 3];
        out.twist_impulse = twist;
        out.twist_a = normal_a.component_mul(self.root_a).scaled(out.lever);
        out.twist_b = normal_b.component_mul(self.root_b).scaled(out.lever);
        let inverse = out.twist_a.dot(out.twist_a) + out.twist_b.dot(out.twist_b);
        out.twist_mass = inverse.if_positive(L::splat(1.0) / inverse, L::splat(0.0));
        lanes.normal = normal;
        if let Some(rolling) = rolling {
            let along = |directions: [SimdVec3<L>; 2], normal: &SimdVec3<L>, root: SimdVec3<L>| {
                // Written out: `array::map` stays a call, see `Kernel::run`.
                let [x, y] = directions;
                [x.component_mul(root), y.component_mul(root), normal.component_mul(root)]
            };
            rolling.axes_a = along(tangents_a, normal_a, self.root_a);
            rolling.axes_b = along(tangents_b, normal_b, self.root_b);
            rolling.prepare([&tangent, &second, &normal], pressure);
        }
    }
}

/// A unit vector across another one, the same for equal input: the coordinate axis farthest from it
/// decides.
#[inline(always)]
fn across<L: SolverLanes>(normal: &SimdVec3<L>) -> SimdVec3<L> {
    let nothing = L::splat(0.0);
    let off_x = L::splat(0.36) - normal.x * normal.x;
    let x = off_x.if_positive(nothing, normal.z);
    let y = off_x.if_positive(-normal.z, nothing);
    let z = off_x.if_positive(normal.y, -normal.x);
    let length = (x * x + y * y + z * z).sqrt();
    // SolverLanes without a contact have no normal.
    let inverse = length.if_positive(L::splat(1.0) / length, nothing);
    SimdVec3 { x: x * inverse, y: y * inverse, z: z * inverse }
}

/// What kinematic bodies and moving surfaces bring: velocities along normal, tangents and twist.
fn drive<L: SolverLanes, const P: usize>(driven: &mut DrivenLanes<L, P>, lane: usize, source: &Source<'_>) {
    let Source { a, b, manifold, .. } = source;
    let mut raw = RawLanes::<f32, P>::default();
    raw.normal.set(0, a.direction(manifold.normal));
    raw.rotation_a.set(0, a.motion.rotation.to_xyzw());
    let normal = raw.rotation_a.rotate(raw.normal);
    let tangent = across(&normal);
    let second = normal.cross(tangent).get(0);
    let (normal, tangent) = (normal.get(0), tangent.get(0));
    // The velocity of a point, given relative to the body in its frame.
    let velocity = |side: &Side<'_>, point: Vec3| {
        let moves =
            side.motion.velocity + side.motion.angular_velocity.cross(side.motion.rotation.rotate(point));
        if side.is_driven { moves } else { Vec3::ZERO }
    };
    let angular_velocity =
        |side: &Side<'_>| if side.is_driven { side.motion.angular_velocity } else { Vec3::ZERO };
    let points = &manifold.points()[..manifold.points().len().min(P)];
    let mut mean = source.surface_velocity;
    for (k, lanes) in driven.points.iter_mut().enumerate() {
        let speed = points
            .get(k)
            .map_or(Vec3::ZERO, |point| velocity(b, b.point(point.on_b)) - velocity(a, a.point(point.on_a)));
        lanes.set(lane, speed.dot(normal));
        if source.has(k) {
            mean += speed / source.count(points.len());
        }
    }
    driven.tangents[0].set(lane, mean.dot(tangent));
    driven.tangents[1].set(lane, mean.dot(second));
    driven.twist.set(lane, (angular_velocity(b) - angular_velocity(a)).dot(normal));
}

/// Reads the impulses of a lane, to start the next step with. Of points that bounced only what they
/// carried before is left.
pub(crate) fn impulses_of<L: SolverLanes, const W: usize, const P: usize>(
    lanes: &ContactLanes<L, W, P>,
    bounce: Option<&BounceLanes<L, P>>,
    rolling: Option<&RollingLanes<L>>,
    lane: usize,
    substeps: f32,
) -> Impulses {
    let mut impulses = Impulses::default();
    for (k, point) in lanes.points.iter().enumerate() {
        impulses.normal[k] = match bounce {
            Some(bounce) if point.allowed.get(lane) > 0.0 => bounce.carried[k].get(lane) / substeps,
            _ => point.impulse.get(lane),
        };
    }
    let (normal, tangent) = (lanes.normal.get(lane), lanes.friction.tangent.get(lane));
    let [first, second] = lanes.friction.impulse.map(|lanes| lanes.get(lane));
    impulses.friction = tangent * first + normal.cross(tangent) * second;
    let [pressure, first, second] = lanes.friction.total.map(|lanes| lanes.get(lane));
    impulses.total_normal = match bounce {
        Some(bounce) if lanes.points.iter().any(|point| point.allowed.get(lane) > 0.0) => {
            bounce.total.iter().map(|point| point.get(lane)).sum()
        }
        _ => pressure,
    };
    impulses.total_friction = tangent * first + normal.cross(tangent) * second;
    impulses.twist = lanes.friction.twist_impulse.get(lane) * lanes.friction.lever.get(lane);
    if let Some(rolling) = rolling {
        impulses.rolling = rolling.impulse_of(lane, [tangent, normal.cross(tangent), normal]);
    }
    impulses
}
