//! The polygons of a planar model, each in straight motion for ever.

use carom_geometry::Aabb;
use carom_planar::{PlanarObject, PlanarScene};
use carom_scene::swarm::Changes;

use super::frames::{Frame, Frames};

/// Moving polygons.
#[derive(Clone, Debug)]
pub struct Polygons {
    objects: Vec<PlanarObject>,
    start: f64,
    frames_per_second: f64,
    frame: u64,
    boxes: Vec<Aabb<2>>,
    changes: Changes,
}

impl Polygons {
    /// The polygons of a scene that was found to be sound, at its first moment.
    #[must_use]
    pub fn new(scene: &PlanarScene) -> Self {
        let mut polygons = Self {
            objects: scene.objects.clone(),
            start: scene.time[0],
            frames_per_second: f64::from(scene.frames_per_second),
            frame: 0,
            boxes: vec![Aabb::default(); scene.objects.len()],
            changes: Changes::default(),
        };
        polygons.update_boxes();
        polygons.changes = Changes::default();
        polygons
    }

    fn update_boxes(&mut self) {
        self.changes.moved.clear();
        let time = self.start + self.frame as f64 / self.frames_per_second;
        for (id, object) in self.objects.iter().enumerate() {
            let Some(rectangle) = object.aabb_at(time) else { continue };
            let aabb = rectangle.to_aabb();
            if self.boxes[id] != aabb {
                self.boxes[id] = aabb;
                self.changes.moved.push(id as u32);
            }
        }
    }
}

impl Frames<2> for Polygons {
    fn frame(&self) -> Frame<'_, 2> {
        Frame { boxes: &self.boxes, changes: &self.changes, filters: &[], bounds: &[] }
    }

    fn step(&mut self) {
        self.frame += 1;
        self.update_boxes();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_scene::library::{SceneSource, build};

    #[test]
    fn boxes_contain_their_polygons_in_every_frame() {
        let SceneSource::Planar(scene) = build("random2d:30").unwrap() else {
            panic!("it lies in the plane")
        };
        let mut polygons = Polygons::new(&scene);
        assert_eq!(polygons.frame().changes, &Changes::default(), "nothing changed before the first frame");
        for frame in 0..20 {
            let time = scene.time[0] + f64::from(frame) / f64::from(scene.frames_per_second);
            for (object, aabb) in scene.objects.iter().zip(polygons.frame().boxes) {
                let exact = object.aabb_at(time).unwrap();
                for k in 0..2 {
                    let (low, high) = (f64::from(aabb.min[k]), f64::from(aabb.max[k]));
                    assert!(low <= exact.min[k] && exact.max[k] <= high);
                    assert!(exact.min[k] - low < 1e-5 && high - exact.max[k] < 1e-5);
                }
            }
            polygons.step();
            assert_eq!(polygons.frame().changes.moved.len(), 30);
        }
    }
}
