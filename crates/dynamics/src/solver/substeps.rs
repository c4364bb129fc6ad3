//! The substeps of a step over rows and lanes.

use super::bounce::Bounce;
use super::contact::Sweep;
use super::lanes::Lanes;
use super::machine::{Crew, Machine};
use super::movers::Movers;
use super::wide::Constraints;

/// How a step is divided.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Substeps {
    /// How many.
    pub(crate) count: u32,
    /// How long each.
    pub(crate) h: f32,
    /// Fastest push out of an overlap.
    pub(crate) max_push: f32,
    /// Slower approach does not bounce.
    pub(crate) bounce_threshold: f32,
}

impl Substeps {
    /// All substeps, then the bounces.
    pub(crate) fn run<M: Machine, L: Lanes, const W: usize>(
        &self,
        crew: &mut Crew<'_, M>,
        it: &mut Constraints<L, W>,
        movers: &mut Movers,
    ) {
        it.prepare(crew);
        let inverse_h = 1.0 / self.h;
        for substep in 0..self.count {
            let sweep = Sweep { inverse_h, elapsed: substep as f32 * self.h, max_push: self.max_push };
            if substep == 0 {
                movers.pull();
                it.warm_start(crew, &mut movers.rows, sweep);
            } else {
                movers.pull_again();
            }
            it.push(crew, &mut movers.rows, sweep);
            movers.lock();
            movers.advance(self.h);
            it.relax(crew, &mut movers.rows);
            movers.lock();
        }
        let bounce = Bounce {
            threshold: self.bounce_threshold,
            inverse_h,
            substeps: self.count as f32,
            pulls: &movers.pulls,
        };
        it.bounce(crew, &mut movers.rows, &bounce);
        movers.lock();
    }
}
