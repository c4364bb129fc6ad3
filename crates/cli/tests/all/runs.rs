//! Runs that leave something behind: repeated, gone on with, killed, compared.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use carom_recording::track::{EventKind, Recording, Rotation};
use carom_scene::Scene;
use carom_scene::model::{Action, Body, BodyKind, Event, Shape, ShapeKind};
use carom_scene::native::write_binary;
use carom_sim::bodies::{BodyBuffer, Orientation};

fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_carom"))
}

fn carom(arguments: &[&str], folder: &Path) -> Output {
    program().args(arguments).current_dir(folder).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn last_json(output: &Output) -> serde_json::Value {
    assert!(output.status.success(), "{}", text(&output.stderr));
    serde_json::from_str(text(&output.stdout).lines().last().unwrap()).unwrap()
}

/// The one folder of a run below `base`.
fn run_folder(base: &Path) -> PathBuf {
    let folders: Vec<PathBuf> =
        fs::read_dir(base.join("output")).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(folders.len(), 1, "{folders:?}");
    folders[0].clone()
}

/// A scene file in which bodies come and go: one vanishes after half a second, and one that comes
/// after takes its place inside.
fn write_guests(folder: &Path) {
    let body = |id: &str, x: f32, kind: ShapeKind| Body {
        id: id.into(),
        position: [x, 3.0, 0.2 * x],
        velocity: [0.3, 0.0, 0.0],
        shapes: vec![Shape::new(kind)],
        ..Body::default()
    };
    let ball = |id: &str, x: f32| body(id, x, ShapeKind::Sphere { radius: 0.5 });
    let floor = Body {
        kind: BodyKind::Static,
        position: [0.0, -0.5, 0.0],
        velocity: [0.0; 3],
        ..body("floor", 0.0, ShapeKind::Box { size: [20.0, 1.0, 20.0] })
    };
    let at = |time: f32, action: Action| Event { time, action };
    let mut scene = Scene {
        name: "guests".into(),
        bodies: vec![floor, ball("a", 0.0), ball("b", 0.4), ball("c", 3.0)],
        events: vec![
            at(0.25, Action::Spawn(Box::new(ball("late", 1.2)))),
            at(0.5, Action::Remove { body: "b".into() }),
            at(0.75, Action::Spawn(Box::new(ball("latest", -0.3)))),
        ],
        ..Scene::default()
    };
    scene.world.gravity = [0.0, -9.81, 0.0];
    fs::write(folder.join("guests.carom"), write_binary(&scene)).unwrap();
}

#[test]
fn a_run_is_repeated_to_the_bit() {
    for (scene, solver) in [
        ("pile:40", "soft-step"),
        ("box:60", "fingsics"),
        ("box:60", "soft-step"),
        ("joints:6", "soft-step"),
        ("guests.carom", "soft-step"),
    ] {
        let here = tempfile::tempdir().unwrap();
        write_guests(here.path());
        let run = ["run", scene, "--solver", solver, "--frames", "90", "--log", "--json"];
        let run = last_json(&carom(&run, here.path()));
        let folder = run_folder(here.path());
        for name in ["log.csv", "steps.csv"] {
            let log = fs::read_to_string(folder.join(name)).unwrap();
            assert_eq!(log.lines().count(), 90, "{name}: a header and a row per step");
        }
        let place = folder.to_str().unwrap();
        for extra in [vec![], vec!["--threads", "2"]] {
            let again =
                last_json(&carom(&[&["rerun", place, "--json"], extra.as_slice()].concat(), here.path()));
            assert_eq!(again["state_hash"], run["state_hash"]);
            assert_eq!(again["equal"], true);
        }
        let manifest = folder.join("manifest.json");
        let kept = fs::read_to_string(&manifest).unwrap();
        // Older manifests have no solver in their task, and fell back to another default.
        let mut older: serde_json::Value = serde_json::from_str(&kept).unwrap();
        assert!(older["task"].as_object_mut().unwrap().remove("solver").is_some());
        fs::write(&manifest, older.to_string()).unwrap();
        assert_eq!(last_json(&carom(&["rerun", place, "--json"], here.path()))["equal"], true, "{scene}");
        // A changed scene is noticed, and so is a changed result.
        let hash = run["state_hash"].as_str().unwrap();
        fs::write(&manifest, kept.replace(hash, "0123456789abcdef")).unwrap();
        let output = carom(&["rerun", place], here.path());
        assert_eq!(output.status.code(), Some(1));
        assert!(text(&output.stdout).contains("NOT EQUAL"));
        fs::copy(folder.join("manifest.json"), folder.join("scene.carom")).unwrap();
        assert_eq!(carom(&["rerun", place], here.path()).status.code(), Some(2));
    }
}

#[test]
fn runs_that_begin_at_once_have_folders_of_their_own() {
    let here = tempfile::tempdir().unwrap();
    let start = || {
        let quiet = ["run", "box:5", "--frames", "3", "--log", "--json"];
        program().args(quiet).current_dir(here.path()).stdout(Stdio::null()).spawn().unwrap()
    };
    let children: Vec<_> = (0..6).map(|_| start()).collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let folders: Vec<PathBuf> =
        fs::read_dir(here.path().join("output")).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(folders.len(), 6, "{folders:?}");
    for folder in folders {
        let manifest = carom_lab::folder::manifest::Manifest::read(&folder).unwrap();
        assert_eq!(manifest.ending, carom_lab::folder::manifest::Ending::Complete);
    }
}

#[test]
fn logs_have_the_original_s_columns_and_all_figures() {
    for (scene, solver, columns) in [
        (
            "box:30",
            "fingsics",
            vec!["broad_ms", "contacts", "swaps", "pair_changes", "energy_J", "momentum_x", "deepest_m"],
        ),
        (
            "pile:9",
            "soft-step",
            vec!["solve_ms", "awake_bodies", "angular_momentum_z", "contact_points", "mean_depth_m"],
        ),
    ] {
        let here = tempfile::tempdir().unwrap();
        let run = ["run", scene, "--solver", solver, "--frames", "40", "--log", "--json"];
        last_json(&carom(&run, here.path()));
        let folder = run_folder(here.path());
        let log = fs::read_to_string(folder.join("log.csv")).unwrap();
        assert!(
            log.starts_with("BPCDTime,NPCDTests,NPCDTime,Collisions,CRTime,DrawTime,TotalTime\n"),
            "{log}"
        );
        let steps = fs::read_to_string(folder.join("steps.csv")).unwrap();
        let mut lines = steps.lines();
        let names: Vec<&str> = lines.next().unwrap().split(',').collect();
        for column in columns {
            assert!(names.contains(&column), "{column} is missing in {names:?}");
        }
        for (row, line) in lines.enumerate() {
            let cells: Vec<&str> = line.split(',').collect();
            assert_eq!((cells.len(), cells[0]), (names.len(), (row + 1).to_string().as_str()));
            assert!(cells.iter().all(|cell| cell.parse::<f64>().is_ok_and(f64::is_finite)), "{line}");
        }
    }
}

#[test]
fn a_run_goes_on_from_a_snapshot() {
    for (scene, solver) in [
        ("pile:30", "soft-step"),
        ("box:50", "fingsics"),
        ("box:50", "soft-step"),
        ("guests.carom", "soft-step"),
    ] {
        let here = tempfile::tempdir().unwrap();
        write_guests(here.path());
        let run = ["run", scene, "--solver", solver, "--frames", "100", "--snapshot", "30", "--json"];
        let whole = last_json(&carom(&run, here.path()));
        let folder = run_folder(here.path());
        let names = ["step-30.snapshot", "step-60.snapshot", "step-90.snapshot"];
        assert!(names.iter().all(|name| folder.join(name).is_file()));
        let first = folder.join(names[0]);
        for from in [folder.as_path(), first.as_path()] {
            let there = tempfile::tempdir().unwrap();
            let on = carom(&["resume", from.to_str().unwrap(), "--log", "--json"], there.path());
            assert_eq!(last_json(&on)["state_hash"], whole["state_hash"], "{scene}");
        }
        let bytes = fs::read(&first).unwrap();
        fs::write(&first, &bytes[..bytes.len() - 9]).unwrap();
        let output = carom(&["resume", first.to_str().unwrap()], here.path());
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains("damaged"), "{}", text(&output.stderr));
    }
}

/// Poses, velocities, contacts and names of every frame, against a run of the same task in this
/// process.
#[test]
fn every_frame_of_a_recording_is_that_of_the_run() {
    for (scene, solver) in [
        ("pile:20", "soft-step"),
        ("box:30", "fingsics"),
        ("box:30", "soft-step"),
        ("guests.carom", "soft-step"),
    ] {
        let here = tempfile::tempdir().unwrap();
        write_guests(here.path());
        let run =
            ["run", scene, "--solver", solver, "--frames", "150", "--record", "--with", "all", "--json"];
        assert_eq!(last_json(&carom(&run, here.path()))["solver"], solver);
        let mut recording = Recording::open(&run_folder(here.path()).join("recording.crec")).unwrap();
        assert_eq!((recording.frames(), recording.is_complete()), (150, true));
        let path = here.path().join(scene);
        let source = if path.exists() { path.to_str().unwrap().to_owned() } else { scene.to_owned() };
        let task = carom_lab::task::Task {
            scene: source,
            frames: Some(150),
            solver: Some(solver.parse().unwrap()),
            ..Default::default()
        };
        let mut session = task.prepare().unwrap().session().unwrap();
        let names = recording.names().to_vec();
        for number in 0..150 {
            let frame = recording.frame(number).unwrap();
            assert_eq!((frame.stamp().number, frame.stamp().time), (number, session.time()));
            if number % 60 == 0 {
                assert_eq!(frame.stamp().state_hash, session.simulation().state_hash());
            }
            let mut bodies = 0;
            let mut states = BodyBuffer::default();
            session.simulation().bodies(&mut states);
            for body in states.iter() {
                let place = frame.index_of(body.number).unwrap();
                assert_eq!(names[body.number as usize], session.body_name(body.number));
                assert_eq!(frame.position(place).to_double(), body.position.to_array());
                match (frame.rotation(place), body.orientation) {
                    (Rotation::Quaternion(read), Orientation::Quaternion(turn)) => assert_eq!(read, turn),
                    (Rotation::Rows(read), Orientation::Matrix(rows)) => assert_eq!(read, rows),
                    other => panic!("another form of rotation: {other:?}"),
                }
                let [v, s] = [body.velocity.to_array(), body.angular_velocity.to_array()];
                assert_eq!(frame.velocities()[place], [v[0], v[1], v[2], s[0], s[1], s[2]]);
                bodies += 1;
            }
            assert_eq!(frame.bodies().len(), bodies, "{scene}, frame {number}");
            if number > 0 && solver == "fingsics" {
                let mut contacts = Vec::new();
                session.simulation().contacts(&mut contacts);
                assert_eq!(frame.contacts().len(), contacts.len());
            }
            if number < 149 {
                session.step().unwrap();
            }
        }
    }
}

#[test]
fn who_comes_and_goes_is_recorded_as_events() {
    let here = tempfile::tempdir().unwrap();
    write_guests(here.path());
    let run = ["run", "guests.carom", "--frames", "90", "--record", "--with", "events", "--json"];
    last_json(&carom(&run, here.path()));
    let mut recording = Recording::open(&run_folder(here.path()).join("recording.crec")).unwrap();
    assert_eq!(recording.names(), ["floor", "a", "b", "c", "late", "latest"]);
    let mut told = Vec::new();
    for number in 0..90 {
        for event in recording.frame(number).unwrap().events() {
            if matches!(event.kind, EventKind::Appeared | EventKind::Vanished) {
                told.push((number, event.kind, event.bodies[0]));
            }
        }
    }
    // What happens before a step shows in the frame after it.
    let (came, gone) = (EventKind::Appeared, EventKind::Vanished);
    assert_eq!(told, [(16, came, 4), (31, gone, 2), (46, came, 5)]);
    let refused = carom(&["run", "guests.carom", "--record=dat"], here.path());
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        text(&refused.stderr).contains("2 bodies of the scene appear later"),
        "{}",
        text(&refused.stderr)
    );
}

/// What a run leaves behind can be carried elsewhere: meshes in files are part of it.
#[test]
fn a_run_with_a_mesh_is_repeated_and_goes_on_elsewhere_without_the_file() {
    let here = tempfile::tempdir().unwrap();
    let scenes = here.path().join("scenes");
    fs::create_dir(&scenes).unwrap();
    let corners = "v -4 0 -4\nv 4 0 -4\nv 4 0 4\nv -4 0 4\nv 0 1 0\n";
    fs::write(scenes.join("roof.obj"), format!("{corners}f 2 1 5\nf 3 2 5\nf 4 3 5\nf 1 4 5\n")).unwrap();
    let mesh = ShapeKind::Mesh { path: "roof.obj".into(), scale: 0.5 };
    let roof =
        Body { id: "roof".into(), kind: BodyKind::Static, shapes: vec![Shape::new(mesh)], ..Body::default() };
    let ball = Body {
        id: "ball".into(),
        position: [0.3, 2.0, 0.2],
        shapes: vec![Shape::new(ShapeKind::Sphere { radius: 0.3 })],
        ..Body::default()
    };
    let mut scene = Scene { name: "roof".into(), bodies: vec![roof, ball], ..Scene::default() };
    scene.world.gravity = [0.0, -9.81, 0.0];
    fs::write(scenes.join("roof.carom"), write_binary(&scene)).unwrap();
    let run = ["run", "scenes/roof.carom", "--frames", "80", "--snapshot", "40", "--record", "--json"];
    let run = last_json(&carom(&run, here.path()));
    assert!(run["counts"]["contacts"].as_u64() > Some(0), "the ball hits the roof");
    // The engine reads the file itself when it is asked directly: the same bits.
    let task = carom_lab::task::Task {
        scene: scenes.join("roof.carom").to_str().unwrap().into(),
        frames: Some(80),
        ..Default::default()
    };
    let mut prepared = task.prepare().unwrap();
    prepared.scene = scene.into();
    let mut direct = prepared.session().unwrap();
    (0..79).for_each(|_| drop(direct.step().unwrap()));
    assert_eq!(run["state_hash"], format!("{:016x}", direct.simulation().state_hash()));

    let folder = run_folder(here.path());
    let elsewhere = tempfile::tempdir().unwrap();
    fs::remove_dir_all(&scenes).unwrap();
    let place = folder.to_str().unwrap();
    let again = last_json(&carom(&["rerun", place, "--json"], elsewhere.path()));
    assert_eq!(again["state_hash"], run["state_hash"]);
    let on = last_json(&carom(&["resume", place, "--json"], elsewhere.path()));
    assert_eq!(on["state_hash"], run["state_hash"]);
}

/// A run that is killed at any instant leaves a folder whose files open, with every complete part
/// in them.
#[test]
fn nothing_complete_is_lost_when_a_run_is_killed() {
    let kills: u64 = if std::env::var_os("CAROM_LONG").is_some() { 100 } else { 12 };
    let (mut opened, mut most) = (0u64, 0);
    let reference = {
        let here = tempfile::tempdir().unwrap();
        carom(&["run", "pile:60", "--frames", "400", "--record"], here.path());
        fs::read(run_folder(here.path()).join("recording.crec")).unwrap()
    };
    let mut whole = Recording::from_bytes(reference, Path::new("whole")).unwrap();
    for kill in 0..kills {
        let here = tempfile::tempdir().unwrap();
        let mut child = program()
            .args(["run", "pile:60", "--frames", "100000", "--record", "--log", "--snapshot", "20"])
            .current_dir(here.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // A low-discrepancy walk over the first two thirds of a second, so that no instant of the
        // start is left out.
        std::thread::sleep(Duration::from_micros(1000 + (kill * 0x9E37 % 0x10000) * 10));
        child.kill().unwrap();
        child.wait().unwrap();
        let path = here.path().join("output");
        let Some(folder) = fs::read_dir(&path).ok().and_then(|mut all| all.next()) else { continue };
        let folder = folder.unwrap().path();
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if carom_lab::folder::snapshot_step(&path).is_some() {
                carom_lab::session::saved::Saved::read(&fs::read(&path).unwrap()).unwrap();
            }
        }
        if folder.join("manifest.json").exists() {
            let manifest = carom_lab::folder::manifest::Manifest::read(&folder).unwrap();
            assert_eq!(manifest.ending, carom_lab::folder::manifest::Ending::Running);
        }
        // Before the header is written there is nothing to open.
        let Ok(mut recording) = Recording::open(&folder.join("recording.crec")) else { continue };
        opened += 1;
        assert!(!recording.is_complete());
        most = most.max(recording.frames());
        for number in 0..recording.frames().min(400) {
            let (ours, theirs) = (recording.frame(number).unwrap().clone(), whole.frame(number).unwrap());
            assert_eq!(ours.stamp(), theirs.stamp());
            for place in 0..theirs.bodies().len() {
                assert_eq!(ours.position(place), theirs.position(place), "frame {number}");
                assert_eq!(ours.rotation(place), theirs.rotation(place), "frame {number}");
            }
        }
    }
    eprintln!("{kills} runs killed, {opened} recordings opened, at most {most} frames in one");
    assert!(opened > kills / 4 && most > 0, "{opened} opened, at most {most} frames");
}

#[test]
fn ctrl_c_ends_a_run_with_whole_files() {
    let here = tempfile::tempdir().unwrap();
    let mut child = program()
        .args(["run", "pile:60", "--frames", "1000000", "--record", "--log", "--json"])
        .current_dir(here.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let steps = |folder: &Path| {
        let log = fs::read_dir(folder.join("output")).ok()?.next()?.ok()?.path().join("steps.csv");
        fs::metadata(log).ok().map(|data| data.len())
    };
    while steps(here.path()).unwrap_or(0) == 0 {
        assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
        std::thread::sleep(Duration::from_millis(10));
    }
    let asked = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(asked.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(text(&output.stderr).contains("all files are whole"), "{}", text(&output.stderr));
    let done = json["steps"].as_u64().unwrap();
    assert!(json["interrupted"] == true && done > 0);
    let folder = run_folder(here.path());
    let recording = Recording::open(&folder.join("recording.crec")).unwrap();
    assert_eq!((recording.frames(), recording.is_complete()), (done + 1, true));
    let again = carom(&["rerun", folder.to_str().unwrap(), "--json"], here.path());
    assert_eq!(last_json(&again)["state_hash"], json["state_hash"]);
}

#[test]
fn differences_are_found_and_told() {
    let here = tempfile::tempdir().unwrap();
    let same = carom(&["diverge", "pile:20", "pile:20@threads=2,simd=4", "--frames", "40"], here.path());
    assert!(same.status.success());
    assert!(text(&same.stdout).contains("40 frames: equal to the bit"));
    let other = carom(
        &["diverge", "box:20@solver=fingsics", "box:20@solver=fingsics,fps=50", "--frames", "9", "--json"],
        here.path(),
    );
    assert_eq!(other.status.code(), Some(1));
    let json: serde_json::Value = serde_json::from_slice(&other.stdout).unwrap();
    assert_eq!((&json["divergence"]["frame"], &json["divergence"]["stage"]), (&1.into(), &"motion".into()));
    assert_eq!(carom(&["diverge", "box:20", "nowhere.xml"], here.path()).status.code(), Some(2));
}

#[test]
fn recordings_are_compared_with_each_other_and_with_runs() {
    let here = tempfile::tempdir().unwrap();
    let record = |name: &str, arguments: &[&str]| {
        let base = here.path().join(name);
        let out = base.to_str().unwrap();
        let run = carom(&[&["run", "--out", out, "--json"], arguments].concat(), here.path());
        last_json(&run);
        run_folder(&base).to_str().unwrap().to_owned()
    };
    let one = record(
        "one",
        &["box:30", "--solver", "fingsics", "--frames", "60", "--record=both", "--with", "all"],
    );
    let dat = format!("{one}/scene.dat");
    let compared = |first: &str, second: &str| {
        let output = carom(&["diverge", first, second, "--json"], here.path());
        let json: serde_json::Value =
            serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", text(&output.stderr)));
        assert_eq!(output.status.code(), Some(i32::from(!json["divergence"].is_null())));
        json
    };
    for (first, second) in [
        (one.as_str(), "box:30@solver=fingsics"),
        ("box:30@solver=fingsics", dat.as_str()),
        (dat.as_str(), one.as_str()),
        (one.as_str(), one.as_str()),
    ] {
        let json = compared(first, second);
        assert_eq!((&json["frames"], json["divergence"].is_null()), (&60.into(), true), "{json}");
    }
    // Stage, body and field are told by what was recorded.
    let other = record(
        "other",
        &["box:30", "--solver", "fingsics", "--frames", "60", "--seed", "5", "--record", "--with", "all"],
    );
    assert_eq!(compared(&one, &other)["divergence"]["stage"], "scene as loaded");
    // The older rules have no speed caps: the first body that spins too fast parts the runs.
    let frames = ["--frames", "150"];
    let newest = record(
        "newest",
        &[&["box:1000", "--solver", "fingsics", "--record", "--with", "all"], frames.as_slice()].concat(),
    );
    let rules = ["box:1000", "--solver", "fingsics-2021-09", "--record"];
    let older = record("older", &[&rules, frames.as_slice(), &["--with", "all"]].concat());
    let simulated = compared("box:1000@solver=fingsics", "box:1000@solver=fingsics-2021-09");
    let found = &compared(&newest, &older)["divergence"];
    assert_eq!((&found["frame"], &found["stage"]), (&141.into(), &"response".into()), "{found}");
    assert_eq!(
        (&found["body"], &found["field"], &found["bodies"]),
        (&736.into(), &"spin.x".into(), &1.into())
    );
    assert_eq!(*found, simulated["divergence"]);
    let places = record("places", &[&rules, frames.as_slice()].concat());
    assert_eq!(compared(&newest, &places)["divergence"]["stage"], "stage unknown");
    assert!(compared(&older, &places)["divergence"].is_null());
    // A run that went on from a snapshot is recorded from there on, and compared from there on.
    let snapped =
        record("snapped", &["box:30", "--solver", "fingsics", "--frames", "60", "--snapshot", "20"]);
    let resumed =
        carom(&["resume", &format!("{snapped}/step-20.snapshot"), "--record", "--out", "on"], here.path());
    assert!(resumed.status.success(), "{}", text(&resumed.stderr));
    let on = run_folder(&here.path().join("on"));
    assert_eq!(compared(on.to_str().unwrap(), &one)["frames"], 40);
}
