//! `carom bench-narrow` and `carom list narrow` as a user meets them.

use std::process::{Command, Output};

fn carom(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_carom")).args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Contestants of other libraries.
const PEERS: [&str; 5] = ["parry", "fcl", "fcl-indep", "libccd-gjk", "libccd-mpr"];

#[test]
fn every_pair_and_question_is_answered_without_a_mistake() {
    let output = carom(&["bench-narrow", "--rounds", "1", "--trains", "4", "--json"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let report: serde_json::Value =
        serde_json::from_str(text(&output.stdout).lines().last().unwrap()).unwrap();
    let rows = report["rows"].as_array().unwrap();
    for pair in carom_lab::narrow::task::pair_names() {
        // Three situations, four questions, cold and warm; thin shapes cannot be deep in each
        // other.
        let of_pair = rows.iter().filter(|row| row["pair"] == pair).count();
        assert!(of_pair >= 16, "{pair}: {of_pair} rows");
    }
    for row in rows {
        // Contacts prefer faces, and warm ones keep theirs: by up to twice the slop of 5 mm.
        let limit = match (row["question"] == "manifold", row["start"] == "warm") {
            (true, true) => 1.1e-2,
            (true, false) => 6e-3,
            _ => 1e-3,
        };
        for contestant in row["contestants"].as_array().unwrap() {
            // MPR promises an upper bound of the depth, no more.
            let promises = contestant["name"] != "mpr" || row["question"] == "touch";
            // With the feature `peers` the report has other libraries; their errors are theirs.
            if PEERS.contains(&contestant["name"].as_str().unwrap()) {
                continue;
            }
            if promises && (row["situation"] != "separated" || contestant["name"] != "sat") {
                assert!(contestant["worst_error"].as_f64().unwrap() <= limit, "{row}");
                assert_eq!(contestant["missed"], 0, "{row}");
            }
            assert!(contestant["ns"].as_f64().unwrap() > 0.0, "{row}");
        }
    }
}

#[test]
fn the_table_shows_who_was_asked_what() {
    let output = carom(&[
        "bench-narrow",
        "box–box",
        "--ask",
        "manifold,touch",
        "--narrow",
        "sat,gjk-epa",
        "--rounds",
        "1",
        "--trains",
        "2",
    ]);
    let shown = text(&output.stdout);
    assert!(output.status.success() && shown.contains("manifold: ns per query"), "{shown}");
    assert!(
        shown.contains("gjk-epa") && !shown.contains("v-clip") && !shown.contains("sphere–sphere"),
        "{shown}"
    );
    let errors =
        text(&carom(&["bench-narrow", "box–box", "--errors", "--rounds", "1", "--trains", "2"]).stdout);
    assert!(errors.contains("largest error, m"), "{errors}");
}

#[test]
fn what_is_not_there_is_refused_with_what_is() {
    for (arguments, hint) in [
        (["--ask", "colour"], "distance, touch, depth and manifold"),
        (["--narrow", "gjk"], "gjk-epa"),
        (["banana–banana", "--json"], "sphere–sphere"),
    ] {
        let output = carom(&[&["bench-narrow"], &arguments[..]].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text(&output.stderr).contains(hint), "{}", text(&output.stderr));
    }
}

#[test]
fn all_methods_are_listed() {
    let shown = text(&carom(&["list", "narrow"]).stdout);
    for method in carom_lab::NarrowMethod::ALL {
        assert!(shown.contains(method.name()) && shown.contains(method.about().best), "{method}: {shown}");
    }
}

#[test]
fn two_words_are_a_pair() {
    let pairs = |words: &[&str]| {
        let fixed = ["--ask", "touch", "--narrow", "auto", "--rounds", "1", "--trains", "1", "--json"];
        let output = carom(&[&["bench-narrow"], words, &fixed].concat());
        assert!(output.status.success(), "{words:?}: {}", text(&output.stderr));
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let rows = report["rows"].as_array().unwrap().clone();
        let mut names: Vec<String> =
            rows.iter().map(|row| row["pair"].as_str().unwrap().to_owned()).collect();
        names.dedup();
        names
    };
    for words in [&["box", "hull30"][..], &["hull30", "box"], &["box-hull30"], &["hull30–box"]] {
        assert_eq!(pairs(words), ["hull30–box"], "{words:?}");
    }
    // A name is itself before it is a part of another one.
    assert_eq!(pairs(&["hull10", "hull10"]), ["hull10–hull10"]);
    assert_eq!(pairs(&["hull100"]), ["hull100–hull100"]);
    assert_eq!(pairs(&["box", "box"]), ["box–box"]);
    assert_eq!(pairs(&["box-box", "sphere-sphere"]), ["sphere–sphere", "box–box"]);
    let all = carom_lab::narrow::task::pair_names();
    let with_sphere = all.iter().filter(|pair| pair.contains("sphere")).count();
    assert_eq!(pairs(&["sphere"]).len(), with_sphere);
    assert_eq!(pairs(&["hull", "capsule"]), ["hull30–capsule"]);
    for words in
        [&["box", "banana"][..], &["cone", "cylinder"], &["box", "box", "box"], &["box-box", "box-banana"]]
    {
        let output = carom(&[&["bench-narrow"], words].concat());
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        assert!(text(&output.stderr).contains("hint: "), "{words:?}");
    }
}
