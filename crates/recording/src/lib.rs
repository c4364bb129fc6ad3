//! What *happened*: recordings of runs.
//!
//! | module | holds |
//! |---|---|
//! | [`scene_dat`] | the original's `scene.dat`, written and read |
#![forbid(unsafe_code)]

pub mod scene_dat;
