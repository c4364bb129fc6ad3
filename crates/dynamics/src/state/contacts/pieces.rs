//! Contacts handed out one by one, to several threads.

// Every contact is spread over several arrays; that threads take different ones is promised by who
// takes them.
#![allow(unsafe_code)]

use carom_broadphase::Pair;
use carom_core::threads::DisjointSlice;
use carom_narrowphase::{Manifold, pair::PairCache};

use super::{Composite, ContactInfo, Contacts, ManifoldRecord, SeparationBound};
use crate::state::impulses::Impulses;

/// Everything of one contact that the narrow phase writes.
pub(crate) struct ContactMut<'a> {
    pub(crate) info: &'a mut ContactInfo,
    pub(crate) manifold: &'a mut Manifold,
    pub(crate) impulses: &'a mut Impulses,
    pub(crate) memory: &'a mut PairCache,
    pub(crate) record: &'a mut Option<ManifoldRecord>,
    pub(crate) composite: Option<&'a mut Composite>,
}

/// All pairs and contacts, to be handed out one by one.
pub(crate) struct ContactSlices<'a> {
    pub(crate) pairs: &'a [Pair],
    /// By pair: the slot of its contact, if it has one.
    pub(crate) slots: &'a [u32],
    separation_bounds: DisjointSlice<'a, SeparationBound>,
    infos: DisjointSlice<'a, ContactInfo>,
    manifolds: DisjointSlice<'a, Manifold>,
    impulses: DisjointSlice<'a, Impulses>,
    memories: DisjointSlice<'a, PairCache>,
    records: DisjointSlice<'a, Option<ManifoldRecord>>,
    composites: DisjointSlice<'a, Option<Box<Composite>>>,
}

impl ContactSlices<'_> {
    /// Asks for what a look at a contact reads first.
    #[inline(always)]
    pub(crate) fn prefetch(&self, slot: u32) {
        self.infos.prefetch(slot);
        self.records.prefetch(slot);
        self.manifolds.prefetch(slot);
        self.memories.prefetch_start(slot);
    }

    /// Slots of the shapes of a contact.
    ///
    /// # Safety
    /// Nobody may hold the same contact at the same time.
    #[inline]
    // SAFETY: as said above, by the caller.
    pub(crate) unsafe fn shapes(&self, slot: u32) -> [u32; 2] {
        // SAFETY: the caller promises that nobody else holds it.
        unsafe { self.infos.at(slot as usize).shapes }
    }

    /// When a pair has to be looked at again.
    ///
    /// # Safety
    /// Nobody may hold that of the same pair at the same time.
    #[inline]
    #[expect(clippy::mut_from_ref, reason = "every pair has its own, and the caller holds each once")]
    // SAFETY: as said above, by the caller.
    pub(crate) unsafe fn separation_bound(&self, pair: usize) -> &mut SeparationBound {
        // SAFETY: the caller promises that nobody else holds it.
        unsafe { self.separation_bounds.at(pair) }
    }

    /// Is one of the shapes of a contact round?
    ///
    /// # Safety
    /// Nobody may hold the same contact at the same time.
    #[inline]
    // SAFETY: as said above, by the caller.
    pub(crate) unsafe fn is_round(&self, slot: u32) -> bool {
        // SAFETY: the caller promises that nobody else holds it.
        unsafe { !self.infos.at(slot as usize).is_recyclable }
    }

    /// Has a touch begun or ended that users have not heard of?
    ///
    /// # Safety
    /// Nobody may hold the same contact at the same time.
    #[inline]
    // SAFETY: as said above, by the caller.
    pub(crate) unsafe fn is_news(&self, slot: u32) -> bool {
        // SAFETY: the caller promises that nobody else holds it.
        let info = unsafe { self.infos.at(slot as usize) };
        info.is_touching != info.is_reported
    }

    /// One contact.
    ///
    /// # Safety
    /// Nobody may hold the same contact at the same time.
    #[inline(always)]
    // SAFETY: as said above, by the caller.
    pub(crate) unsafe fn at(&self, slot: u32) -> ContactMut<'_> {
        let at = slot as usize;
        // SAFETY: the caller promises that nobody else holds it.
        unsafe {
            let info = self.infos.at(at);
            let has_parts = info.is_composite;
            ContactMut {
                info,
                manifold: self.manifolds.at(at),
                impulses: self.impulses.at(at),
                memory: self.memories.at(at),
                record: self.records.at(at),
                composite: if has_parts { self.composites.at(at).as_deref_mut() } else { None },
            }
        }
    }
}

impl Contacts {
    /// All contacts, to be handed out one by one.
    pub(crate) fn pieces(&mut self) -> ContactSlices<'_> {
        ContactSlices {
            pairs: &self.pairs,
            slots: &self.slots,
            separation_bounds: DisjointSlice::new(&mut self.separation_bounds),
            infos: DisjointSlice::new(&mut self.infos),
            manifolds: DisjointSlice::new(&mut self.manifolds),
            impulses: DisjointSlice::new(&mut self.impulses),
            memories: DisjointSlice::new(&mut self.memories),
            records: DisjointSlice::new(&mut self.records),
            composites: DisjointSlice::new(&mut self.composites),
        }
    }
}
