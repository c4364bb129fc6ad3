//! Constraints as damped springs, stable at any stiffness.
//!
//! A soft constraint corrects its error as an implicitly integrated spring and damper would. Three
//! numbers say all, for a frequency, a damping ratio and a step (E. Catto, *Soft Constraints*, GDC
//! 2011, and *Solver2D*, 2024).

/// How softly a constraint is solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Softness {
    /// Speed of correction per error, 1/s.
    pub(crate) bias_rate: f32,
    /// Share of the full impulse that is applied.
    pub(crate) mass_scale: f32,
    /// Share of the impulse so far that is taken back.
    pub(crate) impulse_scale: f32,
}

/// Largest yielding: what yields more moves nothing, and this times any mass is finite.
const SOFTEST: f32 = 1e20;

impl Softness {
    /// Reaches the velocity that is wanted, and corrects no error.
    pub(crate) const STIFF: Self = Self { bias_rate: 0.0, mass_scale: 1.0, impulse_scale: 0.0 };

    /// Of a stiffness and a damping by Hooke's law, whatever the masses, and of a step in seconds.
    /// How much such a constraint yields depends on the effective mass `m` of its row, which is
    /// known in a substep only: with the yielding `γ` that comes second, the shares are `1 / (1 +
    /// γm)` and `γm / (1 + γm)`.
    pub(crate) fn hooke(stiffness: f32, damping: f32, h: f32) -> (Self, f32) {
        let sum = damping + h * stiffness;
        // Without any strength it moves nothing.
        let bias_rate = if sum > 0.0 { stiffness / sum } else { 0.0 };
        let yielding = 1.0 / (h * sum);
        (Self { bias_rate, ..Self::STIFF }, if yielding < SOFTEST { yielding } else { SOFTEST })
    }

    /// Of a frequency in Hz (0 is no correction), a damping ratio and a step in seconds.
    pub(crate) fn new(hertz: f32, damping_ratio: f32, h: f32) -> Self {
        if hertz == 0.0 {
            return Self { bias_rate: 0.0, mass_scale: 1.0, impulse_scale: 0.0 };
        }
        let omega = std::f32::consts::TAU * hertz;
        let a1 = 2.0 * damping_ratio + h * omega;
        let a2 = h * omega * a1;
        let a3 = 1.0 / (1.0 + a2);
        Self { bias_rate: omega / a1, mass_scale: a2 * a3, impulse_scale: a3 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stiff_springs_are_rigid_and_weak_ones_do_nothing() {
        let extra_substep_bodies = Softness::new(1e6, 1.0, 1.0 / 240.0);
        assert!(
            (extra_substep_bodies.mass_scale - 1.0).abs() < 1e-5 && extra_substep_bodies.impulse_scale < 1e-5
        );
        assert!((extra_substep_bodies.bias_rate - 240.0).abs() < 0.1, "the whole error in one step");
        let weak = Softness::new(1e-4, 1.0, 1.0 / 240.0);
        assert!(weak.mass_scale < 1e-4 && weak.bias_rate < 1e-3);
    }
}
