//! The program as its users see it: arguments, output, files and exit codes.
#![allow(clippy::unwrap_used, clippy::panic)] // a helper that fails fails its test

mod activity;
mod advise;
mod bench;
mod cli;
mod configuration;
#[cfg(target_os = "linux")]
mod full_disk;
mod narrow;
mod pairs;
mod replays;
mod runs;
#[cfg(target_os = "linux")]
mod streams;
mod studies;
