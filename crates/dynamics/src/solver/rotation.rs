//! Rotation of a rigid body over a time: free, and as constraints have turned it.

use carom_geometry::Rotation;
use glam::{DVec3, Vec3};

use crate::state::motion::{InverseMass, Motion};

/// Turns a body that nothing acts on for a time: `angular_velocity` is the angular velocity in
/// world axes at the beginning. Returns the new orientation and the angular velocity at its end.
///
/// Angular momentum and energy stay what they are, to rounding. A body with two equal inertias
/// turns about its momentum and about its axis, both at a constant rate. Others are put together
/// from turns about the three principal axes, each of which is exact (R. McLachlan, *Explicit
/// Lie–Poisson integration*, 1993; A. Dullweber, B. Leimkuhler, R. McLachlan, 1997): of second
/// order, and what is left of the energy's error is taken out at constant momentum. The tangent of
/// half an angle is taken for the angle, so that no elementary function is needed.
#[inline]
pub(crate) fn turn_freely(
    rotation: Rotation,
    mass: &InverseMass,
    angular_velocity: Vec3,
    time: f32,
) -> (Rotation, Vec3) {
    let root = mass.root_inertia;
    if mass.is_isotropic() {
        return (rotated(rotation, angular_velocity, time), angular_velocity);
    }
    if root.cmpgt(Vec3::ZERO).all() {
        let inverse = root * root;
        if root.y == root.z {
            return turn_symmetric::<0>(rotation, inverse.y / inverse.x, angular_velocity, time);
        }
        if root.z == root.x {
            return turn_symmetric::<1>(rotation, inverse.z / inverse.y, angular_velocity, time);
        }
        if root.x == root.y {
            return turn_symmetric::<2>(rotation, inverse.x / inverse.z, angular_velocity, time);
        }
    }
    turn_any(rotation, mass, angular_velocity, time)
}

/// The same for equal inertias across an axis; `ratio` is the inertia about the axis to that across
/// it.
#[inline]
fn turn_symmetric<const AXIS: usize>(
    rotation: Rotation,
    ratio: f32,
    angular_velocity: Vec3,
    time: f32,
) -> (Rotation, Vec3) {
    let axis = axis_of::<AXIS>(rotation);
    // The angular velocity is a turn about the momentum, whose rate and direction stay, and one
    // about the axis, whose rate stays.
    let own = (1.0 - ratio) * angular_velocity.dot(axis);
    let rate = angular_velocity - axis * own;
    let orientation = rotated(rolled::<AXIS>(rotation, tangent_of_half(own * time)), rate, time);
    (orientation, rate + axis_of::<AXIS>(orientation) * own)
}

/// Smaller turns in a step, radians squared, need no free flight to be exact to rounding.
const SMALL_TURN_SQ: f32 = 1e-4;

/// The orientation and the angular velocity of a body that constraints have turned over a time: by
/// a vector on average, and to a scaled angular velocity at the end, both along the principal axes
/// of the beginning.
///
/// It turns as it would in free flight at that mean angular velocity, and its angular velocity
/// changes as it would in free flight from the beginning: a body that nothing pushed moves exactly
/// as a free one, and one that was pushed keeps the energy that the push left it.
#[inline]
pub(crate) fn turn_constrained(
    before: Rotation,
    mass: &InverseMass,
    turned: Vec3,
    scaled: Vec3,
    time: f32,
) -> (Rotation, Vec3) {
    if turned.length_squared() < SMALL_TURN_SQ {
        return turn_held(before, mass, turned, scaled);
    }
    let (mean, last) = (before.rotate(turned * (1.0 / time)), before.rotate(scaled * mass.root_inertia));
    let (after, _) = turn_freely(before, mass, mean, time);
    let (carried, angular_velocity) = turn_freely(before, mass, last, time);
    // The energy belongs to the principal axes.
    (after, after.rotate(carried.rotate_back(angular_velocity)))
}

/// Is a body with a row as [`turn_constrained`] takes it one that nothing pushed? Its turn is that
/// of its angular velocity of the beginning then, without the rounding of the way to the row and
/// back.
#[inline]
pub(crate) fn is_unpushed(
    motion: &Motion,
    mass: &InverseMass,
    turned: Vec3,
    scaled: Vec3,
    time: f32,
) -> bool {
    if turned.length_squared() < SMALL_TURN_SQ {
        return false;
    }
    let start = mass.scaled(motion.rotation.rotate_back(motion.angular_velocity));
    let off = turned - start * mass.root_inertia * time;
    start == scaled && off.length_squared() < 1e-10 * turned.length_squared()
}

/// The same by the rate in the middle of the step: for small turns, and for bodies whose joints
/// hold them against the gyroscopic torque. The angular momentum keeps its direction in space while
/// the axes turn, and the angular velocity its energy.
#[inline]
pub(crate) fn turn_held(
    before: Rotation,
    mass: &InverseMass,
    turned: Vec3,
    scaled: Vec3,
) -> (Rotation, Vec3) {
    let root = mass.root_inertia;
    let inverse = root * root;
    let of = |inverse: f32| if inverse > 0.0 { 1.0 / inverse } else { 0.0 };
    let inertia = Vec3::new(of(inverse.x), of(inverse.y), of(inverse.z));
    let gyration = inverse
        * Vec3::new(inertia.y - inertia.z, inertia.z - inertia.x, inertia.x - inertia.y)
        * Vec3::new(turned.y * turned.z, turned.z * turned.x, turned.x * turned.y);
    let half = half_tangent(turned + gyration * 0.5);
    let after = scaled_to_unit(before * Rotation { xyz: half, w: 1.0 });
    // Seen from the axes, the momentum turns backwards.
    let momentum = scaled * root * inertia;
    let across = momentum.cross(half);
    let back = momentum + (across - half.cross(across)) * (2.0 / (1.0 + half.length_squared()));
    let carried = back * root;
    let (energy, square) = (scaled.length_squared(), carried.length_squared());
    let share = if square > 0.0 { (energy / square).sqrt() } else { 0.0 };
    (after, after.rotate(carried * root * share))
}

/// Where an axis of the body points.
#[inline]
fn axis_of<const AXIS: usize>(rotation: Rotation) -> Vec3 {
    let (j, k) = ((AXIS + 1) % 3, (AXIS + 2) % 3);
    let Rotation { xyz, w } = rotation;
    let mut axis = Vec3::ZERO;
    axis[AXIS] = 1.0 - 2.0 * (xyz[j] * xyz[j] + xyz[k] * xyz[k]);
    axis[j] = 2.0 * (xyz[AXIS] * xyz[j] + w * xyz[k]);
    axis[k] = 2.0 * (xyz[AXIS] * xyz[k] - w * xyz[j]);
    axis
}

/// A quaternion after a turn about an axis of the body, by the tangent of half the angle. Its
/// length changes.
#[inline]
fn rolled<const AXIS: usize>(q: Rotation, t: f32) -> Rotation {
    let (j, k) = ((AXIS + 1) % 3, (AXIS + 2) % 3);
    let mut xyz = q.xyz;
    xyz[AXIS] = q.xyz[AXIS] + q.w * t;
    xyz[j] = q.xyz[j] + q.xyz[k] * t;
    xyz[k] = q.xyz[k] - q.xyz[j] * t;
    Rotation { xyz, w: q.w - q.xyz[AXIS] * t }
}

/// Larger turns are made of several, radians: the phase is off by the square of a part.
const LARGEST_PART: f32 = 0.25;
/// Most parts of a turn.
const MOST_PARTS: f32 = 16.0;

/// The same for three different inertias. In `f64`: rounding errors of `f32` have a direction that
/// depends on the orientation, and 1e-8 of them in every step are a per cent within the hour.
fn turn_any(rotation: Rotation, mass: &InverseMass, angular_velocity: Vec3, time: f32) -> (Rotation, Vec3) {
    // Bodies that fall without a turn are many in heaps that are poured out.
    if angular_velocity == Vec3::ZERO {
        return (rotation, angular_velocity);
    }
    let root = mass.root_inertia.as_dvec3();
    let inverse = root * root;
    let of = |inverse: f64| if inverse > 0.0 { 1.0 / inverse } else { 0.0 };
    let inertia = DVec3::new(of(inverse.x), of(inverse.y), of(inverse.z));
    let rotation = rotation.to::<f64>();
    let before = inertia * rotation.rotate_back(angular_velocity.as_dvec3());
    let parts = (angular_velocity.length() * time * (1.0 / LARGEST_PART)).ceil();
    let parts = if parts < MOST_PARTS { parts } else { MOST_PARTS };
    let rates = inverse * (f64::from(time) / f64::from(parts));
    let mut state = (rotation, before);
    for _ in 0..parts as u32 {
        state = turn_about::<0>(state, 0.5 * rates.x);
        state = turn_about::<1>(state, 0.5 * rates.y);
        state = turn_about::<2>(state, rates.z);
        state = turn_about::<1>(state, 0.5 * rates.y);
        state = turn_about::<0>(state, 0.5 * rates.x);
        state.0 = state.0.normalised();
    }
    let (orientation, momentum) = with_energy_of(state, inverse, before);
    let angular_velocity = orientation.rotate(inverse * momentum);
    let Rotation { xyz, w } = orientation;
    (Rotation { xyz: xyz.as_vec3(), w: w as f32 }, angular_velocity.as_vec3())
}

/// Turns a body and its momentum, which is given in its frame, about one of its axes: by an angle
/// per momentum about that axis. The length of the quaternion changes.
#[inline]
fn turn_about<const AXIS: usize>(
    (q, mut momentum): (Rotation<f64>, DVec3),
    rate: f64,
) -> (Rotation<f64>, DVec3) {
    let (j, k) = ((AXIS + 1) % 3, (AXIS + 2) % 3);
    let half = 0.5 * rate * momentum[AXIS];
    // The tangent of half the angle, to its seventh power.
    let square = half * half;
    let t = half * (1.0 + square * (1.0 / 3.0 + square * (2.0 / 15.0)));
    let norm = 1.0 / (1.0 + t * t);
    let (sine, cosine) = (2.0 * t * norm, (1.0 - t * t) * norm);
    // In the turning frame, momentum turns backwards.
    let (along_j, along_k) = (momentum[j], momentum[k]);
    momentum[j] = cosine * along_j + sine * along_k;
    momentum[k] = cosine * along_k - sine * along_j;
    let mut xyz = q.xyz;
    xyz[AXIS] = q.xyz[AXIS] + q.w * t;
    xyz[j] = q.xyz[j] + q.xyz[k] * t;
    xyz[k] = q.xyz[k] - q.xyz[j] * t;
    (Rotation { xyz, w: q.w - q.xyz[AXIS] * t }, momentum)
}

/// Moves the momentum, which is given in the frame of the body, over its sphere to where the body
/// has the energy of the momentum `before`, and turns the body so that the momentum stays in space.
#[inline]
fn with_energy_of(
    (rotation, momentum): (Rotation<f64>, DVec3),
    inverse: DVec3,
    before: DVec3,
) -> (Rotation<f64>, DVec3) {
    let (square, energy) = (momentum.length_squared(), (inverse * before).dot(before));
    let mut moved = momentum;
    // By Newton's method: the error of the second step is the fourth power of the first.
    for _ in 0..2 {
        let slope = inverse * moved;
        let along = slope - moved * (slope.dot(moved) / square);
        let step = along * (0.5 * (energy - slope.dot(moved)) / along.length_squared());
        // About a principal axis there is no slope, and no error.
        let is_small = step.length_squared() < 1e-2 * square;
        if !is_small {
            break;
        }
        moved += step;
        moved *= (square / moved.length_squared()).sqrt();
    }
    // From the new place of the momentum in the body back to the old one.
    let sum = momentum + moved;
    let back = Rotation { xyz: moved.cross(sum), w: 0.5 * sum.length_squared() }.normalised();
    (rotation * back, moved)
}

/// The tangent of half an angle, to its seventh power.
#[inline]
fn tangent_of_half(angle: f32) -> f32 {
    let half = 0.5 * angle;
    let square = half * half;
    half * (1.0 + square * (1.0 / 3.0 + square * (2.0 / 15.0)))
}

/// Rotation by a constant angular velocity.
#[inline]
fn rotated(rotation: Rotation, angular_velocity: Vec3, time: f32) -> Rotation {
    turned_by(rotation, angular_velocity * time)
}

/// Rotation by a vector: its length is the angle.
#[inline]
pub(crate) fn turned_by(rotation: Rotation, vector: Vec3) -> Rotation {
    scaled_to_unit(Rotation { xyz: half_tangent(vector), w: 1.0 } * rotation)
}

/// Along a vector, the tangent of half its length, to fifth order: twice its arc differs from the
/// length by its seventh power.
#[inline]
fn half_tangent(vector: Vec3) -> Vec3 {
    let half = vector * 0.5;
    let square = half.length_squared();
    half * (1.0 + square * (1.0 / 3.0 + square * (2.0 / 15.0)))
}

/// A quaternion of any length as a rotation.
#[inline]
fn scaled_to_unit(q: Rotation) -> Rotation {
    let inverse = 1.0 / (q.xyz.length_squared() + q.w * q.w).sqrt();
    Rotation { xyz: q.xyz * inverse, w: q.w * inverse }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn energy(mass: &InverseMass, rotation: Rotation, angular_velocity: Vec3) -> f64 {
        mass.scaled(rotation.rotate_back(angular_velocity)).as_dvec3().length_squared() / 2.0
    }

    fn momentum(mass: &InverseMass, rotation: Rotation, angular_velocity: Vec3) -> Vec3 {
        rotation.rotate(mass.scaled(mass.scaled(rotation.rotate_back(angular_velocity))))
    }

    #[test]
    fn a_box_spinning_about_its_middle_axis_flips_and_keeps_energy_and_momentum() {
        // A box of 4 × 2 × 6 and mass 1: inertia 10/3, 13/3, 5/3; the axis of 10/3 is the unstable
        // one.
        let mass = InverseMass::new(1.0, Vec3::new(10.0 / 3.0, 13.0 / 3.0, 5.0 / 3.0));
        let (mut rotation, mut angular_velocity) = (Rotation::IDENTITY, Vec3::new(2.0, 0.1, 0.0));
        let (energy_0, momentum_0) =
            (energy(&mass, rotation, angular_velocity), momentum(&mass, rotation, angular_velocity));
        let mut flips = Vec::new();
        let mut before = rotation.rotate_back(angular_velocity).x;
        for step in 1..=60 * 60 {
            (rotation, angular_velocity) = turn_freely(rotation, &mass, angular_velocity, 1.0 / 60.0);
            let now = rotation.rotate_back(angular_velocity).x;
            if now * before < 0.0 {
                flips.push(f64::from(step) / 60.0);
            }
            before = now;
            let error = (energy(&mass, rotation, angular_velocity) / energy_0 - 1.0).abs();
            assert!(error < 1e-3, "energy off by {error} at step {step}");
        }
        assert!(
            (momentum(&mass, rotation, angular_velocity) - momentum_0).length() < 2e-3 * momentum_0.length()
        );
        // Flips at 4.176 s and every 8.352 s from there on: seven in a minute.
        assert_eq!(flips.len(), 7);
        assert!((flips[0] - 4.176).abs() < 0.05 && (flips[1] - 12.528).abs() < 0.15, "{flips:?}");
    }

    /// The general way in many small steps, which needs neither symmetry nor constraints.
    fn turned_finely(
        rotation: Rotation,
        mass: &InverseMass,
        angular_velocity: Vec3,
        time: f32,
    ) -> (Rotation, Vec3) {
        (0..16).fold((rotation, angular_velocity), |(rotation, angular_velocity), _| {
            turn_any(rotation, mass, angular_velocity, time / 16.0)
        })
    }

    #[test]
    fn symmetric_bodies_turn_as_in_many_small_steps_of_the_general_way() {
        let rotation = Rotation::about_axis(Vec3::new(0.48, 0.6, 0.64), 1.1f32);
        for inertia in [[0.3, 2.0, 2.0], [2.0, 0.3, 2.0], [2.0, 2.0, 0.3], [1.5, 0.9, 0.9]] {
            let mass = InverseMass::new(1.0, Vec3::from(inertia));
            for angular_velocity in [Vec3::new(3.0, -1.0, 2.0), Vec3::new(-0.2, 4.0, 1.0)] {
                let (orientation, after) = turn_freely(rotation, &mass, angular_velocity, 1.0 / 60.0);
                let (fine, fine_after) = turned_finely(rotation, &mass, angular_velocity, 1.0 / 60.0);
                for axis in Vec3::AXES {
                    let off = (orientation.rotate(axis) - fine.rotate(axis)).length();
                    assert!(off < 1e-5, "{inertia:?} {angular_velocity}: {off}");
                }
                assert!((after - fine_after).length() < 1e-4, "{inertia:?}: {after} {fine_after}");
            }
        }
    }

    #[test]
    fn constrained_bodies_that_nothing_constrains_turn_as_free_ones() {
        let rotation = Rotation::about_axis(Vec3::new(0.48, 0.6, 0.64), 1.1f32);
        let mass = InverseMass::new(1.0, Vec3::new(10.0 / 3.0, 13.0 / 3.0, 5.0 / 3.0));
        for speed in [0.3, 1.0, 4.0] {
            let angular_velocity = Vec3::new(0.6, -0.64, 0.48) * speed;
            let local = rotation.rotate_back(angular_velocity);
            let (orientation, after) =
                turn_constrained(rotation, &mass, local * (1.0 / 60.0), mass.scaled(local), 1.0 / 60.0);
            let (fine, fine_after) = turned_finely(rotation, &mass, angular_velocity, 1.0 / 60.0);
            for axis in Vec3::AXES {
                let off = (orientation.rotate(axis) - fine.rotate(axis)).length();
                assert!(off < 1e-5, "{speed} rad/s: {off}");
            }
            assert!((after - fine_after).length() < 2e-5, "{speed} rad/s: {after} {fine_after}");
            let kept = energy(&mass, orientation, after) / energy(&mass, rotation, angular_velocity);
            assert!((kept - 1.0).abs() < 1e-6, "{kept}");
        }
    }

    #[test]
    fn a_ball_turns_by_its_angular_velocity() {
        let mass = InverseMass::new(1.0, Vec3::ONE);
        let (mut rotation, angular_velocity) = (Rotation::IDENTITY, Vec3::new(0.0, 0.0, 3.0));
        for _ in 0..60 {
            (rotation, _) = turn_freely(rotation, &mass, angular_velocity, 1.0 / 60.0);
        }
        let expected = Rotation::about_axis(Vec3::Z, 3.0f32);
        assert!((rotation.rotate(Vec3::X) - expected.rotate(Vec3::X)).length() < 1e-5);
    }
}
