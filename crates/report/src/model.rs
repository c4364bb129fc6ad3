//! What a report says, as plain data: text, tables and figures without a word about how they look.
//!
//! Numbers come with their intervals and units already computed; nothing in this crate does
//! statistics. Any value may be not finite and any list may be empty: what cannot be drawn is left
//! out, and the caption says so.

mod bars;
mod map;
mod plot;
mod table;

pub use bars::{Bar, StackedBars};
pub use map::{MapCell, WinnerMap};
pub use plot::{Axis, Fit, GuideLine, Plot, Point, Scale, Series};
pub use table::{Cell, Column, Table};

/// A whole report.
///
/// ```
/// use carom_report::{Report, Section};
///
/// let report = Report::new("Broad phases side by side")
///     .paragraph("Which method is the fastest, and where.")
///     .fact("machine", "two cores")
///     .command("carom pairs swarm")
///     .section(Section::new("Results").text("None yet."));
/// assert_eq!(report.sections.len(), 1);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// The title of the page.
    pub title: String,
    /// What a reader in a hurry should know, as paragraphs.
    pub summary: Vec<String>,
    /// What was run, on which machine, with which version: names and values.
    pub facts: Vec<(String, String)>,
    /// Commands that run it again, one per line.
    pub commands: Vec<String>,
    /// The body.
    pub sections: Vec<Section>,
}

impl Report {
    /// A report that has only its title.
    #[must_use]
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), ..Self::default() }
    }

    /// Adds a paragraph to the summary.
    #[must_use]
    pub fn paragraph(mut self, text: impl Into<String>) -> Self {
        self.summary.push(text.into());
        self
    }

    /// Adds a fact: a name and its value.
    #[must_use]
    pub fn fact(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.facts.push((name.into(), value.into()));
        self
    }

    /// Adds a command that runs it again.
    #[must_use]
    pub fn command(mut self, command: impl Into<String>) -> Self {
        self.commands.push(command.into());
        self
    }

    /// Adds a section.
    #[must_use]
    pub fn section(mut self, section: Section) -> Self {
        self.sections.push(section);
        self
    }
}

/// A part of a report under its own heading.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section {
    /// The heading.
    pub heading: String,
    /// What stands below it, in order.
    pub blocks: Vec<Block>,
}

impl Section {
    /// A section that has only its heading.
    #[must_use]
    pub fn new(heading: impl Into<String>) -> Self {
        Self { heading: heading.into(), blocks: Vec::new() }
    }

    /// Adds a paragraph.
    #[must_use]
    pub fn text(self, text: impl Into<String>) -> Self {
        self.block(Block::Text(text.into()))
    }

    /// Adds text that keeps its line breaks.
    #[must_use]
    pub fn code(self, text: impl Into<String>) -> Self {
        self.block(Block::Code(text.into()))
    }

    /// Adds anything: a table, a figure or a block.
    #[must_use]
    pub fn block(mut self, block: impl Into<Block>) -> Self {
        self.blocks.push(block.into());
        self
    }
}

/// A piece of a section.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// A paragraph.
    Text(String),
    /// Text in a fixed pitch that keeps its line breaks.
    Code(String),
    /// A table.
    Table(Table),
    /// Curves over an axis.
    Plot(Plot),
    /// Sums and what they consist of.
    Bars(StackedBars),
    /// Who wins where.
    Map(WinnerMap),
}

impl From<Table> for Block {
    fn from(table: Table) -> Self {
        Self::Table(table)
    }
}

impl From<Plot> for Block {
    fn from(plot: Plot) -> Self {
        Self::Plot(plot)
    }
}

impl From<StackedBars> for Block {
    fn from(bars: StackedBars) -> Self {
        Self::Bars(bars)
    }
}

impl From<WinnerMap> for Block {
    fn from(map: WinnerMap) -> Self {
        Self::Map(map)
    }
}
