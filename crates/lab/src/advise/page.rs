//! The report of a survey: who wins where, what it costs to choose wrongly, and the models that
//! choose.

use carom_broadphase::Method;
use carom_broadphase::auto::model::{Fitted, TERMS};
use carom_report::{Axis, Cell, Plot, Point, Report, Section, Series, Table};

use super::fit::{band, errors};
use super::maps::winner_map;
use super::measure::CANDIDATES;
use super::regret::{Chooser, Summary, quantile};
use super::sample::Sample;
use super::survey::{Survey, Trait};
use crate::machine::Machine;

/// Everything that a report tells.
#[derive(Clone, Debug)]
pub struct Findings<'a> {
    /// What was planned.
    pub survey: &'a Survey,
    /// Samples of situations.
    pub samples: &'a [Sample],
    /// Samples of scenes held out.
    pub held_out: &'a [Sample],
    /// The models fitted to the situations.
    pub models: &'a [Fitted],
    /// Where it was measured.
    pub machine: &'a Machine,
    /// The words that started it.
    pub command: &'a str,
}

/// The page.
#[must_use]
pub fn page(findings: &Findings<'_>) -> Report {
    let planned = findings.survey.situations().len();
    let mut report = Report::new("Which broad phase wins where")
        .paragraph(in_short(findings))
        .fact("machine", findings.machine.summary())
        .fact("situations measured", format!("{} of {planned}", findings.samples.len()))
        .fact("scenes held out", findings.held_out.len().to_string())
        .command(findings.command);
    if findings.samples.len() < planned {
        report =
            report.paragraph("The survey is not complete: what is missing is measured when it is run again.");
    }
    report = report.section(maps(findings));
    if !findings.models.is_empty() {
        report = report.section(choices(findings)).section(models(findings));
    }
    report.section(costs(findings))
}

/// How the models did, for a reader in a hurry.
fn in_short(findings: &Findings<'_>) -> String {
    if findings.models.is_empty() {
        return "Too few situations were measured for models.".to_owned();
    }
    let fitted = Summary::of(&Chooser::Fitted(findings.models.to_vec()).regrets(findings.held_out));
    let by_hand = Summary::of(&Chooser::ByHand.regrets(findings.held_out));
    format!(
        "On {} scenes that the models were not fitted on, their choice took {:.2} times as long as the best method \
         (geometric mean), at most {:.2} times in nine of ten, {:.2} times at worst; the former model by hand {:.2}, {:.2} and {:.2}.",
        fitted.count, fitted.mean, fitted.ninth, fitted.worst, by_hand.mean, by_hand.ninth, by_hand.worst
    )
}

fn maps(findings: &Findings<'_>) -> Section {
    let text = "Each cell is a situation: boxes made for these numbers, all methods side by side in turn on the same frames, the same \
                pairs required. The letter is the fastest method by the median over the frames; hatched cells are ties, where the \
                95 % intervals of the first two overlap.";
    let mut section = Section::new("Winner maps").text(text);
    for plan in &findings.survey.maps {
        section = section.block(winner_map(plan, findings.samples));
    }
    section
}

/// Who chooses how well.
fn choices(findings: &Findings<'_>) -> Section {
    let choosers = [
        Chooser::Fitted(findings.models.to_vec()),
        Chooser::ByHand,
        Chooser::Always(Method::BucketPruning),
        Chooser::Always(Method::BvhRefit),
        Chooser::Always(Method::Sap),
    ];
    let caption = "Regret: time of the method chosen over that of the best measured.";
    let mut table = Table::new("regret", caption)
        .column("who chooses", "")
        .column("on", "")
        .column("scenes", "")
        .column("mean", "")
        .column("nine of ten below", "")
        .column("worst", "")
        .column("within a tenth", "%");
    for (on, samples) in [("situations", findings.samples), ("scenes held out", findings.held_out)] {
        for chooser in &choosers {
            let summary = Summary::of(&chooser.regrets(samples));
            table = table.row([
                Cell::Text(chooser.name()),
                Cell::Text(on.to_owned()),
                Cell::Count(summary.count as u64),
                Cell::number(summary.mean),
                Cell::number(summary.ninth),
                Cell::number(summary.worst),
                Cell::number(100.0 * summary.good),
            ]);
        }
    }
    Section::new("What choices cost").block(table).block(checks(findings))
}

/// Every scene held out.
fn checks(findings: &Findings<'_>) -> Table {
    let caption = "Scenes held out: the best method measured, what both models choose, and the regret of each; auto is what that \
                   method itself took, over the best, with the models built in.";
    let mut table = Table::new("held-out", caption)
        .column("scene", "")
        .column("moving", "%")
        .column("best", "")
        .column("time", "µs")
        .column("fitted", "")
        .column("regret", "")
        .column("by hand", "")
        .column("regret", "")
        .column("auto", "");
    let fitted = Chooser::Fitted(findings.models.to_vec());
    for sample in findings.held_out {
        let Some(best) = sample.ranked().first().copied() else { continue };
        let choice = |chooser: &Chooser| {
            let method = chooser.choose(&sample.features);
            [Cell::Text(method.to_string()), Cell::number(sample.regret(method))]
        };
        let [new, new_regret] = choice(&fitted);
        let [old, old_regret] = choice(&Chooser::ByHand);
        let auto = sample.auto_us.map_or(Cell::Empty, |us| Cell::number(us.value / best.us.value));
        table = table.row([
            Cell::Text(sample.scene.clone()),
            Cell::number(f64::from(100.0 * sample.features.moving / sample.features.boxes.max(1.0))),
            Cell::Text(best.method.to_string()),
            Cell::number(best.us.value),
            new,
            new_regret,
            old,
            old_regret,
            auto,
        ]);
    }
    table
}

/// Prices, and how far predictions are off.
fn models(findings: &Findings<'_>) -> Section {
    let caption = "Measured over predicted: the middle, and the factors between which nine of ten lie.";
    let mut off = Table::new("errors", caption)
        .column("method", "")
        .column("situations", "")
        .column("scenes held out", "");
    let mut prices = Table::new(
        "prices",
        "Nanoseconds per unit of each term of the models; empty where a method does not pay.",
    )
    .column("term", "");
    for model in findings.models {
        let interval = |samples: &[Sample]| {
            let errors = errors(model, samples);
            let (low, high) = band(&errors);
            if errors.is_empty() { Cell::Empty } else { Cell::interval(quantile(&errors, 0.5), low, high) }
        };
        off = off.row([
            Cell::Text(model.method.to_string()),
            interval(findings.samples),
            interval(findings.held_out),
        ]);
        prices = prices.column(model.method.to_string(), "");
    }
    for (at, term) in TERMS.iter().enumerate() {
        let price = |model: &Fitted| match model.prices[at] {
            0.0 => Cell::Empty,
            price => Cell::number(f64::from(price)),
        };
        let first = Cell::Text(format!("{term:?}"));
        prices = prices.row(std::iter::once(first).chain(findings.models.iter().map(price)));
    }
    Section::new("Models").block(off).block(prices)
}

/// Time over the number of boxes, as usual otherwise.
fn costs(findings: &Findings<'_>) -> Section {
    let mut plot = Plot::new(
        "cost",
        "Time per frame over the number of boxes, everything else as in the middle of the maps.",
        Axis::log("boxes"),
        Axis::log("time per frame (µs)"),
    );
    let line = findings.survey.maps.iter().find(|map| map.x == Trait::Boxes);
    let measured = |method: Method| -> Vec<Point> {
        let Some(map) = line else { return Vec::new() };
        let cells = map.xs.iter().map(|x| Trait::Boxes.set(map.fixed, *x));
        let samples = cells.filter_map(|cell| findings.samples.iter().find(|s| s.situation == Some(cell)));
        samples
            .filter_map(|sample| {
                let timing = sample.timing(method)?;
                let point = Point::new(f64::from(sample.features.boxes), timing.us.value);
                let point = point.between(timing.us.low, timing.us.high);
                Some(if timing.over_budget { point.over_budget() } else { point })
            })
            .collect()
    };
    for method in CANDIDATES {
        plot = plot.series(Series::new(method.to_string(), measured(method)));
    }
    Section::new("Cost over the number of boxes").block(plot)
}

#[cfg(test)]
mod tests {
    use super::super::fit::fit;
    use super::super::sample::made_up::sample;
    use super::*;

    #[test]
    fn the_page_has_maps_choices_models_and_costs() {
        let survey = Survey::quick();
        let times = |n: usize| {
            [(Method::Aabb, 0.1 + 1e-4 * (n * n) as f64), (Method::BucketPruning, 3.0 + 0.1 * n as f64)]
        };
        let samples: Vec<Sample> = survey.situations().into_iter().map(|s| sample(s, &times(s.n))).collect();
        let models = fit(&samples);
        assert_eq!(models.len(), 2);
        let machine = Machine { processor: "Fast 9".into(), ..Machine::default() };
        let findings = Findings {
            survey: &survey,
            samples: &samples,
            held_out: &samples[..10],
            models: &models,
            machine: &machine,
            command: "carom advise --measure here",
        };
        let folder = tempfile::tempdir().unwrap();
        let written = page(&findings).write(folder.path()).unwrap();
        let html = std::fs::read_to_string(written.html).unwrap();
        for words in
            ["Fast 9", "Winner maps", "What choices cost", "fitted model", "always sap", "ConcernedOverlaps"]
        {
            assert!(html.contains(words), "{words}");
        }
        for file in
            ["boxes-density.svg", "motion-share.svg", "cost.svg", "held-out.csv", "regret.csv", "prices.csv"]
        {
            assert!(folder.path().join(file).is_file(), "{file}: {:?}", written.files);
        }
    }

    #[test]
    fn an_empty_survey_says_so() {
        let survey = Survey::quick();
        let machine = Machine::default();
        let findings = Findings {
            survey: &survey,
            samples: &[],
            held_out: &[],
            models: &[],
            machine: &machine,
            command: "",
        };
        let report = page(&findings);
        assert!(report.summary[0].starts_with("Too few situations"), "{:?}", report.summary);
        assert!(report.summary[1].contains("not complete"));
    }
}
