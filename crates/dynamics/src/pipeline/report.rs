//! What a step did: counts and the time of each stage.

use std::time::Duration;

use carom_geometry::bytes::{BytesReadError, Reader, Stored, Writer};

use crate::state::id::BodyId;

/// What a step did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StepReport {
    /// Bodies that took part.
    pub awake: u32,
    /// Boxes rebuilt for the broad phase.
    pub boxes_moved: u32,
    /// Pairs of boxes that overlap.
    pub pairs: u32,
    /// Contacts looked at.
    pub contacts: u32,
    /// Contacts whose points were kept from the step before.
    pub recycled: u32,
    /// Contacts that were solved.
    pub touching: u32,
    /// Contacts with seams between shapes of one surface, which were left out.
    pub seams: u32,
    /// Bodies that were solved; the others moved freely.
    pub constrained: u32,
    /// Colors that the contacts were solved in.
    pub colors: u32,
    /// Contacts and joints that found no color and were solved one at a time.
    pub overflow_constraints: u32,
    /// Bodies that were solved in more substeps than the world's: light ones under heavy ones, long
    /// towers and chains.
    pub extra_substep_bodies: u32,
    /// Bodies that something awake touched.
    pub woken: u32,
    /// Bodies that fell asleep.
    pub fell_asleep: u32,
    /// Bodies so fast that their ways were looked at.
    pub ccd_swept: u32,
    /// Bodies that were put back to where they met something that their contacts had missed.
    pub ccd_hits: u32,
    /// Bodies whose state became non-finite, that went farther than a million kilometres or faster
    /// than a thousand kilometres or a million radians per second; they were put back and stopped.
    pub quarantined: Vec<BodyId>,
    /// Time of each stage.
    pub times: StepTimes,
}

/// Time of each stage of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepTimes {
    /// Fat boxes.
    pub update_aabbs: Duration,
    /// Broad phase.
    pub broad_phase: Duration,
    /// Narrow phase.
    pub narrow_phase: Duration,
    /// Solver.
    pub solve: Duration,
    /// Motion of bodies that nothing touches.
    pub integrate: Duration,
    /// Rest and sleep.
    pub sleep: Duration,
    /// Of all this, what several threads could share; with one thread, nothing.
    pub parallel: Duration,
}

impl StepTimes {
    /// Share of the step that one thread did while the others had nothing to do: what more threads
    /// cannot shorten. 1 with one thread.
    #[must_use]
    pub fn serial_share(&self) -> f64 {
        let alone = self.total().saturating_sub(self.parallel).as_secs_f64();
        if self.parallel.is_zero() { 1.0 } else { alone / self.total().as_secs_f64() }
    }

    /// All stages together.
    #[must_use]
    pub fn total(&self) -> Duration {
        self.update_aabbs + self.broad_phase + self.narrow_phase + self.solve + self.integrate + self.sleep
    }
}

/// All but the times, which are different each time.
impl Stored for StepReport {
    const LEAST: usize = 64;

    fn put(&self, out: &mut Writer) {
        let Self { awake, boxes_moved, pairs, contacts, recycled, touching, seams, constrained, .. } = *self;
        [awake, boxes_moved, pairs, contacts, recycled, touching, seams, constrained].put(out);
        let Self {
            colors,
            overflow_constraints,
            extra_substep_bodies,
            woken,
            fell_asleep,
            ccd_swept,
            ccd_hits,
            ..
        } = *self;
        [colors, overflow_constraints, extra_substep_bodies, woken, fell_asleep, ccd_swept, ccd_hits]
            .put(out);
        self.quarantined.put(out);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, BytesReadError> {
        let [awake, boxes_moved, pairs, contacts, recycled, touching, seams, constrained] =
            from.field("counts")?;
        let [colors, overflow_constraints, extra_substep_bodies, woken, fell_asleep, ccd_swept, ccd_hits] =
            from.field("counts")?;
        Ok(Self {
            awake,
            boxes_moved,
            pairs,
            contacts,
            recycled,
            touching,
            seams,
            constrained,
            colors,
            overflow_constraints,
            extra_substep_bodies,
            woken,
            fell_asleep,
            ccd_swept,
            ccd_hits,
            quarantined: from.field("quarantined")?,
            times: StepTimes::default(),
        })
    }
}
