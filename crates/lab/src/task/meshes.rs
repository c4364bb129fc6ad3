//! Meshes in files of their own become part of the scene.
//!
//! What a run leaves behind (its folder, its recording, its snapshots) then needs no other file: it
//! can be carried to another folder or machine and repeated there, and a model made of a recording
//! has the surfaces. The bits of the simulation do not change: the triangles are those that the
//! engine would have made of the file.

use std::path::Path;

use carom_scene::Scene;
use carom_scene::model::{Action, Body, ShapeKind};

use carom_sim::shapes::{ShapeBuildError, load_mesh};

/// A mesh that could not be taken in.
#[derive(Debug, thiserror::Error)]
#[error("body '{body}': {error}")]
pub struct MeshFileError {
    /// Id of the body.
    pub body: String,
    /// What is wrong with its file.
    pub error: ShapeBuildError,
}

/// Embeds the meshes of all bodies, those that appear later too; their paths are relative to
/// `folder`.
pub(super) fn embed(scene: &mut Scene, folder: &Path) -> Result<(), MeshFileError> {
    let spawned = scene.events.iter_mut().filter_map(|event| match &mut event.action {
        Action::Spawn(body) => Some(&mut **body),
        _ => None,
    });
    scene.bodies.iter_mut().chain(spawned).try_for_each(|body| embed_in(body, folder))
}

fn embed_in(body: &mut Body, folder: &Path) -> Result<(), MeshFileError> {
    for shape in &mut body.shapes {
        let ShapeKind::Mesh { path, scale } = &shape.kind else { continue };
        let mesh = load_mesh(path, *scale, folder)
            .map_err(|error| MeshFileError { body: body.id.clone(), error })?;
        shape.kind = ShapeKind::TriangleMesh {
            vertices: mesh.vertices().iter().map(glam::Vec3::to_array).collect(),
            triangles: mesh.indices().to_vec(),
        };
    }
    Ok(())
}
