//! `carom bench-narrow`: narrow phases alone, side by side on the same pairs of shapes.

use carom_lab::narrow::timing::MethodTiming;
use carom_lab::narrow::{Contestant, Question, Row, Start, measure, ours, peers, task};
use serde_json::{Value, json};

use crate::args::BenchNarrowOptions;
use crate::failure::{Failure, Outcome, Verdict};
use crate::progress;
use crate::show::{line, table_of};

/// Answers further off than this get a mark. Contact points may prefer a face to edges that are
/// better by a slop of 5 mm, and keep the features of the step before for as much again.
fn worst_allowed(question: Question) -> f64 {
    if question == Question::Manifold { 1.1e-2 } else { 1e-3 }
}

/// `carom bench-narrow`.
pub(crate) fn run(options: &BenchNarrowOptions) -> Outcome {
    let questions = questions(&options.ask)?;
    let mut contestants = contestants(&options.narrow)?;
    let pairs = chosen(&options.words, &task::pair_names())?;
    let bar = progress::bar(pairs.len() as u64, "bench-narrow", options.json);
    let mut rows = Vec::new();
    for pair in pairs {
        rows.extend(rows_of(pair, &questions, &mut contestants, options));
        bar.inc(1);
    }
    bar.finish_and_clear();
    if options.json {
        let rows: Vec<Value> = rows.iter().map(to_json).collect();
        line(json!({ "command": "bench-narrow", "unit": "ns per query, median", "rows": rows }).to_string());
    } else {
        for question in questions {
            show(question, &rows, options.errors);
        }
    }
    Ok(Verdict::Good)
}

/// Pairs by words. A word such as `box-hull30` names a pair; two words name its shapes, one word
/// one of them. A shape is meant by its name, or by a part of it if none has this name.
fn chosen<'a>(words: &[String], all: &[&'a str]) -> Result<Vec<&'a str>, Failure> {
    const DASHES: [char; 2] = ['-', '–'];
    let (pairs, shapes): (Vec<&String>, Vec<&String>) = words.iter().partition(|word| word.contains(DASHES));
    if shapes.len() > 2 {
        return Err(Failure::new(format!("{} shapes are no pair", shapes.len()))
            .with_hint("two words name a pair; several pairs are box-box box-hull30"));
    }
    let mut wanted: Vec<Vec<&str>> = pairs.iter().map(|pair| pair.split(DASHES).collect()).collect();
    if !shapes.is_empty() {
        wanted.push(shapes.iter().map(|shape| shape.as_str()).collect());
    }
    let sides = |pair: &'a str| pair.split(DASHES).collect::<Vec<&str>>();
    let is_name = |word: &str| all.iter().any(|pair| sides(pair).contains(&word));
    let is_meant = |word: &str, side: &str| if is_name(word) { word == side } else { side.contains(word) };
    let fits = |words: &Vec<&str>, pair: &'a str| match (words.as_slice(), sides(pair).as_slice()) {
        ([word], sides) => sides.iter().any(|side| is_meant(word, side)),
        ([a, b], [c, d]) => (is_meant(a, c) && is_meant(b, d)) || (is_meant(a, d) && is_meant(b, c)),
        _ => false,
    };
    for words in &wanted {
        if !all.iter().any(|pair| fits(words, pair)) {
            return Err(Failure::new(format!("there is no pair \"{}\"", words.join("–")))
                .with_hint(format!("there are {}", all.join(", "))));
        }
    }
    let is_wanted = |pair: &&&'a str| wanted.is_empty() || wanted.iter().any(|words| fits(words, pair));
    Ok(all.iter().filter(is_wanted).copied().collect())
}

fn questions(names: &[String]) -> Result<Vec<Question>, Failure> {
    if names.is_empty() {
        return Ok(Question::ALL.to_vec());
    }
    let find = |name: &String| {
        let found = Question::ALL.into_iter().find(|question| question.name() == name);
        found.ok_or_else(|| {
            let failure = Failure::new(format!("nobody can be asked for \"{name}\""));
            failure.with_hint("there are distance, touch, depth and manifold")
        })
    };
    names.iter().map(find).collect()
}

/// Ours by name, then the peers.
fn contestants(names: &[String]) -> Result<Vec<Box<dyn Contestant>>, Failure> {
    let mut all = ours::all();
    all.extend(peers::all());
    if names.is_empty() {
        return Ok(all);
    }
    if let Some(unknown) = names.iter().find(|name| all.iter().all(|c| c.name() != name.as_str())) {
        let known: Vec<&str> = all.iter().map(|c| c.name()).collect();
        let failure = Failure::new(format!("there is no narrow phase \"{unknown}\" here"));
        return Err(failure.with_hint(format!("there are {}", known.join(", "))));
    }
    all.retain(|c| names.iter().any(|name| name == c.name()));
    Ok(all)
}

fn rows_of(
    pair: &str,
    questions: &[Question],
    contestants: &mut [Box<dyn Contestant>],
    options: &BenchNarrowOptions,
) -> Vec<Row> {
    let mut rows = Vec::new();
    for places in task::tasks(pair, usize::from(options.trains)) {
        if places.places.is_empty() {
            continue;
        }
        for &question in questions {
            for start in [Start::Cold, Start::Warm] {
                let task = places.asking(question, start);
                rows.push(measure(&task, contestants, usize::from(options.rounds)));
            }
        }
    }
    rows
}

/// One table per question: rows are tasks, columns contestants.
fn show(question: Question, rows: &[Row], errors: bool) {
    let rows: Vec<&Row> = rows.iter().filter(|row| row.task.question == question).collect();
    let mut names: Vec<&str> = Vec::new();
    for figures in rows.iter().flat_map(|row| &row.figures) {
        if !names.contains(&figures.name) {
            names.push(figures.name);
        }
    }
    let measure = if errors { "largest error, m" } else { "ns per query" };
    line(format!("\n{}: {measure}", question.name()));
    let mut header = vec!["pair", "situation", "start"];
    header.extend(&names);
    let mut table = table_of(&header, 3);
    for row in rows {
        let mut cells = vec![
            row.task.pair.to_owned(),
            row.task.regime.name().to_owned(),
            row.task.start.name().to_owned(),
        ];
        cells.extend(names.iter().map(|name| {
            let figures = row.figures.iter().find(|figures| figures.name == *name);
            figures.map_or(
                String::new(),
                |figures| if errors { error(figures) } else { time(figures, question) },
            )
        }));
        table.add_row(cells);
    }
    line(table.to_string());
}

fn time(figures: &MethodTiming, question: Question) -> String {
    let mark = if figures.worst > worst_allowed(question) || figures.missed > 0 { "!" } else { "" };
    if figures.nanoseconds < 100.0 {
        format!("{:.1}{mark}", figures.nanoseconds)
    } else {
        format!("{:.0}{mark}", figures.nanoseconds)
    }
}

fn error(figures: &MethodTiming) -> String {
    if figures.missed > 0 {
        format!("{:.1e}, {} wrong", figures.worst, figures.missed)
    } else {
        format!("{:.1e}", figures.worst)
    }
}

fn to_json(row: &Row) -> Value {
    let figures: Vec<Value> = row
        .figures
        .iter()
        .map(|f| json!({ "name": f.name, "ns": f.nanoseconds, "worst_error": f.worst, "missed": f.missed }))
        .collect();
    json!({
        "pair": row.task.pair,
        "question": row.task.question.name(),
        "situation": row.task.regime.name(),
        "start": row.task.start.name(),
        "places": row.task.places.len(),
        "contestants": figures,
    })
}
