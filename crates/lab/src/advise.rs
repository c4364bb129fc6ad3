//! Which broad phase for which scene: measured, mapped, fitted, checked on other scenes, and told
//! in words.
//!
//! | file | holds |
//! |---|---|
//! | [`situation`] | what a scene is like, as five numbers, and boxes made for them |
//! | [`survey`] | which situations and scenes are measured |
//! | [`aabb_trace`] | boxes recorded once: made, of swarms, of scenes while they are simulated |
//! | [`look`](mod@look) | the features of a trace, as `auto` sees them |
//! | [`measure`](mod@measure) | methods side by side on a trace |
//! | [`sample`] | what was measured, in files |
//! | [`maps`] | who wins where |
//! | [`fit`](mod@fit) | models of cost from samples |
//! | [`regret`] | what choices cost, [`by_hand`] those of the former model |
//! | [`page`] | the report of a survey |
//! | [`advice`] | which method for a scene, and why |
//!
//! `docs/advise.md` tells it from the user's side.

pub mod aabb_trace;
pub mod advice;
pub mod by_hand;
pub mod fit;
pub mod look;
pub mod maps;
pub mod measure;
pub mod page;
pub mod regret;
pub mod sample;
pub mod situation;
pub mod source;
pub mod survey;
