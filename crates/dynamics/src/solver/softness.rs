//! Constraints as damped springs, stable at any stiffness.
//!
//! A soft constraint corrects its error as an implicitly integrated spring and damper would. Three numbers say all, for a
//! frequency, a damping ratio and a step (E. Catto, *Soft Constraints*, GDC 2011, and *Solver2D*, 2024).

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

impl Softness {
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
        let stiff = Softness::new(1e6, 1.0, 1.0 / 240.0);
        assert!((stiff.mass_scale - 1.0).abs() < 1e-5 && stiff.impulse_scale < 1e-5);
        assert!((stiff.bias_rate - 240.0).abs() < 0.1, "the whole error in one step");
        let weak = Softness::new(1e-4, 1.0, 1.0 / 240.0);
        assert!(weak.mass_scale < 1e-4 && weak.bias_rate < 1e-3);
    }
}
