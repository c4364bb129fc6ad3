//! The width of the sweeps, chosen when the program runs.
//!
//! The sweeps are compiled once for each width, with the instructions that go with it: 4 lanes for what every machine has, 8 for
//! AVX2, 16 for AVX-512. Where a machine lacks these, the same code runs in narrower pieces. Every lane computes what it would
//! alone, so the width changes nothing but time.

// Calling a function that was compiled for more instructions than every machine has is `unsafe`: that the machine has them is
// checked right before.
#![allow(unsafe_code)]

use super::colour::Stage;
use super::prepare::{Impulses, Source};
use super::rows::BodyRow;
use super::stages::Contacts;
use super::substeps::{Lock, Pull, Substeps};
use crate::world::settings::LaneWidth;

/// Contacts in lanes of some width.
#[derive(Clone, Debug)]
pub(crate) enum Wide {
    One(Box<Contacts<1>>),
    Four(Box<Contacts<4>>),
    Eight(Box<Contacts<8>>),
    Sixteen(Box<Contacts<16>>),
}

macro_rules! each {
    ($self:expr, $contacts:ident => $work:expr) => {
        match $self {
            Wide::One($contacts) => $work,
            Wide::Four($contacts) => $work,
            Wide::Eight($contacts) => $work,
            Wide::Sixteen($contacts) => $work,
        }
    };
}

impl Wide {
    pub(crate) fn new(width: LaneWidth) -> Self {
        match width {
            LaneWidth::One => Self::One(Box::default()),
            LaneWidth::Four => Self::Four(Box::default()),
            LaneWidth::Eight => Self::Eight(Box::default()),
            LaneWidth::Sixteen => Self::Sixteen(Box::default()),
            LaneWidth::Auto if has_avx2() => Self::Eight(Box::default()),
            LaneWidth::Auto => Self::Four(Box::default()),
        }
    }

    pub(crate) fn width(&self) -> usize {
        match self {
            Self::One(_) => 1,
            Self::Four(_) => 4,
            Self::Eight(_) => 8,
            Self::Sixteen(_) => 16,
        }
    }

    pub(crate) fn clear(&mut self) {
        each!(self, contacts => contacts.clear());
    }

    pub(crate) fn announce(&mut self, stage: Stage, points: usize) {
        each!(self, contacts => contacts.announce(stage, points));
    }

    pub(crate) fn lay_out(&mut self, bouncing: bool) {
        each!(self, contacts => contacts.lay_out(bouncing));
    }

    pub(crate) fn put(&mut self, stage: Stage, source: &Source<'_>) {
        each!(self, contacts => contacts.put(stage, source));
    }

    pub(crate) fn for_each_result(&self, substeps: u32, result: impl FnMut(u32, Impulses)) {
        each!(self, contacts => contacts.for_each_result(substeps as f32, result));
    }

    /// All substeps of a step.
    pub(crate) fn run(&mut self, substeps: &Substeps, rows: &mut [BodyRow], pulls: &[Pull], locks: &[Lock]) {
        match self {
            Self::One(contacts) => substeps.run(contacts, rows, pulls, locks),
            Self::Four(contacts) => substeps.run(contacts, rows, pulls, locks),
            Self::Eight(contacts) => {
                #[cfg(target_arch = "x86_64")]
                if has_avx2() {
                    // SAFETY: the processor has AVX2.
                    return unsafe { run_avx2(substeps, contacts, rows, pulls, locks) };
                }
                substeps.run(contacts, rows, pulls, locks);
            }
            Self::Sixteen(contacts) => {
                #[cfg(target_arch = "x86_64")]
                if has_avx512() {
                    // SAFETY: the processor has AVX-512F and its instructions for shorter vectors.
                    return unsafe { run_avx512(substeps, contacts, rows, pulls, locks) };
                }
                substeps.run(contacts, rows, pulls, locks);
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
fn has_avx2() -> bool {
    std::arch::is_x86_feature_detected!("avx2")
}

#[cfg(target_arch = "x86_64")]
fn has_avx512() -> bool {
    std::arch::is_x86_feature_detected!("avx512f") && std::arch::is_x86_feature_detected!("avx512vl")
}

#[cfg(not(target_arch = "x86_64"))]
fn has_avx2() -> bool {
    false
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_avx2(substeps: &Substeps, contacts: &mut Contacts<8>, rows: &mut [BodyRow], pulls: &[Pull], locks: &[Lock]) {
    substeps.run(contacts, rows, pulls, locks);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl")]
fn run_avx512(
    substeps: &Substeps,
    contacts: &mut Contacts<16>,
    rows: &mut [BodyRow],
    pulls: &[Pull],
    locks: &[Lock],
) {
    substeps.run(contacts, rows, pulls, locks);
}
