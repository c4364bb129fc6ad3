//! Layer 3 of the engine: the stages of a step, one file each, in the order in which they run.
//!
//! | stage | module | does |
//! |---|---|---|
//! | update AABBs | `update_aabbs` | fat boxes for the broad phase, of bodies that may leave theirs |
//! | broad phase | `broad_phase` | pairs of boxes that overlap; contacts begin and end |
//! | narrow phase | `narrow_phase` | contact points of every pair; `sleep` wakes what is touched |
//! | | `seams` | contacts with edges that a surface of several shapes does not have |
//! | | `surface_velocity` | what conveyor belts bring to their contacts |
//! | | `modify_contacts` | contacts that a hook of the user changes |
//! | | `events` | who touches now and did not, and the other way round |
//! | solve | `solve` | islands, `rolling_resistance`, the contact solver, joints that break |
//! | integrate | `integrate` | motion of bodies that neither touch nor are joined |
//! | | `fit_joints` | joints that the solver left open, which hold again |
//! | sleep | `continuous` | continuous collision: fast bodies that went through something |
//! | | `quarantine` | what is left of bodies that had to be stopped |
//! | | `sleep` | islands at rest fall asleep |
//! | | `contact_forces` | forces of contacts above thresholds |
//! | report | `report` | what the step did; its times are those of the first column |
//!
//! Each stage gets a [`StepContext`](crate::state::context::StepContext) and the
//! [`WorldState`](crate::state::world_state::WorldState). What a stage keeps between steps only
//! saves allocations, so [`Pipeline`] is no part of a snapshot.

pub(crate) mod broad_phase;
pub(crate) mod contact_forces;
pub(crate) mod continuous;
pub(crate) mod events;
pub(crate) mod fit_joints;
pub(crate) mod integrate;
mod joined_bodies;
pub(crate) mod modify_contacts;
pub(crate) mod narrow_phase;
pub(crate) mod quarantine;
pub(crate) mod report;
mod rolling_resistance;
pub(crate) mod seams;
pub(crate) mod sleep;
pub(crate) mod solve;
pub(crate) mod surface_velocity;
pub(crate) mod update_aabbs;

use crate::solver::contact_solver::{self, ContactSolver};
use crate::state::settings::WorldDef;
use continuous::ContinuousCollision;
use events::ContactEvents;
use fit_joints::FitJoints;
use narrow_phase::NarrowPhase;
use seams::Seams;
use sleep::Sleep;

/// The stages that have a memory.
pub(crate) struct Pipeline {
    pub(crate) narrow_phase: NarrowPhase,
    pub(crate) seams: Seams,
    pub(crate) solver: Box<dyn ContactSolver>,
    pub(crate) fit_joints: FitJoints,
    pub(crate) continuous: ContinuousCollision,
    pub(crate) sleep: Sleep,
    pub(crate) events: ContactEvents,
    /// Slots of the bodies that were put back and stopped in the last step.
    pub(crate) quarantined: Vec<u32>,
}

impl Pipeline {
    /// The stages that settings ask for.
    pub(crate) fn new(def: &WorldDef) -> Self {
        Self {
            narrow_phase: NarrowPhase::default(),
            seams: Seams::default(),
            solver: contact_solver::build(def),
            fit_joints: FitJoints::default(),
            continuous: ContinuousCollision::default(),
            sleep: Sleep::default(),
            events: ContactEvents::default(),
            quarantined: Vec::new(),
        }
    }
}
