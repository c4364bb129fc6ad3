//! The width of the sweeps, chosen when the program runs.
//!
//! The sweeps are compiled once for each width, for registers of four numbers, which every machine has, and for those of eight of
//! machines with AVX2. Every lane computes what it would alone, so the width changes nothing but time.

// Calling a function that was compiled for more instructions than every machine has is `unsafe`: that the machine has them is
// checked right before.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
use super::avx::Eight;
use super::colour::Stage;
use super::lanes::{Four, Lanes, One, Pair};
use super::prepare::{Impulses, Source};
use super::rows::BodyRow;
use super::stages::Contacts;
use super::substeps::{Lock, Pull, Substeps};
use crate::world::settings::LaneWidth;

/// Eight lanes, with or without registers that wide.
type EightOfAll = Pair<Four>;

/// Contacts in lanes of some width.
#[derive(Clone, Debug)]
pub(crate) enum Wide {
    One(Box<Contacts<One, 1>>),
    Four(Box<Contacts<Four, 4>>),
    Eight(Box<Contacts<EightOfAll, 8>>),
    Sixteen(Box<Contacts<Pair<EightOfAll>, 16>>),
    #[cfg(target_arch = "x86_64")]
    AvxEight(Box<Contacts<Eight, 8>>),
    #[cfg(target_arch = "x86_64")]
    AvxSixteen(Box<Contacts<Pair<Eight>, 16>>),
}

macro_rules! each {
    ($self:expr, $contacts:ident => $work:expr) => {
        match $self {
            Wide::One($contacts) => $work,
            Wide::Four($contacts) => $work,
            Wide::Eight($contacts) => $work,
            Wide::Sixteen($contacts) => $work,
            #[cfg(target_arch = "x86_64")]
            Wide::AvxEight($contacts) => $work,
            #[cfg(target_arch = "x86_64")]
            Wide::AvxSixteen($contacts) => $work,
        }
    };
}

impl Wide {
    pub(crate) fn new(width: LaneWidth) -> Self {
        #[cfg(target_arch = "x86_64")]
        if has_avx2() {
            match width {
                LaneWidth::Eight | LaneWidth::Auto => return Self::AvxEight(Box::default()),
                LaneWidth::Sixteen => return Self::AvxSixteen(Box::default()),
                LaneWidth::One | LaneWidth::Four => {}
            }
        }
        match width {
            LaneWidth::One => Self::One(Box::default()),
            LaneWidth::Four | LaneWidth::Auto => Self::Four(Box::default()),
            LaneWidth::Eight => Self::Eight(Box::default()),
            LaneWidth::Sixteen => Self::Sixteen(Box::default()),
        }
    }

    pub(crate) fn width(&self) -> usize {
        fn of<L, const W: usize>(_: &Contacts<L, W>) -> usize {
            W
        }
        each!(self, contacts => of(contacts))
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

    /// To be called when all contacts have been put.
    pub(crate) fn seal(&mut self) {
        each!(self, contacts => contacts.seal());
    }

    pub(crate) fn for_each_result(&self, substeps: u32, result: impl FnMut(u32, Impulses)) {
        each!(self, contacts => contacts.for_each_result(substeps as f32, result));
    }

    /// All substeps of a step.
    pub(crate) fn run(&mut self, substeps: &Substeps, rows: &mut [BodyRow], pulls: &[Pull], locks: &[Lock]) {
        match self {
            Self::One(contacts) => substeps.run(contacts, rows, pulls, locks),
            Self::Four(contacts) => substeps.run(contacts, rows, pulls, locks),
            Self::Eight(contacts) => substeps.run(contacts, rows, pulls, locks),
            Self::Sixteen(contacts) => substeps.run(contacts, rows, pulls, locks),
            // SAFETY: these widths are only chosen if the processor has AVX2.
            #[cfg(target_arch = "x86_64")]
            Self::AvxEight(contacts) => unsafe { run_avx2(substeps, contacts, rows, pulls, locks) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Self::AvxSixteen(contacts) => unsafe { run_avx2(substeps, contacts, rows, pulls, locks) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
fn has_avx2() -> bool {
    std::arch::is_x86_feature_detected!("avx2")
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_avx2<L: Lanes, const W: usize>(
    substeps: &Substeps,
    contacts: &mut Contacts<L, W>,
    rows: &mut [BodyRow],
    pulls: &[Pull],
    locks: &[Lock],
) {
    substeps.run(contacts, rows, pulls, locks);
}
