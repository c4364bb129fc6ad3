//! Scenes of Carom's library, and Fingsics' files, for every engine of the harness.
//!
//! The harness has one friction, one restitution and one gravity for a scene, spheres, capsules
//! along y, boxes and hulls, and bodies of one shape. So tiles become thick slabs behind their
//! surface, static bodies of several shapes several bodies, and a kinematic body of several hulls
//! keeps them as parts. What does not fit is refused.

use std::path::PathBuf;

use carom_geometry::Rotation;
use carom_geometry::hull::{HullOptions, convex_hull};
use carom_scene::file::{SceneFile, load};
use carom_scene::model::{Axis, BodyKind, Mass as GivenMass, Material, ShapeKind};
use carom_scene::{Scene as Source, library, model};
use carom_sim::shapes::{angular_velocity, rotation};
use glam::Vec3;

use crate::scene::{Body, DENSITY, Hull, Kind, Mass, Scene, Shape, V3};

/// Scenes for `--scenes`, beside the standard ones.
pub const CROWDS: &[&str] = &[
    "dense-gas-1000",
    "dense-gas-10000",
    "dense-gas-30000",
    "prod-1000",
    "prod-10000",
    "confetti",
    "fast-fountain-3420",
    "mixed-rain-2000",
    "hulls-1280",
    "hulls-5120",
    "rocks-10000",
    "drum-8000",
];

/// Kinds of scene that the harness has of its own.
const OWN: [&str; 4] = ["box", "pyramid", "pile", "joints"];
/// Half the thickness of the slab behind a tile, metres.
const BEHIND: f32 = 5.0;
/// Most frames of a scene.
const FRAMES: usize = 500;

/// A scene by its name; `None` if the harness knows it itself.
pub fn named(name: &str) -> Option<Result<Scene, String>> {
    let file = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/data")).join(format!("{name}.xml"));
    if file.is_file() {
        return Some(from_source(&file.to_string_lossy(), usize::MAX));
    }
    let (kind, count) = name.rsplit_once('-')?;
    let n: usize = count.parse().ok()?;
    let request = match kind {
        kind if OWN.contains(&kind) => return None,
        "hulls" => format!("convex_pile:{}", n.div_ceil(64)),
        "rocks" => format!("junkyard:21?layers={}", n.div_ceil(441)),
        "drum" => format!("washer:{}", (1..).find(|side| side * side * side >= n)?),
        kind if library::knows(kind) => format!("{kind}:{n}"),
        _ => return None,
    };
    Some(from_source(&request, if request.starts_with(kind) { usize::MAX } else { n }))
}

/// Loads a scene and keeps so many of its dynamic bodies.
fn from_source(request: &str, most: usize) -> Result<Scene, String> {
    let SceneFile::Spatial(mut source) = load(request).map_err(|error| error.to_string())?.scene else {
        return Err(format!("{request} has two dimensions"));
    };
    // The column that ploughs through the rocks turns about a far point, which not all engines can.
    source.bodies.retain(|body| body.kind != BodyKind::Kinematic || body.shapes.len() > 1);
    let mut left = most;
    source.bodies.retain(|body| {
        let is_kept = body.kind != BodyKind::Dynamic || left > 0;
        left -= usize::from(is_kept && body.kind == BodyKind::Dynamic);
        is_kept
    });
    converted(&source)
}

/// The one value of all, or an error that names it.
fn common<T: PartialEq + Copy + std::fmt::Debug>(
    what: &str,
    mut all: impl Iterator<Item = T>,
) -> Result<Option<T>, String> {
    let Some(first) = all.next() else { return Ok(None) };
    match all.find(|other| *other != first) {
        None => Ok(Some(first)),
        Some(other) => Err(format!("{what} differs: {first:?} and {other:?}")),
    }
}

fn converted(source: &Source) -> Result<Scene, String> {
    if !source.joints.is_empty() || !source.events.is_empty() || !source.fields.is_empty() {
        return Err("joints, events and fields of library scenes are not taken over".into());
    }
    let dynamic = || source.bodies.iter().filter(|body| body.kind == BodyKind::Dynamic);
    let surface = |body: &model::Body| {
        let Material { friction, restitution, .. } = body.shapes.first().map_or(Material::default(), |s| s.material);
        (friction, restitution)
    };
    let (friction, restitution) = common("the material", dynamic().map(surface))?.unwrap_or((0.5, 0.0));
    // Fingsics' files give every body an acceleration of its own.
    let own = common("the acceleration", dynamic().map(|body| body.acceleration))?.unwrap_or([0.0; 3]);
    let gravity = Vec3::from(source.world.gravity) + Vec3::from(own);
    // Heaps need their time to fall; a gas is the same in all frames.
    let is_elastic = restitution >= 1.0;
    let most = match (is_elastic, dynamic().count()) {
        (true, 5001..=20_000) => 200,
        (true, 20_001..) => 60,
        _ => FRAMES,
    };
    let asked = source.solver.frames.map_or(most, |frames| frames as usize - 1);
    let mut scene = Scene::new(if is_elastic { Kind::Box } else { Kind::Pile }, asked.clamp(1, most));
    scene.gravity = gravity.to_array();
    (scene.friction, scene.restitution) = (friction, restitution);
    let count = dynamic().count().max(1) as f32;
    let middle = dynamic().map(|body| Vec3::from(body.position)).sum::<Vec3>() / count;
    for body in &source.bodies {
        insert(&mut scene, body, middle)?;
    }
    scene.container = Some(container(source));
    Ok(scene)
}

/// A box round all walls: who leaves it has escaped.
fn container(source: &Source) -> (V3, V3) {
    let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    for body in source.bodies.iter().filter(|body| body.kind != BodyKind::Dynamic) {
        for shape in &body.shapes {
            let at = Vec3::from(body.position) + Vec3::from(shape.position);
            let reach = match &shape.kind {
                ShapeKind::Box { size } => 0.5 * Vec3::from(*size),
                ShapeKind::Convex { points } => {
                    points.iter().fold(Vec3::ZERO, |most, point| most.max(Vec3::from(*point).abs()))
                }
                _ => Vec3::ZERO,
            };
            low = low.min(at - reach);
            high = high.max(at + reach);
        }
    }
    ((0.5 * (low + high)).to_array(), (0.5 * (high - low)).to_array())
}

fn insert(scene: &mut Scene, body: &model::Body, middle: Vec3) -> Result<(), String> {
    let (place, turn) = (Vec3::from(body.position), rotation(body.orientation));
    if body.kind == BodyKind::Kinematic {
        let mut shapes = Vec::new();
        for shape in &body.shapes {
            let ShapeKind::Convex { points } = &shape.kind else {
                return Err("a kinematic body has hulls only".into());
            };
            let by = Vec3::from(shape.position);
            let points = points.iter().map(|p| (Vec3::from(*p) + by).to_array()).collect();
            // Masses and centres of parts count for nothing.
            let mass = Mass { mass: 1.0, inertia: [[0.0; 3]; 3] };
            shapes.push(Shape::Hull(Hull { points, faces: Vec::new(), mass }));
        }
        let parts = shapes.split_off(1);
        let [first] = <[Shape; 1]>::try_from(shapes).map_err(|_| "a body without shapes")?;
        scene.bodies.push(Body {
            kinematic: true,
            velocity: body.velocity,
            spin: angular_velocity(body.angular_velocity).to_array(),
            parts,
            ..Body::new(first, false, place.to_array(), turn.to_xyzw())
        });
        return Ok(());
    }
    let is_dynamic = body.kind == BodyKind::Dynamic;
    if is_dynamic && body.shapes.len() != 1 {
        return Err(format!("body {} has {} shapes", body.id, body.shapes.len()));
    }
    for shape in &body.shapes {
        let (at, own_turn) = (place + turn.rotate(Vec3::from(shape.position)), turn * rotation(shape.orientation));
        let Placed { shape: form, by, turn } = placed(&shape.kind, at, own_turn, middle)?;
        let mut added = Body::new(form, is_dynamic, (at + by).to_array(), turn.to_xyzw());
        added.velocity = body.velocity;
        added.density = match body.mass {
            GivenMass::Total(mass) if is_dynamic => DENSITY * mass / added.shape.mass().mass,
            GivenMass::Full { .. } => return Err("a mass is given by hand".into()),
            _ => shape.material.density,
        };
        scene.bodies.push(added);
    }
    Ok(())
}

/// A shape of the harness, how far its middle is from where the scene has it, and its rotation.
struct Placed {
    shape: Shape,
    by: Vec3,
    turn: Rotation,
}

/// `middle` is that of all dynamic bodies: slabs lie on the other side of their tile.
fn placed(kind: &ShapeKind, at: Vec3, turn: Rotation, middle: Vec3) -> Result<Placed, String> {
    let plain = |shape| Ok(Placed { shape, by: Vec3::ZERO, turn });
    match kind {
        ShapeKind::Sphere { radius } => plain(Shape::Sphere { radius: *radius }),
        ShapeKind::Box { size } => plain(Shape::Box { half: size.map(|x| 0.5 * x) }),
        ShapeKind::Capsule { radius, length, axis } => {
            let quarter = std::f32::consts::FRAC_PI_2;
            let from_y = match axis {
                Axis::X => Rotation::about_axis(Vec3::Z, -quarter),
                Axis::Y => Rotation::IDENTITY,
                Axis::Z => Rotation::about_axis(Vec3::X, quarter),
            };
            let shape = Shape::Capsule { half: 0.5 * length, radius: *radius };
            Ok(Placed { shape, by: Vec3::ZERO, turn: turn * from_y })
        }
        ShapeKind::Tile { length, width } => {
            let normal = turn.rotate(Vec3::Y);
            let side = if normal.dot(middle - at) > 0.0 { -1.0 } else { 1.0 };
            let shape = Shape::Box { half: [0.5 * length, BEHIND, 0.5 * width] };
            Ok(Placed { shape, by: normal * side * BEHIND, turn })
        }
        ShapeKind::Convex { points } => {
            let (hull, centre) = hull(points)?;
            Ok(Placed { shape: Shape::Hull(hull), by: turn.rotate(centre), turn })
        }
        other => Err(format!("the harness knows no {}", other.name())),
    }
}

/// The hull of points about its centre of mass, and where that was.
fn hull(points: &[V3]) -> Result<(Hull, Vec3), String> {
    let points: Vec<Vec3> = points.iter().map(|point| Vec3::from(*point)).collect();
    let solid = convex_hull::<Vec3>(&points, &HullOptions::default()).map_err(|error| error.to_string())?;
    let shape = carom_geometry::Shape::Polytope(solid.clone().into());
    let properties = shape.mass_properties(DENSITY).map_err(|error| error.to_string())?;
    let mut faces = Vec::new();
    for face in solid.faces() {
        let corners: Vec<u32> = solid.face_vertices(face).map(|vertex| vertex.index() as u32).collect();
        faces.extend(corners.windows(2).skip(1).map(|pair| [corners[0], pair[0], pair[1]]));
    }
    let inertia = properties.inertia.columns.map(|column| column.to_array());
    let mass = Mass { mass: properties.mass, inertia };
    let points = solid.points().iter().map(|point| (*point - properties.centre).to_array()).collect();
    Ok((Hull { points, faces, mass }, properties.centre))
}
