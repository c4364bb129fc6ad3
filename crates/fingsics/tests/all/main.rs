//! The Fingsics simulation as its users see it.
#![allow(clippy::unwrap_used, clippy::panic)] // a helper that fails fails its test

mod allocations;
mod goldens;
mod published_results;
