//! Tests of the scene writer: the round trip, and the list of what cannot be written.

use proptest::prelude::*;

use super::*;
use crate::fingsics::read_scene;
use crate::model::{Action, Event, Field, FieldKind, Joint, JointKind, Look, Material, Region};

/// Folder of Fingsics' sample scenes, beside the workspace; not part of it.
const SAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data/fingsics");

fn sample_files() -> Vec<std::path::PathBuf> {
    let mut files = Vec::new();
    for folder in ["scenes", "scenes-src"] {
        if let Ok(entries) = std::fs::read_dir(format!("{SAMPLES}/{folder}")) {
            files.extend(
                entries.flatten().map(|e| e.path()).filter(|p| p.extension().is_some_and(|x| x == "xml")),
            );
        }
    }
    files.sort();
    if files.is_empty() {
        println!("skipped: no sample scenes in {SAMPLES}");
    }
    files
}

/// A body the format can hold.
fn plain_body(index: usize) -> Body {
    let material = Material { friction: 0.0, restitution: 1.0, ..Material::default() };
    Body {
        id: index.to_string(),
        mass: Mass::Total(1.0),
        shapes: vec![Shape::new(ShapeKind::Sphere { radius: 1.0 }).with_material(material)],
        ..Body::default()
    }
}

fn round_trip(scene: &Scene) -> Scene {
    let xml = write_scene(scene).unwrap();
    let parsed = read_scene(xml.as_bytes(), &scene.name).unwrap();
    assert_eq!(parsed.warnings, []);
    parsed.value
}

#[test]
fn all_sample_scenes_survive_the_round_trip() {
    for path in sample_files() {
        let name = path.file_stem().unwrap().to_string_lossy();
        let bytes = std::fs::read(&path).unwrap();
        let parsed = read_scene(&bytes, &name).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        assert!(parsed.value.bodies.len() >= 2, "{}", path.display());
        assert_eq!(round_trip(&parsed.value), parsed.value, "{}", path.display());
        if name == "superman" {
            assert_eq!(parsed.value.bodies.len(), 21);
            assert_eq!(parsed.warnings.len(), 1);
            assert!(
                parsed.warnings[0].to_string().contains("line 5, column 38: no blank"),
                "{:?}",
                parsed.warnings
            );
        } else {
            // Slips of their authors, such as a stray quotation mark: worth a remark, never an
            // object lost.
            for warning in parsed.warnings {
                println!("{name}: {warning}");
                assert!(warning.message.starts_with("text inside"), "{name}: {warning}");
            }
        }
    }
}

#[test]
fn mutated_sample_scenes_never_panic() {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = |bound: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % bound.max(1) as u64) as usize
    };
    for path in sample_files() {
        let original = std::fs::read(&path).unwrap();
        // Large files would take long and add nothing: the first kilobytes hold all there is.
        let head = &original[..original.len().min(20_000)];
        for _ in 0..40 {
            let mut bytes = head.to_vec();
            for _ in 0..next(20) {
                let place = next(bytes.len());
                bytes[place] = next(256) as u8;
            }
            let (from, to) = (next(bytes.len()), next(bytes.len()));
            let piece = bytes[from.min(to)..from.max(to)].to_vec();
            bytes.splice(to..to, piece);
            bytes.truncate(next(bytes.len() + 1));
            let _ = read_scene(&bytes, "mutated");
        }
    }
}

#[test]
fn defaults_are_left_out() {
    let scene = Scene { bodies: vec![plain_body(0)], ..Scene::default() };
    assert_eq!(
        write_scene(&scene).unwrap(),
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<config>\n\t<camera rad=\"40\" pitch=\"-25\" yaw=\"0\" />\n\
         \t<objects>\n\t\t<sphere pos=\"0,0,0\" />\n\t</objects>\n</config>\n"
    );
}

#[test]
fn negative_zero_survives() {
    let mut body = plain_body(0);
    body.velocity = [-0.0, 0.0, 0.0];
    let read = round_trip(&Scene { bodies: vec![body], ..Scene::default() });
    assert!(read.bodies[0].velocity[0].is_sign_negative());
}

#[test]
fn texts_that_would_round_twice_are_written_in_full() {
    // For each f32 the text must give the same value when read directly and through f64.
    for bits in (0..0x7F80_0000_u32).step_by(7919) {
        let value = f32::from_bits(bits);
        let text = format_f32(value);
        assert_eq!(text.parse::<f32>().unwrap().to_bits(), bits, "{text}");
        assert_eq!((text.parse::<f64>().unwrap() as f32).to_bits(), bits, "{text}");
    }
}

/// Every way in which one body can be impossible, each with a word of its reason.
fn impossible_bodies() -> Vec<(Body, &'static str)> {
    let change = |change: fn(&mut Body), word| {
        let mut body = plain_body(0);
        change(&mut body);
        (body, word)
    };
    vec![
        change(|b| b.id = "ball".to_owned(), "id"),
        change(|b| b.kind = BodyKind::Particle, "particle"),
        change(
            |b| {
                b.kind = BodyKind::Static;
                b.velocity[0] = 1.0;
            },
            "static but",
        ),
        change(|b| b.orientation = Orientation::Quaternion([1.0, 0.0, 0.0, 0.0]), "quaternion"),
        change(|b| b.angular_velocity = AngularVelocity::Radians([0.0, 1.0, 0.0]), "radians"),
        change(|b| b.mass = Mass::FromDensity, "density"),
        change(|b| b.mass = Mass::Full { mass: 1.0, centre: [0.0; 3], inertia: [1.0; 6] }, "inertia"),
        change(|b| b.gravity_scale = 2.0, "gravity scale"),
        change(|b| b.linear_damping = 0.1, "damping"),
        change(|b| b.max_angular_speed = Some(1.0), "speed limit"),
        change(|b| b.locked.rotation[0] = true, "locked"),
        change(|b| b.bullet = true, "continuous"),
        change(|b| b.can_sleep = false, "sleep"),
        change(|b| b.shapes.clear(), "no shape"),
        change(|b| b.shapes.push(b.shapes[0].clone()), "2 shapes"),
        change(|b| b.shapes[0].kind = ShapeKind::Box { size: [1.0; 3] }, "no shape like `box`"),
        change(
            |b| b.shapes[0].kind = ShapeKind::Capsule { radius: 1.0, length: 1.0, axis: Axis::Y },
            "along z",
        ),
        change(|b| b.shapes[0].position[1] = 1.0, "moved or turned"),
        change(|b| b.shapes[0].orientation = Orientation::EulerDegrees([1.0, 0.0, 0.0]), "moved or turned"),
        change(|b| b.shapes[0].material.friction = 0.5, "friction"),
        change(|b| b.shapes[0].filter.group = 1, "filter"),
        change(|b| b.shapes[0].sensor = true, "sensor"),
        change(|b| b.look.style = Style::Rocket, "rocket"),
        change(|b| b.position[2] = f32::NAN, "NaN"),
        change(|b| b.shapes[0].material.restitution = f32::INFINITY, "inf"),
    ]
}

#[test]
fn each_impossible_body_is_named_with_its_reason() {
    for (body, word) in impossible_bodies() {
        let id = body.id.clone();
        let error = write_scene(&Scene { bodies: vec![body], ..Scene::default() }).unwrap_err();
        assert_eq!(error.problems.len(), 1, "{word}: {error}");
        assert_eq!(error.problems[0].body.as_deref(), Some(id.as_str()));
        assert!(error.to_string().contains(word), "{word}: {error}");
    }
}

#[test]
fn all_problems_are_listed_at_once() {
    let mut scene = Scene { bodies: vec![plain_body(0), plain_body(7)], ..Scene::default() };
    scene.world.gravity[1] = -9.8;
    scene.world.origin[0] = 1.0;
    scene.camera = Camera::Free { position: [0.0; 3], pitch: 0.0, yaw: 0.0 };
    scene.joints.push(Joint::new("j", "0", "7", JointKind::Fixed { spring: None }));
    let kind = FieldKind::Uniform { acceleration: [0.0; 3] };
    scene.fields.push(Field { region: Region::Everywhere, kind });
    scene.events.push(Event { time: 1.0, action: Action::Remove { body: "0".to_owned() } });
    scene.bodies[1].mass = Mass::FromDensity;
    let error = write_scene(&scene).unwrap_err();
    let bodies: Vec<_> = error.problems.iter().map(|p| p.body.as_deref()).collect();
    assert_eq!(bodies, [None, None, None, None, None, None, Some("7"), Some("7")]);
    scene.camera = Camera::Orbit { distance: f32::NAN, pitch: 0.0, yaw: 0.0, target: [1.0; 3] };
    assert_eq!(write_scene(&scene).unwrap_err().problems.len(), 9);
}

fn finite() -> impl Strategy<Value = f32> {
    any::<u32>().prop_map(f32::from_bits).prop_filter("finite", |v| v.is_finite())
}

fn triplet() -> impl Strategy<Value = [f32; 3]> {
    prop_oneof![Just([0.0; 3]), [finite(), finite(), finite()]]
}

/// A body as the reader makes it.
fn readable_body() -> impl Strategy<Value = Body> {
    let motion = (triplet(), triplet(), triplet(), triplet(), triplet());
    let numbers = [finite(), finite(), finite(), finite()];
    (motion, numbers, any::<[u8; 3]>(), any::<[bool; 3]>(), 0_u8..3).prop_map(
        |((position, velocity, angles, angular_velocity, acceleration), n, colour, flags, kind)| {
            let moves = [velocity, angular_velocity, acceleration] != [[0.0; 3]; 3];
            let (shape, style) = match kind {
                0 => (ShapeKind::Sphere { radius: n[0] }, Style::Plain),
                1 => (
                    ShapeKind::Capsule { radius: n[0], length: n[1], axis: Axis::Z },
                    if flags[2] { Style::Rocket } else { Style::Plain },
                ),
                _ => (ShapeKind::Tile { length: n[0], width: n[1] }, Style::Plain),
            };
            let material = Material { friction: 0.0, restitution: n[2], ..Material::default() };
            Body {
                kind: match (flags[0], moves) {
                    (false, _) => BodyKind::Dynamic,
                    (true, true) => BodyKind::Kinematic,
                    (true, false) => BodyKind::Static,
                },
                position,
                velocity,
                orientation: if angles == [0.0; 3] {
                    Orientation::IDENTITY
                } else {
                    Orientation::EulerDegrees(angles)
                },
                angular_velocity: if angular_velocity == [0.0; 3] {
                    AngularVelocity::ZERO
                } else {
                    AngularVelocity::Degrees(angular_velocity)
                },
                acceleration,
                mass: Mass::Total(n[3]),
                shapes: vec![Shape::new(shape).with_material(material)],
                look: Look { colour, visible: flags[1], style },
                ..Body::default()
            }
        },
    )
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(
        bodies in proptest::collection::vec(readable_body(), 0..12),
        camera in [finite(), finite(), finite()],
    ) {
        let mut scene = Scene { name: "generated".to_owned(), bodies, ..Scene::default() };
        let [distance, pitch, yaw] = camera;
        scene.camera = Camera::Orbit { distance, pitch, yaw, target: [0.0; 3] };
        for (i, body) in scene.bodies.iter_mut().enumerate() {
            body.id = i.to_string();
        }
        prop_assert_eq!(round_trip(&scene), scene);
    }
}
