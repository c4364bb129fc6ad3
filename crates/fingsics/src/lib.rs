//! The simulation of the Fingsics program, exact from scene file to result.
//!
//! A step is broad phase → narrow phase → impulses → motion, with the arithmetic of Fingsics
//! (`arithmetic`), its order of pairs, its averaging of impulses and its explicit Euler motion, so
//! that the numbers of tests and collisions equal its published results row for row. Everything
//! that exists only to reproduce these numbers is in this crate; nothing else in Carom follows its
//! rules. The formats of its files are read and written by `carom-scene` and `carom-recording`.
//!
//! | module | holds |
//! |---|---|
//! | [`version`], [`rules`], [`quirk`] | published versions, rules, quirks to keep or fix |
//! | [`body`] | definitions of bodies, their checks, mass properties |
//! | [`world`] | the state and the step |
//! | [`report`] | what a step did: counts and stage times |
//! | [`from_scene`] | a world from a scene |
//! | [`simulation`] | the world behind the interface of `carom-sim` |
//! | [`frame_log`] | its CSV reports, written and read |
//! | [`verify`] | scenes with published results, run and compared |
//! | [`simulation`] | the world as a [`carom_sim::Simulation`], and its factories |
//! | `arithmetic`, `obb` | its sums, operation for operation; oriented boxes |
//! | `broad_phase` | its five methods with their behaviour on ties |
//! | `narrow_phase` | contacts of balls, capsules and tiles |
//! | `response` | impulses and their per-axis averaging |
//! | `motion` | explicit Euler with Euler-angle rotation |
#![forbid(unsafe_code)]

mod arithmetic;
pub mod body;
mod broad_phase;
mod cpp_number;
pub mod frame_log;
pub mod from_scene;
mod motion;
mod narrow_phase;
mod obb;
pub mod quirk;
pub mod report;
mod response;
pub mod rules;
pub mod simulation;
pub mod verify;
pub mod version;
pub mod world;

pub use arithmetic::RowMatrix;
pub use body::{FingsicsBody, FingsicsShape};
pub use from_scene::FingsicsSceneError;
pub use narrow_phase::{FingsicsContact, PairKind, Quirks};
pub use quirk::{Quirk, QuirkList};
pub use report::{FingsicsReport, FingsicsStageTimes, PairKindReport};
pub use rules::Rules;
pub use simulation::{FingsicsFactory, FingsicsSimulation};
pub use version::FingsicsVersion;
pub use world::{FingsicsSettings, FingsicsWorld, FingsicsWorldError};
