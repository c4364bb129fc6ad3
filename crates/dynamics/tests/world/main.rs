//! The world against physics that can be worked out by hand.
#![allow(clippy::unwrap_used, clippy::panic)] // a helper that fails fails its test

mod collisions;
mod contacts;
mod determinism;
mod events;
mod friction;
mod joints;
mod motion;
mod queries;
mod refusals;
mod scenes;
mod shapes;
mod snapshots;
mod stacks;
mod steady;
mod stiff;
mod surfaces;
mod zoo;
