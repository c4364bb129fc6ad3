//! Fingsics' configuration file: every mode, every key.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use carom_lab::folder::manifest::Manifest;

const RAMP: &str = r#"<config><objects>
  <tile ang="20,0,0" static="true" length="20" width="20"/>
  <sphere pos="0,3,0" radius="0.5" acceleration="0,-9.8,0"/>
  <capsule pos="2,3,0" radius="0.4" length="1" acceleration="0,-9.8,0"/>
</objects></config>"#;
/// The scenes of Fingsics' test mode.
const TESTED: [&str; 8] = [
    "many-balls",
    "missile",
    "missile2",
    "objects-resting",
    "bowling",
    "matrix",
    "ramp",
    "simultaneous-collisions",
];

/// A folder like Fingsics', with the scene `ramp`.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("scenes")).unwrap();
        fs::write(folder.path().join("scenes/ramp.xml"), RAMP).unwrap();
        Self { folder }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Runs the program with a configuration of these lines from another folder.
    fn run(&self, lines: &str) -> Output {
        let config = self.path().join("config.txt");
        fs::write(&config, lines).unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        Command::new(env!("CARGO_BIN_EXE_carom"))
            .arg("--config")
            .arg(&config)
            .current_dir(elsewhere.path())
            .output()
            .unwrap()
    }

    /// What is below a folder here.
    fn inside(&self, folder: &str) -> Vec<PathBuf> {
        let Ok(entries) = fs::read_dir(self.path().join(folder)) else { return Vec::new() };
        entries.map(|entry| entry.unwrap().path()).collect()
    }

    /// The one run below `output`.
    fn only_run(&self) -> PathBuf {
        let runs = self.inside("output");
        assert_eq!(runs.len(), 1, "{runs:?}");
        runs[0].clone()
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn said(output: &Output) -> String {
    text(&output.stdout) + &text(&output.stderr)
}

#[test]
fn default_runs_the_scene_with_its_settings_and_writes_what_is_asked_for() {
    let place = Place::new();
    let base = "SCENE_FILE_NAME=ramp\nBROAD_PHASE=SAPOBB\nFPS_CAP=30\nSTOP_AT_FRAME=40\nRUN_MODE=DEFAULT\n";
    let plain = place.run(base);
    assert!(plain.status.success(), "{}", said(&plain));
    assert!(
        text(&plain.stdout).contains("40 frames (39 steps) at 30 Hz, broad phase sapobb"),
        "{}",
        said(&plain)
    );
    assert!(place.inside("output").is_empty(), "a folder is made only if something is written");

    let kept = place.run(&format!("{base}LOG=true\nRECORD_SCENE=true\n"));
    assert!(kept.status.success(), "{}", said(&kept));
    let run = place.only_run();
    assert!(run.file_name().unwrap().to_string_lossy().starts_with("ramp--"));
    let log = fs::read_to_string(run.join("log.csv")).unwrap();
    assert_eq!(log.lines().next(), Some("BPCDTime,NPCDTests,NPCDTime,Collisions,CRTime,DrawTime,TotalTime"));
    assert_eq!(log.lines().count(), 40, "STOP_AT_FRAME=40 gives 39 rows");
    assert_eq!(fs::metadata(run.join("scene.dat")).unwrap().len(), 12 + 3 * (16 + 48 * 40));
    let manifest = Manifest::read(&run).unwrap();
    assert_eq!((manifest.broad.as_str(), manifest.steps_per_second, manifest.steps), ("sapobb", 30, 39));
    let again = Command::new(env!("CARGO_BIN_EXE_carom")).arg("rerun").arg(&run).output().unwrap();
    assert!(text(&again.stdout).contains("equal to the bit"), "{}", said(&again));
}

#[test]
fn replay_plays_what_was_recorded_or_says_what_there_is() {
    let place = Place::new();
    let none = place.run("RUN_MODE=REPLAY\n");
    assert_eq!(none.status.code(), Some(2));
    assert!(
        said(&none).contains("SCENE_REPLAY_FOLDER_NAME=") && said(&none).contains("nothing yet"),
        "{}",
        said(&none)
    );
    place.run("SCENE_FILE_NAME=ramp\nSTOP_AT_FRAME=30\nRECORD_SCENE=true\n");
    let name = place.only_run().file_name().unwrap().to_string_lossy().into_owned();
    let shown = place.run(&format!("RUN_MODE=REPLAY\nSCENE_REPLAY_FOLDER_NAME={name}\n"));
    assert!(shown.status.success(), "{}", said(&shown));
    assert!(text(&shown.stdout).contains("3 bodies, 30 frames at 60 Hz"), "{}", said(&shown));
    let missing = place.run("RUN_MODE=REPLAY\nSCENE_REPLAY_FOLDER_NAME=ramp\n");
    assert_eq!(missing.status.code(), Some(2));
    assert!(said(&missing).contains(&name), "{}", said(&missing));
    assert!(!place.path().join("output/ramp").exists(), "a missing folder is not made");
    fs::write(place.only_run().join("scene.dat"), [0; 20]).unwrap();
    let broken = place.run(&format!("RUN_MODE=REPLAY\nSCENE_REPLAY_FOLDER_NAME={name}\n"));
    assert_eq!(broken.status.code(), Some(2));
    assert!(said(&broken).contains("scene.dat"), "{}", said(&broken));
}

#[test]
fn benchmark_measures_as_often_as_asked_and_writes_the_original_reports() {
    let place = Place::new();
    let bench = place.run(
        "SCENE_FILE_NAME=ramp\nBROAD_PHASE=SAP\nSTOP_AT_FRAME=20\nRUN_MODE=BENCHMARK\nNUM_RUNS_FOR_BENCHMARK=3\nLOG=true\n",
    );
    assert!(bench.status.success(), "{}", said(&bench));
    let folders = place.inside("benchmarks");
    assert_eq!(folders.len(), 1);
    assert!(folders[0].file_name().unwrap().to_string_lossy().starts_with("ramp_SAP--"));
    for file in ["run1.csv", "run2.csv", "run3.csv", "averages_per_frame.csv", "summary.txt"] {
        assert!(folders[0].join(file).is_file(), "{file}");
    }
    assert!(!folders[0].join("run4.csv").exists());
    let rows = fs::read_to_string(folders[0].join("run1.csv")).unwrap().lines().count();
    assert_eq!(rows, 20, "a header and 19 rows");
    assert!(place.inside("output").is_empty(), "LOG acts in the default mode only");
    let endless = place.run("SCENE_FILE_NAME=ramp\nSTOP_AT_FRAME=-1\nRUN_MODE=BENCHMARK\n");
    assert_eq!(endless.status.code(), Some(2));
    assert!(said(&endless).contains("RUN_MODE=BENCHMARK needs an end"), "{}", said(&endless));
}

#[test]
fn test_runs_its_eight_scenes_and_compares() {
    let place = Place::new();
    let config = "BROAD_PHASE=SAP\nRUN_MODE=TEST\nSTOP_AT_FRAME=5\n";
    let missing = place.run(config);
    assert_eq!(missing.status.code(), Some(2), "its scenes are not there");
    assert!(said(&missing).contains("many-balls.xml"), "{}", said(&missing));
    for name in TESTED {
        fs::write(place.path().join(format!("scenes/{name}.xml")), RAMP).unwrap();
    }
    let first = place.run(config);
    assert!(first.status.success(), "{}", said(&first));
    assert_eq!(text(&first.stdout).matches("no expected report").count(), 8);
    let expected = place.path().join("testing/expected-results");
    fs::create_dir_all(&expected).unwrap();
    for name in TESTED {
        let file = format!("{name}_test.csv");
        let report = fs::read_to_string(place.path().join("testing/results").join(&file)).unwrap();
        assert_eq!(report.lines().count(), 300, "300 frames whatever STOP_AT_FRAME says");
        fs::write(expected.join(&file), report).unwrap();
    }
    let second = place.run(config);
    assert_eq!(text(&second.stdout).matches("equal to the expected report").count(), 8, "{}", said(&second));
    // The report that is written is the one that is compared: at another rate it is another one.
    let slower = place.run(&format!("{config}FPS_CAP=30\n"));
    assert_eq!(slower.status.code(), Some(1));
    assert_eq!(text(&slower.stdout).matches("DIFFERS").count(), 8, "{}", said(&slower));
    let one = expected.join("matrix_test.csv");
    let mut rows: Vec<String> = fs::read_to_string(&one).unwrap().lines().map(str::to_owned).collect();
    let mut cells: Vec<&str> = rows[7].split(',').collect();
    cells[3] = "99";
    rows[7] = cells.join(",");
    fs::write(&one, rows.join("\n")).unwrap();
    let third = place.run(config);
    assert_eq!(third.status.code(), Some(1));
    assert!(text(&third.stdout).contains("in row 7:"), "{}", said(&third));
    assert!(text(&third.stdout).contains("expected 99"), "{}", said(&third));
}

#[test]
fn what_cannot_be_drawn_or_filmed_yet_is_accepted_and_told() {
    let place = Place::new();
    let all = "SCENE_FILE_NAME=ramp\nFPS_CAP=60\nFULLSCREEN=false\nWINDOWED_WIDTH=640\nWINDOWED_HEIGHT=480\n\
               DRAW_AXES=false\nSHOW_FPS=false\nOBJECT_DEFINITION=12\nSTOP_AT_FRAME=9\n";
    let plain = place.run(all);
    assert!(plain.status.success(), "{}", said(&plain));
    assert!(!text(&plain.stderr).contains("warning"), "every key is known: {}", said(&plain));
    for key in
        ["FULLSCREEN", "WINDOWED_WIDTH", "WINDOWED_HEIGHT", "DRAW_AXES", "SHOW_FPS", "OBJECT_DEFINITION"]
    {
        assert!(text(&plain.stderr).contains(key), "{key} has no effect, which is told");
    }
    assert!(!text(&plain.stderr).contains("films nothing"));
    let film = place.run(&format!("{all}RECORD_VIDEO=true\n"));
    assert!(film.status.success(), "{}", said(&film));
    assert!(text(&film.stderr).contains("RECORD_VIDEO=true: this version films nothing"), "{}", said(&film));
    let rate = place.run(&format!("{}RECORD_VIDEO=true\n", all.replace("FPS_CAP=60", "FPS_CAP=50")));
    assert_eq!(rate.status.code(), Some(2));
    assert!(said(&rate).contains("25, 30, 60 or 120, not 50"), "{}", said(&rate));
}

#[test]
fn a_configuration_that_cannot_be_is_refused_with_its_place() {
    let place = Place::new();
    for (lines, words) in [
        ("SCENE_FILE_NAME=nowhere\n", "nowhere.xml"),
        ("", "SCENE_FILE_NAME"),
        ("SCENE_FILE_NAME=ramp\nFPS_CAP=fast\n", "config.txt:2:9"),
        ("SCENE_FILE_NAME=ramp\nFPS_CAP=0\n", "at least 1"),
        ("SCENE_FILE_NAME=ramp\nRECORD_SCENE=true\nSTOP_AT_FRAME=-1\n", "config.txt:2:14"),
        ("SCENE_FILE_NAME=ramp\nLOG # =true\n", "after a `#`"),
        ("SCENE_FILE_NAME=ramp\nRUN_MODE=BENCHMARK\nNUM_RUNS_FOR_BENCHMARK=0\n", "NUM_RUNS_FOR_BENCHMARK=0"),
        ("SCENE_FILE_NAME=ramp\nSTOP_AT_FRAME=0\n", "STOP_AT_FRAME=0"),
        ("SCENE_FILE_NAME=ramp\nSTOP_AT_FRAME=-7\n", "STOP_AT_FRAME=-7"),
    ] {
        let output = place.run(lines);
        assert_eq!(output.status.code(), Some(2), "{lines}{}", said(&output));
        assert!(text(&output.stderr).contains(words), "{lines}{}", said(&output));
    }
    let endless = place.run("SCENE_FILE_NAME=ramp\nSTOP_AT_FRAME=-1\n");
    assert!(endless.status.success() && said(&endless).contains("600 frames"), "{}", said(&endless));
    let missing =
        Command::new(env!("CARGO_BIN_EXE_carom")).args(["--config", "nowhere.txt"]).output().unwrap();
    assert_eq!(missing.status.code(), Some(2));
    assert!(said(&missing).contains("nowhere.txt"), "{}", said(&missing));
}

#[test]
fn options_win_over_the_configuration() {
    let place = Place::new();
    place.run("SCENE_FILE_NAME=ramp\nSTOP_AT_FRAME=30\n");
    let config = place.path().join("config.txt");
    let output = Command::new(env!("CARGO_BIN_EXE_carom"))
        .args(["run", "--frames", "5", "--broad", "aabb", "--json", "--config"])
        .arg(config)
        .output()
        .unwrap();
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&json["frames"], &json["broad"]), (&5.into(), &"aabb".into()));
}
