//! How much friction a contact area bears along its tangents and about its normal at once.
//!
//! An area that slides and turns at the same time rubs at each of its points against the motion of
//! that point, so force and torque share one limit: a spinning puck slides farther. The area is
//! taken for a ring of the radius at which a turning one has the same torque (the *lever*); the
//! torque is counted as a force at the end of the lever, the angular velocity as a speed there.
//!
//! For a speed `v` of sliding and `w` of turning, the mean speed over the ring is the perimeter of
//! an ellipse with the semi-axes `v + w` and `|v − w|`, divided by 2π. With Ramanujan's formula it
//! is `D = 3M − √(4M² − m²)`, where `M` is the larger of the two and `m` the smaller. `D` times
//! the limit of the force is the power lost, so its derivatives are force and torque: the limit
//! surface is the set of both (S. Goyal, A. Ruina and J. Papadopoulos, *Planar sliding with dry
//! friction*, 1991).

use super::lanes::SolverLanes;

/// Smaller than any impulse that matters.
const TINY: f32 = 1e-30;

/// Part of the mean distance of the corners of an area from its centre that is the mean distance of
/// its points: two thirds for a disc, 0.54 for a square.
pub(crate) const LEVER_OF_AREA: f32 = 2.0 / 3.0;
/// The same for a line.
pub(crate) const LEVER_OF_LINE: f32 = 0.5;

/// Larger and smaller of the sliding and the turning part of impulses along two tangents and at the
/// end of the lever, and √(4M² − m²).
#[inline(always)]
fn parts<L: SolverLanes>([x, y, twist]: [L; 3]) -> [L; 3] {
    let (slide, turn) = ((x * x + y * y).sqrt(), twist.abs());
    let (larger, smaller) = (slide.max(turn), slide.min(turn));
    [larger, smaller, (L::splat(4.0) * larger * larger - smaller * smaller).sqrt()]
}

/// Are these impulses within the limit surface? Those of [`at`] are, up to rounding.
#[inline(always)]
pub(crate) fn holds<L: SolverLanes>(impulses: [L; 3], limit: L) -> L::Mask {
    let [larger, smaller, root] = parts(impulses);
    let power = L::splat(3.0) * larger - root;
    (larger * larger + smaller * smaller).at_most(power * limit)
}

/// The impulses on the limit surface that a motion in the direction `along` meets, but no larger
/// ones than those that stop it: friction never turns a motion round.
#[inline(always)]
pub(crate) fn at<L: SolverLanes>(along: [L; 3], stopping: [L; 3], limit: L) -> [L; 3] {
    let [x, y, twist] = along;
    let (slide, turn) = ((x * x + y * y).sqrt(), twist.abs());
    let [stop_x, stop_y, stop_twist] = stopping;
    let (stop_slide, stop_turn) = ((stop_x * stop_x + stop_y * stop_y).sqrt(), stop_twist.abs());
    let [larger, _, root] = parts(along);
    let smaller_share = limit / root.max(L::splat(TINY));
    let larger_share = L::splat(3.0) * limit / larger.max(L::splat(TINY)) - L::splat(4.0) * smaller_share;
    let slides_more = turn.at_most(slide);
    let slide_share = L::select(slides_more, larger_share, smaller_share);
    let turn_share = L::select(slides_more, smaller_share, larger_share);
    let slide_share = slide_share.min(stop_slide / slide.max(L::splat(TINY)));
    let turn_share = turn_share.min(stop_turn / turn.max(L::splat(TINY)));
    [x * slide_share, y * slide_share, twist * turn_share]
}

/// Impulses scaled down to where the limit surface holds them.
#[inline(always)]
pub(crate) fn bounded<L: SolverLanes>(impulses: [L; 3], limit: L) -> [L; 3] {
    let [larger, smaller, root] = parts(impulses);
    let power = L::splat(3.0) * larger - root;
    let square = larger * larger + smaller * smaller;
    let share = (power * limit / square.max(L::splat(TINY))).min(L::splat(1.0));
    let [x, y, twist] = impulses;
    [x * share, y * share, twist * share]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Force and torque of a ring, summed over its points.
    fn ring(slide: f32, turn: f32) -> [f32; 2] {
        let count = 10_000;
        let mut sum = [0.0f64; 2];
        for k in 0..count {
            let angle = std::f64::consts::TAU * (f64::from(k) + 0.5) / f64::from(count);
            let (slide, turn) = (f64::from(slide), f64::from(turn));
            let velocity = [slide - turn * angle.sin(), turn * angle.cos()];
            let speed = velocity[0].hypot(velocity[1]);
            sum[0] += velocity[0] / speed;
            sum[1] += (velocity[1] * angle.cos() - velocity[0] * angle.sin()) / speed;
        }
        sum.map(|part| (part / f64::from(count)) as f32)
    }

    #[test]
    fn it_is_that_of_a_ring() {
        for (slide, turn) in
            [(1.0, 0.0), (0.0, 1.0), (1.0, 0.1), (0.1, 1.0), (1.0, 0.5), (0.5, 1.0), (1.0, 1.001)]
        {
            let [force, torque] = ring(slide, turn);
            let along = [0.6 * slide, 0.8 * slide, -turn];
            let [x, y, twist] = at(along, along.map(|part| 1e3 * part), 2.0);
            assert!(((x * x + y * y).sqrt() / 2.0 - force).abs() < 0.06, "{slide} {turn}: {x} {y} {force}");
            assert!((-twist / 2.0 - torque).abs() < 0.06, "{slide} {turn}: {twist} {torque}");
            assert!(holds([x, y, twist].map(|part| part * 0.9999), 2.0), "it holds what is on it");
            assert!(!holds([x, y, twist].map(|part| part * 1.1), 2.0));
        }
    }

    #[test]
    fn it_stops_and_turns_nothing_round() {
        // A twist that is hard to stop does not hurl what hardly slides.
        let [x, y, twist] = at([0.05, 0.0, 0.1], [0.05, 0.0, 10.0], 5.0);
        assert!(x <= 0.05 && y == 0.0 && twist > 4.0, "{x} {y} {twist}");
    }

    #[test]
    fn nothing_is_held_without_pressure() {
        assert_eq!(at([0.0; 3], [0.0; 3], 1.0).map(f32::abs), [0.0; 3]);
        assert_eq!(at([1.0, 2.0, 3.0], [1.0, 2.0, 3.0], 0.0).map(f32::abs), [0.0; 3]);
        assert_eq!(bounded([1.0, 2.0, 3.0], 0.0).map(f32::abs), [0.0; 3]);
        assert!(holds([0.0; 3], 0.0) && !holds([0.0, 0.0, 1.0], 0.0));
    }
}
