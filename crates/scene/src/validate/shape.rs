//! Rules about shapes: sizes, materials and paths.

use std::fmt::Display;
use std::path::{Component, Path};

use carom_geometry::hull::{HullOptions, convex_hull};
use glam::Vec3;

use super::Cause;
use super::body::orientation;
use super::report::{At, Report};
use crate::limits;
use crate::model::{BodyKind, Shape, ShapeKind};

/// Fewest points that can span a volume.
const FEWEST_POINTS: usize = 4;

/// True if the form encloses a volume, so that it can have a mass by density.
pub(super) fn has_volume(kind: &ShapeKind) -> bool {
    !matches!(
        kind,
        ShapeKind::Tile { .. }
            | ShapeKind::Triangle { .. }
            | ShapeKind::HalfSpace
            | ShapeKind::HeightField { .. }
    )
}

/// Checks one shape of a body of this kind.
pub(super) fn check(shape: &Shape, body: BodyKind, place: &dyn Display, report: &mut Report) {
    form(&shape.kind, place, report);
    report.finite(place, "position", &shape.position);
    orientation(shape.orientation, place, report);
    report.not_negative(place, "friction", &[shape.material.friction]);
    report.not_negative(place, "restitution", &[shape.material.restitution]);
    report.not_negative(place, "density", &[shape.material.density]);
    report.not_negative(place, "rolling friction", &[shape.material.rolling_friction]);
    let endless = matches!(shape.kind, ShapeKind::HalfSpace);
    if endless && !body.is_immovable() {
        report.add(Cause::Inconsistent, place, "half-space", "is endless and cannot move by forces");
        report.hint("make its body `static` or `kinematic`");
    }
}

fn form(kind: &ShapeKind, place: &dyn Display, report: &mut Report) {
    match kind {
        ShapeKind::Sphere { radius } => report.positive(place, "sphere radius", &[*radius]),
        ShapeKind::Capsule { radius, length, .. } => {
            report.positive(place, "capsule radius", &[*radius]);
            report.not_negative(place, "capsule length", &[*length]);
        }
        ShapeKind::Tile { length, width } => {
            report.positive(place, "tile length", &[*length]);
            report.positive(place, "tile width", &[*width]);
        }
        ShapeKind::Box { size } => report.positive(place, "box size", size),
        ShapeKind::Cylinder { radius, length, .. } => {
            report.positive(place, "cylinder radius", &[*radius]);
            report.positive(place, "cylinder length", &[*length]);
        }
        ShapeKind::Cone { radius, length, .. } => {
            report.positive(place, "cone radius", &[*radius]);
            report.positive(place, "cone length", &[*length]);
        }
        ShapeKind::Ellipsoid { radii } => report.positive(place, "ellipsoid radii", radii),
        ShapeKind::HalfSpace => {}
        ShapeKind::Triangle { corners } => triangle(corners, place, report),
        ShapeKind::Convex { points } => convex(points, place, report),
        ShapeKind::Mesh { path, scale } => {
            report.positive(place, "mesh scale", &[*scale]);
            mesh_path(path, place, report);
        }
        ShapeKind::TriangleMesh { vertices, triangles } => {
            triangle_mesh(vertices, triangles, place, report);
        }
        ShapeKind::HeightField { columns, heights, spacing } => {
            report.positive(place, "height-field spacing", spacing);
            height_field(*columns, heights, place, report);
        }
    }
}

fn triangle(corners: &[[f32; 3]; 3], place: &dyn Display, report: &mut Report) {
    let finite = report.finite(place, "triangle corners", corners.as_flattened());
    let [a, b, c] = corners;
    if finite && (a == b || b == c || c == a) {
        report.add(Cause::OutOfRange, &At(place, "triangle corners"), "two of them", "are the same point");
    }
}

fn convex(points: &[[f32; 3]], place: &dyn Display, report: &mut Report) {
    let count = At(place, "number of convex points");
    report.at_most(&count, points.len(), limits::MAX_POINTS_PER_SHAPE);
    if points.len() < FEWEST_POINTS {
        report.add(Cause::OutOfRange, &count, points.len(), "is too few: a solid needs four");
    }
    let finite = report.finite(place, "convex points", points.as_flattened());
    if finite && (FEWEST_POINTS..=limits::MAX_POINTS_PER_SHAPE).contains(&points.len()) {
        let points: Vec<Vec3> = points.iter().copied().map(Vec3::from).collect();
        if let Err(error) = convex_hull(&points, &HullOptions::default()) {
            report.add(
                Cause::OutOfRange,
                &At(place, "convex points"),
                "their hull",
                &format!("is no solid: {error}"),
            );
        }
    }
}

fn triangle_mesh(vertices: &[[f32; 3]], triangles: &[[u32; 3]], place: &dyn Display, report: &mut Report) {
    report.at_most(&At(place, "mesh vertices"), vertices.len(), limits::MAX_POINTS_PER_SHAPE);
    report.at_most(&At(place, "mesh triangles"), triangles.len(), limits::MAX_POINTS_PER_SHAPE);
    report.finite(place, "mesh vertices", vertices.as_flattened());
    if triangles.is_empty() {
        report.add(Cause::OutOfRange, &At(place, "mesh triangles"), 0, "is too few: a mesh needs one");
    }
    let missing = |corner: &&u32| **corner as usize >= vertices.len();
    if let Some(corner) = triangles.as_flattened().iter().find(missing) {
        let reason = format!("names no vertex: there are {}", vertices.len());
        report.add(Cause::OutOfRange, &At(place, "mesh triangles"), corner, &reason);
    }
}

fn height_field(columns: u32, heights: &[f32], place: &dyn Display, report: &mut Report) {
    report.at_most(&At(place, "height-field samples"), heights.len(), limits::MAX_POINTS_PER_SHAPE);
    report.finite(place, "height-field heights", heights);
    let columns = columns as usize;
    if columns < 2 {
        report.add(
            Cause::OutOfRange,
            &At(place, "height-field columns"),
            columns,
            "is too few: a surface needs two",
        );
    } else if !heights.len().is_multiple_of(columns) || heights.len() / columns < 2 {
        let reason = format!("do not make two or more full rows of {columns}");
        report.add(
            Cause::OutOfRange,
            &At(place, "height-field samples"),
            format_args!("{} heights", heights.len()),
            &reason,
        );
    }
}

/// A scene may use the files beside it and below, and no others: it may come from a stranger.
fn mesh_path(path: &str, place: &dyn Display, report: &mut Report) {
    let place = At(place, "mesh path");
    let shown = format_args!("{path:?}").to_string();
    if path.is_empty() {
        report.add(Cause::Path, &place, shown, "is no path");
        return;
    }
    if path.contains('\0') {
        report.add(Cause::Path, &place, shown, "holds a zero character");
        return;
    }
    // Windows drives, shares and separators count on every system, so that a scene means the same
    // everywhere.
    let drive = path.as_bytes().get(1) == Some(&b':');
    if path.starts_with(['/', '\\']) || drive || Path::new(path).is_absolute() {
        report.add(Cause::Path, &place, shown, "is absolute");
        report.hint("mesh paths are relative to the scene file");
    } else if path.split(['/', '\\']).any(|part| part == "..")
        || Path::new(path).components().any(|part| part == Component::ParentDir)
    {
        report.add(Cause::Path, &place, shown, "leads out of the scene's folder");
        report.hint("put the mesh beside the scene file or in a folder below it");
    }
}
