//! What a report must obey before it is drawn: lists that belong together have lengths that fit.

use crate::error::ReportError;
use crate::model::{Block, Report, StackedBars, Table, WinnerMap};

/// The first block that cannot be drawn as it stands.
pub(crate) fn check(report: &Report) -> Result<(), ReportError> {
    for block in report.sections.iter().flat_map(|section| &section.blocks) {
        match block {
            Block::Table(table) => check_table(table)?,
            Block::Bars(bars) => check_bars(bars)?,
            Block::Map(map) => check_map(map)?,
            Block::Text(_) | Block::Code(_) | Block::Plot(_) => {}
        }
    }
    Ok(())
}

fn check_table(table: &Table) -> Result<(), ReportError> {
    let columns = table.columns.len();
    match table.rows.iter().position(|row| row.len() > columns) {
        None => Ok(()),
        Some(at) => Err(ReportError::TooManyCells {
            table: table.name.clone(),
            row: at + 1,
            cells: table.rows[at].len(),
            columns,
        }),
    }
}

fn check_bars(bars: &StackedBars) -> Result<(), ReportError> {
    match bars.bars.iter().find(|bar| bar.parts.len() > bars.parts.len()) {
        None => Ok(()),
        Some(bar) => Err(ReportError::TooManyParts {
            figure: bars.name.clone(),
            bar: bar.label.clone(),
            values: bar.parts.len(),
            names: bars.parts.len(),
        }),
    }
}

fn check_map(map: &WinnerMap) -> Result<(), ReportError> {
    let (columns, rows) = (map.xs.len(), map.ys.len());
    if map.cells.len() != columns * rows {
        return Err(ReportError::CellCount {
            figure: map.name.clone(),
            cells: map.cells.len(),
            columns,
            rows,
        });
    }
    for (cell, content) in map.cells.iter().enumerate() {
        if let Some(winner) = content.winner.filter(|winner| *winner >= map.contenders.len()) {
            let contenders = map.contenders.len();
            return Err(ReportError::NoSuchContender { figure: map.name.clone(), cell, winner, contenders });
        }
    }
    Ok(())
}
