//! The examples of the thesis, and the cases that its corrections are about.

use carom_geometry::polytope::{Feature, HalfEdgeId, VertexId};
use carom_geometry::{Polytope, Pose, Rotation};
use carom_narrowphase::alternatives::vclip::Stepper;
use carom_narrowphase::oracle::certify;
use carom_narrowphase::vclip::{VClip, VClipState, VClipStatus, VClipTermination, Witness};
use glam::DVec3;
use std::f64::consts::PI;

#[path = "../../examples/vclip_steps/cases.rs"]
mod thesis;

use thesis::{cube, inside, penetrating, separated};

const QUERY: VClip = VClip { limit: 5000, perimeter: carom_narrowphase::vclip::Perimeter::Walk };

fn face_towards(shape: &Polytope<f64>, direction: DVec3) -> Feature {
    let best = shape.faces().max_by(|&f, &g| {
        let along = |f| shape.plane(f).normal.dot(direction);
        along(f).total_cmp(&along(g))
    });
    Feature::Face(best.unwrap())
}

fn vertex_towards(shape: &Polytope<f64>, direction: DVec3) -> Feature {
    Feature::Vertex(shape.support_vertex(direction))
}

#[test]
fn the_separated_example_ends_at_a_vertex_and_a_face() {
    let (prism, cube, pose) = separated();
    let answer = QUERY.solve(&prism, &cube, &pose, Witness::VERTICES);
    assert_eq!((answer.state, answer.status), (VClipState::VertexFace, VClipStatus::Separated));
    assert!((answer.features.distance - 2.79418).abs() < 5e-6, "{answer:?}");
}

#[test]
fn the_penetrating_example_ends_at_an_edge_through_a_face() {
    let (pyramid, cube, pose) = penetrating();
    let answer = QUERY.solve(&pyramid, &cube, &pose, Witness::VERTICES);
    assert_eq!((answer.state, answer.status), (VClipState::EdgeFace, VClipStatus::Penetrating));
    // From the pierced face and the apex, which is inside.
    let below = pose.rotation.rotate_back(DVec3::NEG_Y);
    let seed = Witness::new(vertex_towards(&pyramid, DVec3::Y), face_towards(&cube, below));
    let answer = QUERY.solve(&pyramid, &cube, &pose, seed);
    assert_eq!(answer.status, VClipStatus::Penetrating);
}

#[test]
fn the_examples_are_as_deep_as_the_thesis_has_them() {
    for ((a, b, pose), depth) in [(penetrating(), 0.40211), (inside(), 1.39680)] {
        let near = QUERY.proximity(&a, &b, &pose, &mut Witness::default());
        assert!((near.distance + depth).abs() < 1e-4, "{near:?}");
        assert_eq!(certify(&a, &b, &pose, &near, 1e-9), Ok(()));
    }
}

#[test]
fn the_example_inside_ends_at_a_vertex_and_the_best_face() {
    let (pyramid, cube, pose) = inside();
    let first = QUERY.solve(&pyramid, &cube, &pose, Witness::VERTICES);
    assert_eq!((first.state, first.status), (VClipState::VertexFace, VClipStatus::Penetrating));
    let is_best = |witness: Witness| match witness.features() {
        [Feature::Vertex(v), Feature::Face(f)] => cube.highest_face(pose.undo(pyramid.point(v))).0 == f,
        [Feature::Face(f), Feature::Vertex(v)] => pyramid.highest_face(pose.apply(cube.point(v))).0 == f,
        _ => false,
    };
    assert!(is_best(first.witness));
    // The next query begins there and need not look farther.
    let second = QUERY.solve(&pyramid, &cube, &pose, first.witness);
    assert!(is_best(second.witness) && second.is_penetrating() && second.steps <= first.steps);
    let third = QUERY.solve(&pyramid, &cube, &pose, second.witness);
    assert_eq!((third.witness, third.steps), (second.witness, 1));
}

/// The original keeps the face that it came from, and searches all faces again in the next query.
#[test]
fn a_vertex_inside_is_left_at_its_best_face() {
    let (die, cube) = (Polytope::cube(0.1).unwrap(), cube());
    let pose = Pose::at(DVec3::new(-0.8, 0.0, 0.0));
    let (left, right) = (face_towards(&cube, DVec3::NEG_X), face_towards(&cube, DVec3::X));
    let seed = Witness::new(vertex_towards(&die, DVec3::NEG_ONE), left);
    let answer = QUERY.solve(&die, &cube, &pose, seed);
    assert!(answer.is_penetrating() && (answer.features.distance + 0.3).abs() < 1e-12, "{answer:?}");
    assert_eq!(answer.witness.features(), [seed.features()[0], right]);
    // From there the vertex that is nearest to the face.
    let next = QUERY.solve(&die, &cube, &pose, answer.witness);
    assert!(next.is_penetrating() && (next.features.distance + 0.1).abs() < 1e-12, "{next:?}");
}

/// The original rule compares absolute heights: the end below is farther from the face than the
/// vertex above it, so it would stop and call the two separated by 0.1.
#[test]
fn an_edge_that_pierces_a_face_is_found_from_the_vertex_above() {
    let (post, cube) = (Polytope::cuboid(DVec3::new(0.1, 3.0, 0.1)).unwrap(), cube());
    let pose = Pose::at(DVec3::new(0.0, 1.9, 0.0));
    let seed = Witness::new(vertex_towards(&post, DVec3::ONE), face_towards(&cube, DVec3::Y));
    let answer = QUERY.solve(&post, &cube, &pose, seed);
    assert_eq!((answer.state, answer.status), (VClipState::EdgeFace, VClipStatus::Penetrating));
    let swapped = QUERY.solve(&cube, &post, &pose.inverse(), seed.swapped());
    assert_eq!((swapped.state, swapped.status), (VClipState::EdgeFace, VClipStatus::Penetrating));
}

#[test]
fn a_vertex_behind_a_face_but_outside_escapes_to_another_face() {
    let (die, cube) = (Polytope::cube(0.25).unwrap(), cube());
    let pose = Pose::at(DVec3::new(-5.0, 0.1, 0.2));
    // The cube's left face looks away from the die on its right, and the die's left corner is
    // nearest to its plane.
    let seed = Witness::new(vertex_towards(&die, DVec3::NEG_ONE), face_towards(&cube, DVec3::NEG_X));
    let mut stepper = Stepper::new(&die, &cube, &pose, seed);
    assert_eq!(stepper.iterate(), None);
    assert_eq!(stepper.features()[1], face_towards(&cube, DVec3::X));
    let answer = QUERY.solve(&die, &cube, &pose, seed);
    assert_eq!((answer.status, answer.features.distance), (VClipStatus::Separated, 3.75));
}

#[test]
fn a_limit_of_steps_gives_a_pair_and_says_so() {
    let (prism, cube, pose) = separated();
    let mut last = f64::INFINITY;
    for limit in 0..8 {
        let answer = VClip { limit, ..QUERY }.solve(&prism, &cube, &pose, Witness::VERTICES);
        assert!(answer.features.is_finite() && answer.features.distance >= 2.79417);
        assert!(answer.features.distance <= last, "pairs get better");
        last = answer.features.distance;
        if answer.ending == VClipTermination::Settled {
            assert!((2..=limit).contains(&answer.steps));
        } else {
            assert_eq!((answer.ending, answer.steps), (VClipTermination::Limit, limit.max(1)));
            assert_eq!(answer.separation(), None, "nothing is proven");
        }
    }
}

#[test]
fn seeds_of_other_polytopes_are_only_bad_starts() {
    let (prism, cube, pose) = separated();
    let strange = Witness::new(Feature::Edge(HalfEdgeId(9999)), Feature::Vertex(VertexId(1 << 29)));
    let faces = Witness::new(face_towards(&prism, DVec3::X), face_towards(&cube, DVec3::X));
    for seed in [strange, faces] {
        let answer = QUERY.solve(&prism, &cube, &pose, seed);
        assert!((answer.features.distance - 2.79418).abs() < 5e-6);
    }
}

#[test]
fn touching_features_have_a_finite_unit_normal() {
    let cube = cube();
    let die = Polytope::cube(0.5).unwrap();
    let corner = Pose::at(DVec3::splat(1.5));
    let on_edge = Pose::at(DVec3::new(1.5, 1.5, 0.3));
    let on_face = Pose::at(DVec3::new(1.5, 0.2, 0.1));
    let rotation = Rotation::about_axis(DVec3::Z, -PI / 4.0) * Rotation::about_axis(DVec3::X, PI / 4.0);
    let crossing = Pose::new(DVec3::new(1.5, 1.5, 0.0), rotation);
    let mut states = Vec::new();
    for (pose, name) in [(corner, "corner"), (on_edge, "edge"), (on_face, "face"), (crossing, "crossing")] {
        for v in cube.vertices() {
            let seed = Witness::new(Feature::Vertex(v), Feature::Vertex(VertexId(0)));
            let answer = QUERY.solve(&cube, &die, &pose, seed);
            assert!(answer.is_penetrating() && answer.features.distance.abs() < 1e-14, "{name}: {answer:?}");
            states.push(answer.state);
            let normal = answer.features.normal;
            assert!((normal.length() - 1.0).abs() < 1e-14 && normal.x >= 0.0, "{name}: {normal}");
        }
    }
    for state in [VClipState::VertexVertex, VClipState::VertexEdge, VClipState::VertexFace] {
        assert!(states.contains(&state), "{state} of {states:?}");
    }
    // The same place: every vertex, edge and face coincides.
    let answer = QUERY.solve(&cube, &cube, &Pose::IDENTITY, Witness::VERTICES);
    assert!(answer.is_penetrating() && (answer.features.normal.length() - 1.0).abs() < 1e-14);
}
