//! The words of commands about runs that are over: repeating, going on, comparing.

use std::path::PathBuf;

use clap::Args;

#[derive(Args, Clone, Debug)]
#[command(after_help = "\
The run is repeated from the scene that was kept in its folder, with the settings of its manifest, to the step where it ended.
Exit status 1 if the state is another one then: carom diverge shows where.")]
pub(crate) struct RerunOptions {
    /// Folder of a run, or its manifest.json
    pub(crate) run: PathBuf,

    /// Threads instead of those of the manifest; the result must be the same
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,

    /// Print one line of JSON instead of tables
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Clone, Debug)]
#[command(after_help = "\
A snapshot is written by carom run --snapshot N. It holds scene, settings and state; nothing else is needed.")]
pub(crate) struct ResumeOptions {
    /// A .snapshot file, or the folder of a run: its latest snapshot
    #[arg(value_name = "SNAPSHOT")]
    pub(crate) from: PathBuf,

    /// Frames in all, those before the snapshot included [default: as many as the run was to have]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pub(crate) frames: Option<u64>,

    #[command(flatten)]
    pub(crate) outputs: Outputs,

    /// Folder below which the output folder is made [default: here]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// Print one line of JSON instead of tables
    #[arg(long)]
    pub(crate) json: bool,
}

/// What a run leaves behind.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct Outputs {
    /// Write log.csv (Fingsics' columns) and steps.csv (all figures), a row per step, into
    /// output/SCENE--TIME/
    #[arg(long)]
    pub(crate) log: bool,

    /// Record into output/SCENE--TIME/: crec (recording.crec), dat (Fingsics' scene.dat) or
    /// both
    #[arg(long, value_name = "FORMAT", num_args = 0..=1, require_equals = true, default_missing_value = "crec",
          value_parser = ["crec", "dat", "both"])]
    pub(crate) record: Option<String>,

    /// What recording.crec holds beside places: velocities, contacts, events, comma-separated, or
    /// all
    #[arg(long, value_name = "LIST", value_delimiter = ',', requires = "record",
          value_parser = ["velocities", "contacts", "events", "all"])]
    pub(crate) with: Vec<String>,

    /// Round places in recording.crec to this many metres (and turns to as many radians): smaller
    /// files, exact otherwise
    #[arg(long, value_name = "METRES", requires = "record")]
    pub(crate) quantise: Option<f64>,

    /// Write the whole state every N steps, to go on from with carom resume
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pub(crate) snapshot: Option<u64>,
}

#[derive(Args, Clone, Debug)]
#[command(after_help = "\
A RUN is the folder of a run, a manifest.json, a recording (.crec, scene.dat), or a scene with settings behind an @:
  carom diverge pile:200 pile:200@threads=2
  carom diverge box:100@broad=sap box:100@broad=sapobb
  carom diverge output/A output/B
Settings: solver, broad, threads, simd, seed, fps. Recordings are compared as they are, also those in folders of runs; everything
else is run side by side. Exit status 1 if they differ.")]
pub(crate) struct DivergeOptions {
    /// First run
    pub(crate) first: String,

    /// Second run
    pub(crate) second: String,

    /// Frames to compare [default: those of the shorter run]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pub(crate) frames: Option<u64>,

    /// Print one line of JSON
    #[arg(long)]
    pub(crate) json: bool,
}
