//! `carom pairs` as a user meets it.

use std::path::Path;
use std::process::{Command, Output};

fn carom(arguments: &[&str]) -> Output {
    carom_in(arguments, Path::new("."))
}

fn carom_in(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_carom")).args(arguments).current_dir(folder).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn json(arguments: &[&str]) -> serde_json::Value {
    let output = carom(&[&["pairs"], arguments, &["--json"]].concat());
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    serde_json::from_str(text(&output.stdout).lines().last().unwrap()).unwrap()
}

const SHORT: &[&str] = &["--frames", "4", "--warmup", "1"];

#[test]
fn all_methods_agree_on_every_swarm() {
    let listed = text(&carom(&["list", "scenes"]).stdout);
    for swarm in carom_scene::swarm::SWARMS {
        assert!(listed.contains(swarm.name), "{} is not listed", swarm.name);
        for d in [2, 3] {
            let request = format!("{}:150?d={d}", swarm.name);
            let report = json(&[&[request.as_str(), "--verify"], SHORT].concat());
            assert_eq!(report["agreed"], true, "{request}");
            assert_eq!((&report["boxes"], &report["dimensions"]), (&150.into(), &d.into()));
            assert_eq!(report["frames_done"], 6, "the first, one of warm-up and four");
            for method in report["methods"].as_array().unwrap() {
                assert_eq!(
                    (&method["frames"], &method["over_budget"]),
                    (&4.into(), &false.into()),
                    "{method}"
                );
                assert!(method["ms_per_frame"]["median"].is_number() && method["set_up_ms"].is_number());
                assert!(method["per_frame"]["box_tests"].is_number() && method["bytes_per_box"].is_number());
            }
        }
    }
}

#[test]
fn any_scene_will_do() {
    let folder = tempfile::tempdir().unwrap();
    let ramp = r#"<config><objects>
      <tile ang="20,0,0" static="true" length="20" width="20"/>
      <sphere pos="0,0.3,0" radius="0.5" vel="1,0,0"/>
      <capsule pos="1,0.3,0" radius="0.4" length="1" vel="-1,0,0" angVel="0,90,0"/>
    </objects></config>"#;
    std::fs::write(folder.path().join("ramp.xml"), ramp).unwrap();
    for scene in ["ramp.xml", "box:100", "random2d:50", "sp-incremental:20", "pyramid:4", "rain"] {
        let run =
            carom_in(&["pairs", scene, "--verify", "--frames", "5", "--broad", "sap,aabb"], folder.path());
        assert!(run.status.success(), "{scene}: {}{}", text(&run.stdout), text(&run.stderr));
        let shown = text(&run.stdout);
        assert!(
            shown.contains("every method agreed with the oracle in each of 11 frames"),
            "{scene}: {shown}"
        );
    }
    let json = json(&["random2d:50", "--broad", "aabb", "--frames", "2"]);
    assert_eq!(json["dimensions"], 2);
}

#[test]
fn options_and_refinements_take_part_by_name() {
    let report = json(&[&["box:60", "--broad", "grid?cell=2+obb, SAP,sap,bvh", "--verify"], SHORT].concat());
    let names: Vec<&str> =
        report["methods"].as_array().unwrap().iter().map(|m| m["broad"].as_str().unwrap()).collect();
    assert_eq!(names, ["grid?cell=2+obb", "sap", "bvh"]);
    let shown =
        text(&carom(&["pairs", "at-rest:50", "--broad", "sap", "--frames", "3", "--threads", "2"]).stdout);
    for word in ["at-rest:50: 50 boxes in 3 dimensions", "2 threads", "median ms", "set-up ms", "B/box"] {
        assert!(shown.contains(word), "{word}: {shown}");
    }
}

#[test]
fn seeds_matter_and_repeat() {
    let pairs = |seed: &str| {
        json(&["brownian:3000", "--broad", "sap", "--frames", "1", "--warmup", "0", "--seed", seed])["methods"][0]["pairs"]
            .clone()
    };
    assert_eq!(pairs("5"), pairs("5"));
    assert_ne!(pairs("5"), pairs("6"));
}

#[test]
fn whoever_is_too_slow_is_shown_as_such() {
    let slow = ["pairs", "brownian:3000", "--broad", "aabb,sap", "--frames", "2000", "--budget", "0.05"];
    let run = carom(&slow);
    assert!(run.status.success());
    assert!(text(&run.stdout).contains("aabb: over budget after "), "{}", text(&run.stdout));
    let report = json(&slow[1..]);
    let method = &report["methods"][0];
    assert_eq!(method["over_budget"], true);
    assert!(method["frames"].as_u64().unwrap() < 2000 && method["set_up_ms"].is_number());

    // 200 000 boxes: twenty thousand million pairs are not even begun.
    let report = json(&["at-rest:200000", "--broad", "aabb", "--frames", "1", "--budget", "0.2"]);
    let method = &report["methods"][0];
    assert_eq!((&method["over_budget"], &method["frames"]), (&true.into(), &0.into()));
    assert!(method["expected_ms"].as_f64().unwrap() > 200.0 && method["set_up_ms"].is_null());
}

#[test]
fn mistakes_are_explained() {
    let failed = |arguments: &[&str], words: &str| {
        let run = carom(arguments);
        assert_eq!(run.status.code(), Some(2), "{arguments:?}");
        let error = text(&run.stderr);
        assert!(error.contains(words), "{arguments:?}: {error}");
    };
    failed(&["pairs", "brownian:10", "--broad", "gird"], "unknown broad phase 'gird'");
    failed(&["pairs", "brownian:10", "--broad", "grid?cell=-1"], "option 'cell' is '-1'");
    failed(&["pairs", "brownain:10"], "did you mean the swarm `brownian`?");
    failed(&["pairs", "brownian:10?dd=2"], "did you mean `d`?");
    failed(&["pairs", "brownian:0"], "n = `0` is not between");
    failed(&["pairs", "missing.xml"], "missing.xml");
    failed(&["pairs", "brownian:10", "--budget", "0"], "more than 0");
    failed(&["pairs", "brownian:10", "--frames", "0"], "0 is not in 1..");
    failed(&["run", "brownian:10"], "carom pairs brownian:10");
    failed(&["gen", "brownian:10"], "carom pairs brownian:10");
    if cfg!(not(feature = "peers")) {
        failed(&["pairs", "brownian:10", "--broad", "bullet-dbvt"], "--features peers");
    }
}

#[test]
fn every_method_is_listed_with_its_options() {
    let shown = text(&carom(&["list", "broad"]).stdout);
    for method in carom_lab::Method::ALL {
        assert!(shown.contains(&format!("│ {} ", method.name())), "{method}: {shown}");
    }
    for words in ["options: cell", "kdop26", "bullet-axis-sweep3"] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
}
