//! The report as one HTML file that needs no other: style and figures are inside, scripts there are
//! none.
//!
//! Every element is closed as XML wants it, so that the page can be checked by an XML parser as
//! well. Names of elements that are not names of files hold a colon, which no file name does, so no
//! two are alike.

use super::table::{head, is_numeric, shown};
use super::{Figure, Laid, Layout};
use crate::escape::{one_line, paragraphs, xml};
use crate::figure::{palette, svg};
use crate::model::{Report, Table};

/// The style sheet.
const STYLE: &str = include_str!("style.css");
/// The data of a figure is shown in the page up to so many rows; the file beside it has all of
/// them.
const MAX_DATA_ROWS: usize = 2000;

/// The page.
pub(crate) fn page(layout: &Layout) -> String {
    let report = layout.report;
    let title = xml(&one_line(&report.title));
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <meta name=\"color-scheme\" content=\"light dark\"/>\n<title>{title}</title>\n\
         <style>\n{STYLE}{}</style>\n</head>\n<body>\n<header>\n<h1>{title}</h1>\n",
        roles(),
    );
    for text in report.summary.iter().flat_map(|text| paragraphs(text)) {
        page.push_str(&format!("<p class=\"lead\">{}</p>\n", xml(&text)));
    }
    page.push_str("</header>\n<main>\n");
    page.push_str(&beginnings(report));
    for (at, (section, blocks)) in report.sections.iter().zip(&layout.sections).enumerate() {
        let heading = xml(&one_line(&section.heading));
        page.push_str(&format!("<section id=\"section:{}\">\n<h2>{heading}</h2>\n", at + 1));
        for block in blocks {
            page.push_str(&laid(block));
        }
        page.push_str("</section>\n");
    }
    page.push_str("</main>\n</body>\n</html>\n");
    page
}

/// Colours of roles by class, from the variables of the style sheet.
fn roles() -> String {
    let hues = (0..palette::HUES).map(|at| format!("h{at}"));
    ["ink", "muted", "grid", "paper"]
        .map(str::to_owned)
        .into_iter()
        .chain(hues)
        .map(|name| {
            format!("svg .f-{name} {{ fill: var(--{name}) }} svg .s-{name} {{ stroke: var(--{name}) }}\n")
        })
        .collect()
}

/// What was run, how to run it again, and what follows.
fn beginnings(report: &Report) -> String {
    let mut text = String::new();
    if report.sections.len() > 2 {
        text.push_str("<nav aria-label=\"Contents\">\n<ol>\n");
        for (at, section) in report.sections.iter().enumerate() {
            let heading = xml(&one_line(&section.heading));
            text.push_str(&format!("<li><a href=\"#section:{}\">{heading}</a></li>\n", at + 1));
        }
        text.push_str("</ol>\n</nav>\n");
    }
    if !report.facts.is_empty() {
        text.push_str("<dl class=\"facts\">\n");
        for (name, value) in &report.facts {
            text.push_str(&format!("<div><dt>{}</dt><dd>{}</dd></div>\n", xml(name), xml(value)));
        }
        text.push_str("</dl>\n");
    }
    if !report.commands.is_empty() {
        text.push_str("<p class=\"again\">To run it again:</p>\n<pre class=\"commands\">");
        let lines: Vec<_> =
            report.commands.iter().map(|line| format!("<code>{}</code>", xml(line))).collect();
        text.push_str(&lines.join("\n"));
        text.push_str("</pre>\n");
    }
    text
}

fn laid(block: &Laid) -> String {
    match block {
        Laid::Text(text) => paragraphs(text).iter().map(|text| format!("<p>{}</p>\n", xml(text))).collect(),
        Laid::Code(text) => format!("<pre tabindex=\"0\"><code>{}</code></pre>\n", xml(text)),
        Laid::Table { stem, number, table } => {
            let caption = xml(&one_line(&table.caption));
            let label = format!("Table {number}");
            format!(
                "<figure id=\"{stem}\" class=\"table\">\n<figcaption><b>{label}.</b> {caption} \
                 <span class=\"links\"><a href=\"{stem}.csv\">CSV</a></span></figcaption>\n{}</figure>\n",
                grid(table, &label, usize::MAX),
            )
        }
        Laid::Figure(figure) => drawn(figure),
    }
}

fn drawn(figure: &Figure) -> String {
    let Figure { stem, number, .. } = figure;
    let (wide_id, narrow_id) = (format!("{stem}:wide"), format!("{stem}:narrow"));
    let wide = svg::inline(&figure.wide.canvas, &figure.about(&wide_id), "wide");
    let narrow = svg::inline(&figure.narrow.canvas, &figure.about(&narrow_id), "narrow");
    let caption = xml(&one_line(figure.caption));
    let notes: String = figure
        .wide
        .notes
        .iter()
        .map(|note| format!(" <span class=\"note\">{}</span>", xml(&one_line(note))))
        .collect();
    format!(
        "<figure id=\"{stem}\">\n{wide}{narrow}<figcaption><b>Figure {number}.</b> {caption}{notes} \
         <span class=\"links\"><a href=\"{stem}.svg\">SVG</a> <a href=\"{stem}.png\">PNG</a> \
         <a href=\"{stem}.csv\">CSV</a></span></figcaption>\n\
         <details>\n<summary>Data of figure {number}</summary>\n{}</details>\n</figure>\n",
        grid(&figure.data, &format!("Data of figure {number}"), MAX_DATA_ROWS),
    )
}

/// The table itself, in a box that scrolls when it is too wide; the first column names the row.
fn grid(table: &Table, label: &str, max_rows: usize) -> String {
    let align = |at| if is_numeric(table, at) { " class=\"number\"" } else { "" };
    let aligns: Vec<&str> = (0..table.columns.len()).map(align).collect();
    let mut text =
        format!("<div class=\"scroll\" role=\"region\" aria-label=\"{label}\" tabindex=\"0\">\n<table>\n");
    if !table.columns.is_empty() {
        text.push_str("<thead><tr>");
        for (column, align) in table.columns.iter().zip(&aligns) {
            text.push_str(&format!("<th scope=\"col\"{align}>{}</th>", xml(&one_line(&head(column)))));
        }
        text.push_str("</tr></thead>\n");
    }
    text.push_str("<tbody>\n");
    for row in table.rows.iter().take(max_rows) {
        text.push_str("<tr>");
        for (at, align) in aligns.iter().enumerate() {
            let cell = row.get(at).map_or_else(|| "–".to_owned(), shown);
            let cell = xml(&one_line(&cell));
            if at == 0 {
                text.push_str(&format!("<th scope=\"row\"{align}>{cell}</th>"));
            } else {
                text.push_str(&format!("<td{align}>{cell}</td>"));
            }
        }
        text.push_str("</tr>\n");
    }
    text.push_str("</tbody>\n</table>\n</div>\n");
    if table.rows.len() > max_rows {
        let more = crate::number::count((table.rows.len() - max_rows) as u64);
        text.push_str(&format!("<p class=\"note\">{more} more rows are in the CSV file.</p>\n"));
    }
    text
}
