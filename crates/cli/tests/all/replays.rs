//! Recordings as a user meets them: shown, drawn, exported, damaged, asked for what they do not
//! have.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use carom_recording::export::rotation_of;
use carom_recording::scene_dat;
use carom_recording::track::Recording;
use carom_scene::model::{Axis, ShapeKind};

fn carom(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_carom")).args(arguments).current_dir(folder).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// A folder with the recording of a run in it, moved to `run.crec`.
fn recorded(arguments: &[&str]) -> (tempfile::TempDir, PathBuf) {
    let here = tempfile::tempdir().unwrap();
    let record = if arguments.contains(&"--record=both") { "--headless" } else { "--record" };
    let run = carom(&[&["run", record], arguments].concat(), here.path());
    assert!(run.status.success(), "{}", text(&run.stderr));
    let folder = fs::read_dir(here.path().join("output")).unwrap().next().unwrap().unwrap().path();
    let path = here.path().join("run.crec");
    fs::rename(folder.join("recording.crec"), &path).unwrap();
    (here, path)
}

#[test]
fn frames_are_shown_drawn_and_told_as_json() {
    let (here, _) = recorded(&["pile:30", "--frames", "121", "--with", "all"]);
    let shown = text(&carom(&["replay", "run.crec"], here.path()).stdout);
    assert!(shown.contains("35 bodies, 121 frames at 60 Hz"), "{shown}");
    let drawn = text(&carom(&["replay", "run.crec", "--frame", "60"], here.path()).stdout);
    assert!(drawn.lines().count() == 24, "a headline, 22 rows, a line about the frame:\n{drawn}");
    assert!(drawn.contains('@') || drawn.contains('%') || drawn.contains('#'), "bodies are seen:\n{drawn}");
    assert!(!drawn.contains('\x1b'), "no colours into a pipe:\n{drawn}");
    assert!(drawn.contains("frame 60, step 60, 1.0000 s, 35 bodies") && drawn.contains("state "), "{drawn}");
    let json =
        text(&carom(&["replay", "run.crec", "--frame", "60", "--body", "7", "--json"], here.path()).stdout);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["frames"], &json["frame"]["step"]), (&121.into(), &60.into()));
    let body = &json["frame"]["bodies"][0];
    assert_eq!((&body["body"], body["position"].as_array().unwrap().len()), (&7.into(), 3));
    assert_eq!(body["velocity"].as_array().unwrap().len(), 3);
    let one = text(&carom(&["replay", "run.crec", "--frame", "60", "--body", "7"], here.path()).stdout);
    assert!(
        one.contains("(body 7)") && one.contains("position") && one.contains("angular velocity"),
        "{one}"
    );
    let film = text(&carom(&["replay", "run.crec", "--watch", "--stride", "30"], here.path()).stdout);
    for number in [0, 30, 60, 90, 120] {
        assert!(film.contains(&format!("frame {number} of 121")), "{film}");
    }
    let course = text(&carom(&["replay", "run.crec", "--body", "7", "--stride", "60"], here.path()).stdout);
    assert_eq!(course.lines().count(), 1 + 3, "{course}");
}

#[test]
fn exports_go_by_their_ending_and_leave_no_half_file() {
    let (here, _) = recorded(&["box:20", "--solver", "fingsics", "--frames", "30"]);
    for (name, start) in
        [("a.csv", &b"frame,step"[..]), ("a.glb", b"glTF"), ("a.dat", b"\x1a\0\0\0\x1e\0\0\0")]
    {
        let output = carom(&["replay", "run.crec", "--export", name], here.path());
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert!(fs::read(here.path().join(name)).unwrap().starts_with(start), "{name}");
    }
    let back = carom(&["replay", "a.dat", "--export", "back.crec"], here.path());
    assert!(back.status.success(), "{}", text(&back.stderr));
    let same = carom(&["diverge", "back.crec", "run.crec"], here.path());
    assert!(text(&same.stdout).contains("30 frames: equal to the bit"), "{}", text(&same.stderr));
    for (target, words) in [
        ("a.xyz", ".csv, .parquet, .glb, .dat"),
        ("b.crec", ".csv, .parquet, .glb, .dat"),
        ("nowhere/a.csv", "nowhere/a.csv"),
    ] {
        let output = carom(&["replay", "run.crec", "--export", target], here.path());
        assert_eq!(output.status.code(), Some(2), "{target}");
        assert!(text(&output.stderr).contains(words), "{}", text(&output.stderr));
    }
    // Boxes have no form in a scene.dat.
    let (there, _) = recorded(&["pyramid:3", "--frames", "5"]);
    let output = carom(&["replay", "run.crec", "--export", "a.dat"], there.path());
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("spheres, capsules and tiles"), "{}", text(&output.stderr));
    assert!(!there.path().join("a.dat").exists());
}

#[test]
fn damage_is_told_and_what_is_whole_is_shown() {
    let (here, path) = recorded(&["pile:30", "--frames", "200"]);
    let good = carom(&["replay", "run.crec", "--verify"], here.path());
    assert!(
        good.status.success() && text(&good.stderr).contains("chunks are whole"),
        "{}",
        text(&good.stderr)
    );
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() * 2 / 3]).unwrap();
    let cut = carom(&["replay", "run.crec"], here.path());
    assert!(cut.status.success(), "{}", text(&cut.stderr));
    assert!(text(&cut.stderr).contains("cut off or damaged"), "{}", text(&cut.stderr));
    assert!(text(&cut.stdout).contains("128 frames at"), "two chunks of 64 are whole: {}", text(&cut.stdout));
    let verified = carom(&["replay", "run.crec", "--verify"], here.path());
    assert_eq!(verified.status.code(), Some(1));
    assert!(text(&verified.stderr).contains("the file ends inside it"), "{}", text(&verified.stderr));
    let info = text(&carom(&["info", "run.crec"], here.path()).stdout);
    assert!(info.contains("complete   false") && info.contains("damage"), "{info}");

    // A flipped bit in the second chunk: its frames are refused, the others are shown.
    let mut flipped = bytes.clone();
    flipped[bytes.len() / 2] ^= 4;
    fs::write(&path, &flipped).unwrap();
    let shown = carom(&["replay", "run.crec"], here.path());
    assert!(shown.status.success(), "{}", text(&shown.stderr));
    assert!(text(&shown.stdout).contains("damaged"), "{}", text(&shown.stdout));
    let verified = carom(&["replay", "run.crec", "--verify"], here.path());
    assert_eq!(verified.status.code(), Some(1));
    assert!(text(&verified.stderr).contains("checksum"), "{}", text(&verified.stderr));
}

#[test]
fn what_is_not_there_is_an_error_with_a_hint() {
    let (here, _) = recorded(&["pile:9", "--frames", "20"]);
    fs::write(here.path().join("empty.crec"), "").unwrap();
    fs::write(here.path().join("text.crec"), "not a recording").unwrap();
    fs::write(here.path().join("text.dat"), "not a recording at all").unwrap();
    fs::write(here.path().join("manifest.json"), "{}").unwrap();
    fs::write(here.path().join("empty.snapshot"), "").unwrap();
    fs::create_dir(here.path().join("folder")).unwrap();
    for (arguments, words) in [
        (vec!["replay", "nowhere.crec"], vec!["nowhere.crec", "hint"]),
        (vec!["replay", "nowhere.dat"], vec!["nowhere.dat", "hint"]),
        (vec!["replay", "folder"], vec!["no recording in this folder", "--record"]),
        (vec!["replay", "empty.crec"], vec!["empty.crec: not a Carom recording", "hint"]),
        (vec!["replay", "text.crec"], vec!["not a Carom recording"]),
        (vec!["replay", "text.dat"], vec!["text.dat"]),
        (vec!["replay", "run.crec", "--frame", "20"], vec!["there is no frame 20", "from 0 to 19"]),
        (vec!["replay", "run.crec", "--body", "nobody"], vec!["no body 'nobody'", "numbers from 0 to"]),
        (vec!["replay", "run.crec", "--watch", "--speed", "0"], vec!["--speed 0"]),
        (vec!["rerun", "folder"], vec!["folder/manifest.json", "carom run"]),
        (vec!["rerun", "manifest.json"], vec!["not a manifest of a run", "missing field"]),
        (vec!["rerun", "nowhere"], vec!["nowhere"]),
        (vec!["resume", "folder"], vec!["no snapshot in this folder", "--snapshot"]),
        (vec!["resume", "nowhere"], vec!["nowhere", "hint"]),
        (vec!["resume", "run.crec"], vec!["not a saved session"]),
        (vec!["resume", "empty.snapshot"], vec!["not a saved session"]),
        (vec!["diverge", "run.crec", "nowhere.crec"], vec!["nowhere.crec"]),
        (vec!["diverge", "folder", "run.crec"], vec!["folder/manifest.json"]),
        (vec!["diverge", "empty.crec", "run.crec"], vec!["not a Carom recording"]),
        (vec!["info", "folder"], vec!["manifest.json"]),
        (vec!["run", "box:9", "--record=dat", "--with", "all"], vec!["--record=dat writes none", "hint"]),
        (vec!["run", "box:9", "--record", "--quantise", "9"], vec!["--quantise 9", "0.00001 to 0.5"]),
        (vec!["run", "box:9", "--log", "--out", "run.crec"], vec!["run.crec/output", "--out DIR"]),
        (vec!["run", "pyramid:3", "--record=dat"], vec!["spheres, capsules and tiles", "--record"]),
    ] {
        let output = carom(&arguments, here.path());
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        for word in words {
            assert!(said.contains(word), "{arguments:?}: {said}");
        }
    }
    assert!(!here.path().join("nowhere").exists(), "nothing is made on the way");
}

/// Capsules along y, which Fingsics' rules turn when they begin: in every format they lie
/// where they are.
#[test]
fn capsules_lie_the_same_way_in_every_format() {
    for solver in ["fingsics", "soft-step"] {
        let (here, path) =
            recorded(&["capsules:4?n=3", "--frames", "2", "--solver", solver, "--record=both"]);
        let mut ours = Recording::open(&path).unwrap();
        let scene = ours.scene().unwrap().unwrap();
        let folder = fs::read_dir(here.path().join("output")).unwrap().next().unwrap().unwrap().path();
        let exported = here.path().join("exported.dat");
        assert!(carom(&["replay", "run.crec", "--export", "exported.dat"], here.path()).status.success());
        let kept =
            scene_dat::Reader::open(fs::File::open(folder.join("scene.dat")).unwrap()).unwrap().frame(0);
        let written = scene_dat::Reader::open(fs::File::open(exported).unwrap()).unwrap().frame(0);
        let (kept, written) = (kept.unwrap(), written.unwrap());
        let frame = ours.frame(0).unwrap();
        let mut capsules = 0;
        for (number, body) in scene.bodies.iter().enumerate() {
            let ShapeKind::Capsule { axis, .. } = body.shapes[0].kind else { continue };
            capsules += 1;
            let along = match axis {
                Axis::X => glam::Vec3::X,
                Axis::Y => glam::Vec3::Y,
                Axis::Z => glam::Vec3::Z,
            };
            let ours = rotation_of(frame.rotation(number)).rotate(along);
            for rows in [kept[number].rotation, written[number].rotation] {
                let z = glam::Vec3::new(rows[2], rows[5], rows[8]);
                assert!(z.dot(ours).abs() > 0.999_99, "{solver}: {z} in scene.dat, {ours} in recording.crec");
                assert!(z.y.abs() > 0.999_99, "the library stands them upright: {z}");
            }
        }
        assert_eq!(capsules, 3, "{solver}");
    }
}
