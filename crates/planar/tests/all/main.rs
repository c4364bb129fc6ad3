//! The tests of behaviour of the crate, one module per topic.
#![allow(clippy::unwrap_used, clippy::panic)] // a helper that fails fails its test

mod cases;
mod contact;
mod kinetic_oracle;
mod lamina;
mod scenarios;
