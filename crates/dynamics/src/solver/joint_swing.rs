//! Swing and twist of joints as they are in a substep: limits of cones, twists and hinges follow
//! the rotation of their bodies, which may be more than a radian in a step.
//!
//! The rotation from the first frame of a joint to the second is a twist about x followed by a
//! swing that moves the x axis. The angle of the swing grows fastest by turns about the common
//! normal of both x axes, the twist by turns about `(a + b) / (1 + a·b)`.

use carom_core::simd::SimdVec3;
use glam::Vec3;

use super::lanes::SolverLanes;

/// Quaternions, of which the fourth number is the real part.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Quaternion<L> {
    xyz: SimdVec3<L>,
    w: L,
}

impl<L: SolverLanes> Quaternion<L> {
    pub(crate) fn set(&mut self, lane: usize, [x, y, z, w]: [f32; 4]) {
        self.xyz.set(lane, Vec3::new(x, y, z));
        self.w.set(lane, w);
    }

    /// Of a small rotation, given as a vector: to the ninth power of half the angle.
    #[inline(always)]
    fn of_vector(rotation: &SimdVec3<L>) -> Self {
        let half = rotation.scaled(L::splat(0.5));
        let square = half.dot(half);
        let sine = L::splat(1.0 / 5040.0) - square * L::splat(1.0 / 362_880.0);
        let sine = L::splat(1.0 / 120.0) - square * sine;
        let sine = L::splat(1.0) - square * (L::splat(1.0 / 6.0) - square * sine);
        let cosine = L::splat(1.0 / 720.0) - square * L::splat(1.0 / 40320.0);
        let cosine = L::splat(0.5) - square * (L::splat(1.0 / 24.0) - square * cosine);
        Self { xyz: half.scaled(sine), w: L::splat(1.0) - square * cosine }
    }

    #[inline(always)]
    fn conjugate(&self) -> Self {
        Self { xyz: self.xyz.scaled(L::splat(-1.0)), w: self.w }
    }

    #[inline(always)]
    fn times(&self, other: &Self) -> Self {
        let mut xyz = self.xyz.cross(other.xyz);
        xyz.add_scaled(self.w, other.xyz);
        xyz.add_scaled(other.w, self.xyz);
        Self { xyz, w: self.w * other.w - self.xyz.dot(other.xyz) }
    }

    #[inline(always)]
    fn rotate(&self, v: &SimdVec3<L>) -> SimdVec3<L> {
        let twice = self.xyz.cross(*v).scaled(L::splat(2.0));
        let mut out = *v;
        out.add_scaled(self.w, twice);
        out.add_scaled(L::splat(1.0), self.xyz.cross(twice));
        out
    }
}

/// The arc tangent of `y / x`, both positive or zero: within 2e-5 (Abramowitz and Stegun, 4.4.49).
#[inline(always)]
fn angle<L: SolverLanes>(y: L, x: L) -> L {
    let (low, high) = (y.min(x), y.max(x));
    let t = low / high.max(L::splat(1e-30));
    let square = t * t;
    let mut sum = L::splat(-0.011_721_2);
    for coefficient in [0.052_653_32, -0.116_432_87, 0.193_543_46, -0.332_623_47, 0.999_977_26] {
        sum = sum * square + L::splat(coefficient);
    }
    let angle = t * sum;
    (y - x).if_positive(L::splat(std::f32::consts::FRAC_PI_2) - angle, angle)
}

/// The frames of a joint in its bodies, and the rotation between these at the beginning of the
/// step.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SwingFrames<L> {
    pub(crate) frame_a: Quaternion<L>,
    pub(crate) frame_b: Quaternion<L>,
    /// From the first body to the second.
    pub(crate) between: Quaternion<L>,
}

/// Angles of a joint, and the axes about which they grow, in the frame that the first body had at
/// the beginning of the step.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Swing<L> {
    pub(crate) angle: L,
    /// Zero where both x axes are one.
    pub(crate) axis: SimdVec3<L>,
    /// Within ±π.
    pub(crate) twist: L,
    pub(crate) twist_axis: SimdVec3<L>,
}

/// Sines of swings below this have no direction.
const LEAST_SINE: f32 = 1e-6;
/// The axis of the twist grows without end as the swing nears half a turn: 1 + cosine, at least.
const LEAST_HALF: f32 = 0.05;

impl<L: SolverLanes> SwingFrames<L> {
    /// After both bodies have turned.
    #[inline(always)]
    pub(crate) fn swing(&self, rotation_a: &SimdVec3<L>, rotation_b: &SimdVec3<L>) -> Swing<L> {
        let a = Quaternion::of_vector(rotation_a).times(&self.frame_a);
        let b = self.between.times(&Quaternion::of_vector(rotation_b).times(&self.frame_b));
        let relative = a.conjugate().times(&b);
        let nothing = L::splat(0.0);
        // The quaternion and its negative are the same rotation.
        let sign = (-relative.w).if_positive(L::splat(-1.0), L::splat(1.0));
        let (SimdVec3 { x, y, z }, w) = (relative.xyz.scaled(sign), relative.w * sign);
        let (swung, twisted) = (y * y + z * z, x * x + w * w);
        // The second x axis, across the first.
        let two = L::splat(2.0);
        let (across_y, across_z) = (two * (x * y + w * z), two * (x * z - w * y));
        let sine = two * (swung * twisted).sqrt();
        let inverse = (sine - L::splat(LEAST_SINE)).if_positive(L::splat(1.0) / sine, nothing);
        let axis = SimdVec3 { x: nothing, y: -(across_z * inverse), z: across_y * inverse };
        let half = L::splat(1.0) / (two * twisted).max(L::splat(LEAST_HALF));
        let twist_axis = SimdVec3 { x: L::splat(1.0), y: across_y * half, z: across_z * half };
        let twist = two * angle(x.max(-x), w);
        Swing {
            angle: two * angle(swung.sqrt(), twisted.sqrt()),
            axis: a.rotate(&axis),
            twist: x.if_positive(twist, -twist),
            twist_axis: a.rotate(&twist_axis),
        }
    }
}

/// The difference of two angles, within ±π.
#[inline(always)]
pub(crate) fn turned<L: SolverLanes>(now: L, start: L) -> L {
    let (difference, pi) = (now - start, L::splat(std::f32::consts::PI));
    let turn = pi + pi;
    let difference = (difference - pi).if_positive(difference - turn, difference);
    (-difference - pi).if_positive(difference + turn, difference)
}

#[cfg(test)]
mod tests {
    use carom_geometry::Rotation;

    use super::*;

    fn frames(a: Rotation, b: Rotation, between: Rotation) -> SwingFrames<f32> {
        let mut frames = SwingFrames::<f32>::default();
        frames.frame_a.set(0, a.to_xyzw());
        frames.frame_b.set(0, b.to_xyzw());
        frames.between.set(0, between.to_xyzw());
        frames
    }

    #[test]
    fn angles_grow_about_their_axes() {
        let turn = |axis: Vec3, angle: f32| Rotation::about_axis(axis.normalize(), angle);
        let (a, b) = (turn(Vec3::new(1.0, 2.0, -1.0), 0.7), turn(Vec3::new(-2.0, 1.0, 0.5), 1.1));
        for (swing, twist) in [(0.3f32, 0.2f32), (0.9, -0.7), (1.9, 2.5), (0.05, -3.0), (2.4, 0.4)] {
            // From the first frame to the second: a twist, then a swing.
            let relative = turn(Vec3::new(0.0, 0.6, -0.8), swing) * turn(Vec3::X, twist);
            let it = frames(a, b, a * relative * b.inverse());
            let still = SimdVec3::<f32>::default();
            let found = it.swing(&still, &still);
            assert!((found.angle - swing).abs() < 1e-4 && (found.twist - twist).abs() < 1e-4, "{found:?}");
            // Turns of the first body the other way.
            for (axis, is_twist) in [(found.axis, false), (found.twist_axis, true)] {
                for by in [Vec3::X, Vec3::Y, Vec3::Z] {
                    let by = by * 1e-2;
                    let mut rotation = SimdVec3::<f32>::default();
                    rotation.set(0, -by);
                    let after = it.swing(&rotation, &still);
                    rotation.set(0, by);
                    let before = it.swing(&rotation, &still);
                    let grown = if is_twist {
                        0.5 * turned(after.twist, before.twist)
                    } else {
                        0.5 * (after.angle - before.angle)
                    };
                    let expected = axis.get(0).dot(by);
                    assert!((grown - expected).abs() < 5e-4, "{swing} {twist} {by}: {grown} {expected}");
                }
            }
        }
    }

    #[test]
    fn large_rotations_are_followed() {
        let axis = Vec3::new(0.0, 0.6, 0.8);
        for angle in [0.1f32, 1.0, 2.0, 2.9] {
            let it = frames(Rotation::IDENTITY, Rotation::IDENTITY, Rotation::IDENTITY);
            let (mut rotation, still) = (SimdVec3::<f32>::default(), SimdVec3::default());
            rotation.set(0, axis * angle);
            assert!((it.swing(&still, &rotation).angle - angle).abs() < 2e-4);
            rotation.set(0, Vec3::X * -angle);
            assert!((it.swing(&still, &rotation).twist + angle).abs() < 2e-4);
        }
    }
}
