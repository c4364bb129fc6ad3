//! The native scene format: TOML for people (`.toml`) and a binary twin for large scenes
//! (`.carom`).
//!
//! ```toml
//! carom = 1                            # version of the format
//! name = "two balls"
//! gravity = [0, -9.81, 0]
//!
//! [[body]]
//! id = "floor"
//! kind = "static"
//! shape.tile = { length = 30, width = 30 }
//! shape.restitution = 0.5
//!
//! [[body]]                             # no id: it is called "1", by its index
//! position = [0, 5, 0]
//! shape.sphere = { radius = 0.5 }
//! colour = [200, 60, 60]
//! ```
//!
//! Both forms are views of one set of wire types and give the model back to the bit. Why TOML, and
//! what else was considered: `docs/decisions/0002-scene-format.md`.

#[cfg(test)]
pub(crate) mod arbitrary;
mod binary;
mod layout;
mod node;
mod scalar;
mod text;
mod wire;
mod wire_body;
mod wire_drive;
mod wire_event;
mod wire_field;
mod wire_joint;
mod wire_shape;

#[cfg(test)]
mod tests;

pub use binary::{BinaryError, LAYOUT, MAGIC, is_binary, read_binary, write_binary};
pub use text::{read_text, write_text};

/// Version of the text: keys may be added to it, never given another meaning.
pub const VERSION: u32 = 1;
