//! Draws figures that consist of several lines: circles, arcs, frames, boxes.

use carom_core::trig::sin_cos;
use carom_geometry::{Aabb, Pose, Rotation};
use glam::{DVec3, Vec3};

use super::canvas::{Colour, DebugDraw};
use super::options::DebugDrawOptions;

/// Where something is in the world.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placement {
    pub(super) position: DVec3,
    pub(super) rotation: Rotation,
}

impl Placement {
    /// Where something on it is.
    pub(super) fn times(&self, local: &Pose) -> Self {
        Self { position: self.apply(local.translation), rotation: self.rotation * local.rotation }
    }

    /// World coordinates of a point on it.
    pub(super) fn apply(&self, point: Vec3) -> DVec3 {
        self.position + self.rotation.rotate(point).as_dvec3()
    }

    /// Its axes in the world.
    pub(super) fn axes(&self) -> [Vec3; 3] {
        Vec3::AXES.map(|axis| self.rotation.rotate(axis))
    }
}

/// What draws, with the options and a circle that is computed once.
pub(super) struct Pen<'a> {
    pub(super) out: &'a mut dyn DebugDraw,
    pub(super) options: &'a DebugDrawOptions,
    /// Cosine and sine; the first is repeated at the end.
    circle: Vec<[f32; 2]>,
}

impl<'a> Pen<'a> {
    pub(super) fn new(out: &'a mut dyn DebugDraw, options: &'a DebugDrawOptions) -> Self {
        let quarter = options.segments.clamp(1, DebugDrawOptions::MOST_SEGMENTS).div_ceil(4);
        let first = (0..quarter).map(|k| {
            let (sine, cosine) = sin_cos(std::f32::consts::FRAC_PI_2 * k as f32 / quarter as f32);
            [cosine, sine]
        });
        // The other quarters by turning the first: symmetric to the bit.
        let mut circle: Vec<[f32; 2]> = first.collect();
        for k in 0..3 * quarter as usize {
            let [x, y] = circle[k];
            circle.push([-y, x]);
        }
        circle.push(circle[0]);
        Self { out, options, circle }
    }

    /// Points of a circle of radius 1, the first again at the end; four divides their number.
    pub(super) fn circle(&self) -> &[[f32; 2]] {
        &self.circle
    }

    pub(super) fn line(&mut self, from: DVec3, to: DVec3, colour: Colour) {
        self.out.line([from, to], colour);
    }

    /// A line from a place along a vector.
    pub(super) fn vector(&mut self, from: DVec3, along: Vec3, colour: Colour) {
        self.line(from, from + along.as_dvec3(), colour);
    }

    /// A circle about a place, in the plane of two vectors.
    pub(super) fn ring(&mut self, centre: DVec3, [x, y]: [Vec3; 2], colour: Colour) {
        for k in 1..self.circle.len() {
            let ends = [self.circle[k - 1], self.circle[k]].map(|[c, s]| centre + (x * c + y * s).as_dvec3());
            self.out.line(ends, colour);
        }
    }

    /// A part of such a circle between two angles, and the lines to its ends. A whole turn and more
    /// is a circle.
    pub(super) fn arc(&mut self, centre: DVec3, [x, y]: [Vec3; 2], [from, to]: [f32; 2], colour: Colour) {
        let span = to - from;
        // Without bounds on either side, too.
        if span.is_nan() || span >= std::f32::consts::TAU {
            return self.ring(centre, [x, y], colour);
        }
        let at = |angle: f32| {
            let (sine, cosine) = sin_cos(angle);
            centre + (x * cosine + y * sine).as_dvec3()
        };
        let step = std::f32::consts::TAU / (self.circle.len() - 1) as f32;
        let parts = ((span / step).ceil() as u32).max(1);
        let mut last = at(from);
        self.line(centre, last, colour);
        for k in 1..=parts {
            let next = at(from + span * (k as f32 / parts as f32));
            self.line(last, next, colour);
            last = next;
        }
        self.line(last, centre, colour);
    }

    /// The axes of a frame, as long as the options say.
    pub(super) fn frame(&mut self, place: &Placement) {
        let (length, colours) = (self.options.axis_length, self.options.colours.axes);
        for (axis, colour) in place.axes().into_iter().zip(colours) {
            self.vector(place.position, axis * length, colour);
        }
    }

    /// The edges of a box given by two corners, placed.
    pub(super) fn cuboid(&mut self, low: Vec3, high: Vec3, place: impl Fn(Vec3) -> DVec3, colour: Colour) {
        let corner = |bits: usize| {
            let side = |axis: usize| if bits >> axis & 1 == 1 { high[axis] } else { low[axis] };
            place(Vec3::new(side(0), side(1), side(2)))
        };
        for axis in 0..3 {
            for bits in (0..8).filter(|bits| bits >> axis & 1 == 0) {
                self.line(corner(bits), corner(bits | 1 << axis), colour);
            }
        }
    }

    /// A box along the axes. What has no end is cut off where planes are.
    pub(super) fn aabb(&mut self, aabb: &Aabb<3>, colour: Colour) {
        let reach = self.options.plane_reach;
        let cut =
            |v: Vec3, end: f32| Vec3::from_array(v.to_array().map(|x| if x.is_finite() { x } else { end }));
        let (low, high) = (cut(aabb.low(), -reach), cut(aabb.high(), reach));
        self.cuboid(low, high, Vec3::as_dvec3, colour);
    }

    /// Is a point within the region that is drawn?
    pub(super) fn shows(&self, point: DVec3) -> bool {
        let Some(region) = &self.options.region else { return true };
        let point = point.as_vec3();
        point.cmpge(region.low()).all() && point.cmple(region.high()).all()
    }

    /// May something in a box be within the region that is drawn?
    pub(super) fn shows_box(&self, aabb: &Aabb<3>) -> bool {
        self.options.region.is_none_or(|region| region.overlaps(aabb))
    }
}
