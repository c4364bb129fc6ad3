//! Every narrow phase against its oracle.
#![allow(clippy::unwrap_used, clippy::panic)] // a helper that fails fails its test

mod allocations;
mod cases;
mod epa;
mod gjk;
mod mpr;
mod oracle;
mod vclip;
mod vclip_contacts;
mod vclip_examples;
mod vclip_zoo;
mod zoo;
