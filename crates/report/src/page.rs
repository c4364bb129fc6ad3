//! Pages: a report laid out once, then written as HTML and as Markdown.
//!
//! Laying out numbers figures and tables, gives them their file names and draws them, so that both
//! pages and all files agree.

pub(crate) mod html;
pub(crate) mod markdown;
mod table;

use crate::data;
use crate::error::ReportError;
use crate::figure::{self, Drawing, png, svg};
use crate::model::{Block, Report, Table};
use crate::names::Names;

/// A report with everything drawn.
#[derive(Debug)]
pub(crate) struct Layout<'a> {
    /// What it was made of.
    pub(crate) report: &'a Report,
    /// The blocks of each section.
    pub(crate) sections: Vec<Vec<Laid<'a>>>,
}

/// A block with everything drawn.
#[derive(Debug)]
pub(crate) enum Laid<'a> {
    /// A paragraph.
    Text(&'a str),
    /// Text that keeps its line breaks.
    Code(&'a str),
    /// A table.
    Table {
        /// Its file name without ending.
        stem: String,
        /// Its number in the report.
        number: usize,
        /// What it holds.
        table: &'a Table,
    },
    /// A figure.
    Figure(Box<Figure<'a>>),
}

/// A figure with everything drawn.
#[derive(Debug)]
pub(crate) struct Figure<'a> {
    /// Its file name without ending.
    pub(crate) stem: String,
    /// Its number in the report.
    pub(crate) number: usize,
    /// What it shows.
    pub(crate) caption: &'a str,
    /// For files, print and large screens.
    pub(crate) wide: Drawing,
    /// For phones.
    pub(crate) narrow: Drawing,
    /// The numbers behind it.
    pub(crate) data: Table,
}

/// A file of a report: its name and what is in it.
pub(crate) type File = (String, Vec<u8>);

impl<'a> Layout<'a> {
    /// Numbers, names and draws everything.
    pub(crate) fn new(report: &'a Report) -> Self {
        let mut names = Names::new();
        let (mut tables, mut figures) = (0, 0);
        let mut lay = |block: &'a Block| {
            let mut figure =
                |name: &str, caption: &'a str, data: Table, draw: &dyn Fn(f64, bool) -> Drawing| {
                    figures += 1;
                    Laid::Figure(Box::new(Figure {
                        stem: names.take(name, &format!("figure-{figures}")),
                        number: figures,
                        caption,
                        wide: draw(figure::WIDE, true),
                        narrow: draw(figure::NARROW, false),
                        data,
                    }))
                };
            match block {
                Block::Text(text) => Laid::Text(text),
                Block::Code(text) => Laid::Code(text),
                Block::Table(table) => {
                    tables += 1;
                    let stem = names.take(&table.name, &format!("table-{tables}"));
                    Laid::Table { stem, number: tables, table }
                }
                Block::Plot(plot) => {
                    figure(&plot.name, &plot.caption, data::of_plot(plot), &|width, has_hints| {
                        figure::draw_plot(plot, width, has_hints)
                    })
                }
                Block::Bars(bars) => {
                    figure(&bars.name, &bars.caption, data::of_bars(bars), &|width, has_hints| {
                        figure::draw_bars(bars, width, has_hints)
                    })
                }
                Block::Map(map) => figure(&map.name, &map.caption, data::of_map(map), &|width, has_hints| {
                    figure::draw_map(map, width, has_hints)
                }),
            }
        };
        let sections =
            report.sections.iter().map(|section| section.blocks.iter().map(&mut lay).collect()).collect();
        Self { report, sections }
    }

    /// All files that stand beside the pages.
    pub(crate) fn files(&self) -> Result<Vec<File>, ReportError> {
        let mut files = Vec::new();
        for block in self.sections.iter().flatten() {
            match block {
                Laid::Text(_) | Laid::Code(_) => {}
                Laid::Table { stem, table, .. } => files.push(csv_file(stem, table)?),
                Laid::Figure(figure) => {
                    let stem = &figure.stem;
                    let canvas = &figure.wide.canvas;
                    let (width, height) = png::size(canvas);
                    let name = format!("{stem}.png");
                    let picture = png::file(canvas).ok_or_else(|| ReportError::Picture {
                        file: name.clone(),
                        width,
                        height,
                    })?;
                    files.push((name, picture));
                    files.push((format!("{stem}.svg"), svg::file(canvas, &figure.about(stem)).into_bytes()));
                    files.push(csv_file(stem, &figure.data)?);
                }
            }
        }
        Ok(files)
    }
}

impl Figure<'_> {
    /// What it is, for readers who do not see it.
    fn about<'b>(&'b self, id: &'b str) -> svg::About<'b> {
        svg::About { id, title: self.caption, description: &self.wide.description }
    }
}

fn csv_file(stem: &str, table: &Table) -> Result<File, ReportError> {
    let file = format!("{stem}.csv");
    match data::csv(table) {
        Ok(text) => Ok((file, text)),
        Err(source) => Err(ReportError::Data { file, source }),
    }
}
