//! Narrow phases side by side: the same questions about the same pairs of shapes to ours and to
//! other libraries.
//!
//! | module | holds |
//! |---|---|
//! | [`task`] | what is asked: two shapes, a question and places |
//! | [`contestant`] | who answers |
//! | [`ours`] | the methods of this engine |
//! | `batched` | its batches of round shapes |
//! | [`peers`] | parry3d, FCL and libccd, with the feature `peers` |
//! | [`mod@reference`] | the signed distance in double precision |
//! | [`timing`] | interleaved measuring, and the errors beside the times |

mod batched;
pub mod contestant;
pub mod ours;
pub mod peers;
pub mod reference;
pub mod task;
pub mod timing;

pub use contestant::Contestant;
pub use task::{Question, Regime, Start, Task};
pub use timing::{MethodTiming, Row, measure};
