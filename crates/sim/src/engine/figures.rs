//! Scenes that lie in a plane: the engine runs them with figures instead of prisms.
//!
//! A scene does if every body can move in the plane z = 0 only, and every shape is an upright prism
//! that this plane cuts in half. Prisms of such bodies meet where their figures do, whatever their
//! heights are as long as these are equal; figures need one contact point where prisms need two,
//! and no axis but those of the plane.

use carom_geometry::shape::Planar;
use carom_scene::Scene;
use carom_scene::model::{Body, LockedAxes, Orientation, ShapeKind};
use glam::Vec2;

/// Motion in the plane of x and y.
const PLANE: LockedAxes = LockedAxes { translation: [false, false, true], rotation: [true, true, false] };

/// The half height of all prisms of a scene that lies in the plane.
pub(crate) fn plane_half_height(scene: &Scene) -> Option<f32> {
    let mut heights = scene.bodies.iter().map(half_height);
    let first = heights.next()??;
    heights.all(|height| height == Some(first)).then_some(first)
}

fn half_height(body: &Body) -> Option<f32> {
    let turns_not_out = |orientation: Orientation| match orientation {
        Orientation::Quaternion([x, y, ..]) => x == 0.0 && y == 0.0,
        Orientation::EulerDegrees([x, y, _]) => x == 0.0 && y == 0.0,
    };
    let spin = body.angular_velocity.components();
    let lies = body.locked == PLANE
        && body.position[2] == 0.0
        && body.velocity[2] == 0.0
        && spin[0] == 0.0
        && spin[1] == 0.0
        && turns_not_out(body.orientation);
    let mut found = None;
    for shape in &body.shapes {
        let ShapeKind::Convex { points } = &shape.kind else { return None };
        let own = points.first()?[2].abs();
        let is_prism = own > 0.0
            && shape.position[2] == 0.0
            && turns_not_out(shape.orientation)
            && points.iter().all(|point| point[2].abs() == own)
            && points.iter().all(|[x, y, z]| points.contains(&[*x, *y, -*z]));
        if !is_prism || found.is_some_and(|height| height != own) {
            return None;
        }
        found = Some(own);
    }
    found.filter(|_| lies)
}

/// The figure of an upright prism; `None` if it has too many corners.
pub(crate) fn figure(kind: &ShapeKind) -> Option<Planar> {
    let ShapeKind::Convex { points } = kind else { return None };
    let corners: Vec<Vec2> =
        points.iter().filter(|point| point[2] > 0.0).map(|[x, y, _]| Vec2::new(*x, *y)).collect();
    Planar::polygon(&corners).ok()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::bodies::BodyBuffer;
    use crate::engine::{EngineSettings, EngineSimulation};
    use crate::load::load_scene;
    use crate::simulation::Simulation;

    /// Runs a scene for two seconds and hands over its simulation.
    fn run(source: &str) -> EngineSimulation {
        let scene = Arc::new(load_scene(source, None).unwrap().scene);
        assert_eq!(plane_half_height(&scene), Some(carom_scene::planar_bodies::HALF_THICKNESS), "{source}");
        let mut simulation = EngineSimulation::new(&scene, &EngineSettings::default()).unwrap();
        simulation.advance_to(2.0).unwrap();
        simulation
    }

    fn energy(simulation: &EngineSimulation) -> f64 {
        simulation.built().world.bodies().map(|body| body.kinetic_energy()).sum()
    }

    #[test]
    fn planar_scenes_of_the_library_run_in_their_plane() {
        for source in
            ["random2d:100", "sp-direct?case=3", "sp-incremental:4", "equidistribution:6", "three-objects"]
        {
            let simulation = run(source);
            let world = &simulation.built().world;
            for body in world.bodies() {
                assert_eq!((body.position().z, body.velocity().z), (0.0, 0.0), "{source}");
                assert_eq!(body.angular_velocity().truncate(), Vec2::ZERO, "{source}");
            }
            assert!(world.shapes().all(|shape| shape.shape().name() == "planar"), "{source}");
            let mut bodies = BodyBuffer::default();
            simulation.bodies(&mut bodies);
            assert_eq!(simulation.body_count(), world.len(), "{source}");
        }
    }

    #[test]
    fn polygons_bounce_without_loss() {
        let before = {
            let scene = Arc::new(load_scene("random2d:100", None).unwrap().scene);
            energy(&EngineSimulation::new(&scene, &EngineSettings::default()).unwrap())
        };
        let after = energy(&run("random2d:100"));
        assert!((after / before - 1.0).abs() < 0.02, "{before} {after}");
    }

    #[test]
    fn solid_scenes_stay_solid() {
        let scene = load_scene("pyramid:3", None).unwrap().scene;
        assert_eq!(plane_half_height(&scene), None);
    }
}
