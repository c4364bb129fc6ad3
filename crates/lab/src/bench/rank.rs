//! Who is faster, as far as the intervals say.
//!
//! Two rows are ranked if their intervals do not overlap, and only with [`ENOUGH`] runs of each:
//! with three, ranges of two equal contestants lie apart once in ten times by chance; with five,
//! once in 126.

use super::{Comparison, Row};
use crate::stats::Interval;

/// Runs that a ranking takes.
pub const ENOUGH: usize = 5;

/// What can be said about the order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ranking {
    /// There is nothing to compare.
    Alone,
    /// They did not compute the same.
    OtherOutput,
    /// Too few runs.
    TooFew {
        /// Runs that every row has.
        runs: usize,
    },
    /// Fastest first; neighbours in one group have intervals that overlap.
    Groups(Vec<Vec<String>>),
}

impl Comparison {
    /// The order of the rows that went to their end.
    #[must_use]
    pub fn ranking(&self) -> Ranking {
        let mut rows: Vec<(&Row, Interval)> =
            self.contestants().map(|row| (row, row.ms_per_step())).collect();
        if rows.len() < 2 {
            return Ranking::Alone;
        }
        if !self.differences().is_empty() {
            return Ranking::OtherOutput;
        }
        let runs = self.complete_rounds();
        if runs < ENOUGH {
            return Ranking::TooFew { runs };
        }
        rows.sort_by(|a, b| a.1.value.total_cmp(&b.1.value));
        let mut groups: Vec<Vec<String>> = Vec::new();
        let mut last: Option<Interval> = None;
        for (row, interval) in rows {
            match groups.last_mut() {
                Some(group) if last.is_some_and(|last| last.overlaps(&interval)) => {
                    group.push(row.label.clone());
                }
                _ => groups.push(vec![row.label.clone()]),
            }
            last = Some(interval);
        }
        Ranking::Groups(groups)
    }
}

impl Ranking {
    /// One line for people; `None` if there is nothing to say.
    #[must_use]
    pub fn line(&self) -> Option<String> {
        match self {
            Self::Alone => None,
            Self::OtherOutput => Some("no ranking: they did not compute the same".to_owned()),
            Self::TooFew { runs } => {
                Some(format!("no ranking: {runs} runs of each are too few (--runs {ENOUGH})"))
            }
            Self::Groups(groups) => {
                let shown: Vec<String> = groups.iter().map(|group| group.join(" ≈ ")).collect();
                let note = "no difference shown (intervals overlap)";
                Some(match (groups.len(), groups.iter().any(|group| group.len() > 1)) {
                    (1, _) => format!("{}: {note}", shown.join("")),
                    (_, false) => format!("fastest first: {}", shown.join(" < ")),
                    (_, true) => format!("fastest first: {} (≈: {note})", shown.join(" < ")),
                })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::made_up::{change, row};
    use super::*;

    fn around(ms: f64, runs: usize) -> Vec<f64> {
        (0..runs).map(|k| ms * (1.0 + 0.01 * k as f64)).collect()
    }

    fn line(rows: Vec<Row>) -> String {
        Comparison { rows }.ranking().line().unwrap_or_default()
    }

    #[test]
    fn only_intervals_that_lie_apart_are_ranked() {
        let (a, b, c) = (row("a", &around(3.0, 5)), row("b", &around(1.0, 5)), row("c", &around(1.02, 5)));
        assert_eq!(line(vec![a.clone(), b.clone()]), "fastest first: b < a");
        assert_eq!(line(vec![b.clone(), c.clone()]), "b ≈ c: no difference shown (intervals overlap)");
        assert_eq!(
            line(vec![a, b, c]),
            "fastest first: b ≈ c < a (≈: no difference shown (intervals overlap))"
        );
    }

    #[test]
    fn few_runs_other_results_and_rows_that_are_out_are_not_ranked() {
        let (a, mut b) = (row("a", &around(3.0, 4)), row("b", &around(1.0, 5)));
        assert_eq!(line(vec![a, b.clone()]), "no ranking: 4 runs of each are too few (--runs 5)");
        let mut a = row("a", &around(3.0, 5));
        change(&mut a, |sample| sample.series.contacts[0] = 77);
        assert_eq!(line(vec![a.clone(), b.clone()]), "no ranking: they did not compute the same");
        change(&mut b, |sample| sample.over_budget = true);
        assert_eq!(Comparison { rows: vec![a, b] }.ranking(), Ranking::Alone);
        let (a, b) = (row("a", &around(3.0, 5)), row("b", &around(1.0, 5)));
        assert_eq!(
            line(vec![a, b, row("c", &[])]),
            "fastest first: b < a",
            "one that was not run holds nobody up"
        );
    }
}
