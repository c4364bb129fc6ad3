//! The dispatch table: what it promises is answered, what it refuses is refused, and the
//! documentation shows it as it is.

use std::path::Path;

use carom_geometry::height_field::HeightField;
use carom_geometry::mesh::{Mesh, MeshOptions};
use carom_geometry::primitive::Triangle;
use carom_geometry::shape::{
    Capsule, Child, Compound, Cone, Cuboid, Cylinder, Ellipsoid, HalfSpace, Sphere, Tile,
};
use carom_geometry::{Polytope, Pose, Shape};
use carom_narrowphase::composite::{self, CompositeCache, MeshContactOptions};
use carom_narrowphase::dispatch::{self, Algorithm, Question, ShapeKind, algorithm};
use carom_narrowphase::sat::Tolerances;
use carom_narrowphase::toi::{Motion, ToiOptions, time_of_impact_of_shapes};
use carom_narrowphase::{Manifold, NarrowMethod, analytic, pair};
use glam::Vec3;

/// One shape of every kind, in the order of the kinds.
fn one_of_each() -> Vec<Shape> {
    let corners = vec![Vec3::ZERO, Vec3::X, Vec3::Z];
    let sphere = Shape::from(Sphere::new(0.5).unwrap());
    let shapes: Vec<Shape> = vec![
        sphere.clone(),
        Capsule::along_z(0.4, 0.3).unwrap().into(),
        Tile::new(0.7, 0.5).unwrap().into(),
        Cuboid::new(Vec3::new(0.5, 0.4, 0.6)).unwrap().into(),
        Cylinder::new(0.5, 0.4).unwrap().into(),
        Cone::new(0.5, 0.5).unwrap().into(),
        Ellipsoid::new(Vec3::new(0.3, 0.5, 0.7)).unwrap().into(),
        HalfSpace.into(),
        Triangle::new(corners[0], corners[1], corners[2]).into(),
        Polytope::prism(5, 1.0, 0.5).unwrap().into(),
        Mesh::new(corners, vec![[0, 1, 2]], &MeshOptions::default()).unwrap().into(),
        HeightField::new(3, 3, vec![0.0; 9], [1.0, 1.0]).unwrap().into(),
        Compound::new(vec![Child { pose: Pose::IDENTITY, shape: sphere }]).unwrap().into(),
        carom_geometry::shape::Planar::rectangle(0.5, 0.3).unwrap().into(),
    ];
    for (shape, kind) in shapes.iter().zip(ShapeKind::ALL) {
        assert_eq!((ShapeKind::of(shape), shape.name()), (kind, kind.name()));
    }
    assert_eq!(shapes.len(), ShapeKind::ALL.len());
    shapes
}

#[test]
fn what_the_table_promises_is_answered_and_the_rest_is_refused() {
    let (shapes, pose) = (one_of_each(), Pose::at(Vec3::new(0.1, 0.6, 0.2)));
    let still = Motion::rotating(&Pose::IDENTITY, Vec3::ZERO, Vec3::ZERO, Vec3::ZERO);
    let moving = Motion::rotating(&pose, Vec3::ZERO, Vec3::X, Vec3::Y);
    for (a, b) in shapes.iter().flat_map(|a| shapes.iter().map(move |b| (a, b))) {
        let what = format!("{} and {}", a.name(), b.name());
        let cell = |question| algorithm(question, ShapeKind::of(a), ShapeKind::of(b));
        let refuses = |question| cell(question) == Algorithm::Unsupported;
        let mut cache = pair::PairCache::default();
        let auto = NarrowMethod::Auto;
        let near = pair::proximity(a, b, &pose, f32::INFINITY, auto, &mut cache);
        assert_eq!(near.is_err(), refuses(Question::Distance), "{what}");
        assert_eq!(pair::supports(auto, a, b), !refuses(Question::Distance), "{what}");
        let touching = pair::touches(a, b, &pose, auto, &mut cache);
        assert_eq!(touching.is_err(), refuses(Question::Overlap), "{what}");

        let tolerances = Tolerances::default();
        let (mut scratch, mut contact) = (pair::Scratch::default(), Manifold::default());
        let made = pair::manifold(a, b, &pose, tolerances, auto, &mut cache, &mut scratch, &mut contact);
        let is_composite = matches!(cell(Question::Manifold), Algorithm::Surface | Algorithm::Children);
        assert_eq!(made.is_err(), is_composite || refuses(Question::Manifold), "{what}");
        let is_analytic = cell(Question::Manifold) == Algorithm::Analytic;
        assert_eq!(analytic::manifold(a, b, &pose, 0.02, &mut contact), is_analytic, "{what}");
        let mut manifolds = Vec::new();
        let mut known = CompositeCache::default();
        let options = MeshContactOptions::default();
        let report = composite::contacts(a, b, &pose, &options, &mut known, &mut manifolds);
        // The child of the compound is a sphere, which everything has contacts with.
        assert_eq!(report.not_handled > 0, refuses(Question::Manifold), "{what}");

        let impact = time_of_impact_of_shapes(a, &still, b, &moving, &ToiOptions::default());
        assert_eq!(impact.is_err(), refuses(Question::TimeOfImpact), "{what}");
        assert!(!refuses(Question::Cast), "{what}: casts are answered for all");
    }
}

#[test]
fn the_order_of_the_shapes_does_not_matter() {
    for question in Question::ALL {
        for (a, b) in ShapeKind::ALL.into_iter().flat_map(|a| ShapeKind::ALL.map(|b| (a, b))) {
            assert_eq!(algorithm(question, a, b), algorithm(question, b, a), "{question:?} {a:?} {b:?}");
        }
    }
}

/// `CAROM_WRITE_DOCS=1 cargo nextest run -p carom-narrowphase dispatch` writes the table.
#[test]
fn the_documentation_shows_the_table() {
    const BEGIN: &str = "<!-- dispatch table: written by the tests of carom-narrowphase -->\n";
    const END: &str = "<!-- end of the dispatch table -->\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/narrowphase.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = text.split_once(BEGIN).unwrap();
    let (_, after) = rest.split_once(END).unwrap();
    let wanted = format!("{before}{BEGIN}{}{END}{after}", dispatch::markdown());
    if std::env::var_os("CAROM_WRITE_DOCS").is_some() {
        std::fs::write(&path, &wanted).unwrap();
    } else {
        assert!(text == wanted, "docs/narrowphase.md is not up to date: run with CAROM_WRITE_DOCS=1");
    }
}
