//! What is kept of a run.

use serde::{Deserialize, Serialize};

use crate::task::Task;

/// One run of one task in one process.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// What was run.
    pub task: Task,
    /// Round, from 1.
    pub round: u32,
    /// Place in the order of its round, from 1.
    pub place: u32,
    /// Name of the scene.
    pub scene: String,
    /// Fingerprint of the scene.
    pub scene_hash: String,
    /// Bodies at the end.
    pub bodies: usize,
    /// Dynamic bodies awake at the end; 0 in samples of earlier versions.
    #[serde(default)]
    pub awake: u64,
    /// Dynamic bodies asleep at the end; 0 in samples of earlier versions.
    #[serde(default)]
    pub asleep: u64,
    /// Joints at the end.
    pub joints: usize,
    /// Frames asked for; the first is the scene as loaded.
    pub frames: u64,
    /// Steps per simulated second.
    pub fps: u32,
    /// Solver that was used.
    pub solver: String,
    /// Broad phase that was used.
    pub broad: String,
    /// Narrow phase that was used; empty in samples of earlier versions.
    #[serde(default)]
    pub narrow: String,
    /// Integrator that was used; empty in samples of earlier versions.
    #[serde(default)]
    pub integrator: String,
    /// Threads that worked on a step; 0 in samples of earlier versions.
    #[serde(default)]
    pub threads: usize,
    /// SIMD width as asked for; empty in samples of earlier versions.
    #[serde(default)]
    pub simd: String,
    /// SIMD width that was used.
    pub lanes: usize,
    /// Steps done.
    pub steps: u64,
    /// Time of every step, nanoseconds.
    pub step_ns: Vec<u64>,
    /// From the first step to the end of the last.
    pub wall_ns: u64,
    /// Time of all processors in the same stretch, where the system tells.
    pub processor_ns: Option<u64>,
    /// Reading or making the scene.
    pub load_ns: u64,
    /// Building the world.
    pub setup_ns: u64,
    /// Steps of the warm-up.
    pub warmup_steps: u64,
    /// Highest memory of the process, where the system tells.
    pub peak_bytes: Option<u64>,
    /// Stages of a step.
    pub stages: Vec<Stage>,
    /// What was counted; the same on every machine.
    pub counts: Vec<Count>,
    /// Counts of every step.
    pub series: Series,
    /// Tests by kind of pair, of Fingsics' rules.
    pub kinds: Vec<Kind>,
    /// Work of the broad phase, the same on every machine.
    pub broad_work: Work,
    /// Largest errors of joints: metres and radians.
    pub joint_error: [f32; 2],
    /// Bodies that blew up and were put back and stopped, with the step.
    pub quarantined: Vec<String>,
    /// Fingerprint of the final state.
    #[serde(with = "hexadecimal")]
    pub state_hash: u64,
    /// Fingerprint of the contacts of every step: runs of one scene must agree on it, whatever
    /// their broad phase.
    #[serde(with = "hexadecimal")]
    pub output_hash: u64,
    /// Fingerprint of all counts of every step: runs of one task must agree on it.
    #[serde(with = "hexadecimal")]
    pub work_hash: u64,
    /// Load average of the machine before the run.
    pub load_before: Option<f64>,
    /// Processors that it was kept on; none if it was not.
    pub pinned: Vec<usize>,
    /// Was it cut short, so that the figures are those of the first steps?
    pub over_budget: bool,
}

/// A stage of a step.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stage {
    /// In files.
    pub key: String,
    /// In tables.
    pub label: String,
    /// All steps together, nanoseconds.
    pub sum_ns: u64,
    /// Every step.
    pub step_ns: Vec<u64>,
}

/// Something that was counted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Count {
    /// In files.
    pub key: String,
    /// In tables.
    pub label: String,
    /// All steps together.
    pub sum: u64,
    /// The last step.
    pub last: u64,
}

/// Counts of every step.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Series {
    /// Pairs that the broad phase found before any second test.
    pub candidates: Vec<u64>,
    /// Pairs handed to the narrow phase.
    pub tested: Vec<u64>,
    /// Contacts.
    pub contacts: Vec<u64>,
    /// Box tests of the broad phase; empty where it does not tell.
    pub box_tests: Vec<u64>,
}

/// Tests of one kind of pair.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kind {
    /// Its name.
    pub name: String,
    /// Pairs tested.
    pub tests: u64,
    /// Time spent on them, nanoseconds.
    pub ns: u64,
}

/// Work of the broad phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Work {
    /// Box-against-box tests.
    pub box_tests: u64,
    /// Nodes of a tree looked at.
    pub node_visits: u64,
    /// Cells of a grid entered.
    pub cells: u64,
    /// Exchanges of neighbouring endpoints.
    pub swaps: u64,
    /// Pairs that appeared or disappeared.
    pub pair_changes: u64,
}

impl Sample {
    /// Mean time of a step, milliseconds; 0 for none.
    #[must_use]
    pub fn ms_per_step(&self) -> f64 {
        self.per_step(self.step_ns.iter().sum::<u64>() as f64 / 1e6)
    }

    /// A sum divided by the number of steps.
    #[must_use]
    pub fn per_step(&self, sum: f64) -> f64 {
        sum / self.steps.max(1) as f64
    }

    /// A stage by its key.
    #[must_use]
    pub fn stage(&self, key: &str) -> Option<&Stage> {
        self.stages.iter().find(|stage| stage.key == key)
    }

    /// A count by its key; 0 for one that the solver does not give.
    #[must_use]
    pub fn count(&self, key: &str) -> u64 {
        self.counts.iter().find(|count| count.key == key).map_or(0, |count| count.sum)
    }
}

/// A run that gave no sample.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Failed {
    /// What was run.
    pub task: Task,
    /// Round, from 1.
    pub round: u32,
    /// Place in the order of its round, from 1.
    pub place: u32,
    /// What happened, as far as it is known.
    pub reason: String,
}

/// What came of measuring.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "lowercase")]
pub enum Measured {
    /// A sample.
    Done(Box<Sample>),
    /// None.
    Failed(Box<Failed>),
}

impl Measured {
    /// The sample.
    #[must_use]
    pub fn sample(&self) -> Option<&Sample> {
        match self {
            Self::Done(sample) => Some(sample),
            Self::Failed(_) => None,
        }
    }

    /// What was run.
    #[must_use]
    pub fn task(&self) -> &Task {
        match self {
            Self::Done(sample) => &sample.task,
            Self::Failed(failed) => &failed.task,
        }
    }

    /// Round, from 1.
    #[must_use]
    pub fn round(&self) -> u32 {
        match self {
            Self::Done(sample) => sample.round,
            Self::Failed(failed) => failed.round,
        }
    }

    /// The same, with its round and its place in it.
    #[must_use]
    pub fn at(mut self, in_round: u32, at_place: u32) -> Self {
        let (round, place) = match &mut self {
            Self::Done(sample) => (&mut sample.round, &mut sample.place),
            Self::Failed(failed) => (&mut failed.round, &mut failed.place),
        };
        (*round, *place) = (in_round, at_place);
        self
    }
}

/// Fingerprints as text: JSON numbers of many readers have 53 bits.
mod hexadecimal {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(hash: &u64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{hash:016x}"))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
        let text = String::deserialize(deserializer)?;
        u64::from_str_radix(&text, 16).map_err(|_| {
            D::Error::custom(format!("'{text}' is no fingerprint: expected 16 hexadecimal digits"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_survive_a_file() {
        let sample = Sample {
            task: Task { scene: "box:9".into(), ..Task::default() },
            step_ns: vec![1, u64::MAX],
            state_hash: u64::MAX,
            output_hash: 1,
            processor_ns: None,
            ..Sample::default()
        };
        let failed =
            Failed { task: sample.task.clone(), reason: "out of memory".into(), ..Failed::default() };
        for measured in [Measured::Done(Box::new(sample)), Measured::Failed(Box::new(failed))] {
            let measured = measured.at(3, 2);
            let text = serde_json::to_string(&measured).unwrap();
            assert!(!text.contains('\n'), "one line each");
            assert_eq!(serde_json::from_str::<Measured>(&text).unwrap(), measured);
        }
    }

    #[test]
    fn fingerprints_that_are_none_are_refused() {
        let text = serde_json::to_string(&Sample::default()).unwrap();
        let bad = text.replacen("\"0000000000000000\"", "\"xyz\"", 1);
        assert_ne!(bad, text);
        let error = serde_json::from_str::<Sample>(&bad).unwrap_err().to_string();
        assert!(error.contains("'xyz' is no fingerprint"), "{error}");
    }
}
