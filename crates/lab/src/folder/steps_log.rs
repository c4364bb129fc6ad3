//! `steps.csv`: everything that is known of every step, a row each.
//!
//! Columns: step, simulated time, wall time of the step and of each stage in milliseconds, the
//! solver's counts, the work of the broad phase in this step (under Fingsics' rules, which
//! tell it), energies, momenta, overlaps. The columns of a solver do not change with the scene.

use std::io::{self, Write};

use carom_sim::{MetricGroup, MetricValue, StepMetrics};

use crate::session::Session;

/// Columns after those of the solver.
const MECHANICS: &str = "kinetic_J,potential_J,energy_J,momentum_x,momentum_y,momentum_z,angular_momentum_x,\
                         angular_momentum_y,angular_momentum_z,contact_points,deepest_m,mean_depth_m";

/// Writes the names of the columns.
///
/// # Errors
/// If the writer fails.
pub fn write_header(mut out: impl Write, session: &Session) -> io::Result<()> {
    let keys = |group| session.schema().group(group).map(|(_, metric)| &*metric.key);
    write!(out, "step,time_s,step_ms")?;
    keys(MetricGroup::Stages).try_for_each(|key| write!(out, ",{key}_ms"))?;
    keys(MetricGroup::Counts).try_for_each(|key| write!(out, ",{key}"))?;
    keys(MetricGroup::BroadPhase).try_for_each(|key| write!(out, ",{key}"))?;
    writeln!(out, ",quarantined,{MECHANICS}")
}

/// Writes the row of the step that a session has just done.
///
/// # Errors
/// If the writer fails.
pub fn write_row(mut out: impl Write, session: &Session, step: &StepMetrics) -> io::Result<()> {
    let ms = |time: std::time::Duration| time.as_secs_f64() * 1000.0;
    let values = |group| session.schema().group(group).map(|(at, _)| step.values[at]);
    write!(out, "{},{},{:.6}", session.steps(), session.time(), ms(step.time))?;
    values(MetricGroup::Stages).try_for_each(|value| write!(out, ",{:.6}", ms(value.as_time())))?;
    let counts = values(MetricGroup::Counts).chain(values(MetricGroup::BroadPhase));
    counts.map(MetricValue::as_count).try_for_each(|count| write!(out, ",{count}"))?;
    let m = session.simulation().mechanics();
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
