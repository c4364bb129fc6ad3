//! Contacts and joints as impulses: the soft-step solver, in lanes.
//!
//! | module | holds |
//! |---|---|
//! | `lanes` | numbers side by side |
//! | `rows` | bodies in mass-scaled coordinates |
//! | `body` | place, velocity and mass of a body; free rotation |
//! | `softness` | constraints as damped springs |
//! | `contact` | contacts in lanes and their sweeps |

pub(crate) mod body;
pub(crate) mod contact;
pub(crate) mod lanes;
pub(crate) mod rows;
pub(crate) mod softness;
