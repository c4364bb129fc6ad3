//! Streams and signals: output that cannot be written, input that is no file, Ctrl-C and SIGTERM,
//! signs of life.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use carom_lab::folder::manifest::{Ending, Manifest};
use carom_recording::track::Recording;

fn command(arguments: &[&str], folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
    command.args(arguments).current_dir(folder).stdin(Stdio::null());
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Runs a command that must end by itself.
fn within(seconds: u64, mut child: Child, what: &str) -> Output {
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > Duration::from_secs(seconds) {
            child.kill().unwrap();
            panic!("{what} does not end");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    child.wait_with_output().unwrap()
}

#[test]
fn output_that_cannot_be_written_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    for arguments in [
        &["run", "box:20", "--frames", "5"][..],
        &["run", "box:20", "--frames", "5", "--json"],
        &["info", "box:20", "--json"],
        &["gen", "box:20"],
        &["list", "scenes"],
        &["bench", "box:20", "--frames", "5", "--runs", "1", "--no-files", "--in-process", "--json"],
        &["pairs", "box:20", "--broad", "sap", "--frames", "3", "--json"],
        &["bench-narrow", "sphere-sphere", "--rounds", "1", "--trains", "1", "--ask", "touch", "--json"],
        &["completions", "bash"],
        &["--help"],
        &["--version"],
    ] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = command(arguments, folder.path()).stdout(full).output().unwrap();
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains("standard output cannot be written: No space left"), "{arguments:?}: {said}");
        // A reader that has enough is no error.
        let mut child =
            command(arguments, folder.path()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", text(&output.stderr));
    }
}

/// A named pipe.
fn pipe(folder: &Path, name: &str) {
    assert!(Command::new("mkfifo").arg(folder.join(name)).status().unwrap().success());
}

#[test]
fn input_that_is_no_file_is_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["p.toml", "p.xml", "p.crec", "p.dat", "p.csv", "p.obj", "p.snapshot", "p.json", "p.txt", "p"]
    {
        pipe(folder.path(), name);
    }
    fs::create_dir(folder.path().join("d.toml")).unwrap();
    let refused = |arguments: &[&str], why: &str| {
        let mut command = command(arguments, folder.path());
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let output = within(20, child, &format!("{arguments:?}"));
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.starts_with("error: ") && said.contains(why), "{arguments:?}: {said}");
    };
    let nobody = "it is a pipe that nobody writes to";
    for name in ["p.toml", "p.crec", "p.dat", "p.csv", "p.obj", "p.snapshot", "p.json", "p.txt"] {
        refused(&["info", name], nobody);
    }
    for arguments in [
        &["run", "p.toml"][..],
        &["run", "./p"],
        &["run", "p.xml", "--solver", "fingsics"],
        &["--config", "p.txt"],
        &["bench", "p.xml"],
        &["pairs", "p.txt"],
        &["gen", "p.toml"],
        &["replay", "p.crec"],
        &["resume", "p.snapshot"],
        &["rerun", "p.json"],
        &["study", "p.toml"],
    ] {
        refused(arguments, nobody);
    }
    for device in ["/dev/zero", "/dev/null", "/dev/full"] {
        for arguments in [&["run", device][..], &["info", device], &["resume", device], &["study", device]] {
            refused(arguments, "it is a device, not a file");
        }
        refused(&["replay", device], "it is a device, not a file");
    }
    refused(&["run", "d.toml"], "is a directory, not a scene");
    refused(&["study", "d.toml"], "it is a directory, not a file");
    refused(&["--config", "d.toml"], "is a directory");
}

#[test]
fn a_pipe_that_is_written_to_is_read() {
    let folder = tempfile::tempdir().unwrap();
    pipe(folder.path(), "scene.toml");
    let made = command(&["gen", "pyramid:3"], folder.path()).output().unwrap().stdout;
    let child = command(&["run", "scene.toml", "--frames", "5", "--json"], folder.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    fs::write(folder.path().join("scene.toml"), made).unwrap();
    let output = within(60, child, "a run from a pipe");
    assert!(output.status.success() && text(&output.stdout).contains(r#""bodies":7"#));
}

fn send(signal: &str, child: &Child) {
    let id = child.id().to_string();
    assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
}

/// The folder of the only run.
fn run_folder(base: &Path) -> std::path::PathBuf {
    fs::read_dir(base.join("output")).unwrap().next().unwrap().unwrap().path()
}

#[test]
fn signals_end_a_run_with_its_files_whole() {
    for (signal, status) in [("-INT", 130), ("-TERM", 143), ("-HUP", 129)] {
        let folder = tempfile::tempdir().unwrap();
        let arguments = ["run", "pile:40", "--frames", "10000000", "--record", "--log", "--snapshot", "50"];
        let child =
            command(&arguments, folder.path()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let start = Instant::now();
        // Once the first snapshot is there, some frames are too.
        while !folder.path().join("output").is_dir()
            || !run_folder(folder.path()).join("step-50.snapshot").is_file()
        {
            assert!(start.elapsed() < Duration::from_secs(60), "nothing is written");
            std::thread::sleep(Duration::from_millis(10));
        }
        send(signal, &child);
        let output = within(60, child, "an interrupted run");
        let (shown, said) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(status), "{said}");
        assert!(said.contains("interrupted: ending with what is complete"), "{said}");
        assert!(shown.trim_end().lines().last().unwrap().starts_with("written to "), "{shown}");
        let run = run_folder(folder.path());
        let manifest = Manifest::read(&run).unwrap();
        assert_eq!(manifest.ending, Ending::Interrupted);
        let mut recording = Recording::open(&run.join("recording.crec")).unwrap();
        assert_eq!(recording.frames(), manifest.steps + 1);
        for number in 0..recording.frames() {
            recording.frame(number).unwrap();
        }
        let rows = fs::read_to_string(run.join("log.csv")).unwrap();
        assert!(rows.ends_with('\n') && rows.lines().count() as u64 > manifest.steps);
    }
}

#[test]
fn signals_end_other_commands_too() {
    let folder = tempfile::tempdir().unwrap();
    for arguments in [
        &["bench", "pile:300", "--frames", "1000000", "--runs", "2"][..],
        &["bench", "pile:300", "--frames", "1000000", "--runs", "2", "--in-process", "--json"],
        &["diverge", "pile:60", "pile:60", "--frames", "1000000"],
        &["experiment", "e1", "--quick"],
    ] {
        for (signal, status) in [("-INT", 130), ("-TERM", 143)] {
            let child = command(arguments, folder.path())
                .stdout(Stdio::null())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            std::thread::sleep(Duration::from_millis(1500));
            send(signal, &child);
            let output = within(30, child, &format!("{arguments:?}"));
            // Killed by the signal before it began to watch is the same to a shell.
            let by_signal = std::os::unix::process::ExitStatusExt::signal(&output.status);
            let code = output.status.code().or(by_signal.map(|number| 128 + number));
            assert_eq!(code, Some(status), "{arguments:?}: {}", text(&output.stderr));
        }
    }
}

#[test]
fn long_commands_give_signs_of_life() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, what) in [
        (&["run", "pile:40", "--frames", "10000000", "--json"][..], "pile-40: "),
        (&["bench", "pile:40", "--frames", "10000000", "--runs", "2"], "0 of 2 runs"),
        (
            &["pairs", "brownian:2000", "--broad", "sap", "--frames", "100000000", "--budget", "1000"],
            " steps",
        ),
    ] {
        let mut child =
            command(arguments, folder.path()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut said = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        said.read_line(&mut line).unwrap();
        let start = format!("carom {}: ", arguments[0]);
        assert!(line.starts_with(&start) && line.contains(" s gone") && line.contains(what), "{line}");
        send("-KILL", &child);
        child.wait().unwrap();
        let _ = said.read_to_string(&mut line);
    }
}

#[test]
fn a_run_says_where_its_files_are() {
    let folder = tempfile::tempdir().unwrap();
    let last = |extra: &[&str]| {
        let arguments = [&["run", "box:20", "--frames", "5"], extra].concat();
        let output = command(&arguments, folder.path()).output().unwrap();
        assert!(output.status.success());
        text(&output.stdout).trim_end().lines().last().unwrap().to_owned()
    };
    assert_eq!(last(&[]), "no files were written; --log, --record and --snapshot write some");
    let json = |extra: &[&str]| -> serde_json::Value {
        serde_json::from_str(&last(&[extra, &["--json"]].concat())).unwrap()
    };
    assert!(json(&[])["folder"].is_null() && json(&[]).as_object().unwrap().contains_key("folder"));
    for extra in [&["--log"][..], &["--record"], &["--snapshot", "2"]] {
        let line = last(extra);
        let place = line.strip_prefix("written to ").unwrap();
        assert!(folder.path().join(place).join("manifest.json").is_file(), "{line}");
    }
    let place = json(&["--log"])["folder"].as_str().unwrap().to_owned();
    assert!(folder.path().join(place).is_dir());
}
