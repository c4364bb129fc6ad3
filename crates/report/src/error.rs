//! What can go wrong when a report is written.

use std::io;
use std::path::PathBuf;

/// Why a report could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// A row has more cells than there are columns.
    #[error(
        "table `{table}`: row {row} has {cells} cells for {columns} columns; name a column for every cell"
    )]
    TooManyCells {
        /// The name of the table.
        table: String,
        /// The row, counted from one.
        row: usize,
        /// How many cells it has.
        cells: usize,
        /// How many columns there are.
        columns: usize,
    },
    /// A bar has more parts than there are names for.
    #[error("bars `{figure}`: `{bar}` has {values} parts, but {names} are named; name every part")]
    TooManyParts {
        /// The name of the figure.
        figure: String,
        /// The label of the bar.
        bar: String,
        /// How many parts it has.
        values: usize,
        /// How many parts are named.
        names: usize,
    },
    /// A map has not one cell for each pair of values.
    #[error("map `{figure}`: {cells} cells for {columns} columns and {rows} rows; give {} row by row", columns * rows)]
    CellCount {
        /// The name of the figure.
        figure: String,
        /// How many cells there are.
        cells: usize,
        /// How many values across.
        columns: usize,
        /// How many values upwards.
        rows: usize,
    },
    /// A cell of a map is won by somebody who does not take part.
    #[error(
        "map `{figure}`: cell {cell} is won by contender {winner} of {contenders}; contenders count from zero"
    )]
    NoSuchContender {
        /// The name of the figure.
        figure: String,
        /// The cell, counted from zero, row by row.
        cell: usize,
        /// The index of the winner.
        winner: usize,
        /// How many contenders there are.
        contenders: usize,
    },
    /// A picture could not be made.
    #[error(
        "`{file}` could not be drawn at {width} by {height} pixels; a figure with fewer entries is smaller"
    )]
    Picture {
        /// The name of the file.
        file: String,
        /// Its width in pixels.
        width: u32,
        /// Its height in pixels.
        height: u32,
    },
    /// A table could not be turned into text.
    #[error("the data of `{file}` could not be written: {source}")]
    Data {
        /// The name of the file.
        file: String,
        /// What went wrong.
        source: csv::Error,
    },
    /// A file or folder could not be written.
    #[error("`{}` could not be written: {source}", path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// What went wrong.
        source: io::Error,
    },
}
