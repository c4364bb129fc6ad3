//! V-Clip one state at a time, for watching and testing.

use carom_geometry::polytope::Feature;
use carom_geometry::{Polytope, Pose, Real, Vector};

use crate::vclip::bodies::Bodies;
use crate::vclip::step::{answer, feature_gap, visit};
use crate::vclip::{Perimeter, VClipAnswer, VClipState, VClipTermination, Witness};

/// V-Clip step by step.
///
/// ```
/// use carom_geometry::{Polytope, Pose};
/// use carom_narrowphase::alternatives::vclip::Stepper;
/// use carom_narrowphase::vclip::Witness;
/// use glam::Vec3;
/// let cube = Polytope::<f32>::cube(1.0)?;
/// let pose = Pose::at(Vec3::new(3.0, 0.5, 0.0));
/// let mut stepper = Stepper::new(&cube, &cube, &pose, Witness::default());
/// while stepper.iterate().is_none() {
///     println!("{} at {}", stepper.state(), stepper.distance());
/// }
/// assert_eq!(stepper.distance(), 1.0);
/// # Ok::<(), carom_geometry::polytope::GenerateError>(())
/// ```
pub struct Stepper<'p, S: Real = f32> {
    bodies: Bodies<'p, S>,
    pair: [Feature; 2],
    /// How borders of faces are searched.
    pub perimeter: Perimeter,
    steps: u32,
    answer: Option<VClipAnswer<S>>,
}

impl<'p, S: Real> Stepper<'p, S> {
    /// At the seed.
    #[must_use]
    pub fn new(a: &'p Polytope<S>, b: &'p Polytope<S>, pose: &Pose<S>, seed: Witness) -> Self {
        let bodies = Bodies::new(a, b, pose);
        let pair = bodies.valid(seed);
        Self { bodies, pair, perimeter: Perimeter::default(), steps: 0, answer: None }
    }

    /// The features now.
    #[must_use]
    pub fn features(&self) -> [Feature; 2] {
        self.pair
    }

    /// Their kinds.
    #[must_use]
    pub fn state(&self) -> VClipState {
        VClipState::of(self.pair)
    }

    /// Distance of the features now, as closed sets.
    #[must_use]
    pub fn distance(&self) -> S {
        let [a, b] = feature_gap(&self.bodies, &self.pair);
        (b - a).length()
    }

    /// The closest points of the features now, in the frame of the first polytope.
    #[must_use]
    pub fn points(&self) -> [S::Vec3; 2] {
        feature_gap(&self.bodies, &self.pair)
    }

    /// Visits one state: the answer if it is the last one, again and again when called again.
    pub fn iterate(&mut self) -> Option<VClipAnswer<S>> {
        if self.answer.is_none() {
            self.steps += 1;
            let found = visit(&self.bodies, &mut self.pair, self.perimeter);
            self.answer = found.map(|found| answer(&found, self.pair, self.steps, VClipTermination::Settled));
        }
        self.answer
    }

    /// Visits one state and checks what the paper promises: a feature of lower dimension leaves the
    /// distance as it is, one of higher dimension lowers it. Escapes from behind a face promise
    /// nothing.
    ///
    /// # Errors
    ///
    /// The step, if it breaks the promise by more than `slack`.
    pub fn iterate_checked(&mut self, slack: S) -> Result<Option<VClipAnswer<S>>, BrokenPromise> {
        let (before, distance) = (self.pair, self.distance());
        let answer = self.iterate();
        let dimension = |pair: [Feature; 2]| {
            pair.iter().fold(0, |sum, f| {
                sum + match f {
                    Feature::Vertex(_) => 0,
                    Feature::Edge(_) => 1,
                    Feature::Face(_) => 2,
                }
            })
        };
        let now = self.distance();
        let is_kept = match dimension(self.pair) - dimension(before) {
            change if change < 0 => (now - distance).abs() <= slack,
            0 => true,
            _ => now <= distance + slack,
        };
        if is_kept {
            return Ok(answer);
        }
        Err(BrokenPromise { before, after: self.pair, distances: [distance.to_f64(), now.to_f64()] })
    }
}

carom_core::error_type! {
    /// A step that changed the distance the wrong way.
    #[error("the step from {before:?} to {after:?} changed the distance from {} to {}", distances[0], distances[1])]
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct BrokenPromise {
        /// The features before.
        pub before: [Feature; 2],
        /// The features after.
        pub after: [Feature; 2],
        /// Distances before and after.
        pub distances: [f64; 2],
    }
}
