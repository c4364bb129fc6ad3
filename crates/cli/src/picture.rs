//! Frames of a recording as pictures in the terminal: shaded surfaces, seen from the front, a
//! little from the side and from above.
//!
//! Without perspective, so that sizes and distances can be compared. Half blocks in the colours of
//! the scene where the terminal has colours, otherwise characters from thin to dense. Large bodies
//! that never move and stand between the eye and the middle of the scene (the front walls of a box)
//! are left out, or nothing could be seen.

mod canvas;
mod models;

use carom_recording::track::{Frame, Recording};
use glam::{DVec3, Vec3};

use canvas::Canvas;
pub(crate) use canvas::Ink;
use models::Models;

/// The eye looks from here towards the middle: mostly from the front, 24° from above.
const FROM: Vec3 = Vec3::new(0.35, 0.45, 0.92);
/// Room around the bodies, a share of the picture.
const MARGIN: f64 = 1.06;

/// Directions of the picture in the world.
#[derive(Clone, Copy, Debug)]
struct Axes {
    right: Vec3,
    up: Vec3,
    /// Towards the eye.
    near: Vec3,
}

impl Axes {
    fn new() -> Self {
        let near = FROM.normalize();
        let right = Vec3::Y.cross(near).normalize();
        Self { right, up: near.cross(right), near }
    }

    fn turn(&self, vector: Vec3) -> Vec3 {
        Vec3::new(vector.dot(self.right), vector.dot(self.up), vector.dot(self.near))
    }
}

/// What part of the world pictures show, and what its bodies look like.
pub(crate) struct View {
    axes: Axes,
    models: Models,
    /// This point of the world is in the middle.
    centre: DVec3,
    /// Characters per metre, sideways; a character is twice as high as wide.
    scale: f32,
    columns: usize,
    rows: usize,
}

impl View {
    /// A view that holds the bodies of the first, the middle and the last frame, leaving aside the
    /// outermost hundredth.
    pub(crate) fn of(recording: &mut Recording, columns: usize, rows: usize) -> Self {
        let (axes, mut models) = (Axes::new(), Models::of(recording));
        let last = recording.frames().saturating_sub(1);
        let mut places: Vec<(u32, DVec3)> = Vec::new();
        let mut first = Vec::new();
        for number in [0, last / 2, last] {
            let Ok(frame) = recording.frame(number) else { continue };
            let finite = (0..frame.bodies().len())
                .map(|place| (frame.bodies()[place], DVec3::from(frame.position(place).to_double())))
                .filter(|(_, position)| position.is_finite());
            places.extend(finite);
            if number == 0 {
                first = places.clone();
            }
        }
        models.find_backdrops(&first, &places);
        let actors: Vec<(u32, DVec3)> = places
            .iter()
            .copied()
            .filter(|(body, _)| !models.is_backdrop(*body) && !models.is_hidden(*body))
            .collect();
        let shown = if actors.is_empty() { &places } else { &actors };
        let middle = shown.iter().map(|(_, p)| *p).sum::<DVec3>() / shown.len().max(1) as f64;
        let (mut along, mut across) = (Vec::new(), Vec::new());
        for (body, position) in shown {
            let seen = axes.turn((*position - middle).as_vec3());
            let reach = models.reach(*body);
            along.extend([seen.x - reach, seen.x + reach].map(f64::from));
            across.extend([seen.y - reach, seen.y + reach].map(f64::from));
        }
        let (x, y) = (extent(&mut along), extent(&mut across));
        let wide = (x[1] - x[0]) / columns.max(1) as f64;
        let high = (y[1] - y[0]) / (2 * rows.max(1)) as f64;
        let metres = MARGIN * wide.max(high).max(1e-6);
        let [h, v] = [x, y].map(|[low, high]| 0.5 * (low + high));
        let centre = middle + axes.right.as_dvec3() * h + axes.up.as_dvec3() * v;
        Self { axes, models, centre, scale: (1.0 / metres) as f32, columns, rows }
    }

    /// The picture, a line per row.
    pub(crate) fn draw(&self, frame: &Frame, ink: Ink) -> String {
        let mut canvas = Canvas::new(self.columns, self.rows, ink);
        for (place, body) in frame.bodies().iter().enumerate() {
            let position = DVec3::from(frame.position(place).to_double());
            if !position.is_finite() || self.models.is_hidden(*body) {
                continue;
            }
            let seen = self.axes.turn((position - self.centre).as_vec3());
            let is_backdrop = self.models.is_backdrop(*body);
            if is_backdrop && seen.z > 0.0 {
                continue;
            }
            let turn = carom_recording::export::rotation_of(frame.rotation(place));
            let turned = |corner: Vec3| (self.axes.turn(turn.rotate(corner)) + seen) * self.scale;
            let colour = self.models.colour(*body);
            let pixels = self.models.reach(*body) * self.scale;
            match self.models.triangles(*body) {
                Some(triangles) if pixels > 0.4 => {
                    for corners in triangles {
                        canvas.triangle(corners.map(turned), colour, is_backdrop);
                    }
                }
                _ => canvas.point(seen * self.scale, colour),
            }
        }
        canvas.text()
    }
}

/// All but the outermost hundredth.
fn extent(values: &mut [f64]) -> [f64; 2] {
    values.sort_by(f64::total_cmp);
    let margin = values.len() / 200;
    match (values.get(margin), values.get(values.len().wrapping_sub(1 + margin))) {
        (Some(low), Some(high)) => [*low, *high],
        _ => [0.0, 0.0],
    }
}
