//! `carom measure`, which `carom bench` starts: a task as JSON on standard input, a sample as JSON
//! on standard output.

use std::io::Read;

use carom_lab::measure::{MeasureError, here};
use carom_lab::task::Task;

use crate::args::MeasureOptions;
use crate::failure::{Failure, Outcome, Verdict};
use crate::show::line;

/// `carom measure`.
pub(crate) fn run(options: &MeasureOptions) -> Outcome {
    let mut text = String::new();
    let read = std::io::stdin().lock().read_to_string(&mut text);
    read.map_err(|error| Failure::new(format!("standard input: {error}")))?;
    let task: Task = serde_json::from_str(&text).map_err(|error| {
        Failure::new(format!("standard input holds no task: {error}"))
            .with_hint("carom bench starts this command; {\"scene\": \"box:100\"} is a task")
    })?;
    let sample = here(&task, &options.conditions())?;
    let text = serde_json::to_string(&sample).map_err(|error| Failure::new(error.to_string()))?;
    line(text);
    Ok(Verdict::Good)
}

impl From<MeasureError> for Failure {
    fn from(error: MeasureError) -> Self {
        match error {
            MeasureError::Task(error) => error.into(),
            MeasureError::Session(error) => error.into(),
            MeasureError::Simulation(error) => error.into(),
            MeasureError::Interrupted => Self::interrupted("interrupted"),
        }
    }
}
