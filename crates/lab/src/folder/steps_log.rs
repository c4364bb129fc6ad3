//! `steps.csv`: everything that is known of every step, a row each.
//!
//! Columns: step, simulated time, wall time of the step and of each stage in milliseconds, the solver's counts, the work of the broad
//! phase in this step (under the original's rules, which tell it), energies, momenta, overlaps. The columns of a solver do not
//! change with the scene.

use std::io::{self, Write};

use carom_broadphase::Counters;

use crate::session::Session;
use crate::session::figures::{Figured, StepFigures};

/// Columns after those of the solver.
const MECHANICS: &str = "kinetic_J,potential_J,energy_J,momentum_x,momentum_y,momentum_z,angular_momentum_x,\
                         angular_momentum_y,angular_momentum_z,contact_points,deepest_m,mean_depth_m";

/// Columns of the broad phase's work.
const WORK: &str = "box_tests,node_visits,cells,swaps,pair_changes";

/// Writes the names of the columns.
///
/// # Errors
/// If the writer fails.
pub fn write_header(mut out: impl Write, session: &Session) -> io::Result<()> {
    let figured: &Figured = session.figured();
    write!(out, "step,time_s,step_ms")?;
    figured.stages.iter().try_for_each(|stage| write!(out, ",{}_ms", stage.key))?;
    figured.counts.iter().try_for_each(|count| write!(out, ",{}", count.key))?;
    if session.fingsics().is_some() {
        write!(out, ",{WORK}")?;
    }
    writeln!(out, ",quarantined,{MECHANICS}")
}

/// Writes the row of the step that a session has just done; `before` is the work of the broad phase up to the step before, and then up to
/// this one.
///
/// # Errors
/// If the writer fails.
pub fn write_row(
    mut out: impl Write,
    session: &Session,
    step: &StepFigures,
    before: &mut Counters,
) -> io::Result<()> {
    let ms = |time: std::time::Duration| time.as_secs_f64() * 1000.0;
    let figured = session.figured();
    write!(out, "{},{},{:.6}", session.steps(), session.time(), ms(step.time))?;
    step.stages[..figured.stages.len()].iter().try_for_each(|time| write!(out, ",{:.6}", ms(*time)))?;
    step.counts[..figured.counts.len()].iter().try_for_each(|count| write!(out, ",{count}"))?;
    if let Some(world) = session.fingsics() {
        let now = world.broad_counters();
        let pairs = [
            (now.box_tests, before.box_tests),
            (now.node_visits, before.node_visits),
            (now.cells, before.cells),
            (now.swaps, before.swaps),
            (now.pair_changes, before.pair_changes),
        ];
        pairs.into_iter().try_for_each(|(now, before)| write!(out, ",{}", now.saturating_sub(before)))?;
        *before = now;
    }
    let m = session.mechanics();
    let [px, py, pz] = m.momentum.to_array();
    let [lx, ly, lz] = m.angular_momentum.to_array();
    writeln!(
        out,
        ",{},{},{},{},{px},{py},{pz},{lx},{ly},{lz},{},{},{}",
        step.quarantined.len(),
        m.kinetic,
        m.potential,
        m.kinetic + m.potential,
        m.points,
        m.deepest,
        m.mean_depth
    )
}
