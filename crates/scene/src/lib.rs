//! What a scene *is*: the data model, its file formats, generators and the named scene library.
//!
//! A [`Scene`] is pure data. It knows no engine and no algorithm: `carom-lab` builds a world from
//! it, for Carom as for any other engine. Two-dimensional scenes are [`carom_planar::PlanarScene`].
//!
//! | module | holds |
//! |---|---|
//! | [`model`] | the types: bodies, shapes, joints, fields, events, settings |
//! | [`validate`] | all problems of a scene at once |
//! | [`native`] | the text format (`.toml`) and its binary twin (`.carom`) |
//! | [`fingsics`] | Fingsics' scene XML and `config.txt` |
//! | [`planar_bodies`] | two-dimensional scenes as bodies |
//! | [`planar_model`] | the model files of two-dimensional scenes |
//! | [`library`] | named scenes and generators |
//! | [`swarm`] | moving boxes without physics, for broad phases |
//! | [`mod@file`] | one entry point: any path or library name → scene |
#![forbid(unsafe_code)]

pub mod diagnostic;
pub mod file;
pub mod fingsics;
pub mod library;
pub mod limits;
pub mod model;
pub mod native;
pub mod nearest;
pub mod planar_bodies;
pub mod planar_model;
pub mod swarm;
pub mod validate;

pub use diagnostic::{Diagnostic, ParseError, Parsed, Position};
pub use model::Scene;
