//! How a world computes, with defaults that suit metres, kilograms and seconds.

mod stored;

use carom_broadphase::{Choice, Method};
use carom_core::clock::Clock;
use carom_narrowphase::NarrowMethod;
use glam::Vec3;

use super::error::WorldError;

/// SIMD width: how many constraints the sweeps of the solver compute per instruction. The results
/// do not depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum SimdWidth {
    /// The widest that the machine runs well: 8 where it has AVX2, else 4.
    #[default]
    Auto,
    /// One: the scalar twin of the others.
    One,
    /// Four.
    Four,
    /// Eight; four on x86-64 without AVX2.
    Eight,
    /// Sixteen; four on x86-64 without AVX2.
    Sixteen,
}

/// Contact solvers by name.
///
/// ```
/// use carom_dynamics::SolverMethod;
/// let method: SolverMethod = "soft-step".parse()?;
/// assert_eq!(method, SolverMethod::default());
/// assert!("hard-step".parse::<SolverMethod>().is_err());
/// # Ok::<(), carom_dynamics::WorldError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum SolverMethod {
    /// Soft constraints in substeps, with a relaxing sweep after each.
    #[default]
    SoftStep,
}

impl SolverMethod {
    /// All solvers.
    pub const ALL: &'static [Self] = &[Self::SoftStep];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::SoftStep => "soft-step",
        }
    }
}

impl std::fmt::Display for SolverMethod {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl std::str::FromStr for SolverMethod {
    type Err = WorldError;

    fn from_str(name: &str) -> Result<Self, WorldError> {
        Self::ALL
            .iter()
            .copied()
            .find(|method| method.name() == name)
            .ok_or_else(|| WorldError::value("the world", "solver", name, "the solvers are: soft-step"))
    }
}

/// A world to be.
///
/// ```
/// use carom_dynamics::{World, WorldDef};
/// use glam::Vec3;
/// let moon = World::new(WorldDef::default().gravity(Vec3::new(0.0, -1.62, 0.0)));
/// assert_eq!(moon.settings().substeps, 4);
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct WorldDef {
    /// Acceleration of everything that falls, m/s².
    pub gravity: Vec3,
    /// Parts that a step is solved in: more are stiffer and more expensive.
    pub substeps: u32,
    /// Shapes closer than this make contact points before they touch, metres.
    pub speculative_distance: f32,
    /// Differences of depth that do not matter, metres.
    pub slop: f32,
    /// How fast overlaps are pushed apart, Hz; at most a quarter of the rate of substeps is used.
    pub contact_hertz: f32,
    /// Damping ratio of that push.
    pub contact_damping: f32,
    /// How fast errors of joints are corrected, Hz; at most a quarter of the rate of substeps is
    /// used.
    pub joint_hertz: f32,
    /// Damping ratio of that correction.
    pub joint_damping: f32,
    /// Fastest push out of an overlap, m/s.
    #[cfg_attr(feature = "serde", serde(with = "super::serial::unbounded"))]
    pub max_contact_push_speed: f32,
    /// Approach slower than this does not bounce, m/s.
    #[cfg_attr(feature = "serde", serde(with = "super::serial::unbounded"))]
    pub restitution_threshold: f32,
    /// Bodies that rest fall asleep.
    pub can_sleep: bool,
    /// Slower than this counts as rest, m/s.
    #[cfg_attr(feature = "serde", serde(with = "super::serial::unbounded"))]
    pub sleep_speed: f32,
    /// Seconds of rest before sleep.
    #[cfg_attr(feature = "serde", serde(with = "super::serial::unbounded"))]
    pub sleep_time: f32,
    /// Tells what happens ([`World::events`](crate::World::events)).
    pub events: bool,
    /// Touches that begin slower than this are no hits, m/s.
    #[cfg_attr(feature = "serde", serde(with = "super::serial::unbounded"))]
    pub hit_event_threshold: f32,
    /// The contact solver.
    #[cfg_attr(feature = "serde", serde(with = "super::serial::text"))]
    pub solver: SolverMethod,
    /// The broad phase.
    #[cfg_attr(feature = "serde", serde(with = "super::serial::text"))]
    pub broad: Choice,
    /// The narrow phase of pairs of convex shapes. Pairs that the method does not take, and meshes,
    /// are left to [`NarrowMethod::Auto`].
    #[cfg_attr(feature = "serde", serde(with = "super::serial::text"))]
    pub narrow: NarrowMethod,
    /// Width of the sweeps.
    pub simd_width: SimdWidth,
    /// Threads that work on a step, the calling one among them. The results do not depend on it.
    pub threads: usize,
    /// Most pairs of AABBs that may overlap. A step that would have more is refused: bodies that
    /// lie in one place have n(n − 1)/2 pairs, and memory for them would have no bound.
    pub max_pairs: usize,
    /// What the times of the stages are read from. The results do not depend on it.
    #[cfg_attr(feature = "serde", serde(skip, default = "Clock::system"))]
    pub clock: Clock,
}

impl Default for WorldDef {
    fn default() -> Self {
        Self {
            gravity: Vec3::new(0.0, -9.81, 0.0),
            substeps: 4,
            speculative_distance: 0.02,
            slop: 0.005,
            contact_hertz: 50.0,
            contact_damping: 3.0,
            joint_hertz: 60.0,
            joint_damping: 0.3,
            max_contact_push_speed: 3.0,
            restitution_threshold: 1.0,
            can_sleep: true,
            sleep_speed: 0.05,
            sleep_time: 0.5,
            events: true,
            hit_event_threshold: 1.0,
            solver: SolverMethod::SoftStep,
            // Boxes move now and then and rest in between: a tree that is kept beats methods that
            // start from scratch or that sort the moving from the resting.
            broad: Choice::from(Method::BvhRefit),
            simd_width: SimdWidth::Auto,
            narrow: NarrowMethod::Auto,
            threads: 1,
            max_pairs: MAX_PAIRS,
            clock: Clock::system(),
        }
    }
}

/// Most pairs by default: forty for each of a hundred thousand bodies.
const MAX_PAIRS: usize = 1 << 22;

/// Part of the slop that two flat shapes keep between them.
const FLAT_SKIN: f32 = 0.1;

impl WorldDef {
    /// Distance at which contacts hold two shapes without thickness, metres: where they touch, it
    /// would be up to rounding on which side of each other they are.
    pub(crate) fn flat_skin(&self) -> f32 {
        FLAT_SKIN * self.slop
    }

    /// With this gravity.
    #[must_use]
    pub fn gravity(mut self, gravity: Vec3) -> Self {
        self.gravity = gravity;
        self
    }

    /// With all distances and speeds among the settings so many times as large. The defaults suit
    /// bodies of a few centimetres to tens of metres; a world that counts in centimetres is
    /// `WorldDef::default().length_scale(100.0)`.
    ///
    /// Thin bodies have smaller tolerances than the world by themselves: stacks of boxes of
    /// a millimetre stand in a world of metres.
    ///
    /// ```
    /// use carom_dynamics::WorldDef;
    /// let in_centimetres = WorldDef::default().length_scale(100.0);
    /// assert_eq!(in_centimetres.slop, 0.5);
    /// ```
    #[must_use]
    pub fn length_scale(mut self, scale: f32) -> Self {
        for length in [
            &mut self.speculative_distance,
            &mut self.slop,
            &mut self.max_contact_push_speed,
            &mut self.restitution_threshold,
            &mut self.sleep_speed,
            &mut self.hit_event_threshold,
        ] {
            *length *= scale;
        }
        self
    }

    /// With so many substeps.
    #[must_use]
    pub fn substeps(mut self, substeps: u32) -> Self {
        self.substeps = substeps.max(1);
        self
    }

    /// Whether bodies fall asleep.
    #[must_use]
    pub fn can_sleep(mut self, can_sleep: bool) -> Self {
        self.can_sleep = can_sleep;
        self
    }

    /// Whether to tell what happens.
    #[must_use]
    pub fn events(mut self, events: bool) -> Self {
        self.events = events;
        self
    }

    /// With this contact solver.
    #[must_use]
    pub fn solver(mut self, solver: SolverMethod) -> Self {
        self.solver = solver;
        self
    }

    /// With this narrow phase.
    #[must_use]
    pub fn narrow(mut self, narrow: NarrowMethod) -> Self {
        self.narrow = narrow;
        self
    }

    /// With this broad phase.
    #[must_use]
    pub fn broad(mut self, broad: Choice) -> Self {
        self.broad = broad;
        self
    }

    /// With sweeps of this width.
    #[must_use]
    pub fn simd_width(mut self, width: SimdWidth) -> Self {
        self.simd_width = width;
        self
    }

    /// With so many threads.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads.max(1);
        self
    }

    /// With so many pairs of AABBs at most.
    #[must_use]
    pub fn max_pairs(mut self, pairs: usize) -> Self {
        self.max_pairs = pairs;
        self
    }

    /// With this clock.
    #[must_use]
    pub fn clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    /// Approach slower than this does not bounce.
    #[must_use]
    pub fn restitution_threshold(mut self, speed: f32) -> Self {
        self.restitution_threshold = speed;
        self
    }
}
