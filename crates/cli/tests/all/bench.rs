//! `carom bench` and the hidden `carom measure` as a user meets them.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

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

fn only_folder(within: &Path) -> PathBuf {
    let inside: Vec<PathBuf> =
        std::fs::read_dir(within).unwrap().map(|entry| entry.unwrap().path()).collect();
    let [only] = inside.as_slice() else { panic!("one folder: {inside:?}") };
    only.clone()
}

#[test]
fn a_bench_leaves_raw_samples_a_manifest_and_a_table() {
    let folder = here();
    let bench = carom(
        &[
            "bench",
            "box:30",
            "--solver",
            "fingsics",
            "--broad",
            "sap,sapobb",
            "--runs",
            "3",
            "--frames",
            "20",
            "--warmup",
            "2",
            "--out",
            "there",
        ],
        folder.path(),
    );
    assert!(bench.status.success(), "{}", text(&bench.stderr));
    let shown = text(&bench.stdout);
    for words in [
        "median and range of 3 runs",
        "no ranking: 3 runs of each are too few",
        "predicted/measured",
        "sapobb",
    ] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    let within = only_folder(&folder.path().join("there/measurements"));
    assert!(within.file_name().unwrap().to_string_lossy().starts_with("box-30--"));
    let read = |name: &str| std::fs::read_to_string(within.join(name)).unwrap();
    let samples: Vec<serde_json::Value> =
        read("samples.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(samples.len(), 6);
    // There and back: the last of a round is the first of the next.
    let mut order: Vec<(u64, u64, String)> = samples
        .iter()
        .map(|s| {
            (
                s["round"].as_u64().unwrap(),
                s["place"].as_u64().unwrap(),
                s["broad"].as_str().unwrap().to_owned(),
            )
        })
        .collect();
    order.sort();
    let order: Vec<&str> = order.iter().map(|(_, _, broad)| broad.as_str()).collect();
    assert_eq!(order, ["sap", "sapobb", "sapobb", "sap", "sap", "sapobb"]);
    for sample in &samples {
        assert_eq!((&sample["outcome"], &sample["warmup_steps"]), (&"done".into(), &2.into()));
        assert_eq!(sample["step_ns"].as_array().unwrap().len(), 19, "every step of every run");
    }
    let manifest: serde_json::Value = serde_json::from_str(&read("manifest.json")).unwrap();
    assert_eq!((&manifest["isolated"], &manifest["runs"]), (&true.into(), &3.into()));
    assert!(manifest["machine"]["build"]["compiler"].as_str().unwrap().starts_with("rustc"));
    assert_eq!(manifest["tasks"].as_array().unwrap().len(), 2);
    assert_eq!(read("table.csv").lines().count(), 3);
    assert_eq!(
        std::fs::read_dir(folder.path().join("there/benchmarks")).unwrap().count(),
        2,
        "and Fingsics'"
    );
}

#[test]
fn json_has_intervals_ratios_and_what_was_there_before() {
    let folder = here();
    let bench = carom(
        &[
            "bench",
            "pile:12",
            "--threads",
            "1,2",
            "--runs",
            "2",
            "--frames",
            "12",
            "--json",
            "--no-files",
            "--in-process",
        ],
        folder.path(),
    );
    assert!(bench.status.success(), "{}", text(&bench.stderr));
    let json = last_json(&bench);
    assert_eq!((&json["same_output"], &json["interrupted"]), (&true.into(), &false.into()));
    assert!(
        json["machine"]["threads"].is_number()
            && json["folder"].is_null()
            && json["rankings"][0]["groups"].is_null()
    );
    let rows = json["bench"].as_array().unwrap();
    assert_eq!(rows.len(), 2);
    for (row, threads) in rows.iter().zip([1, 2]) {
        assert_eq!(
            (&row["threads"], &row["runs"], &row["runs_agree"]),
            (&threads.into(), &2.into(), &true.into())
        );
        for end in ["value", "low", "high"] {
            assert!(row["ms_per_step"][end].is_number() && row["ratio"][end].is_number(), "{row}");
        }
        for field in ["mean", "median", "p95", "max"] {
            assert!(row["ms_per_frame"][field].is_number(), "{row}");
        }
        assert!(row["stages_ms"]["solve"].is_number() && row["counts"]["contacts_at_end"].is_number());
        assert!(row["cost_model"]["object_ns"].is_number(), "{row}");
        assert_eq!((&row["state"], &row["failed"]), (&"complete".into(), &serde_json::Value::Null));
    }
    assert_eq!(rows[0]["ratio"]["value"], 1.0);
    assert_eq!(rows[0]["output_hash"], rows[1]["output_hash"]);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "--no-files");
}

#[test]
fn runs_over_budget_are_shown_with_what_they_did() {
    let folder = here();
    let arguments = [
        "bench", "box:200", "--solver", "fingsics", "--broad", "sap,none", "--runs", "2", "--frames",
        "1000000", "--budget", "0.05", "--warmup", "0",
    ];
    let bench = carom(&arguments, folder.path());
    assert!(bench.status.success(), "slow is no failure: {}", text(&bench.stderr));
    let shown = text(&bench.stdout);
    assert!(shown.contains(" s, partial") && shown.contains("of 999999 steps"), "{shown}");
    let samples = only_folder(&folder.path().join("measurements")).join("samples.jsonl");
    let samples = std::fs::read_to_string(samples).unwrap();
    assert_eq!(samples.lines().count(), 2, "one of each: what was too slow once is not tried again");
    assert!(samples.lines().all(|line| line.contains("\"over_budget\":true")));
}

#[test]
fn a_baseline_is_kept_compared_and_fails_on_other_output() {
    let folder = here();
    let bench = |extra: &[&str]| {
        let common = ["bench", "box:40", "--runs", "5", "--frames", "30", "--no-files"];
        carom(&[&common[..], extra].concat(), folder.path())
    };
    assert!(bench(&["--save", "first"]).status.success());
    assert!(folder.path().join("benchmarks/baselines/first.json").is_file());

    let same = bench(&["--against", "first", "--tolerance", "100000", "--json"]);
    let json = last_json(&same);
    let verdict = json["against"]["rows"][0]["verdict"].as_str().unwrap();
    assert!(["faster", "slower", "no difference shown"].contains(&verdict), "{verdict}");
    assert!(same.status.success(), "within so wide a tolerance: {json}");
    assert!(json["against"]["rows"][0]["ratio"]["low"].is_number());

    // The same task, but it once ended in another state.
    let path = folder.path().join("benchmarks/baselines/first.json");
    let kept = std::fs::read_to_string(&path).unwrap();
    let hash = json["bench"][0]["state_hash"].as_str().unwrap();
    assert!(kept.contains(hash));
    std::fs::write(&path, kept.replace(hash, "0123456789abcdef")).unwrap();
    let other = bench(&["--against", "first"]);
    assert_eq!(other.status.code(), Some(1), "{}", text(&other.stdout));
    assert!(text(&other.stdout).contains("other output"));

    let missing = bench(&["--against", "second"]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(text(&missing.stderr).contains("hint: --save NAME"), "{}", text(&missing.stderr));
    assert_eq!(bench(&["--save", "../x"]).status.code(), Some(2));
}

#[test]
fn slower_than_the_tolerance_fails() {
    let folder = here();
    let bench = |extra: &[&str]| {
        let common = ["bench", "box:40", "--runs", "5", "--frames", "30", "--no-files", "--in-process"];
        carom(&[&common[..], extra].concat(), folder.path())
    };
    assert!(bench(&["--save", "fast"]).status.success());
    // Make the kept times a thousandth: then everything is slower.
    let path = folder.path().join("benchmarks/baselines/fast.json");
    let mut kept: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    for sample in kept["samples"].as_array_mut().unwrap() {
        for step in sample["step_ns"].as_array_mut().unwrap() {
            *step = (step.as_u64().unwrap() / 1000).into();
        }
    }
    std::fs::write(&path, kept.to_string()).unwrap();
    let slow = bench(&["--against", "fast"]);
    assert_eq!(slow.status.code(), Some(1));
    assert!(text(&slow.stdout).contains("slower by more than 5 %"), "{}", text(&slow.stdout));
}

#[test]
fn measure_takes_a_task_and_gives_a_sample() {
    let measure = |input: &str, extra: &[&str]| {
        let mut child = Command::new(env!("CARGO_BIN_EXE_carom"))
            .arg("measure")
            .args(extra)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        child.wait_with_output().unwrap()
    };
    let good = measure(r#"{"scene": "box:12", "frames": 9}"#, &["--warmup", "1", "--pin", "auto"]);
    assert!(good.status.success(), "{}", text(&good.stderr));
    let sample = last_json(&good);
    assert_eq!((&sample["steps"], &sample["warmup_steps"]), (&8.into(), &1.into()));
    assert_eq!(sample["pinned"].as_array().unwrap().len(), usize::from(cfg!(target_os = "linux")));
    for bad in ["", "{", r#"{"scen": "box:12"}"#, r#"{"scene": "nowhere.xml"}"#] {
        let output = measure(bad, &[]);
        assert_eq!(output.status.code(), Some(2), "{bad}");
        assert!(text(&output.stderr).starts_with("error: "), "{bad}");
    }
    let help = carom(&["--help"], Path::new("."));
    assert!(!text(&help.stdout).contains("\n  measure "), "hidden");
}
