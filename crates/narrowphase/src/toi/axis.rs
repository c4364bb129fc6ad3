//! How long an axis separates two moving shapes.
//!
//! Along a unit vector n, fixed in space, a point of a body is at
//! `n·P(t) + A + B cos θt + C sin θt`: the pivot moves evenly and the arm turns. If k is the sine
//! between n and the axis of the turning and R the largest arm (the distance of a point of the core
//! from that axis), the arm moves along n by at most kRθ per unit time, and its second derivative
//! is at most kRθ². The gap between two shapes is the least difference over all pairs of their
//! points. So, from its value at one time or at two:
//!
//! * it does not fall faster than the pivots approach plus the two arms move (first order,
//!   [`Axis::surely_clear_alone`]);
//! * between two times it lies nowhere below the chord by more than M/2 times the distances in time
//!   from both, where M is the sum of the second derivatives (second order,
//!   [`Axis::surely_clear`]): each pair of points obeys this, and at both times no pair has less
//!   than the gap.
//!
//! The second bound makes a rigorous secant method: it needs two support points per evaluation and
//! converges like a root finder, while the first keeps steps from vanishing. Balls round the cores
//! do not turn: a radius moves nothing.
//!
//! A shape that turns with its flat face close to the other tilts a fixed axis out of use at once.
//! There the axis turns with the body. Its own points do not move along it then. For a point of the
//! other, y away from the pivot of the body, the derivatives of `n·y` are bounded by those of its
//! factors: n turns by kθ and bends by kθ², y moves no faster than pivot and arm of the other
//! together and bends by Rθ² of the other.

use carom_geometry::bounds::motion::Motion;
use carom_geometry::{Pose, Real, Rotation, Vector};
use glam::DVec3;

use super::Limits;
use crate::Convex;

/// Evaluations of the gap on one axis, after which a new axis is better.
const MAX_STEPS: u32 = 24;

/// Part of the motion that an axis must last for others not to be tried.
const SHORT: f64 = 1.0 / 32.0;

/// A shape with its motion in `f64`.
pub(crate) struct Body<'q, S: Real, C: ?Sized> {
    pub(crate) shape: &'q C,
    motion: Motion<f64>,
    pivot_at_start: DVec3,
    /// Largest distance of a point of the core from the line that it turns about.
    arm: f64,
    radius: f64,
    scalar: std::marker::PhantomData<S>,
}

impl<'q, S: Real, C: Convex<S> + ?Sized> Body<'q, S, C> {
    /// `None` if a number is not finite.
    pub(crate) fn new(shape: &'q C, motion: &Motion<f64>) -> Option<Self> {
        let axis = motion.axis.unit().unwrap_or(DVec3::X);
        let motion = Motion { axis, angle: Real::max(motion.angle, 0.0), ..*motion };
        let (start, pivot) = (motion.start, motion.pivot);
        let arm = if motion.angle > 0.0 {
            longest_arm(shape, pivot, start.rotation.rotate_back(axis))
        } else {
            0.0
        };
        let pivot_at_start = start.apply(pivot);
        let radius = shape.radius().to_f64();
        let sum = (arm + radius) * (1.0 + motion.angle);
        let finite = pivot_at_start.is_finite() && motion.displacement.is_finite() && sum.is_finite();
        finite.then_some(Self {
            shape,
            motion,
            pivot_at_start,
            arm,
            radius,
            scalar: std::marker::PhantomData,
        })
    }

    /// Does turning move no point of the core?
    #[inline]
    pub(crate) fn keeps_still(&self) -> bool {
        self.arm == 0.0 || self.motion.angle == 0.0
    }

    #[inline]
    pub(crate) fn displacement(&self) -> DVec3 {
        self.motion.displacement
    }

    #[inline]
    pub(crate) fn pose(&self, t: f64) -> Pose<f64> {
        if self.motion.angle == 0.0 {
            let translation = self.motion.start.translation + self.motion.displacement * t;
            return Pose::new(translation, self.motion.start.rotation);
        }
        let rotation = self.rotation(t);
        let pivot = self.pivot_at_start + self.motion.displacement * t;
        Pose::new(pivot - rotation.rotate(self.motion.pivot), rotation)
    }

    #[inline]
    fn rotation(&self, t: f64) -> Rotation<f64> {
        if self.motion.angle == 0.0 {
            return self.motion.start.rotation;
        }
        Rotation::about_axis(self.motion.axis, self.motion.angle * t) * self.motion.start.rotation
    }

    /// How far the shape reaches along a unit vector at a time.
    #[inline]
    fn extent(&self, t: f64, direction: DVec3, hint: &mut u32) -> f64 {
        let local = self.rotation(t).rotate_back(direction);
        let support = self.shape.core_support(local.to::<S>(), hint).to::<f64>();
        let pivot = self.pivot_at_start + self.motion.displacement * t;
        direction.dot(pivot) + local.dot(support - self.motion.pivot) + self.radius
    }

    /// The point of the shape that is farthest along a unit vector at a time.
    pub(crate) fn farthest(&self, t: f64, direction: DVec3) -> DVec3 {
        let pose = self.pose(t);
        let (local, mut hint) = (pose.rotation.rotate_back(direction), u32::MAX);
        let support = self.shape.core_support(local.to::<S>(), &mut hint).to::<f64>();
        pose.apply(support) + direction * self.radius
    }

    /// Largest speed of the arm along a unit vector, and its largest second derivative.
    #[inline]
    fn turning_along(&self, direction: DVec3) -> [f64; 2] {
        let speed = self.motion.axis.cross(direction).length() * self.arm * self.motion.angle;
        [speed, speed * self.motion.angle]
    }

    /// No point of the core is farther from the pivot.
    fn longest_way(&self) -> f64 {
        let axis = self.motion.start.rotation.rotate_back(self.motion.axis);
        let across = longest_arm(self.shape, self.motion.pivot, axis);
        let along = longest_arm(self.shape, self.motion.pivot, axis.frame().0);
        (across * across + along * along).sqrt()
    }

    /// Least rate and largest second derivative of a gap to another body along an axis that turns
    /// with this one.
    fn bounds_if_attached<O: Convex<S> + ?Sized>(&self, other: &Body<'_, S, O>, normal: DVec3) -> [f64; 2] {
        let turning = self.motion.axis.cross(normal).length() * self.motion.angle;
        let displacement = other.motion.displacement - self.motion.displacement;
        let speed = displacement.length() + other.arm * other.motion.angle;
        // From pivot to pivot it is farthest at one of the ends.
        let between = other.pivot_at_start - self.pivot_at_start;
        let pivots = Real::max(between.length(), (between + displacement).length());
        let way = pivots + other.longest_way();
        let other_bend = other.arm * other.motion.angle * other.motion.angle;
        [-(turning * way + speed), turning * self.motion.angle * way + 2.0 * turning * speed + other_bend]
    }
}

/// No point of the core is farther from the line through the pivot.
fn longest_arm<S: Real, C: Convex<S> + ?Sized>(shape: &C, pivot: DVec3, axis: DVec3) -> f64 {
    let (u, v) = axis.frame();
    let reach = |direction: DVec3| {
        let along = |d: DVec3| d.dot(shape.core_support(d.to::<S>(), &mut 0).to::<f64>() - pivot);
        Real::max(along(direction).abs(), along(-direction).abs())
    };
    let (u, v) = (reach(u), reach(v));
    // Directions are rounded to the scalar of the shape.
    (u * u + v * v).sqrt() * (1.0 + 8.0 * S::EPSILON.to_f64())
}

/// How far an axis led.
pub(crate) enum Reached {
    /// The shapes are not closer than the target distance until the end.
    End,
    /// They are not until this time.
    Time(f64),
}

/// What an axis turns with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Frame {
    Space,
    First,
    Second,
}

/// A direction from the first shape to the second.
pub(crate) struct Axis<'q, S: Real, A: ?Sized, B: ?Sized> {
    a: &'q Body<'q, S, A>,
    b: &'q Body<'q, S, B>,
    /// At the time `since`.
    normal: DVec3,
    since: f64,
    frame: Frame,
    hints: [u32; 2],
    /// The least that the gap grows by per unit time; mostly below zero.
    rate: f64,
    /// Sum of the largest second derivatives.
    bend: f64,
}

impl<'q, S: Real, A: Convex<S> + ?Sized, B: Convex<S> + ?Sized> Axis<'q, S, A, B> {
    /// The axis that is `normal` at the time `since`, fixed in space.
    pub(crate) fn new(a: &'q Body<'q, S, A>, b: &'q Body<'q, S, B>, normal: DVec3, since: f64) -> Self {
        let ([speed_a, bend_a], [speed_b, bend_b]) = (a.turning_along(normal), b.turning_along(normal));
        let apart = normal.dot(b.motion.displacement - a.motion.displacement);
        let (rate, bend) = (apart - speed_a - speed_b, bend_a + bend_b);
        Self { a, b, normal, since, frame: Frame::Space, hints: [u32::MAX; 2], rate, bend }
    }

    /// The axis that turns with the first body and is `local` in its frame, from a time on.
    pub(crate) fn of_first(a: &'q Body<'q, S, A>, b: &'q Body<'q, S, B>, local: DVec3, since: f64) -> Self {
        let normal = a.rotation(since).rotate(local);
        let in_space = Self::new(a, b, normal, since);
        if a.motion.angle == 0.0 {
            return in_space;
        }
        let [rate, bend] = a.bounds_if_attached(b, normal);
        Self { frame: Frame::First, rate, bend, ..in_space }
    }

    /// The same axis turning with the first or the second body; `None` if that does not turn.
    fn attached(&self, frame: Frame) -> Option<Self> {
        let (rotations, [rate, bend]) = match frame {
            Frame::Space => return None,
            Frame::First => (!self.a.keeps_still(), self.a.bounds_if_attached(self.b, self.normal)),
            Frame::Second => (!self.b.keeps_still(), self.b.bounds_if_attached(self.a, self.normal)),
        };
        rotations.then_some(Self { frame, rate, bend, ..*self })
    }

    /// The axis at a time.
    #[inline]
    pub(crate) fn normal_at(&self, t: f64) -> DVec3 {
        let motion = match self.frame {
            Frame::Space => return self.normal,
            Frame::First => &self.a.motion,
            Frame::Second => &self.b.motion,
        };
        Rotation::about_axis(motion.axis, motion.angle * (t - self.since)).rotate(self.normal)
    }

    /// The gap along the axis at a time; a lower bound of the distance.
    #[inline]
    pub(crate) fn gap(&mut self, t: f64) -> f64 {
        let normal = self.normal_at(t);
        -self.b.extent(t, -normal, &mut self.hints[1]) - self.a.extent(t, normal, &mut self.hints[0])
    }

    /// Follows the gap from the time at which it is known until it is close to the target or the
    /// end is reached: along the axis fixed in space, or turning with a body if that leads farther.
    pub(crate) fn clear_until(&mut self, gap: f64, limits: &Limits) -> Reached {
        let mut best = match self.follow(gap, limits) {
            Reached::Time(later) if later - self.since < SHORT => later,
            reached => return reached,
        };
        for frame in [Frame::First, Frame::Second] {
            match self.attached(frame).map(|mut axis| axis.follow(gap, limits)) {
                Some(Reached::Time(later)) => best = Real::max(best, later),
                Some(Reached::End) => return Reached::End,
                None => {}
            }
        }
        Reached::Time(best)
    }

    /// For how long a gap that is `room` above the target stays above it, whatever comes.
    #[inline]
    fn surely_clear_alone(&self, room: f64) -> f64 {
        if self.rate < 0.0 { room / -self.rate } else { f64::INFINITY }
    }

    /// The same if it is known to be `later` above the target (or below, if negative) after `step`;
    /// at most that.
    #[inline]
    fn surely_clear(&self, room: f64, later: f64, step: f64) -> f64 {
        // The lower bound room + slope·τ + bend/2·τ² has its first zero here, if it has one before
        // the step is over.
        let slope = (later - room) / step - self.bend * step * 0.5;
        let discriminant = slope * slope - 2.0 * self.bend * room;
        if slope >= 0.0 || discriminant < 0.0 {
            return step;
        }
        Real::min(2.0 * room / (discriminant.sqrt() - slope), step)
    }

    /// Follows the gap along this axis alone.
    pub(crate) fn follow(&mut self, gap: f64, limits: &Limits) -> Reached {
        let mut t = self.since;
        let mut room = gap - limits.target;
        let near = limits.enough - limits.target;
        // A later time with its room, if known.
        let mut ahead: Option<(f64, f64)> = None;
        for _ in 0..MAX_STEPS {
            let alone = self.surely_clear_alone(room);
            if t + alone >= limits.end {
                return Reached::End;
            }
            // Where the chord sags by half of the room.
            let sag = (4.0 * room / self.bend).sqrt();
            let wanted = Real::min(t + Real::max(alone, sag), limits.end);
            let (next, next_room) = match ahead {
                Some(known) if known.0 <= wanted => known,
                _ => (wanted, self.gap(wanted) - limits.target),
            };
            let clear = Real::max(self.surely_clear(room, next_room, next - t), alone);
            if t + clear >= next {
                if next >= limits.end {
                    return Reached::End;
                }
                // The whole step, if the gap at its end is known to be one.
                (t, room, ahead) = (next, next_room, None);
            } else {
                t += clear;
                room = self.gap(t) - limits.target;
                ahead = Some((next, next_room));
            }
            if room <= near {
                break;
            }
        }
        Reached::Time(t)
    }
}
