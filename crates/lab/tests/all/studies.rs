//! Studies: plans from files, runs that survive a sudden end, shards that merge, and Fingsics'
//! experiments in small.

use std::convert::Infallible;
use std::fs;
use std::path::{Path, PathBuf};

use carom_lab::bench::Row;
use carom_lab::bench::rounds::{Ending, Watcher};
use carom_lab::experiment::{Asked, Experiment, replay};
use carom_lab::machine::Machine;
use carom_lab::measure::Measured;
use carom_lab::study::group::{Group, Shard};
use carom_lab::study::journal::{Journal, JournalError, Sitting, merge, read};
use carom_lab::study::plan::{Plan, PlanError};
use carom_lab::study::{Study, page};
use carom_lab::task::Task;

const PLAN: &str = r#"
name = "small"
runs = 2
warmup = 0
[[matrix]]
scenes = ["box:{n}"]
vary = { n = [4, 8, 16] }
seeds = [1, 2]
solvers = ["fingsics"]
broad = ["sap", "aabb"]
frames = 3
"#;

/// Ends after some runs.
#[derive(Default)]
struct Count {
    measured: usize,
    passed_over: usize,
    enough: Option<usize>,
}

impl Watcher for Count {
    type Error = Infallible;

    fn begins(&mut self, _: &Row, _: u32) {}

    fn measured(&mut self, _: &Measured) -> Result<(), Infallible> {
        self.measured += 1;
        Ok(())
    }

    fn passed_over(&mut self) {
        self.passed_over += 1;
    }

    fn is_interrupted(&self) -> bool {
        self.enough == Some(self.measured)
    }
}

fn sitting(shard: Shard) -> Sitting {
    Sitting {
        command: vec!["carom".into(), "study".into()],
        shard,
        machine: Machine::default(),
        started: format!("{shard}"),
        finished: None,
        interrupted: false,
    }
}

/// Works on a study in a folder, as the command line does.
fn work(study: &mut Study, folder: &Path, shard: Shard, enough: Option<usize>) -> (Ending, Count) {
    let mut journal = Journal::open(folder, &study.plan, None, sitting(shard)).unwrap();
    study.take_in(read(folder).unwrap().measured);
    let mut count = Count { enough, ..Count::default() };
    let ending = study.run(shard, &study.rounds(None), &mut journal, &mut count).unwrap();
    journal.end("then".into(), ending != Ending::Whole).unwrap();
    (ending, count)
}

fn small() -> Study {
    Study::new(Plan::parse(PLAN).unwrap()).unwrap()
}

#[test]
fn a_plan_is_the_product_of_its_lists() {
    let study = small();
    let names: Vec<String> = study.groups.iter().map(Group::name).collect();
    assert_eq!(names.len(), 6);
    assert_eq!(
        (names[0].as_str(), names[5].as_str()),
        ("box:4, seed 1, fingsics", "box:16, seed 2, fingsics")
    );
    for group in &study.groups {
        let labels: Vec<&str> = group.comparison.rows.iter().map(|row| row.label.as_str()).collect();
        assert_eq!(labels, ["sap", "aabb"]);
    }
    assert_eq!(study.runs_of(Shard::default()), 24);
    let shards: Vec<Shard> = ["1/4", "2/4", "3/4", "4/4"].map(|text| text.parse().unwrap()).to_vec();
    assert_eq!(
        shards.iter().map(|shard| study.runs_of(*shard)).sum::<u64>(),
        24,
        "every group is in one shard"
    );
}

#[test]
fn mistakes_in_plans_are_named() {
    let plan = |change: &dyn Fn(&mut Plan)| {
        let mut plan = Plan::parse(PLAN).unwrap();
        change(&mut plan);
        Study::new(plan).unwrap_err().to_string()
    };
    for (error, words) in [
        (plan(&|plan| plan.name = "../x".into()), "'../x' is no name"),
        (plan(&|plan| plan.runs = 0), "runs = 0"),
        (plan(&|plan| plan.budget = Some(-1.0)), "budget = -1"),
        (plan(&|plan| plan.matrices.clear()), "matrix is empty"),
        (plan(&|plan| plan.matrices[0].scenes.clear()), "scenes is empty"),
        (plan(&|plan| plan.matrices[0].scenes = vec!["box:{m}".into()]), "names {m}, which has no values"),
        (plan(&|plan| plan.matrices[0].scenes = vec!["box:7".into()]), "does not name {n}"),
        (plan(&|plan| plan.matrices[0].threads = vec![0]), "threads = 0"),
        (plan(&|plan| plan.matrices[0].seeds = vec![1, 1]), "twice"),
        (plan(&|plan| plan.matrices[0].frames = Some(0)), "frames = 0"),
        (plan(&|plan| plan.matrices[0].seeds = (0..500_000).collect()), "are too many"),
    ] {
        assert!(error.contains(words), "{words}: {error}");
    }
    for (text, words) in [
        (PLAN.replace("seeds", "seed"), "unknown field `seed`"),
        (PLAN.replace("\"sap\"", "\"sup\""), "sup"),
        (PLAN.replace("runs = 2", "runs = \"two\""), "line 3"),
        ("name = ".to_owned(), "line 1"),
    ] {
        let Err(PlanError::Text(error)) = Plan::parse(&text) else { panic!("{text}") };
        assert!(error.contains(words), "{words}: {error}");
    }
    for bad in ["0/3", "4/3", "3", "a/b", "1/0", ""] {
        assert!(bad.parse::<Shard>().unwrap_err().contains("3/8"), "{bad}");
    }
}

#[test]
fn a_study_goes_on_where_it_ended_and_half_a_line_is_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let (ending, count) = work(&mut small(), folder.path(), Shard::default(), Some(5));
    assert!(matches!(ending, Ending::Interrupted { .. }) && count.measured == 5);
    // A sudden end in the middle of a line.
    let path = folder.path().join("samples.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(text.lines().count(), 5);
    fs::write(&path, &text[..text.len() - 40]).unwrap();
    let stored = read(folder.path()).unwrap();
    assert_eq!((stored.measured.len(), stored.torn), (4, 1));
    let mut study = small();
    let (ending, count) = work(&mut study, folder.path(), Shard::default(), None);
    assert_eq!((ending, count.measured, count.passed_over), (Ending::Whole, 20, 4));
    assert_eq!(study.unfinished().count(), 0);
    let stored = read(folder.path()).unwrap();
    assert_eq!((stored.measured.len(), stored.torn, stored.file.sessions.len()), (24, 0, 2));
    assert!(stored.file.sessions[0].interrupted && !stored.file.sessions[1].interrupted);
    let (_, count) = work(&mut small(), folder.path(), Shard::default(), None);
    assert_eq!((count.measured, count.passed_over), (0, 24), "everything is there");
    for group in &study.groups {
        assert_eq!(group.comparison.differences(), []);
    }
}

#[test]
fn shards_share_a_folder_or_are_merged_and_give_the_same_study() {
    let base = tempfile::tempdir().unwrap();
    let (shared, apart) = (base.path().join("shared"), base.path().join("apart"));
    let shards: Vec<Shard> = ["1/3", "2/3", "3/3"].map(|text| text.parse().unwrap()).to_vec();
    for shard in &shards {
        work(&mut small(), &shared, *shard, None);
        work(&mut small(), &apart.join(shard.index.to_string()), *shard, None);
    }
    let folders: Vec<PathBuf> = shards.iter().map(|shard| apart.join(shard.index.to_string())).collect();
    let merged = base.path().join("merged");
    // Twice the same does no harm, nor does merging again.
    merge(&[folders.clone(), vec![folders[0].clone()]].concat(), &merged).unwrap();
    merge(&[folders.as_slice(), std::slice::from_ref(&merged)].concat(), &merged).unwrap();
    for folder in [&shared, &merged] {
        let stored = read(folder).unwrap();
        assert_eq!((stored.measured.len(), stored.file.sessions.len()), (24, 3), "{}", folder.display());
        let mut study = small();
        let taken = study.take_in(stored.measured);
        assert_eq!((taken.known, taken.twice, taken.strange), (24, 0, 0));
        assert_eq!(study.unfinished().count(), 0);
        let text = format!("{:?}", page::page(&study, &stored.file));
        assert!(
            text.contains("Time per step")
                && text.contains("no ranking: 2 runs")
                && !text.contains("Not finished")
        );
    }
}

#[test]
fn other_plans_busy_shards_and_broken_lines_are_refused_with_their_place() {
    let folder = tempfile::tempdir().unwrap();
    let plan = small().plan;
    let open =
        |plan: &Plan, shard: &str| Journal::open(folder.path(), plan, None, sitting(shard.parse().unwrap()));
    assert!(matches!(read(folder.path()), Err(JournalError::NoStudy(_))));
    let journal = open(&plan, "1/2").unwrap();
    assert!(matches!(open(&plan, "1/2"), Err(JournalError::Busy(_))), "two processes, one file");
    drop(open(&plan, "2/2").unwrap());
    drop(journal);
    let other = Plan { runs: 3, ..plan.clone() };
    let error = open(&other, "1/2").unwrap_err();
    assert!(matches!(error, JournalError::OtherPlan(_)) && error.hint().unwrap().contains("--fresh"));
    fs::write(folder.path().join("samples-1-of-2.jsonl"), "{}\n").unwrap();
    let error = open(&plan, "1/2").unwrap_err().to_string();
    assert!(error.contains("samples-1-of-2.jsonl:1: "), "{error}");
    assert!(matches!(merge(&[], &folder.path().join("x")), Err(JournalError::NoStudy(_))));
}

#[test]
fn what_is_too_slow_at_one_size_is_not_run_at_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let mut study = small();
    // No step is done in no time: every row misses at the first size.
    study.plan.longest_step = Some(1e-9);
    let (ending, count) = work(&mut study, folder.path(), Shard::default(), None);
    // Two seeds, two rows, two runs at the smallest size; the other two sizes are passed over.
    assert_eq!((ending, count.measured, count.passed_over), (Ending::Whole, 8, 16));
    assert_eq!(study.unfinished().count(), 0);
    let stored = read(folder.path()).unwrap();
    let text = format!("{:?}", page::page(&study, &stored.file));
    assert!(text.contains("too slow at box:4, seed 1"), "{text}");
}

#[test]
fn experiments_hold_their_checks_in_small_and_notice_wrong_counts() {
    for experiment in Experiment::ALL {
        let folder = tempfile::tempdir().unwrap();
        let mut plan = experiment.plan(&Asked { quick: true, data: None, runs: Some(1) });
        (plan.warmup, plan.budget) = (0, None);
        for matrix in &mut plan.matrices {
            matrix.frames = Some(4);
            let shrink = |scene: &String| scene.replace("n=1000", "n=40").replace("3162", "60");
            matrix.scenes = matrix.scenes.iter().map(shrink).collect();
            if let Some(sizes) = matrix.vary.get_mut("n") {
                *sizes = vec![20.0, 40.0];
            }
        }
        let mut study = Study::new(plan).unwrap();
        work(&mut study, folder.path(), Shard::default(), None);
        let file = read(folder.path()).unwrap().file;
        let replayed: Vec<_> = experiment
            .replays(true)
            .into_iter()
            .take(1)
            .map(|task| Task { scene: "box:30".into(), frames: Some(5), ..task })
            .map(|task| replay::replay(&task, folder.path(), || true).unwrap())
            .collect();
        for one in &replayed {
            assert_eq!((one.bodies, one.frame_ms.len(), one.seek_ms.len()), (36, 5, 5));
        }
        let findings = experiment.findings(&study, &file, &replayed);
        for check in &findings.checks {
            // Forty bodies are not ten thousand.
            assert_eq!(check.passed, !check.what.contains("at least 10 000"), "{experiment}: {check:?}");
        }
        let written = findings.report.write(folder.path().join("report")).unwrap();
        assert!(fs::read_to_string(written.html).unwrap().contains("Experiment"));
        // One pair more in one step of one row: some check or another must see it.
        let wrong = |measured: &mut Measured| {
            if let Measured::Done(sample) = measured {
                sample.series.tested[1] += 1_000_000;
                sample.series.contacts[1] += 1;
            }
        };
        let groups = study.groups.iter_mut().filter(|group| group.comparison.rows.len() > 1);
        let rows = groups.flat_map(|group| &mut group.comparison.rows).filter(|row| row.label == "sapobb");
        rows.flat_map(|row| &mut row.measured).for_each(wrong);
        let findings = experiment.findings(&study, &file, &replayed);
        let failed = findings.checks.iter().filter(|check| !check.passed).count();
        assert!(failed > usize::from(experiment == Experiment::E4), "{experiment}: {:?}", findings.checks);
    }
}

#[test]
fn plans_of_experiments_have_the_originals_parameters() {
    let asked = Asked::default();
    let e1 = Experiment::E1.plan(&asked);
    assert_eq!((e1.runs, e1.budget, e1.matrices[0].frames), (3, Some(3600.0), Some(600)));
    assert_eq!(e1.matrices[0].vary["n"].len(), 9);
    let e2 = Experiment::E2.plan(&asked);
    assert_eq!(e2.matrices[0].vary["ratio"], [1.0, 4.0, 8.0, 12.0, 16.0]);
    assert!(Study::new(Experiment::E4.plan(&asked)).is_ok());
    assert!("e5".parse::<Experiment>().unwrap_err().to_string().contains("e1, e2, e3, e4"));
}

/// The thesis' printed numbers on the scenes that are at hand.
#[test]
fn e2_finds_the_printed_numbers_of_the_original() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/fingsics");
    if !data.is_dir() {
        println!("skipped: no {}", data.display());
        return;
    }
    let asked = Asked { quick: true, data: Some(data), runs: Some(1) };
    let mut plan = Experiment::E2.plan(&asked);
    plan.warmup = 0;
    plan.matrices.remove(0);
    assert_eq!(plan.matrices.len(), 2, "the scene 4:1, with two methods");
    let folder = tempfile::tempdir().unwrap();
    let mut study = Study::new(plan).unwrap();
    work(&mut study, folder.path(), Shard::default(), None);
    let findings = Experiment::E2.findings(&study, &read(folder.path()).unwrap().file, &[]);
    let printed: Vec<(&str, bool)> = findings
        .checks
        .iter()
        .filter(|check| check.what.contains("object checks"))
        .map(|check| (check.found.as_str(), check.passed))
        .collect();
    assert_eq!(printed, [("419274", true), ("135933", true)]);
}
