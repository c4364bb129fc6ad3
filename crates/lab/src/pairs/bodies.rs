//! The bodies of a scene, each going on with its first velocity and angular velocity as if nothing
//! were in its way.
//!
//! One box per shape: the exact box of the posed shape, and inside it an oriented box and a sphere.
//! Boxes of one body do not pair with each other, nor do boxes of static bodies. Layers, masks and
//! groups of the shapes are kept. Places are computed from the time, not added up, so that frame
//! 1000 is as exact as frame 1.

use std::path::Path;

use carom_broadphase::{Bound, Filter};
use carom_geometry::shape::{Bounded, Shape};
use carom_geometry::{Aabb, Pose, Rotation};
use carom_scene::Scene;
use carom_scene::model::{Body, BodyKind, ShapeKind};
use carom_scene::swarm::Changes;
use glam::Vec3;

use super::frames::{Frame, Frames};
use carom_sim::shapes::{self, ShapeBuildError};

/// Steps per second where the scene does not say.
const STEPS_PER_SECOND: u32 = 60;

/// Why a body has no box.
#[derive(Debug, thiserror::Error)]
#[error("body '{body}': {error}")]
pub struct BodyError {
    /// Its id.
    pub body: String,
    /// What is wrong.
    pub error: ShapeBuildError,
}

/// A shape as far as boxes go.
#[derive(Clone, Debug)]
enum Form {
    Solid(Shape),
    /// Hulls, meshes and height fields: their box is that of their points.
    Points(Vec<Vec3>),
}

impl Form {
    fn aabb_at(&self, pose: &Pose) -> Aabb<3> {
        match self {
            Self::Solid(shape) => shape.aabb_at(pose),
            Self::Points(points) => Aabb::of_points(points.iter().map(|p| pose.apply(*p))),
        }
    }

    /// The oriented box and sphere in local coordinates, if the shape is finite.
    fn bound(&self) -> Option<Bound> {
        let bound = Bound::of_box(&self.aabb_at(&Pose::IDENTITY))?;
        let radius = match self {
            Self::Solid(Shape::Sphere(sphere)) => sphere.radius,
            Self::Solid(Shape::Capsule(capsule)) => capsule.half_length() + capsule.radius,
            _ => bound.radius,
        };
        Some(Bound { radius, ..bound })
    }
}

/// One shape on its way.
#[derive(Clone, Debug)]
struct Mover {
    /// Number of its body in the scene.
    body: usize,
    form: Form,
    bound: Option<Bound>,
    /// Place of the shape on its body.
    on_body: Pose,
    start: Pose,
    velocity: Vec3,
    angular_velocity: Vec3,
}

impl Mover {
    fn pose(&self, time: f32) -> Pose {
        let rotation = Rotation::from_rotation_vector(self.angular_velocity * time) * self.start.rotation;
        Pose::new(self.start.translation + self.velocity * time, rotation) * self.on_body
    }

    fn is_moving(&self) -> bool {
        self.velocity != Vec3::ZERO || self.angular_velocity != Vec3::ZERO
    }
}

/// Moving bodies.
#[derive(Clone, Debug)]
pub struct Bodies {
    movers: Vec<Mover>,
    step: f32,
    frame: u32,
    boxes: Vec<Aabb<3>>,
    bounds: Vec<Option<Bound>>,
    filters: Vec<Filter>,
    changes: Changes,
}

impl Bodies {
    /// The bodies of a sound scene at its first frame; paths of meshes are relative to `folder`.
    ///
    /// # Errors
    /// If a shape has no box.
    pub fn new(scene: &Scene, folder: &Path) -> Result<Self, BodyError> {
        let (mut movers, mut filters) = (Vec::new(), Vec::new());
        for (index, body) in scene.bodies.iter().enumerate() {
            let moves = body.kind != BodyKind::Static;
            let vector = |v: [f32; 3]| if moves { Vec3::from(v) } else { Vec3::ZERO };
            let angular_velocity = vector(shapes::angular_velocity(body.angular_velocity).to_array());
            let start = Pose::new(body.position.into(), shapes::rotation(body.orientation));
            for shape in &body.shapes {
                let (form, turn) = form(body, &shape.kind, folder)?;
                let place = Pose::new(shape.position.into(), shapes::rotation(shape.orientation) * turn);
                let bound = form.bound();
                movers.push(Mover {
                    body: index,
                    form,
                    bound,
                    on_body: place,
                    start,
                    velocity: vector(body.velocity),
                    angular_velocity,
                });
                filters.push(Filter {
                    is_static: !moves,
                    category: shape.filter.layers,
                    mask: shape.filter.mask,
                    group: shape.filter.group,
                    body: (body.shapes.len() > 1).then_some(index as u32),
                });
            }
        }
        if filters.iter().all(|filter| *filter == Filter::default()) {
            filters.clear();
        }
        let boxes = movers.iter().map(|mover| mover.form.aabb_at(&mover.pose(0.0))).collect();
        let bounds = movers.iter().map(|mover| posed(mover.bound, &mover.pose(0.0))).collect();
        let step = 1.0 / scene.solver.steps_per_second.unwrap_or(STEPS_PER_SECOND).max(1) as f32;
        Ok(Self { movers, step, frame: 0, boxes, bounds, filters, changes: Changes::default() })
    }

    /// The next frame with the bodies where somebody else says they are, by their numbers; bodies
    /// without a pose stay. Those whose boxes are elsewhere then have moved.
    pub fn put(&mut self, poses: &[Option<Pose>]) {
        self.changes.moved.clear();
        for (id, mover) in self.movers.iter().enumerate() {
            let Some(pose) = poses.get(mover.body).copied().flatten() else { continue };
            let pose = pose * mover.on_body;
            let aabb = mover.form.aabb_at(&pose);
            // What is no box (a body with a non-finite state) would be refused by every space.
            if aabb != self.boxes[id] && aabb.is_valid() {
                self.boxes[id] = aabb;
                self.bounds[id] = posed(mover.bound, &pose);
                self.changes.moved.push(id as u32);
            }
        }
    }
}

fn posed(bound: Option<Bound>, pose: &Pose) -> Option<Bound> {
    bound.map(|bound| Bound { obb: bound.obb.posed(pose), ..bound })
}

impl Frames<3> for Bodies {
    fn frame(&self) -> Frame<'_, 3> {
        Frame { boxes: &self.boxes, changes: &self.changes, filters: &self.filters, bounds: &self.bounds }
    }

    fn step(&mut self) {
        self.frame += 1;
        self.changes.moved.clear();
        let time = self.frame as f32 * self.step;
        for (id, mover) in self.movers.iter().enumerate().filter(|(_, mover)| mover.is_moving()) {
            let pose = mover.pose(time);
            self.boxes[id] = mover.form.aabb_at(&pose);
            self.bounds[id] = posed(mover.bound, &pose);
            // Listed even if the box is the same: what is inside it has rotation.
            self.changes.moved.push(id as u32);
        }
    }
}

/// A shape and how it has to be rotation to lie along the axis it was given.
fn form(body: &Body, kind: &ShapeKind, folder: &Path) -> Result<(Form, Rotation), BodyError> {
    let bad = |error| BodyError { body: body.id.clone(), error };
    let plain = shapes::primitive(kind).map_err(|error| bad(ShapeBuildError::Size(error)))?;
    if let Some((shape, turn)) = plain {
        return Ok((Form::Solid(shape), turn));
    }
    let vectors = |points: &[[f32; 3]]| -> Vec<Vec3> { points.iter().copied().map(Vec3::from).collect() };
    let points = match kind {
        ShapeKind::Triangle { corners } => vectors(corners),
        ShapeKind::Convex { points } => vectors(points),
        ShapeKind::TriangleMesh { vertices, .. } => vectors(vertices),
        ShapeKind::Mesh { path, scale } => {
            shapes::load_mesh(path, *scale, folder).map_err(bad)?.vertices().to_vec()
        }
        ShapeKind::HeightField { columns, heights, spacing } => {
            let columns = (*columns).max(1) as usize;
            let rows = heights.len() / columns;
            let place = |at: usize, count: usize, step: f32| (at as f32 - 0.5 * (count as f32 - 1.0)) * step;
            let samples = heights.iter().enumerate().map(|(i, height)| {
                let x = place(i % columns, columns, spacing[0]);
                Vec3::new(x, *height, place(i / columns, rows, spacing[1]))
            });
            samples.collect()
        }
        // All others are plain.
        _ => Vec::new(),
    };
    Ok((Form::Points(points), Rotation::IDENTITY))
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_scene::library::{self, SceneSource};

    fn sphere_box(bound: &Bound) -> Aabb<3> {
        Aabb::around(bound.obb.centre, Vec3::splat(bound.radius))
    }

    fn spatial(request: &str) -> Scene {
        match library::build(request).unwrap() {
            SceneSource::Spatial(scene) => scene,
            SceneSource::Planar(_) => panic!("{request} lies in the plane"),
        }
    }

    #[test]
    fn every_library_scene_has_boxes_that_hold_their_oriented_boxes_centres() {
        let mut seen = 0;
        for name in library::samples().chain(["pile".to_owned(), "box".to_owned()]) {
            let SceneSource::Spatial(scene) = library::build(&name).unwrap() else { continue };
            let mut bodies = Bodies::new(&scene, Path::new(".")).unwrap();
            for _ in 0..3 {
                let frame = bodies.frame();
                assert_eq!(
                    frame.boxes.len(),
                    scene.bodies.iter().map(|b| b.shapes.len()).sum::<usize>(),
                    "{name}"
                );
                for (aabb, bound) in frame.boxes.iter().zip(frame.bounds) {
                    assert!(aabb.is_valid(), "{name}: {aabb:?}");
                    let Some(bound) = bound else { continue };
                    let slack = 1e-5 * (1.0 + bound.radius);
                    assert!(bound.obb.aabb().grown(slack).contains(aabb), "{name}: {aabb:?} {bound:?}");
                    assert!(sphere_box(bound).grown(slack).contains(aabb), "{name}: {aabb:?} {bound:?}");
                    seen += 1;
                }
                bodies.step();
            }
        }
        assert!(seen > 1000, "{seen}");
    }

    #[test]
    fn bodies_go_on_as_they_begin() {
        let mut scene = spatial("box:20");
        let moving = scene.bodies.iter().position(|b| b.velocity != [0.0; 3]).unwrap();
        scene.bodies[moving].velocity = [60.0, 0.0, -30.0];
        let mut bodies = Bodies::new(&scene, Path::new(".")).unwrap();
        let before = bodies.frame().boxes[moving];
        let statics: Vec<usize> =
            (0..scene.bodies.len()).filter(|i| scene.bodies[*i].kind == BodyKind::Static).collect();
        assert!(!statics.is_empty());
        for _ in 0..10 {
            bodies.step();
        }
        let fps = scene.solver.steps_per_second.unwrap_or(STEPS_PER_SECOND) as f32;
        let frame = bodies.frame();
        assert!((frame.boxes[moving].min[0] - before.min[0] - 600.0 / fps).abs() < 1e-3);
        assert!((frame.boxes[moving].min[2] - before.min[2] + 300.0 / fps).abs() < 1e-3);
        for id in statics {
            assert!(!frame.changes.moved.contains(&(id as u32)) && frame.filter(id as u32).is_static);
        }
    }
}
