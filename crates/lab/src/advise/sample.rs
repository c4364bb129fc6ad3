//! Samples: what a scene is like, and what every method took for it.
//!
//! A file of samples is lines of JSON, one per scene, each written whole and at once: whatever ends
//! a survey, what was measured is kept, and the next run goes on behind it. A line that is cut off
//! is no sample; it is dropped and told.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use carom_broadphase::Method;
use carom_broadphase::auto::features::Features;
use serde::{Deserialize, Serialize};

use super::situation::Situation;
use crate::by_name;
use crate::stats::Interval;

/// Features in words that a file can hold; see [`Features`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Features")]
struct WrittenFeatures {
    boxes: f32,
    moving: f32,
    best_part: f32,
    worst_part: f32,
    crowding: f32,
    size_ratio: f32,
    motion: f32,
}

/// What a method took.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    /// The method.
    #[serde(with = "by_name")]
    pub method: Method,
    /// Microseconds per frame: median over the frames with its interval.
    pub us: Interval,
    /// Frames that count.
    pub frames: u64,
    /// Was it stopped for taking too long, so that the time is that of fewer frames, or of the
    /// first alone?
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub over_budget: bool,
}

/// A scene with all that was measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// The situation its boxes were made for, or nothing if it is another scene.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub situation: Option<Situation>,
    /// The scene in words.
    pub scene: String,
    /// What the model sees of it.
    #[serde(with = "WrittenFeatures")]
    pub features: Features,
    /// Pairs in the last frame; all methods found as many.
    pub pairs: usize,
    /// What each method took, in the order of the candidates.
    pub timings: Vec<Timing>,
    /// Microseconds per frame of `auto` itself, where it took part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auto_us: Option<Interval>,
}

impl Sample {
    /// What a method took.
    #[must_use]
    pub fn timing(&self, method: Method) -> Option<&Timing> {
        self.timings.iter().find(|timing| timing.method == method)
    }

    /// The methods that were done in time, fastest first.
    #[must_use]
    pub fn ranked(&self) -> Vec<&Timing> {
        let mut ranked: Vec<&Timing> = self.timings.iter().filter(|timing| !timing.over_budget).collect();
        ranked.sort_by(|a, b| a.us.value.total_cmp(&b.us.value));
        ranked
    }

    /// Time of a method over that of the best; infinite if it took no part or was not done in time.
    #[must_use]
    pub fn regret(&self, method: Method) -> f64 {
        let best = self.ranked().first().map(|timing| timing.us.value);
        let own = self.timing(method).filter(|timing| !timing.over_budget);
        match (own, best) {
            (Some(own), Some(best)) if best > 0.0 => own.us.value / best,
            _ => f64::INFINITY,
        }
    }
}

/// Samples of a file, and how many of its lines are none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Kept {
    /// The samples in their order.
    pub samples: Vec<Sample>,
    /// Lines that are no samples.
    pub spoilt: usize,
}

/// Reads samples; a file that is not there holds none.
///
/// # Errors
/// If the disk says no.
pub fn read(path: &Path) -> io::Result<Kept> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(parse(&text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Kept::default()),
        Err(error) => Err(error),
    }
}

/// The samples in a text.
#[must_use]
pub fn parse(text: &str) -> Kept {
    let mut kept = Kept::default();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        match serde_json::from_str(line) {
            Ok(sample) => kept.samples.push(sample),
            Err(_) => kept.spoilt += 1,
        }
    }
    kept
}

/// Adds a sample to a file.
///
/// # Errors
/// If the disk says no.
pub fn append(path: &Path, sample: &Sample) -> io::Result<()> {
    let mut line = serde_json::to_vec(sample)?;
    line.push(b'\n');
    // One that was cut off must not swallow the next.
    if fs::read(path).is_ok_and(|bytes| bytes.last().is_some_and(|last| *last != b'\n')) {
        line.insert(0, b'\n');
    }
    fs::OpenOptions::new().create(true).append(true).open(path)?.write_all(&line)
}

#[cfg(test)]
pub(super) mod made_up {
    use super::*;

    /// A sample in which methods took so many microseconds, each known within a tenth.
    pub(in crate::advise) fn sample(situation: Situation, us: &[(Method, f64)]) -> Sample {
        let timing = |&(method, us): &(Method, f64)| Timing {
            method,
            us: Interval { value: us, low: 0.95 * us, high: 1.05 * us },
            frames: 20,
            over_budget: false,
        };
        let features = Features {
            boxes: situation.n as f32,
            moving: situation.n as f32 * situation.share,
            best_part: 0.1,
            worst_part: 0.1,
            crowding: 1.0,
            size_ratio: situation.ratio,
            motion: situation.motion,
        };
        Sample {
            situation: Some(situation),
            scene: situation.to_string(),
            features,
            pairs: 3,
            timings: us.iter().map(timing).collect(),
            auto_us: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::made_up::sample;
    use super::*;

    #[test]
    fn samples_come_back_and_spoilt_lines_are_counted() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("samples.jsonl");
        assert_eq!(read(&path).unwrap(), Kept::default());
        let one = sample(Situation::USUAL, &[(Method::Aabb, 4.0), (Method::Bvh, 0.1 + 0.2)]);
        append(&path, &one).unwrap();
        fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(b"{\"scene\":\"cut of").unwrap();
        append(&path, &one).unwrap();
        let kept = read(&path).unwrap();
        assert_eq!((kept.samples, kept.spoilt), (vec![one.clone(), one], 1));
    }

    #[test]
    fn regret_is_the_time_over_that_of_the_best_in_time() {
        let mut one =
            sample(Situation::USUAL, &[(Method::Aabb, 4.0), (Method::Bvh, 2.0), (Method::Sap, 1.0)]);
        assert_eq!([Method::Aabb, Method::Sap].map(|method| one.regret(method)), [4.0, 1.0]);
        one.timings[2].over_budget = true;
        assert_eq!([Method::Aabb, Method::Bvh].map(|method| one.regret(method)), [2.0, 1.0]);
        assert_eq!([Method::Sap, Method::Grid].map(|method| one.regret(method)), [f64::INFINITY; 2]);
        one.timings.clear();
        assert_eq!(one.regret(Method::Aabb), f64::INFINITY);
    }
}
