//! The cost model of collision detection: T = C + b·B + o·O.
//!
//! b tests of bounding volumes at B each and o tests of objects at O each; C is what a method costs
//! that keeps its answer up to date instead of testing volumes. Brute force has no C (T = b·B +
//! o·O), a sweep no b (T = C + o·O), a sweep whose pairs are then tested by oriented boxes has
//! both. Such a second test pays off if it saves more than it costs: O/B > o₁/(o₁ − o₂), where o₁
//! pairs enter it and o₂ leave it.
//!
//! The constants come from the run itself. Every step gives its numbers of tests and its times of
//! the broad and narrow phase (the median over the runs, since the same step does the same work in
//! each); least squares without negative costs then give C and B from the broad phase and O from
//! the narrow phase. If plain SAP was measured too, its steps help to tell C from B. The fit sees
//! every other step only; how well it predicts the rest is shown with it.

use carom_broadphase::Method;
use serde::Serialize;

use super::{Comparison, Row};
use crate::measure::Sample;
use crate::stats::{Sign, least_squares, median};

/// Which terms a method has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Form {
    upkeep: bool,
    volumes: bool,
}

/// What a test costs, as a run shows it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CostModel {
    /// Volume tests per step, b.
    pub volume_tests: Option<f64>,
    /// Object tests per step, o.
    pub object_tests: f64,
    /// Upkeep per step, C, nanoseconds.
    pub upkeep_ns: Option<f64>,
    /// A volume test, B, nanoseconds.
    pub volume_ns: Option<f64>,
    /// An object test, O, nanoseconds.
    pub object_ns: f64,
    /// Time of the steps that the fit did not see: predicted over measured.
    pub predicted_over_measured: f64,
}

/// Does the second test pay off?
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PayOff {
    /// O/B.
    pub object_over_volume: f64,
    /// o₁/(o₁ − o₂); infinite if the second test removes nothing.
    pub needed: f64,
}

impl PayOff {
    /// Does it?
    #[must_use]
    pub fn pays(&self) -> bool {
        self.object_over_volume > self.needed
    }
}

impl CostModel {
    /// The formula with its numbers.
    #[must_use]
    pub fn formula(&self) -> String {
        let mut terms = Vec::new();
        terms.extend(self.upkeep_ns.map(|c| format!("{:.4} ms", c / 1e6)));
        let volumes = self.volume_tests.zip(self.volume_ns);
        terms.extend(volumes.map(|(tests, cost)| format!("{tests:.0}·{cost:.1} ns")));
        terms.push(format!("{:.0}·{:.1} ns", self.object_tests, self.object_ns));
        terms.join(" + ")
    }
}

/// Steps as the model sees them; times in nanoseconds.
struct Steps {
    volumes: Vec<f64>,
    objects: Vec<f64>,
    broad: Vec<f64>,
    narrow: Vec<f64>,
}

impl Steps {
    /// Of the runs of a row that went to their end.
    fn of(row: &Row) -> Option<Self> {
        let example = row.complete().next()?;
        let count = example.step_ns.len();
        let time = |keys: &[&str]| -> Vec<f64> {
            (0..count)
                .map(|at| {
                    let of_run = |sample: &Sample| {
                        let stages = keys.iter().filter_map(|key| sample.stage(key)?.step_ns.get(at));
                        stages.sum::<u64>() as f64
                    };
                    median(&row.complete().map(of_run).collect::<Vec<f64>>())
                })
                .collect()
        };
        let numbers = |counts: &[u64]| counts.iter().map(|count| *count as f64).collect::<Vec<f64>>();
        let series = &example.series;
        let volumes = match example.broad.parse() {
            // The sweep's pairs, and all pairs, are what oriented boxes are tested on.
            Ok(Method::SapObb | Method::Obb) => numbers(&series.candidates),
            Ok(Method::Aabb) if series.box_tests.len() == count => numbers(&series.box_tests),
            _ => vec![0.0; count],
        };
        Some(Self {
            volumes,
            objects: numbers(&series.tested),
            broad: time(&["fit", "broad"]),
            narrow: time(&["narrow"]),
        })
    }

    fn mean(values: &[f64]) -> f64 {
        values.iter().sum::<f64>() / values.len().max(1) as f64
    }
}

/// Every other step, from the first or the second on.
fn every_other(values: &[f64], from: usize) -> Vec<f64> {
    values.iter().copied().skip(from).step_by(2).collect()
}

impl Form {
    fn of(sample: &Sample) -> Self {
        // The simulations that tell the work of their broad phase step by step test volumes in it.
        let tells = !sample.series.box_tests.is_empty();
        match sample.broad.parse() {
            Ok(Method::Aabb | Method::Obb) if tells => Self { upkeep: false, volumes: true },
            Ok(Method::SapObb) if tells => Self { upkeep: true, volumes: true },
            // All pairs are handed on: making the list belongs to the objects' tests.
            Ok(Method::None) if tells => Self { upkeep: false, volumes: false },
            _ => Self { upkeep: true, volumes: false },
        }
    }
}

impl Comparison {
    /// The model of every row; `None` where there are too few steps to fit it.
    #[must_use]
    pub fn cost_models(&self) -> Vec<Option<CostModel>> {
        let sweep = self.by_broad(Method::Sap).and_then(Steps::of);
        self.rows.iter().map(|row| model(row, sweep.as_ref())).collect()
    }

    /// Does testing the sweep's pairs by oriented boxes pay off? `None` unless both were measured.
    #[must_use]
    pub fn pay_off(&self) -> Option<PayOff> {
        let models = self.cost_models();
        let of = |method| {
            let at = self.rows.iter().position(|row| is_broad(row, method))?;
            models[at]
        };
        let (plain, refined): (CostModel, CostModel) = (of(Method::Sap)?, of(Method::SapObb)?);
        let volume_ns = refined.volume_ns.filter(|cost| *cost > 0.0)?;
        let saved = plain.object_tests - refined.object_tests;
        let needed = if saved > 0.0 { plain.object_tests / saved } else { f64::INFINITY };
        Some(PayOff { object_over_volume: plain.object_ns / volume_ns, needed })
    }

    fn by_broad(&self, method: Method) -> Option<&Row> {
        self.rows.iter().find(|row| is_broad(row, method))
    }
}

fn is_broad(row: &Row, method: Method) -> bool {
    row.complete().next().is_some_and(|sample| sample.broad.parse() == Ok(method))
}

fn model(row: &Row, sweep: Option<&Steps>) -> Option<CostModel> {
    let form = Form::of(row.complete().next()?);
    let steps = Steps::of(row)?;
    let [volumes, objects, broad, narrow] =
        [&steps.volumes, &steps.objects, &steps.broad, &steps.narrow].map(|values| every_other(values, 0));

    // The broad phase, with the steps of the plain sweep (no volumes tested) below those of the
    // refined one.
    let (mut tested, mut target) = (volumes, broad);
    if form.upkeep
        && form.volumes
        && let Some(sweep) = sweep
    {
        target.extend(every_other(&sweep.broad, 0));
        tested.resize(target.len(), 0.0);
    }
    let ones = vec![1.0; target.len()];
    let mut columns: Vec<&[f64]> = Vec::new();
    if form.upkeep {
        columns.push(&ones);
    }
    if form.volumes {
        columns.push(&tested);
    }
    let found = least_squares(&columns, &target, Sign::NotNegative)?.coefficients;
    let upkeep = form.upkeep.then(|| found[0]);
    let volume = form.volumes.then(|| found[usize::from(form.upkeep)]);

    let narrow = if columns.is_empty() { sum(&narrow, &target) } else { narrow };
    let object = least_squares(&[&objects], &narrow, Sign::NotNegative)?.coefficients[0];

    let predict = |at: usize| {
        upkeep.unwrap_or(0.0) + volume.unwrap_or(0.0) * steps.volumes[at] + object * steps.objects[at]
    };
    let unseen = || (1..steps.broad.len()).step_by(2);
    let predicted: f64 = unseen().map(predict).sum();
    let measured: f64 = unseen().map(|at| steps.broad[at] + steps.narrow[at]).sum();
    (measured > 0.0).then(|| CostModel {
        volume_tests: form.volumes.then(|| Steps::mean(&steps.volumes)),
        object_tests: Steps::mean(&steps.objects),
        upkeep_ns: upkeep,
        volume_ns: volume,
        object_ns: object,
        predicted_over_measured: predicted / measured,
    })
}

fn sum(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}

#[cfg(test)]
mod tests {
    use super::super::made_up::row;
    use super::*;
    use crate::measure::Measured;
    use crate::measure::sample::{Series, Stage};

    /// A row of one run whose times follow the model exactly.
    fn exact(broad: &str, counts: &[(u64, u64)], upkeep: u64, volume: u64, object: u64) -> Row {
        let mut row = row(broad, &[1.0]);
        let stage = |key: &str, step_ns: Vec<u64>| Stage {
            key: key.into(),
            sum_ns: step_ns.iter().sum(),
            step_ns,
            ..Stage::default()
        };
        if let Some(Measured::Done(sample)) = row.measured.first_mut() {
            sample.solver = "fingsics".into();
            sample.steps = counts.len() as u64;
            sample.step_ns = vec![1; counts.len()];
            sample.stages = vec![
                stage("broad", counts.iter().map(|(b, _)| upkeep + volume * b).collect()),
                stage("narrow", counts.iter().map(|(_, o)| object * o).collect()),
            ];
            let volumes: Vec<u64> = counts.iter().map(|(b, _)| *b).collect();
            sample.series = Series {
                candidates: volumes.clone(),
                box_tests: volumes,
                tested: counts.iter().map(|(_, o)| *o).collect(),
                contacts: vec![0; counts.len()],
            };
        }
        row
    }

    fn counts(objects: u64) -> Vec<(u64, u64)> {
        (0..40).map(|k| (1000 + 13 * (k * k % 17), objects + 7 * (k % 5))).collect()
    }

    fn close(value: Option<f64>, expected: f64) -> bool {
        value.is_some_and(|value| (value - expected).abs() < 1e-6 * expected)
    }

    #[test]
    fn known_costs_are_found_again() {
        let brute = exact("aabb", &counts(300), 0, 12, 200);
        let refined = exact("sapobb", &counts(300), 50_000, 25, 400);
        let models = Comparison { rows: vec![brute, refined] }.cost_models();
        let [Some(brute), Some(refined)] = models[..] else { panic!("{models:?}") };
        assert!(
            close(brute.volume_ns, 12.0) && close(Some(brute.object_ns), 200.0) && brute.upkeep_ns.is_none()
        );
        assert!(close(refined.upkeep_ns, 50_000.0) && close(refined.volume_ns, 25.0), "{refined:?}");
        assert!(close(Some(refined.object_ns), 400.0) && close(Some(refined.predicted_over_measured), 1.0));
        assert!(refined.formula().starts_with("0.0500 ms + 11"), "{}", refined.formula());
    }

    #[test]
    fn the_plain_sweep_tells_upkeep_from_volumes() {
        // Equal numbers of tests in every step: the refined row alone cannot tell C from B.
        let constant = |o| vec![(1000, o); 40];
        let sweep = exact("sap", &constant(1000), 50_000, 0, 400);
        let refined = exact("sapobb", &constant(200), 50_000, 25, 400);
        let both = Comparison { rows: vec![sweep, refined] };
        let model = both.cost_models()[1].unwrap();
        assert!(close(model.upkeep_ns, 50_000.0) && close(model.volume_ns, 25.0), "{model:?}");
        // 1000 pairs enter, 200 leave: 800·400 ns saved for 1000·25 ns.
        let pay_off = both.pay_off().unwrap();
        assert!(close(Some(pay_off.object_over_volume), 16.0) && close(Some(pay_off.needed), 1.25));
        assert!(pay_off.pays());
    }

    #[test]
    fn a_second_test_that_removes_little_does_not_pay() {
        let constant = |o| vec![(1000, o); 40];
        let rows = |left| Comparison {
            rows: vec![
                exact("sap", &constant(1000), 50_000, 0, 50),
                exact("sapobb", &constant(left), 50_000, 25, 50),
            ],
        };
        // O/B = 2: it pays if more than half is removed.
        assert!(rows(499).pay_off().unwrap().pays());
        assert!(!rows(501).pay_off().unwrap().pays());
        assert_eq!(rows(1000).pay_off().unwrap().needed, f64::INFINITY);
    }

    #[test]
    fn all_pairs_cost_what_listing_and_testing_them_does() {
        let rows = Comparison { rows: vec![exact("none", &counts(300), 0, 0, 90)] };
        let model = rows.cost_models()[0].unwrap();
        assert!(close(Some(model.object_ns), 90.0) && model.volume_ns.is_none() && model.upkeep_ns.is_none());
        assert_eq!(Comparison { rows: vec![exact("sap", &counts(1)[..1], 1, 1, 1)] }.cost_models(), [None]);
    }
}
