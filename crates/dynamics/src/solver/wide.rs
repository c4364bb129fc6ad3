//! The width of the sweeps, chosen when the program runs.
//!
//! The sweeps are compiled once for each width: for registers of four numbers, which every machine has, and for those of eight of
//! machines with AVX2. Every lane computes what it would alone, so the width changes nothing but time.

// Calling a function that was compiled for more instructions than every machine has is `unsafe`: that the machine has them is
// checked right before.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
use super::avx::Eight;
use super::colour::Stage;
use super::contact::Sweep;
use super::joint_rows::{JointClass, JointImpulses, JointSource, JointTotal};
use super::joint_stages::Joints;
use super::lanes::{Four, Lanes, One, Pair};
use super::prepare::{Impulses, Source};
use super::rows::BodyRow;
use super::stages::Contacts;
use super::substeps::{Lock, Pull, Substeps};
use crate::world::settings::LaneWidth;

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

/// Constraints in lanes of some width. Wide lanes are only worth their instructions: machines that lack those take narrower ones.
#[derive(Clone, Debug)]
pub(crate) enum Wide {
    One(Box<Constraints<One, 1>>),
    Four(Box<Constraints<Four, 4>>),
    #[cfg(not(target_arch = "x86_64"))]
    Eight(Box<Constraints<Pair<Four>, 8>>),
    #[cfg(not(target_arch = "x86_64"))]
    Sixteen(Box<Constraints<Pair<Pair<Four>>, 16>>),
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
            #[cfg(not(target_arch = "x86_64"))]
            Wide::Eight($it) => $work,
            #[cfg(not(target_arch = "x86_64"))]
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
            #[cfg(not(target_arch = "x86_64"))]
            LaneWidth::Eight => Self::Eight(Box::default()),
            #[cfg(not(target_arch = "x86_64"))]
            LaneWidth::Sixteen => Self::Sixteen(Box::default()),
            _ => Self::Four(Box::default()),
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

    pub(crate) fn keep_joints(&self, impulses: &mut [JointImpulses], keep: impl FnMut(u32, JointTotal)) {
        each!(self, it => it.joints.keep(impulses, keep));
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
            Self::One(it) => substeps.run(&plain::sweeps(), it, rows, pulls, locks),
            Self::Four(it) => substeps.run(&plain::sweeps(), it, rows, pulls, locks),
            #[cfg(not(target_arch = "x86_64"))]
            Self::Eight(it) => substeps.run(&plain::sweeps(), it, rows, pulls, locks),
            #[cfg(not(target_arch = "x86_64"))]
            Self::Sixteen(it) => substeps.run(&plain::sweeps(), it, rows, pulls, locks),
            // These widths are only chosen if the processor has AVX2.
            #[cfg(target_arch = "x86_64")]
            Self::AvxEight(it) => substeps.run(&avx2::sweeps(), it, rows, pulls, locks),
            #[cfg(target_arch = "x86_64")]
            Self::AvxSixteen(it) => substeps.run(&avx2::sweeps(), it, rows, pulls, locks),
        }
    }
}

#[cfg(target_arch = "x86_64")]
fn has_avx2() -> bool {
    std::arch::is_x86_feature_detected!("avx2")
}

/// The sweeps as they were compiled for some instructions.
pub(crate) struct Sweeps<L, const W: usize> {
    prepare: unsafe fn(&mut Constraints<L, W>),
    begin_joints: unsafe fn(&mut Joints<L, W>, &mut [BodyRow], &Sweep),
    push_joints: unsafe fn(&mut Joints<L, W>, &mut [BodyRow]),
    relax_joints: unsafe fn(&mut Joints<L, W>, &mut [BodyRow]),
    warm_start: unsafe fn(&mut Contacts<L, W>, &mut [BodyRow]),
    push: unsafe fn(&mut Contacts<L, W>, &mut [BodyRow], &Sweep),
    relax: unsafe fn(&mut Contacts<L, W>, &mut [BodyRow]),
    bounce: unsafe fn(&mut Contacts<L, W>, &mut [BodyRow], f32) -> bool,
}

// SAFETY, for all calls below: a table for instructions that not every machine has is only made ([`Wide::run`]) for widths that are
// only chosen ([`Wide::new`]) after asking the processor for them.
impl<L, const W: usize> Sweeps<L, W> {
    /// Jacobians and masses, once per step.
    pub(crate) fn prepare(&self, it: &mut Constraints<L, W>) {
        // SAFETY: see above.
        unsafe { (self.prepare)(it) }
    }

    /// The impulses so far; joints where they are now.
    pub(crate) fn begin(&self, it: &mut Constraints<L, W>, rows: &mut [BodyRow], sweep: &Sweep) {
        // SAFETY: see above.
        unsafe {
            (self.begin_joints)(&mut it.joints, rows, sweep);
            (self.warm_start)(&mut it.contacts, rows);
        }
    }

    /// One sweep that corrects errors. Contacts have the last word.
    pub(crate) fn push(&self, it: &mut Constraints<L, W>, rows: &mut [BodyRow], sweep: &Sweep) {
        // SAFETY: see above.
        unsafe {
            (self.push_joints)(&mut it.joints, rows);
            (self.push)(&mut it.contacts, rows, sweep);
        }
    }

    /// One sweep that does not.
    pub(crate) fn relax(&self, it: &mut Constraints<L, W>, rows: &mut [BodyRow]) {
        // SAFETY: see above.
        unsafe {
            (self.relax_joints)(&mut it.joints, rows);
            (self.relax)(&mut it.contacts, rows);
        }
    }

    /// Gives approaching speed back; joints take their share.
    pub(crate) fn bounce(&self, it: &mut Constraints<L, W>, rows: &mut [BodyRow], threshold: f32) {
        // SAFETY: see above.
        unsafe {
            if (self.bounce)(&mut it.contacts, rows, threshold) {
                (self.relax_joints)(&mut it.joints, rows);
            }
        }
    }
}

/// Compiles all sweeps for some instructions: one function each, since compilers need far longer for all of them in one.
macro_rules! compiled {
    ($(#[$attribute:meta])* mod $name:ident) => {
        mod $name {
            use super::{BodyRow, Constraints, Contacts, Joints, Lanes, Sweep, Sweeps};

            pub(super) fn sweeps<L: Lanes, const W: usize>() -> Sweeps<L, W> {
                Sweeps {
                    prepare: prepare::<L, W>,
                    begin_joints: begin_joints::<L, W>,
                    push_joints: push_joints::<L, W>,
                    relax_joints: relax_joints::<L, W>,
                    warm_start: warm_start::<L, W>,
                    push: push::<L, W>,
                    relax: relax::<L, W>,
                    bounce: bounce::<L, W>,
                }
            }

            $(#[$attribute])*
            fn prepare<L: Lanes, const W: usize>(it: &mut Constraints<L, W>) {
                it.contacts.prepare();
                it.joints.prepare();
            }

            $(#[$attribute])*
            fn begin_joints<L: Lanes, const W: usize>(it: &mut Joints<L, W>, rows: &mut [BodyRow], sweep: &Sweep) {
                it.begin(rows, sweep);
            }

            $(#[$attribute])*
            fn push_joints<L: Lanes, const W: usize>(it: &mut Joints<L, W>, rows: &mut [BodyRow]) {
                it.push(rows);
            }

            $(#[$attribute])*
            fn relax_joints<L: Lanes, const W: usize>(it: &mut Joints<L, W>, rows: &mut [BodyRow]) {
                it.relax(rows);
            }

            $(#[$attribute])*
            fn warm_start<L: Lanes, const W: usize>(it: &mut Contacts<L, W>, rows: &mut [BodyRow]) {
                it.warm_start(rows);
            }

            $(#[$attribute])*
            fn push<L: Lanes, const W: usize>(it: &mut Contacts<L, W>, rows: &mut [BodyRow], sweep: &Sweep) {
                it.push(rows, sweep);
            }

            $(#[$attribute])*
            fn relax<L: Lanes, const W: usize>(it: &mut Contacts<L, W>, rows: &mut [BodyRow]) {
                it.relax(rows);
            }

            $(#[$attribute])*
            fn bounce<L: Lanes, const W: usize>(
                it: &mut Contacts<L, W>,
                rows: &mut [BodyRow],
                threshold: f32,
            ) -> bool {
                it.bounce(rows, threshold)
            }
        }
    };
}

compiled!(mod plain);
#[cfg(target_arch = "x86_64")]
compiled!(#[target_feature(enable = "avx2")] mod avx2);
