//! Every narrow phase against its oracle.
#![allow(clippy::unwrap_used, clippy::panic)] // a helper that fails fails its test

mod allocations;
mod analytic;
mod analytic_cases;
mod batch;
mod box_batch;
mod cases;
mod cast;
mod cast_shapes;
mod coherence;
mod compound_contacts;
mod dispatch;
mod epa;
mod floors;
mod ghost_edges;
mod gjk;
mod manifold;
mod mesh_contacts;
mod mpr;
mod oracle;
mod pair;
mod regimes;
mod revolved;
mod sat;
mod support_feature;
mod swept_sphere;
mod toi;
mod toi_core;
mod toi_shapes;
mod vclip;
mod vclip_contacts;
mod vclip_examples;
mod vclip_zoo;
mod zoo;
