//! A scene of the plane as bodies: what simulations run.
//!
//! Every polygon becomes a dynamic body that cannot leave the plane z = 0, made of upright prisms
//! of
//! its convex pieces, one unit thick, so that masses are those of areas. There is neither gravity
//! nor friction, and impacts are elastic: until polygons meet, they glide as the scene says.
//! Simulations that know figures of the plane take the prisms for that.

use carom_planar::{PlanarObject, PlanarScene};

use crate::model::{Body, Camera, LockedAxes, Material, Scene, Shape, ShapeKind, SolverSettings};

/// Half the thickness of the prisms.
pub const HALF_THICKNESS: f32 = 0.5;

/// The bodies of a scene of the plane, as they are at its first moment.
///
/// # Errors
/// If outlines cross or touch themselves: one line for each object.
pub fn spatial_scene(planar: &PlanarScene) -> Result<Scene, Vec<String>> {
    let mut problems = Vec::new();
    let mut bodies = Vec::with_capacity(planar.objects.len());
    for (number, object) in planar.objects.iter().enumerate() {
        match body(number, object, planar.time[0]) {
            Some(body) => bodies.push(body),
            None => problems.push(format!(
                "object {number}: its outline crosses or touches itself, so it has no convex pieces"
            )),
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let [x, y] = planar.frame.map(|[low, high]| (0.5 * (low + high)) as f32);
    let height = planar.frame.iter().fold(0.0, |most: f64, [low, high]| most.max(high - low)) as f32;
    let seconds = planar.time[1] - planar.time[0];
    let steps = (seconds * 60.0).ceil().clamp(1.0, 1e6) as u32;
    let camera = Camera::Orbit { distance: height, pitch: 0.0, yaw: 90.0, target: [x, y, 0.0] };
    Ok(Scene {
        name: planar.name.clone(),
        description: "A scene of two dimensions: polygons that glide and bounce off each other".to_owned(),
        solver: SolverSettings { frames: Some(steps), ..SolverSettings::default() },
        camera,
        bodies,
        ..Scene::default()
    })
}

/// One object at a time; its frame is at the middle of its box.
fn body(number: usize, object: &PlanarObject, time: f64) -> Option<Body> {
    let outline = object.polygon_at(time);
    let bounds = outline.aabb()?;
    let centre = [0, 1].map(|k| 0.5 * (bounds.min[k] + bounds.max[k]));
    let surface = Material { friction: 0.0, restitution: 1.0, density: 1.0, ..Material::default() };
    let pieces = outline.convex_pieces()?;
    let prism = |vertices: &[[f64; 2]]| {
        let at =
            |z: f32| vertices.iter().map(move |v| [(v[0] - centre[0]) as f32, (v[1] - centre[1]) as f32, z]);
        let points = at(-HALF_THICKNESS).chain(at(HALF_THICKNESS)).collect();
        Shape::new(ShapeKind::Convex { points }).with_material(surface)
    };
    let [vx, vy] = object.velocity;
    Some(Body {
        id: number.to_string(),
        position: [centre[0] as f32, centre[1] as f32, 0.0],
        velocity: [vx as f32, vy as f32, 0.0],
        locked: LockedAxes { translation: [false, false, true], rotation: [true, true, false] },
        shapes: pieces.iter().map(|piece| prism(&piece.vertices)).collect(),
        ..Body::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::{self, SceneSource};

    #[test]
    fn every_planar_scene_of_the_library_has_bodies_without_problems() {
        let requests = ["random2d:50", "sp-direct", "sp-direct?case=4", "sp-incremental", "three-objects"];
        for request in requests.into_iter().chain(["equidistribution:5"]) {
            let SceneSource::Planar(planar) = library::build(request).unwrap() else { panic!("{request}") };
            let scene = spatial_scene(&planar).unwrap();
            assert_eq!(scene.bodies.len(), planar.objects.len(), "{request}");
            assert_eq!(crate::validate::validate(&scene), [], "{request}");
        }
    }

    #[test]
    fn outlines_that_cross_themselves_are_refused() {
        let vertices = vec![[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]];
        let crossed = PlanarObject { velocity: [0.0; 2], vertices };
        let planar = PlanarScene { objects: vec![crossed], ..PlanarScene::default() };
        assert_eq!(spatial_scene(&planar).unwrap_err().len(), 1);
    }
}
