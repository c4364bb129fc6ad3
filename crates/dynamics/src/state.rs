//! Layer 1 of the engine: what a world consists of, in arrays by slot, with its stored form.
//!
//! The layers are `state ← solver ← pipeline ← world`; each uses only those to its left. Nothing in
//! here knows how a step computes. Methods live with the types whose invariants they keep.
//!
//! | module | holds |
//! |---|---|
//! | `id` | ids of bodies, shapes and joints, and the slots that they name |
//! | `definition`, `joint_def` | what a user says about bodies, shapes and joints |
//! | `material` | how surfaces rub, bounce and move, and how two of them combine |
//! | `settings` | how a world computes |
//! | `serial` | definitions in formats of `serde` |
//! | `error` | why something was refused |
//! | `motion` | pose, velocity and inverse masses of a body |
//! | `bodies`, `shapes`, `contacts`, `joints` | what the steps read and write |
//! | `impulses` | impulses of contacts and joints, kept for warm starting |
//! | `islands` | bodies that hold each other, and how stiffly |
//! | `events` | what happened in a step, as lists |
//! | `hooks`, `contact_modifier` | functions of the user, and what they are shown |
//! | `violation` | broken invariants, as data |
//! | `world_state` | all of it together, and changes that concern several parts |
//! | `context` | what every stage of a step is given besides the state |

pub(crate) mod bodies;
pub(crate) mod contact_modifier;
pub(crate) mod contacts;
pub(crate) mod context;
pub(crate) mod definition;
pub(crate) mod error;
pub(crate) mod events;
pub(crate) mod hooks;
pub(crate) mod id;
pub(crate) mod impulses;
pub(crate) mod islands;
pub(crate) mod joint_def;
pub(crate) mod joints;
pub(crate) mod material;
pub(crate) mod motion;
#[cfg(feature = "serde")]
pub(crate) mod serial;
pub(crate) mod settings;
pub(crate) mod shapes;
pub(crate) mod violation;
pub(crate) mod world_state;
