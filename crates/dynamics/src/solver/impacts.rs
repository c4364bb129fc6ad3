//! Rounds of impacts over contacts and joints ([`super::bounce`]), when all substeps are over.
//!
//! A reflection keeps the energy only if it stays within the motions that the joints allow. So in a
//! round joints hold while points are stopped, sweep by sweep until both have settled, and give
//! back the same share of their impulses. Impulses of joints that answered the impacts in the
//! substeps are taken back with them: joints hold once more after every change that is not theirs.

use carom_core::simd::dispatch::Kernel;
use carom_geometry::Real;

use super::bounce::Bounce;
use super::joint_stages::{ImpactPass, Joints};
use super::lanes::SolverLanes;
use super::rows::Rows;
use super::stages::{BouncePass, Contacts};

/// Rounds of impacts: in each one an impact passes on to the neighbours.
const ROUNDS: usize = 16;
/// Sweeps in which the points of a round are stopped together.
const SWEEPS: usize = 256;
/// Share of the fastest approach that is no change any more.
const SETTLED: f32 = 1e-6;

/// All impacts of a step.
pub(crate) struct Impacts<'a, L, const W: usize> {
    pub(crate) contacts: &'a mut Contacts<L, W>,
    pub(crate) joints: &'a mut Joints<L, W>,
    pub(crate) rows: Rows<'a>,
    pub(crate) bounce: &'a Bounce<'a>,
}

impl<L: SolverLanes, const W: usize> Kernel for Impacts<'_, L, W> {
    /// Takes impacts back and lets them happen in rounds, until nobody approaches.
    #[inline(always)]
    fn run(mut self) {
        let Bounce { threshold, .. } = *self.bounce;
        if self.contacts.sweep_impacts(self.rows, BouncePass::TakeBack(self.bounce)) == 0.0 {
            return;
        }
        let is_joined = !self.joints.is_empty();
        if is_joined {
            let contacts = &self.contacts;
            self.joints.strike(self.rows, |struck| contacts.strike(struck));
            let fastest = self.contacts.sweep_impacts(self.rows, BouncePass::Begin(threshold));
            self.hold(SETTLED * fastest);
        }
        for _ in 0..ROUNDS {
            let fastest = self.contacts.sweep_impacts(self.rows, BouncePass::Begin(threshold));
            if fastest == 0.0 {
                break;
            }
            self.joints.sweep_struck(self.rows, ImpactPass::Begin);
            for _ in 0..SWEEPS {
                let held = self.joints.sweep_struck(self.rows, ImpactPass::Stop);
                let stopped = self.contacts.sweep_impacts(self.rows, BouncePass::Stop);
                if Real::max(held, stopped) <= SETTLED * fastest {
                    break;
                }
            }
            let share = self.contacts.sweep_impacts(self.rows, BouncePass::PushOff);
            if is_joined {
                self.joints.sweep_struck(self.rows, ImpactPass::PushOff(share));
                self.hold(SETTLED * fastest);
            }
        }
    }
}

impl<L: SolverLanes, const W: usize> Impacts<'_, L, W> {
    /// Joints hold until their changes are no larger than `settled`.
    #[inline(always)]
    fn hold(&mut self, settled: f32) {
        self.joints.sweep_struck(self.rows, ImpactPass::Begin);
        for _ in 0..SWEEPS {
            if self.joints.sweep_struck(self.rows, ImpactPass::Stop) <= settled {
                break;
            }
        }
        self.joints.sweep_struck(self.rows, ImpactPass::PushOff(0.0));
    }
}
