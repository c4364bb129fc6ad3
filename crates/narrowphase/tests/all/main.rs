//! Every narrow phase against its oracle.
#![allow(clippy::unwrap_used, clippy::panic)] // a helper that fails fails its test

mod allocations;
mod cases;
mod cast;
mod cast_any;
mod epa;
mod gjk;
mod mpr;
mod oracle;
mod toi;
mod zoo;
