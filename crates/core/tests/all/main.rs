//! The tests of behaviour of the crate, one module per topic. They are one program because linking
//! a program takes longer than running most of them.
#![allow(clippy::unwrap_used, clippy::panic)] // a helper that fails fails its test

mod trig_cases;
mod trig_f64;
mod trig_sweep;
