//! Joints: anchors, axes, frames, limits and where they are.
//!
//! Ranges of angles are arcs about their axis with a line for the present angle, ranges along an
//! axis are lines with a point for the present place, and cones are cones. Ranges without end are
//! not drawn, or as whole circles.

use carom_core::trig::sin_cos;
use glam::{DVec3, Vec3};

use super::bodies::placement;
use super::canvas::Colour;
use super::pen::{Pen, Placement};
use crate::state::bodies::flag;
use crate::state::joint_def::{Axis, JointKind};
use crate::world::World;
use crate::world::joint_access::JointRef;

/// Lines from the tip of a cone to its rim.
const RIBS: usize = 8;

/// Draws all joints, in the order of their slots.
pub(super) fn draw(world: &World, pen: &mut Pen<'_>) {
    for joint in world.joints() {
        let anchors = joint.anchors();
        if !anchors.iter().any(|anchor| pen.shows(*anchor)) {
            continue;
        }
        let row = joint.row();
        let frames = [0, 1].map(|k| placement(world, row.bodies[k]).times(&row.frames[k]));
        let drawing = Drawing { joint, kind: joint.kind(), frames, holds: row.is_there };
        if pen.options.joints {
            drawing.lines(world, pen);
        }
        if pen.options.joint_frames {
            frames.iter().for_each(|frame| pen.frame(frame));
        }
        if pen.options.joint_limits {
            drawing.limits(pen);
        }
    }
}

/// A joint with the places of its frames.
struct Drawing<'w> {
    joint: JointRef<'w>,
    kind: JointKind,
    frames: [Placement; 2],
    /// Is it enabled, with both bodies?
    holds: bool,
}

impl Drawing<'_> {
    fn colour(&self, pen: &Pen<'_>, colour: Colour) -> Colour {
        if self.holds { colour } else { pen.options.colours.disabled }
    }

    /// From the bodies to the anchors and from anchor to anchor, and the axes that it turns about
    /// or slides along.
    fn lines(&self, world: &World, pen: &mut Pen<'_>) {
        let colour = self.colour(pen, pen.options.colours.joint);
        let [a, b] = self.frames.map(|frame| frame.position);
        for (slot, anchor) in self.joint.row().bodies.into_iter().zip([a, b]) {
            // What does not move has no middle of interest.
            if world.state.bodies.state[slot as usize].has(flag::DYNAMIC | flag::KINEMATIC) {
                pen.line(world.state.bodies.motion[slot as usize].position, anchor, colour);
            }
        }
        if a != b {
            pen.line(a, b, colour);
        }
        pen.out.point(a, colour);
        pen.out.point(b, colour);
        let [on_a, on_b] = self.frames.map(|frame| frame.axes());
        let axes: &[(DVec3, Vec3)] = match self.kind {
            JointKind::Hinge(_) | JointKind::Slider(_) => &[(a, on_a[0])],
            JointKind::Universal(_) => &[(a, on_a[0]), (b, on_b[1])],
            JointKind::Wheel { .. } => &[(a, on_a[1]), (b, on_b[0])],
            _ => &[],
        };
        let length = pen.options.axis_length;
        for (at, axis) in axes {
            let half = (*axis * length).as_dvec3();
            pen.line(*at - half, *at + half, colour);
        }
    }

    fn limits(&self, pen: &mut Pen<'_>) {
        let [a, b] = self.frames;
        let ([xa, ya, za], [xb, yb, _]) = (a.axes(), b.axes());
        match self.kind {
            JointKind::Distance { range, .. } => {
                let apart = (b.position - a.position).as_vec3();
                if let Some(along) = apart.try_normalize() {
                    self.span(pen, a.position, along, range, apart.length());
                }
            }
            JointKind::Ball { cone, twist, .. } => {
                if let Some(angle) = cone {
                    self.cone(pen, &a, angle, xb);
                }
                if let Some(range) = twist {
                    self.swing(pen, a.position, [ya, za], range, turned(ya, za, self.joint.angle()));
                }
            }
            JointKind::Hinge(axis) => {
                self.about(pen, &axis, a.position, [ya, za], turned(ya, za, self.joint.angle()));
            }
            JointKind::Slider(axis) => self.along(pen, &axis, xa),
            JointKind::Fixed { .. } => {}
            JointKind::Universal([first, second]) => {
                self.about(pen, &first, a.position, [ya, za], yb);
                // What the second axis starts from turns about the first.
                self.about(pen, &second, b.position, [-xa.cross(yb).cross(yb), -xa.cross(yb)], xb);
            }
            JointKind::Wheel { suspension, steering, .. } => {
                self.along(pen, &suspension, ya);
                self.about(pen, &steering, b.position, [xa, -za], xb - ya * ya.dot(xb));
            }
            JointKind::SixAxis { linear, angular } => {
                let rotation = (a.rotation.inverse() * b.rotation).to_rotation_vector();
                let axes = [xa, ya, za];
                for k in 0..3 {
                    self.along(pen, &linear[k], axes[k]);
                    let (u, v) = (axes[(k + 1) % 3], axes[(k + 2) % 3]);
                    self.about(pen, &angular[k], a.position, [u, v], turned(u, v, rotation[k]));
                }
            }
        }
    }

    /// How far an axis may slide, and where it is.
    fn along(&self, pen: &mut Pen<'_>, axis: &Axis, direction: Vec3) {
        if let Some(range) = axis.range.filter(|_| !axis.is_locked) {
            let [a, b] = self.frames.map(|frame| frame.position);
            self.span(pen, a, direction, range, (b - a).as_vec3().dot(direction));
        }
    }

    /// How far an axis may turn, and where it is.
    fn about(&self, pen: &mut Pen<'_>, axis: &Axis, at: DVec3, plane: [Vec3; 2], now: Vec3) {
        if let Some(range) = axis.range.filter(|_| !axis.is_locked) {
            self.swing(pen, at, plane, range, now);
        }
    }

    /// A range along a line, from a place of its own, and a point within it.
    fn span(&self, pen: &mut Pen<'_>, from: DVec3, along: Vec3, [low, high]: [f32; 2], now: f32) {
        let colour = self.colour(pen, pen.options.colours.limit);
        let at = |distance: f32| from + (along * distance).as_dvec3();
        pen.out.point(at(now), colour);
        let ends = [low, high].map(|end| if end.is_finite() { end } else { now });
        pen.line(at(ends[0]), at(ends[1]), colour);
        // Short lines across the ends that there are.
        let across = along.any_orthonormal_pair();
        for end in [low, high].into_iter().filter(|end| end.is_finite()) {
            for side in [across.0, across.1] {
                let half = (side * (0.25 * pen.options.axis_length)).as_dvec3();
                pen.line(at(end) - half, at(end) + half, colour);
            }
        }
    }

    /// A range of angles in a plane, and a direction within it.
    fn swing(&self, pen: &mut Pen<'_>, at: DVec3, plane: [Vec3; 2], range: [f32; 2], now: Vec3) {
        let (colour, radius) = (self.colour(pen, pen.options.colours.limit), pen.options.axis_length);
        pen.arc(at, plane.map(|axis| axis * radius), range, colour);
        pen.vector(at, now.normalize_or_zero() * radius, self.colour(pen, pen.options.colours.joint));
    }

    /// The cone that an axis stays in, and the axis.
    fn cone(&self, pen: &mut Pen<'_>, frame: &Placement, angle: f32, now: Vec3) {
        let (colour, radius) = (self.colour(pen, pen.options.colours.limit), pen.options.axis_length);
        let (sine, cosine) = sin_cos(angle);
        let [x, y, z] = frame.axes();
        let centre = frame.position + (x * (radius * cosine)).as_dvec3();
        pen.ring(centre, [y * (radius * sine), z * (radius * sine)], colour);
        for k in 0..RIBS {
            let (s, c) = sin_cos(std::f32::consts::TAU * k as f32 / RIBS as f32);
            let rim = (y * c + z * s) * (radius * sine);
            pen.line(frame.position, centre + rim.as_dvec3(), colour);
        }
        pen.vector(frame.position, now * radius, self.colour(pen, pen.options.colours.joint));
    }
}

/// A direction in a plane.
fn turned(x: Vec3, y: Vec3, angle: f32) -> Vec3 {
    let (sine, cosine) = sin_cos(angle);
    x * cosine + y * sine
}
