//! The command line's words.

mod advise;
mod replay;
mod runs;
mod study;

use std::path::PathBuf;
use std::time::Duration;

use carom_fingsics::{FingsicsVersion, QuirkList};
use carom_lab::measure::{Conditions, DEFAULT_WARMUP, Pin};
use carom_lab::pairs::Entrants;
use carom_lab::solver;
use carom_lab::{Choice, ChoiceError, Method};
use carom_sim::SimulationSpec;
use carom_sim::engine::SimdSetting;
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

pub(crate) use advise::AdviseOptions;
pub(crate) use replay::ReplayOptions;
pub(crate) use runs::{DivergeOptions, Outputs, RerunOptions, ResumeOptions};
pub(crate) use study::{ExperimentOptions, ReportOptions, StudyOptions, Work};

const EXAMPLES: &str = "\
Examples:
  carom                                          the demo
  carom run pyramid:40                           a library scene on the engine
  carom run box:3162 --solver fingsics           the same by the rules of Fingsics
  carom run scenes/ramp.xml --log --record       with report and recording
  carom bench box:1000 --broad sap,sapobb --runs 7
  carom bench pile:500 --threads 1,2 --against main
  carom experiment e1 --quick                    a study of Fingsics, in small
  carom study plan.toml --shard 3/8              a share of a study of your own
  carom pairs brownian:16000 --broad sap,grid,bvh --verify
  carom advise pile:500 --verify                 which broad phase, and was that right?
  carom test expected-results/                   scenes with known results
  carom gen pyramid:40 -o pyramid.toml           a scene to look at and edit
  carom info scene.xml
  carom list scenes
  carom --config config.txt                      a Fingsics configuration";

/// A collision laboratory: run scenes, compare broad phases, check results.
#[derive(Debug, Parser)]
#[command(name = "carom", version, after_help = EXAMPLES, max_term_width = 110)]
pub(crate) struct Cli {
    /// A Fingsics configuration file; options given beside it win over it
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Simulate a scene
    Run(RunOptions),
    /// Repeat a run from its folder and compare the results
    Rerun(RerunOptions),
    /// Show a recording in the terminal, or write it for other programs
    Replay(ReplayOptions),
    /// Let a run go on from a snapshot
    Resume(ResumeOptions),
    /// Find the first frame, stage, body and field in which two runs differ
    Diverge(DivergeOptions),
    /// Time scenes with several broad phases or threads, and say who is faster if that can be said
    Bench(BenchOptions),
    /// Measure all tasks of a plan: scenes × sizes × methods × threads × seeds; goes on where it
    /// ended, can be shared
    Study(StudyOptions),
    /// Repeat a study of Fingsics: e1, e2, e3, e4
    Experiment(ExperimentOptions),
    /// Put the parts of a study together and write its report
    Report(ReportOptions),
    /// Measure one task: JSON in, JSON out, for processes that `bench` starts
    #[command(hide = true)]
    Measure(MeasureOptions),
    /// Time and check broad phases alone, on moving boxes without physics
    Pairs(PairsOptions),
    /// Say which broad phase suits a scene and why; or survey which one wins where
    Advise(AdviseOptions),
    /// Time and check narrow phases alone, on pairs of shapes
    BenchNarrow(BenchNarrowOptions),
    /// Run scenes with known results and compare row by row; exit 1 on any difference
    Test(TestOptions),
    /// Say what is in a scene, recording, report or configuration file
    Info(InfoOptions),
    /// Write a library scene to a file
    Gen(GenOptions),
    /// List what there is to choose from
    List {
        /// What to list
        kind: ListKind,
    },
    /// Print a completion script for a shell
    Completions {
        /// Shell
        shell: Shell,
    },
}

/// Options of everything that simulates.
#[derive(Args, Clone, Debug)]
pub(crate) struct Simulation {
    /// Frames; the first is the scene as loaded, so N frames are N−1 steps [default: the scene's,
    /// else 600]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pub(crate) frames: Option<u64>,

    /// Steps per simulated second [default: the scene's, else 60]
    #[arg(long, value_name = "HZ", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) fps: Option<u32>,

    /// Solver: see `carom list solvers`, with settings as in soft-step@substeps=8 [default:
    /// the scene's, else soft-step]
    #[arg(long, value_name = "NAME", value_parser = solver::parse)]
    pub(crate) solver: Option<SimulationSpec>,

    /// Narrow phase: see `carom list narrow`; pairs of shapes that a method does not take are left
    /// to auto
    #[arg(long, value_name = "NAME", default_value = "auto")]
    pub(crate) narrow: String,

    /// Integrator: the solver's own, or by name to be sure of it; see `carom list integrators`
    #[arg(long, value_name = "NAME", value_parser = ["auto", "fingsics", "soft-step"], default_value = "auto")]
    pub(crate) integrator: String,

    /// Quirks of Fingsics to keep: all, or names from `carom list quirks`
    #[arg(long, alias = "keep", value_name = "LIST")]
    pub(crate) keep_quirks: Option<QuirkList>,

    /// Quirks of Fingsics to fix: all, or names from `carom list quirks`
    #[arg(long, alias = "mend", value_name = "LIST")]
    pub(crate) fix_quirks: Option<QuirkList>,

    /// SIMD width: auto, scalar, 4, 8 or 16; no result depends on it, and the fingsics rules are
    /// scalar always
    #[arg(long, value_name = "WIDTH", default_value = "auto")]
    pub(crate) simd: SimdSetting,

    /// Seed of a library scene that is random
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,

    /// Folder below which output folders are made [default: here]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// Print one line of JSON instead of tables
    #[arg(long)]
    pub(crate) json: bool,
}

impl Default for Simulation {
    /// What clap fills in when nothing is said; for runs that a configuration file starts.
    fn default() -> Self {
        Self {
            frames: None,
            fps: None,
            solver: None,
            narrow: "auto".to_owned(),
            integrator: "auto".to_owned(),
            keep_quirks: None,
            fix_quirks: None,
            simd: SimdSetting::default(),
            seed: None,
            out: None,
            json: false,
        }
    }
}

#[derive(Args, Clone, Debug, Default)]
#[command(
    after_help = "A SCENE is a file (.xml, .toml, .carom) or a library name such as box:3162 or bowling-alley."
)]
pub(crate) struct RunOptions {
    /// Scene file or library name; may be left out with --config
    pub(crate) scene: Option<String>,

    /// Broad phase: see `carom list broad` [default: the scene's, else the solver's]
    #[arg(long, value_name = "NAME")]
    pub(crate) broad: Option<Choice>,

    /// Run without drawing (there is no viewer yet, so every run does)
    #[arg(long)]
    pub(crate) headless: bool,

    #[command(flatten)]
    pub(crate) outputs: Outputs,

    /// Threads; the fingsics rules use one whatever is asked [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,

    #[command(flatten)]
    pub(crate) simulation: Simulation,
}

#[derive(Args, Clone, Debug, Default)]
#[command(after_help = "\
Every task runs once per round, in a process of its own, and every other round goes backwards. Times are ranked only if all
tasks computed the same and their intervals lie apart: docs/measuring.md says how figures come about.
Raw samples, manifest and table go to measurements/SCENE--TIME/, Fingsics' reports of the fingsics solvers (run1.csv …,
averages_per_frame.csv, summary.txt) to benchmarks/SCENE_METHOD--TIME/.
Exit status 1 if results differ, a run failed, or --against finds a row slower by more than the tolerance.")]
pub(crate) struct BenchOptions {
    /// Scene files or library names; may be left out with --config
    pub(crate) scenes: Vec<String>,

    /// Broad phases, comma-separated; `all` for every one [default: the scene's, else the solver's]
    #[arg(long, value_name = "LIST")]
    pub(crate) broad: Option<Choices>,

    /// Threads, comma-separated; the fingsics rules use one whatever is asked [default: 1]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Vec<u16>,

    /// Runs of each [default: 5]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) runs: Option<u32>,

    #[command(flatten)]
    pub(crate) conditions: MeasureOptions,

    /// Run everything in this process: quicker to start, but memory and crashes are shared
    #[arg(long)]
    pub(crate) in_process: bool,

    /// Keep the samples as benchmarks/baselines/NAME.json
    #[arg(long, value_name = "NAME")]
    pub(crate) save: Option<String>,

    /// Compare with the samples kept under this name
    #[arg(long, value_name = "NAME")]
    pub(crate) against: Option<String>,

    /// Per cent that a row may be slower than the one it is compared with
    #[arg(long, value_name = "PERCENT", default_value = "5", requires = "against")]
    pub(crate) tolerance: Percent,

    /// Write no files, except those of --save
    #[arg(long)]
    pub(crate) no_files: bool,

    #[command(flatten)]
    pub(crate) simulation: Simulation,
}

/// How one run is measured.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct MeasureOptions {
    /// Steps of a session that is thrown away before each run [default: 20]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(0..=100_000_000))]
    pub(crate) warmup: Option<u64>,

    /// Time after which a run is cut short and kept as it is
    #[arg(long, value_name = "SECONDS")]
    pub(crate) budget: Option<Seconds>,

    /// Keep each run on as many processors as it has threads: from this one on, or `auto`
    #[arg(long, value_name = "CPU")]
    pub(crate) pin: Option<Pin>,
}

impl MeasureOptions {
    pub(crate) fn conditions(&self) -> Conditions {
        Conditions {
            warmup: self.warmup.unwrap_or(DEFAULT_WARMUP),
            budget: self.budget.map(|budget| Duration::from_secs_f64(budget.0)),
            pin: self.pin,
        }
    }
}

/// A share in per cent, not negative.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Percent(pub(crate) f64);

impl std::str::FromStr for Percent {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.trim_end_matches('%').trim().parse::<f64>() {
            Ok(percent) if (0.0..=1e6).contains(&percent) => Ok(Self(percent)),
            _ => Err("expected per cent, from 0 to 1000000".to_owned()),
        }
    }
}

/// Options of `carom bench-narrow`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Each row is a pair of shapes in one of three situations (separated by 5 to 30 cm, touching, 8 to 20 cm deep), asked cold
(nothing kept between queries) or warm (small steps, as from frame to frame). Times are medians in nanoseconds per query;
a mark ! follows where the answers of a contestant are off by more than a millimetre (contact points: 11 mm, as a face is
preferred to edges that are better by less than 5, and kept for as much again) or missing: --errors says how much.
Other libraries (parry3d, FCL, libccd) take part if built with --features peers.")]
pub(crate) struct BenchNarrowOptions {
    /// Two shapes that make a pair (box hull30), one shape for all its pairs, or pairs (box-box
    /// box-hull30) [default: all]
    #[arg(value_name = "SHAPE")]
    pub(crate) words: Vec<String>,

    /// Questions, comma-separated: distance, touch, depth, manifold [default: all]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(crate) ask: Vec<String>,

    /// Narrow phases, comma-separated: see `carom list narrow` [default: all]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(crate) narrow: Vec<String>,

    /// Samples of each figure
    #[arg(long, value_name = "N", default_value_t = 31, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    pub(crate) rounds: u16,

    /// Starting places per row; eight small steps follow each
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    pub(crate) trains: u16,

    /// Show the largest errors instead of the times
    #[arg(long)]
    pub(crate) errors: bool,

    /// Last line of standard output: one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Clone, Debug)]
#[command(after_help = "\
A SCENE is a swarm such as brownian:16000 or line:1000?d=2 (see `carom list scenes`), or any other scene: a library name, a
scene file or a planar model, whose bodies then go on with their first velocities, through each other.
LIST holds names with options and refinement, such as grid?cell=2+obb (see `carom list broad`), `all` for every method,
`peers` for those of other engines.
All methods get every frame in turn. The time of a frame is that of handing over what moved and of finding the pairs.
Exit status 1 if --verify finds a wrong pair.")]
pub(crate) struct PairsOptions {
    /// Swarm, scene file or library name
    pub(crate) scene: String,

    /// Broad phases, comma-separated [default: all]
    #[arg(long, value_name = "LIST")]
    pub(crate) broad: Option<Entrants>,

    /// Frames that count
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pub(crate) frames: u64,

    /// Frames before them
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u64).range(0..=100_000_000))]
    pub(crate) warmup: u64,

    /// Threads, for methods that can use several
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: u16,

    /// Compare the pairs of every method in every frame with those of an independent oracle
    #[arg(long)]
    pub(crate) verify: bool,

    /// Time each method may use in all
    #[arg(long, value_name = "SECONDS", default_value = "60")]
    pub(crate) budget: Seconds,

    /// Seed of a scene that is random
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,

    /// Print one line of JSON instead of a table
    #[arg(long)]
    pub(crate) json: bool,
}

/// A positive time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seconds(pub(crate) f64);

impl std::str::FromStr for Seconds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.parse::<f64>() {
            Ok(seconds) if seconds > 0.0 && seconds <= 1e6 => Ok(Self(seconds)),
            _ => Err("expected seconds, more than 0 and at most 1000000".to_owned()),
        }
    }
}

#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Every NAME_test.csv below DIR is paired with NAME.xml in the folder beside it (expected* → scenes*) or in `scenes`
above it. A report with the column MoveTime is run by the rules of September 2021, one with DrawTime by the newest.")]
pub(crate) struct TestOptions {
    /// Folder with scenes and expected reports
    #[arg(default_value = ".")]
    pub(crate) dir: PathBuf,

    /// Broad phase
    #[arg(long, value_name = "NAME", default_value = "sap")]
    pub(crate) broad: Method,

    /// Use these rules for all reports instead of those each asks for
    #[arg(long, value_name = "NAME")]
    pub(crate) solver: Option<FingsicsVersion>,

    /// Print one line of JSON instead of a table
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Clone, Debug)]
pub(crate) struct InfoOptions {
    /// Scene file, library name, folder of a run, recording (.crec, scene.dat), .snapshot, report,
    /// config.txt or mesh (.obj, .stl)
    pub(crate) source: String,

    /// Print one line of JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Clone, Debug)]
#[command(
    after_help = "NAME[:n][?key=value&…]: see `carom list scenes`. The format follows the ending: .toml, .carom, .xml, .txt."
)]
pub(crate) struct GenOptions {
    /// Library scene, or a scene file to convert
    pub(crate) name: String,

    /// File to write; without it the text goes to standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Seed of a scene that is random
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ListKind {
    /// Library scenes
    Scenes,
    /// Broad phases
    Broad,
    /// Narrow phases
    Narrow,
    /// Solvers
    Solvers,
    /// Engines a scene can be run on
    Engines,
    /// Experiments
    Experiments,
    /// Integrators
    Integrators,
    /// Quirks of Fingsics that can be kept or fixed
    #[value(alias = "slips")]
    Quirks,
}

/// Broad phases by a list of names, or all of them.
#[derive(Clone, Debug)]
pub(crate) struct Choices(pub(crate) Vec<Choice>);

impl std::str::FromStr for Choices {
    type Err = ChoiceError;

    fn from_str(list: &str) -> Result<Self, Self::Err> {
        if list == "all" {
            return Ok(Self(Method::ALL.map(Choice::from).to_vec()));
        }
        list.split(',').map(|name| name.trim().parse()).collect::<Result<_, _>>().map(Self)
    }
}
