//! Tables.

/// Rows of cells under named columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The file name without ending; made safe and unique when it is written.
    pub name: String,
    /// What the table shows, a sentence.
    pub caption: String,
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows. A short row is filled with empty cells; cells without a column are an error when
    /// the report is written.
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    /// A table without columns.
    #[must_use]
    pub fn new(name: impl Into<String>, caption: impl Into<String>) -> Self {
        Self { name: name.into(), caption: caption.into(), ..Self::default() }
    }

    /// Adds a column; an empty unit means none.
    #[must_use]
    pub fn column(mut self, name: impl Into<String>, unit: impl Into<String>) -> Self {
        self.columns.push(Column { name: name.into(), unit: unit.into() });
        self
    }

    /// Adds a row.
    #[must_use]
    pub fn row(mut self, cells: impl IntoIterator<Item = Cell>) -> Self {
        self.rows.push(cells.into_iter().collect());
        self
    }
}

/// The head of a column.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Column {
    /// What the column holds.
    pub name: String,
    /// The unit of its numbers, or nothing.
    pub unit: String,
}

/// One cell. Pages show numbers rounded, data files in full.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Cell {
    /// Nothing was measured.
    #[default]
    Empty,
    /// Words.
    Text(String),
    /// An exact number.
    Count(u64),
    /// A number to so many significant digits.
    Number {
        /// The number.
        value: f64,
        /// How many significant digits to show.
        digits: u8,
    },
    /// A number with its interval, shown as `1.23 [1.19, 1.28]`.
    Interval {
        /// The number.
        value: f64,
        /// The lower end.
        low: f64,
        /// The upper end.
        high: f64,
        /// How many significant digits of the number to show; its ends have as many decimals.
        digits: u8,
    },
}

impl Cell {
    /// A number with three significant digits.
    #[must_use]
    pub fn number(value: f64) -> Self {
        Self::Number { value, digits: 3 }
    }

    /// A number and its interval with three significant digits.
    #[must_use]
    pub fn interval(value: f64, low: f64, high: f64) -> Self {
        Self::Interval { value, low, high, digits: 3 }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<u64> for Cell {
    fn from(count: u64) -> Self {
        Self::Count(count)
    }
}
