#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod bodies;
mod messages;
mod plugin;
mod transforms;

pub use bodies::{Body, BodyHandle, Physics, Shapes};
pub use carom;
pub use messages::{Refused, SensorEntered, SensorLeft, TouchBegan, TouchEnded, TouchHit};
pub use plugin::{BeforeStep, CaromPlugin, CaromSystems};
