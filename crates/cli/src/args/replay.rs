//! The words of `carom replay`.

use std::path::PathBuf;

use clap::Args;

#[derive(Args, Clone, Debug)]
#[command(after_help = "\
A RECORDING is a .crec, a scene.dat of Fingsics, or the folder of a run. No physics runs and no scene file is needed.
--export writes by the ending of the file: .csv and .parquet (a row per body and frame), .glb (an animated model for Blender
and browsers), .dat (Fingsics' recording), .crec (ours).
  carom replay output/pile-200--2026-11-16--19-56-55 --watch
  carom replay recording.crec --frame 120 --body 17
  carom replay scene.dat --export scene.glb --stride 2")]
pub(crate) struct ReplayOptions {
    /// Recording, or the folder of a run
    pub(crate) recording: PathBuf,

    /// Draw the frames in the terminal, in their own time; into a file or a pipe one below the
    /// other
    #[arg(long)]
    pub(crate) watch: bool,

    /// How fast: 2 is twice as fast as it happened
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, requires = "watch")]
    pub(crate) speed: f64,

    /// Show one frame
    #[arg(long, value_name = "N")]
    pub(crate) frame: Option<u64>,

    /// Show these bodies, by name or number; may be repeated
    #[arg(long, value_name = "BODY")]
    pub(crate) body: Vec<String>,

    /// Write it to a file for other programs
    #[arg(long, value_name = "FILE")]
    pub(crate) export: Option<PathBuf>,

    /// Take every N-th frame
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) stride: u32,

    /// Read every byte and say what is damaged; exit status 1 if anything is
    #[arg(long)]
    pub(crate) verify: bool,

    /// Print one line of JSON instead of tables
    #[arg(long)]
    pub(crate) json: bool,
}

impl ReplayOptions {
    /// What clap fills in when only the recording is given.
    pub(crate) fn of(recording: PathBuf) -> Self {
        Self {
            recording,
            watch: false,
            speed: 1.0,
            frame: None,
            body: Vec::new(),
            export: None,
            stride: 1,
            verify: false,
            json: false,
        }
    }
}
