//! What a report leaves on the disk: whole files that can be read back, whatever the model holds.
#![allow(clippy::unwrap_used, clippy::panic)] // a helper that fails fails its test

use std::fs;
use std::path::Path;

use carom_report::{
    Axis, Cell, MapCell, Plot, Point, Report, ReportError, Section, Series, StackedBars, Table, WinnerMap,
};
use roxmltree::{Document, Node, ParsingOptions};

/// Text that breaks out of HTML, XML, Markdown and CSV where it is not escaped.
const HOSTILE: &str =
    "</title><script>alert(1)</script> & \"q\" 'p' | `c` ]](x) <!-- ]]> \u{0} \u{8} \n\n# head, =1+1";

fn full(text: &str) -> Report {
    let axis = || Axis::log(text);
    Report::new(text)
        .paragraph(text)
        .fact(text, text)
        .command(text)
        .section(
            Section::new(text)
                .text(text)
                .code(text)
                .block(Table::new(text, text).column(text, text).column("n", "").column("t", "ms").row([
                    text.into(),
                    Cell::Count(1_234_567),
                    Cell::interval(1.0 / 3.0, 0.3, 0.4),
                ]))
                .block(Plot::new(text, text, axis(), axis()).line(text, 4.0).series(Series::new(
                    text,
                    [
                        Point::new(1.0, 0.1).between(0.05, 0.2),
                        Point::new(2.0, 0.0),
                        Point::new(3.0, 9.0).over_budget(),
                    ],
                ))),
        )
        .section(
            Section::new("second")
                .block(StackedBars::new(text, text, text, [text, "b"]).bar(text, [1.0, 2.0])),
        )
        .section(
            Section::new("third").block(
                WinnerMap::new(text, text, axis(), axis(), [text])
                    .columns([1.0, 2.0])
                    .row(3.0, [MapCell::won(0, 1.5), MapCell::undecided(0, f64::NAN)]),
            ),
        )
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn parse(text: &str) -> Document<'_> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).unwrap()
}

fn elements<'a>(document: &'a Document, name: &'a str) -> impl Iterator<Item = Node<'a, 'a>> {
    document.descendants().filter(move |node| node.has_tag_name(name) || node.tag_name().name() == name)
}

#[test]
fn every_kind_of_file_is_there_and_none_on_its_way() {
    let folder = tempfile::tempdir().unwrap();
    let written = full("Name").write(folder.path().join("a/b")).unwrap();
    let mut names: Vec<_> = fs::read_dir(folder.path().join("a/b"))
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(
        names,
        [
            "Name-2.csv",
            "Name-2.png",
            "Name-2.svg",
            "Name-3.csv",
            "Name-3.png",
            "Name-3.svg",
            "Name-4.csv",
            "Name-4.png",
            "Name-4.svg",
            "Name.csv",
            "report.html",
            "report.md",
        ]
    );
    assert_eq!(written.files.len(), names.len());
    assert_eq!(written.files.last(), Some(&written.html));
    for name in names.iter().filter(|name| name.ends_with(".png")) {
        assert_eq!(fs::read(folder.path().join("a/b").join(name)).unwrap()[..8], *b"\x89PNG\r\n\x1a\n");
    }
}

#[test]
fn writing_again_replaces_and_gives_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let first = full("x").write(folder.path()).unwrap();
    let before: Vec<_> = first.files.iter().map(|file| fs::read(file).unwrap()).collect();
    fs::write(folder.path().join("kept.txt"), "mine").unwrap();
    let second = full("x").write(folder.path()).unwrap();
    assert_eq!(first, second);
    let after: Vec<_> = second.files.iter().map(|file| fs::read(file).unwrap()).collect();
    assert!(before == after);
    assert_eq!(read(&folder.path().join("kept.txt")), "mine");
}

#[test]
fn the_page_is_well_formed_and_needs_nothing_from_elsewhere() {
    for text in ["Broad phases", HOSTILE] {
        let folder = tempfile::tempdir().unwrap();
        let written = full(text).write(folder.path()).unwrap();
        let html = read(&written.html);
        let page = parse(&html);
        assert_eq!(elements(&page, "script").count(), 0);
        let mut ids: Vec<_> = page.descendants().filter_map(|node| node.attribute("id")).collect();
        let count = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), count, "two elements of one name");
        for node in page.descendants().filter(Node::is_element) {
            assert_eq!(node.attribute("src"), None);
            if let Some(link) = node.attribute("href") {
                match link.strip_prefix('#') {
                    Some(id) => assert!(ids.contains(&id), "{link}"),
                    None => assert!(folder.path().join(link).is_file(), "{link}"),
                }
            }
            for id in node.attribute("aria-labelledby").unwrap_or_default().split_whitespace() {
                assert!(ids.contains(&id), "{id}");
            }
        }
        assert!(!html.contains("url(") && !html.contains("@import"));
        // Every figure in both widths, with a name for readers who do not see it.
        let figures: Vec<_> = elements(&page, "svg").collect();
        assert_eq!(figures.len(), 6);
        assert!(figures.iter().all(|svg| svg.attribute("role") == Some("img")));
        assert!(elements(&page, "th").all(|head| head.attribute("scope").is_some()));
        let title = elements(&page, "h1").next().unwrap().text().unwrap();
        assert_eq!(title.split_whitespace().next(), text.split_whitespace().next());
    }
}

#[test]
fn hostile_text_stays_text_in_svg() {
    let folder = tempfile::tempdir().unwrap();
    let written = full(HOSTILE).write(folder.path()).unwrap();
    let mut count = 0;
    for file in written.files.iter().filter(|file| file.extension().is_some_and(|e| e == "svg")) {
        let text = read(file);
        let svg = Document::parse(&text).unwrap();
        assert_eq!(elements(&svg, "script").count(), 0);
        assert!(elements(&svg, "title").any(|title| title.text().unwrap_or_default().contains("<script>")));
        count += 1;
    }
    assert_eq!(count, 3);
}

#[test]
fn tables_of_markdown_keep_their_columns() {
    let folder = tempfile::tempdir().unwrap();
    let markdown = read(&full(HOSTILE).write(folder.path()).unwrap().markdown);
    let mut fence: Option<String> = None;
    let mut rows = 0;
    for line in markdown.lines() {
        match &fence {
            Some(end) if line == end => fence = None,
            Some(_) => {}
            None if line.starts_with("```") => fence = Some(line.trim_end_matches("sh").to_owned()),
            None if line.starts_with('|') => {
                let bars = line.replace("\\\\", "").replace("\\|", "").matches('|').count();
                assert!(bars == 3 || bars == 4, "{line}");
                rows += 1;
            }
            None => {
                assert!(!line.contains("<script"), "{line}");
                assert!(!line.starts_with("# head"), "{line}");
            }
        }
    }
    assert_eq!((fence, rows), (None, 6));
    assert!(markdown.contains("| 1\u{a0}234\u{a0}567 | 0.333 \\[0.300, 0.400\\] |"), "{markdown}");
    assert!(markdown.contains("| --- | ---: | ---: |"));
}

#[test]
fn data_reads_back_to_the_bit() {
    let folder = tempfile::tempdir().unwrap();
    let values = [1.0 / 3.0, 1e-300, f64::MAX, -0.0, f64::NAN, f64::INFINITY];
    let points = values.map(|v| Point::new(v, v).between(v / 3.0, v * 1.1));
    Report::new("r")
        .section(
            Section::new("s")
                .block(
                    Plot::new("p", "", Axis::linear("x"), Axis::log("y"))
                        .series(Series::new(HOSTILE, points)),
                )
                .block(
                    Table::new("t", "").column(HOSTILE, "ms").column("b", "").row([Cell::number(0.1 + 0.2)]),
                ),
        )
        .write(folder.path())
        .unwrap();
    let mut reader = csv::Reader::from_path(folder.path().join("p.csv")).unwrap();
    assert_eq!(reader.headers().unwrap(), vec!["series", "x", "y", "y low", "y high", "budget"]);
    let rows: Vec<_> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), values.len());
    for (row, value) in rows.iter().zip(values) {
        assert_eq!(&row[0], HOSTILE);
        for (at, value) in [(1, value), (2, value), (3, value / 3.0), (4, value * 1.1)] {
            let back: f64 = row[at].parse().unwrap();
            assert!(back.to_bits() == value.to_bits() || back.is_nan() && value.is_nan(), "{back} {value}");
        }
    }
    let mut reader = csv::Reader::from_path(folder.path().join("t.csv")).unwrap();
    assert_eq!(reader.headers().unwrap()[0], format!("{HOSTILE} (ms)"));
    let row = reader.records().next().unwrap().unwrap();
    assert_eq!((row[0].parse::<f64>().unwrap().to_bits(), &row[1]), ((0.1f64 + 0.2).to_bits(), ""));
}

#[test]
fn an_empty_report_and_empty_blocks_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let axis = Axis::default;
    let empty = Section::new("")
        .text("")
        .code("")
        .block(Table::default())
        .block(Plot::default())
        .block(Plot::new("", "", axis(), axis()).series(Series::default()))
        .block(StackedBars::default())
        .block(StackedBars::new("", "", "", ["a"]).bar("", []))
        .block(WinnerMap::default());
    let written = Report::default().section(empty).write(folder.path()).unwrap();
    parse(&read(&written.html));
    assert_eq!(written.files.len(), 2 + 1 + 5 * 3);
    let written = Report::default().write(folder.path()).unwrap();
    assert_eq!(written.files.len(), 2);
}

fn refusal(block: impl Into<carom_report::Block>) -> String {
    let folder = tempfile::tempdir().unwrap();
    let error = Report::new("r").section(Section::new("s").block(block)).write(folder.path()).unwrap_err();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is written");
    error.to_string()
}

#[test]
fn lists_that_do_not_fit_are_refused_by_name() {
    let table = Table::new("t", "").column("a", "").row([]).row([Cell::Count(1), Cell::Count(2)]);
    assert_eq!(refusal(table), "table `t`: row 2 has 2 cells for 1 columns; name a column for every cell");
    let bars = StackedBars::new("b", "", "ms", ["one"]).bar("x", [1.0, 2.0]);
    assert_eq!(refusal(bars), "bars `b`: `x` has 2 parts, but 1 are named; name every part");
    let map = || WinnerMap::new("m", "", Axis::default(), Axis::default(), ["a"]).columns([1.0, 2.0]);
    let short = map().row(1.0, [MapCell::default()]);
    assert_eq!(refusal(short), "map `m`: 1 cells for 2 columns and 1 rows; give 2 row by row");
    let foreign = map().row(1.0, [MapCell::won(0, 2.0), MapCell::won(1, 2.0)]);
    assert_eq!(refusal(foreign), "map `m`: cell 1 is won by contender 1 of 1; contenders count from zero");
}

#[test]
fn a_folder_that_is_a_file_is_an_error_with_its_path() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    fs::write(&path, "").unwrap();
    match full("x").write(&path).unwrap_err() {
        ReportError::File { path: named, .. } => assert_eq!(named, path),
        other => panic!("{other}"),
    }
}

#[test]
fn a_file_that_cannot_be_replaced_leaves_nothing_on_its_way() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("report.html")).unwrap();
    let error = Report::new("x").write(folder.path()).unwrap_err().to_string();
    assert!(error.contains("report.html"), "{error}");
    let mut names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["report.html", "report.md"]);
}
