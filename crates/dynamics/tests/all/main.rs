//! The world against physics that can be worked out by hand.
#![allow(clippy::unwrap_used, clippy::panic)] // a helper that fails fails its test

mod access;
mod body_settings;
mod bulk;
mod carried_impulses;
mod collisions;
mod contacts;
mod determinism;
mod enabled;
mod events;
mod flat;
mod friction;
mod gravity;
mod groups;
mod hooks;
mod impacts;
mod joint_settings;
mod joints;
mod kinematic;
mod limits;
mod masonry;
mod materials;
mod motion;
mod oracle;
mod queries;
mod refusals;
mod rest;
mod scenes;
mod seams;
#[cfg(feature = "serde")]
mod serial;
mod shapes;
mod snapshot_bytes;
mod snapshots;
mod soak;
mod springs;
mod stacks;
mod steady;
mod stiff;
mod surfaces;
mod swings;
mod truth_bodies;
mod truth_structures;
mod tunnelling;
mod whips;
mod zoo;
