//! Broad phases side by side: the same boxes, frame by frame, for every method, timed and checked.
//!
//! | file | holds |
//! |---|---|
//! | [`frames`] | where boxes come from: swarms, scenes, planar models |
//! | [`bodies`] | the bodies of a scene, moved by their first velocities |
//! | [`polygons`] | the polygons of a planar model |
//! | [`entrant`] | who takes part, by name |
//! | [`contender`] | what a method must be able to do to take part |
//! | [`peers`] | broad phases of other engines, with the feature `peers` |
//! | [`mod@contest`] | the frames, the clock and the budgets |
//! | [`oracle`] | the pairs there should be, found by code that shares nothing with the methods |
//! | [`check`] | the pairs of a method against those of the oracle |

pub mod bodies;
pub mod check;
pub mod contender;
pub mod contest;
pub mod entrant;
pub mod frames;
pub mod oracle;
pub mod peers;
pub mod polygons;

pub use contest::{ContenderMetrics, ContestError, Ending, Report, Terms, contest};
pub use entrant::{Entrant, Entrants};
pub use frames::{AnyFrames, Frame, Frames, SourceError, open};
