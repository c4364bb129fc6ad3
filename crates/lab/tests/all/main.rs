//! The laboratory: scenes, runs, measurements, studies and their known results.
#![allow(clippy::unwrap_used, clippy::panic)] // a helper that fails fails its test

mod advise;
mod contests;
mod fingsics_pairs;
mod library_scenes;
mod measuring;
#[cfg(feature = "peers")]
mod peers;
mod saved_sessions;
mod studies;
