//! The table of [`super::csv`] as Parquet, for programs that analyse large tables.
//!
//! The same columns in the same order: `frame` and `step` as 64-bit integers, `time` and positions
//! as doubles, `body` as a 32-bit integer, `name` as text, the rest as floats. Written in groups of
//! rows, so memory stays bounded.

use std::io::Write;
use std::sync::Arc;

use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, FloatType, Int32Type, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

use super::csv::columns;
use super::{ExportError, strided};
use crate::track::{Frame, Recording, Rotation};

/// Rows of a group, about.
const GROUP_ROWS: usize = 1 << 18;

/// Rows that are held, column by column.
#[derive(Default)]
struct Group {
    frames: Vec<i64>,
    steps: Vec<i64>,
    times: Vec<f64>,
    bodies: Vec<i32>,
    names: Vec<ByteArray>,
    positions: [Vec<f64>; 3],
    /// Rotation and velocities.
    rest: Vec<Vec<f32>>,
}

/// Writes every `stride`-th frame; gives the number of rows.
///
/// # Errors
/// If a frame cannot be read or the table not be written.
pub fn write(recording: &mut Recording, stride: u64, out: impl Write + Send) -> Result<u64, ExportError> {
    let columns = columns(recording.header());
    let schema = Arc::new(schema(&columns)?);
    let mut writer = SerializedFileWriter::new(out, schema, Arc::new(WriterProperties::default()))?;
    let names: Vec<ByteArray> = recording.names().iter().map(|name| ByteArray::from(name.as_str())).collect();
    let mut group = Group { rest: vec![Vec::new(); columns.len() - 8], ..Group::default() };
    let mut rows = 0;
    for number in strided(recording.frames(), stride) {
        group.add(number, recording.frame(number)?, &names);
        if group.frames.len() >= GROUP_ROWS {
            rows += group.write(&mut writer)?;
        }
    }
    rows += group.write(&mut writer)?;
    writer.close()?;
    Ok(rows)
}

fn schema(columns: &[&str]) -> Result<Type, ExportError> {
    let field = |name: &&str| {
        let (physical, logical) = match *name {
            "frame" | "step" => (Physical::INT64, None),
            "time" | "x" | "y" | "z" => (Physical::DOUBLE, None),
            "body" => (Physical::INT32, None),
            "name" => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
            _ => (Physical::FLOAT, None),
        };
        let field = Type::primitive_type_builder(name, physical)
            .with_repetition(Repetition::REQUIRED)
            .with_logical_type(logical)
            .build()?;
        Ok(Arc::new(field))
    };
    let fields = columns.iter().map(field).collect::<Result<Vec<_>, ExportError>>()?;
    Ok(Type::group_type_builder("recording").with_fields(fields).build()?)
}

impl Group {
    fn add(&mut self, number: u64, frame: &Frame, names: &[ByteArray]) {
        let stamp = frame.stamp();
        for (place, body) in frame.bodies().iter().enumerate() {
            self.frames.push(number.cast_signed());
            self.steps.push(stamp.number.cast_signed());
            self.times.push(stamp.time);
            self.bodies.push(body.cast_signed());
            self.names.push(names.get(*body as usize).cloned().unwrap_or_else(|| ByteArray::from("")));
            let position = frame.position(place).to_double();
            self.positions.iter_mut().zip(position).for_each(|(column, x)| column.push(x));
            let rotation = frame.rotation(place);
            let rotation: &[f32] = match &rotation {
                Rotation::Quaternion(quaternion) => quaternion,
                Rotation::Rows(rows) => rows,
            };
            let velocity = frame.velocities().get(place).map_or(&[][..], |velocity| &velocity[..]);
            let numbers = rotation.iter().chain(velocity);
            self.rest.iter_mut().zip(numbers).for_each(|(column, number)| column.push(*number));
        }
    }

    /// Writes the rows that are held and forgets them.
    fn write<W: Write + Send>(&mut self, writer: &mut SerializedFileWriter<W>) -> Result<u64, ExportError> {
        let rows = self.frames.len() as u64;
        if rows == 0 {
            return Ok(0);
        }
        let mut group = writer.next_row_group()?;
        let mut number = 0;
        while let Some(mut column) = group.next_column()? {
            match number {
                0 => column.typed::<Int64Type>().write_batch(&self.frames, None, None)?,
                1 => column.typed::<Int64Type>().write_batch(&self.steps, None, None)?,
                2 => column.typed::<DoubleType>().write_batch(&self.times, None, None)?,
                3 => column.typed::<Int32Type>().write_batch(&self.bodies, None, None)?,
                4 => column.typed::<ByteArrayType>().write_batch(&self.names, None, None)?,
                5..8 => column.typed::<DoubleType>().write_batch(&self.positions[number - 5], None, None)?,
                _ => column.typed::<FloatType>().write_batch(&self.rest[number - 8], None, None)?,
            };
            column.close()?;
            number += 1;
        }
        group.close()?;
        self.frames.clear();
        self.steps.clear();
        self.times.clear();
        self.bodies.clear();
        self.names.clear();
        self.positions.iter_mut().for_each(Vec::clear);
        self.rest.iter_mut().for_each(Vec::clear);
        Ok(rows)
    }
}
