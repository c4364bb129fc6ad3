//! Random two-dimensional scenes from a seed.
//!
//! All objects have the same area, so that together they cover a wanted share of the frame; shape,
//! rotation, position, direction and speed are drawn for each. The random numbers are drawn in that
//! order and only from [`Random`], and the arithmetic is the same on every platform: a seed means
//! one scene for ever.
//!
//! Where the study is silent: all distributions are uniform; objects may overlap; an object is
//! placed so that its bounding rectangle lies inside the frame, and centred along an axis on which
//! it is too large for that.

use std::f64::consts::TAU;

use carom_core::random::Random;
use carom_core::trig::sin_cos_f64;

use crate::polygon::{Polygon, Rectangle, ShapeName, unit_shape};
use crate::scene::{MAX_OBJECTS, PlanarObject, PlanarScene, PlanarSceneError};

/// What the speed of an object is proportional to. Both appear in the study; the first is its main
/// text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SpeedRange {
    /// From `low` to `high` times the shorter side of the bounding rectangle, per second.
    OfShorterSide {
        /// Lowest factor.
        low: f64,
        /// Highest factor.
        high: f64,
    },
    /// From `low` to `high` times the factor by which the unit shape was scaled, per second.
    OfScale {
        /// Lowest factor.
        low: f64,
        /// Highest factor.
        high: f64,
    },
}

impl SpeedRange {
    /// The range of the study's annex.
    pub const ANNEX: Self = Self::OfScale { low: 0.5, high: 3.5 };

    fn factors(self) -> (f64, f64) {
        match self {
            Self::OfShorterSide { low, high } | Self::OfScale { low, high } => (low, high),
        }
    }
}

impl Default for SpeedRange {
    fn default() -> Self {
        Self::OfShorterSide { low: 0.3, high: 3.5 }
    }
}

/// Why a scene could not be generated.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GenerateError {
    /// More objects than any scene may have.
    #[error("{count} objects, more than the limit of {MAX_OBJECTS}")]
    TooManyObjects {
        /// How many were asked for.
        count: usize,
    },
    /// A share of the frame that is not positive and finite.
    #[error("occupancy {0} must be a positive number; 0.05 covers five per cent of the frame")]
    Occupancy(f64),
    /// A range that is upside down, negative or not finite.
    #[error("speeds from {low} to {high} times the size")]
    Speed {
        /// Lowest factor.
        low: f64,
        /// Highest factor.
        high: f64,
    },
    /// The frame, the duration or the frame rate is impossible.
    #[error(transparent)]
    Scene(#[from] PlanarSceneError),
}

/// Parameters of a random scene.
#[derive(Clone, Debug, PartialEq)]
pub struct RandomScene {
    /// Number of objects.
    pub count: usize,
    /// Sum of the objects' areas as a share of the frame's, e.g. 0.05.
    pub occupancy: f64,
    /// Seed.
    pub seed: u64,
    /// Range of speeds.
    pub speed: SpeedRange,
    /// Lowest and highest x, then lowest and highest y.
    pub frame: [[f64; 2]; 2],
    /// Samples per second.
    pub frames_per_second: u32,
    /// Length of the simulated time, seconds.
    pub duration: f64,
}

impl Default for RandomScene {
    /// The study's benchmark: one second at 1000 samples. It does not tell the size of its frame.
    fn default() -> Self {
        Self {
            count: 100,
            occupancy: 0.05,
            seed: 1,
            speed: SpeedRange::default(),
            frame: [[-10.0, 10.0], [-10.0, 10.0]],
            frames_per_second: 1000,
            duration: 1.0,
        }
    }
}

impl RandomScene {
    /// Draws the scene.
    ///
    /// # Errors
    /// If a parameter is out of range.
    pub fn build(&self, name: &str) -> Result<PlanarScene, GenerateError> {
        self.check()?;
        let mut scene = PlanarScene {
            name: name.to_owned(),
            frame: self.frame,
            time: [0.0, self.duration],
            frames_per_second: self.frames_per_second,
            objects: Vec::new(),
        };
        let area = self.occupancy * scene.scene_area() / self.count.max(1) as f64;
        let mut random = Random::new(self.seed);
        scene.objects.extend((0..self.count).filter_map(|_| self.object(area, &mut random)));
        let problems = scene.validate();
        if problems.is_empty() { Ok(scene) } else { Err(PlanarSceneError { problems }.into()) }
    }

    fn check(&self) -> Result<(), GenerateError> {
        if self.count > MAX_OBJECTS {
            return Err(GenerateError::TooManyObjects { count: self.count });
        }
        if !(self.occupancy > 0.0 && self.occupancy.is_finite()) {
            return Err(GenerateError::Occupancy(self.occupancy));
        }
        let (low, high) = self.speed.factors();
        if !(0.0 <= low && low <= high && high.is_finite()) {
            return Err(GenerateError::Speed { low, high });
        }
        Ok(())
    }

    /// One object of a given area. None only if the area is not finite, which the frame's check
    /// reports.
    fn object(&self, area: f64, random: &mut Random) -> Option<PlanarObject> {
        let name = ShapeName::ALL[random.below(ShapeName::ALL.len() as u64) as usize];
        let unit = unit_shape(name).rotated(random.range_f64(0.0, TAU));
        let factor = unit.scale_for_area(area)?;
        let shape = unit.scaled(factor);
        let bounds = shape.aabb()?;
        let translation = [0, 1].map(|axis| self.translation(&bounds, axis, random));
        let Polygon { vertices } = shape.translated(translation);
        let (sine, cosine) = sin_cos_f64(random.range_f64(0.0, TAU));
        let (low, high) = self.speed.factors();
        let size = match self.speed {
            SpeedRange::OfShorterSide { .. } => bounds.width().min(bounds.height()),
            SpeedRange::OfScale { .. } => factor,
        };
        let speed = size * random.range_f64(low, high);
        Some(PlanarObject { velocity: [speed * cosine, speed * sine], vertices })
    }

    /// How far to move a shape along one axis so that it lies at a random position inside the
    /// frame.
    fn translation(&self, bounds: &Rectangle, axis: usize, random: &mut Random) -> f64 {
        let [low, high] = self.frame[axis];
        let (first, last) = (low - bounds.min[axis], high - bounds.max[axis]);
        // Drawn in any case: the numbers that follow must not depend on whether the shape fits.
        let share = random.unit_f64();
        if first <= last { first + (last - first) * share } else { (first + last) / 2.0 }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::vector::distance;

    #[test]
    fn impossible_parameters_are_refused() {
        let base = RandomScene::default;
        let refusal = |scene: RandomScene| scene.build("x").unwrap_err().to_string();
        assert!(refusal(RandomScene { count: usize::MAX, ..base() }).contains("more than the limit"));
        for occupancy in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(refusal(RandomScene { occupancy, ..base() }).contains("must be a positive number"));
        }
        let speed = SpeedRange::OfScale { low: 2.0, high: 1.0 };
        assert_eq!(refusal(RandomScene { speed, ..base() }), "speeds from 2 to 1 times the size");
        assert!(refusal(RandomScene { duration: -1.0, ..base() }).contains("the time runs"));
        assert!(refusal(RandomScene { frames_per_second: 0, ..base() }).contains("frames per second"));
        assert!(refusal(RandomScene { frame: [[0.0, f64::NAN]; 2], ..base() }).contains("the frame runs"));
        assert!(RandomScene { count: 0, ..base() }.build("x").unwrap().objects.is_empty());
    }

    #[test]
    fn directions_are_spread_evenly() {
        let scene = RandomScene { count: 4000, ..RandomScene::default() }.build("x").unwrap();
        let mut quadrants = [0_i32; 4];
        for object in &scene.objects {
            let [x, y] = object.velocity;
            quadrants[usize::from(x < 0.0) + 2 * usize::from(y < 0.0)] += 1;
        }
        assert!(quadrants.iter().all(|&q| (q - 1000).abs() < 120), "{quadrants:?}");
    }

    #[test]
    fn an_object_larger_than_the_frame_is_centred() {
        let large = RandomScene { count: 1, occupancy: 9.0, ..RandomScene::default() };
        let scene = large.build("x").unwrap();
        let bounds = scene.objects[0].aabb_at(0.0).unwrap();
        assert!((bounds.min[0] + bounds.max[0]).abs() < 1e-9 && bounds.width() > 20.0);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn areas_positions_and_speeds_keep_their_bounds(
            count in 1..200_usize,
            occupancy in 0.001..0.2_f64,
            seed: u64,
            uses_annex: bool,
            width in 1.0..1000.0_f64,
        ) {
            let speed = if uses_annex { SpeedRange::ANNEX } else { SpeedRange::default() };
            let frame = [[-3.0, width - 3.0], [5.0, 25.0]];
            let parameters = RandomScene { count, occupancy, seed, speed, frame, ..RandomScene::default() };
            let scene = parameters.build("x").unwrap();
            prop_assert_eq!(scene.objects.len(), count);
            prop_assert!((scene.density() / occupancy - 1.0).abs() < 1e-9);
            let share = occupancy * scene.scene_area() / count as f64;
            for object in &scene.objects {
                prop_assert!((object.area() / share - 1.0).abs() < 1e-9);
                let bounds = object.aabb_at(0.0).unwrap();
                for (axis, [low, high]) in frame.into_iter().enumerate() {
                    let fits = bounds.max[axis] - bounds.min[axis] <= high - low;
                    let is_inside = low - 1e-9 <= bounds.min[axis] && bounds.max[axis] <= high + 1e-9;
                    prop_assert!(is_inside || !fits);
                }
                if !uses_annex {
                    let ratio = distance(object.velocity, [0.0; 2]) / bounds.width().min(bounds.height());
                    prop_assert!((0.3 - 1e-9..=3.5 + 1e-9).contains(&ratio), "{}", ratio);
                }
            }
            prop_assert_eq!(parameters.build("x").unwrap(), scene);
        }
    }
}
