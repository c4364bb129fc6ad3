//! Every narrow phase against its oracle.
#![allow(clippy::unwrap_used, clippy::panic)] // a helper that fails fails its test

mod allocations;
mod batch;
mod boxes;
mod cases;
mod cast;
mod cast_any;
mod closed;
mod closed_cases;
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
mod pair;
mod rims;
mod sat;
mod swept_sphere;
mod toi;
mod toi_any;
mod vclip;
mod vclip_contacts;
mod vclip_examples;
mod vclip_zoo;
mod zoo;
