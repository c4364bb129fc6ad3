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
use super::joint_rows::{JointClass, JointResult, JointSource};
use super::joint_stages::Joints;
use super::lanes::{Four, Lanes, One, Pair};
use super::prepare::{Impulses, Source};
use super::rows::BodyRow;
use super::stages::Contacts;
use super::substeps::{Lock, Pull, Substeps};
use crate::world::settings::LaneWidth;

/// Eight lanes, with or without registers that wide.
type EightOfAll = Pair<Four>;

/// Contacts and joints in lanes of a width.
#[derive(Clone, Debug)]
pub(crate) struct Constraints<L, const W: usize> {
    contacts: Contacts<L, W>,
    joints: Joints<L, W>,
}

impl<L: Lanes, const W: usize> Default for Constraints<L, W> {
    fn default() -> Self {
        Self { contacts: Contacts::default(), joints: Joints::default() }
    }
}

/// Constraints in lanes of some width.
#[derive(Clone, Debug)]
pub(crate) enum Wide {
    One(Box<Constraints<One, 1>>),
    Four(Box<Constraints<Four, 4>>),
    Eight(Box<Constraints<EightOfAll, 8>>),
    Sixteen(Box<Constraints<Pair<EightOfAll>, 16>>),
    #[cfg(target_arch = "x86_64")]
    AvxEight(Box<Constraints<Eight, 8>>),
    #[cfg(target_arch = "x86_64")]
    AvxSixteen(Box<Constraints<Pair<Eight>, 16>>),
}

macro_rules! each {
    ($self:expr, $it:ident => $work:expr) => {
        match $self {
            Wide::One($it) => $work,
            Wide::Four($it) => $work,
            Wide::Eight($it) => $work,
            Wide::Sixteen($it) => $work,
            #[cfg(target_arch = "x86_64")]
            Wide::AvxEight($it) => $work,
            #[cfg(target_arch = "x86_64")]
            Wide::AvxSixteen($it) => $work,
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
        fn of<L, const W: usize>(_: &Constraints<L, W>) -> usize {
            W
        }
        each!(self, it => of(it))
    }

    pub(crate) fn clear(&mut self) {
        each!(self, it => {
            it.contacts.clear();
            it.joints.clear();
        });
    }

    pub(crate) fn announce(&mut self, stage: Stage, points: usize) {
        each!(self, it => it.contacts.announce(stage, points));
    }

    pub(crate) fn lay_out(&mut self, bouncing: bool) {
        each!(self, it => {
            it.contacts.lay_out(bouncing);
            it.joints.lay_out();
        });
    }

    pub(crate) fn put(&mut self, stage: Stage, source: &Source<'_>) {
        each!(self, it => it.contacts.put(stage, source));
    }

    pub(crate) fn announce_joint(&mut self, stage: Stage, class: JointClass) {
        each!(self, it => it.joints.announce(stage, class));
    }

    pub(crate) fn put_joint(&mut self, stage: Stage, source: &JointSource<'_>) {
        each!(self, it => it.joints.put(stage, source));
    }

    pub(crate) fn for_each_joint(&self, result: impl FnMut(u32, JointResult)) {
        each!(self, it => it.joints.for_each_result(result));
    }

    /// To be called when all contacts and joints have been put.
    pub(crate) fn seal(&mut self) {
        each!(self, it => {
            it.contacts.seal();
            it.joints.seal();
        });
    }

    pub(crate) fn for_each_result(&self, substeps: u32, result: impl FnMut(u32, Impulses)) {
        each!(self, it => it.contacts.for_each_result(substeps as f32, result));
    }

    /// All substeps of a step.
    pub(crate) fn run(&mut self, substeps: &Substeps, rows: &mut [BodyRow], pulls: &[Pull], locks: &[Lock]) {
        match self {
            Self::One(it) => substeps.run(&mut it.contacts, &mut it.joints, rows, pulls, locks),
            Self::Four(it) => substeps.run(&mut it.contacts, &mut it.joints, rows, pulls, locks),
            Self::Eight(it) => substeps.run(&mut it.contacts, &mut it.joints, rows, pulls, locks),
            Self::Sixteen(it) => substeps.run(&mut it.contacts, &mut it.joints, rows, pulls, locks),
            // SAFETY: these widths are only chosen if the processor has AVX2.
            #[cfg(target_arch = "x86_64")]
            Self::AvxEight(it) => unsafe { run_avx2(substeps, it, rows, pulls, locks) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Self::AvxSixteen(it) => unsafe { run_avx2(substeps, it, rows, pulls, locks) },
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
    it: &mut Constraints<L, W>,
    rows: &mut [BodyRow],
    pulls: &[Pull],
    locks: &[Lock],
) {
    substeps.run(&mut it.contacts, &mut it.joints, rows, pulls, locks);
}
