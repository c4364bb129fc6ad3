//! `carom advise` as a user meets it.

use std::path::Path;
use std::process::{Command, Output};

fn carom_in(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_carom")).args(arguments).current_dir(folder).output().unwrap()
}

fn carom(arguments: &[&str]) -> Output {
    carom_in(arguments, Path::new("."))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn json(arguments: &[&str]) -> serde_json::Value {
    let output = carom(&[&["advise"], arguments, &["--json"]].concat());
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    serde_json::from_str(text(&output.stdout).lines().last().unwrap()).unwrap()
}

#[test]
fn every_kind_of_scene_gets_advice() {
    for (scene, dimensions) in
        [("tenth-moving:300", 3), ("brownian:200?d=2", 2), ("random2d:40", 2), ("pile:20", 3), ("box:50", 3)]
    {
        let advice = json(&[scene, "--frames", "20"]);
        assert_eq!((&advice["scene"], &advice["dimensions"]), (&scene.into(), &dimensions.into()));
        assert!(advice["broad"].is_string() && advice["reason"].as_str().unwrap().len() > 20, "{advice}");
        let predicted = advice["predicted_us"].as_array().unwrap();
        assert_eq!(predicted[0]["broad"], advice["broad"]);
        for p in predicted {
            let number = |key: &str| p[key].as_f64().unwrap();
            assert!(number("low") <= number("us") && number("us") <= number("high"), "{p}");
        }
        assert!(advice["features"]["moving"].as_f64().unwrap() > 0.0 && advice["verified"].is_null());
    }
}

#[test]
fn words_say_what_was_seen_and_what_to_take() {
    let output = carom(&["advise", "tenth-moving:400", "--frames", "16"]);
    let shown = text(&output.stdout);
    assert!(output.status.success(), "{shown}");
    for words in ["400 boxes in 3 dimensions, 16 frames", "moving      10.0 %", "take ", "scenes held out"] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    let still = text(&carom(&["advise", "at-rest:50"]).stdout);
    assert!(still.contains("Nothing moved") && !still.contains("take "), "{still}");
}

#[test]
fn free_bodies_stand_where_simulated_ones_fall() {
    let moving = |more: &[&str]| {
        let advice = json(&[&["pyramid:4", "--frames", "16"], more].concat());
        (advice["frames_with_motion"].as_u64().unwrap(), advice["broad"].is_string())
    };
    assert_eq!(moving(&["--free"]), (0, false));
    assert!(moving(&[]).0 > 0 && moving(&["--solver", "soft-step"]).1);
}

#[test]
fn verified_advice_comes_with_times() {
    let output = carom(&["advise", "brownian:150", "--frames", "60", "--verify", "--json"]);
    // Times decide about 0 or 1; anything else is a failure.
    assert!([Some(0), Some(1)].contains(&output.status.code()), "{}", text(&output.stderr));
    let advice: serde_json::Value =
        serde_json::from_str(text(&output.stdout).lines().last().unwrap()).unwrap();
    let check = &advice["verified"];
    assert_eq!(check["held"].as_bool().unwrap(), output.status.success());
    assert!(check["regret"].as_f64().unwrap() >= 1.0);
    assert_eq!(check["measured_us"].as_array().unwrap().len(), 5);
    assert!(check["auto_us"]["value"].as_f64().unwrap() > 0.0 && check["best"].is_string());
}

#[test]
fn a_survey_goes_on_where_it_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let measured = |seconds: &str| {
        let output = carom_in(
            &["advise", "--measure", "s", "--quick", "--stop-after", seconds, "--json"],
            folder.path(),
        );
        assert!(output.status.success(), "{}", text(&output.stderr));
        let report: serde_json::Value =
            serde_json::from_str(text(&output.stdout).lines().last().unwrap()).unwrap();
        assert!(text(&output.stderr).contains("run it again to go on"));
        report["situations"].as_u64().unwrap()
    };
    let first = measured("0.2");
    let second = measured("0.2");
    assert!(first >= 1 && second > first, "{first}, then {second}");
    let lines = std::fs::read_to_string(folder.path().join("s/samples.jsonl")).unwrap();
    assert_eq!(lines.lines().count() as u64, second);
    for file in ["report.html", "boxes-density.svg", "fitted.rs", "machine.json"] {
        assert!(folder.path().join("s").join(file).is_file(), "{file}");
    }
}

#[test]
fn bad_words_are_refused_with_clear_ones() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("empty.toml"), "carom = 1\n").unwrap();
    std::fs::write(folder.path().join("broken.toml"), "carom = 1\n[[body]\n").unwrap();
    for (arguments, words) in [
        (&["no-such-scene"][..], "no-such-scene"),
        (&["browniann:10"], "brownian"),
        (&["brownian:0"], "n"),
        (&["empty.toml"], "empty.toml"),
        (&["broken.toml"], "broken.toml:2"),
        (&["pile:20", "--solver", "magic"], "magic"),
        (&[], "SCENE"),
        (&["pile:20", "--frames", "0"], "--frames"),
        (&["pile:20", "--measure", "x"], "cannot be used with"),
        (&["pile:20", "--quick"], "cannot be used with"),
        (&["empty.toml", "--seed", "3"], "empty.toml"),
    ] {
        let output = carom_in(&[&["advise"], arguments].concat(), folder.path());
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(words) && !said.contains("panicked"), "{arguments:?}: {said}");
    }
}

#[test]
fn one_body_and_endless_ones_are_advised_on() {
    let folder = tempfile::tempdir().unwrap();
    let head = "carom = 1\ngravity = [0, -9.81, 0]\n";
    let one = "[[body]]\nid = \"ball\"\nposition = [0, 5, 0]\nshape.sphere = { radius = 1 }\n";
    let ground = "[[body]]\nid = \"ground\"\nkind = \"static\"\nshape.half-space = {}\n";
    let shown = text(&carom(&["gen", "shapes"]).stdout);
    std::fs::write(folder.path().join("shapes.toml"), shown).unwrap();
    let output = carom_in(&["advise", "shapes.toml", "--frames", "8"], folder.path());
    assert!(output.status.success(), "every shape, the half-space too: {}", text(&output.stderr));
    for (name, content) in
        [("one.toml", format!("{head}{one}")), ("both.toml", format!("{head}{ground}{one}"))]
    {
        std::fs::write(folder.path().join(name), content).unwrap();
        let output = carom_in(&["advise", name, "--frames", "8"], folder.path());
        assert!(output.status.success(), "{name}: {}", text(&output.stderr));
        assert!(text(&output.stdout).contains("take "), "{name}");
    }
    let single = json(&["brownian:1", "--frames", "5"]);
    assert_eq!(single["boxes"], 1);
}
