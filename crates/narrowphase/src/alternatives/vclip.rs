//! What V-Clip offers beside the query that the engine uses ([`vclip`](crate::vclip)).
//!
//! | module | holds |
//! |---|---|
//! | [`witness_cache`] | witnesses by pair of bodies |
//! | [`contact`] | one contact point of two polytopes |
//! | [`envelope`] | several contact points from an envelope of the contact plane |
//! | [`stepper`] | one state at a time, for watching and testing |

pub mod contact;
pub mod envelope;
pub mod stepper;
pub mod witness_cache;

pub use contact::VClipContact;
pub use envelope::{Envelope, MAX_CONTACTS};
pub use stepper::{BrokenPromise, Stepper};
pub use witness_cache::{CacheCounters, WitnessCache};
