//! Contacts handed out one by one, to several threads.

// Every contact is spread over several arrays; that threads take different ones is promised by who takes them.
#![allow(unsafe_code)]

use carom_core::threads::DisjointSlice;
use carom_narrowphase::{Manifold, pair::PairCache};

use super::{Composite, Contacts, Doze, Head, Kept};
use crate::state::impulses::Impulses;

/// Everything of one contact that the narrow phase writes.
pub(crate) struct OneContact<'a> {
    pub(crate) head: &'a mut Head,
    pub(crate) doze: &'a mut Doze,
    pub(crate) manifold: &'a mut Manifold,
    pub(crate) impulses: &'a mut Impulses,
    pub(crate) memory: &'a mut PairCache,
    pub(crate) record: &'a mut Option<Kept>,
    pub(crate) composite: Option<&'a mut Composite>,
}

/// All contacts, to be handed out one by one.
pub(crate) struct ContactPieces<'a> {
    heads: DisjointSlice<'a, Head>,
    dozes: DisjointSlice<'a, Doze>,
    manifolds: DisjointSlice<'a, Manifold>,
    impulses: DisjointSlice<'a, Impulses>,
    memories: DisjointSlice<'a, PairCache>,
    records: DisjointSlice<'a, Option<Kept>>,
    composites: DisjointSlice<'a, Option<Box<Composite>>>,
}

impl ContactPieces<'_> {
    /// Asks for what a look at a contact reads first.
    #[inline(always)]
    pub(crate) fn prefetch(&self, slot: u32) {
        self.heads.prefetch(slot);
        self.records.prefetch(slot);
        self.manifolds.prefetch(slot);
    }

    /// Asks for what tells when a contact has to be looked at again.
    #[inline(always)]
    pub(crate) fn prefetch_doze(&self, slot: u32) {
        self.dozes.prefetch(slot);
    }

    /// When a contact has to be looked at again.
    ///
    /// # Safety
    /// Nobody may hold the same contact at the same time.
    #[inline]
    // SAFETY: as said above, by the caller.
    pub(crate) unsafe fn doze(&self, slot: u32) -> &Doze {
        // SAFETY: the caller promises that nobody else holds it.
        unsafe { self.dozes.at(slot as usize) }
    }

    /// One contact.
    ///
    /// # Safety
    /// Nobody may hold the same contact at the same time.
    #[inline]
    // SAFETY: as said above, by the caller.
    pub(crate) unsafe fn at(&self, slot: u32) -> OneContact<'_> {
        let at = slot as usize;
        // SAFETY: the caller promises that nobody else holds it.
        unsafe {
            let head = self.heads.at(at);
            let has_parts = head.is_composite;
            OneContact {
                head,
                doze: self.dozes.at(at),
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
    pub(crate) fn pieces(&mut self) -> ContactPieces<'_> {
        ContactPieces {
            heads: DisjointSlice::new(&mut self.heads),
            dozes: DisjointSlice::new(&mut self.dozes),
            manifolds: DisjointSlice::new(&mut self.manifolds),
            impulses: DisjointSlice::new(&mut self.impulses),
            memories: DisjointSlice::new(&mut self.memories),
            records: DisjointSlice::new(&mut self.records),
            composites: DisjointSlice::new(&mut self.composites),
        }
    }
}
