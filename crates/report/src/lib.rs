//! Reports that people like to read: a plain model of text, tables and figures becomes a page and
//! its files.
//!
//! [`Report::write`] writes into a folder
//!
//! - `report.html`, one file that needs no other: readable on a phone, on a dark screen and on
//!   paper;
//! - `report.md`, for a thesis;
//! - each figure as SVG and PNG, and the numbers behind each figure and table as CSV.
//!
//! The crate knows nothing of physics and does no statistics: whoever measures hands over values
//! with their intervals. All text may be hostile and all numbers may be anything; what cannot be
//! shown is left out and the caption says so. Pictures look the same on every machine, since the
//! letters are compiled in.
//!
//! Drawing goes in two steps: `figure` turns a plot, bars or a map into a list of lines and words
//! (`figure/canvas.rs`), which is then written as SVG and as PNG.
//! `docs/decisions/0009-report-drawing.md` says why no plotting crate is used.
//!
//! ```
//! use carom_report::{Axis, Plot, Point, Report, Section, Series};
//!
//! let curve = Series::new("sap", [Point::new(1e3, 0.25).between(0.24, 0.27), Point::new(4e3, 1.6)]);
//! let plot = Plot::new("time", "Time per frame.", Axis::log("boxes"), Axis::log("time (ms)"))
//!     .series(curve)
//!     .line("60 frames per second", 1000.0 / 60.0);
//! let report = Report::new("A swarm").section(Section::new("Time").block(plot));
//! # let folder = tempfile::tempdir()?;
//! # let folder = folder.path();
//! let written = report.write(folder)?;
//! assert!(written.html.is_file() && folder.join("time.svg").is_file());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

mod data;
mod error;
mod escape;
mod figure;
pub mod model;
mod names;
mod number;
mod page;
mod validate;
mod write;

pub use error::ReportError;
pub use model::{
    Axis, Bar, Block, Cell, Column, Fit, GuideLine, MapCell, Plot, Point, Report, Scale, Section, Series,
    StackedBars, Table, WinnerMap,
};
pub use write::Written;
