//! Contact points of a ball: one, or none.
//!
//! Everything is measured in the frame of the other shape, in which only the centre of the ball
//! counts: a ball has no frame worth turning into. Each kind of other shape has a function of its
//! own in which the formula ends in the contact point without an answer in between, because numbers
//! that pass through memory in other portions than they were written cost more than the formulas.

use carom_geometry::Pose;
use carom_geometry::shape::{Shape, Sphere};
use glam::Vec3;

use super::{
    capsule_sphere, capsule_touches_sphere, cone_sphere, cuboid_sphere, cuboid_touches_sphere,
    cylinder_sphere, polytope_sphere_within, sphere_packed, sphere_sphere, spheres_touch, tile_sphere,
    tile_touches_sphere, triangle_sphere, triangle_touches_sphere,
};
use crate::manifold::{FeatureId, Manifold, ManifoldPoint};
use crate::planar::beside_ball;
use crate::proximity::Proximity;

/// A ball before another shape; false if there is no formula.
pub(super) fn first(
    ball: &Sphere,
    b: &Shape,
    pose: &Pose,
    speculative_distance: f32,
    contact: &mut Manifold,
) -> bool {
    solid::<true>(b, ball, pose, speculative_distance, contact)
}

/// A ball after another shape; false if there is no formula.
pub(super) fn second(
    a: &Shape,
    ball: &Sphere,
    pose: &Pose,
    speculative_distance: f32,
    contact: &mut Manifold,
) -> bool {
    solid::<false>(a, ball, pose, speculative_distance, contact)
}

/// A shape and a ball, which is the first of the two or not. That they are far apart is found out
/// before any root is taken where that is easy.
#[inline(always)]
fn solid<const FIRST: bool>(
    solid: &Shape,
    ball: &Sphere,
    pose: &Pose,
    speculative_distance: f32,
    contact: &mut Manifold,
) -> bool {
    macro_rules! by {
        ($solid:expr, $formula:expr) => {
            one::<_, FIRST>($solid, ball, pose, speculative_distance, contact, $formula)
        };
    }
    let is_done = match solid {
        Shape::Capsule(a) => sphere_packed::capsule::<FIRST>(a, ball, pose, speculative_distance, contact),
        Shape::Triangle(a) => sphere_packed::triangle::<FIRST>(a, ball, pose, speculative_distance, contact),
        _ => false,
    };
    if is_done {
        return true;
    }
    match solid {
        Shape::Sphere(a) => {
            by!(a, |a, ball, at, grown| spheres_touch(a, grown, at).then(|| sphere_sphere(a, ball, at)))
        }
        Shape::Capsule(a) => by!(a, |a, ball, at, grown| capsule_touches_sphere(a, grown, at)
            .then(|| capsule_sphere(a, ball, at))),
        Shape::Cuboid(a) => by!(a, |a, ball, at, grown| cuboid_touches_sphere(a, grown, at)
            .then(|| cuboid_sphere(a, ball, at))),
        Shape::Tile(a) => {
            by!(a, |a, ball, at, grown| tile_touches_sphere(a, grown, at).then(|| tile_sphere(a, ball, at)))
        }
        Shape::Cylinder(a) => by!(a, |a, ball, at, _| Some(cylinder_sphere(a, ball, at))),
        Shape::Cone(a) => by!(a, |a, ball, at, _| Some(cone_sphere(a, ball, at))),
        Shape::Triangle(a) => by!(a, |a, ball, at, grown| triangle_touches_sphere(a, grown, at)
            .then(|| triangle_sphere(a, ball, at))),
        Shape::Polytope(a) => {
            by!(a, |a, ball, at, _| polytope_sphere_within(a, ball, at, speculative_distance))
        }
        Shape::Planar(a) => by!(a, |a, ball, at, _| Some(beside_ball(a, ball.radius, at))),
        _ => false,
    }
}

/// One kind of shape by its formula, which gets the shape, the ball, where the ball is in the frame
/// of the shape, and the ball grown by the speculative distance, and may answer nothing if that
/// does not touch. Always true.
#[inline(never)]
fn one<A, const FIRST: bool>(
    solid: &A,
    ball: &Sphere,
    pose: &Pose,
    speculative_distance: f32,
    contact: &mut Manifold,
    formula: impl Fn(&A, &Sphere, &Pose, &Sphere) -> Option<Proximity>,
) -> bool {
    let at = Pose::at(if FIRST { pose.undo(Vec3::ZERO) } else { pose.translation });
    let grown = Sphere { radius: ball.radius + speculative_distance };
    let Some(found) =
        formula(solid, ball, &at, &grown).filter(|found| found.distance <= speculative_distance)
    else {
        contact.clear();
        return true;
    };
    let normal = found.normal;
    if FIRST {
        let normal = -pose.rotation.rotate(normal);
        contact.start(normal);
        let (on_a, on_b) = (normal * ball.radius, found.on_a);
        contact.push(ManifoldPoint { on_a, on_b, separation: found.distance, feature: FeatureId(0) });
    } else {
        contact.start(normal);
        let (on_a, on_b) = (found.on_a, pose.rotation.rotate_back(normal) * -ball.radius);
        contact.push(ManifoldPoint { on_a, on_b, separation: found.distance, feature: FeatureId(0) });
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_geometry::Rotation;
    use carom_geometry::primitive::{Segment, Triangle};
    use carom_geometry::shape::Capsule;

    /// The contact by the function for all cases.
    fn by_formula<const FIRST: bool>(
        solid: &Shape,
        ball: &Sphere,
        pose: &Pose,
        speculative_distance: f32,
    ) -> Manifold {
        let mut contact = Manifold::default();
        match solid {
            Shape::Capsule(a) => {
                one::<_, FIRST>(a, ball, pose, speculative_distance, &mut contact, |a, ball, at, _| {
                    Some(capsule_sphere(a, ball, at))
                })
            }
            Shape::Triangle(a) => {
                one::<_, FIRST>(a, ball, pose, speculative_distance, &mut contact, |a, ball, at, _| {
                    Some(triangle_sphere(a, ball, at))
                })
            }
            _ => unreachable!("no straight way"),
        };
        contact
    }

    fn compare<const FIRST: bool>(solid: &Shape, ball: &Sphere, pose: &Pose, counts: &mut [u32; 2]) {
        const MARGIN: f32 = 0.02;
        let mut fast = Manifold::default();
        let is_straight = match solid {
            Shape::Capsule(a) => sphere_packed::capsule::<FIRST>(a, ball, pose, MARGIN, &mut fast),
            Shape::Triangle(a) => sphere_packed::triangle::<FIRST>(a, ball, pose, MARGIN, &mut fast),
            _ => false,
        };
        if !is_straight {
            return;
        }
        counts[0] += 1;
        let slow = by_formula::<FIRST>(solid, ball, pose, MARGIN);
        let what = || format!("{solid:?} {ball:?} {pose:?} {fast:?} {slow:?}");
        let [Some(p), Some(q)] = [&fast, &slow].map(|contact| contact.points().first().copied()) else {
            // Either has none: then the other one is at the speculative distance at most.
            let deepest = [&fast, &slow].map(|c| if c.is_empty() { MARGIN } else { c.deepest() });
            assert!((deepest[0] - deepest[1]).abs() < 1e-5, "{}", what());
            return;
        };
        counts[1] += 1;
        assert!((fast.normal - slow.normal).length() < 1e-4, "{}", what());
        assert!((p.separation - q.separation).abs() < 1e-5, "{}", what());
        assert!((p.on_a - q.on_a).length() < 1e-4 && (p.on_b - q.on_b).length() < 1e-4, "{}", what());
        // The points belong to the separation.
        let apart = (pose.apply(p.on_b) - p.on_a).dot(fast.normal);
        assert!((apart - p.separation).abs() < 1e-5, "{}", what());
    }

    #[test]
    fn the_straight_ways_agree_with_the_formulas_for_all() {
        let mut seed = 23u64;
        let mut number = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 40) as f32 / (1u64 << 23) as f32 - 1.0
        };
        let mut counts = [0, 0];
        for case in 0..20_000 {
            let mut vector = || {
                let v = Vec3::new(number(), number(), number());
                if case % 5 == 0 { (v * 2.0).round() * 0.5 } else { v }
            };
            let segment = Segment::new(vector(), vector());
            let solids = [
                Shape::from(Capsule { segment, radius: 0.2 }),
                Shape::from(Triangle::<f32>::new(vector(), vector(), vector())),
            ];
            let pose = Pose::new(vector(), Rotation::from_rotation_vector(vector()));
            let ball = Sphere { radius: 0.3 };
            for solid in &solids {
                compare::<true>(solid, &ball, &pose, &mut counts);
                compare::<false>(solid, &ball, &pose, &mut counts);
            }
        }
        // Needles, and centres on an axis, are the rare ones.
        assert!(counts[0] > 60_000 && counts[1] > 10_000, "{counts:?}");
    }
}
