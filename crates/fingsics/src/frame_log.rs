//! Fingsics' CSV reports: one row per simulated step, its column names, its number format.
//!
//! Row k describes the state *before* the k-th move; times are milliseconds at microsecond
//! resolution; `CRTime` holds response and motion together; nothing is drawn here, so `DrawTime` is
//! 0. The reader takes the columns by name, since older reports have `MoveTime` in place of
//! `DrawTime`, and ignores the times, which are useless in the published files.

use std::io::{self, Write};
use std::time::Duration;

use crate::report::FingsicsReport;

use crate::cpp_number::stream;
use crate::version::FingsicsVersion;

/// The header line.
pub const HEADER: &str = "BPCDTime,NPCDTests,NPCDTime,Collisions,CRTime,DrawTime,TotalTime";

/// One row, or the mean of several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// Broad phase.
    pub broad: Duration,
    /// Pairs tested.
    pub tests: u64,
    /// Narrow phase.
    pub narrow: Duration,
    /// Pairs touching.
    pub collisions: u64,
    /// Response and motion.
    pub response: Duration,
    /// Drawing.
    pub draw: Duration,
}

impl Row {
    /// All stages.
    #[must_use]
    pub fn total(&self) -> Duration {
        self.broad + self.narrow + self.response + self.draw
    }

    /// Of a step of any simulation: its stage times and counts by the names that files use. What is
    /// neither broad nor narrow phase is response and motion.
    #[must_use]
    pub fn of_step<'a>(
        stages: impl IntoIterator<Item = (&'a str, Duration)>,
        counts: impl IntoIterator<Item = (&'a str, u64)>,
    ) -> Self {
        let mut row = Self::default();
        for (stage, time) in stages {
            match stage {
                "fit" | "broad" => row.broad += time,
                "narrow" => row.narrow += time,
                _ => row.response += time,
            }
        }
        for (count, value) in counts {
            match count {
                "tested_pairs" => row.tests = value,
                "contacts" => row.collisions = value,
                _ => {}
            }
        }
        row
    }

    /// The mean of rows of the same step in several runs. Counts are divided as integers, as in
    /// Fingsics.
    #[must_use]
    pub fn mean(rows: &[Self]) -> Self {
        let n = rows.len().max(1) as u32;
        let time = |pick: fn(&Self) -> Duration| rows.iter().map(pick).sum::<Duration>() / n;
        let count = |pick: fn(&Self) -> u64| rows.iter().map(pick).sum::<u64>() / u64::from(n);
        Self {
            broad: time(|r| r.broad),
            tests: count(|r| r.tests),
            narrow: time(|r| r.narrow),
            collisions: count(|r| r.collisions),
            response: time(|r| r.response),
            draw: time(|r| r.draw),
        }
    }
}

impl From<&FingsicsReport> for Row {
    fn from(report: &FingsicsReport) -> Self {
        Self {
            broad: report.times.broad,
            tests: report.tested,
            narrow: report.times.narrow,
            collisions: report.contacts,
            response: report.times.response + report.times.motion,
            draw: Duration::ZERO,
        }
    }
}

/// Writes rows under the header.
///
/// # Errors
/// If the writer fails.
pub fn write(mut out: impl Write, rows: &[Row]) -> io::Result<()> {
    writeln!(out, "{HEADER}")?;
    rows.iter().try_for_each(|row| write_row(&mut out, row))?;
    out.flush()
}

/// Writes one row.
///
/// # Errors
/// If the writer fails.
pub fn write_row(mut out: impl Write, row: &Row) -> io::Result<()> {
    let ms = |time: Duration| stream(time.as_micros() as f64 / 1000.0);
    let (broad, narrow, response) = (ms(row.broad), ms(row.narrow), ms(row.response));
    let (draw, total) = (ms(row.draw), ms(row.total()));
    writeln!(out, "{broad},{},{narrow},{},{response},{draw},{total}", row.tests, row.collisions)
}

/// The counts of a report: what can be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Who wrote it.
    pub version: FingsicsVersion,
    /// Pairs tested and pairs touching, row by row.
    pub rows: Vec<(u64, u64)>,
}

/// Why a report could not be read.
#[derive(Debug, thiserror::Error)]
pub enum FrameLogError {
    /// Not CSV.
    #[error("{0}")]
    Csv(#[from] csv::Error),
    /// A column is missing.
    #[error("line 1: the column '{0}' is missing")]
    MissingColumn(&'static str),
    /// Neither of the two columns that tell the version.
    #[error("line 1: neither 'DrawTime' nor 'MoveTime' is among the columns")]
    UnknownVersion,
    /// A count that is no number.
    #[error("line {line}: '{value}' in column '{column}' is not a count")]
    BadCount {
        /// Line, from 1.
        line: u64,
        /// Column name.
        column: &'static str,
        /// What stands there.
        value: String,
    },
}

/// Reads the counts of a report.
///
/// # Errors
/// If it is not a report of Fingsics; the message names the line.
pub fn read_counts(input: impl io::Read) -> Result<Counts, FrameLogError> {
    const TESTS: &str = "NPCDTests";
    const COLLISIONS: &str = "Collisions";
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(input);
    let header = reader.headers()?.clone();
    let place = |name: &str| header.iter().position(|h| h.trim_start_matches('\u{feff}') == name);
    let column = |name: &'static str| place(name).ok_or(FrameLogError::MissingColumn(name));
    let (tests, collisions) = (column(TESTS)?, column(COLLISIONS)?);
    let version = match (place("DrawTime"), place("MoveTime")) {
        (Some(_), _) => FingsicsVersion::Newest,
        (None, Some(_)) => FingsicsVersion::September2021,
        (None, None) => return Err(FrameLogError::UnknownVersion),
    };
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record?;
        let count = |place: usize, column: &'static str| {
            let value = record.get(place).unwrap_or_default();
            value.parse::<u64>().map_err(|_| FrameLogError::BadCount {
                line: record.position().map_or(0, csv::Position::line),
                column,
                value: value.to_owned(),
            })
        };
        rows.push((count(tests, TESTS)?, count(collisions, COLLISIONS)?));
    }
    Ok(Counts { version, rows })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(tests: u64, collisions: u64) -> Row {
        Row { broad: Duration::from_nanos(14_900), tests, collisions, ..Row::default() }
    }

    #[test]
    fn written_rows_read_back() {
        let mut text = Vec::new();
        write(&mut text, &[row(5, 0), row(7, 3)]).unwrap();
        let shown = String::from_utf8(text.clone()).unwrap();
        assert_eq!(
            shown.lines().nth(1),
            Some("0.014,5,0,0,0,0,0.014"),
            "whole microseconds, as milliseconds"
        );
        let counts = read_counts(text.as_slice()).unwrap();
        assert_eq!(counts, Counts { version: FingsicsVersion::Newest, rows: vec![(5, 0), (7, 3)] });
    }

    #[test]
    fn older_reports_are_known_by_their_column() {
        let text =
            "BPCDTime,NPCDTests,NPCDTime,Collisions,CRTime,MoveTime,TotalTime\r\n0,1,0,2,0,0,-1.6e12\r\n";
        let counts = read_counts(text.as_bytes()).unwrap();
        assert_eq!(counts, Counts { version: FingsicsVersion::September2021, rows: vec![(1, 2)] });
    }

    #[test]
    fn errors_name_the_line_and_the_column() {
        let text = format!("{HEADER}\n0,1,0,2,0,0,0\n0,x,0,2,0,0,0\n");
        let error = read_counts(text.as_bytes()).unwrap_err().to_string();
        assert_eq!(error, "line 3: 'x' in column 'NPCDTests' is not a count");
        let error = read_counts("a,b\n1,2\n".as_bytes()).unwrap_err().to_string();
        assert_eq!(error, "line 1: the column 'NPCDTests' is missing");
    }

    #[test]
    fn means_divide_counts_as_integers() {
        let mean = Row::mean(&[row(5, 1), row(6, 2)]);
        assert_eq!((mean.tests, mean.collisions, mean.broad), (5, 1, Duration::from_nanos(14_900)));
    }
}
