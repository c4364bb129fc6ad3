//! A height field as bytes: its heights, spacing and holes, and the bend that counts as flat. The
//! rest is rebuilt.

use super::HeightField;
use crate::bytes::{BytesReadError, Reader, Stored, Writer};

impl Stored for HeightField {
    const LEAST: usize = 32;

    fn put(&self, out: &mut Writer) {
        [self.columns, self.rows].put(out);
        self.spacing.put(out);
        self.flat_cosine.put(out);
        self.heights.put(out);
        self.holes.put(out);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, BytesReadError> {
        let [columns, rows]: [u32; 2] = from.field("samples")?;
        let spacing: [f32; 2] = from.field("spacing")?;
        let flat_cosine: f64 = from.field("flat_cosine")?;
        let heights: Vec<f32> = from.field("heights")?;
        let holes: Vec<u64> = from.field("holes")?;
        if !(-1.0..=1.0).contains(&flat_cosine) {
            return Err(from.refused(format_args!("{flat_cosine} is no cosine of a flat angle")));
        }
        let mut field = Self::new(columns, rows, heights, spacing).map_err(|error| from.refused(error))?;
        if !holes.is_empty() {
            let [across, down] = field.cells();
            let wanted = (across as usize * down as usize).div_ceil(64);
            if holes.len() != wanted {
                let found = holes.len();
                return Err(from.refused(format_args!("{found} words of holes instead of {wanted}")));
            }
            let is_hole = |column: u32, row: u32| {
                let cell = row as usize * across as usize + column as usize;
                holes[cell / 64] >> (cell % 64) & 1 == 1
            };
            field = field.with_holes(is_hole).map_err(|error| from.refused(error))?;
        }
        field.flat_cosine = flat_cosine;
        Ok(field)
    }
}
