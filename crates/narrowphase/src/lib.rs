//! *Which pairs do touch, where and how deep*: the narrow phases.
//!
//! | module | holds |
//! |---|---|
//! | [`fingsics`] | the case list of the original program: balls, capsules and tiles, its slips included or mended |
#![forbid(unsafe_code)]

pub mod fingsics;
