//! Every method against its oracle.
#![allow(clippy::unwrap_used, clippy::panic)] // a helper that fails fails its test

mod contract;
mod oracle;
mod trees;
