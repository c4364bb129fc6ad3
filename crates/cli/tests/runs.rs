//! Runs that leave something behind: repeated, gone on with, killed, compared.
#![allow(clippy::unwrap_used, clippy::panic)] // a helper that fails fails its test

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use carom_recording::track::Recording;

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

#[test]
fn a_run_is_repeated_to_the_bit() {
    for scene in ["pile:40", "box:60", "joints:6"] {
        let here = tempfile::tempdir().unwrap();
        let run = last_json(&carom(&["run", scene, "--frames", "90", "--log", "--json"], here.path()));
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
        // A changed scene is noticed, and so is a changed result.
        let manifest = folder.join("manifest.json");
        let kept = fs::read_to_string(&manifest).unwrap();
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
fn a_run_goes_on_from_a_snapshot() {
    for scene in ["pile:30", "box:50"] {
        let here = tempfile::tempdir().unwrap();
        let whole =
            last_json(&carom(&["run", scene, "--frames", "100", "--snapshot", "30", "--json"], here.path()));
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

#[test]
fn every_frame_of_a_recording_is_that_of_the_run() {
    for (scene, solver) in [("pile:20", "soft-step"), ("box:30", "fingsics")] {
        let here = tempfile::tempdir().unwrap();
        let run = ["run", scene, "--frames", "150", "--record", "--with", "all", "--json"];
        assert_eq!(last_json(&carom(&run, here.path()))["solver"], solver);
        let mut recording = Recording::open(&run_folder(here.path()).join("recording.crec")).unwrap();
        assert_eq!((recording.frames(), recording.is_complete()), (150, true));
        let task = carom_lab::task::Task { scene: scene.into(), frames: Some(150), ..Default::default() };
        let mut session = carom_lab::session::Session::new(task.prepare().unwrap()).unwrap();
        for number in 0..150 {
            let frame = recording.frame(number).unwrap();
            assert_eq!((frame.stamp().number, frame.stamp().time), (number, session.time()));
            if number % 60 == 0 {
                assert_eq!(frame.stamp().state_hash, session.state_hash());
            }
            let mut place = 0;
            session.for_each_body(|body| {
                assert_eq!(frame.bodies()[place], body.number);
                assert_eq!(frame.position(place).to_double(), body.position.to_array());
                let [v, s] = [body.velocity.to_array(), body.spin.to_array()];
                assert_eq!(frame.velocities()[place], [v[0], v[1], v[2], s[0], s[1], s[2]]);
                place += 1;
            });
            assert_eq!(frame.bodies().len(), place);
            if number > 0 && solver == "fingsics" {
                assert_eq!(frame.contacts().len(), session.compatible().unwrap().contacts().count());
            }
            if number < 149 {
                session.step().unwrap();
            }
        }
    }
}

/// A run that is killed at any instant leaves a folder whose files open, with every complete part in them.
#[test]
fn nothing_complete_is_lost_when_a_run_is_killed() {
    let kills = if std::env::var_os("CAROM_LONG").is_some() { 300 } else { 100 };
    let (mut opened, mut most) = (0, 0);
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
        // A low-discrepancy walk over the first third of a second, so that no instant of the start is left out.
        std::thread::sleep(Duration::from_micros(1000 + (kill * 0x9E37 % 0x10000) * 5));
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
    assert!(opened > kills / 3 && most > 0, "{opened} opened, at most {most} frames");
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
    let json = last_json(&output);
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
    let other = carom(&["diverge", "box:20", "box:20@fps=50", "--frames", "9", "--json"], here.path());
    assert_eq!(other.status.code(), Some(1));
    let json: serde_json::Value = serde_json::from_slice(&other.stdout).unwrap();
    assert_eq!((&json["divergence"]["frame"], &json["divergence"]["stage"]), (&1.into(), &"motion".into()));
    assert_eq!(carom(&["diverge", "box:20", "nowhere.xml"], here.path()).status.code(), Some(2));
}
