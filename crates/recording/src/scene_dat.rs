//! Fingsics' recording, `scene.dat`.
//!
//! Little-endian, no magic, no version:
//!
//! 1. three `u32`: number of objects n, number of frames F, frames per second;
//! 2. n records of 16 bytes: type, visible (0xFF or 0), red, green, blue, three bytes of padding,
//!    two `f32` dimensions;
//! 3. n·F positions of 3 `f32`, all frames of object 0 first, then of object 1, …;
//! 4. n·F rotation matrices of 9 `f32` by rows, in the same order.
//!
//! So a file is exactly `12 + n·(16 + 48·F)` bytes long, which is the only thing that tells it from
//! noise; the reader checks that before it believes any count. Frame 0 is the scene as loaded.

mod reader;
mod writer;

#[cfg(test)]
mod tests;

use carom_scene::Scene;
use carom_scene::model::{Axis, Body, Orientation, ShapeKind, Style};

pub use reader::{Reader, SceneDatReadError};
pub use writer::{WriteError, Writer};

const HEADER_BYTES: u64 = 12;
const OBJECT_BYTES: u64 = 16;
const POSITION_BYTES: u64 = 12;
const ROTATION_BYTES: u64 = 36;

/// Form of a recorded object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// Sphere.
    Ball {
        /// Radius.
        radius: f32,
    },
    /// Capsule along local z.
    Capsule {
        /// Radius.
        radius: f32,
        /// Length of the cylindrical part.
        length: f32,
    },
    /// Rectangle in the local x–z plane.
    Tile {
        /// Extent along x.
        length: f32,
        /// Extent along z.
        width: f32,
    },
    /// A capsule drawn as a rocket.
    Rocket {
        /// Radius.
        radius: f32,
        /// Length of the cylindrical part.
        length: f32,
    },
}

/// A recorded object: what is needed to draw it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Object {
    /// Form and size.
    pub form: Form,
    /// Drawn at all?
    pub visible: bool,
    /// Red, green, blue.
    pub colour: [u8; 3],
}

/// Position and rotation matrix (by rows) of an object in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Position.
    pub position: [f32; 3],
    /// Rotation by rows.
    pub rotation: [f32; 9],
}

impl Pose {
    /// The pose of the same body with its capsule along z instead of `axis`. Only signs and places
    /// of numbers change.
    #[must_use]
    pub fn laid_along_z(self, axis: Axis) -> Self {
        let turned = |[x, y, z]: [f32; 3]| match axis {
            Axis::X => [-z, y, x],
            Axis::Y => [x, -z, y],
            Axis::Z => [x, y, z],
        };
        let [a, b, c, d, e, f, g, h, i] = self.rotation;
        let [[a, b, c], [d, e, f], [g, h, i]] = [[a, b, c], [d, e, f], [g, h, i]].map(turned);
        Self { rotation: [a, b, c, d, e, f, g, h, i], ..self }
    }
}

/// The axis of a body that is a capsule; z, along which nothing has to be turned, for all others.
#[must_use]
pub fn axis_of(body: &Body) -> Axis {
    match body.shapes.first().map(|shape| &shape.kind) {
        Some(ShapeKind::Capsule { axis, .. }) => *axis,
        _ => Axis::Z,
    }
}

impl Object {
    /// The object of a body; `None` if the format has no form for it: its objects are one shape
    /// each, at the origin of the body. Its capsules lie along z: see [`Pose::laid_along_z`] for
    /// others.
    #[must_use]
    pub fn of_body(body: &Body) -> Option<Self> {
        let [shape] = body.shapes.as_slice() else { return None };
        if shape.position != [0.0; 3] || shape.orientation != Orientation::IDENTITY {
            return None;
        }
        let form = match shape.kind {
            ShapeKind::Sphere { radius } => Form::Ball { radius },
            ShapeKind::Capsule { radius, length, .. } => match body.look.style {
                Style::Plain => Form::Capsule { radius, length },
                Style::Rocket => Form::Rocket { radius, length },
            },
            ShapeKind::Tile { length, width } => Form::Tile { length, width },
            _ => return None,
        };
        Some(Self { form, visible: body.look.visible, colour: body.look.colour })
    }

    /// The objects of all bodies of a scene; the id of the first body the format cannot hold
    /// otherwise.
    ///
    /// # Errors
    /// Names a body that is no sphere, capsule or tile.
    pub fn of_scene(scene: &Scene) -> Result<Vec<Self>, WriteError> {
        scene
            .bodies
            .iter()
            .map(|body| Self::of_body(body).ok_or_else(|| WriteError::NoForm { id: body.id.clone() }))
            .collect()
    }

    fn to_bytes(self) -> [u8; OBJECT_BYTES as usize] {
        let (kind, dimensions) = match self.form {
            Form::Ball { radius } => (0, [radius, 0.0]),
            Form::Capsule { radius, length } => (1, [radius, length]),
            Form::Tile { length, width } => (2, [length, width]),
            Form::Rocket { radius, length } => (3, [radius, length]),
        };
        let mut bytes = [0; OBJECT_BYTES as usize];
        bytes[0] = kind;
        bytes[1] = if self.visible { 0xFF } else { 0 };
        bytes[2..5].copy_from_slice(&self.colour);
        bytes[8..12].copy_from_slice(&dimensions[0].to_le_bytes());
        bytes[12..16].copy_from_slice(&dimensions[1].to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8; OBJECT_BYTES as usize]) -> Result<Self, u8> {
        let number = |at: usize| f32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let (first, second) = (number(8), number(12));
        let form = match bytes[0] {
            0 => Form::Ball { radius: first },
            1 => Form::Capsule { radius: first, length: second },
            2 => Form::Tile { length: first, width: second },
            3 => Form::Rocket { radius: first, length: second },
            unknown => return Err(unknown),
        };
        Ok(Self { form, visible: bytes[1] != 0, colour: [bytes[2], bytes[3], bytes[4]] })
    }
}

/// Where things stand in a file of `n` objects and `frames` frames. All sums in `u64`, which
/// 2³²·(16 + 48·2³²) fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Layout {
    objects: u64,
    frames: u64,
}

impl Layout {
    /// Length of the whole file; `None` if it exceeds `u64`.
    fn file_bytes(self) -> Option<u64> {
        let per_object = OBJECT_BYTES + (POSITION_BYTES + ROTATION_BYTES).checked_mul(self.frames)?;
        HEADER_BYTES.checked_add(self.objects.checked_mul(per_object)?)
    }

    fn position_at(self, object: u64, frame: u64) -> u64 {
        HEADER_BYTES + OBJECT_BYTES * self.objects + POSITION_BYTES * (object * self.frames + frame)
    }

    fn rotation_at(self, object: u64, frame: u64) -> u64 {
        self.position_at(self.objects, 0) + ROTATION_BYTES * (object * self.frames + frame)
    }
}

fn floats_to_bytes(floats: &[f32], bytes: &mut Vec<u8>) {
    bytes.extend(floats.iter().flat_map(|x| x.to_le_bytes()));
}
