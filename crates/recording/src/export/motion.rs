//! The motion of each body in one piece, as animations want it, gathered from frames.

use super::{ExportError, rotation_of, strided};
use crate::track::Recording;

/// How a body moves.
#[derive(Clone, Debug, Default)]
pub(super) struct Motion {
    /// Moments in which it is there, as places in [`Motions::times`].
    pub(super) moments: Vec<u32>,
    /// Its positions then.
    pub(super) positions: Vec<[f32; 3]>,
    /// Its rotations then, unit quaternions, each the nearer of the two to the one before.
    pub(super) rotations: Vec<[f32; 4]>,
}

/// All bodies of a recording.
#[derive(Debug, Default)]
pub(super) struct Motions {
    /// Seconds from the first moment, ascending.
    pub(super) times: Vec<f32>,
    /// By number of the body.
    pub(super) bodies: Vec<Motion>,
}

impl Motions {
    /// Gathers every `stride`-th frame. A pose that is not finite counts as not there.
    pub(super) fn gather(recording: &mut Recording, stride: u64) -> Result<Self, ExportError> {
        let mut motions =
            Self { times: Vec::new(), bodies: vec![Motion::default(); recording.names().len()] };
        let mut start = None;
        for (moment, number) in (0..).zip(strided(recording.frames(), stride)) {
            let frame = recording.frame(number)?;
            let start = *start.get_or_insert(frame.stamp().time);
            motions.times.push((frame.stamp().time - start) as f32);
            for (place, body) in frame.bodies().iter().enumerate() {
                let position = frame.position(place).to_double().map(|x| x as f32);
                let Some(motion) = motions.bodies.get_mut(*body as usize) else { continue };
                if position.iter().all(|x| x.is_finite()) {
                    motion.add(moment, position, rotation_of(frame.rotation(place)).to_xyzw());
                }
            }
        }
        motions.mend_times(recording.header().steps_per_second, stride);
        Ok(motions)
    }

    /// Times that do not ascend are of no use to an animation; the steps per second then say how
    /// far apart frames are.
    fn mend_times(&mut self, steps_per_second: u32, stride: u64) {
        if !self.times.windows(2).all(|pair| pair[0] < pair[1]) {
            let step = stride.max(1) as f32 / steps_per_second.max(1) as f32;
            (0u32..).zip(&mut self.times).for_each(|(k, time)| *time = k as f32 * step);
        }
    }
}

impl Motion {
    fn add(&mut self, moment: u32, position: [f32; 3], rotation: [f32; 4]) {
        let nearer = match self.rotations.last() {
            Some(last) if last.iter().zip(rotation).map(|(a, b)| a * b).sum::<f32>() < 0.0 => {
                rotation.map(|x| -x)
            }
            _ => rotation,
        };
        self.moments.push(moment);
        self.positions.push(position);
        self.rotations.push(nearer);
    }

    /// Where the body comes and where it goes: pairs of a moment and whether it is there from then
    /// on.
    pub(super) fn presence(&self, moments: usize) -> Vec<(u32, bool)> {
        let mut changes = Vec::new();
        let mut next = 0;
        for moment in &self.moments {
            if *moment > next || changes.is_empty() {
                if *moment > next {
                    changes.push((next, false));
                }
                changes.push((*moment, true));
            }
            next = moment + 1;
        }
        if (next as usize) < moments {
            changes.push((next, false));
        }
        changes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn presence(moments: &[u32], of: usize) -> Vec<(u32, bool)> {
        Motion { moments: moments.to_vec(), ..Motion::default() }.presence(of)
    }

    #[test]
    fn presence_says_when_a_body_comes_and_goes() {
        assert_eq!(presence(&[0, 1, 2], 3), [(0, true)]);
        assert_eq!(presence(&[], 3), [(0, false)]);
        assert_eq!(presence(&[1, 2, 5], 7), [(0, false), (1, true), (3, false), (5, true), (6, false)]);
        assert_eq!(presence(&[0, 1], 3), [(0, true), (2, false)]);
    }

    #[test]
    fn a_rotation_is_the_nearer_of_its_two_quaternions() {
        let mut motion = Motion::default();
        motion.add(0, [0.0; 3], [0.0, 0.0, 0.0, 1.0]);
        motion.add(1, [0.0; 3], [0.0, -0.1, 0.0, -0.99]);
        assert_eq!(motion.rotations[1], [-0.0, 0.1, -0.0, 0.99]);
    }

    #[test]
    fn times_ascend_whatever_the_recording_says() {
        let mut motions = Motions { times: vec![0.0, 0.0, f32::NAN], bodies: Vec::new() };
        motions.mend_times(10, 2);
        assert_eq!(motions.times, [0.0, 0.2, 0.4]);
    }
}
