//! Where a body can come to, seen from another one that moves too: what trees are asked about.
//!
//! A body that does not turn sees the other move as a [`Motion`] of its own: a box round every
//! orientation moves in a straight line, and the tree is walked in the order of time. Seen from a
//! body that turns, the pivot of the other goes along a curve `x(t) = R(t)⁻¹ y(t)`, where y moves
//! evenly by v and R turns by θ. Its second derivative is at most `2θ|v| + θ²|y|`, so between two
//! times the curve is no farther from its chord than an eighth of that times the square of the time
//! between them. The motion is cut into pieces until this is less than the size of the body, and
//! each is a box.
//!
//! Computed in `f64` and rounded outwards: no part of a surface that is met is missed.

use carom_geometry::bounds::Aabb;
use carom_geometry::bounds::motion::Motion;
use carom_geometry::{Real, Rotation, Vector};
use glam::{DVec3, Vec3};

/// Parts of the motion whose boxes are joined to bound it: turning by half a circle, a box round an
/// eighth of it is tight.
const TURNING_PIECES: u32 = 4;

/// Most pieces of a curved path.
const MAX_PIECES: usize = 16;

/// The way of a bounded body in the frame of another.
#[allow(clippy::large_enum_variant)] // one on the stack per query; nothing is allocated
pub(super) enum Path {
    /// A box that, moved by a displacement, holds the body at all times; and a box round
    /// everything.
    Straight(Aabb<3>, Vec3, Aabb<3>),
    /// Boxes for equal parts of the time.
    Curved([Aabb<3>; MAX_PIECES], usize),
    /// Nothing is known, or it is unbounded.
    Everywhere,
}

impl Path {
    /// The path of a body with these local bounds, with room round it, seen by one that moves as
    /// `seer`.
    pub(super) fn new(seer: &Motion<f64>, bounds: &Aabb<3>, motion: &Motion<f64>, room: f32) -> Self {
        let [low, high] = [bounds.low(), bounds.high()];
        if !(Vector::is_finite(low) && Vector::is_finite(high)) {
            return Self::Everywhere;
        }
        let corners: [DVec3; 8] = std::array::from_fn(|k| bounds.corner(k).to::<f64>());
        let arm =
            corners.iter().fold(0.0, |m: f64, c| Real::max((*c - motion.pivot).length_squared(), m)).sqrt();
        let (room, displacement) = (f64::from(room), motion.displacement - seer.displacement);
        if seer.angle > 0.0 {
            return Self::curved(seer, motion, displacement, arm + room);
        }
        let rotation = seer.start.rotation;
        let start = seer.start.relative(&motion.start);
        let displacement = rotation.rotate_back(displacement);
        let seen = Motion { start, displacement, axis: rotation.rotate_back(motion.axis), ..*motion };
        let first = if motion.angle > 0.0 {
            Aabb::around(start.apply(motion.pivot), DVec3::splat(arm))
        } else {
            Aabb::of_points(corners.iter().map(|c| start.apply(*c)))
        };
        let all = seen.aabb(&corners, TURNING_PIECES).grown(room);
        // The displacement is rounded too.
        let first = first.grown(room + f64::from(f32::EPSILON) * displacement.length());
        Self::Straight(outwards(&first), displacement.to::<f32>(), outwards(&all))
    }

    fn curved(seer: &Motion<f64>, motion: &Motion<f64>, velocity: DVec3, reach: f64) -> Self {
        let from = motion.start.apply(motion.pivot) - seer.start.apply(seer.pivot);
        let farthest = Real::max(from.length(), (from + velocity).length());
        let bend = seer.angle * (2.0 * velocity.length() + seer.angle * farthest);
        // Pieces of a bend that is half of the reach.
        let wanted = (bend / (4.0 * Real::max(reach, f64::MIN_POSITIVE))).sqrt();
        let count = if wanted < MAX_PIECES as f64 { wanted as usize + 1 } else { MAX_PIECES };
        let step = 1.0 / count as f64;
        let grow = reach + bend * step * step / 8.0;
        let pose = |k: usize| {
            let t = k as f64 * step;
            let rotation = Rotation::about_axis(seer.axis, seer.angle * t) * seer.start.rotation;
            rotation.rotate_back(from + velocity * t) + seer.pivot
        };
        let mut pieces = [Aabb::EMPTY; MAX_PIECES];
        for (k, piece) in pieces.iter_mut().take(count).enumerate() {
            *piece = outwards(&Aabb::of_points([pose(k), pose(k + 1)]).grown(grow));
        }
        Self::Curved(pieces, count)
    }
}

/// The box in single precision, no smaller, with room for what rounding of poses does.
fn outwards(bounds: &Aabb<3, f64>) -> Aabb<3> {
    let size = Real::max(Vector::abs(bounds.low()).max_element(), Vector::abs(bounds.high()).max_element());
    let grown = bounds.grown(4.0 * f64::from(f32::EPSILON) * size);
    Aabb { min: grown.min.map(|c| c as f32), max: grown.max.map(|c| c as f32) }
}
