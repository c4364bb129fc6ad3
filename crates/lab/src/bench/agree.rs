//! Did they compute the same? Times of different results are never compared.
//!
//! Runs of one task must agree on everything. Rows of one scene must agree on the contacts of every
//! step and on the final state; how many pairs they tested on the way is their own affair (a second
//! test by oriented boxes exists to lower it), except that rows with the same broad phase, which
//! differ in threads or lanes only, must agree on that too. A run that was cut short is compared as
//! far as it went.

use std::fmt;

use super::{Comparison, Row};
use crate::measure::Sample;

/// Two rows, or two runs of a row, that did not compute the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// One of them.
    pub one: String,
    /// The other.
    pub other: String,
    /// The first thing that differs.
    pub what: What,
}

/// What differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// The scenes themselves.
    Scene,
    /// Contacts of a step.
    Contacts {
        /// Step, from 1.
        step: usize,
        /// Of the one.
        one: u64,
        /// Of the other.
        other: u64,
    },
    /// The final states, though every step had as many contacts.
    State {
        /// Fingerprint of the one.
        one: u64,
        /// Of the other.
        other: u64,
    },
    /// Counts that depend on the broad phase.
    Counts,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (a, b) = (&self.one, &self.other);
        match &self.what {
            What::Scene => write!(f, "{a} and {b} ran different scenes"),
            What::Contacts { step, one, other } => {
                write!(f, "step {step} has {one} contacts with {a}, {other} with {b}")
            }
            What::State { one, other } => {
                write!(
                    f,
                    "{a} ended in state {one:016x}, {b} in {other:016x}, with as many contacts in every step"
                )
            }
            What::Counts => write!(f, "{a} and {b} counted different work for the same contacts"),
        }
    }
}

impl Comparison {
    /// Everything that stands against comparing the times, the first thing for each pair.
    #[must_use]
    pub fn differences(&self) -> Vec<Difference> {
        let mut found: Vec<Difference> = self.rows.iter().flat_map(Row::own_differences).collect();
        let mut examples = self.rows.iter().filter_map(|row| Some((row, row.example()?)));
        if let Some((first, theirs)) = examples.next() {
            for (row, ours) in examples {
                let what = between(theirs, ours, theirs.broad == ours.broad);
                let names = (first.label.clone(), row.label.clone());
                found.extend(what.map(|what| Difference { one: names.0, other: names.1, what }));
            }
        }
        found
    }
}

impl Row {
    /// Runs of this row that differ from its first one.
    fn own_differences(&self) -> Vec<Difference> {
        let Some(first) = self.example() else { return Vec::new() };
        let name = |sample: &Sample| format!("run {} of {}", sample.round, self.label);
        let compare = |sample| {
            let what = between(first, sample, true)?;
            Some(Difference { one: name(first), other: name(sample), what })
        };
        self.samples().filter_map(compare).collect()
    }
}

/// The first thing that differs between two runs of one scene; `with_work` if the counts of their
/// broad phases must agree too.
#[must_use]
pub fn between(one: &Sample, other: &Sample, with_work: bool) -> Option<What> {
    if one.scene_hash != other.scene_hash {
        return Some(What::Scene);
    }
    let contacts = one.series.contacts.iter().zip(&other.series.contacts).enumerate();
    let unequal = contacts.map(|(at, (a, b))| (at + 1, *a, *b)).find(|(_, a, b)| a != b);
    if let Some((step, one, other)) = unequal {
        return Some(What::Contacts { step, one, other });
    }
    if one.steps != other.steps {
        return None;
    }
    if one.state_hash != other.state_hash || one.output_hash != other.output_hash {
        return Some(What::State { one: one.state_hash, other: other.state_hash });
    }
    (with_work && one.work_hash != other.work_hash).then_some(What::Counts)
}

#[cfg(test)]
mod tests {
    use super::super::made_up::{change, row};
    use super::*;

    fn two() -> Comparison {
        Comparison { rows: vec![row("sap", &[1.0, 1.0]), row("sapobb", &[2.0, 2.0])] }
    }

    fn said(comparison: &Comparison) -> Vec<String> {
        comparison.differences().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn equal_results_may_be_compared_and_other_tests_do_no_harm() {
        let mut rows = two();
        for measured in &mut rows.rows[1].measured {
            if let crate::measure::Measured::Done(sample) = measured {
                (sample.work_hash, sample.series.tested) = (99, vec![1, 1]);
            }
        }
        assert_eq!(said(&rows), [""; 0]);
    }

    #[test]
    fn the_first_step_that_differs_is_named() {
        let mut rows = two();
        change(&mut rows.rows[1], |sample| sample.series.contacts = vec![3, 5]);
        let said = said(&rows);
        assert!(said.contains(&"step 2 has 4 contacts with sap, 5 with sapobb".to_owned()), "{said:?}");
        assert!(
            said.contains(&"step 2 has 5 contacts with run 1 of sapobb, 4 with run 2 of sapobb".to_owned())
        );
    }

    #[test]
    fn other_states_scenes_and_work_are_seen() {
        let mut rows = two();
        rows.rows[1].measured.pop();
        change(&mut rows.rows[1], |sample| sample.state_hash = 1);
        assert!(said(&rows)[0].contains("ended in state 0000000000000007, sapobb in 0000000000000001"));
        change(&mut rows.rows[1], |sample| (sample.state_hash, sample.scene_hash) = (7, "x".into()));
        assert_eq!(said(&rows), ["sap and sapobb ran different scenes"]);
        change(&mut rows.rows[1], |sample| {
            (sample.broad, sample.scene_hash, sample.work_hash) = ("sap".into(), String::new(), 1);
        });
        assert_eq!(said(&rows), ["sap and sapobb counted different work for the same contacts"]);
    }

    #[test]
    fn what_was_cut_short_is_compared_as_far_as_it_went() {
        let mut rows = two();
        rows.rows[1].measured.pop();
        change(&mut rows.rows[1], |sample| {
            (sample.over_budget, sample.steps, sample.state_hash) = (true, 1, 1);
            sample.series.contacts.pop();
        });
        assert_eq!(said(&rows), [""; 0]);
        change(&mut rows.rows[1], |sample| sample.series.contacts = vec![2]);
        assert_eq!(said(&rows), ["step 1 has 3 contacts with sap, 2 with sapobb"]);
    }
}
