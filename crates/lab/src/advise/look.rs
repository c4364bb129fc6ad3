//! What a trace is like: the features that `auto` would see, at the same intervals, averaged.

use carom_broadphase::auto::features::{Features, SAMPLE, motion};
use carom_broadphase::{BoxError, Table};
use carom_geometry::Aabb;

use super::aabb_trace::{AabbTrace, AnyAabbTrace};
use crate::pairs::Frames;

/// Frames between two looks.
pub const INTERVAL: usize = 8;

/// What was seen.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Seen {
    /// Means over the looks; [`Features::moving`] is the mean over the steps in which something
    /// moved.
    pub features: Features,
    /// Steps.
    pub steps: usize,
    /// Steps in which something moved.
    pub stirred: usize,
}

impl AnyAabbTrace {
    /// Looks at the whole trace.
    ///
    /// # Errors
    /// If a box is no good.
    pub fn look(&self) -> Result<Seen, BoxError> {
        match self {
            Self::Plane(trace) => look(trace),
            Self::Space(trace) => look(trace),
        }
    }
}

/// Looks at a whole trace.
///
/// # Errors
/// If a box is no good.
pub fn look<const D: usize>(trace: &AabbTrace<D>) -> Result<Seen, BoxError> {
    let mut player = trace.play();
    let (mut looks, mut moved_in_all, mut stirred) = (Vec::new(), 0, 0);
    for step in 1..=trace.steps() {
        let is_look = step % INTERVAL == 0 || step == trace.steps();
        let before: Vec<Aabb<D>> = if is_look { player.frame().boxes.to_vec() } else { Vec::new() };
        player.step();
        let frame = player.frame();
        let moved = frame.changes.moved.len() + frame.changes.inserted.len();
        moved_in_all += moved;
        stirred += usize::from(moved > 0);
        if is_look {
            let every = (frame.changes.moved.len() / SAMPLE).max(1);
            let movers = frame.changes.moved.iter().step_by(every).take(SAMPLE);
            let earlier: Vec<(u32, Aabb<D>)> = movers.map(|id| (*id, before[*id as usize])).collect();
            looks.push(features(frame.boxes, frame.filters, &earlier)?);
        }
    }
    if looks.is_empty() {
        looks.push(features(player.frame().boxes, player.frame().filters, &[])?);
    }
    let moving = if stirred > 0 { moved_in_all as f32 / stirred as f32 } else { 0.0 };
    Ok(Seen { features: Features { moving, ..mean(&looks) }, steps: trace.steps(), stirred })
}

fn features<const D: usize>(
    boxes: &[Aabb<D>],
    filters: &[carom_broadphase::Filter],
    earlier: &[(u32, Aabb<D>)],
) -> Result<Features, BoxError> {
    let filter = |at: usize| filters.get(at).copied().unwrap_or_default();
    let entries = boxes.iter().enumerate().map(|(at, aabb)| Some((*aabb, filter(at))));
    let table = Table::from_boxes(entries, &[])?;
    Ok(Features { motion: motion(&table, earlier).unwrap_or(0.0), ..Features::of(&table, 0) })
}

/// The mean of each number; of motion, over the looks that saw some.
fn mean(looks: &[Features]) -> Features {
    let over = |pick: fn(&Features) -> f32| {
        looks.iter().map(|look| f64::from(pick(look))).sum::<f64>() / looks.len().max(1) as f64
    };
    let moved: Vec<f64> = looks.iter().map(|look| f64::from(look.motion)).filter(|m| *m > 0.0).collect();
    Features {
        boxes: over(|look| look.boxes) as f32,
        moving: over(|look| look.moving) as f32,
        best_part: over(|look| look.best_part) as f32,
        worst_part: over(|look| look.worst_part) as f32,
        crowding: over(|look| look.crowding) as f32,
        size_ratio: over(|look| look.size_ratio) as f32,
        motion: (moved.iter().sum::<f64>() / moved.len().max(1) as f64) as f32,
    }
}

#[cfg(test)]
mod tests {
    use super::super::situation::Situation;
    use super::*;
    use crate::pairs::frames::of_swarm;

    #[test]
    fn a_situation_is_seen_as_it_was_made() {
        let made = Situation { n: 2000, density: 0.05, motion: 0.2, ratio: 1.0, share: 0.1 };
        let seen = look(&AabbTrace::record(&mut made.cloud(), 20)).unwrap();
        let Features { boxes, moving, motion, size_ratio, crowding, .. } = seen.features;
        assert_eq!((boxes, moving, seen.steps, seen.stirred), (2000.0, 200.0, 20, 20));
        // The farthest of three axes has about 0.8 of the way in a random direction.
        assert!((0.12..0.2).contains(&motion), "{motion}");
        assert!((1.0..1.2).contains(&size_ratio), "{size_ratio}");
        // Two cubes overlap if their centres are within an edge on all axes: eight times the
        // density.
        assert!((0.3..0.55).contains(&crowding), "{crowding}");
    }

    #[test]
    fn rest_and_emptiness_are_seen() {
        let still = AnyAabbTrace::record(of_swarm("at-rest:10").unwrap(), 9).look().unwrap();
        assert_eq!((still.stirred, still.features.moving, still.features.motion), (0, 0.0, 0.0));
        let single = AnyAabbTrace::record(of_swarm("brownian:1").unwrap(), 0).look().unwrap();
        assert_eq!((single.steps, single.features.boxes), (0, 1.0));
    }
}
