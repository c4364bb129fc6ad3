//! The compatible world: balls, capsules and tiles under the rules of the original Fingsics program.
//!
//! A step is broad phase → narrow phase → impulses → motion, with the original's arithmetic
//! ([`carom_geometry::fingsics`]), its order of pairs, its averaging of impulses and its explicit Euler motion, so that
//! the numbers of tests and collisions equal its published results row for row. These rules are fenced off here and
//! in the modules of the same name in the other crates; nothing else in Carom follows them.
//!
//! | module | holds |
//! |---|---|
//! | [`rules`] | what distinguishes the two published versions, and which slips are kept |
//! | [`body`] | definitions of bodies, their checks, mass properties |
//! | [`world`] | the state and the step |
//! | `response` | impulses and their per-axis averaging |
//! | `motion` | explicit Euler with Euler-angle rotation |

pub mod body;
mod motion;
mod response;
pub mod rules;
pub mod world;

pub use body::{BodyDef, ShapeDef};
pub use rules::Rules;
pub use world::{BuildError, Settings, World};

#[cfg(test)]
mod tests;
