//! Contacts and joints as impulses: the soft-step solver, in lanes.
//!
//! | module | holds |
//! |---|---|
//! | `lanes`, `avx` | numbers side by side |
//! | `rows` | bodies in mass-scaled coordinates |
//! | `body` | place, velocity and mass of a body; free rotation |
//! | `softness` | constraints as damped springs |
//! | `contact` | contacts in lanes and their sweeps |
//! | `prepare` | from a manifold to a lane |
//! | `colour` | who may be solved side by side |
//! | `stages` | all contacts of a step, by colour and number of points |
//! | `substeps` | what a substep does to rows and contacts |
//! | `wide` | the width of the lanes, chosen when the program runs |

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx;
pub(crate) mod body;
pub(crate) mod colour;
pub(crate) mod contact;
pub(crate) mod lanes;
pub(crate) mod prepare;
pub(crate) mod rows;
pub(crate) mod softness;
pub(crate) mod stages;
pub(crate) mod substeps;
pub(crate) mod wide;
