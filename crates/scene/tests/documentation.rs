//! The examples in `docs/scenes.md` are scenes that load without a remark and without a problem.
#![allow(clippy::unwrap_used, clippy::panic)] // a helper that fails fails its test

use carom_scene::planar_model::read_model;
use carom_scene::{native, validate};

const PAGE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/scenes.md"));

#[test]
fn the_text_examples_are_valid_scenes() {
    let mut counts = Vec::new();
    for rest in PAGE.split("```toml\n").skip(1) {
        let (example, _) = rest.split_once("```").unwrap();
        let parsed = native::read_text(example.as_bytes()).unwrap();
        assert_eq!(parsed.warnings, []);
        assert_eq!(validate::validate(&parsed.value), []);
        counts.push((parsed.value.bodies.len(), parsed.value.joints.len()));
    }
    assert_eq!(counts, [(3, 0), (3, 2)]);
}

#[test]
fn the_planar_example_is_a_valid_model() {
    let start = PAGE.find("    marco:").unwrap();
    let example: String = PAGE[start..]
        .lines()
        .map_while(|line| line.strip_prefix("    "))
        .map(|line| format!("{line}\n"))
        .collect();
    let parsed = read_model(example.as_bytes(), "example").unwrap();
    assert_eq!((parsed.value.objects.len(), parsed.value.objects[0].vertices.len()), (1, 3));
    assert_eq!(parsed.value.validate(), []);
}
