//! Layer 2 of the engine: contact solvers and integration. The default is `soft-step`, in lanes.
//!
//! | module | holds |
//! |---|---|
//! | `lanes`, `avx` | SIMD types |
//! | `rows` | bodies in mass-scaled coordinates |
//! | `contact_solver` | where contact solvers attach, and their names |
//! | `soft_step` | the solver: islands dealt out to batches, each in substeps of its own |
//! | `batch` | islands that are solved in the same substeps |
//! | `level_change` | velocities of islands whose substeps change their length |
//! | `integrate` | integration of velocities and poses |
//! | `rotation` | rotation of a rigid body, free and constrained |
//! | `softness` | constraints as damped springs |
//! | `velocities` | velocities of the two bodies of a constraint |
//! | `contact` | contacts in lanes and their sweeps |
//! | `limit_surface` | sliding and turning friction within one limit |
//! | `rolling` | rolling resistance as a constraint |
//! | `prepare` | from a manifold to a lane |
//! | `color` | who may be solved at the same time |
//! | `layout` | where the lanes of each color lie |
//! | `stages` | all contacts of a step, by color and number of points |
//! | `joint_constraints` | joints as rows of constraints, by their kind |
//! | `joint`, `joint_rows`, `joint_stages` | the same for joints |
//! | `joint_geometry`, `joint_swing` | rows of joints as they are in a substep |
//! | `joint_projection` | positions that joints fit, of bodies that were put elsewhere |
//! | `bounce`, `impacts` | restitution: impacts in rounds, over contacts and joints |
//! | `substeps` | what a substep does to rows and contacts |
//! | `worker_context` | the instruction set and the threads of the sweeps |
//! | `wide` | the width of the lanes, chosen when the program runs |

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx;
pub(crate) mod batch;
pub(crate) mod bounce;
pub(crate) mod coloring;
pub(crate) mod contact;
pub(crate) mod contact_solver;
mod energy_limit;
mod impacts;
pub(crate) mod integrate;
pub(crate) mod joint;
pub(crate) mod joint_constraints;
pub(crate) mod joint_geometry;
pub(crate) mod joint_projection;
pub(crate) mod joint_rows;
pub(crate) mod joint_stages;
mod joint_swing;
pub(crate) mod lanes;
pub(crate) mod layout;
mod level_change;
mod limit_surface;
pub(crate) mod prepare;
mod rolling;
pub(crate) mod rotation;
pub(crate) mod rows;
pub(crate) mod soft_step;
pub(crate) mod softness;
pub(crate) mod solver_bodies;
pub(crate) mod staged;
pub(crate) mod stages;
pub(crate) mod substeps;
pub(crate) mod velocities;
pub(crate) mod wide;
pub(crate) mod worker_context;
