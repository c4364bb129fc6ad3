//! `carom study`, `carom experiment` and `carom report` as a user meets them.

use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

const PLAN: &str = r#"
name = "small"
runs = 2
warmup = 1
[[matrix]]
scenes = ["box:{n}"]
vary = { n = [10, 20, 40] }
broad = ["sap", "bvh"]
frames = 10
"#;

fn carom(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_carom")).args(arguments).current_dir(folder).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn with_plan(plan: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("plan.toml"), plan).unwrap();
    folder
}

fn last_json(output: &Output) -> serde_json::Value {
    serde_json::from_str(text(&output.stdout).lines().last().unwrap()).unwrap()
}

#[test]
fn a_study_is_planned_run_reported_and_not_run_again() {
    let folder = with_plan(PLAN);
    let dry = carom(&["study", "plan.toml", "--dry-run"], folder.path());
    let shown = text(&dry.stdout);
    assert!(dry.status.success() && shown.contains("box:40") && shown.contains("12 runs in all"), "{shown}");
    assert!(!folder.path().join("studies").exists(), "nothing is run");
    let first = carom(&["study", "plan.toml"], folder.path());
    assert!(first.status.success(), "{}", text(&first.stderr));
    assert!(text(&first.stdout).contains("no run failed"), "{}", text(&first.stdout));
    let within = folder.path().join("studies/small");
    let html = std::fs::read_to_string(within.join("report.html")).unwrap();
    for words in ["box:{n}", "Time per step", "carom", "processor"] {
        assert!(html.contains(words), "{words}");
    }
    let samples = std::fs::read_to_string(within.join("samples.jsonl")).unwrap();
    assert_eq!(samples.lines().count(), 12);
    let again = carom(&["study", "plan.toml", "--json"], folder.path());
    assert!(text(&again.stderr).contains("12 runs are in"), "{}", text(&again.stderr));
    let json = last_json(&again);
    assert_eq!((json["runs"].as_u64(), json["unfinished_rows"].as_u64()), (Some(12), Some(0)));
    assert!(json["checks"].as_array().unwrap().iter().all(|check| check["passed"] == true));
    assert_eq!(
        std::fs::read_to_string(within.join("samples.jsonl")).unwrap(),
        samples,
        "no run was made again"
    );
}

#[test]
fn shards_of_several_folders_become_one_report() {
    let folder = with_plan(PLAN);
    for shard in ["1/2", "2/2"] {
        let out = format!("node{}", &shard[..1]);
        let part = carom(&["study", "plan.toml", "--shard", shard, "--out", &out], folder.path());
        assert!(part.status.success(), "{}", text(&part.stderr));
        assert!(text(&part.stderr).contains(&format!("shard {shard} is done")), "{}", text(&part.stderr));
    }
    let half = carom(&["report", "node1/studies/small", "--json"], folder.path());
    assert_eq!(last_json(&half)["unfinished_rows"].as_u64(), Some(2), "what is missing is said");
    let nodes = ["node1/studies/small", "node2/studies/small"];
    let nowhere = carom(&["report", nodes[0], nodes[1]], folder.path());
    assert!(nowhere.status.code() == Some(2) && text(&nowhere.stderr).contains("--out DIR"));
    let all = carom(&["report", nodes[0], nodes[1], "--out", "all", "--json"], folder.path());
    let json = last_json(&all);
    assert_eq!((json["runs"].as_u64(), json["unfinished_rows"].as_u64()), (Some(12), Some(0)), "{json}");
}

#[test]
fn a_study_that_is_killed_loses_no_run_that_was_over() {
    let folder = with_plan(&PLAN.replace("frames = 10", "frames = 60").replace("runs = 2", "runs = 6"));
    let samples = folder.path().join("studies/small/samples.jsonl");
    let mut lines = 0;
    for _ in 0..3 {
        let mut child = Command::new(env!("CARGO_BIN_EXE_carom"))
            .args(["study", "plan.toml", "--json"])
            .current_dir(folder.path())
            .spawn()
            .unwrap();
        let count = || std::fs::read_to_string(&samples).map_or(0, |text| text.matches('\n').count());
        let start = Instant::now();
        while count() < lines + 3 && start.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(2));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(count() >= lines + 3, "{} after {lines}", count());
        lines = count();
    }
    let end = carom(&["study", "plan.toml", "--json"], folder.path());
    assert!(end.status.success(), "{}", text(&end.stderr));
    assert_eq!(last_json(&end)["runs"].as_u64(), Some(36));
    assert_eq!(std::fs::read_to_string(&samples).unwrap().lines().count(), 36);
}

#[test]
fn bad_plans_and_folders_are_refused_with_a_hint() {
    let folder = with_plan("name = \"x\"\n[[matrix]]\nscenes = [\"box:{n}\"]\n");
    let refused = |arguments: &[&str], words: &str| {
        let output = carom(arguments, folder.path());
        let said = text(&output.stderr);
        assert!(output.status.code() == Some(2) && said.contains(words), "{words}: {said}");
    };
    refused(&["study", "plan.toml"], "has no values");
    refused(&["study", "nowhere.toml"], "nowhere.toml: No such file");
    refused(&["study", "plan.toml", "--shard", "3/2"], "expected K/N");
    refused(&["experiment", "e5"], "there is no experiment 'e5'");
    refused(&["experiment", "e2", "--data", "nowhere"], "there is no such folder");
    refused(&["report", "nowhere"], "there is no study");
    std::fs::write(folder.path().join("plan.toml"), PLAN.replace("box:{n}", "bx:{n}")).unwrap();
    refused(&["study", "plan.toml"], "did you mean `box`");
    assert!(!folder.path().join("studies").exists(), "nothing is made for a plan that cannot be run");
}

#[test]
fn experiments_are_listed_and_can_be_looked_at_before_they_run() {
    let folder = tempfile::tempdir().unwrap();
    let list = carom(&["list", "experiments"], folder.path());
    assert!(["e1", "e2", "e3", "e4"].iter().all(|name| text(&list.stdout).contains(name)));
    let dry = carom(&["experiment", "e1", "--dry-run"], folder.path());
    assert!(dry.status.success() && text(&dry.stdout).contains("box:100000"), "{}", text(&dry.stdout));
}
