//! Height fields: landscapes over a regular grid.
//!
//! Heights stand on a grid over the local x–z plane, centred on the origin: `columns` samples along
//! x, `rows` along z, up along +y. Four neighbouring samples form a cell of two triangles, whose
//! front is above:
//!
//! ```text
//!   (c, r) ──── (c+1, r)     → x
//!     │  0   ╱    │          triangle 2 · cell + 0: (c, r), (c, r+1), (c+1, r)
//!     │    ╱   1  │          triangle 2 · cell + 1: (c, r+1), (c+1, r+1), (c+1, r)
//!   (c, r+1) ── (c+1, r+1)   cell = r · (columns − 1) + c
//!     ↓ z
//! ```
//!
//! (The same diagonal as in parry3d and Rapier.) Cells can be holes. A pyramid of lowest and
//! highest heights lets queries pass over what lies far below or above. Nothing is stored per
//! triangle: corners, neighbours and edge kinds follow from the samples.

mod bounds;
mod edges;
mod pyramid;
mod query;
mod stored;
mod walk;

use carom_core::trig;
use glam::Vec3;

use crate::bounds::Aabb;
use crate::mesh::DEFAULT_FLAT_ANGLE;
use crate::primitive::Triangle;
use pyramid::Pyramid;

/// Largest number of cells: their triangles have 32-bit numbers.
pub const MAX_CELLS: u64 = 1 << 30;

carom_core::error_type! {
    /// Why there is no height field.
    #[derive(Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub enum HeightFieldError {
        /// Fewer than two samples one way.
        #[error("{columns} by {rows} samples have no cell between them: at least 2 by 2 are needed")]
        TooFewSamples {
            /// Samples along x.
            columns: u32,
            /// Samples along z.
            rows: u32,
        },
        /// More than [`MAX_CELLS`].
        #[error("{columns} by {rows} samples are too many: {MAX_CELLS} cells at most")]
        TooManySamples {
            /// Samples along x.
            columns: u32,
            /// Samples along z.
            rows: u32,
        },
        /// The number of heights is not columns times rows.
        #[error("{columns} by {rows} samples need {} heights, but there are {heights}", u64::from(*columns) * u64::from(*rows))]
        WrongCount {
            /// Samples along x.
            columns: u32,
            /// Samples along z.
            rows: u32,
            /// Heights given.
            heights: usize,
        },
        /// A height is NaN or infinite.
        #[error("the height at column {column}, row {row} is {value}: heights must be finite numbers")]
        NotFinite {
            /// Sample along x.
            column: u32,
            /// Sample along z.
            row: u32,
            /// Its height.
            value: f32,
        },
        /// A spacing that is not positive, or so large that the field has no finite size.
        #[error("the spacing {spacing:?} must be positive, and the size of the field finite")]
        Spacing {
            /// Along x and z.
            spacing: [f32; 2],
        },
        /// Every cell is a hole.
        #[error("every cell of the height field is a hole")]
        AllHoles,
        /// A flat angle outside 0 to π.
        #[error("the flat angle {angle} is not between 0 and π")]
        FlatAngle {
            /// The angle asked for, radians.
            angle: f32,
        },
    }
}

/// A landscape over a grid.
///
/// ```
/// use carom_geometry::height_field::HeightField;
/// use carom_geometry::primitive::Ray;
/// use glam::Vec3;
///
/// // A ramp of 3 by 2 samples, one metre apart.
/// let ramp = HeightField::new(3, 2, vec![0.0, 1.0, 2.0, 0.0, 1.0, 2.0], [1.0, 1.0]).unwrap();
/// assert_eq!(ramp.height_at(0.25, 0.1), Some(1.25));
/// let hit = ramp.cast(&Ray::new(Vec3::new(0.5, 5.0, 0.2), -Vec3::Y), 10.0).unwrap();
/// assert_eq!(hit.t, 3.5);
/// ```
#[derive(Clone, Debug)]
pub struct HeightField {
    columns: u32,
    rows: u32,
    heights: Vec<f32>,
    spacing: [f32; 2],
    /// Cells per length along x and z.
    per_length: [f64; 2],
    /// Places of the samples along x and z, ascending.
    xs: Vec<f32>,
    zs: Vec<f32>,
    /// One bit per cell; empty if there is no hole.
    holes: Vec<u64>,
    pyramid: Pyramid,
    bounds: Aabb<3>,
    flat_cosine: f64,
}

impl HeightField {
    /// A field of `columns` by `rows` samples. Heights are given row by row, along x first;
    /// `spacing` is the distance between neighbouring samples along x and z.
    ///
    /// # Errors
    /// See [`HeightFieldError`].
    pub fn new(
        columns: u32,
        rows: u32,
        heights: Vec<f32>,
        spacing: [f32; 2],
    ) -> Result<Self, HeightFieldError> {
        if columns < 2 || rows < 2 {
            return Err(HeightFieldError::TooFewSamples { columns, rows });
        }
        if u64::from(columns - 1) * u64::from(rows - 1) > MAX_CELLS {
            return Err(HeightFieldError::TooManySamples { columns, rows });
        }
        if heights.len() as u64 != u64::from(columns) * u64::from(rows) {
            return Err(HeightFieldError::WrongCount { columns, rows, heights: heights.len() });
        }
        if let Some(at) = heights.iter().position(|h| !h.is_finite()) {
            let (column, row) = (at as u32 % columns, at as u32 / columns);
            return Err(HeightFieldError::NotFinite { column, row, value: heights[at] });
        }
        let (xs, zs) = (places(columns, spacing[0]), places(rows, spacing[1]));
        // A spacing below the resolution of `f32` at the border would fold cells into lines.
        let sound = |list: &[f32]| list[0].is_finite() && list.windows(2).all(|pair| pair[0] < pair[1]);
        if !(sound(&xs) && sound(&zs)) {
            return Err(HeightFieldError::Spacing { spacing });
        }
        let mut field = Self {
            columns,
            rows,
            heights,
            spacing,
            per_length: spacing.map(|distance| 1.0 / f64::from(distance)),
            xs,
            zs,
            holes: Vec::new(),
            pyramid: Pyramid::default(),
            bounds: Aabb::EMPTY,
            flat_cosine: trig::sin_cos_f64(f64::from(DEFAULT_FLAT_ANGLE)).1,
        };
        field.raise_pyramid();
        Ok(field)
    }

    /// The same field with holes: cells `(column, row)` for which `is_hole` is true. Earlier holes
    /// are closed.
    ///
    /// # Errors
    /// If nothing would be left.
    pub fn with_holes(mut self, is_hole: impl Fn(u32, u32) -> bool) -> Result<Self, HeightFieldError> {
        let [across, down] = self.cells();
        self.holes = vec![0; (across as usize * down as usize).div_ceil(64)];
        let mut left = false;
        for row in 0..down {
            for column in 0..across {
                let hole = is_hole(column, row);
                left |= !hole;
                let cell = self.cell_index(column, row) as usize;
                self.holes[cell / 64] |= u64::from(hole) << (cell % 64);
            }
        }
        if !left {
            return Err(HeightFieldError::AllHoles);
        }
        self.raise_pyramid();
        Ok(self)
    }

    /// The same field with another bend that still counts as [flat](crate::mesh::EdgeKind::Flat),
    /// radians; at first one degree.
    ///
    /// # Errors
    /// If the angle is not between 0 and π.
    pub fn with_flat_angle(mut self, angle: f32) -> Result<Self, HeightFieldError> {
        if !(0.0..=std::f32::consts::PI).contains(&angle) {
            return Err(HeightFieldError::FlatAngle { angle });
        }
        self.flat_cosine = trig::sin_cos_f64(f64::from(angle)).1;
        Ok(self)
    }

    fn raise_pyramid(&mut self) {
        self.pyramid = Pyramid::new(self.cells(), |column, row| self.cell_range(column, row));
        let [low, high] = self.pyramid.whole();
        let last = |list: &[f32]| list[list.len() - 1];
        self.bounds = Aabb::new([self.xs[0], low, self.zs[0]], [last(&self.xs), high, last(&self.zs)]);
        if !self.holes.is_empty() {
            self.shrink_to_solid();
        }
    }

    /// Takes rows and columns of holes at the border out of the box.
    fn shrink_to_solid(&mut self) {
        let [across, down] = self.cells();
        let solid_column = |c: &u32| (0..down).any(|r| !self.is_hole(*c, r));
        let solid_row = |r: &u32| (0..across).any(|c| !self.is_hole(c, *r));
        if let (Some(c0), Some(c1), Some(r0), Some(r1)) = (
            (0..across).find(solid_column),
            (0..across).rev().find(solid_column),
            (0..down).find(solid_row),
            (0..down).rev().find(solid_row),
        ) {
            (self.bounds.min[0], self.bounds.max[0]) = (self.xs[c0 as usize], self.xs[c1 as usize + 1]);
            (self.bounds.min[2], self.bounds.max[2]) = (self.zs[r0 as usize], self.zs[r1 as usize + 1]);
        }
    }

    /// Samples along x and z.
    #[must_use]
    pub fn samples(&self) -> [u32; 2] {
        [self.columns, self.rows]
    }

    /// Cells along x and z.
    #[inline]
    #[must_use]
    pub fn cells(&self) -> [u32; 2] {
        [self.columns - 1, self.rows - 1]
    }

    /// Distance between neighbouring samples along x and z.
    #[must_use]
    pub fn spacing(&self) -> [f32; 2] {
        self.spacing
    }

    /// The heights, row by row.
    #[must_use]
    pub fn heights(&self) -> &[f32] {
        &self.heights
    }

    /// Number of triangles, those of holes included: their numbers are kept free.
    #[must_use]
    pub fn triangle_count(&self) -> usize {
        2 * (self.columns as usize - 1) * (self.rows as usize - 1)
    }

    /// Is the cell a hole? Panics if there is no such cell.
    #[inline]
    #[must_use]
    pub fn is_hole(&self, column: u32, row: u32) -> bool {
        if self.holes.is_empty() {
            return false;
        }
        let cell = self.cell_index(column, row) as usize;
        self.holes[cell / 64] >> (cell % 64) & 1 == 1
    }

    /// A triangle, whether or not its cell is a hole. Panics if there is no such number.
    #[must_use]
    pub fn triangle(&self, triangle: u32) -> Triangle {
        let [a, b, c] = self.corners(triangle);
        Triangle::new(a, b, c)
    }

    /// Column and row of the cell of a triangle.
    #[must_use]
    pub fn cell_of(&self, triangle: u32) -> [u32; 2] {
        let cell = triangle / 2;
        [cell % (self.columns - 1), cell / (self.columns - 1)]
    }

    /// Height of the surface over a point of the x–z plane; `None` outside the field and over
    /// holes.
    #[must_use]
    pub fn height_at(&self, x: f32, z: f32) -> Option<f32> {
        if !(x >= self.bounds.min[0] && x <= self.bounds.max[0]) {
            return None;
        }
        if !(z >= self.bounds.min[2] && z <= self.bounds.max[2]) {
            return None;
        }
        let (column, row) = (slot(&self.xs, self.per_length[0], x), slot(&self.zs, self.per_length[1], z));
        if self.is_hole(column, row) {
            return None;
        }
        let part = |list: &[f32], k: u32, at: f32| {
            let (low, high) = (list[k as usize], list[k as usize + 1]);
            (at - low) / (high - low)
        };
        let (u, v) = (part(&self.xs, column, x), part(&self.zs, row, z));
        let [h00, h10, h01, h11] = self.cell_heights(column, row);
        Some(if u + v <= 1.0 {
            h00 + u * (h10 - h00) + v * (h01 - h00)
        } else {
            h11 + (1.0 - u) * (h01 - h11) + (1.0 - v) * (h10 - h11)
        })
    }

    #[inline]
    fn cell_index(&self, column: u32, row: u32) -> u32 {
        row * (self.columns - 1) + column
    }

    /// A sample as a point.
    #[inline]
    fn point(&self, column: u32, row: u32) -> Vec3 {
        let (c, r) = (column as usize, row as usize);
        Vec3::new(self.xs[c], self.heights[r * self.columns as usize + c], self.zs[r])
    }

    /// Heights at (c, r), (c+1, r), (c, r+1), (c+1, r+1).
    #[inline]
    fn cell_heights(&self, column: u32, row: u32) -> [f32; 4] {
        let at = row as usize * self.columns as usize + column as usize;
        let below = at + self.columns as usize;
        [self.heights[at], self.heights[at + 1], self.heights[below], self.heights[below + 1]]
    }

    /// Lowest and highest point of a cell; inverted for a hole.
    #[inline]
    fn cell_range(&self, column: u32, row: u32) -> [f32; 2] {
        if self.is_hole(column, row) {
            return pyramid::NOTHING;
        }
        pyramid::range(self.cell_heights(column, row))
    }

    /// Corners of the two triangles of a cell.
    #[inline]
    fn cell_corners(&self, column: u32, row: u32) -> [[Vec3; 3]; 2] {
        self.halves(column, row, self.cell_heights(column, row))
    }

    /// The same for a cell whose heights are known.
    #[inline]
    fn halves(&self, column: u32, row: u32, [h00, h10, h01, h11]: [f32; 4]) -> [[Vec3; 3]; 2] {
        let (x0, x1) = (self.xs[column as usize], self.xs[column as usize + 1]);
        let (z0, z1) = (self.zs[row as usize], self.zs[row as usize + 1]);
        let (p10, p01) = (Vec3::new(x1, h10, z0), Vec3::new(x0, h01, z1));
        [[Vec3::new(x0, h00, z0), p01, p10], [p01, Vec3::new(x1, h11, z1), p10]]
    }

    #[inline]
    fn corners(&self, triangle: u32) -> [Vec3; 3] {
        let [column, row] = self.cell_of(triangle);
        self.cell_corners(column, row)[triangle as usize % 2]
    }
}

/// Places of `count` samples, centred.
fn places(count: u32, spacing: f32) -> Vec<f32> {
    let half = f64::from(count - 1) * 0.5;
    (0..count).map(|k| ((f64::from(k) - half) * f64::from(spacing)) as f32).collect()
}

/// The cell of a list of places that `at` lies in; the first or last one if it lies outside.
#[inline]
fn slot(places: &[f32], per_length: f64, at: f32) -> u32 {
    let last = places.len() - 2;
    // The guess is off by one at most, by rounding.
    let guess = ((f64::from(at) - f64::from(places[0])) * per_length) as usize;
    let mut slot = guess.min(last);
    while slot < last && places[slot + 1] < at {
        slot += 1;
    }
    while slot > 0 && places[slot] > at {
        slot -= 1;
    }
    slot as u32
}
