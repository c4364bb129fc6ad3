//! What *happened*: recordings of runs.
//!
//! | module | holds |
//! |---|---|
//! | [`track`] | Carom's own recording, `.crec` |
//! | [`export`] | recordings for other programs, and from `scene.dat` |
//! | [`scene_dat`] | Fingsics' `scene.dat`, written and read |

pub mod export;
pub mod scene_dat;
pub mod track;
