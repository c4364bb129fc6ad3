//! Every narrow phase against its oracle.
#![allow(clippy::unwrap_used, clippy::panic)] // a helper that fails fails its test

mod boxes;
mod cases;
mod floors;
mod ghost_edges;
mod gjk;
mod facet;
mod manifold;
mod oracle;
mod sat;
mod epa;
mod gjk;
mod mpr;
mod oracle;
mod zoo;
