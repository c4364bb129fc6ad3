//! Algorithms that the engine never calls.
//!
//! They answer the same questions as the algorithms that [`dispatch`](crate::dispatch) chooses, and
//! exist to be measured and compared with them: by the laboratory, by benchmarks and by tests. What
//! a simulation runs does not depend on anything in here.
//!
//! | module | holds |
//! |---|---|
//! | [`mpr`] | overlap tests and an upper bound of the depth by Minkowski portal refinement |
//! | [`batch`] | many pairs of spheres, capsules, boxes and triangles per call, in SIMD lanes |
//! | [`box_batch`] | many pairs of boxes per call, in SIMD lanes |
//! | `by_method` | the queries of [`pair`](crate::pair) by a method that the caller names |
//! | [`mod@vclip`] | V-Clip: contacts, a cache of witnesses, states one by one |
//! | [`swept_sphere`] | a moving sphere against polygons: first contact, slide and bounce |

pub mod batch;
pub mod box_batch;
pub(crate) mod by_method;
pub mod mpr;
pub mod swept_sphere;
pub mod vclip;
