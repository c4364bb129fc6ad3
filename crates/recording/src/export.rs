//! Recordings for other programs: tables, an animated model, Fingsics' `scene.dat`.
//!
//! | module | writes |
//! |---|---|
//! | [`csv`] | a row per body and frame as text |
//! | `parquet` | the same as a Parquet table (feature `parquet`) |
//! | [`gltf`] | an animated model, `.glb` |
//! | [`scene_dat`] | Fingsics' recording, and ours from it |
//!
//! All of them read frame after frame and hold one chunk in memory, but for the model, whose format
//! wants each body's motion in one piece. Frames can be left out by a stride.

pub mod csv;
pub mod gltf;
#[cfg(feature = "parquet")]
pub mod parquet;
pub mod scene_dat;

mod glb;
mod motion;
mod tessellate;
mod tessellate_round;

use std::collections::BTreeMap;
use std::io;

use carom_geometry::{Matrix3, Rotation as UnitQuaternion};
use carom_scene::Scene;
use carom_scene::model::{Action, Body, Orientation};
use carom_scene::native::BinaryError;
use glam::Vec3;

use crate::scene_dat as original;
use crate::track::{RecordingReadError, Rotation, WriteError};
pub use tessellate::{Surface, surface};

/// Why a recording could not be exported.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The recording cannot be read.
    #[error(transparent)]
    Read(#[from] RecordingReadError),
    /// Our recording cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The scene in the recording cannot be read.
    #[error("the scene in the recording: {0}")]
    Scene(#[from] BinaryError),
    /// The recording has no scene, so nobody knows what its bodies look like.
    #[error("the recording holds no scene, which tells what its bodies look like")]
    NoScene,
    /// Fingsics' format cannot hold it.
    #[error(transparent)]
    SceneDatWrite(#[from] original::WriteError),
    /// Fingsics' recording cannot be read.
    #[error(transparent)]
    SceneDatRead(#[from] original::SceneDatReadError),
    /// A body that the scene does not have.
    #[error(
        "frame {frame}: body {body} is not in the scene, which has {bodies}; the format has no bodies that come later"
    )]
    NotInScene {
        /// The frame.
        frame: u64,
        /// The body.
        body: u32,
        /// Bodies of the scene.
        bodies: usize,
    },
    /// More than the format can hold.
    #[error("{what} cannot be larger than 4 GB: leave frames out with a larger stride")]
    TooLarge {
        /// What.
        what: &'static str,
    },
    /// The other file cannot be written.
    #[error("writing the export: {0}")]
    Io(#[from] io::Error),
    /// The table cannot be written.
    #[cfg(feature = "parquet")]
    #[error("writing the Parquet table: {0}")]
    Parquet(#[from] ::parquet::errors::ParquetError),
}

impl From<::csv::Error> for ExportError {
    fn from(error: ::csv::Error) -> Self {
        match error.into_kind() {
            ::csv::ErrorKind::Io(error) => Self::Io(error),
            other => Self::Io(io::Error::other(format!("{other:?}"))),
        }
    }
}

/// A rotation as a unit quaternion; none where the numbers make no rotation.
#[must_use]
pub fn rotation_of(rotation: Rotation) -> UnitQuaternion {
    match rotation {
        Rotation::Quaternion(xyzw) => UnitQuaternion::from_xyzw(xyzw).unwrap_or_default(),
        Rotation::Rows([a, b, c, d, e, f, g, h, i]) => {
            let columns = [Vec3::new(a, d, g), Vec3::new(b, e, h), Vec3::new(c, f, i)];
            let rotation: UnitQuaternion = UnitQuaternion::from_matrix(&Matrix3 { columns });
            UnitQuaternion::from_xyzw(rotation.to_xyzw()).unwrap_or_default()
        }
    }
}

/// The orientation of a body or shape of a scene.
#[must_use]
pub fn rotation_of_orientation(orientation: Orientation) -> UnitQuaternion {
    match orientation {
        Orientation::Quaternion(xyzw) => UnitQuaternion::from_xyzw(xyzw).unwrap_or_default(),
        Orientation::EulerDegrees(degrees) => {
            let [x, y, z] = degrees.map(f32::to_radians);
            UnitQuaternion::about_axis(Vec3::Z, z)
                * UnitQuaternion::about_axis(Vec3::Y, y)
                * UnitQuaternion::about_axis(Vec3::X, x)
        }
    }
}

/// Bodies by their numbers: those of the scene, then those that appear, which go by their names.
#[must_use]
pub fn bodies_by_number<'a>(scene: &'a Scene, names: &[String]) -> Vec<Option<&'a Body>> {
    let spawned: BTreeMap<&str, &Body> = scene
        .events
        .iter()
        .filter_map(|event| match &event.action {
            Action::Spawn(body) => Some((body.id.as_str(), &**body)),
            _ => None,
        })
        .collect();
    let of = |(number, name): (usize, &String)| {
        scene.bodies.get(number).or_else(|| spawned.get(name.as_str()).copied())
    };
    names.iter().enumerate().map(of).collect()
}

/// Every `stride`-th frame of so many.
fn strided(frames: u64, stride: u64) -> impl Iterator<Item = u64> {
    let stride = stride.max(1);
    (0..frames.div_ceil(stride)).map(move |k| k * stride)
}
