//! Every narrow phase against its oracle.
#![allow(clippy::unwrap_used, clippy::panic)] // a helper that fails fails its test

mod boxes;
mod batch;
mod allocations;
mod cases;
mod closed;
mod epa;
mod compound_contacts;
mod epa;
mod facet;
mod floors;
mod ghost_edges;
mod cast;
mod gjk;
mod mpr;
mod facet;
mod manifold;
mod oracle;
mod sat;
mod vclip;
mod vclip_contacts;
mod vclip_examples;
mod vclip_zoo;
mod toi;
mod epa;
mod facet;
mod gjk;
mod manifold;
mod manifold;
mod mesh_contacts;
mod mpr;
mod oracle;
mod sat;
mod zoo;
mod planar;
mod swept_sphere;
