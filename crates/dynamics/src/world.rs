//! The world.

pub mod definition;
pub mod id;
