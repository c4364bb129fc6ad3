//! The same frames for all: who is how fast?
//!
//! All contenders stand side by side and get every frame in turn, in reversed order every other
//! frame, so that a slow moment of the machine hits them alike. What is timed is what a user waits
//! for: handing over the changes, and the update. The first boxes with the first update are the
//! set-up, shown apart; warm-up frames count for nothing but the budget.
//!
//! Nobody is left out in silence. A contender that has used up its budget stops, and its figures
//! say so. An update cannot be interrupted, so a contender is tried on growing parts of the boxes
//! first; if the whole will by this trend take longer than the budget, it does not begin.

use std::time::{Duration, Instant};

use carom_broadphase::{BoxError, Counters};
use carom_geometry::Aabb;
use carom_scene::swarm::Changes;

use super::check::{Difference, described, difference};
use super::contender::Contender;
use super::entrant::{Entrant, EntrantError};
use super::frames::{Frame, Frames};
use super::oracle;
use carom_sim::Spread;

/// Boxes of the first trial. A trend needs two trials, and the whole is larger than both.
const TRIAL: usize = 4096;
/// How much larger the next trial is.
const TRIAL_GROWTH: usize = 4;

/// The terms of a contest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Terms {
    /// Frames that count.
    pub frames: u64,
    /// Frames before them.
    pub warmup: u64,
    /// Threads of each method that can use several.
    pub threads: usize,
    /// Compare the pairs of every frame with the oracle?
    pub verify: bool,
    /// Time each contender may use in all.
    pub budget: Duration,
}

/// How a contender ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ending {
    /// All frames done.
    Done,
    /// The budget was used up after so many frames that count.
    OverBudget {
        /// Frames that count.
        frames: u64,
    },
    /// It did not begin: trials of growing size let expect that one frame takes longer than the
    /// budget.
    Hopeless {
        /// What the set-up and one frame would take.
        expected: Duration,
    },
}

/// ContenderMetrics of a contender.
#[derive(Clone, Debug, PartialEq)]
pub struct ContenderMetrics {
    /// Its name.
    pub name: String,
    /// How it ended.
    pub ending: Ending,
    /// First boxes and first update.
    pub set_up: Option<Duration>,
    /// Time of each frame that counts.
    pub times: Vec<Duration>,
    /// Pairs of the last frame.
    pub pairs: usize,
    /// Work in all frames that count, where it is counted.
    pub work: Option<Counters>,
    /// Bytes held at the end, where they are counted.
    pub bytes: Option<usize>,
    /// What it says about itself.
    pub remark: Option<String>,
}

impl ContenderMetrics {
    /// Milliseconds per frame.
    #[must_use]
    pub fn ms(&self) -> Spread {
        Spread::of(&self.times)
    }

    /// Shortest frame, milliseconds.
    #[must_use]
    pub fn least_ms(&self) -> f64 {
        self.times.iter().min().map_or(0.0, |time| time.as_secs_f64() * 1000.0)
    }
}

/// Outcome of a contest.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Number of boxes.
    pub boxes: usize,
    /// Frames gone through, the first one and the warm-up included.
    pub frames: u64,
    /// Each contender's figures, in the order they were named.
    pub figures: Vec<ContenderMetrics>,
    /// The first pair that was wrong; the contest ends with it.
    pub difference: Option<Difference>,
}

/// Why there was no contest.
#[derive(Debug, thiserror::Error)]
pub enum ContestError {
    /// A contender cannot take part.
    #[error(transparent)]
    Entrant(#[from] EntrantError),
    /// A box that no space takes.
    #[error("{name}: {error}")]
    Box {
        /// Who refused it.
        name: String,
        /// Why.
        error: BoxError,
    },
}

struct Lane<const D: usize> {
    figures: ContenderMetrics,
    contender: Option<Box<dyn Contender<D>>>,
    spent: Duration,
    /// Work before the first frame that counts.
    before: Option<Counters>,
}

/// Runs a contest; `observe` is called after every frame.
///
/// # Errors
/// If an entrant cannot take part or refuses a box.
pub fn contest<const D: usize>(
    frames: &mut dyn Frames<D>,
    entrants: &[Entrant],
    terms: &Terms,
    mut observe: impl FnMut(),
) -> Result<Report, ContestError> {
    // The second frame is needed for the trials, so the first is kept.
    let first: Vec<Aabb<D>> = frames.frame().boxes.to_vec();
    let bounds = frames.frame().bounds.to_vec();
    let filters = frames.frame().filters.to_vec();
    let nothing = Changes::default();
    let start = Frame { boxes: &first, changes: &nothing, filters: &filters, bounds: &bounds };
    frames.step();
    let mut lanes = Vec::new();
    for entrant in entrants {
        lanes.push(Lane::new(entrant, &start, &frames.frame(), terms)?);
    }
    let mut report = Report { boxes: first.len(), frames: 0, figures: Vec::new(), difference: None };
    for lane in &mut lanes {
        lane.timed(terms, false, |contender| contender.start(&start))?;
        lane.figures.set_up = lane.figures.set_up.or(lane.contender.as_ref().map(|_| lane.spent));
    }
    if terms.verify {
        report.difference = verified(&mut lanes, 0, &start);
    }
    report.frames = 1;
    observe();
    for number in 1..=terms.warmup + terms.frames {
        if report.difference.is_some() || lanes.iter().all(|lane| lane.contender.is_none()) {
            break;
        }
        if number > 1 {
            frames.step();
        }
        let frame = frames.frame();
        let counts = number > terms.warmup;
        for at in 0..lanes.len() {
            let at = if number % 2 == 0 { lanes.len() - 1 - at } else { at };
            lanes[at].timed(terms, counts, |contender| contender.follow(&frame))?;
        }
        if terms.verify {
            report.difference = verified(&mut lanes, number, &frame);
        }
        report.frames += 1;
        observe();
    }
    report.figures = lanes.into_iter().map(Lane::finish).collect();
    Ok(report)
}

/// Compares the pairs of all contenders with the oracle.
fn verified<const D: usize>(lanes: &mut [Lane<D>], number: u64, frame: &Frame<'_, D>) -> Option<Difference> {
    let exact = oracle::pairs(frame);
    lanes.iter_mut().find_map(|lane| {
        let contender = lane.contender.as_mut()?;
        let found = contender.pairs(frame);
        let wrong = difference(frame, &exact, &contender.promise(), &found)?;
        Some(described(&lane.figures.name, number, frame, wrong))
    })
}

impl<const D: usize> Lane<D> {
    fn new(
        entrant: &Entrant,
        start: &Frame<'_, D>,
        second: &Frame<'_, D>,
        terms: &Terms,
    ) -> Result<Self, ContestError> {
        let name = entrant.to_string();
        let expected = expected_time(entrant, start, second, terms)?;
        let hopeless = expected.filter(|time| *time > terms.budget);
        let contender = if hopeless.is_some() { None } else { Some(entrant.contender(terms.threads)?) };
        let figures = ContenderMetrics {
            name,
            ending: hopeless.map_or(Ending::Done, |expected| Ending::Hopeless { expected }),
            set_up: None,
            times: Vec::new(),
            pairs: 0,
            work: None,
            bytes: None,
            remark: None,
        };
        Ok(Self { figures, contender, spent: Duration::ZERO, before: None })
    }

    /// Lets the contender work on a frame, if it is still there.
    fn timed(
        &mut self,
        terms: &Terms,
        counts: bool,
        take: impl FnOnce(&mut dyn Contender<D>) -> Result<(), BoxError>,
    ) -> Result<(), ContestError> {
        let Some(contender) = &mut self.contender else { return Ok(()) };
        if counts && self.before.is_none() {
            self.before = contender.work();
        }
        let clock = Instant::now();
        let taken = take(&mut **contender);
        contender.update();
        let time = clock.elapsed();
        taken.map_err(|error| ContestError::Box { name: self.figures.name.clone(), error })?;
        self.spent += time;
        if counts {
            self.figures.times.push(time);
        }
        if self.spent > terms.budget && (self.figures.times.len() as u64) < terms.frames {
            self.figures.set_up = self.figures.set_up.or(Some(time));
            self.figures.ending = Ending::OverBudget { frames: self.figures.times.len() as u64 };
            self.retire();
        }
        Ok(())
    }

    /// Takes the last figures; the memory is free for the others.
    fn retire(&mut self) {
        let Some(contender) = self.contender.take() else { return };
        self.figures.pairs = contender.pair_count();
        self.figures.work = contender.work().map(|work| since(&self.before.unwrap_or(work), &work));
        self.figures.bytes = contender.bytes();
        self.figures.remark = contender.remark();
    }

    fn finish(mut self) -> ContenderMetrics {
        self.retire();
        self.figures
    }
}

fn since(before: &Counters, now: &Counters) -> Counters {
    Counters {
        box_tests: now.box_tests - before.box_tests,
        node_visits: now.node_visits - before.node_visits,
        cells: now.cells - before.cells,
        swaps: now.swaps - before.swaps,
        pair_changes: now.pair_changes - before.pair_changes,
    }
}

/// What set-up and one frame will take, from trials with parts of the boxes; `None` if there are
/// too few for trials.
fn expected_time<const D: usize>(
    entrant: &Entrant,
    start: &Frame<'_, D>,
    second: &Frame<'_, D>,
    terms: &Terms,
) -> Result<Option<Duration>, ContestError> {
    let n = start.boxes.len();
    if n < TRIAL * TRIAL_GROWTH * TRIAL_GROWTH {
        return Ok(None);
    }
    let mut size = TRIAL;
    let mut last: Option<(usize, f64)> = None;
    let mut expected = None;
    while size * TRIAL_GROWTH <= n {
        let time = trial(entrant, start, second, size, terms)?.as_secs_f64();
        if let Some((before, earlier)) = last {
            // The trend goes on by the same power; a power below 1 is noise.
            let factor = (time / earlier.max(1e-9)).max((size / before) as f64);
            let power = factor.ln() / ((size / before) as f64).ln();
            let whole = time * (n as f64 / size as f64).powf(power.min(3.0));
            expected = Some(Duration::try_from_secs_f64(whole).unwrap_or(Duration::MAX));
        }
        if expected.is_some_and(|time| time > terms.budget) {
            break;
        }
        last = Some((size, time));
        size *= TRIAL_GROWTH;
    }
    Ok(expected)
}

fn trial<const D: usize>(
    entrant: &Entrant,
    start: &Frame<'_, D>,
    second: &Frame<'_, D>,
    size: usize,
    terms: &Terms,
) -> Result<Duration, ContestError> {
    let part = |frame: &Frame<'_, D>| frame.boxes[..size].to_vec();
    let (boxes, moved) = (part(start), part(second));
    let some = |ids: &[u32]| ids.iter().copied().filter(|id| (*id as usize) < size).collect();
    // Whatever was replaced has moved, as far as the trial goes.
    let mut changes = Changes { moved: some(&second.changes.moved), ..Changes::default() };
    changes.moved.extend(second.changes.inserted.iter().filter(|id| (**id as usize) < size));
    let filters = start.filters.get(..size).unwrap_or_default();
    let bounds = start.bounds.get(..size).unwrap_or_default();
    let nothing = Changes::default();
    let before = Frame { boxes: &boxes, changes: &nothing, filters, bounds };
    let after = Frame { boxes: &moved, changes: &changes, filters, bounds };
    let mut contender = entrant.contender::<D>(terms.threads)?;
    let refused = |error| ContestError::Box { name: entrant.to_string(), error };
    let clock = Instant::now();
    contender.start(&before).map_err(refused)?;
    contender.update();
    contender.follow(&after).map_err(refused)?;
    contender.update();
    Ok(clock.elapsed())
}
