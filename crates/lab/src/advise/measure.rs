//! From a trace to a sample: the same pairs from every method, or no times at all.
//!
//! Methods are first compared with the oracle over some frames (up to [`CHECKED`] boxes; beyond,
//! the oracle would take longer than everything else), then timed side by side in turn on all
//! frames, and must end with the same number of pairs.

use std::time::Duration;

use carom_broadphase::{BoxError, Method};

use super::aabb_trace::{AabbTrace, AnyAabbTrace};
use super::look::look;
use super::sample::{Sample, Timing};
use crate::pairs::check::Difference;
use crate::pairs::contest::{ContenderMetrics, Ending, Terms, contest};
use crate::pairs::{ContestError, Entrant};
use crate::stats::{Interval, median_interval};

/// The methods that are advised on: all with exact pairs but the classics and the trees that cut
/// space, which were nowhere near the first in contests of all. Those that win somewhere stand
/// first, so that maps have a colour for each.
pub const CANDIDATES: [Method; 10] = [
    Method::Aabb,
    Method::Sap,
    Method::MultiSap,
    Method::BoxPruning,
    Method::BucketPruning,
    Method::Bvh,
    Method::BvhRefit,
    Method::KdSweep,
    Method::Grid,
    Method::HierGrid,
];
/// Up to so many boxes the pairs are compared with the oracle.
pub const CHECKED: usize = 4096;
/// With more boxes than this, testing every pair takes no part: at 8000 it is ten times behind
/// everywhere, and it grows as the square.
pub const MOST_FOR_ALL_PAIRS: usize = 8192;
/// Frames compared with the oracle.
const CHECKED_FRAMES: u64 = 2;
/// Seed of the intervals.
const SEED: u64 = 1;

/// How much is measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effort {
    /// Frames before those that count: what rests is put away, orders are learnt.
    pub warmup: u64,
    /// Frames that count.
    pub frames: u64,
    /// Time that a method may use in all.
    pub budget: Duration,
}

impl Effort {
    /// For so many boxes: more frames where they are short.
    #[must_use]
    pub fn for_boxes(n: usize) -> Self {
        Self {
            warmup: 12,
            frames: (200_000 / n.max(1)).clamp(15, 41) as u64,
            budget: Duration::from_millis(1500),
        }
    }

    /// Steps of a trace that is long enough.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.warmup + self.frames
    }
}

/// Why there is no sample.
#[derive(Debug, thiserror::Error)]
pub enum MeasureError {
    /// No contest.
    #[error(transparent)]
    Contest(#[from] ContestError),
    /// A box that is no good.
    #[error(transparent)]
    Box(#[from] BoxError),
    /// A pair that is wrong.
    #[error("{scene}: {difference}")]
    Wrong {
        /// In this scene.
        scene: String,
        /// What.
        difference: Box<Difference>,
    },
    /// Methods that differ.
    #[error("{scene}: {first} ends with {expected} pairs, {other} with {found}")]
    Differ {
        /// In this scene.
        scene: String,
        /// Who was asked first.
        first: String,
        /// What it found.
        expected: usize,
        /// Who differs.
        other: String,
        /// What that one found.
        found: usize,
    },
}

/// Those of the candidates that take part with so many boxes.
#[must_use]
pub fn taking_part(boxes: usize) -> Vec<Method> {
    CANDIDATES.into_iter().filter(|m| *m != Method::Aabb || boxes <= MOST_FOR_ALL_PAIRS).collect()
}

impl AnyAabbTrace {
    /// Measures methods on the trace; `with_auto` lets `auto` itself take part.
    ///
    /// # Errors
    /// If methods differ, or refuse a box.
    pub fn measure(
        &self,
        scene: &str,
        methods: &[Method],
        with_auto: bool,
        effort: &Effort,
    ) -> Result<Sample, MeasureError> {
        match self {
            Self::Plane(trace) => measure(trace, scene, methods, with_auto, effort),
            Self::Space(trace) => measure(trace, scene, methods, with_auto, effort),
        }
    }
}

/// Measures methods on a trace.
///
/// # Errors
/// If methods differ, or refuse a box.
pub fn measure<const D: usize>(
    trace: &AabbTrace<D>,
    scene: &str,
    methods: &[Method],
    with_auto: bool,
    effort: &Effort,
) -> Result<Sample, MeasureError> {
    let seen = look(trace)?;
    let auto = with_auto.then_some(Method::Auto);
    let entrants: Vec<Entrant> =
        methods.iter().copied().chain(auto).map(|method| Entrant::Own(method.into())).collect();
    let terms = Terms {
        frames: effort.frames,
        warmup: effort.warmup,
        threads: 1,
        verify: false,
        budget: effort.budget,
    };
    if trace.boxes() <= CHECKED {
        let checked = Terms { frames: CHECKED_FRAMES, warmup: 0, verify: true, ..terms };
        let report = contest(&mut trace.play(), &entrants, &checked, || ())?;
        if let Some(difference) = report.difference {
            return Err(MeasureError::Wrong { scene: scene.to_owned(), difference: Box::new(difference) });
        }
    }
    let report = contest(&mut trace.play(), &entrants, &terms, || ())?;
    let pairs = same_pairs(scene, &report.figures)?;
    let mut timings: Vec<Timing> = (methods.iter().zip(&report.figures))
        .map(|(method, figures)| Timing {
            method: *method,
            us: microseconds(figures),
            frames: figures.times.len() as u64,
            over_budget: figures.ending != Ending::Done,
        })
        .collect();
    timings.retain(|timing| timing.us.value > 0.0);
    Ok(Sample {
        situation: None,
        scene: scene.to_owned(),
        features: seen.features,
        pairs,
        timings,
        auto_us: report.figures.get(methods.len()).filter(|f| f.ending == Ending::Done).map(microseconds),
    })
}

/// The number of pairs that all found who came to the end.
fn same_pairs(scene: &str, figures: &[ContenderMetrics]) -> Result<usize, MeasureError> {
    let mut done = figures.iter().filter(|figures| figures.ending == Ending::Done);
    let Some(first) = done.next() else { return Ok(0) };
    match done.find(|other| other.pairs != first.pairs) {
        None => Ok(first.pairs),
        Some(other) => Err(MeasureError::Differ {
            scene: scene.to_owned(),
            first: first.name.clone(),
            expected: first.pairs,
            other: other.name.clone(),
            found: other.pairs,
        }),
    }
}

/// Median over the frames, or what the first took if there is none that counts.
fn microseconds(figures: &ContenderMetrics) -> Interval {
    let us = |time: &Duration| time.as_nanos() as f64 / 1e3;
    let times: Vec<f64> = figures.times.iter().map(us).collect();
    if times.is_empty() {
        let first = match figures.ending {
            Ending::Hopeless { expected } => us(&expected),
            _ => figures.set_up.as_ref().map_or(0.0, us),
        };
        return Interval { value: first, low: first, high: first };
    }
    // To the nanosecond: files hold no digits that no clock has.
    let rounded = |us: f64| (us * 1e3).round() / 1e3;
    let Interval { value, low, high } = median_interval(&times, SEED);
    Interval { value: rounded(value), low: rounded(low), high: rounded(high) }
}

#[cfg(test)]
mod tests {
    use super::super::situation::Situation;
    use super::*;

    fn figures(name: &str, ending: Ending, pairs: usize) -> ContenderMetrics {
        ContenderMetrics {
            name: name.into(),
            ending,
            set_up: Some(Duration::from_micros(70)),
            times: Vec::new(),
            pairs,
            work: None,
            bytes: None,
            remark: None,
        }
    }

    #[test]
    fn a_sample_has_a_time_for_everybody() {
        let situation = Situation { n: 120, ..Situation::USUAL };
        let effort = Effort { warmup: 1, frames: 5, ..Effort::for_boxes(120) };
        let trace = AabbTrace::record(&mut situation.cloud(), effort.steps());
        let sample = measure(&trace, "some", &taking_part(120), true, &effort).unwrap();
        assert_eq!(sample.timings.len(), CANDIDATES.len());
        for timing in &sample.timings {
            assert!(timing.us.value > 0.0 && timing.us.holds(timing.us.value), "{timing:?}");
            assert_eq!((timing.frames, timing.over_budget), (5, false));
        }
        assert!(sample.auto_us.is_some_and(|us| us.value > 0.0));
        assert_eq!(sample.features.boxes, 120.0);
    }

    #[test]
    fn whoever_is_stopped_is_kept_with_what_it_took() {
        let situation = Situation { n: 500, ..Situation::USUAL };
        let trace = AabbTrace::record(&mut situation.cloud(), 20);
        let effort = Effort { warmup: 1, frames: 5, budget: Duration::from_nanos(1) };
        let sample = measure(&trace, "some", &[Method::Grid, Method::Sap], false, &effort).unwrap();
        assert!(
            sample.timings.iter().all(|timing| timing.over_budget && timing.us.value > 0.0),
            "{sample:?}"
        );
        assert_eq!(sample.ranked(), Vec::<&Timing>::new());
    }

    #[test]
    fn different_pairs_are_no_sample() {
        let some = [figures("a", Ending::Done, 7), figures("b", Ending::OverBudget { frames: 1 }, 3)];
        assert_eq!(same_pairs("s", &some).unwrap(), 7, "who was stopped ends elsewhere");
        let others = [figures("a", Ending::Done, 7), figures("b", Ending::Done, 8)];
        let error = same_pairs("s", &others).unwrap_err().to_string();
        assert_eq!(error, "s: a ends with 7 pairs, b with 8");
    }

    #[test]
    fn all_pairs_take_no_part_among_many() {
        assert!(taking_part(MOST_FOR_ALL_PAIRS).contains(&Method::Aabb));
        assert!(!taking_part(MOST_FOR_ALL_PAIRS + 1).contains(&Method::Aabb));
    }
}
