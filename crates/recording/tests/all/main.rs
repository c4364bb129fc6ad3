//! Recordings written, damaged, read back and exported.
#![allow(clippy::unwrap_used, clippy::panic)] // a helper that fails fails its test

mod common;
mod exports;
mod track_damage;
mod track_round_trip;
