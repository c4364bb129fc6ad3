//! Every narrow phase against its oracle.
#![allow(clippy::unwrap_used, clippy::panic)] // a helper that fails fails its test

mod allocations;
mod batch;
mod cases;
mod closed;
mod epa;
mod gjk;
mod mpr;
mod oracle;
mod planar;
mod swept_sphere;
mod zoo;
