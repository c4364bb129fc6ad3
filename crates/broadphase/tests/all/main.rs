//! Every method against its oracle.
#![allow(clippy::unwrap_used, clippy::panic)] // a helper that fails fails its test

mod allocations;
mod cells;
mod contract;
mod crowds;
mod limits;
mod metamorphic;
mod oracle;
mod sweeps;
mod trees;
mod volumes;
