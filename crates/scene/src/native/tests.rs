//! The promises of the format: exact round trips, messages that help, and no harm from hostile
//! bytes.

use proptest::prelude::*;

use super::*;
use crate::model::{AngularVelocity, Body, BodyKind, JointKind, Scene, ShapeKind, SpringLaw};

/// Bit-for-bit comparison: the debug form of a float is unique, and tells −0 from 0.
fn image(scene: &Scene) -> String {
    format!("{scene:?}")
}

proptest! {

    #[test]
    fn text_gives_the_scene_back_to_the_bit(scene in arbitrary::scene()) {
        let text = write_text(&scene);
        let read = read_text(text.as_bytes()).map_err(|e| TestCaseError::fail(format!("{e}\n{text}")))?;
        prop_assert_eq!(image(&read.value), image(&scene), "{}", text);
    }

    #[test]
    fn binary_gives_the_scene_back_to_the_bit(scene in arbitrary::scene()) {
        let read = read_binary(&write_binary(&scene)).map_err(|e| TestCaseError::fail(e.to_string()))?;
        prop_assert_eq!(image(&read), image(&scene));
    }

    #[test]
    fn spoiled_bytes_are_an_error_and_never_a_crash(
        scene in arbitrary::scene(), place: prop::sample::Index, flip in 1u8..
    ) {
        let mut bytes = write_binary(&scene);
        let place = place.index(bytes.len());
        bytes[place] ^= flip;
        prop_assert!(read_binary(&bytes).is_err());
        bytes.truncate(place);
        prop_assert!(read_binary(&bytes).is_err());
    }

    #[test]
    fn any_payload_is_survived(payload in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = read_binary(&envelope(&payload));
        let _ = read_text(&payload);
    }
}

/// A valid envelope round any payload.
fn envelope(payload: &[u8]) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(LAYOUT.to_le_bytes());
    bytes.extend((payload.len() as u64).to_le_bytes());
    bytes.extend(carom_core::envelope::crc32(payload).to_le_bytes());
    bytes.extend(payload);
    bytes
}

fn read(text: &str) -> Scene {
    read_text(text.as_bytes()).unwrap_or_else(|e| panic!("{e}")).value
}

/// Message, line, column and hint of the error in a text.
fn mistake(text: &str) -> (String, u32, u32, String) {
    let error = read_text(text.as_bytes()).unwrap_err().errors.remove(0);
    let position = error.position.unwrap();
    assert!(error.excerpt.is_some());
    (error.message, position.line, position.column, error.hint.unwrap_or_default())
}

#[test]
fn the_example_of_the_documentation_reads() {
    let scene = read(
        r#"
        carom = 1
        name = "two balls"
        gravity = [0, -9.81, 0]

        [[body]]
        id = "floor"
        kind = "static"
        shape.tile = { length = 30, width = 30 }
        shape.restitution = 0.5

        [[body]]
        position = [0, 5, 0]
        angular-velocity-degrees = [0, 90, 0]
        shape.sphere.radius = 0.5
        colour = [200, 60, 60]

        [[joint]]
        bodies = [1, "floor"]
        at = [0, 1, 0]
        rope.length = 4
        "#,
    );
    assert_eq!(scene.bodies[0].kind, BodyKind::Static);
    assert_eq!(scene.bodies[0].shapes[0].kind, ShapeKind::Tile { length: 30.0, width: 30.0 });
    assert_eq!(scene.bodies[1].id, "1");
    assert_eq!(scene.bodies[1].angular_velocity, AngularVelocity::Degrees([0.0, 90.0, 0.0]));
    assert_eq!((scene.joints[0].a.as_str(), scene.joints[0].b.as_deref()), ("1", Some("floor")));
}

#[test]
fn what_is_written_is_what_a_person_would_write() {
    let scene = read(
        r#"
        carom = 1
        name = "tidy"
        camera.orbit = { distance = 12, yaw = 90 }
        solver.steps-per-second = 120
        [[body]]
        position = [0, 5.25, 0]
        shape = [{ sphere = { radius = 0.5 } }]
        [[body]]
        id = "dumb-bell"
        shape = [{ sphere = { radius = 1 }, position = [-1, 0, 0] }, { sphere = { radius = 1 }, position = [1, 0, 0] }]
        lock = ["move-z", "turn-x"]
        [[joint]]
        bodies = ["0", "dumb-bell"]
        fixed = {}
        "#,
    );
    let expected = r#"carom = 1
name = "tidy"

[solver]
steps-per-second = 120

[camera.orbit]
distance = 12
yaw = 90

[[body]]
position = [0, 5.25, 0]
shape.sphere = { radius = 0.5 }

[[body]]
id = "dumb-bell"
lock = ["move-z", "turn-x"]
shape = [
  { sphere = { radius = 1 }, position = [-1, 0, 0] },
  { sphere = { radius = 1 }, position = [1, 0, 0] },
]

[[joint]]
bodies = ["0", "dumb-bell"]
fixed = {}
"#;
    assert_eq!(write_text(&scene), expected);
}

#[test]
fn a_misspelt_key_is_named_with_its_place_and_a_hint() {
    let (message, line, column, hint) = mistake("carom = 1\n[[body]]\n  positon = [0, 0, 0]\n");
    assert_eq!(message, "unknown field `positon`");
    assert_eq!((line, column, hint.as_str()), (3, 3, "did you mean `position`?"));
    let (message, line, _, hint) = mistake("carom = 1\n[[body]]\nshape.spere = { radius = 1 }\n");
    assert!(message.contains("spere"), "{message}");
    assert_eq!((line, hint.as_str()), (3, "did you mean `sphere`?"));
    let (_, line, _, hint) = mistake("carom = 1\n[[body]]\n\nkind = \"statik\"\n");
    assert_eq!((line, hint.as_str()), (4, "did you mean `static`?"));
}

#[test]
fn contradictions_are_reported_at_their_table() {
    let (message, line, ..) =
        mistake("carom = 1\n[[body]]\nangular-velocity = [0, 0, 1]\nangular-velocity-degrees = [0, 0, 1]\n");
    assert!(message.contains("`angular-velocity` and as `angular-velocity-degrees`"), "{message}");
    assert_eq!(line, 2);
    let (message, line, ..) =
        mistake("carom = 1\n[[body]]\nshape = { sphere = { radius = 1 }, box = { size = [1, 1, 1] } }\n");
    assert!(message.contains("`sphere` and `box`"), "{message}");
    assert_eq!(line, 3);
    let (message, ..) = mistake("carom = 1\n[[body]]\nshape.friction = 1\n");
    assert!(message.contains("give one of `sphere`, `capsule`"), "{message}");
}

#[test]
fn a_spring_is_stiff_or_tuned() {
    let head = "carom = 1\n[[body]]\n[[body]]\n[[joint]]\nbodies = [0, 1]\n";
    let kind = |keys: &str| read(&format!("{head}{keys}\n")).joints.remove(0).kind;
    let law = |keys: &str| match kind(&format!("fixed.spring = {{ {keys} }}")) {
        JointKind::Fixed { spring } => spring.unwrap(),
        other => panic!("{}", other.name()),
    };
    assert_eq!(law("stiffness = 40"), SpringLaw::Hooke { stiffness: 40.0, damping: 0.0 });
    assert_eq!(law("hertz = 2, damping-ratio = 0.7"), SpringLaw::Tuned { hertz: 2.0, ratio: 0.7 });
    let rest_length = Some(3.0);
    let spring = JointKind::Spring { rest_length, law: SpringLaw::Tuned { hertz: 1.0, ratio: 0.0 } };
    assert_eq!(kind("spring = { rest-length = 3, hertz = 1 }"), spring);
    for wrong in ["stiffness = 1, hertz = 1", "damping = 1", "hertz = 1, damping = 1", ""] {
        let (message, line, ..) = mistake(&format!("{head}fixed.spring = {{ {wrong} }}\n"));
        assert!(message.contains("either `stiffness` and `damping`"), "{wrong}: {message}");
        assert_eq!(line, 4);
    }
}

#[test]
fn numbers_must_be_finite_and_fit() {
    for (text, word) in [("nan", "NaN"), ("inf", "inf"), ("-inf", "inf"), ("1e39", "too large")] {
        let (message, line, column, _) =
            mistake(&format!("carom = 1\n[[body]]\nposition = [0, {text}, 0]\n"));
        assert!(message.contains(word), "{message}");
        assert_eq!((line, column), (3, 16));
    }
    let (message, ..) = mistake("carom = 1\norigin = [0, inf, 0]\n");
    assert!(message.contains("finite"), "{message}");
    let scene = Scene {
        bodies: vec![Body { id: "ghost".into(), velocity: [0.0, f32::NAN, 0.0], ..Body::default() }],
        ..Scene::default()
    };
    let error = read_binary(&write_binary(&scene)).unwrap_err();
    assert_eq!(error.to_string(), "body \"ghost\": velocity: `NaN` is not a finite number");
    assert!(read_text(write_text(&scene).as_bytes()).is_err());
}

#[test]
fn versions_are_checked_before_anything_else() {
    let (message, line, _, hint) = mistake("# later\ncarom = 2\nwarp-drive = true\n");
    assert!(message.contains("version 2") && message.contains("reads 1"), "{message}");
    assert_eq!((line, hint.as_str()), (2, "a newer Carom reads it"));
    let (message, _, _, hint) = mistake("name = \"x\"\n");
    assert!(message.contains("does not say"), "{message}");
    assert!(hint.contains("carom = 1"));
    let mut bytes = write_binary(&Scene::default());
    bytes[8] = 7;
    assert_eq!(read_binary(&bytes), Err(BinaryError::Version { found: 7, supported: LAYOUT }));
}

#[test]
fn broken_envelopes_have_their_own_errors() {
    let bytes = write_binary(&read("carom = 1\n[[body]]\nmass = 1\n"));
    assert_eq!(read_binary(b"<config/>"), Err(BinaryError::Magic));
    assert_eq!(read_binary(&bytes[..10]), Err(BinaryError::Truncated { needed: 24, found: 10 }));
    let (needed, found) = (bytes.len() as u64, bytes.len() as u64 - 1);
    assert_eq!(read_binary(&bytes[..bytes.len() - 1]), Err(BinaryError::Truncated { needed, found }));
    let longer: Vec<u8> = bytes.iter().copied().chain([0]).collect();
    assert_eq!(read_binary(&longer), Err(BinaryError::Trailing { extra: 1 }));
    let mut changed = bytes;
    changed[30] ^= 1;
    assert!(matches!(read_binary(&changed), Err(BinaryError::Checksum { .. })));
    let mut absurd = write_binary(&Scene::default());
    absurd[12..20].copy_from_slice(&u64::MAX.to_le_bytes());
    assert!(matches!(read_binary(&absurd), Err(BinaryError::Truncated { .. })));
}

#[test]
fn claims_of_billions_cost_nothing() {
    // Version and six absent options, then a list that claims 2⁶³ bodies and holds none.
    let mut payload = vec![1, 1, 0, 0, 0, 0, 0, 0, 1];
    payload.extend([0xff; 9]);
    payload.push(0x01);
    assert!(matches!(read_binary(&envelope(&payload)), Err(BinaryError::Payload { .. })));
}

#[test]
fn marks_line_ends_and_foreign_bytes() {
    assert_eq!(read("\u{feff}carom = 1\r\nname = \"x\"\r\n").name, "x");
    let error = read_text(b"carom = 1\nname = \"\xff\"\n").unwrap_err();
    assert!(error.to_string().contains("line 2") && error.to_string().contains("UTF-8"), "{error}");
    assert_eq!(read_text(b"carom = 1\n").unwrap().warnings.len(), 1, "no bodies");
}

#[test]
fn deep_nesting_is_refused_without_overflowing_the_stack() {
    let text = format!("carom = 1\nname = {}", "[".repeat(200_000));
    assert!(read_text(text.as_bytes()).is_err());
}

#[test]
fn keys_of_older_files_are_still_read() {
    let body = |keys: &str| read(&format!("carom = 1\n[[body]]\n{keys}\n")).bodies.remove(0);
    for (old, new) in [
        ("spin = [1, 2, 3]", "angular-velocity = [1, 2, 3]"),
        ("spin-degrees = [1, 2, 3]", "angular-velocity-degrees = [1, 2, 3]"),
        ("max-spin = 7", "max-angular-speed = 7"),
    ] {
        assert_eq!(body(old), body(new), "{old}");
        let (message, ..) = mistake(&format!("carom = 1\n[[body]]\n{old}\n{new}\n"));
        assert!(message.contains("duplicate"), "{message}");
    }
}
