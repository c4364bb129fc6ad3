//! Interleaved measuring, and the errors beside the times.
//!
//! All contestants of a task take turns, in one order and then in the reverse, many times over; a
//! slow spell of the machine hits all of them. The figure is the median. Before anything is timed
//! each answers once, and its answers are compared with the reference: a time without an error
//! beside it would not say much.

use std::time::Instant;

use super::contestant::NO_CONTACT;
use super::{Contestant, Question, Task};

/// One contestant in one task.
#[derive(Clone, Debug, PartialEq)]
pub struct MethodTiming {
    /// Who.
    pub name: &'static str,
    /// Median nanoseconds per query.
    pub nanoseconds: f64,
    /// Largest error of the signed distance in metres; for touching the share of wrong answers.
    pub worst: f64,
    /// Places for which the answer was none, but the shapes are within the margin by more than a
    /// tenth of it, or the other way round.
    pub missed: usize,
}

/// One task and all who took it.
#[derive(Clone, Debug)]
pub struct Row {
    /// The task.
    pub task: Task,
    /// Those who took it, in the order they were given.
    pub figures: Vec<MethodTiming>,
}

/// Has every contestant that takes the task answer it `rounds` times.
pub fn measure(task: &Task, contestants: &mut [Box<dyn Contestant>], rounds: usize) -> Row {
    let mut takers: Vec<&mut Box<dyn Contestant>> = Vec::new();
    for contestant in contestants {
        if contestant.take(task) {
            takers.push(contestant);
        }
    }
    let mut answers = vec![0.0f32; task.places.len()];
    let errors: Vec<(f64, usize)> = takers
        .iter_mut()
        .map(|taker| {
            taker.answer(task, &mut answers);
            errors(task, &answers)
        })
        .collect();
    let mut samples = vec![Vec::with_capacity(rounds); takers.len()];
    for round in 0..rounds {
        for turn in 0..takers.len() {
            let who = if round % 2 == 0 { turn } else { takers.len() - 1 - turn };
            let start = Instant::now();
            takers[who].answer(task, &mut answers);
            samples[who].push(start.elapsed().as_secs_f64());
            std::hint::black_box(&answers);
        }
    }
    let per_query = 1e9 / task.places.len().max(1) as f64;
    let figures = takers.iter().zip(samples).zip(errors).map(|((taker, samples), (worst, missed))| {
        MethodTiming { name: taker.name(), nanoseconds: median(samples) * per_query, worst, missed }
    });
    Row { task: task.clone(), figures: figures.collect() }
}

fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_by(f64::total_cmp);
    samples.get(samples.len() / 2).copied().unwrap_or(f64::NAN)
}

/// By how much a signed distance is wrong. Of contact points above a surface it counts only if they
/// are farther than the shapes, or in them: the gap along a normal may be less than the distance.
fn error(question: Question, answer: f32, truth: f32) -> f32 {
    if question == Question::Manifold && truth > 0.0 && answer < truth {
        return (-answer).max(0.0);
    }
    (answer - truth).abs()
}

/// Largest error, and how many answers are missing or too many.
fn errors(task: &Task, answers: &[f32]) -> (f64, usize) {
    let pairs = || answers.iter().zip(task.distances.iter());
    let slack = 0.1 * task.margin;
    match task.question {
        Question::Touch => {
            let wrong =
                pairs().filter(|(answer, true_)| true_.abs() > 1e-4 && (**answer < 0.0) != (**true_ < 0.0));
            let wrong = wrong.count();
            (wrong as f64 / answers.len().max(1) as f64, wrong)
        }
        Question::Distance => {
            let gap = |(answer, true_): (&f32, &f32)| f64::from((answer.max(0.0) - true_.max(0.0)).abs());
            (pairs().map(gap).fold(0.0, f64::max), 0)
        }
        Question::Depth | Question::Manifold => {
            let mut worst = 0.0f64;
            let mut missed = 0;
            for (answer, true_) in pairs() {
                if *answer != NO_CONTACT && (*true_ < task.margin - slack) {
                    worst = worst.max(f64::from(error(task.question, *answer, *true_)));
                } else if (*answer == NO_CONTACT && *true_ < -1e-4)
                    || (*answer < task.margin && *true_ > task.margin + slack)
                {
                    missed += 1;
                }
            }
            (worst, missed)
        }
    }
}
