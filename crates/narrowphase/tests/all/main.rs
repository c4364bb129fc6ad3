//! Every narrow phase against its oracle.
#![allow(clippy::unwrap_used, clippy::panic)] // a helper that fails fails its test

mod boxes;
mod cases;
mod epa;
mod facet;
mod floors;
mod ghost_edges;
mod gjk;
mod manifold;
mod mpr;
mod oracle;
mod sat;
mod zoo;
