//! The words of `carom advise`.

use std::path::PathBuf;

use carom_lab::solver;
use carom_sim::SimulationSpec;
use clap::Args;

use super::Seconds;

#[derive(Args, Clone, Debug)]
#[command(after_help = "\
A SCENE is a library name, a scene file, a planar model or a swarm. It is simulated for some frames (--free: its bodies go on
with their first velocities, as in `carom pairs`), its boxes are looked at, and what each method would cost is predicted by models
that were fitted to measurements and checked on other scenes; nothing is timed without --verify.
--measure times the methods all over the space of situations and on scenes held out for the check, fits the models anew, and
writes samples, winner maps and tables. It may be interrupted, and goes on where it stopped: docs/advise.md.
Exit status 1 if --verify finds another method to be clearly faster.
  carom advise pile:500
  carom advise tenth-moving:16000 --verify
  carom advise --measure survey --quick")]
pub(crate) struct AdviseOptions {
    /// Scene file, library name or swarm
    #[arg(required_unless_present = "measure")]
    pub(crate) scene: Option<String>,

    /// Then measure the most promising methods on the scene, and say whether the advice was good
    #[arg(long)]
    pub(crate) verify: bool,

    /// Frames to look at
    #[arg(long, value_name = "N", default_value_t = 120, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pub(crate) frames: u64,

    /// Do not simulate: let the bodies go on with their first velocities
    #[arg(long)]
    pub(crate) free: bool,

    /// Solver that moves the bodies: see `carom list solvers` [default: the scene's, as `carom run`
    /// would]
    #[arg(long, value_name = "NAME", value_parser = solver::parse, conflicts_with = "free")]
    pub(crate) solver: Option<SimulationSpec>,

    /// Seed of a scene that is random
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,

    /// Measure which method wins where, into this folder; what is there already is not measured
    /// again
    #[arg(long, value_name = "DIR", conflicts_with_all = ["scene", "verify"])]
    pub(crate) measure: Option<PathBuf>,

    /// Fewer situations: less than three minutes
    #[arg(long, requires = "measure", conflicts_with = "scene")]
    pub(crate) quick: bool,

    /// Stop measuring after this time, to go on another time
    #[arg(long, value_name = "SECONDS", requires = "measure", conflicts_with = "scene")]
    pub(crate) stop_after: Option<Seconds>,

    /// Print one line of JSON instead of tables
    #[arg(long)]
    pub(crate) json: bool,
}
