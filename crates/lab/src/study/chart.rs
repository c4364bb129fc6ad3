//! Curves over a variable of a plan: one per row of the groups, with intervals and fitted
//! exponents.

use carom_report::{Axis, Fit, Plot, Point, Scale, Series};

use super::group::Group;
use crate::bench::Row;
use crate::measure::Sample;
use crate::stats::{Interval, median, median_interval, power_fit};

/// Sizes from which on growth is fitted: below, set-up and caches hide it.
pub const FITTED_FROM: f64 = 100.0;
/// Points that a fit takes.
const FITTED_POINTS: usize = 3;
/// Seed of the resampling.
const SEED: u64 = 0x57D1;

/// A figure of a row, and whether it comes from runs that were cut short.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure {
    /// The figure.
    pub value: Interval,
    /// Is it that of the first steps only?
    pub is_partial: bool,
}

/// A figure of a row: the median over its runs that went to their end, else over those that were
/// cut short; `None` without either.
#[must_use]
pub fn figure(row: &Row, pick: impl Fn(&Sample) -> f64) -> Option<Figure> {
    let whole: Vec<f64> = row.complete().map(&pick).collect();
    let is_partial = whole.is_empty();
    let values: Vec<f64> = if is_partial { row.samples().map(&pick).collect() } else { whole };
    (!values.is_empty()).then(|| Figure { value: median_interval(&values, SEED), is_partial })
}

/// What a chart shows.
pub struct Chart<'a> {
    /// File name.
    pub name: &'a str,
    /// A sentence.
    pub caption: &'a str,
    /// The variable across.
    pub variable: &'a str,
    /// Its axis.
    pub x: Axis,
    /// The axis upwards.
    pub y: Axis,
}

impl Chart<'_> {
    /// The plot of a figure of every row. Groups with the same value (other seeds) make one point:
    /// the median, and an interval that holds all of theirs. On two logarithmic axes growth is
    /// fitted.
    #[must_use]
    pub fn plot(&self, groups: &[&Group], pick: impl Fn(&Sample) -> f64) -> Plot {
        let mut plot = Plot::new(self.name, self.caption, self.x.clone(), self.y.clone());
        let is_power = self.x.scale == Scale::Log && self.y.scale == Scale::Log;
        for label in labels(groups) {
            let points = self.points(groups, &label, &pick);
            if points.is_empty() {
                continue;
            }
            let fit = if is_power { fit(&points) } else { None };
            let series = Series::new(label, points);
            plot = plot.series(match fit {
                Some(fit) => series.fitted(fit),
                None => series,
            });
        }
        plot
    }

    fn points(&self, groups: &[&Group], label: &str, pick: &impl Fn(&Sample) -> f64) -> Vec<Point> {
        let mut xs: Vec<f64> = groups.iter().filter_map(|group| group.value(self.variable)).collect();
        xs.sort_by(f64::total_cmp);
        xs.dedup();
        let point = |x: &f64| {
            let here = groups.iter().filter(|group| group.value(self.variable) == Some(*x));
            let rows = here.flat_map(|group| &group.comparison.rows).filter(|row| row.label == label);
            let figures: Vec<Figure> = rows.filter_map(|row| figure(row, pick)).collect();
            let value = median(&figures.iter().map(|figure| figure.value.value).collect::<Vec<_>>());
            let low = figures.iter().map(|figure| figure.value.low).min_by(f64::total_cmp)?;
            let high = figures.iter().map(|figure| figure.value.high).max_by(f64::total_cmp)?;
            let point = Point::new(*x, value).between(low, high);
            Some(if figures.iter().any(|figure| figure.is_partial) { point.over_budget() } else { point })
        };
        xs.iter().filter_map(point).collect()
    }
}

/// Names of rows, in the order in which they are met.
#[must_use]
pub fn labels(groups: &[&Group]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for row in groups.iter().flat_map(|group| &group.comparison.rows) {
        if !found.contains(&row.label) {
            found.push(row.label.clone());
        }
    }
    found
}

/// The growth of points that went to their end.
fn fit(points: &[Point]) -> Option<Fit> {
    let whole = points.iter().filter(|point| !point.is_over_budget && point.x >= FITTED_FROM);
    let whole: Vec<(f64, f64)> = whole.map(|point| (point.x, point.y)).filter(|(_, y)| *y > 0.0).collect();
    if whole.len() < FITTED_POINTS {
        return None;
    }
    let fit = power_fit(&whole)?;
    Some(Fit { exponent: fit.exponent, low: fit.low, high: fit.high, factor: fit.factor })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::Comparison;
    use crate::bench::made_up::{change, row};

    fn group(n: f64, rows: Vec<Row>) -> Group {
        Group {
            family: "box:{n}".into(),
            values: vec![("n".into(), n)],
            seed: None,
            solver: None,
            comparison: Comparison { rows },
        }
    }

    fn chart() -> Chart<'static> {
        Chart { name: "t", caption: "t", variable: "n", x: Axis::log("n"), y: Axis::log("ms") }
    }

    #[test]
    fn growth_is_fitted_where_it_shows() {
        // Flat below a hundred, square above.
        let groups: Vec<Group> = [10.0, 100.0, 200.0, 400.0]
            .map(|n| group(n, vec![row("a", &[if n < 100.0 { 1.0 } else { n * n / 1e4 }])]))
            .to_vec();
        let plot = chart().plot(&groups.iter().collect::<Vec<_>>(), Sample::ms_per_step);
        let series = &plot.series[0];
        assert_eq!(series.points.iter().map(|p| p.x).collect::<Vec<_>>(), [10.0, 100.0, 200.0, 400.0]);
        assert!((series.fit.unwrap().exponent - 2.0).abs() < 1e-9);
    }

    #[test]
    fn seeds_make_one_point_and_what_was_cut_short_is_marked() {
        let mut slow = row("b", &[9.0]);
        change(&mut slow, |sample| sample.over_budget = true);
        let groups = [
            group(10.0, vec![row("a", &[1.0, 2.0]), slow]),
            group(10.0, vec![row("a", &[4.0])]),
            group(5.0, vec![row("a", &[3.0]), row("c", &[])]),
        ];
        let plot = chart().plot(&groups.iter().collect::<Vec<_>>(), Sample::ms_per_step);
        assert_eq!(plot.series.iter().map(|s| s.name.as_str()).collect::<Vec<_>>(), ["a", "b"]);
        let points = &plot.series[0].points;
        assert_eq!((points[0].x, points[0].y), (5.0, 3.0));
        assert_eq!((points[1].y, points[1].low, points[1].high), (2.75, 1.0, 4.0));
        assert!(plot.series[1].points[0].is_over_budget && plot.series[1].points[0].y == 9.0);
        assert!(plot.series.iter().all(|series| series.fit.is_none()), "too few points");
    }
}
