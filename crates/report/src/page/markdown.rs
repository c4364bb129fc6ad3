//! The report as Markdown, to be taken into a thesis: tables as text, figures as links to their
//! files.

use super::table::{head, is_numeric, shown};
use super::{Figure, Laid, Layout};
use crate::escape::{markdown, markdown_code, one_line, paragraphs};
use crate::model::Table;

/// The page.
pub(crate) fn page(layout: &Layout) -> String {
    let report = layout.report;
    let mut parts = vec![format!("# {}\n", markdown(&report.title))];
    parts.extend(
        report.summary.iter().flat_map(|text| paragraphs(text)).map(|text| format!("{}\n", markdown(&text))),
    );
    if !report.facts.is_empty() {
        let mut facts = Table::new("", "").column("what", "").column("value", "");
        for (name, value) in &report.facts {
            facts = facts.row([(&**name).into(), (&**value).into()]);
        }
        parts.push(grid(&facts));
    }
    if !report.commands.is_empty() {
        parts.push("To run it again:\n".to_owned());
        parts.push(markdown_code(&report.commands.join("\n"), "sh"));
    }
    for (section, blocks) in report.sections.iter().zip(&layout.sections) {
        parts.push(format!("## {}\n", markdown(&section.heading)));
        for block in blocks {
            match block {
                Laid::Text(text) => {
                    parts.extend(paragraphs(text).iter().map(|text| format!("{}\n", markdown(text))));
                }
                Laid::Code(text) => parts.push(markdown_code(text, "")),
                Laid::Table { stem, number, table } => {
                    let caption = markdown(&table.caption);
                    parts.push(format!("**Table {number}.** {caption} ([data]({stem}.csv))\n"));
                    parts.push(grid(table));
                }
                Laid::Figure(figure) => parts.push(picture(figure)),
            }
        }
    }
    parts.join("\n")
}

/// The picture with its caption in one paragraph: alone, some typesetters would print the text for
/// readers who do not see it as a second caption.
fn picture(figure: &Figure) -> String {
    let Figure { stem, number, .. } = figure;
    let caption = markdown(figure.caption);
    let notes: String = figure.wide.notes.iter().map(|note| format!(" {}", markdown(note))).collect();
    format!(
        "![Figure {number}: {caption}]({stem}.svg)\\\n**Figure {number}.** {caption}{notes} ([PNG]({stem}.png), [data]({stem}.csv))\n"
    )
}

/// The table itself. A table without columns has nothing to show.
fn grid(table: &Table) -> String {
    if table.columns.is_empty() {
        return String::new();
    }
    let row = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let mut text = row(table.columns.iter().map(|column| markdown(&one_line(&head(column)))).collect());
    let rule = |at| if is_numeric(table, at) { "---:" } else { "---" };
    text.push_str(&row((0..table.columns.len()).map(|at| rule(at).to_owned()).collect()));
    for cells in &table.rows {
        let cell = |at| cells.get(at).map_or_else(|| "–".to_owned(), |cell| markdown(&shown(cell)));
        text.push_str(&row((0..table.columns.len()).map(cell).collect()));
    }
    text
}
