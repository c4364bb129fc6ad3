//! Asks for memory some time before it is needed.
//!
//! Contacts and bodies lie in arrays by slot and are visited in another order; in worlds larger than the caches, half the time of a
//! stage would go by waiting. Asking changes no result, and machines without such an instruction do without.

// The instruction takes an address, and does nothing with a bad one.
#![allow(unsafe_code)]

/// Bytes that come at once.
const LINE: usize = 64;

/// Asks for an element at an address.
#[inline(always)]
pub(crate) fn prefetch<T>(element: *const T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let mut at = 0;
        while at < size_of::<T>() {
            // SAFETY: prefetching reads nothing that the program could see, and faults on no address.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(element.cast::<i8>().wrapping_add(at)) };
            at += LINE;
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (element, LINE);
}

/// Asks for an element of a slice.
#[inline(always)]
pub(crate) fn prefetch_at<T>(elements: &[T], at: u32) {
    prefetch(elements.as_ptr().wrapping_add(at as usize));
}
