//! The laboratory: scenes become worlds, worlds become runs, runs become tables.
//!
//! | module | holds |
//! |---|---|
//! | [`solver`] | simulations by name, and which one a scene gets |
//! | [`task`] | what to simulate and how, in words that a file can hold |
//! | [`session`] | a task as a session, and sessions on disk |
//! | [`diverge`] | where two runs part |
//! | [`folder`] | the folder of a run: manifest, logs, recording |
//! | [`mod@bench`] | repeated runs of several tasks: same results, ranks, costs, baselines, reports |
//! | [`measure`], [`machine`] | one run with all its figures, in this process or one of its own, and the machine it ran on |
//! | [`stats`] | intervals of medians and ratios, fits |
//! | [`study`], [`experiment`] | many tasks from a plan, on one machine or many; Fingsics' studies |
//! | [`narrow`] | narrow phases side by side on the same pairs of shapes |
//! | [`pairs`] | broad phases side by side on the same moving boxes |
//! | [`advise`] | which broad phase for which scene: surveys, winner maps, fits, advice |
//! | [`output`] | names of output folders |
// The bridges to Bullet, FCL and libccd are the exceptions.
#![cfg_attr(not(feature = "peers"), forbid(unsafe_code))]

pub mod advise;
pub mod bench;
mod by_name;
pub mod diverge;
pub mod experiment;
pub mod folder;
pub mod machine;
pub mod measure;
pub mod narrow;
pub mod output;
pub mod pairs;
pub mod session;
pub mod solver;
pub mod stats;
pub mod study;
pub mod task;

pub use carom_broadphase::auto::features::Features;
pub use carom_broadphase::refine::Refinement;
pub use carom_broadphase::{Choice, ChoiceError, Counters, Method, UnknownMethod};
pub use carom_narrowphase::NarrowMethod;
pub use solver::registry;
