//! To Fingsics' `scene.dat`, and from it.
//!
//! Fingsics knows a fixed number of spheres, capsules and tiles that are all there in every
//! frame, in `f32`. A body that is not there in a frame of ours stands where it was seen last, or
//! first.

use std::io::{Read, Seek};
use std::path::Path;

use carom_scene::Scene;
use carom_scene::model::{Axis, Body, Look, Orientation, Shape, ShapeKind, SolverSettings, Style};
use carom_scene::native::write_binary;

use super::{ExportError, rotation_of, strided};
use crate::scene_dat::{Form, Object, Pose, Reader, Writer as OriginalWriter, axis_of};
use crate::track::{
    Frame, Header, PoseKind, PositionKind, Recording, RecordingOptions, Rotation, RotationKind, Stamp,
    Summary, Writer,
};

/// Writes every `stride`-th frame as Fingsics would; gives the number of frames.
///
/// # Errors
/// If the scene has other forms than Fingsics, or bodies came that it does not have, or a file
/// says no.
pub fn write(recording: &mut Recording, stride: u32, path: &Path) -> Result<u32, ExportError> {
    let scene = recording.scene()?.ok_or(ExportError::NoScene)?;
    let objects = Object::of_scene(&scene)?;
    let stride = stride.max(1);
    let frames = recording.frames().div_ceil(u64::from(stride));
    let frames = u32::try_from(frames).map_err(|_| ExportError::TooLarge { what: "a scene.dat" })?;
    let fps = recording.header().steps_per_second.div_ceil(stride);
    let axes: Vec<Axis> = scene.bodies.iter().map(axis_of).collect();
    let mut poses = first_poses(recording, objects.len())?;
    let mut writer = OriginalWriter::create(path, &objects, frames, fps)?;
    for number in strided(recording.frames(), u64::from(stride)) {
        take_poses(recording.frame(number)?, number, &mut poses)?;
        writer.push(poses.iter().zip(&axes).map(|(pose, axis)| pose.laid_along_z(*axis)))?;
    }
    Ok(writer.finish()?)
}

/// Each body where it is seen first, so that those that come late have a pose before.
fn first_poses(recording: &mut Recording, bodies: usize) -> Result<Vec<Pose>, ExportError> {
    let unseen = Pose { position: [0.0; 3], rotation: [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0] };
    let mut poses = vec![unseen; bodies];
    let mut is_seen = vec![false; bodies];
    for number in 0..recording.frames() {
        let frame = recording.frame(number)?;
        for (place, body) in frame.bodies().iter().enumerate() {
            if let Some(seen) = is_seen.get_mut(*body as usize).filter(|seen| !**seen) {
                *seen = true;
                poses[*body as usize] = pose_of(frame, place);
            }
        }
        if is_seen.iter().all(|seen| *seen) {
            break;
        }
    }
    Ok(poses)
}

fn take_poses(frame: &Frame, number: u64, poses: &mut [Pose]) -> Result<(), ExportError> {
    let bodies = poses.len();
    for (place, body) in frame.bodies().iter().enumerate() {
        let pose = poses.get_mut(*body as usize);
        *pose.ok_or(ExportError::NotInScene { frame: number, body: *body, bodies })? = pose_of(frame, place);
    }
    Ok(())
}

fn pose_of(frame: &Frame, place: usize) -> Pose {
    let position = frame.position(place).to_double().map(|x| x as f32);
    let rotation = match frame.rotation(place) {
        Rotation::Rows(rows) => rows,
        quaternion @ Rotation::Quaternion(_) => {
            let matrix = rotation_of(quaternion).to_matrix();
            std::array::from_fn(|k| matrix.columns[k % 3][k / 3])
        }
    };
    Pose { position, rotation }
}

/// Turns a recording of Fingsics into one of ours; poses are kept to the bit. The scene in it
/// has the forms and colours of the objects and their poses in the first frame; what Fingsics
/// does not record (velocities, masses, names) is not there.
///
/// # Errors
/// If either file says no.
pub fn read<R: Read + Seek>(
    from: R,
    name: &str,
    path: &Path,
    options: RecordingOptions,
) -> Result<Summary, ExportError> {
    let mut original = Reader::open(from)?;
    let start = if original.frames() > 0 { original.frame(0)? } else { Vec::new() };
    let bodies = original.objects().iter().enumerate();
    let scene = Scene {
        name: name.to_owned(),
        solver: SolverSettings { steps_per_second: Some(original.fps()), ..SolverSettings::default() },
        bodies: bodies.map(|(number, object)| body_of(number, object, start.get(number))).collect(),
        ..Scene::default()
    };
    let header = Header {
        steps_per_second: original.fps(),
        pose: PoseKind { position: PositionKind::Single, rotation: RotationKind::Rows },
        names: scene.bodies.iter().map(|body| body.id.clone()).collect(),
        scene: write_binary(&scene),
        ..Header::default()
    };
    let mut writer = Writer::create(path, &header, options)?;
    for frame in 0..original.frames() {
        let poses = original.frame(frame)?;
        let time = f64::from(frame) / f64::from(original.fps().max(1));
        writer.frame(Stamp { number: u64::from(frame), time, state_hash: 0 }, |frame| {
            for (body, pose) in (0..).zip(&poses) {
                frame.body(body, pose.position, pose.rotation);
            }
        })?;
    }
    Ok(writer.finish()?)
}

fn body_of(number: usize, object: &Object, pose: Option<&Pose>) -> Body {
    let (kind, style) = match object.form {
        Form::Ball { radius } => (ShapeKind::Sphere { radius }, Style::Plain),
        Form::Capsule { radius, length } => {
            (ShapeKind::Capsule { radius, length, axis: Axis::Z }, Style::Plain)
        }
        Form::Rocket { radius, length } => {
            (ShapeKind::Capsule { radius, length, axis: Axis::Z }, Style::Rocket)
        }
        Form::Tile { length, width } => (ShapeKind::Tile { length, width }, Style::Plain),
    };
    let turn = pose.map_or_else(Default::default, |pose| rotation_of(Rotation::Rows(pose.rotation)));
    Body {
        id: number.to_string(),
        position: pose.map_or([0.0; 3], |pose| pose.position),
        orientation: Orientation::Quaternion(turn.to_xyzw()),
        shapes: vec![Shape::new(kind)],
        look: Look { colour: object.colour, visible: object.visible, style },
        ..Body::default()
    }
}
