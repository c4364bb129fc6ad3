//! What *happened*: recordings of runs.
//!
//! | module | holds |
//! |---|---|
//! | [`track`] | Carom's own recording, `.crec` |
//! | [`scene_dat`] | the original's `scene.dat`, written and read |

pub mod scene_dat;
pub mod track;
