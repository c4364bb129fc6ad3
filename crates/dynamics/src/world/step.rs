//! The step of a world, stage by stage. The stages are in [`crate::pipeline`].

use carom_core::clock::Stopwatch;

use super::World;
use crate::pipeline::report::{StepReport, StepTimes};
use crate::pipeline::sleep::Sleep;
use crate::pipeline::update_aabbs::UpdateAabbs;
use crate::pipeline::{
    Pipeline, broad_phase, contact_forces, events, integrate, modify_contacts, quarantine, solve,
    surface_velocity,
};
use crate::state::context::StepContext;
use crate::state::error::WorldError;
use crate::state::id::BodyId;

impl World {
    /// Moves the world on by `dt` seconds.
    ///
    /// # Errors
    /// If `dt` is no number above 0 and at most 1, or more pairs of AABBs overlap than
    /// [`WorldDef::max_pairs`](crate::WorldDef::max_pairs) allows. Nothing moves then, and the
    /// world
    /// can go on once there are fewer.
    pub fn step(&mut self, dt: f32) -> Result<&StepReport, WorldError> {
        if !(dt > 0.0 && dt <= 1.0) {
            return Err(WorldError::TimeStep { dt });
        }
        let mut watch = Stopwatch::start(self.def.clock);
        let mut times = StepTimes::default();
        let Self { def, state, pipeline, pool, report, hooks } = self;
        let Pipeline { narrow_phase, seams, solver, fit_joints, continuous, sleep, events, quarantined } =
            pipeline;
        quarantined.clear();
        let context = &mut StepContext { settings: def, hooks, dt, pool, quarantined };

        state.begin_step(dt);
        let update_aabbs = UpdateAabbs::new(context);
        let boxes_moved = update_aabbs.run(context, state);
        times.update_aabbs = watch.lap();

        broad_phase::run(context, state, boxes_moved)?;
        times.broad_phase = watch.lap();

        let collided = narrow_phase.run(context, state);
        report.seams = seams.run(context, state);
        surface_velocity::run(state);
        modify_contacts::run(context, state);
        let woken = Sleep::wake(state);
        if def.events {
            events.notice(state);
        }
        times.narrow_phase = watch.lap();

        let substep = dt / context.settings.substeps as f32;
        state.find_islands(context.settings.gravity.length(), [dt, substep]);
        continuous.remember(&state.bodies);
        let solved = solve::run(context, &mut **solver, state);
        times.solve = watch.lap();

        integrate::run(context, state);
        state.bodies.reach_targets();
        fit_joints.run(context, state);
        times.integrate = watch.lap();

        let stopped = continuous.run(context, &update_aabbs, state);
        quarantine::run(context, state);
        let fell_asleep = sleep.run(context, state);
        times.sleep = watch.lap();

        if def.events {
            events.settle(context, state);
            contact_forces::run(context, state);
            events::finish(state);
        }
        state.bodies.changes.clear();
        times.parallel = context.pool.take_parallel_time();

        report.awake = state.bodies.awake.len() as u32;
        report.boxes_moved = boxes_moved as u32;
        report.pairs = state.space.pairs().len() as u32;
        report.contacts = collided.tested;
        report.recycled = collided.recycled;
        report.touching = state.active_manifolds.len() as u32;
        report.constrained = solved.rows;
        report.colors = solved.colors;
        report.overflow_constraints = solved.overflow_constraints;
        report.extra_substep_bodies = solved.extra_substep_bodies;
        report.woken = woken;
        report.fell_asleep = fell_asleep;
        report.ccd_swept = continuous.swept();
        report.ccd_hits = stopped;
        report.times = times;
        report.quarantined.clear();
        let stopped = context.quarantined.iter();
        report.quarantined.extend(stopped.filter_map(|slot| state.bodies.cold.id_of::<BodyId>(*slot)));
        Ok(report)
    }
}
