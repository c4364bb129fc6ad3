//! Bounds of everything that a moving object sweeps in an interval of time.
//!
//! Two volumes whose sweeps do not overlap have not met at any instant, however fast they are: no
//! tunnelling. The motion is a [`Motion`]: a point of the body, the pivot, moves in a straight line
//! at constant speed while the body turns about it at a constant angular velocity, by any angle.
//!
//! * A sphere around the pivot is not affected by the turning: [`sphere`], [`aabb`] and [`obb`] of
//!   a sphere and a displacement are exact for each type of volume. A sphere elsewhere is first
//!   enlarged to one around the pivot.
//! * For points ([`Motion::aabb`], [`Motion::obb`]): along a direction u a point is at
//!   `u·P(t) + f(tΘ)`, with P the pivot, Θ the angle and `f(θ) = A + B cos θ + C sin θ`. The
//!   extremes of f over `[0, Θ]` are at the ends or, if the arc goes through the direction of (B,
//!   C) or its opposite, at `A ± √(B² + C²)`. The sum of the ranges of both parts contains the
//!   range of the sum. It is loose where translation and turning work against each other; cutting
//!   the interval into pieces and joining their boxes helps. A convex body is bounded if its
//!   vertices are: at each instant it is their hull.
//!
//! All bounds are enlarged by some ε of the distances involved, against rounding.

use carom_core::trig;

use super::rounding::{above, below};
use super::{Aabb, BoundingSphere, Obb};
use crate::pose::Pose;
use crate::real::{Real, Vector};
use crate::rotation::{Matrix3, Rotation};

/// The smallest sphere around a sphere that moves by `displacement`.
#[must_use]
pub fn sphere<S: Real>(moving: &BoundingSphere<S>, displacement: S::Vec3) -> BoundingSphere<S> {
    BoundingSphere {
        centre: moving.centre + displacement * S::HALF,
        radius: displacement.length() * S::HALF + moving.radius,
    }
}

/// The smallest AABB around a sphere that moves by `displacement`: the union of the boxes at the
/// start and at the end.
#[must_use]
pub fn aabb<S: Real>(moving: &BoundingSphere<S>, displacement: S::Vec3) -> Aabb<3, S> {
    let end = moving.centre + displacement;
    let reach = S::Vec3::splat(moving.radius);
    Aabb {
        min: (Vector::min(moving.centre, end) - reach).to_array(),
        max: (Vector::max(moving.centre, end) + reach).to_array(),
    }
}

/// The box along `displacement` around a sphere that moves by it; along the axes of the world if it
/// does not move.
#[must_use]
pub fn obb<S: Real>(moving: &BoundingSphere<S>, displacement: S::Vec3) -> Obb<S> {
    let r = moving.radius;
    Obb {
        centre: moving.centre + displacement * S::HALF,
        half: S::Vec3::new(displacement.length() * S::HALF + r, r, r),
        axes: frame_along::<S>(displacement),
    }
}

/// Axes whose first one is along `v`; those of the world for a null vector.
fn frame_along<S: Real>(v: S::Vec3) -> Matrix3<S> {
    let Some(first) = v.unit() else { return Matrix3::IDENTITY };
    let (second, third) = first.frame();
    Matrix3 { columns: [first, second, third] }
}

/// A motion from time 0 to time 1.
///
/// ```
/// use carom_geometry::{Pose, Rotation, bounds::motion::Motion};
/// use glam::Vec3;
/// // A rod that makes half a turn on the spot sweeps a half disc: the end poses alone would not show it.
/// let rod = [Vec3::ZERO, Vec3::X];
/// let turning = Motion::<f32>::rotating(&Pose::IDENTITY, Vec3::ZERO, Vec3::ZERO, Vec3::Z * std::f32::consts::PI);
/// let swept = turning.aabb(&rod, 1);
/// assert!((swept.max[1] - 1.0).abs() < 1e-5 && swept.min[1].abs() < 1e-5);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion<S: Real = f32> {
    /// Pose at time 0.
    pub start: Pose<S>,
    /// The point in local coordinates that moves in a straight line.
    pub pivot: S::Vec3,
    /// How far the pivot moves.
    pub displacement: S::Vec3,
    /// Axis of the turning, a unit vector in the frame of `start`'s surroundings; any unit vector
    /// if the angle is 0.
    pub axis: S::Vec3,
    /// Angle of the turning in radians, not negative; may be more than a full turn.
    pub angle: S,
}

impl<S: Real> Motion<S> {
    /// From a pose, with the pivot moving by `displacement` and the body turning by `rotation`:
    /// axis times angle, which is angular velocity times time.
    #[must_use]
    pub fn rotating(start: &Pose<S>, pivot: S::Vec3, displacement: S::Vec3, rotation: S::Vec3) -> Self {
        let (axis, angle) = match rotation.unit() {
            Some(axis) => (axis, rotation.dot(axis)),
            None => (S::Vec3::AXES[0], S::ZERO),
        };
        Self { start: *start, pivot, displacement, axis, angle }
    }

    /// From one pose to another, turning the shorter way (by at most half a turn).
    #[must_use]
    pub fn between(start: &Pose<S>, end: &Pose<S>, pivot: S::Vec3) -> Self {
        let displacement = end.apply(pivot) - start.apply(pivot);
        let mut turn = end.rotation * start.rotation.inverse();
        if turn.w < S::ZERO {
            turn = Rotation { xyz: -turn.xyz, w: -turn.w };
        }
        let Some(axis) = turn.xyz.unit() else {
            return Self::rotating(start, pivot, displacement, S::Vec3::ZERO);
        };
        let half_angle = angle_of(turn.xyz.length().to_f64(), turn.w.to_f64());
        Self { start: *start, pivot, displacement, axis, angle: S::of(2.0 * half_angle) }
    }

    /// The pose at time `t` in [0, 1].
    #[must_use]
    pub fn at(&self, t: S) -> Pose<S> {
        let rotation = Rotation::about_axis(self.axis, self.angle * t) * self.start.rotation;
        let pivot = self.start.apply(self.pivot) + self.displacement * t;
        Pose { translation: pivot - rotation.rotate(self.pivot), rotation }
    }

    /// The motion of something that is fixed to the body, at `place` in its frame.
    #[must_use]
    pub fn carrying(&self, place: &Pose<S>) -> Self {
        Self { start: self.start * *place, pivot: place.undo(self.pivot), ..*self }
    }

    /// The same in another precision.
    #[must_use]
    pub fn to<T: Real>(&self) -> Motion<T> {
        Motion {
            start: self.start.to::<T>(),
            pivot: self.pivot.to::<T>(),
            displacement: self.displacement.to::<T>(),
            axis: self.axis.to::<T>(),
            angle: T::of(self.angle.to_f64()),
        }
    }

    /// True if every number is finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        let vectors = [self.pivot, self.displacement, self.axis];
        self.start.is_finite() && vectors.iter().all(|v| Vector::is_finite(*v)) && self.angle.is_finite()
    }

    /// The sphere around the pivot that contains a local sphere in every orientation, at time 0.
    #[must_use]
    pub fn ball(&self, local: &BoundingSphere<S>) -> BoundingSphere<S> {
        if self.angle <= S::ZERO {
            return local.posed(&self.start);
        }
        let radius = (local.centre - self.pivot).length() + local.radius;
        let centre = self.start.apply(self.pivot);
        let rounding = S::of(8.0) * S::EPSILON * (radius + Vector::abs(centre).max_element());
        BoundingSphere { centre, radius: radius + rounding }
    }

    /// Sphere around everything that a local sphere sweeps: simple, and usually far too large.
    #[must_use]
    pub fn sphere(&self, local: &BoundingSphere<S>) -> BoundingSphere<S> {
        sphere(&self.ball(local), self.displacement)
    }

    /// AABB around everything that the hull of local points sweeps, from `pieces` parts of the
    /// interval (at least one).
    ///
    /// Exact if the body does not move or does not turn. [`Aabb::EMPTY`] without points.
    #[must_use]
    pub fn aabb(&self, points: &[S::Vec3], pieces: u32) -> Aabb<3, S> {
        let mut swept = Aabb::<3, S>::EMPTY;
        let pieces = pieces.max(1);
        let step = S::ONE / S::of(f64::from(pieces));
        for piece in 0..pieces {
            let from = S::of(f64::from(piece)) * step;
            let arc = Arc::new(self, from, step);
            let (low, high) = arc.ranges(&S::Vec3::AXES, points);
            swept = swept.union(&Aabb { min: low, max: high });
        }
        if points.is_empty() {
            return swept;
        }
        let margin = self.rounding(points);
        let grown = swept.grown(margin);
        Aabb { min: grown.min.map(below), max: grown.max.map(above) }
    }

    /// Box along the displacement around everything that the hull of local points sweeps; along the
    /// axes of the world if the pivot does not move. `None` without points.
    #[must_use]
    pub fn obb(&self, points: &[S::Vec3]) -> Option<Obb<S>> {
        if points.is_empty() {
            return None;
        }
        let axes = frame_along::<S>(self.displacement);
        // Relative to the pivot at the start, so that the place in the world costs no digits.
        let arc = Arc { pivot: S::Vec3::ZERO, ..Arc::new(self, S::ZERO, S::ONE) };
        let (low, high) = arc.ranges(&axes.columns, points);
        let (low, high) = (S::Vec3::from_array(low), S::Vec3::from_array(high));
        let half = (high - low) * S::HALF + S::Vec3::splat(self.rounding(points));
        Some(Obb { centre: self.start.apply(self.pivot) + axes.times((low + high) * S::HALF), half, axes })
    }

    /// Bound on the rounding errors of the ranges.
    fn rounding(&self, points: &[S::Vec3]) -> S {
        let reach =
            points.iter().fold(S::ZERO, |m, p| Real::max((*p - self.pivot).length_squared(), m)).sqrt();
        let place = Vector::abs(self.start.translation).max_element() + self.pivot.length();
        // The angle of a pose at time t is rounded relative to its size.
        let turns = S::ONE + self.angle;
        S::of(16.0) * S::EPSILON * (reach * turns + place + self.displacement.length())
    }
}

/// A part of a motion: from one time to another.
struct Arc<S: Real> {
    /// The pivot at the beginning, and how far it moves.
    pivot: S::Vec3,
    displacement: S::Vec3,
    /// Rotation of the body at the beginning.
    start: Matrix3<S>,
    origin: S::Vec3,
    axis: S::Vec3,
    /// Angle, with its sine and cosine.
    angle: S,
    sine: S,
    cosine: S,
}

impl<S: Real> Arc<S> {
    fn new(motion: &Motion<S>, from: S, length: S) -> Self {
        let angle = motion.angle * length;
        let (sine, cosine) = Real::sin_cos(angle);
        Self {
            pivot: motion.start.apply(motion.pivot) + motion.displacement * from,
            displacement: motion.displacement * length,
            start: (Rotation::about_axis(motion.axis, motion.angle * from) * motion.start.rotation)
                .to_matrix(),
            origin: motion.pivot,
            axis: motion.axis,
            angle,
            sine,
            cosine,
        }
    }

    /// Range of all points along three directions.
    fn ranges(&self, directions: &[S::Vec3; 3], points: &[S::Vec3]) -> ([S; 3], [S; 3]) {
        let (mut low, mut high) = ([S::INFINITY; 3], [S::NEG_INFINITY; 3]);
        for p in points {
            let arm = self.start.times(*p - self.origin);
            let along_axis = self.axis * self.axis.dot(arm);
            let (out, side) = (arm - along_axis, self.axis.cross(arm));
            for (k, u) in directions.iter().enumerate() {
                let (from, to) = self.wave(u.dot(out), u.dot(side));
                let fixed = u.dot(along_axis);
                low[k] = Real::min(fixed + from, low[k]);
                high[k] = Real::max(fixed + to, high[k]);
            }
        }
        for (k, u) in directions.iter().enumerate() {
            let (start, move_by) = (u.dot(self.pivot), u.dot(self.displacement));
            low[k] += start + Real::min(move_by, S::ZERO);
            high[k] += start + Real::max(move_by, S::ZERO);
        }
        (low, high)
    }

    /// Extremes of `b cos θ + c sin θ` for θ in `[0, angle]`.
    fn wave(&self, b: S, c: S) -> (S, S) {
        let end = b * self.cosine + c * self.sine;
        let amplitude = (b * b + c * c).sqrt();
        let high = if self.passes(b, c) { amplitude } else { Real::max(b, end) };
        let low = if self.passes(-b, -c) { -amplitude } else { Real::min(b, end) };
        (low, high)
    }

    /// Does the arc from (1, 0) by `angle` go through the direction (x, y)? Wrong by rounding only
    /// at its ends, where the difference is of second order.
    fn passes(&self, x: S, y: S) -> bool {
        let before_end = x * self.sine >= y * self.cosine;
        if self.angle <= S::of(std::f64::consts::PI) {
            // Without an angle there is only the beginning, and its opposite is on the same line.
            y >= S::ZERO && before_end && self.angle > S::ZERO
        } else {
            self.angle >= S::of(2.0 * std::f64::consts::PI) || y >= S::ZERO || before_end
        }
    }
}

/// The angle in [0, π/2] of the direction (cosine, sine), both not negative.
fn angle_of(sine: f64, cosine: f64) -> f64 {
    let length = (sine * sine + cosine * cosine).sqrt();
    let (sine, cosine) = (sine / length, cosine / length);
    // Within 0.07 of the right angle; each step of Newton's method then leaves a sixth of the cube
    // of the error.
    let mut angle = std::f64::consts::FRAC_PI_2 * sine / (sine + cosine);
    for _ in 0..4 {
        let (s, c) = trig::sin_cos_f64(angle);
        angle += sine * c - cosine * s;
    }
    angle
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DVec3, Vec3};

    /// The sphere and displacement of the known answers.
    fn known() -> (BoundingSphere, Vec3) {
        (BoundingSphere { centre: Vec3::new(1.0, 2.0, 3.0), radius: 0.5 }, Vec3::new(4.0, -2.0, 0.0))
    }

    #[test]
    fn motion_bounds_of_the_known_sphere() {
        let (ball, v) = known();
        assert_eq!(aabb(&ball, v), Aabb::new([0.5, -0.5, 2.5], [5.5, 2.5, 3.5]));
        let s = sphere(&ball, v);
        assert_eq!(s.centre, Vec3::new(3.0, 1.0, 3.0));
        assert!((s.radius - 2.736_068).abs() < 1e-6);
        let o = obb(&ball, v);
        assert!((o.half - Vec3::new(2.736_068, 0.5, 0.5)).length() < 1e-6);
        assert!((o.axes.columns[0] - v.normalize()).length() < 1e-6, "first axis along the velocity");
    }

    #[test]
    fn volumes_of_the_known_sphere() {
        let (ball, v) = known();
        let r = ball.radius;
        let capsule = std::f32::consts::PI * r * r * (v.length() + 4.0 / 3.0 * r);
        let volumes = [capsule, obb(&ball, v).volume(), aabb(&ball, v).volume(), sphere(&ball, v).volume()];
        for (found, right) in volumes.iter().zip([4.036_006, 5.472_136, 15.0, 85.796_44]) {
            assert!((found / right - 1.0).abs() < 1e-6, "{found} {right}");
        }
        let along_x = Vec3::new(5.0, 0.0, 0.0);
        assert!((obb(&ball, along_x).volume() / aabb(&ball, along_x).volume() - 1.0).abs() < 1e-6);
    }

    #[test]
    fn standing_still_has_bounds_too() {
        let (ball, _) = known();
        let o = obb(&ball, Vec3::ZERO);
        assert_eq!((o.centre, o.half, o.axes), (ball.centre, Vec3::splat(0.5), Matrix3::IDENTITY));
        assert_eq!(sphere(&ball, Vec3::ZERO), ball);
        let still = Motion::<f32>::rotating(&Pose::IDENTITY, Vec3::ZERO, Vec3::ZERO, Vec3::ZERO);
        assert!(still.obb(&[Vec3::ONE]).unwrap().contains_point(Vec3::ONE));
        assert_eq!(still.obb(&[]), None);
        assert_eq!(still.aabb(&[], 3), Aabb::EMPTY);
    }

    #[test]
    fn what_is_fixed_to_a_body_moves_with_it() {
        let start = Pose::new(DVec3::new(1.0, 2.0, 3.0), Rotation::about_axis(DVec3::Y, 0.3));
        let place = Pose::new(DVec3::new(-0.5, 0.25, 2.0), Rotation::about_axis(DVec3::X, 1.3));
        let turn = DVec3::new(0.3, 2.0, -1.0);
        let body =
            Motion::<f64>::rotating(&start, DVec3::new(0.1, 0.2, -0.3), DVec3::new(4.0, 0.0, 1.0), turn);
        let carried = body.carrying(&place);
        for t in [0.0, 0.3, 1.0] {
            for corner in [DVec3::ZERO, DVec3::X, DVec3::ONE] {
                let right = body.at(t).apply(place.apply(corner));
                assert!((carried.at(t).apply(corner) - right).length() < 1e-14, "{t}");
            }
        }
        assert!(body.is_finite() && body.to::<f32>().to::<f64>().angle.to_f64() - body.angle < 1e-6);
        assert!(!Motion { angle: f64::NAN, ..body }.is_finite());
    }

    #[test]
    fn angles_of_all_directions() {
        for i in 0..=1000 {
            let right = f64::from(i) / 1000.0 * std::f64::consts::FRAC_PI_2;
            assert!((angle_of(right.sin() * 3.0, right.cos() * 3.0) - right).abs() < 1e-15, "{right}");
        }
    }

    #[test]
    fn a_wave_reaches_its_crest_only_if_the_arc_passes_it() {
        for angle in [0.0, 0.3, 1.6, 3.0, 3.3, 5.0, 6.2, 6.3, 20.0] {
            let motion = Motion::<f64>::rotating(&Pose::IDENTITY, DVec3::ZERO, DVec3::ZERO, DVec3::Z * angle);
            let arc = Arc::<f64>::new(&motion, 0.0, 1.0);
            for phase in 0..32 {
                let (c, b) = (f64::from(phase) * 0.2).sin_cos();
                let (low, high) = arc.wave(b, c);
                let values =
                    (0..=2000).map(|i| (angle * f64::from(i) / 2000.0).sin_cos()).map(|(s, k)| b * k + c * s);
                let (min, max) = values.fold((f64::MAX, f64::MIN), |(l, h), v| (l.min(v), h.max(v)));
                assert!(
                    (low - min).abs() < 1e-4 && low <= min + 1e-12,
                    "angle {angle} phase {phase}: {low} {min}"
                );
                assert!(
                    (high - max).abs() < 1e-4 && high >= max - 1e-12,
                    "angle {angle} phase {phase}: {high} {max}"
                );
            }
        }
    }
}
