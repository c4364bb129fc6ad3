//! Who wins where.

use super::Axis;

/// A grid of situations, each with the contender that wins there.
///
/// All cells have the same size, so that none is too small to read; the values stand beside them.
/// The scales of the axes are not used.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WinnerMap {
    /// The file name without ending; made safe and unique when it is written.
    pub name: String,
    /// What the figure shows, a sentence.
    pub caption: String,
    /// What changes across.
    pub x: Axis,
    /// What changes upwards.
    pub y: Axis,
    /// The values across, one per column.
    pub xs: Vec<f64>,
    /// The values upwards, one per row; the first row is drawn at the bottom.
    pub ys: Vec<f64>,
    /// Who took part.
    pub contenders: Vec<String>,
    /// The cells row by row, `xs.len()` per row.
    pub cells: Vec<MapCell>,
}

impl WinnerMap {
    /// A map without values.
    #[must_use]
    pub fn new(
        name: impl Into<String>,
        caption: impl Into<String>,
        x: Axis,
        y: Axis,
        contenders: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        Self {
            name: name.into(),
            caption: caption.into(),
            x,
            y,
            contenders: contenders.into_iter().map(Into::into).collect(),
            ..Self::default()
        }
    }

    /// The same map with its columns.
    #[must_use]
    pub fn columns(mut self, xs: impl IntoIterator<Item = f64>) -> Self {
        self.xs = xs.into_iter().collect();
        self
    }

    /// Adds a row at `y` with a cell for each column.
    #[must_use]
    pub fn row(mut self, y: f64, cells: impl IntoIterator<Item = MapCell>) -> Self {
        self.ys.push(y);
        self.cells.extend(cells);
        self
    }
}

/// One situation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MapCell {
    /// The index of the winner, or nothing if it was not measured.
    pub winner: Option<usize>,
    /// The second best over the best: 2 means twice as fast as anybody else.
    pub margin: f64,
    /// Whether the intervals of the two are apart.
    pub is_decided: bool,
}

impl MapCell {
    /// A cell in which `winner` is ahead by `margin`.
    #[must_use]
    pub fn won(winner: usize, margin: f64) -> Self {
        Self { winner: Some(winner), margin, is_decided: true }
    }

    /// A cell in which `winner` is ahead, but the intervals overlap.
    #[must_use]
    pub fn undecided(winner: usize, margin: f64) -> Self {
        Self { winner: Some(winner), margin, is_decided: false }
    }
}
