//! How the cells of a table read.

use crate::model::{Cell, Column, Table};
use crate::number;

/// What a page shows in a cell.
pub(crate) fn shown(cell: &Cell) -> String {
    match cell {
        Cell::Empty => "–".to_owned(),
        Cell::Text(text) => text.clone(),
        Cell::Count(count) => number::count(*count),
        Cell::Number { value, digits } => number::significant(*value, *digits),
        Cell::Interval { value, low, high, digits } => number::interval(*value, *low, *high, *digits),
    }
}

/// The head of a column.
pub(crate) fn head(column: &Column) -> String {
    if column.unit.is_empty() { column.name.clone() } else { format!("{} ({})", column.name, column.unit) }
}

/// Whether the column holds numbers, which stand at the right.
pub(crate) fn is_numeric(table: &Table, column: usize) -> bool {
    let mut cells = table.rows.iter().filter_map(|row| row.get(column)).filter(|cell| **cell != Cell::Empty);
    let is_number = |cell: &Cell| !matches!(cell, Cell::Text(_));
    cells.next().is_some_and(is_number) && cells.all(is_number)
}
