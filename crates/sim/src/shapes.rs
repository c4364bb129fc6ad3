//! From the forms of scene files to shapes of the engine.
//!
//! A scene says a length and an axis where the engine has shapes along one axis of their own, so a
//! form becomes a shape and the turn that lays it along its axis. Hulls, meshes and height fields
//! are expensive to build and often shared by many bodies: `ShapeBuilder` builds a form once and
//! hands the same shape to all bodies that have it.

use std::path::{Path, PathBuf};

use carom_geometry::height_field::HeightFieldError;
use carom_geometry::hull::{HullError, HullOptions, convex_hull};
use carom_geometry::mesh::{MeshError, MeshOptions, files};
use carom_geometry::primitive::Triangle;
use carom_geometry::shape::{
    Capsule, Cone, Cuboid, Cylinder, Ellipsoid, HalfSpace, Shape, ShapeError, Sphere, Tile,
};
use carom_geometry::{HeightField, Matrix3, Mesh, Rotation};
use carom_scene::model::{AngularVelocity, Axis, Orientation, ShapeKind};
use glam::Vec3;

/// ShapeBuilder kept for the bodies that follow: scenes take turns with a few.
const KEPT: usize = 8;

/// Why a form is no shape.
#[derive(Debug, thiserror::Error)]
pub enum ShapeBuildError {
    /// A size that no shape can have.
    #[error(transparent)]
    Size(#[from] ShapeError),
    /// Points that span no solid.
    #[error(transparent)]
    Hull(#[from] HullError),
    /// A grid that is no surface.
    #[error(transparent)]
    HeightField(#[from] HeightFieldError),
    /// Triangles that are no mesh.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// A mesh file that cannot be read.
    #[error("{path}: {reason}", path = .path.display())]
    File {
        /// Where the mesh should be.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
}

/// Orientation as a rotation; what cannot be normalised is none, and validation has refused it
/// before.
pub fn rotation(orientation: Orientation) -> Rotation {
    match orientation {
        Orientation::Quaternion(q) => Rotation::from_xyzw(q).unwrap_or_default(),
        Orientation::EulerDegrees(degrees) => {
            let [x, y, z] = degrees.map(f32::to_radians);
            Rotation::about_axis(Vec3::Z, z)
                * Rotation::about_axis(Vec3::Y, y)
                * Rotation::about_axis(Vec3::X, x)
        }
    }
}

/// Angular velocity in radians per second.
pub fn angular_velocity(velocity: AngularVelocity) -> Vec3 {
    match velocity {
        AngularVelocity::Radians(velocity) => velocity.into(),
        AngularVelocity::Degrees(velocity) => velocity.map(f32::to_radians).into(),
    }
}

/// The turn that takes z to an axis, exact.
fn z_to(axis: Axis) -> Rotation {
    let columns = match axis {
        Axis::Z => return Rotation::IDENTITY,
        Axis::X => [Vec3::Y, Vec3::Z, Vec3::X],
        Axis::Y => [Vec3::Z, Vec3::X, Vec3::Y],
    };
    Rotation::from_matrix(&Matrix3 { columns })
}

/// A form given by a few numbers, and how it has to be turned to lie along the axis it was given;
/// `None` for forms given by many points.
pub fn primitive(kind: &ShapeKind) -> Result<Option<(Shape, Rotation)>, ShapeError> {
    let unturned = |shape: Shape| Ok(Some((shape, Rotation::IDENTITY)));
    match *kind {
        ShapeKind::Sphere { radius } => unturned(Sphere::new(radius)?.into()),
        ShapeKind::Capsule { radius, length, axis } => {
            let capsule = match axis {
                Axis::X => Capsule::along_x(0.5 * length, radius),
                Axis::Y => Capsule::along_y(0.5 * length, radius),
                Axis::Z => Capsule::along_z(0.5 * length, radius),
            };
            unturned(capsule?.into())
        }
        ShapeKind::Tile { length, width } => unturned(Tile::new(0.5 * length, 0.5 * width)?.into()),
        ShapeKind::Box { size } => unturned(Cuboid::new(Vec3::from(size) * 0.5)?.into()),
        ShapeKind::Cylinder { radius, length, axis } => {
            Ok(Some((Cylinder::new(0.5 * length, radius)?.into(), z_to(axis))))
        }
        ShapeKind::Cone { radius, length, axis } => {
            Ok(Some((Cone::new(0.5 * length, radius)?.into(), z_to(axis))))
        }
        ShapeKind::Ellipsoid { radii } => unturned(Ellipsoid::new(Vec3::from(radii))?.into()),
        ShapeKind::HalfSpace => unturned(HalfSpace.into()),
        ShapeKind::Triangle { .. }
        | ShapeKind::Convex { .. }
        | ShapeKind::Mesh { .. }
        | ShapeKind::TriangleMesh { .. }
        | ShapeKind::HeightField { .. } => Ok(None),
    }
}

/// The mesh of a file, its coordinates multiplied by `scale`.
pub fn load_mesh(path: &str, scale: f32, folder: &Path) -> Result<Mesh, ShapeBuildError> {
    let path = folder.join(path);
    let options = files::file_options();
    let mesh = files::load(&path, &options, files::DEFAULT_MAX_BYTES)
        .map_err(|error| ShapeBuildError::File { path, reason: error.to_string() })?;
    if scale.to_bits() == 1.0f32.to_bits() {
        return Ok(mesh);
    }
    let vertices = mesh.vertices().iter().map(|v| *v * scale).collect();
    Ok(Mesh::new(vertices, mesh.indices().to_vec(), &options)?)
}

/// A form as an engine's shape.
fn shape(kind: &ShapeKind, folder: &Path) -> Result<(Shape, Rotation), ShapeBuildError> {
    if let Some(found) = primitive(kind)? {
        return Ok(found);
    }
    let vectors = |points: &[[f32; 3]]| -> Vec<Vec3> { points.iter().copied().map(Vec3::from).collect() };
    let shape = match kind {
        ShapeKind::Triangle { corners: [a, b, c] } => {
            Triangle::new(Vec3::from(*a), Vec3::from(*b), Vec3::from(*c)).into()
        }
        ShapeKind::Convex { points } => convex_hull(&vectors(points), &HullOptions::default())?.into(),
        ShapeKind::Mesh { path, scale } => load_mesh(path, *scale, folder)?.into(),
        ShapeKind::TriangleMesh { vertices, triangles } => {
            Mesh::new(vectors(vertices), triangles.clone(), &MeshOptions::default())?.into()
        }
        ShapeKind::HeightField { columns, heights, spacing } => {
            let rows = heights.len() / (*columns).max(1) as usize;
            HeightField::new(*columns, rows as u32, heights.clone(), *spacing)?.into()
        }
        // All others are plain.
        _ => HalfSpace.into(),
    };
    Ok((shape, Rotation::IDENTITY))
}

/// Builds shapes, and remembers the last few expensive ones.
pub struct ShapeBuilder<'a> {
    folder: &'a Path,
    kept: Vec<(ShapeKind, Shape)>,
}

impl<'a> ShapeBuilder<'a> {
    /// Paths of meshes are relative to `folder`.
    pub fn new(folder: &'a Path) -> Self {
        Self { folder, kept: Vec::new() }
    }

    /// The shape of a form, and the turn that lays it along its axis.
    pub fn shape(&mut self, kind: &ShapeKind) -> Result<(Shape, Rotation), ShapeBuildError> {
        if let Some(found) = primitive(kind)? {
            return Ok(found);
        }
        if let Some((_, shape)) = self.kept.iter().find(|(known, _)| known == kind) {
            return Ok((shape.clone(), Rotation::IDENTITY));
        }
        let (shape, turn) = shape(kind, self.folder)?;
        if self.kept.len() == KEPT {
            self.kept.remove(0);
        }
        self.kept.push((kind.clone(), shape.clone()));
        Ok((shape, turn))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_geometry::Pose;
    use carom_geometry::shape::Bounded;

    #[test]
    fn long_shapes_lie_along_their_axes() {
        for (axis, long) in [(Axis::X, 0), (Axis::Y, 1), (Axis::Z, 2)] {
            for kind in [
                ShapeKind::Cylinder { radius: 1.0, length: 10.0, axis },
                ShapeKind::Cone { radius: 1.0, length: 10.0, axis },
                ShapeKind::Capsule { radius: 1.0, length: 8.0, axis },
            ] {
                let (shape, turn) = primitive(&kind).unwrap().unwrap();
                let aabb = shape.aabb_at(&Pose::new(Vec3::ZERO, turn));
                for k in 0..3 {
                    let expected = if k == long { 5.0 } else { 1.0 };
                    assert!((aabb.max[k] - expected).abs() < 1e-4, "{kind:?}: {aabb:?}");
                }
            }
        }
    }

    #[test]
    fn a_form_that_comes_again_is_the_same_shape() {
        let hull = |size: f32| ShapeKind::Convex {
            points: vec![[0.0; 3], [size, 0.0, 0.0], [0.0, size, 0.0], [0.0, 0.0, size]],
        };
        let mut forms = ShapeBuilder::new(Path::new("."));
        let mut polytope = |size: f32| match forms.shape(&hull(size)).unwrap().0 {
            Shape::Polytope(polytope) => polytope,
            other => panic!("a {}", other.name()),
        };
        let (a, b, again) = (polytope(1.0), polytope(2.0), polytope(1.0));
        assert!(std::sync::Arc::ptr_eq(&a, &again) && !std::sync::Arc::ptr_eq(&a, &b));
        for size in 0..KEPT {
            polytope(10.0 + size as f32);
        }
        assert!(!std::sync::Arc::ptr_eq(&a, &polytope(1.0)), "the list of kept ones has an end");
    }

    #[test]
    fn many_pointed_forms_become_their_shapes() {
        let square = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 1.0]];
        let mesh = ShapeKind::TriangleMesh { vertices: square, triangles: vec![[0, 2, 1], [1, 2, 3]] };
        let field = ShapeKind::HeightField { columns: 2, heights: vec![0.0; 6], spacing: [1.0, 2.0] };
        let triangle = ShapeKind::Triangle { corners: [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]] };
        for kind in [mesh, field, triangle] {
            assert_eq!(
                ShapeBuilder::new(Path::new(".")).shape(&kind).unwrap().0.name(),
                match kind.name() {
                    "triangle-mesh" => "mesh",
                    name => name,
                }
            );
        }
        let missing = ShapeKind::Mesh { path: "missing.obj".into(), scale: 1.0 };
        let error = ShapeBuilder::new(Path::new("nowhere")).shape(&missing).unwrap_err();
        assert!(error.to_string().contains("missing.obj"), "{error}");
    }
}
