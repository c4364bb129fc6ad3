//! A table as text: one row per body and frame.
//!
//! Columns: `frame` (number in the recording), `step` (of the simulation), `time`, `body`, `name`,
//! `x`, `y`, `z`; then `qx`…`qw`, or `r00`…`r22` if matrices were recorded; then `vx`, `vy`, `vz`,
//! `wx`, `wy`, `wz` if velocities were. Numbers have the fewest digits that give them back.

use std::io::Write;

use super::{ExportError, strided};
use crate::track::{Header, Position, Recording, Rotation, RotationKind};

const QUATERNION: [&str; 4] = ["qx", "qy", "qz", "qw"];
const ROWS: [&str; 9] = ["r00", "r01", "r02", "r10", "r11", "r12", "r20", "r21", "r22"];
const VELOCITIES: [&str; 6] = ["vx", "vy", "vz", "wx", "wy", "wz"];

/// Names of the columns of a recording with this header.
pub(super) fn columns(header: &Header) -> Vec<&'static str> {
    let mut columns = vec!["frame", "step", "time", "body", "name", "x", "y", "z"];
    match header.pose.rotation {
        RotationKind::Quaternion => columns.extend(QUATERNION),
        RotationKind::Rows => columns.extend(ROWS),
    }
    if header.channels.velocities {
        columns.extend(VELOCITIES);
    }
    columns
}

/// Writes every `stride`-th frame; gives the number of rows, without the one with the names of the
/// columns.
///
/// # Errors
/// If a frame cannot be read or a row not be written.
pub fn write(recording: &mut Recording, stride: u64, out: impl Write) -> Result<u64, ExportError> {
    let mut table = csv::Writer::from_writer(out);
    table.write_record(columns(recording.header()))?;
    let names = recording.names().to_vec();
    let mut rows = 0;
    for number in strided(recording.frames(), stride) {
        let frame = recording.frame(number)?;
        let stamp = frame.stamp();
        for (place, body) in frame.bodies().iter().enumerate() {
            table.write_field(number.to_string())?;
            table.write_field(stamp.number.to_string())?;
            table.write_field(stamp.time.to_string())?;
            table.write_field(body.to_string())?;
            table.write_field(names.get(*body as usize).map_or("", String::as_str))?;
            match frame.position(place) {
                Position::Single(position) => numbers(&mut table, &position)?,
                Position::Double(position) => numbers(&mut table, &position)?,
            }
            match frame.rotation(place) {
                Rotation::Quaternion(quaternion) => numbers(&mut table, &quaternion)?,
                Rotation::Rows(rows) => numbers(&mut table, &rows)?,
            }
            if let Some(velocity) = frame.velocities().get(place) {
                numbers(&mut table, velocity)?;
            }
            table.write_record(None::<&[u8]>)?;
            rows += 1;
        }
    }
    table.flush()?;
    Ok(rows)
}

fn numbers<W: Write>(table: &mut csv::Writer<W>, numbers: &[impl ToString]) -> csv::Result<()> {
    numbers.iter().try_for_each(|number| table.write_field(number.to_string()))
}
