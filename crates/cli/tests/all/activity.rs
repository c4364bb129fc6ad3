//! What a run tells of sleep and of joints at its end.

use std::path::Path;
use std::process::{Command, Output};

/// A floor, a turning table that nothing touches, two boxes that come to rest, three balls that fly
/// on, and a pendulum.
const SCENE: &str = r#"
carom = 1
gravity = [0, -9.81, 0]

[[body]]
kind = "static"
shape.box = { size = [40, 1, 40] }

[[body]]
kind = "kinematic"
position = [0, 30, 0]
angular-velocity = [0, 1, 0]
shape.box = { size = [2, 0.2, 2] }

[[body]]
position = [-3, 1, 0]
shape.box = { size = [1, 1, 1] }

[[body]]
position = [-6, 1, 0]
shape.box = { size = [1, 1, 1] }

[[body]]
position = [3, 5, 0]
velocity = [0, 0, 1]
gravity-scale = 0
shape.sphere = { radius = 0.5 }

[[body]]
position = [6, 5, 0]
velocity = [0, 0, 1]
gravity-scale = 0
shape.sphere = { radius = 0.5 }

[[body]]
id = "weight"
position = [11, 10, 0]
shape.sphere = { radius = 0.2 }

[[joint]]
bodies = ["weight"]
at = [10, 10, 0]
ball = {}
"#;

fn run(folder: &Path, extra: &[&str]) -> Output {
    let arguments = [&["run", "scene.toml"], extra].concat();
    let output =
        Command::new(env!("CARGO_BIN_EXE_carom")).args(arguments).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

#[test]
fn a_run_tells_who_sleeps_and_how_far_joints_gave() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("scene.toml"), SCENE).unwrap();
    let json = |extra: &[&str]| -> serde_json::Value {
        let output = run(folder.path(), &[extra, &["--json"]].concat());
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let mut fell_asleep = None;
    for frames in ["2", "20", "40", "60", "120"] {
        let told = json(&["--frames", frames]);
        let count = |key: &str| (told[key].as_u64().unwrap(), told["counts"][key].as_u64().unwrap());
        let (awake, asleep) = (count("awake_at_end"), count("asleep_at_end"));
        assert_eq!((awake.0, asleep.0), (awake.1, asleep.1));
        assert_eq!(awake.0 + asleep.0, 5, "{frames} frames: neither the floor nor the table counts");
        if asleep.0 > 0 {
            fell_asleep = fell_asleep.or(Some((awake.0, asleep.0)));
        }
    }
    assert_eq!(fell_asleep, Some((3, 2)));

    let told = json(&["--frames", "120"]);
    let (mm, metres) = (&told["joint_error"]["mm"], &told["joint_error"]["metres"]);
    let (mm, metres) = (mm.as_f64().unwrap(), metres.as_f64().unwrap());
    assert!((mm - 1000.0 * metres).abs() <= 1e-6 * mm && mm > 0.0, "{mm} mm, {metres} m");
    // The largest error is that of any frame: a longer run never has a smaller one.
    let mut largest = 0.0;
    for frames in 2..30 {
        let now = json(&["--frames", &frames.to_string()])["joint_error"]["mm"].as_f64().unwrap();
        assert!(now >= largest, "{now} mm after {frames} frames, {largest} mm before");
        largest = now;
    }

    let shown = String::from_utf8(run(folder.path(), &["--frames", "120"]).stdout).unwrap();
    assert!(shown.contains("dynamic bodies at the end: 3 awake, 2 asleep"), "{shown}");
    assert!(shown.contains(" mm and "), "{shown}");
}
