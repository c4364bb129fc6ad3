//! Machinery that every crate shares. It knows nothing of bodies, shapes or scenes.
//!
//! | module | holds |
//! |---|---|
//! | [`trig`] | elementary functions with the same bits on every platform |
//! | [`random`] | seeded random number generators whose sequences never change |
//! | [`state_hash`] | the 64-bit hash of a state, the witness of determinism |
//! | [`mod@clone_fields`] | clones into memory that is there already |
//! | [`clock`] | where times are read from, and stopwatches |
//! | [`envelope`] | magic, version and checksum around the content of binary files |
//! | [`error_type!`] | error types from their messages |
//! | [`input_file`] | opening files that a user names |
//! | [`threads`] | the thread pool, and slices that several threads write disjoint parts of |
//! | [`simd`] | several `f32` per instruction, one trait for every width |
//! | [`prefetch`] | prefetching into the caches |
#![deny(unsafe_code)]

pub mod clock;
pub mod clone_fields;
pub mod envelope;
mod error_type;
pub mod input_file;
pub mod prefetch;
pub mod random;
pub mod simd;
pub mod state_hash;
pub mod threads;
pub mod trig;
