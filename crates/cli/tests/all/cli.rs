//! The program as a user meets it: words in, text and exit status out.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn carom(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_carom")).args(arguments).current_dir(folder).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn here() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn last_json(output: &Output) -> serde_json::Value {
    serde_json::from_str(text(&output.stdout).lines().last().unwrap()).unwrap()
}

const RAMP: &str = r#"<config><objects>
  <tile ang="20,0,0" static="true" length="20" width="20"/>
  <sphere pos="0,3,0" radius="0.5" acceleration="0,-9.8,0"/>
  <capsule pos="2,3,0" radius="0.4" length="1" acceleration="0,-9.8,0"/>
</objects></config>"#;

#[test]
fn run_prints_tables_and_json_with_the_promised_fields() {
    let folder = here();
    let run = ["run", "box:50", "--solver", "fingsics", "--frames", "20"];
    let tables = carom(&run, folder.path());
    assert!(tables.status.success());
    let shown = text(&tables.stdout);
    assert!(
        shown.contains("broad phase") && shown.contains("collisions") && shown.contains("state hash"),
        "{shown}"
    );

    let json = last_json(&carom(&[&run[..], &["--headless", "--json"]].concat(), folder.path()));
    for field in [
        "scene",
        "bodies",
        "frames",
        "engine",
        "broad",
        "narrow",
        "solver",
        "threads",
        "ms_per_frame",
        "stages_ms",
        "counts",
        "state_hash",
        "peak_rss_mb",
    ] {
        assert!(!json[field].is_null() || field == "peak_rss_mb", "{field} is missing in {json}");
    }
    for (group, field) in [
        ("ms_per_frame", "mean"),
        ("ms_per_frame", "median"),
        ("ms_per_frame", "p95"),
        ("ms_per_frame", "max"),
        ("counts", "candidate_pairs"),
        ("counts", "tested_pairs"),
        ("counts", "contacts"),
        ("broad_work", "swaps"),
    ] {
        assert!(json[group][field].is_number(), "{group}.{field}");
    }
    assert_eq!((json["frames"].as_u64(), json["steps"].as_u64()), (Some(20), Some(19)));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is written unasked");
}

#[test]
fn the_engine_runs_what_the_original_cannot() {
    let folder = here();
    let tables = carom(&["run", "pyramid:4", "--frames", "20"], folder.path());
    assert!(tables.status.success(), "{}", text(&tables.stderr));
    let shown = text(&tables.stdout);
    assert!(shown.contains("solver soft-step") && shown.contains("integrate"), "{shown}");

    let run = |extra: &[&str]| {
        let arguments = [&["run", "pile:20", "--headless", "--frames", "60", "--json"], extra].concat();
        last_json(&carom(&arguments, folder.path()))
    };
    let json = run(&[]);
    for (field, value) in [("solver", "soft-step"), ("engine", "carom"), ("narrow", "auto"), ("simd", "auto")]
    {
        assert_eq!(json[field], value, "{field}");
    }
    assert_eq!((json["frames"].as_u64(), json["steps"].as_u64()), (Some(60), Some(59)));
    assert_eq!((json["bodies"].as_u64(), json["threads"].as_u64()), (Some(25), Some(1)));
    for (group, field) in [
        ("ms_per_frame", "mean"),
        ("ms_per_frame", "p95"),
        ("stages_ms", "solve"),
        ("counts", "candidate_pairs"),
        ("counts", "tested_pairs"),
        ("counts", "contacts"),
    ] {
        assert!(json[group][field].is_number(), "{group}.{field}");
    }
    for width in ["scalar", "4", "8", "16"] {
        let other = run(&["--simd", width]);
        assert_eq!((&other["state_hash"], &other["simd"]), (&json["state_hash"], &width.into()));
    }
    assert_eq!(run(&["--broad", "grid?cell=2"])["state_hash"], json["state_hash"]);
    let threads = run(&["--threads", "3"]);
    assert_eq!((&threads["state_hash"], &threads["threads"]), (&json["state_hash"], &3.into()));

    let asked = carom(&["run", "box:50", "--frames", "9", "--solver", "fingsics", "--json"], folder.path());
    assert_eq!(last_json(&asked)["solver"], "fingsics");

    for (arguments, words) in [
        (vec!["run", "windmill"], "force fields (1)"),
        (vec!["run", "pendulums"], "joint 'boundary' is a boundary"),
        (vec!["run", "pile:9", "--keep", "all"], "fingsics"),
        (vec!["run", "pile:9", "--fix-quirks", "all"], "fingsics"),
        (vec!["run", "pile:9", "--narrow", "fingsics"], "does not go with the solver soft-step"),
        (vec!["run", "pile:9", "--solver", "soft-step@speed=9"], "has no setting 'speed'"),
        (vec!["run", "pile:9", "--solver", "soft-step@substeps=0"], "a whole number from 1"),
        (
            vec!["run", "box:9", "--solver", "fingsics", "--integrator", "soft-step"],
            "does not go with the solver fingsics",
        ),
        (vec!["run", "box:9", "--solver", "fingsics", "--broad", "grid?cell=2"], "without options"),
        (vec!["run", "box:9", "--simd", "7"], "unknown width '7'"),
    ] {
        let output = carom(&arguments, folder.path());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text(&output.stderr).contains(words), "{arguments:?}: {}", text(&output.stderr));
    }

    let bench = carom(
        &["bench", "pile:20", "--broad", "sap,bvh", "--runs", "2", "--frames", "30", "--json", "--no-files"],
        folder.path(),
    );
    assert!(bench.status.success(), "{}", text(&bench.stderr));
    let benches = last_json(&bench)["bench"].as_array().unwrap().clone();
    assert_eq!(benches.len(), 2);
    assert!(benches.iter().all(|b| b["runs"] == 2 && b["runs_agree"] == true));
    assert_eq!(benches[0]["state_hash"], benches[1]["state_hash"]);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is written unasked");
}

#[test]
fn the_engine_tells_about_joints() {
    let folder = here();
    let run = |extra: &[&str]| {
        let arguments = [&["run", "joints:6", "--headless", "--frames", "60"], extra].concat();
        carom(&arguments, folder.path())
    };
    let shown = text(&run(&["--threads", "2"]).stdout);
    assert!(shown.contains("36 bodies, 60 joints, 60 frames") && shown.contains("2 threads"), "{shown}");
    assert!(shown.contains("joints: 0 broken, largest errors "), "{shown}");
    let json = last_json(&run(&["--json"]));
    assert_eq!((json["joints"].as_u64(), json["counts"]["broken_joints"].as_u64()), (Some(60), Some(0)));
    let error = json["joint_error"]["metres"].as_f64().unwrap();
    assert!(error > 0.0 && error < 0.05, "{error}");
    assert!(json["counts"]["stiff_bodies"].is_number());
    for extra in [["--threads", "2"], ["--threads", "4"], ["--simd", "scalar"], ["--simd", "16"]] {
        let other = last_json(&run(&[&extra[..], &["--json"]].concat()));
        assert_eq!(other["state_hash"], json["state_hash"], "{extra:?}");
    }
    let none = carom(&["run", "pile:9", "--frames", "9"], folder.path());
    assert!(!text(&none.stdout).contains("joints"), "{}", text(&none.stdout));
}

#[test]
fn the_same_run_has_the_same_hash_and_another_seed_another() {
    let folder = here();
    let hash = |extra: &[&str]| {
        let arguments = [&["run", "box:80", "--frames", "60", "--json"], extra].concat();
        last_json(&carom(&arguments, folder.path()))["state_hash"].as_str().unwrap().to_owned()
    };
    let first = hash(&[]);
    assert_eq!(first, hash(&["--threads", "4", "--simd", "8"]));
    assert_eq!(first, hash(&["--broad", "aabb"]));
    assert_ne!(first, hash(&["--seed", "7"]));
}

#[test]
fn logs_and_recordings_land_in_a_folder_of_their_own() {
    let folder = here();
    std::fs::write(folder.path().join("ramp.xml"), RAMP).unwrap();
    let run = carom(
        &[
            "run",
            "ramp.xml",
            "--solver",
            "fingsics",
            "--frames",
            "50",
            "--log",
            "--record=dat",
            "--out",
            "results",
        ],
        folder.path(),
    );
    assert!(run.status.success(), "{}", text(&run.stderr));
    let output = folder.path().join("results/output");
    let inside: Vec<PathBuf> = std::fs::read_dir(output).unwrap().map(|e| e.unwrap().path()).collect();
    let [inside] = inside.as_slice() else { panic!("one folder: {inside:?}") };
    assert!(inside.file_name().unwrap().to_string_lossy().starts_with("ramp--"));
    assert_eq!(
        std::fs::read_to_string(inside.join("log.csv")).unwrap().lines().count(),
        50,
        "header and 49 rows"
    );
    let length = std::fs::metadata(inside.join("scene.dat")).unwrap().len();
    assert_eq!(length, 12 + 3 * (16 + 48 * 50));
    let info = carom(&["info", inside.join("scene.dat").to_str().unwrap(), "--json"], folder.path());
    assert_eq!(last_json(&info)["frames"], 50);
}

#[test]
fn every_scene_runs_on_the_engine_unless_it_or_the_user_asks_otherwise() {
    let folder = here();
    std::fs::write(folder.path().join("ramp.xml"), RAMP).unwrap();
    let run = |scene: &str, extra: &[&str]| {
        carom(&[&["run", scene, "--frames", "9", "--json"], extra].concat(), folder.path())
    };
    for scene in ["box:50", "bowling-alley", "ramp.xml"] {
        assert_eq!(last_json(&run(scene, &[]))["solver"], "soft-step", "{scene}");
        assert_eq!(last_json(&run(scene, &["--solver", "fingsics"]))["solver"], "fingsics", "{scene}");
    }
    let note = "note: ramp.xml runs on the engine; --solver fingsics runs it by the Fingsics rules";
    assert_eq!(text(&run("ramp.xml", &[]).stderr).lines().filter(|line| *line == note).count(), 1);
    assert!(!text(&run("ramp.xml", &["--solver", "fingsics"]).stderr).contains("note: ramp.xml"));
    assert!(!text(&run("box:50", &[]).stderr).contains("on the engine"));
}

#[test]
fn test_compares_row_by_row_and_fails_with_one() {
    let folder = here();
    for sub in ["scenes", "expected"] {
        std::fs::create_dir(folder.path().join(sub)).unwrap();
    }
    std::fs::write(folder.path().join("scenes/ramp.xml"), RAMP).unwrap();
    let run = ["run", "scenes/ramp.xml", "--solver", "fingsics", "--frames", "120", "--log"];
    let log = carom(&run, folder.path());
    assert!(log.status.success());
    let run = std::fs::read_dir(folder.path().join("output")).unwrap().next().unwrap().unwrap().path();
    let report = std::fs::read_to_string(run.join("log.csv")).unwrap();
    let expected = folder.path().join("expected/ramp_test.csv");
    std::fs::write(&expected, &report).unwrap();
    let good = carom(&["test", "."], folder.path());
    assert_eq!(good.status.code(), Some(0), "{}", text(&good.stdout));

    // One count in row 100 changed.
    let mut lines: Vec<String> = report.lines().map(str::to_owned).collect();
    let mut cells: Vec<String> = lines[100].split(',').map(str::to_owned).collect();
    cells[3] = "77".to_owned();
    lines[100] = cells.join(",");
    std::fs::write(&expected, lines.join("\n")).unwrap();
    let bad = carom(&["test", ".", "--json"], folder.path());
    assert_eq!(bad.status.code(), Some(1));
    let json = last_json(&bad);
    assert_eq!(json["cases"][0]["collisions"]["row"], 100);
    assert_eq!(json["cases"][0]["collisions"]["expected"], 77);
    assert!(json["cases"][0]["tests"].is_null());

    assert_eq!(
        carom(&["test", "scenes"], folder.path()).status.code(),
        Some(2),
        "nothing to test is an error"
    );
}

#[test]
fn hostile_files_give_clean_errors() {
    let folder = here();
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
    write("truncated.xml", &RAMP.as_bytes()[..90]);
    write("binary.xml", &(0..=255).cycle().take(5000).collect::<Vec<u8>>());
    write(
        "bomb.xml",
        b"<!DOCTYPE a [<!ENTITY b \"c\">]><config><objects><sphere pos=\"&b;\"/></objects></config>",
    );
    write("deep.xml", "<a>".repeat(10_000_000).as_bytes());
    let mut dat = Vec::new();
    [u32::MAX, 300, 60].iter().for_each(|n| dat.extend(n.to_le_bytes()));
    write("scene.dat", &dat);
    write("broken.toml", b"carom = 1\n[[body]]\npositoin = [0, 0, 0]\n");
    for (name, words) in [
        ("truncated.xml", "truncated.xml:"),
        ("binary.xml", "binary.xml"),
        ("bomb.xml", "DOCTYPE"),
        ("deep.xml", "nested deeper"),
        ("scene.dat", "4294967295 objects"),
        ("broken.toml", "broken.toml:3:1"),
        ("missing.xml", "missing.xml"),
    ] {
        let output = carom(&["info", name], folder.path());
        assert_eq!(output.status.code(), Some(2), "{name}");
        let error = text(&output.stderr);
        assert!(error.starts_with("error: ") && error.contains(words), "{name}: {error}");
    }
}

#[test]
fn scenes_convert_between_all_formats_and_run_the_same() {
    let folder = here();
    std::fs::write(folder.path().join("ramp.xml"), RAMP).unwrap();
    for (from, to) in [("ramp.xml", "ramp.toml"), ("ramp.toml", "ramp.carom"), ("ramp.carom", "again.xml")] {
        let output = carom(&["gen", from, "-o", to], folder.path());
        assert!(output.status.success(), "{from} → {to}: {}", text(&output.stderr));
    }
    let hash = |scene: &str| {
        last_json(&carom(&["run", scene, "--frames", "200", "--json"], folder.path()))["state_hash"].clone()
    };
    let original = hash("ramp.xml");
    for copy in ["ramp.toml", "ramp.carom", "again.xml"] {
        assert_eq!(hash(copy), original, "{copy}");
    }
}

#[test]
fn lists_help_and_completions_are_there() {
    let folder = here();
    for kind in ["scenes", "broad", "narrow", "solvers", "integrators", "engines", "quirks", "slips"] {
        assert!(carom(&["list", kind], folder.path()).status.success(), "{kind}");
    }
    assert!(text(&carom(&["run", "--help"], folder.path()).stdout).contains("--broad"));
    assert!(text(&carom(&["completions", "bash"], folder.path()).stdout).contains("carom"));
    assert_eq!(carom(&["run", "box:10", "--broad", "nonsense"], folder.path()).status.code(), Some(2));
    let unsupported = carom(&["run", "pyramid:3", "--solver", "fingsics"], folder.path());
    assert_eq!(unsupported.status.code(), Some(2));
    let error = text(&unsupported.stderr);
    assert!(error.contains("is a box") && error.contains("hint: --solver soft-step"), "{error}");
}

#[test]
fn bench_compares_methods_and_writes_their_reports() {
    let folder = here();
    let output = carom(
        &[
            "bench", "box:40", "--solver", "fingsics", "--broad", "all", "--runs", "2", "--frames", "30",
            "--json",
        ],
        folder.path(),
    );
    assert!(output.status.success(), "{}", text(&output.stderr));
    let json = last_json(&output);
    let benches = json["bench"].as_array().unwrap();
    let methods = carom_lab::Method::ALL.len();
    assert_eq!(benches.len(), methods);
    assert!(
        benches.iter().all(|b| b["runs"] == 2 && b["counts"]["contacts"] == benches[0]["counts"]["contacts"])
    );
    assert_eq!(std::fs::read_dir(folder.path().join("benchmarks")).unwrap().count(), methods);
}

#[test]
fn info_describes_meshes_and_points_at_the_bad_line() {
    let folder = here();
    let corners = "v 0 0 0\nv 2 0 0\nv 0 3 0\nv 0 0 4\n";
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("closed.obj", &format!("{corners}f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"));
    let facts = last_json(&carom(&["info", "closed.obj", "--json"], folder.path()));
    assert_eq!((&facts["triangles"], &facts["closed"]), (&4.into(), &true.into()));
    assert_eq!(facts["mass"], "4000 kg at 1000 kg/m³");

    write("open.obj", &format!("{corners}f 1 3 2\nf 1 2 4\n"));
    let open = carom(&["info", "open.obj"], folder.path());
    assert!(open.status.success());
    assert!(text(&open.stdout).contains("none: "), "{}", text(&open.stdout));

    write("bad.obj", &format!("{corners}f 1 2 9\n"));
    let bad = carom(&["info", "bad.obj"], folder.path());
    assert_eq!(bad.status.code(), Some(2));
    assert!(text(&bad.stderr).contains("line 5"), "{}", text(&bad.stderr));
}

#[test]
fn the_list_of_scenes_marks_what_a_solver_refuses() {
    let folder = here();
    let shown = text(&carom(&["list", "scenes"], folder.path()).stdout);
    // The first row of each scene has its name and the first solver that refuses it.
    let refuser = |name: &str| {
        let cells = |row: &str| row.split('┆').map(|cell| cell.replace('│', "").trim().to_owned()).collect();
        let mut rows = shown.lines().map(cells);
        let row: Vec<String> = rows.find(|row: &Vec<String>| row[0] == name).unwrap();
        row[3].clone()
    };
    for (name, sample) in carom_scene::library::names().zip(carom_scene::library::samples()) {
        let solvers = ["soft-step", "fingsics", "fingsics-2021-09"];
        let is_refused = |solver: &&str| {
            let run = carom(&["run", &sample, "--solver", solver, "--frames", "1"], folder.path());
            run.status.code() == Some(2)
        };
        let refusing: Vec<&str> = solvers.into_iter().filter(is_refused).collect();
        let expected = match refusing.as_slice() {
            [] => "",
            [_, _, _] => "every solver",
            [first, ..] => *first,
        };
        assert_eq!(refuser(name), expected, "{name}: {refusing:?}");
    }
    assert!(shown.contains("soft-step refuses magnets: it has force fields"), "{shown}");
}
