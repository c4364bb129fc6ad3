//! Layer 3 of the engine: the stages of a step, one file each, in the order in which they run.
//!
//! | stage | module | does |
//! |---|---|---|
//! | update AABBs | `update_aabbs` | fat boxes for the broad phase, of bodies that may leave theirs |
//! | narrow phase | `narrow_phase` | contact points of every pair of boxes that overlap |
//! | solve | `rolling_resistance` | rolling resistance, before the contact solver |
//! | integrate | `integrate` | motion of bodies that neither touch nor are joined |
//! | continuous collision | `continuous` | fast bodies that went through something are put back |
//! | sleep | `sleep` | islands at rest fall asleep, and wake when something touches them |
//! | report | `report` | what the step did |

pub(crate) mod continuous;
pub(crate) mod integrate;
pub(crate) mod narrow_phase;
pub(crate) mod report;
pub(crate) mod rolling_resistance;
pub(crate) mod sleep;
pub(crate) mod update_aabbs;
