//! The stages of a step, each in a file of its own, in this order.
//!
//! | module | does |
//! |---|---|
//! | `fit` | fat boxes for the broad phase, around what moves out of its old ones |
//! | `collide` | contact points of every pair of boxes that overlap |
//! | `islands` | who holds whom, and how stiffly |
//! | `batch` | islands solved in the same substeps |
//! | `joint` | joints as rows of constraints |
//! | `solve` | impulses of contacts and joints, in substeps |
//! | `flight` | motion of bodies that nothing touches |
//! | `sleep` | bodies at rest take no part, until something touches them |

pub(crate) mod batch;
pub(crate) mod collide;
pub(crate) mod fit;
pub(crate) mod flight;
pub(crate) mod islands;
pub(crate) mod joint;
pub(crate) mod sleep;
pub(crate) mod solve;
