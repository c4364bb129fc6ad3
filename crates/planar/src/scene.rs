//! Scenes of the plane: polygons that glide through a frame, each at its own constant velocity.
//!
//! Objects neither rotate nor collide; they may leave the frame, which only serves to measure
//! density. Vertices are given at time zero: at time `t` a vertex is at `p + v·t`.
//!
//! As in three dimensions the types are plain data and all rules live in one place,
//! [`PlanarScene::validate`], which reports everything that is wrong at once.

use crate::polygon::{Polygon, Rectangle};

/// Most objects of one scene: far above every real scene and far below what hurts.
pub const MAX_OBJECTS: usize = 4_000_000;
/// Most vertices of one polygon.
pub const MAX_VERTICES: usize = 16_000_000;

/// A rigid polygon in straight motion.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlanarObject {
    /// Units per second.
    pub velocity: [f64; 2],
    /// Corners at time zero, in order round the outline.
    pub vertices: Vec<[f64; 2]>,
}

impl PlanarObject {
    /// Where the object stands, relative to its vertices, at a time.
    fn offset_at(&self, time: f64) -> [f64; 2] {
        self.velocity.map(|v| v * time)
    }

    /// The outline at a time.
    #[must_use]
    pub fn polygon_at(&self, time: f64) -> Polygon {
        Polygon::new(self.vertices.clone()).translated(self.offset_at(time))
    }

    /// The axis-aligned rectangle round the object at a time; none if it has no vertices.
    #[must_use]
    pub fn aabb_at(&self, time: f64) -> Option<Rectangle> {
        Rectangle::around(&self.vertices).map(|r| r.translated(self.offset_at(time)))
    }

    /// Area of the polygon.
    #[must_use]
    pub fn area(&self) -> f64 {
        Polygon::new(self.vertices.clone()).area()
    }
}

/// Polygons in a frame, for an interval of time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlanarScene {
    /// Short name; a file's stem.
    pub name: String,
    /// Lowest and highest x, then lowest and highest y.
    pub frame: [[f64; 2]; 2],
    /// First and last moment, both included, seconds.
    pub time: [f64; 2],
    /// Samples per second, for the methods that sample.
    pub frames_per_second: u32,
    /// The objects; their index is their name.
    pub objects: Vec<PlanarObject>,
}

/// One thing that is wrong with a scene. Objects and vertices are numbered from 0.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PlanarProblem {
    /// The frame has no area, or a side that is not finite.
    #[error("the frame runs from {min} to {max} along {axis}")]
    Frame {
        /// `x` or `y`.
        axis: char,
        /// Lower side.
        min: f64,
        /// Upper side.
        max: f64,
    },
    /// The interval ends before it begins, or is not finite.
    #[error("the time runs from {start} to {end}")]
    Time {
        /// First moment.
        start: f64,
        /// Last moment.
        end: f64,
    },
    /// No frames per second.
    #[error("frames per second must be at least 1")]
    FramesPerSecond,
    /// More objects than any scene may have.
    #[error("{count} objects, more than the limit of {MAX_OBJECTS}")]
    TooManyObjects {
        /// How many.
        count: usize,
    },
    /// Too few or too many corners.
    #[error("object {object} has {count} vertices; it needs at least 3 and at most {MAX_VERTICES}")]
    VertexCount {
        /// Which object.
        object: usize,
        /// How many vertices.
        count: usize,
    },
    /// A coordinate that is not finite.
    #[error("object {object}: vertex {vertex} is at {position:?}")]
    Vertex {
        /// Which object.
        object: usize,
        /// Which vertex.
        vertex: usize,
        /// Where it is.
        position: [f64; 2],
    },
    /// A velocity that is not finite, or so high that the object leaves the range of numbers.
    #[error("object {object}: velocity {velocity:?} leads out of the range of numbers")]
    Velocity {
        /// Which object.
        object: usize,
        /// How fast.
        velocity: [f64; 2],
    },
}

/// A scene that cannot be used: at least one problem.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}", problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
pub struct PlanarSceneError {
    /// What is wrong; never empty.
    pub problems: Vec<PlanarProblem>,
}

impl PlanarScene {
    /// Checks the whole scene; an empty list means that it is sound.
    #[must_use]
    pub fn validate(&self) -> Vec<PlanarProblem> {
        let mut problems = Vec::new();
        for (axis, [min, max]) in ['x', 'y'].into_iter().zip(self.frame) {
            // Written so that NaN fails.
            if !(min < max && min.is_finite() && max.is_finite()) {
                problems.push(PlanarProblem::Frame { axis, min, max });
            }
        }
        let [start, end] = self.time;
        if !(start <= end && start.is_finite() && end.is_finite()) {
            problems.push(PlanarProblem::Time { start, end });
        }
        if self.frames_per_second == 0 {
            problems.push(PlanarProblem::FramesPerSecond);
        }
        if self.objects.len() > MAX_OBJECTS {
            problems.push(PlanarProblem::TooManyObjects { count: self.objects.len() });
        }
        for (index, object) in self.objects.iter().enumerate() {
            self.validate_object(index, object, &mut problems);
        }
        problems
    }

    fn validate_object(&self, index: usize, object: &PlanarObject, problems: &mut Vec<PlanarProblem>) {
        let count = object.vertices.len();
        if !(3..=MAX_VERTICES).contains(&count) {
            problems.push(PlanarProblem::VertexCount { object: index, count });
        }
        let is_finite = |p: &[f64; 2]| p.iter().all(|x| x.is_finite());
        let before = problems.len();
        for (vertex, position) in object.vertices.iter().enumerate() {
            if !is_finite(position) {
                problems.push(PlanarProblem::Vertex { object: index, vertex, position: *position });
            }
        }
        let stays = |time: f64| object.aabb_at(time).is_none_or(|r| is_finite(&r.min) && is_finite(&r.max));
        let is_sound_so_far = problems.len() == before && self.time.iter().all(|t| t.is_finite());
        if !is_finite(&object.velocity) || (is_sound_so_far && !self.time.into_iter().all(stays)) {
            problems.push(PlanarProblem::Velocity { object: index, velocity: object.velocity });
        }
    }

    /// Sum of the objects' areas; overlaps count twice.
    #[must_use]
    pub fn object_area(&self) -> f64 {
        self.objects.iter().map(PlanarObject::area).sum()
    }

    /// Area of the frame.
    #[must_use]
    pub fn scene_area(&self) -> f64 {
        let [[x0, x1], [y0, y1]] = self.frame;
        (x1 - x0) * (y1 - y0)
    }

    /// Share of the frame that the objects would cover side by side.
    #[must_use]
    pub fn density(&self) -> f64 {
        self.object_area() / self.scene_area()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn triangle() -> PlanarObject {
        PlanarObject { velocity: [2.0, -1.0], vertices: vec![[0.0, 0.0], [4.0, 0.0], [0.0, 3.0]] }
    }

    fn scene() -> PlanarScene {
        PlanarScene {
            name: "test".to_owned(),
            frame: [[-10.0, 10.0], [-5.0, 5.0]],
            time: [0.0, 10.0],
            frames_per_second: 10,
            objects: vec![triangle(), triangle()],
        }
    }

    #[test]
    fn areas_and_density_are_measured() {
        assert_eq!((scene().object_area(), scene().scene_area(), scene().density()), (12.0, 200.0, 0.06));
    }

    #[test]
    fn objects_move_in_straight_lines_from_time_zero() {
        let r = triangle().aabb_at(2.0).unwrap();
        assert_eq!((r.min, r.max), ([4.0, -2.0], [8.0, 1.0]));
        assert_eq!(triangle().polygon_at(2.0).vertices, [[4.0, -2.0], [8.0, -2.0], [4.0, 1.0]]);
        assert_eq!(triangle().polygon_at(2.0).aabb(), Some(r));
        assert_eq!(PlanarObject::default().aabb_at(0.0), None);
    }

    #[test]
    fn a_sound_scene_has_no_problems() {
        assert_eq!(scene().validate(), []);
    }

    #[test]
    fn all_problems_are_found_at_once() {
        let mut bad = scene();
        bad.frame[0] = [1.0, 1.0];
        bad.frame[1] = [0.0, f64::NAN];
        bad.time = [5.0, 4.0];
        bad.frames_per_second = 0;
        bad.objects[0].vertices.truncate(2);
        bad.objects[1].vertices[2][1] = f64::INFINITY;
        bad.objects.push(PlanarObject { velocity: [f64::NAN, 0.0], ..triangle() });
        bad.objects.push(PlanarObject { velocity: [f64::MAX, 0.0], ..triangle() });
        let problems = bad.validate();
        let texts: Vec<String> = problems.iter().map(ToString::to_string).collect();
        assert_eq!(texts.len(), 8, "{texts:#?}");
        assert_eq!(texts[0], "the frame runs from 1 to 1 along x");
        assert_eq!(texts[2], "the time runs from 5 to 4");
        assert_eq!(texts[5], "object 1: vertex 2 is at [0.0, inf]");
        assert!(texts[7].starts_with("object 3: velocity"));
        assert_eq!(PlanarSceneError { problems }.to_string().lines().count(), 8);
    }
}
