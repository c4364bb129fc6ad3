//! The numbers behind figures as tables, and tables as CSV.
//!
//! Files hold every number in full, so that reading them back gives the same bits; an interval
//! takes three columns. Text is quoted where needed and otherwise left as it is: a spreadsheet that
//! takes text for a formula has to be told not to.

use crate::model::{Cell, Plot, StackedBars, Table, WinnerMap};

/// Digits shown in the tables that pages show below a figure.
const DIGITS: u8 = 4;

/// The points of a plot.
pub(crate) fn of_plot(plot: &Plot) -> Table {
    let mut table = Table::new(&*plot.name, &*plot.caption)
        .column("series", "")
        .column(&*plot.x.label, "")
        .column(&*plot.y.label, "")
        .column("budget", "");
    for series in &plot.series {
        for point in &series.points {
            let value = Cell::Interval { value: point.y, low: point.low, high: point.high, digits: DIGITS };
            let budget = if point.is_over_budget { "over" } else { "within" };
            table.rows.push(vec![series.name.clone().into(), number(point.x), value, budget.into()]);
        }
    }
    table
}

/// The parts of bars.
pub(crate) fn of_bars(bars: &StackedBars) -> Table {
    let mut table = Table::new(&*bars.name, &*bars.caption).column("bar", "");
    for part in &bars.parts {
        table = table.column(&**part, &*bars.unit);
    }
    for bar in &bars.bars {
        let label: Cell = bar.label.clone().into();
        table.rows.push(std::iter::once(label).chain(bar.parts.iter().map(|part| number(*part))).collect());
    }
    table
}

/// The cells of a map.
pub(crate) fn of_map(map: &WinnerMap) -> Table {
    let mut table = Table::new(&*map.name, &*map.caption)
        .column(&*map.x.label, "")
        .column(&*map.y.label, "")
        .column("winner", "")
        .column("second over best", "")
        .column("intervals", "");
    for (cell, content) in map.cells.iter().enumerate() {
        let columns = map.xs.len().max(1);
        let (Some(x), Some(y)) = (map.xs.get(cell % columns), map.ys.get(cell / columns)) else { continue };
        let mut row = vec![number(*x), number(*y)];
        if let Some(name) = content.winner.and_then(|winner| map.contenders.get(winner)) {
            let intervals = if content.is_decided { "apart" } else { "overlap" };
            row.extend([name.clone().into(), number(content.margin), intervals.into()]);
        }
        table.rows.push(row);
    }
    table
}

fn number(value: f64) -> Cell {
    Cell::Number { value, digits: DIGITS }
}

/// The table as CSV.
pub(crate) fn csv(table: &Table) -> Result<Vec<u8>, csv::Error> {
    let has_interval =
        |column: usize| table.rows.iter().any(|row| matches!(row.get(column), Some(Cell::Interval { .. })));
    let wide: Vec<bool> = (0..table.columns.len()).map(has_interval).collect();
    let mut writer = csv::WriterBuilder::new().from_writer(Vec::new());
    let mut header = Vec::new();
    for (column, is_wide) in table.columns.iter().zip(&wide) {
        let name = &column.name;
        header.push(if column.unit.is_empty() { name.clone() } else { format!("{name} ({})", column.unit) });
        if *is_wide {
            header.extend([format!("{name} low"), format!("{name} high")]);
        }
    }
    if header.is_empty() {
        return Ok(Vec::new());
    }
    writer.write_record(&header)?;
    for row in &table.rows {
        let mut fields = Vec::new();
        for (at, is_wide) in wide.iter().enumerate() {
            let cell = row.get(at).unwrap_or(&Cell::Empty);
            fields.push(match cell {
                Cell::Empty => String::new(),
                Cell::Text(text) => text.clone(),
                Cell::Count(count) => count.to_string(),
                Cell::Number { value, .. } | Cell::Interval { value, .. } => value.to_string(),
            });
            if *is_wide {
                fields.extend(match cell {
                    Cell::Interval { low, high, .. } => [low.to_string(), high.to_string()],
                    _ => [String::new(), String::new()],
                });
            }
        }
        writer.write_record(&fields)?;
    }
    writer.into_inner().map_err(|error| csv::Error::from(error.into_error()))
}
