//! A group: the same simulation with different broad phases, threads and lanes.
//!
//! Its rows are measured in alternating rounds on one machine, and only they are compared by time.
//! A group is therefore what a shard takes as a whole: see [`Shard`].

use std::fmt;
use std::str::FromStr;

use carom_sim::SimulationSpec;
use serde::{Deserialize, Serialize};

use super::plan::SIZE;
use crate::bench::{Comparison, Row};

/// The same simulation with different settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// The scene with the names of its variables.
    pub family: String,
    /// Their values.
    pub values: Vec<(String, f64)>,
    /// Seed.
    pub seed: Option<u64>,
    /// Solver that was asked for.
    pub solver: Option<SimulationSpec>,
    /// Its rows.
    pub comparison: Comparison,
}

impl Group {
    /// A variable's value.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<f64> {
        self.values.iter().find(|(other, _)| other == name).map(|(_, value)| *value)
    }

    /// Name for tables: the scene, and what else sets it apart.
    #[must_use]
    pub fn name(&self) -> String {
        let scene = self.comparison.rows.first().map_or(self.family.as_str(), |row| row.task.scene.as_str());
        let seed = self.seed.map_or_else(String::new, |seed| format!(", seed {seed}"));
        let solver = self.solver.as_ref().map_or_else(String::new, |solver| format!(", {solver}"));
        format!("{scene}{seed}{solver}")
    }

    /// Is it the same but for a smaller size?
    fn is_smaller_than(&self, other: &Self) -> bool {
        let rest = |group: &Self| {
            let values = group.values.iter().filter(|(name, _)| name != SIZE).cloned().collect::<Vec<_>>();
            (group.family.clone(), group.seed, group.solver.clone(), values)
        };
        match (self.value(SIZE), other.value(SIZE)) {
            (Some(ours), Some(theirs)) => ours < theirs && rest(self) == rest(other),
            _ => false,
        }
    }

    /// The smaller group in which a row of this one was too slow already: cut short, failed, or
    /// with a step above a limit.
    #[must_use]
    pub fn given_up_at<'a>(
        &self,
        row: &Row,
        groups: &'a [Self],
        longest_step: Option<f64>,
    ) -> Option<&'a Self> {
        let too_slow =
            |row: &Row| row.is_out() || longest_step.is_some_and(|limit| row.slowest_step_ms() > limit);
        groups
            .iter()
            .filter(|group| group.is_smaller_than(self))
            .find(|group| group.comparison.rows.iter().any(|twin| twin.label == row.label && too_slow(twin)))
    }
}

/// A share of a plan: every so-many-th group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// Which, from 1.
    pub index: u32,
    /// Of how many.
    pub count: u32,
}

impl Default for Shard {
    fn default() -> Self {
        Self { index: 1, count: 1 }
    }
}

impl Shard {
    /// Is the group with this number, from 0, in it? Sizes mostly grow along a plan, so neighbours
    /// go to different shards.
    #[must_use]
    pub fn holds(&self, group: usize) -> bool {
        group % (self.count as usize) == (self.index - 1) as usize
    }

    /// Behind the names of its files; nothing if it is the whole.
    #[must_use]
    pub fn suffix(&self) -> String {
        if self.count == 1 { String::new() } else { format!("-{}-of-{}", self.index, self.count) }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
        match parts {
            Some((index, count)) if index >= 1 && index <= count => Ok(Self { index, count }),
            _ => Err(format!("'{text}' is no shard: expected K/N with K from 1 to N, such as 3/8")),
        }
    }
}
