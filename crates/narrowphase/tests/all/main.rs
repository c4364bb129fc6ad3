//! Every narrow phase against its oracle.
#![allow(clippy::unwrap_used, clippy::panic)] // a helper that fails fails its test

mod boxes;
mod cases;
mod compound_contacts;
mod epa;
mod facet;
mod floors;
mod ghost_edges;
mod gjk;
mod manifold;
mod mesh_contacts;
mod mpr;
mod oracle;
mod sat;
mod zoo;
