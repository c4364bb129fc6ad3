//! The words of `carom study`, `carom experiment` and `carom report`.

use std::path::PathBuf;

use carom_lab::experiment::Experiment;
use carom_lab::study::group::Shard;
use clap::Args;

#[derive(Args, Clone, Debug)]
#[command(after_help = "\
A PLAN is a text file; docs/studies.md explains every key:
  name = \"scaling\"
  runs = 5
  budget = 60
  [[matrix]]
  scenes = [\"box:{n}\"]
  vary = { n = [100, 1000, 10000] }
  broad = [\"sap\", \"sapobb\", \"bvh\"]
Every run is on the disk before the next begins: the same command goes on where the last one ended.
As an array job: carom study plan.toml --shard $SLURM_ARRAY_TASK_ID/8, then carom report studies/scaling.
Exit status 1 if rows that must agree computed different things, or a run failed.")]
pub(crate) struct StudyOptions {
    /// Plan file
    pub(crate) plan: PathBuf,

    #[command(flatten)]
    pub(crate) work: Work,
}

#[derive(Args, Clone, Debug)]
#[command(after_help = "\
e1  broad phases and the number of bodies: 10 to 100 000, until a run takes an hour
e2  elongation: capsules from 1:1 to 16:1, sap against sapobb; with --data Fingsics' scenes and printed numbers
e3  where the time of a frame of 10 000 bodies goes, simulated and replayed
e4  how many bodies at 60 frames per second, simulated and replayed
Results go to experiments/NAME/: report.html, report.md, SVG, PNG, CSV, and every raw sample.
Exit status 1 if a check fails.")]
pub(crate) struct ExperimentOptions {
    /// Experiment: e1, e2, e3, e4
    pub(crate) name: Experiment,

    /// A smaller one of the same kind, in a few minutes
    #[arg(long)]
    pub(crate) quick: bool,

    /// Folder with scenes of Fingsics, for e2
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,

    /// Runs of each task [default: 3, as Fingsics; 5 for --quick e1 and e2]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) runs: Option<u32>,

    #[command(flatten)]
    pub(crate) work: Work,
}

/// How the runs of a plan are made.
#[derive(Args, Clone, Debug)]
pub(crate) struct Work {
    /// Do only this share of the groups: K/N with K from 1 to N
    #[arg(long, value_name = "K/N", default_value = "1/1", hide_default_value = true)]
    pub(crate) shard: Shard,

    /// Folder below which the study has its folder [default: here]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// Begin anew in a folder of its own instead of going on
    #[arg(long)]
    pub(crate) fresh: bool,

    /// Show what would be run, and run nothing
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Run everything in this process: quicker to start, but memory and crashes are shared
    #[arg(long)]
    pub(crate) in_process: bool,

    /// Print one line of JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Shards may share a folder or come from several machines, each with its folder:
  carom report studies/scaling
  carom report node1/studies/scaling node2/studies/scaling --out all
Times are compared only within a group, which one machine has measured as a whole.")]
pub(crate) struct ReportOptions {
    /// Folders of one study
    #[arg(required = true)]
    pub(crate) folders: Vec<PathBuf>,

    /// Folder for the report and all runs together [default: the first folder; needed for several]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// Print one line of JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
}
