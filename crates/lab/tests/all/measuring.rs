//! Measuring: what is kept of a run, budgets, processes that go wrong, and that different results
//! are never compared.

use std::ops::ControlFlow;
use std::time::Duration;

use carom_lab::bench::{Comparison, Row};
use carom_lab::measure::{Conditions, MeasureError, Measured, Sample, here, watched};
use carom_lab::task::Task;
use carom_sim::MetricGroup;

fn task(scene: &str, frames: u64) -> Task {
    Task { scene: scene.into(), frames: Some(frames), ..Task::default() }
}

fn quick() -> Conditions {
    Conditions { warmup: 3, ..Conditions::default() }
}

fn row(label: &str, task: &Task) -> Row {
    let mut row = Row::new(label, task.clone());
    row.measured.push(Measured::Done(Box::new(here(task, &quick()).unwrap())).at(1, 1));
    row
}

/// Every sum is that of its series, and the counts are those of a session stepped by hand.
fn is_consistent(sample: &Sample, task: &Task) {
    let mut session = task.prepare().unwrap().session().unwrap();
    let mut contacts = Vec::new();
    let at = session.schema().position(MetricGroup::Counts, "contacts").unwrap();
    while session.steps() + 1 < session.frames() {
        contacts.push(session.step().unwrap().values[at].as_count());
    }
    assert_eq!((sample.steps, sample.step_ns.len()), (session.steps(), contacts.len()));
    assert_eq!(sample.series.contacts, contacts, "the warm-up leaves no trace");
    assert_eq!(sample.state_hash, session.simulation().state_hash());
    assert_eq!(
        (&sample.broad, sample.scene.as_str()),
        (&session.info().broad_phase, session.scene().name.as_str())
    );
    for stage in &sample.stages {
        assert_eq!((stage.step_ns.iter().sum::<u64>(), stage.step_ns.len()), (stage.sum_ns, contacts.len()));
    }
    assert_eq!(sample.count("contacts"), contacts.iter().sum::<u64>());
    assert_eq!(sample.count("tested_pairs"), sample.series.tested.iter().sum::<u64>());
    assert!(sample.wall_ns >= sample.step_ns.iter().sum::<u64>() && sample.setup_ns > 0);
    assert!(!sample.over_budget && sample.warmup_steps == 3);
    assert_eq!(serde_json::from_str::<Sample>(&serde_json::to_string(sample).unwrap()).unwrap(), *sample);
}

#[test]
fn a_sample_says_what_a_session_does() {
    let original = Task { solver: Some("fingsics".parse().unwrap()), ..task("box:40", 25) };
    let sample = here(&original, &quick()).unwrap();
    is_consistent(&sample, &original);
    assert_eq!(
        (sample.solver.as_str(), sample.kinds.len(), sample.series.box_tests.len()),
        ("fingsics", 5, 24)
    );
    let tests: u64 = sample.kinds.iter().map(|kind| kind.tests).sum();
    assert_eq!(tests, sample.count("tested_pairs"));

    let engine = task("pile:20", 25);
    let sample = here(&engine, &quick()).unwrap();
    is_consistent(&sample, &engine);
    assert_eq!(
        (sample.solver.as_str(), sample.kinds.len(), sample.series.box_tests.len()),
        ("soft-step", 0, 0)
    );
}

#[test]
fn methods_and_threads_agree_and_other_tasks_do_not() {
    let with = |broad: &str| Task {
        broad: Some(broad.parse().unwrap()),
        solver: Some("fingsics".parse().unwrap()),
        ..task("box:150", 40)
    };
    let mut all = Comparison { rows: ["sap", "aabb", "sapobb", "none"].map(|b| row(b, &with(b))).to_vec() };
    assert_eq!(all.differences(), []);
    let tested = |row: &Row| row.example().unwrap().count("tested_pairs");
    assert!(tested(&all.rows[2]) < tested(&all.rows[0]), "sapobb tests fewer pairs, and may");

    all.rows.push(row("half", &Task { fps: Some(30), ..with("sap") }));
    let said: Vec<String> = all.differences().iter().map(ToString::to_string).collect();
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].starts_with("step ") && said[0].ends_with(" with half"), "{said:?}");
    all.rows[4] = row("seed", &Task { seed: Some(9), ..with("sap") });
    assert_eq!(all.differences()[0].to_string(), "sap and seed ran different scenes");

    let threads = |threads| Task { threads, ..task("pile:30", 40) };
    let all = Comparison { rows: vec![row("one", &threads(1)), row("two", &threads(2))] };
    assert_eq!(all.differences(), []);
}

#[test]
fn a_budget_cuts_short_and_keeps_what_there_is() {
    let long = Task { solver: Some("fingsics".parse().unwrap()), ..task("box:60", 1_000_000) };
    let budget = Some(Duration::from_millis(30));
    let sample = here(&long, &Conditions { budget, ..quick() }).unwrap();
    assert!(sample.over_budget && sample.steps > 0 && sample.steps < 999_999);
    assert_eq!(sample.step_ns.len() as u64, sample.steps);
    // A budget that is used up before the first step leaves one step: no sample is empty.
    let sample = here(&long, &Conditions { budget: Some(Duration::ZERO), ..quick() }).unwrap();
    assert_eq!((sample.over_budget, sample.steps, sample.warmup_steps), (true, 1, 0));
    let sample = here(&task("box:60", 3), &Conditions { budget: Some(Duration::from_secs(600)), ..quick() });
    assert!(!sample.unwrap().over_budget);
}

#[test]
fn observers_see_every_step_and_may_end_it() {
    let mut seen = Vec::new();
    watched(&task("box:20", 6), &quick(), |steps| {
        seen.push(steps);
        ControlFlow::Continue(())
    })
    .unwrap();
    assert_eq!(seen, [1, 2, 3, 4, 5]);
    let ended = watched(&task("box:20", 6), &quick(), |_| ControlFlow::Break(()));
    assert!(matches!(ended, Err(MeasureError::Interrupted)));
    assert!(matches!(here(&task("no-such-scene", 6), &quick()), Err(MeasureError::Task(_))));
}

#[cfg(unix)]
mod processes {
    use std::os::unix::fs::PermissionsExt;
    use std::path::{Path, PathBuf};

    use carom_lab::measure::isolated;

    use super::*;

    /// A program that is one of our own making.
    fn program(folder: &Path, script: &str) -> PathBuf {
        let path = folder.join("program");
        std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    fn reason(script: &str, conditions: &Conditions) -> String {
        let folder = tempfile::tempdir().unwrap();
        let asked = task("box:9", 4);
        match isolated(&program(folder.path(), script), &asked, conditions, &|| false) {
            Measured::Failed(failed) => {
                assert_eq!(failed.task, asked);
                failed.reason
            }
            Measured::Done(sample) => panic!("{sample:?}"),
        }
    }

    #[test]
    fn whatever_a_process_does_is_told() {
        let quick = quick();
        let crash = reason("cat >/dev/null; echo 'out of memory' >&2; kill -SEGV $$", &quick);
        assert!(
            crash.contains("crashed") && crash.contains("11") && crash.ends_with("out of memory"),
            "{crash}"
        );
        let status = reason("cat >/dev/null; echo why >&2; exit 3", &quick);
        assert_eq!(status, "the process ended with status 3: why");
        let nonsense = reason("cat >/dev/null; echo hello", &quick);
        assert!(nonsense.starts_with("its answer is no sample: "), "{nonsense}");
        // It does not even read what it is given.
        assert_eq!(reason("exit 4", &quick), "the process ended with status 4");
        let talkative = reason("yes 0123456789 | head -c 1000000 >&2; echo end >&2; exit 5", &quick);
        assert!(talkative.len() < 2100 && talkative.ends_with("end"), "{}", talkative.len());
    }

    #[test]
    fn a_program_that_is_not_there_is_a_failure_like_others() {
        let gone = isolated(Path::new("/no/such/program"), &task("box:9", 4), &quick(), &|| false);
        let Measured::Failed(failed) = gone else { panic!("{gone:?}") };
        assert!(failed.reason.starts_with("/no/such/program cannot be started: "), "{}", failed.reason);
    }

    #[test]
    fn the_task_and_the_conditions_reach_the_process() {
        let folder = tempfile::tempdir().unwrap();
        let (words, read) = (folder.path().join("words"), folder.path().join("read"));
        let script = format!("echo \"$@\" > {}; cat > {}; exit 1", words.display(), read.display());
        let asked = Task { threads: 3, ..task("box:9", 4) };
        let conditions = Conditions {
            warmup: 7,
            budget: Some(Duration::from_millis(2500)),
            pin: Some("auto".parse().unwrap()),
        };
        let _ = isolated(&program(folder.path(), &script), &asked, &conditions, &|| false);
        let words = std::fs::read_to_string(words).unwrap();
        assert_eq!(words.trim(), "measure --warmup 7 --budget 2.5 --pin auto");
        assert_eq!(serde_json::from_slice::<Task>(&std::fs::read(read).unwrap()).unwrap(), asked);
    }
}
