//! A slice whose elements different threads write at the same time.
//!
//! The tasks of a stage write the bodies, contacts or rows that are theirs: disjoint by how the
//! work was cut, which the compiler cannot know. Who takes an element out promises that nobody else
//! holds it; bounds are still checked.

// Shared access to a slice that was borrowed mutably: that no element is held twice is known to the
// callers, not to the compiler.
#![allow(unsafe_code)]

use std::marker::PhantomData;

use crate::prefetch::prefetch;

/// A slice that several threads may write different elements of.
#[derive(Debug)]
pub struct DisjointSlice<'a, T> {
    start: *mut T,
    length: usize,
    slice: PhantomData<&'a mut [T]>,
}

// SAFETY: who gets elements out promises not to get one twice at a time; then it is as if each
// thread had got its own elements.
unsafe impl<T: Send> Sync for DisjointSlice<'_, T> {}

impl<'a, T> DisjointSlice<'a, T> {
    /// These elements.
    #[must_use]
    pub fn new(items: &'a mut [T]) -> Self {
        Self { start: items.as_mut_ptr(), length: items.len(), slice: PhantomData }
    }

    /// Number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.length
    }

    /// True if there is no element.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// One element.
    ///
    /// # Safety
    /// Nobody may hold the same element at the same time.
    ///
    /// # Panics
    /// If there is no such element.
    #[inline]
    #[expect(clippy::mut_from_ref, reason = "that is what it is for")]
    // SAFETY: as said above, by the caller.
    pub unsafe fn at(&self, index: usize) -> &mut T {
        assert!(index < self.length, "no element {index}");
        // SAFETY: within the slice, and nobody else holds it.
        unsafe { &mut *self.start.add(index) }
    }

    /// One element, if it is there.
    ///
    /// # Safety
    /// Nobody may hold the same element at the same time.
    #[inline]
    #[expect(clippy::mut_from_ref, reason = "that is what it is for")]
    // SAFETY: as said above, by the caller.
    pub unsafe fn get(&self, index: usize) -> Option<&mut T> {
        // SAFETY: the caller promises what is needed.
        if index < self.length { Some(unsafe { self.at(index) }) } else { None }
    }

    /// Prefetches an element.
    #[inline(always)]
    pub fn prefetch(&self, index: u32) {
        prefetch(self.start.wrapping_add(index as usize));
    }

    /// Prefetches the first cache line of an element.
    #[inline(always)]
    pub fn prefetch_start(&self, index: u32) {
        prefetch(self.start.wrapping_add(index as usize).cast::<u8>());
    }

    /// A range of elements; none if there are no elements at all.
    ///
    /// # Safety
    /// Nobody may hold one of these elements at the same time.
    ///
    /// # Panics
    /// If the range is outside of a slice that is not empty.
    #[inline]
    #[expect(clippy::mut_from_ref, reason = "that is what it is for")]
    // SAFETY: as said above, by the caller.
    pub unsafe fn range_or_none(&self, start: usize, end: usize) -> &mut [T] {
        // SAFETY: the caller promises what is needed.
        unsafe { if self.length == 0 { self.range(0, 0) } else { self.range(start, end) } }
    }

    /// A range of elements.
    ///
    /// # Safety
    /// Nobody may hold one of these elements at the same time.
    ///
    /// # Panics
    /// If the range is outside of the slice.
    #[inline]
    #[expect(clippy::mut_from_ref, reason = "that is what it is for")]
    // SAFETY: as said above, by the caller.
    pub unsafe fn range(&self, start: usize, end: usize) -> &mut [T] {
        assert!(start <= end && end <= self.length, "no elements {start}..{end}");
        // SAFETY: within the slice, and nobody else holds them.
        unsafe { std::slice::from_raw_parts_mut(self.start.add(start), end - start) }
    }
}
