//! What the bodies of a recording look like: triangles that bodies of the same shapes share.

use std::collections::BTreeMap;

use carom_recording::export::{bodies_by_number, rotation_of_orientation, surface};
use carom_recording::track::Recording;
use carom_scene::model::Body;
use glam::{DVec3, Vec3};

/// Looks of all bodies, by number.
pub(super) struct Models {
    models: Vec<Model>,
    /// Number of the model of a body.
    of_body: Vec<Looks>,
}

#[derive(Clone, Copy)]
struct Looks {
    model: Option<usize>,
    colour: [u8; 3],
    is_backdrop: bool,
    /// The scene says that it is not drawn.
    is_hidden: bool,
}

const PLAIN: Looks = Looks { model: None, colour: [200; 3], is_backdrop: false, is_hidden: false };

struct Model {
    triangles: Vec<[Vec3; 3]>,
    /// Distance of the farthest corner from the body.
    reach: f32,
}

/// A body that does not move is a backdrop if it is so many times as large as most bodies.
const BACKDROP: f32 = 4.0;

impl Models {
    /// Without a scene, or where a shape has no surface, a body is a point.
    pub(super) fn of(recording: &Recording) -> Self {
        let scene = recording.scene().ok().flatten().unwrap_or_default();
        let bodies = bodies_by_number(&scene, recording.names());
        let (mut models, mut known) = (Vec::new(), BTreeMap::new());
        let of_body = bodies.into_iter().map(|body| {
            let Some(body) = body else { return PLAIN };
            let key = format!("{:?}", body.shapes);
            let model = *known.entry(key).or_insert_with(|| {
                models.push(Model::of(body));
                models.len() - 1
            });
            Looks { model: Some(model), colour: body.look.colour, is_hidden: !body.look.visible, ..PLAIN }
        });
        let of_body = of_body.collect();
        Self { models, of_body }
    }

    /// Large bodies that are in all frames where they were at first stand in the back.
    pub(super) fn find_backdrops(&mut self, first: &[(u32, DVec3)], places: &[(u32, DVec3)]) {
        let at_first: BTreeMap<u32, DVec3> = first.iter().copied().collect();
        let mut stays = vec![true; self.of_body.len()];
        for (body, position) in places {
            if let Some(stays) = stays.get_mut(*body as usize) {
                *stays &= at_first.get(body) == Some(position);
            }
        }
        let mut reaches: Vec<f32> = (0..self.of_body.len() as u32).map(|body| self.reach(body)).collect();
        reaches.sort_by(f32::total_cmp);
        let usual = reaches.get(reaches.len() / 2).copied().unwrap_or(0.0);
        for body in 0..self.of_body.len() {
            self.of_body[body].is_backdrop = stays[body] && self.reach(body as u32) > BACKDROP * usual;
        }
    }

    pub(super) fn is_backdrop(&self, body: u32) -> bool {
        self.of_body.get(body as usize).is_some_and(|looks| looks.is_backdrop)
    }

    pub(super) fn is_hidden(&self, body: u32) -> bool {
        self.of_body.get(body as usize).is_some_and(|looks| looks.is_hidden)
    }

    pub(super) fn colour(&self, body: u32) -> [u8; 3] {
        self.of_body.get(body as usize).unwrap_or(&PLAIN).colour
    }

    fn model(&self, body: u32) -> Option<&Model> {
        self.models.get(self.of_body.get(body as usize)?.model?)
    }

    pub(super) fn reach(&self, body: u32) -> f32 {
        self.model(body).map_or(0.0, |model| model.reach)
    }

    /// Triangles in the frame of the body; none where only its place is known.
    pub(super) fn triangles(&self, body: u32) -> Option<&[[Vec3; 3]]> {
        self.model(body).map(|model| model.triangles.as_slice()).filter(|triangles| !triangles.is_empty())
    }
}

impl Model {
    fn of(body: &Body) -> Self {
        let mut triangles = Vec::new();
        for shape in &body.shapes {
            let Some(surface) = surface(&shape.kind) else { continue };
            let (turn, place) = (rotation_of_orientation(shape.orientation), Vec3::from(shape.position));
            let corners: Vec<Vec3> =
                surface.corners.iter().map(|c| turn.rotate(Vec3::from(*c)) + place).collect();
            let of = |triangle: &[u32; 3]| triangle.map(|corner| corners[corner as usize]);
            triangles.extend(surface.triangles.iter().map(of));
        }
        let reach = triangles.iter().flatten().map(|corner| corner.length()).fold(0.0, f32::max);
        Self { triangles, reach }
    }
}
